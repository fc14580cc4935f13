package gocuda

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/observe"
	"github.com/gocuda/gocuda/internal/timeline"
	"github.com/gocuda/gocuda/mem"
)

// A Stream is an in-order queue of work on a device: launches, copies, events, callbacks. Streams
// overlap with each other. Methods that add work return at once; they report what is wrong with their
// arguments, and everything that goes wrong later comes back from Synchronize.
//
// The first failure stays with the stream, as CUDA's sticky errors do: what was queued behind it is
// dropped, further work is refused with the same error, until Reset. Work is dropped as well when it
// waits for an event of a stream that failed; then the waiting stream fails with the same cause.
//
// A stream holds a goroutine only while it has work.
type Stream struct {
	dev      *Device
	priority int
	flags    StreamFlags
	after    uint64                  // how many tasks of the legacy default stream it waits for; guarded by legacyOrder
	capture  atomic.Pointer[capture] // nil if there is none

	mu     hiddenMutex
	queue  []task
	busy   bool // a worker drains the queue
	closed bool
	err    error
	failed *raceCell // released when err was made
	past   *raceCell // released by each task at its end
	actor  *observe.Actor
	idle   chan struct{} // closed when the queue has run dry; nil if nobody waits
	place  int           // in the device's streamSet, from 1; 0 if it is not there
}

// A task is one piece of work of a stream. It is ordered after everything that the goroutine which
// queued it had done, and after the stream's earlier tasks. Only the stream's later tasks, and
// goroutines that have waited for the task, are ordered after it: the queue by itself orders
// nothing.
type task struct {
	run func(w *worker) error
	// drop is called instead of run when the stream has failed.
	drop func(err error)
	from *raceCell // released by who has queued it
}

// NewStream makes a stream, CUDA's cudaStreamCreate.
//
//go:norace
func (d *Device) NewStream() *Stream {
	s := &Stream{dev: d, past: newRaceCell(), actor: newActor()}
	if timeline.On() && d.stream != nil { // which is the default stream
		s.track()
	}
	return s
}

// DefaultStream returns the device's default stream. It is a stream as any other: work in it does
// not wait for other streams, as with CUDA's --default-stream per-thread, unless the device was
// opened with [WithLegacyStream]. It can't be closed.
func (d *Device) DefaultStream() *Stream { return d.stream }

// Device returns the stream's device.
func (s *Stream) Device() *Device { return s.dev }

// Memory returns the memory of the stream's device, for package mem.
func (s *Stream) Memory() *mem.Space {
	if s == nil {
		return nil
	}
	return s.dev.Memory()
}

// Launch queues a launch. What is wrong with the configuration is reported at once.
func (s *Stream) Launch(cfg grid.Config, kernel Kernel) error {
	return s.LaunchContext(context.Background(), cfg, kernel)
}

// LaunchFunc is [Stream.Launch] for a thread kernel.
func (s *Stream) LaunchFunc(cfg grid.Config, kernel func(*Thread)) error {
	return s.Launch(cfg, ThreadFunc(kernel))
}

// LaunchContext is [Stream.Launch] with a context: if it is done before the kernel has ended, the
// launch stops as in [Device.Launch], and its cause becomes the stream's error.
func (s *Stream) LaunchContext(ctx context.Context, cfg grid.Config, kernel Kernel) error {
	if err := s.usable("launch"); err != nil {
		return err
	}
	if ctx == nil {
		return fmt.Errorf("gocuda: launch: %w: the context is nil", ErrInvalidValue)
	}
	if err := s.dev.check(cfg, kernel); err != nil {
		return err
	}
	if cfg.Priority == 0 {
		cfg.Priority = s.priority
	}
	if captured, err := s.captured(func() (GraphNodeType, nodeParams, error) {
		return GraphNodeKernel, nodeParams{dev: s.dev, ctx: contexts(ctx), cfg: cfg, kernel: kernel}, nil
	}); captured {
		return err
	}
	id := nextLaunchID()
	return s.add(task{run: func(w *worker) error {
		willLaunch(id)
		l, err := s.dev.newLaunch(ctx, cfg, kernel, true)
		if l == nil {
			return err
		}
		if l.watched() {
			w.p.runApart(l)
			return s.dev.conclude(l)
		}
		returned := false
		defer func() {
			if !returned { // the kernel called Goexit, which ends this goroutine
				s.fail(l.result())
			}
		}()
		w.drive(l)
		returned = true
		err = l.result()
		s.dev.recycle(l)
		return err
	}})
}

// Enqueue queues a function of the host, for package mem and for extensions. An error that it returns
// becomes the stream's.
func (s *Stream) Enqueue(f func() error) error {
	if f == nil {
		return fmt.Errorf("gocuda: stream: %w: the function is nil", ErrInvalidValue)
	}
	return s.addHost(observedCall(f))
}

