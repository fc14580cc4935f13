//go:build compiled

package corpus

import (
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Windows of pictures: coordinates that helpers, branches and minima keep inside, loops that are
// cut off at the edges, and sums of bytes in an int.

func wnClamp(v, lo, hi int) int {
	if v < lo {
		return lo
	}
	if v > hi {
		return hi
	}
	return v
}

func wnClamp32(v, lo, hi int32) int32 {
	if v < lo {
		return lo
	} else if v >= hi {
		return hi
	}
	return v
}

func wnMirror(v, n int) int {
	if v < 0 {
		v = -v - 1
	}
	if v >= n {
		v = 2*n - 1 - v
	}
	return wnClamp(v, 0, n-1)
}

// Both coordinates in the inner loop, a mean of bytes.
//
//gocuda:kernel
func wnMean(t *gocuda.Thread, w, h, r int, in []uint8, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	sum := 0
	for dy := -r; dy <= r; dy++ {
		for dx := -r; dx <= r; dx++ {
			cx := wnClamp(x+dx, 0, w-1)
			cy := wnClamp(y+dy, 0, h-1)
			sum += int(in[cy*w+cx])
		}
	}
	out[y*w+x] = int32(sum / ((2*r + 1) * (2*r + 1)))
}

// The row in the outer loop; limits that may be the wrong way round.
//
//gocuda:kernel
func wnLimits(t *gocuda.Thread, w, h, r int, in []uint8, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	last := int32(h - 2)
	var sum int32
	for dy := int32(-2); dy < 5; dy++ {
		cy := wnClamp32(int32(y)+dy, 1, last)
		if cy < 0 || cy >= int32(h) {
			cy = 0
		}
		for dx := -r; dx < 2; dx++ {
			cx := wnClamp(x+dx, w/2, w-3)
			sum = sum*3 + int32(in[int(cy)*w+max(cx, 0)])
		}
	}
	out[y*w+x] = sum
}

// Mirrored at the edges.
//
//gocuda:kernel
func wnMirrored(t *gocuda.Thread, w, h, r int, in []uint8, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	sum := int32(0)
	for j := -r; j <= r; j++ {
		yy := wnMirror(y+j, h)
		for i := -1; i <= 1; i++ {
			sum += int32(in[yy*w+wnMirror(x+i, w)]) * int32(i+2*j)
		}
	}
	out[y*w+x] = sum
}

// Branches that change a coordinate, with what follows in the same block.
//
//gocuda:kernel
func wnBranches(t *gocuda.Thread, w, h, r int, in []uint8, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		best, at := 0, 0
		for j := 0; j < 2*r+1; j++ {
			yy := y - r + j
			if yy < 0 {
				yy += h
			} else if yy >= h {
				yy -= h
			}
			if yy < 0 || yy >= h {
				continue
			}
			v := int(in[yy*w+x])
			if v > best {
				best, at = v, j
			}
		}
		out[y*w+x] = int32(best*100 + at)
	}
}

// A window that is cut off, by minima and maxima.
//
//gocuda:kernel
func wnCut(t *gocuda.Thread, w, h, r int, in []uint8, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	var most uint8
	n, sum := 0, 0
	for yy := max(0, y-r); yy <= min(h-1, y+r); yy++ {
		for xx := max(0, x-r); xx <= min(w-1, x+r); xx++ {
			v := in[yy*w+xx]
			if v > most {
				most = v
			}
			n++
			sum += int(v)
		}
	}
	out[y*w+x] = int32(most)*1000 + int32(sum/n)
}

// One that ends at two limits, and one that begins at a constant.
//
//gocuda:kernel
func wnEnds(t *gocuda.Thread, w, h, r int, in []uint8, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	var a, b int32
	for xx := x; xx < x+r && xx < w; xx++ {
		a = a*5 + int32(in[y*w+xx])
	}
	for xx := max(x-3, 1); xx < x; xx++ {
		b = b*7 - int32(in[y*w+xx])
	}
	out[y*w+x] = a ^ b
}

