package compiler

import "go/token"

// Dead code elimination: assignments to variables that are never read. A value that may panic is
// kept as an assignment to nothing.

// dropDead removes assignments to variables that are never read. Values that may panic or have
// effects are kept.
func (k *Kernel) dropDead() {
	for {
		reads := map[*Var]bool{}
		walk(k.Body, func(s Stmt) {
			for v := range useOf([]Stmt{bare(s)}).read {
				reads[v] = true
			}
			exprs(s, func(e Expr) {
				walkExpr(e, func(x Expr) {
					if a, ok := x.(*Addr); ok {
						if v, _ := assigned(a.X); v != nil {
							reads[v] = true
						}
					}
				})
			})
		})
		changed := false
		var clean func(list []Stmt) []Stmt
		clean = func(list []Stmt) []Stmt {
			var out []Stmt
			for i, s := range list {
				switch s := s.(type) {
				case *Assign:
					if len(s.L) == 1 && s.L[0] == nil && i+1 < len(list) && reaches(list[i+1], s.R) {
						changed = true
						continue
					}
					if len(s.L) == 1 && s.L[0] != nil && !mayPanic(s.L[0]) && sameExpr(s.L[0], s.R) {
						changed = true
						continue
					}
					dead := false
					for i, l := range s.L {
						if l == nil {
							continue
						}
						if v, whole := assigned(l); v != nil && !reads[v] && (whole || !mayPanic(l)) {
							s.L[i] = nil
							dead, changed = true, true
						}
					}
					if dead {
						s.Def = false
						for _, l := range s.L {
							s.Def = s.Def || l != nil
						}
					}
					if len(s.L) == 1 && s.L[0] == nil && (!mayPanic(s.R) || len(out) > 0 && checks(out[len(out)-1], s.R)) {
						changed = true
						continue
					}
				case *If:
					s.Then, s.Else = clean(s.Then), clean(s.Else)
					if len(s.Then) == 0 && len(s.Else) == 0 && !mayPanic(s.Cond) {
						changed = true
						continue
					}
				case *For:
					s.Pre, s.Body, s.Post = clean(s.Pre), clean(s.Body), clean(s.Post)
				case *Block:
					s.Body = clean(s.Body)
				}
				out = append(out, s)
			}
			return out
		}
		k.Body = clean(k.Body)
		if !changed {
			return
		}
	}
}

// bare returns s without the statements nested in it.
func bare(s Stmt) Stmt {
	switch s := s.(type) {
	case *If:
		return &If{Cond: s.Cond}
	case *For:
		return &For{Cond: s.Cond}
	case *Block:
		return &Block{}
	}
	return s
}

// checks reports whether s panics whenever e, a field of an element, does: it reads another field
// of the same element.
func checks(s Stmt, e Expr) bool {
	f, ok := e.(*Field)
	a, isAssign := s.(*Assign)
	if !ok || !isAssign {
		return false
	}
	g, ok := a.R.(*Field)
	return ok && sameExpr(f.X, g.X)
}

// reaches reports whether s reads or writes e, or a field of it, before anything else can happen.
func reaches(s Stmt, e Expr) bool {
	a, ok := s.(*Assign)
	if !ok || len(a.L) != 1 {
		return false
	}
	found := false
	var visit func(x Expr)
	visit = func(x Expr) {
		if x == nil {
			return
		}
		if sameExpr(x, e) {
			found = true
		}
		if b, ok := x.(*Binary); ok && (b.Op == token.LAND || b.Op == token.LOR) {
			visit(b.X)
			return
		}
		subexprs(x, visit)
	}
	visit(a.L[0])
	visit(a.R)
	return found
}
