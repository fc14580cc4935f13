package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Argument promotion: what pointers among the parameters lead to becomes parameters of the func of a block.
//
// What a kernel only reads of a struct it gets by value: the func gets a copy. Then the fields are the same for all
// threads, and slices as good as parameters. A number or an array that the kernel changes, or that others could
// change, becomes a slice of the same memory, for a number one of length 1. So do fields of structs, as in
// atomic.Add(&stats.Count, 1). What is known about slices then holds for them, such as which overlap.
//
// Stores to elements of other slices can't change a field, since these have no arrays or numbers of structs. A kernel
// that stores to a struct as a whole, or through a pointer that it has computed, keeps its pointers. The constructor
// makes an uncompiled kernel of a nil pointer, whose threads panic where they use it.

// The other pass of this file compares indices where a kernel compares pointers to elements of one
// slice, as in `if other != me`.

// mostByValue is the size of a struct, in bytes, up to which a block may copy it.
const mostByValue = 4096

// A pointee is what a pointer among the parameters leads to, or a field of it, and how the kernel uses it.
type pointee struct {
	path   string // the names of fields, each behind a dot; "" for what the pointer itself leads to
	t      types.Type
	whole  bool // it is read as a whole
	stored bool // it is assigned, or its address is used, as by atomic operations
	parts  bool // elements of it are used, as it is an array
}

