package compiler

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// Facts: comparisons of integers that hold for all active threads, because they are conditions of
// enclosing branches. They replace bounds checks of indices that differ from the compared integer
// by a uniform amount: under i+w < len(x), x[i+w] is in range in every iteration.

// A fact is a polynomial that is positive.
type fact poly

// factsOf returns the facts that follow from a condition.
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

// given calls do under additional facts.
func (l *lowering) given(facts []fact, do func()) {
	before := len(l.facts)
	l.facts = append(l.facts, facts...)
	do()
	l.facts = l.facts[:before]
}

// givenToAll calls do under additional facts about all threads, which hold for masked code as well.
func (l *lowering) givenToAll(facts []fact, do func()) {
	before := len(l.sureFacts)
	l.sureFacts = append(l.sureFacts, facts...)
	l.given(facts, do)
	l.sureFacts = l.sureFacts[:before]
}

// below returns a Go condition that, given the facts, implies p < limit; "" if the facts don't
// bound p.
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

// notNegative returns a Go condition that, given the facts, implies p >= 0; "" if the facts don't
// bound p.
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

// mostFacts is the largest number of facts that bound an index together: one per coordinate.
const mostFacts = 3

// atMost returns a uniform upper bound of p that follows from facts, and the conditions under which
// it does. With y < h and x < w, w*y + x is at most w*(h-1) + w-1 if w is not negative.
func (l *lowering) atMost(p poly, facts []fact, depth int) (most poly, conds []string, ok bool) {
	differs := p.differing()
	if len(differs) == 0 {
		return p, nil, true
	}
	if depth == 0 {
		return nil, nil, false
	}
	// Factors such as a width are positive: facts that are of use then come first.
	for _, likely := range []bool{true, false} {
		for i, f := range facts {
			for _, symbol := range differs {
				n, isThere := f[symbol]
				if !isThere || n != 1 && n != -1 {
					continue
				}
				times, _, isLinear := p.by(symbol)
				times = times.times(number(-n))
				if m, isConst := times.constant(); !isLinear || !times.ofRow() || isConst && m <= 0 || times.natural() != likely {
					continue
				}
				// f is at least 1, so p <= p + times*(f-1) if times is not negative.
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
	}
	return nil, nil, false
}

// natural reports whether p has no negative coefficients.
func (p poly) natural() bool {
	for _, n := range p {
		if n < 0 {
			return false
		}
	}
	return true
}

// conjoined is the conjunction of Go conditions.
func conjoined(conds []string) string {
	if len(conds) == 0 {
		return "true"
	}
	return strings.Join(conds, " && ")
}

// either is the disjunction of two Go conditions. The first may be "" for false, or "true".
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
