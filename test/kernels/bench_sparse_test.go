package kernels_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/sparse"
)

// sparseMatrices are the Laplacian of a sphere as it is made and in the order of Morton, that of a
// grid, and a matrix of long rows.
func sparseMatrices(b *testing.B) map[string]*sparse.CSR {
	s, err := sparse.Sphere(7)
	require.NoError(b, err)
	made, err := s.CotangentLaplacian()
	require.NoError(b, err)
	s, _, err = s.MortonOrder()
	require.NoError(b, err)
	sorted, err := s.CotangentLaplacian()
	require.NoError(b, err)
	grid, err := sparse.Laplacian(512, 512)
	require.NoError(b, err)
	long := &sparse.CSR{Rows: 4000, Cols: 4000, RowPtr: make([]int32, 1)}
	for i := range long.Rows {
		for j := i % 13; j < long.Cols; j += 13 {
			long.Col, long.Val = append(long.Col, int32(j)), append(long.Val, 1/float32(j+1))
		}
		long.RowPtr = append(long.RowPtr, int32(len(long.Col)))
	}
	return map[string]*sparse.CSR{"sphere": made, "sphere in order": sorted, "grid": grid, "long rows": long}
}

// sparseGoroutines is the product with one goroutine a processor.
func sparseGoroutines(m *sparse.CSR, x, y []float32) {
	forParts(m.Rows, func(_, from, to int) {
		for i := from; i < to; i++ {
			var sum float32
			for k := m.RowPtr[i]; k < m.RowPtr[i+1]; k++ {
				sum += m.Val[k] * x[m.Col[k]]
			}
			y[i] = sum
		}
	})
}

func BenchmarkSparseSpMV(b *testing.B) {
	matrices := sparseMatrices(b)
	for _, name := range []string{"sphere", "sphere in order", "grid", "long rows"} {
		m := matrices[name]
		x, y, want := randoms(m.Cols), make([]float32, m.Rows), make([]float32, m.Rows)
		serial.SpMV(m, x, want)
		for _, c := range []struct {
			name string
			run  func() error
		}{
			{"thread a row", func() error { return sparse.SpMV(b.Context(), gocuda.Default(), m, x, y) }},
			{"cached", func() error { return sparse.SpMVCached(b.Context(), gocuda.Default(), m, x, y) }},
			{"vector", func() error { return sparse.SpMVVector(b.Context(), gocuda.Default(), m, x, y) }},
			{"goroutines", func() error { sparseGoroutines(m, x, y); return nil }},
		} {
			b.Run("matrix="+name+"/exec="+c.name, func(b *testing.B) {
				clear(y)
				for b.Loop() {
					if err := c.run(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(m.Val))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Melem/s")
				slicetest.InDelta(b, want, y, 1e-4)
			})
		}
	}
}

func BenchmarkSparseVectors(b *testing.B) {
	for _, n := range []int{1 << 14, 1 << 18, 1 << 22} {
		x, y := randoms(n), randoms(n + 1)[:n]
		vx, vy := blas32.Vector{N: n, Data: x, Inc: 1}, blas32.Vector{N: n, Data: y, Inc: 1}
		want := serial.Dot(x, y)
		for _, c := range []struct {
			name  string
			bytes int
			run   func() (float64, error)
		}{
			{"op=dot/exec=gocuda", 8, func() (float64, error) { return sparse.Dot(b.Context(), gocuda.Default(), x, y) }},
			{"op=dot/exec=gonum", 8, func() (float64, error) { return float64(blas32.Dot(vx, vy)), nil }},
			{"op=axpy/exec=gocuda", 12, func() (float64, error) { return want, sparse.AXPY(b.Context(), gocuda.Default(), 1e-30, x, y) }},
			{"op=axpy/exec=gonum", 12, func() (float64, error) { blas32.Axpy(1e-30, vx, vy); return want, nil }},
		} {
			b.Run(fmt.Sprintf("size=%d/", n)+c.name, func(b *testing.B) {
				var got float64
				var err error
				for b.Loop() {
					if got, err = c.run(); err != nil {
						b.Fatal(err)
					}
				}
				b.SetBytes(int64(c.bytes * n))
				require.InDelta(b, want, got, 1e-2)
				require.Equal(b, want, serial.Dot(x, y)) // axpy adds too little to be seen
			})
		}
	}
}

// sparseCG is conjugate gradients as one would write them with goroutines and gonum.
func sparseCG(m *sparse.CSR, b, x []float32, tol float64) int {
	n := m.Rows
	vec := func(v []float32) blas32.Vector { return blas32.Vector{N: n, Data: v, Inc: 1} }
	r, q := append([]float32(nil), b...), make([]float32, n)
	p := append([]float32(nil), r...)
	rr := blas32.DDot(vec(r), vec(r))
	for limit, k := tol*tol*rr, 0; ; k++ {
		if rr <= limit {
			return k
		}
		sparseGoroutines(m, p, q)
		alpha := rr / blas32.DDot(vec(p), vec(q))
		blas32.Axpy(float32(alpha), vec(p), vec(x))
		blas32.Axpy(float32(-alpha), vec(q), vec(r))
		next := blas32.DDot(vec(r), vec(r))
		blas32.Scal(float32(next/rr), vec(p))
		blas32.Axpy(1, vec(r), vec(p))
		rr = next
	}
}

func BenchmarkSparseCG(b *testing.B) {
	m, err := sparse.Laplacian(512, 512)
	require.NoError(b, err)
	const tol = 1e-3
	f, x := randoms(m.Rows), make([]float32, m.Rows)
	for _, c := range []struct {
		name string
		run  func() (int, error)
	}{
		{"gocuda", func() (int, error) {
			r, err := sparse.ConjugateGradients(b.Context(), gocuda.Default(), m, f, x, sparse.Options{Tolerance: tol})
			return r.Iterations, err
		}},
		{"gonum", func() (int, error) { return sparseCG(m, f, x, tol), nil }},
	} {
		b.Run("size=512x512/exec="+c.name, func(b *testing.B) {
			all := 0
			for b.Loop() {
				clear(x)
				k, err := c.run()
				if err != nil {
					b.Fatal(err)
				}
				all += k
			}
			b.ReportMetric(float64(all)/b.Elapsed().Seconds(), "iterations/s")
			y := make([]float32, m.Rows)
			serial.SpMV(m, x, y)
			slicetest.InDelta(b, f, y, 0.1, "m x")
		})
	}
}
