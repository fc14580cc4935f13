package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

func TestWorkBehindAFailureIsDropped(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	buf, err := mem.Alloc[byte](dev, 4)
	require.NoError(t, err)
	require.NoError(t, mem.Memset(buf, 7))
	boom := errors.New("boom")
	never := func() { t.Error("work behind a failure ran") }
	dst := make([]byte, 4)

	release := hold(t, s) // so that everything is queued before the failure
	failWith(t, s, boom)
	require.NoError(t, s.LaunchFunc(grid.Linear(100, 10), func(*gocuda.Thread) { never() }))
	require.NoError(t, s.AddCallback(never))
	require.NoError(t, s.Enqueue(func() error { never(); return nil }))
	require.NoError(t, mem.CopyToHostAsync(s, dst, buf))
	require.NoError(t, mem.MemsetAsync(s, buf, 9))
	release()
	assert.ErrorIs(t, synchronize(t, s), boom, "Synchronize")
	s.Reset()
	require.NoError(t, synchronize(t, s)) // dropped is dropped: nothing of it comes back
	assert.Zero(t, dst[0], "dropped copies took place")
	assert.Equal(t, byte(7), buf.Data()[0], "dropped copies took place")
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
		err := synchronize(t, s)
		assert.ErrorIs(t, err, boom, "Synchronize")
		assert.NotErrorIs(t, err, late, "Synchronize")
		assert.ErrorIs(t, s.Err(), boom, "Err")
	}
	var ke *gocuda.KernelError
	assert.ErrorAs(t, s.Err(), &ke)
	nop := func(*gocuda.Thread) {}
	for name, err := range map[string]error{
		"Launch":      s.Launch(oneThread, gocuda.ThreadFunc(nop)),
		"LaunchFunc":  s.LaunchFunc(oneThread, nop),
		"AddCallback": s.AddCallback(func() { t.Error("called") }),
		"Enqueue":     s.Enqueue(func() error { t.Error("called"); return nil }),
		"Record":      s.Record(dev.NewEvent()),
		"Wait":        s.Wait(dev.NewEvent()),
	} {
		assert.ErrorIs(t, err, boom, "%s on a failed stream", name)
	}
	assert.ErrorIs(t, s.Reset(), boom, "Reset returns what it clears")
	assert.NoError(t, s.Err(), "after Reset")
	assert.NoError(t, s.Reset(), "Reset without an error")
	ran := false
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	require.NoError(t, synchronize(t, s))
	assert.True(t, ran, "the stream does not run after Reset")
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
		assert.ErrorIs(t, <-reset, boom, "Reset")
	})
	require.NoError(t, synchronize(t, s))
}

func TestFailureOfOneStreamLeavesOthersAlone(t *testing.T) {
	dev := openDevice(t)
	bad, good := dev.NewStream(), dev.NewStream()
	failWith(t, bad, errors.New("boom"))
	synchronize(t, bad)
	ran := false
	require.NoError(t, good.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	require.NoError(t, synchronize(t, good))
	require.NoError(t, dev.LaunchFunc(context.Background(), oneThread, func(*gocuda.Thread) {}))
	assert.True(t, ran, "the other stream did not run")
}

func TestBadConfigurationIsReportedAtOnceAndDoesNotStick(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	release := hold(t, s)
	nop := func(*gocuda.Thread) {}
	bad := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 4096}}
	assert.ErrorIs(t, s.LaunchFunc(bad, nop), gocuda.ErrInvalidConfiguration, "LaunchFunc")
	if err := s.Launch(bad, gocuda.ThreadFunc(nop)); !errors.Is(err, gocuda.ErrMaxThreadsPerBlock) {
		assert.ErrorIs(t, err, gocuda.ErrMaxThreadsDim, "Launch")
	}
	assert.ErrorIs(t, s.LaunchContext(context.Background(), bad, gocuda.ThreadFunc(nop)), gocuda.ErrInvalidConfiguration, "LaunchContext")
	release()
	require.NoError(t, synchronize(t, s))
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
			require.NoError(t, s.AddCallback(c.f))
			s.AddCallback(func() { t.Error("a callback behind a failed one ran") })
			err := synchronize(t, s)
			var ce *gocuda.CallbackError
			require.ErrorAs(t, err, &ce)
			assert.Equal(t, c.want, ce.Value)
			assert.Contains(t, string(ce.Stack), "stream_error_test.go", "the stack does not lead to the callback")
			assert.Contains(t, ce.Error(), fmt.Sprint(c.want), "Error()")
			if c.want == boom {
				assert.ErrorIs(t, err, boom)
			}
			assert.True(t, s.Reset() == err, "Reset returns another error")
			require.NoError(t, synchronize(t, s))
		})
	}
	t.Run("nil", func(t *testing.T) {
		s := dev.NewStream()
		require.NoError(t, s.AddCallback(func() { panic(nil) }))
		var pn *runtime.PanicNilError
		assert.ErrorAs(t, synchronize(t, s), &pn)
	})
}

// A test's FailNow ends its goroutine. Where that is the stream's, the stream must go on living.
func TestGoexitInACallbackFailsTheStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	require.NoError(t, s.AddCallback(func() { runtime.Goexit() }))
	s.AddCallback(func() { t.Error("a callback behind a failed one ran") })
	assert.Error(t, synchronize(t, s), "no error")
	s.Reset()
	ran := false
	require.NoError(t, s.AddCallback(func() { ran = true }))
	require.NoError(t, synchronize(t, s))
	assert.True(t, ran, "the stream does not run after Reset")
}

