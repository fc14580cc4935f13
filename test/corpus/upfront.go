//go:build compiled

package corpus

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops of a warp over rows of its own, whose bounds can be asked for before the loop: they hold,
// hold for some warps only, or fail half way; and such that only look like them.

// ufWarp is the number of the warp in the grid, of one-dimensional blocks.
func ufWarp(t *gocuda.Thread) int { return t.BlockIdx.X*((t.BlockDim.X+31)/32) + t.WarpID() }

// ufLen is how many elements the warps have with so many rows each.
func ufLen(cfg grid.Config, rows int) int { return cfg.Grid.X * ((cfg.Block.X + 31) / 32) * 32 * rows }

// A scan of each warp's rows. Sums of whole numbers are the same in any order.
//
//gocuda:kernel
func ufScan[T float32 | int32 | uint32](t *gocuda.Thread, rows int, exclusive bool, in, out []T) {
	lane := t.LaneID()
	first := ufWarp(t)*32*rows + lane
	var sum T
	for r := range rows {
		v := in[first+32*r]
		for d := 1; d < 32; d *= 2 {
			below := gocuda.ShflUpSync(t, gocuda.FullMask, v, d, 32)
			if lane >= d {
				v += below
			}
		}
		total := gocuda.ShflSync(t, gocuda.FullMask, v, 31, 32)
		if exclusive {
			v = gocuda.ShflUpSync(t, gocuda.FullMask, v, 1, 32)
			if lane == 0 {
				v = 0
			}
		}
		out[first+32*r] = sum + v
		sum += total
	}
}

// Shuffles by all kinds of numbers, more than there are registers for what they read, and selects
// of many kinds.
//
//gocuda:kernel
func ufKinds[T float32 | int32 | uint32](t *gocuda.Thread, flag bool, in, more, out []T) {
	lane := t.LaneID()
	first := ufWarp(t)*32*7 + lane
	var a, b T
	for r := range 7 {
		v, w := in[first+32*r], more[(6-r)*32+first]
		v += gocuda.ShflSync(t, gocuda.FullMask, w, 20, 32) + gocuda.ShflSync(t, gocuda.FullMask, v, 5, 32)
		v -= gocuda.ShflUpSync(t, gocuda.FullMask, w, 3, 32)
		v += gocuda.ShflUpSync(t, gocuda.FullMask, v, 16, 32)
		v -= gocuda.ShflUpSync(t, gocuda.FullMask, v, 17, 32)
		w -= gocuda.ShflDownSync(t, gocuda.FullMask, v, 1, 32)
		w += gocuda.ShflDownSync(t, gocuda.FullMask, w, 16, 32)
		w -= gocuda.ShflDownSync(t, gocuda.FullMask, v, 20, 32)
		same := gocuda.ShflXorSync(t, gocuda.FullMask, w, 0, 32)
		if lane >= 7 {
			v += same
		}
		x := gocuda.ShflXorSync(t, gocuda.FullMask, v, 1, 32)
		y := gocuda.ShflXorSync(t, gocuda.FullMask, w, 16, 32)
		z := gocuda.ShflXorSync(t, gocuda.FullMask, v, 21, 32)
		if lane < 5 {
			a += x
		} else {
			a -= y
		}
		if lane != 19 {
			b += z
		}
		if lane == 18 {
			b = y
		}
		if lane >= 3 {
			a += v
		}
		if lane <= 21 {
			a += w
		}
		if lane > 30 {
			b += x
		}
		if flag {
			v += more[first+32*r]
			out[first+32*r] = v
		} else {
			out[first+32*r] = w
		}
	}
	out[first] = a + b
}

// The counter is used after the loop, and so is what is true or false; steps of 3 rows, and rows
// that overlap.
//
//gocuda:kernel
func ufAfter(t *gocuda.Thread, limit int, in, out []int32) {
	first := ufWarp(t)*64 + t.LaneID()
	seen, last, r := false, int32(0), 0
	for ; r < limit; r += 3 {
		v := in[first+2*r+r]
		seen = seen || v > 1<<30
		last += gocuda.ShflXorSync(t, gocuda.FullMask, v, 3, 32)
	}
	if seen {
		last ^= 12345
	}
	out[first] = last
	out[first+32] = int32(r)
}

// The beginning changes from row to row, and the slice does.
//
//gocuda:kernel
func ufMoves(t *gocuda.Thread, in, other, out []int32) {
	first, from := ufWarp(t)*32*8+t.LaneID(), in
	at := first
	for r := range 8 {
		v := from[at] + in[first+32*r]
		from, other = other, from
		at = first + 32*((r*r)%8)
		out[first+32*r] = gocuda.ShflDownSync(t, gocuda.FullMask, v, 2, 32)
	}
}

// The last rows are not whole.
//
//gocuda:kernel
func ufTail(t *gocuda.Thread, n int, in, out []float32) {
	first := ufWarp(t)*32*9 + t.LaneID()
	var sum float32
	for r := range 9 {
		var v float32
		if i := first + 32*r; i < n {
			v = in[i]
		}
		sum += gocuda.ShflDownSync(t, gocuda.FullMask, v, 1, 32)
		if first+32*r < n {
			out[first+32*r] = sum
		}
	}
}

// No round, with places that no array has.
//
//gocuda:kernel
func ufNone(t *gocuda.Thread, limit, far int, in, out []int32) {
	i := ufWarp(t)*32 + t.LaneID()
	own := int32(i)
	for r := 0; r < limit; r++ {
		own += gocuda.ShflXorSync(t, gocuda.FullMask, in[i+far+32*r], 1, 32)
	}
	out[i] = own
}

