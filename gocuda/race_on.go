//go:build race

package gocuda

import (
	"fmt"
	"runtime"
	"sync"
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

type raceCell struct {
	_ byte
	observedCell
}

func newRaceCell() *raceCell { return new(raceCell) }

func (c *raceCell) acquire() {
	runtime.RaceAcquire(unsafe.Pointer(c))
	if observed() {
		observeCell(&c.observedCell, false)
	}
}

func (c *raceCell) release() {
	if observed() {
		observeCell(&c.observedCell, true)
	}
	runtime.RaceReleaseMerge(unsafe.Pointer(c))
}

// A hiddenMutex orders nobody for the race detector; nor does anything that happens while it is locked. Goroutines that are
// started then have no past: see origin.
type hiddenMutex struct{ mu sync.Mutex }

//go:norace
func (m *hiddenMutex) Lock() {
	raceDisable()
	m.mu.Lock()
}

//go:norace
func (m *hiddenMutex) Unlock() {
	m.mu.Unlock()
	raceEnable()
}

// origin is acquired by goroutines that were started out of the race detector's sight. It comes after all that packages
// have done so far to initialize themselves.
var origin raceCell

func init() { origin.release() }

func raceDisable() { runtime.RaceDisable() }
func raceEnable()  { runtime.RaceEnable() }

var kernelInfos sync.Map // of *kernelInfo, by kernelKey; a map of the language would tell the race detector of its use

// infoFor makes what is missing on a goroutine of its own: all later launches of a kernel would come after the first
// otherwise.
//
//go:norace
func infoFor(key kernelKey) *kernelInfo {
	raceDisable()
	v, ok := kernelInfos.Load(key)
	if !ok {
		made := make(chan *kernelInfo, 1)
		go key.send(made)
		v, _ = kernelInfos.LoadOrStore(key, <-made)
	}
	raceEnable()
	info := v.(*kernelInfo)
	info.made.acquire()
	return info
}

func (key kernelKey) send(made chan<- *kernelInfo) {
	origin.acquire()
	info := key.info()
	info.made = newRaceCell()
	info.made.release()
	raceDisable()
	made <- info
	raceEnable()
}

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
