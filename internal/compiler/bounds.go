package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Guards: conditions that hold for an interval of the threads of a row, such as `tid < n`. They
// become the bounds of the loop over the threads (index set splitting).
//
// A condition is split into its conjuncts. The conjunct `tid + base < limit` holds for an interval
// if base and limit are the same along x and the type is a signed 64-bit integer; so does `tid <
// limit` in other types. `rt.Below` and `NotAbove` compute the end of the interval as if base + tid
// did not wrap around, since no valid index wraps around. Conjuncts that are the same along x are
// tested once a row. A conjunct behind one that may panic is not moved, since it must not run for
// threads that the earlier one would have stopped. With the guard left as a test inside a loop over
// 256 threads, a tree reduction took nine times as long.
//
// A side that falls by one from thread to thread, as in `n-1-i >= 0`, grows when the bits of both
// sides are inverted, which turns the order of all integers around.
//
// The left side of a conjunct such as `2*d*tid + 2*d-1 < n` grows from thread to thread by a step
// that is known only at run time. It holds for an interval as well if the step is positive and
// nothing wraps around. `rt.BelowBy` computes the end in that case; otherwise it returns the whole
// row. That is correct since such a conjunct is tested for each thread too.

// A guard is a conjunct of a condition: it compares threadIdx.x plus base with limit, which are
// both the same along x. If op is NOT, the conjunct is limit itself, a bool that does not depend on
// x.
type guard struct {
	op          token.Token // LSS, LEQ, GTR, GEQ, EQL or NOT
	base, limit Expr
	// strided says that base grows by a step other than 1 from thread to thread. Such a guard also
	// stays among the remaining conjuncts; the bounds only leave out threads for which it is false.
	strided bool
}

// terms returns the conjuncts of e.
func terms(e Expr) []Expr {
	if b, ok := e.(*Binary); ok && b.Op == token.LAND {
		return append(terms(b.X), terms(b.Y)...)
	}
	return []Expr{e}
}

// bounds returns the guards among the conjuncts of e, or nil if none depends on x. Conjuncts behind
// one that may panic are not guards.
func bounds(e Expr) []guard {
	gs, _ := splitGuards(e)
	return gs
}

// splitGuards returns the guards of e and the remaining conjuncts.
func splitGuards(e Expr) (gs []guard, rest []Expr) {
	closed, about := false, false
	for _, t := range terms(e) {
		g, ok := asGuard(t)
		if closed || !ok {
			closed = closed || mayPanic(t)
			rest = append(rest, t)
			continue
		}
		about = about || g.op != token.NOT
		gs = append(gs, g)
		if g.strided {
			rest = append(rest, t)
		}
	}
	if !about {
		return nil, terms(e)
	}
	return gs, rest
}

var flipped = map[token.Token]token.Token{
	token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ, token.EQL: token.EQL,
}

func asGuard(e Expr) (guard, bool) {
	if mayPanic(e) || loads(e) || hasVariable(e) {
		return guard{}, false
	}
	if shapeOf(e)[0] == 0 {
		return guard{op: token.NOT, limit: e}, true
	}
	b, ok := e.(*Binary)
	if ok && b.Op == token.NEQ && isZero(b.Y) && neverNegative(b.X) { // x != 0
		b = &Binary{token.GTR, b.X, b.Y, b.T}
	}
	if !ok || flipped[b.Op] == 0 {
		return guard{}, false
	}
	switch {
	case isThreadX(b.X) && shapeOf(b.Y)[0] == 0:
		return guard{op: b.Op, base: &Index3{threadIdx, 0}, limit: placeIn(b.Y)}, true
	case isThreadX(b.Y) && shapeOf(b.X)[0] == 0:
		return guard{op: flipped[b.Op], base: &Index3{threadIdx, 0}, limit: placeIn(b.X)}, true
	case !wide(b.X.Type()) || unsigned(b.X.Type()):
		return guard{}, false
	}
	if hasHuge(b) {
		return guard{}, false // the sum might wrap around
	}
	x, y := shapeOf(b.X)[0], shapeOf(b.Y)[0]
	switch {
	case x == 1 && y == 0:
		return guard{op: b.Op, base: b.X, limit: b.Y}, true
	case x == 0 && y == 1:
		return guard{op: flipped[b.Op], base: b.Y, limit: b.X}, true
	case x == -1 && y == 0:
		return guard{op: flipped[b.Op], base: inverted(b.X), limit: inverted(b.Y)}, true
	case x == 0 && y == -1:
		return guard{op: b.Op, base: inverted(b.Y), limit: inverted(b.X)}, true
	case b.Op == token.EQL || hasLongValue(e):
	case x != 0 && x != noStep && y == 0:
		return guard{op: b.Op, base: b.X, limit: b.Y, strided: true}, true
	case y != 0 && y != noStep && x == 0:
		return guard{op: flipped[b.Op], base: b.Y, limit: b.X, strided: true}, true
	}
	return guard{}, false
}

