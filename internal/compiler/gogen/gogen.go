// Package gogen generates Go from nests, for machines without the vector instructions of package
// asm. Vectors have one lane: a part of a nest is one thread. Several threads are jammed into
// loops, which gives the processor independent chains of operations.
//
// All indices of a nest have been checked before it is entered, so elements are accessed without
// bounds checks. A pointer is kept as the beginning of its slice and a distance in bytes, which are
// added only at an access, so that it never points outside the slice.
package gogen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// errMissing reports that an operation has no form in Go.
var errMissing = errors.New("an operation that plain Go has no form for")

// mostRounds is the largest number of iterations of divergent loops per call.
const mostRounds = 1 << 20

// Func returns a func for a row. Its argument is a struct of type args as for assembly: the first
// field, many, is the number of threads of the row, and the field at offset n is called "a"
// followed by n. A strip executes the first of forms that fits; the last form is for one thread. If
// fails is set, the func returns the number of finished threads. The code uses the packages math
// and unsafe, under these names. For a plane whose threads have no loops, the loop over rows is the
// outer one, since the threads of a row access adjacent memory.
func Func(name, args string, plane, fails bool, forms ...*lir.Nest) (string, error) {
	p := &printer{out: &strings.Builder{}}
	result := ""
	if fails {
		result = " int"
	}
	for _, n := range forms {
		simplify(n)
		if n.Fails() && !fails {
			return "", errMissing
		}
	}
	last := forms[len(forms)-1]
	p.line("func %s(a *%s)%s {", name, args, result)
	p.line("many, at := a.many, 0")
	if slices.ContainsFunc(forms, func(n *lir.Nest) bool { return lir.HasWhile(n.Body) }) {
		p.line("budget := %d", mostRounds)
	}
	if plane && len(forms) <= 2 && rowsOf(last) != nil && rowsOf(forms[0]) != nil {
		if err := p.rows(forms); err != nil {
			return "", err
		}
	} else if err := p.strips(forms); err != nil {
		return "", err
	}
	if fails {
		p.line("return at")
	}
	p.line("}")
	return p.out.String(), nil
}

// strips prints the loops over the strips of a row, one per form. If a form is for threads inside
// an interval, other forms may run before and behind it.
func (p *printer) strips(forms []*lir.Nest) error {
	inside := slices.ContainsFunc(forms, func(n *lir.Nest) bool { return n.Inside != [2]int{} })
	last := forms[len(forms)-1]
	if err := p.begin(last, 0); err != nil {
		return err
	}
	if !last.Fails() {
		if from := p.within(p.hull(last, nil)); from != "0" {
			p.line("at = %s", from)
		}
	}
	if inside {
		p.line("for at < many {")
	} else {
		long := last.Clone()
		long.Body = checkedFirst(long.Body)
		if err := p.begin(long, 0); err != nil {
			return err
		}
		if err := p.expanded(long, len(forms) == 1); err != nil {
			return err
		}
	}
	for i, n := range forms {
		if err := p.begin(n, 0); err != nil {
			return err
		}
		p.line("{")
		p.constants()
		switch {
		case n.Inside != [2]int{}:
			p.line("for ; at >= a.a%d && at <= a.a%d-%d; at += %d {", n.Inside[0], n.Inside[1], n.Parts, n.Parts)
		case inside && i == len(forms)-1:
			p.line("if at < many {")
		default:
			p.line("for ; at <= many-%d; at += %d {", n.Parts, n.Parts)
		}
		for g := range n.Groups {
			p.pointer(g, fmt.Sprintf("a.a%d", n.Groups[g].Off))
		}
		p.strides(n.Body)
		if err := p.block(p.top, n.Body); err != nil {
			return err
		}
		if inside && i == len(forms)-1 {
			p.line("at++")
		}
		p.line("}\n}")
	}
	if inside {
		p.line("}")
	}
	return nil
}

