package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// Atomic operations of all lanes on one place, whose results nobody wants, such as a count: the lanes are put together first, and
// one operation does it for all of them. Only for integers, for which the order of operations does not matter.

// atomicOfAll prints x in that way, if it is such a call.
func (v *vector) atomicOfAll(x *Call) bool {
	verb, found := strings.CutPrefix(x.Name, atomicPath+".")
	if !found || len(x.Args) != 2 {
		return false
	}
	reduce := map[string]string{"Add": "Add", "Sub": "Add", "Min": "Min", "Max": "Max", "And": "And", "Or": "Or", "Xor": "Xor"}[verb]
	y := x.Args[1]
	t := y.Type()
	kind := elem(t)
	if reduce == "" || !isInteger(t) || kind == "" || isTypeParam(t) || !v.holds(t) || !v.samePlace(x.Args[0]) {
		return false
	}
	narrowed := v.mask != v.strip
	v.each(true, func() {
		sum := ""
		varies := shapeOf(y)[0] != 0
		switch {
		case varies:
			each := v.value(y)
			if narrowed || !v.full {
				none := "0"
				switch {
				case reduce == "And":
					none = wrapped(-1, kind)
				case reduce == "Min":
					none = v.importName("math", "math") + ".Max" + long(kind)
				case reduce == "Max" && kind[0] == 'I':
					none = v.importName("math", "math") + ".Min" + long(kind)
				}
				each = fmt.Sprintf("%s(%s, %s, %s)", v.vec("Select", t), v.m(), each, v.all(fmt.Sprintf("%s(%s)", v.vec("Splat", t), none)))
			}
			sum = fmt.Sprintf("%s(%s)", v.vec("Reduce"+reduce, t), each)
			v.native += v.weight * 6 // with the same for all lanes nothing is gained but by what is around
		case reduce == "Add" && (narrowed || !v.full):
			sum = fmt.Sprintf("%s * %s(%s.OnesCount32(uint32(%s)))", paren(v.cast(y, t)), elemGo[kind], v.importName("math/bits", "bits"), v.m())
		case reduce == "Add":
			sum = v.cast(&Binary{token.MUL, y, &Const{constant.MakeInt64(int64(v.lanes)), t}, t}, t)
		case reduce == "Xor": // by one of an odd number of lanes
			sum = fmt.Sprintf("%s * %s(%s.OnesCount32(uint32(%s)) & 1)", paren(v.cast(y, t)), elemGo[kind], v.importName("math/bits", "bits"), v.m())
		default:
			sum = v.cast(y, t)
		}
		if narrowed {
			v.printf("if %s != 0 {\n", v.m())
		}
		v.blame(x.Args[0])
		if !varies {
			v.blame(y)
		}
		sum = fmt.Sprintf("%s(%s)", v.typ(t), sum)
		if op, place, _, ok := v.ownAtomic(x); ok {
			v.printf("%s %s= %s\n", v.expr(place), op, sum)
		} else {
			v.printf("%s.%s(%s, %s)\n", v.importName(atomicPath, "atomic"), verb, v.expr(x.Args[0]), sum)
		}
		if narrowed {
			v.printf("}\n")
		}
	})
	return true
}

// samePlace reports whether an address is the same for all lanes.
func (v *vector) samePlace(e Expr) bool {
	a, ok := e.(*Addr)
	if !ok {
		r, isVar := e.(*VarRef)
		return isVar && !r.V.addr && r.V.value == nil && shapeOf(e)[0] == 0
	}
	for place := a.X; ; {
		switch x := place.(type) {
		case *Index:
			if shapeOf(x.I)[0] != 0 {
				return false
			}
			place = x.X
		case *Field:
			place = x.X
		case *VarRef:
			// A variable that is no slice or pointer is each thread's own, but for what is shared.
			_, isPointer := x.V.Type.Underlying().(*types.Pointer)
			return shapeOf(x)[0] == 0 && (isPointer || isSlice(x.V.Type))
		case *Global:
			return true
		default:
			return false
		}
	}
}

// long is what a kind is called in the names of package math.
func long(kind string) string {
	return strings.NewReplacer("I", "Int", "U", "Uint").Replace(kind)
}
