package compiler

import (
	"go/constant"
	"go/token"
)

// Flags (pass flags): a branch that only sets a bool becomes an assignment:
//
//	if x == 0 || x == w-1 {
//		edge = true           =>    edge = x == 0 || x == w-1 || edge
//	}
//
// So the value of a flag that is only set from place to place is an expression, which can be
// recomputed where a branch asks for it, as if it were written there.

// flags replaces such branches.
func (k *Kernel) flags() {
	var visit func(list []Stmt) []Stmt
	visit = func(list []Stmt) []Stmt {
		var out []Stmt
		for _, s := range list {
			switch x := s.(type) {
			case *If:
				x.Then, x.Else = visit(x.Then), visit(x.Else)
				if a := flagSet(x); a != nil {
					s = a
				}
			case *For:
				x.Pre, x.Body, x.Post = visit(x.Pre), visit(x.Body), visit(x.Post)
			case *Block:
				x.Body = visit(x.Body)
			}
			out = append(out, s)
		}
		return out
	}
	k.Body = visit(k.Body)
}

// flagSet returns the assignment that a branch is, or nil if it does more than set a bool.
func flagSet(s *If) *Assign {
	then, ok := constantOf(s.Then)
	if !ok || useOf([]Stmt{&If{Cond: s.Cond}}).stores || mentions(s.Cond, then.v) {
		return nil
	}
	cond, v := s.Cond, &VarRef{then.v}
	if len(s.Else) > 0 {
		other, ok := constantOf(s.Else)
		if !ok || other.v != then.v || other.to == then.to {
			return nil
		}
		if !then.to {
			cond = not(cond)
		}
		return &Assign{L: []Expr{v}, R: converted(cond, then.v.Type), Pos: s.Pos}
	}
	if then.to {
		return &Assign{L: []Expr{v}, R: &Binary{token.LOR, cond, v, then.v.Type}, Pos: s.Pos}
	}
	return &Assign{L: []Expr{v}, R: &Binary{token.LAND, not(cond), v, then.v.Type}, Pos: s.Pos}
}

// A setting is the assignment of a constant to a bool.
type setting struct {
	v  *Var
	to bool
}

// constantOf returns the only statement of a list, if it is such an assignment.
func constantOf(list []Stmt) (setting, bool) {
	if len(list) != 1 {
		return setting{}, false
	}
	a, ok := list[0].(*Assign)
	if !ok || a.Def || len(a.L) != 1 || a.L[0] == nil {
		return setting{}, false
	}
	to, isVar := a.L[0].(*VarRef)
	c, isConst := a.R.(*Const)
	if !isVar || !isConst || !isBool(to.V.Type) || to.V.addr || to.V.Param || c.Val.Kind() != constant.Bool {
		return setting{}, false
	}
	return setting{to.V, constant.BoolVal(c.Val)}, true
}

// withConditions returns the statements of a nest with branches that ask for the values of flags in
// place of the flags, where these can be recomputed.
func (b *body) withConditions(list []Stmt) []Stmt {
	if b.off("flags") {
		return list
	}
	var open func(e Expr) Expr
	open = func(e Expr) Expr {
		switch x := e.(type) {
		case *VarRef:
			if value := b.valueOf(x.V); value != nil && isBool(x.V.Type) {
				return open(value)
			}
		case *Unary:
			if x.Op != token.NOT {
				return e
			}
			inner := open(x.X)
			if y, ok := not(inner).(*Unary); inner != x.X || !ok || y.X != inner {
				return not(inner)
			}
		case *Binary:
			if x.Op != token.LAND && x.Op != token.LOR {
				return e
			}
			l, r := open(x.X), open(x.Y)
			if n, ok := boolOf(l); ok {
				if n == (x.Op == token.LAND) {
					return r
				}
				return l
			}
			if n, ok := boolOf(r); ok && n == (x.Op == token.LAND) {
				return l
			}
			if l != x.X || r != x.Y {
				return &Binary{x.Op, l, r, x.T}
			}
		}
		return e
	}
	list = mapStmts(list, func(e Expr) Expr { return e })
	walk(list, func(s Stmt) {
		if x, ok := s.(*If); ok {
			x.Cond = open(x.Cond)
		}
	})
	return list
}

// valueOf returns the value of a variable that is assigned once, from parameters and other such
// variables, by an expression that can be computed anywhere behind it; or nil.
func (b *body) valueOf(v *Var) Expr {
	if v.value != nil {
		return v.value
	}
	value := b.k.single[v]
	if value == nil || v.addr || v.spread || v.common || mayPanic(value) || loads(value) {
		return nil
	}
	steady := true
	walkExpr(value, func(x Expr) {
		if r, ok := x.(*VarRef); ok && !(r.V.Param && r.V.defs == 0) && r.V.value == nil {
			steady = steady && b.k.single[r.V] != nil && !r.V.addr && !r.V.spread
		}
	})
	if !steady {
		return nil
	}
	return value
}

// boolOf returns the value of a constant condition.
func boolOf(e Expr) (value, ok bool) {
	c, ok := e.(*Const)
	if !ok || c.Val.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(c.Val), true
}
