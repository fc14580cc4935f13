package bench

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
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
	repeat := func(f func()) func() error {
		return func() error {
			for range rounds {
				f()
			}
			return nil
		}
	}
	p := &problem{
		run: map[string]func() error{
			Serial: repeat(func() {
				for i := range threads {
					nothing(i)
				}
			}),
			Goroutines: repeat(func() {
				split(e.workers, threads, func(_, from, to int) {
					for i := from; i < to; i++ {
						nothing(i)
					}
				})
			}),
		},
		kernel: func(on kernels.Launcher) error {
			return repeatedly(rounds, func() error { return kernels.Null(e.ctx, on, cfg) })()
		},
		amount: everywhere(rounds * 1e-6),
	}
	p.run[Block] = repeatedly(rounds, func() error { return e.dev.Launch(e.ctx, cfg, gocuda.BlockFunc(func(*gocuda.Block) {})) })
	// A kernel that does nothing leaves nothing to verify; one that counts is launched the same way.
	p.check = func() error {
		want := make([]int, threads)
		serial.Barriers(1, want)
		for name, count := range map[string]func(passed []int) error{
			Block: func(passed []int) error { return barrierBlocks(e, threads, 1, passed) },
			Thread: func(passed []int) error {
				return kernels.Barriers(e.ctx, kernels.Uncompiled(e.dev), threads, 1, passed)
			},
			Go:   func(passed []int) error { return kernels.Barriers(e.ctx, e.plain, threads, 1, passed) },
			SIMD: func(passed []int) error { return kernels.Barriers(e.ctx, e.dev, threads, 1, passed) },
		} {
			got := make([]int, threads)
			if err := count(got); err != nil {
				return err
			}
			if err := same("threads", got, want); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	}
	return p
}

// repeatedly calls f so many times, until it fails.
func repeatedly(times int, f func() error) func() error {
	return func() error {
		for range times {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	}
}

func setupBarrier(e env, _ int) *problem {
	const blocks, threads, barriers = 1024, 256, 64
	// Goroutines take half a microsecond a barrier; some blocks of them are enough.
	const few = 32
	passed, want := make([]int, blocks*threads), make([]int, blocks*threads) // barriers, by thread of the grid
	ran := blocks
	p := &problem{
		run: map[string]func() error{
			Serial: func() error {
				for block := range blocks {
					for range barriers {
						for i := range threads {
							nothing(i)
						}
					}
					serial.Barriers(barriers, passed[block*threads:][:threads])
				}
				return nil
			},
			Goroutines: func() error {
				ran = few
				for block := range few {
					b := newCondBarrier(threads)
					split(threads, threads, func(i, _, _ int) {
						for range barriers {
							b.wait()
						}
						passed[block*threads+i] += barriers
					})
				}
				return nil
			},
		},
		kernel: func(on kernels.Launcher) error {
			return kernels.Barriers(e.ctx, on, threads, barriers, passed)
		},
		amount: everywhere(blocks * threads * barriers * 1e-9),
		reset: func() {
			ran = blocks
			clear(passed)
		},
		check: func() error {
			clear(want)
			serial.Barriers(barriers, want[:ran*threads])
			return same("passed", passed, want)
		},
	}
	p.run[Block] = func() error { return barrierBlocks(e, threads, barriers, passed) }
	p.amount[Goroutines] = few * threads * barriers * 1e-9
	return p
}
