package compiler

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Statements: from syntax to the intermediate representation.

// A kernel may have mostStatements statements, including those of inlined helpers. After
// inlineBudget statements, helpers that can be called are no longer inlined: nested inlining may
// grow exponentially.
const (
	mostStatements = 5000
	inlineBudget   = 1000
)

// block translates a list of statements.
func (b *builder) block(f *frame, list []ast.Stmt) {
	for _, s := range list {
		b.stmt(f, s, "")
	}
}

func (b *builder) stmt(f *frame, s ast.Stmt, label string) {
	if b.size++; b.size > mostStatements {
		fail(s.Pos(), "the kernel has more than %d statements, those of its helpers included", mostStatements)
	}
	switch s := s.(type) {
	case *ast.EmptyStmt:
	case *ast.BlockStmt:
		if label != "" {
			blk := &Block{Pos: s.Pos()}
			f.targets = append(f.targets, target{label, blk, nil, true})
			blk.Body = b.nested(func() { b.block(f, s.List) })
			f.targets = f.targets[:len(f.targets)-1]
			b.emit(blk)
			return
		}
		b.block(f, s.List)
	case *ast.LabeledStmt:
		b.stmt(f, s.Stmt, s.Label.Name)
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			fail(s.Pos(), "statements of this kind are not translated")
		}
		f.discarded = call
		b.call(f, call)
		f.discarded = nil
	case *ast.DeclStmt:
		b.decl(f, s.Decl.(*ast.GenDecl))
	case *ast.AssignStmt:
		b.assignStmt(f, s)
	case *ast.IncDecStmt:
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		to := b.pin(b.place(f, s.X), s.Pos())
		t := b.typeOf(f, s.X)
		if isComplex(t) {
			b.assign(to, b.complexBinary(op, to, complexConst(constant.MakeInt64(1), t), t, s.Pos()), s.Pos(), false)
			break
		}
		b.assign(to, &Binary{op, b.reify(to, s.Pos()), &Const{constant.MakeInt64(1), t}, t}, s.Pos(), false)
	case *ast.IfStmt:
		if s.Init != nil {
			b.stmt(f, s.Init, "")
		}
		if tv := f.pkg.info.Types[s.Cond]; tv.Value != nil && label == "" {
			if constant.BoolVal(tv.Value) {
				b.block(f, s.Body.List)
			} else if s.Else != nil {
				b.stmt(f, s.Else, "")
			}
			return
		}
		c := &If{Cond: b.expr(f, s.Cond), Pos: s.Pos()}
		blk := &Block{Pos: s.Pos()}
		if label != "" {
			f.targets = append(f.targets, target{label, blk, nil, true})
		}
		c.Then = b.nested(func() { b.block(f, s.Body.List) })
		if s.Else != nil {
			c.Else = b.nested(func() { b.stmt(f, s.Else, "") })
		}
		if label != "" {
			f.targets = f.targets[:len(f.targets)-1]
			blk.Body = []Stmt{c}
			b.emit(blk)
			return
		}
		b.emit(c)
	case *ast.ForStmt:
		b.forStmt(f, s, label)
	case *ast.RangeStmt:
		b.rangeStmt(f, s, label)
	case *ast.SwitchStmt:
		b.switchStmt(f, s, label)
	case *ast.BranchStmt:
		b.branch(f, s)
	case *ast.ReturnStmt:
		b.returnStmt(f, s)
	case *ast.GoStmt:
		fail(s.Pos(), "goroutines are not translated")
	case *ast.DeferStmt:
		fail(s.Pos(), "defer is not translated")
	case *ast.SendStmt, *ast.SelectStmt:
		fail(s.Pos(), "channels are not translated")
	case *ast.TypeSwitchStmt:
		fail(s.Pos(), "type switches are not translated")
	default:
		fail(s.Pos(), "statements of this kind are not translated")
	}
}

