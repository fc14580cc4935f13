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

// Building the representation from syntax. Helpers are looked into: their bodies take the place of the
// calls, with their parameters as further variables. What a thread kernel may not contain ends the
// translation of the kernel, with a position and a reason.

const (
	corePath   = "github.com/gocuda/gocuda/gocuda"
	gridPath   = "github.com/gocuda/gocuda/grid"
	atomicPath = "github.com/gocuda/gocuda/atomic"
	groupsPath = "github.com/gocuda/gocuda/cg"
)

// unsupported is the panic that ends a translation.
type unsupported struct {
	pos token.Pos
	why string
}

func fail(pos token.Pos, format string, args ...any) {
	why := fmt.Sprintf(format, args...)
	panic(unsupported{pos, strings.Join(strings.Fields(why), " ")}) // the type checker has messages of several lines
}

type builder struct {
	prog  *program
	root  *pkg
	k     *Kernel
	names map[string]bool
	out   []Stmt
	loops []*For // that surround the statement under way
	size  int
}

// A frame is a function on its way into the kernel.
type frame struct {
	pkg     *pkg
	outer   *frame // of a closure
	fn      *types.Func
	caller  *frame
	env     map[types.Object]binding
	targs   map[*types.TypeParam]types.Type
	mutated map[types.Object]bool
	results []binding
	exit    *Block // what return leaves; nil for the kernel
	targets []target
	named   []types.Object // named results
	// discarded is the call whose result the statement under way does not use.
	discarded *ast.CallExpr
}

// A target is what break and continue may mean.
type target struct {
	label string
	brk   Stmt
	cont  *For
	// labelOnly says that only a break with the label leads here: a block or an if.
	labelOnly bool
}

// A binding is what a name or an expression stands for.
type binding interface{}

