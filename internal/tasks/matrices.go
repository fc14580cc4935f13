package tasks

import (
	"flag"
	"fmt"
	"image"
	"math"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/dense"
	"github.com/gocuda/gocuda/kernels/sparse"
)

// The tasks on matrices, dense and sparse.

const (
	takesMatrix = "a matrix in Matrix Market form (.mtx), or in CSV, a row a line; by chance without a file"
	takesSparse = "a sparse matrix in Matrix Market form (.mtx); the Laplacian of a grid without a file"
)

func matrixTasks() []Task {
	return []Task{
		{"transpose", "the transpose of a matrix", takesMatrix, "1024x1024", Values | Picture, transpose, 8, 9},
		{"matmul", "the product of two matrices, A B", takesMatrix + ", for A", "512x512", Values | Picture, matmul, 13, 9},
		{"matadd", "the sum of two matrices", takesMatrix + ", for A", "1024x1024", Values | Picture, matadd, 12, 9},
		{"solve", "the solution of linear equations, by LU, Cholesky or QR", takesMatrix + ", for A; the solution is all ones", "300x300", Values, solve, 12, 0},
		{"spmv", "the product of a sparse matrix and a vector", takesSparse, "1000x1000", Values, spmv, 52, 4},
		{"cg", "the solution of sparse equations, by conjugate gradients", takesSparse, "200x200", Values, cg, 72, 0},
	}
}

// A matrix is dense, row by row.
type matrix struct {
	rows, cols int
	v          []float32
}

func newMatrix(rows, cols int) matrix { return matrix{rows, cols, make([]float32, rows*cols)} }

func (m matrix) numbers() Numbers { return table[float32]{m.cols, m.v} }

// transposed returns m with its rows as columns: the elements of m by columns.
func (m matrix) transposed() matrix {
	t := newMatrix(m.cols, m.rows)
	serial.Transpose(m.rows, m.cols, t.v, m.v)
	return t
}

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
	f, err := e.open()
	if err != nil {
		return matrix{}, err
	}
	defer f.Close()
	switch ext(e.In) {
	case ".mtx":
		rows, cols, v, err := sparse.ReadDenseMatrixMarket(f)
		if err != nil {
			return matrix{}, fmt.Errorf("%s: %w", e.In, err)
		}
		return matrix{rows, cols, v}, e.fits(float64(len(v)))
	case ".csv", ".txt":
		v, cols, err := readCSV[float32](f, e.In)
		if err != nil {
			return matrix{}, err
		}
		if cols < 0 {
			return matrix{}, fmt.Errorf("%s: the lines have different numbers of columns", e.In)
		}
		return matrix{len(v) / max(cols, 1), cols, v}, e.fits(float64(len(v)))
	}
	return matrix{}, fmt.Errorf("%s: unknown format; known for matrices are .mtx for Matrix Market and .csv or .txt for text", e.In)
}

// sparse returns the sparse matrix to work on.
func (e *Env) sparse(w, h int) (*sparse.CSR, error) {
	if e.In == "" {
		s, err := e.size(w, h)
		if err != nil {
			return nil, err
		}
		return sparse.Laplacian(s[0], s[1])
	}
	f, err := e.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := sparse.ReadMatrixMarket(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.In, err)
	}
	// The Laplacian of a grid, by which the task counts, has five elements a row.
	return m, e.fits(float64(max(m.Rows, m.Cols, len(m.Val)/5)))
}

