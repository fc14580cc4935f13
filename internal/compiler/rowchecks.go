package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// Row checks: bounds checks that are hoisted out of the loop over the threads of a row, and guards
// that become conditions of the row.

// rowChecks collects the conditions of a row while the second loop over its threads is printed (see
// view).
type rowChecks struct {
	*body

	falling bool // an index may fall as induction variables rise

	conds     []string        // conditions on the whole row that replace checks of each thread
	guards    []guard         // guards assumed to hold: the loop is over the threads for which they do
	required  map[string]bool // the conds so far, as a set
	when      []string        // enclosing conditions that are the same for the row
	ranges    map[*Var]Expr   // the exclusive upper bounds of induction variables that count from 0
	counters  map[*Var]*For   // the loops of these variables
	counting  []*Var          // the same variables, outermost first
	branches  int             // the number of enclosing branches whose condition is not assumed to hold
	elsewhere []string        // names of variables used in a branch that is not printed
}

// leaves reports whether s has an exit to a statement outside it.
func leaves(s Stmt) bool {
	inside := map[Stmt]bool{}
	walk([]Stmt{s}, func(x Stmt) { inside[x] = true })
	return anyStmt([]Stmt{s}, func(x Stmt) bool { e, ok := x.(*Exit); return ok && (e.To == nil || !inside[e.To]) })
}

