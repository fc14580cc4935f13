package compiler

import "slices"

// Tail merging (cross-jumping): where both arms of a branch end by storing to the same element, as in
//
//	if in[i] > level {
//		out[i] = 255
//	} else {
//		out[i] = 0
//	}
//
// they choose a number, and one store follows. In vectors that is a selection and a store of neighbours in the place of two stores with masks.

// withoutTails returns statements of a nest in which such branches choose numbers. The plain form keeps the stores where they are: a panic names the line.
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

// mergedStore makes the stores at the ends of both arms of a branch assignments to a variable, and returns that and the store that is to follow. It returns
// nil if they are not such, or if an arm changes what says where the element is.
func (b *body) mergedStore(s *If) (*Var, *Assign) {
	then, otherwise := lastStore(s.Then), lastStore(s.Else)
	if then == nil || otherwise == nil || !sameExpr(then.L[0], otherwise.L[0]) {
		return nil, nil
	}
	x := then.L[0].(*Index)
	changes := assignedIn(s)
	steady := true
	walkExpr(x, func(e Expr) {
		switch e := e.(type) {
		case *VarRef:
			steady = steady && !changes[e.V] && !e.V.addr
		case *Index:
			steady = steady && e == x
		case *Deref, *Call:
			steady = false
		}
	})
	if !steady {
		return nil, nil
	}
	v := &Var{Name: uniqueName(b.names, "merged"), Type: x.T, Pos: s.Pos}
	b.names[v.Name] = true
	to := func(list []Stmt, a *Assign) []Stmt {
		return append(slices.Clone(list[:len(list)-1]), &Assign{L: []Expr{&VarRef{v}}, R: a.R, Pos: a.Pos})
	}
	s.Then, s.Else = to(s.Then, then), to(s.Else, otherwise)
	return v, &Assign{L: then.L, R: &VarRef{v}, Pos: then.Pos}
}

// lastStore returns the store of an element at the end of a list, or nil if there is none or the list has other stores, with which masks are needed anyway.
// Integers of 64 bits are left where they are: a variable of them is an index until it turns out to be none.
func lastStore(list []Stmt) *Assign {
	if len(list) == 0 {
		return nil
	}
	a, ok := list[len(list)-1].(*Assign)
	if !ok || len(a.L) != 1 || a.Def || useOf(list[:len(list)-1]).stores {
		return nil
	}
	if x, ok := a.L[0].(*Index); !ok || !isSlice(x.X.Type()) || !basic(x.T) || isInteger(x.T) && wide(x.T) {
		return nil
	}
	return a
}
