package compiler

import (
	"go/token"
	"slices"
)

// Branches and jumps of vectors: which lanes are on.

// leaves reports whether s has an exit to something outside it.
func leaves(s Stmt) bool {
	inside := map[Stmt]bool{}
	walk([]Stmt{s}, func(x Stmt) { inside[x] = true })
	return anyStmt([]Stmt{s}, func(x Stmt) bool { e, ok := x.(*Exit); return ok && (e.To == nil || !inside[e.To]) })
}

// assume reports whether s, printed for whole vectors or for the middle of a row, may take its condition to
// hold: it has no else, and is about the place of the thread in the grid, such as x < width-1, so that it
// holds for most. The loop is then over the threads for which it does.
func (v *vector) assume(s *If) bool {
	if !v.full || v.axis == 1 && v.parts > 1 && v.plane == nil || v.weight > 1 || len(s.Else) > 0 || v.branches > 0 || v.mask != v.strip {
		return false
	}
	gs, rest := splitGuards(s.Cond)
	if v.plane != nil && len(gs) == 0 {
		gs, rest = []guard{{op: token.NOT, limit: s.Cond}}, nil
		if shapeOf(s.Cond)[0] != 0 {
			return false
		}
	}
	if v.view != nil && len(gs) == 0 && v.rowGuard(s.Cond) {
		v.guards = append(v.guards, guard{op: token.NOT, limit: s.Cond})
		return true
	}
	if len(gs) == 0 || len(rest) > 0 {
		return false
	}
	inGrid := slices.ContainsFunc(gs, func(g guard) bool {
		return inGridPlace(v.k, g.limit) || g.base != nil && inGridPlace(v.k, g.base)
	})
	for _, g := range gs {
		switch {
		case g.op == token.EQL:
			return false
		case g.op == token.NOT:
			if !v.steady(g.limit) {
				return false
			}
		case !v.steady(g.base) || !v.steady(g.limit):
			return false
		case v.plane == nil && !inGrid && !g.mostly():
			return false
		}
	}
	for _, g := range gs {
		if !slices.ContainsFunc(v.guards, func(h guard) bool { return h == g }) {
			v.guards = append(v.guards, g)
		}
	}
	return true
}

// mostly reports whether g holds for all threads of a row but the first few, such as tid > 0.
func (g guard) mostly() bool {
	n, ok := constInt(g.limit)
	return ok && n <= 4 && (g.op == token.GTR || g.op == token.GEQ)
}

// rowGuard reports whether cond says in which rows of the grid something is done, such as y > 0 && y < height-1.
func (v *vector) rowGuard(cond Expr) bool {
	if shapeOf(cond)[0] != 0 || !v.steady(cond) {
		return false
	}
	for _, t := range terms(cond) {
		b, ok := t.(*Binary)
		if !ok || flipped[b.Op] == 0 || b.Op == token.EQL || !inGridPlace(v.k, b) || shapeOf(b)[1] == 0 && shapeOf(b)[2] == 0 {
			return false
		}
	}
	return true
}

// inGridPlace reports whether e depends on the block's place in the grid.
func inGridPlace(k *Kernel, e Expr) bool {
	found := false
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Index3:
			found = found || x.Of == blockIdx || x.Of == origin
		case *VarRef:
			if one := k.single[x.V]; one != nil {
				found = found || inGridPlace(k, one)
			}
		}
	})
	return found
}

// steady reports whether e can be computed before the loop over the threads of a row, for any of them, and
// then holds: it has nothing that the region changes.
func (v *vector) steady(e Expr) bool {
	if mayPanic(e) || loads(e) || hasVariable(e) {
		return false
	}
	written := useOf(v.r.stmts).written
	ok := true
	var visit func(e Expr)
	visit = func(e Expr) {
		walkExpr(e, func(x Expr) {
			if i, isIndex := x.(*Index3); isIndex && i.Of.inWarp() {
				ok = false
			}
			if r, isVar := x.(*VarRef); isVar && !r.V.Param {
				if r.V.value != nil {
					visit(r.V.value)
				} else if written[r.V] || !r.V.common {
					ok = false
				}
			}
		})
	}
	visit(e)
	return ok
}

// under notes that what is printed next is under a condition, if that is the same for the row: checks for the
// row are then needed only if it holds. What it returns ends that.
func (v *vector) under(cond Expr, not bool) func() {
	if !v.full && !v.ends || shapeOf(cond)[0] != 0 || !v.steady(cond) || v.axis == 1 && v.parts > 1 {
		return func() {}
	}
	v.atZero = true
	c := "(" + unparen(v.expr(cond)) + ")"
	v.atZero = false
	if not {
		c = "!" + c
	}
	v.when = append(v.when, c)
	return func() { v.when = v.when[:len(v.when)-1] }
}

// thenOnly reports whether s, printed for whole vectors or for the middle of a row, is left to its first branch: the
// other one has loops that lanes leave one by one, which is for the general form. The condition, the
// same for the block, becomes one of the row.
func (v *vector) thenOnly(s *If) bool {
	if !v.full || len(s.Else) == 0 || !shapeOf(s.Cond).uniform() || !v.steady(s.Cond) || !partingLoops(s.Else) || partingLoops(s.Then) {
		return false
	}
	v.require("(" + unparen(v.expr(s.Cond)) + ")")
	use := useOf(s.Else)
	for _, w := range v.k.Vars {
		if (use.read[w] || use.written[w]) && !declares(s, w) {
			v.leftOut(w)
		}
	}
	return true
}

// leftOut notes that a use of w is not printed, so that it may have no other.
func (v *vector) leftOut(w *Var) {
	part := v.body.part
	for v.body.part = range max(v.parts, 1) {
		v.elsewhere = append(v.elsewhere, v.name(w))
	}
	v.body.part = part
}
