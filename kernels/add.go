package kernels

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The sum of two arrays, element by element: the first kernel of the CUDA C++ Programming Guide
// (chapter 2) and of most courses. It teaches the grid: enough blocks to have a thread for each
// element, and a test in the kernel because the last block may have some too many.

// addThreads is the number of threads of a block.
const addThreads = 256

// add is the program of one thread, one element.
//
//gocuda:kernel
func add[T Number](t *gocuda.Thread, n int, sum, a, b []T) {
	if i := t.GlobalX(); i < n {
		sum[i] = a[i] + b[i]
	}
}

// Add sets sum[i] to a[i] + b[i] for all i. The three have the same length; sum may be a or b. Matrices
// without gaps are arrays too.
func Add[T Number](ctx context.Context, on Launcher, sum, a, b []T) error {
	if err := check.Lengths("Add, a and b", len(a), len(b)); err != nil {
		return err
	}
	if err := check.Lengths("Add, the sum", len(sum), len(a)); err != nil {
		return err
	}
	return on.Launch(ctx, grid.Linear(len(sum), addThreads), addKernel(len(sum), sum, a, b))
}
