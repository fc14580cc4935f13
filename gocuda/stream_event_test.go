package gocuda_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
)

func TestWaitOrdersStreams(t *testing.T) {
	dev := openDevice(t)
	s1, s2, s3 := dev.NewStream(), dev.NewStream(), dev.NewStream()
	e1, e2 := dev.NewEvent(), dev.NewEvent()
	release := hold(t, s1)
	x, y, z := 0, 0, 0
	require.NoError(t, s1.LaunchFunc(oneThread, func(*gocuda.Thread) { x = 1 }))
	require.NoError(t, s1.Record(e1))
	require.NoError(t, s2.Wait(e1))
	require.NoError(t, s2.LaunchFunc(oneThread, func(*gocuda.Thread) { y = x + 1 }))
	require.NoError(t, s2.Record(e2))
	require.NoError(t, s3.Wait(e2))
	require.NoError(t, s3.AddCallback(func() { z = y + 1 }))
	for _, s := range []*gocuda.Stream{s2, s3} {
		done, err := s.Query()
		assert.False(t, done, "a stream that waits")
		assert.NoError(t, err, "a stream that waits")
	}
	release()
	require.NoError(t, synchronize(t, s3))
	assert.Equal(t, 3, z)
}

func TestWaitHoldsUpOnlyWhatIsQueuedAfter(t *testing.T) {
	dev := openDevice(t)
	s1, s2 := dev.NewStream(), dev.NewStream()
	release := hold(t, s1)
	e, before := dev.NewEvent(), dev.NewEvent()
	require.NoError(t, s1.Record(e))
	require.NoError(t, s2.Record(before))
	require.NoError(t, s2.Wait(e))
	finishes(t, "an event queued before the wait", func() {
		assert.NoError(t, before.Synchronize(context.Background()))
	})
	release()
	require.NoError(t, synchronize(t, s2))
}

func TestEventOfTheOwnStreamHoldsUpNothing(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	e := dev.NewEvent()
	for range 10 {
		require.NoError(t, s.Record(e))
		require.NoError(t, s.Wait(e))
	}
	require.NoError(t, synchronize(t, s))
}

func TestNeverRecordedEventHoldsUpNothing(t *testing.T) {
	dev := openDevice(t)
	s, held := dev.NewStream(), dev.NewStream()
	e := dev.NewEvent()
	require.NoError(t, s.Wait(e))
	// A later record is a later event: the wait above does not see it.
	release := hold(t, held)
	require.NoError(t, held.Record(e))
	ran := false
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	require.NoError(t, synchronize(t, s))
	assert.True(t, ran, "the kernel did not run")
	release()
}

func TestRecordAgainWhileOthersWait(t *testing.T) {
	dev := openDevice(t)
	s1, s2 := dev.NewStream(), dev.NewStream()
	early, late := dev.NewStream(), dev.NewStream()
	e := dev.NewEvent()
	release1, release2 := hold(t, s1), hold(t, s2)
	x := 0
	require.NoError(t, s1.LaunchFunc(oneThread, func(*gocuda.Thread) { x = 1 }))
	require.NoError(t, s1.Record(e))
	require.NoError(t, early.Wait(e))
	seen := 0
	require.NoError(t, early.AddCallback(func() { seen = x }))

	require.NoError(t, s2.Record(e)) // the second time, on a stream that is still held up
	require.NoError(t, late.Wait(e))
	release1()
	require.NoError(t, synchronize(t, early)) // who waited before waits for the first time only
	assert.Equal(t, 1, seen, "what the first waiter saw")
	happened, err := e.Query()
	assert.False(t, happened, "the event counts as it was last recorded")
	assert.NoError(t, err, "the event counts as it was last recorded")
	done, err := late.Query()
	assert.False(t, done, "the second waiter")
	assert.NoError(t, err, "the second waiter")
	release2()
	require.NoError(t, synchronize(t, late))
}

func TestManyStreamsWaitForOneEvent(t *testing.T) {
	dev := openDevice(t)
	src := dev.NewStream()
	release := hold(t, src)
	e := dev.NewEvent()
	x := 0
	require.NoError(t, src.LaunchFunc(oneThread, func(*gocuda.Thread) { x = 42 }))
	require.NoError(t, src.Record(e))
	seen := make([]int, 50)
	join := dev.NewStream()
	for k := range seen {
		s, done := dev.NewStream(), dev.NewEvent()
		require.NoError(t, s.Wait(e))
		require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { seen[k] = x }))
		require.NoError(t, s.Record(done))
		require.NoError(t, join.Wait(done))
	}
	sum := 0
	require.NoError(t, join.AddCallback(func() {
		for _, v := range seen {
			sum += v
		}
	}))
	release()
	require.NoError(t, synchronize(t, join))
	assert.Equal(t, 50*42, sum)
}

