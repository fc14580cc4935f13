package compiler

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Complex numbers are split into their parts, like structs with the fields re and im. Their operations
// become those of the parts, rounded as Go rounds them: it multiplies complex64 in float64. A quotient
// stays an operation of Go, whose rules for infinities and NaN no formula has. Elements of slices and
// parameters stay complex numbers, whose parts are fields (Field), printed as real and imag.

// complexParts are the structs that complex numbers are taken for.
var complexParts = map[types.BasicKind]*types.Struct{
	types.Complex64:      partsOf(types.Float32),
	types.Complex128:     partsOf(types.Float64),
	types.UntypedComplex: partsOf(types.Float64),
}

func partsOf(k types.BasicKind) *types.Struct {
	field := func(name string) *types.Var { return types.NewField(token.NoPos, nil, name, types.Typ[k], false) }
	return types.NewStruct([]*types.Var{field("re"), field("im")}, nil)
}

func isComplex(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsComplex != 0
}

// structUnder returns the struct type under t; that of a complex type has its parts.
func structUnder(t types.Type) (*types.Struct, bool) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return u, true
	case *types.Basic:
		st := complexParts[u.Kind()]
		return st, st != nil
	}
	return nil, false
}

// complexConst returns a constant complex number.
func complexConst(v constant.Value, t types.Type) *aggregate {
	st, _ := structUnder(t)
	of := st.Field(0).Type()
	part := func(v constant.Value) binding { return roundedConst(v, of) }
	return &aggregate{t: t, st: st, fields: []binding{part(constant.Real(v)), part(constant.Imag(v))}}
}

// roundedConst is a constant of a float type. Unless rounded, it would be another number in float64.
func roundedConst(v constant.Value, t types.Type) *Const {
	v = constant.ToFloat(v)
	if r := roundFloat(v, t); r != nil {
		v = r
	}
	return &Const{v, t}
}

// parts returns the parts of a complex number, which may be used repeatedly.
func (b *builder) parts(v binding, t types.Type, pos token.Pos) (re, im Expr) {
	if c, ok := v.(*Const); ok {
		v = complexConst(c.Val, t)
	}
	a := b.fieldsOf(v, pos)
	if a == nil {
		fail(pos, "a complex number is not known part by part")
	}
	part := func(i int) Expr {
		e := b.reify(a.fields[i], pos)
		if simple(e) {
			return e
		}
		return b.temp(e, pos)
	}
	return part(0), part(1)
}

// complexOf makes a complex number of type t.
func complexOf(t types.Type, re, im Expr) *aggregate {
	st, _ := structUnder(t)
	return &aggregate{t: t, st: st, fields: []binding{re, im}}
}

// complexUnary is +x or -x.
func (b *builder) complexUnary(op token.Token, x binding, t types.Type, pos token.Pos) binding {
	re, im := b.parts(x, t, pos)
	return complexOf(t, folded(&Unary{op, re}), folded(&Unary{op, im}))
}

// complexBinary is an operation on complex numbers of type t.
func (b *builder) complexBinary(op token.Token, x, y binding, t types.Type, pos token.Pos) binding {
	xr, xi := b.parts(x, t, pos)
	yr, yi := b.parts(y, t, pos)
	part := xr.Type()
	of := func(op token.Token, x, y Expr) Expr { return folded(&Binary{op, x, y, x.Type()}) }
	if op == token.QUO {
		return b.complexQuotient(t, xr, xi, yr, yi, pos)
	}
	equal := func(op token.Token, x, y Expr) Expr { return &Binary{op, x, y, boolType} }
	switch op {
	case token.EQL:
		return &Binary{token.LAND, equal(op, xr, yr), equal(op, xi, yi), boolType}
	case token.NEQ:
		return &Binary{token.LOR, equal(op, xr, yr), equal(op, xi, yi), boolType}
	case token.MUL:
		wide := func(e Expr) Expr { return e }
		narrow := wide
		if single := types.Typ[types.Float32]; types.Identical(part, single) && !b.k.Fastmath {
			double := types.Typ[types.Float64]
			wide = func(e Expr) Expr { return folded(&Convert{e, double}) }
			narrow = func(e Expr) Expr { return &Convert{e, single} }
		}
		product := func(x, y Expr) Expr { return of(token.MUL, wide(x), wide(y)) }
		return complexOf(t, narrow(of(token.SUB, product(xr, yr), product(xi, yi))), narrow(of(token.ADD, product(xr, yi), product(xi, yr))))
	}
	return complexOf(t, of(op, xr, yr), of(op, xi, yi))
}

