package compiler

import (
	"fmt"
	"go/token"
	"go/types"
)

// Lines: what a loop reads one after the other while it counts, x[base+i] with the same base in all rounds, the
// same for all lanes. The checks of such indices are conditions of the row, but Go does not know that they hold.
// A slice from base on, made before the loop, has an index that Go sees to be below its length, and no sum in it:
// a product of matrices in tiles does a third more so.

// lineSet is the lines of the loop under way.
type lineSet struct {
	i     *Var
	limit Expr
	names map[string]string // by base
	decls []string
}

// line prints an element of a line.
func (v *vector) line(e *Index) (string, bool) {
	l := v.lines
	if l == nil || len(v.when) > 0 || v.branches > 0 || v.mask != v.strip || v.atZero || v.stand != nil {
		return "", false
	}
	if !isSlice(e.X.Type()) || shapeOf(e.X)[0] != 0 || shapeOf(e.I)[0] != 0 || !simple(e.X) {
		return "", false
	}
	if _, ok := e.X.(*VarRef); !ok || !types.Identical(e.I.Type(), intType) || !v.growsWith(e.I, l.i) || !v.hoistCheck(e, "len("+v.body.expr(e.X)+")", "") {
		return "", false
	}
	lines := v.lines
	v.lines = nil
	defer func() { v.lines = lines }()
	v.stand = map[*Var]string{l.i: "0"}
	base := unparen(v.body.expr(e.I))
	v.stand = nil
	slice := v.body.expr(e.X)
	key := slice + "[" + base
	if l.names[key] == "" {
		n, isConst := constInt(l.limit)
		limit, isVar := l.limit.(*VarRef)
		name := uniqueName(v.names, "line")
		switch {
		case isConst && n > 0 && n <= 1<<16:
			l.decls = append(l.decls, fmt.Sprintf("%s := (*[%d]%s)(%s[%s:])\n", name, n, v.typ(e.T), slice, base))
		case isVar && types.Identical(limit.V.Type, intType) && (limit.V.Param || v.ranges[limit.V] != nil):
			if limit.V.Param { // others count from 0
				v.require(v.body.expr(limit) + " >= 0")
			}
			l.decls = append(l.decls, fmt.Sprintf("%s := %s[%s:][:%s]\n", name, slice, base, v.body.expr(limit)))
		default:
			return "", false
		}
		l.names[key] = name
		v.lined = true
	}
	return l.names[key] + "[" + v.body.name(l.i) + "]", true
}

// growsWith reports whether e is i, or i and something that is the same in all rounds.
func (v *vector) growsWith(e Expr, i *Var) bool {
	switch x := e.(type) {
	case *VarRef:
		if x.V == i {
			return true
		}
		one := v.k.single[x.V]
		return one != nil && !x.V.common && v.growsWith(one, i)
	case *Binary:
		if x.Op != token.ADD {
			return false
		}
		left, right := v.countsWith(x.X, i), v.countsWith(x.Y, i)
		return left && !right && v.growsWith(x.X, i) || right && !left && v.growsWith(x.Y, i)
	}
	return false
}

// countsWith reports whether e depends on i.
func (v *vector) countsWith(e Expr, i *Var) bool {
	found := false
	walkExpr(e, func(x Expr) {
		if r, ok := x.(*VarRef); ok {
			if one := v.k.single[r.V]; r.V == i || one != nil && v.countsWith(one, i) {
				found = true
			}
		}
	})
	return found
}
