package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// Printing plain Go: for each kernel a func that does for a block what the kernel does for a thread.

// printerNames are the names that the printed code uses for its own purposes.
var printerNames = []string{
	"nth", "many", "from", "to", "b", "p", "blocks", "threads", "tx", "ty", "tz", "row", "rows", "rank", "state", "threads", "lo", "hi", "votes", "thread",
	"m", "lane", "on", "tx_2", "tx_3", "tx_4", "tx_5", "tx_6", "tx_7", "tx_8",
	"ty_2", "ty_3", "ty_4", "ty_5", "ty_6", "ty_7", "ty_8", "rank_2", "rank_3", "rank_4", "rank_5", "rank_6", "rank_7", "rank_8", "bits", "dimX", "dimY", "dimZ", "blockX", "blockY", "blockZ", "gridX", "gridY", "gridZ", "originX", "sizeX", "ranks", "atX", "t", "gocuda",
}

// A printer writes the code of one file.
type printer struct {
	prog    *program
	root    *pkg
	imports map[string]string // path to name
	names   map[string]bool   // that imports may not have
	out     strings.Builder
	line    token.Position // of the source, that the last //line named
}

// A body is a kernel being printed.
type body struct {
	*printer
	k      *Kernel
	names  map[string]bool
	used   map[string]bool // of printerNames
	array  map[*Var]string // of spread variables
	labels map[Stmt]string
	rejoin []string          // labels of the statements around in which threads may part
	within map[string]int    // how many of those there were around a labelled statement
	heads  []string          // lines at the head of the func
	tops   map[string]string // their vectors, by how they are made
	r      *region           // being printed
	outs   []*Var            // that are stored at the end of a thread's part
	born   map[*Var]bool     // of outs, those that the part itself declares, once it has
	own    map[*Var]bool     // those that it will
	copies map[*Var]string   // of variables of the block that it assigns, where the result goes
	atZero bool              // threadIdx.x is 0: bases of guards
	width  int               // of vectors in bytes; 0 for plain Go
	ends   bool              // what is printed is for the ends of rows in which all elements are in range
	vector int               // regions printed with vectors

	// Of a region that takes several vectors at a time: how many, which one is being printed, and the
	// axis along which they are neighbours.
	parts, part, axis int
	partNames         map[partKey]string
	stand             map[*Var]string    // texts that stand for variables
	vectors           map[*region]string // what became of regions
	view              *view              // of the loop under way
	run1              *run               // the loop of one thread under way
	sure              map[*Var]bool      // slices that have all elements that the loop of a thread under way uses
	sureAt            *Var               // that loop's variable
	common            map[*Index]string  // what the threads of a jammed statement read alike
	alone             bool               // each thread of a jammed statement has its own scope
	together          *rounding          // the loop under way, in rounds that all go
	now               *vector            // that is printing
	plane             *plane             // of the whole block under way
	flat              *flat              // the loop of the block under way, if it may be one row
	counters          []*Var             // of the block's loops around what is printed
	asked             *asked             // what the innermost of them asks before it begins
	around            *region            // that has been printed with all rounds of the loop around it
	firstRound        string             // the name of that loop's variable in its first round
	roundStep         string             // by what it grows

	split    bool     // in the form of a section for blocks that are not whole warps: it has no vectors
	of       *section // that is being printed as a whole
	fn       string   // the name of the func
	rows     int      // loops over rows that are funcs of their own
	outlined []string // their texts
}

// varies reports whether a value of shape s differs between the vectors that a region takes at a time.
func (b *body) varies(s shape) bool { return b.parts > 1 && s[b.axis] != 0 }

// name is the name of a variable, of the vector that is being printed.
func (b *body) name(v *Var) string {
	if b.part == 0 || !b.varies(v.Shape) {
		return v.Name
	}
	key := partKey{v, b.part}
	if b.partNames[key] == "" {
		b.partNames[key] = uniqueName(b.names, fmt.Sprintf("%s_%d", v.Name, b.part+1))
	}
	return b.partNames[key]
}

// A partKey is a variable of one of several vectors.
type partKey struct {
	v    *Var
	part int
}

