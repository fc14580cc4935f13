package gocuda

import (
	"iter"
	"math/bits"

	"github.com/gocuda/gocuda/grid"
)

// The coroutine executor. It runs any kernel as it is, on one goroutine at a time.
//
// The threads of a block are started one after another on one coroutine, the first on the worker's
// own goroutine. As long as none has to wait that is a plain loop. A thread that waits calls, right
// from inside its barrier, the coroutine that runs the next thread; when that one waits too it calls
// the next, and so on, until the last thread completes the barrier and runs on. At its next barrier
// it returns to the coroutine that called it, whose thread has been released meanwhile and runs on to
// that same barrier, returns to its own caller, and so on down to the worker, which completes the
// barrier and turns round again.
//
// So control sweeps up and down a stack of coroutines, and a barrier costs one switch a thread. The
// obvious scheme, a scheduler that resumes each thread and is returned to by it, costs two: on the
// machine of docs/performance.md a bare iter.Pull next, which is two switches, takes 65 ns.
//
// The stack restrains who can be resumed: the coroutines on it wait in their calls of next, so they
// get control back only when everything above them has returned. All others can be resumed by anyone.
// Whoever waits therefore resumes, if it can, a thread that is ready and not on the stack, and else
// returns to its caller, who has the same choice. When the worker itself, at the bottom, finds no
// thread to resume, no thread can go on: see stalled.
//
// A coroutine whose thread returned is not on the stack any more. It waits, free, for the next thread
// that has to be started.

// fibers is the executor of one block at a time. A worker has one, and keeps it and its coroutines
// from block to block.
type fibers struct {
	m     meet
	b     *Block
	n     int // strands
	next  int // the first strand not started; valid while nobody sweeps
	base  int // strands from base up to the one that runs have returned, unknown to meet
	root  *fiber
	all   []*fiber // all but root
	free  []*fiber // those without a strand
	where [maxWords * grid.WarpSize]*fiber
	// strands inside park
	parked  [maxWords]uint32
	nparked int
	aborted bool
	dead    *KernelError // of a deadlocked block
	waiters []waiter     // where the strands of a deadlocked block waited, noted while they unwind

	// See spin.go.
	phase  uint64 // counts runs
	passes int    // over sleeping strands, since one of them has made progress
	awake  int    // turns that they had, since the last pause
	turns  uint64 // those of m after the last pass
}

// A fiber is a coroutine and the context of the thread or warp that it runs at present.
type fiber struct {
	x       *fibers
	thread  Thread
	warp    Warp
	next    func() (struct{}, bool) // resumes the coroutine; nil for the root
	stop    func()
	yield   func(struct{}) bool // returns to whoever called next
	sweeper bool                // it starts threads
	normal  bool                // work ended by returning
	spins   spinner             // the last that may have begun to spin
	labels  *kernelInfo         // the pprof labels that the coroutine's goroutine has
}

func newFiber(x *fibers) *fiber {
	f := &fiber{x: x}
	f.thread.fiber, f.warp.fiber = f, f
	return f
}

// body is the coroutine: it works, and returns to its caller when there is no more to start.
func (f *fiber) body(yield func(struct{}) bool) {
	f.yield = yield
	g := self()
	register(g, f)
	defer unregister(g)
	for {
		f.work()
		if !yield(struct{}{}) {
			return
		}
	}
}

// run runs the strands of a block and returns when all have returned. If the block failed it does not
// return but unwinds the caller.
func (x *fibers) run(b *Block, n int) {
	x.b, x.n, x.next, x.base = b, n, 0, 0
	x.phase++
	if x.aborted { // the strands of a block that failed may have left anything behind
		x.aborted, x.dead, x.nparked, x.waiters = false, nil, 0, x.waiters[:0]
		clear(x.parked[:])
	}
	x.m.reset(n)
	x.m.seen = b.seen
	b.outlive()
	if b.launch.coop != nil {
		x.m.beginGatherings(b)
	}
	if x.root == nil {
		x.root = newFiber(x)
	}
	x.runRoot()
	if x.aborted {
		b.unwind()
	}
}

// runRoot is a function of its own so that what is left is driven to its end also when the root's
// thread ends the goroutine by Goexit.
func (x *fibers) runRoot() {
	defer x.drain()
	x.root.sweeper = true
	x.root.work()
}

// drain resumes the remaining strands after the root's own have returned, until none is left, and
// reports a deadlock.
func (x *fibers) drain() {
	for {
		if f := x.pick(0, 0); f != nil {
			f.next()
		} else if x.nparked == 0 || !x.stalled() {
			break
		}
	}
	if x.dead != nil {
		x.b.describe(x.dead, x.waiters)
		x.b.fail(x.dead)
	}
}

