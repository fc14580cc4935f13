package compiler

import (
	"go/token"
	"maps"
	"slices"
)

// Coarse threads: a thread that handles several neighbouring elements,
//
//	i := 4 * t.GlobalX()
//	if i+4 <= n {
//		z[i] = f(x[i])
//		...
//		z[i+3] = f(x[i+3])
//	} else {
//		for ; i < n; i++ {
//			z[i] = f(x[i])
//		}
//	}
//
// becomes as many threads of one element (the reverse of thread coarsening; Magni, Dubach and O'Boyle,
// 2013), so that neighbouring threads access neighbouring elements. That needs a kernel whose blocks run
// as one (wide.go), which uses the index of the thread for nothing else. The statements of an element
// are found as those of an iteration (reroll.go). Rows have that many times the threads then, and
// `Phases.Each` divides the place of a panic by it.

// uncoarsen makes such threads, if possible.
func (k *Kernel) uncoarsen() {
	before := k.Body
	if k.linear || anyStmt(before, isMeeting) {
		return
	}
	single, count := k.definitions()
	body, copies, ok := inOrigin(before, 0, single, count)
	if !ok {
		return
	}
	k.Body = body
	if k.oneEach(); k.each > 1 && k.paysWide() {
		k.adopt(k.Body, copies)
		k.wide = true
		return
	}
	k.Body, k.each = before, 0
}

// oneEach makes the threads of a kernel with wide rows handle one element each.
func (k *Kernel) oneEach() {
	r := &reroller{k: k}
	at, each, ok := k.coarseIndex()
	if !ok {
		return
	}
	def := k.Body[at].(*Assign)
	i := def.L[0].(*VarRef).V
	if anyStmt(k.Body, func(s Stmt) bool { _, isExit := s.(*Exit); return isExit }) {
		return
	}
	// what comes before are definitions that do not depend on the thread
	for _, s := range k.Body[:at] {
		a, isAssign := s.(*Assign)
		if !isAssign || !a.Def || loads(a.R) || mayPanic(a.R) {
			return
		}
	}
	before, rest := slices.Clone(k.Body[:at]), k.Body[at+1:]
	for len(rest) > 0 { // definitions of uniform values
		a, isAssign := rest[0].(*Assign)
		if !isAssign || !a.Def || loads(a.R) || mayPanic(a.R) || mentionsThread(a.R, i) {
			break
		}
		before, rest = append(before, a), rest[1:]
	}
	var cond Expr
	list := rest
	if c, isIf := firstOf(rest).(*If); isIf && len(rest) == 1 && !mayPanic(c.Cond) && !loads(c.Cond) {
		u := &unrolledLoop{countedLoop: countedLoop{l: &For{Cond: c.Cond}, j: i, step: each}}
		end, within, ok := u.end()
		if list = c.Then; !ok {
			return
		}
		u.l.Body = list
		if !r.steady(u, end) {
			return
		}
		switch {
		case len(c.Else) == 0:
			cond = r.roundedUp(u, end)
		case len(c.Else) == 1 && within != nil:
			l, isFor := c.Else[0].(*For)
			if !isFor {
				return
			}
			loop, ok := countedFor(l)
			less, isLess := l.Cond.(*Binary)
			if !ok || loop.j != i || loop.step != 1 || !isLess || less.Op != token.LSS || !isRef(less.X, i) || !sameExpr(less.Y, within) {
				return
			}
			if !r.same(r.element(list, i, each), loop.body, &spelling{j: i}, &spelling{j: i}, nil) {
				return
			}
			cond = within
		default:
			return
		}
	}
	body := r.element(list, i, each)
	if len(body) == 0 || assignedIn(&Block{Body: body})[i] || !ownVariables(body) || !k.ownElements(body) {
		return
	}
	thread := &Binary{token.ADD, &Binary{token.MUL, intOf(each, intType), &Index3{origin, 0}, intType}, &Index3{threadIdx, 0}, intType}
	out := append(before, &Assign{L: def.L, R: converted(thread, i.Type), Def: true, Pos: def.Pos})
	if cond != nil {
		if _, isConst := cond.(*Const); !isConst {
			last := r.named(&unrolledLoop{countedLoop: countedLoop{l: &For{Pos: def.Pos}, j: i}}, cond)
			out, cond = append(out, last), last.L[0]
		}
		body = []Stmt{&If{Cond: &Binary{token.LSS, &VarRef{i}, cond, boolType}, Then: body, Pos: def.Pos}}
	}
	k.Body, k.each = append(out, body...), each
}

// firstOf is the first statement of a list, or nil.
func firstOf(list []Stmt) Stmt {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// mentionsThread reports whether e contains a variable or the index of the thread.
func mentionsThread(e Expr, v *Var) bool {
	found := false
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *VarRef:
			found = found || x.V == v
		case *Index3:
			found = found || x.Axis == 0 && (x.Of == threadIdx || x.Of == origin)
		}
	})
	return found
}

