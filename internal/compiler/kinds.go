package compiler

import (
	"go/types"
)

// Kinds of numbers, as the back half tells them apart.

// elem returns the letters by which package vec calls elements of type t.
func elem(t types.Type) string {
	if t == nil {
		return "" // of a call without result
	}
	u, ok := t.Underlying().(*types.Basic)
	if !ok {
		return ""
	}
	switch u.Kind() {
	case types.Float32:
		return "F32"
	case types.Float64:
		return "F64"
	case types.Int32:
		return "I32"
	case types.Uint32:
		return "U32"
	case types.Int, types.Int64:
		return "I64"
	case types.Uint, types.Uint64, types.Uintptr:
		return "U64"
	case types.Int16:
		return "I16"
	case types.Uint16:
		return "U16"
	case types.Int8:
		return "I8"
	case types.Uint8:
		return "U8"
	}
	return ""
}

// elemSizes has the sizes in bytes of what elem tells apart.
var elemSizes = map[string]int{"F32": 4, "F64": 8, "I32": 4, "U32": 4, "I64": 8, "U64": 8, "I16": 2, "U16": 2, "I8": 1, "U8": 1}

// amd64Sizes are those of the machine that rows in assembly are for.
var amd64Sizes = types.SizesFor("gc", "amd64")

func isBool(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsBoolean != 0
}

// narrowIndex takes conversions from 32-bit integers away from an index: Go indexes with any integer.
func narrowIndex(e Expr) Expr {
	if c, ok := e.(*Convert); ok && wide(c.T) && (unsigned(c.X.Type()) || !unsigned(c.T)) {
		switch elem(c.X.Type()) {
		case "I32", "U32", "I16", "U16", "I8", "U8":
			return c.X
		}
	}
	return e
}

// pointerFree reports whether no value of a type has a pointer in it, also if it is a type parameter.
func pointerFree(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return pointerFree(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if !pointerFree(u.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return allBasic(t, func(b *types.Basic) bool { return b.Info()&(types.IsNumeric|types.IsBoolean) != 0 })
}

// allBasic reports whether t, or each type that a type parameter may be, is a basic one for which ok holds.
func allBasic(t types.Type, ok func(*types.Basic) bool) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return allBasic(t.Constraint(), ok)
	case *types.Union:
		for i := range t.Len() {
			if !allBasic(t.Term(i).Type(), ok) {
				return false
			}
		}
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return ok(u)
	case *types.Interface:
		for i := range u.NumEmbeddeds() {
			if allBasic(u.EmbeddedType(i), ok) {
				return true // it must be among these
			}
		}
	}
	return false
}
