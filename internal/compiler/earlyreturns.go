package compiler

import (
	"go/constant"
	"go/types"
	"maps"
	"slices"
)

// Early returns: a helper with a return inside a loop, as in for i := 0; i < most; i++ {if done
// {return i}; ...}; return most, leaves a block after inlining. In a nest such a thread sets a flag
// and breaks out of the loop. Behind the loop it executes the statements of its exit, and the other
// threads execute the rest of the block (structured control flow; Peterson, Kasami and Tokura,
// 1973).

// blockReturns puts the end of a kernel with returns inside loops into a block that the returns
// leave, if it contains no barriers or warp operations.
func (k *Kernel) blockReturns() { k.Body = blockTail(k.Body) }

// blockTail does that for the last statements of a kernel.
func blockTail(list []Stmt) []Stmt {
	returns := func(s Stmt) bool { e, ok := s.(*Exit); return ok && e.To == nil }
	for i, s := range list {
		inLoop := anyStmt([]Stmt{s}, func(x Stmt) bool {
			f, ok := x.(*For)
			return ok && anyStmt(f.Body, returns)
		})
		if !inLoop {
			continue
		}
		if c, ok := s.(*If); ok && i == len(list)-1 {
			c.Then, c.Else = blockTail(c.Then), blockTail(c.Else)
			return list
		}
		if anyStmt(list[i:], func(x Stmt) bool {
			_, isWarp := x.(*Warp)
			return isWarp || isBarrier(x)
		}) {
			continue
		}
		blk := &Block{Body: slices.Clone(list[i:]), Pos: s.Position()}
		walk(blk.Body, func(x Stmt) {
			if returns(x) {
				x.(*Exit).To = blk
			}
		})
		return append(slices.Clip(list[:i]), blk)
	}
	return list
}

