package compiler

import (
	"go/token"
	"slices"
)

// Rematerialization (Briggs, Cooper and Torczon, 1992): if a variable has the same value at all
// barriers, and that value depends only on the thread's index and uniform values, as in
//
//	for w := tx; w < n; w += step { ... }
//	w = tx
//	t.SyncThreads()
//
// it is recomputed behind each barrier, as a new variable. So it needs no array with an element per
// thread, and the initial values of loops are known.

// rematerialize applies the pass to all such variables.
func (k *Kernel) rematerialize() {
	if !hasBarrier(k.Body) {
		return
	}
	before := len(k.Vars)
	assigns, single := map[*Var]int{}, map[*Var]Expr{}
	walk(k.Body, func(s Stmt) {
		for v := range assignedIn(s) {
			if a, ok := s.(*Assign); ok {
				assigns[v]++
				if len(a.L) == 1 {
					single[v] = a.R
				}
			}
		}
		for _, v := range results(s) {
			assigns[v] += 2
		}
	})
	k.Body = k.rematerializeIn(k.Body, assigns, single)
	if len(k.Vars) > before {
		k.orderVars()
	}
}

// rematerializeIn applies it to a list, and to branches with barriers, after moving variables that
// only the branch uses into it.
func (k *Kernel) rematerializeIn(list []Stmt, assigns map[*Var]int, single map[*Var]Expr) []Stmt {
	for i := 0; i < len(list); i++ {
		if c, ok := list[i].(*If); ok && hasBarrier(c.Then) && !hasBarrier(c.Else) {
			list, i = k.sink(list, i, assigns, single)
			c.Then = k.rematerializeIn(c.Then, assigns, single)
		}
	}
	for i := 0; i < len(list); i++ {
		s := list[i]
		a, ok := s.(*Assign)
		if !ok || !a.Def || len(a.L) != 1 || a.L[0] == nil {
			continue
		}
		v, whole := assigned(a.L[0])
		if v == nil || !whole || v.addr || v.Param || v.kept || assigns[v] < 2 || !isInteger(v.Type) {
			continue
		}
		r := &rematerial{k: k, v: v, assigns: assigns, single: single, known: map[*Var]bool{}}
		if end, ok := r.through(list[i:], nil); ok && r.barriers > 0 && end != nil {
			if r.made(a.R) {
				list = append(list[:i:i], r.behind(list[i+1:], v, s, nil)...)
				i--
			} else { // its initial value is computed in place
				list = append(list[:i+1:i+1], r.anew(list[i+1:], v, nil)...)
			}
			assigns[v] = 1 // the variable is handled
		}
	}
	return list
}

// sink moves variables that depend on the thread's index, and that only the branch at i uses, to
// the beginning of the branch. It returns the list and the new position of the branch.
func (k *Kernel) sink(list []Stmt, i int, assigns map[*Var]int, single map[*Var]Expr) ([]Stmt, int) {
	c := list[i].(*If)
	for j := i - 1; j >= 0; j-- {
		a, ok := list[j].(*Assign)
		if !ok || !a.Def || len(a.L) != 1 || a.L[0] == nil {
			continue
		}
		v, whole := assigned(a.L[0])
		if v == nil || !whole || v.addr || v.Param || v.kept || assigns[v] < 2 || !isInteger(v.Type) || mentions(c.Cond, v) {
			continue
		}
		r := &rematerial{k: k, v: v, assigns: assigns, single: single, known: map[*Var]bool{}}
		others := useOf(slices.Concat(list[:j], list[j+1:i], list[i+1:], c.Else))
		if !r.made(a.R) || others.read[v] || others.written[v] {
			continue
		}
		c.Then = prepend([]Stmt{a}, c.Then)
		list = slices.Delete(slices.Clone(list), j, j+1)
		i--
	}
	return list, i
}

// A rematerial is a variable being analysed.
type rematerial struct {
	k        *Kernel
	v        *Var
	assigns  map[*Var]int
	single   map[*Var]Expr // the values of variables that are assigned once
	known    map[*Var]bool // for these variables, whether made holds
	is       Expr          // the value at all barriers
	barriers int
}

