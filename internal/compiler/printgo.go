package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Plain Go for a kernel: one func per kernel, which runs whole blocks.
//
// `Phases.Next` is the loop over blocks. The func itself steps from block to block, within the
// share of blocks that its worker has claimed: a call per block costs about ten nanoseconds more
// than a step, and values that are the same for all blocks are computed once, before the loop.
// `Phases.Current` is the thread that an error names. It is set where a thread can panic, and is -1
// where the code works for the block.
//
// The threads are two nested loops: `row` over y and z, and `tx` over x. A row computes its y and z
// by `rt.RowY` and `RowZ`, which divide only in three-dimensional blocks. A region is printed into
// a string first; the definitions that it turns out to need (rank, ty, recomputed variables) are
// printed before it. Indices such as `x[base+tx]` get a second loop (`view.go`): if all elements of
// the row exist, the slices are cut to the row, Go's compiler eliminates the bounds checks, and the
// current thread need not be stored. Otherwise the first loop runs, and panics in the right thread.
//
// Shared arrays are kept from block to block by `Phases.Keep`, and requested once, if all of them
// are declared outside branches and loops, before threads may return, with lengths that depend only
// on arguments and sizes.
//
// The constructor returns `rt.Compiled` of the kernel's `Forms`, which is the same for all
// launches, and of one closure that runs the source or the compiled body. Two closures cost one
// more allocation and a second copy of the arguments, a tenth of the time of SAXPY on 2^16
// elements. Kernels that call functions of unknown behaviour are marked (`foreign`,
// `CompiledCalling`). Such a call may end its goroutine, so the launching goroutine does not run
// these kernels itself.

// printerNames are the identifiers that generated code declares itself, so that no variable of a
// kernel may have them.
var printerNames = []string{
	"nth", "many", "from", "to", "b", "p", "blocks", "threads", "tx", "ty", "tz", "row", "rows", "rank", "state", "threads", "lo", "hi", "votes", "thread",
	"m", "lane", "on", "tx_2", "tx_3", "tx_4", "tx_5", "tx_6", "tx_7", "tx_8",
	"ty_2", "ty_3", "ty_4", "ty_5", "ty_6", "ty_7", "ty_8", "rank_2", "rank_3", "rank_4", "rank_5", "rank_6", "rank_7", "rank_8", "bits", "dimX", "dimY", "dimZ", "blockX", "blockY", "blockZ", "gridX", "gridY", "gridZ", "alive", "originX", "originY", "sizeX", "sizeY", "ranks", "atX", "t", "gocuda", "rt",
}

// A printer writes the code of one file.
type printer struct {
	prog    *program
	root    *pkg
	imports map[string]string // from path to name
	names   map[string]bool   // names that imports must not have
	out     strings.Builder
	line    token.Position // the source position in the last //line directive
	embeds  bool           // the file imports package embed
	nests   *nestFiles     // collects the assembly; nil if no assembly is generated
	tables  []table        // package-level variables for the constant arrays of kernels
	complex bool           // the text has complex numbers
	forked  bool           // it prints one kernel; see fork
}

