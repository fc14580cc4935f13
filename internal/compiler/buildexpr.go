package compiler

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Expressions: from syntax to bindings and expressions of the intermediate representation.

// expr translates e into an expression.
func (b *builder) expr(f *frame, e ast.Expr) Expr { return b.reify(b.value(f, e), e.Pos()) }

// mostNested is the largest nesting depth of expressions. Go's compiler takes time quadratic in the
// depth.
const mostNested = 1000

// value translates e. Statements that must run before e are emitted.
func (b *builder) value(f *frame, e ast.Expr) binding {
	e = ast.Unparen(e)
	if b.depth++; b.depth > mostNested {
		fail(e.Pos(), "the expression is nested more than %d deep", mostNested)
	}
	defer func() { b.depth-- }()
	if tv, ok := f.pkg.info.Types[e]; ok && tv.Value != nil {
		if t := b.typeOf(f, e); isComplex(t) {
			return complexConst(tv.Value, t)
		}
		return &Const{tv.Value, b.typeOf(f, e)}
	}
	switch e := e.(type) {
	case *ast.Ident:
		return b.ident(f, e)
	case *ast.SelectorExpr:
		return b.selector(f, e)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
				v := b.composite(f, lit)
				tmp := b.roomOf(lit, "lit", b.typeOf(f, lit), e.Pos())
				b.assign(tmp, v, e.Pos(), true)
				mark(tmp, true)
				return &pointer{tmp, b.typeOf(f, e)}
			}
			to := b.place(f, e.X)
			return &pointer{to, b.typeOf(f, e)}
		case token.ARROW:
			fail(e.Pos(), "channels are not translated")
		}
		if t := b.typeOf(f, e); isComplex(t) {
			return b.complexUnary(e.Op, b.value(f, e.X), t, e.Pos())
		}
		x := b.expr(f, e.X)
		if e.Op == token.NOT && isOrder(x) {
			return not(x)
		}
		return folded(&Unary{e.Op, x})
	case *ast.BinaryExpr:
		return b.binary(f, e)
	case *ast.StarExpr:
		v := b.value(f, e.X)
		if p, ok := v.(*pointer); ok {
			return p.to
		}
		return &Deref{b.reify(v, e.Pos()), b.typeOf(f, e)}
	case *ast.IndexExpr:
		if tv := f.pkg.info.Types[e.X]; tv.IsValue() && !isFunc(tv.Type) {
			return b.index(f, e)
		}
		return b.function(f, e)
	case *ast.IndexListExpr:
		return b.function(f, e)
	case *ast.SliceExpr:
		s := &Slice{T: b.typeOf(f, e)}
		list := []ast.Expr{e.X}
		to := []*Expr{&s.X}
		for _, p := range []struct {
			from ast.Expr
			to   *Expr
		}{{e.Low, &s.Lo}, {e.High, &s.Hi}, {e.Max, &s.Max}} {
			if p.from != nil {
				list, to = append(list, p.from), append(to, p.to)
			}
		}
		vs := b.operands(len(list), func(i int) binding {
			if _, arr := b.typeOf(f, e.X).Underlying().(*types.Array); arr && i == 0 {
				x := b.place(f, e.X)
				b.markAddr(x)
				return x
			}
			return b.value(f, list[i])
		})
		vs[0] = through(vs[0])
		for i, v := range vs {
			*to[i] = b.reify(v, list[i].Pos())
		}
		return s
	case *ast.CompositeLit:
		return b.composite(f, e)
	case *ast.FuncLit:
		return &closure{e, f}
	case *ast.CallExpr:
		list := b.call(f, e)
		if len(list) != 1 {
			fail(e.Pos(), "a call without a single result is used as a value")
		}
		return list[0]
	case *ast.TypeAssertExpr:
		fail(e.Pos(), "type assertions are not translated")
	}
	fail(e.Pos(), "expressions of this kind are not translated")
	return nil
}

// isOrder reports whether e compares two integers by size.
func isOrder(e Expr) bool {
	x, ok := e.(*Binary)
	return ok && isInteger(x.X.Type()) && (x.Op == token.LSS || x.Op == token.LEQ || x.Op == token.GTR || x.Op == token.GEQ)
}

func isFunc(t types.Type) bool { _, ok := t.Underlying().(*types.Signature); return ok }

// through returns the target of a pointer, if that is known.
func through(v binding) binding {
	if p, ok := v.(*pointer); ok {
		return p.to
	}
	return v
}

func (b *builder) markAddr(v binding) {
	if e, ok := v.(Expr); ok {
		if vr, _ := assigned(unviewed(e)); vr != nil {
			vr.addr = true
		}
	}
}

func (b *builder) ident(f *frame, e *ast.Ident) binding {
	obj := f.pkg.info.ObjectOf(e)
	if v, ok := f.lookup(obj); ok {
		return v
	}
	switch obj := obj.(type) {
	case *types.Nil:
		return &Global{T: b.typeOf(f, e)}
	case *types.Func:
		return b.function(f, e)
	case *types.Var:
		if obj.Parent() == obj.Pkg().Scope() {
			return b.global(obj, e.Pos())
		}
	}
	fail(e.Pos(), "%s is not known", e.Name)
	return nil
}

