package compiler

import (
	"go/token"
	"go/types"
	"slices"
)

// Delinearization (Maslov, 1992): one dimension of threads that stands for two, as in
//
//	i := t.GlobalX()
//	x, y := i%w, i/w
//
// A row is split where the quotient changes (index set splitting; Griebl, Feautrier and Lengauer,
// 2000). Within a piece y is constant, and x is i minus a constant, so that they index neighbouring
// elements. A loop over the values of y then controls the block. Short pieces do not pay, so the
// statements are emitted twice (loop versioning), and the value of w selects the version.
//
// With a third dimension, i/(w*h) is the quotient of i/w by h, and also constant in a piece.
//
// The counter of the loop is a quotient, so i and w must not be negative, and must not wrap around
// in 32 bits.

// shortestPiece is the least number of threads of a piece, except at the ends of a row.
const shortestPiece = 64

// mostPlaced is the largest index, so that a 32-bit int can hold the end of the last row, and the
// products with the plane's number.
const mostPlaced = 1 << 30

// delinearize applies the pass to runs of statements in list that do not control the block.
func (f *fissioner) delinearize(list []Stmt) []Stmt {
	var out, run []Stmt
	flush := func() {
		if s := f.inPieces(run); s != nil {
			run = []Stmt{s}
		}
		out, run = append(out, run...), nil
	}
	for _, s := range list {
		if !f.block[s] {
			switch s.(type) {
			case *Assign, *If, *For, *Do:
				run = append(run, s)
				continue
			}
		}
		flush()
		if f.block[s] {
			changeWithin(s, f.delinearize)
		}
		out = append(out, s)
	}
	flush()
	return out
}

// A delinearizer processes one run of statements.
type delinearizer struct {
	f       *fissioner
	run     []Stmt
	written map[*Var]bool
	kept    map[*Var]bool // those of them that threads have before run or behind it
	// the values of variables that are assigned once, if the block can compute them; else nil
	values map[*Var]Expr
	overs  []Expr // the divisors w*h; see over
	powers []Expr // the divisors that must be powers of two
	conds  []Expr
}

// A linear is an index that grows by one along x, with its divisor.
type linear struct {
	index Expr // an int expression without variables of threads
	by    Expr
}

// inPieces returns the branch with both versions of run, split and unchanged, or nil.
func (f *fissioner) inPieces(run []Stmt) Stmt {
	if len(run) == 0 {
		return nil
	}
	d := &delinearizer{f: f, run: run, written: useOf(run).written, kept: map[*Var]bool{}, values: map[*Var]Expr{}}
	of, ok := d.linearIn()
	if !ok || !d.closed() {
		return nil
	}
	k := f.k
	quotient := &Var{Name: uniqueName(f.names, "quotient"), Type: intType, Pos: k.Pos}
	k.Vars = append(k.Vars, quotient)
	q := &VarRef{quotient}
	plus := func(x, y Expr) Expr { return &Binary{token.ADD, x, y, intType} }
	times := func(x, y Expr) Expr { return &Binary{token.MUL, x, y, intType} }
	first := atThread0(of.index)
	pieces := &For{
		Cond: &Binary{token.LSS, times(q, of.by), plus(first, &Index3{rowLength, 0}), boolType},
		Post: []Stmt{&Assign{L: []Expr{q}, R: plus(q, intExpr(1)), Pos: quotient.Pos}},
		Pos:  quotient.Pos,
	}
	quotient.In = pieces
	bounds := []Expr{
		&Binary{token.GEQ, of.index, times(q, of.by), boolType},
		&Binary{token.LSS, of.index, times(plus(q, intExpr(1)), of.by), boolType},
	}
	within := run
	if c, isIf := run[len(run)-1].(*If); isIf && len(c.Else) == 0 {
		if left, with := f.sunk(run[:len(run)-1], c); left == 0 {
			bounds, within = append(bounds, with.Cond), with.Then
		}
	}
	change := func(e Expr) Expr {
		if r, isVar := e.(*VarRef); isVar && d.opens(r) {
			return mapExpr(d.opened(r), func(e Expr) Expr { return d.inPiece(e, of, q) })
		}
		return d.inPiece(e, of, q)
	}
	guard := &If{Cond: mapExpr(conjunction(bounds), change), Then: d.copied(within, pieces, change), Pos: quotient.Pos}
	pieces.Body = []Stmt{guard}
	whole := &If{
		Cond: conjunction(append([]Expr{
			&Binary{token.GEQ, of.by, intExpr(shortestPiece), boolType},
			&Binary{token.LEQ, of.by, intExpr(mostPlaced), boolType},
			&Binary{token.GEQ, first, intExpr(0), boolType},
			&Binary{token.LEQ, first, &Binary{token.SUB, intExpr(mostPlaced), &Index3{rowLength, 0}, intType}, boolType},
		}, d.conds...)),
		Then: []Stmt{&Assign{L: []Expr{q}, R: &Binary{token.QUO, first, of.by, intType}, Def: true, Pos: quotient.Pos}, pieces},
		Else: run, Pos: quotient.Pos,
	}
	f.block[whole], f.block[pieces] = true, true
	k.works("delinearize")
	return whole
}

