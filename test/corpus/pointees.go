//go:build compiled

package corpus

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Parameters that are pointers to numbers, to arrays, and to structs with both, in kernels that read and change what
// they lead to. In some cases a pointer leads to what another parameter has, too.

// A ptStats has counters that threads share.
type ptStats struct {
	Count, Sum int32 // side by side
	Scale      int32
	Hist       [16]int32
	Name       string
}

// A ptFilter is all that a filter needs.
type ptFilter struct {
	W       [9]float32
	M       [3][3]float32
	Alpha   float32
	Inner   ptBounds
	In, Out []float32
}

type ptBounds struct {
	Lo, Hi int
	Gain   [4]float32
}

type ptBody struct{ At, Mass float32 }

//gocuda:kernel
func ptScale(t *gocuda.Thread, n *int, in, out []float32, by *float32) {
	if i := t.GlobalX(); i < *n {
		out[i] = in[i]*2 + *by
	}
}

//gocuda:kernel
func ptCount(t *gocuda.Thread, in []int32, total, most *int32, bits *uint32, flag *bool) {
	i := t.GlobalX()
	if i >= len(in) {
		return
	}
	atomic.Add(total, in[i]&7)
	atomic.Max(most, in[i])
	if in[i]&3 == 1 {
		atomic.Or(bits, 1<<(uint32(in[i])>>3&31))
		*flag = true
	}
}

//gocuda:kernel
func ptTally(t *gocuda.Thread, in []int32, s *ptStats, out []int32) {
	i := t.GlobalX()
	if i >= len(in) {
		return
	}
	if in[i]&1 == 0 {
		atomic.Add(&s.Count, 1)
		atomic.Add(&s.Sum, in[i]&31)
	}
	atomic.Add(&s.Hist[in[i]&15], 2)
	out[i] = in[i]*s.Scale + int32(len(s.Name))
}

// The weights by counters, by constants and by data, and fields of a struct within.
//
//gocuda:kernel
func ptFiltered(t *gocuda.Thread, p *ptFilter) {
	i := t.GlobalX()
	if i < p.Inner.Lo || i >= p.Inner.Hi {
		return
	}
	sum := p.Alpha
	for k := range p.W {
		sum += p.W[k] * p.In[i+k]
	}
	for y := 0; y < 3; y++ {
		for x := 0; x < 3; x++ {
			sum -= p.M[y][x] * p.In[i+2*y+x]
		}
	}
	p.Out[i] = sum*p.W[4] + p.Inner.Gain[i&3]
}

// Copies of the weights, and slices and elements of them through pointers.
//
//gocuda:kernel
func ptCopies(t *gocuda.Thread, p *ptFilter) {
	i := t.GlobalX()
	if i >= p.Inner.Hi {
		return
	}
	sum := float32(0)
	for k, w := range p.W {
		sum += w * p.In[i+k]
	}
	some := p.W[2:6]
	last := &p.W[8]
	for k, w := range some {
		sum += w - float32(k)**last
	}
	m := p.M
	m[1][2] += sum
	p.Out[i] = m[1][2] + p.M[1][2]
}

// A thread changes an element of an array that the others don't use. The output may be that array.
//
//gocuda:kernel
func ptSame(t *gocuda.Thread, a *[256]float32, out []float32) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	v := a[i]*3 + 1
	out[i] = v
	a[i] += v
}

// What one thread stores all read behind a barrier, as the number, and as an element of the input.
//
//gocuda:kernel
func ptPhases(t *gocuda.Thread, in, out []float32, total *float32) {
	x := t.ThreadIdx.X
	v := in[x]
	t.SyncThreads()
	if x == 0 {
		*total = v + 5
	}
	t.SyncThreads()
	w := *total
	t.SyncThreads()
	if x == 1 {
		*total++
	}
	t.SyncThreads()
	out[x] = v + 2*w + 4**total + 8*in[x]
}

// The number may be a field of one of the bodies.
//
//gocuda:kernel
func ptBodies(t *gocuda.Thread, bodies []ptBody, mass *float32, out []float32) {
	x := t.ThreadIdx.X
	before := bodies[x].Mass
	t.SyncThreads()
	if x == 2 {
		*mass = before + 100
	}
	t.SyncThreads()
	out[x] = bodies[x].Mass - before + *mass
}

