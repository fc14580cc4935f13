//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Rows of a block that take part by a remainder: each second, each n-th, from some row on.

const eyMost = 32 * 32

// The sum of each column, by halves.
//
//gocuda:kernel
func eyColumns(t *gocuda.Thread, w, h, step int, in, out []int32) {
	s := gocuda.Shared[int32](t, eyMost)
	tx, ty, dx, dy := t.ThreadIdx.X, t.ThreadIdx.Y, t.BlockDim.X, t.BlockDim.Y
	x, y := t.GlobalX(), t.GlobalY()
	s[ty*dx+tx] = 0
	if x < w && y < h {
		s[ty*dx+tx] = in[y*w+x]
	}
	t.SyncThreads()
	for half := 1; half < dy; half *= 2 {
		if ty%(2*half) == 0 && ty+half < dy {
			s[ty*dx+tx] = s[ty*dx+tx]*3 + s[(ty+half)*dx+tx]
		}
		t.SyncThreads()
	}
	if ty == 0 && x < w {
		out[t.BlockIdx.Y*w+x] = s[tx]
	}
}

// Colours of rows one after the other, which read the rows beside them.
//
//gocuda:kernel
func eyColours(t *gocuda.Thread, w, h, step int, in, out []int32) {
	s := gocuda.Shared[int32](t, eyMost)
	tx, ty, dx := t.ThreadIdx.X, t.ThreadIdx.Y, t.BlockDim.X
	i := ty*dx + tx
	s[i] = in[(t.GlobalY()%h)*w+t.GlobalX()%w]
	t.SyncThreads()
	for c := 0; c < step; c++ {
		if ty%step == (c+1)%step {
			v := s[i] * 5
			if ty > 0 {
				v += s[i-dx]
			}
			if ty+1 < t.BlockDim.Y {
				v -= s[i+dx] * int32(ty)
			}
			s[i] = v
		}
		t.SyncThreads()
	}
	if t.GlobalX() < w && t.GlobalY() < h {
		out[t.GlobalY()*w+t.GlobalX()] = s[i]
	}
}

// Lines of a picture that are between others, in an int32, with a bound behind the remainder.
//
//gocuda:kernel
func eyBetween(t *gocuda.Thread, w, h, step int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()*t.BlockDim.Z+t.ThreadIdx.Z
	row := int32(t.ThreadIdx.Y)
	if x < w && y < h {
		out[y*w+x] = in[y*w+x]
	}
	t.SyncThreads()
	if row%int32(step) == 1 && x < w && y+1 < h {
		out[y*w+x] = (in[(y-1)*w+x] + in[(y+1)*w+x]) >> 1
	}
}

// A remainder that no row has, one of a constant, and a loop under it.
//
//gocuda:kernel
func eyBands(t *gocuda.Thread, w, h, step int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	ty := t.ThreadIdx.Y
	if ty%step == step {
		out[0] = 1
	}
	t.SyncThreads()
	if ty%3 == 2 {
		if x < w && y < h {
			sum := int32(0)
			for k := 0; k <= step; k++ {
				sum = sum*7 + in[y*w+(x+k)%w]
			}
			out[y*w+x] = sum
		}
	}
	t.SyncThreads()
	if 0 == ty%4 {
		if x < w && y < h {
			out[y*w+x] += int32(ty)
		}
	}
}

// The same along x: a tree of sums whose threads are further apart in each step.
//
//gocuda:kernel
func eyTree(t *gocuda.Thread, w, h, step int, in, out []int32) {
	s := gocuda.Shared[int32](t, eyMost)
	tx, ty, dx := t.ThreadIdx.X, t.ThreadIdx.Y, t.BlockDim.X
	s[ty*dx+tx] = in[(t.GlobalY()%h)*w+t.GlobalX()%w]
	t.SyncThreads()
	for half := 1; half < dx; half *= 2 {
		if tx%(2*half) == 0 && tx+half < dx {
			s[ty*dx+tx] += s[ty*dx+tx+half] * int32(half)
		}
		t.SyncThreads()
	}
	if t.GlobalX() < w && t.GlobalY() < h {
		out[t.GlobalY()*w+t.GlobalX()] = s[ty*dx+tx]
	}
}

