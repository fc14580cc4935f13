package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"math/bits"
	"slices"
)

// Guards that return before a barrier (pass guardreturns), as in
//
//	i := t.GlobalX()
//	if i >= n {
//		return
//	}
//	tile[t.ThreadIdx.X] = x[i]
//	t.SyncThreads()
//
// Behind such a guard each phase has to know which threads are left, and so has each phase inside of `if i < n {...}`
// with a barrier or warp operations. But in most blocks all threads pass. So what follows is emitted twice (loop
// versioning). A branch asks, once for the block, whether the guard lets all of its threads pass. The condition of the
// branch is made of bounds of the compared values over the threads of the block (interval arithmetic; Moore, 1966).

// mostGuarded is the largest number of statements that are emitted twice.
const mostGuarded = 400

// guardReturns makes these branches.
func (k *Kernel) guardReturns() {
	k.shapes()
	k.returningGuards()
	for i, s := range k.Body {
		c, ok := s.(*If)
		if !ok || c.whole || len(c.Else) > 0 || !anyStmt(c.Then, isMeeting) || tooMany(c.Then) || returnsEarly(append(slices.Clip(c.Then), k.Body[i+1:]...)) {
			continue
		}
		g := &passed{f: &fissioner{k: k}}
		if mayPanic(c.Cond) || loads(c.Cond) || blockWide(c.Cond) {
			continue
		}
		conds, ok := g.all(c.Cond)
		if conds = eachOnce(conds); ok && len(conds) > 0 {
			k.Body[i] = &If{Cond: conjunction(conds), Then: k.renamed(c.Then), Else: []Stmt{c}, Pos: c.Pos, whole: true}
		}
	}
}

// tooMany reports whether list is too long to be emitted twice.
func tooMany(list []Stmt) bool {
	many := 0
	walk(list, func(Stmt) { many++ })
	return many > mostGuarded
}

// returningGuards makes the branch for guards that return.
func (k *Kernel) returningGuards() {
	returns := func(s Stmt) bool { e, ok := s.(*Exit); return ok && e.To == nil }
	first := slices.IndexFunc(k.Body, func(s Stmt) bool { return anyStmt([]Stmt{s}, returns) })
	if first < 0 {
		return
	}
	g := &passed{f: &fissioner{k: k}}
	end := first // behind the last guard
	var ahead []Stmt
	for i := first; i < len(k.Body); i++ {
		if c, ok := k.Body[i].(*If); ok && g.passes(c) {
			end = i + 1
		} else if !movable(k.Body[i]) {
			break
		}
	}
	rest := k.Body[end:]
	conds := eachOnce(g.conds)
	if end == first || len(conds) == 0 || !anyStmt(rest, isMeeting) || returnsEarly(rest) || tooMany(rest) {
		return
	}
	// definitions between guards, and shared arrays, come before
	var guarded, tail []Stmt
	for i, s := range k.Body[first:] {
		_, isAlloc := s.(*Alloc)
		switch {
		case movable(s) && (isAlloc || i < end-first):
			ahead = append(ahead, s)
		case i < end-first:
			guarded = append(guarded, s)
		default:
			tail = append(tail, s)
		}
	}
	c := &If{Cond: conjunction(conds), Then: k.renamed(tail), Else: slices.Concat(guarded, tail), Pos: k.Body[first].Position(), whole: true}
	k.Body = slices.Concat(k.Body[:first], ahead, []Stmt{c})
}

// movable reports whether a statement at the top of a kernel may come before a guard that returns: the definition of
// what can be computed without harm, or a shared array of constant length.
func movable(s Stmt) bool {
	switch s := s.(type) {
	case *Assign:
		return s.Def && len(s.L) == 1 && s.L[0] != nil && basic(s.R.Type()) && !mayPanic(s.R) && !loads(s.R)
	case *Alloc:
		if s.N == nil {
			return true
		}
		n, ok := constInt(s.N)
		return ok && n >= 0
	}
	return false
}

// returnsEarly reports whether a thread may return in list before a barrier or a warp operation.
func returnsEarly(list []Stmt) bool {
	seen := false
	for _, s := range list {
		meets := anyStmt([]Stmt{s}, isMeeting)
		if meets && seen {
			return true
		}
		if anyStmt([]Stmt{s}, func(x Stmt) bool { e, ok := x.(*Exit); return ok && e.To == nil }) {
			if meets {
				return true
			}
			seen = true
		}
	}
	return false
}

