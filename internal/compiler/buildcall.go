package compiler

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// Calls: inlining of helpers, and translation of builtins, of methods of the Thread and of
// functions of package gocuda.

// call translates a call and returns its results.
func (b *builder) call(f *frame, e *ast.CallExpr) []binding {
	fun := ast.Unparen(e.Fun)
	tv := f.pkg.info.Types[fun]
	switch {
	case tv.IsType():
		return []binding{b.convert(f, e)}
	case tv.IsBuiltin():
		return b.builtin(f, e, fun)
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if s := f.pkg.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			return b.method(f, e, sel, s)
		} else if s != nil && s.Kind() == types.MethodExpr {
			return b.methodExpr(f, e, sel, s)
		}
	}
	var callee binding
	switch x := fun.(type) {
	case *ast.FuncLit:
		callee = &closure{x, f}
	default:
		callee = b.value(f, fun)
	}
	switch c := callee.(type) {
	case *closure:
		args := b.args(f, e, c.frame.pkg.info.TypeOf(c.lit).(*types.Signature))
		return b.inline(&frame{pkg: c.frame.pkg, outer: c.frame, caller: f, fn: c.frame.fn}, c.lit.Type, nil, c.lit.Body, nil, args, e)
	case *funcValue:
		return b.callFunc(f, e, c, nil)
	case Expr:
		fail(e.Pos(), "a func in a variable is called")
	}
	fail(e.Pos(), "calls of this kind are not translated")
	return nil
}

func (b *builder) convert(f *frame, e *ast.CallExpr) binding {
	t := b.typeOf(f, e)
	v := b.value(f, e.Args[0])
	if from := b.typeOfBinding(v); from != nil && (isPointer(t) && (isPointer(from) || isUnsafePointer(from)) || isUnsafePointer(t) || isUnsafePointer(from)) {
		return b.convertPointer(v, t, e.Pos())
	}
	if isComplex(t) {
		st, _ := structUnder(t)
		re, im := b.parts(v, b.typeOfBinding(v), e.Pos())
		return complexOf(t, folded(&Convert{re, st.Field(0).Type()}), folded(&Convert{im, st.Field(1).Type()}))
	}
	if a, ok := v.(*aggregate); ok {
		if st := b.splits(t); st != nil {
			return &aggregate{t: t, st: st, fields: a.fields}
		}
	}
	b.printable(t, e.Pos())
	return folded(&Convert{b.reify(v, e.Pos()), t})
}

