package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Choices: integers that branches select, as in a helper that clamps a coordinate: if v < lo
// {return lo}; if v > hi {return hi}; return v. If the selection differs between the threads of a
// row, the integer is piecewise affine (nestints.go). If it is uniform but differs between
// iterations, as for the row y+dy of a picture, the rest of the block is lowered once per outcome,
// in a uniform branch (tail duplication; Mueller and Whalley, 1992). In each copy the integer is
// affine, and the condition is a fact that bounds indices.

const (
	mostCopies = 16  // copies of the rest of a block, if each further condition doubles their number
	mostCopied = 400 // statements, in all copies together
)

// chosen returns the integer that a branch selects, if it does nothing else: each arm assigns the
// integer once, or leaves it alone.
func (l *lowering) chosen(s *If) (v *Var, ok bool) {
	assigned := 0
	var look func(list []Stmt) bool
	look = func(list []Stmt) bool {
		switch {
		case len(list) == 0:
			return true
		case len(list) > 1:
			return false
		}
		switch s := list[0].(type) {
		case *If:
			return look(s.Then) && look(s.Else)
		case *Assign:
			r, isVar := (Expr)(nil), false
			if len(s.L) == 1 && s.L[0] != nil && !s.Def {
				r, isVar = s.L[0], true
			}
			to, isRef := r.(*VarRef)
			if !isVar || !isRef || v != nil && to.V != v || mayPanic(s.R) {
				return false
			}
			v = to.V
			assigned++
			return true
		}
		return false
	}
	if !look([]Stmt{s}) || v == nil || v.addr || v.common || v.spread || v.value != nil || l.general[v] || l.driven[v] || l.depth[v] != len(l.rounds) || !l.inScope(v) {
		return nil, false
	}
	switch {
	case !isInteger(v.Type):
		return nil, false
	case types.Identical(v.Type.Underlying(), intType):
	case has32(v.Type) && l.often[v] <= assigned+1:
	default:
		return nil, false
	}
	return v, true
}

// choose lowers a branch that selects an integer, and reports in done whether it has. all says that
// it has lowered the rest of the block, too.
func (l *lowering) choose(s *If, rest []Stmt) (done, all bool) {
	if l.b.off("choices") {
		return false, false
	}
	v, ok := l.chosen(s)
	if !ok {
		return false, false
	}
	old, known := l.pieces[v], true
	if p, isPoly := l.ints[v]; isPoly {
		old = []piece{{p: p}}
	} else if old == nil {
		if !has32(v.Type) || l.values[v] == nil || !l.overwrites(s) || readsIn(s, v) {
			return false, false
		}
		known = false
	}
	if known && l.settle(s.Cond, outcome{prepend(s.Then, rest), len(s.Then) > 0}, outcome{prepend(s.Else, rest), len(s.Else) > 0}, v) {
		return true, true
	}
	if !known {
		old = []piece{{p: poly{}}} // a value that no thread keeps
	}
	list, ok := l.chooseFrom(s, v, old)
	if !ok || len(list) > mostPieces {
		return false, false
	}
	l.assignPieces(v, list)
	return true, false
}

// inScope reports whether an assignment to v here holds until v's block ends: the active threads
// are those that declared it, and the branches are the same.
func (l *lowering) inScope(v *Var) bool {
	b, born := l.born[v]
	return l.sinceBirth(v) && (slices.Contains(l.settling, v) || born && b.whens == len(l.whens))
}

// overwrites reports whether every arm of a branch assigns the integer.
func (l *lowering) overwrites(s *If) bool {
	arm := func(list []Stmt) bool {
		if len(list) != 1 {
			return false
		}
		inner, isIf := list[0].(*If)
		return !isIf || l.overwrites(inner)
	}
	return arm(s.Then) && arm(s.Else)
}

// readsIn reports whether v is read in a branch whose arms assign integers.
func readsIn(s *If, v *Var) bool {
	reads := mentions(s.Cond, v)
	walk(append(slices.Clone(s.Then), s.Else...), func(x Stmt) {
		switch x := x.(type) {
		case *If:
			reads = reads || mentions(x.Cond, v)
		case *Assign:
			reads = reads || mentions(x.R, v)
		}
	})
	return reads
}

func prepend(list, rest []Stmt) []Stmt { return append(append([]Stmt{}, list...), rest...) }

// An outcome is the rest of a block behind a selection; selects says that it begins with the
// assignment of the integer.
type outcome struct {
	list    []Stmt
	selects bool
}

