package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Planes: blocks of two dimensions go through a tile of memory, a short row of threads to a row of the tile. What
// must hold for a row costs more there than the row itself: the guards at the edge of the grid, the bounds of
// the arrays. Both are mostly linear in threadIdx.y, so they hold for all rows if they do for the first, the second
// and the last; then the whole block runs as a loop with nothing in it but the work. Otherwise each row asks for itself.

// planes prints the loop over the whole block, if there is one for r, up to an else.
func (b *body) planes(r *region) (ok bool) {
	if b.around == r {
		b.vectors[r] += ", all rounds at a time"
		return false
	}
	if !b.usesAxis(r, 1) {
		return false
	}
	pl, ok := b.planeOf(r, nil, 0, 0)
	if !ok {
		return false
	}
	name := uniqueName(b.names, "whole")
	var more []*plane // for blocks that have as many rows, or as long ones
	for _, rows := range productRows {
		if x, ok := b.productsOf(r, pl, nil, rows); ok {
			more = append(more, x)
		}
	}
	if pl.st.parts == 1 && b.coastsIn(r) {
		if x, ok := b.planeOf(r, nil, coastParts, 0); ok && x.needsOnly(pl) {
			more = append(more, x)
		}
	}
	b.asked.split(b, pl)
	b.printf("%s", pl.ask(b, name))
	for _, x := range more {
		b.printf("if %s && %s {\n%s} else ", name, x.size(), b.outline(b.withHeads(x.loop(b)), "all threads", nil, nil, nil, nil, ""))
	}
	b.printf("if %s {\n%s%s} else {\n", name, b.outline(b.withHeads(pl.loop(b)), "all threads", nil, nil, nil, nil, ""), pl.ahead(b))
	b.vectors[r] += ", whole blocks at a time"
	return true
}

// ask prints whether all that must hold does, as a variable of this name.
func (pl *plane) ask(b *body, name string) string {
	text := fmt.Sprintf("%s := %s\n", name, fullRows(pl.whole))
	if len(pl.each) > 0 {
		text += fmt.Sprintf("if %s {\n%s}\n", name, pl.eachRow(b, name))
	}
	return text
}

// asked is what must hold for the planes in a loop of the block and is the same in all its rounds, so that it is asked
// before the loop. Of a product in tiles, what had to hold took a seventh of the time.
type asked struct {
	changes map[*Var]bool // in the loop
	loop    *For
	text    string
}

// askBefore begins a loop whose text will begin at begin, and returns what ends it.
func (b *body) askBefore(n *loop, begin int) (end func()) {
	outer := b.asked
	b.asked = &asked{changes: assignedIn(n.s), loop: n.s}
	return func() {
		if b.asked.text != "" {
			text := b.out.String()
			b.out = strings.Builder{}
			b.out.WriteString(text[:begin] + b.asked.text + text[begin:])
		}
		b.asked = outer
	}
}

// split leaves to pl what may change from round to round of the loop, and the name of what the rest comes to.
func (a *asked) split(b *body, pl *plane) {
	if a == nil {
		return
	}
	before, each := &plane{rows: pl.rows}, pl.each
	var whole []string
	pl.each = nil
	for _, c := range pl.whole {
		if a.same(b, c) {
			before.whole = append(before.whole, c)
		} else {
			whole = append(whole, c)
		}
	}
	for _, c := range each {
		if a.same(b, c) {
			before.each = append(before.each, c)
		} else {
			pl.each = append(pl.each, c)
		}
	}
	if len(before.whole) == 0 {
		pl.each = each
		return
	}
	name := uniqueName(b.names, "fits")
	a.text += before.ask(b, name)
	pl.whole = append([]string{name}, whole...)
}

// plainName matches a name that is no field.
var plainName = regexp.MustCompile(`(?:^|[^.\w])([A-Za-z_]\w*)`)

// mutable matches what may have another value in another round though its names have not: elements, fields, and what
// may panic where there is no round at all.
var mutable = regexp.MustCompile(`[\[.]|[/%] *[^0-9 ]`)

