//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Threads along x that take the place of two dimensions, or three: rows of all widths, of the types
// that indices have, at edges and in loops.

//gocuda:kernel
func dzStencil(t *gocuda.Thread, w, h, d int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	if i >= w*h*d {
		return
	}
	x, y := i%w, i/w
	l, r := max(x-1, 0), min(x+1, w-1)
	u := max(y-1, 0)
	out[i] = a[i] + 2*a[y*w+l] + 3*a[y*w+r] + 5*a[u*w+x]
	marks[i] = int32(x - y)
}

// With indices of 32 bits, and a third dimension by the remainder.
//
//gocuda:kernel
func dzVolume(t *gocuda.Thread, w, h, d int, a, out []float32, marks []int32) {
	i, w32, h32 := int32(t.GlobalX()), int32(w), int32(h)
	if i >= w32*h32*int32(d) {
		return
	}
	z := i / (w32 * h32)
	r := i % (w32 * h32)
	y := r / w32
	x := r % w32
	s := float32(0)
	if x > 0 && y > 0 && z > 0 {
		s = a[((z-1)*h32+y-1)*w32+x-1]
	}
	out[i] = s + a[i]
	marks[i] = x + y*3 + z*7
}

// From the innermost to the outermost, transposed, with more threads than there are elements, and a
// plane that has a name.
//
//gocuda:kernel
func dzTransposed(t *gocuda.Thread, w, h, d int, a, out []float32, marks []int32) {
	i := t.BlockIdx.X*t.BlockDim.X + t.ThreadIdx.X
	plane := w * h
	if i < plane*d {
		x := i % w
		y := i / w % h
		z := i / plane
		out[(x*h+y)*d+z] = a[i]
		marks[i] = int32(i % plane)
	}
}

// In a loop over neighbours, in rounds of a loop over the grid, and with another quotient beside it.
//
//gocuda:kernel
func dzWindow(t *gocuda.Thread, w, h, d int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	if i >= w*h*d {
		return
	}
	y := i / w
	x := i - y*w
	sum := float32(0)
	for k := -2; k <= 2; k++ {
		for j := 0; j < d; j++ {
			if at := x + k; at >= 0 && at < w {
				sum += a[y*w+at] * float32(j+k)
			}
		}
	}
	out[i] = sum
	for k := i; k < w*h*d; k += t.GridDim.X * t.BlockDim.X {
		marks[k] = int32(k%w + i/100)
	}
}

// By the row of blocks along y as well, with a barrier, and in a branch of the block.
//
//gocuda:kernel
func dzShared(t *gocuda.Thread, w, h, d int, a, out []float32, marks []int32) {
	s := gocuda.Shared[float32](t, 512)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	n := w * h * d
	s[tid] = 0
	if d > 1 {
		if i < n {
			s[tid] = a[i/w] + a[i%w]
		}
	} else {
		s[tid] = float32(tid % max(w, 1))
	}
	t.SyncThreads()
	if i < n {
		x, y := uint32(i)%uint32(w), uint32(i)/uint32(w)
		out[i] = s[tid^1] + float32(x)
		marks[i] = int32(y)
	}
}

// Places that count from 1, as in programs that were Fortran: the last one of a row belongs to the
// row before, which a branch mends. What is read is chosen by tables.
//
//gocuda:kernel
func dzCounted(t *gocuda.Thread, w, h, d int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	row := (i+1)%w - 1
	col := (i+1)/w + 1 - 1
	if (i+1)%w == 0 {
		row = w - 1
		col = col - 1
	}
	if i >= w*h*d {
		return
	}
	up := int(marks[row]) & 1
	out[i] = a[min(row+up, w-1)+w*col] - a[max(row-up, 0)+w*col] + a[row+w*col]*2
	if i >= w {
		marks[i] = int32(row*3 - col)
	}
}

func dzCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, w, h, d int, a, out []float32, marks []int32)
	type maker = func(w, h, d int, a, out []float32, marks []int32) gocuda.Kernel
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
	}{{"dzStencil", dzStencil, dzStencilKernel}, {"dzVolume", dzVolume, dzVolumeKernel}, {"dzTransposed", dzTransposed, dzTransposedKernel}, {"dzWindow", dzWindow, dzWindowKernel}, {"dzShared", dzShared, dzSharedKernel}, {"dzCounted", dzCounted, dzCountedKernel}} {
		for _, s := range []struct{ w, h, d, block int }{{64, 5, 3, 128}, {65, 7, 2, 32}, {100, 9, 1, 256}, {63, 4, 3, 64}, {1, 40, 2, 32}, {3, 3, 11, 32}, {1000, 2, 2, 128}, {4096, 1, 1, 256}, {70, 1, 5, 96}, {129, 3, 4, 512}} {
			n := s.w * s.h * s.d
			cfg := grid.Config{Grid: grid.Dim3{X: n/s.block + 2}, Block: grid.Dim3{X: s.block}}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d,%d,%d, blocks of %d", k.name, s.w, s.h, s.d, s.block), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				a, out, marks := make([]float32, n+s.w), make([]float32, n), make([]int32, n)
				for i := range a {
					a[i] = float32(i*i%97) - 40
				}
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.w, s.h, s.d, a, out, marks) }),
					Compiled: k.compiled(s.w, s.h, s.d, a, out, marks),
					Outputs:  []any{out, marks},
				}
			}})
		}
	}
	return cases
}

// A row that is too short for one thread, in a piece; and a width of 0.
//
//gocuda:kernel
func failPiece(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	w := 70
	row, at := i/w, i%w
	n := len(in)
	if i == t.BlockDim.X+who {
		n = -1000
	}
	out[i] += in[row*w+at] + 1
	if at >= n {
		out[i] = in[row*w+at-n+len(in)]
	}
	out[i] += int32(at)
}

//gocuda:kernel
func failWidth(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	w := who - 40
	if t.BlockIdx.X == 1 && t.Rank() >= who {
		out[i] = int32(i/w + i%w)
	}
}