// linearIn returns the linear index of quotients and remainders in run, with a divisor; of several
// divisors it prefers one that is not a product.
func (d *delinearizer) linearIn() (of linear, ok bool) {
	walk(d.run, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(d.opened(e), func(x Expr) {
				b, isBinary := x.(*Binary)
				if !isBinary {
					return
				}
				l, isLinear := d.linear(b)
				if rem := d.remainder(b); !isLinear && rem != nil { // i%(w*h), which is divided by w
					if plane, isPlane := d.linear(rem); isPlane {
						l = linear{plane.index, converted(d.number(b.Y), intType)}
						isLinear = factorOf(plane.by, l.by) != nil
					}
				}
				if isLinear && (!ok || isProduct(of.by) && !isProduct(l.by)) {
					of, ok = l, true
				}
			})
		})
	})
	return of, ok
}

// opens reports whether r is a variable from before run, as from before a barrier, that is computed
// anew from a remainder by a power of two.
func (d *delinearizer) opens(r *VarRef) bool {
	found := false
	var look func(e Expr)
	look = func(e Expr) {
		walkExpr(e, func(x Expr) {
			switch x := x.(type) {
			case *Binary:
				found = found || d.powerOf(x) != nil && d.index(x.X) != nil
			case *VarRef:
				if x.V.value != nil && !d.written[x.V] {
					look(x.V.value)
				}
			}
		})
	}
	look(r)
	return found
}

// opened returns e with the values of such variables in their place.
func (d *delinearizer) opened(e Expr) Expr {
	return mapExpr(e, func(x Expr) Expr {
		if r, isVar := x.(*VarRef); isVar && r.V.value != nil && !d.written[r.V] && d.opens(r) && sizeOf(r.V.value, nil) <= mostPut {
			return d.opened(r.V.value)
		}
		return x
	})
}

func isProduct(e Expr) bool {
	if c, ok := e.(*Convert); ok {
		e = c.X
	}
	b, ok := e.(*Binary)
	return ok && b.Op == token.MUL
}

// linear returns the index and the divisor of b, if it is a quotient or a remainder of a linear
// index.
func (d *delinearizer) linear(b *Binary) (of linear, ok bool) {
	if m := d.powerOf(b); m != nil {
		index := d.index(b.X)
		return linear{index, m}, index != nil
	}
	if b.Op != token.QUO && b.Op != token.REM || !isInteger(b.T) {
		return of, false
	}
	by := d.number(b.Y)
	if by == nil {
		return of, false
	}
	if n, isConst := constInt(by); isConst && n < shortestPiece {
		return of, false
	}
	index := d.index(b.X)
	return linear{index, converted(by, intType)}, index != nil && ofGrid(index)
}

// powerOf returns m if b is i & (m-1), as butterflies have it, which is the remainder by m if that is a
// power of two; or nil.
func (d *delinearizer) powerOf(b *Binary) Expr {
	if b.Op != token.AND || !types.Identical(b.T.Underlying(), intType) {
		return nil
	}
	mask := d.number(b.Y)
	if mask == nil {
		return nil
	}
	less, ok := mask.(*Binary)
	if !ok || less.Op != token.SUB || !isConstant(less.Y, 1) {
		return nil
	}
	if _, isConst := constInt(less.X); isConst {
		return nil
	}
	return converted(less.X, intType)
}

// index returns a linear index as an int, or nil.
func (d *delinearizer) index(e Expr) Expr {
	e = d.resolved(e)
	for {
		c, isConvert := e.(*Convert)
		if !isConvert || !isInteger(c.T) || !isInteger(c.X.Type()) {
			break
		}
		if !has32(c.T) && !wide(c.T) {
			return nil
		}
		e = c.X
	}
	if !types.Identical(e.Type(), intType) || shapeOf(e) != (shape{1, 0, 0}) || !d.pure(e) {
		return nil
	}
	return e
}

