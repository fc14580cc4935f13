package compiler

import (
	"go/token"
	"go/types"
)

// Views: places accessed as another type, through a converted pointer. `*(*celsius)(&f)` converts
// the value between types with the same underlying type, and `*(*uint32)(unsafe.Pointer(&f))` is
// the value's bits. A view is an expression: a Convert of the place, or a call of a func of package
// math that has an inverse. An assignment to a view assigns the inverse to the place.

// bitsOf maps the funcs that make views to their inverses.
var bitsOf = map[string]string{
	"math.Float32bits": "math.Float32frombits", "math.Float32frombits": "math.Float32bits",
	"math.Float64bits": "math.Float64frombits", "math.Float64frombits": "math.Float64bits",
}

// unviewed returns the place that e is a view of, or e.
func unviewed(e Expr) Expr {
	for {
		switch x := e.(type) {
		case *Convert:
			e = x.X
		case *Call:
			if bitsOf[x.Name] == "" {
				return e
			}
			e = x.Args[0]
		default:
			return e
		}
	}
}

// stored returns the place and the value of an assignment of r to l, where l may be a view.
func stored(l, r Expr) (Expr, Expr) {
	for {
		switch x := l.(type) {
		case *Convert:
			l, r = x.X, &Convert{r, x.X.Type()}
		case *Call:
			back := bitsOf[x.Name]
			if back == "" {
				return l, r
			}
			l, r = x.Args[0], mathBits(back, r)
		default:
			return l, r
		}
	}
}

// sizeOfNumber returns the size in bytes of an integer or a float whose size is the same on all
// machines, and 0 for other types.
func sizeOfNumber(t types.Type) int {
	if u, ok := t.Underlying().(*types.Basic); ok {
		switch u.Kind() {
		case types.Int8, types.Uint8:
			return 1
		case types.Int16, types.Uint16:
			return 2
		case types.Int32, types.Uint32, types.Float32:
			return 4
		case types.Int64, types.Uint64, types.Float64:
			return 8
		}
	}
	return 0
}

// mathBits returns a call of one of the funcs in bitsOf.
func mathBits(name string, x Expr) Expr {
	name = name[len("math."):]
	kinds := map[string][2]types.BasicKind{
		"Float32bits": {types.Float32, types.Uint32}, "Float32frombits": {types.Uint32, types.Float32},
		"Float64bits": {types.Float64, types.Uint64}, "Float64frombits": {types.Uint64, types.Float64},
	}[name]
	from, to := types.Typ[kinds[0]], types.Typ[kinds[1]]
	if !types.Identical(x.Type(), from) {
		x = &Convert{x, from}
	}
	return pureCall("math", name, to, x)
}

// viewed returns the place to viewed as type t, or nil if that is not possible.
func viewed(to binding, t types.Type) binding {
	switch to := to.(type) {
	case *aggregate:
		if types.IdenticalIgnoreTags(to.t.Underlying(), t.Underlying()) {
			a := *to
			a.t, a.st = t, t.Underlying().(*types.Struct)
			return &a
		}
	case Expr:
		from := to.Type()
		switch {
		case types.Identical(from, t):
			return to
		case types.IdenticalIgnoreTags(from.Underlying(), t.Underlying()):
			return &Convert{to, t}
		case sizeOfNumber(from) == 0 || sizeOfNumber(from) != sizeOfNumber(t):
			return nil
		case isInteger(from) && isInteger(t):
			return &Convert{to, t}
		}
		size := map[int]string{4: "32", 8: "64"}[sizeOfNumber(t)]
		if isFloat(from) {
			e := mathBits("math.Float"+size+"bits", to)
			if !types.Identical(e.Type(), t) {
				e = &Convert{e, t}
			}
			return e
		}
		e := mathBits("math.Float"+size+"frombits", to)
		if !types.Identical(e.Type(), t) {
			e = &Convert{e, t}
		}
		return e
	}
	return nil
}

func isUnsafePointer(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Kind() == types.UnsafePointer
}

// convertPointer translates the conversion of v, a pointer or an unsafe.Pointer, to a pointer type
// or to unsafe.Pointer.
func (b *builder) convertPointer(v binding, t types.Type, pos token.Pos) binding {
	p, known := v.(*pointer)
	switch {
	case isUnsafePointer(t) && known:
		return &pointer{p.to, t}
	case isUnsafePointer(t):
		e := b.reify(v, pos)
		if !isPointer(e.Type()) {
			fail(pos, "the conversion of %s to unsafe.Pointer is not translated", e.Type())
		}
		return &pointer{&Deref{e, deref(e.Type())}, t}
	case !isPointer(t):
		fail(pos, "the conversion of an unsafe.Pointer to %s is not translated", t)
	case known:
		to := viewed(p.to, deref(t))
		if to == nil {
			fail(pos, "the conversion of a pointer to %s to one to %s is not translated", b.typeOfBinding(p.to), deref(t))
		}
		return &pointer{to, t}
	}
	e := b.reify(v, pos)
	if isUnsafePointer(e.Type()) {
		fail(pos, "an unsafe.Pointer from a variable is not translated")
	}
	b.printable(t, pos)
	return &Convert{e, t}
}
