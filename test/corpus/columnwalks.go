//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Threads that go down a column of a matrix each, of matrices that a cache holds and of one that is
// larger.

// Weighted sums, kept in memory.
//
//gocuda:kernel
func cwSums(t *gocuda.Thread, w, h int, a, x, out []float32, marks []int32) {
	j := t.GlobalX()
	if j < w {
		out[j] = 0
		for i := 0; i < h; i++ {
			out[j] += a[i*w+j] * x[i]
		}
	}
}

// What a thread keeps from row to row goes down with it.
//
//gocuda:kernel
func cwSmooth(t *gocuda.Thread, w, h int, a, x, out []float32, marks []int32) {
	j := t.GlobalX()
	if j >= w {
		return
	}
	before, here := a[j], a[j]
	n := int32(0)
	for i := 1; i < h; i++ {
		next := a[i*w+j]
		out[(i-1)*w+j] = before*x[i] + 2*here - next
		if next > here {
			n += int32(i)
		}
		before, here = here, next
	}
	marks[j] = n
}

// The largest number of a column and where it is.
//
//gocuda:kernel
func cwLargest(t *gocuda.Thread, w, h int, a, x, out []float32, marks []int32) {
	j := t.GlobalX()
	if j < w {
		best, at := a[j], int32(0)
		for i := 1; i < h; i++ {
			if v := a[i*w+j]; v > best {
				best, at = v, int32(i)
			}
		}
		out[j], marks[j] = best, at
	}
}

// Products of a column with those behind it: fewer threads in each round.
//
//gocuda:kernel
func cwPairs(t *gocuda.Thread, w, h int, a, x, out []float32, marks []int32) {
	j := t.GlobalX()
	if j < w-1 {
		for k := j + 1; k < w && k < j+9; k++ {
			s := float32(0)
			for i := 0; i < h; i++ {
				s += a[i*w+j] * a[i*w+k]
			}
			out[j] += s
		}
	}
}

// The same below a diagonal, all pairs of the first columns.
//
//gocuda:kernel
func cwTriangle(t *gocuda.Thread, w, h int, a, x, out []float32, marks []int32) {
	j, n := t.GlobalX(), min(w, 9)
	for k := 0; k < n; k++ {
		if j < w && j >= k {
			out[k*w+j] = x[k]
			for i := k; i < h; i++ {
				out[k*w+j] += a[i*w+j] * a[i*w+k]
			}
			out[k*w+j] *= 0.5
		}
	}
}

// Bands of rows, each with a sum of its own, and one of all.
//
//gocuda:kernel
func cwBands(t *gocuda.Thread, w, h int, a, x, out []float32, marks []int32) {
	j := t.GlobalX()
	if j < w {
		all := float32(0)
		for band := 0; band*8 < h; band++ {
			sum := float32(0)
			for i := band * 8; i < min(band*8+8, h); i++ {
				sum += a[i*w+j]
			}
			out[band*w+j] = sum
			all += sum * x[band]
		}
		marks[j] = int32(all)
	}
}

// An index from memory before the walk, which may be anything.
//
//gocuda:kernel
func cwMarked(t *gocuda.Thread, w, h int, a, x, out []float32, marks []int32) {
	j := t.GlobalX()
	if j < w {
		v := x[marks[j]]
		for i := 0; i < h; i++ {
			v = v*0.75 + a[i*w+j]
		}
		out[j] = v
	}
}

// Values that nothing needs, in branches and from round to round.
//
//gocuda:kernel
func cwUnneeded(t *gocuda.Thread, w, h int, a, x, out []float32, marks []int32) {
	j := t.GlobalX()
	if j >= w {
		return
	}
	from, s := a[j], float32(0)
	for i := 0; i < h; i++ {
		for l := 0; l < 3; l++ {
			s += a[i*w+j]
		}
		if a[i*w+j] >= x[i] {
			v := s - from
			_ = v
		}
		d := x[i] * a[i*w+j]
		d = d * x[i]
		_ = d
	}
	out[j] = s
}

// A number of memory grows, by one with an index that may be anything, before the walk.
//
//gocuda:kernel
func cwGrowing(t *gocuda.Thread, w, h int, a, x, out []float32, marks []int32) {
	j := t.GlobalX()
	if j < w {
		if h > 2 {
			out[j] += x[marks[j]]
		}
		v := float32(0)
		for i := 0; i < h; i++ {
			v = v*0.75 + a[i*w+j]
		}
		marks[j] = int32(v)
	}
}

// A grid of two dimensions whose threads go on by what the grid has in rows: neighbours are along
// x, though the loop is along y.
//
//gocuda:kernel
func cwStrided(t *gocuda.Thread, w, h int, a, x, out []float32, marks []int32) {
	j := t.GlobalX()
	if j >= w {
		return
	}
	for i := t.GlobalY(); i < h; i += t.BlockDim.Y * t.GridDim.Y {
		out[i*w+j] = a[i*w+j]*2 - x[i]
	}
}

