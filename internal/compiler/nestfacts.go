package compiler

import (
	"fmt"
	"go/token"
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
	for _, f := range l.facts {
		if rest := poly(f).plus(p, 1); rest.ofRow() {
			l.small(rest, 0)
			text := l.syms.text(rest)
			if strings.Trim(text, "()") == strings.Trim(limit, "()") {
				return "true"
			}
			return fmt.Sprintf("%s <= %s", text, limit)
		}
	}
	return ""
}

// notNegative returns Go for that an index is not negative, as facts have it, or "".
func (l *lowering) notNegative(p poly) string {
	for _, f := range l.facts {
		if rest := poly(f).plus(p, -1); rest.ofRow() {
			if n, isConst := rest.constant(); isConst && n <= 1 {
				return "true"
			}
			l.small(rest, 0)
			return fmt.Sprintf("%s <= 1", l.syms.text(rest))
		}
	}
	return ""
}

// either is Go for that one of two conditions holds, of which the first may be "", which does not, or "true".
func either(first, second string) string {
	switch first {
	case "":
		return second
	case "true":
		return first
	}
	return fmt.Sprintf("(%s || %s)", first, second)
}
