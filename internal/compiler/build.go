package compiler

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Building: from the syntax tree to the intermediate representation, with inlining.
//
// A call of a func whose source is available is replaced by its body, in a `Block` that return
// leaves. Inlining is required if the callee takes the Thread, since it may contain barriers, and
// preferred otherwise. If it fails for a callee without the Thread, everything is undone and the
// call stays a call. Structs of up to 16 numbers are split into their fields, closures and pointers
// to known places are resolved at build time (the kinds of `binding`), and every variable gets a
// unique name. Source that can't be translated panics with `unsupported`, which ends the
// translation of the kernel with a position and a reason.

const (
	corePath   = "github.com/gocuda/gocuda/gocuda"
	rtPath     = "github.com/gocuda/gocuda/gocuda/rt"
	gridPath   = "github.com/gocuda/gocuda/grid"
	atomicPath = "github.com/gocuda/gocuda/atomic"
	groupsPath = "github.com/gocuda/gocuda/cg"
)

// unsupported is the panic that ends a translation, with the reason.
type unsupported struct {
	pos token.Pos
	why string
}

// again is the panic that restarts a translation.
type again struct{}

func fail(pos token.Pos, format string, args ...any) {
	why := fmt.Sprintf(format, args...)
	// messages of the type checker may have several lines
	panic(unsupported{pos, strings.Join(strings.Fields(why), " ")})
}

type builder struct {
	prog  *program
	root  *pkg
	k     *Kernel
	names map[string]bool
	out   []Stmt
	loops []*For // the enclosing loops
	size  int    // the number of statements translated so far, with those of inlined helpers once per call
	depth int    // the nesting depth of the current expression

	// inMemory holds the declarations of structs that are not split, because pointers to them
	// escape the analysis.
	inMemory map[any]bool
}

// A frame is a function being inlined into the kernel.
type frame struct {
	pkg     *pkg
	outer   *frame // for a closure, the frame that declares it
	fn      *types.Func
	caller  *frame
	env     map[types.Object]binding
	targs   map[*types.TypeParam]types.Type
	mutated map[types.Object]bool
	results []binding
	exit    *Block // the block that return leaves; nil for the kernel itself
	targets []target
	named   []types.Object // named results
	// discarded is the call whose result the current statement does not use.
	discarded *ast.CallExpr
}

// A target is a statement that break and continue may refer to.
type target struct {
	label string
	brk   Stmt
	cont  *For
	// labelOnly says that only a break with the label leaves the statement: it is a block or an if.
	labelOnly bool
}

// A binding is the value of a name or an expression at build time.
type binding interface{}

type (
	thread    struct{} // the Thread
	aggregate struct { // a struct, field by field
		t      types.Type
		st     *types.Struct
		fields []binding
		of     any // the declaration of the variable that contains it; see intoMemory
	}
	pointer struct { // a pointer whose target is known
		to binding
		t  types.Type
	}
	closure struct {
		lit   *ast.FuncLit
		frame *frame
	}
	funcValue struct { // a declared function as a value
		fn    *types.Func
		targs []types.Type
		pos   token.Pos
	}
)

// reach adds p and its transitive imports to reached.
func reach(p *types.Package, reached map[*types.Package]bool) {
	if reached[p] {
		return
	}
	reached[p] = true
	for _, q := range p.Imports() {
		reach(q, reached)
	}
}

// build translates the function of d into a Kernel.
func build(prog *program, root *pkg, d *ast.FuncDecl, words []string, targs map[*types.TypeParam]types.Type) *Kernel {
	memory := map[any]bool{}
	for {
		known := len(memory)
		if k := buildWith(prog, root, d, words, targs, memory); len(memory) == known {
			return k
		}
	}
}

