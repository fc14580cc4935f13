package gocuda

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocuda/gocuda/grid"
)

// Runaway blocks. Go can't end a goroutine from outside: a kernel that computes on, or waits for
// the host, runs on after its launch should have ended. The goroutine that waits for the launch
// then gives the launch up: after a grace period it returns an error that names the blocks that
// still run. These are runaway blocks.
//
// A launch may be given up if its context can be done, or if it has a timeout. Such a launch is
// driven by a worker that does nothing else, while its caller, or the worker of the stream, graph
// or child that makes it, watches. Each worker records the launch that it is in and the block that
// it runs. To give up a launch, the workers in it, and in its descendants, are marked as lost. From
// then on they don't count: helpers are replaced, and the device can be closed. Nothing that a lost
// worker uses is used for anything else, neither its block and coroutines nor the launch, which is
// not recycled. A lost worker ends when its block does.

// grace is the time that a launch has to end after its context is done or its timeout has expired.
// Most kernels come to a barrier soon.
const grace = 100 * time.Millisecond

const (
	// mostReplaced is the largest number of lost helpers of a device that are replaced at a time. A
	// device that has lost more runs with fewer workers, because runaway blocks take their share of
	// the processors.
	mostReplaced = 64
	// mostRunaways is how many lost workers a device has before it refuses further launches.
	mostRunaways = 1024
)

// A RunawayBlock is a block that still runs though its launch has been given up.
type RunawayBlock struct {
	Kernel   string
	BlockIdx grid.Dim3
	File     string // where it was when it was last looked at, with the path
	Line     int    // 0 if that is not known
}

// A RunawayError says that a launch has been given up: its context was done, or its time was up,
// and some blocks have not stopped within 100 ms. They still run, and use what the kernel has been
// given. Wait waits for their end. The error matches [ErrRunaway], and why the launch should have
// ended: the context's cause, or [ErrLaunchTimeout].
type RunawayError struct {
	Err    error          // why the launch should have ended; nil in the error of [Device.Close]
	Blocks []RunawayBlock // those that ran when the launch was given up, in the order of the grid
	over   []ending
}

// An ending is the end of a launch that was given up.
type ending struct {
	l    *launch
	over chan struct{} // closed then
	end  *raceCell     // of the launch
}

// Error returns a line such as
//
//	kernel main.spin: the launch timed out after 1s; still running: kernel main.spin (k.go:15): blocks (0,0,0) and (1,0,0)
func (e *RunawayError) Error() string {
	text := "still running: " + describeRunaways(e.Blocks)
	if e.Err != nil {
		return e.Err.Error() + "; " + text
	}
	return text
}

// Unwrap returns [ErrRunaway] and Err.
func (e *RunawayError) Unwrap() []error {
	if e.Err != nil {
		return []error{ErrRunaway, e.Err}
	}
	return []error{ErrRunaway}
}

// Wait waits until the blocks have ended, and everything else of their launch. From then on nothing
// of the launch uses the kernel's arguments any more. If ctx is done first, Wait returns its cause.
func (e *RunawayError) Wait(ctx context.Context) error {
	if ctx == nil {
		return fmt.Errorf("gocuda: wait: %w: the context is nil", ErrInvalidValue)
	}
	for _, o := range e.over {
		select {
		case <-o.over:
			o.end.acquire()
		case <-ctx.Done():
			return fmt.Errorf("gocuda: wait: %w", context.Cause(ctx))
		}
	}
	return nil
}

// ended reports whether Wait would return at once.
func (e *RunawayError) ended() bool {
	for _, o := range e.over {
		select {
		case <-o.over:
		default:
			return false
		}
	}
	return true
}

// describeRunaways lists blocks, those of a kernel at the same place together.
func describeRunaways(blocks []RunawayBlock) string {
	type group struct {
		kernel string
		place
	}
	var order []group
	members := map[group][]grid.Dim3{}
	for _, b := range blocks {
		g := group{b.Kernel, place{b.File, b.Line}}
		if members[g] == nil {
			order = append(order, g)
		}
		members[g] = append(members[g], b.BlockIdx)
	}
	var parts []string
	for _, g := range order {
		parts = append(parts, fmt.Sprintf("kernel %s%s: %s", g.kernel, g.bracketed(), blockList(members[g])))
	}
	return strings.Join(parts, "; ")
}

