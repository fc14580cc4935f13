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

// Code generation for plain Go: statements of one thread.

// stmts prints statements of one thread, or statements that run once per block.
func (b *body) stmts(list []Stmt) {
	for i := 0; i < len(list); i++ {
		s := list[i]
		if i+1 < len(list) {
			if both := sincos(s, list[i+1]); both != nil {
				s, i = both, i+1
			}
		}
		b.stmt(s)
	}
}

func (b *body) stmt(s Stmt) {
	b.at(s.Position())
	if b.view != nil && b.view.ragged != nil {
		b.view.ragged.ask(b, s)
	}
	switch s := s.(type) {
	case *Assign:
		b.assignment(s)
	case *If:
		done, otherwise := func() {}, func() func() { return func() {} }
		if w := b.view; w != nil {
			if w.ragged == nil && w.loops == 0 && w.v.assume(s) {
				b.stmts(s.Then)
				return
			}
			w.v.branches++
			defer func() { w.v.branches-- }()
			if w.ragged == nil && w.v.thenOnly(s) {
				b.stmts(s.Then)
				return
			}
			done = w.v.under(s.Cond, false)
			otherwise = func() func() { return w.v.under(s.Cond, true) }
		}
		b.printf("if %s {\n", b.expr(s.Cond))
		b.stmts(s.Then)
		done()
		if len(s.Else) > 0 {
			b.printf("} else {\n")
			done = otherwise()
			b.stmts(s.Else)
			done()
		}
		b.printf("}\n")
	case *For:
		if b.view != nil && b.view.ragged != nil && b.view.ragged.loop(b, s) {
			return
		}
		if call, ok := b.run(s); ok {
			b.printf("%s", call)
			return
		}
		if call, ok := b.crowded(s); ok {
			b.printf("%s", call)
			return
		}
		if !b.neighbourLoop(s) {
			b.forLoop(s)
		}
	case *Block:
		l := b.label(s, "block")
		b.printf("%s:\nfor {\n", l)
		b.stmts(s.Body)
		if !terminates(s.Body) {
			b.printf("break %s\n", l)
		}
		b.printf("}\n")
	case *Exit:
		b.exit(s)
	case *Do:
		if op, place, y, ok := b.ownAtomic(s.X); ok {
			b.printf("%s %s= %s\n", b.expr(place), op, b.convertTo(y, place.Type()))
			return
		}
		b.printf("%s\n", b.expr(s.X))
	case *Panic:
		b.printf("panic(%s)\n", b.expr(s.X))
	default:
		panic(fmt.Sprintf("statement %T in a region", s))
	}
}

// ownAtomic reports whether c is an atomic operation on the block's shared memory whose result is
// not used: place op= y. One worker runs the whole block, thread by thread, so no lock is needed.
func (b *body) ownAtomic(c *Call) (op token.Token, place, y Expr, ok bool) {
	name, found := strings.CutPrefix(c.Name, atomicPath+".")
	if !found || len(c.Args) != 2 {
		return 0, nil, nil, false
	}
	op = map[string]token.Token{"Add": token.ADD, "Sub": token.SUB, "And": token.AND, "Or": token.OR, "Xor": token.XOR}[name]
	a, isAddr := c.Args[0].(*Addr)
	if op == 0 || !isAddr {
		return 0, nil, nil, false
	}
	for e := a.X; ; {
		switch x := e.(type) {
		case *Index:
			if _, inner := x.X.(*Index); inner {
				if _, arr := x.X.Type().Underlying().(*types.Array); !arr {
					return 0, nil, nil, false // a slice that is stored in shared memory may point anywhere
				}
			}
			e = x.X
			continue
		case *Slice:
			if isSlice(x.X.Type()) {
				e = x.X
				continue
			}
		case *VarRef:
			if x.V.sums || b.k.inShared()[x.V] {
				return op, a.X, c.Args[1], true
			}
		}
		return 0, nil, nil, false
	}
}

// allocated returns the variables that hold the block's shared arrays.
func (k *Kernel) allocated() map[*Var]bool {
	if k.shared == nil {
		k.shared = map[*Var]bool{}
		walk(k.Body, func(s Stmt) {
			if a, ok := s.(*Alloc); ok {
				k.shared[a.Dst] = true
			}
		})
	}
	return k.shared
}

