package device

import "math"

// Exponentials. x is split as k log(2) + r with |r| at most 0.35 and a low part of r, so that e^x =
// 2^k e^r; 2^x and 10^x come to the same r. e^r - 1 - r - r^2/2 is r^3 times a polynomial.

const (
	log2E = 0x1.71547652b82fep+0
	// log(2) in two parts; products of the first with integers below 2^13 are exact.
	ln2Top  = 0x1.62e42fefa2000p-1
	ln2Rest = 0x1.9ef35793c7673p-41
	// log(2) and log(10) as sums
	ln2H, ln2L   = 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56
	ln10H, ln10L = 0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53
	// log10(2), as log(2) above
	log10Of2Hi = 0x1.34413509f6000p-2
	log10Of2Lo = 0x1.9fef311f12b36p-42
	log2Of10   = 0x1.a934f0979a371p+1
)

// expTail is (e^r - 1 - r - r^2/2) / r^3 for |r| <= 0.3473, within 2^-53.8; Chebyshev interpolation
// in 45 digits.
func expTail(r float64) float64 {
	rr := float64(r * r)
	p := math.FMA(0x1.61b3421226041p-33, rr, 0x1.ae643407385d9p-26)
	p = math.FMA(p, rr, 0x1.71de3a590fad2p-19)
	p = math.FMA(p, rr, 0x1.a01a01a019b16p-13)
	p = math.FMA(p, rr, 0x1.1111111111111p-7)
	p = math.FMA(p, rr, 0x1.5555555555555p-3)
	q := math.FMA(0x1.1f7385560be05p-29, rr, 0x1.27e4db25ce3adp-22)
	q = math.FMA(q, rr, 0x1.a01a01a6ec522p-16)
	q = math.FMA(q, rr, 0x1.6c16c16c162bp-10)
	q = math.FMA(q, rr, 0x1.5555555555556p-5)
	return math.FMA(q, r, p)
}

// expSplit returns x = k log(2) + rh + rl for |x| below 5000.
func expSplit(x float64) (k, rh, rl float64) {
	k = math.RoundToEven(float64(x * log2E))
	rh, rl = sum2(math.FMA(-k, ln2Top, x), float64(-k*ln2Rest))
	return k, rh, rl
}

// expSum returns e^(rh+rl), with an error below 0.6 ulp.
func expSum(rh, rl float64) float64 {
	t := math.FMA(float64(rh*rh), math.FMA(rh, expTail(rh), 0.5), rl)
	a, b := fast2(1, rh)
	return a + (b + t)
}

// expm1Sum returns e^(rh+rl) - 1 as a sum with a relative error below 2^-57.
func expm1Sum(rh, rl float64) (hi, lo float64) {
	ph, pl := prod2(rh, rh)
	t := math.FMA(float64(rh*ph), expTail(rh), math.FMA(rh, rl, rl+0.5*pl))
	h, l := fast2(rh, 0.5*ph)
	return fast2(h, l+t)
}

// exp22 returns e^(xh+xl) as (hi + lo) * 2^k with a relative error below 2^-58, for |xh| below 5000.
func exp22(xh, xl float64) (hi, lo float64, k int64) {
	n, rh, rl := expSplit(xh)
	h, l := sum2(rh, rl+xl) // xl may be far above the last place of rh
	h, l = expm1Sum(h, l)
	a, b := fast2(1, h)
	hi, lo = fast2(a, b+l)
	return hi, lo, int64(n)
}

// Exp returns e^x: CUDA's exp. The largest error found is 0.77 ulp; the bound is 1.
func Exp(x float64) float64 {
	if x > 710 {
		return math.Inf(1)
	}
	if x < -746 {
		return 0
	}
	k, rh, rl := expSplit(x)
	return times2(expSum(rh, rl), int64(k))
}

// Exp2 returns 2^x: CUDA's exp2. The largest error found is 0.75 ulp; the bound is 1. Powers of two
// are exact.
func Exp2(x float64) float64 {
	if x >= 1024 {
		return math.Inf(1)
	}
	if x < -1076 {
		return 0
	}
	k := math.RoundToEven(x)
	r := x - k
	rh, rl := prod2(r, ln2H)
	return times2(expSum(rh, math.FMA(r, ln2L, rl)), int64(k))
}

// Exp10 returns 10^x: CUDA's exp10. The largest error found is 0.75 ulp; the bound is 1.
func Exp10(x float64) float64 {
	if x > 309 {
		return math.Inf(1)
	}
	if x < -325 {
		return 0
	}
	k := math.RoundToEven(float64(x * log2Of10))
	r, l := sum2(math.FMA(-k, log10Of2Hi, x), float64(-k*log10Of2Lo))
	rh, rl := mul22(r, l, ln10H, ln10L)
	return times2(expSum(rh, rl), int64(k))
}

// Expm1 returns e^x - 1, precise near 0: CUDA's expm1. The largest error found is 0.87 ulp; the
// bound is 1.
func Expm1(x float64) float64 {
	if x > 710 {
		return math.Inf(1)
	}
	if x < -40 {
		return -1
	}
	k, rh, rl := expSplit(x)
	h, l := expm1Sum(rh, rl)
	if k == 0 {
		if x == 0 {
			return x // -0 is kept
		}
		return h + l
	}
	n := int64(k)
	// 2^k (1 - 2^-k + e^r - 1); where 2^-k is below the last place it doesn't matter.
	one := 1 - times2(1, -n)
	s, e := sum2(one, h)
	return times2(s+(e+l), n)
}

// expm122 returns e^x - 1 as a sum with a relative error below 2^-55, for |x| below 40.
func expm122(x float64) (hi, lo float64) {
	k, rh, rl := expSplit(x)
	h, l := expm1Sum(rh, rl)
	if k == 0 {
		return h, l
	}
	p := pow2(int64(k))
	s, e := sum2(p-1, float64(p*h)) // p-1 is exact up to 2^53, and then h matters more than the rest
	return fast2(s, e+float64(p*l))
}
