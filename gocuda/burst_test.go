package gocuda_test

import (
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// burst makes launches of one block each that all run at the same time, with threads that wait for
// each other.
func burst(t *testing.T, dev *gocuda.Device, launches, threads int) {
	var wg sync.WaitGroup
	all := meet(launches)
	for range launches {
		wg.Go(func() {
			assert.NoError(t, dev.LaunchFunc(t.Context(), grid.Linear(threads, threads), func(t *gocuda.Thread) {
				t.SyncThreads()
				if t.Rank() == 0 {
					all(t)
				}
			}))
		})
	}
	wg.Wait()
}

// Every launch of a burst has a worker, with a coroutine for each thread of its block. Those that
// the device has no use for afterwards end within 100 ms, the others stay for the launches to come.
func TestExcessOfABurstGoes(t *testing.T) {
	if raceMode {
		t.Skip("under the race detector no worker stays")
	}
	const launches, threads, workers = 40, 64, 2
	synctest.Test(t, func(t *testing.T) {
		dev, err := gocuda.NewDevice(gocuda.WithWorkers(workers), gocuda.WithExecutor(gocuda.ExecutorCoroutine))
		require.NoError(t, err)
		before := runtime.NumGoroutine()
		for range 2 {
			burst(t, dev, launches, threads)
			synctest.Wait()
			assert.Greater(t, runtime.NumGoroutine()-before, launches, "or the launches were no burst")
			time.Sleep(100 * time.Millisecond)
			synctest.Wait()
			kept := runtime.NumGoroutine() - before
			assert.LessOrEqual(t, kept, workers*(threads+1))
			assert.Greater(t, kept, threads/2, "the workers of the device have ended too")
		}
		require.NoError(t, dev.Close())
	})
}

// Workers beyond those of the device that are needed again and again stay.
func TestWorkersInUseAreNoExcess(t *testing.T) {
	if raceMode {
		t.Skip("under the race detector no worker stays")
	}
	synctest.Test(t, func(t *testing.T) {
		dev, err := gocuda.NewDevice(gocuda.WithWorkers(1), gocuda.WithExecutor(gocuda.ExecutorCoroutine))
		require.NoError(t, err)
		before := runtime.NumGoroutine()
		const launches = 10
		for range 20 {
			burst(t, dev, launches, 1)
			synctest.Wait()
			// Goroutines of tests before may end meanwhile. If workers did not stay, there would be
			// one.
			assert.Greater(t, runtime.NumGoroutine()-before, launches/2)
			time.Sleep(30 * time.Millisecond)
		}
		require.NoError(t, dev.Close())
	})
}