// AddCallback queues a call of f, CUDA's cudaLaunchHostFunc: it runs once everything queued before has
// ended, and what is queued after waits for it. A stream that failed does not call it. f must not wait
// for its own stream. A panic of f becomes the stream's error.
func (s *Stream) AddCallback(f func()) error {
	if f == nil {
		return fmt.Errorf("gocuda: stream: %w: the callback is nil", ErrInvalidValue)
	}
	return s.addHost(func() error {
		observeHostCall()
		f()
		return nil
	})
}

func (s *Stream) addHost(f func() error) error {
	if captured, err := s.captured(func() (GraphNodeType, nodeParams, error) {
		return GraphNodeHost, nodeParams{work: f}, nil
	}); captured {
		return err
	}
	return s.add(task{run: func(*worker) error { return f() }})
}

// usable returns why the stream can't take work.
func (s *Stream) usable(what string) error {
	if s == nil || s.dev == nil {
		return fmt.Errorf("gocuda: %s: %w: the stream is nil", what, ErrInvalidResourceHandle)
	}
	return s.seen(s.state())
}

// state returns why the stream can't take work, and the race cell to acquire with that error.
//
//go:norace
func (s *Stream) state() (error, *raceCell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stateLocked()
}

//go:norace
func (s *Stream) stateLocked() (error, *raceCell) {
	if err := s.gone(); err != nil {
		return err, nil
	}
	return s.err, s.failed
}

// seen returns err, and orders the caller after the work that failed with it.
func (s *Stream) seen(err error, failed *raceCell) error {
	failed.acquireAt()
	return err
}

var errStreamClosed = fmt.Errorf("gocuda: %w: the stream is closed", ErrInvalidResourceHandle)

// gone returns an error if the stream or its device was closed.
//
//go:norace
func (s *Stream) gone() error {
	switch {
	case s.closed:
		return errStreamClosed
	case s.dev.pool.closed.Load():
		return errDeviceClosed
	}
	return nil
}

// add queues t, and gives the stream to a worker if none has it.
func (s *Stream) add(t task) error {
	if s == nil || s.dev == nil {
		return s.usable("stream")
	}
	t.from = newRaceCell()
	t.from.releaseAt()
	return s.seen(s.enqueue(t))
}

// push puts t at the end of the queue, for callers who are out of the race detector's sight; see
// enqueue.
//
//go:norace
func (s *Stream) push(t task) (error, *raceCell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err, failed := s.stateLocked(); err != nil {
		return err, failed
	}
	if !s.busy {
		if err := s.start(); err != nil {
			return err, nil
		}
	}
	s.queue = append(s.queue, t)
	return nil, nil
}

// start gives the stream to a worker, with s.mu held.
//
//go:norace
func (s *Stream) start() error {
	w := s.dev.pool.get()
	if w == nil {
		return errDeviceClosed
	}
	s.busy = true
	s.dev.active.note(s, true)
	w.inbox <- work{stream: s}
	return nil
}

// drain is the worker's part: it runs tasks until there are none.
//
//go:norace
func (s *Stream) drain(w *worker) {
	defer act(s.actor)()
	defer s.inside()()
	if timeline.On() {
		defer s.timed()()
	}
	s.past.acquireAt()
	for s.step(w) {
	}
}

// next takes a task off the queue. If there is none, the stream has no worker any more.
//
//go:norace
func (s *Stream) next() (t task, err error, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		s.rest()
		return task{}, nil, false
	}
	t = s.queue[0]
	s.queue[0] = task{}
	s.queue = s.queue[1:]
	if len(s.queue) == 0 {
		s.queue = nil
	}
	return t, s.err, true
}

// step runs one task. It reports whether there may be another.
func (s *Stream) step(w *worker) (more bool) {
	t, failed, ok := s.next()
	if !ok {
		return false
	}
	t.from.acquireAt()
	_, before := s.legacyCells()
	before.acquireAt()
	if failed != nil {
		if t.drop != nil {
			t.drop(failed)
		}
		return true
	}

	var err error
	normal := false
	defer func() {
		if normal {
			return
		}
		// Only callbacks come here; kernels deal with their own panics.
		v := recover()
		if v != nil {
			err = callbackError(v)
		} else {
			err = fmt.Errorf("gocuda: stream: %w", errGoexitCallback)
		}
		s.fail(err)
		if t.drop != nil {
			t.drop(err)
		}
		s.taskEnded()
		if v == nil {
			s.handOver() // this goroutine ends
		}
		more = true
	}()
	err = t.run(w)
	if err != nil {
		s.fail(err)
	}
	s.taskEnded()
	normal = true
	return true
}