// isNumber reports whether a pointee is a number or a bool.
func (p *pointee) isNumber() bool {
	b, ok := p.t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

// elements returns the type of the elements of an array that is used for nothing else, or nil.
func (p *pointee) elements() types.Type {
	if a, ok := p.t.Underlying().(*types.Array); ok && a.Len() > 0 && !p.whole && !p.stored {
		return a.Elem()
	}
	return nil
}

// pathFrom returns the fields that lead from v, a pointer, to e.
func pathFrom(v *Var, e Expr) (path string, ok bool) {
	switch e := e.(type) {
	case *VarRef:
		return "", e.V == v && pointsToArray(v.Type)
	case *Deref:
		return "", isRef(e.X, v)
	case *Field:
		if isRef(e.X, v) {
			return "." + e.Name, true
		}
		if isStruct(e.X.Type()) {
			path, ok = pathFrom(v, e.X)
			return path + "." + e.Name, ok
		}
	}
	return "", false
}

// pointsToArray reports whether t is a pointer to an array.
func pointsToArray(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	return ok && isArray(p.Elem())
}

// pointees returns what k uses of what v leads to. It returns false if it uses the pointer itself.
func (k *Kernel) pointees(v *Var) (list []*pointee, ok bool) {
	ok = true
	to := v.Type.Underlying().(*types.Pointer).Elem()
	use := func(path string, t types.Type) *pointee {
		i := slices.IndexFunc(list, func(p *pointee) bool { return p.path == path })
		if i < 0 {
			i, list = len(list), append(list, &pointee{path: path, t: t})
		}
		return list[i]
	}
	var look func(e Expr, stores bool)
	look = func(e Expr, stores bool) {
		array := func(x Expr) bool {
			path, leads := pathFrom(v, x)
			switch t := x.Type(); {
			case leads && isArray(t):
				use(path, t).parts = true
			case leads && pointsToArray(t):
				use(path, to).parts = true
			default:
				return false
			}
			return true
		}
		switch e := e.(type) {
		case *Index:
			if !array(e.X) {
				look(e.X, stores && isArray(e.X.Type()))
			}
			look(e.I, false)
			return
		case *Slice:
			if array(e.X) {
				for _, x := range []Expr{e.Lo, e.Hi, e.Max} {
					if x != nil {
						look(x, false)
					}
				}
				return
			}
		case *Addr:
			look(e.X, true)
			return
		case *Call:
			if len(e.Args) > 0 && callsAtomic(e) && isRef(e.Args[0], v) {
				use("", to).stored = true
				for _, a := range e.Args[1:] {
					look(a, false)
				}
				return
			}
		case *VarRef:
			ok = ok && e.V != v
			return
		}
		if path, leads := pathFrom(v, e); leads {
			p := use(path, e.Type())
			p.stored, p.whole = p.stored || stores, p.whole || !stores
			return
		}
		if f, isField := e.(*Field); isField {
			look(f.X, stores && isStruct(f.X.Type()))
			return
		}
		subexprs(e, func(x Expr) { look(x, false) })
	}
	walk(k.Body, func(s Stmt) {
		a, isAssign := s.(*Assign)
		if !isAssign {
			exprs(s, func(e Expr) { look(e, false) })
			return
		}
		for _, l := range a.L {
			if l != nil {
				look(l, true)
			}
		}
		if a.R != nil {
			look(a.R, false)
		}
	})
	return list, ok
}

// callsAtomic reports whether c is a call of a func of package atomic.
func callsAtomic(c *Call) bool { return strings.HasPrefix(c.Name, atomicPath+".") }

// byValue is the pass.
func (k *Kernel) byValue() {
	_, count := k.definitions()
	comparesIndices(k.Body, nil, count)
	k.pointers, k.from = map[*Var]types.Type{}, map[*Var]string{}
	type pointer struct {
		v  *Var
		to types.Type
		at []*pointee // without those that have become slices
	}
	var pointers []*pointer
	for i, v := range k.Params {
		p, ok := types.Unalias(v.Type).(*types.Pointer)
		if !ok || k.Variadic && i == len(k.Params)-1 {
			continue
		}
		at, ok := k.pointees(v)
		if ok && len(at) > 0 && !k.Variadic && k.TypeParams.Len() == 0 {
			k.forwardArrays(v)
			at, ok = k.pointees(v)
		}
		if ok && len(at) > 0 {
			pointers = append(pointers, &pointer{v, p.Elem(), at})
		}
	}
	// A type argument must not decide: the forms of a generic kernel have the same parameters. Nor can there be some
	// behind a variadic one.
	asSlices := k.TypeParams.Len() == 0 && !k.Variadic
	var stored []types.Type // numbers that are changed through pointers
	for _, p := range pointers {
		for _, at := range p.at {
			if at.stored && at.isNumber() {
				stored = append(stored, at.t.Underlying())
			}
		}
	}
	changes := func(at *pointee) bool {
		return slices.ContainsFunc(stored, func(t types.Type) bool { return types.Identical(t, at.t.Underlying()) })
	}
	if asSlices {
		for _, p := range pointers {
			if isStruct(p.to) {
				p.at = slices.DeleteFunc(p.at, func(at *pointee) bool {
					return (at.elements() != nil || at.isNumber() && changes(at)) && k.fieldAsSlice(p.v, at)
				})
			}
		}
	}
	value := func(v *Var, t types.Type) {
		k.pointers[v], v.Type = v.Type, t
		k.works("pointers")
		rewriteReads(k.Body, func(x Expr) Expr {
			if d, ok := x.(*Deref); ok && isRef(d.X, v) {
				return d.X
			}
			return x
		})
	}
	for _, p := range pointers {
		if isArray(p.to) && len(p.at) == 1 && p.at[0].path == "" && p.at[0].elements() != nil {
			value(p.v, types.NewSlice(p.at[0].elements()))
			p.at = nil
		}
	}
	for _, p := range pointers { // now that all stores that can be are to elements of slices
		switch {
		case !asSlices || len(p.at) != 1 || p.at[0].path != "" || !p.at[0].isNumber():
		case changes(p.at[0]) || k.storesElements(p.to):
			k.numberAsSlice(p.v, p.at[0])
			p.at = nil
		}
	}
	for _, p := range pointers {
		changed := func(at *pointee) bool { return at.stored || at.parts || hasArrays(at.t) }
		if len(p.at) > 0 && isPlain(p.to) && !slices.ContainsFunc(p.at, changed) && !k.mayStoreTo() {
			value(p.v, p.to)
		}
	}
}

// storesElements reports whether k stores to elements of slices that have the type of numbers t.
func (k *Kernel) storesElements(t types.Type) bool {
	return k.stores(func(to Expr) bool {
		return isElement(to) && (!basic(to.Type()) || types.Identical(to.Type().Underlying(), t.Underlying()))
	})
}

// numberAsSlice makes a slice of length 1 of v, a pointer to a number.
func (k *Kernel) numberAsSlice(v *Var, at *pointee) {
	k.pointers[v], v.Type = v.Type, types.NewSlice(at.t)
	k.works("pointers")
	place := func(t types.Type) Expr { return &Index{X: &VarRef{v}, I: intExpr(0), T: t} }
	rewriteReads(k.Body, func(x Expr) Expr {
		switch x := x.(type) {
		case *Deref:
			if isRef(x.X, v) {
				return place(x.T)
			}
		case *Call:
			if len(x.Args) > 0 && callsAtomic(x) && isRef(x.Args[0], v) {
				x.Args[0] = &Addr{place(at.t), k.pointers[v]}
			}
		}
		return x
	})
}

// fieldAsSlice makes a slice of a number or an array that is a field of the struct to which v leads.
func (k *Kernel) fieldAsSlice(v *Var, at *pointee) bool {
	of := at.elements()
	s := &Var{Name: uniqueName(k.names, v.Name+strings.ReplaceAll(at.path, ".", "_")), Pos: v.Pos, Param: true}
	if k.from[s] = v.Name + ascii(at.path) + "[:]"; of == nil {
		of, k.from[s] = at.t, "&"+v.Name+ascii(at.path)
	}
	s.Type = types.NewSlice(of)
	k.Params, k.Vars = append(k.Params, s), append(k.Vars, s)
	k.pointers[v] = v.Type // for the check that it is not nil
	k.works("pointers")
	rewriteReads(k.Body, func(x Expr) Expr {
		path, leads := pathFrom(v, x)
		switch {
		case !leads || path != at.path:
			return x
		case isArray(x.Type()):
			return &VarRef{s}
		}
		return &Index{X: &VarRef{s}, I: intExpr(0), T: x.Type()}
	})
	return true
}

// argument is what the func of a block gets as v, for what a pointer leads to.
func (k *Kernel) argument(rt string, v *Var) string {
	name, t := v.Name, v.Type
	if text := k.from[v]; text != "" {
		if text[0] != '&' {
			return text
		}
		return fmt.Sprintf("%s.One(%s)", rt, text)
	}
	switch p := k.pointers[v]; {
	case types.Identical(t, p):
		return name
	case types.Identical(t, p.Underlying().(*types.Pointer).Elem()):
		return "*" + name
	case pointsToArray(p):
		return name + "[:]"
	}
	return fmt.Sprintf("%s.One(%s)", rt, name)
}

// isPlain reports whether a value of type t is small and may be copied: it has numbers, strings,
// slices, and structs and arrays of them.
func isPlain(t types.Type) bool {
	size := int64(0)
	var plain func(t types.Type) bool
	plain = func(t types.Type) bool {
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
			// locks must not be copied, as go vet says
			lock := types.NewMethodSet(types.NewPointer(n)).Lookup(n.Obj().Pkg(), "Lock")
			if path := n.Obj().Pkg().Path(); lock != nil || strings.HasPrefix(path, "sync/") {
				return false
			}
		}
		if isTypeParam(t) {
			size += 16
			return true
		}
		switch t := t.Underlying().(type) {
		case *types.Basic:
			size += lineSizes.Sizeof(t)
			return t.Kind() != types.UnsafePointer
		case *types.Slice:
			size += 24
			return true
		case *types.Array:
			before := size
			ok := plain(t.Elem())
			size = before + (size-before)*t.Len()
			return ok
		case *types.Struct:
			for i := range t.NumFields() {
				if !plain(t.Field(i).Type()) {
					return false
				}
			}
			return true
		}
		return false
	}
	return plain(t) && size <= mostByValue
}

