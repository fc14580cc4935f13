//go:build compiled

package corpus

import (
	"math/bits"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Warp operations among loops, barriers and conditions, which whole warps of blocks along x do in
// vectors.

const allLanes = 0xffffffff

func vwWarpSum(t *gocuda.Thread, v float32) float32 {
	for off := 16; off > 0; off /= 2 {
		v += gocuda.ShflDownSync(t, allLanes, v, off, 32)
	}
	return v
}

// The sum of a block, of those of its warps.
//
//gocuda:kernel
func vwBlockSum(t *gocuda.Thread, in, out []float32) {
	s := gocuda.Shared[float32](t, 32)
	tid := t.ThreadIdx.X
	lane, w := tid%32, tid/32
	v := vwWarpSum(t, in[t.GlobalX()])
	if lane == 0 {
		s[w] = v
	}
	t.SyncThreads()
	v = 0
	if tid < t.BlockDim.X/32 {
		v = s[lane]
	}
	if w == 0 {
		v = vwWarpSum(t, v)
	}
	out[t.GlobalX()] = v
	if tid == 0 {
		out[t.GlobalX()] = v + 1
	}
}

// A scan of a block.
//
//gocuda:kernel
func vwScan(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 32)
	i := t.GlobalX()
	lane, w := t.ThreadIdx.X&31, t.ThreadIdx.X>>5
	v := in[i]
	for d := 1; d < 32; d <<= 1 {
		if u := gocuda.ShflUpSync(t, allLanes, v, d, 32); lane >= d {
			v += u
		}
	}
	if lane == 31 {
		s[w] = v
	}
	t.SyncThreads()
	for k := 0; k < w; k++ {
		v += s[k]
	}
	out[i] = v
}

// Votes.
//
//gocuda:kernel
func vwVotes(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	lane := uint32(t.ThreadIdx.X % 32)
	odd := in[i]&1 != 0
	m := t.BallotSync(allLanes, odd)
	r := int32(bits.OnesCount32(m & (1<<lane - 1)))
	if t.AnySync(allLanes, in[i] > 40) {
		r += 100
	}
	if t.AllSync(allLanes, in[i] > -3 || !odd) {
		r += 1000
	}
	if odd {
		r = -r
	}
	out[i] = r + int32(m>>3)
}

// Reductions of a warp.
//
//gocuda:kernel
func vwReduce(t *gocuda.Thread, in []int32, out []uint32) {
	i := t.GlobalX()
	v := in[i]*7 + 3
	u := uint32(v)
	a := gocuda.ReduceAddSync(t, allLanes, v)
	b := gocuda.ReduceMinSync(t, allLanes, v)
	c := gocuda.ReduceMaxSync(t, allLanes, u)
	d := gocuda.ReduceAndSync(t, allLanes, u|uint32(in[i]))
	e := gocuda.ReduceXorSync(t, allLanes, u<<3)
	out[i] = uint32(a) + 3*uint32(b) ^ c + d ^ e
}

// Shuffles of parts of a warp, and by lanes of their own.
//
//gocuda:kernel
func vwParts(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	lane := t.ThreadIdx.X % 32
	v := in[i]
	r := gocuda.ShflUpSync(t, allLanes, v, 3, 8)
	r = r*3 + gocuda.ShflDownSync(t, allLanes, v+1, 5, 16)
	r = r*3 + gocuda.ShflXorSync(t, allLanes, v+2, 9, 8)
	r = r*3 + gocuda.ShflXorSync(t, allLanes, v+2, 9, 32)
	r = r*3 + gocuda.ShflSync(t, allLanes, v+3, 6, 4)
	r = r*3 + gocuda.ShflSync(t, allLanes, v+4, lane&^7, 32)
	r = r*3 + gocuda.ShflSync(t, allLanes, v+5, (lane+27)%32, 32)
	r = r*3 + gocuda.ShflSync(t, allLanes, v+6, 31-lane, 16)
	r = r*3 + gocuda.ShflDownSync(t, allLanes, v+7, 17, 32)
	out[i] = r
}

// A row of a matrix for each warp, whose lanes go through it together.
//
//gocuda:kernel
func vwRows(t *gocuda.Thread, in, out []float32) {
	m := t.GridDim.X * t.BlockDim.X / 32
	n := len(in) / m
	row, lane := t.GlobalX()/32, t.ThreadIdx.X%32
	if row >= m {
		return
	}
	v, most := float32(0), in[row*n]
	for j := lane; j < n; j += 32 {
		v += in[row*n+j]
		most = max(most, in[row*n+j])
	}
	for off := 16; off > 0; off >>= 1 {
		v += gocuda.ShflXorSync(t, allLanes, v, off, 32)
		most = max(most, gocuda.ShflXorSync(t, allLanes, most, off, 32))
	}
	out[t.GlobalX()] = v
	if lane == 0 {
		out[t.GlobalX()] = most
	}
}

