package rt

import (
	"math/bits"

	"github.com/gocuda/gocuda/grid"
)

// Warp operations of compiled kernels. All threads of the block reach such an operation together.
// So its operands and results are arrays with an element for each thread, and it goes over them
// warp by warp.

// together returns the number of warps that take part, if all lanes of each of them do and every
// mask is full; else 0. Such an operation needs no Engine to find out which lanes meet.
func together(p *Phases, m Meeting) int {
	if m.Mask.Each != nil || m.Mask.All != grid.FullMask {
		return 0
	}
	return p.firstWarps()
}

// warpOf is the elements of a warp.
func warpOf[T any](s []T, warp int) *[grid.WarpSize]T {
	return (*[grid.WarpSize]T)(s[warp*grid.WarpSize:])
}

// SyncLanes is SyncWarp.
func SyncLanes(p *Phases, m Meeting) {
	if together(p, m) == 0 {
		meet(p, m, func(int, uint32) {})
	}
}

// meet calls f for each set of lanes of a warp that meet.
func meet(p *Phases, m Meeting, f func(first int, lanes uint32)) { p.Engine.Meet(&m, f) }

// ActiveLanes is ActiveMask: dst[i] is the set of lanes that take part in the warp of thread i.
func ActiveLanes(p *Phases, dst []uint32) {
	n := p.Size()
	for w := range grid.Warps(n) {
		first := w * grid.WarpSize
		live := grid.WarpMask(w, n)
		if p.State != nil {
			for s := live; s != 0; s &= s - 1 {
				if lane := bits.TrailingZeros32(s); p.State[first+lane] != 0 {
					live &^= 1 << lane
				}
			}
		}
		setLanes(dst, first, live, live)
	}
}

// setLanes sets the elements of the given lanes, unless dst is nil.
func setLanes[T any](dst []T, first int, lanes uint32, v T) {
	if dst == nil {
		return
	}
	for ; lanes != 0; lanes &= lanes - 1 {
		dst[first+bits.TrailingZeros32(lanes)] = v
	}
}

// setWarp sets the elements of a warp, unless dst is nil.
func setWarp[T any](dst []T, warp int, v T) {
	if dst == nil {
		return
	}
	to := warpOf(dst, warp)
	for i := range to {
		to[i] = v
	}
}

// truesOf returns the lanes of a warp whose predicate holds.
func truesOf(pred *[grid.WarpSize]bool) uint32 {
	var r uint32
	for lane, holds := range pred {
		r |= uint32(Bit(holds)) << lane
	}
	return r
}

// trues returns the lanes whose predicate holds.
func trues(pred Operand[bool], first int, lanes uint32) uint32 {
	var r uint32
	for s := lanes; s != 0; s &= s - 1 {
		lane := bits.TrailingZeros32(s)
		r |= uint32(Bit(pred.Of(first+lane))) << lane
	}
	return r
}

// BallotLanes is BallotSync.
func BallotLanes(p *Phases, m Meeting, dst []uint32, pred Operand[bool]) {
	if n := together(p, m); n > 0 && pred.Each != nil {
		for w := range n {
			setWarp(dst, w, truesOf(warpOf(pred.Each, w)))
		}
		return
	}
	meet(p, m, func(first int, lanes uint32) { setLanes(dst, first, lanes, trues(pred, first, lanes)) })
}

// VoteLanes is AllSync or AnySync.
func VoteLanes(p *Phases, m Meeting, dst []bool, pred Operand[bool]) {
	all := m.Op == "AllSync"
	if n := together(p, m); n > 0 && pred.Each != nil {
		for w := range n {
			t := truesOf(warpOf(pred.Each, w))
			setWarp(dst, w, all && t == grid.FullMask || !all && t != 0)
		}
		return
	}
	meet(p, m, func(first int, lanes uint32) {
		t := trues(pred, first, lanes)
		setLanes(dst, first, lanes, all && t == lanes || !all && t != 0)
	})
}

// ShflLanes is a shuffle: dst[i] is the v of the lane that thread i reads.
func ShflLanes[T any](p *Phases, m Meeting, dst []T, v Operand[T], b, width Operand[int]) {
	simple := b.Each == nil && width.Each == nil && width.All == grid.WarpSize && v.Each != nil && dst != nil
	if n := together(p, m); n > 0 && simple {
		for w := range n {
			shflWarp(m.Op, warpOf(dst, w), warpOf(v.Each, w), b.All&(grid.WarpSize-1))
		}
		return
	}
	shflLanes(p, m, dst, v, b, width, simple)
}

// shflLanes is ShflLanes for operations where the Engine has to find out which lanes meet.
func shflLanes[T any](p *Phases, m Meeting, dst []T, v Operand[T], b, width Operand[int], simple bool) {
	p.Engine.Meet(&m, func(first int, lanes uint32) {
		if lanes == grid.FullMask && simple {
			w := first / grid.WarpSize
			shflWarp(m.Op, warpOf(dst, w), warpOf(v.Each, w), b.All&(grid.WarpSize-1))
			return
		}
		for s := lanes; s != 0; s &= s - 1 {
			lane := bits.TrailingZeros32(s)
			source := p.Engine.Source(&m, first, lane, lanes, b.Of(first+lane), width.Of(first+lane))
			if dst != nil {
				dst[first+lane] = v.Of(first + source)
			}
		}
	})
}

// shflWarp is a shuffle of a whole warp with the same operand b in all lanes.
func shflWarp[T any](op string, dst, v *[grid.WarpSize]T, b int) {
	switch op {
	case "ShflSync":
		for i := range dst {
			dst[i] = v[b]
		}
	case "ShflUpSync":
		copy(dst[:b], v[:b])
		copy(dst[b:], v[:grid.WarpSize-b])
	case "ShflDownSync":
		copy(dst[:grid.WarpSize-b], v[b:])
		copy(dst[grid.WarpSize-b:], v[grid.WarpSize-b:])
	default:
		for i := range dst {
			dst[i] = v[(i^b)&(grid.WarpSize-1)]
		}
	}
}

// MatchLanes is MatchAnySync or MatchAllSync; all is the second result of the latter.
func MatchLanes[T any](p *Phases, m Meeting, dst []uint32, all []bool, v Operand[T]) {
	p.Engine.Meet(&m, func(first int, lanes uint32) {
		var values [grid.WarpSize]uint64
		for s := lanes; s != 0; s &= s - 1 {
			lane := bits.TrailingZeros32(s)
			values[lane] = BitsOf(v.Of(first + lane))
		}
		p.Engine.Match(m.Op, &values, lanes)
		for s := lanes; s != 0; s &= s - 1 {
			lane := bits.TrailingZeros32(s)
			if dst != nil {
				dst[first+lane] = uint32(values[lane])
			}
			if all != nil {
				all[first+lane] = values[lane] != 0
			}
		}
	})
}

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// ReduceLanes is ReduceAddSync and the other reductions. It computes in 64 bits; signed numbers are
// sign-extended.
func ReduceLanes[T integer](p *Phases, m Meeting, dst []T, v Operand[T]) {
	unsigned := ^T(0) > 0
	p.Engine.Meet(&m, func(first int, lanes uint32) {
		var values [grid.WarpSize]uint64
		for s := lanes; s != 0; s &= s - 1 {
			lane := bits.TrailingZeros32(s)
			if x := v.Of(first + lane); unsigned {
				values[lane] = uint64(x)
			} else {
				values[lane] = uint64(int64(x))
			}
		}
		setLanes(dst, first, lanes, T(p.Engine.Reduce(m.Op, unsigned, &values, lanes)))
	})
}
