package compiler

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Parameters by value. A kernel that gets a pointer to a struct with slices and numbers, and only
// reads its fields, is compiled for the struct: the func of a block gets a copy (argument
// promotion). Then the fields are the same for all threads, and slices as good as parameters. A pointer
// to an array whose elements are used becomes a slice of it.
//
// A store could change a field if it were to a struct of the same type, or through a pointer; such
// kernels keep the pointer. The constructor makes an uncompiled kernel of a nil pointer, whose
// threads panic where they use it.

// The other pass of this file compares indices where a kernel compares pointers to elements of one
// slice, as in `if other != me`.

// mostByValue is the size of a struct, in bytes, up to which a block may copy it.
const mostByValue = 1024

// byValue is the pass.
func (k *Kernel) byValue() {
	_, count := k.definitions()
	comparesIndices(k.Body, nil, count)
	for i, v := range k.Params {
		if k.Variadic && i == len(k.Params)-1 {
			break
		}
		p, ok := types.Unalias(v.Type).(*types.Pointer)
		if !ok {
			continue
		}
		if k.pointers == nil {
			k.pointers = map[*Var]types.Type{}
		}
		if a, isArray := p.Elem().Underlying().(*types.Array); isArray && a.Len() > 0 && k.readsElementsOf(v) {
			k.pointers[v], v.Type = v.Type, types.NewSlice(a.Elem())
			k.works("pointers")
			continue
		}
		if isPlain(p.Elem()) && isStruct(p.Elem()) && k.readsFieldsOf(v) && !k.mayStoreTo() {
			k.pointers[v], v.Type = v.Type, p.Elem()
			k.works("pointers")
			rewriteReads(k.Body, func(x Expr) Expr {
				if d, ok := x.(*Deref); ok && isRef(d.X, v) {
					return d.X
				}
				return x
			})
		}
	}
}

// isPlain reports whether a value of type t is small and may be copied: it has numbers, strings,
// slices, and structs of them. Arrays may be sliced, and so changed as elements of the slice.
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
			size += 16
			return t.Kind() != types.UnsafePointer
		case *types.Slice:
			size += 24
			return true
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

// readsFieldsOf reports whether k uses a pointer only to read what it points to.
func (k *Kernel) readsFieldsOf(v *Var) bool {
	ok := true
	var look func(e Expr)
	look = func(e Expr) {
		switch e := e.(type) {
		case *VarRef:
			ok = ok && e.V != v
			return
		case *Field:
			if isRef(e.X, v) {
				return
			}
		case *Deref:
			if isRef(e.X, v) {
				return
			}
		case *Addr:
			if !isElement(e.X) {
				ok = ok && !mentions(e, v)
				return
			}
		}
		subexprs(e, look)
	}
	walk(k.Body, func(s Stmt) {
		if a, isAssign := s.(*Assign); isAssign {
			for _, l := range a.L {
				if l != nil && !isElement(l) {
					ok = ok && !mentions(l, v)
				}
			}
		}
		exprs(s, look)
	})
	return ok
}

// readsElementsOf reports whether k uses a pointer to an array only for elements.
func (k *Kernel) readsElementsOf(v *Var) bool {
	ok := true
	var look func(e Expr)
	look = func(e Expr) {
		switch e := e.(type) {
		case *VarRef:
			ok = ok && e.V != v
		case *Index:
			if isRef(e.X, v) {
				look(e.I)
				return
			}
		}
		subexprs(e, look)
	}
	walk(k.Body, func(s Stmt) {
		exprs(s, look)
		if a, isAssign := s.(*Assign); isAssign {
			for _, l := range a.L {
				if l != nil {
					look(l)
				}
			}
		}
	})
	return ok
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
	safe := func(to Expr) bool {
		if to == nil {
			return true
		}
		if v, _ := assigned(to); v != nil {
			return true
		}
		return isElement(to) && basic(to.Type())
	}
	return anyStmt(k.Body, func(s Stmt) bool {
		switch s := s.(type) {
		case *Assign:
			for _, to := range s.L {
				if !safe(to) {
					return true
				}
			}
		case *Do:
			var a Expr
			if strings.HasPrefix(s.X.Name, atomicPath+".") && len(s.X.Args) > 0 {
				a = s.X.Args[0]
			}
			place, isAddr := a.(*Addr)
			return !isAddr || !safe(place.X)
		}
		return false
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
