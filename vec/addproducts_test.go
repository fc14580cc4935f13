//go:build goexperiment.simd && amd64

package vec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/vec"
)

// The sums are those of loops, bit for bit: of fused float32 with numbers of so few bits that nothing is rounded, of
// fused float64 by math.FMA, of the others by an operation of Go each.
func TestAddProducts(t *testing.T) {
	if !vec.HasAVX2() {
		t.Skip("no AVX2")
	}
	r := rand.New(rand.NewPCG(1, 2))
	few := func() float32 { return float32(r.IntN(64) - 32) }
	many := func() float32 { return float32(r.NormFloat64()) }
	testAddProducts(t, "float32 fused", vec.AddProductsFusedF32x8, few, func(x, y, s float32) float32 { return s + x*y })
	testAddProducts(t, "float32", vec.AddProductsF32x8, many, func(x, y, s float32) float32 { return s + float32(x*y) })
	testAddProducts(t, "float64 fused", vec.AddProductsFusedF64x4, r.NormFloat64, math.FMA)
	testAddProducts(t, "float64", vec.AddProductsF64x4, r.NormFloat64, func(x, y, s float64) float64 { return s + float64(x*y) })
}

func testAddProducts[E float32 | float64](t *testing.T, name string, add func(sums, a []E, first, second, aStep int, b []E, from, bStep, rows, threads, n int), number func() E, fma func(x, y, s E) E) {
	fill := func(n int) []E {
		s := make([]E, n)
		for i := range s {
			s[i] = number()
		}
		return s
	}
	a, b := fill(80000), fill(200000)
	for _, rows := range []int{0, 1, 2, 4, 7, 8, 16, 19} {
		for _, threads := range []int{0, 8, 16, 24, 32, 40} {
			for _, n := range []int{-1, 0, 1, 3, 63, 64, 65, 150} {
				for _, steps := range [][3]int{{1, 1, 16}, {1024, 1, 1024}, {130, 2, 65}, {-100, 1, 64}, {0, 0, 0}, {2000, -3, -300}, {1, 100, 33}} {
					row, aStep, bStep := steps[0], steps[1], steps[2]
					first, from := 2500, 10
					if aStep < 0 {
						first += 500
					}
					if bStep < 0 {
						from += 150 * 300
					}
					const beyond = 5 // sums that are nobody's
					sums := fill(rows*threads + beyond)
					want := append([]E(nil), sums...)
					for k := range rows {
						for x := range threads {
							for i := range n {
								want[k*threads+x] = fma(a[first+k*row+i*aStep], b[from+i*bStep+x], want[k*threads+x])
							}
						}
					}
					add(sums, a, first, first+row, aStep, b, from, bStep, rows, threads, n)
					for i := range want {
						if sums[i] != want[i] {
							t.Fatalf("%s, %d rows of %d threads, %d rounds, rows %d apart, steps %d and %d: sum %d is %v, want %v",
								name, rows, threads, n, row, aStep, bStep, i, sums[i], want[i])
						}
					}
				}
			}
		}
	}
}

func BenchmarkAddProducts(b *testing.B) {
	if !vec.HasAVX2() {
		b.Skip("no AVX2")
	}
	const rows, threads, n = 16, 16, 1024
	for _, bStep := range []int{16, 1024} {
		b.Run(fmt.Sprintf("step %d", bStep), func(b *testing.B) {
			x, y, sums := make([]float32, rows*n), make([]float32, n*bStep), make([]float32, rows*threads)
			for b.Loop() {
				vec.AddProductsFusedF32x8(sums, x, 0, n, 1, y, 0, bStep, rows, threads, n)
			}
			b.ReportMetric(2*rows*threads*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
		})
	}
}
