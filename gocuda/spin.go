package gocuda

import (
	"runtime"
	"sync"
	"time"

	"github.com/gocuda/gocuda/internal/spin"
)

// Threads that wait for others by an atomic operation in a loop:
//
//	for atomic.Add(flag, 0) == 0 {
//	}
//
// On GPUs since compute capability 7.0 the thread that will set the flag goes on meanwhile, even if
// it is of the same warp. On the coroutine executor the spinning thread has to let it run. So
// package atomic counts operations that change nothing, and calls spun after many of them. A thread
// that does more of them then waits, as in Nanosleep, until all others of the block wait, have
// returned, or spin as well.
//
// spun has to find the thread that its goroutine runs. So the goroutines of the runtime are
// registered, by the number that self returns.

// The number of operations that change nothing, all on the same cell with the same operand, before
// spun is called again.
const (
	spinsFirst = 1000 // a thread that may have begun to wait. It is some microseconds
	spinsAgain = 64   // one that waits
	spinsNone  = 1000 // if nothing is known of the goroutine
)

// Passes over a block of which all threads wait or spin are without pause at first.
const (
	eagerPasses = 16  // then other goroutines have a turn after each
	busyPasses  = 256 // then there is a pause now and then
	busyTurns   = 128 // the turns of threads between two of them, which take about as long as a pause
	pause       = 50 * time.Microsecond
)

func init() { spin.OnSpin(spun) }

// registry has what goroutines run: a *fiber, a *strand with a goroutine of its own, or the *Block
// of a worker.
var registry sync.Map

//go:norace
func register(g uintptr, what any) {
	raceDisable()
	registry.Store(g, what)
	raceEnable()
}

//go:norace
func unregister(g uintptr) {
	raceDisable()
	registry.Delete(g)
	raceEnable()
}

//go:norace
func registered(g uintptr) any {
	raceDisable()
	defer raceEnable()
	what, _ := registry.Load(g)
	return what
}

// spun is called by a goroutine that has done many atomic operations that changed nothing. It
// returns the number of further ones before the next call.
func spun() uint32 {
	switch r := registered(self()).(type) {
	case *fiber:
		return r.spun()
	case *strand:
		r.b.threads.pause(r, 0, opSpin)
		return spinsAgain
	case *Block:
		if f := r.rootFiber(); f != nil {
			return f.spun()
		}
		return r.spun()
	}
	runtime.Gosched() // a goroutine of the host, which may wait for a kernel
	return spinsNone
}

// rootFiber returns the coroutine at the bottom of the stack if it is what the block's goroutine runs.
func (b *Block) rootFiber() *fiber {
	if !b.running || !b.inPhase || b.threadFunc == nil && b.warpFunc == nil || b.threads != nil {
		return nil
	}
	return b.fibers.root
}

// spun is for a block whose threads can't wait for each other: the body of a block kernel or of a
// compiled one, and ForEach.
func (b *Block) spun() uint32 {
	if b.running && b.cancelled() { // else the worker has something else to do
		b.stopped()
	}
	runtime.Gosched()
	return spinsAgain
}

// A spinner is a thread in a certain block.
type spinner struct {
	phase uint64
	id    int
}

func (f *fiber) spun() uint32 {
	x, s := f.x, &f.thread.strand
	if x.b.warpFunc != nil {
		s = &f.warp.strand
	}
	// The operations may have been those of many threads, of which each did a few.
	if now := (spinner{x.phase, s.id}); f.spins != now {
		f.spins = now
		return spinsFirst
	}
	x.enter(s)
	x.m.sleep(s.id)
	x.park(s, opSpin, 0)
	if x.b.cancelled() {
		s.unwind()
	}
	return spinsAgain
}

// breathe is called between two passes over the given number of sleeping strands. The goroutine
// that they wait for may need the processor.
func (x *fibers) breathe(sleepers int) {
	x.passes++
	if x.passes <= eagerPasses {
		return
	}
	x.awake += sleepers
	if x.passes <= busyPasses || x.awake < busyTurns {
		runtime.Gosched()
		return
	}
	x.awake = 0
	sleepUntil(time.Now().Add(pause), x.b.launch.done, x.b.launch.failed())
}
