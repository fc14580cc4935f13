package reduction

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The largest and the smallest element, by the two-pass reduction. Where a sum begins with 0, these
// begin with an element: the first of the array will do for everybody, since it counts no more
// often for being looked at twice.

// largest is the program of one thread: see reduceParts.
//
//gocuda:kernel
func largest[T kernels.Number](t *gocuda.Thread, part, n int, in, best []T) {
	s := gocuda.Shared[T](t, threads)
	tid := t.ThreadIdx.X
	first := t.BlockIdx.X * part
	s[tid] = in[0]
	for i := first + tid; i < min(first+part, n); i += threads {
		s[tid] = max(s[tid], in[i])
	}
	t.SyncThreads()
	for d := threads / 2; d > 0; d /= 2 {
		if tid < d {
			s[tid] = max(s[tid], s[tid+d])
		}
		t.SyncThreads()
	}
	if tid == 0 {
		best[t.BlockIdx.X] = s[0]
	}
}

//gocuda:kernel
func smallest[T kernels.Number](t *gocuda.Thread, part, n int, in, best []T) {
	s := gocuda.Shared[T](t, threads)
	tid := t.ThreadIdx.X
	first := t.BlockIdx.X * part
	s[tid] = in[0]
	for i := first + tid; i < min(first+part, n); i += threads {
		s[tid] = min(s[tid], in[i])
	}
	t.SyncThreads()
	for d := threads / 2; d > 0; d /= 2 {
		if tid < d {
			s[tid] = min(s[tid], s[tid+d])
		}
		t.SyncThreads()
	}
	if tid == 0 {
		best[t.BlockIdx.X] = s[0]
	}
}

// Max sets out[0], the only element of out, to the largest element of in, or to NaN if one is. in
// must have an element.
func Max[T kernels.Number](ctx context.Context, on kernels.Launcher, out, in []T) error {
	return extreme(ctx, on, "max", largestKernel[T], out, in)
}

// Min sets out[0], the only element of out, to the smallest element of in, or to NaN if one is. in
// must have an element.
func Min[T kernels.Number](ctx context.Context, on kernels.Launcher, out, in []T) error {
	return extreme(ctx, on, "min", smallestKernel[T], out, in)
}

func extreme[T kernels.Number](ctx context.Context, on kernels.Launcher, what string,
	kernel func(part, n int, in, best []T) gocuda.Kernel, out, in []T) error {
	if err := single(what, len(out)); err != nil {
		return err
	}
	if len(in) == 0 {
		return check.Invalid(what, "no elements")
	}
	part, cfg := parts(len(in))
	blocks := cfg.Grid.X
	best := make([]T, blocks)
	if err := on.Launch(ctx, cfg, kernel(part, len(in), in, best)); err != nil {
		return err
	}
	return on.Launch(ctx, line(1), kernel(blocks, blocks, best, out))
}