// A body is a kernel being printed.
type body struct {
	tries     int // how many warp sections have been tried
	inSection bool
	sliced    map[*Var]sliced
	nestVars  map[nestVar]*Var
	fieldVars map[string]*Var // see withFields
	differing map[string]bool // see differsInBlocks
	local     map[*Var]*Var   // see inMemory
	ownMemory map[string]bool // the slices of arrays that no other region uses
	*printer
	k       *Kernel
	names   map[string]bool
	memos   []string  // bools that are declared before the loop over blocks
	started []started // what is known of arguments, and declared there too
	// what is the same for all blocks, once sameForBlocks has been asked
	constants map[string]bool
	used      map[string]bool // the printerNames in use
	array     map[*Var]string // the names of the arrays of spread variables
	labels    map[Stmt]string
	rejoin    []string       // labels of the enclosing statements in which threads may part
	within    map[string]int // for each labelled statement, the length of rejoin at its beginning

	r *region // the region being printed
	// the spread and copied variables that each thread stores at the end of the region
	outs []*Var
	born map[*Var]bool // the variables of own whose declaration has been printed
	own  map[*Var]bool // the variables of outs that the region itself declares
	// for variables of the block that the region assigns, the name of the copy that takes the
	// result
	copies map[*Var]string
	atZero bool // expressions are printed for threadIdx.x = 0, as for bases of guards

	// For a loop over threads that takes several threads per iteration: how many, and the current
	// one.
	parts, part int
	partNames   map[partKey]string
	stand       map[*Var]string // expressions to print in place of variables

	view   *view         // the second loop of the current region
	run1   *run          // the current loop within one thread
	sure   map[*Var]bool // slices that contain all elements that the current loop of a thread uses
	sureAt *Var          // the induction variable of that loop
	// the variables that hold elements which all threads of a jammed statement read
	common   map[*Index]string
	alone    bool      // each thread of a jammed statement has its own scope
	together *rounding // the current loop, whose iterations all threads of the group execute
	flat     *flat     // the current loop of the block, if its iterations may be one row

	fn        string   // the name of the func
	rows      int      // the number of loops over rows that were outlined into funcs
	outlined  []string // the text of these funcs
	nested    map[*region]*nested
	notNarrow map[*Var]bool // integers that should be narrow, but can't be
}

// varies reports whether a value of shape s differs between the threads that one iteration of the
// loop over threads executes.
func (b *body) varies(s shape) bool { return b.parts > 1 && s[0] != 0 }

// name is the name of a variable, for the thread being printed.
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

// A partKey is a variable of one of the threads that an iteration of the loop over threads
// executes.
type partKey struct {
	v    *Var
	part int
}

