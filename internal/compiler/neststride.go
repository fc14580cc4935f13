package compiler

import (
	"fmt"
	"go/token"
	"maps"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Loops in strides: for i := its own place; i < n; i += the number of threads. Threads go round equally often, or some of them once more; so the rounds
// that all threads have go without a mask, and those that are left with one. What i is has two ends of its own, whatever the rounds.

// strided lowers such a loop, if it is one.
func (l *lowering) strided(s *For) bool {
	cond, ok := s.Cond.(*Binary)
	if !ok || s.breaks || s.continues || len(s.Pre) > 0 || len(s.Post) > 1 || cond.Op != token.LSS && cond.Op != token.LEQ {
		return false
	}
	ref, ok := cond.X.(*VarRef)
	if !ok {
		return false
	}
	i, body := ref.V, s.Body
	var last Stmt
	switch {
	case len(s.Post) == 1:
		last = s.Post[0]
	case len(body) > 0:
		last, body = body[len(body)-1], body[:len(body)-1]
	}
	by, ok := advance(last, i)
	if !ok || i.addr || i.spread || i.common || !isInteger(i.Type) || unsigned(i.Type) || assignedIn(&Block{Body: body})[i] || !l.ofRow(by) {
		return false
	}
	if n, isConst := constInt(by); isConst && n <= 1 {
		return false
	}
	start, ok := l.ints[i]
	if !ok {
		start, ok = l.starts[i]
	}
	limit, okLimit := l.polyOf(&Convert{cond.Y, intType})
	if !ok || !okLimit || !limit.ofRow() {
		return false
	}
	along, begin, ok := start.by(laneSymbol)
	if n, isConst := along.constant(); !ok || !isConst || n != 1 || !begin.ofRow() {
		return false
	}
	if len(l.moving(&For{Body: body}, i)) > 0 {
		return false
	}
	if cond.Op == token.LEQ {
		limit = limit.plus(number(1), 1)
	}
	l.generalize(&For{Body: body}, func(v *Var) bool { return v == i })
	l.small(limit, 0)
	l.small(begin, 0)
	step := l.rowOf(&Convert{by, intType})
	l.small(step, 1)
	stepText := l.syms.text(step)
	l.check(stepText + " > 0")
	rounds := func(thread string) string {
		return fmt.Sprintf("max(%s - (%s) - (%s) + max(%s, 1) - 1, 0)/max(%s, 1)", l.syms.text(limit), l.syms.text(begin), thread, stepText, stepText)
	}
	trips, most, least := l.local("trips", rounds("‹lo›")), rounds("‹lo›"), rounds("‹hi›-1")
	l.check(trips + " < 1<<28")
	on, lanesBefore := l.on, l.lanes
	ints, pieces, quotients := maps.Clone(l.ints), maps.Clone(l.pieces), maps.Clone(l.quotients)
	newRound := func(text string, from poly) *round {
		r := &round{symbol: l.syms.round(), trips: trips, moved: map[int]bool{}, start: from, step: step, end: limit, first: start}
		r.loop = &lir.Loop{Trips: lir.Scalar{Off: l.arg("int", text)}}
		l.texts(r.loop, trips)
		return r
	}
	counter := func(r *round) poly { return r.start.plus(step.times(poly{r.symbol: 1}), 1) }
	all := newRound(least, start)
	l.ints[i] = counter(all)
	list := l.promotable(&For{Body: body}, all.symbol)
	total := &round{trips: trips, loop: &lir.Loop{Trips: lir.Scalar{Off: l.arg("int", most)}}}
	l.around(list, total, func() {
		l.checked++ // the rounds that are left have the same checks
		l.roundedFrom(&For{Body: body}, i, counter(all), all, func() {})
		l.checked--
		l.on, l.lanes = on, lanesBefore
		left := newRound(fmt.Sprintf("%s - %s", most, least), start.plus(step.times(l.syms.row("("+least+")")), 1))
		left.loop.Few = true
		l.roundedFrom(&For{Body: body}, i, counter(left), left, func() {
			m, _ := l.interval(limit.plus(counter(left), -1), token.GTR)
			l.on = l.joined(on, m)
		})
	})
	l.on, l.lanes = on, lanesBefore
	l.ints, l.pieces, l.quotients = ints, pieces, quotients
	delete(l.ints, i) // it is known in the loop only
	delete(l.starts, i)
	delete(l.values, i)
	return true
}

// advance returns by how much s makes i larger, if that is what it does.
func advance(s Stmt, i *Var) (Expr, bool) {
	a, ok := s.(*Assign)
	if !ok || len(a.L) != 1 || a.L[0] == nil {
		return nil, false
	}
	v, whole := assigned(a.L[0])
	sum, isSum := a.R.(*Binary)
	if v != i || !whole || !isSum || sum.Op != token.ADD {
		return nil, false
	}
	is := func(e Expr) bool { r, ok := e.(*VarRef); return ok && r.V == i }
	if is(sum.X) && !mentions(sum.Y, i) {
		return sum.Y, true
	}
	return sum.X, is(sum.Y) && !mentions(sum.X, i)
}
