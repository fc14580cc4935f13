package gocuda_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func TestStreamRunsItsWorkInOrder(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	var log []int // without a lock: the order of the stream is what makes this safe
	note := func(i int) func() { return func() { log = append(log, i) } }
	kernel := func(i int) gocuda.Kernel {
		return gocuda.BlockFunc(func(*gocuda.Block) { log = append(log, i) })
	}
	e := dev.NewEvent()
	var want []int
	for i := 0; i < 300; i += 3 {
		require.NoError(t, s.Launch(oneThread, kernel(i)))
		require.NoError(t, s.Record(e))
		require.NoError(t, s.AddCallback(note(i+1)))
		require.NoError(t, s.Wait(e))
		require.NoError(t, s.Enqueue(func() error { log = append(log, i+2); return nil }))
		want = append(want, i, i+1, i+2)
	}
	require.NoError(t, synchronize(t, s))
	slicetest.Equal(t, want, log)
}

func TestKernelSeesAllOfTheKernelBefore(t *testing.T) {
	dev := openDevice(t, gocuda.WithWorkers(2))
	s := dev.NewStream()
	const n = 1000
	x, y := make([]int, n), make([]int, n)
	for range 20 {
		require.NoError(t, s.LaunchFunc(grid.Linear(n, 32), func(t *gocuda.Thread) {
			if i := t.GlobalX(); i < n {
				y[i] = x[n-1-i] + 1
			}
		}))
		require.NoError(t, s.LaunchFunc(grid.Linear(n, 96), func(t *gocuda.Thread) {
			if i := t.GlobalX(); i < n {
				x[i] = y[n-1-i] + 1
			}
		}))
	}
	require.NoError(t, synchronize(t, s))
	slicetest.Each(t, func(int) int { return 40 }, x)
}

// meet makes a kernel that returns once n threads have called it.
func meet(n int) func(*gocuda.Thread) {
	var all sync.WaitGroup
	all.Add(n)
	return func(*gocuda.Thread) { all.Done(); all.Wait() }
}

func TestStreamsOverlap(t *testing.T) {
	run := func(t *testing.T, opts ...gocuda.Option) {
		dev := openDevice(t, opts...)
		s1, s2 := dev.NewStream(), dev.NewStream()
		both := meet(2)
		require.NoError(t, s1.LaunchFunc(oneThread, both))
		require.NoError(t, s2.LaunchFunc(oneThread, both))
		require.NoError(t, synchronize(t, s1))
		require.NoError(t, synchronize(t, s2))
	}
	for _, exec := range executors {
		t.Run(exec.String(), func(t *testing.T) { run(t, gocuda.WithExecutor(exec)) })
	}
	// A kernel that blocks holds up its own stream only, however few workers there are.
	t.Run("one worker", func(t *testing.T) { run(t, gocuda.WithWorkers(1)) })
	t.Run("GOMAXPROCS 1", func(t *testing.T) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		run(t)
	})
}

func TestStreamOverlapsWithTheHostAndWithLaunch(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	both := meet(2)
	require.NoError(t, s.LaunchFunc(oneThread, both))
	finishes(t, "Launch beside a stream", func() {
		assert.NoError(t, dev.LaunchFunc(context.Background(), oneThread, both))
	})
	require.NoError(t, synchronize(t, s))
}

func TestHundredStreamsAtOnce(t *testing.T) {
	const streams, rounds, n = 100, 3, 96
	dev := openDevice(t)
	all := meet(streams)
	x := make([][]int32, streams)
	for k := range x {
		x[k] = make([]int32, n)
		s := dev.NewStream()
		require.NoError(t, s.LaunchFunc(oneThread, all)) // none goes on before all have begun
		for range rounds {
			require.NoError(t, s.LaunchFunc(grid.Linear(n, n), func(t *gocuda.Thread) {
				i := t.GlobalX()
				v := x[k][n-1-i]
				t.SyncThreads()
				x[k][i] = v + int32(k)
			}))
		}
	}
	finishes(t, "Device.Synchronize", func() {
		assert.NoError(t, dev.Synchronize(context.Background()))
	})
	for k := range x {
		slicetest.Each(t, func(int) int32 { return int32(k * rounds) }, x[k], "stream %d", k)
	}
}

func TestStreamTakesWorkFromManyGoroutines(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	const callers, each = 8, 50
	total := 0 // without a lock: one stream runs one kernel at a time
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for range each {
				assert.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { total++ }))
			}
		})
	}
	wg.Wait()
	require.NoError(t, synchronize(t, s))
	assert.Equal(t, callers*each, total)
}

func TestStreamQuery(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	done, err := s.Query()
	assert.True(t, done, "a stream without work")
	assert.NoError(t, err, "a stream without work")
	release := hold(t, s)
	done, err = s.Query()
	assert.False(t, done, "a stream with work")
	assert.NoError(t, err, "a stream with work")
	release()
	require.NoError(t, synchronize(t, s))
	done, err = s.Query()
	assert.True(t, done, "after Synchronize")
	assert.NoError(t, err, "after Synchronize")
	boom := errors.New("boom")
	failWith(t, s, boom)
	synchronize(t, s)
	_, err = s.Query()
	assert.ErrorIs(t, err, boom, "after a failure")
}

