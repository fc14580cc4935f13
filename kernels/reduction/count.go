package reduction

import (
	"context"
	"math/bits"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Predicate reductions: how many elements satisfy a condition (The CUDA Handbook, section 12.7). A
// condition is one bit, so there are shortcuts that sums don't have: a barrier that counts the
// threads for which it holds (section 8.6.2), and a vote that returns the bits of a warp, whose
// ones are counted by one instruction (section 8.6.1). Either needs every thread to vote for each
// of its elements. Last comes the plain way: each thread counts by itself and the counts are added
// up, which is what suits a processor.

// A CountMethod is how elements are counted.
type CountMethod int

const (
	// BlockVotes counts the threads of a block at a barrier, by SyncThreadsCount.
	BlockVotes CountMethod = iota
	// WarpVotes counts the ones of a warp's ballot.
	WarpVotes
	// Counters has a counter for each thread, and adds them up.
	Counters
)

// String names the method.
func (m CountMethod) String() string {
	names := []string{"block-votes", "warp-votes", "counters"}
	if m < 0 || int(m) >= len(names) {
		return "unknown method"
	}
	return names[m]
}

// blockVotes is the program of one thread. All threads of a block have the same count.
//
//gocuda:kernel
func blockVotes[T kernels.Number](t *gocuda.Thread, low, high T, part, n int, in []T, total []int) {
	first := t.BlockIdx.X * part
	count := 0
	for tile := first; tile < min(first+part, n); tile += threads {
		i := tile + t.ThreadIdx.X
		count += t.SyncThreadsCount(i < n && low <= in[i] && in[i] <= high)
	}
	if t.ThreadIdx.X == 0 {
		atomic.Add(&total[0], count)
	}
}

// warpVotes is the program of one thread. All lanes of a warp have the same count.
//
//gocuda:kernel
func warpVotes[T kernels.Number](t *gocuda.Thread, low, high T, part, n int, in []T, total []int) {
	first := t.BlockIdx.X * part
	count := 0
	for tile := first; tile < min(first+part, n); tile += threads {
		i := tile + t.ThreadIdx.X
		votes := t.BallotSync(gocuda.FullMask, i < n && low <= in[i] && in[i] <= high)
		count += bits.OnesCount32(votes)
	}
	if t.LaneID() == 0 {
		atomic.Add(&total[0], count)
	}
}

// counters is the program of one thread.
//
//gocuda:kernel
func counters[T kernels.Number](t *gocuda.Thread, low, high T, part, n int, in []T, total []int) {
	s := gocuda.Shared[int32](t, threads)
	tid := t.ThreadIdx.X
	first := t.BlockIdx.X * part
	s[tid] = 0
	for i := first + tid; i < min(first+part, n); i += threads {
		v, above, below := in[i], int32(0), int32(0)
		if low <= v {
			above = 1
		}
		if v <= high {
			below = 1
		}
		s[tid] += above & below
	}
	t.SyncThreads()
	for d := threads / 2; d > 0; d /= 2 {
		if tid < d {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
	if tid == 0 {
		atomic.Add(&total[0], int(s[0]))
	}
}

// Count sets out[0], the only element of out, to the number of elements of in from low to high,
// both included.
func Count[T kernels.Number](ctx context.Context, on kernels.Launcher, method CountMethod, low, high T, out []int, in []T) error {
	if err := single("count", len(out)); err != nil {
		return err
	}
	n := len(in)
	part, cfg := parts(n)
	var k gocuda.Kernel
	switch method {
	case BlockVotes:
		k = blockVotesKernel(low, high, part, n, in, out)
	case WarpVotes:
		k = warpVotesKernel(low, high, part, n, in, out)
	case Counters:
		k = countersKernel(low, high, part, n, in, out)
	default:
		return check.Invalid("count", "method %d", int(method))
	}
	if err := clearTotal(ctx, on, out); err != nil {
		return err
	}
	return on.Launch(ctx, cfg, k)
}