func (b *builder) decl(f *frame, d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return // the type checker evaluates constants, and types are resolved at their uses
	}
	for _, spec := range d.Specs {
		s := spec.(*ast.ValueSpec)
		if len(s.Values) == 0 {
			for _, id := range s.Names {
				obj := f.pkg.info.Defs[id]
				if obj == nil || id.Name == "_" {
					continue
				}
				t := b.subst(f, obj.Type())
				v := b.declare(f, id.Name, obj, t)
				mark(v, f.mutated[obj])
				b.assign(v, b.zero(t), id.Pos(), true)
			}
			continue
		}
		b.define(f, s.Names, b.values(f, s.Values, len(s.Names)), s.Pos())
	}
}

// values translates the right side of an assignment to n variables.
func (b *builder) values(f *frame, list []ast.Expr, n int) []binding {
	if len(list) == 1 && n > 1 {
		c, ok := ast.Unparen(list[0]).(*ast.CallExpr)
		if !ok {
			fail(list[0].Pos(), "the form with ok is not translated")
		}
		return b.call(f, c)
	}
	return b.list(f, list)
}

// define translates :=, where some of the names may exist already.
func (b *builder) define(f *frame, names []*ast.Ident, vs []binding, pos token.Pos) {
	fresh := true // no assignment changes an operand of the values
	for _, id := range names {
		fresh = fresh && (id.Name == "_" || f.pkg.info.Defs[id] != nil)
	}
	if len(names) > 1 && !fresh {
		for i := range vs {
			vs[i] = b.fix(f, vs[i], pos)
		}
	}
	for i, id := range names {
		if id.Name == "_" {
			b.discard(vs[i], pos)
			continue
		}
		obj := f.pkg.info.Defs[id]
		if obj == nil { // declared by an earlier :=
			old, ok := f.lookup(f.pkg.info.Uses[id])
			if !ok {
				fail(id.Pos(), "%s is not known", id.Name)
			}
			b.assign(old, vs[i], pos, false)
			continue
		}
		switch v := vs[i].(type) {
		case thread, *closure, *funcValue:
			if f.mutated[obj] {
				fail(id.Pos(), "%s changes", id.Name)
			}
			f.env[obj] = v
			continue
		case *pointer:
			if !f.mutated[obj] {
				f.env[obj] = b.pinAddress(v, pos)
				continue
			}
		}
		t := b.subst(f, obj.Type())
		if vr, ok := vs[i].(*VarRef); ok && !f.mutated[obj] && b.justAllocated(vr.V) {
			// In s := Shared(...) the array takes the name s.
			vr.V.Name, vr.V.Said = uniqueName(b.names, id.Name), id.Name
			f.env[obj] = vr
			continue
		}
		to := b.declare(f, id.Name, obj, t)
		mark(to, f.mutated[obj])
		b.assign(to, vs[i], pos, true)
	}
}

// discard evaluates v for its panics only.
func (b *builder) discard(v binding, pos token.Pos) {
	switch x := b.pinAddress(v, pos).(type) {
	case *aggregate:
		for _, f := range x.fields {
			b.discard(f, pos)
		}
	case Expr:
		if !simple(x) {
			b.emit(&Assign{L: []Expr{nil}, R: x, Pos: pos})
		}
	}
}

// justAllocated reports whether v is a shared array that the last statements allocate and that has
// no name yet.
func (b *builder) justAllocated(v *Var) bool {
	for _, s := range slices.Backward(b.out) {
		a, ok := s.(*Alloc)
		if !ok {
			return false
		}
		if a.Dst == v {
			return strings.HasPrefix(v.Name, unnamedShared)
		}
	}
	return false
}

// fix copies a value into new variables if it could change.
func (b *builder) fix(f *frame, v binding, pos token.Pos) binding {
	switch x := v.(type) {
	case *Const, thread, *closure, *funcValue, *Index3, *Rank:
		return v
	case *pointer:
		return b.pinAddress(x, pos)
	case *Global:
		if x.Obj == nil {
			return v // nil
		}
	case *VarRef:
		if !b.changes(x.V) {
			return v
		}
	}
	tmp := b.room("tmp", b.typeOfBinding(v), pos)
	b.assign(tmp, v, pos, true)
	return tmp
}

