//go:build compiled

package corpus

import (
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/test/corpus/helper"
)

// A helper with two barriers, called in a loop.
//
//gocuda:kernel
func helperInLoop(t *gocuda.Thread, rounds int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	v := in[t.GlobalX()]
	for k := 0; k < rounds; k++ {
		v = passOn(t, s, v, k) + 1
	}
	out[t.GlobalX()] = v
}

func passOn(t *gocuda.Thread, s []int32, v int32, by int) int32 {
	s[t.ThreadIdx.X] = v
	t.SyncThreads()
	r := s[(t.ThreadIdx.X+by)%t.BlockDim.X]
	t.SyncThreads()
	return r
}

// Helpers of helpers, three deep, each with a barrier of its own and locals of the same names.
//
//gocuda:kernel
func helperNested(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	v := in[t.GlobalX()]
	for i := range 2 {
		v = outerHelper(t, s, v, i)
	}
	out[t.GlobalX()] = v
}

func outerHelper(t *gocuda.Thread, s []int32, v int32, i int) int32 {
	n := 2
	for i := range n {
		v += middleHelper(t, s, v^1, i)
	}
	return v + int32(i*n)
}

func middleHelper(t *gocuda.Thread, s []int32, v int32, i int) int32 {
	n := v * 2
	w := passOn(t, s, n, i+1)
	if i == 1 {
		w = passOn(t, s, w-n, 1)
	}
	return w
}

func helperNestedWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		copy(out, in[first:])
		for a := range 2 {
			for b := range 2 {
				old := slices.Clone(out)
				doubled := func(i int) int32 { return (old[(i)%n] ^ 1) * 2 }
				for i := range out {
					w := doubled(i + b + 1)
					if b == 1 {
						w = doubled(i+3) - doubled(i+1)
					}
					out[i] += w
				}
			}
			for i := range out {
				out[i] += int32(a * 2)
			}
		}
	})
}

// A helper with several results and several returns, between barriers, without one of its own.
//
//gocuda:kernel
func helperReturns(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v, ok := classify(in[t.GlobalX()])
	if !ok {
		v = -1
	}
	s[tid] = v
	t.SyncThreads()
	w, _ := classify(s[(tid+1)%n])
	out[t.GlobalX()] = w + v
}

func classify(v int32) (class int32, ok bool) {
	if v < 0 {
		return
	}
	for class = 1; class < 20; class++ {
		if v < 1<<class {
			return class, true
		}
		if v%7 == class {
			return class + 100, class%2 == 0
		}
	}
	return 99, true
}

func helperReturnsWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		v := make([]int32, len(out))
		for i := range v {
			c, ok := classify(in[first+i])
			v[i] = -1
			if ok {
				v[i] = c
			}
		}
		for i := range v {
			w, _ := classify(v[(i+1)%len(v)])
			out[i] = w + v[i]
		}
	})
}

// A helper that returns early, on a condition of the block, before and after its barriers.
//
//gocuda:kernel
func helperEarly(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	v := in[t.GlobalX()]
	for k := 0; k < 4; k++ {
		v, k = earlyHelper(t, s, v, k)
	}
	out[t.GlobalX()] = v
}

func earlyHelper(t *gocuda.Thread, s []int32, v int32, k int) (int32, int) {
	if (t.BlockIdx.X+k)%3 == 0 {
		return -v, k
	}
	s[t.ThreadIdx.X] = v
	t.SyncThreads()
	w := s[(t.ThreadIdx.X+1)%t.BlockDim.X]
	t.SyncThreads()
	if k == 2 {
		return w * 2, k + 1
	}
	s[t.ThreadIdx.X] = w
	t.SyncThreads()
	w += s[(t.ThreadIdx.X+2)%t.BlockDim.X]
	t.SyncThreads()
	return w, k
}

func helperEarlyWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(b, first int, out []int32) {
		n := len(out)
		copy(out, in[first:])
		for k := 0; k < 4; k++ {
			s := slices.Clone(out)
			for i := range out {
				switch {
				case (b+k)%3 == 0:
					out[i] = -s[i]
				case k == 2:
					out[i] = s[(i+1)%n] * 2
				default:
					out[i] = s[(i+1)%n] + s[(i+3)%n]
				}
			}
			if (b+k)%3 != 0 && k == 2 {
				k++
			}
		}
	})
}

