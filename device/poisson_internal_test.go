package device

import (
	"math"
	"testing"
)

// What rejection compares against is the logarithm of the probability, by math.Lgamma here. A wrong
// one would show in millions of numbers only.
func TestLogPoisson(t *testing.T) {
	for _, mean := range []float64{10, 10.5, 30, 100, 1000, 12345.678, 1e6} {
		for _, sigmas := range []float64{-5, -3, -1, -0.1, 0, 0.1, 1, 3, 5, 8} {
			for d := range 12 {
				k := math.Floor(mean+sigmas*math.Sqrt(mean)) + float64(d)
				if k < 0 {
					continue
				}
				g, _ := math.Lgamma(k + 1)
				want := k*math.Log(mean) - mean - g
				// The reference cancels: each of its terms is about k ln k, and has an error of an ulp.
				if got := logPoisson(k, mean); math.Abs(got-want) > 2e-11+4e-16*k*math.Log(k+2) {
					t.Errorf("logPoisson(%g, %g) = %.15g, want %.15g", k, mean, got, want)
				}
			}
		}
	}
}
