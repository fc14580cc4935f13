package compiler

import "go/token"

// Planes (pass planes): delinearization (see delinearize) where the pieces are short. In
//
//	pos := 2*tid - (tid & (stride-1))
//
// the threads of a row stand for rows of stride threads, in which neighbours access neighbouring elements. A call for
// each piece would cost more than its work. So a region that divides the thread's index by a small number is a plane
// with rows of that many threads, and a nest executes it as one. For a block whose threads are not a multiple of the
// divisor, and if not all indices are in range, the region runs as it is written.

// The divisors of which planes are made. Rows of fewer threads are not faster than gathers; longer ones are pieces.
const (
	shortestRow = 4
	longestRow  = 32
)

// folded returns the branch between a plane and a run of statements as it is, or nil if there is no plane.
func (f *fissioner) folded(run []Stmt) *If {
	isWarp := func(s Stmt) bool { _, ok := s.(*Warp); return ok }
	if len(run) == 0 || !onlyAssigns(run) || anyStmt(f.k.Body, isWarp) {
		return nil
	}
	s := f.newStrider()
	thread := &Var{Name: "thread", Type: intType}
	s.counter[thread], s.from[thread] = 2, intExpr(0)
	s.thread = thread
	// what the run divides the thread's index by
	eachExprIn(run, func(e Expr) {
		walkExpr(s.lookThrough(e), func(e Expr) {
			if _, _, by, ok := s.divided(e, thread); ok && s.by == nil {
				s.by = by
			}
		})
	})
	if s.by == nil || s.mentions(run, 1) || s.mentions(run, 2) {
		return nil
	}
	n, isConst := constInt(s.by)
	if isConst && (n < shortestRow || n > longestRow) {
		return nil
	}
	c := s.plane(run)
	if c == nil || isConst {
		return c
	}
	// If the divisor is 1, a row of all threads accesses groups of elements that lie side by side.
	stores := 0
	walk(run, func(s Stmt) {
		if a, ok := s.(*Assign); ok && len(a.L) == 1 {
			if _, isElement := a.L[0].(*Index); isElement {
				stores++
			}
		}
	})
	if stores < 2 {
		return c
	}
	wide := f.newStrider()
	wide.thread, wide.counter, wide.from, wide.by, wide.groups = thread, s.counter, s.from, s.by, true
	if g := wide.plane(run); g != nil {
		g.Else = []Stmt{c}
		c = g
	}
	return c
}

// plane returns the branch between the plane with rows of s.by threads and a run of statements.
func (s *strider) plane(run []Stmt) *If {
	rel := func(x Expr, op token.Token, y Expr) Expr { return &Binary{op, x, y, boolType} }
	dim := func(axis int) Expr { return &Index3{blockDim, axis} }
	by := s.by
	s.conds = append(s.conds, rel(dim(1), token.EQL, intExpr(1)))
	if s.groups {
		s.conds = append(s.conds, rel(s.by, token.EQL, intExpr(1)))
		s.x, s.y = dim(0), intExpr(1)
	} else {
		if _, isConst := constInt(s.by); !isConst {
			by = &Call{Name: "max", Args: []Expr{s.by, intExpr(1)}, T: intType, Pure: true}
			s.conds = append(s.conds, rel(s.by, token.GEQ, intExpr(shortestRow)), rel(s.by, token.LEQ, intExpr(longestRow)))
		}
		s.conds = append(s.conds, rel(&Binary{token.REM, dim(0), by, intType}, token.EQL, intExpr(0)))
		s.x, s.y = s.by, &Binary{token.QUO, dim(0), by, intType}
	}
	k := s.f.k
	locals := s.fresh(run, func(v *Var) bool { return declaresIn(run, v) && reads(k.Body, v) == reads(run, v) })
	for v := range assignedIn(&Block{Body: run}) {
		if v.Shape.uniform() && locals[v] == nil {
			return nil // a value of the block, which both arms of the branch would compute
		}
	}
	anew := func(v *Var) bool { return v.value != nil && locals[v] == nil }
	body, ok := s.mapped(dropDefinitions(mapStmts(run, func(e Expr) Expr { return e }), anew), 1<<2, locals)
	if !ok || oneOfRow(body) {
		return nil
	}
	c := s.branch(body, run, locals)
	if c == nil {
		return nil
	}
	c.over.near, c.over.pass = s.groups, "planes"
	return c
}

// oneOfRow reports whether a condition selects one thread of each row; loops by steps over these are better (see
// remainders).
func oneOfRow(list []Stmt) bool {
	found := false
	eachExprIn(list, func(e Expr) {
		b, ok := e.(*Binary)
		if !ok || b.Op != token.EQL && b.Op != token.NEQ {
			return
		}
		for _, side := range []Expr{b.X, b.Y} {
			i, isIndex := side.(*Index3)
			found = found || isIndex && i.Of == threadIdx && i.Axis == 0
		}
	})
	return found
}

// declaresIn reports whether a statement of list declares v.
func declaresIn(list []Stmt, v *Var) bool {
	for _, s := range list {
		if declares(s, v) {
			return true
		}
	}
	return false
}
