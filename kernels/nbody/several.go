package nbody

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// Several threads a body (Nyland, Harris and Prins; Nickolls and Kirk, section B.8). With few
// bodies a thread a body leaves most of a device without work: 1024 bodies are four blocks of 256.
// A block of p by q threads has q threads for each of its p bodies. They share the work of a tile,
// each adding up its part of the forces, and at the end the partial sums meet in shared memory. On
// a GeForce 8800 GTX four threads a body made 190 of 90 GFLOPS for 1024 bodies, and were no use
// from 4096 on.

const (
	severalBodies  = 64                             // of a block: p, its width
	severalThreads = 4                              // of a body: q, its height
	severalTile    = severalBodies * severalThreads // bodies of a tile
)

// several is the program of one thread: in each tile it meets the part with the number ThreadIdx.Y.
//
//gocuda:kernel fastmath
func several[T kernels.Float](t *gocuda.Thread, eps2 T, own, bodies []Body[T], acc []kernels.Vec3[T]) {
	tile := gocuda.Shared[Body[T]](t, severalTile)
	xs, ys, zs := gocuda.Shared[T](t, severalTile), gocuda.Shared[T](t, severalTile), gocuda.Shared[T](t, severalTile)
	tx, ty, i, n := t.ThreadIdx.X, t.ThreadIdx.Y, t.GlobalX(), len(bodies)
	rank := ty*severalBodies + tx
	var me Body[T]
	if i < len(own) {
		me = own[i]
	}
	var a kernels.Vec3[T]
	for j := 0; j < n; j += severalTile {
		if j+rank < n {
			tile[rank] = bodies[j+rank]
		}
		t.SyncThreads()
		for k := ty * severalBodies; k < min((ty+1)*severalBodies, n-j); k++ {
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
		for k := 1; k < severalThreads; k++ {
			a.X += xs[k*severalBodies+tx]
			a.Y += ys[k*severalBodies+tx]
			a.Z += zs[k*severalBodies+tx]
		}
		acc[i] = a
	}
}
