package device

import (
	"math"
	"strconv"
)

// The parts of a float32: sign, exponent, fraction; neighbours; comparisons. All are exact.

// Fabsf returns x without its sign: CUDA's fabsf.
func Fabsf(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// Copysignf returns x with the sign of y: CUDA's copysignf.
func Copysignf(x, y float32) float32 {
	return math.Float32frombits(math.Float32bits(x)&^(1<<31) | math.Float32bits(y)&(1<<31))
}

// Fdimf returns x-y if x > y, else +0, and NaN if one is NaN: CUDA's fdimf. The difference is
// rounded as any.
func Fdimf(x, y float32) float32 {
	d := x - y
	if x <= y {
		d = 0
	}
	return d
}

// Fmaxf returns the greater, and if one is NaN the other: CUDA's fmaxf. +0 is greater than -0.
func Fmaxf(x, y float32) float32 {
	m := max(x, y)
	if x != x {
		m = y
	}
	if y != y {
		m = x
	}
	return m
}

// Fminf returns the lesser, and if one is NaN the other: CUDA's fminf. -0 is less than +0.
func Fminf(x, y float32) float32 {
	m := min(x, y)
	if x != x {
		m = y
	}
	if y != y {
		m = x
	}
	return m
}

// Isfinitef reports whether x is neither infinite nor NaN: CUDA's isfinite.
func Isfinitef(x float32) bool { return x-x == 0 }

// Isinff reports whether x is infinite: CUDA's isinf.
func Isinff(x float32) bool { return math.Float32bits(x)<<1 == 0xff<<24 }

// Isnanf reports whether x is NaN: CUDA's isnan.
func Isnanf(x float32) bool { return x != x }

// Signbitf reports whether the sign bit of x is set, as in -0 and some NaN: CUDA's signbit.
func Signbitf(x float32) bool { return math.Float32bits(x)>>31 != 0 }

// Nanf returns a quiet NaN: CUDA's nanf. A tag that is a number in C's notation (decimal, octal
// from 0, hexadecimal from 0x) is put in its low 22 bits; any other leaves them 0.
func Nanf(tag string) float32 {
	bits := uint32(0x7fc00000)
	base := 10
	switch {
	case len(tag) > 2 && tag[0] == '0' && tag[1]|0x20 == 'x':
		tag, base = tag[2:], 16
	case len(tag) > 1 && tag[0] == '0':
		tag, base = tag[1:], 8
	}
	if n, err := strconv.ParseUint(tag, base, 64); err == nil {
		bits |= uint32(n) & (1<<22 - 1)
	}
	return math.Float32frombits(bits)
}

// Frexpf returns f in [0.5, 1) and n with x = f * 2^n: CUDA's frexpf. Of ±0, infinities and NaN it
// is x itself, and 0.
func Frexpf(x float32) (f float32, n int32) {
	y, n := x, int32(0)
	if Fabsf(x) < 0x1p-126 {
		y, n = x*0x1p24, -24
	}
	b := math.Float32bits(y)
	if y == 0 || y-y != 0 {
		return x, 0
	}
	return math.Float32frombits(b&^(0xff<<23) | 126<<23), n + int32(b>>23&0xff) - 126
}

// Ldexpf returns x * 2^n, rounded once where it is subnormal: CUDA's ldexpf.
func Ldexpf(x float32, n int32) float32 {
	n = max(-300, min(n, 300))
	return float32(float64(x) * math.Float64frombits(uint64(n+1023)<<52))
}

// Scalbnf is Ldexpf: CUDA's scalbnf.
func Scalbnf(x float32, n int32) float32 { return Ldexpf(x, n) }

// Scalblnf is Ldexpf with a long exponent: CUDA's scalblnf.
func Scalblnf(x float32, n int64) float32 { return Ldexpf(x, int32(max(-300, min(n, 300)))) }

// Logbf returns the exponent of x, the whole n with 2^n <= |x| < 2^(n+1), also for subnormal x:
// CUDA's logbf. Logbf(±0) is -∞, Logbf(±∞) is ∞.
func Logbf(x float32) float32 {
	_, n := Frexpf(x)
	y := float32(n - 1)
	if x == 0 {
		y = float32(math.Inf(-1))
	}
	if x-x != 0 {
		y = x * x
	}
	return y
}

// Ilogbf returns Logbf(x) as an integer: CUDA's ilogbf. Of ±0 and NaN it is the least int32, of ±∞
// the greatest.
func Ilogbf(x float32) int32 {
	_, n := Frexpf(x)
	n--
	if x == 0 || x != x {
		n = math.MinInt32
	} else if x-x != 0 {
		n = math.MaxInt32
	}
	return n
}

// Modff returns the fraction and the whole part of x, both with its sign: CUDA's modff. Of ±∞ they
// are ±0 and ±∞.
func Modff(x float32) (frac, whole float32) {
	whole = float32(math.Trunc(float64(x)))
	frac = x - whole
	if x-x != 0 && x == x {
		frac = 0
	}
	return Copysignf(frac, x), whole
}

// Nextafterf returns the float32 next to x on the way to y, and y if they are equal: CUDA's nextafterf.
func Nextafterf(x, y float32) float32 {
	b := math.Float32bits(x)
	switch {
	case x != x || y != y:
		return float32(math.NaN())
	case x == y:
		return y
	case x == 0:
		return math.Float32frombits(math.Float32bits(y)&(1<<31) | 1)
	case (x < y) == (x > 0):
		return math.Float32frombits(b + 1)
	}
	return math.Float32frombits(b - 1)
}