// same reports whether a condition is the same in all rounds of the loop.
func (a *asked) same(b *body, cond string) bool {
	if mutable.MatchString(strings.ReplaceAll(cond, b.core()+".", "")) {
		return false
	}
	for _, m := range plainName.FindAllStringSubmatch(cond, -1) {
		switch m[1] {
		case "ty", "tz", "row", "lo", "hi", "dimX", "dimY", "dimZ", "rows", "blockX", "blockY", "blockZ", "gridX", "gridY", "gridZ",
			"len", "min", "max", "int", "HasWideInts", b.core():
			continue
		}
		known := slices.Contains(b.conds, m[1])
		for _, v := range b.k.Vars {
			if b.name(v) == m[1] {
				if _, isPointer := v.Type.Underlying().(*types.Pointer); isPointer || a.changes[v] || declaredIn(v, a.loop) || v.addr {
					return false
				}
				known = true
			}
		}
		if !known {
			return false
		}
	}
	return true
}

// productsOf returns the plane of r for so many rows at a time, if its loop is a sum of products then, and all that it needs
// besides holds for fewer, the plane of which is few, if there is one. round is as for planeOf.
func (b *body) productsOf(r *region, few *plane, round *Var, rows int) (pl *plane, ok bool) {
	if !b.mayAddProducts(r) {
		return nil, false
	}
	pl, ok = b.planeOf(r, round, rows, 1)
	return pl, ok && pl.products && (few == nil || pl.needsOnly(few))
}

// size prints that the block has as many rows as pl takes at a time, or some times as many, or rows as long.
func (pl *plane) size() string {
	if pl.st.axis == 1 {
		return fmt.Sprintf("dimY%%%d == 0", pl.st.parts)
	}
	return fmt.Sprintf("dimX%%%d == 0", pl.st.lanes*pl.st.parts)
}

// needsOnly reports whether pl needs nothing to hold that few doesn't, but for its size.
func (pl *plane) needsOnly(few *plane) bool {
	for _, c := range slices.Concat(pl.whole, pl.each) {
		if c != pl.size() && !slices.Contains(few.whole, c) && !slices.Contains(few.each, c) {
			return false
		}
	}
	return true
}

// mayAddProducts reports whether it is worth a trial whether r is a sum of products.
func (b *body) mayAddProducts(r *region) bool {
	n, axis := b.jam(r)
	return b.width == 64 && n > 1 && axis == 1 && anyStmt(b.inBounds(r), func(s Stmt) bool {
		l, isLoop := s.(*For)
		return isLoop && len(l.Body) == 1 // what adds a product is one statement
	})
}

// A plane is a region printed for a whole block.
type plane struct {
	st     strip
	round  *Var     // the variable of the loop around it, if that is printed with it
	rows   bool     // it differs between rows
	whole  []string // what must hold for the block
	each   []string // what must hold for each row, or in each round
	bent   bool     // some of that may be other than linear in threadIdx.y, or in round
	starts []string // definitions of the indices of the first thread of a row
	names  map[string]string
	refs   []ref

	products bool // its loop is a call
	fills    bool // it is copies from global to shared memory
}

// A ref is rows of global memory that a plane reads or writes.
type ref struct {
	slice, start string
	write        bool
}

// planeOf prints r for a whole block; round is the variable of a loop around it. most is how many rows go together, or vectors of a
// row if along is 0, and 0 for what pays.
func (b *body) planeOf(r *region, round *Var, most, along int) (pl *plane, ok bool) {
	if b.k.wide || b.k.tracked || b.of != nil || b.split || len(r.exits) > 0 {
		return nil, false
	}
	used := maps.Clone(b.used)
	defer func() {
		if !ok {
			b.used = used
		}
	}()
	pl = &plane{round: round, rows: b.usesAxis(r, 1)}
	parts, axis := 1, 1
	if most > 0 {
		parts, axis = most, along
	} else if n, a := b.jam(r); n > 1 && a == 1 {
		parts = n
	} else if n > 1 {
		return nil, false
	} else if b.crosses(r) {
		parts = columns
	} else if !pl.rows && small(b.inBounds(r)) {
		parts, axis = 4, 0
	}
	b.plane = pl
	pl.st, ok = b.vectorRegion(r, true, parts, axis)
	b.plane = nil
	st := pl.st
	if !ok || pl.bent || st.panics {
		return nil, false
	}
	if r.bound != nil {
		gs, rest := splitGuards(r.bound.Cond)
		if len(rest) > 0 {
			return nil, false
		}
		st.guards = append(gs, st.guards...) // the outer ones first: others may be computed only if they hold
	}
	width := st.lanes
	if axis == 0 {
		width *= parts
	}
	pl.whole = []string{fmt.Sprintf("%s%%%d == 0", b.use("dimX"), width)}
	if pl.rows {
		pl.whole = append([]string{fmt.Sprintf("%s == %s", b.use("rows"), b.use("dimY"))}, pl.whole...)
	} else {
		pl.whole = append([]string{b.use("rows") + " == 1"}, pl.whole...)
	}
	if parts > 1 && axis == 1 {
		pl.whole = append(pl.whole, fmt.Sprintf("dimY%%%d == 0", parts))
	}
	note := func(c string) {
		for j := 2; j <= parts; j++ {
			c = replaceWord(c, fmt.Sprintf("ty_%d", j), "ty") // what holds for all rows holds for these
			c = strings.ReplaceAll(c, fmt.Sprintf("(row+%d)", j-1), "row")
		}
		list := &pl.whole
		if pl.differs(c) {
			list = &pl.each
		}
		if !slices.Contains(*list, c) {
			*list = append(*list, c)
		}
	}
	for _, c := range st.conds {
		note(c)
	}
	for _, g := range st.guards {
		list, ok := b.wholeGuard(g, round)
		if !ok {
			return nil, false
		}
		for _, c := range list {
			note(c)
		}
	}
	b.importName(vecPath, "vec")
	for i, c := range pl.whole {
		pl.whole[i] = rowsAt(c, "0", "0")
	}
	return pl, true
}

