package compiler

import (
	"go/constant"
	"go/token"
	"slices"
)

// Tidying: simplification of the control flow that building leaves.
//
// `tail` turns `if c { return }; rest` into `if !c { rest }`, so that few exits are left and guards
// become visible. It never moves a barrier into a branch, since the barrier would then be
// conditional. `!(x < y)` of floats is kept, because of NaN.

// tidy removes blocks that need no name and returns at the end, and the values that firstValues
// drops.
func tidy(list []Stmt) []Stmt {
	list = tidyList(tail(tidyList(list), nil, false))
	return firstValues(list)
}

// firstValues drops the zero value of a declaration if the variable is assigned before it is read.
func firstValues(list []Stmt) []Stmt {
	var out []Stmt
next:
	for i, s := range list {
		switch s := s.(type) {
		case *If:
			s.Then, s.Else = firstValues(s.Then), firstValues(s.Else)
		case *For:
			s.Pre, s.Body, s.Post = firstValues(s.Pre), firstValues(s.Body), firstValues(s.Post)
		case *Block:
			s.Body = firstValues(s.Body)
		case *Assign:
			if !s.Def || len(s.L) != 1 || !isZero(s.R) {
				break
			}
			v, _ := assigned(s.L[0])
			for _, t := range list[i+1:] {
				u := useOf([]Stmt{t})
				a, ok := t.(*Assign)
				if ok && len(a.L) == 1 && a.L[0] != nil && !u.read[v] {
					if w, whole := assigned(a.L[0]); w == v && whole {
						a.Def = true
						continue next
					}
				}
				if u.read[v] || u.written[v] {
					break
				}
			}
		}
		out = append(out, s)
	}
	return out
}

func tidyList(list []Stmt) []Stmt {
	var out []Stmt
	for i, s := range list {
		switch s := s.(type) {
		case *If:
			s.Then, s.Else = tidyList(s.Then), tidyList(s.Else)
			if len(s.Then) == 0 && len(s.Else) > 0 {
				s.Cond, s.Then, s.Else = not(s.Cond), s.Else, nil
			}
			if len(s.Then) == 0 && len(s.Else) == 0 {
				if _, ok := s.Cond.(*VarRef); ok {
					continue
				}
			}
		case *For:
			s.Pre, s.Body, s.Post = tidyList(s.Pre), tidyList(s.Body), tidyList(s.Post)
			s.Body = tail(s.Body, s, true)
			if c, ok := s.Cond.(*Const); ok && constant.BoolVal(c.Val) {
				s.Cond = nil
			}
			s.headed()
			s.continues = anyStmt(s.Body, func(x Stmt) bool { e, ok := x.(*Exit); return ok && e.To == s && e.Continue })
			s.breaks = anyStmt(s.Body, func(x Stmt) bool { e, ok := x.(*Exit); return ok && e.To == s && !e.Continue })
			if v := s.counter(); v != nil {
				out = s.own(v, out, list[i+1:])
			}
		case *Block:
			s.Body = tail(tidyList(s.Body), s, false)
			if !anyStmt(s.Body, func(x Stmt) bool { e, ok := x.(*Exit); return ok && e.To == s }) {
				out = append(out, s.Body...)
				continue
			}
		case *Exit:
			return append(out, s) // nothing after it is reached
		}
		out = append(out, s)
	}
	return out
}

// headed turns a leading branch that leaves a loop without a condition, `for { if c { break }; ...
// }`, into the loop's condition.
func (s *For) headed() {
	if s.Cond != nil || len(s.Body) == 0 {
		return
	}
	c, ok := s.Body[0].(*If)
	if !ok || len(c.Then) != 1 || mayPanic(c.Cond) {
		return
	}
	if e, ok := c.Then[0].(*Exit); ok && e.To == s && !e.Continue {
		s.Cond, s.Body = not(c.Cond), append(slices.Clip(c.Else), s.Body[1:]...)
	}
}

