package device

import "math"

// Rounding to integers.

// Ceil returns the least integer of at least x: CUDA's ceil.
func Ceil(x float64) float64 { return math.Ceil(x) }

// Floor returns the greatest integer of at most x: CUDA's floor.
func Floor(x float64) float64 { return math.Floor(x) }

// Trunc returns x without its fraction: CUDA's trunc.
func Trunc(x float64) float64 { return math.Trunc(x) }

// Rint returns the nearest integer, the even one of two: CUDA's rint.
func Rint(x float64) float64 { return math.RoundToEven(x) }

// Nearbyint is Rint: CUDA's nearbyint. They differ only where there are floating-point exceptions.
func Nearbyint(x float64) float64 { return math.RoundToEven(x) }

// Round returns the nearest integer, of two the one farther from 0: CUDA's round. Rint is cheaper.
func Round(x float64) float64 {
	t := math.Trunc(x)
	if math.Abs(x-t) >= 0.5 {
		t += math.Copysign(1, x)
	}
	return math.Copysign(t, x)
}

// clampInt64 converts an integer as CUDA's conversions do: out of range gives the nearest int64,
// NaN the least.
func clampInt64(x float64) int64 {
	if x >= 0x1p63 {
		return math.MaxInt64
	}
	if !(x >= -0x1p63) {
		return math.MinInt64
	}
	return int64(x)
}

// Lrint is Llrint: CUDA's lrint where long has 64 bits, as on Linux.
func Lrint(x float64) int64 { return clampInt64(math.RoundToEven(x)) }

// Llrint returns Rint(x) as an integer: CUDA's llrint. A result out of range is the nearest int64,
// that of NaN the least one, as in the conversions.
func Llrint(x float64) int64 { return clampInt64(math.RoundToEven(x)) }

// Lround is Llround: CUDA's lround where long has 64 bits.
func Lround(x float64) int64 { return clampInt64(Round(x)) }

// Llround returns Round(x) as an integer: CUDA's llround, out of range as Llrint.
func Llround(x float64) int64 { return clampInt64(Round(x)) }
