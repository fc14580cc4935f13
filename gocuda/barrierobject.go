package gocuda

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Barrier objects in shared memory, for any number of arrivals: CUDA's cuda::barrier with the scope
// of a block, and the mbarrier objects of the PTX ISA manual.
//
// A barrier object counts arrivals, not threads. A thread may arrive several times in a phase, or
// on behalf of others; a thread that returns does not count as arrived. There are no transaction
// counts (mbarrier.expect_tx), with which hardware counts the bytes of asynchronous copies: in
// gocuda, copies are complete when they return.

// A Barrier is a barrier object, CUDA's cuda::barrier<cuda::thread_scope_block>. It lies in shared
// memory and takes 8 bytes there:
//
//	bar := &gocuda.Shared[gocuda.Barrier](t, 1)[0]
//	if t.Rank() == 0 {
//		bar.Init(t, t.BlockDim.Size())
//	}
//	t.SyncThreads()
//	...
//	tok := bar.Arrive(t, 1)
//	... // independent work
//	bar.Wait(t, tok)
//
// Use before Init, in another block, or after Inval is an [ErrInvalidValue].
type Barrier struct {
	state uint64 // 40 bits: serial number of the block; 24 bits: number of the barrier in the block, from 1
}

// MaxBarrierCount is the largest count of a [Barrier], as in mbarrier.init: 2^20-1.
const MaxBarrierCount = 1<<20 - 1

// A BarrierToken is what [Barrier.Arrive] returns: the phase that the arrival belongs to.
type BarrierToken struct {
	state uint64 // of the barrier
	phase uint64
}

// barrierBits is how many bits of a Barrier are its number in the block.
const barrierBits = 24

var barrierSerials atomic.Uint64

// Init makes bar a barrier whose phases complete with count arrivals, 1 to [MaxBarrierCount]: init
// of cuda::barrier, mbarrier.init. One thread calls it, and others may use bar after a barrier of
// another kind, mostly SyncThreads. Init of a barrier at which threads wait is an
// [ErrNotPermitted].
func (bar *Barrier) Init(t *Thread, count int) {
	t.mayWait(opBarrierWait)
	if count < 1 || count > MaxBarrierCount {
		panic(fmt.Errorf("%w: a barrier of %d arrivals", ErrInvalidValue, count))
	}
	state := bar.state
	t.gatherAt(opBarrierWait, 0, func(m *meet) (wait bool, wrong mistake) {
		state, wrong = m.newBarrier(state, count)
		return false, wrong
	})
	bar.state = state
}

// Inval ends the use of bar: mbarrier.inval, and the destructor of cuda::barrier. If threads wait
// at bar it is an [ErrNotPermitted]. Barriers end with their block, so Inval is only needed to
// detect later uses, which are mistakes.
func (bar *Barrier) Inval(t *Thread) {
	t.mayWait(opBarrierWait)
	state := bar.state
	t.gatherAt(opBarrierWait, 0, func(m *meet) (bool, mistake) {
		if _, wrong := m.barrier(state); wrong != nil {
			return false, wrong
		}
		return false, m.endBarrier(state)
	})
	bar.state = 0
}

// Arrive counts update arrivals, and returns the token of their phase, for Wait: arrive of
// cuda::barrier. Threads that wait for the phase see what the caller wrote before. More arrivals
// than the phase still lacks are an [ErrInvalidValue].
func (bar *Barrier) Arrive(t *Thread, update int) BarrierToken { return bar.arrive(t, update, false) }

// ArriveAndDrop arrives once, and lowers the count of all later phases by one: arrive_and_drop of
// cuda::barrier.
func (bar *Barrier) ArriveAndDrop(t *Thread) { bar.arrive(t, 1, true) }

// ArriveAndWait is Arrive, once, and Wait: arrive_and_wait of cuda::barrier.
func (bar *Barrier) ArriveAndWait(t *Thread) { bar.Wait(t, bar.arrive(t, 1, false)) }

func (bar *Barrier) arrive(t *Thread, update int, drop bool) BarrierToken {
	t.mayWait(opBarrierWait)
	tok := BarrierToken{state: bar.state}
	for again := true; again; {
		c := t.cellAt(func(m *meet) *raceCell { return m.barrierCell(tok.state) })
		c.releaseAt()
		t.gatherAt(opBarrierWait, 0, func(m *meet) (bool, mistake) {
			// The phase may have gone on meanwhile, without this thread.
			if again = c != nil && m.barrierCell(tok.state) != c; again {
				return false, nil
			}
			phase, wrong := m.arriveBarrier(t.id, tok.state, update, drop)
			tok.phase = phase
			return false, wrong
		})
	}
	return tok
}

// Wait waits until the phase of tok has completed: wait of cuda::barrier. A token older than the
// phase that completed last is an [ErrInvalidValue]; CUDA can't tell such a token from that of a
// later phase.
func (bar *Barrier) Wait(t *Thread, tok BarrierToken) {
	bar.checkToken(tok)
	bar.look(t, opBarrierWait, true, func(uint64) uint64 { return tok.phase })
}

// WaitParity waits until the phase of the given parity has completed, false for the first, third
// and so on. It returns at once if the phase under way has the other parity. wait_parity of
// cuda::barrier.
func (bar *Barrier) WaitParity(t *Thread, parity bool) {
	bar.look(t, opBarrierWait, true, func(now uint64) uint64 { return parityPhase(now, parity) })
}

// TestWait reports whether the phase of tok has completed: mbarrier.test_wait. If not, other
// threads of the block run before it returns, so that a loop around it comes to an end. A loop that
// waits for a phase that never completes runs until the launch is cancelled.
func (bar *Barrier) TestWait(t *Thread, tok BarrierToken) bool {
	return bar.TryWait(t, tok, 0)
}

