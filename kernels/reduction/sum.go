package reduction

import (
	"context"
	"reflect"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// A Method is how a sum is formed.
type Method int

const (
	// Interleaved folds a block's elements by pairs of neighbours, then of second neighbours, and
	// so on.
	Interleaved Method = iota
	// Sequential folds halves onto halves.
	Sequential
	// BlockAtomics is Sequential with an atomic addition for each block in place of further launches.
	BlockAtomics
	// TwoPass is a fixed number of blocks, whose threads add up many elements each before they
	// fold, and a second launch of one block.
	TwoPass
	// SinglePass is TwoPass in which the block that ends last does the second part.
	SinglePass
	// Atomics is an atomic addition for each thread, and nothing folded.
	Atomics
	// Shuffles folds warps by shuffles, with an atomic addition for each warp.
	Shuffles
	// Runs is TwoPass with a run of neighbours for each thread. It is the fastest here; on a GPU
	// TwoPass and SinglePass are, whose neighbouring threads read neighbours in memory.
	Runs
)

// String names the method.
func (m Method) String() string {
	names := []string{"interleaved", "sequential", "block-atomics", "two-pass", "single-pass", "atomics", "shuffles", "runs"}
	if m < 0 || int(m) >= len(names) {
		return "unknown method"
	}
	return names[m]
}

const (
	threads   = 256   // of a block
	maxBlocks = 65535 // of a grid of one dimension, in the first generations
	busy      = 256   // blocks that keep a device busy, if there are enough elements
	least     = 4096  // elements that are worth a block of their own
)

// Sum sets out[0], the only element of out, to the sum of in. Integers wrap around.
//
// Floating-point numbers are added in an order that depends on the method, and for those with
// atomics on chance. Whatever the order, the error is at most (n-1) 2^-24 (float32) or (n-1) 2^-53
// (float64) times the sum of the absolute values, to first order (Higham, Accuracy and Stability of
// Numerical Algorithms, 2002, section 4.2). It mostly is far below that, since few additions wait
// for each other.
func Sum[T atomic.Number](ctx context.Context, on kernels.Launcher, method Method, out, in []T) error {
	if err := single("sum", len(out)); err != nil {
		return err
	}
	switch method {
	case Interleaved, Sequential:
		return sumByLevels(ctx, on, method, out, in)
	case BlockAtomics:
		return sumByBlocks(ctx, on, out, in)
	case TwoPass:
		return sumInTwo(ctx, on, out, in)
	case SinglePass:
		return sumInOne(ctx, on, out, in)
	case Atomics:
		return sumByThreads(ctx, on, out, in)
	case Shuffles:
		return sumByWarps(ctx, on, out, in)
	case Runs:
		return sumByRuns(ctx, on, out, in)
	}
	return check.Invalid("sum", "method %d", int(method))
}

// single returns an error unless there is one element for the result.
func single(what string, out int) error {
	if out != 1 {
		return check.Invalid(what, "%d elements for the result, not 1", out)
	}
	return nil
}

// tiles returns a launch with a thread for each element, or as many as a grid has. There is one
// block at least.
func tiles(n int) grid.Config {
	return line(min(cover(n, threads), maxBlocks))
}

// parts cuts n elements into parts for as many blocks as keep the device busy, and at least one.
// Parts are multiples of a block's threads.
func parts(n int) (part int, cfg grid.Config) {
	part = threads * max(cover(n, busy*threads), least/threads)
	return part, line(cover(n, part))
}

func line(blocks int) grid.Config {
	return grid.Config{Grid: grid.Dim3{X: max(blocks, 1)}, Block: grid.Dim3{X: threads}}
}

// cover returns how many times m makes up n or more.
func cover(n, m int) int { return grid.Linear(n, m).Grid.X }

// sizeOf returns the bytes of a value of type T.
func sizeOf[T any]() int { return int(reflect.TypeFor[T]().Size()) }
