package device

import "math"

// Exponentials in float32. The argument is reduced to n log(2) + r, in two float32 constants of
// which the first has so few bits that its product by n is exact. 2^n is added to the exponent, or,
// where the result may not be a normal number, put in by two multiplications, of which only the
// last rounds. The polynomials are minimax in relative error, as those of trigf.go: 2^-28.1 for
// e^r, 2^-26.2 for 2^r, 2^-25.8 for 10^r.

const (
	ln2Hi    = 0x1.62e4p-1 // 15 bits
	ln2Lo    = 1.42860682e-6
	log102Hi = 0x1.344p-2
	log102Lo = 4.605038981e-6
)

// scalef returns p * 2^n for 0.5 <= p < 2 and -200 < n < 200.
func scalef(p float32, n int32) float32 {
	y := math.Float32frombits(math.Float32bits(p) + uint32(n)<<23)
	if uint32(n+125) > 250 { // not, or not surely, a normal number; also NaN, whose n is anything
		h := n >> 1
		y = float32(p * math.Float32frombits(uint32(h+127)<<23) * math.Float32frombits(uint32(n-h+127)<<23))
	}
	return y
}

// expPartf returns p and n with e^x = p 2^n, for |x| < 127.
func expPartf(x float32) (p float32, n int32) {
	t := float32(x*math.Log2E) + magic32
	n = int32(math.Float32bits(t) - magicBits32)
	k := t - magic32
	r := (x - float32(k*ln2Hi)) - float32(k*ln2Lo)
	p = float32(r*0.00138222601) + 0.00836909469
	p = float32(r*p) + 0.0416682512
	p = float32(r*p) + 0.166665167
	p = float32(r*p) + 0.49999994
	return 1 + (r + float32(float32(r*r)*p)), n
}

// exp2Partf returns p and n with 2^x = p 2^n, for |x| < 2^22.
func exp2Partf(x float32) (p float32, n int32) {
	t := x + magic32
	n = int32(math.Float32bits(t) - magicBits32)
	r := x - (t - magic32)
	p = float32(r*0.000133378329) + 0.0013387925
	p = float32(r*p) + 0.00962543581
	p = float32(r*p) + 0.0555036627
	p = float32(r*p) + 0.240225941
	p = float32(r*p) + 0.693147182
	return 1 + float32(r*p), n
}

// Expf returns e^x: CUDA's expf. It is infinite from 88.73 on, subnormal from -87.34 on downwards,
// and 0 below -103.98. Largest error found: 0.98 ulp (CUDA: 2).
func Expf(x float32) float32 {
	if x > 89 {
		x = 89
	}
	if x < -104 {
		x = -104
	}
	p, n := expPartf(x)
	return scalef(p, n)
}

// Exp2f returns 2^x: CUDA's exp2f. It is exact for whole x. Largest error found: 1.17 ulp (CUDA: 2).
func Exp2f(x float32) float32 {
	if x > 129 {
		x = 129
	}
	if x < -151 {
		x = -151
	}
	p, n := exp2Partf(x)
	return scalef(p, n)
}

// Exp10f returns 10^x: CUDA's exp10f. Largest error found: 1.33 ulp (CUDA: 2).
func Exp10f(x float32) float32 {
	if x > 39 {
		x = 39
	}
	if x < -46 {
		x = -46
	}
	const log210 = math.Ln10 / math.Ln2
	t := float32(x*log210) + magic32
	n := int32(math.Float32bits(t) - magicBits32)
	k := t - magic32
	r := (x - float32(k*log102Hi)) - float32(k*log102Lo)
	p := float32(r*0.196645156) + 0.541593969
	p = float32(r*p) + 1.17157185
	p = float32(r*p) + 2.03466034
	p = float32(r*p) + 2.65094662
	p = float32(r*p) + 2.30258512
	return scalef(1+float32(r*p), n)
}

// Expm1f returns e^x - 1, exact also where e^x is near 1: CUDA's expm1f. Expm1f(±0) is ±0. Largest
// error found: 0.51 ulp (CUDA: 1).
func Expm1f(x float32) float32 {
	if x == 0 {
		return x
	}
	return float32(expm1Wide(clampWide(float64(x), 100)))
}
