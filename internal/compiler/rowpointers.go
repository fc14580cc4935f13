package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Rows of a slice of slices in nests, as in a[i][k]*b[k][j] where k counts iterations. Each access
// loads the beginning of its row from the row's header (lir.Row). In place of the lengths of all rows
// that a nest might access, it is checked once per share of blocks that all rows of the slice have the
// same length, and that the rows of a slice that is stored to are apart from those of others. Rows that
// are the same for all iterations, and known before the nest, are slices like others (sliced.go).

// A rowOf is a row of a slice of slices: Go for that, and the index of the row.
type rowOf struct {
	x     *Index
	slice string
	at    poly
}

// inRows returns the row that e is, of a slice of slices that the kernel does not change; nil if e is
// something else. The index of the row is nil if it is not known (yet).
func (l *lowering) inRows(e Expr) *rowOf {
	x, ok := l.expand(e).(*Index)
	if !ok || l.b.off("rowpointers") || !isSlice(x.T) || !isSlice(x.X.Type()) || !isUnchanged(x.X) || l.isSteady(x) || l.b.k.changesRows() {
		return nil
	}
	if isUnsigned64(x.I.Type()) {
		cannot("an unsigned index")
	}
	p, ok := l.polyOf(&Convert{x.I, intType})
	if !ok {
		p = nil
	}
	r := &rowOf{x, l.b.expr(x.X), p}
	if l.ofRows == nil {
		l.ofRows = map[string]bool{}
	}
	l.ofRows[r.slice] = true
	return r
}

// text is equal for equal rows.
func (r *rowOf) text() string { return r.slice + "[" + r.at.key() + "]" }

// checkRow adds the check that a row exists.
func (l *lowering) checkRow(r *rowOf) {
	if r.at == nil {
		cannot("rows of slices at indices that data determine")
	}
	l.checkAccess(r.slice, r.at)
}

// checkRowSpot adds the checks of all indices of a spot in a row. p is the index in the row.
func (l *lowering) checkRowSpot(x spot, r *rowOf, p poly) {
	width := l.b.widthOf(r.x.X).Name
	l.check(width + " >= 0")
	l.checkRow(r)
	l.checkLimit(width, p)
	l.checkInner(x)
}

// placesInRow is places for elements of a row. With lanes, each thread has a row of its own.
func (l *lowering) placesInRow(r *rowOf, typ string, size int, p poly, lanes bool) func(i int) lir.Mem {
	l.b.k.works("rowpointers")
	header := int(lineSizes.Sizeof(r.x.T))
	place := func(j int) lir.Mem {
		h := l.place(r.slice, l.b.typ(r.x.T), header, l.inRow(r.at, j))
		return l.placeOf(r.slice, typ, size, l.inRow(p, j), pointed{row: lir.Row{Group: h.Group, Disp: h.Disp, Lanes: lanes}, of: l.b.typ(r.x.T)})
	}
	var rows []lir.Mem
	for j := range l.jam {
		if j > 0 && !p.has(rowSymbol) && !r.at.has(rowSymbol) {
			break
		}
		rows = append(rows, place(j))
	}
	return func(i int) lir.Mem {
		m := rows[i/l.parts%l.jam%len(rows)]
		m.Part = i % l.parts
		return m
	}
}

// laneOffsets returns the offsets of the lanes for the access m, as strides does; 0 if each lane has a row of
// its own.
func (l *lowering) laneOffsets(k lir.Kind, m lir.Mem) lir.Value {
	if row := l.n.Groups[m.Group].Row; row != nil && row.Lanes {
		return 0
	}
	return l.strides(k)
}

// changesRows reports whether the kernel may change a slice of slices: it stores a slice, or calls
// what might.
func (k *Kernel) changesRows() bool {
	return anyStmt(k.Body, func(s Stmt) bool {
		found := false
		switch s := s.(type) {
		case *Assign:
			found = slices.ContainsFunc(s.L, func(to Expr) bool {
				if to == nil {
					return false
				}
				v, whole := assigned(to)
				return !(v != nil && whole) && !basic(to.Type()) && hasSlice(to.Type())
			})
		case *Do:
			found = true
		}
		exprs(s, func(e Expr) {
			walkExpr(e, func(e Expr) {
				c, isCall := e.(*Call)
				found = found || isCall && c.Fn != nil && !c.Pure
			})
		})
		return found
	})
}

