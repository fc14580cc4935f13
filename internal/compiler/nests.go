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

// Nests in generated code. The plain form of a region calls a func in assembly for each row of threads if the machine has vectors and all
// indices of the row are in range; otherwise the row is plain Go.

// nestFiles collects what the kernels of a package have in assembly.
type nestFiles struct {
	asm      map[string]*asm.File // by GOARCH
	types    []string             // of arguments, for all machines
	funcs    []string             // names
	machines [][]*asm.Machine     // those that they are for, the best first
	fails    []bool               // whether they say how many threads are done
	plain    []string             // in Go, or ""
}

// A nested is a region that has a nest.
type nested struct {
	name   string
	row    *row
	asm    map[string]*asm.File // by GOARCH
	on     []*asm.Machine       // that it is for
	plain  string               // in Go, or ""
	copies bool                 // threads copy an element and do nothing else
	why    string               // it has none
	loops  bool
	plane  bool   // it does all rows of a plane
	ragged bool   // the threads have loops of different lengths over elements of their own
	swap   bool   // with vectors along threadIdx.y
	fails  bool   // the func may be left before all threads of the row are done
	far    int    // how many accesses its vectors have to elements that are not neighbours; one in a loop counts as 10 outside
	work   string // Go for how many rounds of loops a thread goes, or those of a column of a plane
	ops    int    // about how many operations a thread does
	apart  int    // about how many operations of a thread the elements of a vector take that are no neighbours, on the machine with the largest vectors
	idle   string // Go for that a row has nothing to do, or ""

	did   []string           // the passes that worked on it
	costs map[string]float64 // for an element, by machine; see expectedCost
	alone float64            // the same for a thread alone
}

// nestShapes are how many vectors, and rows of a plane, go through a nest together, the best first.
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

// nestOf makes the nest of a region, if there is one.
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
	kinds := []nestShape{{}}
	every := b.everyThread(r)
	apart := every != nil && every.far
	if apart && (b.k.tracked || hasLoop(r.stmts) || b.keepsElsewhere(r)) {
		kinds = nil
	}
	// Where vectors along a row have elements that are far apart, they may be neighbours along a column (interchange).
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
				// How far apart the elements of a row are does not compare with those of a plane, unless there are no such.
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

// differsInRows reports whether what the threads of a region do differs from row to row. What is kept for each thread differs, too; but where no
// thread ever looks at its row there is probably only one.
func (b *body) differsInRows(r *region) bool {
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

// between says which threads of a row, or which rows of a plane, a comparison of integers is true for, if these are an interval.
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

// insideOf returns the statements of a region without what the limits of the loop over its threads stand for, and in a plane without what
// says which threads of a row and which rows take part.
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
		var rowFrom, rowTo []string // y in conditions counts from row 0
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
		if len(rest) > 0 && len(rowFrom)+len(rowTo) == 0 {
			if others, ok := b.everyRow(rw, r.stmts, conjunction(rest), shape); ok {
				rest = others
			}
		}
	} else {
		rest = b.withoutStrided(r, rw, rest, shape)
	}
	return ifAll(rest, r.bound)
}

// withoutStrided returns the terms of a guard but for those that the limits of the loop over the threads stand for where nothing wraps around,
// which is checked.
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

// growsInRow adds the checks that the base of a guard grows from thread to thread of a row, and that nothing is too large for rt.BelowBy, if it can be
// seen by what it grows.
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

// ifAll is what an if does, under other conditions.
func ifAll(conds []Expr, s *If) []Stmt {
	if len(conds) == 0 {
		return s.Then
	}
	return []Stmt{&If{Cond: conjunction(conds), Then: s.Then, Pos: s.Pos}}
}

