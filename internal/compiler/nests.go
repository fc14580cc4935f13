package compiler

import (
	"errors"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/gogen"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// The calls of nests in generated code. For each row of threads, the plain form of a region calls a
// func in assembly if the machine has the vector instructions and all indices of the row are in
// range; otherwise the row runs in plain Go.

// nestFiles collects the nests of all kernels of a package.
type nestFiles struct {
	asm      map[string]*asm.File // by GOARCH
	types    []string             // the declarations of argument types, for all machines
	funcs    []string             // the names of the funcs
	machines [][]*asm.Machine     // the machines that each func supports, the best first
	fails    []bool               // whether each func returns how many threads are done
	plain    []string             // the func in Go, or ""
}

// A nested is the nest of a region, or the reason why it has none.
type nested struct {
	name   string
	row    *row
	asm    map[string]*asm.File // by GOARCH
	on     []*asm.Machine       // the machines that it supports
	plain  string               // the func in Go, or ""
	copies bool                 // each thread copies an element and does nothing else
	why    string               // the reason why there is no nest
	loops  bool
	plane  bool // it executes all rows of a plane
	ragged bool // the threads have loops of different lengths over elements of their own
	swap   bool // vectors are along threadIdx.y
	fails  bool // the func may return before all threads of the row are done
	moves  bool // it only moves elements that are no neighbours, so that it is in Go alone
	// the number of accesses to elements that are not neighbours; an access in a loop counts as 10
	far  int
	work string // Go expression for the total trip count of a thread, or of a column of a plane
	ops  int    // the approximate number of operations of a thread
	// the cost of gathers and scatters for one vector, in operations of a thread, with the largest
	// vectors
	apart int
	idle  string // Go condition under which a row has nothing to do, or ""

	did   []string           // the passes that changed it
	costs map[string]float64 // cost per element, by machine; see expectedCost
	alone float64            // cost per element for a single thread
}

// nestShapes are the numbers of vectors, and of jammed rows of a plane, per pass through a nest,
// the best first.
func nestShapes(plane, loops bool) []nestShape {
	switch {
	case !plane:
		return []nestShape{{parts: 4, jam: 1}, {parts: 2, jam: 1}, {parts: 1, jam: 1}}
	case !loops:
		return []nestShape{{plane: true, parts: 2, jam: 1}, {plane: true, parts: 1, jam: 1}}
	}
	return []nestShape{{plane: true, parts: 2, jam: 4}, {plane: true, parts: 2, jam: 2}, {plane: true, parts: 1, jam: 4},
		{plane: true, parts: 2, jam: 1}, {plane: true, parts: 1, jam: 2}, {plane: true, parts: 1, jam: 1}}
}

// nestOf builds the nest of a region, or returns the one that it built before.
func (b *body) nestOf(r *region) *nested {
	if n, known := b.nested[r]; known {
		return n
	}
	before := b.k.worked
	b.k.worked = nil
	n := b.makeNest(r)
	if n != nil {
		n.did = b.k.passesDone()
	}
	if before != nil || b.k.worked == nil {
		maps.Copy(before, b.k.worked)
		b.k.worked = before
	}
	if b.nested == nil {
		b.nested = map[*region]*nested{}
	}
	b.nested[r] = n
	if n != nil {
		if b.k.rows == nil {
			b.k.rows = map[*region]*nested{}
		}
		b.k.rows[r] = n
	}
	return n
}

func (b *body) makeNest(r *region) *nested {
	if b.nests == nil || b.k.TypeParams != nil && b.k.targs == nil || len(r.stmts) == 0 || b.isAsk(r) {
		return nil
	}
	switch {
	case slices.Contains(b.k.words, "novectors"):
		return &nested{why: "the option novectors"}
	case len(r.exits) > 0:
		return &nested{why: "threads that leave it"}
	}
	u := useOf(r.stmts)
	for _, v := range b.k.Vars {
		if v.common && u.written[v] {
			return &nested{why: "an assignment of what all threads have in common"}
		}
	}
	if !b.k.alongY && onlyOne(r) {
		return &nested{why: "a single thread of a row"}
	}
	kinds := []nestShape{{}}
	every := b.everyThread(r)
	apart := every != nil && every.far
	if apart && (b.k.tracked || hasLoop(r.stmts) || b.keepsElsewhere(r)) {
		kinds = nil
	}
	// Elements that are far apart along a row may be neighbours along a column (interchange).
	switch {
	case !b.differsInRows(r) || b.k.tracked:
	case apart && b.off("swap"):
	case apart:
		kinds = append([]nestShape{{plane: true, swap: true}}, kinds...)
	case b.off("swap"):
		kinds = []nestShape{{plane: true}, {}}
	default:
		kinds = []nestShape{{plane: true}, {plane: true, swap: true}, {}}
	}
	if r.over && slices.ContainsFunc(kinds, func(s nestShape) bool { return s.plane }) {
		kinds = slices.DeleteFunc(kinds, func(s nestShape) bool { return !s.plane })
	}
	if len(kinds) == 0 {
		return &nested{why: "threads that are far apart"}
	}
	var best, last *nested
	for _, kind := range kinds {
		if best != nil && (best.far == 0 || !kind.swap && !best.swap) {
			break
		}
		for _, size := range []int{4, 8} {
			n := b.nestWith(r, size, kind)
			if n.why == "" {
				// The distances of elements in a row and in a plane can't be compared, unless no
				// elements are far apart.
				if best == nil || n.far < best.far && (kind.plane || n.far == 0) {
					best = n
				}
				break
			}
			if last == nil || last.why == errWide.why || last.plane {
				last = n
			}
			if n.why != errWide.why { // larger vectors don't help
				break
			}
		}
	}
	if best == nil {
		return last
	}
	b.addNest(best)
	if best.swap {
		b.k.works("swap")
	}
	b.k.columns = b.k.columns || best.swap && b.k.tall
	return best
}

// onlyOne reports whether a guard selects one thread of a row, which has no loop.
func onlyOne(r *region) bool {
	if r.bound == nil || hasLoop(r.stmts) {
		return false
	}
	gs, _ := splitGuards(r.bound.Cond)
	return slices.ContainsFunc(gs, func(g guard) bool { return g.op == token.EQL && !g.strided })
}

// differsInRows reports whether the work of a thread depends on its row. A variable of each thread
// depends on the row as well, and so does the rank; but if the kernel mentions nothing along y,
// blocks probably have only one row.
func (b *body) differsInRows(r *region) bool {
	if !b.k.alongY && !r.over {
		return false
	}
	looks := func(list []Stmt) bool {
		found := false
		walk(list, func(s Stmt) {
			exprs(s, func(e Expr) {
				walkExpr(e, func(x Expr) {
					switch x := x.(type) {
					case *Index3:
						found = found || x.Of == threadIdx && x.Axis == 1
					case *Rank:
						found = true
					case *VarRef:
						found = found || x.V.value != nil && shapeOf(x.V.value)[1] != 0
					}
				})
			})
		})
		return found
	}
	if looks(r.stmts) {
		return true
	}
	u := useOf(r.stmts)
	return slices.ContainsFunc(b.k.Vars, func(v *Var) bool { return v.spread && (u.read[v] || u.written[v]) }) && looks(b.k.Body)
}

// mentionsY reports whether k uses a coordinate or an extent along y.
func (k *Kernel) mentionsY() bool {
	found := false
	look := func(e Expr) {
		walkExpr(e, func(x Expr) {
			i, ok := x.(*Index3)
			found = found || ok && i.Axis == 1
		})
	}
	for _, v := range k.Vars {
		if v.value != nil {
			look(v.value)
		}
	}
	walk(k.Body, func(s Stmt) { exprs(s, look) })
	return found
}

// between returns the interval of threads of a row, or of rows of a plane, for which a comparison
// of integers holds. It fails if these are no interval.
func (l *lowering) between(e Expr, symbol string) (from, to []string, ok bool) {
	d, op, ok := l.difference(e)
	if !ok || op == token.NEQ || !d.has(symbol) {
		return nil, nil, false
	}
	for _, p := range positive(d, op) {
		factor, rest, ok := p.by(symbol)
		n, isConst := factor.constant()
		if !ok || !isConst || n != 1 && n != -1 || !rest.ofRow() {
			return nil, nil, false
		}
		l.small(rest, 0)
		if n == 1 { // symbol > -rest
			from = append(from, l.syms.text(number(1).plus(rest, -1)))
		} else { // symbol < rest
			to = append(to, l.syms.text(rest))
		}
	}
	return from, to, true
}

// betweenInRows returns an interval that contains the threads for which a comparison of integers is
// true in some row of a plane, as j <= i selects in a triangle. Rows are below the minimum of rowTo.
func (l *lowering) betweenInRows(e Expr, rowTo []string) (from, to []string) {
	d, op, ok := l.difference(e)
	if !ok || op == token.NEQ || !d.has(laneSymbol) || !d.has(rowSymbol) {
		return nil, nil
	}
	for _, p := range positive(d, op) {
		lane, rest, ok := p.by(laneSymbol)
		row, base, okRow := rest.by(rowSymbol)
		n, isConst := lane.constant()
		m, isConstRow := row.constant()
		if !ok || !okRow || !isConst || !isConstRow || n != 1 && n != -1 || !base.ofRow() || strings.Contains(l.syms.text(base), "‹first›") {
			continue // the first row is known only behind these bounds
		}
		// The maximum of rest over the rows.
		l.small(base, 0)
		if m > 0 {
			last := l.syms.row(fmt.Sprintf("(min(%s) - 1)", strings.Join(append([]string{"‹height›"}, rowTo...), ", ")))
			base = base.plus(last.times(number(m)), 1)
		}
		if n == 1 {
			from = append(from, l.syms.text(number(1).plus(base, -1)))
		} else {
			to = append(to, l.syms.text(base))
		}
	}
	return from, to
}

// insideOf returns the statements of a region without the guards that became bounds of the loop
// over its threads. In a plane, guards that select threads of a row and rows are left out as well.
func (b *body) insideOf(r *region, rw *row, shape nestShape) []Stmt {
	if every := b.everyThread(r); every != nil && every.far && !shape.plane {
		return b.insideSteps(r, rw, every)
	}
	if r.bound == nil {
		if s, ok := alone(r.stmts); ok && shape.plane {
			if rest, ok := b.everyRow(rw, r.stmts, s.Cond, shape); ok {
				return ifAll(rest, s)
			}
		}
		return r.stmts
	}
	guards, rest := splitGuards(r.bound.Cond)
	for _, g := range guards {
		if g.op == token.LSS || g.op == token.LEQ {
			walkExpr(g.limit, func(e Expr) {
				if v, ok := e.(*VarRef); ok {
					rw.rowEnds = append(rw.rowEnds, v.V.Name)
				}
			})
		}
	}
	if shape.plane {
		l := b.newLowering(rw, r.stmts, 4, shape)
		rest = nil
		var rowFrom, rowTo []string // conditions count y from row 0
		closed := false
		for _, t := range terms(r.bound.Cond) {
			closed = closed || mayPanic(t)
			if closed {
				rest = append(rest, t)
				continue
			}
			if from, to, ok := l.between(t, laneSymbol); ok {
				rw.from, rw.to = append(rw.from, from...), append(rw.to, to...)
			} else if from, to, ok := l.between(t, rowSymbol); ok {
				rowFrom, rowTo = append(rowFrom, from...), append(rowTo, to...)
			} else if l.ofRow(t) {
				rw.check(l.text(t))
			} else {
				rest = append(rest, t)
			}
		}
		rw.rowFrom, rw.rowTo = rowFrom, rowTo
		rw.guardedBy(r.bound.Cond, rest)
		for _, t := range rest {
			if mayPanic(t) {
				break
			}
			from, to := l.betweenInRows(t, rowTo)
			rw.from, rw.to = append(rw.from, from...), append(rw.to, to...)
		}
		if len(rest) > 0 && len(rowFrom)+len(rowTo) == 0 {
			if others, ok := b.everyRow(rw, r.stmts, conjunction(rest), shape); ok {
				rest = others
			}
		}
	} else {
		rw.guardedBy(r.bound.Cond, rest)
		rest = b.withoutStrided(r, rw, rest, shape)
	}
	return ifAll(rest, r.bound)
}

// guardedBy notes the conjuncts of a guard that became bounds: all but those in rest, which are conditions of
// the nest.
func (r *row) guardedBy(cond Expr, rest []Expr) {
	r.guards = slices.DeleteFunc(terms(cond), func(t Expr) bool { return slices.Contains(rest, t) })
}

// withoutStrided returns the conjuncts of a guard without the strided ones. Bounds replace these
// where nothing wraps around, which is checked at run time.
func (b *body) withoutStrided(r *region, rw *row, rest []Expr, shape nestShape) (left []Expr) {
	var l *lowering
	for _, t := range rest {
		g, ok := asGuard(t)
		if ok && g.strided && l == nil {
			l = b.newLowering(rw, r.stmts, 4, shape)
		}
		if !ok || !g.strided || !l.growsInRow(g) {
			left = append(left, t)
		}
	}
	return left
}

// growsInRow adds the checks that the base of a guard grows from thread to thread of a row, and
// that its operands are small enough for rt.BelowBy. It reports whether the step can be found.
func (l *lowering) growsInRow(g guard) bool {
	p, okP := l.polyOf(&Convert{g.base, intType})
	limit, okLimit := l.polyOf(&Convert{g.limit, intType})
	step, base, ok := p.by(laneSymbol)
	if !okP || !okLimit || !ok || !step.ofRow() || !base.ofRow() || !limit.ofRow() {
		return false
	}
	if n, isConst := step.constant(); isConst && n <= 0 {
		return false
	} else if !isConst {
		l.small(step, 1)
		l.check(fmt.Sprintf("%s > 0 && %s.Small(%s, 40)", l.syms.text(step), l.b.rt(), l.syms.text(step)))
	}
	for _, p := range []poly{base, limit} {
		if _, isConst := p.constant(); !isConst {
			l.small(p, 0)
			l.check(fmt.Sprintf("%s.Small(%s, 59)", l.b.rt(), l.syms.text(p)))
		}
	}
	return true
}

// alone returns the one statement of a list if it is an if without an else.
func alone(list []Stmt) (*If, bool) {
	if len(list) != 1 {
		return nil, false
	}
	s, ok := list[0].(*If)
	return s, ok && len(s.Else) == 0
}

// ifAll returns the body of s, under the conditions conds instead of its own.
func ifAll(conds []Expr, s *If) []Stmt {
	if len(conds) == 0 {
		return s.Then
	}
	return []Stmt{&If{Cond: conjunction(conds), Then: s.Then, Pos: s.Pos}}
}

// nestWith builds the nest of a region with elements of at most size bytes.
func (b *body) nestWith(r *region, size int, kind nestShape) *nested {
	general, byLane, truncates := map[*Var]bool{}, true, true
	// each try adds a variable; the bound is for passes that make new variables in each try
	for most := 2*len(b.k.Vars) + 16; ; most-- {
		n, again := b.tryNest(r, size, kind, general, byLane, truncates)
		switch {
		case again != nil && !general[again] && most > 0:
			general[again] = true
		case n.why == storedBefore && n.row.truncated && truncates:
			truncates = false
		case n.why == storedBefore && n.row.asides && byLane:
			byLane = false
		default:
			return n
		}
	}
}

// storedBefore is the reason against a nest that could be left after it has stored something.
const storedBefore = "something that is stored before a check"

// apartAlone is the reason against vectors where plain Go is as fast.
const apartAlone = "little but loads and stores of elements that are no neighbours"

// tryNest builds the nest with the integers in general as values in lanes. If a further integer
// must be a value, it returns that as again.
func (b *body) tryNest(r *region, size int, kind nestShape, general map[*Var]bool, byLane, truncates bool) (n *nested, again *Var) {
	taken := maps.Clone(b.names)
	rw := &row{atoms: map[string]int{}, general: general, byLane: byLane, truncates: truncates, name: func(what string) string { return uniqueName(taken, what) }}
	stmts := b.withTexels(r, rw, b.withWideCounters(b.withForwarding(b.withoutTails(b.withoutBlocks(b.unsliced(b.withWidths(b.withRows(b.withFields(b.withRanges(r, rw, kind, b.withConditions(b.inMemory(b.insideOf(r, rw, kind), general))))))))))))
	if rw.nth != nil || rw.steps != nil {
		b.k.works("remainders")
	}
	n = &nested{row: rw, loops: hasLoop(stmts), plane: kind.plane, swap: kind.swap, ragged: b.hasRaggedView(r)}
	if !kind.plane {
		n.idle = b.idleRows(rw, stmts)
	}
	n.name = b.nestName()
	rw.chops = kind.plane && !n.loops && rw.nth == nil
	if err := b.onMachines(n, func(f *asm.File, m *asm.Machine) (bool, error) { return b.assemble(n, f, m, stmts, size, kind) }); err != nil {
		n.why = err.Error()
		switch e := err.(type) {
		case errGeneral:
			return n, e.v
		case errNarrow:
			b.markWide(e.v)
			delete(general, e.v)
			return n, e.v
		}
	}
	if n.asm == nil {
		return n, nil
	}
	n.why = ""
	n.plain = b.plainNest(n, stmts, size, kind)
	n.copies = b.copiesAlone(r)
	if n.moves {
		if n.plain == "" {
			n.why = apartAlone
			return n, nil
		}
		n.asm, n.on = map[string]*asm.File{}, nil
	}
	for _, i := range rw.insides {
		rw.locals = append(rw.locals, i.name, i.text())
	}
	return n, nil
}

// assemble prints a nest for a machine, in the best shape that fits its registers and instructions.
// Without such a shape done is false. An error says that no shape has a nest.
func (b *body) assemble(n *nested, f *asm.File, m *asm.Machine, stmts []Stmt, size int, kind nestShape) (done bool, err error) {
	rw := n.row
	for try := range 3 {
		shapes := nestShapes(kind.plane, n.loops)
		if try == 2 {
			shapes = shapes[len(shapes)-1:]
		}
		for i, shape := range shapes {
			if shape.jam > 1 && b.off("jam") {
				continue
			}
			shape.lean = try == 0 && i+1 < len(shapes)
			shape.late, shape.deep, shape.swap = try > 0, try == 2, kind.swap
			shape.vectors = vectors{m.Lanes(size), m.TileTemps(size), m.Totals}
			forms, err := b.formsOf(rw, stmts, size, shape)
			if err != nil {
				n.why = err.Error()
				_, general := err.(errGeneral)
				_, narrow := err.(errNarrow)
				if !general && !narrow && (shape.jam > 1 || err == errTiles) {
					continue
				}
				return false, err
			}
			fast, tail := forms[0], forms[1]
			if b.k.each > 1 { // a thread's elements are one after another; see uncoarsen
				rw.allApart(b, fast, tail)
			}
			if (!fast.Restarts() || !tail.Restarts()) && !rw.idempotent(b, fast, tail) {
				if forms, err = b.ordered(rw, stmts, size, shape); err != nil {
					return false, err
				}
				fast, tail = forms[0], forms[1]
			}
			if mostlyAtomic(tail) {
				return false, errors.New("little but atomic operations on elements that each thread chooses")
			}
			if n.ragged && gathersAlone(tail.Body) {
				return false, errors.New("loops of different lengths over a thread's own elements, with little to compute")
			}
			n.moves = n.moves || movesApart(tail.Body)
			if !m.ByteMasks && storesBytesApart(fast.Body) {
				n.why = "little but stores of bytes that are no neighbours"
				return false, nil
			}
			// AVX2 has few lanes of 64 bits, and stores them one by one: a bitonic sort takes twice as long as in Go.
			if size == 8 && m.Lanes(8) == 4 && scattersChosen(fast.Body) && littleBut(fast.Body) {
				n.why = "stores of 64-bit numbers that masks choose, to elements that are no neighbours"
				return false, nil
			}
			if kind.plane && tail.Fails() {
				return false, errors.New("a plane that may be left")
			}
			if n.fails = tail.Fails(); m.Arch == machines[0].Arch {
				n.ops = instructions(tail.Body) / shape.jam
				if kind.plane {
					n.ops /= 8 // divided by a typical number of rows
				}
				n.work, n.far = rw.work(tail.Body), 8*far(fast.Body)/(fast.Parts*shape.jam)
				apart := laneWork * shape.lanes * far(tail.Body) / shape.jam
				if kind.plane {
					apart /= 10
				}
				n.apart = max(n.apart, apart)
			}
			inners, single, ends := b.innersOf(rw, stmts, size, shape, fast, tail)
			made := formsOn()
			small, reduced := b.reducedForms(n, m, stmts, size, shape, forms, inners, made)
			// write prints the func, with forms for lanes of 8 or 16 bits first.
			write := func(forms ...*lir.Nest) error {
				if len(small) > 0 && f.Func(n.name+m.Name, m, made(slices.Concat(small, forms)...)...) == nil {
					b.k.works("bitwidth")
					return nil
				}
				err := f.Func(n.name+m.Name, m, made(forms...)...)
				if err == nil {
					small = nil
				}
				return err
			}
			for _, inner := range inners {
				if inner == single {
					single = nil
				}
				for _, ends := range slices.Compact([]*lir.Nest{ends, nil}) {
					order := []*lir.Nest{inner, single, ends, fast, tail}
					switch {
					case done || single == nil && ends == nil:
						continue
					case !n.loops: // few strips are at edges, and most single vectors in them are not
						order = []*lir.Nest{inner, single, ends, tail}
					case ends == nil && m.Masks > 0 && fast.Parts > 1: // a masked vector takes as long as a short strip
						order = []*lir.Nest{inner, fast, single, tail}
					}
					done = write(slices.DeleteFunc(order, func(n *lir.Nest) bool { return n == nil })...) == nil
				}
				if !done {
					done = write(inner, fast, tail) == nil
				}
				if done {
					fast = inner // the form that executes most strips
				}
			}
			if !done && kind.plane && shape.parts > 1 && shape.lanes == usualRow {
				done = b.withSingle(n, stmts, size, shape, forms, write)
			}
			if !done && !kind.plane && !shape.late && farRows(fast.Body) {
				done = b.wideForms(n, f, m, stmts, size, shape, forms, made)
			}
			if !done {
				if err = write(forms...); err != nil {
					n.why = err.Error()
				}
				done = err == nil
			}
			if done && shape.jam > 1 {
				b.k.works("jam")
			}
			if done {
				if len(small) > 0 {
					fast, shape = small[0], reduced[0]
				}
				n.costsOn(m, fast, shape)
				return true, nil
			}
		}
	}
	return false, nil
}

// plainNest is the nest as a func in Go, or "" if it has none. Threads are jammed into loops that
// all of them leave in the same iteration.
func (b *body) plainNest(n *nested, stmts []Stmt, size int, kind nestShape) (text string) {
	taken := slices.ContainsFunc([]string{"math", "unsafe", "min", "max", gogen.AtomicName}, b.root.declares) || slices.ContainsFunc(predeclared, b.root.declares)
	for v := range n.row.general {
		taken = taken || isArray(v.Type) // which Go has on the stack
	}
	if b.off("gogen") || taken {
		return ""
	}
	r := n.row
	args, checks, locals := len(r.args), len(r.checks), len(r.locals)
	defer func() {
		if text == "" {
			r.args, r.checks, r.locals = r.args[:args], r.checks[:checks], r.locals[:locals]
		}
	}()
	single := kind
	single.parts, single.jam, single.lanes = 1, 1, 1
	last, err := b.lower(n.row, stmts, size, single)
	if err != nil {
		return ""
	}
	n.alone = expectedCost(last.Body, 1)
	// ragged.go has a faster form of these loops, and package math is faster than its formulas in
	// Go
	if lir.HasWhile(last.Body) || r.formulas {
		return ""
	}
	// So are the branches of the source, if masks choose what is stored to elements whose indices are checked one by one.
	// A bitonic sort takes a third of the time.
	if last.Fails() && scattersChosen(last.Body) {
		return ""
	}
	forms := []*lir.Nest{last}
	several := single
	several.parts = 4
	jams := []int{1}
	if kind.plane && n.loops && !b.off("jam") {
		jams = []int{2, 1}
	}
	switch {
	case !branches(last.Body):
		for _, several.jam = range jams { // rows whose loops differ are not jammed
			if first, err := b.lower(r, stmts, size, several); err == nil && (several.jam == 1 || pointers(first) <= mostPointers) {
				forms = []*lir.Nest{first, last}
				break
			}
		}
	default:
		inner, _, _ := b.innersOf(r, stmts, size, single, last, last)
		for i, n := range inner {
			if i == len(inner)-1 || pointers(n) <= mostPointers {
				forms = []*lir.Nest{n, last}
				break
			}
		}
	}
	for _, f := range forms {
		if !f.Restarts() && !r.idempotent(b, f) {
			return ""
		}
	}
	text, err = gogen.Func(n.name+"Go", n.name+"Args", kind.plane && !n.loops, n.fails, forms...)
	if err != nil {
		return ""
	}
	b.k.works("gogen")
	// A check that only the form in Go needs must not keep a row from the form in assembly.
	vectors := n.guard() + " && p.Vectors"
	for i := checks; i < len(r.checks); i++ {
		likely, known := r.likely[r.checks[i]]
		r.checks[i] = fmt.Sprintf("(%s || %s)", vectors, r.checks[i])
		if known {
			r.likely[r.checks[i]] = fmt.Sprintf("(%s || %s)", vectors, likely)
		}
	}
	return text
}

// mostPointers is the largest number of slices and strides in a loop of a nest in Go. Go's compiler
// keeps no more of them in registers.
const mostPointers = 12

// pointers returns the largest number of slices and strides that a loop of a nest uses.
func pointers(n *lir.Nest) (most int) {
	var inLoop func(list []lir.Node)
	inLoop = func(list []lir.Node) {
		groups, bases := map[int]bool{}, map[int]bool{}
		lir.Walk(list, func(i *lir.Instr) {
			if i.InMemory() {
				groups[i.Mem.Group], bases[n.Groups[i.Mem.Group].Base] = true, true
			}
		})
		inner := false
		for _, x := range list {
			if l, ok := x.(*lir.Loop); ok {
				inner = true
				inLoop(l.Body)
			}
		}
		if !inner {
			most = max(most, len(groups)+len(bases))
		}
	}
	inLoop(n.Body)
	return most
}

// branches reports whether list has divergent branches.
func branches(list []lir.Node) bool {
	found := false
	lir.Walk(list, func(i *lir.Instr) { found = found || i.On != 0 || i.Op == lir.Select })
	return found
}

// scattersChosen reports whether masks choose the lanes that store to elements each lane indexes on its own.
func scattersChosen(list []lir.Node) bool {
	found := false
	lir.Walk(list, func(i *lir.Instr) { found = found || i.Op == lir.Scatter && i.Imm == 1 && i.On != 0 })
	return found
}

// littleBut reports whether a nest computes little for each gather and scatter.
func littleBut(list []lir.Node) bool {
	apart, all := 0, 0
	lir.Walk(list, func(i *lir.Instr) {
		if all++; i.Apart() {
			apart++
		}
	})
	return all < 16*apart
}

// idempotent reports whether a strip can be repeated from its beginning after a part of its stores:
// it loads nothing that it stores, or only later than all of that. Accesses to the same slice are
// compared here; different slices are checked for overlap at run time.
func (r *row) idempotent(b *body, nests ...*lir.Nest) bool {
	stored, read, later := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, n := range nests {
		r.storesBeforeLoads(n, n.Body, map[string]bool{}, later)
	}
	for _, n := range nests {
		lir.Walk(n.Body, func(i *lir.Instr) {
			if !i.InMemory() || n.Groups[i.Mem.Group].Frame || n.Groups[i.Mem.Group].Own {
				return
			}
			if i.Stores() {
				stored[r.sliceOf(n, i)] = true
			}
			if !i.Stores() || i.Op == lir.Atomic {
				read[r.sliceOf(n, i)] = true
			}
		})
	}
	for s := range stored {
		if read[s] && !later[s] {
			return false
		}
	}
	r.apart(b, stored, read)
	return true
}

// repeatsFaults reports whether plain Go, which repeats a strip in which a thread has panicked, comes to
// that panic again: what decides on it is not among what the strip has stored. Different slices are
// checked for overlap at run time.
func (r *row) repeatsFaults(b *body, nests ...*lir.Nest) bool {
	stored, decides := map[string]bool{}, map[string]bool{}
	for _, n := range nests {
		for _, i := range n.FaultsBy() {
			decides[r.sliceOf(n, i)] = true
		}
		lir.Walk(n.Body, func(i *lir.Instr) {
			if i.Stores() && !n.Groups[i.Mem.Group].Frame && !n.Groups[i.Mem.Group].Own {
				stored[r.sliceOf(n, i)] = true
			}
		})
	}
	for s := range stored {
		if decides[s] {
			return false
		}
	}
	r.apart(b, stored, decides)
	return true
}

// allApart adds the checks that no slice that nests store to overlaps another one that they load from
// or store to. Slices with elements of one size may be the same if the nests access the same element of each.
func (r *row) allApart(b *body, nests ...*lir.Nest) {
	stored, sizes := map[string]bool{}, map[string]int{}
	for _, n := range nests {
		lir.Walk(n.Body, func(i *lir.Instr) {
			if g := n.Groups[i.Mem.Group]; i.InMemory() && !g.Frame {
				s := r.sliceOf(n, i)
				if sizes[s] = g.Size; i.Stores() {
					stored[s] = true
				}
			}
		})
	}
	for _, s := range slices.Sorted(maps.Keys(stored)) {
		for _, t := range slices.Sorted(maps.Keys(sizes)) {
			switch {
			case s == t || stored[t] && t < s:
			case b.k.oneElement && sizes[s] == sizes[t]:
				r.check(fmt.Sprintf("%s.ApartOrSame(%s, %s)", b.rt(), s, t))
			default:
				r.check(r.apartText(b, s, t))
			}
		}
	}
}

// storesBeforeLoads sets, for the slices that list stores to, whether what is loaded of them is loaded
// behind all stores: then each thread has stored it, or none does. loaded are the slices that have
// been loaded from before list.
func (r *row) storesBeforeLoads(n *lir.Nest, list []lir.Node, loaded, later map[string]bool) {
	store := func(i *lir.Instr, loaded map[string]bool) {
		s := r.sliceOf(n, i)
		if was, seen := later[s]; !seen || was {
			later[s] = !loaded[s] && i.Op != lir.Atomic
		}
	}
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			switch {
			case !x.InMemory() || n.Groups[x.Mem.Group].Frame:
			case x.Stores():
				store(x, loaded)
			default:
				loaded[r.sliceOf(n, x)] = true
			}
		case *lir.Loop:
			inside := slices.Concat(x.Head, x.Body)
			lir.Walk(inside, func(i *lir.Instr) { // an iteration follows another one
				if i.InMemory() && !n.Groups[i.Mem.Group].Frame && !i.Stores() {
					loaded[r.sliceOf(n, i)] = true
				}
			})
			r.storesBeforeLoads(n, inside, loaded, later)
		case *lir.When:
			r.storesBeforeLoads(n, x.Then, loaded, later)
			r.storesBeforeLoads(n, x.Else, loaded, later)
		}
	}
}

