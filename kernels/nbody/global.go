package nbody

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// One thread a body, straight from global memory (Nickolls and Kirk, figure B.8.13, 2009; The CUDA
// Handbook, 14.2): the outer loop of the serial program becomes the grid. All threads read the same
// body in each round. On a GPU without a cache for global memory that is one request a warp and
// pair; on a processor the bodies stay in its cache, and there is little left for the other methods
// to win.

// pull returns the acceleration of me by other: 20 floating-point operations with the sums, by the
// count of the literature.
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

// global is the program of one thread. own are the bodies of this launch, which all bodies pull.
//
//gocuda:kernel fastmath
func global[T kernels.Float](t *gocuda.Thread, eps2 T, own, bodies []kernels.Body[T], acc []kernels.Vec3[T]) {
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
