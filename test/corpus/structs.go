//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A particle is an element of an array of structs.
type particle struct {
	Pos, Vel vec3
	Mass     float32
	ID       int32
	Alive    bool
}

type vec3 struct{ X, Y, Z float32 }

func (a vec3) add(b vec3) vec3          { return vec3{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }
func (a vec3) scale(s float32) vec3     { return vec3{X: a.X * s, Y: a.Y * s, Z: a.Z * s} }
func (a *vec3) reflect(limit float32)   { a.X, a.Y, a.Z = bounce(a.X, limit), bounce(a.Y, limit), -a.Z }
func (a vec3) dot(b vec3) (sum float32) { sum = a.X * b.X; sum += a.Y * b.Y; sum += a.Z * b.Z; return }

func bounce(x, limit float32) float32 {
	if x > limit {
		return limit - (x - limit)
	}
	return x
}

// Fields of an array of structs are loaded, stored and updated, with methods of both kinds.
//
//gocuda:kernel
func particles(t *gocuda.Thread, dt float32, p []particle) {
	i := t.GlobalX()
	if !p[i].Alive {
		return
	}
	v := p[i].Vel.scale(dt)
	p[i].Pos = p[i].Pos.add(v)
	p[i].Pos.reflect(50)
	q := &p[i]
	q.Mass *= 0.5
	q.Vel.Y -= 9.75 * dt
	q.ID++
	if q.Vel.dot(q.Pos) < 0 {
		q.Alive = false
		q.Vel = vec3{Z: q.Vel.Z}
	}
}

// A structure of arrays as one parameter.
type columns struct {
	x, y []float32
	n    int
	name string
}

func (c columns) at(i int) (x, y float32) { return c.x[i], c.y[i] }

//gocuda:kernel
func structOfArrays(t *gocuda.Thread, c columns, out *columns) {
	i := t.GlobalX()
	if i >= c.n-len(c.name) {
		return
	}
	x, y := c.at(i)
	out.x[i] = x*y - y
	out.y[i] = c.x[c.n-1-i] + x
}

// A struct that is shared by the block, and its fields written by different threads.
//
//gocuda:kernel
func structShared(t *gocuda.Thread, in, out []int32) {
	type slot struct {
		low, high int32
		tag       [2]uint8
	}
	s := gocuda.Shared[slot](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	s[tid].low = in[i]
	s[(tid+1)%n].high = in[i] * 2
	s[(tid+2)%n].tag[0] = uint8(tid)
	s[(tid+3)%n].tag[1]++
	t.SyncThreads()
	s[tid].tag[1] = 3
	t.SyncThreads()
	a, b := s[tid], &s[(tid+1)%n]
	out[i] = a.low + a.high*3 + int32(a.tag[0]) + b.low*5 + b.high*7 + int32(b.tag[0])*int32(b.tag[1])
}

func structSharedWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		at := func(i int) int32 { return in[first+(i%n+n)%n] }
		tag := func(i int) int32 { return int32(uint8((i%n + 2*n - 2) % n)) }
		for i := range out {
			out[i] = at(i) + at(i-1)*6 + tag(i) + at(i+1)*5 + at(i)*14 + tag(i+1)*3
		}
	})
}

// Structs in structs, some of them embedded, with their promoted fields and methods.
type base struct {
	id    int32
	count int
}

func (b *base) touch()           { b.count++ }
func (b base) describe() int32   { return b.id*100 + int32(b.count) }
func (e extended) weight() int32 { return e.describe() + e.extra.b[1] }

type extended struct {
	base
	extra pair
	inner struct{ deep [2]pair }
}

//gocuda:kernel
func structNested(t *gocuda.Thread, e extended, in, out []int32) {
	i := t.GlobalX()
	e.id = in[i]
	e.touch()
	t.SyncThreads()
	e.base.touch()
	e.inner.deep[i%2].b[i%3] = 7
	e.inner.deep[1-i%2] = e.inner.deep[i%2]
	f := e
	f.inner.deep[0].b[1] = 1000
	f.count += 10
	sum := int32(0)
	for _, d := range e.inner.deep {
		for k, v := range d.b {
			sum += d.a + v*int32(k+1)
		}
	}
	pt := struct{ x, y int32 }{y: sum}
	if f.base == e.base || f == e {
		pt.x = 5
	}
	out[i] = e.weight() + f.describe() - sum + pt.y*2 + pt.x + int32(e.count)
}

func structNestedWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		sum := 2 * (3*1 + 7*int32(i%3+1))
		out[i] = v*200 + 2 + 12 + 2 - sum + sum*2 + 2
	}
}

