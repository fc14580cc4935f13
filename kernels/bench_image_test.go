package kernels_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/image"
	"github.com/gocuda/gocuda/kernels/internal/kerneltest"
)

// imageRows calls f for bands of rows of an image that is h rows high, on all processors at once.
func imageRows(h int, f func(from, to int)) {
	var wg sync.WaitGroup
	n := runtime.GOMAXPROCS(0)
	for p := range n {
		wg.Go(func() { f(h*p/n, h*(p+1)/n) })
	}
	wg.Wait()
}

func BenchmarkConvolveSeparable(b *testing.B) {
	const w, h, r = 2048, 2048, 8
	in, out := kerneltest.Uniform[float32](w*h), make([]float32, w*h)
	f := kerneltest.Uniform[float32](2*r + 1)
	between := make([]float32, w*h)
	b.Run("gocuda", func(b *testing.B) {
		for b.Loop() {
			if err := image.ConvolveSeparable(b.Context(), gocuda.Default(), image.Clamp, w, h, f, f, out, in); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(w*h*float64(b.N)/1e6/b.Elapsed().Seconds(), "Mpixel/s")
	})
	b.Run("goroutines", func(b *testing.B) {
		for b.Loop() {
			imageRows(h, func(from, to int) {
				for y := from; y < to; y++ {
					line, res := in[y*w:(y+1)*w], between[y*w:(y+1)*w]
					for x := range w {
						var sum float32
						if x >= r && x < w-r {
							for k, f := range f {
								sum += f * line[x+r-k]
							}
						} else {
							for k, f := range f {
								sum += f * line[min(max(x+r-k, 0), w-1)]
							}
						}
						res[x] = sum
					}
				}
			})
			imageRows(h, func(from, to int) {
				for y := from; y < to; y++ {
					res := out[y*w : (y+1)*w]
					clear(res)
					for k, f := range f {
						from := min(max(y+r-k, 0), h-1)
						for x, v := range between[from*w : (from+1)*w] {
							res[x] += f * v
						}
					}
				}
			})
		}
		b.ReportMetric(w*h*float64(b.N)/1e6/b.Elapsed().Seconds(), "Mpixel/s")
	})
}
