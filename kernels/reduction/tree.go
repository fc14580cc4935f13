package reduction

import (
	"context"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The tree in shared memory, as two lecture decks on CUDA compare it (Kirk and Hwu, ECE 498AL,
// University of Illinois, 2007 to 2009; and a course on real-time graphics). Each thread has an
// element, and in every round half of the sums are added to the other half. It teaches that which
// threads do it matters: threads of a warp go together, so a warp of which one thread works takes
// as long as one of which all do.
//
// The partial sums of blocks are added up by further launches.

// interleaved is the first form. In round k every 2^k-th thread works, with the sum 2^(k-1) above
// its own, so all warps keep working to the end, with fewer and fewer threads: they diverge. On a
// GPU the addresses have a stride, too, and collide in the banks of shared memory.
//
//gocuda:kernel
func interleaved[T atomic.Number](t *gocuda.Thread, n int, in, sums []T) {
	s := gocuda.Shared[T](t, threads)
	tid := t.ThreadIdx.X
	s[tid] = 0
	for i := t.GlobalX(); i < n; i += t.GridDim.X * threads { // once, unless the grid is too small
		s[tid] += in[i]
	}
	t.SyncThreads()
	for d := 1; d < threads; d *= 2 {
		if tid%(2*d) == 0 {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
	if tid == 0 {
		sums[t.BlockIdx.X] = s[0]
	}
}

// sequential is the better form: the first d threads work, with the sum d above their own. Whole
// warps drop out from round to round, none diverges before the last five, and neighbours read
// neighbours.
//
//gocuda:kernel
func sequential[T atomic.Number](t *gocuda.Thread, n int, in, sums []T) {
	s := gocuda.Shared[T](t, threads)
	tid := t.ThreadIdx.X
	s[tid] = 0
	for i := t.GlobalX(); i < n; i += t.GridDim.X * threads {
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

// sumByLevels adds up in, the sums of blocks, and so on, until one is left.
func sumByLevels[T atomic.Number](ctx context.Context, on kernels.Launcher, method Method, out, in []T) error {
	for {
		cfg, n := tiles(len(in)), len(in)
		sums := out
		if cfg.Grid.X > 1 {
			sums = make([]T, cfg.Grid.X)
		}
		k := sequentialKernel(n, in, sums)
		if method == Interleaved {
			k = interleavedKernel(n, in, sums)
		}
		if err := on.Launch(ctx, cfg, k); err != nil || cfg.Grid.X == 1 {
			return err
		}
		in = sums
	}
}
