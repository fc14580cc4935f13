package device

import "math"

// Functions in float64, with the accuracy that a float32 result needs and little more: a relative
// error of about 2^-43. float32 functions use them where cancellation or a large exponent would
// otherwise need numbers of twice the length. Polynomials are minimax in relative error, by Remez's
// algorithm in 160 bits.

const magic64 = 0x1.8p52 // rounds to a whole number, as magic32 does

// clampWide returns x, or the nearest of ±limit; NaN for NaN.
func clampWide(x, limit float64) float64 {
	if x > limit {
		x = limit
	}
	if x < -limit {
		x = -limit
	}
	return x
}

// exp2m1Wide returns q and u = 2^n with 2^t = u + u q and |q| < 0.42, for |t| < 1000.
func exp2m1Wide(t float64) (q, u float64) {
	m := t + magic64
	r := t - (m - magic64)
	u = math.Float64frombits((math.Float64bits(m) + 1023) << 52)
	q = float64(r*1.0178073594367846e-7) + 1.3255176710016664e-6
	q = float64(r*q) + 1.5252812042172827e-5
	q = float64(r*q) + 0.00015403456073706547
	q = float64(r*q) + 0.0013333557983556254
	q = float64(r*q) + 0.0096181291591124693
	q = float64(r*q) + 0.055504108665736587
	q = float64(r*q) + 0.24022650695813941
	q = float64(r*q) + 0.69314718055993774
	return float64(r * q), u
}

// exp2Wide returns 2^t for |t| < 1000.
func exp2Wide(t float64) float64 {
	q, u := exp2m1Wide(t)
	return u + float64(u*q)
}

// expm1Wide returns e^y - 1 for |y| < 600.
func expm1Wide(y float64) float64 {
	q, u := exp2m1Wide(float64(y * math.Log2E))
	return float64(u*q) + (u - 1)
}

// logWide returns the natural logarithm of a finite, normal a > 0: with a = 2^e m and m between
// sqrt(1/2) and sqrt(2), and s = (m-1)/(m+1), e log(2) + 2 artanh(s).
func logWide(a float64) float64 {
	b := math.Float64bits(a)
	e := int64(b-0x3fe6a09e667f3bcd) >> 52
	m := math.Float64frombits(b - uint64(e)<<52)
	s := (m - 1) / (m + 1)
	z := s * s
	p := float64(z*0.19609233893106745) + 0.2217416730078412
	p = float64(z*p) + 0.28572168243433393
	p = float64(z*p) + 0.39999994870104882
	p = float64(z*p) + 0.66666666679657971
	p = float64(z*p) + 1.9999999999999467
	return float64(float64(e)*math.Ln2) + float64(s*p)
}
