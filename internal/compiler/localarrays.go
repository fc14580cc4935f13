package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
)

// Local arrays (pass local): an array of each thread whose elements are selected by what is no constant, as in
//
//	for i := 16; i < 64; i++ {
//		w[i] = w[i-16] + sigma0(w[i-15]) + w[i-7] + sigma1(w[i-2])
//	}
//
// can't be in registers, nor can a long one. In a nest it is in memory, number by number, as CUDA's local memory is: the numbers w[i]
// of all threads of a block lie side by side, and so vectors load and store neighbours.

// inMemory returns the statements of a region with such arrays, those in which, as elements of slices. It returns
// list itself if an array is used otherwise than by its numbers.
func (b *body) inMemory(list []Stmt, which map[*Var]bool) []Stmt {
	for _, v := range sortedVars(which) {
		if isArray(v.Type) && !b.k.wide && !b.off("local") && !selectsAlone(list, v) {
			if changed, ok := b.arrayInMemory(mapStmts(list, func(e Expr) Expr { return e }), v); ok {
				list = changed
				b.k.works("local")
			}
		}
	}
	return list
}

// selectsAlone reports whether threads select elements of an array by indices of their own, under a condition
// within a loop that only some threads fulfil, as those of an insertion into a list of the smallest numbers do.
// In plain Go such a branch is mostly predicted; with vectors all threads of a strip wait for it.
func selectsAlone(list []Stmt, v *Var) bool {
	found := false
	var look func(list []Stmt, loop, branch bool)
	look = func(list []Stmt, loop, branch bool) {
		for _, s := range list {
			found = found || loop && branch && selects(s, v)
			switch x := s.(type) {
			case *If:
				divergent := branch || loop && shapeOf(x.Cond)[0] != 0
				look(x.Then, loop, divergent)
				look(x.Else, loop, divergent)
			case *For:
				look(x.Body, true, branch)
				look(x.Post, true, branch)
			case *Block:
				look(x.Body, loop, branch)
			}
		}
	}
	look(list, false, false)
	return found
}

// selects reports whether threads select elements of an array by indices of their own in s itself.
func selects(s Stmt, v *Var) (found bool) {
	exprs(s, func(e Expr) {
		walkExpr(e, func(e Expr) {
			x, ok := e.(*Index)
			found = found || ok && isRef(x.X, v) && shapeOf(x.I)[0] != 0
		})
	})
	return found
}

// memoryOf is the slice with the numbers of an array of all threads.
func (b *body) memoryOf(v *Var) *Var {
	if m := b.local[v]; m != nil {
		return m
	}
	_, of := numbersIn(v.Type)
	m := &Var{Name: b.array[v], Type: types.NewSlice(of), Param: true, Pos: v.Pos}
	if b.local == nil {
		b.local, b.ownMemory = map[*Var]*Var{}, map[string]bool{}
	}
	if !v.spread {
		m.Name = uniqueName(b.names, v.Name+"Of")
		b.ownMemory[m.Name] = true
	}
	b.local[v] = m
	return m
}

// arrayInMemory changes a list for an array.
func (b *body) arrayInMemory(list []Stmt, v *Var) (out []Stmt, ok bool) {
	many, of := numbersIn(v.Type)
	if _, _, byColumns := b.byColumns(v); v.addr || v.Param || v.spread && !byColumns || !basic(of) || elem(of) == "" || many > mostLocal {
		return nil, false
	}
	m := b.memoryOf(v)
	binary := func(op token.Token, x, y Expr) Expr { return &Binary{op, x, y, intType} }
	threads := binary(token.QUO, &Call{Name: "len", Args: []Expr{&VarRef{m}}, T: intType, Pure: true}, intExpr(many))
	number := func(at Expr) Expr {
		return &Index{X: &VarRef{m}, I: binary(token.ADD, binary(token.MUL, at, threads), &Rank{}), T: of, sure: true}
	}
	// flat is the number that e selects.
	var flat func(e Expr) (Expr, bool)
	flat = func(e Expr) (Expr, bool) {
		if isRef(e, v) {
			return intExpr(0), true
		}
		x, isIndex := e.(*Index)
		if !isIndex || !isArray(x.X.Type()) {
			return nil, false
		}
		from, ok := flat(x.X)
		if !ok {
			return nil, false
		}
		n := x.X.Type().Underlying().(*types.Array).Len()
		var at Expr = converted(x.I, intType)
		if _, isConst := constInt(x.I); !isConst && !isBelow(x.I, n) {
			at = &Bounded{at, intExpr(n)}
		}
		if isConstant(from, 0) {
			return at, true
		}
		return binary(token.ADD, binary(token.MUL, from, intExpr(n)), at), true
	}
	ok = true
	// top-down, since the innermost reference is no number
	var change func(e Expr) Expr
	change = func(e Expr) Expr {
		if x, isIndex := e.(*Index); isIndex && !isArray(x.T) {
			if at, isNumber := flat(x); isNumber {
				if isUnsigned64(x.I.Type()) {
					ok = false
				}
				return number(mapParts(&Unary{token.ADD, at}, change).(*Unary).X)
			}
		}
		if isRef(e, v) {
			ok = false
		}
		return mapParts(e, change)
	}
	var visit func(list []Stmt) []Stmt
	visit = func(list []Stmt) (out []Stmt) {
		for _, s := range list {
			switch x := s.(type) {
			case *Assign:
				if len(x.L) == 1 && x.L[0] != nil && isRef(x.L[0], v) {
					init, isInit := b.initialized(x, v, number)
					ok = ok && isInit
					out = append(out, init...)
					continue
				}
				for i, l := range x.L {
					if l != nil {
						x.L[i] = change(l)
					}
				}
				x.R = change(x.R)
			case *If:
				x.Cond, x.Then, x.Else = change(x.Cond), visit(x.Then), visit(x.Else)
			case *For:
				x.Pre, x.Body, x.Post = visit(x.Pre), visit(x.Body), visit(x.Post)
				if x.Cond != nil {
					x.Cond = change(x.Cond)
				}
			case *Block:
				x.Body = visit(x.Body)
			default:
				if u := useOf([]Stmt{s}); u.read[v] || u.written[v] {
					ok = false
				}
			}
			out = append(out, s)
		}
		return out
	}
	out = visit(list)
	return out, ok
}

