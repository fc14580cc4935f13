package device

import "math"

// Fast approximations in float32: CUDA's intrinsics with two underscores, which -use_fast_math puts
// in place of the math library, and the approx instructions of PTX below them. They are straight
// lines of float32 arithmetic, as exact as the CUDA C++ Programming Guide (intrinsic functions) and
// the PTX ISA promise, not bit for bit what some GPU gives. Subnormal numbers are kept, as without
// -ftz=true. Polynomials are made as those of trigf.go.

// sinHalfTurnf is sin r for |r| <= pi/2, with absolute error 2^-27.6 before rounding.
func sinHalfTurnf(r float32) float32 {
	if r > math.Pi/2 { // far beyond the range the reduction has lost its digits
		r = math.Pi / 2
	}
	if r < -math.Pi/2 {
		r = -math.Pi / 2
	}
	z := float32(r * r)
	p := float32(z*2.59885269e-06) + -0.000198060312
	p = float32(z*p) + 0.00833300874
	p = float32(z*p) + -0.166666567
	return r + float32(float32(z*r)*p)
}

// pi in two parts, of which the first has 12 bits.
const (
	piA = 0x1.922p1
	piB = -8.908910206761537e-06
)

// FastSinf returns an approximation of the sine of x radians: CUDA's __sinf. In [-pi, pi] the
// absolute error is at most 2^-23.1 (CUDA: 2^-21.41); it stays so up to 6000 and grows with x
// beyond, where results keep to [-1, 1] and mean nothing from 2^24 on. Of infinities it is NaN.
func FastSinf(x float32) float32 {
	b := math.Float32bits(x)
	a := math.Float32frombits(b &^ (1 << 31)) // so that -0 keeps its sign
	t := float32(a*(1/math.Pi)) + magic32
	n := t - magic32
	r := (a - float32(n*piA)) - float32(n*piB)
	return math.Float32frombits(math.Float32bits(sinHalfTurnf(r)) ^ math.Float32bits(t)<<31 ^ b&(1<<31))
}

// FastCosf returns an approximation of the cosine of x radians: CUDA's __cosf. In [-pi, pi] the
// absolute error is at most 2^-22.9 (CUDA: 2^-21.19); beyond as FastSinf.
func FastCosf(x float32) float32 {
	// x = (m - 1/2) pi + r, and the cosine is (-1)^m sin r.
	t := (float32(x*(1/math.Pi)) + 0.5) + magic32
	n := (t - magic32) - 0.5
	r := (x - float32(n*piA)) - float32(n*piB)
	return math.Float32frombits(math.Float32bits(sinHalfTurnf(r)) ^ math.Float32bits(t)<<31)
}

// FastSincosf returns FastSinf(x) and FastCosf(x): CUDA's __sincosf.
func FastSincosf(x float32) (sin, cos float32) { return FastSinf(x), FastCosf(x) }

// FastTanf returns an approximation of the tangent of x radians: CUDA's __tanf, which is
// FastSinf(x) * (1/FastCosf(x)), and here a quotient of polynomials of relative error 2^-24.5, with
// one reduction for both. In [-pi, pi], away from the poles, the error is at most that of such
// parts; beyond as FastSinf.
func FastTanf(x float32) float32 {
	b := math.Float32bits(x)
	a := math.Float32frombits(b &^ (1 << 31))
	t := float32(a*(2/math.Pi)) + magic32
	n := t - magic32
	r := (a - float32(n*(piA/2))) - float32(n*(piB/2))
	z := float32(r * r)
	num := r + float32(float32(z*r)*(float32(z*-0.00166646781)+-0.0716308137))
	den := 1 + float32(z*-0.404965414)
	up, down := num, den
	if math.Float32bits(t)&1 != 0 {
		up, down = den, -num
	}
	return math.Float32frombits(math.Float32bits(up/down) ^ b&(1<<31))
}

