//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels whose threads go through neighbouring elements in a loop that uses more values than there are
// registers.

var runConfigs = []grid.Config{line(1, 1), line(3, 8), line(2, 33)}

// Pairs go to other places of the thread's run, by counters in a private array; the run of the last
// thread is shorter.
//
//gocuda:kernel
func ruScatter(t *gocuda.Thread, n, run int, shift uint, keys, values, keysOut, valuesOut []uint32) {
	var next [16]uint32
	me := t.GlobalX()
	from := min(me*run, n)
	to := min(from+run, n)
	for i := from; i < to; i++ {
		next[(keys[i]>>(shift%32))&15]++
	}
	place := uint32(from)
	for d := range 16 {
		place, next[d] = place+next[d], place
	}
	for i := from; i < to; i++ {
		key := keys[i]
		d := (key >> (shift % 32)) & 15
		place := next[d]
		next[d]++
		keysOut[place] = key
		valuesOut[place] = values[i]
	}
}

// What the loop leaves behind is used after it, its counter included; the counter is also a number.
//
//gocuda:kernel
func ruResults(t *gocuda.Thread, run, most int, a, b, c, d, out []int32) {
	from := t.GlobalX() * run
	to := min(from+run, from+most)
	var sum, high, last int32
	i := from
	for ; i < to; i++ {
		v := a[i]*b[i] + c[i] - d[i]
		sum += v
		if v > high {
			high = v
			last = int32(i)
		}
	}
	out[t.GlobalX()] = sum ^ high<<7 ^ last<<3 ^ int32(i)
}

// Arrays that are the same or overlap: each round sees what the one before it has stored.
//
//gocuda:kernel
func ruOverlap(t *gocuda.Thread, run int, a, b, c, d []int32) {
	from := t.GlobalX() * run
	to := from + run - 1
	for i := from; i < to; i++ {
		v := a[i] + c[i]
		b[i] = v*3 + int32(i)
		d[i] = v ^ a[i]
	}
}

// The index of two stores is the same and the arrays are not as long; some runs are empty or turned
// round.
//
//gocuda:kernel
func ruLengths(t *gocuda.Thread, shorter int, where []int, in, more, out, longer []int32) {
	from := t.GlobalX() * 5
	to := from + 5 - t.GlobalX()%8
	for i := from; i < to; i++ {
		k := where[i]
		v := in[i] + more[i]
		out[k] = v
		longer[k] = v - int32(shorter)
	}
}

// A run that begins before its arrays, ends after one of them, or stores beyond the second of two.
//
//gocuda:kernel
func ruFail(t *gocuda.Thread, who, kind int, where []int, in, more, out, longer []int32) {
	from := t.GlobalX() * 4
	to := from + 4
	beyond := 0
	if unlucky(t, who) {
		switch kind {
		case 0:
			from = -2
		case 1:
			to = len(more) + 1
		case 2:
			beyond = len(out)
		case 3:
			beyond = -len(in) - 1
		}
	}
	for i := from; i < to; i++ {
		k := where[i] + beyond
		v := in[i] + more[i]
		longer[k] = v
		out[k] = v
	}
}

func ruWhere(n int) []int {
	w := make([]int, n)
	for i := range w {
		w[i] = i ^ 1
		if w[i] >= n {
			w[i] = i
		}
	}
	return w
}

var ruCases = []Case{
	made("ruScatter", runConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		const run = 37
		n := cfg.Blocks()*cfg.Threads()*run - 20
		keys, values := data[uint32](n), data[uint32](n)
		keysOut, valuesOut := marked[uint32](n), marked[uint32](n)
		return func(t *gocuda.Thread) { ruScatter(t, n, run, 3, keys, values, keysOut, valuesOut) },
			ruScatterKernel(n, run, 3, keys, values, keysOut, valuesOut), []any{keysOut, valuesOut}
	}, func(cfg grid.Config) []any {
		const run = 37
		n := cfg.Blocks()*cfg.Threads()*run - 20
		keys, values := data[uint32](n), data[uint32](n)
		var keysOut, valuesOut []uint32
		for from := 0; from < n; from += run {
			for d := range uint32(16) {
				for i := from; i < min(from+run, n); i++ {
					if keys[i]/8%16 == d {
						keysOut, valuesOut = append(keysOut, keys[i]), append(valuesOut, values[i])
					}
				}
			}
		}
		return []any{keysOut, valuesOut}
	}),
	made("ruResults", runConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in := data[int32](45*n + 40)
		a, b, c, d := in[:9*n], in[9*n:18*n], in[18*n:27*n+5], in[30*n:]
		out := marked[int32](n)
		return func(t *gocuda.Thread) { ruResults(t, 9, 7+cfg.Threads()%3, a, b, c, d, out) },
			ruResultsKernel(9, 7+cfg.Threads()%3, a, b, c, d, out), []any{out}
	}, nil),
	made("ruOverlap", runConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads() * 6
		a, d := data[int32](n), marked[int32](n)
		return func(t *gocuda.Thread) { ruOverlap(t, 6, a, a[1:], a, d) }, ruOverlapKernel(6, a, a[1:], a, d), []any{a, d}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads() * 6
		a, d := data[int32](n), marked[int32](n)
		for i := range n {
			if i%6 != 5 {
				x := a[i]
				a[i+1] = 6*x + int32(i)
				d[i] = 2*x ^ x
			}
		}
		return []any{a, d}
	}),
	made("ruLengths", runConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads() * 5
		in, more, out, longer := data[int32](n), data[int32](n+3), marked[int32](n), marked[int32](n+9)
		return func(t *gocuda.Thread) { ruLengths(t, 3, ruWhere(n), in, more, out, longer) },
			ruLengthsKernel(3, ruWhere(n), in, more, out, longer), []any{out, longer}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads() * 5
		in, more, out, longer := data[int32](n), data[int32](n+3), marked[int32](n), marked[int32](n+9)
		for th := range n / 5 {
			for k := range max(5-th%8, 0) {
				i := 5*th + k
				to := ruWhere(n)[i]
				out[to] = in[i] + more[i]
				longer[to] = out[to] - 3
			}
		}
		return []any{out, longer}
	}),
}

func ruFailure(name string, kind int, text string) Failure {
	cfg := line(2, 8) // the last of all threads fails, beyond whose run nobody's begins
	return Failure{Name: name, Config: cfg, Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: 7}, Text: text,
		Make: func(cfg grid.Config) Instance {
			n := cfg.Blocks() * cfg.Threads() * 4
			in, more := data[int32](n+7), data[int32](n)
			out, longer := marked[int32](n), marked[int32](4*n)
			where := ruWhere(n + 5)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { ruFail(t, 7, kind, where, in, more, out, longer) }),
				Compiled: ruFailKernel(7, kind, where, in, more, out, longer),
				Outputs:  []any{out, longer},
			}
		}}
}

var ruFailures = []Failure{
	ruFailure("ruFail, before", 0, "index out of range [-2]"),
	ruFailure("ruFail, after", 1, "index out of range [64] with length 64"),
	ruFailure("ruFail, second store", 2, "index out of range [125] with length 64"),
	ruFailure("ruFail, store below zero", 3, "index out of range [-11]"),
}
