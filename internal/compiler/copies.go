package compiler

import (
	"go/types"
	"slices"
)

// Copy propagation: a variable that is assigned once, from a slice or a struct that is a parameter
// of the kernel or a field of one, is replaced by its value. Inlined helpers, and methods whose
// receivers are structs with slices, leave such copies of their arguments.

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
	if len(by) == 0 {
		return
	}
	rewriteReads(k.Body, func(x Expr) Expr {
		if r, ok := x.(*VarRef); ok && by[r.V] != nil {
			return by[r.V]
		}
		return x
	})
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
