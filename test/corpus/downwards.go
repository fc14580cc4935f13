//go:build compiled

package corpus

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels whose neighbours along x use neighbouring elements from the other end, or some elements
// apart.

//gocuda:kernel
func dwSwap[T float32 | float64 | int32 | uint32](t *gocuda.Thread, n int, v []T) {
	if i := t.GlobalX(); i < n/2 {
		v[i], v[n-1-i] = v[n-1-i]+1, v[i]*2
	}
}

// Small and large elements.
//
//gocuda:kernel
func dwTypes(t *gocuda.Thread, n int, a, ra []int8, b, rb []uint16, c, rc []int64) {
	if i := t.GlobalX(); i < n {
		ra[n-1-i] = a[i] + 1
		rb[i] = b[n-1-i] ^ 5
		rc[n-1-i] = c[n-1-i] - c[i]
	}
}

// Through shared memory, in steps of 1 and 2.
//
//gocuda:kernel
func dwShared(t *gocuda.Thread, in, out []float32) {
	s := gocuda.Shared[float32](t, 2*256)
	tx, n := t.ThreadIdx.X, t.BlockDim.X
	s[n-1-tx] = in[t.GlobalX()]
	s[511-tx] = in[t.GlobalX()] * 3
	t.SyncThreads()
	out[t.GlobalX()] = s[tx] - s[n-1-tx] + s[512-n+tx/2]
	t.SyncThreads()
	s[2*n-2*tx-1] = float32(tx)
	t.SyncThreads()
	out[t.GlobalX()] += s[2*n-1-2*tx]
}

// Under conditions that differ between lanes, some of which would be outside.
//
//gocuda:kernel
func dwMasked(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i < n {
		v := in[i]
		if v&1 != 0 {
			out[n-1-i] = v + in[n-1-i]
		}
		if v&2 != 0 && i < n-2 {
			v += in[n-3-i]
		}
		if i >= 3 {
			v -= in[n-1-i+3]
		}
		out[n+i] = v
	}
}

// With counters, as in a convolution.
//
//gocuda:kernel
func dwCounters(t *gocuda.Thread, n, taps int, in, weights, out []float32) {
	i := t.GlobalX()
	if i < n {
		var sum float32
		for k := 0; k < taps; k++ {
			sum += weights[k] * in[n-1-i+k]
			for j := 0; j < 3; j++ {
				sum -= in[3*(n-1-i)+taps-1-k+j]
			}
		}
		out[i] = sum
	}
}

// A convolution: one array upwards, the other downwards, with two counters, through shared memory too.
//
//gocuda:kernel
func dwConvolve(t *gocuda.Thread, n, taps, rows int, in, weights, out []float32) {
	s := gocuda.Shared[float32](t, 512)
	tx := t.ThreadIdx.X
	s[tx] = float32(tx)
	s[tx+t.BlockDim.X] = float32(tx * tx)
	t.SyncThreads()
	i := t.GlobalX()
	if i < n {
		var sum float32
		for j := range rows {
			for k := range taps {
				sum += weights[taps-1-k] * in[i+taps*(rows-1-j)+taps-1-k]
			}
			sum -= s[tx+rows-1-j]
			sum += s[tx+j] * in[i+(rows-j)]
		}
		for k := range taps {
			sum += in[(taps-k)*2+taps-k]
		}
		out[i] = sum
	}
}

// A factor that is a variable of the block, which changes from round to round, and may become negative.
//
//gocuda:kernel
func dwFactor(t *gocuda.Thread, n, r int, taps, in, out []float32) {
	i, w := t.GlobalX(), 2*r+1
	for round := 0; round < 3; round++ {
		if i < n {
			var sum float32
			for j := 0; j < w*w; j++ {
				sum -= in[i+j]
			}
			for j := range w {
				for k := range w {
					sum += taps[j*w+k] * in[i+j*w+k]
				}
			}
			for j := range 3 {
				sum += in[i+30+j*w]
			}
			out[i] += sum
		}
		t.SyncThreads()
		w -= 2
	}
}

// Reads whose values nobody uses, and conditions that come to the same.
//
//gocuda:kernel
func dwUnused(t *gocuda.Thread, off int, in, out []float32) {
	tx := t.ThreadIdx.X
	y := in[off+tx]
	_ = y
	var sum float32
	for k := range 4 {
		x := in[dwSub(off+tx, k)]
		_ = x
		sum += in[off-2*tx]*float32(k) + in[off-tx]
	}
	sum += in[off+tx]
	out[t.GlobalX()] = sum
}

func dwSub(a, b int) int { return a - b }

