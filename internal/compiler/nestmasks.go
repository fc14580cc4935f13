package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Masks of nests: divergent conditions, and the intervals of threads for which they hold.

// A box is an interval of the threads of a row and an interval of the rows of a plane: from is
// inclusive, to exclusive, as Go expressions. An empty string stands for no bound.
type box struct{ from, to, rowFrom, rowTo string }

// lanes is a set of threads of a plane: a box without some threads. If exact is false, it is only a
// superset of the threads that are meant.
type lanes struct {
	box
	without string // arguments of rt.Trim for the threads to take away
	exact   bool
	not     *lanes // a superset of the complement, if that is not expressed by the others
}

// other is the complement of i. If i is inexact, or the complement can't be expressed, it is the
// inexact set of all threads.
func (i lanes) other() lanes {
	half := func(from, to string) (string, string, bool) { return to, from, from == "" || to == "" }
	ofLanes, ofRows := i.from != "" || i.to != "", i.rowFrom != "" || i.rowTo != ""
	out := lanes{exact: true}
	ok := false
	switch {
	case i.not != nil:
		return *i.not
	case !i.exact || i.without != "" || !ofLanes && !ofRows:
		return lanes{not: &i}
	case !ofRows:
		out.from, out.to, ok = half(i.from, i.to)
	case !ofLanes:
		out.rowFrom, out.rowTo, ok = half(i.rowFrom, i.rowTo)
	}
	if !ok {
		bound := func(text, none string) string {
			if text == "" {
				return none
			}
			return text
		}
		out = lanes{exact: true, without: fmt.Sprintf(", [4]int{%s, %s, %s, %s}", bound(i.from, "-1<<31"), bound(i.to, "1<<31-1"), bound(i.rowFrom, "-1<<31"), bound(i.rowTo, "1<<31-1"))}
	}
	return out
}

// narrow returns the current threads that are also in i.
func (l *lowering) narrow(i lanes) lanes { return overlap(l.lanes, i) }

// overlap is the intersection of two sets of threads.
func overlap(a, b lanes) lanes {
	with := func(f, x, y string) string {
		if x == "" || y == "" || x == y {
			return max(x, y)
		}
		return fmt.Sprintf("%s(%s, %s)", f, x, y)
	}
	out := lanes{exact: a.exact && b.exact, without: a.without}
	out.from, out.to = with("max", a.from, b.from), with("min", a.to, b.to)
	out.rowFrom, out.rowTo = with("max", a.rowFrom, b.rowFrom), with("min", a.rowTo, b.rowTo)
	if !strings.Contains(out.without, b.without) {
		out.without += b.without
	}
	return out
}

// all returns the mask with all lanes on.
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

// none returns the mask with all lanes off.
func (l *lowering) none() lir.Value {
	if v := l.consts["none"]; v != 0 {
		return v
	}
	v := l.n.New(lir.Mask)
	all := l.all()
	l.first = append(l.first, &lir.Instr{Op: lir.MaskNot, Kind: lir.Mask, Dst: v, X: all, Y: all})
	l.consts["none"] = v
	return v
}

// isAll reports whether a mask is known to have all lanes on.
func (l *lowering) isAll(m operand) bool { return m == nil || len(m) == 1 && m[0] == l.consts["all"] }

// isNone reports whether a mask is known to have all lanes off.
func (l *lowering) isNone(m operand) bool { return len(m) == 1 && m[0] == l.consts["none"] }

// agreed lowers a condition that is uniform for all threads of the nest. It returns scalars that
// are all positive if and only if e holds, and Go conditions where the outcome is known before the
// nest is entered.
func (l *lowering) agreed(e Expr) (conds []lir.Scalar, texts []string, in lanes, ok bool) {
	if l.ofRow(e) {
		text := l.text(e)
		return []lir.Scalar{{Off: l.arg("int", fmt.Sprintf("%s.Bit(%s)", l.b.rt(), text))}}, []string{"(" + text + ")"}, l.rowsWhere(text), true
	}
	d, op, ok := l.difference(e)
	if !ok || d.isBent() || d.has(laneSymbol) || d.has(rowSymbol) && l.jam > 1 || op == token.NEQ {
		return nil, nil, lanes{}, false
	}
	in.exact = true
	for _, p := range positive(d, op) {
		conds = append(conds, l.scalar(p, 0))
		in = overlap(in, l.rowsOf(p))
	}
	return conds, nil, in, true
}

