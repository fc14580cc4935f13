package gocuda_test

import (
	"context"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A block kernel that recovers from a panic of its own in ForEach goes on, as any Go function does.
func TestBlockKernelRecoversFromForEach(t *testing.T) {
	if raceMode {
		t.Skip("the threads of ForEach are goroutines, whose panics end the launch")
	}
	sum := 0
	err := gocuda.Launch(context.Background(), grid.Linear(8, 8), gocuda.BlockFunc(func(b *gocuda.Block) {
		func() {
			defer func() { recover() }()
			b.ForEach(func(t *gocuda.Thread) { panic("once") })
		}()
		b.ForEach(func(t *gocuda.Thread) { sum += t.Rank() })
	}))
	if err != nil || sum != 28 {
		t.Errorf("%v, sum %d", err, sum)
	}
}

// However often blocks fail, a worker's coroutines stay usable: the next kernel with barriers runs.
func TestManyFailuresLeaveTheWorkerWhole(t *testing.T) {
	dev, err := gocuda.NewDevice(gocuda.WithWorkers(1), gocuda.WithExecutor(gocuda.ExecutorCoroutine))
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for range 300 {
		if dev.LaunchFunc(t.Context(), grid.Linear(64, 64), func(t *gocuda.Thread) {
			if t.Rank() == 63 {
				panic("boom")
			}
			t.SyncThreads()
		}) == nil {
			t.Fatal("no error")
		}
	}
	n := 0
	must(t, dev.LaunchFunc(t.Context(), grid.Linear(64, 64), func(t *gocuda.Thread) {
		if c := t.SyncThreadsCount(true); t.Rank() == 0 {
			n = c
		}
	}))
	if n != 64 {
		t.Errorf("%d threads at the barrier", n)
	}
}