// buildWith is build with the structs in memory not split. If it finds a further such struct, it
// adds that to memory, and its result is invalid.
func buildWith(prog *program, root *pkg, d *ast.FuncDecl, words []string, targs map[*types.TypeParam]types.Type, memory map[any]bool) (k *Kernel) {
	k = &Kernel{Name: d.Name.Name, Pos: d.Name.Pos()}
	k.Fastmath = slices.Contains(words, "fastmath")
	b := &builder{prog: prog, root: root, k: k, names: reservedNames(root), inMemory: memory}
	reached := map[*types.Package]bool{}
	reach(root.types, reached)
	for _, q := range prog.pkgs {
		if !reached[q.types] {
			continue // packages translated in the same run must not affect the output
		}
		// Inlined helpers of other packages may need their imports.
		b.names[q.name] = true
		for _, i := range q.types.Imports() {
			b.names[i.Name()] = true
		}
	}
	k.names = b.names
	k.read = []funcDecl{{root, d}}
	reserveGenerated(b.names, k.Name)
	defer func() {
		switch v := recover().(type) {
		case nil:
		case unsupported:
			k.refuse(v.pos, v.why)
		case again:
		default:
			k.refuseMistake(v)
		}
	}()
	obj := root.info.Defs[d.Name].(*types.Func)
	sig := obj.Signature()
	if err := root.errorIn(d.Pos(), d.End()); err != nil {
		fail(err.(types.Error).Pos, "%s", err.(types.Error).Msg)
	}
	k.TypeParams = sig.TypeParams()
	if targs == nil {
		targs = k.renameTypeParams()
	}
	k.Variadic = sig.Variadic()
	f := &frame{pkg: root, fn: obj, env: map[types.Object]binding{}, targs: targs, mutated: mutatedIn(root, d.Body)}
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		if i == 0 {
			f.env[v] = thread{}
			continue
		}
		name := v.Name()
		if name == "_" || name == "" {
			name = "unused"
		}
		p := b.newVar(name, b.subst(f, v.Type()), v.Pos())
		p.Param = true
		k.Params = append(k.Params, p)
		f.env[v] = &VarRef{p}
		if f.mutated[v] {
			// A parameter is the same for all threads; a thread that assigns it needs a copy of its
			// own.
			own := b.declare(f, v.Name(), v, p.Type)
			mark(own, true)
			b.assign(own, &VarRef{p}, v.Pos(), true)
		}
	}
	b.block(f, d.Body.List)
	k.Body = tidy(b.out)
	return k
}

func (b *builder) newVar(name string, t types.Type, pos token.Pos) *Var {
	v := &Var{Name: uniqueName(b.names, name), Type: t, Pos: pos}
	if n := len(b.loops); n > 0 {
		v.In = b.loops[n-1]
	}
	b.k.Vars = append(b.k.Vars, v)
	return v
}

func (b *builder) emit(s Stmt) { b.out = append(b.out, s) }

// nested returns the statements that f emits as a separate list.
func (b *builder) nested(f func()) []Stmt {
	saved := b.out
	b.out = nil
	f()
	list := b.out
	b.out = saved
	return list
}

// mutatedIn returns the variables that body assigns after their declaration, or whose address it
// takes.
func mutatedIn(p *pkg, body ast.Node) map[types.Object]bool {
	m := map[types.Object]bool{}
	mark := func(e ast.Expr) {
		for {
			switch x := e.(type) {
			case *ast.ParenExpr:
				e = x.X
			case *ast.SelectorExpr:
				if _, ptr := p.info.TypeOf(x.X).Underlying().(*types.Pointer); ptr {
					return
				}
				e = x.X
			case *ast.IndexExpr:
				if _, arr := p.info.TypeOf(x.X).Underlying().(*types.Array); !arr {
					return
				}
				e = x.X
			case *ast.SliceExpr:
				if _, arr := p.info.TypeOf(x.X).Underlying().(*types.Array); !arr {
					return
				}
				e = x.X
			case *ast.Ident:
				if o := p.info.Uses[x]; o != nil {
					m[o] = true
				}
				return
			default:
				return
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				mark(l)
			}
		case *ast.IncDecStmt:
			mark(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				mark(n.Key)
				if n.Value != nil {
					mark(n.Value)
				}
			}
		case *ast.ForStmt:
			// The counter of a loop header needs no special case: its post statement has marked it.
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				mark(n.X)
			}
		case *ast.SliceExpr:
			mark(n)
		case *ast.CallExpr:
			// A method with a pointer receiver takes the address.
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				if s := p.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
					if fn, ok := s.Obj().(*types.Func); ok {
						_, already := p.info.TypeOf(sel.X).Underlying().(*types.Pointer)
						if _, ptr := fn.Signature().Recv().Type().(*types.Pointer); ptr && !already {
							mark(sel.X)
						}
					}
				}
			}
		}
		return true
	})
	return m
}

