package dense

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The product of BLAS, C = alpha op(A) op(B) + beta C (Dongarra et al., A Set of Level 3 Basic
// Linear Algebra Subprograms, 1990), with the technique of Volkov and Demmel (Benchmarking GPUs to
// Tune Dense Linear Algebra, 2008): a thread computes many elements of C and keeps them in
// registers, where the tiled kernels of [MatMul] read two numbers from shared memory for every
// product. Here it is four rows by two columns of a tile of 64 by 64. The columns are half a tile
// apart, so that neighbours along x still read neighbours. Tiles that lie within their matrices,
// which are most, are loaded without a test for each element.
//
// On a GPU one loop would serve all four rows, so that what is read of B is used four times. The
// compiler does that with the same row of four threads instead, which are neighbours along y: it
// goes through the loop with eight sums for each lane, as many as there are registers for. It wants
// one row of a thread at a time for this, with a barrier behind it.
//
// A transposed operand is copied in its transposed form first, which takes time of the order of its
// size. The product takes k times as long.

const (
	gemmX     = 32        // the width of a block
	gemmY     = 16        // its height
	gemmRows  = 4 * gemmY // of C, a block
	gemmCols  = 2 * gemmX // of C, a block
	gemmDepth = gemmX     // columns of A and rows of B that are in shared memory at a time
)

// sgemm is the program of one thread.
//
//gocuda:kernel fastmath
func sgemm(t *gocuda.Thread, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int,
	beta float32, c []float32, ldc int) {
	as := gocuda.Shared[float32](t, gemmRows*gemmDepth)
	bs := gocuda.Shared[float32](t, gemmDepth*gemmCols)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	row0, col0 := t.BlockIdx.Y*gemmRows, t.BlockIdx.X*gemmCols
	var c00, c01, c10, c11, c20, c21, c30, c31 float32
	for from := 0; from < k; from += gemmDepth {
		if row0+gemmRows <= m && col0+gemmCols <= n && from+gemmDepth <= k {
			as[ty*gemmDepth+tx] = a[(row0+ty)*lda+from+tx]
			as[(ty+gemmY)*gemmDepth+tx] = a[(row0+ty+gemmY)*lda+from+tx]
			as[(ty+2*gemmY)*gemmDepth+tx] = a[(row0+ty+2*gemmY)*lda+from+tx]
			as[(ty+3*gemmY)*gemmDepth+tx] = a[(row0+ty+3*gemmY)*lda+from+tx]
			bs[ty*gemmCols+tx] = b[(from+ty)*ldb+col0+tx]
			bs[ty*gemmCols+tx+gemmX] = b[(from+ty)*ldb+col0+tx+gemmX]
			bs[(ty+gemmY)*gemmCols+tx] = b[(from+ty+gemmY)*ldb+col0+tx]
			bs[(ty+gemmY)*gemmCols+tx+gemmX] = b[(from+ty+gemmY)*ldb+col0+tx+gemmX]
		} else {
			for i := ty; i < gemmRows; i += gemmY {
				as[i*gemmDepth+tx] = element(m, k, lda, a, row0+i, from+tx)
			}
			for i := ty; i < gemmDepth; i += gemmY {
				bs[i*gemmCols+tx] = element(k, n, ldb, b, from+i, col0+tx)
				bs[i*gemmCols+tx+gemmX] = element(k, n, ldb, b, from+i, col0+tx+gemmX)
			}
		}
		t.SyncThreads()
		c00, c01 = gemmRow(as, bs, ty, tx, c00, c01)
		t.SyncThreads()
		c10, c11 = gemmRow(as, bs, ty+gemmY, tx, c10, c11)
		t.SyncThreads()
		c20, c21 = gemmRow(as, bs, ty+2*gemmY, tx, c20, c21)
		t.SyncThreads()
		c30, c31 = gemmRow(as, bs, ty+3*gemmY, tx, c30, c31)
		t.SyncThreads()
	}
	row, col := row0+ty, col0+tx
	gemmStore(m, n, alpha, c00, beta, c, ldc, row, col)
	gemmStore(m, n, alpha, c01, beta, c, ldc, row, col+gemmX)
	gemmStore(m, n, alpha, c10, beta, c, ldc, row+gemmY, col)
	gemmStore(m, n, alpha, c11, beta, c, ldc, row+gemmY, col+gemmX)
	gemmStore(m, n, alpha, c20, beta, c, ldc, row+2*gemmY, col)
	gemmStore(m, n, alpha, c21, beta, c, ldc, row+2*gemmY, col+gemmX)
	gemmStore(m, n, alpha, c30, beta, c, ldc, row+3*gemmY, col)
	gemmStore(m, n, alpha, c31, beta, c, ldc, row+3*gemmY, col+gemmX)
}

// gemmRow adds to the sums of a thread in one row of C what the tiles have for them.
func gemmRow(as, bs []float32, row, tx int, c0, c1 float32) (float32, float32) {
	for i := range gemmDepth {
		v := as[row*gemmDepth+i]
		c0 += v * bs[i*gemmCols+tx]
		c1 += v * bs[i*gemmCols+tx+gemmX]
	}
	return c0, c1
}

// gemmStore puts the sum of one element in its place. With beta = 0 C is not read: it may hold NaN.
func gemmStore(m, n int, alpha, sum, beta float32, c []float32, ldc, row, col int) {
	if row < m && col < n {
		if beta == 0 {
			c[row*ldc+col] = alpha * sum
		} else {
			c[row*ldc+col] = alpha*sum + beta*c[row*ldc+col]
		}
	}
}

// Op says whether a matrix of a product is to be taken as it is or transposed: op(A) in BLAS.
type Op bool

const (
	NoTrans Op = false // as it is
	Trans   Op = true  // transposed
)

// SGEMM computes C = alpha op(A) op(B) + beta C, where op(A) is m by k, op(B) is k by n and C is m
// by n. lda, ldb and ldc are the distances between rows of A, B and C as they are stored; a slice
// needs to reach to the last element of the last row and may go on behind it. C must not overlap A
// or B.
//
// As in BLAS, C is not read if beta is 0, and A and B are not if alpha is 0. Otherwise what is NaN
// or infinite in them shows in C. The error of an element is at most (k+2) u/(1-(k+2) u) times
// |alpha| |op(A)| |op(B)| + |beta| |C|.
func SGEMM(ctx context.Context, on kernels.Launcher, transA, transB Op, m, n, k int,
	alpha float32, a []float32, lda int, b []float32, ldb int, beta float32, c []float32, ldc int) error {
	if m < 0 || n < 0 || k < 0 {
		return check.Invalid("SGEMM", "m, n and k are %d, %d and %d", m, n, k)
	}
	if err := stored("SGEMM, A", transA, m, k, lda, len(a)); err != nil {
		return err
	}
	if err := stored("SGEMM, B", transB, k, n, ldb, len(b)); err != nil {
		return err
	}
	if err := stored("SGEMM, C", NoTrans, m, n, ldc, len(c)); err != nil {
		return err
	}
	if m == 0 || n == 0 {
		return nil
	}
	if alpha == 0 || k == 0 {
		alpha, k = 0, 0
	}
	if k > 0 && transA == Trans {
		a2 := make([]float32, m*k)
		if err := transposed(ctx, on, k, m, a2, k, a, lda); err != nil {
			return err
		}
		a, lda = a2, k
	}
	if k > 0 && transB == Trans {
		b2 := make([]float32, k*n)
		if err := transposed(ctx, on, n, k, b2, n, b, ldb); err != nil {
			return err
		}
		b, ldb = b2, n
	}
	return slabs(m, n, gemmRows, gemmCols, func(row, col, rows, cols int) error {
		cfg := grid.Config{
			Grid:  grid.Rect(cols, rows, gemmCols, gemmRows).Grid,
			Block: grid.Dim3{X: gemmX, Y: gemmY},
		}
		ap, bp := a, b
		if k > 0 {
			ap, bp = a[row*lda:], b[col:]
		}
		return on.Launch(ctx, cfg, sgemmKernel(rows, cols, k, alpha, ap, lda, bp, ldb, beta, c[row*ldc+col:], ldc))
	})
}

// stored returns an error unless op of a matrix in a slice of the given length can be rows by cols.
func stored(what string, op Op, rows, cols, ld, length int) error {
	if op == Trans {
		rows, cols = cols, rows
	}
	if ld < max(1, cols) {
		return check.Invalid(what, "the leading dimension is %d, and rows have %d elements", ld, cols)
	}
	if rows == 0 || cols == 0 {
		return nil
	}
	if length < cols || (length-cols)/ld < rows-1 {
		return check.Invalid(what, "%d by %d elements, with rows %d apart, in a slice of length %d", rows, cols, ld, length)
	}
	return nil
}
