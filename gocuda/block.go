package gocuda

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/observe"
	"github.com/gocuda/gocuda/mem"
)

// A Block is one thread block of a launch: what a block kernel receives, and what runs the threads or
// warps of the other kinds.
//
// A block kernel sees the block as a whole. It is a plain Go function, called once a block, that
// alternates between code for the block and phases over its threads:
//
//	gocuda.BlockFunc(func(b *gocuda.Block) {
//		s := gocuda.Shared[float32](b, 256)
//		b.ForEach(func(t *gocuda.Thread) { s[t.Rank()] = in[t.GlobalX()] })
//		for d := 128; d > 0; d /= 2 { // here is __syncthreads()
//			for i := range d {
//				s[i] += s[i+d]
//			}
//		}
//		out[b.BlockIdx.X] = s[0]
//	})
//
// There is an implicit barrier after each phase. A loop over thread numbers, as the second one above,
// is a phase as well, and the fastest one.
type Block struct {
	BlockIdx grid.Dim3 // of this block in the grid
	BlockDim grid.Dim3 // threads, with Y and Z at least 1
	GridDim  grid.Dim3 // blocks, with Y and Z at least 1

	launch  *launch
	size    int    // threads
	smid    int    // the index of the worker in the launch
	running bool   // in run
	checked bool   // of the device
	lacks   uint64 // operations that the device does not have
	inPhase bool
	inEach  bool // in ForEach, which runs threads on the goroutine of the block

	threadFunc ThreadFunc
	warpFunc   WarpFunc
	fibers     *fibers  // on the coroutine executor
	threads    *threads // of the phase under way, on the goroutine executor

	arena  mem.Arena
	shared sharedArrays
	cursor int // of the block kernel itself, in shared
	locals localArrays
	out    output

	triggered [][]*triggerSite // of each warp; nil if there are none

	each    *Thread   // of ForEach
	phases  rt.Phases // of compiled kernels
	span    span
	keeps   bool // shared arrays stay from block to block
	across  int  // blocks along x that the body runs as one; down is that along y. 0 if it runs single blocks
	down    int
	unwound int     // how often the body was unwound
	lingers *linger // of the launch

	// The blocks that the worker runs, for the goroutine that may have to give them up; see
	// runaway.go. at is the index of the first block in the order of the launch plus 1, or 0 if
	// there is none; row is the number of blocks.
	at, row atomic.Int64

	gridPhase uint64 // barriers of the grid that the block has come to
	labels    *kernelInfo
	seen      *observe.Block // by an observer; nil without one
}

// Size returns the number of threads of the block.
func (b *Block) Size() int { return b.size }

// NumWarps returns the number of warps of the block; the last may be partial.
func (b *Block) NumWarps() int { return grid.Warps(b.size) }

// Threads runs f for every thread of the block and returns when all have returned: a phase in which
// threads may use everything that a thread kernel may, barriers included. Threads call f one after
// another unless they wait; under the race detector and in checked mode they are goroutines.
func (b *Block) Threads(f func(*Thread)) {
	b.beginPhase()
	b.threadFunc = f
	b.observeStrands(false)
	if b.launch.executor == ExecutorGoroutine {
		ts := make([]Thread, b.size)
		b.spawn(b.size, func(i int) *strand {
			t := &ts[i]
			t.ThreadIdx = b.BlockDim.At(i)
			t.BlockIdx, t.BlockDim, t.GridDim = b.BlockIdx, b.BlockDim, b.GridDim
			return &t.strand
		}, func(i int) { f(&ts[i]) })
	} else {
		b.coroutines().run(b, b.size)
	}
	b.endPhase()
}

// Warps runs f for every warp of the block and returns when all have returned. Warps may use the
// block's barrier.
func (b *Block) Warps(f func(*Warp)) {
	b.beginPhase()
	b.warpFunc = f
	b.observeStrands(true)
	if b.launch.executor == ExecutorGoroutine {
		ws := make([]Warp, b.NumWarps())
		b.spawn(len(ws), func(i int) *strand {
			w := &ws[i]
			w.BlockIdx, w.BlockDim, w.GridDim = b.BlockIdx, b.BlockDim, b.GridDim
			return &w.strand
		}, func(i int) { f(&ws[i]) })
	} else {
		b.coroutines().run(b, b.NumWarps())
	}
	b.endPhase()
}

// coroutines returns the block's coroutine executor, which is made when first needed.
func (b *Block) coroutines() *fibers {
	if b.fibers == nil {
		b.fibers = new(fibers)
	}
	return b.fibers
}

// spawn runs n strands on the goroutine executor.
func (b *Block) spawn(n int, strandOf func(int) *strand, start func(int)) {
	strands := make([]*strand, n)
	for i := range strands {
		s := strandOf(i)
		s.b, s.id, s.cursor = b, i, b.cursor
		strands[i] = s
	}
	b.threads = new(threads)
	b.threads.run(b, strands, start)
}

func (b *Block) beginPhase() {
	if b.inPhase {
		panic(fmt.Errorf("%w: a phase inside a phase", ErrNotPermitted))
	}
	if b.launch.stop.Load() && b.launch.failedBlock(b) {
		b.unwind() // the kernel recovered from our unwinding and goes on
	}
	if b.cancelled() {
		b.stopped()
	}
	b.inPhase, b.inEach = true, false
	if b.seen != nil {
		b.observePhase()
	}
}

