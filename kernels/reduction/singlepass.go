package reduction

import (
	"context"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The single-pass reduction (The CUDA Handbook, section 12.3, after the sample threadFenceReduction
// of NVIDIA's SDK). Each block leaves its sum, and then takes a ticket from a counter. Whoever gets
// the last ticket knows that all other sums are there, and adds them up. It teaches how blocks find
// out about each other within a launch: the fence sees to it that a sum is visible before the
// ticket that announces it.

// singlePass is the program of one thread. The counter goes back to 0 with the last ticket, as
// atomicInc does, ready for another launch.
//
//gocuda:kernel
func singlePass[T atomic.Number](t *gocuda.Thread, part, n int, in, sums, out []T, tickets []uint32) {
	s := gocuda.Shared[T](t, threads)
	last := gocuda.Shared[bool](t, 1)
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
		t.Threadfence()
		blocks := uint32(t.GridDim.X)
		last[0] = atomic.Inc(&tickets[0], blocks-1) == blocks-1
	}
	t.SyncThreads()
	if last[0] {
		s[tid] = 0
		for i := tid; i < t.GridDim.X; i += threads {
			s[tid] += sums[i]
		}
		t.SyncThreads()
		for d := threads / 2; d > 0; d /= 2 {
			if tid < d {
				s[tid] += s[tid+d]
			}
			t.SyncThreads()
		}
		if tid == 0 {
			out[0] = s[0]
		}
	}
}

func sumInOne[T atomic.Number](ctx context.Context, on kernels.Launcher, out, in []T) error {
	part, cfg := parts(len(in))
	sums := make([]T, cfg.Grid.X)
	return on.Launch(ctx, cfg, singlePassKernel(part, len(in), in, sums, out, make([]uint32, 1)))
}
