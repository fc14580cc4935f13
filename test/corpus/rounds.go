//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels whose rounds run all at once, or as one long row, and such that look like it.

// rndConfigs have rows of whole vectors, of four of them, and none.
var rndConfigs = []grid.Config{
	{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 64}},
	{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 16}},
	{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 40}},
	{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 16, Y: 2}},
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1}},
}

// The part of a block is no multiple of its threads.
const rndPart = 333

// Each block adds its part to its sums, a thread to its own.
//
//gocuda:kernel
func rndSums(t *gocuda.Thread, n, step int, in, out []float32) {
	tid := t.ThreadIdx.X
	first := t.BlockIdx.X * rndPart
	if t.ThreadIdx.Y > 0 {
		return
	}
	s := out[t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y:]
	s[tid] = 0
	for i := first + tid; i < min(first+rndPart, n); i += step {
		s[tid] += in[i]
	}
}

// The same in shared memory, by each row of the block.
//
//gocuda:kernel
func rndShared(t *gocuda.Thread, n, step int, in, out []float32) {
	s := gocuda.Shared[float32](t, 128)
	tid := t.ThreadIdx.X
	first := t.BlockIdx.X * rndPart
	s[t.ThreadIdx.Y*64+tid] = 0
	for i := first + tid; i < min(first+rndPart, n); i += step {
		s[t.ThreadIdx.Y*64+tid] += in[i]
	}
	t.SyncThreads()
	out[t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y+t.Rank()] = s[t.ThreadIdx.Y*64+tid]
}

// The same by one row, as blocks of one row mostly are written.
//
//gocuda:kernel
func rndLine(t *gocuda.Thread, n, step int, in, out []float32) {
	s := gocuda.Shared[float32](t, 64)
	tid := t.ThreadIdx.X
	first := t.BlockIdx.X * rndPart
	s[tid] = 0
	t.SyncThreads()
	for i := first + tid; i < min(first+rndPart, n); i += step {
		s[tid] += in[i]
	}
	t.SyncThreads()
	out[t.BlockIdx.X*t.BlockDim.X+tid] = s[tid]
}

// Bytes are counted, in rounds as wide as the block.
//
//gocuda:kernel
func rndCount(t *gocuda.Thread, n int, in []byte, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	for i := t.Rank(); i < 256; i += t.BlockDim.X * t.BlockDim.Y {
		s[i] = 0
	}
	t.SyncThreads()
	first := t.BlockIdx.X * rndPart
	end := min(first+rndPart, n)
	for i := first + t.ThreadIdx.X; i < end; i += t.BlockDim.X {
		atomic.Add(&s[in[i]], 1)
	}
	t.SyncThreads()
	out[t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y+t.Rank()] = s[t.Rank()*3]
}

// The place of the thread matters as well as that of the element.
//
//gocuda:kernel
func rndPlace(t *gocuda.Thread, n int, in []byte, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	for i := t.Rank(); i < 256; i += t.BlockDim.X * t.BlockDim.Y {
		s[i] = 0
	}
	t.SyncThreads()
	first := t.BlockIdx.X * rndPart
	tid := t.ThreadIdx.X
	for i := first + tid; i < min(first+rndPart, n); i += t.BlockDim.X {
		atomic.Add(&s[in[i]], int32(tid+i))
	}
	t.SyncThreads()
	out[t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y+t.Rank()] = s[t.Rank()*3]
}

// A tile with more rows than the block, of which one round reads elsewhere.
//
//gocuda:kernel
func rndBent(t *gocuda.Thread, which int, in, out []float32) {
	s := gocuda.Shared[float32](t, 1024)
	tx := t.ThreadIdx.X
	for j := 0; j < 8; j++ {
		s[j*64+tx] = in[(j-which)*(j-which)*8+tx]
	}
	t.SyncThreads()
	sum := float32(0)
	for j := 0; j < 8; j++ {
		sum = sum*2 + s[j*64+tx]
	}
	out[t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y+t.Rank()] = sum
}

