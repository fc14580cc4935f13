package cg

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Shuffles and votes among the threads of a tile. The rules of shuffles are those of package
// gocuda's, with ranks in place of lanes. Where CUDA gives no value, because the source is no
// thread of the group, the kernel fails with [gocuda.ErrInactiveLane].

// Shfl returns the value v of the thread with rank src: shfl. In a tile of a [TiledPartition] src
// is taken modulo its size. In one larger than a warp all threads must name the same src.
func Shfl[T any](g Tile, v T, src int) T {
	switch {
	case g.mask == 0:
		if src < 0 || src >= g.size {
			panic(fmt.Errorf("%w: Shfl from thread %d of %d", gocuda.ErrInactiveLane, src, g.size))
		}
		all := gocuda.GatherRange(g.t, g.first, g.size, v)
		r, ok := all.At(src)
		if !ok {
			panic(fmt.Errorf("%w: Shfl from thread %d, which has returned", gocuda.ErrInactiveLane, src))
		}
		return r
	case g.pow2() && !g.coalesced || g.size == grid.WarpSize:
		return gocuda.ShflSync(g.t, g.mask, v, src, g.size)
	}
	if src < 0 || src >= g.size {
		panic(fmt.Errorf("%w: Shfl from thread %d of %d", gocuda.ErrInactiveLane, src, g.size))
	}
	return gocuda.ShflSync(g.t, g.mask, v, g.lane(src), grid.WarpSize)
}

// ShflUp returns the value v of the thread delta below the caller in rank, or the caller's own if
// there is none: shfl_up. The tile must be within a warp.
func ShflUp[T any](g Tile, v T, delta int) T {
	g.warpOnly("ShflUp")
	if g.pow2() && !g.coalesced {
		return gocuda.ShflUpSync(g.t, g.mask, v, delta, g.size)
	}
	delta &= grid.WarpSize - 1
	return readRank(g, v, g.rank-delta)
}

// ShflDown returns the value v of the thread delta above the caller in rank, or the caller's own if
// there is none: shfl_down. The tile must be within a warp.
func ShflDown[T any](g Tile, v T, delta int) T {
	g.warpOnly("ShflDown")
	if g.pow2() && !g.coalesced {
		return gocuda.ShflDownSync(g.t, g.mask, v, delta, g.size)
	}
	delta &= grid.WarpSize - 1
	return readRank(g, v, g.rank+delta)
}

// readRank returns the value of the thread with a rank, or the caller's own if there is none.
func readRank[T any](g Tile, v T, rank int) T {
	if rank < 0 || rank >= g.size {
		rank = g.rank
	}
	return gocuda.ShflSync(g.t, g.mask, v, g.lane(rank), grid.WarpSize)
}

// ShflXor returns the value v of the thread whose rank is the caller's XOR mask: shfl_xor. CUDA's
// coalesced groups don't have it, and here it is a [gocuda.ErrInvalidValue] for them, as for tiles
// larger than a warp and for those that are smaller than the others because the parent was at its
// end.
func ShflXor[T any](g Tile, v T, mask int) T {
	g.warpOnly("ShflXor")
	if g.coalesced || !g.pow2() {
		panic(fmt.Errorf("%w: ShflXor of %d threads that are no tile of a power of two", gocuda.ErrInvalidValue, g.size))
	}
	return gocuda.ShflXorSync(g.t, g.mask, v, mask, g.size)
}

func (g Tile) pow2() bool { return g.size&(g.size-1) == 0 }

// Any reports whether pred is true for any thread of the tile.
func (g Tile) Any(pred bool) bool {
	if g.mask != 0 {
		return g.t.AnySync(g.mask, pred)
	}
	trues, _ := g.count(pred)
	return trues > 0
}

// All reports whether pred is true for all threads of the tile.
func (g Tile) All(pred bool) bool {
	if g.mask != 0 {
		return g.t.AllSync(g.mask, pred)
	}
	trues, present := g.count(pred)
	return trues == present
}

// count returns for how many threads of a large tile pred is true, and how many there are.
func (g Tile) count(pred bool) (trues, present int) {
	all := gocuda.GatherRange(g.t, g.first, g.size, pred)
	for k := range all.Len() {
		if p, ok := all.At(k); ok {
			present++
			if p {
				trues++
			}
		}
	}
	return trues, present
}

// Ballot returns the ranks for which pred is true: bit r of the result is the thread of rank r. The
// tile must be within a warp.
func (g Tile) Ballot(pred bool) uint32 {
	g.warpOnly("Ballot")
	return g.pack(g.t.BallotSync(g.mask, pred))
}

// MatchAny returns the ranks of the threads whose v equals the caller's: match_any. The tile must
// be within a warp. Floating-point values are compared by their bits.
func MatchAny[T gocuda.Matchable](g Tile, v T) uint32 {
	g.warpOnly("MatchAny")
	return g.pack(gocuda.MatchAnySync(g.t, g.mask, v))
}

// MatchAll returns the ranks of all threads, and true, if v is the same in all of them; otherwise 0
// and false: match_all. The tile must be within a warp.
func MatchAll[T gocuda.Matchable](g Tile, v T) (uint32, bool) {
	g.warpOnly("MatchAll")
	ranks, same := gocuda.MatchAllSync(g.t, g.mask, v)
	return g.pack(ranks), same
}
