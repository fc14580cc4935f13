package compiler

import (
	"go/token"
	"slices"
)

// Running: threads leave a loop in different rounds, so what it has counted differs between them after it. In the loop,
// those that still run it have counted the same: a counter is one number for all lanes there, and a thread takes a copy as it
// leaves. So `n < limit` is a test of a number and not of a vector that has just been blended, and x[i] in
//
//	for i < n {
//		sum += x[i]
//		i += stride
//	}
//
// is a row of memory and not a gather.

// Plain code has one thread at a time in such a loop, and stays as it is written.

// running makes variables that are the same for all threads that run a loop, though not after it, variables of the loop,
// with a copy for after it. It needs the shapes of the variables, and leaves them up to date.
func (k *Kernel) running() {
	k.Body = k.runningIn(k.Body)
	k.shapes()
}

func (k *Kernel) runningIn(list []Stmt) []Stmt {
	for i := 0; i < len(list); i++ {
		switch s := list[i].(type) {
		case *If:
			s.Then, s.Else = k.runningIn(s.Then), k.runningIn(s.Else)
		case *Block:
			s.Body = k.runningIn(s.Body)
		case *For:
			s.Body = k.runningIn(s.Body)
			if s.parts[0] == 0 || anyStmt([]Stmt{s}, meetsOrAllocates) {
				continue
			}
			for again := true; again; {
				again = false // one counter may be made of others
				for _, v := range slices.Clone(k.Vars) {
					at := declaredBefore(list, i, v)
					if at < 0 || !v.countsIn(s) {
						continue
					}
					here, all := map[*Var]int{}, map[*Var]int{}
					countRefs(list[at:], here)
					countRefs(k.Body, all)
					if here[v] != all[v] {
						continue // a result of a helper, which is known outside
					}
					by, ok := k.ofLoop(v, s, list[i+1:])
					again = again || ok
					if by != nil {
						// Of the list itself the representation, of which shapes are found, has a view.
						list = slices.Insert(slices.Clone(list), i, Stmt(&Assign{L: []Expr{&VarRef{by}}, R: zeroOf(by.Type), Def: true, Pos: s.Pos}))
						i++
					}
				}
			}
		}
	}
	return list
}

// declaredBefore returns the place of the declaration of v in list if that comes before list[end], with
// nothing between for which threads wait; else -1.
func declaredBefore(list []Stmt, end int, v *Var) int {
	for at := end - 1; at >= 0 && !anyStmt(list[at:at+1], meetsOrAllocates); at-- {
		if a, ok := list[at].(*Assign); ok && a.Def && len(a.L) == 1 && a.L[0] != nil {
			if w, whole := assigned(a.L[0]); w == v && whole {
				return at
			}
		}
	}
	return -1
}

func meetsOrAllocates(s Stmt) bool {
	_, allocates := s.(*Alloc)
	return allocates || isMeeting(s)
}

// countsIn reports whether s assigns v, which differs after s, and may do so with the same number for all threads: one
// that is made of v and of what is the same.
func (v *Var) countsIn(s *For) bool {
	if v.Shape[0] != noStep || v.addr || v.Param || v.kept || !basic(v.Type) || declaredIn(v, s) {
		return false
	}
	saved := v.Shape
	v.Shape = shape{}
	defer func() { v.Shape = saved }()
	assigns, ok := 0, true
	walk([]Stmt{s}, func(x Stmt) {
		if a, isAssign := x.(*Assign); isAssign && assignedIn(a)[v] {
			assigns++
			ok = ok && len(a.L) == 1 && scalarShape(shapeOf(a.R))
			_, whole := assigned(a.L[0])
			ok = ok && whole
		}
	})
	return ok && assigns > 0
}