// lookup finds the binding of obj in f or an enclosing function.
func (f *frame) lookup(obj types.Object) (binding, bool) {
	for ; f != nil; f = f.outer {
		if v, ok := f.env[obj]; ok {
			return v, true
		}
	}
	return nil, false
}

// splits returns the struct type under t if variables of type t are split into fields, and nil
// otherwise.
func (b *builder) splits(t types.Type) *types.Struct {
	st, ok := structUnder(t)
	if !ok || b.fieldCount(t) > 16 || st.NumFields() == 0 {
		return nil
	}
	return st
}

func (b *builder) fieldCount(t types.Type) int {
	st, ok := t.Underlying().(*types.Struct)
	switch {
	case isComplex(t):
		return 2
	case !ok:
		return 1
	}
	n := 0
	for i := range st.NumFields() {
		fld := st.Field(i)
		if fld.Name() == "_" || !fld.Exported() && fld.Pkg() != b.root.types || fld.Embedded() {
			return 1000
		}
		n += b.fieldCount(fld.Type())
	}
	return n
}

// declare makes a variable, binds obj to it unless obj is nil, and returns its binding.
func (b *builder) declare(f *frame, name string, obj types.Object, t types.Type) binding {
	pos := token.NoPos
	var of any
	if obj != nil {
		pos, of = obj.Pos(), obj
	}
	v := b.roomOf(of, name, t, pos)
	said(v, name)
	if obj != nil {
		f.env[obj] = v
	}
	return v
}

// room makes the variables for a value of type t.
func (b *builder) room(name string, t types.Type, pos token.Pos) binding {
	return b.roomOf(nil, name, t, pos)
}

// roomOf is room for a declaration in the source: a types.Object or a literal.
func (b *builder) roomOf(of any, name string, t types.Type, pos token.Pos) binding {
	if b.inMemory[of] {
		b.printable(t, pos)
		v := b.newVar(name, t, pos)
		v.addr, v.defs = true, 1
		return &VarRef{v}
	}
	if st := b.splits(t); st != nil {
		a := &aggregate{t: t, st: st, of: of}
		for i := range st.NumFields() {
			fld := st.Field(i)
			a.fields = append(a.fields, b.roomOf(of, name+capitalized(fld.Name()), fld.Type(), pos))
		}
		return a
	}
	b.printable(t, pos)
	return &VarRef{b.newVar(name, t, pos)}
}

// said records the source names of the variables in v.
func said(v binding, name string) {
	switch v := v.(type) {
	case *VarRef:
		v.V.Said = name
	case *aggregate:
		for i, field := range v.fields {
			said(field, name+"."+v.st.Field(i).Name())
		}
	}
}

func capitalized(s string) string {
	if s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

// printable fails if t can't be named in a file of the root package.
func (b *builder) printable(t types.Type, pos token.Pos) {
	seen := map[types.Type]bool{}
	var visit func(types.Type)
	visit = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			o := t.Obj()
			if o.Pkg() != nil {
				if o.Parent() != o.Pkg().Scope() {
					fail(pos, "the type %s is declared inside a function", o.Name())
				}
				b.mayName(o, "the type ", pos)
			}
			for i := range t.TypeArgs().Len() {
				visit(t.TypeArgs().At(i))
			}
		case *types.Alias:
			visit(types.Unalias(t))
		case *types.Pointer:
			visit(t.Elem())
		case *types.Slice:
			visit(t.Elem())
		case *types.Array:
			visit(t.Elem())
		case *types.Struct:
			for i := range t.NumFields() {
				visit(t.Field(i).Type())
			}
		case *types.Chan:
			fail(pos, "channels are not translated")
		case *types.Map:
			fail(pos, "maps are not translated")
		}
	}
	visit(t)
	if isThread(t) {
		fail(pos, "the Thread is kept in a variable")
	}
}