// assume reports whether the condition of s may be assumed to hold in the second loop: s has no
// else, and the condition is about the thread's position in the grid, such as x < width-1, so it
// holds for most threads. The second loop is then over the threads for which the condition holds.
func (v *rowChecks) assume(s *If) bool {
	if len(s.Else) > 0 || v.branches > 0 {
		return false
	}
	gs, rest := splitGuards(s.Cond)
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
		case !inGrid && !g.mostly():
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

// mostly reports whether g is false only for the first few threads of a row, such as tid > 0.
func (g guard) mostly() bool {
	n, ok := constInt(g.limit)
	return ok && n <= 4 && (g.op == token.GTR || g.op == token.GEQ)
}

// rowGuard reports whether cond selects rows of the grid, such as y > 0 && y < height-1.
func (v *rowChecks) rowGuard(cond Expr) bool {
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

// steady reports whether e can be evaluated before the loop over the threads of a row, for any of
// its threads: the region changes none of its operands.
func (v *rowChecks) steady(e Expr) bool {
	if mayPanic(e) || loads(e) || hasVariable(e) {
		return false
	}
	written := useOf(v.r.stmts).written
	ok := true
	var visit func(e Expr)
	visit = func(e Expr) {
		walkExpr(e, func(x Expr) {
			if i, isIndex := x.(*Index3); isIndex && i.Of == warpInBlock {
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

// under adds cond, or with not its negation, to the enclosing conditions, if it is the same for the
// row: checks of the row are then required only where it holds. The returned func removes it.
func (v *rowChecks) under(cond Expr, not bool) func() {
	if shapeOf(cond)[0] != 0 || !v.steady(cond) {
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

// thenOnly reports whether only the first branch of s is printed in the second loop, because its
// else branch has loops that threads leave one by one, which only the first loop supports. The
// condition, which is uniform, becomes a condition of the row.
func (v *rowChecks) thenOnly(s *If) bool {
	if len(s.Else) == 0 || !shapeOf(s.Cond).uniform() || !v.steady(s.Cond) || !partingLoops(s.Else) || partingLoops(s.Then) {
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

// leftOut records that one use of w is not emitted. If w has no other use, useAll emits one, since
// Go rejects unused variables.
func (v *rowChecks) leftOut(w *Var) {
	part := v.body.part
	for v.body.part = range max(v.parts, 1) {
		v.elsewhere = append(v.elsewhere, v.name(w))
	}
	v.body.part = part
}

// partingLoops reports whether list contains a loop that threads leave in different iterations.
func partingLoops(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool { l, ok := s.(*For); return ok && l.parts[0] != 0 })
}

// counts reports whether s is a counted loop such as for i := 0; i < limit; i++, whose body does
// not assign i.
func (v *rowChecks) counts(s *For) (i *Var, limit Expr, ok bool) {
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
		return nil, nil, false // i may step over the limit and wrap around
	}
	if _, isConst := constInt(c.Y); !isConst && wide(r.V.Type) && unsigned(r.V.Type) {
		return nil, nil, false // the limit may exceed an int
	}
	if v.counted(c.Y) && v.bits(c.Y) > mostBits {
		return nil, nil, false
	}
	// The only other assignment is the one before the loop, of a constant that is not negative.
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

// growsWith reports whether e is i, or i plus loop-invariant terms.
func (b *body) growsWith(e Expr, i *Var) bool {
	switch x := e.(type) {
	case *VarRef:
		if x.V == i {
			return true
		}
		one := b.k.single[x.V]
		return one != nil && !x.V.common && b.growsWith(one, i)
	case *Binary:
		if x.Op != token.ADD {
			return false
		}
		left, right := b.countsWith(x.X, i), b.countsWith(x.Y, i)
		return left && !right && b.growsWith(x.X, i) || right && !left && b.growsWith(x.Y, i)
	}
	return false
}

// countsWith reports whether e depends on i; false if i is nil.
func (b *body) countsWith(e Expr, i *Var) bool {
	if i == nil {
		return false
	}
	found := false
	walkExpr(e, func(x Expr) {
		if r, ok := x.(*VarRef); ok {
			if one := b.k.single[r.V]; r.V == i || one != nil && b.countsWith(one, i) {
				found = true
			}
		}
	})
	return found
}

// narrowIndex removes conversions of integers of at most 32 bits from an index: Go indexes with any
// integer type.
func narrowIndex(e Expr) Expr {
	if c, ok := e.(*Convert); ok && wide(c.T) && (unsigned(c.X.Type()) || !unsigned(c.T)) {
		switch elem(c.X.Type()) {
		case "I32", "U32", "I16", "U16", "I8", "U8":
			return c.X
		}
	}
	return e
}

// hoistCheck hoists the bounds check of an index out of the loop over threads, if it can: the index
// is made of values known before that loop and of induction variables. hi is the number of threads,
// or "" for an index that is the same for all of them.
func (v *rowChecks) hoistCheck(l *Index, length, hi string) bool {
	if !v.knownSlice(l.X) {
		return false
	}
	if loads(l.I) || v.bits(l.I) > mostBits {
		return false
	}
	down, ok := v.rowWideIndex(l.I)
	if !ok {
		return false
	}
	low, high := v.extremes(l.I, hi != "", down)
	conds := []string{low + " >= 0", high + " < " + length}
	if hi != "" {
		conds = []string{low + "+lo >= 0", high + " <= " + length + "-hi"}
	}
	if low == "(0)" {
		conds = conds[1:] // lo is never negative
	}
	if low != high {
		// The range from low to high must not wrap around: trip counts are bounded, and low is not
		// large.
		conds = append(conds, low+" <= "+length)
		conds = append(conds, v.shortLoops()...)
	}
	for _, c := range conds {
		v.require(c)
	}
	return true
}

// knownSlice reports whether e is an array, or a slice that exists under the same name before the
// loop over the threads of a row.
func (v *rowChecks) knownSlice(e Expr) bool {
	if _, arr := e.Type().Underlying().(*types.Array); arr {
		return true
	}
	if r, ok := e.(*VarRef); ok && !r.V.Param && !r.V.common {
		return false
	}
	return simple(e) && v.rowWide(e)
}

// hoistSteps is hoistCheck for an index that grows by step along x, where step is neither 0 nor 1.
func (v *rowChecks) hoistSteps(l *Index, length string, step int64) bool {
	if !v.knownSlice(l.X) {
		return false
	}
	if loads(l.I) || v.bits(l.I) > mostBits || step <= -1<<20 || step >= 1<<20 {
		return false
	}
	down, ok := v.rowWideIndex(l.I)
	if !ok {
		return false
	}
	low, high := v.extremes(l.I, true, down)
	first, last := "lo", "(hi-1)"
	if step < 0 {
		first, last = last, first
	}
	// No index may wrap around between the first thread and the last.
	if step > 0 {
		v.require(high + " <= " + length)
	} else {
		v.require(low + " >= 0")
	}
	if low != high {
		v.require(low + " <= " + length)
		for _, c := range v.shortLoops() {
			v.require(c)
		}
	}
	v.require(fmt.Sprintf("%s+%d*%s >= 0", low, step, first))
	v.require(fmt.Sprintf("%s+%d*%s < %s", high, step, last, length))
	return true
}

// shortLoop is the largest trip count, and the largest factor, under which bits holds.
const shortLoop = 1 << 30

// mostBits bounds the part of an index that depends on induction variables, as a power of two.
// Neither that part nor its sum with an element's offset then wraps around.
const mostBits = 61

// bits returns the base-2 logarithm of a bound of the part of e that depends on induction
// variables, for trip counts and factors of at most shortLoop. It is 0 if there is no such part.
func (v *rowChecks) bits(e Expr) int {
	const many = 1000
	if !v.counted(e) {
		return 0
	}
	switch x := e.(type) {
	case *VarRef:
		if limit := v.ranges[x.V]; limit != nil {
			if n, ok := constInt(limit); ok && n >= 0 && n <= shortLoop {
				return max(1, bits.Len64(uint64(max(n-1, 0))))
			}
			return bits.Len64(shortLoop - 1)
		}
		if one := v.k.single[x.V]; one != nil {
			return v.bits(one)
		}
	case *Convert:
		return v.bits(x.X)
	case *Binary:
		a, b := v.bits(x.X), v.bits(x.Y)
		switch x.Op {
		case token.ADD, token.SUB:
			if a > 0 && b > 0 {
				return max(a, b) + 1
			}
			return max(a, b)
		case token.MUL:
			if a > 0 && b > 0 {
				return many
			}
			factor := x.X
			if a > 0 {
				factor = x.Y
			}
			if n, ok := constInt(factor); ok && n >= 0 {
				return a + b + bits.Len64(uint64(max(n-1, 0)))
			}
			return a + b + bits.Len64(shortLoop-1)
		}
	}
	return many
}

// shortLoops returns the conditions that the trip counts of the enclosing loops are at most
// shortLoop.
func (v *rowChecks) shortLoops() []string {
	var conds []string
	for _, w := range v.counting {
		if n, ok := constInt(v.ranges[w]); !ok || n > shortLoop {
			_, most := v.extremes(v.ranges[w], false, nil)
			conds = append(conds, fmt.Sprintf("%s <= %d", most, shortLoop))
		}
	}
	return conds
}

// hoistLimited is hoistCheck for an index whose type or mask bounds it by a constant.
func (v *rowChecks) hoistLimited(l *Index, length string) bool {
	n, ok := v.limit(l.I)
	if !ok || n >= 1<<20 {
		return false
	}
	if !v.knownSlice(l.X) {
		return false
	}
	v.require(fmt.Sprintf("%d < %s", n, length))
	return true
}

// limit returns an upper bound of the integer e, if e can't be negative.
func (v *rowChecks) limit(e Expr) (int64, bool) {
	switch x := e.(type) {
	case *VarRef:
		if one := v.k.single[x.V]; one != nil {
			if n, ok := v.limit(one); ok {
				return n, true
			}
		}
	case *Convert:
		n, ok := v.limit(x.X)
		if ok && isInteger(x.T) && n <= maxOf(x.T) {
			return n, true
		}
	case *Binary:
		switch x.Op {
		case token.AND:
			for _, y := range []Expr{x.X, x.Y} {
				if n, ok := constInt(y); ok && n >= 0 {
					return n, true
				}
			}
		case token.REM:
			if n, ok := constInt(x.Y); ok && n > 0 && unsigned(x.T) {
				return n - 1, true
			}
		case token.SHR:
			if k, ok := constInt(x.Y); ok && k >= 0 {
				if n, ok := v.limit(x.X); ok {
					return n >> min(k, 63), true
				}
			}
		}
	}
	switch elem(e.Type()) {
	case "U8", "U16", "U32":
		return maxOf(e.Type()), true
	}
	return 0, false
}

// maxOf is the greatest value of an integer type.
func maxOf(t types.Type) int64 {
	switch elem(t) {
	case "U8":
		return math.MaxUint8
	case "I8":
		return math.MaxInt8
	case "U16":
		return math.MaxUint16
	case "I16":
		return math.MaxInt16
	case "U32":
		return math.MaxUint32
	case "I32":
		return math.MaxInt32
	case "I64", "U64":
		return math.MaxInt32 // an int may have only 32 bits
	}
	return -1
}

// extremes prints the least and the greatest value that e takes in the enclosing loops; with
// atZero, for threadIdx.x = 0. e falls as the induction variables in down rise, and does not fall
// with the others.
func (v *rowChecks) extremes(e Expr, atZero bool, down map[*Var]bool) (low, high string) {
	at := func(last bool) string {
		v.stand = map[*Var]string{}
		for _, w := range v.counting { // outermost first: a limit may depend on the enclosing loops
			v.stand[w] = "0"
			if last != down[w] {
				v.stand[w] = v.lastOf(w)
			}
		}
		v.atZero = atZero
		s := v.intText(e)
		v.atZero = false
		v.stand = nil
		return "(" + unparen(s) + ")"
	}
	return at(false), at(true)
}

// lastOf returns the last value of w, an induction variable, or an upper bound of it.
func (v *rowChecks) lastOf(w *Var) string {
	limit := v.ranges[w]
	if l := v.counters[w]; l != nil {
		n, isConst := constInt(limit)
		step, ok := constInt(l.Post[0].(*Assign).R.(*Binary).Y)
		if isConst && ok && n > 0 && step > 1 {
			return fmt.Sprint((n - 1) / step * step)
		}
	}
	return "(" + v.expr(limit) + " - 1)"
}

// rowWideIndex is rowWide for an index that may fall as some induction variables rise. It returns
// these variables as down, and fails if the index also rises with one of them.
func (v *rowChecks) rowWideIndex(e Expr) (down map[*Var]bool, ok bool) {
	v.falling = true
	ok = v.rowWide(e)
	v.falling = false
	if !ok {
		return nil, false
	}
	signs := map[*Var]int{}
	if !v.signs(e, 1, signs) {
		return nil, false
	}
	for w, sign := range signs {
		if sign < 0 {
			if down == nil {
				down = map[*Var]bool{}
			}
			down[w] = true
		}
	}
	if down != nil {
		for _, w := range v.counting {
			if v.counted(v.ranges[w]) {
				return nil, false // the extremes of one loop variable depend on the other
			}
		}
	}
	return down, true
}

// signs records whether e rises or falls with each induction variable. It returns false if e does
// both with one.
func (v *rowChecks) signs(e Expr, sign int, of map[*Var]int) bool {
	switch x := e.(type) {
	case *VarRef:
		switch {
		case v.ranges[x.V] != nil:
			if of[x.V] == -sign {
				return false
			}
			of[x.V] = sign
		case x.V.value != nil:
			return v.signs(x.V.value, sign, of)
		case v.k.single[x.V] != nil:
			return v.signs(v.k.single[x.V], sign, of)
		}
		return true
	case *Convert:
		return v.signs(x.X, sign, of)
	case *Binary:
		switch x.Op {
		case token.ADD, token.MUL: // factors are not negative; see rowWideOf
			return v.signs(x.X, sign, of) && v.signs(x.Y, sign, of)
		case token.SUB:
			return v.signs(x.X, sign, of) && v.signs(x.Y, -sign, of)
		}
	}
	return !v.counted(e)
}

// require makes c a condition of the row, or of the rows for which the enclosing conditions hold.
func (v *rowChecks) require(c string) {
	when := joined(distinct(v.when))
	if v.required == nil {
		v.required = map[string]bool{}
	}
	if v.required[c] || v.required[when+" -> "+c] {
		return
	}
	if when == "" {
		v.required[c] = true
		v.conds = append(v.conds, c)
		return
	}
	v.required[when+" -> "+c] = true
	prefix := "(!(" + when + ") || "
	if n := len(v.conds); n > 0 && strings.HasPrefix(v.conds[n-1], prefix) {
		v.conds[n-1] = strings.TrimSuffix(v.conds[n-1], ")") + " && " + c + ")"
		return
	}
	v.conds = append(v.conds, prefix+c+")")
}

// rowWide reports whether the least and the greatest value of e are known before the loop over the
// threads of a row: e is a sum of such values and of induction variables times factors that are not
// negative.
func (v *rowChecks) rowWide(e Expr) bool { return v.rowWideOf(e, nil) }

// notNegative makes it a condition of the row that e, a factor of an induction variable, is between
// 0 and shortLoop. That works if e is a parameter or a variable of the block; rowWideOf has seen
// that it keeps its value.
func (v *rowChecks) notNegative(e Expr) bool {
	r, ok := e.(*VarRef)
	if !ok || !r.V.Param && !r.V.common || unsigned(r.V.Type) {
		return false
	}
	v.require(v.intText(e) + " >= 0")
	v.require(v.intText(e) + fmt.Sprintf(" <= %d", shortLoop))
	return true
}

// counted reports whether e depends on an induction variable.
func (v *rowChecks) counted(e Expr) bool {
	found := false
	walkExpr(e, func(x Expr) {
		if r, ok := x.(*VarRef); ok && !found {
			one := v.k.single[r.V]
			found = v.ranges[r.V] != nil || one != nil && v.counted(one) || r.V.value != nil && v.counted(r.V.value)
		}
	})
	return found
}

// rowWideOf is rowWide for e as the value of a variable, which was computed earlier: the operands
// of e must not have changed since.
func (v *rowChecks) rowWideOf(e Expr, of *Var) bool {
	counts := v.counted
	switch x := e.(type) {
	case *Index3:
		return x.Of != warpInBlock
	case *Const, *Rank:
		return true
	case *VarRef:
		if x.V.Param {
			return true
		}
		if v.ranges[x.V] != nil {
			return of == nil || localTo(v.counters[x.V], of)
		}
		if x.V.common {
			// A variable of this region was computed in the region, which does not assign x.
			inRegion := of != nil && !of.spread && !of.common
			return !v.copiesOut(x.V) && (of == nil || inRegion || v.k.single[x.V] != nil)
		}
		if x.V.value != nil {
			return !hasVariable(x.V.value) && v.rowWideOf(x.V.value, x.V)
		}
		if one := v.k.single[x.V]; one != nil {
			return v.rowWideOf(one, x.V)
		}
		return false
	case *Convert:
		return wide(x.T) && wide(x.X.Type()) && v.rowWideOf(x.X, of)
	case *Call:
		return x.Fn == nil && (x.Name == "len" || x.Name == "cap") && simple(x.Args[0]) && v.rowWideOf(x.Args[0], of)
	case *Binary:
		if !v.rowWideOf(x.X, of) || !v.rowWideOf(x.Y, of) {
			return false
		}
		if (!wide(x.T) || unsigned(x.T)) && (counts(x) || !shapeOf(x).uniform()) {
			return false // a value between the extremes may wrap around
		}
		switch x.Op {
		case token.ADD:
			return true
		case token.SUB:
			return v.falling || !counts(x.Y)
		case token.MUL:
			if n, ok := constInt(x.Y); ok && n >= 0 && n <= shortLoop {
				return true
			}
			if n, ok := constInt(x.X); ok && n >= 0 && n <= shortLoop {
				return true
			}
			cx, cy := counts(x.X), counts(x.Y)
			switch {
			case !cx && !cy:
				return true
			case cx && cy:
				return false
			case cx:
				return v.notNegative(x.Y)
			}
			return v.notNegative(x.X)
		}
		return !counts(x) && !mayPanic(x)
	}
	return false
}

// copiesOut reports whether the region assigns a variable of the block.
func (v *rowChecks) copiesOut(w *Var) bool { return useOf(v.r.stmts).written[w] }