// The exponentials below have a shorter reduction and a shorter polynomial than the exact ones,
// with no clamping and no scaling by two factors: results that may be subnormal or infinite, and
// NaN, are left to the exact functions. A bound of the guide counts in ulp, or in bits; the
// polynomials are minimax in what it leaves beside the roundings.

// fastScalef reports whether 2^n p is surely a normal number for 0.5 <= p < 2, and returns it. The
// n that arguments beyond 2^22 and NaN make are far from there.
func fastScalef(p float32, n int32) (y float32, ok bool) {
	return math.Float32frombits(math.Float32bits(p) + uint32(n)<<23), uint32(n+125) <= 250
}

// Ex2Approxf returns an approximation of 2^x: PTX's ex2.approx.f32. The error is at most 1.17 ulp
// (Table 8.11 of The CUDA Handbook: 1.41 ulp, which is 22.51 bits of the absolute error for results
// in [1, 2)).
func Ex2Approxf(x float32) float32 {
	p, n := exp2Partf(x)
	y, ok := fastScalef(p, n)
	if !ok {
		y = Exp2f(x)
	}
	return y
}

// FastExpf returns an approximation of e^x: CUDA's __expf. x is reduced by a multiple of log(2)
// that is rounded, so that the error grows with x: it is at most 2 + floor(|1.173 x|) ulp, as
// there.
func FastExpf(x float32) float32 {
	t := float32(x*math.Log2E) + magic32
	r := x - float32((t-magic32)*math.Ln2)
	p := float32(r*0.00825114828) + 0.0419027917
	p = float32(r*p) + 0.166683555
	p = float32(r*p) + 0.499991
	p = float32(r*p) + 0.999999404
	y, ok := fastScalef(1+float32(r*p), int32(math.Float32bits(t)-magicBits32))
	if !ok {
		y = Expf(x)
	}
	return y
}

// FastExp10f returns an approximation of 10^x: CUDA's __exp10f, which promises 2 + floor(|2.97 x|)
// ulp. Here the reduction is exact and the error at most 1.9 ulp.
func FastExp10f(x float32) float32 {
	t := float32(x*(math.Ln10/math.Ln2)) + magic32
	k := t - magic32
	r := (x - float32(k*log102Hi)) - float32(k*log102Lo)
	p := float32(r*0.533080876) + 1.17785585
	p = float32(r*p) + 2.03491855
	p = float32(r*p) + 2.65090203
	p = float32(r*p) + 2.30258346
	y, ok := fastScalef(1+float32(r*p), int32(math.Float32bits(t)-magicBits32))
	if !ok {
		y = Exp10f(x)
	}
	return y
}

// Lg2Approxf returns an approximation of the logarithm to base 2: PTX's lg2.approx.f32. In [0.5, 2]
// the absolute error is at most 2^-23, elsewhere the relative error is at most 2^-23.1 (PTX: 2^-22
// both). Of ±0 it is -∞, below 0 NaN.
func Lg2Approxf(x float32) float32 {
	f, k := logSplitf(x)
	p := float32(f*-0.231853813) + 0.251912117
	p = float32(f*p) + -0.234709948
	p = float32(f*p) + 0.284612209
	p = float32(f*p) + -0.360925406
	p = float32(f*p) + 0.481018186
	p = float32(f*p) + -0.721343994
	p = float32(f*p) + 1.44269407
	y := k + float32(f*p)
	if !(x > 0 && x < float32(math.Inf(1))) {
		y = logLimitf(x)
	}
	return y
}

// FastLog2f returns an approximation of the logarithm to base 2: CUDA's __log2f. In [0.5, 2] the
// absolute error is at most 2^-23 (CUDA: 2^-22), elsewhere the error is at most 1.5 ulp (CUDA: 2).
func FastLog2f(x float32) float32 { return Lg2Approxf(x) }

