package tasks

import (
	"flag"
	"fmt"
	"image"
	"math"
	"os"

	"github.com/gocuda/gocuda/kernels"
)

// The tasks on matrices, dense and sparse.

const (
	takesMatrix = "a matrix in Matrix Market form (.mtx), or in CSV, a row a line; by chance without a file"
	takesSparse = "a sparse matrix in Matrix Market form (.mtx); the Laplacian of a grid without a file"
)

func matrixTasks() []Task {
	return []Task{
		{"transpose", "the transpose of a matrix", takesMatrix, "1024x1024", Values | Picture, transpose},
		{"matmul", "the product of two matrices, A B", takesMatrix + ", for A", "512x512", Values | Picture, matmul},
		{"spmv", "the product of a sparse matrix and a vector of ones", takesSparse, "1000x1000", Values, spmv},
	}
}

// A matrix is dense, row by row.
type matrix struct {
	rows, cols int
	v          []float32
}

func newMatrix(rows, cols int) matrix { return matrix{rows, cols, make([]float32, rows*cols)} }

func (m matrix) numbers() Numbers { return table[float32]{m.cols, m.v} }

func (m matrix) String() string { return fmt.Sprintf("%d by %d", m.rows, m.cols) }

// matrix returns the matrix to work on: that of the file, or one by chance.
func (e *Env) matrix(rows, cols int) (matrix, error) {
	if e.In == "" {
		s, err := e.size(rows, cols)
		if err != nil {
			return matrix{}, err
		}
		return matrix{s[0], s[1], e.chance(s[0] * s[1])}, nil
	}
	f, err := os.Open(e.In)
	if err != nil {
		return matrix{}, err
	}
	defer f.Close()
	switch ext(e.In) {
	case ".mtx":
		rows, cols, v, err := kernels.ReadDenseMatrixMarket(f)
		if err != nil {
			return matrix{}, fmt.Errorf("%s: %w", e.In, err)
		}
		return matrix{rows, cols, v}, nil
	case ".csv", ".txt":
		v, cols, err := readCSV[float32](f, e.In)
		if err != nil {
			return matrix{}, err
		}
		if cols < 0 {
			return matrix{}, fmt.Errorf("%s: the lines have different numbers of columns", e.In)
		}
		return matrix{len(v) / max(cols, 1), cols, v}, nil
	}
	return matrix{}, fmt.Errorf("%s: unknown format; known for matrices are .mtx for Matrix Market and .csv or .txt for text", e.In)
}

// sparse returns the sparse matrix to work on.
func (e *Env) sparse(w, h int) (*kernels.CSR, error) {
	if e.In == "" {
		s, err := e.size(w, h)
		if err != nil {
			return nil, err
		}
		return kernels.Laplacian(s[0], s[1])
	}
	f, err := os.Open(e.In)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := kernels.ReadMatrixMarket(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.In, err)
	}
	return m, nil
}

func transpose(fs *flag.FlagSet) Job {
	return func(e *Env) (*Result, error) {
		a, err := e.matrix(1024, 1024)
		if err != nil {
			return nil, err
		}
		b := newMatrix(a.cols, a.rows)
		if err := e.timed(func() error { return kernels.Transpose(e.Ctx, e.On, a.rows, a.cols, b.v, a.v) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: b.numbers(), Verify: func() error {
			want := newMatrix(a.cols, a.rows)
			kernels.TransposeSerial(a.rows, a.cols, want.v, a.v)
			return near(b.v, want.v, 0)
		}}
		r.printf("matrix    %v", a)
		r.Picture = func() image.Image { return field(b.cols, b.rows, b.v, largest(b.v)) }
		return r, nil
	}
}

func matmul(fs *flag.FlagSet) Job {
	columns := fs.Int("columns", 0, "the `number` of columns of B (default as many as A has)")
	naive := fs.Bool("naive", false, "without tiles in shared memory")
	return func(e *Env) (*Result, error) {
		a, err := e.matrix(512, 512)
		if err != nil {
			return nil, err
		}
		n := *columns
		if n == 0 {
			n = a.cols
		}
		if n < 0 || float64(a.cols)*float64(n) > maxSize || float64(a.rows)*float64(n) > maxSize {
			return nil, fmt.Errorf("-columns %d: want 1 or more, and matrices of at most %d elements", n, maxSize)
		}
		b, c := matrix{a.cols, n, e.chance(a.cols * n)}, newMatrix(a.rows, n)
		f := kernels.MatMul
		if *naive {
			f = kernels.MatMulNaive
		}
		if err := e.timed(func() error { return f(e.Ctx, e.On, a.rows, n, a.cols, a.v, b.v, c.v) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: c.numbers(), Verify: func() error {
			want := newMatrix(c.rows, c.cols)
			kernels.MatMulSerial(a.rows, n, a.cols, a.v, b.v, want.v)
			k := float64(a.cols)
			// k products and sums in any order, twice (Higham, Accuracy and Stability, section 3.5).
			return near(c.v, want.v, 2*(k+1)*k*0x1p-24*largest(a.v)*largest(b.v))
		}}
		r.printf("matrices  %v, %v", a, b)
		r.printf("work      %.3g GFLOP", 2e-9*float64(a.rows)*float64(a.cols)*float64(n))
		r.Picture = func() image.Image { return field(c.cols, c.rows, c.v, largest(c.v)) }
		return r, nil
	}
}

func spmv(fs *flag.FlagSet) Job {
	return func(e *Env) (*Result, error) {
		m, err := e.sparse(1000, 1000)
		if err != nil {
			return nil, err
		}
		x, y := make([]float32, m.Cols), make([]float32, m.Rows)
		for i := range x {
			x[i] = 1
		}
		if err := e.timed(func() error { return kernels.SpMV(e.Ctx, e.On, m, x, y) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(y), Verify: func() error {
			want := make([]float32, m.Rows)
			kernels.SpMVSerial(m, x, want)
			return near(y, want, 0) // the same sums in the same order
		}}
		r.printf("matrix    %d by %d, %d elements", m.Rows, m.Cols, len(m.Val))
		norm := 0.0
		for _, v := range y {
			norm += float64(v) * float64(v)
		}
		r.printf("norm      %.6g", math.Sqrt(norm))
		return r, nil
	}
}