// rows prints the loop over the rows of a plane, around the loops over strips. With two forms, the
// first is for whole strips, perhaps of threads inside an interval.
func (p *printer) rows(forms []*lir.Nest) error {
	p.line("{")
	for i, n := range forms {
		if err := p.begin(n, i); err != nil {
			return err
		}
		p.constants()
		for g, of := range n.Groups {
			if p.differ[g] || p.same[g] {
				p.line("b%d%s := a.a%d", g, p.mark, of.Off)
			}
		}
	}
	first, last := forms[0], forms[len(forms)-1]
	inside := first.Inside != [2]int{}
	if inside {
		p.line("begin, end := a.a%d, a.a%d", first.Inside[0], first.Inside[1])
	}
	trips := rowsOf(first).Trips
	p.line("for r, n := 0, %s; r < n; r++ {", p.scalar(trips))
	var printers []*printer
	for i, n := range forms {
		if err := p.begin(n, i); err != nil {
			return err
		}
		p.round[rowsOf(n)] = "r"
		if err := p.common(rowsOf(n)); err != nil {
			return err
		}
		q := *p
		printers = append(printers, &q)
	}
	from := p.within(printers[len(printers)-1].hull(last, rowsOf(last)))
	p.line("at = %s", from)
	if inside {
		p.line("for at < many {")
	}
	for i, n := range forms {
		q, rows := printers[i], rowsOf(n)
		switch {
		case n == first && inside:
			q.line("for ; at >= begin && at <= end-%d; at += %d {", n.Parts, n.Parts)
		case n == last && inside:
			q.line("if at < many {")
		default:
			q.line("for ; at <= many-%d; at += %d {", n.Parts, n.Parts)
		}
		for g := range n.Groups {
			q.pointer(g, fmt.Sprintf("b%d%s", g, q.mark))
		}
		q.strides(n.Body)
		if err := q.block(q.top, n.Body[:len(n.Body)-1]); err != nil {
			return err
		}
		if err := q.block(q.rounds[rows], rows.Body); err != nil {
			return err
		}
		if n == last && inside {
			q.line("at++")
		}
		q.line("}")
	}
	if inside {
		p.line("}")
	}
	for _, q := range printers {
		for _, s := range rowsOf(q.n).Steps {
			if q.differ[s.Group] || q.same[s.Group] {
				q.line("b%d%s += %s", s.Group, q.mark, step(s))
			}
		}
	}
	p.line("}\n}")
	return nil
}

// common prints the values that are the same for all threads of a row: they may be loaded once,
// before the threads store anything.
func (p *printer) common(rows *lir.Loop) error {
	known := map[lir.Value]bool{}
	for i := range p.before {
		known[i.Dst] = true
	}
	p.conds = map[string]string{}
	for _, x := range rows.Body {
		if w, ok := x.(*lir.When); ok {
			for _, c := range w.Conds {
				cond := p.scalar(c) + " > 0"
				if _, known := p.conds[cond]; !known {
					name := fmt.Sprintf("c%d%s", len(p.conds), p.mark)
					p.conds[cond] = name
					p.line("%s := %s", name, cond)
				}
			}
		}
	}
	begun := map[int]bool{}
	for _, x := range rows.Body {
		i, ok := x.(*lir.Instr)
		if !ok || i.Dst == 0 {
			break
		}
		same := p.often[i.Dst] == 1 && p.declares(i) && i.On == 0 && (i.Op == lir.Broadcast || i.Op == lir.Whole || !i.InMemory() && i.Op != lir.Within && i.Op != lir.Index)
		for _, v := range i.Uses() {
			same = same && known[v]
		}
		if !same {
			continue
		}
		known[i.Dst] = true
		if i.Op == lir.Broadcast && !begun[i.Mem.Group] {
			begun[i.Mem.Group] = true
			p.line("u%d%s := b%d%s", i.Mem.Group, p.mark, i.Mem.Group, p.mark)
		}
		if err := p.instr(i); err != nil {
			return err
		}
		p.before[i] = true
	}
	return nil
}

type printer struct {
	out  *strings.Builder
	n    *lir.Nest
	mark string // a suffix of names that other forms use as well

	variables
	before map[*lir.Instr]bool // instructions that run before all strips
	zero   map[lir.Value]bool  // offsets of the first lane, which are 0
	round  map[*lir.Loop]string
	conds  map[string]string // the names of conditions that are the same for a whole row

	// the pointers with accesses that differ between threads, and those with accesses that don't
	differ, same map[int]bool
	long         *expansion // nil without scalar expansion
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(p.out, format+"\n", args...) }

// begin makes n, the i-th form, the current nest.
func (p *printer) begin(n *lir.Nest, i int) error {
	if n.Tiles > 0 || n.Masked || slices.ContainsFunc(n.Groups, func(g lir.Group) bool { return g.Row != nil }) {
		return errMissing
	}
	p.conds = nil
	p.n, p.variables, p.mark = n, variablesOf(n), strings.Repeat("_", i)
	p.before, p.zero, p.round = map[*lir.Instr]bool{}, map[lir.Value]bool{}, map[*lir.Loop]string{}
	p.differ, p.same = map[int]bool{}, map[int]bool{}
	inFrame := false
	lir.Walk(n.Body, func(i *lir.Instr) {
		switch {
		case !i.InMemory():
		case sharesPointer(i):
			p.same[i.Mem.Group] = true
		default:
			p.differ[i.Mem.Group] = true
		}
		inFrame = inFrame || i.InMemory() && n.Groups[i.Mem.Group].Frame
	})
	if inFrame {
		return errMissing
	}
	counted := lir.Counted(n.Body)
	var name func(list []lir.Node)
	name = func(list []lir.Node) {
		for _, x := range list {
			switch x := x.(type) {
			case *lir.Loop:
				if counted[x] {
					p.round[x] = fmt.Sprintf("r%d", len(p.round))
				}
				name(x.Head)
				name(x.Body)
			case *lir.When:
				name(x.Then)
				name(x.Else)
			}
		}
	}
	name(n.Body)
	for _, x := range n.Body {
		i, ok := x.(*lir.Instr)
		if ok && (i.Op == lir.Const || i.Op == lir.Arg || i.Op == lir.Strides) && p.often[i.Dst] == 1 {
			p.before[i] = true
			p.zero[i.Dst] = i.Op == lir.Strides
		}
	}
	return nil
}

