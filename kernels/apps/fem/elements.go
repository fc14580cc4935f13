package fem

import (
	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
)

// The forces of elements. Tables of elements have an array for each number, so that neighbouring
// threads read neighbours: number k of element e of n is table[k*n+e].

// forces returns what element e does to its first three corners. The fourth gets the opposite of
// their sum, which is exact where a rigid translation has to give nothing: displacements count from
// the fourth corner.
func forces(e, n int, corners []int32, gradients, elastic, u []float32) (
	ax, ay, az, bx, by, bz, cx, cy, cz float32) {
	a, b, c, d := 3*int(corners[e]), 3*int(corners[n+e]), 3*int(corners[2*n+e]), 3*int(corners[3*n+e])
	dx, dy, dz := u[d], u[d+1], u[d+2]
	ux, uy, uz := u[a]-dx, u[a+1]-dy, u[a+2]-dz
	vx, vy, vz := u[b]-dx, u[b+1]-dy, u[b+2]-dz
	wx, wy, wz := u[c]-dx, u[c+1]-dy, u[c+2]-dz
	gax, gay, gaz := gradients[e], gradients[n+e], gradients[2*n+e]
	gbx, gby, gbz := gradients[3*n+e], gradients[4*n+e], gradients[5*n+e]
	gcx, gcy, gcz := gradients[6*n+e], gradients[7*n+e], gradients[8*n+e]
	lambda, mu := elastic[e], elastic[n+e]
	exx := ux*gax + vx*gbx + wx*gcx
	eyy := uy*gay + vy*gby + wy*gcy
	ezz := uz*gaz + vz*gbz + wz*gcz
	sxy := mu * (ux*gay + vx*gby + wx*gcy + uy*gax + vy*gbx + wy*gcx)
	sxz := mu * (ux*gaz + vx*gbz + wx*gcz + uz*gax + vz*gbx + wz*gcx)
	syz := mu * (uy*gaz + vy*gbz + wy*gcz + uz*gay + vz*gby + wz*gcy)
	all := lambda * (exx + eyy + ezz)
	sxx, syy, szz := all+2*mu*exx, all+2*mu*eyy, all+2*mu*ezz
	ax, ay, az = -(sxx*gax + sxy*gay + sxz*gaz), -(sxy*gax + syy*gay + syz*gaz), -(sxz*gax + syz*gay + szz*gaz)
	bx, by, bz = -(sxx*gbx + sxy*gby + sxz*gbz), -(sxy*gbx + syy*gby + syz*gbz), -(sxz*gbx + syz*gby + szz*gbz)
	cx, cy, cz = -(sxx*gcx + sxy*gcy + sxz*gcz), -(sxy*gcx + syy*gcy + syz*gcz), -(sxz*gcx + syz*gcy + szz*gcz)
	return ax, ay, az, bx, by, bz, cx, cy, cz
}

// store is the program of one thread: element first + k, whose forces go to a table of 12 numbers
// an element, corner by corner.
//
//gocuda:kernel fastmath
func store(t *gocuda.Thread, first, count, n int, corners []int32, gradients, elastic, u, parts []float32) {
	if k := t.GlobalX(); k < count {
		e := first + k
		ax, ay, az, bx, by, bz, cx, cy, cz := forces(e, n, corners, gradients, elastic, u)
		parts[e], parts[n+e], parts[2*n+e] = ax, ay, az
		parts[3*n+e], parts[4*n+e], parts[5*n+e] = bx, by, bz
		parts[6*n+e], parts[7*n+e], parts[8*n+e] = cx, cy, cz
		parts[9*n+e], parts[10*n+e], parts[11*n+e] = -ax-bx-cx, -ay-by-cy, -az-bz-cz
	}
}

// scatter is the program of one thread: element order[first+k] of a colour, whose forces are added
// to those of its nodes.
//
//gocuda:kernel fastmath
func scatter(t *gocuda.Thread, first, count, n int, order, corners []int32, gradients, elastic, u, f []float32) {
	if k := t.GlobalX(); k < count {
		e := int(order[first+k])
		ax, ay, az, bx, by, bz, cx, cy, cz := forces(e, n, corners, gradients, elastic, u)
		a, b, c, d := 3*int(corners[e]), 3*int(corners[n+e]), 3*int(corners[2*n+e]), 3*int(corners[3*n+e])
		f[a] += ax
		f[a+1] += ay
		f[a+2] += az
		f[b] += bx
		f[b+1] += by
		f[b+2] += bz
		f[c] += cx
		f[c+1] += cy
		f[c+2] += cz
		f[d] -= ax + bx + cx
		f[d+1] -= ay + by + cy
		f[d+2] -= az + bz + cz
	}
}

// scatterAtomic is the program of one thread: element first + k, whose forces are added to those of
// its nodes by atomics.
//
//gocuda:kernel fastmath
func scatterAtomic(t *gocuda.Thread, first, count, n int, corners []int32, gradients, elastic, u, f []float32) {
	if k := t.GlobalX(); k < count {
		e := first + k
		ax, ay, az, bx, by, bz, cx, cy, cz := forces(e, n, corners, gradients, elastic, u)
		a, b, c, d := 3*int(corners[e]), 3*int(corners[n+e]), 3*int(corners[2*n+e]), 3*int(corners[3*n+e])
		atomic.Add(&f[a], ax)
		atomic.Add(&f[a+1], ay)
		atomic.Add(&f[a+2], az)
		atomic.Add(&f[b], bx)
		atomic.Add(&f[b+1], by)
		atomic.Add(&f[b+2], bz)
		atomic.Add(&f[c], cx)
		atomic.Add(&f[c+1], cy)
		atomic.Add(&f[c+2], cz)
		atomic.Add(&f[d], -ax-bx-cx)
		atomic.Add(&f[d+1], -ay-by-cy)
		atomic.Add(&f[d+2], -az-bz-cz)
	}
}
