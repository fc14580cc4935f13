package gocuda

import (
	"context"
	"fmt"
	"time"
)

// An Event is a mark in a stream: it happens when everything queued before it has ended. Streams and
// hosts can wait for it, and two events tell how long the work between them took. CUDA's cudaEvent_t.
type Event struct {
	dev   *Device
	flags EventFlags

	mu  hiddenMutex
	cur *record // the last Record; nil before the first
}

// A record is one recording of an event. An event can be recorded again while streams still wait
// for an earlier record. A goroutine that has learned that a record happened is ordered after the
// work that the record stands for.
type record struct {
	done chan struct{}
	at   time.Duration // valid once done is closed
	err  error         // why the record never happened; valid once done is closed
	mark *captureMark  // for a record in a capture, which never happens and has no done
	cell *raceCell     // released when the record happens or, for a mark, when it is made
}

// newRecord makes the record of an event in a stream.
//
//go:norace
func newRecord() *record { return &record{done: make(chan struct{}), cell: newRaceCell()} }

// newMarkRecord makes the record of an event in a capture.
//
//go:norace
func newMarkRecord(m *captureMark) *record {
	r := &record{mark: m, cell: newRaceCell()}
	r.cell.releaseAt()
	return r
}

//go:norace
func (r *record) happen() {
	r.at = elapsed()
	r.end()
}

//go:norace
func (r *record) drop(err error) {
	r.err = err
	r.end()
}

//go:norace
func (r *record) end() {
	r.cell.releaseAt()
	raceDisable()
	close(r.done)
	raceEnable()
}

// missed returns the error of a wait for r, if r never happened.
func (r *record) missed() error {
	if r.err != nil {
		return fmt.Errorf("gocuda: waited for an event that never happened: %w", r.err)
	}
	return nil
}

// NewEvent makes an event, CUDA's cudaEventCreate. It holds no resources and need not be closed.
func (d *Device) NewEvent() *Event { return &Event{dev: d} }

// EventFlags are settings of an event. They can be combined with |.
type EventFlags uint

const (
	// EventDefault is an event of [Device.NewEvent], CUDA's cudaEventDefault.
	EventDefault EventFlags = 0
	// EventBlockingSync makes a host that waits for the event sleep instead of spin, CUDA's
	// cudaEventBlockingSync. In gocuda a waiting goroutine always sleeps, so the flag changes
	// nothing.
	EventBlockingSync EventFlags = 1
	// EventDisableTiming is for events that are only waited for: they keep no time, and
	// [Event.Since] returns an [ErrInvalidResourceHandle]. CUDA's cudaEventDisableTiming.
	EventDisableTiming EventFlags = 2
	// EventInterprocess is for events that other processes can open, CUDA's cudaEventInterprocess.
	// There are none here: such an event is an [ErrNotSupported].
	EventInterprocess EventFlags = 4
)

// NewEventWithFlags makes an event with settings, CUDA's cudaEventCreateWithFlags. As in CUDA,
// EventInterprocess needs EventDisableTiming beside it.
func (d *Device) NewEventWithFlags(flags EventFlags) (*Event, error) {
	if d == nil {
		return nil, errNilDevice
	}
	const all = EventBlockingSync | EventDisableTiming | EventInterprocess
	switch {
	case flags&^all != 0:
		return nil, fmt.Errorf("gocuda: new event: %w: flags %#x", ErrInvalidValue, uint(flags))
	case flags&EventInterprocess != 0 && flags&EventDisableTiming == 0:
		return nil, fmt.Errorf("gocuda: new event: %w: EventInterprocess without EventDisableTiming", ErrInvalidValue)
	case flags&EventInterprocess != 0:
		return nil, fmt.Errorf("gocuda: new event: %w: events of other processes", ErrNotSupported)
	}
	return &Event{dev: d, flags: flags}, nil
}

// valid returns an error if there is no event.
func (e *Event) valid() error {
	if e == nil || e.dev == nil {
		return fmt.Errorf("gocuda: %w: the event is nil", ErrInvalidResourceHandle)
	}
	return nil
}

// of returns what is wrong with using e on device d.
func (e *Event) of(d *Device) error {
	if err := e.valid(); err != nil {
		return err
	}
	if e.dev != d {
		return fmt.Errorf("gocuda: %w: the event is of another device", ErrInvalidResourceHandle)
	}
	return nil
}

