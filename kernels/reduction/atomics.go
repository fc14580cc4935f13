package reduction

import (
	"context"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
)

// Atomic additions in place of further launches. Nickolls and Kirk (Graphics and Computing GPUs,
// 2009, figure B.8.9) let each block add its sum to the total: no arrays between launches, and one
// atomic for 256 elements. The CUDA Handbook (Wilt, 2013, section 12.4) asks what is left if
// threads add theirs directly: a kernel of three lines, which is as fast as its atomics are. It
// stays bearable because each thread first adds up many elements by itself.

// plusReduce is the program of one thread of Nickolls and Kirk's.
//
//gocuda:kernel
func plusReduce[T atomic.Number](t *gocuda.Thread, n int, in, total []T) {
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
		atomic.Add(&total[0], s[0])
	}
}

// threadAtomics is the program of one thread. The elements of a block are one part of the array,
// and its threads take turns in it.
//
//gocuda:kernel
func threadAtomics[T atomic.Number](t *gocuda.Thread, part, n int, in, total []T) {
	first := t.BlockIdx.X * part
	var own T
	for i := first + t.ThreadIdx.X; i < min(first+part, n); i += threads {
		own += in[i]
	}
	atomic.Add(&total[0], own)
}

// zero is launched before them: what a kernel adds to must be 0 when it begins, which the host
// can't see to if launches are queued.
//
//gocuda:kernel
func zero[T any](t *gocuda.Thread, total []T) {
	var none T
	total[0] = none
}

func clearTotal[T any](ctx context.Context, on kernels.Launcher, total []T) error {
	return on.Launch(ctx, grid.Linear(1, 1), zeroKernel(total))
}

func sumByBlocks[T atomic.Number](ctx context.Context, on kernels.Launcher, out, in []T) error {
	if err := clearTotal(ctx, on, out); err != nil {
		return err
	}
	return on.Launch(ctx, tiles(len(in)), plusReduceKernel(len(in), in, out))
}

func sumByThreads[T atomic.Number](ctx context.Context, on kernels.Launcher, out, in []T) error {
	if err := clearTotal(ctx, on, out); err != nil {
		return err
	}
	part, cfg := parts(len(in))
	return on.Launch(ctx, cfg, threadAtomicsKernel(part, len(in), in, out))
}
