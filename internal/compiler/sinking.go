package compiler

import "slices"

// Sinking (pass sink): a value that threads keep across a barrier, and that only those of a guard change and
// read,
//
//	other := 0
//	if tid < d {
//		other = s[tid+d]
//	}
//	barrier
//	if tid < d {
//		s[tid] += other
//	}
//
// is set by only these, as in partial dead code elimination (Knoop, Rüthing and Steffen, 1994). So the guard
// becomes the bounds of both loops over threads.

// sinkKept moves such definitions into the branches behind them.
func (k *Kernel) sinkKept() {
	k.shapes()
	var visit func(list []Stmt) []Stmt
	visit = func(list []Stmt) []Stmt {
		for i := 0; i+1 < len(list); i++ {
			if k.sinks(list[i:]) {
				list = slices.Delete(slices.Clone(list), i, i+1)
			}
		}
		for _, s := range list {
			changeWithin(s, visit)
		}
		return list
	}
	k.Body = visit(k.Body)
}

// sinks moves a definition at the beginning of list into the branch behind it, if only the threads of that
// branch need it.
func (k *Kernel) sinks(list []Stmt) bool {
	def, ok := list[0].(*Assign)
	if !ok || !def.Def || len(def.L) != 1 || loads(def.R) || mayPanic(def.R) {
		return false
	}
	to, ok := def.L[0].(*VarRef)
	if !ok || to.V.addr || to.V.Shape.uniform() || !basic(to.V.Type) {
		return false
	}
	v := to.V
	guard, ok := list[1].(*If)
	if !ok || len(guard.Else) > 0 || loads(guard.Cond) || mayPanic(guard.Cond) || mentions(guard.Cond, v) {
		return false
	}
	if !assignedIn(&Block{Body: guard.Then})[v] {
		return false
	}
	last := 1
	for i, s := range list[2:] {
		if u := useOf([]Stmt{s}); !u.read[v] && !u.written[v] {
			continue
		}
		last = 2 + i
		within, isIf := s.(*If)
		if !isIf || !implies(within.Cond, guard.Cond) {
			return false
		}
		if u := useOf(within.Else); u.read[v] || u.written[v] {
			return false
		}
	}
	between := list[1 : last+1]
	if !hasBarrier(between) || reads(k.Body, v) != reads(between, v) || anyStmt(between, func(s Stmt) bool { _, isExit := s.(*Exit); return isExit }) {
		return false
	}
	changes := assignedIn(&Block{Body: between})
	steady := true
	walkExpr(guard.Cond, func(e Expr) {
		if r, ok := e.(*VarRef); ok {
			steady = steady && !changes[r.V] && !r.V.addr
		}
	})
	for _, s := range between {
		walk([]Stmt{s}, func(s Stmt) {
			if slices.Contains(results(s), v) {
				steady = false
			}
		})
	}
	if !steady {
		return false
	}
	guard.Then = append([]Stmt{&Assign{L: def.L, R: def.R, Pos: def.Pos}}, guard.Then...)
	return true
}

// implies reports whether the first conjuncts of e are those of cond.
func implies(e, cond Expr) bool {
	all, first := terms(e), terms(cond)
	return len(all) >= len(first) && slices.EqualFunc(all[:len(first)], first, sameExpr)
}
