package compiler

import (
	"math"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Functions of package math in float64, operation by operation, so that vectors give the same bits
// as scalars. Exp follows math/exp_amd64.s (with fused operations, which machines with AVX2 have)
// and Log math/log_amd64.s; the others follow their Go source. The algorithms are from the Cephes
// library by S. L. Moshier (sin, cos, tan, tanh, sinh, asin, atan), FreeBSD's msun (log, exp2) and N.
// Shibata (exp). They are known to agree for the releases of Go in gocuda/rt/samemath.go; with
// other releases such strips run in plain Go.

var formulas64 = map[string]func(f formula, x []operand) operand{
	"Exp":   func(f formula, x []operand) operand { return f.exp64(x[0]) },
	"Exp2":  func(f formula, x []operand) operand { return f.exp2d(x[0]) },
	"Log":   func(f formula, x []operand) operand { return f.log64(x[0]) },
	"Log2":  func(f formula, x []operand) operand { return f.log2d(x[0]) },
	"Log10": func(f formula, x []operand) operand { return f.mul(f.log64(x[0]), f.num(1/math.Ln10)) },
	"Sin":   func(f formula, x []operand) operand { return f.sin64(x[0]) },
	"Cos":   func(f formula, x []operand) operand { return f.cos64(x[0]) },
	"Tan":   func(f formula, x []operand) operand { return f.tan64(x[0]) },
	"Tanh":  func(f formula, x []operand) operand { return f.tanh64(x[0]) },
	"Sinh":  func(f formula, x []operand) operand { return f.sinh64(x[0]) },
	"Cosh":  func(f formula, x []operand) operand { return f.cosh64(x[0]) },
	"Atan":  func(f formula, x []operand) operand { return f.atan64(x[0]) },
	"Asin":  func(f formula, x []operand) operand { return f.asin64(x[0]) },
	"Acos":  func(f formula, x []operand) operand { return f.sub(f.num(math.Pi/2), f.asin64(x[0])) },
	"Atan2": func(f formula, x []operand) operand { return f.atan2d(x[0], x[1]) },
	"Pow":   func(f formula, x []operand) operand { return f.pow64(x[0], x[1]) },
	"Mod":   func(f formula, x []operand) operand { return f.mod64(x[0], x[1]) },
	"Erf":   func(f formula, x []operand) operand { return f.erf64(x[0]) },
	"Erfc":  func(f formula, x []operand) operand { return f.erfc64(x[0]) },
	"Log1p": func(f formula, x []operand) operand { return f.log1p64(x[0]) },
	"Expm1": func(f formula, x []operand) operand { return f.expm1d(x[0]) },
	"Cbrt":  func(f formula, x []operand) operand { return f.cbrt64(x[0]) },
	"Hypot": func(f formula, x []operand) operand { return f.hypot(x[0], x[1]) },
}

// ldexp is x * 2^n for integers n and x near 1, rounded once. It is 0 below 2^-1075, and infinity
// where infinite holds.
func (f formula) ldexp(x, n operand, infinite operand) operand {
	low := f.is(n, lir.Le, f.num(-1023))
	// An integer is in the low bits of its sum with 3 * 2^51.
	m := f.choose(low, f.add(n, f.num(1022)), n)
	m = f.choose(f.is(m, lir.Lt, f.num(-1022)), f.num(-1022), m)
	y := f.mul(x, f.fromBits(f.shl(f.toBits(f.add(m, f.num(0x3p51+1023))), 52)))
	// The factor is selected, not the product: a denormal product takes a hundred cycles, even if
	// no lane selects it.
	y = f.mul(y, f.choose(low, f.num(0x1p-1022), f.num(1)))
	return f.choose(infinite, f.num(math.Inf(1)), y)
}

// exp64 is math.Exp: e^x = 2^n e^r, where e^r is a polynomial of r/16, squared four times.
func (f formula) exp64(x operand) operand {
	n := f.do(lir.RoundToEven, f.mul(x, f.num(math.Log2E)))
	r := f.fnma(n, f.num(0.69314718055966295651160180568695068359375), x)
	r = f.fnma(n, f.num(0.28235290563031577122588448175013436025525412068e-12), r)
	r = f.mul(r, f.num(0.0625))
	p := f.horner(r, 1, 0.5, 1.6666666666666666667e-1, 4.1666666666666666667e-2, 8.3333333333333333333e-3, 1.3888888888888888889e-3,
		1.9841269841269841270e-4, 2.4801587301587301587e-5)
	y := f.mul(r, p)
	two := f.num(2)
	for range 3 {
		y = f.mul(y, f.add(y, two))
	}
	y = f.fma(y, f.add(y, two), f.num(1))
	large := f.l.either(f.is(x, lir.Gt, f.num(7.09782712893384e+02)), f.is(n, lir.Ge, f.num(1024)))
	y = f.ldexp(y, n, large)
	// e^x is zero for n < -1075, whatever the sum is.
	y = f.choose(f.is(n, lir.Lt, f.num(-52-1023)), f.num(0), y)
	return f.choose(f.is(x, lir.Eq, x), y, x)
}

// exp2d is math.Exp2.
func (f formula) exp2d(x operand) operand {
	// k = int(x+0.5) or int(x-0.5)
	k := f.do(lir.Trunc, f.add(x, f.signed(f.num(0.5), x)))
	t := f.sub(x, k)
	hi := f.mul(t, f.num(6.93147180369123816490e-01))
	lo := f.mul(f.neg(t), f.num(1.90821492927058770002e-10))
	r := f.sub(hi, lo)
	s := f.mul(r, r)
	p := f.steps(s, 4.13813679705723846039e-08, -1.65339022054652515390e-06, 6.61375632143793436117e-05, -2.77777777770155933842e-03,
		1.66666666666666657415e-01)
	c := f.sub(r, f.mul(s, p))
	y := f.sub(f.num(1), f.sub(f.sub(lo, f.div(f.mul(r, c), f.sub(f.num(2), c))), hi))
	top := f.is(k, lir.Gt, f.num(1023)) // 2^1024 is not representable
	y, k = f.choose(top, f.add(y, y), y), f.choose(top, f.num(1023), k)
	y = f.ldexp(y, k, f.is(x, lir.Gt, f.num(1.0239999999999999e+03)))
	y = f.choose(f.is(x, lir.Lt, f.num(-1.0740e+03)), f.num(0), y)
	return f.choose(f.is(x, lir.Eq, x), y, x)
}

// log64 is math.Log. For x = 2^k (1 + f) and s = f / (2 + f) it is k ln 2 + f - (f^2/2 - s (f^2/2 +
// R(s^2))).
func (f formula) log64(x operand) operand { return f.logLimits(x, f.log64Part(x)) }

// log64Part is math.Log for numbers with a finite logarithm.
func (f formula) log64Part(x operand) operand {
	u := f.toBits(x)
	m := f.fromBits(f.int(lir.Or, f.int(lir.And, u, f.bits(1<<52-1)), f.bits(0x3fe<<52)))
	k := f.sub(f.fromBits(f.int(lir.Or, f.shr(u, 52), f.bits(0x433<<52))), f.num(0x1p52+1022))
	less := f.is(m, lir.Le, f.num(math.Sqrt2/2))
	k = f.sub(k, f.choose(less, f.num(1), f.num(0)))
	m = f.mul(m, f.choose(less, f.num(2), f.num(1)))
	return f.log64Of(m, k)
}

func (f formula) log64Of(m, k operand) operand {
	g := f.sub(m, f.num(1))
	s := f.div(g, f.add(f.num(2), g))
	s2 := f.mul(s, s)
	s4 := f.mul(s2, s2)
	t1 := f.mul(s2, f.steps(s4, 1.479819860511658591e-01, 1.818357216161805012e-01, 2.857142874366239149e-01, 6.666666666666735130e-01))
	t2 := f.mul(s4, f.steps(s4, 1.531383769920937332e-01, 2.222219843214978396e-01, 3.999999999940941908e-01))
	rest := f.add(t1, t2)
	half := f.mul(f.mul(f.num(0.5), g), g)
	t := f.add(f.mul(s, f.add(half, rest)), f.mul(k, f.num(1.90821492927058770002e-10)))
	return f.sub(f.mul(k, f.num(6.93147180369123816490e-01)), f.sub(f.sub(half, t), g))
}

// log2d is math.Log2, which is exact for powers of two.
func (f formula) log2d(x operand) operand {
	denormal := f.is(x, lir.Lt, f.num(0x1p-1022))
	y := f.choose(denormal, f.mul(x, f.num(1<<52)), x)
	u := f.toBits(y)
	frac := f.fromBits(f.int(lir.Or, f.int(lir.And, u, f.bits(1<<52-1)), f.bits(0x3fe<<52)))
	e := f.sub(f.fromBits(f.int(lir.Or, f.shr(u, 52), f.bits(0x433<<52))), f.num(0x1p52+1022))
	e = f.sub(e, f.choose(denormal, f.num(52), f.num(0)))
	z := f.add(f.mul(f.log64Part(frac), f.num(1/math.Ln2)), e)
	z = f.choose(f.is(frac, lir.Eq, f.num(0.5)), f.sub(e, f.num(1)), z)
	return f.logLimits(x, z)
}

// octant reduces |x| below 2^29 by j times pi/4, where j is even, and returns j modulo 8; strips
// with larger numbers run in plain Go.
func (f formula) octant(x operand) (z, j operand) {
	a := f.abs(x)
	f.within(f.l.not(f.is(a, lir.Ge, f.num(1<<29))))
	y := f.do(lir.Trunc, f.mul(a, f.num(4/math.Pi)))
	half := f.mul(y, f.num(0.5))
	y = f.choose(f.is(f.do(lir.Floor, half), lir.Ne, half), f.add(y, f.num(1)), y)
	j = f.sub(y, f.mul(f.num(8), f.do(lir.Floor, f.mul(y, f.num(0.125)))))
	z = f.sub(a, f.mul(y, f.num(7.85398125648498535156e-1)))
	z = f.sub(z, f.mul(y, f.num(3.77489470793079817668e-8)))
	return f.sub(z, f.mul(y, f.num(2.69515142907905952645e-15))), j
}

func (f formula) sinPart(z, zz operand) operand {
	p := f.steps(zz, 1.58962301576546568060e-10, -2.50507477628578072866e-8, 2.75573136213857245213e-6, -1.98412698295895385996e-4,
		8.33333333332211858878e-3, -1.66666666666666307295e-1)
	return f.add(z, f.mul(f.mul(z, zz), p))
}

func (f formula) cosPart(zz operand) operand {
	p := f.steps(zz, -1.13585365213876817300e-11, 2.08757008419747316778e-9, -2.75573141792967388112e-7, 2.48015872888517045348e-5,
		-1.38888888888730564116e-3, 4.16666666666665929218e-2)
	return f.add(f.sub(f.num(1), f.mul(f.num(0.5), zz)), f.mul(f.mul(zz, zz), p))
}

// sin64 is math.Sin.
func (f formula) sin64(x operand) operand {
	z, j := f.octant(x)
	zz := f.mul(z, z)
	two, four := f.num(2), f.num(4)
	swap := f.l.either(f.is(j, lir.Eq, two), f.is(j, lir.Eq, f.num(6)))
	y := f.choose(swap, f.cosPart(zz), f.sinPart(z, zz))
	y = f.choose(f.is(j, lir.Ge, four), f.neg(y), y)
	y = f.choose(f.is(x, lir.Lt, f.num(0)), f.neg(y), y)
	return f.choose(f.is(x, lir.Eq, f.num(0)), x, y)
}

// cos64 is math.Cos.
func (f formula) cos64(x operand) operand {
	z, j := f.octant(x)
	zz := f.mul(z, z)
	two, four := f.num(2), f.num(4)
	swap := f.l.either(f.is(j, lir.Eq, two), f.is(j, lir.Eq, f.num(6)))
	y := f.choose(swap, f.sinPart(z, zz), f.cosPart(zz))
	return f.choose(f.l.either(f.is(j, lir.Eq, two), f.is(j, lir.Eq, four)), f.neg(y), y)
}

// tan64 is math.Tan.
func (f formula) tan64(x operand) operand {
	z, j := f.octant(x)
	zz := f.mul(z, z)
	p := f.steps(zz, -1.30936939181383777646e4, 1.15351664838587416140e6, -1.79565251976484877988e7)
	q := f.add(f.mul(f.add(f.mul(f.add(f.mul(f.add(zz, f.num(1.36812963470692954678e4)), zz), f.num(-1.32089234440210967447e6)), zz),
		f.num(2.50083801823357915839e7)), zz), f.num(-5.38695755929454629881e7))
	y := f.choose(f.is(zz, lir.Gt, f.num(1e-14)), f.add(z, f.mul(z, f.div(f.mul(zz, p), q))), z)
	swap := f.l.either(f.is(j, lir.Eq, f.num(2)), f.is(j, lir.Eq, f.num(6)))
	y = f.choose(swap, f.div(f.num(-1), y), y)
	y = f.choose(f.is(x, lir.Lt, f.num(0)), f.neg(y), y)
	return f.choose(f.is(x, lir.Eq, f.num(0)), x, y)
}

// tanh64 is math.Tanh.
func (f formula) tanh64(x operand) operand {
	z := f.abs(x)
	one := f.num(1)
	negative := f.is(x, lir.Lt, f.num(0))
	far := f.sub(one, f.div(f.num(2), f.add(f.exp64(f.mul(f.num(2), z)), one)))
	far = f.choose(f.is(z, lir.Gt, f.num(0.5*8.8029691931113054295988e+01)), one, far)
	far = f.choose(negative, f.neg(far), far)
	s := f.mul(x, x)
	p := f.steps(s, -9.64399179425052238628e-1, -9.92877231001918586564e1, -1.61468768441708447952e3)
	q := f.add(f.mul(f.add(f.mul(f.add(s, f.num(1.12811678491632931402e2)), s), f.num(2.23548839060100448583e3)), s), f.num(4.84406305325125486048e3))
	near := f.add(x, f.div(f.mul(f.mul(x, s), p), q))
	near = f.choose(f.is(x, lir.Eq, f.num(0)), x, near)
	return f.choose(f.is(z, lir.Ge, f.num(0.625)), far, near)
}

// sinh64 is math.Sinh.
func (f formula) sinh64(x operand) operand {
	a := f.choose(f.is(x, lir.Lt, f.num(0)), f.neg(x), x)
	e := f.exp64(a)
	half := f.num(0.5)
	far := f.choose(f.is(a, lir.Gt, f.num(21)), f.mul(e, half), f.mul(f.sub(e, f.div(f.num(1), e)), half))
	sq := f.mul(a, a)
	p := f.steps(sq, -0.2630563213397497062819489e+2, -0.2894211355989563807284660366e+4, -0.8991272022039509355398013511e+5,
		-0.6307673640497716991184787251e+6)
	q := f.add(f.mul(f.add(f.mul(f.add(sq, f.num(-0.173678953558233699533450911e+3)), sq), f.num(0.1521517378790019070696485176e+5)), sq),
		f.num(-0.6307673640497716991212077277e+6))
	y := f.choose(f.is(a, lir.Gt, half), far, f.div(f.mul(p, a), q))
	return f.choose(f.is(x, lir.Lt, f.num(0)), f.neg(y), y)
}

// cosh64 is math.Cosh.
func (f formula) cosh64(x operand) operand {
	a := f.abs(x)
	e := f.exp64(a)
	half := f.num(0.5)
	return f.choose(f.is(a, lir.Gt, f.num(21)), f.mul(e, half), f.mul(f.add(e, f.div(f.num(1), e)), half))
}

// atan64 is math.Atan.
func (f formula) atan64(x operand) operand {
	const more = 6.123233995736765886130e-17
	a := f.abs(x)
	small, large := f.is(a, lir.Le, f.num(0.66)), f.is(a, lir.Gt, f.num(2.41421356237309504880))
	one := f.num(1)
	u := f.choose(large, f.div(one, a), f.div(f.sub(a, one), f.add(a, one)))
	u = f.choose(small, a, u)
	z := f.mul(u, u)
	p := f.steps(z, -8.750608600031904122785e-01, -1.615753718733365076637e+01, -7.500855792314704667340e+01, -1.228866684490136173410e+02,
		-6.485021904942025371773e+01)
	q := f.add(z, f.num(2.485846490142306297962e+01))
	for _, c := range []float64{1.650270098316988542046e+02, 4.328810604912902668951e+02, 4.853903996359136964868e+02, 1.945506571482613964425e+02} {
		q = f.add(f.mul(q, z), f.num(c))
	}
	t := f.add(f.mul(u, f.div(f.mul(z, p), q)), u)
	y := f.choose(large, f.add(f.sub(f.num(math.Pi/2), t), f.num(more)), f.add(f.add(f.num(math.Pi/4), t), f.num(0.5*more)))
	y = f.choose(small, t, y)
	return f.signed(y, x) // -atan(-x)
}

// asin64 is math.Asin.
func (f formula) asin64(x operand) operand {
	a := f.abs(x)
	root := f.do(lir.Sqrt, f.sub(f.num(1), f.mul(a, a))) // NaN for a > 1
	large := f.is(a, lir.Gt, f.num(0.7))
	t := f.atan64(f.choose(large, f.div(root, a), f.div(a, root)))
	y := f.choose(large, f.sub(f.num(math.Pi/2), t), t)
	return f.choose(f.is(a, lir.Eq, f.num(0)), x, f.flipped(y, x))
}

// atan2d is math.Atan2. Numbers that are not finite leave the nest.
func (f formula) atan2d(y, x operand) operand {
	inf := f.num(math.Inf(1))
	f.within(f.l.joined(f.is(f.abs(x), lir.Lt, inf), f.is(f.abs(y), lir.Lt, inf)))
	zero, pi := f.num(0), f.num(math.Pi)
	q := f.atan64(f.div(y, x))
	left := f.choose(f.is(q, lir.Le, zero), f.add(q, pi), f.sub(q, pi))
	q = f.choose(f.is(x, lir.Lt, zero), left, q)
	q = f.choose(f.is(x, lir.Eq, zero), f.signed(f.num(math.Pi/2), y), q)
	// Beside y = 0, the sign of x = 0 counts.
	right := f.is(f.signed(f.num(1), x), lir.Gt, zero)
	return f.choose(f.is(y, lir.Eq, zero), f.signed(f.choose(right, zero, pi), y), q)
}

// hypot is math.Hypot.
func (f formula) hypot(x, y operand) operand {
	a, b, inf := f.abs(x), f.abs(y), f.num(math.Inf(1))
	swapped := f.is(b, lir.Gt, a)
	large, small := f.choose(swapped, b, a), f.choose(swapped, a, b)
	r := f.div(small, large)
	z := f.mul(large, f.do(lir.Sqrt, f.add(f.num(1), f.mul(r, r))))
	z = f.choose(f.l.joined(f.is(large, lir.Eq, f.num(0)), f.is(small, lir.Eq, f.num(0))), large, z)
	return f.choose(f.l.either(f.is(a, lir.Eq, inf), f.is(b, lir.Eq, inf)), inf, z)
}
