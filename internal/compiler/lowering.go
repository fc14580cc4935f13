package compiler

import (
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"math"
	"slices"
	"strings"

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

// A row is what the nests of a region have in common: their arguments, and what is computed and checked before they are entered.
type row struct {
	args   []argument
	checks []string
	syms   symbols
	atoms  map[string]int // integers, by their texts, and of how many factors the products are that they are in
	locals []string       // lines that declare the numbers of rounds and the like
	name   func(string) string
}

// An argument is a field of the struct that a nest is given.
type argument struct {
	typ, text string
	off       int
}

// arg returns where the argument with this text is.
func (r *row) arg(typ, text string) int {
	off := 8
	for _, a := range r.args {
		if a.typ == typ && a.text == text {
			return a.off
		}
		off = a.off + 8
		if a.typ[:2] == "[]" {
			off += 16
		}
	}
	r.args = append(r.args, argument{typ, text, off})
	return off
}

// local declares a variable with this value before the checks, and returns its name.
func (r *row) local(what, text string) string {
	for i := 0; i+1 < len(r.locals); i += 2 {
		if r.locals[i+1] == text {
			return r.locals[i]
		}
	}
	name := r.name(what)
	r.locals = append(r.locals, name, text)
	return name
}

func (r *row) check(text string) {
	if !slices.Contains(r.checks, text) {
		r.checks = append(r.checks, text)
	}
}

// small notes that p is computed, so that what it is made of must be small enough for no sum or product to wrap around. If it is
// multiplied by a number of rounds more is one more.
func (r *row) small(p poly, more int) {
	for m, n := range p {
		if m == "" {
			if n < -1<<40 || n > 1<<40 {
				cannot("an index has a large constant")
			}
			continue
		}
		most := int64(1 << 20)
		factors := strings.Split(m, "*")
		degree := len(factors) + more
		if degree > 1 {
			most = 1 << 4
		}
		if n < -most || n > most || degree > 3 {
			cannot("an index has large factors")
		}
		for _, f := range factors {
			var i int
			fmt.Sscanf(f, "r%d", &i)
			t := r.syms.texts[i]
			r.atoms[t] = max(r.atoms[t], degree)
		}
	}
	if len(p) > 7 {
		cannot("an index is a long sum")
	}
}

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
	kinds    map[lir.Value]operand
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

// lanes is an interval of threads, as texts of integers: at least from and below to, in the row. They are empty where there is no bound.
type lanes struct{ from, to string }

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
			cannot("a statement such as %T", s)
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
		cannot("an assignment to a place such as %T", to)
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

// steady reports whether nothing that e is made of changes in the region but the counters of loops.
func (l *lowering) steady(e Expr) bool { return l.ofRow(e) }

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

// narrow returns the threads that are in an interval as well.
func (l *lowering) narrow(to lanes) lanes {
	out := l.lanes
	if to.from != "" {
		if out.from == "" {
			out.from = to.from
		} else {
			out.from = fmt.Sprintf("max(%s, %s)", out.from, to.from)
		}
	}
	if to.to != "" {
		if out.to == "" {
			out.to = to.to
		} else {
			out.to = fmt.Sprintf("min(%s, %s)", out.to, to.to)
		}
	}
	return out
}

// all returns a mask of all lanes.
func (l *lowering) all() lir.Value {
	if v := l.consts["all"]; v != 0 {
		return v
	}
	v := l.n.New(lir.Mask)
	zero := l.n.New(lir.I32)
	k := lir.I32
	if l.n.Size == 8 {
		k = lir.I64
		l.n.Kinds[zero] = k
	}
	l.first = append(l.first, &lir.Instr{Op: lir.Const, Kind: k, Dst: zero}, &lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: k, Dst: v, X: zero, Y: zero})
	l.consts["all"] = v
	return v
}