// tail rewrites a list at whose end control goes to the target of Exit{to, cont}, so that it
// contains few such exits: `if c { A; exit }; B` becomes `if c { A } else { B }`. It does not move
// barriers.
func tail(list []Stmt, to Stmt, cont bool) []Stmt {
	is := func(s Stmt) bool {
		e, ok := s.(*Exit)
		return ok && e.To == to && e.Continue == cont
	}
	var ends func(l []Stmt) bool // reports whether l always ends with that exit
	ends = func(l []Stmt) bool {
		if len(l) == 0 {
			return false
		}
		if is(l[len(l)-1]) {
			return true
		}
		s, ok := l[len(l)-1].(*If)
		return ok && ends(s.Then) && ends(s.Else)
	}
	for i, s := range list {
		if is(s) {
			return list[:i]
		}
		c, ok := s.(*If)
		if !ok {
			continue
		}
		rest := list[i+1:]
		if !anyStmt(c.Then, is) && !anyStmt(c.Else, is) {
			if len(rest) == 0 {
				c.Then, c.Else = tail(c.Then, to, cont), tail(c.Else, to, cont)
			}
			continue
		}
		if hasBarrier(rest) {
			continue
		}
		switch {
		case ends(c.Then):
			c.Else = append(slices.Clip(c.Else), rest...)
		case ends(c.Else):
			c.Then = append(slices.Clip(c.Then), rest...)
		default:
			if len(rest) > 0 {
				continue
			}
		}
		c.Then, c.Else = tail(c.Then, to, cont), tail(c.Else, to, cont)
		if len(c.Then) == 0 && len(c.Else) > 0 {
			c.Cond, c.Then, c.Else = not(c.Cond), c.Else, nil
		}
		return list[:i+1]
	}
	return list
}

// counter turns for i < n { ...; i += step } into for ; i < n; i += step { ... }, and returns i, or
// nil.
func (s *For) counter() *Var {
	if s.Cond == nil || len(s.Pre)+len(s.Post) > 0 || s.continues {
		return nil
	}
	for n := len(s.Body) - 1; n >= 0; n-- { // other integers may be advanced behind the counter
		a, ok := s.Body[n].(*Assign)
		if !ok || a.Def || len(a.L) != 1 || a.L[0] == nil || loads(a.R) || mayPanic(a.R) {
			return nil
		}
		r, ok := a.L[0].(*VarRef)
		if !ok || r.V.addr || r.V.Param || !isInteger(r.V.Type) {
			return nil
		}
		if mentions(s.Cond, r.V) {
			return s.countedAt(n, a, r)
		}
	}
	return nil
}

// countedAt moves the statement a, which is at n in the body and assigns r, behind it, if it advances r.
func (s *For) countedAt(n int, a *Assign, r *VarRef) *Var {
	others := slices.Concat(s.Body[:n], s.Body[n+1:])
	if behind := useOf(s.Body[n+1:]); behind.read[r.V] || assignedIn(&Block{Body: others})[r.V] {
		return nil
	}
	sum, ok := a.R.(*Binary)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB || !sameExpr(sum.X, r) || mentions(sum.Y, r.V) || mayPanic(sum.Y) || loads(sum.Y) {
		return nil
	}
	for v := range useOf([]Stmt{a}).read { // a variable of the body is out of scope in the post statement
		for _, x := range s.Body {
			if declares(x, v) {
				return nil
			}
		}
	}
	s.Body, s.Post = others, []Stmt{a}
	return r.V
}

// own makes v a variable of the loop, as if the loop's header declared it, if no other statement
// uses v. before and behind are the statements of the block before and after the loop; own returns
// before with v's definition moved to its end.
func (s *For) own(v *Var, before, behind []Stmt) []Stmt {
	if u := useOf(behind); u.read[v] || u.written[v] || v.In == s {
		return before
	}
	for j, x := range before {
		a, ok := x.(*Assign)
		if !ok || !a.Def || len(a.L) != 1 || a.L[0] == nil {
			continue
		}
		if w, whole := assigned(a.L[0]); w != v || !whole {
			continue
		}
		between, reads := useOf(before[j+1:]), useOf([]Stmt{a}).read
		if mayPanic(a.R) || loads(a.R) || between.read[v] || between.written[v] || hasBarrier(before[j+1:]) {
			return before
		}
		for w := range reads {
			if between.written[w] {
				return before
			}
		}
		v.In = s
		return append(append(before[:j:j], before[j+1:]...), a)
	}
	return before
}
