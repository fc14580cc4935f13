package serial

import (
	"math"

	"github.com/gocuda/gocuda/kernels/dense"
)

// LU factors a, of rows by cols elements, by elimination column by column with row exchanges: the
// reference of [dense.LU]. It reports whether all pivots were other than 0.
func LU(rows, cols int, a []float32, pivots []int32) bool {
	whole := true
	for c := range min(rows, cols) {
		r := c
		for i := c + 1; i < rows; i++ {
			if math.Abs(float64(a[i*cols+c])) > math.Abs(float64(a[r*cols+c])) {
				r = i
			}
		}
		pivots[c] = int32(r)
		for j := range cols {
			a[c*cols+j], a[r*cols+j] = a[r*cols+j], a[c*cols+j]
		}
		d := a[c*cols+c]
		if d == 0 {
			whole = false
			continue
		}
		for i := c + 1; i < rows; i++ {
			a[i*cols+c] /= d
			for j := c + 1; j < cols; j++ {
				a[i*cols+j] -= a[i*cols+c] * a[c*cols+j]
			}
		}
	}
	return whole
}

// LUSolve solves systems with the factors of [LU] for the right-hand sides in b: the reference of
// [dense.LUSolve].
func LUSolve(n, columns int, lu []float32, pivots []int32, b []float32) {
	for c, r := range pivots {
		for j := range columns {
			b[c*columns+j], b[int(r)*columns+j] = b[int(r)*columns+j], b[c*columns+j]
		}
	}
	lowerSolve(n, columns, dense.NoTrans, true, lu, n, b)
	upperSolve(n, columns, lu, n, b)
}

// lowerSolve solves L X = B in place, or with trans the system of a transposed upper triangle. The
// diagonal is taken for ones if unit is set.
func lowerSolve(n, columns int, trans dense.Op, unit bool, tri []float32, ld int, b []float32) {
	for j := range columns {
		for i := range n {
			v := b[i*columns+j]
			for p := range i {
				if trans == dense.Trans {
					v -= tri[p*ld+i] * b[p*columns+j]
				} else {
					v -= tri[i*ld+p] * b[p*columns+j]
				}
			}
			if !unit {
				v /= tri[i*ld+i]
			}
			b[i*columns+j] = v
		}
	}
}

// upperSolve solves U X = B in place.
func upperSolve(n, columns int, tri []float32, ld int, b []float32) {
	for j := range columns {
		for i := n - 1; i >= 0; i-- {
			v := b[i*columns+j]
			for p := i + 1; p < n; p++ {
				v -= tri[i*ld+p] * b[p*columns+j]
			}
			b[i*columns+j] = v / tri[i*ld+i]
		}
	}
}
