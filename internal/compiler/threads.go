package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// The loops over the threads of a region: a loop over the rows of the block, and for each row a
// call of assembly or a loop over its threads. The guards of the region become loop bounds.

// region prints a loop over the threads, and the jumps that follow if threads left the region
// early.
func (b *body) region(r *region) {
	kinds := []*Exit{}
	for _, e := range r.exits {
		if !slices.ContainsFunc(kinds, func(x *Exit) bool { return x.To == e.To && x.Continue == e.Continue }) {
			kinds = append(kinds, e)
		}
	}
	// Threads that continue with the next iteration are handled before those that have left the
	// loop.
	slices.SortStableFunc(kinds, func(x, y *Exit) int {
		switch {
		case x.Continue == y.Continue:
			return 0
		case x.Continue:
			return -1
		}
		return 1
	})
	other := slices.ContainsFunc(kinds, func(e *Exit) bool { return e.To != nil })
	if other {
		b.printf("p.Begin()\n")
	}
	b.threads(r, func() {
		if r.bound == nil {
			b.stmts(r.stmts)
			return
		}
		_, rest := splitGuards(r.bound.Cond)
		if len(rest) == 0 {
			b.stmts(r.bound.Then)
			return
		}
		b.at(r.bound.Pos)
		b.printf("if %s {\n", b.expr(conjunction(rest)))
		b.stmts(r.bound.Then)
		b.printf("}\n")
	})
	if stmtsMayPanic(r.stmts) {
		b.printf("p.Current = -1\n")
	}
	if r.last {
		return
	}
	for _, e := range kinds {
		if e.To == nil {
			continue
		}
		id := b.exitID(e)
		b.printf("if p.Together(%d, %v, %q) {\n", id, e.agrees, b.prog.shortPos(b.root, e.Pos))
		b.leave(e)
		b.printf("}\n")
	}
	if len(kinds) > 0 {
		b.gone()
	}
}

