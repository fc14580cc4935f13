package compiler

import "slices"

// Webs: a variable that is assigned anew as a whole, in the list of statements that declares it, is another
// variable from there on; so is a slice in a branch, if nothing behind the branch looks at it. Kernels reuse x and y for other places after a barrier; taken apart, each of
// them has one value, which can be computed again where it is needed and need not be kept across the
// barrier.

// splitWebs takes such variables apart.
func (k *Kernel) splitWebs() {
	before := len(k.Vars)
	k.splitIn(k.Body, func(*Var) bool { return false })
	if len(k.Vars) == before {
		return
	}
	k.orderVars()
}

// orderVars puts variables in the order of their declarations.
func (k *Kernel) orderVars() {
	at := map[*Var]int{}
	walk(k.Body, func(s Stmt) {
		list := results(s)
		if a, ok := s.(*Assign); ok {
			for _, l := range a.L {
				if v, _ := assigned(l); l != nil && v != nil {
					list = append(list, v)
				}
			}
		}
		for _, v := range list {
			if at[v] == 0 {
				at[v] = len(at) + 1
			}
		}
	})
	slices.SortStableFunc(k.Vars, func(v, w *Var) int { return at[v] - at[w] })
}

// splitIn takes variables apart in list; behind says which of them are read after it.
func (k *Kernel) splitIn(list []Stmt, behind func(*Var) bool) {
	here := map[*Var]bool{} // declared in list
	for i, s := range list {
		switch s := s.(type) {
		case *For:
			k.splitIn(s.Body, func(*Var) bool { return true }) // what Pre declares is also used elsewhere
		default:
			substmts(s, func(l []Stmt) {
				k.splitIn(l, func(v *Var) bool { return behind(v) || useOf(list[i+1:]).read[v] })
			})
		}
		a, ok := s.(*Assign)
		if !ok || len(a.L) != 1 || a.L[0] == nil {
			continue
		}
		v, whole := assigned(a.L[0])
		if v == nil || !whole || v.addr || v.Param {
			continue
		}
		if a.Def {
			here[v] = true
			continue
		}
		if !here[v] && (!isSlice(v.Type) || behind(v)) {
			continue
		}
		w := *v
		w.Name = uniqueName(k.names, v.Name)
		w.Pos = a.Pos
		next := &w
		k.Vars = append(k.Vars, next)
		a.L[0], a.Def = &VarRef{next}, true
		changeVar(list[i+1:], v, next)
		delete(here, v)
		here[next] = true
	}
}

// changeVar makes list use one variable in place of another.
func changeVar(list []Stmt, old, by *Var) {
	changeAll(list, func(e Expr) Expr {
		return mapExpr(e, func(x Expr) Expr {
			if r, ok := x.(*VarRef); ok && r.V == old {
				return &VarRef{by}
			}
			return x
		})
	})
}

// changeAll applies f to all expressions of list, as wholes, in place. It must take nil.
func changeAll(list []Stmt, f func(Expr) Expr) {
	walk(list, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			for i, l := range s.L {
				s.L[i] = f(l)
			}
			s.R = f(s.R)
		case *If:
			s.Cond = f(s.Cond)
		case *For:
			s.Cond = f(s.Cond)
		case *Barrier:
			s.Pred = f(s.Pred)
		case *Warp:
			s.Mask = f(s.Mask)
			for i, a := range s.Args {
				s.Args[i] = f(a)
			}
		case *Alloc:
			s.N = f(s.N)
		case *Do:
			s.X = f(s.X).(*Call)
		case *Panic:
			s.X = f(s.X)
		}
	})
}
