package compiler

import (
	"fmt"
)

// Statements of vectors.

func (v *vector) list(list []Stmt) {
	v.findCubes(list)
	for i, s := range list {
		v.stmt(s)
		if i+1 == len(list) || !leaves(s) || v.jumps(s) {
			continue
		}
		// Perhaps no lane is left, and nobody to do what is done once for all.
		if v.mask == v.strip && len(v.body.own) > 0 {
			panic(noVector{"a variable that lives across phases is declared after some threads have left"})
		}
		v.printf("if %s != 0 {\n", v.m())
		v.list(list[i+1:])
		v.printf("}\n")
		return
	}
}

// stmt prints a statement for the lanes that are on.
func (v *vector) stmt(s Stmt) {
	v.at(s.Position())
	if v.prog.isRare(s.Position()) {
		defer func(native, single int) { v.native, v.single = native, single }(v.native, v.single)
	}
	switch s := s.(type) {
	case *Assign:
		v.each(v.assignVaries(s), func() { v.assign(s) })
	case *If:
		v.branch(s)
	case *For:
		v.leanSums(s, func() { v.forLoop(s) })
	case *Block:
		v.oneVector()
		l := v.label(s, "block")
		m := v.fresh("mb")
		v.printf("%s := %s\n", m, v.m())
		v.inner[s] = m
		v.printf("%s:\nfor {\n", l)
		v.narrowed(m, func() { v.list(s.Body) })
		v.printf("break %s\n}\n", l)
	case *Exit:
		v.oneVector()
		v.exit(s)
	case *Warp:
		v.warp(s)
	case *Do, *Panic:
		if d, ok := s.(*Do); ok && v.atomicOfAll(d.X) {
			return
		}
		v.each(true, func() { v.lanewise([]Stmt{s}) })
	default:
		panic(noVector{"a statement without vector form"})
	}
}

// oneVector gives up on taking several parts at a time.
func (v *vector) oneVector() {
	if v.parts > 1 && !v.only {
		panic(noVector{"control that several vectors at a time can't have"})
	}
}

// assignVaries reports whether an assignment is done for each part.
func (v *vector) assignVaries(s *Assign) bool {
	for _, l := range s.L {
		if l == nil {
			return true
		}
		if w, _ := assigned(l); w == nil || v.varies(w.Shape) || w.common {
			return true
		}
	}
	return false
}

// variesIn reports whether list assigns something that is not the same for all parts.
func (v *vector) variesIn(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool {
		a, ok := s.(*Assign)
		return !ok || v.assignVaries(a)
	})
}

// scalarList reports whether list only changes scalars.
func (v *vector) scalarList(list []Stmt) bool {
	for _, s := range list {
		a, ok := s.(*Assign)
		if !ok || len(a.L) != 1 {
			return false
		}
		w, whole := assigned(a.L[0])
		if w == nil || !whole || !scalarShape(w.Shape) {
			return false
		}
	}
	return true
}

// blame makes the first lane that is on the one to blame if e, which is done once for all lanes, panics.
func (v *vector) blame(e Expr) {
	if !mayPanic(e) || v.scalarsHold(e) {
		return
	}
	v.panics = true
	if v.parts > 1 && v.mask != v.strip && v.varies(shapeOf(e)) {
		v.oneVector() // it must not be done for a part of which no lane is on
	}
	if v.mask == v.strip && v.part == 0 {
		return // the first thread of the strip is the current one
	}
	v.printf("p.Current = %s + %s.TrailingZeros32(uint32(%s))\n", v.rank(), v.importName("math/bits", "bits"), v.m())
	v.dirty = true
}