// isThread reports whether t is *gocuda.Thread.
func isThread(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Name() == "Thread" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == corePath
}

func (b *builder) typeOf(f *frame, e ast.Expr) types.Type {
	t := f.pkg.info.TypeOf(e)
	if t == nil {
		fail(e.Pos(), "the type is not known")
	}
	return b.subst(f, types.Default(t))
}

// mayName fails if generated code can't name o, because it is not exported or its package is
// internal to others. Helpers of other packages may use such names.
func (b *builder) mayName(o types.Object, what string, pos token.Pos) {
	if o.Pkg() == nil || o.Pkg() == b.root.types {
		return
	}
	if !o.Exported() {
		fail(pos, "%s%s.%s is not exported", what, o.Pkg().Name(), o.Name())
	}
	if !mayImport(b.root.types.Path(), o.Pkg().Path()) {
		fail(pos, "%s%s.%s is of a package that is internal to others", what, o.Pkg().Name(), o.Name())
	}
}

// mayImport reports whether the package from may import path, by the rule for internal directories.
func mayImport(from, path string) bool {
	dirs := strings.Split(path, "/")
	for i, d := range dirs {
		if d == "internal" {
			if parent := strings.Join(dirs[:i], "/"); from != parent && !strings.HasPrefix(from, parent+"/") {
				return false
			}
		}
	}
	return true
}

func (b *builder) funcExpr(fn *types.Func, targs []types.Type, pos token.Pos) Expr {
	b.mayName(fn, "", pos)
	for _, t := range targs {
		b.printable(t, pos)
	}
	return &instance{Global{Obj: fn, T: fn.Type()}, targs}
}

// An instance is a function with its type arguments.
type instance struct {
	Global
	targs []types.Type
}

// zero returns the zero value of t.
func (b *builder) zero(t types.Type) binding {
	if st := b.splits(t); st != nil {
		a := &aggregate{t: t, st: st}
		for i := range st.NumFields() {
			a.fields = append(a.fields, b.zero(st.Field(i).Type()))
		}
		return a
	}
	return zeroOf(t)
}

func zeroOf(t types.Type) Expr {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return &Const{constant.MakeBool(false), t}
		case u.Info()&types.IsString != 0:
			return &Const{constant.MakeString(""), t}
		case u.Info()&types.IsNumeric != 0:
			return &Const{constant.MakeInt64(0), t}
		}
	case *types.Interface:
		if _, ok := types.Unalias(t).(*types.TypeParam); ok {
			return &Composite{T: t} // printed as *new(T)
		}
	case *types.Struct, *types.Array:
		return &Composite{T: t}
	}
	return &Global{T: t}
}

// not returns !e.
func not(e Expr) Expr {
	switch x := e.(type) {
	case *Unary:
		if x.Op == token.NOT {
			return x.X
		}
	case *Binary:
		switch x.Op {
		case token.LAND:
			return &Binary{token.LOR, not(x.X), not(x.Y), x.T}
		case token.LOR:
			return &Binary{token.LAND, not(x.X), not(x.Y), x.T}
		}
		flip := map[token.Token]token.Token{
			token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS,
			token.GTR: token.LEQ, token.LEQ: token.GTR,
		}
		if op, ok := flip[x.Op]; ok && (isInteger(x.X.Type()) || x.Op == token.EQL || x.Op == token.NEQ) {
			return &Binary{op, x.X, x.Y, x.T}
		}
	}
	return &Unary{token.NOT, e}
}

func isInteger(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsInteger != 0
}

func isFloat(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsFloat != 0
}
