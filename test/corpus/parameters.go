//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// Parameters that are structs, with slices and arrays in them, and constant memory.

type paPlane struct {
	W, H    int
	X0, DX  float32
	Weights [4]float32
	Flip    bool
	In      []float32
}

type paAll struct {
	Plane paPlane
	Scale float64
}

// Fields of a struct in a struct.
//
//gocuda:kernel
func paFields(t *gocuda.Thread, p paAll, out []float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= p.Plane.W || y >= p.Plane.H {
		return
	}
	v := p.Plane.X0 + p.Plane.DX*float32(x)
	if p.Plane.Flip {
		v = -v
	}
	out[y*p.Plane.W+x] = v * p.Plane.In[y*p.Plane.W+x] * float32(p.Scale)
}

// An array in a struct, and a slice that is the one that is stored to.
//
//gocuda:kernel
func paWeights(t *gocuda.Thread, p paPlane, out []float32) {
	i := t.GlobalX()
	if i < len(out) {
		var s float32
		for k := range 4 {
			s += p.Weights[k] * p.In[min(i+k, len(p.In)-1)]
		}
		out[i] = s
	}
}

// A struct that each thread changes.
//
//gocuda:kernel
func paOwn(t *gocuda.Thread, p paPlane, out []float32) {
	i := t.GlobalX()
	p.W += i
	p.Weights[1] = float32(i)
	if i < len(out) {
		out[i] = float32(p.W) + p.Weights[1] + p.Weights[2]
	}
}

// Constant memory, at an index for all and at one of each thread.
//
//gocuda:kernel
func paConstant(t *gocuda.Thread, table mem.ReadOnly[float64], points mem.ReadOnly[paCorner], out []float64) {
	i := t.GlobalX()
	if i < len(out) {
		s := 0.0
		for k := 0; k < points.Len(); k++ {
			q := points.At(k)
			s += q.X*float64(i) + q.Y
		}
		out[i] = s + table.At(i%table.Len())
	}
}

type paCorner struct{ X, Y float64 }

func paCases() []Case {
	plane := func(in []float32) paPlane {
		return paPlane{W: 19, H: 7, X0: -1, DX: 0.25, Weights: [4]float32{1, 2, 0.5, -1}, Flip: true, In: in}
	}
	linearOut := func(cfg grid.Config) int { return max(1, cfg.Blocks()*cfg.Threads()-2) }
	return []Case{
		made("paFields", []grid.Config{grid.Box(2, 2, 1, 16, 4, 1), grid.Box(1, 3, 1, 20, 2, 1)}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			p, out := paAll{plane(rsNumbers[float32](19*7, 0)), 1.5}, marked[float32](19*7)
			return func(t *gocuda.Thread) { paFields(t, p, out) }, paFieldsKernel(p, out), []any{out}
		}, func(cfg grid.Config) []any {
			in, out := rsNumbers[float32](19*7, 0), marked[float32](19*7)
			for y := range min(7, cfg.Grid.Y*cfg.Block.Y) {
				for x := range min(19, cfg.Grid.X*cfg.Block.X) {
					out[y*19+x] = -(0.25*float32(x) - 1) * in[y*19+x] * 1.5
				}
			}
			return []any{out}
		}),
		made("paWeights", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			p, out := plane(rsNumbers[float32](linearOut(cfg)+2, 0)), marked[float32](linearOut(cfg))
			return func(t *gocuda.Thread) { paWeights(t, p, out) }, paWeightsKernel(p, out), []any{out}
		}, nil),
		made("paOwn", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			p, out := plane(nil), marked[float32](linearOut(cfg))
			return func(t *gocuda.Thread) { paOwn(t, p, out) }, paOwnKernel(p, out), []any{out}
		}, func(cfg grid.Config) []any {
			out := marked[float32](linearOut(cfg))
			for i := range out {
				out[i] = float32(19+2*i) + 0.5
			}
			return []any{out}
		}),
		made("paConstant", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			table, points := mem.ReadOnly[float64]{Elements: rsNumbers[float64](37, 1)}, mem.ReadOnly[paCorner]{Elements: []paCorner{{1, 2}, {0.5, -3}, {2, 0.25}}}
			out := marked[float64](linearOut(cfg))
			return func(t *gocuda.Thread) { paConstant(t, table, points, out) }, paConstantKernel(table, points, out), []any{out}
		}, func(cfg grid.Config) []any {
			table, out := rsNumbers[float64](37, 1), marked[float64](linearOut(cfg))
			for i := range out {
				out[i] = 3.5*float64(i) - 0.75 + table[i%37]
			}
			return []any{out}
		}),
	}
}
