package compiler

import (
	"go/token"
	"maps"
	"slices"
	"strings"
)

// Independence: whether rounds of a loop that a space executes at once, and in any order, depend on each other.

// independent reports whether no two elements of a body depend on each other, perhaps under conditions, which it adds.
func (s *strider) independent(body []Stmt, locals map[*Var]*Var) bool {
	mine := map[*Var]bool{}
	for _, v := range locals {
		mine[v] = true
	}
	ok := true
	type access struct{ to, index Expr }
	var stored, loaded []access
	defined := map[*Var]bool{}
	var inShared, outside bool // stores
	variables := false         // of the package are loaded
	var visit func(list []Stmt, value map[*Var]Expr)
	load := func(e Expr, value map[*Var]Expr) {
		walkExpr(e, func(x Expr) {
			switch x := x.(type) {
			case *Index:
				if to := s.arrayOf(x); to != nil {
					loaded = append(loaded, access{to, inlined(x, value)})
				} else {
					ok = false
				}
			case *Deref, *Addr:
				ok = false
			case *Global:
				variables = variables || x.Table == nil
			case *Field:
				ok = ok && isStruct(x.X.Type())
			case *Call:
				ok = ok && x.Pure
			case *VarRef:
				ok = ok && (!mine[x.V] || defined[x.V])
			}
		})
	}
	visit = func(list []Stmt, value map[*Var]Expr) {
		for _, st := range list {
			switch x := st.(type) {
			case *Assign:
				if len(x.L) != 1 || x.L[0] == nil {
					ok = false
					return
				}
				load(x.R, value)
				if v, whole := assigned(x.L[0]); v != nil {
					if !whole || !mine[v] || v.addr || !basic(v.Type) {
						ok = false
						return
					}
					ok = ok && (x.Def || defined[v])
					value[v] = inlined(x.R, value)
					defined[v] = true
					continue
				}
				to, isIndex := x.L[0].(*Index)
				if !isIndex {
					ok = false
					return
				}
				for e := Expr(to); ; {
					i, isIndex := e.(*Index)
					if !isIndex {
						break
					}
					load(i.I, value)
					if e = i.X; isSlicing(e) {
						ok = false
						return
					}
				}
				root, isVar := s.arrayOf(to).(*VarRef)
				if !isVar {
					ok = false
					return
				}
				inShared, outside = inShared || s.shared[root.V], outside || !s.shared[root.V]
				stored = append(stored, access{root, inlined(to, value)})
			case *If:
				load(x.Cond, value)
				visit(x.Then, maps.Clone(value))
				visit(x.Else, maps.Clone(value))
				maps.DeleteFunc(value, func(v *Var, _ Expr) bool { return assignedIn(x)[v] })
			case *For:
				// what it assigns has other values in each round
				changes := assignedIn(x)
				forget := func() {
					maps.DeleteFunc(value, func(v *Var, _ Expr) bool { return changes[v] })
				}
				forget()
				visit(x.Pre, value)
				load(x.Cond, value)
				visit(x.Body, value)
				visit(x.Post, value)
				forget()
			default:
				ok = false
			}
		}
	}
	visit(body, map[*Var]Expr{})
	if !ok || len(stored) == 0 || inShared && outside || variables && outside {
		return false
	}
	for _, a := range stored {
		for _, b := range stored {
			same := sameExpr(a.to, b.to)
			if same && !sameExpr(a.index, b.index) || !same && !(s.own(a.to) && s.own(b.to)) {
				return false
			}
		}
		changes := false
		walkExpr(a.index, func(e Expr) {
			r, isVar := e.(*VarRef)
			changes = changes || isVar && mine[r.V]
		})
		if changes || !s.apart(a.index.(*Index)) {
			return false
		}
	}
	for _, l := range loaded {
		root, isVar := l.to.(*VarRef)
		if !isVar { // a table of the package
			if outside {
				return false
			}
			continue
		}
		same := slices.ContainsFunc(stored, func(a access) bool {
			return sameExpr(a.to, root) && sameExpr(a.index, l.index)
		})
		other := !slices.ContainsFunc(stored, func(a access) bool { return sameExpr(a.to, root) || !s.own(a.to) })
		if !same && s.shared[root.V] == inShared && !(inShared && other && s.own(root)) {
			return false
		}
	}
	return true
}

