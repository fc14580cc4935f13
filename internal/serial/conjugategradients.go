package serial

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/kernels/sparse"
)

// ConjugateGradients solves m x = b, all in float64 but for m, b and x, and without preconditioner:
// the reference of [sparse.ConjugateGradients]. Zero options mean the same defaults.
func ConjugateGradients(m *sparse.CSR, b, x []float32, o sparse.Options) (sparse.Result, error) {
	if o.Tolerance == 0 {
		o.Tolerance = 1e-5
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = 2*m.Rows + 10
	}
	n := m.Rows
	u, r, p, q := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	times := func(x, y []float64) {
		for i := range y {
			y[i] = 0
			for k := m.RowPtr[i]; k < m.RowPtr[i+1]; k++ {
				y[i] += float64(m.Val[k]) * x[m.Col[k]]
			}
		}
	}
	dot := func(x, y []float64) (d float64) {
		for i, v := range x {
			d += v * y[i]
		}
		return d
	}
	for i, v := range x {
		u[i] = float64(v)
	}
	bb := Dot(b, b)
	if bb == 0 {
		clear(x)
		return sparse.Result{}, nil
	}
	times(u, q)
	for i, v := range b {
		r[i] = float64(v) - q[i]
	}
	copy(p, r)
	rr := dot(r, r)
	done := sparse.Result{Residual: math.Sqrt(rr / bb)}
	for !(done.Residual <= o.Tolerance) {
		if done.Iterations == o.MaxIterations || math.IsNaN(done.Residual) {
			return done, sparse.ErrNotConverged
		}
		times(p, q)
		pq := dot(p, q)
		if pq <= 0 {
			return done, fmt.Errorf("conjugate gradients: %w", sparse.ErrNotPositiveDefinite)
		}
		for i := range u {
			u[i] += rr / pq * p[i]
			r[i] -= rr / pq * q[i]
		}
		next := dot(r, r)
		for i := range p {
			p[i] = r[i] + next/rr*p[i]
		}
		rr = next
		for i, v := range u {
			x[i] = float32(v)
		}
		done.Iterations++
		done.Residual = math.Sqrt(rr / bb)
	}
	return done, nil
}
