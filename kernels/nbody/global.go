package nbody

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// One thread a body, straight from global memory (Nickolls and Kirk, figure B.8.13, 2009; The CUDA
// Handbook, 14.2): the outer loop of the serial program becomes the grid. All threads read the same
// body in each round. On a GPU without a cache for global memory that is one request a warp and
// pair; on a processor the bodies stay in its cache, and there is little left for the other methods
// to win.

// global is the program of one thread. own are the bodies of this launch, which all bodies pull.
//
//gocuda:kernel fastmath
func global[T kernels.Float](t *gocuda.Thread, eps2 T, own, bodies []Body[T], acc []kernels.Vec3[T]) {
	if i := t.GlobalX(); i < len(own) {
		me := own[i]
		acc[i] = attracted(kernels.Vec3[T]{}, me, bodies, eps2)
	}
}
