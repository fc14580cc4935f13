package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"math/bits"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Divergent loops: loops whose condition differs between threads, or that a thread leaves by a
// break. The loop runs under the mask of the threads that have not left, until that is empty. After
// too many iterations the nest is left, and plain Go, which can be preempted, continues the strip's
// threads; so a nest must not store anything before such a loop.

// A departing is a divergent loop while its body is lowered.
type departing struct {
	s    *For
	live operand // the mask of threads that have not left
	// continues is set for one iteration of an unrolled loop, which threads leave by a continue.
	// whens is the number of uniform branches around it, and gone says that all threads have left.
	continues bool
	whens     int
	gone      bool
}

// A counted integer is p + factor*vec. vec is the number of iterations of a divergent loop that a
// thread has executed, or another 32-bit vector, for example from memory. Without vec the integer
// is p.
type counted struct {
	p      poly
	factor int64
	vec    operand // of 32 bits
	bits   int     // vec is at least -2^bits and below 2^bits
}

// mostCount is the base-2 logarithm of a limit of the iterations of a divergent loop.
const mostCount = 21

// divergent lowers a loop without a known trip count.
func (l *lowering) divergent(s *For) {
	if s.continues {
		cannot("a loop whose rounds threads break off")
	}
	r := &round{symbol: l.syms.round(), loop: &lir.Loop{}, moved: map[int]bool{}}
	// Variables that every iteration advances by a constant step.
	counters := l.moving(&For{Body: s.Post}, nil)
	inBody := assignedIn(&Block{Body: slices.Concat(s.Pre, s.Body)})
	maps.DeleteFunc(counters, func(v *Var, _ poly) bool { return inBody[v] })
	if !s.breaks {
		inPost := assignedIn(&Block{Body: slices.Concat(s.Pre, s.Post)})
		for v, d := range l.moving(s, nil) {
			if !inPost[v] {
				counters[v] = d
			}
		}
	}
	l.generalize(s, func(v *Var) bool { _, counts := counters[v]; return counts })
	on, lanesBefore := l.on, l.lanes
	live := l.registers(on)
	r.loop.While = live
	outside := map[*Var]bool{} // counters that are used behind the loop
	for v := range counters {
		outside[v] = v.In != s
	}
	var rounds operand
	for _, v := range sortedVars(outside) {
		if !outside[v] || rounds != nil {
			continue
		}
		zero := l.once(fmt.Sprint("c", uint64(0), lir.I32), lir.I32, lir.Instr{Op: lir.Const})
		for range l.width() {
			c := l.n.New(lir.I32)
			l.mutable[c] = true
			rounds = append(rounds, c)
			l.emit(&lir.Instr{Op: lir.Move, Kind: lir.I32, Dst: c, X: zero[0]})
		}
	}

	ints, pieces, quotients := maps.Clone(l.ints), maps.Clone(l.pieces), maps.Clone(l.quotients)
	driven, distances, before := l.driven, l.distances, l.leaving
	l.driven, l.distances = maps.Clone(driven), maps.Clone(distances)
	if l.driven == nil {
		l.driven, l.distances = map[*Var]bool{}, map[*Var]poly{}
	}
	for v, d := range counters {
		l.driven[v], l.distances[v] = true, d
	}
	l.moved(counters, poly{r.symbol: 1})
	list := l.intoDivergent(s, r.symbol)
	l.leaving = &departing{s: s, live: live}
	outer := l.list
	l.rounds = append(l.rounds, r)
	clear(l.loads)

	// Uniform conjuncts end the loop for all threads at once, and bound its trip count.
	var rest []Expr
	if s.Cond != nil {
		for _, t := range terms(s.Cond) {
			conds, _, _, ok := l.agreed(t)
			if !ok || len(rest) > 0 || len(s.Pre) > 0 {
				rest = append(rest, t)
				continue
			}
			r.loop.Conds = append(r.loop.Conds, conds...)
			if d, op, ok := l.difference(t); ok && r.trips == "" && op != token.EQL {
				p := positive(d, op)[0] // positive in each iteration
				factor, begin, ok := p.by(r.symbol)
				if n, isConst := factor.constant(); ok && isConst && n < 0 && begin.ofRow() {
					l.small(begin, 0)
					r.trips = l.local("trips", fmt.Sprintf("(%s+%d)/%d", l.syms.text(begin), -n-1, -n))
				}
			}
		}
	}
	var head, body []lir.Node
	l.list = &head
	l.on, l.lanes = live, lanes{box: lanesBefore.box, without: lanesBefore.without}
	l.stmts(s.Pre)
	if len(rest) > 0 {
		m, _ := l.condition(conjunction(rest))
		for i := range live {
			l.emit(&lir.Instr{Op: lir.MaskAnd, Kind: lir.Mask, Dst: live[i], X: live[i], Y: m.at(i)})
		}
	}
	clear(l.loads)
	l.list = &body
	l.on = live
	l.stmts(s.Body)
	l.on = live
	l.stmts(s.Post)
	if rounds != nil {
		one := l.once(fmt.Sprint("c", uint64(1), lir.I32), lir.I32, lir.Instr{Op: lir.Const, Imm: 1})
		for i := range rounds {
			next := l.n.New(lir.I32)
			l.emit(&lir.Instr{Op: lir.Add, Kind: lir.I32, Dst: next, X: rounds[i], Y: one[0]})
			l.emit(&lir.Instr{Op: lir.Select, Kind: lir.I32, Dst: rounds[i], X: live[i], Y: next, Z: rounds[i]})
		}
	}
	r.loop.Head, r.loop.Body = head, body
	most := r.trips
	if most == "" {
		most = "1"
	}
	l.texts(r.loop, most)
	l.list = outer
	l.rounds = l.rounds[:len(l.rounds)-1]
	l.on, l.lanes = on, lanesBefore
	l.driven, l.distances, l.leaving = driven, distances, before
	l.ints, l.pieces, l.quotients = ints, pieces, quotients
	for _, v := range sortedVars(counters) {
		p, known := l.ints[v]
		d, isConst := counters[v].constant()
		delete(l.ints, v)
		delete(l.pieces, v)
		if known && isConst && outside[v] && -1<<8 < d && d < 1<<8 {
			l.counts[v] = counted{p: p, factor: d, vec: rounds, bits: mostCount}
		}
	}
	clear(l.loads)
	l.emitNode(r.loop)
	l.outOfDivergent(list)
}

