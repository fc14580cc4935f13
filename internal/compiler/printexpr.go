package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// Code generation for plain Go: expressions of one thread.

// convertTo prints e as a value of type t.
func (b *body) convertTo(e Expr, t types.Type) string {
	switch x := e.(type) {
	case *Const:
		if types.IsInterface(t) && !isTypeParam(t) {
			return b.expr(e)
		}
		return b.constant(x.Val, t, true)
	case *Global:
		if x.Obj == nil {
			return fmt.Sprintf("%s(nil)", b.parenType(t))
		}
	}
	if types.Identical(e.Type(), t) {
		if untyped(e) {
			return fmt.Sprintf("%s(%s)", b.parenType(t), b.expr(e))
		}
		return b.expr(e)
	}
	if types.IsInterface(t) && !isTypeParam(t) {
		return fmt.Sprintf("%s(%s)", b.parenType(t), b.expr(e))
	}
	return fmt.Sprintf("%s(%s)", b.parenType(t), b.expr(e))
}

// untyped reports whether e is printed as an untyped expression.
func untyped(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		return true
	case *Binary:
		switch e.Op {
		case token.SHL, token.SHR:
			return untyped(e.X)
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return !types.Identical(e.T, boolType)
		}
		return untyped(e.X) && untyped(e.Y)
	case *Unary:
		return untyped(e.X)
	}
	return false
}

func isTypeParam(t types.Type) bool { _, ok := types.Unalias(t).(*types.TypeParam); return ok }

func (b *body) parenType(t types.Type) string {
	s := b.typ(t)
	if s[0] == '*' || s[0] == '<' || strings.HasPrefix(s, "func") {
		return "(" + s + ")"
	}
	return s
}

func (b *body) untyped(e Expr) string { return e.(*Const).Val.ExactString() }

// constant prints a constant of type t. typed says that the context does not determine its type.
func (b *body) constant(v constant.Value, t types.Type, typed bool) string {
	s := v.ExactString()
	basicT, _ := t.Underlying().(*types.Basic)
	switch v.Kind() {
	case constant.String:
		s = strconv.QuoteToASCII(constant.StringVal(v))
	case constant.Float, constant.Int:
		if basicT != nil && basicT.Info()&types.IsFloat != 0 || isTypeParam(t) {
			s = floatText(v, t)
		}
	}
	if !typed {
		return s
	}
	if basicT != nil && (types.Identical(t, intType) && v.Kind() == constant.Int ||
		types.Identical(t, boolType) || types.Identical(t, types.Typ[types.String])) {
		return s
	}
	return fmt.Sprintf("%s(%s)", b.typ(t), s)
}

