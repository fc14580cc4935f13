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

// SAXPY computes y[i] = a*x[i] + y[i] for all i. x and y must have the same length.
func SAXPY[T Float](ctx context.Context, on Launcher, a T, x, y []T) error {
	n := len(x)
	if err := check.Lengths("SAXPY", n, len(y)); err != nil {
		return err
	}
	cfg := grid.Linear(n, saxpyThreads)
	return on.Launch(ctx, cfg, saxpyKernel(n, a, x, y))
}
