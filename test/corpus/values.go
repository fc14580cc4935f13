//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Slices of slices as a parameter, rows of different length.
//
//gocuda:kernel
func rows(t *gocuda.Thread, in [][]int32, out []int32) {
	i := t.GlobalX()
	if i >= len(in) || len(in[i]) == 0 {
		return
	}
	row := in[i]
	sum := row[len(row)-1]
	for k := range row {
		sum += in[i][k] * int32(k)
	}
	if in[i] != nil && len(in[(i+1)%len(in)]) > 2 {
		sum -= in[(i+1)%len(in)][2]
	}
	out[i] = sum
}

// Parts of slices: lengths and capacities, parts of parts, and stores through them.
//
//gocuda:kernel
func parts(t *gocuda.Thread, in, out []int32) {
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * n
	block := in[base : base+n]
	mine := block[tid:]
	pair := block[tid:min(tid+2, n):n]
	dst := out[base:][:n]
	r := block[n-1] + mine[0] + int32(len(mine)*3+len(pair)*5+cap(pair)*7)
	if len(pair) == 2 {
		r += pair[1]
		pair = pair[1:]
	}
	r ^= pair[0] + int32(cap(pair[:0]))
	dst[tid] = r + int32(cap(dst)-len(out[base:]))
}

func partsWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		in := in[first : first+n]
		for i := range out {
			left := n - i
			r := in[n-1] + in[i] + int32(left*3+min(left, 2)*5+left*7)
			if left >= 2 {
				r += in[i+1]
				r ^= in[i+1] + int32(left-1)
			} else {
				r ^= in[i] + int32(left)
			}
			out[i] = r
		}
	})
}

// Pointers to elements, and to what they point at.
//
//gocuda:kernel
func pointers(t *gocuda.Thread, in, out []int32, total *int32, table *[5]int32) {
	i := t.GlobalX()
	p := &out[i]
	*p = in[i]
	q := p
	*q += 5
	if p == q && p != total {
		*p *= 2
	}
	pp := &p
	**pp ^= 1
	*p += *total + table[i%5]
	for k := range table {
		*p += table[k]
	}
	*p += int32(len(table))
	v := *p
	w := &v
	*w++
	out[i] = v - 1
}

// The addresses of locals go to helpers, which change them.
//
//gocuda:kernel
func addressTaken(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	lo, hi := in[i], in[len(in)-1-i]
	order(&lo, &hi)
	var h [4]int32
	for k := range 9 {
		bump(&h[(i+k)%4], int32(k))
	}
	tally(h[1:3], lo)
	out[i] = lo ^ hi + h[0]*3 + h[1]*5 + h[2]*7 + h[3]*11
}

func order(a, b *int32) {
	if *a > *b {
		*a, *b = *b, *a
	}
}

func bump(p *int32, by int32) { *p += by }

func tally(h []int32, by int32) {
	for i := range h {
		h[i] -= by
	}
}

func addressTakenWant(_ grid.Config, in, out []int32) {
	for i := range in {
		lo, hi := min(in[i], in[len(in)-1-i]), max(in[i], in[len(in)-1-i])
		h := make([]int32, 4)
		for k := range 9 {
			h[(i+k)%4] += int32(k)
		}
		out[i] = lo ^ hi + h[0]*3 + (h[1]-lo)*5 + (h[2]-lo)*7 + h[3]*11
	}
}

// Arrays of arrays, as locals, parameters and elements of slices.
//
//gocuda:kernel
func matrices(t *gocuda.Thread, m [3][3]int32, in [][2][2]int32, out [][2][2]int32) {
	i := t.GlobalX()
	var p [3][3]int32
	for r := range 3 {
		for c := range 3 {
			for k := range 3 {
				p[r][c] += m[r][k] * m[k][c]
			}
		}
	}
	p[i%3][(i+1)%3] = 0
	a := in[i]
	out[i] = a
	out[i][0][1] = p[0][0] + p[1][1] + p[2][2]
	out[i][i%2][1] += p[i%3][i/3%3]
	row := p[2]
	row[0]++
	out[i][1] = [2]int32{row[0] - p[2][0], a[1][0]}
	if in[i] == out[i] {
		out[i] = [2][2]int32{}
	}
}

