package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Unrolling of loops with few iterations. Counters become constants, so that conditions on them are
// decided, and elements of a thread's own arrays become registers (scalar replacement of
// aggregates).

// Limits of an unrolled loop: its trip count, and the statements of all iterations together.
const (
	mostUnrolled = 9
	mostInRounds = 160

	// The limits if a thread's own arrays become registers.
	mostUnrolledOwn = 32
	mostInRoundsOwn = 640
)

// unrolled lowers a loop by full unrolling, if its trip count is small and unrolling pays.
func (l *lowering) unrolled(s *For, i *Var, start poly, step int64, count poly) bool {
	first, okFirst := start.constant()
	n, okCount := count.constant()
	if l.b.off("unroll") || !okFirst || !okCount || s.breaks {
		return false
	}
	if cond, ok := s.Cond.(*Binary); n <= 0 && ok && (cond.Op == token.EQL || cond.Op == token.NEQ) {
		return false // the counter may wrap around
	}
	if n <= 0 { // as the inner loops of elimination have it in the last iteration of the outer one
		delete(l.ints, i)
		return true
	}
	by := max(step, -step)
	trips := (n + by - 1) / by
	statements := int64(0)
	gains, own := trips <= 3 || s.continues, false
	bits, vague := false, false // operations on bits that become uniform numbers, and others that don't
	derived := []*Var{i}        // variables computed from the counter
	ofLane := []*Var{}          // and, among these, those that differ between the threads of a row
	walk(s.Body, func(x Stmt) {
		statements++
		ofRound := func(e Expr) bool {
			return slices.ContainsFunc(derived, func(v *Var) bool { return mentions(e, v) })
		}
		switch x := x.(type) {
		case *If:
			gains = gains || mentions(x.Cond, i) || trips <= 4 && !loads(x.Cond) && ofRound(x.Cond)
		case *Assign:
			if v, whole := assigned(x.L[0]); x.Def && len(x.L) == 1 && v != nil && whole && isInteger(v.Type) && !loads(x.R) && ofRound(x.R) {
				derived = append(derived, v)
				if l.ofLanes(x.R, ofLane) {
					ofLane = append(ofLane, v)
				}
			}
		}
		exprs(x, func(e Expr) {
			walkExpr(e, func(y Expr) {
				switch y := y.(type) {
				case *Index:
					gains = gains || trips == 4 && step == 1 && l.isChannel(y, i, trips)
					own = own || l.isOwnArray(y.X) || isTable(y.X) || isSlicesArray(y.X) && mentions(y.I, i)
				case *Binary:
					gains = gains || (y.Op == token.QUO || y.Op == token.REM) && isInteger(y.T) && mentions(y.X, i)
					switch {
					case !isInteger(y.T) || !ofRound(y.X) || l.ofLanes(y, ofLane):
					case isBitwise(y): // a number that the threads of a row share
						bits = true
					case y.Op == token.SHL || y.Op == token.SHR:
						_, isConst := constInt(y.Y)
						vague = vague || !isConst
					}
				}
			})
		})
	})
	gains = gains || bits && !vague
	if (!gains || trips > mostUnrolled || trips*statements > mostInRounds) && (!own || trips > mostUnrolledOwn || trips*statements > mostInRoundsOwn) {
		return false
	}
	l.b.k.works("unroll")
	var locals []*Var // variables declared in the body, which are new in each iteration
	walk(s.Body, func(x Stmt) {
		if a, ok := x.(*Assign); ok && a.Def {
			locals = append(locals, sortedVars(assignedIn(a))...)
		}
	})
	forget := func(v *Var) {
		delete(l.values, v)
		delete(l.ints, v)
		delete(l.pieces, v)
		delete(l.quotients, v)
		delete(l.starts, v)
		delete(l.arrays, v)
	}
	on, lanesBefore, leaving, left := l.on, l.lanes, l.leaving, l.left
	for r := range trips {
		for _, v := range locals {
			forget(v)
		}
		forget(i)
		l.ints[i] = number(first + r*step)
		if s.continues {
			l.leaving = &departing{s: s, live: l.registers(on), continues: true, whens: len(l.whens)}
		}
		l.on = l.staying(s, on)
		l.stmts(s.Body)
		l.on, l.lanes = on, lanesBefore
		if l.left != left {
			clear(l.loads)
		}
		if s.continues { // a thread that has continued takes part in the next iteration
			l.leaving, l.left = leaving, left
		}
	}
	forget(i)
	return true
}

