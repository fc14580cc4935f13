package compiler

import (
	"go/token"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Uniform iterations of a divergent branch. A loop over all bodies tests whether the body is the
// thread's own, as in
//
//	for j := range n {
//		if j != i {
//			...
//		}
//	}
//
// In a strip of 32 threads the condition differs between threads in 32 iterations only. So the
// branch is emitted twice: under masks for the iterations in which the strip's threads may differ,
// and without masks for the others (branches on superword condition codes; Shin, 2007). Two scalars
// select the version, without masks.

// leastAgreeing is the least number of operations in a branch that is emitted twice.
const leastAgreeing = 4

// agreeing lowers a branch whose condition compares the thread's index with a value of the
// iteration, and reports whether it has.
func (l *lowering) agreeing(cond Expr, then, otherwise []Stmt) bool {
	if l.single() || l.across != nil || l.jam > 1 || l.masked || l.b.off("agree") || len(l.rounds) == 0 || max(l.copies, 1) > 2 ||
		l.assignsInts(then...) || l.assignsInts(otherwise...) || operationsIn(then)+operationsIn(otherwise) < leastAgreeing {
		return false
	}
	list := terms(cond)
	at, op, ok := l.placeAgainstRound(list[0])
	// conditions at edges are handled by peeling (peeling.go), since few iterations are at an edge
	if !ok || (op == token.LSS || op == token.GEQ) && (l.inner || l.hasBothBounds(cond)) {
		return false
	}
	lanes := int64(l.parts * l.ofMachine().lanes)
	// Threads differ if the compared value is between the first thread's index and the last one's.
	begin := at
	if op == token.EQL || op == token.NEQ {
		begin = at.plus(number(1), 1)
	}
	differ := []lir.Scalar{l.inStrip(begin, -1), l.inStrip(number(lanes).plus(at, -1), 1)}
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
		case token.LSS: // the thread's index is less than at
			l.when([]lir.Scalar{l.inStrip(at, -1)}, nil, rest, none)
		default:
			l.when([]lir.Scalar{l.inStrip(at, -1)}, nil, none, rest)
		}
	})
	l.copies = copies
	if w, ok := (*l.list)[len(*l.list)-1].(*lir.When); ok {
		w.Open = true
	}
	return true
}

// placeAgainstRound splits a comparison of the thread's index in its row with a value that grows
// with loops: index op at, where op is ==, !=, < or >=.
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
			// with a step of 32, the threads of a strip might differ in every iteration
			return nil, 0, false
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

// operationsIn counts operations and accesses in statements; those in loops count ten times.
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