// Record queues the event on s, CUDA's cudaEventRecord. An event may be recorded again, on any
// stream of its device; streams and goroutines that wait already keep waiting for the earlier
// record.
func (s *Stream) Record(e *Event) error {
	if err := s.usable("record"); err != nil {
		return err
	}
	if err := e.of(s.dev); err != nil {
		return err
	}
	if captured, err := s.captureRecord(e); captured {
		return err
	}
	r := newRecord()
	from := newRaceCell()
	from.releaseAt()
	return s.seen(e.record(s, r, task{
		run:  func(*worker) error { r.happen(); return nil },
		drop: r.drop,
		from: from,
	}))
}

// record queues t, which makes r happen, and makes r the last record of the event.
//
//go:norace
func (e *Event) record(s *Stream, r *record, t task) (error, *raceCell) {
	e.mu.Lock()
	defer e.mu.Unlock()
	err, failed := s.enqueue(t)
	if err == nil {
		e.cur = r
	}
	return err, failed
}

// Wait makes what is queued on s from now on wait for the event, as it was last recorded: CUDA's
// cudaStreamWaitEvent. An event that was never recorded holds up nothing, as in CUDA. If the event's
// stream fails before it, s fails with the same error. The event may be of another device, as in CUDA.
func (s *Stream) Wait(e *Event) error {
	if err := s.usable("wait"); err != nil {
		return err
	}
	if err := e.valid(); err != nil {
		return err
	}
	r := e.last()
	if r == nil {
		return nil
	}
	if captured, err := s.captureWait(r); captured {
		return err
	}
	return s.add(task{run: func(*worker) error {
		<-r.done
		r.cell.acquireAt()
		return r.missed()
	}})
}

//go:norace
func (e *Event) set(r *record) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.cur = r
}

//go:norace
func (e *Event) last() *record {
	e.mu.Lock()
	r := e.cur
	e.mu.Unlock()
	if r != nil && r.mark != nil {
		r.cell.acquireAt()
	}
	return r
}

// recorded returns the last recording, or an error if there is none or it was in a capture.
func (e *Event) recorded() (*record, error) {
	if err := e.valid(); err != nil {
		return nil, err
	}
	r := e.last()
	if r == nil {
		return nil, fmt.Errorf("gocuda: %w: the event was never recorded", ErrInvalidResourceHandle)
	}
	if err := r.notMark(); err != nil {
		return nil, err
	}
	return r, nil
}

// Query reports, without waiting, whether the event has happened: CUDA's cudaEventQuery. It returns an
// error if the event was never recorded or can't happen because its stream failed.
func (e *Event) Query() (happened bool, err error) {
	r, err := e.recorded()
	if err != nil {
		return false, err
	}
	select {
	case <-r.done:
		r.cell.acquireAt()
		return r.err == nil, r.err
	default:
		return false, nil
	}
}

// Synchronize waits until the event has happened, CUDA's cudaEventSynchronize. It returns an error if
// the event was never recorded or can't happen because its stream failed, and the context's cause if
// that is done first.
func (e *Event) Synchronize(ctx context.Context) error {
	r, err := e.recorded()
	if err != nil {
		return err
	}
	if ctx == nil {
		return fmt.Errorf("gocuda: synchronize: %w: the context is nil", ErrInvalidValue)
	}
	select {
	case <-r.done:
		r.cell.acquireAt()
		e.dev.memory.Synchronized()
		return r.err
	case <-ctx.Done():
		return fmt.Errorf("gocuda: synchronize: %w", context.Cause(ctx))
	}
}

// Since returns the time from start to e, CUDA's cudaEventElapsedTime. Both must be of the same
// device and have happened: one that was never recorded or keeps no time is an
// [ErrInvalidResourceHandle], one that has not happened yet an [ErrNotReady]. The resolution is the
// clock's, some 50 ns.
func (e *Event) Since(start *Event) (time.Duration, error) {
	r, err := e.recorded()
	if err != nil {
		return 0, err
	}
	r0, err := start.recorded()
	if err != nil {
		return 0, err
	}
	if err := start.of(e.dev); err != nil {
		return 0, err
	}
	if (e.flags|start.flags)&EventDisableTiming != 0 {
		return 0, fmt.Errorf("gocuda: elapsed time: %w: the event keeps no time: EventDisableTiming", ErrInvalidResourceHandle)
	}
	for _, r := range []*record{r0, r} {
		select {
		case <-r.done:
			r.cell.acquireAt()
			if r.err != nil {
				return 0, r.err
			}
		default:
			return 0, fmt.Errorf("gocuda: elapsed time: %w: the event has not happened yet", ErrNotReady)
		}
	}
	return r.at - r0.at, nil
}
