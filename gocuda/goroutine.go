package gocuda

import (
	"runtime"
	"slices"
	"sync"
	"time"
)

// The goroutine executor. Every thread of a block is a goroutine, so that Go's race detector, which
// can't see between coroutines, sees what CUDA's threads would do. It runs under -race and in checked
// mode.
//
// Only barriers, warp operations and atomics may order threads. Everything below therefore takes its
// lock out of the race detector's sight and declares the order that CUDA gives; see race_on.go.

// threads is the executor of one phase of one block. It is made anew for each.
type threads struct {
	b   *Block
	end *raceCell // released by every strand when it ends

	mu       sync.Mutex
	m        meet
	strands  []*strand
	running  int // strands that neither wait nor have returned
	sleepers int // strands in nanosleep
	left     int // strands that have not returned
	aborted  bool
	awaiting bool             // somebody waits for the grid on behalf of the block
	released [maxWords]uint32 // strands that were released, and had not gone on, when the block failed
	stopped  bool             // the launch has failed or was cancelled
	failed   *KernelError     // of the strand with the lowest number that has panicked
	failedID int
	dead     *KernelError
	waiters  []waiter
	done     chan struct{} // closed when all strands have returned
	late     bool          // the launch was cancelled when some had not begun
	turns
	quit chan struct{} // closed when the block fails
}

// run runs the strands and returns when all have returned. Strand i is started by start(i), in its
// own goroutine.
//
//go:norace
func (x *threads) run(b *Block, strands []*strand, start func(i int)) {
	n := len(strands)
	x.b, x.strands, x.running, x.left = b, strands, n, n
	x.end = newRaceCell()
	x.done, x.quit, x.late = make(chan struct{}), make(chan struct{}), false
	x.m.reset(n)
	x.m.seen = b.seen
	x.m.beginGatherings(b)
	for _, s := range strands {
		s.sema = make(chan struct{}, 1)
	}
	for i, s := range strands {
		x.awaitTurn(i)
		go x.strand(s, i, start)
	}
	x.endTurns()
	raceDisable()
	<-x.done
	raceEnable()
	x.end.acquire()
	if x.aborted {
		if x.stopped {
			b.cancelled() // take note
		}
		if x.failed != nil {
			b.fail(x.failed)
		}
		if x.dead != nil {
			b.describe(x.dead, x.waiters)
			b.fail(x.dead)
		}
		b.unwind()
	}
	if x.late {
		b.stopped()
	}
}

func (x *threads) strand(s *strand, i int, start func(i int)) {
	normal := false
	g := self()
	register(g, s)
	defer func() {
		unregister(g)
		v := recover()
		switch {
		case v != nil && !isUnwinding(v):
			x.fail(s, v)
		case v != nil: // the launch was cancelled: all threads stop now, not each at its next barrier
			x.abort()
		case v == nil && !normal && !x.isAborted():
			x.fail(s, errGoexit)
		}
		x.exit(s)
	}()
	if !raceEnabled || i == 0 || !x.tooLate() {
		start(i)
	}
	normal = true
}

// tooLate reports whether a strand must not begin any more.
//
//go:norace
func (x *threads) tooLate() bool {
	cancelled := x.b.cancelled()
	x.lock()
	defer x.unlock()
	x.late = x.late || cancelled
	return cancelled || x.aborted
}

// fail records that strand s panicked with v, and makes the others unwind. Several strands may
// panic before they come to a meeting; the error of the block is that of the first by number, which
// does not depend on how they take turns. run hands it to the launch when all strands have
// returned.
//
//go:norace
func (x *threads) fail(s *strand, v any) {
	e := x.b.failureOf(s, v)
	if l := x.b.launch; l.passesOnItsEnd(e) {
		l.failCancelled(x.b)
	} else {
		l.fail(nil, x.b) // stops others; the error follows
	}
	x.lock()
	defer x.unlock()
	if x.failed == nil || s.id < x.failedID && s.unwound == 0 { // a panic of a deferred function, on the way out, is a consequence
		x.failed, x.failedID = e, s.id
	}
	x.abortLocked()
}

//go:norace
func (x *threads) lock() {
	raceDisable()
	x.mu.Lock()
}

//go:norace
func (x *threads) unlock() {
	x.mu.Unlock()
	raceEnable()
}

//go:norace
func (x *threads) isAborted() bool {
	x.lock()
	defer x.unlock()
	return x.aborted
}

