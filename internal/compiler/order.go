package compiler

import (
	"go/ast"
	"go/token"
)

// Order of evaluation. Go orders calls and the operands of && and || from left to right, and leaves it open when variables and
// elements are read beside them. Programs are used to what Go's own compiler does (cmd/compile/internal/walk, order.go), and so
// is the rest of this package:
//
//   - What is ordered, a call, a logical operation, len, cap, min, max and a slice expression, is evaluated where it stands.
//   - All else is evaluated as late as possible, behind everything in its statement that is ordered.
//
// The builder returns the value of an operand as an expression, which is evaluated where it is put. Helpers become statements, which
// are emitted at once. So an ordered expression that has an operand with statements to its right must go into a variable before
// these. Every list of operands goes through operands, which sees to that.

// operands translates n operands with f, in order, and returns their values, which hold behind the last of them.
func (b *builder) operands(n int, f func(i int) binding) []binding {
	list := make([]binding, n)
	for i := range list {
		from := len(b.out)
		list[i] = f(i)
		b.settle(list[:i], from)
	}
	return list
}

// list translates expressions as the operands of one list.
func (b *builder) list(f *frame, list []ast.Expr) []binding {
	return b.operands(len(list), func(i int) binding { return b.value(f, list[i]) })
}

// settle makes the values in list hold behind the statements that were emitted from a place on: what is ordered in
// them is evaluated before these.
func (b *builder) settle(list []binding, from int) {
	if len(list) == 0 || !haveEffects(b.out[from:]) {
		return
	}
	after := append([]Stmt(nil), b.out[from:]...)
	b.out = b.out[:from:from]
	for i, v := range list {
		list[i] = b.settled(v)
	}
	b.out = append(b.out, after...)
}

// settled returns v with all that is ordered in it in variables.
func (b *builder) settled(v binding) binding {
	switch v := v.(type) {
	case *aggregate:
		a := *v
		a.fields = make([]binding, len(v.fields))
		for i, x := range v.fields {
			a.fields[i] = b.settled(x)
		}
		return &a
	case *pointer:
		p := *v
		p.to = b.settled(v.to)
		return &p
	case Expr:
		return b.settledExpr(v)
	}
	return v
}

func (b *builder) settledExpr(e Expr) Expr {
	if b.stable(e) {
		return e
	}
	if isOrdered(e) {
		v := &VarRef{b.newVar("tmp", e.Type(), positionOf(e))}
		b.emit(&Assign{L: []Expr{v}, R: e, Def: true, Pos: positionOf(e)})
		return v
	}
	return mapParts(e, b.settledExpr)
}

// isOrdered reports whether e itself, not a part of it, is evaluated where it stands.
func isOrdered(e Expr) bool {
	switch e := e.(type) {
	case *Call, *Slice:
		return true
	case *Binary:
		return e.Op == token.LAND || e.Op == token.LOR
	}
	return false
}

// positionOf returns the position of e, if it has one.
func positionOf(e Expr) token.Pos {
	switch e := e.(type) {
	case *Call:
		return e.Pos
	case *Index:
		return e.Pos
	}
	return token.NoPos
}

// stable reports whether nothing that the kernel does can change the value of e: it is made of constants, indices and variables that
// are assigned once.
func (b *builder) stable(e Expr) bool {
	switch e := e.(type) {
	case *Const, *Index3, *Rank, *TypeExpr, *Method, *instance:
		return true
	case *VarRef:
		return !b.changes(e.V) && !e.V.addr
	case *Global:
		return e.Obj == nil || isFunc(e.Obj.Type())
	case *Index, *Deref, *Addr, *Composite:
		return false
	case *Field:
		if isPointer(e.X.Type()) {
			return false
		}
	case *Slice:
		if isArray(e.X.Type()) {
			return false
		}
	case *Call:
		if !e.Pure {
			return false
		}
	}
	all := true
	subexprs(e, func(x Expr) { all = all && b.stable(x) })
	return all
}

// haveEffects reports whether statements do more than compute new variables without calls.
func haveEffects(list []Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *Alloc:
		case *Assign:
			if !s.Def && s.L[0] != nil {
				return true
			}
			found := false
			walkExpr(s.R, func(x Expr) {
				if c, ok := x.(*Call); ok && !c.Pure {
					found = true
				}
			})
			if found {
				return true
			}
		default:
			return true
		}
	}
	return false
}