// work starts strands until there are none left or another fiber has taken that over. It returns
// normally also after a panic of the kernel.
func (f *fiber) work() {
	defer f.worked()
	f.normal = false
	b := f.x.b
	if b.labels != f.labels {
		f.labels = b.labels
		b.labels.set()
	}
	if b.warpFunc != nil {
		f.sweepWarps()
	} else {
		f.sweepThreads()
	}
	f.normal = true
}

// sweepThreads runs the threads from x.next on.
func (f *fiber) sweepThreads() {
	x, t := f.x, &f.thread
	b := x.b
	t.b = b
	t.BlockIdx, t.BlockDim, t.GridDim = b.BlockIdx, b.BlockDim, b.GridDim
	t.state, t.cursor = 0, b.cursor
	size := b.BlockDim
	x.base = x.next
	i := size.At(x.next)
	for ; i.Z < size.Z; i.Z++ {
		t.ThreadIdx.Z = i.Z
		for ; i.Y < size.Y; i.Y++ {
			t.ThreadIdx.Y = i.Y
			row := size.X * (i.Y + size.Y*i.Z) // the rank of the first thread of the row
			for i.X < size.X {
				i.X = t.runRow(b.threadFunc, i.X, size.X, row)
				if t.state != 0 && f.ended(&t.strand) {
					return
				}
			}
			i.X = 0
		}
		i.Y = 0
	}
	f.sweepDone()
}

// runRow runs the threads from to to-1 of a row, until one of them sets its state. row is the rank
// of the row's first thread. It returns the x after that of the last thread that ran. Every thread
// of every uncompiled kernel goes through this loop. Go keeps no registers across calls, so each
// variable that is live in the loop is loaded and stored for each thread. A function of its own has
// the fewest of these: SAXPY then takes 3.3 ns a thread instead of 4.6.
//
//go:noinline
func (t *Thread) runRow(fn ThreadFunc, from, to, row int) int {
	for x := from; x < to; x++ {
		t.ThreadIdx.X = x
		t.id = row + x
		fn(t)
		if t.state != 0 {
			return x + 1
		}
	}
	return to
}

func (f *fiber) sweepWarps() {
	x, w := f.x, &f.warp
	b := x.b
	w.b = b
	w.BlockIdx, w.BlockDim, w.GridDim = b.BlockIdx, b.BlockDim, b.GridDim
	w.state, w.cursor = 0, b.cursor
	x.base = x.next
	for id := x.next; id < x.n; id++ {
		w.id = id
		b.warpFunc(w)
		if w.state != 0 && f.ended(&w.strand) {
			return
		}
	}
	f.sweepDone()
}

// ended resets the state that a strand leaves behind when it returns. It reports whether the fiber
// has to stop starting strands.
func (f *fiber) ended(s *strand) bool {
	if s.state&met != 0 {
		f.x.m.exit(s.id, s.id+1)
	}
	s.cursor, s.state = f.x.b.cursor, 0
	return !f.sweeper
}

// sweepDone is called when a fiber has started the last strand and that has returned.
func (f *fiber) sweepDone() {
	x := f.x
	f.sweeper = false
	if x.m.used {
		x.m.exit(x.base, x.n)
	}
	x.next, x.base = x.n, x.n
}

// worked is deferred by work: it takes note of how the fiber's last strand ended.
func (f *fiber) worked() {
	v := recover()
	x := f.x
	s := &f.thread.strand
	if x.b.warpFunc != nil {
		s = &f.warp.strand
	}
	if v != nil {
		if !isUnwinding(v) {
			x.b.failed(s, v)
		}
		x.abort()
		f.normal = true
	} else if !f.normal {
		// Goexit. The goroutine of this coroutine is lost, and so are all below it: iter.Pull
		// carries a Goexit from each to its caller, down to the worker.
		if !x.aborted {
			x.b.failed(s, errGoexit)
			x.abort()
		}
		x.forget(f)
		return
	}
	s.state, s.cursor, s.unwound, f.sweeper = 0, 0, 0, false
	if f.next != nil {
		x.free = append(x.free, f)
	}
}

// forget removes a fiber whose goroutine ends.
func (x *fibers) forget(f *fiber) {
	if f == x.root {
		x.root = nil
		return
	}
	for i, g := range x.all {
		if g == f {
			last := len(x.all) - 1
			x.all[i], x.all[last] = x.all[last], nil
			x.all = x.all[:last]
			return
		}
	}
}