// assign prints an assignment.
func (v *vector) assign(s *Assign) {
	v.lead(s)
	if len(s.L) != 1 {
		v.lanewise([]Stmt{s})
		return
	}
	l := s.L[0]
	if l == nil {
		if sh := shapeOf(s.R); scalarShape(sh) && sh[0] == 0 {
			v.blame(s.R)
			v.printf("_ = %s\n", v.expr(s.R))
			return
		}
		if ix, ok := s.R.(*Index); ok && shapeOf(ix.I)[0] == 1 && !unsigned(ix.I.Type()) {
			if _, length, ok := v.memory(ix); ok {
				first := v.firstIndex(ix)
				v.check(length, first, 1, ix)
				v.printf("_ = %s\n", first)
				v.useNames(ix.I)
				return
			}
		}
		v.lanewise([]Stmt{s})
		return
	}
	if w, whole := assigned(l); w != nil {
		if w.value != nil && s.Def {
			return
		}
		if scalarShape(w.Shape) {
			v.blame(s.R)
			v.assignment(s)
			if !s.Def {
				v.known = map[string]bool{}
				v.moves(w)
			}
			return
		}
		if !whole || !isBool(w.Type) && !v.holds(w.Type) {
			v.lanewise([]Stmt{s})
			return
		}
		v.native += v.weight
		if isBool(w.Type) {
			m := v.maskOf(s.R)
			switch {
			case s.Def:
				v.printf("%s := %s\n", v.name(w), m)
				v.elsewhere = append(v.elsewhere, v.name(w))
				v.born[w] = v.mask
				v.bear(w)
			case v.born[w] == v.mask:
				v.printf("%s = %s\n", v.name(w), m)
			default:
				v.printf("%s = (%s &^ %s) | (%s & %s)\n", v.name(w), v.name(w), v.m(), paren(m), v.m())
			}
			return
		}
		if s.Def && isZero(s.R) {
			v.printf("var %s %s.%s\n", v.name(w), v.vecName(), v.suffix(w.Type))
			v.born[w] = v.mask
			v.bear(w)
			return
		}
		e := v.value(s.R)
		switch {
		case s.Def:
			v.printf("%s := %s\n", v.name(w), e)
			v.elsewhere = append(v.elsewhere, v.name(w)) // other regions may compute it anew
			v.born[w] = v.mask
			v.bear(w)
		case v.born[w] == v.mask, v.lost(w):
			v.printf("%s = %s\n", v.name(w), e)
		default:
			switch v.fixed[v.m()] {
			case allLanes:
				v.printf("%s = %s\n", v.name(w), e)
			case noLanes:
				v.printf("_ = %s\n", e)
			default:
				if kept := v.kept[v.m()]; kept != "" {
					if size := elemSizes[elem(w.Type)]; size == 4 {
						v.printf("%s = %s(%s, %s, %s)\n", v.name(w), v.vec("Blend", w.Type), kept, e, v.name(w))
						break
					}
				}
				v.printf("%s = %s(%s, %s, %s)\n", v.name(w), v.vec("Select", w.Type), v.m(), e, v.name(w))
			}
		}
		return
	}
	v.store(s)
}

// moves notes that w has changed: what has been checked with it is not known behind the mask either.
func (v *vector) moves(w *Var) {
	if v.moved != nil {
		v.moved[v.name(w)] = true
	}
}

// useNames uses the variables of an index that may be needed for nothing else: its check can have moved away.
func (v *vector) useNames(e Expr) {
	walkExpr(e, func(x Expr) {
		if r, ok := x.(*VarRef); ok && !r.V.Param && !r.V.common && r.V.value == nil {
			v.printf("_ = %s\n", v.name(r.V))
		}
	})
}

func (v *vector) bear(w *Var) {
	if w.spread {
		v.body.born[w] = true
	}
}

// store prints an assignment to memory.
func (v *vector) store(s *Assign) {
	l, ok := s.L[0].(*Index)
	if !ok || isBool(l.T) || !v.holds(l.T) || elem(l.T) == "" {
		v.lanewise([]Stmt{s})
		return
	}
	base, array, okBase := v.memory(l)
	if !okBase {
		v.lanewise([]Stmt{s})
		return
	}
	i := narrowIndex(l.I)
	_, _, isLinear := linear(l.I)
	switch sh := shapeOf(l.I)[0]; {
	case sh == 1 && !unsigned(l.I.Type()):
		e := v.value(s.R)
		v.storing = true
		ix := v.firstIndex(l)
		v.storing = false
		v.check(array, ix, 1, l)
		v.printf("%s\n", v.storeText(l.T, v.slice(base, l.T), ix, e))
		v.native += v.weight
	case stride(sh) && !unsigned(l.I.Type()):
		e := v.value(s.R)
		ix := v.firstIndex(l)
		v.check(array, ix, int(sh), l)
		if v.downwards(sh, l.T) {
			v.printf("%s\n", v.storeText(l.T, v.slice(base, l.T), v.last(ix), fmt.Sprintf("%s(%s)", v.vec("Reverse", l.T), e)))
			v.native += v.weight
			return
		}
		v.printf("%s(%s, %s, %d, %s, %s)\n", v.vec("ScatterStride", l.T), v.slice(base, l.T), ix, sh, e, v.lanesOn())
		v.native += v.weight
	case isLinear:
		e := v.value(s.R)
		ix, step := v.stepped(l, array)
		v.printf("%s(%s, %s, %s, %s, %s)\n", v.vec("ScatterStep", l.T), v.slice(base, l.T), ix, step, e, v.lanesOn())
		v.oneByOne(1)
	case v.gathers(sh, i):
		e := v.value(s.R)
		idx := v.checkedIndex(i, array)
		v.printf("%s(%s, %s, %s, %s)\n", v.vec("Scatter"+v.indexForm(i), l.T), v.slice(base, l.T), idx, e, v.m())
		v.oneByOne(1)
	default:
		v.lanewise([]Stmt{s})
	}
}
