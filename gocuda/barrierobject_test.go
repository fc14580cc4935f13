package gocuda_test

import (
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/slicetest"
)

// withBarrier is a kernel that has a Barrier of count arrivals.
func withBarrier(count int, f func(*gocuda.Thread, *gocuda.Barrier)) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		bar := &gocuda.Shared[gocuda.Barrier](t, 1)[0]
		if t.Rank() == 0 {
			bar.Init(t, count)
		}
		t.SyncThreads()
		f(t, bar)
	}
}

func TestBarrierTakesEightBytesOfSharedMemory(t *testing.T) {
	assert.Equal(t, uintptr(8), unsafe.Sizeof(gocuda.Barrier{})) // that of an mbarrier object, by the PTX ISA manual
}

func TestBarrierObject(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for _, n := range []int{1, 2, 32, 37, 256} {
			x, sum := make([]int, n), make([]int, n)
			require.NoError(t, launchOne(t, dev, n, withBarrier(n, func(t *gocuda.Thread, bar *gocuda.Barrier) {
				i := t.Rank()
				for round := range 4 {
					x[i] = round + i
					tok := bar.Arrive(t, 1)
					bar.Wait(t, tok)
					bar.Wait(t, tok) // has completed
					sum[i] += x[n-1-i]
					bar.ArriveAndWait(t)
				}
			})))
			slicetest.Each(t, func(i int) int { return 0 + 1 + 2 + 3 + 4*(n-1-i) }, sum, "%d threads", n)
		}
	})
}

// One thread waits for what the others count down, several at once and some twice.
func TestBarrierCountsArrivals(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		x := make([]int, 64)
		sum := 0
		require.NoError(t, launchOne(t, dev, 64, withBarrier(1+63*3, func(t *gocuda.Thread, bar *gocuda.Barrier) {
			if t.Rank() == 0 {
				bar.ArriveAndWait(t)
				for _, v := range x {
					sum += v
				}
				return
			}
			bar.Arrive(t, 2)
			x[t.Rank()] = 1
			bar.Arrive(t, 1)
		})))
		assert.Equal(t, 63, sum)
	})
}

// Threads drop out one by one; the others go on without them.
func TestArriveAndDrop(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		const n = 40
		rounds := make([]int, n)
		require.NoError(t, launchOne(t, dev, n, withBarrier(n, func(t *gocuda.Thread, bar *gocuda.Barrier) {
			for range t.Rank() {
				bar.ArriveAndWait(t)
				rounds[t.Rank()]++
			}
			bar.ArriveAndDrop(t)
		})))
		slicetest.Each(t, func(i int) int { return i }, rounds, "rounds of a thread")
	})
}

// A thread polls, and does other work in between; nobody waits for it in vain.
func TestTestWaitAndTryWait(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for name, poll := range map[string]func(*gocuda.Thread, *gocuda.Barrier, gocuda.BarrierToken) bool{
			"TestWait": func(t *gocuda.Thread, bar *gocuda.Barrier, tok gocuda.BarrierToken) bool {
				return bar.TestWait(t, tok)
			},
			"TestWaitParity": func(t *gocuda.Thread, bar *gocuda.Barrier, _ gocuda.BarrierToken) bool {
				return bar.TestWaitParity(t, false)
			},
			"TryWait": func(t *gocuda.Thread, bar *gocuda.Barrier, tok gocuda.BarrierToken) bool {
				return bar.TryWait(t, tok, time.Microsecond)
			},
		} {
			x := make([]int, 33)
			require.NoError(t, launchOne(t, dev, 33, withBarrier(33, func(t *gocuda.Thread, bar *gocuda.Barrier) {
				x[t.Rank()] = 1
				tok := bar.Arrive(t, 1)
				for !poll(t, bar, tok) {
				}
				if x[32-t.Rank()] != 1 {
					panic(name)
				}
			})))
		}
		// A phase that lacks an arrival has not completed.
		require.NoError(t, launchOne(t, dev, 1, withBarrier(2, func(t *gocuda.Thread, bar *gocuda.Barrier) {
			tok := bar.Arrive(t, 1)
			if bar.TestWait(t, tok) || bar.TryWait(t, tok, time.Millisecond) || bar.TestWaitParity(t, false) {
				panic("too early")
			}
			if !bar.TestWaitParity(t, true) { // the phase before the first, in CUDA's count
				panic("the phase under way is the first")
			}
			bar.Arrive(t, 1)
			if !bar.TestWait(t, tok) || !bar.TestWaitParity(t, false) || bar.TestWaitParity(t, true) {
				panic("too late")
			}
			bar.WaitParity(t, false)
		})))
	})
}

