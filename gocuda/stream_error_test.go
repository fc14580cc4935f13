package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

func TestWorkBehindAFailureIsDropped(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	buf, err := mem.Alloc[byte](dev, 4)
	must(t, err)
	must(t, mem.Memset(buf, 7))
	boom := errors.New("boom")
	never := func() { t.Error("work behind a failure ran") }
	dst := make([]byte, 4)

	release := hold(t, s) // so that everything is queued before the failure
	failWith(t, s, boom)
	must(t, s.LaunchFunc(grid.Linear(100, 10), func(*gocuda.Thread) { never() }))
	must(t, s.AddCallback(never))
	must(t, s.Enqueue(func() error { never(); return nil }))
	must(t, mem.CopyToHostAsync(s, dst, buf))
	must(t, mem.MemsetAsync(s, buf, 9))
	release()
	if err := synchronize(t, s); !errors.Is(err, boom) {
		t.Errorf("Synchronize: %v", err)
	}
	s.Reset()
	must(t, synchronize(t, s)) // dropped is dropped: nothing of it comes back
	if dst[0] != 0 || buf.Data()[0] != 7 {
		t.Errorf("dropped copies took place: %d, %d", dst[0], buf.Data()[0])
	}
}

func TestFailureStaysUntilReset(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	boom, late := errors.New("boom"), errors.New("late")
	release := hold(t, s)
	failWith(t, s, boom)
	failWith(t, s, late) // dropped, so it can't replace the first
	release()
	for range 2 {
		if err := synchronize(t, s); !errors.Is(err, boom) || errors.Is(err, late) {
			t.Errorf("Synchronize: %v", err)
		}
		if err := s.Err(); !errors.Is(err, boom) {
			t.Errorf("Err: %v", err)
		}
	}
	var ke *gocuda.KernelError
	if !errors.As(s.Err(), &ke) {
		t.Errorf("%T is no KernelError", s.Err())
	}
	nop := func(*gocuda.Thread) {}
	for name, err := range map[string]error{
		"Launch":      s.Launch(oneThread, gocuda.ThreadFunc(nop)),
		"LaunchFunc":  s.LaunchFunc(oneThread, nop),
		"AddCallback": s.AddCallback(func() { t.Error("called") }),
		"Enqueue":     s.Enqueue(func() error { t.Error("called"); return nil }),
		"Record":      s.Record(dev.NewEvent()),
		"Wait":        s.Wait(dev.NewEvent()),
	} {
		if !errors.Is(err, boom) {
			t.Errorf("%s on a failed stream: %v", name, err)
		}
	}
	if err := s.Reset(); !errors.Is(err, boom) {
		t.Errorf("Reset returns what it clears: %v", err)
	}
	if err := s.Err(); err != nil {
		t.Errorf("after Reset: %v", err)
	}
	if err := s.Reset(); err != nil {
		t.Errorf("Reset without an error: %v", err)
	}
	ran := false
	must(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	must(t, synchronize(t, s))
	if !ran {
		t.Error("the stream does not run after Reset")
	}
}

func TestResetWaitsForWhatIsQueued(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	release := hold(t, s)
	boom := errors.New("boom")
	failWith(t, s, boom)
	reset := make(chan error, 1)
	go func() { reset <- s.Reset() }()
	release()
	finishes(t, "Reset", func() {
		if err := <-reset; !errors.Is(err, boom) {
			t.Errorf("Reset: %v", err)
		}
	})
	must(t, synchronize(t, s))
}

func TestFailureOfOneStreamLeavesOthersAlone(t *testing.T) {
	dev := openDevice(t)
	bad, good := dev.NewStream(), dev.NewStream()
	failWith(t, bad, errors.New("boom"))
	synchronize(t, bad)
	ran := false
	must(t, good.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	must(t, synchronize(t, good))
	must(t, dev.LaunchFunc(context.Background(), oneThread, func(*gocuda.Thread) {}))
	if !ran {
		t.Error("the other stream did not run")
	}
}

func TestBadConfigurationIsReportedAtOnceAndDoesNotStick(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	release := hold(t, s)
	nop := func(*gocuda.Thread) {}
	bad := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 4096}}
	if err := s.LaunchFunc(bad, nop); !errors.Is(err, gocuda.ErrInvalidConfiguration) {
		t.Errorf("LaunchFunc: %v", err)
	}
	if err := s.Launch(bad, gocuda.ThreadFunc(nop)); !errors.Is(err, gocuda.ErrMaxThreadsPerBlock) && !errors.Is(err, gocuda.ErrMaxThreadsDim) {
		t.Errorf("Launch: %v", err)
	}
	if err := s.LaunchContext(context.Background(), bad, gocuda.ThreadFunc(nop)); !errors.Is(err, gocuda.ErrInvalidConfiguration) {
		t.Errorf("LaunchContext: %v", err)
	}
	release()
	must(t, synchronize(t, s))
}

