package gocuda

import (
	"fmt"
	"sync/atomic"

	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
)

func init() {
	rt.NewCompiled = func(forms *rt.Forms, run func(*Thread, *Block, *rt.Phases)) Kernel {
		return &compiled{forms: forms, run: run, number: compiledSoFar.Add(1)}
	}
	rt.NewSource = func(forms *rt.Forms, source func(*Thread), copied bool) Kernel {
		return &compiled{forms: forms, source: source, copied: copied}
	}
}

// Source returns the thread kernel that `gocuda gen` made k of, under k's name, or nil if k is no such
// kernel. Launched, it runs on coroutines and gives the result that k gives.
func Source(k Kernel) Kernel {
	if c, ok := k.(*compiled); ok {
		return &compiled{forms: &rt.Forms{Name: c.forms.Name}, source: c.thread()}
	}
	return nil
}

// A compiled kernel is a thread kernel that `gocuda gen` has compiled. It has up to three forms;
// the arguments of run choose one of them.
//
//   - With a thread, run executes the source: the program of that thread. The race detector and
//     checked mode use this form, because they watch the individual threads.
//   - Without a thread, run executes the whole block, as loops over the threads between barriers. It
//     uses the form with vector instructions if there is one and [rt.Phases].Vectors is set.
//
// The forms share one func, because each func would be an allocation with a copy of the arguments
// in each launch.
type compiled struct {
	forms  *rt.Forms
	run    func(*Thread, *Block, *rt.Phases) // nil if the kernel was not compiled
	source ThreadFunc                        // the program of a thread if run is nil
	copied bool                              // source is a generated copy of the kernel
	number uint32                            // of those so far; a launch may run several
}

var compiledSoFar atomic.Uint32

// thread returns the program of a thread.
func (k *compiled) thread() ThreadFunc {
	if k.run == nil {
		return k.source
	}
	return func(t *Thread) { k.run(t, nil, nil) }
}

// KernelName implements [Named].
func (k *compiled) KernelName() string { return k.forms.Name }

// RunBlock implements [Kernel].
func (k *compiled) RunBlock(b *Block) {
	if k.run == nil || raceEnabled || observed() || b.checked || b.launch.executor == ExecutorGoroutine || k.asksVotes(b.launch.dev) {
		b.Threads(k.thread())
		return
	}
	b.beginPhase() // may end the launch
	b.inPhase = false
	b.keeps, b.across, b.down = false, 0, 0
	p := &b.phases
	p.Start((*engine)(b), b.BlockDim, b.size, &b.launch.hurry, b.launch.uses, k.number, !b.launch.dev.noVectors, b.lacks == 0)
	k.run(nil, b, p)
	p.Engine = nil
}

// isBody reports whether the kernel of l runs as the body of a compiled kernel, which can go from
// block to block by itself.
func (l *launch) isBody() bool {
	if raceEnabled || observed() {
		return false
	}
	k, ok := l.kernel.(*compiled)
	return ok && k.run != nil && !l.dev.checked && l.executor != ExecutorGoroutine && !k.asksVotes(l.dev)
}

// asksVotes reports whether the kernel has barriers with votes and the device has none. Such a
// kernel runs its source, whose error names the thread that comes to the barrier.
func (k *compiled) asksVotes(d *Device) bool {
	return d.lacks&votes != 0 && k.forms.Traits&rt.CompiledVotes != 0
}

// A span is the range of blocks that one call of a body runs after its first block, as indices in
// the order of the launch. To go on to the next block costs some nanoseconds; to call the body for
// it costs a dozen more.
type span struct{ next, end int64 }

// An engine is a Block as the body of a compiled kernel uses it: it implements [rt.Engine].
type engine Block

// Next implements [rt.Engine].
func (e *engine) Next() bool {
	b := (*Block)(e)
	if b.across > 0 {
		// The next block follows the last one of the row or box.
		b.BlockIdx.X += b.across - 1
		b.BlockIdx.Y += b.down - 1
		b.across, b.down = 1, 1
	}
	if b.span.next == b.span.end {
		return false
	}
	l := b.launch
	if l.stop.Load() || l.yields() || l.done != nil && b.cancelled() {
		return false
	}
	if l.order.kind == orderNatural {
		i := &b.BlockIdx
		if i.X++; i.X == b.GridDim.X {
			i.X = 0
			if i.Y++; i.Y == b.GridDim.Y {
				i.Y = 0
				i.Z++
			}
		}
	} else {
		b.BlockIdx = b.GridDim.At(l.order.at(int(b.span.next)))
	}
	if l.done != nil {
		b.runs(int(b.span.next), 1)
	}
	b.span.next++
	if !b.keeps {
		b.cursor = 0
		b.shared.reset(b)
	}
	b.out.flush(b)
	return true
}

