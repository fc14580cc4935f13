package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Ragged rows: each thread has a loop of its own over neighbouring elements, for i := from; i < to;
// i++ { ... x[i] ... }, with bounds from memory, such as the rows of a sparse matrix. With short
// loops, the overhead per thread matters: noting the current thread, bounds checks, and the
// register pressure of the surrounding func.
//
// The second loop over the threads of the row (see view) avoids that overhead if a thread stores
// nothing before it has checked all elements that it reads. It becomes a func that returns the
// number of finished threads. If a check fails, of the neighbours of a loop or of a single element
// like `x[col[j]]`, it returns at once. That thread has stored nothing, so the first loop repeats
// it, and panics where it should or handles a rare case such as a negative limit.
//
// The func checks all neighbours of a loop once, counts by an int, and unrolls a short body twice:
// one iteration at a time took a fourth longer. A row of five nonzeros takes 56 instructions
// instead of 96. A 32-bit index is zero-extended, which its load does for free; a check of the row
// ensures that the slice is no longer than 1<<31-1. If the loops run from `x[i]` to `x[i+1]` in
// threads numbered by i, a thread takes `x[i]` from its predecessor, which has loaded it as its end
// (`handOn`), unless elements of x's type are stored.
//
// If rows are adjacent and their elements occupy 8 MiB or more, 32 threads run at a time, and
// before each 32 the cache lines 2 KiB ahead are prefetched (`inParts`, `rt.Ahead`), since loads of
// single elements keep fewer misses in flight than the processor can handle.

// ragged is the second loop being printed.
type ragged struct {
	heads  string            // definitions at the beginning of the func
	least  map[string]string // the variables that they define, by their values
	loops  int               // the number of loops over neighbours so far
	stored bool              // something has been stored
	// the slices that loops over neighbours read, if they are the same for all threads
	read []*Var
	// the view with the begins of the loops, if ends is the view with their ends (see handOn)
	own   string
	ends  string     // the view one element further on
	bound types.Type // the type of their elements

	// For the current loop: its induction variable, the slices whose elements are known to exist,
	// the name of the int counter, and the distance of the iteration being printed from the
	// counter.
	i      *Var
	arrays []*Var
	count  string
	next   int
}

// hasRaggedView reports whether the threads of a region have ragged loops, and can have the second
// loop.
func (b *body) hasRaggedView(r *region) bool {
	list := b.inBounds(r)
	return len(r.exits) == 0 && !b.k.tracked && len(r.stmts) > 0 && !b.isAsk(r) && b.hasNeighbourLoop(list) && restartable(list) && !b.otherPanics(r.stmts)
}

// gathersAlone reports whether a divergent loop in list does little but load elements of each
// thread's own. On vectors each such load is a gather, which takes as long as the loads of all
// lanes one after another, and an iteration takes as long for one active lane as for all. With rows
// of 0 to 6 elements, and 90 in one row of a hundred, the product with a sparse matrix is 7 times
// faster in plain Go (Zen 4).
func gathersAlone(list []lir.Node) bool {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Loop:
			if len(x.While) > 0 {
				gathers, others := 0, 0
				lir.Walk(x.Body, func(i *lir.Instr) {
					switch {
					case i.Op == lir.Gather && i.Apart():
						gathers++
					// thread by thread, the branch would be mispredicted
					case i.Op == lir.Cmp && i.From.IsFloat():
						others += 12
					case i.Kind == lir.Mask || i.Op == lir.Check || i.Op == lir.Move:
					default:
						others++
					}
				})
				if gathers > 0 && others <= 4*gathers+4 {
					return true
				}
			}
			if gathersAlone(x.Head) || gathersAlone(x.Body) {
				return true
			}
		case *lir.When:
			if gathersAlone(x.Then) || gathersAlone(x.Else) {
				return true
			}
		}
	}
	return false
}

// raggedView prints the second loop of a region with ragged loops.
func (b *body) raggedView(r *region, part func() string) *view {
	if !b.hasRaggedView(r) {
		return nil
	}
	list := b.inBounds(r)
	w := newView()
	w.v = &rowChecks{body: b, ranges: map[*Var]Expr{}, counters: map[*Var]*For{}}
	w.ragged = &ragged{least: map[string]string{}}
	line := b.line
	b.view = w
	w.text = b.dropUnused(part())
	b.view, b.common = nil, nil
	b.line = line
	if w.other > 0 || len(w.v.guards) > 0 || w.ragged.loops == 0 || containsWord(w.text, "p") {
		return nil
	}
	w.conds = w.v.conds
	w.handOn(b, list)
	return w
}