// staying is the mask of threads that are still in an iteration of s: if the body can break out of
// the enclosing divergent loop, those that have not left that loop.
func (l *lowering) staying(s *For, on operand) operand {
	if l.leaving != nil && leaves(&Block{Body: s.Body}) {
		return l.joined(on, l.leaving.live)
	}
	return on
}

// generalize requests values in lanes for the integers that a loop assigns in ways that known does
// not accept.
func (l *lowering) generalize(s *For, known func(*Var) bool) {
	inside := assignedIn(s)
	walk([]Stmt{s}, func(x Stmt) { // a variable declared in the loop is new in each iteration
		if a, ok := x.(*Assign); ok && a.Def {
			for v := range assignedIn(a) {
				delete(inside, v)
			}
		}
	})
	for _, v := range sortedVars(inside) {
		if l.ints[v] == nil && l.pieces[v] == nil && l.quotients[v] == nil || known(v) {
			continue
		}
		panic(errGeneral{v})
	}
}

// leave lowers a break out of a divergent loop, or a continue of an unrolled one.
func (l *lowering) leave(s *Exit) {
	if l.leaving == nil || s.To != Stmt(l.leaving.s) || s.Continue != l.leaving.continues {
		cannot("a branch that leaves a block or a loop")
	}
	l.left++
	live, on := l.leaving.live, l.on
	if on == nil {
		l.leaving.gone = l.leaving.continues && len(l.whens) == l.leaving.whens
		on = operand{l.all()}
	}
	for i := range live {
		l.emit(&lir.Instr{Op: lir.MaskNot, Kind: lir.Mask, Dst: live[i], X: live[i], Y: on.at(i)})
	}
}