// straight reports whether the index of l is linear in threadIdx.y, and in the variable of the loop around.
func (pl *plane) straight(v *vector, l *Index) bool {
	if pl == nil || shapeOf(l.I)[1] == noStep || shapeOf(l.X)[1] != 0 || !v.linearIn(l.I, pl.round) {
		return false
	}
	for _, w := range v.counting {
		if v.countsWith(v.ranges[w], pl.round) {
			return false
		}
	}
	return true
}

// differs reports whether a condition may differ between rows, or between rounds.
func (pl *plane) differs(cond string) bool {
	return rowWord.MatchString(cond) || pl.round != nil && containsWord(cond, pl.round.Name)
}

// eachRow prints what makes the variable of this name false unless the conditions of all rows hold.
func (pl *plane) eachRow(b *body, name string) string {
	// A sum that is within bounds in two neighbouring rows grows by less than the length of an array from row to
	// row, so it can't wrap around before the last.
	text := fullRows(pl.each)
	assign := fmt.Sprintf("%s = %s && %s\n", name, name, replaceWord(text, "tz", "0"))
	if !pl.rows {
		return assign
	}
	row := ""
	if containsWord(text, "row") {
		row = "row := ty\n"
	}
	return fmt.Sprintf("for _, ty := range [...]int{0, min(1, dimY-1), dimY - 1} {\n%s%s}\n", row, assign)
}

// loop prints the loops over the block.
func (pl *plane) loop(b *body) string {
	st := pl.st
	body := b.stripBody(st)
	if text, ok := pl.copies(b, body); ok {
		return text
	}
	if pl.products {
		body = sumsInPlace(body)
	}
	starts := ""
	for _, s := range pl.starts {
		if name, _, _ := strings.Cut(s, " "); containsWord(body, name) {
			starts += s
		}
	}
	head, step, along := "", "ty++", st.lanes
	for j := 2; j <= st.parts; j++ {
		if n := fmt.Sprintf("ty_%d", j); containsWord(starts+body, n) {
			head += fmt.Sprintf("%s := ty + %d\n", n, j-1)
		}
	}
	switch {
	case st.parts > 1 && st.axis == 1:
		step = fmt.Sprintf("ty += %d", st.parts)
	case st.parts > 1:
		along *= st.parts
	}
	if containsWord(starts+body, "row") {
		if pl.rows {
			head += "row := ty\n"
		} else {
			head += "row := 0\n"
		}
	}
	if containsWord(starts+body, "tz") {
		head += "tz := 0\n"
	}
	loop := fmt.Sprintf("%s%sfor tx := 0; tx < dimX; tx += %d {\n%s}\n", head, starts, along, body)
	if pl.rows {
		loop = fmt.Sprintf("for ty := 0; ty < dimY; %s {\n%s}\n", step, loop)
	}
	return loop
}

