//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Slices that begin at a place of the thread and end where the other one does, as C programs have
// pointers into rows.

//gocuda:kernel
func opA(t *gocuda.Thread, n, stride, k int, x, work []float32, table []int32) {
	i := t.GlobalX()
	if i < n {
		lower := work[i*stride:]
		lower[k] += x[i]
	}
}

//gocuda:kernel
func opB(t *gocuda.Thread, n, stride, k int, x, work []float32, table []int32) {
	i := t.GlobalX()
	if i < n {
		lower := work[i*stride : i*stride+stride]
		lower[k] += x[i]
	}
}

//gocuda:kernel
func opC(t *gocuda.Thread, n, stride, k int, x, work []float32, table []int32) {
	i := t.GlobalX()
	if i < n {
		lower := work[i*stride:]
		lower[table[i]] += x[i]
	}
}

//gocuda:kernel
func opD(t *gocuda.Thread, n, stride, k int, x, work []float32, table []int32) {
	i := t.GlobalX()
	if i < n {
		lower := work[i*stride:]
		if x[i] < 1 {
			lower[k] += x[i]
		}
	}
}

//gocuda:kernel
func opE(t *gocuda.Thread, n, stride, k int, x, work []float32, table []int32) {
	i := t.GlobalX()
	if i < n {
		row := work[i*stride:]
		s := float32(0)
		for j := 0; j < k; j++ {
			s += row[j]
		}
		x[i] = s
	}
}

//gocuda:kernel
func opF(t *gocuda.Thread, n, stride, k int, x, work []float32, table []int32) {
	i := t.GlobalX()
	if i < n {
		row := work[i*stride:]
		x[i] = row[table[i]]
	}
}

// opCases returns a case for each kernel and size.
func opCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n, stride, k int, x, work []float32, table []int32)
	type made = func(n, stride, k int, x, work []float32, table []int32) gocuda.Kernel
	for _, k := range []struct {
		name   string
		source kernel
		made   made
	}{
		{"opA", opA, opAKernel}, {"opB", opB, opBKernel}, {"opC", opC, opCKernel}, {"opD", opD, opDKernel}, {"opE", opE, opEKernel}, {"opF", opF, opFKernel},
	} {
		for _, s := range []struct{ n, stride, k, more int }{{100, 3, 1, 8}, {1, 1, 0, 2}, {64, 8, 5, 0}, {33, 2, 1, 3}, {257, 1, 0, 2}, {128, 16, 15, 100}} {
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d, rows of %d", k.name, s.n, s.stride), Configs: []grid.Config{grid.Linear(s.n, 48)}, Make: func(grid.Config) Instance {
				x, work, table := make([]float32, s.n), make([]float32, s.n*s.stride+s.more), make([]int32, s.n)
				for i := range x {
					x[i], table[i] = float32(i%5)*0.5, int32(i*7%max(s.stride, 1))
				}
				for i := range work {
					work[i] = float32(i*i%61) * 0.125
				}
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.n, s.stride, s.k, x, work, table) }),
					Compiled: k.made(s.n, s.stride, s.k, x, work, table),
					Outputs:  []any{x, work},
				}
			}})
		}
	}
	return cases
}
