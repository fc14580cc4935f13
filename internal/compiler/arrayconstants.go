package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
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
	defs, from := map[*Var]int{}, map[*Var]Expr{}
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
					from[v] = a.R
				}
			}
		}
	})
	taken := k.addressed()
	by := map[*Var]*Global{}
	for again := true; again; {
		again = false
		for _, v := range k.Vars {
			if by[v] != nil || defs[v] != 1 || taken[v] || v.addr || !isTableType(v.Type) {
				continue
			}
			c, _ := from[v].(*Composite)
			if r, isCopy := from[v].(*VarRef); isCopy && by[r.V] != nil {
				c = by[r.V].Table
			}
			if c == nil || !isConstants(c) {
				continue
			}
			by[v], again = &Global{Obj: types.NewVar(token.NoPos, nil, v.Name, v.Type), T: v.Type, Table: c}, true
		}
	}
	if len(by) == 0 {
		return
	}
	k.Body = mapReads(k.Body, func(x Expr) Expr {
		switch x := x.(type) {
		case *VarRef:
			if g := by[x.V]; g != nil {
				return g
			}
		case *Index:
			if t := tableOf(x.X); t != nil {
				if n, ok := constInt(x.I); ok && n >= 0 && n < lengthOf(t.T) && basic(x.T) {
					return tableElement(t, n)
				}
			}
		}
		return x
	})
}

// isTableType reports whether t is an array of numbers or bools that have no name of their own, or of such arrays.
func isTableType(t types.Type) bool {
	a, ok := types.Unalias(t).(*types.Array)
	if !ok {
		return false
	}
	if e, ok := types.Unalias(a.Elem()).(*types.Basic); ok {
		return a.Len() > 0 && e.Info()&(types.IsNumeric|types.IsBoolean) != 0 && e.Info()&types.IsComplex == 0
	}
	return isTableType(a.Elem())
}

// isConstants reports whether a literal of such an array has constants only, one after the other.
func isConstants(c *Composite) bool {
	if len(c.Keys) > 0 && c.Keys[0] != "" {
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

// tableOf returns the constants of a table, or of an array in it whose index is known; else nil.
func tableOf(e Expr) *Composite {
	switch e := e.(type) {
	case *Global:
		return e.Table
	case *Index:
		t := tableOf(e.X)
		if n, ok := constInt(e.I); ok && t != nil && n >= 0 && n < lengthOf(t.T) {
			c, _ := tableElement(t, n).(*Composite)
			return c
		}
	}
	return nil
}

// tableElement returns an element of a table. Those behind the last one that the literal has are 0.
func tableElement(t *Composite, n int64) Expr {
	if n < int64(len(t.Vals)) {
		return t.Vals[n]
	}
	e := t.T.Underlying().(*types.Array).Elem()
	switch {
	case isArray(e):
		return &Composite{T: e}
	case isBool(e):
		return &Const{constant.MakeBool(false), e}
	}
	return &Const{constant.MakeInt64(0), e}
}

// constantIn returns the element that x is of a table, if it is known, else nil.
func (l *lowering) constantIn(x *Index) Expr {
	of := x.X
	for {
		inner, ok := of.(*Index)
		if !ok {
			break
		}
		of = inner.X
	}
	if g, ok := of.(*Global); !ok || g.Table == nil {
		return nil
	}
	if c, ok := l.expand(x).(*Const); ok {
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