// TestWaitParity is [Barrier.TestWait] for the phase of the given parity; see [Barrier.WaitParity].
func (bar *Barrier) TestWaitParity(t *Thread, parity bool) bool {
	return bar.try(t, 0, func(now uint64) uint64 { return parityPhase(now, parity) })
}

// TryWait reports whether the phase of tok has completed, and waits for it for up to d:
// mbarrier.try_wait, try_wait_for of cuda::barrier.
func (bar *Barrier) TryWait(t *Thread, tok BarrierToken, d time.Duration) bool {
	bar.checkToken(tok)
	return bar.try(t, d, func(uint64) uint64 { return tok.phase })
}

// parityPhase returns the number of the phase that a parity denotes: now, the phase under way, or
// the phase before it.
func parityPhase(now uint64, parity bool) uint64 {
	if now&1 == uint64(b2i(parity)) {
		return now
	}
	return now - 1
}

func (bar *Barrier) try(t *Thread, d time.Duration, choose func(now uint64) uint64) bool {
	end := time.Now().Add(d)
	for !bar.look(t, opBarrierTry, false, choose) {
		t.nanosleep(0)
		if !time.Now().Before(end) {
			return bar.look(t, opBarrierTry, false, choose)
		}
	}
	return true
}

// look reports whether a phase has completed. choose returns the number of that phase, given the
// number of the phase under way. If wait is set, look waits for the phase.
func (bar *Barrier) look(t *Thread, kind op, wait bool, choose func(now uint64) uint64) bool {
	t.mayWait(kind)
	state := bar.state
	var done bool
	var c *raceCell
	t.gatherAt(kind, 0, func(m *meet) (bool, mistake) {
		g, wrong := m.barrier(state)
		if wrong != nil {
			return false, wrong
		}
		now := g.now()
		phase := choose(now)
		if done, c = phase+1 == now, g.cellOf(phase+1 == now); done {
			m.observePassed(g, t.id)
			return false, nil
		}
		if phase != now {
			return false, stalePhase
		}
		if wait {
			g.waitAt(t.id)
		}
		return wait, nil
	})
	if done || wait {
		c.acquireAt()
		return true
	}
	return false
}

func (bar *Barrier) checkToken(tok BarrierToken) {
	if tok.state != bar.state || tok.state == 0 {
		panic(fmt.Errorf("%w: the token is of another barrier", ErrInvalidValue))
	}
}

// newBarrier makes a barrier, in place of the one that state names if there is one.
//
//go:norace
func (m *meet) newBarrier(state uint64, count int) (uint64, mistake) {
	gs := m.gather()
	if _, wrong := m.barrier(state); wrong == nil {
		if wrong := m.endBarrier(state); wrong != nil {
			return 0, wrong
		}
	}
	if gs.serial == 0 {
		gs.serial = barrierSerials.Add(1)
	}
	if len(gs.barriers) == 1<<barrierBits-1 {
		return 0, tooManyBarriers
	}
	g := gs.newGathering()
	g.beginCount(count)
	gs.barriers = append(gs.barriers, g)
	return gs.serial<<barrierBits | uint64(len(gs.barriers)), nil
}

// barrier returns the block's barrier that state names.
//
//go:norace
func (m *meet) barrier(state uint64) (*gathering, mistake) {
	gs := m.gather()
	k := state & (1<<barrierBits - 1)
	if state>>barrierBits != gs.serial || k == 0 || k > uint64(len(gs.barriers)) || gs.barriers[k-1] == nil {
		return nil, noBarrier
	}
	return gs.barriers[k-1], nil
}

// endBarrier removes the barrier that state names. Its number is not used again.
//
//go:norace
func (m *meet) endBarrier(state uint64) mistake {
	gs := m.more
	k := state & (1<<barrierBits - 1)
	if gs.barriers[k-1].waits() {
		return barrierInUse
	}
	gs.spare = append(gs.spare, gs.barriers[k-1])
	gs.barriers[k-1] = nil
	return nil
}

//go:norace
func (m *meet) barrierCell(state uint64) *raceCell {
	if g, wrong := m.barrier(state); wrong == nil {
		return g.cells[0]
	}
	return nil
}

//go:norace
func (g *gathering) now() uint64 { return g.phase }

// cellOf returns the cell of the phase under way, or of the one before.
//
//go:norace
func (g *gathering) cellOf(past bool) *raceCell {
	if past {
		return g.past
	}
	return g.cells[0]
}

//go:norace
func (m *meet) arriveBarrier(i int, state uint64, update int, drop bool) (uint64, mistake) {
	g, wrong := m.barrier(state)
	switch {
	case wrong != nil:
		return 0, wrong
	case update < 1 || update > g.need:
		return 0, tooManyArrivals(update, g.need)
	}
	phase := g.phase
	if drop {
		g.count--
	}
	m.arriveAt(g, i, update)
	return phase, nil
}

func noBarrier() error {
	return fmt.Errorf("%w: no Barrier of this block; is Init or a SyncThreads after it missing?", ErrInvalidValue)
}

func barrierInUse() error { return fmt.Errorf("%w: threads wait for the Barrier", ErrNotPermitted) }

func stalePhase() error { return fmt.Errorf("%w: the token's phase is too long ago", ErrInvalidValue) }

func tooManyBarriers() error {
	return fmt.Errorf("%w: more than %d Barriers in a block", ErrInvalidValue, 1<<barrierBits-1)
}

func tooManyArrivals(update, need int) mistake {
	return func() error {
		return fmt.Errorf("%w: %d arrivals at a Barrier whose phase lacks %d", ErrInvalidValue, update, need)
	}
}
