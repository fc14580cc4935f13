package compiler

import (
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Printing the threads of a region: loops over the rows of the block, with the guards of the region as their bounds, and in each row
// one thread after the other, or strips of neighbours where there are vectors.

// region prints a loop over the threads, and what follows if some of them left.
func (b *body) region(r *region) {
	kinds := []*Exit{}
	for _, e := range r.exits {
		if !slices.ContainsFunc(kinds, func(x *Exit) bool { return x.To == e.To && x.Continue == e.Continue }) {
			kinds = append(kinds, e)
		}
	}
	// Those that go on with the next round come before those that have left the loop, in this round or before.
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

// threads prints a loop over the threads that take part, with what of their variables lives elsewhere.
func (b *body) threads(r *region, inner func()) {
	b.r = r
	if b.width > 0 && len(r.stmts) > 0 && !b.isAsk(r) && !b.split {
		where, done := b.whereNeighbours(r)
		defer done()
		defer func() { b.vectors[r] = where + b.vectors[r] }()
		st, ok := b.vectorRegion(r, false, 0, 0)
		switch {
		case ok && !b.k.tracked:
			b.vectors[r] = fmt.Sprintf("%d lanes%s", st.lanes, st.slow)
			b.strips(r, st)
			b.vector++
			b.r = nil
			return
		case ok && len(r.exits) == 0:
			b.vectors[r] = fmt.Sprintf("%d lanes while no thread has left%s", st.lanes, st.slow)
			b.printf("if p.Live == %s*%s {\n", b.use("dimX"), b.use("rows"))
			b.strips(r, st)
			b.vector++
			b.r = r
			b.printf("} else {\n")
			defer b.printf("}\n")
		case ok:
			b.vectors[r] = "none, since threads leave it that others wait for"
		default:
			b.vectors[r] = "none, since " + st.why
		}
	}
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

	// What is inside is printed first, to know what it needs.
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
		b.out, b.line = strings.Builder{}, token.Position{} // it may become a func of its own
		b.outs = append(slices.Clone(outs), copies...)
		b.born = map[*Var]bool{}
		inner()
		b.stores()
		text := b.out.String()
		b.out = saved
		b.outs = nil
		// What is computed anew comes in the order of declaration, and only if it is used.
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
	fast := b.views(r, part, func(parts int) string { return b.jammed(b.inBounds(r), ins, outs, parts) })
	if len(copies) > 0 && fast != nil {
		fast.jam = ""
	}
	if fast == nil && len(copies) == 0 {
		fast = b.raggedView(r, part)
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
	if nest != nil && nest.fails && lo == "0" {
		limits, lo = "lo := 0\n"+limits, "lo"
	}
	if nest != nil {
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
	whole := nest == nil && fast != nil && len(copies) == 0 && b.wholeRows(r, part)
	if plane {
		b.printf("for row := 0; row < rows; row++ {\n")
	} else if rank || ty || tz || rowUsed {
		b.printf("for row := range rows {\n")
	} else {
		b.printf("for range rows {\n")
	}
	if ty {
		b.printf("ty := %s.RowY(row, %s)\n", b.core(), b.use("dimY"))
	}
	if tz {
		b.printf("tz := %s.RowZ(row, %s)\n", b.core(), b.use("dimY"))
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
	every := b.out.String()
	b.out = loop
	if (fast == nil || ragged) && !exits && len(copies) == 0 && !b.k.tracked && len(r.stmts) > 0 && !b.isAsk(r) && hasLoop(r.stmts) {
		every = b.outline(every, "threads of a row", nil, nil, nil, nil, "")
		if ragged { // mostly none are left
			every = "if lo < hi {\n" + every + "}\n"
		}
	}
	b.printf("%s", every)
	if fast != nil && middle == "" && !ragged {
		b.printf("}\n")
	}
	b.printf("}\n")
	if whole {
		b.printf("}\n")
	}
	for _, v := range copies {
		b.printf("%s = %s\n", v.Name, outerCopies[v])
		delete(b.copies, v)
	}
	b.r = nil
}

// hasLoop reports whether there is a loop in list.
func hasLoop(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool { _, ok := s.(*For); return ok })
}

// rangeText is what printFastRange prints for guards, to see which names it needs.
func (b *body) rangeText(gs []guard) string {
	saved := b.out
	b.out = strings.Builder{}
	b.limitsNamed(gs, "from", "to")
	text := b.out.String()
	b.out = saved
	return text
}

// isAsk reports whether r only evaluates a condition.
func (b *body) isAsk(r *region) bool {
	c, ok := r.stmts[0].(*If)
	return ok && len(r.stmts) == 1 && c.Then == nil && c.Else == nil
}

// strips prints a loop over the threads that takes as many at once as a vector has lanes. st is the general
// form, under a mask. Where it pays there is a second one before it for the threads that come in whole
// vectors, or in several: what waits for memory has more of it under way the fewer instructions lie between. A step
// of Yee's (kernels/fdtd.go) on one worker of the Zen 5 kind takes 3.2 ms with one vector a round, 3.0 with two, 2.95 with three,
// 3.0 with four (the magnetic fields like one, the electric one faster), 2.8 with five, 2.95 with six and 2.9 with eight.
func (b *body) strips(r *region, st strip) {
	b.stripLoops(r, st)
	b.clearUpper()
}

// clearUpper prints what ends code with vectors.
func (b *body) clearUpper() { b.printf("%s.ClearUpperBits()\n", b.importName(vecPath, "vec")) }

func (b *body) stripLoops(r *region, st strip) {
	switch {
	case b.width == 32 && b.wholeRows(r, b.onePart(r)):
		b.vectors[r] += ", whole blocks at a time"
		defer b.printf("}\n")
	case b.planes(r):
		defer b.printf("}\n")
	}
	var fast, faster *strip
	if parts, axis := b.jam(r); parts > 1 {
		if f, ok := b.vectorRegion(r, true, parts, axis); ok {
			fast = &f
			if axis == 0 && b.oneSum(r) {
				if f, ok := b.vectorRegion(r, true, b.wholeRow(), 0); ok {
					faster = &f
				}
			}
		}
	} else if parts == 1 {
		if f, ok := b.vectorRegion(r, true, 1, 0); ok {
			fast = &f
		}
		more := 0
		switch {
		case small(b.inBounds(r)):
			more = 4
		case b.coastsIn(r):
			more = coastParts
		case b.k.wide && operations(b.inBounds(r)) <= brief:
			more = 5
		}
		if more > 0 {
			if f, ok := b.vectorRegion(r, true, more, 0); ok {
				faster = &f
			}
		}
	}
	b.use("rows")
	b.use("dimX")
	b.importName(vecPath, "vec")
	limits, lo, hi := b.limitsOf(r)
	general := b.stripBody(st)
	if fast != nil && fast.parts > 1 {
		b.vectors[r] += fmt.Sprintf(", %s at a time", plural(fast.parts, [...]string{"vector", "row"}[fast.axis]))
	}
	if fast != nil && fast.axis == 1 {
		// Several rows at a time, if all have whole vectors.
		b.printf("row := 0\n")
		b.printf("if %s%%%d == 0 {\n", b.use("dimY"), fast.parts)
		b.printf("for ; row < rows; row += %d {\n", fast.parts)
		body := b.stripBody(*fast)
		rowConds, inner := b.jamGuards(r, fast.parts)
		b.rowHead(body + strings.Join(fast.conds, " ") + rowConds + inner)
		if rowConds != "" {
			b.printf("if !(%s) {\nbreak\n}\n", rowConds)
		}
		b.printf("%s", inner)
		if lo == "0" {
			b.printf("const lo = 0\n")
		}
		if hi != "hi" {
			b.printf("hi := %s\n", hi)
		}
		conds := append([]string{fmt.Sprintf("(hi-lo)%%%d == 0", fast.lanes)}, fast.conds...)
		b.printf("if !(%s) {\nbreak\n}\n", joined(conds))
		b.printf("for tx := lo; tx < hi; tx += %d {\n%s}\n}\n}\n", fast.lanes, body)
		b.printf("for ; row < rows; row++ {\n")
		b.rowHead(general + limits)
		b.printf("%sfor tx := %s; tx < %s; tx += %d {\nm := vec.First(min(%s-tx, %d))\n%s}\n}\n", limits, lo, hi, st.lanes, hi, st.lanes, general)
		return
	}
	before := b.out
	b.out = strings.Builder{}
	defer func() {
		text := b.out.String()
		b.out = before
		if containsWord(text, "row") {
			b.printf("for row := range rows {\n%s", text)
		} else {
			b.printf("for range rows {\n%s", text)
		}
	}()
	body, conds, rest := "", "", ""
	if fast != nil {
		body, conds = b.stripBody(*fast), joined(fast.conds)
		if b.k.wide && (len(fast.guards) > 0 || lo != "0") {
			// In the func of the loop over whole vectors, without the checks: a step of Yee's on 128 by 128 cells and one worker is
			// 1.07 times as fast; of rows of 2048 the ends don't count.
			if ends := b.endsRegion(r, fast); ends != nil {
				rest = b.stripBody(*ends)
			}
		}
	}
	if fast != nil {
		conds += b.rangeText(fast.guards)
	}
	b.rowHead(general + limits + body + conds + rest)
	if fast != nil {
		conds = joined(fast.conds)
	}
	ownFunc := func(loop string) string { return loop }
	if b.k.wide && fast != nil && !fast.panics {
		// Rows are long, and what the func around has in registers costs the loop more than a call.
		ownFunc = func(loop string) string {
			what := "whole vectors of a row"
			if rest != "" {
				what = "a row in which all elements are in range"
			}
			return b.outline(b.withHeads(loop), what, []string{"end", "from", "to", "tx"}, map[string]string{"end": "int", "from": "int", "to": "int", "tx": "int"},
				nil, []string{"tx"}, "")
		}
	}
	if fast != nil && len(fast.guards) > 0 {
		// The vectors for whose threads all guards hold are in the middle.
		n := fast.lanes * fast.parts
		b.printf("%s", limits)
		if lo == "0" {
			b.printf("const lo = 0\n")
		}
		if hi != "hi" {
			b.printf("hi := %s\n", hi)
		}
		if rest == "" {
			b.printFastRange(fast.guards, fast.conds)
		} else {
			b.printFastRange(fast.guards, nil)
			b.printf("start, end := lo, hi\n")
			if len(fast.conds) > 0 {
				b.printf("if !(%s) {\n%sstart, end = from, to\n}\n", joined(fast.conds), b.outOfRange(fast.conds))
			}
		}
		loops := ""
		if faster != nil && slices.Equal(faster.conds, fast.conds) && b.rangeText(faster.guards) == b.rangeText(fast.guards) {
			loops = b.stripLoop("to", faster.lanes*faster.parts, b.stripBody(*faster))
		}
		loops += b.stripLoop("to", n, body)
		if rest != "" {
			loops = ownFunc(fmt.Sprintf("for tx < end {\nif tx >= from && tx+%d <= to {\n%scontinue\n}\nm := vec.First(min(end-tx, %d))\n%stx += %d\n}\ntx = min(tx, end)\n",
				n, loops, n, rest, n))
			b.printf("for tx := lo; tx < hi; {\nif tx >= start && tx < end {\n%scontinue\n}\n", loops)
		} else {
			b.printf("for tx := lo; tx < hi; {\nif tx >= from && tx+%d <= to {\n%scontinue\n}\n", n, ownFunc(loops))
		}
		b.printf("m := vec.First(min(hi-tx, %d))\n%stx += %d\n}\n}\n", st.lanes, general, st.lanes)
		return
	}
	if fast != nil && b.k.wide && lo != "0" {
		// A row that begins somewhere has a short strip first, so that vectors lie in lines of the cache as rows do. A step of
		// Yee's with one worker does a sixth more so: of seven vectors, one is in two lines and not six.
		fits, most := uniqueName(b.names, "fits"), uniqueName(b.names, "most")
		if hi != "hi" {
			b.printf("hi := %s\n", hi)
		}
		if conds == "" {
			conds = "true"
		}
		loops := ""
		if faster != nil && joined(faster.conds) == conds {
			loops = b.stripLoop("hi", faster.lanes*faster.parts, b.stripBody(*faster))
		}
		n := fast.lanes * fast.parts
		loops += b.stripLoop("hi", n, body)
		size := fmt.Sprintf("%s := %d - tx&%d\n", most, st.lanes, st.lanes-1)
		whole := fmt.Sprintf("%s == %d && tx+%d <= hi", most, st.lanes, n)
		b.printf("%s%s := %s\nfor tx := %s; tx < hi; {\n", limits, fits, conds, lo)
		if rest != "" {
			loops = ownFunc(fmt.Sprintf("for tx < hi {\n%sif %s {\n%scontinue\n}\nm := vec.First(min(hi-tx, %s))\n%stx += %s\n}\n", size, whole, loops, most, rest, most))
			b.printf("if %s {\n%scontinue\n}\n%s", fits, loops, size)
		} else {
			b.printf("%sif %s && %s {\n%scontinue\n}\n", size, fits, whole, ownFunc(loops))
		}
		b.printf("m := vec.First(min(hi-tx, %s))\n%stx += %s\n}\n}\n", most, general, most)
		return
	}
	b.printf("%stx := %s\n", limits, lo)
	if fast != nil {
		if lo == "0" && strings.Contains(conds, "lo") {
			b.printf("const lo = 0\n")
		}
		if hi != "hi" && strings.Contains(conds, "hi") {
			b.printf("hi := %s\n", hi)
			hi = "hi"
		}
		n := fast.lanes * fast.parts
		if conds != "" {
			b.printf("if %s {\n", conds)
		}
		if faster != nil && joined(faster.conds) == conds {
			n := faster.lanes * faster.parts
			b.printf("%s", b.stripLoop(hi, n, b.stripBody(*faster)))
		}
		b.printf("%s", b.stripLoop(hi, n, body))
		if conds != "" {
			b.printf("}\n")
		}
	}
	b.printf("for ; tx < %s; tx += %d {\nm := vec.First(min(%s-tx, %d))\n%s}\n}\n", hi, st.lanes, hi, st.lanes, general)
}

// stripLoop is the loop over whole strips of n threads, up to hi.
func (b *body) stripLoop(hi string, n int, body string) string {
	decls, body := b.pointers(body, "tx", n)
	return fmt.Sprintf("%sfor ; tx+%d <= %s; tx += %d {\n%s}\n", decls, n, hi, n, body)
}

// jamGuards prints the guards of a region for several rows: a condition that must hold in all of them, and the
// bounds that they have in common.
func (b *body) jamGuards(r *region, parts int) (conds, limits string) {
	if r.bound == nil {
		return "", ""
	}
	gs, _ := splitGuards(r.bound.Cond)
	var rows, rest []guard
	for _, g := range gs {
		if g.op == token.NOT {
			rows = append(rows, g)
		} else {
			rest = append(rest, g)
		}
	}
	var list []string
	b.parts, b.axis, b.atZero = parts, 1, true
	for _, g := range rows {
		for b.part = range parts {
			if c := "(" + b.expr(g.limit) + ")"; !slices.Contains(list, c) {
				list = append(list, c)
			}
		}
	}
	b.parts, b.part, b.atZero = 0, 0, false
	saved := b.out
	b.out = strings.Builder{}
	b.limits(rest)
	limits = b.out.String()
	b.out = saved
	return joined(list), limits
}

// jammable reports whether all guards of a region are the same for all rows or say which rows take part.
func (b *body) jammable(r *region) bool {
	if r.bound == nil {
		return true
	}
	gs, rest := splitGuards(r.bound.Cond)
	for _, g := range gs {
		if g.op != token.NOT && (shapeOf(g.base)[1] != 0 || shapeOf(g.limit)[1] != 0) {
			return false
		}
	}
	return len(rest) == 0
}

// rowHead prints what a row begins with, as far as text needs it.
func (b *body) rowHead(text string) {
	if containsWord(text, "ty") || containsWord(text, "ty_2") || containsWord(text, "ty_3") || containsWord(text, "ty_4") {
		b.printf("ty := %s.RowY(row, %s)\n", b.core(), b.use("dimY"))
		for j := 2; j <= 4; j++ {
			if name := fmt.Sprintf("ty_%d", j); containsWord(text, name) {
				b.printf("%s := ty + %d\n", name, j-1)
			}
		}
	}
	if containsWord(text, "tz") {
		b.printf("tz := %s.RowZ(row, %s)\n", b.core(), b.use("dimY"))
	}
}

// stripBody completes the body of a loop over threads: it declares what is computed anew, and the names of
// the threads.
func (b *body) stripBody(st strip) string {
	text := st.text
	b.parts, b.axis = st.parts, st.axis
	defer func() { b.parts, b.part = 0, 0 }()
	for _, v := range slices.Backward(b.k.Vars) {
		if v.value == nil || !scalarShape(v.Shape) && st.lanes > 1 {
			continue
		}
		for b.part = st.parts - 1; b.part >= 0; b.part-- {
			if (b.part == 0 || b.varies(v.Shape)) && containsWord(text, b.name(v)) {
				text = fmt.Sprintf("%s := %s\n%s", b.name(v), b.convertTo(v.value, v.Type), text)
			}
		}
		b.part = 0
	}
	head := ""
	for j := 2; j <= st.parts; j++ {
		if name := fmt.Sprintf("rank_%d", j); containsWord(text, name) {
			step := fmt.Sprint((j - 1) * st.lanes)
			if st.axis == 1 {
				step = fmt.Sprintf("%d*dimX", j-1)
			}
			head += fmt.Sprintf("%s := row*dimX + tx + %s\n", name, step)
		}
		if name := fmt.Sprintf("tx_%d", j); containsWord(text, name) {
			head += fmt.Sprintf("%s := tx + %d\n", name, (j-1)*st.lanes)
		}
	}
	if st.full && containsWord(text, "m") {
		head += fmt.Sprintf("m := %s.Mask(1<<%d - 1)\n", b.importName(vecPath, "vec"), st.lanes)
	}
	if st.panics || containsWord(text, "rank") {
		head += "rank := row*dimX + tx\n"
		if st.panics {
			head += "p.Current = rank\n"
		}
	}
	return head + text
}

// jam returns how many vectors a region should take at a time and along which axis: several if it has a loop
// in which they share what is loaded, one if whole vectors pay, none if not.
func (b *body) jam(r *region) (parts, axis int) {
	rows, columns, loops := false, false, false
	var visit func(list []Stmt, inLoop bool)
	visit = func(list []Stmt, inLoop bool) {
		for _, s := range list {
			exprs(s, func(e Expr) {
				walkExpr(e, func(x Expr) {
					if ix, ok := x.(*Index); ok && inLoop {
						sh := shapeOf(ix)
						rows = rows || sh[0] != 0 && sh[1] == 0 && !scalarShape(sh)
						columns = columns || sh[0] == 0
					}
				})
			})
			_, isLoop := s.(*For)
			loops = loops || isLoop
			substmts(s, func(l []Stmt) { visit(l, inLoop || isLoop) })
		}
	}
	visit(r.stmts, false)
	switch {
	case rows && b.jammable(r) && b.usesAxis(r, 1) && !b.hasRounds(r.stmts):
		if b.width == 64 {
			return 4, 1
		}
		return 2, 1
	case columns && b.vectorVars(r) <= 4:
		return 2, 0
	case loops && !columns && b.vectorVars(r) <= 3 && b.steadyLoops(r.stmts):
		if b.oneSum(r) {
			return 4, 0
		}
		return 8, 0 // sums that don't wait for each other
	case b.k.wide && small(b.inBounds(r)):
		return 4, 0
	case columns || !loops && len(r.stmts) <= 12 || b.hasRounds(r.stmts) && b.steadyLoops(r.stmts):
		return 1, 0
	}
	return 0, 0
}

// steadyLoops reports whether all threads go the same rounds of the loops in list, but for those in a branch that
// whole vectors leave to the general form.
func (b *body) steadyLoops(list []Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *If:
			if !b.steadyLoops(s.Then) || !shapeOf(s.Cond).uniform() && !b.steadyLoops(s.Else) {
				return false
			}
		case *For:
			if !b.isRounding(s) && (s.parts[0] != 0 || s.breaks || s.continues) || !b.steadyLoops(s.Body) {
				return false
			}
		case *Block, *Exit, *Do, *Panic:
			return false
		}
	}
	return true
}

// inBounds returns the statements of a region without the guard that became bounds, if nothing is left of it.
func (b *body) inBounds(r *region) []Stmt {
	if r.bound != nil {
		if _, rest := splitGuards(r.bound.Cond); len(rest) == 0 {
			return r.bound.Then
		}
	}
	return r.stmts
}

// tiny and brief are how many operations regions have at most for four and five vectors a round, see small and strips.
const (
	tiny  = 12
	brief = 48
)

// small reports whether list has so few operations that the loop around it costs about as much as they do.
// Several vectors a round then make it shorter: SAXPY in the first-level cache gains a half.
func small(list []Stmt) bool { return operations(list) <= tiny }

// operations is a measure of what list does: one for each assignment, operator and element, eight more for anything else.
func operations(list []Stmt) int {
	n := 0
	walk(list, func(s Stmt) {
		n++
		if _, ok := s.(*Assign); !ok {
			n += 8
		}
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				switch x.(type) {
				case *Index, *Binary:
					n++
				case *Call:
					n += 8
				}
			})
		})
	})
	return n
}

