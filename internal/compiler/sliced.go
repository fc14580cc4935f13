package compiler

import (
	"go/token"
	"maps"
)

// Slices of slices in nests: r := a[i*n : i*n+n] becomes two integers, its offset in a and its
// length, and r[j] becomes a[i*n+j] with the check 0 <= j < length. So named matrix rows are as
// fast as indices. The bounds of the slice expression are checked like indices.

// A Bounded is the integer I, which must be in [0, N) where it is used as an index. It occurs in
// nests only.
type Bounded struct{ I, N Expr }

// A sliced is a variable that is a slice of another slice: its offset there, and its length.
type sliced struct{ begin, many *Var }

// withRows returns the statements of a region with variables replaced that are rows of a slice of
// slices: up := rows[y-1]. A statement that checks the index stays.
func (b *body) withRows(list []Stmt) []Stmt {
	rows := map[*Var]Expr{}
	counters := b.countersAround(list)
	walk(list, func(s Stmt) {
		a, ok := s.(*Assign)
		if !ok || !a.Def || len(a.L) != 1 || a.L[0] == nil {
			return
		}
		v, whole := assigned(a.L[0])
		x, isElement := a.R.(*Index)
		if v == nil || !whole || !isElement || !isSlice(v.Type) || !isSlice(x.X.Type()) || b.k.single[v] == nil || v.spread || v.addr || v.common {
			return
		}
		same := true
		walkExpr(x.I, func(e Expr) {
			r, ok := e.(*VarRef)
			same = same && (!ok || r.V.Param && r.V.defs == 0 || b.k.single[r.V] != nil || r.V.value != nil || counters[a][r.V])
		})
		if same {
			rows[v] = x
		}
	})
	if len(rows) == 0 {
		return list
	}
	list = mapReads(list, func(e Expr) Expr {
		if r, ok := e.(*VarRef); ok && rows[r.V] != nil {
			return rows[r.V]
		}
		return e
	})
	walk(list, func(s Stmt) {
		if a, ok := s.(*Assign); ok && a.Def && len(a.L) == 1 && a.L[0] != nil {
			if v, whole := assigned(a.L[0]); whole && rows[v] != nil {
				a.L[0] = nil
			}
		}
	})
	return list
}

// countersAround returns, for each assignment in loops, the counters of these loops that their bodies do
// not assign.
func (b *body) countersAround(list []Stmt) map[*Assign]map[*Var]bool {
	of := map[*Assign]map[*Var]bool{}
	walk(list, func(s Stmt) {
		loop, ok := s.(*For)
		if !ok {
			return
		}
		inside := assignedIn(&Block{Body: loop.Body})
		counters := map[*Var]bool{}
		for _, p := range loop.Post {
			if a, ok := p.(*Assign); ok && len(a.L) == 1 {
				if v, whole := assigned(a.L[0]); v != nil && whole && !inside[v] && !v.addr && !v.spread && !v.common {
					counters[v] = true
				}
			}
		}
		walk(loop.Body, func(s Stmt) {
			if a, ok := s.(*Assign); ok {
				if of[a] == nil {
					of[a] = map[*Var]bool{}
				}
				maps.Copy(of[a], counters)
			}
		})
	})
	return of
}

