package compiler

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Peeling of rows: a nest has a form without masks for strips away from edges, where a condition
// such as 0 < x, x < n-1 or x != 0 has its usual outcome for all threads. The strips at the ends of
// the row use masks (index set splitting; Griebl, Feautrier and Lengauer, 2000). The usual outcome
// is a guess; a wrong guess costs only code size.

// inside collects, as Go expressions, the threads for which conditions have their usual outcome: at
// least all of from, below all of to, and not in the intervals of without.
type inside struct {
	name              string
	from, to, without []string
}

func (i *inside) add(list *[]string, text string) {
	if text != "" && !slices.Contains(*list, text) {
		*list = append(*list, text)
	}
}

// full restricts the threads to b.
func (i *inside) full(b box) {
	i.add(&i.from, b.from)
	i.add(&i.to, b.to)
}

// empty removes the threads in b.
func (i *inside) empty(b box) {
	switch {
	case b.to == "":
		i.add(&i.to, b.from)
	case b.from == "":
		i.add(&i.from, b.to)
	default:
		i.add(&i.without, fmt.Sprintf("[2]int{%s, %s}", b.from, b.to))
	}
}

// full restricts the threads to those for which a condition holds. Within a guard that is the case for
// all threads if the guard lets only such threads pass.
func (l *lowering) full(b box) {
	if g := l.guard; g != nil {
		if b.from != "" && g.from != "" {
			b.from = fmt.Sprintf("%s.After(%s, %s)", l.b.rt(), b.from, g.from)
		}
		if b.to != "" && g.to != "" {
			b.to = fmt.Sprintf("%s.Before(%s, %s)", l.b.rt(), b.to, g.to)
		}
	}
	l.inside.full(b)
}

// empty removes the threads for which a condition holds, as far as a guard lets them pass.
func (l *lowering) empty(b box) {
	g := l.guard
	switch {
	case g == nil || g.from == "" && g.to == "":
	case b.to == "" || b.from == "":
		l.full(box{from: b.to, to: b.from})
		return
	default:
		from, to := cmp.Or(g.from, "0"), cmp.Or(g.to, "‹hi›")
		l.inside.add(&l.inside.without, fmt.Sprintf("%s.Between(%s, %s, %s, %s)", l.b.rt(), b.from, b.to, from, to))
		return
	}
	l.inside.empty(b)
}

// decides reports whether conditions with these bounds have their usual outcome for all threads of a strip. In a
// form for short rows, those that are the same in all blocks don't, such as 0 < tx.
func (l *lowering) decides(b box) bool {
	return l.inner && !(l.guarded && !l.b.differsInBlocks(b.from+" "+b.to))
}

// differsInBlocks reports whether a Go expression is probably not the same in all blocks: it depends on the
// block's index, on memory, or on a variable that does.
func (b *body) differsInBlocks(text string) bool {
	if b.differing == nil {
		b.differing = map[string]bool{}
		for _, axis := range []string{"X", "Y", "Z"} {
			b.differing["block"+axis], b.differing["origin"+axis] = true, true
		}
		differs := func(e Expr) bool {
			found := loads(e)
			walkExpr(e, func(x Expr) {
				switch x := x.(type) {
				case *Index3:
					found = found || x.Of == blockIdx || x.Of == origin
				case *VarRef:
					found = found || b.differing[x.V.Name]
				}
			})
			return found
		}
		for again := true; again; {
			again = false
			note := func(v *Var) {
				if v != nil && !b.differing[v.Name] {
					b.differing[v.Name], again = true, true
				}
			}
			walk(b.k.Body, func(s Stmt) {
				switch s := s.(type) {
				case *Assign:
					if differs(s.R) {
						for v := range assignedIn(s) {
							note(v)
						}
					}
				case *If:
					if differs(s.Cond) {
						for v := range assignedIn(s) {
							note(v)
						}
					}
				}
			})
		}
	}
	return slices.ContainsFunc(words.FindAllString(text, -1), func(w string) bool { return b.differing[w] })
}

