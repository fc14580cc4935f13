package dense

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Gaussian elimination with partial pivoting, A = P L U, and the solution of linear systems with it
// (Volkov and Demmel, LU, QR and Cholesky Factorizations Using Vector Capabilities of GPUs, 2008,
// which Nickolls and Kirk show). It teaches where the work of a factorization is. Some columns, a
// panel, are searched for pivots and eliminated one after the other, which has little to do between
// barriers; the rest of the matrix waits for it and is then updated by a product, which runs at
// full speed.
//
// How wide a panel should be is a question that goes away if one cuts the matrix in halves instead:
// factor the left half, update the right one, factor that; and the left half is done in the same
// way (Toledo, Locality of Reference in LU Decomposition with Partial Pivoting, 1997). What is left
// is panels of 32 columns, less than n/32 of them, and products as large as they can be.

const (
	luPanelCols    = triangle // the columns of a panel
	luPanelThreads = 256
	luSwapThreads  = 256
)

// luPanel is the program of one thread, of the only block, for a panel of some rows and columns,
// which is transposed: element (i, j) is at j*rows+i. For each column it has four phases: the
// search for the largest element, by a tree that keeps places beside values; the exchange of two
// rows; the division of the column by the pivot; and the elimination in the columns behind it.
// pivots get the place of each pivot, counted from row first on, and zero gets the number of the
// first column, plus 1, that has no pivot.
//
//gocuda:kernel fastmath
func luPanel(t *gocuda.Thread, rows, cols, first int, p []float32, pivots, zero []int32) {
	values := gocuda.Shared[float32](t, luPanelThreads)
	places := gocuda.Shared[int32](t, luPanelThreads)
	tid := t.ThreadIdx.X
	for c := range min(rows, cols) {
		largest, place := float32(-1), int32(c)
		for i := c + tid; i < rows; i += luPanelThreads {
			v := p[c*rows+i]
			if v < 0 {
				v = -v
			}
			if v > largest {
				largest, place = v, int32(i)
			}
		}
		values[tid], places[tid] = largest, place
		t.SyncThreads()
		for d := luPanelThreads / 2; d > 0; d /= 2 {
			if tid < d {
				v, at := values[tid+d], places[tid+d]
				if v > values[tid] || v == values[tid] && at < places[tid] {
					values[tid], places[tid] = v, at
				}
			}
			t.SyncThreads()
		}
		pivot := int(places[0])
		if tid == 0 {
			pivots[first+c] = int32(first + pivot)
		}
		if tid < cols && pivot != c {
			j := tid * rows
			p[j+c], p[j+pivot] = p[j+pivot], p[j+c]
		}
		t.SyncThreads()
		d := p[c*rows+c]
		if d == 0 {
			if tid == 0 && zero[0] == 0 {
				zero[0] = int32(first + c + 1)
			}
		} else {
			for i := c + 1 + tid; i < rows; i += luPanelThreads {
				p[c*rows+i] /= float32(d) // exact
			}
		}
		t.SyncThreads()
		for j := c + 1; j < cols; j++ {
			u := p[j*rows+c]
			for i := c + 1 + tid; i < rows; i += luPanelThreads {
				p[j*rows+i] -= p[c*rows+i] * u
			}
		}
		t.SyncThreads()
	}
}

// luSwap is the program of one thread: the exchanges of rows from, from+1, ... to-1 in one column,
// in this order.
//
//gocuda:kernel
func luSwap(t *gocuda.Thread, from, to, columns int, a []float32, ld int, pivots []int32) {
	if col := t.GlobalX(); col < columns {
		for c := from; c < to; c++ {
			r := int(pivots[c])
			v := a[c*ld+col]
			a[c*ld+col] = a[r*ld+col]
			a[r*ld+col] = v
		}
	}
}