// Two pointers to structs of one type.
//
//gocuda:kernel
func ptTwo(t *gocuda.Thread, a, b *ptStats, out []int32) {
	x := t.ThreadIdx.X
	if x == 0 {
		a.Count += 7
		a.Hist[3]++
	}
	t.SyncThreads()
	out[x] = b.Count + 10*b.Hist[3] + 100*b.Scale
	t.SyncThreads()
	if x == 1 {
		b.Scale = b.Count
	}
	t.SyncThreads()
	out[x] += a.Scale
}

// A pointer to a struct, or a field, that another pointer's struct may have within.
//
//gocuda:kernel
func ptWithin(t *gocuda.Thread, p *ptFilter, in *ptBounds, alpha, gain *float32, out []float32) {
	x := t.ThreadIdx.X
	if x == 0 {
		in.Lo = 5
		*alpha = 2
		*gain += 3
	}
	t.SyncThreads()
	out[x] = float32(p.Inner.Lo)*p.Alpha + p.Inner.Gain[1] + in.Gain[1] + p.W[x%9]
}

// A table of which threads change rows of their own.
//
//gocuda:kernel
func ptTable(t *gocuda.Thread, table *[4][64]float32, out []float32) {
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	table[y][x] *= 2
	t.SyncThreads()
	out[y*64+x] = table[3-y][63-x]
}

type ptPair[T any] struct {
	A, B T
	C    [2]T
}

//gocuda:kernel
func ptGeneric[T int32 | float32 | float64](t *gocuda.Thread, p *T, q *ptPair[T], n *int, out []T) {
	if i := t.GlobalX(); i < *n {
		out[i] = out[i]**p + q.A - q.B*q.C[i&1]
	}
}

//gocuda:kernel
func ptVariadic(t *gocuda.Thread, p *ptFilter, n *int, rows ...[]float32) {
	if i := t.GlobalX(); i < *n {
		sum := float32(0)
		for k, r := range rows {
			sum += r[i] * p.W[k]
		}
		p.Out[i] = sum
	}
}

// Pointers that may be nil.
//
//gocuda:kernel
func ptOptional(t *gocuda.Thread, in, out, mask []float32, bias *float32, p *ptBounds) {
	i := t.GlobalX()
	if i >= len(in) {
		return
	}
	v := in[i]
	if bias != nil {
		v += *bias
	}
	if p != nil {
		v *= p.Gain[i&3]
	}
	if mask != nil {
		v *= mask[i]
	}
	out[i] = v
}

// Helpers that get the pointers.
//
//gocuda:kernel
func ptHelpers(t *gocuda.Thread, p *ptFilter, total *int32) {
	i := t.GlobalX()
	if i < p.Inner.Hi {
		p.Out[i] = p.weighed(i) + gainOf(&p.Inner, i)
		counted(total, int32(i))
	}
}

func (p *ptFilter) weighed(i int) float32 { return p.W[i%9]*p.In[i] + p.Alpha }

func gainOf(b *ptBounds, i int) float32 { return b.Gain[i&3] * float32(b.Hi) }

func counted(n *int32, by int32) { atomic.Add(n, by) }

//gocuda:kernel
func ptFailNil(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	s := &ptStats{Scale: 3}
	if unlucky(t, who) {
		s = nil
	}
	out[i] = in[i] * s.Scale
}

// ptFilterOf makes a filter for n elements.
func ptFilterOf(n int) *ptFilter {
	p := &ptFilter{Alpha: 0.5, Inner: ptBounds{Lo: 3, Hi: n - 9, Gain: [4]float32{1, 2, 4, 8}}, In: data[float32](n), Out: marked[float32](n)}
	for k := range p.W {
		p.W[k] = float32(k) - 3
		p.M[k/3][k%3] = 1 / float32(k+1)
	}
	return p
}

// Copies of arrays that are read before anything is stored, and such that are not: each thread keeps what its element of
// own was, which may be one of the arrays.
//
//gocuda:kernel
func ptSnapshots(t *gocuda.Thread, p *ptFilter, own, out []float32) {
	i := t.GlobalX()
	if i >= len(own) {
		return
	}
	weights := p.W
	sum := weights[i%9] * 2
	for y, row := range p.M {
		for x, m := range row {
			if 3*y+x == i {
				sum += m
			}
		}
	}
	before, rows := p.W, p.M
	own[i] = sum + 1
	for k, w := range before {
		if k == i {
			sum += 3 * w
		}
	}
	for k, row := range rows {
		if k == i/3 {
			sum -= row[i%3] * 5
		}
	}
	after := p.W
	out[i] = sum + after[i%9]*7
}

