package gocuda_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func TestSinceMeasuresTheWorkBetween(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	start, mid, stop := dev.NewEvent(), dev.NewEvent(), dev.NewEvent()
	var begin, end time.Time
	require.NoError(t, s.Record(start))
	require.NoError(t, s.AddCallback(func() { begin = time.Now() }))
	require.NoError(t, s.LaunchFunc(grid.Linear(1<<14, 64), func(t *gocuda.Thread) { t.SyncThreads() }))
	require.NoError(t, s.Record(mid))
	require.NoError(t, s.LaunchFunc(grid.Linear(1<<14, 64), func(t *gocuda.Thread) { t.SyncThreads() }))
	require.NoError(t, s.AddCallback(func() { end = time.Now() }))
	require.NoError(t, s.Record(stop))
	require.NoError(t, synchronize(t, s))

	all, err := stop.Since(start)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, all, end.Sub(begin), "the events are nearer than the work between took")
	first, err := mid.Since(start)
	require.NoError(t, err)
	second, err := stop.Since(mid)
	require.NoError(t, err)
	assert.Positive(t, first)
	assert.Positive(t, second)
	assert.Equal(t, all, first+second)
	back, err := start.Since(stop)
	assert.NoError(t, err, "backwards")
	assert.Equal(t, -all, back, "backwards")
	none, err := stop.Since(stop)
	assert.NoError(t, err, "from an event to itself")
	assert.Zero(t, none, "from an event to itself")
}

func TestSinceAcrossStreams(t *testing.T) {
	dev := openDevice(t)
	s1, s2 := dev.NewStream(), dev.NewStream()
	start, stop := dev.NewEvent(), dev.NewEvent()
	require.NoError(t, s1.Record(start))
	require.NoError(t, s2.Wait(start))
	require.NoError(t, s2.Record(stop))
	require.NoError(t, synchronize(t, s2))
	d, err := stop.Since(start)
	assert.NoError(t, err)
	assert.GreaterOrEqual(t, d, time.Duration(0))
}

func TestSinceOfEventsThatHaveNotHappened(t *testing.T) {
	dev, other := openDevice(t), openDevice(t)
	s, held, failed := dev.NewStream(), dev.NewStream(), dev.NewStream()
	boom := errors.New("boom")
	record := func(s *gocuda.Stream) *gocuda.Event {
		e := s.Device().NewEvent()
		require.NoError(t, s.Record(e))
		return e
	}
	done := record(s)
	require.NoError(t, synchronize(t, s))
	release := hold(t, held)
	pending := record(held)
	gate := hold(t, failed)
	failWith(t, failed, boom)
	lost := record(failed)
	gate()
	synchronize(t, failed)
	foreign := record(other.DefaultStream())
	require.NoError(t, synchronize(t, other.DefaultStream()))
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
		_, err := done.Since(c.event)
		assert.ErrorIs(t, err, c.want, "since an event %s", c.name)
		_, err = c.event.Since(done)
		assert.ErrorIs(t, err, c.want, "event %s", c.name)
	}
	release()
	require.NoError(t, synchronize(t, held))
	_, err := pending.Since(done)
	assert.NoError(t, err, "once it has happened")
}

func TestRecordAgainMovesTheEvent(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	start, e := dev.NewEvent(), dev.NewEvent()
	require.NoError(t, s.Record(start))
	require.NoError(t, s.Record(e))
	require.NoError(t, synchronize(t, s))
	before, err := e.Since(start)
	require.NoError(t, err)
	require.NoError(t, s.LaunchFunc(grid.Linear(1<<12, 64), func(t *gocuda.Thread) { t.SyncThreads() }))
	require.NoError(t, s.Record(e))
	require.NoError(t, synchronize(t, s))
	after, err := e.Since(start)
	assert.NoError(t, err)
	assert.Greater(t, after, before)
}

