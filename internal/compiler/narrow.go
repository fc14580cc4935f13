package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Narrow integers: a sum of bytes is an int in Go, and 64-bit vectors have half the lanes. An int
// that is not affine, but is computed from small integers in loops of known trip counts, is kept in
// 32 bits if its absolute value stays below 2^30. A check before the nest ensures that (value range
// analysis; Stephenson, Babb and Amarasinghe, 2000).

const (
	mostAdded  = 24 // bits of a summand of a narrow integer
	mostGiven  = 29 // bits of an assigned value
	mostOfRow  = 26 // bits of a uniform value, so that a few additions keep it below mostGiven
	mostNarrow = 30 // bits of a narrow integer
	// bits of an operand of a bitwise operation that is known as a polynomial
	mostOfPlace = 28
)

// errNarrow reports an integer that was assumed narrow and can't be.
type errNarrow struct{ v *Var }

func (e errNarrow) Error() string { return "the integer " + e.v.Name + " has 64 bits" }

// markWide records such an integer.
func (b *body) markWide(v *Var) {
	if b.notNarrow == nil {
		b.notNarrow = map[*Var]bool{}
	}
	b.notNarrow[v] = true
}

// isNarrow reports whether an integer that is not affine is kept narrow.
func (l *lowering) isNarrow(v *Var) bool {
	return l.general[v] && !l.b.notNarrow[v] && l.canBeNarrow(v)
}

// canBeNarrow reports whether every assignment makes an integer a sum of small ones.
func (l *lowering) canBeNarrow(v *Var) bool {
	if narrow, known := l.fitting[v]; known {
		return narrow
	}
	if l.fitting == nil {
		l.fitting = map[*Var]bool{}
	}
	l.fitting[v] = false // during the analysis, for recursion
	ok := types.Identical(v.Type.Underlying(), intType) && !v.addr && !v.spread && !v.common && !v.Param && v.value == nil && !l.b.off("narrow")
	walk(l.region, func(s Stmt) {
		a, isAssign := s.(*Assign)
		if !isAssign || !ok {
			return
		}
		for _, to := range a.L {
			if w, whole := assigned(to); w == v {
				op, n, fits := l.added(a, v)
				ok = ok && whole && len(a.L) == 1 && fits && (n <= mostAdded || op == 0 && n <= mostGiven)
			}
		}
	})
	l.fitting[v] = ok && l.often[v] > 0
	return l.fitting[v]
}

// added analyses an assignment to v: op is 0 for a new value, ADD or SUB for a summand, NOT for a
// negation of v itself, and n the number of bits of the value or the summand.
func (l *lowering) added(a *Assign, v *Var) (op token.Token, n int, ok bool) {
	e := a.R
	if x, isNeg := e.(*Unary); isNeg && x.Op == token.SUB && isRef(x.X, v) {
		return token.NOT, 0, true
	}
	if sum, isSum := sumOf(a); isSum && !a.Def {
		e, op = sum.what, sum.op
	}
	if c, isCall := e.(*Call); isCall && op == 0 && c.Fn == nil && (c.Name == "min" || c.Name == "max") {
		for _, a := range c.Args { // v itself adds nothing to the bound
			if isRef(a, v) {
				continue
			}
			m, fits := l.bitsOf(a, 0)
			if !fits || mentions(a, v) {
				return 0, 0, false
			}
			n = max(n, m)
		}
		return 0, n, true
	}
	if mentions(e, v) {
		return 0, 0, false
	}
	n, ok = l.bitsOf(e, 0)
	return op, n, ok
}