// threads prints a loop over the threads that take part. Variables that live in arrays or in the
// block are loaded before a thread's part and stored behind it.
func (b *body) threads(r *region, inner func()) {
	b.r = r
	u := useOf(r.stmts)
	var ins, outs []*Var
	copies := []*Var{}
	for _, v := range b.k.Vars {
		switch {
		case v.spread && (u.read[v] || u.written[v]):
			ins = append(ins, v)
			if u.written[v] {
				outs = append(outs, v)
			}
		case v.common && u.written[v]:
			copies = append(copies, v)
		}
	}
	current := stmtsMayPanic(r.stmts) || len(r.exits) > 0 || b.leavesInAsk(r)

	// The body is printed first, to find the definitions that it needs.
	saved := b.out
	b.out = strings.Builder{}
	b.born, b.own = map[*Var]bool{}, map[*Var]bool{}
	for _, s := range b.inBounds(r) {
		if a, ok := s.(*Assign); ok && a.Def && len(a.L) == 1 {
			if v, whole := assigned(a.L[0]); v != nil && whole && v.spread {
				b.own[v] = true
			}
		}
	}
	for _, v := range ins {
		if !b.own[v] {
			if _, _, ok := b.byColumns(v); ok {
				b.printf("var %s %s\n", v.Name, b.typ(v.Type))
				used, _ := b.columnsUsed(v, r.stmts)
				b.column(v, used, func(mine, kept string) { b.printf("%s = %s\n", mine, kept) })
				continue
			}
			b.printf("%s := %s[%s]\n", v.Name, b.array[v], b.use("rank"))
		}
	}
	before := map[*Var]string{}
	for _, v := range copies {
		before[v] = uniqueName(b.names, v.Name+"Before")
		b.copies[v] = uniqueName(b.names, v.Name+"After")
		b.printf("%s := %s\n", v.Name, before[v])
	}
	head := b.out.String()
	outerCopies := b.copies
	part := func() string {
		b.out, b.line = strings.Builder{}, token.Position{} // the text may become a func of its own
		b.outs = append(slices.Clone(outs), copies...)
		b.born = map[*Var]bool{}
		inner()
		if !terminates(b.inBounds(r)) { // otherwise the exits store
			b.stores()
		}
		text := b.out.String()
		b.out = saved
		b.outs = nil
		// Definitions of recomputed variables are in the order of declaration, and only those in
		// use are printed.
		for _, v := range slices.Backward(b.k.Vars) {
			if v.value != nil && containsWord(text, v.Name) {
				text = fmt.Sprintf("%s := %s\n%s", v.Name, b.convertTo(v.value, v.Type), text)
			}
		}
		return head + text
	}
	text := part()
	nest := b.nestOf(r)
	if nest != nil && (nest.why != "" || len(copies) > 0) {
		nest = nil
	}
	var fast *view
	every := b.everyThread(r)
	if len(copies) > 0 || len(outs) > 0 || b.k.tracked {
		every = nil
	}
	if every != nil && (nest == nil || nest.row.steps != nil) {
		// a loop over strided threads is faster than the forms for neighbours
		// beside a nest in Go, this loop is only for failing rows and for few threads
	} else if nest == nil || nest.plain == "" || b.copiesAlone(r) {
		fast = b.views(r, part, func(parts int) string { return b.jammed(b.inBounds(r), ins, outs, parts) })
		if len(copies) > 0 && fast != nil {
			fast.jam = ""
		}
		if fast == nil && len(copies) == 0 {
			fast = b.raggedView(r, part)
		}
	}
	ragged := fast != nil && fast.ragged != nil

	uses := func(name string) bool { return containsWord(text, name) }
	rank := uses("rank") || b.k.tracked || current
	limits, lo, hi := b.limitsOf(r)
	rowText := limits
	if fast != nil {
		rowText += strings.Join(fast.conds, " ") + fast.text + strings.Join(fast.slices, " ") + b.rangeText(fast.v.guards)
	}
	call := ""
	bySteps := nest != nil && nest.row.steps != nil
	if bySteps {
		b.use("dimX")
		limits += fmt.Sprintf("lo, %s := %s.Every(%s, %s, %s, %s)\n", nest.row.steps.by, b.rt(), lo, every.base, every.step, every.first)
		lo = "lo"
	}
	if nest != nil && nest.fails && lo == "0" {
		limits, lo = "lo := 0\n"+limits, "lo"
	}
	if nest != nil && b.k.tracked {
		// Threads that have left are mostly the last ones of a row, beyond the end of the data.
		limits += fmt.Sprintf("lo, hi, alive := p.Alive(row*%s, %s, %s)\n", b.use("dimX"), lo, hi)
		lo, hi = "lo", "hi"
		call = "if alive {\n" + b.nestCall(nest, lo, hi) + "}\n"
		rowText += limits + call
	} else if nest != nil {
		call = b.nestCall(nest, lo, hi)
		rowText += call
	}
	ty := uses("ty") || containsWord(rowText, "ty")
	tz := uses("tz") || containsWord(rowText, "tz")
	plane := nest != nil && nest.plane
	ty = ty || plane
	rowUsed := containsWord(limits, "row") || containsWord(call, "row")
	for _, v := range copies {
		b.printf("%s, %s := %s, %s\n", before[v], b.copies[v], v.Name, v.Name)
	}
	b.use("rows")
	if plane {
		b.printf("for row := 0; row < rows; row++ {\n")
	} else if rank || ty || tz || rowUsed {
		b.printf("for row := range rows {\n")
	} else {
		b.printf("for range rows {\n")
	}
	if ty {
		b.printf("ty := %s.RowY(row, %s)\n", b.rt(), b.use("dimY"))
	}
	if tz {
		b.printf("tz := %s.RowZ(row, %s)\n", b.rt(), b.use("dimY"))
	}
	b.use("dimX")
	if plane {
		limits, call = call, limits
	}
	b.printf("%s%s", limits, call)
	middle := ""
	if fast != nil {
		middle = b.printView(fast, lo, hi, len(copies) == 0)
		b.flatten(r, fast)
	}
	exits := len(r.exits) > 0
	if exits && b.label(b.loopOf(r), "threads") != "" && containsWord(text, b.label(b.loopOf(r), "threads")) {
		b.printf("%s:\n", b.label(b.loopOf(r), "threads"))
	}
	loop := b.out
	b.out = strings.Builder{}
	switch {
	case bySteps:
		b.printf("for tx := lo; tx < %s; tx += %s {\n", hi, nest.row.steps.by)
	case every != nil && fast == nil:
		b.k.works("remainders")
		by := uniqueName(b.names, "by")
		b.printf("for tx, %s := %s.Every(%s, %s, %s, %s); tx < %s; tx += %s {\n", by, b.rt(), lo, every.base, every.step, every.first, hi, by)
	case middle != "":
		b.printf("for tx := lo; tx < hi; tx++ {\n%s", middle)
	case lo != "0" || ragged:
		b.printf("for tx := lo; tx < %s; tx++ {\n", hi)
	case uses("tx") || rank:
		b.printf("for tx := range %s {\n", hi)
	default:
		b.printf("for range %s {\n", hi)
	}
	if rank {
		b.printf("rank := row*dimX + tx\n")
	}
	if b.k.tracked {
		b.use("state")
		b.printf("if state[rank] != 0 {\ncontinue\n}\n")
	}
	if current {
		b.printf("p.Current = rank\n")
	}
	b.printf("%s}\n", text)
	threads := b.out.String()
	b.out = loop
	if (fast == nil || ragged) && !exits && len(copies) == 0 && !b.k.tracked && len(r.stmts) > 0 && !b.isAsk(r) && hasLoop(r.stmts) {
		threads = b.outline(threads, "threads of a row", nil, nil, nil, nil, "")
		if ragged { // usually no thread remains
			threads = "if lo < hi {\n" + threads + "}\n"
		}
	}
	b.printf("%s", threads)
	if fast != nil && middle == "" && !ragged {
		b.printf("}\n")
	}
	b.printf("}\n")
	for _, v := range copies {
		b.printf("%s = %s\n", v.Name, outerCopies[v])
		delete(b.copies, v)
	}
	b.r = nil
}

