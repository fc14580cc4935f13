package compiler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Quotients: a thread that computes two indices from one, as in x, y := i%w, i/w, has integers that
// are not affine in i. In polynomials a quotient is a symbol, and i%w is i - w*(i/w); so y*w + x is
// i again, and neighbouring threads access neighbouring elements. Polynomials that still contain a
// quotient are computed as vectors. The divisor must be uniform and positive, and the dividend not
// negative; both are checked before the nest is entered.

// A quotient is the integer quotient a/b.
type quotient struct{ a, b poly }

func (p poly) hasQuotient() bool {
	for m := range p {
		for f := range strings.SplitSeq(m, "*") {
			if strings.HasPrefix(f, "q") {
				return true
			}
		}
	}
	return false
}

// quotient returns a/b as a symbol. a is the polynomial of e.
func (l *lowering) quotient(e Expr, a, b poly) (poly, bool) {
	n, isConst := b.constant()
	if a.ofRow() || a.hasQuotient() || !b.ofRow() || isConst && (n <= 0 || n >= 1<<31) {
		return nil, false
	}
	if l.quiet == 0 {
		lo, hi := l.hull(a)
		l.check(fmt.Sprintf("%s >= 0 && %s < 1<<31 - 1", lo, hi))
		if !isConst {
			l.small(b, 0)
			l.check(fmt.Sprintf("%s > 0 && %s <= 1<<31 - 1", l.syms.text(b), l.syms.text(b)))
		}
	}
	i := slices.IndexFunc(l.divisions, func(q quotient) bool { return q.a.key() == a.key() && q.b.key() == b.key() })
	if i < 0 {
		i = len(l.divisions)
		l.divisions = append(l.divisions, quotient{a, b})
	}
	return poly{fmt.Sprintf("q%d", i): 1}, true
}

// vectorOf is an integer with quotients as a 32-bit vector, modulo 2^32.
func (l *lowering) vectorOf(p poly) operand {
	var sum operand
	rest := p
	for i, q := range l.divisions {
		factor, without, ok := rest.by(fmt.Sprintf("q%d", i))
		if !ok || !factor.ofRow() {
			cannot("an integer with a product of quotients")
		}
		if rest = without; len(factor) == 0 {
			continue
		}
		v := l.divided(q)
		if n, isConst := factor.constant(); !isConst || n != 1 {
			v = l.op(lir.Instr{Op: lir.Mul, Kind: lir.I32}, nil, v, l.uniform32(factor))
		}
		if sum == nil {
			sum = v
		} else {
			sum = l.op(lir.Instr{Op: lir.Add, Kind: lir.I32}, nil, sum, v)
		}
	}
	if len(rest) == 0 {
		return sum
	}
	return l.op(lir.Instr{Op: lir.Add, Kind: lir.I32}, nil, sum, l.sequence(rest, lir.I32))
}

// divided is a quotient as a vector.
func (l *lowering) divided(q quotient) operand {
	a := l.sequence(q.a, lir.I32)
	if n, isConst := q.b.constant(); isConst && n&(n-1) == 0 {
		shift := 0
		for 1<<shift < n {
			shift++
		}
		return l.op(lir.Instr{Op: lir.Shr, Kind: lir.I32, Imm: uint64(shift)}, nil, a)
	}
	by := l.uniform32(q.b)
	divide := lir.Instr{Op: lir.Div, Kind: lir.I32}
	factor, rest, _ := q.a.by(laneSymbol)
	if n, isConst := factor.constant(); isConst && n == 1 && !rest.has(rowSymbol) && !l.single() && l.n.Size == 4 && len(a) == l.parts {
		divide.Run, divide.Bounds = true, [2]lir.Scalar{l.scalarFrom(rest, 0, " + ‹lo›"), {Off: l.arg("int", l.syms.text(q.b))}}
	}
	return l.op(divide, nil, a, by)
}

// uniform32 is a uniform integer as a 32-bit vector.
func (l *lowering) uniform32(p poly) operand {
	l.small(p, 0)
	if n, isConst := p.constant(); isConst {
		bits := uint64(uint32(n))
		return l.once(fmt.Sprint("c", bits, lir.I32), lir.I32, lir.Instr{Op: lir.Const, Imm: bits})
	}
	text := l.syms.text(p)
	return l.once("a int32"+text, lir.I32, lir.Instr{Op: lir.Arg, Mem: lir.Mem{Disp: l.arg("int32", fmt.Sprintf("int32(%s)", text))}})
}

// ends returns Go expressions for a lower and an upper bound of an integer with quotients.
func (l *lowering) ends(p poly) (lo, hi string) {
	rest := p
	for i, q := range l.divisions {
		symbol := fmt.Sprintf("q%d", i)
		factor, without, ok := rest.by(symbol)
		if !ok || !factor.ofRow() {
			cannot("an integer with a product of quotients")
		}
		if len(factor) == 0 {
			continue
		}
		// 0 <= a - b*q < b.
		if k, ok := multiple(factor, q.b); ok && k > -1<<16 && k < 1<<16 {
			rest = without.plus(q.a, k) // p is rest - k*(a - b*q)
			l.small(q.b, 1)
			end := fmt.Sprintf("(%d)*(%s-1)", -k, l.syms.text(q.b))
			if k < 0 {
				hi += " + " + end
			} else {
				lo += " + " + end
			}
			continue
		}
		rest = without
		first, last := l.hull(q.a)
		l.small(q.b, 0)
		l.small(factor, 1)
		text, by := l.syms.text(factor), l.syms.text(q.b)
		a, b := l.local("first", fmt.Sprintf("(%s)/max(%s, 1)*(%s)", first, by, text)), l.local("last", fmt.Sprintf("(%s)/max(%s, 1)*(%s)", last, by, text))
		lo, hi = lo+fmt.Sprintf(" + min(%s, %s)", a, b), hi+fmt.Sprintf(" + max(%s, %s)", a, b)
	}
	first, last := l.hull(rest)
	return first + lo, last + hi
}

// multiple returns k such that p is k*q.
func multiple(p, q poly) (k int64, ok bool) {
	for m, n := range q {
		if p[m]%n != 0 {
			return 0, false
		}
		k = p[m] / n
		break
	}
	return k, k != 0 && len(p.plus(q, -k)) == 0
}
