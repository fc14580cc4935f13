package rt

import (
	"errors"
	"sync/atomic"

	"github.com/gocuda/gocuda/grid"
)

// An Engine runs the block that a body works for. Package gocuda has it.
type Engine interface {
	// Next goes on to the next of the blocks that the body was called for, and reports whether
	// there is one.
	Next() bool
	// Run adds neighbouring blocks to the one that Next has gone on to; the body then runs all of
	// them as one. It returns their number along x and along y. Without box, only blocks along x
	// are added.
	Run(box bool) (across, down int)
	// Keep leaves the shared arrays of the block to the blocks that Next goes on to.
	Keep()
	// Poll ends the body, by a panic that is nobody's error, if the launch is being cancelled.
	Poll()
	// Diverged returns the error of threads that take different ways at pos, though barriers
	// follow: some threads go one way and others the other.
	Diverged(pos string, some, others int) error
	// Thread returns the current thread, a *gocuda.Thread.
	Thread() any
	// Meet calls f for each set of lanes of a warp that meet; first is the rank of lane 0. It
	// panics if a lane that a mask names is elsewhere.
	Meet(m *Meeting, f func(first int, lanes uint32))
	// Source returns which lane a lane of a shuffle reads, and panics if that is not among those
	// that meet.
	Source(m *Meeting, first, lane int, lanes uint32, b, width int) int
	// Match replaces the value of each lane: for MatchAnySync by the set of lanes with the same
	// bits, for MatchAllSync by all lanes if their bits are the same and by 0 if not.
	Match(op string, values *[grid.WarpSize]uint64, lanes uint32)
	// Reduce returns the values of lanes, reduced with op: their sum, minimum and so on.
	Reduce(op string, unsigned bool, values *[grid.WarpSize]uint64, lanes uint32) uint64
}

// Phases is the state of the threads of a block, for the body of a compiled kernel.
type Phases struct {
	// Current is the rank of the thread whose part of the body runs, which is to blame if that panics;
	// it is negative where the body works for the block as a whole.
	Current int
	// Live is the number of threads that take part: those whose State is 0.
	Live int
	// Row is the number of threads along x of the blocks that NextRow or NextBox has gone on to,
	// Rows that along y.
	Row, Rows int
	// PerThread is how many neighbours in a row stand for one thread; see Each.
	PerThread int
	// State is 0 for a thread that takes part, and 1 for a thread that has returned. For other
	// threads it is the number of the statement by which they left the code that the others still
	// run. It is nil until Track is called.
	State []uint8
	// Vectors reports whether the form with vector instructions is wanted. It is unless the device
	// was opened with gocuda.WithVectors(false).
	Vectors bool

	// Engine runs the block. It is nil when no body does.
	Engine Engine

	dim        grid.Dim3 // of the block
	size       int       // its threads
	wholeWarps bool      // its device has all operations of warps
	room       []uint8
	first      bool // Next has not been called
	faulted    bool // a thread must panic: see Fault

	barriers uint8 // so far
	polls    uint8
	hurry    *atomic.Bool // of the launch
	launch   uint64       // its number among those with the same hurry
	kernel   uint32       // the number of the kernel whose body runs
	facts    facts        // about the launch, for the body

	// At Begin: Live, and the number of threads that had returned.
	live, returned int
}

// Start prepares p for the call of a body: with the shape and the number of threads of its block,
// with hurry, which is set when the launch's context is done, and the launch's number among those with
// that hurry, with the number of the kernel, of which a launch may run several, with the value of Vectors, and whether
// the device has all warp operations.
func (p *Phases) Start(engine Engine, dim grid.Dim3, size int, hurry *atomic.Bool, launch uint64, kernel uint32, vectors, warps bool) {
	if p.hurry != hurry || p.launch != launch || p.kernel != kernel {
		p.launch, p.kernel, p.facts.known = launch, kernel, 0
	}
	p.Engine, p.dim, p.size, p.hurry, p.Vectors, p.wholeWarps = engine, dim, size, hurry, vectors, warps
	p.polls, p.first, p.faulted, p.PerThread = 0, true, false, 1
}

// Size returns the number of threads of the block.
func (p *Phases) Size() int { return p.size }

// Next goes on to the next block, at first to the one that the body was called for. It reports
// whether there is one.
func (p *Phases) Next() bool {
	p.Current = -1
	if p.faulted {
		panic(errFault)
	}
	p.Live = p.size
	p.State = nil
	if p.first {
		p.first = false
		return true
	}
	return p.Engine.Next()
}

// Keep leaves the shared arrays of the block to the blocks that Next goes on to, which name no others.
func (p *Phases) Keep() {
	p.Current = -1
	p.Engine.Keep()
}

// NextRow is Next for kernels that can't tell blocks from each other along x. It takes several
// blocks that are neighbours along x, to be run as one block whose rows have Row threads. BlockIdx
// is that of the first one.
func (p *Phases) NextRow() bool { return p.next(false) }

// NextBox is Next for kernels that can't tell blocks from each other along x and y. It takes blocks
// as NextRow does, or several whole rows of them: they have Rows rows of threads along y. With
// [CompiledColumns] it takes blocks that are neighbours along y, or several whole columns.
func (p *Phases) NextBox() bool { return p.next(true) }