// Literals of arrays with indices, slices made in the kernel, and strings.
//
//gocuda:kernel
func literals(t *gocuda.Thread, text string, in, out []int32) {
	i := t.GlobalX()
	table := [...]int32{3: 5, 1: 7, 6: 9}
	primes := []int32{2, 3, 5, 7, 11}
	r := table[i%7] + primes[i%5]*10 + int32(len(table)*100)
	for k := range text {
		if text[k] == byte('a'+i%26) {
			r += int32(k) * 1000
		}
	}
	for k, c := range "héy" {
		r += int32(k) * int32(c)
	}
	part := text[i%len(text):]
	if part > "m" || part == "a" {
		r = -r
	}
	out[i] = r + in[i]
}

// A slice that is made and grown in the kernel.
//
//gocuda:kernel
func growing(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	var list []int32
	for k := range i%5 + 1 {
		list = append(list, in[(i+k)%len(in)])
	}
	list = append(list, list...)
	scratch := make([]int32, 3, 8)
	n := copy(scratch, list)
	clear(scratch[:1])
	p := new(int32)
	*p = scratch[2]
	out[i] = int32(len(list)*100+n*10+cap(scratch)) + scratch[0] + scratch[1] ^ *p
}

func growingWant(_ grid.Config, in, out []int32) {
	n := len(in)
	for i := range in {
		m := i%5 + 1
		at := func(k int) int32 {
			if k >= 2*m {
				return 0
			}
			return in[(i+k%m)%n]
		}
		out[i] = int32(2*m*100+min(3, 2*m)*10+8) + at(1) ^ at(2)
	}
}

// The builtins copy and clear on what threads share, each on its own part.
//
//gocuda:kernel
func copyClear(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 4*t.BlockDim.X)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * n
	clear(s[4*tid : 4*tid+4])
	k := copy(s[4*tid+1:4*tid+3], in[base+tid:])
	t.SyncThreads()
	next := (tid + 1) % n
	r := int32(k)
	for _, v := range s[4*next : 4*next+4] {
		r = r*3 + v
	}
	out[base+tid] = r
}

func copyClearWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		for i := range out {
			next := first + (i+1)%len(out)
			k := int32(2)
			if first+i+1 == len(in) {
				k = 1
			}
			out[i] = (k*3)*9 + in[next]*3
			if next+1 < len(in) {
				out[i] += in[next+1]
			}
			out[i] *= 3
		}
	})
}

// Booleans as values: stored, compared, and combined.
//
//gocuda:kernel
func booleans(t *gocuda.Thread, in []int32, out []bool) {
	s := gocuda.Shared[bool](t, 1024)
	i, tid := t.GlobalX(), t.ThreadIdx.X
	a, b := in[i] > 0, in[i]%3 == 0
	c := a != b
	s[tid] = c || !a && b
	t.SyncThreads()
	d := s[(tid+1)%t.BlockDim.X]
	if d == (in[i] == 7) {
		c = !c
	}
	out[i] = c == d || (a && !b) != d
}

// 8- and 16-bit elements, next to each other in memory.
//
//gocuda:kernel
func narrow(t *gocuda.Thread, bytes []uint8, words []int16, out []uint8) {
	s := gocuda.Shared[uint8](t, 1024)
	i, tid := t.GlobalX(), t.ThreadIdx.X
	s[tid] = bytes[i] + uint8(words[i])
	t.SyncThreads()
	v := s[(tid+1)%t.BlockDim.X]
	words[i] = int16(v)<<7 - words[i]
	out[i] = v>>1 + s[tid]*3
}

var values = [...]int32{4, 8, 15, 16, 23, 42}
var factor int32 = 9
var weights = []float32{0.5, 0.25, 2}
var settings = struct {
	on    bool
	limit int32
}{true, 77}

