package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
)

// Constant folding with run-time semantics. Go evaluates constant expressions exactly, has no
// constants for -0, infinity and NaN, and rejects constants that overflow, divisions by a constant
// zero and negative shift counts. An expression that is no constant in the source may become one
// when a type argument is substituted (T(0) - 1), or the number of an unrolled counter. Such
// expressions are folded here to their run-time value. If Go has no constant for the value, the
// expression is printed so that Go takes it for a variable.

// folded returns a constant in place of e, if e is one operation on constants and a constant can
// hold its run-time value; otherwise e.
func folded(e Expr) Expr {
	switch x := e.(type) {
	case *Convert:
		if c, ok := numberIn(x.X); ok {
			if v := convertedTo(c, x.T); v != nil {
				return &Const{v, x.T}
			}
		}
	case *Unary:
		if c, ok := numberIn(x.X); ok {
			if v := unaryOf(x.Op, c); v != nil {
				return &Const{v, c.T}
			}
		}
	case *Binary:
		a, ok1 := numberIn(x.X)
		c, ok2 := numberIn(x.Y)
		if ok1 && ok2 {
			if v := binaryOf(x.Op, a, c); v != nil {
				return &Const{v, x.T}
			}
		}
	}
	return e
}

// foldAll applies folded to e and all its subexpressions, in postorder.
func foldAll(e Expr) Expr { return mapExpr(e, folded) }

// numberIn returns e if it is a constant of an integer or floating-point type.
func numberIn(e Expr) (*Const, bool) {
	c, ok := e.(*Const)
	if !ok || !isInteger(c.T) && !isFloat(c.T) {
		return nil, false
	}
	if isUntyped(c.T) {
		return nil, false
	}
	return c, true
}

func isUntyped(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsUntyped != 0
}

// convertedTo returns the value of T(c), or nil if no constant can hold it.
func convertedTo(c *Const, t types.Type) constant.Value {
	switch {
	case isUntyped(t):
		return nil
	case isInteger(t) && isInteger(c.T):
		return wrapInt(constant.ToInt(c.Val), t)
	case isFloat(t):
		return roundFloat(c.Val, t)
	case isInteger(t) && isFloat(c.T):
		// If the value is out of range, the result depends on the machine.
		f, _ := constant.Float64Val(c.Val)
		v := constant.ToInt(constant.MakeFloat64(math.Trunc(f)))
		if v.Kind() == constant.Int && constant.Compare(wrapInt(v, t), token.EQL, v) {
			return v
		}
	}
	return nil
}

func unaryOf(op token.Token, c *Const) constant.Value {
	switch {
	case op == token.ADD:
		return c.Val
	case op == token.SUB && isInteger(c.T), op == token.XOR && isInteger(c.T):
		return wrapInt(constant.UnaryOp(op, constant.ToInt(c.Val), 0), c.T)
	case op == token.SUB && constant.Sign(c.Val) != 0: // there is no constant -0
		return roundFloat(constant.UnaryOp(op, c.Val, 0), c.T)
	}
	return nil
}

func binaryOf(op token.Token, x, y *Const) constant.Value {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return constant.MakeBool(constant.Compare(x.Val, op, y.Val))
	case token.SHL, token.SHR:
		n, ok := constant.Uint64Val(constant.ToInt(y.Val))
		if !ok || !isInteger(x.T) {
			return nil // a negative count panics
		}
		v := constant.ToInt(x.Val)
		if n >= 64 {
			if op == token.SHR && constant.Sign(v) < 0 {
				return wrapInt(constant.MakeInt64(-1), x.T)
			}
			return constant.MakeInt64(0)
		}
		return wrapInt(constant.Shift(v, op, uint(n)), x.T)
	}
	if isInteger(x.T) {
		a, c := constant.ToInt(x.Val), constant.ToInt(y.Val)
		switch op {
		case token.QUO, token.REM:
			if constant.Sign(c) == 0 {
				return nil
			}
			if op == token.QUO {
				op = token.QUO_ASSIGN // of integers, for package constant
			}
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
		default:
			return nil
		}
		return wrapInt(constant.BinaryOp(a, op, c), x.T)
	}
	a, _ := constant.Float64Val(x.Val)
	c, _ := constant.Float64Val(y.Val)
	var v float64
	switch op {
	case token.ADD:
		v = a + c
	case token.SUB:
		v = a - c
	case token.MUL:
		v = a * c
	case token.QUO:
		v = a / c
	default:
		return nil
	}
	if single(x.T) {
		// Rounding a float32 operation to float64 and then to float32 equals a single rounding:
		// float64 has more than twice the digits.
		v = float64(float32(v))
	}
	if v == 0 && math.Signbit(v) || math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return constant.MakeFloat64(v)
}