// hasArrays reports whether values of type t have arrays, of which there may be slices.
func hasArrays(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Array:
		return true
	case *types.Struct:
		for f := range t.Fields() {
			if hasArrays(f.Type()) {
				return true
			}
		}
	}
	return false
}

// isElement reports whether e is an element of a slice.
func isElement(e Expr) bool {
	x, ok := e.(*Index)
	return ok && isSlice(x.X.Type())
}

// mayStoreTo reports whether k may change fields of a struct that it has a pointer to: it stores to
// something other than its variables and numbers that are elements of slices, or calls a func that
// may.
func (k *Kernel) mayStoreTo() bool {
	return k.stores(func(to Expr) bool {
		if to == nil {
			return true
		}
		v, _ := assigned(to)
		return v == nil && (!isElement(to) || !basic(to.Type()))
	})
}

// stores reports whether there is a place that k stores to, or changes by an atomic operation, for which is holds. The
// place is nil for what a func of another package may change.
func (k *Kernel) stores(is func(to Expr) bool) bool {
	return anyStmt(k.Body, func(s Stmt) bool {
		found := false
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				if c, ok := x.(*Call); ok && callsAtomic(c) && len(c.Args) > 0 {
					if a, isAddr := c.Args[0].(*Addr); isAddr {
						found = found || is(a.X)
					} else {
						found = found || is(nil)
					}
				}
			})
		})
		switch s := s.(type) {
		case *Assign:
			for _, to := range s.L {
				found = found || to != nil && is(to)
			}
		case *Do:
			found = found || !callsAtomic(s.X) && is(nil)
		}
		return found
	})
}

