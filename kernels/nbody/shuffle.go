package nbody

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// Tiles in registers (The CUDA Handbook, 14.5). Each lane of a warp loads one body, and in 32
// rounds the lanes show theirs to all others by a shuffle: a tile of 32 bodies without shared
// memory and without barriers. A body is four shuffles, each for 32 lanes, where shared memory has
// one broadcast for all. Here that shows: with vectors a shuffle is a permutation, and without them
// a loop over the lanes.

// shuffled is the program of one thread. Lanes beyond the last body shuffle along: all lanes of the
// mask have to.
//
//gocuda:kernel fastmath
func shuffled[T kernels.Float](t *gocuda.Thread, eps2 T, own, bodies []Body[T], acc []kernels.Vec3[T]) {
	lane, i, n := t.ThreadIdx.X%32, t.GlobalX(), len(bodies)
	var me Body[T]
	if i < len(own) {
		me = own[i]
	}
	var a kernels.Vec3[T]
	for j := 0; j < n; j += 32 {
		var mine Body[T]
		if j+lane < n {
			mine = bodies[j+lane]
		}
		for k := range min(32, n-j) {
			other := Body[T]{
				X:    gocuda.ShflSync(t, gocuda.FullMask, mine.X, k, 32),
				Y:    gocuda.ShflSync(t, gocuda.FullMask, mine.Y, k, 32),
				Z:    gocuda.ShflSync(t, gocuda.FullMask, mine.Z, k, 32),
				Mass: gocuda.ShflSync(t, gocuda.FullMask, mine.Mass, k, 32),
			}
			x, y, z := pull(me, other, eps2)
			a.X += x
			a.Y += y
			a.Z += z
		}
	}
	if i < len(own) {
		acc[i] = a
	}
}