func single(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Kind() == types.Float32
}

// roundFloat returns v rounded to the floating-point type t, or nil if no constant can hold the
// result.
func roundFloat(v constant.Value, t types.Type) constant.Value {
	f, _ := constant.Float64Val(v)
	if single(t) {
		g, _ := constant.Float32Val(v)
		f = float64(g)
	}
	if math.IsInf(f, 0) || f == 0 && constant.Sign(v) < 0 {
		return nil
	}
	return constant.MakeFloat64(f)
}

// wrapInt returns v modulo 2^n for the n bits of the integer type t. An int has 64 bits here. Where
// int has 32 bits, generated code with constants that differ does not compile.
func wrapInt(v constant.Value, t types.Type) constant.Value {
	u := t.Underlying().(*types.Basic)
	bits := uint(64)
	switch u.Kind() {
	case types.Int8, types.Uint8:
		bits = 8
	case types.Int16, types.Uint16:
		bits = 16
	case types.Int32, types.Uint32:
		bits = 32
	}
	one := constant.MakeInt64(1)
	all := constant.BinaryOp(constant.Shift(one, token.SHL, bits), token.SUB, one)
	v = constant.BinaryOp(v, token.AND, all)
	if u.Info()&types.IsUnsigned == 0 && constant.Compare(v, token.GTR, constant.Shift(all, token.SHR, 1)) {
		v = constant.BinaryOp(v, token.SUB, constant.Shift(one, token.SHL, bits))
	}
	return v
}

// isFixed reports whether Go's compiler would take e for a constant.
func isFixed(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		return !isTypeParam(e.T)
	case *Convert:
		return !isTypeParam(e.T) && basic(e.T) && isFixed(e.X)
	case *Unary:
		return isFixed(e.X)
	case *Binary:
		return isFixed(e.X) && isFixed(e.Y)
	case *Call:
		if e.Fn != nil || e.Name != "min" && e.Name != "max" {
			return false
		}
		for _, a := range e.Args {
			if !isFixed(a) {
				return false
			}
		}
		return true
	}
	return false
}

// variable returns an expression equal to e, a constant for Go's compiler, that it takes for a
// variable: new(T) stands for zero.
func variable(e Expr) Expr {
	switch x := e.(type) {
	case *Const:
		zero := &Deref{&Call{Name: "new", Args: []Expr{&TypeExpr{x.T}}, T: types.NewPointer(x.T)}, x.T}
		if isZero(x) {
			return zero
		}
		if isInteger(x.T) || isFloat(x.T) {
			return &Binary{token.ADD, zero, x, x.T}
		}
	case *Call:
		y := *x
		y.Args = nil
		for _, a := range x.Args {
			y.Args = append(y.Args, variable(a))
		}
		return &y
	case *Convert, *Unary, *Binary:
		return mapParts(e, func(p Expr) Expr {
			if isFixed(p) {
				return variable(p)
			}
			return p
		})
	}
	return e
}

// atRunTime returns e, an operation on constants, in a form that Go's compiler evaluates as at run
// time. Operands are not rewritten; the caller visits them next.
func atRunTime(e Expr) Expr {
	switch x := e.(type) {
	case *Unary, *Convert:
		if isFixed(x) && isNumeric(x.Type()) {
			return fixedOrVariable(x)
		}
	case *Binary:
		if isFixed(x) && isNumeric(x.T) {
			return fixedOrVariable(x)
		}
		switch x.Op {
		case token.QUO, token.REM:
			if n, ok := numberIn(foldAll(x.Y)); ok && constant.Sign(n.Val) == 0 && isInteger(x.T) {
				y := *x
				y.Y = variable(n)
				return &y
			}
		case token.SHL, token.SHR:
			if n, ok := numberIn(foldAll(x.Y)); ok {
				if k, exact := constant.Uint64Val(constant.ToInt(n.Val)); !exact || k >= 64 {
					y := *x
					y.Y = variable(n)
					return &y
				}
			}
		}
	case *Index:
		if n, ok := numberIn(foldAll(x.I)); ok && outOfBounds(x.X.Type(), n) {
			y := *x
			y.I = variable(n)
			return &y
		}
	}
	return e
}

func fixedOrVariable(e Expr) Expr {
	e = foldAll(e)
	if _, ok := e.(*Const); ok {
		return e
	}
	return variable(e)
}

func isNumeric(t types.Type) bool { return isInteger(t) || isFloat(t) }

// outOfBounds reports whether n is negative, or not an index of an array of type t.
func outOfBounds(t types.Type, n *Const) bool {
	i, ok := constant.Int64Val(constant.ToInt(n.Val))
	if !ok || i < 0 {
		return true
	}
	a, isArr := deref(t).Underlying().(*types.Array)
	return isArr && i >= a.Len()
}
