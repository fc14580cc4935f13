package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"maps"
	"strings"
)

// Elements of slices and arrays at a distance that only the run knows, such as x[i*incx]: the index of the first lane and
// the distance are scalars, and the elements are gathered.

// linear returns the index e as an expression of the first lane, made of what vectors keep as scalars, and by how much it
// grows from lane to lane, if that is not known here.
func linear(e Expr) (first, step Expr, ok bool) {
	if shapeOf(e)[0] != someStep || !wide(e.Type()) {
		return nil, nil, false
	}
	return linearTerm(e)
}

// linearTerm is linear for a part of an index. The step of what is the same for all lanes is nil.
func linearTerm(e Expr) (first, step Expr, ok bool) {
	switch s := shapeOf(e)[0]; {
	case s == 0:
		return e, nil, true
	case s == noStep, unsigned(e.Type()):
		return nil, nil, false // a step downwards is no constant of an unsigned type
	case s != someStep:
		return e, &Const{constant.MakeInt64(int64(s)), e.Type()}, true
	}
	switch x := e.(type) {
	case *VarRef:
		if x.V.value != nil {
			return linearTerm(x.V.value)
		}
	case *Convert:
		first, step, ok := linearTerm(x.X)
		if !ok || !wide(x.T) || !wide(x.X.Type()) {
			return nil, nil, false
		}
		return &Convert{X: first, T: x.T}, &Convert{X: step, T: x.T}, true
	case *Unary:
		first, step, ok := linearTerm(x.X)
		return &Unary{Op: x.Op, X: first}, &Unary{Op: x.Op, X: step}, ok && (x.Op == token.SUB || x.Op == token.ADD)
	case *Binary:
		a, stepA, ok := linearTerm(x.X)
		if !ok {
			return nil, nil, false
		}
		b, stepB, ok := linearTerm(x.Y)
		if !ok {
			return nil, nil, false
		}
		first := &Binary{x.Op, a, b, x.T}
		switch x.Op {
		case token.ADD, token.SUB:
			switch {
			case stepB == nil:
				return first, stepA, true
			case stepA == nil && x.Op == token.SUB:
				return first, &Unary{Op: token.SUB, X: stepB}, true
			case stepA == nil:
				return first, stepB, true
			}
			return first, &Binary{x.Op, stepA, stepB, x.T}, true
		case token.MUL:
			switch {
			case stepB == nil:
				return first, times(stepA, b, x), true
			case stepA == nil:
				return first, times(stepB, a, x), true
			}
		case token.SHL:
			if stepB == nil {
				return first, &Binary{x.Op, stepA, b, x.T}, true
			}
		}
	}
	return nil, nil, false
}

// times returns the step of the product x, one of whose factors grows by step; the other one is by.
func times(step, by Expr, x *Binary) Expr {
	if n, ok := constInt(step); ok {
		if n == 1 {
			return by
		}
		if m, ok := constInt(by); ok {
			return &Const{constant.MakeInt64(n * m), x.T} // it wraps around as the index does
		}
	}
	return &Binary{token.MUL, step, by, x.T}
}

// inlineDistances puts what variables are for their names, where these are used for indices only, and such as vectors keep as
// scalars: as variables they would be vectors of 64-bit numbers, and leave half of the lanes to the others.
func (k *Kernel) inlineDistances() {
	var inline func(list []Stmt) []Stmt
	inline = func(list []Stmt) []Stmt {
		var out []Stmt
		for i, s := range list {
			switch s := s.(type) {
			case *Assign:
				if k.inlineDistance(s, list[i+1:]) {
					continue
				}
			case *If:
				s.Then, s.Else = inline(s.Then), inline(s.Else)
			case *For:
				s.Body = inline(s.Body)
			case *Block:
				s.Body = inline(s.Body)
			}
			out = append(out, s)
		}
		return out
	}
	eachNode(k.nodes, func(n node) {
		if r, ok := n.(*region); ok {
			r.stmts = inline(r.stmts)
		}
	})
}

// inlineDistance puts the value of a variable that a declares into rest, which is all of its scope that follows, if it can.
func (k *Kernel) inlineDistance(a *Assign, rest []Stmt) bool {
	if len(a.L) != 1 || !a.Def || a.L[0] == nil {
		return false
	}
	w, whole := assigned(a.L[0])
	if w == nil || !whole || w.spread || w.common || w.addr || w.value != nil || k.single[w] == nil || mayPanic(a.R) || loads(a.R) {
		return false
	}
	if _, _, ok := linear(a.R); !ok {
		return false
	}
	changed := assignedIn(&Block{Body: rest})
	for v := range useOf([]Stmt{a}).read {
		if changed[v] {
			return false
		}
	}
	in := func(e Expr) Expr {
		return mapExpr(e, func(x Expr) Expr {
			if r, ok := x.(*VarRef); ok && r.V == w {
				return a.R
			}
			return x
		})
	}
	n := 0
	walk(rest, func(s Stmt) {
		visit := func(e Expr) {
			if x, ok := e.(*Index); ok && shapeOf(x.I)[0] == someStep {
				if _, _, ok := linear(in(x.I)); ok {
					n += reads([]Stmt{&Assign{L: []Expr{nil}, R: x.I}}, w)
				}
			}
		}
		exprs(s, func(e Expr) { walkExpr(e, visit) })
	})
	if n != reads(rest, w) {
		return false
	}
	changeAll(rest, func(e Expr) Expr {
		return mapExpr(e, func(x Expr) Expr {
			if i, ok := x.(*Index); ok {
				y := *i
				y.I = in(i.I)
				return &y
			}
			return x
		})
	})
	return true
}

