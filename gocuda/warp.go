package gocuda

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
)

// Lanes is a value of each lane of a warp, what a thread kernel has in one variable.
type Lanes[T any] = [grid.WarpSize]T

// A Warp is what a warp kernel receives: 32 lanes at once. The kernel holds a value of each lane in an
// array of 32 and works on it in loops; votes and shuffles are functions of such arrays, and cost
// what a loop over 32 elements costs. Lanes that don't exist, in a partial last warp, are not in
// ActiveMask; the kernel must not touch memory for them.
//
//	gocuda.WarpFunc(func(w *gocuda.Warp) {
//		var v gocuda.Lanes[float32]
//		for lane := range w.Size() {
//			v[lane] = in[w.GlobalX(lane)]
//		}
//		for d := 16; d > 0; d /= 2 {
//			o := gocuda.WarpShflXor(w, w.ActiveMask(), v, d, 32)
//			for lane := range v {
//				v[lane] += o[lane]
//			}
//		}
//		...
//	})
//
// Divergence is the kernel's own affair: it computes the mask of the lanes that take a branch, and
// gives it to the operations.
type Warp struct {
	BlockIdx grid.Dim3 // of the warp's block in the grid
	BlockDim grid.Dim3 // threads of a block
	GridDim  grid.Dim3 // blocks of the grid

	strand
}

// WarpID returns the number of the warp in its block.
func (w *Warp) WarpID() int { return w.id }

// ActiveMask returns the lanes that exist: all, except in a partial last warp.
func (w *Warp) ActiveMask() uint32 { return grid.WarpMask(w.id, w.b.size) }

// Size returns the number of lanes that exist. They are lanes 0 to Size()-1.
func (w *Warp) Size() int { return min(grid.WarpSize, w.b.size-w.id*grid.WarpSize) }

// Rank returns the number of a lane's thread in its block.
func (w *Warp) Rank(lane int) int { return w.id*grid.WarpSize + lane }

// ThreadIdx returns the index of a lane's thread in its block.
func (w *Warp) ThreadIdx(lane int) grid.Dim3 { return w.BlockDim.At(w.Rank(lane)) }

// GlobalX returns blockIdx.x*blockDim.x + threadIdx.x of a lane's thread.
func (w *Warp) GlobalX(lane int) int {
	return w.BlockIdx.X*w.BlockDim.X + w.ThreadIdx(lane).X
}

// lanes returns the lanes of mask that exist, and panics if there are none. As in a thread kernel,
// a mask may name lanes of a partial warp that don't exist.
func (w *Warp) lanes(kind op, mask uint32) uint32 {
	w.b.require(kind)
	if mask&w.ActiveMask() == 0 {
		panic(fmt.Errorf("%w: %v with mask %#08x, the warp has %#08x", ErrInvalidMask, kind, mask, w.ActiveMask()))
	}
	return mask & w.ActiveMask()
}

// BallotSync returns the set of lanes in mask whose pred is true.
func (w *Warp) BallotSync(mask uint32, pred Lanes[bool]) uint32 {
	return w.ballot(opBallot, mask, pred)
}

func (w *Warp) ballot(kind op, mask uint32, pred Lanes[bool]) uint32 {
	mask = w.lanes(kind, mask)
	var r uint32
	for lane, p := range pred {
		r |= uint32(b2i(p)) << lane
	}
	return r & mask
}

// AllSync reports whether pred is true for all lanes in mask.
func (w *Warp) AllSync(mask uint32, pred Lanes[bool]) bool {
	return w.ballot(opAll, mask, pred) == mask&w.ActiveMask()
}

// AnySync reports whether pred is true for any lane in mask.
func (w *Warp) AnySync(mask uint32, pred Lanes[bool]) bool {
	return w.ballot(opAny, mask, pred) != 0
}

// WarpShfl is [ShflSync] for all lanes in mask at once, each with its own source lane. Lanes outside
// mask keep their value.
func WarpShfl[T any](w *Warp, mask uint32, v Lanes[T], srcLane Lanes[int], width int) Lanes[T] {
	return warpShuffle(w, opShfl, mask, v, &srcLane, 0, width)
}

// WarpShflUp is [ShflUpSync] for all lanes in mask at once.
func WarpShflUp[T any](w *Warp, mask uint32, v Lanes[T], delta, width int) Lanes[T] {
	return warpShuffle(w, opShflUp, mask, v, nil, delta, width)
}