func pointeeCases() (all []Case) {
	add := func(name string, cfg grid.Config, build func() (func(*gocuda.Thread), gocuda.Kernel, []any), want func() []any) {
		all = append(all, made(fmt.Sprintf("%s %v%v", name, cfg.Grid, cfg.Block), []grid.Config{cfg},
			func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) { return build() }, func(grid.Config) []any { return want() }))
	}
	for _, cfg := range []grid.Config{line(1, 33), line(3, 64), line(5, 100)} {
		n := cfg.Blocks()*cfg.Threads() - 2
		for k := range 3 { // the number is one of its own, an element of the input, or one of the output that no thread stores to
			make := func() (many *int, in, out []float32, by *float32) {
				m, own := n-5, float32(3)
				in, out = data[float32](n), marked[float32](n)
				return &m, in, out, []*float32{&own, &in[4], &out[n-1]}[k]
			}
			add(fmt.Sprint("ptScale-", k), cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
				m, in, out, by := make()
				return func(t *gocuda.Thread) { ptScale(t, m, in, out, by) }, ptScaleKernel(m, in, out, by), []any{out}
			}, func() []any {
				m, in, out, by := make()
				for i := range *m {
					out[i] = in[i]*2 + *by
				}
				return []any{out}
			})
		}
		add("ptTally", cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out, s := data[int32](n), marked[int32](n), &ptStats{Sum: 3, Scale: 5, Name: "abc"}
			return func(t *gocuda.Thread) { ptTally(t, in, s, out) }, ptTallyKernel(in, s, out), []any{out, s.Hist[:], unsafe.Slice(&s.Count, 2)}
		}, func() []any {
			in, out, s := data[int32](n), marked[int32](n), &ptStats{Sum: 3, Scale: 5, Name: "abc"}
			for i, v := range in {
				if v&1 == 0 {
					s.Count++
					s.Sum += v & 31
				}
				s.Hist[v&15] += 2
				out[i] = v*5 + 3
			}
			return []any{out, s.Hist[:], unsafe.Slice(&s.Count, 2)}
		})
		for k := range 3 { // the thread's own numbers are elsewhere, the weights, or the matrix
			make := func() (p *ptFilter, own, out []float32) {
				p = ptFilterOf(n)
				own = [][]float32{data[float32](n), p.W[:], unsafe.Slice(&p.M[0][0], 9)}[k]
				return p, own, marked[float32](len(own))
			}
			add(fmt.Sprint("ptSnapshots-", k), cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
				p, own, out := make()
				return func(t *gocuda.Thread) { ptSnapshots(t, p, own, out) }, ptSnapshotsKernel(p, own, out), []any{own, out}
			}, func() []any {
				p, own, out := make()
				all := slices.Concat(p.W[:], p.M[0][:], p.M[1][:], p.M[2][:])
				for i := range min(len(own), cfg.Blocks()*cfg.Threads()) {
					sum := all[i%9] * 2
					if i < 9 {
						sum += all[9+i]
					}
					mine := sum + 1
					if i < 9 {
						sum += float32(3 * all[i])
					}
					if i/3 < 3 {
						sum -= float32(all[9+i] * 5)
					}
					last := all[i%9]
					if k == 1 {
						last = mine
					}
					own[i], out[i] = mine, sum+float32(last*7)
				}
				return []any{own, out}
			})
			all[len(all)-1].Races = k > 0 // a copy has the elements of others, too
		}
		add("ptFiltered", cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
			p := ptFilterOf(n)
			return func(t *gocuda.Thread) { ptFiltered(t, p) }, ptFilteredKernel(p), []any{p.Out}
		}, func() []any {
			p := ptFilterOf(n)
			for i := p.Inner.Lo; i < p.Inner.Hi; i++ {
				sum := float32(0.5)
				for k := range 9 {
					sum += float32((float32(k) - 3) * p.In[i+k])
				}
				for k := range 9 {
					sum -= float32(1 / float32(k+1) * p.In[i+k/3*2+k%3])
				}
				p.Out[i] = sum + float32(int(1)<<(i&3))
			}
			return []any{p.Out}
		})
		add("ptCopies", cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
			p := ptFilterOf(n)
			return func(t *gocuda.Thread) { ptCopies(t, p) }, ptCopiesKernel(p), []any{p.Out}
		}, func() []any {
			p := ptFilterOf(n)
			for i := range p.Inner.Hi {
				sum := float32(0)
				for k := range 9 {
					sum += float32((float32(k) - 3) * p.In[i+k])
				}
				for k := range 4 {
					sum += float32(k-1) - float32(5*k)
				}
				sixth := 1 / float32(6)
				p.Out[i] = sixth + sum + sixth
			}
			return []any{p.Out}
		})
		for k := range 2 { // the output is the array
			m := min(n, 256)
			make := func() (a *[256]float32, out []float32) {
				a, out = (*[256]float32)(data[float32](256)), marked[float32](m)
				if k == 1 {
					out = a[:m]
				}
				return a, out
			}
			add(fmt.Sprint("ptSame-", k), cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
				a, out := make()
				return func(t *gocuda.Thread) { ptSame(t, a, out) }, ptSameKernel(a, out), []any{a[:], out}
			}, func() []any {
				a, out := make()
				for i := range out {
					v := float32(a[i]*3) + 1
					out[i] = v
					a[i] += v
				}
				return []any{a[:], out}
			})
		}
		add("ptGeneric", cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
			m, p, q, out := n-1, float32(3), &ptPair[float32]{A: 4, B: 5, C: [2]float32{6, 7}}, data[float32](n)
			return func(t *gocuda.Thread) { ptGeneric(t, &p, q, &m, out) }, ptGenericKernel(&p, q, &m, out), []any{out}
		}, func() []any {
			out := data[float32](n)
			for i := range n - 1 {
				out[i] = float32(out[i]*3) + 4 - float32(30+5*(i&1))
			}
			return []any{out}
		})
		add("ptVariadic", cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
			p := ptFilterOf(n)
			return func(t *gocuda.Thread) { ptVariadic(t, p, &n, p.In, p.In, p.In) }, ptVariadicKernel(p, &n, p.In, p.In, p.In), []any{p.Out}
		}, func() []any {
			p := ptFilterOf(n)
			for i, v := range p.In {
				p.Out[i] = v*-3 + v*-2 + v*-1
			}
			return []any{p.Out}
		})
		for k := range 4 { // which of them is nil
			bias, bounds := float32(1.5), &ptBounds{Gain: [4]float32{1, 2, 3, 4}}
			in, mask, b, p := data[float32](n), data[float32](n), &bias, bounds
			switch k {
			case 1:
				mask = nil
			case 2:
				b = nil
			case 3:
				mask, p = nil, nil
			}
			add(fmt.Sprint("ptOptional-", k), cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
				out := marked[float32](n)
				return func(t *gocuda.Thread) { ptOptional(t, in, out, mask, b, p) }, ptOptionalKernel(in, out, mask, b, p), []any{out}
			}, func() []any {
				out := marked[float32](n)
				for i, v := range in {
					if k != 2 {
						v += 1.5
					}
					if k != 3 {
						v *= float32(i&3 + 1)
					}
					if k%2 == 0 {
						v *= mask[i]
					}
					out[i] = v
				}
				return []any{out}
			})
		}
		add("ptHelpers", cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
			p, total := ptFilterOf(n), make([]int32, 1)
			return func(t *gocuda.Thread) { ptHelpers(t, p, &total[0]) }, ptHelpersKernel(p, &total[0]), []any{p.Out, total}
		}, func() []any {
			p, total := ptFilterOf(n), make([]int32, 1)
			for i := range p.Inner.Hi {
				p.Out[i] = float32(float32(i%9-3)*p.In[i]) + 0.5 + float32(p.Inner.Hi<<(i&3))
				total[0] += int32(i)
			}
			return []any{p.Out, total}
		})
	}
	for _, threads := range []int{33, 64, 256} {
		cfg := line(1, threads)
		for k := range 2 { // the number is an element of the input
			make := func() (in, out []float32, total *float32) {
				own := float32(1)
				in = data[float32](threads)
				return in, marked[float32](threads), []*float32{&own, &in[7]}[k]
			}
			add(fmt.Sprint("ptPhases-", k), cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
				in, out, total := make()
				return func(t *gocuda.Thread) { ptPhases(t, in, out, total) }, ptPhasesKernel(in, out, total), []any{in, out}
			}, func() []any {
				in, out, total := make()
				before := data[float32](threads)
				*total = before[0] + 5
				w := *total
				*total++
				for i, v := range before {
					out[i] = v + 2*w + 4**total + 8*in[i]
				}
				return []any{in, out}
			})
			bodies := func() (list []ptBody, mass *float32) {
				own := float32(1)
				for _, v := range data[float32](threads) {
					list = append(list, ptBody{v, 2 * v})
				}
				return list, []*float32{&own, &list[5].Mass}[k]
			}
			add(fmt.Sprint("ptBodies-", k), cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
				list, mass := bodies()
				out := marked[float32](threads)
				return func(t *gocuda.Thread) { ptBodies(t, list, mass, out) }, ptBodiesKernel(list, mass, out), []any{list, out}
			}, func() []any {
				list, mass := bodies()
				before, _ := bodies()
				out := marked[float32](threads)
				*mass = before[2].Mass + 100
				for i := range out {
					out[i] = list[i].Mass - before[i].Mass + *mass
				}
				return []any{list, out}
			})
			two := func() (a, b *ptStats) {
				a, b = &ptStats{Count: 1, Scale: 2}, &ptStats{Count: 3, Scale: 4}
				return a, []*ptStats{b, a}[k]
			}
			add(fmt.Sprint("ptTwo-", k), cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
				a, b := two()
				out := marked[int32](threads)
				return func(t *gocuda.Thread) { ptTwo(t, a, b, out) }, ptTwoKernel(a, b, out), []any{a.Hist[:], out}
			}, func() []any {
				a, b := two()
				out := marked[int32](threads)
				a.Count += 7
				a.Hist[3]++
				first := b.Count + 10*b.Hist[3] + 100*b.Scale
				b.Scale = b.Count
				for i := range out {
					out[i] = first + a.Scale
				}
				return []any{a.Hist[:], out}
			})
			within := func() (p *ptFilter, in *ptBounds, alpha, gain *float32) {
				own, bounds := [2]float32{3, 4}, &ptBounds{Gain: [4]float32{9, 9, 9, 9}}
				if p = ptFilterOf(40); k == 1 {
					return p, &p.Inner, &p.Alpha, &p.Inner.Gain[1]
				}
				return p, bounds, &own[0], &own[1]
			}
			add(fmt.Sprint("ptWithin-", k), cfg, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
				p, in, alpha, gain := within()
				out := marked[float32](threads)
				return func(t *gocuda.Thread) { ptWithin(t, p, in, alpha, gain, out) }, ptWithinKernel(p, in, alpha, gain, out), []any{out}
			}, func() []any {
				p, in, alpha, gain := within()
				out := marked[float32](threads)
				in.Lo, *alpha = 5, 2
				*gain += 3
				for i := range out {
					out[i] = float32(float32(p.Inner.Lo)*p.Alpha) + p.Inner.Gain[1] + in.Gain[1] + float32(i%9-3)
				}
				return []any{out}
			})
		}
	}
	plane := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 64, Y: 4}}
	table := func() (*[4][64]float32, []float32) {
		table := new([4][64]float32)
		for i, v := range data[float32](256) {
			table[i/64][i%64] = v
		}
		return table, marked[float32](256)
	}
	add("ptTable", plane, func() (func(*gocuda.Thread), gocuda.Kernel, []any) {
		a, out := table()
		return func(t *gocuda.Thread) { ptTable(t, a, out) }, ptTableKernel(a, out), []any{a[0][:], a[3][:], out}
	}, func() []any {
		a, out := table()
		for i := range out {
			out[255-i] = a[i/64][i%64] * 2
		}
		for y := range a {
			for x := range a[y] {
				a[y][x] *= 2
			}
		}
		return []any{a[0][:], a[3][:], out}
	})
	counting := Case{Races: true, Name: "ptCount", Configs: []grid.Config{line(1, 33), line(4, 100)}, Make: func(cfg grid.Config) Instance {
		in := data[int32](cfg.Blocks()*cfg.Threads() - 1)
		numbers, bits, flag := []int32{5, -100}, []uint32{1}, []bool{false}
		return Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { ptCount(t, in, &numbers[0], &numbers[1], &bits[0], &flag[0]) }),
			Compiled: ptCountKernel(in, &numbers[0], &numbers[1], &bits[0], &flag[0]),
			Outputs:  []any{numbers, bits, flag},
			Want: func() []any {
				numbers, bits, flag := []int32{5, -100}, []uint32{1}, []bool{false}
				for _, v := range in {
					numbers[0] += v & 7
					numbers[1] = max(numbers[1], v)
					if v&3 == 1 {
						bits[0] |= 1 << (uint32(v) >> 3 & 31)
						flag[0] = true
					}
				}
				return []any{numbers, bits, flag}
			},
		}
	}}
	return append(all, counting)
}