// handOn lets each thread take from[i] from its predecessor, which has loaded it as from[i+1]. For
// rows of five nonzeros in the cache, that makes the product with a sparse matrix 1.15 times as
// fast: 16 of 17 loads are left.
func (w *view) handOn(b *body, list []Stmt) {
	for _, own := range w.parts {
		for _, next := range w.parts {
			if w.of[own] != w.of[next] || w.base[own] != w.base[next] || w.more[own]+1 != w.more[next] || w.some[own] || w.some[next] ||
				storesOf(list, w.elems[slices.Index(w.parts, own)]) {
				continue
			}
			before, read := uniqueName(b.names, "before"), uniqueName(b.names, "read")
			w.ragged.own, w.ragged.ends, w.ragged.bound = own, next, w.elems[slices.Index(w.parts, own)]
			w.ragged.heads += fmt.Sprintf("var %s %s\nif len(%s) > 0 {\n%s = %s[0]\n}\n", before, w.types[own][len("[]"):], own, before, own)
			w.text = fmt.Sprintf("%s := %s[nth]\n", read, next) +
				strings.ReplaceAll(strings.ReplaceAll(w.text, own+"[nth]", before), next+"[nth]", read) +
				fmt.Sprintf("%s = %s\n", before, read)
			return
		}
	}
}

// inParts prints call for the threads from lo to hi. call executes threads from lo on and returns
// the number of finished threads; defs defines the views. If rows are adjacent in memory, a few
// rows run at a time, and the elements of later ones are prefetched.
func (g *ragged) inParts(b *body, defs, call string) string {
	if g.own == "" || len(g.read) == 0 || !isInteger(g.bound) || !fitsInt(g.bound) {
		return "many := hi - lo\n" + defs + "lo += " + call
	}
	var far []string
	asks := ""
	for _, v := range g.read {
		far = append(far, fmt.Sprintf("%s.Far(%s)", b.rt(), b.name(v)))
		asks += fmt.Sprintf("%s.Ahead(%s, %s[0], %s[many-1])\n", b.rt(), b.name(v), g.own, g.ends)
	}
	done := uniqueName(b.names, "done")
	return fmt.Sprintf("for lo < hi {\nmany := hi - lo\nif %s {\nmany = min(many, %s.AheadRows)\n}\n%s%s%s := %slo += %s\nif %s < many {\nbreak\n}\n}\n",
		strings.Join(far, " || "), b.rt(), defs, asks, done, call, done, done)
}

// storesOf reports whether list may store elements of type t. Slices of different element types
// don't overlap.
func storesOf(list []Stmt, t types.Type) bool {
	return anyStmt(list, func(s Stmt) bool {
		a, ok := s.(*Assign)
		return ok && slices.ContainsFunc(a.L, func(l Expr) bool { return l != nil && !inVar(l) && mayBeSame(l.Type(), t) })
	})
}

// mayBeSame reports whether two types may be identical, for some type arguments.
func mayBeSame(a, b types.Type) bool {
	kinds := map[types.BasicKind]bool{}
	return !allBasic(a, func(t *types.Basic) bool { kinds[t.Kind()] = true; return true }) ||
		!allBasic(b, func(t *types.Basic) bool { return !kinds[t.Kind()] })
}

// hasNeighbourLoop reports whether list contains a loop over neighbours.
func (b *body) hasNeighbourLoop(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool {
		l, ok := s.(*For)
		if ok {
			_, ok = neighboursOf(l)
		}
		return ok
	})
}

// restartable reports whether a thread can be repeated from its beginning until its first store:
// list has no side effects but stores outside loops, and is left only at its end.
func restartable(list []Stmt) bool {
	bad := func(e Expr) bool {
		found := false
		walkExpr(e, func(e Expr) {
			switch e := e.(type) {
			case *Call:
				found = found || !e.Pure
			case *Method:
				found = true
			case *Addr:
				found = true
			}
		})
		return found
	}
	var check func(list []Stmt, inLoop bool) bool
	check = func(list []Stmt, inLoop bool) bool {
		for _, s := range list {
			ok := true
			exprs(s, func(e Expr) { ok = ok && !bad(e) })
			switch s := s.(type) {
			case *Assign:
				for _, l := range s.L {
					if l != nil {
						v, _ := assigned(l)
						ok = ok && (v == nil && !inLoop || v != nil && !v.addr)
					}
				}
			case *If:
				ok = ok && check(s.Then, inLoop) && check(s.Else, inLoop)
			case *For:
				ok = ok && !s.breaks && !s.continues && check(s.Pre, true) && check(s.Body, true) && check(s.Post, true)
			default:
				ok = false
			}
			if !ok {
				return false
			}
		}
		return true
	}
	return check(list, false)
}