func (b *builder) builtin(f *frame, e *ast.CallExpr, fun ast.Expr) []binding {
	name := ""
	switch x := fun.(type) {
	case *ast.Ident:
		name = x.Name
	case *ast.SelectorExpr:
		name = x.Sel.Name
	}
	switch name {
	case "panic":
		b.emit(&Panic{b.expr(f, e.Args[0]), e.Pos()})
		return nil
	case "recover", "print", "println", "close", "delete":
		fail(e.Pos(), "%s is not translated", name)
	case "complex", "real", "imag":
		return []binding{b.complexBuiltin(f, name, e)}
	}
	c := &Call{Name: name, Pos: e.Pos(), Dots: e.Ellipsis.IsValid()}
	if t := f.pkg.info.TypeOf(e); t != nil {
		c.T = b.typeOf(f, e)
	}
	vs := b.operands(len(e.Args), func(i int) binding {
		if i == 0 && (name == "make" || name == "new") && f.pkg.info.Types[e.Args[0]].IsType() {
			t := b.typeOf(f, e.Args[0])
			b.printable(t, e.Pos())
			return &TypeExpr{t}
		}
		return b.value(f, e.Args[i])
	})
	for i, x := range vs {
		if name == "len" || name == "cap" {
			x = through(x)
		}
		c.Args = append(c.Args, b.reify(x, e.Args[i].Pos()))
	}
	switch name {
	case "len", "cap", "min", "max":
		c.Pure = true
		if name == "len" || name == "cap" {
			if a, ok := deref(c.Args[0].Type()).Underlying().(*types.Array); ok {
				return []binding{&Const{constant.MakeInt64(a.Len()), intType}}
			}
		}
		return []binding{c}
	case "clear":
		b.emit(&Do{c, e.Pos()})
		return nil
	case "copy", "append", "make", "new":
		tmp := &VarRef{b.newVar("n", c.T, e.Pos())}
		b.emit(&Assign{L: []Expr{tmp}, R: c, Def: true, Pos: e.Pos()})
		return []binding{tmp}
	}
	fail(e.Pos(), "%s is not translated", name)
	return nil
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// args translates the arguments of a call. Variadic arguments become a slice literal.
func (b *builder) args(f *frame, e *ast.CallExpr, sig *types.Signature) []binding {
	var list []binding
	if len(e.Args) == 1 && sig.Params().Len() > 1 {
		if c, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr); ok {
			list = b.call(f, c) // f(g()) with several results
		}
	}
	if list == nil {
		list = b.list(f, e.Args)
	}
	if sig.Variadic() && !e.Ellipsis.IsValid() {
		n := sig.Params().Len() - 1
		t := b.subst(f, sig.Params().At(n).Type())
		if len(list) == n {
			return append(list, zeroOf(t)) // nil, not an empty slice
		}
		c := &Composite{T: t}
		for _, a := range list[n:] {
			c.Keys = append(c.Keys, "")
			c.Vals = append(c.Vals, b.reify(a, e.Pos()))
		}
		list = append(list[:n:n], c)
	}
	return list
}

// method translates a call of a method.
func (b *builder) method(f *frame, e *ast.CallExpr, sel *ast.SelectorExpr, s *types.Selection) []binding {
	fn, of, path := s.Obj().(*types.Func), s.Recv(), s.Index()
	if _, ok := types.Unalias(deref(of)).(*types.TypeParam); ok {
		// The type argument has the method.
		t := b.subst(f, of)
		if m, index, _ := types.LookupFieldOrMethod(t, true, fn.Pkg(), fn.Name()); !isTypeParam(t) && !types.IsInterface(t) && m != nil {
			if m, ok := m.(*types.Func); ok {
				fn, of, path = m, t, index
			}
		}
	}
	ptrRecv := false
	if recv := fn.Signature().Recv(); recv != nil {
		_, ptrRecv = recv.Type().Underlying().(*types.Pointer)
	}
	var recv binding
	if _, isPtr := of.Underlying().(*types.Pointer); isPtr || !ptrRecv {
		recv = b.value(f, sel.X)
	} else {
		recv = b.place(f, sel.X)
	}
	if len(path) > 1 {
		if _, ok := recv.(thread); !ok {
			recv = b.fields(f, recv, of, path[:len(path)-1], e.Pos())
		}
	}
	if _, ok := recv.(thread); ok {
		return b.threadMethod(f, e, fn)
	}
	if _, ok := fn.Signature().Recv().Type().Underlying().(*types.Interface); ok {
		if isTypeParam(types.Unalias(deref(of))) {
			fail(e.Pos(), "methods of the kernel's type parameters are not translated, only those of a helper's")
		}
		fail(e.Pos(), "methods of interfaces are not translated")
	}
	// The receiver is converted to the kind that the method expects: a pointer or a value.
	if ptrRecv {
		if _, ok := recv.(*pointer); !ok {
			if x, ok := recv.(Expr); !ok || !isPointer(x.Type()) {
				recv = &pointer{recv, types.NewPointer(b.typeOfBinding(recv))}
			}
		}
	} else {
		recv = through(recv)
		if x, ok := recv.(Expr); ok && isPointer(x.Type()) && !isPointer(fn.Signature().Recv().Type()) {
			recv = &Deref{x, deref(x.Type())}
		}
	}
	c := &funcValue{fn: fn.Origin(), pos: e.Pos()}
	rt := types.Unalias(deref(b.subst(f, of)))
	if len(path) > 1 {
		rt = types.Unalias(deref(b.typeOfBinding(through(recv))))
	}
	if n, ok := rt.(*types.Named); ok {
		for i := range n.TypeArgs().Len() {
			c.targs = append(c.targs, n.TypeArgs().At(i))
		}
	}
	return b.callFunc(f, e, c, &recv)
}

