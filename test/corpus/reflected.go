//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels whose coordinates are reflected, wrapped or folded at edges, with the steps of blocks; whose
// indices have large factors; and histograms of a part of the numbers.

const (
	reTile   = 8
	reRadius = 3
	reSide   = reTile + 2*reRadius
	rePad    = reSide + 1
)

// reMirror reflects a coordinate at both edges.
func reMirror(i, n int) int {
	if i < 0 {
		i = -i
	}
	if i >= n {
		i = 2*(n-1) - i
	}
	return i
}

// Tiles with a halo that is reflected. In an image of fewer than four rows or columns some coordinates
// are reflected twice.
//
//gocuda:kernel
func reTiles(t *gocuda.Thread, w, h, stride int, in, out []int32) {
	s := gocuda.Shared[int32](t, reSide*rePad)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	x0, y0 := t.BlockIdx.X*reTile, t.BlockIdx.Y*reTile
	for y := ty; y < reSide; y += t.BlockDim.Y {
		for x := tx; x < reSide; x += t.BlockDim.X {
			gx, gy := reMirror(min(x0+x-reRadius, w+reRadius-1), w), reMirror(min(y0+y-reRadius, h+reRadius-1), h)
			if gx >= 0 && gy >= 0 {
				s[y*rePad+x] = in[gy*stride+gx]
			} else {
				s[y*rePad+x] = 0
			}
		}
	}
	t.SyncThreads()
	for y := ty; y < reTile; y += t.BlockDim.Y {
		if x := tx; x < reTile && x0+x < w && y0+y < h {
			c := (y+reRadius)*rePad + x + reRadius
			out[(y0+y)*stride+x0+x] = 3*s[c] + s[c-reRadius] - s[c+reRadius] + 5*s[c-reRadius*rePad] - 7*s[c+reRadius*rePad]
		}
	}
}

// The same from global memory, a pixel a thread, in images that are wide enough.
//
//gocuda:kernel
func rePixels(t *gocuda.Thread, w, h, stride int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h || w < 8 || h < 8 {
		return
	}
	sum := int32(0)
	for dy := -reRadius; dy <= reRadius; dy++ {
		gy := reMirror(y+dy, h)
		for dx := -reRadius; dx <= reRadius; dx++ {
			sum = sum*3 + in[gy*stride+reMirror(x+dx, w)]
		}
	}
	out[y*stride+x] = sum
}

func rePixelsSerial(w, h, stride int, in, out []int32) {
	if w < 8 || h < 8 {
		return
	}
	at := func(i, n int) int {
		i = max(i, -i)
		return min(i, 2*(n-1)-i)
	}
	for y := range h {
		for x := range w {
			sum := int32(0)
			for dy := -reRadius; dy <= reRadius; dy++ {
				for dx := -reRadius; dx <= reRadius; dx++ {
					sum = sum*3 + in[at(y+dy, h)*stride+at(x+dx, w)]
				}
			}
			out[y*stride+x] = sum
		}
	}
}

// A coordinate is folded twice: the second time those in between.
//
//gocuda:kernel
func reFolds(t *gocuda.Thread, w, h, stride int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		i, j := x, y
		if i > w/2 {
			i = w - i
		}
		if i > w/4 {
			i = w/2 - i
		}
		if j >= h/2 {
			j = j - h/2
		}
		if j >= h/4+1 {
			j = j - h/4
		}
		out[y*stride+x] = in[max(j, 0)*stride+max(i, 0)] + int32(i*3+j)
	}
}

// Coordinates on a torus that may be beyond either edge.
//
//gocuda:kernel
func reWraps(t *gocuda.Thread, w, h, stride int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		i, j := x-(h-y), y+x-w
		if i < 0 {
			i += w
		}
		if i >= w {
			i -= w
		}
		if j < 0 {
			j += h
		}
		if j >= h {
			j -= h
		}
		if i >= 0 && i < w && j >= 0 && j < h {
			out[y*stride+x] = in[j*stride+i]
		}
	}
}