// collapsed prints the nest of a space, and the loop over threads for where it can't run. See space.
func (b *body) collapsed(n *branch) {
	before, call := b.collapsedCall(n)
	if call == "" {
		b.nodes(n.els)
		return
	}
	over := n.s.over
	b.k.works(over.pass)
	whole := uniqueName(b.names, "whole")
	b.printf("%s := false\n", whole)
	b.printf("if %s {\n", b.expr(n.s.Cond)) // it divides by nothing but numbers of at least 1
	b.nodes(before)
	if containsWord(call, "dimX") { // one statement: the rows may be made of the block's dimX
		b.printf("dimX, dimY := %s, %s\n", b.expr(over.x), b.expr(over.y))
	} else {
		b.printf("dimY := %s\n", b.expr(over.y))
	}
	b.printf("row := 0\nfor ; row < dimY; row++ {\n")
	if containsWord(call, "ty") {
		b.printf("const ty = 0\n")
	}
	b.printf("%sbreak\n}\n%s = row >= dimY\n}\nif !%s {\n", call, whole, whole)
	b.nodes(n.els)
	b.printf("}\n")
}

// collapsedCall returns the call of the nest of a space, and what is computed for the block before it; "" if there is no
// nest, or it may stop on its way.
func (b *body) collapsedCall(n *branch) (before []node, call string) {
	last := len(n.then) - 1
	if b.k.tracked || last < 0 {
		return nil, ""
	}
	r, ok := n.then[last].(*region)
	for _, x := range n.then[:last] {
		o, isOnce := x.(*once)
		ok = ok && isOnce && !stmtsMayPanic(o.stmts) // there may be no element
	}
	if !ok {
		return nil, ""
	}
	// in checks that are the same for all blocks, the sides must be
	b.sameForBlocks(nil)
	for i, side := range []Expr{n.s.over.x, n.s.over.y} {
		name := "dim" + string("XY"[i])
		known := b.constants[name]
		b.constants[name] = b.sameForBlocks(nil, b.expr(side))
		defer func() { b.constants[name] = known }()
	}
	b.r = r
	nest := b.nestOf(r)
	b.r = nil
	oneRow := isConstant(n.s.over.y, 1)
	if nest == nil || nest.why != "" || nest.fails || nest.row.steps != nil || n.s.over.near && nest.far > 0 ||
		!nest.plane && (!oneRow || b.limitsMayFail(r)) {
		delete(b.k.rows, r)
		return nil, ""
	}
	nest.did = append([]string{n.s.over.pass}, nest.did...)
	limits, lo, hi := "", "0", "dimX"
	if !nest.plane {
		limits, lo, hi = b.limitsOf(r)
	}
	return n.then[:last], limits + b.nestCall(nest, lo, hi)
}

