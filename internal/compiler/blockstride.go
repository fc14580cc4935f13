package compiler

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Block-stride loops (pass blockstride): the threads of a block share out the elements of a tile, as in
//
//	for i := ty*16 + tx; i < 18*18; i += 16*16 {
//		tile[i] = in[(y0+i/18)*w+x0+i%18]
//	}
//
// Together they execute the loop's body once for each element. So a nest over the elements does, with 18 rows of 18
// threads of which each stores one (collapsing of loops; Polychronopoulos, 1987). Where the index is not divided, there
// is one row. For two loops, the outer one by blockDim.y and the inner one by blockDim.x, the rows are those of the
// outer loop. A guard such as `if ty*16+tx < 20` is a loop of one round.
//
// That is the same if no round of the loop depends on another one of the same thread. Different threads don't depend
// on each other between two barriers. So the body stores an element of its own in each round, in shared memory, and
// loads from elsewhere, or the other way round. The nest runs only if all indices are in range. Otherwise, and for
// blocks of other dimensions, the loop runs as it is written.

// collapse applies the pass to the statements in list that do not control the block.
func (f *fissioner) collapse(list []Stmt) []Stmt {
	if f.k.wide || f.k.tall {
		return list
	}
	var out []Stmt
	free := func(i int) bool { return !f.endsRegion(list[i]) }
	for i := 0; i < len(list); i++ {
		s := list[i]
		if free(i) && (i == 0 || !free(i-1)) && !slices.Contains(f.k.options.Off, "planes") {
			end, begin := i, i
			for end < len(list) && free(end) {
				end++
			}
			// values of the block, and those that each region computes anew, come before
			for begin < end {
				a, ok := list[begin].(*Assign)
				if !ok || !f.once(a) && !recomputed(a) {
					break
				}
				begin++
			}
			if c := f.folded(list[begin:end]); c != nil {
				out = append(append(out, list[i:begin]...), c)
				i = end - 1
				continue
			}
		}
		if f.block[s] {
			changeWithin(s, f.collapse)
			out = append(out, s)
			continue
		}
		begin := len(out)
		switch s := s.(type) {
		case *For:
			if begin > 0 {
				if def, ok := out[begin-1].(*Assign); ok && def.Def && !f.block[Stmt(def)] {
					if c := f.strided([]Stmt{def, s}); c != nil && f.cuts(list, i-1, i+1) {
						out[begin-1] = c
						continue
					}
				}
			}
		case *If:
			if c := f.strided([]Stmt{s}); c != nil && f.cuts(list, i, i+1) {
				s = c
				out = append(out, s)
				continue
			}
			if blockWide(s.Cond) && !mayPanic(s.Cond) && f.cuts(list, i, i+1) {
				then, els := f.collapse(s.Then), f.collapse(s.Else)
				if slices.ContainsFunc(slices.Concat(then, els), func(s Stmt) bool { return f.block[s] }) {
					s.Then, s.Else = then, els
					f.block[s] = true
				}
			}
		}
		out = append(out, s)
	}
	return out
}

// endsRegion reports whether no region goes on behind s.
func (f *fissioner) endsRegion(s Stmt) bool {
	_, isAlloc := s.(*Alloc)
	return isAlloc || f.block[s] || isMeeting(s)
}

// cuts reports whether list can be cut before the statements from begin to end and behind them: no variable of a
// thread lives across, except those that each region computes anew.
func (f *fissioner) cuts(list []Stmt, begin, end int) bool {
	once := f.doneOnce(f.k.Body)
	anew := func(v *Var) bool { return v.value != nil || once[v] }
	from, to := begin, end
	for from > 0 && !f.endsRegion(list[from-1]) {
		from--
	}
	for to < len(list) && !f.endsRegion(list[to]) {
		to++
	}
	if f.leaves(list[from:to]) {
		return false
	}
	for _, at := range []int{begin, end} {
		before, behind := useOf(list[from:at]), useOf(list[at:to])
		for v := range before.written {
			if !anew(v) && (behind.read[v] || behind.written[v]) {
				return false
			}
		}
		for v := range before.read {
			if !anew(v) && behind.written[v] {
				return false
			}
		}
	}
	return true
}

