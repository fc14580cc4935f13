package compiler

// Fields of struct parameters (pass fields): a slice m.data, where the kernel does not change m, is a
// slice of its own in a nest, as a parameter is. So is m.rows[2], of an array of slices. So all passes
// that compare slices know it.

// withFields replaces such fields in the statements of a nest by variables. A variable's name is the
// field's text.
func (b *body) withFields(list []Stmt) []Stmt {
	if b.off("fields") {
		return list
	}
	return mapStmts(list, func(e Expr) Expr {
		switch e.(type) {
		case *Field, *Index:
			if isSlice(e.Type()) && isUnchanged(e) {
				b.k.works("fields")
				return &VarRef{b.fieldVar(e)}
			}
		}
		return e
	})
}

// fieldVar returns the variable that stands for a field.
func (b *body) fieldVar(f Expr) *Var {
	name := b.expr(f)
	if b.fieldVars == nil {
		b.fieldVars = map[string]*Var{}
	}
	if b.fieldVars[name] == nil {
		b.fieldVars[name] = &Var{Name: name, Type: f.Type(), Param: true, known: true}
	}
	return b.fieldVars[name]
}