// ofLoop makes v a variable of s, and what comes after s use a copy, by, if it uses v at all. It changes nothing unless v
// is the same for all that run s.
func (k *Kernel) ofLoop(v *Var, s *For, after []Stmt) (by *Var, ok bool) {
	used := map[*Var]int{}
	countRefs(after, used)
	if used[v] > 0 && s.overElements() {
		return nil, false
	}
	in := v.In
	v.In, v.before = s, true
	if used[v] > 0 {
		w := *v
		w.In, w.before = in, false
		w.Name = uniqueName(k.names, v.Name)
		by = &w
		k.Vars = slices.Insert(k.Vars, slices.Index(k.Vars, v)+1, by)
		changeVar(after, v, by)
	}
	k.shapes()
	if !scalarShape(v.Shape) {
		v.In, v.before = in, false
		if by != nil {
			changeVar(after, by, v)
			k.Vars = slices.DeleteFunc(k.Vars, func(w *Var) bool { return w == by })
			delete(k.names, by.Name)
		}
		k.shapes()
		return nil, false
	}
	last := len(s.Body) - 1
	if last >= 0 && len(s.Post) == 0 && !s.continues && assignedIn(s.Body[last])[v] && !assignedIn(&Block{Body: s.Body[:last]})[v] {
		if a, isAssign := s.Body[last].(*Assign); isAssign && !usesOwn(a, s.Body) {
			s.Body, s.Post = s.Body[:last:last], []Stmt{a} // as if s had been written so
		}
	}
	if by == nil {
		return nil, true
	}
	inside := map[Stmt]bool{}
	walk(s.Body, func(x Stmt) { inside[x] = true })
	keep := func(s Stmt) Stmt { return &Assign{L: []Expr{&VarRef{by}}, R: &VarRef{v}, Pos: s.Position()} }
	s.Body = beforeExits(s.Body, func(e *Exit) Stmt {
		if e.To == nil || inside[e.To] || e.To == Stmt(s) && e.Continue {
			return nil
		}
		return keep(e)
	})
	if s.Cond != nil {
		done := &If{Cond: not(s.Cond), Pos: s.Pos}
		done.Then = []Stmt{keep(s), &Exit{To: s, Pos: s.Pos}}
		s.Cond, s.Body, s.breaks = nil, slices.Insert(s.Body, 0, Stmt(done)), true
	}
	k.shapes()
	return by, true
}

// overElements reports whether s is the loop of a thread over its elements: it goes most of its rounds with all lanes on (see
// fullrounds), and needs its condition for that.
func (s *For) overElements() bool {
	c, ok := s.Cond.(*Binary)
	return ok && c.Op == token.LSS && shapeOf(c.X)[0] == 1 && !s.breaks && !s.continues
}

// usesOwn reports whether a uses a variable that list declares, which what comes after list can't see.
func usesOwn(a *Assign, list []Stmt) bool {
	own := false
	exprs(a, func(e Expr) {
		walkExpr(e, func(x Expr) {
			r, isVar := x.(*VarRef)
			own = own || isVar && declares(&Block{Body: list}, r.V)
		})
	})
	return own
}

// beforeExits puts before each exit in list what f returns for it, if that is not nil.
func beforeExits(list []Stmt, f func(*Exit) Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		switch s := s.(type) {
		case *Exit:
			if x := f(s); x != nil {
				out = append(out, x)
			}
		case *If:
			s.Then, s.Else = beforeExits(s.Then, f), beforeExits(s.Else, f)
		case *Block:
			s.Body = beforeExits(s.Body, f)
		case *For:
			s.Body = beforeExits(s.Body, f)
		}
		out = append(out, s)
	}
	return out
}

// countRefs adds to refs how often list names each variable.
func countRefs(list []Stmt, refs map[*Var]int) {
	walk(list, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				if r, ok := x.(*VarRef); ok {
					refs[r.V]++
				}
			})
		})
		for _, v := range results(s) {
			refs[v]++
		}
		if a, ok := s.(*Alloc); ok {
			refs[a.Dst]++
		}
	})
}
