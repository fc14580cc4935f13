package loopasm

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// Rewrite returns Go code of funcs with calls before the loops that have been put into assembly. prefix begins the
// names of what is called.
func (f *File) Rewrite(text, prefix string) string {
	const head = "package p\n"
	file, err := parser.ParseFile(token.NewFileSet(), "", head+text, parser.SkipObjectResolution)
	if err != nil {
		return text // whoever formats it says why
	}
	source := func(n ast.Node) string { return (head + text)[n.Pos()-1 : n.End()-1] }
	type edit struct {
		at int
		by string
	}
	var edits []edit
	loops := 0
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		names := namesIn(fn)
		for _, l := range innermost(fn.Body) {
			p, why := build(l, source, f.vec)
			_ = why
			if p == nil || len(p.pointers) > len(pointerRegisters) {
				continue
			}
			c := p.allocate()
			if c == nil {
				continue
			}
			loops++
			call := f.call(f.print(fmt.Sprintf("%sLoop%d", prefix, loops), p, c), p, c, names)
			edits = append(edits, edit{int(l.Pos()) - 1 - len(head), call})
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.at - a.at })
	for _, e := range edits {
		text = text[:e.at] + e.by + text[e.at:]
	}
	return text
}

// innermost returns the loops in which there are no others, nor funcs.
func innermost(body ast.Node) []*ast.ForStmt {
	var list []*ast.ForStmt
	ast.Inspect(body, func(n ast.Node) bool {
		l, ok := n.(*ast.ForStmt)
		if !ok {
			return true
		}
		inner := false
		ast.Inspect(l.Body, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
				inner = true
			}
			return !inner
		})
		if !inner {
			list = append(list, l)
		}
		return true
	})
	return list
}

// namesIn returns the names that occur in n.
func namesIn(n ast.Node) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if x, ok := n.(*ast.Ident); ok {
			names[x.Name] = true
		}
		return true
	})
	return names
}

// mostRounds is how many rounds a call does at most: Go can't stop a goroutine in assembly, which it has to for the garbage collector.
const mostRounds = 1 << 14

// call prints the loop that calls a func, to be put before the loop in Go.
func (f *File) call(out printed, p *program, c *code, names map[string]bool) string {
	free := func(name string) string {
		for names[name] {
			name += "_"
		}
		return name
	}
	rounds := free("rounds")
	var w strings.Builder
	// A call takes about as long as a hundred instructions do, and some for each vector that it is given.
	n := len(out.slots) + len(p.carried)
	least := max(4, (100+20*n)/len(c.body))
	many := fmt.Sprintf("min(%s, %d)", p.rounds, mostRounds)
	fmt.Fprintf(&w, "for %s := %s; %s >= %d; %s = %s {\n", rounds, many, rounds, least, rounds, many)
	args := []string{rounds}
	// Each vector has a variable of its own. An array would be cleared first, and a struct copied, both with SSE instructions.
	var slots []string
	for _, v := range out.slots {
		slots = append(slots, v.name)
	}
	for _, v := range p.carried {
		slots = append(slots, v.name)
	}
	for k, v := range slots {
		slots[k] = free(fmt.Sprintf("slot%d", k))
		fmt.Fprintf(&w, "%s := %s\n", slots[k], v)
		args = append(args, fmt.Sprintf("%s.AddressOf(&%s)", f.vec, slots[k]))
	}
	for _, q := range p.pointers {
		args = append(args, fmt.Sprintf("%s.AddressOf(%s)", f.vec, q.name))
	}
	for _, q := range p.pointers {
		if q.by != "" {
			args = append(args, q.by)
		}
	}
	fmt.Fprintf(&w, "%s(%s)\n", out.name, strings.Join(args, ", "))
	for k, v := range p.carried {
		fmt.Fprintf(&w, "%s = %s\n", v.name, slots[len(out.slots)+k])
	}
	for _, q := range p.pointers {
		by := q.by
		if by == "" {
			by = fmt.Sprint(q.step)
		}
		if by != "0" {
			fmt.Fprintf(&w, "%s = %s.Step(%s, %s*(%s))\n", q.name, f.vec, q.name, rounds, by)
		}
	}
	fmt.Fprintf(&w, "%s\n}\n", regexp.MustCompile(`\brounds\b`).ReplaceAllString(p.bump, rounds))
	return w.String()
}
