package compiler

import (
	"go/token"
	"go/types"
	"slices"
)

// Clipped loops: for x := max(0, i-r); x <= min(w-1, i+r); x++, as for a window that is cut off at
// the edge of a picture. For threads away from the edges the bounds are at a constant distance from
// i. All threads execute the iterations between these bounds, under a branch that skips those
// beyond the other limit.

// clipped splits such a loop into a loop between bounds at a constant distance, with its initial
// value, and a branch around the body. first is the statement before the loop.
func (l *lowering) clipped(first Stmt, s *For) (loop *For, i *Var, start poly, ok bool) {
	begin, isAssign := first.(*Assign)
	if !isAssign || len(begin.L) != 1 || begin.L[0] == nil || len(s.Pre) > 0 || len(s.Post) != 1 || s.Cond == nil || s.breaks || s.continues || l.b.off("clip") {
		return nil, nil, nil, false
	}
	r, isVar := begin.L[0].(*VarRef)
	post, isStep := s.Post[0].(*Assign)
	if !isVar || !isStep || len(post.L) != 1 || !isRef(post.L[0], r.V) || !isIncrement(post.R, r) || r.V.addr || r.V.spread || r.V.common || !isInteger(r.V.Type) ||
		!types.Identical(r.V.Type.Underlying(), intType) || assignedIn(&Block{Body: s.Body})[r.V] {
		return nil, nil, nil, false
	}
	i = r.V
	type end struct {
		e  Expr
		p  poly
		op token.Token
	}
	collect := func(name string, e Expr, op token.Token, to *[]end) bool {
		var look func(e Expr) bool
		look = func(e Expr) bool {
			if v, isVar := e.(*VarRef); isVar {
				if limit := l.limitOf(v.V); limit != nil {
					e = limit
				}
			}
			if c, isCall := e.(*Call); isCall && c.Fn == nil && c.Name == name {
				return !slices.ContainsFunc(c.Args, func(a Expr) bool { return !look(a) })
			}
			p, isPoly := l.polyOf(e)
			*to = append(*to, end{e, p, op})
			return isPoly
		}
		return look(e)
	}
	var begins, ends []end
	if mentions(begin.R, i) || !collect("max", begin.R, token.GEQ, &begins) {
		return nil, nil, nil, false
	}
	for _, t := range terms(s.Cond) {
		c, isBinary := t.(*Binary)
		if !isBinary || c.Op != token.LSS && c.Op != token.LEQ || !isRef(c.X, i) || mentions(c.Y, i) || !collect("min", c.Y, c.Op, &ends) {
			return nil, nil, nil, false
		}
	}
	if len(begins) == 1 && len(ends) == 1 {
		return nil, nil, nil, false
	}
	for _, b := range begins {
		for _, e := range ends {
			if !advances(b.p, laneSymbol) && !(advances(b.p, rowSymbol) && !b.p.has(laneSymbol)) || !e.p.plus(b.p, -1).ofRow() {
				continue
			}
			var guards []Expr
			for _, list := range [][]end{begins, ends} {
				for _, x := range list {
					if x.e != b.e && x.e != e.e {
						guards = append(guards, &Binary{Op: x.op, X: r, Y: x.e, T: types.Typ[types.Bool]})
					}
				}
			}
			loop := *s
			loop.Cond = &Binary{Op: e.op, X: r, Y: e.e, T: types.Typ[types.Bool]}
			loop.Body = []Stmt{&If{Cond: conjunction(guards), Then: s.Body, Pos: begin.Pos}}
			return &loop, i, b.p, true
		}
	}
	return nil, nil, nil, false
}

// advances reports whether p changes by 1 from one thread, or one row, to the next.
func advances(p poly, symbol string) bool {
	factor, rest, isLinear := p.by(symbol)
	n, isConst := factor.constant()
	return isLinear && isConst && (n == 1 || n == -1) && !rest.has(symbol)
}

// limitOf returns the minimum or maximum that a variable is throughout the region, as in
// x0 := max(0, i-r), or nil.
func (l *lowering) limitOf(v *Var) (limit *Call) {
	if v.Param || v.addr || v.spread || v.common || l.often[v] != 1 {
		return nil
	}
	walk(l.region, func(s Stmt) {
		a, ok := s.(*Assign)
		if !ok || !a.Def || len(a.L) != 1 || !isRef(a.L[0], v) {
			return
		}
		if c, isCall := a.R.(*Call); isCall && c.Fn == nil && (c.Name == "min" || c.Name == "max") {
			limit = c
		}
	})
	if limit != nil {
		walkExpr(limit, func(e Expr) {
			if r, isVar := e.(*VarRef); isVar && (l.often[r.V] > 1 || l.driven[r.V]) {
				limit = nil
			}
		})
	}
	return limit
}

// endsWindows reports whether s defines an end of windows that are cut off: where it is used, a loop
// begins or ends. The loops are then clipped, so that nothing needs to be split by what it is.
func (l *lowering) endsWindows(s *Assign, rest []Stmt) bool {
	if !s.Def || len(s.L) != 1 || s.L[0] == nil {
		return false
	}
	r, isVar := s.L[0].(*VarRef)
	if !isVar || l.limitOf(r.V) == nil {
		return false
	}
	moving := 0
	for _, a := range l.limitOf(r.V).Args {
		p, ok := l.polyOf(a)
		switch {
		case !ok:
			return false
		case advances(p, laneSymbol) || advances(p, rowSymbol) && !p.has(laneSymbol):
			moving++
		case !p.ofRow():
			return false
		}
	}
	loops, elsewhere := false, false
	walk(rest, func(s Stmt) {
		if f, isLoop := s.(*For); isLoop && f.Cond != nil && mentions(f.Cond, r.V) {
			loops = true
		}
		if a, isAssign := s.(*Assign); isAssign && a.Def && isRef(a.R, r.V) {
			loops = true
		}
		exprs(s, func(e Expr) {
			walkExpr(e, func(e Expr) {
				if ix, isIndex := e.(*Index); isIndex && mentions(ix.I, r.V) {
					elsewhere = true
				}
			})
		})
	})
	return moving == 1 && loops && !elsewhere
}

// isClipped reports whether s is the start of a clipped loop, which the statement behind it is.
func (l *lowering) isClipped(s *Assign, rest []Stmt) bool {
	if len(rest) == 0 {
		return false
	}
	loop, isLoop := rest[0].(*For)
	if !isLoop {
		return false
	}
	_, _, _, ok := l.clipped(s, loop)
	return ok
}
