package compiler

import (
	"go/token"
	"go/types"
	"math"

	"github.com/gocuda/gocuda/internal/compiler/asm/amd64"
	"github.com/gocuda/gocuda/internal/compiler/asm/arm64"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Approximate division and square root in float32, for kernels marked fastmath: the machine's
// estimate, refined by Newton's method, takes a third of the time of the exact operation. Errors
// are within 2 ulp for normal radicands and normal divisors below 2^125; zeros, infinities and NaNs
// give Go's results. A divisor that is converted to its own type, x / float32(y), requests the
// exact quotient. Package device requests it for all of its divisions except 1/sqrt(x), for which
// CUDA allows 2 ulp. A division by a constant multiplies by its reciprocal; on arm64 this is the
// only approximation.

// estimated returns the quotient x, if it may be approximate; otherwise nil.
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

// estimates reports whether the machine's estimates pay. Those of NEON have 8 bits. The necessary
// Newton steps take several times the instructions of the exact operations, which the larger arm64
// processors pipeline.
func (l *lowering) estimates() bool { return l.ofMachine().lanes*l.n.Size > arm64.NEON.Bytes }

// coarse reports whether estimates have 12 bits rather than 14, so that the refinement must be of
// third order.
func (f formula) coarse() bool { return f.l.ofMachine().lanes*f.l.n.Size < amd64.AVX512.Bytes }

// reciprocal is 1/x. With the estimate r and e = 1 - x*r, it is r/(1-e) = r + r*(e + e*e + ...).
func (f formula) reciprocal(x, to operand) operand {
	r := f.do(lir.Recip, x)
	e := f.fnma(x, r, f.num(1))
	if f.coarse() {
		e = f.fma(e, e, e)
	}
	return f.unless(f.fma(r, e, r), r, to)
}

// reciprocalRoot is 1/sqrt(x). With the estimate r and e = 1 - x*r*r, it is r/sqrt(1-e) = r +
// r*(e/2 + 3/8*e*e + ...).
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

// unless is x, or y in lanes where x is NaN. There the estimate y is zero, infinite or NaN, and is
// the result.
func (f formula) unless(x, y, to operand) operand {
	return f.l.op(lir.Instr{Op: lir.Select, Kind: f.k}, to, f.is(x, lir.Eq, x), x, y)
}
