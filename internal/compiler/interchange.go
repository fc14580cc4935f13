package compiler

import (
	"go/constant"
	"go/token"
)

// Loop interchange of a thread's loop and the loop over threads. In the grid-stride loop `for i :=
// t.GlobalX(); i < n; i += stride` each thread would walk through memory alone. After interchange,
// all threads process their first elements, then their second ones, so that neighbouring elements
// are accessed one after the other.
//
// Threads of a region may run in any order, and the order of one thread's iterations stays the
// same. So interchange is legal if no value but the counter is carried from iteration to iteration,
// there is no exit, and limit and step are uniform. A second kind of loop has the same iterations
// for all threads, and a body that is one guarded statement, whose guard becomes loop bounds, or
// one store to neighbouring elements. An `If` with a uniform condition around such loops then
// controls the block.

// interchange interchanges such loops among the statements of list, which control the block.
func (f *fissioner) interchange(list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		if f.block[s] {
			changeWithin(s, f.interchange)
		} else if l, ok := s.(*For); ok {
			if list, ok := f.turn(l); ok {
				out = append(out, list...)
				continue
			}
			f.block[l] = f.turnsWhole(l)
		} else if c, ok := s.(*If); ok && f.turnsInside(c) {
			f.block[c] = true
			c.Then, c.Else = f.interchange(c.Then), f.interchange(c.Else)
		}
		out = append(out, s)
	}
	return out
}

// takesArrays reports whether l uses a thread's own array or slice from outside the loop. After interchange,
// those of all threads would be live at once, and each iteration would access all of them.
func takesArrays(l *For) bool {
	use := useOf([]Stmt{l})
	for _, vars := range []map[*Var]bool{use.read, use.written} {
		for v := range vars {
			if (isArray(v.Type) || isSlice(v.Type)) && !v.Param && !v.Shape.uniform() && !declaredIn(v, l) {
				return true
			}
		}
	}
	return false
}

// turnsInside reports whether c, whose condition is uniform and known before the threads run,
// contains loops that may be interchanged.
func (f *fissioner) turnsInside(c *If) bool {
	if !blockWide(c.Cond) || mayPanic(c.Cond) || loads(c.Cond) {
		return false
	}
	loop := false
	for _, list := range [][]Stmt{c.Then, c.Else} {
		for _, s := range list {
			if l, ok := s.(*For); ok {
				loop = loop || neighbours(l.Body)
			}
		}
		if anyStmt(list, func(s Stmt) bool { e, ok := s.(*Exit); return ok && e.To == nil }) {
			return false
		}
	}
	if !loop && !c.turns {
		return false
	}
	// No variable of a thread is assigned inside and read outside: it would need an array with an
	// element per thread.
	inside := useOf([]Stmt{c})
	for v := range inside.written {
		if !declares(c, v) && (!v.Shape.uniform() || v.addr) {
			return false
		}
	}
	return true
}

// declares reports whether s contains the declaration of v.
func declares(s Stmt, v *Var) bool {
	return anyStmt([]Stmt{s}, func(s Stmt) bool {
		a, ok := s.(*Assign)
		if !ok || !a.Def {
			return false
		}
		w, _ := assigned(a.L[0])
		return w == v
	})
}

// neighbours reports whether list has a store to elements that are neighbours for neighbouring
// threads.
func neighbours(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool {
		a, ok := s.(*Assign)
		if !ok || len(a.L) != 1 || a.L[0] == nil {
			return false
		}
		ix, ok := a.L[0].(*Index)
		return ok && !inVar(ix) && shapeOf(ix.I)[0] == 1
	})
}