// methodExpr translates a call of a method expression, T.name(x, args), as x.name(args).
func (b *builder) methodExpr(f *frame, e *ast.CallExpr, sel *ast.SelectorExpr, s *types.Selection) []binding {
	info := f.pkg.info
	x := e.Args[0]
	tv := info.Types[x]
	if _, ok := tv.Type.(*types.Tuple); ok {
		fail(e.Pos(), "the results of a call as receiver and arguments of a method expression are not translated")
	}
	if !types.Identical(tv.Type, s.Recv()) {
		// A value that is assignable to T need not have T's methods.
		tv.Type = s.Recv()
		x = &ast.CallExpr{Fun: sel.X, Lparen: x.Pos(), Args: []ast.Expr{x}, Rparen: x.End()}
		info.Types[x] = tv
	}
	call := *e
	call.Args = e.Args[1:]
	info.Types[&call] = info.Types[e]
	if f.discarded == e {
		f.discarded = &call
	}
	return b.method(f, &call, &ast.SelectorExpr{X: x, Sel: sel.Sel}, s)
}

func isPointer(t types.Type) bool { _, ok := t.Underlying().(*types.Pointer); return ok }

func (b *builder) typeOfBinding(v binding) types.Type {
	switch v := v.(type) {
	case Expr:
		return v.Type()
	case *aggregate:
		return v.t
	case *pointer:
		return v.t
	}
	return nil
}

// callFunc translates a call of a declared function or method.
func (b *builder) callFunc(f *frame, e *ast.CallExpr, c *funcValue, recv *binding) []binding {
	sig := c.fn.Signature()
	path := ""
	if c.fn.Pkg() != nil {
		path = c.fn.Pkg().Path()
	}
	if path == corePath {
		return b.coreCall(f, e, c)
	}
	from := len(b.out)
	args := b.args(f, e, b.instantiated(f, e, sig))
	if recv != nil {
		list := []binding{*recv}
		b.settle(list, from)
		recv = &list[0]
	}
	takesThread := slices.ContainsFunc(args, func(v binding) bool { _, ok := v.(thread); return ok })
	takesClosure := slices.ContainsFunc(args, func(v binding) bool { _, ok := v.(*closure); return ok })
	if path == "math/cmplx" {
		if v := b.complexCall(c.fn, args, e.Pos()); v != nil {
			return []binding{v}
		}
	}
	d, known := b.prog.decls[c.fn]
	known = known && (takesThread || takesClosure || b.size < inlineBudget)
	if known && path != atomicPath && (takesThread || takesClosure || !b.staysCall(d, c.fn)) && d.decl.Body != nil {
		for g := f; g != nil; g = g.caller {
			if g.fn == c.fn && g.outer == nil {
				if takesThread || takesClosure {
					fail(e.Pos(), "%s calls itself", c.fn.Name())
				}
				known = false
			}
		}
		if known {
			results, bail := b.tryInline(f, e, c, d, recv, args)
			if bail == nil {
				return results
			}
			// a reason inside package cg has a position that the kernel's reader does not know
			if path == groupsPath {
				fail(e.Pos(), "cooperative groups are not translated: cg.%s", c.fn.Name())
			}
			if takesThread || takesClosure {
				panic(*bail)
			}
		}
	}
	if takesThread {
		fail(e.Pos(), "the source of %s is not known", c.fn.Name())
	}
	if takesClosure {
		fail(e.Pos(), "a closure is passed to %s, whose source is not translated with the kernel; write the loop in place of the call, or a helper", c.fn.FullName())
	}
	return b.opaque(f, e, c, recv, args)
}