// condition returns the mask of the threads for which e holds, among those that are on, and an interval that has them all.
func (l *lowering) condition(e Expr) (operand, lanes) {
	switch x := e.(type) {
	case *VarRef:
		if x.V.value != nil {
			return l.condition(x.V.value)
		}
	case *Binary:
		switch x.Op {
		case token.LAND:
			a, within := l.condition(x.X)
			on, before := l.on, l.lanes
			l.on, l.lanes = l.joined(on, a), l.narrow(within)
			clear(l.loads)
			b, more := l.condition(x.Y)
			m := l.joined(a, b)
			out := l.narrow(more)
			l.on, l.lanes = on, before
			clear(l.loads)
			return m, out
		case token.LOR:
			a, _ := l.condition(x.X)
			b, _ := l.condition(x.Y)
			return l.not(l.joined(l.not(a), l.not(b))), lanes{}
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return l.comparison(x)
		}
	case *Unary:
		if x.Op == token.NOT {
			m, _ := l.condition(x.X)
			return l.not(m), lanes{}
		}
	}
	cannot("a condition such as %T", e)
	return nil, lanes{}
}

func (l *lowering) joined(a, b operand) operand {
	if a == nil {
		return b
	}
	out := make(operand, l.parts)
	for p := range out {
		out[p] = l.n.New(lir.Mask)
		l.emit(&lir.Instr{Op: lir.MaskAnd, Kind: lir.Mask, Dst: out[p], X: a.at(p), Y: b.at(p)})
	}
	return out
}

func (l *lowering) not(m operand) operand {
	out := make(operand, l.parts)
	for p := range out {
		out[p] = l.n.New(lir.Mask)
		l.emit(&lir.Instr{Op: lir.MaskNot, Kind: lir.Mask, Dst: out[p], X: l.all(), Y: m.at(p)})
	}
	return out
}

var preds = map[token.Token]lir.Pred{token.EQL: lir.Eq, token.NEQ: lir.Ne, token.LSS: lir.Lt, token.LEQ: lir.Le, token.GTR: lir.Gt, token.GEQ: lir.Ge}

func (l *lowering) comparison(x *Binary) (operand, lanes) {
	if isInteger(x.X.Type()) && types.Identical(x.X.Type().Underlying(), intType) {
		p, okP := l.polyOf(x.X)
		q, okQ := l.polyOf(x.Y)
		if !okP || !okQ {
			cannot("a comparison of integers that are not affine")
		}
		return l.interval(p.plus(q, -1), x.Op)
	}
	if !basic(x.X.Type()) {
		cannot("a comparison of %s", x.X.Type())
	}
	k := l.kind(x.X.Type())
	a, b := l.value(x.X, nil), l.value(x.Y, nil)
	out := make(operand, max(len(a), len(b)))
	for p := range out {
		out[p] = l.n.New(lir.Mask)
		l.emit(&lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: k, Dst: out[p], X: a.at(p), Y: b.at(p), Pred: preds[x.Op]})
	}
	return out, lanes{}
}

// interval returns the mask of the threads for which d op 0.
func (l *lowering) interval(d poly, op token.Token) (operand, lanes) {
	factor, rest, ok := d.by(laneSymbol)
	step, isConst := factor.constant()
	if !ok || !isConst || step != 1 && step != -1 || !rest.ofRow() {
		cannot("a comparison of integers that is no interval of threads")
	}
	l.small(rest, 0)
	at := l.syms.text(poly{}.plus(rest, -1)) // of thread at: +1 * at + rest == 0
	if step == -1 {
		at = l.syms.text(rest)
		op = map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ, token.EQL: token.EQL, token.NEQ: token.NEQ}[op]
	}
	var in lanes
	switch op {
	case token.LSS:
		in.to = at
	case token.LEQ:
		in.to = at + " + 1"
	case token.GTR:
		in.from = at + " + 1"
	case token.GEQ:
		in.from = at
	default:
		in.from, in.to = at, at+" + 1"
	}
	bound := func(text, other string) int {
		if text == "" {
			return l.arg("int", other)
		}
		return l.arg("int", fmt.Sprintf("min(max(%s-‹lo›, 0), ‹many›)", text))
	}
	from, to := bound(in.from, "0"), bound(in.to, "‹many›")
	out := make(operand, l.parts)
	for p := range out {
		out[p] = l.n.New(lir.Mask)
		l.emit(&lir.Instr{Op: lir.Within, Kind: lir.Mask, Dst: out[p], Mem: lir.Mem{Disp: from}, Imm: uint64(to), Part: p})
	}
	if op == token.NEQ {
		return l.not(out), lanes{}
	}
	return out, in
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

