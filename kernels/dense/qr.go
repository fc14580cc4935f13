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

// The factorization A = Q R by Householder reflections (Golub and Van Loan, Matrix Computations,
// section 5.2), and least squares with it (Volkov and Demmel, as for LU). A reflection H = I - tau
// v vᵀ takes a column to a multiple of the first unit vector; Q is the product of all of them.
// Applied one by one they read the whole matrix for every column. Those of a panel of 64 columns
// together are I - V T Vᵀ with an upper triangular T of 64 by 64 (Schreiber and Van Loan, A
// Storage-Efficient WY Representation for Products of Householder Transformations, 1989), so the
// rest of the matrix is updated by three products.

const (
	qrCols    = 64 // the columns of a panel
	qrThreads = 32
)

// qrPanel is the program of one thread, of the only block, for a panel that is transposed: element
// (i, j) is at j*rows+i. For each column it finds the reflection, then its products with all
// columns behind, which are added up in one tree for all of them, and subtracts. v has 1 in the
// diagonal, which is not stored: R is there.
//
//gocuda:kernel fastmath
func qrPanel(t *gocuda.Thread, rows, cols int, p, tau []float32) {
	sums := gocuda.Shared[float32](t, qrCols*qrThreads)
	tid := t.ThreadIdx.X
	for c := range min(rows, cols) {
		// The norm of what is below the diagonal. Divided by its largest element, no square overflows.
		var largest float32
		for i := c + 1 + tid; i < rows; i += qrThreads {
			v := p[c*rows+i]
			if v < 0 {
				v = -v
			}
			if v > largest {
				largest = v
			}
		}
		sums[tid] = largest
		t.SyncThreads()
		for d := qrThreads / 2; d > 0; d /= 2 {
			if tid < d && sums[tid+d] > sums[tid] {
				sums[tid] = sums[tid+d]
			}
			t.SyncThreads()
		}
		scale := sums[0]
		if scale == 0 {
			scale = 1 // all are 0, or NaN
		}
		t.SyncThreads()
		var sum float32
		for i := c + 1 + tid; i < rows; i += qrThreads {
			v := p[c*rows+i] / float32(scale) // exact
			sum += v * v
		}
		sums[tid] = sum
		t.SyncThreads()
		for d := qrThreads / 2; d > 0; d /= 2 {
			if tid < d {
				sums[tid] += sums[tid+d]
			}
			t.SyncThreads()
		}
		alpha := p[c*rows+c]
		// What is so small that it lacks bits is made larger for the reflection, by a power of two.
		up := float32(1)
		if scale < 0x1p-100 && alpha < 0x1p-100 && alpha > -0x1p-100 {
			up = 0x1p60
		}
		norm := scale * up * device.Sqrtf(sums[0])
		beta, tc, divisor := reflection(alpha*up, norm)
		t.SyncThreads()
		for i := c + 1 + tid; i < rows; i += qrThreads {
			p[c*rows+i] = p[c*rows+i] * up / float32(divisor) // exact
		}
		t.SyncThreads()
		for j := c + 1; j < cols; j++ {
			var product float32
			for i := c + 1 + tid; i < rows; i += qrThreads {
				product += p[c*rows+i] * p[j*rows+i]
			}
			sums[j*qrThreads+tid] = product
		}
		t.SyncThreads()
		for d := qrThreads / 2; d > 0; d /= 2 {
			for j := c + 1; j < cols; j++ {
				if tid < d {
					sums[j*qrThreads+tid] += sums[j*qrThreads+tid+d]
				}
			}
			t.SyncThreads()
		}
		for j := c + 1; j < cols; j++ {
			w := tc * (p[j*rows+c] + sums[j*qrThreads])
			for i := c + 1 + tid; i < rows; i += qrThreads {
				p[j*rows+i] -= w * p[c*rows+i]
			}
		}
		t.SyncThreads()
		for j := c + 1 + tid; j < cols; j += qrThreads {
			p[j*rows+c] -= tc * (p[j*rows+c] + sums[j*qrThreads])
		}
		if tid == 0 {
			p[c*rows+c] = beta / float32(up) // exact
			tau[c] = tc
		}
		t.SyncThreads()
	}
}

