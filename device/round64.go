package device

import "math"

// Arithmetic in float64 with a rounding mode, as round32.go has it for float32. There is no wider
// type, so the error of the nearest number comes from a two-sum or a fused multiply-add. Both are
// exact but near the ends of the range, where the operands are scaled first; only the sign of the
// error counts.
//
// A NaN among the operands is the result, the first one if there are several, made quiet: the PTX
// ISA has double precision carry payloads on. An invalid operation gives 0xfff8000000000000, whose
// pattern CUDA leaves open.

// nan64 is the NaN of an invalid operation.
const nan64 = 0xfff8 << 48

// result64 returns r, the result of an operation on x and y, with the NaN that is promised.
func result64(r, x, y float64) float64 {
	const quiet = 1 << 51
	if r != r {
		b := uint64(nan64)
		if y != y {
			b = math.Float64bits(y) | quiet
		}
		if x != x {
			b = math.Float64bits(x) | quiet
		}
		r = math.Float64frombits(b)
	}
	return r
}

// fused64 is result64 for operations on three numbers.
func fused64(r, x, y, z float64) float64 {
	if z != z && y == y && x == x {
		x = z
	}
	return result64(r, x, y)
}

// up64, down64 and zero64 round the exact value f + e: f is the nearest float64, and of e only the
// sign counts. e may be NaN, which counts as 0, and is so, or is 0, if f is NaN.

func up64(f, e float64) float64 {
	b := math.Float64bits(f)
	step := 1 | uint64(int64(b)>>63) // -1 for negative numbers
	if e > 0 {
		b += step
	}
	return math.Float64frombits(b)
}

func down64(f, e float64) float64 {
	b := math.Float64bits(f)
	step := 1 | uint64(int64(b)>>63)
	if e < 0 {
		b -= step
	}
	return math.Float64frombits(b)
}

func zero64(f, e float64) float64 {
	b := math.Float64bits(f)
	toZero := b + uint64(int64(b^math.Float64bits(e))>>63) // one place down if the signs differ
	if math.Abs(e) > 0 {
		b = toZero
	}
	return math.Float64frombits(b)
}

// sum64 is sum32 for float64.
func sum64(x, y float64) (s, e float64) {
	x, y = float64(x), float64(y)
	s = x + y
	t := s - x
	e = (x - (s - t)) + (y - t)
	if e-e != 0 {
		e = overflow64(x, y, s)
	}
	return s, e
}

// overflow64 is overflow32 for float64.
func overflow64(x, y, s float64) float64 {
	if math.Abs(y) > math.Abs(x) {
		x, y = y, x
	}
	return y - (s - x)
}

// product64 returns p, which is x*y to nearest, and a number with the sign of x*y - p. If the
// product is tiny the operands are multiplied by 2^537: then the error is a multiple of 2^-1074, so
// it is not lost, and neither operand overflows, since the other is 2^-1074 at least.
func product64(x, y float64) (p, e float64) {
	p = float64(x * y)
	scale := 1.0
	if math.Abs(p) < 0x1p-960 {
		scale = 0x1p537
	}
	return p, math.FMA(float64(x*scale), float64(y*scale), -float64(float64(p*scale)*scale))
}

// quotient64 returns q, which is x/y to nearest, and a number with the sign of x/y - q: the
// remainder, which has that sign if y is positive, negated if y is negative. A tiny dividend is
// multiplied by 2^200, as is the quotient, since the remainder can be 2^-106 of it; the quotient is
// below 2^274 then.
func quotient64(x, y float64) (q, e float64) {
	q = x / y
	scale := 1.0
	if math.Abs(x) < 0x1p-800 {
		scale = 0x1p200
	}
	e = math.FMA(-float64(q*scale), y, float64(x*scale))
	if y < 0 {
		e = -e
	}
	return q, e
}

// root64 returns r, which is sqrt(x) to nearest, and a number with the sign of sqrt(x) - r.
func root64(x float64) (r, e float64) {
	r = math.Sqrt(x)
	scale := 1.0
	if x < 0x1p-900 {
		scale = 0x1p100
	}
	scaled := float64(r * scale)
	return r, math.FMA(-scaled, scaled, float64(float64(x*scale)*scale))
}

