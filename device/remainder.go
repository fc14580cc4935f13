package device

import (
	"math"
	"math/bits"
)

// Remainders, exact for all exponents. The mantissa of x is divided by that of y as integers, 64
// bits of the quotient a step.

// divide returns the quotient |x|/|y| without its fraction, modulo 2^64, and the rest as r * 2^e,
// for finite x and y other than 0 with |x| >= |y|/4. my * 2^e is |y|.
func divide(x, y float64) (quotient, r, my uint64, e int64) {
	mx, ex := mantissa(x)
	my, e = mantissa(y)
	if ex < e { // by 1 or 2
		my <<= uint64(e - ex)
		e = ex
	}
	quotient, r = mx/my, mx%my
	n := uint64(ex - e)
	if n > 0 {
		quotient <<= n & 63
		if n >= 64 {
			quotient = 0
		}
	}
	for n > 0 {
		s := min(n, 64)
		// r * 2^s, divided
		var q uint64
		if s == 64 {
			q, r = bits.Div64(r, 0, my)
		} else {
			q, r = bits.Div64(r>>(64-s), r<<s, my)
		}
		n -= s
		if n < 64 {
			quotient += q << n
		}
	}
	return quotient, r, my, e
}

// mantissa returns |x| = m * 2^e for finite x other than 0, with m of 53 bits.
func mantissa(x float64) (m uint64, e int64) {
	b := math.Float64bits(x)
	m = b & (1<<52 - 1)
	e = int64(b >> 52 & 0x7ff)
	if e == 0 {
		s := uint64(bits.LeadingZeros64(m)) - 11
		return m << s, -1074 - int64(s)
	}
	return m | 1<<52, e - 1075
}

// assemble returns r * 2^e with the sign of x, exactly; the result is a float64.
func assemble(r uint64, e int64, x float64) float64 {
	f := float64(r)
	if e < -1000 { // in two steps, for results and powers that are subnormal
		f = float64(f*0x1p-500) * pow2(e+500)
	} else {
		f *= pow2(e)
	}
	return math.Copysign(f, x)
}

// Fmod returns x - n y, for the n that is x/y without its fraction: CUDA's fmod. It has the sign of x.
// It is NaN for infinite x and for y = 0.
func Fmod(x, y float64) float64 {
	if x-x != 0 || y != y || y == 0 {
		return math.NaN()
	}
	if math.Abs(x) < math.Abs(y) || x == 0 {
		return x
	}
	_, r, _, e := divide(x, y)
	return assemble(r, e, x)
}

// Remainder returns x - n y, for the integer n nearest to x/y, the even one of two: CUDA's
// remainder, IEEE 754's. It is NaN for infinite x and for y = 0.
func Remainder(x, y float64) float64 {
	r, _ := Remquo(x, y)
	return r
}

// Remquo returns Remainder(x, y), and the low 31 bits of |n| with the sign of x/y: CUDA's remquo,
// which promises at least three bits.
func Remquo(x, y float64) (rem float64, quo int32) {
	if x-x != 0 || y != y || y == 0 {
		return math.NaN(), 0
	}
	if math.Abs(x) < 0.25*math.Abs(y) || x == 0 || math.Abs(y) > math.MaxFloat64 {
		return x, 0
	}
	q, r, my, e := divide(x, y)
	s := x
	if 2*r > my || 2*r == my && q&1 != 0 {
		q++
		r = my - r
		s = -x
	}
	rem = assemble(r, e, s)
	if r == 0 {
		rem = math.Copysign(0, x)
	}
	quo = int32(q & math.MaxInt32)
	if math.Signbit(x) != math.Signbit(y) {
		quo = -quo
	}
	return rem, quo
}
