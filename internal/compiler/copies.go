package compiler

import (
	"go/token"
	"go/types"
	"slices"
)

// Copy propagation: a variable that is assigned once, from a slice or a struct that is a parameter
// of the kernel or a field of one, is replaced by its value. Inlined helpers, and methods whose
// receivers are structs with slices, leave such copies of their arguments. So is an element of an array at the counter of
// a loop.

// forwardCopies replaces such variables by their values.
func (k *Kernel) forwardCopies() {
	k.Body = k.withoutPins(k.Body)
	defs := map[*Var]int{}
	from := map[*Var]Expr{}
	var copied []*Var // those that have one, in the order of the code
	walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			for _, l := range s.L {
				if l == nil {
					continue
				}
				if v, whole := assigned(l); v != nil {
					defs[v]++
					if whole && s.Def && len(s.L) == 1 && !basic(v.Type) {
						if from[v] == nil {
							copied = append(copied, v)
						}
						from[v] = s.R
					}
				}
			}
		case *Alloc:
			defs[s.Dst]++
		default:
			for _, v := range results(s) {
				defs[v]++
			}
		}
	})
	taken := k.addressed()
	for _, list := range [][]*Var{k.Params, k.Vars} {
		for _, v := range list {
			v.addr = v.addr && taken[v] // inlined helpers may have taken the address
		}
	}
	// a parameter that is never assigned, a part of one, or a slice that is assigned once
	var steady func(e Expr) bool
	steady = func(e Expr) bool {
		switch e := e.(type) {
		case *VarRef:
			return !e.V.addr && (e.V.Param && defs[e.V] == 0 || defs[e.V] == 1 && from[e.V] != nil && isSlice(e.V.Type))
		case *Field:
			return isStruct(e.X.Type()) && steady(e.X)
		case *Index:
			return atConstant(e) && steady(e.X)
		}
		return false
	}
	by := map[*Var]Expr{}
	for _, v := range copied { // what is copied from another copy comes behind that
		if defs[v] != 1 || v.addr {
			continue
		}
		if e := inlined(from[v], by); steady(e) {
			by[v] = e
		}
	}
	if len(by) > 0 {
		rewriteReads(k.Body, func(x Expr) Expr {
			if r, ok := x.(*VarRef); ok && by[r.V] != nil {
				return by[r.V]
			}
			return x
		})
	}
	walk(k.Body, func(s Stmt) {
		if loop, ok := s.(*For); ok {
			k.forwardElements(loop, func(v *Var) bool { return defs[v] == 1 && !v.addr }, steady)
		}
	})
}

// forwardElements replaces copies of elements of steady arrays at the counter of a loop, as in f := s.fields[k], by the
// elements. once tells which variables are assigned once.
func (k *Kernel) forwardElements(loop *For, once func(*Var) bool, steady func(Expr) bool) {
	counter, many := k.shortCounter(loop)
	if counter == nil {
		return
	}
	gone := map[Stmt]bool{}
	for _, s := range loop.Body {
		a, ok := s.(*Assign)
		if !ok || !a.Def || len(a.L) != 1 || a.L[0] == nil {
			continue
		}
		v, whole := assigned(a.L[0])
		x, isElement := a.R.(*Index)
		if !whole || v == nil || !once(v) || v.In != loop || basic(v.Type) || !isElement || !isRef(x.I, counter) || !isArray(x.X.Type()) || !steady(x.X) {
			continue
		}
		if many > x.X.Type().Underlying().(*types.Array).Len() || reads(k.Body, v) != reads(loop.Body, v) {
			continue
		}
		gone[s] = true
		rewriteReads(loop.Body, func(e Expr) Expr {
			if isRef(e, v) {
				return x
			}
			return e
		})
	}
	loop.Body = slices.DeleteFunc(loop.Body, func(s Stmt) bool { return gone[s] })
}