// isChannel reports whether a loop visits all channels of a thread's own pixel, or a similar
// record: the index of x changes by n or -n from thread to thread, and grows by 1 from iteration to
// iteration.
func (l *lowering) isChannel(x *Index, counter *Var, n int64) bool {
	before, known := l.ints[counter]
	defer func() {
		if l.quiet--; known {
			l.ints[counter] = before
		} else {
			delete(l.ints, counter)
		}
	}()
	l.quiet++
	at := func(round int64) (poly, bool) {
		l.ints[counter] = number(round)
		return l.polyOf(&Convert{x.I, intType})
	}
	first, ok := at(0)
	second, okSecond := at(1)
	if !ok || !okSecond {
		return false
	}
	step, isStep := second.plus(first, -1).constant()
	factor, _, isSteady := first.by(laneSymbol)
	apart, isConst := factor.constant()
	return isStep && step == 1 && isSteady && isConst && (apart == n || apart == -n)
}

// registers returns new mask registers that are initialized from on.
func (l *lowering) registers(on operand) operand {
	live := make(operand, l.width())
	for i := range live {
		live[i] = l.n.New(lir.Mask)
		l.mutable[live[i]] = true
		all := l.all()
		if on != nil {
			all = on.at(i)
		}
		l.emit(&lir.Instr{Op: lir.Move, Kind: lir.Mask, Dst: live[i], X: all})
	}
	return live
}

// mostElements is the largest array whose elements become registers.
const mostElements = 64

// isOwnArray reports whether e is a small array variable of a thread, or an array inside one.
func (l *lowering) isOwnArray(e Expr) bool {
	if x, isIndex := e.(*Index); isIndex && isArray(x.T) {
		return l.isOwnArray(x.X)
	}
	r, ok := e.(*VarRef)
	if !ok || r.V.addr || r.V.spread && l.arrays[r.V] == nil || r.V.common || l.isArrayParam(e) {
		return false
	}
	n, of := numbersIn(r.V.Type)
	return n > 0 && n <= mostElements && elem(of) != ""
}

// numbersIn returns the number and the type of the scalars in t; nested arrays are flattened.
func numbersIn(t types.Type) (int64, types.Type) {
	a, ok := t.Underlying().(*types.Array)
	if !ok {
		return 1, t
	}
	n, of := numbersIn(a.Elem())
	return a.Len() * n, of
}

// leaves returns the scalars of an array in order; nil stands for an element that a literal leaves
// zero.
func (l *lowering) leaves(e Expr) []Expr {
	a, ok := e.Type().Underlying().(*types.Array)
	if !ok {
		return []Expr{e}
	}
	c, isLiteral := e.(*Composite)
	if isLiteral && len(c.Keys) > 0 && c.Keys[0] != "" {
		cannot("values of type %s", e.Type())
	}
	var out []Expr
	for n := range a.Len() {
		switch {
		case !isLiteral:
			out = append(out, l.leaves(&Index{X: e, I: &Const{constant.MakeInt64(n), types.Typ[types.Int]}, T: a.Elem()})...)
		case int(n) < len(c.Vals):
			out = append(out, l.leaves(c.Vals[n])...)
		default:
			many, _ := numbersIn(a.Elem())
			out = append(out, make([]Expr, many)...)
		}
	}
	return out
}

// isArrayParam reports whether e is an array parameter or an array of the block that the region
// does not change. Its elements are in memory, and the same for all threads.
func (l *lowering) isArrayParam(e Expr) bool {
	r, ok := e.(*VarRef)
	return ok && (r.V.Param || r.V.common) && isArray(r.V.Type) && !l.assigned[r.V] && !r.V.addr
}

// slice is a Go expression for the slice that contains an element.
func (l *lowering) slice(x *Index) string {
	of := l.expand(x.X)
	if row, isRow := of.(*Index); isRow {
		if r := l.inRows(row); r != nil {
			return r.text()
		}
		if !l.isSteady(row) {
			cannot("elements of what is no slice of the kernel")
		}
		return l.local("ofRow", l.b.expr(l.safe(row)))
	}
	text := l.b.expr(of)
	if isSlice(x.X.Type()) {
		return text
	}
	return text + "[:]"
}