// partName is the name of tx, ty or rank, of the vector that is being printed.
func (b *body) partName(name string) string {
	if b.part == 0 || name == "tx" && b.axis != 0 || name == "ty" && b.axis != 1 || name == "tz" {
		return name
	}
	return fmt.Sprintf("%s_%d", name, b.part+1)
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

// at makes the following lines count as the source at pos.
func (p *printer) at(pos token.Pos) {
	if !pos.IsValid() {
		return
	}
	q := p.prog.fset.Position(pos)
	if q.Filename == p.line.Filename && q.Line == p.line.Line {
		return
	}
	p.line = q
	p.printf("//line %s:%d\n", p.prog.shortFile(p.root, q.Filename), q.Line)
}

func (p *printer) qualifier(q *types.Package) string {
	if q == p.root.types || q.Path() == p.root.path {
		return own
	}
	return p.importName(q.Path(), q.Name())
}

func (p *printer) importName(path, name string) string {
	if n, ok := p.imports[path]; ok {
		return n
	}
	n := uniqueName(p.names, name)
	p.imports[path] = n
	return n
}

func (p *printer) typ(t types.Type) string { return types.TypeString(t, p.qualifier) }

// core is the name of package gocuda.
func (p *printer) core() string { return p.importName(corePath, "gocuda") }

// bodyName is the name of the func printed for k.
func bodyName(k *Kernel) string { return k.Name + "Body" }

// typeParams returns the type parameters of k as declared, and as arguments.
func (p *printer) typeParams(k *Kernel) (decl, args string) {
	if k.TypeParams.Len() == 0 {
		return "", ""
	}
	var ds, as []string
	for i := range k.TypeParams.Len() {
		tp := k.TypeParams.At(i)
		ds = append(ds, tp.Obj().Name()+" "+p.typ(tp.Constraint()))
		as = append(as, tp.Obj().Name())
	}
	return "[" + strings.Join(ds, ", ") + "]", "[" + strings.Join(as, ", ") + "]"
}

// params returns the parameters of k as declared, and as arguments.
func (p *printer) params(k *Kernel) (decl, args string, list []string) {
	var ds, as []string
	for i, v := range k.Params {
		t := p.typ(v.Type)
		if k.Variadic && i == len(k.Params)-1 {
			t = "..." + p.typ(v.Type.Underlying().(*types.Slice).Elem())
		}
		ds = append(ds, v.Name+" "+t)
		as = append(as, v.Name)
	}
	return strings.Join(ds, ", "), strings.Join(as, ", "), as
}

// body prints the func of a kernel.
func (p *printer) body(k *Kernel, name string, width int) (vectors map[*region]string, any bool) {
	b := &body{printer: p, k: k, fn: name, width: width, names: map[string]bool{}, used: map[string]bool{}, array: map[*Var]string{},
		labels: map[Stmt]string{}, copies: map[*Var]string{}, vectors: map[*region]string{}, tops: map[string]string{}, partNames: map[partKey]string{}}
	for _, v := range k.Vars {
		b.names[v.Name] = true
	}
	for _, n := range printerNames {
		b.names[n] = true
	}
	for n := range p.names {
		b.names[n] = true
	}
	for _, v := range k.Vars {
		if v.spread {
			b.array[v] = uniqueName(b.names, v.Name+"Of")
		}
	}
	saved := p.out
	p.out = strings.Builder{}
	p.line = token.Position{}
	b.nodes(k.nodes)
	text := p.out.String()
	p.out = saved

	decl, _ := p.typeParams(k)
	params, _, _ := p.params(k)
	if width > 0 {
		decl = ""
	}
	whole := p.out
	p.out = strings.Builder{}
	defer func() {
		text := b.unown(p.out.String())
		p.out = whole
		p.out.WriteString(text)
	}()
	with := ""
	if width > 0 {
		with = fmt.Sprintf(" with vectors of %d bytes", width)
	}
	p.printf("// %s is %s for a block%s: %s.\n", name, k.Name, with, plural(k.phases, "phase"))
	p.printf("func %s%s(b *%s.Block, p *%s.Phases", name, decl, p.core(), p.core())
	if params != "" {
		p.printf(", %s", params)
	}
	p.printf(") {\n")
	for _, of := range []struct{ name, field string }{{"dim", "BlockDim"}, {"grid", "GridDim"}} {
		for _, axis := range []string{"X", "Y", "Z"} {
			if b.used[of.name+axis] && !(k.wide && of.name+axis == "dimX") {
				p.printf("%s%s := b.%s.%s\n", of.name, axis, of.field, axis)
			}
		}
	}
	if b.used["sizeX"] {
		p.printf("sizeX := b.BlockDim.X\n")
	}
	if b.used["rows"] {
		p.printf("rows := b.BlockDim.Y * b.BlockDim.Z\n")
	}
	for _, v := range k.Vars {
		switch {
		case v.spread:
			p.printf("%s := %s.Local[%s](b)\n", b.array[v], p.core(), p.typ(v.Type))
		}
	}
	for _, h := range b.heads {
		if name, _, _ := strings.Cut(h, " "); containsWord(text, name) {
			p.printf("%s\n", h)
		}
	}
	if strings.Contains(text, "continue blocks\n") {
		p.printf("blocks:\n")
	}
	if k.wide {
		p.printf("for p.NextRow() {\n")
		if b.used["originX"] {
			p.printf("originX := b.BlockIdx.X * b.BlockDim.X\n")
		}
		if b.used["dimX"] {
			p.printf("dimX := p.Row\n")
		}
	} else {
		p.printf("for p.Next() {\n")
	}
	for _, axis := range []string{"X", "Y", "Z"} {
		if b.used["block"+axis] {
			p.printf("block%s := b.BlockIdx.%s\n", axis, axis)
		}
	}
	if k.tracked {
		p.printf("state := p.Track()\n")
		if !b.used["state"] {
			p.printf("_ = state\n")
		}
	}
	for _, v := range k.Vars {
		if v.common && !b.declared(v) {
			p.printf("var %s %s\n", v.Name, p.typ(v.Type))
		}
	}
	p.printf("%s}\n}\n\n", text)
	for _, f := range b.outlined {
		p.printf("%s", f)
	}
	return b.vectors, b.vector > 0
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// use notes that a name of the printer's is needed.
func (b *body) use(name string) string {
	b.used[name] = true
	return name
}

// declared reports whether the definition of a common variable is printed where it stands.
func (b *body) declared(v *Var) bool {
	found := false
	eachNode(b.k.nodes, func(n node) {
		switch n := n.(type) {
		case *once:
			for _, s := range n.stmts {
				if a, ok := s.(*Assign); ok && a.Def {
					for _, l := range a.L {
						if l != nil {
							if w, _ := assigned(l); w == v {
								found = true
							}
						}
					}
				}
			}
		case *alloc:
			found = found || n.s.Dst == v
		case *sync:
			found = found || n.s.Dst == v
		}
	})
	return found
}

// nodes prints the program of a block.
func (b *body) nodes(list []node) {
	for _, n := range list {
		switch n := n.(type) {
		case *region:
			b.region(n)
		case *once:
			b.once(n.stmts)
		case *sync:
			b.sync(n.s)
		case *section:
			b.section(n)
		case *meet:
			b.meet(n.s)
		case *alloc:
			b.at(n.s.Pos)
			if n.s.N == nil {
				b.printf("%s := %s.DynamicShared[%s](b)\n", n.s.Dst.Name, b.core(), b.typ(n.s.Elem))
			} else {
				b.printf("p.First()\n%s := %s.Shared[%s](b, %s)\np.Current = -1\n", n.s.Dst.Name, b.core(), b.typ(n.s.Elem), b.expr(n.s.N))
			}
			b.printf("_ = %s\n", n.s.Dst.Name)
		case *branch:
			b.branch(n)
		case *loop:
			b.loop(n)
		case *scope:
			l := b.label(n.s, "block")
			b.printf("%s:\nfor {\n", l)
			b.opens(l)
			parts := b.partsIn(n.body)
			if parts {
				b.rejoin = append(b.rejoin, l)
			}
			b.nodes(n.body)
			if parts {
				b.rejoin = b.rejoin[:len(b.rejoin)-1]
			}
			if !terminates(n.s.Body) {
				b.printf("break %s\n", l)
			}
			b.printf("}\n")
			if b.joins(n.body, n.id) {
				b.gone()
			}
		case *leave:
			b.leave(n.s)
		}
	}
}

// terminates reports whether control never reaches the end of list.
func terminates(list []Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *Exit, *Panic:
		return true
	case *If:
		return terminates(s.Then) && terminates(s.Else)
	case *For:
		return s.Cond == nil && !s.breaks
	}
	return false
}

// joins takes threads in again that have left a statement before others, if any may have.
func (b *body) joins(list []node, id int) bool {
	if b.partsIn(list) {
		b.printf("p.Join(%d)\n", id)
		return true
	}
	return false
}

// partsIn reports whether threads may leave the statement that list is in before others.
func (b *body) partsIn(list []node) bool {
	any := false
	eachNode(list, func(n node) {
		switch n := n.(type) {
		case *region:
			for _, e := range n.exits {
				if e.To != nil && !e.Continue && !e.agrees {
					any = true
				}
			}
		case *loop:
			any = any || n.asks && n.parts
		}
	})
	return any || leavesParted(list, nil, false)
}

func (b *body) label(s Stmt, kind string) string {
	if b.labels[s] == "" {
		b.labels[s] = uniqueName(b.names, kind)
	}
	return b.labels[s]
}

// opens notes where a labelled statement begins.
func (b *body) opens(label string) {
	if b.within == nil {
		b.within = map[string]int{}
	}
	b.within[label] = len(b.rejoin)
}

func (b *body) leave(e *Exit) {
	b.at(e.Pos)
	n := len(b.rejoin)
	inside := e.To != nil && n > 0 && (b.rejoin[n-1] == b.labels[e.To] || b.within[b.labels[e.To]] >= n)
	if b.k.tracked && n > 0 && !inside {
		// Others wait for those that go, at the end of a statement that is left as well.
		id := 1
		if e.To != nil {
			id = b.exitID(e)
		}
		b.printf("p.LeaveAll(%d)\n%s\n", id, b.away())
		return
	}
	switch {
	case e.To == nil:
		b.printf("continue blocks\n")
	case e.Continue:
		b.printf("continue %s\n", b.label(e.To, "loop"))
	default:
		b.printf("break %s\n", b.label(e.To, "loop"))
	}
}

// first makes the first thread the one to blame if list panics.
func (b *body) first(list []Stmt) bool {
	if stmtsMayPanic(list) {
		b.printf("p.First()\n")
		return true
	}
	return false
}

func (b *body) once(list []Stmt) {
	first := b.first(list)
	b.stmts(list)
	if first {
		b.printf("p.Current = -1\n")
	}
}

// ask prints a count of the threads for which cond holds, into a variable of the given name.
func (b *body) ask(votes string, cond Expr, els func()) {
	b.printf("%s := 0\n", votes)
	b.threads(&region{stmts: []Stmt{&If{Cond: cond}}}, func() {
		b.printf("if %s {\n%s++\n}", b.expr(cond), votes)
		if els != nil {
			b.printf(" else {\n")
			els()
			b.printf("}")
		}
		b.printf("\n")
	})
	b.printf("p.Current = -1\n")
}

func (b *body) branch(n *branch) {
	b.at(n.s.Pos)
	pos := b.prog.shortPos(b.root, n.s.Pos)
	switch {
	case !n.asks:
		b.printIf(n.s.Cond)
		b.nodes(n.then)
		if len(n.els) > 0 {
			b.printf("} else {\n")
			b.nodes(n.els)
		}
		b.printf("}\n")
	case !n.parts:
		votes := uniqueName(b.names, "votes")
		b.ask(votes, n.s.Cond, nil)
		b.printf("if p.Agree(%s, %q) {\n", votes, pos)
		b.nodes(n.then)
		if len(n.els) > 0 {
			b.printf("} else {\n")
			b.nodes(n.els)
		}
		b.printf("}\n")
	default:
		// Threads for which the condition does not hold sit out the first branch, the others the second.
		votes := uniqueName(b.names, "votes")
		id := n.id
		b.ask(votes, n.s.Cond, func() { b.printf("p.Leave(%d)\n", id) })
		b.printf("if %s > 0 {\n", votes)
		b.parting(n.then)
		b.printf("}\n")
		if len(n.els) > 0 {
			b.printf("if p.Swap(%d, %d) {\n", id, id+1)
			b.parting(n.els)
			b.printf("}\np.Join(%d)\n", id+1)
		}
		b.printf("p.Join(%d)\n", id)
		b.gone()
	}
}

// gone ends the body if all threads have returned.
func (b *body) gone() {
	if b.k.tracked {
		b.printf("if p.Live == 0 {\n%s\n}\n", b.away())
	}
}

// away prints a jump to where threads that have left before may take part again: the end of the innermost
// statement in which threads may part, or the next block.
func (b *body) away() string {
	if n := len(b.rejoin); n > 0 {
		return "break " + b.rejoin[n-1]
	}
	return "continue blocks"
}

// parting prints nodes in which threads may part from those that wait behind them.
func (b *body) parting(list []node) {
	label := uniqueName(b.names, "part")
	b.rejoin = append(b.rejoin, label)
	saved := b.out
	b.out = strings.Builder{}
	b.nodes(list)
	text := b.out.String()
	b.out = saved
	b.rejoin = b.rejoin[:len(b.rejoin)-1]
	if !strings.Contains(text, "break "+label+"\n") {
		b.printf("%s", text)
		return
	}
	end := ""
	if !endsInJump(text) {
		end = "break " + label + "\n"
	}
	b.printf("%s:\nfor {\n%s%s}\n", label, text, end)
}

// endsInJump reports whether control never reaches the end of text.
func endsInJump(text string) bool {
	text = strings.TrimSpace(text)
	last := text[strings.LastIndexByte(text, '\n')+1:]
	return strings.HasPrefix(last, "break ") || strings.HasPrefix(last, "continue ")
}

func (b *body) printIf(cond Expr) {
	if mayPanic(cond) {
		b.printf("p.First()\n")
	}
	b.printf("if %s {\n", b.expr(cond))
}

func (b *body) loop(n *loop) {
	b.at(n.s.Pos)
	b.allRounds(n)
	if c, ok := counterOf(n); ok {
		b.counters = append(b.counters, c.i)
		defer func() { b.counters = b.counters[:len(b.counters)-1] }()
	}
	begin := b.out.Len()
	defer b.askBefore(n, begin)()
	b.flat = flatLoop(n)
	defer func() { b.putFlat(begin) }()
	l := b.label(n.s, "loop")
	pos := b.prog.shortPos(b.root, n.s.Pos)
	simplePost := len(n.post) == 0
	b.opens(l)
	b.printf("%s:\n", l)
	first := ""
	if !simplePost {
		// The post statement runs before every round but the first, so that continue reaches it.
		first = uniqueName(b.names, "first")
		b.printf("for %s := true; ; %s = false {\n", first, first)
		b.printf("if !%s {\n", first)
		b.nodes(n.post)
		b.printf("}\n")
	} else {
		b.printf("for {\n")
	}
	b.nodes(n.pre)
	switch {
	case n.s.Cond == nil:
	case !n.asks:
		if mayPanic(n.s.Cond) {
			b.printf("p.First()\n")
		}
		b.printf("if %s {\nbreak %s\n}\n", b.expr(not(n.s.Cond)), l)
	case n.parts:
		votes := uniqueName(b.names, "votes")
		b.ask(votes, n.s.Cond, func() { b.printf("p.Leave(%d)\n", n.id) })
		b.printf("if %s == 0 {\nbreak %s\n}\n", votes, l)
	default:
		votes := uniqueName(b.names, "votes")
		b.ask(votes, n.s.Cond, nil)
		b.printf("if !p.Agree(%s, %q) {\nbreak %s\n}\n", votes, pos, l)
	}
	parts := n.asks && n.parts || b.partsIn(n.body)
	if parts {
		b.rejoin = append(b.rejoin, l)
	}
	ends := false
	if b.waitsForRound(n) {
		// Those that wait for the next round are taken in again whichever way the others end this one.
		b.parting(n.body)
		b.printf("p.Join(%d)\nif p.Live == 0 {\nbreak %s\n}\n", n.id+1, l)
	} else {
		b.nodes(n.body)
		ends = endsInJump(b.out.String())
	}
	if parts {
		b.rejoin = b.rejoin[:len(b.rejoin)-1]
	}
	if !ends && !usesLabel(n, n.s) && n.s.Cond == nil {
		b.printf("continue %s\n", l)
	}
	b.printf("}\n")
	b.around = nil
	before := len(b.out.String())
	if n.asks && n.parts {
		b.printf("p.Join(%d)\n", n.id)
	} else {
		b.joins(n.body, n.id)
	}
	if len(b.out.String()) > before {
		b.gone()
	}
}

// leavesParted reports whether there is a leave of s in list, inside a statement in which others may wait.
func leavesParted(list []node, s Stmt, continues bool) bool {
	found := false
	eachNode(list, func(n node) {
		var inside []node
		switch n := n.(type) {
		case *branch:
			if n.parts {
				inside = []node{n}
			}
		case *loop:
			if n.asks && n.parts {
				inside = []node{n}
			}
		}
		eachNode(inside, func(x node) {
			if l, ok := x.(*leave); ok && (s == nil || l.s.To == s && l.s.Continue == continues) {
				found = true
			}
		})
	})
	return found
}

// waitsForRound reports whether threads may wait for the next round of a loop.
func (b *body) waitsForRound(n *loop) bool {
	any := leavesParted(n.body, n.s, true)
	eachNode(n.body, func(x node) {
		if r, ok := x.(*region); ok {
			for _, e := range r.exits {
				if e.To == Stmt(n.s) && e.Continue && !e.agrees {
					any = true
				}
			}
		}
	})
	return any
}

// usesLabel reports whether something in n leaves or continues s.
func usesLabel(n *loop, s Stmt) bool {
	found := false
	eachNode([]node{n}, func(x node) {
		switch x := x.(type) {
		case *leave:
			found = found || x.s.To == s
		case *region:
			for _, e := range x.exits {
				found = found || e.To == s
			}
		}
	})
	return found
}

func (b *body) sync(s *Barrier) {
	b.at(s.Pos)
	if s.Dst == nil {
		b.printf("p.Barrier()\n")
		return
	}
	votes := uniqueName(b.names, "votes")
	b.ask(votes, s.Pred, nil)
	b.printf("p.Barrier()\n")
	switch s.Kind {
	case "And":
		b.printf("%s := %s == p.Live\n", s.Dst.Name, votes)
	case "Or":
		b.printf("%s := %s > 0\n", s.Dst.Name, votes)
	default:
		b.printf("%s := %s\n", s.Dst.Name, votes)
	}
	b.printf("_ = %s\n", s.Dst.Name)
}

// meet prints a warp operation.
func (b *body) meet(s *Warp) {
	b.at(s.Pos)
	operand := func(e Expr, t types.Type) string {
		if r, ok := e.(*VarRef); ok && r.V.spread {
			return fmt.Sprintf("%s.Operand[%s]{Each: %s}", b.core(), b.typ(t), b.array[r.V])
		}
		return fmt.Sprintf("%s.Operand[%s]{All: %s}", b.core(), b.typ(t), b.convertTo(e, t))
	}
	to := func(v *Var) string {
		if v.spread {
			return b.array[v]
		}
		return "nil"
	}
	if s.Op == "ActiveMask" {
		b.printf("p.ActiveLanes(%s)\n", to(s.Dst))
		return
	}
	m := fmt.Sprintf("%s.Meeting{Op: %q, Pos: %q, Mask: %s", b.core(), s.Op, b.prog.shortPos(b.root, s.Pos), operand(s.Mask, types.Typ[types.Uint32]))
	if s.last {
		m += ", Last: true"
	}
	m += "}"
	switch s.Op {
	case "SyncWarp":
		b.printf("p.SyncLanes(%s)\n", m)
	case "BallotSync":
		b.printf("p.BallotLanes(%s, %s, %s)\n", m, to(s.Dst), operand(s.Args[0], boolType))
	case "AllSync", "AnySync":
		b.printf("p.VoteLanes(%s, %s, %s)\n", m, to(s.Dst), operand(s.Args[0], boolType))
	case "MatchAnySync":
		b.printf("%s.MatchLanes(p, %s, %s, nil, %s)\n", b.core(), m, to(s.Dst), operand(s.Args[0], s.T))
	case "MatchAllSync":
		b.printf("%s.MatchLanes(p, %s, %s, %s, %s)\n", b.core(), m, to(s.Dst), to(s.All), operand(s.Args[0], s.T))
	case "ShflSync", "ShflUpSync", "ShflDownSync", "ShflXorSync":
		b.printf("%s.ShflLanes(p, %s, %s, %s, %s, %s)\n", b.core(), m, to(s.Dst), operand(s.Args[0], s.T),
			operand(s.Args[1], intType), operand(s.Args[2], intType))
	default:
		b.printf("%s.ReduceLanes(p, %s, %s, %s)\n", b.core(), m, to(s.Dst), operand(s.Args[0], s.T))
	}
}

// region prints a loop over the threads, and what follows if some of them left.
func (b *body) region(r *region) {
	kinds := []*Exit{}
	for _, e := range r.exits {
		if !slices.ContainsFunc(kinds, func(x *Exit) bool { return x.To == e.To && x.Continue == e.Continue }) {
			kinds = append(kinds, e)
		}
	}
	// Those that go on with the next round come before those that have left the loop, in this round or before.
	slices.SortStableFunc(kinds, func(x, y *Exit) int {
		switch {
		case x.Continue == y.Continue:
			return 0
		case x.Continue:
			return -1
		}
		return 1
	})
	other := slices.ContainsFunc(kinds, func(e *Exit) bool { return e.To != nil })
	if other {
		b.printf("p.Begin()\n")
	}
	b.threads(r, func() {
		if r.bound == nil {
			b.stmts(r.stmts)
			return
		}
		_, rest := splitGuards(r.bound.Cond)
		if len(rest) == 0 {
			b.stmts(r.bound.Then)
			return
		}
		b.printf("if %s {\n", b.expr(conjunction(rest)))
		b.stmts(r.bound.Then)
		b.printf("}\n")
	})
	if stmtsMayPanic(r.stmts) {
		b.printf("p.Current = -1\n")
	}
	if r.last {
		return
	}
	for _, e := range kinds {
		if e.To == nil {
			continue
		}
		id := b.exitID(e)
		b.printf("if p.Together(%d, %v, %q) {\n", id, e.agrees, b.prog.shortPos(b.root, e.Pos))
		b.leave(e)
		b.printf("}\n")
	}
	if len(kinds) > 0 {
		b.gone()
	}
}

func conjunction(list []Expr) Expr {
	e := list[0]
	for _, x := range list[1:] {
		e = &Binary{token.LAND, e, x, boolType}
	}
	return e
}

// exitID is the number that threads get which take e.
func (b *body) exitID(e *Exit) int {
	id := 0
	eachNode(b.k.nodes, func(n node) {
		switch n := n.(type) {
		case *loop:
			if Stmt(n.s) == e.To {
				id = n.id
			}
		case *scope:
			if Stmt(n.s) == e.To {
				id = n.id
			}
		}
	})
	if e.Continue {
		id++
	}
	return id
}

// threads prints a loop over the threads that take part, with what of their variables lives elsewhere.
func (b *body) threads(r *region, inner func()) {
	b.r = r
	if b.width > 0 && len(r.stmts) > 0 && !b.isAsk(r) && !b.split {
		st, ok := b.vectorRegion(r, false, 0, 0)
		switch {
		case ok && !b.k.tracked:
			b.vectors[r] = fmt.Sprintf("%d lanes", st.lanes)
			b.strips(r, st)
			b.vector++
			b.r = nil
			return
		case ok && len(r.exits) == 0:
			b.vectors[r] = fmt.Sprintf("%d lanes while no thread has left", st.lanes)
			b.printf("if p.Live == %s*%s {\n", b.use("dimX"), b.use("rows"))
			b.strips(r, st)
			b.vector++
			b.r = r
			b.printf("} else {\n")
			defer b.printf("}\n")
		case ok:
			b.vectors[r] = "none, since threads leave it that others wait for"
		default:
			b.vectors[r] = "none, since " + st.why
		}
	}
	u := useOf(r.stmts)
	var ins, outs []*Var
	copies := []*Var{}
	for _, v := range b.k.Vars {
		switch {
		case v.spread && (u.read[v] || u.written[v]):
			ins = append(ins, v)
			if u.written[v] {
				outs = append(outs, v)
			}
		case v.common && u.written[v]:
			copies = append(copies, v)
		}
	}
	current := stmtsMayPanic(r.stmts) || len(r.exits) > 0 || b.leavesInAsk(r)

	// What is inside is printed first, to know what it needs.
	saved := b.out
	b.out = strings.Builder{}
	b.born, b.own = map[*Var]bool{}, map[*Var]bool{}
	for _, s := range r.stmts {
		if a, ok := s.(*Assign); ok && a.Def && len(a.L) == 1 {
			if v, whole := assigned(a.L[0]); v != nil && whole && v.spread {
				b.own[v] = true
			}
		}
	}
	for _, v := range ins {
		if !b.own[v] {
			b.printf("%s := %s[%s]\n", v.Name, b.array[v], b.use("rank"))
		}
	}
	before := map[*Var]string{}
	for _, v := range copies {
		before[v] = uniqueName(b.names, v.Name+"Before")
		b.copies[v] = uniqueName(b.names, v.Name+"After")
		b.printf("%s := %s\n", v.Name, before[v])
	}
	head := b.out.String()
	outerCopies := b.copies
	part := func() string {
		b.out = strings.Builder{}
		b.outs = append(slices.Clone(outs), copies...)
		b.born = map[*Var]bool{}
		inner()
		b.stores()
		text := b.out.String()
		b.out = saved
		b.outs = nil
		// What is computed anew comes in the order of declaration, and only if it is used.
		for _, v := range slices.Backward(b.k.Vars) {
			if v.value != nil && containsWord(text, v.Name) {
				text = fmt.Sprintf("%s := %s\n%s", v.Name, b.convertTo(v.value, v.Type), text)
			}
		}
		return head + text
	}
	text := part()
	fast := b.views(r, part, func(parts int) string { return b.jammed(b.inBounds(r), ins, outs, parts) })
	if len(copies) > 0 && fast != nil {
		fast.jam = ""
	}
	if fast == nil && len(copies) == 0 {
		fast = b.raggedView(r, part)
	}
	ragged := fast != nil && fast.ragged != nil

	uses := func(name string) bool { return containsWord(text, name) }
	rank := uses("rank") || b.k.tracked || current
	limits, lo, hi := b.limitsOf(r)
	rowText := limits
	if fast != nil {
		rowText += strings.Join(fast.conds, " ") + fast.text + strings.Join(fast.slices, " ") + b.rangeText(fast.v.guards)
	}
	ty := uses("ty") || containsWord(rowText, "ty")
	tz := uses("tz") || containsWord(rowText, "tz")
	rowUsed := containsWord(limits, "row")
	for _, v := range copies {
		b.printf("%s, %s := %s, %s\n", before[v], b.copies[v], v.Name, v.Name)
	}
	b.use("rows")
	whole := fast != nil && len(copies) == 0 && b.wholeRows(r, part)
	if rank || ty || tz || rowUsed {
		b.printf("for row := range rows {\n")
	} else {
		b.printf("for range rows {\n")
	}
	if ty {
		b.printf("ty := %s.RowY(row, %s)\n", b.core(), b.use("dimY"))
	}
	if tz {
		b.printf("tz := %s.RowZ(row, %s)\n", b.core(), b.use("dimY"))
	}
	b.use("dimX")
	b.printf("%s", limits)
	middle := ""
	if fast != nil {
		middle = b.printView(fast, lo, hi, len(copies) == 0)
		b.flatten(r, fast)
	}
	exits := len(r.exits) > 0
	if exits && b.label(b.loopOf(r), "threads") != "" && containsWord(text, b.label(b.loopOf(r), "threads")) {
		b.printf("%s:\n", b.label(b.loopOf(r), "threads"))
	}
	loop := b.out
	b.out = strings.Builder{}
	switch {
	case middle != "":
		b.printf("for tx := lo; tx < hi; tx++ {\n%s", middle)
	case lo != "0" || ragged:
		b.printf("for tx := lo; tx < %s; tx++ {\n", hi)
	case uses("tx") || rank:
		b.printf("for tx := range %s {\n", hi)
	default:
		b.printf("for range %s {\n", hi)
	}
	if rank {
		b.printf("rank := row*dimX + tx\n")
	}
	if b.k.tracked {
		b.use("state")
		b.printf("if state[rank] != 0 {\ncontinue\n}\n")
	}
	if current {
		b.printf("p.Current = rank\n")
	}
	b.printf("%s}\n", text)
	every := b.out.String()
	b.out = loop
	if (fast == nil || ragged) && !exits && len(copies) == 0 && !b.k.tracked && len(r.stmts) > 0 && !b.isAsk(r) && hasLoop(r.stmts) {
		every = b.outline(every, "threads of a row", nil, nil, nil, nil, "")
		if ragged { // mostly none are left
			every = "if lo < hi {\n" + every + "}\n"
		}
	}
	b.printf("%s", every)
	if fast != nil && middle == "" && !ragged {
		b.printf("}\n")
	}
	b.printf("}\n")
	if whole {
		b.printf("}\n")
	}
	for _, v := range copies {
		b.printf("%s = %s\n", v.Name, outerCopies[v])
		delete(b.copies, v)
	}
	b.r = nil
}

// hasLoop reports whether there is a loop in list.
func hasLoop(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool { _, ok := s.(*For); return ok })
}

