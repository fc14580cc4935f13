package compiler

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Places: addressable expressions, and assignments to them.

// assign copies src into dst. def says that the assignment is dst's declaration.
func (b *builder) assign(dst, src binding, pos token.Pos, def bool) {
	if d, ok := dst.(*aggregate); ok {
		s := b.fieldsOf(src, pos)
		if s == nil {
			fail(pos, "a struct is not known field by field")
		}
		if !def && b.overlaps(d, s) {
			tmp := b.room("tmp", d.t, pos)
			b.assign(tmp, src, pos, true)
			b.assign(dst, tmp, pos, false)
			return
		}
		for i := range d.fields {
			b.assign(d.fields[i], s.fields[i], pos, def)
		}
		return
	}
	l, r := stored(b.reify(dst, pos), b.reify(src, pos))
	b.emit(&Assign{L: []Expr{l}, R: r, Def: def, Pos: pos})
}

// overlaps reports whether a copy of s into d, field by field, could read a field that it has
// already written.
func (b *builder) overlaps(d, s *aggregate) bool {
	written := map[*Var]bool{}
	memory := false
	hit := false
	var visit func(d, s binding)
	visit = func(d, s binding) {
		if da, ok := d.(*aggregate); ok {
			sa, ok := s.(*aggregate)
			if !ok {
				hit = true
				return
			}
			for i := range da.fields {
				visit(da.fields[i], sa.fields[i])
			}
			return
		}
		if e, ok := s.(Expr); ok {
			walkExpr(e, func(x Expr) {
				switch x := x.(type) {
				case *VarRef:
					hit = hit || written[x.V]
				case *Index, *Deref, *Field, *Global:
					hit = hit || memory
				}
			})
		}
		if e, ok := d.(Expr); ok {
			if v, _ := assigned(e); v != nil {
				written[v] = true
			} else {
				memory = true
			}
		}
	}
	visit(d, s)
	return hit
}

// fieldsOf returns a struct value split into fields, or nil if that is not possible.
func (b *builder) fieldsOf(v binding, pos token.Pos) *aggregate {
	switch v := v.(type) {
	case *aggregate:
		return v
	case Expr:
		st := b.splits(v.Type())
		if st == nil {
			return nil
		}
		if _, ok := v.(*Call); ok || isComposite(v) {
			tmp := &VarRef{b.newVar("tmp", v.Type(), pos)}
			b.emit(&Assign{L: []Expr{tmp}, R: v, Def: true, Pos: pos})
			v = tmp
		}
		v = b.pinned(v, pos)
		a := &aggregate{t: v.Type(), st: st}
		for i := range st.NumFields() {
			fld := st.Field(i)
			e := Expr(&Field{X: v, F: fld, T: fld.Type(), Name: fld.Name()})
			if b.splits(fld.Type()) != nil {
				a.fields = append(a.fields, b.fieldsOf(e, pos))
			} else {
				a.fields = append(a.fields, e)
			}
		}
		return a
	}
	return nil
}

func isComposite(e Expr) bool { _, ok := e.(*Composite); return ok }

// simple reports whether e can be evaluated repeatedly at no cost.
func simple(e Expr) bool {
	switch e := e.(type) {
	case *Const, *VarRef, *Index3, *Rank, *Global:
		return true
	case *Convert:
		return simple(e.X)
	}
	return false
}

// place translates e into an addressable expression. It is valid until a further statement is
// emitted; see pin.
func (b *builder) place(f *frame, e ast.Expr) binding {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return b.index(f, e)
	case *ast.SelectorExpr:
		return b.selector(f, e)
	default:
		return b.value(f, e)
	}
}

// pin evaluates the indices, slices and pointers of the place v, so that it can be used several
// times and does not change.
func (b *builder) pin(v binding, pos token.Pos) binding {
	if e, ok := v.(Expr); ok {
		return b.pinned(e, pos)
	}
	return v
}

func (b *builder) pinned(e Expr, pos token.Pos) Expr {
	// base pins x, the operand that a place is selected from: with part, the place of an array or a
	// struct; otherwise a slice or a pointer.
	base := func(x Expr, part bool) Expr {
		switch {
		case part:
			return b.pinned(x, pos)
		case b.stable(x):
			return x
		}
		return b.temp(x, pos)
	}
	switch x := e.(type) {
	case *Index:
		y := *x
		y.X, y.I = base(x.X, isArray(x.X.Type())), b.temp(x.I, pos)
		return &y
	case *Field:
		y := *x
		y.X = base(x.X, !isPointer(x.X.Type()))
		return &y
	case *Deref:
		y := *x
		y.X = base(x.X, false)
		return &y
	case *Convert: // a view of a place; see viewed
		y := *x
		y.X = b.pinned(x.X, pos)
		return &y
	case *Call:
		if bitsOf[x.Name] == "" {
			return e
		}
		y := *x
		y.Args = []Expr{b.pinned(x.Args[0], pos)}
		return &y
	}
	return e
}

