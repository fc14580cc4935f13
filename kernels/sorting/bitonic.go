package sorting

import (
	"context"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Bitonic sort (Batcher, Sorting Networks and Their Applications, 1968; for GPUs Purcell and
// others, Photon Mapping on Programmable Graphics Hardware, 2003). A sorting network is a list of
// pairs of places: the keys of each pair are compared, and exchanged if they are the wrong way
// round. Which pairs, and when, does not depend on the keys, so all threads do the same all the
// time. That is what it teaches: it makes n/2 comparisons in each of log n (log n + 1) / 2 steps,
// many more than other sorts, and has no branch, no scan and no counter.
//
// At level size, stretches of size keys become sorted, every other one upwards and every other one
// downwards. Two neighbours then go up and down, or down and up: they are a bitonic sequence of the
// next level. Comparing each key of its first half with the same one of its second half puts the
// smaller keys into the first half, and leaves two bitonic sequences; so the distance d halves
// until it is 1.
//
// n need not be a power of two. Think of a key larger than all others in each place behind the end.
// If the stretch where the keys end is always one that goes upwards, those stay where they are, and
// what is compared with them stays too: such pairs are left out. So the directions are counted from
// that stretch.

const (
	bitonicTile   = 2048                        // keys that a block has in shared memory: 16 KiB of 64-bit ones
	bitonicWidth  = 16                          // of a block, in rows
	bitonicSquare = bitonicWidth * bitonicWidth // threads of a block
	bitonicBlocks = 1 << 10                     // of a grid, at most, for the steps in global memory
)

// MaxBitonicBlock is the most keys that [BitonicBlock] sorts.
const MaxBitonicBlock = bitonicTile

// downwards says whether the stretch of key i goes downwards at level size, if there are n keys.
func downwards(i, n, size int) bool { return (i^(n-1))&size != 0 }

// bitonicBlock is the program of one thread in the only block: it loads the keys into shared
// memory, does all steps there, and stores them. At each step, comparison c is about the keys low
// and low+d, where low is c with a bit 0 inserted at the place of d. For c of n/2 and more, low+d
// is behind the end.
//
//gocuda:kernel
func bitonicBlock(t *gocuda.Thread, n int, keys []uint32) {
	x := gocuda.Shared[uint32](t, bitonicTile)
	tid := t.ThreadIdx.X
	for i := tid; i < n; i += t.BlockDim.X {
		x[i] = keys[i]
	}
	for size := 2; size < 2*n; size *= 2 {
		for d := size / 2; d > 0; d /= 2 {
			t.SyncThreads()
			for c := tid; c < n/2; c += t.BlockDim.X {
				low := 2*c - c&(d-1)
				if low+d < n && x[low] > x[low+d] != downwards(low, n, size) {
					x[low], x[low+d] = x[low+d], x[low]
				}
			}
		}
	}
	t.SyncThreads()
	for i := tid; i < n; i += t.BlockDim.X {
		keys[i] = x[i]
	}
}

// For arrays of any length, a block does in shared memory what lies within its tile: all steps of
// the first levels, and of the later ones those with small distances. Steps with larger distances
// are kernels of their own.
//
// The program of a tile has two more ideas. Threads with neighbouring ThreadIdx.X should touch
// neighbouring keys, and can't if the distance is smaller than a row. So for those steps the tile
// is turned: of each square of keys the rows become columns, and what was d keys away is now d rows
// away. (On GPUs, shuffles are for these steps.) And where a stretch goes downwards, all bits of
// its keys are turned around for a level: then every step puts the smaller key first, without
// asking.

// tileStep does the step with distance d, at least a row, in a tile.
func tileStep[W word](t *gocuda.Thread, x []W, d int) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	for r := range bitonicTile / 2 / bitonicSquare {
		c := (r*bitonicWidth + ty) * bitonicWidth
		low := c + c&^(d-1)
		a, b := x[low+tx], x[low+d+tx]
		x[low+tx], x[low+d+tx] = min(a, b), max(a, b)
	}
	t.SyncThreads()
}

// tileTurn makes columns of the rows of each square.
func tileTurn[W word](t *gocuda.Thread, x []W) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	for from := 0; from < bitonicTile; from += bitonicSquare {
		v := x[from+tx*bitonicWidth+ty]
		t.SyncThreads()
		x[from+ty*bitonicWidth+tx] = v
	}
	t.SyncThreads()
}

// tileFlip turns around all bits of the keys of a tile whose stretch goes downwards.
func tileFlip[W word](t *gocuda.Thread, x []W, start, n, size int) {
	for r := range bitonicTile / bitonicSquare {
		i := (r*bitonicWidth+t.ThreadIdx.Y)*bitonicWidth + t.ThreadIdx.X
		if (int32(start+i)^int32(n-1))&int32(size) != 0 { // downwards, in 32 bits
			x[i] = ^x[i]
		}
	}
}

