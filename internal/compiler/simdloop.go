package compiler

import (
	"go/token"
)

// Loops of vectors: those that all lanes leave together, and those that they leave one by one.

// partingLoops reports whether there is a loop in list that lanes leave one by one.
func partingLoops(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool { l, ok := s.(*For); return ok && l.parts[0] != 0 })
}

// counts reports whether s is a loop such as for i := 0; i < limit; i++, in which i does not change.
func (v *vector) counts(s *For) (i *Var, limit Expr, ok bool) {
	c, isBin := s.Cond.(*Binary)
	if !isBin || c.Op != token.LSS || len(s.Post) != 1 || len(s.Pre) > 0 {
		return nil, nil, false
	}
	r, isVar := c.X.(*VarRef)
	if !isVar || !v.rowWide(c.Y) {
		return nil, nil, false
	}
	post, isAssign := s.Post[0].(*Assign)
	if !isAssign || len(post.L) != 1 {
		return nil, nil, false
	}
	sum, isSum := post.R.(*Binary)
	if w, whole := assigned(post.L[0]); w != r.V || !whole || !isSum || sum.Op != token.ADD || !sameExpr(sum.X, r) {
		return nil, nil, false
	}
	n, isConst := constInt(sum.Y)
	if !isConst || n <= 0 || n > shortLoop || !wide(r.V.Type) && n > 1 {
		return nil, nil, false // it may step over the limit, and wrap around
	}
	if _, isConst := constInt(c.Y); !isConst && wide(r.V.Type) && unsigned(r.V.Type) {
		return nil, nil, false // the limit may be no int
	}
	if v.counted(c.Y) && v.bits(c.Y) > mostBits {
		return nil, nil, false
	}
	// Its only other assignment is the one before the loop, of a number that is not negative.
	starts := 0
	walk(v.k.Body, func(x Stmt) {
		if a, ok := x.(*Assign); ok && x != Stmt(post) {
			for _, l := range a.L {
				if l != nil {
					if w, _ := assigned(l); w == r.V {
						starts += 2
						if n, isConst := constInt(a.R); isConst && n == 0 && a.Def {
							starts--
						}
					}
				}
			}
		}
	})
	return r.V, c.Y, starts == 1 && !r.V.addr
}
