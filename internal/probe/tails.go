package probe

import "go/ast"

// findTails adds to tails the tail calls in a list of statements: calls after which the function
// returns without doing anything else. last says that the function returns after the list. A callee
// that returns before a barrier has then returned from its caller too.
func findTails(list []ast.Stmt, last bool, tails map[ast.Stmt]bool) {
	for i, s := range list {
		end := last && i == len(list)-1
		if i+1 < len(list) {
			r, ok := list[i+1].(*ast.ReturnStmt)
			end = ok && len(r.Results) == 0
		}
		tailsOf(s, end, tails)
	}
}

func tailsOf(s ast.Stmt, end bool, tails map[ast.Stmt]bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if _, ok := s.X.(*ast.CallExpr); ok && end {
			tails[s] = true
		}
	case *ast.LabeledStmt:
		tailsOf(s.Stmt, end, tails)
	case *ast.BlockStmt:
		findTails(s.List, end, tails)
	case *ast.IfStmt:
		findTails(s.Body.List, end, tails)
		if s.Else != nil {
			tailsOf(s.Else, end, tails)
		}
	case *ast.ForStmt:
		findTails(s.Body.List, false, tails)
	case *ast.RangeStmt:
		findTails(s.Body.List, false, tails)
	case *ast.SwitchStmt:
		tailsOfClauses(s.Body, end, tails)
	case *ast.TypeSwitchStmt:
		tailsOfClauses(s.Body, end, tails)
	}
}

func tailsOfClauses(b *ast.BlockStmt, end bool, tails map[ast.Stmt]bool) {
	for _, c := range b.List {
		findTails(c.(*ast.CaseClause).Body, end, tails) // a clause that falls through ends with no call
	}
}
