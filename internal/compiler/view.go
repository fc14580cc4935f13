package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// Views: bounds check elimination in the loop over the threads of a row. Where neighbouring threads
// access neighbouring elements, as in x[i] with i one larger for each thread, plain Go gets a
// second loop for rows whose elements all exist. That loop indexes slices that are exactly as long
// as the loop, so Go's compiler drops the bounds checks. The current thread need not be stored if
// nothing else can panic.
//
// Other indices with a constant step, uniform indices, and indices that are narrow by type or mask
// are also checked once a row (`hoistSteps`, `hoistLimited`). Their elements are accessed by
// `rt.At`, without a check, since Go's compiler can't know what the check of the row has shown. So
// the second loop is unsafe, and every statement that these funcs make about an index must also
// hold for numbers that wrap around. Guards on the position in the grid, such as `x < width-1`, are
// assumed to hold (`assume`): the second loop runs from `from` to `to`, where they do, and the
// first loop handles the threads before and behind. Checks under a uniform condition are required
// only if the condition holds (`under`).

// A view is the second loop over the threads of a region.
type view struct {
	v      *rowChecks // decides which indices can be checked once for the row
	conds  []string
	slices []string // statements that define the slices
	names  map[string]string
	parts  []string          // their names, in order
	of, at map[string]string // the slices that they are parts of, and the first index
	base   map[string]string // at without a constant summand
	more   map[string]int    // that constant summand
	types  map[string]string // their types
	elems  []types.Type      // the types of their elements
	some   map[string]bool   // names that are set only under a condition
	text   string
	panics bool    // something other than an index may panic
	other  int     // the number of indices that are not views
	loops  int     // the number of loops around the code being printed
	fours  *fours  // the current loop, if it takes several iterations at a time
	ragged *ragged // set if the threads have loops of different lengths

	call  string   // the loop with the definitions before it, if it is a call of an outlined func
	needs []string // conditions under which that call may run

	jam      string // the loop for several threads at a time, if unroll-and-jam pays
	jamParts int    // the number of threads at a time
	carries  bool   // the jammed loop has more variables than registers, but its innermost loops have fewer
	manySums bool   // the jammed threads' own variables need at least half of the registers
	sums     int    // the number of sums formed since the last bounds check
	check    bool   // the next element gets a bounds check
}

func newView() *view {
	return &view{names: map[string]string{}, of: map[string]string{}, at: map[string]string{}, base: map[string]string{}, more: map[string]int{},
		types: map[string]string{}, some: map[string]bool{}}
}

// views prints the second loop of a region, if the loop saves bounds checks.
func (b *body) views(r *region, part func() string, jammed func(parts int) string) *view {
	if len(r.exits) > 0 || len(r.stmts) == 0 || b.isAsk(r) {
		return nil
	}
	if anyStmt(r.stmts, func(s Stmt) bool {
		l, ok := s.(*For)
		_, isBlock := s.(*Block)
		return isBlock || ok && (l.breaks || l.continues)
	}) {
		return nil // a label must not be printed twice
	}
	w := newView()
	w.v = &rowChecks{body: b, ranges: map[*Var]Expr{}, counters: map[*Var]*For{}}
	line := b.line
	b.view = w
	w.text = part()
	b.view = nil
	b.line = line
	w.text = useAll(b.dropUnused(w.text), w.v.elsewhere)
	loops := anyStmt(r.stmts, func(s Stmt) bool { _, ok := s.(*For); return ok })
	if len(w.names) == 0 && !(loops && len(w.v.conds) > 0) || loops && w.other > 0 {
		return nil // nothing would be saved in the loops, where most time is spent
	}
	w.conds = w.v.conds
	if b.k.tracked {
		w.conds = append([]string{"p.Live == dimX*rows"}, w.conds...) // no thread has left
	}
	w.panics = w.other > 0 || b.otherPanics(r.stmts)
	if loops && !w.panics && jammed != nil {
		if n := b.jamParts(r, b.inBounds(r)); n > 0 {
			b.view = w
			private := b.privateVars(r)
			w.manySums, w.carries = n*private >= 8, private > mostPrivate
			w.jam, w.jamParts = jammed(n), n
			b.view = nil
			b.line = line
			w.jam = useAll(b.dropUnused(w.jam), w.v.elsewhere)
		}
	}
	return w
}

