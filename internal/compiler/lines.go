package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
)

// Lines: what a loop reads one after the other while it counts, x[base+i] with the same base in all rounds, the
// same for all lanes. The checks of such indices are conditions of the row, but Go does not know that they hold.
// A slice from base on, made before the loop, has an index that Go sees to be below its length, and no sum in it:
// a product of matrices in tiles does a third more so.

// lineSet is the lines of the loop under way.
type lineSet struct {
	i     *Var
	limit Expr
	names map[string]string     // by base
	types map[string]types.Type // of the elements, by name
	bases map[string]string     // their keys, by name
	decls []string

	branches, whens int // around the loop
}

// line prints an element of a line.
func (v *vector) line(e *Index) (string, bool) {
	l := v.lines
	if l == nil || len(v.when) > l.whens || v.branches > l.branches || v.mask != v.strip || v.atZero || v.stand != nil {
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
		case isVar && types.Identical(limit.V.Type, intType) && (limit.V.Param || v.ranges[limit.V] != nil || v.k.single[limit.V] != nil):
			if v.ranges[limit.V] == nil { // which counts from 0
				if most, _ := v.extremes(limit, false, nil); !strings.HasPrefix(unparen(most), "len(") {
					v.require(unparen(most) + " >= 0")
				}
			}
			l.decls = append(l.decls, fmt.Sprintf("%s := %s[%s:][:%s]\n", name, slice, base, v.body.expr(limit)))
		default:
			return "", false
		}
		l.names[key], l.types[name], l.bases[name] = name, e.T, key
		v.lined = true
	}
	return l.names[key] + "[" + v.body.name(l.i) + "]", true
}

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
