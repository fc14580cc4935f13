package compiler

import (
	"fmt"
	"go/token"
	"go/types"
)

// Fours: unrolling of loops with several sums. A loop with a constant trip count that adds to four
// sums or more, counting those of all jammed threads, executes four iterations at a time in plain
// Go, or eight if there are as many sums.
//
// The gain is less in the loop overhead than in the schedule. Go's compiler places values that the
// block does not use again, the sums of its last iteration, behind everything else. With one
// iteration per block, all products are live at once and are spilled. With four, the sums of the
// first three are needed by the next iteration, and stand right behind their products.
//
// For the same reason indices become variables that grow by four iterations. A common part of
// indices of several iterations is computed once, at the line of any of them; if that is a late
// one, all earlier loads wait. Both together took SGEMM in plain Go from 4.5 to 11.5 GFLOPS on one
// core. The same loop by hand reaches 13, and the processor's two multipliers limit it to 15.

// A fours is a loop being unrolled.
type fours struct {
	loop  *For
	i     *Var
	step  int64
	many  int64 // iterations at a time
	round int64 // the one being printed

	written map[*Var]bool     // variables assigned in the loop
	names   map[string]string // the names of index variables, by initial value and step
	decls   string
	steps   string // their increments, at the end of an iteration
}

// foursOf returns s, whose counter i runs from 0 to limit, if it should be unrolled by four or
// eight.
func (b *body) foursOf(s *For, i *Var, limit Expr) *fours {
	n, isConst := constInt(limit)
	step, _ := constInt(s.Post[0].(*Assign).R.(*Binary).Y)
	if !isConst || n <= 0 || n%(4*step) != 0 || len(s.Body) > 12 || b.parts > 4 || s.breaks || s.continues {
		return nil
	}
	sums := 0
	for _, x := range s.Body {
		a, ok := x.(*Assign)
		if !ok || len(a.L) != 1 || a.L[0] == nil {
			return nil
		}
		v, whole := assigned(a.L[0])
		if v == nil || !whole || v.addr || a.Def && !isFloat(v.Type) {
			return nil // an index that each iteration defines might be unused in some of them
		}
		sum, ok := a.R.(*Binary)
		if ok && !a.Def && isFloat(v.Type) && (sum.Op == token.ADD || sum.Op == token.SUB) && sameExpr(sum.X, a.L[0]) {
			sums += max(b.parts, 1)
		}
	}
	if sums < 4 {
		return nil
	}
	many := int64(4)
	if sums >= 8 && n%(8*step) == 0 {
		many = 8
	}
	return &fours{loop: s, i: i, step: step, many: many, written: useOf(s.Body).written, names: map[string]string{}}
}

// printFours prints the unrolled loop. post is the statement behind each iteration.
func (b *body) printFours(f *fours, post string, body func()) {
	b.view.fours = f
	text := b.apartFrom(func() {
		for f.round = range f.many {
			if f.round > 0 {
				b.printf("%s\n", post)
			}
			b.line = token.Position{}
			b.printf("{\n")
			body()
			b.printf("}\n")
		}
	})
	b.view.fours = nil
	b.printf("%sfor ; %s; %s {\n%s%s}\n", f.decls, b.expr(f.loop.Cond), post, text, f.steps)
	b.line = token.Position{}
}

// element prints an element that is known to exist.
func (f *fours) element(b *body, e *Index) (string, bool) {
	first, grows, more, ok := f.linear(b, e.I)
	if !ok || b.alone || !types.Identical(e.I.Type(), intType) {
		return "", false
	}
	part := b.part
	b.part = 0
	base := "0"
	if first != nil {
		base = b.expr(first)
	}
	slice := b.expr(e.X)
	b.part = part
	if part > 0 && b.varies(shapeOf(e.I)) {
		more += int64(part) * int64(shapeOf(e.I)[0])
	}
	key := fmt.Sprintf("%s by %d", base, grows)
	name := f.names[key]
	if name == "" {
		name = uniqueName(b.names, "at")
		f.names[key] = name
		f.decls += fmt.Sprintf("%s := %s\n", name, base)
		if grows != 0 {
			f.steps += fmt.Sprintf("%s += %d\n", name, f.many*f.step*grows)
		}
	}
	more += f.round * f.step * grows
	if more == 0 {
		return fmt.Sprintf("(*%s.At(%s, %s))", b.rt(), slice, name), true
	}
	return fmt.Sprintf("(*%s.AtNext(%s, %s, %d))", b.rt(), slice, name, more), true
}

// linear splits an index into its value in the first iteration without the constant part, its step
// as i grows by one, and that constant.
func (f *fours) linear(b *body, e Expr) (first Expr, grows, more int64, ok bool) {
	const most = 1 << 20
	if n, ok := constInt(e); ok {
		return nil, 0, n, -most < n && n < most
	}
	switch x := e.(type) {
	case *VarRef:
		if x.V == f.i {
			return nil, 1, 0, true
		}
	case *Binary:
		if !types.Identical(x.T, intType) {
			break
		}
		n, byConst := constInt(x.Y)
		switch {
		case x.Op == token.ADD || x.Op == token.SUB && byConst:
			first1, grows1, more1, ok1 := f.linear(b, x.X)
			first2, grows2, more2, ok2 := f.linear(b, x.Y)
			if x.Op == token.SUB {
				more2 = -more2
			}
			switch {
			case first1 == nil:
				first = first2
			case first2 == nil:
				first = first1
			default:
				first = &Binary{token.ADD, first1, first2, x.T}
			}
			more = more1 + more2
			return first, grows1 + grows2, more, ok1 && ok2 && -most < more && more < most
		case x.Op == token.MUL && byConst && 0 < n && n < most:
			first, grows, more, ok = f.linear(b, x.X)
			if first != nil {
				first = &Binary{token.MUL, first, x.Y, x.T}
			}
			return first, grows * n, more * n, ok && -most < more*n && more*n < most && grows*n < most
		}
	}
	walkExpr(e, func(x Expr) {
		if r, isVar := x.(*VarRef); isVar && (r.V == f.i || f.written[r.V] || declaredIn(r.V, f.loop)) {
			ok = true
		}
	})
	return e, 0, 0, !ok && !b.countsWith(e, f.i)
}
