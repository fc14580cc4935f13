package device

import "math"

// Minimum, maximum, positive difference, and multiply-add.

// Fmax returns the greater number: CUDA's fmax. A NaN counts as missing: the other argument is the
// result. +0 is greater than -0, as PTX has it.
func Fmax(x, y float64) float64 {
	if x != x {
		return y
	}
	if y != y {
		return x
	}
	return max(x, y)
}

// Fmin returns the lesser number: CUDA's fmin. A NaN counts as missing: the other argument is the
// result. -0 is less than +0, as PTX has it.
func Fmin(x, y float64) float64 {
	if x != x {
		return y
	}
	if y != y {
		return x
	}
	return min(x, y)
}

// Fdim returns x-y if that is positive and else +0: CUDA's fdim. It is NaN if either is.
func Fdim(x, y float64) float64 {
	if x <= y {
		return 0
	}
	return x - y
}

// Fma returns x*y + z, rounded once: CUDA's fma.
func Fma(x, y, z float64) float64 { return math.FMA(x, y, z) }
