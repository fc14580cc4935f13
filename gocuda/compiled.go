package gocuda

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gocuda/gocuda/grid"
)

// Forms is what `gocuda gen` has made of a kernel, the same for all its launches. Only generated code makes one.
type Forms struct {
	Name    string // what errors, traces and profiles call the kernel
	Traits  Traits
	Vectors []any // the forms with vector instructions that the machine can run: funcs, one for each type
	Read    []Read

	info  atomic.Pointer[kernelInfo]
	fresh atomic.Bool // stale has looked, and it is not
	once  sync.Once
	old   error // what stale returns
}

// Traits is what `gocuda gen` knows of a kernel.
type Traits uint8

const (
	// CompiledRows is for bodies that use [Phases.NextRow] or [Phases.NextBox]: threads have little to do, and blocks are cheap in large numbers.
	CompiledRows Traits = 1 << iota
	// CompiledCalling is for kernels that call functions which `gocuda gen` could not look into. These may end their
	// goroutine by runtime.Goexit, which must not be that of the caller of a launch.
	CompiledCalling
	// CompiledEnding is for kernels whose blocks end, and soon: in loops of which that is not known they call
	// [Phases.Poll]. Others can't run on the goroutine of a caller who has a context that may be done.
	CompiledEnding
	// CompiledColumns is for bodies that use [Phases.NextBox] and are fast where blocks that are neighbours along y are run together.
	CompiledColumns
	// CompiledVotes is for kernels with barriers that count votes, such as SyncThreadsOr.
	CompiledVotes
)

// Compiled returns a kernel that `gocuda gen` has compiled: a thread kernel in up to three forms, of which run runs one.
//
//   - With a thread, it is the source: the program of that thread. Under the race detector and in checked mode it
//     runs for all threads, so that they see the threads.
//   - Without one it does for the whole block what the source does for each thread of it, as loops over the threads between
//     barriers: with vector instructions if there is such a form and [Phases].Vectors is set.
//
// They are one func because each would be an allocation with a copy of the arguments, in each launch. Only generated code
// calls it.
func Compiled(forms *Forms, run func(*Thread, *Block, *Phases)) Kernel {
	return &compiled{forms: forms, run: run}
}

// Vector returns the func of type F among the forms with vector instructions. Only generated code calls it, to find the form of a
// generic kernel that fits its types.
func Vector[F any](forms *Forms) (F, bool) {
	for _, f := range forms.Vectors {
		if f, ok := f.(F); ok {
			return f, true
		}
	}
	var none F
	return none, false
}

// Uncompiled returns a thread kernel that `gocuda gen` could not translate, under its name.
//
// Only generated code calls it.
func Uncompiled(name string, source ThreadFunc) Kernel {
	return &compiled{forms: &Forms{Name: name}, source: source}
}

// Copied returns a thread kernel that runs as a copy of its source which `gocuda gen` has changed: with the lanes of warps in lockstep.
//
// Only generated code calls it.
func Copied(forms *Forms, source ThreadFunc) Kernel {
	return &compiled{forms: forms, source: source, copied: true}
}

// Source returns the thread kernel that `gocuda gen` made k of, under k's name, or nil if k is no such
// kernel. Launched, it runs on coroutines and gives the result that k gives.
func Source(k Kernel) Kernel {
	if c, ok := k.(*compiled); ok {
		return Uncompiled(c.forms.Name, c.thread())
	}
	return nil
}

type compiled struct {
	forms  *Forms
	run    func(*Thread, *Block, *Phases) // nil if the kernel was not compiled
	source ThreadFunc                     // then this is it
	copied bool                           // source is generated too
}

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
	p := &b.phases
	p.b, p.first, p.keeps, p.run, p.high = b, true, false, 0, 0
	p.hurry, p.polls = &b.launch.hurry, 0
	p.Vectors = !b.launch.dev.noVectors
	k.run(nil, b, p)
	p.b = nil
}

// isBody reports whether the kernel of l runs as the body of a compiled kernel, which can go from block to
// block by itself.
func (l *launch) isBody() bool {
	if raceEnabled || observed() {
		return false
	}
	k, ok := l.kernel.(*compiled)
	return ok && k.run != nil && !l.dev.checked && l.executor != ExecutorGoroutine && !k.asksVotes(l.dev)
}

// asksVotes reports whether the kernel has barriers with votes and the device has none: its source says which thread comes to one.
func (k *compiled) asksVotes(d *Device) bool {
	return d.lacks&votes != 0 && k.forms.Traits&CompiledVotes != 0
}

// A span is the blocks that a body runs beyond the one that it was called for: numbers in the order of the
// launch. To go on to the next one costs some nanoseconds, to be called for it a dozen more.
type span struct{ next, end int64 }

