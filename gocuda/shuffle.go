package gocuda

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/grid"
)

// Shuffles move values between the lanes of a warp. width, a power of two up to 32, divides the warp
// into groups that shuffle by themselves; each lane may give its own. Lanes and distances are taken
// modulo 32, as the hardware does.
//
// A lane that reads from one that takes no part, because it is not in mask, does not exist or has
// returned, gets no value in CUDA; here the kernel fails with [ErrInactiveLane].
//
// The rules are those of the PTX instruction shfl.sync in the PTX ISA manual.

// ShflSync returns the value v of the lane that is srcLane modulo width in the caller's group, CUDA's
// __shfl_sync.
func ShflSync[T any](t *Thread, mask uint32, v T, srcLane, width int) T {
	return shuffle(t, opShfl, mask, v, srcLane, width)
}

// ShflUpSync returns the value v of the lane delta below the caller, or the caller's own value if that
// is outside the caller's group: CUDA's __shfl_up_sync.
func ShflUpSync[T any](t *Thread, mask uint32, v T, delta, width int) T {
	return shuffle(t, opShflUp, mask, v, delta, width)
}

// ShflDownSync returns the value v of the lane delta above the caller, or the caller's own value if
// that is outside the caller's group: CUDA's __shfl_down_sync.
func ShflDownSync[T any](t *Thread, mask uint32, v T, delta, width int) T {
	return shuffle(t, opShflDown, mask, v, delta, width)
}

// ShflXorSync returns the value v of the lane whose number is the caller's XOR laneMask, or the
// caller's own value if that lane is in a later group: CUDA's __shfl_xor_sync. Lanes of earlier groups
// can be read.
func ShflXorSync[T any](t *Thread, mask uint32, v T, laneMask, width int) T {
	return shuffle(t, opShflXor, mask, v, laneMask, width)
}

// IsWidth reports whether width is one that a shuffle takes: a power of two up to 32.
func IsWidth(width int) bool {
	return width >= 1 && width <= grid.WarpSize && width&(width-1) == 0
}

// shuffleSource returns the lane that a shuffle reads from.
func shuffleSource(kind op, lane, b, width int) int {
	if !IsWidth(width) {
		panic(fmt.Errorf("%w: %v with width %d, which is no power of two up to 32", ErrInvalidValue, kind, width))
	}
	b &= grid.WarpSize - 1
	first := lane &^ (width - 1)
	last := first + width - 1
	src := lane
	switch kind {
	case opShfl:
		return first + b&(width-1)
	case opShflUp:
		src = lane - b
		if src < first {
			return lane
		}
	case opShflDown:
		src = lane + b
	case opShflXor:
		src = lane ^ b
	}
	if src > last {
		return lane
	}
	return src
}

//go:norace
func shuffle[T any](t *Thread, kind op, mask uint32, v T, b, width int) T {
	t.mayWait(kind)
	lane := t.id % grid.WarpSize
	source := shuffleSource(kind, lane, b, width)
	s := storeOf[T](t)
	s.in[lane] = v
	l := t.meetWarp(kind, mask, false, 0, uint8(source), s)
	if l.bad {
		panic(fmt.Errorf("%w: %v in lane %d reads lane %d, mask %#08x", ErrInactiveLane, kind, lane, source, mask))
	}
	return s.out[lane]
}

// A store holds the values of the shuffles of type T of one warp. A lane writes in before it arrives;
// whoever completes the operation fills out for all. A lane that is quick with its next shuffle
// therefore spoils nothing for one that is slow to read this one's result.
type store[T any] struct {
	in, out [grid.WarpSize]T
}

// typeTag is an exchanger that exchanges nothing and is different for each type: what warp operations
// other than shuffles use to notice lanes that disagree on the type.
func typeTag[T any]() exchanger { return (*store[T])(nil) }

//go:norace
func (s *store[T]) exchange(lanes *[grid.WarpSize]laneState, arrived uint32) {
	for ; arrived != 0; arrived &= arrived - 1 {
		i := bits.TrailingZeros32(arrived)
		s.out[i] = s.in[lanes[i].source]
	}
}

// storeOf returns the store of the thread's warp for values of type T. A warp keeps its stores, one a
// type, so that only the first shuffle of a type allocates.
//
//go:norace
func storeOf[T any](t *Thread) *store[T] {
	var m *meet
	if t.fiber != nil {
		m = &t.b.fibers.m
	} else {
		m = &t.b.threads.m
		t.b.threads.lock()
		defer t.b.threads.unlock()
	}
	ws := &m.warps[t.id/grid.WarpSize]
	for _, e := range ws.stores {
		if s, ok := e.(*store[T]); ok {
			return s
		}
	}
	s := new(store[T])
	ws.stores = append(ws.stores, s)
	return s
}