// floatText prints a constant in its shortest form that denotes the same number of type t.
func floatText(v constant.Value, t types.Type) string {
	if i := constant.ToInt(v); i.Kind() == constant.Int {
		if s := i.ExactString(); len(s) < 16 {
			return s
		}
	}
	if u, ok := t.Underlying().(*types.Basic); ok && u.Kind() == types.Float32 {
		f, _ := constant.Float32Val(v)
		return strconv.FormatFloat(float64(f), 'g', -1, 32)
	} else if ok && u.Kind() == types.Float64 {
		f, _ := constant.Float64Val(v)
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	num, den := constant.Num(constant.ToFloat(v)), constant.Denom(constant.ToFloat(v))
	if num.Kind() != constant.Int || den.Kind() != constant.Int {
		f, _ := constant.Float64Val(v)
		return strconv.FormatFloat(f, 'x', -1, 64)
	}
	return "(" + num.ExactString() + ".0 / " + den.ExactString() + ")"
}

var index3Var = [...]string{"t", "block", "dim", "grid", "dim", "origin"}

// expr prints an expression.
func (b *body) expr(e Expr) string {
	switch e := atRunTime(e).(type) {
	case *Const:
		return b.constant(e.Val, e.T, true)
	case *VarRef:
		if s, ok := b.stand[e.V]; ok {
			return s
		}
		if b.atZero && e.V.value != nil {
			if s := b.expr(e.V.value); !strings.ContainsAny(s, " ") {
				return s
			} else {
				return "(" + s + ")"
			}
		}
		if b.view != nil && b.view.ragged != nil && e.V == b.view.ragged.i {
			return b.view.ragged.counter(b)
		}
		if x := b.k.single[e.V]; b.stand != nil && x != nil && !e.V.common {
			return "(" + b.expr(x) + ")"
		}
		return b.name(e.V)
	case *Global:
		if e.Obj == nil {
			return "nil"
		}
		if e.Table != nil {
			return own + "." + b.tableName(b.k, b.tableText(e.Table))
		}
		if e.Obj.Pkg() == nil {
			return e.Obj.Name()
		}
		return b.qualifier(e.Obj.Pkg()) + "." + ascii(e.Obj.Name())
	case *instance:
		s := b.expr(&e.Global)
		if len(e.targs) > 0 {
			var ts []string
			for _, t := range e.targs {
				ts = append(ts, b.typ(t))
			}
			s += "[" + strings.Join(ts, ", ") + "]"
		}
		return s
	case *Index3:
		if e.Of == threadIdx {
			if b.atZero && e.Axis == 0 {
				return "0"
			}
			return b.partName("t" + string("xyz"[e.Axis]))
		}
		if e.Of == side {
			return b.use("size" + string("XY"[e.Axis]))
		}
		if b.k.wide && e.Of == blockDim && e.Axis == 0 {
			return b.use("sizeX") // dimX is the length of the wide rows
		}
		if b.k.tall && e.Of == blockDim && e.Axis == 1 {
			return b.use("sizeY")
		}
		return b.use(index3Var[e.Of] + string("XYZ"[e.Axis]))
	case *Rank:
		if b.atZero {
			return "row*" + b.use("dimX")
		}
		return b.partName(b.use("rank"))
	case *Unary:
		return e.Op.String() + b.operand(e.X, e, false)
	case *Binary:
		x, y := b.operand(e.X, e, false), b.operand(e.Y, e, true)
		if b.atZero {
			switch {
			case e.Op == token.ADD && y == "0":
				return x
			case e.Op == token.ADD && x == "0":
				return y
			case e.Op == token.SUB && y == "0":
				return x
			case e.Op == token.MUL && (x == "0" || y == "0"):
				return "0"
			}
		}
		s := x + " " + e.Op.String() + " " + y
		if e.Op == token.MUL && mayFuse(e.T) {
			return fmt.Sprintf("%s(%s)", b.parenType(e.T), s)
		}
		return s
	case *Convert:
		if c, ok := e.X.(*Const); ok {
			return fmt.Sprintf("%s(%s)", b.parenType(e.T), b.constant(c.Val, c.T, true))
		}
		return fmt.Sprintf("%s(%s)", b.parenType(e.T), b.expr(e.X))
	case *Index:
		if name := b.common[e]; name != "" {
			return name
		}
		if b.isSure(e) {
			return b.unchecked(e)
		}
		if b.view != nil && b.view.ragged != nil && b.view.ragged.exists(e) {
			return b.view.ragged.element(b, e)
		}
		if b.view != nil {
			if s, ok := b.view.index(b, e); ok {
				return s
			}
		}
		if name, ok := b.run1.element(e); ok {
			return name
		}
		return b.primary(e.X) + "[" + b.indexText(e.I) + "]"
	case *Slice:
		s := b.primary(e.X) + "["
		if e.Lo != nil {
			s += b.indexText(e.Lo)
		}
		s += ":"
		if e.Hi != nil {
			s += b.indexText(e.Hi)
		}
		if e.Max != nil {
			s += ":" + b.indexText(e.Max)
		}
		return s + "]"
	case *Field:
		if isComplex(e.X.Type()) {
			b.complex = true
			return map[string]string{"re": "real", "im": "imag"}[e.Name] + "(" + b.expr(e.X) + ")"
		}
		return b.primary(e.X) + "." + ascii(e.Name)
	case *Deref:
		return "*" + b.operand(e.X, e, false)
	case *Addr:
		return "&" + b.primary(e.X)
	case *Composite:
		if isTypeParam(e.T) {
			return fmt.Sprintf("*new(%s)", b.typ(e.T))
		}
		if isComplex(e.T) {
			return b.complexNumber(e)
		}
		var parts []string
		for i, v := range e.Vals {
			s := b.convertIn(v)
			if e.Keys[i] != "" {
				if _, isStruct := e.T.Underlying().(*types.Struct); isStruct {
					s = own + "." + ascii(e.Keys[i]) + ": " + s
				} else {
					s = e.Keys[i] + ": " + s
				}
			}
			parts = append(parts, s)
		}
		return b.typ(e.T) + "{" + strings.Join(parts, ", ") + "}"
	case *TypeExpr:
		return b.typ(e.T)
	case *Method:
		return fmt.Sprintf("%s.CurrentThread[%s.Thread](p).%s", b.rt(), b.core(), e.Name)
	case *Call:
		var args []string
		for _, a := range e.Args {
			args = append(args, b.convertIn(a))
		}
		s := strings.Join(args, ", ")
		if e.Dots && len(args) > 0 {
			s += "..."
		}
		if e.Fn == nil {
			return e.Name + "(" + s + ")"
		}
		return b.primary(e.Fn) + "(" + s + ")"
	}
	panic(fmt.Sprintf("expression %T", e))
}

// complexNumber prints a complex number made of its parts.
func (b *body) complexNumber(e *Composite) string {
	b.complex = true
	return b.typ(e.T) + "(complex(" + b.expr(e.Vals[0]) + ", " + b.expr(e.Vals[1]) + "))"
}

// convertIn prints an operand whose context may not determine its type.
func (b *body) convertIn(e Expr) string { return b.expr(e) }

// indexText prints an index; the context gives untyped constants the type int.
func (b *body) indexText(e Expr) string {
	if c, ok := e.(*Const); ok && c.Val.Kind() == constant.Int {
		return c.Val.ExactString()
	}
	return b.expr(e)
}

// primary prints the operand of a selector, an index or a call.
func (b *body) primary(e Expr) string {
	s := b.expr(e)
	switch e.(type) {
	case *Unary, *Binary, *Deref, *Addr:
		return "(" + s + ")"
	case *Composite:
		return "(" + s + ")"
	}
	return s
}

// operand prints an operand of the operation of, in parentheses where needed. right says that it is
// the right one.
func (b *body) operand(e Expr, of Expr, right bool) string {
	var s string
	if c, ok := e.(*Const); ok {
		// A constant gets its type from the other operand, except in shifts.
		if bin, ok := of.(*Binary); ok && bin.Op != token.SHL && bin.Op != token.SHR {
			other := bin.X
			if !right {
				other = bin.Y
			}
			if !untyped(other) && types.Identical(other.Type(), c.T) && !types.IsInterface(c.T) {
				return b.constant(c.Val, c.T, false)
			}
		}
		if bin, ok := of.(*Binary); ok && !right && (bin.Op == token.SHL || bin.Op == token.SHR) && types.Identical(c.T, intType) {
			// a conversion around the shift would otherwise determine its type
			return "int(" + b.constant(c.Val, c.T, true) + ")"
		}
		return b.constant(c.Val, c.T, true)
	}
	s = b.expr(e)
	x, ok := e.(*Binary)
	if ok && x.Op == token.MUL && mayFuse(x.T) {
		return s // it is printed in a conversion
	}
	if !ok {
		switch e.(type) {
		case *Unary, *Composite:
			return "(" + s + ")"
		}
		return s
	}
	if b.atZero && !strings.ContainsAny(s, " ") {
		return s
	}
	outer, ok := of.(*Binary)
	if !ok {
		return "(" + s + ")"
	}
	if p, q := x.Op.Precedence(), outer.Op.Precedence(); p < q || p == q && right || p == q && outer.Op != x.Op {
		return "(" + s + ")"
	}
	return s
}

// mayFuse reports whether Go may fuse a product of type t with an addition, as on arm64, unless the
// product is converted. Rows in assembly round both operations, and the plain form must agree with
// them.
func mayFuse(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	default:
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsFloat != 0 && b.Info()&types.IsUntyped == 0
	}
}

// intText prints an integer as an int.
func (b *body) intText(e Expr) string {
	if n, ok := constInt(e); ok {
		return fmt.Sprint(n)
	}
	if types.Identical(e.Type(), intType) {
		return b.expr(e)
	}
	return "int(" + b.expr(e) + ")"
}
