package loopasm

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// Rewrite returns Go code of funcs with calls before the loops that have been put into assembly, and how many loops
// have. prefix begins the names of what is called.
func (f *File) Rewrite(text, prefix string) (by string, rewritten int) {
	const head = "package p\n"
	file, err := parser.ParseFile(token.NewFileSet(), "", head+text, parser.SkipObjectResolution)
	if err != nil {
		return text, 0 // whoever formats it says why
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
			w := &rewriter{File: f, prefix: prefix, loops: &loops, names: names, scope: scope{fn, l, f.vec, source}}
			if text, ok := w.calls(l, map[string]bool{}); ok {
				edits = append(edits, edit{int(l.Pos()) - 1 - len(head), text})
			}
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.at - a.at })
	for _, e := range edits {
		text = text[:e.at] + e.by + text[e.at:]
	}
	return text, len(edits)
}

// A rewriter puts a loop into assembly.
type rewriter struct {
	*File
	prefix string
	loops  *int // how many there are
	names  map[string]bool
	scope  scope
}

// mostConditions is for how many conditions that are the same in all rounds a loop has a form for either case.
const mostConditions = 2

// calls prints what calls the forms of a loop under the conditions in assume, and under either case of others.
func (w *rewriter) calls(l *ast.ForStmt, assume map[string]bool) (text string, ok bool) {
	p, ask, why := build(l, w.scope, assume)
	if ask != "" {
		if len(assume) == mostConditions {
			return "", false
		}
		yes, no := maps.Clone(assume), maps.Clone(assume)
		yes[ask], no[ask] = true, false
		one, ok1 := w.calls(l, yes)
		other, ok2 := w.calls(l, no)
		switch {
		case ok1 && ok2:
			return fmt.Sprintf("if %s {\n%s} else {\n%s}\n", ask, one, other), true
		case ok1:
			return fmt.Sprintf("if %s {\n%s}\n", ask, one), true
		case ok2:
			return fmt.Sprintf("if !(%s) {\n%s}\n", ask, other), true
		}
		return "", false
	}
	if p != nil && len(p.pointers) > len(pointerRegisters) {
		p, why = nil, "too many pointers"
	}
	if p == nil {
		w.refuse(why)
		return "", false
	}
	c := p.allocate(w.registers, w.choose)
	if c == nil {
		w.refuse("too many values")
		return "", false
	}
	*w.loops++
	return w.call(w.print(fmt.Sprintf("%sLoop%d", w.prefix, *w.loops), p, c), p, c, w.names), true
}

// innermost returns the loops in which there are no others, nor funcs.
func innermost(body ast.Node) []*ast.ForStmt {
	var list []*ast.ForStmt
	labelled := map[ast.Stmt]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok {
			labelled[l.Stmt] = true
		}
		l, ok := n.(*ast.ForStmt)
		if !ok {
			return true
		}
		if labelled[l] {
			return true // the label would be that of the call
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
	// A difference that overflows is negative where the counter is below the limit.
	fmt.Fprintf(&w, "for %s := %s; %s < %s && %s >= %d; %s = %s {\n", rounds, many, p.counter, p.limit, rounds, least, rounds, many)
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
	fmt.Fprintf(&w, "%s += %s * %d\n}\n", p.counter, rounds, p.step)
	return w.String()
}