// partName is the name of tx, ty or rank, for the thread being printed.
func (b *body) partName(name string) string {
	if b.part == 0 || name == "ty" || name == "tz" {
		return name
	}
	return fmt.Sprintf("%s_%d", name, b.part+1)
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

// at attributes the following lines to the source position pos, by a //line directive.
func (p *printer) at(pos token.Pos) {
	if !pos.IsValid() {
		return
	}
	q := p.prog.fset.Position(pos)
	if p.line.IsValid() && p.prog.foreign(p.root, q.Filename) {
		return // the preceding //line names the position of the call in the root package
	}
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

// placeholder is the prefix of temporary names of imports.
const placeholder = "imported"

// importName returns the name of an imported package. A name that is in printerNames, or not ASCII,
// gets a placeholder while the file is being printed; see keepOwnPackages.
func (p *printer) importName(path, name string) string {
	if n, ok := p.imports[path]; ok {
		return n
	}
	n := name
	if slices.Contains(printerNames, name) && path != corePath && path != rtPath && path != "math/bits" || ascii(name) != name {
		n = placeholder
	}
	n = uniqueName(p.names, n)
	p.imports[path] = n
	return n
}

func (p *printer) typ(t types.Type) string {
	return ascii(types.TypeString(markFields(t), p.qualifier))
}

// markFields returns t with marked names for the fields of unnamed structs, so that they are not
// mistaken for variables; see own.
func markFields(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Struct:
		var fields []*types.Var
		var tags []string
		for i := range t.NumFields() {
			f := t.Field(i)
			name := f.Name()
			if !f.Embedded() && name != "_" {
				name = own + "." + name
			}
			fields = append(fields, types.NewField(f.Pos(), f.Pkg(), name, markFields(f.Type()), f.Embedded()))
			tags = append(tags, t.Tag(i))
		}
		return types.NewStruct(fields, tags)
	case *types.Array:
		return types.NewArray(markFields(t.Elem()), t.Len())
	case *types.Slice:
		return types.NewSlice(markFields(t.Elem()))
	case *types.Pointer:
		return types.NewPointer(markFields(t.Elem()))
	}
	return t
}

// core is the import name of package gocuda, rt that of the package that generated code calls.
func (p *printer) core() string { return p.importName(corePath, "gocuda") }
func (p *printer) rt() string   { return p.importName(rtPath, "rt") }

// generated is the name of a declaration generated for k: the kernel's name with a suffix, and with
// underscores appended if the package already declares that name.
func (p *printer) generated(k *Kernel, suffix string) string {
	name := ascii(k.Name) + suffix
	for p.root.declares(name) {
		name += "_"
	}
	return name
}

// bodyName is the name of the func printed for k.
func (p *printer) bodyName(k *Kernel) string { return p.generated(k, "Body") }

// formsName is the name of the variable that lists the forms of k.
func (p *printer) formsName(k *Kernel) string { return p.generated(k, "Forms") }

// typeParams returns the type parameters of k as a declaration and as a list of arguments.
func (p *printer) typeParams(k *Kernel) (decl, args string) {
	if k.TypeParams.Len() == 0 || k.targs != nil {
		return "", ""
	}
	var ds, as []string
	for tp := range k.printedParams().TypeParams() {
		name := ascii(tp.Obj().Name())
		ds = append(ds, name+" "+p.typ(tp.Constraint()))
		as = append(as, name)
	}
	return "[" + strings.Join(ds, ", ") + "]", "[" + strings.Join(as, ", ") + "]"
}

// params returns the parameters of a block's func as a declaration and as a list of arguments.
func (p *printer) params(k *Kernel) (decl, args string, list []string) {
	return p.paramsAs(k, k.Params, func(v *Var) types.Type { return v.Type })
}

// sourceParams returns the parameters of the kernel in the source.
func (p *printer) sourceParams(k *Kernel) (decl, args string, list []string) {
	return p.paramsAs(k, k.Params[:len(k.Params)-len(k.from)], func(v *Var) types.Type {
		if t := k.pointers[v]; t != nil {
			return t
		}
		return v.Type
	})
}

func (p *printer) paramsAs(k *Kernel, params []*Var, typeOf func(v *Var) types.Type) (decl, args string, list []string) {
	var ds, as []string
	for i, v := range params {
		t := p.typ(typeOf(v))
		if k.Variadic && i == len(k.Params)-1 {
			t = "..." + p.typ(v.Type.Underlying().(*types.Slice).Elem())
		}
		ds = append(ds, v.Name+" "+t)
		as = append(as, v.Name)
	}
	return strings.Join(ds, ", "), strings.Join(as, ", "), as
}

// body prints the func of a kernel, and the one for blocks of other dimensions that it calls.
func (p *printer) body(k *Kernel, name string) {
	if k.planes == nil {
		p.bodyOf(k, name, "")
		return
	}
	other := name + "_rows_"
	for p.root.declares(other) {
		other += "_"
	}
	p.bodyOf(k, name, other)
	p.bodyOf(k.planes, other, "")
}

// bodyOf prints a func of a kernel. With other blocks it calls the func other.
func (p *printer) bodyOf(k *Kernel, name, other string) {
	b := &body{printer: p, k: k, fn: name, names: map[string]bool{}, used: map[string]bool{}, array: map[*Var]string{},
		labels: map[Stmt]string{}, copies: map[*Var]string{}, partNames: map[partKey]string{}}
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
	params, args, _ := p.params(k)
	whole := p.out
	p.out = strings.Builder{}
	defer func() {
		text := b.keepOwn(p.out.String())
		p.out = whole
		p.out.WriteString(text)
	}()
	p.printf("// %s is %s for a block: %s.\n", name, ascii(k.Name), plural(k.phases, "phase"))
	p.printf("func %s%s(b *%s.Block, p *%s.Phases", name, decl, p.core(), p.rt())
	if params != "" {
		p.printf(", %s", params)
	}
	p.printf(") {\n")
	if other != "" {
		_, targs := p.typeParams(k)
		p.printf("if b.BlockDim.X != %d {\n%s%s(b, p, %s)\nreturn\n}\n", k.side, other, targs, args)
	}
	for _, of := range []struct{ name, field string }{{"dim", "BlockDim"}, {"grid", "GridDim"}} {
		for _, axis := range []string{"X", "Y", "Z"} {
			switch {
			case k.linear && of.name+axis == "dimX" && b.used["dimX"]:
				p.printf("dimX := b.BlockDim.X * b.BlockDim.Y\n")
			case k.linear && of.name+axis == "dimY" && b.used["dimY"]:
				p.printf("const dimY = 1\n")
			case b.used[of.name+axis] && !(k.wide && of.name+axis == "dimX") && !(k.tall && of.name+axis == "dimY"):
				p.printf("%s%s := b.%s.%s\n", of.name, axis, of.field, axis)
			}
		}
	}
	for _, axis := range []string{"X", "Y"} {
		if b.used["size"+axis] {
			p.printf("size%s := b.BlockDim.%s\n", axis, axis)
		}
	}
	switch {
	case !b.used["rows"] || k.tall:
	case k.linear:
		p.printf("rows := b.BlockDim.Z\n")
	default:
		p.printf("rows := b.BlockDim.Y * b.BlockDim.Z\n")
	}
	for _, v := range k.Vars {
		switch {
		case v.spread:
			local := fmt.Sprintf("%s.Local[%s](b)", p.core(), p.typ(v.Type))
			if n, of, ok := b.byColumns(v); ok {
				local = fmt.Sprintf("%s.Numbers[%s](%s, %d)", p.rt(), p.typ(of), local, n)
			}
			p.printf("%s := %s\n", b.array[v], local)
		}
	}
	b.localArrays(text)
	if allocs := k.keptAllocs(); len(allocs) > 0 {
		p.printf("p.Current = 0\n")
		for _, a := range allocs {
			b.alloc(a)
		}
		p.printf("p.Keep()\n")
	}
	sums := b.beginSums()
	if len(b.memos) > 0 {
		p.printf("var %s bool\n", strings.Join(b.memos, ", "))
	}
	b.starts(text)
	if strings.Contains(text, "continue blocks\n") {
		p.printf("blocks:\n")
	}
	switch {
	case k.tall:
		p.printf("for p.NextBox() {\n")
	case k.wide:
		p.printf("for p.NextRow() {\n")
	default:
		p.printf("for p.Next() {\n")
	}
	for _, axis := range []string{"X", "Y"} {
		if b.used["origin"+axis] {
			p.printf("origin%s := b.BlockIdx.%s * b.BlockDim.%s\n", axis, axis, axis)
		}
	}
	if k.each > 1 {
		p.printf("p.Each(%d)\n", k.each)
	}
	if k.wide && b.used["dimX"] {
		p.printf("dimX := p.Row\n")
	}
	if k.tall && b.used["dimY"] {
		p.printf("dimY := p.Rows\n")
	}
	if k.tall && b.used["rows"] {
		p.printf("rows := p.Rows * b.BlockDim.Z\n")
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
	p.printf("%s}\n%s}\n\n", text, sums)
	for _, f := range b.needed(text) {
		p.printf("%s", f)
	}
}

// use records that generated code needs one of the printerNames.
func (b *body) use(name string) string {
	b.used[name] = true
	return name
}

// declared reports whether the statement that defines a common variable also declares it.
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
		case *syncThreads:
			found = found || n.s.Dst == v
		}
	})
	return found
}