// blockList names blocks: "blocks (0,0,0), (1,0,0) and 7 more".
func blockList(blocks []grid.Dim3) string {
	const most = 8
	n := len(blocks)
	var names []string
	for _, idx := range blocks[:min(n, most)] {
		names = append(names, idx.String())
	}
	if n > most {
		names = append(names, fmt.Sprintf("%d more", n-most))
	}
	last := len(names) - 1
	if last == 0 {
		return "block " + names[0]
	}
	return "blocks " + strings.Join(names[:last], ", ") + " and " + names[last]
}

// watched reports whether l may be given up. Children are given up with the host's launch, or by
// their own timeout.
func (l *launch) watched() bool { return l.timeout != nil || l.done != nil && l.parent == nil }

// wait waits for the end of a launch that a worker drives, or gives it up; then l.runaway is set,
// and nothing else of l may be used.
func (p *pool) wait(l *launch) {
	if !l.watched() {
		<-l.finished
		return
	}
	select {
	case <-l.finished:
		return
	case <-l.done:
	}
	l.hurry.Store(true)
	for {
		timer := time.NewTimer(grace)
		select {
		case <-l.finished:
			timer.Stop()
			return
		case <-timer.C:
		}
		if p.giveUp(l) {
			return
		}
	}
}

// A post is the state of a worker for the goroutine that may have to give it up.
type post struct {
	mu     hiddenMutex
	id     uint64  // the number of its goroutine
	on     *launch // a launch with a context that can be done, while the worker is in it
	helps  bool    // it counts among the pool's helpers
	lost   bool    // it was given up, and ends when it leaves the launch
	spared bool    // another helper may replace it
}

// enter notes that w is in l until leave, if l may be given up, itself or with an ancestor.
//
//go:norace
func (w *worker) enter(l *launch, helps bool) {
	if l.done == nil {
		return
	}
	w.block.at.Store(0)
	w.mu.Lock()
	w.on, w.helps = l, helps
	w.mu.Unlock()
}

// leave is called before w reports that it is done with the launch. The launch may be reused only
// after leave, so giveUp can read the launch of any worker that has not left.
//
//go:norace
func (w *worker) leave() {
	w.mu.Lock()
	w.on = nil
	lost, spared := w.lost, w.spared
	w.mu.Unlock()
	if !lost {
		return
	}
	p := w.p
	p.mu.Lock()
	defer p.mu.Unlock()
	p.strays.Add(-1)
	if spared {
		p.replaced--
	} else if w.helps {
		p.helpers--
	}
}

// giveUp marks the workers in l, and in its descendants, as lost. It reports false if there are no
// blocks to wait for: then l is about to end by itself.
//
//go:norace
func (p *pool) giveUp(l *launch) bool {
	over := ending{l, make(chan struct{}), l.end}
	running, ok := p.lose(l, over)
	if !ok {
		return false
	}
	l.failCancelled(nil) // unless a block did
	e := &RunawayError{Blocks: locate(running), over: []ending{over}}
	l.mu.Lock()
	e.Err = l.err
	if t := l.timeout; t != nil {
		if l.err == t {
			te := l.timeoutError()
			te.Stopped = slices.DeleteFunc(te.Stopped, func(idx grid.Dim3) bool { // only some of its threads were
				return slices.ContainsFunc(running, func(s sighting) bool { return s.l == l && s.BlockIdx == idx })
			})
			e.Err = te
		}
		t.runaway.Store(e)
		t.cancel()
	}
	l.mu.Unlock()
	l.runaway = e
	for q := l.parent; q != nil; q = q.parent {
		q.mu.Lock()
		q.strayed = e
		q.mu.Unlock()
	}
	return true
}

// lose is the part of giveUp during which all workers are locked: none enters a launch or leaves
// one.
//
//go:norace
func (p *pool) lose(l *launch, over ending) (running []sighting, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.all {
		w.mu.Lock()
		defer w.mu.Unlock()
	}
	if l.ending {
		return nil, false
	}
	var in []*worker
	for _, w := range p.all {
		if w.on == nil || !w.on.descends(l) {
			continue
		}
		in = append(in, w)
		running = append(running, w.sight()...)
	}
	if len(running) == 0 {
		return nil, false
	}
	p.overs = append(p.overs, over)
	for _, w := range in {
		if w.lost { // with an ancestor, or a descendant
			continue
		}
		w.lost = true
		p.strays.Add(1)
		if w.helps && p.replaced < mostReplaced {
			w.spared = true
			p.replaced++
			p.helpers--
		}
		if p.alive.Add(-1) == 0 && p.closed.Load() {
			p.gone.Broadcast()
		}
		p.shut(w.on)
		p.relaxLocked(w.on)
	}
	return running, true
}