// rowsWhere is all threads if a condition holds, and none otherwise.
func (l *lowering) rowsWhere(text string) lanes {
	return lanes{box: box{rowTo: fmt.Sprintf("many‹rows›*%s.Bit(%s)", l.b.rt(), text)}, exact: true}
}

// difference returns d and op such that the comparison e of two integers is d op 0.
func (l *lowering) difference(e Expr) (d poly, op token.Token, ok bool) {
	x, ok := e.(*Binary)
	if !ok || preds[x.Op] == 0 && x.Op != token.EQL || !isInteger(x.X.Type()) || !types.Identical(x.X.Type().Underlying(), intType) && !has32(x.X.Type()) {
		return nil, 0, false
	}
	p, okP := l.polyOf(&Convert{x.X, intType})
	q, okQ := l.polyOf(&Convert{x.Y, intType})
	if !okP || !okQ || !l.unwrapped(p, q) {
		return nil, 0, false
	}
	l.nearBegin = l.isLaneBeside(p, q) || l.isLaneBeside(q, p)
	d = p.plus(q, -1)
	return d, l.sharpened(d, x.Op), true
}

// sharpened returns, for an equation of a polynomial with zero or its opposite, the inequality that is
// equal for all active threads: with x < w, x != w-1 is x < w-1, and for an index of threads x != 0 is
// x > 0.
func (l *lowering) sharpened(d poly, op token.Token) token.Token {
	if op != token.EQL && op != token.NEQ {
		return op
	}
	most := l.ofThreads(d) // whether -d is at most 0
	for _, f := range slices.Concat(l.facts, l.guardFacts()) {
		if n, isConst := poly(f).plus(d, 1).constant(); isConst && n <= 1 {
			return map[token.Token]token.Token{token.EQL: token.GEQ, token.NEQ: token.LSS}[op]
		}
		n, isConst := poly(f).plus(d, -1).constant()
		most = most || isConst && n <= 1
	}
	if most {
		return map[token.Token]token.Token{token.EQL: token.LEQ, token.NEQ: token.GTR}[op]
	}
	return op
}

// guardFacts returns what is known of all threads of the nest, since others don't come to it.
func (l *lowering) guardFacts() (facts []fact) {
	l.quiet++
	for _, g := range l.guards {
		if b, ok := g.(*Binary); ok && b.Op != token.EQL && b.Op != token.NEQ {
			facts = append(facts, l.factsOf(g)...)
		}
	}
	l.quiet--
	return facts
}

// ofThreads reports whether p is a sum of products of indices of threads and blocks and of sizes,
// and so is not negative.
func (l *lowering) ofThreads(p poly) bool {
	for m, n := range p {
		if n < 0 {
			return false
		}
		if m == "" {
			continue
		}
		for f := range strings.SplitSeq(m, "*") {
			var i int
			isRow, _ := fmt.Sscanf(f, "r%d", &i)
			if f != laneSymbol && f != rowSymbol && !(isRow == 1 && slices.Contains([]string{"blockX", "blockY", "blockZ", "dimX", "dimY", "dimZ", "originX", "originY", "‹first›"}, l.syms.texts[i])) {
				return false
			}
		}
	}
	return true
}

// isLaneBeside reports whether an index that grows with the thread is compared with a small constant.
func (l *lowering) isLaneBeside(p, q poly) bool {
	n, isConst := q.constant()
	factor, _, _ := p.by(laneSymbol)
	step, isStep := factor.constant()
	return isConst && n < 16 && isStep && step == 1
}

// unwrapped adds the checks that two compared integers don't wrap around in terms that cancel in
// their difference, such as big in i+big < big+8. It returns false if no check can ensure that. The
// remaining terms are checked where the difference is used.
func (l *lowering) unwrapped(p, q poly) bool {
	gone := poly{}
	for m, n := range p {
		if m != "" && q[m] == n {
			gone[m] = n
		}
	}
	if l.tooLarge(gone, 0) != "" {
		return false
	}
	for _, n := range []int64{p[""], q[""]} {
		if len(gone) > 0 && (n < -1<<40 || n > 1<<40) {
			return false
		}
	}
	l.small(gone, 0)
	return true
}

// positive returns polynomials that are all positive if and only if d op 0; op is not NEQ.
func positive(d poly, op token.Token) []poly {
	switch op {
	case token.GTR:
		return []poly{d}
	case token.GEQ:
		return []poly{d.plus(number(1), 1)}
	case token.LSS:
		return []poly{poly{}.plus(d, -1)}
	case token.LEQ:
		return []poly{number(1).plus(d, -1)}
	}
	return append(positive(d, token.GEQ), positive(d, token.LEQ)...)
}

