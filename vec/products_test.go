//go:build goexperiment.simd && amd64

package vec_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/vec"
)

// The sums are those of math.FMA, bit for bit, for float32 with one rounding more that never matters here: the
// numbers have few bits.
func TestProducts(t *testing.T) {
	if !vec.HasAVX512() {
		t.Skip("no AVX-512")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{-1, 0, 1, 2, 3, 16, 100} {
		for _, row := range []int{0, 1, 100, 131, -100} {
			for _, aStep := range []int{1, 3, 0} {
				for _, bStep := range []int{16, 1, 31} {
					const begin = 900
					a, b := make([]float32, 2500), make([]float32, 4000)
					a64, b64 := make([]float64, len(a)), make([]float64, len(b))
					for i := range a {
						a[i] = float32(r.IntN(64) - 32)
						a64[i] = r.NormFloat64()
					}
					for i := range b {
						b[i] = float32(r.IntN(64) - 32)
						b64[i] = r.NormFloat64()
					}
					var sums [8]vec.F32x16
					var sums64 [8]vec.F64x8
					want, want64 := [8][16]float32{}, [8][8]float64{}
					for k := range sums {
						for l := range want[k] {
							want[k][l] = float32(r.IntN(100))
						}
						for l := range want64[k] {
							want64[k][l] = r.NormFloat64()
						}
						sums[k], sums64[k] = vec.LoadF32x16(want[k][:], 0), vec.LoadF64x8(want64[k][:], 0)
						for i := range n {
							for l := range want[k] {
								want[k][l] += a[begin+k*row+i*aStep] * b[i*bStep+l]
							}
							for l := range want64[k] {
								want64[k][l] = math.FMA(a64[begin+k*row+i*aStep], b64[i*bStep+l], want64[k][l])
							}
						}
					}
					vec.ProductsF32x16(&sums, vec.Place[float32](a, begin), 4*row, 4*aStep, vec.Place[[16]float32](b, 0), 4*bStep, n)
					vec.ProductsF64x8(&sums64, vec.Place[float64](a64, begin), 8*row, 8*aStep, vec.Place[[8]float64](b64, 0), 8*bStep, n)
					for k := range sums {
						if got := vec.ToArrayF32x16(sums[k]); got != want[k] {
							t.Fatalf("n %d, rows %d apart, steps %d and %d: row %d has %v, want %v", n, row, aStep, bStep, k, got, want[k])
						}
						if got := vec.ToArrayF64x8(sums64[k]); got != want64[k] {
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
