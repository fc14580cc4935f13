package image

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The convolution of a signal with a short filter (Podlozhnyuk, Image Convolution with CUDA, 2007;
// Kirk and Hwu, Programming Massively Parallel Processors, the chapter on convolution). It teaches
// the halo. With a filter of radius r an element of the result needs 2r+1 of the signal, so
// neighbours need nearly the same ones. In the naive kernel each thread reads them all from global
// memory. In the tiled one a block loads what its threads need once: its own elements and r more on
// either side, the halo, which belongs to the blocks beside it.
//
// All threads use the same element of the filter at the same time. On a GPU that is what constant
// memory is for: one read serves the warp.

const (
	convolveThreads   = 256                                // of a block
	convolveTile      = 4 * convolveThreads                // elements of a block, four a thread
	convolveMaxRadius = 512                                // of the tiled kernel
	convolveShared    = convolveTile + 2*convolveMaxRadius // 8 KiB
)

// convolveNaive is the program of one thread: an element of the result, straight from global
// memory. taps is the filter turned round. Only threads near an end ask for each element whether it
// exists.
//
//gocuda:kernel fastmath
func convolveNaive(t *gocuda.Thread, n, r int, edge Edge, taps, out, in []float32) {
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		var sum float32
		if i >= r && i < n-r {
			for k := range 2*r + 1 {
				sum += taps[k] * in[i-r+k]
			}
		} else {
			for k := -r; k <= r; k++ {
				sum += taps[r+k] * edge.sample(in, n, i+k)
			}
		}
		out[i] = sum
	}
}

// convolveTiled is the same with a tile in shared memory. Loading it is the only place that knows
// of edges. A thread has four elements, as far apart as the block is wide, so that each element of
// the filter it reads serves four sums, which don't wait for each other.
//
//gocuda:kernel fastmath
func convolveTiled(t *gocuda.Thread, n, r int, edge Edge, taps, out, in []float32) {
	tile := gocuda.Shared[float32](t, convolveShared)
	tid := t.ThreadIdx.X
	for first := t.BlockIdx.X * convolveTile; first < n; first += t.GridDim.X * convolveTile {
		inside := first >= r && first+convolveTile+r <= n
		for j := 0; j < convolveTile+2*r; j += convolveThreads {
			if j+tid < convolveTile+2*r {
				if inside {
					tile[j+tid] = in[first-r+j+tid]
				} else {
					tile[j+tid] = edge.sample(in, n, first-r+j+tid)
				}
			}
		}
		t.SyncThreads() // the tile is loaded
		var s0, s1, s2, s3 float32
		for k := range 2*r + 1 {
			f, at := taps[k], tid+k
			s0 += f * tile[at]
			s1 += f * tile[at+convolveThreads]
			s2 += f * tile[at+2*convolveThreads]
			s3 += f * tile[at+3*convolveThreads]
		}
		i := first + tid
		if i < n {
			out[i] = s0
		}
		if i+convolveThreads < n {
			out[i+convolveThreads] = s1
		}
		if i+2*convolveThreads < n {
			out[i+2*convolveThreads] = s2
		}
		if i+3*convolveThreads < n {
			out[i+3*convolveThreads] = s3
		}
		t.SyncThreads() // and used: the next round may overwrite it
	}
}

// Convolve sets out to the convolution of in and a filter of 2r+1 elements, whose middle is filter[r]:
//
//	out[i] = filter[0]*in[i+r] + filter[1]*in[i+r-1] + ... + filter[2r]*in[i-r]
//
// For a filter that is not symmetric this is not the correlation: turn the filter round for that.
// The edge says what in is beyond its ends. The slices out and in have the same length, at most
// 2³⁰, and must not overlap. The filter is copied before Convolve returns, also from a stream.
//
// Up to r = 512 it goes through shared memory, and beyond it is [ConvolveNaive]. Each element is a
// sum of 2r+1 products, with an error of at most (2r+1) 2⁻²⁴ times the sum of their magnitudes, to
// first order.
func Convolve(ctx context.Context, on kernels.Launcher, edge Edge, filter, out, in []float32) error {
	n, r := len(in), len(filter)/2
	if r > convolveMaxRadius {
		return ConvolveNaive(ctx, on, edge, filter, out, in)
	}
	if err := convolveCheck(edge, filter, out, in); err != nil {
		return err
	}
	return on.Launch(ctx, line(n, convolveTile, convolveThreads), convolveTiledKernel(n, r, edge, turned(filter), out, in))
}

// ConvolveNaive is [Convolve] without shared memory, for any r.
func ConvolveNaive(ctx context.Context, on kernels.Launcher, edge Edge, filter, out, in []float32) error {
	if err := convolveCheck(edge, filter, out, in); err != nil {
		return err
	}
	n, r := len(in), len(filter)/2
	return on.Launch(ctx, line(n, convolveThreads, convolveThreads), convolveNaiveKernel(n, r, edge, turned(filter), out, in))
}

func convolveCheck(edge Edge, filter, out, in []float32) error {
	if err := checkFilter("convolution", len(filter)); err != nil {
		return err
	}
	return checkImages("convolution", edge, len(in), 1, out, in)
}
