//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops that become funcs of their own, with variables that are declared in them: locals, what
// helpers return, places of indices.

// A local of the inner loop.
//
//gocuda:kernel
func olLocal(t *gocuda.Thread, n, dims int, points, centre, squares []float32) {
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		var square float32
		for d := range dims {
			diff := points[d*n+i] - centre[d]
			square += diff * diff
		}
		squares[i] = square
	}
}

func olSample(in []float32, i int) float32 {
	if i < len(in) {
		return in[i]
	}
	return 0
}

// The result of a helper.
//
//gocuda:kernel
func olHelper(t *gocuda.Thread, n, taps int, weights, in, out []float32) {
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		var sum float32
		for k := range taps {
			sum += weights[k] * olSample(in, i+k)
		}
		out[i] = sum
	}
}

// A sum whose place comes from memory, and two assignments at a time.
//
//gocuda:kernel
func olPlaces(t *gocuda.Thread, n, dims int, labels []int32, points, sums []float32) {
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		var a, b float32
		for d := range dims {
			sums[int(labels[i])*dims+d] += points[d*n+i]
			a, b = b+points[d*n+i], a
		}
		points[i] = a - b
	}
}

// The place of an element under a condition, in a loop of constant length.
//
//gocuda:kernel
func olCondition(t *gocuda.Thread, n int, dist, out []float32) {
	d := gocuda.Shared[float32](t, 1024)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	for r := 0; r < 32; r += 8 {
		d[(ty+r)*32+tx] = 1
		if ty+r < n && tx < n {
			d[(ty+r)*32+tx] = dist[(ty+r)*n+tx]
		}
	}
	t.SyncThreads()
	for via := range 32 {
		for r := 0; r < 32; r += 8 {
			if ty+r != via && tx != via {
				at := (ty+r)*32 + tx
				if v := d[(ty+r)*32+via] + d[via*32+tx]; v < d[at] {
					d[at] = v
				}
			}
		}
		t.SyncThreads()
	}
	for r := 0; r < 32; r += 8 {
		out[(ty+r)*32+tx] = d[(ty+r)*32+tx]
	}
}

// A local of a row of whole blocks.
//
//gocuda:kernel
func olRounds(t *gocuda.Thread, n int, decode bool, keys []uint32) {
	x := gocuda.Shared[uint32](t, 2048)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	start := t.BlockIdx.X * 2048
	for r := 0; r < 2048; r += 256 {
		i := r + ty*16 + tx
		if start+i < n {
			x[i] = keys[start+i] * 3
		}
	}
	t.SyncThreads()
	for r := 0; r < 2048; r += 256 {
		i := r + ty*16 + tx
		if start+i < n {
			v := x[i]
			if decode {
				v = ^v
			}
			keys[start+i] = v
		}
	}
}

var olConfigs = []grid.Config{line(1, 1), line(3, 33), line(2, 256)}

var olCases = []Case{
	made("olLocal", olConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n, dims := 2*cfg.Blocks()*cfg.Threads()-1, 5
		points, centre, squares := data[float32](n*dims), data[float32](dims), marked[float32](n)
		return func(t *gocuda.Thread) { olLocal(t, n, dims, points, centre, squares) }, olLocalKernel(n, dims, points, centre, squares), []any{squares}
	}, nil),
	made("olHelper", olConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n, taps := 2*cfg.Blocks()*cfg.Threads()-1, 9
		weights, in, out := data[float32](taps), data[float32](n), marked[float32](n)
		return func(t *gocuda.Thread) { olHelper(t, n, taps, weights, in, out) }, olHelperKernel(n, taps, weights, in, out), []any{out}
	}, nil),
	made("olPlaces", olConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n, dims := 2*cfg.Blocks()*cfg.Threads()-1, 3
		labels, points, sums := make([]int32, n), data[float32](n*dims), data[float32](n*dims)
		for i := range labels {
			labels[i] = int32((i*7 + 3) % n)
			if n%7 == 0 {
				labels[i] = int32(i)
			}
		}
		return func(t *gocuda.Thread) { olPlaces(t, n, dims, labels, points, sums) }, olPlacesKernel(n, dims, labels, points, sums), []any{points, sums}
	}, nil),
	made("olCondition", []grid.Config{{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 32, Y: 8}}}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := 29
		dist, out := data[float32](n*n), marked[float32](1024)
		return func(t *gocuda.Thread) { olCondition(t, n, dist, out) }, olConditionKernel(n, dist, out), []any{out}
	}, nil),
	made("olRounds", []grid.Config{{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 16, Y: 16}}}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Grid.X*2048 - 5
		keys := data[uint32](n)
		return func(t *gocuda.Thread) { olRounds(t, n, true, keys) }, olRoundsKernel(n, true, keys), []any{keys}
	}, func(cfg grid.Config) []any {
		keys := data[uint32](cfg.Grid.X*2048 - 5)
		for i := range keys {
			keys[i] = ^(keys[i] * 3)
		}
		return []any{keys}
	}),
}
