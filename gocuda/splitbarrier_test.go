package gocuda_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
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
	if !errors.Is(err, target) {
		t.Fatalf("%v\nwant %v", err, target)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%v\ndoes not mention %q", err, w)
		}
	}
}

// Between Arrive and Wait threads don't wait for each other; after Wait they see what all wrote before Arrive.
func TestWaitSeesWhatWasWrittenBeforeArrive(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for _, n := range []int{1, 2, 31, 33, 64, 257, 1024} {
			x, sum := make([]int, n), make([]int, n)
			must(t, launchOne(t, dev, n, func(t *gocuda.Thread) {
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
			for i, s := range sum {
				if want := 5*7*i + 5*((i+n/2)%n) + 10; s != want {
					t.Fatalf("%d threads: thread %d has %d, want %d", n, i, s, want)
				}
			}
		}
	})
}

// A thread may be a whole phase ahead, but not more: the others have not arrived at the next one.
func TestArriveDoesNotWait(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		steps := make([]int32, 2)
		must(t, launchOne(t, dev, 2, func(t *gocuda.Thread) {
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
		if steps[0] != 1 || steps[1] != 1 {
			t.Error(steps)
		}
	})
}

// Threads that return count as arrived, whether they arrived themselves or not.
func TestReturnCountsAsArriveAtTheSplitBarrier(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		done := make([]int, 100)
		must(t, launchOne(t, dev, 100, func(t *gocuda.Thread) {
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
		for i, d := range done {
			if want := map[bool]int{true: 1}[i%3 == 2]; d != want {
				t.Fatalf("thread %d: %d", i, d)
			}
		}
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
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
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
