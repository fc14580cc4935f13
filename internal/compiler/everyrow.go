package compiler

import (
	"fmt"
	"go/token"
)

// Every n-th row: where a condition around all that a region does holds for the rows whose number has a remainder, as in
//
//	if ty%power == 0 {
//		sum[ty*w+tx] += sum[(ty+power/2)*w+tx]
//	}
//
// the rows of a plane are counted from one of those to the next, and their place is affine in that count. So a step of a sum by halves over rows is one
// call and not one for each row, and the rows in between are not looked at.

// An everyRow is the rows of a plane that are first, first+step, first+2*step and so on.
type everyRow struct {
	from, by    poly   // first and step
	first, step string // the same in Go
}

// everyRow looks in a condition around a region for the rows that it holds in, if these are such, and returns what else it asks for.
func (b *body) everyRow(rw *row, region []Stmt, cond Expr, shape nestShape) (rest []Expr, ok bool) {
	if b.off("everyrow") {
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

// remainderOfRow returns the rows for which t holds, if it is y%step == first.
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
