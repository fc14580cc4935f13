package image

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The separable convolution of an image (Podlozhnyuk, Image Convolution with CUDA, 2007). Some filters of two
// dimensions are the product of a row and a column: Gaussians and boxes are. Then the rows are convolved
// with the one and the columns of the result with the other, 2(2r+1) multiplications a pixel instead of
// (2r+1)². It teaches that the two passes, the same on paper, want different tiles. A tile for rows is
// wide and low, with a halo to the left and the right. A tile for columns is narrow and high, with the
// halo above and below; it is still as wide as a warp, so that neighbouring threads read neighbouring
// pixels, though they walk down.

const (
	separableMaxRadius = 32 // of the tiled kernels

	rowsX, rowsY = 64, 4                            // a block
	rowsTileX    = 4 * rowsX                        // the width of a tile, four pixels a thread
	rowsPitch    = rowsTileX + 2*separableMaxRadius // the width with the halo: 5 KiB in all

	columnsX, columnsY = 32, 8
	columnsTileY       = 8 * columnsY                        // the height of a tile, eight pixels a thread
	columnsHeight      = columnsTileY + 2*separableMaxRadius // the height with the halo: 16 KiB in all
)

// rowsNaive is the program of one thread: a pixel of the rows' convolution, from global memory.
//
//gocuda:kernel fastmath
func rowsNaive(t *gocuda.Thread, w, h, r int, edge Edge, taps, out, in []float32) {
	for y := t.GlobalY(); y < h; y += t.GridDim.Y * t.BlockDim.Y {
		for x := t.GlobalX(); x < w; x += t.GridDim.X * t.BlockDim.X {
			var sum float32
			if x >= r && x < w-r {
				for k := range 2*r + 1 {
					sum += taps[k] * in[y*w+x-r+k]
				}
			} else {
				for k := range 2*r + 1 {
					sum += taps[k] * edge.sample(in[y*w:y*w+w], w, x-r+k)
				}
			}
			out[y*w+x] = sum
		}
	}
}

// columnsNaive is the same for columns.
//
//gocuda:kernel fastmath
func columnsNaive(t *gocuda.Thread, w, h, r int, edge Edge, taps, out, in []float32) {
	for y := t.GlobalY(); y < h; y += t.GridDim.Y * t.BlockDim.Y {
		for x := t.GlobalX(); x < w; x += t.GridDim.X * t.BlockDim.X {
			var sum float32
			if y >= r && y < h-r {
				for k := range 2*r + 1 {
					sum += taps[k] * in[(y-r+k)*w+x]
				}
			} else {
				for k := range 2*r + 1 {
					sum += taps[k] * edge.pixel(in, w, h, x, y-r+k)
				}
			}
			out[y*w+x] = sum
		}
	}
}

// rowsTiled is rowsNaive with tiles of 256 by 4 pixels. Blocks take their tile by its number, and
// further ones if there are more tiles than blocks.
//
//gocuda:kernel fastmath
func rowsTiled(t *gocuda.Thread, w, h, r int, edge Edge, taps, out, in []float32) {
	tile := gocuda.Shared[float32](t, rowsY*rowsPitch)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	across := (w + rowsTileX - 1) / rowsTileX
	for b := t.BlockIdx.X; b < across*((h+rowsY-1)/rowsY); b += t.GridDim.X {
		x0, y0 := b%across*rowsTileX, b/across*rowsY
		inside := x0 >= r && x0+rowsTileX+r <= w
		if inside {
			for j := 0; j < rowsTileX+2*r; j += rowsX {
				if j+tx < rowsTileX+2*r && y0+ty < h {
					tile[ty*rowsPitch+j+tx] = in[(y0+ty)*w+x0-r+j+tx]
				}
			}
		} else {
			for j := 0; j < rowsTileX+2*r; j += rowsX {
				if j+tx < rowsTileX+2*r && y0+ty < h {
					tile[ty*rowsPitch+j+tx] = edge.sample(in[(y0+ty)*w:(y0+ty)*w+w], w, x0-r+j+tx)
				}
			}
		}
		t.SyncThreads() // the tile is loaded
		if y := y0 + ty; y < h {
			var s0, s1, s2, s3 float32
			for k := range 2*r + 1 {
				f, at := taps[k], ty*rowsPitch+tx+k
				s0 += f * tile[at]
				s1 += f * tile[at+rowsX]
				s2 += f * tile[at+2*rowsX]
				s3 += f * tile[at+3*rowsX]
			}
			x := x0 + tx
			if x < w {
				out[y*w+x] = s0
			}
			if x+rowsX < w {
				out[y*w+x+rowsX] = s1
			}
			if x+2*rowsX < w {
				out[y*w+x+2*rowsX] = s2
			}
			if x+3*rowsX < w {
				out[y*w+x+3*rowsX] = s3
			}
		}
		t.SyncThreads() // and used
	}
}

