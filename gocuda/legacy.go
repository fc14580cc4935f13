package gocuda

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// The legacy default stream, CUDA's NULL stream (The CUDA Handbook, 6.2.3 and 6.5.3; the section
// "Legacy default stream" of the CUDA runtime's manual). Its work waits for all work queued before
// on the device's other streams, and work queued on these afterwards waits for it. Streams made
// with [StreamNonBlocking] take no part.
//
// The order is made when work is queued: a fence, which is the record of an internal event, is
// added to the end of each stream that has work, and the new work waits for the fences. Every wait
// is for work that was queued earlier, so there are no cycles.

// StreamFlags are settings of a stream.
type StreamFlags uint

const (
	// StreamDefault is a stream of [Device.NewStream], CUDA's cudaStreamDefault.
	StreamDefault StreamFlags = 0
	// StreamNonBlocking is a stream that is not ordered with the legacy default stream, CUDA's
	// cudaStreamNonBlocking. It makes a difference only on devices with [WithLegacyStream].
	StreamNonBlocking StreamFlags = 1
)

// WithLegacyStream makes the device's default stream CUDA's legacy default stream, the NULL stream.
// Its work waits for all work queued before on the device's other streams, and work queued on these
// afterwards waits for it. Streams made with [StreamNonBlocking] take no part. If another stream
// that takes part has failed, the default stream fails with it, and the other way round.
//
// Calls without a stream belong to the work of the default stream: [Device.Launch] and
// [Device.LaunchCooperative], and of package mem copies, memsets and Free. They wait for their
// turn, and return when they are done. If the default stream has failed they return its error,
// until [Stream.Reset]; Free frees the memory all the same. In a kernel and in a callback of a
// stream that takes part, such a call belongs to the work that makes it, and waits for nothing: the
// default stream waits for that work. (CUDA forbids such calls there.)
//
// The default is that of CUDA's --default-stream per-thread.
func WithLegacyStream(on bool) Option {
	return func(o *options) error {
		o.legacy = on
		return nil
	}
}

// NewStreamWithFlags makes a stream with settings, CUDA's cudaStreamCreateWithFlags. Unknown flags
// are an [ErrInvalidValue].
func (d *Device) NewStreamWithFlags(flags StreamFlags) (*Stream, error) {
	return d.NewStreamWithFlagsAndPriority(flags, leastPriority)
}

// NewStreamWithFlagsAndPriority makes a stream with settings and a priority, as CUDA's
// cudaStreamCreateWithPriority does. See [Device.NewStreamWithPriority].
func (d *Device) NewStreamWithFlagsAndPriority(flags StreamFlags, priority int) (*Stream, error) {
	if d == nil {
		return nil, errNilDevice
	}
	if flags&^StreamNonBlocking != 0 {
		return nil, fmt.Errorf("gocuda: new stream: %w: flags %#x", ErrInvalidValue, uint(flags))
	}
	s := d.NewStreamWithPriority(priority)
	s.flags = flags
	return s, nil
}

// Flags returns the stream's settings, CUDA's cudaStreamGetFlags.
func (s *Stream) Flags() StreamFlags {
	if s == nil {
		return StreamDefault
	}
	return s.flags
}

// A legacyOrder is what a device keeps for its legacy default stream.
type legacyOrder struct {
	mu    hiddenMutex // held while work is queued, so that all streams have it in one order
	tasks uint64      // of the default stream, so far

	// For the race detector. A task of the default stream begins after all tasks of the others that
	// ended before it: those queued later can't have ended, since they wait for it. The same holds
	// the other way round.
	null, others *raceCell

	inside sync.Map // the goroutines that run work of the streams; the value is true
}

func newLegacyOrder() *legacyOrder { return &legacyOrder{null: newRaceCell(), others: newRaceCell()} }

// legacyCells returns the race cells of a task of s: it releases own when it ends, and acquires
// opposite when it begins.
//
//go:norace
func (s *Stream) legacyCells() (own, opposite *raceCell) {
	o := s.dev.legacy
	switch {
	case o == nil || s.flags&StreamNonBlocking != 0:
		return nil, nil
	case s.isNull():
		return o.null, o.others
	}
	return o.others, o.null
}

// isNull reports whether s is the legacy default stream of its device.
//
//go:norace
func (s *Stream) isNull() bool { return s.dev.legacy != nil && s == s.dev.stream }

