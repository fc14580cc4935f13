package compiler

import (
	"go/token"
	"go/types"
)

// Which loops are known to end. In others the body of a block looks whether its launch is being cancelled, so that a kernel that goes
// round for ever ends with its context or timeout.

// knownEnd reports whether s is a loop whose counter goes towards a limit that stays: some part of its condition, all of which must
// hold, is i < limit, and only the post statement changes i, by a constant or a size of the launch. How far the limit is nobody knows.
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
			if down && unsigned(i.Type) && op == token.GTR { // x > 0 by ones
				return isConst && limit >= n-1
			}
		}
	}
	return false
}

// turned has the comparisons with their operands in the other order.
var turned = map[token.Token]token.Token{
	token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}

// positive reports whether e is known to be: it is made of sizes of the launch.
func (k *Kernel) positive(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		n, ok := constInt(e)
		return ok && n > 0
	case *Index3:
		return e.Of == blockDim || e.Of == gridDim
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

// allOf returns the parts of a condition that must all hold.
func allOf(e Expr) []Expr {
	if b, ok := e.(*Binary); ok && b.Op == token.LAND {
		return append(allOf(b.X), allOf(b.Y)...)
	}
	return []Expr{e}
}

// staysIn reports whether e has the same value in all rounds of a loop: nothing that it reads is changed in it.
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

// poll prints the look whether the launch is being cancelled, at the beginning of a round of a loop that is not known to end.
func (b *body) poll(s *For) {
	if !b.k.knownEnd(s) {
		b.printf("p.Poll()\n")
	}
}

// ends reports whether the blocks of a kernel end soon: it has no loops but those that look whether the launch is being cancelled.
func (k *Kernel) ends() bool {
	return !anyStmt(k.Body, func(s Stmt) bool { l, ok := s.(*For); return ok && k.knownEnd(l) && !few(l) })
}

// soonOver is how many rounds a loop has at most that a launch needn't be able to interrupt.
const soonOver = 1 << 12

// few reports whether the rounds of a loop with a known end are few: its limit is a constant.
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