// sliceOf is a Go expression for the slice that an instruction accesses.
func (r *row) sliceOf(n *lir.Nest, i *lir.Instr) string {
	return r.args[slices.IndexFunc(r.args, func(a argument) bool { return a.off == n.Groups[i.Mem.Group].Base })].text
}

// apart adds the checks that stored and loaded slices do not overlap.
func (r *row) apart(b *body, stored, read map[string]bool) {
	for _, s := range slices.Sorted(maps.Keys(stored)) {
		for _, t := range slices.Sorted(maps.Keys(read)) {
			if s != t {
				r.check(r.apartText(b, s, t))
			}
		}
	}
}

// checkFirst moves the checks of a nest before its stores, if the slices that the checks read are
// not stored to.
func (r *row) checkFirst(b *body, n *lir.Nest) {
	body := n.Body
	moved, ok := lir.ChecksFirst(n)
	if !ok {
		return
	}
	for _, m := range moved {
		for _, s := range m.Stores {
			if r.sliceOf(n, s) == r.sliceOf(n, m.Read) {
				n.Body = body
				return
			}
		}
	}
	for _, m := range moved {
		for _, s := range m.Stores {
			r.check(r.apartText(b, r.sliceOf(n, s), r.sliceOf(n, m.Read)))
		}
	}
}

