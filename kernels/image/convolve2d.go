package image

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The convolution of an image with a filter of two dimensions that is no product of a row and a
// column (Kirk and Hwu, Programming Massively Parallel Processors, the chapter on convolution). A
// tile has its halo on all four sides here, and the larger the filter, the more of the tile is
// halo: 8 KiB of the 16 at the largest filter. Beside the separable one it shows what separating
// saves; for small filters that is little.

const (
	convolve2DX, convolve2DY = 32, 8                                   // a block
	convolve2DTileY          = 4 * convolve2DY                         // the height of a tile, four pixels a thread
	convolve2DMaxRadius      = 16                                      // of the tiled kernel
	convolve2DPitch          = convolve2DX + 2*convolve2DMaxRadius     // the width of a tile with the halo
	convolve2DHeight         = convolve2DTileY + 2*convolve2DMaxRadius // and its height: 16 KiB in all
)

// convolve2DNaive is the program of one thread: a pixel of the result from global memory. taps is
// the filter turned round, rx and ry its radius in both directions.
//
//gocuda:kernel fastmath
func convolve2DNaive(t *gocuda.Thread, w, h, rx, ry int, edge Edge, taps, out, in []float32) {
	width := 2*rx + 1
	for y := t.GlobalY(); y < h; y += t.GridDim.Y * t.BlockDim.Y {
		for x := t.GlobalX(); x < w; x += t.GridDim.X * t.BlockDim.X {
			var sum float32
			if x >= rx && x < w-rx && y >= ry && y < h-ry {
				for j := range 2*ry + 1 {
					for k := range width {
						sum += taps[j*width+k] * in[(y-ry+j)*w+x-rx+k]
					}
				}
			} else {
				for j := range 2*ry + 1 {
					for k := range width {
						sum += taps[j*width+k] * edge.pixel(in, w, h, x-rx+k, y-ry+j)
					}
				}
			}
			out[y*w+x] = sum
		}
	}
}

// convolve2DTiled is the same with tiles of 32 by 32 pixels.
//
//gocuda:kernel fastmath
func convolve2DTiled(t *gocuda.Thread, w, h, rx, ry int, edge Edge, taps, out, in []float32) {
	tile := gocuda.Shared[float32](t, convolve2DPitch*convolve2DHeight)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	across := (w + convolve2DX - 1) / convolve2DX
	width := 2*rx + 1
	for b := t.BlockIdx.X; b < across*((h+convolve2DTileY-1)/convolve2DTileY); b += t.GridDim.X {
		x0, y0 := b%across*convolve2DX, b/across*convolve2DTileY
		inside := x0 >= rx && x0+convolve2DX+rx <= w && y0 >= ry && y0+convolve2DTileY+ry <= h
		for j := 0; j < convolve2DTileY+2*ry; j += convolve2DY {
			for i := 0; i < convolve2DX+2*rx; i += convolve2DX {
				if i+tx < convolve2DX+2*rx && j+ty < convolve2DTileY+2*ry {
					if inside {
						tile[(j+ty)*convolve2DPitch+i+tx] = in[(y0-ry+j+ty)*w+x0-rx+i+tx]
					} else {
						tile[(j+ty)*convolve2DPitch+i+tx] = edge.pixel(in, w, h, x0-rx+i+tx, y0-ry+j+ty)
					}
				}
			}
		}
		t.SyncThreads() // the tile is loaded
		if x := x0 + tx; x < w {
			var s0, s1, s2, s3 float32
			for j := range 2*ry + 1 {
				for k := range width {
					f, at := taps[j*width+k], (ty+j)*convolve2DPitch+tx+k
					s0 += f * tile[at]
					s1 += f * tile[at+convolve2DY*convolve2DPitch]
					s2 += f * tile[at+2*convolve2DY*convolve2DPitch]
					s3 += f * tile[at+3*convolve2DY*convolve2DPitch]
				}
			}
			y := y0 + ty
			if y < h {
				out[y*w+x] = s0
			}
			if y+convolve2DY < h {
				out[(y+convolve2DY)*w+x] = s1
			}
			if y+2*convolve2DY < h {
				out[(y+2*convolve2DY)*w+x] = s2
			}
			if y+3*convolve2DY < h {
				out[(y+3*convolve2DY)*w+x] = s3
			}
		}
		t.SyncThreads() // and used
	}
}

// Convolve2D sets out to the convolution of in, an image of w by h pixels, with a filter of fw by
// fh. Both are odd, and the middle of the filter is over the pixel: with rx = fw/2 and ry = fh/2,
// out[y*w+x] is the sum over j and k of filter[j*fw+k] times the pixel (x+rx-k, y+ry-j). The edge
// says what lies beyond the edges of the image. w and h are at most 2³⁰. The images must not
// overlap. The filter is copied before Convolve2D returns, also from a stream.
//
// Filters up to 33 by 33 go through shared memory, and beyond it is [Convolve2DNaive].
func Convolve2D(ctx context.Context, on kernels.Launcher, edge Edge, w, h, fw, fh int, filter, out, in []float32) error {
	rx, ry := fw/2, fh/2
	if rx > convolve2DMaxRadius || ry > convolve2DMaxRadius {
		return Convolve2DNaive(ctx, on, edge, w, h, fw, fh, filter, out, in)
	}
	if err := convolve2DCheck(edge, w, h, fw, fh, filter, out, in); err != nil {
		return err
	}
	cfg := tiles(w, h, convolve2DX, convolve2DTileY, convolve2DX, convolve2DY)
	return on.Launch(ctx, cfg, convolve2DTiledKernel(w, h, rx, ry, edge, turned(filter), out, in))
}

// Convolve2DNaive is [Convolve2D] without shared memory, for filters of any size.
func Convolve2DNaive(ctx context.Context, on kernels.Launcher, edge Edge, w, h, fw, fh int, filter, out, in []float32) error {
	if err := convolve2DCheck(edge, w, h, fw, fh, filter, out, in); err != nil {
		return err
	}
	cfg := pixels(w, h, convolve2DX, convolve2DY)
	return on.Launch(ctx, cfg, convolve2DNaiveKernel(w, h, fw/2, fh/2, edge, turned(filter), out, in))
}

func convolve2DCheck(edge Edge, w, h, fw, fh int, filter, out, in []float32) error {
	const what = "convolution in two dimensions"
	if err := check.Shape(what+", filter", fh, fw, len(filter)); err != nil {
		return err
	}
	if err := checkFilter(what, len(filter)); err != nil { // the product of odd numbers is odd
		return err
	}
	return checkImages(what, edge, w, h, out, in)
}
