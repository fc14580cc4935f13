package compiler

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Order of evaluation. Go orders calls and the operands of && and || from left to right, but leaves
// open when variables and elements are read in between. Programs rely on the behaviour of Go's own
// compiler (cmd/compile/internal/walk, order.go), so this package does the same:
//
//   - Ordered expressions are evaluated in place: calls, logical operations, len, cap, min, max and
//     slice expressions.
//   - Everything else is evaluated as late as possible, behind all ordered expressions of its
//     statement.
//
// The builder returns the value of an operand as an expression, which is evaluated where it is
// used. Inlined helpers become statements, which are emitted at once. So an ordered expression must
// go into a variable if an operand to its right emits statements. Every list of operands goes
// through operands, which ensures that.

// operands translates n operands with f, in order. The returned values are valid behind the
// statements of the last one.
func (b *builder) operands(n int, f func(i int) binding) []binding {
	list := make([]binding, n)
	for i := range list {
		from := len(b.out)
		list[i] = f(i)
		b.settle(list[:i], from)
	}
	return list
}

// list translates expressions as operands of one list.
func (b *builder) list(f *frame, list []ast.Expr) []binding {
	return b.operands(len(list), func(i int) binding { return b.value(f, list[i]) })
}

// settle keeps the values in list valid behind the statements emitted since from: ordered
// expressions in the values are evaluated before these statements.
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

// settled returns v with all ordered expressions in it moved into variables.
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

// isOrdered reports whether e itself, regardless of its operands, is an ordered expression.
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

// atConstant reports whether x is an element of an array, and no slice or pointer, at a constant index.
func atConstant(x *Index) bool {
	a, isArray := x.X.Type().Underlying().(*types.Array)
	n, isConst := constInt(x.I)
	return isArray && isConst && 0 <= n && n < a.Len()
}

// stable reports whether the value of e can't change: e consists of constants, indices and
// variables that are assigned once.
func (b *builder) stable(e Expr) bool {
	switch e := e.(type) {
	case *Const, *Index3, *Rank, *TypeExpr, *Method, *instance:
		return true
	case *VarRef:
		return !b.changes(e.V) && !e.V.addr
	case *Global:
		return e.Obj == nil || isFunc(e.Obj.Type())
	case *Index:
		if !atConstant(e) {
			return false
		}
	case *Deref, *Addr, *Composite:
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

// haveEffects reports whether statements do more than define new variables without impure calls.
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