// idleRows returns a Go condition under which the threads of a row have nothing to do: a uniform
// condition around all statements is false.
func (b *body) idleRows(rw *row, stmts []Stmt) string {
	if len(stmts) != 1 {
		return ""
	}
	s, ok := stmts[0].(*If)
	if !ok || len(s.Else) > 0 {
		return ""
	}
	l := b.newLowering(rw, stmts, 4, nestShape{})
	t := terms(s.Cond)[0]
	if !l.ofRow(t) || len(rw.checks) > 0 {
		return ""
	}
	holds := l.text(t) // text may add checks, without which the condition could panic
	return joined(append(slices.Clone(rw.checks), "!("+holds+")"))
}

// formsOf builds two forms of a nest: for strips of whole vectors, and for one vector with inactive
// lanes.
func (b *body) formsOf(rw *row, stmts []Stmt, size int, shape nestShape) ([]*lir.Nest, error) {
	fast, err := b.lower(rw, stmts, size, shape)
	if err != nil {
		return nil, err
	}
	shape.parts, shape.masked = 1, true
	tail, err := b.lower(rw, stmts, size, shape)
	return []*lir.Nest{fast, tail}, err
}

// ordered builds the two forms of a nest whose checks don't come before its stores as they are: with
// checks that are moved there, or else with faults.
func (b *body) ordered(rw *row, stmts []Stmt, size int, shape nestShape) ([]*lir.Nest, error) {
	if rw.checksFirst || b.off("checks") {
		return nil, errors.New(storedBefore)
	}
	rw.checksFirst = true
	forms, err := b.formsOf(rw, stmts, size, shape)
	if err != nil {
		return nil, err
	}
	if forms[0].Restarts() && forms[1].Restarts() {
		b.k.works("checks")
		return forms, nil
	}
	if b.off("faults") {
		return nil, errors.New(storedBefore)
	}
	rw.checksFirst, rw.faults = false, true
	if forms, err = b.formsOf(rw, stmts, size, shape); err != nil {
		return nil, err
	}
	if !forms[0].RestartsOrFaults() || !forms[1].RestartsOrFaults() || !rw.repeatsFaults(b, forms...) {
		return nil, errors.New(storedBefore)
	}
	b.k.works("faults")
	return forms, nil
}

