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
	"github.com/gocuda/gocuda/kernels/dense"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// factorSizes are rows and columns around a panel and its halves, the small ones first.
var factorSizes = [][2]int{
	{1, 1}, {2, 2}, {3, 7}, {7, 3}, {1, 9}, {9, 1}, {33, 31}, {31, 37},
	{32, 32}, {33, 33}, {64, 64}, {65, 66}, {67, 64}, {97, 97}, {5, 130}, {130, 5}, {150, 70}, {70, 150}, {193, 193},
}

// permuted is a with the exchanges of pivots.
func permuted(rows, cols int, a []float32, pivots []int32) []float32 {
	p := clone(a)
	for i, r := range pivots {
		for j := range cols {
			p[i*cols+j], p[int(r)*cols+j] = p[int(r)*cols+j], p[i*cols+j]
		}
	}
	return p
}

// factorsLU returns L and U.
func factorsLU(rows, cols int, lu []float32) (l, u *mat.Dense) {
	k := min(rows, cols)
	l, u = mat.NewDense(rows, k, nil), mat.NewDense(k, cols, nil)
	for i := range rows {
		for j := range cols {
			v := float64(lu[i*cols+j])
			switch {
			case i > j:
				l.Set(i, j, v)
			case i == j:
				l.Set(i, j, 1)
				u.Set(i, j, v)
			default:
				u.Set(i, j, v)
			}
		}
	}
	return l, u
}

// checkLU holds factors to their bound: P A - L U is at most gamma(k) |L| |U| in each element, and |L| at most 1.
func checkLU(t *testing.T, what string, rows, cols int, a, lu []float32, pivots []int32) {
	t.Helper()
	for i, r := range pivots {
		require.GreaterOrEqual(t, int(r), i, "%s: pivot %d", what, i)
		require.Less(t, int(r), rows, "%s: pivot %d", what, i)
	}
	l, u := factorsLU(rows, cols, lu)
	require.LessOrEqual(t, mat.Max(absolute(l)), 1.0, "%s: an element of L", what)
	want := wide(rows, cols, permuted(rows, cols, a, pivots))
	near(t, what, product(l, u), want, product(absolute(l), absolute(u)), gamma(min(rows, cols)))
}

func TestLUIsBackwardStable(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		all := factorSizes
		if dev.Slow {
			all = factorSizes[:8]
		}
		for _, s := range all {
			rows, cols := s[0], s[1]
			a := kerneltest.Uniform[float32](rows * cols)
			for who, factor := range map[string]func(lu []float32, pivots []int32) error{
				"LU": func(lu []float32, pivots []int32) error { return dense.LU(t.Context(), dev, rows, cols, lu, pivots) },
				"serial": func(lu []float32, pivots []int32) error {
					serial.LU(rows, cols, lu, pivots)
					return nil
				},
			} {
				lu, pivots := clone(a), make([]int32, min(rows, cols))
				require.NoError(t, factor(lu, pivots))
				checkLU(t, fmt.Sprint(dev.Name, ", ", who, s), rows, cols, a, lu, pivots)
			}
		}
	}
}

// The Hilbert matrix has hardly a solution in float32, but its factors are as good as others.
func TestLUOfHilbertMatrices(t *testing.T) {
	for _, n := range []int{5, 12, 40} {
		a := hilbert(n)
		lu, pivots := clone(a), make([]int32, n)
		if err := dense.LU(t.Context(), gocuda.Default(), n, n, lu, pivots); err != nil {
			require.ErrorIs(t, err, dense.ErrSingular)
		}
		checkLU(t, fmt.Sprint("Hilbert ", n), n, n, a, lu, pivots)
	}
}

// Elimination without rounding: the factors are those of the textbook, and the largest element is
// found wherever it is, the first of several equal ones.
func TestLUOfKnownFactors(t *testing.T) {
	a := []float32{
		1, 2, 4,
		-4, 0, 8,
		4, 8, 0,
	}
	pivots := make([]int32, 3)
	require.NoError(t, dense.LU(t.Context(), gocuda.Default(), 3, 3, a, pivots))
	want := []float32{
		-4, 0, 8,
		-1, 8, 8,
		-0.25, 0.25, 4,
	}
	assert.Equal(t, want, a)
	assert.Equal(t, []int32{1, 2, 2}, pivots)
}

func TestLUOfSingularMatrices(t *testing.T) {
	for _, s := range [][2]int{{1, 1}, {2, 2}, {40, 40}, {70, 33}, {33, 70}} {
		rows, cols := s[0], s[1]
		for name, a := range map[string][]float32{"zero": make([]float32, rows*cols), "of rank 1": powers(rows, cols)} {
			lu, pivots := clone(a), make([]int32, min(rows, cols))
			err := dense.LU(t.Context(), gocuda.Default(), rows, cols, lu, pivots)
			if name == "of rank 1" && rows == 1 {
				assert.NoError(t, err)
				continue
			}
			want := map[string]string{"zero": "pivot 0 is 0", "of rank 1": "pivot 1 is 0"}[name]
			assert.ErrorIs(t, err, dense.ErrSingular, "%s, %v", name, s)
			assert.EqualError(t, err, "kernels: LU: the matrix is singular: "+want, "%s, %v", name, s)
			checkLU(t, name, rows, cols, a, lu, pivots)
			assert.False(t, serial.LU(rows, cols, clone(a), pivots), "%s, %v: serial finds it regular", name, s)
		}
	}
}

