package compiler

import (
	"go/types"
)

// Printing SIMD: a region becomes a loop over threads that are neighbours along x, as many at a time as a
// vector has lanes. What is the same for them stays a scalar; what grows by a fixed step is kept as the
// value of the first lane; what differs is a vector, or a mask for a bool. A condition that differs
// narrows the mask under which its branches run. What has no vector form is done lane by lane.

// vector is the state of printing a region with vectors.
type vector struct {
	*body
	lanes int
	mask  string // the lanes that are on; "" for all

	strip string // the mask of the strip

	weight int // of an operation: more in loops

	falling bool // an index may fall with the variables of loops that count

	full bool // all lanes of the strip are on
	ends bool // they may not be, and checks are made for the row all the same

	conds    []string        // what must hold for the whole row, in place of checks in each strip
	guards   []guard         // what is taken to hold for all lanes: the strip is for threads for which it does
	required map[string]bool // conds that have been noted
	when     []string        // conditions around what is being printed that are the same for the row

	ranges   map[*Var]Expr // variables of loops that count from 0, and what they stay below
	counters map[*Var]*For // their loops
	counting []*Var        // the same, from the outside in

	branches int // around, that are not taken to be gone into

	elsewhere []string // names of variables used in a branch that is left out
	straight  bool     // what is required now is linear in threadIdx.y, and in the variable of the loop around a plane

}

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

var elemSizes = map[string]int{"F32": 4, "F64": 8, "I32": 4, "U32": 4, "I64": 8, "U64": 8, "I16": 2, "U16": 2, "I8": 1, "U8": 1}

func isBool(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsBoolean != 0
}

// scalarShape reports whether a value of shape s is kept as a scalar: the same for all lanes, or that of
// the first lane.
func scalarShape(s shape) bool { return s[0] != noStep && s[0] != someStep }

// A strip is the text of a loop over threads with vectors.
type strip struct {
	text  string // the body
	lanes int    // that it takes at a time

	panics bool
	parts  int
	axis   int
	full   bool
}