// alloc prints a shared array.
func (b *body) alloc(n *alloc) {
	b.at(n.s.Pos)
	if n.s.N == nil {
		b.printf("%s := %s.DynamicShared[%s](b)\n", n.s.Dst.Name, b.core(), b.typ(n.s.Elem))
	} else {
		b.printf("%s := %s.Shared[%s](b, %s)\n", n.s.Dst.Name, b.core(), b.typ(n.s.Elem), b.expr(n.s.N))
	}
	b.printf("_ = %s\n", n.s.Dst.Name)
}

// keptAllocs returns the shared arrays of a kernel if they are the same in all blocks, so that each
// block can reuse those of the previous one. That holds if they are declared outside branches and
// loops, before threads may return, with lengths that depend only on arguments and sizes.
func (k *Kernel) keptAllocs() []*alloc {
	var list []*alloc
	all := 0
	eachNode(k.nodes, func(n node) {
		if _, ok := n.(*alloc); ok {
			all++
		}
	})
	assigned := assignedIn(&Block{Body: k.Body})
	for _, n := range k.nodes {
		a, ok := n.(*alloc)
		if !ok {
			if r, isRegion := n.(*region); isRegion && !anyStmt(r.stmts, func(s Stmt) bool { _, exits := s.(*Exit); return exits }) {
				continue
			}
			if _, isOnce := n.(*once); isOnce {
				continue
			}
			break // some threads may not reach the following statements
		}
		same := true
		if a.s.N != nil {
			walkExpr(a.s.N, func(x Expr) {
				switch x := x.(type) {
				case *Const, *Convert:
				case *VarRef:
					same = same && x.V.Param && !x.V.addr && !assigned[x.V]
				case *Index3:
					same = same && (x.Of == blockDim || x.Of == gridDim || x.Of == side)
				case *Binary:
					same = same && (x.Op == token.ADD || x.Op == token.SUB || x.Op == token.MUL)
				default:
					same = false
				}
			})
		}
		if same {
			list = append(list, a)
		}
	}
	if len(list) < all || k.foreign {
		return nil
	}
	return list
}

