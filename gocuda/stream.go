package gocuda

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocuda/gocuda/grid"
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
	capture  atomic.Pointer[capture] // nil if there is none

	mu     sync.Mutex
	queue  []task
	busy   bool // a worker drains the queue
	closed bool
	err    error
	idle   chan struct{} // closed when the queue has run dry; nil if nobody waits
}

// A task is one piece of work of a stream.
type task struct {
	run func(w *worker) error
	// drop is called instead of run when the stream has failed.
	drop func(err error)
}

// NewStream makes a stream, CUDA's cudaStreamCreate.
func (d *Device) NewStream() *Stream { return &Stream{dev: d} }

// DefaultStream returns the device's default stream. It is a stream as any other: work in it does not
// wait for other streams, as with CUDA's --default-stream per-thread. It can't be closed.
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
	return s.add(task{run: func(w *worker) error {
		l, err := s.dev.newLaunch(ctx, cfg, kernel)
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
	return s.addHost(f)
}

// AddCallback queues a call of f, CUDA's cudaLaunchHostFunc: it runs once everything queued before has
// ended, and what is queued after waits for it. A stream that failed does not call it. f must not wait
// for its own stream. A panic of f becomes the stream's error.
func (s *Stream) AddCallback(f func()) error {
	if f == nil {
		return fmt.Errorf("gocuda: stream: %w: the callback is nil", ErrInvalidValue)
	}
	return s.addHost(func() error { f(); return nil })
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
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.usableLocked()
}

func (s *Stream) usableLocked() error {
	if err := s.gone(); err != nil {
		return err
	}
	return s.err
}

// gone returns an error if the stream or its device was closed.
func (s *Stream) gone() error {
	switch {
	case s.closed:
		return fmt.Errorf("gocuda: %w: the stream is closed", ErrInvalidResourceHandle)
	case s.dev.pool.closed.Load():
		return s.dev.closedError()
	}
	return nil
}

// add queues t, and gives the stream to a worker if none has it.
func (s *Stream) add(t task) error {
	if s == nil || s.dev == nil {
		return s.usable("stream")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usableLocked(); err != nil {
		return err
	}
	if !s.busy {
		if err := s.start(); err != nil {
			return err
		}
	}
	s.queue = append(s.queue, t)
	return nil
}

// start gives the stream to a worker, with s.mu held.
func (s *Stream) start() error {
	w := s.dev.pool.get()
	if w == nil {
		return s.dev.closedError()
	}
	s.busy = true
	s.dev.note(s, true)
	w.inbox <- work{stream: s}
	return nil
}

// drain is the worker's part: it runs tasks until there are none.
func (s *Stream) drain(w *worker) {
	for s.step(w) {
	}
}

// step runs one task. It reports whether there may be another.
func (s *Stream) step(w *worker) (more bool) {
	s.mu.Lock()
	if len(s.queue) == 0 {
		s.rest()
		s.mu.Unlock()
		return false
	}
	t := s.queue[0]
	s.queue[0] = task{}
	s.queue = s.queue[1:]
	if len(s.queue) == 0 {
		s.queue = nil
	}
	failed := s.err
	s.mu.Unlock()
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
		if v == nil {
			s.handOver() // this goroutine ends
		}
		more = true
	}()
	err = t.run(w)
	if err != nil {
		s.fail(err)
	}
	normal = true
	return true
}

var errGoexitCallback = errors.New("a kernel or callback called runtime.Goexit")

// handOver gives the stream to another worker.
func (s *Stream) handOver() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.start() != nil {
		// The device is being closed; nobody is left to run the rest, and it would be dropped.
		for _, t := range s.queue {
			if t.drop != nil {
				t.drop(s.err)
			}
		}
		s.queue = nil
		s.rest()
	}
}

// rest takes note that the queue has run dry, with s.mu held.
func (s *Stream) rest() {
	s.busy = false
	if s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
	s.dev.note(s, s.err != nil && !s.closed)
}

// fail makes err the stream's error, if it has none.
func (s *Stream) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = lostStream(err)
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
	s.mu.Lock()
	if err := s.gone(); err != nil {
		s.mu.Unlock()
		return err
	}
	if !s.busy {
		defer s.mu.Unlock()
		s.dev.memory.Synchronized()
		return s.err
	}
	// Wait for the last task of now, not for an idle stream: others may keep adding.
	reached := make(chan struct{})
	over := func() { close(reached) }
	s.queue = append(s.queue, task{
		run:  func(*worker) error { over(); return nil },
		drop: func(error) { over() },
	})
	s.mu.Unlock()
	select {
	case <-reached:
	case <-ctx.Done():
		return fmt.Errorf("gocuda: synchronize: %w", context.Cause(ctx))
	}
	s.dev.memory.Synchronized()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
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
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.busy, s.usableLocked()
}

// Err returns the stream's error, without waiting: CUDA's cudaPeekAtLastError.
func (s *Stream) Err() error { return s.usable("stream") }

// Reset waits until what was queued has ended or was dropped, clears the stream's error and returns
// it. The stream can be used again. As long as blocks of a launch that was given up run, see [RunawayError], the stream keeps
// its error.
func (s *Stream) Reset() error {
	if s == nil || s.dev == nil {
		return s.usable("reset")
	}
	if err := s.notCaptured("reset"); err != nil {
		return err
	}
	s.wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.gone(); err != nil {
		return err
	}
	err := s.err
	if stillLost(err) {
		return err
	}
	s.err = nil
	s.dev.note(s, s.busy)
	return err
}

// wait waits until the stream has no work.
func (s *Stream) wait() {
	s.mu.Lock()
	if !s.busy {
		s.mu.Unlock()
		return
	}
	if s.idle == nil {
		s.idle = make(chan struct{})
	}
	idle := s.idle
	s.mu.Unlock()
	<-idle
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
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dev.note(s, false)
	return s.err
}

// note keeps the set of streams that Synchronize of the device has to look at.
func (d *Device) note(s *Stream, active bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if active {
		d.streams[s] = struct{}{}
	} else {
		delete(d.streams, s)
	}
}

func (d *Device) activeStreams() []*Stream {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := make([]*Stream, 0, len(d.streams))
	for s := range d.streams {
		all = append(all, s)
	}
	return all
}

// Synchronize waits until everything queued so far on the device's streams has ended, and returns their
// errors joined: CUDA's cudaDeviceSynchronize. If ctx is done first it returns its cause. It does not wait for blocks of
// launches that were given up; if there are any, the error has a [*RunawayError] with them.
func (d *Device) Synchronize(ctx context.Context) error {
	if d == nil {
		return errNilDevice
	}
	if ctx == nil {
		return fmt.Errorf("gocuda: synchronize: %w: the context is nil", ErrInvalidValue)
	}
	if d.pool.closed.Load() {
		return d.closedError()
	}
	if err := d.notCaptured("synchronize"); err != nil {
		return err
	}
	var errs []error
	defer d.memory.Synchronized()
	for _, s := range d.activeStreams() {
		err := s.Synchronize(ctx)
		if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
			return err
		}
		if err != nil && !errors.Is(err, ErrInvalidResourceHandle) {
			errs = append(errs, err)
		}
	}
	if err := d.runawayError(); err != nil {
		errs = append(errs, fmt.Errorf("gocuda: synchronize: %w", err))
	}
	return errors.Join(errs...)
}

// elapsed is the time since the process began, from the monotonic clock.
func elapsed() time.Duration { return time.Since(epoch) }