// complexQuotient is (xr + xi i) / (yr + yi i), of type t. Go computes it in float64, by Smith's method
// (Algorithm 116, Communications of the ACM, 1962). Where a part of that is NaN, Go itself divides, since
// it then looks for infinities and zeros.
func (b *builder) complexQuotient(t types.Type, xr, xi, yr, yi Expr, pos token.Pos) binding {
	float, whole := types.Typ[types.Float64], types.Typ[types.Complex128]
	newVar := func(name string, e Expr) *VarRef {
		v := &VarRef{b.newVar(name, e.Type(), pos)}
		b.emit(&Assign{L: []Expr{v}, R: e, Def: true, Pos: pos})
		return v
	}
	wide := func(name string, e Expr) Expr {
		if types.Identical(e.Type(), float) && simple(e) {
			return e
		}
		return newVar(name, folded(&Convert{e, float}))
	}
	xr, xi, yr, yi = wide("real", xr), wide("imag", xi), wide("real", yr), wide("imag", yi)
	of := func(op token.Token, x, y Expr) Expr { return folded(&Binary{op, x, y, float}) }
	zero := &Const{constant.MakeFloat64(0), float}
	set := func(v *VarRef, e Expr) Stmt {
		v.V.defs = 1
		return &Assign{L: []Expr{v}, R: e, Pos: pos}
	}
	abs := func(e Expr) Expr {
		v := newVar("abs", e)
		b.emit(&If{Cond: &Binary{token.LSS, e, zero, boolType}, Then: []Stmt{set(v, &Unary{token.SUB, e})}, Pos: pos})
		return v
	}
	re, im := newVar("real", zero), newVar("imag", zero)
	// With the larger part of the divisor, and the smaller one.
	divided := func(large, small Expr, ofRe, ofIm func(ratio Expr) Expr) []Stmt {
		return b.nested(func() {
			ratio := newVar("ratio", of(token.QUO, small, large))
			by := newVar("divisor", of(token.ADD, large, of(token.MUL, ratio, small)))
			b.emit(set(re, of(token.QUO, ofRe(ratio), by)))
			b.emit(set(im, of(token.QUO, ofIm(ratio), by)))
		})
	}
	cond := &Binary{token.GEQ, abs(yr), abs(yi), boolType}
	b.emit(&If{Cond: cond, Pos: pos,
		Then: divided(yr, yi,
			func(r Expr) Expr { return of(token.ADD, xr, of(token.MUL, xi, r)) },
			func(r Expr) Expr { return of(token.SUB, xi, of(token.MUL, xr, r)) }),
		Else: divided(yi, yr,
			func(r Expr) Expr { return of(token.ADD, of(token.MUL, xr, r), xi) },
			func(r Expr) Expr { return of(token.SUB, of(token.MUL, xi, r), xr) }),
	})
	isNaN := func(v *VarRef) Expr { return &Binary{token.NEQ, v, v, boolType} }
	b.emit(&If{Cond: &Binary{token.LOR, isNaN(re), isNaN(im), boolType}, Pos: pos, Then: b.nested(func() {
		x, y := b.reify(complexOf(whole, xr, xi), pos), b.reify(complexOf(whole, yr, yi), pos)
		q := newVar("quotient", &Binary{token.QUO, x, y, whole})
		exact := b.fieldsOf(q, pos)
		b.emit(set(re, b.reify(exact.fields[0], pos)))
		b.emit(set(im, b.reify(exact.fields[1], pos)))
	})})
	st, _ := structUnder(t)
	return complexOf(t, folded(&Convert{re, st.Field(0).Type()}), folded(&Convert{im, st.Field(1).Type()}))
}