// element returns where an element is that threads read or store: the same one, or one each that are neighbours (step 1).
func (l *lowering) element(x *Index) (m lir.Mem, step int64) {
	ref, ok := x.X.(*VarRef)
	if !ok || !isSlice(x.X.Type()) || l.assigned[ref.V] || ref.V.value != nil || !ref.V.Shape.uniform() || ref.V.addr {
		cannot("elements of what is no slice of the kernel")
	}
	p, ok := l.polyOf(&Convert{x.I, intType})
	if !ok {
		cannot("an index that is not affine")
	}
	if isUnsigned64(x.I.Type()) {
		cannot("an unsigned index")
	}
	factor, _, ok := p.by(laneSymbol)
	step, isConst := factor.constant()
	if !ok || !factor.ofRow() {
		cannot("elements at no steady distance")
	}
	name := l.b.expr(x.X)
	m = l.memory(name, l.b.typ(x.T), l.kind(x.T), p)
	if isConst && (step == 0 || step == 1) {
		return m, step
	}
	l.small(factor, 1)
	text := l.syms.text(factor)
	l.check(fmt.Sprintf("-1<<26 < %s && %s < 1<<26", text, text))
	m.Stride = l.arg("int", fmt.Sprintf("%d*(%s)", l.n.Size, text))
	m.Uniform = false
	l.stride = l.arg("int", text)
	return m, -1
}

// strides returns the distances of lanes for the elements that were looked at last.
func (l *lowering) strides(k lir.Kind) lir.Value {
	whole := lir.I32
	if k.Size() == 8 {
		whole = lir.I64
	}
	return l.once(fmt.Sprint("s", l.stride), whole, lir.Instr{Op: lir.Strides, Mem: lir.Mem{Disp: l.stride}})[0]
}

// memory returns the place of the elements of a slice with index p, and sees to its check.
func (l *lowering) memory(slice, typ string, k lir.Kind, p poly) lir.Mem {
	disp := p[""]
	if disp < -1<<16 || disp > 1<<16 {
		cannot("an index has a large constant")
	}
	uniform := true
	if f, _, _ := p.by(laneSymbol); len(f) > 0 {
		uniform = false
	}
	l.checkAccess(slice, p, uniform)
	from := poly{}.plus(p, 1)
	delete(from, "")
	// The pointer begins where the first thread of the row has its element, in the first rounds.
	begin := from
	var steps []poly
	for _, r := range l.rounds {
		f, rest, ok := begin.by(r.symbol)
		if !ok || !f.ofRow() {
			cannot("an index is a product of counters")
		}
		steps, begin = append(steps, f), rest
	}
	f, rest, _ := begin.by(laneSymbol)
	if !rest.ofRow() || !f.ofRow() {
		cannot("an index with a counter of another loop")
	}
	text := l.syms.text(rest)
	if !uniform {
		at := "‹lo›"
		if n, ok := f.constant(); !ok || n != 1 {
			at = fmt.Sprintf("(%s)*‹lo›", l.syms.text(f))
		}
		if rest.key() == "" {
			text = at
		} else {
			text += " + " + at
		}
	}
	id := fmt.Sprint(slice, "|", from.key(), "|", len(l.rounds))
	g, ok := l.groups[id]
	if !ok {
		g = len(l.n.Groups)
		l.groups[id] = g
		l.n.Groups = append(l.n.Groups, lir.Group{
			Base: l.arg("[]"+typ, slice), Off: l.arg("int", fmt.Sprintf("%d*(%s)", k.Size(), text)), Size: k.Size(),
		})
	}
	for i, r := range l.rounds {
		if r.moved[g] || len(steps[i]) == 0 {
			continue
		}
		r.moved[g] = true
		s := lir.Step{Group: g, Off: -1}
		if n, ok := steps[i].constant(); ok {
			s.Const = int(n) * k.Size()
		} else {
			l.small(steps[i], 0)
			s.Off = l.arg("int", fmt.Sprintf("%d*(%s)", k.Size(), l.syms.text(steps[i])))
		}
		r.loop.Steps = append(r.loop.Steps, s)
	}
	return lir.Mem{Group: g, Disp: int(disp) * k.Size(), Uniform: uniform}
}

