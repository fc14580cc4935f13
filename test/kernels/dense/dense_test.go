package dense_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/dense"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// roundoff is u, the unit roundoff of float32.
const roundoff = 0x1p-24

// gamma is k u/(1-k u): the relative error that k roundings can have together.
func gamma(k int) float64 { return float64(k) * roundoff / (1 - float64(k)*roundoff) }

// wide returns a matrix of float64 with the numbers of v.
func wide(rows, cols int, v []float32) *mat.Dense {
	if rows == 0 || cols == 0 {
		return &mat.Dense{}
	}
	m := mat.NewDense(rows, cols, nil)
	m.Apply(func(i, j int, _ float64) float64 { return float64(v[i*cols+j]) }, m)
	return m
}

func absolute(m mat.Matrix) *mat.Dense {
	var r mat.Dense
	r.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, m)
	return &r
}

func product(ms ...mat.Matrix) *mat.Dense {
	var r mat.Dense
	r.Product(ms...)
	return &r
}

// near fails if an element of got differs from want by more than factor times that of scale.
func near(t *testing.T, what string, got, want, scale mat.Matrix, factor float64) {
	t.Helper()
	elements := func(m mat.Matrix) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data }
	s := elements(scale)
	slicetest.Within(t, elements(want), elements(got), func(i int) float64 { return factor * s[i] }, what)
}

// hilbert is the Hilbert matrix, 1/(i+j+1), the standard example of one that is nearly singular.
func hilbert(n int) []float32 {
	v := make([]float32, n*n)
	for i := range v {
		v[i] = 1 / float32(i/n+i%n+1)
	}
	return v
}

// powers returns a matrix of rank 1 whose elements and their quotients are powers of 2, so that
// elimination is exact.
func powers(rows, cols int) []float32 {
	v := make([]float32, rows*cols)
	for i := range v {
		v[i] = float32(math.Ldexp(1, i/max(cols, 1)%5-i%max(cols, 1)%3))
	}
	return v
}

func clone(v []float32) []float32 { return append([]float32(nil), v...) }

func mustBeInvalid(t *testing.T, errs map[string]error) {
	t.Helper()
	for name, err := range errs {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
}

// What queues must give on a stream what it gives on a device.
func TestOnStream(t *testing.T) {
	const n = 70
	a, b := kerneltest.Uniform[float32](n*n), kerneltest.Uniform[float32](n*n + 1)[:n*n]
	for i := range n {
		a[i*n+i] += n // dominant, so that Cholesky's U below is the factor of something
	}
	pivots := make([]int32, n)
	lu := clone(a)
	require.NoError(t, dense.LU(t.Context(), gocuda.Default(), n, n, lu, pivots))
	run := func(on kernels.Launcher) map[string][]float32 {
		ctx := context.Background()
		r := map[string][]float32{}
		for _, name := range []string{"matmul", "columns", "sgemm", "add"} {
			r[name] = make([]float32, n*n)
		}
		for _, name := range []string{"lu", "cholesky", "qr*"} {
			r[name] = clone(b)
		}
		r["qr"], r["tau"] = clone(a), make([]float32, n)
		require.NoError(t, errors.Join(
			dense.MatMul(ctx, on, dense.Prefetched, n, n, n, a, b, r["matmul"]),
			dense.MatMulColumns(ctx, on, n, n, n, a, b, r["columns"]),
			dense.SGEMM(ctx, on, dense.Trans, dense.Trans, n, n, n, 2, a, n, b, n, 0, r["sgemm"], n),
			dense.Add(ctx, on, n, n, a, b, r["add"]),
			dense.LUSolve(ctx, on, n, n, lu, pivots, r["lu"]),
			dense.CholeskySolve(ctx, on, n, n, a, r["cholesky"]),
			dense.QR(ctx, on, n, n, r["qr"], r["tau"]),
			dense.QRMultiply(ctx, on, dense.Trans, n, n, r["qr"], r["tau"], n, r["qr*"]),
		))
		return r
	}
	want := run(gocuda.Default())
	s := gocuda.Default().NewStream()
	defer s.Close()
	got := run(kernels.OnStream(s))
	require.NoError(t, s.Synchronize(t.Context()))
	for name, w := range want {
		slicetest.Equal(t, w, got[name], name)
	}
}

func TestWhatReadsBackRefusesStreams(t *testing.T) {
	s := gocuda.Default().NewStream()
	defer s.Close()
	on := kernels.OnStream(s)
	for name, err := range map[string]error{
		"LU":            dense.LU(t.Context(), on, 0, 0, nil, nil),
		"Cholesky":      dense.Cholesky(t.Context(), on, 0, nil),
		"least squares": dense.LeastSquares(t.Context(), on, 0, 0, 0, nil, nil),
	} {
		assert.ErrorIs(t, err, gocuda.ErrNotSupported, name)
	}
}
