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
//
// Divergent loops, which must not come behind a store, count in elements too, as in steps[i]++. A
// store just before the loop, as in steps[i] = 0, goes then; behind the loop, threads that have
// stored in it store.

// A promoted is an element, or a field of one, in a register.
type promoted struct {
	v   *Var // the slice, or the slice of slices with the element's row
	at  spot
	p   poly
	key string
	reg operand
	// wrote is, in a divergent loop, the mask of the threads that have stored in it; nil if all
	// have stored before.
	wrote operand
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
	return l.promotableIn(s.Body, counter, false)
}

// promotableIn is promotable for a loop with the given body; with sometimes the elements need not be
// stored in every iteration.
func (l *lowering) promotableIn(body []Stmt, counter string, sometimes bool) []*promoted {
	if l.b.off("promote") {
		return nil
	}
	l.quiet++
	defer func() { l.quiet-- }()
	var list []*promoted
	keys := map[*Var]string{} // the key of all accesses to a slice, or "" if there are several
	simple := true
	for _, x := range body { // indices may be variables of the loop
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
	walk(body, func(x Stmt) {
		exprs(x, func(e Expr) {
			walkExpr(e, func(y Expr) {
				ix, ok := y.(*Index)
				if !ok || isSlice(ix.T) && isUnchanged(ix.X) { // the row of another element
					return
				}
				if l.isOwnArray(ix.X) {
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
	walk(body, func(x Stmt) { // a struct that is stored as a whole
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
				l.checkApart(l.apartText(l.b, v.Name, other.Name))
			}
		}
	}
	for _, x := range body {
		consider(x, true)
	}
	walk(body, func(x Stmt) { consider(x, sometimes) })
	return list
}

// A written is a store of an element: its instructions, and the mask under which they are.
type written struct {
	key    string
	stores []*lir.Instr
	on     operand
}

// hasStored adds an element that s stores to those that all threads have stored which execute the
// statements behind it. The instructions of s are those of the list from an index on.
func (l *lowering) hasStored(s *Assign, from int) {
	if len(s.L) != 1 || s.L[0] == nil {
		return
	}
	at, ok := spotOf(s.L[0])
	if !ok || !basic(at.t) {
		return
	}
	l.quiet++
	key, ok := l.spotKey(at)
	l.quiet--
	if !ok {
		return
	}
	l.definite = append(slices.Clip(l.definite), key)
	var stores []*lir.Instr
	for _, x := range (*l.list)[from:] {
		if n, ok := x.(*lir.Instr); ok && (n.Op == lir.Store || n.Op == lir.Scatter) && n.From == lir.None {
			stores = append(stores, n)
		}
	}
	l.written = append(l.written, written{key, stores, l.on})
}

// takeStores removes the last stores of elements that all threads have stored, and returns the values
// that they would store, by key. It removes none if memory has been accessed in between.
func (l *lowering) takeStores(list []*promoted) map[string]operand {
	values, taken := map[string]operand{}, map[lir.Node]bool{}
	seen := map[string]bool{}
	for _, w := range slices.Backward(l.written) {
		if seen[w.key] {
			continue
		}
		seen[w.key] = true
		if len(w.stores) != l.width() || !slices.Equal(w.on, l.on) || !slices.Contains(l.definite, w.key) ||
			!slices.ContainsFunc(list, func(p *promoted) bool { return p.key == w.key }) {
			continue
		}
		for _, n := range w.stores {
			values[w.key] = append(values[w.key], n.X)
			taken[n] = true
		}
	}
	var kept []lir.Node
	found := 0
	for _, x := range *l.list {
		if taken[x] {
			found++
			continue
		}
		kept = append(kept, x)
		if found == 0 {
			continue
		}
		n, ok := x.(*lir.Instr)
		if !ok || n.InMemory() {
			return nil
		}
		for _, v := range values {
			if slices.Contains(v, n.Dst) && l.mutable[n.Dst] {
				return nil
			}
		}
	}
	if found < len(taken) {
		return nil
	}
	*l.list, l.written = kept, nil
	return values
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

// hasAssigned notes that the active threads have assigned to a register of a promoted element.
func (l *lowering) hasAssigned(reg operand) {
	for _, p := range l.promoted {
		if p.wrote == nil || &p.reg[0] != &reg[0] {
			continue
		}
		for i, m := range p.wrote {
			on := l.all()
			if l.on != nil {
				on = l.on.at(i)
			}
			l.emit(&lir.Instr{Op: lir.MaskOr, Kind: lir.Mask, Dst: m, X: m, Y: on})
		}
	}
}

// promote loads an element into a register, which has a value already if there is a first one.
func (l *lowering) promote(p *promoted, first operand) {
	k := l.kind(p.at.t)
	reg := make(operand, l.width())
	for i := range reg {
		reg[i] = l.n.New(k)
		l.mutable[reg[i]] = true
	}
	if first != nil {
		for i := range reg {
			l.emit(&lir.Instr{Op: lir.Move, Kind: k, Dst: reg[i], X: first.at(i)})
		}
	} else {
		at, step := l.element(p.at, p.p, toStore)
		for i := range reg {
			n := lir.Instr{Op: lir.Load, Kind: k, From: smallKind(p.at.t), Dst: reg[i], Mem: at(i), On: l.mask(i)}
			if step != 1 {
				n.Op, n.X = lir.Gather, l.laneOffsets(k, n.Mem)
				n = *l.gather(n)
			}
			l.emit(&n)
		}
	}
	p.reg = reg
	l.promoted = append(l.promoted, p)
}

// intoDivergent promotes the elements that a divergent loop assigns to. The loop's counters have
// their values in the iteration with the given symbol.
func (l *lowering) intoDivergent(s *For, counter string) []*promoted {
	body := slices.Clone(s.Pre)
	if s.Cond != nil {
		body = append(body, &If{Cond: s.Cond})
	}
	list := l.promotableIn(slices.Concat(body, s.Body, s.Post), counter, true)
	if len(list) == 0 {
		return nil
	}
	l.b.k.works("promote")
	first := l.takeStores(list)
	for _, p := range list {
		if !slices.Contains(l.definite, p.key) {
			p.wrote = l.registers(operand{l.none()})
		}
		l.promote(p, first[p.key])
	}
	return list
}

// outOfDivergent stores what intoDivergent has promoted.
func (l *lowering) outOfDivergent(list []*promoted) {
	l.promoted = l.promoted[:len(l.promoted)-len(list)]
	on := l.on
	for _, p := range list {
		l.on = on
		if p.wrote != nil {
			l.on = p.wrote
		}
		at, step := l.element(p.at, p.p, toStore)
		l.store(p.at.t, p.reg, at, step)
	}
	l.on = on
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
			l.promote(p, nil)
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
