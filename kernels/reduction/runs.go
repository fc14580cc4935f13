package reduction

import (
	"context"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The two-pass reduction for processors: a thread has a run of neighbours instead of every 256th
// element. On a GPU the threads of a warp would read far apart. A processor runs them one after the
// other, reads ahead along each run, and keeps the sum in a register. Eight elements are added up
// among themselves first, so that the running sum waits once for eight of them.

// sumRuns is the program of one thread. The second type parameter, which no number vectors are made
// of fits, is there so that it stays plain Go: vectors whose lanes are runs would be loaded one by
// one, which is slower.
//
//gocuda:kernel
func sumRuns[T atomic.Number, P int8](t *gocuda.Thread, run, n int, in, sums []T) {
	s := gocuda.Shared[T](t, threads)
	tid := t.ThreadIdx.X
	var own T
	if first := t.GlobalX() * run; first < n {
		from, k := in[first:min(first+run, n)], 0
		for ; k <= len(from)-8; k += 8 {
			e := from[k : k+8 : k+8] // one check for eight elements
			own += ((e[0] + e[1]) + (e[2] + e[3])) + ((e[4] + e[5]) + (e[6] + e[7]))
		}
		for ; k < len(from); k++ {
			own += from[k]
		}
	}
	s[tid] = own
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

func sumByRuns[T atomic.Number](ctx context.Context, on kernels.Launcher, out, in []T) error {
	part, cfg := parts(len(in))
	blocks := cfg.Grid.X
	sums := make([]T, blocks)
	if err := on.Launch(ctx, cfg, sumRunsKernel[T, int8](part/threads, len(in), in, sums)); err != nil {
		return err
	}
	return on.Launch(ctx, line(1), reducePartsKernel(blocks, blocks, sums, out))
}
