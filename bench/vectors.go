package bench

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/reduction"
	"github.com/gocuda/gocuda/kernels/scan"
)

// The workloads on vectors of numbers: saxpy, reduce, scan and blackscholes.

func setupSAXPY(e env, n int) *problem {
	if p := tooLarge(17, n); p != nil {
		return p
	}
	const a = 2
	x, y0 := random(n), random(n)
	y, want := host.Apart[float32](n), host.Apart[float32](n)
	copy(want, y0)
	serial.SAXPY(a, x, want)
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { serial.SAXPY(a, x, y); return nil },
			Goroutines: func() error { saxpyGoroutines(e.workers, a, x, y); return nil },
			Block: func() error {
				return e.dev.Launch(e.ctx, grid.Linear(n, 256), gocuda.BlockFunc(func(b *gocuda.Block) { saxpyBlock(b, a, x, y) }))
			},
		},
		kernel: func(on kernels.Launcher) error { return kernels.SAXPY(e.ctx, on, a, x, y) },
		native: &exchange{in: arrays(of([]float32{a}), of(x), of(y0)), out: arrays(of(y))},
		amount: everywhere(12e-9 * float64(n)), // gigabytes: two reads and a write
		reset:  func() { refill(y, y0) },
		// The same two roundings everywhere; a is a power of two, so a fused multiplication and
		// addition gives no other result either.
		check: func() error { return near("y", y, want, 0) },
	}
}

func setupReduce(e env, n int) *problem {
	if p := tooLarge(5, n); p != nil {
		return p
	}
	in := steps(n)
	want := serial.Sum(in)
	got := make([]float32, 1)
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { got[0] = serial.Sum(in); return nil },
			Goroutines: func() error { got[0] = sumGoroutines(e.workers, in); return nil },
			Block:      func() error { return sumBlocks(e, got, in) },
		},
		kernel: func(on kernels.Launcher) error { return reduction.Sum(e.ctx, on, reduction.TwoPass, got, in) },
		native: &exchange{in: arrays(of(in)), out: arrays(of(got))},
		amount: everywhere(1e-6 * float64(n)),
		wipe:   wiping(got),
		check:  func() error { return near("sum", got, []float32{want}, 0) },
	}
}

func setupScan(e env, n int) *problem {
	if p := tooLarge(13, n); p != nil {
		return p
	}
	in := steps(n)
	out, want := host.Apart[float32](n), host.Apart[float32](n)
	scanSerial(want, in)
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { scanSerial(out, in); return nil },
			Goroutines: func() error { scanGoroutines(e.workers, out, in); return nil },
			Block:      func() error { return scanBlocks(e, true, out, in) },
		},
		kernel: func(on kernels.Launcher) error {
			return scan.Inclusive(e.ctx, on, scan.Runs, scan.Sum[float32]{}, out, in)
		},
		native: &exchange{in: arrays(of(in)), out: arrays(of(out))},
		amount: everywhere(1e-6 * float64(n)),
		wipe:   wiping(out),
		check:  func() error { return near("out", out, want, 0) },
	}
}

func setupBlackScholes(e env, n int) *problem {
	if p := tooLarge(41, n); p != nil {
		return p
	}
	const riskless, volatility = 0.02, 0.3
	r := random(3 * n)
	price, strike, years := host.Apart[float32](n), host.Apart[float32](n), host.Apart[float32](n)
	for i := range n {
		price[i] = 5 + 25*r[i]
		strike[i] = 1 + 99*r[n+i]
		years[i] = 0.25 + 9.75*r[2*n+i]
	}
	call, put := host.Apart[float32](n), host.Apart[float32](n)
	wantCall, wantPut := host.Apart[float32](n), host.Apart[float32](n)
	serial.BlackScholes(riskless, volatility, price, strike, years, wantCall, wantPut)
	return &problem{
		run: map[string]func() error{
			Serial: func() error {
				serial.BlackScholes(riskless, volatility, price, strike, years, call, put)
				return nil
			},
			Goroutines: func() error {
				split(e.workers, n, func(_, i, j int) {
					serial.BlackScholes(riskless, volatility, price[i:j], strike[i:j], years[i:j], call[i:j], put[i:j])
				})
				return nil
			},
		},
		kernel: func(on kernels.Launcher) error {
			return kernels.BlackScholes(e.ctx, on, riskless, volatility, price, strike, years, call, put)
		},
		native: &exchange{
			in:  arrays(of([]float32{riskless, volatility}), of(price), of(strike), of(years)),
			out: arrays(of(call), of(put)),
		},
		amount: everywhere(1e-6 * float64(n)),
		wipe:   wiping(call, put),
		check: func() error {
			// A price is the difference of two terms of the size of the share and the strike, and
			// has their errors: some units in the last place of either.
			for i := range n {
				tol := 16. / (1 << 24) * float64(price[i]+strike[i])
				if dc, dp := call[i]-wantCall[i], put[i]-wantPut[i]; !(math.Abs(float64(dc)) <= tol && math.Abs(float64(dp)) <= tol) {
					return fmt.Errorf("option %d costs %v and %v, the reference is %v and %v", i, call[i], put[i], wantCall[i], wantPut[i])
				}
			}
			return nil
		},
	}
}
