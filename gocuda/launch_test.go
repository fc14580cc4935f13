package gocuda_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	stdatomic "sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
)

// blockSums is a kernel that uses shared memory, barriers and a shuffle: the sum of in over each block
// of 64 threads.
func blockSums(in, out []int) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int](t, 64)
		r := t.Rank()
		s[r] = in[t.GlobalX()]
		for d := 32; d >= 32; d /= 2 {
			t.SyncThreads()
			if r < d {
				s[r] += s[r+d]
			}
		}
		t.SyncThreads()
		if t.WarpID() == 0 {
			v := s[r]
			for d := 16; d > 0; d /= 2 {
				v += gocuda.ShflDownSync(t, gocuda.FullMask, v, d, 32)
			}
			if r == 0 {
				out[t.BlockIdx.X] = v
			}
		}
	}
}

// checkSums launches blockSums over n blocks and checks the result.
func checkSums(dev *gocuda.Device, blocks int) error {
	in, out := make([]int, 64*blocks), make([]int, blocks)
	for i := range in {
		in[i] = i
	}
	if err := dev.LaunchFunc(context.Background(), grid.Linear(len(in), 64), blockSums(in, out)); err != nil {
		return err
	}
	for b, v := range out {
		if want := 64*64*b + 64*63/2; v != want {
			return errors.New("wrong sum")
		}
	}
	return nil
}

// A goroutine that is locked to its thread can't resume coroutines that others have made.
func TestCallersMayBeLockedToTheirThread(t *testing.T) {
	dev := openDevice(t, gocuda.WithExecutor(gocuda.ExecutorCoroutine))
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			if i%2 == 0 {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
			}
			for range 20 {
				assert.NoError(t, checkSums(dev, 5))
			}
		})
	}
	wg.Wait()
}

func TestKernelsMayLockTheirThread(t *testing.T) {
	for _, exec := range executors {
		dev := openDevice(t, gocuda.WithExecutor(exec))
		require.NoError(t, checkSums(dev, 5))
		require.NoError(t, dev.LaunchFunc(context.Background(), grid.Linear(8, 4), func(t *gocuda.Thread) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			t.Clock()
		}))
		require.NoError(t, checkSums(dev, 5))
	}
}

func TestLaunchesFromManyGoroutines(t *testing.T) {
	for _, exec := range executors {
		for _, workers := range []int{1, 2, 5} {
			dev := openDevice(t, gocuda.WithExecutor(exec), gocuda.WithWorkers(workers))
			var wg sync.WaitGroup
			for i := range 8 {
				wg.Go(func() {
					for k := range 5 {
						assert.NoError(t, checkSums(dev, 1+(i+k)%7), "%v, %d workers", exec, workers)
					}
				})
			}
			wg.Wait()
		}
	}
}

func TestGOMAXPROCSMayChangeBetweenLaunches(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	dev := openDevice(t)
	for _, n := range []int{1, 2, 4, 1, 3, 1} {
		runtime.GOMAXPROCS(n)
		assert.Equal(t, n, dev.Properties().Workers, "workers")
		for _, blocks := range []int{1, 2, 100} {
			require.NoError(t, checkSums(dev, blocks))
		}
	}
	assert.Equal(t, 1, runtime.GOMAXPROCS(0), "the library changed GOMAXPROCS")
}

// More blocks than workers never run at the same time; as many as that do.
func TestWorkersBoundHowManyBlocksRunAtOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		dev := openDevice(t, gocuda.WithWorkers(workers))
		var now, most stdatomic.Int32
		require.NoError(t, dev.Launch(context.Background(), grid.Linear(500, 1), gocuda.BlockFunc(func(*gocuda.Block) {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			runtime.Gosched()
			now.Add(-1)
		})))
		assert.LessOrEqual(t, most.Load(), int32(workers), "blocks at once on %d workers", workers)
		all := meet(workers)
		finishes(t, "a launch whose blocks meet", func() {
			assert.NoError(t, dev.LaunchFunc(context.Background(), grid.Linear(workers, 1), all))
		})
	}
}

func TestKernelsMayLaunch(t *testing.T) {
	for _, exec := range executors {
		for _, workers := range []int{1, 2} {
			dev := openDevice(t, gocuda.WithExecutor(exec), gocuda.WithWorkers(workers))
			finishes(t, "a kernel that launches", func() {
				assert.NoError(t, dev.LaunchFunc(context.Background(), grid.Linear(8, 4), func(t *gocuda.Thread) {
					if t.Rank()%2 == 0 {
						if err := checkSums(dev, 3); err != nil {
							panic(err)
						}
					}
					t.SyncThreads()
				}), "%v, %d workers", exec, workers)
			})
		}
	}
}

