package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
)

// Rounds: a loop that all threads go through together and whose body is one region, such as the loop of a thread
// over its elements turned inside out, or that of a tile whose block has fewer rows. What must hold in each round is
// mostly linear in the loop's variable, as it is in threadIdx.y (see planes), so it is asked for the first round, the
// second and the last; then all of them run in one func, with nothing in between. A reduction whose rows are 1 KiB long does
// a sixth more so, and a transpose in tiles a tenth or more.

// mostRounds is how many there may be, so that as many lengths of arrays don't wrap around.
const mostRounds = 1 << 14

// allRounds prints what does all rounds of n at once, if it can be, and leaves none to the loop itself then.
func (b *body) allRounds(n *loop) {
	if b.width == 0 || n.asks || b.partsIn(n.body) || len(n.pre) > 0 || n.s.Cond == nil || len(n.body) != 1 || len(n.post) != 1 {
		return
	}
	r, ok := n.body[0].(*region)
	c, counts := counterOf(n)
	cond, isCond := n.s.Cond.(*Binary)
	if !ok || !counts || !isCond || len(r.stmts) == 0 || b.isAsk(r) {
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
	for v := range assignedIn(&Block{Body: r.stmts}) {
		for _, e := range []Expr{step, place, limit} {
			if b.countsWith(e, v) {
				return
			}
		}
	}
	b.r = r
	defer func() { b.r = nil }()
	b.firstRound = uniqueName(b.names, "firstRound")
	pl, ok := b.planeOf(r, i.V, 0)
	if !ok {
		return
	}
	name, last, round := uniqueName(b.names, "whole"), uniqueName(b.names, "last"), uniqueName(b.names, "round")
	iName := b.expr(i)
	text := func(e Expr) string {
		s := b.intText(e)
		if strings.Contains(s, " ") {
			s = "(" + s + ")"
		}
		return s
	}
	now, end, by := text(place), text(limit), text(step)
	var conds []string
	if _, isConst := constInt(step); !isConst || !isNumber(by) || len(by) > 9 {
		conds = []string{by + " > 0", by + " <= 1<<31"}
	}
	conds = append(append(conds, now+" >= 0", now+" < "+end, end+" <= 1<<62"), pl.whole...)
	b.printf("%s := %s\n", name, fullRows(conds))
	b.printf("if %s {\n%s, %s := %s, %s + (%s-1-%s)/%s*%s\n", name, b.firstRound, last, iName, iName, end, now, by, by)
	b.printf("%s = %s-%s < %s*%d && %s <= 1<<62\n", name, last, b.firstRound, by, mostRounds, last)
	if len(pl.each) > 0 {
		b.printf("for _, %s := range [...]int{%s, min(%s+%s, %s), %s} {\n%s}\n", iName, b.firstRound, b.firstRound, by, last, last, pl.eachRow(b, name))
	}
	body := renamed(pl.loop(b), iName, round)
	loop := fmt.Sprintf("for %s := %s; %s <= %s; %s += %s {\n%s}\n", round, b.firstRound, round, last, round, by, body)
	call := b.outline(b.withHeads(loop), "all rounds", []string{b.firstRound, last}, map[string]string{b.firstRound: "int", last: "int"}, nil, nil, "")
	ahead := pl.ahead(b)
	if ahead != "" {
		ahead = fmt.Sprintf("for ; %s <= %s; %s += %s {\n%s}\n", iName, last, iName, by, ahead)
	} else {
		ahead = fmt.Sprintf("%s = %s + %s\n", iName, last, by)
	}
	b.printf("if %s {\n%s%s}\n}\n", name, call, ahead)
	b.around = r
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

// renamed gives a variable another name.
func renamed(text, name, to string) string {
	out := ""
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "//line ") {
			line = replaceWord(line, name, to)
		}
		out += line
	}
	return out
}