// settle lowers a block under a uniform condition that is not known before the nest is entered:
// then where it holds, otherwise where it does not. It reports whether it has. The block may assign
// v, and integers that go out of scope with it; other outer integers it may not.
func (l *lowering) settle(cond Expr, then, otherwise outcome, v *Var) bool {
	if l.ofRow(cond) || l.single() || l.across != nil || l.b.off("choices") {
		return false
	}
	d, op, ok := l.difference(cond)
	if !ok || d.ofRow() || d.has(laneSymbol) || d.isBent() || d.has(rowSymbol) && l.jam > 1 || op == token.NEQ {
		return false
	}
	if l.nowhere(l.by[v], cond) {
		l.given(l.factsOf(not(cond)), func() { l.stmts(otherwise.list) })
		return true
	}
	count, ends := 0, []*Var{v}
	for _, o := range []outcome{then, otherwise} {
		fine := true
		walk(o.list, func(x Stmt) {
			count++
			switch x := x.(type) {
			case *Exit, *Warp:
				fine = false
			case *Assign:
				for _, to := range x.L {
					w, _ := assigned(to)
					switch {
					case w == nil || slices.Contains(ends, w) || x.Def || l.driven[w] || l.ints[w] == nil && l.pieces[w] == nil && l.quotients[w] == nil:
					case l.depth[w] == len(l.rounds) && l.inScope(w):
						ends = append(ends, w)
					default:
						fine = false
					}
				}
			}
		})
		if !fine {
			return false
		}
	}
	before := max(l.copies, 1)
	if 2*before > mostCopies || before*count > mostCopied {
		return false
	}
	for _, r := range l.rounds { // a scalar can't contain the iterations of a divergent loop
		if d.has(r.symbol) && r.trips == "" {
			return false
		}
	}
	conds, texts, in, ok := l.agreed(cond)
	if !ok {
		return false
	}
	l.b.k.works("choices")
	state := func(o outcome, known []fact) func() {
		return func() {
			ints, pieces, quotients, by := maps.Clone(l.ints), maps.Clone(l.pieces), maps.Clone(l.quotients), l.by[v]
			l.copies = 2 * before
			l.settling = append(l.settling, ends...)
			if o.selects {
				l.by[v] = known
			}
			l.stmts(o.list)
			l.settling = l.settling[:len(l.settling)-len(ends)]
			l.ints, l.pieces, l.quotients, l.by[v] = ints, pieces, quotients, by
		}
	}
	holds, fails := l.factsOf(cond), l.factsOf(not(cond))
	l.together(conds, texts, in, holds, state(then, holds), fails, state(otherwise, fails))
	l.copies = before
	for _, w := range ends {
		delete(l.ints, w)
		delete(l.pieces, w)
		delete(l.quotients, w)
	}
	return true
}

// nowhere reports whether a condition about an integer may be taken to hold for no thread: the integer
// was selected because other facts hold, and of these threads the condition names those that are beyond
// the same edge by more than a uniform distance. So a coordinate that was reflected at one edge of a
// picture is not beyond the other edge as well. The nest is entered if this is so.
func (l *lowering) nowhere(by []fact, cond Expr) (sure bool) {
	r := l.row
	args, locals, checks, atoms := len(r.args), len(r.locals), len(r.checks), maps.Clone(r.atoms)
	defer func() {
		switch v := recover(); v.(type) {
		case nil:
		case errNest:
			sure = false
			r.args, r.locals, r.checks, r.atoms = r.args[:args], r.locals[:locals], r.checks[:checks], atoms
		default:
			panic(v)
		}
	}()
	for _, beyond := range l.factsOf(cond) {
		for _, f := range by {
			if _, isConst := poly(f).plus(poly(beyond), -1).constant(); isConst || !beyond.implies(f) {
				continue
			}
			_, most := l.hull(poly(beyond))
			l.check(most + " <= 0")
			return true
		}
	}
	return false
}

// together lowers a uniform branch, with the facts known in then and other in otherwise. in is the
// set of rows for which conds hold.
func (l *lowering) together(conds []lir.Scalar, texts []string, in lanes, known []fact, then func(), other []fact, otherwise func()) {
	before, sure, on := l.lanes, l.sure, l.on
	l.when(conds, texts, func() {
		l.lanes, l.sure = overlap(before, in), overlap(sure, in)
		l.givenToAll(known, then)
	}, func() {
		l.lanes, l.sure = overlap(before, in.other()), overlap(sure, in.other())
		l.on = on
		l.givenToAll(other, otherwise)
	})
	// threads that left inside the branch are in a mask of their own; facts about it end here
	l.lanes, l.sure, l.on = before, sure, on
}

