package device

import "math"

// Half precision: the type, its bits, and conversions from and to float32 and float64. halfint.go
// converts integers, halfarith.go computes, halfmath.go has the functions, and half2.go pairs.

// A Half is a number of IEEE 754's binary16, as its bits: CUDA's __half. It has 1 sign bit, 5 bits
// of exponent and 10 of significand: 11 bits of precision, numbers up to 65504, normal ones from
// 2^-14, subnormal ones from 2^-24.
//
// Go's operators on a Half are those of integers, so use the functions. Each rounds once, to
// nearest even unless its name says otherwise, with subnormal numbers. A NaN result is HalfNaN,
// without sign or payload of the operands, as CUDA has it.
type Half uint16

// Constants of cuda_fp16.h: CUDART_ZERO_FP16 and so on.
const (
	HalfZero      Half = 0
	HalfNegZero   Half = 0x8000
	HalfOne       Half = 0x3c00
	HalfMinDenorm Half = 1      // 2^-24
	HalfMaxNormal Half = 0x7bff // 65504
	HalfInf       Half = 0x7c00
	HalfNaN       Half = 0x7fff
)

// HalfAsUshort returns the bits of h: CUDA's __half_as_ushort.
func HalfAsUshort(h Half) uint16 {
	return uint16(h)
}

// HalfAsShort returns the bits of h as a signed integer: CUDA's __half_as_short.
func HalfAsShort(h Half) int16 {
	return int16(h)
}

// UshortAsHalf returns the number with the bits of i: CUDA's __ushort_as_half.
func UshortAsHalf(i uint16) Half {
	return Half(i)
}

// ShortAsHalf returns the number with the bits of i: CUDA's __short_as_half.
func ShortAsHalf(i int16) Half {
	return Half(i)
}

// Half2Float converts h to float32, exactly: CUDA's __half2float. Each NaN becomes 0x7fffffff.
func Half2Float(h Half) float32 {
	m := uint32(h) & 0x7fff << 13
	b := m + 112<<23 // another bias
	if m < 1<<23 {   // subnormal, or zero: written as 2^-14 and something, and 2^-14 taken off again
		b = math.Float32bits(math.Float32frombits(m+113<<23) - 0x1p-14)
	}
	b |= uint32(h) >> 15 << 31
	if m >= 31<<23 {
		b |= 255 << 23
	}
	if m > 31<<23 {
		b = nan32
	}
	return math.Float32frombits(b)
}

// Half2Double converts h to float64, exactly: what a cast of CUDA's __half to double does.
func Half2Double(h Half) float64 {
	return float64(Half2Float(h))
}

// onHalfGrid returns an integer whose shift lowest bits are those of a float32 that a Half has no
// room for; above are the bits of the Half. m is the float32 without its sign, below 2^16.
func onHalfGrid(m uint32) (v, shift uint32) {
	v = m - 112<<23
	shift = 13
	if m < 113<<23 { // subnormal as a Half
		v = m&(1<<23-1) | 1<<23
		shift = min(126-m>>23, 25) // below 2^-25 all bits are below the half of the last place
	}
	if m == 0 {
		v = 0
	}
	return v, shift
}

// Float2HalfRN converts x, rounded to nearest even: CUDA's __float2half_rn. 65520 and more is
// infinity, 2^-25 and less 0.
func Float2HalfRN(x float32) Half {
	b := math.Float32bits(x)
	m := b & (1<<31 - 1)
	v, shift := onHalfGrid(m)
	h := (v + 1<<(shift-1) - 1 + v>>shift&1) >> shift
	if m >= 143<<23 { // 2^16
		h = uint32(HalfInf)
	}
	h |= b >> 31 << 15
	if m > 255<<23 {
		h = uint32(HalfNaN)
	}
	return Half(h)
}

// directedHalf converts the float32 with the bits b, away from zero or towards it.
func directedHalf(b uint32, away bool) Half {
	m := b & (1<<31 - 1)
	v, shift := onHalfGrid(m)
	end := uint32(HalfMaxNormal)
	if away {
		v += 1<<shift - 1
		end = uint32(HalfInf)
	}
	h := v >> shift
	if m >= 143<<23 {
		h = end
	}
	if m == 255<<23 {
		h = uint32(HalfInf)
	}
	h |= b >> 31 << 15
	if m > 255<<23 {
		h = uint32(HalfNaN)
	}
	return Half(h)
}

// Float2HalfRZ converts x, rounded towards zero: CUDA's __float2half_rz. What is too large becomes
// 65504.
func Float2HalfRZ(x float32) Half {
	return directedHalf(math.Float32bits(x), false)
}

// Float2HalfRU converts x, rounded up: CUDA's __float2half_ru.
func Float2HalfRU(x float32) Half {
	b := math.Float32bits(x)
	return directedHalf(b, b>>31 == 0)
}

// Float2HalfRD converts x, rounded down: CUDA's __float2half_rd.
func Float2HalfRD(x float32) Half {
	b := math.Float32bits(x)
	return directedHalf(b, b>>31 != 0)
}

// Float2Half is Float2HalfRN: CUDA's __float2half.
func Float2Half(x float32) Half {
	return Float2HalfRN(x)
}

// Double2Half converts x, rounded once to nearest even: CUDA's __double2half.
func Double2Half(x float64) Half {
	return Float2HalfRN(oddFloat(x))
}
