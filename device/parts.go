package device

import "math"

// The parts of a number: exponent, fraction, integer, sign; and how to put them together.

// Frexp returns x = f * 2^exp with |f| between 1/2 and 1: CUDA's frexp. Zeros, infinities and NaN
// come back with the exponent 0.
func Frexp(x float64) (f float64, exp int32) {
	if x == 0 || x-x != 0 {
		return x, 0
	}
	b := math.Float64bits(x)
	if b&(0x7ff<<52) == 0 { // subnormal
		b = math.Float64bits(x * 0x1p54)
		exp = -54
	}
	exp += int32(b>>52&0x7ff) - 1022
	return math.Float64frombits(b&^(0x7ff<<52) | 1022<<52), exp
}

// Ldexp returns x * 2^exp, rounded once: CUDA's ldexp.
func Ldexp(x float64, exp int32) float64 {
	// At most three factors. The first two of a fall keep 53 bits above the least normal number, so
	// that only the last rounds.
	if exp > 1023 {
		x *= 0x1p1023
		exp -= 1023
		if exp > 1023 {
			x *= 0x1p1023
			exp = min(exp-1023, 1023)
		}
	} else if exp < -1022 {
		x *= 0x1p-969
		exp += 969
		if exp < -1022 {
			x *= 0x1p-969
			exp = max(exp+969, -1022)
		}
	}
	return float64(x * pow2(int64(exp)))
}

// Scalbn is Ldexp: CUDA's scalbn.
func Scalbn(x float64, n int32) float64 { return Ldexp(x, n) }

// Scalbln is Ldexp with a long exponent: CUDA's scalbln.
func Scalbln(x float64, n int64) float64 { return Ldexp(x, int32(min(max(n, -5000), 5000))) }

// Logb returns the exponent of x as a number, e with 1 <= |x| / 2^e < 2, also for subnormal x:
// CUDA's logb. It is -Inf for 0, +Inf for infinite x.
func Logb(x float64) float64 {
	if x-x != 0 {
		return x * x
	}
	if x == 0 {
		return math.Inf(-1)
	}
	_, e := Frexp(x)
	return float64(e - 1)
}

// Ilogb returns Logb(x) as an integer: CUDA's ilogb. It is math.MinInt32 for 0 and NaN,
// math.MaxInt32 for infinite x.
func Ilogb(x float64) int32 {
	if x == 0 || x != x {
		return math.MinInt32
	}
	if x-x != 0 {
		return math.MaxInt32
	}
	_, e := Frexp(x)
	return e - 1
}

// Modf returns the fraction and the integer of x, both with its sign: CUDA's modf, whose result
// comes before what it stores, other than in Go's math.Modf. The fraction of an infinite x is 0.
func Modf(x float64) (frac, whole float64) {
	whole = math.Trunc(x)
	frac = x - whole
	if whole-whole != 0 && x == x {
		frac = 0
	}
	return math.Copysign(frac, x), whole
}

// Copysign returns the magnitude of x with the sign of y: CUDA's copysign.
func Copysign(x, y float64) float64 { return math.Copysign(x, y) }

// Fabs returns the absolute value: CUDA's fabs.
func Fabs(x float64) float64 { return math.Abs(x) }

// Signbit reports whether the sign of x is negative, also of -0 and NaN: CUDA's signbit.
func Signbit(x float64) bool { return int64(math.Float64bits(x)) < 0 }

// Isnan reports whether x is not a number: CUDA's isnan.
func Isnan(x float64) bool { return x != x }

// Isinf reports whether x is infinite, of either sign: CUDA's isinf.
func Isinf(x float64) bool { return math.Abs(x) > math.MaxFloat64 }

// Isfinite reports whether x is neither infinite nor NaN: CUDA's isfinite.
func Isfinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// Nextafter returns the next float64 after x toward y: CUDA's nextafter. If they are equal it is y, so
// Nextafter(0, -0) is -0.
func Nextafter(x, y float64) float64 {
	if x != x || y != y {
		return x + y
	}
	if x == y {
		return y
	}
	if x == 0 {
		return math.Copysign(math.SmallestNonzeroFloat64, y)
	}
	b := math.Float64bits(x)
	if (y > x) == (x > 0) {
		b++
	} else {
		b--
	}
	return math.Float64frombits(b)
}

// Nan returns a quiet NaN with the payload that tag spells as a C integer, in decimal, in octal
// after 0, in hexadecimal after 0x: CUDA's nan. The low 51 bits count. A tag that spells none gives
// the payload 0.
func Nan(tag string) float64 {
	base, i := uint64(10), 0
	if len(tag) > 0 && tag[0] == '0' {
		base = 8
		if len(tag) > 1 && (tag[1] == 'x' || tag[1] == 'X') {
			base, i = 16, 2
		}
	}
	v := uint64(0)
	for ; i < len(tag); i++ {
		d := uint64(99)
		switch c := tag[i]; {
		case '0' <= c && c <= '9':
			d = uint64(c - '0')
		case 'a' <= c && c <= 'f':
			d = uint64(c-'a') + 10
		case 'A' <= c && c <= 'F':
			d = uint64(c-'A') + 10
		}
		if d >= base {
			v = 0
			break
		}
		v = v*base + d
	}
	return math.Float64frombits(0x7ff8<<48 | v&(1<<51-1))
}
