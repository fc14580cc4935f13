package nbody

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

func pull[T kernels.Float](me, other kernels.Body[T], eps2 T) (x, y, z T) {
	dx, dy, dz := other.X-me.X, other.Y-me.Y, other.Z-me.Z
	d2 := dx*dx + dy*dy + dz*dz + eps2
	if d2 != 0 {
		inv := 1 / T(math.Sqrt(float64(d2)))
		s := other.Mass * inv * inv * inv
		x, y, z = dx*s, dy*s, dz*s
	}
	return x, y, z
}

//gocuda:kernel fastmath
func naive[T kernels.Float](t *gocuda.Thread, eps2 T, own, bodies []kernels.Body[T], acc []kernels.Vec3[T]) {
	if i := t.GlobalX(); i < len(own) {
		me := own[i]
		var a kernels.Vec3[T]
		for j := range bodies {
			x, y, z := pull(me, bodies[j], eps2)
			a.X += x
			a.Y += y
			a.Z += z
		}
		acc[i] = a
	}
}

const tileThreads = 256

//gocuda:kernel fastmath
func tiled[T kernels.Float](t *gocuda.Thread, eps2 T, own, bodies []kernels.Body[T], acc []kernels.Vec3[T]) {
	tile := gocuda.Shared[kernels.Body[T]](t, tileThreads)
	tid, i, n := t.ThreadIdx.X, t.GlobalX(), len(bodies)
	var me kernels.Body[T]
	if i < len(own) {
		me = own[i]
	}
	var a kernels.Vec3[T]
	for j := 0; j < n; j += tileThreads {
		if j+tid < n {
			tile[tid] = bodies[j+tid]
		}
		t.SyncThreads()
		for k := range min(tileThreads, n-j) {
			x, y, z := pull(me, tile[k], eps2)
			a.X += x
			a.Y += y
			a.Z += z
		}
		t.SyncThreads()
	}
	if i < len(own) {
		acc[i] = a
	}
}

const (
	p = 64
	q = 4
)

//gocuda:kernel fastmath
func several[T kernels.Float](t *gocuda.Thread, eps2 T, own, bodies []kernels.Body[T], acc []kernels.Vec3[T]) {
	tile := gocuda.Shared[kernels.Body[T]](t, p*q)
	xs, ys, zs := gocuda.Shared[T](t, p*q), gocuda.Shared[T](t, p*q), gocuda.Shared[T](t, p*q)
	tx, ty, i, n := t.ThreadIdx.X, t.ThreadIdx.Y, t.GlobalX(), len(bodies)
	rank := ty*p + tx
	var me kernels.Body[T]
	if i < len(own) {
		me = own[i]
	}
	var a kernels.Vec3[T]
	for j := 0; j < n; j += p * q {
		if j+rank < n {
			tile[rank] = bodies[j+rank]
		}
		t.SyncThreads()
		for k := ty * p; k < min((ty+1)*p, n-j); k++ {
			x, y, z := pull(me, tile[k], eps2)
			a.X += x
			a.Y += y
			a.Z += z
		}
		t.SyncThreads()
	}
	xs[rank], ys[rank], zs[rank] = a.X, a.Y, a.Z
	t.SyncThreads()
	if ty == 0 && i < len(own) {
		for k := 1; k < q; k++ {
			a.X += xs[k*p+tx]
			a.Y += ys[k*p+tx]
			a.Z += zs[k*p+tx]
		}
		acc[i] = a
	}
}

//gocuda:kernel fastmath
func constant[T kernels.Float](t *gocuda.Thread, first bool, eps2 T, own, chunk []kernels.Body[T], acc []kernels.Vec3[T]) {
	if i := t.GlobalX(); i < len(own) {
		me := own[i]
		var a kernels.Vec3[T]
		if !first {
			a = acc[i]
		}
		for j := range chunk {
			x, y, z := pull(me, chunk[j], eps2)
			a.X += x
			a.Y += y
			a.Z += z
		}
		acc[i] = a
	}
}

//gocuda:kernel fastmath
func shuffled[T kernels.Float](t *gocuda.Thread, eps2 T, own, bodies []kernels.Body[T], acc []kernels.Vec3[T]) {
	lane, i, n := t.ThreadIdx.X%32, t.GlobalX(), len(bodies)
	var me kernels.Body[T]
	if i < len(own) {
		me = own[i]
	}
	var a kernels.Vec3[T]
	for j := 0; j < n; j += 32 {
		var mine kernels.Body[T]
		if j+lane < n {
			mine = bodies[j+lane]
		}
		for k := range 32 {
			other := kernels.Body[T]{
				X:    gocuda.ShflSync(t, gocuda.FullMask, mine.X, k, 32),
				Y:    gocuda.ShflSync(t, gocuda.FullMask, mine.Y, k, 32),
				Z:    gocuda.ShflSync(t, gocuda.FullMask, mine.Z, k, 32),
				Mass: gocuda.ShflSync(t, gocuda.FullMask, mine.Mass, k, 32),
			}
			if j+k < n {
				x, y, z := pull(me, other, eps2)
				a.X += x
				a.Y += y
				a.Z += z
			}
		}
	}
	if i < len(own) {
		acc[i] = a
	}
}
