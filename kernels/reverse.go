package kernels

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The reversal of an array in place, a first program of CUDA courses. It teaches that a thread's
// index says which part of the work is its own: each of n/2 threads swaps one element with its
// opposite, so no two threads touch the same one and none has to wait. An element in the middle
// stays where it is.

// reverseThreads is the number of threads of a block.
const reverseThreads = 256

// reverse is the program of one thread, one swap.
//
//gocuda:kernel
func reverse[T Number](t *gocuda.Thread, n int, v []T) {
	if i := t.GlobalX(); i < n/2 {
		v[i], v[n-1-i] = v[n-1-i], v[i]
	}
}

// Reverse turns v round: its first element becomes the last.
func Reverse[T Number](ctx context.Context, on Launcher, v []T) error {
	return on.Launch(ctx, grid.Linear(len(v)/2, reverseThreads), reverseKernel(len(v), v))
}
