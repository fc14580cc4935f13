package gocuda

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gocuda/gocuda/grid"
)

// A launch with a timeout is one whose context is done at that time: no further blocks begin, and threads stop at
// their next barrier, in Nanosleep, and between the phases of a block kernel. The launch returns when the last
// of them has stopped. A kernel that does none of that can't be stopped, by Go's nature, and its launch does not
// return before it does: to return earlier would leave threads behind that still write to memory of which the
// program thinks that it is its own again.
//
// CUDA's watchdog kills the whole context. Here the launch fails and nothing else does.

// A TimeoutError says what a launch had not done when its time was up. It matches [ErrLaunchTimeout].
type TimeoutError struct {
	Kernel  string
	Timeout time.Duration
	Stopped []grid.Dim3 // the blocks that had begun and were stopped, in the order of the grid
	Where   []string    // for each of these, where its threads were, such as "2 threads (the first is 0) spin at lock.go:12 (main.lock)"
	Pending int         // the number of blocks that had not begun
}

// Error returns a line such as
//
//	kernel main.wait: the launch timed out after 1s: blocks (0,0,0) and (2,0,0) were stopped, 5 had not begun;
//	block (0,0,0): 64 threads (the first is 0) spin at wait.go:12 (main.wait)
func (e *TimeoutError) Error() string {
	const most = 8
	var parts []string
	if n := len(e.Stopped); n > 0 {
		var names []string
		for _, idx := range e.Stopped[:min(n, most)] {
			names = append(names, idx.String())
		}
		last := len(names) - 1
		if n > most {
			names, last = append(names, fmt.Sprintf("%d more", n-most)), most
		}
		text := "block " + names[0] + " was stopped"
		if last > 0 {
			text = "blocks " + strings.Join(names[:last], ", ") + " and " + names[last] + " were stopped"
		}
		parts = append(parts, text)
	}
	if e.Pending > 0 {
		parts = append(parts, fmt.Sprintf("%d had not begun", e.Pending))
	}
	text := fmt.Sprintf("kernel %s: %v after %v: %s", e.Kernel, ErrLaunchTimeout, e.Timeout, strings.Join(parts, ", "))
	if i := slices.IndexFunc(e.Where, func(s string) bool { return s != "" }); i >= 0 {
		text += fmt.Sprintf("; block %v: %s", e.Stopped[i], e.Where[i])
	}
	return text
}

// Unwrap returns ErrLaunchTimeout.
func (e *TimeoutError) Unwrap() error { return ErrLaunchTimeout }

// A timeout is the clock of a launch. It is the cause of the launch's context when the time is up.
type timeout struct {
	cancel  context.CancelFunc
	begun   atomic.Int64         // blocks
	stopped []grid.Dim3          // guarded by the launch
	where   map[grid.Dim3]string // likewise: where blocks were when they were stopped

	// The result has its blocks when over is true. A child's is in the errors of its ancestors before.
	over   atomic.Bool
	result TimeoutError
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

// A lateTimeout is the error of a launch whose time is up, while its last blocks are still being stopped.
type lateTimeout struct{ t *timeout }

func (e lateTimeout) Error() string { return e.Unwrap().Error() }

func (e lateTimeout) Unwrap() error {
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

// endTimeout stops the clock of a launch that is over, and says what the timeout has done.
func (l *launch) endTimeout() {
	t := l.timeout
	t.cancel()
	l.mu.Lock() // for the race detector, and a child whose worker may not be ordered after all of its blocks
	defer l.mu.Unlock()
	if l.err != t {
		return
	}
	defer t.over.Store(true)
	slices.SortFunc(t.stopped, func(v, w grid.Dim3) int {
		return l.cfg.Grid.Linear(v) - l.cfg.Grid.Linear(w)
	})
	t.result.Stopped, t.result.Pending = t.stopped, l.blocks-int(t.begun.Load())
	for _, idx := range t.stopped {
		t.result.Where = append(t.result.Where, t.where[idx])
	}
	l.err = &t.result
}