// rowsOf returns the rows for which p is positive.
func (l *lowering) rowsOf(p poly) lanes {
	factor, rest, ok := p.by(rowSymbol)
	n, isConst := factor.constant()
	if !ok || !rest.ofRow() || !isConst || n != 1 && n != -1 {
		return lanes{}
	}
	l.small(rest, 0)
	in := lanes{exact: true}
	if n == 1 { // y > -rest
		in.rowFrom = l.syms.text(number(1).plus(rest, -1))
	} else {
		in.rowTo = l.syms.text(rest)
	}
	return in
}

// whole returns the mask of a comparison that is the same for all threads of a row, and the rows
// for which it holds.
func (l *lowering) whole(d poly, op token.Token) (out operand, in lanes) {
	if op == token.NEQ {
		m, in := l.whole(d, token.EQL)
		return l.not(m), in.other()
	}
	in.exact = true
	for _, p := range positive(d, op) {
		var m operand
		for j := range l.jam {
			v := l.n.New(lir.Mask)
			l.emit(&lir.Instr{Op: lir.Whole, Kind: lir.Mask, Dst: v, Bounds: [2]lir.Scalar{l.scalar(p, j)}})
			l.alike[v] = alike{p, j}
			if !p.has(rowSymbol) {
				m = operand{v}
				break
			}
			for range l.parts {
				m = append(m, v)
			}
		}
		out = l.joined(out, m)
		in = overlap(in, l.rowsOf(p))
	}
	return out, in
}

// condition returns the mask of the active threads for which e holds, and a superset of them as a
// box.
func (l *lowering) condition(e Expr) (operand, lanes) {
	if l.ofRow(e) {
		conds, _, in, _ := l.agreed(e)
		v := l.n.New(lir.Mask)
		l.emit(&lir.Instr{Op: lir.Whole, Kind: lir.Mask, Dst: v, Bounds: [2]lir.Scalar{conds[0]}})
		return operand{v}, in
	}
	switch x := e.(type) {
	case *Const:
		m := operand{l.all()}
		if !constant.BoolVal(x.Val) {
			m = operand{l.none()}
		}
		return m, lanes{}
	case *VarRef:
		// a copy, since the branch may assign the variable
		if o := l.values[x.V]; o != nil && isBool(x.V.Type) {
			return l.op(lir.Instr{Op: lir.Move, Kind: lir.Mask}, nil, o), lanes{}
		}
		if x.V.value != nil {
			return l.condition(x.V.value)
		}
	case *Binary:
		switch x.Op {
		case token.LAND:
			if l.inner && !l.bounded {
				l.bounded = l.hasBothBounds(x)
				defer func() { l.bounded = false }()
			}
			a, within := l.condition(x.X)
			b, more := l.second(x.X, x.Y, a, l.factsOf(x.X), l.narrow(within), func() operand { return l.joined(l.on, a) })
			return l.joined(a, b), overlap(within, more)
		case token.LOR:
			a, inA := l.condition(x.X)
			b, inB := l.second(x.X, x.Y, a, l.factsOf(not(x.X)), l.narrow(inA.other()), func() operand { return l.joined(l.on, l.not(a)) })
			return l.either(a, b), overlap(inA.other(), inB.other()).other()
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			if isBool(x.X.Type()) {
				a, _ := l.condition(x.X)
				b, _ := l.condition(x.Y)
				m := l.either(l.without(a, b), l.without(b, a))
				if x.Op == token.EQL {
					m = l.not(m)
				}
				return m, lanes{}
			}
			return l.comparison(x)
		}
	case *Index, *Field:
		if at, ok := spotOf(x); ok && isBool(at.t) {
			zero := l.once(fmt.Sprint("c", uint64(0), lir.I32), lir.I32, lir.Instr{Op: lir.Const})
			return l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.I32, Pred: lir.Ne}, nil, l.elementOf(at), zero), lanes{}
		}
	case *Unary:
		if x.Op == token.NOT {
			if b, ok := x.X.(*Binary); ok && (b.Op == token.LOR || b.Op == token.LAND) { // De Morgan
				op := token.LAND
				if b.Op == token.LAND {
					op = token.LOR
				}
				return l.condition(&Binary{Op: op, X: &Unary{Op: token.NOT, X: b.X}, Y: &Unary{Op: token.NOT, X: b.Y}, T: b.T})
			}
			m, in := l.condition(x.X)
			return l.not(m), in.other()
		}
	}
	if c, ok := e.(*Call); ok {
		if m, ok := l.floatQuestion(c); ok {
			return m, lanes{}
		}
	}
	cannot("a condition that is no comparison")
	return nil, lanes{}
}

