package fft_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/fft"
	"github.com/gocuda/gocuda/kernels/internal/kerneltest"
)

func TestQuick(t *testing.T) {
	for lg := range 22 {
		n := 1 << lg
		for _, radix := range []int{0, 2, 4, 8, 16} {
			p, err := fft.NewPlanRadix(n, radix)
			if err != nil {
				t.Fatal(err)
			}
			batch := 3
			if n <= 2048 {
				batch = 37
			}
			v := kerneltest.Uniform[float32](2 * n * batch)
			x, y, ys := make([]complex64, n*batch), make([]complex64, n*batch), make([]complex64, n*batch)
			xr, xi, yr, yi := make([]float32, n*batch), make([]float32, n*batch), make([]float32, n*batch), make([]float32, n*batch)
			for i := range x {
				x[i] = complex(v[2*i], v[2*i+1])
				xr[i], xi[i] = v[2*i], v[2*i+1]
			}
			if err := p.Transform(t.Context(), gocuda.Default(), fft.Forward, y, x); err != nil {
				t.Fatal(err)
			}
			f := fourier.NewCmplxFFT(n)
			w := make([]complex128, n)
			worst := 0.0
			check := func() {
				t.Helper()
				for b := range batch {
					for i := range n {
						w[i] = complex128(x[b*n+i])
					}
					f.Coefficients(w, w)
					var e, s float64
					for i, v := range w {
						d := v - complex128(y[b*n+i])
						e += real(d)*real(d) + imag(d)*imag(d)
						s += real(v)*real(v) + imag(v)*imag(v)
					}
					worst = max(worst, math.Sqrt(e/s)*(1<<24)/float64(max(lg, 1)))
				}
				if worst > 3 {
					t.Fatal(n, radix, worst)
				}
			}
			check()
			if radix == 0 {
				t.Log(n, worst)
			}
			if err := p.TransformPasses(t.Context(), gocuda.Default(), fft.Forward, yr, yi, xr, xi); err != nil {
				t.Fatal(err)
			}
			for i := range y {
				y[i] = complex(yr[i], yi[i])
			}
			check()
			if err := p.TransformSplit(t.Context(), gocuda.Default(), fft.Forward, yr, yi, xr, xi); err != nil {
				t.Fatal(err)
			}
			for i := range y {
				y[i] = complex(yr[i], yi[i])
			}
			check()
			_ = ys
		}
	}
}