func TestCallbackPanicBecomesTheStreamsError(t *testing.T) {
	dev := openDevice(t)
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		f    func()
		want any // Value of the CallbackError
	}{
		"error": {func() { panic(boom) }, boom},
		"text":  {func() { panic("text") }, "text"},
	} {
		t.Run(name, func(t *testing.T) {
			s := dev.NewStream()
			must(t, s.AddCallback(c.f))
			s.AddCallback(func() { t.Error("a callback behind a failed one ran") })
			err := synchronize(t, s)
			var ce *gocuda.CallbackError
			if !errors.As(err, &ce) {
				t.Fatalf("%v (%T)", err, err)
			}
			if ce.Value != c.want {
				t.Errorf("Value %v", ce.Value)
			}
			if !strings.Contains(string(ce.Stack), "stream_error_test.go") {
				t.Errorf("the stack does not lead to the callback:\n%s", ce.Stack)
			}
			if !strings.Contains(ce.Error(), fmt.Sprint(c.want)) {
				t.Errorf("Error() = %q", ce.Error())
			}
			if c.want == boom && !errors.Is(err, boom) {
				t.Error("errors.Is does not reach the cause")
			}
			if again := s.Reset(); again != err {
				t.Errorf("Reset: %v", again)
			}
			must(t, synchronize(t, s))
		})
	}
	t.Run("nil", func(t *testing.T) {
		s := dev.NewStream()
		must(t, s.AddCallback(func() { panic(nil) }))
		var pn *runtime.PanicNilError
		if err := synchronize(t, s); !errors.As(err, &pn) {
			t.Errorf("%v", err)
		}
	})
}

// A test's FailNow ends its goroutine. Where that is the stream's, the stream must go on living.
func TestGoexitInACallbackFailsTheStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	must(t, s.AddCallback(func() { runtime.Goexit() }))
	s.AddCallback(func() { t.Error("a callback behind a failed one ran") })
	if err := synchronize(t, s); err == nil {
		t.Error("no error")
	}
	s.Reset()
	ran := false
	must(t, s.AddCallback(func() { ran = true }))
	must(t, synchronize(t, s))
	if !ran {
		t.Error("the stream does not run after Reset")
	}
}

func TestGoexitInAKernelFailsTheStream(t *testing.T) {
	for _, exec := range executors {
		for _, workers := range []int{1, 3} {
			dev := openDevice(t, gocuda.WithExecutor(exec), gocuda.WithWorkers(workers))
			s := dev.NewStream()
			for range 5 {
				must(t, s.LaunchFunc(grid.Linear(100*32, 32), func(t *gocuda.Thread) {
					t.SyncThreads()
					if t.BlockIdx.X == 3 && t.Rank() == 7 {
						runtime.Goexit()
					}
					t.SyncThreads()
				}))
				err := synchronize(t, s)
				var ke *gocuda.KernelError
				if !errors.As(err, &ke) || ke.BlockIdx.X != 3 || ke.ThreadIdx.X != 7 {
					t.Errorf("%v, %d workers: %v", exec, workers, err)
				}
				s.Reset()
			}
		}
	}
}

