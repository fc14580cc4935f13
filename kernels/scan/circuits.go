package scan

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// Scans of a block by the circuits of Sklansky, of Brent and Kung, and of Blelloch (The CUDA
// Handbook, section 13.3). Circuits that add in parallel solve the same problem, and their
// designers weigh the number of gates, the depth and the number of wires that leave a gate. A gate
// is a call of the operation here, a level a round between two barriers, and the fan-out the number
// of threads that read one element in a round. For n = 2^k elements:
//
//	circuit      gates           rounds  fan-out
//	Kogge-Stone  n k - n + 1     k       2
//	Sklansky     n k / 2         k       n/2
//	Brent-Kung   2n - 2 - k      2k - 1  2
//	Blelloch     2n - 2          2k      2
//
// The scan of Hillis and Steele in [Block] is the circuit of Kogge and Stone; its zero padding adds
// calls with the identity for the n - 1 threads of all rounds that have nothing below them. In the
// circuits here no element is read and written by different threads in the same round, so they need
// one row of shared memory and one barrier a round.

// A circuit is one of them.
type circuit int32

const (
	ofSklansky circuit = iota
	ofBrentKung
	ofBlelloch
)

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

// blelloch scans x[1] to x[n] in place for a block of n threads, by way of the exclusive scan: going up
// the tree, every node becomes what its two children combine to; going down, a node hands its own
// prefix to its left child, and that combined with the left child's to its right one (Blelloch, Prefix
// Sums and Their Applications, 1990).
func blelloch[T any](t *gocuda.Thread, combine func(a, b T) T, identity T, x []T) {
	i, n := t.ThreadIdx.X+1, t.BlockDim.X
	v := x[i]
	for d := 1; d < n; d *= 2 {
		if i%(2*d) == 0 {
			x[i] = combine(x[i-d], x[i])
		}
		t.SyncThreads()
	}
	if i == n {
		x[i] = identity
	}
	t.SyncThreads()
	for d := n / 2; d > 0; d /= 2 {
		if i%(2*d) == 0 {
			x[i-d], x[i] = x[i], combine(x[i], x[i-d])
		}
		t.SyncThreads()
	}
	x[i] = combine(x[i], v)
	t.SyncThreads()
}

// circuitTile is scanTile with one of the circuits. Elements follow an identity in x.
func circuitTile[T any](t *gocuda.Thread, c circuit, combine func(a, b T) T, identity T, inclusive bool, n int, out, in, totals []T) {
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
		switch c {
		case ofSklansky:
			sklansky(t, combine, x)
		case ofBrentKung:
			brentKung(t, combine, x)
		case ofBlelloch:
			blelloch(t, combine, identity, x)
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
func circuitTiles[T kernels.Number](t *gocuda.Thread, c circuit, op operation, identity T, inclusive bool, n int, out, in, totals []T) {
	circuitTile(t, c, func(a, b T) T { return apply(op, a, b) }, identity, inclusive, n, out, in, totals)
}

//gocuda:kernel
func circuitTilesOf[T any, O kernels.Operator[T]](t *gocuda.Thread, c circuit, op O, identity T, inclusive bool, n int, out, in, totals []T) {
	circuitTile(t, c, func(a, b T) T { return call(op, a, b) }, identity, inclusive, n, out, in, totals)
}

// circuits is scanThenFan with a circuit for the scan of a block.
func circuits[T any](ctx context.Context, on kernels.Launcher, f family[T], c circuit, inclusive bool, out, in []T) error {
	n, threads := len(in), blockOf[T]()
	tiles := cover(n, threads)
	cfg := line(min(tiles, maxBlocks), threads)
	totals := make([]T, tiles)
	if err := on.Launch(ctx, cfg, f.circuitTiles(c, inclusive, n, out, in, totals)); err != nil || tiles == 1 {
		return err
	}
	if err := circuits(ctx, on, f, c, false, totals, totals); err != nil {
		return err
	}
	return on.Launch(ctx, cfg, f.fan(n, out, totals))
}
