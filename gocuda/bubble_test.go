package gocuda_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A device can be used in the bubbles of testing/synctest, where time stands still until all goroutines
// wait: nothing in it may spin until some time has passed. A bubble that spins can't be stopped from
// inside, so the test runs itself in a process that can be.
func TestDeviceWorksInABubble(t *testing.T) {
	const inside = "GOCUDA_TEST_BUBBLE"
	if os.Getenv(inside) == "" {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestDeviceWorksInABubble$")
		cmd.Env = append(os.Environ(), inside+"=1")
		if out, err := cmd.CombinedOutput(); errors.Is(err, syscall.ENOEXEC) {
			t.Skip("the test runs under an emulator that the system does not know of, so it can't run itself")
		} else if err != nil {
			t.Errorf("%v, %v\n%s", err, context.Cause(ctx), out)
		}
		return
	}
	for _, e := range executors {
		synctest.Test(t, func(t *testing.T) {
			dev, err := gocuda.NewDevice(gocuda.WithExecutor(e), gocuda.WithWorkers(2))
			must(t, err)
			s := dev.NewStream()
			start, stop := dev.NewEvent(), dev.NewEvent()
			must(t, s.Record(start))
			must(t, s.AddCallback(func() { time.Sleep(3 * time.Second) }))
			must(t, s.Record(stop))
			var ran atomic.Bool
			must(t, s.LaunchFunc(grid.Linear(1000, 64), func(t *gocuda.Thread) {
				t.SyncThreads()
				if t.GlobalX() == 0 {
					ran.Store(true)
				}
			}))
			synctest.Wait()
			if ran.Load() {
				t.Error("the kernel did not wait for the callback")
			}
			must(t, s.Synchronize(t.Context()))
			if d, err := stop.Since(start); err != nil || d != 3*time.Second {
				t.Errorf("the events are %v apart, %v", d, err)
			}
			must(t, dev.Close())
		})
	}
}