// declareArray makes registers for an array and initializes them from e.
func (l *lowering) declareArray(v *Var, e Expr) {
	if !l.isOwnArray(&VarRef{v}) {
		if n, _ := numbersIn(v.Type); isArray(v.Type) && n > mostElements && n <= mostLocal && !l.general[v] && !l.b.off("local") {
			// In plain Go the array of one thread fits into the cache; those of all threads of a block don't.
			if anyStmt(l.region, func(s Stmt) bool { return selects(s, v) }) {
				cannot("elements of a thread's own array of %d, which are chosen by data", n)
			}
			panic(errGeneral{v}) // it will be in memory
		}
		cannot("values of type %s", v.Type)
	}
	_, of := numbersIn(v.Type)
	if list, ok := l.integersOf(v, of, e); ok {
		l.integers[v] = list
		return
	}
	k := l.kind(of)
	var regs []operand
	zero := l.once("zero "+k.String(), k, lir.Instr{Op: lir.Const})
	for _, x := range l.leaves(e) {
		reg := make(operand, l.width())
		for p := range reg {
			reg[p] = l.n.New(k)
			l.mutable[reg[p]] = true
		}
		if x != nil {
			l.value(x, reg)
		} else {
			for p := range reg {
				l.emit(&lir.Instr{Op: lir.Move, Kind: k, Dst: reg[p], X: zero[0]})
			}
		}
		regs = append(regs, reg)
	}
	l.arrays[v] = regs
}

// integersOf returns the elements of an array of integers as polynomials, as the offsets of neighbours
// are, if nothing changes the array.
func (l *lowering) integersOf(v *Var, of types.Type, e Expr) (list []poly, ok bool) {
	if !isInteger(of) || smallKind(of) != lir.None || isUnsigned64(of) || l.often[v] != 1 || v.spread || l.general[v] || l.single() {
		return nil, false
	}
	for _, x := range l.leaves(e) {
		p := poly{}
		if x != nil {
			if p, ok = l.polyOf(x); !ok {
				return nil, false
			}
		}
		list = append(list, p)
	}
	return list, true
}

// assignArray assigns e to an array in registers. e may use the array's old elements.
func (l *lowering) assignArray(v *Var, e Expr) {
	_, of := numbersIn(v.Type)
	k := l.kind(of)
	var values []operand
	for _, x := range l.leaves(e) {
		if x == nil {
			x = &Const{constant.MakeInt64(0), of}
		}
		values = append(values, l.op(lir.Instr{Op: lir.Move, Kind: k}, nil, l.value(x, nil)))
	}
	for n, to := range l.arrays[v] {
		for p := range to {
			if l.everywhere() {
				l.emit(&lir.Instr{Op: lir.Move, Kind: k, Dst: to[p], X: values[n].at(p)})
			} else {
				l.emit(&lir.Instr{Op: lir.Select, Kind: k, Dst: to[p], X: l.on.at(p), Y: values[n].at(p), Z: to[p]})
			}
		}
	}
}

// elementRegister returns the register of an element of a thread's own array.
func (l *lowering) elementRegister(x *Index) operand {
	v, at, ok := l.placeInOwn(x)
	if l.integers[v] != nil {
		panic(errGeneral{v})
	}
	if !ok {
		if !l.general[v] && !v.Param && !l.b.off("local") {
			panic(errGeneral{v}) // it will be in memory
		}
		cannot("an index of a thread's own array that is no constant, or a parameter that is an array and changes")
	}
	regs := l.arrays[v]
	if at >= int64(len(regs)) {
		cannot("an array that is not known here")
	}
	return regs[at]
}

// placeInOwn returns a thread's own array and the number of one of its scalars. ok is false if the
// indices are no constants in range.
func (l *lowering) placeInOwn(x *Index) (v *Var, at int64, ok bool) {
	size := int64(1)
	ok = true
	for {
		many := x.X.Type().Underlying().(*types.Array).Len()
		p, isPoly := l.polyOf(&Convert{x.I, intType})
		n, isConst := p.constant()
		ok = ok && isPoly && isConst && n >= 0 && n < many
		at, size = at+n*size, size*many
		outer, isIndex := x.X.(*Index)
		if !isIndex {
			break
		}
		x = outer
	}
	return x.X.(*VarRef).V, at, ok
}

