package compiler

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Scalar promotion: an element that each thread updates in a loop, as in c[i*n+j] +=
// a[i*n+k]*b[k*n+j], is kept in a register during the loop, if no other access of the loop aliases
// it. In the same slice all indices must be equal; that different slices don't overlap is checked
// before the nest is entered (Callahan, Carr and Kennedy, 1990, call it scalar replacement).

// A promoted is an element, or a field of one, in a register.
type promoted struct {
	v   *Var // the slice, or the slice of slices with the element's row
	at  spot
	p   poly
	key string
	reg operand
}

// elementKey is a string that is equal for elements of the same slice and index.
func (l *lowering) elementKey(x *Index) (string, bool) {
	v, row := l.sliceVar(x)
	if v == nil || row != nil && row.at == nil {
		return "", false
	}
	p, ok := l.polyOf(&Convert{x.I, intType})
	if !ok {
		return "", false
	}
	key := v.Name + "|" + p.key()
	if row != nil {
		key += "|" + row.at.key()
	}
	return key, true
}

// sliceVar returns the variable whose element x is, or is in a row of.
func (l *lowering) sliceVar(x *Index) (*Var, *rowOf) {
	if ref, ok := x.X.(*VarRef); ok {
		return ref.V, nil
	}
	if !isSlice(x.X.Type()) {
		return nil, nil
	}
	if row := l.inRows(x.X); row != nil {
		if ref, ok := row.x.X.(*VarRef); ok {
			return ref.V, row
		}
	}
	return nil, nil
}

// spotKey is a string that is equal for the same field of elements of the same slice and index.
func (l *lowering) spotKey(at spot) (string, bool) {
	if len(at.inner) > 0 {
		return "", false
	}
	key, ok := l.elementKey(at.ix)
	if at.offset > 0 {
		key = fmt.Sprint(key, "|", at.offset)
	}
	return key, ok
}

// promotable returns the elements that a loop stores and that can be promoted: those that it stores
// in every iteration, or that its threads have stored before the loop as well. The value of the
// loop's counter is known.
func (l *lowering) promotable(s *For, counter string) []*promoted {
	if l.b.off("promote") {
		return nil
	}
	l.quiet++
	defer func() { l.quiet-- }()
	var list []*promoted
	keys := map[*Var]string{} // the key of all accesses to a slice, or "" if there are several
	simple := true
	for _, x := range s.Body { // indices may be variables of the loop
		a, ok := x.(*Assign)
		if !ok || !a.Def || len(a.L) != 1 || a.L[0] == nil {
			continue
		}
		if v, whole := assigned(a.L[0]); v != nil && whole && l.often[v] == 1 && isInteger(v.Type) && wide(v.Type) && !l.general[v] {
			if p, ok := l.polyOf(a.R); ok {
				l.ints[v] = p
			}
		}
	}
	walk(s.Body, func(x Stmt) {
		exprs(x, func(e Expr) {
			walkExpr(e, func(y Expr) {
				ix, ok := y.(*Index)
				if !ok || isSlice(ix.T) && l.isUnchanged(ix.X) { // the row of another element
					return
				}
				v, _ := l.sliceVar(ix)
				if v == nil || !isSlice(ix.X.Type()) {
					simple = false
					return
				}
				key, ok := l.elementKey(ix)
				// an index that the body computes, or the operand of an atomic operation
				if _, isDo := x.(*Do); !ok || isDo {
					key = ""
				}
				if before, seen := keys[v]; seen && before != key {
					key = ""
				}
				keys[v] = key
			})
		})
	})
	walk(s.Body, func(x Stmt) { // a struct that is stored as a whole
		a, ok := x.(*Assign)
		if !ok {
			return
		}
		for _, to := range a.L {
			if to == nil {
				continue
			}
			if at, isSpot := spotOf(to); isSpot && !basic(at.t) {
				if v, _ := l.sliceVar(at.ix); v != nil {
					keys[v] = ""
				}
			}
		}
	})
	if !simple {
		return nil
	}
	consider := func(x Stmt, always bool) {
		a, ok := x.(*Assign)
		if !ok || len(a.L) != 1 || a.L[0] == nil {
			return
		}
		at, ok := spotOf(a.L[0])
		if !ok || !basic(at.t) || isBool(at.t) {
			return
		}
		ix := at.ix
		v, row := l.sliceVar(ix)
		if v == nil || keys[v] == "" || !v.Shape.uniform() {
			return
		}
		key, ok := l.spotKey(at)
		if !ok || slices.ContainsFunc(list, func(p *promoted) bool { return p.key == key }) || !always && !slices.Contains(l.definite, key) {
			return
		}
		p, _ := l.polyOf(&Convert{ix.I, intType})
		along, _, ok := p.by(counter)
		lane, _, okLane := p.by(laneSymbol)
		if row != nil {
			if row.at.has(counter) {
				return
			}
			if row.at.has(laneSymbol) {
				lane = row.at
			}
		}
		if n, isConst := lane.constant(); !ok || len(along) > 0 || !okLane || isConst && n == 0 || l.promotedAt(key) != nil {
			return
		}
		list = append(list, &promoted{v: v, at: at, p: p, key: key})
		for _, other := range sortedVars(keys) {
			if other != v {
				l.check(l.apartText(l.b, v.Name, other.Name))
			}
		}
	}
	for _, x := range s.Body {
		consider(x, true)
	}
	walk(s.Body, func(x Stmt) { consider(x, false) })
	return list
}