// rangeText is what printFastRange prints for guards, to see which names it needs.
func (b *body) rangeText(gs []guard) string {
	saved := b.out
	b.out = strings.Builder{}
	b.limitsNamed(gs, "from", "to")
	text := b.out.String()
	b.out = saved
	return text
}

// isAsk reports whether r only evaluates a condition.
func (b *body) isAsk(r *region) bool {
	c, ok := r.stmts[0].(*If)
	return ok && len(r.stmts) == 1 && c.Then == nil && c.Else == nil
}

// strips prints a loop over the threads that takes as many at once as a vector has lanes. st is the general
// form, under a mask. Where it pays there is a second one before it for the threads that come in whole
// vectors, or in several: what waits for memory has more of it under way the fewer instructions lie between. A step
// of Yee's (kernels/fdtd.go) on one worker of the Zen 5 kind takes 3.2 ms with one vector a round, 3.0 with two, 2.95 with three,
// 3.0 with four (the magnetic fields like one, the electric one faster), 2.8 with five, 2.95 with six and 2.9 with eight.
func (b *body) strips(r *region, st strip) {
	if b.planes(r) {
		defer b.printf("}\n")
	}
	var fast, faster *strip
	if parts, axis := b.jam(r); parts > 1 {
		if f, ok := b.vectorRegion(r, true, parts, axis); ok {
			fast = &f
			if axis == 0 && b.oneSum(r) {
				if f, ok := b.vectorRegion(r, true, wholeRow, 0); ok {
					faster = &f
				}
			}
		}
	} else if parts == 1 {
		if f, ok := b.vectorRegion(r, true, 1, 0); ok {
			fast = &f
		}
		more := 0
		switch {
		case small(b.inBounds(r)):
			more = 4
		case b.coastsIn(r):
			more = coastParts
		case b.k.wide && operations(b.inBounds(r)) <= brief:
			more = 5
		}
		if more > 0 {
			if f, ok := b.vectorRegion(r, true, more, 0); ok {
				faster = &f
			}
		}
	}
	b.use("rows")
	b.use("dimX")
	b.importName(vecPath, "vec")
	limits, lo, hi := b.limitsOf(r)
	general := b.stripBody(st)
	if fast != nil && fast.parts > 1 {
		b.vectors[r] += fmt.Sprintf(", %s at a time", plural(fast.parts, [...]string{"vector", "row"}[fast.axis]))
	}
	if fast != nil && fast.axis == 1 {
		// Several rows at a time, if all have whole vectors.
		b.printf("row := 0\n")
		b.printf("if %s%%%d == 0 {\n", b.use("dimY"), fast.parts)
		b.printf("for ; row < rows; row += %d {\n", fast.parts)
		body := b.stripBody(*fast)
		rowConds, inner := b.jamGuards(r, fast.parts)
		b.rowHead(body + strings.Join(fast.conds, " ") + rowConds + inner)
		if rowConds != "" {
			b.printf("if !(%s) {\nbreak\n}\n", rowConds)
		}
		b.printf("%s", inner)
		if lo == "0" {
			b.printf("const lo = 0\n")
		}
		if hi != "hi" {
			b.printf("hi := %s\n", hi)
		}
		conds := append([]string{fmt.Sprintf("(hi-lo)%%%d == 0", fast.lanes)}, fast.conds...)
		b.printf("if !(%s) {\nbreak\n}\n", strings.Join(conds, " && "))
		b.printf("for tx := lo; tx < hi; tx += %d {\n%s}\n}\n}\n", fast.lanes, body)
		b.printf("for ; row < rows; row++ {\n")
		b.rowHead(general + limits)
		b.printf("%sfor tx := %s; tx < %s; tx += %d {\nm := vec.First(min(%s-tx, %d))\n%s}\n}\n", limits, lo, hi, st.lanes, hi, st.lanes, general)
		return
	}
	before := b.out
	b.out = strings.Builder{}
	defer func() {
		text := b.out.String()
		b.out = before
		if containsWord(text, "row") {
			b.printf("for row := range rows {\n%s", text)
		} else {
			b.printf("for range rows {\n%s", text)
		}
	}()
	body, conds, rest := "", "", ""
	if fast != nil {
		body, conds = b.stripBody(*fast), strings.Join(fast.conds, " && ")
		if b.k.wide && (len(fast.guards) > 0 || lo != "0") {
			// In the func of the loop over whole vectors, without the checks: a step of Yee's on 128 by 128 cells and one worker is
			// 1.07 times as fast; of rows of 2048 the ends don't count.
			if ends := b.endsRegion(r, fast); ends != nil {
				rest = b.stripBody(*ends)
			}
		}
	}
	if fast != nil {
		conds += b.rangeText(fast.guards)
	}
	b.rowHead(general + limits + body + conds + rest)
	if fast != nil {
		conds = strings.Join(fast.conds, " && ")
	}
	ownFunc := func(loop string) string { return loop }
	if b.k.wide && fast != nil && !fast.panics {
		// Rows are long, and what the func around has in registers costs the loop more than a call.
		ownFunc = func(loop string) string {
			what := "whole vectors of a row"
			if rest != "" {
				what = "a row in which all elements are in range"
			}
			return b.outline(b.withHeads(loop), what, []string{"end", "from", "to", "tx"}, map[string]string{"end": "int", "from": "int", "to": "int", "tx": "int"},
				nil, []string{"tx"}, "")
		}
	}
	if fast != nil && len(fast.guards) > 0 {
		// The vectors for whose threads all guards hold are in the middle.
		n := fast.lanes * fast.parts
		b.printf("%s", limits)
		if lo == "0" {
			b.printf("const lo = 0\n")
		}
		if hi != "hi" {
			b.printf("hi := %s\n", hi)
		}
		if rest == "" {
			b.printFastRange(fast.guards, fast.conds)
		} else {
			b.printFastRange(fast.guards, nil)
			b.printf("start, end := lo, hi\n")
			if len(fast.conds) > 0 {
				b.printf("if !(%s) {\n%sstart, end = from, to\n}\n", strings.Join(fast.conds, " && "), b.outOfRange(fast.conds))
			}
		}
		loops := ""
		if faster != nil && slices.Equal(faster.conds, fast.conds) && b.rangeText(faster.guards) == b.rangeText(fast.guards) {
			loops = b.stripLoop("to", faster.lanes*faster.parts, b.stripBody(*faster))
		}
		loops += b.stripLoop("to", n, body)
		if rest != "" {
			loops = ownFunc(fmt.Sprintf("for tx < end {\nif tx >= from && tx+%d <= to {\n%scontinue\n}\nm := vec.First(min(end-tx, %d))\n%stx += %d\n}\ntx = min(tx, end)\n",
				n, loops, n, rest, n))
			b.printf("for tx := lo; tx < hi; {\nif tx >= start && tx < end {\n%scontinue\n}\n", loops)
		} else {
			b.printf("for tx := lo; tx < hi; {\nif tx >= from && tx+%d <= to {\n%scontinue\n}\n", n, ownFunc(loops))
		}
		b.printf("m := vec.First(min(hi-tx, %d))\n%stx += %d\n}\n}\n", st.lanes, general, st.lanes)
		return
	}
	if fast != nil && b.k.wide && lo != "0" {
		// A row that begins somewhere has a short strip first, so that vectors lie in lines of the cache as rows do. A step of
		// Yee's with one worker does a sixth more so: of seven vectors, one is in two lines and not six.
		fits, most := uniqueName(b.names, "fits"), uniqueName(b.names, "most")
		if hi != "hi" {
			b.printf("hi := %s\n", hi)
		}
		if conds == "" {
			conds = "true"
		}
		loops := ""
		if faster != nil && strings.Join(faster.conds, " && ") == conds {
			loops = b.stripLoop("hi", faster.lanes*faster.parts, b.stripBody(*faster))
		}
		n := fast.lanes * fast.parts
		loops += b.stripLoop("hi", n, body)
		size := fmt.Sprintf("%s := %d - tx&%d\n", most, st.lanes, st.lanes-1)
		whole := fmt.Sprintf("%s == %d && tx+%d <= hi", most, st.lanes, n)
		b.printf("%s%s := %s\nfor tx := %s; tx < hi; {\n", limits, fits, conds, lo)
		if rest != "" {
			loops = ownFunc(fmt.Sprintf("for tx < hi {\n%sif %s {\n%scontinue\n}\nm := vec.First(min(hi-tx, %s))\n%stx += %s\n}\n", size, whole, loops, most, rest, most))
			b.printf("if %s {\n%scontinue\n}\n%s", fits, loops, size)
		} else {
			b.printf("%sif %s && %s {\n%scontinue\n}\n", size, fits, whole, ownFunc(loops))
		}
		b.printf("m := vec.First(min(hi-tx, %s))\n%stx += %s\n}\n}\n", most, general, most)
		return
	}
	b.printf("%stx := %s\n", limits, lo)
	if fast != nil {
		if lo == "0" && strings.Contains(conds, "lo") {
			b.printf("const lo = 0\n")
		}
		if hi != "hi" && strings.Contains(conds, "hi") {
			b.printf("hi := %s\n", hi)
			hi = "hi"
		}
		n := fast.lanes * fast.parts
		if conds != "" {
			b.printf("if %s {\n", conds)
		}
		if faster != nil && strings.Join(faster.conds, " && ") == conds {
			n := faster.lanes * faster.parts
			b.printf("%s", b.stripLoop(hi, n, b.stripBody(*faster)))
		}
		b.printf("%s", b.stripLoop(hi, n, body))
		if conds != "" {
			b.printf("}\n")
		}
	}
	b.printf("for ; tx < %s; tx += %d {\nm := vec.First(min(%s-tx, %d))\n%s}\n}\n", hi, st.lanes, hi, st.lanes, general)
}

