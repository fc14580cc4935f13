package compiler

import (
	"go/token"
	"go/types"
	"math"

	"github.com/gocuda/gocuda/internal/compiler/asm/amd64"
	"github.com/gocuda/gocuda/internal/compiler/asm/arm64"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Division and square roots in float32 where a kernel is marked fastmath: the machine's estimate, refined by Newton's method, takes a third of
// the time of the exact operation. Results are within 2 ulp where divisors and the numbers under a root are normal, and divisors below 2^125; zeros,
// infinities and NaNs are as Go has them. A divisor that is converted to its own type, x / float32(y), asks for the exact quotient, and package
// device asks so for all of its own, except for 1/sqrt(x), for which CUDA promises 2 ulp. The reciprocal of a constant is one. On arm64 only that is not exact.

// estimated returns the quotient x if it may be an approximation.
func (l *lowering) estimated(x *Binary, k lir.Kind, to operand) operand {
	if x.Op != token.QUO || k != lir.F32 || !l.b.k.Fastmath || l.single() {
		return nil
	}
	if c, ok := x.Y.(*Convert); ok && types.Identical(c.X.Type(), c.T) {
		return nil
	}
	if _, ok := floatConst(x.Y); !ok && !l.estimates() {
		return nil
	}
	f := formula{l, k}
	inverse := func(to operand) operand {
		if verb, arg, ok := floatCall(x.Y); ok && verb == lir.Sqrt {
			return f.reciprocalRoot(l.value(arg, nil), to)
		}
		if c, ok := floatConst(x.Y); ok && math.Abs(c) >= 0x1p-126 && math.Abs(c) < 0x1p125 {
			return f.num(1 / float64(float32(c)))
		}
		return f.reciprocal(l.value(x.Y, nil), to)
	}
	if isOne(x.X) {
		return inverse(to)
	}
	a := l.value(x.X, nil)
	return l.op(lir.Instr{Op: lir.Mul, Kind: k}, to, a, inverse(nil))
}

func isOne(e Expr) bool {
	x, ok := floatConst(e)
	return ok && x == 1
}

// estimates reports whether the machine's estimates are worth it. Those of NEON have 8 bits, and with as many steps as that takes they have several times the instructions
// of the exact operations, which the larger processors of arm64 have in pipelines.
func (l *lowering) estimates() bool { return l.nestShape.lanes*l.n.Size > arm64.NEON.Bytes }

// coarse reports whether estimates have 12 bits, not 14: then the step is of third order.
func (f formula) coarse() bool { return f.l.nestShape.lanes*f.l.n.Size < amd64.AVX512.Bytes }

// reciprocal is 1/x. With r the estimate and e = 1 - x*r it is r/(1-e) = r + r*(e + e*e + ...).
func (f formula) reciprocal(x, to operand) operand {
	r := f.do(lir.Recip, x)
	e := f.fnma(x, r, f.num(1))
	if f.coarse() {
		e = f.fma(e, e, e)
	}
	return f.unless(f.fma(r, e, r), r, to)
}

// reciprocalRoot is 1/sqrt(x). With r the estimate and e = 1 - x*r*r it is r/sqrt(1-e) = r + r*(e/2 + 3/8*e*e + ...).
func (f formula) reciprocalRoot(x, to operand) operand {
	r := f.do(lir.Rsqrt, x)
	return f.unless(f.fma(r, f.rootStep(x, r), r), r, to)
}

func (f formula) rootStep(x, r operand) operand {
	e := f.fnma(f.mul(x, r), r, f.num(1))
	if f.coarse() {
		return f.mul(e, f.fma(f.num(0.375), e, f.num(0.5)))
	}
	return f.mul(e, f.num(0.5))
}

// root is sqrt(x) = x * 1/sqrt(x); zero and infinity are their own roots.
func (f formula) root(x, to operand) operand {
	r := f.do(lir.Rsqrt, x)
	s := f.mul(x, r)
	s = f.fma(s, f.rootStep(x, r), s)
	own := f.l.either(f.is(x, lir.Eq, f.num(0)), f.is(x, lir.Eq, f.num(math.Inf(1))))
	return f.l.op(lir.Instr{Op: lir.Select, Kind: f.k}, to, own, x, s)
}

// unless is x, or y where x is a NaN: the estimate where it is 0, infinite or a NaN itself.
func (f formula) unless(x, y, to operand) operand {
	return f.l.op(lir.Instr{Op: lir.Select, Kind: f.k}, to, f.is(x, lir.Eq, x), x, y)
}
