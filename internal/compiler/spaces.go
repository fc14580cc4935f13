package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// Spaces: regions with rows and threads of their own, in place of those of the block. A branch asks whether the space
// stands for what the threads of the block do, and the other arm is what the source says. Passes blockstride and planes
// make them.

// A space is the rows and threads of a region that has others than the block.
type space struct {
	x, y Expr
	near bool // only worthwhile if the elements of neighbours are neighbours
	pass string
}

// mostCollapsed is the largest number of elements, which one call goes through.
const mostCollapsed = 1 << 16

// A strider makes one space.
type strider struct {
	f       *fissioner
	conds   []Expr       // under which the collapsed form is right
	x, y    Expr         // the rows and threads
	counter map[*Var]int // counters: along x 0, along y 1, through both 2
	from    map[*Var]Expr
	shared  map[*Var]bool
	by      Expr          // the divisor of a counter through both, or nil
	varies  map[*Var]bool // variables that loops in the body assign
	thread  *Var          // in a plane, stands for the thread's index, if that is what is divided; see folded
	groups  bool          // the divisor is 1, so that threads access groups of elements
}

func (f *fissioner) newStrider() *strider {
	return &strider{f: f, counter: map[*Var]int{}, from: map[*Var]Expr{}, varies: map[*Var]bool{}, shared: f.k.inShared()}
}

// fresh returns new variables for those that list assigns and keep selects.
func (s *strider) fresh(list []Stmt, keep func(*Var) bool) map[*Var]*Var {
	locals, written := map[*Var]*Var{}, assignedIn(&Block{Body: list})
	for _, v := range s.f.k.Vars {
		if written[v] && keep(v) {
			n := *v
			n.Name, n.In, n.value = uniqueName(s.f.names, v.Name), nil, nil
			locals[v] = &n
		}
	}
	return locals
}

// branch returns the branch between the collapsed form of list and list, or nil if the condition of the branch needs
// what list computes.
func (s *strider) branch(body, list []Stmt, locals map[*Var]*Var) *If {
	k := s.f.k
	dim := func(axis int) Expr { return &Index3{blockDim, axis} }
	most := intExpr(mostCollapsed)
	at := func(x Expr, op token.Token, y Expr) Expr { return &Binary{op, x, y, boolType} }
	conds := []Expr{at(dim(2), token.EQL, intExpr(1))}
	for _, side := range []Expr{s.x, s.y, &Binary{token.MUL, s.x, s.y, intType}} {
		conds = append(conds, at(side, token.LEQ, most))
	}
	conds = eachOnce(append(conds, s.conds...))
	inside := map[*Var]bool{}
	for v, n := range locals {
		inside[v], inside[n] = true, true
	}
	maps.Copy(inside, assignedIn(&Block{Body: list}))
	for _, e := range append(slices.Clone(conds), s.x, s.y) {
		for v := range useOf([]Stmt{&Assign{L: []Expr{nil}, R: e}}).read {
			if inside[v] {
				return nil
			}
		}
	}
	for _, v := range k.Vars {
		if locals[v] != nil {
			k.Vars = append(k.Vars, locals[v])
		}
	}
	c := &If{Cond: conjunction(conds), Then: body, Else: list, Pos: list[len(list)-1].Position(), over: &space{x: s.x, y: s.y, pass: "blockstride"}}
	s.f.block[c] = true
	return c
}

// holds reports whether a condition is a comparison of constants that is true.
func holds(e Expr) bool {
	c, ok := e.(*Binary)
	if !ok {
		return false
	}
	if c.Op == token.LOR {
		return holds(c.X) || holds(c.Y)
	}
	if c.Op == token.LAND {
		return holds(c.X) && holds(c.Y)
	}
	x, okX := valueOf(c.X)
	y, okY := valueOf(c.Y)
	return okX && okY && constant.Compare(constant.MakeInt64(x), c.Op, constant.MakeInt64(y))
}

// valueOf is the value of a constant or of a product of two.
func valueOf(e Expr) (int64, bool) {
	if b, ok := e.(*Binary); ok && b.Op == token.MUL {
		x, okX := valueOf(b.X)
		y, okY := valueOf(b.Y)
		return x * y, okX && okY && x < 1<<31 && y < 1<<31
	}
	return constInt(e)
}

// steady reports whether e is an int that is the same for all threads while the loop runs, and has no panics.
func (s *strider) steady(e Expr) bool {
	ok := blockWide(e) && !mayPanic(e) && !loads(e) && types.Identical(e.Type().Underlying(), intType)
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Const, *Binary, *Unary, *Convert, *Call:
		case *Index3:
			ok = ok && x.Of != warpInBlock
		case *VarRef:
			ok = ok && s.uniform(x.V)
		default:
			ok = false
		}
	})
	return ok
}

