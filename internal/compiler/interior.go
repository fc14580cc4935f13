package compiler

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Interiors: what a space does away from the edges of arrays. Clamps and comparisons of indices have one result for all
// of its threads there, which is known from the first and the last one. At the edges, the block runs as it is written
// (index-set splitting; Griebl, Feautrier and Lengauer, 2000).

// interior returns a body in which clamps of indices, and branches at the edges of an array, are decided for all
// elements alike, under conditions, which it adds.
func (s *strider) interior(list []Stmt, value map[*Var]Expr) (out []Stmt) {
	unclamped := func(e Expr) Expr {
		return mapExpr(e, func(e Expr) Expr {
			c, ok := e.(*Call)
			if !ok || c.Fn != nil || c.Name != "min" && c.Name != "max" || len(c.Args) != 2 || !types.Identical(c.T.Underlying(), intType) {
				return e
			}
			op := token.LEQ
			if c.Name == "max" {
				op = token.GEQ
			}
			for i, x := range c.Args {
				if conds := s.everywhere(inlined(x, value), op, c.Args[1-i]); conds != nil {
					s.conds = append(s.conds, conds...)
					return x
				}
			}
			return e
		})
	}
	for _, st := range list {
		switch x := st.(type) {
		case *Assign:
			y := *x
			y.R = unclamped(x.R)
			y.L = slices.Clone(x.L)
			for i, l := range y.L {
				if to, isIndex := l.(*Index); isIndex {
					z := *to
					z.I = unclamped(to.I)
					y.L[i] = &z
				}
			}
			if v, whole := assigned(y.L[0]); v != nil && whole && len(y.L) == 1 {
				value[v] = inlined(y.R, value)
			}
			out = append(out, &y)
		case *If:
			if taken, conds := s.decided(x, inlined(x.Cond, value)); conds != nil {
				s.conds = append(s.conds, conds...)
				out = append(out, s.interior(taken, value)...)
				continue
			}
			y := *x
			y.Cond = unclamped(x.Cond)
			y.Then, y.Else = s.interior(x.Then, maps.Clone(value)), s.interior(x.Else, maps.Clone(value))
			out = append(out, &y)
			maps.DeleteFunc(value, func(v *Var, _ Expr) bool { return assignedIn(x)[v] })
		case *For:
			y := *x
			changes := assignedIn(x)
			maps.DeleteFunc(value, func(v *Var, _ Expr) bool { return changes[v] })
			y.Body = s.interior(x.Body, maps.Clone(value))
			for v := range changes {
				if v != nil && v.In == x {
					v.In = &y
				}
			}
			out = append(out, &y)
		}
	}
	return out
}

// nestLoops makes outer the loop around those of list, and each of them that around those in it.
func nestLoops(list []Stmt, outer *For) {
	for _, st := range list {
		inside := outer
		if l, isLoop := st.(*For); isLoop {
			l.outer, inside = outer, l
		}
		substmts(st, func(list []Stmt) { nestLoops(list, inside) })
	}
}

// loadsOutside reports whether a list loads elements of arrays that are not shared.
func (s *strider) loadsOutside(list []Stmt) bool {
	found := false
	eachExprIn(list, func(e Expr) {
		if x, isIndex := e.(*Index); isIndex {
			r, isVar := s.arrayOf(x).(*VarRef)
			found = found || isVar && !s.shared[r.V]
		}
	})
	return found
}

// decided returns the arm of a branch that all elements take away from the edges of arrays, and the conditions under
// which they do; nil if it does not know any. That is the only arm that loads from arrays, or else the one of indices
// between 0 and a limit.
func (s *strider) decided(x *If, cond Expr) (taken []Stmt, conds []Expr) {
	then, els := s.loadsOutside(x.Then), s.loadsOutside(x.Else)
	if then || !els {
		if conds := s.always(cond, then == els); conds != nil {
			return x.Then, conds
		}
	}
	if els || !then {
		if conds := s.always(not(cond), then == els); conds != nil {
			return x.Else, conds
		}
	}
	return nil, nil
}

// always returns conditions under which comparisons that are combined by && hold for all elements, or nil. If inside,
// they must be those of indices within an array.
func (s *strider) always(cond Expr, inside bool) []Expr {
	c, ok := cond.(*Binary)
	if !ok {
		return nil
	}
	switch c.Op {
	case token.LAND:
		x, y := s.always(c.X, inside), s.always(c.Y, inside)
		if x == nil || y == nil {
			return nil
		}
		return append(x, y...)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		e, op, limit := c.X, c.Op, c.Y
		if s.steadySides(e) {
			e, op, limit = c.Y, map[token.Token]token.Token{token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ}[op], c.X
		}
		n, isConst := constInt(limit)
		if low := isConst && n <= 0; !types.Identical(e.Type().Underlying(), intType) || inside && low != (op == token.GTR || op == token.GEQ) {
			return nil
		}
		return s.everywhere(e, op, limit)
	}
	return nil
}

// mostStep is the largest difference between neighbours of an index that is compared, so that it can't wrap around
// within a space.
const mostStep = 8

// everywhere returns conditions under which a comparison of an index with a uniform limit holds for all elements, or
// nil.
func (s *strider) everywhere(e Expr, op token.Token, limit Expr) []Expr {
	if !s.steadySides(limit) {
		return nil
	}
	c := &spelling{}
	x, y := c.expr(&Index3{threadIdx, 0}), c.expr(&Index3{threadIdx, 1})
	byX, rest, okX := c.poly(e).by(x)
	byY, rest, okY := rest.by(y)
	for m := range rest {
		okX = okX && !strings.Contains(m, x) && !strings.Contains(m, y)
	}
	if c.unknown || !okX || !okY || len(byX)+len(byY) == 0 {
		return nil
	}
	var first, last [2]Expr // the index of the thread for the least and for the largest value
	for i, p := range []poly{byX, byY} {
		n, isConst := p.constant()
		if len(p) > 0 && (!isConst || max(n, -n) > mostStep) {
			return nil
		}
		first[i], last[i] = intExpr(0), Expr(&Binary{token.SUB, []Expr{s.x, s.y}[i], intExpr(1), intType})
		if size, isConst := constInt([]Expr{s.x, s.y}[i]); isConst {
			last[i] = intExpr(size - 1)
		}
		if n < 0 {
			first[i], last[i] = last[i], first[i]
		}
	}
	least, most := atThread(e, first[0], first[1]), atThread(e, last[0], last[1])
	if !s.steadySides(least) || !s.steadySides(most) {
		return nil
	}
	rel := func(x Expr, op token.Token, y Expr) Expr { return &Binary{op, x, y, boolType} }
	conds := []Expr{rel(least, token.GEQ, intExpr(-mostPlaced)), rel(least, token.LEQ, intExpr(mostPlaced))}
	if op == token.LSS || op == token.LEQ {
		return append(conds, rel(most, op, limit))
	}
	return append(conds, rel(least, op, limit))
}
