package kernels_test

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/fft"
)

// BenchmarkFFT is batches of transforms of 2^20 numbers in all, and GFLOPS of 5 n log2 n operations
// each, as Nickolls and Kirk count in figure B.7.5 (with 2^24 numbers). gonum works in double
// precision, on as many goroutines as there are processors and transforms.
func BenchmarkFFT(b *testing.B) {
	const total = 1 << 20
	v := randoms(2 * total)
	x, y := make([]complex64, total), make([]complex64, total)
	wide, wideY := make([]complex128, total), make([]complex128, total)
	re, im, yr, yi := make([]float32, total), make([]float32, total), make([]float32, total), make([]float32, total)
	for i := range x {
		re[i], im[i] = v[2*i], v[2*i+1]
		x[i], wide[i] = complex(re[i], im[i]), complex(float64(re[i]), float64(im[i]))
	}
	for _, n := range []int{16, 64, 128, 512, 1024, 4096, 1 << 16, 1 << 20} {
		b.Run(fmt.Sprintf("size=%d/batch=%d", n, total/n), func(b *testing.B) {
			report := func(b *testing.B) {
				flops := 5 * float64(total) * float64(bits.Len(uint(n))-1)
				b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
			}
			check := func(b *testing.B, re, im func(i int) float64) {
				// Parseval: the squares of the result add up to n times those of the data.
				var in, out float64
				for i, v := range wide {
					in += real(v)*real(v) + imag(v)*imag(v)
					out += re(i)*re(i) + im(i)*im(i)
				}
				assert.InDelta(b, 1, out/(in*float64(n)), 1e-5, "the squares of the result, by those of the data")
			}
			plan := func(b *testing.B, radix int) *fft.Plan {
				p, err := fft.NewPlanRadix(n, radix)
				require.NoError(b, err)
				return p
			}
			b.Run("exec=gocuda", func(b *testing.B) {
				p := plan(b, 0)
				for b.Loop() {
					if err := p.Transform(b.Context(), gocuda.Default(), fft.Forward, y, x); err != nil {
						b.Fatal(err)
					}
				}
				report(b)
				check(b, func(i int) float64 { return float64(real(y[i])) }, func(i int) float64 { return float64(imag(y[i])) })
			})
			split := func(name string, radix int, passes bool) {
				b.Run("exec="+name, func(b *testing.B) {
					p := plan(b, radix)
					transform := p.TransformSplit
					if passes {
						transform = p.TransformPasses
					}
					for b.Loop() {
						if err := transform(b.Context(), gocuda.Default(), fft.Forward, yr, yi, re, im); err != nil {
							b.Fatal(err)
						}
					}
					report(b)
					check(b, func(i int) float64 { return float64(yr[i]) }, func(i int) float64 { return float64(yi[i]) })
				})
			}
			split("gocuda-split", 0, false)
			if n == 512 || n == 4096 {
				for _, radix := range []int{2, 4, 8, 16} {
					split(fmt.Sprintf("gocuda-split-radix%d", radix), radix, false)
				}
				for _, radix := range []int{2, 16} {
					split(fmt.Sprintf("gocuda-passes-radix%d", radix), radix, true)
				}
			}
			b.Run("exec=gonum", func(b *testing.B) {
				workers := min(runtime.GOMAXPROCS(0), total/n)
				each := (total/n + workers - 1) / workers * n
				plans := make([]*fourier.CmplxFFT, workers)
				for i := range plans {
					plans[i] = fourier.NewCmplxFFT(n)
				}
				for b.Loop() {
					var wg sync.WaitGroup
					for i, p := range plans {
						wg.Go(func() {
							for at := i * each; at < min((i+1)*each, total); at += n {
								p.Coefficients(wideY[at:at+n], wide[at:at+n])
							}
						})
					}
					wg.Wait()
				}
				report(b)
				check(b, func(i int) float64 { return real(wideY[i]) }, func(i int) float64 { return imag(wideY[i]) })
			})
		})
	}
}