// isSlicing reports whether e is a slice expression.
func isSlicing(e Expr) bool { _, ok := e.(*Slice); return ok }

// own reports whether a variable is a shared array that has no memory in common with others.
func (s *strider) own(e Expr) bool {
	r, isVar := e.(*VarRef)
	return isVar && !anyStmt(s.f.k.Body, func(x Stmt) bool { a, ok := x.(*Assign); return ok && assignedIn(a)[r.V] }) &&
		anyStmt(s.f.k.Body, func(x Stmt) bool { a, ok := x.(*Alloc); return ok && a.Dst == r.V && a.N != nil })
}

// arrayOf returns the variable, or the package's table, that an element is in, or nil. Of a variable that holds a part
// of a parameter, it is the parameter.
func (s *strider) arrayOf(e Expr) Expr {
	for {
		switch x := rootOf(e).(type) {
		case *Slice:
			e = x.X
		case *VarRef:
			if x.V.Param || s.shared[x.V] {
				return x
			}
			if e = s.f.single(x.V); e == nil {
				return nil
			}
		case *Global:
			return x
		default:
			return nil
		}
	}
}

// apart reports whether different threads of the space access different elements, perhaps under a condition, which it
// adds.
func (s *strider) apart(e *Index) bool {
	c := &spelling{}
	x, y := c.expr(&Index3{threadIdx, 0}), c.expr(&Index3{threadIdx, 1})
	var along [2][]poly // the coefficients of each index, the last one first
	for at := e; ; {
		p := c.poly(at.I)
		byX, rest, okX := p.by(x)
		byY, rest, okY := rest.by(y)
		if !okX || !okY || c.unknown {
			return false
		}
		for m := range rest {
			if strings.Contains(m, x) || strings.Contains(m, y) {
				return false
			}
		}
		along[0], along[1] = append(along[0], byX), append(along[1], byY)
		in, isRow := at.X.(*Index)
		if !isRow {
			break
		}
		if !isArray(in.Type()) {
			return false // rows of slices may have elements in common
		}
		at = in
	}
	oneRow := isConstant(s.y, 1)
	fixed := func(p poly) bool { n, ok := p.constant(); return ok && n != 0 }
	switch {
	case oneRow:
		return slices.ContainsFunc(along[0], fixed)
	case len(along[0]) == 2:
		for i := range 2 {
			if fixed(along[0][i]) && len(along[1][i]) == 0 && len(along[0][1-i]) == 0 && fixed(along[1][1-i]) {
				return true
			}
		}
		return false
	case len(along[0]) != 1 || len(along[0][0]) == 0 || len(along[1][0]) == 0:
		return false
	}
	// a*x + b*y: all of a row lies before the next one, or all of a column
	step := func(p poly, tx, ty int64) Expr {
		if n, ok := p.constant(); ok {
			return intExpr(n)
		}
		return &Binary{token.SUB, atThread(e.I, intExpr(tx), intExpr(ty)), atThread0(e.I), intType}
	}
	a, b := step(along[0][0], 1, 0), step(along[1][0], 0, 1)
	if !s.steadySides(a) || !s.steadySides(b) {
		return false
	}
	rel := func(x Expr, op token.Token, y Expr) Expr { return &Binary{op, x, y, boolType} }
	// with p small enough that no product wraps around, even in 32 bits
	before := func(p, n, q Expr) Expr {
		conds := []Expr{rel(p, token.GTR, intExpr(0)), rel(p, token.LEQ, intExpr(1<<31/mostCollapsed/2))}
		return conjunction(append(conds, rel(&Binary{token.MUL, p, n, intType}, token.LEQ, q)))
	}
	rows, columns := before(a, s.x, b), before(b, s.y, a)
	s.conds = append(s.conds, rel(rows, token.LOR, columns))
	return true
}
