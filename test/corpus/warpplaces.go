//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The number of the lane and of the warp, in all the ways in which kernels compute them.

// Of a block in one dimension, by the index in the grid. One lane of each warp stores.
//
//gocuda:kernel
func wpSums(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	for d := 16; d > 0; d /= 2 {
		v += gocuda.ShflDownSync(t, gocuda.FullMask, v, d, 32)
	}
	warp := i / 32
	if i%32 == 0 {
		out[warp] = v
	}
	if i&31 == 31 {
		out[warp+len(out)/2] = in[i] - int32(i>>5)
	}
}

// Of a block in any number of dimensions, in which a warp may have several rows, or a row several
// warps.
//
//gocuda:kernel
func wpAll(t *gocuda.Thread, in, out []int32) {
	i := t.GridDim.Linear(t.BlockIdx)*t.BlockDim.Size() + t.Rank()
	lane, warp := t.ThreadIdx.X&31, t.ThreadIdx.X>>5
	g, small := t.GlobalX(), uint32(t.ThreadIdx.X)
	v := in[i]
	v += gocuda.ShflXorSync(t, gocuda.FullMask, v*3, 1, 32)
	v += int32(lane)*5 + int32(warp)*7 + int32(small%32)*11 + int32(small/32)*13 + int32(g/32)*17 + int32(g%32)*19
	x := int16(t.ThreadIdx.X) % 32
	v += int32(x) * 23
	if g&31 == 3 {
		v ^= 0x55
	}
	if warp == 1 {
		v += 1000 + in[i-i%32]
	}
	v += gocuda.ShflXorSync(t, gocuda.FullMask, v, 2, 32)
	if lane == 7 && warp >= 1 {
		v -= int32(t.WarpID())*29 + int32(t.Rank()/32)*31 + int32(t.LaneID())
	}
	out[i] = v
}

// The sum of a block by way of its warps: the first warp adds up what the others have left in
// shared memory.
//
//gocuda:kernel
func wpBlockSum(t *gocuda.Thread, in, out []int32) {
	sums := gocuda.Shared[int32](t, 32)
	lane, warp := t.ThreadIdx.X%32, t.ThreadIdx.X/32
	v := in[t.GlobalX()]
	for d := 16; d > 0; d /= 2 {
		v += gocuda.ShflDownSync(t, gocuda.FullMask, v, d, 32)
	}
	if lane == 0 {
		sums[warp] = v
	}
	t.SyncThreads()
	v = 0
	if t.ThreadIdx.X < t.BlockDim.X/32 {
		v = sums[lane]
	}
	if warp == 0 {
		for d := 16; d > 0; d /= 2 {
			v += gocuda.ShflDownSync(t, gocuda.FullMask, v, d, 32)
		}
	}
	if t.ThreadIdx.X == 0 {
		out[t.BlockIdx.X] = v
	}
}

// wpBoxes have whole warps, of one row, of several, and of parts of rows.
var wpBoxes = []grid.Config{
	line(3, 32), line(2, 64), line(2, 96), line(1, 256),
	{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 32, Y: 3}},
	{Grid: grid.Dim3{X: 2, Y: 1, Z: 2}, Block: grid.Dim3{X: 64, Y: 2, Z: 2}},
	{Grid: grid.Dim3{X: 3, Y: 2}, Block: grid.Dim3{X: 16, Y: 4}},
	{Grid: grid.Dim3{X: 2, Y: 1}, Block: grid.Dim3{X: 48, Y: 2}},
	{Grid: grid.Dim3{X: 1, Y: 2}, Block: grid.Dim3{X: 40, Y: 4, Z: 2}},
}

var warpPlaceCases = []Case{
	perThread("wpSums", warps, wpSums, wpSumsKernel, func(cfg grid.Config, in, out []int32) {
		perWarp(cfg, in, func(first int, warp []int32) {
			sum := int32(0)
			for _, v := range warp {
				sum += v
			}
			out[first/32] = sum
			out[first/32+len(out)/2] = warp[31] - int32(first/32)
		})
	}),
	perThread("wpAll", wpBoxes, wpAll, wpAllKernel, func(cfg grid.Config, in, out []int32) {
		block := cfg.Block.X * max(cfg.Block.Y, 1) * max(cfg.Block.Z, 1)
		place := func(i int) (lane, warp, g int) {
			x := i % block % cfg.Block.X
			return x % 32, x / 32, i/block%cfg.Grid.X*cfg.Block.X + x
		}
		for i, v := range in {
			lane, warp, g := place(i)
			out[i] = v + in[i^1]*3 + int32(lane*5+warp*7+lane*11+warp*13+g/32*17+g%32*19+lane*23)
			if g%32 == 3 {
				out[i] ^= 0x55
			}
			if warp == 1 {
				out[i] += 1000 + in[i-i%32]
			}
		}
		perWarp(cfg, append([]int32(nil), out...), func(first int, had []int32) {
			for k := range had {
				out[first+k] += had[k^2]
				lane, warp, _ := place(first + k)
				if rank := (first + k) % block; lane == 7 && warp >= 1 {
					out[first+k] -= int32(rank/32*29 + rank/32*31 + rank%32)
				}
			}
		})
	}),
	perThread("wpBlockSum", append(warps[:len(warps):len(warps)], line(2, 1024)), wpBlockSum, wpBlockSumKernel, func(cfg grid.Config, in, out []int32) {
		clear(out[:cfg.Blocks()])
		for i, v := range in {
			out[i/cfg.Block.X] += v
		}
	}),
}