func TestQuerySeesTheEndWithoutSynchronize(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	release := hold(t, s)
	ran := false
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	release()
	eventually(t, "the stream is done", func() bool {
		done, err := s.Query()
		require.NoError(t, err)
		return done
	})
	assert.True(t, ran, "done before the kernel ran") // what Query has seen to end is visible to its caller
}

func TestSynchronizeStopsWaitingWhenItsContextDoes(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	release := hold(t, s)
	ran := false
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(why)
	for name, wait := range map[string]func(context.Context) error{
		"Stream": s.Synchronize, "Device": dev.Synchronize,
	} {
		finishes(t, name+".Synchronize", func() {
			assert.ErrorIs(t, wait(ctx), why, "%s.Synchronize", name)
		})
	}
	assert.NoError(t, s.Err(), "the waiter's context became the stream's error")
	release()
	require.NoError(t, synchronize(t, s)) // the work went on
	assert.True(t, ran, "the kernel did not run")
}

func TestCallbackHoldsUpWhatIsQueuedBehind(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	x, seen := 0, 0
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { x = 1 }))
	require.NoError(t, s.AddCallback(func() { seen = x; x = 2 }))
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { x *= 10 }))
	require.NoError(t, synchronize(t, s))
	assert.Equal(t, 1, seen)
	assert.Equal(t, 20, x)
}

func TestCallbackMayQueueMoreWork(t *testing.T) {
	dev := openDevice(t)
	s, other := dev.NewStream(), dev.NewStream()
	var log []string
	require.NoError(t, s.AddCallback(func() {
		log = append(log, "first")
		assert.NoError(t, s.AddCallback(func() { log = append(log, "third") }))
		assert.NoError(t, other.LaunchFunc(oneThread, func(*gocuda.Thread) {}))
		assert.NoError(t, dev.LaunchFunc(context.Background(), oneThread, func(*gocuda.Thread) { log = append(log, "second") }))
	}))
	require.NoError(t, synchronize(t, s))
	require.NoError(t, synchronize(t, s)) // the second covers what the callback has queued
	slicetest.Equal(t, []string{"first", "second", "third"}, log)
}

func TestEmptyGridsTakeTheirPlaceInTheStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	never := gocuda.BlockFunc(func(*gocuda.Block) { t.Error("a grid without blocks ran") })
	ran := false
	for range 3 {
		require.NoError(t, s.Launch(grid.Linear(0, 64), never))
		require.NoError(t, s.Launch(grid.Config{Grid: grid.Dim3{X: 0, Y: 7}, Block: grid.Dim3{X: 1}}, never))
	}
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	require.NoError(t, s.Launch(grid.Linear(0, 64), never))
	require.NoError(t, synchronize(t, s))
	assert.True(t, ran, "the kernel between empty ones did not run")
}

func TestCopiesAreWorkOfTheStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	const n = 1000
	a, err := mem.Alloc[int32](dev, n)
	require.NoError(t, err)
	b, err := mem.Alloc[int32](dev, n)
	require.NoError(t, err)
	release := hold(t, s) // nothing may be copied before its turn
	src, dst, set := make([]int32, n), make([]int32, n), make([]int32, n)
	require.NoError(t, mem.CopyToDeviceAsync(s, a, src))
	x := a.Data()
	require.NoError(t, s.LaunchFunc(grid.Linear(n, 64), func(t *gocuda.Thread) {
		if i := t.GlobalX(); i < n {
			x[i] *= 2
		}
	}))
	require.NoError(t, mem.CopyAsync(s, b, a))
	require.NoError(t, mem.CopyToHostAsync(s, dst, b))
	require.NoError(t, mem.MemsetAsync(s, b, 0x01))
	require.NoError(t, mem.CopyToHostAsync(s, set, b))
	for i := range src {
		src[i] = int32(i)
	}
	release()
	require.NoError(t, synchronize(t, s))
	slicetest.Each(t, func(i int) int32 { return int32(2 * i) }, dst)
	slicetest.Each(t, func(int) int32 { return 0x01010101 }, set)
}

func TestQueuedCopyOutlivesFree(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	buf, err := mem.Alloc[byte](dev, 4)
	require.NoError(t, err)
	release := hold(t, s)
	dst := make([]byte, 4)
	require.NoError(t, mem.CopyToDeviceAsync(s, buf, []byte{1, 2, 3, 4}))
	require.NoError(t, mem.CopyToHostAsync(s, dst, buf))
	require.NoError(t, buf.Free())
	release()
	require.NoError(t, synchronize(t, s))
	slicetest.Equal(t, []byte{1, 2, 3, 4}, dst, "copied")
	assert.ErrorIs(t, mem.CopyToHostAsync(s, dst, buf), mem.ErrFreed, "a copy queued after Free")
}
