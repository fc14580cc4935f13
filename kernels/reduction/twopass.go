package reduction

import (
	"context"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The two-pass reduction of The CUDA Handbook (section 12.2). The number of blocks is fixed, not
// the number of elements a thread: each thread adds up as many as it takes by itself, and only then
// does its block fold the sums, once. So the tree, where most threads wait, is a small part of the
// work, and what the blocks leave is few enough for one block of a second launch, the same kernel.
//
// Here a block has a part of the array to itself, where the book's blocks take turns along the
// whole: neighbours read neighbours either way, and a processor reads ahead in one place.

// reduceParts is the program of one thread.
//
//gocuda:kernel
func reduceParts[T atomic.Number](t *gocuda.Thread, part, n int, in, sums []T) {
	s := gocuda.Shared[T](t, threads)
	tid := t.ThreadIdx.X
	first := t.BlockIdx.X * part
	s[tid] = 0
	for i := first + tid; i < min(first+part, n); i += threads {
		s[tid] += in[i]
	}
	t.SyncThreads()
	for d := threads / 2; d > 0; d /= 2 {
		if tid < d {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
	if tid == 0 {
		sums[t.BlockIdx.X] = s[0]
	}
}

func sumInTwo[T atomic.Number](ctx context.Context, on kernels.Launcher, out, in []T) error {
	part, cfg := parts(len(in))
	blocks := cfg.Grid.X
	if blocks == 1 {
		return on.Launch(ctx, cfg, reducePartsKernel(part, len(in), in, out))
	}
	sums := make([]T, blocks)
	if err := on.Launch(ctx, cfg, reducePartsKernel(part, len(in), in, sums)); err != nil {
		return err
	}
	return on.Launch(ctx, line(1), reducePartsKernel(blocks, blocks, sums, out))
}
