package device

import "math"

// Sine and cosine of pi x in float32. The reduction to r in [-1/4, 1/4] and the quadrant, x = r +
// q/2, is exact for all x. r pi is a sum of parts, of which the first is exact. The polynomials,
// made as those of trigf.go, have relative error 2^-27.9 for the sine and 2^-31 for the cosine.

// reducepif returns r and the quadrant q, modulo 4, for a >= 0.
func reducepif(a float32) (r float32, q uint32) {
	a -= 2 * float32(math.Floor(float64(a*0.5))) // modulo 2, NaN for infinity
	t := 2*a + magic32
	return a - 0.5*(t-magic32), math.Float32bits(t)
}

func sinpiPartf(r float32) float32 {
	const hi, lo = 0x1.922p1, -8.908910206761537e-06 // pi, the first of 12 bits
	z := float32(r * r)
	p := float32(z*-0.589277744) + 2.54979467
	p = float32(z*p) + -5.16770887
	h := head12(r)
	return float32(h*hi) + ((float32((r-h)*hi) + float32(r*lo)) + float32(float32(z*r)*p))
}

func cospiPartf(r float32) float32 {
	z := float32(r * r)
	p := float32(z*0.228988573) + -1.33475816
	p = float32(z*p) + 4.05869675
	p = float32(z*p) + -4.93480206
	return 1 + float32(z*p)
}

// Sinpif returns the sine of pi*x: CUDA's sinpif. Of a whole number it is 0 with the sign of x, of
// an infinity NaN. Largest error found: 1.13 ulp (CUDA: 2).
func Sinpif(x float32) float32 {
	sin, _ := Sincospif(x)
	return sin
}

// Cospif returns the cosine of pi*x: CUDA's cospif. Of a whole number and a half it is +0, of an
// infinity NaN. Largest error found: 1.11 ulp (CUDA: 2).
func Cospif(x float32) float32 {
	_, cos := Sincospif(x)
	return cos
}

// Sincospif returns Sinpif(x) and Cospif(x): CUDA's sincospif.
func Sincospif(x float32) (sin, cos float32) {
	b := math.Float32bits(x)
	r, q := reducepif(math.Float32frombits(b &^ (1 << 31)))
	s, c := sinpiPartf(r), cospiPartf(r)
	sin, cos = s, c
	if q&1 != 0 {
		sin, cos = c, s
	}
	turn := (q & 2) << 30
	if sin == 0 { // whatever the quadrant
		sin, turn = 0, 0
	}
	sin = math.Float32frombits(math.Float32bits(sin) ^ turn ^ b&(1<<31))
	cos = math.Float32frombits(math.Float32bits(cos) ^ ((q+1)&2)<<30)
	return sin, cos + 0 // -0 + 0 is +0
}
