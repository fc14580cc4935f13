package device

import "math"

// Hyperbolic functions and their inverses in float32. All but tanh go through the functions of
// widef.go: with e^x - 1 in place of e^x nothing cancels, and so there is one formula for all x.
// For the polynomial of tanh see trigf.go; its relative error is 2^-29.4.

// Sinhf returns the hyperbolic sine: CUDA's sinhf. Sinhf(±0) is ±0. Largest error found: 0.51 ulp
// (CUDA: 3).
func Sinhf(x float32) float32 {
	b := math.Float32bits(x)
	q := expm1Wide(clampWide(float64(math.Float32frombits(b&^(1<<31))), 100))
	y := float32(0.5 * (q + q/(q+1)))
	return math.Float32frombits(math.Float32bits(y) | b&(1<<31))
}

// Coshf returns the hyperbolic cosine: CUDA's coshf. Largest error found: 0.51 ulp (CUDA: 2).
func Coshf(x float32) float32 {
	e := exp2Wide(float64(clampWide(float64(x), 100) * math.Log2E))
	return float32(0.5 * (e + 1/e))
}

// Tanhf returns the hyperbolic tangent: CUDA's tanhf. Tanhf(±0) is ±0. Largest error found: 1.42
// ulp (CUDA: 2).
func Tanhf(x float32) float32 {
	b := math.Float32bits(x)
	a := math.Float32frombits(b &^ (1 << 31))
	z := float32(a * a)
	p := float32(z*-0.00616961345) + 0.021000376
	p = float32(z*p) + -0.0538357571
	p = float32(z*p) + 0.13332437
	p = float32(z*p) + -0.333333135
	y := a + float32(float32(z*a)*p)
	if !(a < 0.55) {
		if a > 10 {
			a = 10
		}
		e, n := expPartf(2 * a)
		e *= math.Float32frombits(uint32(n+127) << 23)
		y = 1 - 2/(e+1)
	}
	return math.Float32frombits(math.Float32bits(y) | b&(1<<31))
}

// Asinhf returns the inverse hyperbolic sine: CUDA's asinhf. Asinhf(±0) is ±0. Largest error found:
// 0.51 ulp (CUDA: 3).
func Asinhf(x float32) float32 {
	b := math.Float32bits(x)
	a := float64(math.Float32frombits(b &^ (1 << 31)))
	y := a - float64(float64(float64(a*a)*a)*(1.0/6))
	if !(a < 0x1p-10) {
		y = logWide(a + math.Sqrt(float64(a*a)+1))
	}
	if !(a < math.Inf(1)) {
		y = a
	}
	return math.Float32frombits(math.Float32bits(float32(y)) | b&(1<<31))
}

// Acoshf returns the inverse hyperbolic cosine, 0 or more: CUDA's acoshf. Below 1 it is NaN.
// Largest error found: 0.51 ulp (CUDA: 4).
func Acoshf(x float32) float32 {
	a := float64(x)
	y := logWide(a + math.Sqrt(float64(a*a)-1))
	if !(a < math.Inf(1)) {
		y = a
	}
	if a < 1 {
		y = math.NaN()
	}
	return float32(y)
}

// Atanhf returns the inverse hyperbolic tangent: CUDA's atanhf. Atanhf(±0) is ±0, Atanhf(±1)
// infinite; beyond it is NaN. Largest error found: 0.51 ulp (CUDA: 3).
func Atanhf(x float32) float32 {
	b := math.Float32bits(x)
	a := float64(math.Float32frombits(b &^ (1 << 31)))
	y := a + float64(float64(float64(a*a)*a)*(1.0/3))
	if !(a < 0x1p-10) {
		y = 0.5 * logWide((1+a)/(1-a))
	}
	if a == 1 {
		y = math.Inf(1)
	}
	if !(a <= 1) {
		y = math.NaN()
	}
	return math.Float32frombits(math.Float32bits(float32(y)) | b&(1<<31))
}