// bitsOf returns a number of bits such that -2^bits <= e <= 2^bits, if such a small number is
// known.
func (l *lowering) bitsOf(e Expr, depth int) (int, bool) {
	if n, ok := constInt(e); ok {
		return bits.Len64(uint64(max(n, -n))), n > -1<<40 && n < 1<<40
	}
	if !isInteger(e.Type()) || depth > 12 {
		return 0, false
	}
	if k := smallKind(e.Type()); k != lir.None {
		return 8 * k.Size(), true
	}
	if !types.Identical(e.Type().Underlying(), intType) {
		return 0, false
	}
	if l.ofRow(e) {
		return mostOfRow, true // checked where the value is used
	}
	switch x := e.(type) {
	case *VarRef:
		if x.V.value != nil {
			return l.bitsOf(x.V.value, depth+1)
		}
		if l.isCounter(x.V) {
			return mostGiven, true
		}
		if l.often[x.V] > 1 && l.canBeNarrow(x.V) {
			return l.mostBits(x.V), true
		}
		if l.often[x.V] != 1 || x.V.Param || x.V.addr {
			return 0, false
		}
		n, ok := 0, false
		walk(l.region, func(s Stmt) {
			if a, isAssign := s.(*Assign); isAssign && len(a.L) == 1 && a.L[0] != nil && a.Def && isRef(a.L[0], x.V) {
				n, ok = l.bitsOf(a.R, depth+1)
			}
		})
		return n, ok
	case *Convert:
		if l.isTruncation(x) {
			return mostGiven, true
		}
		return l.bitsOf(x.X, depth+1)
	case *Unary:
		if x.Op == token.SUB || x.Op == token.ADD {
			return l.bitsOf(x.X, depth+1)
		}
	case *Call:
		if x.Fn == nil && (x.Name == "min" || x.Name == "max") {
			most := 0
			for _, a := range x.Args {
				n, ok := l.bitsOf(a, depth+1)
				if !ok {
					return 0, false
				}
				most = max(most, n)
			}
			return most, true
		}
	case *Binary:
		n, ok := l.bitsOf(x.X, depth+1)
		m, okY := l.bitsOf(x.Y, depth+1)
		c, isConst := constInt(x.Y)
		if combinesBits(x.Op) && !(x.Op == token.AND && isConst && c >= 0) {
			if !ok && l.isPlace(x.X, depth) {
				n, ok = mostOfPlace, true
			}
			if !okY && l.isPlace(x.Y, depth) {
				m, okY = mostOfPlace, true
			}
			return max(n, m) + 1, ok && okY
		}
		switch {
		case x.Op == token.QUO || x.Op == token.REM: // by any divisor
			return n, ok
		case !ok || !okY:
			return 0, false
		case x.Op == token.ADD || x.Op == token.SUB:
			return max(n, m) + 1, true
		case x.Op == token.MUL:
			return n + m, true
		case x.Op == token.SHR && isConst && c >= 0:
			return n, true
		case x.Op == token.SHL && isConst && 0 <= c && c < 32:
			return n + int(c), true
		case x.Op == token.AND && isConst && c >= 0:
			return m, true
		}
	}
	return 0, false
}

// combinesBits reports whether op combines the bits of two integers.
func combinesBits(op token.Token) bool { return op == token.AND || op == token.OR || op == token.XOR }

// isPlace reports whether an int is a sum of products of the thread's index and of uniform values.
func (l *lowering) isPlace(e Expr, depth int) bool {
	if depth > 12 || !types.Identical(e.Type().Underlying(), intType) {
		return false
	}
	if l.ofRow(e) {
		return true
	}
	switch x := e.(type) {
	case *Index3, *Rank:
		return true
	case *VarRef:
		if x.V.value != nil {
			return l.isPlace(x.V.value, depth+1)
		}
		if l.often[x.V] != 1 || x.V.Param || x.V.addr {
			return false
		}
		ok := false
		walk(l.region, func(s Stmt) {
			if a, isAssign := s.(*Assign); isAssign && len(a.L) == 1 && a.L[0] != nil && a.Def && isRef(a.L[0], x.V) {
				ok = l.isPlace(a.R, depth+1)
			}
		})
		return ok
	case *Binary:
		switch x.Op {
		case token.ADD, token.SUB, token.MUL:
			return l.isPlace(x.X, depth+1) && l.isPlace(x.Y, depth+1) && (x.Op != token.MUL || l.ofRow(x.X) || l.ofRow(x.Y))
		}
	}
	return false
}

// mostBits returns a number of bits such that -2^bits <= v <= 2^bits after all assignments to the
// narrow integer v.
func (l *lowering) mostBits(v *Var) int {
	again := map[Stmt]bool{} // the statements in loops
	walk(l.region, func(s Stmt) {
		if f, ok := s.(*For); ok {
			walk(slices.Concat(f.Body, f.Post), func(s Stmt) { again[s] = true })
		}
	})
	given, added := int64(0), int64(0)
	walk(l.region, func(s Stmt) {
		if a, ok := s.(*Assign); ok && len(a.L) == 1 && a.L[0] != nil && isRef(a.L[0], v) {
			switch op, n, _ := l.added(a, v); {
			case op == 0:
				given = max(given, 1<<n)
			case op == token.NOT:
			case again[s]:
				added = 1 << mostNarrow
			default:
				added += 1 << n
			}
		}
	})
	return min(bits.Len64(uint64(max(given+added-1, 0))), mostNarrow)
}

