package bench

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The workloads that do nothing: what a launch and a barrier cost by themselves. No program in C stands
// beside them.

// nothing is a call that the compiler can't remove.
//
//go:noinline
func nothing(i int) {}

func setupLaunch(e env, _ int) *problem {
	const rounds, threads = 1000, 64
	cfg := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: threads}}
	repeat := func(f func() error) func() error {
		return func() error {
			for range rounds {
				if err := f(); err != nil {
					return err
				}
			}
			return nil
		}
	}
	// The kernel of the timed runs is empty; to verify, one that counts is launched the same way.
	launches := map[string]func(count func()) func() error{
		Serial: func(count func()) func() error {
			return func() error {
				for i := range threads {
					nothing(i)
					if count != nil {
						count()
					}
				}
				return nil
			}
		},
		Goroutines: func(count func()) func() error {
			return func() error {
				split(e.workers, threads, func(_, from, to int) {
					for i := from; i < to; i++ {
						nothing(i)
						if count != nil {
							count()
						}
					}
				})
				return nil
			}
		},
		Thread: func(count func()) func() error {
			k := gocuda.ThreadFunc(func(*gocuda.Thread) {})
			if count != nil {
				k = func(*gocuda.Thread) { count() }
			}
			return func() error { return e.dev.Launch(context.Background(), cfg, k) }
		},
		Block: func(count func()) func() error {
			k := gocuda.BlockFunc(func(*gocuda.Block) {})
			if count != nil {
				k = func(b *gocuda.Block) {
					for range b.Size() {
						count()
					}
				}
			}
			return func() error { return e.dev.Launch(context.Background(), cfg, k) }
		},
	}
	p := &problem{run: map[string]func() error{}, amount: everywhere(rounds * 1e-6)}
	for name, launch := range launches {
		p.run[name] = repeat(launch(nil))
	}
	p.check = func() error {
		for name, launch := range launches {
			var n atomic.Int64
			if err := launch(func() { n.Add(1) })(); err != nil {
				return err
			}
			if n.Load() != threads {
				return fmt.Errorf("%s ran %d of %d threads", name, n.Load(), threads)
			}
		}
		return nil
	}
	return p
}

func setupBarrier(e env, _ int) *problem {
	const blocks, threads, barriers = 1024, 256, 64
	// Goroutines take half a microsecond a barrier; some blocks of them are enough.
	const few = 32
	var rounds [threads]atomic.Int64 // barriers passed by the threads of one rank, in all blocks
	cfg := grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: threads}}
	var ran int64
	p := &problem{
		run: map[string]func() error{
			Serial: func() error {
				ran = blocks
				for range blocks {
					for range barriers {
						for i := range threads {
							nothing(i)
						}
					}
					for i := range threads {
						rounds[i].Add(barriers)
					}
				}
				return nil
			},
			Goroutines: func() error {
				ran = few
				for range few {
					b := newCondBarrier(threads)
					var wg sync.WaitGroup
					for i := range threads {
						wg.Go(func() {
							for range barriers {
								b.wait()
							}
							rounds[i].Add(barriers)
						})
					}
					wg.Wait()
				}
				return nil
			},
			Thread: func() error {
				ran = blocks
				return e.dev.LaunchFunc(e.ctx, cfg, func(t *gocuda.Thread) {
					for range barriers {
						t.SyncThreads()
					}
					rounds[t.ThreadIdx.X].Add(barriers)
				})
			},
			Block: func() error {
				ran = blocks
				return e.dev.Launch(e.ctx, cfg, gocuda.BlockFunc(func(b *gocuda.Block) {
					for range barriers {
						b.ForEach(func(t *gocuda.Thread) {})
					}
					for i := range threads {
						rounds[i].Add(barriers)
					}
				}))
			},
		},
		amount: everywhere(blocks * threads * barriers * 1e-9),
		reset: func() {
			for i := range rounds {
				rounds[i].Store(0)
			}
		},
		check: func() error {
			for i := range rounds {
				if n := rounds[i].Load(); n != ran*barriers {
					return fmt.Errorf("the threads of rank %d passed %d barriers of %d", i, n, ran*barriers)
				}
			}
			return nil
		},
	}
	p.amount[Goroutines] = few * threads * barriers * 1e-9
	return p
}