// nodes prints the program of a block.
func (b *body) nodes(list []node) {
	for i := 0; i < len(list); {
		if s, end := b.sectionAt(list, i); s != nil {
			b.sectionCall(s, func() { b.phases(list[i:end]) })
			i = end
			continue
		}
		b.phases(list[i : i+1])
		i++
	}
}

// phases prints nodes one by one.
func (b *body) phases(list []node) {
	for _, n := range list {
		switch n := n.(type) {
		case *region:
			b.region(n)
		case *once:
			b.once(n.stmts)
		case *syncThreads:
			b.sync(n.s)
		case *meet:
			b.meet(n.s)
		case *alloc:
			if b.k.keptAllocs() != nil {
				continue
			}
			if n.s.N != nil {
				b.printf("p.First()\n")
			}
			b.alloc(n)
			b.printf("p.Current = -1\n")
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

// joins prints the join of threads that have left a statement before others, if any may have.
func (b *body) joins(list []node, id int) bool {
	if b.partsIn(list) {
		b.printf("p.Join(%d)\n", id)
		return true
	}
	return false
}

// partsIn reports whether threads may leave the statement with the body list before others.
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
	return any || b.leavesParted(list, nil, false)
}

func (b *body) label(s Stmt, kind string) string {
	if b.labels[s] == "" {
		b.labels[s] = uniqueName(b.names, kind)
	}
	return b.labels[s]
}

// opens records how many enclosing statements let threads part, at the beginning of a labelled
// statement.
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
		// Other threads wait at the end of an enclosing statement, or of the statement that is
		// left, and still take part behind it.
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

// first sets the first live thread as the current one if list can panic, so that an error names it.
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

// ask prints code that counts the threads for which cond holds, into a variable of the given name.
// If why is not 0, the other threads leave with the number why.
func (b *body) ask(votes string, cond Expr, why int) {
	lo, hi, checks, ok := b.neighboursWhere(cond)
	b.printf("%s := 0\n", votes)
	if ok {
		among := fmt.Sprintf("%s = p.Among(%s, %s, %d)\n", votes, lo, hi, why)
		if checks == "" {
			b.printf("%s", among)
			return
		}
		b.printf("if %s {\n%s} else {\n", checks, among)
		defer b.printf("}\n")
	}
	b.threads(&region{stmts: []Stmt{&If{Cond: cond}}}, func() {
		b.printf("if %s {\n%s++\n}", b.expr(cond), votes)
		if why != 0 {
			b.printf(" else {\np.Leave(%d)\n}", why)
		}
		b.printf("\n")
	})
	b.printf("p.Current = -1\n")
}

func (b *body) branch(n *branch) {
	b.at(n.s.Pos)
	pos := b.prog.shortPos(b.root, n.s.Pos)
	switch {
	case n.s.over != nil:
		b.collapsed(n)
	case n.s.whole:
		b.printIf(n.s.Cond)
		b.nodes(n.then)
		b.printf("} else {\n")
		tracked := b.k.tracked
		if tracks(n.els) && !tracked {
			b.k.tracked = true
			b.printf("state := p.Track()\n_ = state\n")
		}
		b.nodes(n.els)
		b.k.tracked = tracked
		b.printf("}\n")
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
		b.ask(votes, n.s.Cond, 0)
		b.printf("if p.Agree(%s, %q) {\n", votes, pos)
		b.nodes(n.then)
		if len(n.els) > 0 {
			b.printf("} else {\n")
			b.nodes(n.els)
		}
		b.printf("}\n")
	default:
		// The threads for which the condition is false wait during the first branch, the others
		// during the second.
		votes := uniqueName(b.names, "votes")
		id := n.id
		b.ask(votes, n.s.Cond, id)
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

// gone prints a jump behind the current statement if no thread is left in it: all have returned or
// wait.
func (b *body) gone() {
	if b.k.tracked {
		b.printf("if p.Live == 0 {\n%s\n}\n", b.away())
	}
}

// away prints a jump to the next place where threads that have left can take part again: the end of
// the innermost enclosing statement in which threads may part, or the next block.
func (b *body) away() string {
	if n := len(b.rejoin); n > 0 {
		return "break " + b.rejoin[n-1]
	}
	return "continue blocks"
}

// parting prints nodes that some threads may leave while other threads wait at their end.
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

func (b *body) printIf(cond Expr) {
	if mayPanic(cond) {
		b.printf("p.First()\n")
	}
	b.printf("if %s {\n", b.expr(cond))
}

func (b *body) loop(n *loop) {
	b.at(n.s.Pos)
	begin := b.out.Len()
	b.flat = flatLoop(n)
	defer func() { b.putFlat(begin) }()
	l := b.label(n.s, "loop")
	pos := b.prog.shortPos(b.root, n.s.Pos)
	simplePost := len(n.post) == 0
	b.opens(l)
	b.printf("%s:\n", l)
	first := ""
	if !simplePost {
		// The post statement runs before every iteration but the first, so that continue reaches
		// it.
		first = uniqueName(b.names, "first")
		b.printf("for %s := true; ; %s = false {\n", first, first)
		b.printf("if !%s {\n", first)
		b.nodes(n.post)
		b.printf("}\n")
	} else {
		b.printf("for {\n")
	}
	b.poll(n.s)
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
		b.ask(votes, n.s.Cond, n.id)
		b.printf("if %s == 0 {\nbreak %s\n}\n", votes, l)
	default:
		votes := uniqueName(b.names, "votes")
		b.ask(votes, n.s.Cond, 0)
		b.printf("if !p.Agree(%s, %q) {\nbreak %s\n}\n", votes, pos, l)
	}
	parts := n.asks && n.parts || b.partsIn(n.body)
	if parts {
		b.rejoin = append(b.rejoin, l)
	}
	ends := false
	if b.waitsForRound(n) {
		// Threads that wait for the next iteration rejoin, however the others end this one.
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
	before := len(b.out.String())
	if n.asks && n.parts || b.waitsForRound(n) && leavesLoop(n) {
		b.printf("p.Join(%d)\n", n.id)
	} else {
		b.joins(n.body, n.id)
	}
	if len(b.out.String()) > before {
		b.gone()
	}
}

// leavesParted reports whether list has an exit out of s, or with continues an exit to its next
// iteration, inside a statement at whose end other threads may wait. A nil s stands for any
// statement.
func (b *body) leavesParted(list []node, s Stmt, continues bool) bool {
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
			} else if b.waitsForRound(n) && (s != nil || leavesLoop(n)) {
				inside = n.body
			}
		}
		eachLeave(inside, func(e *Exit) {
			if s == nil || e.To == s && e.Continue == continues {
				found = true
			}
		})
	})
	return found
}