// nestWith makes the nest of a region with elements of so many bytes at most.
func (b *body) nestWith(r *region, size int, kind nestShape) *nested {
	general, byLane, truncates := map[*Var]bool{}, true, true
	for most := 2*len(b.k.Vars) + 16; ; most-- { // there are not so many variables that could be values, unless a pass makes new ones each time
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

// storedBefore is why a nest can't be that would be left after something has been stored.
const storedBefore = "something that is stored before a check"

// tryNest makes it with some integers as values. If there must be one more of them it returns that.
func (b *body) tryNest(r *region, size int, kind nestShape, general map[*Var]bool, byLane, truncates bool) (n *nested, again *Var) {
	taken := map[string]bool{}
	rw := &row{atoms: map[string]int{}, general: general, byLane: byLane, truncates: truncates, name: func(what string) string { return uniqueName(taken, what) }}
	for n := range b.names {
		taken[n] = true
	}
	stmts := b.withTexels(r, rw, b.withWideCounters(b.withoutTails(b.withoutBlocks(b.unsliced(b.insideOf(r, rw, kind))))))
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
	if rw.inside != nil && rw.inside.used {
		rw.locals = append(rw.locals, rw.inside.name, rw.inside.text())
	}
	return n, nil
}

// assemble prints a nest for a machine, in the best shape for which there are registers and instructions; if there is none that is why. An error says
// that there is no nest in any shape.
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
			shape.late, shape.deep, shape.swap, shape.lanes, shape.temps, shape.totals = try > 0, try == 2, kind.swap, m.Lanes(size), m.TileTemps(size), m.Totals
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
			if (!fast.Restarts() || !tail.Restarts()) && !rw.idempotent(b.rt(), fast, tail) {
				if rw.checksFirst || b.off("checks") {
					return false, errors.New(storedBefore)
				}
				rw.checksFirst = true
				if forms, err = b.formsOf(rw, stmts, size, shape); err != nil {
					return false, err
				}
				if fast, tail = forms[0], forms[1]; !fast.Restarts() || !tail.Restarts() {
					return false, errors.New(storedBefore)
				}
				b.k.works("checks")
			}
			if mostlyAtomic(tail) {
				return false, errors.New("little but atomic operations on elements that each thread chooses")
			}
			if n.ragged && gathersAlone(tail.Body) {
				return false, errors.New("loops of different lengths over a thread's own elements, with little to compute")
			}
			if !m.ByteMasks && storesBytesApart(fast.Body) {
				n.why = "little but stores of bytes that are no neighbours"
				return false, nil
			}
			if kind.plane && tail.Fails() {
				return false, errors.New("a plane that may be left")
			}
			if n.fails = tail.Fails(); m.Arch == machines[0].Arch {
				n.ops = instructions(tail.Body) / shape.jam
				if kind.plane {
					n.ops /= 8 // the rows
				}
				n.work, n.far = rw.work(tail.Body), 8*far(fast.Body)/(fast.Parts*shape.jam)
				apart := laneWork * shape.lanes * far(tail.Body) / shape.jam
				if kind.plane {
					apart /= 10
				}
				n.apart = max(n.apart, apart)
			}
			inners, single := b.innersOf(rw, stmts, size, shape, fast)
			for _, inner := range inners {
				if !done && single != nil && !n.loops { // strips at the edges are few: vector by vector, most of theirs are inside, too
					done = f.Func(n.name+m.Name, m, copies(n.name, inner, single, tail)...) == nil
				}
				if !done && single != nil {
					order := []*lir.Nest{inner, fast, single, tail}
					if m.Masks == 0 { // what is masked takes longer than a short strip that is not
						order = []*lir.Nest{inner, single, fast, tail}
					}
					done = f.Func(n.name+m.Name, m, copies(n.name, order...)...) == nil
				}
				if !done {
					done = f.Func(n.name+m.Name, m, copies(n.name, inner, fast, tail)...) == nil
				}
				if done {
					fast = inner // which most strips take
				}
			}
			if !done && kind.plane && !n.loops && shape.parts > 1 && shape.lanes == usualRow {
				done = b.withSingle(n, f, m, stmts, size, shape, forms)
			}
			if !done && !kind.plane && !shape.late && farRows(fast.Body) {
				done = b.wideForms(n, f, m, stmts, size, shape, forms)
			}
			if !done {
				if err = f.Func(n.name+m.Name, m, copies(n.name, forms...)...); err != nil {
					n.why = err.Error()
				}
				done = err == nil
			}
			if done && shape.jam > 1 {
				b.k.works("jam")
			}
			if done {
				n.costsOn(m, fast, shape)
				return true, nil
			}
		}
	}
	return false, nil
}

