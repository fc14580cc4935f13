package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Piecewise affine integers of nests: clamped indices, and integers that a branch assigns. Such an
// integer is a list of pieces, each a polynomial with the threads that it applies to.

// A piece is the polynomial of an integer for some threads.
type piece struct {
	on    operand // the mask of these threads; nil for all active ones
	in    lanes
	facts []fact // facts about these threads
	by    []fact // those for which it was selected
	p     poly
}

// mostPieces is the largest number of pieces of an integer.
const mostPieces = 4

// piecesOf returns the pieces of an integer, if it is piecewise affine.
func (l *lowering) piecesOf(e Expr) ([]piece, bool) {
	if p, ok := l.polyOf(e); ok {
		return []piece{{p: p}}, true
	}
	if !isInteger(e.Type()) || !types.Identical(e.Type().Underlying(), intType) && !has32(e.Type()) {
		return nil, false
	}
	switch x := e.(type) {
	case *VarRef:
		if list := l.pieces[x.V]; list != nil {
			return list, true
		}
		if x.V.value != nil {
			return l.piecesOf(x.V.value)
		}
	case *Convert:
		if t := x.X.Type(); types.Identical(t.Underlying(), intType) || has32(t) {
			list, ok := l.piecesOf(x.X)
			if ok && !has32(x.T) {
				l.inPieces(list, func(a piece) { l.inRange(a.p, t) })
			}
			return list, ok
		}
	case *Unary:
		if x.Op == token.SUB {
			return l.combined([]Expr{x.X}, func(a []poly) (poly, bool) { return poly{}.plus(a[0], -1), true })
		}
	case *Binary:
		if !l.b.off("wraps") && l.b.k.aroundOnce(x) {
			return l.wrapped(x)
		}
		return l.combined([]Expr{x.X, x.Y}, func(a []poly) (poly, bool) {
			switch x.Op {
			case token.ADD:
				return a[0].plus(a[1], 1), true
			case token.SUB:
				return a[0].plus(a[1], -1), true
			case token.MUL:
				p := a[0].times(a[1])
				return p, p.degree() <= 3 && len(p) <= 7
			}
			return nil, false
		})
	case *Call:
		if x.Fn == nil && (x.Name == "min" || x.Name == "max") {
			list, ok := l.piecesOf(x.Args[0])
			for _, a := range x.Args[1:] {
				more, okMore := l.piecesOf(a)
				if !ok || !okMore {
					return nil, false
				}
				l.inPieces(slices.Concat(list, more), func(a piece) { l.inRange(a.p, e.Type()) })
				list, ok = l.least(list, more, x.Name == "max")
			}
			return list, ok
		}
	}
	return nil, false
}

// combined applies f to every combination of pieces of args.
func (l *lowering) combined(args []Expr, f func([]poly) (poly, bool)) ([]piece, bool) {
	var all [][]piece
	for _, a := range args {
		list, ok := l.piecesOf(a)
		if !ok {
			return nil, false
		}
		all = append(all, list)
	}
	out := []piece{{}}
	polys := [][]poly{nil}
	for _, list := range all {
		var next []piece
		var nextPolys [][]poly
		for i, a := range out {
			for _, b := range list {
				next = append(next, l.both(a, b))
				nextPolys = append(nextPolys, append(append([]poly{}, polys[i]...), b.p))
			}
		}
		out, polys = next, nextPolys
	}
	if len(out) > mostPieces {
		return nil, false
	}
	for i := range out {
		p, ok := f(polys[i])
		if !ok {
			return nil, false
		}
		out[i].p = p
	}
	return out, true
}

// both is the intersection of the threads of two pieces, without a polynomial.
func (l *lowering) both(a, b piece) piece {
	in := overlap(a.in, b.in)
	switch { // a piece without a mask applies to all threads
	case a.on == nil:
		in = b.in
	case b.on == nil:
		in = a.in
	}
	return piece{on: l.joined(a.on, b.on), in: in, facts: slices.Concat(a.facts, b.facts)}
}