// stepped prints the index of the first lane and the distance of an element whose index is linear, and their check.
func (v *vector) stepped(l *Index, length string) (ix, step string) {
	first, by, _ := linear(l.I)
	v.blame(l.I)
	ix, step = v.simpleText(v.intText(first)), v.simpleText(v.intText(by))
	v.panics = true
	v.printf("if !%s.Within(%s, %s, %d, %s) {\np.Outside(%s, uint32(%s), %s, %s, %s)\n}\n", v.core(), ix, step, v.lanes, length,
		v.rank(), v.m(), ix, step, length)
	return ix, step
}

// nearForm returns r for the case that the distances which only the run knows, and which are used for nothing else, are 1, and
// the condition for that: where libraries take a distance, as in y[i*incy] += a*x[i*incx], it mostly is. It returns nil if there are none.
func (b *body) nearForm(r *region) (near *region, cond string) {
	if b.k.Fastmath && hasLoop(r.stmts) {
		return nil, "" // sums of cubes ask which loop a variable is of
	}
	distance, other := map[*Var]bool{}, map[*Var]bool{}
	var visit func(e Expr)
	visit = func(e Expr) {
		switch x := e.(type) {
		case *Index:
			if _, by, ok := linear(x.I); ok {
				if v, isVar := by.(*VarRef); isVar && (v.V.Param || v.V.common) && !v.V.addr && v.V.Shape.uniform() {
					distance[v.V] = true
					visit(x.X)
					return
				}
			}
		case *VarRef:
			if x.V.value != nil {
				visit(x.V.value)
			}
			other[x.V] = true
			return
		}
		subexprs(e, visit)
	}
	look := func(list []Stmt) {
		walk(list, func(s Stmt) {
			if a, ok := s.(*Assign); ok && recomputed(a) {
				return
			}
			exprs(s, visit)
		})
	}
	look(r.stmts)
	here := maps.Clone(distance)
	look(b.k.everywhere())
	var conds []string
	for _, v := range b.k.Vars {
		if !here[v] || other[v] {
			delete(distance, v)
			continue
		}
		conds = append(conds, b.expr(&VarRef{v})+" == 1")
	}
	if len(distance) == 0 {
		return nil, ""
	}
	var one func(e Expr) Expr
	one = func(e Expr) Expr {
		return mapExpr(e, func(x Expr) Expr {
			switch x := x.(type) {
			case *VarRef:
				if distance[x.V] {
					return &Const{constant.MakeInt64(1), x.V.Type}
				}
				if x.V.value != nil && shapeOf(x)[0] == someStep {
					return one(x.V.value)
				}
			case *Binary:
				if !isInteger(x.T) {
					return x
				}
				if n, ok := constInt(x.Y); ok && n == 1 && x.Op == token.MUL {
					return x.X
				}
				if n, ok := constInt(x.X); ok && n == 1 && x.Op == token.MUL {
					return x.Y
				}
			}
			return x
		})
	}
	c := *r
	c.key = nil
	declared := map[Expr]bool{}
	walk(r.stmts, func(s Stmt) {
		if a, ok := s.(*Assign); ok && a.Def {
			for _, l := range a.L {
				declared[l] = true
			}
		}
	})
	c.stmts = mapStmts(r.stmts, func(e Expr) Expr { return e })
	changeAll(c.stmts, func(e Expr) Expr {
		if declared[e] {
			return e
		}
		return one(e)
	})
	if r.bound != nil {
		for i, s := range r.stmts {
			if s == Stmt(r.bound) {
				c.bound = c.stmts[i].(*If)
			}
		}
	}
	return &c, joined(conds)
}

// everywhere returns all statements of k once they are cut into phases, and conditions of what barriers are in.
func (k *Kernel) everywhere() []Stmt {
	var list []Stmt
	eachNode(k.nodes, func(n node) { list = append(list, nodeStmts(n)...) })
	return list
}

// whereNeighbours prints r with vectors for the case of neighbours, if there is one, up to an else that what is printed next stands
// under. It returns what it did, in words, and what ends that.
func (b *body) whereNeighbours(r *region) (what string, done func()) {
	done = func() {}
	near, cond := b.nearForm(r)
	if near == nil || b.k.tracked || len(r.exits) > 0 {
		return "", done
	}
	forget := b.attempt()
	heads, tops, before := b.heads, maps.Clone(b.tops), b.out
	b.r = near
	st, ok := b.vectorRegion(near, false, 0, 0)
	if !ok {
		forget()
		b.r = r
		return "", done
	}
	b.out = strings.Builder{}
	b.vectors[near] = fmt.Sprintf("%d lanes", st.lanes)
	b.strips(near, st)
	// Its vectors at the head of the func would slow down the scalar code of the other case.
	b.heads = b.heads[len(heads):]
	text := b.withHeads(b.out.String())
	b.heads, b.out = heads, before
	restore(b.tops, tops)
	b.vector++
	b.r = r
	b.printf("if %s {\n%s} else {\n", cond, text)
	return fmt.Sprintf("%s where %s; else ", b.vectors[near], cond), func() { b.printf("}\n") }
}