// fma64 returns r, which is x*y + z to nearest, and a number with the sign of x*y + z - r. The
// exact value is the sum of three float64: Boldo and Muller, Exact and approximated error of the
// FMA, IEEE Transactions on Computers 2011.
func fma64(x, y, z float64) (r, e float64) {
	r = math.FMA(x, y, z)
	p := float64(x * y)
	size, tail := math.Abs(p), math.Abs(z)
	if size > 0x1p-900 && size < 0x1p1000 && tail < 0x1p1000 && (tail > 0x1p-900 || z == 0) {
		return r, fmaError(x, y, z, r)
	}
	return r, fmaErrorScaled(x, y, z, r)
}

// fmaError returns a number with the sign of x*y + z - r, where r is the nearest float64, for
// operands of moderate size.
func fmaError(x, y, z, r float64) float64 {
	p := float64(x * y)
	tail := math.FMA(x, y, -p)
	// z + tail = a + low, p + a = b + mid
	a := z + tail
	t := a - z
	low := (z - (a - t)) + (tail - t)
	b := p + a
	t = b - p
	mid := (p - (b - t)) + (a - t)
	return ((b - r) + mid) + low
}

// fmaErrorScaled is fmaError for all operands.
//
//go:noinline
func fmaErrorScaled(x, y, z, r float64) float64 {
	if x == 0 || y == 0 || x-x != 0 || y-y != 0 || z-z != 0 {
		return 0
	}
	x, ex := math.Frexp(x)
	y, ey := math.Frexp(y)
	// The exact product is x*y * 2^e, x*y has 106 bits and is within [1/4, 1).
	e := ex + ey
	fz, ez := math.Frexp(z)
	switch {
	case z == 0 || ez < e-125: // too small to change the sign, unless the product is r
		if d := math.FMA(x, y, -math.Ldexp(r, -e)); d != 0 {
			return d
		}
		return z
	case ez > e+125: // r is z
		return x * y
	}
	return fmaError(x, y, math.Ldexp(fz, ez-e), math.Ldexp(r, -e))
}

// DaddRN returns x+y rounded to nearest even: CUDA's __dadd_rn.
func DaddRN(x, y float64) float64 {
	return result64(float64(x)+float64(y), x, y)
}

// DaddRZ returns x+y rounded towards zero: CUDA's __dadd_rz.
func DaddRZ(x, y float64) float64 {
	s, e := sum64(x, y)
	return zero64(result64(s, x, y), e)
}

// DaddRU returns x+y rounded up: CUDA's __dadd_ru.
func DaddRU(x, y float64) float64 {
	s, e := sum64(x, y)
	return up64(result64(s, x, y), e)
}

// DaddRD returns x+y rounded down: CUDA's __dadd_rd. x + -x is -0.
func DaddRD(x, y float64) float64 {
	s, e := sum64(x, y)
	if s == 0 { // +0 only if both are
		s = math.Float64frombits((math.Float64bits(x) | math.Float64bits(y)) & (1 << 63))
	}
	return down64(result64(s, x, y), e)
}

// minus64 returns -y, but a NaN as it is: subtraction passes on what it got.
func minus64(y float64) float64 {
	if y == y {
		y = -y
	}
	return y
}

// DsubRN returns x-y rounded to nearest even: CUDA's __dsub_rn.
func DsubRN(x, y float64) float64 {
	return result64(float64(x)-float64(y), x, y)
}

// DsubRZ returns x-y rounded towards zero: CUDA's __dsub_rz.
func DsubRZ(x, y float64) float64 {
	return DaddRZ(x, minus64(y))
}

// DsubRU returns x-y rounded up: CUDA's __dsub_ru.
func DsubRU(x, y float64) float64 {
	return DaddRU(x, minus64(y))
}

// DsubRD returns x-y rounded down: CUDA's __dsub_rd. x - x is -0.
func DsubRD(x, y float64) float64 {
	return DaddRD(x, minus64(y))
}

// DmulRN returns x*y rounded to nearest even: CUDA's __dmul_rn.
func DmulRN(x, y float64) float64 {
	return result64(float64(x*y), x, y)
}

