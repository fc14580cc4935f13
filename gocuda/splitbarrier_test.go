package gocuda_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
)

// onExecutors runs f on a device of each executor.
func onExecutors(t *testing.T, f func(t *testing.T, dev *gocuda.Device), opts ...gocuda.Option) {
	for _, e := range executors {
		t.Run(e.String(), func(t *testing.T) {
			f(t, openDevice(t, append(opts, gocuda.WithExecutor(e))...))
		})
	}
}

// launchOne runs one block of so many threads and returns the error, or fails the test if it hangs.
func launchOne(t *testing.T, dev *gocuda.Device, threads int, k func(*gocuda.Thread)) (err error) {
	t.Helper()
	finishes(t, "Launch", func() {
		err = dev.LaunchFunc(context.Background(), grid.Linear(threads, threads), k)
	})
	return err
}

// wantError fails the test unless err matches target and mentions all of words.
func wantError(t *testing.T, err, target error, words ...string) {
	t.Helper()
	require.ErrorIs(t, err, target)
	for _, w := range words {
		assert.ErrorContains(t, err, w)
	}
}

// Between Arrive and Wait threads don't wait for each other; after Wait they see what all wrote
// before Arrive.
func TestWaitSeesWhatWasWrittenBeforeArrive(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for _, n := range []int{1, 2, 31, 33, 64, 257, 1024} {
			x, sum := make([]int, n), make([]int, n)
			require.NoError(t, launchOne(t, dev, n, func(t *gocuda.Thread) {
				for round := range 5 {
					x[t.Rank()] = t.Rank() + round
					tok := t.Arrive()
					own := 7 * t.Rank() // independent work
					t.Wait(tok)
					other := x[(t.Rank()+n/2)%n]
					sum[t.Rank()] += own + other
					t.SyncThreads()
				}
			}))
			slicetest.Each(t, func(i int) int { return 5*7*i + 5*((i+n/2)%n) + 10 }, sum, "%d threads", n)
		}
	})
}

// A thread may be a whole phase ahead, but not more: the others have not arrived at the next one.
func TestArriveDoesNotWait(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		steps := make([]int32, 2)
		require.NoError(t, launchOne(t, dev, 2, func(t *gocuda.Thread) {
			if t.Rank() == 0 {
				tok := t.Arrive()
				// Thread 1 arrives only when it has seen that this one did not wait.
				gocuda.ShflSync(t, 3, 1, 0, 32)
				t.Wait(tok)
			} else {
				gocuda.ShflSync(t, 3, 1, 0, 32)
				t.Wait(t.Arrive())
			}
			steps[t.Rank()]++
		}))
		assert.Equal(t, []int32{1, 1}, steps[:])
	})
}

// Threads that return count as arrived, whether they arrived themselves or not.
func TestReturnCountsAsArriveAtTheSplitBarrier(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		done := make([]int, 100)
		require.NoError(t, launchOne(t, dev, 100, func(t *gocuda.Thread) {
			switch t.Rank() % 3 {
			case 0:
				return
			case 1:
				t.Arrive()
				return
			}
			for range 3 {
				t.Wait(t.Arrive())
			}
			done[t.Rank()] = 1
		}))
		slicetest.Each(t, func(i int) int { return map[bool]int{true: 1}[i%3 == 2] }, done)
	})
}

func TestMisuseOfTheSplitBarrier(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for name, c := range map[string]struct {
			kernel func(*gocuda.Thread)
			want   error
		}{
			"Arrive twice":        {func(t *gocuda.Thread) { t.Arrive(); t.Arrive() }, gocuda.ErrBarrierDivergence},
			"SyncThreads between": {func(t *gocuda.Thread) { t.Arrive(); t.SyncThreads() }, gocuda.ErrBarrierDivergence},
			"Wait without Arrive": {func(t *gocuda.Thread) { t.Wait(gocuda.Arrival{}) }, gocuda.ErrInvalidValue},
			"the zero Arrival":    {func(t *gocuda.Thread) { t.Arrive(); t.Wait(gocuda.Arrival{}) }, gocuda.ErrInvalidValue},
			"an Arrival of before": {func(t *gocuda.Thread) {
				old := t.Arrive()
				t.Wait(old)
				t.Wait(t.Arrive())
				t.Arrive()
				t.Wait(old)
			}, gocuda.ErrInvalidValue},
			"some at another barrier": {func(t *gocuda.Thread) {
				if t.Rank() == 3 {
					t.SyncThreads()
				}
				t.Wait(t.Arrive())
			}, gocuda.ErrBarrierDeadlock},
		} {
			err := launchOne(t, dev, 40, c.kernel)
			assert.ErrorIs(t, err, c.want, name)
		}
	})
}

func TestDeadlockAtTheSplitBarrierSaysWhoWaitsWhere(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		err := launchOne(t, dev, 64, func(t *gocuda.Thread) {
			if t.Rank() < 60 {
				t.Wait(t.Arrive())
			} else {
				t.BarSync(5, 64)
			}
		})
		wantError(t, err, gocuda.ErrBarrierDeadlock, "60 threads (the first is 0) wait in Wait at splitbarrier_test.go",
			"4 threads (the first is 60) wait in BarSync of barrier 5 at splitbarrier_test.go")
	})
}

func TestSplitBarrierIsCancelled(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		ctx, cancel := context.WithCancel(context.Background())
		var err error
		finishes(t, "Launch", func() {
			err = dev.LaunchFunc(ctx, grid.Linear(64, 64), func(t *gocuda.Thread) {
				for {
					t.Wait(t.Arrive())
					if t.Rank() == 0 {
						cancel()
					}
				}
			})
		})
		wantError(t, err, context.Canceled)
	})
}