// strided returns the branch between the collapsed form of a loop, or of a guard, and the statements as they are; nil
// if there is no collapsed form.
func (f *fissioner) strided(list []Stmt) *If {
	s := f.newStrider()
	body, counters := s.enter(list, false)
	if body == nil {
		return nil
	}
	dim := func(axis int) Expr { return &Index3{blockDim, axis} }
	if s.x == nil {
		s.x = dim(0)
	}
	if s.y == nil {
		s.y = dim(1)
	}
	locals := s.fresh(body, func(*Var) bool { return true })
	body, ok := s.mapped(body, counters, locals)
	body = s.interior(body, map[*Var]Expr{})
	nestLoops(body, nil)
	if !ok || !s.independent(body, locals) {
		return nil
	}
	return s.branch(body, list, locals)
}

// enter finds the counters of list, which is a guard, or a loop behind the definition of its counter. It returns the
// body, with a bit for each kind of counter; or nil. An inner loop is one in another one.
func (s *strider) enter(list []Stmt, inner bool) (body []Stmt, counters int) {
	if len(list) == 1 {
		if guard, ok := list[0].(*If); ok && len(guard.Else) == 0 && s.enterGuard(guard.Cond) {
			return guard.Then, 1 << 2
		}
		return nil, 0
	}
	def, l := list[0].(*Assign), list[1].(*For)
	i, limit, step := s.counterOf(def, l)
	if i == nil {
		return nil, 0
	}
	along, start, width, ok := s.index(s.lookThrough(def.R))
	if !ok {
		return nil, 0
	}
	extent := limit
	if !isConstant(start, 0) {
		extent = &Binary{token.SUB, limit, start, intType}
		for _, e := range []Expr{start, limit} { // so that it does not wrap around
			s.conds = append(s.conds, &Binary{token.GEQ, e, intExpr(-mostPlaced / 2), boolType},
				&Binary{token.LEQ, e, intExpr(mostPlaced / 2), boolType})
		}
	}
	dim := func(axis int) Expr { return &Index3{blockDim, axis} }
	if along == 0 && !inner && !s.mentions(l.Body, 1) {
		// a block of one dimension
		if s.divisor(l.Body, i) == nil {
			return nil, 0
		}
		along, width = 2, dim(0)
		s.conds = append(s.conds, &Binary{token.EQL, dim(1), intExpr(1), boolType})
	}
	s.counter[i], s.from[i] = along, start
	switch along {
	case 0:
		s.equal(step, dim(0))
		s.x = extent
	case 1:
		s.equal(step, dim(1))
		s.y = extent
		if n := len(l.Body) - 2; n >= 0 && allDefine(l.Body[:n+1]) { // the body may be the other loop, behind definitions
			if _, isLoop := l.Body[n+1].(*For); isLoop {
				if body, along := s.enter(l.Body[n:], true); along == 1<<0 {
					return slices.Concat(l.Body[:n], body), 1<<0 | 1<<1
				}
				return nil, 0
			}
		}
	case 2:
		s.equal(dim(0), width)
		s.equal(step, &Binary{token.MUL, dim(0), dim(1), intType})
		s.x, s.y = extent, intExpr(1)
		if s.by = s.divisor(l.Body, i); s.by != nil && (!isConstant(start, 0) || !s.divide(limit)) {
			return nil, 0
		}
	}
	return l.Body, 1 << along
}

// enterGuard reports whether a guard selects the first threads of a block by their number.
func (s *strider) enterGuard(cond Expr) bool {
	c, ok := cond.(*Binary)
	if !ok || c.Op != token.LSS || !types.Identical(c.X.Type().Underlying(), intType) || !s.steady(c.Y) {
		return false
	}
	along, start, width, ok := s.index(s.lookThrough(c.X))
	if !ok || along != 2 || !isConstant(start, 0) {
		return false
	}
	s.equal(&Index3{blockDim, 0}, width)
	threads := &Binary{token.MUL, &Index3{blockDim, 0}, &Index3{blockDim, 1}, intType}
	s.conds = append(s.conds, &Binary{token.LEQ, c.Y, threads, boolType})
	s.x, s.y = c.Y, intExpr(1)
	return true
}

