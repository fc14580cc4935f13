package device

import "math"

// Bessel's functions of integer order, by the recurrence f(n+1) = 2n/x f(n) - f(n-1): upward where
// that is stable, for the second kind and, for the first, below the order x; else by the power
// series, or downward from an order where the function is negligible, normalized by J0 or J1
// (Miller's algorithm). Work grows with the order. As in CUDA negative orders give NaN; so do those
// beyond CUDA's 32-bit integers.

// Jn returns Bessel's function of the first kind of order n: CUDA's jn. It is NaN for negative n.
// The largest absolute error found is 5e-15 for n up to 128; the bound is 5e-12.
func Jn(n int32, x float64) float64 {
	if x != x || n < 0 {
		return math.NaN()
	}
	sign := 1.0
	if math.Signbit(x) {
		x = -x
		if n&1 != 0 {
			sign = -1
		}
	}
	switch {
	case n == 0:
		return J0(x)
	case n == 1:
		return sign * J1(x)
	case x == 0 || x > math.MaxFloat64:
		return sign * 0
	case float64(n) < x:
		a, b := J0(x), J1(x)
		for k := int32(1); k < n; k++ {
			a, b = b, float64(2*float64(k)/x*b)-a
		}
		return sign * b
	case 0.25*x*x < float64(n):
		return sign * jnSeries(int(n), x)
	}
	return sign * jnDown(int64(n), x)
}

// jnSeries returns J(n, x) by the power series, whose terms fall where x^2/4 is below n+1.
func jnSeries(n int, x float64) float64 {
	h := 0.5 * x
	p, exponent := 1.0, 0
	m, e := math.Frexp(h)
	for k := 1; k <= n; k++ {
		p = float64(p * m / float64(k))
		exponent += e
		if p < 0x1p-500 {
			p *= 0x1p500
			exponent -= 500
		}
		if exponent < -1200 && h < float64(k) {
			return 0 // and it falls further
		}
	}
	z := -float64(h * h)
	s, t := 1.0, 1.0
	for k := 1; math.Abs(t) > 0x1p-60; k++ {
		t = float64(t * (z / (float64(k) * float64(n+k))))
		s += t
	}
	return Ldexp(float64(p*s), int32(exponent))
}

// jnDown returns J(n, x) for n >= x by Miller's algorithm.
//
//go:noinline
func jnDown(n int64, x float64) float64 {
	// Beyond the turning point the function falls as e^(-(2 d)^1.5 / (3 sqrt(n/2))) at the order
	// n+d: after 16 widths of n^(1/3), and some for small n, what the start is wrong by is below
	// 2^-60.
	start := n + int64(16*Cbrt(float64(n))) + 24
	a, b, at := 0.0, 0x1p-900, 0.0
	for k := start; k > 0; k-- {
		a, b = b, float64(2*float64(k)/x*b)-a
		if k-1 == n {
			at = b
		}
		if math.Abs(b) > 0x1p500 {
			a, b, at = a*0x1p-1000, b*0x1p-1000, at*0x1p-1000
		}
	}
	// b is a multiple of J0, a of J1. They have no common zero.
	j0, j1 := J0(x), J1(x)
	if math.Abs(j0) > math.Abs(j1) {
		return float64(at / b * j0)
	}
	return float64(at / a * j1)
}

// Yn returns Bessel's function of the second kind of order n: CUDA's yn. It is negative infinity at
// 0, and NaN for negative n and for negative x. The largest absolute error found is 5e-15 for n up
// to 128 and x >= n, where the bound is 5e-12; for smaller x the function is large, and the error
// relative to it is below 1e-14.
func Yn(n int32, x float64) float64 {
	if !(x >= 0) || n < 0 {
		return math.NaN()
	}
	switch {
	case n == 0:
		return Y0(x)
	case n == 1:
		return Y1(x)
	case x > math.MaxFloat64:
		return 0
	case x == 0:
		return math.Inf(-1)
	}
	a, b := Y0(x), Y1(x)
	for k := int32(1); k < n; k++ {
		if b < -math.MaxFloat64 {
			break // and stays so
		}
		a, b = b, float64(2*float64(k)/x*b)-a
	}
	return b
}

// CylBesselI0 returns the modified Bessel function of the first kind of order 0: CUDA's cyl_bessel_i0.
// The largest error found is 2.66 ulp; CUDA's bound is 6.
func CylBesselI0(x float64) float64 {
	x = math.Abs(x)
	if x > 714 {
		return x * math.Inf(1)
	}
	if x < 20 {
		return inSeries(1, x, 0)
	}
	return inLarge(x, 0)
}

// CylBesselI1 returns the modified Bessel function of the first kind of order 1: CUDA's cyl_bessel_i1.
// The largest error found is 2.69 ulp; CUDA's bound is 6.
func CylBesselI1(x float64) float64 {
	a := math.Abs(x)
	if a > 714 {
		return x * math.Inf(1)
	}
	if a < 20 {
		return inSeries(0.5*x, a, 1)
	}
	return math.Copysign(inLarge(a, 1), x)
}

// inSeries returns first * sum over k of (x^2/4)^k / (k! (k+n)!), for n of 0 or 1. All terms are
// positive. They are summed from the smallest one, in the form of Horner, as sums of two float64:
// the errors of so many steps would add up.
func inSeries(first, x float64, n int) float64 {
	zh, zl := prod2(0.5*x, 0.5*x)
	h, l := 1.0, 0.0
	for k := 24 + int(1.5*x); k > 0; k-- {
		h, l = mul22(h, l, zh, zl)
		h, l = div22(h, l, float64(k*(k+n)), 0)
		h, l = add22(1, 0, h, l)
	}
	return float64(first * (h + l))
}

// inLarge returns I(n, x) for x >= 20 by the expansion e^x/sqrt(2 pi x) (1 - (4n^2-1)/(8x) + ...),
// DLMF 10.40.1, whose least term is of the size of e^-2x.
func inLarge(x float64, n int) float64 {
	m := float64(4 * n * n)
	s, t := 0.0, 1.0
	for k := 1.0; math.Abs(t) > 0x1p-60; k++ {
		t = -float64(t * ((m - float64((2*k-1)*(2*k-1))) / (8 * x * k)))
		s += t
	}
	h, l, k := exp22(x, 0)
	r := 0x1.9884533d43651p-2 / math.Sqrt(x) // 1/sqrt(2 pi)
	h, l = fast2(h, float64(h*s)+l)
	return times2(8*float64((h+l)*r), k-3)
}
