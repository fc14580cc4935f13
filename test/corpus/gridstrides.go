//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Grid-stride loops over the rows and columns of a matrix, with grids that are smaller and larger than it;
// and steps of a sorting network, in which rows of threads have numbers from operations on bits.

//gocuda:kernel
func gsBoth(t *gocuda.Thread, w, h int, in, out []int32) {
	for y := t.GlobalY() + 1; y < h-1; y += t.GridDim.Y * t.BlockDim.Y {
		for x := t.GlobalX() + 1; x < w-1; x += t.GridDim.X * t.BlockDim.X {
			i := x + w*y
			out[i] = in[i-w] + in[i+w] + 3*in[i-1] - 5*in[i+1] + int32(x*y)
		}
	}
}

func gsBothSerial(w, h int, in, out []int32) {
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			i := x + w*y
			out[i] = in[i-w] + in[i+w] + 3*in[i-1] - 5*in[i+1] + int32(x*y)
		}
	}
}

// The steps are in variables, a sum is carried through the rounds, and a round may do nothing.
//
//gocuda:kernel
func gsSums(t *gocuda.Thread, w, h int, in, out []int32) {
	down, across := t.BlockDim.Y*t.GridDim.Y, t.BlockDim.X*t.GridDim.X
	sum := int32(t.BlockDim.X)
	for y := t.GlobalY(); y < h; y += down {
		if y%3 == 1 {
			continue
		}
		for x := t.GlobalX(); x < w; x += across {
			if in[y*w+x]%5 != 0 {
				sum = 3*sum + in[y*w+x]
			}
			out[y*w+x] = sum
		}
	}
}

// Only the rows are strided.
//
//gocuda:kernel
func gsRows(t *gocuda.Thread, w, h int, in, out []int32) {
	if x := t.GlobalX(); x < w {
		for y := t.GlobalY(); y < h; y += t.GridDim.Y * t.BlockDim.Y {
			out[y*w+x] = in[y*w+w-1-x] + int32(t.GridDim.Y)
		}
	}
}

const gsTile = 256

// Rows of eight threads compare numbers that are d apart. The result has at most the first tile.
//
//gocuda:kernel
func gsSteps(t *gocuda.Thread, w, h int, in, out []int32) {
	x := gocuda.Shared[int32](t, gsTile)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	for r := range 4 {
		at := 64*r + 8*ty + tx
		x[at] = in[(at*7+w)%len(in)]
	}
	t.SyncThreads()
	for d := gsTile / 2; d >= 8; d /= 2 {
		for r := range 2 {
			c := (r*8 + ty) * 8
			low := c + c&^(d-1)
			a, b := x[low+tx], x[low+d+tx]
			x[low+tx], x[low+d+tx] = min(a, b), max(a, b)
		}
		t.SyncThreads()
	}
	for r := range 4 {
		c := 64*r + 8*(ty^r&3)
		if at := c | tx; at < len(out) {
			out[at] = x[at] + int32(min(c, 100)>>2)
		}
	}
}

func gridStrideCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, w, h int, in, out []int32)
	for _, k := range []struct {
		name     string
		source   kernel
		compiled func(w, h int, in, out []int32) gocuda.Kernel
		serial   func(w, h int, in, out []int32)
	}{
		{"gsBoth", gsBoth, gsBothKernel, gsBothSerial},
		{"gsSums", gsSums, gsSumsKernel, nil},
		{"gsRows", gsRows, gsRowsKernel, nil},
		{"gsSteps", gsSteps, gsStepsKernel, nil},
	} {
		for _, of := range [][2]int{{1, 1}, {5, 3}, {64, 40}, {131, 77}} {
			for _, blocks := range []grid.Dim3{{X: 1, Y: 1}, {X: 3, Y: 2}, {X: 17, Y: 10}, {X: 20, Y: 20}} {
				w, h := of[0], of[1]
				block := grid.Dim3{X: 8, Y: 8}
				if k.name == "gsSteps" && blocks.X > 1 {
					continue
				}
				cfg := grid.Config{Grid: blocks, Block: block}
				var serial func(in, out []int32)
				if k.serial != nil {
					serial = func(in, out []int32) { k.serial(w, h, in, out) }
				}
				cases = append(cases, onNumbers(fmt.Sprintf("%s of %dx%d in %dx%d blocks", k.name, w, h, blocks.X, blocks.Y), cfg, w*h, w*h,
					func(t *gocuda.Thread, in, out []int32) { k.source(t, w, h, in, out) },
					func(in, out []int32) gocuda.Kernel { return k.compiled(w, h, in, out) }, serial))
			}
		}
	}
	return cases
}
