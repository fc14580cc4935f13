//go:build compiled

package corpus

import (
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A variable of each thread, and one of the block, assigned in the first phase and read in the third.
//
//gocuda:kernel
func liveLong(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	early := in[i] * 3
	base := t.BlockIdx.X*100 + n
	s[tid] = early
	t.SyncThreads()
	v := s[(tid+1)%n]
	t.SyncThreads()
	s[tid] = v + 1
	t.SyncThreads()
	out[i] = early - s[(tid+1)%n] + int32(base)
}

// Variables of all sizes live across a barrier.
//
//gocuda:kernel
func liveTypes(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	a, b, c, d := int8(v), uint16(v), int64(v)<<20, uint8(v>>3)
	f, g := float32(v)/3, float64(v)/7
	p, q := v > 0, v%2 == 0
	str := "odd"
	if q {
		str = "even"
	}
	t.SyncThreads()
	r := int32(a) + int32(b) ^ int32(c>>18) + int32(d)
	if p || q {
		r += int32(f/1000) - int32(g/1e6)
	}
	out[i] = r + int32(len(str)) + int32(str[0])
}

func liveTypesWant(cfg grid.Config, in, out []int32) {
	for i, v := range in {
		r := int32(int8(v)) + int32(uint16(v)) ^ int32(int64(v)<<20>>18) + int32(uint8(v>>3))
		if v > 0 || v%2 == 0 {
			r += int32(float32(v)/3/1000) - int32(float64(v)/7/1e6)
		}
		if v%2 == 0 {
			r += 4 + 'e'
		} else {
			r += 3 + 'o'
		}
		out[i] = r
	}
}

type pair struct {
	a int32
	b [3]int32
}

// A struct with an array in it lives across barriers, and is changed in each phase; a copy of it
// stays as it was.
//
//gocuda:kernel
func liveStruct(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[pair](t, t.BlockDim.X)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	p := pair{a: in[i], b: [3]int32{1, 2, int32(tid)}}
	s[tid] = p
	q := p
	t.SyncThreads()
	p.b[tid%3] += s[(tid+1)%n].a
	p.a++
	q.b[0], q.a = q.a, p.b[1]
	t.SyncThreads()
	s[tid].b = p.b
	t.SyncThreads()
	r := s[(tid+1)%n]
	out[i] = p.a + p.b[0]*3 + p.b[1]*5 + p.b[2]*7 ^ q.a ^ q.b[0]*11 ^ r.a ^ r.b[2]
	if p == q {
		out[i] = 0
	}
}

func liveStructWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		arrays := make([][3]int32, n)
		for i := range out {
			arrays[i] = [3]int32{1, 2, int32(i)}
			arrays[i][i%3] += in[first+(i+1)%n]
		}
		for i := range out {
			b, v := arrays[i], in[first+i]
			next := (i + 1) % n
			out[i] = v + 1 + b[0]*3 + b[1]*5 + b[2]*7 ^ b[1] ^ v*11 ^ in[first+next] ^ arrays[next][2]
		}
	})
}

// A private array with an index of run time lives across barriers of a loop.
//
//gocuda:kernel
func liveArray(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	var h [8]int32
	for k := range h {
		h[k] = in[i] >> k
	}
	for k := range 6 {
		s[tid] = h[(tid+k)%8]
		t.SyncThreads()
		h[uint32(s[(tid+1)%n])%8] += int32(k) - s[(tid+3)%n]
		t.SyncThreads()
	}
	sum := int32(0)
	for k, v := range h {
		sum = sum*5 + v*int32(k+1)
	}
	out[i] = sum
}

func liveArrayWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		h, s := make([][8]int32, n), make([]int32, n)
		for i := range h {
			for k := range 8 {
				h[i][k] = in[first+i] >> k
			}
		}
		for k := range 6 {
			for i := range h {
				s[i] = h[i][(i+k)%8]
			}
			for i := range h {
				h[i][uint32(s[(i+1)%n])%8] += int32(k) - s[(i+3)%n]
			}
		}
		for i := range h {
			out[i] = 0
			for k, v := range h[i] {
				out[i] = out[i]*5 + v*int32(k+1)
			}
		}
	})
}

// Arrays are values: assignment, parameters and range copy them.
//
//gocuda:kernel
func liveArrayCopies(t *gocuda.Thread, table [4]int32, in, out []int32) {
	i := t.GlobalX()
	a := [4]int32{in[i], 2, 3, 4}
	b := a
	table[t.ThreadIdx.X%4]++
	b[1] = 9
	t.SyncThreads()
	sum := int32(0)
	for k, v := range a {
		a[3-k] = 10
		sum = sum*3 + v
	}
	t.SyncThreads()
	c := [2][4]int32{a, b}
	d := c
	d[1][i%4] += 5
	for k := range c {
		for j, v := range d[k] {
			sum = sum*3 + v - c[1-k][j]
		}
	}
	if a != b && c != d {
		sum += table[0]*1000 + table[1]*100 + table[2]*10 + table[3]
	}
	out[i] = sum
}

