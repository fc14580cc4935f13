package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// errSoak is what the soak's kernels panic with.
var errSoak = errors.New("on purpose")

// A soak is one goroutine's part of the test: launches of a random kind and geometry, one after
// another, each with its result checked.
type soak struct {
	dev *gocuda.Device
	rnd *rand.Rand
	s   *gocuda.Stream
}

// geometry returns a random launch of a few hundred threads.
func (k *soak) geometry() grid.Config {
	return grid.Config{
		Grid:  grid.Dim3{X: 1 + k.rnd.IntN(6), Y: 1 + k.rnd.IntN(2)},
		Block: grid.Dim3{X: 1 + k.rnd.IntN(70), Y: 1 + k.rnd.IntN(3)},
	}
}

// launch runs a kernel on the device, or on the stream.
func (k *soak) launch(ctx context.Context, cfg grid.Config, kernel gocuda.Kernel) error {
	if k.rnd.IntN(2) == 0 {
		return k.dev.Launch(ctx, cfg, kernel)
	}
	if k.s == nil {
		k.s = k.dev.NewStream()
	}
	if err := k.s.LaunchContext(ctx, cfg, kernel); err != nil {
		return fmt.Errorf("in a stream: %w", err)
	}
	k.s.AddCallback(func() {})
	err := k.s.Synchronize(context.Background())
	switch {
	case k.rnd.IntN(4) == 0: // Close is as good as Reset for whoever wants a new one
		if again := k.s.Close(); again != err {
			return fmt.Errorf("Close: %w, Synchronize: %w", again, err)
		}
		k.s = nil
	case err != nil:
		if again := k.s.Reset(); again != err {
			return fmt.Errorf("Reset: %w, Synchronize: %w", again, err)
		}
	}
	return err
}