var assignOps = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL,
	token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND,
	token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.SHL_ASSIGN: token.SHL,
	token.SHR_ASSIGN: token.SHR, token.AND_NOT_ASSIGN: token.AND_NOT,
}

func (b *builder) assignStmt(f *frame, s *ast.AssignStmt) {
	pos := s.Pos()
	if s.Tok == token.DEFINE {
		names := make([]*ast.Ident, len(s.Lhs))
		for i, e := range s.Lhs {
			names[i] = e.(*ast.Ident)
		}
		b.define(f, names, b.values(f, s.Rhs, len(s.Lhs)), pos)
		return
	}
	if op, ok := assignOps[s.Tok]; ok {
		vs := b.sides(f, s)
		to := b.pin(vs[0], pos)
		if t := b.typeOf(f, s.Lhs[0]); isComplex(t) {
			b.assign(to, b.complexBinary(op, to, vs[1], t, pos), pos, false)
			return
		}
		x := b.reify(to, pos)
		b.assign(to, &Binary{op, x, b.reify(vs[1], pos), b.typeOf(f, s.Lhs[0])}, pos, false)
		return
	}
	if len(s.Lhs) == 1 && isBlank(s.Lhs[0]) {
		b.discard(b.value(f, s.Rhs[0]), pos)
		return
	}
	vs := b.sides(f, s)
	places, vs := vs[:len(s.Lhs)], vs[len(s.Lhs):]
	for _, to := range places {
		if _, ok := to.(*pointer); ok {
			fail(pos, "a pointer that the compiler follows changes")
		}
	}
	if len(places) == 1 {
		b.assign(places[0], vs[0], pos, false)
		return
	}
	// First the destinations are evaluated, then the values, then they are assigned.
	for i := range places {
		places[i] = b.pin(places[i], pos)
	}
	if !inTurn(places, vs) {
		for i := range vs {
			vs[i] = b.fix(f, vs[i], pos)
		}
	}
	for i, to := range places {
		if to == nil {
			b.discard(vs[i], pos)
			continue
		}
		b.assign(to, vs[i], pos, false)
	}
}

// inTurn reports whether values can be assigned one after the other, as in i, j = i+1, j-1: to
// variables that no later value uses.
func inTurn(places, vs []binding) bool {
	for i, v := range vs {
		x, ok := v.(Expr)
		r, isVar := places[i].(*VarRef)
		if !ok || !isVar || r.V.addr || mayPanic(x) || loads(x) {
			return false
		}
		for _, to := range places[:i] {
			if mentions(x, to.(*VarRef).V) {
				return false
			}
		}
	}
	return true
}

// sides translates both sides of an assignment: the destinations, nil for _, followed by the
// values.
func (b *builder) sides(f *frame, s *ast.AssignStmt) []binding {
	n := len(s.Lhs)
	var results []binding // the results of a call with several
	vs := b.operands(n+len(s.Rhs), func(i int) binding {
		switch {
		case i >= n && len(s.Rhs) < n:
			results = b.values(f, s.Rhs, n)
			return nil
		case i >= n:
			return b.value(f, s.Rhs[i-n])
		case isBlank(s.Lhs[i]):
			return nil
		}
		return b.place(f, s.Lhs[i])
	})
	if results != nil {
		vs = append(vs[:n], results...)
	}
	return vs
}

func isBlank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}

// loop translates a loop. header returns its condition, and emits the statements that the condition
// needs.
func (b *builder) loop(f *frame, l *For, label string, header func() Expr, body, post func()) {
	l.Pre = b.nested(func() { l.Cond = header() })
	f.targets = append(f.targets, target{label, l, l, false})
	l.Body = b.nested(body)
	f.targets = f.targets[:len(f.targets)-1]
	if post != nil {
		l.Post = b.nested(post)
	}
	b.loops = b.loops[:len(b.loops)-1]
	for v := range assignedIn(&Block{Body: l.Post}) {
		if v.addr {
			fail(l.Pos, "the address of %s, which each round of the loop has anew, is taken", v.Name)
		}
	}
	b.emit(l)
}

