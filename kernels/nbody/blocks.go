package nbody

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The tiles of [Tiled] in a block kernel, written by hand for processors. The loop over the threads
// of a block is inside, around the loop over the tile: a body and its sums stay in registers while
// it meets a tile, and the tile stays in the first cache.

// accelerateBlock is the program of a block: the tile is loaded once, and then each body meets all
// of it.
func accelerateBlock[T kernels.Float](b *gocuda.Block, eps2 T, own, bodies []Body[T], acc []kernels.Vec3[T]) {
	tile := gocuda.Shared[Body[T]](b, tileThreads)
	from := b.BlockIdx.X * tileThreads
	to := min(from+tileThreads, len(own))
	mine, sums := own[from:to], acc[from:to]
	clear(sums)
	for j := 0; j < len(bodies); j += tileThreads {
		others := tile[:copy(tile, bodies[j:])]
		for i, me := range mine {
			sums[i] = attractFast(sums[i], me, others, eps2)
		}
	}
}

// attractFast is attractApart with m / (d² d) in place of m (1/d)(1/d)(1/d), which saves two
// multiplications of ten, and with one test for bodies at the same place and for cubes that leave
// the range of float32. It takes 2.7 ns a pair where attractApart takes 3.2, on the machine of
// docs/performance.md.
func attractFast[T kernels.Float](acc kernels.Vec3[T], a Body[T], others []Body[T], eps2 T) kernels.Vec3[T] {
	const least, most = 1. / (1 << 120), 1 << 120
	x, y, z := acc.X, acc.Y, acc.Z
	for i := range others {
		o := &others[i]
		dx, dy, dz := o.X-a.X, o.Y-a.Y, o.Z-a.Z
		d2 := dx*dx + dy*dy + (dz*dz + eps2)
		r := T(math.Sqrt(float64(d2)))
		c := d2 * r
		var s T
		if c > least && c < most {
			s = o.Mass / c
		} else if d2 > 0 {
			s = o.Mass / r / r / r
		}
		x += dx * s
		y += dy * s
		z += dz * s
	}
	return kernels.Vec3[T]{X: x, Y: y, Z: z}
}
