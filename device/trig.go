package device

import (
	"math"
	"math/bits"
)

// Trigonometric functions. x is reduced to a number of quarter turns and a rest of at most pi/4, as
// the sum of two float64: by three parts of pi/2 whose products with the number are exact, or,
// beyond 2^20, by as many bits of 2/pi as the exponent of x needs (M. Payne, R. Hanek, Radian
// reduction for trigonometric functions, SIGNUM Newsletter 1983). So huge arguments and those next
// to a multiple of pi/2 are as precise as all others.

const (
	twoOverPi = 0x1.45f306dc9c883p-1
	// pi/2 in parts of 33 bits, and the rest
	halfPi1 = 0x1.921fb54400000p+0
	halfPi2 = 0x1.0b4611a600000p-34
	halfPi3 = 0x1.3198a2e000000p-69
	halfPi4 = 0x1.b839a252049c1p-104
	// pi as a sum
	piH, piL = 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53
)

// sinTail is (sin(x)/x - 1)/x^2 with z = x^2, for |x| <= 0.789, within 2^-52.1.
func sinTail(z float64) float64 {
	p := math.FMA(0x1.5e0333e3ccba1p-33, z, -0x1.ae5ff4f957b14p-26)
	p = math.FMA(p, z, 0x1.71de3781495ffp-19)
	p = math.FMA(p, z, -0x1.a01a019e73325p-13)
	p = math.FMA(p, z, 0x1.1111111110b6cp-7)
	return math.FMA(p, z, -0x1.5555555555555p-3)
}

// cosTail is (cos(x) - 1 + x^2/2)/x^4 with z = x^2, for |x| <= 0.789, within 2^-54.
func cosTail(z float64) float64 {
	p := math.FMA(-0x1.9075bb669682cp-37, z, 0x1.1eeb5de1e2b95p-29)
	p = math.FMA(p, z, -0x1.27e4fa0d3726cp-22)
	p = math.FMA(p, z, 0x1.a01a019f4671dp-16)
	p = math.FMA(p, z, -0x1.6c16c16c16944p-10)
	return math.FMA(p, z, 0x1.5555555555555p-5)
}

// quarters returns x = k pi/2 + rh + rl with |rh| at most about pi/4, for finite x; k is right
// modulo 4.
func quarters(x float64) (k int64, rh, rl float64) {
	if math.Abs(x) > 0x1p20 {
		return TrigQuadrant(x), TrigReduction(x), TrigReductionLow(x)
	}
	return quartersNear(x)
}

// quartersNear is quarters for |x| up to 2^20.
func quartersNear(x float64) (k int64, rh, rl float64) {
	n := math.RoundToEven(float64(x * twoOverPi))
	a := math.FMA(-n, halfPi1, x) // exact
	b, c := sum2(a, float64(-n*halfPi2))
	d, e := sum2(b, float64(-n*halfPi3))
	rh, rl = fast2(d, (c+e)-float64(n*halfPi4))
	return int64(n), rh, rl
}

// TrigQuadrant returns which multiple of pi/2 is next to x, modulo 4, and 0 if x is not finite.
// With [TrigReduction] and [TrigReductionLow] it is what the trigonometric functions do with large
// angles, some tens of nanoseconds each; they are exported because compiled kernels of other
// packages call them. CUDA has it inside as __internal_trig_reduction_slowpathd.
//
//go:noinline
func TrigQuadrant(x float64) int64 {
	k, _, _ := quartersOfAny(x)
	return k
}

// TrigReduction returns x less the multiple of pi/2 that is next to it, for x of any size, and NaN
// if x is not finite. CUDA has it inside.
//
//go:noinline
func TrigReduction(x float64) float64 {
	_, rh, _ := quartersOfAny(x)
	return rh
}

// TrigReductionLow returns what [TrigReduction] cuts off. CUDA has it inside.
//
//go:noinline
func TrigReductionLow(x float64) float64 {
	_, _, rl := quartersOfAny(x)
	return rl
}

