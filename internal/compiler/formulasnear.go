package compiler

import (
	"math"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Logarithms near 1, exponentials near 0 and cube roots of package math in float64; see formulas64.go. They follow their
// Go source, whose coefficients are those of FreeBSD's msun (s_log1p.c, s_expm1.c and s_cbrt.c by Sun Microsystems).

// The two parts of ln 2.
const ln2High, ln2Low = 6.93147180369123816490e-01, 1.90821492927058770002e-10

// log1p64 is math.Log1p. For 1 + x = 2^k (1 + g) and s = g / (2 + g) it is k ln 2 + g - (g^2/2 - s (g^2/2 + R(s^2))) + c,
// where c corrects the rounding of 1 + x.
func (f formula) log1p64(x operand) operand {
	zero, one := f.num(0), f.num(1)
	a := f.abs(x)
	large := f.is(a, lir.Ge, f.num(1<<53))
	u := f.choose(large, x, f.add(one, x))
	bits := f.toBits(u)
	k := f.sub(f.fromBits(f.int(lir.Or, f.shr(bits, 52), f.bits(0x433<<52))), f.num(0x1p52+1023))
	c := f.choose(f.is(k, lir.Gt, zero), f.sub(one, f.sub(u, x)), f.sub(x, f.sub(u, one)))
	c = f.choose(large, zero, f.div(c, u))
	m := f.fromBits(f.int(lir.Or, f.int(lir.And, bits, f.bits(1<<52-1)), f.bits(0x3ff<<52)))
	less := f.is(m, lir.Lt, f.num(math.Sqrt2))
	k = f.choose(less, k, f.add(k, one))
	g := f.sub(f.mul(m, f.choose(less, one, f.num(0.5))), one)

	near := f.l.joined(f.is(a, lir.Lt, f.num(4.142135623730950488017e-01)), f.is(x, lir.Gt, f.num(-2.928932188134524755992e-01)))
	g, k = f.choose(near, x, g), f.choose(near, zero, k)
	half := f.mul(f.mul(f.num(0.5), g), g)
	s := f.div(g, f.add(f.num(2), g))
	z := f.mul(s, s)
	r := f.mul(z, f.steps(z, 1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01, 2.222219843214978396e-01,
		2.857142874366239149e-01, 3.999999999940941908e-01, 6.666666666666735130e-01))
	rest := f.mul(s, f.add(half, r))
	low, high := f.add(f.mul(k, f.num(ln2Low)), c), f.mul(k, f.num(ln2High))
	y := f.choose(f.is(k, lir.Eq, zero), f.sub(g, f.sub(half, rest)), f.sub(high, f.sub(f.sub(half, f.add(rest, low)), g)))
	// Just below a power of two, without a division.
	below := f.l.joined(f.is(m, lir.Ge, f.num(2-3*0x1p-52)), f.l.not(near))
	r = f.mul(half, f.sub(one, f.mul(f.num(0.66666666666666666), g)))
	y = f.choose(below, f.sub(high, f.sub(f.sub(r, low), g)), y)

	y = f.choose(f.is(a, lir.Lt, f.num(0x1p-29)), f.sub(x, f.mul(f.mul(x, x), f.num(0.5))), y)
	y = f.choose(f.is(a, lir.Lt, f.num(0x1p-54)), x, y)
	y = f.choose(f.is(x, lir.Eq, f.num(-1)), f.num(math.Inf(-1)), y)
	y = f.choose(f.is(x, lir.Gt, f.num(math.MaxFloat64)), x, y)
	return f.choose(f.is(x, lir.Ge, f.num(-1)), y, f.num(math.NaN()))
}

// expm1d is math.Expm1. For x = k ln 2 + r it is 2^k (e^r - 1) + 2^k - 1, in the order that k asks for.
func (f formula) expm1d(x operand) operand {
	zero, one, half := f.num(0), f.num(1), f.num(0.5)
	a := f.abs(x)
	k := f.do(lir.Trunc, f.add(f.mul(f.num(1.44269504088896338700e+00), x), f.signed(half, x)))
	k = f.choose(f.is(a, lir.Lt, f.num(1.03972077083991796413e+00)), f.signed(one, x), k)
	k = f.choose(f.is(a, lir.Gt, f.num(3.46573590279972654709e-01)), k, zero)
	hi, lo := f.sub(x, f.mul(k, f.num(ln2High))), f.mul(k, f.num(ln2Low))
	r := f.sub(hi, lo)
	c := f.sub(f.sub(hi, r), lo)

	hfx := f.mul(half, r)
	hxs := f.mul(r, hfx)
	r1 := f.steps(hxs, -2.01099218183624371326e-07, 4.00821782732936239552e-06, -7.93650757867487942473e-05, 1.58730158725481460165e-03,
		-3.33333333333331316428e-02, 1)
	t := f.sub(f.num(3), f.mul(r1, hfx))
	e := f.mul(hxs, f.div(f.sub(r1, t), f.sub(f.num(6), f.mul(r, t))))
	none := f.sub(r, f.sub(f.mul(r, e), hxs)) // for k = 0
	e = f.sub(f.sub(f.mul(r, f.sub(e, c)), c), hxs)
	rest := f.sub(e, r)

	n := f.shl(f.toBits(f.add(k, f.num(0x3p51))), 52) // k, where exponents are
	times := func(y operand) operand { return f.fromBits(f.int(lir.Add, f.toBits(y), n)) }
	part := f.fromBits(f.int(lir.Sub, f.bits(0x3ff<<52), n)) // 2^-k
	y := times(f.add(f.sub(r, f.add(e, part)), one))
	y = f.choose(f.is(k, lir.Lt, f.num(20)), times(f.sub(f.sub(one, part), rest)), y)
	outside := f.l.either(f.is(k, lir.Le, f.num(-2)), f.is(k, lir.Gt, f.num(56)))
	y = f.choose(outside, f.sub(times(f.sub(one, rest)), one), y)
	first := f.choose(f.is(r, lir.Lt, f.num(-0.25)), f.mul(f.num(-2), f.sub(e, f.add(r, half))), f.add(one, f.mul(f.num(2), f.sub(r, e))))
	y = f.choose(f.is(k, lir.Eq, one), first, y)
	y = f.choose(f.is(k, lir.Eq, f.num(-1)), f.sub(f.mul(half, f.sub(r, e)), half), y)
	y = f.choose(f.is(k, lir.Eq, zero), none, y)

	y = f.choose(f.is(a, lir.Lt, f.num(0x1p-54)), x, y)
	y = f.choose(f.is(x, lir.Le, f.num(-3.88162421113569373274e+01)), f.num(-1), y)
	y = f.choose(f.is(x, lir.Ge, f.num(7.09782712893383973096e+02)), f.num(math.Inf(1)), y)
	return f.choose(f.is(x, lir.Eq, x), y, x)
}

// cbrt64 is math.Cbrt for numbers that are no denormals: a third of the exponent, a quotient of polynomials, and a step of
// Newton's method.
func (f formula) cbrt64(x operand) operand {
	a := f.abs(x)
	f.within(f.l.either(f.l.not(f.is(a, lir.Lt, f.num(0x1p-1022))), f.is(a, lir.Eq, f.num(0))))
	w := bitwise{f.l, lir.U64}
	third := w.shr(w.do(lir.MulHi, f.l.op(lir.Instr{Op: lir.Bits, Kind: lir.U64, From: lir.F64}, nil, a), w.num(0xAAAAAAAAAAAAAAAB)), 1)
	third = f.l.op(lir.Instr{Op: lir.Bits, Kind: lir.I64, From: lir.U64}, nil, third)
	t := f.fromBits(f.int(lir.Add, third, f.bits(715094163<<32)))
	r := f.div(f.mul(t, t), a)
	s := f.add(f.num(5.42857142857142815906e-01), f.mul(r, t))
	q := f.div(f.num(1.60714285714285720630e+00), f.add(f.add(s, f.num(1.41428571428571436819e+00)), f.div(f.num(-7.05306122448979611050e-01), s)))
	t = f.mul(t, f.add(f.num(3.57142857142857150787e-01), q))
	t = f.fromBits(f.int(lir.Add, f.int(lir.And, f.toBits(t), f.bits(0xFFFFFFFFC<<28)), f.bits(1<<30)))
	r = f.div(a, f.mul(t, t))
	r = f.div(f.sub(r, t), f.add(f.add(t, t), r))
	t = f.signed(f.add(t, f.mul(t, r)), x)
	finite := f.l.joined(f.is(a, lir.Gt, f.num(0)), f.is(a, lir.Le, f.num(math.MaxFloat64)))
	return f.choose(finite, t, x)
}
