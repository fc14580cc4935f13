package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Masks of nests: conditions that differ between threads, and intervals of threads for which they hold.

// lanes is an interval of the threads of a row and one of the rows of a plane, as texts of integers: at least from and below to. They are
// empty where there is no bound. If exact, all these threads are meant; if not, it has others, too.
type lanes struct {
	from, to       string
	rowFrom, rowTo string
	exact          bool
}

// other is an interval that has all threads that are not in i.
func (i lanes) other() lanes {
	beyond := func(from, to, first, behind string) (string, string) {
		switch {
		case from == "":
			return to, ""
		case to == "":
			return "", from
		}
		return fmt.Sprintf("‹core›.After(%s, %s, %s)", first, from, to), fmt.Sprintf("‹core›.Before(%s, %s, %s)", behind, from, to)
	}
	ofLanes, ofRows := i.from != "" || i.to != "", i.rowFrom != "" || i.rowTo != ""
	out := lanes{exact: i.exact}
	switch {
	case !i.exact || ofLanes == ofRows:
		return lanes{}
	case ofLanes:
		out.from, out.to = beyond(i.from, i.to, "‹lo›", "‹hi›")
	default:
		out.rowFrom, out.rowTo = beyond(i.rowFrom, i.rowTo, "0", "many‹rows›")
	}
	return out
}

// narrow returns the threads that are in an interval as well.
func (l *lowering) narrow(to lanes) lanes { return overlap(l.lanes, to) }

// overlap is what two intervals have in common.
func overlap(a, b lanes) lanes {
	with := func(f, x, y string) string {
		if x == "" || y == "" || x == y {
			return max(x, y)
		}
		return fmt.Sprintf("%s(%s, %s)", f, x, y)
	}
	return lanes{with("max", a.from, b.from), with("min", a.to, b.to), with("max", a.rowFrom, b.rowFrom), with("min", a.rowTo, b.rowTo), a.exact && b.exact}
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

// agreed returns what must be positive for e to hold if all threads that go through the nest together agree on that, and Go for it where it
// is known before the nest is entered.
func (l *lowering) agreed(e Expr) (conds []lir.Scalar, texts []string, ok bool) {
	if l.ofRow(e) {
		text := l.text(e)
		return []lir.Scalar{{Off: l.arg("int", fmt.Sprintf("%s.Bit(%s)", l.b.core(), text))}}, []string{"(" + text + ")"}, true
	}
	d, op, ok := l.difference(e)
	if !ok || d.has(laneSymbol) || d.has(rowSymbol) && l.jam > 1 || op == token.NEQ {
		return nil, nil, false
	}
	for _, p := range positive(d, op) {
		conds = append(conds, l.scalar(p, 0))
	}
	return conds, nil, true
}

// difference takes a comparison of integers apart: e says that d op 0.
func (l *lowering) difference(e Expr) (d poly, op token.Token, ok bool) {
	x, ok := e.(*Binary)
	if !ok || preds[x.Op] == 0 && x.Op != token.EQL || !isInteger(x.X.Type()) || !types.Identical(x.X.Type().Underlying(), intType) {
		return nil, 0, false
	}
	p, okP := l.polyOf(x.X)
	q, okQ := l.polyOf(x.Y)
	return p.plus(q, -1), x.Op, okP && okQ
}

// positive returns what must be positive for d op 0 to hold; op is not NEQ.
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

// whole returns the mask that is on for all threads of a row, or for none, and in which rows.
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
			if !p.has(rowSymbol) {
				m = operand{v}
				break
			}
			for range l.parts {
				m = append(m, v)
			}
		}
		out = l.joined(out, m)
		factor, rest, ok := p.by(rowSymbol)
		if n, isConst := factor.constant(); ok && rest.ofRow() && isConst && len(factor) > 0 && (n == 1 || n == -1) {
			l.small(rest, 0)
			here := lanes{exact: true}
			if n == 1 { // y > -rest
				here.rowFrom = l.syms.text(number(1).plus(rest, -1))
			} else {
				here.rowTo = l.syms.text(rest)
			}
			in = overlap(in, here)
		} else {
			in.exact = false
		}
	}
	return out, in
}