// hasStored adds an element that s stores to those that all threads have stored which execute the
// statements behind it.
func (l *lowering) hasStored(s *Assign) {
	if len(s.L) != 1 || s.L[0] == nil {
		return
	}
	if at, ok := spotOf(s.L[0]); ok && basic(at.t) {
		l.quiet++
		key, ok := l.spotKey(at)
		l.quiet--
		if ok {
			l.definite = append(slices.Clip(l.definite), key)
		}
	}
}

// sortedVars returns the variables of a map, sorted by name.
func sortedVars[T any](of map[*Var]T) []*Var {
	return slices.SortedFunc(maps.Keys(of), func(a, b *Var) int { return strings.Compare(a.Name, b.Name) })
}

// registerOf returns the register of a promoted spot, or nil.
func (l *lowering) registerOf(at spot) operand {
	if len(l.promoted) == 0 {
		return nil
	}
	if key, ok := l.spotKey(at); ok {
		return l.promotedAt(key)
	}
	return nil
}

// promotedAt returns the register of the promoted element with this key, or nil.
func (l *lowering) promotedAt(key string) operand {
	for _, p := range l.promoted {
		if p.key == key {
			return p.reg
		}
	}
	return nil
}

// around lowers a loop by do, with elements in registers. They are loaded before the loop and
// stored behind it, if its trip count is positive.
func (l *lowering) around(list []*promoted, r *round, do func()) {
	if len(list) == 0 {
		do()
		return
	}
	l.b.k.works("promote")
	l.when([]lir.Scalar{r.loop.Trips}, []string{fmt.Sprintf("(%s > 0)", r.trips)}, func() {
		before := len(l.promoted)
		for _, p := range list {
			k := l.kind(p.at.t)
			at, step := l.element(p.at, p.p, toStore)
			p.reg = make(operand, l.width())
			for i := range p.reg {
				p.reg[i] = l.n.New(k)
				l.mutable[p.reg[i]] = true
				n := lir.Instr{Op: lir.Load, Kind: k, From: smallKind(p.at.t), Dst: p.reg[i], Mem: at(i), On: l.mask(i)}
				if step != 1 {
					n.Op, n.X = lir.Gather, l.laneOffsets(k, n.Mem)
					n = *l.gather(n)
				}
				l.emit(&n)
			}
			l.promoted = append(l.promoted, p)
		}
		on, lanesBefore := l.on, l.lanes
		do()
		l.on, l.lanes = on, lanesBefore // threads with fewer iterations store as well
		l.promoted = l.promoted[:before]
		for _, p := range list {
			at, step := l.element(p.at, p.p, toStore)
			l.store(p.at.t, p.reg, at, step)
		}
	}, func() {})
}
