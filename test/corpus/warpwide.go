//go:build compiled

package corpus

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Warp operations of whole warps on values of 32 and 64 bits: shuffles in groups of all widths, by
// numbers that are known, that only the run knows and that each lane has for itself, matches and
// reductions.

type word interface {
	~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

//gocuda:kernel types=int32,uint32,int64,uint64,float32,float64
func wvWidths[T word](t *gocuda.Thread, in, out []T) {
	v := in[t.GlobalX()]
	v = v*3 + gocuda.ShflSync(t, gocuda.FullMask, v, 5, 8)
	v = v*3 + gocuda.ShflSync(t, gocuda.FullMask, v, 21, 16)
	v = v*3 + gocuda.ShflSync(t, gocuda.FullMask, v, 3, 2)
	v = v*3 + gocuda.ShflUpSync(t, gocuda.FullMask, v, 1, 4)
	v = v*3 + gocuda.ShflUpSync(t, gocuda.FullMask, v, 9, 16)
	v = v*3 + gocuda.ShflUpSync(t, gocuda.FullMask, v, 13, 32)
	v = v*3 + gocuda.ShflDownSync(t, gocuda.FullMask, v, 3, 8)
	v = v*3 + gocuda.ShflDownSync(t, gocuda.FullMask, v, 7, 16)
	v = v*3 + gocuda.ShflDownSync(t, gocuda.FullMask, v, 25, 32)
	v = v*3 + gocuda.ShflXorSync(t, gocuda.FullMask, v, 1, 2)
	v = v*3 + gocuda.ShflXorSync(t, gocuda.FullMask, v, 12, 8)
	v = v*3 + gocuda.ShflXorSync(t, gocuda.FullMask, v, 31, 32)
	v = v*3 + gocuda.ShflXorSync(t, gocuda.FullMask, v, 16, 1)
	v = v*3 + gocuda.ShflSync(t, gocuda.FullMask, v, 30, 32)
	v = v*3 + gocuda.ShflUpSync(t, gocuda.FullMask, v, 16, 32)
	out[t.GlobalX()] = v + gocuda.ShflDownSync(t, gocuda.FullMask, v, 0, 32)
}

func wvWidthsWant[T word](cfg grid.Config, in, out []T) {
	copy(out, in)
	for k, s := range []struct {
		kind     string
		b, width int
	}{
		{"", 5, 8}, {"", 21, 16}, {"", 3, 2}, {"up", 1, 4}, {"up", 9, 16}, {"up", 13, 32}, {"down", 3, 8}, {"down", 7, 16}, {"down", 25, 32},
		{"xor", 1, 2}, {"xor", 12, 8}, {"xor", 31, 32}, {"xor", 16, 1}, {"", 30, 32}, {"up", 16, 32}, {"down", 0, 32},
	} {
		perWarp(cfg, slices.Clone(out), func(first int, warp []T) {
			for lane, v := range warp {
				if k < 15 {
					v = T(v * 3) // rounded, also where Go could fuse
				}
				out[first+lane] = v + warp[wvFrom(s.kind, lane, s.b, s.width)]
			}
		})
	}
}

// wvFrom is the lane from which a lane reads, by the CUDA C++ Programming Guide, warp shuffle
// functions.
func wvFrom(kind string, lane, b, width int) int {
	group, from := lane/width, 0
	switch kind {
	case "":
		return group*width + b%width
	case "up":
		if from = lane - b; from < group*width {
			return lane
		}
	case "down":
		from = lane + b
	case "xor":
		from = lane ^ b
	}
	if from >= (group+1)*width {
		return lane
	}
	return from
}

//gocuda:kernel types=int32,uint32,int64,uint64,float32,float64
func wvNumbers[T word](t *gocuda.Thread, n int, in, out []T) {
	v := in[t.GlobalX()]
	for k := range n {
		v += gocuda.ShflSync(t, gocuda.FullMask, v, k, 32)
		v = v*2 + gocuda.ShflUpSync(t, gocuda.FullMask, v, k+1, 8)
		v = v*2 + gocuda.ShflDownSync(t, gocuda.FullMask, v, n-k, 16)
		v = v*2 + gocuda.ShflXorSync(t, gocuda.FullMask, v, 3*k, 32)
	}
	out[t.GlobalX()] = v
}

func wvNumbersWant[T word](n int) func(cfg grid.Config, in, out []T) {
	return func(cfg grid.Config, in, out []T) {
		copy(out, in)
		step := func(f int, kind string, b, width int) {
			perWarp(cfg, slices.Clone(out), func(first int, warp []T) {
				for lane, v := range warp {
					out[first+lane] = T(v*T(f)) + warp[wvFrom(kind, lane, b%32, width)]
				}
			})
		}
		for k := range n {
			step(1, "", k, 32)
			step(2, "up", k+1, 8)
			step(2, "down", n-k, 16)
			step(2, "xor", 3*k, 32)
		}
	}
}

// Each lane reads where it wants, by a number of any size.
//
//gocuda:kernel types=int32,uint32,int64,uint64,float32,float64
func wvOwn[T word](t *gocuda.Thread, by []int, in, out []T) {
	i := t.GlobalX()
	v := in[i]
	v += gocuda.ShflSync(t, gocuda.FullMask, v, by[i], 32)
	v += gocuda.ShflSync(t, gocuda.FullMask, v, by[i]>>7, 8)
	v += gocuda.ShflSync(t, gocuda.FullMask, v, (t.LaneID()*7+3)%32, 16)
	out[i] = v
}

func wvOwnWant[T word](by []int) func(cfg grid.Config, in, out []T) {
	return func(cfg grid.Config, in, out []T) {
		copy(out, in)
		for k, width := range []int{32, 8, 16} {
			perWarp(cfg, slices.Clone(out), func(first int, warp []T) {
				for lane, v := range warp {
					b := []int{by[first+lane], by[first+lane] >> 7, (lane*7 + 3) % 32}[k]
					out[first+lane] = v + warp[wvFrom("", lane, int(uint(b)%32), width)]
				}
			})
		}
	}
}

// Few values, so that there are matches; in some warps one value, of which one lane differs in others.
//
//gocuda:kernel types=int32,uint32,int64,uint64,float32,float64
func wvMatch[T word](t *gocuda.Thread, in []T, out []uint32) {
	v := in[t.GlobalX()]
	r := gocuda.MatchAnySync(t, gocuda.FullMask, v)
	same, all := gocuda.MatchAllSync(t, gocuda.FullMask, v)
	if all {
		r ^= 0x12345678
	}
	first, one := gocuda.MatchAllSync(t, gocuda.FullMask, v-v)
	out[t.GlobalX()] = r + same*3
	if one {
		out[t.GlobalX()] += first >> 5
	}
}

func wvMatchWant[T word](cfg grid.Config, in []T, out []uint32) {
	perWarp(cfg, in, func(first int, warp []T) {
		bits := func(v T) uint64 {
			switch x := any(v).(type) {
			case float32:
				return uint64(math.Float32bits(x))
			case float64:
				return math.Float64bits(x)
			}
			return uint64(int64(v))
		}
		set := func(like T) (m uint32) {
			for lane, v := range warp {
				if bits(v) == bits(like) {
					m |= 1 << lane
				}
			}
			return m
		}
		zeros := uint32(1<<32 - 1)
		for _, v := range warp {
			if v-v != 0 { // of a NaN or an infinity, one of which is negative zero's
				zeros = 0
			}
		}
		for lane, v := range warp {
			r := set(v)
			out[first+lane] = r
			if r == 1<<32-1 {
				out[first+lane] = r ^ 0x12345678 + 0xfffffffd // three times all ones
			}
			out[first+lane] += zeros >> 5
		}
	})
}

//gocuda:kernel types=int,uint,int32,uint32,int64,uint64
func wvReduce[T integer](t *gocuda.Thread, in, out []T) {
	i := t.GlobalX()
	v := in[i]
	r := gocuda.ReduceAddSync(t, gocuda.FullMask, v)
	r = r*31 + gocuda.ReduceMinSync(t, gocuda.FullMask, v)
	r = r*31 + gocuda.ReduceMaxSync(t, gocuda.FullMask, v)
	r = r*31 + gocuda.ReduceAndSync(t, gocuda.FullMask, v|3)
	r = r*31 + gocuda.ReduceOrSync(t, gocuda.FullMask, v>>4)
	out[i] = r*31 + gocuda.ReduceXorSync(t, gocuda.FullMask, v) + v
}

func wvReduceWant[T integer](cfg grid.Config, in, out []T) {
	perWarp(cfg, in, func(first int, warp []T) {
		sum, and, or, xor := T(0), ^T(0), T(0), T(0)
		for _, v := range warp {
			sum, and, or, xor = sum+v, and&(v|3), or|v>>4, xor^v
		}
		r := ((((sum*31+slices.Min(warp))*31+slices.Max(warp))*31+and)*31+or)*31 + xor
		for lane, v := range warp {
			out[first+lane] = r + v
		}
	})
}

// The lanes below, by a shift that differs between lanes, and other shifts of that kind.
//
//gocuda:kernel
func wvBelow(t *gocuda.Thread, in, out []uint32) {
	i, lane := t.GlobalX(), t.LaneID()
	v := in[i]
	odd := t.BallotSync(gocuda.FullMask, v&1 != 0)
	r := odd & (1<<lane - 1)
	r = r*5 + odd>>lane
	r ^= uint32(uint64(v) << v >> (v & 31))
	r += v>>uint8(v) ^ uint32(uint16(v)<<(v>>9))
	out[i] = r
}

func wvBelowWant(cfg grid.Config, in, out []uint32) {
	perWarp(cfg, in, func(first int, warp []uint32) {
		var odd uint32
		for lane, v := range warp {
			odd |= v & 1 << lane
		}
		for lane, v := range warp {
			r := odd&(1<<lane-1)*5 + odd>>lane
			wide := uint64(0)
			if v < 64 {
				wide = uint64(v) << v
			}
			r ^= uint32(wide >> (v % 32))
			low, short := uint32(0), uint16(0)
			if v&255 < 32 {
				low = v >> (v & 255)
			}
			if v>>9 < 16 {
				short = uint16(v) << (v >> 9)
			}
			out[first+lane] = r + (low ^ uint32(short))
		}
	})
}

func wvOf[T word](name string) []Case {
	few := func(n int) []T {
		s := make([]T, n)
		for i := range s {
			switch warp := i / 32; warp % 4 {
			case 0:
				s[i] = T(hash(i) % 5)
			case 1:
				s[i] = 7
			case 2:
				s[i] = T(3 - i%32/31)
			default:
				s[i] = T(i)
			}
		}
		return s
	}
	list := []Case{
		perThread("wvWidths-"+name, warps, wvWidths[T], wvWidthsKernel[T], wvWidthsWant[T]),
		perThreadOf("wvMatch-"+name, warps, few, wvMatch[T], wvMatchKernel[T], wvMatchWant[T]),
	}
	for _, n := range []int{0, 3, 40} {
		list = append(list, perThreadOf(fmt.Sprint("wvNumbers-", name, " ", n), warps, few,
			func(t *gocuda.Thread, in, out []T) { wvNumbers(t, n, in, out) },
			func(in, out []T) gocuda.Kernel { return wvNumbersKernel(n, in, out) }, wvNumbersWant[T](n)))
	}
	by := data[int](512)
	return append(list, perThread("wvOwn-"+name, warps,
		func(t *gocuda.Thread, in, out []T) { wvOwn(t, by, in, out) },
		func(in, out []T) gocuda.Kernel { return wvOwnKernel(by, in, out) }, wvOwnWant[T](by)))
}

// notNumbers are NaNs, infinities and zeros of both signs.
func notNumbers(n int) []float32 {
	list := []float32{float32(math.NaN()), math.Float32frombits(0x7fc00001), float32(math.Inf(1)), 0, float32(math.Copysign(0, -1)), 1}
	s := make([]float32, n)
	for i := range s {
		s[i] = list[hash(i)%uint64(len(list))]
		if i/32%2 == 1 {
			s[i] = list[i/64%len(list)]
		}
	}
	return s
}

func wvCases() []Case {
	return slices.Concat(
		wvOf[int32]("int32"), wvOf[uint32]("uint32"), wvOf[int64]("int64"), wvOf[uint64]("uint64"), wvOf[float32]("float32"), wvOf[float64]("float64"),
		[]Case{
			perThreadOf("wvMatch-not numbers", warps, notNumbers, wvMatch[float32], wvMatchKernel[float32], nil),
			perThread("wvReduce-int", warps, wvReduce[int], wvReduceKernel[int], wvReduceWant[int]),
			perThread("wvReduce-uint", warps, wvReduce[uint], wvReduceKernel[uint], wvReduceWant[uint]),
			perThread("wvReduce-int32", warps, wvReduce[int32], wvReduceKernel[int32], wvReduceWant[int32]),
			perThread("wvReduce-uint32", warps, wvReduce[uint32], wvReduceKernel[uint32], wvReduceWant[uint32]),
			perThread("wvReduce-int8", warps, wvReduce[int8], wvReduceKernel[int8], wvReduceWant[int8]),
			perThread("wvBelow", warps, wvBelow, wvBelowKernel, wvBelowWant),
			perThreadOf("wvBelow-small", warps, func(n int) []uint32 {
				s := make([]uint32, n)
				for i := range s {
					s[i] = uint32(hash(i) % 70)
				}
				return s
			}, wvBelow, wvBelowKernel, wvBelowWant),
		})
}