// neverNegative reports whether an int is a sum of products of indices and sizes.
func neverNegative(e Expr) bool {
	if !types.Identical(e.Type(), intType) {
		return false
	}
	switch e := e.(type) {
	case *Const:
		n, ok := constInt(e)
		return ok && n >= 0
	case *Index3, *Rank:
		return true
	case *VarRef:
		return e.V.value != nil && neverNegative(e.V.value)
	case *Binary:
		return (e.Op == token.ADD || e.Op == token.MUL) && neverNegative(e.X) && neverNegative(e.Y)
	}
	return false
}

// inverted returns -1-e, which is ^e and does not overflow.
func inverted(e Expr) Expr {
	if n, ok := constInt(e); ok {
		return &Const{constant.MakeInt64(-1 - n), e.Type()}
	}
	return &Binary{token.SUB, &Const{constant.MakeInt64(-1), e.Type()}, e, e.Type()}
}

// hasLongValue reports whether an integer expression is long when the values of variables are
// substituted for their names, as in the step of a guard. In a chain of sums each of which uses the
// previous one twice, the size doubles at every link.
func hasLongValue(e Expr) bool {
	const most = 1000
	sizes := map[*Var]int{}
	var size func(e Expr) int
	size = func(e Expr) (n int) {
		walkExpr(e, func(x Expr) {
			n++
			if r, ok := x.(*VarRef); ok && r.V.value != nil {
				if sizes[r.V] == 0 {
					sizes[r.V] = size(r.V.value)
				}
				n += sizes[r.V]
			}
			n = min(n, most)
		})
		return n
	}
	return size(e) == most
}

// step returns the amount by which the base of a guard grows from thread to thread.
func (g guard) step() Expr {
	of := func(x int64) Expr {
		var at func(e Expr) Expr
		at = func(e Expr) Expr {
			return mapExpr(e, func(e Expr) Expr {
				switch e := e.(type) {
				case *VarRef:
					if e.V.value != nil {
						return at(e.V.value)
					}
				case *Index3:
					if e.Of == threadIdx && e.Axis == 0 {
						return &Const{constant.MakeInt64(x), intType}
					}
				case *Rank: // the rank grows along with threadIdx.x
					return &Const{constant.MakeInt64(x), intType}
				}
				return e
			})
		}
		return at(g.base)
	}
	return &Binary{Op: token.SUB, X: of(1), Y: of(0), T: g.base.Type()}
}

// isThreadX reports whether e is threadIdx.x, perhaps converted to a type that can represent it.
func isThreadX(e Expr) bool {
	converted := false
	for {
		switch x := e.(type) {
		case *VarRef:
			if x.V.value == nil {
				return false
			}
			e = x.V.value
			continue
		case *Convert:
			if t, ok := x.T.Underlying().(*types.Basic); !ok || !isInteger(x.T) || t.Kind() == types.Int8 || t.Kind() == types.Uint8 {
				return false
			}
			converted, e = true, x.X
			continue
		case *Index3:
			return converted && x.Of == threadIdx && x.Axis == 0
		}
		return false
	}
}

// placeIn converts an integer that threadIdx.x is compared with to int. A value too large for an
// int becomes one larger than any threadIdx.x.
func placeIn(e Expr) Expr {
	const most = 1 << 14
	if n, ok := constInt(e); ok && n >= -most && n <= most {
		return &Const{constant.MakeInt64(n), intType}
	}
	if unsigned(e.Type()) {
		e = &Call{Name: "min", Args: []Expr{e, &Const{constant.MakeInt64(most), e.Type()}}, T: e.Type(), Pure: true}
	} else if wide(e.Type()) && !types.Identical(e.Type(), intType) {
		e = &Call{Name: "min", Args: []Expr{&Call{Name: "max", Args: []Expr{e, &Const{constant.MakeInt64(-1), e.Type()}}, T: e.Type(), Pure: true}, &Const{constant.MakeInt64(most), e.Type()}}, T: e.Type(), Pure: true}
	}
	return &Convert{e, intType}
}

