package scan

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The scan of warps (The CUDA Handbook, section 13.5.3): lanes hand each other what they have by
// shuffles, so a warp scans 32 elements without shared memory and without barriers. Here a warp is
// the unit of the two-pass scan: it goes over its part in rows of 32, and the last lane hands what
// it has to all others as the carry for the next row.

const (
	warpsOfBlock = maxThreads / 32
	warpParts    = 2048 // at most
)

// reduceWarp is the program of one thread: the warp leaves in totals what its part combines to. The
// order is kept, for operations that are not commutative.
func reduceWarp[T any](t *gocuda.Thread, combine func(a, b T) T, identity T, part, n int, in, totals []T) {
	lane, warp := t.LaneID(), t.BlockIdx.X*warpsOfBlock+t.WarpID()
	carry := identity
	for r := 0; r < part; r += 32 {
		i := warp*part + r + lane
		v := identity
		if i < n {
			v = in[i]
		}
		v = combine(carry, Warp(t, combine, v))
		carry = gocuda.ShflSync(t, gocuda.FullMask, v, 31, 32)
	}
	if lane == 0 {
		totals[warp] = carry
	}
}

//gocuda:kernel
func reduceWarpsOf[T any, O kernels.Operator[T]](t *gocuda.Thread, op O, identity T, part, n int, in, totals []T) {
	reduceWarp(t, func(a, b T) T { return call(op, a, b) }, identity, part, n, in, totals)
}

// reduceWarps is the same for operations of this package. They are commutative, so each lane combines a
// column first, and the lanes fold what they have once.
//
//gocuda:kernel
func reduceWarps[T kernels.Number](t *gocuda.Thread, op operation, identity T, part, n int, in, totals []T) {
	lane, warp := t.LaneID(), t.BlockIdx.X*warpsOfBlock+t.WarpID()
	v := identity
	for r := 0; r < part; r += 32 {
		if i := warp*part + r + lane; i < n {
			v = apply(op, v, in[i])
		}
	}
	for d := 16; d > 0; d /= 2 {
		v = apply(op, v, gocuda.ShflDownSync(t, gocuda.FullMask, v, d, 32))
	}
	if lane == 0 {
		totals[warp] = v
	}
}

// scanWarp is the program of one thread: the warp scans its part, from what comes before it.
func scanWarp[T any](t *gocuda.Thread, combine func(a, b T) T, identity T, inclusive bool, part, n int, out, in, before []T) {
	lane, warp := t.LaneID(), t.BlockIdx.X*warpsOfBlock+t.WarpID()
	carry := before[warp]
	for r := 0; r < part; r += 32 {
		i := warp*part + r + lane
		v := identity
		if i < n {
			v = in[i]
		}
		v = combine(carry, Warp(t, combine, v))
		next := gocuda.ShflSync(t, gocuda.FullMask, v, 31, 32)
		if !inclusive {
			v = gocuda.ShflUpSync(t, gocuda.FullMask, v, 1, 32)
			if lane == 0 {
				v = carry
			}
		}
		if i < n {
			out[i] = v
		}
		carry = next
	}
}

//gocuda:kernel
func scanWarps[T kernels.Number](t *gocuda.Thread, op operation, identity T, inclusive bool, part, n int, out, in, before []T) {
	scanWarp(t, func(a, b T) T { return apply(op, a, b) }, identity, inclusive, part, n, out, in, before)
}

//gocuda:kernel
func scanWarpsOf[T any, O kernels.Operator[T]](t *gocuda.Thread, op O, identity T, inclusive bool, part, n int, out, in, before []T) {
	scanWarp(t, func(a, b T) T { return call(op, a, b) }, identity, inclusive, part, n, out, in, before)
}

func warps[T any](ctx context.Context, on kernels.Launcher, f family[T], identity T, inclusive bool, out, in []T) error {
	n := len(in)
	part := 32 * cover(n, 32*warpParts)
	blocks := cover(n, part*warpsOfBlock)
	warps := blocks * warpsOfBlock
	cfg := line(blocks, maxThreads)
	before := make([]T, warps)
	if err := on.Launch(ctx, cfg, f.reduceWarps(part, n, in, before)); err != nil {
		return err
	}
	// One warp scans the totals. The others of its block have nothing to do.
	start := make([]T, warpsOfBlock)
	start[0] = identity
	if err := on.Launch(ctx, line(1, maxThreads), f.scanWarps(false, warps, warps, before, before, start)); err != nil {
		return err
	}
	return on.Launch(ctx, cfg, f.scanWarps(inclusive, part, n, out, in, before))
}