// shortCounter returns the counter of a loop that begins with a constant of 0 or more and ends before the constant many,
// or nil.
func (k *Kernel) shortCounter(loop *For) (counter *Var, many int64) {
	c, ok := loop.Cond.(*Binary)
	if !ok || c.Op != token.LSS {
		return nil, 0
	}
	r, ok := c.X.(*VarRef)
	many, isConst := constInt(c.Y)
	if !ok || !isConst || r.V.addr || elem(r.V.Type) == "" || lineSizes.Sizeof(r.V.Type.Underlying()) < 4 {
		return nil, 0
	}
	begins, others := false, 0
	walk(k.Body, func(s Stmt) {
		if !assignedHere(s, r.V) {
			return
		}
		a, isAssign := s.(*Assign)
		switch {
		case isAssign && len(a.L) == 1 && len(loop.Post) == 1 && s == loop.Post[0]:
			by, advances := a.R.(*Binary)
			n, known := int64(0), false
			if advances && by.Op == token.ADD && isRef(by.X, r.V) {
				n, known = constInt(by.Y)
			}
			if !known || n < 1 || n > 1<<20 {
				others++
			}
		case isAssign && len(a.L) == 1 && !begins:
			n, known := constInt(a.R)
			if begins = known && n >= 0; !begins {
				others++
			}
		default:
			others++
		}
	})
	if !begins || others > 0 || many > 1<<20 {
		return nil, 0
	}
	return r.V, many
}

// withoutPins removes copies of slices that only the following assignments read, while the slice is
// unchanged. Building makes such a copy for b[i] += a[i], which might change b; but only other
// statements do.
func (k *Kernel) withoutPins(list []Stmt) []Stmt {
	out := make([]Stmt, 0, len(list))
	for i := 0; i < len(list); i++ {
		s := list[i]
		switch s := s.(type) {
		case *If:
			s.Then, s.Else = k.withoutPins(s.Then), k.withoutPins(s.Else)
		case *For:
			s.Body = k.withoutPins(s.Body)
		case *Block:
			s.Body = k.withoutPins(s.Body)
		case *Assign:
			if n := k.pinned(list[i:]); n > 0 {
				pin, of := s.L[0].(*VarRef).V, s.R
				list = slices.Concat(list[:i], list[i:i+1], mapReads(list[i+1:i+n], func(x Expr) Expr {
					if isRef(x, pin) {
						return of
					}
					return x
				}), list[i+n:])
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// pinned returns the number of statements from such a copy, the first of list, to the last that
// reads it, or 0.
func (k *Kernel) pinned(list []Stmt) int {
	s := list[0].(*Assign)
	of, isCopy := s.R.(*VarRef)
	if !s.Def || len(s.L) != 1 || s.L[0] == nil || !isCopy || !isSlice(of.V.Type) || of.V.addr {
		return 0
	}
	pin, whole := assigned(s.L[0])
	if pin == nil || !whole || pin.addr {
		return 0
	}
	all, here := reads(k.Body, pin), 0
	for n, x := range list[1:] {
		a, ok := x.(*Assign)
		if !ok {
			return 0
		}
		if here += reads([]Stmt{x}, pin); here == all {
			return n + 2
		}
		for _, l := range a.L {
			if l == nil {
				continue
			}
			if v, _ := assigned(l); v == of.V || v == pin {
				return 0
			}
		}
	}
	return 0
}

func isStruct(t types.Type) bool {
	_, ok := structUnder(t)
	return ok
}

// addressed returns the variables whose address the kernel takes, also by slicing.
func (k *Kernel) addressed() map[*Var]bool {
	taken := map[*Var]bool{}
	walk(k.Body, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(e Expr) {
				var of Expr
				switch e := e.(type) {
				case *Addr:
					of = e.X
				case *Slice:
					if isArray(e.X.Type()) {
						of = e.X
					}
				}
				if of != nil {
					if v, _ := assigned(of); v != nil {
						taken[v] = true
					}
				}
			})
		})
	})
	return taken
}