// LU overwrites A, rows by cols, with its factors: U on the diagonal and above it, L, whose
// diagonal is 1, below. pivots, of which there are min(rows, cols), say which row was exchanged
// with row i when column i was eliminated: P A with these exchanges, from the first to the last, is
// L U. (LAPACK's sgetrf counts them from 1.)
//
// L U differs from P A by at most k u/(1-k u) |L| |U| in each element, where k is min(rows, cols)
// (Higham, theorem 9.3); no element of L is larger than 1.
//
// If a pivot is exactly 0 the error wraps [ErrSingular]. The factors are complete then too, but
// can't solve anything. LU reads results back, so it can't be queued.
func LU(ctx context.Context, on kernels.Launcher, rows, cols int, a []float32, pivots []int32) error {
	if err := kernels.Waits("LU", on); err != nil {
		return err
	}
	if err := check.Shape("LU", rows, cols, len(a)); err != nil {
		return err
	}
	if err := check.Lengths("LU, pivots", len(pivots), min(rows, cols)); err != nil {
		return err
	}
	f := &luFactors{ctx, on, a, cols, pivots, make([]float32, rows*min(cols, luPanelCols)), make([]int32, 1)}
	if err := f.factor(0, 0, rows, cols); err != nil {
		return err
	}
	if f.zero[0] != 0 {
		return fmt.Errorf("kernels: LU: %w: pivot %d is 0", ErrSingular, f.zero[0]-1)
	}
	return nil
}

// luFactors is a factorization on its way.
type luFactors struct {
	ctx    context.Context
	on     kernels.Launcher
	a      []float32
	ld     int
	pivots []int32
	panel  []float32
	zero   []int32
}

// factor factors the rows by cols matrix that begins at (row, col). Its pivots begin with pivots[row].
func (f *luFactors) factor(row, col, rows, cols int) error {
	if rows == 0 || cols == 0 {
		return nil
	}
	at := func(i, j int) []float32 { return f.a[(row+i)*f.ld+col+j:] }
	if cols <= luPanelCols {
		p := f.panel[:rows*cols]
		if err := transposed(f.ctx, f.on, rows, cols, p, rows, at(0, 0), f.ld); err != nil {
			return err
		}
		one := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: luPanelThreads}}
		if err := f.on.Launch(f.ctx, one, luPanelKernel(rows, cols, row, p, f.pivots, f.zero)); err != nil {
			return err
		}
		return transposed(f.ctx, f.on, cols, rows, at(0, 0), f.ld, p, rows)
	}
	h := min(half(cols), rows)
	if err := f.factor(row, col, rows, h); err != nil {
		return err
	}
	if err := swapRows(f.ctx, f.on, row, row+h, cols-h, f.a[col+h:], f.ld, f.pivots); err != nil {
		return err
	}
	if err := lowerSolve(f.ctx, f.on, h, cols-h, NoTrans, true, at(0, 0), f.ld, at(0, h), f.ld); err != nil {
		return err
	}
	if rows == h {
		return nil
	}
	err := SGEMM(f.ctx, f.on, NoTrans, NoTrans, rows-h, cols-h, h, -1, at(h, 0), f.ld, at(0, h), f.ld, 1, at(h, h), f.ld)
	if err != nil {
		return err
	}
	if err := f.factor(row+h, col+h, rows-h, cols-h); err != nil {
		return err
	}
	return swapRows(f.ctx, f.on, row+h, row+min(rows, cols), h, f.a[col:], f.ld, f.pivots)
}

// swapRows does the exchanges of pivots[from:to] in some columns of a.
func swapRows(ctx context.Context, on kernels.Launcher, from, to, columns int, a []float32, ld int, pivots []int32) error {
	return slabs(1, columns, 1, luSwapThreads, func(_, col, _, cols int) error {
		return on.Launch(ctx, grid.Linear(cols, luSwapThreads), luSwapKernel(from, to, cols, a[col:], ld, pivots))
	})
}

// LUSolve overwrites B, n by columns, with X in A X = B, where lu and pivots are what [LU] made of
// A. If a pivot is 0, X has elements that are infinite or NaN. The X of one column solves (A+E) x =
// b, where
// |E| is at most 3 n u/(1-3 n u) Pᵀ|L||U| (Higham, theorem 9.4).
func LUSolve(ctx context.Context, on kernels.Launcher, n, columns int, lu []float32, pivots []int32, b []float32) error {
	if err := check.Shape("LU solve, A", n, n, len(lu)); err != nil {
		return err
	}
	if err := check.Shape("LU solve, B", n, columns, len(b)); err != nil {
		return err
	}
	if err := check.Lengths("LU solve, pivots", len(pivots), n); err != nil {
		return err
	}
	if len(b) == 0 {
		return nil
	}
	if err := swapRows(ctx, on, 0, n, columns, b, columns, pivots); err != nil {
		return err
	}
	if err := lowerSolve(ctx, on, n, columns, NoTrans, true, lu, n, b, columns); err != nil {
		return err
	}
	return upperSolve(ctx, on, n, columns, lu, n, b, columns)
}

func abs(v float32) float32 {
	if v < 0 {
		return -v
	}
	return v
}