// shut keeps further helpers out of l. p is locked.
//
//go:norace
func (p *pool) shut(l *launch) {
	n := 0
	for _, o := range p.open {
		if o != l {
			p.open[n] = o
			n++
		}
	}
	clear(p.open[n:])
	p.open = p.open[:n]
}

// descends reports whether l is of the family of a launch, or is itself that.
//
//go:norace
func (l *launch) descends(from *launch) bool {
	for ; l != nil; l = l.parent {
		if l == from {
			return true
		}
	}
	return false
}

// finish is the last call of a launch's driver, when no worker is in the launch any more. It wakes
// the goroutine that waits for the launch or, if that has given up, those that wait for the last of
// the runaway blocks.
//
//go:norace
func (w *worker) finish(l *launch) {
	if l.watched() {
		p := w.p
		p.mu.Lock()
		l.ending = true
		given := false
		for i := range p.overs {
			if over := p.overs[i]; over.l == l {
				last := len(p.overs) - 1
				p.overs[i], p.overs[last] = p.overs[last], ending{}
				p.overs = p.overs[:last]
				close(over.over)
				given = true
				break
			}
		}
		p.mu.Unlock()
		if given {
			return
		}
	}
	l.finished <- struct{}{} // the launch is the caller's from here on
}

// A sighting is a block that a worker runs.
type sighting struct {
	goroutine uint64 // the worker's
	RunawayBlock
	l     *launch
	order int // of the block in the grid
}

// sight returns the blocks that w runs at present. w.mu is held.
//
//go:norace
func (w *worker) sight() []sighting {
	l := w.on
	first := int(w.block.at.Load()) - 1
	if first < 0 {
		return nil
	}
	var all []sighting
	for k := first; k < min(first+max(1, int(w.block.row.Load())), l.blocks); k++ {
		n := l.order.at(k)
		all = append(all, sighting{w.id, RunawayBlock{Kernel: l.name(), BlockIdx: l.cfg.Grid.At(n)}, l, n})
	}
	return all
}

// locate finds out in which lines blocks are.
func locate(running []sighting) []RunawayBlock {
	slices.SortStableFunc(running, func(a, b sighting) int {
		if c := strings.Compare(a.Kernel, b.Kernel); c != 0 {
			return c
		}
		return a.order - b.order
	})
	workers := map[uint64]bool{}
	for _, s := range running {
		workers[s.goroutine] = true
	}
	// A goroutine that is interrupted between two functions can't be told where it is; a little
	// later it can.
	places := allStacks().places(workers)
	for i := 0; i < 20 && len(places) < len(workers); i++ {
		time.Sleep(time.Millisecond)
		places = allStacks().places(workers)
	}
	var blocks []RunawayBlock
	for _, s := range running {
		p := places[s.goroutine]
		s.File, s.Line = p.file, p.line
		blocks = append(blocks, s.RunawayBlock)
	}
	return blocks
}

// Runaways returns the blocks of launches that were given up and that still run; see
// [RunawayError]. There is nothing like it in CUDA, where the device would be lost.
//
//go:norace
func (d *Device) Runaways() []RunawayBlock {
	if d == nil || d.pool.strays.Load() == 0 {
		return nil
	}
	p := d.pool
	var running []sighting
	p.mu.Lock()
	for _, w := range p.all {
		w.mu.Lock()
		if w.lost && w.on != nil {
			running = append(running, w.sight()...)
		}
		w.mu.Unlock()
	}
	p.mu.Unlock()
	if len(running) == 0 {
		return nil
	}
	return locate(running)
}

// runawayError returns an error if blocks of launches that were given up still run.
//
//go:norace
func (d *Device) runawayError() error {
	blocks := d.Runaways()
	if len(blocks) == 0 {
		return nil
	}
	e := &RunawayError{Blocks: blocks}
	d.pool.mu.Lock()
	e.over = append(e.over, d.pool.overs...)
	d.pool.mu.Unlock()
	return e
}

// lostStream makes the error of a stream of a launch that failed with err.
func lostStream(err error) error {
	var e *RunawayError
	if errors.As(err, &e) {
		return fmt.Errorf("gocuda: the stream is lost: %w", err)
	}
	return err
}

// stillLost reports whether a stream that failed with err has blocks that run.
func stillLost(err error) bool {
	var e *RunawayError
	return errors.As(err, &e) && !e.ended()
}
