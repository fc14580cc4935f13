package gocuda_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
)

// onLarge runs f on a large device of each executor, with fewer workers than blocks.
func onLarge(t *testing.T, f func(t *testing.T, dev *gocuda.Device)) {
	onExecutors(t, f, gocuda.WithGeneration(gocuda.Volta), gocuda.WithWorkers(1))
}

func cooperate(t testing.TB, dev *gocuda.Device, cfg grid.Config, k gocuda.Kernel) (err error) {
	t.Helper()
	finishes(t, "LaunchCooperative", func() { err = dev.LaunchCooperative(context.Background(), cfg, k) })
	return err
}

// A sum over the grid, in steps with a barrier of the grid after each.
func gridSum(x []int64) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		i := t.GlobalX()
		n := t.GridDim.X * t.BlockDim.X
		for n > 1 {
			half := (n + 1) / 2
			if i < n-half {
				x[i] += x[i+half]
			}
			n = half
			t.SyncGrid()
		}
	}
}

func TestSyncGridOrdersTheWholeGrid(t *testing.T) {
	onLarge(t, func(t *testing.T, dev *gocuda.Device) {
		for _, c := range []struct{ blocks, threads int }{{1, 1}, {2, 1}, {1, 64}, {7, 33}, {16, 64}, {40, 5}} {
			for range 3 {
				n := c.blocks * c.threads
				x := make([]int64, n)
				var want int64
				for i := range x {
					x[i] = int64(i * i)
					want += x[i]
				}
				require.NoError(t, cooperate(t, dev, grid.Linear(n, c.threads), gocuda.ThreadFunc(gridSum(x))))
				require.Equal(t, want, x[0], "%+v", c)
			}
		}
	})
}

// The same with the two halves of the barrier, and independent work in between.
func TestArriveAndWaitForTheGrid(t *testing.T) {
	onLarge(t, func(t *testing.T, dev *gocuda.Device) {
		const blocks, threads, rounds = 9, 40, 6
		x := make([][]int, 2)
		x[0], x[1] = make([]int, blocks*threads), make([]int, blocks*threads)
		sum := make([]int, blocks*threads)
		require.NoError(t, cooperate(t, dev, grid.Linear(blocks*threads, threads), gocuda.ThreadFunc(func(t *gocuda.Thread) {
			i := t.GlobalX()
			for r := range rounds {
				x[r%2][i] = i + r
				tok := t.ArriveGrid()
				t.SyncThreads() // the block's barrier is another one
				t.WaitGrid(tok)
				sum[i] += x[r%2][(i+threads+1)%len(sum)]
			}
		})))
		slicetest.Each(t, func(i int) int { return rounds*((i+threads+1)%len(sum)) + rounds*(rounds-1)/2 }, sum, "thread")
	})
}

func TestSyncGridOfWarpsAndBlocks(t *testing.T) {
	onLarge(t, func(t *testing.T, dev *gocuda.Device) {
		const blocks = 12
		for name, kernel := range map[string]func(x, y []int) gocuda.Kernel{
			"warp": func(x, y []int) gocuda.Kernel {
				return gocuda.WarpFunc(func(w *gocuda.Warp) {
					for round := range 3 {
						if w.WarpID() == 1 {
							x[w.BlockIdx.X] = round
						}
						w.SyncGrid()
						if w.WarpID() == 0 {
							y[w.BlockIdx.X] += x[blocks-1-w.BlockIdx.X]
						}
						w.SyncGrid()
					}
				})
			},
			"block": func(x, y []int) gocuda.Kernel {
				return gocuda.BlockFunc(func(b *gocuda.Block) {
					for round := range 3 {
						x[b.BlockIdx.X] = round
						if round == 1 { // also within a phase
							b.Threads(func(t *gocuda.Thread) { t.SyncGrid() })
						} else {
							b.SyncGrid()
						}
						y[b.BlockIdx.X] += x[blocks-1-b.BlockIdx.X]
						b.Threads(func(t *gocuda.Thread) { t.ArriveGrid() }) // and nobody waits
						b.SyncGrid()
					}
				})
			},
		} {
			x, y := make([]int, blocks), make([]int, blocks)
			require.NoError(t, cooperate(t, dev, grid.Linear(blocks*64, 64), kernel(x, y)))
			slicetest.Each(t, func(int) int { return 0 + 1 + 2 }, y, "%s: block", name)
		}
	})
}

// Threads that return count as arrived, as long as one of their block stays.
func TestThreadsThatReturnDoNotHoldUpTheGrid(t *testing.T) {
	onLarge(t, func(t *testing.T, dev *gocuda.Device) {
		var n int64
		require.NoError(t, cooperate(t, dev, grid.Linear(8*40, 40), gocuda.ThreadFunc(func(t *gocuda.Thread) {
			for round := range 40 {
				if t.Rank() == round && round < 39 {
					if round%2 == 0 {
						t.ArriveGrid()
					}
					return
				}
				t.SyncGrid()
			}
			atomic.Add(&n, 1)
		})))
		assert.Equal(t, int64(8), n)
	})
}