// settleLimit splits the rest of a block by which argument a minimum or maximum in an integer's
// value selects.
func (l *lowering) settleLimit(s *Assign, rest []Stmt) bool {
	if len(s.L) != 1 || s.L[0] == nil || l.single() || l.b.off("choices") {
		return false
	}
	r, ok := s.L[0].(*VarRef)
	if !ok || !isInteger(r.V.Type) || r.V.value != nil || r.V.spread || r.V.common || l.general[r.V] || l.driven[r.V] || !s.Def && (l.ints[r.V] == nil || !l.inScope(r.V)) ||
		!s.Def && l.depth[r.V] != len(l.rounds) || !types.Identical(r.V.Type.Underlying(), intType) {
		return false
	}
	var limit *Call
	walkExpr(s.R, func(e Expr) {
		if c, isCall := e.(*Call); isCall && c.Fn == nil && (c.Name == "min" || c.Name == "max") && len(c.Args) == 2 {
			limit = c // the innermost call
		}
	})
	if limit == nil || mayPanic(s.R) {
		return false
	}
	op := token.LEQ
	if limit.Name == "max" {
		op = token.GEQ
	}
	with := func(arg Expr) []Stmt {
		copied := *s
		copied.R = mapExpr(s.R, func(e Expr) Expr {
			if c, ok := e.(*Call); ok && c.Fn == nil && c.Name == limit.Name && len(c.Args) == 2 && sameExpr(c.Args[0], limit.Args[0]) && sameExpr(c.Args[1], limit.Args[1]) {
				return arg
			}
			return e
		})
		return prepend([]Stmt{&copied}, rest)
	}
	return l.settle(&Binary{Op: op, X: limit.Args[0], Y: limit.Args[1], T: types.Typ[types.Bool]}, outcome{with(limit.Args[0]), false}, outcome{with(limit.Args[1]), false}, r.V)
}

// chooseFrom returns the value of an integer behind a branch that selects it, if its value before
// is old.
func (l *lowering) chooseFrom(s *If, v *Var, old []piece) (out []piece, ok bool) {
	ints, pieces := l.ints[v], l.pieces[v]
	defer func() {
		delete(l.ints, v)
		delete(l.pieces, v)
		if ints != nil {
			l.ints[v] = ints
		}
		if pieces != nil {
			l.pieces[v] = pieces
		}
	}()
	arm := func(list []Stmt, from piece, known []fact) ([]piece, bool) {
		if len(list) == 0 {
			return []piece{from}, true
		}
		l.ints[v] = from.p
		if inner, isIf := list[0].(*If); isIf {
			return l.chooseFrom(inner, v, []piece{from})
		}
		now, ok := l.piecesOf(list[0].(*Assign).R)
		var out []piece
		for _, a := range now {
			b := l.both(from, a)
			b.p, b.by = a.p, known
			out = append(out, b)
		}
		return out, ok
	}
	for _, a := range old {
		delete(l.pieces, v)
		l.ints[v] = a.p
		d, op, isDiff := l.difference(s.Cond)
		if !isDiff {
			return nil, false
		}
		if holds, known := l.decided(s.Cond); known {
			list := s.Else
			if holds {
				list = s.Then
			}
			more, ok := arm(list, a, a.by)
			if !ok {
				return nil, false
			}
			out = append(out, more...)
			continue
		}
		if d.ofRow() {
			first, okFirst := arm(s.Then, a, a.by)
			second, okSecond := arm(s.Else, a, a.by)
			if !okFirst || !okSecond || len(first) != 1 || len(second) != 1 {
				return nil, false
			}
			if l.tooLarge(d, 0) != "" {
				return nil, false
			}
			l.small(d, 0)
			flag := fmt.Sprintf("%s.Bit((%s) %v 0)", l.b.rt(), l.syms.text(d), op)
			by := first[0].p.plus(second[0].p, -1)
			if first[0].p.ofRow() && second[0].p.ofRow() {
				a.p = l.syms.row(fmt.Sprintf("(%s*(%s) + %s)", flag, l.syms.text(by), l.syms.text(second[0].p)))
			} else {
				a.p = second[0].p.plus(by.times(l.syms.row(flag)), 1)
			}
			if l.tooLarge(a.p, 0) != "" {
				return nil, false
			}
			out = append(out, a)
			continue
		}
		factor, rest, isLinear := d.by(laneSymbol)
		if n, isConst := factor.constant(); !isLinear || d.isBent() || len(factor) > 0 && (!isConst || n != 1 && n != -1) || len(factor) == 0 && len(rest) == 0 {
			return nil, false
		}
		if l.nowhere(a.by, s.Cond) {
			a.facts = slices.Concat(a.facts, l.factsOf(not(s.Cond)))
			more, ok := arm(s.Else, a, a.by)
			if !ok {
				return nil, false
			}
			out = append(out, more...)
			continue
		}
		var then piece
		if len(factor) == 0 {
			then.on, then.in = l.whole(d, op)
		} else {
			then.on, then.in = l.interval(d, op)
		}
		otherwise := piece{on: l.not(then.on), in: then.in.other(), facts: l.factsOf(not(s.Cond))}
		then.facts = l.factsOf(s.Cond)
		then, otherwise = l.both(a, then), l.both(a, otherwise)
		then.p, otherwise.p, then.by, otherwise.by = a.p, a.p, a.by, a.by
		if !l.isNone(then.on) {
			more, ok := arm(s.Then, then, then.facts)
			if !ok {
				return nil, false
			}
			out = append(out, more...)
		}
		if !l.isNone(otherwise.on) {
			more, ok := arm(s.Else, otherwise, otherwise.facts)
			if !ok {
				return nil, false
			}
			out = append(out, more...)
		}
	}
	return out, true
}
