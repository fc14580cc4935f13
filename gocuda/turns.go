//go:build race

package gocuda

import (
	"sync/atomic"
	"time"
)

// Under the race detector the strands of a block begin one after the other, each when the one
// before has come to a meeting or has returned. The detector sees no less, since these turns order
// nothing; but of the up to 1024 goroutines of a block only few run at a time. A strand that runs
// for long, or waits for something that only a later strand will do, holds up the others for a
// limited time. When the launch is cancelled, strands that have not begun don't begin.

const (
	turnLook  = time.Millisecond // between two looks whether a strand that goes on holds up others
	turnLooks = 500              // how many of them it may go on while goroutines of the process run
)

// turns is the state of the turns in which the strands of a block begin.
type turns struct {
	step  chan struct{} // from a strand that has come somewhere, or who watches, to who starts the next one
	over  chan struct{} // closed when all have begun
	begun atomic.Int32  // strands
}

// paused is called, with x locked, by a strand that waits, sleeps or has returned.
//
//go:norace
func (x *threads) paused(s *strand) {
	if s.told {
		return
	}
	s.told = true
	x.nextTurn()
}

func (x *threads) nextTurn() {
	select {
	case x.step <- struct{}{}:
	default:
	}
}

// awaitTurn waits until strand i may begin.
//
//go:norace
func (x *threads) awaitTurn(i int) {
	switch i {
	case 0:
		x.step, x.over = make(chan struct{}, 1), make(chan struct{})
	case 1:
		go x.watchTurns(x.b.launch.done, x.over)
	}
	raceDisable()
	defer raceEnable()
	if i > 0 {
		<-x.step
	}
	x.begun.Store(int32(i))
}

// endTurns is called when all strands have begun.
//
//go:norace
func (x *threads) endTurns() {
	raceDisable()
	close(x.over)
	raceEnable()
}

// watchTurns lets further strands begin when one holds them up. It is a goroutine of its own since
// timers are in the race detector's sight.
func (x *threads) watchTurns(done <-chan struct{}, over chan struct{}) {
	var seen int32
	timer := time.NewTimer(turnLook)
	defer timer.Stop()
	for looks := 0; ; looks++ {
		select {
		case <-over:
			return
		case <-done: // those that have not begun won't
			looks, done = turnLooks, nil
		case <-timer.C:
			timer.Reset(turnLook)
		}
		raceDisable()
		if begun := x.begun.Load(); begun != seen {
			seen, looks = begun, 0
		} else if looks >= turnLooks || nobodyRuns() {
			looks = 0
			x.nextTurn()
		}
		raceEnable()
	}
}