// assignNarrow lowers an assignment to a narrow integer.
func (l *lowering) assignNarrow(s *Assign, v *Var) {
	if l.values[v] == nil {
		if !s.Def {
			cannot("%s is not defined here", v.Name)
		}
		o := make(operand, l.width())
		for p := range o {
			o[p] = l.n.New(lir.I32)
			l.mutable[o[p]] = true
		}
		l.values[v], l.depth[v] = o, len(l.rounds)
	}
	l.b.k.works("narrow")
	to := l.values[v]
	op, n, _ := l.added(s, v)
	var x operand
	switch op {
	case token.ADD, token.SUB:
		sum, _ := sumOf(s)
		c := l.narrowed(sum.what, v, n)
		l.bound(v, sum.what, n)
		verb := map[token.Token]lir.Op{token.ADD: lir.Add, token.SUB: lir.Sub}[op]
		if s.Def || l.everywhere() {
			l.op(lir.Instr{Op: verb, Kind: lir.I32, Bound: l.boundNumber(v)}, to, to, c)
			return
		}
		x = l.op(lir.Instr{Op: verb, Kind: lir.I32}, nil, to, c)
	case token.NOT:
		x = l.op(lir.Instr{Op: lir.Neg, Kind: lir.I32}, nil, to)
	default:
		x = l.narrowed(s.R, v, n)
		if l.widest == nil {
			l.widest = map[*Var]int{}
		}
		l.widest[v] = max(l.widest[v], n)
	}
	if s.Def && l.often[v] == 1 {
		l.sameOrder(x, to)
	}
	for p := range to {
		if s.Def || l.everywhere() {
			l.emit(&lir.Instr{Op: lir.Move, Kind: lir.I32, Dst: to[p], X: x.at(p), Bound: l.boundNumber(v)})
		} else {
			l.emit(&lir.Instr{Op: lir.Select, Kind: lir.I32, Dst: to[p], X: l.on.at(p), Y: x.at(p), Z: to[p], Bound: l.boundNumber(v)})
		}
	}
}

// isCounter reports whether an integer only counts iterations of a loop, from a constant.
func (l *lowering) isCounter(v *Var) bool {
	if v.Param || v.addr || v.spread || v.common || l.often[v] != 2 {
		return false
	}
	begins, counts := false, false
	walk(l.region, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			if s.Def && len(s.L) == 1 && s.L[0] != nil && isRef(s.L[0], v) {
				n, isConst := constInt(s.R)
				begins = isConst && -1<<10 < n && n < 1<<10
			}
		case *For:
			for _, x := range s.Post {
				if a, ok := x.(*Assign); ok && len(a.L) == 1 && a.L[0] != nil && isRef(a.L[0], v) {
					sum, isSum := sumOf(a)
					n, isConst := constInt(sum.what)
					counts = isSum && isConst && -1<<7 < n && n < 1<<7
				}
			}
		}
	})
	return begins && counts
}

// isTruncation reports whether e converts a float32 to an int that may be narrow.
func (l *lowering) isTruncation(e *Convert) bool {
	return l.truncates && !l.single() && !l.b.off("narrow") && types.Identical(e.T.Underlying(), intType) && elem(e.X.Type()) == "F32"
}

// truncation returns that int in 32 bits. If it does not fit, the nest is left, and plain Go
// executes the rest of the row.
func (l *lowering) truncation(e *Convert) counted {
	l.truncated = true
	x := l.value(e.X, nil)
	size := l.op(lir.Instr{Op: lir.Abs, Kind: lir.F32}, nil, x)
	most := l.once("small float32", lir.F32, lir.Instr{Op: lir.Const, Imm: uint64(math.Float32bits(1 << mostGiven))})
	small := l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.F32, Pred: lir.Lt}, nil, size, most)
	if l.on == nil {
		l.leaveWhere(l.not(small))
	} else {
		l.leaveWhere(l.without(l.on, small))
	}
	return counted{p: poly{}, factor: 1, vec: l.op(lir.Instr{Op: lir.Convert, Kind: lir.I32, From: lir.F32}, nil, x), bits: mostGiven}
}

