package compiler

import (
	"fmt"
	"go/token"
	"math/big"
	"math/bits"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Division of integers by constants: a quotient is the high half of a product with a multiplier that
// stands for the reciprocal (Granlund and Montgomery, "Division by invariant integers using
// multiplication", PLDI 1994; Warren, Hacker's Delight, chapter 10). Powers of two are shifts. For a
// uniform divisor that is known only at run time, the reciprocal is computed before the nest. Plain
// Go keeps the division, which Go's compiler strength-reduces itself.

// division is a quotient or a remainder of 32-bit integers, or of 64-bit integers that are known to
// fit in 32 bits or have a uniform divisor.
func (l *lowering) division(x *Binary, k lir.Kind, to operand) operand {
	of := k
	var a, b operand
	n, isConst := constInt(l.expand(x.Y))
	if k.Size() == 8 {
		p, okP := l.countOf(x.X)
		q, okQ := l.countOf(x.Y)
		switch {
		case okP && okQ && l.exact(p) && l.exact(q):
			of, a, b = lir.I32, l.numbers(p), l.numbers(q)
		case isConst || l.dividesAll(x.Y):
			a = l.value(x.X, nil)
		default:
			cannot("the operator %v of integers of 64 bits", x.Op)
		}
	} else {
		a = l.value(x.X, nil)
	}
	if isConst && !l.single() {
		if o := l.byConstant(x.Op, a, of, n, to, k); o != nil {
			return o
		}
	}
	if b == nil && !isConst && !l.single() && l.dividesAll(x.Y) {
		return l.byUniform(x, a, of, to, k)
	}
	if b == nil {
		b = l.value(x.Y, nil)
	}
	if !isConst {
		zero := l.once(fmt.Sprint("c", uint64(0), of), of, lir.Instr{Op: lir.Const})
		bad := l.joined(l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: of, Pred: lir.Eq}, nil, b, zero), l.on)
		l.faultWhere(bad)
	}
	q := l.op(lir.Instr{Op: lir.Div, Kind: of}, nil, a, b)
	if x.Op == token.REM {
		q = l.op(lir.Instr{Op: lir.Sub, Kind: of}, nil, a, l.op(lir.Instr{Op: lir.Mul, Kind: of}, nil, q, b))
	}
	return l.widened(q, of, k, to)
}

// widened converts an integer of kind of to kind k, which is as wide or wider.
func (l *lowering) widened(o operand, of, k lir.Kind, to operand) operand {
	switch {
	case of != k:
		return l.op(lir.Instr{Op: lir.Convert, Kind: k, From: of}, to, o)
	case to == nil:
		return o
	}
	return l.op(lir.Instr{Op: lir.Move, Kind: of}, to, o)
}

// byConstant is the quotient v/d or the remainder, for integers of kind of, as kind k. For an unsigned
// kind, d has the bits of the divisor. It returns nil for the divisors 0 and the least integer.
func (l *lowering) byConstant(op token.Token, v operand, of lir.Kind, d int64, to operand, k lir.Kind) operand {
	width := 8 * of.Size()
	by := uint64(d)
	negative := of.IsSigned() && d < 0
	switch {
	case !of.IsSigned() && width == 32:
		by = uint64(uint32(d))
	case negative:
		by = -by
	}
	if by == 0 || of.IsSigned() && by >= 1<<(width-1) {
		return nil
	}
	number := func(n uint64) operand {
		n &= ^uint64(0) >> (64 - width)
		return l.once(fmt.Sprint("c", n, of), of, lir.Instr{Op: lir.Const, Imm: n})
	}
	do := func(op lir.Op, a, b operand) operand { return l.op(lir.Instr{Op: op, Kind: of}, nil, a, b) }
	shr := func(a operand, n int) operand {
		if n == 0 {
			return a
		}
		return l.op(lir.Instr{Op: lir.Shr, Kind: of, Imm: uint64(n)}, nil, a)
	}
	var q operand
	switch {
	case by == 1:
		q = v
	case by&(by-1) == 0:
		n := bits.TrailingZeros64(by)
		sum := v
		if of.IsSigned() { // towards 0
			sum = do(lir.Add, v, do(lir.And, shr(v, width-1), number(by-1)))
		}
		if op == token.REM {
			return l.widened(do(lir.Sub, v, do(lir.And, sum, number(-by))), of, k, to)
		}
		q = shr(sum, n)
	case of.IsSigned():
		factor, shift, _ := multiplier(width, width-1, by)
		sign := shr(v, width-1) // -1 where v is negative
		if width == 64 {        // the unsigned product is 2^64*factor larger where v is negative
			unsigned := l.op(lir.Instr{Op: lir.Bits, Kind: lir.U64, From: of}, nil, v)
			m := l.once(fmt.Sprint("c", factor, lir.U64), lir.U64, lir.Instr{Op: lir.Const, Imm: factor})
			q = l.op(lir.Instr{Op: lir.MulHi, Kind: lir.U64}, nil, unsigned, m)
			q = do(lir.Sub, l.op(lir.Instr{Op: lir.Bits, Kind: of, From: lir.U64}, nil, q), do(lir.And, sign, number(factor)))
		} else if q = do(lir.MulHi, v, number(factor)); factor >= 1<<31 { // as a signed integer it is 2^32 less
			q = do(lir.Add, q, v)
		}
		q = do(lir.Sub, shr(q, shift), sign)
	default:
		factor, shift, more := multiplier(width, width, by)
		zeros := bits.TrailingZeros64(by)
		switch {
		case more && zeros > 0:
			factor, shift, _ = multiplier(width, width-zeros, by>>zeros)
			q = shr(do(lir.MulHi, shr(v, zeros), number(factor)), shift)
		case more: // the multiplier is 2^width + factor, which does not fit
			high := do(lir.MulHi, v, number(factor))
			q = shr(do(lir.Add, shr(do(lir.Sub, v, high), 1), high), shift-1)
		default:
			q = shr(do(lir.MulHi, v, number(factor)), shift)
		}
	}
	switch {
	case op == token.REM:
		q = do(lir.Sub, v, do(lir.Mul, q, number(by)))
	case negative:
		q = l.op(lir.Instr{Op: lir.Neg, Kind: of}, nil, q)
	}
	return l.widened(q, of, k, to)
}

