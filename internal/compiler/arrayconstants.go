package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Constant propagation through arrays: a variable that is an array of constants, as in
//
//	dx, dy := [4]int{-1, 1, 0, 0}, [4]int{0, 0, -1, 1}
//
// and that nothing changes, is a variable of the package, which no thread has to fill. An element with a known index is a constant. Loops over such an array
// are unrolled in nests (`unrolled`), so that all their indices are known.

// A table is a variable of the package with constants of a kernel.
type table struct {
	name string
	text string // its value
}

// tableConstants does that to the variables of k.
func (k *Kernel) tableConstants() {
	defs, from := map[*Var]int{}, map[*Var]*Assign{}
	walk(k.Body, func(s Stmt) {
		a, isAssign := s.(*Assign)
		if !isAssign {
			for _, v := range results(s) {
				defs[v] += 2
			}
			return
		}
		for _, l := range a.L {
			if l == nil {
				continue
			}
			if v, whole := assigned(l); v != nil {
				defs[v]++
				if whole && a.Def && len(a.L) == 1 {
					from[v] = a
				}
			}
		}
	})
	taken, steady := k.addressed(), k.steadyIndices()
	parts := k.readParts(defs, from)
	by := map[*Var]Expr{}
	for again := true; again; {
		again = false
		for _, v := range k.Vars {
			a := from[v]
			if by[v] != nil || defs[v] != 1 || a == nil || (taken[v] || v.addr) && !parts[v] {
				continue
			}
			switch x := a.R.(type) {
			case *Slice: // a part of one
				of, ok := x.X.(*VarRef)
				if !ok || !parts[v] {
					break
				}
				if g, ok := by[of.V].(*Global); ok && g.Table != nil {
					c := g.Table
					lo, hi := int64(0), lengthOf(c.T)
					if x.Lo != nil {
						lo, _ = constInt(x.Lo)
					}
					if x.Hi != nil {
						hi, _ = constInt(x.Hi)
					}
					if lo >= 0 && lo < hi && hi <= lengthOf(c.T) {
						part := &Composite{T: types.NewArray(c.T.Underlying().(*types.Array).Elem(), hi-lo)}
						for n := lo; n < hi; n++ {
							part.Keys, part.Vals = append(part.Keys, ""), append(part.Vals, tableElement(c, n))
						}
						by[v] = &Global{Obj: types.NewVar(token.NoPos, nil, v.Name, part.T), T: part.T, Table: part}
					}
				}
			case *Composite:
				if c := k.tableIn(x); c != nil && (isArray(v.Type) || k.onlyIndexed(v)) {
					by[v] = &Global{Obj: types.NewVar(token.NoPos, nil, v.Name, c.T), T: c.T, Table: c}
				}
			case *VarRef: // a copy
				if g, ok := by[x.V].(*Global); ok && isArray(v.Type) {
					by[v] = g
				}
			case *Index: // an array in an array of arrays
				of, ok := x.X.(*VarRef)
				if n, isConst := constInt(x.I); !ok || !isArray(v.Type) || by[of.V] == nil || !steady[a] && (!isConst || n < 0 || n >= lengthOf(by[of.V].Type())) {
					break
				}
				by[v] = &Index{X: by[of.V], I: x.I, T: x.T}
			}
			again = again || by[v] != nil
		}
	}
	if len(by) == 0 {
		return
	}
	for v := range by {
		if s, ok := from[v].R.(*Slice); ok {
			from[v].R = &Global{T: s.T} // nil, which nobody reads
		}
	}
	k.Body = mapReads(k.Body, func(x Expr) Expr {
		switch x := x.(type) {
		case *VarRef:
			if e := by[x.V]; e != nil {
				return e
			}
		case *Index, *Field:
			if c, ok := tableOf(x).(*Const); ok {
				return c
			}
		case *Call:
			if x.Fn == nil && x.Name == "len" && len(x.Args) == 1 {
				if g, ok := x.Args[0].(*Global); ok && g.Table != nil {
					return &Const{constant.MakeInt64(lengthOf(g.T)), intType}
				}
			}
		}
		return x
	})
}

