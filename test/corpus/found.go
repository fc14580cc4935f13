//go:build compiled

package corpus

import (
	"math"
	"math/bits"
	"runtime"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels made of what random ones have found.

// Whoever stores alone before a loop that ends when no thread needs another round: the forward jump
// over the store goes to the aligned beginning of the loop.
//
//gocuda:kernel
func foundBitsNeeded(t *gocuda.Thread, in []int32, width, next []int32) {
	folded, need := gocuda.Shared[uint32](t, 1025), gocuda.Shared[uint8](t, 1024)
	me, p := t.ThreadIdx.X, t.GlobalX()
	x, before := int32(0), int32(0)
	if p < len(in) {
		x = in[p]
	} else {
		x = in[len(in)-1]
	}
	if p > 0 {
		before = in[min(p, len(in))-1]
	}
	d := x - before
	u := uint32(d) << 1
	if d < 0 {
		u = ^u
	}
	folded[me] = u
	if me == 0 {
		folded[t.BlockDim.X] = 0
	}
	n := uint8(0)
	for ; u != 0; u >>= 1 {
		n++
	}
	need[me] = n
	t.SyncThreads()
	width[p] = int32(need[t.BlockDim.X-1-me])
	next[p] = int32(folded[me+1])
}

// AND NOT with a constant, on 16 bits, between values of other widths.
//
//gocuda:kernel
func foundAndNot(t *gocuda.Thread, in []float32, out []float64, other []int32) {
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	s := gocuda.Shared[int16](t, n+5)
	s[tid] = int16(tid)
	own := (tid + 3) % n
	other[t.BlockIdx.X*n+own] = int32(tid)
	s[tid] |= int16(truncated(float64(in[i]))) &^ 2
	out[i] -= float64(s[tid])
}

// What all threads have in common is set before they leave a round.
//
//gocuda:kernel
func foundSetBeforeLeaving(t *gocuda.Thread, in, out []int32) {
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	last := int32(7)
	out[i] = 0
	for k := int32(0); k < 4; k++ {
		if t.SyncThreadsOr(tid == n-1) {
			out[i] += last
		}
		switch n % 2 {
		case 0:
			out[i] ^= k
			last = in[n/2] + k
			if (int32(tid+3)-int32(tid))*3&3 == 1 {
				continue
			}
			t.SyncThreads()
		case 1:
			t.SyncThreads()
		}
	}
	out[i] += last
}

// Loops in loops that neighbours go through together, of as many rounds as each thread says.
//
//gocuda:kernel
func foundOwnRounds(t *gocuda.Thread, in, out []int32) {
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	v := in[i]
	last := v
	for j := tid; j < n+7; j += n/2 + 3 {
		for k := range int(uint8(-j) % 5) {
			last = v*int32(k+3) - int32(j)
		}
	}
	out[i] = last
}

// The same in a loop of as many rounds for all.
//
//gocuda:kernel
func foundOwnRoundsInSteady(t *gocuda.Thread, rounds int32, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	last := v
	for j := int32(0); j < rounds; j++ {
		for k := int32(0); k < v&3; k++ {
			last = last*k - j
		}
	}
	out[i] = last
}

// The same behind what is computed in a loop of the block.
//
//gocuda:kernel
func foundOwnRoundsInBlock(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	v := in[i]
	for w := 0; t.SyncThreadsOr(v&1 == 1) && w < 3; w++ {
		x := s[tid]*int32(w) + v
		if w == 0 {
			x = v
		}
		for j := range n32(t.BlockDim.X % 4) {
			x = x*3 + j
		}
		s[tid] = x
		t.SyncThreads()
		v += s[(tid+1)%t.BlockDim.X]
	}
	out[i] = v
}

func n32(n int) int32 { return int32(n) }

// The same, with counters of several kinds, in a loop of as many rounds for all.
//
//gocuda:kernel
func foundOwnRoundsOfAll(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	sum := int32(0)
	for j := range int32(3) {
		for k, m := int32(0), j; k < v&3; k, m = k+1, m+2 {
			sum += k*v ^ m
		}
		for k := j; k < v&7+j; k++ {
			if k == 5 {
				continue
			}
			if sum&64 != 0 {
				break
			}
			sum = sum*3 + k
		}
	}
	out[i] = sum
}

// An integer that a long branch assigns is told apart by the branch where no thread takes it, too.
//
//gocuda:kernel
func foundIntegerOfBranch(t *gocuda.Thread, in, out, more []float32) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	w, last := i-1, i
	if i == 0 {
		w = i
		x := in[i]
		more[i] = (x+1)*(x+2)*(x+3)*(x+4) - x/(x+5)*(x*x+6)
	}
	if i%5 == 4 && in[i] > 4 {
		x := in[i] * 3
		more[i] += (x+1)*(x+2)*(x+3)*(x+4) - x/(x+5)*(x*x+6)
		if x > 9 {
			last = 2
		}
	}
	out[i] = in[w] - 3*in[last]
}