// countOf returns an integer as a counted one: it depends on the iterations of a divergent loop, or
// on memory.
func (l *lowering) countOf(e Expr) (counted, bool) {
	if p, ok := l.polyOf(e); ok {
		return counted{p: p}, true
	}
	if p, ok := l.quotiented(e); ok {
		lo, hi := l.ends(p)
		l.check(fmt.Sprintf("%s >= -1<<30 && %s < 1<<30", lo, hi))
		return counted{p: poly{}, factor: 1, vec: l.vectorOf(p), bits: 30}, true
	}
	if !isInteger(e.Type()) {
		return counted{}, false
	}
	if small := smallKind(e.Type()); small != lir.None {
		return counted{p: poly{}, factor: 1, vec: l.value(e, nil), bits: 8 * small.Size()}, true
	}
	if elem(e.Type()) == "I32" {
		return counted{p: poly{}, factor: 1, vec: l.value(e, nil), bits: 31}, true
	}
	if !types.Identical(e.Type().Underlying(), intType) {
		return counted{}, false
	}
	switch x := e.(type) {
	case *Bounded:
		c, ok := l.countOf(x.I)
		limit, okLimit := l.polyOf(x.N)
		if !ok || !okLimit || c.vec == nil || limit.hasQuotient() || !l.exact(c) {
			return counted{}, false
		}
		var most operand
		if limit.ofRow() {
			l.small(limit, 0)
			end := fmt.Sprintf("uint32(min(max(%s, 0), 1<<30))", l.syms.text(limit))
			most = l.once("a uint32 "+end, lir.U32, lir.Instr{Op: lir.Arg, Mem: lir.Mem{Disp: l.arg("uint32", end)}})
		} else { // the length of the slice differs between threads
			l.checkLimit("1<<30", limit)
			most = l.op(lir.Instr{Op: lir.Convert, Kind: lir.U32, From: lir.I32}, nil, l.sequence(limit, lir.I32))
		}
		v := l.op(lir.Instr{Op: lir.Convert, Kind: lir.U32, From: lir.I32}, nil, l.numbers(c))
		l.leaveWhere(l.joined(l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.U32, Pred: lir.Ge}, nil, v, most), l.on))
		if n, isConst := limit.constant(); isConst { // of the active threads
			return counted{p: poly{}, factor: 1, vec: l.numbers(c), bits: bits.Len64(uint64(n))}, true
		}
		return c, true
	case *VarRef:
		if c, ok := l.counts[x.V]; ok {
			return c, true
		}
		if x.V.value != nil {
			return l.countOf(x.V.value)
		}
		if o := l.values[x.V]; o != nil && l.isNarrow(x.V) {
			// A copy, since the variable may have changed at the use.
			return counted{p: poly{}, factor: 1, vec: l.sameOrder(o, l.op(lir.Instr{Op: lir.Move, Kind: lir.I32}, nil, o)), bits: l.mostBits(x.V)}, true
		}
	case *Convert:
		if l.isTruncation(x) {
			return l.truncation(x), true
		}
		if t := x.X.Type(); types.Identical(t.Underlying(), intType) || elem(t) == "I32" || smallKind(t) != lir.None {
			return l.countOf(x.X)
		}
	case *Binary:
		a, okA := l.countOf(x.X)
		b, okB := l.countOf(x.Y)
		if !okA || !okB || a.vec == nil && b.vec == nil && !combinesBits(x.Op) {
			return counted{}, false
		}
		if a.vec != nil && b.vec != nil || x.Op != token.ADD && x.Op != token.SUB {
			return l.narrowBinary(x, a, b)
		}
		sum := a
		if b.vec != nil {
			sum = b
		}
		switch x.Op {
		case token.ADD:
			sum.p = a.p.plus(b.p, 1)
		case token.SUB:
			sum.p = a.p.plus(b.p, -1)
			if b.vec != nil {
				sum.factor = -b.factor
			}
		}
		return sum, true
	case *Unary:
		if c, ok := l.countOf(x.X); ok && x.Op == token.SUB && c.vec != nil {
			c.p, c.factor = poly{}.plus(c.p, -1), -c.factor
			return c, true
		}
	case *Call:
		if x.Fn == nil && (x.Name == "min" || x.Name == "max") {
			return l.narrowLimit(x)
		}
	}
	return counted{}, false
}

// narrowLimit returns the minimum or maximum of integers in 32-bit lanes.
func (l *lowering) narrowLimit(x *Call) (counted, bool) {
	verb := map[string]lir.Op{"min": lir.Min, "max": lir.Max}[x.Name]
	var out operand
	most := 0
	for _, a := range x.Args {
		c, ok := l.countOf(a)
		if !ok || !l.exact(c) {
			return counted{}, false
		}
		most = max(most, l.bitsIn(c))
		if v := l.numbers(c); out == nil {
			out = v
		} else {
			out = l.op(lir.Instr{Op: verb, Kind: lir.I32}, nil, out, v)
		}
	}
	return counted{p: poly{}, factor: 1, vec: out, bits: most}, true
}

