package probe

import (
	"cmp"
	"go/types"
	"os"
	"runtime"
)

// layout is that of the architecture that the program is built for.
var layout = types.SizesFor("gc", cmp.Or(os.Getenv("GOARCH"), runtime.GOARCH))

// mostGaps is how many gaps of a type are known.
const mostGaps = 256

// padding returns the gaps between the fields of a type, which nobody writes: the first byte and
// the one after the last of each. Of types that depend on type parameters none are known.
func padding(t types.Type) (gaps [][2]int) {
	if t == nil || layout == nil || !mayPad(t) {
		return nil
	}
	var find func(t types.Type, at int64)
	find = func(t types.Type, at int64) {
		switch u := t.Underlying().(type) {
		case *types.Array:
			size := layout.Sizeof(u.Elem())
			for i := int64(0); i < u.Len() && len(gaps) < mostGaps && mayPad(u.Elem()); i++ {
				find(u.Elem(), at+i*size)
			}
		case *types.Struct:
			var fields []*types.Var
			for i := range u.NumFields() {
				fields = append(fields, u.Field(i))
			}
			end := int64(0)
			for i, from := range layout.Offsetsof(fields) {
				if from > end {
					gaps = append(gaps, [2]int{int(at + end), int(at + from)})
				}
				find(fields[i].Type(), at+from)
				end = from + layout.Sizeof(fields[i].Type())
			}
			if size := layout.Sizeof(u); size > end {
				gaps = append(gaps, [2]int{int(at + end), int(at + size)})
			}
		}
	}
	find(t, 0)
	return gaps
}

// mayPad reports whether a type has fields, and its size is known.
func mayPad(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return mayPad(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if !isSized(u.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// isSized reports whether the size of a type depends on no type parameter.
func isSized(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return isSized(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if !isSized(u.Field(i).Type()) {
				return false
			}
		}
	}
	return true
}
