package gocuda

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/grid"
)

// Gathers: every thread of a group receives the values of all. The reductions and scans of package
// cg are made of them. CUDA has no such operation, since it would need a register for each value.
// In gocuda a gather takes one rendezvous of the lanes, where a reduction by shuffles takes five.

// GatherSync waits for the lanes in mask, as shuffles do, and returns the values v of all of them,
// and which lanes took part: those in mask that have not returned.
//
//go:norace
func GatherSync[T any](t *Thread, mask uint32, v T) (all Lanes[T], who uint32) {
	t.mayWait(opGather)
	s := gatherStoreOf[T](t)
	lane := t.id % grid.WarpSize
	s.in[lane] = v
	t.meetWarp(opGather, mask, false, 0, 0, s)
	b := s.out[lane]
	all, who = b.all, b.who
	s.done(t, b)
	return all, who
}

// A gatherStore holds the values of the gathers of type T of one warp. The lane that completes a
// gather copies the values into a gathered. This copy stays unchanged until the last lane has read
// it, since the first lanes may already take part in other gathers, with other lanes.
type gatherStore[T any] struct {
	in    [grid.WarpSize]T
	out   [grid.WarpSize]*gathered[T]
	spare []*gathered[T]
}

type gathered[T any] struct {
	all  Lanes[T]
	who  uint32
	left int // lanes that have not read it
}

//go:norace
func (s *gatherStore[T]) exchange(_ *[grid.WarpSize]laneState, arrived uint32) {
	var b *gathered[T]
	if last := len(s.spare) - 1; last >= 0 {
		b = s.spare[last]
		s.spare = s.spare[:last]
	} else {
		b = new(gathered[T])
	}
	b.who, b.left = arrived, bits.OnesCount32(arrived)
	for ; arrived != 0; arrived &= arrived - 1 {
		i := bits.TrailingZeros32(arrived)
		b.all[i], s.out[i] = s.in[i], b
	}
}

// done takes note that thread t has read b.
//
//go:norace
func (s *gatherStore[T]) done(t *Thread, b *gathered[T]) {
	if t.fiber == nil {
		x := t.b.threads
		x.lock()
		defer x.unlock()
	}
	if b.left--; b.left == 0 {
		s.spare = append(s.spare, b)
	}
}

// gatherStoreOf returns the store of the thread's warp for values of type T, as storeOf does for
// shuffles.
//
//go:norace
func gatherStoreOf[T any](t *Thread) *gatherStore[T] {
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
		if s, ok := e.(*gatherStore[T]); ok {
			return s
		}
	}
	s := new(gatherStore[T])
	ws.stores = append(ws.stores, s)
	return s
}

// SyncRange waits until the n threads of the block with ranks first to first+n-1 have come to it or
// returned: a barrier of a part of the block that is larger than a warp. The caller must be one of
// them, else the launch fails with [ErrInvalidValue]. It is the sync of a thread_block_tile of 64
// to 512 threads.
func (t *Thread) SyncRange(first, n int) {
	t.mayWait(opSyncRange)
	t.checkRange(first, n)
	s := &t.strand
	c := s.rangeCell(first, n)
	s.gatherAt(opSyncRange, 0, func(m *meet) (bool, mistake) { return m.arriveRange(s.id, first, n), nil })
	c.acquireAt()
}

func (t *Thread) checkRange(first, n int) {
	if first < 0 || n < 1 || first+n > t.b.size || t.id < first || t.id >= first+n {
		panic(fmt.Errorf("%w: thread %d of %d in the range of %d threads from %d", ErrInvalidValue, t.id, t.b.size, n, first))
	}
}

// rangeCell releases the cell of the phase under way and returns it.
func (s *strand) rangeCell(first, n int) *raceCell {
	c := s.cellAt(func(m *meet) *raceCell { return m.rangeOf(first, n).cells[0] })
	if c == nil {
		return nil
	}
	for w := first / 32; w <= (first+n-1)/32; w++ {
		// Threads that have returned count as arrived.
		g := gathering{from: first, to: first + n}
		s.b.threads.acquireGone(w*32, g.span(w))
	}
	c.release()
	return c
}

// rangeOf returns the gathering of n threads from first.
//
//go:norace
func (m *meet) rangeOf(first, n int) *gathering {
	gs := m.gather()
	for _, g := range gs.ranges {
		if g.from == first && g.to == first+n {
			return g
		}
	}
	g := gs.newGathering()
	m.beginStrands(g, first, first+n)
	gs.ranges = append(gs.ranges, g)
	return g
}

//go:norace
func (m *meet) arriveRange(i, first, n int) (wait bool) {
	g := m.rangeOf(first, n)
	if m.arriveAt(g, i, 1) {
		m.observePassed(g, i)
		return false
	}
	g.waitAt(i)
	return true
}

// Gathered is what the threads of a range gave to [GatherRange]. It is valid until the thread's
// next GatherRange of that range.
type Gathered[T any] struct {
	place *rangePlace[T]
	phase uint64
}

// Len returns the number of threads of the range.
func (g Gathered[T]) Len() int { return len(g.place.values) }

// At returns the value of the k-th thread of the range. ok is false if that thread had returned.
//
//go:norace
func (g Gathered[T]) At(k int) (v T, ok bool) {
	if g.place.stamps[k] != g.phase+1 {
		return v, false
	}
	return g.place.values[k], true
}

// rangeValues are the values of two successive phases of a range. A fast thread may write its value
// of the next phase while others still read those of the last. It can't reach the phase after the
// next before the others have arrived, so two places suffice.
type rangeValues[T any] struct{ places [2]rangePlace[T] }

type rangePlace[T any] struct {
	values []T
	stamps []uint64 // the phase that the value is of, plus 1
}

// GatherRange is [Thread.SyncRange], and returns the values v of all threads of the range.
func GatherRange[T any](t *Thread, first, n int, v T) Gathered[T] {
	t.mayWait(opSyncRange)
	t.checkRange(first, n)
	s := &t.strand
	c := s.rangeCell(first, n)
	var r Gathered[T]
	s.gatherAt(opSyncRange, 0, func(m *meet) (bool, mistake) {
		r = rangeStore(m, s.id, first, n, v)
		return m.arriveRange(s.id, first, n), nil
	})
	c.acquireAt()
	return r
}

//go:norace
func rangeStore[T any](m *meet, i, first, n int, v T) Gathered[T] {
	g := m.rangeOf(first, n)
	var store *rangeValues[T]
	for _, e := range g.values {
		if s, ok := e.(*rangeValues[T]); ok && len(s.places[0].values) == n {
			store = s
			break
		}
	}
	if store == nil {
		store = new(rangeValues[T])
		for k := range store.places {
			store.places[k] = rangePlace[T]{make([]T, n), make([]uint64, n)}
		}
		g.values = append(g.values, store)
	}
	p := &store.places[g.phase&1]
	p.values[i-first], p.stamps[i-first] = v, g.phase+1
	return Gathered[T]{p, g.phase}
}
