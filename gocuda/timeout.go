package gocuda

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gocuda/gocuda/grid"
)

// A launch with a timeout is one whose context is done at that time: no further blocks begin, and
// threads stop at their next barrier, in Nanosleep, and between the phases of a block kernel. The
// launch returns when the last of them has stopped. A kernel that does none of that can't be
// stopped, by Go's nature; see runaway.go.
//
// CUDA's watchdog kills the whole context. Here the launch fails and nothing else does.

// A TimeoutError says what a launch had not done when its time was up. It matches [ErrLaunchTimeout].
type TimeoutError struct {
	Kernel  string
	Timeout time.Duration
	Stopped []grid.Dim3 // the blocks that had begun and were stopped, in the order of the grid
	Where   []string    // for each of these, where its threads were, such as "2 threads (the first is 0) spin at lock.go:12 (main.lock)"
	Pending int         // the number of blocks that had not begun
	At      []StoppedAt // where they were stopped, the place with most threads first
}

// A StoppedAt says how many threads were stopped in a line. All are counted that had begun and not
// ended. Of the bodies of block kernels, and of compiled kernels, it is the number of blocks.
type StoppedAt struct {
	File  string // with its path
	Line  int
	Unit  Unit
	Count int
}

// String returns the text that errors have: 31 threads at lock.go:20.
func (s StoppedAt) String() string {
	text := fmt.Sprintf("%d %v", s.Count, s.Unit)
	if s.Count > 1 {
		text += "s"
	}
	return text + " at " + place{s.File, s.Line}.String()
}

// Error returns a line such as
//
//	kernel main.wait: the launch timed out after 1s: blocks (0,0,0) and (2,0,0) were stopped (62 threads at wait.go:20, 2 threads at wait.go:31), 5 had not begun
func (e *TimeoutError) Error() string {
	var parts []string
	switch len(e.Stopped) {
	case 0:
	case 1:
		parts = append(parts, blockList(e.Stopped)+" was stopped"+e.places())
	default:
		parts = append(parts, blockList(e.Stopped)+" were stopped"+e.places())
	}
	if e.Pending > 0 {
		parts = append(parts, fmt.Sprintf("%d had not begun", e.Pending))
	}
	text := fmt.Sprintf("kernel %s: %v after %v", e.Kernel, ErrLaunchTimeout, e.Timeout)
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

// places is At for a text: " (62 threads at wait.go:20, 2 threads at wait.go:31)".
func (e *TimeoutError) places() string {
	if len(e.At) == 0 {
		return ""
	}
	const most = 4
	var parts []string
	for _, at := range e.At[:min(len(e.At), most)] {
		parts = append(parts, at.String())
	}
	if n := len(e.At) - most; n > 0 {
		parts = append(parts, fmt.Sprintf("others in %d more lines", n))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// Unwrap returns ErrLaunchTimeout.
func (e *TimeoutError) Unwrap() error { return ErrLaunchTimeout }

// A timeout is the clock of a launch. It is the cause of the launch's context when the time is up.
type timeout struct {
	cancel  context.CancelFunc
	begun   atomic.Int64 // blocks
	stopped []grid.Dim3  // guarded by the launch, as is at
	at      map[stoppedIn]int

	// result is complete when over is true. Errors of a child's ancestors refer to it before.
	over    atomic.Bool
	result  TimeoutError
	runaway atomic.Pointer[RunawayError] // if the launch was given up
}

// stoppedIn is where something was stopped.
type stoppedIn struct {
	place
	unit Unit
}

func (t *timeout) Error() string { return ErrLaunchTimeout.Error() }

// Unwrap returns ErrLaunchTimeout, so that what else the end of the context makes fail matches it too.
func (t *timeout) Unwrap() error { return ErrLaunchTimeout }

// startClock begins the time of a launch that has a timeout.
func (l *launch) startClock() {
	after := l.cfg.Timeout
	if after == 0 {
		return
	}
	t := &timeout{result: TimeoutError{Kernel: l.name(), Timeout: after}}
	l.ctx, t.cancel = context.WithTimeoutCause(l.ctx, after, t)
	l.done, l.timeout = l.ctx.Done(), t
}

// A lateTimeout is the error of a launch whose time is up, while its last blocks are still being
// stopped.
type lateTimeout struct{ t *timeout }

func (e lateTimeout) Error() string { return e.Unwrap().Error() }

func (e lateTimeout) Unwrap() error {
	if r := e.t.runaway.Load(); r != nil {
		return r
	}
	if e.t.over.Load() {
		return &e.t.result
	}
	return e.t
}

// failTimeout records that the time is up, and that block b is stopped by that.
func (l *launch) failTimeout(b *Block) {
	l.mu.Lock()
	if b != nil && !l.failedIn[b] {
		l.timeout.stopped = append(l.timeout.stopped, b.BlockIdx)
		if l.failedIn == nil {
			l.failedIn = map[*Block]bool{}
		}
		l.failedIn[b] = true // several threads of the block may come here
	}
	l.mu.Unlock()
	l.fail(l.timeout, b)
}

// noteStopped records the line of the kernel at which the caller is. The caller is about to be
// unwound, because of the timeout or of an earlier failure.
func (l *launch) noteStopped(unit Unit) {
	p := here()
	if p.line == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timeout.at == nil {
		l.timeout.at = map[stoppedIn]int{}
	}
	l.timeout.at[stoppedIn{p, unit}]++
}

// endTimeout stops the clock of a launch that is over, and says what the timeout has done.
func (l *launch) endTimeout() {
	t := l.timeout
	t.cancel()
	l.mu.Lock() // for the race detector, and a child whose worker may not be ordered after all of its blocks
	defer l.mu.Unlock()
	if l.err != t {
		return
	}
	t.result = *l.timeoutError()
	t.over.Store(true)
	l.err = &t.result
}

// timeoutError makes the error of a launch whose time is up. l.mu is held.
func (l *launch) timeoutError() *TimeoutError {
	t := l.timeout
	stopped := slices.Clone(t.stopped) // a launch that was given up may go on to stop blocks
	slices.SortFunc(stopped, func(v, w grid.Dim3) int {
		return l.cfg.Grid.Linear(v) - l.cfg.Grid.Linear(w)
	})
	var at []StoppedAt
	for in, n := range t.at {
		at = append(at, StoppedAt{in.file, in.line, in.unit, n})
	}
	slices.SortFunc(at, func(v, w StoppedAt) int {
		return cmp.Or(w.Count-v.Count, strings.Compare(v.File, w.File), v.Line-w.Line, int(v.Unit-w.Unit))
	})
	return &TimeoutError{
		Kernel: l.name(), Timeout: l.cfg.Timeout, Stopped: stopped, Pending: l.blocks - int(t.begun.Load()), At: at,
	}
}
