//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Products in tiles of several kinds. Where nothing is in the way, all rounds but the last read the
// numbers from where the tiles are copied from: here is what may be, and what must not be.

// tlSquare is a block of a tile of 16 by 16, tlWide of 32 by 32, tlLow one of eight rows.
var (
	tlSquare = grid.Config{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 16, Y: 16}}
	tlWide   = grid.Config{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 32, Y: 32}}
	tlLow    = grid.Config{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 16, Y: 8}}
)

// Tiles of 32 by 32.
//
//gocuda:kernel fastmath
func tlLarge(t *gocuda.Thread, w, k int, a, b, c []float32) {
	as, bs := gocuda.Shared[float32](t, 32*32), gocuda.Shared[float32](t, 32*32)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.GlobalX(), t.GlobalY()
	var sum float32
	for from := 0; from < k; from += 32 {
		as[ty*32+tx] = a[row*k+from+tx]
		bs[ty*32+tx] = b[(from+ty)*w+col]
		t.SyncThreads()
		for i := range 32 {
			sum += as[ty*32+i] * bs[i*32+tx]
		}
		t.SyncThreads()
	}
	c[row*w+col] = sum
}

// The same in float64, whose tiles leave a column free.
//
//gocuda:kernel fastmath
func tlDouble(t *gocuda.Thread, w, k int, a, b, c []float64) {
	as, bs := gocuda.Shared[float64](t, 16*17), gocuda.Shared[float64](t, 16*17)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.GlobalX(), t.GlobalY()
	var sum float64
	for from := 0; from < k; from += 16 {
		as[ty*17+tx] = a[row*k+from+tx]
		bs[ty*17+tx] = b[(from+ty)*w+col]
		t.SyncThreads()
		for i := range 16 {
			sum += as[ty*17+i] * bs[i*17+tx]
		}
		t.SyncThreads()
	}
	c[row*w+col] = sum
}