// counterOf returns the counter of a loop that counts up to a limit, in steps that all threads share; or nil.
func (s *strider) counterOf(def *Assign, l *For) (i *Var, limit, step Expr) {
	i, whole := assigned(def.L[0])
	if len(def.L) != 1 || !def.Def || i == nil || !whole || i.addr || i.In != l || !types.Identical(i.Type.Underlying(), intType) ||
		len(l.Pre) > 0 || len(l.Post) != 1 || l.continues || l.breaks {
		return nil, nil, nil
	}
	c, ok := l.Cond.(*Binary)
	if !ok || c.Op != token.LSS || !sameExpr(c.X, &VarRef{i}) || !s.steady(c.Y) || useOf(l.Body).written[i] {
		return nil, nil, nil
	}
	post, ok := l.Post[0].(*Assign)
	if !ok || len(post.L) != 1 {
		return nil, nil, nil
	}
	sum, ok := post.R.(*Binary)
	if w, whole := assigned(post.L[0]); !ok || w != i || !whole || sum.Op != token.ADD || !sameExpr(sum.X, &VarRef{i}) || !s.steady(sum.Y) {
		return nil, nil, nil
	}
	return i, c.Y, sum.Y
}

// allDefine reports whether all statements of list are definitions.
func allDefine(list []Stmt) bool {
	return !slices.ContainsFunc(list, func(s Stmt) bool { a, ok := s.(*Assign); return !ok || !a.Def })
}

// divide makes rows of as many elements as the divisor, up to a limit. It reports whether that is possible.
func (s *strider) divide(limit Expr) bool {
	n, known := constInt(limit)
	by, isConst := constInt(s.by)
	if known && isConst {
		s.x, s.y = s.by, intExpr(n/max(by, 1))
		return by > 0 && n%by == 0
	}
	one := s.by
	if !isConst {
		one = &Call{Name: "max", Args: []Expr{s.by, intExpr(1)}, T: intType, Pure: true}
		s.conds = append(s.conds, &Binary{token.GTR, s.by, intExpr(0), boolType})
	} else if by <= 0 {
		return false
	}
	s.conds = append(s.conds, &Binary{token.EQL, &Binary{token.REM, limit, one, intType}, intExpr(0), boolType})
	s.x, s.y = s.by, &Binary{token.QUO, limit, one, intType}
	return true
}

// equal adds the condition that x is y.
func (s *strider) equal(x, y Expr) {
	if !sameExpr(x, y) {
		s.conds = append(s.conds, &Binary{token.EQL, x, y, boolType})
	}
}

// mentions reports whether a body uses the thread's index along an axis, directly or by other variables.
func (s *strider) mentions(list []Stmt, axis int) bool {
	found := false
	eachExprIn(list, func(e Expr) {
		if r, isVar := e.(*VarRef); isVar && (r.V.Param || s.uniform(r.V)) {
			return
		}
		switch e.(type) {
		case *VarRef, *Rank, *Index3:
			walkExpr(s.lookThrough(e), func(x Expr) {
				i, isIndex := x.(*Index3)
				found = found || isIndex && i.Of == threadIdx && i.Axis == axis
			})
		}
	})
	return found
}

// index reports whether an integer is the thread's index along x or y, or its number in a block with rows of width
// threads, plus start.
func (s *strider) index(e Expr) (along int, start, width Expr, ok bool) {
	if mayPanic(e) || loads(e) {
		return 0, nil, nil, false
	}
	c := &spelling{}
	x, y, dim := c.expr(&Index3{threadIdx, 0}), c.expr(&Index3{threadIdx, 1}), c.expr(&Index3{blockDim, 0})
	p := c.poly(e)
	byX, rest, okX := p.by(x)
	byY, rest, okY := rest.by(y)
	if c.unknown || !okX || !okY {
		return 0, nil, nil, false
	}
	for m := range rest {
		if strings.Contains(m, x) || strings.Contains(m, y) {
			return 0, nil, nil, false
		}
	}
	start = atThread0(e)
	if len(rest) == 0 {
		start = intExpr(0)
	} else if n, isConst := rest.constant(); isConst {
		start = intExpr(n)
	}
	if !s.steady(start) {
		return 0, nil, nil, false
	}
	one := number(1).key()
	switch {
	case byX.key() == one && len(byY) == 0:
		return 0, start, nil, true
	case len(byX) == 0 && byY.key() == one:
		return 1, start, nil, true
	case byX.key() == one && byY.key() == (poly{dim: 1}).key():
		return 2, start, &Index3{blockDim, 0}, true
	case byX.key() == one:
		if n, isConst := byY.constant(); isConst && n > 0 {
			return 2, start, intExpr(n), true
		}
	}
	return 0, nil, nil, false
}

// divisor returns what a body divides its counter by, or nil.
func (s *strider) divisor(list []Stmt, i *Var) (by Expr) {
	eachExprIn(list, func(e Expr) {
		if _, _, y, ok := s.divided(e, i); ok && by == nil {
			by = y
		}
	})
	return by
}