type (
	thread    struct{} // the Thread
	aggregate struct { // a struct, field by field
		t      types.Type
		st     *types.Struct
		fields []binding
	}
	pointer struct { // to something the compiler knows
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

// reach adds p to what is reached, and all that it imports.
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
func build(prog *program, root *pkg, d *ast.FuncDecl, words []string, targs map[*types.TypeParam]types.Type) (k *Kernel) {
	k = &Kernel{Name: d.Name.Name, Pos: d.Name.Pos()}
	k.Fastmath = slices.Contains(words, "fastmath")
	b := &builder{prog: prog, root: root, k: k, names: reservedNames(root)}
	reached := map[*types.Package]bool{}
	reach(root.types, reached)
	for _, q := range prog.pkgs {
		if !reached[q.types] {
			continue // what is translated in the same run makes no difference
		}
		// Helpers of other packages may bring their imports along.
		b.names[q.name] = true
		for _, i := range q.types.Imports() {
			b.names[i.Name()] = true
		}
	}
	k.names = b.names
	reserveGenerated(b.names, k.Name)
	defer func() {
		switch v := recover().(type) {
		case nil:
		case unsupported:
			k.Reason, k.ReasonPos = v.why, v.pos
		default:
			panic(v)
		}
	}()
	obj := root.info.Defs[d.Name].(*types.Func)
	sig := obj.Signature()
	if err := root.errorIn(d.Pos(), d.End()); err != nil {
		fail(err.(types.Error).Pos, "%s", err.(types.Error).Msg)
	}
	k.TypeParams = sig.TypeParams()
	for i := range k.TypeParams.Len() {
		if n := k.TypeParams.At(i).Obj().Name(); slices.Contains(printerNames, n) || n == "vec" {
			fail(d.Pos(), "a type parameter is called %s, as something in the generated code is", n)
		}
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
			// The parameter is the same for all threads; what a thread makes of it is its own.
			own := b.declare(f, v.Name(), v, p.Type)
			mark(own, true)
			b.assign(own, &VarRef{p}, v.Pos(), true)
		}
	}
	b.block(f, d.Body.List)
	k.Body = tidy(b.out)
	return k
}

// reservedNames returns the names that variables of a kernel may not have.
func reservedNames(root *pkg) map[string]bool {
	m := map[string]bool{"_": true, "gocuda": true, "vec": true, "grid": true, "math": true, "init": true, "main": true}
	for _, n := range types.Universe.Names() {
		m[n] = true
	}
	for _, n := range root.types.Scope().Names() {
		m[n] = true
	}
	for _, q := range root.types.Imports() {
		m[q.Name()] = true
	}
	for _, n := range printerNames {
		m[n] = true
	}
	return m
}

// uniqueName returns a name like the given one that has not been used.
func uniqueName(used map[string]bool, name string) string {
	if name == "" || name == "_" {
		name = "v"
	}
	n := name
	for i := 2; used[n] || token.IsKeyword(n); i++ {
		n = fmt.Sprintf("%s%d", name, i)
	}
	used[n] = true
	return n
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

// nested returns what f emits, as a list of its own.
func (b *builder) nested(f func()) []Stmt {
	saved := b.out
	b.out = nil
	f()
	list := b.out
	b.out = saved
	return list
}

// mutatedIn returns the variables that are assigned after their declaration, or whose address is taken,
// in body.
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
			// The variable of a loop header changes with the rounds in any case that matters; its
			// post statement is seen above.
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

// lookup finds what obj is bound to in f or the functions around it.
func (f *frame) lookup(obj types.Object) (binding, bool) {
	for ; f != nil; f = f.outer {
		if v, ok := f.env[obj]; ok {
			return v, true
		}
	}
	return nil, false
}

func (f *frame) isMutated(obj types.Object) bool { return f.mutated[obj] }

// splits returns the struct type behind t if variables of type t are kept field by field.
func (b *builder) splits(t types.Type) *types.Struct {
	st, ok := t.Underlying().(*types.Struct)
	if !ok || b.fieldCount(t) > 16 || st.NumFields() == 0 {
		return nil
	}
	return st
}

func (b *builder) fieldCount(t types.Type) int {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
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

// declare makes a variable for obj, which may be nil, and binds it.
func (b *builder) declare(f *frame, name string, obj types.Object, t types.Type) binding {
	pos := token.NoPos
	if obj != nil {
		pos = obj.Pos()
	}
	v := b.room(f, name, t, pos)
	said(v, name)
	if obj != nil {
		f.env[obj] = v
	}
	return v
}

// room makes variables that hold a value of type t.
func (b *builder) room(f *frame, name string, t types.Type, pos token.Pos) binding {
	if st := b.splits(t); st != nil {
		a := &aggregate{t: t, st: st}
		for i := range st.NumFields() {
			fld := st.Field(i)
			a.fields = append(a.fields, b.room(f, name+capitalized(fld.Name()), fld.Type(), pos))
		}
		return a
	}
	b.printable(t, pos)
	return &VarRef{b.newVar(name, t, pos)}
}

// said notes what the source calls the variables of a room.
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

// printable fails if t can't be written in a file of the root package.
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

// subst replaces the type parameters of the functions that f is in.
func (b *builder) subst(f *frame, t types.Type) types.Type {
	for g := f; g != nil; g = g.outer {
		if len(g.targs) > 0 {
			t = substType(t, g.targs)
		}
	}
	return substType(t, nil)
}

// substType replaces type parameters by their arguments.
func substType(t types.Type, m map[*types.TypeParam]types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		if to, ok := m[t]; ok {
			return to
		}
	case *types.Slice:
		if e := substType(t.Elem(), m); e != t.Elem() {
			return types.NewSlice(e)
		}
	case *types.Array:
		if e := substType(t.Elem(), m); e != t.Elem() {
			return types.NewArray(e, t.Len())
		}
	case *types.Pointer:
		if e := substType(t.Elem(), m); e != t.Elem() {
			return types.NewPointer(e)
		}
	case *types.Alias:
		if t.Obj().Parent() == types.Universe {
			return t // any: go/types writes interface{} from Go 1.27 on where it is not the alias
		}
		return substType(types.Unalias(t), m)
	case *types.Struct:
		fields, tags, changed := make([]*types.Var, t.NumFields()), make([]string, t.NumFields()), false
		for i := range fields {
			old := t.Field(i)
			fields[i], tags[i] = old, t.Tag(i)
			if e := substType(old.Type(), m); e != old.Type() {
				fields[i], changed = types.NewField(old.Pos(), old.Pkg(), old.Name(), e, old.Embedded()), true
			}
		}
		if changed {
			return types.NewStruct(fields, tags)
		}
	case *types.Tuple:
		vars, changed := make([]*types.Var, t.Len()), false
		for i := range vars {
			old := t.At(i)
			vars[i] = old
			if e := substType(old.Type(), m); e != old.Type() {
				vars[i], changed = types.NewParam(old.Pos(), old.Pkg(), old.Name(), e), true
			}
		}
		if changed {
			return types.NewTuple(vars...)
		}
	case *types.Named:
		args := t.TypeArgs()
		if o := t.Obj(); o.Pkg() != nil && o.Parent() != o.Pkg().Scope() && o.Parent() != nil {
			// A type declared in a func has no methods, so what it is made of can stand for it.
			if refersTo(t.Underlying(), t, 0) {
				fail(o.Pos(), "the type %s, declared inside a func, refers to itself", o.Name())
			}
			return substType(t.Underlying(), m)
		}
		if args.Len() == 0 {
			return t
		}
		list, changed := make([]types.Type, args.Len()), false
		for i := range list {
			list[i] = substType(args.At(i), m)
			changed = changed || list[i] != args.At(i)
		}
		if changed {
			inst, err := types.Instantiate(nil, t.Origin(), list, false)
			if err == nil {
				return inst
			}
		}
	}
	return t
}

// refersTo reports whether t is made of n.
func refersTo(t types.Type, n *types.Named, depth int) bool {
	if depth > 20 {
		return true
	}
	switch t := t.(type) {
	case *types.Named:
		if t == n {
			return true
		}
		if o := t.Obj(); o.Pkg() == nil || o.Parent() == o.Pkg().Scope() {
			return false
		}
		return refersTo(t.Underlying(), n, depth+1)
	case *types.Pointer:
		return refersTo(t.Elem(), n, depth+1)
	case *types.Slice:
		return refersTo(t.Elem(), n, depth+1)
	case *types.Array:
		return refersTo(t.Elem(), n, depth+1)
	case *types.Struct:
		for i := range t.NumFields() {
			if refersTo(t.Field(i).Type(), n, depth+1) {
				return true
			}
		}
	}
	return false
}

func (b *builder) typeOf(f *frame, e ast.Expr) types.Type {
	t := f.pkg.info.TypeOf(e)
	if t == nil {
		fail(e.Pos(), "the type is not known")
	}
	return b.subst(f, types.Default(t))
}

// assign copies src into dst. def says that dst has just been declared.
func (b *builder) assign(dst, src binding, pos token.Pos, def bool) {
	if d, ok := dst.(*aggregate); ok {
		s := b.fieldsOf(src, pos)
		if s == nil {
			fail(pos, "a struct is not known field by field")
		}
		if !def && b.overlaps(d, s) {
			tmp := b.room(nil, "tmp", d.t, pos)
			b.assign(tmp, src, pos, true)
			b.assign(dst, tmp, pos, false)
			return
		}
		for i := range d.fields {
			b.assign(d.fields[i], s.fields[i], pos, def)
		}
		return
	}
	b.emit(&Assign{L: []Expr{b.reify(dst, pos)}, R: b.reify(src, pos), Def: def, Pos: pos})
}

// overlaps reports whether copying s into d field by field could read what it has already written.
func (b *builder) overlaps(d, s *aggregate) bool {
	written := map[*Var]bool{}
	memory := false
	hit := false
	var visit func(d, s binding)
	visit = func(d, s binding) {
		if da, ok := d.(*aggregate); ok {
			sa, ok := s.(*aggregate)
			if !ok {
				hit = true
				return
			}
			for i := range da.fields {
				visit(da.fields[i], sa.fields[i])
			}
			return
		}
		if e, ok := s.(Expr); ok {
			walkExpr(e, func(x Expr) {
				switch x := x.(type) {
				case *VarRef:
					hit = hit || written[x.V]
				case *Index, *Deref, *Field, *Global:
					hit = hit || memory
				}
			})
		}
		if e, ok := d.(Expr); ok {
			if v, _ := assigned(e); v != nil {
				written[v] = true
			} else {
				memory = true
			}
		}
	}
	visit(d, s)
	return hit
}

// fieldsOf returns a struct value field by field, or nil if it can't be taken apart.
func (b *builder) fieldsOf(v binding, pos token.Pos) *aggregate {
	switch v := v.(type) {
	case *aggregate:
		return v
	case Expr:
		st := b.splits(v.Type())
		if st == nil {
			return nil
		}
		if _, ok := v.(*Call); ok || isComposite(v) {
			tmp := &VarRef{b.newVar("tmp", v.Type(), pos)}
			b.emit(&Assign{L: []Expr{tmp}, R: v, Def: true, Pos: pos})
			v = tmp
		}
		v = b.simpleIndex(v, pos)
		a := &aggregate{t: v.Type(), st: st}
		for i := range st.NumFields() {
			fld := st.Field(i)
			e := Expr(&Field{X: v, F: fld, T: fld.Type(), Name: fld.Name()})
			if b.splits(fld.Type()) != nil {
				a.fields = append(a.fields, b.fieldsOf(e, pos))
			} else {
				a.fields = append(a.fields, e)
			}
		}
		return a
	}
	return nil
}

func isComposite(e Expr) bool { _, ok := e.(*Composite); return ok }

// simple reports whether computing e again costs nothing.
func simple(e Expr) bool {
	switch e := e.(type) {
	case *Const, *VarRef, *Index3, *Rank, *Global:
		return true
	case *Convert:
		return simple(e.X)
	}
	return false
}

// simpleIndex returns e with its indices in variables, so that it can be used several times and means the
// same place even if what the indices are made of changes.
func (b *builder) simpleIndex(e Expr, pos token.Pos) Expr {
	switch x := e.(type) {
	case *Index:
		y := *x
		y.X = b.simpleIndex(x.X, pos)
		y.I = b.temp(x.I, pos)
		return &y
	case *Field:
		y := *x
		y.X = b.simpleIndex(x.X, pos)
		return &y
	case *Deref:
		y := *x
		y.X = b.temp(x.X, pos)
		return &y
	case *VarRef:
		switch x.V.Type.Underlying().(type) {
		case *types.Slice, *types.Pointer:
			return b.temp(x, pos) // what it points to, even if it changes
		}
	}
	return e
}

// temp returns e or a variable with its value, if e is not simple and constant.
func (b *builder) temp(e Expr, pos token.Pos) Expr {
	switch x := e.(type) {
	case *Const, *Index3, *Rank:
		return e
	case *VarRef:
		if !b.changes(x.V) {
			return e
		}
	case *Global:
		if _, ok := x.Obj.(*types.Func); ok {
			return e
		}
	}
	v := &VarRef{b.newVar("at", e.Type(), pos)}
	b.emit(&Assign{L: []Expr{v}, R: e, Def: true, Pos: pos})
	return v
}

// changes reports whether v may be assigned after its definition. It is asked while building, so it
// goes by the declaration.
func (b *builder) changes(v *Var) bool { return v.defs != 0 }

// mark records of a fresh variable whether the source changes it later.
func mark(v binding, changes bool) {
	switch v := v.(type) {
	case *VarRef:
		if changes {
			v.V.defs = 1
		}
	case *aggregate:
		for _, x := range v.fields {
			mark(x, changes)
		}
	}
}

// reify returns v as an expression.
func (b *builder) reify(v binding, pos token.Pos) Expr {
	switch v := v.(type) {
	case Expr:
		return v
	case *aggregate:
		b.printable(v.t, pos)
		c := &Composite{T: v.t}
		for i, f := range v.fields {
			c.Keys = append(c.Keys, v.st.Field(i).Name())
			c.Vals = append(c.Vals, b.reify(f, pos))
		}
		return c
	case *pointer:
		if _, ok := v.to.(*aggregate); ok {
			fail(pos, "the address of a struct leaves the kernel")
		}
		to := b.reify(v.to, pos)
		if vr, _ := assigned(to); vr != nil {
			vr.addr = true
		}
		return &Addr{X: to, T: v.t}
	case thread:
		fail(pos, "the Thread is used as a value")
	case *closure:
		fail(pos, "a closure is used as a value")
	case *funcValue:
		return b.funcExpr(v.fn, v.targs, pos)
	}
	fail(pos, "a value of an unknown kind")
	return nil
}

// mayName fails if generated code can't name o: it is not exported, or of a package that is internal to others. A helper of another
// package may use such names.
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

// mayImport reports whether the package from may import path, by the rule for directories called internal.
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
	return &instance{Global{fn, fn.Type()}, targs}
}

// An instance is a function with its type arguments.
type instance struct {
	Global
	targs []types.Type
}

// zero returns the zero value of t.
func (b *builder) zero(f *frame, t types.Type, pos token.Pos) binding {
	if st := b.splits(t); st != nil {
		a := &aggregate{t: t, st: st}
		for i := range st.NumFields() {
			a.fields = append(a.fields, b.zero(f, st.Field(i).Type(), pos))
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
	return &Global{nil, t}
}

// tidy simplifies what building left: blocks that need no name, returns at the end.
func tidy(list []Stmt) []Stmt {
	list = tidyList(tail(tidyList(list), nil, false))
	return firstValues(list)
}

// firstValues drops the zero that a variable is declared with if it is assigned before it is used.
func firstValues(list []Stmt) []Stmt {
	var out []Stmt
next:
	for i, s := range list {
		switch s := s.(type) {
		case *If:
			s.Then, s.Else = firstValues(s.Then), firstValues(s.Else)
		case *For:
			s.Pre, s.Body, s.Post = firstValues(s.Pre), firstValues(s.Body), firstValues(s.Post)
		case *Block:
			s.Body = firstValues(s.Body)
		case *Assign:
			if !s.Def || len(s.L) != 1 || !isZero(s.R) {
				break
			}
			v, _ := assigned(s.L[0])
			for _, t := range list[i+1:] {
				u := useOf([]Stmt{t})
				a, ok := t.(*Assign)
				if ok && len(a.L) == 1 && a.L[0] != nil && !u.read[v] {
					if w, whole := assigned(a.L[0]); w == v && whole {
						a.Def = true
						continue next
					}
				}
				if u.read[v] || u.written[v] {
					break
				}
			}
		}
		out = append(out, s)
	}
	return out
}

func tidyList(list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		switch s := s.(type) {
		case *If:
			s.Then, s.Else = tidyList(s.Then), tidyList(s.Else)
			if len(s.Then) == 0 && len(s.Else) > 0 {
				s.Cond, s.Then, s.Else = not(s.Cond), s.Else, nil
			}
			if len(s.Then) == 0 && len(s.Else) == 0 {
				if _, ok := s.Cond.(*VarRef); ok {
					continue
				}
			}
		case *For:
			s.Pre, s.Body, s.Post = tidyList(s.Pre), tidyList(s.Body), tidyList(s.Post)
			s.Body = tail(s.Body, s, true)
			s.continues = anyStmt(s.Body, func(x Stmt) bool { e, ok := x.(*Exit); return ok && e.To == s && e.Continue })
			s.breaks = anyStmt(s.Body, func(x Stmt) bool { e, ok := x.(*Exit); return ok && e.To == s && !e.Continue })
		case *Block:
			s.Body = tail(tidyList(s.Body), s, false)
			if !anyStmt(s.Body, func(x Stmt) bool { e, ok := x.(*Exit); return ok && e.To == s }) {
				out = append(out, s.Body...)
				continue
			}
		case *Exit:
			return append(out, s) // nothing after it is reached
		}
		out = append(out, s)
	}
	return out
}

// tail rewrites a list at whose end control goes where Exit{to, cont} leads, so that it has few of these:
// `if c { A; exit }; B` is `if c { A } else { B }`. It does not move barriers.
func tail(list []Stmt, to Stmt, cont bool) []Stmt {
	is := func(s Stmt) bool {
		e, ok := s.(*Exit)
		return ok && e.To == to && e.Continue == cont
	}
	var ends func(l []Stmt) bool // with that exit, whatever happens
	ends = func(l []Stmt) bool {
		if len(l) == 0 {
			return false
		}
		if is(l[len(l)-1]) {
			return true
		}
		s, ok := l[len(l)-1].(*If)
		return ok && ends(s.Then) && ends(s.Else)
	}
	for i, s := range list {
		if is(s) {
			return list[:i]
		}
		c, ok := s.(*If)
		if !ok {
			continue
		}
		rest := list[i+1:]
		if !anyStmt(c.Then, is) && !anyStmt(c.Else, is) {
			if len(rest) == 0 {
				c.Then, c.Else = tail(c.Then, to, cont), tail(c.Else, to, cont)
			}
			continue
		}
		if hasBarrier(rest) {
			continue
		}
		switch {
		case ends(c.Then):
			c.Else = append(slices.Clip(c.Else), rest...)
		case ends(c.Else):
			c.Then = append(slices.Clip(c.Then), rest...)
		default:
			if len(rest) > 0 {
				continue
			}
		}
		c.Then, c.Else = tail(c.Then, to, cont), tail(c.Else, to, cont)
		if len(c.Then) == 0 && len(c.Else) > 0 {
			c.Cond, c.Then, c.Else = not(c.Cond), c.Else, nil
		}
		return list[:i+1]
	}
	return list
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
