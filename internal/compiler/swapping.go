package compiler

import (
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Partners in butterflies, as in
//
//	partner := tid ^ distance
//	if partner > tid { ... s[partner] ... }
//
// The lanes of a vector whose threads begin at a multiple of their number access the same elements as an aligned
// vector, in another order. So a load of that vector and a permutation take the place of a gather, and a permutation
// and a store that of a scatter.

// swapping notes that o is a ^ b, if one of them is the thread's index plus a uniform value and the other is uniform.
func (l *lowering) swapping(o operand, a, b counted) {
	if a.vec != nil || b.vec != nil || l.only != nil || l.single() {
		return
	}
	p := a.p
	if p.ofRow() {
		p = b.p
	} else if !b.p.ofRow() {
		return
	}
	factor, rest, ok := p.by(laneSymbol)
	if n, isConst := factor.constant(); !ok || !isConst || n != 1 || !rest.ofRow() {
		return
	}
	if l.swaps == nil {
		l.swaps = map[lir.Value]string{}
	}
	l.swaps[o[0]] = fmt.Sprintf("(%s + ‹lo›)&%d == 0", l.syms.text(rest), mostLanes-1)
}

// mostLanes is the largest number of lanes of 4 bytes, and a multiple of those of 8.
const mostLanes = 16

// swappedIf returns the argument that says whether an access at these offsets swaps the elements of aligned vectors, or 0
// if it is not known to be such.
func (l *lowering) swappedIf(at located, k, from lir.Kind) int {
	aligned, ok := l.swaps[at.index[0]]
	if !ok || from != lir.None || k.Size() != l.n.Size {
		return 0
	}
	return l.arg("int", l.local("aligned", fmt.Sprintf("%s.Bit(%s)", l.b.rt(), aligned)))
}

// sameOrder returns a copy of vectors that holds what swapping knows of them.
func (l *lowering) sameOrder(from, to operand) operand {
	if text, ok := l.swaps[from[0]]; ok && !slices.Equal(from, to) {
		l.swaps[to[0]] = text
	}
	return to
}