// limitsMayFail reports whether computing the bounds of the loop over the threads of r can fail, as with an index that
// wraps around.
func (b *body) limitsMayFail(r *region) bool {
	text, _, _ := b.limitsOf(r)
	return strings.Contains(text, b.rt()+".")
}

// copiesAlone reports whether each thread of a region copies an element and does nothing else. Go's
// copy does that for a row, and is the best form for few threads.
func (b *body) copiesAlone(r *region) bool {
	list := b.inBounds(r)
	if len(list) != 1 {
		return false
	}
	a, ok := list[0].(*Assign)
	if !ok || a.Def || len(a.L) != 1 {
		return false
	}
	to, isElement := a.L[0].(*Index)
	from, fromElement := a.R.(*Index)
	return isElement && fromElement && types.Identical(to.Type(), from.Type())
}

// hasLoop reports whether there is a loop in list.
func hasLoop(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool { _, ok := s.(*For); return ok })
}

// rangeText is the text that printFastRange would print for guards, to find the names that it
// needs.
func (b *body) rangeText(gs []guard) string {
	saved := b.out
	b.out = strings.Builder{}
	b.limitsNamed(gs, "from", "to")
	text := b.out.String()
	b.out = saved
	return text
}

// isAsk reports whether r only evaluates a condition, for a vote of the threads.
func (b *body) isAsk(r *region) bool {
	c, ok := r.stmts[0].(*If)
	return ok && len(r.stmts) == 1 && c.Then == nil && c.Else == nil
}

// inBounds returns the statements of a region. If the whole condition of its guard became loop
// bounds, these are the statements inside the guard.
func (b *body) inBounds(r *region) []Stmt {
	if r.bound != nil {
		if _, rest := splitGuards(r.bound.Cond); len(rest) == 0 {
			return r.bound.Then
		}
	}
	return r.stmts
}

// leavesInAsk reports whether the region evaluates a condition on which threads may part.
func (b *body) leavesInAsk(r *region) bool {
	if len(r.stmts) == 1 {
		if c, ok := r.stmts[0].(*If); ok && c.Then == nil && c.Else == nil {
			return b.k.tracked
		}
	}
	return false
}

// stores prints the stores of a thread's variables at the end of its part.
func (b *body) stores() {
	for _, v := range b.outs {
		if b.own[v] && !b.born[v] {
			continue // the variable has no value yet
		}
		if _, _, ok := b.byColumns(v); ok {
			_, assigns := b.columnsUsed(v, b.r.stmts)
			b.column(v, assigns, func(mine, kept string) { b.printf("%s = %s\n", kept, mine) })
		} else if v.spread {
			b.printf("%s[%s] = %s\n", b.array[v], b.use("rank"), v.Name)
		} else {
			b.printf("%s = %s\n", b.copies[v], v.Name)
		}
	}
}

// limitsOf returns the bounds of the loop over the threads of r, and the statements that compute
// them.
func (b *body) limitsOf(r *region) (text, lo, hi string) {
	if r.bound == nil {
		return "", "0", "dimX"
	}
	saved := b.out
	b.out = strings.Builder{}
	gs, _ := splitGuards(r.bound.Cond)
	lo, hi = b.limits(gs)
	text = b.out.String()
	b.out = saved
	return text, lo, hi
}

// loopOf is the key under which the label of the loop over the threads of r is stored.
func (b *body) loopOf(r *region) Stmt {
	if r.key == nil {
		r.key = &Block{}
	}
	return r.key
}