// stripLoop is the loop over whole strips of n threads, up to hi.
func (b *body) stripLoop(hi string, n int, body string) string {
	decls, body := b.pointers(body, "tx", n)
	return fmt.Sprintf("%sfor ; tx+%d <= %s; tx += %d {\n%s}\n", decls, n, hi, n, body)
}

// jamGuards prints the guards of a region for several rows: a condition that must hold in all of them, and the
// bounds that they have in common.
func (b *body) jamGuards(r *region, parts int) (conds, limits string) {
	if r.bound == nil {
		return "", ""
	}
	gs, _ := splitGuards(r.bound.Cond)
	var rows, rest []guard
	for _, g := range gs {
		if g.op == token.NOT {
			rows = append(rows, g)
		} else {
			rest = append(rest, g)
		}
	}
	var list []string
	b.parts, b.axis, b.atZero = parts, 1, true
	for _, g := range rows {
		for b.part = range parts {
			if c := "(" + b.expr(g.limit) + ")"; !slices.Contains(list, c) {
				list = append(list, c)
			}
		}
	}
	b.parts, b.part, b.atZero = 0, 0, false
	saved := b.out
	b.out = strings.Builder{}
	b.limits(rest)
	limits = b.out.String()
	b.out = saved
	return strings.Join(list, " && "), limits
}