// least is the minimum of two integers, or with most the maximum.
func (l *lowering) least(a, b []piece, most bool) ([]piece, bool) {
	var out []piece
	for _, x := range a {
		for _, y := range b {
			if !l.unwrapped(x.p, y.p) {
				return nil, false
			}
			at := l.both(x, y)
			d := x.p.plus(y.p, -1)
			if most {
				d = poly{}.plus(d, -1)
			}
			// The result is x.p where d <= 0.
			if n, ok := d.constant(); ok {
				at.p = y.p
				if n <= 0 {
					at.p = x.p
				}
				out = append(out, at)
				continue
			}
			if d.ofRow() { // y.p + min(d, 0), or y.p - min(d, 0)
				l.small(d, 0)
				sign := int64(1)
				if most {
					sign = -1
				}
				at.p = y.p.plus(l.syms.row(fmt.Sprintf("min(%s, 0)", l.syms.text(d))), sign)
				out = append(out, at)
				continue
			}
			factor, _, ok := d.by(laneSymbol)
			if n, isConst := factor.constant(); !ok || len(factor) > 0 && (!isConst || n != 1 && n != -1) {
				return nil, false
			}
			var first, second piece
			if len(factor) == 0 {
				first.on, first.in = l.whole(d, token.LEQ)
				second.on, second.in = l.not(first.on), first.in.other()
			} else {
				l.bounded = true // most threads are away from the limit
				if varies := x.p.has(laneSymbol); varies {
					first.on, first.in = l.interval(d, token.LEQ)
					second.on, second.in = l.not(first.on), first.in.other()
				} else {
					second.on, second.in = l.interval(d, token.GTR)
					first.on, first.in = l.not(second.on), second.in.other()
				}
				l.bounded = false
			}
			first.facts, second.facts = []fact{fact(number(1).plus(d, -1))}, []fact{fact(d)}
			first, second = l.both(at, first), l.both(at, second)
			first.p, second.p = x.p, y.p
			for _, a := range []piece{first, second} {
				if !l.isNone(a.on) {
					out = append(out, a)
				}
			}
		}
	}
	return out, len(out) <= mostPieces
}

// chosenIndices returns the 32-bit integers that index elements and are assigned several times, but
// never from their own value except to limit it. An example is the index of the left neighbour,
// which at an edge is the thread's own. They are treated as piecewise affine, like 64-bit integers.
func chosenIndices(list []Stmt) map[*Var]bool {
	often, not, index := map[*Var]int{}, map[*Var]bool{}, map[*Var]bool{}
	walk(list, func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			for _, to := range a.L {
				if v, whole := assigned(to); v != nil {
					often[v]++
					c, _ := a.R.(*Call)
					limit := c != nil && c.Fn == nil && (c.Name == "min" || c.Name == "max")
					not[v] = not[v] || !whole || len(a.L) > 1 || mentions(a.R, v) && !limit
				}
			}
		}
		for _, v := range results(s) {
			not[v] = true
		}
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				if x, ok := x.(*Index); ok {
					walkExpr(x.I, func(y Expr) {
						if r, ok := y.(*VarRef); ok && has32(r.V.Type) {
							index[r.V] = true
						}
					})
				}
			})
		})
	})
	for v := range index {
		if often[v] < 2 || not[v] || v.spread || v.common || v.addr {
			delete(index, v)
		}
	}
	return index
}

// assignPieces records the value that an integer has from here on.
func (l *lowering) assignPieces(v *Var, list []piece) {
	delete(l.quotients, v)
	delete(l.ints, v)
	delete(l.pieces, v)
	if len(list) == 1 && l.isAll(list[0].on) {
		l.ints[v] = list[0].p
		return
	}
	l.pieces[v] = list
}

// partly returns the pieces of an integer that becomes now for the active threads and remains old
// for the others. It gives up on the variable v, which becomes a value in lanes, if there are too many.
func (l *lowering) partly(v *Var, old, now []piece) []piece {
	on := piece{on: l.on, in: l.lanes}
	off := piece{on: l.not(l.on), in: l.lanes.other()} // l.on is a proper mask
	var out []piece
	for _, a := range now {
		b := l.both(on, a)
		b.p = a.p
		out = append(out, b)
	}
	for _, a := range old {
		b := l.both(off, a)
		b.p = a.p
		out = append(out, b)
	}
	if len(out) > mostPieces {
		panic(errGeneral{v})
	}
	return out
}

// moving returns the secondary induction variables of a loop with their steps: integers that its
// body assigns once, in every iteration, as v = v + d.
func (l *lowering) moving(s *For, counter *Var) map[*Var]poly {
	found := map[*Var]poly{}
	often := map[*Var]int{}
	walk(s.Body, func(x Stmt) {
		if a, ok := x.(*Assign); ok {
			for _, to := range a.L {
				if v, _ := assigned(to); v != nil {
					often[v]++
				}
			}
		}
	})
	for _, x := range s.Body {
		a, ok := x.(*Assign)
		if !ok || a.Def || len(a.L) != 1 || a.L[0] == nil {
			continue
		}
		v, whole := assigned(a.L[0])
		if v == nil || !whole || v == counter || v.spread || v.addr || often[v] != 1 || !isInteger(v.Type) || !wide(v.Type) || l.ints[v] == nil && l.pieces[v] == nil || l.general[v] {
			continue
		}
		sum, ok := a.R.(*Binary)
		if !ok || sum.Op != token.ADD && sum.Op != token.SUB {
			continue
		}
		distance := sum.Y
		if r, isVar := sum.X.(*VarRef); !isVar || r.V != v {
			if r, isVar := sum.Y.(*VarRef); !isVar || r.V != v || sum.Op != token.ADD {
				continue
			}
			distance = sum.X
		}
		if d, ok := l.polyOf(distance); ok && l.ofRow(distance) && d.ofRow() {
			if sum.Op == token.SUB {
				d = poly{}.plus(d, -1)
			}
			found[v] = d
		}
	}
	return found
}

