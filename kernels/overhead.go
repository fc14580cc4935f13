package kernels

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels that do nothing, to measure what a launch costs and what a barrier costs (The CUDA
// Handbook's program nullKernelAsync.cu has the first). They teach what a kernel pays before it
// does any work: the one for its launch, the other for having its threads wait for each other.
// Compiled, threads don't wait, because those of a block take turns, so a barrier with nothing on
// either side costs nothing.

// null is the program of a thread that has nothing to do.
//
//gocuda:kernel
func null(t *gocuda.Thread) {}

// barriers is the program of a thread that comes to a barrier so many times, and says so in the
// end. The threads of the last block that stand for no element come to all of them, too.
//
//gocuda:kernel
func barriers(t *gocuda.Thread, n, count int, passed []int) {
	for range count {
		t.SyncThreads()
	}
	if i := t.GlobalX(); i < n {
		passed[i] += count
	}
}

// Null launches a kernel that does nothing.
func Null(ctx context.Context, on Launcher, cfg grid.Config) error {
	return on.Launch(ctx, cfg, nullKernel())
}

// Barriers launches a thread for each element of passed, in blocks of so many threads. Each thread
// comes to count barriers and adds their number to its element.
func Barriers(ctx context.Context, on Launcher, threads, count int, passed []int) error {
	if count < 0 {
		return fmt.Errorf("kernels: barriers: %w: %d barriers", gocuda.ErrInvalidValue, count)
	}
	n := len(passed)
	cfg := grid.Linear(n, threads)
	return on.Launch(ctx, cfg, barriersKernel(n, count, passed))
}