// Variables of the package, which threads read.
//
//gocuda:kernel
func packageVariables(t *gocuda.Thread, in []float32, out []float32) {
	i := t.GlobalX()
	v := float32(values[i%len(values)]*factor) * weights[i%3]
	if settings.on && in[i] < float32(settings.limit) {
		v += in[i]
	}
	for _, w := range weights {
		v *= w
	}
	out[i] = v
}

var valueCases = []Case{
	made("rows", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out := ragged(n), marked[int32](n)
		return func(t *gocuda.Thread) { rows(t, in, out) }, rowsKernel(in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		out := marked[int32](n)
		in := ragged(n)
		for i, row := range in {
			if len(row) == 0 {
				continue
			}
			out[i] = row[len(row)-1]
			for k, v := range row {
				out[i] += v * int32(k)
			}
			if next := in[(i+1)%len(in)]; len(next) > 2 {
				out[i] -= next[2]
			}
		}
		return []any{out}
	}),
	perThread("parts", linear, parts, partsKernel, partsWant),
	perThread("pointers", linear,
		func(t *gocuda.Thread, in, out []int32) { pointers(t, in, out, &factor, &[5]int32{1, 2, 3, 4, 5}) },
		func(in, out []int32) gocuda.Kernel { return pointersKernel(in, out, &factor, &[5]int32{1, 2, 3, 4, 5}) },
		func(_ grid.Config, in, out []int32) {
			for i, v := range in {
				out[i] = ((v+5)*2 ^ 1) + 9 + int32(i%5+1) + 15 + 5
			}
		}),
	perThread("addressTaken", linear, addressTaken, addressTakenKernel, addressTakenWant),
	perThread("matrices", linear,
		func(t *gocuda.Thread, in, out [][2][2]int32) { matrices(t, magic, in, out) },
		func(in, out [][2][2]int32) gocuda.Kernel { return matricesKernel(magic, in, out) }, nil),
	withParameter("literals", linear, "the quick brown fox jumps over the lazy dog", literals, literalsKernel, nil),
	perThread("growing", linear, growing, growingKernel, growingWant),
	perThread("copyClear", linear, copyClear, copyClearKernel, copyClearWant),
	perThread("booleans", linear, booleans, booleansKernel, func(cfg grid.Config, in []int32, out []bool) {
		perBlock(cfg, out, func(_, first int, out []bool) {
			n := len(out)
			for i := range out {
				v, w := in[first+i], in[first+(i+1)%n]
				d := w > 0 && w%3 != 0 || w <= 0 && w%3 == 0
				c := (v > 0) == (v%3 != 0)
				if d == (v == 7) {
					c = !c
				}
				out[i] = c == d || (v > 0 && v%3 != 0) != d
			}
		})
	}),
	made("narrow", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		bytes, words, out := data[uint8](n), data[int16](n), marked[uint8](n)
		return func(t *gocuda.Thread) { narrow(t, bytes, words, out) }, narrowKernel(bytes, words, out), []any{words, out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		bytes, words, out := data[uint8](n), data[int16](n), make([]uint8, n)
		s := make([]int, n)
		for i := range s {
			s[i] = (int(bytes[i]) + int(words[i])) & 255
		}
		perBlock(cfg, out, func(_, first int, out []uint8) {
			for i := range out {
				v := s[first+(i+1)%len(out)]
				words[first+i] = int16(v*128 - int(words[first+i]))
				out[i] = uint8(v/2 + s[first+i]*3)
			}
		})
		return []any{words, out}
	}),
	perThread("packageVariables", linear, packageVariables, packageVariablesKernel, nil),
}

var magic = [3][3]int32{{2, 7, 6}, {9, 5, 1}, {4, 3, 8}}

func ragged(n int) [][]int32 {
	rows := make([][]int32, n-n/9)
	for i := range rows {
		if k := int(hash(i) % 6); k > 0 {
			rows[i] = dataFrom[int32](k, i)
		}
	}
	return rows
}