func TestGoexitInAKernelFailsTheStream(t *testing.T) {
	for _, exec := range executors {
		for _, workers := range []int{1, 3} {
			dev := openDevice(t, gocuda.WithExecutor(exec), gocuda.WithWorkers(workers))
			s := dev.NewStream()
			for range 5 {
				require.NoError(t, s.LaunchFunc(grid.Linear(100*32, 32), func(t *gocuda.Thread) {
					t.SyncThreads()
					if t.BlockIdx.X == 3 && t.Rank() == 7 {
						runtime.Goexit()
					}
					t.SyncThreads()
				}))
				err := synchronize(t, s)
				var ke *gocuda.KernelError
				require.ErrorAs(t, err, &ke, "%v, %d workers", exec, workers)
				assert.Equal(t, 3, ke.BlockIdx.X, "%v, %d workers", exec, workers)
				assert.Equal(t, 7, ke.ThreadIdx.X, "%v, %d workers", exec, workers)
				s.Reset()
			}
		}
	}
}

func TestEnqueueErrorBecomesTheStreamsError(t *testing.T) {
	dev := openDevice(t)
	boom := errors.New("boom")
	s := dev.NewStream()
	require.NoError(t, s.Enqueue(func() error { return boom }))
	s.AddCallback(func() { t.Error("a callback behind a failure ran") })
	assert.ErrorIs(t, synchronize(t, s), boom)
	s.Reset()
	require.NoError(t, s.Enqueue(func() error { panic(boom) }))
	assert.ErrorIs(t, synchronize(t, s), boom, "panicked")
	s.Reset()
	require.NoError(t, s.Enqueue(func() error { runtime.Goexit(); return nil }))
	assert.Error(t, synchronize(t, s), "Goexit: no error")
}

func TestLaunchContextCancelled(t *testing.T) {
	dev := openDevice(t)
	why := errors.New("enough")
	t.Run("before it begins", func(t *testing.T) {
		s := dev.NewStream()
		ctx, cancel := context.WithCancelCause(context.Background())
		release := hold(t, s)
		never := gocuda.ThreadFunc(func(*gocuda.Thread) { t.Error("a cancelled kernel ran") })
		require.NoError(t, s.LaunchContext(ctx, grid.Linear(1000, 10), never))
		cancel(why)
		release()
		assert.ErrorIs(t, synchronize(t, s), why, "Synchronize")
		assert.ErrorIs(t, s.Reset(), why, "Reset") // sticky as any other error
		require.NoError(t, synchronize(t, s))
	})
	t.Run("at a barrier", func(t *testing.T) {
		s := dev.NewStream()
		ctx, cancel := context.WithCancelCause(context.Background())
		require.NoError(t, s.LaunchContext(ctx, grid.Linear(128, 64), gocuda.ThreadFunc(func(t *gocuda.Thread) {
			for {
				if t.Rank() == 0 {
					cancel(why)
				}
				t.SyncThreads()
			}
		})))
		assert.ErrorIs(t, synchronize(t, s), why, "Synchronize")
	})
	t.Run("a deadline", func(t *testing.T) {
		s := dev.NewStream()
		ctx, cancel := context.WithTimeout(context.Background(), 1)
		defer cancel()
		require.NoError(t, s.LaunchContext(ctx, grid.Linear(128, 64), gocuda.ThreadFunc(func(t *gocuda.Thread) {
			for {
				t.SyncThreads()
			}
		})))
		assert.ErrorIs(t, synchronize(t, s), context.DeadlineExceeded, "Synchronize")
	})
}

func TestDeviceSynchronizeJoinsErrors(t *testing.T) {
	dev := openDevice(t)
	sync := func() (err error) {
		finishes(t, "Device.Synchronize", func() { err = dev.Synchronize(context.Background()) })
		return err
	}
	require.NoError(t, sync()) // without streams
	s1, s2, s3 := dev.NewStream(), dev.NewStream(), dev.NewStream()
	boom1, boom2 := errors.New("boom 1"), errors.New("boom 2")
	ran := false
	failWith(t, s1, boom1)
	failWith(t, s2, boom2)
	require.NoError(t, s3.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	err := sync()
	assert.ErrorIs(t, err, boom1)
	assert.ErrorIs(t, err, boom2)
	assert.True(t, ran, "a stream that did not fail was not waited for")
	s1.Reset()
	err = sync()
	assert.NotErrorIs(t, err, boom1, "after Reset of the first")
	assert.ErrorIs(t, err, boom2, "after Reset of the first")
	s2.Reset()
	require.NoError(t, sync())
}

func TestDeviceSynchronizeCoversTheDefaultStream(t *testing.T) {
	dev := openDevice(t)
	release := hold(t, dev.DefaultStream())
	ran := false
	require.NoError(t, dev.DefaultStream().LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	release()
	finishes(t, "Device.Synchronize", func() {
		assert.NoError(t, dev.Synchronize(context.Background()))
	})
	assert.True(t, ran, "the default stream was not waited for")
}
