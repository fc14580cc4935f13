package kernels_test

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/bench"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/dense"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// Each kernel beside what a Go user would write instead. This file has those of package kernels
// itself; the others have files of their own.

// The standard workloads are those of package bench: here is what compiled kernels do beside
// goroutines. Their results are verified there.
func BenchmarkStandard(b *testing.B) {
	for _, w := range []struct {
		name string
		size int
	}{
		{"saxpy", 1 << 21}, {"reduce", 1 << 22}, {"scan", 1 << 22}, {"nbody", 4096}, {"matmul-naive", 512}, {"matmul-tiled", 512},
		{"transpose", 4096}, {"spmv", 1000}, {"histogram", 1 << 24}, {"mandelbrot", 1024}, {"blackscholes", 1 << 18},
		{"fdtd", 1024}, {"radixsort", 1 << 20},
	} {
		for _, executor := range []string{bench.Goroutines, bench.Go, bench.SIMD} {
			b.Run(fmt.Sprintf("workload=%s/size=%d/exec=%s", w.name, w.size, executor), func(b *testing.B) {
				var figure *bench.Result
				for b.Loop() {
					err := bench.Run(b.Context(), bench.Options{
						Workloads: []string{w.name}, Executors: []string{executor}, Sizes: []int{w.size},
					}, func(r []bench.Result) { figure = &r[0] })
					if err != nil {
						b.Fatal(err)
					}
					if figure == nil {
						b.Skip("not on this machine, or not in this build")
					}
				}
				b.ReportMetric(figure.Value, figure.Unit)
			})
		}
	}
}

// forParts calls f for each of GOMAXPROCS parts of n elements, on a goroutine each: how the
// alternatives share their work.
func forParts(n int, f func(part, from, to int)) {
	var wg sync.WaitGroup
	parts := runtime.GOMAXPROCS(0)
	for p := range parts {
		wg.Go(func() { f(p, p*n/parts, (p+1)*n/parts) })
	}
	wg.Wait()
}

// elements reports n elements an iteration.
func elements(b *testing.B, n int) {
	b.ReportMetric(float64(n)*float64(b.N)/1e6/b.Elapsed().Seconds(), "Melem/s")
}

func BenchmarkAdd(b *testing.B) {
	const n = 1 << 22
	x, y, sum, want := kerneltest.Uniform[float32](n), kerneltest.Uniform[float32](n), make([]float32, n), make([]float32, n)
	serial.Add(want, x, y)
	for name, add := range map[string]func() error{
		"gocuda": func() error { return kernels.Add(b.Context(), gocuda.Default(), sum, x, y) },
		"goroutines": func() error {
			forParts(n, func(_, from, to int) { serial.Add(sum[from:to], x[from:to], y[from:to]) })
			return nil
		},
	} {
		b.Run("exec="+name, func(b *testing.B) {
			clear(sum)
			for b.Loop() {
				if err := add(); err != nil {
					b.Fatal(err)
				}
			}
			elements(b, n)
			slicetest.Equal(b, want, sum, "the sum is wrong")
		})
	}
}

func BenchmarkReverse(b *testing.B) {
	const n = 1 << 22
	for name, reverse := range map[string]func(v []float32) error{
		"gocuda": func(v []float32) error { return kernels.Reverse(b.Context(), gocuda.Default(), v) },
		"slices": func(v []float32) error { slices.Reverse(v); return nil },
		"goroutines": func(v []float32) error {
			forParts(n/2, func(_, from, to int) {
				for i := from; i < to; i++ {
					v[i], v[n-1-i] = v[n-1-i], v[i]
				}
			})
			return nil
		},
	} {
		b.Run("exec="+name, func(b *testing.B) {
			v := kerneltest.Uniform[float32](n)
			want := slices.Clone(v)
			slices.Reverse(want)
			require.NoError(b, reverse(v), "not reversed")
			slicetest.Equal(b, want, v, "not reversed")
			for b.Loop() {
				if err := reverse(v); err != nil {
					b.Fatal(err)
				}
			}
			elements(b, n)
		})
	}
}

func BenchmarkTransposes(b *testing.B) {
	const n = 2048
	in, out, want := kerneltest.Uniform[float32](n*n), make([]float32, n*n), make([]float32, n*n)
	serial.Transpose(n, n, want, in)
	for _, c := range []struct {
		name      string
		transpose func() error
	}{
		{"naive", func() error { return dense.TransposeNaive(b.Context(), gocuda.Default(), n, n, out, in) }},
		{"tiled", func() error { return dense.TransposeTiled(b.Context(), gocuda.Default(), n, n, out, in) }},
		{"padded", func() error { return dense.Transpose(b.Context(), gocuda.Default(), n, n, out, in) }},
		{"goroutines", func() error {
			forParts(n, func(_, from, to int) {
				for j := from; j < to; j++ { // a row of the result
					for i := range n {
						out[j*n+i] = in[i*n+j]
					}
				}
			})
			return nil
		}},
	} {
		b.Run("exec="+c.name, func(b *testing.B) {
			clear(out)
			for b.Loop() {
				if err := c.transpose(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(8*n*n*float64(b.N)/1e9/b.Elapsed().Seconds(), "GB/s")
			slicetest.Equal(b, want, out, "the transpose is wrong")
		})
	}
}
