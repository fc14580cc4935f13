package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Whole rows, for plain Go: where all rows of a block go the same way (see planes), and what their threads do is one of two things,
// a func of the runtime does it for all of them. The first of the two is also for vectors of 32 bytes, and a func of package vec then;
// those of 64 bytes have products.
//
// One is the innermost loop of a product of matrices, in which each row of threads has numbers of its own and all rows read the
// same lines. Row after row, the lines come from far away as often as there are rows, and a loop that adds to eight sums
// spills some of them: each round waits for the stack. gocuda.AddProducts goes a few rounds at a time, and does 1.7 times as many
// products; vec.AddProductsF32x8 and its like are in assembly. A region that has such a loop is cut before and behind it.
//
// The other are rows that only copy, as where a tile is loaded, one call for gocuda.CopyRows.

// A sumLoop is such a loop: in round i, sum grows by a number of the row times one of a line.
type sumLoop struct {
	loop      *For
	i, sum    *Var
	row, line *Index
}

// sumLoopOf returns what s is as such a loop, by the shapes of its parts.
func sumLoopOf(s Stmt) (l sumLoop, ok bool) {
	l.loop, ok = s.(*For)
	if !ok || len(l.loop.Body) != 1 || !steadyLoop(l.loop) || l.loop.Cond == nil || len(l.loop.Post) != 1 {
		return l, false
	}
	cond, isBinary := l.loop.Cond.(*Binary)
	if !isBinary || cond.Op != token.LSS {
		return l, false
	}
	i, isVar := cond.X.(*VarRef)
	if !isVar || !types.Identical(i.V.Type, intType) {
		return l, false
	}
	l.i = i.V
	if n, ok := stepOf(l.loop, l.i); !ok || n != 1 {
		return l, false
	}
	a, isAssign := l.loop.Body[0].(*Assign)
	if !isAssign || !isSum(a) {
		return l, false
	}
	l.sum, _ = assigned(a.L[0])
	sum, isSum := a.R.(*Binary)
	if !isSum || sum.Op != token.ADD || !sameExpr(sum.X, a.L[0]) || l.sum.Param || !allFloats(l.sum.Type) {
		return l, false
	}
	times, isProduct := sum.Y.(*Binary)
	if !isProduct || times.Op != token.MUL {
		return l, false
	}
	x, ok1 := times.X.(*Index)
	y, ok2 := times.Y.(*Index)
	if !ok1 || !ok2 {
		return l, false
	}
	if shapeOf(x.I)[0] != 0 {
		x, y = y, x
	}
	l.row, l.line = x, y
	for _, e := range []*Index{x, y} {
		if inVar(e) || !isSlice(e.X.Type()) || !shapeOf(e.X).uniform() || !types.Identical(e.T, l.sum.Type) || !types.Identical(e.I.Type(), intType) || loads(e.I) {
			return l, false
		}
	}
	r, n := shapeOf(x.I), shapeOf(y.I)
	return l, r[0] == 0 && r[1] != 0 && n[0] == 1 && n[1] == 0
}

// pointerFree reports whether no value of a type has a pointer in it, also if it is a type parameter.
func pointerFree(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return pointerFree(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if !pointerFree(u.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return allBasic(t, func(b *types.Basic) bool { return b.Info()&(types.IsNumeric|types.IsBoolean) != 0 })
}

// allFloats reports whether all values of a type are float32 or float64, also if it is a type parameter.
func allFloats(t types.Type) bool {
	return allBasic(t, func(b *types.Basic) bool { return b.Kind() == types.Float32 || b.Kind() == types.Float64 })
}

// allBasic reports whether t, or each type that a type parameter may be, is a basic one for which ok holds.
func allBasic(t types.Type, ok func(*types.Basic) bool) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return allBasic(t.Constraint(), ok)
	case *types.Union:
		for i := range t.Len() {
			if !allBasic(t.Term(i).Type(), ok) {
				return false
			}
		}
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return ok(u)
	case *types.Interface:
		for i := range u.NumEmbeddeds() {
			if allBasic(u.EmbeddedType(i), ok) {
				return true // it must be among these
			}
		}
	}
	return false
}

