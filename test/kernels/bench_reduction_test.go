package kernels_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/reduction"
)

// sumPlainly is a sum as one would write it with goroutines.
func sumPlainly[T kernels.Number](in []T) T {
	sums := make([]T, runtime.GOMAXPROCS(0))
	forParts(len(in), func(part, from, to int) {
		var s T
		for _, v := range in[from:to] {
			s += v
		}
		sums[part] = s
	})
	var s T
	for _, v := range sums {
		s += v
	}
	return s
}

// maxPlainly is the same for the largest element.
func maxPlainly[T kernels.Number](in []T) T {
	best := make([]T, runtime.GOMAXPROCS(0))
	forParts(len(in), func(part, from, to int) {
		s := in[0]
		for _, v := range in[from:to] {
			s = max(s, v)
		}
		best[part] = s
	})
	s := best[0]
	for _, v := range best {
		s = max(s, v)
	}
	return s
}

// countPlainly is the same for elements of a range.
func countPlainly[T kernels.Number](low, high T, in []T) int {
	counts := make([]int, runtime.GOMAXPROCS(0))
	forParts(len(in), func(part, from, to int) {
		count := 0
		for _, v := range in[from:to] {
			if low <= v && v <= high {
				count++
			}
		}
		counts[part] = count
	})
	count := 0
	for _, c := range counts {
		count += c
	}
	return count
}

// benchReduction runs f as a benchmark of n elements, and compares its last result with want.
func benchReduction[T comparable](b *testing.B, name string, n int, want T, f func() (T, error)) {
	b.Run(name, func(b *testing.B) {
		var got T
		for b.Loop() {
			var err error
			if got, err = f(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Melem/s")
		require.Equal(b, want, got)
	})
}

func benchSums[T float32 | float64 | int32](b *testing.B, name string) {
	for _, n := range []int{1 << 20, 1 << 24} {
		in, out, ones := make([]T, n), make([]T, 1), T(0)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range in {
			in[i] = T(r.IntN(2)) // sums are exact in float32 too
			ones += in[i]
		}
		for m := reduction.Interleaved; m <= reduction.Runs; m++ {
			benchReduction(b, fmt.Sprintf("type=%s/size=%d/exec=%v", name, n, m), n, ones, func() (T, error) {
				err := reduction.Sum(b.Context(), gocuda.Default(), m, out, in)
				return out[0], err
			})
		}
		benchReduction(b, fmt.Sprintf("type=%s/size=%d/exec=goroutines", name, n), n, ones, func() (T, error) { return sumPlainly(in), nil })
		if v, ok := any(in).([]float64); ok {
			benchReduction(b, fmt.Sprintf("type=%s/size=%d/exec=gonum", name, n), n, ones, func() (T, error) { return T(floats.Sum(v)), nil })
		}
	}
}

func BenchmarkReduction(b *testing.B) {
	benchSums[float32](b, "float32")
	benchSums[float64](b, "float64")
	benchSums[int32](b, "int32")
}

func BenchmarkExtremes(b *testing.B) {
	n := 1 << 24
	in, out := randoms(n), make([]float32, 1)
	in[n/3] = 7
	benchReduction(b, fmt.Sprintf("op=max/size=%d/exec=gocuda", n), n, 7, func() (float32, error) {
		err := reduction.Max(b.Context(), gocuda.Default(), out, in)
		return out[0], err
	})
	benchReduction(b, fmt.Sprintf("op=max/size=%d/exec=goroutines", n), n, 7, func() (float32, error) { return maxPlainly(in), nil })
}

func BenchmarkCount(b *testing.B) {
	n := 1 << 22
	in, out := randoms(n), make([]int, 1)
	want := serial.Count(0, 0.5, in)
	for m := reduction.BlockVotes; m <= reduction.Counters; m++ {
		benchReduction(b, fmt.Sprintf("size=%d/exec=%v", n, m), n, want, func() (int, error) {
			err := reduction.Count(b.Context(), gocuda.Default(), m, 0, 0.5, out, in)
			return out[0], err
		})
	}
	benchReduction(b, fmt.Sprintf("size=%d/exec=goroutines", n), n, want, func() (int, error) { return countPlainly(0, 0.5, in), nil })
}
