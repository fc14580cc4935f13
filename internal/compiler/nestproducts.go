package compiler

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Integers that are products of indices and counters, such as dx*dx + dy*dy in a filter. Their step
// from thread to thread, or from iteration to iteration, is not constant, so they are computed as
// vectors. Arithmetic is modulo 2^32 or 2^64, which equals Go's result if that is in range.

// bent splits p into the products of at least two indices or counters, and the rest.
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

// isBent reports whether p contains a product of indices or counters.
func (p poly) isBent() bool {
	products, _ := p.bent()
	return len(products) > 0
}

// varyingFactors returns the factors of a product that differ between threads, rows or iterations.
func varyingFactors(m string) (list []string) {
	for f := range strings.SplitSeq(m, "*") {
		if m != "" && !(poly{f: 1}).ofRow() {
			list = append(list, f)
		}
	}
	return list
}

// uniformPart returns n times the uniform factors of a product.
func uniformPart(m string, n int64) poly {
	var list []string
	for f := range strings.SplitSeq(m, "*") {
		if m != "" && (poly{f: 1}).ofRow() {
			list = append(list, f)
		}
	}
	return poly{strings.Join(list, "*"): n}
}

// productsOf computes p, all of whose terms are such products, as a vector.
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

// hullOfProducts returns Go expressions for a lower and an upper bound of p, a sum of products.
// Checks keep the factors small enough for the bounds not to wrap around.
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
