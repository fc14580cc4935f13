package gocuda_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func TestSinceMeasuresTheWorkBetween(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	start, mid, stop := dev.NewEvent(), dev.NewEvent(), dev.NewEvent()
	var begin, end time.Time
	must(t, s.Record(start))
	must(t, s.AddCallback(func() { begin = time.Now() }))
	must(t, s.LaunchFunc(grid.Linear(1<<14, 64), func(t *gocuda.Thread) { t.SyncThreads() }))
	must(t, s.Record(mid))
	must(t, s.LaunchFunc(grid.Linear(1<<14, 64), func(t *gocuda.Thread) { t.SyncThreads() }))
	must(t, s.AddCallback(func() { end = time.Now() }))
	must(t, s.Record(stop))
	must(t, synchronize(t, s))

	all, err := stop.Since(start)
	must(t, err)
	if inside := end.Sub(begin); all < inside {
		t.Errorf("the events are %v apart, the work between took %v", all, inside)
	}
	first, err := mid.Since(start)
	must(t, err)
	second, err := stop.Since(mid)
	must(t, err)
	if first <= 0 || second <= 0 || first+second != all {
		t.Errorf("%v and %v do not add up to %v", first, second, all)
	}
	if back, err := start.Since(stop); err != nil || back != -all {
		t.Errorf("backwards: %v, %v", back, err)
	}
	if none, err := stop.Since(stop); err != nil || none != 0 {
		t.Errorf("from an event to itself: %v, %v", none, err)
	}
}

func TestSinceAcrossStreams(t *testing.T) {
	dev := openDevice(t)
	s1, s2 := dev.NewStream(), dev.NewStream()
	start, stop := dev.NewEvent(), dev.NewEvent()
	must(t, s1.Record(start))
	must(t, s2.Wait(start))
	must(t, s2.Record(stop))
	must(t, synchronize(t, s2))
	if d, err := stop.Since(start); err != nil || d < 0 {
		t.Errorf("%v, %v", d, err)
	}
}

func TestSinceOfEventsThatHaveNotHappened(t *testing.T) {
	dev, other := openDevice(t), openDevice(t)
	s, held, failed := dev.NewStream(), dev.NewStream(), dev.NewStream()
	boom := errors.New("boom")
	record := func(s *gocuda.Stream) *gocuda.Event {
		e := s.Device().NewEvent()
		must(t, s.Record(e))
		return e
	}
	done := record(s)
	must(t, synchronize(t, s))
	release := hold(t, held)
	pending := record(held)
	gate := hold(t, failed)
	failWith(t, failed, boom)
	lost := record(failed)
	gate()
	synchronize(t, failed)
	foreign := record(other.DefaultStream())
	must(t, synchronize(t, other.DefaultStream()))
	never := dev.NewEvent()

	for _, c := range []struct {
		name  string
		event *gocuda.Event
		want  error
	}{
		{"never recorded", never, gocuda.ErrInvalidResourceHandle},
		{"not happened yet", pending, gocuda.ErrNotReady},
		{"on a failed stream", lost, boom},
		{"of another device", foreign, gocuda.ErrInvalidResourceHandle},
		{"nil", nil, gocuda.ErrInvalidResourceHandle},
	} {
		if _, err := done.Since(c.event); !errors.Is(err, c.want) {
			t.Errorf("since an event %s: %v", c.name, err)
		}
		if _, err := c.event.Since(done); !errors.Is(err, c.want) {
			t.Errorf("event %s: %v", c.name, err)
		}
	}
	release()
	must(t, synchronize(t, held))
	if _, err := pending.Since(done); err != nil {
		t.Errorf("once it has happened: %v", err)
	}
}

func TestRecordAgainMovesTheEvent(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	start, e := dev.NewEvent(), dev.NewEvent()
	must(t, s.Record(start))
	must(t, s.Record(e))
	must(t, synchronize(t, s))
	before, err := e.Since(start)
	must(t, err)
	must(t, s.LaunchFunc(grid.Linear(1<<12, 64), func(t *gocuda.Thread) { t.SyncThreads() }))
	must(t, s.Record(e))
	must(t, synchronize(t, s))
	if after, err := e.Since(start); err != nil || after <= before {
		t.Errorf("%v after %v, %v", after, before, err)
	}
}