// usualRow is the typical number of threads of a row, in a block with several rows.
const usualRow = 16

// withSingle prints a nest with a third form, for strips of one whole vector, as blocks of 16 by 16
// have. Otherwise a row of that length would use masks: a masked store is not forwarded to the loads
// of the next phase, and masked strips have no tiles.
func (b *body) withSingle(n *nested, stmts []Stmt, size int, shape nestShape, forms []*lir.Nest, write func(...*lir.Nest) error) bool {
	shape.parts = 1
	single, err := b.lower(n.row, stmts, size, shape)
	return err == nil && (masked(single) < masked(forms[1]) || single.Tiles > forms[1].Tiles) && write(forms[0], single, forms[1]) == nil
}

// formsOn returns a func that makes forms of nests for a machine, one for each nest.
func formsOn() func(nests ...*lir.Nest) []*asm.Form {
	known := map[*lir.Nest]*asm.Form{}
	return func(nests ...*lir.Nest) (list []*asm.Form) {
		for _, n := range nests {
			if known[n] == nil {
				known[n] = asm.NewForm(n)
			}
			list = append(list, known[n])
		}
		return list
	}
}

// addNest adds a nest to those of the package.
func (b *body) addNest(n *nested) {
	rw := n.row
	for arch, f := range n.asm {
		b.nests.addFile(arch, f)
	}
	b.nests.funcs = append(b.nests.funcs, n.name)
	b.nests.machines = append(b.nests.machines, n.on)
	b.nests.fails = append(b.nests.fails, n.fails)
	b.nests.plain = append(b.nests.plain, n.plain)
	var fields strings.Builder
	for _, a := range rw.args {
		name := fmt.Sprintf("a%d", a.off)
		switch a.typ {
		case "float32", "int32", "uint32":
			fmt.Fprintf(&fields, "%s [2]%s\n", name, a.typ)
		default:
			fmt.Fprintf(&fields, "%s %s\n", name, a.typ)
		}
	}
	b.nests.types = append(b.nests.types, fmt.Sprintf("// %sArgs has what %s needs to know of a row.\ntype %sArgs struct {\nmany int\n%s}\n", n.name, n.name, n.name, fields.String()))
}