// steadySides is steady for an expression of the collapsed form, in which the block has its own sides.
func (s *strider) steadySides(e Expr) bool {
	return s.steady(mapExpr(e, func(x Expr) Expr {
		if i, ok := x.(*Index3); ok && i.Of == side {
			return &Index3{blockDim, i.Axis}
		}
		return x
	}))
}

// uniform reports whether a variable is the same for all threads of a block, in a region.
func (s *strider) uniform(v *Var) bool {
	return v.Shape.uniform() && !v.addr && !s.varies[v]
}

// lookThrough returns e with the values of a thread's variables that each region computes anew, and with the rank of
// a thread in a block of two dimensions.
func (s *strider) lookThrough(e Expr) Expr {
	return mapExpr(e, func(x Expr) Expr {
		switch x := x.(type) {
		case *VarRef:
			if x.V.value != nil {
				return s.lookThrough(x.V.value)
			}
			if _, isCounter := s.counter[x.V]; !isCounter && !x.V.Param && !x.V.Shape.uniform() {
				if one := s.f.single(x.V); one != nil && s.f.threadOnly(one) && !mayPanic(one) {
					return s.lookThrough(one)
				}
			}
		case *Rank:
			y := Expr(&Binary{token.MUL, &Index3{threadIdx, 1}, &Index3{blockDim, 0}, intType})
			return &Binary{token.ADD, &Index3{threadIdx, 0}, y, intType}
		}
		return x
	})
}

// divided reports whether e is the quotient or the remainder of i by a uniform divisor.
func (s *strider) divided(e Expr, i *Var) (quotient, remainder bool, by Expr, ok bool) {
	b, isBinary := e.(*Binary)
	if !isBinary || !types.Identical(b.T.Underlying(), intType) {
		return false, false, nil, false
	}
	x := b.X
	if b.Op == token.AND && s.steady(x) {
		x, b = b.Y, &Binary{token.AND, b.Y, b.X, b.T}
	}
	if s.thread != nil {
		x = s.lookThrough(x)
	}
	if r, isVar := x.(*VarRef); !(isVar && r.V == i || i == s.thread && s.isThread(x)) || !s.steady(b.Y) && b.Op != token.SHR {
		return false, false, nil, false
	}
	n, isConst := constInt(b.Y)
	switch {
	case b.Op == token.QUO:
		return true, false, b.Y, true
	case b.Op == token.REM:
		return false, true, b.Y, true
	case b.Op == token.SHR && isConst && n > 0 && n < 30:
		return true, false, intExpr(1 << n), true
	case b.Op == token.AND && isConst && n > 0 && n&(n+1) == 0:
		return false, true, intExpr(n + 1), true
	case b.Op == token.AND && !isConst:
		// i & (n-1), the remainder by a power of two
		if less, ok := b.Y.(*Binary); ok && (less.Op == token.SUB && isConstant(less.Y, 1) || less.Op == token.ADD && isConstant(less.Y, -1)) {
			s.power(less.X)
			return false, true, less.X, true
		}
	}
	return false, false, nil, false
}

// power adds the condition that n, which is positive, is a power of two.
func (s *strider) power(n Expr) {
	less := &Binary{token.SUB, n, intExpr(1), intType}
	s.conds = append(s.conds, &Binary{token.EQL, &Binary{token.AND, n, less, intType}, intExpr(0), boolType})
}

// eachExprIn calls do for all expressions of list, and for those in them.
func eachExprIn(list []Stmt, do func(Expr)) {
	walk(list, func(s Stmt) { exprs(s, func(e Expr) { walkExpr(e, do) }) })
}

