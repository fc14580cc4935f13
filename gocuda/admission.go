//go:build race

package gocuda

import (
	"context"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// Under the race detector each thread is a goroutine, which costs some 20 KB, and those that have ended linger. So the launches
// of the process have a budget. One beyond it waits, but
//
//   - launches that kernels make, and cooperative ones, never wait: others may be waiting for them;
//   - one that is larger than the budget runs alone;
//   - the first in the queue is let in when nothing moves: launches may wait for each other, in ways that nobody can see.
//
// This is not a semaphore.Weighted of golang.org/x/sync, though it does what one does. That would be in the race detector's sight,
// and order launches that nothing orders. It can't be hidden: its code would be reported, as other packages' is. And its channels
// must not be used by several bubbles of testing/synctest, which have a budget in common with the rest of the process. Hence
// who waits sleeps and looks again, which orders nobody, and in a bubble ends when all others wait as well.

const (
	// budget is how many goroutines there may be, more or less: some 150 MB.
	budget = 4096

	glance = time.Millisecond // between two looks of the first in the queue; others look less often

	// How many looks in a row find that no goroutine of the process runs, and nothing has moved, before the first is let in. If
	// some run, such as a kernel that polls, many looks must find that nothing has moved.
	quietLooks = 3
	stuckLooks = 250
)

var admission struct {
	mu    hiddenMutex
	used  int
	queue []*bid
	moves atomic.Uint64 // blocks that begin and end, threads that end and are released, launches
}

// A bid is a launch that waits to be let in.
type bid struct{ cost int }

// A pass is what a launch was let in with. It has to be left.
type pass struct {
	cost   int
	labels *kernelInfo // to be forgotten
}

// admit waits until there is room for a launch, unless it can't wait, or until ctx is done.
func (d *Device) admit(ctx context.Context, l *launch, waits bool) (pass, error) {
	p := pass{labels: l.info.register()}
	if !waits || d.executor != ExecutorGoroutine || isNested() {
		return p, nil
	}
	p.cost = min(l.blocks*(l.threads+1), l.threads+1+lingerers)
	if !enter(ctx, &bid{p.cost}) {
		p.cost = 0
		p.leave()
		return p, cancelled(ctx)
	}
	return p, nil
}

// enter waits for room. It reports false if ctx was done before.
func enter(ctx context.Context, b *bid) bool {
	in, place := b.try(false)
	if in {
		return true
	}
	var seen uint64
	quiet, still := 0, 0
	for {
		time.Sleep(glance * time.Duration(1+min(place, 15)))
		select {
		case <-ctx.Done():
			b.withdraw()
			return false
		default:
		}
		if moves := movesNow(); place > 0 || moves != seen {
			seen, quiet, still = moves, 0, 0
		} else if still++; nobodyRuns() {
			quiet++
		} else {
			quiet = 0
		}
		if in, place = b.try(quiet >= quietLooks || still >= stuckLooks); in {
			return true
		}
	}
}

// try lets b in if it is the first in the queue, and there is room or nothing moves. It returns its place in the queue.
//
//go:norace
func (b *bid) try(stuck bool) (in bool, place int) {
	a := &admission
	a.mu.Lock()
	defer a.mu.Unlock()
	for place < len(a.queue) && a.queue[place] != b {
		place++
	}
	if place > 0 || !stuck && a.used > 0 && a.used+b.cost > budget {
		if place == len(a.queue) {
			a.queue = append(a.queue, b)
		}
		return false, place
	}
	if len(a.queue) > 0 {
		a.queue[0] = nil
		a.queue = a.queue[1:]
	}
	a.used += b.cost
	a.moves.Add(1)
	return true, 0
}

//go:norace
func (b *bid) withdraw() {
	a := &admission
	a.mu.Lock()
	defer a.mu.Unlock()
	k := 0
	for _, o := range a.queue {
		if o != b {
			a.queue[k] = o
			k++
		}
	}
	a.queue[k] = nil
	a.queue = a.queue[:k]
}

// leave gives back what the launch was let in for.
//
//go:norace
func (p pass) leave() {
	a := &admission
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used -= p.cost
	a.moves.Add(1)
	p.labels.forget()
}

// moved takes note that a kernel goes on.
//
//go:norace
func moved() {
	raceDisable()
	admission.moves.Add(1)
	raceEnable()
}

//go:norace
func movesNow() uint64 {
	raceDisable()
	defer raceEnable()
	return admission.moves.Load()
}

// nobodyRuns reports whether all goroutines of the process wait. Package metrics has a lock, so who asks it is a goroutine that
// has to do with nobody.
//
//go:norace
func nobodyRuns() bool {
	raceDisable()
	defer raceEnable()
	lookers.Add(1)
	running := make(chan uint64)
	go countRunning(running)
	n := <-running
	return int64(n) <= lookers.Add(-1)+1 // those that count, themselves
}

// lookers is how many goroutines are counting those that run.
var lookers atomic.Int64

func countRunning(running chan<- uint64) {
	origin.acquire()
	s := []metrics.Sample{{Name: "/sched/goroutines/running:goroutines"}, {Name: "/sched/goroutines/runnable:goroutines"}}
	metrics.Read(s)
	n := s[0].Value.Uint64() + s[1].Value.Uint64()
	raceDisable()
	running <- n
	raceEnable()
}

// kernelLabels has the pprof labels of all kernels, by the address that a goroutine has of them: goroutines inherit labels, so who has these
// was started by a kernel.
var kernelLabels sync.Map

// register makes the labels of info known as those of a kernel. It returns info if they have to be forgotten, since they are made of the
// labels of one context.
//
//go:norace
func (info *kernelInfo) register() *kernelInfo {
	old := goroutineLabels()
	info.set()
	info.labels = goroutineLabels()
	setGoroutineLabels(old)
	raceDisable()
	kernelLabels.Store(info.labels, nil)
	raceEnable()
	if info.made != nil {
		return nil
	}
	return info
}

//go:norace
func (info *kernelInfo) forget() {
	if info != nil {
		raceDisable()
		kernelLabels.Delete(info.labels)
		raceEnable()
	}
}

// isNested reports whether a kernel has started the goroutine, or is it.
//
//go:norace
func isNested() bool {
	labels := goroutineLabels()
	raceDisable()
	defer raceEnable()
	_, ok := kernelLabels.Load(labels)
	return ok
}

// patienceWithRunaways is how long a launch waits for blocks of others that have been given up, before it begins.
const patienceWithRunaways = time.Second

// awaitRunaways gives blocks that have been given up some time to end, since what they and l have in common is a race. The clock
// of l runs meanwhile: if its context is done it will not begin.
//
//go:norace
func (l *launch) awaitRunaways() {
	raceDisable()
	defer raceEnable()
	for range patienceWithRunaways / glance {
		if l.dev.pool.strays.Load() == 0 {
			return
		}
		select {
		case <-l.done:
			return
		default:
			time.Sleep(glance)
		}
	}
}
