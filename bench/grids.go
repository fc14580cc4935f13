package bench

import (
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
)

// The workloads on a square of cells: mandelbrot and fdtd.

func setupMandelbrot(e env, n int) *problem {
	if p := tooLarge(9, n, n); p != nil {
		return p
	}
	const x0, y0, x1, y1, most = -2, -1.5, 1, 1.5, 256
	out, want := host.Apart[int32](n*n), host.Apart[int32](n*n)
	serial.Mandelbrot(n, n, x0, y0, x1, y1, most, want)
	return &problem{
		run: map[string]func() error{
			Serial: func() error { serial.Mandelbrot(n, n, x0, y0, x1, y1, most, out); return nil },
			Goroutines: func() error {
				mandelbrotGoroutines(e.workers, n, x0, y0, x1, y1, most, out)
				return nil
			},
		},
		kernel: func(on kernels.Launcher) error {
			return kernels.Mandelbrot(e.ctx, on, n, n, x0, y0, x1, y1, most, out)
		},
		native: &exchange{
			in:  arrays(of([]float32{x0, y0, (x1 - x0) / float32(n), (y1 - y0) / float32(n)}), of([]int32{most})),
			out: arrays(of(out)),
		},
		amount: everywhere(1e-6 * float64(n) * float64(n)),
		wipe:   wiping(out),
		check: func() error {
			// Close to the border of the set a rounding decides when a point escapes. C compilers
			// fuse multiplications and additions, which Go's loop does not, so some pixels may
			// differ; and half a row, if it lies on the real axis, where a part of the set is a
			// line.
			differ := 0
			for i, w := range want {
				if out[i] < 0 || out[i] > most {
					return fmt.Errorf("pixel %d has %d iterations", i, out[i])
				}
				if out[i] != w {
					differ++
				}
			}
			if differ > n/2+n*n/200 {
				return fmt.Errorf("%d pixels of %d differ from the reference", differ, n*n)
			}
			return nil
		},
	}
}

func setupFDTD(e env, n int) *problem {
	if p := tooLarge(33, n, n); p != nil {
		return p
	}
	const courant = 0.5
	const rounds = 10 // steps of a run
	f, err := kernels.NewFDTD(n, n, courant)
	if err != nil {
		return &problem{err: err}
	}
	ez0 := random(n * n)
	reset := func() {
		refill(f.Ez, ez0)
		clear(f.Hx)
		clear(f.Hy)
	}
	reset()
	for range rounds {
		serial.FDTDStep(f)
	}
	wantEz, wantHx, wantHy := slices.Clone(f.Ez), slices.Clone(f.Hx), slices.Clone(f.Hy)
	return &problem{
		run: map[string]func() error{
			Serial: func() error {
				for range rounds {
					serial.FDTDStep(f)
				}
				return nil
			},
			Goroutines: func() error {
				for range rounds {
					fdtdGoroutines(e.workers, f)
				}
				return nil
			},
		},
		kernel: func(on kernels.Launcher) error {
			for range rounds {
				if err := kernels.FDTDStep(e.ctx, on, f); err != nil {
					return err
				}
			}
			return nil
		},
		native: &exchange{
			in:  arrays(of([]int32{rounds}), of([]float32{f.Ch}), of(f.Ce), of(ez0)),
			out: arrays(of(f.Ez), of(f.Hx), of(f.Hy)),
		},
		amount: everywhere(1e-6 * rounds * float64(n) * float64(n)),
		reset:  reset,
		check: func() error {
			const tol = 1e-5
			if err := near("Ez", f.Ez, wantEz, tol); err != nil {
				return err
			}
			if err := near("Hx", f.Hx, wantHx, tol); err != nil {
				return err
			}
			return near("Hy", f.Hy, wantHy, tol)
		},
	}
}