func liveArrayCopiesWant(table [4]int32, cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		for i := range out {
			sum := ((in[first+i]*3+2)*3+3)*3 + 4
			a, b := []int32{10, 10, 10, 10}, []int32{in[first+i], 9, 3, 4}
			for j := range a {
				sum = sum*3 + a[j] - b[j]
			}
			for j := range a {
				sum = sum*3 + b[j] - a[j]
				if j == (first+i)%4 {
					sum += 5
				}
			}
			sum += table[0]*1000 + table[1]*100 + table[2]*10 + table[3]
			out[i] = sum + []int32{1000, 100, 10, 1}[i%4]
		}
	})
}

// A variable is changed in a branch that threads take on their own, and used after the barrier.
//
//gocuda:kernel
func liveDivergent(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	v, mode := in[i], 0
	if v > 0 {
		mode = 1
		if v%2 == 0 {
			mode = 2
			v /= 2
		}
	} else if tid%5 == 0 {
		v = int32(tid)
	}
	s[tid] = v
	t.SyncThreads()
	switch mode {
	case 0:
		v -= s[(tid+1)%n]
	case 1:
		v += s[(tid+1)%n]
	}
	t.SyncThreads()
	if mode == 2 {
		s[tid] = -1
	}
	t.SyncThreads()
	out[i] = v + s[(tid+2)%n] + int32(mode)
}

func liveDivergentWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		v := slices.Clone(in[first : first+n])
		mode := make([]int32, n)
		for i, x := range v {
			switch {
			case x > 0 && x%2 == 0:
				mode[i], v[i] = 2, x/2
			case x > 0:
				mode[i] = 1
			case i%5 == 0:
				v[i] = int32(i)
			}
		}
		for i := range out {
			next := v[(i+1)%n]
			out[i] = v[i] + []int32{-next, next, 0}[mode[i]] + mode[i]
			if k := (i + 2) % n; mode[k] == 2 {
				out[i]--
			} else {
				out[i] += v[k]
			}
		}
	})
}

// A uniform variable becomes one of each thread halfway, and another becomes uniform.
//
//gocuda:kernel
func liveUniformity(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	u, v := n, int(in[i]&15)
	s[tid] = in[i]
	t.SyncThreads()
	r := s[(tid+u)%t.BlockDim.X]
	if tid%2 == 0 {
		u += v
	}
	v = n + 1
	t.SyncThreads()
	s[tid] = r
	t.SyncThreads()
	for range v {
		r += s[(tid+u)%t.BlockDim.X]
		t.SyncThreads()
	}
	out[i] = r
}

func liveUniformityWant(n int, cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		size := len(out)
		for i := range out {
			u := n
			if i%2 == 0 {
				u += int(in[first+i] & 15)
			}
			out[i] = in[first+(i+n)%size] + int32(n+1)*in[first+(i+u+n)%size]
		}
	})
}

// The address of a local is kept across barriers, and decides which of two variables is meant.
//
//gocuda:kernel
func livePointer(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	a, b := in[i], int32(100)
	p := &a
	if tid%3 == 0 {
		p = &b
	}
	s[tid] = a
	t.SyncThreads()
	*p += s[(tid+1)%n]
	q := &s[(tid+2)%n]
	t.SyncThreads()
	*q = *p
	t.SyncThreads()
	out[i] = a*3 + b + s[tid]
}

func livePointerWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		s := make([]int32, n)
		for i := range out {
			next := in[first+(i+1)%n]
			if i%3 == 0 {
				out[i] = in[first+i]*3 + 100 + next
				s[(i+2)%n] = 100 + next
			} else {
				out[i] = (in[first+i]+next)*3 + 100
				s[(i+2)%n] = in[first+i] + next
			}
		}
		for i := range out {
			out[i] += s[i]
		}
	})
}

// Slices as variables: a part of shared memory is chosen before the barrier and used after; two names
// change places in a loop.
//
//gocuda:kernel
func liveSlices(t *gocuda.Thread, in, out []int32) {
	n := t.BlockDim.X
	s := gocuda.Shared[int32](t, 2*n)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	from, to := s[:n], s[n:]
	rest := s[tid:]
	from[tid] = in[i]
	t.SyncThreads()
	first := rest[0]
	for k := range 5 {
		to[tid] = from[(tid+k)%n] + int32(k)
		t.SyncThreads()
		from, to = to, from
	}
	out[i] = from[n-1-tid] - first + int32(len(rest))
}

func liveSlicesWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		for i := range out {
			out[i] = in[first+(n-1-i+10)%n] + 10 - in[first+i] + int32(2*n-i)
		}
	})
}

// Values that are cheap to compute again, and one that must not be: its input has changed by then.
//
//gocuda:kernel
func liveRecomputed(t *gocuda.Thread, data []int32, out []int32) {
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	i := t.BlockIdx.X*n + tid
	mirror := t.BlockIdx.X*n + n - 1 - tid
	old := data[mirror]
	half := i / 2
	t.SyncThreads()
	data[i] = int32(half)
	t.SyncThreads()
	out[i] = old*2 + data[mirror] - int32(mirror)
}

// A parameter is each thread's own variable: changing it changes nothing for the others.
//
//gocuda:kernel
func liveParameters(t *gocuda.Thread, k int32, scale [2]int32, p pair, in, out []int32) {
	i := t.GlobalX()
	in = in[i-t.ThreadIdx.X:]
	k += in[t.ThreadIdx.X]
	scale[1] += int32(t.ThreadIdx.X)
	p.b[2] = k
	p.a--
	t.SyncThreads()
	in = in[1:]
	t.SyncThreads()
	out[i] = k + scale[0]*scale[1] + p.b[2]*p.a + p.b[1] + int32(len(in))
}

// Variables declared in the body of a loop begin anew in each round, also across barriers.
//
//gocuda:kernel
func liveFresh(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	r := int32(0)
	for k := range 4 {
		var sum int32
		var seen [2]bool
		s[tid] = in[i] ^ int32(k)
		t.SyncThreads()
		if v := s[(tid+k)%n]; v%3 == 0 {
			sum += v
			seen[k%2] = true
		}
		t.SyncThreads()
		if seen[0] || seen[1] {
			sum++
		}
		r = r*7 + sum
	}
	out[i] = r
}

func liveFreshWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		for i := range out {
			out[i] = 0
			for k := range 4 {
				out[i] *= 7
				if v := in[first+(i+k)%len(out)] ^ int32(k); v%3 == 0 {
					out[i] += v + 1
				}
			}
		}
	})
}

var privateCases = []Case{
	perThread("liveLong", linear, liveLong, liveLongKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(b, first int, out []int32) {
			n := len(out)
			for i := range out {
				out[i] = in[first+i]*3 - in[first+(i+2)%n]*3 - 1 + int32(b*100+n)
			}
		})
	}),
	perThread("liveTypes", linear, liveTypes, liveTypesKernel, liveTypesWant),
	perThread("liveStruct", linear, liveStruct, liveStructKernel, liveStructWant),
	perThread("liveArray", linear, liveArray, liveArrayKernel, liveArrayWant),
	withParameter("liveArrayCopies", linear, [4]int32{5, 6, 7, 8}, liveArrayCopies, liveArrayCopiesKernel, liveArrayCopiesWant),
	perThread("liveDivergent", linear, liveDivergent, liveDivergentKernel, liveDivergentWant),
	withParameter("liveUniformity", linear, 3, liveUniformity, liveUniformityKernel, liveUniformityWant),
	perThread("livePointer", linear, livePointer, livePointerKernel, livePointerWant),
	perThread("liveSlices", linear, liveSlices, liveSlicesKernel, liveSlicesWant),
	made("liveRecomputed", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		data, out := data[int32](n), marked[int32](n)
		return func(t *gocuda.Thread) { liveRecomputed(t, data, out) },
			liveRecomputedKernel(data, out), []any{out, data}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		old, now, out := data[int32](n), make([]int32, n), make([]int32, n)
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				m := first + len(out) - 1 - i
				now[first+i] = int32((first + i) / 2)
				out[i] = old[m]*2 + int32(m/2) - int32(m)
			}
		})
		return []any{out, now}
	}),
	perThread("liveParameters", linear,
		func(t *gocuda.Thread, in, out []int32) {
			liveParameters(t, 4, [2]int32{2, 3}, pair{7, [3]int32{1, 2, 3}}, in, out)
		},
		func(in, out []int32) gocuda.Kernel {
			return liveParametersKernel(4, [2]int32{2, 3}, pair{7, [3]int32{1, 2, 3}}, in, out)
		},
		func(cfg grid.Config, in, out []int32) {
			perBlock(cfg, out, func(_, first int, out []int32) {
				for i := range out {
					k := in[first+i] + 4
					out[i] = k + 2*int32(3+i) + k*6 + 2 + int32(len(in)-first-1)
				}
			})
		}),
	perThread("liveFresh", linear, liveFresh, liveFreshKernel, liveFreshWant),
}