// second is condition for the second operand of && and ||, which only the threads need that the
// first one, with mask m, does not decide for. facts are about these, in is a superset of them, and
// on returns their mask. If the operand loads something that all threads may load, they do.
func (l *lowering) second(first, e Expr, m operand, facts []fact, in lanes, on func() operand) (out operand, within lanes) {
	a := &arm{facts: facts, in: in, on: m}
	if !l.b.off("ifconvert") && !l.single() && l.guard == nil && l.cheap(a, e) && a.cost <= mostSpeculated && len(a.loads) > 0 && l.loadsAnyway(a, l.surelyLoads(nil, first)) {
		return l.condition(e)
	}
	outer, before := l.on, l.lanes
	l.on, l.lanes = on(), in
	l.given(facts, func() { out, within = l.condition(e) })
	l.on, l.lanes = outer, before
	return out, within
}

// assignBool lowers an assignment to a bool variable, which is a mask.
func (l *lowering) assignBool(s *Assign, v *Var) {
	if l.values[v] == nil {
		if !s.Def {
			cannot("%s is not defined here", v.Name)
		}
		l.values[v] = l.maskVariable(v)
	}
	to := l.values[v]
	all := s.Def || l.everywhere() || l.isOwn(v)
	var m operand
	if c, ok := s.R.(*Const); ok {
		m = operand{l.all()}
		switch holds := constant.BoolVal(c.Val); {
		case !all && holds:
			m = l.either(to, l.on)
		case !all:
			m = l.without(to, l.on)
		case !holds:
			m = l.not(m)
		}
	} else if m, _ = l.condition(s.R); !all {
		m = l.either(l.without(to, l.on), l.joined(l.on, m))
	}
	for i := range to {
		l.emit(&lir.Instr{Op: lir.Move, Kind: lir.Mask, Dst: to[i], X: m.at(i)})
	}
}

// maskVariable makes the mask registers of a variable.
func (l *lowering) maskVariable(v *Var) operand {
	o := make(operand, l.width())
	for i := range o {
		o[i] = l.n.New(lir.Mask)
		l.mutable[o[i]] = true
	}
	l.depth[v] = len(l.rounds)
	return o
}

// A span is an interval of threads between bounds that are the same in all rows and rounds, as Go
// expressions, or "" where there is no bound. part is the vector of the strip.
type span struct {
	from, to string
	part     int
}

// boundOf is a bound of an interval in the row, or without a text none.
func (l *lowering) boundOf(text, none string) lir.Scalar {
	if text != "" {
		none = fmt.Sprintf("min(max(%s-‹lo›, 0), ‹many›)", text)
	}
	return lir.Scalar{Off: l.arg("int", none)}
}

// intersection returns the mask of the threads in the intervals of both masks, or nil if these are no
// spans.
func (l *lowering) intersection(a, b operand) (out operand) {
	for i := range max(len(a), len(b)) {
		x, okX := l.spans[a.at(i)]
		y, okY := l.spans[b.at(i)]
		if !okX || !okY || x.part != y.part {
			return nil
		}
		in := overlap(lanes{box: box{from: x.from, to: x.to}}, lanes{box: box{from: y.from, to: y.to}})
		m := l.n.New(lir.Mask)
		l.emit(&lir.Instr{Op: lir.Within, Kind: lir.Mask, Dst: m, Bounds: [2]lir.Scalar{l.boundOf(in.from, "0"), l.boundOf(in.to, "‹many›")}, Open: [2]bool{in.from == "", in.to == ""}, Part: x.part})
		l.spans[m] = span{in.from, in.to, x.part}
		out = append(out, m)
	}
	return out
}

func (l *lowering) joined(a, b operand) operand {
	switch {
	case l.isAll(a) || l.isNone(b):
		return b
	case l.isAll(b) || l.isNone(a):
		return a
	}
	if o := l.intersection(a, b); o != nil {
		return o
	}
	return l.op(lir.Instr{Op: lir.MaskAnd, Kind: lir.Mask}, nil, a, b)
}

func (l *lowering) either(a, b operand) operand {
	switch {
	case l.isAll(a) || l.isNone(b):
		return a
	case l.isAll(b) || l.isNone(a):
		return b
	}
	return l.op(lir.Instr{Op: lir.MaskOr, Kind: lir.Mask}, nil, a, b)
}