// jammable reports whether all guards of a region are the same for all rows or say which rows take part.
func (b *body) jammable(r *region) bool {
	if r.bound == nil {
		return true
	}
	gs, rest := splitGuards(r.bound.Cond)
	for _, g := range gs {
		if g.op != token.NOT && (shapeOf(g.base)[1] != 0 || shapeOf(g.limit)[1] != 0) {
			return false
		}
	}
	return len(rest) == 0
}

// rowHead prints what a row begins with, as far as text needs it.
func (b *body) rowHead(text string) {
	if containsWord(text, "ty") || containsWord(text, "ty_2") || containsWord(text, "ty_3") || containsWord(text, "ty_4") {
		b.printf("ty := %s.RowY(row, %s)\n", b.core(), b.use("dimY"))
		for j := 2; j <= 4; j++ {
			if name := fmt.Sprintf("ty_%d", j); containsWord(text, name) {
				b.printf("%s := ty + %d\n", name, j-1)
			}
		}
	}
	if containsWord(text, "tz") {
		b.printf("tz := %s.RowZ(row, %s)\n", b.core(), b.use("dimY"))
	}
}

// stripBody completes the body of a loop over threads: it declares what is computed anew, and the names of
// the threads.
func (b *body) stripBody(st strip) string {
	text := st.text
	b.parts, b.axis = st.parts, st.axis
	defer func() { b.parts, b.part = 0, 0 }()
	for _, v := range slices.Backward(b.k.Vars) {
		if v.value == nil || !scalarShape(v.Shape) && st.lanes > 1 {
			continue
		}
		for b.part = st.parts - 1; b.part >= 0; b.part-- {
			if (b.part == 0 || b.varies(v.Shape)) && containsWord(text, b.name(v)) {
				text = fmt.Sprintf("%s := %s\n%s", b.name(v), b.convertTo(v.value, v.Type), text)
			}
		}
		b.part = 0
	}
	head := ""
	for j := 2; j <= st.parts; j++ {
		if name := fmt.Sprintf("rank_%d", j); containsWord(text, name) {
			step := fmt.Sprint((j - 1) * st.lanes)
			if st.axis == 1 {
				step = fmt.Sprintf("%d*dimX", j-1)
			}
			head += fmt.Sprintf("%s := row*dimX + tx + %s\n", name, step)
		}
		if name := fmt.Sprintf("tx_%d", j); containsWord(text, name) {
			head += fmt.Sprintf("%s := tx + %d\n", name, (j-1)*st.lanes)
		}
	}
	if st.full && containsWord(text, "m") {
		head += fmt.Sprintf("m := %s.Mask(1<<%d - 1)\n", b.importName(vecPath, "vec"), st.lanes)
	}
	if st.panics || containsWord(text, "rank") {
		head += "rank := row*dimX + tx\n"
		if st.panics {
			head += "p.Current = rank\n"
		}
	}
	return head + text
}

// jam returns how many vectors a region should take at a time and along which axis: several if it has a loop
// in which they share what is loaded, one if whole vectors pay, none if not.
func (b *body) jam(r *region) (parts, axis int) {
	rows, columns, loops := false, false, false
	var visit func(list []Stmt, inLoop bool)
	visit = func(list []Stmt, inLoop bool) {
		for _, s := range list {
			exprs(s, func(e Expr) {
				walkExpr(e, func(x Expr) {
					if ix, ok := x.(*Index); ok && inLoop {
						sh := shapeOf(ix)
						rows = rows || sh[0] != 0 && sh[1] == 0 && !scalarShape(sh)
						columns = columns || sh[0] == 0
					}
				})
			})
			_, isLoop := s.(*For)
			loops = loops || isLoop
			substmts(s, func(l []Stmt) { visit(l, inLoop || isLoop) })
		}
	}
	visit(r.stmts, false)
	switch {
	case rows && b.jammable(r) && b.usesAxis(r, 1) && !b.hasRounds(r.stmts):
		if b.width == 64 {
			return 4, 1
		}
		return 2, 1
	case columns && b.vectorVars(r) <= 4:
		return 2, 0
	case loops && !columns && b.vectorVars(r) <= 3 && b.steadyLoops(r.stmts):
		if b.oneSum(r) {
			return 4, 0
		}
		return 8, 0 // sums that don't wait for each other
	case b.k.wide && small(b.inBounds(r)):
		return 4, 0
	case columns || !loops && len(r.stmts) <= 12 || b.hasRounds(r.stmts) && b.steadyLoops(r.stmts):
		return 1, 0
	}
	return 0, 0
}

// steadyLoops reports whether all threads go the same rounds of the loops in list, but for those in a branch that
// whole vectors leave to the general form.
func (b *body) steadyLoops(list []Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *If:
			if !b.steadyLoops(s.Then) || !shapeOf(s.Cond).uniform() && !b.steadyLoops(s.Else) {
				return false
			}
		case *For:
			if !b.isRounding(s) && (s.parts[0] != 0 || s.breaks || s.continues) || !b.steadyLoops(s.Body) {
				return false
			}
		case *Block, *Exit, *Do, *Panic:
			return false
		}
	}
	return true
}

// inBounds returns the statements of a region without the guard that became bounds, if nothing is left of it.
func (b *body) inBounds(r *region) []Stmt {
	if r.bound != nil {
		if _, rest := splitGuards(r.bound.Cond); len(rest) == 0 {
			return r.bound.Then
		}
	}
	return r.stmts
}