// FastLogf returns an approximation of the natural logarithm: CUDA's __logf. In [0.5, 2] the
// absolute error is at most 2^-23.3 (CUDA: 2^-21.41), elsewhere the error is at most 2.8 ulp (CUDA:
// 3).
func FastLogf(x float32) float32 { return float32(Lg2Approxf(x) * math.Ln2) }

// FastLog10f returns an approximation of the logarithm to base 10: CUDA's __log10f. In [0.5, 2] the
// absolute error is at most 2^-24.1 (CUDA: 2^-24), elsewhere the error is at most 2.8 ulp (CUDA:
// 3).
func FastLog10f(x float32) float32 { return float32(Lg2Approxf(x) * (math.Ln2 / math.Ln10)) }

// FastPowf returns an approximation of x^y: CUDA's __powf, and as there 2^(y log2(x)), with none of
// powf's special cases: for x < 0 it is NaN, and so are 0^0 and 1^∞.
func FastPowf(x, y float32) float32 { return Ex2Approxf(float32(y * Lg2Approxf(x))) }

// Fdividef returns x/y: CUDA's __fdividef. For 2^126 < |y| < 2^128 it is 0, and NaN if x is
// infinite. Otherwise it is correctly rounded (CUDA: 2 ulp, for |y| from 2^-126 on).
func Fdividef(x, y float32) float32 {
	q := x / y
	if Fabsf(y) > 0x1p126 {
		q = x * Copysignf(0, y)
	}
	return q
}

// Saturatef returns x between 0 and 1: +0 below, also for -0 and NaN, and 1 above: CUDA's __saturatef.
func Saturatef(x float32) float32 {
	y := x
	if x > 1 {
		y = 1
	}
	if !(x > 0) {
		y = 0
	}
	return y
}

// RcpApproxf returns 1/x: PTX's rcp.approx.f32. Here it is correctly rounded (PTX: 1 ulp).
func RcpApproxf(x float32) float32 { return 1 / x }

// SqrtApproxf returns the square root of x: PTX's sqrt.approx.f32. Here it is correctly rounded.
func SqrtApproxf(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// RsqrtApproxf returns an approximation of 1/sqrt(x): PTX's rsqrt.approx.f32. The relative error is
// at most 2^-23.2 (PTX: 2^-22.9), with subnormal x 2^-23.4. Of ±0 it is ±∞, below 0 NaN.
//
// Half the exponent makes a guess within 6 % of a multiple; a step of third order, its constants
// minimax, has 2^-15.9, and one of Newton's the rest.
func RsqrtApproxf(x float32) float32 {
	b := math.Float32bits(x)
	h := 0.5 * x
	y := math.Float32frombits(0x5f600000 - b>>1)
	c := float32(float32(h*y) * y)
	y = float32(y * (float32(c*(float32(c*0.469661683)+-1.24634528)) + 1.487059))
	y += float32(y * (0.5 - float32(float32(h*y)*y)))
	if b-1<<24 >= 0x7e800000 { // not between 2^-125, where h may have lost a bit, and infinity
		y = Rsqrtf(x)
	}
	return y
}

// SinApproxf is FastSinf: PTX's sin.approx.f32.
func SinApproxf(x float32) float32 { return FastSinf(x) }

// CosApproxf is FastCosf: PTX's cos.approx.f32.
func CosApproxf(x float32) float32 { return FastCosf(x) }

// TanhApproxf returns an approximation of the hyperbolic tangent: PTX's tanh.approx.f32 and CUDA's
// __tanhf. The relative error is at most 2^-11.6 (PTX: 2^-11). It is a quotient of two polynomials,
// minimax in relative error on [0, 4.4], and ±1 beyond.
func TanhApproxf(x float32) float32 {
	z := float32(x * x)
	p := float32(float32(float32(z*0.000735982337)+0.104443221)*z) + 1
	q := float32(float32(float32(z*0.0134509403)+0.437659607)*z) + 1
	y := float32(x*p) / q
	if z > 4.4*4.4 {
		y = Copysignf(1, x)
	}
	return y
}