func TestEnqueueErrorBecomesTheStreamsError(t *testing.T) {
	dev := openDevice(t)
	boom := errors.New("boom")
	s := dev.NewStream()
	must(t, s.Enqueue(func() error { return boom }))
	s.AddCallback(func() { t.Error("a callback behind a failure ran") })
	if err := synchronize(t, s); !errors.Is(err, boom) {
		t.Errorf("returned: %v", err)
	}
	s.Reset()
	must(t, s.Enqueue(func() error { panic(boom) }))
	if err := synchronize(t, s); !errors.Is(err, boom) {
		t.Errorf("panicked: %v", err)
	}
	s.Reset()
	must(t, s.Enqueue(func() error { runtime.Goexit(); return nil }))
	if err := synchronize(t, s); err == nil {
		t.Error("Goexit: no error")
	}
}

func TestLaunchContextCancelled(t *testing.T) {
	dev := openDevice(t)
	why := errors.New("enough")
	t.Run("before it begins", func(t *testing.T) {
		s := dev.NewStream()
		ctx, cancel := context.WithCancelCause(context.Background())
		release := hold(t, s)
		never := gocuda.ThreadFunc(func(*gocuda.Thread) { t.Error("a cancelled kernel ran") })
		must(t, s.LaunchContext(ctx, grid.Linear(1000, 10), never))
		cancel(why)
		release()
		if err := synchronize(t, s); !errors.Is(err, why) {
			t.Errorf("Synchronize: %v", err)
		}
		if err := s.Reset(); !errors.Is(err, why) { // sticky as any other error
			t.Errorf("Reset: %v", err)
		}
		must(t, synchronize(t, s))
	})
	t.Run("at a barrier", func(t *testing.T) {
		s := dev.NewStream()
		ctx, cancel := context.WithCancelCause(context.Background())
		must(t, s.LaunchContext(ctx, grid.Linear(128, 64), gocuda.ThreadFunc(func(t *gocuda.Thread) {
			for {
				if t.Rank() == 0 {
					cancel(why)
				}
				t.SyncThreads()
			}
		})))
		if err := synchronize(t, s); !errors.Is(err, why) {
			t.Errorf("Synchronize: %v", err)
		}
	})
	t.Run("a deadline", func(t *testing.T) {
		s := dev.NewStream()
		ctx, cancel := context.WithTimeout(context.Background(), 1)
		defer cancel()
		must(t, s.LaunchContext(ctx, grid.Linear(128, 64), gocuda.ThreadFunc(func(t *gocuda.Thread) {
			for {
				t.SyncThreads()
			}
		})))
		if err := synchronize(t, s); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Synchronize: %v", err)
		}
	})
}

func TestDeviceSynchronizeJoinsErrors(t *testing.T) {
	dev := openDevice(t)
	sync := func() (err error) {
		finishes(t, "Device.Synchronize", func() { err = dev.Synchronize(context.Background()) })
		return err
	}
	must(t, sync()) // without streams
	s1, s2, s3 := dev.NewStream(), dev.NewStream(), dev.NewStream()
	boom1, boom2 := errors.New("boom 1"), errors.New("boom 2")
	ran := false
	failWith(t, s1, boom1)
	failWith(t, s2, boom2)
	must(t, s3.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	err := sync()
	if !errors.Is(err, boom1) || !errors.Is(err, boom2) {
		t.Errorf("%v", err)
	}
	if !ran {
		t.Error("a stream that did not fail was not waited for")
	}
	s1.Reset()
	if err := sync(); errors.Is(err, boom1) || !errors.Is(err, boom2) {
		t.Errorf("after Reset of the first: %v", err)
	}
	s2.Reset()
	must(t, sync())
}

func TestDeviceSynchronizeCoversTheDefaultStream(t *testing.T) {
	dev := openDevice(t)
	release := hold(t, dev.DefaultStream())
	ran := false
	must(t, dev.DefaultStream().LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	release()
	finishes(t, "Device.Synchronize", func() {
		if err := dev.Synchronize(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if !ran {
		t.Error("the default stream was not waited for")
	}
}
