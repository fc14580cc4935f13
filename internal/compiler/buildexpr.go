package compiler

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// expr translates e into an expression.
func (b *builder) expr(f *frame, e ast.Expr) Expr { return b.reify(b.value(f, e), e.Pos()) }

// value translates e. What e needs to have done before is emitted.
func (b *builder) value(f *frame, e ast.Expr) binding {
	if tv, ok := f.pkg.info.Types[e]; ok && tv.Value != nil {
		return &Const{tv.Value, b.typeOf(f, e)}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return b.value(f, e.X)
	case *ast.Ident:
		return b.ident(f, e)
	case *ast.SelectorExpr:
		return b.selector(f, e)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
				v := b.composite(f, lit)
				tmp := b.room(f, "lit", b.typeOf(f, lit), e.Pos())
				b.assign(tmp, v, e.Pos(), true)
				mark(tmp, true)
				return &pointer{tmp, b.typeOf(f, e)}
			}
			to := b.place(f, e.X)
			if x, ok := to.(*Index); ok && !inVar(x) {
				// The element must be there even if nobody uses the pointer.
				b.emit(&Assign{L: []Expr{nil}, R: x, Pos: e.Pos()})
			}
			return &pointer{to, b.typeOf(f, e)}
		case token.ARROW:
			fail(e.Pos(), "channels are not translated")
		}
		return &Unary{e.Op, b.expr(f, e.X)}
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
		x := b.value(f, e.X)
		if _, arr := b.typeOf(f, e.X).Underlying().(*types.Array); arr {
			x = b.place(f, e.X)
			b.markAddr(x)
		}
		s.X = b.reify(through(x), e.Pos())
		for _, p := range []struct {
			from ast.Expr
			to   *Expr
		}{{e.Low, &s.Lo}, {e.High, &s.Hi}, {e.Max, &s.Max}} {
			if p.from != nil {
				*p.to = b.expr(f, p.from)
			}
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

func isFunc(t types.Type) bool { _, ok := t.Underlying().(*types.Signature); return ok }

// through follows a known pointer.
func through(v binding) binding {
	if p, ok := v.(*pointer); ok {
		return p.to
	}
	return v
}

func (b *builder) markAddr(v binding) {
	if e, ok := v.(Expr); ok {
		if vr, _ := assigned(e); vr != nil {
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
		return &Global{nil, b.typeOf(f, e)}
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
	return &Global{obj, obj.Type()}
}

// function translates the use of a declared function.
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

// fields follows a path of field numbers.
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
		// A literal that has not been given a place.
		for k, key := range v.Keys {
			if key == fld.Name() {
				return v.Vals[k]
			}
		}
	case Expr:
		if !fld.Exported() && fld.Pkg() != b.root.types {
			fail(pos, "the field %s is not exported", fld.Name())
		}
		return &Field{X: v, F: fld, T: fld.Type(), Name: fld.Name()}
	}
	fail(pos, "the field %s can't be followed", fld.Name())
	return nil
}

// place translates e into something that can be assigned to.
func (b *builder) place(f *frame, e ast.Expr) binding {
	var v binding
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		v = b.index(f, e)
	case *ast.SelectorExpr:
		v = b.selector(f, e)
	default:
		v = b.value(f, e)
	}
	switch x := v.(type) {
	case *VarRef:
		return x // a field or an element may be a variable of its own
	case Expr:
		return b.simpleIndex(x, e.Pos())
	}
	return v
}

func (b *builder) index(f *frame, e *ast.IndexExpr) binding {
	t := b.typeOf(f, e.X)
	if _, ok := t.Underlying().(*types.Map); ok {
		fail(e.Pos(), "maps are not translated")
	}
	x := through(b.value(f, e.X))
	i := b.expr(f, e.Index)
	return &Index{X: b.reify(x, e.Pos()), I: i, T: b.typeOf(f, e), Pos: e.Pos()}
}

