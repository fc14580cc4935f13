package bench

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
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
		kernel: func(dev *gocuda.Device, form kernels.Form) error {
			for range rounds {
				if err := kernels.NullForm(e.ctx, dev, form, cfg); err != nil {
					return err
				}
			}
			return nil
		},
		amount: everywhere(rounds * 1e-6),
	}
	p.run[Block] = func() error { return p.kernel(e.dev, kernels.Blocks) }
	// A kernel that does nothing leaves nothing to verify; one that counts is launched the same way.
	p.check = func() error {
		for _, form := range []kernels.Form{kernels.Blocks, kernels.Threads, kernels.Compiled} {
			for _, dev := range []*gocuda.Device{e.dev, e.plain} {
				got, want := make([]int, threads), make([]int, threads)
				kernels.BarriersSerial(1, want)
				if err := kernels.BarriersForm(e.ctx, dev, form, threads, 1, got); err != nil {
					return err
				}
				if err := same("threads", got, want); err != nil {
					return fmt.Errorf("%v: %w", form, err)
				}
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
					kernels.BarriersSerial(barriers, passed[block*threads:][:threads])
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
		kernel: func(dev *gocuda.Device, form kernels.Form) error {
			return kernels.BarriersForm(e.ctx, dev, form, threads, barriers, passed)
		},
		amount: everywhere(blocks * threads * barriers * 1e-9),
		reset: func() {
			ran = blocks
			clear(passed)
		},
		check: func() error {
			clear(want)
			kernels.BarriersSerial(barriers, want[:ran*threads])
			return same("passed", passed, want)
		},
	}
	p.run[Block] = func() error { return p.kernel(e.dev, kernels.Blocks) }
	p.amount[Goroutines] = few * threads * barriers * 1e-9
	return p
}
