package bench

import (
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/pns"
)

// The workload pns: n Petri nets, each with a generator of its own.

func setupPNS(e env, n int) *problem {
	// A generator and a net are 4.5 KiB, for up to 2048 threads at a time.
	if p := tooLarge(40, n); p != nil {
		return p
	}
	const columns, steps = 16, 2000
	seeds := make([]uint32, n)
	for i := range seeds {
		seeds[i] = 391581 + uint32(i)
	}
	variance, want := make([]float64, n), make([]float64, n)
	most, wantMost := make([]int32, n), make([]int32, n)
	serial.PNSSimulate(columns, steps, 1, seeds, want, wantMost)
	return &problem{
		run: map[string]func() error{
			Serial: func() error { serial.PNSSimulate(columns, steps, 1, seeds, variance, most); return nil },
			Goroutines: func() error {
				split(e.workers, n, func(_, from, to int) {
					serial.PNSSimulate(columns, steps, 1, seeds[from:to], variance[from:to], most[from:to])
				})
				return nil
			},
		},
		kernel: func(on kernels.Launcher) error {
			return pns.Simulate(e.ctx, on, columns, steps, 1, seeds, variance, most)
		},
		native: &exchange{in: arrays(of([]int32{columns, steps}), of(seeds)), out: arrays(of(variance), of(most))},
		amount: everywhere(1e-6 * steps * float64(n)),
		wipe: func(step int) {
			wiping(variance)(step)
			wiping(most)(step)
		},
		check: func() error {
			if err := same("variance", variance, want); err != nil {
				return err
			}
			return same("most", most, wantMost)
		},
	}
}
