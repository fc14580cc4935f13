package compiler

import (
	"go/token"
	"go/types"
	"slices"
)

// Range tests (pass ranges). One comparison of unsigned integers often stands for two:
//
//	uint32(x) < uint32(w)    for    x >= 0 && x < w
//	x-1 < w-2                for    x >= 1 && x-1 < w-2, if x is unsigned
//
// The nest gets the two, which are intervals of threads. They are equal unless the limit is so
// large that a number that wraps around is less, which is checked before the nest is entered.

// withRanges replaces such comparisons in the statements of a nest.
func (b *body) withRanges(r *region, rw *row, kind nestShape, list []Stmt) []Stmt {
	if b.off("ranges") {
		return list
	}
	var l *lowering
	return mapStmts(list, func(e Expr) Expr {
		x, ok := e.(*Binary)
		if !ok || !slices.Contains([]token.Token{token.LSS, token.GEQ, token.GTR, token.LEQ}, x.Op) || !has32(x.X.Type()) && !isUnsigned64(x.X.Type()) || !unsigned(x.X.Type()) {
			return e
		}
		if x.Op == token.GTR || x.Op == token.LEQ {
			x = &Binary{turnedOver[x.Op], x.Y, x.X, x.T}
		}
		both, check := twoTests(x)
		if both == nil {
			return e
		}
		if l == nil {
			l = b.newLowering(rw, r.stmts, 4, kind)
		}
		if !l.ofRow(x.Y) || b.chosenByData(x.X, map[*Var]bool{}) { // such numbers are compared once
			return e
		}
		if check != nil {
			rw.check(l.text(check))
		}
		b.k.works("ranges")
		return both
	})
}

var turnedOver = map[token.Token]token.Token{token.GTR: token.LSS, token.LEQ: token.GEQ}

// twoTests returns the two signed comparisons that a comparison x.X < x.Y or x.X >= x.Y of unsigned
// integers stands for, and the condition under which they are equal to it; nil if it is always true.
func twoTests(x *Binary) (both, check Expr) {
	const bits31 = 1 << 31
	toInt := func(e Expr) Expr { return &Convert{e, intType} }
	var low, high Expr
	switch from := x.X.(type) {
	case *Convert: // of a signed integer, which wraps around to at least half of the range
		s := from.X
		if !isInteger(s.Type()) || unsigned(s.Type()) || elem(s.Type()) != "I32" && !types.Identical(s.Type().Underlying(), intType) {
			return nil, nil
		}
		if wide(s.Type()) && !wide(x.X.Type()) {
			s = &Convert{s, types.Typ[types.Int32]}
		}
		limit := x.Y
		if c, ok := limit.(*Convert); ok && isInteger(c.X.Type()) && !unsigned(c.X.Type()) && wide(c.X.Type()) == wide(x.Y.Type()) {
			limit = c.X
			check = &Binary{token.GEQ, limit, zeroOf(limit.Type()), boolType}
		} else if wide(x.Y.Type()) {
			return nil, nil
		} else if n, isConst := constInt(limit); !isConst || n > bits31 {
			check = &Binary{token.LEQ, toInt(limit), intExpr(bits31), boolType}
		}
		low, high = &Binary{token.LSS, s, zeroOf(s.Type()), boolType}, &Binary{token.GEQ, toInt(s), toInt(limit), boolType}
	case *Binary: // a difference, which wraps around to the end of the range
		c, ok := constInt(from.Y)
		if !ok || from.Op != token.SUB || c <= 0 || c > bits31 || !has32(from.T) {
			return nil, nil
		}
		if c > 1 {
			check = &Binary{token.LEQ, toInt(x.Y), intExpr(1<<32 - c), boolType}
		}
		low = &Binary{token.LSS, from.X, from.Y, boolType}
		high = &Binary{token.GEQ, &Binary{token.SUB, toInt(from.X), intExpr(c), intType}, toInt(x.Y), boolType}
	default:
		return nil, nil
	}
	both = &Binary{token.LOR, low, high, boolType}
	if x.Op == token.LSS {
		both = not(both)
	}
	return both, check
}

// chosenByData reports whether an integer depends on what threads have loaded, however indirectly.
func (b *body) chosenByData(e Expr, seen map[*Var]bool) bool {
	found := loads(e)
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Call:
			found = found || !x.Pure
		case *VarRef:
			if found || x.V.Param || seen[x.V] {
				return
			}
			seen[x.V] = true
			found = x.V.addr
			walk(b.k.Body, func(s Stmt) {
				switch s := s.(type) {
				case *Assign:
					for _, to := range s.L {
						if v, _ := assigned(to); to != nil && v == x.V {
							found = found || b.chosenByData(s.R, seen)
						}
					}
				case *Warp, *Barrier:
					found = found || slices.Contains(results(s), x.V)
				}
			})
		}
	})
	return found
}
