package loopasm

import (
	"go/ast"
	"go/token"
	"slices"
)

// A scope is where a loop is.
type scope struct {
	fn     *ast.FuncDecl
	loop   *ast.ForStmt
	vec    string // the name of package vec
	source func(n ast.Node) string
}

// A declaration is what a name stands for at some place of a func.
type declaration struct {
	found bool
	typ   ast.Expr // if it is declared with one
	value ast.Expr // if it is declared with one, and alone
	fixed bool     // a constant
}

// lookup returns what a name stands for that is declared in the func, at the statement that begins at pos.
func (s *scope) lookup(name string, pos token.Pos) (d declaration) {
	var around []ast.Node
	ast.Inspect(s.fn, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || pos >= n.End() {
			return false
		}
		around = append(around, n)
		return true
	})
	for _, n := range slices.Backward(around) {
		var before []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			before = n.List
		case *ast.CaseClause:
			before = n.Body
		case *ast.CommClause:
			before = append([]ast.Stmt{n.Comm}, n.Body...)
		case *ast.IfStmt:
			before = []ast.Stmt{n.Init}
		case *ast.SwitchStmt:
			before = []ast.Stmt{n.Init}
		case *ast.TypeSwitchStmt:
			before = []ast.Stmt{n.Init, n.Assign}
		case *ast.ForStmt:
			before = []ast.Stmt{n.Init}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE && (n.Key != nil && isNamed(n.Key, name) || n.Value != nil && isNamed(n.Value, name)) {
				return declaration{found: true}
			}
		case *ast.FuncLit:
			d = parameter(n.Type, nil, name)
		case *ast.FuncDecl:
			d = parameter(n.Type, n.Recv, name)
		}
		for _, st := range slices.Backward(before) {
			if st != nil && st.End() <= pos && !d.found {
				d = declares(st, name)
			}
		}
		if d.found {
			return d
		}
	}
	return d
}

func isNamed(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// parameter looks for a name among parameters and results.
func parameter(typ *ast.FuncType, recv *ast.FieldList, name string) (d declaration) {
	for _, list := range []*ast.FieldList{recv, typ.Params, typ.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			if slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return id.Name == name }) {
				return declaration{found: true, typ: f.Type}
			}
		}
	}
	return d
}

// declares looks for a name in what a statement declares.
func declares(st ast.Stmt, name string) (d declaration) {
	switch st := st.(type) {
	case *ast.LabeledStmt:
		return declares(st.Stmt, name)
	case *ast.AssignStmt:
		if st.Tok == token.DEFINE && slices.ContainsFunc(st.Lhs, func(e ast.Expr) bool { return isNamed(e, name) }) {
			d.found = true
			if len(st.Lhs) == 1 {
				d.value = st.Rhs[0]
			}
		}
	case *ast.DeclStmt:
		g := st.Decl.(*ast.GenDecl)
		for _, spec := range g.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok || !slices.ContainsFunc(v.Names, func(id *ast.Ident) bool { return id.Name == name }) {
				continue
			}
			d = declaration{found: true, typ: v.Type, fixed: g.Tok == token.CONST}
			if len(v.Names) == 1 && len(v.Values) == 1 {
				d.value = v.Values[0]
			}
		}
	}
	return d
}

// defs returns what a variable is defined as that the loop sees, if nothing else is ever assigned to one of its name, or nil.
func (s *scope) defs(name string) ast.Expr {
	is := func(e ast.Expr) bool { return isNamed(e, name) }
	assigned := false
	ast.Inspect(s.fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			assigned = assigned || slices.ContainsFunc(n.Lhs, is) && (n.Tok != token.DEFINE || len(n.Lhs) != 1)
		case *ast.IncDecStmt:
			assigned = assigned || is(n.X)
		case *ast.RangeStmt:
			assigned = assigned || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		case *ast.UnaryExpr:
			assigned = assigned || n.Op == token.AND && is(n.X)
		}
		return !assigned
	})
	if assigned {
		return nil
	}
	return s.lookup(name, s.loop.Pos()).value
}

// isInt reports whether a variable that the loop sees is surely an int.
func (s *scope) isInt(name string) bool {
	t := s.typeOf(name, s.loop.Pos(), 0)
	return t == isInt
}

// A numberType is what is known of the type of an integer.
type numberType int

const (
	unknown numberType = iota
	untyped            // a constant
	isInt
)

// typeOf returns the type of what a name stands for at pos.
func (s *scope) typeOf(name string, pos token.Pos, depth int) numberType {
	d := s.lookup(name, pos)
	switch {
	case !d.found || depth > 8:
		return unknown
	case d.typ != nil:
		if isNamed(d.typ, "int") {
			return isInt
		}
		return unknown
	case d.value == nil:
		return unknown
	}
	t := s.exprType(d.value, depth+1)
	if t == untyped && !d.fixed {
		return isInt
	}
	return t
}

func (s *scope) exprType(e ast.Expr, depth int) numberType {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.INT {
			return untyped
		}
	case *ast.Ident:
		return s.typeOf(e.Name, e.Pos(), depth)
	case *ast.ParenExpr:
		return s.exprType(e.X, depth)
	case *ast.UnaryExpr:
		if e.Op == token.SUB || e.Op == token.ADD {
			return s.exprType(e.X, depth)
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
			return s.common(depth, e.X, e.Y)
		}
	case *ast.CallExpr:
		switch {
		case isNamed(e.Fun, "int"), isNamed(e.Fun, "len"):
			return isInt
		case isNamed(e.Fun, "min"), isNamed(e.Fun, "max"):
			return s.common(depth, e.Args...)
		}
	}
	return unknown
}

// common returns the type that all of list must have, as they are operands of one operation.
func (s *scope) common(depth int, list ...ast.Expr) numberType {
	t := untyped
	for _, e := range list {
		switch s.exprType(e, depth) {
		case isInt:
			return isInt
		case unknown:
			t = unknown
		}
	}
	return t
}