// step does one thing and returns an error if the result is not what it should be.
func (k *soak) step() error {
	ctx := context.Background()
	cfg := k.geometry()
	threads, blocks := cfg.Threads(), cfg.Blocks()
	victim, unlucky := k.rnd.IntN(threads), k.rnd.IntN(blocks)
	isVictim := func(t *gocuda.Thread) bool {
		return t.Rank() == victim && t.GridDim.Linear(t.BlockIdx) == unlucky
	}
	fails := func(kernel gocuda.Kernel, want error) error {
		if err := k.launch(ctx, cfg, kernel); !errors.Is(err, want) {
			return fmt.Errorf("%+v: %v, want %v", cfg, err, want)
		}
		return nil
	}
	switch k.rnd.IntN(10) {
	case 0, 1, 2: // a good thread kernel
		out := make([]int, blocks)
		if err := k.launch(ctx, cfg, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			s := gocuda.Shared[int](t, threads)
			s[t.Rank()] = t.Rank()
			t.SyncThreads()
			sum := gocuda.ReduceAddSync(t, gocuda.FullMask, s[threads-1-t.Rank()])
			t.SyncThreads()
			s[t.Rank()] = sum
			t.SyncThreads()
			if t.Rank() == 0 {
				for warp := 0; warp*32 < threads; warp++ {
					out[t.GridDim.Linear(t.BlockIdx)] += s[warp*32]
				}
			}
		})); err != nil {
			return err
		}
		for b, v := range out {
			if v != threads*(threads-1)/2 {
				return fmt.Errorf("%+v: the sum of block %d is %d", cfg, b, v)
			}
		}
		return nil
	case 3: // a good block kernel, with device memory
		buf, err := mem.Alloc[int](k.dev, blocks)
		if err != nil {
			return err
		}
		x := buf.Data()
		if err := k.launch(ctx, cfg, gocuda.BlockFunc(func(b *gocuda.Block) {
			l := gocuda.Local[int](b)
			b.ForEach(func(t *gocuda.Thread) { l[t.Rank()] = 1 })
			b.Threads(func(t *gocuda.Thread) { t.SyncThreads(); l[t.Rank()]++ })
			for _, v := range l {
				x[b.GridDim.Linear(b.BlockIdx)] += v
			}
		})); err != nil {
			return err
		}
		if x[blocks-1] != 2*threads {
			return fmt.Errorf("%+v: the last block counts %d", cfg, x[blocks-1])
		}
		return buf.Free()
	case 4:
		return fails(gocuda.ThreadFunc(func(t *gocuda.Thread) {
			t.SyncThreads()
			if isVictim(t) {
				panic(errSoak)
			}
			t.SyncThreads()
		}), errSoak)
	case 5:
		return fails(gocuda.WarpFunc(func(w *gocuda.Warp) {
			w.SyncThreads()
			if w.WarpID() == victim/32 && w.GridDim.Linear(w.BlockIdx) == unlucky {
				panic(errSoak)
			}
			w.SyncThreads()
		}), errSoak)
	case 6: // a deadlock
		cfg.Block = grid.Dim3{X: 32 + k.rnd.IntN(64)}
		return fails(gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if t.LaneID()%2 == 0 && t.WarpID() == 0 {
				t.SyncThreads()
			} else {
				t.SyncWarp(gocuda.FullMask)
				t.SyncThreads()
			}
		}), gocuda.ErrBarrierDeadlock)
	case 7: // Goexit
		err := k.launch(ctx, cfg, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			t.SyncThreads()
			if isVictim(t) {
				runtime.Goexit()
			}
			t.SyncThreads()
		}))
		if ke := new(gocuda.KernelError); !errors.As(err, &ke) {
			return fmt.Errorf("%+v: Goexit: %v", cfg, err)
		}
		return nil
	case 8: // cancelled from inside
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		if err := k.launch(ctx, cfg, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			for { // in every block: the unlucky one might never begin
				t.SyncThreads()
				if t.Rank() == victim {
					cancel(errSoak)
				}
			}
		})); !errors.Is(err, errSoak) {
			return fmt.Errorf("%+v: cancelled: %v", cfg, err)
		}
		return nil
	default: // a callback that fails
		s := k.dev.NewStream()
		if k.rnd.IntN(2) == 0 {
			s.AddCallback(func() { panic(errSoak) })
		} else {
			s.Enqueue(func() error { return errSoak })
		}
		s.LaunchFunc(cfg, func(*gocuda.Thread) { panic("work behind a failure ran") })
		if err := s.Close(); !errors.Is(err, errSoak) {
			return fmt.Errorf("a failed callback: %v", err)
		}
		return nil
	}
}

// heap returns the bytes that are reachable.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // the second one empties what pools have kept
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// After thousands of launches of all kinds, among them all that can fail, no goroutine is left and no
// memory.
func TestSoak(t *testing.T) {
	const callers = 4
	steps := 600 // of each caller in each part
	if testing.Short() {
		steps = 100
	}
	if raceMode {
		steps /= 6
	}
	before := runtime.NumGoroutine()
	for _, exec := range executors {
		t.Run(exec.String(), func(t *testing.T) {
			dev, err := gocuda.NewDevice(gocuda.WithExecutor(exec), gocuda.WithWorkers(2))
			require.NoError(t, err)
			part := func(seed uint64) {
				var wg sync.WaitGroup
				for i := range uint64(callers) {
					wg.Go(func() {
						k := &soak{dev: dev, rnd: rand.New(rand.NewPCG(seed, i))}
						for n := range steps / 3 {
							if !assert.NoError(t, k.step(), "caller %d, step %d of part %d", i, n, seed) {
								return
							}
						}
						if k.s != nil {
							k.s.Close()
						}
					})
				}
				finishes(t, "the soak", wg.Wait)
			}
			part(1)
			first := heap()
			part(2)
			part(3)
			assert.LessOrEqual(t, heap(), first+first/2+4<<20, "the heap grew from %d bytes", first)
			free, total := mem.Info(dev)
			assert.Equal(t, total, free, "free device memory")
			finishes(t, "Device.Close", func() {
				assert.NoError(t, dev.Close())
			})
		})
	}
	eventually(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}