// ofGrid reports whether an index depends on the block. The index in a block is mostly too short, and
// remainders of it select threads. Those by powers of two that only the run knows are of butterflies, whose
// first steps have long pieces; see powerOf.
func ofGrid(e Expr) bool {
	found := false
	walkExpr(e, func(x Expr) {
		i, ok := x.(*Index3)
		found = found || ok && i.Axis == 0 && (i.Of == blockIdx || i.Of == origin)
	})
	return found
}

// number returns a uniform integer that the block can compute before run, or nil.
func (d *delinearizer) number(e Expr) Expr {
	e = d.resolved(e)
	if !isInteger(e.Type()) || !shapeOf(e).uniform() || !d.pure(e) {
		return nil
	}
	return e
}

// pure reports whether e consists of indices and values that the block knows before run, and can't
// panic.
func (d *delinearizer) pure(e Expr) bool {
	ok := !mayPanic(e)
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Const, *Convert:
		case *Binary:
			switch x.Op {
			case token.ADD, token.SUB, token.MUL, token.QUO, token.SHL, token.SHR:
			default:
				ok = false
			}
		case *Index3:
			ok = ok && x.Of <= origin && !(x.Of == threadIdx && x.Axis > 0)
		case *VarRef:
			ok = ok && basic(x.V.Type) && x.V.Shape.uniform() && !x.V.addr && !d.written[x.V]
		default:
			ok = false
		}
	})
	return ok
}

// resolved substitutes the values of variables that are assigned once.
func (d *delinearizer) resolved(e Expr) Expr {
	return mapExpr(e, func(x Expr) Expr {
		if r, ok := x.(*VarRef); ok && !r.V.Param {
			one, seen := d.values[r.V]
			if !seen {
				if one = d.f.single(r.V); one != nil && !loads(one) && !mayPanic(one) {
					one = d.resolved(one)
				} else {
					one = nil
				}
				if one != nil && sizeOf(one, nil) > mostPut {
					one = nil
				}
				d.values[r.V] = one
			}
			if one != nil {
				return one
			}
		}
		return x
	})
}

// inPiece returns e for a piece in which the quotient is q.
func (d *delinearizer) inPiece(e Expr, of linear, q Expr) Expr {
	b, ok := e.(*Binary)
	if !ok {
		return e
	}
	// a comparison of at most 32 bits can become a loop bound only if nothing wraps around
	if isBool(b.T) && b.Op != token.LAND && b.Op != token.LOR {
		for _, side := range [][2]Expr{{b.X, b.Y}, {b.Y, b.X}} {
			if index := d.index(side[0]); index != nil && sameExpr(index, of.index) && has32(side[0].Type()) && d.number(side[1]) != nil {
				x, y := index, converted(side[1], intType)
				if side[0] == b.Y {
					x, y = y, x
				}
				return &Binary{b.Op, x, y, b.T}
			}
		}
		return e
	}
	binary := func(op token.Token, x, y Expr) Expr { return &Binary{op, x, y, intType} }
	less := func(quotient, by Expr) Expr { // the remainder
		return binary(token.SUB, of.index, binary(token.MUL, quotient, by))
	}
	is, ok := d.linear(b)
	if !ok {
		if over := d.planeOf(b, of); over != nil { // i%(w*h)/w and i%(w*h)%w
			if b.Op == token.QUO {
				return converted(binary(token.REM, q, over), b.T)
			}
			return converted(less(q, of.by), b.T)
		}
		return e
	}
	if !sameExpr(is.index, of.index) {
		return e
	}
	if d.powerOf(b) != nil {
		if !sameExpr(is.by, of.by) {
			return e
		}
		d.power(of.by)
	}
	quotient, by := q, of.by
	if !sameExpr(is.by, of.by) {
		over := d.over(is.by, of)
		if over == nil {
			return e
		}
		quotient, by = binary(token.QUO, q, over), is.by
	}
	if b.Op == token.QUO {
		return converted(quotient, b.T)
	}
	return converted(less(quotient, by), b.T)
}

// power adds the condition that the divisor is a power of two.
func (d *delinearizer) power(by Expr) {
	if slices.ContainsFunc(d.powers, func(e Expr) bool { return sameExpr(e, by) }) {
		return
	}
	d.powers = append(d.powers, by)
	less := &Binary{token.SUB, by, intExpr(1), intType}
	d.conds = append(d.conds, &Binary{token.EQL, &Binary{token.AND, by, less, intType}, intExpr(0), boolType})
}