// open makes a loop, to which the following declarations belong.
func (b *builder) open(pos token.Pos) *For {
	l := &For{Pos: pos}
	if n := len(b.loops); n > 0 {
		l.outer = b.loops[n-1]
	}
	b.loops = append(b.loops, l)
	return l
}

func (b *builder) forStmt(f *frame, s *ast.ForStmt, label string) {
	l := b.open(s.Pos())
	if s.Init != nil {
		b.stmt(f, s.Init, "")
	}
	var post func()
	if s.Post != nil {
		post = func() { b.stmt(f, s.Post, "") }
	}
	b.loop(f, l, label, func() Expr {
		if s.Cond == nil {
			return nil
		}
		return b.expr(f, s.Cond)
	}, func() { b.block(f, s.Body.List) }, post)
}

func (b *builder) rangeStmt(f *frame, s *ast.RangeStmt, label string) {
	pos := s.Pos()
	t := b.typeOf(f, s.X)
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		u = p.Elem().Underlying()
	}
	l := b.open(pos)
	var n Expr
	elem := func(i Expr) Expr { return nil }
	it := intType
	var counter types.Type = it
	switch u := u.(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger == 0 {
			fail(pos, "range over a string is not translated")
		}
		n = b.temp(b.expr(f, s.X), pos)
		counter = n.Type()
		if s.Key != nil && !isBlank(s.Key) {
			if t := f.pkg.info.TypeOf(s.Key); t != nil {
				counter = b.subst(f, t) // the type of a counter whose limit is an untyped constant
			}
		}
	case *types.Slice:
		x := b.temp(b.expr(f, s.X), pos)
		n = b.temp(&Call{Name: "len", Args: []Expr{x}, T: it, Pure: true, Pos: pos}, pos)
		elem = func(i Expr) Expr { return &Index{X: x, I: i, T: u.Elem(), Pos: pos} }
	case *types.Array:
		v := through(b.value(f, s.X))
		x := b.reify(v, pos)
		if _, ptr := t.Underlying().(*types.Pointer); !ptr && s.Value != nil && !isBlank(s.Value) {
			if _, isVar := x.(*VarRef); !isVar || b.changes(x.(*VarRef).V) {
				x = b.reify(b.fix(f, v, pos), pos) // range evaluates its operand once
			}
		}
		n = &Const{constant.MakeInt64(u.Len()), it}
		elem = func(i Expr) Expr { return &Index{X: x, I: i, T: u.Elem(), Pos: pos} }
	case *types.Map:
		fail(pos, "maps are not translated")
	case *types.Chan:
		fail(pos, "channels are not translated")
	case *types.Signature:
		fail(pos, "range over a func is not translated")
	default:
		fail(pos, "range over this type is not translated")
	}
	key, _ := s.Key.(*ast.Ident)
	name := "i"
	if key != nil && key.Name != "_" {
		name = key.Name
	}
	count := &VarRef{b.newVar(name, counter, pos)}
	count.V.defs = 1
	b.emit(&Assign{L: []Expr{count}, R: &Const{constant.MakeInt64(0), counter}, Def: true, Pos: pos})
	b.loop(f, l, label, func() Expr { return &Binary{token.LSS, count, n, boolType} }, func() {
		for i, e := range []ast.Expr{s.Key, s.Value} {
			if e == nil || isBlank(e) {
				continue
			}
			v := Expr(count)
			if i == 1 {
				v = elem(count)
			}
			if s.Tok == token.ASSIGN {
				b.assign(b.pin(b.place(f, e), pos), v, pos, false)
				continue
			}
			obj := f.pkg.info.Defs[e.(*ast.Ident)]
			if i == 0 && !f.mutated[obj] {
				f.env[obj] = count
				continue
			}
			to := b.declare(f, e.(*ast.Ident).Name, obj, b.subst(f, obj.Type()))
			mark(to, f.mutated[obj])
			b.assign(to, v, pos, true)
		}
		b.block(f, s.Body.List)
	}, func() {
		b.emit(&Assign{L: []Expr{count}, R: &Binary{token.ADD, count, &Const{constant.MakeInt64(1), counter}, counter}, Pos: pos})
	})
}

