package device

import "math"

// Sine, cosine and tangent in float32. The argument is reduced to r in [-pi/4, pi/4] and the
// quadrant: x = r + q pi/2. Up to 6400 that is done in float32: pi/2 is a sum of four constants,
// and the products of the first three by q, which has 12 bits, are exact (Cody and Waite, Software
// Manual for the Elementary Functions, 1980). Beyond, hugeTurnsf multiplies by as many bits of 2/pi
// as it takes.
//
// The polynomials are minimax in relative error, found by Remez's algorithm in 160 bits and rounded
// to float32 one coefficient after the other, each time fitting those left again. For sin r/r that
// left 2^-27.9, for cos r 2^-33.
//
// The largest errors in the comments of this package's float32 functions are those found;
// docs/device.md says among how many inputs. The bounds are those of Table 8.13 in The CUDA
// Handbook, or of the CUDA C++ Programming Guide.

const (
	// Adding this float32 rounds to a whole number, which is then in the low bits: 3 * 2^22.
	magic32     = 0x1.8p23
	magicBits32 = 0x4b400000

	halfPiA = 0x1.922p0   // 12 bits
	halfPiB = -0x1.2cp-18 // up to 2^-24, so that x - q(A+B) has no bit below that, and is exact
	halfPiC = 0x1.11p-26
	halfPiD = 0x1.68c234p-39
)

// reducef returns r and the quadrant q, modulo 4 in its low bits, for a >= 0.
func reducef(a float32) (r float32, q uint32) {
	t := float32(a*(2/math.Pi)) + magic32
	q = math.Float32bits(t)
	n := t - magic32
	u := (a - float32(n*halfPiA)) - float32(n*halfPiB)
	w := float32(n * halfPiC)
	r = u - w
	lost := (u - r) - w // exact
	r += lost - float32(n*halfPiD)
	if !(a < 6400) {
		r, q = TrigReductionf(a), TrigQuadrantf(a)
	}
	return r, q
}

// TrigReductionf returns a less the multiple of pi/2 next to it, for a >= 0 of any size, within
// 2^-30 of itself; NaN for infinities. It is what the trigonometric functions do with large angles,
// some tens of nanoseconds, and exported because compiled kernels of other packages call it. CUDA
// has it inside as __internal_trig_reduction_slowpathf.
//
//go:noinline
func TrigReductionf(a float32) float32 {
	s, _ := hugeTurnsf(a)
	// The nearest that a float32 comes to a multiple of pi/2 is some 2^-30 of it, and s has 60 bits
	// below the point.
	return float32(s * (math.Pi / 2))
}

// TrigQuadrantf returns which multiple of pi/2 [TrigReductionf] takes away, modulo 4. CUDA has it
// inside.
//
//go:noinline
func TrigQuadrantf(a float32) uint32 {
	_, n := hugeTurnsf(a)
	return uint32(int32(n))
}

// hugeTurnsf returns a 2/pi as a fraction s in [-1/2, 1/2] and a whole n, modulo 4: M. H. Payne and
// R. N. Hanek, Radian reduction for trigonometric functions, SIGNUM Newsletter 18 (1983), in
// float64 arithmetic. 2/pi is cut into pieces of 28 bits, whose products by a float32 are exact.
// What they have in multiples of 4 does not matter.
func hugeTurnsf(a float32) (s, n float64) {
	x := float64(a)
	s, n = hugeStepf(x*0x1.45f306cp-1, s, n)
	s, n = hugeStepf(x*0x1.c9c882ap-29, s, n)
	s, n = hugeStepf(x*0x1.4fe13a8p-59, s, n)
	s, n = hugeStepf(x*0x1.f47d4dp-86, s, n)
	s, n = hugeStepf(x*0x1.bb81b6cp-113, s, n)
	s, n = hugeStepf(x*0x1.4acc9ep-143, s, n)
	return hugeStepf(x*0x1.0e4107cp-170, s, n)
}

// hugeStepf adds p to the fraction s in [-1/2, 1/2] and the quadrant n.
func hugeStepf(p, s, n float64) (float64, float64) {
	s += p - 4*math.RoundToEven(p*0.25) // the product by a power of 2 and the difference are exact
	whole := math.RoundToEven(s)
	return s - whole, n + whole
}

// sinPartf is sin r for |r| <= pi/4.
func sinPartf(r float32) float32 {
	z := float32(r * r)
	p := float32(z*-0.000195182845) + 0.00833218917
	p = float32(z*p) + -0.166666552
	return r + float32(float32(z*r)*p)
}

// cosPartf is cos r for |r| <= pi/4.
func cosPartf(r float32) float32 {
	z := float32(r * r)
	p := float32(z*2.44323619e-5) + -0.00138873095
	p = float32(z*p) + 0.0416666456
	h := float32(0.5 * z)
	w := 1 - h
	return w + (((1 - w) - h) + float32(float32(z*z)*p))
}

// Sinf returns the sine of x radians: CUDA's sinf, in [-1, 1]. Sinf(±0) is ±0, of an infinity NaN.
// Largest error found: 1.56 ulp (CUDA: 2).
func Sinf(x float32) float32 {
	b := math.Float32bits(x)
	r, q := reducef(math.Float32frombits(b &^ (1 << 31)))
	y := sinPartf(r)
	if c := cosPartf(r); q&1 != 0 {
		y = c
	}
	return math.Float32frombits(math.Float32bits(y) ^ (q&2)<<30 ^ b&(1<<31))
}

// Cosf returns the cosine of x radians: CUDA's cosf. Cosf of an infinity is NaN. Largest error
// found: 1.55 ulp (CUDA: 2).
func Cosf(x float32) float32 {
	r, q := reducef(math.Float32frombits(math.Float32bits(x) &^ (1 << 31)))
	y := cosPartf(r)
	if s := sinPartf(r); q&1 != 0 {
		y = s
	}
	return math.Float32frombits(math.Float32bits(y) ^ ((q+1)&2)<<30)
}

// Sincosf returns Sinf(x) and Cosf(x), for little more than one of them: CUDA's sincosf.
func Sincosf(x float32) (sin, cos float32) {
	b := math.Float32bits(x)
	r, q := reducef(math.Float32frombits(b &^ (1 << 31)))
	s, c := sinPartf(r), cosPartf(r)
	sin, cos = s, c
	if q&1 != 0 {
		sin, cos = c, s
	}
	sin = math.Float32frombits(math.Float32bits(sin) ^ (q&2)<<30 ^ b&(1<<31))
	cos = math.Float32frombits(math.Float32bits(cos) ^ ((q+1)&2)<<30)
	return sin, cos
}

// Tanf returns the tangent of x radians: CUDA's tanf. Tanf(±0) is ±0, of an infinity NaN. Largest
// error found: 3.19 ulp (CUDA: 4).
func Tanf(x float32) float32 {
	b := math.Float32bits(x)
	r, q := reducef(math.Float32frombits(b &^ (1 << 31)))
	s, c := sinPartf(r), cosPartf(r)
	num, den := s, c
	if q&1 != 0 {
		num, den = c, -s
	}
	return math.Float32frombits(math.Float32bits(num/den) ^ b&(1<<31))
}
