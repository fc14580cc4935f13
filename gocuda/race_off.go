//go:build !race

package gocuda

import (
	"fmt"
	"time"
)

// See race_on.go. Without the race detector all of this compiles to nothing.

const raceEnabled = false

type raceCell struct{}

func newRaceCell() *raceCell { return nil }

func (*raceCell) acquire() {}
func (*raceCell) release() {}

func raceDisable() {}
func raceEnable()  {}

func sleepApart(wake time.Time, done, quit <-chan struct{}) { sleepUntil(wake, done, quit) }

type linger struct{}

func newLinger() *linger { return nil }
func (*linger) end()     {}
func (*linger) stay()    {}

// send makes the launch that r asks for.
func (r *childRequest) send() error { return r.launch() }

func format(form string, args []any) string { return fmt.Sprintf(form, args...) }