// constants prints the beginnings of slices, and the values that are the same for all strips.
func (p *printer) constants() {
	for i, g := range p.n.Groups {
		if p.differ[i] || p.same[i] {
			p.line("p%d%s := unsafe.Pointer(unsafe.SliceData(a.a%d))", i, p.mark, g.Base)
		}
	}
	for _, x := range p.n.Body {
		if i, ok := x.(*lir.Instr); ok && p.before[i] && !p.zero[i.Dst] && p.uses[i.Dst] > 0 {
			text, _ := p.value(i) // constants and arguments always have one
			p.line("%s := %s", p.name(i.Dst), text)
		}
	}
}

// strides prints the offsets of threads, from the first thread of the row, for the elements in list
// that are not neighbours.
func (p *printer) strides(list []lir.Node) {
	seen := map[string]bool{}
	lir.Walk(list, func(i *lir.Instr) {
		if !i.Indexed() || !p.isDone(i) {
			return
		}
		if t := p.stride(i.Mem); !seen[t] {
			seen[t] = true
			p.line("%s := (at+%d)*a.a%d", t, i.Mem.Part, i.Mem.Stride)
		}
	})
}

func (p *printer) stride(m lir.Mem) string { return fmt.Sprintf("s%d_%d%s", m.Stride, m.Part, p.mark) }

// pointer prints the distances of a pointer in a strip. from is the distance for the first thread
// of the row.
func (p *printer) pointer(group int, from string) {
	differ, same := false, false
	lir.Walk(p.n.Body, func(i *lir.Instr) {
		if i.InMemory() && i.Mem.Group == group && !p.before[i] && (i.Dst == 0 || p.uses[i.Dst] > 0) {
			differ, same = differ || !sharesPointer(i), same || sharesPointer(i)
		}
	})
	if differ {
		p.line("o%d%s := %s + at*%d", group, p.mark, from, p.n.Groups[group].Size)
	}
	if same {
		p.line("u%d%s := %s", group, p.mark, from)
	}
}

// rowsOf returns the loop over the rows of a plane if it can be interchanged with the loop over
// threads.
func rowsOf(n *lir.Nest) *lir.Loop {
	if len(n.Body) == 0 || n.Tiles > 0 {
		return nil
	}
	last := len(n.Body) - 1
	rows, ok := n.Body[last].(*lir.Loop)
	if !ok || len(rows.While) > 0 || len(rows.Trips.Terms) > 0 || hasLoop(rows.Body) || n.Fails() {
		return nil
	}
	for _, x := range n.Body[:last] {
		if i, ok := x.(*lir.Instr); !ok || i.InMemory() || i.Dst == 0 {
			return nil
		}
	}
	return rows
}

// hasLoop reports whether there is a loop in list.
func hasLoop(list []lir.Node) bool {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Loop:
			return true
		case *lir.When:
			if hasLoop(x.Then) || hasLoop(x.Else) {
				return true
			}
		}
	}
	return false
}

// step is the advance of a pointer in bytes.
func step(s lir.Step) string {
	if s.Off >= 0 {
		return fmt.Sprintf("a.a%d", s.Off)
	}
	return fmt.Sprint(s.Const)
}

// head prints the beginning of a counted loop.
func (p *printer) head(l *lir.Loop) {
	if counter := p.round[l]; counter != "" {
		p.line("for %s, n := 0, %s; %s < n; %s++ {", counter, p.scalar(l.Trips), counter, counter)
	} else {
		p.line("for n := %s; n > 0; n-- {", p.scalar(l.Trips))
	}
}

// sharesPointer reports whether the pointer of i is the same for all strips.
func sharesPointer(i *lir.Instr) bool {
	return i.Mem.Uniform || i.Indexed()
}