// A store to the same column of a tile by one thread, beside vectors.
//
//gocuda:kernel
func foundHalo(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[[65]int32](t, 2)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	v := in[i] + 1
	s[0][tid%64+1] = v
	if tid == 0 {
		s[0][0] = 5
		s[1][0] = in[i]
	}
	t.SyncThreads()
	out[i] = v + s[1][0] + s[0][0]
}

// A continue under two conditions, in a loop that all lanes go through as often.
//
//gocuda:kernel
func foundInnerContinue(t *gocuda.Thread, rounds int32, in, out []int32) {
	i := t.GlobalX()
	sum := int32(0)
	for k := range rounds {
		v := in[i] >> k
		if v&1 == 0 {
			if in[i] < 0 {
				continue
			}
		}
		sum += v
	}
	out[i] = sum
}

func foundAt(a [][18]int32, row, col, dx int) int32 { return a[row][col+dx] }

// A helper whose argument is zero, for the column of a tile.
//
//gocuda:kernel
func foundColumn(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[[18]int32](t, 1)
	i, tid := t.GlobalX(), t.ThreadIdx.X
	if tid < 18 {
		s[0][tid] = in[i]
	}
	t.SyncThreads()
	if tid < 17 && tid+1 < t.BlockDim.X {
		out[i] = foundAt(s, 0, tid, 0) + foundAt(s, 0, tid, 1)
	}
}

// A value that is the same for all blocks is multiplied with one that the stride of the grid needs.
//
//gocuda:kernel
func foundStride(t *gocuda.Thread, in, out []int32) {
	n := t.BlockDim.X
	for i := t.GlobalX(); i < len(out); i += n * t.GridDim.X {
		out[i] = in[i]*3 + in[t.ThreadIdx.X]*in[n-1]
	}
}

// Logical operations on what is used twice, of which Go makes one instruction for three operands.
//
//gocuda:kernel
func foundLogic[T integer](t *gocuda.Thread, c T, in, out []T) {
	i := t.GlobalX()
	a, b := in[i], in[len(in)-1-i]
	v := ((b & 7) ^ c) | a
	w := a ^ b ^ c
	out[i] = v | (c &^ v)
	out[i] += (w & a) ^ v
	out[i] += ((w | b) & c) ^ (w & v)
	x := a*3 ^ b ^ w
	out[i] -= x&a | x&b | a&b
}

// foundLogicWant computes the same bit by bit.
func foundLogicWant[T integer](c T, _ grid.Config, in, out []T) {
	for i, a := range in {
		b := in[len(in)-1-i]
		bitwise := func(f func(a, b, c, d bool) bool) (r T) {
			for k := range 64 {
				one := T(1) << k
				if f(a&one != 0, b&one != 0, c&one != 0, a*3&one != 0) {
					r += one
				}
			}
			return r
		}
		v := func(k int, a, b, c bool) bool { return (b && k < 3) != c || a }
		low := 0
		position := func(f func(k int, a, b, c, d bool) bool) T {
			low = 0
			return bitwise(func(a, b, c, d bool) bool { low++; return f(low-1, a, b, c, d) })
		}
		out[i] = position(func(k int, a, b, c, _ bool) bool { return v(k, a, b, c) || c })
		out[i] += position(func(k int, a, b, c, _ bool) bool { return ((a != b != c) && a) != v(k, a, b, c) })
		out[i] += position(func(k int, a, b, c, _ bool) bool {
			w := a != b != c
			return ((w || b) && c) != (w && v(k, a, b, c))
		})
		out[i] -= position(func(_ int, a, b, c, d bool) bool {
			x := d != b != (a != b != c)
			return x && a || x && b || a && b
		})
	}
}

