package compiler

import (
	"fmt"
	"go/token"
	"maps"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Strided loops: for i := the thread's index; i < n; i += the number of threads, or downwards. The
// trip counts of threads differ by at most 1. So the iterations that all threads execute need no
// mask, and a remainder iteration is masked. The range of i is known, whatever the trip count.

// A strides describes a strided loop. Its counter is i, or -i if down is set: it begins at start,
// is below limit in each iteration, and grows by by.
type strides struct {
	i            *Var
	body         []Stmt
	down         bool
	start, limit poly
	by           Expr
}

// stridesOf analyses a strided loop. from is the initial value of i, or nil for its current value.
func (l *lowering) stridesOf(s *For, from poly) (st strides, ok bool) {
	cond, ok := s.Cond.(*Binary)
	if !ok || s.breaks || s.continues || len(s.Pre) > 0 || len(s.Post) > 1 {
		return st, false
	}
	st.body = s.Body
	var last Stmt
	switch {
	case len(s.Post) == 1:
		last = s.Post[0]
	case len(st.body) > 0:
		last, st.body = st.body[len(st.body)-1], st.body[:len(st.body)-1]
	}
	i, by, down, ok := advance(last)
	if !ok || i.addr || i.spread || i.common || !isInteger(i.Type) || unsigned(i.Type) && (!has32(i.Type) || down) || assignedIn(&Block{Body: st.body})[i] || !l.ofRow(by) {
		return st, false
	}
	if n, isConst := constInt(by); isConst && n <= 1 {
		return st, false
	}
	st.i, st.by, st.down = i, by, down
	x, y, op := cond.X, cond.Y, cond.Op
	if !mentions(x, i) {
		x, y, op = y, x, flipped[op]
	}
	added := poly{} // what the condition adds to i
	if sum, isSum := x.(*Binary); isSum && (sum.Op == token.ADD || sum.Op == token.SUB) && isRef(sum.X, i) {
		p, ok := l.polyOf(&Convert{sum.Y, intType})
		if !ok || mentions(sum.Y, i) {
			return st, false
		}
		sign := int64(1)
		if sum.Op == token.SUB {
			sign = -1
		}
		x, added = sum.X, p.times(number(sign))
	}
	limit, okLimit := l.polyOf(&Convert{y, intType})
	if !isRef(x, i) || mentions(y, i) || !okLimit {
		return st, false
	}
	if len(added) > 0 && unsigned(i.Type) {
		return st, false // the sum may wrap around
	}
	limit = limit.plus(added, -1)
	st.start = from
	if from == nil {
		if st.start, ok = l.ints[i]; !ok {
			st.start, ok = l.starts[i]
		}
	}
	upwards := map[token.Token]bool{token.LSS: true, token.LEQ: true}
	if !ok || !limit.ofRow() || upwards[op] == down || op != token.LSS && op != token.LEQ && op != token.GTR && op != token.GEQ {
		return st, false
	}
	if down {
		st.start, limit = poly{}.plus(st.start, -1), poly{}.plus(limit, -1)
	}
	if op == token.LEQ || op == token.GEQ {
		limit = limit.plus(number(1), 1)
	}
	st.limit = limit
	return st, true
}

// isRef reports whether e is v.
func isRef(e Expr, v *Var) bool {
	r, ok := e.(*VarRef)
	return ok && r.V == v
}

// strided lowers a strided loop, and returns false if s is none.
func (l *lowering) strided(s *For) bool {
	st, ok := l.stridesOf(s, nil)
	if ok {
		return l.strideBy(s, st)
	}
	// The remainder of another loop may begin at different polynomials for different threads.
	st, ok = l.stridesOf(s, poly{})
	list := l.pieces[st.i]
	if !ok || len(list) == 0 || l.depth[st.i] != len(l.rounds) {
		return false
	}
	for _, a := range list {
		if st, ok := l.stridesOf(s, a.p); !ok || !l.neighbourly(st.start) {
			return false
		}
	}
	l.inPieces(list, func(a piece) {
		st, _ := l.stridesOf(s, a.p)
		l.strideBy(s, st)
	})
	delete(l.pieces, st.i)
	return true
}

// neighbourly reports whether the step of an integer from thread to thread is -1, 0 or 1.
func (l *lowering) neighbourly(p poly) bool {
	along, begin, ok := p.by(laneSymbol)
	n, isConst := along.constant()
	return ok && isConst && -1 <= n && n <= 1 && begin.ofRow()
}

// strideBy lowers a strided loop whose counter starts at neighbouring values, or at the same one.
func (l *lowering) strideBy(s *For, st strides) bool {
	i, body, start, limit, by := st.i, st.body, st.start, st.limit, st.by
	if !l.neighbourly(start) {
		return false
	}
	along, begin, _ := start.by(laneSymbol)
	n, _ := along.constant()
	if _, isConst := constInt(by); isConst && n == 0 {
		return false // an ordinary uniform loop
	}
	if len(l.moving(&For{Body: body}, i)) > 0 {
		return false
	}
	l.generalize(&For{Body: body}, func(v *Var) bool { return v == i })
	l.small(limit, 0)
	l.small(begin, 0)
	step := l.rowOf(&Convert{by, intType})
	l.small(step, 1)
	stepText := l.syms.text(step)
	l.check(stepText + " > 0")
	if unsigned(i.Type) { // the counter does not wrap around
		l.check(fmt.Sprintf("%s + %s < 1<<31", l.syms.text(limit), stepText))
	}
	rounds := func(thread string) string {
		of := map[int64]string{0: "", 1: " - (" + thread + ")", -1: " + (" + thread + ")"}[n]
		return fmt.Sprintf("max(%s - (%s)%s + max(%s, 1) - 1, 0)/max(%s, 1)", l.syms.text(limit), l.syms.text(begin), of, stepText, stepText)
	}
	most, least := rounds("‹lo›"), rounds("‹hi›-1")
	if n < 0 {
		most, least = least, most
	}
	trips := l.local("trips", most)
	l.check(trips + " < 1<<28")
	// a check in one of the two loops applies to both
	defer func(byLane bool) { l.byLane = byLane }(l.byLane)
	l.byLane = false
	on, lanesBefore := l.on, l.lanes
	ints, pieces, quotients := maps.Clone(l.ints), maps.Clone(l.pieces), maps.Clone(l.quotients)
	newRound := func(text string, from poly) *round {
		r := &round{symbol: l.syms.round(), trips: trips, moved: map[int]bool{}, start: from, step: step, end: limit, first: start}
		r.loop = &lir.Loop{Trips: lir.Scalar{Off: l.arg("int", text)}}
		l.texts(r.loop, trips)
		return r
	}
	sign := int64(1)
	if st.down {
		sign = -1
	}
	counted := func(r *round) poly { return r.start.plus(step.times(poly{r.symbol: 1}), 1) }
	counter := func(r *round) poly { return counted(r).times(number(sign)) }
	all := newRound(least, start)
	l.ints[i] = counter(all)
	list := l.promotable(&For{Body: body}, all.symbol)
	total := &round{trips: trips, loop: &lir.Loop{Trips: lir.Scalar{Off: l.arg("int", most)}}}
	l.around(list, total, func() {
		if n == 0 { // all threads have the same trip count
			l.roundedFrom(&For{Body: body}, i, counter(all), all, func() {})
			return
		}
		l.checked++ // the remainder loop needs the same checks
		l.roundedFrom(&For{Body: body}, i, counter(all), all, func() {})
		l.checked--
		l.on, l.lanes = on, lanesBefore
		left := newRound(fmt.Sprintf("%s - %s", most, least), start.plus(step.times(l.syms.row("("+least+")")), 1))
		left.loop.Few = true
		l.roundedFrom(&For{Body: body}, i, counter(left), left, func() {
			m, _ := l.interval(limit.plus(counted(left), -1), token.GTR)
			l.on = l.joined(on, m)
		})
	})
	l.on, l.lanes = on, lanesBefore
	l.ints, l.pieces, l.quotients = ints, pieces, quotients
	delete(l.ints, i) // the value is known in the loop only
	delete(l.starts, i)
	delete(l.values, i)
	if reads(l.region, i) > reads([]Stmt{s}, i) && l.bornHere(i) {
		l.behind(i, n, sign, start, step, limit, most, least)
	}
	return true
}

// behind records the counter's value behind a strided loop, in each of two pieces. Threads must be
// at most as many as the stride is long.
func (l *lowering) behind(i *Var, along, sign int64, start, step, limit poly, most, least string) {
	after := func(rounds poly) poly { return start.plus(step.times(rounds), 1).times(number(sign)) }
	few := l.syms.row("(" + least + ")")
	l.depth[i] = len(l.rounds)
	if along == 0 {
		l.ints[i] = after(few)
		return
	}
	l.check(fmt.Sprintf("%s - %s <= 1", most, least))
	// the threads with one more iteration
	m, in := l.interval(limit.plus(start, -1).plus(step.times(few), -1), token.GTR)
	l.pieces[i] = []piece{{on: m, in: in, p: after(few.plus(number(1), 1))}, {on: l.not(m), in: in.other(), p: after(few)}}
}

// reads returns the number of reads of v in list.
func reads(list []Stmt, v *Var) (n int) {
	walk(list, func(s Stmt) {
		a, _ := s.(*Assign)
		exprs(s, func(e Expr) {
			if a != nil && len(a.L) == 1 && e == a.L[0] && isRef(e, v) {
				return
			}
			walkExpr(e, func(x Expr) {
				if isRef(x, v) {
					n++
				}
			})
		})
	})
	return n
}

// advance returns the integer that s increases, or with down decreases, and the amount.
func advance(s Stmt) (i *Var, by Expr, down, ok bool) {
	a, ok := s.(*Assign)
	if !ok || len(a.L) != 1 || a.L[0] == nil {
		return nil, nil, false, false
	}
	i, whole := assigned(a.L[0])
	sum, isSum := a.R.(*Binary)
	if i == nil || !whole || !isSum || sum.Op != token.ADD && sum.Op != token.SUB {
		return nil, nil, false, false
	}
	if isRef(sum.X, i) && !mentions(sum.Y, i) {
		return i, sum.Y, sum.Op == token.SUB, true
	}
	return i, sum.X, false, sum.Op == token.ADD && isRef(sum.Y, i) && !mentions(sum.X, i)
}