// instantiated returns the signature of the func that e calls with its type arguments substituted;
// sig is the declared signature.
func (b *builder) instantiated(f *frame, e *ast.CallExpr, sig *types.Signature) *types.Signature {
	if t := f.pkg.info.TypeOf(e.Fun); t != nil {
		if s, ok := b.subst(f, t).Underlying().(*types.Signature); ok && s.Params().Len() == sig.Params().Len() {
			return s
		}
	}
	return sig
}

// tryInline inlines a function, and undoes everything if that fails.
func (b *builder) tryInline(f *frame, e *ast.CallExpr, c *funcValue, d funcDecl, recv *binding, args []binding) (results []binding, bail *unsupported) {
	out, vars, loops := b.out, len(b.k.Vars), b.loops
	defer func() {
		if v := recover(); v != nil {
			u, ok := v.(unsupported)
			if !ok {
				panic(v)
			}
			b.out, b.k.Vars, b.loops = out, b.k.Vars[:vars], loops
			bail = &u
		}
	}()
	if err := d.pkg.errorIn(d.decl.Pos(), d.decl.End()); err != nil {
		fail(err.(types.Error).Pos, "%s", err.(types.Error).Msg)
	}
	depth := 0
	for g := f; g != nil; g = g.caller {
		depth++
	}
	if depth > 32 {
		fail(e.Pos(), "calls are nested too deep")
	}
	g := &frame{pkg: d.pkg, fn: c.fn, caller: f, targs: map[*types.TypeParam]types.Type{}}
	sig := c.fn.Signature()
	tps := sig.TypeParams()
	if r := sig.RecvTypeParams(); r.Len() > 0 {
		tps = r
	}
	for i := range tps.Len() {
		if i < len(c.targs) {
			g.targs[tps.At(i)] = c.targs[i]
		}
	}
	from := len(b.out)
	results = b.inline(g, d.decl.Type, d.decl.Recv, d.decl.Body, recv, args, e)
	if d.pkg.module != b.root.module && !keptApart(d.decl) {
		relocate(b.out[from:], d.decl, e.Pos())
	}
	if !slices.Contains(b.k.read, d) {
		b.k.read = append(b.k.read, d)
	}
	return results, nil
}

// relocate gives the statements of a func in another module the position of its call, so that
// stacks and messages name a file that the kernel's reader has.
func relocate(list []Stmt, d *ast.FuncDecl, to token.Pos) {
	moved := func(pos token.Pos) token.Pos {
		if d.Pos() <= pos && pos < d.End() {
			return to
		}
		return pos
	}
	walk(list, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			s.Pos = moved(s.Pos)
		case *If:
			s.Pos = moved(s.Pos)
		case *For:
			s.Pos = moved(s.Pos)
		case *Block:
			s.Pos = moved(s.Pos)
		case *Exit:
			s.Pos = moved(s.Pos)
		case *Barrier:
			s.Pos = moved(s.Pos)
		case *Warp:
			s.Pos = moved(s.Pos)
		case *Alloc:
			s.Pos = moved(s.Pos)
		case *Do:
			s.Pos = moved(s.Pos)
		case *Panic:
			s.Pos = moved(s.Pos)
		}
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				switch x := x.(type) {
				case *Index:
					x.Pos = moved(x.Pos)
				case *Call:
					x.Pos = moved(x.Pos)
				}
			})
		})
	})
}

