package gocuda

import (
	"context"
	"fmt"
	"sync"
)

// How a graph runs. The worker of its stream takes a step that waits for nothing, runs it, and goes
// on with the first step that this has made ready; so a chain is a loop on one worker. Other ready
// steps are left for helpers, which are woken one at a time. The first is woken when a step is
// left; each helper wakes the next if a step is left when it begins. So short steps are done before
// many helpers are awake, and steps that block, or wait for each other, get a worker each.

// A graphLaunch is a launch of a graph in a stream.
type graphLaunch struct {
	x      *GraphExec
	s      *Stream
	ctx    context.Context
	steps  []step
	events []*record     // of the steps that have a slot: to wait for, or to make happen
	before chan struct{} // closed when the launch of the same graph before this one is over
	over   chan struct{}
	ran    bool
	cells  stepCells
	ids    []int // of the launches of the steps, for an observer
}

// run is the task of the stream.
func (l *graphLaunch) run(w *worker) error {
	l.await()
	l.ran = true
	defer close(l.over)
	r, returned := &l.x.run, false
	defer func() {
		if !returned { // a kernel called Goexit, which ends this goroutine
			l.s.fail(r.err)
		}
		r.l = nil
	}()
	l.newCells()
	r.start(l)
	r.drive(w)
	l.cells.end.acquireAt()
	returned = true
	return r.err
}

// drop is called in place of run if the stream has failed. It is also called after Goexit in run,
// and then does nothing.
func (l *graphLaunch) drop(err error) {
	if l.ran {
		return
	}
	l.await()
	defer close(l.over)
	for i := range l.steps {
		l.dropStep(&l.steps[i], err)
	}
}

func (l *graphLaunch) await() {
	if l.before != nil {
		<-l.before
	}
}

func (l *graphLaunch) dropStep(st *step, err error) {
	if st.kind == GraphNodeEventRecord {
		l.events[st.slot].drop(err)
	}
}

// A graphRun is the state of an executable graph that runs. It serves one launch after the other.
type graphRun struct {
	mu      sync.Mutex
	l       *graphLaunch
	waits   []int32 // how many steps each step still waits for
	ready   []int32 // steps that wait for none and that nobody has begun
	left    int     // steps that have not ended
	err     error   // the first
	helpers int     // workers that run steps, beside that of the stream
	waking  bool    // a helper was woken and has not begun
	turn    int     // counts launches: a helper that was woken for an earlier one does nothing
	waiting bool    // the stream's worker waits for the helpers
	done    chan struct{}
}

// graphWork is what a helper is given.
type graphWork struct {
	run  *graphRun
	turn int
}

func (r *graphRun) init(steps int) {
	r.waits, r.ready = make([]int32, steps), make([]int32, 0, steps)
	r.done = make(chan struct{}, 1)
}

func (r *graphRun) start(l *graphLaunch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.l, r.err = l, nil
	copy(r.waits, l.x.shape.before)
	r.ready = append(r.ready[:0], l.x.shape.roots...)
	r.left = len(r.waits)
	r.turn++
	r.waking = false
}

// drive runs the graph on the stream's worker and returns when it is over.
func (r *graphRun) drive(w *worker) {
	defer r.await()
	r.work(w)
}

// await waits for the helpers, awake for a while as the driver of a launch.
func (r *graphRun) await() {
	r.mu.Lock()
	r.waiting = r.helpers > 0
	alone := !r.waiting
	r.mu.Unlock()
	if alone {
		return
	}
	for range awaits {
		select {
		case <-r.done:
			return
		default:
		}
	}
	<-r.done
}

// help is the part of a worker that was woken for a graph.
func (job graphWork) help(w *worker) {
	r := job.run
	r.mu.Lock()
	if r.turn != job.turn || r.left == 0 {
		r.mu.Unlock()
		return
	}
	r.waking = false
	r.helpers++
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.helpers--
		if r.waiting && r.helpers == 0 {
			r.waiting = false
			r.done <- struct{}{}
		}
	}()
	r.work(w)
}