// steadyIndices returns the assignments of an element whose index stays as it is as long as what is assigned can be seen: it is a variable that the body
// of the innermost loop around does not assign, such as the counter of that.
func (k *Kernel) steadyIndices() map[*Assign]bool {
	steady := map[*Assign]bool{}
	var look func(list []Stmt, changed map[*Var]bool)
	look = func(list []Stmt, changed map[*Var]bool) {
		for _, s := range list {
			switch s := s.(type) {
			case *Assign:
				if x, ok := s.R.(*Index); ok && s.Def {
					if i, ok := x.I.(*VarRef); ok {
						steady[s] = !changed[i.V] && !i.V.addr
					}
				}
			case *If:
				look(s.Then, changed)
				look(s.Else, changed)
			case *Block:
				look(s.Body, changed)
			case *For:
				look(s.Pre, changed)
				look(s.Body, useOf(s.Body).written)
			}
		}
	}
	look(k.Body, useOf(k.Body).written)
	return steady
}

// readParts returns the slices, with bounds that are constants, of arrays of which nothing but such slices is taken, and these arrays, if the slices are variables
// that are assigned once and only read.
func (k *Kernel) readParts(defs map[*Var]int, from map[*Var]*Assign) map[*Var]bool {
	isBound := func(e Expr) bool {
		_, isConst := constInt(e)
		return e == nil || isConst
	}
	parts, of := map[*Var]bool{}, map[*Var]int{}
	for v, a := range from {
		s, ok := a.R.(*Slice)
		if !ok || defs[v] != 1 || v.addr || s.Max != nil || !isBound(s.Lo) || !isBound(s.Hi) || !k.onlyIndexed(v) {
			continue
		}
		if r, ok := s.X.(*VarRef); ok && isArray(r.V.Type) && defs[r.V] == 1 && from[r.V] != nil {
			parts[v] = true
			of[r.V]++
		}
	}
	all := map[*Var]int{} // what is taken of them
	walk(k.Body, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(e Expr) {
				var x Expr
				switch e := e.(type) {
				case *Addr:
					x = e.X
				case *Slice:
					x = e.X
				}
				if r, ok := rootOf(x).(*VarRef); ok {
					all[r.V]++
				}
			})
		})
	})
	for v, n := range of {
		parts[v] = n == all[v]
	}
	return parts
}

// onlyIndexed reports whether all that k does with a slice is to read its elements and to ask for its length.
func (k *Kernel) onlyIndexed(v *Var) bool {
	is := func(e Expr) bool {
		r, ok := e.(*VarRef)
		return ok && r.V == v
	}
	all, reads, other := 0, 0, false
	walk(k.Body, func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			for _, l := range a.L {
				switch {
				case is(l):
					all-- // the definition
				case l != nil && is(rootOf(l)):
					other = true
				}
			}
		}
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				switch x := x.(type) {
				case *VarRef:
					if is(x) {
						all++
					}
				case *Index:
					if is(x.X) {
						reads++
					}
				case *Call:
					if x.Fn == nil && x.Name == "len" && len(x.Args) == 1 && is(x.Args[0]) {
						reads++
					}
				case *Addr:
					other = other || is(rootOf(x.X))
				case *Slice:
					other = other || is(rootOf(x.X))
				}
			})
		})
	})
	return !other && all == reads
}

// rootOf returns what e is an element or a field of, or a part of one.
func rootOf(e Expr) Expr {
	for {
		switch x := e.(type) {
		case *Index:
			e = x.X
		case *Field:
			e = x.X
		default:
			return e
		}
	}
}

// tableIn returns a literal of constants as that of an array, or nil if it is none.
func (k *Kernel) tableIn(c *Composite) *Composite {
	if s, ok := types.Unalias(c.T).(*types.Slice); ok {
		c = &Composite{T: types.NewArray(s.Elem(), int64(len(c.Vals))), Keys: c.Keys, Vals: c.Vals}
	}
	if !isArray(c.T) || lengthOf(c.T) == 0 || !k.isTableType(c.T) || !isConstants(c) {
		return nil
	}
	return c
}