// comparesIndices replaces comparisons of pointers to elements of a slice. Statements before list
// check the indices of the elements in checked.
func comparesIndices(list []Stmt, checked []*Index, count map[*Var]int) {
	fixed := func(e Expr) bool {
		ok := true
		walkExpr(e, func(x Expr) {
			switch x := x.(type) {
			case *VarRef:
				ok = ok && !x.V.addr && (count[x.V] == 1 || x.V.Param && count[x.V] == 0)
			case *Const, *Index3, *Rank, *Binary, *Convert:
			default:
				ok = false
			}
		})
		return ok
	}
	// element returns x if e is its address, and a statement has checked its index.
	element := func(e Expr) *Index {
		a, ok := e.(*Addr)
		if !ok {
			return nil
		}
		x, ok := a.X.(*Index)
		if !ok || !slices.ContainsFunc(checked, func(c *Index) bool { return sameExpr(c, x) }) {
			return nil
		}
		return x
	}
	change := func(e Expr) Expr {
		c, ok := e.(*Binary)
		if !ok || c.Op != token.EQL && c.Op != token.NEQ {
			return e
		}
		x, y := element(c.X), element(c.Y)
		if x == nil || y == nil || !sameExpr(x.X, y.X) || !types.Identical(x.I.Type(), y.I.Type()) || !hasSize(x.T) {
			return e
		}
		return &Binary{c.Op, x.I, y.I, c.T}
	}
	for _, s := range list {
		switch s := s.(type) {
		case *Assign:
			if x, ok := s.R.(*Index); ok && len(s.L) == 1 && s.L[0] == nil && isSlice(x.X.Type()) && fixed(x.X) && fixed(x.I) {
				checked = append(slices.Clip(checked), x)
				continue
			}
			s.R = mapExpr(s.R, change)
		case *If:
			s.Cond = mapExpr(s.Cond, change)
			comparesIndices(s.Then, checked, count)
			comparesIndices(s.Else, checked, count)
		case *For:
			comparesIndices(s.Body, checked, count)
		case *Block:
			comparesIndices(s.Body, checked, count)
		}
	}
}

// hasSize reports whether different values of type t are at different addresses.
func hasSize(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic, *types.Slice, *types.Pointer:
		return true
	case *types.Struct:
		for i := range t.NumFields() {
			if hasSize(t.Field(i).Type()) {
				return true
			}
		}
	case *types.Array:
		return t.Len() > 0 && hasSize(t.Elem())
	}
	return false
}
