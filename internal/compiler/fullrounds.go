package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Full rounds: the loop of a thread over its elements, for i < n; i += stride, which passes something on from round to
// round, such as a sum, and so can't be turned inside out. Threads side by side are neighbours, so all go a round if the last one does:
// they go these rounds together, with one test each; what is left each does for itself.
// The places of elements lie between those of the first of them in the first round and the limit, so their bounds are
// asked for once.
//
// Full rounds (`fullrounds.go`). The loop of a thread over its elements, `for i := t.GlobalX(); i < n; i += stride`, which keeps something
// from round to round, such as a sum, can't be turned inside out. Threads of a group are neighbours, so all of them go a round if the last
// one does. Up to eight threads go these rounds side by side, and what is left, at most a few rounds, each for itself. Elements at `i`
// plus what does not change are between those of the first thread in the first round and the limit, so their bounds are asked for once,
// before the loop; if they don't hold, each thread goes all rounds for itself. The limit may be no more than 1<<30, and so the step, so
// that i does not wrap around.

// A rounding is a loop in which i grows by step, the same for all threads, while it is below limit, also the same.
type rounding struct {
	loop  *For
	i     *Var
	limit Expr
	step  Expr
	conds []string // what else must hold for the rounds that all of them go
}

// roundsOf returns what is known of s, if it is such a loop along a row.
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
		return nil, false // in which threads that go this round together would part
	}
	r := &rounding{loop: s, i: i.V, limit: cond.Y, step: sum.Y}
	changed := assignedIn(&Block{Body: s.Body})
	if changed[i.V] || !r.keeps(cond.Y) || !r.keeps(sum.Y) || shapeOf(cond.Y)[0] != 0 || shapeOf(sum.Y)[0] != 0 {
		return nil, false
	}
	return r, true
}

// keeps reports whether e, which is no more than arithmetic with variables, has the same value in all rounds.
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

// countsForAll reports whether s changes a variable of which all parts have one. What is left of the rounds is done for one
// part after the other, and would change it for each.
func (b *body) countsForAll(s *For) bool {
	inside := &Block{Body: s.Body}
	for w := range assignedIn(inside) {
		if b.parts > 1 && !b.varies(w.Shape) && !declares(inside, w) {
			return true
		}
	}
	return false
}

// apartFrom returns what f prints, with labels of its own: statements are printed more than once.
func (b *body) apartFrom(f func()) string {
	labels, out := b.labels, b.out
	b.labels, b.out = map[Stmt]string{}, strings.Builder{}
	f()
	text := b.out.String()
	b.labels, b.out = labels, out
	return text
}

// goTogether prints the rounds of r that all threads go who are printed at a time. body prints what they do.
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
	conds = append(conds, fmt.Sprintf("%s <= 1<<30", limit)) // so that i does not wrap around, where int has 32 bits too
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

// plainRounds prints s for the threads of a view, one or several at a time: without checks while all go on, if the
// bounds of all rounds allow it, and with checks what is left.
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

// covers reports whether the index of l, of neighbours, is within bounds in all rounds that r asks for.
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
	// Variables of the loop give way to what they are made of.
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

// isRounding reports whether s is such a loop.
func (b *body) isRounding(s *For) bool { _, ok := b.roundsOf(s); return ok }
