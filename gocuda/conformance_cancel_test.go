package gocuda_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

var errStopped = errors.New("the user pressed stop")

func TestCancelBetweenBlocks(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		ctx, cancel := context.WithCancelCause(context.Background())
		var ran atomic.Int64
		const blocks = 100_000
		err := d.launch(ctx, t, grid.Linear(blocks, 1), gocuda.ThreadFunc(func(*gocuda.Thread) {
			cancel(errStopped)
			ran.Add(1)
		}))
		assert.ErrorIs(t, err, errStopped)
		n := ran.Load()
		assert.NotZero(t, n, "blocks that ran on %d workers", d.workers)
		assert.LessOrEqual(t, n, int64(d.workers), "blocks that ran on %d workers", d.workers)
	})
}

func TestCancelBeforeTheLaunch(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(errStopped)
		var ran atomic.Int64
		err := d.launch(ctx, t, grid.Linear(100, 10), gocuda.ThreadFunc(func(*gocuda.Thread) { ran.Add(1) }))
		assert.ErrorIs(t, err, errStopped)
		assert.Zero(t, ran.Load(), "threads that ran")
		plain, stop := context.WithCancel(context.Background())
		stop()
		assert.ErrorIs(t, d.launch(plain, t, grid.Linear(100, 10), gocuda.ThreadFunc(func(*gocuda.Thread) {})), context.Canceled, "without a cause")
	})
}

func TestCancelAtABarrier(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		for name, k := range map[string]func(*atomic.Bool, func()) gocuda.Kernel{
			"thread kernel": func(stop *atomic.Bool, cancel func()) gocuda.Kernel {
				return gocuda.ThreadFunc(func(t *gocuda.Thread) {
					for i := 0; !stop.Load(); i++ {
						t.SyncThreads()
						if i == 3 && t.BlockIdx.X == 1 && t.ThreadIdx.X == 30 {
							cancel()
						}
					}
				})
			},
			"warp kernel": func(stop *atomic.Bool, cancel func()) gocuda.Kernel {
				return gocuda.WarpFunc(func(w *gocuda.Warp) {
					for i := 0; !stop.Load(); i++ {
						w.SyncThreads()
						if i == 3 {
							cancel()
						}
					}
				})
			},
			"block kernel": func(stop *atomic.Bool, cancel func()) gocuda.Kernel {
				return gocuda.BlockFunc(func(b *gocuda.Block) {
					for i := 0; !stop.Load(); i++ { // there is a barrier after each phase
						b.ForEach(func(*gocuda.Thread) {})
						if i == 3 {
							cancel()
						}
					}
				})
			},
			"some have returned": func(stop *atomic.Bool, cancel func()) gocuda.Kernel {
				return gocuda.ThreadFunc(func(t *gocuda.Thread) {
					for i := 0; !stop.Load() && t.ThreadIdx.X%3 == 0; i++ {
						t.SyncThreadsOr(i == 3)
						cancel()
					}
				})
			},
		} {
			ctx, cancel := context.WithCancelCause(context.Background())
			var stop atomic.Bool
			t.Cleanup(func() { stop.Store(true) })
			// two blocks, and on one worker the second must get its turn
			cfg := grid.Config{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 64}}
			if d.workers == 1 && name == "thread kernel" {
				cfg.Grid = grid.Dim3{X: 1}
				k = func(stop *atomic.Bool, cancel func()) gocuda.Kernel {
					return gocuda.ThreadFunc(func(t *gocuda.Thread) {
						for !stop.Load() {
							cancel()
							t.SyncThreads()
						}
					})
				}
			}
			var ended atomic.Int64
			err := d.launch(ctx, t, cfg, deferring{k(&stop, func() { cancel(errStopped) }), &ended})
			assert.ErrorIs(t, err, errStopped, name)
			assert.NotZero(t, ended.Load(), "%s: no block was unwound", name)
		}
	})
}

// A deferring kernel counts how many of its blocks have ended, one way or another.
type deferring struct {
	gocuda.Kernel
	ended *atomic.Int64
}

func (k deferring) RunBlock(b *gocuda.Block) {
	defer k.ended.Add(1)
	k.Kernel.RunBlock(b)
}
