package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Full iterations: a loop of a thread over its elements, `for i := t.GlobalX(); i < n; i +=
// stride`, with a loop-carried value such as a sum, can't be interchanged with the loop over
// threads. Jammed threads are neighbours, so all of them execute an iteration if the last one does.
// Up to eight threads execute these iterations together, with one test each; the remaining few
// iterations are executed thread by thread.
//
// An element at `i` plus a loop-invariant value lies between that of the first thread in the first
// iteration and the limit. So its bounds are checked once, before the loop; if the check fails,
// each thread executes all its iterations alone. The limit and the step may be at most 1<<30, so
// that i does not wrap around.

// A rounding is a loop in which i grows by step while it is below limit; step and limit are the
// same for all threads.
type rounding struct {
	loop  *For
	i     *Var
	limit Expr
	step  Expr
	conds []string // further conditions for the joint iterations
}

// roundsOf returns s as a rounding, if it is one along a row.
func (b *body) roundsOf(s *For) (*rounding, bool) {
	cond, ok := s.Cond.(*Binary)
	if !ok || cond.Op != token.LSS || len(s.Pre) > 0 || len(s.Post) != 1 || s.breaks || s.continues || leaves(s) {
		return nil, false
	}
	i, ok := cond.X.(*VarRef)
	if !ok || i.V.Shape[0] != 1 || i.V.addr || !types.Identical(i.V.Type, intType) {
		return nil, false
	}
	post, ok := s.Post[0].(*Assign)
	if !ok || len(post.L) != 1 || post.L[0] == nil || !sameExpr(post.L[0], i) {
		return nil, false
	}
	sum, ok := post.R.(*Binary)
	if !ok || sum.Op != token.ADD || !sameExpr(sum.X, i) {
		return nil, false
	}
	if anyStmt(s.Body, func(x Stmt) bool { l, isLoop := x.(*For); return isLoop && l.parts[0] != 0 }) {
		return nil, false // an inner loop in which the jammed threads would diverge
	}
	r := &rounding{loop: s, i: i.V, limit: cond.Y, step: sum.Y}
	changed := assignedIn(&Block{Body: s.Body})
	if changed[i.V] || !r.keeps(cond.Y) || !r.keeps(sum.Y) || shapeOf(cond.Y)[0] != 0 || shapeOf(sum.Y)[0] != 0 {
		return nil, false
	}
	return r, true
}

// keeps reports whether e is loop-invariant: arithmetic on variables that the loop does not change.
func (r *rounding) keeps(e Expr) bool {
	if mayPanic(e) || loads(e) || !scalarShape(shapeOf(e)) {
		return false
	}
	changed := assignedIn(r.loop)
	ok := true
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *VarRef:
			ok = ok && !changed[x.V] && !x.V.addr
		case *Const, *Index3, *Binary, *Convert:
		case *Call:
			ok = ok && x.Pure
		default:
			ok = false
		}
	})
	return ok
}

// countsForAll reports whether s changes a variable that the jammed threads share. The remaining
// iterations, executed thread by thread, would change it several times.
func (b *body) countsForAll(s *For) bool {
	inside := &Block{Body: s.Body}
	for w := range assignedIn(inside) {
		if b.parts > 1 && !b.varies(w.Shape) && !declares(inside, w) {
			return true
		}
	}
	return false
}

// apartFrom returns the text that f prints, with new labels: statements are printed more than once.
func (b *body) apartFrom(f func()) string {
	labels, out := b.labels, b.out
	b.labels, b.out = map[Stmt]string{}, strings.Builder{}
	f()
	text := b.out.String()
	b.labels, b.out = labels, out
	return text
}

