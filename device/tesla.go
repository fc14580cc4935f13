package device

import "math"

// Arithmetic in float32 of GPUs of compute capability 1.x, the Tesla architecture. Their sums and
// products round to nearest even, as IEEE 754 has it, but subnormal numbers don't exist: an operand
// or a result that is subnormal counts as zero with its sign. A product that is added at once,
// mad.f32, loses its low bits before the sum. The sources are the PTX manual, "Floating Point
// Instructions" (add, mul, mad and the others, with their notes on targets sm_1x), and the appendix
// "Compute Capability 1.x" of the CUDA C Programming Guide. NaN is 0x7fffffff, as everywhere in
// this package.
//
// The Ftz forms are those of CUDA's -ftz=true on later GPUs too, PTX's add.ftz.f32 and so on.

// Ftz returns x, or zero with the sign of x if x is subnormal: what CUDA's -ftz=true makes of
// operands and results.
func Ftz(x float32) float32 {
	b := math.Float32bits(x)
	if b&0x7f800000 == 0 {
		b &= 1 << 31
	}
	return math.Float32frombits(b)
}

// FaddFtz returns x + y, rounded to nearest even, with subnormal operands and results flushed to
// zero: PTX's add.ftz.f32.
func FaddFtz(x, y float32) float32 { return Ftz(FaddRN(Ftz(x), Ftz(y))) }

// FsubFtz returns x - y, rounded to nearest even, with subnormal operands and results flushed to
// zero: PTX's sub.ftz.f32.
func FsubFtz(x, y float32) float32 { return Ftz(FsubRN(Ftz(x), Ftz(y))) }

// FmulFtz returns x * y, rounded to nearest even, with subnormal operands and results flushed to
// zero: PTX's mul.ftz.f32. A product that rounds up to 2^-126 is not flushed.
func FmulFtz(x, y float32) float32 { return Ftz(FmulRN(Ftz(x), Ftz(y))) }

// FmafFtz returns x*y + z, rounded once to nearest even, with subnormal operands and results
// flushed to zero: PTX's fma.rn.ftz.f32, which exists since compute capability 2.0.
func FmafFtz(x, y, z float32) float32 { return Ftz(FmafRN(Ftz(x), Ftz(y), Ftz(z))) }

// FdivFtz returns x / y, rounded to nearest even, with subnormal operands and results flushed to
// zero: PTX's div.rn.ftz.f32.
func FdivFtz(x, y float32) float32 { return Ftz(FdivRN(Ftz(x), Ftz(y))) }

// FrcpFtz returns 1 / x, rounded to nearest even, with a subnormal operand or result flushed to
// zero: PTX's rcp.rn.ftz.f32.
func FrcpFtz(x float32) float32 { return Ftz(FrcpRN(Ftz(x))) }

// FsqrtFtz returns the square root of x, rounded to nearest even, with a subnormal operand flushed
// to zero: PTX's sqrt.rn.ftz.f32.
func FsqrtFtz(x float32) float32 { return FsqrtRN(Ftz(x)) }

// MadF32 returns x*y + z as GPUs of compute capability 1.x do: PTX's mad.f32 for the targets sm_1x,
// which their compiler made of a*b + c. The product is cut off after 24 significant bits, towards
// zero, and keeps its exponent, so that it neither overflows nor becomes subnormal. The sum rounds
// to nearest even. If z is zero, the product rounds to nearest, as that of [FmulFtz]. Subnormal
// operands and results are flushed to zero.
func MadF32(x, y, z float32) float32 {
	x, y, z = Ftz(x), Ftz(y), Ftz(z)
	if z == 0 {
		return FaddFtz(FmulFtz(x, y), z)
	}
	// The product of two float32 is exact in float64, which has 29 bits more.
	product := math.Float64frombits(math.Float64bits(float64(x)*float64(y)) &^ (1<<29 - 1))
	if x != x || y != y {
		return math.Float32frombits(nan32)
	}
	return Ftz(nearest32(float32(addOdd(product, float64(z)))))
}
