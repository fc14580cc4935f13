//go:build compiled

package corpus

import (
	"cmp"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/test/corpus/helper"
)

type number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// A generic kernel over all numbers: arithmetic, comparison, and a constant of the type.
//
//gocuda:kernel types=int8,int16,int32,int64,uint8,uint16,uint32,uint64,float32,float64
func genericSum[T number](t *gocuda.Thread, in, out []T) {
	s := gocuda.Shared[T](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	s[tid] = in[t.GlobalX()]
	t.SyncThreads()
	for d := 1; d < n; d *= 2 {
		var v T
		if tid >= d {
			v = s[tid-d]
		}
		t.SyncThreads()
		s[tid] += v
		t.SyncThreads()
	}
	v := s[tid]
	if v < 0 {
		v = -v
	}
	out[t.GlobalX()] = max(v/2, 1)
}

func genericSumWant[T number](cfg grid.Config, in, out []T) {
	perBlock(cfg, out, func(_, first int, out []T) {
		copy(out, in[first:])
		for d := 1; d < len(out); d *= 2 {
			for i := len(out) - 1; i >= d; i-- {
				out[i] += out[i-d]
			}
		}
		for i, v := range out {
			if v < 0 {
				v = -v
			}
			if v /= 2; v < 1 {
				v = 1
			}
			out[i] = v
		}
	})
}

// Two type parameters, and a conversion between them.
//
//gocuda:kernel types=int8,float32,int64,uint8
func genericConvert[From, To number](t *gocuda.Thread, scale To, in []From, out []To) {
	i := t.GlobalX()
	v := To(in[i]/4) * scale
	if From(v) == in[i] {
		v++
	}
	out[i] = v
}

// Integers of all sizes, with quotients, shifts and branches.
//
//gocuda:kernel types=int,int8,int16,int32,int64,uint,uint8,uint16,uint32,uint64
func genericBits[T integer](t *gocuda.Thread, n int, in, out []T) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v, w := in[i], in[n-1-i]
	x := v*w + v&^w ^ (v | w>>1) - w<<3
	if w != 0 && v > w {
		x += v/w ^ v%w
	} else if v < w {
		x = max(x, -v) / 3
	}
	for k := range 5 {
		if x&1 == 0 {
			x ^= v + T(k)
		}
		x = x>>2 | w<<(k+1)
	}
	out[i] = x - min(v, w, 77)
}

func genericBitsWant[T integer](cfg grid.Config, in, out []T) {
	for i, v := range in {
		w := in[len(in)-1-i]
		a, b := v*w, w<<3
		c, d := v&^w, v|w>>1
		x := (a + c) ^ d - b
		switch {
		case w != 0 && v > w:
			x += v/w ^ v%w
		case v < w:
			if x < -v {
				x = -v
			}
			x /= 3
		}
		for k := range 5 {
			if x%2 == 0 {
				x ^= v + T(k)
			}
			x = x>>2 | w<<(k+1)
		}
		out[i] = x - min(v, min(w, 77))
	}
}

func genericBitsCase[T integer](name string) Case {
	return guarded("genericBits-"+name, linear, genericBits[T], genericBitsKernel[T], genericBitsWant[T])
}

// Generic helpers, one of them with a barrier, and a generic struct with methods.
//
//gocuda:kernel
func genericHelpers[T int32 | float32](t *gocuda.Thread, in, out []T) {
	s := gocuda.Shared[T](t, t.BlockDim.X)
	i := t.GlobalX()
	var best top[T]
	for k := range 4 {
		v := rotated(t, s, in[i], k)
		best.offer(v)
		best.offer(clamp(v, -20, 20))
	}
	x, y := best.both()
	out[i] = x*2 + y + helper.Clamp(in[i], -3, 3) + pick(t.ThreadIdx.X%2 == 0, x, T(1))
}

func rotated[T any](t *gocuda.Thread, s []T, v T, by int) T {
	s[t.ThreadIdx.X] = v
	t.SyncThreads()
	v = s[(t.ThreadIdx.X+by)%len(s)]
	t.SyncThreads()
	return v
}

func clamp[T cmp.Ordered](v, low, high T) T { return max(low, min(v, high)) }

