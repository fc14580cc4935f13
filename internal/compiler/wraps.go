package compiler

import (
	"fmt"
	"go/token"
	"go/types"
)

// Neighbours on a ring or a torus, as in
//
//	left, right := (x-1+n)%n, (x+1)%n
//
// Such a remainder is affine except for the threads at one edge, if it wraps around at most once:
// it is its dividend, or n more, or n less. That is checked before the nest is entered (index set
// splitting of modular indices). A remainder is assumed to be such if n is added in it, if threads
// have a guard x < n, or if another remainder by n adds n. Any other remainder is expressed by its
// quotient (quotients.go).

// aroundOnce reports whether a remainder is assumed to wrap around at most once.
func (k *Kernel) aroundOnce(x *Binary) bool {
	if x.Op != token.REM || !types.Identical(x.T.Underlying(), intType) && !has32(x.T) {
		return false
	}
	if _, isConst := constInt(x.Y); isConst {
		return false
	}
	adds, moved := addsTo(x.X, x.Y)
	return adds || moved && k.guardsRing(x)
}

// addsTo reports whether y is a summand of a sum, and whether a constant is added or subtracted.
func addsTo(sum, y Expr) (adds, moved bool) {
	s, ok := sum.(*Binary)
	if !ok || s.Op != token.ADD && s.Op != token.SUB {
		return false, false
	}
	for i, e := range []Expr{s.X, s.Y} {
		if (i == 0 || s.Op == token.ADD) && sameExpr(e, y) {
			adds = true
		}
		if _, isConst := constInt(e); isConst {
			moved = true
		}
		if i == 0 || s.Op == token.ADD {
			a, m := addsTo(e, y)
			adds, moved = adds || a, moved || m
		}
	}
	return adds, moved
}

// guardsRing reports whether the kernel compares a variable of x with x's divisor, or adds the
// divisor in another remainder by it.
func (k *Kernel) guardsRing(x *Binary) bool {
	found := false
	walk(k.Body, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(e Expr) {
				y, ok := e.(*Binary)
				switch {
				case !ok || found:
				case y.Op == token.REM && sameExpr(y.Y, x.Y):
					found, _ = addsTo(y.X, y.Y)
				case (y.Op == token.LSS || y.Op == token.GEQ) && sameExpr(y.Y, x.Y):
					if r, isRef := y.X.(*VarRef); isRef {
						found = mentions(x.X, r.V)
					}
				}
			})
		})
	})
	return found
}

// wrapped returns a remainder that wraps around at most once as pieces.
func (l *lowering) wrapped(x *Binary) ([]piece, bool) {
	p, okP := l.polyOf(x.X)
	n, okN := l.polyOf(x.Y)
	if !okP || !okN || !n.ofRow() || len(n) != 1 {
		return nil, false
	}
	l.inRange(p, x.T)
	rest, added := p, false
	for m, by := range n {
		if by != 1 || m == "" || p[m] < 0 || p[m] > 1 {
			return nil, false
		}
		if added = p[m] == 1; added {
			rest = p.plus(n, -1)
		}
	}
	l.small(n, 0)
	lo, hi := l.ends(rest)
	text := l.syms.text(n)
	// The result is rest for most threads, and n more or n less for the others.
	d, op, by := rest.plus(n, -1), token.LSS, int64(-1)
	inside, outside := fact(n.plus(rest, -1)), fact(d.plus(number(1), 1))
	if added && rest[""] < 0 {
		l.check(fmt.Sprintf("%s > 0 && %s >= -(%s) && %s < %s", text, lo, text, hi, text))
		d, op, by = rest, token.GEQ, 1
		inside, outside = fact(rest.plus(number(1), 1)), fact(poly{}.plus(rest, -1))
	} else {
		l.check(fmt.Sprintf("%s > 0 && %s >= 0 && %s < 2*(%s)", text, lo, hi, text))
	}
	factor, _, ok := d.by(laneSymbol)
	if step, isConst := factor.constant(); !ok || len(factor) > 0 && (!isConst || step != 1 && step != -1) {
		return nil, false
	}
	var first, second piece
	l.bounded = true
	if len(factor) == 0 {
		first.on, first.in = l.whole(d, op)
	} else {
		first.on, first.in = l.interval(d, op)
	}
	l.bounded = false
	second.on, second.in = l.not(first.on), first.in.other()
	first.p, second.p = rest, rest.plus(n, by)
	first.facts, second.facts = []fact{inside}, []fact{outside}
	var out []piece
	for _, a := range []piece{first, second} {
		if !l.isNone(a.on) {
			out = append(out, a)
		}
	}
	l.b.k.works("wraps")
	return out, true
}