// Sums in one row of threads, as in the first reductions of the lecture decks: from the left, from
// the right, with a mask in place of a remainder, and of a place that begins at some other number.
//
//gocuda:kernel
func eySums(t *gocuda.Thread, w, h, step int, in, out []int32) {
	s := gocuda.Shared[int32](t, eyMost)
	by := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X
	tx, dx := t.ThreadIdx.X, t.BlockDim.X
	row := s[t.ThreadIdx.Y*dx : t.ThreadIdx.Y*dx+dx]
	s[by] = in[(t.GlobalY()%h)*w+t.GlobalX()%w]
	t.SyncThreads()
	for i := 2; i <= dx; i = 2 * i {
		if (tx+1)%i == 0 {
			s[by] = s[by]*3 + s[by-i/2]
		}
		t.SyncThreads()
	}
	if t.GlobalX()&7 == 3 && tx+5 < dx {
		row[tx] ^= row[tx+5]
	}
	t.SyncThreads()
	for i := 1; i < dx; i++ {
		if i < 6 && (tx-2)%i == -1 || (tx-7)%(i*step) == 2 {
			s[by]++
		}
		t.SyncThreads()
		if (tx-7)%(i*step) == 2 && tx+i < dx {
			s[by] += s[by+i] << 1
		}
		t.SyncThreads()
	}
	if t.GlobalX() < w && t.GlobalY() < h {
		out[t.GlobalY()*w+t.GlobalX()] = s[by]
	}
}

// A divisor that becomes 0 or less than that.
//
//gocuda:kernel
func eyLess(t *gocuda.Thread, w, h, step int, in, out []int32) {
	tx := t.ThreadIdx.X
	for i := -3; i < 3; i++ {
		if i != 0 && tx%i == 0 && t.GlobalX() < w && t.GlobalY() < h {
			out[t.GlobalY()*w+t.GlobalX()] += in[t.GlobalY()*w+t.GlobalX()] * int32(i)
		}
		t.SyncThreads()
	}
}

// eyCases returns a case for each kernel and shape.
func eyCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, w, h, step int, in, out []int32)
	type made = func(w, h, step int, in, out []int32) gocuda.Kernel
	for _, k := range []struct {
		name   string
		source kernel
		made   made
	}{
		{"eyColumns", eyColumns, eyColumnsKernel}, {"eyColours", eyColours, eyColoursKernel}, {"eyBetween", eyBetween, eyBetweenKernel},
		{"eyBands", eyBands, eyBandsKernel}, {"eyTree", eyTree, eyTreeKernel}, {"eySums", eySums, eySumsKernel},
		{"eyLess", eyLess, eyLessKernel},
	} {
		for _, s := range []struct{ w, h, step, bx, by, bz int }{
			{37, 21, 2, 16, 16, 1}, {100, 9, 3, 32, 4, 1}, {5, 5, 4, 8, 8, 1}, {1, 1, 1, 4, 4, 1}, {64, 3, 5, 64, 1, 1}, {16, 48, 100, 16, 13, 1}, {150, 7, 7, 128, 7, 1}, {33, 31, 2, 33, 9, 2},
		} {
			cfg := grid.Config{Grid: grid.Dim3{X: (s.w + s.bx - 1) / s.bx, Y: (s.h + s.by - 1) / s.by}, Block: grid.Dim3{X: s.bx, Y: s.by, Z: s.bz}}
			if s.bz > 1 && k.name != "eyBetween" || s.step == 1 && k.name == "eyColours" {
				continue // threads of several planes write to the same place; rows of one colour read each other
			}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d by %d, step %d", k.name, s.w, s.h, s.step), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				in := make([]int32, s.w*s.h)
				for i := range in {
					in[i] = int32(i*i*31 + i*7 + i/s.w)
				}
				out := make([]int32, s.w*s.h)
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.w, s.h, s.step, in, out) }),
					Compiled: k.made(s.w, s.h, s.step, in, out),
					Outputs:  []any{out},
				}
			}})
		}
	}
	return cases
}