// What a phase may do does not depend on the phases before it.
func TestPhasesOfAllKindsAlternate(t *testing.T) {
	for _, exec := range executors {
		dev := openDevice(t, gocuda.WithExecutor(exec), gocuda.WithWorkers(1))
		require.NoError(t, dev.Launch(context.Background(), grid.Linear(2*64, 64), gocuda.BlockFunc(func(b *gocuda.Block) {
			l := gocuda.Local[int](b)
			for range 2 {
				b.ForEach(func(t *gocuda.Thread) { l[t.Rank()] = 1 })
				b.Threads(func(t *gocuda.Thread) { l[t.Rank()] += t.SyncThreadsCount(true) })
				b.Warps(func(w *gocuda.Warp) { w.SyncThreads() })
			}
			if l[63] != 65 {
				panic(l[63])
			}
		})))
		require.NoError(t, dev.LaunchFunc(context.Background(), grid.Linear(64, 64), func(t *gocuda.Thread) { t.SyncThreads() }))
	}
}

func TestLaunchArguments(t *testing.T) {
	assert.ErrorIs(t, gocuda.Launch(context.Background(), oneThread, nil), gocuda.ErrInvalidDeviceFunction, "a nil kernel")
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(why)
	assert.ErrorIs(t, gocuda.LaunchFunc(ctx, oneThread, func(*gocuda.Thread) { t.Error("ran") }), why, "a cancelled context")
}

func TestAssert(t *testing.T) {
	for _, exec := range executors {
		dev := openDevice(t, gocuda.WithExecutor(exec))
		err := dev.LaunchFunc(context.Background(), grid.Linear(128, 64), func(t *gocuda.Thread) {
			t.Assert(true, "never mind")
			t.Assert(t.GlobalX() != 70, "number ", t.GlobalX(), " is bad")
			t.SyncThreads()
		})
		var ke *gocuda.KernelError
		require.ErrorIs(t, err, gocuda.ErrAssert, exec)
		require.ErrorAs(t, err, &ke, exec)
		assert.Equal(t, 1, ke.BlockIdx.X, exec)
		assert.Equal(t, 6, ke.ThreadIdx.X, exec)
		assert.ErrorContains(t, err, "number 70 is bad", exec)
		assert.ErrorIs(t, dev.LaunchFunc(context.Background(), oneThread, func(t *gocuda.Thread) { t.Assert(false) }), gocuda.ErrAssert, "%v: without a message", exec)
	}
}

func TestClockIsTheSameForAllThreads(t *testing.T) {
	for _, exec := range executors {
		dev := openDevice(t, gocuda.WithExecutor(exec))
		require.NoError(t, dev.LaunchFunc(context.Background(), grid.Linear(4*64, 64), func(t *gocuda.Thread) {
			before := gocuda.Shared[int64](t, 64)
			c := t.Clock()
			before[t.Rank()] = t.Clock()
			t.Assert(before[t.Rank()] >= c, "the clock runs backwards")
			t.SyncThreads()
			now := t.Clock()
			for r, c := range before {
				t.Assert(now >= c, "thread ", r, " was later before the barrier than the others after it")
			}
		}))
	}
}

// Threads that don't wait run one after another, so a thread that spins for another must let it run.
func TestNanosleepLetsTheOthersRun(t *testing.T) {
	for _, exec := range executors {
		for _, d := range []time.Duration{-1, 0, 1, time.Microsecond} {
			dev := openDevice(t, gocuda.WithExecutor(exec), gocuda.WithWorkers(1))
			finishes(t, "a kernel whose threads wait for each other in Nanosleep", func() {
				turn := make([]int32, 3) // of each block: whose turn it is
				if err := dev.LaunchFunc(context.Background(), grid.Linear(3*40, 40), func(t *gocuda.Thread) {
					cell := &turn[t.BlockIdx.X]
					// The last thread goes first.
					for atomic.Add(cell, 0) != int32(39-t.Rank()) {
						t.Nanosleep(d)
					}
					atomic.Add(cell, 1)
				}); err != nil {
					t.Errorf("%v, %v: %v", exec, d, err)
				}
				slicetest.Each(t, func(int) int32 { return 40 }, turn, "%v, %v", exec, d)
			})
		}
	}
}
