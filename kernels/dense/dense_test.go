package dense_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/dense"
	"github.com/gocuda/gocuda/kernels/internal/kerneltest"
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
	rows, cols := want.Dims()
	for i := range rows {
		for j := range cols {
			if d := math.Abs(got.At(i, j) - want.At(i, j)); !(d <= factor*scale.At(i, j)) {
				t.Fatalf("%s: element (%d, %d) is %v, want %v within %v", what, i, j, got.At(i, j), want.At(i, j), factor*scale.At(i, j))
			}
		}
	}
}

// hilbert is the Hilbert matrix, 1/(i+j+1), the standard example of one that is nearly singular.
func hilbert(n int) []float32 {
	v := make([]float32, n*n)
	for i := range v {
		v[i] = 1 / float32(i/n+i%n+1)
	}
	return v
}

// powers returns a matrix of rank 1 whose elements and their quotients are powers of 2, so that elimination is exact.
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
		if !errors.Is(err, gocuda.ErrInvalidValue) {
			t.Errorf("%s: %v", name, err)
		}
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
	if err := dense.LU(t.Context(), gocuda.Default(), n, n, lu, pivots); err != nil {
		t.Fatal(err)
	}
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
		for _, err := range []error{
			dense.MatMul(ctx, on, dense.Prefetched, n, n, n, a, b, r["matmul"]),
			dense.MatMulColumns(ctx, on, n, n, n, a, b, r["columns"]),
			dense.SGEMM(ctx, on, dense.Trans, dense.Trans, n, n, n, 2, a, n, b, n, 0, r["sgemm"], n),
			dense.Add(ctx, on, n, n, a, b, r["add"]),
			dense.LUSolve(ctx, on, n, n, lu, pivots, r["lu"]),
			dense.CholeskySolve(ctx, on, n, n, a, r["cholesky"]),
			dense.QR(ctx, on, n, n, r["qr"], r["tau"]),
			dense.QRMultiply(ctx, on, dense.Trans, n, n, r["qr"], r["tau"], n, r["qr*"]),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		return r
	}
	want := run(gocuda.Default())
	s := gocuda.Default().NewStream()
	defer s.Close()
	got := run(kernels.OnStream(s))
	if err := s.Synchronize(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, w := range want {
		for i := range w {
			if got[name][i] != w[i] {
				t.Fatalf("%s: element %d is %v, and %v on a device", name, i, got[name][i], w[i])
			}
		}
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
		if !errors.Is(err, gocuda.ErrNotSupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
