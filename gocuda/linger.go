//go:build race

package gocuda

import "sync"

// lingerers is how many goroutines of a launch stay when they have done their work: the last ones. The race detector knows
// goroutines by numbers, of which it has some 250, and gives the number of one that ended to the next one, whose accesses then pass for
// the other's: conflicts would be missed. More would not help, and each costs some 20 KB.
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

// stay waits for the end, or until so many others have come that it is no use any more. The race detector does not see it.
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
