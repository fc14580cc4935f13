//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"math/bits"
	"simd/archsimd"
)

// Scaling by powers of two, and what the mathematical functions do lane by
// lane. The functions themselves are generated, see internal/gen.

// never is false, which Go does not know. A test of it begins another block of instructions. Go 1.26 makes the load of a
// constant an operand of the instruction that uses it only if few values of the same block lead there (canMergeLoad in
// cmd/compile: 100 steps back); other loads go to the begin of the block, and what does not fit the registers is stored
// and loaded again. In two blocks ErfcF32x16 has 66 instructions; in one it has 93 and takes 1.8 times as long.
var never bool

// scaleF32x16 returns x * 2^n.
func scaleF32x16(x, n F32x16) F32x16 { return x.Scale(n) }

// scaleF64x8 returns x * 2^n.
func scaleF64x8(x, n F64x8) F64x8 { return x.Scale(n) }

// scaleF32x8 returns x * 2^n for whole n between -250 and 250. It multiplies
// twice, because 2^n may not be a normal number; only the second product rounds.
func scaleF32x8(x, n F32x8) F32x8 {
	bias := archsimd.BroadcastInt32x8(127)
	i := n.ConvertToInt32()
	h := i.ShiftAllRight(1)
	x = x.Mul(h.Add(bias).ShiftAllLeft(23).AsFloat32x8())
	return x.Mul(i.Sub(h).Add(bias).ShiftAllLeft(23).AsFloat32x8())
}

// scaleF32x4 is scaleF32x8 with four lanes.
func scaleF32x4(x, n F32x4) F32x4 {
	bias := archsimd.BroadcastInt32x4(127)
	i := n.ConvertToInt32()
	h := i.ShiftAllRight(1)
	x = x.Mul(h.Add(bias).ShiftAllLeft(23).AsFloat32x4())
	return x.Mul(i.Sub(h).Add(bias).ShiftAllLeft(23).AsFloat32x4())
}

// scaleF64x4 returns x * 2^n for whole n between -2000 and 2000, in two steps as
// scaleF32x8. Whole numbers appear in the low bits of their sum with 3 * 2^51.
func scaleF64x4(x, n F64x4) F64x4 {
	bias := archsimd.BroadcastFloat64x4(0x3p51 + 1023)
	h := RoundToEvenF64x4(n.Mul(constantF64x4(&half64)))
	x = x.Mul(h.Add(bias).AsUint64x4().ShiftAllLeft(52).AsFloat64x4())
	return x.Mul(n.Sub(h).Add(bias).AsUint64x4().ShiftAllLeft(52).AsFloat64x4())
}

// reduceHuge returns r + rLo = x - n pi/2 in [-pi/4, pi/4] and n modulo 4, for
// x >= 2^30: M. H. Payne and R. N. Hanek, "Radian reduction for trigonometric
// functions", SIGNUM Newsletter 18 (1983). With x = m 2^e, the bits of 2/pi
// that m 2^e multiplies to multiples of 4 don't matter; 256 bits after them
// leave enough when almost all of the fraction cancels.
func reduceHuge(x float64) (r, rLo float64, n uint64) {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return math.NaN(), 0, 0
	}
	u := math.Float64bits(x)
	m := u&(1<<52-1) | 1<<52
	skip := uint(u>>52) - 1075 - 2 + 64 // the table begins 64 bits before the point
	word, shift := skip/64, skip%64
	// f is m times these bits, modulo 1<<256.
	var f [4]uint64
	var carry uint64
	for i := 3; i >= 0; i-- {
		p := twoOverPi[word+uint(i)]<<shift | twoOverPi[word+uint(i)+1]>>(64-shift)
		hi, lo := bits.Mul64(m, p)
		var c uint64
		f[i], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
	// The first two bits are n, what follows is the fraction. From 1/2 on it is
	// counted down from the next n.
	n = f[0] >> 62
	for i := range f {
		f[i] <<= 2
		if i < 3 {
			f[i] |= f[i+1] >> 62
		}
	}
	sign := 1.0
	if f[0]>>63 == 1 {
		sign, n = -1, (n+1)&3
		var borrow uint64
		for i := 3; i >= 0; i-- {
			f[i], borrow = bits.Sub64(0, f[i], borrow)
		}
	}
	// Two numbers of 53 bits from the first one bit on, times pi/2.
	exp := -256
	for f[0] == 0 {
		f[0], f[1], f[2], f[3] = f[1], f[2], f[3], 0
		exp -= 64
	}
	lead := uint(bits.LeadingZeros64(f[0]))
	a := f[0]<<lead | f[1]>>(64-lead)
	b := f[1]<<lead | f[2]>>(64-lead)
	exp += 192 - int(lead)
	hi := math.Ldexp(float64(a>>11), exp+11)
	lo := math.Ldexp(float64(a<<53>>11|b>>22), exp-42)
	hi, lo = sign*hi, sign*lo
	const piA, piB = 0x1.921fb54442d18p+00, 0x1.1a62633145c07p-54
	r = hi * piA
	rLo = math.FMA(hi, piA, -r) + (hi*piB + lo*piA)
	return r, rLo, n
}

// sinCosHuge returns the sine and the cosine of x for |x| >= 2^30 and infinity.
func sinCosHuge(x float32) (sin, cos float32) {
	r, _, n := reduceHuge(math.Abs(float64(x)))
	s, c := math.Sincos(r)
	s, c = [4]float64{s, c, -s, -c}[n], [4]float64{c, -s, -c, s}[n]
	return float32(math.Copysign(1, float64(x)) * s), float32(c)
}

// powSpecial returns x^y, given r = |x|^y if x and y are finite and not zero.
func powSpecial(x, y, r float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) || math.IsNaN(y) || math.IsInf(y, 0) {
		return math.Pow(x, y) // a constant, or x
	}
	if x > 0 || y == 0 {
		return r
	}
	switch whole := math.Trunc(y); {
	case whole != y:
		return math.NaN()
	case math.Trunc(y/2) != y/2:
		return -r
	}
	return r
}
