//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Threads that get their column and row from one number: rows shorter and longer than a vector.

//gocuda:kernel
func qrClamped(t *gocuda.Thread, n, w, shift int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	y := i / w
	x := i - y*w
	l, r, u := i, i, i
	if x > 0 {
		l = i - 1
	}
	if x < w-1 && i+1 < n {
		r = i + 1
	}
	if y > 0 {
		u = i - w
	}
	out[i] = a[i]*4 - a[l] - a[r] - a[u]
	marks[i] = int32(x<<16 | y)
}

// The first threads are before the beginning.
//
//gocuda:kernel
func qrShifted(t *gocuda.Thread, n, w, shift int, a, out []float32, marks []int32) {
	i := t.GlobalX() - shift
	if i >= 0 && i < n {
		if (i+3)%w < (w+1)/2 {
			out[i] = a[i] + float32((i+3)/w)
		}
		marks[i] = int32(i%5) + int32(i/7)
	}
}

//gocuda:kernel
func qrSwapped(t *gocuda.Thread, n, w, shift int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	h := n / w
	if i < w*h {
		x, y := i%w, i/w
		out[x*h+y] = a[i]
		for k := range 3 {
			marks[i] += int32((i+k*shift)/w) * int32(k+1)
		}
	}
}

func qrCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n, w, shift int, a, out []float32, marks []int32)
	type maker = func(n, w, shift int, a, out []float32, marks []int32) gocuda.Kernel
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
	}{{"qrClamped", qrClamped, qrClampedKernel}, {"qrShifted", qrShifted, qrShiftedKernel}, {"qrSwapped", qrSwapped, qrSwappedKernel}} {
		for _, n := range []int{1, 100, 640, 1500} {
			for _, w := range []int{1, 3, 7, 8, 15, 16, 17, 31, 64, 100, 640, 5000} {
				for _, shift := range []int{0, 5, 70} {
					cfg := grid.Config{Grid: grid.Dim3{X: (n + shift + 127) / 128}, Block: grid.Dim3{X: 128}}
					cases = append(cases, Case{Name: fmt.Sprintf("%s of %d in rows of %d, %d", k.name, n, w, shift), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
						a, out, marks := make([]float32, n), make([]float32, n), make([]int32, n)
						for i := range a {
							a[i] = float32(i * i % 37)
						}
						return Instance{
							Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, n, w, shift, a, out, marks) }),
							Compiled: k.compiled(n, w, shift, a, out, marks),
							Outputs:  []any{out, marks},
						}
					}})
				}
			}
		}
	}
	return cases
}