// reflection returns what a column that begins with alpha, and has the given norm below, becomes,
// and the tau of the reflection; its v is the column below alpha divided by divisor. Where there is
// nothing to reflect tau is 0.
func reflection(alpha, norm float32) (beta, tau, divisor float32) {
	if norm == 0 {
		return alpha, 0, 1
	}
	size := alpha
	if size < 0 {
		size = -size
	}
	large, small := max(size, norm), min(size, norm)
	r := small / float32(large) // exact
	beta = large * device.Sqrtf(1+r*r)
	if alpha >= 0 {
		beta = -beta // so that alpha - beta does not cancel
	}
	return beta, (beta - alpha) / float32(beta), alpha - beta // exact
}

// qrUnit is the program of one thread: an element of V, transposed, of a panel. It takes out what
// is R: v begins with 1, and there are zeros before.
//
//gocuda:kernel
func qrUnit(t *gocuda.Thread, vectors, rows int, v []float32) {
	i, j := t.GlobalX(), t.GlobalY()
	if j < vectors && i <= j && i < rows {
		var one float32
		if i == j {
			one = 1
		}
		v[j*rows+i] = one
	}
}

// qrTriangle is the program of one thread, of the only block: row tid of T, which is stored
// transposed, column after column. g is Vᵀ V.
//
//gocuda:kernel fastmath
func qrTriangle(t *gocuda.Thread, vectors int, g, tau, tt []float32) {
	tid := t.ThreadIdx.X
	for c := range vectors {
		if tid < vectors {
			var sum float32
			if tid == c {
				sum = -1
			}
			for p := range c {
				sum += tt[p*vectors+tid] * g[p*vectors+c]
			}
			tt[c*vectors+tid] = -tau[c] * sum
		}
		t.SyncThreads()
	}
}

// QR overwrites A, rows by cols, with R on the diagonal and above it, and the reflections below: v
// of reflection i is 0 in the first i rows, 1 in row i, and what is in column i below that. tau has
// min(rows, cols) elements. Q is H0 H1 H2 ... with Hi = I - tau[i] v vᵀ, as in LAPACK's sgeqrf; see
// [QRMultiply].
//
// There is an orthogonal Q with Q R = A + E, and column j of E is at most k (4 rows + 40) u times
// as long as that of A, where k is min(rows, cols) (Higham, theorem 19.4, with a constant for its
// c: the vector of a reflection, and its application to a column, are wrong by at most twice the
// error of a sum of that many products each).
func QR(ctx context.Context, on kernels.Launcher, rows, cols int, a, tau []float32) error {
	if err := check.Shape("QR", rows, cols, len(a)); err != nil {
		return err
	}
	if err := check.Lengths("QR, tau", len(tau), min(rows, cols)); err != nil {
		return err
	}
	panel := make([]float32, rows*min(cols, qrCols))
	for c := 0; c < min(rows, cols); c += qrCols {
		high, wide := rows-c, min(qrCols, cols-c)
		vectors := min(high, wide)
		p := panel[:high*wide]
		if err := transposed(ctx, on, high, wide, p, high, a[c*cols+c:], cols); err != nil {
			return err
		}
		one := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: qrThreads}}
		if err := on.Launch(ctx, one, qrPanelKernel(high, wide, p, tau[c:c+vectors])); err != nil {
			return err
		}
		if err := transposed(ctx, on, wide, high, a[c*cols+c:], cols, p, high); err != nil {
			return err
		}
		if rest := cols - c - wide; rest > 0 {
			err := reflect(ctx, on, Trans, vectors, high, p[:vectors*high], tau[c:c+vectors], rest, a[c*cols+c+wide:], cols)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// reflect applies the reflections of a panel, transposed, to the rows by columns matrix C: from the
// last to the first, or from the first to the last if trans. It takes R out of the panel.
func reflect(ctx context.Context, on kernels.Launcher, trans Op, vectors, rows int, v, tau []float32,
	columns int, c []float32, ldc int) error {
	cfg := grid.Rect(vectors, vectors, 16, 16)
	if err := on.Launch(ctx, cfg, qrUnitKernel(vectors, rows, v)); err != nil {
		return err
	}
	g, tt := make([]float32, vectors*vectors), make([]float32, vectors*vectors)
	if err := SGEMM(ctx, on, NoTrans, Trans, vectors, vectors, rows, 1, v, rows, v, rows, 0, g, vectors); err != nil {
		return err
	}
	one := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: qrCols}}
	if err := on.Launch(ctx, one, qrTriangleKernel(vectors, g, tau, tt)); err != nil {
		return err
	}
	w, tw := make([]float32, vectors*columns), make([]float32, vectors*columns)
	if err := SGEMM(ctx, on, NoTrans, NoTrans, vectors, columns, rows, 1, v, rows, c, ldc, 0, w, columns); err != nil {
		return err
	}
	err := SGEMM(ctx, on, !trans, NoTrans, vectors, columns, vectors, 1, tt, vectors, w, columns, 0, tw, columns)
	if err != nil {
		return err
	}
	return SGEMM(ctx, on, Trans, NoTrans, rows, columns, vectors, -1, v, rows, tw, columns, 1, c, ldc)
}

