package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
)

// Interchange: the loop of a thread over its elements, `for i := t.GlobalX(); i < n; i += stride`, is turned
// inside out, so that the threads take their first elements, then their second ones, and so on. Neighbours in
// memory are then read by neighbours in time. Threads of a region may run in any order, so may their
// rounds, as long as nothing but i passes from one round to the next.
//
// Interchange (`interchange.go`). A grid-stride loop in one region would have each thread walk through memory alone. Turned inside out,
// neighbours are read by neighbours. It needs nothing to pass from round to round but the counter, no exit, and a limit and a step that
// are the same for all. The order of the rounds of one thread stays. The second kind has the same rounds for all threads, and as its body
// one guarded statement, whose guard becomes bounds, or one store to neighbouring places. An `If` with a condition of the block around
// such loops controls the block then.

// interchange turns such loops among the statements of list, which control the block, inside out.
func (f *fissioner) interchange(list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		if f.block[s] {
			switch s := s.(type) {
			case *If:
				s.Then, s.Else = f.interchange(s.Then), f.interchange(s.Else)
			case *For:
				s.Body = f.interchange(s.Body)
			case *Block:
				s.Body = f.interchange(s.Body)
			}
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

// takesArrays reports whether l uses a private array from outside. Turned inside out, it would need the
// arrays of all threads at once, and run through all of them in each round.
func takesArrays(l *For) bool {
	use := useOf([]Stmt{l})
	for _, vars := range []map[*Var]bool{use.read, use.written} {
		for v := range vars {
			if _, ok := v.Type.Underlying().(*types.Array); ok && !v.Param && !v.Shape.uniform() && !declaredIn(v, l) {
				return true
			}
		}
	}
	return false
}

// turnsInside reports whether c, whose condition is the same for all threads and known before them, has loops in
// its branches that might be turned inside out.
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
	// Nothing private passes through it: that would have to be kept for each thread.
	inside := useOf([]Stmt{c})
	for v := range inside.written {
		if !declares(c, v) && (!v.Shape.uniform() || v.addr) {
			return false
		}
	}
	return true
}

// declares reports whether s has the declaration of v.
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

// neighbours reports whether list stores something at places that are neighbours for neighbouring threads.
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

// turnsWhole reports whether l goes the same rounds for all threads, and does nothing in each but something
// under a guard that can become the bounds of a loop over threads: then it is turned inside out as it is.
func (f *fissioner) turnsWhole(l *For) bool {
	if takesArrays(l) || l.breaks || l.continues || !l.parts.uniform() || l.Cond == nil || !blockWide(l.Cond) || mayPanic(l.Cond) || loads(l.Cond) {
		return false
	}
	guarded := false
	var defs []Stmt // before the guard, which is made to do without them
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
		if !declaredIn(v, l) || v.before {
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

// turn returns what takes the place of l, if it is such a loop.
func (f *fissioner) turn(l *For) ([]Stmt, bool) {
	cond, ok := l.Cond.(*Binary)
	if !ok || takesArrays(l) || cond.Op != token.LSS || len(l.Pre) > 0 || len(l.Post) != 1 || l.breaks || l.continues {
		return nil, false
	}
	r, ok := cond.X.(*VarRef)
	if !ok || !wide(r.V.Type) || unsigned(r.V.Type) || r.V.addr || r.V.Shape != (shape{1, 0, 0}) || r.V.In != l {
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
	if !ok || sum.Op != token.ADD || !sameExpr(sum.X, r) || !blockWide(sum.Y) || mayPanic(sum.Y) || loads(sum.Y) {
		return nil, false
	}
	// Nothing else may pass from round to round, or leave the loop.
	inside := map[Stmt]bool{}
	walk(l.Body, func(s Stmt) { inside[s] = true })
	if anyStmt(l.Body, func(s Stmt) bool { e, ok := s.(*Exit); return ok && !inside[e.To] }) {
		return nil, false
	}
	for v := range assignedIn(&Block{Body: l.Body}) {
		if !declaredIn(v, l) || v == r.V || v.before {
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
	// The first value, and the least: that of thread 0.
	first := f.definition(r.V, post)
	if first == nil || mayPanic(first) || loads(first) || !f.threadOnly(first) {
		return nil, false
	}
	name := func(s string) string { return uniqueName(f.names, s) }
	off := &Var{Name: name("off"), Type: r.V.Type, Pos: l.Pos, In: l}
	i := &Var{Name: name(r.V.Name), Type: r.V.Type, Pos: l.Pos, In: l}
	f.k.Vars = append(f.k.Vars, off, i)
	here := &VarRef{off}
	plus := func(x Expr) Expr { return &Binary{token.ADD, x, here, r.V.Type} }
	body := replaceVar(l.Body, r.V, i)
	if useOf(body).read[i] {
		body = append([]Stmt{&Assign{L: []Expr{&VarRef{i}}, R: plus(r), Def: true, Pos: l.Pos}}, body...)
	}
	guard := &If{Cond: &Binary{token.LSS, plus(r), cond.Y, boolType}, Pos: l.Pos, Then: body}
	turned := &For{
		Cond: &Binary{token.LSS, plus(atThread0(first)), cond.Y, boolType},
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

// blockWide reports whether e is the same for all threads and made of nothing that is not.
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

// threadOnly reports whether e is made of the thread's index and of what is the same for all threads.
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

// definition returns the one value that v has before post changes it.
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

// lookThrough returns e with the variables between it and the thread's index replaced by their values.
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

// single returns the value of a variable that is assigned once.
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

// atThread0 returns e with the thread's index 0.
func atThread0(e Expr) Expr {
	return mapExpr(e, func(x Expr) Expr {
		if i, ok := x.(*Index3); ok && i.Of == threadIdx {
			return &Const{constant.MakeInt64(0), intType}
		}
		return x
	})
}