// ask prints, before s, checks of the elements that s accesses unconditionally, except those that
// the row has checked.
func (g *ragged) ask(b *body, s Stmt) {
	b.common = nil
	stores := false
	if a, ok := s.(*Assign); ok {
		for _, l := range a.L {
			if l != nil && !inVar(l) {
				v, _ := assigned(l)
				stores = stores || v == nil
			}
		}
	}
	if _, ok := s.(*For); !ok {
		exprs(s, func(e Expr) { g.askAll(b, e) })
	}
	g.stored = g.stored || stores
}

// askAll prints checks of the elements of e.
func (g *ragged) askAll(b *body, e Expr) {
	var visit func(e Expr)
	visit = func(e Expr) {
		if x, ok := e.(*Binary); ok && (x.Op == token.LAND || x.Op == token.LOR) {
			visit(x.X)
			return // the right operand may not be evaluated
		}
		subexprs(e, visit)
		if x, ok := e.(*Index); ok && !g.exists(x) {
			if text, ok := g.askFor(b, x); ok {
				if b.common == nil {
					b.common = map[*Index]string{}
				}
				b.common[x] = text
			}
		}
	}
	visit(e)
}

// askFor prints a check of x and returns the text of the element behind it.
func (g *ragged) askFor(b *body, x *Index) (string, bool) {
	of, ok := x.X.(*VarRef)
	if !ok || !isSlice(of.V.Type) || g.stored {
		return "", false
	}
	w := b.view
	before := w.other
	if _, ok := w.index(b, x); ok || w.other == before {
		return "", false
	}
	narrow := narrowIndex(x.I)
	at := b.indexText(narrow)
	switch t, _ := narrow.Type().Underlying().(*types.Basic); {
	case t == nil || !fitsInt(t):
		return "", false
	case t.Kind() == types.Int32:
		// Zero extension is free, and turns a negative index into one that exceeds every length.
		at = "int(uint32(" + at + "))"
		if !of.V.Param && !of.V.common {
			return "", false
		}
		w.v.require(fmt.Sprintf("len(%s) <= 1<<31-1", b.name(of.V)))
	case t.Kind() != types.Int:
		at = "int(" + at + ")"
	}
	w.other = before
	name := at
	if !identifier(at) {
		name = uniqueName(b.names, "at")
		b.printf("%s := %s\n", name, at)
	}
	b.printf("if uint(%s) >= uint(len(%s)) {\nreturn nth\n}\n", name, b.name(of.V))
	return fmt.Sprintf("(*%s.At(%s, %s))", b.rt(), b.name(of.V), name), true
}

// identifier reports whether text is an identifier.
func identifier(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > 127 || !identByte(byte(r)) }) < 0
}

// exists reports whether x is one of the elements that the current loop has checked.
func (g *ragged) exists(x *Index) bool {
	of, ok := x.X.(*VarRef)
	at, isVar := narrowIndex(x.I).(*VarRef)
	return ok && isVar && at.V == g.i && g.i != nil && slices.Contains(g.arrays, of.V)
}

// element prints an element that is known to exist.
func (g *ragged) element(b *body, x *Index) string {
	name := b.name(x.X.(*VarRef).V)
	if g.next > 0 {
		return fmt.Sprintf("(*%s.AtNext(%s, %s, %d))", b.rt(), name, g.count, g.next)
	}
	return fmt.Sprintf("(*%s.At(%s, %s))", b.rt(), name, g.count)
}

// counter prints the induction variable of the current loop.
func (g *ragged) counter(b *body) string {
	s := g.count
	if g.next > 0 {
		s = fmt.Sprintf("(%s + %d)", g.count, g.next)
	}
	return g.convert(b, s, g.i.Type)
}

// convert prints an int as a value of type t.
func (g *ragged) convert(b *body, s string, t types.Type) string {
	if types.Identical(t, intType) {
		return s
	}
	return fmt.Sprintf("%s(%s)", b.parenType(t), s)
}