// narrowed returns an integer of n bits as a 32-bit vector, to be assigned to v.
func (l *lowering) narrowed(e Expr, v *Var, n int) operand {
	c, ok := l.countOf(e)
	if !ok || !l.exact(c) {
		panic(errNarrow{v})
	}
	// only the polynomial is known, so its range is checked
	if _, isConst := c.p.constant(); !isConst && c.vec == nil {
		lo, hi := l.hull(c.p)
		l.check(fmt.Sprintf("%s >= -1<<%d && %s <= 1<<%d", lo, n, hi, n))
	} else if len(c.p) > 0 && c.vec != nil {
		if c.factor < -1<<7 || c.factor > 1<<7 {
			panic(errNarrow{v})
		}
		lo, hi := l.hull(c.p)
		l.check(fmt.Sprintf("%s >= -1<<%d && %s <= 1<<%d", lo, n-1, hi, n-1))
	}
	return l.numbers(c)
}

// bound records a summand of a narrow integer, of n bits, times the trip counts of the enclosing
// loops inside the integer's scope.
func (l *lowering) bound(v *Var, e Expr, n int) {
	most := fmt.Sprint(int64(1) << n)
	if c, isConst := constInt(e); isConst {
		most = fmt.Sprint(max(c, -c))
	}
	b, born := l.born[v]
	for _, r := range l.rounds {
		if born && slices.Contains(b.rounds, r) || r == l.rowRound {
			continue
		}
		if r.trips == "" {
			panic(errNarrow{v})
		}
		most += fmt.Sprintf("*float64(max(%s, 0))", r.trips)
	}
	if l.bounds == nil {
		l.bounds = map[*Var][]string{}
	}
	l.bounds[v] = append(l.bounds[v], most)
}

// checkBounds adds the checks that narrow integers stay narrow.
func (l *lowering) checkBounds() {
	for _, v := range sortedVars(keysOf(l.bounds)) {
		var sum float64
		var terms []string
		for _, t := range l.bounds[v] {
			var n float64
			if strings.Contains(t, "*") {
				terms = append(terms, t)
			} else if _, err := fmt.Sscan(t, &n); err == nil {
				sum += n
			}
		}
		if n, isGiven := l.widest[v]; isGiven {
			sum += float64(int64(1) << n)
		}
		if sum >= 1<<mostNarrow {
			panic(errNarrow{v})
		}
		if len(terms) > 0 {
			l.check(fmt.Sprintf("%s + %g < 1<<%d", strings.Join(terms, " + "), sum, mostNarrow))
		}
		if i := slices.Index(l.numbered, v); i >= 0 {
			l.n.Bounds[i] = strings.Join(append(terms, fmt.Sprint(sum)), " + ")
		}
	}
	for i, v := range l.numbered {
		if l.n.Bounds[i] == "" { // nothing is added to it
			l.n.Bounds[i] = fmt.Sprint(int64(1) << l.widest[v])
		}
	}
}

// boundNumber returns the number, from 1, under which the nest has the bound of a narrow integer.
func (l *lowering) boundNumber(v *Var) int {
	i := slices.Index(l.numbered, v)
	if i < 0 {
		i = len(l.numbered)
		l.numbered = append(l.numbered, v)
		l.n.Bounds = append(l.n.Bounds, "")
	}
	return i + 1
}

func keysOf(m map[*Var][]string) map[*Var]bool {
	out := map[*Var]bool{}
	for v := range m {
		out[v] = true
	}
	return out
}

// bitsIn returns a number of bits such that -2^bits <= c <= 2^bits, for a c that fits in 32 bits.
func (l *lowering) bitsIn(c counted) int {
	if c.vec == nil {
		if n, isConst := c.p.constant(); isConst {
			return bits.Len64(uint64(max(n, -n)))
		}
		return mostNarrow
	}
	if len(c.p) == 0 && c.factor == 1 {
		return c.bits
	}
	if n, isConst := c.p.constant(); isConst && -1<<7 < c.factor && c.factor < 1<<7 {
		return min(max(bits.Len64(uint64(max(n, -n))), c.bits+bits.Len64(uint64(max(c.factor, -c.factor)-1)))+1, mostNarrow)
	}
	return mostNarrow
}

