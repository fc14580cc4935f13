package dense

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
)

// The transpose of a part of a matrix, as in kernels.Transpose but with leading dimensions. The
// factorizations use it to lay a panel's columns one after the other: then threads with
// neighbouring ThreadIdx.X read neighbouring rows of a column, which in the matrix are a whole row
// apart.

const (
	transposeTile = 32
	transposeRows = 8
	transposePad  = transposeTile + 1
)

//gocuda:kernel
func transpose(t *gocuda.Thread, rows, cols int, in []float32, ldin int, out []float32, ldout int) {
	tile := gocuda.Shared[float32](t, transposeTile*transposePad)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	x, y := t.BlockIdx.X*transposeTile+tx, t.BlockIdx.Y*transposeTile+ty
	for j := 0; j < transposeTile; j += transposeRows {
		if x < cols && y+j < rows {
			tile[(ty+j)*transposePad+tx] = in[(y+j)*ldin+x]
		}
	}
	t.SyncThreads()
	x, y = t.BlockIdx.Y*transposeTile+tx, t.BlockIdx.X*transposeTile+ty
	for j := 0; j < transposeTile; j += transposeRows {
		if x < rows && y+j < cols {
			out[(y+j)*ldout+x] = tile[tx*transposePad+ty+j]
		}
	}
}

// transposed sets out, which has rows of ldout elements, to the transpose of the rows by cols
// matrix in.
func transposed(ctx context.Context, on kernels.Launcher, rows, cols int, in []float32, ldin int,
	out []float32, ldout int) error {
	return slabs(rows, cols, transposeTile, transposeTile, func(row, col, high, wide int) error {
		cfg := grid.Config{
			Grid:  grid.Rect(wide, high, transposeTile, transposeTile).Grid,
			Block: grid.Dim3{X: transposeTile, Y: transposeRows},
		}
		return on.Launch(ctx, cfg, transposeKernel(high, wide, in[row*ldin+col:], ldin, out[col*ldout+row:], ldout))
	})
}
