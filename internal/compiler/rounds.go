package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Rounds: a loop that all threads go through together and whose body is one region, such as the loop of a thread
// over its elements turned inside out, or that of a tile whose block has fewer rows. What must hold in each round is
// mostly linear in the loop's variable, as it is in threadIdx.y (see planes), so it is asked for the first round, the
// second and the last; then all of them run in one func, with nothing in between. A reduction whose rows are 1 KiB long does
// a sixth more so, and a transpose in tiles a tenth or more. A body of several regions with barriers between runs so if they
// are no more than calls, as those of a product in tiles are: an eighth of its time was to ask, and to come to the calls.

// mostRounds is how many there may be, so that as many lengths of arrays don't wrap around.
const mostRounds = 1 << 14

// allRounds prints what does all rounds of n at once, if it can be, and leaves none to the loop itself then.
func (b *body) allRounds(n *loop) {
	if b.width == 0 || n.asks || b.partsIn(n.body) || len(n.pre) > 0 || n.s.Cond == nil || len(n.body) == 0 || len(n.post) != 1 {
		return
	}
	var stmts []Stmt
	for _, x := range n.body {
		switch x := x.(type) {
		case *region:
			if len(x.stmts) == 0 || b.isAsk(x) {
				return
			}
			stmts = append(stmts, x.stmts...)
		case *sync:
			if x.s.Dst != nil {
				return
			}
		default:
			return
		}
	}
	c, counts := counterOf(n)
	cond, isCond := n.s.Cond.(*Binary)
	if !counts || !isCond || len(stmts) == 0 {
		return
	}
	// The variable grows by step as long as place, which grows with it, is below limit.
	i, step, place, limit := &VarRef{c.i}, c.step, cond.X, cond.Y
	if cond.Op != token.LSS || !types.Identical(place.Type(), intType) ||
		!b.growsWith(place, i.V) || b.countsWith(step, i.V) || b.countsWith(limit, i.V) {
		return
	}
	for _, e := range []Expr{step, place, limit} {
		if !blockWide(e) || mayPanic(e) || loads(e) {
			return
		}
	}
	for v := range assignedIn(&Block{Body: stmts}) {
		for _, e := range []Expr{step, place, limit} {
			if b.countsWith(e, v) {
				return
			}
		}
	}
	iName := b.expr(i)
	text := func(e Expr) string {
		s := b.intText(e)
		if strings.Contains(s, " ") {
			s = "(" + s + ")"
		}
		return s
	}
	now, end, by := text(place), text(limit), text(step)
	b.firstRound, b.roundStep = uniqueName(b.names, "firstRound"), by
	all, body, phases, ok := b.oneRound(n.body, i.V)
	if !ok {
		return
	}
	name, last, round := uniqueName(b.names, "whole"), uniqueName(b.names, "last"), uniqueName(b.names, "round")
	var conds []string
	if _, isConst := constInt(step); !isConst || !isNumber(by) || len(by) > 9 {
		conds = []string{by + " > 0", by + " <= 1<<31"}
	}
	conds = append(append(conds, now+" >= 0", now+" < "+end, end+" <= 1<<62"), all.whole...)
	b.printf("%s := %s\n", name, fullRows(conds))
	lastRound := fmt.Sprintf("%s + (%s-1-%s)/%s*%s", iName, end, now, by, by)
	if len(n.body) > 1 {
		lastRound = fmt.Sprintf("%s + (%s-%s)/%s*%s - %s", iName, end, now, by, by, by) // the one before, if that is a short one
	}
	b.printf("if %s {\n%s, %s := %s, %s\n", name, b.firstRound, last, iName, lastRound)
	b.printf("%s = %s-%s < %s*%d && %s <= 1<<62\n", name, last, b.firstRound, by, mostRounds, last)
	if len(n.body) > 1 {
		b.printf("%s = %s && %s >= %s\n", name, name, last, b.firstRound)
	}
	if len(all.each) > 0 {
		rows := all.eachRow(b, name)
		if containsWord(codeOf(rows), iName) {
			rows = fmt.Sprintf("for _, %s := range [...]int{%s, min(%s+%s, %s), %s} {\n%s}\n", iName, b.firstRound, b.firstRound, by, last, last, rows)
		}
		b.printf("%s", rows)
	}
	loop := fmt.Sprintf("for ; %s <= %s; %s += %s {\n%s}\n", round, last, round, by, body)
	if text, ok := b.throughTiles(phases, iName, last, by); ok {
		loop = fmt.Sprintf("%s := %s\n%s%s", round, b.firstRound, text, loop)
	} else {
		loop = fmt.Sprintf("for %s := %s%s", round, b.firstRound, strings.TrimPrefix(loop, "for "))
	}
	loop = renamed(loop, iName, round)
	call := b.outline(b.withHeads(loop), "all rounds", []string{b.firstRound, last}, map[string]string{b.firstRound: "int", last: "int"}, nil, nil, "")
	ahead := ""
	if len(n.body) == 1 {
		ahead = all.ahead(b)
		b.around = n.body[0].(*region)
	}
	if ahead != "" {
		ahead = fmt.Sprintf("for ; %s <= %s; %s += %s {\n%s}\n", iName, last, iName, by, ahead)
	} else {
		ahead = fmt.Sprintf("%s = %s + %s\n", iName, last, by)
	}
	b.printf("if %s {\n%s%s}\n}\n", name, call, ahead)
}