// WarpShflDown is [ShflDownSync] for all lanes in mask at once.
func WarpShflDown[T any](w *Warp, mask uint32, v Lanes[T], delta, width int) Lanes[T] {
	return warpShuffle(w, opShflDown, mask, v, nil, delta, width)
}

// WarpShflXor is [ShflXorSync] for all lanes in mask at once.
func WarpShflXor[T any](w *Warp, mask uint32, v Lanes[T], laneMask, width int) Lanes[T] {
	return warpShuffle(w, opShflXor, mask, v, nil, laneMask, width)
}

func warpShuffle[T any](w *Warp, kind op, mask uint32, v Lanes[T], each *Lanes[int], b, width int) Lanes[T] {
	mask = w.lanes(kind, mask)
	out := v
	for s := mask; s != 0; s &= s - 1 {
		lane := bits.TrailingZeros32(s)
		if each != nil {
			b = each[lane]
		}
		src := shuffleSource(kind, lane, b, width)
		if mask&(1<<src) == 0 {
			panic(fmt.Errorf("%w: %v in lane %d reads lane %d, mask %#08x", ErrInactiveLane, kind, lane, src, mask))
		}
		out[lane] = v[src]
	}
	return out
}

// WarpMatchAny is [MatchAnySync] for all lanes in mask at once. Lanes outside mask get 0.
func WarpMatchAny[T Matchable](w *Warp, mask uint32, v Lanes[T]) Lanes[uint32] {
	mask = w.lanes(opMatchAny, mask)
	states := operands(v)
	matchAny(&states, mask)
	var out Lanes[uint32]
	for s := mask; s != 0; s &= s - 1 {
		lane := bits.TrailingZeros32(s)
		out[lane] = uint32(states[lane].bits)
	}
	return out
}

// WarpMatchAll is [MatchAllSync] for all lanes in mask at once.
func WarpMatchAll[T Matchable](w *Warp, mask uint32, v Lanes[T]) (uint32, bool) {
	mask = w.lanes(opMatchAll, mask)
	states := operands(v)
	all := matchAll(&states, mask)
	return all, all != 0
}

func operands[T Matchable](v Lanes[T]) (states [grid.WarpSize]laneState) {
	for i, x := range v {
		states[i].bits = rt.BitsOf(x)
	}
	return states
}

// WarpReduceAdd returns the sum of v over the lanes in mask; see [ReduceAddSync].
func WarpReduceAdd[T Integer](w *Warp, mask uint32, v Lanes[T]) T {
	return warpReduce(w, opReduceAdd, mask, v, func(a, b T) T { return a + b })
}

// WarpReduceMin returns the smallest v of the lanes in mask; see [ReduceMinSync].
func WarpReduceMin[T Integer](w *Warp, mask uint32, v Lanes[T]) T {
	return warpReduce(w, opReduceMin, mask, v, func(a, b T) T { return min(a, b) })
}

// WarpReduceMax returns the largest v of the lanes in mask; see [ReduceMaxSync].
func WarpReduceMax[T Integer](w *Warp, mask uint32, v Lanes[T]) T {
	return warpReduce(w, opReduceMax, mask, v, func(a, b T) T { return max(a, b) })
}

// WarpReduceAnd returns the bitwise AND of v over the lanes in mask; see [ReduceAndSync].
func WarpReduceAnd[T Integer](w *Warp, mask uint32, v Lanes[T]) T {
	return warpReduce(w, opReduceAnd, mask, v, func(a, b T) T { return a & b })
}

// WarpReduceOr returns the bitwise OR of v over the lanes in mask; see [ReduceOrSync].
func WarpReduceOr[T Integer](w *Warp, mask uint32, v Lanes[T]) T {
	return warpReduce(w, opReduceOr, mask, v, func(a, b T) T { return a | b })
}

// WarpReduceXor returns the bitwise XOR of v over the lanes in mask; see [ReduceXorSync].
func WarpReduceXor[T Integer](w *Warp, mask uint32, v Lanes[T]) T {
	return warpReduce(w, opReduceXor, mask, v, func(a, b T) T { return a ^ b })
}

func warpReduce[T Integer](w *Warp, kind op, mask uint32, v Lanes[T], f func(a, b T) T) T {
	mask = w.lanes(kind, mask)
	r := v[bits.TrailingZeros32(mask)]
	for s := mask & (mask - 1); s != 0; s &= s - 1 {
		r = f(r, v[bits.TrailingZeros32(s)])
	}
	return r
}