func transpose(fs *flag.FlagSet) Job {
	method := choose[name](fs, "method", "the tile in shared memory", "padded", "tiled", "naive")
	return func(e *Env) (*Result, error) {
		a, err := e.matrix(1024, 1024)
		if err != nil {
			return nil, err
		}
		f := dense.Transpose
		switch method.is {
		case "tiled":
			f = dense.TransposeTiled
		case "naive":
			f = dense.TransposeNaive
		}
		b := newMatrix(a.cols, a.rows)
		if err := e.timed(func() error { return f(e.Ctx, e.On, a.rows, a.cols, b.v, a.v) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: b.numbers(), Verify: func() error {
			want := newMatrix(a.cols, a.rows)
			serial.Transpose(a.rows, a.cols, want.v, a.v)
			return near(b.v, want.v, 0)
		}}
		r.printf("matrix    %v", a)
		r.Picture = func() image.Image { return field(b.cols, b.rows, b.v, largest(b.v)) }
		return r, nil
	}
}

// A product is a method of package dense, SGEMM, or the product of matrices stored by columns.
type product struct{ dense.Method }

const (
	sgemm     dense.Method = -1
	byColumns dense.Method = -2
)

func (p product) String() string {
	switch p.Method {
	case sgemm:
		return "sgemm"
	case byColumns:
		return "columns"
	}
	return p.Method.String()
}

func matmul(fs *flag.FlagSet) Job {
	columns := fs.Int("columns", 0, "the `number` of columns of B (default as many as A has)")
	methods := []product{{sgemm}}
	for _, m := range dense.Methods() {
		methods = append(methods, product{m})
	}
	methods = append(methods, product{byColumns})
	method := choose(fs, "method", "how matrices are multiplied", methods...)
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
		if err := e.fits(float64(max(a.rows, a.cols)) * float64(n)); err != nil {
			return nil, fmt.Errorf("-columns: %w", err)
		}
		b, c := matrix{a.cols, n, e.chance(a.cols * n)}, newMatrix(a.rows, n)
		var ac, bc, cc matrix // the same by columns
		if method.is.Method == byColumns {
			ac, bc, cc = a.transposed(), b.transposed(), newMatrix(n, a.rows)
		}
		err = e.timed(func() error {
			switch method.is.Method {
			case byColumns:
				return dense.MatMulColumns(e.Ctx, e.On, a.rows, n, a.cols, ac.v, bc.v, cc.v)
			case sgemm:
				return dense.SGEMM(e.Ctx, e.On, dense.NoTrans, dense.NoTrans, a.rows, n, a.cols, 1, a.v, max(a.cols, 1), b.v, max(n, 1), 0, c.v, max(n, 1))
			}
			return dense.MatMul(e.Ctx, e.On, method.is.Method, a.rows, n, a.cols, a.v, b.v, c.v)
		})
		if err != nil {
			return nil, err
		}
		if method.is.Method == byColumns {
			c = cc.transposed()
		}
		r := &Result{Numbers: c.numbers(), Verify: func() error {
			want := newMatrix(c.rows, c.cols)
			serial.MatMul(a.rows, n, a.cols, a.v, b.v, want.v)
			return near(c.v, want.v, 2*productError(a.cols, a.v, b.v))
		}}
		r.printf("matrices  %v, %v", a, b)
		r.printf("work      %.3g GFLOP", 2e-9*float64(a.rows)*float64(a.cols)*float64(n))
		r.Picture = func() image.Image { return field(c.cols, c.rows, c.v, largest(c.v)) }
		return r, nil
	}
}

// productError bounds the error of a sum of k products of elements of a and b, in any order
// (Higham, Accuracy and Stability of Numerical Algorithms, section 3.5).
func productError(k int, a, b []float32) float64 {
	return float64(k+2) * float64(k) * 0x1p-24 * largest(a) * largest(b)
}

