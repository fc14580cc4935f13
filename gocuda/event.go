package gocuda

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// An Event is a mark in a stream: it happens when everything queued before it has ended. Streams and
// hosts can wait for it, and two events tell how long the work between them took. CUDA's cudaEvent_t.
type Event struct {
	dev *Device

	mu  sync.Mutex
	cur *record // the last Record; nil before the first
}

// A record is one recording of an event. An event can be recorded again while streams still wait for
// the time before.
type record struct {
	done chan struct{}
	at   time.Duration // valid once done is closed
	err  error         // why it never happened; likewise
	mark *captureMark  // in a capture, where it does not happen and has no done
}

func (r *record) happen() {
	r.at = elapsed()
	close(r.done)
}

func (r *record) drop(err error) {
	r.err = err
	close(r.done)
}

// missed returns an error for who has waited, if it did not happen.
func (r *record) missed() error {
	if r.err != nil {
		return fmt.Errorf("gocuda: waited for an event that never happened: %w", r.err)
	}
	return nil
}

// NewEvent makes an event, CUDA's cudaEventCreate. It holds no resources and need not be closed.
func (d *Device) NewEvent() *Event { return &Event{dev: d} }

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

// Record queues the event on s, CUDA's cudaEventRecord. It may be recorded again, on any stream of its
// device; who waits already waits for the time before.
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
	r := &record{done: make(chan struct{})}
	e.mu.Lock()
	defer e.mu.Unlock()
	err := s.add(task{
		run:  func(*worker) error { r.happen(); return nil },
		drop: r.drop,
	})
	if err == nil {
		e.cur = r
	}
	return err
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
		return r.missed()
	}})
}

func (e *Event) set(r *record) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.cur = r
}

func (e *Event) last() *record {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.cur
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
		e.dev.memory.Synchronized()
		return r.err
	case <-ctx.Done():
		return fmt.Errorf("gocuda: synchronize: %w", context.Cause(ctx))
	}
}

// Since returns the time from start to e, CUDA's cudaEventElapsedTime. Both must be of the same device
// and have happened: one that was never recorded is an [ErrInvalidResourceHandle], one that has not
// happened yet an [ErrNotReady]. The resolution is the clock's, some 50 ns.
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
	for _, r := range []*record{r0, r} {
		select {
		case <-r.done:
			if r.err != nil {
				return 0, r.err
			}
		default:
			return 0, fmt.Errorf("gocuda: elapsed time: %w: the event has not happened yet", ErrNotReady)
		}
	}
	return r.at - r0.at, nil
}
