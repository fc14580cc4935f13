package reduction

import (
	"context"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The reduction of a warp by shuffles (The CUDA Handbook, section 12.8): lanes hand each other
// their sums without shared memory and without a barrier. In the round with distance d each lane
// adds what the lane whose number differs in that bit has, and after five rounds all lanes have the
// sum of the warp.

// Warp returns what v of all lanes of a whole warp adds up to, to every lane. It is for kernels.
func Warp[T atomic.Number](t *gocuda.Thread, v T) T {
	for d := 16; d > 0; d /= 2 {
		v += gocuda.ShflXorSync(t, gocuda.FullMask, v, d, 32)
	}
	return v
}

// shuffles is the program of one thread. One lane of each warp adds the warp's sum to the total.
//
//gocuda:kernel
func shuffles[T atomic.Number](t *gocuda.Thread, part, n int, in, total []T) {
	first := t.BlockIdx.X * part
	var own T
	for i := first + t.ThreadIdx.X; i < min(first+part, n); i += threads {
		own += in[i]
	}
	own = Warp(t, own)
	if t.LaneID() == 0 {
		atomic.Add(&total[0], own)
	}
}

func sumByWarps[T atomic.Number](ctx context.Context, on kernels.Launcher, out, in []T) error {
	if err := clearTotal(ctx, on, out); err != nil {
		return err
	}
	part, cfg := parts(len(in))
	return on.Launch(ctx, cfg, shufflesKernel(part, len(in), in, out))
}