func TestStreamThatWaitsForAFailedOneFailsToo(t *testing.T) {
	boom := errors.New("boom")
	t.Run("waits when it fails", func(t *testing.T) {
		dev := openDevice(t)
		s1, s2, s3 := dev.NewStream(), dev.NewStream(), dev.NewStream()
		e1, e2 := dev.NewEvent(), dev.NewEvent()
		release := hold(t, s1)
		failWith(t, s1, boom)
		require.NoError(t, s1.Record(e1))
		require.NoError(t, s2.Wait(e1))
		require.NoError(t, s2.AddCallback(func() { t.Error("work behind an event that can't happen ran") }))
		require.NoError(t, s2.Record(e2))
		require.NoError(t, s3.Wait(e2)) // and on to who waits for that one
		require.NoError(t, s3.AddCallback(func() { t.Error("work two streams behind the failure ran") }))
		release()
		for i, s := range []*gocuda.Stream{s1, s2, s3} {
			assert.ErrorIs(t, synchronize(t, s), boom, "stream %d", i+1)
		}
		// Each stream has its own copy of the error to reset.
		assert.ErrorIs(t, s2.Reset(), boom, "Reset")
		assert.NoError(t, s2.Err(), "Reset of one stream changed another, or not its own")
		assert.Error(t, s1.Err(), "Reset of one stream changed another, or not its own")
		assert.Error(t, s3.Err(), "Reset of one stream changed another, or not its own")
		ran := false
		require.NoError(t, s2.AddCallback(func() { ran = true }))
		require.NoError(t, synchronize(t, s2))
		assert.True(t, ran, "the stream does not work after Reset")
	})
	t.Run("comes later", func(t *testing.T) {
		dev := openDevice(t)
		s1, s2 := dev.NewStream(), dev.NewStream()
		e := dev.NewEvent()
		release := hold(t, s1)
		failWith(t, s1, boom)
		require.NoError(t, s1.Record(e))
		release()
		synchronize(t, s1)
		if err := s2.Wait(e); err != nil {
			assert.ErrorIs(t, err, boom, "Wait")
		}
		assert.ErrorIs(t, synchronize(t, s2), boom, "Synchronize")
	})
}

func TestEventBeforeTheFailureHasHappened(t *testing.T) {
	dev := openDevice(t)
	s1, s2 := dev.NewStream(), dev.NewStream()
	e := dev.NewEvent()
	require.NoError(t, s1.Record(e))
	failWith(t, s1, errors.New("boom"))
	synchronize(t, s1)
	require.NoError(t, s2.Wait(e))
	require.NoError(t, synchronize(t, s2))
	happened, err := e.Query()
	assert.True(t, happened)
	assert.NoError(t, err)
}

func TestEventFlags(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	untimed, err := dev.NewEventWithFlags(gocuda.EventDisableTiming | gocuda.EventBlockingSync)
	require.NoError(t, err)
	timed, err := dev.NewEventWithFlags(gocuda.EventDefault)
	require.NoError(t, err)
	done := false
	require.NoError(t, s.Record(timed))
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { done = true }))
	require.NoError(t, s.Record(untimed))
	require.NoError(t, untimed.Synchronize(context.Background()))
	assert.True(t, done, "an event without timing is waited for")
	for _, pair := range [][2]*gocuda.Event{{untimed, timed}, {timed, untimed}, {untimed, untimed}} {
		_, err = pair[0].Since(pair[1])
		assert.ErrorIs(t, err, gocuda.ErrInvalidResourceHandle)
	}
	_, err = timed.Since(timed)
	assert.NoError(t, err)
	_, err = dev.NewEventWithFlags(8)
	assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
	_, err = dev.NewEventWithFlags(gocuda.EventInterprocess)
	assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
	_, err = dev.NewEventWithFlags(gocuda.EventInterprocess | gocuda.EventDisableTiming)
	assert.ErrorIs(t, err, gocuda.ErrNotSupported)
	_, err = (*gocuda.Device)(nil).NewEventWithFlags(gocuda.EventDefault)
	assert.ErrorIs(t, err, gocuda.ErrInvalidResourceHandle)
}
