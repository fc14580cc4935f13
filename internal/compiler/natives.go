package compiler

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
)

// Native calls: functions that stay calls. Those of package device are helpers like any other, which become part of the kernel; only those
// named here are called.

const devicePath = "github.com/gocuda/gocuda/device"

// staysCall reports whether a helper is called as it is: vectors have an instruction for it, or its directive says so and it
// can be called from the package that is translated.
func (b *builder) staysCall(d funcDecl, fn *types.Func) bool {
	if fn.Pkg() == nil || d.decl == nil {
		return false
	}
	if fn.Pkg().Path() == devicePath && fn.Name() == "Fmaf" {
		return true
	}
	return (fn.Exported() || fn.Pkg() == b.root.types) && fn.Signature().Recv() == nil && keptApart(d.decl)
}

// keptApart reports whether the directive noinline says that a func is for the rare case.
func keptApart(d *ast.FuncDecl) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool { return c.Text == "//go:noinline" })
}

// purelyNumbers reports whether fn is a func of package device with one result: all of them are made of their arguments
// alone.
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

// narrowed returns what float64 was made of, if all of list are conversions from float32.
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

// singles is narrowed for a list that may have constants, if float32 holds them.
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
