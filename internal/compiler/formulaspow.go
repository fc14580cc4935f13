package compiler

import (
	"math"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Powers, remainders and error functions of package math in float64; see formulas64.go. The error functions follow
// their Go source, whose coefficients are those of FreeBSD's msun (s_erf.c by Sun Microsystems).

// mostExponent is the limit of |y| up to which x^y is computed here; it needs a squaring for each bit.
const mostExponent = 64

// pow64 is math.Pow for finite x that are no denormals, and |y| < mostExponent. With x = m 2^e it multiplies the squares
// of m that the bits of y's whole part choose, and x^f for the rest f by Exp and Log; the exponents are added apart.
func (f formula) pow64(x, y operand) operand { return f.powUpTo(mostExponent, x, y) }

// powUpTo is pow64 for |y|, rounded to a whole number, whose highest bit is most or less.
func (f formula) powUpTo(most int, x, y operand) operand {
	zero, one, half, two := f.num(0), f.num(1), f.num(0.5), f.num(2)
	a, ay := f.abs(x), f.abs(y)
	none := f.is(x, lir.Eq, zero)
	f.within(f.l.joined(f.l.either(none, f.l.joined(f.is(a, lir.Ge, f.num(0x1p-1022)), f.is(a, lir.Le, f.num(math.MaxFloat64)))),
		f.is(ay, lir.Lt, f.num(mostExponent))))
	whole := f.do(lir.Trunc, ay)
	rest := f.sub(ay, whole)
	isWhole := f.is(rest, lir.Eq, zero)
	odd := f.l.joined(isWhole, f.is(f.do(lir.Floor, f.mul(whole, half)), lir.Ne, f.mul(whole, half)))

	up := f.is(rest, lir.Gt, half)
	rest = f.choose(up, f.sub(rest, one), rest)
	n := f.choose(up, f.add(whole, one), whole)
	part := f.choose(isWhole, one, f.exp64(f.mul(rest, f.log64(a))))

	m, e := f.frexp(x)
	exponent := zero
	for bit := 1; bit <= most; bit *= 2 {
		less := f.do(lir.Floor, f.mul(n, half))
		set := f.is(less, lir.Ne, f.mul(n, half))
		part = f.choose(set, f.mul(part, m), part)
		exponent = f.choose(set, f.add(exponent, e), exponent)
		if bit*2 > most {
			break
		}
		n, m, e = less, f.mul(m, m), f.add(e, e)
		small := f.is(m, lir.Lt, half)
		m, e = f.choose(small, f.add(m, m), m), f.choose(small, f.sub(e, one), e)
	}
	negative := f.is(y, lir.Lt, zero)
	part = f.choose(negative, f.div(one, part), part)
	exponent = f.choose(negative, f.neg(exponent), exponent)

	// The last factor is in [1, 2), and has no sign.
	m, e = f.frexp(f.abs(part))
	e = f.sub(f.add(exponent, e), one)
	z := f.ldexp(f.mul(m, two), f.choose(f.is(e, lir.Lt, f.num(-2000)), f.num(-2000), e), f.is(e, lir.Gt, f.num(1023)))
	z = f.signed(z, part)

	root := f.do(lir.Sqrt, x)
	z = f.choose(f.is(y, lir.Eq, half), root, z)
	z = f.choose(f.is(y, lir.Eq, f.num(-0.5)), f.div(one, root), z)
	z = f.choose(f.l.joined(f.is(x, lir.Lt, zero), f.l.not(isWhole)), f.num(math.NaN()), z)
	zeroth := f.choose(negative, f.num(math.Inf(1)), zero)
	z = f.choose(none, f.choose(odd, f.signed(zeroth, x), zeroth), z)
	return f.choose(f.is(y, lir.Eq, zero), one, z)
}

// frexp is math.Frexp for numbers that are neither 0 nor denormal nor infinite: x = m 2^e with |m| in [1/2, 1).
func (f formula) frexp(x operand) (m, e operand) {
	u := f.toBits(x)
	m = f.fromBits(f.int(lir.Or, f.int(lir.And, u, f.bits(1<<63|1<<52-1)), f.bits(0x3fe<<52)))
	high := f.int(lir.And, f.shr(u, 52), f.bits(0x7ff))
	return m, f.sub(f.fromBits(f.int(lir.Or, high, f.bits(0x433<<52))), f.num(0x1p52+1022))
}

// mod64 is math.Mod for quotients below 2^53: x - q y is exact then. A quotient that was rounded up to q is one less.
func (f formula) mod64(x, y operand) operand {
	a, b, zero := f.abs(x), f.abs(y), f.num(0)
	q := f.div(a, b)
	f.within(f.l.joined(f.is(q, lir.Lt, f.num(1<<53)), f.is(b, lir.Le, f.num(math.MaxFloat64))))
	r := f.fnma(f.do(lir.Trunc, q), b, a)
	r = f.choose(f.is(r, lir.Lt, zero), f.add(r, b), r)
	return f.signed(f.abs(r), x)
}

// erfNear is P/Q for |x| below 0.84375, with z = x^2.
func (f formula) erfNear(z operand) operand {
	return f.div(f.steps(z, -2.37630166566501626084e-05, -5.77027029648944159157e-03, -2.84817495755985104766e-02, -3.25042107247001499370e-01, 1.28379167095512558561e-01), f.steps(z, -3.96022827877536812320e-06, 1.32494738004321644526e-04, 5.08130628187576562776e-03, 6.50222499887672944485e-02, 3.97917223959155352819e-01, 1))
}

// erfMiddle is P/Q for |x| from 0.84375 to 1.25, with s = |x| - 1.
func (f formula) erfMiddle(s operand) operand {
	return f.div(f.steps(s, -2.16637559486879084300e-03, 3.54783043256182359371e-02, -1.10894694282396677476e-01, 3.18346619901161753674e-01, -3.72207876035701323847e-01, 4.14856118683748331666e-01, -2.36211856075265944077e-03), f.steps(s, 1.19844998467991074170e-02, 1.36370839120290507362e-02, 1.26171219808761642112e-01, 7.18286544141962662868e-02, 5.40397917702171048937e-01, 1.06420880400844228286e-01, 1))
}

// erfFar is |x| erfc(|x|) for a = |x| from 1.25 on.
func (f formula) erfFar(a operand) operand {
	s := f.div(f.num(1), f.mul(a, a))
	near := f.is(a, lir.Lt, f.num(1/0.35))
	r := f.choose(near, f.steps(s, -9.81432934416914548592e+00, -8.12874355063065934246e+01, -1.84605092906711035994e+02, -1.62396669462573470355e+02, -6.23753324503260060396e+01, -1.05586262253232909814e+01, -6.93858572707181764372e-01, -9.86494403484714822705e-03), f.steps(s, -4.83519191608651397019e+02, -1.02509513161107724954e+03, -6.37566443368389627722e+02, -1.60636384855821916062e+02, -1.77579549177547519889e+01, -7.99283237680523006574e-01, -9.86494292470009928597e-03))
	t := f.choose(near, f.steps(s, -6.04244152148580987438e-02, 6.57024977031928170135e+00, 1.08635005541779435134e+02, 4.29008140027567833386e+02, 6.45387271733267880336e+02, 4.34565877475229228821e+02, 1.37657754143519042600e+02, 1.96512716674392571292e+01, 1), f.steps(s, -2.24409524465858183362e+01, 4.74528541206955367215e+02, 2.55305040643316442583e+03, 3.19985821950859553908e+03, 1.53672958608443695994e+03, 3.25792512996573918826e+02, 3.03380607434824582924e+01, 1))
	z := f.fromBits(f.int(lir.And, f.toBits(a), f.bits(0xffffffff<<32)))
	first := f.exp64(f.sub(f.mul(f.neg(z), z), f.num(0.5625)))
	return f.mul(first, f.exp64(f.add(f.mul(f.sub(z, a), f.add(z, a)), f.div(r, t))))
}

// erfConst is c in erf(x) = c + P/Q for |x| from 0.84375 to 1.25.
const erfConst = 8.45062911510467529297e-01

// erf64 is math.Erf.
func (f formula) erf64(x operand) operand {
	a, one := f.abs(x), f.num(1)
	z := f.mul(a, a)
	near := f.add(a, f.mul(a, f.erfNear(z)))
	near = f.choose(f.is(a, lir.Lt, f.num(1.0/(1<<28))), f.add(a, f.mul(f.num(1.28379167095512586316e-01), a)), near)
	near = f.choose(f.is(a, lir.Lt, f.num(2.848094538889218e-306)), f.mul(f.num(0.125), f.add(f.mul(f.num(8), a), f.mul(f.num(1.02703333676410069053e+00), a))), near)
	middle := f.add(f.num(erfConst), f.erfMiddle(f.sub(a, one)))
	far := f.sub(one, f.div(f.erfFar(a), a))
	far = f.choose(f.is(a, lir.Ge, f.num(6)), one, far)
	y := f.choose(f.is(a, lir.Lt, f.num(1.25)), middle, far)
	y = f.choose(f.is(a, lir.Lt, f.num(0.84375)), near, y)
	return f.choose(f.is(x, lir.Eq, x), f.signed(y, x), x)
}

// erfc64 is math.Erfc.
func (f formula) erfc64(x operand) operand {
	a, one, two := f.abs(x), f.num(1), f.num(2)
	negative := f.is(x, lir.Lt, f.num(0))
	z := f.mul(a, a)
	xy := f.mul(a, f.erfNear(z))
	t := f.choose(f.is(a, lir.Lt, f.num(0.25)), f.add(a, xy), f.add(f.num(0.5), f.add(xy, f.sub(a, f.num(0.5)))))
	t = f.choose(f.is(a, lir.Lt, f.num(1.0/(1<<56))), a, t)
	near := f.choose(negative, f.add(one, t), f.sub(one, t))
	pq := f.erfMiddle(f.sub(a, one))
	middle := f.choose(negative, f.add(f.num(1+erfConst), pq), f.sub(f.num(1-erfConst), pq))
	far := f.div(f.erfFar(a), a)
	far = f.choose(negative, f.choose(f.is(a, lir.Gt, f.num(6)), two, f.sub(two, far)), far)
	far = f.choose(f.is(a, lir.Lt, f.num(28)), far, f.choose(negative, two, f.num(0)))
	y := f.choose(f.is(a, lir.Lt, f.num(1.25)), middle, far)
	y = f.choose(f.is(a, lir.Lt, f.num(0.84375)), near, y)
	return f.choose(f.is(x, lir.Eq, x), y, x)
}