// bitonicTiles does the levels first to last in the tiles, of each level the steps that lie within
// a tile. At the beginning of a sort, keys become words that are in their order, and at the end
// keys again.
//
//gocuda:kernel
func bitonicTiles[W word](t *gocuda.Thread, n, first, last int, begin, end bool, all, negative W, keys []W) {
	x := gocuda.Shared[W](t, bitonicTile)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	for start := t.BlockIdx.X * bitonicTile; start < n; start += t.GridDim.X * bitonicTile {
		for r := range bitonicTile / bitonicSquare {
			i := (r*bitonicWidth+ty)*bitonicWidth + tx
			v := ^W(0) // behind the end of the array
			if start+i < n {
				v = keys[start+i]
				if begin {
					v = flip(v, negative) ^ all
				}
			}
			x[i] = v
		}
		for size := first; size <= last; size *= 2 {
			tileFlip(t, x, start, n, size)
			t.SyncThreads()
			for d := min(size, bitonicTile) / 2; d >= bitonicWidth; d /= 2 {
				tileStep(t, x, d)
			}
			tileTurn(t, x)
			for d := min(size*bitonicWidth, bitonicSquare) / 2; d >= bitonicWidth; d /= 2 {
				tileStep(t, x, d)
			}
			tileTurn(t, x)
			tileFlip(t, x, start, n, size)
		}
		for r := range bitonicTile / bitonicSquare {
			i := (r*bitonicWidth+ty)*bitonicWidth + tx
			if start+i < n {
				v := x[i]
				if end {
					v = flip(v^all, negative)
				}
				keys[start+i] = v
			}
		}
	}
}

// bitonicStep does one step in global memory, with a distance of a tile or more.
//
//gocuda:kernel
func bitonicStep[W word](t *gocuda.Thread, n, size, d int, keys []W) {
	tx := t.ThreadIdx.X
	for c := t.BlockIdx.X * bitonicSquare; c < n/2; c += t.GridDim.X * bitonicSquare {
		low := c + c&^(d-1)
		down := downwards(low, n, size)
		if low+d+tx < n {
			a, b := keys[low+tx], keys[low+d+tx]
			if down {
				a, b = max(a, b), min(a, b)
			} else {
				a, b = min(a, b), max(a, b)
			}
			keys[low+tx], keys[low+d+tx] = a, b
		}
	}
}

// BitonicBlock sorts up to [MaxBitonicBlock] keys, the smallest first, with one block. It is there
// to be read, and for kernels that sort what they have in shared memory.
func BitonicBlock(ctx context.Context, on kernels.Launcher, keys []uint32) error {
	n := len(keys)
	if n > MaxBitonicBlock {
		return check.Invalid("bitonic sort of a block", "%d keys, at most %d", n, MaxBitonicBlock)
	}
	cfg := grid.Config{Grid: grid.Dim3{X: min(n, 1)}, Block: grid.Dim3{X: bitonicSquare}}
	return on.Launch(ctx, cfg, bitonicBlockKernel(n, keys))
}

// Bitonic sorts keys in the order of [Radix], in place and without other memory. There can be
// 2^31-1 of them. It makes about n log n (log n + 1) / 4 comparisons, so [Radix] is faster, and
// without vectors slices.Sort is, too.
func Bitonic[K Key](ctx context.Context, on kernels.Launcher, order Order, keys []K) error {
	n := len(keys)
	if n > math.MaxInt32 {
		return check.Invalid("bitonic sort", "%d keys", n)
	}
	if err := checkSort(order, n, n); err != nil {
		return err
	}
	all, negative := flips[K](order)
	if long[K]() {
		return bitonic(ctx, on, all, negative, bitsOf[uint64](keys))
	}
	return bitonic(ctx, on, uint32(all), uint32(negative), bitsOf[uint32](keys))
}

// bitonic sorts words that are mapped to the keys' order by all and negative.
func bitonic[W word](ctx context.Context, on kernels.Launcher, all, negative W, keys []W) error {
	n := len(keys)
	tiles := grid.Linear(n, bitonicTile)
	tiles.Grid.X = min(tiles.Grid.X, bitonicBlocks)
	tiles.Block = grid.Dim3{X: bitonicWidth, Y: bitonicWidth}
	k := bitonicTilesKernel(n, 2, bitonicTile, true, n <= bitonicTile, all, negative, keys)
	if err := on.Launch(ctx, tiles, k); err != nil {
		return err
	}
	steps := grid.Linear(n/2, bitonicSquare)
	steps.Grid.X = min(steps.Grid.X, bitonicBlocks)
	for size := 2 * bitonicTile; size < 2*n; size *= 2 {
		for d := size / 2; d >= bitonicTile; d /= 2 {
			if err := on.Launch(ctx, steps, bitonicStepKernel(n, size, d, keys)); err != nil {
				return err
			}
		}
		k := bitonicTilesKernel(n, size, size, false, size >= n, all, negative, keys)
		if err := on.Launch(ctx, tiles, k); err != nil {
			return err
		}
	}
	return nil
}