func logicCase[T integer](name string) Case {
	return withParameter("foundLogic-"+name, linear, T(44), foundLogic[T], foundLogicKernel[T], foundLogicWant[T])
}

// Values that were narrower or wider are kept by some lanes.
//
//gocuda:kernel
func foundKept[T integer](t *gocuda.Thread, wide []int64, bytes []uint8, words []int16, out []T) {
	i := t.GlobalX()
	v := T(wide[i])
	for k := range 4 {
		if x := T(bytes[(i+k*7)%len(bytes)]); x > v {
			v = x
		}
		if x := T(words[(i+k*5)%len(words)]); x < v {
			v = x
		}
	}
	w := T(3)
	if bytes[i] > 100 {
		w = T(bytes[i])
	}
	if words[i] > 0 {
		w += T(words[i])
	}
	if wide[i]&1 == 0 {
		w ^= T(wide[i])
	}
	out[i] = v ^ w
}

func keptCase[T integer](name string) Case {
	return made("foundKept-"+name, linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		wide, bytes, words, out := data[int64](n), data[uint8](n), data[int16](n), make([]T, n)
		return func(t *gocuda.Thread) { foundKept(t, wide, bytes, words, out) }, foundKeptKernel(wide, bytes, words, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		wide, bytes, words, out := data[int64](n), data[uint8](n), data[int16](n), make([]T, n)
		for i := range out {
			v, w := T(wide[i]), T(3)
			for k := range 4 {
				v = max(v, T(bytes[(i+k*7)%n]))
				v = min(v, T(words[(i+k*5)%n]))
			}
			if bytes[i] > 100 {
				w = T(bytes[i])
			}
			w += T(max(words[i], 0))
			if wide[i]%2 == 0 {
				w ^= T(wide[i])
			}
			out[i] = v ^ w
		}
		return []any{out}
	})
}

func truncated(f float64) int64 {
	if !(f > -1e15 && f < 1e15) {
		return 7
	}
	return int64(f)
}

// AND NOT of all kinds: with constants on both sides, with products, as an assignment.
//
//gocuda:kernel
func foundAndNots[T integer](t *gocuda.Thread, mask T, in, out []T) {
	i := t.GlobalX()
	v := in[i]
	w := v &^ 5
	w += 7 &^ v
	x := v * 3
	x &^= v * v * w
	p := &w
	*p &^= x + 1
	out[i] = w ^ x ^ v&^mask ^ mask&^v&^1
}

func foundAndNotsWant[T integer](mask T, _ grid.Config, in, out []T) {
	not := func(v T) T { return T(0) - v - 1 }
	for i, v := range in {
		w := v & not(5)
		w += 7 & not(v)
		x := v * 3 & not(v*v*w)
		w &= not(x + 1)
		out[i] = w ^ x ^ v&not(mask) ^ mask&not(v|1)
	}
}

func andNotsCase[T integer](name string) Case {
	return withParameter("foundAndNots-"+name, linear, T(44), foundAndNots[T], foundAndNotsKernel[T], foundAndNotsWant[T])
}

// A remainder by 1 needs nothing of what it is of, and a phase without memory nothing of the rows.
//
//gocuda:kernel
func foundNothing(t *gocuda.Thread, in, out []int32) {
	tid, g := t.ThreadIdx.X, t.GlobalX()
	block := t.BlockIdx.X
	v := foundByOne(int32(block)&1, in[g], -in[g])
	t.SyncThreads()
	if t.BlockDim.X > 1 {
		for k := 0; k < 4; k++ {
			if int32(tid+1)-int32(tid) < 0 {
				break
			}
			if (int32(block)-int32(block))&1 == 1 {
				break
			}
		}
		t.SyncThreads()
	}
	out[g] = v
}