// enqueue is push with the order between the default stream and the others.
//
//go:norace
func (s *Stream) enqueue(t task) (error, *raceCell) {
	o := s.dev.legacy
	if o == nil || s.flags&StreamNonBlocking != 0 {
		return s.push(t)
	}
	if err := s.implicit(); err != nil {
		return err, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err, failed := s.state(); err != nil {
		return err, failed
	}
	if s != s.dev.stream {
		if s.after != o.tasks { // else it waits for all of them already
			if err, failed := s.follow(s.dev.stream); err != nil {
				return err, failed
			}
			s.after = o.tasks
		}
		return s.push(t)
	}
	for _, other := range s.dev.active.list() {
		if other == s || other.flags&StreamNonBlocking != 0 {
			continue
		}
		if err, failed := s.follow(other); err != nil {
			return err, failed
		}
	}
	o.tasks++
	return s.push(t)
}

// inside records that the calling goroutine runs work of s, until the func returned is called.
func (s *Stream) inside() func() {
	o := s.takesPart()
	if o == nil {
		return func() {}
	}
	g := self()
	raceDisable() // or goroutines would be ordered by it
	_, was := o.inside.Swap(g, true)
	raceEnable()
	return func() {
		if was {
			return
		}
		raceDisable()
		o.inside.Delete(g)
		raceEnable()
	}
}

// takesPart returns the order that the stream's work is in, or nil.
//
//go:norace
func (s *Stream) takesPart() *legacyOrder {
	if s.flags&StreamNonBlocking != 0 {
		return nil
	}
	return s.dev.legacy
}

// turn waits until a call without a stream has its turn in the default stream, whose later work
// waits until end is called. On devices without the legacy default stream it is always the caller's
// turn.
func (d *Device) turn(ctx context.Context) (end func(), err error) {
	if d == nil || d.legacy == nil || ctx == nil || inKernel() || d.legacy.runs(self()) {
		return func() {}, nil
	}
	began, ended := make(chan error, 1), make(chan struct{})
	before, after := newRaceCell(), newRaceCell()
	err = d.stream.add(task{
		run: func(*worker) error {
			before.releaseAt()
			began <- nil
			<-ended
			after.acquireAt()
			return nil
		},
		drop: func(err error) { began <- err },
	})
	switch {
	case errors.Is(err, errDeviceClosed): // which has no work
		return func() {}, nil
	case err != nil:
		return nil, err
	}
	select {
	case err = <-began:
		if err != nil {
			_, failed := d.stream.failure()
			return nil, d.stream.seen(err, failed)
		}
	case <-ctx.Done():
		close(ended)
		return nil, cancelled(ctx)
	}
	before.acquireAt()
	return func() {
		after.releaseAt()
		close(ended)
	}, nil
}

// runs reports whether goroutine g runs work of the streams.
func (o *legacyOrder) runs(g uintptr) bool {
	raceDisable()
	defer raceEnable()
	_, ok := o.inside.Load(g)
	return ok
}

// inKernel reports whether a kernel runs on the calling goroutine.
func inKernel() bool {
	switch r := registered(self()).(type) {
	case *fiber, *strand:
		return true
	case *Block:
		return r.running
	}
	return false
}

// follow makes work queued on s from now on wait for the work that other has now.
//
//go:norace
func (s *Stream) follow(other *Stream) (error, *raceCell) {
	r := other.fence()
	if r == nil {
		return nil, nil
	}
	return s.push(task{run: func(*worker) error {
		<-r.done
		r.cell.acquireAt()
		return r.missed()
	}})
}

// fence returns a record that happens when all that is queued on s has ended. It is nil if the
// stream is idle; if it has failed the record never happens.
//
//go:norace
func (s *Stream) fence() *record {
	r := newRecord()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.busy: // also if the stream is being closed
		s.queue = append(s.queue, task{run: func(*worker) error { r.happen(); return nil }, drop: r.drop})
		return r
	case s.err != nil && !s.closed:
		r.err, r.cell = s.err, s.failed
		close(r.done)
		return r
	}
	return nil
}

// implicit returns an error, and spoils the captures, if work of the default stream would wait for
// a stream that is being captured.
func (s *Stream) implicit() error {
	if !s.isNull() {
		return nil
	}
	var errs []error
	for _, other := range s.dev.capturedStreams() {
		if other.flags&StreamNonBlocking != 0 {
			continue
		}
		c := other.capturing()
		if c == nil {
			continue
		}
		err := fmt.Errorf("gocuda: %w", ErrStreamCaptureImplicit)
		c.invalidate(err)
		c.mu.Unlock()
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// joinOthers is called before a wait for s. For the legacy default stream it queues an empty task,
// so that the wait includes the work of the streams that this stream waits for.
func (s *Stream) joinOthers() error {
	if !s.isNull() {
		return nil
	}
	err := s.add(task{run: func(*worker) error { return nil }})
	if errors.Is(err, ErrStreamCaptureImplicit) {
		return err
	}
	return nil // other errors are the stream's, and are found again
}

// othersBusy reports whether streams have work that the next task of s would wait for.
//
//go:norace
func (s *Stream) othersBusy() bool {
	if !s.isNull() {
		return false
	}
	for _, other := range s.dev.active.list() {
		if other == s || other.flags&StreamNonBlocking != 0 {
			continue
		}
		if busy, _, _ := other.query(); busy {
			return true
		}
	}
	return false
}
