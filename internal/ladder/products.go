package main

import "github.com/gocuda/gocuda/gocuda"

// The matrix products of Ryoo et al., "Optimization Principles and Application Performance
// Evaluation of a Multithreaded GPU Using CUDA" (PPoPP 2008), section 4, in blocks of 16x16. The
// sums have depth terms; the paper's have 4096.

const (
	width = 16  // of tiles
	depth = 256 // of the sums
	cols  = 128 // of the product, which is square
)

func naiveProduct(a, b, c []float32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		row, col := t.BlockIdx.Y*width+t.ThreadIdx.Y, t.BlockIdx.X*width+t.ThreadIdx.X
		sum := float32(0)
		for k := 0; k < depth; k++ {
			sum += a[row*depth+k] * b[k*cols+col]
		}
		c[row*cols+col] = sum
	}
}

func tiledProduct(a, b, c []float32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		as, bs := gocuda.Shared[float32](t, width*width), gocuda.Shared[float32](t, width*width)
		x, y := t.ThreadIdx.X, t.ThreadIdx.Y
		row, col := t.BlockIdx.Y*width+y, t.BlockIdx.X*width+x
		sum := float32(0)
		for m := 0; m < depth; m += width {
			as[y*width+x] = a[row*depth+m+x]
			bs[y*width+x] = b[(m+y)*cols+col]
			t.SyncThreads()
			for k := 0; k < width; k++ {
				sum += as[y*width+k] * bs[k*width+x]
			}
			t.SyncThreads()
		}
		c[row*cols+col] = sum
	}
}

// inner is the loop over a tile without a loop.
func inner(as, bs []float32, x, y int, sum float32) float32 {
	a, b := as[y*width:], bs[x:]
	sum += a[0] * b[0]
	sum += a[1] * b[1*width]
	sum += a[2] * b[2*width]
	sum += a[3] * b[3*width]
	sum += a[4] * b[4*width]
	sum += a[5] * b[5*width]
	sum += a[6] * b[6*width]
	sum += a[7] * b[7*width]
	sum += a[8] * b[8*width]
	sum += a[9] * b[9*width]
	sum += a[10] * b[10*width]
	sum += a[11] * b[11*width]
	sum += a[12] * b[12*width]
	sum += a[13] * b[13*width]
	sum += a[14] * b[14*width]
	sum += a[15] * b[15*width]
	return sum
}

func unrolledProduct(a, b, c []float32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		as, bs := gocuda.Shared[float32](t, width*width), gocuda.Shared[float32](t, width*width)
		x, y := t.ThreadIdx.X, t.ThreadIdx.Y
		row, col := t.BlockIdx.Y*width+y, t.BlockIdx.X*width+x
		sum := float32(0)
		for m := 0; m < depth; m += width {
			as[y*width+x] = a[row*depth+m+x]
			bs[y*width+x] = b[(m+y)*cols+col]
			t.SyncThreads()
			sum = inner(as, bs, x, y, sum)
			t.SyncThreads()
		}
		c[row*cols+col] = sum
	}
}

// prefetchProduct loads the next tiles while it works on these.
func prefetchProduct(a, b, c []float32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		as, bs := gocuda.Shared[float32](t, width*width), gocuda.Shared[float32](t, width*width)
		x, y := t.ThreadIdx.X, t.ThreadIdx.Y
		row, col := t.BlockIdx.Y*width+y, t.BlockIdx.X*width+x
		sum := float32(0)
		nextA, nextB := a[row*depth+x], b[y*cols+col]
		for m := 0; m < depth; m += width {
			as[y*width+x], bs[y*width+x] = nextA, nextB
			t.SyncThreads()
			if m+width < depth {
				nextA, nextB = a[row*depth+m+width+x], b[(m+width+y)*cols+col]
			}
			sum = inner(as, bs, x, y, sum)
			t.SyncThreads()
		}
		c[row*cols+col] = sum
	}
}
