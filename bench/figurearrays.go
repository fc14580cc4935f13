package bench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/fft"
	"github.com/gocuda/gocuda/kernels/nbody"
	"github.com/gocuda/gocuda/kernels/sorting"
)

// The curves of figures B.7.5, B.7.6, B.8.15 and B.8.16.

// figureFFT makes batches of transforms of n points, 2^24 points in all or fewer if quick. With
// apart, real and imaginary parts are in slices of their own.
func figureFFT(radix int, apart bool) func(e env, n int, quick bool) *problem {
	return func(e env, n int, quick bool) *problem {
		total := figureTotal
		if quick {
			total = figureTotalFew
		}
		total = max(total/n, 1) * n
		if p := tooLarge(33, total); p != nil {
			return p
		}
		plan, err := fft.NewPlanRadix(n, radix)
		if err != nil {
			return &problem{err: err}
		}
		r := rand.New(rand.NewPCG(1, uint64(n)))
		src, dst := host.Apart[complex64](total), host.Apart[complex64](total)
		for i := range src {
			src[i] = complex(r.Float32()-0.5, r.Float32()-0.5)
		}
		run, wipe := func() error { return plan.Transform(e.ctx, e.dev, fft.Forward, dst, src) }, wiping(dst)
		point := func(i int) complex128 { return complex128(dst[i]) }
		if apart {
			all := host.Apart[float32](4 * total)
			in, im, re, out := all[:total], all[total:2*total], all[2*total:3*total], all[3*total:]
			for i, x := range src {
				in[i], im[i] = real(x), imag(x)
			}
			run, wipe = func() error { return plan.TransformSplit(e.ctx, e.dev, fft.Forward, re, out, in, im) }, wiping(re, out)
			point = func(i int) complex128 { return complex(float64(re[i]), float64(out[i])) }
		}
		return &problem{
			run:    map[string]func() error{curve: run},
			amount: map[string]float64{curve: 5e-9 * float64(total) * math.Log2(float64(n))},
			wipe:   wipe,
			check: func() error {
				for range 4 { // points of the result, by the definition
					batch, k := r.IntN(total/n), r.IntN(n)
					var want complex128
					size := 0.0
					for j, x := range src[batch*n : (batch+1)*n] {
						angle := -2 * math.Pi * float64(uint64(j)*uint64(k)%uint64(n)) / float64(n)
						want += complex128(x) * cmplx.Rect(1, angle)
						size += float64(real(x))*float64(real(x)) + float64(imag(x))*float64(imag(x))
					}
					got := point(batch*n + k)
					// Some roundings a level, relative to the length of the whole (Higham, Accuracy
					// and Stability of Numerical Algorithms, 24.2).
					tolerance := 8 * (1 + math.Log2(float64(n))) / (1 << 24) * math.Sqrt(size*float64(n))
					if cmplx.Abs(got-want) > tolerance {
						return fmt.Errorf("point %d of transform %d is %v, want %v within %.3g", k, batch, got, want, tolerance)
					}
				}
				return nil
			},
		}
	}
}

// sortedPairs is a problem that sorts random keys with their places as values.
func sortedPairs(n int, sort func(keys, values []uint32) error) *problem {
	if p := tooLarge(48, n); p != nil {
		return p
	}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	keys0, values0 := host.Apart[uint32](n), host.Apart[uint32](n)
	for i := range keys0 {
		keys0[i], values0[i] = r.Uint32(), uint32(i)
	}
	keys, values := host.Apart[uint32](n), host.Apart[uint32](n)
	return &problem{
		run:    map[string]func() error{curve: func() error { return sort(keys, values) }},
		amount: map[string]float64{curve: 1e-6 * float64(n)},
		reset: func() {
			refill(keys, keys0)
			refill(values, values0)
		},
		// Keys in order, each with its value, and equal ones as they were: there is only one such
		// result.
		check: func() error {
			for i, v := range values {
				switch {
				case int(v) >= n || keys[i] != keys0[v]:
					return fmt.Errorf("pair %d, %d and %d, was not there", i, keys[i], v)
				case i > 0 && (keys[i-1] > keys[i] || keys[i-1] == keys[i] && values[i-1] >= v):
					return fmt.Errorf("pairs %d and %d are out of order", i-1, i)
				}
			}
			return nil
		},
	}
}

func figureRadix(e env, n int, _ bool) *problem {
	return sortedPairs(n, func(keys, values []uint32) error {
		return sorting.RadixPairs(e.ctx, e.dev, sorting.Ascending, keys, values)
	})
}

func figureGoRadix(e env, n int, _ bool) *problem {
	room := newSortRoom(e.workers, n)
	return sortedPairs(n, func(keys, values []uint32) error { radixSortGoroutines(e.workers, keys, values, room); return nil })
}