// work is a Go expression for the largest total trip count of list. It has type float64, which does
// not wrap around.
func (r *row) work(list []lir.Node) string {
	own, inside := 1, ""
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if x.Op == lir.Atomic {
				own += atomicWork
			}
		case *lir.Loop:
			inside += fmt.Sprintf(" + float64(max(%s, 0))*(%s)", r.rounds[x], r.work(x.Body))
		case *lir.When:
			for _, l := range [][]lir.Node{x.Then, x.Else} {
				if w := r.work(l); w != "1" {
					inside += " + " + w
				}
			}
		}
	}
	return fmt.Sprint(own) + inside
}

// atomicWork is the number of iterations of a typical loop that take as long as the atomic
// operations of one vector.
const atomicWork = 16

// mostlyAtomic reports whether a nest has so many atomic operations, executed lane by lane, that
// they cost more than vectors gain elsewhere. Those under a condition on data count as few: only the
// active lanes are processed.
func mostlyAtomic(n *lir.Nest) bool {
	all := map[lir.Value]bool{0: true, n.Lanes: true} // the masks of an interval of threads
	lir.Walk(n.Body, func(i *lir.Instr) {
		if i.Op == lir.Within || i.Op == lir.MaskAnd && all[i.X] && all[i.Y] {
			all[i.Dst] = true
		}
	})
	work := 0       // the operations that the atomic ones need beside them
	ragged := false // threads have different numbers of iterations, one after the other in plain Go
	var look func(list []lir.Node, times, most int)
	look = func(list []lir.Node, times, most int) {
		for _, x := range list {
			switch x := x.(type) {
			case *lir.Instr:
				if x.Op == lir.Atomic && x.Y != 0 && all[x.On] {
					work += times * most
				}
			case *lir.Loop:
				if x.Few || x.While != nil {
					ragged = true
				}
				look(x.Body, 8*times, 16)
			case *lir.When:
				look(x.Then, times, most)
				look(x.Else, times, most)
			}
		}
	}
	look(n.Body, 1, 30)
	return work > 0 && !ragged && instructions(n.Body) < work
}