// renamed returns a copy of list, which has variables of its own for those that list defines.
func (k *Kernel) renamed(list []Stmt) []Stmt {
	defined := definedIn(list)
	as := map[*Var]*Var{}
	var made []*Var
	for _, v := range k.Vars {
		if defined[v] {
			n := *v
			n.Name = uniqueName(k.names, v.Name)
			as[v] = &n
			made = append(made, &n)
		}
	}
	copies := map[Stmt]Stmt{}
	out := mapInto(list, func(e Expr) Expr {
		if r, ok := e.(*VarRef); ok && as[r.V] != nil {
			return &VarRef{as[r.V]}
		}
		return e
	}, copies)
	walk(out, func(s Stmt) {
		switch s := s.(type) {
		case *Barrier:
			s.Dst = renamedVar(as, s.Dst)
		case *Warp:
			s.Dst, s.All = renamedVar(as, s.Dst), renamedVar(as, s.All)
		case *Alloc:
			s.Dst = renamedVar(as, s.Dst)
		}
	})
	for _, v := range made {
		if in, ok := copies[v.In].(*For); ok {
			v.In = in
		}
	}
	for _, s := range copies {
		if in, ok := s.(*For); ok {
			if outer, ok := copies[in.outer].(*For); ok {
				in.outer = outer
			}
		}
	}
	k.Vars = append(k.Vars, made...)
	return out
}

func renamedVar(as map[*Var]*Var, v *Var) *Var {
	if n := as[v]; n != nil {
		return n
	}
	return v
}

// A passed collects the conditions under which all threads of a block pass the guards.
type passed struct {
	f     *fissioner
	conds []Expr
}

// passes adds the conditions under which no thread takes the return at the end of c. It reports whether c is such a
// guard, and there are conditions.
func (g *passed) passes(c *If) bool {
	if len(c.Else) > 0 || len(c.Then) == 0 || anyStmt(c.Then, isMeeting) || blockWide(c.Cond) || mayPanic(c.Cond) || loads(c.Cond) {
		return false
	}
	if e, ok := c.Then[len(c.Then)-1].(*Exit); !ok || e.To != nil {
		return false
	}
	conds, ok := g.all(not(c.Cond))
	if ok {
		g.conds = append(g.conds, conds...)
	}
	return ok
}

// all returns conditions of the block under which cond holds for all of its threads.
func (g *passed) all(cond Expr) ([]Expr, bool) {
	if blockWide(cond) {
		return []Expr{cond}, true
	}
	switch x := cond.(type) {
	case *VarRef:
		if one := g.f.single(x.V); one != nil && g.f.threadOnly(one) && !mayPanic(one) {
			return g.all(one)
		}
	case *Unary:
		if x.Op == token.NOT {
			if r, ok := x.X.(*VarRef); ok {
				if one := g.f.single(r.V); one != nil && g.f.threadOnly(one) && !mayPanic(one) {
					return g.all(not(one))
				}
			}
		}
	case *Binary:
		if x.Op == token.LAND || x.Op == token.LOR {
			a, okA := g.all(x.X)
			b, okB := g.all(x.Y)
			switch {
			case x.Op == token.LAND:
				return append(a, b...), okA && okB
			case okA && okB:
				return []Expr{&Binary{token.LOR, conjunction(a), conjunction(b), boolType}}, true
			case okA:
				return a, true
			}
			return b, okB
		}
		return g.compared(x)
	}
	return nil, false
}

// compared is all for a comparison.
func (g *passed) compared(c *Binary) ([]Expr, bool) {
	b := bounder{f: g.f}
	x, okX := b.number(c.X)
	y, okY := b.number(c.Y)
	if !okX || !okY {
		return nil, false
	}
	at := func(x Expr, op token.Token, y Expr) Expr { return &Binary{op, x, y, boolType} }
	conds := b.conds
	for _, v := range []interval{x, y} {
		if !v.bounded && v.spread > 0 { // it must not wrap around on its way
			conds = append(conds, at(v.low, token.LEQ, v.high))
		}
	}
	switch c.Op {
	case token.LSS, token.LEQ:
		return append(conds, at(x.high, c.Op, y.low)), true
	case token.GTR, token.GEQ:
		return append(conds, at(x.low, c.Op, y.high)), true
	case token.NEQ:
		return append(conds, at(at(x.high, token.LSS, y.low), token.LOR, at(x.low, token.GTR, y.high))), true
	}
	return nil, false
}

// An interval has the least and the largest value of an int among the threads of a block.
type interval struct {
	low, high Expr
	// The values of all threads lie within 2^spread of each other, modulo 2^64. If it is bounded, they are below
	// 2^spread in absolute value.
	spread  int
	bounded bool
}

// mostSpread bounds the distance of values, so that the sum of two does not wrap around.
const mostSpread = 60

// A bounder finds intervals. Its conditions are those under which they are right.
type bounder struct {
	f     *fissioner
	conds []Expr
}

// number returns the interval of a signed integer of 64 bits, or of one of 32 bits as an int.
func (b *bounder) number(e Expr) (interval, bool) {
	t, ok := e.Type().Underlying().(*types.Basic)
	if !ok {
		return interval{}, false
	}
	switch t.Kind() {
	case types.Int, types.UntypedInt:
		return b.of(e, false)
	case types.Int32, types.Uint32:
		return b.of(&Convert{e, intType}, false)
	}
	return interval{}, false
}

