package dense

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The matrix product, optimised step by step (Ryoo et al., Optimization Principles and Application
// Performance Evaluation of a Multithreaded GPU Using CUDA, PPoPP 2008, section 4 and figure 4). The
// article measures products of 4096 by 4096 matrices on a GeForce 8800 GTX:
//
//	not tiled                        10.58 GFLOPS: bound by the bandwidth of global memory
//	16x16 tiles                      46.49: each number is read a sixteenth as often
//	16x16 tiles, unrolled            91.14: no counter, no branch, no address to compute
//	..., with prefetching            87.10: waits less, but needs two more registers a thread, so that
//	                                 two blocks fit where there were three
//
// Figure 4 has bars for other tiles too. 4x4 tiles, blocks of half a warp, are slower than no
// tiles; 8x8 ones can't fill a multiprocessor, which takes eight blocks at most; 12x12 is no whole
// number of warps. What comes last here, several elements a thread, is from lectures on CUDA, and
// what took over after the article: [SGEMM] carries it further.
//
// On processors the same steps have other effects. A tile narrower than a vector leaves lanes
// empty: 12 fill three quarters of one. The naive version is fast as long as the matrices are in
// the cache. The compiler takes four threads along y through the loop over a tile together; a loop
// that is written out is none, and two rows a thread make it eight rows, for whose sums there are
// not registers enough.

// A Method is a way to multiply matrices.
type Method int

// The methods, in the order of the text. Courses begin with Naive and Tiled16.
const (
	Naive      Method = iota // a thread an element, straight from global memory
	Tiled4                   // 4x4 tiles in shared memory
	Unrolled4                // the same with the loop over the tile written out
	Tiled8                   // 8x8 tiles
	Unrolled8                // unrolled
	Tiled12                  // 12x12 tiles
	Unrolled12               // unrolled
	Tiled16                  // 16x16 tiles
	Unrolled16               // unrolled
	Prefetched               // unrolled 16x16 tiles; the next ones are read before this one is used
	TwoByTwo                 // two by two elements a thread, of tiles of 32x32
	methods
)

// Methods returns all methods in the order of the text.
func Methods() []Method {
	all := make([]Method, methods)
	for i := range all {
		all[i] = Method(i)
	}
	return all
}

// String names the method.
func (m Method) String() string {
	switch m {
	case Naive:
		return "naive"
	case Tiled4:
		return "tiled 4x4"
	case Unrolled4:
		return "tiled 4x4, unrolled"
	case Tiled8:
		return "tiled 8x8"
	case Unrolled8:
		return "tiled 8x8, unrolled"
	case Tiled12:
		return "tiled 12x12"
	case Unrolled12:
		return "tiled 12x12, unrolled"
	case Tiled16:
		return "tiled 16x16"
	case Unrolled16:
		return "tiled 16x16, unrolled"
	case Prefetched:
		return "tiled 16x16, unrolled, prefetched"
	case TwoByTwo:
		return "two by two a thread"
	}
	return fmt.Sprintf("Method(%d)", int(m))
}

// naive is the program of one thread: one element of C, straight from global memory. It reads 2k
// numbers for 2k operations.
//
//gocuda:kernel fastmath
func naive(t *gocuda.Thread, m, n, k, ld int, a, b, c []float32) {
	col, row := t.GlobalX(), t.GlobalY()
	if row >= m || col >= n {
		return
	}
	var sum float32
	for i := range k {
		sum += a[row*k+i] * b[i*ld+col]
	}
	c[row*ld+col] = sum
}

// tiled4 is the program of one thread with 4x4 tiles. All of the tiled kernels take n columns of B
// and C whose rows are ld apart.
//
//gocuda:kernel fastmath
func tiled4(t *gocuda.Thread, m, n, k, ld int, a, b, c []float32) {
	tiled(t, 4, m, n, k, ld, a, b, c, gocuda.Shared[float32](t, 4*4), gocuda.Shared[float32](t, 4*4))
}

//gocuda:kernel fastmath
func tiled8(t *gocuda.Thread, m, n, k, ld int, a, b, c []float32) {
	tiled(t, 8, m, n, k, ld, a, b, c, gocuda.Shared[float32](t, 8*8), gocuda.Shared[float32](t, 8*8))
}

//gocuda:kernel fastmath
func tiled12(t *gocuda.Thread, m, n, k, ld int, a, b, c []float32) {
	tiled(t, 12, m, n, k, ld, a, b, c, gocuda.Shared[float32](t, 12*12), gocuda.Shared[float32](t, 12*12))
}

//gocuda:kernel fastmath
func tiled16(t *gocuda.Thread, m, n, k, ld int, a, b, c []float32) {
	tiled(t, 16, m, n, k, ld, a, b, c, gocuda.Shared[float32](t, 16*16), gocuda.Shared[float32](t, 16*16))
}

// tiled is what a thread does with tiles of any width w: load an element of each, wait for the
// others, multiply a row by a column, wait until the others have. A block shares its reads so: every
// number is read once for each tile's width of threads instead of once a thread. What a tile has
// beyond the edge of its matrix is 0 and adds nothing, so any m, n and k will do. Threads beyond the
// edge of C help to load and must come to the barriers; only then do they find that they have
// nothing to store.
func tiled(t *gocuda.Thread, w, m, n, k, ld int, a, b, c, as, bs []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.BlockIdx.X*w+tx, t.BlockIdx.Y*w+ty
	var sum float32
	for from := 0; from < k; from += w {
		as[ty*w+tx] = element(m, k, k, a, row, from+tx)
		bs[ty*w+tx] = element(k, n, ld, b, from+ty, col)
		t.SyncThreads()
		for i := range w {
			sum += as[ty*w+i] * bs[i*w+tx]
		}
		t.SyncThreads()
	}
	if row < m && col < n {
		c[row*ld+col] = sum
	}
}

// element returns element (i, j) of a rows by cols matrix, or 0 beyond its edges.
func element(rows, cols, ld int, a []float32, i, j int) float32 {
	var v float32
	if i < rows && j < cols {
		v = a[i*ld+j]
	}
	return v
}

// unrolled4 is [tiled4] with its loop written out, as are the next ones.
//
//gocuda:kernel fastmath
func unrolled4(t *gocuda.Thread, m, n, k, ld int, a, b, c []float32) {
	as, bs := gocuda.Shared[float32](t, 4*4), gocuda.Shared[float32](t, 4*4)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.BlockIdx.X*4+tx, t.BlockIdx.Y*4+ty
	var sum float32
	for from := 0; from < k; from += 4 {
		as[ty*4+tx] = element(m, k, k, a, row, from+tx)
		bs[ty*4+tx] = element(k, n, ld, b, from+ty, col)
		t.SyncThreads()
		sum = four(sum, 4, as, bs, ty*4, tx)
		t.SyncThreads()
	}
	if row < m && col < n {
		c[row*ld+col] = sum
	}
}

//gocuda:kernel fastmath
func unrolled8(t *gocuda.Thread, m, n, k, ld int, a, b, c []float32) {
	as, bs := gocuda.Shared[float32](t, 8*8), gocuda.Shared[float32](t, 8*8)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.BlockIdx.X*8+tx, t.BlockIdx.Y*8+ty
	var sum float32
	for from := 0; from < k; from += 8 {
		as[ty*8+tx] = element(m, k, k, a, row, from+tx)
		bs[ty*8+tx] = element(k, n, ld, b, from+ty, col)
		t.SyncThreads()
		sum = four(sum, 8, as, bs, ty*8, tx)
		sum = four(sum, 8, as, bs, ty*8+4, 4*8+tx)
		t.SyncThreads()
	}
	if row < m && col < n {
		c[row*ld+col] = sum
	}
}

//gocuda:kernel fastmath
func unrolled12(t *gocuda.Thread, m, n, k, ld int, a, b, c []float32) {
	as, bs := gocuda.Shared[float32](t, 12*12), gocuda.Shared[float32](t, 12*12)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.BlockIdx.X*12+tx, t.BlockIdx.Y*12+ty
	var sum float32
	for from := 0; from < k; from += 12 {
		as[ty*12+tx] = element(m, k, k, a, row, from+tx)
		bs[ty*12+tx] = element(k, n, ld, b, from+ty, col)
		t.SyncThreads()
		sum = four(sum, 12, as, bs, ty*12, tx)
		sum = four(sum, 12, as, bs, ty*12+4, 4*12+tx)
		sum = four(sum, 12, as, bs, ty*12+8, 8*12+tx)
		t.SyncThreads()
	}
	if row < m && col < n {
		c[row*ld+col] = sum
	}
}

//gocuda:kernel fastmath
func unrolled16(t *gocuda.Thread, m, n, k, ld int, a, b, c []float32) {
	as, bs := gocuda.Shared[float32](t, 16*16), gocuda.Shared[float32](t, 16*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.BlockIdx.X*16+tx, t.BlockIdx.Y*16+ty
	var sum float32
	for from := 0; from < k; from += 16 {
		as[ty*16+tx] = element(m, k, k, a, row, from+tx)
		bs[ty*16+tx] = element(k, n, ld, b, from+ty, col)
		t.SyncThreads()
		sum = sixteen(sum, as, bs, tx, ty)
		t.SyncThreads()
	}
	if row < m && col < n {
		c[row*ld+col] = sum
	}
}

// sixteen is the loop over a 16x16 tile, written out.
func sixteen(sum float32, as, bs []float32, tx, ty int) float32 {
	sum = four(sum, 16, as, bs, ty*16, tx)
	sum = four(sum, 16, as, bs, ty*16+4, 4*16+tx)
	sum = four(sum, 16, as, bs, ty*16+8, 8*16+tx)
	return four(sum, 16, as, bs, ty*16+12, 12*16+tx)
}

// four adds four products to sum: of a row of as, from element i on, and a column of bs from j on.
// w is the width of the tile.
func four(sum float32, w int, as, bs []float32, i, j int) float32 {
	sum += as[i] * bs[j]
	sum += as[i+1] * bs[j+w]
	sum += as[i+2] * bs[j+2*w]
	return sum + as[i+3]*bs[j+3*w]
}

// prefetched is [unrolled16] with the next tiles on their way from global memory, into av and bv,
// while this one is multiplied.
//
//gocuda:kernel fastmath
func prefetched(t *gocuda.Thread, m, n, k, ld int, a, b, c []float32) {
	as, bs := gocuda.Shared[float32](t, 16*16), gocuda.Shared[float32](t, 16*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.BlockIdx.X*16+tx, t.BlockIdx.Y*16+ty
	var sum float32
	av, bv := element(m, k, k, a, row, tx), element(k, n, ld, b, ty, col)
	for from := 0; from < k; from += 16 {
		as[ty*16+tx], bs[ty*16+tx] = av, bv
		t.SyncThreads()
		av, bv = element(m, k, k, a, row, from+16+tx), element(k, n, ld, b, from+16+ty, col)
		sum = sixteen(sum, as, bs, tx, ty)
		t.SyncThreads()
	}
	if row < m && col < n {
		c[row*ld+col] = sum
	}
}

// twoByTwo has four elements a thread, half a tile apart so that neighbours still read neighbours.
// Two numbers of a column and two of a row make four products: half as many loads for each.
//
//gocuda:kernel fastmath
func twoByTwo(t *gocuda.Thread, m, n, k, ld int, a, b, c []float32) {
	as, bs := gocuda.Shared[float32](t, 32*16), gocuda.Shared[float32](t, 16*32)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.BlockIdx.X*32+tx, t.BlockIdx.Y*32+ty
	var c00, c01, c10, c11 float32
	for from := 0; from < k; from += 16 {
		as[ty*16+tx] = element(m, k, k, a, row, from+tx)
		as[(ty+16)*16+tx] = element(m, k, k, a, row+16, from+tx)
		bs[ty*32+tx] = element(k, n, ld, b, from+ty, col)
		bs[ty*32+tx+16] = element(k, n, ld, b, from+ty, col+16)
		t.SyncThreads()
		for i := range 16 {
			a0, a1 := as[ty*16+i], as[(ty+16)*16+i]
			b0, b1 := bs[i*32+tx], bs[i*32+tx+16]
			c00 += a0 * b0
			c01 += a0 * b1
			c10 += a1 * b0
			c11 += a1 * b1
		}
		t.SyncThreads()
	}
	if row < m && col < n {
		c[row*ld+col] = c00
	}
	if row < m && col+16 < n {
		c[row*ld+col+16] = c01
	}
	if row+16 < m && col < n {
		c[(row+16)*ld+col] = c10
	}
	if row+16 < m && col+16 < n {
		c[(row+16)*ld+col+16] = c11
	}
}

// MatMul computes C = A B by the given method, where A is m by k, B is k by n and C is m by n. c
// must not overlap a or b. With k = 0 all elements of C become 0. The error of an element of C is
// at most k u/(1-k u) times the product of the absolute values (Higham, Accuracy and Stability of
// Numerical Algorithms, 2002, section 3.5).
func MatMul(ctx context.Context, on kernels.Launcher, method Method, m, n, k int, a, b, c []float32) error {
	if err := shapes("matrix product", m, n, k, a, b, c); err != nil {
		return err
	}
	tile, block := 16, 16
	var kernel func(m, n, k, ld int, a, b, c []float32) gocuda.Kernel
	switch method {
	case Naive:
		kernel = naiveKernel
	case Tiled4:
		tile, block, kernel = 4, 4, tiled4Kernel
	case Unrolled4:
		tile, block, kernel = 4, 4, unrolled4Kernel
	case Tiled8:
		tile, block, kernel = 8, 8, tiled8Kernel
	case Unrolled8:
		tile, block, kernel = 8, 8, unrolled8Kernel
	case Tiled12:
		tile, block, kernel = 12, 12, tiled12Kernel
	case Unrolled12:
		tile, block, kernel = 12, 12, unrolled12Kernel
	case Tiled16:
		kernel = tiled16Kernel
	case Unrolled16:
		kernel = unrolled16Kernel
	case Prefetched:
		kernel = prefetchedKernel
	case TwoByTwo:
		tile, kernel = 32, twoByTwoKernel
	default:
		return check.Invalid("matrix product", "%v", method)
	}
	return slabs(m, n, tile, tile, func(row, col, rows, cols int) error {
		cfg := grid.Config{Grid: grid.Rect(cols, rows, tile, tile).Grid, Block: grid.Dim3{X: block, Y: block}}
		return on.Launch(ctx, cfg, kernel(rows, cols, k, n, a[row*k:], b[min(col, len(b)):], c[row*n+col:]))
	})
}