// hasSlice reports whether values of type t contain a slice.
func hasSlice(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Struct:
		for i := range t.NumFields() {
			if hasSlice(t.Field(i).Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return hasSlice(t.Elem())
	}
	return true
}

// A started is a variable that is declared before the loop over blocks.
type started struct {
	v     *Var
	value string // Go
	call  string // of the method of Phases that remembers it
}

// atStart returns such a variable.
func (b *body) atStart(name, value string, t types.Type) *Var {
	call := "Fact"
	if t == boolType {
		call = "Holds"
	}
	for _, s := range b.started {
		if s.value == value {
			return s.v
		}
	}
	v := &Var{Name: uniqueName(b.names, name), Type: t, defs: 1}
	b.started = append(b.started, started{v, value, call})
	return v
}

// starts prints the declarations of those variables that the rest of the body uses.
func (b *body) starts(rest string) {
	used, many := words.FindAllString(rest, -1), 0
	for _, s := range b.started {
		if slices.Contains(used, s.v.Name) {
			b.printf("%s := p.%s(%d, func() %v { return %s })\n", s.v.Name, s.call, many, s.v.Type, s.value)
			many++
		}
	}
}

// widthOf is the length of all rows of a slice of slices, or -1 if they have several.
func (b *body) widthOf(rows Expr) *Var {
	text := b.expr(rows)
	return b.atStart("width", fmt.Sprintf("%s.Width(%s)", b.rt(), text), intType)
}

// apartRows is a variable that says whether two slices, of which the first is of slices and the other
// one may be, have no memory of rows in common.
func (b *body) apartRows(rows, other string, both bool) string {
	name := "RowsApart"
	if both {
		name = "AllRowsApart"
	}
	if !b.sameForBlocks(nil, other) {
		return fmt.Sprintf("%s.%s(%s, %s)", b.rt(), name, rows, other)
	}
	return b.atStart("apart", fmt.Sprintf("%s.%s(%s, %s)", b.rt(), name, rows, other), boolType).Name
}

// apartText is Go for the check that two slices do not overlap; of those in ofRows that is about their
// rows.
func (r *row) apartText(b *body, s, t string) string {
	switch {
	case r.ofRows[s]:
		return b.apartRows(s, t, r.ofRows[t])
	case r.ofRows[t]:
		return b.apartRows(t, s, false)
	}
	return fmt.Sprintf("%s.Apart(%s, %s)", b.rt(), s, t)
}

// withWidths returns the statements of a region with len(a[i]) replaced by the length of all rows of a.
func (b *body) withWidths(list []Stmt) []Stmt {
	if b.off("rowpointers") || b.k.changesRows() || !anyStmt(list, b.hasWidth) {
		return list
	}
	var lists func(list []Stmt) []Stmt
	lists = func(list []Stmt) []Stmt {
		var out []Stmt
		for _, s := range list {
			switch x := s.(type) {
			case *If:
				// a guard of the row is one of its length too: if y < len(a) && x < len(a[y])
				if and, isAnd := x.Cond.(*Binary); isAnd && and.Op == token.LAND && len(x.Else) == 0 && b.hasWidth(x) {
					inner := *x
					inner.Cond = and.Y
					x.Cond, x.Then = and.X, []Stmt{&inner}
				}
				x.Then, x.Else = lists(x.Then), lists(x.Else)
			case *For:
				x.Pre, x.Body, x.Post = lists(x.Pre), lists(x.Body), lists(x.Post)
			case *Block:
				x.Body = lists(x.Body)
			}
			seen := map[*Var]bool{}
			exprs(s, func(e Expr) {
				walkExpr(e, func(e Expr) {
					if row := b.widthIn(e); row != nil && !seen[b.widthOf(row.X)] {
						seen[b.widthOf(row.X)] = true
						out = append(out, &Assign{L: []Expr{nil}, R: row})
					}
				})
			})
			if len(seen) > 0 {
				rewriteReads([]Stmt{s}, func(e Expr) Expr {
					if row := b.widthIn(e); row != nil {
						return &VarRef{b.widthOf(row.X)}
					}
					return e
				})
			}
			out = append(out, s)
		}
		return out
	}
	return lists(mapReads(list, func(e Expr) Expr { return e }))
}

// widthIn returns the row if e is the length of a row of a parameter.
func (b *body) widthIn(e Expr) *Index {
	c, ok := e.(*Call)
	if !ok || c.Fn != nil || c.Name != "len" || len(c.Args) != 1 {
		return nil
	}
	row, ok := c.Args[0].(*Index)
	if !ok || !isSlice(row.T) || !isSlice(row.X.Type()) {
		return nil
	}
	switch x := row.X.(type) {
	case *VarRef:
		ok = x.V.Param && x.V.defs == 0 && !x.V.addr
	default:
		ok = false
	}
	if _, isConst := constInt(row.I); isConst || !ok {
		return nil // a steady row
	}
	return row
}

// hasWidth reports whether an expression of s itself contains the length of a row.
func (b *body) hasWidth(s Stmt) bool {
	found := false
	exprs(s, func(e Expr) { walkExpr(e, func(e Expr) { found = found || b.widthIn(e) != nil }) })
	return found
}
