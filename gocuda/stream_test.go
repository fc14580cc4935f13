package gocuda_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
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
		must(t, s.Launch(oneThread, kernel(i)))
		must(t, s.Record(e))
		must(t, s.AddCallback(note(i+1)))
		must(t, s.Wait(e))
		must(t, s.Enqueue(func() error { log = append(log, i+2); return nil }))
		want = append(want, i, i+1, i+2)
	}
	must(t, synchronize(t, s))
	if !slices.Equal(log, want) {
		t.Errorf("the work ran in the order %v", log)
	}
}

func TestKernelSeesAllOfTheKernelBefore(t *testing.T) {
	dev := openDevice(t, gocuda.WithWorkers(2))
	s := dev.NewStream()
	const n = 1000
	x, y := make([]int, n), make([]int, n)
	for range 20 {
		must(t, s.LaunchFunc(grid.Linear(n, 32), func(t *gocuda.Thread) {
			if i := t.GlobalX(); i < n {
				y[i] = x[n-1-i] + 1
			}
		}))
		must(t, s.LaunchFunc(grid.Linear(n, 96), func(t *gocuda.Thread) {
			if i := t.GlobalX(); i < n {
				x[i] = y[n-1-i] + 1
			}
		}))
	}
	must(t, synchronize(t, s))
	for i, v := range x {
		if v != 40 {
			t.Fatalf("x[%d] = %d after 40 kernels", i, v)
		}
	}
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
		must(t, s1.LaunchFunc(oneThread, both))
		must(t, s2.LaunchFunc(oneThread, both))
		must(t, synchronize(t, s1))
		must(t, synchronize(t, s2))
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
	must(t, s.LaunchFunc(oneThread, both))
	finishes(t, "Launch beside a stream", func() {
		if err := dev.LaunchFunc(context.Background(), oneThread, both); err != nil {
			t.Error(err)
		}
	})
	must(t, synchronize(t, s))
}

