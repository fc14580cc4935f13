package dense_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/dense"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// definite returns a symmetric matrix whose diagonal is larger than the rest of its row together,
// so that it is positive definite.
func definite(n int) []float32 {
	v := kerneltest.Uniform[float32](n * n)
	for i := range n {
		for j := range i {
			v[i*n+j] = v[j*n+i]
		}
		v[i*n+i] += float32(n) + 1
	}
	return v
}

// checkCholesky holds U to its bound: Uᵀ U - A is at most gamma(n+1) |Uᵀ| |U| in each element.
func checkCholesky(t *testing.T, what string, n int, a, u []float32) {
	t.Helper()
	for i := range n {
		slicetest.Each(t, func(int) float32 { return 0 }, u[i*n:i*n+i], "%s: row %d, left of the diagonal", what, i)
		require.Positive(t, u[i*n+i], "%s: diagonal element %d", what, i)
	}
	w := wide(n, n, u)
	near(t, what, product(w.T(), w), wide(n, n, a), product(absolute(w.T()), absolute(w)), gamma(n+1))
}

func TestCholeskyIsBackwardStable(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{1, 2, 7, 31, 33, 32, 63, 64, 65, 97, 131, 200, 301}, 5) {
			a := definite(n)
			u, plain := clone(a), clone(a)
			for i := range n {
				for j := range i {
					u[i*n+j] = float32(math.NaN()) // not to be read
				}
			}
			require.NoError(t, dense.Cholesky(t.Context(), dev, n, u))
			require.True(t, serial.Cholesky(n, plain), "serial finds it not definite")
			checkCholesky(t, fmt.Sprint(dev.Name, " ", n), n, a, u)
			checkCholesky(t, fmt.Sprint("serial ", n), n, a, plain)
		}
	}
}

// Hilbert matrices are positive definite, as long as float32 can tell: scaled to a diagonal of 1,
// the smallest eigenvalue for n = 4 is 4.8e-4, which is more than n gamma(n+1)/(1-gamma(n+1)),
// 1.2e-6 (Higham, theorem 10.7).
func TestCholeskyOfHilbertMatrices(t *testing.T) {
	for n := 1; n <= 4; n++ {
		a := hilbert(n)
		u := clone(a)
		require.NoError(t, dense.Cholesky(t.Context(), gocuda.Default(), n, u))
		checkCholesky(t, fmt.Sprint("Hilbert ", n), n, a, u)
	}
}

// U of the matrix with the elements min(i, j)+1 has ones, everywhere above the diagonal, and there
// is no rounding.
func TestCholeskyOfKnownFactor(t *testing.T) {
	const n = 75
	a := make([]float32, n*n)
	for i := range a {
		a[i] = float32(min(i/n, i%n) + 1)
	}
	require.NoError(t, dense.Cholesky(t.Context(), gocuda.Default(), n, a))
	slicetest.Each(t, func(i int) float32 {
		if i%n >= i/n {
			return 1
		}
		return 0
	}, a)
}

func TestCholeskyOfOtherMatrices(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{1, 2, 33, 70, 140}, 3) {
			for _, at := range []int{0, n / 2, n - 1} {
				for _, bad := range []float32{0, -1, float32(math.NaN())} {
					a := make([]float32, n*n)
					for i := range n {
						a[i*n+i] = 4
					}
					a[at*n+at] = bad
					err := dense.Cholesky(t.Context(), dev, n, clone(a))
					want := fmt.Sprintf("kernels: Cholesky: the matrix is not positive definite: pivot %d is not positive", at)
					require.ErrorIs(t, err, dense.ErrNotPositiveDefinite, "%s, %d", dev.Name, n)
					require.EqualError(t, err, want, "%s, %d", dev.Name, n)
					require.False(t, serial.Cholesky(n, a), "serial finds it definite")
				}
			}
		}
	}
}

func TestCholeskySolveAgainstGonum(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{1, 2, 7, 31, 33, 64, 65, 131}, 4) {
			for _, columns := range []int{1, 3, 70} {
				a, b := definite(n), kerneltest.Uniform[float32](n*columns + 1)[1:]
				u := clone(a)
				require.NoError(t, dense.Cholesky(t.Context(), dev, n, u))
				x, plain := clone(b), clone(b)
				require.NoError(t, dense.CholeskySolve(t.Context(), dev, n, columns, u, x))
				serial.CholeskySolve(n, columns, u, plain)
				var f mat.Cholesky
				require.True(t, f.Factorize(mat.NewSymDense(n, wide(n, n, a).RawMatrix().Data)), "gonum finds it not definite")
				var want mat.Dense
				require.NoError(t, f.SolveTo(&want, wide(n, columns, b)))
				w := wide(n, n, u)
				bound := product(absolute(w.T()), absolute(w))
				bound.Scale(gamma(3*n+1), bound)
				what := fmt.Sprint(dev.Name, " ", n, " ", columns)
				checkSolution(t, what, n, columns, wide(n, n, a), bound, x, b, &want)
				checkSolution(t, what+", serial", n, columns, wide(n, n, a), bound, plain, b, &want)
			}
		}
	}
}

func TestCholeskyOfNothing(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	assert.NoError(t, errors.Join(
		dense.Cholesky(ctx, dev, 0, nil), dense.CholeskySolve(ctx, dev, 0, 0, nil, nil),
		dense.CholeskySolve(ctx, dev, 0, 3, nil, nil), dense.CholeskySolve(ctx, dev, 1, 0, []float32{1}, nil),
	))
}

func TestCholeskyRefusesWrongLengths(t *testing.T) {
	v := make([]float32, 9)
	ctx, dev := t.Context(), gocuda.Default()
	mustBeInvalid(t, map[string]error{
		"a":        dense.Cholesky(ctx, dev, 3, v[:8]),
		"negative": dense.Cholesky(ctx, dev, -3, v),
		"overflow": dense.Cholesky(ctx, dev, math.MinInt, nil),
		"solve, a": dense.CholeskySolve(ctx, dev, 3, 1, v[:8], v[:3]),
		"solve, b": dense.CholeskySolve(ctx, dev, 3, 2, v, v[:3]),
	})
}
