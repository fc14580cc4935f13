//go:build compiled

package corpus

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Windows around a thread's element that are cut off at the edges along both axes, and edges as people
// write them: joined by or, clamped on one side and on both.

// The mean of a window, whose ends are in the loops.
//
//gocuda:kernel
func wdMean(t *gocuda.Thread, in, out []float32, w, h, r int) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	var sum float32
	n := 0
	for yy := max(0, y-r); yy <= min(h-1, y+r); yy++ {
		for xx := max(0, x-r); xx <= min(w-1, x+r); xx++ {
			sum += in[yy*w+xx]
			n++
		}
	}
	out[y*w+x] = sum / float32(n)
}

// The ends are variables, clamped by branches.
//
//gocuda:kernel
func wdEnds(t *gocuda.Thread, in, out []float32, w, h, r int) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	x0, x1, y0, y1 := x-r, x+r, y-r, y+r
	if x0 < 0 {
		x0 = 0
	}
	if x1 >= w {
		x1 = w - 1
	}
	if y0 < 0 {
		y0 = 0
	}
	if y1 > h-1 {
		y1 = h - 1
	}
	var sum float32
	for yy := y0; yy <= y1; yy++ {
		for xx := x0; xx <= x1; xx++ {
			sum += in[yy*w+xx]
		}
	}
	out[y*w+x] = sum / float32((x1-x0+1)*(y1-y0+1))
}

// A window that lies to one side only, and whose first row is also an index.
//
//gocuda:kernel
func wdUpper(t *gocuda.Thread, in, out []float32, w, h, r int) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	top := max(y-2*r, 0)
	best := in[top*w+x]
	for yy := top; yy < min(y+1, h); yy++ {
		best = max(best, in[yy*w+x])
	}
	out[y*w+x] = best
}

// Edges joined by or, with a branch of their own.
//
//gocuda:kernel
func wdBorder(t *gocuda.Thread, in, out []float32, w, h, r int) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	if x == 0 || y == 0 || x == w-1 || y == h-1 {
		out[i] = -in[i] - float32(r)
		return
	}
	out[i] = in[i-w] + in[i+w] - 2*in[i] + in[i-1] + in[i+1]
}

// One edge of each axis, and a condition on numbers among them.
//
//gocuda:kernel
func wdCorner(t *gocuda.Thread, in, out []float32, w, h, r int) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		i := y*w + x
		v := in[i]
		if !(y == 0 || v > 20 || x == 0) && (x != w-1 || y != h-1) {
			v += in[i-1] - in[i-w]
		}
		out[i] = v
	}
}

// Coordinates clamped on both sides by a chain, in either order.
//
//gocuda:kernel
func wdClamped(t *gocuda.Thread, in, out []float32, w, h, r int) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	sx, sy := x+r, y-2*r
	if sx < 0 {
		sx = 0
	} else if sx >= w {
		sx = w - 1
	}
	if sy >= h {
		sy = h - 1
	} else if sy < 0 {
		sy = 0
	}
	out[y*w+x] = in[sy*w+sx]
}

// Limits that wrap around: n-1 of the least n is the largest integer. No chain of these is a clamp.
//
//gocuda:kernel
func wdWrapped(t *gocuda.Thread, in, out []int32, least int32, none uint32) {
	i := t.GlobalX()
	if i >= len(in) {
		return
	}
	v, u := in[i], uint32(in[i])
	if v >= least {
		v = least - 1
	}
	if u >= none {
		u = none - 1
	}
	k := in[i]
	if k < 5 {
		k = 5
	} else if k > 2 {
		k = 2
	}
	out[i] = v ^ int32(u)<<3 ^ k<<20
}

func wdCases() (cases []Case) {
	type kernel struct {
		name     string
		source   func(t *gocuda.Thread, in, out []float32, w, h, r int)
		compiled func(in, out []float32, w, h, r int) gocuda.Kernel
		serial   func(in []float32, w, h, r, x, y int) float32
	}
	clamp := func(v, n int) int { return min(max(v, 0), n-1) }
	mean := func(in []float32, w, h, r, x, y int) float32 {
		var sum float32
		n := 0
		for yy := range h {
			for xx := range w {
				if yy >= y-r && yy <= y+r && xx >= x-r && xx <= x+r {
					sum += in[yy*w+xx]
					n++
				}
			}
		}
		return sum / float32(n)
	}
	for _, k := range []kernel{
		{"wdMean", wdMean, wdMeanKernel, mean},
		{"wdEnds", wdEnds, wdEndsKernel, mean},
		{"wdUpper", wdUpper, wdUpperKernel, func(in []float32, w, h, r, x, y int) float32 {
			best := float32(math.Inf(-1))
			for yy := clamp(y-2*r, h); yy <= y; yy++ {
				best = max(best, in[yy*w+x])
			}
			return best
		}},
		{"wdBorder", wdBorder, wdBorderKernel, func(in []float32, w, h, r, x, y int) float32 {
			at := func(x, y int) float32 { return in[y*w+x] }
			if x == 0 || y == 0 || x == w-1 || y == h-1 {
				return -at(x, y) - float32(r)
			}
			return at(x, y-1) + at(x, y+1) - 2*at(x, y) + at(x-1, y) + at(x+1, y)
		}},
		{"wdCorner", wdCorner, wdCornerKernel, nil},
		{"wdClamped", wdClamped, wdClampedKernel, func(in []float32, w, h, r, x, y int) float32 {
			return in[clamp(y-2*r, h)*w+clamp(x+r, w)]
		}},
	} {
		for _, size := range [][3]int{{67, 23, 2}, {130, 18, 1}, {5, 3, 4}, {1, 40, 1}, {300, 1, 3}, {64, 16, 0}} {
			w, h, r := size[0], size[1], size[2]
			for _, block := range [][2]int{{16, 16}, {32, 4}} {
				cfg := grid.Config{Grid: grid.Dim3{X: (w + block[0] - 1) / block[0], Y: (h + block[1] - 1) / block[1], Z: 1}, Block: grid.Dim3{X: block[0], Y: block[1], Z: 1}}
				cases = append(cases, Case{Name: fmt.Sprint(k.name, size, block), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
					in, out := make([]float32, w*h), make([]float32, w*h)
					for i := range in {
						in[i] = float32(i*i%61) - 20
					}
					x := Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, in, out, w, h, r) }), k.compiled(in, out, w, h, r), []any{out}, nil}
					if k.serial != nil {
						x.Want = func() []any {
							want := make([]float32, w*h)
							for i := range want {
								want[i] = k.serial(in, w, h, r, i%w, i/w)
							}
							return []any{want}
						}
					}
					return x
				}})
			}
		}
	}
	for _, limits := range [][2]int64{{math.MinInt32, 0}, {7, 9}, {math.MinInt32 + 1, 1}} {
		least, none := int32(limits[0]), uint32(limits[1])
		cases = append(cases, perThread(fmt.Sprint("wdWrapped", limits), []grid.Config{{Grid: grid.Dim3{X: 3, Y: 1, Z: 1}, Block: grid.Dim3{X: 100, Y: 1, Z: 1}}},
			func(t *gocuda.Thread, in, out []int32) { wdWrapped(t, in, out, least, none) },
			func(in, out []int32) gocuda.Kernel { return wdWrappedKernel(in, out, least, none) }, nil))
	}
	return cases
}