// cwStridedCases has grids that are smaller than the matrix, and such that are larger.
func cwStridedCases() (cases []Case) {
	for _, s := range []struct{ w, h, bx, by, gy int }{{40, 30, 32, 4, 2}, {70, 64, 16, 16, 1}, {9, 100, 8, 3, 5}, {33, 7, 32, 8, 4}, {1, 50, 1, 32, 1}} {
		cfg := grid.Config{Grid: grid.Dim3{X: (s.w + s.bx - 1) / s.bx, Y: s.gy}, Block: grid.Dim3{X: s.bx, Y: s.by}}
		cases = append(cases, Case{Name: fmt.Sprintf("cwStrided of %d by %d, blocks of %d by %d", s.w, s.h, s.bx, s.by), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
			a, x, out, marks := cwData(s.w, s.h)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { cwStrided(t, s.w, s.h, a, x, out, marks) }),
				Compiled: cwStridedKernel(s.w, s.h, a, x, out, marks),
				Outputs:  []any{out},
			}
		}})
	}
	return cases
}

// cwCases returns a case for each kernel and shape.
func cwCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, w, h int, a, x, out []float32, marks []int32)
	type made = func(w, h int, a, x, out []float32, marks []int32) gocuda.Kernel
	for _, k := range []struct {
		name   string
		source kernel
		made   made
	}{
		{"cwSums", cwSums, cwSumsKernel}, {"cwSmooth", cwSmooth, cwSmoothKernel}, {"cwLargest", cwLargest, cwLargestKernel}, {"cwPairs", cwPairs, cwPairsKernel},
		{"cwTriangle", cwTriangle, cwTriangleKernel}, {"cwBands", cwBands, cwBandsKernel}, {"cwMarked", cwMarked, cwMarkedKernel},
		{"cwGrowing", cwGrowing, cwGrowingKernel}, {"cwUnneeded", cwUnneeded, cwUnneededKernel},
	} {
		for _, s := range []struct{ w, h, bx int }{
			{37, 21, 16}, {5, 9, 8}, {300, 3, 64}, {513, 40, 1024}, {100, 17, 32}, {1, 1, 4}, {1031, 520, 256}, {1031, 520, 700},
		} {
			cfg := grid.Config{Grid: grid.Dim3{X: (s.w + s.bx - 1) / s.bx}, Block: grid.Dim3{X: s.bx}}
			name := fmt.Sprintf("%s of %d by %d, blocks of %d", k.name, s.w, s.h, s.bx)
			cases = append(cases, Case{Name: name, Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				a, x, out, marks := cwData(s.w, s.h)
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.w, s.h, a, x, out, marks) }),
					Compiled: k.made(s.w, s.h, a, x, out, marks),
					Outputs:  []any{out, marks},
				}
			}})
		}
	}
	return cases
}

// cwData returns arguments for a matrix of h rows.
func cwData(w, h int) (a, x, out []float32, marks []int32) {
	a = make([]float32, w*h)
	for i := range a {
		a[i] = float32(i*i%1009)*0.25 - 90
	}
	x = make([]float32, max(h, 16))
	for i := range x {
		x[i] = float32(i%7) - 2.5
	}
	out = make([]float32, w*max(h, 16))
	marks = make([]int32, w)
	for i := range marks {
		marks[i] = int32(i * 7 % 16)
	}
	return a, x, out, marks
}

// cwFailures has walks of which one can't begin: those before it are done, and none is done twice.
var cwFailures = []Failure{{
	Name:   "a walk from an index that is not there",
	Config: grid.Config{Grid: grid.Dim3{X: 4}, Block: grid.Dim3{X: 300}},
	Make: func(grid.Config) Instance {
		const w, h = 1031, 520
		a, x, out, marks := cwData(w, h)
		marks[350] = 1 << 20
		return Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { cwMarked(t, w, h, a, x, out, marks) }),
			Compiled: cwMarkedKernel(w, h, a, x, out, marks),
			Outputs:  []any{out},
		}
	},
	Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: 50}, Text: "index out of range [1048576]",
}, {
	Name:   "a sum in memory before a walk, with an index that is not there",
	Config: grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1024}},
	Make: func(grid.Config) Instance {
		const w, h = 1031, 520
		a, x, out, marks := cwData(w, h)
		marks[350] = 1 << 20
		return Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { cwGrowing(t, w, h, a, x, out, marks) }),
			Compiled: cwGrowingKernel(w, h, a, x, out, marks),
			Outputs:  []any{out, marks},
		}
	},
	Block: grid.Dim3{}, Thread: grid.Dim3{X: 350}, Text: "index out of range [1048576]",
}}