func (b *builder) global(obj types.Object, pos token.Pos) binding {
	b.mayName(obj, "", pos)
	return &Global{Obj: obj, T: obj.Type()}
}

// function translates a declared function that is used as a value.
func (b *builder) function(f *frame, e ast.Expr) binding {
	var id *ast.Ident
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	case *ast.IndexExpr:
		return b.function(f, x.X)
	case *ast.IndexListExpr:
		return b.function(f, x.X)
	default:
		fail(e.Pos(), "calls of this kind are not translated")
	}
	fn, ok := f.pkg.info.Uses[id].(*types.Func)
	if !ok {
		fail(e.Pos(), "%s is not a declared function", id.Name)
	}
	v := &funcValue{fn: fn.Origin(), pos: e.Pos()}
	if inst, ok := f.pkg.info.Instances[id]; ok {
		for i := range inst.TypeArgs.Len() {
			v.targs = append(v.targs, b.subst(f, inst.TypeArgs.At(i)))
		}
	}
	return v
}

func (b *builder) selector(f *frame, e *ast.SelectorExpr) binding {
	sel := f.pkg.info.Selections[e]
	if sel == nil { // package.Name
		obj := f.pkg.info.Uses[e.Sel]
		if _, ok := obj.(*types.Func); ok {
			return b.function(f, e)
		}
		if obj == nil {
			fail(e.Pos(), "%s is not known", e.Sel.Name)
		}
		return b.global(obj, e.Pos())
	}
	if sel.Kind() == types.MethodExpr {
		fail(e.Pos(), "method expressions are translated only where they are called")
	}
	if sel.Kind() != types.FieldVal {
		fail(e.Pos(), "method values are not translated")
	}
	v := b.value(f, e.X)
	return b.fields(f, v, sel.Recv(), sel.Index(), e.Pos())
}

// fields follows a path of field indices.
func (b *builder) fields(f *frame, v binding, t types.Type, path []int, pos token.Pos) binding {
	t = b.subst(f, t)
	for _, i := range path {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st := t.Underlying().(*types.Struct)
		fld := st.Field(i)
		v = b.field(through(v), fld, i, pos)
		t = b.subst(f, fld.Type())
	}
	return v
}

func (b *builder) field(v binding, fld *types.Var, i int, pos token.Pos) binding {
	switch v := v.(type) {
	case thread:
		for k, name := range index3Names {
			if fld.Name() == name {
				a := &aggregate{t: fld.Type(), st: fld.Type().Underlying().(*types.Struct)}
				for axis := range 3 {
					a.fields = append(a.fields, &Index3{index3(k), axis})
				}
				return a
			}
		}
		fail(pos, "%s of a Thread is not translated", fld.Name())
	case *aggregate:
		return v.fields[i]
	case *Composite:
		// A literal that has no variable.
		for k, key := range v.Keys {
			if key == fld.Name() {
				return v.Vals[k]
			}
		}
	case Expr:
		if !fld.Exported() && fld.Pkg() != b.root.types {
			fail(pos, "the field %s is not exported", fld.Name())
		}
		if c, ok := v.(*Convert); ok && !isPointer(c.T) {
			v = c.X // conversion between struct types keeps the fields
		}
		return &Field{X: v, F: fld, T: fld.Type(), Name: fld.Name()}
	}
	fail(pos, "the field %s can't be followed", fld.Name())
	return nil
}

func (b *builder) index(f *frame, e *ast.IndexExpr) binding {
	t := b.typeOf(f, e.X)
	if _, ok := t.Underlying().(*types.Map); ok {
		fail(e.Pos(), "maps are not translated")
	}
	vs := b.list(f, []ast.Expr{e.X, e.Index})
	x := b.reify(through(vs[0]), e.Pos())
	if c, ok := x.(*Convert); ok && isArray(c.T) && isArray(c.X.Type()) {
		x = c.X // conversion between array types keeps the elements
	}
	return &Index{X: x, I: b.reify(vs[1], e.Index.Pos()), T: b.typeOf(f, e), Pos: e.Pos()}
}

