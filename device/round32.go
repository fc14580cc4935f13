package device

import "math"

// Arithmetic in float32 with a rounding mode: to nearest even (RN), towards zero (RZ), up (RU) and
// down (RD).
//
// Go rounds to nearest. The sign of the rounding error says whether the exact result lies above or
// below the rounded one. So each function takes the nearest number, finds the sign of its error,
// and moves to the neighbour above or below if the mode asks for it. That is a step of 1 in the bit
// pattern, also from the largest number to infinity and back, and from zero to the first subnormal
// number.
//
// The results are those of IEEE 754-2019, section 4.3, with subnormal numbers, as CUDA has them
// without -ftz=true: an overflow is the largest number where the mode points to zero, and infinity
// where it points away; a sum of numbers that cancel is -0 in RD and +0 otherwise. NaN is
// 0x7fffffff, as the CUDA programming guide has it for float32. The functions never become part of
// a fused multiply-add, which is what CUDA programs use the RN forms for.

// nan32 is CUDA's NaN in float32: CUDART_NAN_F of math_constants.h.
const nan32 = 0x7fffffff

// nearest32 returns f, with CUDA's pattern for NaN.
func nearest32(f float32) float32 {
	if f != f {
		f = math.Float32frombits(nan32)
	}
	return f
}

// up32, down32 and zero32 round the exact value f + e: f is the nearest float32, and of e only the
// sign counts. e may be NaN, which counts as 0.

func up32(f, e float32) float32 {
	b := math.Float32bits(f)
	step := 1 | uint32(int32(b)>>31) // -1 for negative numbers
	if e > 0 {
		b += step
	}
	if f != f {
		b = nan32
	}
	return math.Float32frombits(b)
}

func down32(f, e float32) float32 {
	b := math.Float32bits(f)
	step := 1 | uint32(int32(b)>>31)
	if e < 0 {
		b -= step
	}
	if f != f {
		b = nan32
	}
	return math.Float32frombits(b)
}

func zero32(f, e float32) float32 {
	b := math.Float32bits(f)
	toZero := b + uint32(int32(b^math.Float32bits(e))>>31) // one place down if the signs differ
	if float32(math.Abs(float64(e))) > 0 {
		b = toZero
	}
	if f != f {
		b = nan32
	}
	return math.Float32frombits(b)
}

// sum32 returns s, which is x+y to nearest, and its error x+y-s, exactly, by Knuth's two-sum. If
// the sum overflows, the error is the infinity of the opposite sign; it is NaN if a summand is not
// finite.
func sum32(x, y float32) (s, e float32) {
	x, y = float32(x), float32(y) // a product in the place of x must be rounded first
	s = x + y
	t := s - x
	e = (x - (s - t)) + (y - t)
	if e-e != 0 { // something overflowed, perhaps only on the way
		e = overflow32(x, y, s)
	}
	return s, e
}

// overflow32 is the error of s = x+y by Dekker's fast two-sum, which needs the larger summand
// first, and does not overflow unless the sum does (Boldo, Graillat and Muller, On the robustness
// of the 2Sum and Fast2Sum algorithms, ACM TOMS 2017).
func overflow32(x, y, s float32) float32 {
	if float32(math.Abs(float64(y))) > float32(math.Abs(float64(x))) {
		x, y = y, x
	}
	return y - (s - x)
}

// FaddRN returns x+y rounded to nearest even: CUDA's __fadd_rn.
func FaddRN(x, y float32) float32 {
	return nearest32(float32(x) + float32(y))
}

// FaddRZ returns x+y rounded towards zero: CUDA's __fadd_rz.
func FaddRZ(x, y float32) float32 {
	s, e := sum32(x, y)
	return zero32(s, e)
}

// FaddRU returns x+y rounded up: CUDA's __fadd_ru.
func FaddRU(x, y float32) float32 {
	s, e := sum32(x, y)
	return up32(s, e)
}

// FaddRD returns x+y rounded down: CUDA's __fadd_rd. x + -x is -0.
func FaddRD(x, y float32) float32 {
	s, e := sum32(x, y)
	if s == 0 { // +0 only if both are
		s = math.Float32frombits((math.Float32bits(x) | math.Float32bits(y)) & (1 << 31))
	}
	return down32(s, e)
}

// FsubRN returns x-y rounded to nearest even: CUDA's __fsub_rn.
func FsubRN(x, y float32) float32 {
	return nearest32(float32(x) - float32(y))
}

// FsubRZ returns x-y rounded towards zero: CUDA's __fsub_rz.
func FsubRZ(x, y float32) float32 {
	return FaddRZ(x, -y)
}

// FsubRU returns x-y rounded up: CUDA's __fsub_ru.
func FsubRU(x, y float32) float32 {
	return FaddRU(x, -y)
}

// FsubRD returns x-y rounded down: CUDA's __fsub_rd. x - x is -0.
func FsubRD(x, y float32) float32 {
	return FaddRD(x, -y)
}

