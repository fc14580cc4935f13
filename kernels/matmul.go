package kernels

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The product of two matrices, in the two versions that courses begin with (CUDA C++ Programming
// Guide, chapter 3, shared memory; Kirk and Hwu, chapters 4 and 5). In both, one thread computes
// one element of C, the product of a row of A and a column of B.
//
// The naive version reads 2k numbers from global memory for 2k operations. The tiled one teaches how a
// block shares its reads: it goes along the row and down the column tile by tile, loads one tile of A
// and one of B into shared memory, and all its threads use both. Every number is then read once for
// each tile's width of threads instead of once a thread.
//
// Matrices are row-major: element (i, j) of a matrix with n columns is at i*n+j.

// matmulTile is the width and the height of a tile and of a block.
const matmulTile = 16

// matmulNaive is the program of one thread: one element of C, straight from global memory.
//
//gocuda:kernel fastmath
func matmulNaive(t *gocuda.Thread, m, n, k int, a, b, c []float32) {
	col, row := t.GlobalX(), t.GlobalY()
	if row >= m || col >= n {
		return
	}
	var sum float32
	for i := range k {
		sum += a[row*k+i] * b[i*n+col]
	}
	c[row*n+col] = sum
}

// matmulTiled is the same with tiles in shared memory. What a tile has beyond the edge of its
// matrix is 0 and adds nothing, so any m, n and k will do. Threads beyond the edge of C help to
// load and must come to the barriers; only then do they find that they have nothing to store.
//
//gocuda:kernel fastmath
func matmulTiled(t *gocuda.Thread, m, n, k int, a, b, c []float32) {
	as := gocuda.Shared[float32](t, matmulTile*matmulTile)
	bs := gocuda.Shared[float32](t, matmulTile*matmulTile)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.GlobalX(), t.GlobalY()
	var sum float32
	for from := 0; from < k; from += matmulTile {
		var av, bv float32
		if row < m && from+tx < k {
			av = a[row*k+from+tx]
		}
		if from+ty < k && col < n {
			bv = b[(from+ty)*n+col]
		}
		as[ty*matmulTile+tx] = av
		bs[ty*matmulTile+tx] = bv
		t.SyncThreads() // the tiles are loaded
		for i := range matmulTile {
			sum += as[ty*matmulTile+i] * bs[i*matmulTile+tx]
		}
		t.SyncThreads() // and used: the next round may overwrite them
	}
	if row < m && col < n {
		c[row*n+col] = sum
	}
}

// MatMul computes C = A B with tiles in shared memory, where A is m by k, B is k by n and C is m by
// n, all row-major and without gaps. c must not overlap a or b. With k = 0 all elements of C become
// 0.
func MatMul(ctx context.Context, on Launcher, m, n, k int, a, b, c []float32) error {
	return MatMulForm(ctx, on, Compiled, m, n, k, a, b, c)
}

// MatMulForm is [MatMul] in the given form. There is no form Blocks.
func MatMulForm(ctx context.Context, on Launcher, form Form, m, n, k int, a, b, c []float32) error {
	if err := matmulCheck(form, m, n, k, a, b, c); err != nil {
		return err
	}
	cfg := grid.Rect(n, m, matmulTile, matmulTile)
	kernel := either(form, matmulTiledKernel(m, n, k, a, b, c))
	return on.Launch(ctx, cfg, kernel)
}

// MatMulNaive is [MatMul] without shared memory, for comparison.
func MatMulNaive(ctx context.Context, on Launcher, m, n, k int, a, b, c []float32) error {
	return MatMulNaiveForm(ctx, on, Compiled, m, n, k, a, b, c)
}

// MatMulNaiveForm is [MatMulNaive] in the given form. There is no form Blocks.
func MatMulNaiveForm(ctx context.Context, on Launcher, form Form, m, n, k int, a, b, c []float32) error {
	if err := matmulCheck(form, m, n, k, a, b, c); err != nil {
		return err
	}
	cfg := grid.Rect(n, m, matmulTile, matmulTile)
	kernel := either(form, matmulNaiveKernel(m, n, k, a, b, c))
	return on.Launch(ctx, cfg, kernel)
}

func matmulCheck(form Form, m, n, k int, a, b, c []float32) error {
	if err := noBlocks("matrix product", form); err != nil {
		return err
	}
	if err := check.Shape("matrix product, A", m, k, len(a)); err != nil {
		return err
	}
	if err := check.Shape("matrix product, B", k, n, len(b)); err != nil {
		return err
	}
	return check.Shape("matrix product, C", m, n, len(c))
}

// MatMulSerial is the reference. It adds the products of an element in the same order as the
// kernels, but goes along the rows of B, where the textbook's third loop would go down its columns
// and miss the cache at every step.
func MatMulSerial(m, n, k int, a, b, c []float32) {
	for row := range m {
		sums := c[row*n : (row+1)*n]
		clear(sums)
		for i, av := range a[row*k : (row+1)*k] {
			for col, bv := range b[i*n : (i+1)*n] {
				sums[col] += av * bv
			}
		}
	}
}