// sumLoopAlone cuts a region that has a sumLoop so that it is a region of its own, where its sums are kept for all threads.
func (f *fissioner) sumLoopAlone(r *region) []*region {
	list := r.stmts
	if f.k.width == 64 || f.k.wide {
		return []*region{r}
	}
	if r.bound != nil {
		list = r.bound.Then
		if loads(r.bound.Cond) || mayPanic(r.bound.Cond) {
			return []*region{r}
		}
	}
	at, assigns := -1, map[*Var]bool{}
	var l sumLoop
	for k, s := range list {
		if x, ok := sumLoopOf(s); ok && at < 0 {
			at, l = k, x
		} else if _, ok := s.(*Assign); !ok {
			return []*region{r}
		}
		for v := range assignedIn(s) {
			assigns[v] = true
		}
	}
	if at < 1 || f.k.width > 0 && !types.Identical(l.sum.Type, types.Unalias(l.sum.Type).Underlying()) {
		return []*region{r}
	}
	// Its counter begins right before it.
	begin := at - 1
	if start, ok := list[begin].(*Assign); !ok || !start.Def || len(start.L) != 1 || !sameExpr(start.L[0], &VarRef{l.i}) || begin == 0 {
		return []*region{r}
	}
	for v := range useOf(list[at+1:]).read {
		if v == l.i {
			return []*region{r}
		}
	}
	cut := func(part []Stmt) *region {
		if r.bound == nil {
			return &region{stmts: part}
		}
		c := *r.bound
		c.Then = part
		return &region{stmts: []Stmt{&c}, bound: &c}
	}
	if r.bound != nil {
		for v := range useOf([]Stmt{&If{Cond: r.bound.Cond}}).read {
			if assigns[v] {
				return []*region{r}
			}
		}
	}
	out := []*region{cut(list[:begin]), cut(list[begin : at+1])}
	if at+1 < len(list) {
		out = append(out, cut(list[at+1:]))
	}
	return out
}

// wholeRows prints what does r for a block all of whose rows go the same way, if the threads of a row do no more than copy, or are a
// sumLoop; up to an else. part prints r for one thread.
func (b *body) wholeRows(r *region, part func() string) (ok bool) {
	pl, call, ok := b.rowsOf(r, part, nil)
	if !ok {
		return false
	}
	name := uniqueName(b.names, "whole")
	b.asked.split(b, pl)
	b.printf("%sif %s {\n%s} else {\n", pl.ask(b, name), name, call)
	return true
}

// rowsOf prints what wholeRows does, and returns what must hold for it. round is the variable of a loop around r, if it is printed in one.
func (b *body) rowsOf(r *region, part func() string, round *Var) (pl *plane, call string, ok bool) {
	if b.width == 64 || b.k.wide || b.k.tracked || b.of != nil || b.split || len(r.exits) > 0 || !b.usesAxis(r, 1) {
		return nil, "", false
	}
	used, names := maps.Clone(b.used), maps.Clone(b.names)
	defer func() {
		if !ok {
			b.used = used
		}
	}()
	pl = &plane{rows: true, round: round}
	b.plane = pl
	w := b.views(r, part, nil)
	b.plane = nil
	b.names = names
	if w == nil || w.panics || w.other > 0 || pl.bent {
		return nil, "", false
	}
	gs := w.v.guards
	if r.bound != nil {
		first, rest := splitGuards(r.bound.Cond)
		if len(rest) > 0 {
			return nil, "", false
		}
		gs = append(first, gs...) // the outer ones first: others may be computed only if they hold
	}
	conds := slices.Clone(w.conds)
	if b.width == 0 {
		call, ok = b.copyRows(w)
	}
	if !ok {
		var more []string
		if call, more, ok = b.addProducts(r, w); !ok {
			return nil, "", false
		}
		conds = append(conds, more...)
	}
	pl.whole = []string{fmt.Sprintf("%s == %s", b.use("rows"), b.use("dimY"))}
	if b.width == 0 {
		pl.whole = append(pl.whole, b.core()+".HasWideInts")
	}
	for _, g := range gs {
		list, ok := b.wholeGuard(g, round)
		if !ok {
			return nil, "", false
		}
		conds = append(conds, list...)
	}
	for _, c := range conds {
		list := &pl.whole
		if pl.differs(c) {
			list = &pl.each
		}
		if !slices.Contains(*list, c) {
			*list = append(*list, c)
		}
	}
	for i, c := range pl.whole {
		pl.whole[i] = rowsAt(c, "0", "0")
	}
	b.use("dimX")
	return pl, call, true
}

// addsProducts reports whether r is a sumLoop for vectors of 32 bytes.
func (b *body) addsProducts(r *region) bool {
	list := b.inBounds(r)
	if b.width != 32 || len(list) != 2 {
		return false
	}
	_, ok := sumLoopOf(list[1])
	return ok
}

// onePart prints r for one thread, to see what its elements need.
func (b *body) onePart(r *region) func() string {
	return func() string {
		saved, line := b.out, b.line
		b.out, b.born, b.own, b.outs = strings.Builder{}, map[*Var]bool{}, map[*Var]bool{}, nil
		b.stmts(b.inBounds(r))
		text := b.out.String()
		b.out, b.line = saved, line
		return text
	}
}

