package gocuda

import (
	"sync/atomic"

	"github.com/gocuda/gocuda/internal/observe"
)

// What the runtime tells an observer; see packages gocuda/rt/probe and gocuda/rt/warps. With one, a launch has one worker, kernels run
// their source in place of a compiled form, and blocks run in order, so that two runs are the same.

func init() { observe.Current, observe.OnStack = currentThread, onStack }

// observed reports whether there is an observer.
func observed() bool { return observe.Hook != nil }

var launchIDs atomic.Int64

// What follows is called only where there is one, so that a launch without pays for a comparison.

// observeLaunch tells of a launch that has been prepared.
func (l *launch) observeLaunch() {
	l.seen = &observe.Launch{ID: int(launchIDs.Add(1)), Name: l.name(), Grid: l.cfg.Grid, Block: l.cfg.Block}
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
	} else {
		observe.Hook.Group(m.seen, g.seen[:])
	}
	clear(g.seen[:])
}
