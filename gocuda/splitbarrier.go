package gocuda

import (
	"fmt"
)

// The block's barrier in two halves. A thread arrives, does what needs nothing of the others, and
// then waits for those that have not arrived yet:
//
//	tok := t.Arrive()
//	... // independent work
//	t.Wait(tok)
//
// It is what barrier_arrive and barrier_wait of CUDA's cooperative groups do for a thread block. For a
// barrier of some threads see BarSync and Barrier.

// An Arrival is what [Thread.Arrive] returns, to be waited for: CUDA's arrival_token.
type Arrival struct {
	id    int    // of the thread
	phase uint64 // one more than the number of the phase, so that the zero value is none
	cell  *raceCell
}

// Arrive says that the thread has come to the block's barrier, and goes on: barrier_arrive of a
// thread_block. All threads of the block that don't return must arrive, and then call
// [Thread.Wait]. A thread that returns counts as arrived.
//
// Another Arrive or a SyncThreads before the Wait is an [ErrBarrierDivergence]; it is undefined in
// CUDA.
func (t *Thread) Arrive() Arrival {
	t.mayWait(opWait)
	s := &t.strand
	if s.state&arrivedSplit != 0 {
		panic(fmt.Errorf("%w: Arrive again before Wait", ErrBarrierDivergence))
	}
	c := s.blockArrivalCell()
	c.releaseAt()
	var phase uint64
	s.gatherAt(opWait, 0, func(m *meet) (bool, mistake) {
		phase = m.arriveSplit(s.id)
		return false, nil
	})
	s.state |= arrivedSplit
	return Arrival{s.id, phase + 1, c}
}

// Wait waits until all threads of the block have arrived or returned, barrier_wait of a
// thread_block. What they wrote before they arrived the caller sees after it. arrival is what the
// thread's last Arrive returned; anything else is an [ErrInvalidValue].
func (t *Thread) Wait(arrival Arrival) {
	t.mayWait(opWait)
	s := &t.strand
	if s.state&arrivedSplit == 0 || arrival.phase == 0 || arrival.id != s.id {
		panic(fmt.Errorf("%w: Wait without an Arrive of this thread", ErrInvalidValue))
	}
	s.gatherAt(opWait, 0, func(m *meet) (bool, mistake) { return m.waitSplit(s.id, arrival.phase-1) })
	s.state &^= arrivedSplit
	arrival.cell.acquireAt()
	if raceEnabled && arrival.phase == 1 {
		for _, c := range s.returnedBefore() {
			c.acquire()
		}
	}
}

// blockArrivalCell returns the race cell of the phase under way. Threads that returned before any
// thread arrived have not released it; their own cells are kept in before.
//
//go:norace
func (s *strand) blockArrivalCell() *raceCell {
	if !raceEnabled || s.fiber != nil {
		return nil
	}
	x := s.b.threads
	x.lock()
	defer x.unlock()
	g := &x.m.gather().block
	if !g.strands {
		x.m.beginStrands(g, 0, x.m.n)
		for k, other := range x.strands {
			if x.m.alive(k/32)&(1<<(k%32)) == 0 && other.gone != nil {
				g.before = append(g.before, other.gone)
			}
		}
	}
	return g.cells[0]
}

//go:norace
func (s *strand) returnedBefore() []*raceCell {
	if s.fiber != nil {
		return nil
	}
	x := s.b.threads
	x.lock()
	defer x.unlock()
	return x.m.more.block.before
}

//go:norace
func (m *meet) arriveSplit(i int) (phase uint64) {
	g := &m.gather().block
	m.beginStrands(g, 0, m.n)
	phase = g.phase
	m.arriveAt(g, i, 1)
	return phase
}

//go:norace
func (m *meet) waitSplit(i int, phase uint64) (bool, mistake) {
	g := &m.gather().block
	switch {
	case phase < g.phase && phase+1 == g.phase:
		m.observePassed(g, i)
		return false, nil
	case phase != g.phase:
		return false, staleArrival
	}
	g.waitAt(i)
	return true, nil
}

func staleArrival() error {
	return fmt.Errorf("%w: Wait for an arrival of another phase", ErrInvalidValue)
}

// gatherAt calls act, which registers the strand at a gathering, under the executor's bookkeeping.
// If act says so, the strand waits.
func (s *strand) gatherAt(kind op, detail uint32, act func(m *meet) (wait bool, wrong mistake)) {
	if s.fiber == nil {
		s.b.threads.gatherAt(s, kind, detail, act)
		return
	}
	x := s.b.fibers
	x.enter(s)
	wait, wrong := act(&x.m)
	switch {
	case wrong != nil:
		panic(wrong())
	case wait:
		x.park(s, kind, detail)
	case s.b.cancelled():
		s.unwind()
	}
}

// gatherAt does the same for a strand that is a goroutine.
//
//go:norace
func (x *threads) gatherAt(s *strand, kind op, detail uint32, act func(m *meet) (bool, mistake)) {
	x.enter(s)
	wait, wrong := act(&x.m)
	switch {
	case wrong != nil:
		x.unlock()
		panic(wrong())
	case wait:
		if kind == opSyncGrid || kind == opWaitGrid {
			x.awaitGrid()
		}
		x.park(s, kind, detail)
	default:
		x.wake()
		x.unlock()
		if x.b.cancelled() {
			x.stop(s)
		}
	}
}

// cellAt returns the race cell that pick finds. It is nil without the race detector and on
// coroutines.
func (s *strand) cellAt(pick func(m *meet) *raceCell) *raceCell {
	if !raceEnabled || s.fiber != nil {
		return nil
	}
	x := s.b.threads
	x.lock()
	defer x.unlock()
	return pick(&x.m)
}

func (c *raceCell) acquireAt() {
	if c != nil {
		c.acquire()
	}
}

func (c *raceCell) releaseAt() {
	if c != nil {
		c.release()
	}
}