func TestEventQueryAndSynchronize(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	e := dev.NewEvent()
	if happened, err := e.Query(); happened || !errors.Is(err, gocuda.ErrInvalidResourceHandle) {
		t.Errorf("Query of an event that was never recorded: %v, %v", happened, err)
	}
	if err := e.Synchronize(context.Background()); !errors.Is(err, gocuda.ErrInvalidResourceHandle) {
		t.Errorf("Synchronize with an event that was never recorded: %v", err)
	}
	release := hold(t, s)
	x := 0
	must(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { x = 1 }))
	must(t, s.Record(e))
	releaseLater := hold(t, s) // the event does not wait for what is queued behind it
	if happened, err := e.Query(); happened || err != nil {
		t.Errorf("Query of a pending event: %v, %v", happened, err)
	}
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(why)
	if err := e.Synchronize(ctx); !errors.Is(err, why) {
		t.Errorf("Synchronize with a cancelled context: %v", err)
	}
	release()
	finishes(t, "Event.Synchronize", func() {
		if err := e.Synchronize(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if x != 1 {
		t.Error("the event happened before the kernel ended")
	}
	if happened, err := e.Query(); !happened || err != nil {
		t.Errorf("Query of an event that has happened: %v, %v", happened, err)
	}
	releaseLater()
	must(t, synchronize(t, s))
}

func TestEventOfAFailedStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	e := dev.NewEvent()
	boom := errors.New("boom")
	release := hold(t, s)
	failWith(t, s, boom)
	must(t, s.Record(e))
	waiting := make(chan error, 1)
	go func() { waiting <- e.Synchronize(context.Background()) }()
	release()
	finishes(t, "Event.Synchronize", func() {
		if err := <-waiting; !errors.Is(err, boom) {
			t.Errorf("who waits: %v", err)
		}
	})
	if happened, err := e.Query(); happened || !errors.Is(err, boom) {
		t.Errorf("Query: %v, %v", happened, err)
	}
	if err := e.Synchronize(context.Background()); !errors.Is(err, boom) {
		t.Errorf("who comes later: %v", err)
	}
	// The stream forgets its failure, and the event can be recorded anew.
	s.Reset()
	must(t, s.Record(e))
	must(t, e.Synchronize(context.Background()))
	if happened, err := e.Query(); !happened || err != nil {
		t.Errorf("recorded again: %v, %v", happened, err)
	}
}

func TestNilEvent(t *testing.T) {
	var e *gocuda.Event
	if _, err := e.Query(); !errors.Is(err, gocuda.ErrInvalidResourceHandle) {
		t.Errorf("Query: %v", err)
	}
	if err := e.Synchronize(context.Background()); !errors.Is(err, gocuda.ErrInvalidResourceHandle) {
		t.Errorf("Synchronize: %v", err)
	}
}

// A stream may wait for an event of another device, and fails with it; nothing else may be mixed.
func TestEventsAcrossDevices(t *testing.T) {
	dev, far := openDevice(t), openDevice(t)
	s, other := dev.NewStream(), far.NewStream()
	e := far.NewEvent()
	release := hold(t, other)
	x := 0
	must(t, other.LaunchFunc(oneThread, func(*gocuda.Thread) { x = 1 }))
	must(t, other.Record(e))
	must(t, s.Wait(e))
	seen := -1
	must(t, s.AddCallback(func() { seen = x }))
	if done, err := s.Query(); done || err != nil {
		t.Errorf("it did not wait: %v, %v", done, err)
	}
	release()
	must(t, synchronize(t, s))
	if seen != 1 {
		t.Errorf("the other device's stream saw %d", seen)
	}
	if err := s.Record(e); !errors.Is(err, gocuda.ErrInvalidResourceHandle) {
		t.Errorf("Record: %v", err)
	}
	own := dev.NewEvent()
	must(t, s.Record(own))
	must(t, synchronize(t, s))
	if _, err := own.Since(e); !errors.Is(err, gocuda.ErrInvalidResourceHandle) {
		t.Errorf("Since: %v", err)
	}
	boom := errors.New("boom")
	failWith(t, other, boom)
	must(t, ignore(other.Record(e)))
	synchronize(t, other)
	lost := far.NewEvent()
	held := far.NewStream()
	gate := hold(t, held)
	failWith(t, held, boom)
	must(t, held.Record(lost))
	must(t, s.Wait(lost))
	gate()
	if err := synchronize(t, s); !errors.Is(err, boom) {
		t.Errorf("who waited for a stream that failed: %v", err)
	}
}
