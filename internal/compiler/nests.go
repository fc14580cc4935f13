package compiler

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Nests in generated code. The plain form of a region calls a func in assembly for each row of threads if the machine has vectors and all
// indices of the row are in range; otherwise the row is plain Go.

// nestFiles collects what the kernels of a package have in assembly.
type nestFiles struct {
	asm   asm.File
	types []string // of arguments, for all machines
	funcs []string // names
	wide  []bool   // whether they need AVX-512
}

// A nested is a region that has a nest.
type nested struct {
	name  string
	row   *row
	why   string // it has none
	wide  bool   // it needs AVX-512
	loops bool
	work  string // Go for how many rounds of loops a thread goes
}

// nestParts are how many vectors go through a nest together, the best first.
var nestParts = []int{4, 2, 1}

// nestOf makes the nest of a region, if there is one.
func (b *body) nestOf(r *region) *nested {
	if n, known := b.nested[r]; known {
		return n
	}
	n := b.makeNest(r)
	if b.nested == nil {
		b.nested = map[*region]*nested{}
	}
	b.nested[r] = n
	if n != nil {
		if b.k.rows == nil {
			b.k.rows = map[*region]string{}
		}
		b.k.rows[r] = n.why
	}
	return n
}

func (b *body) makeNest(r *region) *nested {
	if b.nests == nil || slices.Contains(b.k.words, "novectors") || b.width > 0 || b.k.TypeParams != nil || len(r.stmts) == 0 || b.isAsk(r) || b.split || b.k.tracked || len(r.exits) > 0 {
		return nil
	}
	stmts := r.stmts
	if r.bound != nil {
		_, rest := splitGuards(r.bound.Cond)
		stmts = r.bound.Then
		if len(rest) > 0 {
			stmts = []Stmt{&If{Cond: conjunction(rest), Then: stmts, Pos: r.bound.Pos}}
		}
	}
	u := useOf(r.stmts)
	for _, v := range b.k.Vars {
		if v.common && u.written[v] {
			return nil
		}
	}
	var last *nested
	for _, size := range []int{4, 8} {
		n := b.nestWith(stmts, size)
		if n.why == "" {
			return n
		}
		if last == nil || strings.HasPrefix(last.why, "values of ") {
			last = n
		}
	}
	return last
}

func (b *body) nestWith(stmts []Stmt, size int) *nested {
	taken := map[string]bool{}
	rw := &row{atoms: map[string]int{}, name: func(what string) string { return uniqueName(taken, what) }}
	for n := range b.names {
		taken[n] = true
	}
	n := &nested{row: rw, loops: hasLoop(stmts)}
	n.name = b.nestName()
	var f asm.File
	for _, m := range []*asm.Machine{asm.AVX512, asm.AVX2} {
		done := false
		for _, late := range []bool{false, true} {
			for _, parts := range nestParts {
				if done {
					break
				}
				var fast, tail *lir.Nest
				var err error
				if fast, err = b.lower(rw, stmts, size, parts, false, late); err == nil {
					tail, err = b.lower(rw, stmts, size, 1, true, late)
				}
				if err != nil {
					n.why = err.Error()
					return n
				}
				fast.Name, tail.Name = n.name, n.name
				n.work = rw.work(tail.Body)
				if err = f.Func(n.name+m.Name, m, fast, tail); err == nil {
					done = true
				} else {
					n.why = err.Error()
				}
			}
		}
		if !done && m == asm.AVX2 {
			n.wide = true
		} else if !done {
			return n
		}
	}
	n.why = ""
	b.nests.asm.Add(&f)
	b.nests.funcs = append(b.nests.funcs, n.name)
	b.nests.wide = append(b.nests.wide, n.wide)
	var fields strings.Builder
	for _, a := range rw.args {
		name := fmt.Sprintf("a%d", a.off)
		switch a.typ {
		case "float32", "int32", "uint32":
			fmt.Fprintf(&fields, "%s [2]%s\n", name, a.typ)
		default:
			fmt.Fprintf(&fields, "%s %s\n", name, a.typ)
		}
	}
	b.nests.types = append(b.nests.types, fmt.Sprintf("// %sArgs has what %s needs to know of a row.\ntype %sArgs struct {\nmany int\n%s}\n", n.name, n.name, n.name, fields.String()))
	return n
}

// work is Go for how many rounds of its loops list goes, at most, as a float64, which does not wrap around.
func (r *row) work(list []lir.Node) string {
	text := "1"
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Loop:
			i := slices.IndexFunc(r.args, func(a argument) bool { return a.off == x.Trips })
			text += fmt.Sprintf(" + float64(max(%s, 0))*(%s)", r.args[i].text, r.work(x.Body))
		case *lir.When:
			for _, l := range [][]lir.Node{x.Then, x.Else} {
				if w := r.work(l); w != "1" {
					text += " + " + w
				}
			}
		}
	}
	return text
}

// nestName returns a name that the package does not have yet.
func (b *body) nestName() string {
	for i := 1; ; i++ {
		name := fmt.Sprintf("%sNest%d", ascii(b.k.Name), i)
		free := true
		for _, n := range b.nests.funcs {
			free = free && n != name
		}
		if free && b.root.types.Scope().Lookup(name) == nil {
			return name
		}
	}
}

// hasNests is the name of what says whether the machine has vectors, for the package.
const (
	hasNests = "gocudaHasVectors"
	hasWide  = "gocudaHasAVX512"
)