// of returns the interval of an int. Within says that e is the value of a variable, which was computed before.
func (b *bounder) of(e Expr, within bool) (interval, bool) {
	dims := map[index3]int{blockIdx: 31, blockDim: 21, gridDim: 31}
	if blockWide(e) && !mayPanic(e) && (!within || b.f.threadOnly(e)) {
		v := interval{low: e, high: e}
		if i, ok := e.(*Index3); ok && dims[i.Of] > 0 {
			v.spread, v.bounded = dims[i.Of], true
		} else if n, ok := constInt(e); ok {
			v.spread, v.bounded = bits.Len64(uint64(max(n, -n))), true
		} else if x, ok := e.(*Binary); ok && x.Op == token.MUL {
			i, okI := b.of(x.X, within)
			j, okJ := b.of(x.Y, within)
			if okI && okJ && i.bounded && j.bounded {
				v.spread, v.bounded = i.spread+j.spread, true
			}
		}
		return v, v.spread <= mostSpread
	}
	two := func(x interval, op token.Token, y interval) interval {
		at := func(x, y Expr) Expr { return &Binary{op, x, y, intType} }
		return interval{at(x.low, y.low), at(x.high, y.high), max(x.spread, y.spread) + 1, x.bounded && y.bounded}
	}
	last := func(axes ...int) (all Expr) {
		for _, axis := range axes {
			if dim := Expr(&Index3{blockDim, axis}); all == nil {
				all = dim
			} else {
				all = &Binary{token.MUL, all, dim, intType}
			}
		}
		return &Binary{token.SUB, all, intExpr(1), intType}
	}
	switch x := e.(type) {
	case *VarRef:
		if one := b.f.single(x.V); one != nil && types.Identical(x.V.Type.Underlying(), intType) {
			return b.of(one, true)
		}
	case *Index3:
		if x.Of == threadIdx {
			return interval{intExpr(0), last(x.Axis), 21, true}, true
		}
	case *Rank:
		return interval{intExpr(0), last(0, 1, 2), 21, true}, true
	case *Convert:
		if !types.Identical(x.T.Underlying(), intType) {
			break
		}
		t, _ := x.X.Type().Underlying().(*types.Basic)
		if t == nil || t.Kind() != types.Int32 && t.Kind() != types.Uint32 {
			if t != nil && t.Kind() == types.Int {
				return b.of(x.X, within)
			}
			break
		}
		value, within := x.X, within
		for {
			r, isVar := value.(*VarRef)
			if !isVar || r.V.Shape.uniform() {
				break
			}
			if value, within = b.f.single(r.V), true; value == nil {
				return interval{}, false
			}
		}
		wide, ok := widened(value)
		if !ok {
			break
		}
		v, ok := b.of(wide, within)
		if !ok {
			break
		}
		least, most := int64(math.MinInt32), int64(math.MaxInt32)
		if t.Kind() == types.Uint32 {
			least, most = 0, math.MaxUint32
		}
		b.conds = append(b.conds,
			&Binary{token.LEQ, &Const{constant.MakeInt64(least), intType}, v.low, boolType},
			&Binary{token.LEQ, v.low, v.high, boolType},
			&Binary{token.LEQ, v.high, &Const{constant.MakeInt64(most), intType}, boolType})
		v.spread, v.bounded = min(v.spread, 32), true
		return v, true
	case *Binary:
		if !types.Identical(x.T.Underlying(), intType) {
			break
		}
		i, okI := b.of(x.X, within)
		j, okJ := b.of(x.Y, within)
		if x.Op == token.SHL || x.Op == token.SHR {
			j, okJ = interval{}, true
		}
		if !okI || !okJ {
			break
		}
		n, isConst := constInt(x.Y)
		var v interval
		switch x.Op {
		case token.ADD:
			v = two(i, token.ADD, j)
		case token.SUB:
			v = two(i, token.SUB, interval{j.high, j.low, j.spread, j.bounded})
		case token.MUL:
			if i.low == i.high {
				i, j = j, i
			}
			factor := j.low
			if j.low != j.high || !j.bounded || !b.positive(factor) {
				return interval{}, false
			}
			at := func(x Expr) Expr { return &Binary{token.MUL, x, factor, intType} }
			v = interval{at(i.low), at(i.high), i.spread + j.spread, i.bounded}
		case token.SHL:
			if !isConst || n < 0 || n > mostSpread {
				return interval{}, false
			}
			at := func(x Expr) Expr { return &Binary{token.SHL, x, intExpr(n), intType} }
			v = interval{at(i.low), at(i.high), i.spread + int(n), i.bounded}
		case token.QUO, token.SHR:
			if !i.bounded || !isConst || n < 0 || n == 0 && x.Op == token.QUO {
				return interval{}, false
			}
			at := func(y Expr) Expr { return &Binary{x.Op, y, x.Y, intType} }
			v = interval{at(i.low), at(i.high), i.spread, true}
		default:
			return interval{}, false
		}
		return v, v.spread <= mostSpread
	}
	return interval{}, false
}

// positive reports whether e, which is the same for all threads, is a constant or a size that is not negative.
func (b *bounder) positive(e Expr) bool {
	switch x := e.(type) {
	case *Const:
		n, ok := constInt(x)
		return ok && n >= 0
	case *Index3:
		return true
	case *Binary:
		return x.Op == token.MUL && b.positive(x.X) && b.positive(x.Y)
	}
	return false
}