// factorOf returns h if by is the product w*h, as an int, or nil.
func factorOf(by, w Expr) Expr {
	if c, ok := by.(*Convert); ok {
		by = c.X
	}
	p, ok := by.(*Binary)
	if !ok || p.Op != token.MUL {
		return nil
	}
	for _, f := range [][2]Expr{{p.X, p.Y}, {p.Y, p.X}} {
		if sameExpr(converted(f[0], intType), w) {
			return converted(f[1], intType)
		}
	}
	return nil
}

// over returns h if by is the product w*h, where w is the divisor, or nil. It adds the condition
// that the product does not wrap around.
func (d *delinearizer) over(by Expr, of linear) Expr {
	h := factorOf(by, of.by)
	if h != nil && !slices.ContainsFunc(d.overs, func(e Expr) bool { return sameExpr(e, by) }) {
		d.overs = append(d.overs, by)
		d.conds = append(d.conds, &Binary{token.GTR, h, intExpr(0), boolType},
			&Binary{token.LEQ, h, &Binary{token.QUO, intExpr(mostPlaced), of.by, intType}, boolType})
	}
	return h
}

// remainder returns the remainder by a uniform divisor of which b is a quotient or a remainder, or
// nil.
func (d *delinearizer) remainder(b *Binary) *Binary {
	if b.Op != token.QUO && b.Op != token.REM || d.number(b.Y) == nil {
		return nil
	}
	x := b.X
	if r, ok := x.(*VarRef); ok && !r.V.Param {
		x = d.f.single(r.V)
	}
	rem, ok := x.(*Binary)
	if !ok || rem.Op != token.REM {
		return nil
	}
	return rem
}

// planeOf returns h if b is a quotient or a remainder by w of i%(w*h), or nil.
func (d *delinearizer) planeOf(b *Binary, of linear) Expr {
	rem := d.remainder(b)
	if rem == nil || !sameExpr(converted(d.number(b.Y), intType), of.by) {
		return nil
	}
	is, ok := d.linear(rem)
	if !ok || !sameExpr(is.index, of.index) {
		return nil
	}
	return d.over(is.by, of)
}

// closed reports whether run has no exits, and assigns no variables that are the same for all threads, except
// those that it declares and nothing else reads.
func (d *delinearizer) closed() bool {
	inside, defined := map[Stmt]bool{}, map[*Var]bool{}
	walk(d.run, func(s Stmt) {
		inside[s] = true
		if a, isAssign := s.(*Assign); isAssign && a.Def {
			for v := range assignedIn(a) {
				defined[v] = true
			}
		}
	})
	ok := true
	walk(d.run, func(s Stmt) {
		switch s := s.(type) {
		case *Exit:
			ok = ok && inside[s.To]
		case *Assign, *If, *For, *Do, *Block, *Panic:
		default:
			ok = false
		}
	})
	for v := range d.written {
		if !ok || v == nil || v.addr || v.Param {
			return false
		}
		if !defined[v] || reads(d.f.k.Body, v) != reads(d.run, v) {
			d.kept[v] = true
			ok = !v.Shape.uniform() && !d.madeOf(v, defined)
		}
	}
	return ok
}

// madeOf reports whether a variable is computed anew behind run from some of others, which are in scope in run
// only.
func (d *delinearizer) madeOf(v *Var, others map[*Var]bool) bool {
	found := false
	if v.value != nil {
		walkExpr(v.value, func(e Expr) {
			r, ok := e.(*VarRef)
			found = found || ok && (others[r.V] && r.V.Shape.uniform() || r.V != v && d.madeOf(r.V, others))
		})
	}
	return found
}

// copied returns a copy of statements with new variables, in a loop around them.
func (d *delinearizer) copied(run []Stmt, around *For, change func(Expr) Expr) []Stmt {
	k := d.f.k
	as := map[*Var]*Var{}
	for _, v := range slices.Clone(k.Vars) {
		if d.written[v] && !d.kept[v] {
			w := *v
			w.Name, w.value = uniqueName(d.f.names, v.Name), nil
			as[v] = &w
			k.Vars = append(k.Vars, &w)
		}
	}
	first, second := map[Stmt]Stmt{}, map[Stmt]Stmt{}
	list := mapInto(mapInto(run, change, first), func(e Expr) Expr {
		if r, ok := e.(*VarRef); ok && as[r.V] != nil {
			return &VarRef{as[r.V]}
		}
		return e
	}, second)
	inCopy := func(l *For) *For {
		if first[l] == nil {
			return around
		}
		return second[first[l]].(*For)
	}
	for _, v := range as {
		v.In = inCopy(v.In)
	}
	for _, s := range second {
		if l, ok := s.(*For); ok {
			l.outer = inCopy(l.outer)
		}
	}
	return list
}
