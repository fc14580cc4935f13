package gocuda_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	assert.NoError(t, err)
	assert.Equal(t, 28, sum)
}

// However often blocks fail, a worker's coroutines stay usable: the next kernel with barriers runs.
func TestManyFailuresLeaveTheWorkerWhole(t *testing.T) {
	dev, err := gocuda.NewDevice(gocuda.WithWorkers(1), gocuda.WithExecutor(gocuda.ExecutorCoroutine))
	require.NoError(t, err)
	defer dev.Close()
	for range 300 {
		require.Error(t, dev.LaunchFunc(t.Context(), grid.Linear(64, 64), func(t *gocuda.Thread) {
			if t.Rank() == 63 {
				panic("boom")
			}
			t.SyncThreads()
		}), "no error")
	}
	n := 0
	require.NoError(t, dev.LaunchFunc(t.Context(), grid.Linear(64, 64), func(t *gocuda.Thread) {
		if c := t.SyncThreadsCount(true); t.Rank() == 0 {
			n = c
		}
	}))
	assert.Equal(t, 64, n, "threads at the barrier")
}
