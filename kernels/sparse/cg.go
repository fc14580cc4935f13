package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Linear equations A x = b with a symmetric, positive definite matrix, by conjugate gradients
// (Hestenes and Stiefel, 1952; with a preconditioner as in Golub and Van Loan, Matrix Computations,
// section 11.5). The text names it as what a product of a matrix and a vector is for: of the matrix
// the method needs nothing else. It teaches a program of many small kernels: a product, a dot
// product, two axpy with another dot product in one kernel, and xpay. The vectors stay where they
// are, and two numbers an iteration come back to the host: how far to go, and how the next
// direction is made of the last.

// Errors of [ConjugateGradients]. Its errors say more.
var (
	ErrNotConverged        = errors.New("conjugate gradients: not converged")
	ErrNotPositiveDefinite = kernels.ErrNotPositiveDefinite
)

// Options are the options of [ConjugateGradients]. The zero value asks for the defaults.
type Options struct {
	// Tolerance is the length of the residual b - m x, as a part of the length of b, at which to
	// stop: 0 means 1e-5.
	Tolerance float64

	// MaxIterations is the most iterations to take. 0 means twice the number of rows and ten more:
	// without rounding as many as there are rows would do.
	MaxIterations int

	// Jacobi divides residuals by the diagonal of the matrix before they become directions. That
	// saves iterations where the elements of the diagonal differ much.
	Jacobi bool
}

// A Result is what [ConjugateGradients] did.
type Result struct {
	Iterations int

	// Residual is the length of b - m x for the x returned, as a part of the length of b.
	Residual float64
}

// ConjugateGradients solves m x = b. m is symmetric and positive definite, which is not checked;
// where it turns out that it is not, the error is [ErrNotPositiveDefinite]. A semidefinite matrix,
// such as the Laplacian of a closed surface, will do if b has no part in its kernel. x holds a
// first guess, and then the solution.
//
// The method carries the residual along and stops when that is as small as Options.Tolerance says.
// If it does not get there in Options.MaxIterations, or a number leaves the range of float32, the
// error is [ErrNotConverged]; x and the result are then of the last iteration. Result.Residual is
// computed afresh at the end, and can be somewhat larger: rounding x to float32 alone leaves about
// 2^-24 |m| |x| / |b|, which for matrices of a bad condition is more than many a tolerance.
//
// The squares of the elements of b must be in the range of float32. The slices must not overlap.
//
// ConjugateGradients reads results back, so it can't be queued.
func ConjugateGradients(ctx context.Context, on kernels.Launcher, m *CSR, b, x []float32, o Options) (Result, error) {
	const what = "conjugate gradients"
	if err := kernels.Waits(what, on); err != nil {
		return Result{}, err
	}
	if err := equations(what, m, b, x, &o); err != nil {
		return Result{}, err
	}
	n := m.Rows
	s := solver{ctx: ctx, on: on, m: m, sums: make([]float32, dotParts(n))}
	r, p, q := make([]float32, n), make([]float32, n), make([]float32, n)

	bb := s.dot(b, b)
	if bb == 0 && s.err == nil { // then the solution is 0, unless it only looks so
		for _, v := range b {
			if v != 0 {
				return Result{}, check.Invalid(what, "the squares of b are too small for float32")
			}
		}
		clear(x)
		return Result{}, nil
	}
	if math.IsInf(bb, 0) {
		return Result{}, check.Invalid(what, "the squares of b are too large for float32")
	}
	residual := func() float64 { // into r, and its length
		s.product(x, q)
		copy(r, b)
		s.axpy(-1, q, r)
		return math.Sqrt(s.dot(r, r) / bb)
	}
	var inverse []float32 // of the diagonal
	z := r                // the residual after the preconditioner
	if o.Jacobi {
		var err error
		if inverse, err = inverseDiagonal(m); err != nil {
			return Result{}, err
		}
		z = make([]float32, n)
	}

	left := residual()
	rz := left * left * bb
	if o.Jacobi {
		s.times(inverse, r, z)
		rz = s.dot(r, z)
	}
	copy(p, z)
	var why error
	done := Result{Residual: left}
	for s.err == nil && left > o.Tolerance {
		if done.Iterations == o.MaxIterations {
			why = fmt.Errorf("%w after %d iterations", ErrNotConverged, done.Iterations)
			break
		}
		s.product(p, q)
		pq := s.dot(p, q)
		if pq <= 0 {
			why = fmt.Errorf("conjugate gradients: %w: a direction p has p·mp = %g", ErrNotPositiveDefinite, pq)
			break
		}
		alpha := rz / pq
		rr := s.advance(float32(alpha), p, q, x, r)
		done.Iterations++
		left = math.Sqrt(rr / bb)
		next := rr
		if o.Jacobi {
			s.times(inverse, r, z)
			next = s.dot(r, z)
		}
		s.xpay(float32(next/rz), z, p)
		rz = next
	}
	if math.IsNaN(left) || math.IsInf(left, 0) {
		why = fmt.Errorf("%w: numbers left the range of float32 in iteration %d", ErrNotConverged, done.Iterations)
	}
	if done.Iterations > 0 {
		done.Residual = residual()
	}
	if s.err != nil {
		return Result{Iterations: done.Iterations}, s.err
	}
	return done, why
}

