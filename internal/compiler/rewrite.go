package compiler

// Rewriting: copies of expressions and statements with parts replaced.

// mapExpr returns a copy of e with f applied to every subexpression in postorder, e included.
func mapExpr(e Expr, f func(Expr) Expr) Expr {
	if e == nil {
		return nil
	}
	return f(mapParts(e, func(x Expr) Expr { return mapExpr(x, f) }))
}

// mapParts returns a copy of e with f applied to its operands. f is not called for operands that
// are nil.
func mapParts(e Expr, f func(Expr) Expr) Expr {
	one := func(x Expr) Expr {
		if x == nil {
			return nil
		}
		return f(x)
	}
	list := func(es []Expr) []Expr {
		out := make([]Expr, len(es))
		for i, x := range es {
			out[i] = one(x)
		}
		return out
	}
	switch x := e.(type) {
	case *Bounded:
		return &Bounded{one(x.I), one(x.N)}
	case *Unary:
		y := *x
		y.X = one(x.X)
		return &y
	case *Binary:
		y := *x
		y.X, y.Y = one(x.X), one(x.Y)
		return &y
	case *Convert:
		y := *x
		y.X = one(x.X)
		return &y
	case *Index:
		y := *x
		y.X, y.I = one(x.X), one(x.I)
		return &y
	case *Slice:
		y := *x
		y.X, y.Lo, y.Hi, y.Max = one(x.X), one(x.Lo), one(x.Hi), one(x.Max)
		return &y
	case *Field:
		y := *x
		y.X = one(x.X)
		return &y
	case *Deref:
		y := *x
		y.X = one(x.X)
		return &y
	case *Addr:
		y := *x
		y.X = one(x.X)
		return &y
	case *Composite:
		y := *x
		y.Vals = list(x.Vals)
		return &y
	case *Call:
		y := *x
		y.Fn, y.Args = one(x.Fn), list(x.Args)
		return &y
	}
	return e
}

// inlined returns e with the variables in value replaced by their values.
func inlined(e Expr, value map[*Var]Expr) Expr {
	return mapExpr(e, func(x Expr) Expr {
		if r, ok := x.(*VarRef); ok && value[r.V] != nil {
			return value[r.V]
		}
		return x
	})
}

// changeWithin applies change to the lists in s, except to those of spaces.
func changeWithin(s Stmt, change func([]Stmt) []Stmt) {
	switch s := s.(type) {
	case *If:
		if s.over == nil {
			s.Then = change(s.Then)
		}
		s.Else = change(s.Else)
	case *For:
		s.Body = change(s.Body)
	case *Block:
		s.Body = change(s.Body)
	}
}

// mapStmts returns a copy of list with f applied to all expressions. Exits from loops and blocks of
// list lead to the copies of these.
func mapStmts(list []Stmt, f func(Expr) Expr) []Stmt { return mapInto(list, f, map[Stmt]Stmt{}) }

func mapInto(list []Stmt, f func(Expr) Expr, copies map[Stmt]Stmt) []Stmt {
	var out []Stmt
	in := func(l []Stmt) []Stmt { return mapInto(l, f, copies) }
	for _, s := range list {
		switch x := s.(type) {
		case *Assign:
			y := *x
			y.L = make([]Expr, len(x.L))
			for i, l := range x.L {
				y.L[i] = mapExpr(l, f)
			}
			y.R = mapExpr(x.R, f)
			s = &y
		case *If:
			y := *x
			y.Cond, y.Then, y.Else = mapExpr(x.Cond, f), in(x.Then), in(x.Else)
			s = &y
		case *For:
			y := *x
			copies[x] = &y
			y.Pre, y.Cond, y.Body, y.Post = in(x.Pre), mapExpr(x.Cond, f), in(x.Body), in(x.Post)
			s = &y
		case *Block:
			y := *x
			copies[x] = &y
			y.Body = in(x.Body)
			s = &y
		case *Exit:
			y := *x
			if to, ok := copies[x.To]; ok {
				y.To = to
			}
			s = &y
		case *Barrier:
			y := *x
			y.Pred = mapExpr(x.Pred, f)
			s = &y
		case *Warp:
			y := *x
			y.Mask, y.Args = mapExpr(x.Mask, f), nil
			for _, a := range x.Args {
				y.Args = append(y.Args, mapExpr(a, f))
			}
			s = &y
		case *Alloc:
			y := *x
			y.N = mapExpr(x.N, f)
			s = &y
		case *Do:
			y := *x
			y.X = mapExpr(x.X, f).(*Call)
			s = &y
		case *Panic:
			y := *x
			y.X = mapExpr(x.X, f)
			s = &y
		}
		out = append(out, s)
	}
	return out
}

// adopt replaces the body of k by a copy. The variables that are declared in a loop, and inner loops, are then in
// its copy.
func (k *Kernel) adopt(body []Stmt, copies map[Stmt]Stmt) {
	k.Body = body
	in := func(l *For) *For {
		if c, ok := copies[l].(*For); ok {
			return c
		}
		return l
	}
	for _, v := range k.Vars {
		v.In = in(v.In)
	}
	walk(body, func(s Stmt) {
		if l, ok := s.(*For); ok {
			l.outer = in(l.outer)
		}
	})
}

// mapReads is mapStmts without the variables on the left side of assignments.
func mapReads(list []Stmt, f func(Expr) Expr) []Stmt {
	list = mapStmts(list, func(e Expr) Expr { return e })
	assigned := map[Expr]bool{}
	walk(list, func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			for i, l := range a.L {
				if r, ok := l.(*VarRef); ok {
					a.L[i] = &VarRef{r.V} // a reference of its own, to distinguish it from reads
					assigned[a.L[i]] = true
				}
			}
		}
	})
	return mapStmts(list, func(e Expr) Expr {
		if assigned[e] {
			return e
		}
		return f(e)
	})
}

// rewriteReads applies f to all expressions of list but variables that are assigned as a whole. The
// statements stay the same ones, so loops and what refers to them do.
func rewriteReads(list []Stmt, f func(Expr) Expr) {
	walk(list, func(s Stmt) {
		switch x := s.(type) {
		case *Assign:
			for i, l := range x.L {
				if _, whole := l.(*VarRef); l != nil && !whole {
					x.L[i] = mapExpr(l, f)
				}
			}
			x.R = mapExpr(x.R, f)
		case *If:
			x.Cond = mapExpr(x.Cond, f)
		case *For:
			x.Cond = mapExpr(x.Cond, f)
		case *Barrier:
			x.Pred = mapExpr(x.Pred, f)
		case *Warp:
			x.Mask = mapExpr(x.Mask, f)
			for i, a := range x.Args {
				x.Args[i] = mapExpr(a, f)
			}
		case *Alloc:
			x.N = mapExpr(x.N, f)
		case *Do:
			x.X = mapExpr(x.X, f).(*Call)
		case *Panic:
			x.X = mapExpr(x.X, f)
		}
	})
}

// replaceVar returns a copy of list with one variable replaced by another.
func replaceVar(list []Stmt, old, by *Var) []Stmt {
	return mapStmts(list, func(e Expr) Expr {
		if r, ok := e.(*VarRef); ok && r.V == old {
			return &VarRef{by}
		}
		return e
	})
}
