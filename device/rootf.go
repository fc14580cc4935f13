package device

import "math"

// Roots and lengths in float32. The square of a float32 is exact in float64, where none overflows.

// Sqrtf returns the square root, correctly rounded: CUDA's sqrtf. Sqrtf(-0) is -0; below it is NaN.
func Sqrtf(x float32) float32 {
	return float32(math.Sqrt(float64(x)))
}

// Rsqrtf returns 1/sqrt(x): CUDA's rsqrtf. Rsqrtf(±0) is ±∞; below it is NaN. Largest error found:
// 1.5 ulp (CUDA: 2).
func Rsqrtf(x float32) float32 {
	return 1 / float32(math.Sqrt(float64(x)))
}

// cbrtWide returns the cube root of a > 0. A third of the bits is a first guess, within 3.1%; each
// step of Halley's method, of third order, triples the digits.
func cbrtWide(a float32) float64 {
	guess := int32(float32(int32(math.Float32bits(a)))*(1.0/3)) + 0x2a510780
	if a < 0x1p-126 {
		guess = int32(float32(int32(math.Float32bits(a*0x1p24)))*(1.0/3)) + 0x2a510780 - 8<<23
	}
	x, y := float64(a), float64(math.Float32frombits(uint32(guess)))
	for range 2 {
		c := float64(float64(y*y) * y)
		y = y * ((c + 2*x) / (2*c + x))
	}
	return y
}

// Cbrtf returns the cube root, negative for negative x: CUDA's cbrtf. Cbrtf(±0) is ±0. Largest
// error found: 0.51 ulp (CUDA: 1).
func Cbrtf(x float32) float32 {
	b := math.Float32bits(x)
	a := math.Float32frombits(b &^ (1 << 31))
	y := float32(cbrtWide(a))
	if a == 0 || !(a < float32(math.Inf(1))) {
		y = a
	}
	return math.Float32frombits(math.Float32bits(y) | b&(1<<31))
}

// Rcbrtf returns 1/cbrt(x): CUDA's rcbrtf. Rcbrtf(±0) is ±∞, Rcbrtf(±∞) is ±0. Largest error found:
// 0.51 ulp (CUDA: 2).
func Rcbrtf(x float32) float32 {
	b := math.Float32bits(x)
	a := math.Float32frombits(b &^ (1 << 31))
	y := float32(1 / cbrtWide(a))
	if a == 0 || !(a < float32(math.Inf(1))) {
		y = 1 / a
	}
	return math.Float32frombits(math.Float32bits(y) | b&(1<<31))
}

// Hypotf returns sqrt(x*x + y*y), without overflow or underflow on the way: CUDA's hypotf. It is
// infinite if one of them is, whatever the other, NaN included. Largest error found: 0.51 ulp
// (CUDA: 3).
func Hypotf(x, y float32) float32 {
	s := float32(math.Sqrt(float64(float64(x)*float64(x)) + float64(float64(y)*float64(y))))
	if Isinff(x) || Isinff(y) {
		s = float32(math.Inf(1))
	}
	return s
}

// Rhypotf returns 1/sqrt(x*x + y*y): CUDA's rhypotf. It is 0 if one of them is infinite. Largest
// error found: 0.51 ulp (CUDA: 2).
func Rhypotf(x, y float32) float32 {
	s := float32(1 / math.Sqrt(float64(float64(x)*float64(x))+float64(float64(y)*float64(y))))
	if Isinff(x) || Isinff(y) {
		s = 0
	}
	return s
}

// Norm3df returns sqrt(x*x + y*y + z*z): CUDA's norm3df. It is infinite if one of them is. Largest
// error found: 0.51 ulp (CUDA: 3).
func Norm3df(x, y, z float32) float32 {
	s := float32(math.Sqrt(squares(x, y) + squares(z, 0)))
	if Isinff(x) || Isinff(y) || Isinff(z) {
		s = float32(math.Inf(1))
	}
	return s
}

// Rnorm3df returns 1/sqrt(x*x + y*y + z*z): CUDA's rnorm3df. It is 0 if one of them is infinite.
// Largest error found: 0.51 ulp (CUDA: 2).
func Rnorm3df(x, y, z float32) float32 {
	s := float32(1 / math.Sqrt(squares(x, y)+squares(z, 0)))
	if Isinff(x) || Isinff(y) || Isinff(z) {
		s = 0
	}
	return s
}

// Norm4df returns sqrt(x*x + y*y + z*z + w*w): CUDA's norm4df. It is infinite if one of them is.
// Largest error found: 0.51 ulp (CUDA: 3).
func Norm4df(x, y, z, w float32) float32 {
	s := float32(math.Sqrt(squares(x, y) + squares(z, w)))
	if Isinff(x) || Isinff(y) || Isinff(z) || Isinff(w) {
		s = float32(math.Inf(1))
	}
	return s
}

// Rnorm4df returns 1/sqrt(x*x + y*y + z*z + w*w): CUDA's rnorm4df. It is 0 if one of them is
// infinite. Largest error found: 0.51 ulp (CUDA: 2).
func Rnorm4df(x, y, z, w float32) float32 {
	s := float32(1 / math.Sqrt(squares(x, y)+squares(z, w)))
	if Isinff(x) || Isinff(y) || Isinff(z) || Isinff(w) {
		s = 0
	}
	return s
}

func squares(x, y float32) float64 {
	return float64(float64(x)*float64(x)) + float64(float64(y)*float64(y))
}