// A solver launches the kernels of ConjugateGradients. After an error it launches no more.
type solver struct {
	ctx  context.Context
	on   kernels.Launcher
	m    *CSR
	sums []float32
	err  error
}

func (s *solver) product(x, y []float32) {
	if s.err == nil {
		s.err = SpMV(s.ctx, s.on, s.m, x, y)
	}
}

func (s *solver) axpy(a float32, x, y []float32) {
	if s.err == nil {
		s.err = AXPY(s.ctx, s.on, a, x, y)
	}
}

func (s *solver) xpay(a float32, x, y []float32) {
	if s.err == nil {
		s.err = XPAY(s.ctx, s.on, a, x, y)
	}
}

func (s *solver) times(x, y, z []float32) {
	if s.err == nil {
		n := len(x)
		s.err = elements(s.ctx, s.on, n, func(first int) gocuda.Kernel { return timesKernel(first, n, x, y, z) })
	}
}

func (s *solver) dot(x, y []float32) float64 {
	if s.err != nil {
		return 0
	}
	var d float64
	n, sums := len(x), s.sums
	d, s.err = total(s.ctx, s.on, n, sums, func(first int) gocuda.Kernel { return dotKernel(first, n, x, y, sums) })
	return d
}

// advance goes a steps along p, and returns r·r.
func (s *solver) advance(a float32, p, q, x, r []float32) float64 {
	if s.err != nil {
		return 0
	}
	var d float64
	n, sums := len(x), s.sums
	d, s.err = total(s.ctx, s.on, n, sums, func(first int) gocuda.Kernel { return advanceKernel(first, n, a, p, q, x, r, sums) })
	return d
}

// equations returns an error unless m x = b is a system of equations that the methods here take,
// and fills in the options that are 0.
func equations(what string, m *CSR, b, x []float32, o *Options) error {
	if err := product(what, m, x, b); err != nil {
		return err
	}
	if m.Rows != m.Cols {
		return check.Invalid(what, "%d rows and %d columns", m.Rows, m.Cols)
	}
	if !(o.Tolerance >= 0) || o.MaxIterations < 0 {
		return check.Invalid(what, "a tolerance of %v and at most %d iterations", o.Tolerance, o.MaxIterations)
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-5
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = 2*m.Rows + 10
	}
	return nil
}

// inverseDiagonal returns 1 over each element of the diagonal, all of which a positive definite
// matrix has, and positive.
func inverseDiagonal(m *CSR) ([]float32, error) {
	inverse := make([]float32, m.Rows)
	for i := range inverse {
		var d float32
		for k := m.RowPtr[i]; k < m.RowPtr[i+1]; k++ {
			if int(m.Col[k]) == i {
				d += m.Val[k]
			}
		}
		if !(d > 0) {
			return nil, fmt.Errorf("conjugate gradients: %w: %v is in its diagonal", ErrNotPositiveDefinite, d)
		}
		inverse[i] = 1 / d
	}
	return inverse, nil
}
