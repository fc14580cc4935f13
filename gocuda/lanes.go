package gocuda

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/grid"
)

// Warp operations of compiled kernels. The threads of the block come to one together, so their operands and
// results are in arrays with an element for each thread, and the operation goes over them warp by warp. All
// of this is for generated code.

// An Operand is an operand of a warp operation: one for each thread of the block, by rank, or the same for all.
type Operand[T any] struct {
	Each []T
	All  T
}

func (l *Operand[T]) of(rank int) T {
	if l.Each != nil {
		return l.Each[rank]
	}
	return l.All
}

// A Meeting is a place of a kernel at which lanes meet.
type Meeting struct {
	Op   string // the name of the operation
	Pos  string // where it stands
	Mask Operand[uint32]
	// Last says that lanes that don't take part here meet nobody any more before they return.
	Last bool
}

// kind returns the operation of that name.
func (m *Meeting) kind() op {
	for k, name := range opNames {
		if name == m.Op {
			return op(k)
		}
	}
	panic("gocuda: no warp operation " + m.Op)
}

// groups calls f for each set of lanes that meet, those of warp w that named each other, with the rank of lane 0.
func (p *Phases) groups(m *Meeting, f func(first int, lanes uint32)) {
	n := p.b.size
	if p.b.lacks != 0 && n > 0 {
		p.Current = 0
		p.b.require(m.kind())
	}
	for w := range grid.Warps(n) {
		first := w * grid.WarpSize
		live := grid.WarpMask(w, n)
		alive := live // has not returned
		if p.State != nil {
			for s := live; s != 0; s &= s - 1 {
				lane := bits.TrailingZeros32(s)
				if state := p.State[first+lane]; state != 0 {
					live &^= 1 << lane
					if state == 1 || m.Last {
						alive &^= 1 << lane
					}
				}
			}
		}
		if m.Mask.Each == nil && m.Mask.All == FullMask && live == alive {
			if live != 0 {
				f(first, live)
			}
			continue
		}
		for s := live; s != 0; s &= s - 1 {
			lane := bits.TrailingZeros32(s)
			if mask := m.Mask.of(first + lane); mask&(1<<lane) == 0 {
				p.Current = first + lane
				panic(notInMask(m.kind(), lane, mask)())
			}
		}
		for rest := live; rest != 0; {
			lane := bits.TrailingZeros32(rest)
			mask := m.Mask.of(first + lane)
			var same uint32
			for s := rest; s != 0; s &= s - 1 {
				l := bits.TrailingZeros32(s)
				if m.Mask.of(first+l) == mask {
					same |= 1 << l
				}
			}
			if missing := mask & alive &^ same; missing != 0 {
				p.Current = first + lane
				panic(fmt.Errorf("%w: %s at %s in lane %d with mask %#08x, but lane %d is elsewhere",
					ErrWarpDivergence, m.Op, m.Pos, lane, mask, bits.TrailingZeros32(missing)))
			}
			rest &^= same
			f(first, same)
		}
	}
	p.Current = -1
}

// SyncLanes is SyncWarp.
func (p *Phases) SyncLanes(m Meeting) { p.groups(&m, func(int, uint32) {}) }

