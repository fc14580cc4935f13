package serial

import "math"

// Halves sets out to the bits of in in half precision: the reference of [halves.Convert]. It goes by
// arithmetic instead of bits: in float64, which has every float and every product with a power of
// two, a number is divided by the distance of halves around it and rounded to an integer.
func Halves(out []uint16, in []float32) {
	for i, x := range in {
		out[i] = half(float64(x))
	}
}

// half returns the bits of x in half precision. There is one NaN.
func half(x float64) uint16 {
	if x != x {
		return 0x7fff
	}
	const mantissa = 10 // bits
	var sign uint16
	if math.Signbit(x) {
		sign, x = 1<<15, -x
	}
	if x >= 65520 {
		return sign | 0x1f<<mantissa
	}
	e := -14
	for e < 15 && x >= math.Ldexp(1, e+1) {
		e++
	}
	units := math.RoundToEven(math.Ldexp(x, mantissa-e)) // 0 to 2^11
	// In units the leading bit of a normal number is 2^10, and counts as one step of the exponent.
	return sign | (uint16(e+14)<<mantissa + uint16(units))
}
