package device

import "math"

// The error function and its relatives. Up to 1 erf is x times a polynomial of x^2; from 1/2 on
// erfc is e^-x^2 erfcx(x), with x^2 as a sum of two float64, and erfcx(x) (1+2x) is a polynomial of
// (x-3)/(x+3), which is between -5/7 and 1 (the form is that of M. Shepherd, J. Laframboise,
// Chebyshev approximation of (1+2x)exp(x^2)erfc x, Mathematics of Computation 1981).

// erfTail is erf(x)/x - 1 with z = x^2, for |x| <= 1, within 2^-56.
func erfTail(z float64) float64 {
	zz := float64(z * z)
	p := math.FMA(0x1.7f072188df091p-34, zz, 0x1.fc4356498c12bp-27)
	p = math.FMA(p, zz, 0x1.b9e6509b9867ap-20)
	p = math.FMA(p, zz, 0x1.f9a326c233146p-14)
	p = math.FMA(p, zz, 0x1.565bcd0e6502dp-8)
	p = math.FMA(p, zz, 0x1.ce2f21a042bdep-4)
	p = math.FMA(p, zz, 0x1.06eba8214db69p-3)
	q := math.FMA(-0x1.29b9f1b3d94d4p-38, zz, -0x1.4e607b41a5c72p-30)
	q = math.FMA(q, zz, -0x1.5f6d925a0bc5bp-23)
	q = math.FMA(q, zz, -0x1.f4d2561aeafd4p-17)
	q = math.FMA(q, zz, -0x1.c02db3feeb579p-11)
	q = math.FMA(q, zz, -0x1.b82ce312889bap-6)
	q = math.FMA(q, zz, -0x1.812746b0379e7p-2)
	return math.FMA(q, z, p)
}

// erfcxPoly is (1+2x) erfcx(x) with t = (x-3)/(x+3), for x >= 1/2, within 2^-54.
func erfcxPoly(t float64) float64 {
	tt := float64(t * t)
	p := math.FMA(0x1.74f7d07857658p-29, tt, -0x1.fbf06ed30e7ep-27)
	p = math.FMA(p, tt, 0x1.bb5552679684ep-25)
	p = math.FMA(p, tt, -0x1.43bb6e8cc8676p-23)
	p = math.FMA(p, tt, 0x1.853459a7c241fp-22)
	p = math.FMA(p, tt, -0x1.8a007fcdd3846p-21)
	p = math.FMA(p, tt, 0x1.4c33441321c3dp-18)
	p = math.FMA(p, tt, -0x1.b9129dbde9b4dp-14)
	p = math.FMA(p, tt, 0x1.ef1bdd921f068p-10)
	p = math.FMA(p, tt, -0x1.8574c40c1d703p-6)
	p = math.FMA(p, tt, -0x1.e88b803a4887p-4)
	p = math.FMA(p, tt, -0x1.85a15c58aa616p-5)
	p = math.FMA(p, tt, 0x1.40c522d7e4987p+0)
	q := math.FMA(-0x1.d2d002967987dp-31, tt, 0x1.a354ab09f115bp-29)
	q = math.FMA(q, tt, -0x1.04f54fed6796bp-26)
	q = math.FMA(q, tt, 0x1.b80269e5b5f9fp-24)
	q = math.FMA(q, tt, -0x1.4af1d582e9e3cp-21)
	q = math.FMA(q, tt, 0x1.d206dbbbcf92cp-19)
	q = math.FMA(q, tt, -0x1.513aeda2f6ff8p-16)
	q = math.FMA(q, tt, 0x1.065a32aa4795dp-13)
	q = math.FMA(q, tt, -0x1.98db50def4047p-11)
	q = math.FMA(q, tt, 0x1.4b884e42d40d4p-9)
	q = math.FMA(q, tt, 0x1.17ca2877f18e6p-4)
	q = math.FMA(q, tt, 0x1.098366a5b46abp-3)
	q = math.FMA(q, tt, -0x1.15c084bb9e8f3p-3)
	return math.FMA(q, t, p)
}

// erfcxFrom returns erfcx(x) for finite x >= 1/2.
func erfcxFrom(x float64) float64 {
	if x > 0x1p30 {
		return 0x1.20dd750429b6dp-1 / x // 1/sqrt(pi)
	}
	p := erfcxPoly((x - 3) / (x + 3))
	d, e := fast2(2*x, 1) // 2x >= 1
	q := p / d
	return q + (math.FMA(-q, d, p)-float64(q*e))/d
}

// erfcFrom returns erfc(xh+xl) * 2^down for xh between 1/2 and 40, where xl is small beside xh.
func erfcFrom(xh, xl float64, down int64) float64 {
	h, l := prod2(xh, xh)
	eh, el, k := exp22(-h, -math.FMA(2*xh, xl, l))
	q := erfcxFrom(xh)
	if xl != 0 {
		// The derivative of erfcx is 2x erfcx(x) - 2/sqrt(pi).
		q = math.FMA(xl, math.FMA(2*xh, q, -0x1.20dd750429b6dp+0), q)
	}
	return times2(math.FMA(eh, q, float64(el*q)), k+down)
}

// Erf returns the error function: CUDA's erf. The largest error found is 0.88 ulp; the bound is 2.
func Erf(x float64) float64 {
	a := math.Abs(x)
	if a <= 1 {
		if a < 0x1p-1000 { // where the product would lose bits
			return float64(math.FMA(x*0x1p900, 0x1.06eba8214db69p-3, x*0x1p900) * 0x1p-900)
		}
		return math.FMA(x, erfTail(float64(x*x)), x)
	}
	if a > 6 {
		return math.Copysign(1, x)
	}
	if x != x {
		return x
	}
	return math.Copysign(1-erfcFrom(a, 0, 0), x)
}

// Erfc returns 1 - erf(x): CUDA's erfc. The largest error found is 2.80 ulp; the bound is 4.
func Erfc(x float64) float64 {
	if x < 0.5 {
		return 1 - Erf(x)
	}
	if x > 28 {
		return 0
	}
	if x != x {
		return x
	}
	return erfcFrom(x, 0, 0)
}

// Erfcx returns e^(x^2) erfc(x): CUDA's erfcx. The largest error found is 2.37 ulp; the bound is 3.
func Erfcx(x float64) float64 {
	if x >= 0.5 {
		if x > math.MaxFloat64 {
			return 0
		}
		return erfcxFrom(x)
	}
	if x < -27 {
		return math.Inf(1)
	}
	if x != x {
		return x
	}
	h, l := prod2(x, x)
	eh, el, k := exp22(h, l)
	if x < -0.5 {
		// 2 e^x^2 - erfcx(-x)
		q := erfcxFrom(-x)
		s, e := fast2(2*eh, -float64(q*pow2(max(-k, -200)))) // beyond, it does not matter
		return times2(s+(e+2*el), k)
	}
	c := 1 - Erf(x)
	return float64(math.FMA(eh, c, float64(el*c)) * pow2(k))
}

// Normcdf returns the normal distribution function: CUDA's normcdf. The largest error found is 3.19
// ulp; the bound is 5.
func Normcdf(x float64) float64 {
	if x > 8.5 {
		return 1
	}
	if x < -39 {
		return 0
	}
	if x != x {
		return x
	}
	// erfc(-x/sqrt(2))/2, the argument as a sum
	const rootH, rootL = 0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55 // sqrt(1/2)
	h, l := prod2(-x, rootH)
	l -= float64(x * rootL)
	if h < 0.5 {
		return 0.5 * (1 - Erf(h))
	}
	return erfcFrom(h, l, -1)
}
