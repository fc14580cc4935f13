package device

import "math"

// Logarithms. x = 2^k m with m between sqrt(1/2) and sqrt(2), and log(m) = 2 atanh(s) with s =
// f/(2+f), f = m-1. logFrom does that in float64 for Log and Log1p. log1pSum carries the first
// terms of the series in two float64, so that powers, the other logarithms and the inverse
// hyperbolic functions can take theirs from it.

// logTail is 2/3 + 2z/5 + 2z^2/7 + ..., (2 atanh(s)/s - 2)/z with z = s^2, for z <= 0.0298, within
// 2^-54.
func logTail(z float64) float64 {
	zz := float64(z * z)
	p := math.FMA(0x1.0fb77bcdefa76p-3, zz, 0x1.745cf7c1d5dafp-3)
	p = math.FMA(p, zz, 0x1.249249247513dp-2)
	p = math.FMA(p, zz, 0x1.5555555555555p-1)
	q := math.FMA(0x1.0c4d8297b1431p-3, zz, 0x1.3b1c79943fca2p-3)
	q = math.FMA(q, zz, 0x1.c71c7204621fep-3)
	q = math.FMA(q, zz, 0x1.9999999999a43p-2)
	return math.FMA(q, z, p)
}

// atanhTail is 1/7 + z/9 + z^2/11 + ... for z <= 0.0298, within 2^-54.
func atanhTail(z float64) float64 {
	zz := float64(z * z)
	p := math.FMA(0x1.aceca04e828edp-5, zz, 0x1.1110f6fcbf13ep-4)
	p = math.FMA(p, zz, 0x1.745d1745a11c2p-4)
	p = math.FMA(p, zz, 0x1.2492492492492p-3)
	q := math.FMA(0x1.b359f6cdfd2c5p-5, zz, 0x1.e1f06a946fc36p-5)
	q = math.FMA(q, zz, 0x1.3b13b16dc877bp-4)
	q = math.FMA(q, zz, 0x1.c71c71c71c835p-4)
	return math.FMA(q, z, p)
}

// logSplit returns x = m * 2^k with m between sqrt(1/2) and sqrt(2), for finite x > 0.
func logSplit(x float64) (m float64, k int64) {
	if x < 0x1p-1022 {
		x *= 0x1p54
		k = -54
	}
	const root = 0x3fe6a09e667f3bcd // of 1/2, as bits
	b := int64(math.Float64bits(x))
	n := (b - root) >> 52
	return math.Float64frombits(uint64(b - n<<52)), k + n
}

// log1pSum returns log(1+fh+fl) as a sum with a relative error below 2^-67, for 1+fh+fl between
// sqrt(1/2) and sqrt(2).
func log1pSum(fh, fl float64) (hi, lo float64) {
	dh, dl := fast2(2, fh)
	dl += fl
	inv := 1 / dh
	s := float64(fh * inv)
	sl := float64((math.FMA(-s, dh, fh) + (fl - float64(s*dl))) * inv)
	zh, zl := prod2(s, s)
	zl = math.FMA(2*s, sl, zl)
	// 1/3 + z (1/5 + z tail)
	wh, wl := fast2(0x1.999999999999ap-3, float64(zh*atanhTail(zh)))
	wl += -0x1.999999999999ap-57
	vh, vl := mul22(wh, wl, zh, zl)
	vh, e := fast2(0x1.5555555555555p-2, vh)
	vl += e + 0x1.5555555555555p-56
	vh, vl = mul22(vh, vl, zh, zl)
	ph, pl := mul22(vh, vl, s, sl)
	h, l := fast2(s, ph)
	hi, lo = fast2(h, l+(sl+pl))
	return 2 * hi, 2 * lo
}

// addLn2 returns hi + lo + k log(2).
func addLn2(hi, lo float64, k int64) (float64, float64) {
	n := float64(k)
	h, l := sum2(float64(n*ln2Top), hi)
	return fast2(h, l+math.FMA(n, ln2Rest, lo))
}

// log22 returns log(xh+xl) as a sum with a relative error below 2^-66, for finite xh > 0. Where xl
// is not 0, xh must be at least 2^-900.
func log22(xh, xl float64) (hi, lo float64) {
	m, k := logSplit(xh)
	fh, fl := m-1, 0.0
	if xl != 0 {
		fh, fl = sum2(fh, float64(xl/xh*m))
	}
	h, l := log1pSum(fh, fl)
	return addLn2(h, l, k)
}

// log1p22 returns log(1+xh+xl) as a sum, for xh > -1.
func log1p22(xh, xl float64) (hi, lo float64) {
	s, e := sum2(1, xh)
	e += xl
	m, k := logSplit(s)
	fl := 0.0
	if k < 1022 { // 2^-k as a normal number
		fl = float64(e * pow2(-k))
	}
	fh, fl := sum2(m-1, fl)
	h, l := log1pSum(fh, fl)
	return addLn2(h, l, k)
}

// Log returns the natural logarithm: CUDA's log. The largest error found is 0.79 ulp; the bound is 1.
func Log(x float64) float64 {
	if !(x > 0) || x > math.MaxFloat64 {
		return logSpecial(x)
	}
	m, k := logSplit(x)
	return logFrom(m-1, 0, k)
}

// logFrom returns log(1+f) + low + k log(2), for 1+f between sqrt(1/2) and sqrt(2), with an error
// below 0.81 ulp if low is small beside f.
func logFrom(f, low float64, k int64) float64 {
	s := f / (2 + f)
	z := float64(s * s)
	h := float64(0.5 * float64(f*f))
	// log(1+f) = f - (f^2/2 - s (f^2/2 + z tail))
	t := float64(s * (h + float64(z*logTail(z))))
	n := float64(k)
	return float64(n*ln2Top) - ((h - (t + (float64(n*ln2Rest) + low))) - f)
}

// logSpecial is the logarithm of 0, infinity, NaN and negative numbers.
func logSpecial(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	}
	return x
}

// Log2 returns the logarithm to the base 2: CUDA's log2. The largest error found is 0.51 ulp; the
// bound is 1. Powers of two are exact.
func Log2(x float64) float64 {
	if !(x > 0) || x > math.MaxFloat64 {
		return logSpecial(x)
	}
	m, k := logSplit(x)
	h, l := log1pSum(m-1, 0)
	h, l = mul22(h, l, log2E, 0x1.777d0ffda0d24p-56)
	s, e := sum2(float64(k), h)
	return s + (e + l)
}

// Log10 returns the logarithm to the base 10: CUDA's log10. The largest error found is 0.51 ulp;
// the bound is 1.
func Log10(x float64) float64 {
	if !(x > 0) || x > math.MaxFloat64 {
		return logSpecial(x)
	}
	h, l := log22(x, 0)
	h, l = mul22(h, l, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57)
	return h + l
}

// Log1p returns log(1+x), precise near 0: CUDA's log1p. The largest error found is 0.81 ulp; the
// bound is 1.
func Log1p(x float64) float64 {
	if !(x > -1) || x > math.MaxFloat64 {
		return logSpecial(1 + x)
	}
	if math.Abs(x) < 0x1p-54 {
		return x // and -0
	}
	u, e := sum2(1, x)
	m, k := logSplit(u)
	if k < 1022 { // e beside u, and 2^-k as a normal number
		e = float64(e * pow2(-k))
	} else {
		e = 0
	}
	f, l := sum2(m-1, e) // if k is 0, f is x
	return logFrom(f, l/m, k)
}