// blockCell returns the race cell of the block's barrier. The barrier can't complete without the
// caller.
//
//go:norace
func (x *threads) blockCell() *raceCell {
	if !raceEnabled {
		return nil
	}
	x.lock()
	defer x.unlock()
	if x.m.cell == nil {
		x.m.cell = newRaceCell()
	}
	return x.m.cell
}

// warpCell returns the race cell of the warp operation at which strand i is about to arrive.
//
//go:norace
func (x *threads) warpCell(i int, kind op, mask uint32) *raceCell {
	if !raceEnabled || mask&(1<<(i%32)) == 0 {
		return nil
	}
	x.lock()
	defer x.unlock()
	g := x.m.group(i/32, kind, mask, 0)
	return g.cell
}

//go:norace
func (x *threads) exit(s *strand) {
	if raceEnabled {
		x.end.release()
	}
	x.lockExit(s)
	x.paused(s)
	moved()
	x.m.exit(s.id, s.id+1)
	x.running--
	x.left--
	if x.left == 0 {
		close(x.done)
	} else {
		x.wake()
	}
	x.unlock()
	x.b.lingers.stay()
}

// lockExit takes the lock for an exit. Under the race detector it first releases the cells of all
// meetings for which the exit counts as an arrival.
//
//go:norace
func (x *threads) lockExit(s *strand) {
	x.lock()
	if !raceEnabled {
		return
	}
	var released []*raceCell
	for {
		c := x.cellOfExit(s, released)
		if c == nil {
			return
		}
		x.unlock()
		c.release()
		released = append(released, c)
		x.lock()
	}
}

// cellOfExit returns a cell that an exit of s has to release and that is not among those given.
//
//go:norace
func (x *threads) cellOfExit(s *strand, released []*raceCell) *raceCell {
	if x.m.cell == nil {
		x.m.cell = newRaceCell()
	}
	if s.gone == nil {
		s.gone = newRaceCell() // for warp operations that begin later
	}
	if !slices.Contains(released, x.m.cell) {
		return x.m.cell
	}
	if !slices.Contains(released, s.gone) {
		return s.gone
	}
	for _, g := range x.m.warps[s.id/32].groups {
		if g.mask&(1<<(s.id%32)) != 0 && !slices.Contains(released, g.cell) {
			return g.cell
		}
	}
	for _, c := range x.m.more.exitCells(s.id, nil) {
		if !slices.Contains(released, c) {
			return c
		}
	}
	return nil
}

// acquireGone orders the calling thread, strand i, after the returns of those lanes in mask that
// have returned. A warp operation counts them as arrived.
//
//go:norace
func (x *threads) acquireGone(i int, mask uint32) {
	if !raceEnabled {
		return
	}
	w := i / 32
	for lane := range 32 {
		k := w*32 + lane
		if k >= len(x.strands) || mask&(1<<lane) == 0 {
			continue
		}
		x.lock()
		var c *raceCell
		if x.m.warps[w].live&(1<<lane) == 0 {
			c = x.strands[k].gone
		}
		x.unlock()
		if c != nil {
			c.acquire()
		}
	}
}

// wake resumes the strands that were released, and finds deadlocks. The lock is held.
//
//go:norace
func (x *threads) wake() {
	for x.running == 0 && x.m.availWords == 0 && x.left > 0 {
		if !x.m.converge() {
			if x.sleepers > 0 || x.m.waitsForGrid() {
				return // they will go on by themselves
			}
			x.dead = x.b.deadlocked() // run makes it the launch's error
			x.abortLocked()
			return
		}
	}
	if x.m.availWords != 0 {
		moved()
	}
	for w := 0; x.m.availWords != 0; {
		if x.m.avail[w] == 0 {
			w++
			continue
		}
		x.running++
		x.strands[x.m.takeAvail(w)].sema <- struct{}{}
	}
}

//go:norace
func (x *threads) abort() {
	x.lock()
	defer x.unlock()
	x.abortLocked()
}

//go:norace
func (x *threads) abortLocked() {
	if x.aborted {
		return
	}
	x.aborted, x.released = true, x.m.ready
	close(x.quit)
	for _, s := range x.strands {
		if s.state&waits != 0 && !x.m.isReady(s.id) {
			x.running++
			s.sema <- struct{}{}
		}
	}
}