// Sums of absolute and of squared differences, in an int.
//
//gocuda:kernel
func wnDifferences(t *gocuda.Thread, w, h, r int, in []uint8, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	abs, squares, count := 0, 0, 0
	for j := 0; j < h; j++ {
		d := int(in[y*w+x]) - int(in[j*w+x])
		squares += d * d
		if d < 0 {
			d = -d
		}
		if d > 90 {
			count++
		}
		abs += d >> 1
	}
	out[y*w+x] = int32(abs%(r+1)) + int32(squares/(count+1)) - int32(min(abs, count))
}

// A sum that has more than 32 bits.
//
//gocuda:kernel
func wnLarge(t *gocuda.Thread, w, h, r int, in []uint8, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	sum := 0
	for i := 0; i < 300; i++ {
		for j := 0; j < 20*r; j++ {
			v := int(in[y*w+x]) << 4
			sum += v * v
		}
	}
	out[y*w+x] = int32(sum >> 7)
}

// Packed colours, shifted by the counter of a loop of a few rounds.
//
//gocuda:kernel
func wnPacked(t *gocuda.Thread, w, h, r int, in []uint8, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	p := uint32(in[y*w+x]) * 0x10203
	var q uint32
	for c := 0; c < 3; c++ {
		by := uint(8 * c)
		q |= ((p>>by&255)*3/5 + uint32(r)) & 255 << by
	}
	out[y*w+x] = int32(q)
}

// Choices in branches that all threads of a row take together in some rounds, and in branches that
// some take.
//
//gocuda:kernel
func wnUnder(t *gocuda.Thread, w, h, r int, in []uint8, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	sum := int32(0)
	for j := -r; j <= r; j++ {
		yy, xx, k := y+j, x-j, 1
		if j > 0 {
			if yy >= h {
				yy = h - 1
			}
			k = 2
		} else if yy < 0 {
			yy = 0
		}
		if x > 2 {
			if xx < 0 {
				xx = 0
			} else if xx >= w {
				xx = w - 1
			}
		} else {
			xx = x
		}
		if y+j > h/2 {
			if k == 2 {
				k = 5
			}
			yy = min(yy, h/2)
		}
		sum = sum*3 + int32(in[yy*w+xx])*int32(k)
	}
	out[y*w+x] = sum
}

// A picture through a tile with a halo.
//
//gocuda:kernel
func wnTile(t *gocuda.Thread, w, h, r int, in []uint8, out []int32) {
	const side, halo = 8, 2
	const all = side + 2*halo
	s := gocuda.Shared[int32](t, all*all)
	bx, by := t.BlockIdx.X*side, t.BlockIdx.Y*side
	n := t.BlockDim.X * t.BlockDim.Y
	for k := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X; k < all*all; k += n {
		x, y := wnClamp(bx+k%all-halo, 0, w-1), wnClamp(by+k/all-halo, 0, h-1)
		s[k] = int32(in[y*w+x])
	}
	t.SyncThreads()
	for ty := t.ThreadIdx.Y; ty < side; ty += t.BlockDim.Y {
		for tx := t.ThreadIdx.X; tx < side; tx += t.BlockDim.X {
			x, y := bx+tx, by+ty
			if x < w && y < h {
				var sum int32
				for j := 0; j <= 2*halo; j++ {
					for i := 0; i <= 2*halo; i++ {
						sum = sum*2 + s[(ty+j)*all+tx+i]
					}
				}
				out[y*w+x] = sum
			}
		}
	}
}

// A tile with a halo, rows and columns of which threads load in strides: both coordinates are kept
// inside, by turns.
//
//gocuda:kernel
func wnHalo(t *gocuda.Thread, w, h, r int, in []uint8, out []int32) {
	const side, halo = 8, 2
	const all = side + 2*halo
	s := gocuda.Shared[int32](t, all*all)
	x0, y0 := t.BlockIdx.X*side-halo, t.BlockIdx.Y*side-halo
	for y := t.ThreadIdx.Y; y < all; y += 4 {
		for x := t.ThreadIdx.X; x < all; x += side {
			xx, yy := x0+x, y0+y
			if xx < 0 {
				xx = 0
			}
			if yy < 0 {
				yy = 0
			}
			if xx >= w {
				xx = w - 1
			}
			if yy >= h {
				yy = h - 1
			}
			s[y*all+x] = int32(in[yy*w+xx])
		}
	}
	t.SyncThreads()
	for ty := t.ThreadIdx.Y; ty < side; ty += 4 {
		x, y := t.BlockIdx.X*side+t.ThreadIdx.X, t.BlockIdx.Y*side+ty
		if x < w && y < h {
			out[y*w+x] = s[(ty+halo)*all+t.ThreadIdx.X+halo]*7 - s[ty*all+t.ThreadIdx.X] + s[(ty+2*halo)*all+t.ThreadIdx.X+r%halo]
		}
	}
}