func (p *Phases) next(box bool) bool {
	if !p.Next() {
		return false
	}
	across, down := p.Engine.Run(box)
	p.Row, p.Rows, p.PerThread = across*p.dim.X, down*p.dim.Y, 1
	return true
}

// Each makes the rows that NextRow or NextBox has taken n times as long: in the body, n neighbours
// stand for one thread, which handles n elements.
func (p *Phases) Each(n int) { p.Row, p.PerThread = n*p.Row, n }

// Track makes State, with zeros, for kernels whose threads take different ways.
func (p *Phases) Track() []uint8 {
	if n := p.size; cap(p.room) < n {
		p.room = make([]uint8, n)
	} else {
		p.room = p.room[:n]
		clear(p.room)
	}
	p.State = p.room
	return p.State
}

// First makes the first thread that takes part the current one, which stands for all of them where
// all do the same.
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

// Alive narrows the interval lo to hi-1 of the threads of a row to the smallest interval that has
// all those that take part. base is the rank of the row's first thread. all reports whether all
// threads of the result take part.
func (p *Phases) Alive(base, lo, hi int) (from, to int, all bool) {
	if p.Live == p.size || p.State == nil {
		return lo, hi, true
	}
	from, to, all = aliveIn(p.State[base+lo : base+hi])
	return lo + from, lo + to, all
}

// WholeWarps returns the number of warps that take part if the block has one dimension, all its
// warps are whole, and the threads that take part are those of the first warps; else 0. It also
// returns 0 if the device lacks warp operations.
func (p *Phases) WholeWarps() int {
	if p.dim.Y*p.dim.Z != 1 {
		return 0
	}
	return p.firstWarps()
}

// RowWarps is WholeWarps for blocks of two dimensions in which each row is a warp.
func (p *Phases) RowWarps() int {
	if p.dim.X != grid.WarpSize || p.dim.Z != 1 {
		return 0
	}
	return p.firstWarps()
}

// firstWarps is WholeWarps without the condition on the block's dimensions.
func (p *Phases) firstWarps() int {
	if p.size%grid.WarpSize != 0 || !p.wholeWarps {
		return 0
	}
	if p.State != nil && p.Live != p.size {
		if _, to, all := aliveIn(p.State[:p.Live]); p.Live%grid.WarpSize != 0 || to != p.Live || !all || p.State[0] != 0 {
			return 0
		}
		return p.Live / grid.WarpSize
	}
	return p.size / grid.WarpSize
}

// Among is for a condition that holds for the threads lo to hi-1 of each row. It returns for how
// many of the threads that take part the condition holds. If why is not 0, it is the State of the
// others from now on.
func (p *Phases) Among(lo, hi int, why uint8) (votes int) {
	dimX, all := p.dim.X, p.State == nil || p.Live == p.size
	lo = min(max(lo, 0), dimX)
	hi = min(max(hi, lo), dimX)
	for base := 0; base < p.size; base += dimX {
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

// Swap lets the threads with State why take part again, and gives State others to the threads that
// took part. It reports whether any threads take part now.
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

// Together reports whether no thread that took part at Begin does any more, and some have State
// why. These then take part again. If must is set and some threads have State why, it is an error
// at pos if others still take part or have left in another way than by a return.
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

// Barrier is called at a barrier of the kernel, at which a compiled kernel need not wait. Every
// 16th call polls whether the launch was cancelled, and if so ends the block. Polling in each call
// took 7 % of a matrix product in tiles of 16 by 16.
func (p *Phases) Barrier() {
	if p.barriers++; p.barriers%16 == 0 {
		p.poll()
	}
}

// errFault is the error of a launch whose index was out of range, and no more so when plain Go looked.
var errFault = errors.New("an index of the kernel was out of range, and then changed: another thread stores to it at the same time")

// Fault is called where a func in assembly was left because a thread that is not done panics, though it
// had stored something. It returns the number of threads that are done, which is the result of the func
// with its bits inverted. Plain Go executes these threads again, from their beginning, and panics at the
// place in question; Next panics if it did not.
func (p *Phases) Fault(result int) (done int) {
	p.faulted = true
	return ^result
}

// Poll is called in loops whose trip count is not known. If the launch is being cancelled it does
// not return but unwinds the block, by a panic that is nobody's error: deferred functions run. It
// may be called wherever Current may be set, by the goroutine of the body. It costs a load and an
// increment. Every 256th call looks at the context itself, because hurry is set only for launches
// that a goroutine watches.
func (p *Phases) Poll() {
	if p.polls++; p.polls == 0 || p.hurry.Load() {
		p.poll()
	}
}

// poll is a function of its own so that the compiler inlines Barrier and Poll.
//
//go:noinline
func (p *Phases) poll() { p.Engine.Poll() }

// Agree returns whether a condition holds that is followed by a barrier, so that all threads that
// take part must agree on it. votes is the number of these threads for which it holds, pos the
// place of the condition in the source.
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
	panic(p.Engine.Diverged(pos, votes, p.Live-votes))
}