// dropUnused removes the definitions of variables that text does not use, such as those of indices.
func (b *body) dropUnused(text string) string {
	before := ""
	for before != text {
		before = text
		text = b.dropSome(text)
	}
	return text
}

func (b *body) dropSome(text string) string {
	drop := func(name string) {
		lines := strings.SplitAfter(text, "\n")
		at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, name+" := ") })
		if at < 0 {
			return
		}
		if rest := strings.Join(slices.Delete(lines, at, at+1), ""); !containsWord(rest, name) {
			text = rest
		}
	}
	for _, v := range slices.Backward(b.k.Vars) {
		e := b.k.single[v]
		if e == nil || mayPanic(e) {
			continue
		}
		drop(v.Name)
		for key, name := range b.partNames {
			if key.v == v {
				drop(name)
			}
		}
	}
	for k := 2; k <= 8; k++ {
		drop(fmt.Sprintf("tx_%d", k))
		drop(fmt.Sprintf("rank_%d", k))
	}
	return text
}

// otherPanics reports whether something other than an index may panic.
func (b *body) otherPanics(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool {
		list := []Expr{}
		switch s := s.(type) {
		case *Do:
			_, place, y, own := b.ownAtomic(s.X)
			if !own {
				return true
			}
			list = append(list, place, y)
		case *Panic:
			return true
		default:
			exprs(s, func(e Expr) { list = append(list, e) })
		}
		found := false
		for _, e := range list {
			found = found || mayPanic(mapExpr(e, func(x Expr) Expr {
				if ix, ok := x.(*Index); ok {
					return &VarRef{&Var{Type: ix.T}}
				}
				return x
			}))
		}
		return found
	})
}

// index prints an element as an element of a view.
func (w *view) index(b *body, e *Index) (string, bool) {
	if b.atZero {
		return "", false
	}
	if inVar(e) {
		if _, ok := constInt(e.I); !ok {
			w.other++
		}
		return "", false
	}
	if _, ok := e.X.Type().Underlying().(*types.Slice); !ok || shapeOf(e.X)[0] != 0 {
		w.other++
		return "", false
	}
	// Elements that are not neighbours have no slice, but the check of the row has shown that the
	// index is in range.
	length := "len(" + b.expr(e.X) + ")"
	switch sh := shapeOf(e.I)[0]; {
	case b.together.covers(w.v, e, length, int(sh)):
		return b.unchecked(e), true
	case w.v.hoistLimited(e, length):
		return w.limited(b, e)
	case unsigned(e.I.Type()):
		w.other++
		return "", false
	case sh == 0 && w.v.hoistCheck(e, length, ""):
		if w.check {
			w.sums = 0
			return "", false
		}
		return b.unchecked(e), true
	case sh == 1 && w.v.hoistCheck(e, length, "hi"):
		if w.v.counted(e.I) {
			// A bounds check now and then keeps Go's compiler from computing all products first,
			// for which there are not enough registers.
			if b.parts == 8 && b.part%4 == 0 || w.check && b.part == 0 {
				w.sums = 0
				return "", false
			}
			return b.unchecked(e), true
		}
	case sh != 0 && sh < someStep && w.v.hoistSteps(e, length, int64(sh)):
		return b.unchecked(e), true
	default:
		w.other++
		return "", false
	}
	b.atZero, b.stand = true, map[*Var]string{}
	nth, part := "[nth]", b.part
	if part > 0 {
		nth = fmt.Sprintf("[nth+%d]", part)
	}
	b.part = 0
	base := "(" + unparen(w.v.intText(e.I)) + ")"
	i, more := withoutConst(e.I)
	rest := w.v.intText(i)
	b.part = part
	b.atZero, b.stand = false, nil
	when := joined(distinct(w.v.when))
	key := b.expr(e.X) + "[" + base
	if w.names[key] == "" && when != "" {
		key += " if " + when
	}
	if w.names[key] == "" {
		name := uniqueName(b.names, "part")
		w.names[key] = name
		w.parts, w.types[name], w.some[name] = append(w.parts, name), "[]"+b.typ(e.T), when != ""
		w.of[name], w.at[name], w.base[name], w.more[name] = b.expr(e.X), base, rest, more
		w.elems = append(w.elems, e.T)
		part := fmt.Sprintf("%s[%s+lo:][:many]\n", b.expr(e.X), base)
		if when == "" {
			w.slices = append(w.slices, name+" := "+part)
		} else {
			w.slices = append(w.slices, fmt.Sprintf("var %s []%s\nif %s {\n%s = %s}\n", name, b.typ(e.T), when, name, part))
		}
	}
	return w.names[key] + nth, true
}

