package gocuda_test

import (
	"context"
	"errors"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
)

func TestWaitOrdersStreams(t *testing.T) {
	dev := openDevice(t)
	s1, s2, s3 := dev.NewStream(), dev.NewStream(), dev.NewStream()
	e1, e2 := dev.NewEvent(), dev.NewEvent()
	release := hold(t, s1)
	x, y, z := 0, 0, 0
	must(t, s1.LaunchFunc(oneThread, func(*gocuda.Thread) { x = 1 }))
	must(t, s1.Record(e1))
	must(t, s2.Wait(e1))
	must(t, s2.LaunchFunc(oneThread, func(*gocuda.Thread) { y = x + 1 }))
	must(t, s2.Record(e2))
	must(t, s3.Wait(e2))
	must(t, s3.AddCallback(func() { z = y + 1 }))
	for _, s := range []*gocuda.Stream{s2, s3} {
		if done, err := s.Query(); done || err != nil {
			t.Errorf("a stream that waits: done %v, %v", done, err)
		}
	}
	release()
	must(t, synchronize(t, s3))
	if z != 3 {
		t.Errorf("z = %d", z)
	}
}

func TestWaitHoldsUpOnlyWhatIsQueuedAfter(t *testing.T) {
	dev := openDevice(t)
	s1, s2 := dev.NewStream(), dev.NewStream()
	release := hold(t, s1)
	e, before := dev.NewEvent(), dev.NewEvent()
	must(t, s1.Record(e))
	must(t, s2.Record(before))
	must(t, s2.Wait(e))
	finishes(t, "an event queued before the wait", func() {
		if err := before.Synchronize(context.Background()); err != nil {
			t.Error(err)
		}
	})
	release()
	must(t, synchronize(t, s2))
}

func TestEventOfTheOwnStreamHoldsUpNothing(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	e := dev.NewEvent()
	for range 10 {
		must(t, s.Record(e))
		must(t, s.Wait(e))
	}
	must(t, synchronize(t, s))
}

func TestNeverRecordedEventHoldsUpNothing(t *testing.T) {
	dev := openDevice(t)
	s, held := dev.NewStream(), dev.NewStream()
	e := dev.NewEvent()
	must(t, s.Wait(e))
	// A later record is a later event: the wait above does not see it.
	release := hold(t, held)
	must(t, held.Record(e))
	ran := false
	must(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	must(t, synchronize(t, s))
	if !ran {
		t.Error("the kernel did not run")
	}
	release()
}

func TestRecordAgainWhileOthersWait(t *testing.T) {
	dev := openDevice(t)
	s1, s2 := dev.NewStream(), dev.NewStream()
	early, late := dev.NewStream(), dev.NewStream()
	e := dev.NewEvent()
	release1, release2 := hold(t, s1), hold(t, s2)
	x := 0
	must(t, s1.LaunchFunc(oneThread, func(*gocuda.Thread) { x = 1 }))
	must(t, s1.Record(e))
	must(t, early.Wait(e))
	seen := 0
	must(t, early.AddCallback(func() { seen = x }))

	must(t, s2.Record(e)) // the second time, on a stream that is still held up
	must(t, late.Wait(e))
	release1()
	must(t, synchronize(t, early)) // who waited before waits for the first time only
	if seen != 1 {
		t.Errorf("the first waiter saw %d", seen)
	}
	if happened, err := e.Query(); happened || err != nil {
		t.Errorf("the event counts as it was last recorded: %v, %v", happened, err)
	}
	if done, err := late.Query(); done || err != nil {
		t.Errorf("the second waiter: %v, %v", done, err)
	}
	release2()
	must(t, synchronize(t, late))
}

func TestManyStreamsWaitForOneEvent(t *testing.T) {
	dev := openDevice(t)
	src := dev.NewStream()
	release := hold(t, src)
	e := dev.NewEvent()
	x := 0
	must(t, src.LaunchFunc(oneThread, func(*gocuda.Thread) { x = 42 }))
	must(t, src.Record(e))
	seen := make([]int, 50)
	join := dev.NewStream()
	for k := range seen {
		s, done := dev.NewStream(), dev.NewEvent()
		must(t, s.Wait(e))
		must(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { seen[k] = x }))
		must(t, s.Record(done))
		must(t, join.Wait(done))
	}
	sum := 0
	must(t, join.AddCallback(func() {
		for _, v := range seen {
			sum += v
		}
	}))
	release()
	must(t, synchronize(t, join))
	if sum != 50*42 {
		t.Errorf("sum %d", sum)
	}
}

func TestStreamThatWaitsForAFailedOneFailsToo(t *testing.T) {
	boom := errors.New("boom")
	t.Run("waits when it fails", func(t *testing.T) {
		dev := openDevice(t)
		s1, s2, s3 := dev.NewStream(), dev.NewStream(), dev.NewStream()
		e1, e2 := dev.NewEvent(), dev.NewEvent()
		release := hold(t, s1)
		failWith(t, s1, boom)
		must(t, s1.Record(e1))
		must(t, s2.Wait(e1))
		must(t, s2.AddCallback(func() { t.Error("work behind an event that can't happen ran") }))
		must(t, s2.Record(e2))
		must(t, s3.Wait(e2)) // and on to who waits for that one
		must(t, s3.AddCallback(func() { t.Error("work two streams behind the failure ran") }))
		release()
		for i, s := range []*gocuda.Stream{s1, s2, s3} {
			if err := synchronize(t, s); !errors.Is(err, boom) {
				t.Errorf("stream %d: %v", i+1, err)
			}
		}
		// Each stream has its own copy of the error to reset.
		if err := s2.Reset(); !errors.Is(err, boom) {
			t.Errorf("Reset: %v", err)
		}
		if s2.Err() != nil || s1.Err() == nil || s3.Err() == nil {
			t.Error("Reset of one stream changed another, or not its own")
		}
		ran := false
		must(t, s2.AddCallback(func() { ran = true }))
		must(t, synchronize(t, s2))
		if !ran {
			t.Error("the stream does not work after Reset")
		}
	})
	t.Run("comes later", func(t *testing.T) {
		dev := openDevice(t)
		s1, s2 := dev.NewStream(), dev.NewStream()
		e := dev.NewEvent()
		release := hold(t, s1)
		failWith(t, s1, boom)
		must(t, s1.Record(e))
		release()
		synchronize(t, s1)
		if err := s2.Wait(e); err != nil && !errors.Is(err, boom) {
			t.Errorf("Wait: %v", err)
		}
		if err := synchronize(t, s2); !errors.Is(err, boom) {
			t.Errorf("Synchronize: %v", err)
		}
	})
}

func TestEventBeforeTheFailureHasHappened(t *testing.T) {
	dev := openDevice(t)
	s1, s2 := dev.NewStream(), dev.NewStream()
	e := dev.NewEvent()
	must(t, s1.Record(e))
	failWith(t, s1, errors.New("boom"))
	synchronize(t, s1)
	must(t, s2.Wait(e))
	must(t, synchronize(t, s2))
	if happened, err := e.Query(); !happened || err != nil {
		t.Errorf("%v, %v", happened, err)
	}
}
