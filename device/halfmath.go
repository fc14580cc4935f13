package device

import "math"

// The functions of half precision, correctly rounded: CUDA documents round to nearest even for all
// of them. They are computed in float64 and rounded once more. No value but an exact one is so near
// to the middle of two halves that the error of package math would matter: TestHalfMath tells for
// all inputs, with another way to compute them and with a margin of 2^-40. So results are the same
// on all platforms.

// Hsqrt returns the square root of a: CUDA's hsqrt. The root of -0 is -0, that of other negative
// numbers NaN.
func Hsqrt(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.Sqrt(x))
}

// Hrsqrt returns 1/sqrt(a): CUDA's hrsqrt. For 0 and -0 it is an infinity of the same sign, for
// other negative numbers NaN.
func Hrsqrt(a Half) Half {
	x := Half2Double(a)
	return Double2Half(1 / math.Sqrt(x))
}

// Hrcp returns 1/a: CUDA's hrcp. For 0 and -0 it is an infinity of the same sign.
func Hrcp(a Half) Half {
	x := Half2Double(a)
	return Double2Half(1 / x)
}

// Hexp returns e^a: CUDA's hexp.
func Hexp(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.Exp(x))
}

// Hexp2 returns 2^a: CUDA's hexp2.
func Hexp2(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.Exp2(x))
}

// Hexp10 returns 10^a: CUDA's hexp10.
func Hexp10(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.Pow(10, x))
}

// Hlog returns the natural logarithm of a: CUDA's hlog. For 0 it is -infinity, for negative numbers
// NaN.
func Hlog(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.Log(x))
}

// Hlog2 returns the logarithm of a to base 2: CUDA's hlog2. For 0 it is -infinity, for negative
// numbers NaN.
func Hlog2(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.Log2(x))
}

// Hlog10 returns the logarithm of a to base 10: CUDA's hlog10. For 0 it is -infinity, for negative
// numbers NaN.
func Hlog10(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.Log10(x))
}

// Hsin returns the sine of a, in radians: CUDA's hsin. For infinities it is NaN.
func Hsin(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.Sin(x))
}

// Hcos returns the cosine of a, in radians: CUDA's hcos. For infinities it is NaN.
func Hcos(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.Cos(x))
}

// Htanh returns the hyperbolic tangent of a: CUDA's htanh.
func Htanh(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.Tanh(x))
}

// Hceil returns a rounded up to an integer: CUDA's hceil. The sign of zero is kept: of -0.5 it is -0.
func Hceil(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.Ceil(x))
}

// Hfloor returns a rounded down to an integer: CUDA's hfloor.
func Hfloor(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.Floor(x))
}

// Htrunc returns a rounded towards zero to an integer: CUDA's htrunc. The sign of zero is kept.
func Htrunc(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.Trunc(x))
}

// Hrint returns a rounded to the nearest integer, ties to even: CUDA's hrint. The sign of zero is kept.
func Hrint(a Half) Half {
	x := Half2Double(a)
	return Double2Half(math.RoundToEven(x))
}
