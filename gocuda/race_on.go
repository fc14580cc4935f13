//go:build race

package gocuda

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// The runtime tells the race detector by hand which threads of a kernel are ordered, and hides its
// own locks from it. Otherwise the lock that every thread takes in Shared or on its way into a
// barrier would order threads that CUDA does not order, and a missing barrier would go unreported.
//
// The rules, which TestRaceDetector holds us to:
//   - what touches the state of a running block does so between raceDisable and raceEnable, under the
//     executor's lock, in functions marked go:norace;
//   - nothing is formatted there: package fmt reuses buffers under locks of its own, which would be hidden
//     too, and would be reported. What is wrong is returned as a func that makes the error later. Nor
//     is a timer made there: package time finds out about the environment on the first call, and what the
//     runtime does when the timer fires would not come after that it was made;
//   - a raceCell stands for one meeting: a barrier, a warp operation, the end of a phase. Who arrives
//     releases it, who goes on acquires it. A cell is used for one meeting only: a slow leaver of
//     the last meeting must not pick up what belongs to the next.

const raceEnabled = true

type raceCell struct{ _ byte }

func newRaceCell() *raceCell { return new(raceCell) }

func (c *raceCell) acquire() { runtime.RaceAcquire(unsafe.Pointer(c)) }
func (c *raceCell) release() { runtime.RaceReleaseMerge(unsafe.Pointer(c)) }

func raceDisable() { runtime.RaceDisable() }
func raceEnable()  { runtime.RaceEnable() }

// sleepApart is sleepUntil out of the race detector's sight. It sleeps piece by piece, since time.Sleep orders nobody, which
// a timer does: goroutines that run when timers fire come after all who made timers.
func sleepApart(wake time.Time, done, quit <-chan struct{}) {
	for nap := 100 * time.Microsecond; ; nap = min(2*nap, 10*time.Millisecond) {
		left := time.Until(wake)
		if left <= 0 {
			return
		}
		time.Sleep(min(left, nap))
		select {
		case <-done:
			return
		case <-quit:
			return
		default:
		}
	}
}

// lingerers is how many goroutines of a launch stay until it ends. The race detector knows goroutines by
// number, and gives the number of one that ended to a new one, whose accesses then pass for the old one's:
// conflicts would be missed. Each costs some 20 KB, so there is a bound.
const lingerers = 4096

// A linger holds the goroutines of a launch of the host and of its children.
type linger struct {
	over    chan struct{}
	n       atomic.Int32
	errands chan *errand
}

func newLinger() *linger {
	l := &linger{over: make(chan struct{}), errands: make(chan *errand)}
	go l.runErrands()
	return l
}

// end lets the goroutines go.
func (l *linger) end() { close(l.over) }

// stay waits for the end, out of the race detector's sight.
//
//go:norace
func (l *linger) stay() {
	raceDisable()
	if l.n.Add(1) <= lingerers {
		<-l.over
	}
	raceEnable()
}

// format is fmt.Sprintf. Package fmt reuses buffers, which would order the threads that format one after
// the other; so the work is done in a goroutine that nothing comes after.
//
//go:norace
func format(form string, args []any) string {
	text := make(chan string, 1)
	go func() {
		s := ""
		defer func() {
			raceDisable()
			text <- s
			raceEnable()
		}()
		s = fmt.Sprintf(form, args...)
	}()
	raceDisable()
	s := <-text
	raceEnable()
	return s
}

type errand struct {
	r    *childRequest
	err  error
	done chan struct{}
	cell *raceCell // orders what err points to
}

// runErrands makes the launches that threads ask for, until the end. It is a goroutine of its own, of which the race
// detector does not know that it has to do with the threads: the locks that a launch takes would order them
// otherwise. What the child may see is ordered by cells. The host starts it: one that a thread started would come
// after the thread.
//
//go:norace
func (l *linger) runErrands() {
	for {
		raceDisable()
		var e *errand
		select {
		case e = <-l.errands:
		case <-l.over:
			raceEnable()
			return
		}
		r := *e.r
		raceEnable()
		r.l.made.acquire()
		if err := r.launch(); err != nil {
			e.err = err
			e.cell.release()
		}
		raceDisable()
		close(e.done)
		raceEnable()
	}
}

// send makes the launch that r asks for.
//
//go:norace
func (r *childRequest) send() error {
	e := &errand{r: r, done: make(chan struct{}), cell: newRaceCell()}
	raceDisable()
	r.l.lingers.errands <- e
	<-e.done
	raceEnable()
	if e.err != nil {
		e.cell.acquire()
	}
	return e.err
}
