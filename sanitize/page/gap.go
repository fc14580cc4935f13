package page

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/gocuda/gocuda/sanitize"
)

// A gap is where an order between the two accesses of a race is missing.
type gap struct {
	After, Before int    // lines between which a barrier goes; 0 if there is no such place
	Round         bool   // it goes to the end of a loop's body: the later access is one of the next round
	Call          string // the barrier
	Text          string // all of it in a sentence
}

// gapOf finds the place of the missing barrier in the source of the first access. The two accesses
// are in the order of the program. Between them is the place, if there is no barrier yet. Else they
// are in a loop, and the second one races with the first one of the next round.
func gapOf(f sanitize.Finding, src []byte) gap {
	switch a, b := f.Threads[0], f.Threads[1]; {
	case a.Host || b.Host:
		return gap{Text: "The host must wait for the launch, by Synchronize of its stream or by an event, before it uses the memory."}
	case f.OtherKernel != "":
		return gap{Text: "Nothing orders the two launches: put them on one stream, or let the stream of the second one wait for an event after the first one."}
	case a.Block != b.Block:
		return gap{Text: "No barrier of a block orders threads of two blocks: use an atomic operation, two launches, or a barrier of the grid in a cooperative launch."}
	}
	g := gap{Call: "SyncThreads()"}
	if f.Severity == sanitize.SeverityWarning {
		g.Call = "SyncWarp(…)"
	}
	if f.First == f.Other && f.Kind == "WAW" {
		return gap{Text: "Threads write one cell at one place, which no barrier orders: let one thread write, or use an atomic operation."}
	}
	if f.First.File != f.Other.File {
		g.Text = fmt.Sprintf("A %s is missing between the two calls that lead to the accesses.", g.Call)
		return g
	}
	set := token.NewFileSet()
	file, _ := parser.ParseFile(set, "", src, parser.SkipObjectResolution) // as far as it can be read
	if file == nil || set.File(file.Pos()) == nil {
		return g.between(f.First.Line, f.Other.Line)
	}
	t := tree{set: set, file: file}
	x, y := t.path(f.First), t.path(f.Other)
	return t.place(g, x, y)
}

// between says that the barrier goes between two lines.
func (g gap) between(after, before int) gap {
	g.After, g.Before = after, before
	g.Text = fmt.Sprintf("A %s is missing between line %d and line %d.", g.Call, after, before)
	return g
}

// A tree is the syntax of a file.
type tree struct {
	set  *token.FileSet
	file *ast.File
}

func (t tree) line(p token.Pos) int { return t.set.Position(p).Line }

// path returns the nodes around a place, the outermost one first.
func (t tree) path(p sanitize.Place) (nodes []ast.Node) {
	tf := t.set.File(t.file.Pos())
	if p.Line < 1 || p.Line > tf.LineCount() {
		return nil
	}
	start := tf.LineStart(p.Line)
	at := start + token.Pos(max(0, p.Col-1))
	ast.Inspect(t.file, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		if p.Col == 0 { // the first statement of the line will do
			if s, ok := n.(ast.Stmt); ok && t.line(s.Pos()) == p.Line && at == start {
				at = s.Pos()
			}
		}
		inside := n.Pos() <= at && at < n.End()
		if inside {
			nodes = append(nodes, n)
		}
		return inside || p.Col == 0
	})
	return nodes
}

// list returns the statements that a node has, nil if it is no list of statements.
func list(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		if len(n.List) > 0 {
			switch n.List[0].(type) {
			case *ast.CaseClause, *ast.CommClause: // the parts of a statement, not one after the other
				return nil
			}
		}
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// in returns the statement of a list around the next node of a path, nil if there is none.
func in(stmts []ast.Stmt, path []ast.Node) ast.Stmt {
	for _, n := range path {
		for _, s := range stmts {
			if n == ast.Node(s) {
				return s
			}
		}
	}
	return nil
}

// place finds where the barrier goes between the accesses whose paths are x and y.
func (t tree) place(g gap, x, y []ast.Node) gap {
	common := 0
	for common < len(x) && common < len(y) && x[common] == y[common] {
		common++
	}
	deepest, function := -1, -1
	for i := range common {
		switch x[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			function = i
		}
		if stmts := list(x[i]); in(stmts, x[i:]) != nil && in(stmts, y[i:]) != nil {
			deepest = i
		}
	}
	if function < 0 || deepest < function {
		g.Text = fmt.Sprintf("A %s is missing between the two calls that lead to the accesses.", g.Call)
		return g
	}
	stmts := list(x[deepest])
	first, second := in(stmts, x[deepest:]), in(stmts, y[deepest:])
	if second.Pos() < first.Pos() {
		first, second = second, first
	}
	loop, branch := ast.Node(nil), ast.Node(nil)
	for _, n := range x[function : deepest+1] {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loop, branch = n, nil
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt:
			branch = n
		}
	}
	if first == second {
		if loop != nil && !hasBarrier(loopBody(loop), g.Call) {
			return t.roundEnd(g, loop)
		}
		return t.within(g, first)
	}
	ordered := false
	for _, s := range stmts {
		if s.Pos() > first.Pos() && s.Pos() < second.Pos() {
			ordered = ordered || hasBarrier(s, g.Call)
		}
	}
	switch {
	case !ordered:
		g = g.between(t.line(first.End()), t.line(second.Pos()))
		if branch != nil {
			g.Text += fmt.Sprintf(" Both accesses are in the branch at line %d: close it before the barrier, which all threads must reach, and open it again after.", t.line(branch.Pos()))
		}
	case loop != nil:
		g = t.roundEnd(g, loop)
	default:
		g.Text = "The barrier between the two accesses does not order these two threads."
	}
	return g
}

// roundEnd puts the barrier at the end of a loop's body.
func (t tree) roundEnd(g gap, loop ast.Node) gap {
	body := loopBody(loop)
	last := t.line(body.Lbrace)
	if n := len(body.List); n > 0 {
		last = t.line(body.List[n-1].End())
	}
	g.After, g.Before, g.Round = last, t.line(loop.Pos()), true
	g.Text = fmt.Sprintf("A %s is missing at the end of the loop, after line %d: without it a thread begins the next round while others are still in this one.", g.Call, last)
	return g
}

// within is about two accesses in one statement.
func (t tree) within(g gap, s ast.Stmt) gap {
	n := t.line(s.Pos())
	switch s := s.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		if body := loopBody(s); len(body.List) > 0 {
			g.After, g.Before, g.Round = t.line(body.List[len(body.List)-1].End()), n, true
			g.Text = fmt.Sprintf("A %s is missing between the body and the head of the loop at line %d.", g.Call, n)
			return g
		}
	case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		g.Text = fmt.Sprintf("The accesses are in parts of the statement at line %d that a barrier can't separate: split it in two, with a %s between them.", n, g.Call)
		return g
	}
	g.Text = fmt.Sprintf("The statement at line %d reads and writes: read into a variable, call %s, and write then.", n, g.Call)
	return g
}

func loopBody(n ast.Node) *ast.BlockStmt {
	if f, ok := n.(*ast.ForStmt); ok {
		return f.Body
	}
	return n.(*ast.RangeStmt).Body
}

// hasBarrier reports whether a statement calls a barrier: of the block, or where SyncWarp is
// missing, of the warp.
func hasBarrier(s ast.Node, missing string) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
				switch sel.Sel.Name {
				case "SyncThreads", "SyncThreadsCount", "SyncThreadsAnd", "SyncThreadsOr", "Sync":
					found = true
				case "SyncWarp":
					found = found || missing != "SyncThreads()"
				}
			}
		}
		return !found
	})
	return found
}