// vectorVars returns how many variables of a region are vectors. Go 1.26 has 15 registers for vectors, also
// with AVX-512, and two vectors at a time need twice as many.
func (b *body) vectorVars(r *region) int {
	n := 0
	u := useOf(r.stmts)
	for _, v := range b.k.Vars {
		if (u.read[v] || u.written[v]) && !v.Param && !scalarShape(v.Shape) && v.value == nil {
			n++
		}
	}
	return n
}

// usesAxis reports whether the threads of a region differ along an axis.
func (b *body) usesAxis(r *region, axis int) bool {
	u := useOf(r.stmts)
	for v := range u.read {
		if v.Shape[axis] != 0 {
			return true
		}
	}
	return false
}

// leavesInAsk reports whether the region asks for a condition of threads that may part.
func (b *body) leavesInAsk(r *region) bool {
	if len(r.stmts) == 1 {
		if c, ok := r.stmts[0].(*If); ok && c.Then == nil && c.Else == nil {
			return b.k.tracked
		}
	}
	return false
}

// stores prints what a thread leaves behind at the end of its part.
func (b *body) stores() {
	for _, v := range b.outs {
		if b.own[v] && !b.born[v] {
			continue // it has no value yet
		}
		if v.spread {
			b.printf("%s[%s] = %s\n", b.array[v], b.use("rank"), v.Name)
		} else {
			b.printf("%s = %s\n", b.copies[v], v.Name)
		}
	}
}