// turnsWhole reports whether l is the second kind of loop: all threads execute the same iterations,
// and the body is one statement under a guard that can become loop bounds.
func (f *fissioner) turnsWhole(l *For) bool {
	if takesArrays(l) || l.breaks || l.continues || !l.parts.uniform() || l.Cond == nil || !blockWide(l.Cond) || mayPanic(l.Cond) || loads(l.Cond) {
		return false
	}
	guarded := false
	var defs []Stmt // definitions before the guard, which are substituted into it
	value := map[*Var]Expr{}
	for i, s := range l.Body {
		switch s := s.(type) {
		case *Assign:
			if !s.Def && i == len(l.Body)-1 && neighbours(l.Body[i:]) {
				guarded = true
				continue
			}
			if !s.Def || mayPanic(s.R) || loads(s.R) || !scalarShape(shapeOf(s.R)) || !basic(s.R.Type()) {
				return false
			}
			v, whole := assigned(s.L[0])
			if len(s.L) != 1 || v == nil || !whole || v.addr {
				return false
			}
			defs = append(defs, s)
			value[v] = inlined(s.R, value)
		case *If:
			if i != len(l.Body)-1 || len(s.Else) > 0 || len(bounds(inlined(s.Cond, value))) == 0 {
				return false
			}
			guarded = true
		default:
			return false
		}
	}
	inside := map[Stmt]bool{}
	walk(l.Body, func(s Stmt) { inside[s] = true })
	if !guarded || anyStmt(l.Body, func(s Stmt) bool {
		e, isExit := s.(*Exit)
		_, isDo := s.(*Do)
		return isExit && !inside[e.To] || isDo
	}) {
		return false
	}
	for _, s := range append(append([]Stmt{}, l.Pre...), l.Post...) {
		a, ok := s.(*Assign)
		if !ok || !blockWide(a.R) || mayPanic(a.R) || loads(a.R) {
			return false
		}
	}
	for v := range assignedIn(l) {
		if !declaredIn(v, l) {
			return false
		}
	}
	last, isGuard := l.Body[len(l.Body)-1].(*If)
	if !isGuard {
		return true
	}
	guard := *last
	guard.Cond, guard.Then = inlined(guard.Cond, value), append(defs, guard.Then...)
	l.Body = []Stmt{&guard}
	return true
}

// turn returns the statements that replace l after interchange, if it is the first kind of loop.
func (f *fissioner) turn(l *For) ([]Stmt, bool) {
	cond, ok := l.Cond.(*Binary)
	if !ok || takesArrays(l) || len(l.Pre) > 0 || len(l.Post) != 1 || l.breaks || l.continues {
		return nil, false
	}
	// The counter grows along the row and from round to round, or falls along both: then no thread
	// goes on longer than thread 0.
	op, along := token.ADD, step(1)
	switch cond.Op {
	case token.LSS, token.LEQ:
	case token.GTR, token.GEQ:
		op, along = token.SUB, -1
	default:
		return nil, false
	}
	r, ok := cond.X.(*VarRef)
	if !ok || !wide(r.V.Type) || unsigned(r.V.Type) || r.V.addr || r.V.Shape != (shape{along, 0, 0}) || r.V.In != l {
		return nil, false
	}
	if !blockWide(cond.Y) || mayPanic(cond.Y) || loads(cond.Y) {
		return nil, false
	}
	post, ok := l.Post[0].(*Assign)
	if !ok || len(post.L) != 1 || !sameExpr(post.L[0], r) {
		return nil, false
	}
	sum, ok := post.R.(*Binary)
	if !ok || sum.Op != op || !sameExpr(sum.X, r) || !blockWide(sum.Y) || mayPanic(sum.Y) || loads(sum.Y) {
		return nil, false
	}
	// No other value may be carried from iteration to iteration, and nothing may leave the loop.
	inside := map[Stmt]bool{}
	walk(l.Body, func(s Stmt) { inside[s] = true })
	if anyStmt(l.Body, func(s Stmt) bool { e, ok := s.(*Exit); return ok && !inside[e.To] }) {
		return nil, false
	}
	for v := range assignedIn(&Block{Body: l.Body}) {
		if !declaredIn(v, l) || v == r.V {
			return nil, false
		}
	}
	for v := range assignedIn(&Block{Body: l.Body}) {
		for _, e := range []Expr{cond.Y, sum.Y} {
			if useOf([]Stmt{&Assign{L: []Expr{nil}, R: e}}).read[v] {
				return nil, false
			}
		}
	}
	// The initial value; that of thread 0 is the least, or the greatest of those that fall.
	first := f.definition(r.V, post)
	if first == nil || mayPanic(first) || loads(first) || !f.threadOnly(first) {
		return nil, false
	}
	name := func(s string) string { return uniqueName(f.names, s) }
	off := &Var{Name: name("off"), Type: r.V.Type, Pos: l.Pos, In: l}
	i := &Var{Name: name(r.V.Name), Type: r.V.Type, Pos: l.Pos, In: l}
	f.k.Vars = append(f.k.Vars, off, i)
	here := &VarRef{off}
	plus := func(x Expr) Expr { return &Binary{op, x, here, r.V.Type} }
	body := replaceVar(l.Body, r.V, i)
	if useOf(body).read[i] {
		body = append([]Stmt{&Assign{L: []Expr{&VarRef{i}}, R: plus(r), Def: true, Pos: l.Pos}}, body...)
	}
	guard := &If{Cond: &Binary{cond.Op, plus(r), cond.Y, boolType}, Pos: l.Pos, Then: body}
	turned := &For{
		Cond: &Binary{cond.Op, plus(atThread0(first)), cond.Y, boolType},
		Body: []Stmt{guard},
		Post: []Stmt{&Assign{L: []Expr{here}, R: &Binary{token.ADD, here, sum.Y, r.V.Type}, Pos: l.Pos}},
		Pos:  l.Pos, outer: l.outer,
	}
	walk(body, func(s Stmt) {
		if x, ok := s.(*For); ok && x.outer == l {
			x.outer = turned
		}
	})
	for _, v := range f.k.Vars {
		if v.In == l && v != r.V {
			v.In = turned
		}
	}
	r.V.In, off.In = l.outer, l.outer
	f.block[turned] = true
	start := &Assign{L: []Expr{here}, R: &Const{constant.MakeInt64(0), r.V.Type}, Def: true, Pos: l.Pos}
	return []Stmt{start, turned}, true
}