// Large factors of what is not known before the run.
//
//gocuda:kernel
func reFactors(t *gocuda.Thread, w, h, stride int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		a := 100*stride*y + 37*x*w - 3000*h
		b := 19*stride*y*w - 18*x*w*h + 5
		for k := range 3 {
			if at := a + 40*k*stride; at >= 0 && at < stride*h {
				out[y*stride+x] += 3 * in[at]
			}
			if at := b + 33*k*h*w; at >= 0 && at < stride*h {
				out[y*stride+x] += in[at]
			}
		}
	}
}

// Histograms of the numbers in an interval, in shared memory, and of some others.
//
//gocuda:kernel
func reInterval(t *gocuda.Thread, w, h, stride int, in, out []int32) {
	counts := gocuda.Shared[uint32](t, 64)
	least := gocuda.Shared[int32](t, 64)
	i := t.GlobalY()*w + t.GlobalX()
	for k := t.Rank(); k < 64; k += t.BlockDim.X * t.BlockDim.Y {
		counts[k], least[k] = 0, 9
	}
	t.SyncThreads()
	if t.GlobalX() < w && t.GlobalY() < h {
		v := uint32(in[i])
		if v >= 20 && v < 84 {
			atomic.Add(&counts[v-20], 1)
		} else if in[i] < 20 {
			atomic.Min(&least[in[i]+2], int32(i%7))
			if v%3 == 1 {
				atomic.Add(&out[v], 5)
			}
		}
	}
	t.SyncThreads()
	for k := t.Rank(); k < 64; k += t.BlockDim.X * t.BlockDim.Y {
		if c := counts[k]; c != 0 && k < len(out) {
			atomic.Add(&out[k], int32(c)+100*least[k])
		}
	}
}

func reflectedCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, w, h, stride int, in, out []int32)
	for _, k := range []struct {
		name     string
		source   kernel
		compiled func(w, h, stride int, in, out []int32) gocuda.Kernel
		serial   func(w, h, stride int, in, out []int32)
	}{
		{"reTiles", reTiles, reTilesKernel, nil},
		{"rePixels", rePixels, rePixelsKernel, rePixelsSerial},
		{"reFolds", reFolds, reFoldsKernel, nil},
		{"reWraps", reWraps, reWrapsKernel, nil},
		{"reFactors", reFactors, reFactorsKernel, nil},
		{"reInterval", reInterval, reIntervalKernel, nil},
	} {
		for _, of := range [][2]int{{1, 1}, {2, 3}, {3, 40}, {41, 2}, {8, 8}, {30, 17}, {83, 45}} {
			w, h := of[0], of[1]
			for _, block := range []grid.Dim3{{X: 8, Y: 8}, {X: 32, Y: 4}} {
				tile := grid.Dim3{X: block.X, Y: block.Y}
				if k.name == "reTiles" {
					tile = grid.Dim3{X: reTile, Y: reTile}
				}
				cfg := grid.Config{Grid: grid.Dim3{X: (w + tile.X - 1) / tile.X, Y: (h + tile.Y - 1) / tile.Y}, Block: block}
				cases = append(cases, Case{Name: fmt.Sprintf("%s of %dx%d in blocks of %d", k.name, w, h, block.X), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
					stride := w + 3
					in, out := make([]int32, stride*h), make([]int32, max(stride*h, 64))
					for i := range in {
						in[i] = int32(uint32(i+3) * 2654435761 >> 25)
					}
					made := Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, w, h, stride, in, out) }),
						Compiled: k.compiled(w, h, stride, in, out),
						Outputs:  []any{out},
					}
					if k.serial != nil {
						made.Want = func() []any {
							out := make([]int32, len(out))
							k.serial(w, h, stride, in, out)
							return []any{out}
						}
					}
					return made
				}})
			}
		}
	}
	return cases
}
