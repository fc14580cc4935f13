//go:build compiled

package corpus

import (
	"math"
	"math/big"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// From each integer type to each other: cut off, with and without sign.
//
//gocuda:kernel
func convertIntegers(t *gocuda.Thread, in, out []int64) {
	v := in[t.GlobalX()]
	a, b, c := int8(v), int16(v), int32(v)
	d, e, f, g := uint8(v), uint16(v), uint32(v), uint64(v)
	r := int64(a) + int64(b)*3 + int64(c)*5 + int64(d)*7 + int64(e)*11 + int64(f)*13 + int64(g)*17
	r ^= int64(int32(a)) + int64(uint32(a)) + int64(uint16(a))<<3 + int64(uint8(a))<<5
	r ^= int64(int8(b)) + int64(uint8(c)) + int64(uint32(b)) + int64(uint64(c)>>9)
	r ^= int64(int8(d)) + int64(int8(e)) + int64(int16(f)) + int64(int32(g))
	r += int64(int(uint16(int8(e)))) - int64(int16(uint8(int8(d))))
	r ^= int64(uint32(int32(uint8(v))-200)) ^ int64(rune(a)) ^ int64(byte(b))
	out[t.GlobalX()] = r
}

func convertIntegersWant(_ grid.Config, in, out []int64) {
	for i, v := range in {
		u := func(v int64, bits int) int64 { return v & (1<<bits - 1) }
		s := func(v int64, bits int) int64 { return u(v, bits) | -(v >> (bits - 1) & 1 << bits) }
		a, b, c, d, e, f := s(v, 8), s(v, 16), s(v, 32), u(v, 8), u(v, 16), u(v, 32)
		r := a + b*3 + c*5 + d*7 + e*11 + f*13 + v*17
		r ^= a + u(a, 32) + u(a, 16)<<3 + u(a, 8)<<5
		r ^= s(b, 8) + u(c, 8) + u(b, 32) + (c>>9)&(1<<55-1)
		r ^= s(d, 8) + s(e, 8) + s(f, 16) + s(v, 32)
		r += u(s(e, 8), 16) - u(s(d, 8), 8)
		r ^= u(u(v, 8)-200, 32) ^ a ^ u(b, 8)
		out[i] = r
	}
}

// Integers to floating point, of all widths, rounded to even.
//
//gocuda:kernel
func convertToFloat(t *gocuda.Thread, in []int64, out []float64) {
	v := in[t.GlobalX()]
	r := float64(v) + float64(uint64(v))/3 + float64(int32(v))*7
	r += float64(float32(v)) - float64(float32(uint64(v)))/5 + float64(float32(int32(v))) + float64(float32(uint32(v)))/9
	r += float64(int8(v)) - float64(uint8(v)) + float64(float32(int16(v))) + float64(float32(uint16(v)))
	out[t.GlobalX()] = r
}

// Integers of up to 64 bits in the middle between two numbers of float32, and next to it.
//
//gocuda:kernel
func convertHalves(t *gocuda.Thread, in []int64, out []float64) {
	i := t.GlobalX()
	u := halfway(i)
	s := -int64(u)
	r := float64(float32(u))
	if i%4 == 1 {
		r = float64(u)
	}
	if i%4 == 2 {
		r = float64(float32(s))
	}
	if i%4 == 3 {
		r = float64(s)
	}
	out[i] = r
}

// halfway is such an integer.
func halfway(i int) uint64 {
	return (1<<24|uint64(i)*7919&(1<<24-1))<<(i%39+1)>>1 + uint64(i%3) - 1
}

func convertHalvesWant(_ grid.Config, _ []int64, out []float64) {
	for i := range out {
		x := new(big.Float).SetUint64(halfway(i))
		if i%4 > 1 {
			x.Neg(x)
		}
		if out[i], _ = x.Float64(); i%4%2 == 0 {
			short, _ := x.Float32()
			out[i] = float64(short)
		}
	}
}

// Floating point to unsigned integers of 64 bits, all in range: a few threads' numbers are 2^63 or more.
//
//gocuda:kernel
func convertUnsigned(t *gocuda.Thread, in []int64, out []uint64) {
	i := t.GlobalX()
	f := unsignedFloat(i)
	out[i] = uint64(f)
	if i%5 < 2 {
		out[i] ^= uint64(float32(f))
	}
}

// unsignedFloat is a float64 above -1 and below 2^64, even as a float32.
func unsignedFloat(i int) float64 {
	return float64(uint64(i+1)*0x9E3779B97F4A7C15&(1<<64-1<<40)>>(i*37%62)) - 0.75
}

func convertUnsignedWant(_ grid.Config, _ []int64, out []uint64) {
	for i := range out {
		f := unsignedFloat(i)
		out[i], _ = big.NewFloat(f).Uint64()
		if i%5 < 2 {
			short, _ := big.NewFloat(float64(float32(f))).Uint64()
			out[i] ^= short
		}
	}
}

// Floating point to integers, towards zero, all in range.
//
//gocuda:kernel
func convertFromFloat(t *gocuda.Thread, in []float32, out []int64) {
	f := in[t.GlobalX()]
	d := float64(f) * 1.5
	r := int64(int8(f)) + int64(int16(f*100))*3 + int64(int32(f*1e6))*5 + int64(f*1e12)*7 + int64(int(d))
	r ^= int64(int32(d*1e6)) + int64(d*1e14) + int64(int8(d/2))
	if f >= 0 {
		r ^= int64(uint8(f)) + int64(uint16(f*300)) + int64(uint32(f*1e7)) + int64(uint64(f*1e15)) + int64(uint64(d*1e17)/3)
	}
	out[t.GlobalX()] = r
}

// From one floating-point type to the other and back, with what overflows and what becomes subnormal.
//
//gocuda:kernel
func convertFloats(t *gocuda.Thread, in, out []float64) {
	i := t.GlobalX()
	d := in[i] * in[i] * in[i]
	for range i % 50 {
		d *= 9.5
	}
	f := float32(d)
	g := float32(1 / (d * d))
	out[i] = float64(f) + float64(g)*2 + float64(float32(f*g)) - float64(f-float32(d/3))
}

// The bits of floating-point numbers, as integers.
//
//gocuda:kernel
func floatBits(t *gocuda.Thread, in []float32, out []uint32) {
	f := in[t.GlobalX()]
	b := math.Float32bits(f)
	b ^= b >> 3 & 0xff
	f = math.Float32frombits(b&0x807fffff|0x3f800000) * 2
	d := math.Float64frombits(math.Float64bits(float64(f)) ^ 1<<63)
	out[t.GlobalX()] = math.Float32bits(f) + uint32(math.Float64bits(d)>>32)
}

var conversionCases = []Case{
	perThread("convertIntegers", linear, convertIntegers, convertIntegersKernel, convertIntegersWant),
	perThread("convertToFloat", linear, convertToFloat, convertToFloatKernel, nil),
	perThread("convertUnsigned", linear, convertUnsigned, convertUnsignedKernel, convertUnsignedWant),
	perThread("convertHalves", linear, convertHalves, convertHalvesKernel, convertHalvesWant),
	perThread("convertFromFloat", linear, convertFromFloat, convertFromFloatKernel, func(_ grid.Config, in []float32, out []int64) {
		for i, f := range in {
			whole := func(x float64) int64 { return int64(math.Trunc(x)) }
			d := float64(f) * 1.5
			r := whole(float64(f)) + whole(float64(f*100))*3 + whole(float64(f*1e6))*5 + whole(float64(f*1e12))*7 + whole(d)
			r ^= whole(d*1e6) + whole(d*1e14) + whole(d/2)
			if f >= 0 {
				big := uint64(math.Trunc(d * 1e17 / 2)) // a half, to stay in the range of int64
				big = 2*big + uint64(math.Trunc(d*1e17)-2*float64(big))
				r ^= whole(float64(f)) + whole(float64(f*300)) + whole(float64(f*1e7)) + whole(float64(f*1e15)) + int64(big/3)
			}
			out[i] = r
		}
	}),
	perThread("convertFloats", linear, convertFloats, convertFloatsKernel, nil),
	perThread("floatBits", linear, floatBits, floatBitsKernel, nil),
}