// checkAccess adds the check of an index, for all threads that are on and all rounds around it.
func (l *lowering) checkAccess(slice string, p poly, uniform bool) {
	least, most := p, p
	var holds []string // where the access does not happen
	for _, w := range l.whens {
		holds = append(holds, "!"+w)
	}
	lo, hi := "", "" // what counters add
	for _, r := range l.rounds {
		f, rest, ok := least.by(r.symbol)
		if !ok || !f.ofRow() {
			cannot("an index is a product of counters")
		}
		least, most = rest, rest
		holds = append(holds, r.trips+" <= 0")
		if len(f) == 0 {
			continue
		}
		l.small(f, 1)
		last := fmt.Sprintf("(%s-1)*(%s)", r.trips, l.syms.text(f))
		if n, ok := f.constant(); ok && n > 0 {
			hi += " + " + last
		} else if ok {
			lo += " + " + last
		} else {
			name := l.local("span", last)
			lo += fmt.Sprintf(" + min(%s, 0)", name)
			hi += fmt.Sprintf(" + max(%s, 0)", name)
		}
	}
	along, least, _ := least.by(laneSymbol)
	_ = most
	if !least.ofRow() {
		cannot("an index with a counter of another loop")
	}
	l.small(least, 0)
	at := l.syms.text(least)
	first, last := "‹lo›", "‹hi›-1"
	if !uniform {
		if l.lanes.from != "" {
			first = fmt.Sprintf("max(‹lo›, %s)", l.lanes.from)
		}
		if l.lanes.to != "" {
			last = fmt.Sprintf("min(‹hi›, %s)-1", l.lanes.to)
		}
		if l.lanes != (lanes{}) {
			holds = append(holds, fmt.Sprintf("%s > %s", first, last))
		}
		if n, ok := along.constant(); ok && n == 1 {
			lo, hi = " + "+first+lo, " + "+last+hi
		} else {
			text := l.syms.text(along)
			a, b := l.local("first", fmt.Sprintf("(%s)*(%s)", first, text)), l.local("last", fmt.Sprintf("(%s)*(%s)", last, text))
			lo, hi = fmt.Sprintf(" + min(%s, %s)", a, b)+lo, fmt.Sprintf(" + max(%s, %s)", a, b)+hi
		}
	}
	text := fmt.Sprintf("%s%s >= 0 && %s%s < len(%s)", at, lo, at, hi, slice)
	for i := len(holds) - 1; i >= 0; i-- {
		text = fmt.Sprintf("%s || %s", holds[i], text)
	}
	if len(holds) > 0 {
		text = "(" + text + ")"
	}
	l.check(text)
}

// once returns a value that is made before everything else, or here if constants are late.
func (l *lowering) once(key string, k lir.Kind, i lir.Instr) operand {
	if !l.late {
		if v := l.consts[key]; v != 0 {
			return operand{v}
		}
	}
	v := l.n.New(k)
	i.Dst, i.Kind = v, k
	if l.late {
		l.emit(&i)
	} else {
		l.consts[key] = v
		l.first = append(l.first, &i)
	}
	return operand{v}
}

// value returns the values of e. If to is given they are there.
func (l *lowering) value(e Expr, to operand) operand {
	o := l.valueOf(e, to)
	if to != nil && !slices.Equal(o, to) {
		k := l.kind(e.Type())
		for p := range to {
			l.emit(&lir.Instr{Op: lir.Move, Kind: k, Dst: to[p], X: o.at(p)})
		}
		return to
	}
	return o
}