// made reports whether e depends on the thread's index, and otherwise only on constants and
// variables that do not change.
func (r *rematerial) made(e Expr) bool {
	ok, thread := true, false
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Index3:
			thread = thread || x.Of == threadIdx
		case *VarRef:
			one := r.single[x.V]
			ok = ok && x.V != r.v && !x.V.addr && (x.V.Param && r.assigns[x.V] == 0 || !x.V.Param && r.assigns[x.V] == 1 && one != nil && r.madeOf(x.V))
			thread = thread || one != nil
		case *Const, *Binary, *Unary, *Convert:
		default:
			ok = false
		}
	})
	return ok && thread && !mayPanic(e)
}

// madeOf reports whether made holds for the only value of v.
func (r *rematerial) madeOf(v *Var) bool {
	ok, seen := r.known[v]
	if !seen {
		ok = r.made(r.single[v])
		r.known[v] = ok
	}
	return ok
}

// through returns the variable's value behind list, given its value now before; nil if that is
// unknown. ok is false unless the variable has the same known value at all barriers.
func (r *rematerial) through(list []Stmt, now Expr) (Expr, bool) {
	for _, s := range list {
		touched := assignedIn(&Block{Body: []Stmt{s}})[r.v]
		switch x := s.(type) {
		case *Assign:
			if v, whole := assigned(x.L[0]); len(x.L) == 1 && x.L[0] != nil && v == r.v && whole && r.made(x.R) {
				now = x.R
				continue
			}
		case *Barrier:
			if now == nil || r.is != nil && !sameExpr(now, r.is) || mentions(x.Pred, r.v) {
				return nil, false
			}
			r.is = now
			r.barriers++
			continue
		case *For:
			if !hasBarrier([]Stmt{x}) {
				break
			}
			head := useOf(slices.Concat(x.Pre, x.Post, []Stmt{&Assign{L: []Expr{nil}, R: x.Cond}}))
			if now == nil || r.is != nil && !sameExpr(now, r.is) || head.read[r.v] || head.written[r.v] || leaves(&Block{Body: x.Body}) || x.breaks || x.continues {
				return nil, false
			}
			r.is = now
			if end, ok := r.through(x.Body, now); !ok || end == nil || !sameExpr(end, now) {
				return nil, false
			}
			continue
		default:
			if hasBarrier([]Stmt{x}) {
				if u := useOf([]Stmt{x}); u.read[r.v] || u.written[r.v] {
					return nil, false
				}
				r.barriers++
			}
		}
		if touched {
			now = nil
		}
	}
	return now, true
}

// anew returns list with a new variable behind each barrier, and one in each loop with barriers.
// The variable is assigned right before its first use, so that code for the whole block may come
// before.
func (r *rematerial) anew(list []Stmt, v *Var, in *For) (out []Stmt) {
	for i, s := range list {
		l, isLoop := s.(*For)
		_, isBarrier := s.(*Barrier)
		if isLoop = isLoop && hasBarrier([]Stmt{l}); isLoop {
			w, def := r.fresh(v, l, l.Pos)
			changeVar(l.Body, v, w)
			l.Body = r.behind(l.Body, w, def, l)
		}
		if isLoop || isBarrier {
			w, def := r.fresh(v, in, r.v.Pos)
			changeVar(list[i+1:], v, w)
			return append(append(out, s), r.behind(list[i+1:], w, def, in)...)
		}
		out = append(out, s)
	}
	return out
}

// fresh makes a copy of v, and its initialization.
func (r *rematerial) fresh(v *Var, in *For, at token.Pos) (*Var, Stmt) {
	w := *v
	w.Name, w.In, w.defs = uniqueName(r.k.names, r.v.Name), in, 0
	r.k.Vars = append(r.k.Vars, &w)
	return &w, &Assign{L: []Expr{&VarRef{&w}}, R: r.is, Def: true, Pos: at}
}

// behind is anew for a list that begins behind a barrier: v is initialized before the first
// statement that uses it, unless a barrier comes first.
func (r *rematerial) behind(list []Stmt, v *Var, def Stmt, in *For) []Stmt {
	for i, s := range list {
		if u := useOf([]Stmt{s}); u.read[v] || u.written[v] {
			list = slices.Insert(slices.Clone(list), i, def)
			break
		}
		if hasBarrier([]Stmt{s}) {
			break
		}
	}
	return r.anew(list, v, in)
}
