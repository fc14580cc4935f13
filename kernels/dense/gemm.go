package dense

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The product of BLAS, C = alpha op(A) op(B) + beta C (Dongarra et al., A Set of Level 3 Basic Linear Algebra
// Subprograms, 1990), with the technique of Volkov and Demmel (Benchmarking GPUs to Tune Dense Linear Algebra, 2008):
// a thread computes many elements of C and keeps them in registers, where the tiled kernels of [MatMul]
// read two numbers from shared memory for every product. Here it is four rows by two columns: six numbers
// make eight products. The two columns are half a tile apart, so that neighbours along x still read
// neighbours; the four numbers of A are the same for all of them.
//
// Tiles that lie within their matrices, which are most, are loaded without a test for each element. Threads of a
// group of rows have the same ThreadIdx.Z. The compiler takes several rows along y at a time, to share what
// they load; here each thread has four of its own already, and more would not fit into the registers.
//
// A transposed operand is copied in its transposed form first, which takes time of the order of its size. The
// product takes k times as long.

const (
	gemmX     = 32        // the width of a block
	gemmZ     = 16        // groups of four rows
	gemmRows  = 4 * gemmZ // of C, a block
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
	tx, tz := t.ThreadIdx.X, t.ThreadIdx.Z
	row0, col0 := t.BlockIdx.Y*gemmRows, t.BlockIdx.X*gemmCols
	var c00, c01, c10, c11, c20, c21, c30, c31 float32
	for from := 0; from < k; from += gemmDepth {
		if row0+gemmRows <= m && col0+gemmCols <= n && from+gemmDepth <= k {
			as[tz*gemmDepth+tx] = a[(row0+tz)*lda+from+tx]
			as[(tz+gemmZ)*gemmDepth+tx] = a[(row0+tz+gemmZ)*lda+from+tx]
			as[(tz+2*gemmZ)*gemmDepth+tx] = a[(row0+tz+2*gemmZ)*lda+from+tx]
			as[(tz+3*gemmZ)*gemmDepth+tx] = a[(row0+tz+3*gemmZ)*lda+from+tx]
			bs[tz*gemmCols+tx] = b[(from+tz)*ldb+col0+tx]
			bs[tz*gemmCols+tx+gemmX] = b[(from+tz)*ldb+col0+tx+gemmX]
			bs[(tz+gemmZ)*gemmCols+tx] = b[(from+tz+gemmZ)*ldb+col0+tx]
			bs[(tz+gemmZ)*gemmCols+tx+gemmX] = b[(from+tz+gemmZ)*ldb+col0+tx+gemmX]
		} else {
			for i := tz; i < gemmRows; i += gemmZ {
				as[i*gemmDepth+tx] = element(m, k, lda, a, row0+i, from+tx)
			}
			for i := tz; i < gemmDepth; i += gemmZ {
				bs[i*gemmCols+tx] = element(k, n, ldb, b, from+i, col0+tx)
				bs[i*gemmCols+tx+gemmX] = element(k, n, ldb, b, from+i, col0+tx+gemmX)
			}
		}
		t.SyncThreads()
		for i := range gemmDepth {
			b0, b1 := bs[i*gemmCols+tx], bs[i*gemmCols+tx+gemmX]
			a0 := as[(tz*4+0)*gemmDepth+i]
			c00 += a0 * b0
			c01 += a0 * b1
			a1 := as[(tz*4+1)*gemmDepth+i]
			c10 += a1 * b0
			c11 += a1 * b1
			a2 := as[(tz*4+2)*gemmDepth+i]
			c20 += a2 * b0
			c21 += a2 * b1
			a3 := as[(tz*4+3)*gemmDepth+i]
			c30 += a3 * b0
			c31 += a3 * b1
		}
		t.SyncThreads()
	}
	row, col := row0+tz*4, col0+tx
	gemmStore(m, n, alpha, c00, beta, c, ldc, row, col)
	gemmStore(m, n, alpha, c01, beta, c, ldc, row, col+gemmX)
	gemmStore(m, n, alpha, c10, beta, c, ldc, row+1, col)
	gemmStore(m, n, alpha, c11, beta, c, ldc, row+1, col+gemmX)
	gemmStore(m, n, alpha, c20, beta, c, ldc, row+2, col)
	gemmStore(m, n, alpha, c21, beta, c, ldc, row+2, col+gemmX)
	gemmStore(m, n, alpha, c30, beta, c, ldc, row+3, col)
	gemmStore(m, n, alpha, c31, beta, c, ldc, row+3, col+gemmX)
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

// SGEMM computes C = alpha op(A) op(B) + beta C, where op(A) is m by k, op(B) is k by n and C is m by n. lda, ldb and
// ldc are the distances between rows of A, B and C as they are stored; a slice needs to reach to the last
// element of the last row and may go on behind it. C must not overlap A or B.
//
// As in BLAS, C is not read if beta is 0, and A and B are not if alpha is 0. Otherwise what is NaN or infinite
// in them shows in C. The error of an element is at most (k+2) u/(1-(k+2) u) times
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
		if err := transposed(ctx, on, k, m, a, lda, a2, k); err != nil {
			return err
		}
		a, lda = a2, k
	}
	if k > 0 && transB == Trans {
		b2 := make([]float32, k*n)
		if err := transposed(ctx, on, n, k, b, ldb, b2, n); err != nil {
			return err
		}
		b, ldb = b2, n
	}
	return slabs(m, n, gemmRows, gemmCols, func(row, col, rows, cols int) error {
		cfg := grid.Config{
			Grid:  grid.Rect(cols, rows, gemmCols, gemmRows).Grid,
			Block: grid.Dim3{X: gemmX, Y: 1, Z: gemmZ},
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
		return check.Invalid(what, "%d by %d elements with a leading dimension of %d in a slice of length %d", rows, cols, ld, length)
	}
	return nil
}

// SGEMMSerial is the reference: the definition.
func SGEMMSerial(transA, transB Op, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int,
	beta float32, c []float32, ldc int) {
	for i := range m {
		for j := range n {
			var sum float32
			if alpha != 0 {
				for p := range k {
					av, bv := i*lda+p, p*ldb+j
					if transA == Trans {
						av = p*lda + i
					}
					if transB == Trans {
						bv = j*ldb + p
					}
					sum += a[av] * b[bv]
				}
				sum *= alpha
			}
			if beta != 0 {
				sum += beta * c[i*ldc+j]
			}
			c[i*ldc+j] = sum
		}
	}
}
