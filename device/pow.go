package device

import "math"

// Powers and roots. x^y is e^(y log|x|) with the logarithm and the product as sums of two float64.

// Pow returns x^y: CUDA's pow, with the special cases of C99, which are not all Go's: Pow(-1, ±Inf)
// is 1. The largest error found is 0.70 ulp; the bound is 2.
func Pow(x, y float64) float64 {
	a := math.Abs(x)
	if x == 1 || y == 0 {
		return 1 // for NaN too
	}
	if x != x || y != y {
		return x + y
	}
	// An odd integer is below 2^53.
	integer := math.Trunc(y) == y
	odd := integer && math.Abs(y) < 0x1p53 && int64(y)&1 != 0
	sign := 1.0
	if math.Signbit(x) {
		if odd {
			sign = -1
		} else if a > 0 && a <= math.MaxFloat64 && !integer {
			return math.NaN()
		}
	}
	if a == 0 || a > math.MaxFloat64 || math.Abs(y) > math.MaxFloat64 {
		if a == 1 {
			return 1 // -1 to an infinite power
		}
		if (a > 1) == (y > 0) {
			return sign * math.Inf(1)
		}
		return sign * 0
	}
	h, l := log22(a, 0)
	ph := float64(y * h)
	if ph > 710 {
		return sign * math.Inf(1)
	}
	if ph < -746 {
		return sign * 0
	}
	eh, el, k := exp22(ph, math.FMA(y, l, math.FMA(y, h, -ph)))
	return sign * times2(eh+el, k)
}

// Sqrt returns the square root, correctly rounded: CUDA's sqrt.
func Sqrt(x float64) float64 { return math.Sqrt(x) }

// Rsqrt returns 1/sqrt(x): CUDA's rsqrt. The largest error found is 0.51 ulp; the bound is 1.
func Rsqrt(x float64) float64 {
	if !(x > 0) || x > math.MaxFloat64 {
		return 1 / math.Sqrt(x) // infinite with the sign of 0, 0, NaN
	}
	f := 1.0
	if x < 0x1p-1000 {
		x *= 0x1p100
		f = 0x1p50
	}
	y := 1 / math.Sqrt(x)
	h, l := prod2(x, y)
	// 1 - x y^2
	e := math.FMA(-h, y, 1) - float64(l*y)
	return float64(math.FMA(0.5*y, e, y) * f)
}

// cbrtStart is the cube root of m between 1 and 8, within 2^-9.
func cbrtStart(m float64) float64 {
	p := math.FMA(0x1.da65ac9237f24p-15, m, -0x1.a29d4b8e82abep-10)
	p = math.FMA(p, m, 0x1.2b08ff2518449p-6)
	p = math.FMA(p, m, -0x1.cb3e73ee2713fp-4)
	p = math.FMA(p, m, 0x1.f48b3890d403cp-2)
	return math.FMA(p, m, 0x1.3784c81b01b17p-1)
}

// cbrtSplit returns |x| as m * 2^(3k) with m between 1 and 8, for finite x other than 0.
func cbrtSplit(x float64) (m float64, k int64) {
	x = math.Abs(x)
	var down int64
	if x < 0x1p-1022 {
		x *= 0x1p54
		down = 18
	}
	b := int64(math.Float64bits(x))
	e := b>>52 - 1023 + 3000
	k = int64(uint64(e)/3) - 1000
	return math.Float64frombits(uint64(b - (3*k)<<52)), k - down
}

// cbrt22 returns the cube root of m between 1 and 8 as a sum, the low part being small. One step of
// Halley's iteration takes the start to 2^-30, and one of Newton's with an exact residual to 2^-58.
func cbrt22(m float64) (hi, lo float64) {
	t := cbrtStart(m)
	c := float64(t * float64(t*t))
	t = float64(t * ((c + 2*m) / (2*c + m)))
	h, l := prod2(t, t)
	r := math.FMA(-h, t, m) - float64(l*t)
	return t, r / float64(3*h)
}

// Cbrt returns the cube root: CUDA's cbrt. The largest error found is 0.57 ulp; the bound is 1.
func Cbrt(x float64) float64 {
	if x == 0 || x-x != 0 {
		return x
	}
	m, k := cbrtSplit(x)
	h, l := cbrt22(m)
	return math.Copysign(float64((h+l)*pow2(k)), x)
}

// Rcbrt returns 1/cbrt(x): CUDA's rcbrt. The largest error found is 0.80 ulp; the bound is 1.
func Rcbrt(x float64) float64 {
	if x == 0 || x-x != 0 {
		return 1 / x
	}
	m, k := cbrtSplit(x)
	h, l := cbrt22(m)
	y := 1 / h
	y = math.FMA(y, math.FMA(-y, h, 1)-float64(y*l), y)
	return math.Copysign(float64(y*pow2(-k)), x)
}
