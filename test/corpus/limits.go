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

// Limits that are reached at once or never, of counters that go different ways, and one that the
// body moves by turns.
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

// Counters of loops that have no header: used behind the loop, with a step that the body makes,
// broken off, gone on early, and two that follow each other.
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

// Pairs, and one more if their number is odd: the last element of all, which is not there for even
// ones.
//
//gocuda:kernel
func limPairs(t *gocuda.Thread, n, most int, in, out []float32) {
	i := t.GlobalX()
	if i < n {
		s, j := float32(i), 0
		in := in[:max(0, most)]
		for ; j+1 < most; j += 2 {
			s += in[j]*0.5 - in[j+1]
		}
		if j < most {
			s += in[j] * float32(i+3)
		}
		out[i] = s
	}
}

// Loops whose condition is the branch that they begin with.
//
//gocuda:kernel
func limForever(t *gocuda.Thread, n, most int, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s, j := float32(0), 0
	for {
		if j >= most {
			break
		} else if j == 7 {
			s = -s
		}
		s += in[j] * float32(i)
		j++
	}
	for k := most; true; k -= 3 {
		if k < 0 {
			break
		}
		if k%2 == 0 {
			continue
		}
		s += in[k]
	}
	out[i] = s + float32(j)
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
		{"limPairs", limPairs, limPairsKernel}, {"limForever", limForever, limForeverKernel},
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

// Guards of a thread's place in integers of other types, as programs have them that say int32
// everywhere.
//
//gocuda:kernel
func limTypes(t *gocuda.Thread, small int32, count uint32, wide int64, large uint64, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i32, u32, i64, u64, u16 := int32(t.ThreadIdx.X), uint32(t.ThreadIdx.X), int64(t.ThreadIdx.X), uint64(t.ThreadIdx.X), uint16(t.ThreadIdx.X)
	s[i32] = in[i32]
	t.SyncThreads()
	if i32 < small {
		s[i32] += 1
	}
	t.SyncThreads()
	if u32 >= count {
		s[u32] *= 3
	}
	t.SyncThreads()
	if wide > i64 {
		s[i64] ^= 5
	}
	t.SyncThreads()
	if u64 <= large {
		s[u64] += 7
	}
	t.SyncThreads()
	if u16 == uint16(count) {
		s[u16] -= 100
	}
	t.SyncThreads()
	for d := uint32(t.BlockDim.X) / 2; d > 0; d >>= 1 {
		if u32 < d && i32 >= small-3 {
			s[u32] += s[u32+d]
		}
		t.SyncThreads()
	}
	if uint8(t.ThreadIdx.X) < uint8(count) { // which wraps around
		s[i32]++
	}
	out[t.GlobalX()] = s[i32]
}

// limTypeCases has limits at the ends of their types.
func limTypeCases() (cases []Case) {
	for _, block := range []int{32, 128, 300} {
		for i, l := range []struct {
			small int32
			count uint32
			wide  int64
			large uint64
		}{
			{5, 40, 70, 3}, {0, 0, 0, 0}, {-1, 1<<32 - 1, -1, 1<<64 - 1}, {math.MinInt32, 1 << 31, math.MinInt64, 1 << 63}, {math.MaxInt32, 299, math.MaxInt64, 1 << 32},
		} {
			cases = append(cases, Case{Name: fmt.Sprintf("limTypes, blocks of %d, limits %d", block, i), Configs: []grid.Config{{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: block}}}, Make: func(grid.Config) Instance {
				in := make([]int32, block)
				for i := range in {
					in[i] = int32(i * 37 % 101)
				}
				out := make([]int32, 3*block)
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { limTypes(t, l.small, l.count, l.wide, l.large, in, out) }),
					Compiled: limTypesKernel(l.small, l.count, l.wide, l.large, in, out),
					Outputs:  []any{out},
				}
			}})
		}
	}
	return cases
}
