//go:build !race

package gocuda

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// See race_on.go. Without the race detector all of this compiles to nothing.

const raceEnabled = false

type raceCell struct{ observedCell }

func newRaceCell() *raceCell {
	if !observed() {
		return nil
	}
	return new(raceCell)
}

func (c *raceCell) acquire() {
	if c != nil && observed() {
		observeCell(&c.observedCell, false)
	}
}

func (c *raceCell) release() {
	if c != nil && observed() {
		observeCell(&c.observedCell, true)
	}
}

type hiddenMutex = sync.Mutex

var origin raceCell

func raceDisable() {}
func raceEnable()  {}

var kernelInfos struct {
	sync.RWMutex
	m map[kernelKey]*kernelInfo
}

func infoFor(key kernelKey) *kernelInfo {
	kernelInfos.RLock()
	info := kernelInfos.m[key]
	kernelInfos.RUnlock()
	if info != nil {
		return info
	}
	info = key.info()
	kernelInfos.Lock()
	defer kernelInfos.Unlock()
	if kernelInfos.m == nil {
		kernelInfos.m = map[kernelKey]*kernelInfo{}
	}
	kernelInfos.m[key] = info
	return info
}

func sleepApart(wake time.Time, done, quit <-chan struct{}) { sleepUntil(wake, done, quit) }

type linger struct{}

type pass struct{}

func (*Device) admit(context.Context, *launch, bool) (pass, error) { return pass{}, nil }
func (*launch) awaitRunaways()                                     {}

func moved() {}

func newLinger(pass) *linger { return nil }
func (*linger) end()         {}
func (*linger) stay()        {}

// send makes the launch that r asks for.
func (r *childRequest) send() error { return r.launch() }

func format(form string, args []any) string { return fmt.Sprintf(form, args...) }

type turns struct{}

func (*threads) awaitTurn(int)  {}
func (*threads) endTurns()      {}
func (*threads) paused(*strand) {}
