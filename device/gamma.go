package device

import "math"

// The gamma function. Between 1.5 and 2.5 it and its logarithm are polynomials; other arguments
// below 12 come there by gamma(x+1) = x gamma(x), with the product as a sum of two float64. From 12
// on it is Stirling's series, in two float64 too; negative arguments are reflected: gamma(x)
// gamma(-x) = -pi / (x sin(pi x)).

// gammaPoly is gamma(2+t) for |t| <= 1/2, within 2^-56.
func gammaPoly(t float64) float64 {
	tt := float64(t * t)
	p := math.FMA(0x1.60719ffb53cb2p-19, tt, 0x1.e4493add6e9ep-18)
	p = math.FMA(p, tt, 0x1.007e03354bf19p-15)
	p = math.FMA(p, tt, 0x1.fe3e7148c5ff1p-14)
	p = math.FMA(p, tt, 0x1.011b279719403p-11)
	p = math.FMA(p, tt, 0x1.13c4485aa4efbp-9)
	p = math.FMA(p, tt, 0x1.6d7eeacd72a91p-7)
	p = math.FMA(p, tt, 0x1.301fbb0f23723p-4)
	p = math.FMA(p, tt, 0x1.a5b978b96bedp-2)
	p = math.FMA(p, tt, 0x1p+0)
	q := math.FMA(-0x1.607cdc66fc45bp-20, tt, -0x1.e472c38c79d24p-19)
	q = math.FMA(q, tt, -0x1.00a11030605acp-16)
	q = math.FMA(q, tt, -0x1.fddfed1c8199bp-15)
	q = math.FMA(q, tt, -0x1.f94b1c3d6053ep-13)
	q = math.FMA(q, tt, -0x1.e21f19a7b3331p-11)
	q = math.FMA(q, tt, -0x1.75e6e90ba3cefp-9)
	q = math.FMA(q, tt, -0x1.17f3740ec72ap-12)
	q = math.FMA(q, tt, 0x1.4e2399846508ap-4)
	q = math.FMA(q, tt, 0x1.b0ee6072093cep-2)
	return math.FMA(q, t, p)
}

// lgammaTail is log(gamma(2+t))/t - (1 - gamma) for |t| <= 1/2, with Euler's gamma, within 2^-56.6.
func lgammaTail(t float64) float64 {
	tt := float64(t * t)
	p := math.FMA(-0x1.091589d02d1a3p-25, tt, -0x1.9a854795e5fe9p-24)
	p = math.FMA(p, tt, -0x1.e40f95a8192dep-22)
	p = math.FMA(p, tt, -0x1.11a85684e8499p-19)
	p = math.FMA(p, tt, -0x1.3cbce9a3c4ad1p-17)
	p = math.FMA(p, tt, -0x1.78de5a3d2d4d3p-15)
	p = math.FMA(p, tt, -0x1.d3fd4c7b8f6a9p-13)
	p = math.FMA(p, tt, -0x1.38ac5c2bf50a2p-10)
	p = math.FMA(p, tt, -0x1.e404fc218f61fp-8)
	p = math.FMA(p, tt, -0x1.13e001a557606p-4)
	p = math.FMA(p, tt, -0x1.7aaa798a9bda7p-176)
	q := math.FMA(0x1.15fea8732cd9fp-24, tt, 0x1.b1a8c8bf04f15p-23)
	q = math.FMA(q, tt, 0x1.01462b5944f7dp-20)
	q = math.FMA(q, tt, 0x1.258c9651dbedcp-18)
	q = math.FMA(q, tt, 0x1.580e260121a51p-16)
	q = math.FMA(q, tt, 0x1.a127af44aaf71p-14)
	q = math.FMA(q, tt, 0x1.0b36af88b2884p-11)
	q = math.FMA(q, tt, 0x1.7add6eadb2c11p-9)
	q = math.FMA(q, tt, 0x1.51322ac7d849bp-6)
	q = math.FMA(q, tt, 0x1.4a34cc4a60fa6p-2)
	return math.FMA(q, t, p)
}

// stirlingTail is the rest of Stirling's series times x, 1/12 - 1/(360 x^2) + ..., with z = 1/x^2,
// for x >= 12, within 2^-57.6.
func stirlingTail(z float64) float64 {
	p := math.FMA(0x1.78e82ab30e678p-8, z, -0x1.f5108b85fbe6ap-10)
	p = math.FMA(p, z, 0x1.b94e0cf24b22ap-11)
	p = math.FMA(p, z, -0x1.38137ed9c26bcp-11)
	p = math.FMA(p, z, 0x1.a01a019f671dbp-11)
	p = math.FMA(p, z, -0x1.6c16c16c16bc7p-9)
	return math.FMA(p, z, 0x1.5555555555555p-4)
}