// block prints the statements of a scope, or a part of them.
func (p *printer) block(s *scope, list []lir.Node) error {
	if p.long != nil && !p.long.inside {
		return p.together(s, list)
	}
	for v := lir.Value(1); int(v) < len(p.n.Kinds); v++ {
		if p.long != nil && (p.long.array[v] || p.long.common[v] || p.long.segment[v] != p.long.printed) {
			continue
		}
		if p.in[v] == s && !p.declared[v] && p.uses[v] > 0 && p.first[v] != nil && !p.before[p.first[v]] && !p.declares(p.first[v]) {
			p.line("var %s %s", p.name(v), typeOf(p.n.Kinds[v]))
			p.declared[v] = true
		}
	}
	for _, x := range list {
		var err error
		switch x := x.(type) {
		case *lir.Instr:
			err = p.instr(x)
		case *lir.Loop:
			err = p.loop(x)
		case *lir.When:
			err = p.when(x)
		}
		if err != nil {
			return fmt.Errorf("%v: %w", x, err)
		}
	}
	return nil
}

// agreed returns the uniform conditions of a branch.
func (p *printer) agreed(x *lir.When) (conds []string) {
	for _, c := range x.Conds {
		cond := p.scalar(c) + " > 0"
		if name, known := p.conds[cond]; known {
			cond = name
		}
		conds = append(conds, cond)
	}
	return conds
}

func (p *printer) when(x *lir.When) error {
	conds := p.agreed(x)
	if len(x.Any) > 0 {
		any := p.any(x.Any)
		if len(x.Any) > 1 && len(conds) > 0 {
			any = "(" + any + ")"
		}
		conds = append(conds, any)
	}
	p.line("if %s {", strings.Join(conds, " && "))
	if err := p.block(p.then[x], x.Then); err != nil {
		return err
	}
	if len(x.Else) > 0 {
		p.line("} else {")
		if err := p.block(p.otherwise[x], x.Else); err != nil {
			return err
		}
	}
	p.line("}")
	return nil
}

// any is an expression that is true if one of the masks is on.
func (p *printer) any(masks []lir.Value) string {
	var names []string
	for _, m := range masks {
		names = append(names, p.name(m))
	}
	return strings.Join(names, " || ")
}

func (p *printer) loop(l *lir.Loop) error {
	p.line("{")
	defer p.line("}")
	// The loop shadows its pointers, so that they keep their values behind it.
	moves := map[string]string{}
	var order []string
	for _, s := range l.Steps {
		for _, pointer := range p.pointers(l, s.Group) {
			moves[pointer] = step(s)
			order = append(order, pointer)
			p.line("%s := %s", pointer, pointer)
		}
	}
	counter := p.round[l]
	switch {
	case len(l.While) > 0 && counter != "":
		p.line("for %s := 0; ; %s++ {", counter, counter)
	case len(l.While) > 0:
		p.line("for {")
	default:
		p.head(l)
	}
	inner := p.rounds[l]
	if len(l.While) > 0 {
		for _, c := range l.Conds {
			p.line("if %s <= 0 {\nbreak\n}", p.scalar(c))
		}
		if err := p.block(inner, l.Head); err != nil {
			return err
		}
		if len(l.While) == 1 {
			p.line("if !%s {\nbreak\n}", p.name(l.While[0]))
		} else {
			p.line("if !(%s) {\nbreak\n}", p.any(l.While))
		}
	}
	if err := p.block(inner, l.Body); err != nil {
		return err
	}
	for _, pointer := range order {
		p.line("%s += %s", pointer, moves[pointer])
	}
	if len(l.While) > 0 {
		p.line("if budget--; budget == 0 {\nreturn at\n}")
	}
	p.line("}")
	return nil
}

// pointers returns the variables of a pointer that a loop uses.
func (p *printer) pointers(l *lir.Loop, group int) []string {
	differ, same := false, false
	for _, list := range [][]lir.Node{l.Head, l.Body} {
		lir.Walk(list, func(i *lir.Instr) {
			if i.InMemory() && i.Mem.Group == group {
				differ = differ || !sharesPointer(i)
				same = same || sharesPointer(i)
			}
		})
	}
	var names []string
	if differ {
		names = append(names, fmt.Sprintf("o%d%s", group, p.mark))
	}
	if same {
		names = append(names, fmt.Sprintf("u%d%s", group, p.mark))
	}
	return names
}

// scalar is a uniform integer as an expression.
func (p *printer) scalar(s lir.Scalar) string {
	if s.Strip != 0 {
		panic("threads side by side have no strip")
	}
	text := fmt.Sprintf("a.a%d", s.Off)
	for _, t := range s.Terms {
		factor := fmt.Sprint(t.Const)
		if t.Off >= 0 {
			factor = fmt.Sprintf("a.a%d", t.Off)
		}
		text += fmt.Sprintf(" + %s*%s", p.round[t.Loop], factor)
	}
	if len(s.Terms) > 0 {
		return "(" + text + ")"
	}
	return text
}