// taskEnded orders the task that has just run before every goroutine that learns that it has ended.
func (s *Stream) taskEnded() {
	s.past.releaseAt()
	own, _ := s.legacyCells()
	own.releaseAt()
	s.dev.streamed.releaseAt()
}

var errGoexitCallback = errors.New("a kernel or callback called runtime.Goexit")

// handOver gives the stream to another worker. When the device is being closed nobody is left to
// run the rest, and it is dropped.
func (s *Stream) handOver() {
	left, err := s.passOn()
	if err == nil {
		return
	}
	for _, t := range left {
		if t.drop != nil {
			t.drop(err)
		}
	}
	s.retire()
}

// passOn gives the stream to another worker. If there is none it returns what was queued, and the
// error of the stream.
//
//go:norace
func (s *Stream) passOn() (left []task, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.start() == nil {
		return nil, nil
	}
	left, s.queue = s.queue, nil
	return left, s.err
}

//go:norace
func (s *Stream) retire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest()
}

// rest takes note that the queue has run dry, with s.mu held.
//
//go:norace
func (s *Stream) rest() {
	s.busy = false
	if s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
	s.dev.active.note(s, s.err != nil && !s.closed)
}

// fail makes err the stream's error, if it has none.
//
//go:norace
func (s *Stream) fail(err error) {
	made := newRaceCell()
	made.releaseAt()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err, s.failed = lostStream(err), made
	}
}

// A CallbackError is a panic in a callback of a stream.
type CallbackError struct {
	Value any    // the value that the callback panicked with
	Stack []byte // the stack at the panic
	File  string // where it panicked, as in a [KernelError]
	Line  int
}

// callbackError makes the error of a panic with v, while that is being recovered.
func callbackError(v any) *CallbackError {
	p := here()
	return &CallbackError{Value: v, Stack: debug.Stack(), File: p.file, Line: p.line}
}

// Error returns a line such as
//
//	gocuda: stream callback (main.go:21): index out of range [256] with length 256
func (e *CallbackError) Error() string {
	return fmt.Sprintf("gocuda: stream callback%s: %s", place{e.File, e.Line}.bracketed(), panicText(e.Value))
}

// Unwrap returns the panic value if it is an error.
func (e *CallbackError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Synchronize waits until everything queued so far has ended, and returns the stream's error: CUDA's
// cudaStreamSynchronize. If ctx is done first it returns its cause; the work goes on.
func (s *Stream) Synchronize(ctx context.Context) error {
	if s == nil || s.dev == nil {
		return s.usable("synchronize")
	}
	if ctx == nil {
		return fmt.Errorf("gocuda: synchronize: %w: the context is nil", ErrInvalidValue)
	}
	if err := s.notCaptured("synchronize"); err != nil {
		return err
	}
	if err := s.joinOthers(); err != nil {
		return err
	}
	m := &milestone{reached: make(chan struct{}), cell: newRaceCell()}
	busy, err := s.await(m)
	if err != nil {
		return err
	}
	if busy {
		select {
		case <-m.reached:
			m.cell.acquireAt()
		case <-ctx.Done():
			return fmt.Errorf("gocuda: synchronize: %w", context.Cause(ctx))
		}
	} else {
		s.past.acquireAt()
	}
	s.dev.memory.Synchronized()
	return s.seen(s.failure())
}

// A milestone is a task that does nothing but to tell that its turn has come.
type milestone struct {
	reached chan struct{}
	cell    *raceCell
}

//go:norace
func (m *milestone) reach() {
	m.cell.releaseAt()
	raceDisable()
	close(m.reached)
	raceEnable()
}

func (m *milestone) run(*worker) error { m.reach(); return nil }
func (m *milestone) drop(error)        { m.reach() }

// await queues m if the stream has work. A goroutine that waits for m waits for the tasks queued so
// far. It does not wait for an idle stream, since others may keep adding tasks.
//
//go:norace
func (s *Stream) await(m *milestone) (busy bool, err error) {
	t := task{run: m.run, drop: m.drop}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.gone(); err != nil || !s.busy {
		return false, err
	}
	s.queue = append(s.queue, t)
	return true, nil
}

// failure returns the stream's error also when it was closed, and what is to be acquired for it.
//
//go:norace
func (s *Stream) failure() (error, *raceCell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err, s.failed
}

// Query reports whether everything queued so far has ended, and returns the stream's error, without
// waiting: CUDA's cudaStreamQuery.
func (s *Stream) Query() (done bool, err error) {
	if s == nil || s.dev == nil {
		return false, s.usable("query")
	}
	if err := s.notCaptured("query"); err != nil {
		return false, err
	}
	busy, err, failed := s.query()
	busy = busy || s.othersBusy()
	if !busy {
		s.past.acquireAt()
	}
	return !busy, s.seen(err, failed)
}

//go:norace
func (s *Stream) query() (busy bool, err error, failed *raceCell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err, failed = s.stateLocked()
	return s.busy, err, failed
}

// Err returns the stream's error, without waiting: CUDA's cudaPeekAtLastError.
func (s *Stream) Err() error { return s.usable("stream") }

// Reset waits until what was queued has ended or was dropped, clears the stream's error and returns
// it. The stream can be used again. As long as blocks of a launch that was given up run, see
// [RunawayError], the stream keeps its error.
func (s *Stream) Reset() error {
	if s == nil || s.dev == nil {
		return s.usable("reset")
	}
	if err := s.notCaptured("reset"); err != nil {
		return err
	}
	s.wait()
	return s.seen(s.clear())
}

// clear returns the error of the stream, which has none any more.
//
//go:norace
func (s *Stream) clear() (err error, failed *raceCell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.gone(); err != nil {
		return err, nil
	}
	if stillLost(s.err) {
		return s.err, nil
	}
	err, failed = s.err, s.failed
	s.err, s.failed = nil, nil
	s.dev.active.note(s, s.busy)
	return err, failed
}

// wait waits until the stream has no work.
func (s *Stream) wait() {
	if idle := s.idling(); idle != nil {
		<-idle
	}
	s.past.acquireAt()
}

// idling returns what is closed when the stream has no work, or nil if it has none.
//
//go:norace
func (s *Stream) idling() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.busy {
		return nil
	}
	if s.idle == nil {
		s.idle = make(chan struct{})
	}
	return s.idle
}

