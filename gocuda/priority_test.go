package gocuda_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func TestPriorityRange(t *testing.T) {
	dev := openDevice(t)
	least, greatest := dev.StreamPriorityRange()
	if least != 0 || greatest >= least { // lower numbers are more urgent, and the default is the least
		t.Errorf("from %d to %d", least, greatest)
	}
	for _, c := range [][2]int{{0, 0}, {-1, -1}, {greatest, greatest}, {greatest - 1, greatest}, {5, 0}, {-1 << 30, greatest}} {
		if n := dev.NewStreamWithPriority(c[0]).Priority(); n != c[1] {
			t.Errorf("priority %d becomes %d, want %d", c[0], n, c[1])
		}
	}
	if n := dev.NewStream().Priority(); n != least {
		t.Errorf("a plain stream has priority %d", n)
	}
}

// bubble runs f with a device in a bubble of synctest, where it is certain that nothing more happens, and timers
// don't fire, until the test says so.
func bubble(t *testing.T, workers int, f func(t *testing.T, dev *gocuda.Device)) {
	synctest.Test(t, func(t *testing.T) {
		dev, err := gocuda.NewDevice(gocuda.WithWorkers(workers))
		must(t, err)
		f(t, dev)
		must(t, dev.Close())
	})
}

func TestUrgentBlocksBeginFirst(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		bubble(t, workers, func(t *testing.T, dev *gocuda.Device) {
			var low, high atomic.Int64
			lowGate, highGate := make(chan struct{}), make(chan struct{})
			calm, urgent := dev.NewStream(), dev.NewStreamWithPriority(-1)
			must(t, calm.LaunchFunc(grid.Linear(50, 1), func(t *gocuda.Thread) {
				low.Add(1)
				<-lowGate
			}))
			synctest.Wait()
			if n := low.Load(); n != int64(workers) {
				t.Errorf("%d workers have begun %d blocks", workers, n)
			}
			must(t, urgent.LaunchFunc(grid.Linear(20, 1), func(*gocuda.Thread) {
				// Each worker may have taken one of the last blocks when there are none left to wait for.
				if high.Add(1) <= 20-int64(workers) && low.Load() != int64(workers) {
					t.Errorf("%d blocks have begun before an urgent one", low.Load()-int64(workers))
				}
				<-highGate
			}))
			synctest.Wait() // its own worker has begun one; no block is interrupted for more
			if n := high.Load(); n != 1 {
				t.Errorf("%d urgent blocks have begun", n)
			}
			close(lowGate)
			synctest.Wait()
			if n := low.Load(); n != int64(workers) {
				t.Errorf("%d blocks have begun before urgent ones", n-int64(workers))
			}
			if n := high.Load(); n != int64(workers) {
				t.Errorf("%d urgent blocks on %d workers", n, workers)
			}
			close(highGate)
			must(t, calm.Synchronize(t.Context()))
			must(t, urgent.Synchronize(t.Context()))
			if low.Load() != 50 || high.Load() != 20 {
				t.Errorf("%d and %d blocks ran", low.Load(), high.Load())
			}
		})
	}
}

func TestUrgentLaunchThatNeedsFewWorkersLeavesTheOthers(t *testing.T) {
	bubble(t, 3, func(t *testing.T, dev *gocuda.Device) {
		highGate := make(chan struct{})
		urgent := grid.Linear(20, 1)
		urgent.Workers, urgent.Priority = 1, -3
		s := dev.NewStream()
		must(t, s.LaunchFunc(urgent, func(*gocuda.Thread) { <-highGate }))
		synctest.Wait()
		var ran atomic.Int64
		low := grid.Linear(50, 1)
		low.Workers = 2
		must(t, dev.LaunchFunc(t.Context(), low, func(*gocuda.Thread) { ran.Add(1) }))
		if ran.Load() != 50 {
			t.Errorf("%d blocks ran", ran.Load())
		}
		close(highGate)
		must(t, s.Synchronize(t.Context()))
	})
}

// A kernel may wait for one of lower priority, however unwise that is.
func TestUrgentLaunchThatWaitsDoesNotHang(t *testing.T) {
	for _, workers := range []int{1, 2} {
		bubble(t, workers, func(t *testing.T, dev *gocuda.Device) {
			var low sync.WaitGroup
			low.Add(30)
			urgent := dev.NewStreamWithPriority(-5)
			must(t, urgent.LaunchFunc(grid.Linear(30, 1), func(*gocuda.Thread) { low.Wait() }))
			synctest.Wait()
			must(t, dev.LaunchFunc(t.Context(), grid.Linear(30, 1), func(*gocuda.Thread) { low.Done() }))
			must(t, urgent.Synchronize(t.Context()))
		})
	}
}

// Launches of all priorities, also of kernels that go from block to block by themselves, lose no block and run
// none twice.
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
						kernel = compiledOf(gocuda.CompiledRows,
							func(t *gocuda.Thread) { atomic.AddInt32(&ran[t.BlockIdx.X], 1) },
							func(b *gocuda.Block, p *gocuda.Phases) {
								for p.NextRow() {
									for i := range p.Row {
										atomic.AddInt32(&ran[b.BlockIdx.X+i], 1)
									}
								}
							})
					}
					if err := s.Launch(grid.Linear(blocks, 1), kernel); err != nil {
						t.Error(err)
						return
					}
					if err := s.Synchronize(t.Context()); err != nil {
						t.Error(err)
						return
					}
					for i, n := range ran {
						if n != 1 {
							t.Errorf("priority %d: block %d ran %d times", -k, i, n)
							return
						}
					}
				}
			})
		}
		finishes(t, "launches of all priorities", all.Wait)
	}
}
