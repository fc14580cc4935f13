package serial

import (
	"math"

	"github.com/gocuda/gocuda/kernels/dense"
)

// QR factors a, of rows by cols elements, by Householder reflections, one by one: the reference of
// [dense.QR].
func QR(rows, cols int, a, tau []float32) {
	for c := range min(rows, cols) {
		var sum float64
		for i := c + 1; i < rows; i++ {
			sum += float64(a[i*cols+c]) * float64(a[i*cols+c])
		}
		beta, tc, divisor := reflection(a[c*cols+c], float32(math.Sqrt(sum)))
		for i := c + 1; i < rows; i++ {
			a[i*cols+c] /= divisor
		}
		a[c*cols+c], tau[c] = beta, tc
		applyReflection(c, tc, rows, cols, a, cols-c-1, a[c+1:], cols)
	}
}

// QRMultiply multiplies c by Q or its transpose, from the reflections of [QR]: the reference of
// [dense.QRMultiply].
func QRMultiply(trans dense.Op, rows, cols int, qr, tau []float32, columns int, c []float32) {
	for i := range tau {
		if trans == dense.NoTrans {
			i = len(tau) - 1 - i
		}
		applyReflection(i, tau[i], rows, cols, qr, columns, c, columns)
	}
}

// LeastSquares solves systems with more rows than columns in the least-squares sense: the reference
// of [dense.LeastSquares], for columns that are independent.
func LeastSquares(rows, cols, columns int, a, b []float32) {
	tau := make([]float32, cols)
	QR(rows, cols, a, tau)
	QRMultiply(dense.Trans, rows, cols, a, tau, columns, b)
	upperSolve(cols, columns, a, cols, b)
}

// reflection returns the reflection that makes a column of alpha and a rest of the given length a
// column of beta and zeros: I - tau v vᵀ with v = (1, rest/divisor). Its sign is
// that of LAPACK.
func reflection(alpha, norm float32) (beta, tau, divisor float32) {
	if norm == 0 {
		return alpha, 0, 1
	}
	beta = float32(math.Hypot(float64(alpha), float64(norm)))
	if alpha >= 0 {
		beta = -beta // so that alpha - beta does not cancel
	}
	return beta, (beta - alpha) / beta, alpha - beta
}

// applyReflection applies reflection number c, below the diagonal of column c of a, to b.
func applyReflection(c int, tau float32, rows, cols int, a []float32, columns int, b []float32, ldb int) {
	for j := range columns {
		w := b[c*ldb+j]
		for i := c + 1; i < rows; i++ {
			w += a[i*cols+c] * b[i*ldb+j]
		}
		w *= tau
		b[c*ldb+j] -= w
		for i := c + 1; i < rows; i++ {
			b[i*ldb+j] -= w * a[i*cols+c]
		}
	}
}
