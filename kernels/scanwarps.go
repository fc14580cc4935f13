package kernels

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The scan of warps (The CUDA Handbook, 13.4; Harris and Garland, Optimizing Parallel Prefix
// Operations for the Fermi Architecture, 2011): lanes hand each other their sums by shuffles,
// without shared memory and without barriers. It teaches what a warp can do by itself. A warp goes
// over its part of the array row by row, 32 elements at a time, and carries the sum along; where it
// begins is known from a first pass that only adds up the parts.

const (
	warpScanBlock  = 256 // threads of a block
	warpScanRows   = 64  // of 32 elements, of a warp
	warpScanMost   = 256 // rows of a warp where there are many elements
	warpScanBlocks = 32  // that there are at least then
)

// rowsOfWarp returns how many rows a warp has in a scan of n elements. The fewer parts there are
// the fewer sums have to be scanned in between, by one block: 2^22 elements take 0.95 of the time
// with 256 rows that they take with 64 (a Zen 4, medians of four runs in turn). It depends on n
// alone, so that the same sums come out on every machine. Segments, see scanSegment, have as many
// blocks as small arrays.
func rowsOfWarp(n int) int {
	if n > 4*scanSegment {
		return warpScanRows
	}
	return min(max(n/(warpScanBlocks*warpScanBlock), warpScanRows), warpScanMost)
}

// warpInclusive returns the sum of v of the lanes up to and including the own. In round d each lane
// gets the sum of the d lanes that end d below it.
func warpInclusive[T Number](t *gocuda.Thread, v T) T {
	lane := t.LaneID()
	for d := 1; d < 32; d *= 2 {
		below := gocuda.ShflUpSync(t, gocuda.FullMask, v, d, 32)
		if lane >= d {
			v += below
		}
	}
	return v
}

// warpScan returns the scan of v for a row whose elements follow those of sum, and the sum behind it.
func warpScan[T Number](t *gocuda.Thread, inclusive bool, sum, v T) (result, next T) {
	v = sum + warpInclusive(t, v)
	result = v
	if !inclusive {
		result = gocuda.ShflUpSync(t, gocuda.FullMask, v, 1, 32)
		if t.LaneID() == 0 {
			result = sum
		}
	}
	return result, gocuda.ShflSync(t, gocuda.FullMask, v, 31, 32)
}

// warpSums is the program of one thread: the warp leaves the sum of its part in sums.
//
//gocuda:kernel
func warpSums[T Number](t *gocuda.Thread, n, rows int, in, sums []T) {
	lane, warp := t.LaneID(), t.BlockIdx.X*(warpScanBlock/32)+t.WarpID()
	first := warp*32*rows + lane
	var own T
	if (t.BlockIdx.X+1)*warpScanBlock*rows <= n {
		for r := range rows {
			own += in[first+32*r]
		}
	} else { // the last block has fewer
		for r := range rows {
			if i := first + 32*r; i < n {
				own += in[i]
			}
		}
	}
	for d := 16; d > 0; d /= 2 {
		own += gocuda.ShflDownSync(t, gocuda.FullMask, own, d, 32)
	}
	if lane == 0 {
		sums[warp] = own
	}
}

// scanWarps is the program of one thread: the warp scans its part. The sum of all parts before it
// is in before.
//
//gocuda:kernel
func scanWarps[T Number](t *gocuda.Thread, inclusive bool, n, rows int, out, in, before []T) {
	lane, warp := t.LaneID(), t.BlockIdx.X*(warpScanBlock/32)+t.WarpID()
	first := warp*32*rows + lane
	sum := before[warp]
	if (t.BlockIdx.X+1)*warpScanBlock*rows <= n {
		for r := range rows {
			i := first + 32*r
			out[i], sum = warpScan(t, inclusive, sum, in[i])
		}
		return
	}
	for r := range min((n-warp*32*rows+31)/32, rows) { // the last block has fewer
		i := first + 32*r
		var v T
		if i < n {
			v = in[i]
		}
		v, sum = warpScan(t, inclusive, sum, v)
		if i < n {
			out[i] = v
		}
	}
}

// scanWarpsLevels scans an array, a segment at a time: it adds up the parts of warps, scans the
// sums, and scans each part from the sum before it.
func scanWarpsLevels[T Number](ctx context.Context, on Launcher, form Form, inclusive bool, out, in []T) error {
	const warps = warpScanBlock / 32
	rows := rowsOfWarp(len(in))
	part := 32 * rows // elements of a warp
	blocks := func(n int) grid.Config {
		return grid.Config{Grid: grid.Linear(n, warps*part).Grid, Block: grid.Dim3{X: warpScanBlock}}
	}
	scan := func(cfg grid.Config, out, in, before []T) error {
		n := len(in)
		k := either(form, scanWarpsKernel(inclusive, n, rows, out, in, before))
		return on.Launch(ctx, cfg, k)
	}
	if len(in) <= part {
		return scan(grid.Linear(min(len(in), 32), 32), out, in, make([]T, 1))
	}
	return bySegments(out, in, blocks(len(in)).Grid.X*warps, part, segmentScan[T]{
		add: func(in, sums []T) error {
			n := len(in)
			k := either(form, warpSumsKernel(n, rows, in, sums))
			return on.Launch(ctx, blocks(n), k)
		},
		level: func(sums []T) error { return scanWarpsLevels(ctx, on, form, true, sums, sums) },
		scan:  func(out, in, before []T) error { return scan(blocks(len(in)), out, in, before) },
	})
}