// The same with minima in maxima, of both in one assignment, and rows that wrap around.
//
//gocuda:kernel
func wnHaloLimits(t *gocuda.Thread, w, h, r int, in []uint8, out []int32) {
	const side, halo = 8, 2
	const all = side + 2*halo
	s := gocuda.Shared[int32](t, all*all)
	for y := t.ThreadIdx.Y; y < all; y += 4 {
		if x := t.ThreadIdx.X; x < side {
			xx, yy := t.BlockIdx.X*side+x-halo, t.BlockIdx.Y*side+y-halo
			xx, yy = min(max(xx, 0), w-1), max(min(yy, h-1), 0)
			v := int32(in[yy*w+xx])
			if yy == r {
				yy = h - 1 - yy
			}
			s[y*all+x] = v*3 - int32(in[max(yy, 0)*w+xx])
		}
	}
	t.SyncThreads()
	for ty := t.ThreadIdx.Y; ty < side; ty += 4 {
		x, y := t.BlockIdx.X*side+t.ThreadIdx.X, t.BlockIdx.Y*side+ty
		if x < w && y < h {
			out[y*w+x] = s[ty*all+t.ThreadIdx.X] - 5*s[(ty+halo)*all+t.ThreadIdx.X/2]
		}
	}
}

// wnCases returns a case for each kernel and shape.
func wnCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, w, h, r int, in []uint8, out []int32)
	type made = func(w, h, r int, in []uint8, out []int32) gocuda.Kernel
	for _, k := range []struct {
		name   string
		source kernel
		made   made
	}{
		{"wnMean", wnMean, wnMeanKernel}, {"wnLimits", wnLimits, wnLimitsKernel}, {"wnMirrored", wnMirrored, wnMirroredKernel},
		{"wnBranches", wnBranches, wnBranchesKernel}, {"wnCut", wnCut, wnCutKernel}, {"wnEnds", wnEnds, wnEndsKernel},
		{"wnDifferences", wnDifferences, wnDifferencesKernel}, {"wnLarge", wnLarge, wnLargeKernel}, {"wnPacked", wnPacked, wnPackedKernel}, {"wnUnder", wnUnder, wnUnderKernel},
		{"wnTile", wnTile, wnTileKernel}, {"wnHalo", wnHalo, wnHaloKernel}, {"wnHaloLimits", wnHaloLimits, wnHaloLimitsKernel},
	} {
		for _, s := range []struct{ w, h, r, bx, by int }{
			{37, 21, 2, 16, 16}, {100, 9, 3, 32, 4}, {5, 5, 4, 8, 8}, {1, 1, 1, 4, 4}, {64, 3, 0, 64, 1}, {16, 48, 1, 16, 8}, {150, 5, 7, 128, 1},
		} {
			tiled := slices.Contains([]string{"wnTile", "wnHalo", "wnHaloLimits"}, k.name)
			if tiled {
				s.bx, s.by = 8, 4
			}
			cfg := grid.Config{Grid: grid.Dim3{X: (s.w + s.bx - 1) / s.bx, Y: (s.h + s.by - 1) / s.by}, Block: grid.Dim3{X: s.bx, Y: s.by}}
			if tiled {
				cfg.Grid.Y = (s.h + 7) / 8
			}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d by %d, radius %d", k.name, s.w, s.h, s.r), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				in := make([]uint8, s.w*s.h)
				for i := range in {
					in[i] = uint8(i*i*31 + i*7 + i/s.w)
				}
				out := make([]int32, s.w*s.h)
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.w, s.h, s.r, in, out) }),
					Compiled: k.made(s.w, s.h, s.r, in, out),
					Outputs:  []any{out},
				}
			}})
		}
	}
	return cases
}
