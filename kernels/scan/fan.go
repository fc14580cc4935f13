package scan

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// Scan-then-fan (The CUDA Handbook, section 13.4.1). Every block scans a tile, an element a thread,
// and reports what the tile combines to. These totals are scanned in the same way. Then each
// element is combined with the total of all tiles before its own, which fans out to the tile. It
// teaches how blocks that can't wait for each other work together: by launches. Its price is that
// the array is written twice.

// scanTile is the program of one thread. Where there are more tiles than blocks, blocks take several.
func scanTile[T any](t *gocuda.Thread, combine func(a, b T) T, identity T, inclusive bool, n int, out, in, totals []T) {
	tid, width := t.ThreadIdx.X, t.BlockDim.X
	x := gocuda.Shared[T](t, Padded(width))
	for tile := t.BlockIdx.X; tile*width < n; tile += t.GridDim.X {
		v := identity
		if i := tile*width + tid; i < n {
			v = in[i]
		}
		before, upTo, total := Block(t, combine, identity, x, v)
		if i := tile*width + tid; i < n {
			if inclusive {
				out[i] = upTo
			} else {
				out[i] = before
			}
		}
		if tid == 0 {
			totals[tile] = total
		}
		t.SyncThreads()
	}
}

//gocuda:kernel
func scanTiles[T kernels.Number](t *gocuda.Thread, op operation, identity T, inclusive bool, n int, out, in, totals []T) {
	scanTile(t, func(a, b T) T { return apply(op, a, b) }, identity, inclusive, n, out, in, totals)
}

//gocuda:kernel
func scanTilesOf[T any, O kernels.Operator[T]](t *gocuda.Thread, op O, identity T, inclusive bool, n int, out, in, totals []T) {
	scanTile(t, func(a, b T) T { return call(op, a, b) }, identity, inclusive, n, out, in, totals)
}

// fanTile is the program of one thread: before[k] is what all tiles before tile k combine to.
func fanTile[T any](t *gocuda.Thread, combine func(a, b T) T, n int, out, before []T) {
	width := t.BlockDim.X
	for tile := t.BlockIdx.X; tile*width < n; tile += t.GridDim.X {
		if i := tile*width + t.ThreadIdx.X; i < n {
			out[i] = combine(before[tile], out[i])
		}
	}
}

//gocuda:kernel
func fan[T kernels.Number](t *gocuda.Thread, op operation, n int, out, before []T) {
	fanTile(t, func(a, b T) T { return apply(op, a, b) }, n, out, before)
}

//gocuda:kernel
func fanOf[T any, O kernels.Operator[T]](t *gocuda.Thread, op O, n int, out, before []T) {
	fanTile(t, func(a, b T) T { return call(op, a, b) }, n, out, before)
}

func scanThenFan[T any](ctx context.Context, on kernels.Launcher, f family[T], inclusive bool, out, in []T) error {
	n, threads := len(in), blockOf[T]()
	tiles := cover(n, threads)
	cfg := line(min(tiles, maxBlocks), threads)
	totals := make([]T, tiles)
	if err := on.Launch(ctx, cfg, f.scanTiles(inclusive, n, out, in, totals)); err != nil || tiles == 1 {
		return err
	}
	if err := scanThenFan(ctx, on, f, false, totals, totals); err != nil {
		return err
	}
	return on.Launch(ctx, cfg, f.fan(n, out, totals))
}