// complexCall is a call of a func of package math/cmplx that is simple in parts, or nil.
func (b *builder) complexCall(fn *types.Func, args []binding, pos token.Pos) binding {
	var of *types.Package
	for _, p := range fn.Pkg().Imports() {
		if p.Path() == "math" {
			of = p
		}
	}
	if of == nil {
		return nil
	}
	float, whole := types.Typ[types.Float64], types.Typ[types.Complex128]
	call := func(name string, args ...Expr) Expr {
		f, ok := of.Scope().Lookup(name).(*types.Func)
		if !ok {
			fail(pos, "math.%s is not known", name)
		}
		return &Call{Fn: b.funcExpr(f, nil, pos), Name: f.FullName(), Args: args, T: float, Pure: true, Pos: pos}
	}
	switch fn.Name() {
	case "Abs", "Phase", "Conj":
		re, im := b.parts(args[0], whole, pos)
		switch fn.Name() {
		case "Abs":
			return call("Hypot", re, im)
		case "Phase":
			return call("Atan2", im, re)
		}
		return complexOf(whole, re, folded(&Unary{token.SUB, im}))
	case "Rect":
		r, angle := b.temp(b.reify(args[0], pos), pos), b.temp(b.reify(args[1], pos), pos)
		of := func(name string) Expr { return &Binary{token.MUL, r, call(name, angle), float} }
		return complexOf(whole, of("Cos"), of("Sin"))
	case "Exp":
		// The func itself is for infinities and NaN.
		re, im := b.parts(args[0], whole, pos)
		if n, isConst := floatConst(re); isConst && n == 0 {
			return complexOf(whole, call("Cos", im), call("Sin", im))
		}
		r := b.temp(call("Exp", re), pos)
		part := func(name string, e Expr) *VarRef {
			v := &VarRef{b.newVar(name, float, pos)}
			b.emit(&Assign{L: []Expr{v}, R: e, Def: true, Pos: pos})
			v.V.defs = 1
			return v
		}
		x, y := part("real", &Binary{token.MUL, r, call("Cos", im), float}), part("imag", &Binary{token.MUL, r, call("Sin", im), float})
		finite := &Binary{token.EQL, &Binary{token.SUB, re, re, float}, &Const{constant.MakeFloat64(0), float}, boolType}
		b.emit(&If{Cond: not(finite), Pos: pos, Then: b.nested(func() {
			z := &VarRef{b.newVar("z", whole, pos)}
			native := &Call{Fn: b.funcExpr(fn, nil, pos), Name: fn.FullName(), Args: []Expr{b.reify(complexOf(whole, re, im), pos)}, T: whole, Pure: true, Pos: pos}
			b.emit(&Assign{L: []Expr{z}, R: native, Def: true, Pos: pos})
			exact := b.fieldsOf(z, pos)
			b.emit(&Assign{L: []Expr{x}, R: exact.fields[0].(Expr), Pos: pos})
			b.emit(&Assign{L: []Expr{y}, R: exact.fields[1].(Expr), Pos: pos})
		})})
		return complexOf(whole, x, y)
	}
	return nil
}

// complexBuiltin is a call of complex, real or imag.
func (b *builder) complexBuiltin(f *frame, name string, e *ast.CallExpr) binding {
	t := b.typeOf(f, e)
	if name == "complex" {
		st, _ := structUnder(t)
		vs := b.list(f, e.Args)
		a := &aggregate{t: t, st: st}
		for i, v := range vs {
			part := b.reify(v, e.Args[i].Pos())
			if c, ok := part.(*Const); ok {
				part = roundedConst(c.Val, st.Field(i).Type())
			}
			a.fields = append(a.fields, part)
		}
		return a
	}
	v := b.value(f, e.Args[0])
	a := b.fieldsOf(v, e.Pos())
	if a == nil {
		fail(e.Pos(), "a complex number is not known part by part")
	}
	if name == "real" {
		return a.fields[0]
	}
	return a.fields[1]
}
