package kernels_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/scan"
)

// scanPlainly is a scan as one would write it with goroutines: sums of parts first.
func scanPlainly[T kernels.Number](out, in []T) {
	before := make([]T, runtime.GOMAXPROCS(0)+1)
	forParts(len(in), func(part, from, to int) {
		var s T
		for _, v := range in[from:to] {
			s += v
		}
		before[part+1] = s
	})
	for i := range before[1:] {
		before[i+1] += before[i]
	}
	forParts(len(in), func(part, from, to int) {
		s, out := before[part], out[from:to]
		for i, v := range in[from:to] {
			s += v
			out[i] = s
		}
	})
}

// maxScanPlainly is the same for the largest number.
func maxScanPlainly[T kernels.Number](out, in []T, smallest T) {
	before := make([]T, runtime.GOMAXPROCS(0)+1)
	before[0] = smallest
	forParts(len(in), func(part, from, to int) {
		s := smallest
		for _, v := range in[from:to] {
			s = max(s, v)
		}
		before[part+1] = s
	})
	for i := range before[1:] {
		before[i+1] = max(before[i], before[i+1])
	}
	forParts(len(in), func(part, from, to int) {
		s, out := before[part], out[from:to]
		for i, v := range in[from:to] {
			s = max(s, v)
			out[i] = s
		}
	})
}

func benchScan[T float32 | int32](b *testing.B, name string) {
	for _, n := range []int{1 << 20, 1 << 24} {
		in, out, want := make([]T, n), make([]T, n), make([]T, n)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range in {
			in[i] = T(r.IntN(2)) // sums are exact in float32 too
		}
		measure := func(op, method string, f func() error) {
			b.Run(fmt.Sprintf("type=%s/size=%d/op=%s/exec=%s", name, n, op, method), func(b *testing.B) {
				clear(out)
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Melem/s")
				slicetest.Equal(b, want, out, "wrong result")
			})
		}
		serial.InclusiveScan(scan.Sum[T]{}, want, in)
		for m := scan.ScanThenFan; m <= scan.Blelloch; m++ {
			measure("sum", m.String(), func() error {
				return scan.Inclusive(b.Context(), gocuda.Default(), m, scan.Sum[T]{}, out, in)
			})
		}
		measure("sum", "goroutines", func() error { scanPlainly(out, in); return nil })
		serial.InclusiveScan(scan.Max[T]{}, want, in)
		for _, m := range []scan.Method{scan.Warps, scan.Runs} {
			measure("max", m.String(), func() error {
				return scan.Inclusive(b.Context(), gocuda.Default(), m, scan.Max[T]{}, out, in)
			})
		}
		measure("max", "goroutines", func() error { maxScanPlainly(out, in, scan.Max[T]{}.Identity()); return nil })
	}
}

func BenchmarkScanMethods(b *testing.B) {
	benchScan[float32](b, "float32")
	benchScan[int32](b, "int32")
}

// compactPlainly is a compaction as one would write it with goroutines.
func compactPlainly(out, in []float32, low, high float32) int {
	place := make([]int, runtime.GOMAXPROCS(0)+1)
	forParts(len(in), func(part, from, to int) {
		kept := 0
		for _, v := range in[from:to] {
			if low <= v && v <= high {
				kept++
			}
		}
		place[part+1] = kept
	})
	for i := range place[1:] {
		place[i+1] += place[i]
	}
	forParts(len(in), func(part, from, to int) {
		at := place[part]
		for _, v := range in[from:to] {
			if low <= v && v <= high {
				out[at] = v
				at++
			}
		}
	})
	return place[len(place)-1]
}

func BenchmarkCompact(b *testing.B) {
	n := 1 << 24
	in, out, want, count := randoms(n), make([]float32, n), make([]float32, n), make([]int, 1)
	flags := make([]bool, n)
	for i, v := range in {
		flags[i] = 0 <= v && v <= 0.5
	}
	all := serial.Compact(scan.Between[float32]{High: 0.5}, want, in)
	measure := func(name string, f func() error) {
		b.Run(fmt.Sprintf("size=%d/exec=%s", n, name), func(b *testing.B) {
			clear(out)
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Melem/s")
			require.Equal(b, all, count[0], "wrong result")
			slicetest.Equal(b, want[:all], out[:all], "wrong result")
		})
	}
	measure("gocuda", func() error {
		return scan.Compact(b.Context(), gocuda.Default(), scan.Between[float32]{High: 0.5}, out, count, in)
	})
	measure("flags", func() error {
		return scan.CompactFlags(b.Context(), gocuda.Default(), out, count, in, flags)
	})
	measure("goroutines", func() error { count[0] = compactPlainly(out, in, 0, 0.5); return nil })
}
