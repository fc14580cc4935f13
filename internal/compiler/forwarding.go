package compiler

import "slices"

// Store-to-load forwarding (pass forward): an element that a thread has stored and that the
// following statements read or store again is a variable there, as in
//
//	out[i] = in[i]                    v := in[i]
//	if out[i] < low {                 if v < low {
//		out[i] = low          =>          v = low
//	}                                 }
//	                                  out[i] = v
//
// Vectors that are stored under a mask and loaded at once wait for memory. A store goes where another
// one of the same element follows and nothing is loaded in between, which could be the same memory.

// withForwarding forwards elements in the statements of a nest. The plain form keeps all stores,
// since a panic may come between them.
func (b *body) withForwarding(list []Stmt) []Stmt {
	if b.off("forward") {
		return list
	}
	out := slices.Clone(list)
	for i := 0; i < len(out); i++ {
		switch x := out[i].(type) {
		case *If:
			y := *x
			y.Then, y.Else = b.withForwarding(x.Then), b.withForwarding(x.Else)
			out[i] = &y
		case *For:
			y := *x
			y.Body = retarget(mapStmts(b.withForwarding(x.Body), func(e Expr) Expr { return e }), x, &y)
			out[i] = &y
		case *Assign:
			if more := b.forwarded(x, out[i+1:]); more != nil {
				b.k.works("forward")
				out = append(out[:i], more...)
				i++ // the variable that x is now is no element
			}
		}
	}
	return out
}

// forwarded returns what becomes of a store and the statements behind it, or nil if nothing does.
func (b *body) forwarded(store *Assign, rest []Stmt) []Stmt {
	if !isForwarded(store) {
		return nil
	}
	x := store.L[0]
	v := &Var{Name: uniqueName(b.names, "stored"), Type: x.Type(), Pos: store.Pos}
	out := []Stmt{&Assign{L: []Expr{&VarRef{v}}, R: store.R, Def: true, Pos: store.Pos}}
	last := 0 // the index in out of the last store, if one that follows would make it needless
	put := func() {
		if last > 0 {
			out = slices.Delete(out, last, last+1)
		}
		last = len(out)
		out = append(out, &Assign{L: []Expr{x}, R: &VarRef{v}, Pos: store.Pos})
	}
	put()
	gained := false
	for len(rest) > 0 && !changesIn(rest[0], x) {
		s := mapStmts(rest[:1], func(e Expr) Expr {
			if sameExpr(e, x) {
				return &VarRef{v}
			}
			return e
		})[0]
		u := useOf([]Stmt{s})
		if u.stores || !closed(s) || loadsBehind([]Stmt{s}, v) {
			break
		}
		out, rest = append(out, s), rest[1:]
		if u.loads {
			last = 0
		}
		if u.written[v] {
			put()
		}
		gained = gained || u.written[v] || u.read[v]
	}
	if !gained {
		return nil
	}
	b.names[v.Name] = true
	return append(out, rest...)
}

// isForwarded reports whether a is the store of a number in a slice, whose place depends on
// variables alone.
func isForwarded(a *Assign) bool {
	if len(a.L) != 1 || a.L[0] == nil || a.Def {
		return false
	}
	at, ok := spotOf(a.L[0])
	return ok && isSlice(at.ix.X.Type()) && len(at.inner) == 0 && basic(at.t) && !isBool(at.t) && !(isInteger(at.t) && wide(at.t)) &&
		!loads(at.ix.X) && !loads(at.ix.I)
}

// changesIn reports whether s changes a variable in x.
func changesIn(s Stmt, x Expr) bool {
	changes := assignedIn(&Block{Body: []Stmt{s}})
	found := changes[nil]
	walkExpr(x, func(e Expr) {
		if r, ok := e.(*VarRef); ok && (changes[r.V] || r.V.addr) {
			found = true
		}
	})
	return found
}

// closed reports whether s consists of assignments, branches and loops, and threads leave no other
// statements than these.
func closed(s Stmt) bool {
	inside := map[Stmt]bool{}
	return !anyStmt([]Stmt{s}, func(x Stmt) bool {
		switch x := x.(type) {
		case *Assign, *If:
		case *For:
			inside[x] = true
		case *Exit:
			return !inside[x.To]
		default:
			return true
		}
		return false
	})
}

// loadsBehind reports whether statements load from memory behind an assignment to v, or assign it
// in a loop.
func loadsBehind(list []Stmt, v *Var) bool {
	set := false
	for _, s := range list {
		if set && useOf([]Stmt{s}).loads {
			return true
		}
		switch x := s.(type) {
		case *If:
			if loadsBehind(x.Then, v) || loadsBehind(x.Else, v) {
				return true
			}
		case *For:
			if assignedIn(x)[v] {
				return true
			}
		}
		set = set || assignedIn(&Block{Body: []Stmt{s}})[v]
	}
	return false
}