// fewestThreads is how many threads a row must have for a call, with loops and without: to fill in the arguments takes as long as some
// threads do.
func (n *nested) fewestThreads() int {
	if n.loops {
		return 4
	}
	return 16
}

// nestCall prints the call for a row whose threads are from lo on and below hi.
func (b *body) nestCall(n *nested, lo, hi string) string {
	r := n.row
	place := func(text string) string {
		return strings.NewReplacer("‹lo›", lo, "‹hi›", hi, "‹many›", "many").Replace(text)
	}
	var out strings.Builder
	many := hi
	if lo != "0" {
		many = hi + " - " + lo
	}
	fmt.Fprintf(&out, "if many := %s; %s && p.Vectors && many >= %d {\n", many, map[bool]string{false: hasNests, true: hasWide}[n.wide], n.fewestThreads())
	for i := 0; i+1 < len(r.locals); i += 2 {
		fmt.Fprintf(&out, "%s := %s\n", r.locals[i], place(r.locals[i+1]))
	}
	var conds []string
	for _, t := range r.syms.texts {
		if bits := [...]int{0, 40, 28, 18}[r.atoms[t]]; bits > 0 {
			conds = append(conds, fmt.Sprintf("%s.Small(%s, %d)", b.core(), t, bits))
		}
	}
	for _, c := range r.checks {
		conds = append(conds, place(c))
	}
	work := ""
	if n.loops {
		work = r.name("work")
		fmt.Fprintf(&out, "%s := %s\n", work, n.work)
		conds = append(conds, fmt.Sprintf("%s <= %s.MostWork", work, b.core()))
	}
	if len(conds) > 0 {
		fmt.Fprintf(&out, "if %s {\n", joined(conds))
	}
	from := lo
	if n.loops {
		from = r.name("from")
	}
	var fields []string
	for _, a := range r.args {
		text := strings.NewReplacer("‹lo›", from, "‹many›", "many").Replace(a.text)
		switch a.typ {
		case "float32", "int32", "uint32":
			text = fmt.Sprintf("[2]%s{%s}", a.typ, text)
		}
		fields = append(fields, text)
	}
	call := fmt.Sprintf("%s(&%sArgs{many", n.name, n.name)
	for _, f := range fields {
		call += ", " + f
	}
	call += "})\n"
	if n.loops {
		step := r.name("step")
		call = fmt.Sprintf("%s := %s.Strip(%s)\nfor %s := %s; %s < %s; %s += %s {\np.Poll()\nmany := min(%s-%s, %s)\n%s}\n",
			step, b.core(), work, from, lo, from, hi, from, step, hi, from, step, call)
	}
	out.WriteString(call + "continue\n}\n")
	if len(conds) > 0 {
		out.WriteString("}\n")
	}
	return out.String()
}

// declarations is the Go file for amd64, without its head, or that for other machines.
func (f *nestFiles) declarations(core string, amd64 bool) string {
	var out strings.Builder
	if !amd64 {
		fmt.Fprintf(&out, "const %s, %s = false, false\n", hasNests, hasWide)
	} else {
		fmt.Fprintf(&out, "// %s is whether the machine has vectors that assembly here is for.\nvar %s = %s.VectorBytes() > 0\n\nvar gocudaHasAVX512 = %s.VectorBytes() == %d\n", hasNests, hasNests, core, core, asm.AVX512.Bytes)
	}
	for i, name := range f.funcs {
		if !amd64 {
			fmt.Fprintf(&out, "\nfunc %s(*%sArgs) {}\n", name, name)
			continue
		}
		if f.wide[i] {
			fmt.Fprintf(&out, "\nfunc %s(a *%sArgs) { %sAVX512(a) }\n\n//go:noescape\nfunc %sAVX512(a *%sArgs)\n", name, name, name, name, name)
			continue
		}
		fmt.Fprintf(&out, "\nfunc %s(a *%sArgs) {\nif gocudaHasAVX512 {\n%sAVX512(a)\n} else {\n%sAVX2(a)\n}\n}\n", name, name, name, name)
		for _, m := range []*asm.Machine{asm.AVX512, asm.AVX2} {
			fmt.Fprintf(&out, "\n//go:noescape\nfunc %s%s(a *%sArgs)\n", name, m.Name, name)
		}
	}
	return out.String()
}

// nestFiles returns the files with the assembly of a package, or that there are none.
func (p *program) nestFiles(q *pkg, f *nestFiles) ([]File, error) {
	if f == nil || len(f.funcs) == 0 {
		return []File{q.without(nestSuffix), q.without(nestAsmSuffix), q.without(noNestSuffix)}, nil
	}
	var files []File
	for _, suffix := range []string{nestSuffix, noNestSuffix} {
		pr := p.newPrinter(q)
		constraint := ""
		if suffix == noNestSuffix {
			constraint = "//go:build !amd64\n\n"
		}
		pr.printf("%s", f.declarations(pr.core(), suffix == nestSuffix))
		data, err := pr.file(q.name+suffix, constraint)
		if err != nil {
			return nil, err
		}
		files = append(files, File{filepath.Join(q.dir, q.name+suffix), data})
	}
	text := generatedHead + "\n\n" + f.asm.String()
	return slices.Insert(files, 1, File{filepath.Join(q.dir, q.name+nestAsmSuffix), []byte(fromASCII(text))}), nil
}