// Operations of 64 bits.
//
//gocuda:kernel
func vwLong(t *gocuda.Thread, in []int64, out []float64) {
	i := t.GlobalX()
	v, f := in[i], float64(in[i])/3
	for off := 1; off < 32; off *= 2 {
		v ^= gocuda.ShflXorSync(t, allLanes, v, off, 32) + 1
		f += gocuda.ShflUpSync(t, allLanes, f, off, 32)
	}
	out[i] = f - float64(v)
}

// Warps that go different ways.
//
//gocuda:kernel
func vwWays(t *gocuda.Thread, in, out []int32) {
	i, tid := t.GlobalX(), t.ThreadIdx.X
	v := in[i]
	if tid < 64 {
		v += gocuda.ShflXorSync(t, allLanes, v, 1, 32)
	}
	if tid/32%2 == 1 {
		v -= gocuda.ShflDownSync(t, allLanes, v, 2, 32)
	} else {
		v *= 2
	}
	if tid >= 32 {
		if t.AnySync(allLanes, v > 30) {
			v++
		}
	}
	out[i] = v
}

// The largest of each block with its index.
//
//gocuda:kernel
func vwArgmax(t *gocuda.Thread, in []float32, out []int32) {
	s, at := gocuda.Shared[float32](t, 32), gocuda.Shared[int32](t, 32)
	tid := t.ThreadIdx.X
	v, k := in[t.GlobalX()], int32(tid)
	for off := 16; off > 0; off /= 2 {
		u, j := gocuda.ShflDownSync(t, allLanes, v, off, 32), gocuda.ShflDownSync(t, allLanes, k, off, 32)
		if u > v || u == v && j < k {
			v, k = u, j
		}
	}
	if tid%32 == 0 {
		s[tid/32], at[tid/32] = v, k
	}
	t.SyncThreads()
	if tid == 0 {
		for w := 1; w < (t.BlockDim.X+31)/32; w++ {
			if s[w] > v {
				v, k = s[w], at[w]
			}
		}
		at[0] = k
	}
	t.SyncThreads()
	out[t.GlobalX()] = at[0]
}

// Memory that lanes exchange by, with warps in step.
//
//gocuda:kernel
func vwStep(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	lane := tid % 32
	s[tid] = in[t.GlobalX()]
	t.SyncWarp(allLanes)
	v := s[tid^1]
	t.SyncWarp(allLanes)
	s[tid] = 3*v + int32(lane)
	t.SyncWarp(allLanes)
	out[t.GlobalX()] = s[tid-lane+(lane+7)%32] + v
}

func vwCase[A, B any](name string, source func(*gocuda.Thread, []A, []B), compiled func([]A, []B) gocuda.Kernel, want func(cfg grid.Config, in []A, out []B)) Case {
	return perThread(name, warps, source, compiled, want)
}

var warpVectors = []Case{
	vwCase("vwBlockSum", vwBlockSum, vwBlockSumKernel, nil),
	vwCase("vwScan", vwScan, vwScanKernel, func(cfg grid.Config, in, out []int32) {
		for i := range in {
			out[i] = in[i]
			if i%cfg.Threads() > 0 {
				out[i] += out[i-1]
			}
		}
	}),
	vwCase("vwVotes", vwVotes, vwVotesKernel, nil),
	vwCase("vwReduce", vwReduce, vwReduceKernel, nil),
	vwCase("vwParts", vwParts, vwPartsKernel, nil),
	vwCase("vwRows", vwRows, vwRowsKernel, nil),
	vwCase("vwLong", vwLong, vwLongKernel, nil),
	vwCase("vwWays", vwWays, vwWaysKernel, nil),
	vwCase("vwArgmax", vwArgmax, vwArgmaxKernel, func(cfg grid.Config, in []float32, out []int32) {
		n := cfg.Threads()
		for b := range cfg.Blocks() {
			most := 0
			for j := range n {
				if in[b*n+j] > in[b*n+most] {
					most = j
				}
			}
			for j := range n {
				out[b*n+j] = int32(most)
			}
		}
	}),
	vwCase("vwStep", vwStep, vwStepKernel, func(cfg grid.Config, in, out []int32) {
		for i := range in {
			lane, first := i%32, i/32*32
			other := first + (lane+7)%32
			out[i] = 3*in[other^1] + int32((lane+7)%32) + in[i^1]
		}
	}),
}
