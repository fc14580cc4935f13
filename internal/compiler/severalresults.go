package compiler

import (
	"go/token"
	"go/types"
	"strings"
)

// Functions of several results as calls of one result each. All that is known of such calls holds for them then, and
// there are vectors of most. Sin and Cos of the same number, one after the other, are printed as Sincos again.

// pureCall returns a call of a func of a package whose result depends on its arguments alone. The types of these are
// those of its parameters.
func pureCall(path, name string, to types.Type, args ...Expr) *Call {
	pkg := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	var params []*types.Var
	for _, a := range args {
		params = append(params, types.NewParam(token.NoPos, pkg, "", a.Type()))
	}
	results, ok := to.(*types.Tuple)
	if !ok {
		results = types.NewTuple(types.NewParam(token.NoPos, pkg, "", to))
	}
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), results, false)
	return &Call{Fn: &Global{Obj: types.NewFunc(token.NoPos, pkg, name, sig), T: sig}, Name: path + "." + name, Args: args, T: to, Pure: true}
}

// apart returns the results of a call of a func that has several, each of them computed by itself, or nil.
func (b *builder) apart(c *Call, t *types.Tuple) []binding {
	var of func(args []Expr) []Expr
	switch c.Name {
	case "math.Sincos":
		of = func(args []Expr) []Expr {
			return []Expr{pureCall("math", "Sin", t.At(0).Type(), args...), pureCall("math", "Cos", t.At(1).Type(), args...)}
		}
	case "math.Modf":
		of = func(args []Expr) []Expr {
			x := args[0]
			whole := pureCall("math", "Trunc", x.Type(), x)
			return []Expr{whole, pureCall("math", "Copysign", x.Type(), &Binary{token.SUB, x, whole, x.Type()}, x)}
		}
	case "math/bits.Mul32", "math/bits.Mul64":
		of = func(args []Expr) []Expr {
			x, y, u := args[0], args[1], args[0].Type()
			return []Expr{pureCall(rtPath, "MulHigh"+c.Name[len("math/bits.Mul"):], u, x, y), &Binary{token.MUL, x, y, u}}
		}
	case "math/bits.Add32", "math/bits.Add64":
		of = func(args []Expr) []Expr {
			u := args[0].Type()
			sum := &Binary{token.ADD, &Binary{token.ADD, args[0], args[1], u}, args[2], u}
			return []Expr{sum, pureCall(rtPath, "Carry"+c.Name[len("math/bits.Add"):], u, args...)}
		}
	case "math/bits.Sub32", "math/bits.Sub64":
		of = func(args []Expr) []Expr {
			u := args[0].Type()
			difference := &Binary{token.SUB, &Binary{token.SUB, args[0], args[1], u}, args[2], u}
			return []Expr{difference, pureCall(rtPath, "Borrow"+c.Name[len("math/bits.Sub"):], u, args...)}
		}
	default:
		return nil
	}
	define := func(name string, e Expr) *VarRef {
		v := b.newVar(name, e.Type(), c.Pos)
		b.emit(&Assign{L: []Expr{&VarRef{v}}, R: e, Def: true, Pos: c.Pos})
		return &VarRef{v}
	}
	var args []Expr
	for i, a := range c.Args {
		t := c.Fn.Type().Underlying().(*types.Signature).Params().At(i).Type()
		if k, ok := a.(*Const); ok {
			args = append(args, &Const{k.Val, t})
			continue
		}
		if c, ok := a.(*Convert); ok && isFloat32(c.X.Type()) { // the functions in 32 bits look for it
			args = append(args, &Convert{define("of", c.X), c.T})
			continue
		}
		args = append(args, define("of", a))
	}
	var list []binding
	for _, e := range of(args) {
		list = append(list, define("got", e))
	}
	return list
}

// sincos returns two assignments, of the sine and then the cosine of a number, as one, or nil.
func sincos(s, next Stmt) *Assign {
	a, ok := s.(*Assign)
	b, both := next.(*Assign)
	if !ok || !both || len(a.L) != 1 || len(b.L) != 1 || a.Def != b.Def {
		return nil
	}
	v, _ := assigned(a.L[0])
	w, _ := assigned(b.L[0])
	name, short := "math.Sincos", func(e Expr) Expr {
		if c, ok := e.(*Convert); ok && types.Identical(c.T, types.Typ[types.Float32]) {
			return c.X
		}
		return nil
	}
	first, second := a.R, b.R
	if c, d := short(first), short(second); c != nil && d != nil {
		name, first, second = rtPath+".Sincos32", c, d
	}
	x, isCall := first.(*Call)
	y, isToo := second.(*Call)
	if v == nil || w == nil || v == w || v.value != nil || w.value != nil || !isCall || !isToo || x.Name != "math.Sin" || y.Name != "math.Cos" {
		return nil
	}
	if _, whole := a.L[0].(*VarRef); !whole || !sameExpr(x.Args[0], y.Args[0]) || mentions(x.Args[0], v) {
		return nil
	}
	if _, whole := b.L[0].(*VarRef); !whole || !types.Identical(v.Type, a.R.Type()) || !types.Identical(w.Type, b.R.Type()) {
		return nil
	}
	float := types.NewParam(token.NoPos, nil, "", a.R.Type())
	dot := strings.LastIndexByte(name, '.')
	return &Assign{L: []Expr{a.L[0], b.L[0]}, R: pureCall(name[:dot], name[dot+1:], types.NewTuple(float, float), x.Args[0]), Def: a.Def, Pos: a.Pos}
}