// withoutBlocks replaces such blocks by loops with breaks and by branches, where that is possible.
func (b *body) withoutBlocks(list []Stmt) []Stmt {
	if b.off("returns") || !anyStmt(list, func(s Stmt) bool { _, ok := s.(*Block); return ok }) {
		return list
	}
	var out []Stmt
	for _, s := range list {
		switch x := s.(type) {
		case *If:
			y := *x
			y.Then, y.Else = b.withoutBlocks(x.Then), b.withoutBlocks(x.Else)
			s = &y
		case *For:
			if body := b.withoutBlocks(x.Body); anyStmt([]Stmt{x}, func(s Stmt) bool { _, ok := s.(*Block); return ok }) {
				copied := mapStmts([]Stmt{&For{Pre: x.Pre, Cond: x.Cond, Body: body, Post: x.Post, breaks: x.breaks, continues: x.continues}}, func(e Expr) Expr { return e })
				y := *x
				y.Body = retarget(copied[0].(*For).Body, x, &y)
				s = &y
			}
		case *Block:
			copied := mapStmts([]Stmt{x}, func(e Expr) Expr { return e })[0].(*Block)
			e := earlyReturns{b: b, blk: copied}
			copied.Body = b.withoutBlocks(copied.Body)
			if body, ok := e.outside(copied.Body); ok && !leavesTo(body, copied) {
				b.k.works("returns")
				for _, v := range e.flags {
					out = append(out, &Assign{L: []Expr{&VarRef{v}}, R: &Const{constant.MakeBool(false), v.Type}, Def: true, Pos: x.Pos})
				}
				out = append(out, body...)
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// retarget makes exits from a loop exits from its copy.
func retarget(list []Stmt, from, to *For) []Stmt {
	walk(list, func(s Stmt) {
		if e, ok := s.(*Exit); ok && e.To == Stmt(from) {
			e.To = to
		}
	})
	return list
}

// leavesTo reports whether an exit of list leaves s.
func leavesTo(list []Stmt, s Stmt) bool {
	return anyStmt(list, func(x Stmt) bool { e, ok := x.(*Exit); return ok && e.To == s })
}

// An earlyReturns removes the exits from a copy of a block.
type earlyReturns struct {
	b     *body
	blk   *Block
	flags []*Var
	sites []returnSite  // the exits from the current loop
	made  map[*Var]bool // variables declared in that loop
	index map[*Var]bool // loop counters in indices of elements, which must stay uniform
}

// A returnSite is an exit: the flag of threads that have taken it, and the statements before it.
type returnSite struct {
	flag *Var
	does []Stmt
}

// outside removes exits from statements that are in no loop of the block.
func (e *earlyReturns) outside(list []Stmt) ([]Stmt, bool) {
	var out []Stmt
	for i, s := range list {
		if !leavesTo([]Stmt{s}, e.blk) {
			out = append(out, s)
			continue
		}
		rest := list[i+1:]
		switch s := s.(type) {
		case *Exit:
			return out, true // unreachable code follows
		case *If:
			// An arm that ends in an exit skips the rest; the other arm executes it.
			then, okThen := e.arm(s.Then, rest)
			otherwise, okElse := e.arm(s.Else, rest)
			// the rest must not be duplicated
			if !okThen || !okElse || len(rest) > 0 && e.goesOn(s.Then) && e.goesOn(s.Else) {
				return nil, false
			}
			return append(out, &If{Cond: s.Cond, Then: then, Else: otherwise, Pos: s.Pos}), true
		case *For:
			e.sites, e.made, e.index = nil, map[*Var]bool{}, e.indicesOf(s)
			walk(s.Body, func(x Stmt) {
				if a, ok := x.(*Assign); ok && a.Def {
					for v := range assignedIn(a) {
						e.made[v] = true
					}
				}
			})
			if !e.inLoop(s) {
				return nil, false
			}
			sites := e.sites
			last, ok := e.outside(rest)
			if !ok {
				return nil, false
			}
			for i := len(sites) - 1; i >= 0; i-- {
				if len(sites[i].does)+len(last) > 0 {
					last = []Stmt{&If{Cond: &VarRef{sites[i].flag}, Then: sites[i].does, Else: last, Pos: s.Pos}}
					if len(sites[i].does) == 0 {
						c := last[0].(*If)
						last = []Stmt{&If{Cond: not(c.Cond), Then: c.Else, Pos: c.Pos}}
					}
				}
			}
			return append(append(out, s), last...), true
		default:
			return nil, false
		}
	}
	return out, true
}

// arm is an arm of a branch, followed by the rest of the block if control reaches that.
func (e *earlyReturns) arm(list, rest []Stmt) ([]Stmt, bool) {
	if !e.goesOn(list) {
		rest = nil
	}
	return e.outside(prepend(list, rest))
}

// goesOn reports whether control may reach the statements behind list in the block.
func (e *earlyReturns) goesOn(list []Stmt) bool {
	if len(list) == 0 {
		return true
	}
	switch last := list[len(list)-1].(type) {
	case *Exit:
		return last.To != Stmt(e.blk)
	case *If:
		return e.goesOn(last.Then) || e.goesOn(last.Else)
	}
	return true
}

// indicesOf returns the variables that s changes in its post statement and that occur in indices of
// elements.
func (e *earlyReturns) indicesOf(s *For) map[*Var]bool {
	found, counts := map[*Var]bool{}, map[*Var]bool{}
	for _, p := range s.Post {
		maps.Copy(counts, assignedIn(p))
	}
	walk([]Stmt{s}, func(x Stmt) {
		exprs(x, func(y Expr) {
			walkExpr(y, func(z Expr) {
				i, ok := z.(*Index)
				if !ok {
					return
				}
				walkExpr(i.I, func(z Expr) {
					if v, ok := z.(*VarRef); ok && counts[v.V] {
						found[v.V] = true
					}
				})
			})
		})
	})
	return found
}

// inLoop turns exits from the block inside a loop into breaks of the loop, and records them as
// sites.
func (e *earlyReturns) inLoop(s *For) bool {
	if leavesTo(s.Pre, e.blk) || leavesTo(s.Post, e.blk) {
		return false
	}
	ok := true
	var visit func(list []Stmt) []Stmt
	visit = func(list []Stmt) []Stmt {
		var out []Stmt
		for _, x := range list {
			switch x := x.(type) {
			case *If:
				x.Then, x.Else = visit(x.Then), visit(x.Else)
			case *For:
				if !leavesTo(x.Body, e.blk) {
					break
				}
				before := len(e.sites)
				ok = ok && e.inLoop(x)
				out = append(out, x)
				for _, site := range e.sites[before:] {
					out = append(out, &If{Cond: &VarRef{site.flag}, Then: []Stmt{&Exit{To: s, Pos: x.Pos}}, Pos: x.Pos})
				}
				s.breaks = true
				continue
			case *Block:
				ok = ok && !leavesTo(x.Body, e.blk)
			case *Exit:
				if x.To != Stmt(e.blk) {
					break
				}
				flag := &Var{Name: uniqueName(e.b.names, "left"), Type: types.Typ[types.Bool]}
				e.b.names[flag.Name] = true
				e.flags = append(e.flags, flag)
				var does []Stmt
				for len(out) > 0 && e.canWait(out[len(out)-1]) {
					does = append([]Stmt{out[len(out)-1]}, does...)
					out = out[:len(out)-1]
				}
				e.sites = append(e.sites, returnSite{flag, does})
				s.breaks = true
				out = append(out, &Assign{L: []Expr{&VarRef{flag}}, R: &Const{constant.MakeBool(true), flag.Type}, Pos: x.Pos}, &Exit{To: s, Pos: x.Pos})
				return out
			}
			out = append(out, x)
		}
		return out
	}
	s.Body = visit(s.Body)
	return ok
}

// canWait reports whether a statement before an exit may be executed behind the loop instead.
func (e *earlyReturns) canWait(s Stmt) bool {
	a, ok := s.(*Assign)
	if !ok || a.Def || len(a.L) != 1 || a.L[0] == nil || mayPanic(a.R) {
		return false
	}
	v, whole := assigned(a.L[0])
	ok = v != nil && whole && !v.addr && !v.spread && !v.common
	walkExpr(a.R, func(x Expr) {
		switch x := x.(type) {
		case *VarRef:
			ok = ok && !e.made[x.V] && !e.index[x.V]
		case *Index, *Deref:
			ok = false
		}
	})
	return ok
}
