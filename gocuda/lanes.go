package gocuda

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
)

// Warp operations of compiled kernels. All threads of the block reach such an operation together.
// So its operands and results are arrays with an element for each thread, and it goes over them
// warp by warp: see package rt.

// opOf returns the operation of that name.
func opOf(name string) op {
	for k, n := range opNames {
		if n == name {
			return op(k)
		}
	}
	panic("gocuda: no warp operation " + name)
}

// Meet implements [rt.Engine]: it calls f for each set of lanes of a warp that name each other.
func (e *engine) Meet(m *rt.Meeting, f func(first int, lanes uint32)) {
	b, p := (*Block)(e), &e.phases
	n := b.size
	if b.lacks != 0 && n > 0 {
		p.Current = 0
		b.require(opOf(m.Op))
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
			if mask := m.Mask.Of(first + lane); mask&(1<<lane) == 0 {
				p.Current = first + lane
				panic(notInMask(opOf(m.Op), lane, mask)())
			}
		}
		for rest := live; rest != 0; {
			lane := bits.TrailingZeros32(rest)
			mask := m.Mask.Of(first + lane)
			var same uint32
			for s := rest; s != 0; s &= s - 1 {
				l := bits.TrailingZeros32(s)
				if m.Mask.Of(first+l) == mask {
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

// Source implements [rt.Engine].
func (e *engine) Source(m *rt.Meeting, first, lane int, lanes uint32, b, width int) int {
	e.phases.Current = first + lane
	kind := opOf(m.Op)
	source := shuffleSource(kind, lane, b, width)
	if lanes&(1<<source) == 0 {
		panic(fmt.Errorf("%w: %v in lane %d reads lane %d, mask %#08x", ErrInactiveLane, kind, lane, source, m.Mask.Of(first+lane)))
	}
	return source
}

// statesOf returns the values of lanes in the form that matchAny, matchAll and reduce take.
func statesOf(values *[grid.WarpSize]uint64) (states [grid.WarpSize]laneState) {
	for i, v := range values {
		states[i].bits = v
	}
	return states
}

// Match implements [rt.Engine].
func (e *engine) Match(name string, values *[grid.WarpSize]uint64, lanes uint32) {
	states := statesOf(values)
	if opOf(name) == opMatchAny {
		matchAny(&states, lanes)
		for s := lanes; s != 0; s &= s - 1 {
			lane := bits.TrailingZeros32(s)
			values[lane] = states[lane].bits
		}
		return
	}
	same := matchAll(&states, lanes)
	for s := lanes; s != 0; s &= s - 1 {
		values[bits.TrailingZeros32(s)] = uint64(same)
	}
}

// Reduce implements [rt.Engine].
func (e *engine) Reduce(name string, unsigned bool, values *[grid.WarpSize]uint64, lanes uint32) uint64 {
	kind := opOf(name)
	if unsigned { // the names are the same for both
		switch kind {
		case opReduceMin:
			kind = opReduceMinU
		case opReduceMax:
			kind = opReduceMaxU
		}
	}
	states := statesOf(values)
	return reduce(kind, &states, lanes)
}
