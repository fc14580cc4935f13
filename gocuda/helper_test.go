package gocuda_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// patience is how long a test waits for what must happen soon. It is only spent when a test fails.
const patience = 30 * time.Second

// oneThread is the smallest launch there is.
var oneThread = grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1}}

// executors are the ways to run a block that a device offers.
var executors = []gocuda.Executor{gocuda.ExecutorCoroutine, gocuda.ExecutorGoroutine}

// openDevice opens a device for one test and closes it afterwards.
func openDevice(t testing.TB, opts ...gocuda.Option) *gocuda.Device {
	t.Helper()
	dev, err := gocuda.NewDevice(opts...)
	require.NoError(t, err)
	t.Cleanup(func() { finishes(t, "Device.Close", func() { dev.Close() }) })
	return dev
}

// finishes runs f and fails the test, instead of hanging all of them, if f does not return.
func finishes(t testing.TB, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		buf := make([]byte, 1<<20)
		t.Fatalf("%s hangs\n%s", what, buf[:runtime.Stack(buf, true)])
	}
}

// eventually waits until cond is true. It runs cond itself; testify's Eventually has a goroutine
// for that, which conditions on goroutines would count.
func eventually(t testing.TB, what string, cond func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !cond(); {
		if time.Now().After(deadline) {
			t.Fatalf("still not: %s", what)
		}
		runtime.Gosched()
	}
}

// synchronize waits for the stream and returns its error.
func synchronize(t testing.TB, s *gocuda.Stream) (err error) {
	t.Helper()
	finishes(t, "Stream.Synchronize", func() { err = s.Synchronize(context.Background()) })
	return err
}

// must stops the test if err is not nil.
func must(t testing.TB, err error) {
	t.Helper()
	require.NoError(t, err)
}

// hold queues work on s that only ends when the returned func is called.
func hold(t testing.TB, s *gocuda.Stream) (release func()) {
	t.Helper()
	gate := make(chan struct{})
	require.NoError(t, s.AddCallback(func() { <-gate }))
	open := false
	release = func() {
		if !open {
			open = true
			close(gate)
		}
	}
	t.Cleanup(release) // a test that stops early must not hold up the device's Close
	return release
}

// failWith queues a kernel on s that panics with err.
func failWith(t testing.TB, s *gocuda.Stream, err error) {
	t.Helper()
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { panic(err) }))
}