// without is a and not b.
func (l *lowering) without(a, b operand) operand {
	switch {
	case l.isAll(b):
		return operand{l.none()}
	case l.isNone(b):
		return a
	case a == nil:
		a = operand{l.all()}
	}
	return l.op(lir.Instr{Op: lir.MaskNot, Kind: lir.Mask}, nil, a, b)
}

func (l *lowering) not(m operand) operand {
	out := l.without(operand{l.all()}, m)
	for i := range out {
		if a, ok := l.alike[m.at(i)]; ok && len(m) == len(out) {
			l.alike[out[i]] = alike{number(1).plus(a.p, -1), a.j} // the opposite of p > 0
		}
	}
	return out
}

// alike says when a mask has all lanes on, and not none: if p is positive in jammed row j.
type alike struct {
	p poly
	j int
}

// opposite reports whether one of two such masks has all lanes on where the other one has none.
func (l *lowering) opposite(m, o operand) bool {
	x, okX := l.alike[m.at(0)]
	y, okY := l.alike[o.at(0)]
	n, isConst := x.p.plus(y.p, 1).constant() // p > 0 and 1-p > 0
	return okX && okY && x.j == y.j && len(slices.Compact(slices.Clone(o))) == 1 && isConst && n == 1
}

// uniformly returns the scalar that is positive if a mask has all lanes on, unless threads of the strip may
// have different masks.
func (l *lowering) uniformly(m operand) (s lir.Scalar, ok bool) {
	m = slices.Compact(slices.Clone(m))
	if len(m) != 1 {
		return s, false
	}
	a, ok := l.alike[m[0]]
	if !ok {
		return s, false
	}
	return l.scalar(a.p, a.j), true
}

var preds = map[token.Token]lir.Pred{token.EQL: lir.Eq, token.NEQ: lir.Ne, token.LSS: lir.Lt, token.LEQ: lir.Le, token.GTR: lir.Gt, token.GEQ: lir.Ge}

func (l *lowering) comparison(x *Binary) (operand, lanes) {
	if holds, known := l.decided(x); known && holds {
		return operand{l.all()}, lanes{exact: true}
	} else if known {
		return operand{l.none()}, lanes{}
	}
	if d, op, ok := l.difference(x); ok && !d.isBent() {
		if !d.has(laneSymbol) {
			return l.whole(d, op)
		}
		return l.interval(d, op)
	}
	if l.plane && l.quotientOfRows(x.X) && shapeOf(x.Y)[0] == 0 {
		// Neither side is a box of rows, so indices of the rows where elements end could not be
		// checked.
		cannot("a plane whose rows part at a quotient")
	}
	if isInteger(x.X.Type()) && types.Identical(x.X.Type().Underlying(), intType) {
		a, okA := l.countOf(x.X)
		b, okB := l.countOf(x.Y)
		if !okA || !okB || !l.exact(a) || !l.exact(b) {
			return l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.I64, Pred: preds[x.Op]}, nil, l.value(x.X, nil), l.value(x.Y, nil)), lanes{}
		}
		return l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.I32, Pred: preds[x.Op]}, nil, l.numbers(a), l.numbers(b)), lanes{}
	}
	if !basic(x.X.Type()) {
		cannot("a comparison of %s", x.X.Type())
	}
	k := l.kind(x.X.Type())
	return l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: k, Pred: preds[x.Op]}, nil, l.value(x.X, nil), l.value(x.Y, nil)), lanes{}
}

// quotientOfRows reports whether e is an integer with a quotient, the same for all threads of a
// row.
func (l *lowering) quotientOfRows(e Expr) bool {
	if !isInteger(e.Type()) || shapeOf(e)[0] != 0 {
		return false
	}
	p, ok := l.quotiented(e)
	return ok && p.hasQuotient()
}

