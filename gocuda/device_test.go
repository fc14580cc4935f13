package gocuda_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

func TestNewDeviceRefusesBadOptions(t *testing.T) {
	for name, opt := range map[string]gocuda.Option{
		"WithWorkers(-1)":              gocuda.WithWorkers(-1),
		"WithMemory(-1)":               gocuda.WithMemory(-1),
		"WithGeneration(-1)":           gocuda.WithGeneration(-1),
		"WithGeneration past the last": gocuda.WithGeneration(gocuda.Hopper + 1),
		"WithExecutor of no executor":  gocuda.WithExecutor(99),
		"WithOutput(nil)":              gocuda.WithOutput(nil),
		"a nil option":                 nil,
	} {
		t.Run(name, func(t *testing.T) {
			err := recovered(func() error {
				dev, err := gocuda.NewDevice(gocuda.WithChecked(true), opt)
				assert.Equal(t, err != nil, dev == nil, "a device or an error: %v", err)
				return err
			})
			assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
		})
	}
}

func TestLastOptionWins(t *testing.T) {
	dev := openDevice(t, gocuda.WithWorkers(1), gocuda.WithWorkers(3), gocuda.WithGeneration(gocuda.G80), gocuda.WithGeneration(gocuda.Volta))
	p := dev.Properties()
	assert.Equal(t, 3, p.Workers)
	assert.Equal(t, gocuda.Volta, p.Generation)
}

func TestHostProperties(t *testing.T) {
	p := gocuda.Default().Properties()
	assert.Equal(t, gocuda.Host, p.Generation)
	assert.NotEmpty(t, p.Name)
	assert.Equal(t, p.Host.Name, p.Name)
	assert.Equal(t, runtime.GOMAXPROCS(0), p.Workers, "workers")
	assert.Equal(t, 32, p.WarpSize, "not the newest limits")
	assert.Equal(t, 1024, p.MaxThreadsPerBlock, "not the newest limits")
	assert.Equal(t, 48<<10, p.SharedMemPerBlock, "not the newest limits")
	free, total := mem.Info(gocuda.Default())
	assert.Equal(t, total, p.TotalGlobalMem, "bytes of memory")
	assert.LessOrEqual(t, free, total, "bytes of memory")
	assert.GreaterOrEqual(t, free, int64(0), "bytes of memory")
	h := p.Host
	assert.Positive(t, h.Threads)
	assert.Positive(t, h.Cores)
	assert.LessOrEqual(t, h.Cores, max(h.Threads, runtime.NumCPU()))
	if h.CacheLine != 0 {
		assert.GreaterOrEqual(t, h.CacheLine, 16)
		assert.Equal(t, 1, bits.OnesCount(uint(h.CacheLine)), "a power of 2")
	}
	assert.GreaterOrEqual(t, h.L1D, 0)
	if h.L2 != 0 {
		assert.GreaterOrEqual(t, h.L2, h.L1D)
	}
	assert.GreaterOrEqual(t, h.L3, 0)
	if h.Memory != 0 {
		assert.GreaterOrEqual(t, h.Memory, int64(16<<20))
	}
}

func TestDeviceMemoryIsTheOneAskedFor(t *testing.T) {
	dev := openDevice(t, gocuda.WithMemory(1<<20))
	assert.Equal(t, int64(1<<20), dev.Properties().TotalGlobalMem)
	free, total := mem.Info(dev)
	assert.Equal(t, [2]int64{1 << 20, 1 << 20}, [2]int64{free, total})
}

func TestDefaultDeviceCannotBeClosed(t *testing.T) {
	assert.ErrorIs(t, gocuda.Default().Close(), gocuda.ErrNotPermitted, "Close")
	assert.Same(t, gocuda.Default(), gocuda.Default(), "two default devices")
	require.NoError(t, gocuda.LaunchFunc(context.Background(), oneThread, func(*gocuda.Thread) {}))
}

func TestClosedDevice(t *testing.T) {
	ctx := context.Background()
	dev, err := gocuda.NewDevice()
	require.NoError(t, err)
	require.NoError(t, dev.LaunchFunc(ctx, oneThread, func(*gocuda.Thread) {}))
	require.NoError(t, dev.Close())
	never := func(*gocuda.Thread) { t.Error("a kernel ran on a closed device") }
	for name, err := range map[string]error{
		"Launch":              dev.Launch(ctx, oneThread, gocuda.ThreadFunc(never)),
		"LaunchFunc":          dev.LaunchFunc(ctx, oneThread, never),
		"LaunchFunc, 0 block": dev.LaunchFunc(ctx, grid.Linear(0, 1), never),
		"NewStream.Launch":    dev.NewStream().LaunchFunc(oneThread, never),
		"Synchronize":         dev.Synchronize(ctx),
		"Close":               dev.Close(),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidResourceHandle, name)
	}
	_, err = mem.Alloc[int](dev, 1)
	assert.ErrorIs(t, err, mem.ErrClosed, "Alloc")
}

func TestNilDevice(t *testing.T) {
	var dev *gocuda.Device
	ctx := context.Background()
	nop := func(*gocuda.Thread) {}
	for name, f := range map[string]func() error{
		"Launch":      func() error { return dev.Launch(ctx, oneThread, gocuda.ThreadFunc(nop)) },
		"LaunchFunc":  func() error { return dev.LaunchFunc(ctx, oneThread, nop) },
		"Synchronize": func() error { return dev.Synchronize(ctx) },
		"Close":       dev.Close,
	} {
		assert.ErrorIs(t, recovered(f), gocuda.ErrInvalidResourceHandle, name)
	}
}

