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
	if b.k.wide || b.k.tracked || b.of != nil || b.split || len(r.exits) > 0 || !b.usesAxis(r, 1) {
		return false
	}
	used := maps.Clone(b.used)
	defer func() {
		if !ok {
			b.used = used
		}
	}()
	parts := 1
	if n, axis := b.jam(r); n > 1 && axis == 1 {
		parts = n
	} else if b.crosses(r) {
		parts = columns
	}
	b.plane = &plane{}
	st, ok := b.vectorRegion(r, true, parts, 1)
	pl := b.plane
	b.plane = nil
	if !ok || pl.bent || st.panics {
		return false
	}
	if r.bound != nil {
		gs, rest := splitGuards(r.bound.Cond)
		if len(rest) > 0 {
			return false
		}
		st.guards = append(gs, st.guards...) // the outer ones first: others may be computed only if they hold
	}
	// What holds for the block, and what for each row, of which the last is last.
	whole := []string{fmt.Sprintf("%s == %s", b.use("rows"), b.use("dimY")), fmt.Sprintf("%s%%%d == 0", b.use("dimX"), st.lanes)}
	if parts > 1 {
		whole = append(whole, fmt.Sprintf("dimY%%%d == 0", parts))
	}
	var each []string
	for _, c := range st.conds {
		for j := 2; j <= parts; j++ {
			c = replaceWord(c, fmt.Sprintf("ty_%d", j), "ty") // what holds for all rows holds for these
		}
		if !rowWord.MatchString(c) {
			whole = append(whole, c)
		} else if !slices.Contains(each, c) {
			each = append(each, c)
		}
	}
	for _, g := range st.guards {
		list, ok := b.wholeGuard(g)
		if !ok {
			return false
		}
		for _, c := range list {
			if !slices.Contains(whole, c) {
				whole = append(whole, c)
			}
		}
	}
	b.importName(vecPath, "vec")
	for i, c := range whole {
		whole[i] = rowsAt(c, "0", "0")
	}
	name := uniqueName(b.names, "whole")
	b.printf("%s := %s\n", name, fullRow(strings.Join(whole, " && ")))
	if len(each) > 0 {
		// A sum that is within bounds in two neighbouring rows grows by less than the length of an array from
		// row to row, so it can't wrap around before the last.
		text := fullRow(strings.Join(each, " && "))
		row := ""
		if containsWord(text, "row") {
			row = "row := ty\n"
		}
		b.printf("if %s {\nfor _, ty := range [...]int{0, min(1, dimY-1), dimY - 1} {\n%s%s = %s && %s\n}\n}\n", name, row, name, name, replaceWord(text, "tz", "0"))
	}
	body := b.stripBody(st)
	starts := ""
	for _, s := range pl.starts {
		if name, _, _ := strings.Cut(s, " "); containsWord(body, name) {
			starts += s
		}
	}
	head := ""
	for j := 2; j <= parts; j++ {
		if n := fmt.Sprintf("ty_%d", j); containsWord(starts+body, n) {
			head += fmt.Sprintf("%s := ty + %d\n", n, j-1)
		}
	}
	if containsWord(starts+body, "row") {
		head += "row := ty\n"
	}
	if containsWord(starts+body, "tz") {
		head += "tz := 0\n"
	}
	head += starts
	step := "ty++"
	if parts > 1 {
		step = fmt.Sprintf("ty += %d", parts)
	}
	loop := fmt.Sprintf("for ty := 0; ty < dimY; %s {\n%sfor tx := 0; tx < dimX; tx += %d {\n%s}\n}\n", step, head, st.lanes, body)
	b.printf("if %s {\n%s} else {\n", name, b.outline(b.withHeads(loop), "all threads", nil, nil, nil, nil))
	b.vectors[r] += ", whole blocks at a time"
	return true
}

// columns is how many rows read against the grain at a time.
const columns = 8

