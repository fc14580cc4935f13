package compiler

import (
	"go/types"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Atomic operations in nests, for those whose result is not used. Lanes are processed in the order
// of the threads; lanes that update the same integer are combined first. Elements may be in any
// slice, or in the block's shared memory, where no lock is needed.

// atomicOps maps the names in package atomic to the operations of nests.
var atomicOps = map[string]lir.Op{"Add": lir.Add, "Sub": lir.Add, "And": lir.And, "Or": lir.Or, "Xor": lir.Xor, "Min": lir.Min, "Max": lir.Max}

// isAtomic reports whether s is an atomic operation that nests support.
func isAtomic(s Stmt) bool {
	_, _, _, ok := atomicOf(s)
	return ok
}

// atomicOf returns the name of an atomic operation, its element, and its operand.
func atomicOf(s Stmt) (name string, x spot, y Expr, ok bool) {
	do, isDo := s.(*Do)
	if !isDo {
		return "", spot{}, nil, false
	}
	c := do.X
	if len(c.Args) != 2 {
		return "", spot{}, nil, false
	}
	name, found := strings.CutPrefix(c.Name, atomicPath+".")
	a, isAddr := c.Args[0].(*Addr)
	if !found || atomicOps[name] == 0 || !isAddr {
		return "", spot{}, nil, false
	}
	x, ok = spotOf(a.X)
	return name, x, c.Args[1], ok
}

// atomic lowers an atomic operation.
func (l *lowering) atomic(s *Do) {
	name, x, e, ok := atomicOf(s)
	if !ok {
		cannot("%s", statementName(s))
	}
	k := l.kind(x.t)
	if x.t.Underlying() == types.Typ[types.Bool] || smallKind(x.t) != lir.None {
		cannot("an atomic operation on %s", x.t)
	}
	_, _, _, own := l.b.ownAtomic(s.X)
	v := l.value(e, nil)
	if name == "Sub" {
		v = l.op(lir.Instr{Op: lir.Neg, Kind: k}, nil, v)
	}
	update := func(i int, m lir.Mem, y lir.Value, indexed uint64) {
		l.emit(&lir.Instr{Op: lir.Atomic, By: atomicOps[name], Own: own, Free: l.b.k.Fastmath, Kind: k, X: v.at(i), Y: y, Imm: indexed, Mem: m, On: l.mask(i)})
	}
	clear(l.loads)
	if list, ok := l.piecesOf(&Convert{x.ix.I, intType}); ok {
		l.inPieces(list, func(a piece) {
			at, step := l.element(x, a.p, toUpdate)
			for i := range l.width() {
				y := lir.Value(0)
				if step < 0 {
					y = l.strides(k)
				}
				update(i, at(i), y, 0)
			}
		})
		return
	}
	at := l.placed(x, false)
	for i := range l.width() {
		m := at.mem
		m.Part = i % l.parts
		update(i, m, at.index.at(i), 1)
	}
}
