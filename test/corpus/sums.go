//go:build compiled

package corpus

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops of a thread over its elements that pass something on from round to round, so that they
// can't be turned inside out. All threads of a vector go most rounds together, and the last ones
// not.

// smConfigs have rows of eight vectors, of some, and such that are no vectors.
var smConfigs = []grid.Config{
	{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 256}},
	{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 64}},
	{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 40}},
	{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 16, Y: 2}},
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 3}},
}

// The sum of a thread, a grid apart.
//
//gocuda:kernel
func smSum(t *gocuda.Thread, n, step, off int, in, out []float32) {
	var s float32
	for i := t.GlobalX() + off; i < n; i += step {
		s += in[i]
	}
	out[smRank(t)] = s
}

func smRank(t *gocuda.Thread) int {
	return t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y + t.Rank()
}

// Elements beside the counter, by way of variables, and the same for all.
//
//gocuda:kernel
func smBeside(t *gocuda.Thread, n, step, off int, in, out []float32) {
	s := float32(1)
	for i := t.GlobalX(); i < n; i += step {
		j := i + off
		k := j - 1
		s = s*0.5 + in[j]*in[k+1] + in[off] - in[i]
	}
	out[smRank(t)] = s
}

// Branches in the rounds, some of which only some threads take, and a loop in them.
//
//gocuda:kernel
func smBranches(t *gocuda.Thread, n, step, off int, in, out []float32) {
	var s, u float32
	for i := t.GlobalX(); i < n; i += step {
		x := in[i]
		if x > 5 {
			s += x
		} else if i%3 == 0 {
			s -= in[i+off]
		} else {
			u++
		}
		for k := 0; k < off; k++ {
			u += in[k]
		}
		if step > 100 {
			u = u*0.5 + in[i+off]
		}
	}
	out[smRank(t)] = s*3 + u
}

// Two loops, the second of which goes on where the first has ended, and something stored in between.
//
//gocuda:kernel
func smTwice(t *gocuda.Thread, n, step, off int, in, out []float32) {
	var s float32
	i := t.GlobalX()
	for ; i < n-off; i += step {
		s += in[i]
	}
	out[smRank(t)] = s
	for ; i < n; i += step {
		s = s*2 - in[i]
	}
	out[smRank(t)] += s + float32(i)
}

// A loop in a branch, whose rounds some threads do not go at all, and which writes.
//
//gocuda:kernel
func smInBranch(t *gocuda.Thread, n, step, off int, in, out []float32) {
	s := float32(t.ThreadIdx.X)
	if t.ThreadIdx.X >= off {
		for i := t.GlobalX(); i < n; i += step {
			s += in[i]
		}
	}
	u := int32(0)
	if n > 10 {
		for i := t.GlobalX(); i < n; i += step {
			u = u*3 + int32(in[i]) + int32(i)
		}
	}
	out[smRank(t)] = s + float32(u%1000)
}

// The counter decides something, an index grows by two, and the limit is an expression.
//
//gocuda:kernel
func smCounter(t *gocuda.Thread, n, step, off int, in, out []float32) {
	var s float32
	for i := t.GlobalX(); i < min(n, 1000)/2; i += step + 1 {
		s += in[2*i]*float32(i&7) + in[i+i/2-i/2]
		if i > off {
			s *= 0.25
		}
	}
	out[smRank(t)] = s
}

// Elements of 64 bits and of 32, in one loop.
//
//gocuda:kernel
func smWide(t *gocuda.Thread, n, step, off int, in, out []float32) {
	var s float64
	for i := t.GlobalX() + off; i < n; i += step {
		s += float64(in[i]) / 3
	}
	out[smRank(t)] = float32(s)
}

// The limit differs between rows, and the counter begins behind it for some blocks.
//
//gocuda:kernel
func smRows(t *gocuda.Thread, n, step, off int, in, out []float32) {
	var s float32
	for i := t.GlobalX(); i < n-off*t.ThreadIdx.Y; i += step {
		s += in[i+t.ThreadIdx.Y]
	}
	out[smRank(t)] = s
}

type smKernel struct {
	name     string
	source   func(*gocuda.Thread, int, int, int, []float32, []float32)
	compiled func(int, int, int, []float32, []float32) gocuda.Kernel
	// want is the result of thread x of the grid, tx and ty of its block.
	want func(x, tx, ty, n, step, off int, in []float32) float32
}

