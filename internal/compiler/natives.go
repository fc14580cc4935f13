package compiler

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
)

// Native calls: functions that are not inlined. Funcs of package device are inlined like other
// helpers, with the exceptions here.

const devicePath = "github.com/gocuda/gocuda/device"

// staysCall reports whether a helper is never inlined: vectors have an instruction for it, or it is
// marked noinline and can be called from the root package.
func (b *builder) staysCall(d funcDecl, fn *types.Func) bool {
	if fn.Pkg() == nil || d.decl == nil {
		return false
	}
	if fn.Pkg().Path() == devicePath && fn.Name() == "Fmaf" {
		return true
	}
	return (fn.Exported() || fn.Pkg() == b.root.types) && fn.Signature().Recv() == nil && keptApart(d.decl)
}

// keptApart reports whether a func is marked //go:noinline, as for rare cases.
func keptApart(d *ast.FuncDecl) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool { return c.Text == "//go:noinline" })
}

// purelyNumbers reports whether fn is a func of package device from numbers to one number. All such
// funcs depend on their arguments alone.
func (b *builder) purelyNumbers(fn *types.Func) bool {
	sig := fn.Signature()
	if fn.Pkg().Path() != devicePath || sig.Recv() != nil || sig.Results().Len() != 1 || !basic(sig.Results().At(0).Type()) {
		return false
	}
	for i := range sig.Params().Len() {
		if !basic(sig.Params().At(i).Type()) {
			return false
		}
	}
	return true
}

// narrowed returns the float32 operands of list, if all of list are conversions from float32 to
// float64.
func narrowed(list []Expr) (args []Expr, ok bool) {
	for _, a := range list {
		c, ok := a.(*Convert)
		if !ok || elem(c.T) != "F64" || elem(c.X.Type()) != "F32" {
			return nil, false
		}
		args = append(args, c.X)
	}
	return args, true
}

// singles is narrowed for a list that may also contain constants that float32 can represent.
func singles(list []Expr) (args []Expr, ok bool) {
	for _, a := range list {
		if c, isConst := a.(*Const); isConst && elem(c.T) == "F64" {
			f, _ := constant.Float64Val(c.Val)
			if float64(float32(f)) != f {
				return nil, false
			}
			args = append(args, &Const{c.Val, types.Typ[types.Float32]})
			continue
		}
		x, ok := narrowed([]Expr{a})
		if !ok {
			return nil, false
		}
		args = append(args, x...)
	}
	return args, true
}