func (b *builder) binary(f *frame, e *ast.BinaryExpr) binding {
	t := b.typeOf(f, e)
	if e.Op == token.LAND || e.Op == token.LOR {
		x := b.expr(f, e.X)
		var y Expr
		stmts := b.nested(func() { y = b.expr(f, e.Y) })
		if len(stmts) == 0 {
			return chained(e.Op, x, y, t)
		}
		return b.logical(e.Op, x, y, stmts, e.Pos())
	}
	vs := b.list(f, []ast.Expr{e.X, e.Y})
	x, y := vs[0], vs[1]
	if of := b.typeOf(f, e.X); isComplex(of) {
		return b.complexBinary(e.Op, x, y, of, e.Pos())
	}
	if e.Op == token.EQL || e.Op == token.NEQ {
		// A pointer with a known target is not nil; other comparisons with it are not supported.
		for _, p := range []struct{ a, b binding }{{x, y}, {y, x}} {
			if _, ok := p.a.(*pointer); ok {
				if g, ok := p.b.(*Global); ok && g.Obj == nil {
					return &Const{constant.MakeBool(e.Op == token.NEQ), boolType}
				}
			}
		}
	}
	r := &Binary{e.Op, b.reify(x, e.Pos()), b.reify(y, e.Pos()), t}
	if b.k.Fastmath && isFloat(t) && f.pkg.path == devicePath {
		// In kernels marked fastmath, package device stays exact: a conversion to the same type
		// prevents fusion of operations.
		switch e.Op {
		case token.MUL:
			return &Convert{r, t}
		case token.QUO:
			if _, _, root := floatCall(r.Y); !root || !isOne(r.X) { // CUDA allows 2 ulp for 1/sqrt(x)
				r.Y = &Convert{r.Y, t}
			}
		}
	}
	return folded(r)
}

// chained returns x && y or x || y: x alone if y is one of its terms, since go vet refuses a term twice.
func chained(op token.Token, x, y Expr, t types.Type) Expr {
	if more, ok := y.(*Binary); ok && more.Op == op {
		return chained(op, chained(op, x, more.X, t), more.Y, t)
	}
	var among func(e Expr) bool
	among = func(e Expr) bool {
		b, ok := e.(*Binary)
		return sameExpr(e, y) || ok && b.Op == op && (among(b.X) || among(b.Y))
	}
	if among(x) {
		return x
	}
	return &Binary{op, x, y, t}
}

// logical returns x && y or x || y, where the statements stmts compute y's operands and run only if
// y is evaluated.
func (b *builder) logical(op token.Token, x, y Expr, stmts []Stmt, pos token.Pos) Expr {
	v := &VarRef{b.newVar("cond", boolType, pos)}
	v.V.defs = 1
	b.emit(&Assign{L: []Expr{v}, R: x, Def: true, Pos: pos})
	stmts = append(stmts, &Assign{L: []Expr{v}, R: y, Pos: pos})
	c := Expr(v)
	if op == token.LOR {
		c = not(v)
	}
	b.emit(&If{Cond: c, Then: stmts, Pos: pos})
	return v
}

func (b *builder) composite(f *frame, e *ast.CompositeLit) binding {
	t := b.typeOf(f, e)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem() // the elided &T in a slice of pointers
		fail(e.Pos(), "pointers to literals are not translated")
	}
	vals := make([]ast.Expr, len(e.Elts))
	for i, el := range e.Elts {
		vals[i] = el
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			vals[i] = kv.Value
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		vs := b.list(f, vals)
		fields := make([]int, len(vals))
		for i, el := range e.Elts {
			fields[i] = i
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				fields[i] = fieldNamed(u, kv.Key.(*ast.Ident).Name)
			}
		}
		if b.splits(t) != nil {
			a := b.zero(t).(*aggregate)
			for i, v := range vs {
				if _, ok := a.fields[fields[i]].(*aggregate); ok {
					s := b.fieldsOf(v, e.Pos())
					if s == nil {
						fail(e.Pos(), "a struct is not known field by field")
					}
					v = s
				}
				a.fields[fields[i]] = v
			}
			return a
		}
		b.printable(t, e.Pos())
		c := &Composite{T: t}
		for i, v := range vs {
			name := u.Field(fields[i]).Name()
			if !ast.IsExported(name) && !b.declares(u, name) {
				fail(e.Pos(), "the field %s is not exported", name)
			}
			c.Keys = append(c.Keys, name)
			c.Vals = append(c.Vals, b.reify(v, vals[i].Pos()))
		}
		return c
	case *types.Array, *types.Slice:
		b.printable(t, e.Pos())
		c := &Composite{T: t}
		for i, v := range b.list(f, vals) {
			key := ""
			if kv, ok := e.Elts[i].(*ast.KeyValueExpr); ok {
				key = f.pkg.info.Types[kv.Key].Value.ExactString()
			}
			c.Keys = append(c.Keys, key)
			c.Vals = append(c.Vals, b.reify(v, vals[i].Pos()))
		}
		return c
	case *types.Map:
		fail(e.Pos(), "maps are not translated")
	}
	fail(e.Pos(), "literals of this type are not translated")
	return nil
}

// fieldNamed returns the index of a field of u, or -1.
func fieldNamed(u *types.Struct, name string) int {
	for i := range u.NumFields() {
		if u.Field(i).Name() == name {
			return i
		}
	}
	return -1
}

// declares reports whether a field of u belongs to the root package.
func (b *builder) declares(u *types.Struct, name string) bool {
	for i := range u.NumFields() {
		if f := u.Field(i); f.Name() == name {
			return f.Pkg() == b.root.types
		}
	}
	return false
}