// ahead prints calls that ask for the rows that the next block will use in its plane of this kind. In rounds of a loop
// around the plane the next block is far away, and to ask for the next round did not help a product in tiles.
func (pl *plane) ahead(b *body) string {
	if !pl.rows {
		return ""
	}
	text := ""
	done := map[ref]bool{}
	for _, r := range pl.refs {
		if done[r] || !rowWord.MatchString(r.start) {
			continue
		}
		done[r] = true
		next := replaceWord(r.start, "blockX", "(blockX+1)")
		if next == r.start || slices.ContainsFunc(b.counters, func(i *Var) bool { return containsWord(r.start, b.name(i)) }) {
			continue
		}
		verb, by := "Ahead", ""
		at := rowsAt(next, "0", "0")
		if r.write {
			verb = "AheadOfWrite"
		} else {
			by = fmt.Sprintf("%s-(%s), ", at, rowsAt(r.start, "0", "0"))
		}
		text += fmt.Sprintf("vec.%s(%s, %s, %s, %s%s, %s)\n", verb, r.slice, at, rowsAt(next, "1", "0"), by, b.use("dimY"), b.use("dimX"))
	}
	return text
}

// columns is how many rows read against the grain at a time.
const columns = 8

// crosses reports whether all that r does is to move elements, and some of them against the grain: neighbours along
// y are neighbours in memory, and neighbours along x are not, as in a transpose.
func (b *body) crosses(r *region) bool {
	if b.lanesFor(r, b.width)*4 != b.width {
		return false
	}
	found := false
	for _, s := range b.inBounds(r) {
		if c, ok := s.(*If); ok && len(c.Else) == 0 && len(c.Then) == 1 {
			s = c.Then[0]
		}
		a, ok := s.(*Assign)
		if !ok || len(a.L) != 1 || a.L[0] == nil {
			return false
		}
		if e, ok := a.R.(*Index); ok && !inVar(e) && againstGrain(e) && elemSizes[elem(e.T)] == 4 {
			found = true
		}
	}
	return found
}

func againstGrain(e *Index) bool {
	return stride(shapeOf(e.I)[0]) && shapeOf(e.I)[0] > 1 && shapeOf(e.I)[1] == 1
}

// column prints what one of eight rows reads of an array that they read against the grain: the tile is read at
// once, for the first row.
func (v *vector) column(e *Index, base, length string, step int64) (string, bool) {
	if v.plane == nil || v.parts != columns || v.axis != 1 || v.lanes*4 != v.width || v.mask != v.strip || v.branches > 0 || v.weight > 1 ||
		!againstGrain(e) || elemSizes[elem(e.T)] != 4 || !v.hoistSteps(e, length, step) {
		return "", false
	}
	if v.part == 0 {
		names := make([]string, columns)
		for k := range names {
			names[k] = v.fresh("column")
		}
		if v.columns == nil {
			v.columns = map[*Index][]string{}
		}
		v.columns[e] = names
		v.printf("%s := %s(%s, %s, %d)\n", strings.Join(names, ", "), v.vec("Columns", e.T), v.slice(base, e.T), v.firstIndex(e), step)
	}
	if v.columns[e] == nil {
		return "", false
	}
	return v.columns[e][v.part], true
}

// place prints an index as its distance from that of the first thread of the row, which is computed once a row. Go does
// not move it out of the loop along the row by itself, and of a transpose in tiles it was most of the instructions.
func (p *plane) place(v *vector, l *Index) (string, bool) {
	e := l.I
	step := shapeOf(e)[0]
	if p == nil || step <= 0 || !stride(step) || v.mask != v.strip || v.atZero || v.stand != nil || !types.Identical(e.Type(), intType) ||
		v.counted(e) || loads(e) || mayPanic(e) || !v.rowWide(e) {
		return "", false
	}
	start, _ := v.extremes(e, true, nil)
	start = unparen(start)
	place := v.partName("tx")
	if step > 1 {
		place = fmt.Sprintf("%d*%s", step, place)
	}
	if start == "0" {
		return place, true
	}
	if r, ok := l.X.(*VarRef); ok && r.V.Param && step == 1 && v.part == 0 && v.branches == 0 {
		p.refs = append(p.refs, ref{v.body.name(r.V), start, v.storing})
	}
	if p.names[start] == "" {
		if p.names == nil {
			p.names = map[string]string{}
		}
		p.names[start] = uniqueName(v.names, "start")
		p.starts = append(p.starts, fmt.Sprintf("%s := %s\n", p.names[start], start))
		v.lined = true // variables may be left over
	}
	return p.names[start] + "+" + place, true
}

// rowWord matches what differs between rows. Names of fields may be the same.
var rowWord = regexp.MustCompile(`(^|[^.\w])(ty|ty_[2-8]|row)\b`)

// replaceWord puts something in the place of a name, which is no field.
func replaceWord(text, name, by string) string {
	return regexp.MustCompile(`(^|[^.\w])`+name+`\b`).ReplaceAllString(text, "${1}"+by)
}