// quartersOfAny is quarters for all x.
func quartersOfAny(x float64) (k int64, rh, rl float64) {
	switch {
	case x-x != 0:
		return 0, x - x, 0
	case math.Abs(x) > 0x1p20:
		return quartersFar(x)
	}
	return quartersNear(x)
}

// twoOverPiBits is 2/pi, 64 bits an element, after 64 zeros.
var twoOverPiBits = [...]uint64{
	0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
	0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
	0x56033046fc7b6bab, 0xf0cfbc209af4361d, 0xa9e391615ee61b08, 0x6599855f14a06840,
}

// quartersFar is quarters for finite |x| of at least 1.
func quartersFar(x float64) (k int64, rh, rl float64) {
	b := math.Float64bits(x)
	m := b&(1<<52-1) | 1<<52
	e := int(b>>52&0x7ff) - 1075 // |x| = m * 2^e
	// Bits of 2/pi whose product with m 2^e is a multiple of 4 don't matter.
	// The first that does has the weight 2^(1-e).
	first := uint(e - 2 + 64)
	at, shift := first/64, first%64
	var p [4]uint64
	for i := range p {
		p[i] = twoOverPiBits[at+uint(i)]<<shift | twoOverPiBits[at+uint(i)+1]>>(64-shift)
	}
	// The product modulo 2^256: two bits of the number of quarters, and a fraction.
	h3, l3 := bits.Mul64(m, p[3])
	h2, l2 := bits.Mul64(m, p[2])
	h1, l1 := bits.Mul64(m, p[1])
	w2, c := bits.Add64(l2, h3, 0)
	w1, c := bits.Add64(l1, h2, c)
	w0, _ := bits.Add64(m*p[0], h1, c)
	k = int64(w0 >> 62)
	f0, f1, f2 := w0<<2|w1>>62, w1<<2|w2>>62, w2<<2|l3>>62
	negative := f0>>63 != 0
	if negative { // nearer to the next quarter
		k++
		var borrow uint64
		f2, borrow = bits.Sub64(0, f2, 0)
		f1, borrow = bits.Sub64(0, f1, borrow)
		f0, _ = bits.Sub64(0, f0, borrow)
	}
	// The fraction has at most some 62 leading zeros: no float64 is nearer to a multiple of pi/2.
	z := uint(bits.LeadingZeros64(f0))
	g0 := f0<<z | f1>>(64-z)
	g1 := f1<<z | f2>>(64-z)
	if z == 64 {
		g0, g1 = f1, f2
	}
	scale := pow2(-53 - int64(z))
	hi := float64(g0>>11) * scale
	lo := float64(g0<<53>>1|g1>>12) * (scale * 0x1p-63)
	hi, lo = fast2(hi, lo)
	rh, rl = mul22(hi, lo, piH/2, piL/2)
	if negative {
		rh, rl = -rh, -rl
	}
	if x < 0 {
		return -k, -rh, -rl
	}
	return k, rh, rl
}

// sin22 returns sin(rh+rl) as a sum for |rh| <= 0.79; the low part has an error of some 2^-56 of
// the whole.
func sin22(rh, rl float64) (hi, lo float64) {
	z := float64(rh * rh)
	return rh, math.FMA(float64(rh*z), sinTail(z), math.FMA(-0.5*z, rl, rl))
}

// cos22 returns cos(rh+rl) as a sum for |rh| <= 0.79, likewise.
func cos22(rh, rl float64) (hi, lo float64) {
	z, zl := prod2(rh, rh)
	h, l := fast2(1, -0.5*z)
	return h, l + (math.FMA(float64(z*z), cosTail(z), -float64(rh*rl)) - 0.5*zl)
}

// sincosOf returns the sine and the cosine of k pi/2 + rh + rl.
func sincosOf(k int64, rh, rl float64) (sin, cos float64) {
	sh, sl := sin22(rh, rl)
	ch, cl := cos22(rh, rl)
	s, c := sh+sl, ch+cl
	if k&1 != 0 {
		s, c = c, -s
	}
	if k&2 != 0 {
		s, c = -s, -c
	}
	return s, c
}

