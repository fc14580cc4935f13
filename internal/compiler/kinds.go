package compiler

import "go/types"

// Names of numeric types, by which code generation distinguishes them.

// elem returns the kind of type t, such as F32, or "" if t is not numeric.
func elem(t types.Type) string {
	if t == nil {
		return "" // the type of a call without results
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

var elemSizes = map[string]int{"F32": 4, "F64": 8, "I32": 4, "U32": 4, "I64": 8, "U64": 8, "I16": 2, "U16": 2, "I8": 1, "U8": 1}

func isBool(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsBoolean != 0
}

// lineSizes are the sizes of amd64. Elements have the same layout on arm64.
var lineSizes = types.SizesFor("gc", "amd64")