// unchecked prints an access to an element whose index is known to be in range. For the second and
// later of several jammed threads, the distance from the first thread becomes a part of the
// address.
func (b *body) unchecked(e *Index) string {
	if b.view != nil && b.view.fours != nil {
		if s, ok := b.view.fours.element(b, e); ok {
			return s
		}
	}
	part, away := b.part, 0
	if part > 0 && b.varies(shapeOf(e.I)) && !b.alone {
		b.part, away = 0, part*int(shapeOf(e.I)[0])
	}
	at, more := withoutConst(e.I)
	i := b.indexText(at)
	b.part = part
	if !types.Identical(e.I.Type(), intType) {
		i = "int(" + i + ")"
	}
	away += more
	if away != 0 {
		return fmt.Sprintf("(*%s.AtNext(%s, %s, %d))", b.rt(), b.expr(e.X), i, away)
	}
	return fmt.Sprintf("(*%s.At(%s, %s))", b.rt(), b.expr(e.X), i)
}

// withoutConst splits the constant summands off an index. Elements near each other have the rest in
// common.
func withoutConst(i Expr) (rest Expr, more int) {
	e, ok := i.(*Binary)
	if !ok || e.Op != token.ADD && e.Op != token.SUB || !types.Identical(e.T, intType) {
		return i, 0
	}
	if c, ok := constInt(e.Y); ok && c > -1<<20 && c < 1<<20 {
		if e.Op == token.SUB {
			c = -c
		}
		rest, more = withoutConst(e.X)
		return rest, more + int(c)
	}
	x, more := withoutConst(e.X)
	if more == 0 {
		return i, 0
	}
	return &Binary{Op: e.Op, X: x, Y: e.Y, T: e.T}, more
}

// limited prints an element of an array whose length exceeds the largest value of a narrow index,
// so that Go's compiler drops the check.
func (w *view) limited(b *body, e *Index) (string, bool) {
	n, _ := w.v.limit(e.I)
	if n >= 1<<16 || len(w.v.when) > 0 {
		return "", false
	}
	key := fmt.Sprintf("%s[...%d]", b.expr(e.X), n)
	if w.names[key] == "" {
		w.names[key] = uniqueName(b.names, "part")
		w.parts = append(w.parts, w.names[key])
		w.types[w.names[key]] = fmt.Sprintf("*[%d]%s", n+1, b.typ(e.T))
		w.slices = append(w.slices, fmt.Sprintf("%s := (*[%d]%s)(%s)\n", w.names[key], n+1, b.typ(e.T), b.expr(e.X)))
	}
	return w.names[key] + "[" + b.indexText(e.I) + "]", true
}

// copied matches the statement of a thread that copies an element, taken a load into a variable,
// and given a store of a variable.
var (
	copied = regexp.MustCompile(`^(\w+)\[nth\] = (\w+)\[nth\]$`)
	taken  = regexp.MustCompile(`^(\w+) :?= (\w+)\[nth\]$`)
	given  = regexp.MustCompile(`^(\w+)\[nth\] = (\w+)$`)
)

