package kernels

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The transpose of a matrix (Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009). There
// is nothing to compute; it teaches the order of memory accesses. Read along the rows, the matrix would
// be written down the columns, where neighbours are a whole row apart. So a block takes a tile: it
// reads the tile along its rows into shared memory, and writes it along the rows of the result. Only
// shared memory is crossed against the grain.
//
// The tile's rows have one element more than they need. Without it all elements of a column would be in
// the same bank of a GPU's shared memory, or the same set of a processor's cache, and come one by one.

const (
	transposeTile = 32 // the width and height of a tile, and the width of a block
	transposeRows = 8  // the height of a block: each thread moves four elements of the tile
	transposePad  = transposeTile + 1
)

// transpose is the program of one thread. Threads with neighbouring ThreadIdx.X touch neighbouring
// elements both times: the tile changes its place, the threads keep theirs.
//
//gocuda:kernel
func transpose(t *gocuda.Thread, rows, cols int, out, in []float32) {
	tile := gocuda.Shared[float32](t, transposeTile*transposePad)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	x, y := t.BlockIdx.Y*transposeTile+tx, t.BlockIdx.X*transposeTile+ty
	for j := 0; j < transposeTile; j += transposeRows {
		if x < cols && y+j < rows {
			tile[(ty+j)*transposePad+tx] = in[(y+j)*cols+x]
		}
	}
	t.SyncThreads()
	x, y = t.BlockIdx.X*transposeTile+tx, t.BlockIdx.Y*transposeTile+ty
	for j := 0; j < transposeTile; j += transposeRows {
		if x < rows && y+j < cols {
			out[(y+j)*rows+x] = tile[tx*transposePad+ty+j]
		}
	}
}

// Transpose sets out to the transpose of in, which has the given number of rows and columns: element
// in[i*cols+j] becomes out[j*rows+i]. The slices must not overlap.
func Transpose(ctx context.Context, on Launcher, rows, cols int, out, in []float32) error {
	return TransposeForm(ctx, on, Compiled, rows, cols, out, in)
}

// TransposeForm is [Transpose] in the given form. There is no form Blocks.
func TransposeForm(ctx context.Context, on Launcher, form Form, rows, cols int, out, in []float32) error {
	if err := noBlocks("transpose", form); err != nil {
		return err
	}
	if err := check.Shape("transpose", rows, cols, len(in)); err != nil {
		return err
	}
	if err := check.Lengths("transpose", len(in), len(out)); err != nil {
		return err
	}
	cfg := grid.Config{
		Grid:  grid.Rect(rows, cols, transposeTile, transposeTile).Grid, // a block a tile
		Block: grid.Dim3{X: transposeTile, Y: transposeRows},
	}
	k := either(form, transposeKernel(rows, cols, out, in), func(t *gocuda.Thread) { transpose(t, rows, cols, out, in) })
	return on.Launch(ctx, cfg, k)
}

// TransposeSerial is the reference.
func TransposeSerial(rows, cols int, out, in []float32) {
	for i := range rows {
		for j, v := range in[i*cols : (i+1)*cols] {
			out[j*rows+i] = v
		}
	}
}