// Phases is what the body of a compiled kernel keeps of the threads of its block. Its fields and methods
// are for generated code.
type Phases struct {
	// Current is the rank of the thread whose part of the body runs, which is to blame if that panics;
	// it is negative where the body works for the block as a whole.
	Current int
	// Live is the number of threads that take part: those whose State is 0.
	Live int
	// Row is the number of threads along x of the blocks that NextRow or NextBox has gone on to, Rows that along y.
	Row, Rows int
	// State says of each thread why it takes no part any more: 1 if it has returned, and otherwise the
	// number of the statement that it has left before others.
	State []uint8
	// Vectors reports whether the form with vector instructions is wanted. It is unless the device was opened with
	// [WithVectors](false).
	Vectors bool

	b     *Block
	first bool // Next has not been called
	keeps bool // shared arrays stay from block to block
	run   int  // blocks in the row, if NextRow or NextBox is used
	high  int  // rows of blocks
	room  []uint8

	barriers uint8 // so far
	polls    uint8
	hurry    *atomic.Bool // of the launch

	// At Begin.
	live, returned int
}

// Next goes on to the next block, at first to the one that the body was called for. It reports whether there
// is one.
func (p *Phases) Next() bool {
	b := p.b
	p.Current = -1
	p.Live = b.size
	p.State = nil
	if p.first {
		p.first = false
		return true
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
	if !p.keeps {
		b.cursor = 0
		b.shared.reset(b)
	}
	b.out.flush(b)
	return true
}

// Keep leaves the shared arrays of the block to the blocks that Next goes on to, which name no others.
func (p *Phases) Keep() {
	p.keeps = true
	p.Current = -1
}

// longRow is the number of threads from which on NextRow takes no more blocks. What a row costs beside its
// threads is then less than one per cent of the shortest kernels, and a launch can still be cancelled soon.
const longRow = 1 << 14

// longBox is the same of NextBox, which takes at least a row.
const longBox = 1 << 16

// NextRow is Next for kernels that can't tell blocks from each other along x. It takes several that are neighbours
// along x and are to be run one after another: their rows are Row threads long, and BlockIdx is that of
// the first one.
func (p *Phases) NextRow() bool { return p.next(false) }

// NextBox is Next for kernels that can't tell blocks from each other along x and y. It takes blocks as NextRow does, or several whole rows
// of them: they have Rows rows of threads along y. With [CompiledColumns] it takes blocks that are neighbours along y, or several whole columns.
func (p *Phases) NextBox() bool { return p.next(true) }

func (p *Phases) next(box bool) bool {
	b := p.b
	if p.run > 0 {
		// Next goes on from the last one.
		b.BlockIdx.X += p.run - 1
		b.BlockIdx.Y += p.high - 1
		p.run, p.high = 1, 1
	}
	if !p.Next() {
		return false
	}
	p.run, p.high = 1, 1
	switch kind := b.launch.order.kind; {
	case kind == orderColumns && box:
		if room := min(int64(b.GridDim.Y-1-b.BlockIdx.Y), b.span.end-b.span.next, int64(longRow/b.BlockDim.Y)); room > 0 {
			p.high += int(room)
			b.span.next += room
		}
		if p.high == b.GridDim.Y {
			threads := p.high * b.BlockDim.Y * b.BlockDim.X
			if room := min(b.GridDim.X-1-b.BlockIdx.X, int((b.span.end-b.span.next)/int64(p.high)), longBox/threads-1); room > 0 {
				p.run += room
				b.span.next += int64(room) * int64(p.high)
			}
		}
	case kind == orderNatural:
		if room := min(int64(b.GridDim.X-1-b.BlockIdx.X), b.span.end-b.span.next, int64(longRow/b.BlockDim.X)); room > 0 {
			p.run += int(room)
			b.span.next += room
		}
		if box && p.run == b.GridDim.X {
			threads := p.run * b.BlockDim.X * b.BlockDim.Y
			if room := min(b.GridDim.Y-1-b.BlockIdx.Y, int((b.span.end-b.span.next)/int64(p.run)), longBox/threads-1); room > 0 {
				p.high += room
				b.span.next += int64(room) * int64(p.run)
			}
		}
	}
	if n := p.run * p.high; n > 1 && b.launch.done != nil {
		b.row.Store(int64(n))
	}
	p.Row, p.Rows = p.run*b.BlockDim.X, p.high*b.BlockDim.Y
	return true
}

// Track makes State, for kernels whose threads part.
func (p *Phases) Track() []uint8 {
	if n := p.b.size; cap(p.room) < n {
		p.room = make([]uint8, n)
	} else {
		p.room = p.room[:n]
		clear(p.room)
	}
	p.State = p.room
	return p.State
}

// First makes the first thread that takes part the current one, which stands for all of them where all do
// the same.
func (p *Phases) First() {
	p.Current = 0
	if p.State != nil {
		p.skip()
	}
}

func (p *Phases) skip() {
	for p.Current < len(p.State) && p.State[p.Current] != 0 {
		p.Current++
	}
}

// Alive narrows an interval of threads of a row, which begins with the thread of rank base, to those that take part: from the first one on and up to
// the last one. all reports whether there is none in between that does not.
func (p *Phases) Alive(base, lo, hi int) (from, to int, all bool) {
	if p.Live == p.b.size || p.State == nil {
		return lo, hi, true
	}
	from, to, all = aliveIn(p.State[base+lo : base+hi])
	return lo + from, lo + to, all
}

// WholeWarps returns how many warps take part if the block is along x alone, all of its warps are whole, and those that take part do so with all
// their threads and are the first ones; else 0.
func (p *Phases) WholeWarps() int {
	b := p.b
	if b.size%grid.WarpSize != 0 || b.BlockDim.Y*b.BlockDim.Z != 1 || b.lacks != 0 {
		return 0
	}
	if p.State != nil && p.Live != b.size {
		if _, to, all := aliveIn(p.State[:p.Live]); p.Live%grid.WarpSize != 0 || to != p.Live || !all || p.State[0] != 0 {
			return 0
		}
		return p.Live / grid.WarpSize
	}
	return b.size / grid.WarpSize
}

// Among is for a condition that holds for the threads of each row from lo on and below hi. It returns for how many of those that take part it
// holds; if why is not 0 the others leave, for that reason.
func (p *Phases) Among(lo, hi int, why uint8) (votes int) {
	dimX, all := p.b.BlockDim.X, p.State == nil || p.Live == p.b.size
	lo = min(max(lo, 0), dimX)
	hi = min(max(hi, lo), dimX)
	for base := 0; base < p.b.size; base += dimX {
		if all {
			votes += hi - lo
		} else {
			votes += count(p.State[base+lo:base+hi], 0)
		}
		if why != 0 {
			exchange(p.State[base:base+lo], 0, why)
			exchange(p.State[base+hi:base+dimX], 0, why)
		}
	}
	if why != 0 {
		p.Live = votes
	}
	return votes
}

// Leave takes the current thread out, for the reason given.
func (p *Phases) Leave(why uint8) {
	p.State[p.Current] = why
	p.Live--
}

// LeaveAll takes all threads that take part out, for the reason given.
func (p *Phases) LeaveAll(why uint8) {
	exchange(p.State, 0, why)
	p.Live = 0
}

// Left returns the number of threads that left for the reason given.
func (p *Phases) Left(why uint8) int { return count(p.State, why) }

// Join takes those that left for the reason given in again.
func (p *Phases) Join(why uint8) {
	p.Live += exchange(p.State, why, 0)
}

// Swap makes those that left for the reason given the ones that take part, and those that take part leave
// for another. It reports whether there are any.
func (p *Phases) Swap(why, others uint8) bool {
	p.Live = 0
	for i, s := range p.State {
		switch s {
		case why:
			p.State[i] = 0
			p.Live++
		case 0:
			p.State[i] = others
		}
	}
	return p.Live > 0
}

// Begin notes who takes part before threads may leave in different ways.
func (p *Phases) Begin() { p.live, p.returned = p.Live, p.Left(1) }

// Together reports whether none of the threads that took part at Begin does any more, and some have left for
// the reason given. Those then take part again, somewhere else. must says that it is an error, at pos, if
// only some of the threads left so.
func (p *Phases) Together(why uint8, must bool, pos string) bool {
	left := p.live - p.Live - (p.Left(1) - p.returned) // since Begin, other than for good
	n := p.Left(why)
	if left == 0 || n == 0 {
		return false
	}
	if must && (p.Live > 0 || n < left) {
		p.Live += left
		p.Diverge(n, pos)
	}
	if p.Live > 0 {
		return false
	}
	p.Join(why)
	return true
}

// Barrier is what is left of a barrier: the launch ends here if it was cancelled, which every eighth asks. To ask at
// each was 7 % of a product in tiles of 16 by 16.
func (p *Phases) Barrier() {
	if p.barriers++; p.barriers%8 == 0 {
		p.poll()
	}
}

// Poll is called in loops of which it is not known that they end. If the launch is being cancelled it does not return but
// unwinds the block, by a panic that is nobody's error: deferred functions run. It may be called wherever Current may be
// set, by the goroutine of the body. It costs a load and an increment; contexts of which the launch is not told are looked at
// in every 256th call.
func (p *Phases) Poll() {
	if p.polls++; p.polls == 0 || p.hurry.Load() {
		p.poll()
	}
}

func (p *Phases) poll() {
	if p.b.cancelled() {
		p.Current = -1
		p.b.stopped()
	}
}

// Agree returns whether a condition holds, on which the threads that take part must agree since there is
// a barrier behind it. votes is the number of them for which it holds. pos is where it stands.
func (p *Phases) Agree(votes int, pos string) bool {
	if votes != 0 && votes != p.Live {
		p.Diverge(votes, pos)
	}
	return votes != 0
}

// Diverge ends the launch because votes threads took one way at pos and the others another, and both
// ways have a barrier.
func (p *Phases) Diverge(votes int, pos string) {
	p.Current = -1
	panic(fmt.Errorf("%w: at %s %d threads go one way and %d another, and barriers follow",
		ErrBarrierDivergence, pos, votes, p.Live-votes))
}

// Thread returns the current thread, for what a compiled kernel leaves to the methods of Thread.
func (p *Phases) Thread() *Thread {
	b := p.b
	if b.each == nil {
		b.each = new(Thread)
	}
	t := b.each
	t.b, t.phase = b, true
	t.ThreadIdx = b.BlockDim.At(p.Current)
	t.BlockIdx, t.BlockDim, t.GridDim = b.BlockIdx, b.BlockDim, b.GridDim
	t.id, t.cursor, t.state = p.Current, b.cursor, 0
	return t
}

// place returns the thread to blame for a panic.
func (p *Phases) place() (idx grid.Dim3, unit Unit, ok bool) {
	if p.b == nil || p.Current < 0 {
		return grid.Dim3{}, UnitBlock, false
	}
	if p.run*p.high > 1 {
		b := p.b
		row, x := p.Current/p.Row, p.Current%p.Row
		y, z := row%p.Rows, row/p.Rows
		b.BlockIdx.X += x / b.BlockDim.X
		b.BlockIdx.Y += y / b.BlockDim.Y
		p.Current = (z*b.BlockDim.Y+y%b.BlockDim.Y)*b.BlockDim.X + x%b.BlockDim.X
		p.run, p.high = 1, 1
	}
	return p.b.BlockDim.At(min(p.Current, p.b.size-1)), UnitThread, true
}

// errWrap is the panic of Below and NotAbove when the numbers don't grow all the way: a compiled kernel does
// not say which threads meet its condition then.
var errWrap = errors.New("the index in a condition of the kernel wraps around")

// At returns the address of s[i] without a check that it exists. It is for code that `gocuda gen` writes, behind a check for
// all threads of a row.
//
// Where an int has 32 bits it does check: what has been shown about the row is for 64.
func At[T any](s []T, i int) *T {
	if bits.UintSize == 32 {
		return &s[i]
	}
	return (*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), uintptr(i)*unsafe.Sizeof(s[0])))
}

