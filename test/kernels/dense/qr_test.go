package dense_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/dense"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// reflections is the relative error of a column to which all reflections of a rows by cols matrix
// are applied, as the comment of QR has it.
func reflections(rows, cols int) float64 {
	return float64(min(rows, cols)) * float64(4*rows+40) * roundoff
}

// checkQR holds factors to their bounds: the columns of Q R - A, and those of Qᵀ Q - I.
func checkQR(t *testing.T, what string, rows, cols int, a, qr, q []float32) {
	t.Helper()
	r := wide(rows, cols, qr)
	r.Apply(func(i, j int, v float64) float64 {
		if i > j {
			return 0
		}
		return v
	}, r)
	w, orthogonal := wide(rows, cols, a), wide(rows, rows, q)
	bound := reflections(rows, cols)
	// Q is computed as well, with the same bound again: twice for Q R.
	d := product(orthogonal, r)
	d.Sub(d, w)
	for j := range cols {
		require.LessOrEqual(t, mat.Norm(d.ColView(j), 2), 3*bound*mat.Norm(w.ColView(j), 2), "%s: column %d of QR", what, j)
	}
	d = product(orthogonal.T(), orthogonal)
	identity := mat.NewDense(rows, rows, nil)
	for i := range rows {
		identity.Set(i, i, 1)
	}
	// (q+e)·(p+f) - q·p for unit vectors, with e and f at most bound
	slicetest.InDelta(t, identity.RawMatrix().Data, d.RawMatrix().Data, 3*bound, "%s: products of the columns of Q", what)
}

func unit(n int) []float32 {
	v := make([]float32, n*n)
	for i := range n {
		v[i*n+i] = 1
	}
	return v
}

func TestQRIsBackwardStable(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		all := factorSizes
		if dev.Slow {
			all = factorSizes[:8]
		}
		for _, s := range all {
			rows, cols := s[0], s[1]
			a := kerneltest.Uniform[float32](rows * cols)
			qr, tau, q := clone(a), make([]float32, min(rows, cols)), unit(rows)
			require.NoError(t, dense.QR(t.Context(), dev, rows, cols, qr, tau))
			require.NoError(t, dense.QRMultiply(t.Context(), dev, dense.NoTrans, rows, cols, qr, tau, rows, q))
			checkQR(t, fmt.Sprint(dev.Name, " ", s), rows, cols, a, qr, q)

			qr, q = clone(a), unit(rows)
			serial.QR(rows, cols, qr, tau)
			serial.QRMultiply(dense.NoTrans, rows, cols, qr, tau, rows, q)
			checkQR(t, fmt.Sprint("serial ", s), rows, cols, a, qr, q)
		}
	}
}

// Matrices of which columns depend on each other, or nearly so, have factors like others; so have
// zeros.
func TestQROfSingularMatrices(t *testing.T) {
	const rows, cols = 70, 70
	large := kerneltest.Uniform[float32](rows * cols)
	tiny := clone(large)
	for i := range large {
		large[i] *= 1e30 // whose squares overflow
		tiny[i] *= 1e-30 // and underflow
	}
	for name, a := range map[string][]float32{
		"zero": make([]float32, rows*cols), "of rank 1": powers(rows, cols), "Hilbert": hilbert(rows),
		"large": large, "tiny": tiny,
	} {
		qr, tau, q := clone(a), make([]float32, cols), unit(rows)
		require.NoError(t, dense.QR(t.Context(), gocuda.Default(), rows, cols, qr, tau))
		require.NoError(t, dense.QRMultiply(t.Context(), gocuda.Default(), false, rows, cols, qr, tau, rows, q))
		checkQR(t, name, rows, cols, a, qr, q)
	}
}

