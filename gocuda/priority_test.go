package gocuda_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
)

func TestPriorityRange(t *testing.T) {
	dev := openDevice(t)
	least, greatest := dev.StreamPriorityRange()
	// Lower numbers are more urgent, and the default is the least.
	assert.Zero(t, least)
	assert.Negative(t, greatest)
	for _, c := range [][2]int{{0, 0}, {-1, -1}, {greatest, greatest}, {greatest - 1, greatest}, {5, 0}, {-1 << 30, greatest}} {
		assert.Equal(t, c[1], dev.NewStreamWithPriority(c[0]).Priority(), "priority %d", c[0])
	}
	assert.Equal(t, least, dev.NewStream().Priority(), "a plain stream")
}

// bubble runs f with a device in a bubble of synctest, where it is certain that nothing more
// happens, and timers don't fire, until the test says so.
func bubble(t *testing.T, workers int, f func(t *testing.T, dev *gocuda.Device)) {
	synctest.Test(t, func(t *testing.T) {
		dev, err := gocuda.NewDevice(gocuda.WithWorkers(workers))
		require.NoError(t, err)
		f(t, dev)
		require.NoError(t, dev.Close())
	})
}

func TestUrgentBlocksBeginFirst(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		bubble(t, workers, func(t *testing.T, dev *gocuda.Device) {
			var low, high atomic.Int64
			lowGate, highGate := make(chan struct{}), make(chan struct{})
			calm, urgent := dev.NewStream(), dev.NewStreamWithPriority(-1)
			require.NoError(t, calm.LaunchFunc(grid.Linear(50, 1), func(t *gocuda.Thread) {
				low.Add(1)
				<-lowGate
			}))
			synctest.Wait()
			assert.Equal(t, int64(workers), low.Load(), "blocks that have begun")
			require.NoError(t, urgent.LaunchFunc(grid.Linear(20, 1), func(*gocuda.Thread) {
				// Each worker may have taken one of the last blocks when there are none left to
				// wait for.
				if high.Add(1) <= 20-int64(workers) && low.Load() != int64(workers) {
					t.Errorf("%d blocks have begun before an urgent one", low.Load()-int64(workers))
				}
				<-highGate
			}))
			synctest.Wait() // its own worker has begun one; no block is interrupted for more
			assert.Equal(t, int64(1), high.Load(), "urgent blocks that have begun")
			close(lowGate)
			synctest.Wait()
			n := low.Load()
			assert.Equal(t, int64(workers), n, "%d blocks have begun before urgent ones", n-int64(workers))
			assert.Equal(t, int64(workers), high.Load(), "urgent blocks on %d workers", workers)
			close(highGate)
			require.NoError(t, calm.Synchronize(t.Context()))
			require.NoError(t, urgent.Synchronize(t.Context()))
			assert.Equal(t, int64(50), low.Load())
			assert.Equal(t, int64(20), high.Load())
		})
	}
}

func TestUrgentLaunchThatNeedsFewWorkersLeavesTheOthers(t *testing.T) {
	bubble(t, 3, func(t *testing.T, dev *gocuda.Device) {
		highGate := make(chan struct{})
		urgent := grid.Linear(20, 1)
		urgent.Workers, urgent.Priority = 1, -3
		s := dev.NewStream()
		require.NoError(t, s.LaunchFunc(urgent, func(*gocuda.Thread) { <-highGate }))
		synctest.Wait()
		var ran atomic.Int64
		low := grid.Linear(50, 1)
		low.Workers = 2
		require.NoError(t, dev.LaunchFunc(t.Context(), low, func(*gocuda.Thread) { ran.Add(1) }))
		assert.Equal(t, int64(50), ran.Load())
		close(highGate)
		require.NoError(t, s.Synchronize(t.Context()))
	})
}

// A kernel may wait for one of lower priority, however unwise that is.
func TestUrgentLaunchThatWaitsDoesNotHang(t *testing.T) {
	for _, workers := range []int{1, 2} {
		bubble(t, workers, func(t *testing.T, dev *gocuda.Device) {
			var low sync.WaitGroup
			low.Add(30)
			urgent := dev.NewStreamWithPriority(-5)
			require.NoError(t, urgent.LaunchFunc(grid.Linear(30, 1), func(*gocuda.Thread) { low.Wait() }))
			synctest.Wait()
			require.NoError(t, dev.LaunchFunc(t.Context(), grid.Linear(30, 1), func(*gocuda.Thread) { low.Done() }))
			require.NoError(t, urgent.Synchronize(t.Context()))
		})
	}
}

// Launches of all priorities, also of kernels that go from block to block by themselves, lose no
// block and run none twice.
func TestPrioritiesLoseNoBlocks(t *testing.T) {
	const blocks, rounds = 3000, 20
	for _, workers := range []int{1, 2, 4} {
		dev := openDevice(t, gocuda.WithWorkers(workers), gocuda.WithExecutor(gocuda.ExecutorCoroutine))
		var all sync.WaitGroup
		for k := range 4 {
			s := dev.NewStreamWithPriority(-k)
			all.Go(func() {
				for range rounds {
					ran := make([]int32, blocks)
					kernel := gocuda.Kernel(gocuda.BlockFunc(func(b *gocuda.Block) { atomic.AddInt32(&ran[b.BlockIdx.X], 1) }))
					if k%2 == 0 {
						kernel = compiledOf(rt.CompiledRows,
							func(t *gocuda.Thread) { atomic.AddInt32(&ran[t.BlockIdx.X], 1) },
							func(b *gocuda.Block, p *rt.Phases) {
								for p.NextRow() {
									for i := range p.Row {
										atomic.AddInt32(&ran[b.BlockIdx.X+i], 1)
									}
								}
							})
					}
					once := func(int) int32 { return 1 }
					if !assert.NoError(t, s.Launch(grid.Linear(blocks, 1), kernel)) ||
						!assert.NoError(t, s.Synchronize(t.Context())) ||
						!slicetest.Each(t, once, ran, "priority %d: how often a block ran", -k) {
						return
					}
				}
			})
		}
		finishes(t, "launches of all priorities", all.Wait)
	}
}