// inline translates the body of a func in place of a call.
func (b *builder) inline(g *frame, ft *ast.FuncType, recvList *ast.FieldList, body *ast.BlockStmt, recv *binding, args []binding, e *ast.CallExpr) []binding {
	g.env = map[types.Object]binding{}
	g.mutated = mutatedIn(g.pkg, body)
	pos := e.Pos()
	bind := func(id *ast.Ident, v binding) {
		obj := g.pkg.info.Defs[id]
		if obj == nil {
			return
		}
		t := b.subst(g, obj.Type())
		if x, ok := v.(Expr); ok && !g.mutated[obj] {
			// Constants get a variable as well: Go may reject an operation on a constant that it
			// allows on a variable, or compute it differently.
			switch x := x.(type) {
			case *VarRef:
				if !b.changes(x.V) && types.Identical(x.Type(), t) {
					g.env[obj] = x
					return
				}
			case *Index3, *Rank:
				g.env[obj] = x
				return
			}
		}
		switch x := v.(type) {
		case thread, *closure, *funcValue:
			if g.mutated[obj] {
				fail(pos, "%s changes", id.Name)
			}
			g.env[obj] = x
			return
		case *pointer:
			if !g.mutated[obj] {
				g.env[obj] = b.pinAddress(x, pos)
				return
			}
		case *aggregate:
			if !g.mutated[obj] && b.frozen(x) {
				g.env[obj] = x
				return
			}
		}
		to := b.declare(g, id.Name, obj, t)
		mark(to, g.mutated[obj])
		b.assign(to, v, pos, true)
	}
	if recv != nil && recvList != nil && len(recvList.List) == 1 && len(recvList.List[0].Names) == 1 {
		bind(recvList.List[0].Names[0], *recv)
	}
	i := 0
	for _, fld := range ft.Params.List {
		if len(fld.Names) == 0 {
			i++
		}
		for _, id := range fld.Names {
			bind(id, args[i])
			i++
		}
	}
	if ft.Results != nil {
		for _, fld := range ft.Results.List {
			n := max(1, len(fld.Names))
			for k := range n {
				var obj types.Object
				name := "result"
				if len(fld.Names) > 0 {
					name = fld.Names[k].Name
					obj = g.pkg.info.Defs[fld.Names[k]]
				}
				t := b.subst(g, types.Default(g.pkg.info.TypeOf(fld.Type)))
				if isThread(t) {
					fail(pos, "a func that returns the Thread is not translated")
				}
				r := b.declare(g, name, obj, t)
				mark(r, true)
				b.assign(r, b.zero(t), pos, true)
				g.results = append(g.results, r)
				if obj != nil {
					g.named = append(g.named, obj)
				}
			}
		}
	}
	blk := &Block{Pos: pos}
	g.exit = blk
	blk.Body = b.nested(func() { b.block(g, body.List) })
	b.emit(blk)
	return g.results
}