// tiny and brief are how many operations regions have at most for four and five vectors a round, see small and strips.
const (
	tiny  = 12
	brief = 48
)

// small reports whether list has so few operations that the loop around it costs about as much as they do.
// Several vectors a round then make it shorter: SAXPY in the first-level cache gains a half.
func small(list []Stmt) bool { return operations(list) <= tiny }

// operations is a measure of what list does: one for each assignment, operator and element, eight more for anything else.
func operations(list []Stmt) int {
	n := 0
	walk(list, func(s Stmt) {
		n++
		if _, ok := s.(*Assign); !ok {
			n += 8
		}
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				switch x.(type) {
				case *Index, *Binary:
					n++
				case *Call:
					n += 8
				}
			})
		})
	})
	return n
}

// vectorVars returns how many variables of a region are vectors. Go 1.26 has 15 registers for vectors, also
// with AVX-512, and two vectors at a time need twice as many.
func (b *body) vectorVars(r *region) int {
	n := 0
	u := useOf(r.stmts)
	for _, v := range b.k.Vars {
		if (u.read[v] || u.written[v]) && !v.Param && !scalarShape(v.Shape) && v.value == nil {
			n++
		}
	}
	return n
}

// usesAxis reports whether the threads of a region differ along an axis.
func (b *body) usesAxis(r *region, axis int) bool {
	u := useOf(r.stmts)
	for v := range u.read {
		if v.Shape[axis] != 0 {
			return true
		}
	}
	return false
}

// leavesInAsk reports whether the region asks for a condition of threads that may part.
func (b *body) leavesInAsk(r *region) bool {
	if len(r.stmts) == 1 {
		if c, ok := r.stmts[0].(*If); ok && c.Then == nil && c.Else == nil {
			return b.k.tracked
		}
	}
	return false
}

// stores prints what a thread leaves behind at the end of its part.
func (b *body) stores() {
	for _, v := range b.outs {
		if b.own[v] && !b.born[v] {
			continue // it has no value yet
		}
		if v.spread {
			b.printf("%s[%s] = %s\n", b.array[v], b.use("rank"), v.Name)
		} else {
			b.printf("%s = %s\n", b.copies[v], v.Name)
		}
	}
}

// limitsOf returns the bounds of the loop over the threads of r, and the lines that compute them.
func (b *body) limitsOf(r *region) (text, lo, hi string) {
	if r.bound == nil {
		return "", "0", "dimX"
	}
	saved := b.out
	b.out = strings.Builder{}
	gs, _ := splitGuards(r.bound.Cond)
	lo, hi = b.limits(gs)
	text = b.out.String()
	b.out = saved
	return text, lo, hi
}

// loopOf is a key for the label of the loop over the threads of r.
func (b *body) loopOf(r *region) Stmt {
	if r.key == nil {
		r.key = &Block{}
	}
	return r.key
}

// limits prints the bounds of tx by guards.
func (b *body) limits(gs []guard) (lo, hi string) {
	b.atZero = true
	defer func() { b.atZero = false }()
	lo, hi = "0", "dimX"
	setHi := func(e string) {
		if hi == "dimX" && isNumber(e) {
			hi = e
			return
		} else if hi == "dimX" {
			b.printf("hi := %s\n", e)
		} else if isNumber(hi) {
			b.printf("hi := min(%s, %s)\n", hi, e)
		} else {
			b.printf("hi = min(hi, %s)\n", e)
		}
		hi = "hi"
	}
	setLo := func(e string) {
		if e == "0" {
			return
		}
		if lo == "0" {
			b.printf("lo := %s\n", e)
		} else {
			b.printf("lo = max(lo, %s)\n", e)
		}
		lo = "lo"
	}
	for _, g := range gs {
		if g.op == token.NOT {
			b.printf("if !(%s) {\ncontinue\n}\n", b.expr(g.limit))
			continue
		}
		base, limit := b.intText(g.base), b.intText(g.limit)
		below := func(base, limit string) string {
			return fmt.Sprintf("%s.Below(%s, %s, dimX)", b.core(), base, limit)
		}
		notAbove := func(base, limit string) string {
			return fmt.Sprintf("%s.NotAbove(%s, %s, dimX)", b.core(), base, limit)
		}
		if n, ok := constInt(g.limit); base == "0" && ok && n >= 0 && n < 1<<20 {
			// tx itself is compared with a constant.
			below = func(string, string) string { return atMost(n, "dimX") }
			notAbove = func(string, string) string { return atMost(n+1, "dimX") }
		} else if base == "0" {
			below = func(_, limit string) string { return fmt.Sprintf("min(max(%s, 0), dimX)", limit) }
		}
		switch g.op {
		case token.LSS:
			setHi(below(base, limit))
		case token.LEQ:
			setHi(notAbove(base, limit))
		case token.GEQ:
			setLo(below(base, limit))
		case token.GTR:
			setLo(notAbove(base, limit))
		case token.EQL:
			setLo(below(base, limit))
			setHi(notAbove(base, limit))
		}
	}
	return lo, hi
}

// limitsNamed prints how guards narrow a range of tx that is in variables. It is empty if one that has nothing
// to do with tx does not hold.
func (b *body) limitsNamed(gs []guard, lo, hi string) {
	b.atZero = true
	defer func() { b.atZero = false }()
	for i, g := range gs {
		if i > 0 {
			// No thread comes to it if there is none for which those before it hold.
			b.printf("if %s < %s {\n", lo, hi)
			defer b.printf("}\n")
		}
		if g.op == token.NOT {
			b.printf("if !(%s) {\n%s = %s\n}\n", b.expr(g.limit), hi, lo)
			continue
		}
		of := fmt.Sprintf("(%s, %s, %s)", b.intText(g.base), b.intText(g.limit), b.use("dimX"))
		below, notAbove := b.core()+".Below"+of, b.core()+".NotAbove"+of
		switch g.op {
		case token.LSS:
			b.printf("%s = min(%s, %s)\n", hi, hi, below)
		case token.LEQ:
			b.printf("%s = min(%s, %s)\n", hi, hi, notAbove)
		case token.GEQ:
			b.printf("%s = max(%s, %s)\n", lo, lo, below)
		case token.GTR:
			b.printf("%s = max(%s, %s)\n", lo, lo, notAbove)
		}
	}
}

func isNumber(s string) bool { _, err := strconv.Atoi(s); return err == nil }

// atMost prints min(n, of), where of is at least 1.
func atMost(n int64, of string) string {
	if n <= 1 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("min(%d, %s)", n, of)
}

// containsWord reports whether text uses a name.
func containsWord(text, name string) bool {
	if !strings.Contains(text, name) {
		return false
	}
	text = codeOf(text)
	for i := 0; ; {
		j := strings.Index(text[i:], name)
		if j < 0 {
			return false
		}
		j += i
		end := j + len(name)
		if (j == 0 || !identByte(text[j-1]) && text[j-1] != '.') && (end == len(text) || !identByte(text[end])) {
			return true
		}
		i = end
	}
}

// codeOf returns text with its strings and its //line comments blanked.
func codeOf(text string) string {
	if !strings.ContainsAny(text, "\"/") {
		return text
	}
	out := []byte(text)
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					out[i] = ' '
					i++
				}
				out[i] = ' '
			}
		case out[i] == '/' && i+1 < len(out) && out[i+1] == '/':
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// own marks names of the package that is translated, until the file is complete: they are not the
// printer's, even if they are called the same.
const own = "\u02c7"

// unown takes the marks away. names of the printer that the package uses as well are renamed first.
func (b *body) unown(text string) string {
	for _, n := range printerNames {
		if b.root.types.Scope().Lookup(n) == nil || !strings.Contains(text, own+"."+n) {
			continue
		}
		to := uniqueName(b.names, n)
		code := codeOf(text)
		var out strings.Builder
		last := 0
		for i := 0; ; {
			j := strings.Index(code[i:], n)
			if j < 0 {
				break
			}
			j += i
			i = j + len(n)
			if (j == 0 || !identByte(code[j-1]) && code[j-1] != '.') && (i == len(code) || !identByte(code[i])) {
				out.WriteString(text[last:j])
				out.WriteString(to)
				last = i
			}
		}
		out.WriteString(text[last:])
		text = out.String()
	}
	return strings.ReplaceAll(text, own+".", "")
}

func identByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// stmts prints statements of one thread, or such that are done once.
func (b *body) stmts(list []Stmt) {
	for _, s := range list {
		b.stmt(s)
	}
}

func (b *body) stmt(s Stmt) {
	b.at(s.Position())
	if b.view != nil && b.view.ragged != nil {
		b.view.ragged.ask(b, s)
	}
	switch s := s.(type) {
	case *Assign:
		b.assignment(s)
	case *If:
		done, otherwise := func() {}, func() func() { return func() {} }
		if w := b.view; w != nil {
			if w.ragged == nil && w.loops == 0 && w.v.assume(s) {
				b.stmts(s.Then)
				return
			}
			w.v.branches++
			defer func() { w.v.branches-- }()
			if w.ragged == nil && w.v.thenOnly(s) {
				b.stmts(s.Then)
				return
			}
			done = w.v.under(s.Cond, false)
			otherwise = func() func() { return w.v.under(s.Cond, true) }
		}
		b.printf("if %s {\n", b.expr(s.Cond))
		b.stmts(s.Then)
		done()
		if len(s.Else) > 0 {
			b.printf("} else {\n")
			done = otherwise()
			b.stmts(s.Else)
			done()
		}
		b.printf("}\n")
	case *For:
		if b.view != nil && b.view.ragged != nil && b.view.ragged.loop(b, s) {
			return
		}
		if call, ok := b.run(s); ok {
			b.printf("%s", call)
			return
		}
		if call, ok := b.crowded(s); ok {
			b.printf("%s", call)
			return
		}
		if !b.neighbourLoop(s) {
			b.forLoop(s)
		}
	case *Block:
		l := b.label(s, "block")
		b.printf("%s:\nfor {\n", l)
		b.stmts(s.Body)
		if !terminates(s.Body) {
			b.printf("break %s\n", l)
		}
		b.printf("}\n")
	case *Exit:
		b.exit(s)
	case *Do:
		if op, place, y, ok := b.ownAtomic(s.X); ok {
			b.printf("%s %s= %s\n", b.expr(place), op, b.convertTo(y, place.Type()))
			return
		}
		b.printf("%s\n", b.expr(s.X))
	case *Panic:
		b.printf("panic(%s)\n", b.expr(s.X))
	default:
		panic(fmt.Sprintf("statement %T in a region", s))
	}
}

