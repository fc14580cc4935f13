//go:build race

package gocuda

import "sync"

// lingerers is the number of goroutines of a launch that stay after their work is done: the last
// ones. The race detector has some 250 numbers for goroutines, and gives the number of a goroutine
// that ended to a new one. Accesses of the new goroutine then pass for those of the old one, and
// conflicts between the two are missed. More lingerers would not help, and each costs some 20 KB.
const lingerers = 256

// A linger holds the goroutines of a launch of the host and of its children.
type linger struct {
	over    chan struct{}
	errands chan *errand
	pass    pass // see admission.go

	mu   sync.Mutex // hidden
	last [lingerers]chan struct{}
	n    int
}

func newLinger(p pass) *linger {
	l := &linger{over: make(chan struct{}), errands: make(chan *errand), pass: p}
	go l.runErrands()
	return l
}

// end lets the goroutines go.
func (l *linger) end() {
	close(l.over)
	l.pass.leave()
}

// stay blocks the calling goroutine until the launch has ended, or until lingerers others have come
// after it. The race detector does not see it.
//
//go:norace
func (l *linger) stay() {
	raceDisable()
	mine := make(chan struct{})
	l.mu.Lock()
	first := l.last[l.n%lingerers]
	l.last[l.n%lingerers] = mine
	l.n++
	l.mu.Unlock()
	if first != nil {
		close(first)
	}
	select {
	case <-mine:
	case <-l.over:
	}
	raceEnable()
}

type errand struct {
	r    *childRequest
	err  error
	done chan struct{}
	cell *raceCell // orders what err points to
}

// runErrands makes the launches that threads ask for, until the end. It runs on a goroutine of its
// own, which the race detector does not see the threads communicate with; otherwise the locks that
// a launch takes would order the threads. Race cells order the writes that a child may see. The
// host starts this goroutine: if a thread did, it would be ordered after that thread.
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
