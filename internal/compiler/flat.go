package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
)

// Flat loops (loop coalescing): if a block loops over an array, and in each iteration its threads
// take as many neighbouring elements as there are threads, as in for i := first+tid; i < end; i +=
// t.BlockDim.X, the iterations are executed as one long row. The threads must not use their
// position otherwise. A histogram, whose rows are 256 bytes, becomes a twelfth faster.

// A flat is a flat loop being printed.
type flat struct {
	n    *loop
	c    counter
	r    *region
	text string // the text of the long row
}

// mostFlat is the longest row.
const mostFlat = 1 << 30

// flatLoop returns n as a candidate for a flat loop, or nil.
func flatLoop(n *loop) *flat {
	if n.asks || len(n.pre) > 0 || n.s.Cond == nil || len(n.body) != 1 {
		return nil
	}
	r, ok := n.body[0].(*region)
	c, counts := counterOf(n)
	if !ok || !counts || r.bound == nil || len(r.exits) > 0 {
		return nil
	}
	return &flat{n: n, c: c, r: r}
}

// flatten prints the long row of r, if the loop around r is flat. It is the row of w with other
// bounds.
func (b *body) flatten(r *region, w *view) {
	f := b.flat
	if f == nil || f.r != r || f.text != "" || w.call == "" || w.panics || len(w.v.guards) > 0 || b.k.tracked || b.k.wide {
		return
	}
	gs, rest := splitGuards(r.bound.Cond)
	if len(rest) > 0 || len(gs) != 1 || gs[0].op != token.LSS || !b.growsWith(gs[0].base, f.c.i) || b.countsWith(gs[0].limit, f.c.i) ||
		!b.onlySum(r.bound.Then, f.c.i) || containsWord(w.call, "p") || containsWord(w.call, "row") || containsWord(w.call, "rank") {
		return
	}
	// The iterations are those that the condition of the loop itself allows.
	cond, ok := f.n.s.Cond.(*Binary)
	if !ok || cond.Op != token.LSS || !types.Identical(cond.X.Type(), intType) || !b.growsWith(cond.X, f.c.i) || b.countsWith(cond.Y, f.c.i) ||
		mayPanic(cond.X) || mayPanic(cond.Y) || loads(cond.X) || loads(cond.Y) || !blockWide(cond.X) || !blockWide(cond.Y) {
		return
	}
	b.atZero = true
	base, limit := "("+b.intText(gs[0].base)+")", b.intText(gs[0].limit)
	b.atZero = false
	i, dimX := b.name(f.c.i), b.use("dimX")
	conds := append([]string{"hi > 0"}, w.needs...)
	same := ""
	if step := b.expr(f.c.step); step != dimX {
		same = fmt.Sprintf(" && %s == %s", dimX, step)
	}
	from, far := "("+b.intText(cond.X)+")", ""
	if from != base {
		far = fmt.Sprintf(" && %s+%d > %s", from, mostFlat, from)
	}
	f.text = fmt.Sprintf("if most := %d / %s * %s; %s == 1%s && %s >= 0 && %s+%d > %s%s {\n"+
		"most = min(most, (%s.Below(%s, %s, most)+%s-1)/%s*%s)\nlo, hi := 0, %s.Below(%s, %s, most)\n"+
		"if %s {\nmany := hi - lo\n%s%s += (hi + %s - 1) / %s * %s\n}\n}\n",
		mostFlat, dimX, dimX, b.use("rows"), same, base, base, mostFlat, base, far,
		b.rt(), from, b.intText(cond.Y), dimX, dimX, dimX, b.rt(), base, limit,
		joined(conds), w.call, i, dimX, dimX, dimX)
	for _, place := range []string{"ty", "tz"} {
		if containsWord(f.text, place) { // flat loops have only one row
			f.text = fmt.Sprintf("{\nconst %s = 0\n%s}\n", place, f.text)
		}
	}
}

// onlySum reports whether list uses values that differ between threads of a row, or between
// iterations of the loop over i, only in sums that grow by one with both.
func (b *body) onlySum(list []Stmt, i *Var) bool {
	ok := true
	own := assignedIn(&Block{Body: list})
	var visit func(e Expr)
	visit = func(e Expr) {
		if shapeOf(e)[0] == 1 && b.growsWith(e, i) {
			return
		}
		switch x := e.(type) {
		case *VarRef:
			if one := b.k.single[x.V]; x.V == i || x.V.spread {
				ok = false
			} else if !own[x.V] && !x.V.Param && (one == nil && shapeOf(x)[0] != 0 || one != nil && !b.sameForAll(one, i)) {
				ok = false
			}
		case *Index3:
			ok = ok && x.Of != threadIdx && x.Of != warpInBlock
		case *Rank, *Method:
			ok = false
		}
		subexprs(e, visit)
	}
	walk(list, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			for _, l := range s.L {
				if l == nil {
					continue
				}
				if v, whole := assigned(l); v != nil {
					ok = ok && whole && own[v] && !v.spread && !v.common
					continue
				}
				visit(l)
			}
			visit(s.R)
		case *Do:
			visit(s.X)
		case *If:
			visit(s.Cond)
		default:
			ok = false
		}
	})
	return ok
}

// sameForAll reports whether e is the same for all threads and in all iterations of a loop over i.
func (b *body) sameForAll(e Expr, i *Var) bool { return blockWide(e) && !b.countsWith(e, i) }

// putFlat inserts the long row before its loop, whose text begins at begin.
func (b *body) putFlat(begin int) {
	if b.flat != nil && b.flat.text != "" {
		text := b.out.String()
		b.out = strings.Builder{}
		b.out.WriteString(text[:begin] + b.flat.text + text[begin:])
	}
	b.flat = nil
}

// A counter is a variable that grows by step in each iteration of a loop.
type counter struct {
	i    *Var
	step Expr
}

// counterOf returns the counter of a loop of the block, if it has one.
func counterOf(n *loop) (counter, bool) {
	if len(n.post) != 1 {
		return counter{}, false
	}
	post, ok := n.post[0].(*once)
	if !ok || len(post.stmts) != 1 {
		return counter{}, false
	}
	a, ok := post.stmts[0].(*Assign)
	if !ok || len(a.L) != 1 || a.L[0] == nil {
		return counter{}, false
	}
	i, ok := a.L[0].(*VarRef)
	sum, isSum := a.R.(*Binary)
	if !ok || !isSum || sum.Op != token.ADD || !sameExpr(sum.X, i) || !i.V.common || i.V.addr || !types.Identical(i.V.Type, intType) ||
		!blockWide(sum.Y) || mayPanic(sum.Y) || loads(sum.Y) {
		return counter{}, false
	}
	return counter{i.V, sum.Y}, true
}
