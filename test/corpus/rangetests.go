//go:build compiled

package corpus

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Range tests by one comparison of unsigned integers, as uint32(x) < uint32(w) for x >= 0 && x < w.

// rtMasks notes which neighbours are inside, in the four types. Limits may be anything.
//
//gocuda:kernel
func rtMasks(t *gocuda.Thread, w int, w32 int32, wu uint32, wide uint, out []uint32) {
	x := t.GlobalX()
	x32, xu := int32(x), uint32(x)
	var bits uint32
	for d := -2; d <= 2; d++ {
		if uint(x+d) < uint(w) {
			bits |= 1
		}
		if uint32(x+d) < uint32(w) {
			bits |= 2
		}
		if uint32(x32+int32(d)) < uint32(w32) {
			bits |= 4
		}
		if uint32(w32) <= uint32(x32+int32(d)) {
			bits |= 8
		}
		if uint32(x+d) >= wu {
			bits |= 16
		}
		if wide > uint(x+d) {
			bits |= 32
		}
		bits <<= 6
		bits ^= bits >> 27
	}
	if xu-1 < wu-2 {
		bits ^= 1
	}
	if xu-3 >= wu {
		bits ^= 2
	}
	if wu > xu-1 && !(xu-2 < wu-1) {
		bits ^= 4
	}
	if uint32(x-7) < 9 || uint(x-40) < 3 || xu-5 < 1<<31 {
		bits ^= 8
	}
	if uint8(x-3) < 100 || uint16(x) < uint16(w) {
		bits ^= 16
	}
	out[x] = bits
}

// rtInner is a stencil whose inner points pass one comparison an axis.
//
//gocuda:kernel
func rtInner(t *gocuda.Thread, w, h uint32, in, out []float32) {
	x, y := uint32(t.GlobalX()), uint32(t.GlobalY())
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	v := in[i]
	if x-1 < w-2 && y-1 < h-2 {
		v = in[i-1] + in[i+1] + in[i-w] + in[i+w] - 4*v
	}
	out[i] = v
}

// rtAround is the maximum of the neighbours that there are.
//
//gocuda:kernel
func rtAround(t *gocuda.Thread, w, h int32, in, out []uint8) {
	x, y := int32(t.GlobalX()), int32(t.GlobalY())
	if uint32(x) >= uint32(w) || uint32(y) >= uint32(h) {
		return
	}
	var most uint8
	for dy := int32(-1); dy <= 1; dy++ {
		for dx := int32(-2); dx <= 2; dx++ {
			nx, ny := x+dx, y+dy
			if uint32(nx) < uint32(w) && uint32(ny) < uint32(h) {
				most = max(most, in[ny*w+nx])
			}
		}
	}
	out[y*w+x] = most
}

// rtMoved shifts elements by what may be any number, and by what data choose.
//
//gocuda:kernel
func rtMoved(t *gocuda.Thread, by int, in []int32, moves []int32, out []int32) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	s := int32(-1)
	if from := i + by; uint(from) < uint(len(in)) {
		s = in[from]
	}
	if from := i + int(moves[i]%64); uint(from) < uint(len(in)) {
		s ^= in[from]
	}
	out[i] = s
}

func rangeTestCases() (cases []Case) {
	for _, w := range []int{0, 1, 2, 3, 20, 33, 100, -1, -5, math.MinInt32, math.MinInt, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32, math.MaxUint32 + 10, math.MaxInt} {
		cases = append(cases, made(fmt.Sprint("rtMasks up to ", w), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			out := make([]uint32, cfg.Blocks()*cfg.Threads())
			return func(t *gocuda.Thread) { rtMasks(t, w, int32(w), uint32(w), uint(w), out) }, rtMasksKernel(w, int32(w), uint32(w), uint(w), out), []any{out}
		}, nil))
	}
	planes := []grid.Config{
		{Grid: grid.Dim3{X: 2, Y: 3}, Block: grid.Dim3{X: 5, Y: 3}},
		{Grid: grid.Dim3{X: 3, Y: 2}, Block: grid.Dim3{X: 16, Y: 16}},
		{Grid: grid.Dim3{X: 2, Y: 9}, Block: grid.Dim3{X: 64, Y: 2}},
		{Grid: grid.Dim3{X: 1, Y: 2}, Block: grid.Dim3{X: 100, Y: 7}},
	}
	size := func(cfg grid.Config, less int) (w, h int) {
		return max(cfg.Grid.X*cfg.Block.X-less, 0), max(max(cfg.Grid.Y, 1)*cfg.Block.Y-less, 0)
	}
	for _, less := range []int{0, 1, 3, 9, 13, 1000} {
		cases = append(cases, made(fmt.Sprint("rtInner less ", less), planes, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			w, h := size(cfg, less)
			in, out := data[float32](w*h), make([]float32, w*h)
			return func(t *gocuda.Thread) { rtInner(t, uint32(w), uint32(h), in, out) }, rtInnerKernel(uint32(w), uint32(h), in, out), []any{out}
		}, func(cfg grid.Config) []any {
			w, h := size(cfg, less)
			in, out := data[float32](w*h), make([]float32, w*h)
			for i := range out {
				x, y := i%w, i/w
				out[i] = in[i]
				// a width of one makes w-2 the largest integer but one
				if x > 0 && (x < w-1 || w < 2) && y > 0 && (y < h-1 || h < 2) {
					out[i] = in[i-1] + in[i+1] + in[i-w] + in[i+w] - 4*in[i]
				}
			}
			return []any{out}
		}), made(fmt.Sprint("rtAround less ", less), planes, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			w, h := size(cfg, less)
			in, out := data[uint8](w*h), make([]uint8, w*h)
			return func(t *gocuda.Thread) { rtAround(t, int32(w), int32(h), in, out) }, rtAroundKernel(int32(w), int32(h), in, out), []any{out}
		}, func(cfg grid.Config) []any {
			w, h := size(cfg, less)
			in, out := data[uint8](w*h), make([]uint8, w*h)
			for i := range out {
				for y := max(i/w-1, 0); y <= min(i/w+1, h-1); y++ {
					for x := max(i%w-2, 0); x <= min(i%w+2, w-1); x++ {
						out[i] = max(out[i], in[y*w+x])
					}
				}
			}
			return []any{out}
		}))
	}
	for _, by := range []int{0, 1, -1, 17, -40, 100000, -100000, math.MaxInt, math.MinInt, math.MinInt + 20} {
		cases = append(cases, made(fmt.Sprint("rtMoved by ", by), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Blocks() * cfg.Threads()
			in, moves, out := data[int32](n), dataFrom[int32](n, 1), make([]int32, n)
			return func(t *gocuda.Thread) { rtMoved(t, by, in, moves, out) }, rtMovedKernel(by, in, moves, out), []any{out}
		}, func(cfg grid.Config) []any {
			n := cfg.Blocks() * cfg.Threads()
			in, moves, out := data[int32](n), dataFrom[int32](n, 1), make([]int32, n)
			for i := range out {
				out[i] = -1
				if from := i + by; from >= 0 && from < n {
					out[i] = in[from]
				}
				if from := i + int(moves[i]%64); from >= 0 && from < n {
					out[i] ^= in[from]
				}
			}
			return []any{out}
		}))
	}
	return cases
}