// inShared returns the variables that only hold the block's shared arrays and slices of them.
func (k *Kernel) inShared() map[*Var]bool {
	if k.sharedParts != nil {
		return k.sharedParts
	}
	in, values := maps.Clone(k.allocated()), map[*Var][]Expr{}
	walk(k.Body, func(s Stmt) {
		for _, v := range results(s) {
			values[v] = append(values[v], nil)
		}
		a, ok := s.(*Assign)
		if !ok {
			return
		}
		for _, l := range a.L {
			v, whole := assigned(l)
			if v == nil {
				continue
			}
			if values[v] = append(values[v], a.R); !whole || len(a.L) > 1 {
				values[v] = append(values[v], nil)
			}
			in[v] = true
		}
	})
	isPart := func(e Expr) bool {
		for {
			switch x := e.(type) {
			case *Slice:
				if isSlice(x.X.Type()) {
					e = x.X
					continue
				}
			case *VarRef:
				return in[x.V]
			}
			return false
		}
	}
	for again := true; again; {
		again = false
		for v := range in {
			if v.Param || v.addr || !isSlice(v.Type) || slices.ContainsFunc(values[v], func(e Expr) bool { return !isPart(e) }) {
				delete(in, v)
				again = true
			}
		}
	}
	k.sharedParts = in
	return in
}

func (b *body) assignment(s *Assign) {
	if len(s.L) > 1 {
		var ls []string
		for _, l := range s.L {
			if l == nil {
				ls = append(ls, "_")
			} else {
				ls = append(ls, b.expr(l))
			}
		}
		op := "="
		if s.Def && b.definesHere(s) {
			op = ":="
		}
		b.printf("%s %s %s\n", strings.Join(ls, ", "), op, b.expr(s.R))
		return
	}
	if s.L[0] == nil {
		b.printf("_ = %s\n", b.expr(s.R))
		return
	}
	l := s.L[0]
	if v, _ := assigned(l); s.Def && v.value != nil {
		return
	}
	if s.Def && b.definesHere(s) {
		v, _ := assigned(l)
		if isZero(s.R) && types.Identical(s.R.Type(), v.Type) {
			b.printf("var %s %s\n", b.name(v), b.typ(v.Type))
		} else if types.IsInterface(v.Type) && !isTypeParam(v.Type) {
			b.printf("var %s %s = %s\n", b.name(v), b.typ(v.Type), b.expr(s.R))
		} else if _, isConst := s.R.(*Const); isConst && types.Identical(v.Type, intType) {
			b.printf("%s := %s\n", b.name(v), b.untyped(s.R))
		} else {
			b.printf("%s := %s\n", b.name(v), b.convertTo(s.R, v.Type))
		}
		return
	}
	// x = x op y is printed as x op= y.
	if bin, ok := s.R.(*Binary); ok && sameExpr(bin.X, l) {
		for op, to := range assignOps {
			if to == bin.Op {
				b.printf("%s %s %s\n", b.expr(l), op, b.operand(bin.Y, bin, true))
				return
			}
		}
	}
	if c, ok := s.R.(*Const); ok && !types.IsInterface(l.Type()) {
		b.printf("%s = %s\n", b.expr(l), b.constant(c.Val, c.T, false))
		return
	}
	b.printf("%s = %s\n", b.expr(l), b.convertTo(s.R, l.Type()))
}

// definesHere reports whether s declares the variables that it defines, rather than the head of the
// func or of the loop over threads.
func (b *body) definesHere(s *Assign) bool {
	for _, l := range s.L {
		if l == nil {
			continue
		}
		v, _ := assigned(l)
		if v.spread && b.own[v] {
			b.born[v] = true
			continue
		}
		if v.spread || v.common && (b.r != nil || !b.declared(v)) {
			return false
		}
	}
	return true
}

func isZero(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		switch e.Val.Kind() {
		case constant.Bool:
			return !constant.BoolVal(e.Val)
		case constant.String:
			return constant.StringVal(e.Val) == ""
		}
		return constant.Sign(e.Val) == 0
	case *Composite:
		return len(e.Vals) == 0 && !isSlice(e.T)
	}
	return false
}

func isSlice(t types.Type) bool { _, ok := t.Underlying().(*types.Slice); return ok }

func isArray(t types.Type) bool { _, ok := t.Underlying().(*types.Array); return ok }

