package gocuda

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/observe"
)

// The events that the runtime reports to an observer; see packages gocuda/rt/probe and
// gocuda/rt/warps. With an observer, a launch has one worker, kernels run their source in place of
// a compiled form, and blocks run in order, so that two runs report the same.

func init() {
	observe.Current, observe.OnStack, observe.CurrentActor = currentThread, onStack, currentActor
}

// observed reports whether there is an observer.
func observed() bool { return observe.Hook != nil }

var launchIDs atomic.Int64

// nextLaunchID returns the number of a launch that is asked for, or 0 without an observer.
func nextLaunchID() int {
	if !observed() {
		return 0
	}
	return int(launchIDs.Add(1))
}

// willLaunch notes that the next launch of the goroutine's stream is the one with the number.
func willLaunch(id int) {
	if id > 0 {
		if a := currentActor(); a != nil {
			a.Launch = id
		}
	}
}

// number gives the launches of a graph their numbers.
func (l *graphLaunch) number() {
	if !observed() {
		return
	}
	l.ids = make([]int, len(l.steps))
	for i := range l.steps {
		if l.steps[i].kind == GraphNodeKernel {
			l.ids[i] = nextLaunchID()
		}
	}
}

// The functions below are called only if there is an observer, so a launch without one pays for a
// comparison.

// observeLaunch tells of a launch that has been prepared.
func (l *launch) observeLaunch() {
	a := currentActor()
	l.seen = &observe.Launch{Name: l.name(), Grid: l.cfg.Grid, Block: l.cfg.Block, Actor: a}
	if a != nil {
		l.seen.ID, a.Launch = a.Launch, 0
	}
	if l.seen.ID == 0 {
		l.seen.ID = nextLaunchID()
	}
	observe.Hook.LaunchBegin(l.seen)
}

func (l *launch) observeEnd() {
	observe.Hook.LaunchEnd(l.seen)
	l.seen = nil
}

// observeBegin tells that the block begins, with the dynamic shared memory that it may have.
func (b *Block) observeBegin() {
	g := b.GridDim
	b.seen = &observe.Block{
		Launch: b.launch.seen, Idx: b.BlockIdx, Threads: b.size,
		Index: b.BlockIdx.X + g.X*(b.BlockIdx.Y+g.Y*b.BlockIdx.Z),
		Apart: b.launch.executor == ExecutorGoroutine,
	}
	observe.Hook.BlockBegin(b.seen)
	if raw := b.shared.raw; len(raw) > 0 {
		observe.Hook.Shared(b.seen, addressOf(raw), len(raw))
	}
}

func (b *Block) observeEnd() {
	observe.Hook.BlockEnd(b.seen)
	b.seen = nil
}

// observePhase tells that a phase of a block kernel begins or has ended, which orders all threads.
func (b *Block) observePhase() {
	observe.Hook.Barrier(b.seen)
}

// observeStrands tells whether the strands of the phase that begins are warps.
func (b *Block) observeStrands(warps bool) {
	if b.seen != nil {
		b.seen.Warps = warps
	}
}

// currentThread implements observe.Current.
func currentThread() (*observe.Block, int) {
	var f *fiber
	switch r := registered(self()).(type) {
	case *fiber:
		f = r
	case *strand:
		return r.b.seen, r.id
	case *Block:
		if f = r.rootFiber(); f == nil {
			switch {
			case !r.running || r.seen == nil:
				return nil, 0
			case r.inEach && r.each != nil:
				return r.seen, r.each.id
			}
			return r.seen, r.seen.Threads
		}
	}
	if f == nil || f.x.b == nil {
		return nil, 0
	}
	if f.x.b.warpFunc != nil {
		return f.x.b.seen, f.warp.id
	}
	return f.x.b.seen, f.thread.id
}

func (s *strand) observeFence() {
	if observed() && s.b.seen != nil {
		observe.Hook.Fence(s.b.seen, s.id)
	}
}