// mapped returns a copy of the body for the thread of an element. counters has a bit for each kind of counter that is
// collapsed.
func (s *strider) mapped(body []Stmt, counters int, locals map[*Var]*Var) (out []Stmt, ok bool) {
	if !assignsInLoops(body) {
		return nil, false
	}
	walk(body, func(st Stmt) {
		if l, isLoop := st.(*For); isLoop {
			for v := range assignedIn(l) {
				s.varies[v] = true
				if locals[v] != nil {
					s.varies[locals[v]] = true
				}
			}
		}
	})
	ok = true
	ints := func(x Expr, op token.Token, y Expr) Expr {
		if op == token.ADD && isConstant(x, 0) {
			return y
		}
		return &Binary{op, x, y, intType}
	}
	tx, ty := Expr(&Index3{threadIdx, 0}), Expr(&Index3{threadIdx, 1})
	number := tx // of the element, for a counter through both
	quotient, remainder := ty, tx
	if s.groups {
		quotient, remainder = tx, intExpr(0)
	} else if s.by != nil {
		number = ints(ints(ty, token.MUL, s.by), token.ADD, tx)
	}
	var in func(e Expr) Expr
	in = func(e Expr) Expr {
		if s.groups && e != nil && sameExpr(e, s.by) {
			return intExpr(1)
		}
		switch x := e.(type) {
		case nil:
			return nil
		case *VarRef:
			along, isCounter := s.counter[x.V]
			switch {
			case locals[x.V] != nil:
				return &VarRef{locals[x.V]}
			case isCounter:
				return ints(in(s.from[x.V]), token.ADD, []Expr{tx, ty, number}[along])
			case x.V.Param || s.uniform(x.V):
				return x
			case s.thread != nil && x.V.value == nil:
				return x // kept for each thread, by its number
			}
			if value := s.lookThrough(x); value != Expr(x) && !sameExpr(value, x) {
				return in(value)
			}
			ok = false
			return x
		case *Index3:
			switch {
			case x.Of == threadIdx && x.Axis == 2:
				return intExpr(0)
			case s.isThread(x):
				return number
			case x.Of == threadIdx && (counters&(1<<2) != 0 || counters&(1<<x.Axis) != 0):
				ok = false
			case x.Of == blockDim && s.f.k.linear && x.Axis == 0:
				return ints(&Index3{side, 0}, token.MUL, &Index3{side, 1})
			case x.Of == blockDim && s.f.k.linear && x.Axis == 1:
				return intExpr(1)
			case x.Of == blockDim && x.Axis < 2:
				return &Index3{side, x.Axis}
			case x.Of == warpInBlock:
				ok = false
			}
			return x
		case *Rank, *Method:
			if value := s.lookThrough(e); !sameExpr(value, e) {
				return in(value)
			}
			ok = false
			return x
		case *Binary:
			if counters&(1<<2) != 0 {
				if len(s.counter) == 0 && s.isNumber(x) { // of a guard
					return tx
				}
				for i := range s.counter {
					if divides, _, by, found := s.divided(x, i); found {
						if s.by == nil || !sameExpr(by, s.by) {
							ok = false
						}
						if divides {
							return quotient
						}
						return remainder
					}
				}
			}
		}
		return mapParts(e, in)
	}
	loops := map[*For]*For{}
	out = mapTopDown(body, in, loops)
	for v, n := range locals {
		if v.In != nil {
			n.In = loops[v.In]
		}
	}
	return out, ok
}

// isNumber reports whether e is the number of the thread in its block.
func (s *strider) isNumber(e *Binary) bool {
	if e.Op != token.ADD || !types.Identical(e.T.Underlying(), intType) {
		return false
	}
	along, start, _, ok := s.index(s.lookThrough(e))
	return ok && along == 2 && isConstant(start, 0)
}

// isThread reports whether e is the thread's index along x, which a plane divides.
func (s *strider) isThread(e Expr) bool {
	if s.thread == nil || e == nil || !types.Identical(e.Type().Underlying(), intType) {
		return false
	}
	i, ok := e.(*Index3)
	return ok && i.Of == threadIdx && i.Axis == 0
}

// onlyAssigns reports whether the statements of list are assignments, and branches with such.
func onlyAssigns(list []Stmt) bool {
	return !anyStmt(list, func(s Stmt) bool {
		switch s.(type) {
		case *Assign, *If:
			return false
		}
		return true
	})
}

// assignsInLoops is onlyAssigns for statements that may also be in loops, which end as a whole.
func assignsInLoops(list []Stmt) bool {
	return !anyStmt(list, func(s Stmt) bool {
		switch s := s.(type) {
		case *Assign, *If:
			return false
		case *For:
			return s.breaks || s.continues || s.Cond == nil
		}
		return true
	})
}

// mapTopDown returns a copy of list, whose statements are assignments, branches and loops, with change applied to whole
// expressions. It adds the copies of loops to loops.
func mapTopDown(list []Stmt, change func(Expr) Expr, loops map[*For]*For) (out []Stmt) {
	for _, s := range list {
		switch x := s.(type) {
		case *Assign:
			y := *x
			y.L = make([]Expr, len(x.L))
			for i, l := range x.L {
				y.L[i] = change(l)
			}
			y.R = change(x.R)
			out = append(out, &y)
		case *If:
			y := *x
			y.Cond, y.Then, y.Else = change(x.Cond), mapTopDown(x.Then, change, loops), mapTopDown(x.Else, change, loops)
			out = append(out, &y)
		case *For:
			y := *x
			loops[x] = &y
			y.outer = loops[x.outer]
			y.Pre, y.Cond = mapTopDown(x.Pre, change, loops), change(x.Cond)
			y.Body, y.Post = mapTopDown(x.Body, change, loops), mapTopDown(x.Post, change, loops)
			out = append(out, &y)
		}
	}
	return out
}

// atThread returns e with others for the thread's indices.
func atThread(e, tx, ty Expr) Expr {
	return mapExpr(e, func(e Expr) Expr {
		switch x := e.(type) {
		case *Index3:
			if x.Of == threadIdx && x.Axis < 2 {
				return []Expr{tx, ty}[x.Axis]
			}
		case *Binary:
			if (x.Op == token.ADD || x.Op == token.SUB) && isConstant(x.Y, 0) {
				return x.X
			}
			if x.Op == token.ADD && isConstant(x.X, 0) {
				return x.Y
			}
		}
		return e
	})
}