// hugeNumber matches a constant of which a small multiple may be too large for an int.
var hugeNumber = regexp.MustCompile(`\b\d{10,}`)

// rowsAt puts numbers of a row in the places of ty and tz.
func rowsAt(text, ty, tz string) string {
	if hugeNumber.MatchString(text) {
		// Go computes what has only constants in it, and does not take it if that is too large.
		for _, n := range []*string{&ty, &tz} {
			if isNumber(*n) {
				*n = fmt.Sprintf("min(%s, dimX)", *n)
			}
		}
	}
	return replaceWord(replaceWord(replaceWord(text, "tz", tz), "row", "ty"), "ty", ty)
}

// fullRows is fullRow of conditions, of which some may become the same.
func fullRows(conds []string) string {
	full := make([]string, len(conds))
	for i, c := range conds {
		full[i] = fullRow(c)
	}
	return joined(distinct(full))
}

// distinct returns what there is in list, once each.
func distinct(list []string) []string {
	var once []string
	for _, s := range list {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}

// fullRow puts the bounds of a full row in the places of lo and hi.
func fullRow(text string) string {
	text = regexp.MustCompile(`\+lo\b`).ReplaceAllString(text, "")
	return replaceWord(replaceWord(text, "lo", "0"), "hi", "dimX")
}

// wholeGuard returns the conditions under which g holds for all threads of a block.
func (b *body) wholeGuard(g guard, round *Var) (conds []string, ok bool) {
	b.atZero = true
	defer func() { b.atZero = false }()
	if g.op == token.NOT {
		for _, t := range terms(g.limit) {
			if shapeOf(t)[1] == 0 && !b.countsWith(t, round) {
				conds = append(conds, "("+b.expr(t)+")")
				continue
			}
			c, isBinary := t.(*Binary)
			if !isBinary || flipped[c.Op] == 0 || c.Op == token.EQL || !wide(c.X.Type()) || unsigned(c.X.Type()) {
				return nil, false
			}
			x, y, op := c.X, c.Y, c.Op
			if shapeOf(x)[1] == 0 && !b.countsWith(x, round) {
				x, y, op = y, x, flipped[op]
			}
			list, ok := b.atEnds(x, y, round, func(x, y string) string { return fmt.Sprintf("%s %s %s", x, op, y) })
			if !ok {
				return nil, false
			}
			conds = append(conds, list...)
		}
		return conds, true
	}
	call := map[token.Token][2]string{token.LSS: {"Below", "dimX"}, token.LEQ: {"NotAbove", "dimX"}, token.GEQ: {"Below", "0"}, token.GTR: {"NotAbove", "0"}}[g.op]
	if call[0] == "" {
		return nil, false
	}
	return b.atEnds(g.base, g.limit, round, func(base, limit string) string {
		return fmt.Sprintf("%s.%s(%s, %s, %s) == %s", b.core(), call[0], base, limit, b.use("dimX"), call[1])
	})
}

// atEnds returns the conditions under which what f says about x and y holds in all rows, where y is the same in
// all and x grows by a small number, or is the same too. In the rounds of a loop x may grow with its variable.
func (b *body) atEnds(x, y Expr, round *Var, f func(x, y string) string) (conds []string, ok bool) {
	s := shapeOf(x)[1]
	if s < 0 || s > 1<<20 || shapeOf(y)[1] != 0 || b.countsWith(y, round) {
		return nil, false
	}
	xs, ys := "("+b.intText(x)+")", b.intText(y)
	if b.countsWith(x, round) {
		if !b.growsWith(x, round) {
			return nil, false
		}
		now := rowsAt(xs, "0", "0")
		conds = append(conds, replaceWord(now, round.Name, b.firstRound)+" <= "+now) // it does not wrap around
	}
	if s == 0 {
		return append(conds, f(rowsAt(xs, "0", "0"), rowsAt(ys, "0", "0"))), true
	}
	first, last := rowsAt(xs, "0", "0"), rowsAt(xs, "("+b.use("dimY")+"-1)", "0")
	ys = rowsAt(ys, "0", "0")
	return append(conds, first+" <= "+last, f(first, ys), f(last, ys)), true
}

// withHeads returns text for a func of its own: with the vectors that are made once for all blocks made in it.
func (b *body) withHeads(text string) string {
	for _, h := range slices.Backward(b.heads) {
		if name, _, _ := strings.Cut(h, " "); containsWord(text, name) && !slices.Contains(b.conds, name) {
			text = h + "\n" + text
		}
	}
	return text
}