// condition returns the mask of the threads for which e holds, among those that are on, and an interval that has them all.
func (l *lowering) condition(e Expr) (operand, lanes) {
	if l.ofRow(e) {
		conds, _, _ := l.agreed(e)
		v := l.n.New(lir.Mask)
		l.emit(&lir.Instr{Op: lir.Whole, Kind: lir.Mask, Dst: v, Bounds: [2]lir.Scalar{conds[0]}})
		return operand{v}, lanes{}
	}
	switch x := e.(type) {
	case *VarRef:
		if o := l.values[x.V]; o != nil && isBool(x.V.Type) { // what is done under the mask may assign the variable
			return l.op(lir.Instr{Op: lir.Move, Kind: lir.Mask}, nil, o), lanes{}
		}
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
	cannot("a condition that is no comparison")
	return nil, lanes{}
}

// assignBool lowers an assignment to a variable that is a mask.
func (l *lowering) assignBool(s *Assign, v *Var) {
	if l.values[v] == nil {
		if !s.Def {
			cannot("%s is not defined here", v.Name)
		}
		l.values[v] = l.maskVariable(v)
	}
	to := l.values[v]
	var m operand
	if c, ok := s.R.(*Const); ok {
		m = operand{l.all()}
		if !constant.BoolVal(c.Val) {
			m = l.not(m)
		}
	} else {
		m, _ = l.condition(s.R)
	}
	if !s.Def && !l.everywhere() {
		stays := l.op(lir.Instr{Op: lir.MaskNot, Kind: lir.Mask}, nil, to, l.on)
		m = l.op(lir.Instr{Op: lir.MaskOr, Kind: lir.Mask}, nil, stays, l.joined(l.on, m))
	}
	for i := range to {
		l.emit(&lir.Instr{Op: lir.Move, Kind: lir.Mask, Dst: to[i], X: m.at(i)})
	}
}

// maskVariable makes the masks of a variable.
func (l *lowering) maskVariable(v *Var) operand {
	o := make(operand, l.width())
	for i := range o {
		o[i] = l.n.New(lir.Mask)
		l.mutable[o[i]] = true
	}
	l.depth[v] = len(l.rounds)
	return o
}

func (l *lowering) joined(a, b operand) operand {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return l.op(lir.Instr{Op: lir.MaskAnd, Kind: lir.Mask}, nil, a, b)
}

func (l *lowering) not(m operand) operand {
	return l.op(lir.Instr{Op: lir.MaskNot, Kind: lir.Mask}, nil, operand{l.all()}, m)
}

var preds = map[token.Token]lir.Pred{token.EQL: lir.Eq, token.NEQ: lir.Ne, token.LSS: lir.Lt, token.LEQ: lir.Le, token.GTR: lir.Gt, token.GEQ: lir.Ge}

func (l *lowering) comparison(x *Binary) (operand, lanes) {
	if d, op, ok := l.difference(x); ok {
		if !d.has(laneSymbol) {
			return l.whole(d, op)
		}
		return l.interval(d, op)
	}
	if isInteger(x.X.Type()) && types.Identical(x.X.Type().Underlying(), intType) {
		a, okA := l.countOf(x.X)
		b, okB := l.countOf(x.Y)
		if !okA || !okB || !l.exact(a) || !l.exact(b) {
			cannot("a comparison of integers that are not affine")
		}
		return l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.I32, Pred: preds[x.Op]}, nil, l.numbers(a), l.numbers(b)), lanes{}
	}
	if !basic(x.X.Type()) {
		cannot("a comparison of %s", x.X.Type())
	}
	k := l.kind(x.X.Type())
	return l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: k, Pred: preds[x.Op]}, nil, l.value(x.X, nil), l.value(x.Y, nil)), lanes{}
}

// interval returns the mask of the threads for which d op 0.
func (l *lowering) interval(d poly, op token.Token) (operand, lanes) {
	factor, rest, ok := d.by(laneSymbol)
	step, isConst := factor.constant()
	if !ok || !isConst || step != 1 && step != -1 {
		cannot("a comparison of integers that is no interval of threads")
	}
	at := poly{}.plus(rest, -1) // of thread at: +1 * at + rest == 0
	if step == -1 {
		at = rest
		op = map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ, token.EQL: token.EQL, token.NEQ: token.NEQ}[op]
	}
	next := at.plus(number(1), 1)
	var from, to poly // nil where there is no bound
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
	bound := func(p poly, other string, text *string, j int) lir.Scalar {
		switch {
		case p == nil:
			return lir.Scalar{Off: l.arg("int", other)}
		case !p.ofRow():
			return l.scalarFrom(p, j, " - ‹lo›")
		}
		l.small(p, 0)
		*text = l.syms.text(p)
		return lir.Scalar{Off: l.arg("int", fmt.Sprintf("min(max(%s-‹lo›, 0), ‹many›)", *text))}
	}
	width := l.parts
	if rest.has(rowSymbol) {
		width = l.width()
	}
	out := make(operand, width)
	for i := range out {
		out[i] = l.n.New(lir.Mask)
		bounds := [2]lir.Scalar{bound(from, "0", &in.from, i/l.parts), bound(to, "‹many›", &in.to, i/l.parts)}
		l.emit(&lir.Instr{Op: lir.Within, Kind: lir.Mask, Dst: out[i], Bounds: bounds, Part: i % l.parts})
	}
	if op == token.NEQ {
		in.exact = in != lanes{}
		return l.not(out), in.other()
	}
	in.exact = in != lanes{}
	return out, in
}
