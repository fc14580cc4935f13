package compiler

import (
	"go/token"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Rounds that agree: a loop over all bodies asks each of them whether it is the thread's own, as in
//
//	for j := range n {
//		if j != i {
//			...
//		}
//	}
//
// and of a strip of 32 threads one is off in 32 rounds, and none in all others. So the branch is there twice: with masks for the rounds in which the threads of the
// strip may differ, and without for the others, in which all of them go the same way (branches on superword condition codes; Shin, 2007). Which of the two
// it is, is asked with two numbers, not with masks.

// leastAgreeing is how many operations a branch must have to be there twice.
const leastAgreeing = 4

// agreeing lowers a branch whose condition compares the place of the thread with the round, and says whether it has.
func (l *lowering) agreeing(cond Expr, then, otherwise []Stmt) bool {
	if l.single() || l.across != nil || l.jam > 1 || l.masked || l.b.off("agree") || len(l.rounds) == 0 || max(l.copies, 1) > 2 ||
		l.assignsInts(then...) || l.assignsInts(otherwise...) || operationsIn(then)+operationsIn(otherwise) < leastAgreeing {
		return false
	}
	list := terms(cond)
	at, op, ok := l.placeAgainstRound(list[0])
	if !ok || (op == token.LSS || op == token.GEQ) && (l.inner || l.hasBothBounds(cond)) { // an edge, which few rounds are at: see peel
		return false
	}
	lanes := int64(l.parts * l.nestShape.lanes)
	place := func(p poly, sign int) lir.Scalar { // of the strip, with p threads more
		s := l.scalarFrom(p, 0, map[int]string{1: " + ‹lo›", -1: " - ‹lo›"}[sign])
		s.Strip = sign
		return s
	}
	// Threads differ where the first of them is before what they are compared with, or there, and the last one is behind it.
	begin := at
	if op == token.EQL || op == token.NEQ {
		begin = at.plus(number(1), 1)
	}
	differ := []lir.Scalar{place(begin, -1), place(number(lanes).plus(at, -1), 1)}
	before, on, sure := l.lanes, l.on, l.sure
	arm := func(e Expr, do func()) {
		l.lanes, l.on, l.sure = before, on, sure
		l.givenToAll(l.factsOf(e), do)
		l.lanes, l.on, l.sure = before, on, sure
	}
	rest := func() {
		arm(list[0], func() {
			if len(list) == 1 {
				l.stmts(then)
			} else {
				l.maskedBranch(conjunction(list[1:]), then, otherwise)
			}
		})
	}
	none := func() { arm(not(list[0]), func() { l.stmts(otherwise) }) }
	l.b.k.works("agree")
	copies := max(l.copies, 1)
	l.copies = 2 * copies
	l.when(differ, nil, func() {
		l.splitting = true
		l.maskedBranch(cond, then, otherwise)
	}, func() {
		switch op {
		case token.EQL:
			none()
		case token.NEQ:
			rest()
		case token.LSS: // of the threads' places
			l.when([]lir.Scalar{place(at, -1)}, nil, rest, none)
		default:
			l.when([]lir.Scalar{place(at, -1)}, nil, none, rest)
		}
	})
	l.copies = copies
	if w, ok := (*l.list)[len(*l.list)-1].(*lir.When); ok {
		w.Open = true
	}
	return true
}

// placeAgainstRound takes a comparison of the thread's place in its row with something that grows with the rounds of loops: place op at, where op is ==, !=, < or >=.
func (l *lowering) placeAgainstRound(e Expr) (at poly, op token.Token, ok bool) {
	d, op, ok := l.difference(e)
	if !ok || d.isBent() || d.hasQuotient() || d.has(rowSymbol) {
		return nil, 0, false
	}
	factor, rest, ok := d.by(laneSymbol)
	n, isConst := factor.constant()
	if !ok || !isConst || n != 1 && n != -1 || rest.ofRow() {
		return nil, 0, false
	}
	for _, r := range l.rounds {
		if rest.has(r.symbol) && (r.trips == "" || r == l.rowRound) {
			return nil, 0, false
		}
		f, _, isLinear := rest.by(r.symbol)
		if m, isConst := f.constant(); !isLinear || !isConst || m < -1 || m > 1 {
			return nil, 0, false // with steps of 32 elements all rounds of a strip may differ
		}
	}
	at = poly{}.plus(rest, -n)
	if n < 0 && flipped[op] != 0 {
		op = flipped[op]
	}
	switch op {
	case token.LEQ:
		at, op = at.plus(number(1), 1), token.LSS
	case token.GTR:
		at, op = at.plus(number(1), 1), token.GEQ
	}
	return at, op, true
}

// operationsIn counts operations and accesses in statements, those in loops ten times.
func operationsIn(list []Stmt) (n int) {
	for _, s := range list {
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				switch x.(type) {
				case *Binary, *Unary, *Call, *Index, *Convert:
					n++
				}
			})
		})
		inner := 0
		substmts(s, func(l []Stmt) { inner += operationsIn(l) })
		if _, isLoop := s.(*For); isLoop {
			inner *= 10
		}
		n += inner
	}
	return n
}
