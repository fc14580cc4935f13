//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops over all elements that ask each of them where it is from the thread's own: sums over the
// others, ranks, causal sums and differences.

//gocuda:kernel
func agOthers(t *gocuda.Thread, n, q int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s, self := float32(0), float32(1)
	for j := range n {
		if j == i {
			self += a[j]
			continue
		}
		d := a[j] - a[i]
		s += d * d / (1 + a[j]*a[j])
	}
	out[i] = s - self
	for j := n - 1; j >= 0; j-- {
		if i+q != j && a[j] > 2 {
			marks[i] += int32(a[j]) * int32(j)
		} else {
			marks[i] -= int32(j)
		}
	}
}

// The rank of an element among all: those before it come first where they are equal.
//
//gocuda:kernel
func agRank(t *gocuda.Thread, n, q int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	own, rank := a[i], int32(0)
	for j := range n {
		if j < i {
			if a[j] <= own {
				rank++
			}
		} else if a[j] < own {
			rank++
		}
	}
	marks[i] = rank
	out[i] = own * float32(rank)
}

//gocuda:kernel
func agCausal(t *gocuda.Thread, n, q int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	if i < n {
		most, sum := float32(-100), float32(0)
		for j := range n {
			if j <= i-q {
				w := a[j] * 0.25
				most = max(most, w)
				sum += w * a[i] * float32(j-i)
			}
		}
		for j := range n {
			if i < j && a[j] != 1 {
				sum -= a[j] * most * 0.5
				marks[i]++
			}
			if j >= i+3 {
				sum *= 0.75
				marks[i] += int32(a[j]) * 3
			} else {
				sum += a[j]*0.5 - 1
			}
		}
		out[i] = sum + most
	}
}

// Rounds within rounds: threads of two dimensions, of which one axis is compared.
//
//gocuda:kernel
func agPlanes(t *gocuda.Thread, n, q int, a, out []float32, marks []int32) {
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	w := t.BlockDim.X
	i := t.BlockIdx.X*t.BlockDim.Size() + y*w + x
	if i >= n {
		return
	}
	s := float32(0)
	for r := range 3 {
		for j := range w {
			if j+r != x {
				s += a[(i+j)%n]*0.5 - float32(r*j)
			} else {
				s *= 0.5
			}
			if r == y {
				marks[i] += int32(j*r) + int32(a[j%n])
			}
		}
	}
	out[i] = s
}

// Elements that only some threads read: what is read is there for them alone.
//
//gocuda:kernel
func agBounds(t *gocuda.Thread, n, q int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := float32(0)
	for j := 0; j < n; j++ {
		if j < i {
			s += a[i-j-1] * a[j+1] * 0.5
		}
		if j > i {
			s -= a[j-i-1]*a[j-1] + 3
		}
	}
	out[i] = s
}

func agCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n, q int, a, out []float32, marks []int32)
	type maker = func(n, q int, a, out []float32, marks []int32) gocuda.Kernel
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
	}{
		{"agOthers", agOthers, agOthersKernel}, {"agRank", agRank, agRankKernel}, {"agCausal", agCausal, agCausalKernel},
		{"agPlanes", agPlanes, agPlanesKernel}, {"agBounds", agBounds, agBoundsKernel},
	} {
		for _, s := range []struct{ n, q, x, y int }{{300, 0, 128, 1}, {300, 5, 128, 1}, {77, -7, 64, 1}, {256, 40, 256, 1}, {5, 1, 32, 1}, {1, 0, 16, 1}, {130, 2, 7, 3}, {400, 64, 100, 4}} {
			if s.y > 1 && k.name != "agPlanes" {
				continue // rows would store the same elements
			}
			threads := s.x * s.y
			cfg := grid.Config{Grid: grid.Dim3{X: (s.n + threads - 1) / threads}, Block: grid.Dim3{X: s.x, Y: s.y}}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d, %d, blocks of %dx%d", k.name, s.n, s.q, s.x, s.y), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				a, out, marks := make([]float32, s.n), make([]float32, s.n), make([]int32, s.n)
				for i := range a {
					a[i] = float32(i*i%29)/4 - 3
				}
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.n, s.q, a, out, marks) }),
					Compiled: k.compiled(s.n, s.q, a, out, marks),
					Outputs:  []any{out, marks},
				}
			}})
		}
	}
	return cases
}
