package device

import "math"

// The power function in float32, by logarithm and exponential in float64.

// Powf returns x^y: CUDA's powf. Largest error found: 0.51 ulp where the result is neither 0 nor
// infinite (CUDA: 8). The special cases are those of C99, Annex F.9.4.4:
//
//	Powf(x, ±0) = 1, also for NaN
//	Powf(1, y) = 1, also for NaN
//	Powf(-1, ±∞) = 1
//	Powf(±0, y) = ±∞ for odd whole y < 0; ∞ for other y < 0
//	Powf(±0, y) = ±0 for odd whole y > 0; 0 for other y > 0
//	Powf(x, -∞) = ∞ for |x| < 1, 0 for |x| > 1
//	Powf(x, ∞) = 0 for |x| < 1, ∞ for |x| > 1
//	Powf(-∞, y) = -0 for odd whole y < 0; 0 for other y < 0
//	Powf(-∞, y) = -∞ for odd whole y > 0; ∞ for other y > 0
//	Powf(∞, y) = 0 for y < 0, ∞ for y > 0
//	Powf(x, y) = NaN for finite x < 0 and finite y that is not whole
func Powf(x, y float32) float32 {
	bx := math.Float32bits(x)
	a := math.Float32frombits(bx &^ (1 << 31))
	l := logWide(float64(a)) * math.Log2E
	if a == 0 {
		l = math.Inf(-1)
	}
	if !(a < float32(math.Inf(1))) { // or NaN
		l = float64(a)
	}
	r := float32(exp2Wide(clampWide(float64(l*float64(y)), 300)))
	if a == 1 || y == 0 {
		r = 1
		if y != y {
			r = y
		}
	}
	if bx>>31 != 0 && y != 0 && x == x {
		// y/2 is exact but for the least numbers.
		half := 0.5 * float64(y)
		odd := math.Floor(half) != half && math.Floor(float64(y)) == float64(y)
		if odd {
			r = -r
		}
		if math.Floor(float64(y)) != float64(y) && a != 0 && a < float32(math.Inf(1)) {
			r = float32(math.NaN())
		}
	}
	if x == 1 {
		r = 1
	}
	return r
}
