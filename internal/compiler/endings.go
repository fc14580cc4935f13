package compiler

import (
	"go/token"
	"go/types"
)

// Termination: which loops are known to end. In all others, the code polls whether the launch has
// been cancelled, so that a kernel in an infinite loop ends with its context or timeout.

// knownEnd reports whether s is known to end: a conjunct of its condition compares i with a
// loop-invariant limit, and only the post statement changes i, towards the limit, by a constant or
// by sizes of the launch; or i is halved. The trip count may be large.
func (k *Kernel) knownEnd(s *For) bool {
	if len(s.Post) == 0 || s.Cond == nil {
		return false
	}
	post, ok := s.Post[len(s.Post)-1].(*Assign)
	if !ok || len(post.L) != 1 || post.L[0] == nil {
		return false
	}
	i, whole := assigned(post.L[0])
	step, ok := post.R.(*Binary)
	if i == nil || !whole || i.addr || !ok {
		return false
	}
	if r, isVar := step.X.(*VarRef); !isVar || r.V != i {
		return false
	}
	n, isConst := constInt(step.Y)
	if !isConst {
		if !k.positive(step.Y) {
			return false
		}
		n = 1
	}
	within := append(append([]Stmt{}, s.Pre...), s.Body...)
	changed := assignedIn(&Block{Body: within})
	if changed[i] || changed[nil] {
		return false
	}
	for _, c := range allOf(s.Cond) {
		cmp, ok := c.(*Binary)
		if !ok {
			continue
		}
		x, y, op := cmp.X, cmp.Y, cmp.Op
		if r, isVar := y.(*VarRef); isVar && r.V == i {
			x, y, op = y, x, turned[op]
		}
		r, isVar := x.(*VarRef)
		if !isVar || r.V != i || !staysIn(y, changed, i, within) {
			continue
		}
		up, down := step.Op == token.ADD && n > 0 || step.Op == token.SUB && n < 0, step.Op == token.SUB && n > 0 || step.Op == token.ADD && n < 0
		halves := step.Op == token.SHR && n > 0 || step.Op == token.QUO && n > 1
		limit, isConst := constInt(y)
		switch op {
		case token.LSS, token.LEQ:
			if up {
				return true
			}
		case token.GTR, token.GEQ:
			if down && !unsigned(i.Type) || halves && op == token.GTR && isConst && limit >= 0 {
				return true
			}
			if down && unsigned(i.Type) && op == token.GTR { // x > 0 counted down
				return isConst && limit >= n-1
			}
		}
	}
	return false
}

// turned maps a comparison to the one with swapped operands.
var turned = map[token.Token]token.Token{
	token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}

// positive reports whether e is positive because it is computed from positive constants and sizes
// of the launch.
func (k *Kernel) positive(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		n, ok := constInt(e)
		return ok && n > 0
	case *Index3:
		return e.Of == blockDim || e.Of == gridDim || e.Of == side
	case *Binary:
		return (e.Op == token.ADD || e.Op == token.MUL) && k.positive(e.X) && k.positive(e.Y)
	case *Convert:
		return k.positive(e.X)
	case *VarRef:
		x := k.single[e.V]
		return x != nil && k.positive(x)
	}
	return false
}

// allOf returns the conjuncts of a condition.
func allOf(e Expr) []Expr {
	if b, ok := e.(*Binary); ok && b.Op == token.LAND {
		return append(allOf(b.X), allOf(b.Y)...)
	}
	return []Expr{e}
}

// staysIn reports whether e is loop-invariant: the loop changes nothing that e reads.
func staysIn(e Expr, changed map[*Var]bool, i *Var, within []Stmt) bool {
	memory, stays := false, true
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *VarRef:
			stays = stays && x.V != i && !changed[x.V] && !x.V.addr
		case *Index, *Deref, *Global:
			memory = true
		case *Field:
			if _, pointer := x.X.Type().Underlying().(*types.Pointer); pointer {
				memory = true
			}
		case *Call:
			stays = stays && (x.Pure || x.Fn == nil && (x.Name == "len" || x.Name == "min" || x.Name == "max"))
		case *Method:
			stays = false
		}
	})
	return stays && !(memory && storesIn(within))
}

// storesIn reports whether list may change memory.
func storesIn(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool {
		found := false
		if a, ok := s.(*Assign); ok {
			for _, l := range a.L {
				if l != nil {
					v, _ := assigned(l)
					found = found || v == nil
				}
			}
		}
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				if c, ok := x.(*Call); ok && !c.Pure && c.Fn != nil {
					found = true
				}
			})
		})
		return found || isMeeting(s)
	})
}

// poll prints a poll of the launch's cancellation, at the beginning of an iteration, unless the
// loop is known to end.
func (b *body) poll(s *For) {
	if !b.k.knownEnd(s) {
		b.printf("p.Poll()\n")
	}
}

// ends reports whether each loop of a kernel polls for cancellation or is short, so that a
// cancelled launch ends soon.
func (k *Kernel) ends() bool {
	return !anyStmt(k.Body, func(s Stmt) bool { l, ok := s.(*For); return ok && k.knownEnd(l) && !few(l) })
}

// soonOver is the largest trip count of a loop that needs no poll in any case.
const soonOver = 1 << 12

// few reports whether a loop that is known to end has few iterations: its limit is a small
// constant.
func few(s *For) bool {
	for _, c := range allOf(s.Cond) {
		if cmp, ok := c.(*Binary); ok {
			for _, e := range []Expr{cmp.X, cmp.Y} {
				if n, isConst := constInt(e); isConst && n >= -soonOver && n <= soonOver {
					return true
				}
			}
		}
	}
	return false
}
