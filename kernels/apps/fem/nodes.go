package fem

import "github.com/gocuda/gocuda/gocuda"

// The nodes. Number d of node i is at 3*i+d.

// gather is the program of one thread: node first + k, whose force is the sum of those on its corners. Those are the parts at
// where[start[i]] up to where[start[i+1]]; the other axes are n and 2n further on.
//
//gocuda:kernel fastmath
func gather(t *gocuda.Thread, first, count, n int, start, where []int32, parts, f []float32) {
	if k := t.GlobalX(); k < count {
		i := first + k
		var x, y, z float32
		for j := start[i]; j < start[i+1]; j++ {
			p := int(where[j])
			x += parts[p]
			y += parts[p+n]
			z += parts[p+2*n]
		}
		f[3*i], f[3*i+1], f[3*i+2] = x, y, z
	}
}

// advance is the program of one thread: a step of coordinate first + k. inverse is 1/mass, or 0 where the coordinate is fixed. The force
// is cleared for the next step.
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