// copies prints the statements as calls of copy for all threads of a row, if they do nothing but
// copy. Go's copy uses vectors.
func (w *view) copies(b *body, text string) (all string, ok bool) {
	if b.k.each > 1 { // slices that overlap are copied element by element
		return "", false
	}
	var list []rowCopy
	from := map[string]string{} // the slice that a variable was loaded from
	for line := range strings.Lines(codeOf(text)) {
		line = strings.TrimSpace(line)
		if line == "" || plainVar.MatchString(line) {
			continue
		}
		if m := taken.FindStringSubmatch(line); m != nil {
			from[m[1]] = m[2]
			continue
		}
		dst, src := "", ""
		if m := copied.FindStringSubmatch(line); m != nil {
			dst, src = m[1], m[2]
		} else if m := given.FindStringSubmatch(line); m != nil {
			dst, src = m[1], from[m[2]]
		}
		if dst == "" || src == "" || w.types[dst] != w.types[src] || w.some[dst] || w.some[src] {
			return "", false
		}
		list = append(list, rowCopy{w.of[dst], w.of[src]})
		all += fmt.Sprintf("copy(%s, %s)\n", dst, src)
	}
	return all, len(list) == 1 || len(list) > 0 && (len(from) == 0 || b.intoShared(list))
}

// plainVar matches the declaration of a variable.
var plainVar = regexp.MustCompile(`^var \w+ [\w.]+$`)

// printView prints the second loop. Without guards, the first loop is its else branch, whose
// beginning is printed too. With guards, the second loop is returned as text that belongs at the
// head of the first loop's body.
func (b *body) printView(w *view, lo, hi string, apart bool) (middle string) {
	if lo == "0" {
		b.printf("lo := 0\n")
	}
	if hi != "hi" {
		b.printf("hi := %s\n", hi)
	}
	text := w.text
	if containsWord(text, "rank") || w.panics {
		text = "rank := row*dimX + tx\n" + text
		if w.panics {
			text = strings.Replace(text, "\n", "\np.Current = rank\n", 1)
		}
	}
	if containsWord(text, "tx") {
		text = "tx := lo + nth\n" + text
	}
	slices := strings.Join(w.slices, "")
	loop := fmt.Sprintf("for nth := range many {\n%s}\n", text)
	if !containsWord(text, "nth") {
		loop = fmt.Sprintf("for range many {\n%s}\n", text)
	}
	if all, ok := w.copies(b, text); ok {
		loop, apart = all, false
	}
	if w.jam != "" {
		loop = w.jamLoop(text)
	}
	if apart {
		// Go's compiler must see the lengths of the slices again.
		head := ""
		for _, n := range w.parts {
			if strings.HasPrefix(w.types[n], "[]") && !w.some[n] && containsWord(text, n) {
				head += fmt.Sprintf("%s = %s[:many]\n", n, n)
			}
			if strings.HasPrefix(w.types[n], "*") && containsWord(text, n) {
				head += fmt.Sprintf("_ = %s[0]\n", n) // so that Go's compiler knows that it is not nil
			}
		}
		if w.ragged != nil {
			// The outlined func returns the index from which the first loop goes on.
			loop = b.outline(head+w.ragged.heads+loop+"return many\n", "threads of a row, up to one that is not plain",
				w.parts, w.types, nil, nil, "int")
		} else {
			loop = b.outline(head+w.unrolled(text)+loop, "threads of a row", w.parts, w.types, nil, nil, "")
			w.call, w.needs = slices+loop, w.conds
		}
	}
	if len(w.v.guards) > 0 {
		b.printFastRange(w.v.guards, w.conds)
		return fmt.Sprintf("if tx == from && from < to {\nlo, many := from, to-from\n%s%stx = to\nif tx == hi {\nbreak\n}\n}\n",
			slices+usesLo(slices+loop), loop)
	}
	conds := w.conds
	if lo != "0" {
		conds = append(conds[:len(conds):len(conds)], "lo <= hi")
	}
	if w.ragged != nil {
		if len(conds) == 0 {
			conds = []string{"lo < hi"}
		}
		b.printf("if %s {\n%s}\n", joined(conds), w.ragged.inParts(b, slices, loop))
		return ""
	}
	b.printf("if %s {\nmany := hi - lo\n%s%s} else {\n", joined(conds), slices, loop)
	return ""
}

