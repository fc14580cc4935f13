//go:build race

package gocuda

import (
	"context"
	"runtime/pprof"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/grid"
)

// take lets a launch of the given cost in, on a goroutine of its own, and tells when it is.
func take(ctx context.Context, cost int) (in *atomic.Bool, done <-chan bool) {
	in = new(atomic.Bool)
	c := make(chan bool, 1)
	go func() {
		ok := enter(ctx, &bid{cost})
		in.Store(ok)
		c <- ok
	}()
	synctest.Wait()
	return in, c
}

// moving makes something move until the func is called.
func moving() (stop func()) {
	quit := make(chan struct{})
	go func() {
		for {
			select {
			case <-quit:
				return
			case <-time.After(glance / 2):
				moved()
			}
		}
	}()
	return func() { close(quit) }
}

func TestLaunchesBeyondTheBudgetWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stop := moving()
		defer stop()
		ctx := t.Context()
		first, _ := take(ctx, budget/2)
		second, _ := take(ctx, budget/2)
		assert.True(t, first.Load() && second.Load(), "there is room for two halves")
		third, done := take(ctx, 1)
		fourth, _ := take(ctx, 1)
		time.Sleep(time.Minute)
		assert.False(t, third.Load() || fourth.Load(), "there was no room, and something moved")
		pass{cost: budget / 2}.leave()
		assert.True(t, <-done)
		time.Sleep(time.Second)
		assert.True(t, fourth.Load())
		pass{cost: budget/2 + 2}.leave()
		assert.Zero(t, admission.used)
	})
}

func TestTheFirstInTheQueueIsLetInFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer moving()()
		take(t.Context(), budget-10)
		large, _ := take(t.Context(), 100)
		small, _ := take(t.Context(), 1) // there is room for it, but it came later
		time.Sleep(time.Minute)
		assert.False(t, large.Load() || small.Load())
		pass{cost: budget - 10}.leave()
		time.Sleep(time.Second)
		assert.True(t, large.Load() && small.Load())
		pass{cost: 101}.leave()
	})
}

func TestALaunchLargerThanTheBudgetRunsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer moving()()
		take(t.Context(), 1)
		huge, done := take(t.Context(), 3*budget)
		other, _ := take(t.Context(), 1)
		time.Sleep(time.Minute)
		assert.False(t, huge.Load())
		pass{cost: 1}.leave()
		assert.True(t, <-done)
		time.Sleep(time.Minute)
		assert.False(t, other.Load())
		pass{cost: 3 * budget}.leave()
		time.Sleep(time.Second)
		assert.True(t, other.Load())
		pass{cost: 1}.leave()
	})
}

// Launches that wait for each other are let in one after the other when nothing moves.
func TestOneIsLetInWhenNothingMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		take(t.Context(), budget)
		var in []*atomic.Bool
		for range 5 {
			b, _ := take(t.Context(), 10)
			assert.False(t, b.Load(), "at once")
			in = append(in, b)
		}
		time.Sleep(time.Minute)
		for _, b := range in {
			assert.True(t, b.Load())
		}
		pass{cost: budget + 50}.leave()
	})
}

func TestWhoWaitsForRoomCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer moving()()
		take(t.Context(), budget)
		ctx, cancel := context.WithCancel(t.Context())
		_, done := take(ctx, 10)
		last, _ := take(t.Context(), 10)
		cancel()
		assert.False(t, <-done)
		assert.Equal(t, budget, admission.used)
		pass{cost: budget}.leave()
		time.Sleep(time.Second)
		assert.True(t, last.Load(), "it is the first now")
		pass{cost: 10}.leave()
	})
}

// What a kernel launches does not wait, and neither do cooperative launches: who is in may be
// waiting for them.
func TestWhoDoesNotWaitForRoom(t *testing.T) {
	dev := Default()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // only spent if it fails
	defer cancel()
	one := grid.Linear(1, 1)
	assert.True(t, enter(ctx, &bid{2 * budget}))
	defer pass{cost: 2 * budget}.leave()
	defer moving()()
	for name, kernel := range map[string]func(*Thread){
		"cooperative":        func(t *Thread) { t.SyncGrid() },
		"child":              func(t *Thread) { t.Assert(t.LaunchFunc(one, func(*Thread) {}) == nil) },
		"launch in a kernel": func(t *Thread) { t.Assert(dev.LaunchFunc(ctx, one, func(*Thread) {}) == nil) },
		"goroutine of a kernel": func(t *Thread) {
			done := make(chan error)
			go func() { done <- dev.LaunchFunc(ctx, one, func(*Thread) {}) }()
			t.Assert(<-done == nil)
		},
		"stream of a kernel": func(t *Thread) {
			s := dev.NewStream()
			t.Assert(s.LaunchFunc(one, func(*Thread) {}) == nil)
			t.Assert(s.Synchronize(ctx) == nil)
		},
	} {
		assert.NoError(t, dev.LaunchCooperativeFunc(ctx, one, kernel), name)
		labelled := pprof.WithLabels(ctx, pprof.Labels("who", "me"))
		assert.NoError(t, dev.LaunchCooperativeFunc(labelled, one, kernel), "%s, with labels", name)
	}
}
