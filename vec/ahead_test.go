//go:build goexperiment.simd && amd64

package vec_test

import (
	"math"
	"testing"

	"github.com/gocuda/gocuda/vec"
)

// Whatever is asked for, nothing is read or written that can be seen, and nothing faults.
func TestAheadTouchesNothing(t *testing.T) {
	s := make([]float32, 10_000)
	for i := range s {
		s[i] = float32(i)
	}
	for _, i := range []int{0, 5000, -1 << 40, 1 << 40, math.MinInt, math.MaxInt} {
		for _, stride := range []int{0, 1, 1023, 1024, -4096, 1 << 40} {
			for _, n := range []int{-1, 0, 1, 32, math.MaxInt} {
				vec.Ahead(s, i, i+stride, 1<<20, n, 32)
				vec.Ahead(s, i, i+stride, 1<<20, 8, n)
				vec.AheadOfWrite(s, i, i+stride, n, 32)
				vec.AheadOfWrite(s, i, i+stride, 8, n)
			}
		}
	}
	vec.Ahead([]float64(nil), 0, 1<<20, 1<<20, 8, 8)
	for i := range s {
		if s[i] != float32(i) {
			t.Fatalf("element %d is %v", i, s[i])
		}
	}
}
