package dense

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The sum of two matrices, with which lectures introduce threads and blocks in two dimensions:
// first one block, whose threads are the elements, then as many blocks as it takes to cover the
// matrix, with a guard for what they have beyond its edges. It also teaches what x is for: the
// columns, so that neighbours read neighbours. (The lecture's own kernel has x for the rows.)

const (
	addCols = 128 // the width of a block
	addRows = 2   // its height
)

// add is the program of one thread: one element. Rows are ld apart.
//
//gocuda:kernel
func add(t *gocuda.Thread, rows, cols, ld int, a, b, c []float32) {
	if row, col := t.GlobalY(), t.GlobalX(); row < rows && col < cols {
		c[row*ld+col] = a[row*ld+col] + b[row*ld+col]
	}
}

// Add computes C = A + B, where all are rows by cols. c may be a or b.
func Add(ctx context.Context, on kernels.Launcher, rows, cols int, a, b, c []float32) error {
	for _, v := range [][]float32{a, b, c} {
		if err := check.Shape("matrix sum", rows, cols, len(v)); err != nil {
			return err
		}
	}
	return slabs(rows, cols, addRows, addCols, func(row, col, high, wide int) error {
		at := row*cols + col
		return on.Launch(ctx, grid.Rect(wide, high, addCols, addRows), addKernel(high, wide, cols, a[at:], b[at:], c[at:]))
	})
}
