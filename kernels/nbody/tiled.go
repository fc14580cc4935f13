package nbody

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// Tiles in shared memory (Nyland, Harris and Prins, Fast N-Body Simulation with CUDA, GPU Gems 3,
// chapter 31, 2007; Nickolls and Kirk, figure B.8.14; The CUDA Handbook, 14.3). The threads of a
// block load as many bodies as they are, one each, and after a barrier all use all of them: global
// memory is read once a block instead of once a thread. The second barrier keeps the next tile from
// being written while the last is still in use.

// tileThreads is the number of threads of a block and of bodies of a tile.
const tileThreads = 256

// tiled is the program of one thread. A thread beyond the last body still helps to load.
//
//gocuda:kernel fastmath
func tiled[T kernels.Float](t *gocuda.Thread, eps2 T, own, bodies []Body[T], acc []kernels.Vec3[T]) {
	tile := gocuda.Shared[Body[T]](t, tileThreads)
	tid, i, n := t.ThreadIdx.X, t.GlobalX(), len(bodies)
	var me Body[T]
	if i < len(own) {
		me = own[i]
	}
	var a kernels.Vec3[T]
	for j := 0; j < n; j += tileThreads {
		if j+tid < n {
			tile[tid] = bodies[j+tid]
		}
		t.SyncThreads()
		a = attracted(a, me, tile[:min(tileThreads, n-j)], eps2)
		t.SyncThreads()
	}
	if i < len(own) {
		acc[i] = a
	}
}