// abort makes every strand that waits unwind, and lets no other start.
func (x *fibers) abort() {
	x.next = x.n
	if x.aborted {
		return
	}
	x.aborted = true
	x.m.used = true
	x.m.availWords = 0
	for w, lanes := range x.parked[:grid.Warps(x.n)] {
		x.m.avail[w] = lanes &^ x.m.onStack[w]
		if x.m.avail[w] != 0 {
			x.m.availWords |= 1 << w
		}
	}
}

// enter is called by a strand before it registers anywhere in meet.
func (x *fibers) enter(s *strand) {
	if x.aborted {
		s.unwind()
	}
	if s.state&met == 0 {
		// The strands that this fiber started before have returned without ever meeting anybody.
		x.m.exit(x.base, s.id)
		x.m.used = true
		x.next, x.base = s.id+1, s.id+1
		s.state |= met
	}
}

// park waits until strand s, which has registered in meet, is released. If the block fails
// meanwhile it unwinds the strand.
func (x *fibers) park(s *strand, kind op, mask uint32) {
	f, i := s.fiber, s.id
	w, bit := i/32, uint32(1)<<(i%32)
	x.where[i] = f
	x.parked[w] |= bit
	x.nparked++
	// Threads not started yet are started by the fiber that takes over, not by this one.
	f.sweeper = false
	for !x.m.takeReady(i) && !x.aborted {
		if g := x.pick(i, mask); g != nil {
			x.m.onStack[w] |= bit
			g.next()
			x.m.onStack[w] &^= bit
		} else if f.next != nil {
			f.yield(struct{}{})
		} else {
			x.stalled()
		}
	}
	x.parked[w] &^= bit
	x.nparked--
	if x.aborted {
		x.m.dropAvail(w, bit)
		if x.dead != nil {
			x.waiters = append(x.waiters, waiter{i, kind, mask, kernelSite()})
		}
		if x.dead != nil && x.dead.Stack == nil {
			x.dead.Stack = stack()
		}
		s.unwind()
	}
}

// pick returns a fiber that can be resumed and has something to do, or nil. A thread i that waits at
// a warp operation, with mask != 0, prefers the lanes of its own warp: they will meet again soon, and
// their stacks are in the cache.
func (x *fibers) pick(i int, mask uint32) *fiber {
	m := &x.m
	if mask != 0 && !x.aborted {
		w := i / 32
		switch {
		case m.avail[w] != 0:
			return x.where[m.takeAvail(w)]
		case x.next < x.n && x.next/32 == w:
			return x.fresh()
		case m.ready[w]&m.onStack[w] != 0:
			return nil // below on the stack
		}
	}
	if x.next < x.n {
		return x.fresh()
	}
	if m.availWords != 0 {
		return x.where[m.takeAvail(bits.TrailingZeros32(m.availWords))]
	}
	return nil
}

// fresh returns a fiber to start strands from x.next on.
func (x *fibers) fresh() *fiber {
	var f *fiber
	if last := len(x.free) - 1; last >= 0 {
		f = x.free[last]
		x.free = x.free[:last]
	} else {
		f = newFiber(x)
		f.next, f.stop = iter.Pull(f.body)
		x.all = append(x.all, f)
	}
	f.sweeper = true
	return f
}

// stalled is called by the root when no strand can go on. It releases strands that wait for exactly
// this: lanes in ActiveMask, sleepers, and threads at a barrier of the grid that completes.
// Otherwise it declares the block deadlocked. It reports whether there is a strand to resume now.
func (x *fibers) stalled() bool {
	if x.aborted {
		return false
	}
	grid := x.m.waitsForGrid()
	if grid && x.m.passGrid(x.b) {
		return true
	}
	if x.m.turns != x.turns {
		x.passes = 0
	}
	sleepers := x.m.sleepers
	if x.m.converge() {
		x.turns = x.m.turns
		x.breathe(sleepers)
		return true
	}
	if grid {
		switch x.b.launch.coop.await(x.b, x.m.more.grid.phase) {
		case gridPassed:
			x.m.passGrid(x.b)
			return true
		case gridStopped:
			x.b.cancelled() // take note
			x.abort()
			return true
		}
	}
	x.dead = x.b.deadlocked()
	x.abort()
	return true
}

// close ends the coroutines.
func (x *fibers) close() {
	for _, f := range x.all {
		f.stop()
	}
	x.all, x.free = nil, nil
}
