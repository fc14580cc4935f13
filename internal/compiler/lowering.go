package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Lowering: from the statements of a region to the nest of a strip of its threads. What can't be lowered is an error that says why; the
// region is then printed as before. Threads differ along x only; the integers that they compute with are polynomials, whose values at
// the beginning of a row are arguments of the nest. All indices are checked before the nest is entered, for all threads of the row and
// all rounds of its loops: if one could be out of range, the row is done in plain Go, which panics in the right thread.

// errNest says why a region has no nest.
type errNest struct{ why string }

func (e errNest) Error() string { return e.why }

func cannot(format string, args ...any) { panic(errNest{fmt.Sprintf(format, args...)}) }

// An operand is what threads have as a value: one for each part, or the same one.
type operand []lir.Value

func (o operand) at(part int) lir.Value { return o[part%len(o)] }

// A lowering makes one nest.
type lowering struct {
	*row
	b        *body
	n        *lir.Nest
	parts    int
	late     bool // constants and arguments are loaded where they are used
	list     *[]lir.Node
	ints     map[*Var]poly
	starts   map[*Var]poly // of variables of 32 bits that may be counters
	values   map[*Var]operand
	assigned map[*Var]bool
	rounds   []*round
	on       operand // the mask of threads that are on; nil for all
	lanes    lanes
	consts   map[string]lir.Value
	loads    map[string]operand
	groups   map[string]int
	first    []lir.Node // constants and arguments
	promoted []*promoted
	stride   int // the argument with the distance of the elements that were looked at last
	depth    map[*Var]int
	whens    []string
}

// A round is a loop around what is lowered.
type round struct {
	symbol string
	trips  string // a text
	loop   *lir.Loop
	moved  map[int]bool
}

// lower makes the nest of a region, with so many parts; if masked some of the threads of the strip may be off.
func (b *body) lower(r *row, stmts []Stmt, size, parts int, masked, late bool) (n *lir.Nest, err error) {
	l := &lowering{row: r, b: b, n: &lir.Nest{Parts: parts, Masked: masked, Size: size}, parts: parts, late: late}
	l.ints, l.values, l.starts, l.assigned = map[*Var]poly{}, map[*Var]operand{}, map[*Var]poly{}, assignedIn(&Block{Body: stmts})
	l.consts, l.loads, l.groups, l.depth = map[string]lir.Value{}, map[string]operand{}, map[string]int{}, map[*Var]int{}
	var body []lir.Node
	l.list = &body
	defer func() {
		switch v := recover().(type) {
		case nil:
		case errNest:
			n, err = nil, v
		default:
			panic(v)
		}
	}()
	if masked {
		l.n.Lanes = l.n.New(lir.Mask)
		l.on = operand{l.n.Lanes}
	}
	u := useOf(stmts)
	for _, v := range b.k.Vars {
		if !v.spread || !u.read[v] && !u.written[v] {
			continue
		}
		l.values[v] = l.variable(v)
		m := l.memory(b.array[v], b.typ(v.Type), l.kind(v.Type), l.syms.row("row*"+b.use("dimX")).plus(poly{laneSymbol: 1}, 1))
		for p := range parts {
			m.Part = p
			l.emit(&lir.Instr{Op: lir.Load, Kind: l.kind(v.Type), Dst: l.values[v][p], Mem: m, On: l.mask(p)})
		}
	}
	l.stmts(stmts)
	for _, v := range b.k.Vars {
		if v.spread && u.written[v] {
			m := l.memory(b.array[v], b.typ(v.Type), l.kind(v.Type), l.syms.row("row*"+b.use("dimX")).plus(poly{laneSymbol: 1}, 1))
			for p := range parts {
				m.Part = p
				l.emit(&lir.Instr{Op: lir.Store, Kind: l.kind(v.Type), X: l.values[v][p], Mem: m, On: l.mask(p)})
			}
		}
	}
	l.n.Body = append(l.first, body...)
	if err := l.n.Verify(); err != nil {
		return nil, err
	}
	return l.n, nil
}

func (l *lowering) emit(i *lir.Instr) { *l.list = append(*l.list, i) }

// mask returns the mask of a part, 0 for all.
func (l *lowering) mask(part int) lir.Value {
	if l.on == nil {
		return 0
	}
	return l.on.at(part)
}

// kind returns the kind of values of a type.
func (l *lowering) kind(t types.Type) lir.Kind {
	k := map[string]lir.Kind{"F32": lir.F32, "F64": lir.F64, "I32": lir.I32, "U32": lir.U32}[elem(t)]
	if k == lir.None {
		cannot("values of type %s", t)
	}
	if k.Size() != l.n.Size {
		cannot("values of %d and of %d bytes", l.n.Size, k.Size())
	}
	return k
}