// gammaStart returns t and p with gamma(x) = p gamma(2+t) or, if x < 1.5, gamma(2+t)/p, |t| <= 1/2,
// for 0 < x < 13.
func gammaStart(x float64) (t, ph, pl float64) {
	ph = 1
	if x < 0.5 {
		ph, pl = prod2(x, x)
		return x, x + ph, (x - (x + ph)) + ph + pl // x (x+1)
	}
	if x < 1.5 {
		return x - 1, x, 0
	}
	for x > 2.5 {
		x--
		ph, pl = mul22(ph, pl, x, 0)
	}
	return x - 2, ph, pl
}

// stirling22 returns log(gamma(x)) as a sum, for x >= 12.
func stirling22(x float64) (hi, lo float64) {
	h, l := log22(x, 0)
	// (x - 1/2) log(x) - x + log(2 pi)/2 + tail; x - 1/2 is exact up to 2^52 and doesn't matter beyond
	ah, al := sum2(x, -0.5)
	h, l = mul22(ah, al, h, l)
	h, l = add22(h, l, -x, 0)
	h, l = add22(h, l, 0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55)
	r := 1 / x
	return add22(h, l, float64(r*stirlingTail(float64(r*r))), 0)
}

// gamma22 returns gamma(x) as (hi + lo) * 2^k for 0 < x < 190.
func gamma22(x float64) (hi, lo float64, k int64) {
	if x >= 12 {
		h, l := stirling22(x)
		return exp22(h, l)
	}
	t, ph, pl := gammaStart(x)
	g := gammaPoly(t)
	if x < 1.5 {
		hi, lo = div22(g, 0, ph, pl)
	} else {
		hi, lo = mul22(g, 0, ph, pl)
	}
	return hi, lo, 0
}

// Tgamma returns the gamma function: CUDA's tgamma. At 0 it is infinite with the sign of x, at
// negative integers and negative infinity NaN. The largest error found is 2.13 ulp; the bound is 8.
func Tgamma(x float64) float64 {
	a := math.Abs(x)
	if a < 0x1p-60 {
		return 1 / x
	}
	if x > 172 {
		return x * math.Inf(1)
	}
	if x != x {
		return x
	}
	if x > 0 {
		h, l, k := gamma22(x)
		h += l
		if k == 0 {
			return h
		}
		return times2(h, k)
	}
	if math.Trunc(x) == x { // and infinity
		return math.NaN()
	}
	if x < -186 {
		// It underflows; its sign is that of the sine.
		sh, _ := sinpi22(x)
		return math.Copysign(0, sh)
	}
	// -pi / (x sin(pi x) gamma(-x))
	sh, sl := sinpi22(x)
	gh, gl, k := gamma22(a)
	ph, pl := mul22(sh, sl, gh, gl)
	ph, pl = mul22(ph, pl, a, 0)
	h, l := div22(piH, piL, ph, pl)
	return times2(h+l, -k)
}

// Lgamma returns the logarithm of the absolute value of the gamma function: CUDA's lgamma. It is
// infinite at 0 and at negative integers. The largest error found is 2.20 ulp for x >= -2 and 1.26
// below, where the zeros are; the bound is 4 but for x between -11.001 and -2.2637.
func Lgamma(x float64) float64 {
	a := math.Abs(x)
	if !(a <= math.MaxFloat64) {
		return a
	}
	if x > 0 {
		if x > 0x1p1000 {
			return float64(x * (Log(x) - 1)) // may overflow, and nothing else matters
		}
		h, l := lgamma22(x)
		return h + l
	}
	if math.Trunc(x) == x {
		return math.Inf(1)
	}
	if a < 0x1p-60 {
		return -Log(a)
	}
	// log(pi / |x sin(pi x)|) - lgamma(-x)
	sh, sl := sinpi22(x)
	if sh < 0 {
		sh, sl = -sh, -sl
	}
	ph, pl := mul22(sh, sl, a, 0)
	ph, pl = div22(piH, piL, ph, pl)
	h, l := log22(ph, pl)
	gh, gl := lgamma22(a)
	h, l = add22(h, l, -gh, -gl)
	if math.Abs(h) < 0.125 && x < -2 && x > -24 {
		return lgammaNearZero(x)
	}
	return h + l
}

// lgammaNearZero is Lgamma where |gamma(x)| is near 1, for x between -24 and -2: the gamma function
// with a relative error of about 2^-100, so that its distance from 1 is precise where it is small.
// The sums x+1, x+2, ... are exact.
//
//go:noinline
func lgammaNearZero(x float64) float64 {
	ph, pl := x, 0.0
	y := x + 1
	for ; y < 1.5; y++ {
		ph, pl = mul22(ph, pl, y, 0)
	}
	gh, gl := 0.0, 0.0
	for _, c := range gammaCoefficients {
		gh, gl = mul22(gh, gl, y-2, 0)
		gh, gl = add22(c[0], c[1], gh, gl)
	}
	if ph < 0 {
		ph, pl = -ph, -pl
	}
	gh, gl = div22(gh, gl, ph, pl)
	h, l := fast2(gh-1, gl)
	h, l = log1pSum(h, l)
	return h + l
}