// loop prints a loop over neighbours, and reports whether s is one.
func (g *ragged) loop(b *body, s *For) bool {
	n, ok := neighboursOf(s)
	if !ok || g.i != nil || g.stored {
		return false
	}
	if !fitsInt(n.i.Type) {
		return false
	}
	g.loops++
	b.common = nil
	g.askAll(b, n.to)
	var lengths []string
	params := true
	for _, v := range n.arrays {
		lengths = append(lengths, fmt.Sprintf("len(%s)", b.name(v)))
		params = params && v.Param
		if v.Param && !slices.Contains(g.read, v) {
			g.read = append(g.read, v)
		}
	}
	length := lengths[0]
	if len(lengths) > 1 {
		length = "min(" + strings.Join(lengths, ", ") + ")"
		if params {
			if g.least[length] == "" {
				g.least[length] = uniqueName(b.names, "least")
				g.heads += fmt.Sprintf("%s := %s\n", g.least[length], length)
			}
			length = g.least[length]
		}
	}
	i, to := b.name(n.i), b.convertTo(n.to, n.i.Type)
	b.common = nil
	count, last := uniqueName(b.names, "count"), uniqueName(b.names, "last")
	if !types.Identical(n.i.Type, intType) {
		i, to = "int("+i+")", "int("+to+")"
	}
	b.printf("%s, %s := %s, %s\n", count, last, i, to)
	b.printf("if %s < 0 || uint(%s) > uint(%s) {\nreturn nth\n}\n", count, last, length)
	if g.usedOutside(b, n.i, s) {
		// from may be greater than to
		b.printf("%s = %s\n", b.name(n.i), g.convert(b, "max("+count+", "+last+")", n.i.Type))
	}
	g.i, g.arrays, g.count = n.i, n.arrays, count
	b.view.loops++
	body := func(next int) {
		saved := b.out
		b.out = strings.Builder{}
		g.next = next
		b.stmts(s.Body)
		g.next = 0
		text := b.out.String()
		b.out = saved
		if next > 0 && strings.Contains(codeOf(text), " := ") {
			text = "{\n" + text + "}\n"
		}
		b.printf("%s", text)
	}
	// With its test at the end, the loop is one piece of code. Go's compiler would otherwise lay it
	// out in two pieces, with two jumps per iteration: 9.1 cycles instead of 8.1 for a row of five
	// elements of a sparse matrix (Zen 4, medians).
	rounds := func(step string, body func()) {
		b.printf("if %s < %s {\nfor {\n", count, last)
		body()
		b.printf("%s%s\nif %s >= %s {\nbreak\n}\n}\n}\n", count, step, count, last)
	}
	if smallBody(s.Body) {
		b.printf("%s--\n", last)
		rounds(" += 2", func() {
			body(0)
			body(1)
		})
		b.printf("if %s == %s {\n", count, last)
		body(0)
		b.printf("}\n")
	} else {
		rounds("++", func() { body(0) })
	}
	b.view.loops--
	g.i, g.arrays = nil, nil
	return true
}

// usedOutside reports whether the current region reads the induction variable of s outside s:
// before it, between iterations of an enclosing loop, or behind it.
func (g *ragged) usedOutside(b *body, i *Var, s *For) bool {
	inside, all := 0, 0
	count := func(list []Stmt, n *int) {
		walk(list, func(s Stmt) {
			exprs(s, func(e Expr) {
				walkExpr(e, func(e Expr) {
					if r, ok := e.(*VarRef); ok && r.V == i {
						*n++
					}
				})
			})
		})
	}
	count([]Stmt{s}, &inside)
	count(b.r.stmts, &all)
	defs := 0 // i := from
	walk(b.r.stmts, func(s Stmt) {
		if a, ok := s.(*Assign); ok && a.Def {
			for _, l := range a.L {
				if r, ok := l.(*VarRef); ok && r.V == i {
					defs++
				}
			}
		}
	})
	return all-defs > inside || i.spread
}

// smallBody reports whether list is short enough to be printed three times.
func smallBody(list []Stmt) bool {
	n := 0
	walk(list, func(s Stmt) {
		n++
		if _, ok := s.(*Assign); !ok {
			n += 8
		}
	})
	return n <= 4
}

// fitsInt reports whether values of the integer type t can be converted to int on every machine,
// where a value that does not fit becomes negative.
func fitsInt(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && b.Kind() != types.Int64 && b.Kind() != types.Uint64
}
