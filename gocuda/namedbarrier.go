package gocuda

import (
	"fmt"

	"github.com/gocuda/gocuda/grid"
)

// Named barriers: the 16 barriers of a block that the PTX instructions bar.sync, bar.arrive and
// bar.red name by number. Some of the threads meet at one, while others meet at another or go on.
// Producers and consumers use two of them: a thread that fills a buffer arrives at "full" and waits
// at "empty".
//
// The rules are those of the PTX ISA manual, section "Parallel Synchronization and Communication
// Instructions: bar, barrier".

// NamedBarriers is how many named barriers a block has: bar 0 to bar 15.
const NamedBarriers = 16

// BarSync waits at barrier id of the block until threads threads have come to it, by BarSync or
// BarArrive: the PTX instruction bar.sync id, threads. Then the barrier is free to be used again.
// threads is a multiple of the warp size, or 0 for all threads of the block. After it, the caller
// sees what the threads that have come wrote to shared or global memory before.
//
// Barrier 0 of all threads is the barrier of [Thread.SyncThreads], as on the hardware: threads that
// have returned count as arrived. With a number of threads, those that have returned don't count:
// if too few threads are left, the launch fails with [ErrBarrierDeadlock].
//
// A number of threads out of range is an [ErrInvalidValue], two different ones at the same barrier
// are an [ErrBarrierDivergence]. Threads of a warp need not come together, as with barrier.sync.
func (t *Thread) BarSync(id, threads int) { t.bar(opBarSync, id, threads, false) }

// BarArrive says that the thread has come to barrier id of the block, and goes on: the PTX instruction
// bar.arrive id, threads. threads can't be 0. What the thread wrote before is seen by those who wait.
func (t *Thread) BarArrive(id, threads int) {
	t.mayWait(opBarSync)
	if threads == 0 {
		panic(fmt.Errorf("%w: BarArrive at barrier %d of 0 threads", ErrInvalidValue, id))
	}
	t.checkBar("BarArrive", id, threads)
	s := &t.strand
	for again := true; again; {
		c := s.cellAt(func(m *meet) *raceCell { return m.namedCell(id) })
		c.releaseAt()
		s.gatherAt(opBarSync, uint32(id), func(m *meet) (bool, mistake) {
			// The phase may have gone on meanwhile, without this thread.
			if again = c != nil && m.namedCell(id) != c; again {
				return false, nil
			}
			return m.arriveNamed(s.id, opBarSync, id, threads, false, false)
		})
	}
}

// BarRedCount is [Thread.BarSync], and returns the number of threads that called it with a true
// pred: the PTX instruction bar.red.popc.
func (t *Thread) BarRedCount(id, threads int, pred bool) int {
	return t.bar(opBarRedCount, id, threads, pred)
}

// BarRedAnd is [Thread.BarSync], and reports whether pred was true for all threads: bar.red.and.
func (t *Thread) BarRedAnd(id, threads int, pred bool) bool {
	return t.bar(opBarRedAnd, id, threads, pred) != 0
}

// BarRedOr is [Thread.BarSync], and reports whether pred was true for any thread: bar.red.or.
func (t *Thread) BarRedOr(id, threads int, pred bool) bool {
	return t.bar(opBarRedOr, id, threads, pred) != 0
}

func (t *Thread) bar(kind op, id, threads int, pred bool) int {
	t.mayWait(kind)
	t.checkBar(kind.String(), id, threads)
	s := &t.strand
	if all := grid.Warps(t.b.size) * grid.WarpSize; id == 0 && (threads == 0 || threads == all) {
		return s.barrier([...]op{opSyncThreads, opSyncThreadsCount, opSyncThreadsAnd, opSyncThreadsOr}[kind-opBarSync], pred)
	}
	if raceEnabled && s.fiber == nil && threads == 0 {
		for w := range t.b.NumWarps() { // who has returned counts as arrived
			t.b.threads.acquireGone(w*grid.WarpSize, FullMask)
		}
	}
	var c *raceCell
	result, waited := 0, false
	for again := true; again; {
		c = s.cellAt(func(m *meet) *raceCell { return m.namedCell(id) })
		c.releaseAt()
		s.gatherAt(kind, uint32(id), func(m *meet) (wait bool, wrong mistake) {
			if again = c != nil && m.namedCell(id) != c; again {
				return false, nil
			}
			if threads == 0 {
				wait, wrong = m.arriveAllNamed(s.id, kind, id, pred)
			} else {
				wait, wrong = m.arriveNamed(s.id, kind, id, threads, pred, true)
			}
			if waited = wait; !wait && wrong == nil {
				result = m.namedResult(id)
			}
			return wait, wrong
		})
	}
	c.acquireAt()
	if waited {
		result = s.gathered()
	}
	return result
}

