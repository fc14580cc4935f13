package dense

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
)

// Triangular systems with many right-hand sides: what LU, Cholesky and QR leave to be solved. The
// unknowns of one system depend on each other; those of different right-hand sides don't. So a
// thread takes a column of B. Larger triangles are cut in halves: solve the one, subtract what it
// adds to the other by [SGEMM], solve the other. Nearly all of the work is then in the product.

const (
	triangle      = 32 // the largest triangle that is solved by one kernel
	triangleBlock = 64 // columns of B, and threads, a block
)

// half returns the size of the first part of n, about a half, and a multiple of what one kernel takes.
func half(n int) int { return (n/2 + triangle - 1) / triangle * triangle }

// solveLower is the program of one thread: a column of X in L X = B. L has n rows, at most
// triangle, and is the lower triangle of tri or the transpose of the upper one. With unit its
// diagonal is not stored: it is 1.
//
//gocuda:kernel fastmath
func solveLower(t *gocuda.Thread, n, columns int, trans, unit bool, tri []float32, ld int, b []float32, ldb int) {
	l := gocuda.Shared[float32](t, triangle*triangle)
	x := gocuda.Shared[float32](t, triangle*triangleBlock)
	tid, col := t.ThreadIdx.X, t.GlobalX()
	loadTriangular(n, columns, tri, ld, b, ldb, l, x, tid, col)
	t.SyncThreads()
	down, right := triangle, 1 // how far the next row and the next column of L are
	if trans {
		down, right = right, down
	}
	for p := range n {
		v := x[p*triangleBlock+tid]
		if !unit {
			v /= float32(l[p*triangle+p]) // exact
		}
		x[p*triangleBlock+tid] = v
		for i := p + 1; i < n; i++ {
			x[i*triangleBlock+tid] -= l[i*down+p*right] * v
		}
	}
	storeTriangular(n, columns, b, ldb, x, tid, col)
}

// solveUpper is the same for U X = B, where U is the upper triangle of tri: from the last row to
// the first.
//
//gocuda:kernel fastmath
func solveUpper(t *gocuda.Thread, n, columns int, tri []float32, ld int, b []float32, ldb int) {
	u := gocuda.Shared[float32](t, triangle*triangle)
	x := gocuda.Shared[float32](t, triangle*triangleBlock)
	tid, col := t.ThreadIdx.X, t.GlobalX()
	loadTriangular(n, columns, tri, ld, b, ldb, u, x, tid, col)
	t.SyncThreads()
	for p := n - 1; p >= 0; p-- {
		v := x[p*triangleBlock+tid] / float32(u[p*triangle+p]) // exact
		x[p*triangleBlock+tid] = v
		for i := range p {
			x[i*triangleBlock+tid] -= u[i*triangle+p] * v
		}
	}
	storeTriangular(n, columns, b, ldb, x, tid, col)
}

// loadTriangular copies the triangle, which all threads need, and each thread's column of B to
// shared memory.
func loadTriangular(n, columns int, tri []float32, ld int, b []float32, ldb int, l, x []float32, tid, col int) {
	for i := range n {
		if tid < n {
			l[i*triangle+tid] = tri[i*ld+tid]
		}
	}
	for i := range n {
		x[i*triangleBlock+tid] = element(n, columns, ldb, b, i, col)
	}
}

func storeTriangular(n, columns int, b []float32, ldb int, x []float32, tid, col int) {
	for i := range n {
		if col < columns {
			b[i*ldb+col] = x[i*triangleBlock+tid]
		}
	}
}

// lowerSolve overwrites B, n by columns, with X in L X = B. See solveLower for what L is.
func lowerSolve(ctx context.Context, on kernels.Launcher, n, columns int, trans Op, unit bool,
	tri []float32, ld int, b []float32, ldb int) error {
	if n <= triangle {
		return slabs(min(n, 1), columns, 1, triangleBlock, func(_, col, _, cols int) error {
			return on.Launch(ctx, grid.Linear(cols, triangleBlock),
				solveLowerKernel(n, cols, bool(trans), unit, tri, ld, b[col:], ldb))
		})
	}
	h := half(n)
	if err := lowerSolve(ctx, on, h, columns, trans, unit, tri, ld, b, ldb); err != nil || columns == 0 {
		return err
	}
	l21 := tri[h*ld:]
	if trans == Trans {
		l21 = tri[h:]
	}
	b2 := b[h*ldb:]
	if err := SGEMM(ctx, on, trans, NoTrans, n-h, columns, h, -1, l21, ld, b, ldb, 1, b2, ldb); err != nil {
		return err
	}
	return lowerSolve(ctx, on, n-h, columns, trans, unit, tri[h*ld+h:], ld, b2, ldb)
}

// upperSolve overwrites B, n by columns, with X in U X = B, where U is the upper triangle of tri.
func upperSolve(ctx context.Context, on kernels.Launcher, n, columns int,
	tri []float32, ld int, b []float32, ldb int) error {
	if n <= triangle {
		return slabs(min(n, 1), columns, 1, triangleBlock, func(_, col, _, cols int) error {
			return on.Launch(ctx, grid.Linear(cols, triangleBlock), solveUpperKernel(n, cols, tri, ld, b[col:], ldb))
		})
	}
	if columns == 0 {
		return nil
	}
	h := half(n)
	b2 := b[h*ldb:]
	if err := upperSolve(ctx, on, n-h, columns, tri[h*ld+h:], ld, b2, ldb); err != nil {
		return err
	}
	if err := SGEMM(ctx, on, NoTrans, NoTrans, h, columns, n-h, -1, tri[h:], ld, b2, ldb, 1, b, ldb); err != nil {
		return err
	}
	return upperSolve(ctx, on, h, columns, tri, ld, b, ldb)
}