func matadd(fs *flag.FlagSet) Job {
	return func(e *Env) (*Result, error) {
		a, err := e.matrix(1024, 1024)
		if err != nil {
			return nil, err
		}
		b, c := e.chance(len(a.v)), newMatrix(a.rows, a.cols)
		if err := e.timed(func() error { return dense.Add(e.Ctx, e.On, a.rows, a.cols, a.v, b, c.v) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: c.numbers(), Verify: func() error {
			want := newMatrix(a.rows, a.cols)
			serial.MatAdd(a.rows, a.cols, a.v, b, want.v)
			return near(c.v, want.v, 0)
		}}
		r.printf("matrices  %v", a)
		r.Picture = func() image.Image { return field(c.cols, c.rows, c.v, largest(c.v)) }
		return r, nil
	}
}

// solve solves A x = b for the b whose solution is all ones, by one of three factorizations.
func solve(fs *flag.FlagSet) Job {
	method := choose[name](fs, "method", "the factorization; cholesky takes AᵀA + I in place of A", "lu", "cholesky", "qr")
	return func(e *Env) (*Result, error) {
		a, err := e.matrix(300, 300)
		if err != nil {
			return nil, err
		}
		if method.is != "qr" && a.rows != a.cols {
			return nil, fmt.Errorf("%v: %s takes a square matrix", a, method.is)
		}
		if a.rows < a.cols {
			return nil, fmt.Errorf("%v: the matrix needs as many rows as columns, or more", a)
		}
		if method.is == "cholesky" {
			a = squared(a)
		}
		x := make([]float32, a.rows)
		for i := range a.rows {
			sum := 0.0
			for _, v := range a.v[i*a.cols : (i+1)*a.cols] {
				sum += float64(v)
			}
			x[i] = float32(sum)
		}
		b := append([]float32(nil), x...)
		f := append([]float32(nil), a.v...)
		err = e.timed(func() error {
			switch method.is {
			case "cholesky":
				if err := dense.Cholesky(e.Ctx, e.On, a.rows, f); err != nil {
					return err
				}
				return dense.CholeskySolve(e.Ctx, e.On, a.rows, 1, f, x)
			case "qr":
				return dense.LeastSquares(e.Ctx, e.On, a.rows, a.cols, 1, f, x)
			}
			pivots := make([]int32, a.rows)
			if err := dense.LU(e.Ctx, e.On, a.rows, a.cols, f, pivots); err != nil {
				return err
			}
			return dense.LUSolve(e.Ctx, e.On, a.rows, 1, f, pivots, x)
		})
		if err != nil {
			return nil, err
		}
		x = x[:a.cols]
		// The largest residual, in float64.
		residual := 0.0
		for i := range a.rows {
			sum := -float64(b[i])
			for j, v := range a.v[i*a.cols : (i+1)*a.cols] {
				sum += float64(v) * float64(x[j])
			}
			residual = max(residual, math.Abs(sum))
		}
		r := &Result{Numbers: column(x), Verify: func() error {
			// All three are backward stable: A+E has the solution, and E is small beside A. The
			// factors are larger than A by the growth of the pivots at most, which is n^(2/3) for
			// matrices by chance (Trefethen and Schreiber, 1990).
			n := float64(a.rows)
			if limit := 0x1p-24 * 8 * n * math.Pow(n, 2.0/3) * largest(a.v) * math.Max(1, largest(x)) * math.Sqrt(n); !(residual <= limit) {
				return fmt.Errorf("a residual of %.3g, want at most %.3g", residual, limit)
			}
			return nil
		}}
		r.printf("matrix    %v", a)
		r.printf("residual  %.3g", residual)
		return r, nil
	}
}

// squared returns AᵀA + I.
func squared(a matrix) matrix {
	s := newMatrix(a.cols, a.cols)
	for i := range a.cols {
		for j := range a.cols {
			sum := 0.0
			for k := range a.rows {
				sum += float64(a.v[k*a.cols+i]) * float64(a.v[k*a.cols+j])
			}
			if i == j {
				sum++
			}
			s.v[i*a.cols+j] = float32(sum)
		}
	}
	return s
}

// sparseFlags adds the flags that say which matrix is made.
func sparseFlags(fs *flag.FlagSet) func(e *Env, w, h int) (*sparse.CSR, error) {
	kind := choose[name](fs, "mesh", "whose Laplacian is made, without a file", "grid", "plane", "torus")
	return func(e *Env, w, h int) (*sparse.CSR, error) {
		if e.In != "" || kind.is == "grid" {
			return e.sparse(w, h)
		}
		s, err := e.size(w, h)
		if err != nil {
			return nil, err
		}
		var mesh *sparse.Surface
		if kind.is == "torus" {
			mesh, err = sparse.Torus(s[0], s[1], 0.3)
		} else {
			mesh, err = sparse.Plane(s[0], s[1])
		}
		if err != nil {
			return nil, err
		}
		return mesh.GraphLaplacian()
	}
}

func spmv(fs *flag.FlagSet) Job {
	made := sparseFlags(fs)
	method := choose[name](fs, "method", "how rows are computed", "threads", "cached", "warps")
	return func(e *Env) (*Result, error) {
		m, err := made(e, 1000, 1000)
		if err != nil {
			return nil, err
		}
		f := sparse.SpMV
		switch method.is {
		case "cached":
			f = sparse.SpMVCached
		case "warps":
			f = sparse.SpMVVector
		}
		x, y := e.chance(m.Cols), make([]float32, m.Rows)
		if err := e.timed(func() error { return f(e.Ctx, e.On, m, x, y) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(y), Verify: func() error {
			want := make([]float32, m.Rows)
			serial.SpMV(m, x, want)
			longest := 0
			for i := range m.Rows {
				longest = max(longest, int(m.RowPtr[i+1]-m.RowPtr[i]))
			}
			return near(y, want, 2*productError(longest, m.Val, x))
		}}
		r.printf("matrix    %d by %d, %d elements", m.Rows, m.Cols, len(m.Val))
		r.printf("window    %.0f %% of the elements find x in shared memory if it is cached", 100*sparse.WindowShare(m))
		return r, nil
	}
}

func cg(fs *flag.FlagSet) Job {
	tolerance := fs.Float64("tolerance", 1e-5, "the residual at which to stop, as a `part` of the right side")
	most := fs.Int("iterations", 0, "the most `iterations` (default twice the rows)")
	jacobi := fs.Bool("jacobi", false, "divide residuals by the diagonal first")
	return func(e *Env) (*Result, error) {
		m, err := e.sparse(200, 200)
		if err != nil {
			return nil, err
		}
		b, x := e.chance(m.Rows), make([]float32, m.Rows)
		var did sparse.Result
		err = e.timed(func() error {
			did, err = sparse.ConjugateGradients(e.Ctx, e.On, m, b, x, sparse.Options{Tolerance: *tolerance, MaxIterations: *most, Jacobi: *jacobi})
			return err
		})
		if err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(x), Verify: func() error {
			// The residual, afresh and in float64; see the comment of ConjugateGradients for what
			// rounding x adds.
			residual, right, size := 0.0, 0.0, 0.0
			for i := range m.Rows {
				sum, abs := -float64(b[i]), 0.0
				for j := m.RowPtr[i]; j < m.RowPtr[i+1]; j++ {
					p := float64(m.Val[j]) * float64(x[m.Col[j]])
					sum += p
					abs += math.Abs(p)
				}
				residual += sum * sum
				right += float64(b[i]) * float64(b[i])
				size += abs * abs
			}
			part, limit := math.Sqrt(residual/right), 2**tolerance+0x1p-20*math.Sqrt(size/right)
			if right > 0 && !(part <= limit) {
				return fmt.Errorf("a residual of %.3g, want at most %.3g", part, limit)
			}
			return nil
		}}
		r.printf("matrix    %d by %d, %d elements", m.Rows, m.Cols, len(m.Val))
		r.printf("steps     %d, with a residual of %.3g", did.Iterations, did.Residual)
		return r, nil
	}
}