// integerIn returns an element of a thread's own array of integers that nothing changes.
func (l *lowering) integerIn(x *Index) (poly, bool) {
	var base Expr = x
	for {
		i, isIndex := base.(*Index)
		if !isIndex {
			break
		}
		base = i.X
	}
	r, isVar := base.(*VarRef)
	if !isVar || l.integers[r.V] == nil {
		return nil, false
	}
	_, at, ok := l.placeInOwn(x)
	if !ok || at >= int64(len(l.integers[r.V])) {
		panic(errGeneral{r.V})
	}
	return l.integers[r.V][at], true
}

// decided returns the outcome of a comparison of integers, if it is known at compile time.
func (l *lowering) decided(e Expr) (holds, known bool) {
	d, op, ok := l.difference(e)
	n, isConst := d.constant()
	if !ok || !isConst {
		return false, false
	}
	switch op {
	case token.EQL:
		return n == 0, true
	case token.NEQ:
		return n != 0, true
	case token.LSS:
		return n < 0, true
	case token.LEQ:
		return n <= 0, true
	case token.GTR:
		return n > 0, true
	}
	return n >= 0, true
}

// isBitwise reports whether e is an operation on the bits of integers whose result is no polynomial.
func isBitwise(e *Binary) bool {
	switch e.Op {
	case token.AND, token.AND_NOT, token.OR, token.XOR:
		return isInteger(e.T)
	case token.SHR:
		n, isConst := constInt(e.Y)
		return isInteger(e.T) && isConst && n >= 0
	}
	return false
}

// ofLanes reports whether an integer may differ between the threads of a row, as do the variables in
// ofLane.
func (l *lowering) ofLanes(e Expr, ofLane []*Var) bool {
	found := loads(e)
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Index3:
			found = found || x.Of == threadIdx && x.Axis == 0
		case *VarRef:
			p, isPoly := l.ints[x.V]
			switch {
			case slices.Contains(ofLane, x.V) || isPoly && p.has(laneSymbol) || !isPoly && l.values[x.V] != nil || l.pieces[x.V] != nil || l.quotients[x.V] != nil:
				found = true
			case x.V.value != nil:
				found = found || l.ofLanes(x.V.value, ofLane)
			}
		}
	})
	return found
}

// loadArray loads an array of each thread that lives across a barrier into registers.
func (l *lowering) loadArray(v *Var) {
	n, of, ok := l.b.byColumns(v)
	if !ok {
		cannot("values of type %s", v.Type)
	}
	k := l.kind(of)
	at := l.elementsOf(v)
	used, _ := l.b.columnsUsed(v, l.region)
	regs := make([]operand, n)
	for _, n := range used {
		reg := make(operand, l.width())
		for p := range reg {
			reg[p] = l.n.New(k)
			l.mutable[reg[p]] = true
			l.emit(&lir.Instr{Op: lir.Load, Kind: k, Dst: reg[p], Mem: at(p, int(n)), On: l.mask(p)})
		}
		regs[n] = reg
	}
	l.arrays[v] = regs
}

// storeArray stores the registers of such an array.
func (l *lowering) storeArray(v *Var) {
	_, of, _ := l.b.byColumns(v)
	at := l.elementsOf(v)
	_, assigns := l.b.columnsUsed(v, l.region)
	for _, n := range assigns {
		for p, reg := range l.arrays[v][n] {
			l.emit(&lir.Instr{Op: lir.Store, Kind: l.kind(of), X: reg, Mem: at(p, int(n)), On: l.mask(p)})
		}
	}
}

// elementsOf returns the memory operand of element n, in vector i, of the threads' copies of an
// array.
func (l *lowering) elementsOf(v *Var) func(i, n int) lir.Mem {
	many, of, _ := l.b.byColumns(v)
	size := int(lineSizes.Sizeof(of))
	threads := l.syms.row(fmt.Sprintf("(len(%s)/%d)", l.b.array[v], many))
	element := func(n int64) poly { return threads.times(number(n)).plus(l.rank(), 1) }
	l.checkAccess(l.b.array[v], element(many-1))
	var at []func(i int) lir.Mem
	for n := range many {
		at = append(at, l.places(l.b.array[v], l.b.typ(of), size, element(n)))
	}
	return func(i, n int) lir.Mem { return at[n](i) }
}