// guardOf is condition for a branch. In a form for short rows, a branch without an else arm is a guard, unless it
// is within another one. leave is called behind the branch.
func (l *lowering) guardOf(cond Expr, otherwise []Stmt) (m operand, within lanes, leave func()) {
	m, within = l.condition(cond)
	b := l.narrow(within).box
	if !l.guarded || l.guard != nil || len(otherwise) > 0 || b.from == "" && b.to == "" {
		return m, within, func() {}
	}
	l.guard = &b
	return m, within, func() { l.guard = nil }
}

// innersOf makes the form of a nest for the threads inside, if that saves masks compared to the
// form for whole strips. It tries the given shape and, before that, better ones, for which there
// may now be enough registers.
//
// It also makes forms for a strip of one vector inside, or nil: in rows of 16 threads, which are common, no
// strip is longer. The second is also for the end of a row, and for strips where a condition such as 0 < tx cuts
// off some threads: only conditions that differ from block to block hold in it.
func (b *body) innersOf(rw *row, stmts []Stmt, size int, shape nestShape, fast, tail *lir.Nest) (forms []*lir.Nest, single, ends *lir.Nest) {
	if b.off("peel") {
		return nil, nil, nil
	}
	checks := len(rw.checks)
	defer func() { rw.dropChecks(checks) }() // the other forms contain the same checks
	form := func(shape nestShape) *lir.Nest {
		shape.inner = true
		n, err := b.lower(rw, stmts, size, shape)
		if rw.asides && len(rw.checks) > checks {
			return nil // the other forms check that lane by lane
		}
		if err != nil || !n.Restarts() && fast.Restarts() || n.Fails() != fast.Fails() || rw.faults && !n.RestartsOrFaults() {
			return nil
		}
		return n
	}
	if rw.inside == nil {
		rw.inside = &inside{name: rw.name("inside")}
	}
	n := form(shape)
	if n == nil || rw.inside.isAll() {
		return nil, nil, nil
	}
	if shorter := fast.Masks() - n.Masks(); shape.lanes > 1 && longAs(n, fast) && masked(n) >= masked(fast) && totals(n) <= totals(fast) ||
		shape.lanes == 1 && shorter <= 0 {
		return nil, nil, nil // with one lane a mask is a branch anyway
	}
	b.k.works("peel")
	for _, better := range nestShapes(shape.plane, hasLoop(stmts)) {
		if better.parts == shape.parts && better.jam == shape.jam {
			break
		}
		better.lean, better.late, better.deep, better.swap = true, shape.late, shape.deep, shape.swap
		better.vectors = vectors{lanes: shape.lanes, temps: shape.temps}
		if n := form(better); n != nil {
			forms = append(forms, n)
		}
	}
	forms = append(forms, n)
	all := forms
	if shape.parts > 1 && shape.lanes > 1 {
		shape.parts = 1
		if single = form(shape); single != nil {
			all = append(slices.Clone(forms), single)
		}
	} else if len(forms) > 1 && shape.lanes > 1 {
		single = n
	}
	for _, n := range all {
		rw.restrict(n)
	}
	if single != nil {
		ends = b.endsOf(rw, tail, form, shape)
	}
	return forms, single, ends
}

// endsOf makes a form for a strip of one vector with inactive lanes, in blocks away from edges. It returns nil if
// that is not much shorter than tail.
func (b *body) endsOf(rw *row, tail *lir.Nest, form func(nestShape) *lir.Nest, shape nestShape) *lir.Nest {
	shape.parts, shape.masked, shape.guarded = 1, true, true
	usual := rw.inside
	rw.inside = &inside{name: rw.name("within")}
	n := form(shape)
	if n != nil && rw.inside.isAll() { // no condition differs from block to block
		rw.inside, shape.guarded = usual, false
		n = form(shape)
	}
	if n != nil && !longAs(n, tail) {
		rw.restrict(n)
	} else {
		n = nil
	}
	rw.inside = usual
	return n
}

// restrict makes n a form for the threads inside.
func (r *row) restrict(n *lir.Nest) {
	for i := range n.Inside {
		n.Inside[i] = r.arg("int", r.insideText(i))
	}
	if !slices.Contains(r.insides, r.inside) {
		r.insides = append(r.insides, r.inside)
	}
}