// In blocks of the second kind nobody uses what was read before; the others leave one by one.
//
//gocuda:kernel
func foundUnused(t *gocuda.Thread, in, out []int32) {
	tid, g := t.ThreadIdx.X, t.GlobalX()
	n := t.BlockDim.X
	u := gocuda.Shared[int32](t, n)
	other := (tid + 6) % n
	u[other] = in[g]
	t.SyncThreads()
	x := in[g]
	if t.BlockIdx.X%2 == 0 {
		out[g] = int32(tid)
	} else {
		s := int32(0)
		for k := tid; k < n+7; k += n/2 + 3 {
			s += x + u[other]
		}
		out[g] = s
	}
}

// Whole numbers where a condition holds.
//
//gocuda:kernel
func foundRounded(t *gocuda.Thread, in, out []float64) {
	g := t.GlobalX()
	x, y := in[g]/3, float32(in[g])/7
	if in[g] > 1 {
		x = math.Floor(x) + math.Trunc(x*2)
		y = float32(math.Ceil(float64(y)))
	} else if in[g] < -1 {
		x = math.RoundToEven(x)
		y = float32(math.Floor(float64(y)))
	}
	if in[g] > 2 {
		x = math.Ceil(x)
	}
	out[g] = x + float64(y)
}

func foundByOne(u, v, x int32) int32 {
	if u != 0 {
		return u - v
	}
	return x % 1
}

// A long row whose elements have to do with threadIdx.y.
//
//gocuda:kernel
func foundFlat(t *gocuda.Thread, total int, in, out []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	base := t.BlockIdx.X * 1024
	for j := 0; j < 1024; j += 128 {
		i := j + ty*16 + tx
		if base+i < total {
			out[base+i] = in[base+i]
			in[base+i] = 0
		}
	}
}

// What a switch chooses by is computed beside SyncWarp, and anew behind it.
//
//gocuda:kernel
func foundChosen(t *gocuda.Thread, in, out []int32) {
	tid, g := t.ThreadIdx.X, t.GlobalX()
	s := gocuda.Shared[int32](t, t.BlockDim.X)
	v, p := in[g], int32(t.BlockDim.X)
	s[tid] = int32(tid)
	if t.SyncThreadsOr(tid%2 == 1) {
		t.SyncWarp(gocuda.FullMask)
		switch uint32((p^5)+(int32(tid+3)-int32(tid))) % 3 {
		case 0:
			t.SyncThreads()
			v ^= s[(tid+1)%t.BlockDim.X]
			t.SyncThreads()
		case 1:
		default:
			v++
		}
	}
	out[g] = v
}

// foundFields assigns fields of structs that are slices: to one that is a variable of its own in
// the generated code.
//
//gocuda:kernel
func foundFields(t *gocuda.Thread, g foundArrays, out []float32) {
	i := t.GlobalX()
	h := g
	h.b = h.a
	v := h.b[i]
	g.a, g.b = g.b, g.a
	v += 10 * g.a[i]
	var l foundArrays
	l = g
	l.a = l.b[1:]
	t.SyncThreads()
	v += 100*l.a[i] + 1000*g.b[i]
	p := &g.in
	p.c = g.a
	v += 10000 * g.in.c[i]
	out[i] = v
}

type foundArrays struct {
	a, b []float32
	in   struct{ c []float32 }
}

// foundGoexit calls what ends its goroutine, which must not be that of the caller of the launch.
//
//gocuda:kernel
func foundGoexit(t *gocuda.Thread, out []float32) {
	i := t.GlobalX()
	out[i] = foundTwo(i)
}

func foundTwo(i int) float32 {
	if i == 13 {
		runtime.Goexit()
	}
	return 2
}