// A helper without barriers from which each thread returns elsewhere, in a loop, with named results
// that stay when it does.
//
//gocuda:kernel
func helperDivergent(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	sum := int32(0)
	for k := range int32(4) {
		steps, end := descend(in[i] ^ k)
		if steps > 20 {
			continue
		}
		sum += steps*1000 + end
	}
	out[i] = sum
}

func descend(v int32) (steps, end int32) {
	end = 1
	for v > 10 || v < -10 {
		switch {
		case v%3 == 0:
			v /= 3
		case v&0x10000 != 0:
			return steps, v & 7
		default:
			v /= 2
		}
		if steps++; steps == 15 {
			return
		}
	}
	end = v
	return
}

func helperDivergentWant(cfg grid.Config, in, out []int32) {
	for i, v := range in {
		out[i] = 0
		for k := range int32(4) {
			if steps, end := descend(v ^ k); steps <= 20 {
				out[i] += steps*1000 + end
			}
		}
	}
}

// A tile is what methods with barriers are called on.
type tile struct {
	s    []int32
	tid  int
	last int32
}

// rotate has a value receiver: what it changes stays inside.
func (a tile) rotate(t *gocuda.Thread, by int) int32 {
	a.tid += by
	t.SyncThreads()
	v := a.s[a.tid%len(a.s)]
	t.SyncThreads()
	return v
}

// store has a pointer receiver: what it changes stays.
func (a *tile) store(t *gocuda.Thread, v int32) {
	a.s[a.tid] = v
	t.SyncThreads()
	a.last += v
}

// Methods with value and pointer receivers that take the thread as argument.
//
//gocuda:kernel
func helperMethods(t *gocuda.Thread, in, out []int32) {
	a := tile{s: gocuda.Shared[int32](t, t.BlockDim.X), tid: t.ThreadIdx.X}
	for k := range 3 {
		a.store(t, in[t.GlobalX()]+int32(k))
		v := a.rotate(t, k+1)
		a.last = a.last*2 + v
	}
	out[t.GlobalX()] = a.last + int32(a.tid)
}

func helperMethodsWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		for i := range out {
			last := int32(0)
			for k := range 3 {
				last += in[first+i] + int32(k)
				last = last*2 + in[first+(i+k+1)%n] + int32(k)
			}
			out[i] = last + int32(i)
		}
	})
}

// Helpers and a struct of another package, which use what that package does not export.
//
//gocuda:kernel
func helperElsewhere(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, t.BlockDim.X)
	v := helper.Scaled(in[t.GlobalX()] & 0xffff)
	v = helper.Rotate(t, s, v)
	r := helper.NewRange(1000, 30000)
	for k := range int32(3) {
		r.Count(v - 1000*k)
	}
	total := r.Total(t, s, v)
	if r.Has(v) {
		total = -total
	}
	out[t.GlobalX()] = total*4 + r.Hits + helper.Clamp(v, 0, 1)
}

func helperElsewhereWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		v, total := make([]int32, n), int32(0)
		in1 := func(x int32) bool { return x >= 1000 && x < 30000 }
		for i := range v {
			x := in[first+(i+1)%n] & 0xffff
			v[i] = x*3 + x/4 + 11
			if in1(v[i]) {
				total += v[i]
			}
		}
		for i := range v {
			sign, hits := int32(1), int32(0)
			for k := range int32(3) {
				if in1(v[i] - k*1000) {
					hits++
				}
			}
			if in1(v[i]) {
				sign = -1
			}
			out[i] = sign*total*4 + hits + 1
		}
	})
}

// A helper changes the kernel's variables through pointers, across a barrier.
//
//gocuda:kernel
func helperPointers(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	a, b := in[t.GlobalX()], int32(t.ThreadIdx.X)
	for range 3 {
		exchange(t, s, &a, &b)
	}
	out[t.GlobalX()] = a*7 + b
}

func exchange(t *gocuda.Thread, s []int32, a, b *int32) {
	s[t.ThreadIdx.X] = *a
	t.SyncThreads()
	*a, *b = *b, *a+s[(t.ThreadIdx.X+1)%t.BlockDim.X]
	t.SyncThreads()
}

func helperPointersWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		a, b := slices.Clone(in[first:first+n]), make([]int32, n)
		for i := range b {
			b[i] = int32(i)
		}
		for range 3 {
			s := slices.Clone(a)
			for i := range a {
				a[i], b[i] = b[i], s[i]+s[(i+1)%n]
			}
		}
		for i := range a {
			out[i] = a[i]*7 + b[i]
		}
	})
}

// Calls with barriers inside an expression, whose order of evaluation counts, and an argument that is
// changed by the call beside it.
//
//gocuda:kernel
func helperInExpression(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	v := in[t.GlobalX()]
	out[t.GlobalX()] = passOn(t, s, v, 1)*3 - passOn(t, s, v+passOn(t, s, 2*v, 2), 3)
}

// A helper that has no result but a shared array of its own, and helpers with the thread not first.
//
//gocuda:kernel
func helperOwnShared(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	sum := sumOver(8, t, v&0xfff)
	publish(out, t, sum-v)
}

func sumOver(n int, t *gocuda.Thread, v int32) int32 {
	s := gocuda.Shared[int32](t, 1024)
	s[t.ThreadIdx.X] = v
	t.SyncThreads()
	sum := int32(0)
	for k := range n {
		sum += s[(t.ThreadIdx.X+k)%t.BlockDim.X]
	}
	return sum
}

func publish(out []int32, t *gocuda.Thread, v int32) { out[t.GlobalX()] = v }

// A helper is called in one branch of a condition of the block, and a loop in it breaks.
//
//gocuda:kernel
func helperInBranch(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	v := in[t.GlobalX()] & 0xfff
	if t.BlockIdx.X%2 == 0 {
		v = settle(t, s, v)
	} else {
		v = passOn(t, s, v, 2)
	}
	out[t.GlobalX()] = v
}

func settle(t *gocuda.Thread, s []int32, v int32) int32 {
	for k := int32(0); ; k++ {
		s[t.ThreadIdx.X] = v
		t.SyncThreads()
		w := s[t.BlockDim.X-1]
		t.SyncThreads()
		if w < 100 {
			return v + k
		}
		v -= w / 2
	}
}

func helperInBranchWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(b, first int, out []int32) {
		n := len(out)
		for i := range out {
			out[i] = in[first+(i+2)%n] & 0xfff
		}
		if b%2 == 1 {
			return
		}
		for i := range out {
			out[i] = in[first+i] & 0xfff
		}
		k := int32(0)
		for ; out[n-1] >= 100; k++ {
			w := out[n-1]
			for i := range out {
				out[i] -= w / 2
			}
		}
		for i := range out {
			out[i] += k
		}
	})
}

var helperCases = []Case{
	withParameter("helperInLoop", linear, 5, helperInLoop, helperInLoopKernel, func(rounds int, cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[i] = in[first+(i+10)%len(out)] + 5
			}
		})
	}),
	perThread("helperNested", linear, helperNested, helperNestedKernel, helperNestedWant),
	perThread("helperReturns", linear, helperReturns, helperReturnsKernel, helperReturnsWant),
	perThread("helperEarly", linear, helperEarly, helperEarlyKernel, helperEarlyWant),
	perThread("helperDivergent", linear, helperDivergent, helperDivergentKernel, helperDivergentWant),
	perThread("helperMethods", linear, helperMethods, helperMethodsKernel, helperMethodsWant),
	perThread("helperElsewhere", linear, helperElsewhere, helperElsewhereKernel, helperElsewhereWant),
	perThread("helperPointers", linear, helperPointers, helperPointersKernel, helperPointersWant),
	perThread("helperInExpression", linear, helperInExpression, helperInExpressionKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			at := func(k int) int32 { return in[first+k%len(out)] }
			for i := range out {
				out[i] = at(i+1)*3 - (at(i+3) + 2*at(i+5))
			}
		})
	}),
	perThread("helperOwnShared", linear, helperOwnShared, helperOwnSharedKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[i] = -in[first+i]
				for k := range 8 {
					out[i] += in[first+(i+k)%len(out)] & 0xfff
				}
			}
		})
	}),
	perThread("helperInBranch", linear, helperInBranch, helperInBranchKernel, helperInBranchWant),
}