// constantBits returns the bits of a constant.
func constantBits(v constant.Value, k lir.Kind) uint64 {
	switch k {
	case lir.F32:
		f, _ := constant.Float32Val(constant.ToFloat(v))
		return uint64(math.Float32bits(f))
	case lir.F64:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		return math.Float64bits(f)
	}
	v = constant.ToInt(v)
	if n, ok := constant.Int64Val(v); ok {
		return uint64(uint32(n))
	}
	n, _ := constant.Uint64Val(v)
	return uint64(uint32(n))
}

func (l *lowering) valueOf(e Expr, to operand) operand {
	if !basic(e.Type()) {
		cannot("a value of type %s", e.Type())
	}
	k := l.kind(e.Type())
	switch x := e.(type) {
	case *Const:
		bits := constantBits(x.Val, k)
		return l.once(fmt.Sprint("c", bits, k), k, lir.Instr{Op: lir.Const, Imm: bits})
	case *VarRef:
		if o := l.values[x.V]; o != nil {
			return o
		}
		if x.V.value != nil {
			return l.value(x.V.value, to)
		}
	case *Index:
		if key, ok := l.elementKey(x); ok {
			if reg := l.promotedAt(key); reg != nil {
				return reg
			}
		}
		m, step := l.element(x)
		key := fmt.Sprint(m, k)
		if o := l.loads[key]; o != nil {
			return o
		}
		if step == 0 {
			v := l.n.New(k)
			l.emit(&lir.Instr{Op: lir.Broadcast, Kind: k, Dst: v, Mem: m})
			l.loads[key] = operand{v}
			return operand{v}
		}
		o := make(operand, l.parts)
		if step < 0 {
			at := l.strides(k)
			for p := range o {
				o[p] = l.n.New(k)
				m.Part = p
				l.emit(&lir.Instr{Op: lir.Gather, Kind: k, Dst: o[p], X: at, Mem: m, On: l.mask(p)})
			}
			l.loads[key] = o
			return o
		}
		for p := range o {
			o[p] = l.n.New(k)
			m.Part = p
			l.emit(&lir.Instr{Op: lir.Load, Kind: k, Dst: o[p], Mem: m, On: l.mask(p)})
		}
		l.loads[key] = o
		return o
	}
	if l.ofRow(e) {
		text := l.b.expr(l.expand(e))
		t := map[lir.Kind]string{lir.F32: "float32", lir.F64: "float64", lir.I32: "int32", lir.U32: "uint32"}[k]
		return l.once("a"+t+text, k, lir.Instr{Op: lir.Arg, Mem: lir.Mem{Disp: l.arg(t, fmt.Sprintf("%s(%s)", t, text))}})
	}
	switch x := e.(type) {
	case *Binary:
		return l.binary(x, k, to)
	case *Unary:
		switch x.Op {
		case token.ADD:
			return l.value(x.X, to)
		case token.SUB:
			return l.op(lir.Instr{Op: lir.Neg, Kind: k}, to, l.value(x.X, nil))
		case token.XOR:
			ones := l.once(fmt.Sprint("c", uint32(math.MaxUint32), k), k, lir.Instr{Op: lir.Const, Imm: math.MaxUint32})
			return l.op(lir.Instr{Op: lir.Xor, Kind: k}, to, l.value(x.X, nil), ones)
		}
	case *Convert:
		if verb, arg, ok := floatCall(x); ok && k.IsFloat() && l.kind(arg.Type()) == k {
			return l.op(lir.Instr{Op: verb, Kind: k}, to, l.value(arg, nil))
		}
		if basic(x.X.Type()) && elem(x.X.Type()) == elem(x.T) {
			return l.value(x.X, to)
		}
		from := elem(x.X.Type())
		if from == "I32" && k == lir.F32 || (from == "I32" || from == "U32") && (k == lir.I32 || k == lir.U32) {
			return l.op(lir.Instr{Op: lir.Convert, Kind: k, From: l.kind(x.X.Type())}, to, l.value(x.X, nil))
		}
	case *Call:
		if verb, arg, ok := floatCall(x); ok && l.kind(arg.Type()) == k {
			return l.op(lir.Instr{Op: verb, Kind: k}, to, l.value(arg, nil))
		}
		if x.Fn == nil && (x.Name == "min" || x.Name == "max") && !k.IsFloat() {
			verb := map[string]lir.Op{"min": lir.Min, "max": lir.Max}[x.Name]
			o := l.value(x.Args[0], nil)
			for _, a := range x.Args[1:] {
				o = l.op(lir.Instr{Op: verb, Kind: k}, nil, o, l.value(a, nil))
			}
			return o
		}
	}
	cannot("an expression such as %T", e)
	return nil
}

