package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
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

// mostCollapsed is the largest number of elements, which one call goes through.
const mostCollapsed = 1 << 16

// A space is the rows and threads of a region that has others than the block.
type space struct {
	x, y Expr
	near bool // only worthwhile if the elements of neighbours are neighbours
	pass string
}

// collapse applies the pass to the statements in list that do not control the block.
func (f *fissioner) collapse(list []Stmt) []Stmt {
	if f.k.wide || f.k.tall {
		return list
	}
	var out []Stmt
	free := func(i int) bool { // of what ends a region
		_, isAlloc := list[i].(*Alloc)
		return !isAlloc && !f.block[list[i]] && !isMeeting(list[i])
	}
	for i := 0; i < len(list); i++ {
		s := list[i]
		if free(i) && (i == 0 || !free(i-1)) && !slices.Contains(f.k.options.Off, "planes") {
			end := i
			for end < len(list) && free(end) {
				end++
			}
			if c := f.folded(list[i:end]); c != nil {
				out = append(out, c)
				i = end - 1
				continue
			}
		}
		if f.block[s] {
			substmtsOf(s, f.collapse)
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

// substmtsOf applies change to the lists in a statement that controls the block.
func substmtsOf(s Stmt, change func([]Stmt) []Stmt) {
	switch s := s.(type) {
	case *If:
		s.Then, s.Else = change(s.Then), change(s.Else)
	case *For:
		s.Body = change(s.Body)
	case *Block:
		s.Body = change(s.Body)
	}
}

// cuts reports whether list can be cut before the statements from begin to end and behind them: no variable of a
// thread lives across, except those that each region computes anew.
func (f *fissioner) cuts(list []Stmt, begin, end int) bool {
	once := f.doneOnce(f.k.Body)
	anew := func(v *Var) bool { return v.value != nil || once[v] }
	from, to := begin, end
	ends := func(s Stmt) bool {
		_, isAlloc := s.(*Alloc)
		return isAlloc || f.block[s] || isMeeting(s)
	}
	for from > 0 && !ends(list[from-1]) {
		from--
	}
	for to < len(list) && !ends(list[to]) {
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

// A strider collapses one loop.
type strider struct {
	f       *fissioner
	conds   []Expr       // under which the collapsed form is right
	x, y    Expr         // the rows and threads
	counter map[*Var]int // counters: along x 0, along y 1, through both 2
	from    map[*Var]Expr
	shared  map[*Var]bool
	by      Expr // the divisor of a counter through both, or nil
	thread  *Var // stands for the thread's index, if that is what is divided; see folded
	single  bool // the divisor is 1
}

func (f *fissioner) newStrider() *strider {
	return &strider{f: f, counter: map[*Var]int{}, from: map[*Var]Expr{}, shared: f.k.inShared()}
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
	if !ok || !s.independent(body, locals) {
		return nil
	}
	return s.branch(body, list, locals)
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

// branch returns the branch between the collapsed form of list and list.
func (s *strider) branch(body, list []Stmt, locals map[*Var]*Var) *If {
	k := s.f.k
	for _, v := range k.Vars {
		if locals[v] != nil {
			k.Vars = append(k.Vars, locals[v])
		}
	}
	dim := func(axis int) Expr { return &Index3{blockDim, axis} }
	most := intExpr(mostCollapsed)
	at := func(x Expr, op token.Token, y Expr) Expr { return &Binary{op, x, y, boolType} }
	conds := []Expr{at(dim(2), token.EQL, intExpr(1))}
	for _, side := range []Expr{s.x, s.y, &Binary{token.MUL, s.x, s.y, intType}} {
		conds = append(conds, at(side, token.LEQ, most))
	}
	for _, x := range s.conds {
		if !slices.ContainsFunc(conds, func(y Expr) bool { return sameExpr(x, y) }) {
			conds = append(conds, x)
		}
	}
	conds = slices.DeleteFunc(conds, holds)
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

// enter finds the counters of list, which is a loop behind the definition of its counter, or a guard. It returns the
// body, or nil.
func (s *strider) enter(list []Stmt, inner bool) (body []Stmt, counters int) {
	if len(list) == 1 {
		guard, ok := list[0].(*If)
		if !ok || len(guard.Else) > 0 {
			return nil, 0
		}
		c, ok := guard.Cond.(*Binary)
		if !ok || c.Op != token.LSS || !types.Identical(c.X.Type().Underlying(), intType) || !s.steady(c.Y) {
			return nil, 0
		}
		id := s.lookThrough(c.X)
		along, start, width, ok := s.index(id)
		if !ok || along != 2 || !isConstant(start, 0) {
			return nil, 0
		}
		threads := &Binary{token.MUL, &Index3{blockDim, 0}, &Index3{blockDim, 1}, intType}
		s.conds = append(s.conds, &Binary{token.EQL, &Index3{blockDim, 0}, width, boolType},
			&Binary{token.LEQ, c.Y, threads, boolType})
		s.x, s.y = c.Y, intExpr(1)
		return guard.Then, 1 << 2
	}
	def, l := list[0].(*Assign), list[1].(*For)
	i, whole := assigned(def.L[0])
	if len(def.L) != 1 || i == nil || !whole || i.addr || !types.Identical(i.Type.Underlying(), intType) ||
		len(l.Pre) > 0 || len(l.Post) != 1 || l.continues || l.breaks {
		return nil, 0
	}
	c, ok := l.Cond.(*Binary)
	if !ok || c.Op != token.LSS || !sameExpr(c.X, &VarRef{i}) || !s.steady(c.Y) || useOf(l.Body).written[i] {
		return nil, 0
	}
	post, ok := l.Post[0].(*Assign)
	if !ok || len(post.L) != 1 {
		return nil, 0
	}
	sum, ok := post.R.(*Binary)
	if w, whole := assigned(post.L[0]); !ok || w != i || !whole || sum.Op != token.ADD || !sameExpr(sum.X, &VarRef{i}) || !s.steady(sum.Y) {
		return nil, 0
	}
	along, start, width, ok := s.index(s.lookThrough(def.R))
	if !ok {
		return nil, 0
	}
	extent := c.Y
	if !isConstant(start, 0) {
		extent = &Binary{token.SUB, c.Y, start, intType}
	}
	dim := func(axis int) Expr { return &Index3{blockDim, axis} }
	equal := func(x, y Expr) {
		if !sameExpr(x, y) {
			s.conds = append(s.conds, &Binary{token.EQL, x, y, boolType})
		}
	}
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
		equal(sum.Y, dim(0))
		s.x = extent
	case 1:
		equal(sum.Y, dim(1))
		s.y = extent
		// the body may be the other loop, behind definitions
		if n := len(l.Body); n >= 2 {
			def, isDef := l.Body[n-2].(*Assign)
			inner, isLoop := l.Body[n-1].(*For)
			if isDef && def.Def && isLoop {
				for _, x := range l.Body[:n-2] {
					if a, ok := x.(*Assign); !ok || !a.Def {
						return nil, 0
					}
				}
				body, along := s.enter([]Stmt{def, inner}, true)
				if body == nil || along != 1<<0 {
					return nil, 0
				}
				return slices.Concat(l.Body[:n-2], body), 1<<0 | 1<<1
			}
		}
	case 2:
		equal(dim(0), width)
		equal(sum.Y, &Binary{token.MUL, dim(0), dim(1), intType})
		s.x, s.y = extent, intExpr(1)
		s.by = s.divisor(l.Body, i)
		if s.by == nil {
			break
		}
		if !isConstant(start, 0) {
			return nil, 0
		}
		n, known := constInt(c.Y)
		by, isConst := constInt(s.by)
		switch {
		case !isConst:
			s.conds = append(s.conds, &Binary{token.GTR, s.by, intExpr(0), boolType})
			fallthrough
		case !known:
			one := Expr(&Call{Name: "max", Args: []Expr{s.by, intExpr(1)}, T: intType, Pure: true})
			if isConst {
				one = s.by
			}
			s.conds = append(s.conds, &Binary{token.EQL, &Binary{token.REM, c.Y, one, intType}, intExpr(0), boolType})
			s.x, s.y = s.by, &Binary{token.QUO, c.Y, one, intType}
		case by <= 0 || n%by != 0:
			return nil, 0
		default:
			s.x, s.y = s.by, intExpr(n/by)
		}
	}
	if anyStmt(l.Body, func(x Stmt) bool { _, isLoop := x.(*For); return isLoop }) {
		return nil, 0
	}
	return l.Body, 1 << along
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

// uniform reports whether a variable is the same for all threads of a block, in a region.
func (s *strider) uniform(v *Var) bool {
	return v.Shape.uniform() && !v.addr
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
		if strings.Contains(m, x) || strings.Contains(m, y) || strings.Contains(m, "ThreadIdx") {
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
	if s.single {
		quotient, remainder = tx, intExpr(0)
	} else if s.by != nil {
		number = ints(ints(ty, token.MUL, s.by), token.ADD, tx)
	}
	var in func(e Expr) Expr
	in = func(e Expr) Expr {
		if s.single && e != nil && sameExpr(e, s.by) {
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
	out = mapTopDown(body, in)
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

// mapTopDown returns a copy of list, whose statements are assignments and branches, with change applied to whole
// expressions. Others are left out.
func mapTopDown(list []Stmt, change func(Expr) Expr) (out []Stmt) {
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
			y.Cond, y.Then, y.Else = change(x.Cond), mapTopDown(x.Then, change), mapTopDown(x.Else, change)
			out = append(out, &y)
		}
	}
	return out
}

// interior returns a body in which clamps of indices, and branches at the edges of an array, are decided for all
// elements alike, under conditions, which it adds.
func (s *strider) interior(list []Stmt, value map[*Var]Expr) (out []Stmt) {
	unclamped := func(e Expr) Expr {
		return mapExpr(e, func(e Expr) Expr {
			c, ok := e.(*Call)
			if !ok || c.Fn != nil || c.Name != "min" && c.Name != "max" || len(c.Args) != 2 || !types.Identical(c.T.Underlying(), intType) {
				return e
			}
			op := token.LEQ
			if c.Name == "max" {
				op = token.GEQ
			}
			for i, x := range c.Args {
				if conds := s.everywhere(inlined(x, value), op, c.Args[1-i]); conds != nil {
					s.conds = append(s.conds, conds...)
					return x
				}
			}
			return e
		})
	}
	for _, st := range list {
		switch x := st.(type) {
		case *Assign:
			y := *x
			y.R = unclamped(x.R)
			y.L = slices.Clone(x.L)
			for i, l := range y.L {
				if to, isIndex := l.(*Index); isIndex {
					z := *to
					z.I = unclamped(to.I)
					y.L[i] = &z
				}
			}
			if v, whole := assigned(y.L[0]); v != nil && whole && len(y.L) == 1 {
				value[v] = inlined(y.R, value)
			}
			out = append(out, &y)
		case *If:
			if taken, conds := s.decided(x, inlined(x.Cond, value)); conds != nil {
				s.conds = append(s.conds, conds...)
				out = append(out, s.interior(taken, value)...)
				continue
			}
			y := *x
			y.Cond = unclamped(x.Cond)
			y.Then, y.Else = s.interior(x.Then, maps.Clone(value)), s.interior(x.Else, maps.Clone(value))
			out = append(out, &y)
			maps.DeleteFunc(value, func(v *Var, _ Expr) bool { return assignedIn(x)[v] })
		}
	}
	return out
}

// loadsOutside reports whether a list loads elements of arrays that are not shared.
func (s *strider) loadsOutside(list []Stmt) bool {
	found := false
	eachExprIn(list, func(e Expr) {
		if x, isIndex := e.(*Index); isIndex {
			r, isVar := s.arrayOf(x).(*VarRef)
			found = found || isVar && !s.shared[r.V]
		}
	})
	return found
}

// decided returns the arm of a branch that all elements take away from the edges of arrays, and the conditions under
// which they do; nil if it does not know any. That is the only arm that loads from arrays, or else the one of indices
// between 0 and a limit.
func (s *strider) decided(x *If, cond Expr) (taken []Stmt, conds []Expr) {
	then, els := s.loadsOutside(x.Then), s.loadsOutside(x.Else)
	if then || !els {
		if conds := s.always(cond, then == els); conds != nil {
			return x.Then, conds
		}
	}
	if els || !then {
		if conds := s.always(not(cond), then == els); conds != nil {
			return x.Else, conds
		}
	}
	return nil, nil
}

// always returns conditions under which comparisons that are combined by && hold for all elements, or nil. If inside,
// they must be those of indices within an array.
func (s *strider) always(cond Expr, inside bool) []Expr {
	c, ok := cond.(*Binary)
	if !ok {
		return nil
	}
	switch c.Op {
	case token.LAND:
		x, y := s.always(c.X, inside), s.always(c.Y, inside)
		if x == nil || y == nil {
			return nil
		}
		return append(x, y...)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		e, op, limit := c.X, c.Op, c.Y
		if s.steadySides(e) {
			e, op, limit = c.Y, map[token.Token]token.Token{token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ}[op], c.X
		}
		n, isConst := constInt(limit)
		if low := isConst && n <= 0; !types.Identical(e.Type().Underlying(), intType) || inside && low != (op == token.GTR || op == token.GEQ) {
			return nil
		}
		return s.everywhere(e, op, limit)
	}
	return nil
}

// mostStep is the largest difference between neighbours of an index that is compared, so that it can't wrap around
// within a space.
const mostStep = 8

// everywhere returns conditions under which a comparison of an index with a uniform limit holds for all elements, or
// nil.
func (s *strider) everywhere(e Expr, op token.Token, limit Expr) []Expr {
	if !s.steadySides(limit) {
		return nil
	}
	c := &spelling{}
	x, y := c.expr(&Index3{threadIdx, 0}), c.expr(&Index3{threadIdx, 1})
	byX, rest, okX := c.poly(e).by(x)
	byY, rest, okY := rest.by(y)
	for m := range rest {
		okX = okX && !strings.Contains(m, x) && !strings.Contains(m, y)
	}
	if c.unknown || !okX || !okY || len(byX)+len(byY) == 0 {
		return nil
	}
	var first, last [2]Expr // the index of the thread for the least and for the largest value
	for i, p := range []poly{byX, byY} {
		n, isConst := p.constant()
		if len(p) > 0 && (!isConst || max(n, -n) > mostStep) {
			return nil
		}
		first[i], last[i] = intExpr(0), Expr(&Binary{token.SUB, []Expr{s.x, s.y}[i], intExpr(1), intType})
		if size, isConst := constInt([]Expr{s.x, s.y}[i]); isConst {
			last[i] = intExpr(size - 1)
		}
		if n < 0 {
			first[i], last[i] = last[i], first[i]
		}
	}
	least, most := atThread(e, first[0], first[1]), atThread(e, last[0], last[1])
	if !s.steadySides(least) || !s.steadySides(most) {
		return nil
	}
	rel := func(x Expr, op token.Token, y Expr) Expr { return &Binary{op, x, y, boolType} }
	conds := []Expr{rel(least, token.GEQ, intExpr(-mostPlaced)), rel(least, token.LEQ, intExpr(mostPlaced))}
	if op == token.LSS || op == token.LEQ {
		return append(conds, rel(most, op, limit))
	}
	return append(conds, rel(least, op, limit))
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

// independent reports whether no two elements of a body depend on each other, perhaps under conditions, which it adds.
func (s *strider) independent(body []Stmt, locals map[*Var]*Var) bool {
	mine := map[*Var]bool{}
	for _, v := range locals {
		mine[v] = true
	}
	ok := true
	type access struct{ to, index Expr }
	var stored, loaded []access
	defined := map[*Var]bool{}
	var inShared, outside bool // stores
	var visit func(list []Stmt, value map[*Var]Expr)
	load := func(e Expr, value map[*Var]Expr) {
		walkExpr(e, func(x Expr) {
			switch x := x.(type) {
			case *Index:
				if to := s.arrayOf(x); to != nil {
					loaded = append(loaded, access{to, inlined(x, value)})
				} else {
					ok = false
				}
			case *Deref, *Addr:
				ok = false
			case *Call:
				ok = ok && x.Pure
			case *VarRef:
				ok = ok && (!mine[x.V] || defined[x.V])
			}
		})
	}
	visit = func(list []Stmt, value map[*Var]Expr) {
		for _, st := range list {
			switch x := st.(type) {
			case *Assign:
				if len(x.L) != 1 || x.L[0] == nil {
					ok = false
					return
				}
				load(x.R, value)
				if v, whole := assigned(x.L[0]); v != nil {
					if !whole || !mine[v] || v.addr || !basic(v.Type) {
						ok = false
						return
					}
					ok = ok && (x.Def || defined[v])
					value[v] = inlined(x.R, value)
					defined[v] = true
					continue
				}
				to, isIndex := x.L[0].(*Index)
				if !isIndex {
					ok = false
					return
				}
				for e := Expr(to); ; {
					i, isIndex := e.(*Index)
					if !isIndex {
						break
					}
					load(i.I, value)
					e = i.X
				}
				root, isVar := s.arrayOf(to).(*VarRef)
				if !isVar {
					ok = false
					return
				}
				inShared, outside = inShared || s.shared[root.V], outside || !s.shared[root.V]
				stored = append(stored, access{root, inlined(to, value)})
			case *If:
				load(x.Cond, value)
				visit(x.Then, maps.Clone(value))
				visit(x.Else, maps.Clone(value))
				maps.DeleteFunc(value, func(v *Var, _ Expr) bool { return assignedIn(x)[v] })
			default:
				ok = false
			}
		}
	}
	visit(body, map[*Var]Expr{})
	if !ok || len(stored) == 0 || inShared && outside {
		return false
	}
	for _, a := range stored {
		for _, b := range stored {
			same := sameExpr(a.to, b.to)
			if same && !sameExpr(a.index, b.index) || !same && !(s.own(a.to) && s.own(b.to)) {
				return false
			}
		}
		changes := false
		walkExpr(a.index, func(e Expr) {
			r, isVar := e.(*VarRef)
			changes = changes || isVar && mine[r.V]
		})
		if changes || !s.apart(a.index.(*Index)) {
			return false
		}
	}
	for _, l := range loaded {
		root, isVar := l.to.(*VarRef)
		if !isVar { // a table of the package
			if outside {
				return false
			}
			continue
		}
		same := slices.ContainsFunc(stored, func(a access) bool {
			return sameExpr(a.to, root) && sameExpr(a.index, l.index)
		})
		if !same && s.shared[root.V] == inShared {
			return false
		}
	}
	return true
}

// own reports whether a variable is a shared array that has no memory in common with others.
func (s *strider) own(e Expr) bool {
	r, isVar := e.(*VarRef)
	return isVar && anyStmt(s.f.k.Body, func(x Stmt) bool { a, ok := x.(*Alloc); return ok && a.Dst == r.V && a.N != nil })
}

// arrayOf returns the variable, or the package's table, that an element is in, or nil. Of a variable that holds a part
// of a parameter, it is the parameter.
func (s *strider) arrayOf(e Expr) Expr {
	for {
		switch x := e.(type) {
		case *Index:
			e = x.X
		case *Field:
			e = x.X
		case *Slice:
			e = x.X
		case *VarRef:
			if x.V.Param || s.shared[x.V] {
				return x
			}
			if e = s.f.single(x.V); e == nil {
				return nil
			}
		case *Global:
			return x
		default:
			return nil
		}
	}
}

// apart reports whether different threads of the space access different elements, perhaps under a condition, which it
// adds.
func (s *strider) apart(e *Index) bool {
	c := &spelling{}
	x, y := c.expr(&Index3{threadIdx, 0}), c.expr(&Index3{threadIdx, 1})
	var along [2][]poly // the coefficients of each index, the last one first
	for at := e; ; {
		p := c.poly(at.I)
		byX, rest, okX := p.by(x)
		byY, rest, okY := rest.by(y)
		if !okX || !okY || c.unknown {
			return false
		}
		for m := range rest {
			if strings.Contains(m, x) || strings.Contains(m, y) {
				return false
			}
		}
		along[0], along[1] = append(along[0], byX), append(along[1], byY)
		in, isRow := at.X.(*Index)
		if !isRow {
			break
		}
		at = in
	}
	oneRow := isConstant(s.y, 1)
	fixed := func(p poly) bool { n, ok := p.constant(); return ok && n != 0 }
	switch {
	case oneRow:
		return slices.ContainsFunc(along[0], fixed)
	case len(along[0]) == 2:
		for i := range 2 {
			if fixed(along[0][i]) && len(along[1][i]) == 0 && len(along[0][1-i]) == 0 && fixed(along[1][1-i]) {
				return true
			}
		}
		return false
	case len(along[0]) != 1 || len(along[0][0]) == 0 || len(along[1][0]) == 0:
		return false
	}
	// a*x + b*y: all of a row lies before the next one, or all of a column
	step := func(p poly, tx, ty int64) Expr {
		if n, ok := p.constant(); ok {
			return intExpr(n)
		}
		return &Binary{token.SUB, atThread(e.I, intExpr(tx), intExpr(ty)), atThread0(e.I), intType}
	}
	a, b := step(along[0][0], 1, 0), step(along[1][0], 0, 1)
	if !s.steadySides(a) || !s.steadySides(b) {
		return false
	}
	rel := func(x Expr, op token.Token, y Expr) Expr { return &Binary{op, x, y, boolType} }
	for _, e := range []Expr{a, b} {
		if _, isConst := constInt(e); !isConst {
			s.conds = append(s.conds, rel(e, token.LEQ, intExpr(mostPlaced)))
		}
	}
	rows := conjunction([]Expr{rel(a, token.GTR, intExpr(0)), rel(&Binary{token.MUL, a, s.x, intType}, token.LEQ, b)})
	columns := conjunction([]Expr{rel(b, token.GTR, intExpr(0)), rel(&Binary{token.MUL, b, s.y, intType}, token.LEQ, a)})
	s.conds = append(s.conds, rel(rows, token.LOR, columns))
	return true
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