// work runs steps until none is ready.
func (r *graphRun) work(w *worker) {
	step := int32(-1)
	defer func() {
		if step < 0 {
			return
		}
		// Goexit has ended the step, and the launch has failed: what is left is dropped, which runs
		// no kernels.
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.err == nil {
			r.err = fmt.Errorf("gocuda: graph: %w", errGoexitCallback)
		}
		for step = r.next(step); step >= 0; step = r.next(step) {
			r.l.dropStep(&r.l.steps[step], r.err)
		}
	}()
	r.mu.Lock()
	step = r.take()
	for step >= 0 {
		if len(r.ready) > 0 {
			r.wake()
		}
		failed := r.err
		r.mu.Unlock()
		if failed != nil {
			r.l.dropStep(&r.l.steps[step], failed)
		} else {
			failed = r.l.runStep(w, step)
		}
		r.mu.Lock()
		if r.err == nil {
			r.err = failed
		}
		step = r.next(step)
	}
	r.mu.Unlock()
}

// take returns a step that is ready, or -1.
func (r *graphRun) take() int32 {
	last := len(r.ready) - 1
	if last < 0 {
		return -1
	}
	step := r.ready[last]
	r.ready = r.ready[:last]
	return step
}

// next takes note that a step has ended, and returns one that is ready, or -1.
func (r *graphRun) next(ended int32) int32 {
	r.left--
	free := int32(-1)
	for _, d := range r.l.x.shape.dependents[ended] {
		if r.waits[d]--; r.waits[d] > 0 {
			continue
		}
		if free < 0 {
			free = d
		} else {
			r.ready = append(r.ready, d)
		}
	}
	if free < 0 {
		free = r.take()
	}
	return free
}

// wake wakes a helper, if none is on its way. There is none to be had when the device is being closed.
func (r *graphRun) wake() {
	if r.waking {
		return
	}
	if w := r.l.s.dev.pool.get(); w != nil {
		r.waking = true
		w.inbox <- work{graph: graphWork{r, r.turn}}
	}
}

// doStep does what a node does.
func (l *graphLaunch) doStep(w *worker, st *step) error {
	if st.disabled {
		return nil
	}
	ctx := l.ctx
	if len(st.ctx) > 0 {
		merged, end := merge(ctx, st.ctx)
		defer end()
		ctx = merged
	}
	defer l.s.inside()()
	if ctx.Err() != nil {
		err := cancelled(ctx)
		l.dropStep(st, err)
		return err
	}
	switch st.kind {
	case GraphNodeKernel:
		switch {
		case st.cooperative:
			return st.dev.cooperateNow(ctx, st.cfg, st.kernel)
		case st.dev.pool != w.p:
			return st.dev.launchNow(ctx, st.cfg, st.kernel)
		}
		return l.runKernel(ctx, w, st)
	case GraphNodeHost:
		observeHostCall()
		return call(st.work)
	case GraphNodeMemcpy, GraphNodeMemset:
		return call(st.work)
	case GraphNodeEventRecord:
		l.events[st.slot].happen()
	case GraphNodeWaitEvent:
		r := l.events[st.slot]
		if r == nil {
			return nil // never recorded
		}
		select {
		case <-r.done:
			r.cell.acquireAt()
			return r.missed()
		case <-ctx.Done():
			return cancelled(ctx)
		}
	}
	return nil
}

func (l *graphLaunch) runKernel(ctx context.Context, w *worker, st *step) error {
	n, err := st.dev.newLaunch(ctx, st.cfg, st.kernel, true)
	if n == nil {
		return err
	}
	if n.watched() {
		w.p.runApart(n)
		return st.dev.conclude(n)
	}
	returned := false
	defer func() {
		if !returned { // Goexit
			r := &l.x.run
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.err == nil {
				r.err = n.result()
			}
		}
	}()
	w.drive(n)
	returned = true
	err = n.result()
	st.dev.recycle(n)
	return err
}

// merge returns a context that is done when any of several is.
func merge(ctx context.Context, others []context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	var stops []func() bool
	for _, o := range others {
		if o.Err() != nil {
			cancel(context.Cause(o)) // at once, and not on a goroutine of its own
		}
		stops = append(stops, context.AfterFunc(o, func() { cancel(context.Cause(o)) }))
	}
	return ctx, func() {
		for _, stop := range stops {
			stop()
		}
		cancel(nil)
	}
}

// call calls a function of the host, whose panic becomes an error.
func call(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = callbackError(v)
		}
	}()
	return f()
}