// ownAtomic reports whether c is an atomic operation on the block's shared memory, whose result nobody wants:
// place op= y. One worker runs the whole block, one thread after another, so it needs no lock.
func (b *body) ownAtomic(c *Call) (op token.Token, place, y Expr, ok bool) {
	name, found := strings.CutPrefix(c.Name, atomicPath+".")
	if !found || len(c.Args) != 2 {
		return 0, nil, nil, false
	}
	op = map[string]token.Token{"Add": token.ADD, "Sub": token.SUB, "And": token.AND, "Or": token.OR, "Xor": token.XOR}[name]
	a, isAddr := c.Args[0].(*Addr)
	if op == 0 || !isAddr {
		return 0, nil, nil, false
	}
	for e := a.X; ; {
		switch x := e.(type) {
		case *Index:
			if _, inner := x.X.(*Index); inner {
				if _, arr := x.X.Type().Underlying().(*types.Array); !arr {
					return 0, nil, nil, false // a slice in shared memory may lead anywhere
				}
			}
			e = x.X
			continue
		case *VarRef:
			if b.k.allocated()[x.V] {
				return op, a.X, c.Args[1], true
			}
		}
		return 0, nil, nil, false
	}
}

// allocated returns the variables that are the block's shared arrays.
func (k *Kernel) allocated() map[*Var]bool {
	if k.shared == nil {
		k.shared = map[*Var]bool{}
		walk(k.Body, func(s Stmt) {
			if a, ok := s.(*Alloc); ok {
				k.shared[a.Dst] = true
			}
		})
	}
	return k.shared
}

func (b *body) assignment(s *Assign) {
	if len(s.L) > 1 {
		var ls []string
		for _, l := range s.L {
			if l == nil {
				ls = append(ls, "_")
			} else {
				ls = append(ls, b.expr(l))
			}
		}
		op := "="
		if s.Def && b.definesHere(s) {
			op = ":="
		}
		b.printf("%s %s %s\n", strings.Join(ls, ", "), op, b.expr(s.R))
		return
	}
	if s.L[0] == nil {
		b.printf("_ = %s\n", b.expr(s.R))
		return
	}
	l := s.L[0]
	if v, _ := assigned(l); s.Def && v.value != nil {
		return
	}
	if s.Def && b.definesHere(s) {
		v, _ := assigned(l)
		if isZero(s.R) && types.Identical(s.R.Type(), v.Type) {
			b.printf("var %s %s\n", b.name(v), b.typ(v.Type))
		} else if types.IsInterface(v.Type) && !isTypeParam(v.Type) {
			b.printf("var %s %s = %s\n", b.name(v), b.typ(v.Type), b.expr(s.R))
		} else if _, isConst := s.R.(*Const); isConst && types.Identical(v.Type, intType) {
			b.printf("%s := %s\n", b.name(v), b.untyped(s.R))
		} else {
			b.printf("%s := %s\n", b.name(v), b.convertTo(s.R, v.Type))
		}
		return
	}
	// x = x op y is x op= y.
	if bin, ok := s.R.(*Binary); ok && sameExpr(bin.X, l) {
		for op, to := range assignOps {
			if to == bin.Op {
				b.printf("%s %s %s\n", b.expr(l), op, b.operand(bin.Y, bin, true))
				return
			}
		}
	}
	if c, ok := s.R.(*Const); ok && !types.IsInterface(l.Type()) {
		b.printf("%s = %s\n", b.expr(l), b.constant(c.Val, c.T, false))
		return
	}
	b.printf("%s = %s\n", b.expr(l), b.convertTo(s.R, l.Type()))
}

// definesHere reports whether the variables that s defines are declared by it, and not at the head of the
// func or of the loop over threads.
func (b *body) definesHere(s *Assign) bool {
	for _, l := range s.L {
		if l == nil {
			continue
		}
		v, _ := assigned(l)
		if v.spread && b.own[v] {
			b.born[v] = true
			continue
		}
		if v.spread || v.common && (b.r != nil || !b.declared(v)) {
			return false
		}
	}
	return true
}

func isZero(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		switch e.Val.Kind() {
		case constant.Bool:
			return !constant.BoolVal(e.Val)
		case constant.String:
			return constant.StringVal(e.Val) == ""
		}
		return constant.Sign(e.Val) == 0
	case *Composite:
		return len(e.Vals) == 0 && !isSlice(e.T)
	}
	return false
}

func isSlice(t types.Type) bool { _, ok := t.Underlying().(*types.Slice); return ok }

// sameExpr reports whether two expressions are the same variable or place, without effects between.
func sameExpr(x, y Expr) bool {
	switch x := x.(type) {
	case *VarRef:
		y, ok := y.(*VarRef)
		return ok && x.V == y.V
	case *Index:
		y, ok := y.(*Index)
		return ok && sameExpr(x.X, y.X) && sameExpr(x.I, y.I)
	case *Field:
		y, ok := y.(*Field)
		return ok && x.Name == y.Name && sameExpr(x.X, y.X)
	case *Deref:
		y, ok := y.(*Deref)
		return ok && sameExpr(x.X, y.X)
	case *Const:
		y, ok := y.(*Const)
		return ok && constant.Compare(x.Val, token.EQL, y.Val)
	case *Index3:
		y, ok := y.(*Index3)
		return ok && *x == *y
	case *Rank:
		_, ok := y.(*Rank)
		return ok
	case *Binary:
		y, ok := y.(*Binary)
		return ok && x.Op == y.Op && sameExpr(x.X, y.X) && sameExpr(x.Y, y.Y)
	}
	return false
}

func (b *body) forLoop(s *For) { b.forLoopOf(s, func() { b.stmts(s.Body) }) }

// forLoopOf prints a loop whose body prints itself.
func (b *body) forLoopOf(s *For, body func()) {
	if b.plainRounds(s, body) {
		return
	}
	var fours *fours
	if b.view != nil {
		b.view.loops++
		b.view.sums = 0
		defer func() { b.view.loops-- }()
		v := b.view.v
		if i, limit, ok := v.counts(s); ok && s.parts[0] == 0 {
			v.ranges[i], v.counters[i] = limit, s
			v.counting = append(v.counting, i)
			defer func() {
				delete(v.ranges, i)
				v.counting = v.counting[:len(v.counting)-1]
			}()
			fours = b.foursOf(s, i, limit)
		}
	}
	label := ""
	if s.breaks || s.continues {
		label = b.label(s, "loop")
		b.printf("%s:\n", label)
	}
	post, simple := b.simplePost(s)
	if simple && fours != nil {
		b.printFours(fours, post, body)
		return
	}
	if simple && len(s.Pre) == 0 {
		switch {
		case s.Cond == nil && post == "":
			b.printf("for {\n")
		case post == "":
			b.printf("for %s {\n", b.expr(s.Cond))
		case s.Cond == nil:
			b.printf("for ; ; %s {\n", post)
		default:
			b.printf("for ; %s; %s {\n", b.expr(s.Cond), post)
		}
		body()
		b.printf("}\n")
		return
	}
	first := ""
	if len(s.Post) > 0 {
		first = uniqueName(b.names, "first")
		b.printf("for %s := true; ; %s = false {\nif !%s {\n", first, first, first)
		b.stmts(s.Post)
		b.printf("}\n")
	} else {
		b.printf("for {\n")
	}
	b.stmts(s.Pre)
	if s.Cond != nil {
		b.printf("if %s {\nbreak\n}\n", b.expr(not(s.Cond)))
	}
	body()
	b.printf("}\n")
}

// simplePost returns the post statement of a loop as it stands in a header, if it can.
func (b *body) simplePost(s *For) (string, bool) {
	switch len(s.Post) {
	case 0:
		return "", true
	case 1:
		a, ok := s.Post[0].(*Assign)
		if !ok || len(a.L) != 1 || a.L[0] == nil || a.Def {
			return "", false
		}
		saved, line := b.out, b.line
		b.out = strings.Builder{}
		b.assignment(a)
		text := strings.TrimSpace(b.out.String())
		b.out, b.line = saved, line
		return text, true
	}
	return "", false
}

// exit prints an Exit inside a region.
func (b *body) exit(e *Exit) {
	control := false // of the block?
	if b.r != nil {
		for _, x := range b.r.exits {
			control = control || x == e
		}
	}
	switch {
	case control && e.To == nil && b.r.last:
		b.printf("continue %s\n", b.label(b.loopOf(b.r), "threads"))
	case control && e.To == nil:
		b.printf("p.Leave(1)\ncontinue %s\n", b.label(b.loopOf(b.r), "threads"))
	case control:
		b.stores()
		b.printf("p.Leave(%d)\ncontinue %s\n", b.exitID(e), b.label(b.loopOf(b.r), "threads"))
	case e.Continue:
		b.printf("continue %s\n", b.label(e.To, "loop"))
	default:
		kind := "loop"
		if _, ok := e.To.(*Block); ok {
			kind = "block"
		}
		b.printf("break %s\n", b.label(e.To, kind))
	}
}

// convertTo prints e as a value of type t.
func (b *body) convertTo(e Expr, t types.Type) string {
	switch x := e.(type) {
	case *Const:
		if types.IsInterface(t) && !isTypeParam(t) {
			return b.expr(e)
		}
		return b.constant(x.Val, t, true)
	case *Global:
		if x.Obj == nil {
			return fmt.Sprintf("%s(nil)", b.parenType(t))
		}
	}
	if types.Identical(e.Type(), t) {
		if untyped(e) {
			return fmt.Sprintf("%s(%s)", b.parenType(t), b.expr(e))
		}
		return b.expr(e)
	}
	if types.IsInterface(t) && !isTypeParam(t) {
		return fmt.Sprintf("%s(%s)", b.parenType(t), b.expr(e))
	}
	return fmt.Sprintf("%s(%s)", b.parenType(t), b.expr(e))
}

