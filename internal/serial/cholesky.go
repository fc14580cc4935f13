package serial

import (
	"math"

	"github.com/gocuda/gocuda/kernels/dense"
)

// Cholesky factors the symmetric matrix a of n by n elements into Uᵀ U: the reference of
// [dense.Cholesky]. It reports whether a is positive definite.
func Cholesky(n int, a []float32) bool {
	for p := range n {
		d := a[p*n+p]
		if !(d > 0) {
			return false
		}
		root := float32(math.Sqrt(float64(d)))
		clear(a[p*n : p*n+p])
		for j := p; j < n; j++ {
			a[p*n+j] /= root
		}
		for i := p + 1; i < n; i++ {
			for j := i; j < n; j++ {
				a[i*n+j] -= a[p*n+i] * a[p*n+j]
			}
		}
	}
	return true
}

// CholeskySolve solves systems with the factor of [Cholesky] for the right-hand sides in b: the
// reference of [dense.CholeskySolve].
func CholeskySolve(n, columns int, u, b []float32) {
	lowerSolve(n, columns, dense.Trans, false, u, n, b)
	upperSolve(n, columns, u, n, b)
}