// unsliced returns the statements of a region with such slices replaced.
func (b *body) unsliced(list []Stmt) []Stmt {
	base := map[*Var]Expr{} // the slice of the kernel that each is cut from
	made := map[*Var]*Slice{}
	walk(list, func(s Stmt) {
		a, ok := s.(*Assign)
		if !ok || !a.Def || len(a.L) != 1 {
			return
		}
		r, ok := a.L[0].(*VarRef)
		x, isSliced := a.R.(*Slice)
		if !ok || !isSliced || x.Max != nil || b.k.single[r.V] == nil || r.V.spread || r.V.addr || r.V.common || !isSlice(r.V.Type) || !isSlice(x.X.Type()) {
			return
		}
		switch from := x.X.(type) {
		case *VarRef:
			if of := base[from.V]; of != nil {
				base[r.V] = of
			} else {
				base[r.V] = from
			}
		case *Field:
			base[r.V] = from
		default:
			return
		}
		made[r.V] = x
	})
	if len(made) == 0 {
		return list
	}
	// A slice that is used other than by its elements is kept.
	of := func(e Expr) *Var {
		if r, ok := e.(*VarRef); ok && made[r.V] != nil {
			return r.V
		}
		return nil
	}
	for again := true; again; {
		again = false
		drop := func(v *Var) {
			if v != nil {
				again = true
				delete(made, v)
			}
		}
		var look func(e Expr)
		look = func(e Expr) {
			switch x := e.(type) {
			case *VarRef:
				drop(of(x))
				return
			case *Index:
				if of(x.X) != nil {
					look(x.I)
					return
				}
			case *Call:
				if x.Fn == nil && x.Name == "len" && of(x.Args[0]) != nil {
					return
				}
			}
			subexprs(e, look)
		}
		walk(list, func(s Stmt) {
			if a, ok := s.(*Assign); ok && a.Def && len(a.L) == 1 && of(a.L[0]) != nil {
				x := made[of(a.L[0])]
				// cut from a slice that is kept
				if from, isVar := x.X.(*VarRef); isVar && Expr(from) != base[of(a.L[0])] && made[from.V] == nil {
					drop(of(a.L[0]))
					return
				}
				for _, e := range []Expr{x.Lo, x.Hi} {
					if e != nil {
						look(e)
					}
				}
				return
			}
			exprs(s, look)
		})
	}
	if b.sliced == nil {
		b.sliced = map[*Var]sliced{}
	}
	for v := range made {
		if _, known := b.sliced[v]; !known {
			b.sliced[v] = sliced{&Var{Name: v.Name + "Begin", Type: intType, defs: 1}, &Var{Name: v.Name + "Len", Type: intType, defs: 1}}
		}
	}
	plus := func(x, y Expr) Expr { return &Binary{token.ADD, x, y, intType} }
	change := func(e Expr) Expr {
		switch x := e.(type) {
		case *Index:
			if v := of(x.X); v != nil {
				y := *x
				y.X, y.I = base[v], plus(&VarRef{b.sliced[v].begin}, &Bounded{converted(x.I, intType), &VarRef{b.sliced[v].many}})
				return &y
			}
		case *Call:
			if x.Fn == nil && x.Name == "len" && of(x.Args[0]) != nil {
				return &VarRef{b.sliced[of(x.Args[0])].many}
			}
		}
		return e
	}
	var lists func(list []Stmt) []Stmt
	lists = func(list []Stmt) []Stmt {
		var out []Stmt
		for _, s := range list {
			switch x := s.(type) {
			case *If:
				x.Then, x.Else = lists(x.Then), lists(x.Else)
			case *For:
				x.Pre, x.Body, x.Post = lists(x.Pre), lists(x.Body), lists(x.Post)
			case *Block:
				x.Body = lists(x.Body)
			case *Assign:
				r, ok := x.L[0].(*VarRef)
				if !ok || made[r.V] == nil {
					break
				}
				slice := x.R.(*Slice)
				v := b.sliced[r.V]
				var begin Expr = intExpr(0)
				var lo, hi Expr = intExpr(0), &Call{Name: "len", Args: []Expr{base[r.V]}, T: intType, Pure: true}
				if from := of(slice.X); from != nil {
					begin, hi = &VarRef{b.sliced[from].begin}, &VarRef{b.sliced[from].many}
				}
				if slice.Lo != nil {
					lo = converted(slice.Lo, intType)
				}
				if slice.Hi != nil {
					hi = converted(slice.Hi, intType)
				}
				room := plus(&Call{Name: "cap", Args: []Expr{base[r.V]}, T: intType, Pure: true}, intExpr(1))
				def := func(v *Var, e Expr) { out = append(out, &Assign{L: []Expr{&VarRef{v}}, R: e, Def: true, Pos: x.Pos}) }
				check := func(e Expr) { out = append(out, &Assign{L: []Expr{nil}, R: &Bounded{e, room}, Pos: x.Pos}) }
				check(lo)
				def(v.many, &Binary{token.SUB, hi, lo, intType})
				def(v.begin, plus(begin, lo))
				check(&VarRef{v.many})
				if slice.Hi != nil { // otherwise it ends where the other one ends
					check(plus(&VarRef{v.begin}, &VarRef{v.many}))
				}
				continue
			}
			out = append(out, s)
		}
		return out
	}
	return lists(mapStmts(list, change))
}