// far counts gathers and scatters, those in loops several times.
func far(list []lir.Node) int {
	n := 0
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if x.Apart() {
				n++
			}
		case *lir.Loop:
			if x.Few {
				n += far(x.Body)
			} else {
				n += 10 * far(x.Body)
			}
		case *lir.When:
			n += far(x.Then) + far(x.Else)
		}
	}
	return n
}

// movesApart reports whether a nest without loops does little but gather and scatter. Each lane of a
// scatter is a store of its own, and of a gather a load, so that plain Go is as fast.
func movesApart(list []lir.Node) bool {
	scatters, gathers, others := 0, 0, 0
	for _, x := range list {
		i, ok := x.(*lir.Instr)
		switch {
		case !ok:
			return false
		case i.Op == lir.Scatter && i.Apart():
			scatters++
		case i.Op == lir.Gather && i.Apart():
			gathers++
		default:
			others++
		}
	}
	return scatters > 0 && others <= scatters+gathers
}

// storesBytesApart reports whether a nest without loops does little but scatter integers of 8 or 16
// bits. If each lane takes an instruction, plain Go is as fast. With AVX2, inverting the channels
// of pixels takes 1.6 times as long as in plain Go, and a sepia filter half as long.
func storesBytesApart(list []lir.Node) bool {
	stores, others := 0, 0
	for _, x := range list {
		i, ok := x.(*lir.Instr)
		switch {
		case !ok:
			return false
		case i.Op == lir.Scatter && i.From != lir.None:
			stores++
		default:
			others++
		}
	}
	return others < 4*stores
}

// nestName returns a name for a func in assembly that does not collide with declarations of the
// package, nor do the names derived from it.
func (b *body) nestName() string {
	for i := 1; ; i++ {
		name := fmt.Sprintf("%sNest%d", ascii(b.k.Name), i)
		if slices.Contains(b.nests.funcs, name) {
			continue
		}
		if !slices.ContainsFunc(append([]string{"", "Args", "Go"}, machineNames...), func(more string) bool { return b.root.declares(name + more) }) {
			return name
		}
	}
}