// limitsOf returns the bounds of the loop over the threads of r, and the lines that compute them.
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

// loopOf is a key for the label of the loop over the threads of r.
func (b *body) loopOf(r *region) Stmt {
	if r.key == nil {
		r.key = &Block{}
	}
	return r.key
}

// limits prints the bounds of tx by guards.
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
		below := func(base, limit string) string {
			return fmt.Sprintf("%s.Below(%s, %s, dimX)", b.core(), base, limit)
		}
		notAbove := func(base, limit string) string {
			return fmt.Sprintf("%s.NotAbove(%s, %s, dimX)", b.core(), base, limit)
		}
		if n, ok := constInt(g.limit); base == "0" && ok && n >= 0 && n < 1<<20 {
			// tx itself is compared with a constant.
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

// limitsNamed prints how guards narrow a range of tx that is in variables. It is empty if one that has nothing
// to do with tx does not hold.
func (b *body) limitsNamed(gs []guard, lo, hi string) {
	b.atZero = true
	defer func() { b.atZero = false }()
	for i, g := range gs {
		if i > 0 {
			// No thread comes to it if there is none for which those before it hold.
			b.printf("if %s < %s {\n", lo, hi)
			defer b.printf("}\n")
		}
		if g.op == token.NOT {
			b.printf("if !(%s) {\n%s = %s\n}\n", b.expr(g.limit), hi, lo)
			continue
		}
		of := fmt.Sprintf("(%s, %s, %s)", b.intText(g.base), b.intText(g.limit), b.use("dimX"))
		below, notAbove := b.core()+".Below"+of, b.core()+".NotAbove"+of
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

// atMost prints min(n, of), where of is at least 1.
func atMost(n int64, of string) string {
	if n <= 1 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("min(%d, %s)", n, of)
}

func conjunction(list []Expr) Expr {
	e := list[0]
	for _, x := range list[1:] {
		e = &Binary{token.LAND, e, x, boolType}
	}
	return e
}
