//go:build goexperiment.simd && amd64

package vec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/vec"
)

// The sums are those of loops, bit for bit: of float32 with numbers of so few bits that nothing is rounded, of
// float64 by math.FMA.
func TestProducts(t *testing.T) {
	if !vec.HasAVX512() {
		t.Skip("no AVX-512")
	}
	for _, rows := range []int{8, 16} {
		t.Run(fmt.Sprint(rows), func(t *testing.T) { testProducts(t, rows) })
	}
}

func testProducts(t *testing.T, rows int) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{-1, 0, 1, 2, 3, 16, 100} {
		for _, row := range []int{0, 1, 100, 131, -100, 512, 1024} {
			for _, aStep := range []int{1, 3, 0} {
				for _, bStep := range []int{16, 1, 31} {
					const begin = 1600 // as far as rows go back
					a, b := make([]float32, 20000), make([]float32, 4000)
					a64, b64 := make([]float64, len(a)), make([]float64, len(b))
					for i := range a {
						a[i] = float32(r.IntN(64) - 32)
						a64[i] = r.NormFloat64()
					}
					for i := range b {
						b[i] = float32(r.IntN(64) - 32)
						b64[i] = r.NormFloat64()
					}
					const sumRow = 21
					var sums, sums64 = make([]float32, rows*sumRow), make([]float64, rows*sumRow)
					want, want64 := make([][16]float32, rows), make([][8]float64, rows)
					for k := range want {
						for l := range want[k] {
							want[k][l] = float32(r.IntN(100))
						}
						for l := range want64[k] {
							want64[k][l] = r.NormFloat64()
						}
						copy(sums[k*sumRow:], want[k][:])
						copy(sums64[k*sumRow:], want64[k][:])
						for i := range n {
							for l := range want[k] {
								want[k][l] += a[begin+k*row+i*aStep] * b[i*bStep+l]
							}
							for l := range want64[k] {
								want64[k][l] = math.FMA(a64[begin+k*row+i*aStep], b64[i*bStep+l], want64[k][l])
							}
						}
					}
					vec.ProductsF32x16(vec.Place[[16]float32](sums, 0), 4*sumRow, vec.Place[float32](a, begin), 4*row, 4*aStep, vec.Place[[16]float32](b, 0), 4*bStep, rows, n)
					vec.ProductsF64x8(vec.Place[[8]float64](sums64, 0), 8*sumRow, vec.Place[float64](a64, begin), 8*row, 8*aStep, vec.Place[[8]float64](b64, 0), 8*bStep, rows, n)
					for k := range want {
						if got := [16]float32(sums[k*sumRow:]); got != want[k] {
							t.Fatalf("n %d, rows %d apart, steps %d and %d: row %d has %v, want %v", n, row, aStep, bStep, k, got, want[k])
						}
						if got := [8]float64(sums64[k*sumRow:]); got != want64[k] {
							t.Fatalf("n %d, rows %d apart, steps %d and %d: row %d has %v, want %v", n, row, aStep, bStep, k, got, want64[k])
						}
					}
				}
			}
		}
	}
}

func TestBetween(t *testing.T) {
	s := make([]float64, 10)
	if got := vec.Between(&s[2], &s[7]); got != 40 {
		t.Errorf("five elements of 8 bytes are %d bytes", got)
	}
	if got := vec.Between(&s[7], &s[2]); got != -40 {
		t.Errorf("five elements of 8 bytes back are %d bytes", got)
	}
}
