package scan

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// Scans of a block by the circuits of Sklansky and of Brent and Kung (The CUDA Handbook, section
// 13.3). Circuits that add in parallel solve the same problem, and their designers weigh the number
// of gates, the depth and the number of wires that leave a gate. A gate is a call of the operation
// here, a level a round between two barriers, and the fan-out the number of threads that read one
// element in a round. For n = 2^k elements:
//
//	circuit      gates           rounds  fan-out
//	Kogge-Stone  n k - n + 1     k       2
//	Sklansky     n k / 2         k       n/2
//	Brent-Kung   2n - 2 - k      2k - 1  2
//
// The scan of Hillis and Steele in [Block] is the circuit of Kogge and Stone; its zero padding adds
// calls with the identity for the n - 1 threads of all rounds that have nothing below them. In the
// two circuits here no element is read and written in the same round, so they need one row of
// shared memory and one barrier a round.

// sklansky scans x[1] to x[n] in place for a block of n threads. In the round with distance d, the
// upper half of each 2d elements is combined with the last element of the lower half (Sklansky,
// Conditional-Sum Addition Logic, 1960).
func sklansky[T any](t *gocuda.Thread, combine func(a, b T) T, x []T) {
	i, n := t.ThreadIdx.X, t.BlockDim.X
	for d := 1; d < n; d *= 2 {
		if i&d != 0 {
			x[i+1] = combine(x[i-i%d], x[i+1])
		}
		t.SyncThreads()
	}
}

// brentKung scans x[1] to x[n] in place for a block of n threads: a tree of sums up, and a tree of
// prefixes down (Brent and Kung, A Regular Layout for Parallel Adders, 1982).
func brentKung[T any](t *gocuda.Thread, combine func(a, b T) T, x []T) {
	i, n := t.ThreadIdx.X+1, t.BlockDim.X
	for d := 1; d < n; d *= 2 {
		if i%(2*d) == 0 {
			x[i] = combine(x[i-d], x[i])
		}
		t.SyncThreads()
	}
	for d := n / 4; d > 0; d /= 2 {
		if i%(2*d) == d && i > d {
			x[i] = combine(x[i-d], x[i])
		}
		t.SyncThreads()
	}
}

// circuitTile is scanTile with one of the circuits. Elements follow an identity in x.
func circuitTile[T any](t *gocuda.Thread, tree bool, combine func(a, b T) T, identity T, inclusive bool, n int, out, in, totals []T) {
	tid, width := t.ThreadIdx.X, t.BlockDim.X
	x := gocuda.Shared[T](t, width+1)
	for tile := t.BlockIdx.X; tile*width < n; tile += t.GridDim.X {
		i := tile*width + tid
		v := identity
		if i < n {
			v = in[i]
		}
		x[tid+1] = v
		if tid == 0 {
			x[0] = identity
		}
		t.SyncThreads()
		if tree {
			brentKung(t, combine, x)
		} else {
			sklansky(t, combine, x)
		}
		if i < n {
			if inclusive {
				out[i] = x[tid+1]
			} else {
				out[i] = x[tid]
			}
		}
		if tid == 0 {
			totals[tile] = x[width]
		}
		t.SyncThreads()
	}
}

//gocuda:kernel
func circuitTiles[T kernels.Number](t *gocuda.Thread, tree bool, op operation, identity T, inclusive bool, n int, out, in, totals []T) {
	circuitTile(t, tree, func(a, b T) T { return apply(op, a, b) }, identity, inclusive, n, out, in, totals)
}

//gocuda:kernel
func circuitTilesOf[T any, O Operator[T]](t *gocuda.Thread, tree bool, op O, identity T, inclusive bool, n int, out, in, totals []T) {
	circuitTile(t, tree, func(a, b T) T { return call(op, a, b) }, identity, inclusive, n, out, in, totals)
}

// circuits is scanThenFan with a circuit for the scan of a block: that of Brent and Kung if tree is
// true, or else that of Sklansky.
func circuits[T any](ctx context.Context, on kernels.Launcher, f family[T], tree, inclusive bool, out, in []T) error {
	n, threads := len(in), blockOf[T]()
	tiles := cover(n, threads)
	cfg := line(min(tiles, maxBlocks), threads)
	totals := make([]T, tiles)
	if err := on.Launch(ctx, cfg, f.circuitTiles(tree, inclusive, n, out, in, totals)); err != nil || tiles == 1 {
		return err
	}
	if err := circuits(ctx, on, f, tree, false, totals, totals); err != nil {
		return err
	}
	return on.Launch(ctx, cfg, f.fan(n, out, totals))
}