// placeBits is bitsIn for an operand of a bitwise operation. If only its polynomial is known, its range is checked.
func (l *lowering) placeBits(c counted) int {
	if _, isConst := c.p.constant(); c.vec == nil && !isConst {
		lo, hi := l.hull(c.p)
		l.check(fmt.Sprintf("%s >= -1<<%d && %s <= 1<<%d", lo, mostOfPlace, hi, mostOfPlace))
		return mostOfPlace
	}
	return l.bitsIn(c)
}

// threadBits is the number of bits of how many threads a block may have, 1024.
const threadBits = 11

// factorBits is bitsIn for a factor, of which the number of threads of a block is known to be small; see
// memoryOf.
func (l *lowering) factorBits(c counted) int {
	if c.vec == nil && c.p.ofRow() {
		text := l.syms.text(c.p)
		for _, m := range l.b.local {
			if containsWord(text, m.Name) {
				return threadBits
			}
		}
	}
	return l.bitsIn(c)
}

// narrowBinary returns the result of an operation on 32-bit lanes.
func (l *lowering) narrowBinary(x *Binary, a, b counted) (counted, bool) {
	n, m := l.bitsIn(a), l.bitsIn(b)
	c, isConst := b.p.constant()
	isConst = isConst && b.vec == nil
	verb, fits := lir.Op(0), 0
	imm := uint64(0)
	switch x.Op {
	case token.ADD:
		verb, fits = lir.Add, max(n, m)+1
	case token.SUB:
		verb, fits = lir.Sub, max(n, m)+1
	case token.MUL:
		n, m = l.factorBits(a), l.factorBits(b)
		verb, fits = lir.Mul, n+m
	case token.AND, token.OR, token.XOR:
		if x.Op == token.AND && isConst && c >= 0 {
			verb, fits = lir.And, m
			break
		}
		n, m = l.placeBits(a), l.placeBits(b)
		verb, fits = map[token.Token]lir.Op{token.AND: lir.And, token.OR: lir.Or, token.XOR: lir.Xor}[x.Op], max(n, m)+1
	case token.SHR:
		if !isConst || c < 0 || c > 31 {
			return counted{}, false
		}
		verb, fits, imm = lir.Shr, n, uint64(c)
	case token.SHL:
		if !isConst || c < 0 || c > 31 {
			return counted{}, false
		}
		verb, fits, imm = lir.Shl, n+int(c), uint64(c)
	case token.QUO, token.REM:
		verb, fits = lir.Div, n
	default:
		return counted{}, false
	}
	if n > mostNarrow && verb != lir.And && verb != lir.Shr || fits > mostNarrow || !l.exact(a) || !l.exact(b) {
		return counted{}, false
	}
	vec := l.numbers(a)
	if verb == lir.Div && isConst && c == 0 {
		return counted{}, false
	}
	var o operand
	switch verb {
	case lir.Shl, lir.Shr:
		o = l.op(lir.Instr{Op: verb, Kind: lir.I32, Imm: imm}, nil, vec)
	case lir.Div:
		if isConst && !l.single() {
			if o = l.byConstant(x.Op, vec, lir.I32, c, nil, lir.I32); o != nil {
				break
			}
		}
		by := l.numbers(b)
		if !isConst {
			zero := l.once(fmt.Sprint("c", uint64(0), lir.I32), lir.I32, lir.Instr{Op: lir.Const})
			l.leaveWhere(l.joined(l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.I32, Pred: lir.Eq}, nil, by, zero), l.on))
		}
		o = l.op(lir.Instr{Op: verb, Kind: lir.I32}, nil, vec, by)
		if x.Op == token.REM {
			o = l.op(lir.Instr{Op: lir.Sub, Kind: lir.I32}, nil, vec, l.op(lir.Instr{Op: lir.Mul, Kind: lir.I32}, nil, o, by))
		}
	default:
		o = l.op(lir.Instr{Op: verb, Kind: lir.I32}, nil, vec, l.numbers(b))
		if verb == lir.Xor {
			l.swapping(o, a, b)
		}
	}
	return counted{p: poly{}, factor: 1, vec: o, bits: fits}, true
}