// gammaCoefficients is a polynomial for gamma(2+t), |t| <= 1/2, within 2^-109.7, from the highest
// power down, as sums of two float64. Chebyshev interpolation in 60 digits.
var gammaCoefficients = [...][2]float64{
	{0x1.ced27448f1f2ap-37, 0x1.f279a80c3a3c0p-93},
	{-0x1.ced270f72661ap-36, 0x1.dc09d9d621060p-91},
	{0x1.8681818496ef9p-36, -0x1.21a0b907e7078p-95},
	{-0x1.8681766b26725p-35, 0x1.3028efb30c6b6p-95},
	{0x1.0a53645dfa6c3p-33, -0x1.7177bc24c8a38p-87},
	{-0x1.0a53575ef7fcap-32, -0x1.4dcb45ad44034p-87},
	{0x1.fda8030a28e51p-32, -0x1.dafc5fb075ce4p-86},
	{-0x1.fda7c8b9b6275p-31, -0x1.6d300f4b30342p-85},
	{0x1.0017bb065d85ep-29, 0x1.810fc4ec9e056p-85},
	{-0x1.0017796b483cbp-28, 0x1.091971fcd10b8p-82},
	{0x1.fffacb41ae519p-28, -0x1.d0507fc82a948p-84},
	{-0x1.fff9a415faae2p-27, 0x1.647b08c071a62p-81},
	{0x1.fffaf1285d5a0p-26, -0x1.f85381db5ee98p-81},
	{-0x1.fff8593985748p-25, 0x1.8127162e3b42dp-79},
	{0x1.fff4530f4ce4cp-24, 0x1.9b6f86b877a5ap-78},
	{-0x1.ffee7db4168a2p-23, -0x1.25e9a688e1a70p-84},
	{0x1.ffe5c25fff7e6p-22, -0x1.3e80b4d6cfd8bp-76},
	{-0x1.ffd89e6f9a4e8p-21, 0x1.d37a1258873a3p-75},
	{0x1.ffc51bee82485p-20, 0x1.97c1d5e97c032p-75},
	{-0x1.ffa71db087ddap-19, -0x1.56696f51abaa6p-75},
	{0x1.ff7d2d99e44fdp-18, 0x1.cecd46572efb6p-73},
	{-0x1.ff331a5470156p-17, 0x1.743cc1db5361dp-72},
	{0x1.feed0811f7c7cp-16, -0x1.4acdd3ede368ep-70},
	{-0x1.fdf7bd70f96eap-15, 0x1.daa35cc0c8c71p-69},
	{0x1.fe564144f8db5p-14, -0x1.c14abddb3cdbap-68},
	{-0x1.f94a72c9a4c52p-13, 0x1.98390f3f01ec3p-67},
	{0x1.011ad2de73ab0p-11, -0x1.3175e48f7940ep-65},
	{-0x1.e21f1c831a17dp-11, -0x1.73afc3a4ad3e0p-66},
	{0x1.13c449c85323dp-9, 0x1.3bf3a00b6f5bep-64},
	{-0x1.75e6e90492e64p-9, -0x1.5503d4eab87a3p-65},
	{0x1.6d7eeac9ea41bp-7, -0x1.a1fb76ff2c4a6p-61},
	{-0x1.17f3740fe2a71p-12, -0x1.22f7245b98791p-66},
	{0x1.301fbb0f25a92p-4, 0x1.254886050c5cbp-58},
	{0x1.4e239984650acp-4, 0x1.37275b24960bfp-61},
	{0x1.a5b978b96bebfp-2, 0x1.653aa8bcf423cp-60},
	{0x1.b0ee6072093cep-2, 0x1.6cb90701fbfeep-58},
	{0x1.0000000000000p+0, 0},
}

// lgamma22 returns log(gamma(x)) as a sum, for 0 < x <= 2^1000. For x below 12 its error is some
// ulp of the part that is a polynomial.
func lgamma22(x float64) (hi, lo float64) {
	if x >= 12 {
		return stirling22(x)
	}
	if x < 0x1p-60 {
		h, l := log22(x, 0)
		return -h, -l
	}
	t, ph, pl := gammaStart(x)
	gh, gl := prod2(t, 0x1.b0ee6072093cep-2) // 1 - gamma
	gl += float64(t * (0x1.6cb90701fbfabp-58 + lgammaTail(t)))
	if x >= 1.5 && x <= 2.5 {
		return fast2(gh, gl)
	}
	var h, l float64
	if x >= 0.5 && x < 1.5 {
		h, l = log1p22(t, 0) // t = x-1 is exact
	} else {
		h, l = log22(ph, pl)
	}
	if x < 1.5 {
		h, l = -h, -l
	}
	return add22(gh, gl, h, l)
}
