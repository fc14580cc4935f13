package device

import "math"

// Bessel functions in float32. J and Y are the float64 functions of package math, rounded: few
// programs use them, so they have no code of their own. The modified functions I are computed here
// in float64, since package math lacks them.

// J0f returns the Bessel function of the first kind of order 0: CUDA's j0f. J0f(±∞) is 0. Largest
// error found: 0.51 ulp for |x| < 8, (CUDA: 9), beyond at most 1.5e-8 (CUDA: 2.2e-6).
func J0f(x float32) float32 { return float32(math.J0(float64(x))) }

// J1f returns the Bessel function of the first kind of order 1: CUDA's j1f. J1f(±0) is ±0, J1f(±∞)
// is ±0. Largest error found: 0.51 ulp for |x| < 8 (CUDA: 9), beyond at most 1.5e-8 (CUDA: 2.2e-6).
func J1f(x float32) float32 {
	if x == 0 || Isinff(x) {
		return Copysignf(0, x)
	}
	return float32(math.J1(float64(x)))
}

// Y0f returns the Bessel function of the second kind of order 0: CUDA's y0f. Y0f(±0) is -∞, Y0f(∞)
// is 0; below 0 it is NaN. Largest error found: 0.51 ulp for |x| < 8 (CUDA: 9), beyond at most
// 1.5e-8 (CUDA: 2.2e-6).
func Y0f(x float32) float32 { return float32(math.Y0(float64(x))) }

// Y1f returns the Bessel function of the second kind of order 1: CUDA's y1f. Y1f(±0) is -∞, Y1f(∞)
// is 0; below 0 it is NaN. Largest error found: 0.51 ulp for |x| < 8 (CUDA: 9), beyond at most
// 1.5e-8 (CUDA: 2.2e-6).
func Y1f(x float32) float32 { return float32(math.Y1(float64(x))) }

// Jnf returns the Bessel function of the first kind of order n: CUDA's jnf. It is NaN for n < 0,
// and 0 with the sign of J_n at ±0 for n > 0 and at ±∞. The time it takes grows with n. Error at
// most 2.2e-6 for n = 128, as in CUDA.
func Jnf(n int32, x float32) float32 {
	switch {
	case n < 0 || x != x:
		return float32(math.NaN())
	case n == 0:
		return J0f(x)
	case n == 1:
		return J1f(x)
	case Isinff(x) || vanishes(n, math.Abs(float64(x))):
		if n&1 != 0 {
			return Copysignf(0, x)
		}
		return 0
	}
	return float32(math.Jn(int(n), float64(x)))
}

// Ynf returns the Bessel function of the second kind of order n: CUDA's ynf. It is NaN for n < 0 or
// x < 0; Ynf(n, ±0) is -∞. The time it takes grows with n. Error at most 2 + 2.5n ulp for small x,
// else at most 2.2e-6 for n = 128, as in CUDA.
func Ynf(n int32, x float32) float32 {
	if n < 0 {
		return float32(math.NaN())
	}
	if x == 0 {
		return float32(math.Inf(-1))
	}
	return float32(math.Yn(int(n), float64(x)))
}

// vanishes reports whether |J_n(x)| <= (x/2)^n/n! is below every float32, as it is for an order far
// above x. Then the recurrence, as long as n, can be spared.
func vanishes(n int32, x float64) bool {
	if x > float64(n) {
		return false
	}
	k := float64(n)
	// n! > (n/e)^n
	return k*(math.Log(0.5*x/k)+1) < -110
}

// CylBesselI0f returns the modified Bessel function of the first kind of order 0: CUDA's
// cyl_bessel_i0f. It is infinite from 91.9 on, for either sign. Largest error found: 0.51 ulp
// (CUDA: 6).
func CylBesselI0f(x float32) float32 { return float32(besselIWide(math.Abs(float64(x)), 0)) }

// CylBesselI1f returns the modified Bessel function of the first kind of order 1: CUDA's
// cyl_bessel_i1f. CylBesselI1f(±0) is ±0. Largest error found: 0.51 ulp (CUDA: 6).
func CylBesselI1f(x float32) float32 {
	return Copysignf(float32(besselIWide(math.Abs(float64(x)), 1)), x)
}

// besselIWide returns I_n(a) for a >= 0, to some 2^-40: below 20 by the power series, whose terms
// are all positive, above by the asymptotic one (Abramowitz and Stegun, 9.6.10 and 9.7.1). From 100
// on it is as for 100, more than any float32.
func besselIWide(a, n float64) float64 {
	if a > 100 {
		a = 100
	}
	term := 1.0
	if a < 20 {
		if n == 1 {
			term = 0.5 * a
		}
		sum, q := term, float64(0.25*a*a)
		for k := 1.0; k <= 50; k++ {
			term *= q / (k * (k + n))
			sum += float64(term)
		}
		return sum
	}
	sum := 1.0
	for k := 1.0; k <= 20; k++ {
		term *= ((2*k-1)*(2*k-1) - 4*n) / (8 * k * a) // small whole numbers, and 4n is 4n*n
		sum += float64(term)
	}
	return exp2Wide(float64(a*math.Log2E)) / math.Sqrt(2*math.Pi*a) * sum
}