// rndSumsWant is what the sums are, of so many rows of each block.
func rndSumsWant(cfg grid.Config, n, step, rows int, in []float32) []float32 {
	out := marked[float32](cfg.Blocks() * cfg.Threads())
	for b := range cfg.Grid.X {
		for tid := range cfg.Block.X {
			s := float32(0)
			for i := b*rndPart + tid; i < min(b*rndPart+rndPart, n); i += step {
				s += in[i]
			}
			for y := range rows {
				out[b*cfg.Threads()+y*cfg.Block.X+tid] = s
			}
		}
	}
	return out
}

// rndCountWant is what rndCount computes, or rndPlace.
func rndCountWant(cfg grid.Config, n int, in []byte, place bool) []int32 {
	out := marked[int32](cfg.Blocks() * cfg.Threads())
	for b := range cfg.Grid.X {
		var s [256]int32
		for y := range max(cfg.Block.Y, 1) {
			_ = y // each row of the block counts all of them
			for k := 0; k < rndPart && b*rndPart+k < n; k++ {
				i := b*rndPart + k
				if place {
					s[in[i]] += int32(k%cfg.Block.X + i)
				} else {
					s[in[i]]++
				}
			}
		}
		for r := range cfg.Threads() {
			out[b*cfg.Threads()+r] = s[r*3]
		}
	}
	return out
}

func rndSumCase(name string, cfgs []grid.Config, step, short int, all bool, source func(*gocuda.Thread, int, int, []float32, []float32), compiled func(int, int, []float32, []float32) gocuda.Kernel) Case {
	return made(name, cfgs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Grid.X*rndPart - short
		in, out := data[float32](n), marked[float32](cfg.Blocks()*cfg.Threads())
		return func(t *gocuda.Thread) { source(t, n, step, in, out) }, compiled(n, step, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Grid.X*rndPart - short
		rows := 1
		if all {
			rows = max(cfg.Block.Y, 1)
		}
		return []any{rndSumsWant(cfg, n, step, rows, data[float32](n))}
	})
}

func rndCountCase(name string, short int, place bool, source func(*gocuda.Thread, int, []byte, []int32), compiled func(int, []byte, []int32) gocuda.Kernel) Case {
	return made(name, rndConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Grid.X*rndPart - short
		in, out := data[byte](n), marked[int32](cfg.Blocks()*cfg.Threads())
		return func(t *gocuda.Thread) { source(t, n, in, out) }, compiled(n, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Grid.X*rndPart - short
		return []any{rndCountWant(cfg, n, data[byte](n), place)}
	})
}

var roundsCases = []Case{
	rndSumCase("rndSums-64", rndConfigs, 64, 0, false, rndSums, rndSumsKernel),
	rndSumCase("rndSums-1000", rndConfigs, 1000, 1, false, rndSums, rndSumsKernel),
	rndSumCase("rndShared-64", rndConfigs, 64, 0, true, rndShared, rndSharedKernel),
	rndSumCase("rndShared-16", rndConfigs, 16, 100, true, rndShared, rndSharedKernel),
	rndSumCase("rndShared-7", rndConfigs, 7, 20, true, rndShared, rndSharedKernel),
	rndSumCase("rndLine-64", rndConfigs[:3], 64, 0, false, rndLine, rndLineKernel),
	rndSumCase("rndLine-16", rndConfigs[:3], 16, 100, false, rndLine, rndLineKernel),
	rndSumCase("rndLine-333", rndConfigs[:3], 333, 0, false, rndLine, rndLineKernel),
	rndCountCase("rndCount", 0, false, rndCount, rndCountKernel),
	rndCountCase("rndCount-short", 200, false, rndCount, rndCountKernel),
	rndCountCase("rndPlace", 0, true, rndPlace, rndPlaceKernel),
	made("rndBent", rndConfigs[:3], func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[float32](500), marked[float32](cfg.Blocks()*cfg.Threads())
		return func(t *gocuda.Thread) { rndBent(t, 3, in, out) }, rndBentKernel(3, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		in, out := data[float32](500), marked[float32](cfg.Blocks()*cfg.Threads())
		for i := range out {
			sum := float32(0)
			for j := range 8 {
				sum = sum*2 + in[(j-3)*(j-3)*8+i%cfg.Block.X]
			}
			out[i] = sum
		}
		return []any{out}
	}),
}