// observeGathering tells that the phase of g ends.
//
//go:norace
func (m *meet) observeGathering(g *gathering) {
	if m.seen == nil {
		return
	}
	if m.more != nil && g == &m.more.grid {
		observe.Hook.Barrier(m.seen)
		observe.Hook.Grid(m.seen, g.phase)
		return
	}
	if g.at == nil {
		g.at = new(observe.Cell)
	}
	for w := range g.waiting[:grid.Warps(m.n)] {
		if g.strands { // who has returned counts as arrived
			for gone := g.span(w) &^ m.alive(w); gone != 0; gone &= gone - 1 {
				observe.Hook.Release(m.seen, w*32+bits.TrailingZeros32(gone), g.at)
			}
		}
	}
	for w := range g.waiting[:grid.Warps(m.n)] {
		for lanes := g.waiting[w]; lanes != 0; lanes &= lanes - 1 {
			observe.Hook.Acquire(m.seen, w*32+bits.TrailingZeros32(lanes), g.at)
		}
	}
	g.was, g.at = g.at, nil
}

// observeArrival tells that strand i has come to g.
//
//go:norace
func (m *meet) observeArrival(g *gathering, i int) {
	if m.seen == nil || m.more != nil && g == &m.more.grid {
		return
	}
	if g.at == nil {
		g.at = new(observe.Cell)
	}
	observe.Hook.Release(m.seen, i, g.at)
}

// observePassed tells that strand i goes on, since the phase of g before the one under way has
// completed.
//
//go:norace
func (m *meet) observePassed(g *gathering, i int) {
	if m.seen != nil && g.was != nil {
		observe.Hook.Acquire(m.seen, i, g.was)
	}
}

// actors has the actors of goroutines, by self.
var actors sync.Map

func currentActor() *observe.Actor {
	a, _ := actors.Load(self())
	actor, _ := a.(*observe.Actor)
	return actor
}

// observedCall returns f, wrapped so that an observer learns the stack of the code that queued it.
func observedCall(f func() error) func() error {
	if !observed() {
		return f
	}
	pcs := make([]uintptr, 16)
	pcs = pcs[:runtime.Callers(3, pcs)]
	return func() error {
		if a := currentActor(); a != nil {
			a.Call = pcs
			defer func() { a.Call = nil }()
		}
		return f()
	}
}

// newActor returns an actor if there is an observer.
func newActor() *observe.Actor {
	if !observed() {
		return nil
	}
	return new(observe.Actor)
}

// act makes the calling goroutine work for an actor until the func returned is called.
func act(a *observe.Actor) func() {
	if a == nil {
		return func() {}
	}
	g := self()
	before, was := actors.Swap(g, a)
	return func() {
		if was {
			actors.Store(g, before)
		} else {
			actors.Delete(g)
		}
	}
}

// An observedCell is a raceCell's part for an observer.
type observedCell = observe.Cell

// observeCell tells that the calling goroutine, if it runs no kernel, has released or acquired c.
func observeCell(c *observedCell, release bool) {
	if b, _ := currentThread(); b != nil {
		return // launches of kernels are ordered otherwise
	}
	if release {
		observe.Hook.ReleaseActor(currentActor(), c)
	} else {
		observe.Hook.AcquireActor(currentActor(), c)
	}
}

// observeHostCall tells that the calling goroutine calls a function of the host for a stream.
func observeHostCall() {
	if observed() {
		observe.Hook.HostCall(currentActor())
	}
}

// outlive wraps the kernel so that a strand may fail without ending the launch, if the observer
// allows it. A strand that has failed then counts as returned, and the others go on.
func (b *Block) outlive() {
	if b.seen == nil {
		return
	}
	b.seen.Warps = b.warpFunc != nil
	if f := b.threadFunc; f != nil {
		b.threadFunc = func(t *Thread) {
			defer b.outlived(&t.strand)
			f(t)
		}
	}
	if f := b.warpFunc; f != nil {
		b.warpFunc = func(w *Warp) {
			defer b.outlived(&w.strand)
			f(w)
		}
	}
}

// outlived is deferred by a strand.
func (b *Block) outlived(s *strand) {
	v := recover()
	switch {
	case v == nil:
		return
	case isUnwinding(v):
		panic(v)
	}
	e := b.failureOf(s, v)
	if e.outlived {
		b.launch.keep(e)
		return
	}
	b.fail(e)
	panic(unwinding{})
}

// keep makes err the error of the launch, if it is the first. The launch goes on.
func (l *launch) keep(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
	}
}

// observeStuck tells of a deadlock.
func (b *Block) observeStuck(waiters []waiter) {
	if b.seen == nil {
		return
	}
	var ranks []int
	for _, w := range waiters {
		ranks = append(ranks, w.id)
	}
	observe.Hook.Stuck(b.seen, ranks)
}