func TestEventQueryAndSynchronize(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	e := dev.NewEvent()
	happened, err := e.Query()
	assert.False(t, happened, "Query of an event that was never recorded")
	assert.ErrorIs(t, err, gocuda.ErrInvalidResourceHandle, "Query of an event that was never recorded")
	assert.ErrorIs(t, e.Synchronize(context.Background()), gocuda.ErrInvalidResourceHandle, "Synchronize with an event that was never recorded")
	release := hold(t, s)
	x := 0
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { x = 1 }))
	require.NoError(t, s.Record(e))
	releaseLater := hold(t, s) // the event does not wait for what is queued behind it
	happened, err = e.Query()
	assert.False(t, happened, "Query of a pending event")
	assert.NoError(t, err, "Query of a pending event")
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(why)
	assert.ErrorIs(t, e.Synchronize(ctx), why, "Synchronize with a cancelled context")
	release()
	finishes(t, "Event.Synchronize", func() {
		assert.NoError(t, e.Synchronize(context.Background()))
	})
	assert.Equal(t, 1, x, "the event happened before the kernel ended")
	happened, err = e.Query()
	assert.True(t, happened, "Query of an event that has happened")
	assert.NoError(t, err, "Query of an event that has happened")
	releaseLater()
	require.NoError(t, synchronize(t, s))
}

func TestEventOfAFailedStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	e := dev.NewEvent()
	boom := errors.New("boom")
	release := hold(t, s)
	failWith(t, s, boom)
	require.NoError(t, s.Record(e))
	waiting := make(chan error, 1)
	go func() { waiting <- e.Synchronize(context.Background()) }()
	release()
	finishes(t, "Event.Synchronize", func() {
		assert.ErrorIs(t, <-waiting, boom, "who waits")
	})
	happened, err := e.Query()
	assert.False(t, happened, "Query")
	assert.ErrorIs(t, err, boom, "Query")
	assert.ErrorIs(t, e.Synchronize(context.Background()), boom, "who comes later")
	// The stream forgets its failure, and the event can be recorded anew.
	s.Reset()
	require.NoError(t, s.Record(e))
	require.NoError(t, e.Synchronize(context.Background()))
	happened, err = e.Query()
	assert.True(t, happened, "recorded again")
	assert.NoError(t, err, "recorded again")
}

func TestNilEvent(t *testing.T) {
	var e *gocuda.Event
	_, err := e.Query()
	assert.ErrorIs(t, err, gocuda.ErrInvalidResourceHandle, "Query")
	assert.ErrorIs(t, e.Synchronize(context.Background()), gocuda.ErrInvalidResourceHandle, "Synchronize")
}

// A stream may wait for an event of another device, and fails with it; nothing else may be mixed.
func TestEventsAcrossDevices(t *testing.T) {
	dev, far := openDevice(t), openDevice(t)
	s, other := dev.NewStream(), far.NewStream()
	e := far.NewEvent()
	release := hold(t, other)
	x := 0
	require.NoError(t, other.LaunchFunc(oneThread, func(*gocuda.Thread) { x = 1 }))
	require.NoError(t, other.Record(e))
	require.NoError(t, s.Wait(e))
	seen := -1
	require.NoError(t, s.AddCallback(func() { seen = x }))
	done, err := s.Query()
	assert.False(t, done, "it did not wait")
	assert.NoError(t, err, "it did not wait")
	release()
	require.NoError(t, synchronize(t, s))
	assert.Equal(t, 1, seen, "what the other device's stream saw")
	assert.ErrorIs(t, s.Record(e), gocuda.ErrInvalidResourceHandle, "Record")
	own := dev.NewEvent()
	require.NoError(t, s.Record(own))
	require.NoError(t, synchronize(t, s))
	_, err = own.Since(e)
	assert.ErrorIs(t, err, gocuda.ErrInvalidResourceHandle, "Since")
	boom := errors.New("boom")
	failWith(t, other, boom)
	require.NoError(t, ignore(other.Record(e)))
	synchronize(t, other)
	lost := far.NewEvent()
	held := far.NewStream()
	gate := hold(t, held)
	failWith(t, held, boom)
	require.NoError(t, held.Record(lost))
	require.NoError(t, s.Wait(lost))
	gate()
	assert.ErrorIs(t, synchronize(t, s), boom, "who waited for a stream that failed")
}