var smKernels = []smKernel{
	{"smSum", smSum, smSumKernel, func(x, _, _, n, step, off int, in []float32) (s float32) {
		for _, v := range smPicked(in[:max(n, 0)], x+off, step) {
			s += v
		}
		return s
	}},
	{"smBeside", smBeside, smBesideKernel, func(x, _, _, n, step, off int, in []float32) float32 {
		s := float32(1)
		for r := 0; x+r*step < n; r++ {
			at := in[x+r*step:]
			half := float32(s * 0.5)
			square := float32(at[off] * at[off])
			s = half + square + in[off] - at[0]
		}
		return s
	}},
	{"smBranches", smBranches, smBranchesKernel, func(x, _, _, n, step, off int, in []float32) float32 {
		var s, u float32
		for r := 0; x+r*step < n; r++ {
			i := x + r*step
			switch {
			case in[i] > 5:
				s += in[i]
			case i%3 == 0:
				s -= in[i+off]
			default:
				u++
			}
			for _, v := range in[:off] {
				u += v
			}
			if step > 100 {
				u = float32(u*0.5) + in[i+off]
			}
		}
		return float32(s*3) + u
	}},
	{"smTwice", smTwice, smTwiceKernel, func(x, _, _, n, step, off int, in []float32) float32 {
		var s float32
		for _, v := range smPicked(in[:max(n-off, 0)], x, step) {
			s += v
		}
		first := s
		i := x
		for ; i < n; i += step {
			if i >= n-off {
				s = float32(s*2) - in[i]
			}
		}
		return first + (s + float32(i))
	}},
	{"smInBranch", smInBranch, smInBranchKernel, func(x, tx, _, n, step, off int, in []float32) float32 {
		s, u := float32(tx), int32(0)
		for r, v := range smPicked(in[:max(n, 0)], x, step) {
			if tx >= off {
				s += v
			}
			if n > 10 {
				u = u*3 + int32(v) + int32(x+r*step)
			}
		}
		return s + float32(u%1000)
	}},
	{"smCounter", smCounter, smCounterKernel, func(x, _, _, n, step, off int, in []float32) (s float32) {
		for r := 0; x+r*(step+1) < min(n, 1000)/2; r++ {
			i := x + r*(step+1)
			product := float32(in[2*i] * float32(i%8))
			s += product + in[i]
			if i > off {
				s /= 4
			}
		}
		return s
	}},
	{"smWide", smWide, smWideKernel, func(x, _, _, n, step, off int, in []float32) float32 {
		var s float64
		for _, v := range smPicked(in[:max(n, 0)], x+off, step) {
			s += float64(v) / 3
		}
		return float32(s)
	}},
	{"smRows", smRows, smRowsKernel, func(x, _, ty, n, step, off int, in []float32) (s float32) {
		for r := 0; x+r*step < n-off*ty; r++ {
			s += in[ty:][x+r*step]
		}
		return s
	}},
}

// smPicked returns the elements of v from first on, step apart.
func smPicked(v []float32, first, step int) []float32 {
	var out []float32
	for i, x := range v {
		if i >= first && (i-first)%step == 0 {
			out = append(out, x)
		}
	}
	return out
}

func smCases() (cases []Case) {
	for _, k := range smKernels {
		for _, p := range []struct {
			name         string
			n, step, off int
		}{
			{"even", 4096, 512, 2}, {"odd", 1009, 77, 3}, {"dense", 700, 16, 1}, {"one round", 250, 5000, 0}, {"none", 0, 10, 0},
			{"few", 9, 3, 1}, {"huge steps", 2000, 1 << 29, 5}, {"below zero", -5, 7, 0},
		} {
			in := data[float32](max(p.n, 0) + 100)
			cases = append(cases, made(k.name+" "+p.name, smConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				out := marked[float32](cfg.Blocks() * cfg.Threads())
				return func(t *gocuda.Thread) { k.source(t, p.n, p.step, p.off, in, out) }, k.compiled(p.n, p.step, p.off, in, out), []any{out}
			}, func(cfg grid.Config) []any {
				out := marked[float32](cfg.Blocks() * cfg.Threads())
				cfg.Block = cfg.Block.Norm()
				for i := range out {
					tx, ty := i%cfg.Block.X, i%cfg.Threads()/cfg.Block.X
					out[i] = k.want(i/cfg.Threads()*cfg.Block.X+tx, tx, ty, p.n, p.step, p.off, in)
				}
				return []any{out}
			}))
		}
	}
	return cases
}

// smFailure is smSum where one thread leaves its slice: of length elements, with one block of so
// many threads.
func smFailure(name, text string, threads, failing, n, step, off, length int) Failure {
	return Failure{Name: name, Config: grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: threads}}, Thread: grid.Dim3{X: failing}, Text: text,
		Make: func(cfg grid.Config) Instance {
			in, out := data[float32](length), make([]float32, threads)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { smSum(t, n, step, off, in, out) }),
				Compiled: smSumKernel(n, step, off, in, out),
				Outputs:  []any{out},
			}
		}}
}

// The limits may pass the largest int when something is added to them.
var smFailures = []Failure{
	smFailure("smSum-end", "index out of range [1000]", 256, 1000%256, 1001, 256, 0, 1000),
	smFailure("smSum-start", "index out of range [-1]", 256, 0, 1000, 256, -1, 1000),
	smFailure("smSum-largest", "index out of range [300]", 1, 0, math.MaxInt32, 300, 0, 300),
	smFailure("smSum-back", "index out of range [-64]", 1, 0, 64, -64, 0, 64),
}
