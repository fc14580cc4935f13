package device

import "math"

// Rounding in float32. All are exact. Results 0 have the sign of the argument.

// Ceilf returns the least whole number not below x: CUDA's ceilf.
func Ceilf(x float32) float32 { return float32(math.Ceil(float64(x))) }

// Floorf returns the greatest whole number not above x: CUDA's floorf.
func Floorf(x float32) float32 { return float32(math.Floor(float64(x))) }

// Truncf returns the whole part of x: CUDA's truncf.
func Truncf(x float32) float32 { return float32(math.Trunc(float64(x))) }

// Rintf returns the nearest whole number, from a half the even one: CUDA's rintf.
func Rintf(x float32) float32 { return float32(math.RoundToEven(float64(x))) }

// Nearbyintf is Rintf: CUDA's nearbyintf. In C they differ in an exception that a GPU does not raise.
func Nearbyintf(x float32) float32 { return Rintf(x) }

// Roundf returns the nearest whole number, from a half the one away from 0: CUDA's roundf.
func Roundf(x float32) float32 {
	t := float32(math.Trunc(float64(x)))
	if d := x - t; d >= 0.5 {
		t++
	} else if d <= -0.5 {
		t--
	}
	return t
}

// Lrintf returns Rintf(x) as an integer: CUDA's lrintf, where long has 64 bits. Beyond the range it
// is the nearest int64, and of NaN the least, as what CUDA compiles it to (cvt.rni.s64.f32) has it
// on current devices.
func Lrintf(x float32) int64 { return longf(Rintf(x)) }

// Llrintf is Lrintf: CUDA's llrintf.
func Llrintf(x float32) int64 { return longf(Rintf(x)) }

// Lroundf returns Roundf(x) as an integer, beyond the range as Lrintf: CUDA's lroundf, where long
// has 64 bits.
func Lroundf(x float32) int64 { return longf(Roundf(x)) }

// Llroundf is Lroundf: CUDA's llroundf.
func Llroundf(x float32) int64 { return longf(Roundf(x)) }

// longf converts a whole number. Go leaves conversions beyond the range to the machine.
func longf(x float32) int64 {
	if !(x >= -0x1p63) { // also NaN
		return math.MinInt64
	}
	if x >= 0x1p63 {
		return math.MaxInt64
	}
	return int64(x)
}