// Keep implements [rt.Engine].
func (e *engine) Keep() { e.keeps = true }

// longRow is the number of threads along a row of blocks at which the row takes no further blocks.
// The fixed cost of a row is then less than one per cent of the time of the shortest kernels, and a
// launch can still be cancelled soon.
const longRow = 1 << 14

// longBox is the same limit for boxes, which are several rows of blocks; a box has at least one
// row.
const longBox = 1 << 16

// Run implements [rt.Engine].
func (e *engine) Run(box bool) (across, down int) {
	b := (*Block)(e)
	b.across, b.down = 1, 1
	switch kind := b.launch.order.kind; {
	case kind == orderColumns && box:
		if room := min(int64(b.GridDim.Y-1-b.BlockIdx.Y), b.span.end-b.span.next, int64(longRow/b.BlockDim.Y)); room > 0 {
			b.down += int(room)
			b.span.next += room
		}
		if b.down == b.GridDim.Y {
			threads := b.down * b.BlockDim.Y * b.BlockDim.X
			if room := min(b.GridDim.X-1-b.BlockIdx.X, int((b.span.end-b.span.next)/int64(b.down)), longBox/threads-1); room > 0 {
				b.across += room
				b.span.next += int64(room) * int64(b.down)
			}
		}
	case kind == orderNatural:
		if room := min(int64(b.GridDim.X-1-b.BlockIdx.X), b.span.end-b.span.next, int64(longRow/b.BlockDim.X)); room > 0 {
			b.across += int(room)
			b.span.next += room
		}
		if box && b.across == b.GridDim.X {
			threads := b.across * b.BlockDim.X * b.BlockDim.Y
			if room := min(b.GridDim.Y-1-b.BlockIdx.Y, int((b.span.end-b.span.next)/int64(b.across)), longBox/threads-1); room > 0 {
				b.down += room
				b.span.next += int64(room) * int64(b.across)
			}
		}
	}
	if n := b.across * b.down; n > 1 && b.launch.done != nil {
		b.row.Store(int64(n))
	}
	return b.across, b.down
}

// Poll implements [rt.Engine].
func (e *engine) Poll() {
	b := (*Block)(e)
	if b.cancelled() {
		b.phases.Current = -1
		b.stopped()
	}
}

// Diverged implements [rt.Engine].
func (e *engine) Diverged(pos string, some, others int) error {
	return fmt.Errorf("%w: at %s %d threads go one way and %d another, and barriers follow", ErrBarrierDivergence, pos, some, others)
}

// Thread implements [rt.Engine].
func (e *engine) Thread() any {
	b, current := (*Block)(e), e.phases.Current
	if b.each == nil {
		b.each = new(Thread)
	}
	t := b.each
	t.b, t.phase = b, true
	t.ThreadIdx = b.BlockDim.At(current)
	t.BlockIdx, t.BlockDim, t.GridDim = b.BlockIdx, b.BlockDim, b.GridDim
	t.id, t.cursor, t.state = current, b.cursor, 0
	return t
}

// bodyPlace returns the thread to blame for a panic in the body of a compiled kernel.
func (b *Block) bodyPlace() (idx grid.Dim3, unit Unit, ok bool) {
	p := &b.phases
	if p.Engine == nil || p.Current < 0 {
		return grid.Dim3{}, UnitBlock, false
	}
	if b.across*b.down > 1 || p.PerThread > 1 {
		row, x := p.Current/p.Row, p.Current%p.Row/p.PerThread
		y, z := row%p.Rows, row/p.Rows
		b.BlockIdx.X += x / b.BlockDim.X
		b.BlockIdx.Y += y / b.BlockDim.Y
		p.Current = (z*b.BlockDim.Y+y%b.BlockDim.Y)*b.BlockDim.X + x%b.BlockDim.X
		b.across, b.down = 1, 1
	}
	return b.BlockDim.At(min(p.Current, b.size-1)), UnitThread, true
}