// blockWide reports whether e is uniform and has only uniform operands, so that the block can
// compute it.
func blockWide(e Expr) bool {
	ok := shapeOf(e).uniform()
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *VarRef:
			ok = ok && x.V.Shape.uniform() && !x.V.addr
		case *Index3:
			ok = ok && x.Of != threadIdx
		case *Rank, *Method:
			ok = false
		case *Call:
			ok = ok && x.Pure
		}
	})
	return ok
}

// threadOnly reports whether e is computed from the thread's index and uniform values only.
func (f *fissioner) threadOnly(e Expr) bool {
	ok := true
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *VarRef:
			ok = ok && (x.V.Param || x.V.Shape.uniform() && !x.V.addr && f.single(x.V) != nil)
		case *Rank, *Method, *Index, *Deref, *Field, *Global:
			ok = false
		case *Call:
			ok = ok && x.Pure
		}
	})
	return ok
}

// definition returns the only value that v has before post changes it, or nil.
func (f *fissioner) definition(v *Var, post *Assign) Expr {
	var first Expr
	n := 0
	walk(f.k.Body, func(s Stmt) {
		a, ok := s.(*Assign)
		if !ok || a == post {
			return
		}
		for _, l := range a.L {
			if l == nil {
				continue
			}
			if w, whole := assigned(l); w == v {
				n++
				if whole && a.Def && len(a.L) == 1 {
					first = a.R
				} else {
					n++
				}
			}
		}
	})
	if n != 1 {
		return nil
	}
	return f.lookThrough(first)
}

// lookThrough substitutes the values of the variables in e that depend on the thread's index.
func (f *fissioner) lookThrough(e Expr) Expr {
	return mapExpr(e, func(x Expr) Expr {
		if r, ok := x.(*VarRef); ok && !r.V.Param && !r.V.Shape.uniform() {
			if one := f.single(r.V); one != nil {
				return f.lookThrough(one)
			}
		}
		return x
	})
}

// single returns the value of a variable that is assigned once, or nil.
func (f *fissioner) single(v *Var) Expr {
	var e Expr
	n := 0
	walk(f.k.Body, func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			for _, l := range a.L {
				if l != nil {
					if w, whole := assigned(l); w == v {
						n++
						if whole && a.Def && len(a.L) == 1 {
							e = a.R
						} else {
							n++
						}
					}
				}
			}
		}
	})
	if n != 1 || v.addr {
		return nil
	}
	return e
}

// atThread0 returns e with 0 for the thread's index.
func atThread0(e Expr) Expr {
	return mapExpr(e, func(x Expr) Expr {
		if i, ok := x.(*Index3); ok && i.Of == threadIdx {
			return &Const{constant.MakeInt64(0), intType}
		}
		return x
	})
}
