package kernels

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The sum of an array: the shared-memory tree of Nickolls and Kirk, figure B.8.9. Each block adds
// up its elements and leaves one partial sum; further launches add up those, until one is left. It
// teaches that threads of a block work together through shared memory, with a barrier after each
// round, and that blocks can't: what all blocks did is known only when the launch has ended.

const (
	reduceThreads = 256                         // of a block
	reduceItems   = 256                         // elements of a thread
	reducePart    = reduceThreads * reduceItems // elements of a block, or a whole multiple of it
	reduceBlocks  = 16                          // with more elements than these have, blocks have more
	mostParts     = 4                           // so many times reducePart at most
)

// sumPart returns how many of n elements a block adds up. Between two blocks some 0.3 us pass in
// which nothing is read, an eighth of what 65536 elements take (one core of a Zen 4), so large
// arrays have large parts: 2^22 elements take 0.93 of the time in 16 blocks that they take in 64.
// Larger ones still would leave processors without a block. It depends on n alone, so that the same
// sum comes out on every machine.
func sumPart(n int) int {
	const grid = reduceBlocks * reducePart
	return reducePart * max(1, min((n+grid-1)/grid, mostParts))
}

// reduce is the program of one thread, and part what a block adds up. It first adds up some
// elements by itself, reduceThreads apart so that neighbouring threads read neighbouring elements
// (Harris, Optimizing Parallel Reduction in CUDA, 2007). At round d of the tree the first d threads
// each add the sum that is d away, so that halves are folded onto halves.
//
//gocuda:kernel
func reduce[T Number](t *gocuda.Thread, n, part int, in, sums []T) {
	s := gocuda.Shared[T](t, reduceThreads)
	tid := t.ThreadIdx.X
	first := t.BlockIdx.X * part
	var v T
	for i := first + tid; i < min(first+part, n); i += reduceThreads {
		v += in[i]
	}
	s[tid] = v
	t.SyncThreads()
	for d := reduceThreads / 2; d > 0; d /= 2 {
		if tid < d {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
	if tid == 0 {
		sums[t.BlockIdx.X] = s[0]
	}
}

// reduceBlock is the program of a block. The tree needs as many additions as a loop does; what a
// processor wants of it is only that additions don't wait for each other, and eight running sums are
// enough for that.
func reduceBlock[T Number](b *gocuda.Block, n int, in, sums []T) {
	from := b.BlockIdx.X * reducePart
	sums[b.BlockIdx.X] = sum(in[from:min(from+reducePart, n)])
}

// sum adds up v in eight interleaved running sums.
func sum[T Number](v []T) T {
	var a, b, c, d, e, f, g, h T
	for ; len(v) >= 8; v = v[8:] {
		a += v[0]
		b += v[1]
		c += v[2]
		d += v[3]
		e += v[4]
		f += v[5]
		g += v[6]
		h += v[7]
	}
	for _, x := range v {
		a += x
	}
	return ((a + b) + (c + d)) + ((e + f) + (g + h))
}

// Sum returns the sum of in, or 0 if that is empty. Floating-point sums are formed in parts of
// 65536 elements, or up to 262144 in the kernel of threads, then of the sums of these, and so on.
// At most 8192 numbers are added one after the other, so the rounding error grows with the number
// of levels and not with the length; integers wrap around.
//
// Sum reads results back, so it can't be queued: on a stream it is gocuda.ErrNotSupported.
func Sum[T Number](ctx context.Context, on Launcher, in []T) (T, error) {
	return SumForm(ctx, on, Blocks, in)
}

// SumForm is [Sum] in the given form.
func SumForm[T Number](ctx context.Context, on Launcher, form Form, in []T) (T, error) {
	if err := Waits("sum", on); err != nil {
		return 0, err
	}
	for len(in) > 1 {
		n, src, part := len(in), in, sumPart(len(in))
		if form == Blocks {
			part = reducePart
		}
		cfg := grid.Config{Grid: grid.Linear(n, part).Grid, Block: grid.Dim3{X: reduceThreads}}
		sums := make([]T, cfg.Grid.X)
		k := either(form, reduceKernel(n, part, src, sums))
		if form == Blocks {
			k = gocuda.BlockFunc(func(b *gocuda.Block) { reduceBlock(b, n, src, sums) })
		}
		if err := on.Launch(ctx, cfg, k); err != nil {
			return 0, err
		}
		in = sums
	}
	if len(in) == 0 {
		return 0, nil
	}
	return in[0], nil
}

// SumSerial is the reference.
func SumSerial[T Number](in []T) T {
	var s T
	for _, x := range in {
		s += x
	}
	return s
}
