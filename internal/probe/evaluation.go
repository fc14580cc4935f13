package probe

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// The order of evaluation. Go's compiler reads variables and memory after all calls of an
// expression: in a[i] + f(&i) the index is the value of i after the call of f. A rewritten access
// evaluates its address in its place, before later calls. So an access is not rewritten, and not
// seen, if its address may depend on something that a later call in the same expression changes.

// findFragile returns the accesses of a file whose address a later call in the same expression may
// change.
func findFragile(f *ast.File, info *types.Info, pure map[string]bool) map[ast.Expr]bool {
	fragile := map[ast.Expr]bool{}
	exposed := exposedVars(f, info)
	var stack []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		switch e := n.(type) {
		case *ast.IndexExpr, *ast.StarExpr, *ast.SelectorExpr:
			if e := e.(ast.Expr); changeable(e, info, exposed) && callFollows(e, stack, info, pure) {
				fragile[e] = true
			}
		}
		stack = append(stack, n)
		return true
	})
	return fragile
}

// exposedVars returns the variables that a call may change: those whose address is taken, those
// that a function literal changes, and those of packages.
func exposedVars(f *ast.File, info *types.Info) map[types.Object]bool {
	exposed := map[types.Object]bool{}
	var literals []*ast.FuncLit
	note := func(e ast.Expr, always bool) {
		id := rootVar(e)
		if id == nil {
			return
		}
		o := info.ObjectOf(id)
		if o == nil {
			return
		}
		if n := len(literals); always || n > 0 && o.Pos() < literals[n-1].Pos() {
			exposed[o] = true
		}
	}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			literals = append(literals, n)
			ast.Inspect(n.Body, visit)
			literals = literals[:len(literals)-1]
			return false
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X, true)
			}
		case *ast.SliceExpr:
			note(n.X, true)
		case *ast.SelectorExpr:
			if s := info.Selections[n]; s != nil && s.Kind() == types.MethodVal {
				note(n.X, true)
			}
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				note(x, false)
			}
		case *ast.IncDecStmt:
			note(n.X, false)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				for _, x := range []ast.Expr{n.Key, n.Value} {
					if x != nil {
						note(x, false)
					}
				}
			}
		}
		return true
	}
	ast.Inspect(f, visit)
	return exposed
}

// rootVar returns the variable that e is, or is a part of.
func rootVar(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			return x
		default:
			return nil
		}
	}
}

// changeable reports whether a call may change the address of e: it depends on memory or on a
// variable that is exposed.
func changeable(e ast.Expr, info *types.Info, exposed map[types.Object]bool) bool {
	// value is true where the value of x counts, not its address.
	var depends func(x ast.Expr, value bool) bool
	depends = func(x ast.Expr, value bool) bool {
		if x == nil {
			return false
		}
		if tv := info.Types[x]; tv.IsType() || tv.Value != nil {
			return false
		}
		pointer := func(x ast.Expr) bool {
			t := info.TypeOf(x)
			if t == nil {
				return true
			}
			switch core(t).(type) {
			case *types.Array, *types.Struct:
				return false
			}
			return true
		}
		switch x := x.(type) {
		case *ast.Ident:
			o, ok := info.ObjectOf(x).(*types.Var)
			return ok && value && (exposed[o] || o.Parent() != nil && o.Pkg() != nil && o.Parent() == o.Pkg().Scope())
		case *ast.ParenExpr:
			return depends(x.X, value)
		case *ast.IndexExpr:
			return value && pointer(x.X) || depends(x.X, pointer(x.X) || value) || depends(x.Index, true)
		case *ast.SelectorExpr:
			s := info.Selections[x]
			if s == nil {
				return value // of a package
			}
			if s.Kind() != types.FieldVal {
				return depends(x.X, true)
			}
			return value && s.Indirect() || depends(x.X, s.Indirect() || value)
		case *ast.StarExpr:
			return value || depends(x.X, true)
		case *ast.UnaryExpr:
			return depends(x.X, x.Op != token.AND)
		case *ast.BinaryExpr:
			return depends(x.X, true) || depends(x.Y, true)
		case *ast.SliceExpr:
			return depends(x.X, pointer(x.X)) || depends(x.Low, true) || depends(x.High, true) || depends(x.Max, true)
		case *ast.TypeAssertExpr:
			return depends(x.X, true)
		case *ast.CallExpr:
			if info.Types[x.Fun].IsType() || isBuiltin(info, x) {
				for _, a := range x.Args {
					if depends(a, true) {
						return true
					}
				}
			}
			return false // found where it stands
		}
		return true
	}
	return depends(e, false)
}