// unrolled prints a loop that executes four or eight threads per iteration, if text is so short
// that loop overhead dominates; the loop behind it executes the rest. Unrolling also makes the
// alignment of the loop irrelevant: a loop of five instructions across two cache lines took twice
// the time. Go's compiler emits no bounds checks, since each iteration cuts its elements off the
// slices.
func (w *view) unrolled(text string) string {
	code := codeOf(text)
	if strings.Count(text, "\n") > 12 || strings.Contains(code, "{") || containsWord(strings.ReplaceAll(code, "[nth]", ""), "nth") {
		return ""
	}
	var slices []string
	for _, n := range w.parts {
		if w.some[n] {
			return ""
		}
		if strings.HasPrefix(w.types[n], "[]") && containsWord(text, n) {
			slices = append(slices, n)
		}
	}
	if len(slices) == 0 || len(slices) > 4 {
		return ""
	}
	statements := 0
	for line := range strings.Lines(code) {
		if strings.TrimSpace(line) != "" {
			statements++
		}
	}
	round := 4
	if statements <= 3 {
		round = 8
	}
	var conds, rests []string
	for _, n := range slices {
		conds, rests = append(conds, fmt.Sprintf("len(%s) >= %d", n, round)), append(rests, fmt.Sprintf("%s[%d:]", n, round))
	}
	var threads []string
	for k := range round {
		one := strings.ReplaceAll(text, "[nth]", fmt.Sprintf("[%d]", k))
		if strings.Contains(codeOf(one), ":=") {
			one = "{\n" + one + "}\n"
		}
		threads = append(threads, one)
	}
	head := "for " + joined(conds) + " {\n"
	tail := fmt.Sprintf("%s = %s\n}\n", strings.Join(slices, ", "), strings.Join(rests, ", "))
	s := w.inTables(text, head, tail, threads) + head + strings.Join(threads, "") + tail
	s += fmt.Sprintf("many = len(%s)\n", slices[0])
	for _, n := range slices[1:] {
		s += fmt.Sprintf("%s = %s[:many]\n", n, n)
	}
	return s
}

// usesLo returns a use of lo if text has none, since Go rejects unused variables.
func usesLo(text string) string {
	if containsWord(text, "lo") {
		return ""
	}
	return "_ = lo\n"
}

// printFastRange prints from and to, the bounds of the threads between lo and hi for which all
// guards hold. The range is empty if the conditions don't hold for its bounds.
func (b *body) printFastRange(gs []guard, conds []string) {
	b.printf("from, to := lo, hi\n")
	b.limitsNamed(gs, "from", "to")
	b.printf("%s", b.outOfRange(conds))
}

// outOfRange returns code that makes the range from-to empty, unless conds, which are about lo and
// hi, hold for it.
func (b *body) outOfRange(conds []string) string {
	text := joined(conds)
	if text == "" {
		return ""
	}
	var names, values []string
	for _, n := range [][2]string{{"lo", "from"}, {"hi", "to"}} {
		if containsWord(text, n[0]) {
			names, values = append(names, n[0]), append(values, n[1])
		}
	}
	if len(names) > 0 {
		text = fmt.Sprintf("%s := %s; !(%s)", strings.Join(names, ", "), strings.Join(values, ", "), text)
	} else {
		text = "!(" + text + ")"
	}
	return fmt.Sprintf("if %s {\nto = from\n}\n", text)
}

// A rowCopy is a copy from one slice to another.
type rowCopy struct{ dst, src string }

// intoShared reports whether all copies go from global to shared memory, so that no copy reads what
// another one writes.
func (b *body) intoShared(list []rowCopy) bool {
	renamed := map[*Var]bool{} // variables that are assigned anew, so that they may be another slice
	walk(b.k.Body, func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			for _, l := range a.L {
				if r, ok := l.(*VarRef); ok {
					renamed[r.V] = true
				}
			}
		}
	})
	dst, src := map[string]bool{}, map[string]bool{}
	for _, v := range b.k.Vars {
		dst[b.name(v)] = b.k.allocated()[v] && !renamed[v]
		src[b.name(v)] = v.Param && !renamed[v]
	}
	for _, c := range list {
		if !dst[c.dst] || !src[c.src] {
			return false
		}
	}
	return true
}