// plainNest is the nest as a func in Go, or "" if it has none. Threads go side by side through loops that all of them leave together.
func (b *body) plainNest(n *nested, stmts []Stmt, size int, kind nestShape) (text string) {
	taken := slices.ContainsFunc([]string{"math", "unsafe", "min", "max", gogen.AtomicName}, b.root.declares) || slices.ContainsFunc(predeclared, b.root.declares)
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
	if lir.HasWhile(last.Body) || r.formulas { // these loops are faster in the form of ragged.go, and package math is faster than its formulas in Go
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
		for _, several.jam = range jams { // rows whose loops differ go one by one
			if first, err := b.lower(r, stmts, size, several); err == nil && (several.jam == 1 || pointers(first) <= mostPointers) {
				forms = []*lir.Nest{first, last}
				break
			}
		}
	default:
		inner, _ := b.innersOf(r, stmts, size, single, last)
		for i, n := range inner {
			if i == len(inner)-1 || pointers(n) <= mostPointers {
				forms = []*lir.Nest{n, last}
				break
			}
		}
	}
	for _, f := range forms {
		if !f.Restarts() && !r.idempotent(b.rt(), f) {
			return ""
		}
	}
	text, err = gogen.Func(n.name+"Go", n.name+"Args", kind.plane && !n.loops, n.fails, forms...)
	if err != nil {
		return ""
	}
	b.k.works("gogen")
	// What the form in assembly does not ask for does not keep a row from it.
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

// mostPointers is how many slices and distances in them the loops of a nest in Go may have: Go's compiler keeps no more of them in registers.
const mostPointers = 12

// pointers returns how many slices and distances in them the loop of a nest has that has most.
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

// branches reports whether threads may go different ways in list.
func branches(list []lir.Node) bool {
	found := false
	lir.Walk(list, func(i *lir.Instr) { found = found || i.On != 0 || i.Op == lir.Select })
	return found
}

// idempotent reports whether a strip can be done again from its beginning though it has stored something, as it reads nothing of what it
// stores: of the same slice, which is seen, or of others, which is asked before.
func (r *row) idempotent(core string, nests ...*lir.Nest) bool {
	stored, read := map[string]bool{}, map[string]bool{}
	for _, n := range nests {
		lir.Walk(n.Body, func(i *lir.Instr) {
			if !i.InMemory() || n.Groups[i.Mem.Group].Frame {
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
	return r.apart(core, stored, read)
}

// sliceOf is Go for the slice that an instruction reads or writes.
func (r *row) sliceOf(n *lir.Nest, i *lir.Instr) string {
	return r.args[slices.IndexFunc(r.args, func(a argument) bool { return a.off == n.Groups[i.Mem.Group].Base })].text
}

// apart asks whether slices that are stored to are other memory than those that are read, and reports whether they can be.
func (r *row) apart(core string, stored, read map[string]bool) bool {
	for s := range stored {
		if read[s] {
			return false
		}
	}
	for _, s := range slices.Sorted(maps.Keys(stored)) {
		for _, t := range slices.Sorted(maps.Keys(read)) {
			r.check(fmt.Sprintf("%s.Apart(%s, %s)", core, s, t))
		}
	}
	return true
}

// checkFirst moves the checks of a nest before what it stores, if that is other memory than what is read for them.
func (r *row) checkFirst(core string, n *lir.Nest) {
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
			r.check(fmt.Sprintf("%s.Apart(%s, %s)", core, r.sliceOf(n, s), r.sliceOf(n, m.Read)))
		}
	}
}

// idleRows returns Go for that the threads of a row have nothing to do, as they agree that a condition around all of it does not hold.
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
	holds := l.text(t) // and what must be checked before, for it not to panic
	return joined(append(slices.Clone(rw.checks), "!("+holds+")"))
}

// formsOf makes the forms of a nest for whole strips, and for a vector of which some lanes may be off.
func (b *body) formsOf(rw *row, stmts []Stmt, size int, shape nestShape) ([]*lir.Nest, error) {
	fast, err := b.lower(rw, stmts, size, shape)
	if err != nil {
		return nil, err
	}
	shape.parts, shape.masked = 1, true
	tail, err := b.lower(rw, stmts, size, shape)
	return []*lir.Nest{fast, tail}, err
}

// usualRow is how many threads a row of a block with several rows usually has.
const usualRow = 16

// withSingle prints a nest with one more form, for strips of one whole vector. A row of that length would be masked otherwise, and what is stored under
// a mask is not forwarded to the loads of the next phase.
func (b *body) withSingle(n *nested, f *asm.File, m *asm.Machine, stmts []Stmt, size int, shape nestShape, forms []*lir.Nest) bool {
	shape.parts = 1
	single, err := b.lower(n.row, stmts, size, shape)
	return err == nil && masked(single) < masked(forms[1]) && f.Func(n.name+m.Name, m, copies(n.name, forms[0], single, forms[1])...) == nil
}

// copies returns copies of forms, for a func of that name.
func copies(name string, forms ...*lir.Nest) (list []*lir.Nest) {
	for _, n := range forms {
		c := n.Clone()
		c.Name = name
		list = append(list, c)
	}
	return list
}

// addNest adds a nest to those of the package.
func (b *body) addNest(n *nested) {
	rw := n.row
	if b.nests.asm == nil {
		b.nests.asm = map[string]*asm.File{}
	}
	for arch, f := range n.asm {
		if b.nests.asm[arch] == nil {
			b.nests.asm[arch] = &asm.File{}
		}
		b.nests.asm[arch].Add(f)
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

// work is Go for how many rounds of its loops list goes, at most, as a float64, which does not wrap around.
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

// atomicWork is how many rounds of a usual loop take as long as the atomic operations of the lanes of a vector.
const atomicWork = 16

// mostlyAtomic reports whether a nest does so many atomic operations, lane by lane, that what vectors gain for the rest is less than what they lose there.
func mostlyAtomic(n *lir.Nest) bool {
	lanes := 0
	lir.Walk(n.Body, func(i *lir.Instr) {
		if i.Op == lir.Atomic && i.Y != 0 {
			lanes++
		}
	})
	return lanes > 0 && instructions(n.Body) < 30*lanes
}

// far counts gathers and scatters.
func far(list []lir.Node) int {
	n := 0
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if (x.Op == lir.Gather || x.Op == lir.Scatter) && x.Every == 0 {
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

// storesBytesApart reports whether a nest without loops does little but to store numbers of 8 or 16 bits that are no neighbours. Where that takes an
// instruction for each of them, plain Go is as fast: channels of pixels that are inverted take 1.6 times as long with AVX2, a sepia filter half.
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

// nestName returns a name for a func in assembly that the package does not have yet, nor one of what is declared with it.
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

// fewestThreads is how many threads a row or plane must have for a call, which has to be worth it: its checks and arguments take about a
// nanosecond each, and what a thread does in plain Go about half a nanosecond an operation more than in assembly, or a whole one where there
// is no better form of it than one thread after the other. Elements that are no neighbours take as long for a few threads as for a whole vector.
// Where the threads are those of a column, plain Go looks at each row for one or a few of them.
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

// rowWork is how many operations it takes to look at a row.
const rowWork = 6

// laneWork is how many operations of a thread one lane of a gather or a scatter takes.
const laneWork = 6

// instructions is about how many operations a thread does, with 8 rounds for each loop.
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

// costsOn notes the cost of a form on a machine.
func (n *nested) costsOn(m *asm.Machine, form *lir.Nest, shape nestShape) {
	if n.costs == nil {
		n.costs = map[string]float64{}
	}
	n.costs[m.Name] = expectedCost(form.Body, shape.lanes) / float64(form.Parts*shape.jam*shape.lanes)
}

// expectedCost is about how many instructions of a core list takes, with 8 rounds for each loop: accesses to elements that are no neighbours take one for each
// lane, and divisions four and more.
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

// nestCall prints the call for a row whose threads are from lo on and below hi; for a plane, that for all its rows, which stands where the
// first of them is looked at.
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
			fmt.Fprintf(&out, "%s := max(0, %s)\n", lo, strings.Join(r.from, ", "))
		}
		if len(r.to) > 0 {
			hi = r.name("hi")
			fmt.Fprintf(&out, "%s := min(%s, %s)\n", hi, width, strings.Join(r.to, ", "))
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
	if r.steps != nil { // lanes count steps
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
		if bits := [...]int{0, 40, 28, 18}[r.atoms[t]]; bits > 0 {
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
	// What is needed only where the shorter checks are not enough is computed there.
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
		declare(needed)
		fmt.Fprintf(&out, "%s = %s\n}\nif %s {\n", inside, joined(surely), inside)
	}
	from := lo
	end := hi
	if n.loops {
		from = r.name("from")
		end = "(" + from + "+many)"
	}
	inStrip := places(from, end)
	// A strip goes through all rows. Without loops in which rows share what they load it goes through few of a long one: what is next to
	// each other in memory is best done one after the other.
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
		// What is left is done in plain Go, from where the call was left.
		if begin == "0" {
			panic("a row that begins at 0 has no name for where it goes on")
		}
		at := r.name("done")
		call = fmt.Sprintf("%s := %s", at, call)
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

// localsFor returns the variables that are in texts, or in the values of those that are, and the others. Each is its name and its value.
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

// worthLater reports whether variables take so long that they are not computed in vain: if there are several, or boxes are trimmed for them.
func worthLater(locals []string) bool {
	return len(locals) > 2*4 || strings.Contains(strings.Join(locals, "\n"), ".Trim(")
}

// idlePlane prints what comes in the place of a plane without threads: nothing is done. The conditions are those in which numbers don't wrap around.
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

// localsOfRows reports whether arguments are computed from variables that depend on the rows.
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
