//go:build compiled

package corpus

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// What is taken to hold for all threads of a strip, at the ends of what integers can be and at the
// ends of slices.

// Comparisons of integers of which a large one is on both sides: the difference of the sides is
// small, and one of them wraps around.

//gocuda:kernel
func ovCompared(t *gocuda.Thread, big int, in, out []int32) {
	i := t.GlobalX()
	if i < len(out) {
		out[i] = -in[i]
		if i+big+3 > big+i {
			out[i] = in[i]
		}
		if i+big < big+8 {
			out[i] += 1000
		}
	}
}

//gocuda:kernel
func ovRounds(t *gocuda.Thread, big, m int, in, out []int32) {
	i := t.GlobalX()
	if i < len(out) {
		s := in[i]
		for j := big; j < big+3; j++ {
			s = s*3 + 1
		}
		for j := big; j < big+m; j++ {
			s = s*5 + in[i]
		}
		out[i] = s
	}
}

//gocuda:kernel
func ovDecided(t *gocuda.Thread, big, m int, in, out []int32) {
	i := t.GlobalX()
	if i < len(out) {
		s := in[i]
		for j := 0; j < m; j++ {
			if j+big > big+2 {
				s = s*3 + 1
			} else {
				s ^= 5
			}
		}
		out[i] = s
	}
}

//gocuda:kernel
func ovChosen(t *gocuda.Thread, big int, in, out []int32) {
	i := t.GlobalX()
	if i < len(out) {
		v := i
		if i+big >= big+4 {
			v = 4
		}
		u := min(max(i+big, big), big+7) - big
		out[i] = in[min(v, len(in)-1)] + int32(u)
	}
}

// An integer of 32 bits that a branch chooses is made of what it was.
//
//gocuda:kernel
func ovMadeOfItself(t *gocuda.Thread, big int32, in, out []int32) {
	i := t.GlobalX()
	if i < len(out) {
		v := int32(i)
		if v < 5 {
			v = big + v
		} else {
			v = big - v
		}
		if v < 0 {
			out[i] = in[i]
		} else {
			out[i] = v
		}
	}
}

// What is left of a condition whose first part became the bounds of the threads panics in its line.
//
//gocuda:kernel
func ovPlace(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i < n && in[i] > 0 {
		out[i] = 1
	}
}

// ovCase is a case with a small number and with those at the ends. want says what out[i] is.
func ovCases(name string, run func(big int, in, out []int32) (func(*gocuda.Thread), gocuda.Kernel), want func(big, i int, in []int32) int32) (cases []Case) {
	for _, big := range []int{5, math.MaxInt - 3, math.MaxInt, math.MinInt, math.MinInt + 2} {
		cases = append(cases, made(fmt.Sprintf("%s/%d", name, big), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Blocks() * cfg.Threads()
			in, out := data[int32](n), marked[int32](n)
			source, compiled := run(big, in, out)
			return source, compiled, []any{out}
		}, func(cfg grid.Config) []any {
			n := cfg.Blocks() * cfg.Threads()
			in, out := data[int32](n), marked[int32](n)
			for i := range out {
				out[i] = want(big, i, in)
			}
			return []any{out}
		}))
	}
	return cases
}

// holds is a comparison whose sides have been computed, as Go does it at run time.
func holds(a, b int) bool { return a < b }

func ovAllCases() (cases []Case) {
	const m = 6
	cases = append(cases, ovCases("ovCompared", func(big int, in, out []int32) (func(*gocuda.Thread), gocuda.Kernel) {
		return func(t *gocuda.Thread) { ovCompared(t, big, in, out) }, ovComparedKernel(big, in, out)
	}, func(big, i int, in []int32) int32 {
		v := -in[i]
		if holds(big+i, i+big+3) {
			v = in[i]
		}
		if holds(i+big, big+8) {
			v += 1000
		}
		return v
	})...)
	cases = append(cases, ovCases("ovRounds", func(big int, in, out []int32) (func(*gocuda.Thread), gocuda.Kernel) {
		return func(t *gocuda.Thread) { ovRounds(t, big, m, in, out) }, ovRoundsKernel(big, m, in, out)
	}, func(big, i int, in []int32) int32 {
		s := in[i]
		if holds(big, big+3) {
			s = ((s*3+1)*3+1)*3 + 1
		}
		if holds(big, big+m) {
			for range m {
				s = s*5 + in[i]
			}
		}
		return s
	})...)
	cases = append(cases, ovCases("ovDecided", func(big int, in, out []int32) (func(*gocuda.Thread), gocuda.Kernel) {
		return func(t *gocuda.Thread) { ovDecided(t, big, m, in, out) }, ovDecidedKernel(big, m, in, out)
	}, func(big, i int, in []int32) int32 {
		s := in[i]
		for j := range m {
			if holds(big+2, j+big) {
				s = s*3 + 1
			} else {
				s ^= 5
			}
		}
		return s
	})...)
	cases = append(cases, ovCases("ovChosen", func(big int, in, out []int32) (func(*gocuda.Thread), gocuda.Kernel) {
		return func(t *gocuda.Thread) { ovChosen(t, big, in, out) }, ovChosenKernel(big, in, out)
	}, func(big, i int, in []int32) int32 {
		v := i
		if !holds(i+big, big+4) {
			v = 4
		}
		u := i + big
		if holds(u, big) {
			u = big
		}
		if holds(big+7, u) {
			u = big + 7
		}
		return in[min(v, len(in)-1)] + int32(u-big)
	})...)
	cases = append(cases, ovCases("ovMadeOfItself", func(big int, in, out []int32) (func(*gocuda.Thread), gocuda.Kernel) {
		return func(t *gocuda.Thread) { ovMadeOfItself(t, int32(big), in, out) }, ovMadeOfItselfKernel(int32(big), in, out)
	}, func(big, i int, in []int32) int32 {
		v := int32(big) - int32(i)
		if i < 5 {
			v = int32(big) + int32(i)
		}
		if v < 0 {
			return in[i]
		}
		return v
	})...)
	return cases
}

var ovFailures = []Failure{{
	Name: "ovPlace", Config: line(1, 40), Thread: grid.Dim3{X: 37}, Text: "index out of range [37]",
	Make: func(grid.Config) Instance {
		in, out := data[int32](37), marked[int32](40)
		return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { ovPlace(t, 40, in, out) }), Compiled: ovPlaceKernel(40, in, out), Outputs: []any{out}}
	},
}, {
	Name: "ovAside", Config: line(1, 100), Thread: grid.Dim3{X: 35}, Text: "index out of range [35] with length 35",
	Make: func(grid.Config) Instance {
		in, out := data[int32](120), marked[int32](100)[:35]
		return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { ovAside(t, 100, -1, in, out) }), Compiled: ovAsideKernel(100, -1, in, out), Outputs: []any{out}}
	},
}}

// A guard of 32 bits, and elements of threads that only the run knows: what is checked lane by lane
// at the edge is checked so inside, too.
//
//gocuda:kernel
func ovAside(t *gocuda.Thread, n int, k int32, in, out []int32) {
	i := int32(t.GlobalX())
	if int(i) < n {
		a := i - k
		if a < 0 {
			a = -a
		}
		b := i*k - 7
		if b < 0 {
			b = 0
		} else if b >= int32(n) {
			b = int32(n) - 1
		}
		out[i] = in[a] + in[b]
	}
}
