package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// Clamps: conditional assignments that are a minimum or a maximum become calls of min and max.

// clamps replaces such assignments: if i < lo { i = lo }. A value without branches can be
// recomputed where it is used, and a clamped index is affine on either side of the limit.
func (k *Kernel) clamps() {
	c := &clamper{changes: map[*Var]int{}, defs: map[*Var]Expr{}}
	walk(k.Body, func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			for _, to := range a.L {
				if v, _ := assigned(to); v != nil {
					c.changes[v]++
					if a.Def {
						c.changes[v]--
						if c.defs[v] = a.R; len(a.L) > 1 {
							c.defs[v] = nil
						}
					}
				}
			}
		}
	})
	var visit func(list []Stmt) []Stmt
	visit = func(list []Stmt) []Stmt {
		var out []Stmt
		for _, s := range list {
			switch s := s.(type) {
			case *If:
				if limits := c.clampOf(s); limits != nil {
					for _, a := range limits {
						if !limitAbove(out, a) {
							out = append(out, a)
						}
					}
					continue
				}
				before := len(c.known)
				c.known = append(c.known, terms(s.Cond)...)
				s.Then = visit(s.Then)
				c.known = c.known[:before]
				s.Else = visit(s.Else)
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
// for if v > hi { v = hi } else if v < lo { v = lo } with lo <= hi.
func (c *clamper) clampOf(s *If) []*Assign {
	if a := c.clamp(s); a != nil {
		return []*Assign{a}
	}
	if len(s.Else) != 1 {
		return nil
	}
	other, ok := s.Else[0].(*If)
	if !ok {
		return nil
	}
	a, b := c.clamp(&If{Cond: s.Cond, Then: s.Then, Pos: s.Pos}), c.clamp(other)
	if a == nil || b == nil || !sameExpr(a.L[0], b.L[0]) {
		return nil
	}
	first, second := a.R.(*Call), b.R.(*Call)
	low, high := first, second
	if low.Name == "min" {
		low, high = second, first
	}
	if first.Name == second.Name || !c.inOrder(low.Args[1], high.Args[1]) {
		return nil
	}
	return []*Assign{a, b}
}

// clamp returns the assignment of a minimum or maximum that s is equivalent to, or nil. It applies
// to integers only: min and max of floats treat NaN and zeros differently from comparisons.
func (k *clamper) clamp(s *If) *Assign {
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
	case op == token.GEQ && sameExpr(c.X, v) && k.isLast(a.R, c.Y), op == token.LEQ && sameExpr(c.Y, v) && k.isLast(a.R, c.X):
		op = token.GEQ // v >= n: v = n-1
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

// A clamper knows the conditions that hold around a statement, and how often variables change.
type clamper struct {
	known   []Expr
	changes map[*Var]int // assignments other than definitions
	defs    map[*Var]Expr
}

// isLast reports whether last is n-1, and does not wrap around: n is a length, a constant, or known to
// be larger than another integer.
func (k *clamper) isLast(last, n Expr) bool {
	if m, ok := constInt(n); ok {
		l, isConst := constInt(last)
		return isConst && l == m-1 && l < m
	}
	x, ok := last.(*Binary)
	if !ok || x.Op != token.SUB || !sameExpr(x.X, n) || !isSigned(n.Type()) {
		return false
	}
	if one, isConst := constInt(x.Y); !isConst || one != 1 {
		return false
	}
	if c, isCall := n.(*Call); isCall && c.Fn == nil && c.Name == "len" {
		return true
	}
	changes := false
	walkExpr(n, func(e Expr) {
		switch e := e.(type) {
		case *VarRef:
			changes = changes || e.V.addr || k.changes[e.V] > 0
		case *Const, *Binary, *Unary, *Convert, *Index3:
		default:
			changes = true
		}
	})
	return !changes && slices.ContainsFunc(k.known, func(e Expr) bool {
		c, ok := e.(*Binary)
		return ok && (c.Op == token.LSS && sameExpr(c.Y, n) || c.Op == token.GTR && sameExpr(c.X, n))
	})
}

// inOrder reports whether low <= high: for constants, and if low is at most 0 and high is n-1 for an n
// that is known to be larger than something that is not negative.
func (k *clamper) inOrder(low, high Expr) bool {
	m, okM := low.(*Const)
	n, okN := high.(*Const)
	if okM && okN {
		return constant.Compare(m.Val, token.LEQ, n.Val)
	}
	l, isConst := constInt(low)
	last, ok := high.(*Binary)
	if !isConst || l > 0 || !ok || last.Op != token.SUB || !k.isLast(high, last.X) {
		return false
	}
	return slices.ContainsFunc(k.known, func(e Expr) bool {
		c, ok := e.(*Binary)
		return ok && (c.Op == token.LSS && sameExpr(c.Y, last.X) && k.notNegative(c.X) || c.Op == token.GTR && sameExpr(c.X, last.X) && k.notNegative(c.Y))
	})
}

// notNegative reports whether an integer is a sum or product of indices and extents.
func (k *clamper) notNegative(e Expr) bool {
	switch e := e.(type) {
	case *Index3, *Rank:
		return true
	case *Const:
		n, ok := constInt(e)
		return ok && n >= 0
	case *VarRef:
		return !e.V.addr && k.changes[e.V] == 0 && k.defs[e.V] != nil && k.notNegative(k.defs[e.V])
	case *Binary:
		return (e.Op == token.ADD || e.Op == token.MUL) && types.Identical(e.T, intType) && k.notNegative(e.X) && k.notNegative(e.Y)
	}
	return false
}

// isSigned reports whether t is a signed integer type.
func isSigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && b.Info()&types.IsUnsigned == 0
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