// variable makes the values of a variable.
func (l *lowering) variable(v *Var) operand {
	k := l.kind(v.Type)
	o := make(operand, l.parts)
	for p := range o {
		o[p] = l.n.New(k)
	}
	l.depth[v] = len(l.rounds)
	return o
}

func (l *lowering) stmts(list []Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *Assign:
			l.assign(s)
		case *If:
			l.branch(s)
		case *For:
			l.loop(s)
		default:
			cannot("%s", statementName(s))
		}
	}
}

func (l *lowering) assign(s *Assign) {
	if len(s.L) != 1 {
		cannot("several results")
	}
	if s.L[0] == nil {
		if l.pure(s.R) {
			return
		}
		cannot("what is done for its effect")
	}
	switch to := s.L[0].(type) {
	case *VarRef:
		l.assignVar(s, to.V)
	case *Index:
		k := l.kind(to.T)
		if key, ok := l.elementKey(to); ok {
			if reg := l.promotedAt(key); reg != nil {
				l.value(s.R, reg)
				return
			}
		}
		m, step := l.element(to)
		if step != 1 {
			// Scatters have been tried: elimination in rows of a thread each took three times as long as in plain Go.
			cannot("stores to elements that are not neighbours")
		}
		x := l.value(s.R, nil)
		clear(l.loads)
		for p := range l.parts {
			m.Part = p
			l.emit(&lir.Instr{Op: lir.Store, Kind: k, X: x.at(p), Mem: m, On: l.mask(p)})
		}
	default:
		cannot("an assignment to a field or through a pointer")
	}
}

// pure reports whether e is only arithmetic.
func (l *lowering) pure(e Expr) bool {
	ok := true
	walkExpr(e, func(x Expr) {
		switch x.(type) {
		case *Const, *VarRef, *Index3, *Rank:
		default:
			ok = false
		}
	})
	return ok
}

func (l *lowering) assignVar(s *Assign, v *Var) {
	if v.addr || v.common {
		cannot("%s lives elsewhere", v.Name)
	}
	if v.value != nil {
		return
	}
	if isInteger(v.Type) && wide(v.Type) {
		p, ok := l.polyOf(s.R)
		if !ok {
			cannot("the integer %s is not affine", v.Name)
		}
		if v.spread || l.on != nil && !(l.n.Masked && l.on[0] == l.n.Lanes) && !s.Def || len(l.whens) > 0 && !s.Def ||
			!s.Def && l.depth[v] != len(l.rounds) {
			cannot("the integer %s changes", v.Name)
		}
		if s.Def {
			l.depth[v] = len(l.rounds)
		}
		l.ints[v] = p
		return
	}
	if l.values[v] == nil {
		if !s.Def {
			cannot("%s is not defined here", v.Name)
		}
		l.values[v] = l.variable(v)
	}
	delete(l.starts, v)
	if p, ok := l.polyOf(s.R); ok && s.Def && p.ofRow() {
		l.starts[v] = p
	}
	to := l.values[v]
	if s.Def || l.on == nil || l.n.Masked && l.on[0] == l.n.Lanes {
		l.value(s.R, to)
		return
	}
	x := l.value(s.R, nil)
	for p := range to {
		l.emit(&lir.Instr{Op: lir.Select, Kind: l.kind(v.Type), Dst: to[p], X: l.on.at(p), Y: x.at(p), Z: to[p]})
	}
}

func (l *lowering) branch(s *If) {
	if l.ofRow(s.Cond) {
		text := l.b.expr(l.expand(s.Cond))
		w := &lir.When{Off: l.arg("int", fmt.Sprintf("%s.Bit(%s)", l.b.core(), text))}
		outer, loads := l.list, l.loads
		for i, list := range [][]Stmt{s.Then, s.Else} {
			var nodes []lir.Node
			l.list, l.loads = &nodes, map[string]operand{}
			cond := "(" + text + ")"
			if i == 1 {
				cond = "!" + cond
			}
			l.whens = append(l.whens, cond)
			l.stmts(list)
			l.whens = l.whens[:len(l.whens)-1]
			if i == 0 {
				w.Then = nodes
			} else {
				w.Else = nodes
			}
		}
		l.list, l.loads = outer, loads
		clear(l.loads)
		*l.list = append(*l.list, w)
		return
	}
	on, lanesBefore := l.on, l.lanes
	m, within := l.condition(s.Cond)
	both := func(m operand, not bool) operand {
		if on == nil && !not {
			return m
		}
		out := make(operand, l.parts)
		for p := range out {
			out[p] = l.n.New(lir.Mask)
			switch {
			case on == nil:
				l.emit(&lir.Instr{Op: lir.MaskNot, Kind: lir.Mask, Dst: out[p], X: l.all(), Y: m.at(p)})
			case not:
				l.emit(&lir.Instr{Op: lir.MaskNot, Kind: lir.Mask, Dst: out[p], X: on.at(p), Y: m.at(p)})
			default:
				l.emit(&lir.Instr{Op: lir.MaskAnd, Kind: lir.Mask, Dst: out[p], X: on.at(p), Y: m.at(p)})
			}
		}
		return out
	}
	l.on, l.lanes = both(m, false), l.narrow(within)
	clear(l.loads)
	l.stmts(s.Then)
	l.lanes = lanesBefore
	if len(s.Else) > 0 {
		l.on = both(m, true)
		clear(l.loads)
		l.stmts(s.Else)
	}
	l.on = on
	clear(l.loads)
}