// leavesLoop reports whether n has an exit that is no continue of n itself.
func leavesLoop(n *loop) bool {
	found := false
	eachLeave(n.body, func(e *Exit) {
		if e.To != Stmt(n.s) || !e.Continue {
			found = true
		}
	})
	return found
}

// eachLeave calls f for the exits in list that the block may take as a whole: the unconditional
// ones, and the exits of regions, which all threads may happen to take together.
func eachLeave(list []node, f func(e *Exit)) {
	eachNode(list, func(n node) {
		switch n := n.(type) {
		case *leave:
			f(n.s)
		case *region:
			for _, e := range n.exits {
				if e.To != nil {
					f(e)
				}
			}
		}
	})
}

// waitsForRound reports whether some threads may wait for the next iteration of a loop while others
// go on.
func (b *body) waitsForRound(n *loop) bool {
	any := b.leavesParted(n.body, n.s, true)
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

// usesLabel reports whether an exit in n breaks out of s or continues it.
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
	b.ask(votes, s.Pred, 0)
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
			return fmt.Sprintf("%s.Operand[%s]{Each: %s}", b.rt(), b.typ(t), b.array[r.V])
		}
		return fmt.Sprintf("%s.Operand[%s]{All: %s}", b.rt(), b.typ(t), b.convertTo(e, t))
	}
	to := func(v *Var) string {
		if v.spread {
			return b.array[v]
		}
		return "nil"
	}
	if s.Op == "ActiveMask" {
		b.printf("%s.ActiveLanes(p, %s)\n", b.rt(), to(s.Dst))
		return
	}
	m := fmt.Sprintf("%s.Meeting{Op: %q, Pos: %q, Mask: %s", b.rt(), s.Op, b.prog.shortPos(b.root, s.Pos), operand(s.Mask, types.Typ[types.Uint32]))
	if s.last {
		m += ", Last: true"
	}
	m += "}"
	switch s.Op {
	case "SyncWarp":
		b.printf("%s.SyncLanes(p, %s)\n", b.rt(), m)
	case "BallotSync":
		b.printf("%s.BallotLanes(p, %s, %s, %s)\n", b.rt(), m, to(s.Dst), operand(s.Args[0], boolType))
	case "AllSync", "AnySync":
		b.printf("%s.VoteLanes(p, %s, %s, %s)\n", b.rt(), m, to(s.Dst), operand(s.Args[0], boolType))
	case "MatchAnySync":
		b.printf("%s.MatchLanes(p, %s, %s, nil, %s)\n", b.rt(), m, to(s.Dst), operand(s.Args[0], s.T))
	case "MatchAllSync":
		b.printf("%s.MatchLanes(p, %s, %s, %s, %s)\n", b.rt(), m, to(s.Dst), to(s.All), operand(s.Args[0], s.T))
	case "ShflSync", "ShflUpSync", "ShflDownSync", "ShflXorSync":
		b.printf("%s.ShflLanes(p, %s, %s, %s, %s, %s)\n", b.rt(), m, to(s.Dst), operand(s.Args[0], s.T),
			operand(s.Args[1], intType), operand(s.Args[2], intType))
	default:
		b.printf("%s.ReduceLanes(p, %s, %s, %s)\n", b.rt(), m, to(s.Dst), operand(s.Args[0], s.T))
	}
}

// exitID is the number under which threads that take e are recorded as away.
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
