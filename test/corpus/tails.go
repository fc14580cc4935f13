//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Threads that return from within a loop, and indices of 32 bits that branches choose.

//gocuda:kernel
func tlFind(t *gocuda.Thread, n int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	for k := 0; k < n; k++ {
		if a[k] > float32(i%23) {
			marks[i] = int32(k)
			return
		}
	}
	marks[i] = -1
}

//gocuda:kernel
func tlEscape(t *gocuda.Thread, n int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	if a[i] == 3 {
		out[i] = -3
		return
	}
	var x, y float32
	for k := range 40 {
		xx, yy := x*x, y*y
		if xx+yy > 4 {
			marks[i] = int32(k)
			out[i] = xx + yy
			return
		}
		x, y = xx-yy+a[i]/16, 2*x*y+float32(i%7)/8
	}
	marks[i] = 40
	if x > y {
		return
	}
	out[i] = x
}

// Loops in each other, of which the inner one returns, and a second one behind them.
//
//gocuda:kernel
func tlNested(t *gocuda.Thread, n int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	if i < n {
		s := float32(0)
		for j := 0; j < 5; j++ {
			for k := j; k < 6; k++ {
				s += a[(i+k)%n]
				if s > 60 {
					out[i] = s
					marks[i] += int32(10*j + k)
					return
				}
				if s < -5 {
					break
				}
			}
			marks[i]++
			if s > 50 {
				continue
			}
			s += 0.5
		}
		for k := 0; ; k++ {
			if s += float32(k); s > 100 {
				out[i] = -s
				return
			}
		}
	}
}

// Threads meet before, and behind in only one of the branches.
//
//gocuda:kernel
func tlBarriers(t *gocuda.Thread, n int, a, out []float32, marks []int32) {
	s := gocuda.Shared[float32](t, 512)
	i, r := t.GlobalX(), t.Rank()
	if s[r] = -1; i < n {
		s[r] = a[i]
	}
	t.SyncThreads()
	if n%2 == 0 {
		for k := range t.BlockDim.X {
			if i < n && s[k] > 20 {
				marks[i] = int32(k) + 1
				break
			}
		}
		t.SyncThreads()
		s[r] *= 2
		t.SyncThreads()
	}
	if i >= n {
		return
	}
	for k := r; k >= 0; k-- {
		if s[k] > 15 {
			out[i] = s[k]
			return
		}
	}
	out[i] = s[0]
}

//gocuda:kernel
func tlUnsigned(t *gocuda.Thread, n int, a, out []float32, marks []int32) {
	x, m := uint32(t.GlobalX()), uint32(n)
	if x >= m {
		return
	}
	l, r := x, x
	if x > 0 {
		l = x - 1
	}
	if x < m-1 {
		r = x + 1
	}
	f := x
	if x+3 < m {
		f = x + 3
	} else if x > 5 {
		f = x - 5
	}
	out[x] = a[l] - 2*a[x] + a[r] + a[f]
	marks[x] = int32(l + r*1000)
}

//gocuda:kernel
func tlSigned(t *gocuda.Thread, n int, a, out []float32, marks []int32) {
	x, m := int32(t.GlobalX()), int32(n)
	if x >= m {
		return
	}
	l, r := x-2, x+2
	if l < 0 {
		l = -l
	}
	if r > m-1 {
		r = max(2*(m-1)-r, 0)
	}
	if l >= m {
		l = m - 1
	}
	s := a[x] + 3*a[l] - a[r]
	for k := int32(0); k < 4; k++ {
		at := x + k
		if at >= m {
			at = 0
		}
		s += a[at]
	}
	out[x] = s
	marks[x] = l<<16 | r
}

// tlReturnCases has grids that end with the elements or beyond them.
func tlReturnCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n int, a, out []float32, marks []int32)
	type maker = func(n int, a, out []float32, marks []int32) gocuda.Kernel
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
	}{
		{"tlFind", tlFind, tlFindKernel}, {"tlEscape", tlEscape, tlEscapeKernel}, {"tlNested", tlNested, tlNestedKernel},
		{"tlBarriers", tlBarriers, tlBarriersKernel}, {"tlUnsigned", tlUnsigned, tlUnsignedKernel}, {"tlSigned", tlSigned, tlSignedKernel},
	} {
		for _, s := range []struct{ n, block int }{{1000, 128}, {77, 64}, {512, 512}, {5, 32}, {1, 16}, {300, 7}} {
			cfg := grid.Config{Grid: grid.Dim3{X: (s.n + s.block - 1) / s.block}, Block: grid.Dim3{X: s.block}}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d, blocks of %d", k.name, s.n, s.block), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				a, out, marks := make([]float32, s.n), make([]float32, s.n), make([]int32, s.n)
				for i := range a {
					a[i] = float32(i*i%29) - 3
				}
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.n, a, out, marks) }),
					Compiled: k.compiled(s.n, a, out, marks),
					Outputs:  []any{out, marks},
				}
			}})
		}
	}
	return cases
}
