package device

import "math"

// The gamma function and its logarithm in float32. They are the float64 functions of package math,
// rounded: few programs use them, so they have no code of their own.

// Tgammaf returns the gamma function: CUDA's tgammaf. Tgammaf(±0) is ±∞; it is NaN at negative
// whole numbers, where the poles are, and at -∞. Largest error found: 0.51 ulp (CUDA: 5; the table
// in The CUDA Handbook has 11).
func Tgammaf(x float32) float32 {
	return float32(math.Gamma(float64(x)))
}

// Lgammaf returns log|gamma(x)|: CUDA's lgammaf. It is ∞ at 0, negative whole numbers and ±∞.
// Largest error found: 0.51 ulp (CUDA: 6 outside -10.001 to -2.264).
func Lgammaf(x float32) float32 {
	if Isinff(x) {
		return float32(math.Inf(1))
	}
	y, _ := math.Lgamma(float64(x))
	return float32(y)
}