// dividesAll reports whether a divisor is uniform and known before the nest.
func (l *lowering) dividesAll(e Expr) bool { return !mayPanic(e) && l.ofRow(e) }

// byUniform is the quotient or the remainder of v, of kind of, by a uniform divisor, as kind k. The
// nest is not entered if the divisor is 0. Signed integers are divided as absolute values.
func (l *lowering) byUniform(x *Binary, v operand, of lir.Kind, to operand, k lir.Kind) operand {
	typ := map[lir.Kind]string{lir.I32: "int32", lir.U32: "uint32", lir.I64: "int64", lir.U64: "uint64"}[of]
	by := fmt.Sprintf("%s(%s)", typ, l.text(x.Y))
	l.check(by + " != 0")
	reciprocal := l.local("reciprocal", fmt.Sprintf("%s.ReciprocalOf(%s)", l.b.rt(), by))
	unsigned := lir.U64
	if of.Size() == 4 {
		unsigned = lir.U32
	}
	arg := func(kind lir.Kind, typ, text string) operand {
		text = fmt.Sprintf("%s(%s)", typ, text)
		return l.once("a"+typ+text, kind, lir.Instr{Op: lir.Arg, Mem: lir.Mem{Disp: l.arg(typ, text)}})
	}
	part := func(name string) operand {
		return arg(unsigned, map[lir.Kind]string{lir.U32: "uint32", lir.U64: "uint64"}[unsigned], reciprocal+"."+name)
	}
	do := func(op lir.Op, k lir.Kind, a, b operand) operand { return l.op(lir.Instr{Op: op, Kind: k}, nil, a, b) }
	magnitude, sign := v, operand(nil)
	if of.IsSigned() {
		sign = l.op(lir.Instr{Op: lir.Shr, Kind: of, Imm: uint64(8*of.Size() - 1)}, nil, v)
		magnitude = l.op(lir.Instr{Op: lir.Bits, Kind: unsigned, From: of}, nil, do(lir.Sub, of, do(lir.Xor, of, v, sign), sign))
	}
	high := do(lir.MulHi, unsigned, magnitude, part("Factor"))
	q := do(lir.ShrBy, unsigned, do(lir.Sub, unsigned, magnitude, high), part("First"))
	q = do(lir.ShrBy, unsigned, do(lir.Add, unsigned, q, high), part("Then"))
	if of.IsSigned() {
		sign = do(lir.Xor, of, sign, arg(of, typ, reciprocal+".Sign"))
		q = do(lir.Sub, of, do(lir.Xor, of, l.op(lir.Instr{Op: lir.Bits, Kind: of, From: unsigned}, nil, q), sign), sign)
	}
	if x.Op == token.REM {
		q = do(lir.Sub, of, v, do(lir.Mul, of, q, arg(of, typ, l.text(x.Y))))
	}
	return l.widened(q, of, k, to)
}

// multiplier returns factor and shift such that n/d is n*factor >> (width + shift) for n in
// [0, 2^most). For n in [-2^most, 0) the shift rounds down, so that n/d is one more. If more is set,
// the multiplier is 2^width + factor. d must not be a power of two.
func multiplier(width, most int, d uint64) (factor uint64, shift int, more bool) {
	by, one := new(big.Int).SetUint64(d), big.NewInt(1)
	last := new(big.Int).Lsh(one, uint(most)) // the largest n with the remainder d-1
	last.Sub(last, new(big.Int).Mod(last, by)).Sub(last, one)
	for p := width; ; p++ {
		power := new(big.Int).Lsh(one, uint(p))
		excess := new(big.Int).Mod(new(big.Int).Neg(power), by)
		if power.Cmp(new(big.Int).Mul(last, excess)) <= 0 {
			continue
		}
		m := excess.Add(excess, power).Div(excess, by)
		more = m.BitLen() > width
		m.SetBit(m, width, 0)
		return m.Uint64(), p - width, more
	}
}
