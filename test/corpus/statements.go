//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Several assignments at once: all is read before anything is written.
//
//gocuda:kernel
func swaps(t *gocuda.Thread, in, out, other []int32) {
	i := t.GlobalX()
	a, b, c := in[i], in[(i+1)%len(in)], int32(i)
	a, b = b, a
	a, b, c = c, a+b, b
	out[i], other[i] = a, c
	out[i], other[i] = other[i]+b, out[i]
	k := i % 4
	h := [4]int32{a, b, c, 1}
	k, h[k] = 3, 50 // the index is the old one
	h[0], h[k], k = h[k], h[0], 2
	x, _ := h[k], h[1]
	out[i] += x + h[0]*3 + h[1]*5 + h[2]*7 + h[3]*11
}

func swapsWant(cfg grid.Config) []any {
	n := cfg.Blocks() * cfg.Threads()
	in, out, other := data[int32](n), make([]int32, n), make([]int32, n)
	for i := range out {
		a, b := in[(i+1)%n], in[i]
		a1, b1, c1 := int32(i), a+b, b
		h := []int32{a1, b1, c1, 1}
		h[i%4] = 50
		h0, h3 := h[3], h[0]
		out[i] = c1 + b1 + h[2] + h0*3 + h[1]*5 + h[2]*7 + h3*11
		other[i] = a1
	}
	return []any{out, other}
}

// The order in which operands are evaluated shows through functions that change things.
//
//gocuda:kernel
func evaluationOrder(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	n := in[i] & 0xff
	next := func() int32 { n = n*3 + 1; return n }
	v := next() - next()*2
	h := [3]int32{next(), 5, next()}
	h[next()&1], h[2] = next(), next()
	if next()%2 == 0 && next()%3 == 0 || next()%5 == 0 {
		v++
	}
	h[0] += next()
	w, x := pairOf(next(), next())
	out[i] = v ^ h[0] ^ h[1]*3 ^ h[2]*5 ^ w ^ x*7 ^ n
}

func pairOf(a, b int32) (int32, int32) { return b, a }

func evaluationOrderWant(_ grid.Config, in, out []int32) {
	for i := range in {
		k := 0
		seq := []int32{in[i] & 0xff}
		for range 20 {
			seq = append(seq, seq[len(seq)-1]*3+1)
		}
		next := func() int32 { k++; return seq[k] }
		v := seq[1] - seq[2]*2
		h := []int32{seq[3], 5, seq[4]}
		k = 4
		at := next() & 1
		h[at] = next()
		h[2] = next()
		yes := false
		if next()%2 == 0 {
			yes = next()%3 == 0
		}
		if !yes {
			yes = next()%5 == 0
		}
		if yes {
			v++
		}
		h[0] += next()
		x := next()
		w := next()
		out[i] = v ^ h[0] ^ h[1]*3 ^ h[2]*5 ^ w ^ x*7 ^ seq[k]
	}
}

// Functions as values: called at once, kept in a variable, with what they capture changed by them and
// outside, and one that is returned.
//
//gocuda:kernel
func closures(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	sum := int32(0)
	add := func(v int32) { sum += v }
	add(in[i])
	func() {
		add(3)
		if sum > 0 {
			return
		}
		sum = -sum
	}()
	double := func(v int32) int32 { return v * 2 }
	sum = double(sum) + func(a, b int32) int32 { return a - b }(sum, 4)
	twice := multiplier(3)
	sum = twice(sum)
	double = twice
	for k := range int32(3) {
		step := func() int32 { k++; return k }
		sum += step() * step()
	}
	out[i] = double(sum)
}

func multiplier(by int32) func(int32) int32 { return func(v int32) int32 { return v * by } }

func closuresWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		v += 3
		if v <= 0 {
			v = -v
		}
		v = (v*2 + v - 4) * 3
		v += 1*2 + 2*3 + 3*4
		out[i] = v * 3
	}
}

// A closure waits at barriers and uses the kernel's variables.
//
//gocuda:kernel
func closureWaits(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	v := in[i]
	shift := func(by int) {
		s[tid] = v
		t.SyncThreads()
		v = s[(tid+by)%n]
		t.SyncThreads()
	}
	shift(1)
	for k := range 3 {
		v += int32(k)
		shift(k)
	}
	out[i] = v
}

