package streaming

import (
	"context"
	"errors"
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/mem"
)

// touch clears buffers. An operating system makes pages of memory when they are first written,
// which a GPU's memory knows nothing of, so that it should not be measured.
func touch[T any](all ...*mem.Buffer[T]) error {
	for _, b := range all {
		if err := mem.Memset(b, 0); err != nil {
			return err
		}
	}
	return nil
}

// A part of the data is from element from to element to, on a stream.
type part struct {
	on       *gocuda.Stream
	from, to int
}

// onStreams calls f with n streams, and closes them when what they do is over.
func onStreams(dev *gocuda.Device, n int, f func([]*gocuda.Stream) error) error {
	all := make([]*gocuda.Stream, n)
	for i := range all {
		all[i] = dev.NewStream()
	}
	err := f(all)
	// Nothing may still use the memory of the caller, also if something else has failed.
	if e := waitAll(context.Background(), all); err == nil {
		err = e
	}
	for _, s := range all {
		if e := s.Close(); err == nil {
			err = e
		}
	}
	return err
}

// waitAll waits for all streams, and returns the first error.
func waitAll(ctx context.Context, all []*gocuda.Stream) error {
	var errs []error
	for _, s := range all {
		errs = append(errs, s.Synchronize(ctx))
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// A queue is work on a stream with events in between. It keeps the first error.
type queue struct {
	s      *gocuda.Stream
	events []*gocuda.Event
	err    error
}

func newQueue(s *gocuda.Stream) *queue { return &queue{s: s} }

// do notes what came of queueing something.
func (q *queue) do(err error) {
	if q.err == nil {
		q.err = err
	}
}

// mark records an event.
func (q *queue) mark() {
	e := q.s.Device().NewEvent()
	q.events = append(q.events, e)
	q.do(q.s.Record(e))
}

// wait waits for the stream and returns the times between the events.
func (q *queue) wait(ctx context.Context) (between []time.Duration, err error) {
	if err := errors.Join(q.err, q.s.Synchronize(ctx)); err != nil {
		return nil, err
	}
	if len(q.events) == 0 {
		return nil, nil
	}
	for i, e := range q.events[1:] {
		d, err := e.Since(q.events[i])
		if err != nil {
			return nil, err
		}
		between = append(between, d)
	}
	return between, nil
}
