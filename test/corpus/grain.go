//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels that read against the grain: neighbours along y are neighbours in memory, neighbours
// along x are a row apart. Whole blocks of them are read a tile at a time.

var grainConfigs = []grid.Config{
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 16, Y: 8}},
	{Grid: grid.Dim3{X: 3, Y: 2}, Block: grid.Dim3{X: 32, Y: 16}},
	{Grid: grid.Dim3{X: 2, Y: 3}, Block: grid.Dim3{X: 48, Y: 8}},
	{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 16, Y: 4}},
	{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 16, Y: 8, Z: 2}},
	{Grid: grid.Dim3{X: 5}, Block: grid.Dim3{X: 7, Y: 9}},
}

// From global memory, with a pitch of 101.
//
//gocuda:kernel
func grGlobal(t *gocuda.Thread, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	out[t.BlockIdx.Y*t.GridDim.X*t.BlockDim.X*t.BlockDim.Y+t.ThreadIdx.Y*t.GridDim.X*t.BlockDim.X+x] = in[x*101+y]
}

// From shared memory, under guards for the edges of a matrix of rows by cols.
//
//gocuda:kernel
func grShared(t *gocuda.Thread, rows, cols int, in, out []uint32) {
	tile := gocuda.Shared[uint32](t, 48*49)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	edge := t.BlockDim.X
	x, y := t.BlockIdx.X*edge+tx, t.BlockIdx.Y*edge+ty
	if t.ThreadIdx.Z == 0 {
		for j := 0; j < edge; j += t.BlockDim.Y {
			if x < cols && y+j < rows && ty+j < edge {
				tile[(ty+j)*49+tx] = in[(y+j)*cols+x]
			}
		}
	}
	t.SyncThreads()
	x, y = t.BlockIdx.Y*edge+tx, t.BlockIdx.X*edge+ty
	if t.ThreadIdx.Z == 0 {
		for j := 0; j < edge; j += t.BlockDim.Y {
			if x < rows && y+j < cols && ty+j < edge {
				out[(y+j)*rows+x] = tile[tx*49+ty+j]
			}
		}
	}
}

// The smallest pitch, columns that overlap, and two at once.
//
//gocuda:kernel
func grTwo(t *gocuda.Thread, a, b, out []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	at := (t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*t.BlockDim.X*t.BlockDim.Y + ty*t.BlockDim.X + tx
	out[at] = a[tx*2+ty]
	out[at+t.GridDim.X*t.GridDim.Y*t.BlockDim.X*t.BlockDim.Y] = b[tx*8+ty+3]
}

// The array is one element shorter than what the last thread wants.
//
//gocuda:kernel
func grFail(t *gocuda.Thread, in, out []int32) {
	out[t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X] = in[t.ThreadIdx.X*40+t.ThreadIdx.Y]
}

var grCases = []Case{
	made("grGlobal", grainConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[int32](101*cfg.Grid.Norm().X*cfg.Block.Norm().X+100), marked[int32](cfg.Blocks()*cfg.Threads())
		return func(t *gocuda.Thread) { grGlobal(t, in, out) }, grGlobalKernel(in, out), []any{out}
	}, func(cfg grid.Config) []any {
		g, b := cfg.Grid.Norm(), cfg.Block.Norm()
		in, out := data[int32](101*g.X*b.X+100), marked[int32](cfg.Blocks()*cfg.Threads())
		for y := range g.Y * b.Y {
			for x := range g.X * b.X {
				out[y*g.X*b.X+x] = in[x*101+y]
			}
		}
		return []any{out}
	}),
	made("grShared", grainConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		rows, cols := cfg.Grid.Norm().Y*cfg.Block.X, cfg.Grid.Norm().X*cfg.Block.X-3
		in, out := data[uint32](rows*cols), marked[uint32](rows*cols)
		return func(t *gocuda.Thread) { grShared(t, rows, cols, in, out) }, grSharedKernel(rows, cols, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		rows, cols := cfg.Grid.Norm().Y*cfg.Block.X, cfg.Grid.Norm().X*cfg.Block.X-3
		in, out := data[uint32](rows*cols), marked[uint32](rows*cols)
		for i, v := range in {
			out[i%cols*rows+i/cols] = v
		}
		return []any{out}
	}),
	made("grTwo", grainConfigs[:4], func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[float32](1000), marked[float32](2*cfg.Blocks()*cfg.Threads())
		return func(t *gocuda.Thread) { grTwo(t, in, in[7:], out) }, grTwoKernel(in, in[7:], out), []any{out}
	}, nil),
}

var grFailures = []Failure{{
	Name: "grFail", Config: grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 32, Y: 8}},
	Thread: grid.Dim3{X: 31, Y: 7}, Text: "index out of range [1247] with length 1247",
	Make: func(cfg grid.Config) Instance {
		in, out := data[int32](31*40+7), marked[int32](32*8)
		return Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { grFail(t, in, out) }),
			Compiled: grFailKernel(in, out),
			Outputs:  []any{out},
		}
	},
}}