func TestCloseWaitsForALaunch(t *testing.T) {
	dev, err := gocuda.NewDevice()
	require.NoError(t, err)
	begun, gate := make(chan struct{}), make(chan struct{})
	done := 0
	var launched error
	var wg sync.WaitGroup
	wg.Go(func() {
		launched = dev.LaunchFunc(context.Background(), oneThread, func(*gocuda.Thread) {
			close(begun)
			<-gate
			done++
		})
	})
	<-begun
	closed := make(chan error, 1)
	go func() { closed <- dev.Close() }()
	select {
	case <-closed:
		t.Fatal("Close did not wait")
	default:
	}
	close(gate)
	finishes(t, "Close", func() {
		assert.NoError(t, <-closed)
	})
	assert.Equal(t, 1, done, "Close did not wait for the kernel")
	wg.Wait()
	require.NoError(t, launched)
}

func TestCloseAmongLaunches(t *testing.T) {
	for range 20 {
		dev, err := gocuda.NewDevice(gocuda.WithWorkers(2))
		require.NoError(t, err)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				s := dev.NewStream()
				for {
					n := 0
					err := dev.LaunchFunc(context.Background(), oneThread, func(*gocuda.Thread) { n++ })
					if err == nil {
						assert.Equal(t, 1, n, "how often the kernel ran")
						err = s.AddCallback(func() {})
					}
					if errors.Is(err, gocuda.ErrInvalidResourceHandle) {
						return
					}
					if !assert.NoError(t, err) {
						return
					}
				}
			})
		}
		var n int
		require.NoError(t, dev.LaunchFunc(context.Background(), oneThread, func(*gocuda.Thread) { n++ }))
		finishes(t, "Close", func() {
			assert.NoError(t, dev.Close())
		})
		finishes(t, "who launches on a closed device", wg.Wait)
	}
}

// exercise makes a device use all kinds of goroutines that it may have.
func exercise(t *testing.T, dev *gocuda.Device) {
	t.Helper()
	ctx := context.Background()
	barrier := func(t *gocuda.Thread) { t.SyncThreads() }
	require.NoError(t, dev.LaunchFunc(ctx, grid.Linear(1000, 100), barrier))
	require.NoError(t, dev.Launch(ctx, grid.Linear(1000, 100), gocuda.WarpFunc(func(w *gocuda.Warp) { w.SyncThreads() })))
	var nested error
	require.NoError(t, dev.LaunchFunc(ctx, oneThread, func(*gocuda.Thread) { nested = dev.LaunchFunc(ctx, grid.Linear(64, 32), barrier) }))
	require.NoError(t, nested)
	assert.Error(t, dev.LaunchFunc(ctx, grid.Linear(64, 32), func(t *gocuda.Thread) {
		if t.Rank() == 5 {
			panic("on purpose")
		}
		t.SyncThreads()
	}), "no error")
	assert.Error(t, dev.LaunchFunc(ctx, grid.Linear(64, 32), func(t *gocuda.Thread) {
		if t.Rank() == 5 {
			runtime.Goexit()
		}
		t.SyncThreads()
	}), "Goexit: no error")
	for range 10 {
		require.NoError(t, dev.NewStream().LaunchFunc(grid.Linear(100, 10), barrier))
	}
	require.NoError(t, dev.Synchronize(ctx))
}

func TestNoGoroutineIsLeftAfterClose(t *testing.T) {
	for _, opts := range [][]gocuda.Option{
		{gocuda.WithExecutor(gocuda.ExecutorCoroutine)},
		{gocuda.WithExecutor(gocuda.ExecutorGoroutine)},
		{gocuda.WithChecked(true)},
		{gocuda.WithWorkers(1)},
		{gocuda.WithWorkers(7)},
	} {
		before := runtime.NumGoroutine()
		for range 3 {
			dev, err := gocuda.NewDevice(opts...)
			require.NoError(t, err)
			exercise(t, dev)
			require.NoError(t, dev.Close())
		}
		eventually(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
	}
}

func TestUnusedDeviceHasNoGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	dev := openDevice(t)
	dev.NewStream()
	dev.NewEvent()
	assert.LessOrEqual(t, runtime.NumGoroutine(), before, "goroutines")
}

func TestIdleDefaultDeviceGivesItsGoroutinesBack(t *testing.T) {
	exercise(t, gocuda.Default())
	eventually(t, "the default device has given its goroutines back", func() bool {
		return countStacks("/gocuda/gocuda.") == 0
	})
	exercise(t, gocuda.Default()) // and wakes up again
}

// countStacks returns how many goroutines have text in their stack.
func countStacks(text string) int {
	buf := make([]byte, 4<<20)
	n := 0
	for g := range bytes.SplitSeq(buf[:runtime.Stack(buf, true)], []byte("\n\n")) {
		if bytes.Contains(g, []byte(text)) {
			n++
		}
	}
	return n
}

func TestNamesOfSettings(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range []fmt.Stringer{
		gocuda.ExecutorCoroutine, gocuda.ExecutorGoroutine,
		gocuda.NaturalOrder(), gocuda.ReversedOrder(), gocuda.ShuffledOrder(1), gocuda.ShuffledOrder(2),
	} {
		name := s.String()
		assert.NotEmpty(t, name, "%#v", s)
		assert.NotContains(t, seen, name, "%#v", s)
		seen[name] = true
	}
}
