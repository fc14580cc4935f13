package kernels_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/stats"
)

// BenchmarkPi compares Monte Carlo with goroutines that have a generator each, the fastest of
// math/rand/v2.
func BenchmarkPi(b *testing.B) {
	const n = 1 << 24
	for _, way := range []struct {
		name string
		run  func(ctx context.Context) (float64, error)
	}{
		{"gocuda", func(ctx context.Context) (float64, error) { return stats.Pi(ctx, gocuda.Default(), 1, n) }},
		{"goroutines", func(context.Context) (float64, error) { return piGoroutines(n), nil }},
	} {
		b.Run("exec="+way.name, func(b *testing.B) {
			var pi float64
			for b.Loop() {
				var err error
				if pi, err = way.run(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			assert.InDelta(b, math.Pi, pi, 5*math.Sqrt(math.Pi*(4-math.Pi)/n), "pi")
			b.ReportMetric(1e-6*n*float64(b.N)/b.Elapsed().Seconds(), "Mpoints/s")
		})
	}
}

func piGoroutines(n int) float64 {
	workers := runtime.GOMAXPROCS(0)
	hits := make([]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(w)))
			count := 0
			for range n*(w+1)/workers - n*w/workers {
				x, y := r.Float64(), r.Float64()
				if x*x+y*y < 1 {
					count++
				}
			}
			hits[w] = count
		})
	}
	wg.Wait()
	all := 0
	for _, h := range hits {
		all += h
	}
	return 4 * float64(all) / float64(n)
}

// BenchmarkKMeans compares ten rounds with goroutines that each have a part of the points, one
// point after the other in memory, and add up the means beside the search.
func BenchmarkKMeans(b *testing.B) {
	for _, size := range []struct{ n, dims, k int }{{1 << 18, 2, 16}, {1 << 15, 16, 64}} {
		n, dims, k := size.n, size.dims, size.k
		const rounds = 10
		r := rand.New(rand.NewPCG(1, uint64(n)))
		points, rows := make([]float32, n*dims), make([]float32, n*dims)
		for i := range n {
			for d := range dims {
				v := r.Float32()
				points[d*n+i], rows[i*dims+d] = v, v
			}
		}
		start, centres, want := make([]float32, k*dims), make([]float32, k*dims), make([]float32, k*dims)
		copy(start, rows)
		labels := make([]int32, n)
		copy(want, start)
		serial.KMeans(dims, rounds, points, want, labels)
		for _, way := range []struct {
			name string
			run  func(ctx context.Context) error
		}{
			{"gocuda", func(ctx context.Context) error {
				_, err := stats.KMeans(ctx, gocuda.Default(), dims, rounds, points, centres, labels)
				return err
			}},
			{"goroutines", func(context.Context) error {
				for range rounds {
					kmeansGoroutines(dims, rows, centres, labels)
				}
				return nil
			}},
		} {
			b.Run(fmt.Sprintf("size=%d/dims=%d/clusters=%d/exec=%s", n, dims, k, way.name), func(b *testing.B) {
				for b.Loop() {
					copy(centres, start)
					if err := way.run(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
				// Sums in another order and precision, over ten rounds, and a point may go elsewhere.
				slicetest.InDelta(b, want, centres, 1e-3)
				b.ReportMetric(1e-6*float64(n)*rounds*float64(b.N)/b.Elapsed().Seconds(), "Mpoints/s")
			})
		}
	}
}

// kmeansGoroutines makes a round. Coordinate d of point i is rows[i*dims+d].
func kmeansGoroutines(dims int, rows, centres []float32, labels []int32) {
	n, k, workers := len(rows)/dims, len(centres)/dims, runtime.GOMAXPROCS(0)
	sums, counts := make([][]float64, workers), make([][]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		sums[w], counts[w] = make([]float64, k*dims), make([]int, k)
		wg.Go(func() {
			for i := n * w / workers; i < n*(w+1)/workers; i++ {
				point := rows[i*dims : (i+1)*dims]
				best, label := float32(math.Inf(1)), 0
				for j := range k {
					centre := centres[j*dims : (j+1)*dims]
					var square float32
					for d, v := range point {
						diff := v - centre[d]
						square += diff * diff
					}
					if square < best {
						best, label = square, j
					}
				}
				labels[i] = int32(label)
				counts[w][label]++
				for d, v := range point {
					sums[w][label*dims+d] += float64(v)
				}
			}
		})
	}
	wg.Wait()
	for j := range k {
		count := 0
		for w := range workers {
			count += counts[w][j]
		}
		for d := 0; d < dims && count > 0; d++ {
			var sum float64
			for w := range workers {
				sum += sums[w][j*dims+d]
			}
			centres[j*dims+d] = float32(sum / float64(count))
		}
	}
}