// The compact form is LAPACK's: reflections, factors and signs are those of gonum's Dgeqrf. For A +
// E, R differs by at most √2 κ |E| (Sun, Perturbation Bounds for the Cholesky and QR
// Factorizations, 1991), to first order; the reflections depend on Q in the same way. A has a large
// diagonal, so κ is small.
func TestQRIsThatOfLAPACK(t *testing.T) {
	for _, n := range []int{1, 2, 20, 63, 65, 100} {
		a := kerneltest.Uniform[float32](n * n)
		for i := range n {
			a[i*n+i] += float32(2 * n)
		}
		qr, tau := clone(a), make([]float32, n)
		require.NoError(t, dense.QR(t.Context(), gocuda.Default(), n, n, qr, tau))
		w, want := wide(n, n, a), make([]float64, n)
		norm, cond := mat.Norm(w, 2), mat.Cond(w, 2)
		general := blas64.General{Rows: n, Cols: n, Stride: n, Data: w.RawMatrix().Data}
		lapack64.Geqrf(general, want, make([]float64, 64*n), 64*n)
		bound := 4 * cond * reflections(n, n)
		slicetest.Within(t, general.Data, qr, func(i int) float64 {
			if i/n > i%n {
				return bound // of a vector whose first element is 1
			}
			return bound * norm // of R
		}, "%d by %d", n, n)
		slicetest.InDelta(t, want, tau, bound, "tau of %d by %d", n, n)
	}
}

// Qᵀ after Q leaves what was there.
func TestQRMultiplyGoesBothWays(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, s := range [][3]int{{9, 4, 3}, {20, 30, 5}, {150, 131, 33}} {
			rows, cols, columns := s[0], s[1], s[2]
			if dev.Slow && rows > 50 {
				continue
			}
			qr, tau := kerneltest.Uniform[float32](rows*cols), make([]float32, min(rows, cols))
			require.NoError(t, dense.QR(t.Context(), dev, rows, cols, qr, tau))
			c := kerneltest.Uniform[float32](rows * columns)
			got, plain := clone(c), clone(c)
			for _, op := range []dense.Op{dense.NoTrans, dense.Trans} {
				require.NoError(t, dense.QRMultiply(t.Context(), dev, op, rows, cols, qr, tau, columns, got))
				serial.QRMultiply(op, rows, cols, qr, tau, columns, plain)
				for j := range columns {
					v, w := wide(rows, columns, got).ColView(j), wide(rows, columns, plain).ColView(j)
					var d mat.VecDense
					d.SubVec(v, w)
					require.LessOrEqual(t, mat.Norm(&d, 2), 4*reflections(rows, cols)*mat.Norm(w, 2), "%s, %v, %v: column %d differs from serial", dev.Name, s, op, j)
				}
			}
			for j := range columns {
				var d mat.VecDense
				w := wide(rows, columns, c).ColView(j)
				d.SubVec(wide(rows, columns, got).ColView(j), w)
				require.LessOrEqual(t, mat.Norm(&d, 2), 2.1*reflections(rows, cols)*mat.Norm(w, 2), "%s, %v: column %d is off", dev.Name, s, j)
			}
		}
	}
}

// What is computed is the solution for a matrix and a right-hand side that are off by e,
// relatively, so it is off by κ e/(1-κ e) (2 + (κ+1) |r|/(|A| |x|)) (Wedin; Higham, theorem 20.1).
func TestLeastSquaresAgainstGonum(t *testing.T) {
	type solver func(rows, cols, columns int, a, b []float32) error
	for _, dev := range kerneltest.Devices(t) {
		for _, s := range [][3]int{{1, 1, 1}, {9, 4, 3}, {12, 12, 1}, {40, 5, 2}, {70, 33, 65}, {150, 66, 1}} {
			rows, cols, columns := s[0], s[1], s[2]
			if dev.Slow && rows > 40 {
				continue
			}
			a, b := kerneltest.Uniform[float32](rows*cols), kerneltest.Uniform[float32](rows*columns + 1)[1:]
			for i := range cols {
				a[i*cols+i] += float32(cols)
			}
			w, wb := wide(rows, cols, a), wide(rows, columns, b)
			var f mat.QR
			f.Factorize(w)
			var want mat.Dense
			require.NoError(t, f.SolveTo(&want, false, wb))
			residual := product(w, &want)
			residual.Sub(wb, residual)
			cond, norm := mat.Cond(w, 2), mat.Norm(w, 2)
			// The Frobenius norm of A is up to √cols times its 2-norm, and the triangular system
			// adds gamma(cols).
			e := math.Sqrt(float64(cols)) * (reflections(rows, cols) + gamma(cols))
			for who, solve := range map[string]solver{
				"LeastSquares": func(rows, cols, columns int, a, b []float32) error {
					return dense.LeastSquares(t.Context(), dev, rows, cols, columns, a, b)
				},
				"serial": func(rows, cols, columns int, a, b []float32) error {
					serial.LeastSquares(rows, cols, columns, a, b)
					return nil
				},
			} {
				x := clone(b)
				require.NoError(t, solve(rows, cols, columns, clone(a), x))
				got := wide(rows, columns, x)
				for j := range columns {
					left, solution := mat.Norm(residual.ColView(j), 2), mat.Norm(want.ColView(j), 2)
					bound := cond * e / (1 - cond*e) * (2 + (cond+1)*left/(norm*solution))
					require.Less(t, cond*e, 1.0, "the bound says nothing")
					var d, rest float64
					for i := range rows {
						if i < cols {
							d += math.Pow(got.At(i, j)-want.At(i, j), 2)
						} else {
							rest += got.At(i, j) * got.At(i, j)
						}
					}
					d = math.Sqrt(d)
					require.LessOrEqual(t, d, bound*solution, "%s, %s, %v: error of column %d", dev.Name, who, s, j)
					// Qᵀ b is off by e |b|.
					require.InDelta(t, left, math.Sqrt(rest), 2*e*mat.Norm(wb.ColView(j), 2), "%s, %s, %v: what is left of column %d", dev.Name, who, s, j)
				}
			}
		}
	}
}

