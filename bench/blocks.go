package bench

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Block kernels, written by hand for processors: what the executor block runs. The loop over the
// threads of a block is inside of them.

// saxpyBlock is the program of a block: the threads' loop, with the guard as its bound.
func saxpyBlock(b *gocuda.Block, a float32, x, y []float32) {
	from := b.BlockIdx.X * b.BlockDim.X
	to := min(from+b.BlockDim.X, len(x))
	x, y = x[from:to], y[from:to]
	for i, v := range x {
		y[i] = a*v + y[i]
	}
}

// sumBlockPart is the number of elements of a block of sumBlocks.
const sumBlockPart = 1 << 16

// sumBlock is the program of a block. The tree needs as many additions as a loop does; what a
// processor wants of it is only that additions don't wait for each other, and eight running sums are
// enough for that.
func sumBlock(b *gocuda.Block, in, sums []float32) {
	from := b.BlockIdx.X * sumBlockPart
	sums[b.BlockIdx.X] = sumOf(in[from:min(from+sumBlockPart, len(in))])
}

// sumOf adds up v in eight interleaved running sums.
func sumOf(v []float32) float32 {
	var a, b, c, d, e, f, g, h float32
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

// sumBlocks sets out[0] to the sum of in.
func sumBlocks(e env, out, in []float32) error {
	sums := make([]float32, grid.Linear(len(in), sumBlockPart).Grid.X)
	cfg := grid.Config{Grid: grid.Dim3{X: len(sums)}, Block: grid.Dim3{X: 256}}
	if err := e.dev.Launch(e.ctx, cfg, gocuda.BlockFunc(func(b *gocuda.Block) { sumBlock(b, in, sums) })); err != nil {
		return err
	}
	out[0] = sumOf(sums)
	return nil
}

// scanBlockPart is the number of elements that a block of scanBlocks has: eight a thread.
const scanBlockPart = 8 * 256

// sumScanPart reports the sum of a block's part.
func sumScanPart(b *gocuda.Block, in, sums []float32) {
	from := b.BlockIdx.X * scanBlockPart
	sums[b.BlockIdx.X] = sumOf(in[from:min(from+scanBlockPart, len(in))])
}

// scanBlock scans a block's part, beginning with the sum of all parts before it.
//
// A running sum waits four cycles for each addition. Four elements are therefore added up among
// themselves first, and the running sum waits once for the four.
func scanBlock(b *gocuda.Block, inclusive bool, out, in, before []float32) {
	from := b.BlockIdx.X * scanBlockPart
	to := min(from+scanBlockPart, len(in))
	in, out = in[from:to], out[from:to]
	sum := before[b.BlockIdx.X]
	if inclusive {
		for len(in) >= 4 && len(out) >= 4 {
			v0, v1, v2, v3 := in[0], in[1], in[2], in[3]
			v1 += v0
			v3 += v2
			out[0], out[1], out[2], out[3] = sum+v0, sum+v1, sum+(v1+v2), sum+(v1+v3)
			sum += v1 + v3
			in, out = in[4:], out[4:]
		}
		for i, v := range in {
			sum += v
			out[i] = sum
		}
		return
	}
	for len(in) >= 4 && len(out) >= 4 {
		v0, v1, v2, v3 := in[0], in[1], in[2], in[3]
		v1 += v0
		v3 += v2
		out[0], out[1], out[2], out[3] = sum, sum+v0, sum+v1, sum+(v1+v2)
		sum += v1 + v3
		in, out = in[4:], out[4:]
	}
	for i, v := range in {
		out[i] = sum
		sum += v
	}
}

// scanBlocks scans in by reduce-then-scan: blocks first only add up their parts, and scan them once
// the sums before them are known.
func scanBlocks(e env, inclusive bool, out, in []float32) error {
	n := len(in)
	blocks := grid.Linear(n, scanBlockPart).Grid
	cfg := grid.Config{Grid: blocks, Block: grid.Dim3{X: 256}}
	before := make([]float32, max(blocks.X, 1))
	if blocks.X > 1 {
		err := e.dev.Launch(e.ctx, cfg, gocuda.BlockFunc(func(b *gocuda.Block) { sumScanPart(b, in, before) }))
		if err != nil {
			return err
		}
		if err := scanBlocks(e, false, before, before); err != nil {
			return err
		}
	}
	return e.dev.Launch(e.ctx, cfg, gocuda.BlockFunc(func(b *gocuda.Block) {
		scanBlock(b, inclusive, out, in, before)
	}))
}

// barriersBlock is the program of a block. Between two of its loops over the threads there is a
// barrier.
func barriersBlock(b *gocuda.Block, count int, passed []int) {
	for range count {
		b.ForEach(func(t *gocuda.Thread) {})
	}
	b.ForEach(func(t *gocuda.Thread) {
		if i := t.GlobalX(); i < len(passed) {
			passed[i] += count
		}
	})
}

// barrierBlocks launches a thread for each element of passed, in blocks of so many threads. Each comes
// to count barriers and adds their number to its element.
func barrierBlocks(e env, threads, count int, passed []int) error {
	return e.dev.Launch(e.ctx, grid.Linear(len(passed), threads), gocuda.BlockFunc(func(b *gocuda.Block) { barriersBlock(b, count, passed) }))
}