// DmulRZ returns x*y rounded towards zero: CUDA's __dmul_rz.
func DmulRZ(x, y float64) float64 {
	p, e := product64(x, y)
	return zero64(result64(p, x, y), e)
}

// DmulRU returns x*y rounded up: CUDA's __dmul_ru.
func DmulRU(x, y float64) float64 {
	p, e := product64(x, y)
	return up64(result64(p, x, y), e)
}

// DmulRD returns x*y rounded down: CUDA's __dmul_rd.
func DmulRD(x, y float64) float64 {
	p, e := product64(x, y)
	return down64(result64(p, x, y), e)
}

// FmaRN returns x*y + z, rounded once to nearest even: CUDA's __fma_rn, and fma.
func FmaRN(x, y, z float64) float64 {
	return fused64(math.FMA(x, y, z), x, y, z)
}

// FmaRZ returns x*y + z, rounded once towards zero: CUDA's __fma_rz.
func FmaRZ(x, y, z float64) float64 {
	r, e := fma64(x, y, z)
	return zero64(fused64(r, x, y, z), e)
}

// FmaRU returns x*y + z, rounded once up: CUDA's __fma_ru.
func FmaRU(x, y, z float64) float64 {
	r, e := fma64(x, y, z)
	return up64(fused64(r, x, y, z), e)
}

// FmaRD returns x*y + z, rounded once down: CUDA's __fma_rd. If x*y is -z, the result is -0.
func FmaRD(x, y, z float64) float64 {
	r, e := fma64(x, y, z)
	if r == 0 && e == 0 { // +0 only if product and z are
		r = math.Float64frombits((math.Float64bits(x) ^ math.Float64bits(y) | math.Float64bits(z)) & (1 << 63))
	}
	return down64(fused64(r, x, y, z), e)
}

// DdivRN returns x/y rounded to nearest even: CUDA's __ddiv_rn.
func DdivRN(x, y float64) float64 {
	return result64(x/y, x, y)
}

// DdivRZ returns x/y rounded towards zero: CUDA's __ddiv_rz.
func DdivRZ(x, y float64) float64 {
	q, e := quotient64(x, y)
	return zero64(result64(q, x, y), e)
}

// DdivRU returns x/y rounded up: CUDA's __ddiv_ru.
func DdivRU(x, y float64) float64 {
	q, e := quotient64(x, y)
	return up64(result64(q, x, y), e)
}

// DdivRD returns x/y rounded down: CUDA's __ddiv_rd.
func DdivRD(x, y float64) float64 {
	q, e := quotient64(x, y)
	return down64(result64(q, x, y), e)
}

// DrcpRN returns 1/x rounded to nearest even: CUDA's __drcp_rn.
func DrcpRN(x float64) float64 {
	return DdivRN(1, x)
}

// DrcpRZ returns 1/x rounded towards zero: CUDA's __drcp_rz.
func DrcpRZ(x float64) float64 {
	return DdivRZ(1, x)
}

// DrcpRU returns 1/x rounded up: CUDA's __drcp_ru.
func DrcpRU(x float64) float64 {
	return DdivRU(1, x)
}

// DrcpRD returns 1/x rounded down: CUDA's __drcp_rd.
func DrcpRD(x float64) float64 {
	return DdivRD(1, x)
}

// DsqrtRN returns the square root of x rounded to nearest even: CUDA's __dsqrt_rn. The root of -0
// is -0, that of other negative numbers NaN.
func DsqrtRN(x float64) float64 {
	return result64(math.Sqrt(x), x, x)
}

// DsqrtRZ returns the square root of x rounded towards zero: CUDA's __dsqrt_rz.
func DsqrtRZ(x float64) float64 {
	r, e := root64(x)
	return zero64(result64(r, x, x), e)
}

// DsqrtRU returns the square root of x rounded up: CUDA's __dsqrt_ru.
func DsqrtRU(x float64) float64 {
	r, e := root64(x)
	return up64(result64(r, x, x), e)
}

// DsqrtRD returns the square root of x rounded down: CUDA's __dsqrt_rd.
func DsqrtRD(x float64) float64 {
	r, e := root64(x)
	return down64(result64(r, x, x), e)
}