// floatCall reports whether e is math.Sqrt or math.Abs of arg, in float32 as a conversion there and back.
func floatCall(e Expr) (verb lir.Op, arg Expr, ok bool) {
	verbs := map[string]lir.Op{"math.Sqrt": lir.Sqrt, "math.Abs": lir.Abs}
	switch x := e.(type) {
	case *Call:
		verb, ok = verbs[x.Name]
		if ok && len(x.Args) == 1 {
			return verb, x.Args[0], true
		}
	case *Convert:
		c, isCall := x.X.(*Call)
		if !isCall || elem(x.T) != "F32" || len(c.Args) != 1 {
			return 0, nil, false
		}
		if verb, ok = verbs[c.Name]; !ok {
			return 0, nil, false
		}
		if back, isBack := c.Args[0].(*Convert); isBack && elem(back.X.Type()) == "F32" {
			return verb, back.X, true
		}
	}
	return 0, nil, false
}

// op emits an instruction for each part.
func (l *lowering) op(i lir.Instr, to operand, args ...operand) operand {
	parts := 1
	for _, a := range args {
		parts = max(parts, len(a))
	}
	if to == nil {
		to = make(operand, parts)
		for p := range to {
			to[p] = l.n.New(i.Kind)
		}
	}
	for p := range to {
		x := i
		x.Dst = to[p]
		for j, a := range args {
			*[]*lir.Value{&x.X, &x.Y, &x.Z}[j] = a.at(p)
		}
		l.emit(&x)
	}
	return to
}

func (l *lowering) binary(x *Binary, k lir.Kind, to operand) operand {
	if x.Op == token.SHL || x.Op == token.SHR {
		n, ok := constInt(x.Y)
		if !ok || n < 0 || n >= int64(8*k.Size()) {
			cannot("a shift by what is no constant")
		}
		return l.op(lir.Instr{Op: map[token.Token]lir.Op{token.SHL: lir.Shl, token.SHR: lir.Shr}[x.Op], Kind: k, Imm: uint64(n)}, to, l.value(x.X, nil))
	}
	if l.b.k.Fastmath && k.IsFloat() && (x.Op == token.ADD || x.Op == token.SUB) {
		if m, ok := productOf(x.X); ok {
			verb := lir.FMA
			if x.Op == token.SUB {
				verb = lir.FMS
			}
			c := l.value(x.Y, nil)
			return l.op(lir.Instr{Op: verb, Kind: k}, to, l.value(m.X, nil), l.value(m.Y, nil), c)
		}
		if m, ok := productOf(x.Y); ok {
			verb := lir.FMA
			if x.Op == token.SUB {
				verb = lir.FNMA
			}
			c := l.value(x.X, nil)
			return l.op(lir.Instr{Op: verb, Kind: k}, to, l.value(m.X, nil), l.value(m.Y, nil), c)
		}
	}
	op, ok := map[token.Token]lir.Op{token.ADD: lir.Add, token.SUB: lir.Sub, token.MUL: lir.Mul, token.QUO: lir.Div, token.AND: lir.And, token.OR: lir.Or, token.XOR: lir.Xor}[x.Op]
	if !ok || op == lir.Div && !k.IsFloat() {
		cannot("the operator %v", x.Op)
	}
	a := l.value(x.X, nil)
	return l.op(lir.Instr{Op: op, Kind: k}, to, a, l.value(x.Y, nil))
}

func productOf(e Expr) (*Binary, bool) {
	b, ok := e.(*Binary)
	return b, ok && b.Op == token.MUL
}

// isNest reports whether an error says that a region has no nest.
func isNest(err error) bool { var e errNest; return errors.As(err, &e) }