// columnsTiled is columnsNaive with tiles of 32 by 64 pixels. A row of the tile is one line of a
// warp, so there is neither a stride in global memory nor a conflict in shared memory.
//
//gocuda:kernel fastmath
func columnsTiled(t *gocuda.Thread, w, h, r int, edge Edge, taps, out, in []float32) {
	tile := gocuda.Shared[float32](t, columnsX*columnsHeight)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	across := (w + columnsX - 1) / columnsX
	for b := t.BlockIdx.X; b < across*((h+columnsTileY-1)/columnsTileY); b += t.GridDim.X {
		x0, y0 := b%across*columnsX, b/across*columnsTileY
		inside := y0 >= r && y0+columnsTileY+r <= h
		if inside {
			for j := 0; j < columnsTileY+2*r; j += columnsY {
				if x0+tx < w && j+ty < columnsTileY+2*r {
					tile[(j+ty)*columnsX+tx] = in[(y0-r+j+ty)*w+x0+tx]
				}
			}
		} else {
			for j := 0; j < columnsTileY+2*r; j += columnsY {
				if x0+tx < w && j+ty < columnsTileY+2*r {
					tile[(j+ty)*columnsX+tx] = edge.pixel(in, w, h, x0+tx, y0-r+j+ty)
				}
			}
		}
		t.SyncThreads()
		for j := 0; j < columnsTileY; j += 4 * columnsY {
			if x0+tx < w {
				var s0, s1, s2, s3 float32
				for k := range 2*r + 1 {
					f, at := taps[k], (j+ty+k)*columnsX+tx
					s0 += f * tile[at]
					s1 += f * tile[at+columnsY*columnsX]
					s2 += f * tile[at+2*columnsY*columnsX]
					s3 += f * tile[at+3*columnsY*columnsX]
				}
				y := y0 + j + ty
				if y < h {
					out[y*w+x0+tx] = s0
				}
				if y+columnsY < h {
					out[(y+columnsY)*w+x0+tx] = s1
				}
				if y+2*columnsY < h {
					out[(y+2*columnsY)*w+x0+tx] = s2
				}
				if y+3*columnsY < h {
					out[(y+3*columnsY)*w+x0+tx] = s3
				}
			}
		}
		t.SyncThreads() // and used
	}
}

// ConvolveSeparable sets out to the convolution of in, an image of w by h pixels, with the product
// of two filters: [Convolve] of each row with row, and then of each column with column. Both
// lengths are odd, and may differ. The edge says what lies beyond the edges of the image. out may
// be in; otherwise they must not overlap. w and h are at most 2³⁰. The filters are copied before
// ConvolveSeparable returns, also from a stream.
//
// A filter of up to 65 elements goes through shared memory; a longer one is done as in
// [ConvolveSeparableNaive].
func ConvolveSeparable(ctx context.Context, on kernels.Launcher, edge Edge, w, h int, row, column, out, in []float32) error {
	return separable(ctx, on, separableMaxRadius, edge, w, h, row, column, out, in)
}

// ConvolveSeparableNaive is [ConvolveSeparable] without shared memory, for filters of any length.
func ConvolveSeparableNaive(ctx context.Context, on kernels.Launcher, edge Edge, w, h int, row, column, out, in []float32) error {
	return separable(ctx, on, -1, edge, w, h, row, column, out, in)
}

// separable uses tiles for filters up to the given radius.
func separable(ctx context.Context, on kernels.Launcher, tiled int, edge Edge, w, h int, row, column, out, in []float32) error {
	const what = "separable convolution"
	if err := checkFilter(what, len(row)); err != nil {
		return err
	}
	if err := checkFilter(what, len(column)); err != nil {
		return err
	}
	if err := checkImages(what, edge, w, h, out, in); err != nil {
		return err
	}
	between := make([]float32, len(in))
	r, taps := len(row)/2, turned(row)
	cfg, k := pixels(w, h, rowsX, rowsY), rowsNaiveKernel(w, h, r, edge, taps, between, in)
	if r <= tiled {
		cfg, k = tiles(w, h, rowsTileX, rowsY, rowsX, rowsY), rowsTiledKernel(w, h, r, edge, taps, between, in)
	}
	if err := on.Launch(ctx, cfg, k); err != nil {
		return err
	}
	r, taps = len(column)/2, turned(column)
	cfg, k = pixels(w, h, columnsX, columnsY), columnsNaiveKernel(w, h, r, edge, taps, out, between)
	if r <= tiled {
		cfg, k = tiles(w, h, columnsX, columnsTileY, columnsX, columnsY), columnsTiledKernel(w, h, r, edge, taps, out, between)
	}
	return on.Launch(ctx, cfg, k)
}
