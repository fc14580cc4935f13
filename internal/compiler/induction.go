package compiler

import (
	"go/token"
	"slices"
)

// Widening of induction variables in divergent loops:
//
//	for j := int32(0); j < m && a[i+j] == b[j]; j++ {
//
// Each increment by one happens where j < m holds, so j never wraps around, whatever m is. So j is
// the low half of an int counter, which is affine in the iterations. Uniform loops don't need that,
// and loops whose bounds a thread has loaded don't profit.

// withWideCounters replaces such counters in the statements of a nest by 64-bit integers.
func (b *body) withWideCounters(list []Stmt) []Stmt {
	narrow := func(s Stmt) bool {
		l, ok := s.(*For)
		return ok && limited(l) != nil
	}
	if b.off("induction") || !anyStmt(list, narrow) {
		return list
	}
	var out []Stmt
	for i, s := range list {
		if !anyStmt([]Stmt{s}, narrow) {
			out = append(out, s)
			continue
		}
		switch x := s.(type) {
		case *If:
			y := *x
			y.Then, y.Else = b.withWideCounters(x.Then), b.withWideCounters(x.Else)
			s = &y
		case *For:
			y := *x
			y.Body = retarget(mapStmts(b.withWideCounters(x.Body), func(e Expr) Expr { return e }), x, &y)
			if i > 0 {
				if wide := b.withWideCounter(list[i-1], &y, list[i+1:]); wide != nil {
					b.k.works("induction")
					out = append(out, wide...)
					continue
				}
			}
			s = &y
		}
		out = append(out, s)
	}
	return out
}

// limited returns the conjunct i < limit of a loop's condition that keeps its counter from wrapping
// around. It returns nil if there is none, or if all threads leave the loop together.
func limited(l *For) *Binary {
	if len(l.Post) != 1 || l.Cond == nil {
		return nil
	}
	post, ok := l.Post[0].(*Assign)
	if !ok || len(post.L) != 1 {
		return nil
	}
	v, whole := assigned(post.L[0])
	if v == nil || !whole || !has32(v.Type) || v.addr || v.spread || v.common || assignedIn(&Block{Body: slices.Concat(l.Pre, l.Body)})[v] {
		return nil
	}
	sum, ok := post.R.(*Binary)
	if !ok || sum.Op != token.ADD || !isRef(sum.X, v) {
		return nil
	}
	if n, isConst := constInt(sum.Y); !isConst || n != 1 {
		return nil
	}
	all := terms(l.Cond)
	if !l.breaks && len(all) == 1 {
		return nil
	}
	for _, t := range all {
		if c, ok := t.(*Binary); ok && c.Op == token.LSS && isRef(c.X, v) && blockWide(c.Y) && !loads(c.Y) && !mayPanic(c.Y) && chooses(l, v) {
			return c
		}
	}
	return nil
}

// chooses reports whether a loop has elements whose index depends on v.
func chooses(l *For, v *Var) bool {
	from := map[*Var]bool{v: true}
	of := func(e Expr) (found bool) {
		walkExpr(e, func(x Expr) {
			r, ok := x.(*VarRef)
			found = found || ok && from[r.V]
		})
		return found
	}
	for n := 0; n < len(from); {
		n = len(from)
		walk(l.Body, func(s Stmt) {
			if a, ok := s.(*Assign); ok && of(a.R) {
				for w := range assignedIn(a) {
					from[w] = true
				}
			}
		})
	}
	found := false
	walk([]Stmt{l}, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				i, ok := x.(*Index)
				found = found || ok && of(i.I)
			})
		})
	})
	return found
}

// withWideCounter returns a loop with the other counter and the statements around it, or nil.
// before is the statement before the loop, which initializes its counter; after are the statements
// behind the loop.
func (b *body) withWideCounter(before Stmt, l *For, after []Stmt) []Stmt {
	c := limited(l)
	def, ok := before.(*Assign)
	if c == nil || !ok || len(def.L) != 1 || def.L[0] == nil {
		return nil
	}
	v := c.X.(*VarRef).V
	if !isRef(def.L[0], v) || loads(def.R) || mayPanic(def.R) {
		return nil
	}
	fresh := func(v *Var) *Var {
		n := *v
		n.Name = uniqueName(b.names, v.Name)
		b.names[n.Name] = true
		return &n
	}
	w := fresh(v)
	w.Type, w.value, w.In = intType, nil, nil
	own := def.Def
	for x := range useOf(after).read {
		own = own && x != v && (x.value == nil || !mentions(x.value, v))
	}
	if own {
		w.In = l
	}
	wide := &VarRef{w}
	as := map[*Var]Expr{v: &Convert{wide, v.Type}}
	put := func(e Expr) Expr {
		switch x := e.(type) {
		case *VarRef:
			if as[x.V] != nil {
				return as[x.V]
			}
		case *Index:
			if x.I == as[v] {
				y := *x
				y.I = wide
				return &y
			}
		}
		return e
	}
	// Recomputable variables that depend on the counter are computed from the wide one.
	inBody := assignedIn(&Block{Body: l.Body})
	delete(inBody, nil)
	for changed := true; changed; {
		changed = false
		for _, x := range sortedVars(inBody) {
			if as[x] != nil || x.value == nil {
				continue
			}
			for y := range as {
				if mentions(x.value, y) {
					as[x], changed = &VarRef{fresh(x)}, true
					break
				}
			}
		}
	}
	for x, e := range as {
		if r, ok := e.(*VarRef); ok {
			r.V.value = mapExpr(x.value, put)
		}
	}
	conds := terms(l.Cond)
	for i, t := range conds {
		if conds[i] = mapExpr(t, put); t == Expr(c) {
			conds[i] = &Binary{token.LSS, wide, &Convert{c.Y, intType}, c.T}
		}
	}
	l.Cond = conjunction(conds)
	copied := mapStmts([]Stmt{&For{Pre: l.Pre, Body: l.Body, Post: l.Post}}, put)[0].(*For)
	l.Pre, l.Body = copied.Pre, copied.Body
	l.Post = []Stmt{&Assign{L: []Expr{wide}, R: &Binary{token.ADD, wide, intExpr(1), intType}, Pos: l.Post[0].Position()}}
	out := []Stmt{&Assign{L: []Expr{wide}, R: &Convert{def.R, intType}, Def: true, Pos: def.Pos}, l}
	if !own {
		out = append(out, &Assign{L: []Expr{&VarRef{v}}, R: &Convert{wide, v.Type}, Pos: l.Pos})
	}
	return out
}
