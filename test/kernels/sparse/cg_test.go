package sparse_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/sparse"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// diagonal makes a matrix of its diagonal.
func diagonal(d ...float32) *sparse.CSR {
	m := &sparse.CSR{Rows: len(d), Cols: len(d), RowPtr: make([]int32, 1), Val: d}
	for i := range d {
		m.Col, m.RowPtr = append(m.Col, int32(i)), append(m.RowPtr, int32(i+1))
	}
	return m
}

// residual is b - m x in float64.
func residual(m *sparse.CSR, b, x []float32) []float64 {
	r := wide(b)
	for i := range r {
		for k := m.RowPtr[i]; k < m.RowPtr[i+1]; k++ {
			r[i] -= float64(m.Val[k]) * float64(x[m.Col[k]])
		}
	}
	return r
}

// gap bounds how far the residual that the method carries along can be from the true one after k
// iterations from x = 0, for a matrix of norm at most size and at most e elements a row. Each
// iteration rounds x; alpha p, which is at most 2|x| long; q = m p in e+1 roundings, alpha q, and
// r, which is at most size |x|. The lengths of x grow from iteration to iteration (Steihaug 1983),
// so the last x, with a margin of 1.5 for all that, is the longest.
func gap(k, e int, size float64, x []float32) float64 {
	return 1.5 * float64(k) * 0x1p-24 * float64(1+2+2*(e+1)+2+1) * size * floats.Norm(wide(x), 2)
}

// chebyshev is the number of iterations after which the residual is at most tol of the first, in
// exact arithmetic, for a condition number k: the error in the norm of the matrix falls by
// 2((√k-1)/(√k+1))^n in n iterations, and √k is between that norm and the length of the residual.
func chebyshev(k, tol float64) int {
	r := math.Sqrt(k)
	return int(math.Ceil(math.Log(2*r/tol) / math.Log((r+1)/(r-1))))
}

// grid makes the 5-point Laplacian and its least and greatest eigenvalue, which are known.
func grid(t *testing.T, w, h int) (m *sparse.CSR, least, greatest float64) {
	m, err := sparse.Laplacian(w, h)
	require.NoError(t, err)
	cw, ch := math.Cos(math.Pi/float64(w+1)), math.Cos(math.Pi/float64(h+1))
	return m, 4 - 2*cw - 2*ch, 4 + 2*cw + 2*ch
}

func TestConjugateGradientsAgainstCholesky(t *testing.T) {
	const tol = 1e-5
	for _, dev := range kerneltest.Devices(t) {
		for _, s := range [][2]int{{1, 1}, {2, 1}, {5, 3}, {16, 16}, {23, 17}} {
			if dev.Slow && s[0] > 5 {
				continue
			}
			m, least, greatest := grid(t, s[0], s[1])
			n := m.Rows
			b := kerneltest.Uniform[float32](n)
			var factor mat.Cholesky
			require.True(t, factor.Factorize(mat.NewSymDense(n, dense(m).RawMatrix().Data)), "gonum does not find it positive definite")
			var want mat.VecDense
			require.NoError(t, factor.SolveVecTo(&want, mat.NewVecDense(n, wide(b))))
			length := floats.Norm(wide(b), 2)
			for _, jacobi := range []bool{false, true} {
				x := make([]float32, n)
				got, err := sparse.ConjugateGradients(t.Context(), dev, m, b, x, sparse.Options{Tolerance: tol, Jacobi: jacobi})
				require.NoError(t, err, "%s, %v, Jacobi %v", dev.Name, s, jacobi)
				// The diagonal is constant, so Jacobi changes nothing but rounding.
				if n > 1 {
					assert.LessOrEqual(t, got.Iterations, min(n+2, chebyshev(greatest/least, tol)+2), "%s, %v, Jacobi %v: iterations", dev.Name, s, jacobi)
				}
				// The error is m^-1 times the residual.
				bound := tol*length + gap(got.Iterations, 5, greatest, x)
				assert.LessOrEqual(t, floats.Distance(wide(x), want.RawVector().Data, 2), bound/least, "%s, %v, Jacobi %v: error", dev.Name, s, jacobi)
				// The residual of the result is the true one, but for its rounding.
				assert.InDelta(t, floats.Norm(residual(m, b, x), 2)/length, got.Residual, gap(1, 5, greatest, x)/length, "%s, %v, Jacobi %v: the residual", dev.Name, s, jacobi)
			}
			x := make([]float32, n)
			got, err := serial.ConjugateGradients(m, b, x, sparse.Options{Tolerance: tol})
			require.NoError(t, err)
			// The rounding of x is all that float32 adds.
			assert.LessOrEqual(t, floats.Distance(wide(x), want.RawVector().Data, 2), 1.01*tol*length/least+0x1p-24*floats.Norm(wide(x), 2), "serial, %v: error", s)
			assert.LessOrEqual(t, got.Iterations, n+1, "serial, %v: iterations", s)
		}
	}
}

// quotients are the solutions for a diagonal matrix.
func quotients(b, d []float32) []float32 {
	q := make([]float32, len(b))
	for i := range q {
		q[i] = b[i] / d[i]
	}
	return q
}