// Two loops, one in the other.
//
//gocuda:kernel
func ufNested(t *gocuda.Thread, rows int, in, out []uint32) {
	first := ufWarp(t)*32*8 + t.LaneID()
	own := uint32(0)
	for j := range rows {
		for r := range 8 {
			own = own*3 + gocuda.ShflUpSync(t, gocuda.FullMask, in[first+32*r], 1, 32)
		}
		own ^= in[first+32*j]
	}
	out[ufWarp(t)*32+t.LaneID()] = own
}

// A row that begins elsewhere: far behind or before the arrays, or near the ends of int.
//
//gocuda:kernel
func ufFar(t *gocuda.Thread, far int, in, out []float32) {
	first := t.WarpID()*256 + t.LaneID() + far
	var sum float32
	for r := range 8 {
		v := in[first+32*r]
		sum += gocuda.ShflXorSync(t, gocuda.FullMask, v, 16, 32)
		out[first+32*r] = sum
	}
}

func ufFailure(name, text string, thread, far, in, out int) Failure {
	return Failure{Name: name, Config: line(1, 64), Thread: grid.Dim3{X: thread}, Text: text,
		Make: func(cfg grid.Config) Instance {
			in, out := data[float32](in), make([]float32, out)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { ufFar(t, far, in, out) }),
				Compiled: ufFarKernel(far, in, out),
				Outputs:  []any{out},
			}
		}}
}

var ufFailures = []Failure{
	ufFailure("ufFar-last", "index out of range [511] with length 511", 63, 0, 511, 512),
	ufFailure("ufFar-just", "index out of range [-1]", 0, -1, 1000, 1000),
}

var ufGeometries = []grid.Config{line(2, 32), line(3, 64), line(2, 96), line(1, 256)}

// ufNumbers is whole numbers whose sums are exact.
func ufNumbers[T float32 | int32 | uint32](n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(hash(i) % 1000)
	}
	return s
}

func ufScanCase[T float32 | int32 | uint32](name string, rows int, exclusive bool) Case {
	return made(name, ufGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := ufLen(cfg, rows)
		in, out := ufNumbers[T](n), marked[T](n)
		return func(t *gocuda.Thread) { ufScan(t, rows, exclusive, in, out) }, ufScanKernel(rows, exclusive, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := ufLen(cfg, rows)
		in, out := ufNumbers[T](n), marked[T](n)
		for first := 0; first < n; first += 32 * rows {
			var sum T
			for i := first; i < first+32*rows; i++ {
				if exclusive {
					out[i] = sum
				}
				sum += in[i]
				if !exclusive {
					out[i] = sum
				}
			}
		}
		return []any{out}
	})
}

func ufKindsCase[T float32 | int32 | uint32](name string, flag bool) Case {
	return made(name, ufGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := ufLen(cfg, 7)
		in, more, out := data[T](n), dataFrom[T](n, 1), marked[T](n)
		return func(t *gocuda.Thread) { ufKinds(t, flag, in, more, out) }, ufKindsKernel(flag, in, more, out), []any{out}
	}, nil)
}

var ufCases = []Case{
	ufScanCase[float32]("ufScan/float32", 7, true),
	ufScanCase[int32]("ufScan/int32", 8, true),
	ufScanCase[uint32]("ufScan/uint32", 5, false),
	ufScanCase[int32]("ufScan/one", 1, false),
	ufKindsCase[float32]("ufKinds/float32", true),
	ufKindsCase[int32]("ufKinds/int32", false),
	ufKindsCase[uint32]("ufKinds/uint32", true),
	made("ufAfter", ufGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n, limit := ufLen(cfg, 2), cfg.Block.X/16*3
		in, out := data[int32](n+3*limit), marked[int32](n)
		return func(t *gocuda.Thread) { ufAfter(t, limit, in, out) }, ufAfterKernel(limit, in, out), []any{out}
	}, nil),
	made("ufMoves", ufGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := ufLen(cfg, 8)
		in, other, out := data[int32](n), dataFrom[int32](n, 1), marked[int32](n)
		return func(t *gocuda.Thread) { ufMoves(t, in, other, out) }, ufMovesKernel(in, other, out), []any{out}
	}, nil),
	made("ufTail", ufGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := ufLen(cfg, 9) - 32*5 - 3
		in, out := data[float32](n), marked[float32](n)
		return func(t *gocuda.Thread) { ufTail(t, n, in, out) }, ufTailKernel(n, in, out), []any{out}
	}, nil),
	ufNoneCase("ufNone", 0, math.MaxInt>>3),
	ufNoneCase("ufNone/negative", math.MinInt, math.MinInt>>3),
	ufNoneCase("ufNone/rows", 9, 7),
	made("ufNested", ufGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[uint32](ufLen(cfg, 8)), marked[uint32](ufLen(cfg, 1))
		return func(t *gocuda.Thread) { ufNested(t, 3, in, out) }, ufNestedKernel(3, in, out), []any{out}
	}, nil),
	made("ufFar", []grid.Config{line(1, 64), line(1, 96)}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[float32](8*cfg.Block.X+5), marked[float32](8*cfg.Block.X+5)
		return func(t *gocuda.Thread) { ufFar(t, 5, in, out) }, ufFarKernel(5, in, out), []any{out}
	}, nil),
}

func ufNoneCase(name string, limit, far int) Case {
	return made(name, ufGeometries, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := ufLen(cfg, 1)
		in, out := data[int32](n+9*32+7), marked[int32](n)
		return func(t *gocuda.Thread) { ufNone(t, limit, far, in, out) }, ufNoneKernel(limit, far, in, out), []any{out}
	}, nil)
}
