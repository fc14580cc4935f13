//go:build compiled

package corpus

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
)

// Powers, which have a vector form in kernels that allow approximations: of numbers of both sizes,
// and with constants that float32 holds and does not hold. The test compares them with package
// math.

//gocuda:kernel fastmath
func poSingle(t *gocuda.Thread, n int, x, y, a, b []float32) {
	if i := t.GlobalX(); i < n {
		a[i] = float32(math.Pow(float64(x[i]), float64(y[i])))
		b[i] = float32(math.Pow(2, float64(y[i])))
	}
}

//gocuda:kernel fastmath
func poConstant(t *gocuda.Thread, n int, x, y, a, b []float32) {
	if i := t.GlobalX(); i < n {
		a[i] = float32(math.Pow(float64(x[i]), -1.5))
		b[i] = float32(math.Pow(float64(x[i]), 1.1))
	}
}

//gocuda:kernel fastmath
func poBranch(t *gocuda.Thread, n int, x, y, a, b []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := x[i]
	if v > 1 {
		v = float32(math.Pow(float64(v), float64(y[i])))
	}
	a[i] = v
	for k := range 3 {
		v += float32(math.Pow(0.5, float64(k)))
	}
	b[i] = v
}

//gocuda:kernel fastmath
func poDouble(t *gocuda.Thread, n int, x, y, a []float64) {
	if i := t.GlobalX(); i < n {
		a[i] = math.Pow(x[i], y[i])
	}
}
