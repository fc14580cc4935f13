package compiler

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// Facts: comparisons of integers that hold for all threads that are on, since the branch that they are in is taken where they do. They bound
// indices that differ from what is compared by what all threads of the row have in common: after i+w < len(x), x[i+w] is in range whatever
// round i counts.

// A fact is an integer that is positive.
type fact poly

// factsOf returns what is known where a condition holds.
func (l *lowering) factsOf(cond Expr) (facts []fact) {
	for _, t := range terms(cond) {
		d, op, ok := l.difference(t)
		if !ok || op == token.NEQ || d.ofRow() {
			continue
		}
		for _, p := range positive(d, op) {
			facts = append(facts, fact(p))
		}
	}
	return facts
}

// given does something while facts hold.
func (l *lowering) given(facts []fact, do func()) {
	before := len(l.facts)
	l.facts = append(l.facts, facts...)
	do()
	l.facts = l.facts[:before]
}

// givenToAll does something while facts hold that all threads have in common: also for what is done whatever the mask is.
func (l *lowering) givenToAll(facts []fact, do func()) {
	before := len(l.sureFacts)
	l.sureFacts = append(l.sureFacts, facts...)
	l.given(facts, do)
	l.sureFacts = l.sureFacts[:before]
}

// below returns Go for that an index is below a limit, as facts have it, or "".
func (l *lowering) below(p poly, limit string) string {
	most, conds, ok := l.atMost(p, l.facts, mostFacts)
	if !ok {
		return ""
	}
	end := most.plus(number(1), 1)
	l.small(end, 0)
	if text := l.syms.text(end); strings.Trim(text, "()") != strings.Trim(limit, "()") {
		conds = append(conds, fmt.Sprintf("%s <= %s", text, limit))
	}
	return conjoined(conds)
}

// notNegative returns Go for that an index is not negative, as facts have it, or "".
func (l *lowering) notNegative(p poly) string {
	most, conds, ok := l.atMost(poly{}.plus(p, -1), l.facts, mostFacts)
	if !ok {
		return ""
	}
	if n, isConst := most.constant(); !isConst || n > 0 {
		l.small(most, 0)
		conds = append(conds, fmt.Sprintf("%s <= 0", l.syms.text(most)))
	}
	return conjoined(conds)
}

// mostFacts is how many facts bound an index together: one for each of its coordinates.
const mostFacts = 3

// atMost returns something that p is not larger than and that all threads of the row have in common, as facts have it, and conditions for that: with
// y < h and x < w, w*y + x is at most w*(h-1) + w-1 if w is not negative.
func (l *lowering) atMost(p poly, facts []fact, depth int) (most poly, conds []string, ok bool) {
	differs := p.differing()
	if len(differs) == 0 {
		return p, nil, true
	}
	if depth == 0 {
		return nil, nil, false
	}
	for i, f := range facts {
		for _, symbol := range differs {
			n, isThere := f[symbol]
			if !isThere || n != 1 && n != -1 {
				continue
			}
			times, _, isLinear := p.by(symbol)
			times = times.times(number(-n))
			if m, isConst := times.constant(); !isLinear || !times.ofRow() || isConst && m <= 0 {
				continue
			}
			// f is at least 1, so p is at most p + times*(f-1), if times is not negative.
			next := p.plus(times.times(poly(f).plus(number(1), -1)), 1)
			if len(next.differing()) >= len(differs) {
				continue
			}
			most, conds, ok = l.atMost(next, slices.Delete(slices.Clone(facts), i, i+1), depth-1)
			if !ok || l.tooLarge(most, 0) != "" || l.tooLarge(times, 1) != "" {
				continue
			}
			if _, isConst := times.constant(); !isConst {
				l.small(times, 1)
				conds = append(conds, fmt.Sprintf("%s >= 0", l.syms.text(times)))
			}
			return most, conds, true
		}
	}
	return nil, nil, false
}

// conjoined is Go for that all of some conditions hold.
func conjoined(conds []string) string {
	if len(conds) == 0 {
		return "true"
	}
	return strings.Join(conds, " && ")
}

// either is Go for that one of two conditions holds, of which the first may be "", which does not, or "true".
func either(first, second string) string {
	switch first {
	case "":
		return second
	case "true":
		return first
	}
	if strings.Contains(first, " && ") {
		first = "(" + first + ")"
	}
	return fmt.Sprintf("(%s || %s)", first, second)
}