// ActiveLanes is ActiveMask: dst[i] is the set of lanes that take part in the warp of thread i.
func (p *Phases) ActiveLanes(dst []uint32) {
	n := p.b.size
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

// setLanes sets the elements of the lanes given, unless nobody wants them.
func setLanes[T any](dst []T, first int, lanes uint32, v T) {
	if dst == nil {
		return
	}
	for ; lanes != 0; lanes &= lanes - 1 {
		dst[first+bits.TrailingZeros32(lanes)] = v
	}
}

// trues returns the lanes whose predicate holds.
func trues(pred *Operand[bool], first int, lanes uint32) uint32 {
	var r uint32
	for s := lanes; s != 0; s &= s - 1 {
		lane := bits.TrailingZeros32(s)
		r |= uint32(b2i(pred.of(first+lane))) << lane
	}
	return r
}

// BallotLanes is BallotSync.
func (p *Phases) BallotLanes(m Meeting, dst []uint32, pred Operand[bool]) {
	p.groups(&m, func(first int, lanes uint32) { setLanes(dst, first, lanes, trues(&pred, first, lanes)) })
}

// VoteLanes is AllSync or AnySync.
func (p *Phases) VoteLanes(m Meeting, dst []bool, pred Operand[bool]) {
	all := m.kind() == opAll
	p.groups(&m, func(first int, lanes uint32) {
		t := trues(&pred, first, lanes)
		setLanes(dst, first, lanes, all && t == lanes || !all && t != 0)
	})
}

// ShflLanes is a shuffle: dst[i] is the v of the lane that thread i reads.
func ShflLanes[T any](p *Phases, m Meeting, dst []T, v Operand[T], b, width Operand[int]) {
	kind := m.kind()
	p.groups(&m, func(first int, lanes uint32) {
		if lanes == FullMask && b.Each == nil && width.Each == nil && width.All == grid.WarpSize && v.Each != nil && dst != nil {
			shflWarp(kind, (*[grid.WarpSize]T)(dst[first:]), (*[grid.WarpSize]T)(v.Each[first:]), b.All&(grid.WarpSize-1))
			return
		}
		for s := lanes; s != 0; s &= s - 1 {
			lane := bits.TrailingZeros32(s)
			p.Current = first + lane
			source := shuffleSource(kind, lane, b.of(first+lane), width.of(first+lane))
			if lanes&(1<<source) == 0 {
				panic(fmt.Errorf("%w: %v in lane %d reads lane %d, mask %#08x", ErrInactiveLane, kind, lane, source, m.Mask.of(first+lane)))
			}
			if dst != nil {
				dst[first+lane] = v.of(first + source)
			}
		}
	})
}

// shflWarp is a shuffle of a whole warp by the same number.
func shflWarp[T any](kind op, dst, v *[grid.WarpSize]T, b int) {
	switch kind {
	case opShfl:
		for i := range dst {
			dst[i] = v[b]
		}
	case opShflUp:
		copy(dst[:b], v[:b])
		copy(dst[b:], v[:grid.WarpSize-b])
	case opShflDown:
		copy(dst[:grid.WarpSize-b], v[b:])
		copy(dst[grid.WarpSize-b:], v[grid.WarpSize-b:])
	default:
		for i := range dst {
			dst[i] = v[(i^b)&(grid.WarpSize-1)]
		}
	}
}

// MatchLanes is MatchAnySync or MatchAllSync; all is the second result of the latter.
func MatchLanes[T Matchable](p *Phases, m Meeting, dst []uint32, all []bool, v Operand[T]) {
	any := m.kind() == opMatchAny
	p.groups(&m, func(first int, lanes uint32) {
		var states [grid.WarpSize]laneState
		for s := lanes; s != 0; s &= s - 1 {
			lane := bits.TrailingZeros32(s)
			states[lane].bits = bitsOf(v.of(first + lane))
		}
		if any {
			matchAny(&states, lanes)
			for s := lanes; s != 0 && dst != nil; s &= s - 1 {
				lane := bits.TrailingZeros32(s)
				dst[first+lane] = uint32(states[lane].bits)
			}
			return
		}
		same := matchAll(&states, lanes)
		setLanes(dst, first, lanes, same)
		setLanes(all, first, lanes, same != 0)
	})
}

// ReduceLanes is ReduceAddSync and its like.
func ReduceLanes[T Integer](p *Phases, m Meeting, dst []T, v Operand[T]) {
	kind := m.kind()
	if ^T(0) > 0 { // the names are the same for both
		switch kind {
		case opReduceMin:
			kind = opReduceMinU
		case opReduceMax:
			kind = opReduceMaxU
		}
	}
	p.groups(&m, func(first int, lanes uint32) {
		var states [grid.WarpSize]laneState
		for s := lanes; s != 0; s &= s - 1 {
			lane := bits.TrailingZeros32(s)
			states[lane].bits = extend(v.of(first + lane))
		}
		setLanes(dst, first, lanes, T(reduce(kind, &states, lanes)))
	})
}
