package compiler

import (
	"fmt"
	"go/token"
	"slices"
)

// Remainders: a region under a condition that selects every n-th row, as in
//
//	if ty%power == 0 {
//		sum[ty*w+tx] += sum[(ty+power/2)*w+tx]
//	}
//
// The nest of a plane loops over the selected rows only, and their row index is affine in the loop
// counter. So a step of a tree reduction over rows is one call, and other rows are not visited.
//
// Along x, the loop over threads is strided, and the lanes of a nest hold strided threads:
// threadIdx.x is lo plus the lane times the stride. A tree reduction of 512 threads has 511
// additions, in 36 vectors of 16.

// An everyRow is the rows first, first+step, first+2*step and so on of a plane.
type everyRow struct {
	from, by    poly   // first and step
	first, step string // the same in Go
}

// everyRow finds the everyRow that a condition around a region selects, and returns the other
// conjuncts.
func (b *body) everyRow(rw *row, region []Stmt, cond Expr, shape nestShape) (rest []Expr, ok bool) {
	if b.off("remainders") {
		return nil, false
	}
	l := b.newLowering(rw, region, 4, shape)
	list := terms(cond)
	for i, t := range list {
		if every := l.remainderOfRow(t); every != nil {
			rw.nth = every
			l.check(fmt.Sprintf("%s > 0", every.step))
			if n, isConst := every.from.constant(); !isConst || n != 0 {
				l.check(fmt.Sprintf("%s >= 0 && %s < %s", every.first, every.first, every.step))
			}
			return append(append(rest, list[:i]...), list[i+1:]...), true
		}
		if mayPanic(t) {
			break
		}
	}
	return nil, false
}

// remainderOfRow returns the rows for which t holds, if t is y%step == first.
func (l *lowering) remainderOfRow(t Expr) *everyRow {
	equal, ok := l.expand(t).(*Binary)
	if !ok || equal.Op != token.EQL || !isInteger(equal.X.Type()) {
		return nil
	}
	x, y := equal.X, equal.Y
	rem, ok := x.(*Binary)
	if !ok || rem.Op != token.REM {
		x, y = y, x
		if rem, ok = x.(*Binary); !ok || rem.Op != token.REM {
			return nil
		}
	}
	if !l.ofRow(y) || !l.ofRow(rem.Y) {
		return nil
	}
	l.quiet++
	defer func() { l.quiet-- }()
	of, okOf := l.polyOf(&Convert{rem.X, intType})
	from, okFrom := l.polyOf(&Convert{y, intType})
	by, okBy := l.polyOf(&Convert{rem.Y, intType})
	if !okOf || !okFrom || !okBy || !from.ofRow() || !by.ofRow() || of.key() != (poly{rowSymbol: 1}).key() {
		return nil
	}
	return &everyRow{from: from, by: by, first: l.syms.text(from), step: l.syms.text(by)}
}

// An everyThread is the threads of a row for which (tx+base)%step == first, in Go.
type everyThread struct {
	term              Expr // this condition
	base, step, first string
	far               bool // step may be large
}

// A steps is the strided threads of a row that are in the lanes of a nest: they begin at the
// variable lo, and by is the variable with the stride.
type steps struct {
	*everyThread
	by string
}

// everyThread returns the strided threads that a region's guard selects, or nil.
func (b *body) everyThread(r *region) *everyThread {
	if b.off("remainders") || len(r.exits) > 0 || b.isAsk(r) {
		return nil
	}
	s, ok := b.guardOf(r)
	if !ok || len(s.Else) > 0 {
		return nil
	}
	// what threads keep from phase to phase are neighbours
	u := useOf(r.stmts)
	if slices.ContainsFunc(b.k.Vars, func(v *Var) bool { return v.spread && u.read[v] }) {
		return nil
	}
	for _, t := range terms(s.Cond) {
		if e := b.remainderOfThread(t); e != nil {
			e.term = t
			return e
		}
		if mayPanic(t) {
			break
		}
	}
	return nil
}

// guardOf returns the condition around all statements of a region, without the guards that became
// loop bounds.
func (b *body) guardOf(r *region) (*If, bool) {
	list := b.inBounds(r)
	if r.bound != nil && len(list) == len(r.stmts) && &list[0] == &r.stmts[0] {
		return r.bound, true
	}
	return alone(list)
}

// keepsElsewhere reports whether a region assigns variables that live beyond it; then all threads
// must run.
func (b *body) keepsElsewhere(r *region) bool {
	u := useOf(r.stmts)
	return slices.ContainsFunc(b.k.Vars, func(v *Var) bool { return (v.spread || v.common) && u.written[v] })
}

// insideSteps returns the statements of a region for strided threads, without the condition that
// selects them.
func (b *body) insideSteps(r *region, rw *row, every *everyThread) []Stmt {
	s, _ := b.guardOf(r)
	rest := terms(s.Cond)
	if s == r.bound {
		_, rest = splitGuards(s.Cond)
	}
	rw.steps = &steps{every, rw.name("by")}
	rw.check(rw.steps.by + " > 1") // otherwise all threads are selected
	return ifAll(slices.DeleteFunc(slices.Clone(rest), func(e Expr) bool { return e == every.term }), s)
}

// remainderOfThread returns the threads for which t holds, if t is (tx+base)%step == first.
func (b *body) remainderOfThread(t Expr) *everyThread {
	equal, ok := t.(*Binary)
	if !ok || equal.Op != token.EQL {
		return nil
	}
	for _, side := range [][2]Expr{{equal.X, equal.Y}, {equal.Y, equal.X}} {
		rem, ok := side[0].(*Binary)
		if !ok || rem.Op != token.REM && rem.Op != token.AND || !wide(rem.T) || unsigned(rem.T) || shapeOf(rem.X)[0] != 1 {
			continue
		}
		known := true
		for _, e := range []Expr{rem.X, rem.Y, side[1]} {
			known = known && !mayPanic(e) && !loads(e) && !hasVariable(e) && !hasHuge(e)
		}
		if !known || shapeOf(rem.Y)[0] != 0 || shapeOf(side[1])[0] != 0 {
			continue
		}
		b.atZero = true
		e := &everyThread{base: b.intText(rem.X), step: b.intText(rem.Y), first: b.intText(side[1])}
		b.atZero = false
		n, isConst := constInt(rem.Y)
		if rem.Op == token.AND { // x&(2^k-1) is x%2^k if x is not negative
			e.step = fmt.Sprintf("%s.StepOf(%s)", b.rt(), e.step)
			if isConst {
				if n <= 0 || n&(n+1) != 0 {
					continue
				}
				n++
				e.step = fmt.Sprint(n)
			}
		}
		e.far = !isConst || n > 4
		return e
	}
	return nil
}