// sameExpr reports whether two expressions are the same variable or place, and free of side
// effects.
func sameExpr(x, y Expr) bool {
	switch x := x.(type) {
	case *VarRef:
		y, ok := y.(*VarRef)
		return ok && x.V == y.V
	case *Index:
		y, ok := y.(*Index)
		return ok && sameExpr(x.X, y.X) && sameExpr(x.I, y.I)
	case *Field:
		y, ok := y.(*Field)
		return ok && x.Name == y.Name && sameExpr(x.X, y.X)
	case *Deref:
		y, ok := y.(*Deref)
		return ok && sameExpr(x.X, y.X)
	case *Const:
		y, ok := y.(*Const)
		return ok && constant.Compare(x.Val, token.EQL, y.Val)
	case *Index3:
		y, ok := y.(*Index3)
		return ok && *x == *y
	case *Rank:
		_, ok := y.(*Rank)
		return ok
	case *Binary:
		y, ok := y.(*Binary)
		return ok && x.Op == y.Op && sameExpr(x.X, y.X) && sameExpr(x.Y, y.Y)
	case *Convert:
		y, ok := y.(*Convert)
		return ok && types.Identical(x.T, y.T) && sameExpr(x.X, y.X)
	case *Unary:
		y, ok := y.(*Unary)
		return ok && x.Op == y.Op && sameExpr(x.X, y.X)
	case *Call:
		y, ok := y.(*Call)
		if !ok || x.Fn != nil || y.Fn != nil || x.Name != y.Name {
			return false
		}
		switch x.Name {
		case "len", "cap", "min", "max":
			return slices.EqualFunc(x.Args, y.Args, sameExpr)
		}
	}
	return false
}

func (b *body) forLoop(s *For) { b.forLoopOf(s, func() { b.stmts(s.Body) }) }

// forLoopOf prints a loop; inside prints its body.
func (b *body) forLoopOf(s *For, inside func()) {
	body := func() {
		b.poll(s)
		inside()
	}
	if b.plainRounds(s, body) {
		return
	}
	var fours *fours
	if b.view != nil {
		b.view.loops++
		b.view.sums = 0
		defer func() { b.view.loops-- }()
		v := b.view.v
		if i, limit, ok := v.counts(s); ok && s.parts[0] == 0 {
			v.ranges[i], v.counters[i] = limit, s
			v.counting = append(v.counting, i)
			defer func() {
				delete(v.ranges, i)
				v.counting = v.counting[:len(v.counting)-1]
			}()
			fours = b.foursOf(s, i, limit)
		}
	}
	label := ""
	if s.breaks || s.continues {
		label = b.label(s, "loop")
		b.printf("%s:\n", label)
	}
	post, simple := b.simplePost(s)
	if simple && fours != nil {
		b.printFours(fours, post, body)
		return
	}
	if simple && len(s.Pre) == 0 {
		switch {
		case s.Cond == nil && post == "":
			b.printf("for {\n")
		case post == "":
			b.printf("for %s {\n", b.expr(s.Cond))
		case s.Cond == nil:
			b.printf("for ; ; %s {\n", post)
		default:
			b.printf("for ; %s; %s {\n", b.expr(s.Cond), post)
		}
		body()
		b.printf("}\n")
		return
	}
	first := ""
	if len(s.Post) > 0 {
		first = uniqueName(b.names, "first")
		b.printf("for %s := true; ; %s = false {\nif !%s {\n", first, first, first)
		b.stmts(s.Post)
		b.printf("}\n")
	} else {
		b.printf("for {\n")
	}
	b.stmts(s.Pre)
	if s.Cond != nil {
		b.printf("if %s {\nbreak\n}\n", b.expr(not(s.Cond)))
	}
	body()
	b.printf("}\n")
}

// simplePost returns the post statement of a loop in the form for a loop header, if it has one.
func (b *body) simplePost(s *For) (string, bool) {
	switch len(s.Post) {
	case 0:
		return "", true
	case 1:
		a, ok := s.Post[0].(*Assign)
		if !ok || len(a.L) != 1 || a.L[0] == nil || a.Def {
			return "", false
		}
		saved, line := b.out, b.line
		b.out = strings.Builder{}
		b.assignment(a)
		text := strings.TrimSpace(b.out.String())
		b.out, b.line = saved, line
		return text, true
	}
	return "", false
}

// exit prints an Exit inside a region.
func (b *body) exit(e *Exit) {
	control := false // whether the exit leaves the region
	if b.r != nil {
		for _, x := range b.r.exits {
			control = control || x == e
		}
	}
	switch {
	case control && e.To == nil && b.r.last:
		b.printf("continue %s\n", b.label(b.loopOf(b.r), "threads"))
	case control && e.To == nil:
		b.printf("p.Leave(1)\ncontinue %s\n", b.label(b.loopOf(b.r), "threads"))
	case control:
		b.stores()
		b.printf("p.Leave(%d)\ncontinue %s\n", b.exitID(e), b.label(b.loopOf(b.r), "threads"))
	case e.Continue:
		b.printf("continue %s\n", b.label(e.To, "loop"))
	default:
		kind := "loop"
		if _, ok := e.To.(*Block); ok {
			kind = "block"
		}
		b.printf("break %s\n", b.label(e.To, kind))
	}
}
