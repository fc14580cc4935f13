package compiler

import (
	"go/token"
)

// Lines: what a loop reads one after the other while it counts, x[base+i] with the same base in all rounds, the
// same for all lanes. The checks of such indices are conditions of the row, but Go does not know that they hold.
// A slice from base on, made before the loop, has an index that Go sees to be below its length, and no sum in it:
// a product of matrices in tiles does a third more so.

// growsWith reports whether e is i, or i and something that is the same in all rounds.
func (b *body) growsWith(e Expr, i *Var) bool {
	switch x := e.(type) {
	case *VarRef:
		if x.V == i {
			return true
		}
		one := b.k.single[x.V]
		return one != nil && !x.V.common && b.growsWith(one, i)
	case *Binary:
		if x.Op != token.ADD {
			return false
		}
		left, right := b.countsWith(x.X, i), b.countsWith(x.Y, i)
		return left && !right && b.growsWith(x.X, i) || right && !left && b.growsWith(x.Y, i)
	}
	return false
}

// linearIn reports whether e grows by the same amount in each round, where i does.
func (b *body) linearIn(e Expr, i *Var) bool {
	if !b.countsWith(e, i) {
		return true
	}
	switch x := e.(type) {
	case *VarRef:
		if x.V == i {
			return true
		}
		one := b.k.single[x.V]
		return one != nil && !x.V.common && b.linearIn(one, i)
	case *Binary:
		switch x.Op {
		case token.ADD, token.SUB:
			return b.linearIn(x.X, i) && b.linearIn(x.Y, i)
		case token.MUL:
			return !b.countsWith(x.X, i) && b.linearIn(x.Y, i) || !b.countsWith(x.Y, i) && b.linearIn(x.X, i)
		}
	}
	return false
}

// countsWith reports whether e depends on i, if there is an i.
func (b *body) countsWith(e Expr, i *Var) bool {
	if i == nil {
		return false
	}
	found := false
	walkExpr(e, func(x Expr) {
		if r, ok := x.(*VarRef); ok {
			if one := b.k.single[r.V]; r.V == i || one != nil && b.countsWith(one, i) {
				found = true
			}
		}
	})
	return found
}