// hasHuge reports whether e contains a constant too large for an index.
func hasHuge(e Expr) bool {
	found := false
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Const:
			if n, ok := constInt(x); isInteger(x.T) && (!ok || n > 1<<48 || n < -1<<48) {
				found = true
			}
		case *VarRef:
			found = found || x.V.value != nil && hasHuge(x.V.value)
		}
	})
	return found
}

// hasVariable reports whether e depends on a divergent variable that is not recomputed. The value
// of such a variable is known only inside the loop over the threads.
func hasVariable(e Expr) bool {
	found := false
	walkExpr(e, func(x Expr) {
		if v, ok := x.(*VarRef); ok && !v.V.Param {
			if v.V.value != nil {
				found = found || hasVariable(v.V.value)
			} else if !v.V.Shape.uniform() {
				found = true
			}
		}
	})
	return found
}

// neighboursWhere returns Go expressions for an interval of threads of a row: the first thread for
// which cond holds, and the one behind the last. checks is a Go condition under which the interval
// is right. ok is false if the threads are not an interval that is the same in all rows.
func (b *body) neighboursWhere(cond Expr) (lo, hi, checks string, ok bool) {
	if mayPanic(cond) || loads(cond) {
		return "", "", "", false
	}
	defer func() {
		switch v := recover().(type) {
		case nil:
		case errNest, errGeneral:
			ok = false
		default:
			panic(v)
		}
	}()
	rw := &row{atoms: map[string]int{}, general: map[*Var]bool{}, name: func(what string) string { return what }}
	l := b.newLowering(rw, []Stmt{&If{Cond: cond}}, 4, nestShape{})
	los, his := []string{"0"}, []string{"dimX"}
	for _, t := range terms(cond) {
		from, to, ok := l.between(t, laneSymbol)
		if !ok {
			return "", "", "", false
		}
		los, his = append(los, from...), append(his, to...)
	}
	all := slices.Clone(rw.checks)
	for _, t := range rw.syms.texts {
		if bits, isThere := rw.atoms[t]; isThere {
			all = append(all, fmt.Sprintf("%s.Small(%s, %d)", b.rt(), t, bits))
		}
	}
	place := strings.NewReplacer("‹lo›", "0", "‹hi›", "dimX", "‹many›", "dimX", "‹rt›", b.rt()).Replace
	lo, hi, checks = place("max("+strings.Join(los, ", ")+")"), place("min("+strings.Join(his, ", ")+")"), place(joined(all))
	texts := lo + hi + checks
	ofRow := slices.ContainsFunc([]string{"row", "ty", "tz"}, func(name string) bool { return containsWord(texts, name) })
	if len(rw.locals) > 0 || len(rw.args) > 0 || ofRow || strings.Contains(texts, "‹") {
		return "", "", "", false
	}
	return lo, hi, checks, true
}

// loads reports whether e reads memory.
func loads(e Expr) bool {
	u := useOf([]Stmt{&Assign{L: []Expr{nil}, R: e}})
	return u.loads
}

// mayPanic reports whether computing e can panic.
func mayPanic(e Expr) bool {
	found := false
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Index, *Slice, *Deref, *Method:
			found = true
		case *Field:
			found = found || isPointer(x.X.Type())
		case *Call:
			if !x.Pure {
				found = true
			}
		case *Binary:
			switch x.Op {
			case token.QUO, token.REM:
				if n, ok := constInt(x.Y); isFloat(x.T) {
				} else if !ok || n == 0 {
					found = true
				}
			case token.SHL, token.SHR:
				if _, ok := constInt(x.Y); !ok && !unsigned(x.Y.Type()) {
					found = true
				}
			case token.EQL, token.NEQ:
				if !basic(x.X.Type()) && !isPointer(x.X.Type()) {
					found = true // a comparison of interfaces
				}
			}
		case *Convert:
			found = found || !basic(x.T) || !basic(x.X.Type())
		}
	})
	return found
}

// stmtsMayPanic reports whether list can panic.
func stmtsMayPanic(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool {
		switch s.(type) {
		case *Do, *Panic:
			return true
		}
		found := false
		exprs(s, func(e Expr) { found = found || mayPanic(e) })
		return found
	})
}
