package sparse

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// What a solver needs of vectors besides the product with a matrix; the text takes it from CUBLAS
// (Nickolls and Kirk, section B.8). axpy and its twins have a thread an element. The dot product
// ends in a number: each thread adds up some products, a tree in shared memory adds up the threads
// of a block, and the host the blocks. Running sums are kept in shared memory too: then a round of
// all threads is a loop over neighbours in memory.

const (
	axpyThreads = 256 // of a block

	dotThreads = 256                   // of a block
	dotItems   = 32                    // elements of a thread
	dotPart    = dotThreads * dotItems // elements of a block
)

// dot is the program of one thread. Its elements are dotThreads apart, so that neighbours read
// neighbours.
//
//gocuda:kernel fastmath
func dot(t *gocuda.Thread, first, n int, x, y, sums []float32) {
	s := gocuda.Shared[float32](t, dotThreads)
	tid := t.ThreadIdx.X
	begin := first + t.BlockIdx.X*dotPart
	s[tid] = 0
	for i := begin + tid; i < min(begin+dotPart, n); i += dotThreads {
		s[tid] += x[i] * y[i]
	}
	t.SyncThreads()
	for d := dotThreads / 2; d > 0; d /= 2 {
		if tid < d {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
	if tid == 0 {
		sums[begin/dotPart] = s[0]
	}
}

// axpy is the program of one thread, one element: y = a x + y.
//
//gocuda:kernel fastmath
func axpy(t *gocuda.Thread, first, n int, a float32, x, y []float32) {
	if i := first + t.GlobalX(); i < n {
		y[i] = a*x[i] + y[i]
	}
}

// xpay is the program of one thread, one element: y = x + a y.
//
//gocuda:kernel fastmath
func xpay(t *gocuda.Thread, first, n int, a float32, x, y []float32) {
	if i := first + t.GlobalX(); i < n {
		y[i] = x[i] + a*y[i]
	}
}

// times is the program of one thread, one element: z = x y.
//
//gocuda:kernel fastmath
func times(t *gocuda.Thread, first, n int, x, y, z []float32) {
	if i := first + t.GlobalX(); i < n {
		z[i] = x[i] * y[i]
	}
}

// advance is the program of one thread: x += a p, r -= a q, and the part of r·r as in dot. These
// are two axpy and a dot product, but each element of r is loaded once, not three times, and three
// launches are one. Where kernels are as short as these, memory is what takes the time.
//
//gocuda:kernel fastmath
func advance(t *gocuda.Thread, first, n int, a float32, p, q, x, r, sums []float32) {
	s := gocuda.Shared[float32](t, dotThreads)
	tid := t.ThreadIdx.X
	begin := first + t.BlockIdx.X*dotPart
	s[tid] = 0
	for i := begin + tid; i < min(begin+dotPart, n); i += dotThreads {
		x[i] += a * p[i]
		v := r[i] - a*q[i]
		r[i] = v
		s[tid] += v * v
	}
	t.SyncThreads()
	for d := dotThreads / 2; d > 0; d /= 2 {
		if tid < d {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
	if tid == 0 {
		sums[begin/dotPart] = s[0]
	}
}

// elements launches kernels that have a thread an element, for n elements.
func elements(ctx context.Context, on kernels.Launcher, n int, kernel func(first int) gocuda.Kernel) error {
	for first := 0; first < n; first += maxGrid * axpyThreads {
		cfg := grid.Linear(min(n-first, maxGrid*axpyThreads), axpyThreads)
		if err := on.Launch(ctx, cfg, kernel(first)); err != nil {
			return err
		}
	}
	return nil
}

// AXPY sets y to a x + y. x and y have the same length. They must not overlap unless they are the same.
func AXPY(ctx context.Context, on kernels.Launcher, a float32, x, y []float32) error {
	n := len(x)
	if err := check.Lengths("axpy", n, len(y)); err != nil {
		return err
	}
	return elements(ctx, on, n, func(first int) gocuda.Kernel { return axpyKernel(first, n, a, x, y) })
}

// XPAY sets y to x + a y, the step from one direction of a search to the next. Otherwise it is as
// [AXPY].
func XPAY(ctx context.Context, on kernels.Launcher, a float32, x, y []float32) error {
	n := len(x)
	if err := check.Lengths("xpay", n, len(y)); err != nil {
		return err
	}
	return elements(ctx, on, n, func(first int) gocuda.Kernel { return xpayKernel(first, n, a, x, y) })
}

// Dot returns the sum of the products x[i] y[i], 0 if there are none. Parts of 8192 products are
// added up in float32, with at most 41 roundings one after the other, and the parts in float64. So
// the error is at most 42*2^-24 of the sum of the absolute products, whatever the length, unless
// products leave the range of float32.
//
// Dot reads results back, so it can't be queued.
func Dot(ctx context.Context, on kernels.Launcher, x, y []float32) (float64, error) {
	if err := kernels.Waits("dot product", on); err != nil {
		return 0, err
	}
	if err := check.Lengths("dot product", len(x), len(y)); err != nil {
		return 0, err
	}
	n, sums := len(x), make([]float32, dotParts(len(x)))
	return total(ctx, on, n, sums, func(first int) gocuda.Kernel { return dotKernel(first, n, x, y, sums) })
}

// dotParts is the number of partial sums of a product of n elements.
func dotParts(n int) int { return grid.Linear(n, dotPart).Grid.X }

// total launches kernels that leave a partial sum for each dotPart of n elements, and adds those up.
func total(ctx context.Context, on kernels.Launcher, n int, sums []float32, kernel func(first int) gocuda.Kernel) (float64, error) {
	for first := 0; first < n; first += maxGrid * dotPart {
		cfg := grid.Config{
			Grid:  grid.Dim3{X: dotParts(min(n-first, maxGrid*dotPart))},
			Block: grid.Dim3{X: dotThreads},
		}
		if err := on.Launch(ctx, cfg, kernel(first)); err != nil {
			return 0, err
		}
	}
	sum := 0.0
	for _, s := range sums {
		sum += float64(s)
	}
	return sum, nil
}