// fewestThreads is the number of threads from which on a call pays. Each check and argument takes
// about a nanosecond. Plain Go takes about half a nanosecond more per operation of a thread than
// assembly, or a whole one if it runs thread by thread. Gathers and scatters take as long for a few
// threads as for a whole vector. For the threads of a column, plain Go visits each row for only one
// or a few threads.
func (n *nested) fewestThreads() int {
	before, ops := 30+len(n.row.args)+len(n.row.checks)+len(n.row.locals)/2, n.ops
	column := n.swap && len(n.row.rowFrom)+len(n.row.rowTo) > 0
	if column {
		ops += rowWork
	}
	if (n.plain == "" || n.copies) && !column {
		before *= 2
	}
	return max(4, min(256, (before+n.apart)/max(1, ops)))
}

// rowWork is the cost of visiting a row, in operations.
const rowWork = 6

// laneWork is the cost of one lane of a gather or a scatter, in operations of a thread.
const laneWork = 6

// instructions is the approximate number of operations of a thread, with 8 iterations per loop.
func instructions(list []lir.Node) int {
	n := 0
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			switch x.Op {
			case lir.Div, lir.Sqrt, lir.Gather:
				n += 4
			case lir.Load, lir.Store, lir.Broadcast:
				n += 2
			default:
				n++
			}
		case *lir.Loop:
			if !x.Few {
				n += 8 * instructions(x.Body)
			}
		case *lir.When:
			n += instructions(x.Then) + instructions(x.Else)
		}
	}
	return n
}

// costsOn records the cost of a form on a machine.
func (n *nested) costsOn(m *asm.Machine, form *lir.Nest, shape nestShape) {
	if n.costs == nil {
		n.costs = map[string]float64{}
	}
	n.costs[m.Name] = expectedCost(form.Body, shape.lanes) / float64(form.Parts*shape.jam*shape.lanes)
}

// expectedCost is the approximate number of instructions that a core executes for list, with 8
// iterations per loop. A gather or scatter counts as one instruction per lane, a division as four
// and more.
func expectedCost(list []lir.Node, lanes int) float64 {
	n := 0.0
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			switch x.Op {
			case lir.Div, lir.Sqrt:
				n += 4 + float64(lanes)/4
			case lir.Gather, lir.Scatter:
				n += float64(lanes)
			case lir.Atomic:
				n += 20 * float64(lanes)
			default:
				n++
			}
		case *lir.Loop:
			if !x.Few {
				n += 8 * (expectedCost(x.Head, lanes) + expectedCost(x.Body, lanes) + 2)
			}
		case *lir.When:
			n += 2 + expectedCost(x.Then, lanes) + expectedCost(x.Else, lanes)
		}
	}
	return n
}

// nestCall prints the call for the threads of a row from lo on and below hi. For a plane it prints
// one call for all rows, at the place of the first row.
func (b *body) nestCall(n *nested, lo, hi string) string {
	r := n.row
	var out strings.Builder
	few := fmt.Sprintf("many >= %d", n.fewestThreads())
	ok := n.guard() + " && p.Vectors"
	if n.plain != "" {
		ok = ""
	}
	first, manyRows := "0", "1"
	if n.plane {
		width, height := b.use("dimX"), b.use("dimY")
		if n.swap {
			width, height = height, width
		}
		fmt.Fprintf(&out, "if %s {\n", joined(slices.DeleteFunc([]string{"ty == 0", ok}, func(s string) bool { return s == "" })))
		lo, hi, manyRows = "0", width, height
		if len(r.from) > 0 {
			lo = r.name("lo")
			fmt.Fprintf(&out, "%s := max(0, %s)\n", lo, strings.ReplaceAll(strings.Join(r.from, ", "), "‹height›", height))
		}
		if len(r.to) > 0 {
			hi = r.name("hi")
			fmt.Fprintf(&out, "%s := min(%s, %s)\n", hi, width, strings.ReplaceAll(strings.Join(r.to, ", "), "‹height›", height))
		}
		few = fmt.Sprintf("many*%s >= %d", height, n.fewestThreads())
		switch {
		case r.nth != nil:
			first, manyRows = r.nth.first, r.name("manyRows")
			fmt.Fprintf(&out, "%s := (%s - (%s) + max(%s, 1) - 1) / max(%s, 1)\n", manyRows, height, first, r.nth.step, r.nth.step)
			few = fmt.Sprintf("many > 0 && %s > 0 && many*%s >= %d", manyRows, manyRows, n.fewestThreads())
		case len(r.rowFrom)+len(r.rowTo) > 0:
			if len(r.rowFrom) > 0 {
				first = r.name("first")
				fmt.Fprintf(&out, "%s := max(0, %s)\n", first, strings.Join(r.rowFrom, ", "))
			}
			manyRows = r.name("manyRows")
			end := height
			if len(r.rowTo) > 0 {
				end = fmt.Sprintf("min(%s, %s)", height, strings.Join(r.rowTo, ", "))
			}
			if first != "0" {
				end += " - " + first
			}
			fmt.Fprintf(&out, "%s := %s\n", manyRows, end)
			few = fmt.Sprintf("many > 0 && %s > 0 && many*%s >= %d", manyRows, manyRows, n.fewestThreads())
		}
		ok = few
	} else {
		ok = joined(slices.DeleteFunc([]string{ok, few}, func(s string) bool { return s == "" }))
	}
	places := func(lo, hi string) *strings.Replacer {
		return strings.NewReplacer("‹lo›", lo, "‹hi›", hi, "‹many›", "many", "many‹rows›", manyRows, "‹first›", first, "‹rt›", b.rt())
	}
	begin, rowEnd := lo, hi
	if r.steps != nil { // lanes are strided threads
		lo, hi = "0", r.name("steps")
		fmt.Fprintf(&out, "%s := max(0, (%s-%s+%s-1)/%s)\n", hi, rowEnd, begin, r.steps.by, r.steps.by)
	}
	place := places(lo, hi).Replace
	many := hi
	if lo != "0" && r.steps == nil {
		many = hi + " - " + lo
	}
	if n.idle != "" {
		fmt.Fprintf(&out, "if %s {\ncontinue\n}\n", n.idle)
	}
	fmt.Fprintf(&out, "if many := %s; %s {\n", many, ok)
	var conds, likely, surely []string
	for _, t := range r.syms.texts {
		if bits, isThere := r.atoms[t]; isThere {
			conds = append(conds, fmt.Sprintf("%s.Small(%s, %d)", b.rt(), place(t), bits))
		}
	}
	idle := r.idlePlane(n, conds, manyRows)
	small := len(conds)
	for _, c := range r.checks {
		if short, ok := r.likely[c]; ok && short != c {
			likely, surely = append(likely, place(short)), append(surely, place(c))
		} else {
			conds = append(conds, place(c))
		}
	}
	used := slices.Concat(conds, likely, []string{n.work})
	for _, a := range r.args {
		used = append(used, a.text)
	}
	// Variables that only the full checks need are computed only if the shorter checks fail.
	at, later := r.localsFor(used)
	if _, others := r.localsFor(slices.Concat(used, surely)); len(others) == len(later) || !worthLater(later) {
		at, _ = r.localsFor(slices.Concat(used, surely))
		conds, likely = conds[:small], nil
		for _, c := range r.checks {
			conds = append(conds, place(c))
		}
	}
	declare := func(locals []string) {
		for i := 0; i+1 < len(locals); i += 2 {
			fmt.Fprintf(&out, "%s := %s\n", locals[i], place(locals[i+1]))
		}
	}
	declare(at)
	work := ""
	if n.loops {
		work = r.name("work")
		fmt.Fprintf(&out, "%s := float64(%s)\n", work, place(n.work))
		conds = append(conds, fmt.Sprintf("%s <= %s.MostWork", work, b.rt()))
	}
	if len(conds) > 0 {
		fmt.Fprintf(&out, "if %s {\n", joined(conds))
	}
	if len(likely) > 0 {
		inside := r.name("inside")
		fmt.Fprintf(&out, "%s := %s\nif !%s {\n", inside, joined(likely), inside)
		needed, _ := (&row{locals: later}).localsFor(surely)
		known, _ := (&row{locals: at}).localsFor(slices.Concat(surely, needed))
		if b.sameForBlocks(placed(slices.Concat(known, needed), place), surely...) {
			known, fits := b.memo()
			fmt.Fprintf(&out, "if !%s {\n%s = true\n", known, known)
			declare(needed)
			fmt.Fprintf(&out, "%s = %s\n}\n%s = %s\n", fits, joined(surely), inside, fits)
		} else {
			declare(needed)
			fmt.Fprintf(&out, "%s = %s\n", inside, joined(surely))
		}
		fmt.Fprintf(&out, "}\nif %s {\n", inside)
	}
	from := lo
	end := hi
	if n.loops {
		from = r.name("from")
		end = "(" + from + "+many)"
	}
	inStrip := places(from, end)
	// A strip goes through all rows of a plane. If no loop shares loads between rows, a call goes
	// through a few rows at a time: neighbouring elements are best accessed one after the other.
	chops := r.chops && !n.loops && !r.localsOfRows()
	top, fewRows, step := "", "", ""
	if chops {
		top, fewRows, step = r.name("top"), r.name("fewRows"), r.name("step")
		inStrip = strings.NewReplacer("‹lo›", lo, "‹hi›", hi, "‹many›", "many", "many‹rows›", fewRows, "‹first›", top, "‹rt›", b.rt())
	}
	call := fmt.Sprintf("%s(&%sArgs{many", n.name, n.name)
	if n.plain != "" {
		call = fmt.Sprintf("%s(p.Vectors, &%sArgs{many", n.name, n.name)
	}
	for _, a := range r.args {
		text := inStrip.Replace(a.text)
		switch a.typ {
		case "float32", "int32", "uint32":
			text = fmt.Sprintf("[2]%s{%s}", a.typ, text)
		}
		call += ", " + text
	}
	call += "})\n"
	if chops {
		end := manyRows
		if first != "0" {
			end = first + "+" + manyRows
		}
		call = fmt.Sprintf("for %s, %s := %s, %s.RowsAtATime(many); %s < %s; %s += %s {\n%s := min(%s, %s-%s)\n%s}\n",
			top, step, first, b.rt(), top, end, top, step, fewRows, step, end, top, call)
	}
	done := "continue\n"
	if n.fails {
		// Plain Go executes the remaining threads, from where the call returned.
		if begin == "0" {
			panic("a row that begins at 0 has no name for where it goes on")
		}
		at := r.name("done")
		call = fmt.Sprintf("%s := %s", at, call)
		if r.faults {
			call += fmt.Sprintf("if %s < 0 {\n%s = p.Fault(%s)\n}\n", at, at, at)
		}
		stop := "lo += " + at + "\n"
		if r.steps != nil {
			stop = fmt.Sprintf("lo += %s * %s\n", at, r.steps.by)
		}
		if n.loops {
			stop = fmt.Sprintf("lo = %s + %s\nif %s < many {\nbreak\n}\n", from, at, at)
		}
		call += stop
		done = "if lo >= " + rowEnd + " {\ncontinue\n}\n"
	}
	if n.loops {
		step := r.name("step")
		call = fmt.Sprintf("%s := %s.Strip(%s)\nfor %s := %s; %s < %s; %s += %s {\np.Poll()\nmany := min(%s-%s, %s)\n%s}\n",
			step, b.rt(), work, from, lo, from, hi, from, step, hi, from, step, call)
	}
	out.WriteString(call)
	if n.plane {
		out.WriteString("row += dimY - 1\n")
	}
	out.WriteString(done + "}\n")
	if len(likely) > 0 {
		out.WriteString("}\n")
	}
	if len(conds) > 0 {
		out.WriteString(idle + "}\n")
	}
	if n.plane {
		out.WriteString("}\n")
	}
	return out.String()
}