// figureMerge is what Go has for it: parts that goroutines sort by package slices, and merge.
func figureMerge(e env, n int, _ bool) *problem {
	pairs, merged := host.Apart[uint64](n), host.Apart[uint64](n)
	return sortedPairs(n, func(keys, values []uint32) error {
		split(e.workers, n, func(_, from, to int) {
			for i := from; i < to; i++ {
				pairs[i] = uint64(keys[i])<<32 | uint64(values[i])
			}
			slices.Sort(pairs[from:to])
		})
		ends := make([]int, e.workers+1)
		for i := range ends {
			ends[i] = n * i / e.workers
		}
		from, to := pairs, merged
		for ; len(ends) > 2; from, to = to, from {
			var next []int
			for i := 0; i < len(ends)-1; i += 2 {
				next = append(next, ends[i])
			}
			next = append(next, n)
			split(len(next)-1, len(next)-1, func(_, first, last int) {
				for i := first; i < last; i++ {
					middle := ends[min(2*i+1, len(ends)-1)]
					merge(to[next[i]:next[i+1]], from[next[i]:middle], from[middle:next[i+1]])
				}
			})
			ends = next
		}
		split(e.workers, n, func(_, a, b int) {
			for i := a; i < b; i++ {
				keys[i], values[i] = uint32(from[i]>>32), uint32(from[i])
			}
		})
		return nil
	})
}

// merge merges two ordered slices into one.
func merge[T cmp.Ordered](out, a, b []T) {
	for i := range out {
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			out[i], a = a[0], a[1:]
		} else {
			out[i], b = b[0], b[1:]
		}
	}
}

// attracted is a problem that computes the accelerations of n bodies. Some of them are compared
// with float64.
func attracted(n int, f func(eps float32, bodies []nbody.Body[float32], acc []kernels.Vec3[float32]) error) *problem {
	if p := tooLarge(72, n); p != nil {
		return p
	}
	const eps = 0.01
	r := random(4 * n)
	bodies := make([]nbody.Body[float32], n)
	for i := range bodies {
		bodies[i] = nbody.Body[float32]{X: r[4*i], Y: r[4*i+1], Z: r[4*i+2], Mass: r[4*i+3]}
	}
	acc := make([]kernels.Vec3[float32], n)
	return &problem{
		run:    map[string]func() error{curve: func() error { return f(eps, bodies, acc) }},
		amount: map[string]float64{curve: 20e-9 * float64(n) * float64(n)},
		wipe:   wiping(acc),
		check: func() error {
			for k := range min(n, 64) {
				i := k * n / min(n, 64)
				want, tolerance := exactAcceleration(eps, bodies, i)
				g := acc[i]
				if d := max(math.Abs(float64(g.X)-want.X), math.Abs(float64(g.Y)-want.Y), math.Abs(float64(g.Z)-want.Z)); !(d <= tolerance) {
					return fmt.Errorf("the acceleration of body %d is %v, want %v within %.3g", i, g, want, tolerance)
				}
			}
			return nil
		},
	}
}

// exactAcceleration returns that of one body in float64, with the error that float32 may have; see
// exactAccelerations.
func exactAcceleration(eps float32, bodies []nbody.Body[float32], i int) (a kernels.Vec3[float64], tolerance float64) {
	p, size := bodies[i], 0.0
	for _, q := range bodies {
		x, y, z := float64(q.X)-float64(p.X), float64(q.Y)-float64(p.Y), float64(q.Z)-float64(p.Z)
		d2 := x*x + y*y + z*z
		s2 := d2 + float64(eps)*float64(eps)
		f := float64(q.Mass) / (s2 * math.Sqrt(s2))
		a.X += f * x
		a.Y += f * y
		a.Z += f * z
		size += f * math.Sqrt(d2)
	}
	return a, 8 * math.Sqrt(float64(len(bodies))) * size / (1 << 24)
}

func figureBodies(several bool) func(e env, n int, quick bool) *problem {
	method := nbody.Tiled
	if several {
		method = nbody.Several
	}
	return func(e env, n int, _ bool) *problem {
		return attracted(n, func(eps float32, bodies []nbody.Body[float32], acc []kernels.Vec3[float32]) error {
			return nbody.Accelerations(e.ctx, e.dev, method, eps, bodies, acc)
		})
	}
}

// figureOneWorker runs the compiled kernel on one worker.
func figureOneWorker(e env, n int, _ bool) *problem {
	return attracted(n, func(eps float32, bodies []nbody.Body[float32], acc []kernels.Vec3[float32]) error {
		return nbody.Accelerations(e.ctx, alone{e.dev}, nbody.Tiled, eps, bodies, acc)
	})
}

// alone launches on one worker.
type alone struct{ kernels.Launcher }

// Unwrap returns the launcher behind it.
func (a alone) Unwrap() kernels.Launcher { return a.Launcher }

// Launch implements [kernels.Launcher].
func (a alone) Launch(ctx context.Context, cfg grid.Config, kernel gocuda.Kernel) error {
	cfg.Workers = 1
	return a.Launcher.Launch(ctx, cfg, kernel)
}

func figureSerialBodies(_ env, n int, _ bool) *problem {
	return attracted(n, func(eps float32, bodies []nbody.Body[float32], acc []kernels.Vec3[float32]) error {
		serial.Accelerations(eps, bodies, acc)
		return nil
	})
}
