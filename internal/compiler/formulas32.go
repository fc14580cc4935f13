package compiler

import (
	"go/types"
	"math"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Approximations in float32. The polynomials interpolate at the zeros of Chebyshev polynomials,
// after exact parts are split off. Error bounds are for normal results.

var formulas32 = map[string]func(f formula, x []operand) operand{
	"Exp":   func(f formula, x []operand) operand { return f.exp32(f.clamp(x[0], -104, 89)) },
	"Exp2":  func(f formula, x []operand) operand { return f.exp2f(x[0]) },
	"Log":   func(f formula, x []operand) operand { return f.log32(x[0]) },
	"Log2":  func(f formula, x []operand) operand { return f.log2f(x[0]) },
	"Log10": func(f formula, x []operand) operand { return f.mul(f.log32(x[0]), f.num(1/math.Ln10)) },
	"Sin":   func(f formula, x []operand) operand { s, _ := f.sinCos32(x[0]); return s },
	"Cos":   func(f formula, x []operand) operand { _, c := f.sinCos32(x[0]); return c },
	"Tan":   func(f formula, x []operand) operand { s, c := f.sinCos32(x[0]); return f.div(s, c) },
	"Tanh":  func(f formula, x []operand) operand { return f.tanh32(x[0]) },
	"Erf":   func(f formula, x []operand) operand { return f.erf32(x[0]) },
	"Erfc":  func(f formula, x []operand) operand { return f.erfc32(x[0]) },
	"Pow":   func(f formula, x []operand) operand { return f.pow32(x[0], x[1]) },
	"Hypot": func(f formula, x []operand) operand { return f.hypot(x[0], x[1]) },
}

// clamp limits x to [lo, hi]. A NaN compares false, and is kept.
func (f formula) clamp(x operand, lo, hi float64) operand {
	x = f.choose(f.is(x, lir.Gt, f.num(hi)), f.num(hi), x)
	return f.choose(f.is(x, lir.Lt, f.num(lo)), f.num(lo), x)
}

// scale32 is x * 2^n for integers n between -250 and 250. It multiplies twice, since 2^n may not be
// a normal number; only the second product rounds.
func (f formula) scale32(x, n operand) operand {
	i := f.l.op(lir.Instr{Op: lir.Convert, Kind: lir.I32, From: lir.F32}, nil, n)
	h := f.shr(i, 1)
	power := func(i operand) operand { return f.fromBits(f.shl(f.int(lir.Add, i, f.bits(127)), 23)) }
	return f.mul(f.mul(x, power(h)), power(f.int(lir.Sub, i, h)))
}

// exp32 is e^x for x between -104 and 89, with an error below 1 ulp. It is 2^n e^r with r = x - n
// ln 2, reduced in two steps, and e^r = 1 + (r + r^2 q(r)).
func (f formula) exp32(x operand) operand {
	n := f.do(lir.RoundToEven, f.mul(x, f.num(math.Log2E)))
	r := f.fma(n, f.num(-0x1.62e43p-01), x)
	r = f.fma(n, f.num(0x1.05c61p-29), r)
	return f.scale32(f.add(f.exp32Part(r), f.num(1)), n)
}

// exp32Part is e^r - 1 for |r| <= ln 2 / 2.
func (f formula) exp32Part(r operand) operand {
	q := f.horner(r, 0x1p-01, 0x1.555556p-03, 0x1.5554eap-05, 0x1.1110ep-07, 0x1.6d4324p-10, 0x1.a124f2p-13)
	return f.fma(f.mul(q, r), r, r)
}

// exp2f is 2^x, with an error below 1 ulp.
func (f formula) exp2f(x operand) operand {
	x = f.clamp(x, -151, 129)
	n := f.do(lir.RoundToEven, x)
	r := f.sub(x, n)
	q := f.horner(r, 0x1.62e43p-01, 0x1.ebfbep-03, 0x1.c6af6cp-05, 0x1.3b2a54p-07, 0x1.5f089p-10, 0x1.44138ap-13)
	return f.scale32(f.fma(q, r, f.num(1)), n)
}

// split32 is e and m with x = 2^e (1 + m) and sqrt(1/2) <= 1+m < sqrt(2), for positive x.
func (f formula) split32(x operand) (e, m operand) {
	denormal := f.is(x, lir.Lt, f.num(0x1p-126))
	x = f.choose(denormal, f.mul(x, f.num(1<<25)), x)
	root := f.bits(0x3f3504f3) // the bits of sqrt(1/2)
	u := f.int(lir.Sub, f.toBits(x), root)
	e = f.l.op(lir.Instr{Op: lir.Convert, Kind: lir.F32, From: lir.I32}, nil, f.shr(u, 23))
	e = f.add(e, f.choose(denormal, f.num(-25), f.num(0)))
	u = f.int(lir.Add, f.int(lir.And, u, f.bits(1<<23-1)), root)
	return e, f.sub(f.fromBits(u), f.num(1))
}

// logLimits replaces the logarithms of zero, infinity, negative numbers and NaN in y by their
// special values.
func (f formula) logLimits(x, y operand) operand {
	inf := f.num(math.Inf(1))
	y = f.choose(f.is(x, lir.Eq, inf), inf, y)
	y = f.choose(f.is(x, lir.Eq, f.num(0)), f.num(math.Inf(-1)), y)
	return f.choose(f.is(x, lir.Ge, f.num(0)), y, f.num(math.NaN()))
}

// log32 is the natural logarithm, with an error below 1 ulp: e ln 2 + log(1+m), where log(1+m) = m
// + m^2 q(m). The rounding error of the sum e ln 2 + m is compensated.
func (f formula) log32(x operand) operand {
	e, m := f.split32(x)
	q := f.horner(m, -0x1.fffffep-02, 0x1.555554p-02, -0x1.00020cp-02, 0x1.99a012p-03, -0x1.548382p-03, 0x1.22ea58p-03, -0x1.0cda38p-03,
		0x1.048f88p-03, -0x1.3a501p-04)
	a := f.mul(e, f.num(0x1.62e4p-01)) // exact
	hi := f.add(a, m)
	lo := f.add(f.sub(a, hi), m)
	y := f.add(hi, f.add(lo, f.fma(f.mul(q, m), m, f.mul(e, f.num(0x1.7f7d1cp-20)))))
	return f.logLimits(x, y)
}

// log2f is the logarithm to the base 2, with an error below 1 ulp: e + log2(1+m), where log2(1+m) =
// m log2(e) + m^2 q(m).
func (f formula) log2f(x operand) operand {
	e, m := f.split32(x)
	q := f.horner(m, -0x1.715476p-01, 0x1.ec7094p-02, -0x1.71548p-02, 0x1.277c3ep-02, -0x1.ec7732p-03, 0x1.a4837ep-03, -0x1.6efd8p-03,
		0x1.5d0194p-03, -0x1.557a08p-03, 0x1.900048p-04)
	log2e := f.num(0x1.715476p+00)
	a := f.mul(m, log2e)
	aLo := f.fma(m, log2e, f.neg(a))
	aLo = f.fma(m, f.num(0x1.4ae0cp-26), aLo)
	hi := f.add(e, a)
	lo := f.add(f.sub(e, hi), a)
	return f.logLimits(x, f.add(hi, f.add(lo, f.fma(f.mul(q, m), m, aLo))))
}

// tanh32 is the hyperbolic tangent, with an error below 1.5 ulp: x + x^3 p(x^2) for |x| < 0.625,
// and otherwise 1 - 2 / (e^2|x| + 1) with the sign of x.
func (f formula) tanh32(x operand) operand {
	a := f.abs(x)
	small := f.is(a, lir.Lt, f.num(0.625))
	z := f.mul(a, a)
	p := f.horner(z, -0x1.555552p-02, 0x1.110e1cp-03, -0x1.b9258ap-05, 0x1.58048ep-06, -0x1.8f8de4p-08)
	near := f.fma(f.mul(p, z), a, a)
	a = f.choose(f.is(a, lir.Gt, f.num(12)), f.num(12), a)
	far := f.add(f.num(1), f.div(f.num(-2), f.add(f.exp32(f.add(a, a)), f.num(1))))
	return f.signed(f.choose(small, near, far), x)
}

// erf32 is the error function, with an error below 1.2 ulp: x + x p(x^2) for |x| < 1, and otherwise
// 1 - e^g(|x|) with the sign of x.
func (f formula) erf32(x operand) operand {
	a := f.abs(x)
	small := f.is(a, lir.Lt, f.num(1))
	a = f.choose(f.is(a, lir.Gt, f.num(4)), f.num(4), a)
	z := f.mul(a, a)
	p := f.horner(z, 0x1.06eba8p-03, -0x1.81273ep-02, 0x1.ce2d1p-04, -0x1.b7fabap-06, 0x1.54127p-08, -0x1.a45088p-11, 0x1.4a569p-14)
	g := f.horner(a, 0x1.4fb068p-12, -0x1.2156fap+00, -0x1.437eb4p-01, -0x1.c2e356p-04, 0x1.b0e246p-06, -0x1.37ecc6p-08, 0x1.38e5e6p-11,
		-0x1.825ce4p-15, 0x1.b7783p-20)
	y := f.choose(small, f.fma(p, a, a), f.sub(f.num(1), f.exp32(g)))
	return f.signed(y, x)
}

// erfc32 is 1 - erf(x) without cancellation, with an error below 4.4 ulp. For a = |x| and t = (a-3)
// / (a+3) it is p(t) / (a+3) e^(-a^2), or 2 minus that for negative x.
func (f formula) erfc32(x operand) operand {
	a := f.abs(x)
	a = f.choose(f.is(a, lir.Gt, f.num(0x1.433334p+03)), f.num(0x1.433334p+03), a)
	b := f.neg(a)
	u := f.div(f.num(1), f.add(a, f.num(3)))
	t := f.mul(f.add(a, f.num(-3)), u)
	// a correction by the residual a-3 - t (a+3)
	t = f.fma(f.fma(t, b, f.fma(f.add(t, f.num(1)), f.num(-3), a)), u, t)
	p := f.horner(t, 0x1.12f21ep+00, -0x1.c44c48p-01, 0x1.2e326cp-01, -0x1.3deaf8p-02, 0x1.e9956ep-04, -0x1.b7b03ap-06, -0x1.3f020ep-10,
		0x1.9362a8p-09, -0x1.05f6bep-11, -0x1.5e3facp-12)
	y := f.mul(p, u)
	// e^-a^2 = 2^n e^r. The product with n is exact, and the square is fused with the sum.
	n := f.do(lir.RoundToEven, f.mul(f.mul(a, b), f.num(math.Log2E)))
	r := f.fma(a, b, f.mul(n, f.num(-0x1.62e4p-01)))
	r = f.fma(n, f.num(-0x1.7f7d1cp-20), r)
	y = f.scale32(f.fma(f.exp32Part(r), y, y), n)
	return f.choose(f.is(x, lir.Lt, f.num(0)), f.sub(f.num(2), y), y)
}

// sinCos32 is the sine and the cosine, with errors below 1 ulp, for |x| < 2^17; strips with larger
// numbers run in plain Go. pi/2 is subtracted in three parts (W. J. Cody and W. Waite), the first
// of which gives an exact difference.
func (f formula) sinCos32(x operand) (sin, cos operand) {
	a := f.abs(x)
	f.within(f.l.not(f.is(a, lir.Ge, f.num(1<<17)))) // NaN passes
	t := f.fma(a, f.num(2/math.Pi), f.num(0x3p22))   // rounds to an integer in the low bits
	n := f.sub(t, f.num(0x3p22))
	first := f.fma(n, f.num(-0x1.921fb6p+00), a)
	b := f.mul(n, f.num(0x1.777a5cp-25))
	bLo := f.fma(n, f.num(0x1.777a5cp-25), f.neg(b))
	r := f.add(first, b)
	c := f.sub(r, first) // and the error of the sum, whichever operand is larger
	rLo := f.add(f.sub(first, f.sub(r, c)), f.sub(b, c))
	rLo = f.fma(n, f.num(0x1.ee59dap-50), f.add(rLo, bLo))

	z := f.mul(r, r)
	p := f.horner(z, -0x1.555552p-03, 0x1.110c28p-07, -0x1.9ac98ep-13)
	half := f.mul(z, f.num(0.5))
	w := f.sub(f.num(1), half)
	s := f.add(r, f.fma(p, f.mul(r, z), f.mul(rLo, w)))
	q := f.horner(z, 0x1.555554p-05, -0x1.6c12d2p-10, 0x1.9bd88p-16)
	co := f.add(w, f.add(f.sub(f.sub(f.num(1), w), half), f.fma(q, f.mul(z, z), f.neg(f.mul(r, rLo)))))

	quadrant := f.toBits(t)
	odd := f.l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.I32, Pred: lir.Ne}, nil, f.int(lir.And, quadrant, f.bits(1)), f.bits(0))
	sin = f.flipped(f.choose(odd, co, s), f.fromBits(f.shl(quadrant, 30)))
	sin = f.flipped(sin, x)
	cos = f.flipped(f.choose(odd, s, co), f.fromBits(f.shl(f.int(lir.Add, quadrant, f.bits(1)), 30)))
	return sin, cos
}

