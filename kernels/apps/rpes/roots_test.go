package rpes

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/kernels"
)

// The quadrature reproduces the moments, which is what integrals need, and its roots are in order
// between 0 and 1.
func TestRoots(t *testing.T) {
	t.Run("float32", testRoots[float32])
	t.Run("float64", testRoots[float64])
}

func testRoots[T kernels.Float](t *testing.T) {
	unit := 0x1p-53
	if boysTerms[T]() == 5 {
		unit = 0x1p-24
	}
	terms, two, three := boysTerms[T](), boysTable[T](3), boysTable[T](5)
	worst := map[int]float64{}
	for x := 0.0; x < 1e6; x = x*1.03 + 0.001 {
		x := float64(T(x))
		f := Boys(5, x)
		moments := func(n int, u, w []T) {
			for m := range 2 * n {
				sum := 0.0
				for i := range u {
					sum += float64(w[i]) * math.Pow(float64(u[i]), float64(m))
					assert.True(t, u[i] > 0 && u[i] < 1 && w[i] > 0 && (i == 0 || u[i] < u[i-1]), "%d roots at %v: %v, weights %v", n, x, u, w)
				}
				worst[n] = max(worst[n], math.Abs(sum/f[m]-1)/unit)
			}
		}
		u1, u2, w1, w2 := roots2(T(x), terms, two)
		moments(2, []T{u1, u2}, []T{w1, w2})
		v1, v2, v3, y1, y2, y3 := roots3(T(x), terms, three)
		moments(3, []T{v1, v2, v3}, []T{y1, y2, y3})
	}
	assert.LessOrEqual(t, max(worst[2], worst[3]), 64.0, "the worst errors of moments, in roundings: %v", worst)
}