func (b *builder) switchStmt(f *frame, s *ast.SwitchStmt, label string) {
	if s.Init != nil {
		b.stmt(f, s.Init, "")
	}
	var tag Expr
	if s.Tag != nil {
		x := b.expr(f, s.Tag)
		if c, ok := x.(*Const); ok {
			x = &Const{c.Val, b.typeOf(f, s.Tag)}
		}
		tag = b.temp(x, s.Pos())
	}
	blk := &Block{Pos: s.Pos()}
	f.targets = append(f.targets, target{label, blk, nil, false})
	clauses := make([]*ast.CaseClause, len(s.Body.List))
	var deflt *ast.CaseClause
	for i, c := range s.Body.List {
		clauses[i] = c.(*ast.CaseClause)
		if clauses[i].List == nil {
			deflt = clauses[i]
		}
	}
	// body translates a clause, and the clauses that it falls through to.
	var body func(i int)
	body = func(i int) {
		list := clauses[i].Body
		if n := len(list); n > 0 {
			if br, ok := list[n-1].(*ast.BranchStmt); ok && br.Tok == token.FALLTHROUGH {
				b.block(f, list[:n-1])
				body(i + 1)
				return
			}
		}
		b.block(f, list)
	}
	var chain func(i int)
	chain = func(i int) {
		if i == len(clauses) {
			if deflt != nil {
				for j, c := range clauses {
					if c == deflt {
						body(j)
					}
				}
			}
			return
		}
		c := clauses[i]
		if c.List == nil {
			chain(i + 1)
			return
		}
		var cond Expr
		for k, e := range c.List {
			one := func() Expr {
				x := b.expr(f, e)
				if tag == nil {
					return x
				}
				return &Binary{token.EQL, tag, x, boolType}
			}
			if k == 0 {
				cond = one()
				continue
			}
			var y Expr
			stmts := b.nested(func() { y = one() })
			if len(stmts) == 0 {
				cond = chained(token.LOR, cond, y, boolType)
				continue
			}
			cond = b.logical(token.LOR, cond, y, stmts, e.Pos())
		}
		st := &If{Cond: cond, Pos: c.Pos()}
		st.Then = b.nested(func() { body(i) })
		st.Else = b.nested(func() { chain(i + 1) })
		b.emit(st)
	}
	blk.Body = b.nested(func() { chain(0) })
	f.targets = f.targets[:len(f.targets)-1]
	b.emit(blk)
}

func (b *builder) branch(f *frame, s *ast.BranchStmt) {
	switch s.Tok {
	case token.BREAK, token.CONTINUE:
	default:
		fail(s.Pos(), "%s is not translated", s.Tok)
	}
	for i := len(f.targets) - 1; i >= 0; i-- {
		t := f.targets[i]
		if s.Label != nil && t.label != s.Label.Name {
			continue
		}
		if s.Tok == token.BREAK {
			if s.Label == nil && t.labelOnly {
				continue
			}
			b.emit(&Exit{To: t.brk, Pos: s.Pos()})
			return
		}
		if t.cont != nil {
			b.emit(&Exit{To: t.cont, Continue: true, Pos: s.Pos()})
			return
		}
	}
	fail(s.Pos(), "%s leads nowhere", s.Tok)
}

func (b *builder) returnStmt(f *frame, s *ast.ReturnStmt) {
	if f.exit == nil {
		b.emit(&Exit{Pos: s.Pos()})
		return
	}
	if len(s.Results) > 0 {
		vs := b.values(f, s.Results, len(f.results))
		if len(vs) > 1 {
			for i := range vs {
				vs[i] = b.fix(f, vs[i], s.Pos())
			}
		}
		for i, v := range vs {
			b.assign(f.results[i], v, s.Pos(), false)
		}
	}
	b.emit(&Exit{To: f.exit, Pos: s.Pos()})
}