// callFollows reports whether a call that may change something is evaluated after e, before the
// value of e is used.
func callFollows(e ast.Expr, stack []ast.Node, info *types.Info, pure map[string]bool) bool {
	child := ast.Node(e)
	calls := func(list ...ast.Expr) bool {
		for _, x := range list {
			if x != nil && x.Pos() > child.Pos() && !changesNo(x, info, pure) {
				return true
			}
		}
		return false
	}
	for i := len(stack) - 1; i >= 0; i-- {
		switch p := stack[i].(type) {
		case *ast.BinaryExpr:
			if p.Op == token.LAND || p.Op == token.LOR {
				return false // either operand is evaluated by itself
			}
			if calls(p.Y) {
				return true
			}
		case *ast.CallExpr:
			if calls(p.Args...) {
				return true
			}
			if !info.Types[p.Fun].IsType() && !isBuiltin(info, p) {
				return false
			}
		case *ast.IndexExpr:
			if calls(p.Index) {
				return true
			}
		case *ast.SliceExpr:
			if calls(p.Low, p.High, p.Max) {
				return true
			}
		case *ast.CompositeLit:
			if calls(p.Elts...) {
				return true
			}
		case *ast.KeyValueExpr:
			if calls(p.Value) {
				return true
			}
		case *ast.AssignStmt:
			return calls(p.Lhs...) || calls(p.Rhs...)
		case *ast.ReturnStmt:
			return calls(p.Results...)
		case *ast.ValueSpec:
			return calls(p.Values...)
		case *ast.FuncLit, ast.Stmt:
			return false
		}
		child = stack[i]
	}
	return false
}

func isBuiltin(info *types.Info, e *ast.CallExpr) bool {
	return info.Types[e.Fun].IsBuiltin()
}

// changesNo reports whether n has no call that may change a variable or memory.
func changesNo(n ast.Node, info *types.Info, pure map[string]bool) bool {
	free := true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			free = free && n.Op != token.ARROW
		case *ast.CallExpr:
			free = free && isPure(n, info, pure)
		}
		return free
	})
	return free
}

// purePackages are packages of the standard library and of the runtime whose functions change nothing.
var purePackages = map[string]bool{
	"math": true, "math/bits": true, "math/cmplx": true, "cmp": true, "unicode": true, "unicode/utf8": true,
	module + "/device": true, module + "/grid": true,
}

// isPure reports whether a call is a conversion, or of a function that changes neither variables of
// others nor memory.
func isPure(e *ast.CallExpr, info *types.Info, pure map[string]bool) bool {
	if info.Types[e.Fun].IsType() {
		return true
	}
	if isBuiltin(info, e) {
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
			switch id.Name {
			case "append", "copy", "clear", "delete", "close", "panic", "recover", "print", "println":
				return false
			}
		}
		return true
	}
	f := calledFunc(info, e)
	if f == nil || f.Pkg() == nil {
		return false
	}
	if f.Pkg().Path() == runtimePath { // indices and the like
		return f.Signature().Recv() != nil && f.Signature().Params().Len() == 0 && !isMeeting(f) && f.Signature().Results().Len() == 1
	}
	return purePackages[f.Pkg().Path()] || pure[f.FullName()]
}

// pureFuncs returns the functions that change nothing but their own variables.
func pureFuncs(all []*packages.Package) map[string]bool {
	found := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for _, p := range all {
			for _, f := range p.Syntax {
				for _, d := range f.Decls {
					fn, ok := d.(*ast.FuncDecl)
					if !ok || fn.Body == nil {
						continue
					}
					def, ok := p.TypesInfo.Defs[fn.Name].(*types.Func)
					if ok && !found[def.FullName()] && changesNothing(fn.Body, p.TypesInfo, found) {
						found[def.FullName()], changed = true, true
					}
				}
			}
		}
	}
	return found
}

func changesNothing(body *ast.BlockStmt, info *types.Info, pure map[string]bool) bool {
	quiet := true
	own := func(e ast.Expr) {
		for quiet {
			switch x := e.(type) {
			case *ast.ParenExpr:
				e = x.X
				continue
			case *ast.IndexExpr:
				if t := info.TypeOf(x.X); t != nil {
					if _, ok := core(t).(*types.Array); ok {
						e = x.X
						continue
					}
				}
				quiet = false
			case *ast.SelectorExpr:
				if s := info.Selections[x]; s != nil && s.Kind() == types.FieldVal && !s.Indirect() {
					e = x.X
					continue
				}
				quiet = false
			case *ast.Ident:
				v, ok := info.ObjectOf(x).(*types.Var)
				quiet = x.Name == "_" || ok && v.Pkg() != nil && v.Parent() != v.Pkg().Scope()
			default:
				quiet = false
			}
			return
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt:
			quiet = false
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				own(x)
			}
		case *ast.IncDecStmt:
			own(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				for _, x := range []ast.Expr{n.Key, n.Value} {
					if x != nil {
						own(x)
					}
				}
			}
		case *ast.UnaryExpr:
			quiet = quiet && n.Op != token.ARROW
		case *ast.CallExpr:
			quiet = quiet && isPure(n, info, pure)
		}
		return quiet
	})
	return quiet
}
