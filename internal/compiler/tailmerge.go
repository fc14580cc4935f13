package compiler

import "slices"

// Tail merging (cross-jumping): two arms of a branch that both end with a store to the same
// element, or the same field of one, as in
//
//	if in[i] > level {
//		out[i] = 255
//	} else {
//		out[i] = 0
//	}
//
// select a value, and one store follows. On vectors, a select and an unmasked store replace two
// masked stores.

// withoutTails merges such stores in the statements of a nest. The plain form keeps both stores,
// since a panic names the line.
func (b *body) withoutTails(list []Stmt) []Stmt {
	if b.off("tailmerge") {
		return list
	}
	merges := func(s Stmt) bool {
		c, ok := s.(*If)
		return ok && lastStore(c.Then) != nil && lastStore(c.Else) != nil
	}
	var out []Stmt
	for _, s := range list {
		if !anyStmt([]Stmt{s}, merges) {
			out = append(out, s)
			continue
		}
		switch x := s.(type) {
		case *If:
			y := *x
			y.Then, y.Else = b.withoutTails(x.Then), b.withoutTails(x.Else)
			if v, store := b.mergedStore(&y); store != nil {
				b.k.works("tailmerge")
				out = append(out, &Assign{L: []Expr{&VarRef{v}}, R: zeroOf(v.Type), Def: true, Pos: x.Pos}, &y, store)
				continue
			}
			s = &y
		case *For:
			y := *x
			y.Body = retarget(mapStmts(b.withoutTails(x.Body), func(e Expr) Expr { return e }), x, &y)
			s = &y
		}
		out = append(out, s)
	}
	return out
}

// mergedStore replaces the stores at the ends of both arms by assignments to a variable, and
// returns that variable and the store that must follow. It returns nil if the arms don't end in
// such stores, or if an arm changes an operand of the element.
func (b *body) mergedStore(s *If) (*Var, *Assign) {
	then, otherwise := lastStore(s.Then), lastStore(s.Else)
	if then == nil || otherwise == nil || !sameExpr(then.L[0], otherwise.L[0]) {
		return nil, nil
	}
	x := then.L[0]
	changes := assignedIn(s)
	steady, parts := true, map[Expr]bool{} // the element, and what it is selected from
	for e := x; e != nil; {
		parts[e] = true
		switch of := e.(type) {
		case *Index:
			e = of.X
		case *Field:
			e = of.X
		default:
			e = nil
		}
	}
	walkExpr(x, func(e Expr) {
		switch e := e.(type) {
		case *VarRef:
			steady = steady && !changes[e.V] && !e.V.addr
		case *Index:
			steady = steady && parts[e]
		case *Deref, *Call:
			steady = false
		}
	})
	if !steady {
		return nil, nil
	}
	v := &Var{Name: uniqueName(b.names, "merged"), Type: x.Type(), Pos: s.Pos}
	b.names[v.Name] = true
	to := func(list []Stmt, a *Assign) []Stmt {
		return append(slices.Clone(list[:len(list)-1]), &Assign{L: []Expr{&VarRef{v}}, R: a.R, Pos: a.Pos})
	}
	s.Then, s.Else = to(s.Then, then), to(s.Else, otherwise)
	return v, &Assign{L: then.L, R: &VarRef{v}, Pos: then.Pos}
}

// lastStore returns the store of an element at the end of a list, or nil. It also returns nil if
// the list has other stores, which need masks anyway, or if the value is a 64-bit integer: a
// variable of that type would first be tried as an index.
func lastStore(list []Stmt) *Assign {
	if len(list) == 0 {
		return nil
	}
	a, ok := list[len(list)-1].(*Assign)
	if !ok || len(a.L) != 1 || a.Def || useOf(list[:len(list)-1]).stores {
		return nil
	}
	if at, ok := spotOf(a.L[0]); !ok || !isSlice(at.ix.X.Type()) || !basic(at.t) || isInteger(at.t) && wide(at.t) {
		return nil
	}
	return a
}
