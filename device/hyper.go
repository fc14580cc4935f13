package device

import "math"

// Hyperbolic functions, from e^x and e^x - 1 as sums of two float64, and their inverses, from
// log(1+x) with x as such a sum.

// Sinh returns the hyperbolic sine: CUDA's sinh. The largest error found is 0.56 ulp; the bound is 1.
func Sinh(x float64) float64 {
	a := math.Abs(x)
	if a > 711 {
		return math.Copysign(math.Inf(1), x)
	}
	if a > 22 { // e^-x is below the last place
		h, l, k := exp22(a, 0)
		return math.Copysign(times2(h+l, k-1), x)
	}
	if a < 0x1p-28 {
		return x
	}
	// with e = e^x - 1: (e + e/(e+1))/2
	h, l := expm122(a)
	dh, dl := add22(h, l, 1, 0)
	qh, ql := div22(h, l, dh, dl)
	h, l = add22(h, l, qh, ql)
	return math.Copysign(0.5*(h+l), x)
}

// Cosh returns the hyperbolic cosine: CUDA's cosh. The largest error found is 0.73 ulp; the bound is 1.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	if a > 711 {
		return math.Inf(1)
	}
	h, l, k := exp22(a, 0)
	if a > 22 {
		return times2(h+l, k-1)
	}
	f := pow2(k)
	h, l = float64(h*f), float64(l*f)
	q := 1 / h
	q -= float64(float64(q*q) * l)
	h, e := fast2(h, q)
	return 0.5 * (h + (e + l))
}

// Tanh returns the hyperbolic tangent: CUDA's tanh. The largest error found is 0.57 ulp; the bound
// is 1.
func Tanh(x float64) float64 {
	a := math.Abs(x)
	if a > 19.5 {
		return math.Copysign(1, x)
	}
	if a < 0x1p-28 {
		return x
	}
	// with e = e^2x - 1: e/(e+2)
	h, l := expm122(2 * a)
	dh, dl := add22(h, l, 2, 0)
	h, l = div22(h, l, dh, dl)
	return math.Copysign(h+l, x)
}

// Asinh returns the inverse hyperbolic sine: CUDA's asinh. The largest error found is 0.86 ulp; the
// bound is 2.
func Asinh(x float64) float64 {
	a := math.Abs(x)
	if !(a <= math.MaxFloat64) || a < 0x1p-28 {
		return x
	}
	if a > 0x1p28 { // log(2x), and x^2 may overflow
		h, l := log22(a, 0)
		h, l = add22(h, l, ln2H, ln2L)
		return math.Copysign(h+l, x)
	}
	// log(1 + x + x^2/(1+sqrt(1+x^2)))
	q := float64(a * a)
	th, tl := sum2(a, q/(1+math.Sqrt(1+q)))
	h, l := log1p22(th, tl)
	return math.Copysign(h+l, x)
}

// Acosh returns the inverse hyperbolic cosine: CUDA's acosh. The largest error found is 1.60 ulp;
// the bound is 2.
func Acosh(x float64) float64 {
	if !(x >= 1) {
		return math.NaN()
	}
	if x > math.MaxFloat64 {
		return x
	}
	if x > 0x1p28 {
		h, l := log22(x, 0)
		h, l = add22(h, l, ln2H, ln2L)
		return h + l
	}
	// with t = x-1: log(1 + t + sqrt(2t + t^2))
	t := x - 1
	th, tl := sum2(t, math.Sqrt(math.FMA(t, t, 2*t)))
	h, l := log1p22(th, tl)
	return h + l
}

// Atanh returns the inverse hyperbolic tangent: CUDA's atanh. The largest error found is 0.51 ulp;
// the bound is 2.
func Atanh(x float64) float64 {
	a := math.Abs(x)
	if !(a < 1) {
		if a == 1 {
			return math.Copysign(math.Inf(1), x)
		}
		return math.NaN()
	}
	if a < 0x1p-28 {
		return x
	}
	// log(1 + 2x/(1-x)) / 2
	dh, dl := fast2(1, -a)
	qh, ql := div22(2*a, 0, dh, dl)
	h, l := log1p22(qh, ql)
	return math.Copysign(0.5*(h+l), x)
}