// The product of a matrix of h columns, transposed, with another: both tiles are of rows from+ty.
//
//gocuda:kernel fastmath
func tlTransposed(t *gocuda.Thread, h, w, k int, a, b, c []float32) {
	as, bs := gocuda.Shared[float32](t, 16*16), gocuda.Shared[float32](t, 16*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.GlobalX(), t.GlobalY()
	var sum float32
	for from := 0; from < k; from += 16 {
		as[ty*16+tx] = a[(from+ty)*h+t.BlockIdx.Y*16+tx]
		bs[ty*16+tx] = b[(from+ty)*w+col]
		t.SyncThreads()
		for i := range 16 {
			sum += as[i*16+ty] * bs[i*16+tx]
		}
		t.SyncThreads()
	}
	c[row*w+col] = sum
}

// Two sums from three tiles. What the tiles have at the end goes out too.
//
//gocuda:kernel fastmath
func tlBoth(t *gocuda.Thread, w, k int, a, b, c, d, rest []float32) {
	as, bs, cs := gocuda.Shared[float32](t, 16*16), gocuda.Shared[float32](t, 16*16), gocuda.Shared[float32](t, 16*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.GlobalX(), t.GlobalY()
	var sum, other float32
	for from := 0; from < k; from += 16 {
		as[ty*16+tx] = a[row*k+from+tx]
		bs[ty*16+tx] = b[(from+ty)*w+col]
		cs[ty*16+tx] = c[(from+ty)*w+col]
		t.SyncThreads()
		for i := range 16 {
			sum += as[ty*16+i] * bs[i*16+tx]
		}
		t.SyncThreads()
		for i := range 16 {
			other += as[ty*16+i] * cs[i*16+tx]
		}
		t.SyncThreads()
	}
	d[row*w+col] = sum - other
	rest[row*w+col] = as[tx*16+ty] + 2*bs[tx*16+ty] + 4*cs[tx*16+ty]
}

// What is used in a round is what the one before it has loaded.
//
//gocuda:kernel fastmath
func tlLate(t *gocuda.Thread, w, k int, a, b, c []float32) {
	as, bs := gocuda.Shared[float32](t, 16*16), gocuda.Shared[float32](t, 16*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.GlobalX(), t.GlobalY()
	as[ty*16+tx] = a[row*k+tx]
	bs[ty*16+tx] = b[ty*w+col]
	t.SyncThreads()
	var sum float32
	for from := 16; from < k; from += 16 {
		for i := range 16 {
			sum += as[ty*16+i] * bs[i*16+tx]
		}
		t.SyncThreads()
		as[ty*16+tx] = a[row*k+from+tx]
		bs[ty*16+tx] = b[(from+ty)*w+col]
		t.SyncThreads()
	}
	c[row*w+col] = sum
}

// One array has both tiles: the second begins at, and may lie over the first.
//
//gocuda:kernel fastmath
func tlOver(t *gocuda.Thread, at, k int, a, c []float32) {
	as := gocuda.Shared[float32](t, 64*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	me := (t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*t.BlockDim.X*t.BlockDim.Y + t.Rank()
	var sum float32
	for from := 0; from < k; from += 16 {
		as[ty*16+tx] = a[from+ty*40+tx]
		t.SyncThreads()
		as[at+ty*16+tx] = a[from*2+ty*64+tx]
		t.SyncThreads()
		for i := range 8 {
			sum += as[ty*16+i] * as[at+i*16+tx]
		}
		t.SyncThreads()
	}
	c[me] = sum
}

// A product reads n rows of a tile of which a round fills as many as the block has; the others are
// from before.
//
//gocuda:kernel fastmath
func tlMore(t *gocuda.Thread, n, k int, a, c []float32) {
	as, bs := gocuda.Shared[float32](t, 16*16), gocuda.Shared[float32](t, 16*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	me := (t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*t.BlockDim.X*t.BlockDim.Y + t.Rank()
	for y := ty; y < 16; y += t.BlockDim.Y {
		bs[y*16+tx] = a[y*16+tx]
	}
	t.SyncThreads()
	var sum float32
	for from := 0; from < k; from += 16 {
		as[ty*16+tx] = a[from+ty*40+tx]
		bs[ty*16+tx] = a[from*3+ty*64+tx]
		t.SyncThreads()
		for i := range n {
			sum += as[ty*16+i] * bs[i*16+tx]
		}
		t.SyncThreads()
	}
	c[me] = sum
}

// Of the tiles one comes from what the products have made so far.
//
//gocuda:kernel fastmath
func tlFed(t *gocuda.Thread, k int, a, c []float32) {
	as, bs := gocuda.Shared[float32](t, 32*32), gocuda.Shared[float32](t, 32*32)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	me := t.BlockIdx.Y*t.GridDim.X + t.BlockIdx.X
	at := me*t.BlockDim.X*t.BlockDim.Y + ty*t.BlockDim.X + tx
	c[at] = a[ty*16+tx]
	t.SyncThreads()
	var sum float32
	for from := 0; from < k; from += 16 {
		as[ty*32+tx] = a[from+ty*40+tx]
		bs[ty*32+tx] = c[at]
		t.SyncThreads()
		for i := range 8 {
			sum += as[ty*32+i] * bs[i*32+tx]
		}
		c[at] = float32(int(sum) % 8)
		t.SyncThreads()
	}
	c[at] += sum
}

// A tile that is the same in each round, and one that is not.
//
//gocuda:kernel fastmath
func tlSame(t *gocuda.Thread, k int, a, c []float32) {
	as, bs := gocuda.Shared[float32](t, 32*32), gocuda.Shared[float32](t, 32*32)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	at := (t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*t.BlockDim.X*t.BlockDim.Y + t.Rank()
	var sum float32
	for from := 0; from < k; from += 8 {
		as[ty*32+tx] = a[from+ty*40+tx]
		bs[ty*32+tx] = a[ty*32+tx]
		t.SyncThreads()
		for i := range 8 {
			sum += as[ty*32+i] * bs[i*32+tx]
		}
		t.SyncThreads()
	}
	c[at] = sum
}

// tlProduct is a matrix of h by k times one of k by w.
func tlProduct[E float32 | float64](h, w, k int, a func(row, i int) E, b []E) []E {
	c := make([]E, h*w)
	for row := range h {
		for col := range w {
			for i := range k {
				c[row*w+col] += a(row, i) * b[i*w+col]
			}
		}
	}
	return c
}

func tlCases() (cases []Case) {
	for _, k := range []int{0, 32, 64, 96, 1024, 4096} {
		const n = 64
		a, b := pdNumbers[float32](n*max(k, 32)), pdNumbers[float32](n*max(k, 32))
		a64, b64 := pdNumbers[float64](n*k), pdNumbers[float64](n*k)
		half := n / 2
		cases = append(cases,
			made(fmt.Sprint("tlLarge ", k), []grid.Config{tlWide}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				c := marked[float32](n * n)
				return func(t *gocuda.Thread) { tlLarge(t, n, k, a, b, c) }, tlLargeKernel(n, k, a, b, c), []any{c}
			}, func(grid.Config) []any {
				return []any{tlProduct(n, n, k, func(row, i int) float32 { return a[row*k+i] }, b)}
			}),
			made(fmt.Sprint("tlDouble ", k), []grid.Config{tlSquare}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				c := marked[float64](half * half)
				return func(t *gocuda.Thread) { tlDouble(t, half, k, a64, b64, c) }, tlDoubleKernel(half, k, a64, b64, c), []any{c}
			}, func(grid.Config) []any {
				return []any{tlProduct(half, half, k, func(row, i int) float64 { return a64[row*k+i] }, b64)}
			}),
			made(fmt.Sprint("tlTransposed ", k), []grid.Config{tlSquare}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				c := marked[float32](half * half)
				return func(t *gocuda.Thread) { tlTransposed(t, half, half, k, a, b, c) }, tlTransposedKernel(half, half, k, a, b, c), []any{c}
			}, func(grid.Config) []any {
				return []any{tlProduct(half, half, k, func(row, i int) float32 { return a[i*half+row] }, b)}
			}),
			made(fmt.Sprint("tlBoth ", k), []grid.Config{tlSquare}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				d, rest := marked[float32](half*half), marked[float32](half*half)
				k := max(k, 16) // without a round the tiles would have anything
				return func(t *gocuda.Thread) { tlBoth(t, half, k, a, b, a, d, rest) }, tlBothKernel(half, k, a, b, a, d, rest), []any{d, rest}
			}, nil),
			made(fmt.Sprint("tlLate ", k), []grid.Config{tlSquare}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				c := marked[float32](half * half)
				return func(t *gocuda.Thread) { tlLate(t, half, k, a, b, c) }, tlLateKernel(half, k, a, b, c), []any{c}
			}, func(grid.Config) []any {
				return []any{tlProduct(half, half, max(k-16, 0), func(row, i int) float32 { return a[row*k+i] }, b)}
			}))
	}
	in := pdNumbers[float32](8000)
	blocks := func(cfg grid.Config) []float32 { return marked[float32](cfg.Blocks() * cfg.Threads()) }
	for _, k := range []int{0, 16, 32, 160, 1600} {
		for _, at := range []int{0, 8, 128, 256, 512} {
			cases = append(cases, made(fmt.Sprint("tlOver ", at, " ", k), []grid.Config{tlSquare, tlLow}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				c := blocks(cfg)
				return func(t *gocuda.Thread) { tlOver(t, at, k, in, c) }, tlOverKernel(at, k, in, c), []any{c}
			}, nil))
		}
		for _, n := range []int{0, 1, 7, 8, 9, 16} {
			cases = append(cases, made(fmt.Sprint("tlMore ", n, " ", k), []grid.Config{tlSquare, tlLow}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				c := blocks(cfg)
				return func(t *gocuda.Thread) { tlMore(t, n, k, in, c) }, tlMoreKernel(n, k, in, c), []any{c}
			}, nil))
		}
		cases = append(cases,
			made(fmt.Sprint("tlFed ", k), []grid.Config{tlSquare, tlLow}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				c := blocks(cfg)
				return func(t *gocuda.Thread) { tlFed(t, k, in, c) }, tlFedKernel(k, in, c), []any{c}
			}, nil),
			made(fmt.Sprint("tlSame ", k), []grid.Config{tlSquare, tlLow, tlWide}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				c := blocks(cfg)
				return func(t *gocuda.Thread) { tlSame(t, k, in, c) }, tlSameKernel(k, in, c), []any{c}
			}, nil))
	}
	return cases
}