// On a GPU the others would wait forever.
func TestBlockThatReturnsBreaksTheGridsBarrier(t *testing.T) {
	onLarge(t, func(t *testing.T, dev *gocuda.Device) {
		for _, rounds := range []int{0, 1, 3} {
			err := cooperate(t, dev, grid.Linear(6*10, 10), gocuda.ThreadFunc(func(t *gocuda.Thread) {
				for round := 0; ; round++ {
					if t.BlockIdx.X == 4 && round == rounds {
						return
					}
					t.SyncGrid()
				}
			}))
			wantError(t, err, gocuda.ErrBarrierDeadlock, "in SyncGrid at cooperative_test.go",
				"block (4,0,0) has returned")
		}
		err := cooperate(t, dev, grid.Linear(6, 1), gocuda.BlockFunc(func(b *gocuda.Block) {
			if b.BlockIdx.X != 5 {
				b.SyncGrid()
			}
		}))
		wantError(t, err, gocuda.ErrBarrierDeadlock, "block (5,0,0) has returned")
		// Who has arrived may return; nobody misses it.
		require.NoError(t, cooperate(t, dev, grid.Linear(6*10, 10), gocuda.ThreadFunc(func(t *gocuda.Thread) {
			a := t.ArriveGrid()
			if t.BlockIdx.X%2 == 0 {
				t.WaitGrid(a)
			}
		})))
	})
}

// Threads of a block that can't come to the grid's barrier are a deadlock of that block, and end
// the launch.
func TestDeadlockOfABlockInACooperativeLaunch(t *testing.T) {
	onLarge(t, func(t *testing.T, dev *gocuda.Device) {
		err := cooperate(t, dev, grid.Linear(5*64, 64), gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if t.BlockIdx.X == 3 && t.Rank() >= 60 {
				t.SyncThreads()
			}
			t.SyncGrid()
		}))
		wantError(t, err, gocuda.ErrBarrierDeadlock, "block (3,0,0)", "60 threads (the first is 0) wait in SyncGrid",
			"4 threads (the first is 60) wait in SyncThreads")
	})
}

func TestFailureInOneBlockEndsTheOthers(t *testing.T) {
	boom := errors.New("boom")
	onLarge(t, func(t *testing.T, dev *gocuda.Device) {
		for name, wait := range map[string]func(*gocuda.Thread){
			"SyncGrid":    func(t *gocuda.Thread) { t.SyncGrid() },
			"SyncThreads": func(t *gocuda.Thread) { t.SyncThreads() },
			"Nanosleep":   func(t *gocuda.Thread) { t.Nanosleep(time.Microsecond) },
			"long sleep":  func(t *gocuda.Thread) { t.Nanosleep(time.Hour) },
		} {
			for _, how := range []func(){func() { panic(boom) }, runtime.Goexit} {
				err := cooperate(t, dev, grid.Linear(6*20, 20), gocuda.ThreadFunc(func(t *gocuda.Thread) {
					if name == "SyncGrid" {
						t.SyncGrid()
					}
					if t.BlockIdx.X == 2 && t.Rank() == 7 {
						how()
					}
					for {
						wait(t)
					}
				}))
				var failed *gocuda.KernelError
				require.ErrorAs(t, err, &failed, name)
				assert.Equal(t, 2, failed.BlockIdx.X, name)
				assert.Equal(t, 7, failed.ThreadIdx.X, name)
			}
		}
		require.NoError(t, cooperate(t, dev, grid.Linear(60, 20), gocuda.ThreadFunc(func(t *gocuda.Thread) { t.SyncGrid() })))
	})
}