// frozen reports whether no variable in v can change.
func (b *builder) frozen(v *aggregate) bool {
	for _, x := range v.fields {
		switch x := x.(type) {
		case *aggregate:
			if !b.frozen(x) {
				return false
			}
		case *Index3:
		case *VarRef:
			if b.changes(x.V) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// opaque translates a call that is not inlined.
func (b *builder) opaque(f *frame, e *ast.CallExpr, c *funcValue, recv *binding, args []binding) []binding {
	sig := c.fn.Signature()
	call := &Call{Pos: e.Pos(), Name: c.fn.FullName(), Dots: sig.Variadic(), Exact: f.pkg.path == devicePath}
	// A struct whose address is passed is kept in memory, since the callee may keep the pointer.
	// Funcs of package device keep no pointers: for them the struct is assembled before the call
	// and split behind it.
	var after []func()
	temps := map[*aggregate]*VarRef{}
	arg := func(v binding) Expr {
		p, ok := v.(*pointer)
		if !ok {
			return b.reify(v, e.Pos())
		}
		a, ok := p.to.(*aggregate)
		if !ok || path(c.fn) != devicePath {
			return b.reify(v, e.Pos())
		}
		b.printable(a.t, e.Pos())
		if tmp := temps[a]; tmp != nil {
			return &Addr{tmp, p.t}
		}
		tmp := &VarRef{b.newVar("tmp", a.t, e.Pos())}
		tmp.V.addr, tmp.V.defs = true, 1
		temps[a] = tmp
		b.emit(&Assign{L: []Expr{tmp}, R: b.reify(a, e.Pos()), Def: true, Pos: e.Pos()})
		after = append(after, func() { b.assign(a, b.fieldsOf(tmp, e.Pos()), e.Pos(), false) })
		return &Addr{tmp, p.t}
	}
	if recv != nil {
		if !c.fn.Exported() && c.fn.Pkg() != b.root.types {
			fail(e.Pos(), "the method %s is not exported", c.fn.Name())
		}
		x := arg(*recv)
		call.Fn = &Field{X: x, Name: c.fn.Name(), T: sig}
	} else {
		call.Fn = b.funcExpr(c.fn, c.targs, e.Pos())
	}
	for _, a := range args {
		call.Args = append(call.Args, arg(a))
	}
	if c.fn.Pkg() != nil && (pureCalls(c.fn.Pkg().Path(), c.fn.Name()) || b.purelyNumbers(c.fn)) {
		call.Pure = true
		call.T = b.typeOf(f, e)
		return []binding{call}
	}
	if p := path(c.fn); p != atomicPath && p != devicePath && p != "math" && p != "math/bits" {
		b.k.foreign = true
	}
	results := sig.Results()
	switch results.Len() {
	case 0:
		b.emit(&Do{call, e.Pos()})
		for _, g := range after {
			g()
		}
		return nil
	case 1:
		call.T = b.typeOf(f, e)
		if len(after) == 0 && path(c.fn) == atomicPath && f.discards(e) {
			if add, ok := c.fn.Pkg().Scope().Lookup("Add").(*types.Func); ok && isPlainCount(call) {
				call.Name, call.Fn = add.FullName(), b.funcExpr(add, c.targs, e.Pos())
				call.Args[1] = &Const{constant.MakeInt64(1), call.T}
			}
			b.emit(&Do{call, e.Pos()})
			return nil
		}
		tmp := b.room("got", call.T, e.Pos())
		if _, ok := tmp.(*aggregate); ok {
			whole := &VarRef{b.newVar("got", call.T, e.Pos())}
			b.emit(&Assign{L: []Expr{whole}, R: call, Def: true, Pos: e.Pos()})
			b.assign(tmp, b.fieldsOf(whole, e.Pos()), e.Pos(), true)
		} else {
			b.emit(&Assign{L: []Expr{tmp.(Expr)}, R: call, Def: true, Pos: e.Pos()})
		}
		for _, g := range after {
			g()
		}
		return []binding{tmp}
	}
	t := b.typeOf(f, e).(*types.Tuple)
	if list := b.apart(call, t); list != nil {
		return list
	}
	call.T = t
	var list []binding
	s := &Assign{R: call, Def: true, Pos: e.Pos()}
	for i := range t.Len() {
		v := &VarRef{b.newVar("got", t.At(i).Type(), e.Pos())}
		s.L = append(s.L, v)
		list = append(list, v)
	}
	b.emit(s)
	for _, g := range after {
		g()
	}
	return list
}

// isPlainCount reports whether c is an atomic.Inc whose bound is the largest integer of an unsigned type:
// it adds 1, as CUDA programs count with atomicInc(&n, 0xffffffff).
func isPlainCount(c *Call) bool {
	if c.Name != atomicPath+".Inc" || len(c.Args) != 2 || !unsigned(c.T) {
		return false
	}
	bound, ok := c.Args[1].(*Const)
	size := map[string]uint{"U32": 32, "U64": 64}[elem(c.T)]
	return ok && size > 0 && constant.Compare(bound.Val, token.EQL, constant.MakeUint64(1<<size-1))
}

func path(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	return fn.Pkg().Path()
}

// discards reports whether the result of a call is not used. The translation of expression
// statements sets that.
func (f *frame) discards(e *ast.CallExpr) bool { return f.discarded == e }

// pureCalls reports whether a function of the standard library has one result, which depends on its
// arguments alone.
func pureCalls(path, name string) bool {
	switch path {
	case "math":
		switch name {
		case "Frexp", "Modf", "Lgamma", "Sincos":
			return false // several results
		}
		return true
	case "math/cmplx":
		return name != "Polar"
	case "math/bits":
		switch name {
		case "Add", "Add32", "Add64", "Sub", "Sub32", "Sub64", "Mul", "Mul32", "Mul64", "Div", "Div32", "Div64", "Rem", "Rem32", "Rem64":
			return false
		}
		return true
	}
	return false
}

// threadMethod translates a method of the Thread.
func (b *builder) threadMethod(f *frame, e *ast.CallExpr, fn *types.Func) []binding {
	global := func(axis int) []binding {
		return []binding{&Binary{token.ADD, &Binary{token.MUL, &Index3{blockIdx, axis}, &Index3{blockDim, axis}, intType},
			&Index3{threadIdx, axis}, intType}}
	}
	warp := &Const{constant.MakeInt64(32), intType}
	switch name := fn.Name(); name {
	case "GlobalX":
		return global(0)
	case "GlobalY":
		return global(1)
	case "GlobalZ":
		return global(2)
	case "Rank":
		return []binding{&Rank{}}
	case "LaneID":
		return []binding{&Binary{token.REM, &Rank{}, warp, intType}}
	case "WarpID":
		return []binding{&Binary{token.QUO, &Rank{}, warp, intType}}
	case "LanemaskEQ", "LanemaskLT", "LanemaskLE", "LanemaskGT", "LanemaskGE":
		return []binding{laneMask(name)}
	case "SyncThreads":
		b.emit(&Barrier{Pos: e.Pos()})
		return nil
	case "SyncThreadsCount", "SyncThreadsAnd", "SyncThreadsOr":
		pred := b.expr(f, e.Args[0])
		v := b.newVar("votes", b.typeOf(f, e), e.Pos())
		b.k.votes = true
		b.emit(&Barrier{Kind: name[len("SyncThreads"):], Pred: pred, Dst: v, Pos: e.Pos()})
		return []binding{&VarRef{v}}
	case "SyncWarp", "BallotSync", "AllSync", "AnySync", "ActiveMask":
		return b.warpOp(e, name, b.args(f, e, fn.Signature()), nil)
	case "Threadfence", "ThreadfenceBlock", "ThreadfenceSystem", "Clock", "GlobalTimer", "SMID", "NSMID", "Printf", "Assert":
		sig := fn.Signature()
		b.k.foreign = true // it may call any io.Writer
		c := &Call{Fn: &Method{name, sig}, Name: "thread." + name, Pos: e.Pos(), Dots: sig.Variadic()}
		var args []binding
		if e.Ellipsis.IsValid() || !sig.Variadic() {
			args = b.args(f, e, sig)
		} else {
			c.Dots = false
			args = b.list(f, e.Args)
		}
		for _, a := range args {
			c.Args = append(c.Args, b.reify(a, e.Pos()))
		}
		if sig.Results().Len() == 0 {
			b.emit(&Do{c, e.Pos()})
			return nil
		}
		c.T = b.typeOf(f, e)
		v := &VarRef{b.newVar("got", c.T, e.Pos())}
		b.emit(&Assign{L: []Expr{v}, R: c, Def: true, Pos: e.Pos()})
		return []binding{v}
	default:
		fail(e.Pos(), "%s is not translated", name)
		return nil
	}
}

// laneMask returns the lane mask that a method of the Thread is named after: the lanes equal to,
// below or above the thread's own.
func laneMask(name string) Expr {
	t := types.Typ[types.Uint32]
	lane := &Binary{token.REM, &Rank{}, &Const{constant.MakeInt64(32), intType}, intType}
	shifted := func(v int64) Expr { return &Binary{token.SHL, &Const{constant.MakeInt64(v), t}, lane, t} }
	below := func(v int64) Expr { return &Binary{token.SUB, shifted(v), &Const{constant.MakeInt64(1), t}, t} }
	not := func(x Expr) Expr { return &Binary{token.XOR, x, &Const{constant.MakeInt64(1<<32 - 1), t}, t} }
	switch name {
	case "LanemaskEQ":
		return shifted(1)
	case "LanemaskLT":
		return below(1)
	case "LanemaskLE":
		return below(2)
	case "LanemaskGE":
		return not(below(1))
	}
	return not(below(2)) // LanemaskGT
}

// warpOp translates a warp operation with the operands args. t is the type of its value.
func (b *builder) warpOp(e *ast.CallExpr, name string, args []binding, t types.Type) []binding {
	s := &Warp{Op: name, T: t, Pos: e.Pos()}
	for i, a := range args {
		x := b.operand(b.reify(through(a), e.Pos()), e.Pos())
		if i == 0 {
			s.Mask = x
		} else {
			s.Args = append(s.Args, x)
		}
	}
	var out []binding
	result := func(t types.Type) *Var {
		v := b.newVar("lanes", t, e.Pos())
		out = append(out, &VarRef{v})
		return v
	}
	switch {
	case name == "SyncWarp":
	case name == "BallotSync" || name == "ActiveMask" || name == "MatchAnySync":
		s.Dst = result(types.Typ[types.Uint32])
	case name == "MatchAllSync":
		s.Dst, s.All = result(types.Typ[types.Uint32]), result(boolType)
	case t != nil:
		s.Dst = result(t)
	default:
		s.Dst = result(boolType)
	}
	b.emit(s)
	return out
}

// operand puts e into a variable, unless it already is a variable or a constant.
func (b *builder) operand(e Expr, pos token.Pos) Expr {
	switch x := e.(type) {
	case *Const:
		return e
	case *VarRef:
		if !x.V.addr {
			x.V.kept = true
			return e
		}
	}
	v := b.newVar("operand", e.Type(), pos)
	v.kept = true
	b.emit(&Assign{L: []Expr{&VarRef{v}}, R: e, Def: true, Pos: pos})
	return &VarRef{v}
}

// unnamedShared is the prefix of a shared array's name until the source assigns the array to a
// variable.
const unnamedShared = "shared"

// coreCall translates a call of a function of package gocuda.
func (b *builder) coreCall(f *frame, e *ast.CallExpr, c *funcValue) []binding {
	switch name := c.fn.Name(); name {
	case "Shared", "DynamicShared":
		if _, ok := b.value(f, e.Args[0]).(thread); !ok {
			fail(e.Pos(), "%s of something that is not the Thread", name)
		}
		elem := c.targs[0]
		b.printable(elem, e.Pos())
		s := &Alloc{Elem: elem, Pos: e.Pos()}
		if name == "Shared" {
			s.N = b.expr(f, e.Args[1])
		}
		s.Dst = b.newVar(unnamedShared, types.NewSlice(elem), e.Pos())
		b.emit(s)
		return []binding{&VarRef{s.Dst}}
	case "ShflSync", "ShflUpSync", "ShflDownSync", "ShflXorSync", "MatchAnySync", "MatchAllSync", "ReduceAddSync",
		"ReduceMinSync", "ReduceMaxSync", "ReduceAndSync", "ReduceOrSync", "ReduceXorSync":
		args := b.args(f, e, c.fn.Signature())
		if _, ok := args[0].(thread); !ok {
			fail(e.Pos(), "%s of something that is not the Thread", name)
		}
		b.printable(c.targs[0], e.Pos())
		if isPointer(c.targs[0]) {
			fail(e.Pos(), "%s of a pointer is not translated", name)
		}
		return b.warpOp(e, name, args[1:], c.targs[0])
	default:
		fail(e.Pos(), "%s is not translated", name)
		return nil
	}
}