func TestHundredStreamsAtOnce(t *testing.T) {
	const streams, rounds, n = 100, 3, 96
	dev := openDevice(t)
	all := meet(streams)
	x := make([][]int32, streams)
	for k := range x {
		x[k] = make([]int32, n)
		s := dev.NewStream()
		must(t, s.LaunchFunc(oneThread, all)) // none goes on before all have begun
		for range rounds {
			must(t, s.LaunchFunc(grid.Linear(n, n), func(t *gocuda.Thread) {
				i := t.GlobalX()
				v := x[k][n-1-i]
				t.SyncThreads()
				x[k][i] = v + int32(k)
			}))
		}
	}
	finishes(t, "Device.Synchronize", func() {
		if err := dev.Synchronize(context.Background()); err != nil {
			t.Error(err)
		}
	})
	for k := range x {
		for i, v := range x[k] {
			if v != int32(k*rounds) {
				t.Fatalf("stream %d: x[%d] = %d", k, i, v)
			}
		}
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
				if err := s.LaunchFunc(oneThread, func(*gocuda.Thread) { total++ }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	must(t, synchronize(t, s))
	if total != callers*each {
		t.Errorf("%d kernels ran, not %d", total, callers*each)
	}
}

func TestStreamQuery(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	if done, err := s.Query(); !done || err != nil {
		t.Errorf("a stream without work: %v, %v", done, err)
	}
	release := hold(t, s)
	if done, err := s.Query(); done || err != nil {
		t.Errorf("a stream with work: %v, %v", done, err)
	}
	release()
	must(t, synchronize(t, s))
	if done, err := s.Query(); !done || err != nil {
		t.Errorf("after Synchronize: %v, %v", done, err)
	}
	boom := errors.New("boom")
	failWith(t, s, boom)
	synchronize(t, s)
	if _, err := s.Query(); !errors.Is(err, boom) {
		t.Errorf("after a failure: %v", err)
	}
}

func TestQuerySeesTheEndWithoutSynchronize(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	release := hold(t, s)
	ran := false
	must(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	release()
	eventually(t, "the stream is done", func() bool {
		done, err := s.Query()
		must(t, err)
		return done
	})
	if !ran { // and what Query has seen to end is visible to its caller
		t.Error("done before the kernel ran")
	}
}

func TestSynchronizeStopsWaitingWhenItsContextDoes(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	release := hold(t, s)
	ran := false
	must(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(why)
	for name, wait := range map[string]func(context.Context) error{
		"Stream": s.Synchronize, "Device": dev.Synchronize,
	} {
		finishes(t, name+".Synchronize", func() {
			if err := wait(ctx); !errors.Is(err, why) {
				t.Errorf("%s.Synchronize: %v", name, err)
			}
		})
	}
	if err := s.Err(); err != nil {
		t.Errorf("the waiter's context became the stream's error: %v", err)
	}
	release()
	must(t, synchronize(t, s)) // the work went on
	if !ran {
		t.Error("the kernel did not run")
	}
}

func TestCallbackHoldsUpWhatIsQueuedBehind(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	x, seen := 0, 0
	must(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { x = 1 }))
	must(t, s.AddCallback(func() { seen = x; x = 2 }))
	must(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { x *= 10 }))
	must(t, synchronize(t, s))
	if seen != 1 || x != 20 {
		t.Errorf("the callback saw %d, and left %d", seen, x)
	}
}

func TestCallbackMayQueueMoreWork(t *testing.T) {
	dev := openDevice(t)
	s, other := dev.NewStream(), dev.NewStream()
	var log []string
	must(t, s.AddCallback(func() {
		log = append(log, "first")
		if err := s.AddCallback(func() { log = append(log, "third") }); err != nil {
			t.Error(err)
		}
		if err := other.LaunchFunc(oneThread, func(*gocuda.Thread) {}); err != nil {
			t.Error(err)
		}
		if err := dev.LaunchFunc(context.Background(), oneThread, func(*gocuda.Thread) { log = append(log, "second") }); err != nil {
			t.Error(err)
		}
	}))
	must(t, synchronize(t, s))
	must(t, synchronize(t, s)) // the second covers what the callback has queued
	if want := []string{"first", "second", "third"}; !slices.Equal(log, want) {
		t.Errorf("%v", log)
	}
}

func TestEmptyGridsTakeTheirPlaceInTheStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	never := gocuda.BlockFunc(func(*gocuda.Block) { t.Error("a grid without blocks ran") })
	ran := false
	for range 3 {
		must(t, s.Launch(grid.Linear(0, 64), never))
		must(t, s.Launch(grid.Config{Grid: grid.Dim3{X: 0, Y: 7}, Block: grid.Dim3{X: 1}}, never))
	}
	must(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	must(t, s.Launch(grid.Linear(0, 64), never))
	must(t, synchronize(t, s))
	if !ran {
		t.Error("the kernel between empty ones did not run")
	}
}

func TestCopiesAreWorkOfTheStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	const n = 1000
	a, err := mem.Alloc[int32](dev, n)
	must(t, err)
	b, err := mem.Alloc[int32](dev, n)
	must(t, err)
	release := hold(t, s) // nothing may be copied before its turn
	src, dst, set := make([]int32, n), make([]int32, n), make([]int32, n)
	must(t, mem.CopyToDeviceAsync(s, a, src))
	x := a.Data()
	must(t, s.LaunchFunc(grid.Linear(n, 64), func(t *gocuda.Thread) {
		if i := t.GlobalX(); i < n {
			x[i] *= 2
		}
	}))
	must(t, mem.CopyAsync(s, b, a))
	must(t, mem.CopyToHostAsync(s, dst, b))
	must(t, mem.MemsetAsync(s, b, 0x01))
	must(t, mem.CopyToHostAsync(s, set, b))
	for i := range src {
		src[i] = int32(i)
	}
	release()
	must(t, synchronize(t, s))
	for i := range n {
		if dst[i] != int32(2*i) || set[i] != 0x01010101 {
			t.Fatalf("element %d: %d, %#x", i, dst[i], set[i])
		}
	}
}

func TestQueuedCopyOutlivesFree(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	buf, err := mem.Alloc[byte](dev, 4)
	must(t, err)
	release := hold(t, s)
	dst := make([]byte, 4)
	must(t, mem.CopyToDeviceAsync(s, buf, []byte{1, 2, 3, 4}))
	must(t, mem.CopyToHostAsync(s, dst, buf))
	must(t, buf.Free())
	release()
	must(t, synchronize(t, s))
	if !slices.Equal(dst, []byte{1, 2, 3, 4}) {
		t.Errorf("copied %v", dst)
	}
	if err := mem.CopyToHostAsync(s, dst, buf); !errors.Is(err, mem.ErrFreed) {
		t.Errorf("a copy queued after Free: %v", err)
	}
}