// Sin returns the sine of x: CUDA's sin. The largest error found is 0.81 ulp; the bound is 1.
func Sin(x float64) float64 {
	if x == 0 {
		return x // -0 is kept
	}
	if x-x != 0 {
		return x - x
	}
	k, rh, rl := quarters(x)
	h, l := sin22(rh, rl)
	if k&1 != 0 {
		h, l = cos22(rh, rl)
	}
	s := h + l
	if k&2 != 0 {
		s = -s
	}
	return s
}

// Cos returns the cosine of x: CUDA's cos. The largest error found is 0.75 ulp; the bound is 1.
func Cos(x float64) float64 {
	if x-x != 0 {
		return x - x
	}
	k, rh, rl := quarters(x)
	h, l := cos22(rh, rl)
	if k&1 != 0 {
		h, l = sin22(rh, rl)
	}
	c := h + l
	if (k+1)&2 != 0 {
		c = -c
	}
	return c
}

// Sincos returns the sine and the cosine of x: CUDA's sincos. The results are those of Sin and Cos.
func Sincos(x float64) (sin, cos float64) {
	if x-x != 0 {
		return x - x, x - x
	}
	k, rh, rl := quarters(x)
	sin, cos = sincosOf(k, rh, rl)
	if x == 0 {
		sin = x
	}
	return sin, cos
}

// Tan returns the tangent of x: CUDA's tan. The largest error found is 0.89 ulp; the bound is 2.
func Tan(x float64) float64 {
	if x == 0 {
		return x
	}
	if x-x != 0 {
		return x - x
	}
	k, rh, rl := quarters(x)
	sh, sl := sin22(rh, rl)
	ch, cl := cos22(rh, rl)
	sh, sl = fast2(sh, sl)
	ch, cl = fast2(ch, cl)
	if k&1 != 0 {
		sh, sl, ch, cl = -ch, -cl, sh, sl
	}
	q := sh / ch
	r := math.FMA(-q, ch, sh) + (sl - float64(q*cl))
	return q + r/ch
}

// halfTurns returns pi x = k pi/2 + rh + rl for finite x. Only k modulo 4 matters, and it is even
// for huge x.
func halfTurns(x float64) (k int64, rh, rl float64) {
	if math.Abs(x) > 0x1p53 {
		return 0, 0, 0 // an even integer
	}
	n := math.RoundToEven(2 * x)
	r := x - 0.5*n // exact
	rh, rl = prod2(r, piH)
	return int64(n), rh, math.FMA(r, piL, rl)
}

// sinpi22 returns sin(pi x) as a sum; x is finite.
func sinpi22(x float64) (hi, lo float64) {
	k, rh, rl := halfTurns(x)
	hi, lo = sin22(rh, rl)
	if k&1 != 0 {
		hi, lo = cos22(rh, rl)
	}
	if k&2 != 0 {
		hi, lo = -hi, -lo
	}
	return hi, lo
}

// Sinpi returns sin(pi x): CUDA's sinpi. At integers it is 0 with the sign of x. The largest error
// found is 0.74 ulp; the bound is 1.
func Sinpi(x float64) float64 {
	if x-x != 0 {
		return x - x
	}
	if math.Abs(x) < 0x1p-1000 { // where the low part of the product would be lost
		y := x * 0x1p900
		return float64(math.FMA(y, piH, float64(y*piL)) * 0x1p-900)
	}
	h, l := sinpi22(x)
	s := h + l
	if s == 0 {
		return math.Copysign(0, x)
	}
	return s
}

// Cospi returns cos(pi x): CUDA's cospi. The largest error found is 0.71 ulp; the bound is 2. Zeros
// are +0.
func Cospi(x float64) float64 {
	if x-x != 0 {
		return x - x
	}
	k, rh, rl := halfTurns(x)
	h, l := cos22(rh, rl)
	if k&1 != 0 {
		h, l = sin22(rh, rl)
	}
	c := h + l
	if (k+1)&2 != 0 {
		c = -c
	}
	return c + 0 // no -0
}

// Sincospi returns sin(pi x) and cos(pi x): CUDA's sincospi. The results are those of Sinpi and Cospi.
func Sincospi(x float64) (sin, cos float64) { return Sinpi(x), Cospi(x) }
