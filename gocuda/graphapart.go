package gocuda

import "fmt"

// Under the race detector, or with an observer, each step of a graph runs on a goroutine of its
// own, which is ordered after the steps that it waits for and after nothing else. On the workers of
// the graph, independent branches would appear to be ordered.

// stepCells are the race cells that order the steps of a launch. Without the race detector and an
// observer there are none.
type stepCells struct {
	begin *raceCell   // released by the stream
	entry []*raceCell // of each step, released by those that it waits for
	end   *raceCell   // released by all
}

func (l *graphLaunch) newCells() {
	if !raceEnabled && !observed() {
		return
	}
	l.cells = stepCells{newRaceCell(), make([]*raceCell, len(l.steps)), newRaceCell()}
	for i := range l.cells.entry {
		l.cells.entry[i] = newRaceCell()
	}
	l.cells.begin.release()
}

// runStep does what a node does, on worker w.
func (l *graphLaunch) runStep(w *worker, step int32) error {
	if !raceEnabled && !observed() {
		return l.doStep(w, &l.steps[step])
	}
	done := make(chan error, 1)
	raceDisable()
	go l.runStepApart(w, step, done)
	err := <-done
	raceEnable()
	if err != nil {
		l.cells.end.acquire()
	}
	return err
}

func (l *graphLaunch) runStepApart(w *worker, step int32, done chan<- error) {
	origin.acquire()
	defer act(newActor())()
	l.enterStep(step)
	if l.ids != nil {
		willLaunch(l.ids[step])
	}
	var err error
	returned := false
	defer func() {
		if !returned { // Goexit
			err = fmt.Errorf("gocuda: graph: %w", errGoexitCallback)
		}
		for _, d := range l.x.shape.dependents[step] {
			l.cells.entry[d].release()
		}
		l.cells.end.release()
		raceDisable()
		done <- err
		raceEnable()
	}()
	g := self()
	register(g, w.block)
	defer unregister(g)
	err = l.doStep(w, &l.steps[step])
	returned = true
}

//go:norace
func (l *graphLaunch) enterStep(step int32) {
	l.cells.begin.acquire()
	l.cells.entry[step].acquire()
}