// oneRound prints what a block does in a round of a loop whose body is list and whose variable is i. all is the plane
// of that, or what several need together, and phases has the text of each if there are several.
func (b *body) oneRound(list []node, i *Var) (all *plane, text string, phases []phase, ok bool) {
	defer func() { b.r = nil }()
	if len(list) == 1 {
		b.r = list[0].(*region)
		all, ok = b.planeOf(b.r, i, 0, 0)
		if !ok {
			return nil, "", nil, false
		}
		return all, all.loop(b), nil, true
	}
	if !slices.ContainsFunc(list, func(x node) bool { r, ok := x.(*region); return ok && (b.mayAddProducts(r) || b.addsProducts(r)) }) {
		return nil, "", nil, false
	}
	all = &plane{round: i}
	for _, x := range list {
		r, isRegion := x.(*region)
		if !isRegion {
			text += "p.Barrier()\n"
			continue
		}
		b.r = r
		pl, call, ok := b.callsOf(r, i)
		if !ok {
			return nil, "", nil, false
		}
		text += call
		phases = append(phases, phase{call, pl.fills})
		all.rows = all.rows || pl.rows
		for _, c := range pl.whole {
			if !slices.Contains(all.whole, c) {
				all.whole = append(all.whole, c)
			}
		}
		for _, c := range pl.each {
			if !slices.Contains(all.each, c) {
				all.each = append(all.each, c)
			}
		}
	}
	return all, text, phases, true
}

// callsOf prints what a block does in r, in a round of a loop whose variable is i, if that is no more than calls.
func (b *body) callsOf(r *region, i *Var) (pl *plane, text string, ok bool) {
	if pl, ok = b.planeOf(r, i, 0, 0); ok {
		if text, ok = pl.copies(b, b.stripBody(pl.st)); ok {
			return pl, text, true
		}
	}
	if b.width == 32 {
		return b.rowsOf(r, b.onePart(r), i)
	}
	few := productRows[len(productRows)-1]
	if pl, ok = b.productsOf(r, nil, i, few); !ok {
		return nil, "", false
	}
	text = pl.loop(b)
	for _, rows := range slices.Backward(productRows[:len(productRows)-1]) {
		if more, ok := b.productsOf(r, pl, i, rows); ok {
			text = fmt.Sprintf("if dimY%%%d == 0 {\n%s} else {\n%s}\n", rows, more.loop(b), text)
		}
	}
	return pl, text, true
}

// A counter is a variable that grows by step in each round of a loop.
type counter struct {
	i    *Var
	step Expr
}

// counterOf returns the counter of a loop of the block, if it has one.
func counterOf(n *loop) (counter, bool) {
	if len(n.post) != 1 {
		return counter{}, false
	}
	post, ok := n.post[0].(*once)
	if !ok || len(post.stmts) != 1 {
		return counter{}, false
	}
	a, ok := post.stmts[0].(*Assign)
	if !ok || len(a.L) != 1 || a.L[0] == nil {
		return counter{}, false
	}
	i, ok := a.L[0].(*VarRef)
	sum, isSum := a.R.(*Binary)
	if !ok || !isSum || sum.Op != token.ADD || !sameExpr(sum.X, i) || !i.V.common || i.V.addr || !types.Identical(i.V.Type, intType) ||
		!blockWide(sum.Y) || mayPanic(sum.Y) || loads(sum.Y) {
		return counter{}, false
	}
	return counter{i.V, sum.Y}, true
}
