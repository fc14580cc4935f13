package fem

import "github.com/gocuda/gocuda/gocuda"

// The nodes. Number d of node i is at 3*i+d.

// sum returns the force on node i: the sum of the parts at where[start[i]] up to where[start[i+1]].
// The other axes are n and 2n further on.
func sum(i, n int, start, where []int32, parts []float32) (x, y, z float32) {
	for j := start[i]; j < start[i+1]; j++ {
		p := int(where[j])
		x += parts[p]
		y += parts[p+n]
		z += parts[p+2*n]
	}
	return x, y, z
}

// gather is the program of one thread: the force on node first + k.
//
//gocuda:kernel fastmath
func gather(t *gocuda.Thread, first, count, n int, start, where []int32, parts, f []float32) {
	if k := t.GlobalX(); k < count {
		i := first + k
		x, y, z := sum(i, n, start, where, parts)
		f[3*i], f[3*i+1], f[3*i+2] = x, y, z
	}
}

// advance is the program of one thread: a step of coordinate first + k. inverse is 1/mass, or 0
// where the coordinate is fixed. The force is cleared for the next step.
//
//gocuda:kernel fastmath
func advance(t *gocuda.Thread, first, count int, dt float32, inverse, load, f, u, v []float32) {
	if k := t.GlobalX(); k < count {
		i := first + k
		now := v[i] + dt*inverse[i]*(f[i]+load[i])
		v[i] = now
		u[i] += dt * now
		f[i] = 0
	}
}

// gatherAdvance is the program of one thread: gather and advance of node first + k in one.
//
//gocuda:kernel fastmath
func gatherAdvance(t *gocuda.Thread, first, count, n int, dt float32, start, where []int32, parts, inverse, load, u, v []float32) {
	if k := t.GlobalX(); k < count {
		i := first + k
		x, y, z := sum(i, n, start, where, parts)
		vx := v[3*i] + dt*inverse[3*i]*(x+load[3*i])
		vy := v[3*i+1] + dt*inverse[3*i+1]*(y+load[3*i+1])
		vz := v[3*i+2] + dt*inverse[3*i+2]*(z+load[3*i+2])
		v[3*i], v[3*i+1], v[3*i+2] = vx, vy, vz
		u[3*i] += dt * vx
		u[3*i+1] += dt * vy
		u[3*i+2] += dt * vz
	}
}
