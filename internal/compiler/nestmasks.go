package compiler

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Masks of nests: conditions that differ between threads, and intervals of threads for which they hold.

// lanes is an interval of threads, as texts of integers: at least from and below to, in the row. They are empty where there is no bound.
type lanes struct{ from, to string }

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
	cannot("a condition that is no comparison")
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
