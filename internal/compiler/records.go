package compiler

import (
	"go/constant"
	"go/types"
	"slices"
)

// Scalar replacement of records: an array of structs that a thread has of its own, as of complex
// numbers, becomes an array for each field. So do its elements have types that vectors are made of,
// and unrolled loops keep them in registers.

// splitRecords applies the pass to all such variables.
func (k *Kernel) splitRecords() {
	total, indexed := map[*Var]int{}, map[*Var]int{}
	bad := map[*Var]bool{}
	defs := map[*Var]int{}
	walk(k.Body, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				switch x := x.(type) {
				case *VarRef:
					total[x.V]++
				case *Index:
					if r, ok := x.X.(*VarRef); ok {
						indexed[r.V]++
					}
				}
			})
		})
		a, ok := s.(*Assign)
		if !ok {
			return
		}
		for _, l := range a.L {
			if l == nil {
				continue
			}
			v, whole := assigned(l)
			if v == nil || recordOf(v.Type) == nil {
				continue
			}
			switch {
			case whole: // var v [n]S
				c, isLiteral := a.R.(*Composite)
				bad[v] = bad[v] || len(a.L) > 1 || !a.Def || !isLiteral || len(c.Vals) > 0
				defs[v]++
			case isStruct(l.Type()):
				bad[v] = bad[v] || len(a.L) > 1 || !isRecord(a.R)
			}
		}
	})
	parts := map[*Var][]*Var{}
	for _, v := range slices.Clone(k.Vars) {
		of := recordOf(v.Type)
		if of == nil || v.Param || v.addr || bad[v] || defs[v] != 1 || total[v] != indexed[v]+defs[v] {
			continue
		}
		for i := range of.NumFields() {
			n := *v
			n.Name = uniqueName(k.names, v.Name+"_"+of.Field(i).Name())
			n.Type = types.NewArray(of.Field(i).Type(), lengthOf(v.Type))
			k.Vars = append(k.Vars, &n)
			parts[v] = append(parts[v], &n)
		}
	}
	if len(parts) == 0 {
		return
	}
	k.Vars = slices.DeleteFunc(k.Vars, func(v *Var) bool { return parts[v] != nil })
	rewriteReads(k.Body, func(e Expr) Expr {
		switch x := e.(type) {
		case *Index:
			if r, ok := x.X.(*VarRef); ok && parts[r.V] != nil {
				return splitElement(x, parts[r.V])
			}
		case *Field:
			if c, ok := x.X.(*record); ok {
				return c.Vals[slices.Index(c.Keys, x.F.Name())]
			}
		}
		return e
	})
	k.Body = k.assignFields(k.Body, parts)
	rewriteReads(k.Body, func(e Expr) Expr {
		if c, ok := e.(*record); ok {
			return &c.Composite
		}
		return e
	})
	k.orderVars()
}

// A record is an element of a split array: a literal of the elements of its parts. It is told from
// other literals until its assignments have been split.
type record struct{ Composite }

// splitElement returns the element x of an array as a record.
func splitElement(x *Index, parts []*Var) *record {
	s, _ := structUnder(x.T)
	c := &record{Composite{T: x.T}}
	for i, p := range parts {
		f := s.Field(i)
		c.Keys = append(c.Keys, f.Name())
		c.Vals = append(c.Vals, &Index{X: &VarRef{p}, I: x.I, T: f.Type(), Pos: x.Pos, sure: x.sure})
	}
	return c
}

// assignFields splits the assignments of elements in list, and the declarations of arrays.
func (k *Kernel) assignFields(list []Stmt, parts map[*Var][]*Var) []Stmt {
	var out []Stmt
	for _, s := range list {
		switch x := s.(type) {
		case *If:
			x.Then, x.Else = k.assignFields(x.Then, parts), k.assignFields(x.Else, parts)
		case *For:
			x.Pre, x.Body, x.Post = k.assignFields(x.Pre, parts), k.assignFields(x.Body, parts), k.assignFields(x.Post, parts)
		case *Block:
			x.Body = k.assignFields(x.Body, parts)
		case *Assign:
			if len(x.L) != 1 || x.L[0] == nil {
				break
			}
			if r, ok := x.L[0].(*VarRef); ok && parts[r.V] != nil {
				for _, p := range parts[r.V] {
					out = append(out, &Assign{L: []Expr{&VarRef{p}}, R: &Composite{T: p.Type}, Def: true, Pos: x.Pos})
				}
				continue
			}
			to, ok := x.L[0].(*record)
			if !ok {
				break
			}
			of, _ := structUnder(to.T)
			// All fields are read before the first one is assigned.
			var reads, writes []Stmt
			for i, l := range to.Vals {
				v := *l.(*Index).X.(*VarRef).V
				v.Name, v.Said, v.Type, v.In, v.Shape, v.known, v.defs = uniqueName(k.names, v.Name), "", l.Type(), nil, shape{}, false, 0
				k.Vars = append(k.Vars, &v)
				reads = append(reads, &Assign{L: []Expr{&VarRef{&v}}, R: fieldOf(x.R, of.Field(i)), Def: true, Pos: x.Pos})
				writes = append(writes, &Assign{L: []Expr{l}, R: &VarRef{&v}, Pos: x.Pos})
			}
			out = append(append(out, reads...), writes...)
			continue
		}
		out = append(out, s)
	}
	return out
}

// recordOf returns the struct that t is an array of, if all of its fields are numbers or bools, or nil.
func recordOf(t types.Type) *types.Struct {
	a, ok := t.Underlying().(*types.Array)
	if !ok {
		return nil
	}
	s, ok := structUnder(a.Elem())
	if !ok || s.NumFields() == 0 {
		return nil
	}
	for i := range s.NumFields() {
		f := s.Field(i)
		b, basic := f.Type().Underlying().(*types.Basic)
		if !basic || b.Info()&(types.IsNumeric|types.IsBoolean) == 0 || b.Info()&types.IsComplex != 0 || f.Name() == "_" {
			return nil
		}
	}
	return s
}

// isRecord reports whether the fields of e can be read one by one.
func isRecord(e Expr) bool {
	switch x := e.(type) {
	case *Composite:
		return len(x.Keys) == len(x.Vals)
	case *VarRef, *Index, *Field:
		return !calls(e)
	}
	return false
}

// calls reports whether e contains a call.
func calls(e Expr) bool {
	found := false
	walkExpr(e, func(x Expr) {
		_, is := x.(*Call)
		found = found || is
	})
	return found
}

// fieldOf returns a field of e.
func fieldOf(e Expr, f *types.Var) Expr {
	c, ok := e.(*Composite)
	if r, is := e.(*record); is {
		c, ok = &r.Composite, true
	}
	if !ok {
		return &Field{X: e, F: f, T: f.Type(), Name: f.Name()}
	}
	s, _ := structUnder(c.T)
	for i, v := range c.Vals {
		if c.Keys[i] == f.Name() || c.Keys[i] == "" && s.Field(i) == f {
			return v
		}
	}
	if b := f.Type().Underlying().(*types.Basic); b.Info()&types.IsBoolean != 0 {
		return &Const{constant.MakeBool(false), f.Type()}
	}
	return &Const{constant.MakeInt64(0), f.Type()}
}
