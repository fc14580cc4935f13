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
				if (dev == nil) != (err != nil) {
					t.Errorf("device %v and error %v", dev, err)
				}
				return err
			})
			if !errors.Is(err, gocuda.ErrInvalidValue) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestLastOptionWins(t *testing.T) {
	dev := openDevice(t, gocuda.WithWorkers(1), gocuda.WithWorkers(3), gocuda.WithGeneration(gocuda.G80), gocuda.WithGeneration(gocuda.Volta))
	if p := dev.Properties(); p.Workers != 3 || p.Generation != gocuda.Volta {
		t.Errorf("%d workers, %v", p.Workers, p.Generation)
	}
}

func TestHostProperties(t *testing.T) {
	p := gocuda.Default().Properties()
	if p.Generation != gocuda.Host || p.Name == "" || p.Name != p.Host.Name {
		t.Errorf("generation %v, name %q, host %q", p.Generation, p.Name, p.Host.Name)
	}
	if p.Workers != runtime.GOMAXPROCS(0) {
		t.Errorf("%d workers", p.Workers)
	}
	if p.WarpSize != 32 || p.MaxThreadsPerBlock != 1024 || p.SharedMemPerBlock != 48<<10 {
		t.Errorf("not the newest limits: %+v", p.Limits())
	}
	if free, total := mem.Info(gocuda.Default()); p.TotalGlobalMem != total || free > total || free < 0 {
		t.Errorf("%d bytes of memory; %d of %d free", p.TotalGlobalMem, free, total)
	}
	h := p.Host
	if h.Threads < 1 || h.Cores < 1 || h.Cores > max(h.Threads, runtime.NumCPU()) {
		t.Errorf("%d cores, %d threads", h.Cores, h.Threads)
	}
	if h.CacheLine != 0 && (h.CacheLine < 16 || bits.OnesCount(uint(h.CacheLine)) != 1) {
		t.Errorf("a cache line of %d bytes", h.CacheLine)
	}
	if h.L1D < 0 || h.L2 != 0 && h.L2 < h.L1D || h.L3 < 0 {
		t.Errorf("caches of %d, %d and %d bytes", h.L1D, h.L2, h.L3)
	}
	if h.Memory < 0 || h.Memory != 0 && h.Memory < 16<<20 {
		t.Errorf("%d bytes of memory", h.Memory)
	}
}

func TestDeviceMemoryIsTheOneAskedFor(t *testing.T) {
	dev := openDevice(t, gocuda.WithMemory(1<<20))
	if p := dev.Properties(); p.TotalGlobalMem != 1<<20 {
		t.Errorf("TotalGlobalMem %d", p.TotalGlobalMem)
	}
	if free, total := mem.Info(dev); free != 1<<20 || total != 1<<20 {
		t.Errorf("%d of %d bytes free", free, total)
	}
}

func TestDefaultDeviceCannotBeClosed(t *testing.T) {
	if err := gocuda.Default().Close(); !errors.Is(err, gocuda.ErrNotPermitted) {
		t.Errorf("Close: %v", err)
	}
	if gocuda.Default() != gocuda.Default() {
		t.Error("two default devices")
	}
	must(t, gocuda.LaunchFunc(context.Background(), oneThread, func(*gocuda.Thread) {}))
}

func TestClosedDevice(t *testing.T) {
	ctx := context.Background()
	dev, err := gocuda.NewDevice()
	must(t, err)
	must(t, dev.LaunchFunc(ctx, oneThread, func(*gocuda.Thread) {}))
	must(t, dev.Close())
	never := func(*gocuda.Thread) { t.Error("a kernel ran on a closed device") }
	for name, err := range map[string]error{
		"Launch":              dev.Launch(ctx, oneThread, gocuda.ThreadFunc(never)),
		"LaunchFunc":          dev.LaunchFunc(ctx, oneThread, never),
		"LaunchFunc, 0 block": dev.LaunchFunc(ctx, grid.Linear(0, 1), never),
		"NewStream.Launch":    dev.NewStream().LaunchFunc(oneThread, never),
		"Synchronize":         dev.Synchronize(ctx),
		"Close":               dev.Close(),
	} {
		if !errors.Is(err, gocuda.ErrInvalidResourceHandle) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := mem.Alloc[int](dev, 1); !errors.Is(err, mem.ErrClosed) {
		t.Errorf("Alloc: %v", err)
	}
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
		if err := recovered(f); !errors.Is(err, gocuda.ErrInvalidResourceHandle) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCloseWaitsForALaunch(t *testing.T) {
	dev, err := gocuda.NewDevice()
	must(t, err)
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
		if err := <-closed; err != nil {
			t.Error(err)
		}
	})
	if done != 1 {
		t.Error("Close did not wait for the kernel")
	}
	wg.Wait()
	must(t, launched)
}

func TestCloseAmongLaunches(t *testing.T) {
	for range 20 {
		dev, err := gocuda.NewDevice(gocuda.WithWorkers(2))
		must(t, err)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				s := dev.NewStream()
				for {
					n := 0
					err := dev.LaunchFunc(context.Background(), oneThread, func(*gocuda.Thread) { n++ })
					if err == nil && n != 1 {
						t.Errorf("the kernel ran %d times", n)
					}
					if err == nil {
						err = s.AddCallback(func() {})
					}
					if errors.Is(err, gocuda.ErrInvalidResourceHandle) {
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		var n int
		must(t, dev.LaunchFunc(context.Background(), oneThread, func(*gocuda.Thread) { n++ }))
		finishes(t, "Close", func() {
			if err := dev.Close(); err != nil {
				t.Error(err)
			}
		})
		finishes(t, "who launches on a closed device", wg.Wait)
	}
}

// exercise makes a device use all kinds of goroutines that it may have.
func exercise(t *testing.T, dev *gocuda.Device) {
	t.Helper()
	ctx := context.Background()
	barrier := func(t *gocuda.Thread) { t.SyncThreads() }
	must(t, dev.LaunchFunc(ctx, grid.Linear(1000, 100), barrier))
	must(t, dev.Launch(ctx, grid.Linear(1000, 100), gocuda.WarpFunc(func(w *gocuda.Warp) { w.SyncThreads() })))
	var nested error
	must(t, dev.LaunchFunc(ctx, oneThread, func(*gocuda.Thread) { nested = dev.LaunchFunc(ctx, grid.Linear(64, 32), barrier) }))
	must(t, nested)
	if err := dev.LaunchFunc(ctx, grid.Linear(64, 32), func(t *gocuda.Thread) {
		if t.Rank() == 5 {
			panic("on purpose")
		}
		t.SyncThreads()
	}); err == nil {
		t.Error("no error")
	}
	if err := dev.LaunchFunc(ctx, grid.Linear(64, 32), func(t *gocuda.Thread) {
		if t.Rank() == 5 {
			runtime.Goexit()
		}
		t.SyncThreads()
	}); err == nil {
		t.Error("Goexit: no error")
	}
	for range 10 {
		must(t, dev.NewStream().LaunchFunc(grid.Linear(100, 10), barrier))
	}
	must(t, dev.Synchronize(ctx))
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
			must(t, err)
			exercise(t, dev)
			must(t, dev.Close())
		}
		eventually(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
	}
}

func TestUnusedDeviceHasNoGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	dev := openDevice(t)
	dev.NewStream()
	dev.NewEvent()
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
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
		if name := s.String(); name == "" || seen[name] {
			t.Errorf("%#v is called %q", s, name)
		} else {
			seen[name] = true
		}
	}
}