// copyRows prints calls that copy all rows, if that is what w does.
func (b *body) copyRows(w *view) (text string, ok bool) {
	_, list, ok := w.copies(b, w.text)
	if !ok {
		return "", false
	}
	for _, t := range w.elems {
		if !pointerFree(t) {
			return "", false // the call copies bytes, of which the garbage collector would not know that they are pointers
		}
	}
	for _, c := range list {
		text += fmt.Sprintf("%s.CopyRows(%s, %s, %s, %s, %s, %s, dimY, dimX)\n", b.core(),
			c.dst, rowsAt(c.start, "0", "0"), rowsAt(c.start, "1", "0"), c.src, rowsAt(c.from, "0", "0"), rowsAt(c.from, "1", "0"))
	}
	return text, true
}

// addProducts prints a call that adds all products of r, if it is a sumLoop and no more, and what must hold for that besides the
// conditions of its view.
func (b *body) addProducts(r *region, w *view) (text string, conds []string, ok bool) {
	list := b.inBounds(r)
	if len(list) != 2 || len(w.v.guards) > 0 {
		return "", nil, false
	}
	l, ok := sumLoopOf(list[1])
	if !ok || !l.sum.spread {
		return "", nil, false
	}
	start, isAssign := list[0].(*Assign)
	if !isAssign || len(start.L) != 1 || !sameExpr(start.L[0], &VarRef{l.i}) {
		return "", nil, false
	}
	if n, isConst := constInt(start.R); !isConst || n != 0 {
		return "", nil, false
	}
	limit := l.loop.Cond.(*Binary).Y
	b.atZero, b.stand = true, map[*Var]string{}
	defer func() { b.atZero, b.stand = false, nil }()
	place := func(e *Index) (first, step string, ok bool) {
		by, ok := growth(e.I, l.i)
		if !ok {
			return "", "", false
		}
		if by == nil {
			by = &Const{constant.MakeInt64(0), intType}
		}
		at := mapExpr(e.I, func(x Expr) Expr {
			if r, ok := x.(*VarRef); ok && r.V == l.i {
				return &Const{constant.MakeInt64(0), intType}
			}
			return x
		})
		return b.intText(at), rowsAt(b.intText(by), "0", "0"), shapeOf(by)[1] == 0
	}
	row, rowStep, ok1 := place(l.row)
	line, lineStep, ok2 := place(l.line)
	if !ok1 || !ok2 {
		return "", nil, false
	}
	if shapeOf(limit)[1] != 0 {
		return "", nil, false
	}
	rounds := rowsAt(b.intText(limit), "0", "0")
	verb := b.core() + ".AddProducts"
	conds = []string{"0 < dimX"}
	if b.width > 0 {
		of := elem(l.sum.Type)
		lanes := b.width / elemSizes[of]
		fused := ""
		if b.k.Fastmath {
			fused = "Fused"
		}
		verb = fmt.Sprintf("%s.AddProducts%s%sx%d", b.importName(vecPath, "vec"), fused, of, lanes)
		conds = []string{fmt.Sprintf("dimX%%%d == 0", lanes)}
	}
	if n, isConst := constInt(limit); !isConst {
		conds = append(conds, "("+rounds+") > 0")
	} else if n <= 0 {
		return "", nil, false
	}
	return fmt.Sprintf("%s(%s, %s, %s, %s, %s, %s, %s, %s, dimY, dimX, %s)\n", verb, b.array[l.sum],
		b.expr(l.row.X), rowsAt(row, "0", "0"), rowsAt(row, "1", "0"), rowStep, b.expr(l.line.X), rowsAt(line, "0", "0"), lineStep, rounds), conds, true
}

// growth returns by how much e grows when i does by one, or nil for nothing, if that is the same for all i.
func growth(e Expr, i *Var) (by Expr, ok bool) {
	has := func(e Expr) bool {
		found := false
		walkExpr(e, func(x Expr) {
			r, isVar := x.(*VarRef)
			found = found || isVar && r.V == i
		})
		return found
	}
	if !has(e) {
		return nil, true
	}
	switch x := e.(type) {
	case *VarRef:
		return &Const{constant.MakeInt64(1), intType}, true
	case *Binary:
		if !types.Identical(x.T, intType) {
			return nil, false
		}
		switch x.Op {
		case token.ADD, token.SUB:
			p, ok1 := growth(x.X, i)
			q, ok2 := growth(x.Y, i)
			switch {
			case !ok1 || !ok2:
				return nil, false
			case q == nil:
				return p, true
			case p == nil && x.Op == token.ADD:
				return q, true
			case p == nil:
				return &Unary{Op: token.SUB, X: q}, true
			}
			return &Binary{x.Op, p, q, intType}, true
		case token.MUL:
			p, times := x.X, x.Y
			if !has(p) {
				p, times = times, p
			}
			if has(times) {
				return nil, false
			}
			by, ok := growth(p, i)
			if n, isConst := constInt(by); ok && isConst && n == 1 {
				return times, true
			}
			return &Binary{token.MUL, by, times, intType}, ok
		}
	}
	return nil, false
}