// coarseIndex returns the place in the kernel's body of the definition of the first element's index,
// each*(origin + threadIdx), if the kernel has no other use of these.
func (k *Kernel) coarseIndex() (at int, each int64, ok bool) {
	isPlace := func(x Expr) bool {
		i, isIndex := x.(*Index3)
		return isIndex && i.Axis == 0 && i.Of != gridDim
	}
	uses := 0
	walk(k.Body, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				if _, isRank := x.(*Rank); isPlace(x) || isRank {
					uses++
				}
			})
		})
	})
	at = slices.IndexFunc(k.Body, func(s Stmt) bool {
		a, isAssign := s.(*Assign)
		if !isAssign || !a.Def || len(a.L) != 1 || uses != 2 {
			return false
		}
		v, isVar := a.L[0].(*VarRef)
		if !isVar || v.V.addr || !wide(v.V.Type) || unsigned(v.V.Type) {
			return false
		}
		c := &spelling{}
		p := c.poly(a.R)
		thread, first := c.expr(&Index3{threadIdx, 0}), c.expr(&Index3{origin, 0})
		each = p[thread]
		return !c.unknown && len(p) == 2 && each == p[first] && each >= 2 && each <= 16
	})
	return at, each, at >= 0
}

// ownVariables reports whether an element's statements assign only variables that they define.
func ownVariables(list []Stmt) bool {
	defined := map[*Var]bool{}
	walk(list, func(s Stmt) {
		if a, ok := s.(*Assign); ok && a.Def {
			for v := range assignedIn(a) {
				defined[v] = true
			}
		}
	})
	for v := range assignedIn(&Block{Body: list}) {
		if !defined[v] {
			return false
		}
	}
	return true
}

// ownElements reports whether an element's statements access only one element of each slice that they
// store to. Then nothing but an overlap of slices, which nests check and plain Go preserves by its order,
// can lead from one element of a thread to another.
func (k *Kernel) ownElements(list []Stmt) bool {
	c := &spelling{}
	ok := true
	places, stored := map[string]map[string]bool{}, map[string]bool{}
	note := func(e Expr, store bool) {
		base := e
		for {
			if f, isField := base.(*Field); isField {
				base = f.X
				continue
			}
			break
		}
		x, isIndex := base.(*Index)
		if !isIndex || !isSlice(x.X.Type()) {
			ok = ok && !store
			return
		}
		of := c.expr(x.X)
		if places[of] == nil {
			places[of] = map[string]bool{}
		}
		places[of][c.expr(x.I)] = true
		stored[of] = stored[of] || store
	}
	walk(list, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			for _, l := range s.L {
				if v, _ := assigned(orNil(l)); l != nil && v == nil {
					note(l, true)
				}
			}
		case *If, *For:
		default:
			ok = false
		}
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				switch x := x.(type) {
				case *Index:
					if isSlice(x.X.Type()) {
						note(x, false)
					}
				case *Deref, *Addr, *Slice:
					ok = false
				case *Call:
					ok = ok && x.Pure
				}
			})
		})
	})
	all := map[string]bool{}
	for of, here := range places {
		if stored[of] && len(here) > 1 {
			return false
		}
		maps.Copy(all, here)
	}
	k.oneElement = len(all) == 1
	return ok && !c.unknown
}

// orNil is e, or a constant in place of nil.
func orNil(e Expr) Expr {
	if e == nil {
		return intExpr(0)
	}
	return e
}

// element returns the statements for the first of the elements that a list of statements handles, if
// it does the same for each.
func (r *reroller) element(list []Stmt, i *Var, each int64) []Stmt {
	if l, ok := firstOf(list[max(0, len(list)-1):]).(*For); ok { // a loop over them
		var start *Assign
		if len(list) == 2 {
			start, _ = list[0].(*Assign)
		}
		c, counted := countedFor(l)
		if start == nil || !counted || c.step != 1 || !start.Def || !isRef(start.L[0], c.j) || !isConstant(start.R, 0) {
			return nil
		}
		less, isLess := l.Cond.(*Binary)
		if !isLess || less.Op != token.LSS || !isRef(less.X, c.j) || !isConstant(less.Y, each) {
			return nil
		}
		list = nil
		for k := range each {
			list = append(list, mapStmts(c.body, func(e Expr) Expr {
				if isRef(e, c.j) {
					return intOf(k, c.j.Type)
				}
				return e
			})...)
		}
	}
	n := len(list) / int(each)
	if n == 0 || len(list)%int(each) != 0 {
		return nil
	}
	for k := int64(1); k < each; k++ {
		if !r.same(list[:n], list[int(k)*n:][:n], &spelling{j: i, shift: k}, &spelling{j: i}, nil) {
			return nil
		}
	}
	return list[:n]
}
