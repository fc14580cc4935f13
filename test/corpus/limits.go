//go:build compiled

package corpus

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops with several limits, and several assignments in one.

//gocuda:kernel
func limTwo(t *gocuda.Thread, n, most int, in, out []float32) {
	i := t.GlobalX()
	if i < n {
		s := float32(0)
		for k, g := 0, 3; k < 1024 && g < most; k, g = k+2, g+2 {
			s += in[k]*in[g] - float32(i)
		}
		out[i] = s
	}
}

//gocuda:kernel
func limDown(t *gocuda.Thread, n, most int, in, out []float32) {
	i := t.GlobalX()
	if i < n {
		s := float32(0)
		j := most
		for k := 0; j > 2 && k <= n-3; k++ {
			s += in[k] * in[j]
			j -= 3
		}
		out[i] = s + float32(j)
	}
}

//gocuda:kernel
func limSame(t *gocuda.Thread, n, most int, in, out []float32) {
	i := t.GlobalX()
	if i < n {
		s := float32(0)
		for k := 0; k < most && k < n && k <= 40; k += 3 {
			s = s*0.5 + float32(math.Sqrt(float64(in[k]+float32(i))))
		}
		out[i] = s
	}
}

//gocuda:kernel
func limOdd(t *gocuda.Thread, n, most int, in, out []float32) {
	i := t.GlobalX()
	if i < n {
		s := float32(0)
		k := 0
		if n%2 != 0 {
			s += in[0] * 2
			k++
		}
		for ; k < n; k += 2 {
			s += in[k] - float32(i)
		}
		out[i] = s
	}
}

//gocuda:kernel
func limOdd2(t *gocuda.Thread, n, most int, in, out []float32) {
	i := t.GlobalX()
	if i < n {
		s := float32(0)
		k := 0
		g := most
		if n%2 != 0 {
			s += in[0] * 2
			k++
			g++
		}
		for ; k < n && g < 1000; k, g = k+2, g+2 {
			s += in[k] - float32(i)
		}
		out[i] = s
	}
}

// Limits that are reached at once or never, of counters that go different ways, and one that the body moves by turns.
//
//gocuda:kernel
func limWays(t *gocuda.Thread, n, most int, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := float32(1)
	lo, hi := 0, n-1
	for ; lo < hi && lo < most && hi >= 2; lo, hi = lo+1, hi-2 {
		s = s*0.75 + in[lo] - in[hi]
	}
	a, b := i, 5
	for b < most && a >= 0 {
		a, b = a-7, b+1
		s += in[b%n]
	}
	x, y := lo, hi
	x, y = y, x+1 // what is exchanged is not assigned in turn
	out[i] = s + float32(x)*2 + float32(y)*3 + float32(a+b)
}

// Counters of loops that have no header: used behind the loop, with a step that the body makes, broken off, gone on early, and two that follow each other.
//
//gocuda:kernel
func limWhile(t *gocuda.Thread, n, most int, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := float32(0)
	k, stride := t.ThreadIdx.X, t.BlockDim.X
	for k < n {
		s += in[k] * 0.5
		k += stride
	}
	j := i
	for j < most {
		step := 1 + j%3
		s -= in[j]
		j += step
	}
	a := 0
	for a < n {
		if in[a] > 8.5 {
			break
		}
		s += 1
		a += 2
	}
	b := n
	for b > 0 {
		b -= 3
		if b < 5 {
			continue
		}
		s += in[b]
	}
	c := i
	for c < 40 {
		s = s*0.75 + in[c]
		c += 7
	}
	c = i + 1
	for c < 20 {
		s += in[c]
		c++
	}
	out[i] = s + float32(k) + float32(a*b)
}

// limCases returns a case for each kernel and size.
func limCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n, most int, in, out []float32)
	type made = func(n, most int, in, out []float32) gocuda.Kernel
	for _, k := range []struct {
		name   string
		source kernel
		made   made
	}{
		{"limTwo", limTwo, limTwoKernel}, {"limDown", limDown, limDownKernel}, {"limSame", limSame, limSameKernel}, {"limOdd", limOdd, limOddKernel}, {"limOdd2", limOdd2, limOdd2Kernel}, {"limWays", limWays, limWaysKernel}, {"limWhile", limWhile, limWhileKernel},
	} {
		for _, s := range []struct{ n, most, room int }{{100, 50, 1100}, {97, 1, 1100}, {33, 1000, 1100}, {64, -5, 1100}, {1, 3, 1100}, {128, 64, 128}, {31, 31, 40}} {
			if s.most > s.room-2 && k.name != "limSame" || k.name == "limOdd2" && s.most > 900 {
				continue
			}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d, at most %d", k.name, s.n, s.most), Configs: []grid.Config{grid.Linear(s.n, 48)}, Make: func(grid.Config) Instance {
				in := make([]float32, s.room)
				for i := range in {
					in[i] = float32(i*i%37) * 0.25
				}
				out := make([]float32, s.n)
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.n, s.most, in, out) }),
					Compiled: k.made(s.n, s.most, in, out),
					Outputs:  []any{out},
				}
			}})
		}
	}
	return cases
}
