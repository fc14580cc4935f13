package gocuda

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A strand is the part that Thread and Warp have in common: something that runs the kernel and can
// wait for others of its block. See [meet].
type strand struct {
	b       *Block
	id      int    // number in the block: the rank of a thread, the number of a warp
	fiber   *fiber // the coroutine that runs it; nil on the goroutine executor
	cursor  int    // how many shared arrays it has named
	state   strandState
	unwound int           // how often it was unwound
	sema    chan struct{} // on the goroutine executor: where it waits
	gone    *raceCell     // released when it returned; only under the race detector
	told    bool          // likewise: others were told that it waits or has returned
}

// strandState has a bit for everything that has to be put right when a strand ends. It is zero for
// most threads of most kernels, so that the loop over threads tests one word.
type strandState uint32

const (
	usedShared   strandState = 1 << iota // cursor is not 0
	met                                  // the strand is registered in meet: it needs an exit of its own
	waits                                // on the goroutine executor: inside park
	arrivedSplit                         // between Arrive and Wait
	arrivedGrid                          // between ArriveGrid and WaitGrid
)

// unwinding is the panic value that takes a strand back to its executor when its block has failed.
// It is nobody's error: the block's failure is recorded already.
type unwinding struct{}

// patience is how often a kernel may recover from being unwound.
const patience = 100

// unwind ends the strand. Deferred functions of the kernel run. A kernel that recovers and goes on
// is unwound again at its next barrier or warp operation. After that has happened patience times,
// the strand ends by Goexit, which can't be recovered.
func (s *strand) unwind() {
	if s.unwound++; s.unwound > patience {
		runtime.Goexit()
	}
	if t := s.b.launch.timeout; t != nil && s.unwound == 1 {
		_, unit := s.b.place(s.id)
		s.b.launch.noteStopped(unit)
	}
	panic(unwinding{})
}

// barrier waits until all strands of the block that have not returned are at a barrier of this kind,
// and returns the number of true predicates, or 1 or 0 for And and Or.
//
//go:norace
func (s *strand) barrier(kind op, pred bool) int {
	b := s.b
	var path *callPath
	if b.checked {
		path = kernelPath()
	}
	if s.state&arrivedSplit != 0 {
		panic(splitBarrier(kind))
	}
	if s.fiber == nil {
		return b.threads.barrier(s, kind, pred, path)
	}
	x := b.fibers
	x.enter(s)
	done, wrong := x.m.arriveBlock(s.id, kind, pred, path)
	if wrong != nil {
		panic(wrong())
	}
	if !done {
		x.park(s, kind, 0)
	} else if b.cancelled() {
		s.unwind()
	}
	return x.m.result
}

// splitBarrier is a function of its own to keep the frame of barrier small, which every thread that
// waits has.
//
//go:noinline
func splitBarrier(kind op) error {
	return fmt.Errorf("%w: %v between Arrive and Wait", ErrBarrierDivergence, kind)
}

// meetWarp waits until all lanes of mask that have not returned are at the same operation. The
// results are in the lane's laneState then.
//
//go:norace
func (s *strand) meetWarp(kind op, mask uint32, pred bool, operand uint64, source uint8, store exchanger) *laneState {
	b := s.b
	if s.fiber == nil {
		return b.threads.meetWarp(s, kind, mask, pred, operand, source, store)
	}
	x := b.fibers
	x.enter(s)
	l := &x.m.warps[s.id/32].lanes[s.id%32]
	l.bits, l.source = operand, source
	done, wrong := x.m.arriveWarp(s.id, kind, mask, pred, store)
	if wrong != nil {
		panic(wrong())
	}
	if !done {
		x.park(s, kind, mask)
	}
	return l
}

// activeMask waits until no other lane of the warp can come to the same place.
//
//go:norace
func (s *strand) activeMask(site uintptr) uint32 {
	b := s.b
	if s.fiber == nil {
		return b.threads.activeMask(s, site)
	}
	x := b.fibers
	x.enter(s)
	x.m.arriveActiveMask(s.id, site)
	x.park(s, opActiveMask, 0)
	return uint32(x.m.warps[s.id/32].lanes[s.id%32].bits)
}

// nanosleep lets the other strands of the block go on, and sleeps only once they all wait.
func (s *strand) nanosleep(d time.Duration) {
	if s.fiber == nil {
		s.b.threads.pause(s, d, opNanosleep)
		return
	}
	wake := time.Now().Add(d)
	x := s.b.fibers
	x.enter(s)
	x.m.sleep(s.id)
	x.park(s, opNanosleep, 0)
	sleepUntil(wake, s.b.launch.done, s.b.launch.failed())
	if s.b.cancelled() {
		s.unwind()
	}
}

// sleepUntil sleeps until the given time, or until one of the channels is closed.
func sleepUntil(wake time.Time, done, quit <-chan struct{}) {
	left := time.Until(wake)
	if left <= 0 {
		return
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-done:
	case <-quit:
	}
}

// A waiter says where a strand of a deadlocked block waited. The strand makes it while it unwinds.
type waiter struct {
	id   int
	op   op
	mask uint32
	site uintptr
}

// deadlock makes the error of a deadlock, which lists the places where strands wait and how many
// wait at each.
func deadlock(waiters []waiter, unit string) error {
	type place struct {
		op   op
		mask uint32
		site uintptr
	}
	var order []place
	at1 := map[place][]int{}
	slices.SortFunc(waiters, func(v, w waiter) int { return v.id - w.id })
	for _, w := range waiters {
		p := place{w.op, w.mask, w.site}
		if at1[p] == nil {
			order = append(order, p)
		}
		at1[p] = append(at1[p], w.id)
	}
	var parts []string
	for _, p := range order {
		ids := at1[p]
		verb := "wait"
		if p.op == opSpin {
			verb = "spin"
		}
		who := fmt.Sprintf("%s %d %ss", unit, ids[0], verb)
		if len(ids) > 1 {
			who = fmt.Sprintf("%d %ss (the first is %d) %s", len(ids), unit, ids[0], verb)
		}
		if p.op == opSpin {
			parts = append(parts, who+at(p.site))
			continue
		}
		mask := ""
		switch {
		case p.op >= opBarSync && p.op <= opBarRedOr:
			mask = fmt.Sprintf(" of barrier %d", p.mask)
		case p.mask != 0:
			mask = fmt.Sprintf(" with mask %#08x", p.mask)
		}
		parts = append(parts, fmt.Sprintf("%s in %v%s%s", who, p.op, mask, at(p.site)))
	}
	return fmt.Errorf("%w: %s", ErrBarrierDeadlock, strings.Join(parts, "; "))
}

// isUnwinding tells the runtime's own panic from the kernel's.
func isUnwinding(v any) bool {
	_, ok := v.(unwinding)
	return ok
}
