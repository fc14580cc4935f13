package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Constant propagation through arrays. An array variable with constant elements that nothing
// changes, as in
//
//	dx, dy := [4]int{-1, 1, 0, 0}, [4]int{0, 0, -1, 1}
//
// becomes a package-level variable, which no thread has to initialize. An element with a constant
// index is a constant. Nests unroll loops over such an array (`unrolled`), so that all of its
// indices are constant.

// A table is a package-level variable with constants of a kernel.
type table struct {
	name string
	text string // its value, in Go
}

// tableConstants applies the pass to the variables of k.
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
			case *Slice: // a slice of a table
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
			case *VarRef: // a copy of a table
				if g, ok := by[x.V].(*Global); ok && isArray(v.Type) {
					by[v] = g
				}
			case *Index: // an inner array of a table
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
			from[v].R = &Global{T: s.T} // nil, since nothing reads the variable any more
		}
	}
	rewriteReads(k.Body, func(x Expr) Expr {
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

// steadyIndices returns the assignments of an element whose index does not change while the
// assigned variable is in scope: the innermost enclosing loop does not assign the index in its
// body. The loop's counter is an example.
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

// readParts returns slices with constant bounds, and the arrays that they are slices of, if the
// arrays are used in no other way and the slices are variables that are assigned once and only
// read.
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
	all := map[*Var]int{} // the number of slices of each array
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

// onlyIndexed reports whether k uses a slice only to read its elements and its length.
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

// rootOf returns the variable that e is a part of, through elements and fields.
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

// tableIn returns a literal of constants as an array literal, or nil if it is none.
func (k *Kernel) tableIn(c *Composite) *Composite {
	if s, ok := types.Unalias(c.T).(*types.Slice); ok {
		c = &Composite{T: types.NewArray(s.Elem(), int64(len(c.Vals))), Keys: c.Keys, Vals: c.Vals}
	}
	if !isArray(c.T) || lengthOf(c.T) == 0 || !k.isTableType(c.T) || !isConstants(c) {
		return nil
	}
	return c
}

// isTableType reports whether t is a basic numeric type or bool, or an array or struct of such,
// whose names the package's generated code can use.
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

// isConstants reports whether a literal consists of constants; an array literal must not have keys.
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

// tableOf returns the value of a table, or of a part with constant indices; otherwise nil.
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

// tableElement returns an element of a literal of constants; elements that the literal omits are 0.
func tableElement(t *Composite, n int64) Expr {
	if n < int64(len(t.Vals)) {
		return t.Vals[n]
	}
	return zeroOf(t.T.Underlying().(*types.Array).Elem())
}

// tableField returns a field of a literal of constants.
func tableField(t *Composite, f *Field) Expr {
	s, _ := structUnder(t.T)
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

// constantIn returns the value of a table's element, if its index is known; otherwise nil.
func (l *lowering) constantIn(e Expr) Expr {
	if !isTable(e) {
		return nil
	}
	if c, ok := l.expand(e).(*Const); ok {
		return c
	}
	return nil
}

// tableName returns the name of the package-level variable for a table with this text. The printer of one kernel marks
// it; see join.
func (p *printer) tableName(k *Kernel, text string) string {
	for _, t := range p.tables {
		if t.text == text {
			return t.name
		}
	}
	name := p.generated(k, fmt.Sprintf("Table%d", len(p.tables)+1))
	if p.forked {
		name += "_0_"
	}
	p.tables = append(p.tables, table{name, text})
	return name
}

// tableText is a table as a Go expression.
func (p *printer) tableText(t *Composite) string {
	b := &body{printer: p}
	return b.expr(t)
}

// printTables prints the tables that the printed code uses.
func (p *printer) printTables() {
	text := p.out.String()
	for _, t := range p.tables {
		if strings.Contains(text, own+"."+t.name) {
			p.printf("// %s is an array of constants of a kernel, which nothing changes.\nvar %s = %s\n\n", t.name, t.name, t.text)
		}
	}
}
