package device

import "math"

// The other format of 16 bits: its type, and conversions from and to float32 and float64.
// bfloat16int.go converts integers.

// A Bfloat16 is the upper half of a float32, as its bits: CUDA's __nv_bfloat16. It has 8 bits of
// precision, and the range of float32, with subnormal numbers. Go's operators on it are those of
// integers.
//
// There is no arithmetic on it. CUDA's is that of float32, rounded again:
// Float2Bfloat16(Bfloat162Float(a) + Bfloat162Float(b)) is the correctly rounded sum, and so for
// products, quotients and roots, because 24 bits are enough for the second rounding not to show.
type Bfloat16 uint16

// Constants of cuda_bf16.h: CUDART_INF_BF16 and so on.
const (
	Bfloat16Zero      Bfloat16 = 0
	Bfloat16NegZero   Bfloat16 = 0x8000
	Bfloat16One       Bfloat16 = 0x3f80
	Bfloat16MinDenorm Bfloat16 = 1      // 2^-133
	Bfloat16MaxNormal Bfloat16 = 0x7f7f // 2^128 - 2^120
	Bfloat16Inf       Bfloat16 = 0x7f80
	Bfloat16NaN       Bfloat16 = 0x7fff
)

// Bfloat16AsUshort returns the bits of h: CUDA's __bfloat16_as_ushort.
func Bfloat16AsUshort(h Bfloat16) uint16 {
	return uint16(h)
}

// Bfloat16AsShort returns the bits of h as a signed integer: CUDA's __bfloat16_as_short.
func Bfloat16AsShort(h Bfloat16) int16 {
	return int16(h)
}

// UshortAsBfloat16 returns the number with the bits of i: CUDA's __ushort_as_bfloat16.
func UshortAsBfloat16(i uint16) Bfloat16 {
	return Bfloat16(i)
}

// ShortAsBfloat16 returns the number with the bits of i: CUDA's __short_as_bfloat16.
func ShortAsBfloat16(i int16) Bfloat16 {
	return Bfloat16(i)
}

// Bfloat162Float converts h to float32, exactly: CUDA's __bfloat162float. Each NaN becomes 0x7fffffff.
func Bfloat162Float(h Bfloat16) float32 {
	return nearest32(math.Float32frombits(uint32(h) << 16))
}

// bfloat16Bits cuts the lower half off, or makes it NaN.
func bfloat16Bits(x float32, b uint32) Bfloat16 {
	h := b >> 16
	if x != x {
		h = uint32(Bfloat16NaN)
	}
	return Bfloat16(h)
}

// Float2Bfloat16RN converts x, rounded to nearest even: CUDA's __float2bfloat16_rn. NaN becomes
// Bfloat16NaN.
func Float2Bfloat16RN(x float32) Bfloat16 {
	b := math.Float32bits(x)
	return bfloat16Bits(x, b+0x7fff+b>>16&1) // a carry into the exponent is right, and so is one to infinity
}

// Float2Bfloat16RZ converts x, rounded towards zero: CUDA's __float2bfloat16_rz.
func Float2Bfloat16RZ(x float32) Bfloat16 {
	return bfloat16Bits(x, math.Float32bits(x))
}

// Float2Bfloat16RU converts x, rounded up: CUDA's __float2bfloat16_ru.
func Float2Bfloat16RU(x float32) Bfloat16 {
	b := math.Float32bits(x)
	up := b + 0xffff
	if b>>31 == 0 {
		b = up
	}
	return bfloat16Bits(x, b)
}

// Float2Bfloat16RD converts x, rounded down: CUDA's __float2bfloat16_rd.
func Float2Bfloat16RD(x float32) Bfloat16 {
	b := math.Float32bits(x)
	down := b + 0xffff
	if b>>31 != 0 {
		b = down
	}
	return bfloat16Bits(x, b)
}

// Float2Bfloat16 is Float2Bfloat16RN: CUDA's __float2bfloat16.
func Float2Bfloat16(x float32) Bfloat16 {
	return Float2Bfloat16RN(x)
}

// Double2Bfloat16 converts x, rounded once to nearest even: CUDA's __double2bfloat16.
func Double2Bfloat16(x float64) Bfloat16 {
	return Float2Bfloat16RN(oddFloat(x))
}
