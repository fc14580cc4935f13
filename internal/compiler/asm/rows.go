package asm

import "github.com/gocuda/gocuda/internal/compiler/lir"

// The order of a plane. A form executes the rows of a plane for one strip of columns after the
// other, so that what does not differ from row to row is computed once a strip. Where nothing is, a
// form executes all of its strips of one row before the next row (loop interchange for spatial
// locality; Wolf and Lam, A Data Locality Optimizing Algorithm, 1991): the hardware prefetcher
// follows a row, and rows that are a power of two bytes apart don't compete for the same sets of the
// first cache.

// byRows reports whether a form executes one row after the other. A form for strips anywhere does not
// if there is one for strips away from the edges: it would execute those too.
func (e *Emitter) byRows(n *lir.Nest) bool {
	last := len(n.Body) - 1
	if last < 0 || e.inside && n.Inside == [2]int{} || n.Masked || n.Lanes != 0 || n.Fails() || n.Tiles > 0 || hasLoop(n.Body[:last]) {
		return false
	}
	rows, ok := n.Body[last].(*lir.Loop)
	if !ok || hasLoop(rows.Body) || len(rows.While) > 0 {
		return false
	}
	for g, of := range n.Groups {
		if e.usedAt(n.Body, g, true) && (e.target.PerLane(g) || of.Stride != 0) {
			return false
		}
	}
	before := map[lir.Value]bool{}
	for _, x := range n.Body[:last] {
		i, ok := x.(*lir.Instr)
		if !ok || !sameForStrips(i) {
			return false
		}
		before[i.Dst] = true
	}
	// A variable that goes from iteration to iteration, as the sum of a thread's own loop, is one of
	// the strip.
	carried := false
	lir.Walk(rows.Body, func(i *lir.Instr) { carried = carried || i.Dst != 0 && before[i.Dst] })
	return !carried
}

// sameForStrips reports whether an instruction has the same result for all strips if its operands have.
func sameForStrips(i *lir.Instr) bool {
	switch i.Op {
	case lir.Const, lir.Arg:
		return true
	case lir.Broadcast:
		return i.Mem.Uniform
	case lir.Index, lir.Within, lir.Whole, lir.Div, lir.Strides:
		return false
	}
	return !i.InMemory() && !i.Stores() && i.Mem == (lir.Mem{})
}