// park waits until s is released. It is called with the lock held and returns without it. If the
// block fails it unwinds the strand.
//
//go:norace
func (x *threads) park(s *strand, kind op, mask uint32) {
	s.state |= waits
	x.running--
	x.wake()
	x.paused(s)
	x.mu.Unlock()
	<-s.sema
	x.mu.Lock()
	s.state &^= waits
	x.m.takeReady(s.id)
	// A strand that was released before the block failed goes on to its next barrier or warp
	// operation: it may fail as well, and have the lowest number of those that fail. A strand
	// released later was released by strands that unwind.
	aborted := x.aborted && x.released[s.id/32]&(1<<(s.id%32)) == 0
	if aborted && x.dead != nil {
		x.waiters = append(x.waiters, waiter{s.id, kind, mask, kernelSite()})
		if x.dead.Stack == nil {
			x.dead.Stack = stack()
		}
	}
	x.unlock()
	if aborted {
		s.unwind()
	}
}

// stop unwinds a strand that has found out that the launch was cancelled.
//
//go:norace
func (x *threads) stop(s *strand) {
	x.lock()
	if !x.aborted {
		x.stopped = true
		x.abortLocked()
	}
	x.unlock()
	s.unwind()
}

// enter takes the lock for an arrival; if the block has failed it unwinds the strand instead.
//
//go:norace
func (x *threads) enter(s *strand) {
	x.lock()
	if x.aborted {
		x.unlock()
		s.unwind()
	}
	x.m.used = true
}

//go:norace
func (x *threads) barrier(s *strand, kind op, pred bool, path *callPath) int {
	c := x.blockCell()
	c.release()
	x.enter(s)
	done, wrong := x.m.arriveBlock(s.id, kind, pred, path)
	switch {
	case wrong != nil:
		x.unlock()
		panic(wrong())
	case !done:
		x.park(s, kind, 0)
	default:
		x.wake()
		x.unlock()
		if x.b.cancelled() {
			x.stop(s)
		}
	}
	c.acquire()
	return x.m.result
}

//go:norace
func (x *threads) meetWarp(s *strand, kind op, mask uint32, pred bool, operand uint64, source uint8, store exchanger) *laneState {
	c := x.warpCell(s.id, kind, mask)
	if c != nil {
		x.acquireGone(s.id, mask)
		c.release()
	}
	x.enter(s)
	l := &x.m.warps[s.id/32].lanes[s.id%32]
	l.bits, l.source = operand, source
	done, wrong := x.m.arriveWarp(s.id, kind, mask, pred, store)
	switch {
	case wrong != nil:
		x.unlock()
		panic(wrong())
	case !done:
		x.park(s, kind, mask)
	default:
		x.wake()
		x.unlock()
	}
	if c != nil {
		c.acquire()
	}
	return l
}

// activeMask orders nobody: CUDA's __activemask is no barrier.
//
//go:norace
func (x *threads) activeMask(s *strand, site uintptr) uint32 {
	x.enter(s)
	x.m.arriveActiveMask(s.id, site)
	x.park(s, opActiveMask, 0)
	return uint32(x.m.warps[s.id/32].lanes[s.id%32].bits)
}

// pause suspends s for d: for Nanosleep, and with 0 for a thread that spins. A paused strand does
// not count as running: ActiveMask and the search for deadlocks must not wait for sleepers.
//
//go:norace
func (x *threads) pause(s *strand, d time.Duration, kind op) {
	wake := time.Now().Add(d)
	x.lock()
	if x.aborted {
		x.unlock()
		x.stop(s)
	}
	x.m.used = true
	x.running--
	x.sleepers++
	x.wake()
	x.paused(s)
	quit := (<-chan struct{})(x.quit)
	if failed := x.b.launch.failed(); failed != nil {
		quit = failed
	}
	x.mu.Unlock()
	// Go's timers let a goroutine that sleeps very briefly go first when it wakes, again and again,
	// before those that it waits for. Gosched puts it behind them.
	runtime.Gosched()
	for left := time.Until(wake); left > 0; left = time.Until(wake) {
		if left > 100*time.Microsecond {
			sleepApart(wake, x.b.launch.done, quit)
			break
		}
		runtime.Gosched()
	}
	x.mu.Lock()
	x.running++
	x.sleepers--
	aborted := x.aborted
	x.unlock()
	if aborted || x.b.cancelled() {
		x.stop(s)
	}
}
