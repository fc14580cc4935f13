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

// implies reports whether g follows from f, if sizes such as a width are positive and larger than the
// constants beside them: x-w >= 0 implies x >= 0. The answer serves as a guess of which fact is of use.
func (f fact) implies(g fact) bool {
	rest := poly(g).plus(poly(f), -1)
	if n, isConst := rest.constant(); isConst {
		return n >= 0
	}
	delete(rest, "")
	return rest.ofRow() && rest.natural()
}

// strongest returns facts without those that others imply.
func strongest(facts []fact) []fact {
	var out []fact
	for i, g := range facts {
		implied := false
		for j, f := range facts {
			implied = implied || i != j && f.implies(g) && (j > i || !g.implies(f))
		}
		if !implied {
			out = append(out, g)
		}
	}
	return out
}

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
	most, conds, ok := l.atMostByFacts(p)
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
	most, conds, ok := l.atMostByFacts(poly{}.plus(p, -1))
	if !ok {
		return ""
	}
	if n, isConst := most.constant(); !isConst || n > 0 {
		l.small(most, 0)
		conds = append(conds, fmt.Sprintf("%s <= 0", l.syms.text(most)))
	}
	return conjoined(conds)
}

// atMostByFacts is atMost for the facts about the active threads, and if these don't suffice alone, for the
// conditions that became bounds of rows and planes as well.
func (l *lowering) atMostByFacts(p poly) (most poly, conds []string, ok bool) {
	most, conds, ok = l.atMost(p, strongest(l.facts), mostFacts)
	if ok || len(l.facts) == 0 {
		return most, conds, ok
	}
	return l.atMost(p, strongest(slices.Concat(l.facts, l.guardFacts())), mostFacts)
}

// mostFacts is the largest number of facts that bound an index together: one per coordinate.
const mostFacts = 3

// atMost returns a uniform upper bound of p that follows from facts, and the conditions under which
// it does. With y < h and x < w, w*y + x is at most w*(h-1) + w-1 if w is not negative.
func (l *lowering) atMost(p poly, facts []fact, depth int) (most poly, conds []string, ok bool) {
	if len(p.differing()) == 0 {
		return p, nil, true
	}
	if depth == 0 {
		return nil, nil, false
	}
	for _, b := range l.boundsBy(p, facts) {
		most, conds, ok = l.atMost(b.p, b.facts, depth-1)
		if !ok || l.tooLarge(most, 0) != "" || l.tooLarge(b.times, 1) != "" {
			continue
		}
		return most, l.ifNatural(b.times, conds), true
	}
	return nil, nil, false
}

// A bound is an upper bound of a polynomial by times a fact, which has fewer differing symbols.
type bound struct {
	p, times poly
	facts    []fact // the others
}

// boundsBy returns the bounds of p by a fact. Factors such as a width are positive: facts that are of use
// then come first.
func (l *lowering) boundsBy(p poly, facts []fact) (out []bound) {
	differs := p.differing()
	for _, likely := range []bool{true, false} {
		for i, f := range facts {
			for _, symbol := range differs {
				factor, _, isLinear := p.by(symbol)
				of, _, isFactor := poly(f).by(symbol)
				if !isLinear || !isFactor {
					continue
				}
				times, isTimes := factor.over(of.times(number(-1)))
				if m, isConst := times.constant(); !isTimes || !times.ofRow() || isConst && m <= 0 || times.natural() != likely {
					continue
				}
				// f is at least 1, so p <= p + times*(f-1) if times is not negative.
				next := p.plus(times.times(poly(f).plus(number(1), -1)), 1)
				if len(next.differing()) < len(differs) {
					out = append(out, bound{next, times, slices.Delete(slices.Clone(facts), i, i+1)})
				}
			}
		}
	}
	return out
}

// ifNatural adds the condition that a factor is not negative.
func (l *lowering) ifNatural(times poly, conds []string) []string {
	if _, isConst := times.constant(); isConst {
		return conds
	}
	l.small(times, 1)
	return append(conds, fmt.Sprintf("%s >= 0", l.syms.text(times)))
}

// mostByFact returns a Go condition that, given one of the facts, implies p < limit for all threads
// and iterations; "" if no fact is of use.
func (l *lowering) mostByFact(p poly, limit string) string {
	for _, b := range l.boundsBy(p, strongest(l.facts)) {
		if !b.times.natural() || l.tooLarge(b.p, 1) != "" || l.tooLarge(b.times, 1) != "" {
			continue
		}
		_, most := l.hull(b.p)
		return conjoined(l.ifNatural(b.times, []string{most + " < " + limit}))
	}
	return ""
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
	return joined(conds)
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
