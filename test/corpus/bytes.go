//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Small integers alone, of which vectors hold 32, and beside larger numbers, with which they share
// the number of lanes: 16, 8 or 4.

//gocuda:kernel
func byAdd(t *gocuda.Thread, n int, in, out []int8) {
	if i := t.GlobalX(); i < n {
		out[i] = in[i] + in[n-1-i]*3
	}
}

// Colours to grey, through float32.
//
//gocuda:kernel
func byGrey(t *gocuda.Thread, n int, in, out []uint8) {
	i := t.GlobalX()
	if i+2 < n {
		out[i] = uint8(0.25*float32(in[i]) + 0.5*float32(in[i+1]) + 0.125*float32(in[i+2]))
	} else if i < n {
		out[i] = in[i] / 3
	}
}

// Conditions, of which one is about the neighbours, and a loop that lanes leave one by one.
//
//gocuda:kernel
func byThreshold(t *gocuda.Thread, n int, in, out []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := in[i]
	switch {
	case v > 200:
		v = 255
	case v >= 100 && i > 0 && in[i-1] < v:
		v -= in[i-1]
	case v == 7 || v != 77 && v <= 13:
		v = ^v &^ 5
	default:
		v >>= 1
	}
	for v%5 != 0 {
		v++
	}
	out[i] = v
}

// Through numbers of twice the size.
//
//gocuda:kernel
func byBlend(t *gocuda.Thread, n int, in, out []uint8) {
	i := t.GlobalX()
	if i < n {
		w := uint16(40)
		out[i] = uint8((uint16(in[i])*w + uint16(in[n-1-i])*(256-w)) >> 8)
	}
}

//gocuda:kernel
func byShorts(t *gocuda.Thread, n int, in, out []int16) {
	i := t.GlobalX()
	if i < n {
		v := in[i]
		for k := range int16(4) {
			if v > k<<8 {
				v -= in[n-1-i]>>2 - k
			}
			v = max(v, -9000) ^ v<<3
		}
		out[i] = min(v, 9000) * 5
	}
}

// Unlike signs and sizes, to numbers of 64 bits and back.
//
//gocuda:kernel
func byWide(t *gocuda.Thread, n int, in []int8, out []int64) {
	i := t.GlobalX()
	if i < n {
		v, w := in[i], uint16(in[n-1-i])
		sum := int64(v) * int64(w)
		for k := range 3 {
			sum = sum*7 + int64(uint8(v)) - int64(int8(w)) + int64(k)
			v += int8(sum)
			w ^= uint16(sum >> 3)
		}
		out[i] = sum
	}
}

//gocuda:kernel
func byDouble(t *gocuda.Thread, n int, in []uint16, out []float64) {
	i := t.GlobalX()
	if i < n {
		v := in[i]
		x := float64(v)*0.5 - float64(int8(v))
		if uint8(x) < 100 {
			x += float64(uint8(v>>4)) * 0.25
		}
		out[i] = x + float64(int16(x*0.125))
	}
}

// Elements apart, by a table, and through shared memory with a barrier.
//
//gocuda:kernel
func byTable(t *gocuda.Thread, in, out []uint8) {
	s := gocuda.Shared[uint8](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	s[tid] = v
	t.SyncThreads()
	x := s[n-1-tid] + s[int(v)%n]
	for k := range 3 {
		x = x*3 + s[(tid*2+k)%n]
	}
	t.SyncThreads()
	out[t.GlobalX()] = x - v
}

var byCases = []Case{
	guarded("byAdd", linear, byAdd, byAddKernel, func(_ grid.Config, in, out []int8) {
		for i := range in {
			out[i] = in[i] + 3*in[len(in)-1-i]
		}
	}),
	guarded("byGrey", linear, byGrey, byGreyKernel, func(_ grid.Config, in, out []uint8) {
		for i := range in {
			if i+2 < len(in) {
				out[i] = uint8((int(in[i])*2 + int(in[i+1])*4 + int(in[i+2])) / 8) // eighths are exact
			} else {
				out[i] = in[i] / 3
			}
		}
	}),
	guarded("byThreshold", linear, byThreshold, byThresholdKernel, func(_ grid.Config, in, out []uint8) {
		for i, v := range in {
			if v > 200 {
				v = 255
			} else if v >= 100 && i > 0 && in[i-1] < v {
				v = v - in[i-1]
			} else if v <= 13 {
				v = (255 - v) & 250
			} else {
				v = v / 2
			}
			out[i] = uint8((int(v) + 4) / 5 * 5)
		}
	}),
	guarded("byBlend", linear, byBlend, byBlendKernel, func(_ grid.Config, in, out []uint8) {
		for i, v := range in {
			out[i] = uint8((int(v)*40 + int(in[len(in)-1-i])*216) / 256)
		}
	}),
	guarded("byShorts", linear, byShorts, byShortsKernel, nil),
	guarded("byWide", linear, byWide, byWideKernel, func(_ grid.Config, in []int8, out []int64) {
		for i, v := range in {
			a, b := int64(v), int64(in[len(in)-1-i])&0xffff
			sum := a * b
			for k := range int64(3) {
				sum = sum*7 + a&0xff - (b<<56)>>56 + k
				a = (a + sum) << 56 >> 56
				b = b ^ sum>>3&0xffff
			}
			out[i] = sum
		}
	}),
	guarded("byDouble", linear, byDouble, byDoubleKernel, nil),
	perThread("byTable", linear, byTable, byTableKernel, nil),
}