func (i *inside) isAll() bool { return len(i.from)+len(i.to)+len(i.without) == 0 }

// longAs reports whether a form n of a nest is hardly shorter than fast. If these are large, they differ
// less in time.
func longAs(n, fast *lir.Nest) bool {
	if length(fast) < 320 {
		return 16*length(n) > 15*length(fast)
	}
	return 8*length(n) > 7*length(fast)
}

// length counts instructions, among which a comparison of the threads' numbers with bounds takes as long
// as four, and a masked access as long as two without a mask: it is no operand of another instruction.
func length(n *lir.Nest) int {
	count := instructions(n.Body)
	lir.Walk(n.Body, func(i *lir.Instr) {
		if i.Op == lir.Within {
			count += 3
		}
	})
	return count + maskedLength(n.Body)
}

// maskedLength is what masks add to the length of a list.
func maskedLength(list []lir.Node) (count int) {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if x.On != 0 && (x.Op == lir.Load || x.Op == lir.Store) {
				count += 2
			}
		case *lir.Loop:
			count += 8 * maskedLength(x.Body)
		case *lir.When:
			count += maskedLength(x.Then) + maskedLength(x.Else)
		}
	}
	return count
}

// totals counts the sums across lanes.
func totals(n *lir.Nest) (count int) {
	lir.Walk(n.Body, func(i *lir.Instr) {
		if i.Op == lir.Total {
			count++
		}
	})
	return count
}

// masked counts the loads and stores of whole vectors that need a mask. Few machines have masked
// accesses to bytes and words.
func masked(n *lir.Nest) (count int) {
	lir.Walk(n.Body, func(i *lir.Instr) {
		if i.On == 0 {
			return
		}
		switch i.Op {
		case lir.Gather, lir.Scatter:
			if !i.Apart() {
				count++
			}
		case lir.Load, lir.Store:
			if i.From != lir.None && i.From.Size() < 4 {
				count++
			}
		}
	})
	return count
}

// text is a Go expression for the first of these threads and the one behind the last.
func (i *inside) text() string {
	args := []string{"max(0", "min(‹hi›"}
	for n, list := range [][]string{i.from, i.to} {
		for _, text := range list {
			args[n] += ", " + text
		}
		args[n] += ")"
	}
	return "‹rt›.Inside(" + strings.Join(append(args, i.without...), ", ") + ")"
}

// expects guesses whether a comparison of the thread's index with at holds for most threads of a
// row. In the last one that difference has seen, the index may have been compared with a small constant,
// as in x-radius+k < 0: then at is near the beginning of the row.
func (l *lowering) expects(op token.Token, at poly) bool {
	large := at[""] >= 16 // at is near the end of a row
	for m, n := range at {
		for f := range strings.SplitSeq(m, "*") {
			var i int
			if c, _ := fmt.Sscanf(f, "r%d", &i); c == 1 && n > 0 && !l.nearBegin {
				text := l.syms.texts[i]
				large = large || op == token.LSS || op == token.LEQ || strings.HasPrefix(text, "dim") || strings.Contains(text, "len(") ||
					slices.ContainsFunc(l.rowEnds, func(end string) bool { return containsWord(text, end) })
			}
		}
	}
	switch op {
	case token.EQL, token.NEQ:
		return false
	case token.LSS, token.LEQ:
		return l.bounded || large
	}
	return l.bounded || !large
}

// hasBothBounds reports whether the conjuncts of e bound the thread's index from below and from
// above.
func (l *lowering) hasBothBounds(e Expr) bool {
	var low, high bool
	for _, t := range terms(e) {
		d, op, ok := l.difference(t)
		if !ok {
			continue
		}
		factor, _, _ := d.by(laneSymbol)
		n, _ := factor.constant()
		switch op {
		case token.LSS, token.LEQ:
			low, high = low || n == -1, high || n == 1
		case token.GTR, token.GEQ:
			low, high = low || n == 1, high || n == -1
		}
	}
	return low && high
}
