package dense

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
)

// The tiled product of matrices in column-major order, as Fortran and BLAS have them (lectures on
// CUDA take either order). Element (i, j) of a matrix with m rows is at i+j*m. Now neighbours in
// memory are neighbours in a column, so threads with neighbouring ThreadIdx.X have to take
// neighbouring rows. With x for the columns, as in the row-major kernel, every access would jump by
// a column: right results, and the slowest way to get them. Which index x stands for is a question
// of the layout, not of the mathematics.

const columnsTile = 16 // the width and the height of a tile, and of a block

// matmulColumns is the program of one thread. Tiles are column-major like their matrices.
//
//gocuda:kernel fastmath
func matmulColumns(t *gocuda.Thread, m, n, k, ld int, a, b, c []float32) {
	as := gocuda.Shared[float32](t, columnsTile*columnsTile)
	bs := gocuda.Shared[float32](t, columnsTile*columnsTile)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	row, col := t.BlockIdx.X*columnsTile+tx, t.BlockIdx.Y*columnsTile+ty
	var sum float32
	for from := 0; from < k; from += columnsTile {
		as[tx+ty*columnsTile] = element(k, m, ld, a, from+ty, row) // column from+ty, row row
		bs[tx+ty*columnsTile] = element(n, k, k, b, col, from+tx)  // column col, row from+tx
		t.SyncThreads()
		for i := range columnsTile {
			sum += as[tx+i*columnsTile] * bs[i+ty*columnsTile]
		}
		t.SyncThreads()
	}
	if row < m && col < n {
		c[row+col*ld] = sum
	}
}

// MatMulColumns computes C = A B for column-major matrices, where A is m by k, B is k by n and C is
// m by n. c must not overlap a or b. The error is that of [MatMul].
func MatMulColumns(ctx context.Context, on kernels.Launcher, m, n, k int, a, b, c []float32) error {
	if err := shapes("column-major product", m, n, k, a, b, c); err != nil {
		return err
	}
	return slabs(n, m, columnsTile, columnsTile, func(col, row, cols, rows int) error {
		cfg := grid.Rect(rows, cols, columnsTile, columnsTile)
		return on.Launch(ctx, cfg, matmulColumnsKernel(rows, cols, k, m, a[min(row, len(a)):], b[col*k:], c[row+col*m:]))
	})
}