// isTableType reports whether t is a number or a bool that has no name of its own, or arrays or structs of such, with names that the package's generated
// code can use.
func (k *Kernel) isTableType(t types.Type) bool {
	t = types.Unalias(t)
	if n, ok := t.(*types.Named); ok && isStruct(n) && n.TypeArgs().Len() == 0 && len(k.read) > 0 {
		if o := n.Obj(); o.Pkg() != k.read[0].pkg.types || o.Parent() != o.Pkg().Scope() {
			return false
		}
		t = n.Underlying()
	}
	switch t := t.(type) {
	case *types.Basic:
		return t.Info()&(types.IsNumeric|types.IsBoolean) != 0 && t.Info()&types.IsComplex == 0
	case *types.Array:
		return k.isTableType(t.Elem())
	case *types.Struct:
		for i := range t.NumFields() {
			if f := t.Field(i); f.Name() == "_" || !k.isTableType(f.Type()) {
				return false
			}
		}
		return t.NumFields() > 0
	}
	return false
}

// isConstants reports whether a literal has constants only: of an array one after the other.
func isConstants(c *Composite) bool {
	if len(c.Keys) > 0 && c.Keys[0] != "" && !isStruct(c.T) {
		return false
	}
	for _, x := range c.Vals {
		switch x := x.(type) {
		case *Const:
		case *Composite:
			if !isConstants(x) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func lengthOf(array types.Type) int64 { return array.Underlying().(*types.Array).Len() }

// tableOf returns the value of a table, or of a part of it whose indices are known; else nil.
func tableOf(e Expr) Expr {
	switch e := e.(type) {
	case *Global:
		if e.Table != nil {
			return e.Table
		}
	case *Index:
		t, _ := tableOf(e.X).(*Composite)
		if n, ok := constInt(e.I); ok && t != nil && n >= 0 && n < lengthOf(t.T) {
			return tableElement(t, n)
		}
	case *Field:
		if t, ok := tableOf(e.X).(*Composite); ok {
			return tableField(t, e)
		}
	}
	return nil
}

// tableElement returns an element of a literal of constants. Those behind the last one that it has are 0.
func tableElement(t *Composite, n int64) Expr {
	if n < int64(len(t.Vals)) {
		return t.Vals[n]
	}
	return zeroOf(t.T.Underlying().(*types.Array).Elem())
}

// tableField returns a field of a literal of constants.
func tableField(t *Composite, f *Field) Expr {
	s := t.T.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		if name := s.Field(i).Name(); name != f.Name && s.Field(i) != f.F {
			continue
		} else if len(t.Keys) > 0 && t.Keys[0] != "" {
			if j := slices.Index(t.Keys, name); j >= 0 {
				return t.Vals[j]
			}
		} else if i < len(t.Vals) {
			return t.Vals[i]
		}
		return zeroOf(s.Field(i).Type())
	}
	return nil
}

// isTable reports whether e is a table, or an element of one.
func isTable(e Expr) bool {
	g, ok := rootOf(e).(*Global)
	return ok && g.Table != nil
}

// constantIn returns the number that e is in a table, if it is known, else nil.
func (l *lowering) constantIn(e Expr) Expr {
	if !isTable(e) {
		return nil
	}
	if c, ok := l.expand(e).(*Const); ok {
		return c
	}
	return nil
}

// tableName returns the name of the variable of the package that has a table.
func (p *printer) tableName(k *Kernel, g *Global) string {
	text := p.tableText(g.Table)
	for _, t := range p.tables {
		if t.text == text {
			return t.name
		}
	}
	name := p.generated(k, fmt.Sprintf("Table%d", len(p.tables)+1))
	p.tables = append(p.tables, table{name, text})
	return name
}

// tableText is Go for a table.
func (p *printer) tableText(t *Composite) string {
	b := &body{printer: p}
	return b.expr(t)
}

// printTables prints the tables that what has been printed has.
func (p *printer) printTables() {
	text := p.out.String()
	for _, t := range p.tables {
		if strings.Contains(text, own+"."+t.name) {
			p.printf("// %s is an array of constants of a kernel, which nothing changes.\nvar %s = %s\n\n", t.name, t.name, t.text)
		}
	}
}
