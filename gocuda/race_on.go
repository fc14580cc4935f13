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
//   - Code that uses the state of a running block runs between raceDisable and raceEnable, under the
//     executor's lock, in functions marked go:norace.
//   - Such code formats nothing. Package fmt reuses buffers under locks of its own; these would be
//     hidden too, and the reuse would be reported as a race. An error is returned as a func that makes
//     it later.
//   - Such code makes no timer. Package time reads its settings on the first call, and what the
//     runtime does when a timer fires would not be ordered after the making of the timer.
//   - A raceCell stands for one meeting: a barrier, a warp operation, the end of a phase. A strand
//     releases it when it arrives, and acquires it when it goes on. A cell is used for one meeting
//     only: a strand that is slow to leave must not acquire what belongs to the next meeting.

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

// To the race detector a hiddenMutex orders nothing; nor does any synchronization while it is
// locked. A goroutine that is started meanwhile is not ordered after its creator: see origin.
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

// origin is acquired by goroutines that were started hidden from the race detector. It orders them
// after the initialization of all packages up to this one.
var origin raceCell

func init() { origin.release() }

func raceDisable() { runtime.RaceDisable() }
func raceEnable()  { runtime.RaceEnable() }

var kernelInfos sync.Map // of *kernelInfo, by kernelKey; a map of the language would tell the race detector of its use

// infoFor returns the kernelInfo of a key. It makes a missing one on a goroutine of its own:
// otherwise all later launches of a kernel would be ordered after the first.
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

// sleepApart is sleepUntil hidden from the race detector. It calls time.Sleep for short pieces,
// since time.Sleep orders nothing. A timer does: a goroutine that runs when a timer fires is
// ordered after all goroutines that made timers.
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

// format is fmt.Sprintf. Package fmt reuses buffers, which would order threads that format one
// after the other. So a goroutine of its own does the work, and nothing is ordered after it.
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
