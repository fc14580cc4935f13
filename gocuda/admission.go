//go:build race

package gocuda

import (
	"context"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// Admission of launches under the race detector. There each thread is a goroutine of some 20 KB,
// and goroutines that have ended linger (see linger.go). So all launches of the process share a
// budget of goroutines. A launch for which too little of the budget is left waits, with three
// exceptions:
//
//   - Launches made by kernels, and cooperative launches, never wait: other launches may wait for them.
//   - A launch that needs more than the whole budget runs alone.
//   - The first launch in the queue is admitted when nothing in the process makes progress: launches
//     may wait for each other in ways that the runtime can't see.
//
// A semaphore.Weighted of golang.org/x/sync would do the same, but it has two faults here. The race
// detector would see its synchronization and take launches for ordered that nothing orders. To hide
// it does not help: then the detector would report its memory accesses. And its channels must not
// be used in several bubbles of testing/synctest, which share the budget with the rest of the
// process. Hence a waiting launch polls: it sleeps and looks again. Sleeping orders nothing, and in
// a bubble the sleep ends as soon as all other goroutines of the bubble are blocked.

const (
	// budget is about the largest number of goroutines of all launches together: some 150 MB.
	budget = 4096

	glance = time.Millisecond // between two looks of the first in the queue; others look less often

	// quietLooks is the number of successive looks without a running goroutine in the process and
	// without progress after which the first launch is admitted. stuckLooks is the number of
	// successive looks without progress alone: goroutines may run, such as a kernel that polls.
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

// A pass is the admission of a launch. leave must be called when the launch has ended.
type pass struct {
	cost   int
	labels *kernelInfo // what leave removes from kernelLabels; nil if they stay
}

// admit waits until the budget has room for l, or until ctx is done. It does not wait if waits is
// false, on coroutines, and for launches by kernels.
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

// try admits b if b is the first in the queue and the budget has room for it or stuck is set.
// Otherwise it returns the index of b in the queue, to which it adds b if need be.
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

// leave gives the goroutines of the launch back to the budget.
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

// moved records that some kernel has made progress.
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

// nobodyRuns reports whether all goroutines of the process are blocked. Package metrics takes a
// lock, which the race detector sees; so a separate goroutine calls it, which is ordered with no
// thread.
//
//go:norace
func nobodyRuns() bool {
	raceDisable()
	defer raceEnable()
	lookers.Add(1)
	running := make(chan uint64)
	go countRunning(running)
	n := <-running
	return int64(n) <= lookers.Add(-1)+1 // the counting goroutines run themselves
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

// kernelLabels is the set of the pprof labels of all kernels, by the address that a goroutine has
// for them. A goroutine inherits the labels of its creator, so a goroutine with one of these labels
// runs a kernel or was started by one.
var kernelLabels sync.Map

// register adds the labels of info to kernelLabels. It returns info if they have to be removed
// after the launch, because they were made from the labels of one context; otherwise it returns
// nil.
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

// isNested reports whether the calling goroutine runs a kernel or was started by one.
//
//go:norace
func isNested() bool {
	labels := goroutineLabels()
	raceDisable()
	defer raceEnable()
	_, ok := kernelLabels.Load(labels)
	return ok
}

// patienceWithRunaways is the longest time that a launch waits, before it begins, for blocks of
// other launches that were given up.
const patienceWithRunaways = time.Second

// awaitRunaways gives blocks of launches that were given up some time to end, since data that they
// share with l would be a data race. The timeout of l runs meanwhile; if the context of l is done,
// l does not begin.
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