// localsFor returns the variables that texts use, directly or through values, and the other ones.
// Each variable is two strings, its name and its value.
func (r *row) localsFor(texts []string) (needed, others []string) {
	all := strings.Join(texts, "\n")
	keep := make([]bool, len(r.locals)/2)
	for i := len(keep) - 1; i >= 0; i-- {
		name, value := r.locals[2*i], r.locals[2*i+1]
		for one := range strings.SplitSeq(name, ", ") {
			keep[i] = keep[i] || containsWord(all, one)
		}
		if keep[i] {
			all += "\n" + value
		}
	}
	for i, k := range keep {
		if k {
			needed = append(needed, r.locals[2*i:2*i+2]...)
		} else {
			others = append(others, r.locals[2*i:2*i+2]...)
		}
	}
	return needed, others
}

// worthLater reports whether computing the variables is expensive enough to defer it: there are
// more than four, or one of them trims a box.
func worthLater(locals []string) bool {
	return len(locals) > 2*4 || strings.Contains(strings.Join(locals, "\n"), ".Trim(")
}

// idlePlane prints a branch that skips a plane without active threads. conds are the conditions
// under which no integer wraps around.
func (r *row) idlePlane(n *nested, conds []string, manyRows string) string {
	if !n.plane || manyRows == "1" || len(r.to)+len(r.rowTo) == 0 {
		return ""
	}
	for _, c := range conds {
		for i := 0; i+1 < len(r.locals); i += 2 {
			if containsWord(c, r.locals[i]) {
				return ""
			}
		}
	}
	return fmt.Sprintf("} else if %s {\nrow += dimY - 1\ncontinue\n", joined(append([]string{fmt.Sprintf("(many <= 0 || %s <= 0)", manyRows)}, conds...)))
}

// localsOfRows reports whether an argument depends, through variables, on the range of rows.
func (r *row) localsOfRows() bool {
	depends := []string{"‹first›", "many‹rows›"}
	of := func(text string) bool {
		return strings.Contains(text, depends[0]) || strings.Contains(text, depends[1]) ||
			slices.ContainsFunc(depends[2:], func(name string) bool { return containsWord(text, name) })
	}
	for i := 0; i+1 < len(r.locals); i += 2 {
		if of(r.locals[i+1]) {
			depends = append(depends, r.locals[i])
		}
	}
	return slices.ContainsFunc(r.args, func(a argument) bool {
		return slices.ContainsFunc(depends[2:], func(name string) bool { return containsWord(a.text, name) })
	})
}