// A loop without rounds, whose condition is near the largest int.
//
//gocuda:kernel
func dwNoRounds(t *gocuda.Thread, k, n, m int, in, out []float32) {
	for i := 0; i+k < n; i += t.BlockDim.X {
		if i+t.ThreadIdx.X < m {
			out[i+t.ThreadIdx.X] = in[i+t.ThreadIdx.X] + 1
		}
	}
}

// Limits that depend on the loops around.
//
//gocuda:kernel
func dwTriangle(t *gocuda.Thread, n, rows int, in, out []float32) {
	i := t.GlobalX()
	if i < n {
		var sum float32
		for j := range rows {
			for k := 0; k < j+1; k++ {
				sum += in[i+j-k] - in[i+2*rows-j-k]
			}
			for k := 0; k < rows-j; k++ {
				sum += in[i+j+k]
			}
		}
		out[i] = sum
	}
}

// In the last round the index is below the array, for the first thread.
//
//gocuda:kernel
func dwBelow(t *gocuda.Thread, in, out []float32) {
	var sum float32
	for k := range 5 {
		sum += in[t.ThreadIdx.X+3-k]
	}
	out[t.ThreadIdx.X] = sum
}

// In the first round it is above the array, for the last thread.
//
//gocuda:kernel
func dwAbove(t *gocuda.Thread, in, out []float32) {
	var sum float32
	for k := range 5 {
		sum += in[t.ThreadIdx.X+5-k]
	}
	out[t.ThreadIdx.X] = sum
}

// In two dimensions.
//
//gocuda:kernel
func dwTurn(t *gocuda.Thread, w, h int, in, out []float64) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		out[(h-1-y)*w+w-1-x] = in[y*w+x] + float64(y)
	}
}

// Thread 63 is below the array.
//
//gocuda:kernel
func dwLow(t *gocuda.Thread, in, out []float32) {
	out[t.ThreadIdx.X] = in[62-t.ThreadIdx.X]
}

// Thread 0 is above it.
//
//gocuda:kernel
func dwHigh(t *gocuda.Thread, in, out []float32) {
	out[len(out)-t.ThreadIdx.X] = in[t.ThreadIdx.X]
}

// Thread 63 is below it, in steps of 3.
//
//gocuda:kernel
func dwFar(t *gocuda.Thread, in, out []float32) {
	out[3*(62-t.ThreadIdx.X)+2] = in[t.ThreadIdx.X]
}

// Thread 63, the last lane of the second warp, is above it, and below it.
//
//gocuda:kernel
func dwJointHigh(t *gocuda.Thread, in, out []float32) {
	v := gocuda.ShflXorSync(t, gocuda.FullMask, in[t.ThreadIdx.X], 3, 32)
	out[t.WarpID()*32+t.LaneID()] = v
}

//gocuda:kernel
func dwJointLow(t *gocuda.Thread, in, out []float32) {
	v := gocuda.ShflXorSync(t, gocuda.FullMask, in[t.ThreadIdx.X], 3, 32)
	out[62-t.WarpID()*32-t.LaneID()] = v
}

func dwSwapCase[T float32 | float64 | int32 | uint32](name string) Case {
	n := func(cfg grid.Config) int { return 2*cfg.Blocks()*cfg.Threads() - 3 }
	return made(name, dwGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := n(cfg)
		v := data[T](n)
		return func(t *gocuda.Thread) { dwSwap(t, n, v) }, dwSwapKernel(n, v), []any{v}
	}, func(cfg grid.Config) []any {
		n := n(cfg)
		v := data[T](n)
		for i := range n / 2 {
			v[i], v[n-1-i] = v[n-1-i]+1, v[i]*2
		}
		return []any{v}
	})
}

var dwGeometries = []grid.Config{line(1, 2), line(1, 33), line(3, 64), line(2, 255), line(5, 256)}