// foundLarge has constants that don't fit in an int where they are multiplied by the number of the
// second row.
//
//gocuda:kernel
func foundLarge(t *gocuda.Thread, in, out []float32) {
	s := gocuda.Shared[float32](t, 8*49)
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	s[y*49+x] = in[(y+1)*(1<<62)*4+y*16+x]
	t.SyncThreads()
	out[t.Rank()] = s[y*49+x]
}

// foundTerms may have a sum of integers.
//
//gocuda:kernel
func foundTerms[T float32 | foundInt](t *gocuda.Thread, k, n int, a, b, out []T) {
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	var sum T
	for i := 0; i < k; i++ {
		sum += a[y*k+i] * b[i*n+x]
	}
	out[wrOut(t)] = sum
}

type foundInt int32

// foundLeave ends a loop that all threads leave together, in a func that threads leave one by one:
// what comes behind the loop still has to run, and so has what comes behind the call.
//
//gocuda:kernel
func foundLeave(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	out[i] = foundLeft(t, in[i], t.BlockDim.X)
	out[i] += int32(t.BlockIdx.X)
}

func foundLeft(t *gocuda.Thread, v int32, n int) int32 {
	t.SyncThreads()
rounds:
	for k := 0; k < 2; k++ {
		switch {
		case n == 1<<20:
			t.SyncThreads()
		case n > 0:
			break rounds
		}
	}
	if v > 0 {
		return v * 2
	}
	t.SyncThreads()
	return v - 1
}

var foundFailures = []Failure{{
	Name: "foundGoexit", Config: line(10, 10), Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: 3}, Text: "the kernel called runtime.Goexit",
	Make: func(grid.Config) Instance {
		out := marked[float32](100)
		return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { foundGoexit(t, out) }), Compiled: foundGoexitKernel(out), Outputs: []any{out}}
	},
}}

