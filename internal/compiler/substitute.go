package compiler

import (
	"go/types"
)

// Substitution of type arguments for type parameters.

// subst substitutes the type parameters of the functions around f.
func (b *builder) subst(f *frame, t types.Type) types.Type {
	for g := f; g != nil; g = g.outer {
		if len(g.targs) > 0 {
			t = substType(t, g.targs)
		}
	}
	return substType(t, nil)
}

// substType substitutes the type arguments in m.
func substType(t types.Type, m map[*types.TypeParam]types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		if to, ok := m[t]; ok {
			return to
		}
	case *types.Slice:
		if e := substType(t.Elem(), m); e != t.Elem() {
			return types.NewSlice(e)
		}
	case *types.Array:
		if e := substType(t.Elem(), m); e != t.Elem() {
			return types.NewArray(e, t.Len())
		}
	case *types.Pointer:
		if e := substType(t.Elem(), m); e != t.Elem() {
			return types.NewPointer(e)
		}
	case *types.Alias:
		if t.Obj().Parent() == types.Universe {
			return t // any: from Go 1.27 on, go/types prints interface{} for a type that is not the alias
		}
		return substType(types.Unalias(t), m)
	case *types.Struct:
		fields, tags, changed := make([]*types.Var, t.NumFields()), make([]string, t.NumFields()), false
		for i := range fields {
			old := t.Field(i)
			fields[i], tags[i] = old, t.Tag(i)
			if e := substType(old.Type(), m); e != old.Type() {
				fields[i], changed = types.NewField(old.Pos(), old.Pkg(), old.Name(), e, old.Embedded()), true
			}
		}
		if changed {
			return types.NewStruct(fields, tags)
		}
	case *types.Interface:
		return substInterface(t, m)
	case *types.Signature:
		params, results := substType(t.Params(), m).(*types.Tuple), substType(t.Results(), m).(*types.Tuple)
		if params != t.Params() || results != t.Results() {
			return types.NewSignatureType(nil, nil, nil, params, results, t.Variadic())
		}
	case *types.Tuple:
		if t == nil {
			return t
		}
		vars, changed := make([]*types.Var, t.Len()), false
		for i := range vars {
			old := t.At(i)
			vars[i] = old
			if e := substType(old.Type(), m); e != old.Type() {
				vars[i], changed = types.NewParam(old.Pos(), old.Pkg(), old.Name(), e), true
			}
		}
		if changed {
			return types.NewTuple(vars...)
		}
	case *types.Named:
		args := t.TypeArgs()
		if o := t.Obj(); o.Pkg() != nil && o.Parent() != o.Pkg().Scope() && o.Parent() != nil {
			// A type declared in a func has no methods, so its underlying type can replace it.
			if refersTo(t.Underlying(), t, 0) {
				fail(o.Pos(), "the type %s, declared inside a func, refers to itself", o.Name())
			}
			return substType(t.Underlying(), m)
		}
		if args.Len() == 0 {
			return t
		}
		list, changed := make([]types.Type, args.Len()), false
		for i := range list {
			list[i] = substType(args.At(i), m)
			changed = changed || list[i] != args.At(i)
		}
		if changed {
			inst, err := types.Instantiate(nil, t.Origin(), list, false)
			if err == nil {
				return inst
			}
		}
	}
	return t
}

// refersTo reports whether t contains n.
func refersTo(t types.Type, n *types.Named, depth int) bool {
	if depth > 20 {
		return true
	}
	switch t := t.(type) {
	case *types.Named:
		if t == n {
			return true
		}
		if o := t.Obj(); o.Pkg() == nil || o.Parent() == o.Pkg().Scope() {
			return false
		}
		return refersTo(t.Underlying(), n, depth+1)
	case *types.Pointer:
		return refersTo(t.Elem(), n, depth+1)
	case *types.Slice:
		return refersTo(t.Elem(), n, depth+1)
	case *types.Array:
		return refersTo(t.Elem(), n, depth+1)
	case *types.Struct:
		for i := range t.NumFields() {
			if refersTo(t.Field(i).Type(), n, depth+1) {
				return true
			}
		}
	}
	return false
}

// substInterface is substType for an interface, such as a constraint.
func substInterface(t *types.Interface, m map[*types.TypeParam]types.Type) types.Type {
	var methods []*types.Func
	changed := false
	for f := range t.ExplicitMethods() {
		sig := substType(f.Signature(), m).(*types.Signature)
		if sig != f.Signature() {
			f, changed = types.NewFunc(f.Pos(), f.Pkg(), f.Name(), sig), true
		}
		methods = append(methods, f)
	}
	var embedded []types.Type
	for e := range t.EmbeddedTypes() {
		to := substType(e, m)
		if u, ok := e.(*types.Union); ok {
			var terms []*types.Term
			for term := range u.Terms() {
				terms = append(terms, types.NewTerm(term.Tilde(), substType(term.Type(), m)))
			}
			to = types.NewUnion(terms)
			for i := range terms {
				changed = changed || terms[i].Type() != u.Term(i).Type()
			}
		}
		changed = changed || to != e && !isUnion(e)
		embedded = append(embedded, to)
	}
	if !changed {
		return t
	}
	n := types.NewInterfaceType(methods, embedded)
	if t.IsImplicit() {
		n.MarkImplicit()
	}
	return n.Complete()
}

func isUnion(t types.Type) bool { _, ok := t.(*types.Union); return ok }
