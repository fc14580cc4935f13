package dense

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The Cholesky factorization of a symmetric positive definite matrix, A = Uᵀ U (Volkov and Demmel,
// as for LU). There are no pivots to search for, and half the work of LU. It is cut in halves
// again: the factor of the upper left quarter, a triangular system for the upper right one, a
// product to subtract from the lower right one, and the factor of that. The product is symmetric,
// so only what is on the diagonal and above it is computed, which is again a matter of halves.

const (
	choleskyBlock = triangle // the size of what one kernel factors, and its number of threads
	symmetric     = 2 * gemmRows
)

// choleskyTile is the program of one thread of the only block: a column of a matrix of n rows, at most
// choleskyBlock. bad gets 1 plus the number of the row whose diagonal is not positive.
//
//gocuda:kernel fastmath
func choleskyTile(t *gocuda.Thread, n int, a []float32, ld int, bad []int32) {
	s := gocuda.Shared[float32](t, choleskyBlock*choleskyBlock)
	j := t.ThreadIdx.X
	for i := range n {
		if j < n {
			s[i*choleskyBlock+j] = a[i*ld+j]
		}
	}
	t.SyncThreads()
	for p := range n {
		d := s[p*choleskyBlock+p]
		if !(d > 0) && bad[0] == 0 { // NaN is not positive either
			t.SyncThreads() // all have seen that bad was 0
			if j == 0 {
				bad[0] = int32(p + 1)
			}
		}
		t.SyncThreads()
		root := device.Sqrtf(d)
		if j >= p && j < n {
			s[p*choleskyBlock+j] /= float32(root) // exact
		}
		t.SyncThreads()
		for i := p + 1; i < n; i++ {
			if j < n {
				s[i*choleskyBlock+j] -= s[p*choleskyBlock+i] * s[p*choleskyBlock+j]
			}
		}
		t.SyncThreads()
	}
	for i := range n {
		if j >= i && j < n {
			a[i*ld+j] = s[i*choleskyBlock+j]
		}
	}
}

// clearBelow is the program of one thread: an element, which becomes 0 if it is below the diagonal.
// row0 and col0 are where the part begins.
//
//gocuda:kernel
func clearBelow(t *gocuda.Thread, row0, col0, rows, cols int, a []float32, ld int) {
	row, col := t.GlobalY(), t.GlobalX()
	if row < rows && col < cols {
		if col0+col < row0+row {
			a[row*ld+col] = 0
		}
	}
}

// Cholesky overwrites A, n by n, with the upper triangular U in A = Uᵀ U, whose diagonal is
// positive. Only the diagonal of A and what is above it is read; below it U is 0. In each element,
// Uᵀ U differs from A by at most (n+1) u/(1-(n+1) u) |Uᵀ| |U| (Higham, theorem 10.3).
//
// If A is not positive definite, or so little that rounding hides it, the error wraps
// [ErrNotPositiveDefinite], and what is in a then is of no use. Cholesky reads results back, so it
// can't be queued.
func Cholesky(ctx context.Context, on kernels.Launcher, n int, a []float32) error {
	if err := kernels.Waits("Cholesky", on); err != nil {
		return err
	}
	if err := check.Shape("Cholesky", n, n, len(a)); err != nil {
		return err
	}
	if err := cholesky(ctx, on, 0, n, a, n); err != nil {
		return err
	}
	return slabs(n, n, addRows, addCols, func(row, col, rows, cols int) error {
		cfg := grid.Rect(cols, rows, addCols, addRows)
		return on.Launch(ctx, cfg, clearBelowKernel(row, col, rows, cols, a[row*n+col:], n))
	})
}

// cholesky factors the n by n matrix a, which begins in row first of the whole.
func cholesky(ctx context.Context, on kernels.Launcher, first, n int, a []float32, ld int) error {
	if n == 0 {
		return nil
	}
	if n <= choleskyBlock {
		bad := make([]int32, 1)
		one := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: choleskyBlock}}
		if err := on.Launch(ctx, one, choleskyTileKernel(n, a, ld, bad)); err != nil {
			return err
		}
		if bad[0] != 0 {
			at := first + int(bad[0]) - 1
			return fmt.Errorf("kernels: Cholesky: %w: pivot %d is not positive", ErrNotPositiveDefinite, at)
		}
		return nil
	}
	h := half(n)
	u12, a22 := a[h:], a[h*ld+h:]
	if err := cholesky(ctx, on, first, h, a, ld); err != nil {
		return err
	}
	if err := lowerSolve(ctx, on, h, n-h, Trans, false, a, ld, u12, ld); err != nil {
		return err
	}
	l21 := make([]float32, (n-h)*h)
	if err := transposed(ctx, on, h, n-h, l21, h, u12, ld); err != nil {
		return err
	}
	if err := subtractSquare(ctx, on, n-h, h, l21, u12, ld, a22, ld); err != nil {
		return err
	}
	return cholesky(ctx, on, first+h, n-h, a22, ld)
}

// subtractSquare subtracts the product of Uᵀ, n by k, and U from the upper triangle of C. Of what
// is below the diagonal some is changed too.
func subtractSquare(ctx context.Context, on kernels.Launcher, n, k int, ut, u []float32, ldu int, c []float32, ldc int) error {
	if n <= symmetric {
		return SGEMM(ctx, on, NoTrans, NoTrans, n, n, k, -1, ut, k, u, ldu, 1, c, ldc)
	}
	h := (n/2 + gemmRows - 1) / gemmRows * gemmRows
	if err := subtractSquare(ctx, on, h, k, ut, u, ldu, c, ldc); err != nil {
		return err
	}
	if err := SGEMM(ctx, on, NoTrans, NoTrans, h, n-h, k, -1, ut, k, u[h:], ldu, 1, c[h:], ldc); err != nil {
		return err
	}
	return subtractSquare(ctx, on, n-h, k, ut[h*k:], u[h:], ldu, c[h*ldc+h:], ldc)
}

// CholeskySolve overwrites B, n by columns, with X in A X = B, where u is what [Cholesky] made of
// A. The X of one column solves (A+E) x = b, where |E| is at most (3n+1) u/(1-(3n+1) u) |Uᵀ| |U|
// (Higham, theorem 10.4).
func CholeskySolve(ctx context.Context, on kernels.Launcher, n, columns int, u, b []float32) error {
	if err := check.Shape("Cholesky solve, A", n, n, len(u)); err != nil {
		return err
	}
	if err := check.Shape("Cholesky solve, B", n, columns, len(b)); err != nil {
		return err
	}
	if len(b) == 0 {
		return nil
	}
	if err := lowerSolve(ctx, on, n, columns, Trans, false, u, n, b, columns); err != nil {
		return err
	}
	return upperSolve(ctx, on, n, columns, u, n, b, columns)
}