// QRMultiply overwrites C, rows by columns, with Q C, or Qᵀ C if trans, where Q is the rows by rows
// matrix of the reflections that [QR] left in the rows by cols matrix qr and in tau. Applied to the
// first columns of the unit matrix it gives the first columns of Q.
func QRMultiply(ctx context.Context, on kernels.Launcher, trans Op, rows, cols int, qr, tau []float32,
	columns int, c []float32) error {
	if err := check.Shape("QR product, QR", rows, cols, len(qr)); err != nil {
		return err
	}
	if err := check.Lengths("QR product, tau", len(tau), min(rows, cols)); err != nil {
		return err
	}
	if err := check.Shape("QR product, C", rows, columns, len(c)); err != nil {
		return err
	}
	if len(c) == 0 || len(tau) == 0 {
		return nil
	}
	panel := make([]float32, rows*min(cols, qrCols))
	panels := (len(tau) + qrCols - 1) / qrCols
	for i := range panels {
		if trans == NoTrans {
			i = panels - 1 - i
		}
		at := i * qrCols
		high, vectors := rows-at, min(qrCols, len(tau)-at)
		v := panel[:high*vectors]
		if err := transposed(ctx, on, high, vectors, v, high, qr[at*cols+at:], cols); err != nil {
			return err
		}
		err := reflect(ctx, on, trans, vectors, high, v, tau[at:at+vectors], columns, c[at*columns:], columns)
		if err != nil {
			return err
		}
	}
	return nil
}

// LeastSquares finds the X, cols by columns, with the smallest Frobenius norm of A X - B, where A
// is rows by cols, rows at least cols, and B rows by columns. X goes into the first rows of b; the
// squares of what is left in the others add up to the square of that norm. A is overwritten as by
// [QR].
//
// If the columns of A are linearly dependent the error wraps [ErrSingular]. An element on the
// diagonal of R that is at most rows u times the largest one counts as 0. LeastSquares reads
// results back, so it can't be queued.
func LeastSquares(ctx context.Context, on kernels.Launcher, rows, cols, columns int, a, b []float32) error {
	if err := kernels.Waits("least squares", on); err != nil {
		return err
	}
	if rows < cols {
		return check.Invalid("least squares", "%d equations for %d unknowns", rows, cols)
	}
	if err := check.Shape("least squares, A", rows, cols, len(a)); err != nil {
		return err
	}
	if err := check.Shape("least squares, B", rows, columns, len(b)); err != nil {
		return err
	}
	tau := make([]float32, cols)
	if err := QR(ctx, on, rows, cols, a, tau); err != nil {
		return err
	}
	var largest float32
	for i := range cols {
		largest = max(largest, abs(a[i*cols+i]))
	}
	for i := range cols {
		if abs(a[i*cols+i]) <= float32(rows)*0x1p-24*largest {
			return fmt.Errorf("kernels: least squares: %w: column %d depends on those before it", ErrSingular, i)
		}
	}
	if err := QRMultiply(ctx, on, Trans, rows, cols, a, tau, columns, b); err != nil {
		return err
	}
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	return upperSolve(ctx, on, cols, columns, a, cols, b, columns)
}