// interval returns the mask of the threads for which d op 0, and these threads as a box.
func (l *lowering) interval(d poly, op token.Token) (operand, lanes) {
	factor, rest, ok := d.by(laneSymbol)
	step, isConst := factor.constant()
	if ok && rest.ofRow() && op != token.EQL && op != token.NEQ && (isConst && (step > 1 || step < -1) || !isConst && factor.ofRow()) {
		// Division by the step: 2*i + rest < 0 holds for i < ceil(-rest/2).
		if step < 0 {
			factor, rest, op = poly{}.plus(factor, -1), poly{}.plus(rest, -1), flipped[op]
		}
		l.small(factor, 1)
		l.small(rest, 0)
		by := l.syms.text(factor)
		if !isConst {
			l.check(by + " > 0")
		}
		at := fmt.Sprintf("-(%s)", l.syms.text(rest))
		if op == token.LSS || op == token.GEQ {
			at += fmt.Sprintf(" + %s - 1", by)
		}
		return l.interval(poly{laneSymbol: 1}.plus(l.syms.row(fmt.Sprintf("%s.FloorDiv(%s, %s)", l.b.rt(), at, by)), -1), op)
	}
	if !ok || !isConst || step != 1 && step != -1 {
		if l.n.Size == 4 {
			panic(errWide)
		}
		zero := l.once(fmt.Sprint("c", uint64(0), lir.I64), lir.I64, lir.Instr{Op: lir.Const})
		return l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.I64, Pred: preds[op]}, nil, l.sequence(d, lir.I64), zero), lanes{}
	}
	at := poly{}.plus(rest, -1) // the thread with index at: +1 * at + rest == 0
	if step == -1 {
		at = rest
		op = map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ, token.EQL: token.EQL, token.NEQ: token.NEQ}[op]
	}
	next := at.plus(number(1), 1)
	var from, to poly // nil stands for no bound
	switch op {
	case token.LSS:
		to = at
	case token.LEQ:
		to = next
	case token.GTR:
		from = next
	case token.GEQ:
		from = at
	default:
		from, to = at, next
	}
	var in lanes
	text := func(p poly, to *string) {
		if p != nil && p.ofRow() {
			l.small(p, 0)
			*to = l.syms.text(p)
		}
	}
	text(from, &in.from)
	text(to, &in.to)
	in.exact = in.box != box{}
	if l.decides(in.box) && (from == nil || in.from != "") && (to == nil || in.to != "") {
		m := operand{l.none()}
		if l.expects(op, at) {
			m = operand{l.all()}
			l.full(in.box)
		} else {
			l.empty(in.box)
		}
		if op == token.NEQ {
			return l.not(m), in.other()
		}
		return m, in
	}
	if l.inner {
		if m, ok := l.insideInRounds(op, from, to, at); ok {
			return m, lanes{}
		}
	}
	bound := func(p poly, none, text string, j int) lir.Scalar {
		if p != nil && text == "" {
			return l.scalarFrom(p, j, " - ‹lo›")
		}
		return l.boundOf(text, none)
	}
	width := l.parts
	if rest.has(rowSymbol) {
		width = l.width()
	}
	out := make(operand, width)
	for i := range out {
		out[i] = l.n.New(lir.Mask)
		bounds := [2]lir.Scalar{bound(from, "0", in.from, i/l.parts), bound(to, "‹many›", in.to, i/l.parts)}
		l.emit(&lir.Instr{Op: lir.Within, Kind: lir.Mask, Dst: out[i], Bounds: bounds, Open: [2]bool{from == nil, to == nil}, Part: i % l.parts})
		if (from == nil || in.from != "") && (to == nil || in.to != "") {
			l.spans[out[i]] = span{in.from, in.to, i % l.parts}
		}
	}
	if op == token.NEQ {
		return l.not(out), in.other()
	}
	return out, in
}

// insideInRounds returns a mask for strips away from the edges of a comparison whose bounds differ
// between iterations: the threads for which the comparison has its usual outcome in all iterations.
// A nil bound stands for none.
func (l *lowering) insideInRounds(op token.Token, from, to, at poly) (operand, bool) {
	ends := func(p poly) (lo, hi string, ok bool) {
		if p == nil {
			return "", "", true
		}
		if p.has(laneSymbol) || p.has(rowSymbol) || p.hasQuotient() {
			return "", "", false
		}
		for _, r := range l.rounds {
			if p.has(r.symbol) && (r.trips == "" || r.count != nil || r.step != nil) {
				return "", "", false
			}
		}
		lo, hi = l.hull(p)
		return lo, hi, true
	}
	fromLo, fromHi, okFrom := ends(from)
	toLo, toHi, okTo := ends(to)
	if !okFrom || !okTo {
		return nil, false
	}
	if !l.decides(box{from: fromHi + fromLo, to: toHi + toLo}) {
		return nil, false
	}
	m := operand{l.none()}
	if l.expects(op, at) {
		m = operand{l.all()}
		l.full(box{from: fromHi, to: toLo})
	} else {
		l.empty(box{from: fromLo, to: toHi})
	}
	if op == token.NEQ {
		m = l.not(m)
	}
	return m, true
}
