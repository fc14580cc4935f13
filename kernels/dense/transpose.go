package dense

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The transpose of a matrix, in the three versions of Ruetsch and Micikevicius (Optimizing Matrix
// Transpose in CUDA, 2009). There is nothing to compute; it teaches the order of memory accesses.
//
// The naive version reads along the rows and writes down the columns, where neighbours are a whole
// row apart. With a tile a block does better: it reads the tile along its rows into shared memory,
// and writes it along the rows of the result. Only shared memory is crossed against the grain.
//
// There is a catch. All elements of a column of the tile are in the same bank of a GPU's shared
// memory, and come one by one. In the third version the tile's rows have one element more than they
// need: neighbours in a column are then in neighbouring banks.

const (
	transposeTile = 32 // the width and height of a tile, and the width of a block
	transposeRows = 8  // the height of a block: each thread moves four elements of the tile
	transposePad  = transposeTile + 1
)

// transposeNaive is the program of one thread: four elements, read along a row, written down a column.
//
//gocuda:kernel
func transposeNaive(t *gocuda.Thread, rows, cols int, out, in []float32) {
	x, y := t.BlockIdx.Y*transposeTile+t.ThreadIdx.X, t.BlockIdx.X*transposeTile+t.ThreadIdx.Y
	for j := 0; j < transposeTile; j += transposeRows {
		if x < cols && y+j < rows {
			out[x*rows+y+j] = in[(y+j)*cols+x]
		}
	}
}

// transposeTiled is the same by way of a tile in shared memory, without padding.
//
//gocuda:kernel
func transposeTiled(t *gocuda.Thread, rows, cols int, out, in []float32) {
	tile := gocuda.Shared[float32](t, transposeTile*transposeTile)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	x, y := t.BlockIdx.Y*transposeTile+tx, t.BlockIdx.X*transposeTile+ty
	for j := 0; j < transposeTile; j += transposeRows {
		if x < cols && y+j < rows {
			tile[(ty+j)*transposeTile+tx] = in[(y+j)*cols+x]
		}
	}
	t.SyncThreads()
	x, y = t.BlockIdx.X*transposeTile+tx, t.BlockIdx.Y*transposeTile+ty
	for j := 0; j < transposeTile; j += transposeRows {
		if x < rows && y+j < cols {
			out[(y+j)*rows+x] = tile[tx*transposeTile+ty+j]
		}
	}
}

// transpose is the same with padding, and with leading dimensions. Threads with neighbouring
// ThreadIdx.X touch neighbouring elements both times: the tile changes its place, the threads keep
// theirs.
//
//gocuda:kernel
func transpose(t *gocuda.Thread, rows, cols int, out []float32, ldout int, in []float32, ldin int) {
	tile := gocuda.Shared[float32](t, transposeTile*transposePad)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	x, y := t.BlockIdx.Y*transposeTile+tx, t.BlockIdx.X*transposeTile+ty
	for j := 0; j < transposeTile; j += transposeRows {
		if x < cols && y+j < rows {
			tile[(ty+j)*transposePad+tx] = in[(y+j)*ldin+x]
		}
	}
	t.SyncThreads()
	x, y = t.BlockIdx.X*transposeTile+tx, t.BlockIdx.Y*transposeTile+ty
	for j := 0; j < transposeTile; j += transposeRows {
		if x < rows && y+j < cols {
			out[(y+j)*ldout+x] = tile[tx*transposePad+ty+j]
		}
	}
}

// Transpose sets out to the transpose of in, which has the given number of rows and columns: element
// in[i*cols+j] becomes out[j*rows+i]. The slices must not overlap.
func Transpose(ctx context.Context, on kernels.Launcher, rows, cols int, out, in []float32) error {
	if err := transposable(rows, cols, out, in); err != nil {
		return err
	}
	return transposed(ctx, on, rows, cols, out, rows, in, cols)
}

// transposed sets out, which has rows of ldout elements, to the transpose of the rows by cols matrix
// in, whose rows have ldin. The factorizations use it to lay a panel's columns one after the other:
// then threads with neighbouring ThreadIdx.X read neighbouring rows of a column, which in the matrix
// are a whole row apart.
func transposed(ctx context.Context, on kernels.Launcher, rows, cols int, out []float32, ldout int, in []float32, ldin int) error {
	return slabs(rows, cols, transposeTile, transposeTile, func(row, col, high, wide int) error {
		return on.Launch(ctx, tilesOf(high, wide),
			transposeKernel(high, wide, out[col*ldout+row:], ldout, in[row*ldin+col:], ldin))
	})
}

// TransposeNaive is [Transpose] without shared memory, for comparison.
func TransposeNaive(ctx context.Context, on kernels.Launcher, rows, cols int, out, in []float32) error {
	if err := transposable(rows, cols, out, in); err != nil {
		return err
	}
	return on.Launch(ctx, tilesOf(rows, cols), transposeNaiveKernel(rows, cols, out, in))
}

// TransposeTiled is [Transpose] without padding, for comparison.
func TransposeTiled(ctx context.Context, on kernels.Launcher, rows, cols int, out, in []float32) error {
	if err := transposable(rows, cols, out, in); err != nil {
		return err
	}
	return on.Launch(ctx, tilesOf(rows, cols), transposeTiledKernel(rows, cols, out, in))
}

// transposable returns an error unless in is a rows by cols matrix, and out has room for it.
func transposable(rows, cols int, out, in []float32) error {
	if err := check.Shape("transpose", rows, cols, len(in)); err != nil {
		return err
	}
	return check.Lengths("transpose", len(in), len(out))
}

// tilesOf returns a launch with a block a tile.
func tilesOf(rows, cols int) grid.Config {
	return grid.Config{
		Grid:  grid.Rect(rows, cols, transposeTile, transposeTile).Grid,
		Block: grid.Dim3{X: transposeTile, Y: transposeRows},
	}
}
