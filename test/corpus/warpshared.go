//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Lanes of a warp that exchange values through memory, with SyncWarp between stores and loads.

// wsTail adds up a block; the last 64 elements by one warp without barriers.
//
//gocuda:kernel
func wsTail(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	s[tid] = in[t.GlobalX()]
	t.SyncThreads()
	for d := t.BlockDim.X / 2; d > 32; d /= 2 {
		if tid < d {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
	if tid < 32 {
		v := s[tid] + s[tid+32]
		t.SyncWarp(gocuda.FullMask)
		for d := 16; d > 0; d /= 2 {
			s[tid] = v
			t.SyncWarp(gocuda.FullMask)
			v += s[tid+d]
			t.SyncWarp(gocuda.FullMask)
		}
		if tid == 0 {
			out[t.BlockIdx.X] = v
		}
	}
}

// wsScan is an inclusive scan of each warp.
//
//gocuda:kernel
func wsScan(t *gocuda.Thread, in, out []float32) {
	s := gocuda.Shared[float32](t, 1024)
	tid, lane := t.ThreadIdx.X, t.ThreadIdx.X%32
	s[tid] = in[t.GlobalX()]
	t.SyncWarp(gocuda.FullMask)
	for d := 1; d < 32; d *= 2 {
		v := s[tid]
		if lane >= d {
			v += s[tid-d]
		}
		t.SyncWarp(gocuda.FullMask)
		s[tid] = v
		t.SyncWarp(gocuda.FullMask)
	}
	out[t.GlobalX()] = s[tid]
}

// wsMirror turns each warp's elements around, twice, through two arrays and in place.
//
//gocuda:kernel
func wsMirror(t *gocuda.Thread, data []uint8) {
	a, b := gocuda.Shared[uint8](t, 1024), gocuda.Shared[uint16](t, 1024)
	tid := t.ThreadIdx.X
	other := tid ^ 31
	a[tid] = data[t.GlobalX()]
	t.SyncWarp(gocuda.FullMask)
	b[tid] = uint16(a[other]) * 3
	t.SyncWarp(gocuda.FullMask)
	a[other] = uint8(b[other] + b[tid])
	t.SyncWarp(gocuda.FullMask)
	data[t.GlobalX()] = a[tid] ^ uint8(b[tid^7])
}

// wsGlobal exchanges values through global memory, with loops between.
//
//gocuda:kernel
func wsGlobal(t *gocuda.Thread, rounds int, data []int64) {
	i := t.GlobalX()
	first := i - t.ThreadIdx.X%32
	for r := range 3 {
		var sum int64
		for k := range rounds {
			sum += data[first+(k+r)%32] * int64(k+1)
		}
		t.SyncWarp(gocuda.FullMask)
		data[i] = sum + data[i]
		t.SyncWarp(gocuda.FullMask)
	}
}

// wsColumns transposes a tile of a warp's own, a row a lane.
//
//gocuda:kernel
func wsColumns(t *gocuda.Thread, in, out []float64) {
	s := gocuda.Shared[float64](t, 8*300)
	tid, lane := t.ThreadIdx.X, t.ThreadIdx.X%32
	tile := s[tid/32*300:]
	i := t.GlobalX()
	for k := range 4 {
		tile[k*33+lane] = in[(i+k)%len(in)]
	}
	t.SyncWarp(gocuda.FullMask)
	v := tile[lane%4*33+lane/4]
	t.SyncWarp(gocuda.FullMask)
	tile[lane*9] = v
	t.SyncWarp(gocuda.FullMask)
	out[i] = tile[(31-lane)*9] + 2*tile[(lane+1)%32*9]
}

// wsRows has blocks whose rows are warps.
//
//gocuda:kernel
func wsRows(t *gocuda.Thread, in, out []uint32) {
	s := gocuda.Shared[uint32](t, 32*32)
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	at := y*32 + x
	i := t.BlockIdx.X*32*t.BlockDim.Y + at
	s[at] = in[i]
	t.SyncWarp(gocuda.FullMask)
	v := s[y*32+(x+5)%32]
	t.SyncWarp(gocuda.FullMask)
	if x%3 == 0 {
		s[at] = v ^ s[at]<<1
	}
	t.SyncWarp(gocuda.FullMask)
	v += s[y*32+x/2]
	if t.AnySync(gocuda.FullMask, v > 1<<31) {
		s[y*32+31-x] = v
		t.SyncWarp(gocuda.FullMask)
		v -= s[at]
	}
	out[i] = v
}

func warpSharedCases() (cases []Case) {
	blocks := []grid.Config{line(3, 64), line(2, 128), line(1, 256), line(1, 1024)}
	cases = append(cases, made("wsTail", blocks, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[int32](cfg.Blocks()*cfg.Threads()), make([]int32, cfg.Blocks())
		return func(t *gocuda.Thread) { wsTail(t, in, out) }, wsTailKernel(in, out), []any{out}
	}, func(cfg grid.Config) []any {
		in, out := data[int32](cfg.Blocks()*cfg.Threads()), make([]int32, cfg.Blocks())
		for i, v := range in {
			out[i/cfg.Threads()] += v
		}
		return []any{out}
	}), made("wsScan", warps, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[float32](cfg.Blocks()*cfg.Threads()), make([]float32, cfg.Blocks()*cfg.Threads())
		return func(t *gocuda.Thread) { wsScan(t, in, out) }, wsScanKernel(in, out), []any{out}
	}, func(cfg grid.Config) []any {
		v := data[float32](cfg.Blocks() * cfg.Threads())
		for d := 1; d < 32; d *= 2 {
			for i := len(v) - 1; i >= 0; i-- {
				if i%32 >= d {
					v[i] += v[i-d]
				}
			}
		}
		return []any{v}
	}), made("wsMirror", warps, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		out := data[uint8](cfg.Blocks() * cfg.Threads())
		return func(t *gocuda.Thread) { wsMirror(t, out) }, wsMirrorKernel(out), []any{out}
	}, func(cfg grid.Config) []any {
		in := data[uint8](cfg.Blocks() * cfg.Threads())
		b, a, out := make([]uint16, len(in)), make([]uint8, len(in)), make([]uint8, len(in))
		for i := range in {
			b[i] = uint16(in[i^31]) * 3
		}
		for i := range in {
			a[i^31] = uint8(b[i^31] + b[i])
		}
		for i := range in {
			out[i] = a[i] ^ uint8(b[i^7])
		}
		return []any{out}
	}))
	for _, rounds := range []int{0, 1, 17, 32} {
		cases = append(cases, made(fmt.Sprint("wsGlobal of ", rounds), warps, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			out := data[int64](cfg.Blocks() * cfg.Threads())
			return func(t *gocuda.Thread) { wsGlobal(t, rounds, out) }, wsGlobalKernel(rounds, out), []any{out}
		}, func(cfg grid.Config) []any {
			v := data[int64](cfg.Blocks() * cfg.Threads())
			for r := range 3 {
				sums := make([]int64, len(v))
				for i := range v {
					for k := range rounds {
						sums[i] += v[i/32*32+(k+r)%32] * int64(k+1)
					}
				}
				for i := range v {
					v[i] += sums[i]
				}
			}
			return []any{v}
		}))
	}
	return append(cases, made("wsColumns", warps, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[float64](cfg.Blocks()*cfg.Threads()), make([]float64, cfg.Blocks()*cfg.Threads())
		return func(t *gocuda.Thread) { wsColumns(t, in, out) }, wsColumnsKernel(in, out), []any{out}
	}, nil), made("wsRows", []grid.Config{
		{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 32, Y: 1}}, {Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 32, Y: 5}}, {Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 32, Y: 32}},
	}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[uint32](cfg.Blocks()*cfg.Threads()), make([]uint32, cfg.Blocks()*cfg.Threads())
		return func(t *gocuda.Thread) { wsRows(t, in, out) }, wsRowsKernel(in, out), []any{out}
	}, nil))
}