// Range loops over all that can be ranged over, with and without their variables.
//
//gocuda:kernel
func ranges(t *gocuda.Thread, text string, in, out []int32) {
	i := t.GlobalX()
	r := int32(0)
	for k := range i % 7 {
		r += int32(k)
	}
	for range 3 {
		r++
	}
	for range in[:i%5] {
		r += 10
	}
	for k := range in[:min(4, len(in))] {
		r += in[k] * int32(k)
	}
	for _, v := range in[i:min(i+3, len(in))] {
		if v == 0 {
			break
		}
		r ^= v
	}
	table := [4]int32{1, 2, 3, 4}
	for k, v := range table { // ranges over a copy
		table[3-k] = v * 10
		r += v
	}
	for k := range &table {
		table[k]++
	}
	for k, v := range table[:] { // ranges over the array itself
		if k < 3 {
			table[k+1] += v
		}
		r += v
	}
	for k, c := range text {
		if int(c) == 'o' {
			continue
		}
		r += int32(k) ^ c
	}
	for k := range int8(5) {
		k *= 2
		r += int32(k)
	}
	for k := i; k < i+3; k++ {
		r -= int32(k)
		k++
	}
	for range -3 {
		r = 0
	}
	var k int32 = 77
	for k = range 4 {
	}
	out[i] = r + k
}

// Variables of if and switch headers, else branches that see them, and goto.
//
//gocuda:kernel
func headers(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	r := int32(0)
	if v := in[i]; v > 100 {
		r = v
	} else if w := v * 2; w > v {
		r = w - v
	} else {
		r = v ^ w
	}
	switch v := r % 5; {
	case v < 0:
		r++
	case v == 0:
		v := v + 1
		r += v
	default:
		r -= v
	}
	{
		r := r
		r++
	}
	k := 0
again:
	if k < i%4 {
		k++
		r *= 3
		goto again
	}
	out[i] = r
}

// Loops in all their forms: without a condition, without a body, with several variables, counting down
// in unsigned numbers and by other steps.
//
//gocuda:kernel
func forForms(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := uint32(in[i])
	r := uint32(0)
	for {
		if v%8 == 0 {
			break
		}
		v++
	}
	for k := uint8(250); k != 4; k++ {
		r += uint32(k)
	}
	for k := uint(5); k < 6; k-- {
		r += uint32(k) * 7
	}
	for ; v > 1<<20; v >>= 3 {
	}
	for a, b := uint32(0), v; a < b && a < 40; a, b = a+3, b-1 {
		r ^= a*b + 1
	}
	for k := 100; k > 0; k -= 7 + i%3 {
		r = r<<1 | r>>31
	}
	for k := int64(1); k < 1<<40; k <<= 3 {
		r += uint32(k >> 5)
	}
	for k := 10; k >= 0; k-- {
		if k == i%10 {
			r += 1000
		}
	}
	out[i] = int32(r)
}

// Unreachable code, empty blocks, blank identifiers, labels that nobody uses for a jump, constants
// in conditions.
//
//gocuda:kernel
func oddities(t *gocuda.Thread, _ int, in, _ []int32, out []int32) {
	i := t.GlobalX()
	_ = in[i]
	var _, v = 1, in[i]
	const debug = false
	if debug {
		v = 0
		t.SyncThreads()
	}
	if true || v > 3 {
		v++
	}
	{
	}
	for false {
		v = 0
	}
	switch {
	}
	_, _ = v, i
	type local = int32
	var zero local
	func() { _ = t }()
	if len(in) > 0 {
		out[i] = v + zero + local(i)
		return
	}
	panic("not reached")
}

var statementCases = []Case{
	made("swaps", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out, other := data[int32](n), marked[int32](n), marked[int32](n)
		return func(t *gocuda.Thread) { swaps(t, in, out, other) }, swapsKernel(in, out, other), []any{out, other}
	}, swapsWant),
	perThread("evaluationOrder", linear, evaluationOrder, evaluationOrderKernel, evaluationOrderWant),
	perThread("closures", linear, closures, closuresKernel, closuresWant),
	perThread("closureWaits", linear, closureWaits, closureWaitsKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[i] = in[first+(i+4)%len(out)] + 3
			}
		})
	}),
	withParameter("ranges", linear, "foo bär boo", ranges, rangesKernel, nil),
	perThread("headers", linear, headers, headersKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			r := v
			if v <= 100 {
				if 2*v > v {
					r = 2*v - v
				} else {
					r = v ^ 2*v
				}
			}
			if m := r % 5; m < 0 {
				r++
			} else if m == 0 {
				r++
			} else {
				r -= m
			}
			for range i % 4 {
				r *= 3
			}
			out[i] = r
		}
	}),
	perThread("forForms", linear, forForms, forFormsKernel, nil),
	perThread("oddities", linear,
		func(t *gocuda.Thread, in, out []int32) { oddities(t, 3, in, nil, out) },
		func(in, out []int32) gocuda.Kernel { return odditiesKernel(3, in, nil, out) },
		func(_ grid.Config, in, out []int32) {
			for i, v := range in {
				out[i] = v + 1 + int32(i)
			}
		}),
}
