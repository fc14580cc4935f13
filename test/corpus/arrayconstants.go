//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Arrays of constants that a kernel has as variables, and such that only look like them.

//gocuda:kernel
func akNeighbours(t *gocuda.Thread, w, h int, a, out []float32, marks []int32) {
	dx := [4]int{-1, 1, 0, 0}
	dy := [4]int{0, 0, -1, 1}
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	s := a[y*w+x]
	for k := range dx {
		xx, yy := x+dx[k], y+dy[k]
		if xx >= 0 && xx < w && yy >= 0 && yy < h {
			s += a[yy*w+xx] * float32(k+1)
		}
	}
	out[y*w+x] = s
}

//gocuda:kernel
func akSlices(t *gocuda.Thread, w, h int, a, out []float32, marks []int32) {
	weights := []float32{0.5, 0.25, 0.125}
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		s := float32(len(weights))
		for k, c := range weights {
			s += c * a[y*w+min(x+k, w-1)]
		}
		marks[y*w+x] = int32(cap([]int{1, 2}))
		out[y*w+x] = s
	}
}

type akStep struct {
	dx, dy int
	weight float32
}

//gocuda:kernel
func akStructs(t *gocuda.Thread, w, h int, a, out []float32, marks []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	var s float32
	for _, d := range []akStep{{-1, 0, 1}, {dx: 1, weight: 2}, {dy: 1}, {weight: 3, dy: -1}} {
		xx, yy := max(0, min(x+d.dx, w-1)), max(0, min(y+d.dy, h-1))
		s += a[yy*w+xx] * d.weight
	}
	out[y*w+x] = s
}

//gocuda:kernel
func akPairs(t *gocuda.Thread, w, h int, a, out []float32, marks []int32) {
	pairs := [...][2]int{{0, 1}, {1, 0}, {2}}
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	s := int32(0)
	for i := range pairs {
		p := pairs[i]
		q := p
		if x%3 == 0 {
			q[1] += y // a copy
		}
		s = s*10 + int32(p[0]+2*p[1]+3*q[1])
	}
	marks[y*w+x] = s
	out[y*w+x] = a[y*w+x]
}

// The arrays are filled only in part, and indices come from the data: one may be out of range.
//
//gocuda:kernel
func akChosen(t *gocuda.Thread, w, h int, a, out []float32, marks []int32) {
	table := [8]int32{3, 1, 4, 1, 5}
	flags := [3]bool{true, false, true}
	small := [4]uint8{200, 100, 50}
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	k := int(a[i]) & 7
	m := table[k] + int32(small[k/2]+small[k&3])
	if flags[k%3] {
		m = -m
	}
	marks[i] = m
	out[i] = float32(table[7-k]) / float32(table[2])
}

//gocuda:kernel
func akUniform(t *gocuda.Thread, w, h int, a, out []float32, marks []int32) {
	c := [3]float32{float32(w), 2, float32(h)} // no constants, but the same for all threads
	changed := [3]int32{1, 2, 3}
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	changed[x%3] += int32(y)
	aliased := []int32{5, 6, 7}
	aliased[1] = changed[0]
	other := aliased[:2]
	other[0]++
	s := float32(0)
	for k := range c {
		s = s*c[k] + a[i]
	}
	out[i] = s + c[x%3]
	marks[i] = changed[0] + 10*changed[1] + 100*changed[2] + 1000*aliased[0] + 10000*aliased[1]
}

// The index of an element that a variable keeps changes while it does.
//
//gocuda:kernel
func akMoving(t *gocuda.Thread, w, h int, a, out []float32, marks []int32) {
	rows := [4][3]int32{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}}
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	s := int32(0)
	for k := 0; k < 4; k++ {
		r := rows[k]
		k += x % 2
		s += r[0]*100 + r[y%3]
		if s > 1000 {
			r = rows[0]
			s -= r[2]
		}
	}
	marks[y*w+x] = s
	out[y*w+x] = a[y*w+x]
}

// Arrays of constants across barriers, in branches and in a helper.
//
//gocuda:kernel
func akShared(t *gocuda.Thread, w, h int, a, out []float32, marks []int32) {
	s := gocuda.Shared[float32](t, 256)
	x, y := t.GlobalX(), t.GlobalY()
	r := t.Rank()
	taps := [5]float32{1, 4, 6, 4, 1}
	inside := x < w && y < h
	s[r] = 0
	if inside {
		s[r] = a[y*w+x]
	}
	t.SyncThreads()
	if inside {
		v := float32(0)
		for k := -2; k <= 2; k++ {
			if at := r + k; at >= 0 && at < t.BlockDim.X*t.BlockDim.Y {
				v += taps[k+2] * s[at]
			}
		}
		out[y*w+x] = v * akScale(x%2 == 0)
	}
	t.SyncThreads()
	if inside {
		marks[y*w+x] = int32(taps[2]) + int32(s[r])
	}
}

// Parts of an array: only read, written, of a bound that differs, and empty.
//
//gocuda:kernel
func akParts(t *gocuda.Thread, w, h int, a, out []float32, marks []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	c := [5]float32{0.25, -0.5, 1.5, 3, -2}
	p := c[0]
	for _, k := range c[1:] {
		p = k + p*a[y*w+x]/4
	}
	head := c[:2]
	for i := range head {
		p += head[i] * float32(i)
	}
	own := [4]int32{3, 1, 4, 1}
	tail := own[2:]
	tail[0] += int32(x)
	marks[y*w+x] = own[2]*10 + tail[1] + own[0]
	some := [6]int32{9, 8, 7, 6, 5, 4}
	for _, v := range some[x%3 : x%3+2] {
		marks[y*w+x] += v
	}
	for _, v := range some[6:] {
		marks[y*w+x] *= v
	}
	out[y*w+x] = p
}

func akScale(even bool) float32 {
	scales := [2]float32{0.0625, 0.125}
	if even {
		return scales[0]
	}
	return scales[1]
}

// akCases has grids of one and of several blocks, that end with the image or beyond it.
func akCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, w, h int, a, out []float32, marks []int32)
	type maker = func(w, h int, a, out []float32, marks []int32) gocuda.Kernel
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
	}{
		{"akNeighbours", akNeighbours, akNeighboursKernel}, {"akSlices", akSlices, akSlicesKernel}, {"akStructs", akStructs, akStructsKernel},
		{"akPairs", akPairs, akPairsKernel}, {"akChosen", akChosen, akChosenKernel}, {"akUniform", akUniform, akUniformKernel},
		{"akMoving", akMoving, akMovingKernel}, {"akShared", akShared, akSharedKernel}, {"akParts", akParts, akPartsKernel},
	} {
		for _, s := range []struct{ w, h, bx, by int }{{64, 12, 32, 4}, {37, 9, 16, 16}, {5, 40, 8, 8}, {130, 3, 64, 1}, {1, 1, 32, 1}} {
			cfg := grid.Config{Grid: grid.Dim3{X: (s.w + s.bx - 1) / s.bx, Y: (s.h + s.by - 1) / s.by}, Block: grid.Dim3{X: s.bx, Y: s.by}}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d by %d, blocks of %d by %d", k.name, s.w, s.h, s.bx, s.by), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				a, out, marks := make([]float32, s.w*s.h), make([]float32, s.w*s.h), make([]int32, s.w*s.h)
				for i := range a {
					a[i] = float32(i*i%29) - 3
				}
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.w, s.h, a, out, marks) }),
					Compiled: k.compiled(s.w, s.h, a, out, marks),
					Outputs:  []any{out, marks},
				}
			}})
		}
	}
	return cases
}