// limits prints the computation of the bounds of tx from guards, and returns the bounds.
func (b *body) limits(gs []guard) (lo, hi string) {
	b.atZero = true
	defer func() { b.atZero = false }()
	lo, hi = "0", "dimX"
	setHi := func(e string) {
		if hi == "dimX" && isNumber(e) {
			hi = e
			return
		} else if hi == "dimX" {
			b.printf("hi := %s\n", e)
		} else if isNumber(hi) {
			b.printf("hi := min(%s, %s)\n", hi, e)
		} else {
			b.printf("hi = min(hi, %s)\n", e)
		}
		hi = "hi"
	}
	setLo := func(e string) {
		if e == "0" {
			return
		}
		if lo == "0" {
			b.printf("lo := %s\n", e)
		} else {
			b.printf("lo = max(lo, %s)\n", e)
		}
		lo = "lo"
	}
	for _, g := range gs {
		if g.op == token.NOT {
			b.printf("if !(%s) {\ncontinue\n}\n", b.expr(g.limit))
			continue
		}
		base, limit := b.intText(g.base), b.intText(g.limit)
		if g.strided {
			by := b.intText(g.step())
			if g.op == token.LEQ || g.op == token.GTR {
				limit += " + 1"
			}
			if g.op == token.LSS || g.op == token.LEQ {
				setHi(fmt.Sprintf("%s.BelowBy(%s, %s, %s, dimX, dimX)", b.rt(), base, by, limit))
			} else {
				setLo(fmt.Sprintf("%s.BelowBy(%s, %s, %s, dimX, 0)", b.rt(), base, by, limit))
			}
			continue
		}
		below := func(base, limit string) string {
			return fmt.Sprintf("%s.Below(%s, %s, dimX)", b.rt(), base, limit)
		}
		notAbove := func(base, limit string) string {
			return fmt.Sprintf("%s.NotAbove(%s, %s, dimX)", b.rt(), base, limit)
		}
		if n, ok := constInt(g.limit); base == "0" && ok && n >= 0 && n < 1<<20 {
			// tx is compared with a constant.
			below = func(string, string) string { return atMost(n, "dimX") }
			notAbove = func(string, string) string { return atMost(n+1, "dimX") }
		} else if base == "0" {
			below = func(_, limit string) string { return fmt.Sprintf("min(max(%s, 0), dimX)", limit) }
		}
		switch g.op {
		case token.LSS:
			setHi(below(base, limit))
		case token.LEQ:
			setHi(notAbove(base, limit))
		case token.GEQ:
			setLo(below(base, limit))
		case token.GTR:
			setLo(notAbove(base, limit))
		case token.EQL:
			setLo(below(base, limit))
			setHi(notAbove(base, limit))
		}
	}
	return lo, hi
}

// limitsNamed prints how guards narrow a range of tx that is in the variables lo and hi. The range
// becomes empty if a guard that does not depend on tx is false.
func (b *body) limitsNamed(gs []guard, lo, hi string) {
	b.atZero = true
	defer func() { b.atZero = false }()
	for i, g := range gs {
		if g.strided {
			panic("a guard that is tested as well")
		}
		if i > 0 {
			// A guard is evaluated only if a thread is left for which the guards before it hold.
			b.printf("if %s < %s {\n", lo, hi)
			defer b.printf("}\n")
		}
		if g.op == token.NOT {
			b.printf("if !(%s) {\n%s = %s\n}\n", b.expr(g.limit), hi, lo)
			continue
		}
		of := fmt.Sprintf("(%s, %s, %s)", b.intText(g.base), b.intText(g.limit), b.use("dimX"))
		below, notAbove := b.rt()+".Below"+of, b.rt()+".NotAbove"+of
		switch g.op {
		case token.LSS:
			b.printf("%s = min(%s, %s)\n", hi, hi, below)
		case token.LEQ:
			b.printf("%s = min(%s, %s)\n", hi, hi, notAbove)
		case token.GEQ:
			b.printf("%s = max(%s, %s)\n", lo, lo, below)
		case token.GTR:
			b.printf("%s = max(%s, %s)\n", lo, lo, notAbove)
		}
	}
}

// atMost prints min(n, of) for a value of that is at least 1.
func atMost(n int64, of string) string {
	if n <= 1 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("min(%d, %s)", n, of)
}

// eachOnce returns conditions without those that always hold, and each of them once.
func eachOnce(conds []Expr) (out []Expr) {
	for _, c := range conds {
		if !holds(c) && !slices.ContainsFunc(out, func(x Expr) bool { return sameExpr(x, c) }) {
			out = append(out, c)
		}
	}
	return out
}

func conjunction(list []Expr) Expr {
	e := list[0]
	for _, x := range list[1:] {
		e = &Binary{token.LAND, e, x, boolType}
	}
	return e
}