// untyped reports whether e prints as an expression without a type of its own.
func untyped(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		return true
	case *Binary:
		switch e.Op {
		case token.SHL, token.SHR:
			return untyped(e.X)
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return !types.Identical(e.T, boolType)
		}
		return untyped(e.X) && untyped(e.Y)
	case *Unary:
		return untyped(e.X)
	}
	return false
}

func isTypeParam(t types.Type) bool { _, ok := types.Unalias(t).(*types.TypeParam); return ok }

func (b *body) parenType(t types.Type) string {
	s := b.typ(t)
	if s[0] == '*' || s[0] == '<' || strings.HasPrefix(s, "func") {
		return "(" + s + ")"
	}
	return s
}

func (b *body) untyped(e Expr) string { return e.(*Const).Val.ExactString() }

// constant prints a constant of type t; typed says that the context does not give it its type.
func (b *body) constant(v constant.Value, t types.Type, typed bool) string {
	s := v.ExactString()
	basicT, _ := t.Underlying().(*types.Basic)
	switch v.Kind() {
	case constant.String:
		s = strconv.Quote(constant.StringVal(v))
	case constant.Float, constant.Int:
		if basicT != nil && basicT.Info()&types.IsFloat != 0 || isTypeParam(t) {
			s = floatText(v, t)
		}
	}
	if !typed {
		return s
	}
	if basicT != nil && (types.Identical(t, intType) && v.Kind() == constant.Int ||
		types.Identical(t, boolType) || types.Identical(t, types.Typ[types.String])) {
		return s
	}
	return fmt.Sprintf("%s(%s)", b.typ(t), s)
}

// floatText prints a constant so that it reads well and is the same number of type t.
func floatText(v constant.Value, t types.Type) string {
	if i := constant.ToInt(v); i.Kind() == constant.Int {
		if s := i.ExactString(); len(s) < 16 {
			return s
		}
	}
	if u, ok := t.Underlying().(*types.Basic); ok && u.Kind() == types.Float32 {
		f, _ := constant.Float32Val(v)
		return strconv.FormatFloat(float64(f), 'g', -1, 32)
	} else if ok && u.Kind() == types.Float64 {
		f, _ := constant.Float64Val(v)
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	num, den := constant.Num(constant.ToFloat(v)), constant.Denom(constant.ToFloat(v))
	if num.Kind() != constant.Int || den.Kind() != constant.Int {
		f, _ := constant.Float64Val(v)
		return strconv.FormatFloat(f, 'x', -1, 64)
	}
	return "(" + num.ExactString() + ".0 / " + den.ExactString() + ")"
}

var index3Var = [...]string{"t", "block", "dim", "grid", "origin"}

// expr prints an expression.
func (b *body) expr(e Expr) string {
	switch e := e.(type) {
	case *Const:
		return b.constant(e.Val, e.T, true)
	case *VarRef:
		if s, ok := b.stand[e.V]; ok {
			return s
		}
		if b.atZero && e.V.value != nil {
			if s := b.expr(e.V.value); !strings.ContainsAny(s, " ") {
				return s
			} else {
				return "(" + s + ")"
			}
		}
		if b.view != nil && b.view.ragged != nil && e.V == b.view.ragged.i {
			return b.view.ragged.counter(b)
		}
		if x := b.k.single[e.V]; b.stand != nil && x != nil && !e.V.common {
			return "(" + b.expr(x) + ")"
		}
		return b.name(e.V)
	case *Global:
		if e.Obj == nil {
			return "nil"
		}
		if e.Obj.Pkg() == nil {
			return e.Obj.Name()
		}
		return b.qualifier(e.Obj.Pkg()) + "." + e.Obj.Name()
	case *instance:
		s := b.expr(&e.Global)
		if len(e.targs) > 0 {
			var ts []string
			for _, t := range e.targs {
				ts = append(ts, b.typ(t))
			}
			s += "[" + strings.Join(ts, ", ") + "]"
		}
		return s
	case *Index3:
		if e.Of == threadIdx {
			if b.atZero && e.Axis == 0 {
				return "0"
			}
			return b.partName("t" + string("xyz"[e.Axis]))
		}
		if b.k.wide && e.Of == blockDim && e.Axis == 0 {
			return b.use("sizeX") // dimX is the length of the rows
		}
		switch e.Of {
		case laneInWarp:
			return b.laneText()
		case warpInBlock:
			return "(" + b.use("rank") + " / 32)"
		}
		return b.use(index3Var[e.Of] + string("XYZ"[e.Axis]))
	case *Rank:
		if b.atZero && b.part > 0 && b.axis == 1 {
			return fmt.Sprintf("(row+%d)*%s", b.part, b.use("dimX"))
		}
		if b.atZero {
			return "row*" + b.use("dimX")
		}
		return b.partName(b.use("rank"))
	case *Unary:
		return e.Op.String() + b.operand(e.X, e, false)
	case *Binary:
		x, y := b.operand(e.X, e, false), b.operand(e.Y, e, true)
		if b.atZero {
			switch {
			case e.Op == token.ADD && y == "0":
				return x
			case e.Op == token.ADD && x == "0":
				return y
			case e.Op == token.SUB && y == "0":
				return x
			case e.Op == token.MUL && (x == "0" || y == "0"):
				return "0"
			}
		}
		return x + " " + e.Op.String() + " " + y
	case *Convert:
		if c, ok := e.X.(*Const); ok {
			return fmt.Sprintf("%s(%s)", b.parenType(e.T), b.constant(c.Val, c.T, true))
		}
		return fmt.Sprintf("%s(%s)", b.parenType(e.T), b.expr(e.X))
	case *Index:
		if name := b.common[e]; name != "" {
			return name
		}
		if b.isSure(e) {
			return b.unchecked(e)
		}
		if b.view != nil && b.view.ragged != nil && b.view.ragged.exists(e) {
			return b.view.ragged.element(b, e)
		}
		if b.view != nil {
			if s, ok := b.view.index(b, e); ok {
				return s
			}
		}
		if b.now != nil {
			if s, ok := b.now.line(e); ok {
				return s
			}
		}
		if name, ok := b.run1.element(e); ok {
			return name
		}
		return b.primary(e.X) + "[" + b.indexText(e.I) + "]"
	case *Slice:
		s := b.primary(e.X) + "["
		if e.Lo != nil {
			s += b.indexText(e.Lo)
		}
		s += ":"
		if e.Hi != nil {
			s += b.indexText(e.Hi)
		}
		if e.Max != nil {
			s += ":" + b.indexText(e.Max)
		}
		return s + "]"
	case *Field:
		return b.primary(e.X) + "." + e.Name
	case *Deref:
		return "*" + b.operand(e.X, e, false)
	case *Addr:
		return "&" + b.primary(e.X)
	case *Composite:
		if isTypeParam(e.T) {
			return fmt.Sprintf("*new(%s)", b.typ(e.T))
		}
		var parts []string
		for i, v := range e.Vals {
			s := b.convertIn(v)
			if e.Keys[i] != "" {
				if _, isStruct := e.T.Underlying().(*types.Struct); isStruct {
					s = own + "." + e.Keys[i] + ": " + s
				} else {
					s = e.Keys[i] + ": " + s
				}
			}
			parts = append(parts, s)
		}
		return b.typ(e.T) + "{" + strings.Join(parts, ", ") + "}"
	case *TypeExpr:
		return b.typ(e.T)
	case *Method:
		return "p.Thread()." + e.Name
	case *Call:
		var args []string
		for _, a := range e.Args {
			args = append(args, b.convertIn(a))
		}
		s := strings.Join(args, ", ")
		if e.Dots && len(args) > 0 {
			s += "..."
		}
		if e.Fn == nil {
			return e.Name + "(" + s + ")"
		}
		return b.primary(e.Fn) + "(" + s + ")"
	}
	panic(fmt.Sprintf("expression %T", e))
}

// convertIn prints an operand whose context may not give it its type.
func (b *body) convertIn(e Expr) string { return b.expr(e) }

// indexText prints an index: the context makes constants ints.
func (b *body) indexText(e Expr) string {
	if c, ok := e.(*Const); ok && c.Val.Kind() == constant.Int {
		return c.Val.ExactString()
	}
	return b.expr(e)
}

// primary prints an operand of a selector, an index or a call.
func (b *body) primary(e Expr) string {
	s := b.expr(e)
	switch e.(type) {
	case *Unary, *Binary, *Deref, *Addr:
		return "(" + s + ")"
	case *Composite:
		return "(" + s + ")"
	}
	return s
}

// operand prints an operand of op, in parentheses where needed.
func (b *body) operand(e Expr, of Expr, right bool) string {
	var s string
	if c, ok := e.(*Const); ok {
		// The other operand gives a constant its type, except in shifts.
		if bin, ok := of.(*Binary); ok && bin.Op != token.SHL && bin.Op != token.SHR {
			other := bin.X
			if !right {
				other = bin.Y
			}
			if !untyped(other) && types.Identical(other.Type(), c.T) && !types.IsInterface(c.T) {
				return b.constant(c.Val, c.T, false)
			}
		}
		if bin, ok := of.(*Binary); ok && !right && (bin.Op == token.SHL || bin.Op == token.SHR) && types.Identical(c.T, intType) {
			return "int(" + b.constant(c.Val, c.T, true) + ")" // or a conversion around the shift would give it its type
		}
		return b.constant(c.Val, c.T, true)
	}
	s = b.expr(e)
	x, ok := e.(*Binary)
	if !ok {
		switch e.(type) {
		case *Unary, *Composite:
			return "(" + s + ")"
		}
		return s
	}
	if b.atZero && !strings.ContainsAny(s, " ") {
		return s
	}
	outer, ok := of.(*Binary)
	if !ok {
		return "(" + s + ")"
	}
	if p, q := x.Op.Precedence(), outer.Op.Precedence(); p < q || p == q && right || p == q && outer.Op != x.Op {
		return "(" + s + ")"
	}
	return s
}