// With as many different eigenvalues as iterations the method is done, whatever the size.
func TestConjugateGradientsTakesAsManyIterationsAsEigenvalues(t *testing.T) {
	d := make([]float32, 3000)
	b := make([]float32, len(d))
	for i := range d {
		d[i], b[i] = float32(i%3+1), float32(i%7)-3
	}
	x := make([]float32, len(d))
	got, err := sparse.ConjugateGradients(t.Context(), gocuda.Default(), diagonal(d...), b, x, sparse.Options{Tolerance: 1e-4})
	assert.NoError(t, err, "%+v", got)
	assert.Equal(t, 3, got.Iterations, "%+v", got)
	// |b| is at most 3√n, and the least eigenvalue 1.
	slicetest.InDelta(t, quotients(b, d), x, 1e-4*3*math.Sqrt(float64(len(d)))+1e-3)
	// An eigenvector is one: b = λ v has the solution v. Of the Laplacian of a grid they are
	// products of sines.
	const w, h, k, l = 19, 12, 9, 5
	m, _, _ := grid(t, w, h)
	lambda := 4 - 2*math.Cos(math.Pi*k/(w+1)) - 2*math.Cos(math.Pi*l/(h+1))
	v := make([]float64, m.Rows)
	b, x = make([]float32, m.Rows), make([]float32, m.Rows)
	for i := range v {
		v[i] = math.Sin(math.Pi*k*float64(i%w+1)/(w+1)) * math.Sin(math.Pi*l*float64(i/w+1)/(h+1))
		b[i] = float32(lambda * v[i])
	}
	got, err = sparse.ConjugateGradients(t.Context(), gocuda.Default(), m, b, x, sparse.Options{Tolerance: 1e-4})
	assert.NoError(t, err, "%+v", got)
	assert.Equal(t, 1, got.Iterations, "%+v", got)
	assert.LessOrEqual(t, floats.Distance(wide(x), v, 2), 1e-4*floats.Norm(v, 2))
}

// With Jacobi a diagonal matrix is solved at once, however much its elements differ.
func TestJacobiSolvesADiagonal(t *testing.T) {
	d, b := make([]float32, 400), make([]float32, 400)
	for i := range d {
		d[i] = float32(math.Pow(1.05, float64(i))) // to 3e8
		b[i] = float32(i%5) - 2
	}
	x := make([]float32, len(d))
	got, err := sparse.ConjugateGradients(t.Context(), gocuda.Default(), diagonal(d...), b, x, sparse.Options{Tolerance: 1e-5, Jacobi: true})
	assert.NoError(t, err, "%+v", got)
	assert.Equal(t, 1, got.Iterations, "%+v", got)
	// alpha is the quotient of two sums that are the same but for their rounding, some 42 of 2^-24
	// each.
	want := quotients(b, d)
	slicetest.Within(t, want, x, func(i int) float64 { return 100 * 0x1p-24 * math.Abs(float64(want[i])) })
}

// The Laplacian of a closed surface has the constants in its kernel. What it makes of f has f as a
// solution, up to one.
func TestConjugateGradientsOnAClosedSurface(t *testing.T) {
	s, err := sparse.Torus(12, 7, 0.4)
	require.NoError(t, err)
	m, err := s.GraphLaplacian()
	require.NoError(t, err)
	f := make([]float32, m.Rows)
	mean := 0.0
	for i := range f {
		f[i] = float32(i * i % 17)
		mean += float64(f[i]) / float64(len(f))
	}
	b, x := make([]float32, m.Rows), make([]float32, m.Rows)
	serial.SpMV(m, f, b) // exact
	const tol = 1e-5
	got, err := sparse.ConjugateGradients(t.Context(), gocuda.Default(), m, b, x, sparse.Options{Tolerance: tol})
	require.NoError(t, err)
	// x stays orthogonal to the constants, but for rounding. The least other eigenvalue is that of
	// one wave around the ring.
	least := 4 - 4*math.Cos(2*math.Pi/12)
	bound := (tol*floats.Norm(wide(b), 2) + gap(got.Iterations, 7, 9, x)) / least
	want := wide(f)
	floats.AddConst(-mean, want)
	slicetest.InDelta(t, want, x, bound)
}

func TestConjugateGradientsBeginsAtX(t *testing.T) {
	m, _, _ := grid(t, 9, 8)
	x, b := make([]float32, m.Rows), make([]float32, m.Rows)
	for i := range x {
		x[i] = float32(i % 11)
	}
	serial.SpMV(m, x, b)
	got, err := sparse.ConjugateGradients(t.Context(), gocuda.Default(), m, b, x, sparse.Options{})
	assert.NoError(t, err)
	assert.Equal(t, sparse.Result{}, got)
	assert.Equal(t, float32(10), x[10])
	clear(b)
	got, err = sparse.ConjugateGradients(t.Context(), gocuda.Default(), m, b, x, sparse.Options{})
	assert.NoError(t, err)
	assert.Equal(t, sparse.Result{}, got)
	assert.Zero(t, x[10])
	got, err = sparse.ConjugateGradients(t.Context(), gocuda.Default(), &sparse.CSR{}, nil, nil, sparse.Options{Jacobi: true})
	assert.NoError(t, err, "no equations")
}