func TestLeastSquaresOfDependentColumns(t *testing.T) {
	for _, s := range [][2]int{{1, 1}, {2, 2}, {50, 40}, {130, 70}} {
		rows, cols := s[0], s[1]
		a := kerneltest.Uniform[float32](rows * cols)
		for i := range rows {
			a[i*cols+cols/2] = 0
		}
		want := fmt.Sprintf("kernels: least squares: the matrix is singular: column %d depends on those before it", cols/2)
		err := dense.LeastSquares(t.Context(), gocuda.Default(), rows, cols, 1, a, make([]float32, rows))
		assert.ErrorIs(t, err, dense.ErrSingular, s)
		assert.EqualError(t, err, want, s)
	}
}

func TestQROfNothing(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	v := []float32{1, 2, 3}
	assert.NoError(t, errors.Join(
		dense.QR(ctx, dev, 0, 0, nil, nil), dense.QR(ctx, dev, 0, 5, nil, nil), dense.QR(ctx, dev, 5, 0, nil, nil),
		dense.QRMultiply(ctx, dev, true, 0, 3, nil, nil, 2, nil), dense.QRMultiply(ctx, dev, true, 3, 0, nil, nil, 1, v),
		dense.QRMultiply(ctx, dev, false, 1, 1, []float32{1}, []float32{0}, 0, nil),
		dense.LeastSquares(ctx, dev, 0, 0, 0, nil, nil), dense.LeastSquares(ctx, dev, 3, 0, 1, nil, v),
		dense.LeastSquares(ctx, dev, 1, 1, 0, []float32{1}, nil),
	))
	assert.Equal(t, []float32{1, 2, 3}, v)
}

func TestQRRefusesWrongLengths(t *testing.T) {
	v := make([]float32, 9)
	ctx, dev := t.Context(), kernels.Launcher(gocuda.Default())
	mustBeInvalid(t, map[string]error{
		"a":                       dense.QR(ctx, dev, 3, 3, v[:8], v[:3]),
		"tau":                     dense.QR(ctx, dev, 3, 2, v[:6], v[:3]),
		"negative":                dense.QR(ctx, dev, -3, -3, v, v[:3]),
		"overflow":                dense.QR(ctx, dev, math.MinInt, 2, nil, nil),
		"multiply, qr":            dense.QRMultiply(ctx, dev, false, 3, 3, v[:8], v[:3], 1, v[:3]),
		"multiply, tau":           dense.QRMultiply(ctx, dev, false, 3, 3, v, v[:2], 1, v[:3]),
		"multiply, c":             dense.QRMultiply(ctx, dev, false, 3, 3, v, v[:3], 1, v[:2]),
		"least squares, a":        dense.LeastSquares(ctx, dev, 3, 3, 1, v[:8], v[:3]),
		"least squares, b":        dense.LeastSquares(ctx, dev, 3, 3, 1, v, v[:2]),
		"least squares, too wide": dense.LeastSquares(ctx, dev, 2, 3, 1, v[:6], v[:2]),
		"least squares, overflow": dense.LeastSquares(ctx, dev, 2, math.MinInt, 1, nil, v[:2]),
	})
}