// pinAddress is pin for a value that is bound to a name. The address of a pointer's target is taken
// here, which panics if the target does not exist.
func (b *builder) pinAddress(v binding, pos token.Pos) binding {
	p, ok := v.(*pointer)
	if !ok {
		return v
	}
	to, ok := p.to.(Expr)
	if !ok {
		return v
	}
	to = b.pinned(to, pos)
	if mayBeNowhere(unviewed(to)) {
		b.emit(&Assign{L: []Expr{nil}, R: unviewed(to), Pos: pos})
	}
	return &pointer{to, p.t}
}

// mayBeNowhere reports whether taking the address of e may panic.
func mayBeNowhere(e Expr) bool {
	switch x := e.(type) {
	case *Index:
		if isArray(x.X.Type()) {
			_, constant := x.I.(*Const) // the type checker has compared it with the length
			return !constant || mayBeNowhere(x.X)
		}
		return true
	case *Field:
		return isPointer(x.X.Type()) || mayBeNowhere(x.X)
	case *Deref:
		return true
	}
	return false
}

// temp returns e if it is simple and constant, and otherwise a new variable with its value.
func (b *builder) temp(e Expr, pos token.Pos) Expr {
	switch x := e.(type) {
	case *Const, *Index3, *Rank:
		return e
	case *VarRef:
		if !b.changes(x.V) {
			return e
		}
	case *Global:
		if x.Obj == nil {
			return e
		}
		if _, ok := x.Obj.(*types.Func); ok {
			return e
		}
	}
	v := &VarRef{b.newVar("at", e.Type(), pos)}
	b.emit(&Assign{L: []Expr{v}, R: e, Def: true, Pos: pos})
	return v
}

// changes reports whether v may be assigned after its definition. While the representation is being
// built, the declaration decides that.
func (b *builder) changes(v *Var) bool { return v.defs != 0 }

// mark records for a new variable whether the source assigns it again.
func mark(v binding, changes bool) {
	switch v := v.(type) {
	case *VarRef:
		if changes {
			v.V.defs = 1
		}
	case *aggregate:
		for _, x := range v.fields {
			mark(x, changes)
		}
	}
}

// reify returns v as an expression.
func (b *builder) reify(v binding, pos token.Pos) Expr {
	switch v := v.(type) {
	case Expr:
		return v
	case *aggregate:
		b.printable(v.t, pos)
		c := &Composite{T: v.t}
		for i, f := range v.fields {
			c.Keys = append(c.Keys, v.st.Field(i).Name())
			c.Vals = append(c.Vals, b.reify(f, pos))
		}
		return c
	case *pointer:
		if a, ok := v.to.(*aggregate); ok {
			b.intoMemory(a, pos)
		}
		if isUnsafePointer(v.t) {
			fail(pos, "an unsafe.Pointer is translated only where it is converted to a pointer to a number of the same size and then used")
		}
		to := b.reify(v.to, pos)
		place := unviewed(to)
		if vr, _ := assigned(place); vr != nil {
			vr.addr = true
		}
		switch {
		case place == to:
			return &Addr{X: to, T: v.t}
		case types.Identical(place.Type().Underlying(), to.Type().Underlying()):
			return &Convert{&Addr{X: place, T: types.NewPointer(place.Type())}, v.t}
		}
		fail(pos, "a pointer to %s, made of one to %s, leaves the kernel", to.Type(), place.Type())
	case thread:
		fail(pos, "the Thread is used as a value")
	case *closure:
		fail(pos, "a closure is used as a value")
	case *funcValue:
		return b.funcExpr(v.fn, v.targs, pos)
	}
	fail(pos, "a value of an unknown kind")
	return nil
}

// intoMemory restarts the translation with the struct that contains a as one variable in memory,
// because a pointer to it escapes the analysis.
func (b *builder) intoMemory(a *aggregate, pos token.Pos) {
	if a.of == nil {
		fail(pos, "the address of a struct leaves the kernel")
	}
	b.inMemory[a.of] = true
	panic(again{})
}
