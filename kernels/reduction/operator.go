package reduction

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
)

// Reductions of any data type (The CUDA Handbook, section 12.6, whose example are sums and sums of
// squares formed together). The operation must be associative, but need not be commutative: a
// thread combines a run of neighbours, a block folds neighbours onto neighbours, and so the order
// of the elements is kept. That is where a GPU pays for order: threads then read far apart, or go
// through shared memory first.

// combine calls the method. It is a func so that kernels, which can't call methods of interfaces,
// can call it.
func combine[T any, O kernels.Operator[T]](op O, a, b T) T { return op.Combine(a, b) }

// reduceRuns is the program of one thread. The tree is the interleaved one with the threads that
// work side by side.
//
//gocuda:kernel
func reduceRuns[T any, O kernels.Operator[T]](t *gocuda.Thread, op O, identity T, run, n int, in, results []T) {
	s := gocuda.Shared[T](t, t.BlockDim.X)
	tid := t.ThreadIdx.X
	v := identity
	if first := t.GlobalX() * run; first < n {
		for _, u := range in[first:min(first+run, n)] {
			v = combine(op, v, u)
		}
	}
	s[tid] = v
	t.SyncThreads()
	for d := 1; d < t.BlockDim.X; d *= 2 {
		if i := 2 * d * tid; i+d < t.BlockDim.X {
			s[i] = combine(op, s[i], s[i+d])
		}
		t.SyncThreads()
	}
	if tid == 0 {
		results[t.BlockIdx.X] = s[0]
	}
}

// Reduce sets out[0], the only element of out, to what the elements of in combine to, from left to
// right, or to the identity if there are none.
func Reduce[T any, O kernels.Operator[T]](ctx context.Context, on kernels.Launcher, op O, out, in []T) error {
	if err := single("reduce", len(out)); err != nil {
		return err
	}
	block := threads // or fewer, so that their results fit into the 16 KiB that every device has
	for block > 1 && block*sizeOf[T]() > 16<<10 {
		block /= 2
	}
	launch := func(blocks int, in, results []T) error {
		run := cover(len(in), blocks*block)
		cfg := grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: block}}
		return on.Launch(ctx, cfg, reduceRunsKernel(op, op.Identity(), run, len(in), in, results))
	}
	blocks := min(cover(len(in), least), busy)
	if blocks <= 1 {
		return launch(1, in, out)
	}
	results := make([]T, blocks)
	if err := launch(blocks, in, results); err != nil {
		return err
	}
	return launch(1, results, out)
}
