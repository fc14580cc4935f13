//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Neighbours on a ring or a torus: remainders that wrap around once, or not at all, or more often
// than that.

// The game of life on a torus: all neighbours in a loop.
//
//gocuda:kernel
func toLife(t *gocuda.Thread, w, h, far int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	alive := int32(0)
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if dx != 0 || dy != 0 {
				alive += in[(y+dy+h)%h*w+(x+dx+w)%w] & 1
			}
		}
	}
	out[y*w+x] = alive
}

func toLifeSerial(w, h, far int, in, out []int32) {
	for y := range h {
		for x := range w {
			for _, d := range [8][2]int{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}} {
				column, row := x+d[0], y+d[1]
				if column < 0 {
					column += w
				} else if column == w {
					column = 0
				}
				if row < 0 {
					row += h
				} else if row == h {
					row = 0
				}
				out[y*w+x] += in[row*w+column] & 1
			}
		}
	}
}

// Heat on a torus with neighbours that have names.
//
//gocuda:kernel
func toHeat(t *gocuda.Thread, w, h, far int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	left, right := (x+w-1)%w, (x+1)%w
	up, down := (y-1+h)%h, (y+1)%h
	c := in[y*w+x]
	out[y*w+x] = 5*c - in[y*w+left] - 2*in[y*w+right] - 3*in[up*w+x] + in[down*w+x]
}

// A ring of all rows after each other, of int32: far is how far it is to a neighbour.
//
//gocuda:kernel
func toRing(t *gocuda.Thread, w, h, far int, in, out []int32) {
	n := int32(w * h)
	i := int32(t.GlobalX()) + int32(t.GlobalY()*t.GridDim.X*t.BlockDim.X)
	if i < n {
		k := int32(far)
		out[i] = in[(i+k)%n] + 3*in[(i-k+n)%n]
	}
}

// A filter of several taps around each point, round the ends of a row, as in signal processing.
//
//gocuda:kernel
func toTaps(t *gocuda.Thread, w, h, far int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	sum := int32(0)
	for k := 0; k < far; k++ {
		sum = sum*3 + in[y*w+(x+k)%w] - in[y*w+(x+w-2)%w]
	}
	out[y*w+x] = sum
}

func toCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, w, h, far int, in, out []int32)
	for _, k := range []struct {
		name     string
		source   kernel
		compiled func(w, h, far int, in, out []int32) gocuda.Kernel
		serial   func(w, h, far int, in, out []int32)
	}{
		{"toLife", toLife, toLifeKernel, toLifeSerial},
		{"toHeat", toHeat, toHeatKernel, nil},
		{"toRing", toRing, toRingKernel, nil},
		{"toTaps", toTaps, toTapsKernel, nil},
	} {
		for _, s := range []struct {
			w, h, far int
			block     grid.Dim3
		}{{100, 37, 1, grid.Dim3{X: 16, Y: 16}}, {64, 8, 5, grid.Dim3{X: 32, Y: 8}}, {33, 5, 3, grid.Dim3{X: 128}}, {7, 3, 9, grid.Dim3{X: 64}}, {2, 2, 2, grid.Dim3{X: 8, Y: 8}}, {300, 1, 300, grid.Dim3{X: 64}}} {
			cfg := grid.Config{Grid: grid.Dim3{X: (s.w + s.block.X - 1) / s.block.X, Y: (s.h + max(s.block.Y, 1) - 1) / max(s.block.Y, 1)}, Block: s.block}
			name := fmt.Sprintf("%s of %dx%d, %d", k.name, s.w, s.h, s.far)
			if k.name == "toTaps" && s.w < 2 || k.name == "toRing" && s.far > s.w*s.h {
				s.far = 1
			}
			var serial func(in, out []int32)
			if k.serial != nil {
				serial = func(in, out []int32) { k.serial(s.w, s.h, s.far, in, out) }
			}
			cases = append(cases, onNumbers(name, cfg, s.w*s.h, s.w*s.h,
				func(t *gocuda.Thread, in, out []int32) { k.source(t, s.w, s.h, s.far, in, out) },
				func(in, out []int32) gocuda.Kernel { return k.compiled(s.w, s.h, s.far, in, out) }, serial))
		}
	}
	return cases
}

// A neighbour to the left without n added to it: the thread at the edge has a negative remainder.
//
//gocuda:kernel
func failTorus(t *gocuda.Thread, who int, in, out []int32) {
	i, n := t.GlobalX(), len(out)
	if i < n {
		by := 0
		if unlucky(t, who) {
			by = 2 * i
		}
		out[i] = in[(i+1-by)%n] + in[(i+1)%n]
	}
}

// No ring at all: all threads divide by 0.
//
//gocuda:kernel
func failRing(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	n := len(in) - len(out)
	if unlucky(t, who) {
		out[i] = in[(i+n+1)%n]
	}
}
