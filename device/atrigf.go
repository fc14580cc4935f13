package device

import "math"

// Inverse trigonometric functions in float32. The polynomials are minimax in relative error, as
// those of trigf.go: 2^-27.6 for asin x on [0, 1/2], 2^-28.5 for atan x on [0, 1].

const (
	halfPiHi = float32(math.Pi / 2)
	halfPiLo = float32(math.Pi/2 - float64(halfPiHi))
	piHi     = float32(math.Pi)
	piLo     = float32(math.Pi - float64(piHi))
)

// asinPartf is (asin x - x)/x for z = x*x <= 1/4.
func asinPartf(z float32) float32 {
	p := float32(z*0.0421584062) + 0.0241847392
	p = float32(z*p) + 0.0454691537
	p = float32(z*p) + 0.0749530941
	p = float32(z*p) + 0.166667521
	return float32(z * p)
}

// Asinf returns the arc sine of x, in radians: CUDA's asinf. Asinf(±0) is ±0; NaN beyond ±1.
// Largest error found: 1.66 ulp (CUDA: 4).
func Asinf(x float32) float32 {
	b := math.Float32bits(x)
	a := math.Float32frombits(b &^ (1 << 31))
	// Beyond 1/2: asin x = pi/2 - 2 asin sqrt((1-x)/2), where (1-x)/2 is exact.
	z, s := float32(a*a), a
	if a > 0.5 {
		z = 0.5 * (1 - a)
		s = float32(math.Sqrt(float64(z)))
	}
	d := float32(s * asinPartf(z))
	y := s + d
	if a > 0.5 {
		y = halfPiHi - (2*s - (halfPiLo - 2*d))
	}
	return math.Float32frombits(math.Float32bits(y) | b&(1<<31))
}

// Acosf returns the arc cosine of x, in [0, pi] radians: CUDA's acosf. Acosf(1) is +0; NaN beyond
// ±1. Largest error found: 1.14 ulp (CUDA: 3).
func Acosf(x float32) float32 {
	a := math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
	z, s := float32(a*a), a
	if a > 0.5 {
		z = 0.5 * (1 - a)
		s = float32(math.Sqrt(float64(z)))
	}
	d := float32(s * asinPartf(z))
	switch {
	case x > 0.5:
		return 2 * (s + d)
	case x < -0.5:
		return piHi - (2*s - (piLo - 2*d))
	case x < 0:
		return halfPiHi + (a + (halfPiLo + d))
	}
	return halfPiHi - (a - (halfPiLo - d))
}

// atanPartf is atan t for 0 <= t <= 1.
func atanPartf(t float32) float32 {
	z := float32(t * t)
	p := float32(z*-0.00178841385) + 0.0108904606
	p = float32(z*p) + -0.0311312061
	p = float32(z*p) + 0.0579090528
	p = float32(z*p) + -0.0840051398
	p = float32(z*p) + 0.109511495
	p = float32(z*p) + -0.142640397
	p = float32(z*p) + 0.199985296
	p = float32(z*p) + -0.333332986
	return t + float32(float32(z*t)*p)
}

// Atanf returns the arc tangent of x, in [-pi/2, pi/2] radians: CUDA's atanf. Atanf(±0) is ±0.
// Largest error found: 1.42 ulp (CUDA: 2).
func Atanf(x float32) float32 {
	b := math.Float32bits(x)
	a := math.Float32frombits(b &^ (1 << 31))
	t := a
	if a > 1 {
		t = 1 / a
	}
	y := atanPartf(t)
	if a > 1 {
		y = halfPiHi - (y - halfPiLo)
	}
	return math.Float32frombits(math.Float32bits(y) | b&(1<<31))
}

// Atan2f returns the angle of the point (x, y), in [-pi, pi] radians, arctan of y/x in the right
// quadrant: CUDA's atan2f. It has the sign of y, that of a zero too: Atan2f(±0, x) is ±0 for x > 0
// and x = +0, ±pi for x < 0 and x = -0. Infinities stand for each other's equals: Atan2f(∞, -∞) is
// 3pi/4. Largest error found: 1.4 ulp (CUDA: 3).
func Atan2f(y, x float32) float32 {
	by, bx := math.Float32bits(y), math.Float32bits(x)
	ay, ax := math.Float32frombits(by&^(1<<31)), math.Float32frombits(bx&^(1<<31))
	num, den := ay, ax
	if ay > ax {
		num, den = ax, ay
	}
	r := atanPartf(num / den)
	if num == den { // also both 0, both infinite
		r = math.Pi / 4
		if num == 0 {
			r = 0
		}
	}
	left := bx>>31 != 0
	if ay > ax {
		if left {
			r = -r
		}
		r = halfPiHi - (r - halfPiLo)
	} else if left {
		r = piHi - (r - piLo)
	}
	return math.Float32frombits(math.Float32bits(r) | by&(1<<31))
}
