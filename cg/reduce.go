package cg

import (
	"cmp"
	"math/bits"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
)

// Reductions and scans over the threads of a tile: cooperative_groups/reduce.h and scan.h. The
// threads' values are combined in the order of their ranks, from the lowest. So every thread gets
// the same result, that of a serial loop, even if the order matters, as in floating point. CUDA
// leaves the order open.
//
// Within a warp they take one meeting of the threads; in larger tiles two.

// Number is what Plus adds.
type Number interface {
	gocuda.Integer | ~float32 | ~float64 | ~complex64 | ~complex128
}

// Plus returns a+b: CUDA's cg::plus.
func Plus[T Number](a, b T) T { return a + b }

// Less returns the smaller of a and b: CUDA's cg::less. If neither is smaller it is a.
func Less[T cmp.Ordered](a, b T) T {
	if b < a {
		return b
	}
	return a
}

// Greater returns the larger of a and b: CUDA's cg::greater. If neither is larger it is a.
func Greater[T cmp.Ordered](a, b T) T {
	if a < b {
		return b
	}
	return a
}

// BitAnd returns a&b: CUDA's cg::bit_and.
func BitAnd[T gocuda.Integer](a, b T) T { return a & b }

// BitOr returns a|b: CUDA's cg::bit_or.
func BitOr[T gocuda.Integer](a, b T) T { return a | b }

// BitXor returns a^b: CUDA's cg::bit_xor.
func BitXor[T gocuda.Integer](a, b T) T { return a ^ b }

// Reduce combines the values v of all threads of the tile by op, and returns the result in all of
// them: CUDA's cg::reduce.
func Reduce[T any](g Tile, v T, op func(a, b T) T) T {
	if g.mask == 0 {
		sums := foldLarge(g, v, op)
		return sums[len(sums)-1]
	}
	all, who := gocuda.GatherSync(g.t, g.mask, v)
	return fold(&all, who, op)
}

// InclusiveScan combines the values v of the threads of the tile up to the caller by op, with the
// caller's own: CUDA's cg::inclusive_scan.
func InclusiveScan[T any](g Tile, v T, op func(a, b T) T) T {
	if g.mask == 0 {
		return foldLarge(g, v, op)[g.rank]
	}
	all, who := gocuda.GatherSync(g.t, g.mask, v)
	return fold(&all, who&(1<<g.t.LaneID()<<1-1), op)
}

// ExclusiveScan combines the values v of the threads of the tile below the caller by op. The thread
// of rank 0 gets identity. This is CUDA's cg::exclusive_scan, which supplies the identity of its
// own operators, such as 0 for plus.
func ExclusiveScan[T any](g Tile, v T, op func(a, b T) T, identity T) T {
	if g.mask == 0 {
		if sums := foldLarge(g, v, op); g.rank > 0 {
			return sums[g.rank-1]
		}
		return identity
	}
	all, who := gocuda.GatherSync(g.t, g.mask, v)
	who &= 1<<g.t.LaneID() - 1
	if who == 0 {
		return identity
	}
	return fold(&all, who, op)
}

// fold combines the values of the lanes in who, of which there is at least one.
func fold[T any](all *gocuda.Lanes[T], who uint32, op func(a, b T) T) T {
	r := all[bits.TrailingZeros32(who)]
	for who &= who - 1; who != 0; who &= who - 1 {
		r = op(r, all[bits.TrailingZeros32(who)])
	}
	return r
}

// foldLarge returns the inclusive scan of a tile larger than a warp: the first of its threads
// computes it for all. The element of a thread that has returned is the sum of the threads below
// it.
func foldLarge[T any](g Tile, v T, op func(a, b T) T) []T {
	all := gocuda.GatherRange(g.t, g.first, g.size, v)
	first := 0
	for ; ; first++ {
		if _, ok := all.At(first); ok {
			break
		}
	}
	var sums []T
	if first == g.rank {
		sums = make([]T, g.size)
		var r T
		for k := range sums {
			if v, ok := all.At(k); ok {
				if k == first {
					r = v
				} else {
					r = op(r, v)
				}
			}
			sums[k] = r
		}
	}
	sums, _ = gocuda.GatherRange(g.t, g.first, g.size, sums).At(first)
	return sums
}

// ReduceUpdate adds the sum of v over the tile to *cell, by one atomic operation, and returns what
// *cell was before in all threads: CUDA's cg::reduce_update_async with plus.
func ReduceUpdate[T atomic.Number](g Tile, cell *T, v T) T {
	sum := Reduce(g, v, Plus[T])
	var old T
	if g.rank == 0 {
		old = atomic.Add(cell, sum)
	}
	return Shfl(g, old, 0)
}

// InclusiveScanUpdate adds the sum of v over the tile to *cell, by one atomic operation, and
// returns what *cell was before plus the inclusive scan: CUDA's cg::inclusive_scan_update with
// plus.
func InclusiveScanUpdate[T atomic.Number](g Tile, cell *T, v T) T {
	return ReduceUpdate(g, cell, v) + InclusiveScan(g, v, Plus[T])
}

// ExclusiveScanUpdate is [InclusiveScanUpdate] without the caller's own v: CUDA's
// cg::exclusive_scan_update with plus. If v is the number of elements that a thread wants to write,
// the result is the index of its first one.
func ExclusiveScanUpdate[T atomic.Number](g Tile, cell *T, v T) T {
	return ReduceUpdate(g, cell, v) + ExclusiveScan(g, v, Plus[T], 0)
}
