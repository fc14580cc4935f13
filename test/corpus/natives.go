//go:build compiled

package corpus

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Functions of math, math/bits and device that vectors compute as they are. Each kernel also
// assigns a result under a condition: Go 1.26 can't encode some instructions once it has joined
// them with a select.

//gocuda:kernel
func ntBits32(t *gocuda.Thread, in, out []uint32) {
	i := t.GlobalX()
	x := in[i]
	r := uint32(bits.OnesCount32(x)) + uint32(bits.LeadingZeros32(x))<<8 + uint32(bits.TrailingZeros32(x))<<16
	if x&1 == 0 {
		r = bits.Reverse32(x)
	}
	if x&2 == 0 {
		r ^= bits.ReverseBytes32(x + r)
	}
	if x&4 == 0 {
		r = bits.RotateLeft32(r, 7)
	}
	if x&8 == 0 {
		r = bits.RotateLeft32(r^x, t.BlockDim.X) + bits.RotateLeft32(x, -3) + bits.RotateLeft32(x, 32)
	}
	if x&16 == 0 {
		r = uint32(bits.LeadingZeros32(r))
	}
	if x&32 == 0 {
		r = uint32(bits.OnesCount32(r))
	}
	if x&64 == 0 {
		r = uint32(bits.Len32(x)) - uint32(bits.TrailingZeros32(r))
	}
	out[i] = r
}

//gocuda:kernel
func ntBits64(t *gocuda.Thread, in, out []uint64) {
	i := t.GlobalX()
	x := in[i]
	r := uint64(bits.OnesCount64(x)) + uint64(bits.LeadingZeros64(x))<<8 + uint64(bits.TrailingZeros64(x))<<16
	if x&1 == 0 {
		r = bits.Reverse64(x)
	}
	if x&2 == 0 {
		r ^= bits.ReverseBytes64(x + r)
	}
	if x&4 == 0 {
		r = bits.RotateLeft64(r, 45)
	}
	if x&8 == 0 {
		r = uint64(bits.LeadingZeros64(r))
	}
	if x&32 == 0 {
		r = uint64(bits.OnesCount64(r))
	}
	if x&64 == 0 {
		r = uint64(bits.Len64(x)) - uint64(bits.TrailingZeros64(r))
	}
	out[i] = r
}

// Counts as int, and as something narrower than the word.
//
//gocuda:kernel
func ntCounts(t *gocuda.Thread, in []uint64, out []int) {
	i := t.GlobalX()
	n := bits.OnesCount64(in[i]) * 100
	n += int(int32(bits.LeadingZeros64(in[i])))
	out[i] = n + bits.OnesCount32(uint32(in[i])) + int(int8(bits.TrailingZeros64(in[i]>>3)))
}

//gocuda:kernel
func ntFloats32(t *gocuda.Thread, in []float32, out []uint32) {
	i := t.GlobalX()
	x, y := in[i], in[len(in)-1-i]
	r := math.Float32bits(x)
	switch {
	case math.IsNaN(float64(x)):
		r = 7
	case math.IsInf(float64(x), 0):
		r = 8
		if math.IsInf(float64(x), -1) {
			r = 9
		}
	case math.Signbit(float64(x)):
		r = math.Float32bits(float32(math.Copysign(float64(y), float64(x)))) + 1
	case math.Float32frombits(r&0xff800000) == 1:
		r = math.Float32bits(device.Fmaf(x, y, -1))
	}
	if math.IsInf(float64(y), 1) {
		r++
	}
	out[i] = r
}

//gocuda:kernel
func ntFloats64(t *gocuda.Thread, in []float64, out []uint64) {
	i := t.GlobalX()
	x, y := in[i], in[len(in)-1-i]
	r := math.Float64bits(x)
	switch {
	case math.IsNaN(x):
		r = 7
	case math.IsInf(x, 0):
		r = 8
		if math.IsInf(x, -1) {
			r = 9
		}
	case math.Signbit(x):
		r = math.Float64bits(math.Copysign(y, x)) + 1
	case math.Float64frombits(r&0xfff0000000000000) == 1:
		r = math.Float64bits(math.FMA(x, y, -1))
	}
	if math.IsInf(y, 1) {
		r++
	}
	out[i] = r
}

// Products whose last bits only one rounding keeps.
//
//gocuda:kernel
func ntFused(t *gocuda.Thread, in []int32, out []float32) {
	i := t.GlobalX()
	x := 1 + float32(in[i]%4096)*0x1p-23
	s := device.Fmaf(x, x, -1)
	if in[i]%3 == 0 {
		s = device.Fmaf(s, s, x)
	}
	out[i] = s
}

// ntWords are words of all numbers of ones, and words that begin and end anywhere.
func ntWords[T uint32 | uint64](n int) []T {
	s := data[T](n)
	for i := range s {
		switch i % 5 {
		case 0:
			s[i] = 1 << (i / 5 % 64)
		case 1:
			s[i] = ^T(0) >> (i / 5 % 64)
		case 2:
			s[i] = ^T(0) << (i / 5 % 65)
		}
	}
	return s
}

// ntSpecials are numbers of all kinds.
func ntSpecials[T float32 | float64](n int) []T {
	s := data[T](n)
	inf := T(math.Inf(1))
	for i := range s {
		if i%3 == 0 {
			s[i] = []T{inf, -inf, inf - inf, 0, -1 / inf, 1, -1, 1.75, 1.0000001}[i/3%9]
		}
	}
	return s
}

// ntExact is x*y + z, rounded once.
func ntExact(x, y, z float64, single bool) float64 {
	p := new(big.Float).SetPrec(2200).Mul(big.NewFloat(x), big.NewFloat(y))
	p.Add(p, big.NewFloat(z))
	if single {
		f, _ := p.Float32()
		return float64(f)
	}
	f, _ := p.Float64()
	return f
}

var nativeCases = []Case{
	perThreadOf("ntBits32", linear, ntWords[uint32], ntBits32, ntBits32Kernel, nil),
	perThreadOf("ntBits64", linear, ntWords[uint64], ntBits64, ntBits64Kernel, nil),
	perThreadOf("ntCounts", linear, ntWords[uint64], ntCounts, ntCountsKernel, func(_ grid.Config, in []uint64, out []int) {
		ones := func(x uint64) (n int) {
			for ; x != 0; x &= x - 1 {
				n++
			}
			return n
		}
		for i, x := range in {
			zeros, low := 0, 0
			for zeros < 64 && x>>(63-zeros) == 0 {
				zeros++
			}
			for low < 64 && x>>3>>low&1 == 0 {
				low++
			}
			out[i] = 100*ones(x) + zeros + ones(x&0xffffffff) + low
		}
	}),
	perThreadOf("ntFloats32", linear, ntSpecials[float32], ntFloats32, ntFloats32Kernel, nil),
	perThreadOf("ntFloats64", linear, ntSpecials[float64], ntFloats64, ntFloats64Kernel, nil),
	perThreadOf("ntFused", linear, data[int32], ntFused, ntFusedKernel, func(_ grid.Config, in []int32, out []float32) {
		for i, v := range in {
			x := 1 + float64(v%4096)/(1<<23)
			s := ntExact(x, x, -1, true)
			if v%3 == 0 {
				s = ntExact(s, s, x, true)
			}
			out[i] = float32(s)
		}
	}),
}