// AtNext returns the address of s[i+k] in the same way. A constant k becomes a part of the instruction.
func AtNext[T any](s []T, i, k int) *T {
	if bits.UintSize == 32 {
		return &s[i+k]
	}
	return (*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), i*int(unsafe.Sizeof(s[0]))+k*int(unsafe.Sizeof(s[0]))))
}

// RowY returns threadIdx.y of a row of threads. Most blocks have one plane, and a division takes as long as
// a short row does.
func RowY(row, dimY int) int {
	if row < dimY {
		return row
	}
	return row % dimY
}

// RowZ returns threadIdx.z of a row of threads.
func RowZ(row, dimY int) int {
	if row < dimY {
		return 0
	}
	return row / dimY
}

// Least is min, for code that `gocuda gen` writes into packages which have a min of their own.
func Least[T cmp.Ordered](first T, more ...T) T {
	for _, x := range more {
		first = min(first, x)
	}
	return first
}

// Most is max, for packages which have a max of their own.
func Most[T cmp.Ordered](first T, more ...T) T {
	for _, x := range more {
		first = max(first, x)
	}
	return first
}

// Below returns how many of the n numbers base, base+1, ... are less than limit.
func Below(base, limit, n int) int {
	if base > math.MaxInt-n {
		panic(errWrap)
	}
	if limit <= base {
		return 0
	}
	if d := uint(limit) - uint(base); d < uint(n) {
		return int(d)
	}
	return n
}

// Every returns the first of the numbers lo, lo+1, ... for which base plus that has a remainder by step, and how far the next of these is. If these are no
// remainders of numbers that are not negative it returns lo and 1: the caller asks each of them. Generated code calls it.
func Every(lo, base, step, remainder int) (first, by int) {
	const most = 1 << 29 // no sum wraps around
	if step <= 1 || step > most || base < 0 || base > most || remainder < 0 || remainder >= step {
		return lo, 1
	}
	return lo + (remainder-(lo+base)%step+step)%step, step
}

// NotAbove returns how many of the n numbers base, base+1, ... are not greater than limit.
func NotAbove(base, limit, n int) int {
	if base > math.MaxInt-n {
		panic(errWrap)
	}
	if limit < base {
		return 0
	}
	if d := uint(limit) - uint(base); d < uint(n) {
		return int(d) + 1
	}
	return n
}
