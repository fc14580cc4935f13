package compiler

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Integers that are products of places and counters, such as dx*dx + dy*dy in a filter. They have no steady distance from thread to thread, or from
// round to round, and are computed as vectors; arithmetic modulo 2^32 or 2^64 gives what Go gives if the result is in range.

// bent returns the part of p that has products of places and counters, and the rest.
func (p poly) bent() (products, rest poly) {
	products, rest = poly{}, poly{}
	for m, n := range p {
		if varying := varyingFactors(m); len(varying) > 1 {
			products[m] = n
		} else {
			rest[m] = n
		}
	}
	return products, rest
}

// isBent reports whether p has products of places and counters.
func (p poly) isBent() bool {
	products, _ := p.bent()
	return len(products) > 0
}

// varyingFactors returns the factors of a product that differ between threads, rows or rounds.
func varyingFactors(m string) (list []string) {
	for f := range strings.SplitSeq(m, "*") {
		if m != "" && !(poly{f: 1}).ofRow() {
			list = append(list, f)
		}
	}
	return list
}

// uniformPart returns the product of the other factors and n.
func uniformPart(m string, n int64) poly {
	var list []string
	for f := range strings.SplitSeq(m, "*") {
		if m != "" && (poly{f: 1}).ofRow() {
			list = append(list, f)
		}
	}
	return poly{strings.Join(list, "*"): n}
}

// productsOf is p, which has products and nothing else, as a vector.
func (l *lowering) productsOf(p poly, k lir.Kind) operand {
	var sum operand
	for _, m := range slices.Sorted(maps.Keys(p)) {
		term := l.sequence(uniformPart(m, p[m]), k)
		for _, f := range varyingFactors(m) {
			if strings.HasPrefix(f, "q") {
				cannot("a product with a quotient")
			}
			term = l.op(lir.Instr{Op: lir.Mul, Kind: k}, nil, term, l.sequence(poly{f: 1}, k))
		}
		if sum == nil {
			sum = term
		} else {
			sum = l.op(lir.Instr{Op: lir.Add, Kind: k}, nil, sum, term)
		}
	}
	return sum
}

// hullOfProducts returns Go for the least and the largest value, or less and more, of products. Their factors are small enough for that not to wrap around.
func (l *lowering) hullOfProducts(p poly) (lo, hi string) {
	var los, his []string
	for _, m := range slices.Sorted(maps.Keys(p)) {
		factors := varyingFactors(m)
		if len(factors) > 3 {
			cannot("a product of many counters")
		}
		same := uniformPart(m, p[m])
		l.small(same, 1)
		text := l.syms.text(same)
		l.check(fmt.Sprintf("%s.Small(%s, 20)", l.b.rt(), text))
		least, most := text, text
		for _, f := range factors {
			a, b := l.hull(poly{f: 1})
			l.check(fmt.Sprintf("%s.Small(%s, 13) && %s.Small(%s, 13)", l.b.rt(), a, l.b.rt(), b))
			all := fmt.Sprintf("(%s)*(%s), (%s)*(%s), (%s)*(%s), (%s)*(%s)", least, a, least, b, most, a, most, b)
			least, most = l.local("least", "min("+all+")"), l.local("most", "max("+all+")")
		}
		los, his = append(los, least), append(his, most)
	}
	return strings.Join(los, " + "), strings.Join(his, " + ")
}