// goTogether prints the iterations of r that all jammed threads execute. body prints the loop body.
func (b *body) goTogether(r *rounding, body func()) {
	iName, limit, step := b.name(r.i), b.intText(r.limit), b.intText(r.step)
	b.together = r
	text := b.apartFrom(body)
	b.together = nil
	end := uniqueName(b.names, "end")
	conds := []string{fmt.Sprintf("%s < %s", end, limit)}
	parts := max(b.parts, 1)
	head := fmt.Sprintf("%s := %s - %d; ", end, paren(limit), parts-1)
	if parts == 1 {
		end, head, conds = limit, "", nil
	}
	// keeps i from wrapping around, also where int has 32 bits
	conds = append(conds, fmt.Sprintf("%s <= 1<<30", limit))
	if n, isConst := constInt(r.step); !isConst || n <= 0 || n > shortLoop {
		conds = append(conds, step+" > 0", fmt.Sprintf("%s <= %d", step, shortLoop))
	}
	conds = append(conds, r.conds...)
	others := ""
	for b.part = 1; b.part < parts; b.part++ {
		name := b.name(r.i)
		others += fmt.Sprintf("%s = %s + %d\n", name, iName, b.part)
		if containsWord(text, name) {
			text = fmt.Sprintf("%s := %s + %d\n", name, iName, b.part) + text
		}
	}
	b.part = 0
	b.printf("if %s%s {\n", head, joined(conds))
	b.printf("for ; %s < %s; %s += %s {\n%s}\n%s}\n", iName, end, iName, step, text, others)
}

// plainRounds prints s for one or several threads of a view: the iterations of all threads without
// bounds checks, if the check of all of them succeeds, and the rest with bounds checks.
func (b *body) plainRounds(s *For, body func()) bool {
	w := b.view
	if w == nil || b.together != nil || b.parts > 1 && b.alone {
		return false
	}
	r, ok := b.roundsOf(s)
	if !ok || b.countsForAll(s) {
		return false
	}
	b.goTogether(r, body)
	b.printf("if %s < %s {\n", b.name(r.i), b.intText(r.limit))
	b.view = nil
	for b.part = range max(b.parts, 1) {
		b.printf("p.Current = %s\n", b.partName(b.use("rank")))
		b.use("dimX")
		b.printf("%s", b.apartFrom(func() { b.forLoop(s) }))
	}
	b.view, b.part = w, 0
	b.printf("}\n")
	return true
}

// covers reports whether the check before the loop ensures that the index of l is in range in all
// joint iterations.
func (r *rounding) covers(v *rowChecks, l *Index, length string, step int) bool {
	if r == nil || step != 1 || !simple(l.X) || loads(l.X) {
		return false
	}
	changed := assignedIn(r.loop)
	ok := true
	walkExpr(l.X, func(x Expr) {
		if w, isVar := x.(*VarRef); isVar && changed[w.V] {
			ok = false
		}
	})
	// Variables of the loop are replaced by their values.
	var whole func(e Expr) Expr
	whole = func(e Expr) Expr {
		return mapExpr(e, func(x Expr) Expr {
			if w, isVar := x.(*VarRef); isVar && w.V != r.i && declaredIn(w.V, r.loop) {
				if one := v.k.single[w.V]; one != nil {
					return whole(one)
				}
			}
			return x
		})
	}
	e := whole(l.I)
	if !ok || !types.Identical(e.Type(), intType) || !v.growsWith(e, r.i) {
		return false
	}
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *VarRef:
			ok = ok && (x.V == r.i || !changed[x.V])
		case *Const, *Index3:
		case *Binary:
		default:
			ok = false
		}
	})
	if !ok || mayPanic(e) {
		return false
	}
	part := v.part
	v.part = 0
	low := v.intText(e)
	v.part = part
	high := replaceWord(low, r.i.Name, paren(v.intText(r.limit)))
	for _, c := range []string{low + " >= 0", low + " <= " + high, high + " <= " + length} {
		if !slices.Contains(r.conds, c) {
			r.conds = append(r.conds, c)
		}
	}
	return true
}

// isRounding reports whether s is a rounding.
func (b *body) isRounding(s *For) bool { _, ok := b.roundsOf(s); return ok }
