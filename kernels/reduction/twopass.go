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
//
// The tree is that of Nickolls and Kirk, figure B.8.9. It teaches that threads of a block work
// together through shared memory, with a barrier after each round, and that blocks can't: what all
// blocks did is known only when the launch has ended.

const (
	twoPassItems  = 256                    // elements of a thread
	twoPassPart   = threads * twoPassItems // elements of a block, or a whole multiple of it
	twoPassBlocks = 16                     // with more elements than these have, blocks have more
	mostParts     = 4                      // so many times twoPassPart at most
)

// sumPart returns how many of n elements a block adds up. Between two blocks some 0.3 us pass in
// which nothing is read, an eighth of what 65536 elements take (one core of a Zen 4), so large
// arrays have large parts: 2^22 elements take 0.93 of the time in 16 blocks that they take in 64.
// Larger ones still would leave processors without a block. It depends on n alone, so that the same
// sum comes out on every machine.
func sumPart(n int) int {
	return twoPassPart * max(1, min(cover(n, twoPassBlocks*twoPassPart), mostParts))
}

// reduceParts is the program of one thread, and part what a block adds up. It first adds up some
// elements by itself, as many apart as a block has threads, so that neighbouring threads read
// neighbouring elements (Harris, Optimizing Parallel Reduction in CUDA, 2007). In round d of the tree
// the first d threads each add the sum that is d away, so that halves are folded onto halves.
//
//gocuda:kernel
func reduceParts[T atomic.Number](t *gocuda.Thread, part, n int, in, sums []T) {
	s := gocuda.Shared[T](t, threads)
	tid := t.ThreadIdx.X
	first := t.BlockIdx.X * part
	var v T
	for i := first + tid; i < min(first+part, n); i += threads {
		v += in[i]
	}
	s[tid] = v
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
	part := sumPart(len(in))
	blocks := max(cover(len(in), part), 1)
	if blocks == 1 {
		return on.Launch(ctx, line(1), reducePartsKernel(part, len(in), in, out))
	}
	sums := make([]T, blocks)
	if err := on.Launch(ctx, line(blocks), reducePartsKernel(part, len(in), in, sums)); err != nil {
		return err
	}
	return on.Launch(ctx, line(1), reducePartsKernel(blocks, blocks, sums, out))
}