func TestMisuseOfBarrierObjects(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		global := make([]gocuda.Barrier, 1)
		require.NoError(t, launchOne(t, dev, 1, func(t *gocuda.Thread) { global[0].Init(t, 1) }))
		for name, c := range map[string]struct {
			count  int
			kernel func(*gocuda.Thread, *gocuda.Barrier)
			want   error
		}{
			"count 0":           {0, nil, gocuda.ErrInvalidValue},
			"count -1":          {-1, nil, gocuda.ErrInvalidValue},
			"count 2^20":        {1 << 20, nil, gocuda.ErrInvalidValue},
			"not made":          {1, func(t *gocuda.Thread, _ *gocuda.Barrier) { new(gocuda.Barrier).Arrive(t, 1) }, gocuda.ErrInvalidValue},
			"of another block":  {1, func(t *gocuda.Thread, _ *gocuda.Barrier) { global[0].Arrive(t, 1) }, gocuda.ErrInvalidValue},
			"0 arrivals":        {1, func(t *gocuda.Thread, bar *gocuda.Barrier) { bar.Arrive(t, 0) }, gocuda.ErrInvalidValue},
			"too many arrivals": {3, func(t *gocuda.Thread, bar *gocuda.Barrier) { bar.Arrive(t, 4) }, gocuda.ErrInvalidValue},
			"after Inval": {1, func(t *gocuda.Thread, bar *gocuda.Barrier) {
				bar.Inval(t)
				bar.Arrive(t, 1)
			}, gocuda.ErrInvalidValue},
			"old token": {1, func(t *gocuda.Thread, bar *gocuda.Barrier) {
				tok := bar.Arrive(t, 1)
				bar.Arrive(t, 1)
				bar.Wait(t, tok)
			}, gocuda.ErrInvalidValue},
			"zero token": {1, func(t *gocuda.Thread, bar *gocuda.Barrier) { bar.Wait(t, gocuda.BarrierToken{}) }, gocuda.ErrInvalidValue},
			"token of the barrier before": {1, func(t *gocuda.Thread, bar *gocuda.Barrier) {
				tok := bar.Arrive(t, 1)
				bar.Init(t, 1)
				bar.Wait(t, tok)
			}, gocuda.ErrInvalidValue},
			"nobody comes":   {2, func(t *gocuda.Thread, bar *gocuda.Barrier) { bar.ArriveAndWait(t) }, gocuda.ErrBarrierDeadlock},
			"nobody is left": {1, func(t *gocuda.Thread, bar *gocuda.Barrier) { bar.ArriveAndDrop(t); bar.Arrive(t, 1) }, gocuda.ErrInvalidValue},
		} {
			assert.ErrorIs(t, launchOne(t, dev, 1, withBarrier(c.count, c.kernel)), c.want, name)
		}
		var comes int32
		err := launchOne(t, dev, 2, withBarrier(2, func(t *gocuda.Thread, bar *gocuda.Barrier) {
			if t.Rank() == 0 {
				atomic.Exch(&comes, 1)
				bar.ArriveAndWait(t)
			}
			for atomic.Add(&comes, 0) == 0 {
				t.Nanosleep(0)
			}
			for range 1000 { // until it waits
				t.Nanosleep(0)
			}
			bar.Init(t, 2)
		}))
		wantError(t, err, gocuda.ErrNotPermitted)
	})
}

// The barrier that an earlier block left in shared memory is none.
func TestBarrierOfAnEarlierBlockIsNone(t *testing.T) {
	dev := openDevice(t, gocuda.WithWorkers(1), gocuda.WithExecutor(gocuda.ExecutorCoroutine))
	require.NoError(t, launchOne(t, dev, 1, withBarrier(1, func(t *gocuda.Thread, bar *gocuda.Barrier) { bar.Arrive(t, 1) })))
	err := launchOne(t, dev, 1, func(t *gocuda.Thread) { gocuda.Shared[gocuda.Barrier](t, 1)[0].Arrive(t, 1) })
	wantError(t, err, gocuda.ErrInvalidValue)
}
