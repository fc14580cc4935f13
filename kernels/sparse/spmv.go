package sparse

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The product of a sparse matrix and a vector, with the rows of the matrix stored one after another
// (Bell and Garland, Efficient Sparse Matrix-Vector Multiplication on CUDA, 2008, the scalar kernel
// for CSR). One thread computes one row. It teaches irregular work: rows have different lengths, so
// the threads of a warp end their loops at different times, and the elements of x that a row needs
// are anywhere.

// spmvThreads is the number of threads of a block.
const spmvThreads = 128

// spmv is the program of one thread, one row.
//
//gocuda:kernel
func spmv(t *gocuda.Thread, first, rows int, rowPtr, col []int32, val, x, y []float32) {
	row := first + t.GlobalX()
	if row >= rows {
		return
	}
	var sum float32
	end := rowPtr[row+1]
	for j := rowPtr[row]; j < end; j++ {
		sum += val[j] * x[col[j]]
	}
	y[row] = sum
}

// SpMV computes y = m x. x has an element for each column of m and y one for each row; they must not
// overlap. m should be valid (see [CSR.Validate]). SpMV checks its lengths, but does not look at every
// element: a column that does not exist is found by its thread, and comes back as a
// *gocuda.KernelError.
func SpMV(ctx context.Context, on kernels.Launcher, m *CSR, x, y []float32) error {
	return byRows(ctx, on, "SpMV", m, x, y, spmvThreads, 1, spmvKernel)
}

// maxGrid is the number of blocks that every device can launch along x. Larger problems are several
// launches.
const maxGrid = 65535

// product returns an error unless y = m x makes sense. Columns are left for the threads to find.
func product(what string, m *CSR, x, y []float32) error {
	if m == nil {
		return check.Invalid(what, "no matrix")
	}
	if err := m.check(); err != nil {
		return err
	}
	if err := check.Lengths(what+", x", len(x), m.Cols); err != nil {
		return err
	}
	return check.Lengths(what+", y", len(y), m.Rows)
}

// byRows checks y = m x and computes it with kernels whose blocks have so many rows, lanes threads
// each.
func byRows(ctx context.Context, on kernels.Launcher, what string, m *CSR, x, y []float32, rows, lanes int,
	kernel func(first, rows int, rowPtr, col []int32, val, x, y []float32) gocuda.Kernel) error {
	if err := product(what, m, x, y); err != nil {
		return err
	}
	for first := 0; first < m.Rows; first += maxGrid * rows {
		n := min(m.Rows-first, maxGrid*rows)
		cfg := grid.Linear(n, rows)
		if lanes > 1 {
			cfg = grid.Rect(lanes, n, lanes, rows)
		}
		if err := on.Launch(ctx, cfg, kernel(first, m.Rows, m.RowPtr, m.Col, m.Val, x, y)); err != nil {
			return err
		}
	}
	return nil
}