// unwind ends the body of a block kernel, as strand.unwind ends a strand.
func (b *Block) unwind() {
	b.inPhase = false
	b.unwound++
	if b.unwound > patience {
		runtime.Goexit()
	}
	panic(unwinding{})
}

// stopped is unwind for a body that has found out by itself that the launch was cancelled.
func (b *Block) stopped() {
	if b.launch.timeout != nil && b.unwound == 0 {
		b.launch.noteStopped(UnitBlock)
	}
	b.unwind()
}

func (b *Block) endPhase() {
	if b.seen != nil {
		b.observePhase()
	}
	b.inPhase = false
	b.threadFunc, b.warpFunc, b.threads = nil, nil, nil
}

// begin prepares b for the block with the given index.
func (b *Block) begin(l *launch, idx grid.Dim3) {
	b.launch = l
	b.lingers = l.lingers
	b.BlockIdx = idx
	b.BlockDim, b.GridDim = l.cfg.Block, l.cfg.Grid
	b.size = l.threads
	b.checked = l.dev.checked
	b.lacks = l.dev.lacks
	b.inPhase, b.inEach, b.unwound = false, false, 0
	b.phases.Engine = nil
	b.gridPhase = 0
	b.span = span{}
	b.threadFunc, b.warpFunc = nil, nil
	b.cursor = 0
	b.shared.reset(b)
	b.locals.reset()
	b.triggered = nil
	if b.seen = nil; l.seen != nil {
		b.observeBegin()
	}
}

// run runs the kernel for the block. It returns normally also when the kernel fails.
func (b *Block) run() {
	normal := false
	b.running = true
	defer func() {
		b.running = false
		if b.seen != nil {
			defer b.observeEnd()
		}
		if v := recover(); v != nil {
			if !isUnwinding(v) {
				b.failedBody(v)
			}
		} else if !normal { // Goexit
			b.failedBody(errGoexit)
		}
		b.out.flush(b)
		if b.launch.done != nil {
			b.at.Store(0)
		}
		if c := b.launch.coop; c != nil {
			c.leave(b)
		}
	}()
	b.launch.kernel.RunBlock(b)
	normal = true
}

// runs notes that the worker of b runs n blocks from number k on.
func (b *Block) runs(k, n int) {
	b.row.Store(int64(n))
	b.at.Store(int64(k) + 1)
}

// failedBody records that the kernel panicked outside any strand.
func (b *Block) failedBody(v any) {
	if b.inEach {
		b.failed(&b.each.strand, v)
		return
	}
	idx, unit, ok := b.bodyPlace() // may find that it was a later block of the row
	e := &KernelError{
		Kernel: b.launch.name(), BlockIdx: b.BlockIdx, Unit: UnitBlock, Value: v, Stack: stack(),
	}
	if ok {
		e.ThreadIdx, e.Unit = idx, unit
	}
	if b.seen != nil {
		observe.Hook.Failed(b.seen, b.seen.Threads, v)
	}
	e.setPlace(here())
	b.fail(e)
}

// failed records that strand s panicked with v.
func (b *Block) failed(s *strand, v any) { b.fail(b.failureOf(s, v)) }

// failureOf makes the error of strand s, which panicked with v. It is called while the panic is
// being recovered, so that the stack still shows where.
func (b *Block) failureOf(s *strand, v any) *KernelError {
	e := &KernelError{
		Kernel: b.launch.name(), BlockIdx: b.BlockIdx, Value: v, Stack: stack(),
	}
	e.ThreadIdx, e.Unit = b.place(s.id)
	if b.seen != nil {
		e.outlived = observe.Hook.Failed(b.seen, s.id, v)
	}
	e.setPlace(here())
	return e
}

// place returns the thread that strand id is or begins with.
func (b *Block) place(id int) (grid.Dim3, Unit) {
	if b.warpFunc != nil {
		return b.BlockDim.At(id * grid.WarpSize), UnitWarp
	}
	return b.BlockDim.At(id), UnitThread
}

// fail makes err the error of the launch, unless it has one, and keeps further blocks from starting.
func (b *Block) fail(err error) { b.launch.fail(err, b) }

// deadlocked makes the error of a deadlock. Its description follows when the strands have told
// where they wait.
func (b *Block) deadlocked() *KernelError {
	return &KernelError{Kernel: b.launch.name(), BlockIdx: b.BlockIdx, Unit: UnitBlock}
}

func (b *Block) describe(e *KernelError, waiters []waiter) {
	unit := "thread"
	if b.warpFunc != nil {
		unit = "warp"
	}
	b.observeStuck(waiters)
	err := deadlock(waiters, unit)
	if len(waiters) > 0 { // which deadlock has sorted
		f, _ := siteOf(waiters[0].site)
		e.setPlace(place{f.File, f.Line})
	}
	if gone, ok := b.launch.coop.gone(waiters); ok {
		err = fmt.Errorf("%w; block %v has returned", err, gone)
	}
	e.Value = err
}

// cancelled reports whether the launch's context is done, and if so makes that its error.
func (b *Block) cancelled() bool {
	l := b.launch
	if l.done != nil { // first, since a timeout names all blocks that it has stopped
		select {
		case <-l.done:
			l.failCancelled(b)
			return true
		default:
		}
	}
	if l.stop.Load() && (l.coop != nil || l.family.Load() != nil) {
		l.fail(nil, b) // another block or a child failed, and what this block waits for may never come
		return true
	}
	return false
}
