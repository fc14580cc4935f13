package device

import "math"

// Inverse trigonometric functions. The arc sine is a polynomial up to 1/2, and beyond comes from
// the half angle; the arc tangent is reduced to that of t with |t| <= 7/16 by the angles whose
// tangents are 1/2, 1, 3/2 and infinite.

// asinTail is (asin(x)/x - 1)/x^2 with z = x^2, for |x| <= 1/2, within 2^-52.9.
func asinTail(z float64) float64 {
	zz := float64(z * z)
	p := math.FMA(0x1.d72b2bc89492dp-6, zz, 0x1.1d189408b935fp-6)
	p = math.FMA(p, zz, 0x1.52420b04ced0cp-7)
	p = math.FMA(p, zz, 0x1.c9cf076747be8p-7)
	p = math.FMA(p, zz, 0x1.6e8bb1c8209a6p-6)
	p = math.FMA(p, zz, 0x1.6db6db6e31f13p-5)
	p = math.FMA(p, zz, 0x1.5555555555556p-3)
	q := math.FMA(-0x1.e6aaa8a22cc56p-7, zz, 0x1.65a9c4def8002p-8)
	q = math.FMA(q, zz, 0x1.782651caa1b36p-7)
	q = math.FMA(q, zz, 0x1.1c4d35cf953cdp-6)
	q = math.FMA(q, zz, 0x1.f1c71c1db0623p-6)
	q = math.FMA(q, zz, 0x1.3333333332ecap-4)
	return math.FMA(q, z, p)
}

// atanTail is (atan(x)/x - 1)/x^2 with z = x^2, for |x| <= 7/16, within 2^-53.8.
func atanTail(z float64) float64 {
	zz := float64(z * z)
	p := math.FMA(-0x1.0f62bba683f6ap-5, zz, -0x1.ab59b417aed9p-5)
	p = math.FMA(p, zz, -0x1.110c9ce7b04d5p-4)
	p = math.FMA(p, zz, -0x1.745d154c84f7ap-4)
	p = math.FMA(p, zz, -0x1.2492492485503p-3)
	p = math.FMA(p, zz, -0x1.5555555555555p-2)
	q := math.FMA(0x1.e416746465af5p-7, zz, 0x1.7001816fc1d45p-5)
	q = math.FMA(q, zz, 0x1.e170800a45721p-5)
	q = math.FMA(q, zz, 0x1.3b1375ce5bdbap-4)
	q = math.FMA(q, zz, 0x1.c71c71bd2b8bcp-4)
	q = math.FMA(q, zz, 0x1.99999999998c5p-3)
	return math.FMA(q, z, p)
}

// asinHalf returns asin(sqrt((1-a)/2)) as a sum, for a between 1/2 and 1.
func asinHalf(a float64) (hi, lo float64) {
	z := 0.5 * (1 - a) // exact
	s := math.Sqrt(z)
	e := 0.0
	if s > 0 {
		e = math.FMA(-s, s, z) / (2 * s)
	}
	return s, math.FMA(float64(s*z), asinTail(z), e)
}

// Asin returns the arc sine: CUDA's asin. The largest error found is 0.62 ulp; the bound is 2.
func Asin(x float64) float64 {
	a := math.Abs(x)
	if !(a <= 1) {
		return math.NaN()
	}
	if a <= 0.5 {
		z := float64(x * x)
		return math.FMA(float64(x*z), asinTail(z), x)
	}
	h, l := asinHalf(a)
	s, e := fast2(piH/2, -2*h)
	return math.Copysign(s+(e+(piL/2-2*l)), x)
}

// Acos returns the arc cosine: CUDA's acos. The largest error found is 0.61 ulp; the bound is 2.
func Acos(x float64) float64 {
	a := math.Abs(x)
	if !(a <= 1) {
		return math.NaN()
	}
	if a <= 0.5 {
		z := float64(x * x)
		s, e := fast2(piH/2, -x)
		return s + (e + (piL/2 - float64(float64(x*z)*asinTail(z))))
	}
	h, l := asinHalf(a)
	if x > 0 {
		return 2 * (h + l)
	}
	s, e := fast2(piH, -2*h)
	return s + (e + (piL - 2*l))
}

// atan22 returns the arc tangent of a >= 0 as a sum; an infinite one is fine.
func atan22(a float64) (hi, lo float64) {
	t, h, l := a, 0.0, 0.0
	if a > 0.4375 {
		n, d := 2*a-1, 2+a
		h, l = 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56 // atan(1/2)
		if a > 0.6875 {
			n, d = a-1, a+1
			h, l = piH/4, piL/4
		}
		if a > 1.1875 {
			n, d = a-1.5, math.FMA(1.5, a, 1)
			h, l = 0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56 // atan(3/2)
		}
		if a > 2.4375 {
			n, d = -1, a
			h, l = piH/2, piL/2
		}
		t = n / d
	}
	z := float64(t * t)
	p := float64(float64(t*z) * atanTail(z))
	s, e := fast2(h, t) // if h is 0, t + 0 is exact
	if h == 0 {
		s, e = t, 0
	}
	return s, e + (l + p)
}

// Atan returns the arc tangent: CUDA's atan. The largest error found is 0.63 ulp; the bound is 2.
func Atan(x float64) float64 {
	if x != x || x == 0 {
		return x
	}
	h, l := atan22(math.Abs(x))
	return math.Copysign(h+l, x)
}

// Atan2 returns the angle of the point (x, y) in the plane: CUDA's atan2. Its first argument is y,
// as in C. The largest error found is 1.31 ulp; the bound is 2.
func Atan2(y, x float64) float64 {
	if x != x || y != y {
		return x + y
	}
	a, b := math.Abs(y), math.Abs(x)
	var h, l float64
	switch {
	case a == 0:
		// 0 or pi, by the sign of x alone
	case a > math.MaxFloat64 && b > math.MaxFloat64:
		h, l = piH/4, piL/4
	default:
		h, l = atan22(a / b)
	}
	if math.Signbit(x) {
		s, e := fast2(piH, -h)
		h, l = s, e+(piL-l)
	}
	return math.Copysign(h+l, y)
}