// numbers is c as a vector of 32 bits, modulo 2^32.
func (l *lowering) numbers(c counted) operand {
	if c.vec == nil {
		return l.sequence(c.p, lir.I32)
	}
	v := c.vec
	if c.factor != 1 {
		f := l.once(fmt.Sprint("c", uint64(uint32(c.factor)), lir.I32), lir.I32, lir.Instr{Op: lir.Const, Imm: uint64(uint32(c.factor))})
		v = l.op(lir.Instr{Op: lir.Mul, Kind: lir.I32}, nil, v, f)
	}
	if len(c.p) == 0 {
		return l.op(lir.Instr{Op: lir.Move, Kind: lir.I32}, nil, v)
	}
	return l.op(lir.Instr{Op: lir.Add, Kind: lir.I32}, nil, v, l.sequence(c.p, lir.I32))
}

// exact adds the check that c fits in 32 bits. It returns false if no check can ensure that.
func (l *lowering) exact(c counted) bool {
	if len(c.p) == 0 && c.factor == 1 {
		return true
	}
	if c.vec != nil && (c.bits > mostCount || c.factor < -1<<8 || c.factor > 1<<8) {
		return false
	}
	p, most := c.p, mostNarrow
	for _, r := range l.rounds { // a divergent loop has fewer than 2^mostCount iterations
		factor, rest, ok := p.by(r.symbol)
		n, isConst := factor.constant()
		if r.trips != "" || len(factor) == 0 {
			continue
		}
		if !ok || !isConst || n < -1<<6 || n > 1<<6 {
			return false
		}
		p, most = rest, most-1
	}
	lo, hi := l.hull(p)
	l.check(fmt.Sprintf("%s >= -1<<%d && %s < 1<<%d", lo, most, hi, most))
	return true
}

// indirect gathers elements whose index comes from memory, counts iterations, or is computed from
// such values.
func (l *lowering) indirect(x spot) operand {
	k, from := l.memKind(x.t)
	at := l.placed(x, from != 0)
	width := max(len(at.index), min(len(l.on), l.width()), l.parts)
	o := make(operand, width)
	swaps := l.swappedIf(at, k, from)
	for i := range o {
		o[i] = l.n.New(k)
		m := at.mem
		m.Part = i % l.parts
		l.emit(l.gather(lir.Instr{Op: lir.Gather, Kind: k, From: from, Dst: o[i], X: at.index.at(i), Mem: m, On: l.mask(i), Swaps: swaps}))
	}
	return o
}

// scatter stores elements, or fields of elements, whose indices each thread has computed.
func (l *lowering) scatter(places []spot, values []operand) {
	var at []located
	for _, x := range places {
		_, from := l.memKind(x.t)
		at = append(at, l.placed(x, from != 0))
	}
	clear(l.loads)
	for n, x := range places {
		k, from := l.memKind(x.t)
		swaps := l.swappedIf(at[n], k, from)
		for i := range l.width() {
			m := at[n].mem
			m.Part = i % l.parts
			s := &lir.Instr{Op: lir.Scatter, Kind: k, From: from, X: values[n].at(i), Y: at[n].index.at(i), Imm: 1, Mem: m, On: l.mask(i), Swaps: swaps}
			if swaps != 0 {
				s.Temps = []lir.Value{l.n.New(lir.I32)}
			}
			l.emit(s)
		}
	}
}

// A located is the position of elements that each thread indexes on its own: element offsets from a
// pointer.
type located struct {
	index operand
	mem   lir.Mem
}

// gather returns i with the temporaries that it needs.
func (l *lowering) gather(i lir.Instr) *lir.Instr {
	if i.From != 0 {
		i.Temps = []lir.Value{l.n.New(lir.I32), l.n.New(lir.I32)}
	}
	return &i
}

