package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
)

// Clamps: conditional assignments that are a minimum or a maximum become calls of min and max.

// clamps replaces such assignments: if i < lo { i = lo }. A value without branches can be
// recomputed where it is used, and a clamped index is affine on either side of the limit.
func (k *Kernel) clamps() {
	var visit func(list []Stmt) []Stmt
	visit = func(list []Stmt) []Stmt {
		var out []Stmt
		for _, s := range list {
			switch s := s.(type) {
			case *If:
				if limits := clampOf(s); limits != nil {
					for _, a := range limits {
						if !limitAbove(out, a) {
							out = append(out, a)
						}
					}
					continue
				}
				s.Then, s.Else = visit(s.Then), visit(s.Else)
			case *For:
				s.Pre, s.Body, s.Post = visit(s.Pre), visit(s.Body), visit(s.Post)
			case *Block:
				s.Body = visit(s.Body)
			}
			out = append(out, s)
		}
		return out
	}
	k.Body = visit(k.Body)
}

// limitAbove moves v = min(v, limit) into the declaration of v, and reports whether it did: a
// variable that is assigned once has one value everywhere. list is the code before the limit. From
// the declaration on it may only assign other variables, and none that the limit reads.
func limitAbove(list []Stmt, a *Assign) bool {
	v, c := a.L[0].(*VarRef), a.R.(*Call)
	for r := range useOf([]Stmt{a}).read {
		if r.addr { // a call may change the variable
			return false
		}
	}
	for i := len(list) - 1; i >= 0; i-- {
		x, ok := list[i].(*Assign)
		if !ok || len(x.L) != 1 || x.L[0] == nil {
			return false
		}
		w, ok := x.L[0].(*VarRef)
		switch {
		case !ok || w.V.addr:
			return false
		case w.V == v.V && x.Def:
			list[i] = &Assign{L: x.L, R: &Call{Name: c.Name, Args: []Expr{x.R, c.Args[1]}, T: c.T, Pure: true, Pos: c.Pos}, Def: true, Pos: x.Pos}
			return true
		case w.V == v.V || mentions(x.R, v.V) || mentions(c.Args[1], w.V):
			return false
		}
	}
	return false
}

// clampOf returns the assignments of minima and maxima that s is equivalent to, or nil: one, or two
// for if v > hi { v = hi } else if v < lo { v = lo } with constants lo <= hi.
func clampOf(s *If) []*Assign {
	if a := clamp(s); a != nil {
		return []*Assign{a}
	}
	if len(s.Else) != 1 {
		return nil
	}
	other, ok := s.Else[0].(*If)
	if !ok {
		return nil
	}
	a, b := clamp(&If{Cond: s.Cond, Then: s.Then, Pos: s.Pos}), clamp(other)
	if a == nil || b == nil || !sameExpr(a.L[0], b.L[0]) {
		return nil
	}
	first, second := a.R.(*Call), b.R.(*Call)
	m, okM := first.Args[1].(*Const)
	n, okN := second.Args[1].(*Const)
	if !okM || !okN || first.Name == second.Name || !constant.Compare(m.Val, map[string]token.Token{"min": token.GEQ, "max": token.LEQ}[first.Name], n.Val) {
		return nil
	}
	return []*Assign{a, b}
}

// clamp returns the assignment of a minimum or maximum that s is equivalent to, or nil. It applies
// to integers only: min and max of floats treat NaN and zeros differently from comparisons.
func clamp(s *If) *Assign {
	c, ok := s.Cond.(*Binary)
	if !ok || len(s.Then) != 1 || len(s.Else) > 0 {
		return nil
	}
	a, ok := s.Then[0].(*Assign)
	if !ok || len(a.L) != 1 || a.Def {
		return nil
	}
	v, ok := a.L[0].(*VarRef)
	if !ok || v.V.addr || !isInteger(v.V.Type) || !clampable(a.R) || mentions(a.R, v.V) {
		return nil
	}
	op := c.Op
	switch {
	case sameExpr(c.X, v) && sameExpr(c.Y, a.R):
	case sameExpr(c.Y, v) && sameExpr(c.X, a.R):
		op = flipped[op]
	default:
		return nil
	}
	name := ""
	switch op {
	case token.LSS, token.LEQ: // the limit is larger
		name = "max"
	case token.GTR, token.GEQ:
		name = "min"
	default:
		return nil
	}
	t := v.V.Type
	limit := a.R
	if _, isConst := limit.(*Const); !isConst && !types.Identical(limit.Type(), t) {
		return nil
	}
	return &Assign{L: a.L, R: &Call{Name: name, Args: []Expr{v, limit}, T: t, Pure: true, Pos: a.Pos}, Pos: a.Pos}
}

// clampable reports whether e is arithmetic that can be executed unconditionally.
func clampable(e Expr) bool {
	ok := true
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Const, *VarRef, *Index3, *Rank, *Convert:
		case *Unary:
		case *Binary:
			ok = ok && (x.Op == token.ADD || x.Op == token.SUB || x.Op == token.MUL)
		case *Call:
			ok = ok && x.Fn == nil && x.Name == "len"
		default:
			ok = false
		}
	})
	return ok && !mayPanic(e)
}

func mentions(e Expr, v *Var) bool {
	found := false
	walkExpr(e, func(x Expr) {
		if r, ok := x.(*VarRef); ok && r.V == v {
			found = true
		}
	})
	return found
}