func TestCooperativeLaunchIsCancelled(t *testing.T) {
	cause := errors.New("enough")
	onLarge(t, func(t *testing.T, dev *gocuda.Device) {
		for _, waiting := range []bool{true, false} {
			ctx, cancel := context.WithCancelCause(context.Background())
			gate := make(chan struct{})
			var err error
			finishes(t, "LaunchCooperative", func() {
				err = dev.LaunchCooperative(ctx, grid.Linear(60, 10), gocuda.ThreadFunc(func(t *gocuda.Thread) {
					if t.BlockIdx.X == 0 && t.Rank() == 0 {
						if waiting { // the others wait already
							time.AfterFunc(time.Millisecond, func() { cancel(cause); close(gate) })
							<-gate
						} else {
							cancel(cause)
						}
					}
					for {
						t.SyncGrid()
					}
				}))
			})
			wantError(t, err, cause)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(cause)
		err := dev.LaunchCooperative(ctx, oneThread, gocuda.ThreadFunc(func(*gocuda.Thread) { panic("begun") }))
		wantError(t, err, cause)
	})
}

func TestCooperativeLaunchTooLarge(t *testing.T) {
	nothing := gocuda.ThreadFunc(func(t *gocuda.Thread) { t.SyncGrid() })
	// By the limits in the CUDA C++ Programming Guide: a V100 has 80 multiprocessors, each for 2048
	// threads in at most 32 blocks, with 96 KiB of shared memory.
	dev := openDevice(t, gocuda.WithGeneration(gocuda.Volta), gocuda.WithExecutor(gocuda.ExecutorCoroutine))
	for _, c := range []struct{ threads, shared, most int }{
		{1024, 0, 80 * 2}, {1, 0, 80 * 32}, {768, 0, 80 * 2}, {65, 0, 80 * 21}, {32, 40 << 10, 80 * 2},
	} {
		cfg := grid.Linear(c.most*c.threads, c.threads)
		cfg.SharedBytes = c.shared
		if c.most*c.threads <= 6000 { // the others take long
			require.NoError(t, cooperate(t, dev, cfg, nothing))
		}
		cfg.Grid.X++
		err := cooperate(t, dev, cfg, nothing)
		wantError(t, err, gocuda.ErrCooperativeLaunchTooLarge)
		s := dev.NewStream()
		wantError(t, s.LaunchCooperative(context.Background(), cfg, nothing), gocuda.ErrCooperativeLaunchTooLarge)
	}
	require.NoError(t, cooperate(t, dev, grid.Config{Block: grid.Dim3{X: 32}}, nothing)) // no blocks
	old := openDevice(t, gocuda.WithGeneration(gocuda.GK110))
	wantError(t, cooperate(t, old, oneThread, nothing), gocuda.ErrNotSupported)
	closed, err := gocuda.NewDevice()
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	wantError(t, cooperate(t, closed, oneThread, nothing), gocuda.ErrInvalidResourceHandle)
	wantError(t, (*gocuda.Device)(nil).LaunchCooperative(context.Background(), oneThread, nothing), gocuda.ErrInvalidResourceHandle)
	wantError(t, dev.LaunchCooperative(context.Background(), oneThread, nil), gocuda.ErrInvalidDeviceFunction)
	wantError(t, dev.LaunchCooperative(nil, oneThread, nothing), gocuda.ErrInvalidValue) //nolint:staticcheck // on purpose
}

func TestSyncGridNeedsACooperativeLaunch(t *testing.T) {
	onLarge(t, func(t *testing.T, dev *gocuda.Device) {
		for _, k := range []gocuda.Kernel{
			gocuda.ThreadFunc(func(t *gocuda.Thread) {
				if t.Cooperative() {
					panic("cooperative")
				}
				t.SyncGrid()
			}),
			gocuda.ThreadFunc(func(t *gocuda.Thread) { t.ArriveGrid() }),
			gocuda.WarpFunc(func(w *gocuda.Warp) { w.SyncGrid() }),
			gocuda.BlockFunc(func(b *gocuda.Block) { b.SyncGrid() }),
		} {
			wantError(t, dev.Launch(context.Background(), oneThread, k), gocuda.ErrNotPermitted, "not cooperative")
		}
		wantError(t, cooperate(t, dev, oneThread, gocuda.BlockFunc(func(b *gocuda.Block) {
			b.ForEach(func(t *gocuda.Thread) { t.SyncGrid() })
		})), gocuda.ErrNotPermitted)
		wantError(t, cooperate(t, dev, oneThread, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			t.ArriveGrid()
			t.SyncGrid()
		})), gocuda.ErrBarrierDivergence)
		wantError(t, cooperate(t, dev, oneThread, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			t.WaitGrid(gocuda.GridArrival{})
		})), gocuda.ErrInvalidValue)
	})
}

func TestCooperativeLaunchInAStream(t *testing.T) {
	onLarge(t, func(t *testing.T, dev *gocuda.Device) {
		s := dev.NewStream()
		x := make([]int64, 200)
		require.NoError(t, s.LaunchFunc(grid.Linear(200, 10), func(t *gocuda.Thread) { x[t.GlobalX()] = 1 }))
		require.NoError(t, s.LaunchCooperative(context.Background(), grid.Linear(200, 10), gocuda.ThreadFunc(gridSum(x))))
		require.NoError(t, synchronize(t, s))
		assert.Equal(t, int64(200), x[0])
		boom := errors.New("boom")
		require.NoError(t, s.LaunchCooperative(context.Background(), grid.Linear(200, 10), gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if t.GlobalX() == 77 {
				panic(boom)
			}
			t.SyncGrid()
		})))
		wantError(t, synchronize(t, s), boom)
	})
}

// Cooperative launches leave no goroutine behind once their device is closed, however they end.
func TestCooperativeLaunchesLeaveNoGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, e := range executors {
		dev, err := gocuda.NewDevice(gocuda.WithGeneration(gocuda.Volta), gocuda.WithExecutor(e))
		require.NoError(t, err)
		for k := range 4 {
			cooperate(t, dev, grid.Linear(200, 10), gocuda.ThreadFunc(func(t *gocuda.Thread) {
				switch {
				case k == 1 && t.GlobalX() == 55:
					panic("one")
				case k == 2 && t.BlockIdx.X == 3:
					return
				case k == 3 && t.GlobalX() == 55:
					t.SyncThreads()
				}
				t.SyncGrid()
				t.SyncGrid()
			}))
		}
		require.NoError(t, dev.Close())
	}
	eventually(t, "no goroutines are left", func() bool { return runtime.NumGoroutine() <= before })
}
