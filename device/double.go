package device

import "math"

// Numbers as the unevaluated sum of two float64, high and low, for the steps of an algorithm whose
// error would be seen in the result. The sums are Knuth's and Dekker's, the product uses a fused
// multiply-add (T. J. Dekker, A floating-point technique for extending the available precision,
// Numerische Mathematik 1971). Products are converted explicitly where a compiler that fuses them
// with a sum would change the result.

// sum2 returns a+b, exactly.
func sum2(a, b float64) (hi, lo float64) {
	hi = a + b
	t := hi - a
	return hi, (a - (hi - t)) + (b - t)
}

// fast2 returns a+b, exactly if |a| >= |b| or a is 0.
func fast2(a, b float64) (hi, lo float64) {
	hi = a + b
	return hi, b - (hi - a)
}

// prod2 returns a*b, exactly if nothing under- or overflows.
func prod2(a, b float64) (hi, lo float64) {
	hi = float64(a * b)
	return hi, math.FMA(a, b, -hi)
}

// mul22 returns the product of two sums with a relative error of some 2^-103.
func mul22(ah, al, bh, bl float64) (hi, lo float64) {
	h, l := prod2(ah, bh)
	l += math.FMA(ah, bl, float64(al*bh))
	return fast2(h, l)
}

// add22 returns the sum of two sums; its error is some 2^-103 of the larger one.
func add22(ah, al, bh, bl float64) (hi, lo float64) {
	h, l := sum2(ah, bh)
	return fast2(h, l+(al+bl))
}

// div22 returns the quotient of two sums with a relative error of some 2^-100, for divisors whose
// reciprocals are normal.
func div22(ah, al, bh, bl float64) (hi, lo float64) {
	inv := 1 / bh
	q := float64(ah * inv)
	r := math.FMA(-q, bh, ah) + (al - float64(q*bl))
	return fast2(q, float64(r*inv))
}

// pow2 returns 2^k for -1022 <= k <= 1023.
func pow2(k int64) float64 { return math.Float64frombits(uint64(k+1023) << 52) }

// times2 returns x * 2^k, rounded once, for 2^-100 < |x| < 2^100 and -1800 <= k <= 1800.
func times2(x float64, k int64) float64 {
	h := k >> 1
	return float64(float64(x*pow2(h)) * pow2(k-h))
}