// mostLocal is the largest number of elements of a local array in memory.
const mostLocal = 1024

// initialized returns the statements that initialize an array in memory: zeros by a loop, and then what differs.
func (b *body) initialized(s *Assign, v *Var, number func(at Expr) Expr) (out []Stmt, ok bool) {
	c, isLiteral := s.R.(*Composite)
	a := v.Type.Underlying().(*types.Array)
	if !isLiteral || isArray(a.Elem()) && len(c.Vals) > 0 || len(c.Keys) > 0 && c.Keys[0] != "" {
		return nil, false
	}
	many, of := numbersIn(v.Type)
	if int64(len(c.Vals)) < many {
		i := &Var{Name: uniqueName(b.names, "i"), Type: intType, Pos: s.Pos}
		loop := &For{
			Cond: &Binary{token.LSS, &VarRef{i}, intExpr(many), boolType},
			Body: []Stmt{&Assign{L: []Expr{number(&VarRef{i})}, R: &Const{constant.MakeInt64(0), of}, Pos: s.Pos}},
			Post: []Stmt{&Assign{L: []Expr{&VarRef{i}}, R: &Binary{token.ADD, &VarRef{i}, intExpr(1), intType}, Pos: s.Pos}},
			Pos:  s.Pos,
		}
		i.In = loop
		b.k.Vars = append(b.k.Vars, i)
		out = append(out, &Assign{L: []Expr{&VarRef{i}}, R: intExpr(int64(len(c.Vals))), Def: true, Pos: s.Pos}, loop)
	}
	for n, x := range c.Vals {
		out = append(out, &Assign{L: []Expr{number(intExpr(int64(n)))}, R: x, Pos: s.Pos})
	}
	return out, true
}

// localArrays prints the slices with the numbers of arrays that text uses and that threads keep only in nests.
func (b *body) localArrays(text string) {
	for _, v := range b.k.Vars {
		m := b.local[v]
		if m == nil || v.spread || !containsWord(text, m.Name) {
			continue
		}
		many, of := numbersIn(v.Type)
		b.printer.printf("%s := %s\n", m.Name, fmt.Sprintf("%s.Numbers[%s](%s.Local[%s](b), %d)", b.rt(), b.typ(of), b.core(), b.typ(v.Type), many))
	}
}

// isBelow reports whether an index is in [0, n) because it is masked.
func isBelow(e Expr, n int64) bool {
	b, ok := e.(*Binary)
	if !ok || b.Op != token.AND {
		return false
	}
	mask, isConst := constInt(b.Y)
	return isConst && 0 <= mask && mask < n
}

// isCounter reports whether an index may be made of the counters of unrolled loops: variables and constants in
// sums and products.
func isCounter(e Expr) bool {
	switch x := e.(type) {
	case *Const, *VarRef:
		return true
	case *Binary:
		return (x.Op == token.ADD || x.Op == token.SUB || x.Op == token.MUL) && isCounter(x.X) && isCounter(x.Y)
	}
	return false
}

// selectsLocal reports whether a statement selects an element of a thread's array by what is no constant, and
// no counter of a loop that will be unrolled. Such an array is in memory, which a block has for its own threads
// only.
func selectsLocal(s Stmt) bool {
	found := false
	exprs(s, func(e Expr) {
		walkExpr(e, func(e Expr) {
			x, ok := e.(*Index)
			if !ok || !isArray(x.X.Type()) {
				return
			}
			_, isConst := constInt(x.I)
			r, isVar := x.X.(*VarRef)
			many, _ := numbersIn(x.X.Type())
			found = found || isVar && !isConst && !r.V.Param && (many > mostUnrolledOwn || !isCounter(x.I))
		})
	})
	return found
}
