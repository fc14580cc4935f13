package gocuda_test

import (
	"context"
	"math"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// legal says, from CUDA's rules alone, whether a device with the limits l takes cfg.
func legal(cfg grid.Config, l grid.Limits) bool {
	norm := func(n int) int {
		if n == 0 {
			return 1
		}
		return n
	}
	within := func(n, low, high int) bool { return low <= n && n <= high }
	g, b := cfg.Grid, cfg.Block
	shared := l.SharedPerBlock
	if cfg.SharedOptIn {
		shared = l.SharedPerBlockOptIn
	}
	if g.X > 0 && norm(g.Y) > 0 && norm(g.Z) > 0 && math.MaxInt/g.X/norm(g.Y)/norm(g.Z) == 0 {
		return false // the number of blocks is no int, where that has 32 bits
	}
	return within(g.X, 0, l.MaxGridSize.X) && within(norm(g.Y), 1, l.MaxGridSize.Y) && within(norm(g.Z), 1, l.MaxGridSize.Z) &&
		within(b.X, 1, l.MaxThreadsDim.X) && within(norm(b.Y), 1, l.MaxThreadsDim.Y) && within(norm(b.Z), 1, l.MaxThreadsDim.Z) &&
		b.X*norm(b.Y)*norm(b.Z) <= l.MaxThreadsPerBlock && within(cfg.SharedBytes, 0, shared)
}

// Any geometry is either refused, or each of its threads runs exactly once and knows its place.
func FuzzLaunchGeometry(f *testing.F) {
	const maxInt = int(^uint(0) >> 1)
	f.Add(1, 1, 1, 1, 1, 1, 0, false)
	f.Add(3, 2, 2, 7, 5, 3, 100, false)
	f.Add(0, 1, 1, 1, 1, 1, 0, false)
	f.Add(5, 0, 0, 33, 0, 0, 48<<10, false)
	f.Add(5, 0, 0, 33, 0, 0, 48<<10+1, false)
	f.Add(2, 1, 1, 64, 1, 1, 100<<10, true)
	f.Add(1, 1, 1, 0, 1, 1, 0, false)
	f.Add(1, 1, 1, 1024, 1, 1, 0, false)
	f.Add(1, 1, 1, 41, 25, 1, 0, false)
	f.Add(1, 1, 1, 1, 1, 65, 0, false)
	f.Add(1, 65536, 1, 1, 1, 1, 0, false)
	f.Add(0, 65536, 1, 1, 1, 1, 0, false)
	f.Add(-1, -1, 1, 1, 1, 1, -1, false)
	f.Add(1, 1, 1, -8, -8, 1, 0, false)
	f.Add(1<<31-1, 65535, 65535, 1024, 1, 1, 0, false)
	f.Add(maxInt, maxInt, maxInt, maxInt, maxInt, maxInt, maxInt, true)
	f.Add(1, 1, 1, maxInt/2+1, maxInt/2+1, 4, 0, false) // the number of threads overflows to none
	f.Add(-maxInt-1, 1, 1, 1, -maxInt-1, 2, -maxInt-1, true)

	var devices []*gocuda.Device
	for _, exec := range executors {
		devices = append(devices, openDevice(f, gocuda.WithExecutor(exec), gocuda.WithWorkers(2)))
	}
	limits := devices[0].Properties().Limits()
	f.Fuzz(func(t *testing.T, gx, gy, gz, bx, by, bz, shared int, optIn bool) {
		cfg := grid.Config{
			Grid: grid.Dim3{X: gx, Y: gy, Z: gz}, Block: grid.Dim3{X: bx, Y: by, Z: bz},
			SharedBytes: shared, SharedOptIn: optIn,
		}
		for i, dev := range devices {
			if !legal(cfg, limits) {
				err := dev.LaunchFunc(context.Background(), cfg, func(*gocuda.Thread) { t.Error("a refused launch ran") })
				assert.ErrorIs(t, err, gocuda.ErrInvalidConfiguration, "%v: %+v", executors[i], cfg)
				continue
			}
			g, b := cfg.Grid.Norm(), cfg.Block.Norm()
			const most = 1 << 14 // threads that a run may have, so that it is over soon
			blocks := most + 1
			if g.X <= most && g.Y <= most/max(g.X, 1) {
				blocks = g.X * g.Y * g.Z
			}
			if blocks > most/b.Size() {
				// Too many to run them all; that it is accepted can be seen without.
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				assert.ErrorIs(t, dev.LaunchFunc(ctx, cfg, func(*gocuda.Thread) {}), context.Canceled, "%v: %+v", executors[i], cfg)
				continue
			}
			threads := b.Size()
			ran := make([]atomic.Int32, blocks*threads)
			err := dev.LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
				t.Assert(t.GridDim == g && t.BlockDim == b, "dimensions ", t.GridDim, t.BlockDim)
				rank := t.ThreadIdx.X + b.X*(t.ThreadIdx.Y+b.Y*t.ThreadIdx.Z)
				t.Assert(t.Rank() == rank, "rank ", t.Rank(), " of thread ", t.ThreadIdx)
				t.Assert(len(gocuda.DynamicShared[byte](t)) == shared, "dynamic shared memory")
				block := t.BlockIdx.X + g.X*(t.BlockIdx.Y+g.Y*t.BlockIdx.Z)
				ran[block*threads+rank].Add(1)
				n := t.SyncThreadsCount(true)
				t.Assert(n == threads, n, " threads at a barrier of ", threads)
			})
			require.NoError(t, err, "%v: %+v", executors[i], cfg)
			for k := range ran {
				if n := ran[k].Load(); n != 1 {
					t.Fatalf("%v: %+v: thread %d of block %d ran %d times", executors[i], cfg, k%threads, k/threads, n)
				}
			}
		}
	})
}