// A first guess that is far off leaves its rounding in x, but not in the residual that the method
// carries along. The result has the true one.
func TestResidualIsTheTrueOne(t *testing.T) {
	const tol = 1e-5
	m, _, greatest := grid(t, 7, 6)
	b, x := kerneltest.Uniform[float32](m.Rows), make([]float32, m.Rows)
	for i := range x {
		x[i] = float32(i*i%13)*1e3 + 0.1
	}
	got, err := sparse.ConjugateGradients(t.Context(), gocuda.Default(), m, b, x, sparse.Options{Tolerance: tol})
	require.NoError(t, err)
	length := floats.Norm(wide(b), 2)
	r := floats.Norm(residual(m, b, x), 2) / length
	require.GreaterOrEqual(t, r, 10*tol, "this shows nothing")
	assert.InDelta(t, r, got.Residual, gap(1, 5, greatest, x)/length, "the residual")
}

func TestConjugateGradientsFails(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	m, _, _ := grid(t, 30, 30)
	b, x := kerneltest.Uniform[float32](m.Rows), make([]float32, m.Rows)
	got, err := sparse.ConjugateGradients(ctx, dev, m, b, x, sparse.Options{Tolerance: 1e-6, MaxIterations: 4})
	r := floats.Norm(residual(m, b, x), 2) / floats.Norm(wide(b), 2)
	assert.ErrorIs(t, err, sparse.ErrNotConverged, "%+v", got)
	assert.Equal(t, 4, got.Iterations, "%+v", got)
	assert.InDelta(t, r, got.Residual, 1e-5)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name string
		m    *sparse.CSR
		b    []float32
		want error
	}{
		{"negative", diagonal(-1, -1), []float32{1, 2}, sparse.ErrNotPositiveDefinite},
		{"indefinite", diagonal(1, -1), []float32{1, 1}, sparse.ErrNotPositiveDefinite},
		{"zero", &sparse.CSR{Rows: 2, Cols: 2, RowPtr: make([]int32, 3)}, []float32{1, 1}, sparse.ErrNotPositiveDefinite},
		{"not a number", diagonal(1, nan), []float32{1, 1}, sparse.ErrNotConverged},
		{"b is not a number", diagonal(1, 1), []float32{1, nan}, sparse.ErrNotConverged},
		{"large matrix", diagonal(3e38, 1), []float32{1e18, 1}, sparse.ErrNotConverged},
		{"large b", diagonal(1, 1), []float32{1e30, 1}, gocuda.ErrInvalidValue},
		{"infinite b", diagonal(1, 1), []float32{inf, 1}, gocuda.ErrInvalidValue},
		{"small b", diagonal(1, 1), []float32{1e-30, 0}, gocuda.ErrInvalidValue},
	} {
		for _, jacobi := range []bool{false, true} {
			_, err := sparse.ConjugateGradients(ctx, dev, c.m, c.b, make([]float32, 2), sparse.Options{Jacobi: jacobi})
			want := c.want
			if jacobi && c.name == "not a number" {
				want = sparse.ErrNotPositiveDefinite // the diagonal shows it
			}
			if jacobi && c.name == "large matrix" {
				continue // 1e18/3e38 is within range
			}
			assert.ErrorIs(t, err, want, "%s, Jacobi %v", c.name, jacobi)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = sparse.ConjugateGradients(cancelled, dev, m, b, x, sparse.Options{})
	assert.ErrorIs(t, err, context.Canceled)
	stream := gocuda.Default().NewStream()
	defer stream.Close()
	_, err = sparse.ConjugateGradients(ctx, kernels.OnStream(stream), m, b, x, sparse.Options{})
	assert.ErrorIs(t, err, gocuda.ErrNotSupported)
	wrong := diagonal(1, 1)
	wrong.Cols = 3
	for name, f := range map[string]func() (sparse.Result, error){
		"no matrix": func() (sparse.Result, error) { return sparse.ConjugateGradients(ctx, dev, nil, b, x, sparse.Options{}) },
		"short b": func() (sparse.Result, error) {
			return sparse.ConjugateGradients(ctx, dev, m, b[1:], x, sparse.Options{})
		},
		"short x": func() (sparse.Result, error) {
			return sparse.ConjugateGradients(ctx, dev, m, b, x[1:], sparse.Options{})
		},
		"not square": func() (sparse.Result, error) {
			return sparse.ConjugateGradients(ctx, dev, wrong, b[:2], x[:3], sparse.Options{})
		},
		"tolerance": func() (sparse.Result, error) {
			return sparse.ConjugateGradients(ctx, dev, m, b, x, sparse.Options{Tolerance: math.NaN()})
		},
		"iterations": func() (sparse.Result, error) {
			return sparse.ConjugateGradients(ctx, dev, m, b, x, sparse.Options{MaxIterations: -1})
		},
	} {
		_, err := f()
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
}