// Close waits until what was queued has ended, and returns the stream's error. Later use of the stream
// is an [ErrInvalidResourceHandle]. (CUDA's cudaStreamDestroy does not wait; here nothing of the stream
// is left running.)
func (s *Stream) Close() error {
	if err := s.usable("close"); errors.Is(err, ErrInvalidResourceHandle) {
		return err
	}
	if s == s.dev.stream {
		return fmt.Errorf("gocuda: close: %w: this is the default stream", ErrNotPermitted)
	}
	if err := s.notCaptured("close"); err != nil {
		return err
	}
	s.shut()
	s.wait()
	s.dev.active.note(s, false)
	return s.seen(s.failure())
}

// shut lets the stream take no more work.
//
//go:norace
func (s *Stream) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

// A streamSet is the streams that Synchronize of the device has to look at: those with work or an
// error.
type streamSet struct {
	mu  hiddenMutex
	all []*Stream
}

//go:norace
func (set *streamSet) note(s *Stream, active bool) {
	set.mu.Lock()
	defer set.mu.Unlock()
	switch {
	case active && s.place == 0:
		set.all = append(set.all, s)
		s.place = len(set.all)
	case !active && s.place > 0:
		last := set.all[len(set.all)-1]
		set.all[s.place-1], last.place = last, s.place
		set.all[len(set.all)-1] = nil
		set.all = set.all[:len(set.all)-1]
		s.place = 0
	}
}

//go:norace
func (set *streamSet) list() []*Stream {
	set.mu.Lock()
	defer set.mu.Unlock()
	return append([]*Stream(nil), set.all...)
}

// Synchronize waits until everything queued so far on the device's streams has ended, and returns
// their errors joined: CUDA's cudaDeviceSynchronize. If ctx is done first it returns its cause. It
// does not wait for blocks of launches that were given up; if there are any, the error has a
// [*RunawayError] with them.
func (d *Device) Synchronize(ctx context.Context) error {
	if d == nil {
		return errNilDevice
	}
	if ctx == nil {
		return fmt.Errorf("gocuda: synchronize: %w: the context is nil", ErrInvalidValue)
	}
	if d.pool.closed.Load() {
		return errDeviceClosed
	}
	if err := d.notCaptured("synchronize"); err != nil {
		return err
	}
	var errs []error
	defer d.memory.Synchronized()
	for _, s := range d.active.list() {
		err := s.Synchronize(ctx)
		if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
			return err
		}
		if err != nil && !errors.Is(err, ErrInvalidResourceHandle) {
			errs = append(errs, err)
		}
	}
	d.streamed.acquireAt() // also of streams that had no work any more
	if err := d.runawayError(); err != nil {
		errs = append(errs, fmt.Errorf("gocuda: synchronize: %w", err))
	}
	return errors.Join(errs...)
}

// elapsed is the time since the process began, from the monotonic clock.
func elapsed() time.Duration { return time.Since(epoch) }