// crosses reports whether all that r does is to move elements, and some of them against the grain: neighbours along
// y are neighbours in memory, and neighbours along x are not, as in a transpose.
func (b *body) crosses(r *region) bool {
	if b.width != 64 || b.lanesFor(r, b.width) != 16 {
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
	if v.plane == nil || v.parts != columns || v.axis != 1 || v.lanes != 16 || v.mask != v.strip || v.branches > 0 || v.weight > 1 ||
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

// A plane is what is special about the printing of a whole block.
type plane struct {
	bent   bool     // something that must hold for each row may be other than linear in threadIdx.y
	starts []string // definitions of the indices of the first thread of a row
	names  map[string]string
}

// place prints an index as its distance from that of the first thread of the row, which is computed once a row. Go does
// not move it out of the loop along the row by itself, and of a transpose of tiles it was most of the
// instructions: so many that the processor saw ten lines of memory at a time where it can wait for thirty.
func (p *plane) place(v *vector, e Expr) (string, bool) {
	step := shapeOf(e)[0]
	if p == nil || !stride(step) || v.mask != v.strip || v.atZero || v.stand != nil || !types.Identical(e.Type(), intType) ||
		v.counted(e) || loads(e) || mayPanic(e) || !v.rowWide(e) {
		return "", false
	}
	start, _ := v.extremes(e, true)
	start = unparen(start)
	place := "tx"
	if step > 1 {
		place = fmt.Sprintf("%d*tx", step)
	}
	if start == "0" {
		return place, true
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

// rowsAt puts numbers of a row in the places of ty and tz.
func rowsAt(text, ty, tz string) string {
	return replaceWord(replaceWord(replaceWord(text, "tz", tz), "row", "ty"), "ty", ty)
}

// fullRow puts the bounds of a full row in the places of lo and hi.
func fullRow(text string) string {
	text = regexp.MustCompile(`\+lo\b`).ReplaceAllString(text, "")
	return replaceWord(replaceWord(text, "lo", "0"), "hi", "dimX")
}

// wholeGuard returns the conditions under which g holds for all threads of a block.
func (b *body) wholeGuard(g guard) (conds []string, ok bool) {
	b.atZero = true
	defer func() { b.atZero = false }()
	if g.op == token.NOT {
		for _, t := range terms(g.limit) {
			if shapeOf(t)[1] == 0 {
				conds = append(conds, "("+b.expr(t)+")")
				continue
			}
			c, isBinary := t.(*Binary)
			if !isBinary || flipped[c.Op] == 0 || c.Op == token.EQL || !wide(c.X.Type()) || unsigned(c.X.Type()) {
				return nil, false
			}
			x, y, op := c.X, c.Y, c.Op
			if shapeOf(x)[1] == 0 {
				x, y, op = y, x, flipped[op]
			}
			list, ok := b.atEnds(x, y, func(x, y string) string { return fmt.Sprintf("%s %s %s", x, op, y) })
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
	return b.atEnds(g.base, g.limit, func(base, limit string) string {
		return fmt.Sprintf("%s.%s(%s, %s, %s) == %s", b.core(), call[0], base, limit, b.use("dimX"), call[1])
	})
}

// atEnds returns the conditions under which what f says about x and y holds in all rows, where y is the same in
// all and x grows by a small number, or is the same too.
func (b *body) atEnds(x, y Expr, f func(x, y string) string) (conds []string, ok bool) {
	s := shapeOf(x)[1]
	if s < 0 || s > 1<<20 || shapeOf(y)[1] != 0 {
		return nil, false
	}
	xs, ys := "("+b.intText(x)+")", b.intText(y)
	if s == 0 {
		return []string{f(rowsAt(xs, "0", "0"), rowsAt(ys, "0", "0"))}, true
	}
	first, last := rowsAt(xs, "0", "0"), rowsAt(xs, "("+b.use("dimY")+"-1)", "0")
	ys = rowsAt(ys, "0", "0")
	return []string{first + " <= " + last, f(first, ys), f(last, ys)}, true // it does not wrap around
}

// withHeads returns text for a func of its own: with the vectors that are made once for all blocks made in it.
func (b *body) withHeads(text string) string {
	for _, h := range slices.Backward(b.heads) {
		if name, _, _ := strings.Cut(h, " "); containsWord(text, name) {
			text = h + "\n" + text
		}
	}
	return text
}