// placed returns the position of elements, and emits the checks of their indices. With short,
// indices must fit in 32 bits.
func (l *lowering) placed(x spot, short bool) located {
	size := lineSizes.Sizeof(x.t)
	if !l.isKernels(x.ix.X) || x.size%size != 0 || x.offset%size != 0 || slices.ContainsFunc(x.inner, func(in inArray) bool { return in.bytes%size != 0 }) {
		cannot("an index from memory in a struct with fields of several sizes")
	}
	slice := l.slice(x.ix)
	var bad operand
	sure := x.ix.sure
	compare := func(index operand, kind lir.Kind, pred lir.Pred, text string) {
		if sure {
			return
		}
		typ := map[lir.Kind]string{lir.I32: "int32", lir.I64: "int64"}[kind]
		limit := l.once("a "+typ+text, kind, lir.Instr{Op: lir.Arg, Mem: lir.Mem{Disp: l.arg(typ, fmt.Sprintf("%s(%s)", typ, text))}})
		m := l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: kind, Pred: pred}, nil, index, limit)
		if bad == nil {
			bad = m
		} else {
			bad = l.either(bad, m)
		}
	}
	number := func(n int64) operand {
		return l.once(fmt.Sprint("c", uint64(uint32(n)), lir.I32), lir.I32, lir.Instr{Op: lir.Const, Imm: uint64(uint32(n))})
	}
	// index returns a part of the position, which must be at least 0 and less than limit.
	index := func(i Expr, limit string, short bool) operand {
		c, ok := l.countOf(&Convert{i, intType})
		switch {
		case ok && c.vec == nil && len(x.inner) > 0:
			lo, hi := l.hull(c.p)
			l.check(fmt.Sprintf("%s >= 0 && %s < min(%s, 1<<30)", lo, hi, limit))
			return l.numbers(c)
		case ok && c.vec != nil && -1<<10 < c.factor && c.factor < 1<<10:
			// If vec is small enough, the product does not wrap around.
			lo, hi := l.hull(c.p)
			if l.faults { // then all indices are out of range for which the product might wrap around
				l.check(fmt.Sprintf("%s >= 0 && len(%s) <= 1<<29", lo, slice))
			}
			l.check(fmt.Sprintf("%s >= -1<<29 && %s < 1<<29", lo, hi))
			most := fmt.Sprintf("1<<29/%d", max(c.factor, -c.factor))
			compare(c.vec, lir.I32, lir.Lt, "-("+most+")")
			compare(c.vec, lir.I32, lir.Gt, most)
			v := l.numbers(c)
			compare(v, lir.I32, lir.Lt, "0")
			compare(v, lir.I32, lir.Gt, limit+"-1")
			return v
		case l.n.Size == 4:
			panic(errWide)
		}
		v := l.value(&Convert{i, types.Typ[types.Int64]}, nil)
		compare(v, lir.I64, lir.Lt, "0")
		compare(v, lir.I64, lir.Gt, limit+"-1")
		if short {
			v = l.op(lir.Instr{Op: lir.Convert, Kind: lir.I32, From: lir.I64}, nil, v)
		}
		return v
	}
	var at operand
	from := "0"
	ratio := x.size / size // the distance between elements, in numbers
	if c, ok := l.countOf(&Convert{x.ix.I, intType}); ok && c.vec != nil && c.p.ofRow() && c.factor == 1 {
		at = c.vec
		l.small(c.p, 0)
		from = l.syms.text(c.p)
		l.check(fmt.Sprintf("%s.Small(%s, 30) && len(%s) < 1<<30/%d", l.b.rt(), from, slice, ratio))
		compare(at, lir.I32, lir.Lt, fmt.Sprintf("-(%s)", from))
		compare(at, lir.I32, lir.Gt, fmt.Sprintf("len(%s)-(%s)-1", slice, from))
	} else {
		short := short || ratio > 1 || len(x.inner) > 0
		at = index(x.ix.I, fmt.Sprintf("len(%s)", slice), short)
		if short || ok && c.vec != nil {
			l.check(fmt.Sprintf("len(%s) < 1<<30/%d", slice, ratio))
		}
	}
	if ratio > 1 {
		at = l.op(lir.Instr{Op: lir.Mul, Kind: lir.I32}, nil, at, number(ratio))
	}
	sure = false
	for _, in := range x.inner {
		i := index(in.i, fmt.Sprint(in.many), true)
		if n := in.bytes / size; n > 1 {
			i = l.op(lir.Instr{Op: lir.Mul, Kind: lir.I32}, nil, i, number(n))
		}
		at = l.op(lir.Instr{Op: lir.Add, Kind: lir.I32}, nil, at, i)
	}
	if bad != nil {
		l.faultWhere(l.joined(bad, l.on))
	}
	g := len(l.n.Groups)
	l.n.Groups = append(l.n.Groups, lir.Group{Base: l.arg("[]"+l.b.typ(x.ix.T), slice), Off: l.arg("int", fmt.Sprintf("%d*(%s)", x.size, from)), Size: int(size), Own: l.b.ownMemory[slice]})
	return located{at, lir.Mem{Group: g, Disp: int(x.offset), Stride: l.arg("int", "0")}}
}