// pow32 is x^y, with an error below 0.6 ulp, computed in float64 as 2^(y log2 |x|). Strips with
// infinities or NaNs run in plain Go.
func (f formula) pow32(x, y operand) operand {
	d := formula{f.l, f.l.kind(types.Typ[types.Float64])}
	wide := func(x operand) operand {
		return f.l.op(lir.Instr{Op: lir.Convert, Kind: lir.F64, From: lir.F32}, nil, x)
	}
	inf := f.num(math.Inf(1))
	f.within(f.l.joined(f.is(f.abs(x), lir.Lt, inf), f.is(f.abs(y), lir.Lt, inf)))
	w, by := wide(f.abs(x)), wide(y)

	// |x| = 2^e (1 + m); every float32 is normal as a float64.
	const root = 0x3fe6a09e667f3bcd // the bits of sqrt(1/2)
	u := d.int(lir.Add, d.toBits(w), d.bits(0x3ff<<52-root))
	e := d.sub(d.fromBits(d.int(lir.Or, d.shr(u, 52), d.bits(0x433<<52))), d.num(0x1p52+1023))
	m := d.sub(d.fromBits(d.int(lir.Add, d.int(lir.And, u, d.bits(1<<52-1)), d.bits(root))), d.num(1))
	p := d.horner(m, 0x1.71547652b526fp+00, -0x1.71547651d934bp-01, 0x1.ec709de7df8d6p-02, -0x1.7154784e6223fp-02, 0x1.2776b48f4089bp-02,
		-0x1.ec6f47f0c15a4p-03, 0x1.a61c50d11f261p-03, -0x1.7186b15fb39bep-03, 0x1.480da3469e85ap-03, -0x1.23e34c3701d5bp-03,
		0x1.0b872532b8f4cp-03, -0x1.140c768ab4663p-03, 0x1.0c91ed9330441p-03, -0x1.16c93f6330fp-04)
	g := d.clamp(d.mul(d.fma(p, m, e), by), -200, 200)
	t := d.add(g, d.num(0x3p51)) // rounds to an integer in the low bits
	r := d.sub(g, d.sub(t, d.num(0x3p51)))
	q := d.horner(r, 0x1.62e42fefa39efp-01, 0x1.ebfbe045f4d3cp-03, 0x1.c6b08d883dca1p-05, 0x1.3b2a1b7152befp-07, 0x1.5d879ead06a82p-10,
		0x1.443fffc90db59p-13, 0x1.00a581594758ep-16)
	v := d.fromBits(d.int(lir.Add, d.toBits(d.fma(q, r, d.num(1))), d.shl(d.toBits(t), 52)))
	z := f.l.op(lir.Instr{Op: lir.Convert, Kind: lir.F32, From: lir.F64}, nil, v)

	// Special cases: x = 0, and x < 0, where the result is NaN unless y is an integer, and negative
	// if y is odd.
	zero, one := f.num(0), f.num(1)
	atZero := f.choose(f.is(y, lir.Gt, zero), zero, f.choose(f.is(y, lir.Lt, zero), inf, one))
	z = f.choose(f.is(x, lir.Eq, zero), atZero, z)
	half := f.mul(y, f.num(0.5))
	whole := f.is(f.do(lir.Trunc, y), lir.Eq, y)
	odd := f.l.joined(whole, f.is(f.do(lir.Trunc, half), lir.Ne, half))
	z = f.choose(odd, f.signed(z, x), z)
	return f.choose(f.l.joined(f.is(x, lir.Lt, zero), f.l.not(whole)), f.num(math.NaN()), z)
}
