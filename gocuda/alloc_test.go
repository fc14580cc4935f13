package gocuda_test

import (
	"context"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// warmKernels are kernels that use each part of the engine, for blocks of up to 1024 threads.
func warmKernels() map[string]gocuda.Kernel {
	x := make([]int32, 1024*300)
	first := make([]float32, 300)
	square := func(t *gocuda.Thread) { x[t.GlobalX()]++ }
	return map[string]gocuda.Kernel{
		"thread": gocuda.ThreadFunc(square),
		"thread with barriers": gocuda.ThreadFunc(func(t *gocuda.Thread) {
			for range 3 {
				t.SyncThreads()
				x[t.GlobalX()]++
			}
			if t.SyncThreadsCount(t.Rank() > 0) < 0 {
				panic("negative")
			}
		}),
		"thread with a barrier and early returns": gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if t.Rank()%3 == 0 {
				return
			}
			t.SyncThreads()
			x[t.GlobalX()]++
		}),
		"thread with warp operations": gocuda.ThreadFunc(func(t *gocuda.Thread) {
			v := int32(t.LaneID())
			for d := 16; d > 0; d /= 2 {
				v += gocuda.ShflUpSync(t, gocuda.FullMask, v, d, 32)
			}
			v += gocuda.ReduceAddSync(t, gocuda.FullMask, v)
			if t.AnySync(gocuda.FullMask, v > 100) {
				t.SyncWarp(gocuda.FullMask)
			}
			x[t.GlobalX()] = v + int32(gocuda.MatchAnySync(t, gocuda.FullMask, v))
		}),
		"thread with shared memory": gocuda.ThreadFunc(func(t *gocuda.Thread) {
			a := gocuda.Shared[int32](t, 1024)
			b := gocuda.Shared[float64](t, 10)
			c := gocuda.DynamicShared[uint16](t)
			a[t.Rank()] = 1
			t.SyncThreads()
			if t.Rank() == 0 {
				b[9], c[0] = 1, 1
			}
			x[t.GlobalX()] += a[t.BlockDim.X-1-t.Rank()]
		}),
		"warp": gocuda.WarpFunc(func(w *gocuda.Warp) {
			a := gocuda.Shared[int32](w, 1024)
			var v gocuda.Lanes[int32]
			for lane := range w.Size() {
				v[lane] = x[w.GlobalX(lane)]
			}
			v = gocuda.WarpShflUp(w, w.ActiveMask(), v, 1, 32)
			a[w.WarpID()] = gocuda.WarpReduceAdd(w, w.ActiveMask(), v)
			w.SyncThreads()
			for lane := range w.Size() {
				x[w.GlobalX(lane)] = v[lane] + a[0]
			}
		}),
		"block with ForEach": gocuda.BlockFunc(func(b *gocuda.Block) {
			a := gocuda.Shared[int32](b, 1024)
			sum := gocuda.Local[int32](b)
			b.ForEach(func(t *gocuda.Thread) { a[t.Rank()] = x[t.GlobalX()] })
			b.ForEach(func(t *gocuda.Thread) { sum[t.Rank()] = a[t.BlockDim.X-1-t.Rank()] })
			first[b.BlockIdx.X] = float32(sum[0])
		}),
		"block with Threads": gocuda.BlockFunc(func(b *gocuda.Block) { b.Threads(square); b.Threads(square) }),
	}
}

// allocations returns how many allocations a warm launch makes, or any number up to enough.
func allocations(t *testing.T, dev *gocuda.Device, cfg grid.Config, k gocuda.Kernel, enough float64) float64 {
	t.Helper()
	ctx := context.Background()
	launch := func() {
		if err := dev.Launch(ctx, cfg, k); err != nil { // an assertion would allocate
			t.Fatal(err)
		}
	}
	// Which worker gets a block is chance, so one of them may meet its first block of this kind late:
	// it takes a few tries until all are warm.
	least := testing.AllocsPerRun(5, launch)
	for try := 0; try < 10 && least > enough; try++ {
		least = min(least, testing.AllocsPerRun(5, launch))
	}
	return least
}

func skipUnlessAllocationsCount(t *testing.T) {
	t.Helper()
	if raceMode {
		t.Skip("the race detector allocates")
	}
	// A collection in between empties pools, which is not what is measured here.
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
}

// A launch may cost a few allocations, but they must not grow with the blocks or with the threads.
func TestWarmLaunchAllocatesNothingPerBlockOrThread(t *testing.T) {
	skipUnlessAllocationsCount(t)
	for name, k := range warmKernels() {
		t.Run(name, func(t *testing.T) {
			for _, workers := range []int{1, 2} {
				dev := openDevice(t, gocuda.WithWorkers(workers), gocuda.WithExecutor(gocuda.ExecutorCoroutine))
				config := func(blocks, threads int) grid.Config {
					cfg := grid.Linear(blocks*threads, threads)
					cfg.SharedBytes = 64
					return cfg
				}
				few := allocations(t, dev, config(2, 32), k, 0)
				for _, c := range []grid.Config{config(300, 32), config(2, 1024), config(30, 77)} {
					// One more is somebody else's; one a block or a thread would be dozens.
					assert.LessOrEqual(t, allocations(t, dev, c, k, few+1), few+1, "%d workers: allocations for %d blocks of %d threads, compared with 2 of 32", workers, c.Blocks(), c.Threads())
				}
			}
		})
	}
}

func TestSmallWarmLaunchAllocatesNothing(t *testing.T) {
	skipUnlessAllocationsCount(t)
	x := make([]int32, 64)
	body := func(t *gocuda.Thread) { x[t.Rank()]++ }
	ctx := context.Background()
	for name, launch := range map[string]func(grid.Config) error{
		"LaunchFunc": func(cfg grid.Config) error { return gocuda.LaunchFunc(ctx, cfg, body) },
		"Launch":     func(cfg grid.Config) error { return gocuda.Launch(ctx, cfg, gocuda.ThreadFunc(body)) },
	} {
		for range 20 {
			require.NoError(t, launch(grid.Linear(64, 64)))
		}
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			if err := launch(grid.Linear(64, 64)); err != nil {
				t.Error(err)
			}
		}), "allocations of %s of one block of 64", name)
	}
}