// A product of two float32 is exact in float64, and a quotient or a root in float64 is near enough
// to the exact one: that differs from every float32, and from the middle of every two, by 2^-49 of
// itself or more, unless it is the same. (x/y - g = (x - g*y)/y, and x - g*y is a multiple of the
// last bit of g*y, which has 48 bits at most. The same goes for the square of a root.) So these
// round a float64 in the mode. Zero and subnormal results are no exception.

// FmulRN returns x*y rounded to nearest even: CUDA's __fmul_rn.
func FmulRN(x, y float32) float32 {
	return nearest32(float32(x * y))
}

// FmulRZ returns x*y rounded towards zero: CUDA's __fmul_rz.
func FmulRZ(x, y float32) float32 {
	return Double2FloatRZ(float64(x) * float64(y))
}

// FmulRU returns x*y rounded up: CUDA's __fmul_ru.
func FmulRU(x, y float32) float32 {
	return Double2FloatRU(float64(x) * float64(y))
}

// FmulRD returns x*y rounded down: CUDA's __fmul_rd.
func FmulRD(x, y float32) float32 {
	return Double2FloatRD(float64(x) * float64(y))
}

// FmafRN returns x*y + z, rounded once to nearest even: CUDA's __fmaf_rn.
func FmafRN(x, y, z float32) float32 {
	return nearest32(Fmaf(x, y, z))
}

// FmafRZ returns x*y + z, rounded once towards zero: CUDA's __fmaf_rz.
func FmafRZ(x, y, z float32) float32 {
	return Double2FloatRZ(fmaOdd(x, y, z))
}

// FmafRU returns x*y + z, rounded once up: CUDA's __fmaf_ru.
func FmafRU(x, y, z float32) float32 {
	return Double2FloatRU(fmaOdd(x, y, z))
}

// FmafRD returns x*y + z, rounded once down: CUDA's __fmaf_rd. If x*y is -z, the result is -0.
func FmafRD(x, y, z float32) float32 {
	d := fmaOdd(x, y, z)
	if d == 0 { // +0 only if product and z are
		d = math.Float64frombits((math.Float64bits(float64(x)*float64(y)) | math.Float64bits(float64(z))) & (1 << 63))
	}
	return Double2FloatRD(d)
}

// FdivRN returns x/y rounded to nearest even: CUDA's __fdiv_rn.
func FdivRN(x, y float32) float32 {
	return nearest32(x / y)
}

// FdivRZ returns x/y rounded towards zero: CUDA's __fdiv_rz.
func FdivRZ(x, y float32) float32 {
	return Double2FloatRZ(float64(x) / float64(y))
}

// FdivRU returns x/y rounded up: CUDA's __fdiv_ru.
func FdivRU(x, y float32) float32 {
	return Double2FloatRU(float64(x) / float64(y))
}

// FdivRD returns x/y rounded down: CUDA's __fdiv_rd.
func FdivRD(x, y float32) float32 {
	return Double2FloatRD(float64(x) / float64(y))
}

// FrcpRN returns 1/x rounded to nearest even: CUDA's __frcp_rn.
func FrcpRN(x float32) float32 {
	return FdivRN(1, x)
}

// FrcpRZ returns 1/x rounded towards zero: CUDA's __frcp_rz.
func FrcpRZ(x float32) float32 {
	return FdivRZ(1, x)
}

// FrcpRU returns 1/x rounded up: CUDA's __frcp_ru.
func FrcpRU(x float32) float32 {
	return FdivRU(1, x)
}

// FrcpRD returns 1/x rounded down: CUDA's __frcp_rd.
func FrcpRD(x float32) float32 {
	return FdivRD(1, x)
}

// FsqrtRN returns the square root of x rounded to nearest even: CUDA's __fsqrt_rn. The root of -0
// is -0, that of other negative numbers NaN.
func FsqrtRN(x float32) float32 {
	return nearest32(float32(math.Sqrt(float64(x))))
}

// FsqrtRZ returns the square root of x rounded towards zero: CUDA's __fsqrt_rz.
func FsqrtRZ(x float32) float32 {
	return Double2FloatRZ(math.Sqrt(float64(x)))
}

// FsqrtRU returns the square root of x rounded up: CUDA's __fsqrt_ru.
func FsqrtRU(x float32) float32 {
	return Double2FloatRU(math.Sqrt(float64(x)))
}

// FsqrtRD returns the square root of x rounded down: CUDA's __fsqrt_rd.
func FsqrtRD(x float32) float32 {
	return Double2FloatRD(math.Sqrt(float64(x)))
}

// FrsqrtRN returns 1/sqrt(x) rounded to nearest even: CUDA's __frsqrt_rn. For 0 and -0 it is an
// infinity of the same sign, for other negative numbers NaN. Two roundings in float64 come first;
// that they never change the result was found by going through all significands, which TestFrsqrtRN
// does again.
func FrsqrtRN(x float32) float32 {
	return nearest32(float32(1 / math.Sqrt(float64(x))))
}