// A tie is what follows a counter: other integers that each iteration advances at its end, as of for at < end
// {sum += a[at]*x[j]; at++; j++}. In iteration k, with the counter start + k*step, they are their initial values
// plus k times a distance (induction variable substitution).
type tie struct {
	start            poly
	step             int64
	first, distances map[*Var]poly
}

// tied returns the loop s, whose counter is i, without the advance of integers that follow the counter, and those
// of moving that don't.
func (l *lowering) tied(s *For, i *Var, moving map[*Var]poly, start poly, step int64) (*For, map[*Var]poly) {
	t := tie{start, step, map[*Var]poly{}, map[*Var]poly{}}
	body := s.Body
	for len(body) > 0 {
		a, ok := body[len(body)-1].(*Assign)
		if !ok || len(a.L) != 1 || a.L[0] == nil {
			break
		}
		v, _ := assigned(a.L[0])
		d, moves := moving[v]
		if v == nil || !moves || l.ints[v] == nil {
			break
		}
		t.first[v], t.distances[v] = l.ints[v], d
		body = body[:len(body)-1]
	}
	if len(t.first) == 0 {
		return s, moving
	}
	rest := map[*Var]poly{}
	for v, d := range moving {
		if t.first[v] == nil {
			rest[v] = d
		}
	}
	if l.ties == nil {
		l.ties = map[*Var]tie{}
	}
	l.ties[i] = t
	without := *s
	without.Body = body
	return &without, rest
}

// setCounter sets the counter of a loop, and what follows it.
func (l *lowering) setCounter(i *Var, p poly) {
	l.ints[i] = p
	t, ok := l.ties[i]
	if !ok {
		return
	}
	rounds := poly{}
	for m, n := range p.plus(t.start, -1) {
		rounds[m] = n / t.step
	}
	for v, first := range t.first {
		l.ints[v] = first.plus(t.distances[v].times(rounds), 1)
	}
}

// moved advances the induction variables in all by a number of iterations.
func (l *lowering) moved(all map[*Var]poly, rounds poly) {
	for v, d := range all {
		by := d.times(rounds)
		if p, ok := l.ints[v]; ok {
			l.ints[v] = p.plus(by, 1)
		}
		if list := l.pieces[v]; list != nil {
			next := make([]piece, len(list))
			for i, a := range list {
				next[i] = a
				next[i].p = a.p.plus(by, 1)
			}
			l.pieces[v] = next
		}
	}
}

// inPieces calls each for every piece, with the piece's threads active. each loads or stores the
// elements of that piece.
func (l *lowering) inPieces(list []piece, each func(a piece)) {
	on, in := l.on, l.lanes
	for _, a := range list {
		if l.on, l.lanes = on, in; a.on != nil {
			l.on, l.lanes = l.joined(on, a.on), overlap(in, a.in)
		}
		l.given(a.facts, func() { each(a) })
	}
	l.on, l.lanes = on, in
}

// sequence returns the values of p as a vector of 32 bits, modulo 2^32, or of 64 bits.
func (l *lowering) sequence(p poly, k lir.Kind) operand {
	if products, rest := p.bent(); len(products) > 0 {
		v := l.productsOf(products, k)
		if len(rest) == 0 {
			return v
		}
		return l.op(lir.Instr{Op: lir.Add, Kind: k}, nil, v, l.sequence(rest, k))
	}
	if n, isConst := p.constant(); isConst {
		imm := uint64(n) & (math.MaxUint64 >> (64 - 8*k.Size()))
		return l.once(fmt.Sprint("c", imm, k), k, lir.Instr{Op: lir.Const, Imm: imm})
	}
	if p.ofRow() {
		if t := map[lir.Kind]string{lir.I32: "int32", lir.I64: "int64"}[k]; t != "" {
			text := fmt.Sprintf("%s(%s)", t, l.syms.text(p))
			return l.once("a"+text, k, lir.Instr{Op: lir.Arg, Mem: lir.Mem{Disp: l.arg(t, text)}})
		}
	}
	factor, rest, ok := p.by(laneSymbol)
	if !ok || !factor.ofRow() {
		cannot("an integer with a square")
	}
	l.small(factor, 1)
	if n, isConst := factor.constant(); isConst && (n < -1<<30 || n > 1<<30) {
		cannot("a large factor")
	} else if !isConst && k.Size() == 8 {
		l.check(fmt.Sprintf("%s.Small(%s, 31)", l.b.rt(), l.syms.text(factor)))
	}
	step := lir.Scalar{Off: l.arg("int", l.syms.text(factor))}
	width := l.parts
	if rest.has(rowSymbol) {
		width = l.width()
	}
	// The scalar begins at the first thread of the strip, while p counts from thread 0.
	begin := rest.plus(factor.times(l.syms.row("‹lo›")), 1)
	out := make(operand, width)
	for i := range out {
		out[i] = l.n.New(k)
		l.emit(&lir.Instr{Op: lir.Index, Kind: k, Dst: out[i], Bounds: [2]lir.Scalar{l.scalar(begin, i/l.parts), step}, Part: i % l.parts})
	}
	return out
}