var foundCases = []Case{
	perThread("foundLarge", planeConfigs[:1], foundLarge, foundLargeKernel, func(cfg grid.Config, in, out []float32) { copy(out, in) }),
	made("foundTerms", planeConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		a, b, out := data[foundInt](400), data[foundInt](800), make([]foundInt, 1000)
		return func(t *gocuda.Thread) { foundTerms(t, 17, 32, a, b, out) }, foundTermsKernel(17, 32, a, b, out), []any{out}
	}, nil),
	made("foundFields", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		g, out := foundArrays{a: data[float32](n + 1), b: make([]float32, n+1)}, marked[float32](n)
		for i := range g.b {
			g.b[i] = float32(i)
		}
		return func(t *gocuda.Thread) { foundFields(t, g, out) }, foundFieldsKernel(g, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		a, out := data[float32](n+1), make([]float32, n)
		for i := range out {
			out[i] = a[i] + 10*float32(i)
			out[i] += 100*a[i+1] + 1000*a[i]
			out[i] += 10000 * float32(i)
		}
		return []any{out}
	}),
	perThread("foundOwnRounds", linear, foundOwnRounds, foundOwnRoundsKernel, func(cfg grid.Config, in, out []int32) {
		n := cfg.Threads()
		for i, v := range in {
			out[i] = v
			for j := i % n; j < n+7; j += n/2 + 3 {
				if rounds := (256 - j%256) % 256 % 5; rounds > 0 {
					out[i] = v*int32(rounds+2) - int32(j)
				}
			}
		}
	}),
	withParameter("foundOwnRoundsInSteady", linear, int32(4), foundOwnRoundsInSteady, foundOwnRoundsInSteadyKernel,
		func(rounds int32, cfg grid.Config, in, out []int32) {
			for i, v := range in {
				out[i] = v
				for j := range rounds {
					for k := range v & 3 {
						out[i] = k*out[i] - j
					}
				}
			}
		}),
	perThread("foundOwnRoundsInBlock", linear, foundOwnRoundsInBlock, foundOwnRoundsInBlockKernel, func(cfg grid.Config, in, out []int32) {
		n := cfg.Threads()
		for b := range cfg.Blocks() {
			v := slices.Clone(in[b*n : b*n+n])
			s := make([]int32, n)
			for w := int32(0); w < 3 && slices.ContainsFunc(v, func(x int32) bool { return x%2 != 0 }); w++ {
				for k := range n {
					x := v[k]
					if w > 0 {
						x += s[k] * w
					}
					for j := range n % 4 {
						x = 3*x + int32(j)
					}
					s[k] = x
				}
				for k := range n {
					v[k] += s[(k+1)%n]
				}
			}
			copy(out[b*n:], v)
		}
	}),
	perThread("foundOwnRoundsOfAll", linear, foundOwnRoundsOfAll, foundOwnRoundsOfAllKernel, func(cfg grid.Config, in, out []int32) {
		for i, v := range in {
			sum := int32(0)
			for j := range int32(3) {
				for k := range v & 3 {
					sum += (k * v) ^ (j + 2*k)
				}
				for k := j; k < v&7+j && (k == 5 || sum>>6&1 == 0); k++ {
					if k != 5 {
						sum = 3*sum + k
					}
				}
			}
			out[i] = sum
		}
	}),
	made("foundIntegerOfBranch", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out, more := data[float32](n), marked[float32](n), marked[float32](n)
		return func(t *gocuda.Thread) { foundIntegerOfBranch(t, in, out, more) }, foundIntegerOfBranchKernel(in, out, more), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		in, out := data[float32](n), make([]float32, n)
		for i, x := range in {
			last := i
			if i%5 == 4 && x > 4 && x*3 > 9 {
				last = 2
			}
			out[i] = in[max(i-1, 0)] - 3*in[last]
		}
		return []any{out}
	}),
	perThread("foundHalo", linear, foundHalo, foundHaloKernel, func(cfg grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v + 1 + in[i-i%cfg.Threads()] + 5
		}
	}),
	withParameter("foundInnerContinue", linear, int32(5), foundInnerContinue, foundInnerContinueKernel,
		func(rounds int32, cfg grid.Config, in, out []int32) {
			for i, v := range in {
				out[i] = 0
				for k := range rounds {
					if x := v >> k; x%2 != 0 || v >= 0 {
						out[i] += x
					}
				}
			}
		}),
	perThread("foundColumn", linear, foundColumn, foundColumnKernel, func(cfg grid.Config, in, out []int32) {
		n := cfg.Threads()
		for i := range in {
			if i%n < min(17, n-1) {
				out[i] = in[i] + in[i+1]
			}
		}
	}),
	perThread("foundStride", linear, foundStride, foundStrideKernel, func(cfg grid.Config, in, out []int32) {
		n := cfg.Threads()
		for i, v := range in {
			out[i] = v*3 + in[i%n]*in[n-1]
		}
	}),
	perThread("foundChosen", linear, foundChosen, foundChosenKernel, func(cfg grid.Config, in, out []int32) {
		n := cfg.Threads()
		for i, v := range in {
			out[i] = v
			if n > 1 {
				switch uint32((int32(n)^5)+3) % 3 {
				case 0:
					out[i] = v ^ int32((i%n+1)%n)
				case 2:
					out[i] = v + 1
				}
			}
		}
	}),
	made("foundFlat", []grid.Config{
		{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 128}}, {Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 16, Y: 8}},
	}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Grid.X*1024 - 77
		in, out := data[float32](n), marked[float32](n)
		return func(t *gocuda.Thread) { foundFlat(t, n, in, out) }, foundFlatKernel(n, in, out), []any{in, out}
	}, func(cfg grid.Config) []any {
		n := cfg.Grid.X*1024 - 77
		return []any{make([]float32, n), data[float32](n)}
	}),
	perThread("foundNothing", linear, foundNothing, foundNothingKernel, func(cfg grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = 0
			if i/cfg.Threads()%2 == 1 {
				out[i] = 1 - v
			}
		}
	}),
	perThread("foundRounded", linear, foundRounded, foundRoundedKernel, func(cfg grid.Config, in, out []float64) {
		for i, v := range in {
			x, y := v/3, float32(v)/7
			switch {
			case v > 1:
				x = math.Floor(x) + math.Trunc(x*2)
				y = float32(math.Ceil(float64(y)))
			case v < -1:
				x = math.RoundToEven(x)
				y = float32(math.Floor(float64(y)))
			}
			if v > 2 {
				x = math.Ceil(x)
			}
			out[i] = x + float64(y)
		}
	}),
	perThread("foundSetBeforeLeaving", linear, foundSetBeforeLeaving, foundSetBeforeLeavingKernel, func(cfg grid.Config, in, out []int32) {
		n := cfg.Threads()
		for i := range in {
			last := int32(7)
			out[i] = 0
			for k := range int32(4) {
				out[i] += last
				if n%2 == 0 {
					out[i] ^= k
					last = in[n/2] + k
				}
			}
			out[i] += last
		}
	}),
	perThread("foundLeave", linear, foundLeave, foundLeaveKernel, func(cfg grid.Config, in, out []int32) {
		for i, v := range in {
			if v > 0 {
				out[i] = v * 2
			} else {
				out[i] = v - 1
			}
			out[i] += int32(i / cfg.Threads())
		}
	}),
	perThread("foundUnused", linear, foundUnused, foundUnusedKernel, func(cfg grid.Config, in, out []int32) {
		n := cfg.Threads()
		for i, v := range in {
			tid := i % n
			out[i] = int32(tid)
			if i/n%2 == 1 {
				out[i] = (v + v) * int32((n+7-tid+n/2+2)/(n/2+3))
			}
		}
	}),
	made("foundBitsNeeded", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, width, next := data[int32](n)[:n-n/5], make([]int32, n), make([]int32, n)
		return func(t *gocuda.Thread) { foundBitsNeeded(t, in, width, next) }, foundBitsNeededKernel(in, width, next), []any{width, next}
	}, func(cfg grid.Config) []any {
		threads := cfg.Threads()
		n := cfg.Blocks() * threads
		in, width, next := data[int32](n)[:n-n/5], make([]int32, n), make([]int32, n)
		zigzag := func(p int) uint32 { // twice the distance from the last element, or less one if it is negative
			before := int32(0)
			if p > 0 {
				before = in[min(p, len(in))-1]
			}
			d := in[min(p, len(in)-1)] - before
			return uint32(d<<1 ^ d>>31)
		}
		for p := range n {
			width[p] = int32(bits.Len32(zigzag(p/threads*threads + threads - 1 - p%threads)))
			if (p+1)%threads > 0 {
				next[p] = int32(zigzag(p + 1))
			}
		}
		return []any{width, next}
	}),
	made("foundAndNot", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out, other := data[float32](n), make([]float64, n), make([]int32, n)
		return func(t *gocuda.Thread) { foundAndNot(t, in, out, other) }, foundAndNotKernel(in, out, other), []any{out, other}
	}, func(cfg grid.Config) []any {
		n := cfg.Threads()
		out, other := make([]float64, cfg.Blocks()*n), make([]int32, cfg.Blocks()*n)
		for i, f := range data[float32](cfg.Blocks() * n) {
			v := int(f) - int(f)&2
			out[i] = 0 - float64(v|i%n)
			other[i/n*n+(i%n+3)%n] = int32(i % n)
		}
		return []any{out, other}
	}),
	keptCase[int8]("int8"), keptCase[int16]("int16"), keptCase[uint16]("uint16"), keptCase[int32]("int32"), keptCase[int64]("int64"),
	logicCase[int8]("int8"), logicCase[int16]("int16"), logicCase[int32]("int32"), logicCase[int64]("int64"), logicCase[uint32]("uint32"),
	andNotsCase[int8]("int8"), andNotsCase[int16]("int16"), andNotsCase[int32]("int32"), andNotsCase[int64]("int64"),
	andNotsCase[uint8]("uint8"), andNotsCase[uint16]("uint16"), andNotsCase[uint32]("uint32"), andNotsCase[uint64]("uint64"),
}
