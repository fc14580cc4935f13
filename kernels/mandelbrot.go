package kernels

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The Mandelbrot set by escape time: how many steps of z = z² + c, from z = 0, does it take until z is
// further than 2 from the origin? It never does for c in the set. It teaches divergence: neighbouring
// threads leave the loop at different times, and a warp is done when its last thread is. The picture
// needs no memory but for its result, and no two pixels have anything to do with each other.

// The blocks are 32x8: a warp is a piece of a row.
const (
	mandelbrotX = 32
	mandelbrotY = 8
)

// mandelbrot is the program of one thread, one pixel. Each product has a name of its own: Go may
// then not fuse it with an addition, so the counts are the same on all platforms.
//
//gocuda:kernel
func mandelbrot(t *gocuda.Thread, w, h int, x0, y0, dx, dy float32, maxIter int32, out []int32) {
	px, py := t.GlobalX(), t.GlobalY()
	if px >= w || py >= h {
		return
	}
	offX, offY := (float32(px)+0.5)*dx, (float32(py)+0.5)*dy
	cx, cy := x0+offX, y0+offY
	var x, y float32
	var n int32
	for n < maxIter {
		xx, yy, xy := x*x, y*y, x*y
		if xx+yy > 4 {
			break
		}
		x = xx - yy + cx
		y = xy + xy + cy
		n++
	}
	out[py*w+px] = n
}

// Mandelbrot sets out[y*w+x] to the number of steps that pixel (x, y) takes to escape, at most maxIter,
// which is what points of the set have. The picture is w by h pixels and covers the rectangle from
// (x0, y0), the outer corner of pixel (0, 0), to (x1, y1); a pixel stands for the point in its middle.
func Mandelbrot(ctx context.Context, on Launcher, w, h int, x0, y0, x1, y1 float32, maxIter int32, out []int32) error {
	if err := check.Shape("Mandelbrot", w, h, len(out)); err != nil {
		return err
	}
	if maxIter < 0 {
		return fmt.Errorf("kernels: Mandelbrot: %w: %d iterations", gocuda.ErrInvalidValue, maxIter)
	}
	dx, dy := (x1-x0)/float32(w), (y1-y0)/float32(h)
	cfg := grid.Rect(w, h, mandelbrotX, mandelbrotY)
	return on.Launch(ctx, cfg, mandelbrotKernel(w, h, x0, y0, dx, dy, maxIter, out))
}
