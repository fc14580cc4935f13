package compiler

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Unused variables and labels of the printed text, which Go rejects. If a form of a kernel does not
// need a part of a statement, variables made for that part are left over. The passes know of most
// of these and don't print them; the rest are removed here, from the whole text.

// dropUnused removes the unused local variables and labels from the declarations of a file. Values
// that may panic are kept.
func dropUnused(text string) string {
	const head = "package p\n"
	for {
		f, err := parser.ParseFile(token.NewFileSet(), "", head+text, 0)
		if err != nil {
			return text // formatting the text reports the error
		}
		u := &unused{text: head + text, used: map[*ast.Object]bool{}, labels: map[string]bool{}}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				u.fn(fn.Body)
			}
		}
		if len(u.edits) == 0 {
			return text
		}
		text = u.apply()[len(head):]
	}
}

// An unused collects the unused declarations of a file.
type unused struct {
	text   string
	body   *ast.BlockStmt // the body of the current func
	used   map[*ast.Object]bool
	labels map[string]bool // the targets of the func's jumps
	edits  []edit
}

// An edit replaces a part of a text.
type edit struct {
	from, to token.Pos
	by       string
}

func (u *unused) fn(body *ast.BlockStmt) {
	u.body = body
	// An assignment to a variable is not a use.
	targets := map[*ast.Ident]bool{}
	clear(u.labels)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
				for _, l := range n.Lhs {
					if id, ok := l.(*ast.Ident); ok {
						targets[id] = true
					}
				}
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				targets[id] = true
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if id, ok := e.(*ast.Ident); ok {
					targets[id] = true
				}
			}
		case *ast.BranchStmt:
			if n.Label != nil {
				u.labels[n.Label.Name] = true
			}
		case *ast.Ident:
			if n.Obj != nil && !targets[n] {
				u.used[n.Obj] = true
			}
		}
		return true
	})
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.LabeledStmt:
			if !u.labels[n.Label.Name] {
				u.edits = append(u.edits, edit{n.Pos(), n.Colon + 1, ""})
			}
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
				u.assign(n)
			}
		case *ast.DeclStmt:
			if d := n.Decl.(*ast.GenDecl); d.Tok == token.VAR && len(d.Specs) == 1 {
				u.declare(n, d.Specs[0].(*ast.ValueSpec))
			}
		case *ast.RangeStmt:
			u.loop(n)
		}
		return true
	})
}

// goes reports whether e is a local variable that nothing uses.
func (u *unused) goes(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok || id.Name == "_" || id.Obj == nil || id.Obj.Kind != ast.Var || u.used[id.Obj] {
		return false
	}
	return u.body.Pos() < id.Obj.Pos() && id.Obj.Pos() < u.body.End()
}

func (u *unused) assign(s *ast.AssignStmt) {
	left, any := 0, false
	for _, l := range s.Lhs {
		if u.goes(l) {
			any = true
		} else if id, ok := l.(*ast.Ident); !ok || id.Name != "_" {
			left++
		}
	}
	if !any {
		return
	}
	if left == 0 && !slices.ContainsFunc(s.Rhs, func(e ast.Expr) bool { return mayFail(u.source(e)) }) {
		u.edits = append(u.edits, edit{s.Pos(), s.End(), ""})
		return
	}
	for _, l := range s.Lhs {
		if u.goes(l) {
			u.edits = append(u.edits, edit{l.Pos(), l.End(), "_"})
		}
	}
	if left == 0 && s.Tok == token.DEFINE {
		u.edits = append(u.edits, edit{s.TokPos, s.TokPos + token.Pos(len(":=")), "="})
	}
}

func (u *unused) loop(s *ast.RangeStmt) {
	if s.Tok != token.DEFINE || s.Key == nil {
		return
	}
	blank := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return e == nil || ok && id.Name == "_" || u.goes(e)
	}
	if blank(s.Key) && blank(s.Value) {
		u.edits = append(u.edits, edit{s.Key.Pos(), s.TokPos + token.Pos(len(":=")), ""})
		return
	}
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if u.goes(e) {
			u.edits = append(u.edits, edit{e.Pos(), e.End(), "_"})
		}
	}
}

// declare removes s, the declaration of one spec, if nothing uses its variables.
func (u *unused) declare(s *ast.DeclStmt, spec *ast.ValueSpec) {
	for _, id := range spec.Names {
		if !u.goes(id) {
			return
		}
	}
	by := ""
	for _, e := range spec.Values {
		if mayFail(u.source(e)) {
			by += "_ = " + u.source(e) + "\n"
		}
	}
	u.edits = append(u.edits, edit{s.Pos(), s.End(), by})
}

func (u *unused) source(n ast.Node) string { return u.text[n.Pos()-1 : n.End()-1] }

// apply returns the text with the edits. An edit inside an earlier one is skipped.
func (u *unused) apply() string {
	slices.SortFunc(u.edits, func(a, b edit) int { return int(a.from - b.from) })
	var out strings.Builder
	last := token.Pos(1)
	for _, e := range u.edits {
		if e.from < last {
			continue // inside a removed part
		}
		out.WriteString(u.text[last-1 : e.from-1])
		out.WriteString(e.by)
		last = e.to
	}
	out.WriteString(u.text[last-1:])
	return out.String()
}