func (b *builder) binary(f *frame, e *ast.BinaryExpr) binding {
	t := b.typeOf(f, e)
	if e.Op == token.LAND || e.Op == token.LOR {
		x := b.expr(f, e.X)
		var y Expr
		stmts := b.nested(func() { y = b.expr(f, e.Y) })
		if len(stmts) == 0 {
			return &Binary{e.Op, x, y, t}
		}
		// The right side needs statements of its own, which run only if it is needed.
		v := &VarRef{b.newVar("cond", boolType, e.Pos())}
		v.V.defs = 1
		b.emit(&Assign{L: []Expr{v}, R: x, Def: true, Pos: e.Pos()})
		stmts = append(stmts, &Assign{L: []Expr{v}, R: y, Pos: e.Pos()})
		c := Expr(v)
		if e.Op == token.LOR {
			c = not(v)
		}
		b.emit(&If{Cond: c, Then: stmts, Pos: e.Pos()})
		return v
	}
	x := b.value(f, e.X)
	from := len(b.out)
	y := b.value(f, e.Y)
	x = b.before(from, x, e.Pos())
	if e.Op == token.EQL || e.Op == token.NEQ {
		// Pointers that the compiler knows are compared with nil, or not at all.
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
		// Package device keeps its promises in kernels marked fastmath: a conversion to the same type keeps operations apart.
		switch e.Op {
		case token.MUL:
			return &Convert{r, t}
		case token.QUO:
			r.Y = &Convert{r.Y, t}
		}
	}
	return r
}

func (b *builder) composite(f *frame, e *ast.CompositeLit) binding {
	t := b.typeOf(f, e)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem() // &T elided in a slice of pointers
		fail(e.Pos(), "pointers to literals are not translated")
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if b.splits(t) != nil {
			a := b.zero(f, t, e.Pos()).(*aggregate)
			for i, el := range e.Elts {
				if kv, ok := el.(*ast.KeyValueExpr); ok {
					name := kv.Key.(*ast.Ident).Name
					for j := range u.NumFields() {
						if u.Field(j).Name() == name {
							i = j
						}
					}
					el = kv.Value
				}
				v := b.value(f, el)
				if _, ok := a.fields[i].(*aggregate); ok {
					s := b.fieldsOf(v, e.Pos())
					if s == nil {
						fail(e.Pos(), "a struct is not known field by field")
					}
					v = s
				}
				a.fields[i] = v
			}
			return a
		}
		b.printable(t, e.Pos())
		c := &Composite{T: t}
		for i, el := range e.Elts {
			name := ""
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				name, el = kv.Key.(*ast.Ident).Name, kv.Value
			} else {
				name = u.Field(i).Name()
			}
			if !ast.IsExported(name) && !b.declares(u, name) {
				fail(e.Pos(), "the field %s is not exported", name)
			}
			c.Keys = append(c.Keys, name)
			c.Vals = append(c.Vals, b.expr(f, el))
		}
		return c
	case *types.Array, *types.Slice:
		b.printable(t, e.Pos())
		c := &Composite{T: t}
		for _, el := range e.Elts {
			key := ""
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				key = f.pkg.info.Types[kv.Key].Value.ExactString()
				el = kv.Value
			}
			c.Keys = append(c.Keys, key)
			c.Vals = append(c.Vals, b.expr(f, el))
		}
		return c
	case *types.Map:
		fail(e.Pos(), "maps are not translated")
	}
	fail(e.Pos(), "literals of this type are not translated")
	return nil
}

// declares reports whether a field of u is one of the root package.
func (b *builder) declares(u *types.Struct, name string) bool {
	for i := range u.NumFields() {
		if f := u.Field(i); f.Name() == name {
			return f.Pkg() == b.root.types
		}
	}
	return false
}

// before returns v, which is computed before the statements that were emitted from a place on: if it has calls
// or logical operations, which Go makes from left to right, it goes into a variable there.
func (b *builder) before(from int, v binding, pos token.Pos) binding {
	if from == len(b.out) {
		return v
	}
	ordered := false
	var visit func(v binding)
	visit = func(v binding) {
		switch v := v.(type) {
		case *aggregate:
			for _, x := range v.fields {
				visit(x)
			}
		case Expr:
			walkExpr(v, func(x Expr) {
				switch x := x.(type) {
				case *Call:
					ordered = ordered || x.Fn != nil
				case *Binary:
					ordered = ordered || x.Op == token.LAND || x.Op == token.LOR
				}
			})
		}
	}
	visit(v)
	if !ordered {
		return v
	}
	after := append([]Stmt{}, b.out[from:]...)
	b.out = b.out[:from:from]
	tmp := b.room(nil, "tmp", b.typeOfBinding(v), pos)
	b.assign(tmp, v, pos, true)
	b.out = append(b.out, after...)
	return tmp
}
