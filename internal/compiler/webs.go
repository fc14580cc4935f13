package compiler

import "slices"

// Webs: a variable that is reassigned as a whole, in the statement list that declares it, becomes
// another variable from there on (live range splitting). So does a slice that is reassigned in a
// branch, if nothing behind the branch reads it. Kernels reuse x and y for other values after a
// barrier. After the split each variable has one value, which can be recomputed where it is needed
// and need not live across the barrier.

// splitWebs splits variables into webs.
func (k *Kernel) splitWebs() {
	before := len(k.Vars)
	k.splitIn(k.Body, func(*Var) bool { return false })
	if len(k.Vars) == before {
		return
	}
	k.orderVars()
}

// orderVars sorts variables by their declarations.
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

// splitIn splits the variables in list; behind reports whether a variable is read after list.
func (k *Kernel) splitIn(list []Stmt, behind func(*Var) bool) {
	here := map[*Var]bool{} // declared in list
	for i, s := range list {
		switch s := s.(type) {
		case *For:
			// variables declared in Pre are used in other lists as well
			k.splitIn(s.Body, func(*Var) bool { return true })
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

// changeVar replaces one variable by another in list.
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

// changeAll applies f to every expression of list, in place. f gets whole expressions, and must
// accept nil.
func changeAll(list []Stmt, f func(Expr) Expr) {
	walk(list, func(s Stmt) { changeOwn(s, f) })
}

// changeOwn is changeAll for the expressions of s itself, and not for those of nested statements.
func changeOwn(s Stmt, f func(Expr) Expr) {
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
}