// gathered returns the result with which the strand was released.
//
//go:norace
func (s *strand) gathered() int {
	m := &s.b.coroutines().m
	if s.fiber == nil {
		m = &s.b.threads.m
	}
	return int(m.warps[s.id/32].lanes[s.id%32].bits)
}

func (t *Thread) checkBar(what string, id, threads int) {
	if id < 0 || id >= NamedBarriers {
		panic(fmt.Errorf("%w: %s at barrier %d, there are 0 to %d", ErrInvalidValue, what, id, NamedBarriers-1))
	}
	if all := grid.Warps(t.b.size) * grid.WarpSize; threads < 0 || threads%grid.WarpSize != 0 || threads > all {
		panic(fmt.Errorf("%w: %s at barrier %d of %d threads, which is no multiple of %d up to %d",
			ErrInvalidValue, what, id, threads, grid.WarpSize, all))
	}
}

//go:norace
func (m *meet) namedResult(id int) int { return m.more.named[id].result }

//go:norace
func (m *meet) namedCell(id int) *raceCell {
	g := &m.gather().named[id]
	g.newCells()
	return g.cells[0]
}

// arriveNamed registers thread i at a barrier of so many threads.
//
//go:norace
func (m *meet) arriveNamed(i int, kind op, id, threads int, pred, wait bool) (bool, mistake) {
	g := &m.gather().named[id]
	switch {
	case id == 0 && m.arrived > 0:
		return false, barZeroTwice
	case g.arrived > 0 && (g.strands || g.count != threads):
		return false, otherCount(id, threads, g)
	case g.arrived > 0 && g.kind != kind:
		return false, otherBar(id, kind, g.kind)
	case g.arrived == 0:
		g.strands = false
		g.beginCount(threads)
		g.kind = kind
	}
	n := 1
	if i == m.n-1 {
		n += grid.Warps(m.n)*grid.WarpSize - m.n // the lanes that the last warp lacks come with its last thread
	}
	return m.arriveBar(g, i, n, pred, wait), nil
}

// arriveAllNamed registers thread i at a barrier of all threads of the block.
//
//go:norace
func (m *meet) arriveAllNamed(i int, kind op, id int, pred bool) (bool, mistake) {
	g := &m.gather().named[id]
	switch {
	case g.arrived > 0 && !g.strands:
		return false, otherCount(id, 0, g)
	case g.arrived > 0 && g.kind != kind:
		return false, otherBar(id, kind, g.kind)
	case g.arrived == 0:
		g.strands = false
		m.beginStrands(g, 0, m.n)
		g.kind = kind
	}
	return m.arriveBar(g, i, 1, pred, true), nil
}

// arriveBar reports whether thread i has to wait.
//
//go:norace
func (m *meet) arriveBar(g *gathering, i, n int, pred, wait bool) bool {
	g.votes++
	if pred {
		g.trues++
	}
	full := m.arriveAt(g, i, n)
	if full && wait {
		m.observePassed(g, i)
	}
	if full || !wait {
		return false
	}
	g.waitAt(i)
	return true
}

func barZeroTwice() error {
	return fmt.Errorf("%w: SyncThreads and BarSync of some threads at barrier 0", ErrBarrierDivergence)
}

//go:norace
func otherCount(id, threads int, g *gathering) mistake {
	count := g.count
	if g.strands {
		count = 0
	}
	return func() error {
		return fmt.Errorf("%w: a thread comes to barrier %d of %d threads, others of %d (0 is all)",
			ErrBarrierDivergence, id, threads, count)
	}
}

func otherBar(id int, kind, first op) mistake {
	return func() error {
		return fmt.Errorf("%w: %v at barrier %d, but others are there for %v", ErrBarrierDivergence, kind, id, first)
	}
}
