package compiler

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Scalar promotion: an element that each thread adds to in a loop, as in c[i*n+j] += a[i*n+k]*b[k*n+j], is in a register while the loop
// runs, if no other access of the loop can be to the same memory. That is known of the same slice if all indices are the same one; of
// other slices it is asked before the nest is entered (Callahan, Carr and Kennedy, 1990, call it scalar replacement).

// A promoted is an element that has a register.
type promoted struct {
	x   *Index
	key string
	reg operand
}

// elementKey is the same for elements of the same slice and index.
func (l *lowering) elementKey(x *Index) (string, bool) {
	ref, ok := x.X.(*VarRef)
	if !ok {
		return "", false
	}
	p, ok := l.polyOf(&Convert{x.I, intType})
	if !ok {
		return "", false
	}
	return ref.V.Name + "|" + p.key(), true
}

// promotable returns the elements that a loop stores, in every round, and that can be promoted around it. The counter of the loop is
// known.
func (l *lowering) promotable(s *For, counter string) []*promoted {
	var list []*promoted
	slices := map[*Var]string{} // the key of all accesses, or "" if there are several
	simple := true
	walk(s.Body, func(x Stmt) {
		exprs(x, func(e Expr) {
			walkExpr(e, func(y Expr) {
				ix, ok := y.(*Index)
				if !ok {
					return
				}
				ref, ok := ix.X.(*VarRef)
				if !ok || !isSlice(ix.X.Type()) {
					simple = false
					return
				}
				key, ok := l.elementKey(ix)
				if !ok { // an index of the body's own
					key = ""
				}
				if before, seen := slices[ref.V]; seen && before != key {
					key = ""
				}
				slices[ref.V] = key
			})
		})
	})
	if !simple {
		return nil
	}
	for _, x := range s.Body {
		a, ok := x.(*Assign)
		if !ok || len(a.L) != 1 {
			continue
		}
		ix, ok := a.L[0].(*Index)
		if !ok {
			continue
		}
		ref, ok := ix.X.(*VarRef)
		if !ok || slices[ref.V] == "" || !ref.V.Shape.uniform() {
			continue
		}
		p, _ := l.polyOf(&Convert{ix.I, intType})
		along, _, ok := p.by(counter)
		lane, _, okLane := p.by(laneSymbol)
		if n, isConst := lane.constant(); !ok || len(along) > 0 || !okLane || !isConst || n != 1 || l.promotedAt(slices[ref.V]) != nil {
			continue
		}
		list = append(list, &promoted{x: ix, key: slices[ref.V]})
		for other := range slices {
			if other != ref.V {
				l.check(fmt.Sprintf("%s.Apart(%s, %s)", l.b.core(), ref.V.Name, other.Name))
			}
		}
	}
	return list
}

// promotedAt returns the register of an element that has one.
func (l *lowering) promotedAt(key string) operand {
	for _, p := range l.promoted {
		if p.key == key {
			return p.reg
		}
	}
	return nil
}

// around lowers a loop, by do, with elements in registers, which are loaded before it and stored behind it if it has rounds.
func (l *lowering) around(list []*promoted, trips string, do func()) {
	if len(list) == 0 {
		do()
		return
	}
	w := &lir.When{Off: l.arg("int", fmt.Sprintf("%s.Bit(%s > 0)", l.b.core(), trips))}
	outer := l.list
	l.list = &w.Then
	l.whens = append(l.whens, fmt.Sprintf("(%s > 0)", trips))
	before := len(l.promoted)
	for _, p := range list {
		k := l.kind(p.x.T)
		m, _ := l.element(p.x)
		p.reg = make(operand, l.parts)
		for part := range p.reg {
			p.reg[part] = l.n.New(k)
			m.Part = part
			l.emit(&lir.Instr{Op: lir.Load, Kind: k, Dst: p.reg[part], Mem: m, On: l.mask(part)})
		}
		l.promoted = append(l.promoted, p)
	}
	do()
	l.promoted = l.promoted[:before]
	for _, p := range list {
		k := l.kind(p.x.T)
		m, _ := l.element(p.x)
		for part := range p.reg {
			m.Part = part
			l.emit(&lir.Instr{Op: lir.Store, Kind: k, X: p.reg[part], Mem: m, On: l.mask(part)})
		}
	}
	l.whens = l.whens[:len(l.whens)-1]
	l.list = outer
	clear(l.loads)
	*l.list = append(*l.list, w)
}