var dwCases = []Case{
	dwSwapCase[float32]("dwSwap/float32"),
	dwSwapCase[float64]("dwSwap/float64"),
	dwSwapCase[int32]("dwSwap/int32"),
	dwSwapCase[uint32]("dwSwap/uint32"),
	made("dwTypes", dwGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks()*cfg.Threads() - 1
		a, b, c := data[int8](n), data[uint16](n), data[int64](n)
		ra, rb, rc := marked[int8](n), marked[uint16](n), marked[int64](n)
		return func(t *gocuda.Thread) { dwTypes(t, n, a, ra, b, rb, c, rc) }, dwTypesKernel(n, a, ra, b, rb, c, rc), []any{ra, rb, rc}
	}, nil),
	perThread("dwShared", dwGeometries, dwShared, dwSharedKernel, nil),
	made("dwMasked", dwGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks()*cfg.Threads() - 1
		in, out := data[int32](n), marked[int32](2*n)
		return func(t *gocuda.Thread) { dwMasked(t, n, in, out) }, dwMaskedKernel(n, in, out), []any{out}
	}, nil),
	made("dwCounters", dwGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n, taps := cfg.Blocks()*cfg.Threads()-1, 7
		in, weights, out := data[float32](3*n+taps+2), data[float32](taps), marked[float32](n)
		return func(t *gocuda.Thread) { dwCounters(t, n, taps, in, weights, out) }, dwCountersKernel(n, taps, in, weights, out), []any{out}
	}, nil),
	made("dwConvolve", dwGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n, taps, rows := cfg.Blocks()*cfg.Threads()-1, 5, 1
		if cfg.Block.X > 40 {
			rows = 4
		}
		in, weights, out := data[float32](n+taps*rows+40), data[float32](taps), marked[float32](n)
		return func(t *gocuda.Thread) { dwConvolve(t, n, taps, rows, in, weights, out) }, dwConvolveKernel(n, taps, rows, in, weights, out), []any{out}
	}, nil),
	made("dwFactor", dwGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n, r := cfg.Blocks()*cfg.Threads()-1, cfg.Block.X%3
		in, taps, out := data[float32](n+50), data[float32](25), make([]float32, n)
		return func(t *gocuda.Thread) { dwFactor(t, n, r, taps, in, out) }, dwFactorKernel(n, r, taps, in, out), []any{out}
	}, nil),
	made("dwUnused", dwGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		off := 2 * cfg.Block.X
		in, out := data[float32](3*cfg.Block.X+3), marked[float32](cfg.Blocks()*cfg.Threads())
		return func(t *gocuda.Thread) { dwUnused(t, off, in, out) }, dwUnusedKernel(off, in, out), []any{out}
	}, nil),
	made("dwNoRounds", dwGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		k := math.MaxInt - 5 + cfg.Block.X%3
		in, out := data[float32](100), marked[float32](100)
		return func(t *gocuda.Thread) { dwNoRounds(t, k, 10, 100, in, out) }, dwNoRoundsKernel(k, 10, 100, in, out), []any{out}
	}, func(cfg grid.Config) []any { return []any{marked[float32](100)} }),
	made("dwTriangle", dwGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n, rows := cfg.Blocks()*cfg.Threads()-1, 6
		in, out := data[float32](n+2*rows+1), marked[float32](n)
		return func(t *gocuda.Thread) { dwTriangle(t, n, rows, in, out) }, dwTriangleKernel(n, rows, in, out), []any{out}
	}, nil),
	made("dwTurn", []grid.Config{
		{Grid: grid.Dim3{X: 2, Y: 3}, Block: grid.Dim3{X: 32, Y: 8}},
		{Grid: grid.Dim3{X: 3, Y: 2}, Block: grid.Dim3{X: 17, Y: 5}},
	}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		w, h := cfg.Grid.X*cfg.Block.X-2, cfg.Grid.Y*cfg.Block.Y-1
		in, out := data[float64](w*h), marked[float64](w*h)
		return func(t *gocuda.Thread) { dwTurn(t, w, h, in, out) }, dwTurnKernel(w, h, in, out), []any{out}
	}, nil),
}

func dwFailure(name, text string, thread, in, out int, source func(*gocuda.Thread, []float32, []float32), compiled func([]float32, []float32) gocuda.Kernel) Failure {
	return Failure{Name: name, Config: line(1, 64), Thread: grid.Dim3{X: thread}, Text: text,
		Make: func(cfg grid.Config) Instance {
			in, out := data[float32](in), make([]float32, out)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, in, out) }),
				Compiled: compiled(in, out),
				Outputs:  []any{out},
			}
		}}
}

var dwFailures = []Failure{
	dwFailure("dwLow", "index out of range [-1]", 63, 64, 64, dwLow, dwLowKernel),
	dwFailure("dwHigh", "index out of range [64] with length 64", 0, 64, 64, dwHigh, dwHighKernel),
	dwFailure("dwJointHigh", "index out of range [63] with length 63", 63, 64, 63, dwJointHigh, dwJointHighKernel),
	dwFailure("dwJointLow", "index out of range [-1]", 63, 64, 63, dwJointLow, dwJointLowKernel),
	dwFailure("dwBelow", "index out of range [-1]", 0, 67, 64, dwBelow, dwBelowKernel),
	dwFailure("dwAbove", "index out of range [68] with length 68", 63, 68, 64, dwAbove, dwAboveKernel),
	dwFailure("dwFar", "index out of range [-1]", 63, 64, 189, dwFar, dwFarKernel),
}
