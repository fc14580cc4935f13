package scan

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// Reduce-then-scan (The CUDA Handbook, section 13.4.2). The first pass only combines the elements
// of each part, and so reads the array and writes next to nothing. The totals are scanned in the
// same way, level by level. The last pass scans each part from the total before it. The array is
// read twice, but written once.

// reducePart is the program of one thread: its block leaves in totals what its part combines to.
// The order is kept, for operations that are not commutative: a tile is folded by combining
// neighbours, in rounds of twice the distance.
func reducePart[T any](t *gocuda.Thread, combine func(a, b T) T, identity T, part, n int, in, totals []T) {
	tid, width := t.ThreadIdx.X, t.BlockDim.X
	x := gocuda.Shared[T](t, width)
	total := gocuda.Shared[T](t, 1)
	first := t.BlockIdx.X * part
	end := min(first+part, n)
	if tid == 0 {
		total[0] = identity
	}
	for tile := first; tile < end; tile += width {
		x[tid] = identity
		if i := tile + tid; i < end {
			x[tid] = in[i]
		}
		t.SyncThreads()
		for d := 1; d < width; d *= 2 {
			if i := 2 * d * tid; i+d < width {
				x[i] = combine(x[i], x[i+d])
			}
			t.SyncThreads()
		}
		if tid == 0 {
			total[0] = combine(total[0], x[0])
		}
		t.SyncThreads()
	}
	if tid == 0 {
		totals[t.BlockIdx.X] = total[0]
	}
}

//gocuda:kernel
func reducePartsOf[T any, O kernels.Operator[T]](t *gocuda.Thread, op O, identity T, part, n int, in, totals []T) {
	reducePart(t, func(a, b T) T { return call(op, a, b) }, identity, part, n, in, totals)
}

// reduceParts is the same for operations of this package. They are commutative, so each thread
// combines a column of the tiles first, halves are folded onto halves, and there is one tree a part
// instead of one a tile.
//
//gocuda:kernel
func reduceParts[T kernels.Number](t *gocuda.Thread, op operation, identity T, part, n int, in, totals []T) {
	tid := t.ThreadIdx.X
	x := gocuda.Shared[T](t, maxThreads)
	first := t.BlockIdx.X * part
	end := min(first+part, n)
	x[tid] = identity
	for i := first + tid; i < end; i += maxThreads {
		x[tid] = apply(op, x[tid], in[i])
	}
	t.SyncThreads()
	for d := maxThreads / 2; d > 0; d /= 2 {
		if tid < d {
			x[tid] = apply(op, x[tid], x[tid+d])
		}
		t.SyncThreads()
	}
	if tid == 0 {
		totals[t.BlockIdx.X] = x[0]
	}
}

// scanPart is the program of one thread: its block scans its part tile by tile. What comes before a
// tile is carried along, beginning with what comes before the part.
func scanPart[T any](t *gocuda.Thread, combine func(a, b T) T, identity T, inclusive bool, part, n int, out, in, before []T) {
	tid, width := t.ThreadIdx.X, t.BlockDim.X
	x := gocuda.Shared[T](t, Padded(width))
	first := t.BlockIdx.X * part
	end := min(first+part, n)
	carry := before[t.BlockIdx.X]
	for tile := first; tile < end; tile += width {
		v := identity
		if i := tile + tid; i < end {
			v = in[i]
		}
		below, upTo, total := Block(t, combine, identity, x, v)
		if i := tile + tid; i < end {
			if inclusive {
				out[i] = combine(carry, upTo)
			} else {
				out[i] = combine(carry, below)
			}
		}
		carry = combine(carry, total)
		t.SyncThreads()
	}
}

//gocuda:kernel
func scanParts[T kernels.Number](t *gocuda.Thread, op operation, identity T, inclusive bool, part, n int, out, in, before []T) {
	scanPart(t, func(a, b T) T { return apply(op, a, b) }, identity, inclusive, part, n, out, in, before)
}

//gocuda:kernel
func scanPartsOf[T any, O kernels.Operator[T]](t *gocuda.Thread, op O, identity T, inclusive bool, part, n int, out, in, before []T) {
	scanPart(t, func(a, b T) T { return call(op, a, b) }, identity, inclusive, part, n, out, in, before)
}

func reduceThenScan[T any](ctx context.Context, on kernels.Launcher, f family[T], identity T, inclusive bool, out, in []T) error {
	n, threads := len(in), blockOf[T]()
	part := threads * cover(n, threads*maxBlocks) // a tile, unless the grid would get too large
	blocks := cover(n, part)
	before := []T{identity}
	if blocks > 1 {
		before = make([]T, blocks)
		if err := on.Launch(ctx, line(blocks, threads), f.reduceParts(part, n, in, before)); err != nil {
			return err
		}
		if err := reduceThenScan(ctx, on, f, identity, false, before, before); err != nil {
			return err
		}
	}
	return on.Launch(ctx, line(blocks, threads), f.scanParts(inclusive, part, n, out, in, before))
}
