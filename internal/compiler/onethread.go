package compiler

import (
	"fmt"
	"go/token"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// One thread (pass onethread): a branch that one thread of a row takes to copy elements, as the first one of a
// tile with a halo does,
//
//	if tx == 0 && x > 0 {
//		tile[ty+1][0] = in[y*w+x-1]
//	}
//
// needs neither masks nor gathers: what depends on the thread's index is uniform then. A strip without that thread
// jumps over the branch.

// oneThread lowers such a branch; it returns false if s is none.
func (l *lowering) oneThread(cond Expr, then, otherwise []Stmt) bool {
	if len(otherwise) > 0 || l.single() || l.b.off("onethread") || l.across != nil || !l.everywhere() || l.leaving != nil || l.swap || len(l.promoted)+len(l.tiles) > 0 {
		return false
	}
	list := terms(cond)
	at, first := poly(nil), -1
	for i, t := range list {
		if b, ok := t.(*Binary); ok && b.Op == token.EQL && isInteger(b.X.Type()) {
			if at = l.threadWhere(b); at != nil {
				first = i
				break
			}
		}
	}
	if at == nil || !l.copiesAt(then, at) {
		return false
	}
	var rest []poly // which are positive where the other conditions hold
	for i, t := range list {
		if i == first {
			continue
		}
		d, op, ok := l.difference(t)
		if d = d.with(laneSymbol, at); !ok || op == token.NEQ || d.isBent() || d.hasQuotient() || d.has(rowSymbol) && l.jam > 1 {
			return false
		}
		rest = append(rest, positive(d, op)...)
	}
	many := int64(l.parts * l.ofMachine().lanes)
	text := l.syms.text(at)
	conds := []lir.Scalar{l.inStrip(at.plus(number(1), 1), -1), l.inStrip(number(many).plus(at, -1), 1)}
	if l.masked {
		conds = append(conds, lir.Scalar{Off: l.arg("int", fmt.Sprintf("‹many› + ‹lo› - (%s)", text))})
	}
	texts := []string{fmt.Sprintf("(‹lo› <= %s && %[1]s < ‹hi›)", text)}
	in := lanes{exact: true}
	for _, p := range rest {
		conds = append(conds, l.scalar(p, 0))
		if p.ofRow() {
			texts = append(texts, "("+l.syms.text(p)+" > 0)")
		} else {
			in = overlap(in, l.rowsOf(p))
		}
	}
	l.small(at, 0)
	l.b.k.works("onethread")
	clear(l.loads)
	l.together(conds, texts, in, nil, func() {
		on := l.on
		l.on = nil
		for _, s := range then {
			l.copyAt(s.(*Assign), at)
		}
		l.on = on
	}, nil, func() {})
	clear(l.loads)
	return true
}

// threadWhere returns the index of the thread for which two integers are equal, the same in all rows, or nil.
func (l *lowering) threadWhere(b *Binary) poly {
	p, okP := l.polyOf(&Convert{b.X, intType})
	q, okQ := l.polyOf(&Convert{b.Y, intType})
	if !okP || !okQ || !l.unwrapped(p, q) {
		return nil
	}
	factor, rest, ok := p.plus(q, -1).by(laneSymbol)
	n, isConst := factor.constant()
	if !ok || !isConst || n != 1 && n != -1 || !rest.ofRow() {
		return nil
	}
	if n == 1 {
		return poly{}.plus(rest, -1)
	}
	return rest
}

// copiesAt reports whether statements only copy elements, or store what is uniform, if the thread's index is at.
func (l *lowering) copiesAt(list []Stmt, at poly) bool {
	l.quiet++
	l.only = at
	defer func() { l.quiet, l.only = l.quiet-1, nil }()
	uniform := func(e Expr) bool {
		p, ok := l.polyOf(&Convert{e, intType})
		return ok && !p.isBent() && !p.has(laneSymbol)
	}
	place := func(e Expr) bool {
		x, ok := spotOf(e)
		if !ok || isBool(x.t) || !basic(x.t) || elem(x.t) == "" || !l.isKernels(x.ix.X) || isUnsigned64(x.ix.I.Type()) || l.inRows(x.ix.X) != nil {
			return false
		}
		for _, in := range x.inner {
			ok = ok && uniform(in.i)
		}
		return ok && uniform(x.ix.I)
	}
	for _, s := range list {
		a, ok := s.(*Assign)
		if !ok || a.Def || len(a.L) != 1 || a.L[0] == nil || !place(a.L[0]) || !l.ofRow(a.R) && !place(a.R) {
			return false
		}
	}
	return len(list) > 0
}

// copyAt lowers such a statement.
func (l *lowering) copyAt(s *Assign, at poly) {
	l.only = at
	defer func() { l.only = nil }()
	memory := func(e Expr) (x spot, mem func(i int) lir.Mem, p poly) {
		x, _ = spotOf(e)
		p, _ = l.polyOf(&Convert{x.ix.I, intType})
		mem, _ = l.element(x, p, toRead) // as what all threads read, which is checked whatever the mask is
		return x, mem, l.placeInArrays(x, p)
	}
	var value operand
	if l.ofRow(s.R) {
		value = l.value(s.R, nil)
	} else {
		x, mem, p := memory(s.R)
		k, from := l.memKind(x.t)
		value = l.elements(p, 0, func(i int) lir.Instr {
			return lir.Instr{Op: lir.Broadcast, Kind: k, From: from, Mem: mem(i)}
		})
	}
	x, mem, _ := memory(s.L[0])
	k, from := l.memKind(x.t)
	one := l.n.New(lir.Mask) // the first lane
	l.emit(&lir.Instr{Op: lir.Within, Kind: lir.Mask, Dst: one, Bounds: [2]lir.Scalar{{Off: l.arg("int", "0"), Strip: 1}, {Off: l.arg("int", "1"), Strip: 1}}})
	for j := range l.jam {
		l.emit(&lir.Instr{Op: lir.Store, Kind: k, From: from, X: value.at(j * l.parts), Mem: mem(j * l.parts), On: one})
	}
}