func (l *lowering) loop(s *For) {
	if s.parts[0] != 0 || s.breaks || s.continues || len(s.Pre) > 0 || len(s.Post) != 1 || s.Cond == nil {
		cannot("a loop that is not counted")
	}
	cond, isBin := s.Cond.(*Binary)
	post, isAssign := s.Post[0].(*Assign)
	if !isBin || !isAssign || len(post.L) != 1 || post.L[0] == nil {
		cannot("a loop that is not counted")
	}
	i, whole := assigned(post.L[0])
	sum, isSum := post.R.(*Binary)
	if i == nil || !whole || !isSum || sum.Op != token.ADD && sum.Op != token.SUB || i.addr || i.spread || i.common || !isInteger(i.Type) || assignedIn(&Block{Body: s.Body})[i] {
		cannot("a loop that is not counted")
	}
	if x, ok := sum.X.(*VarRef); !ok || x.V != i {
		cannot("a loop that is not counted")
	}
	var step int64
	if n, ok := constInt(sum.Y); ok && n > 0 && n <= 1<<10 {
		step = n
	} else {
		cannot("a loop whose step is no small constant")
	}
	start, okStart := l.ints[i]
	if !okStart {
		start, okStart = l.starts[i]
	}
	if x, ok := cond.X.(*VarRef); !ok || x.V != i || !okStart || unsigned(i.Type) {
		cannot("a loop that is not counted")
	}
	limit, okLimit := l.polyOf(&Convert{cond.Y, intType})
	if !okLimit {
		cannot("a loop whose limit changes")
	}
	if sum.Op == token.SUB {
		step = -step
	}
	var count poly
	switch {
	case step > 0 && (cond.Op == token.LSS || cond.Op == token.LEQ):
		count = limit.plus(start, -1)
	case step < 0 && (cond.Op == token.GTR || cond.Op == token.GEQ):
		count = start.plus(limit, -1)
	default:
		cannot("a loop that is not counted")
	}
	if cond.Op == token.LEQ || cond.Op == token.GEQ {
		count = count.plus(number(1), 1)
	}
	if !count.ofRow() {
		cannot("a loop whose rounds depend on another one")
	}
	l.small(count, 0)
	text := l.syms.text(count)
	if n := max(step, -step); n > 1 {
		text = fmt.Sprintf("(%s + %d)/%d", text, n-1, n)
	}
	trips := l.local("trips", text)
	l.check(fmt.Sprintf("%s < 1<<28", trips))
	r := &round{symbol: l.syms.round(), trips: trips, loop: &lir.Loop{Trips: l.arg("int", trips)}, moved: map[int]bool{}}
	ints := maps.Clone(l.ints)
	l.ints[i] = start.plus(poly{r.symbol: step}, 1)
	list := l.promotable(s, r.symbol)
	l.ints = maps.Clone(ints)
	l.around(list, trips, func() { l.rounded(s, i, start, step, r) })
	l.ints = ints
	delete(l.ints, i) // it is known in the loop only
	delete(l.starts, i)
	delete(l.values, i)
}

// rounded lowers the body of a loop with the counter i.
func (l *lowering) rounded(s *For, i *Var, start poly, step int64, r *round) {
	var nodes []lir.Node
	outer := l.list
	l.list = &nodes
	clear(l.loads)
	l.rounds = append(l.rounds, r)
	delete(l.values, i)
	delete(l.starts, i)
	l.ints[i] = start.plus(poly{r.symbol: step}, 1)
	l.stmts(s.Body)
	l.rounds = l.rounds[:len(l.rounds)-1]
	r.loop.Body = nodes
	l.list = outer
	clear(l.loads)
	*l.list = append(*l.list, r.loop)
}

// statementName says what a statement is that has no nest.
func statementName(s Stmt) string {
	switch s.(type) {
	case *Do:
		return "a call for its effect"
	case *Block, *Exit:
		return "a branch that leaves a block or a loop"
	case *Panic:
		return "a panic"
	}
	return "a statement that is neither an assignment, a branch nor a loop"
}