// NaN anywhere must not lead outside the matrix.
func TestLUOfNaN(t *testing.T) {
	const n = 50
	a := kerneltest.Uniform[float32](n * n)
	for i := range n {
		a[i*n] = float32(math.NaN())
	}
	if err := dense.LU(t.Context(), gocuda.Default(), n, n, a, make([]int32, n)); err != nil {
		assert.ErrorIs(t, err, dense.ErrSingular)
	}
}

// The computed x solves (A+E) x = b with |E| at most bound, so it differs from the solution, which
// gonum finds in float64, by at most |A⁻¹| bound |x|.
func checkSolution(t *testing.T, what string, n, columns int, a, bound *mat.Dense, x, b []float32, want *mat.Dense) {
	t.Helper()
	got := wide(n, columns, x)
	near(t, what+", residual", product(a, got), wide(n, columns, b), product(bound, absolute(got)), 1)
	var inverse mat.Dense
	require.NoError(t, inverse.Inverse(a))
	near(t, what+", solution", got, want, product(absolute(&inverse), bound, absolute(got)), 1+1e-6)
}

func TestLUSolveAgainstGonum(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{1, 2, 7, 31, 33, 64, 65, 131}, 4) {
			for _, columns := range []int{1, 3, 70} {
				a, b := kerneltest.Uniform[float32](n*n), kerneltest.Uniform[float32](n*columns + 1)[1:]
				for i := range n {
					a[i*n+i] += 2
				}
				lu, pivots := clone(a), make([]int32, n)
				require.NoError(t, dense.LU(t.Context(), dev, n, n, lu, pivots))
				x, plain := clone(b), clone(b)
				require.NoError(t, dense.LUSolve(t.Context(), dev, n, columns, lu, pivots, x))
				serial.LUSolve(n, columns, lu, pivots, plain)
				var f mat.LU
				f.Factorize(wide(n, n, a))
				var want mat.Dense
				require.NoError(t, f.SolveTo(&want, false, wide(n, columns, b)))
				// |E| is at most gamma(3n) Pᵀ |L| |U|: undo the exchanges, from the last to the first.
				l, u := factorsLU(n, n, lu)
				bound := product(absolute(l), absolute(u))
				bound.Scale(gamma(3*n), bound)
				for i := n - 1; i >= 0; i-- {
					r, other := mat.Row(nil, i, bound), mat.Row(nil, int(pivots[i]), bound)
					bound.SetRow(i, other)
					bound.SetRow(int(pivots[i]), r)
				}
				what := fmt.Sprint(dev.Name, " ", n, " ", columns)
				checkSolution(t, what, n, columns, wide(n, n, a), bound, x, b, &want)
				checkSolution(t, what+", serial", n, columns, wide(n, n, a), bound, plain, b, &want)
			}
		}
	}
}

func TestLUOfNothing(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	assert.NoError(t, errors.Join(
		dense.LU(ctx, dev, 0, 0, nil, nil), dense.LU(ctx, dev, 0, 5, nil, nil), dense.LU(ctx, dev, 5, 0, nil, nil),
		dense.LUSolve(ctx, dev, 0, 0, nil, nil, nil), dense.LUSolve(ctx, dev, 0, 3, nil, nil, nil),
		dense.LUSolve(ctx, dev, 1, 0, []float32{1}, []int32{0}, nil),
	))
}

func TestLURefusesWrongLengths(t *testing.T) {
	v, p := make([]float32, 9), make([]int32, 3)
	ctx, dev := t.Context(), gocuda.Default()
	mustBeInvalid(t, map[string]error{
		"a":               dense.LU(ctx, dev, 3, 3, v[:8], p),
		"pivots":          dense.LU(ctx, dev, 3, 2, v[:6], p),
		"negative":        dense.LU(ctx, dev, -3, -3, v, p),
		"overflow":        dense.LU(ctx, dev, math.MinInt, 2, nil, nil),
		"solve, a":        dense.LUSolve(ctx, dev, 3, 1, v[:8], p, v[:3]),
		"solve, b":        dense.LUSolve(ctx, dev, 3, 1, v, p, v[:2]),
		"solve, pivots":   dense.LUSolve(ctx, dev, 3, 1, v, p[:2], v[:3]),
		"solve, negative": dense.LUSolve(ctx, dev, 3, -1, v, p, nil),
	})
}
