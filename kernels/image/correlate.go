package image

import (
	"context"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The normalized cross-correlation of an image and a template (Wilt, The CUDA Handbook, 2013,
// chapter 15; Lewis, Fast Normalized Cross-Correlation, 1995). At each position the template is
// laid over the image, and the result is the correlation coefficient of what lies under it and the
// template. That does not change with brightness and contrast, so it finds the template also where
// the light is another.
//
// With the sums over the window of N pixels, I of the image and T of the template, the coefficient is
//
//	(N ΣIT - ΣI ΣT) / sqrt((N ΣI² - (ΣI)²) (N ΣT² - (ΣT)²))
//
// Pixels are bytes, and all sums and the differences of their products are exact integers, so
// nothing cancels. ΣT and ΣT² are the same everywhere and are formed once. The naive kernel forms
// the other three sums for each position in 64 bits. The second version does less, from faster
// memory, in narrower numbers:
//
//   - ΣI and ΣI² are box filters of the image and of its squares, and so they separate into rows and columns.
//   - The image comes through tiles in shared memory, which are used in strips: some rows of the template
//     at a time, so the template may be of any height.
//   - All threads use the same pixel of the template at the same time; CUDA programs keep it in constant memory.
//   - Sums have 32 bits. That holds 66051 squares of bytes, a template of 257 by 257.

const (
	correlateX, correlateY = 64, 4                               // a block
	correlateTileY         = 4 * correlateY                      // the height of a tile of positions, four a thread
	correlateStrip         = 32                                  // rows of the template at a time
	correlateMaxWidth      = 257                                 // of the template in the tiled kernel
	correlatePitch         = correlateX + correlateMaxWidth - 1  // the width of a tile of pixels
	correlateHeight        = correlateTileY + correlateStrip - 1 // and its height: 14.7 KiB of bytes
	correlateMaxNarrow     = math.MaxUint32 / (255 * 255)        // pixels whose squares add up to 32 bits
	correlateMaxPixels     = 1 << 23                             // of a template: N² 255² fits in 63 bits

	totalsThreads = 256
)

// templateTotals sets totals to ΣT and ΣT². It is one block.
//
//gocuda:kernel
func templateTotals(t *gocuda.Thread, totals []int64, template []uint8) {
	s := gocuda.Shared[int64](t, totalsThreads)
	q := gocuda.Shared[int64](t, totalsThreads)
	tid := t.ThreadIdx.X
	var sum, squares int64
	for i := tid; i < len(template); i += totalsThreads {
		v := int64(template[i])
		sum += v
		squares += v * v
	}
	s[tid], q[tid] = sum, squares
	t.SyncThreads()
	for d := totalsThreads / 2; d > 0; d /= 2 {
		if tid < d {
			s[tid] += s[tid+d]
			q[tid] += q[tid+d]
		}
		t.SyncThreads()
	}
	if tid == 0 {
		totals[0], totals[1] = s[0], q[0]
	}
}

// coefficient is the formula. n is N, and the others are the sums. A window or a template of one
// brightness correlates with nothing, and gets 0.
func coefficient(n, i, ii, it, t, tt int64) float32 {
	product := float64(n*ii-i*i) * float64(n*tt-t*t)
	var r float64
	if product > 0 {
		r = float64(n*it-i*t) / math.Sqrt(product)
	}
	return float32(min(max(r, -1), 1))
}

// correlateNaive is the program of one thread: a position of the template.
//
//gocuda:kernel
func correlateNaive(t *gocuda.Thread, w, h, tw, th int, totals []int64, out []float32, image, template []uint8) {
	across, down := w-tw+1, h-th+1
	for y := t.GlobalY(); y < down; y += t.GridDim.Y * t.BlockDim.Y {
		for x := t.GlobalX(); x < across; x += t.GridDim.X * t.BlockDim.X {
			var i, ii, it int64
			for j := range th {
				for k := range tw {
					v, c := int64(image[(y+j)*w+x+k]), int64(template[j*tw+k])
					i += v
					ii += v * v
					it += v * c
				}
			}
			out[y*across+x] = coefficient(int64(tw*th), i, ii, it, totals[0], totals[1])
		}
	}
}

// windowRows sets element (x, y) of sums and squares to ΣI and ΣI² of tw pixels of a row, from
// pixel (x, y) on.
//
//gocuda:kernel
func windowRows(t *gocuda.Thread, w, h, tw int, sums, squares []uint32, image []uint8) {
	across := w - tw + 1
	for y := t.GlobalY(); y < h; y += t.GridDim.Y * t.BlockDim.Y {
		for x := t.GlobalX(); x < across; x += t.GridDim.X * t.BlockDim.X {
			var s, q uint32
			for k := range tw {
				v := uint32(image[y*w+x+k])
				s += v
				q += v * v
			}
			sums[y*across+x], squares[y*across+x] = s, q
		}
	}
}

// windowColumns adds up th rows of those, which gives ΣI and ΣI² of the windows.
//
//gocuda:kernel
func windowColumns(t *gocuda.Thread, across, down, th int, sums, squares, rowSums, rowSquares []uint32) {
	for y := t.GlobalY(); y < down; y += t.GridDim.Y * t.BlockDim.Y {
		for x := t.GlobalX(); x < across; x += t.GridDim.X * t.BlockDim.X {
			var s, q uint32
			for j := range th {
				s += rowSums[(y+j)*across+x]
				q += rowSquares[(y+j)*across+x]
			}
			sums[y*across+x], squares[y*across+x] = s, q
		}
	}
}

// correlateTiled is correlateNaive with the sums of the windows given and the image in tiles. A
// thread has four positions.
//
//gocuda:kernel
func correlateTiled(t *gocuda.Thread, w, h, tw, th int, totals []int64, sums, squares []uint32, out []float32, image, template []uint8) {
	tile := gocuda.Shared[uint8](t, correlatePitch*correlateHeight)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	across, down := w-tw+1, h-th+1
	tilesAcross := (across + correlateX - 1) / correlateX
	for b := t.BlockIdx.X; b < tilesAcross*((down+correlateTileY-1)/correlateTileY); b += t.GridDim.X {
		x0, y0 := b%tilesAcross*correlateX, b/tilesAcross*correlateTileY
		var p0, p1, p2, p3 uint32
		for from := 0; from < th; from += correlateStrip {
			strip := min(correlateStrip, th-from)
			for j := 0; j < correlateTileY+strip-1; j += correlateY {
				for i := 0; i < correlateX+tw-1; i += correlateX {
					if i+tx < correlateX+tw-1 && j+ty < correlateTileY+strip-1 && x0+i+tx < w && y0+from+j+ty < h {
						tile[(j+ty)*correlatePitch+i+tx] = image[(y0+from+j+ty)*w+x0+i+tx]
					}
				}
			}
			t.SyncThreads() // the tile is loaded
			for j := range strip {
				for k := range tw {
					c, at := uint32(template[(from+j)*tw+k]), (ty+j)*correlatePitch+tx+k
					p0 += c * uint32(tile[at])
					p1 += c * uint32(tile[at+correlateY*correlatePitch])
					p2 += c * uint32(tile[at+2*correlateY*correlatePitch])
					p3 += c * uint32(tile[at+3*correlateY*correlatePitch])
				}
			}
			t.SyncThreads() // and used
		}
		if x0+tx < across {
			n, at := int64(tw*th), (y0+ty)*across+x0+tx
			if y0+ty < down {
				out[at] = coefficient(n, int64(sums[at]), int64(squares[at]), int64(p0), totals[0], totals[1])
			}
			at += correlateY * across
			if y0+ty+correlateY < down {
				out[at] = coefficient(n, int64(sums[at]), int64(squares[at]), int64(p1), totals[0], totals[1])
			}
			at += correlateY * across
			if y0+ty+2*correlateY < down {
				out[at] = coefficient(n, int64(sums[at]), int64(squares[at]), int64(p2), totals[0], totals[1])
			}
			at += correlateY * across
			if y0+ty+3*correlateY < down {
				out[at] = coefficient(n, int64(sums[at]), int64(squares[at]), int64(p3), totals[0], totals[1])
			}
		}
	}
}

// Correlate sets out to the correlation coefficients of a template and what lies under it in an
// image: out[y*(w-tw+1)+x] for the template's upper left pixel at (x, y), for all positions at
// which it lies inside the image. The image is w by h pixels and the template tw by th, at least 1
// and at most 2²³ in all; out has (w-tw+1)*(h-th+1) elements, none if the template is larger than
// the image.
//
// Coefficients are from -1 to 1, rounded once more than to nearest float32, and 0 where the window
// or the template is of one brightness. The slices must not overlap.
//
// A template of more than 66051 pixels, or wider than 257, is done by [CorrelateNaive].
func Correlate(ctx context.Context, on kernels.Launcher, w, h, tw, th int, out []float32, image, template []uint8) error {
	if len(template) > correlateMaxNarrow || tw > correlateMaxWidth {
		return CorrelateNaive(ctx, on, w, h, tw, th, out, image, template)
	}
	if err := correlateCheck(w, h, tw, th, out, image, template); err != nil || len(out) == 0 {
		return err
	}
	totals, err := launchTotals(ctx, on, template)
	if err != nil {
		return err
	}
	across, down := w-tw+1, h-th+1
	rowSums, rowSquares := make([]uint32, across*h), make([]uint32, across*h)
	k := windowRowsKernel(w, h, tw, rowSums, rowSquares, image)
	if err := on.Launch(ctx, pixels(across, h, correlateX, correlateY), k); err != nil {
		return err
	}
	sums, squares := make([]uint32, len(out)), make([]uint32, len(out))
	k = windowColumnsKernel(across, down, th, sums, squares, rowSums, rowSquares)
	if err := on.Launch(ctx, pixels(across, down, correlateX, correlateY), k); err != nil {
		return err
	}
	k = correlateTiledKernel(w, h, tw, th, totals, sums, squares, out, image, template)
	return on.Launch(ctx, tiles(across, down, correlateX, correlateTileY, correlateX, correlateY), k)
}

// CorrelateNaive is [Correlate] in one kernel, without shared memory.
func CorrelateNaive(ctx context.Context, on kernels.Launcher, w, h, tw, th int, out []float32, image, template []uint8) error {
	if err := correlateCheck(w, h, tw, th, out, image, template); err != nil || len(out) == 0 {
		return err
	}
	totals, err := launchTotals(ctx, on, template)
	if err != nil {
		return err
	}
	k := correlateNaiveKernel(w, h, tw, th, totals, out, image, template)
	return on.Launch(ctx, pixels(w-tw+1, h-th+1, correlateX, correlateY), k)
}

// launchTotals launches what forms the sums of a template.
func launchTotals(ctx context.Context, on kernels.Launcher, template []uint8) ([]int64, error) {
	totals := make([]int64, 2)
	cfg := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: totalsThreads}}
	return totals, on.Launch(ctx, cfg, templateTotalsKernel(totals, template))
}

func correlateCheck(w, h, tw, th int, out []float32, image, template []uint8) error {
	const what = "normalized cross-correlation"
	if err := check.Shape(what+", image", h, w, len(image)); err != nil {
		return err
	}
	if err := check.Shape(what+", template", th, tw, len(template)); err != nil {
		return err
	}
	if len(template) == 0 || len(template) > correlateMaxPixels {
		return check.Invalid(what, "a template of %d pixels", len(template))
	}
	return check.Shape(what+", result", max(h-th+1, 0), max(w-tw+1, 0), len(out))
}

// BestMatch returns the position and the value of the largest of the coefficients that [Correlate]
// found with an image w pixels wide and a template tw pixels wide; of equal ones the first, row by
// row. If there are none it returns -1, -1 and 0.
func BestMatch(w, tw int, coefficients []float32) (x, y int, r float32) {
	at := -1
	for i, v := range coefficients {
		if at < 0 || v > r {
			at, r = i, v
		}
	}
	if at < 0 || w < tw {
		return -1, -1, 0
	}
	return at % (w - tw + 1), at / (w - tw + 1), r
}
