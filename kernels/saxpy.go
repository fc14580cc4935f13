package kernels

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// SAXPY is y = a*x + y, the first program of every CUDA course (Nickolls and Kirk, figure B.3.4;
// the name is that of the BLAS routine). It teaches how loops become kernels: the loop is gone,
// every thread computes one element, and the guard keeps the threads of the last block that have
// none from touching memory. It does two operations for twelve bytes, so memory sets the pace.

// saxpyThreads is the number of threads of a block.
const saxpyThreads = 256

// saxpy is the program of one thread.
//
//gocuda:kernel
func saxpy[T Float](t *gocuda.Thread, n int, a T, x, y []T) {
	i := t.BlockIdx.X*t.BlockDim.X + t.ThreadIdx.X
	if i < n {
		y[i] = a*x[i] + y[i]
	}
}

// saxpyBlock is the program of a block: the threads' loop, with the guard as its bound.
func saxpyBlock[T Float](b *gocuda.Block, n int, a T, x, y []T) {
	from := b.BlockIdx.X * b.BlockDim.X
	to := min(from+b.BlockDim.X, n)
	x, y = x[from:to], y[from:to]
	for i, v := range x {
		y[i] = a*v + y[i]
	}
}

// SAXPY computes y[i] = a*x[i] + y[i] for all i. x and y must have the same length.
func SAXPY[T Float](ctx context.Context, on Launcher, a T, x, y []T) error {
	return SAXPYForm(ctx, on, Compiled, a, x, y)
}

// SAXPYForm is [SAXPY] in the given form.
func SAXPYForm[T Float](ctx context.Context, on Launcher, form Form, a T, x, y []T) error {
	n := len(x)
	if err := check.Lengths("SAXPY", n, len(y)); err != nil {
		return err
	}
	cfg := grid.Linear(n, saxpyThreads)
	if form == Blocks {
		return on.Launch(ctx, cfg, gocuda.BlockFunc(func(b *gocuda.Block) { saxpyBlock(b, n, a, x, y) }))
	}
	k := either(form, saxpyKernel(n, a, x, y))
	return on.Launch(ctx, cfg, k)
}

// SAXPYSerial is the reference: the loop that the kernel replaces.
func SAXPYSerial[T Float](a T, x, y []T) {
	for i := range y {
		y[i] = a*x[i] + y[i]
	}
}