func pick[T any](ok bool, a, b T) T {
	if ok {
		return a
	}
	return b
}

// top keeps the two largest values.
type top[T number] struct {
	first, second T
	n             int
}

func (p *top[T]) offer(v T) {
	p.n++
	switch {
	case p.n == 1 || v > p.first:
		p.first, p.second = v, p.first
	case p.n == 2 || v > p.second:
		p.second = v
	}
}

func (p top[T]) both() (T, T) { return p.first, p.second }

func genericHelpersWant[T int32 | float32](cfg grid.Config, in, out []T) {
	perBlock(cfg, out, func(_, first int, out []T) {
		for i := range out {
			var all []T
			for k := range 4 {
				v := in[first+(i+k)%len(out)]
				all = append(all, v, min(max(v, -20), 20))
			}
			slices.Sort(all)
			x, y := all[7], all[6]
			c, p := min(max(in[first+i], -3), 3), T(1)
			if i%2 == 0 {
				p = x
			}
			r := x * 2
			out[i] = r + y + c + p
		}
	})
}

// A vector of a generic type, in a kernel whose type parameter is inferred from it.
//
//gocuda:kernel
func genericVectors[T float32 | float64](t *gocuda.Thread, a T, x, y []vector[T]) {
	if i := t.GlobalX(); i < len(y) {
		y[i] = x[i].times(a).plus(y[i])
	}
}

type vector[T number] [3]T

func (v vector[T]) times(a T) (r vector[T]) {
	for k := range v {
		r[k] = v[k] * a
	}
	return r
}

func (v vector[T]) plus(w vector[T]) vector[T] {
	for k, x := range w {
		v[k] += x
	}
	return v
}

func genericSumCase[T number](name string) Case {
	return perThread("genericSum-"+name, linear, genericSum[T], genericSumKernel[T], genericSumWant[T])
}

func genericConvertCase[From, To number](name string) Case {
	return withParameter("genericConvert-"+name, linear, To(3), genericConvert[From, To], genericConvertKernel[From, To], nil)
}

var genericCases = []Case{
	genericSumCase[int8]("int8"), genericSumCase[int16]("int16"), genericSumCase[int32]("int32"), genericSumCase[int64]("int64"),
	genericSumCase[uint8]("uint8"), genericSumCase[uint16]("uint16"), genericSumCase[uint32]("uint32"),
	genericSumCase[uint64]("uint64"), genericSumCase[float32]("float32"), genericSumCase[float64]("float64"),
	genericSumCase[celsius]("named"),
	genericConvertCase[int8, float32]("int8-float32"), genericConvertCase[float32, int64]("float32-int64"),
	genericConvertCase[int64, uint8]("int64-uint8"), genericConvertCase[float64, float32]("float64-float32"),
	genericBitsCase[int]("int"), genericBitsCase[int8]("int8"), genericBitsCase[int16]("int16"), genericBitsCase[int32]("int32"),
	genericBitsCase[int64]("int64"), genericBitsCase[uint]("uint"), genericBitsCase[uint8]("uint8"), genericBitsCase[uint16]("uint16"),
	genericBitsCase[uint32]("uint32"), genericBitsCase[uint64]("uint64"),
	perThread("genericHelpers-int32", linear, genericHelpers[int32], genericHelpersKernel[int32], genericHelpersWant[int32]),
	perThread("genericHelpers-float32", linear, genericHelpers[float32], genericHelpersKernel[float32], genericHelpersWant[float32]),
	vectorCase[float32]("float32"), vectorCase[float64]("float64"),
}

func vectorCase[T float32 | float64](name string) Case {
	return made("genericVectors-"+name, linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		x, y := data[vector[T]](n), dataFrom[vector[T]](n-1, 4)
		return func(t *gocuda.Thread) { genericVectors(t, 1.5, x, y) }, genericVectorsKernel(1.5, x, y), []any{y}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		x, y := data[vector[T]](n), dataFrom[vector[T]](n-1, 4)
		for i := range y {
			for k := range 3 {
				p := x[i][k] * 1.5
				y[i][k] = p + y[i][k]
			}
		}
		return []any{y}
	})
}