// Structs go by value into helpers and come back changed.
//
//gocuda:kernel
func structByValue(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[pair](t, t.BlockDim.X)
	i, tid := t.GlobalX(), t.ThreadIdx.X
	p := pair{a: in[i]}
	q := turned(p, tid)
	s[tid] = turned(q, 1)
	t.SyncThreads()
	r := turned(s[(tid+1)%t.BlockDim.X], 2)
	t.SyncThreads()
	out[i] = p.a + q.b[tid%3]*3 + r.a + r.b[0]*5 + r.b[1]*7 + r.b[2]*11
	p, q = q, p
	out[i] += p.a*13 + q.a*17
}

func turned(p pair, by int) pair {
	p.b[by%3] += p.a
	p.a = p.a*2 + 1
	return p
}

func structByValueWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		for i := range out {
			v, k := in[first+i], (i+1)%n
			w := in[first+k]
			var b [3]int32
			b[k%3] += w
			b[1] += 2*w + 1
			b[2] += 4*w + 3
			out[i] = v + v*3 + (8*w + 7) + b[0]*5 + b[1]*7 + b[2]*11 + (2*v+1)*13 + v*17
		}
	})
}

// Named types: of numbers with methods, of slices and of arrays.
type celsius float32

func (c celsius) fahrenheit() float32 { return float32(c)*1.5 + 32 }

type series []celsius

func (s series) mean(from, n int) (m celsius) {
	for k := range n {
		m += s[(from+k)%len(s)]
	}
	return m / celsius(n)
}

type board [4]uint8

func (b *board) set(i int) { b[i&3] |= 1 << (i & 7) }
func (b board) sum() (n int) {
	for _, v := range b {
		n += int(v)
	}
	return n
}

//gocuda:kernel
func namedTypes(t *gocuda.Thread, in series, out []float32) {
	i := t.GlobalX()
	var b board
	for k := range i % 6 {
		b.set(i * k)
	}
	f := celsius.fahrenheit
	out[i] = in.mean(i, 3).fahrenheit() + float32(b.sum()) + f(in[i])
}

var structCases = []Case{
	made("particles", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		p := data[particle](cfg.Blocks() * cfg.Threads())
		return func(t *gocuda.Thread) { particles(t, 0.01, p) }, particlesKernel(0.01, p), []any{p}
	}, func(cfg grid.Config) []any {
		ps := data[particle](cfg.Blocks() * cfg.Threads())
		dt, g := float32(0.01), float32(9.75)
		for i := range ps {
			p := &ps[i]
			if !p.Alive {
				continue
			}
			move := func(x, v float32) float32 { d := v * dt; return x + d }
			x, y, z := move(p.Pos.X, p.Vel.X), move(p.Pos.Y, p.Vel.Y), move(p.Pos.Z, p.Vel.Z)
			if x > 50 {
				x = 50 - (x - 50)
			}
			if y > 50 {
				y = 50 - (y - 50)
			}
			p.Pos = vec3{x, y, -z}
			p.Mass /= 2
			d := g * dt
			p.Vel.Y -= d
			p.ID++
			a, b, c := p.Vel.X*x, p.Vel.Y*y, p.Vel.Z*-z
			if s := float32(a+b) + c; s < 0 {
				p.Alive = false
				p.Vel.X, p.Vel.Y = 0, 0
			}
		}
		return []any{ps}
	}),
	made("structOfArrays", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		c := columns{data[float32](n), dataFrom[float32](n, 1), n, "ab"}
		out := &columns{x: marked[float32](n), y: marked[float32](n)}
		return func(t *gocuda.Thread) { structOfArrays(t, c, out) }, structOfArraysKernel(c, out), []any{out.x, out.y}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		x, y, a, b := data[float32](n), dataFrom[float32](n, 1), marked[float32](n), marked[float32](n)
		for i := range n - 2 {
			p := x[i] * y[i]
			a[i], b[i] = p-y[i], x[n-1-i]+x[i]
		}
		return []any{a, b}
	}),
	perThread("structShared", []grid.Config{line(2, 5), line(2, 33), line(2, 100), line(1, 255)}, structShared, structSharedKernel, structSharedWant),
	perThread("structNested", linear,
		func(t *gocuda.Thread, in, out []int32) { structNested(t, sample, in, out) },
		func(in, out []int32) gocuda.Kernel { return structNestedKernel(sample, in, out) }, structNestedWant),
	perThread("structByValue", linear, structByValue, structByValueKernel, structByValueWant),
	made("namedTypes", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out := series(data[celsius](n)), marked[float32](n)
		return func(t *gocuda.Thread) { namedTypes(t, in, out) }, namedTypesKernel(in, out), []any{out}
	}, nil),
}

var sample = extended{extra: pair{b: [3]int32{1, 2, 3}}, inner: struct{ deep [2]pair }{[2]pair{{a: 1}, {a: 1}}}}
