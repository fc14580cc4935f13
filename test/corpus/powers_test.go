//go:build compiled

package corpus

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
)

// Powers are those of package math, within one ulp for float32 and sixteen for float64, and its
// special cases. For large exponents math.Pow itself errs by several ulps.
func TestPowers(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	special := []float32{0, float32(math.Copysign(0, -1)), float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1, -1, 0.5, -0.5, 2, 3, -3, 1e-40}
	var x, y []float32
	for _, v := range special {
		for _, w := range special {
			x, y = append(x, v), append(y, w)
		}
	}
	for len(x) < 1003 {
		x, y = append(x, float32(math.Exp(r.NormFloat64()))), append(y, float32(r.NormFloat64()*8))
	}
	n := len(x)
	pow := func(x, y float32) float32 { return float32(math.Pow(float64(x), float64(y))) }
	branch := func(x, y float32) float32 {
		if x > 1 {
			return pow(x, y)
		}
		return x
	}
	for _, c := range []struct {
		name   string
		kernel func(n int, x, y, a, b []float32) gocuda.Kernel
		a, b   func(x, y float32) float32
	}{
		{"single", poSingleKernel, pow, func(x, y float32) float32 { return pow(2, y) }},
		{"constant", poConstantKernel, func(x, y float32) float32 { return pow(x, -1.5) },
			func(x, y float32) float32 { return float32(math.Pow(float64(x), 1.1)) }},
		{"branch", poBranchKernel, branch, func(x, y float32) float32 { return branch(x, y) + 1 + 0.5 + 0.25 }},
	} {
		for _, m := range machines(t) {
			a, b := make([]float32, n), make([]float32, n)
			m.run(t, n, c.kernel(n, x, y, a, b))
			for i := range x {
				if want := c.a(x[i], y[i]); !near(float64(a[i]), float64(want), 0x1p-23, 0x1p-149) {
					t.Fatalf("%s, %s, first at %v, %v: %v, want %v", c.name, m.name, x[i], y[i], a[i], want)
				}
				if want := c.b(x[i], y[i]); !near(float64(b[i]), float64(want), 0x1p-22, 0x1p-149) {
					t.Fatalf("%s, %s, second at %v, %v: %v, want %v", c.name, m.name, x[i], y[i], b[i], want)
				}
			}
		}
	}
	x64, y64 := make([]float64, n), make([]float64, n)
	for i := range x {
		x64[i], y64[i] = float64(x[i]), float64(y[i])
	}
	for _, m := range machines(t) {
		a := make([]float64, n)
		m.run(t, n, poDoubleKernel(n, x64, y64, a))
		for i := range x64 {
			if want := math.Pow(x64[i], y64[i]); !near(a[i], want, 0x1p-48, 0x1p-1074) {
				t.Fatalf("%s, at %v, %v: %v, want %v", m.name, x64[i], y64[i], a[i], want)
			}
		}
	}
}

// near reports whether got is want, also in sign, or differs by no more than a part of it or by a
// least amount.
func near(got, want, part, least float64) bool {
	if want != want || got != got {
		return want != want && got != got
	}
	if math.IsInf(want, 0) || want == 0 {
		return math.Float64bits(got) == math.Float64bits(want)
	}
	return math.Abs(got-want) <= max(part*math.Abs(want), least)
}
