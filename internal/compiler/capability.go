package compiler

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
)

// The check of `gocuda gen -capability`: where kernels use features that GPUs of a compute
// capability lack. It reads the source of every kernel of a package, marked or not, and of the
// funcs that it calls, except those of the standard library and of this module's device packages.

const memPath = "github.com/gocuda/gocuda/mem"

// parseCapability parses one of the known compute capabilities, such as 1.0.
func parseCapability(text string) (gocuda.Capability, error) {
	var names []string
	for _, c := range gocuda.Capabilities() {
		if c.String() == text {
			return c, nil
		}
		names = append(names, c.String())
	}
	return gocuda.Capability{}, fmt.Errorf("-capability %s: there are %s", text, strings.Join(names, ", "))
}

// A Lack is a place in a kernel that uses a feature which the GPU lacks.
type Lack struct {
	Note
	Since gocuda.Capability // the first capability with the feature
}

// Lacks returns the places where kernels of the packages that match patterns in dir use features
// that GPUs of capability c lack, in the order of the source. If a package can't be loaded, it
// returns an error and the places in the other packages.
func Lacks(dir string, patterns []string, c gocuda.Capability) ([]Lack, error) {
	prog, err := load(dir, patterns, Options{})
	if err != nil {
		return nil, err
	}
	errs := prog.failed
	var found []Lack
	for _, q := range prog.targets() {
		v := &capabilityCheck{prog: prog, root: q, has: c, said: map[string]bool{}}
		for _, k := range q.kernelFuncs() {
			if err := q.errorIn(k.node.Pos(), k.node.End()); err != nil {
				errs = append(errs, err)
				continue
			}
			v.kernel = k.name
			v.walk(q, k.body, nil, nil, 0)
		}
		found = append(found, v.found...)
	}
	slices.SortStableFunc(found, func(a, b Lack) int {
		if n := strings.Compare(a.Pos.Filename, b.Pos.Filename); n != 0 {
			return n
		}
		return a.Pos.Offset - b.Pos.Offset
	})
	return found, errors.Join(errs...)
}

// lacksCommand prints the places with missing features, and returns the exit status.
func lacksCommand(text string, patterns []string, stdout, stderr io.Writer) int {
	c, err := parseCapability(text)
	if err != nil {
		Complain(stderr, err)
		return 2
	}
	found, err := Lacks(".", patterns, c)
	for _, l := range found {
		fmt.Fprintln(stdout, l)
	}
	if err != nil {
		Complain(stderr, err)
	}
	if err != nil || len(found) > 0 {
		return 1
	}
	return 0
}

// A kernelFunc is a func or a literal that is a kernel.
type kernelFunc struct {
	name string
	node ast.Node
	body *ast.BlockStmt
}

// kernelFuncs returns the kernels of q: the funcs that are marked, and the declared funcs and the
// literals whose only parameter is a *gocuda.Thread, a *gocuda.Warp or a *gocuda.Block.
func (q *pkg) kernelFuncs() (list []kernelFunc) {
	for _, f := range q.files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			name := ""
			if ok {
				name = fd.Name.Name
				_, marked := directive(fd)
				if fd.Body != nil && (marked || q.takesScope(q.info.TypeOf(fd.Name))) {
					list = append(list, kernelFunc{name, fd, fd.Body})
				}
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if lit, ok := n.(*ast.FuncLit); ok && q.takesScope(q.info.TypeOf(lit)) {
					in := name
					if in == "" {
						in = q.name
					}
					list = append(list, kernelFunc{fmt.Sprintf("a kernel in %s", in), lit, lit.Body})
				}
				return true
			})
		}
	}
	return list
}

// takesScope reports whether t is the type of a func whose only parameter is a thread, a warp or a
// block.
func (q *pkg) takesScope(t types.Type) bool {
	sig, ok := t.(*types.Signature)
	return ok && sig.Params().Len() == 1 && scopeName(sig.Params().At(0).Type()) != ""
}

// scopeName returns Thread, Warp, Block or Barrier for a pointer to such a type, and otherwise "".
func scopeName(t types.Type) string {
	p, ok := t.(*types.Pointer)
	if !ok {
		return ""
	}
	n, ok := p.Elem().(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != corePath {
		return ""
	}
	switch name := n.Obj().Name(); name {
	case "Thread", "Warp", "Block", "Barrier":
		return name
	}
	return ""
}

// A capabilityCheck searches the kernels of a package for missing features.
type capabilityCheck struct {
	prog   *program
	root   *pkg
	has    gocuda.Capability
	kernel string
	stack  []*types.Func
	found  []Lack
	said   map[string]bool // reports so far, since each is given once per line
}

// deepest is the largest depth of nested calls that is followed.
const deepest = 40

// missing reports whether the GPU lacks f.
func (v *capabilityCheck) missing(f feature) bool {
	return v.has.Major < f.since.Major || v.has.Major == f.since.Major && v.has.Minor < f.since.Minor
}

func (v *capabilityCheck) say(q *pkg, pos token.Pos, f feature) {
	if f.what == "" || !v.missing(f) {
		return
	}
	at := v.prog.relative(q, pos)
	key := fmt.Sprint(at.Filename, at.Line, f.what)
	if v.said[key] {
		return
	}
	v.said[key] = true
	v.found = append(v.found, Lack{Note{at, v.kernel, fmt.Sprintf("%s: since compute capability %v, not in %v", f.what, f.since, v.has)}, f.since})
}

// A sharedSet is the variables of a func that hold shared memory.
type sharedSet map[types.Object]bool

// walk checks the body of a func with the type arguments targs. params are the parameters that hold
// shared memory.
func (v *capabilityCheck) walk(q *pkg, body *ast.BlockStmt, targs map[*types.TypeParam]types.Type, params sharedSet, depth int) {
	shared := sharedSet{}
	for o := range params {
		shared[o] = true
	}
	for n := -1; n != len(shared); { // a variable may be assigned from one that is found later
		n = len(shared)
		q.findShared(body, shared)
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			v.call(q, c, targs, shared, depth)
		}
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		tv, ok := q.info.Types[e]
		t := tv.Type
		if !ok {
			id, isIdent := e.(*ast.Ident)
			if !isIdent || q.info.Defs[id] == nil {
				return true
			}
			t = q.info.Defs[id].Type()
		} else if tv.Value != nil || !tv.IsValue() {
			return true
		}
		if v.alwaysDouble(t, targs) {
			v.say(q, e.Pos(), doubles)
		}
		return true
	})
}

// alwaysDouble reports whether t is a type of double precision; for a type parameter, whether all
// types that it can be are.
func (v *capabilityCheck) alwaysDouble(t types.Type, targs map[*types.TypeParam]types.Type) bool {
	return v.everyKind(t, targs, func(k types.BasicKind) bool { return k == types.Float64 || k == types.Complex128 })
}

// everyKind reports whether is holds for every basic kind that t can be. It is false for other
// types.
func (v *capabilityCheck) everyKind(t types.Type, targs map[*types.TypeParam]types.Type, is func(types.BasicKind) bool) bool {
	if tp, ok := t.(*types.TypeParam); ok {
		if known := targs[tp]; known != nil {
			return v.everyKind(known, nil, is)
		}
		any := false
		for _, k := range numeric {
			if satisfies(k, tp) {
				if any = true; !is(k) {
					return false
				}
			}
		}
		return any
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && is(b.Kind())
}

// findShared adds to shared the variables that hold results of gocuda.Shared or DynamicShared, or
// parts of these.
func (q *pkg) findShared(body ast.Node, shared sharedSet) {
	set := func(to ast.Expr, from ast.Expr) {
		if id, ok := ast.Unparen(to).(*ast.Ident); ok && q.isShared(from, shared) {
			if o := q.info.ObjectOf(id); o != nil {
				shared[o] = true
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i := range n.Lhs {
					set(n.Lhs[i], n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i := range n.Values {
				if len(n.Names) == len(n.Values) {
					set(n.Names[i], n.Values[i])
				}
			}
		}
		return true
	})
}

// isShared reports whether e is shared memory: a shared array, a part or an element of one, or a
// pointer to such.
func (q *pkg) isShared(e ast.Expr, shared sharedSet) bool {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return false
			}
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.SelectorExpr:
			if q.info.Selections[x] == nil {
				return false
			}
			e = x.X
		case *ast.Ident:
			return shared[q.info.ObjectOf(x)]
		case *ast.CallExpr:
			fn := q.callee(x)
			return fn != nil && path(fn) == corePath && (fn.Name() == "Shared" || fn.Name() == "DynamicShared")
		default:
			return false
		}
	}
}

// callee returns the called func, or nil for a conversion, a builtin or a variable.
func (q *pkg) callee(e *ast.CallExpr) *types.Func {
	fn, _ := q.info.Uses[calleeName(e)].(*types.Func)
	return fn
}

// calleeName returns the identifier of the called func, or nil.
func calleeName(e *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(e.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch x := fun.(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	}
	return nil
}

// call checks a call.
func (v *capabilityCheck) call(q *pkg, e *ast.CallExpr, targs map[*types.TypeParam]types.Type, shared sharedSet, depth int) {
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
		if b, ok := q.info.Uses[id].(*types.Builtin); ok && (b.Name() == "make" || b.Name() == "append" || b.Name() == "new") {
			v.say(q, e.Pos(), feature{gocuda.Capability{Major: 2}, "memory allocated by kernels"})
		}
	}
	fn := q.callee(e)
	if fn == nil {
		return
	}
	switch path(fn) {
	case corePath:
		v.say(q, e.Pos(), coreFeature(fn))
		return
	case devicePath:
		v.say(q, e.Pos(), find(deviceFuncs, fn.Name()))
		return
	case memPath:
		v.say(q, e.Pos(), find(memFuncs, fn.Name()))
		return
	case groupsPath:
		v.say(q, e.Pos(), find(groupFuncs, fn.Name()))
		return
	case atomicPath:
		v.atomic(q, e, fn.Name(), targs, shared)
		return
	}
	d, ok := v.prog.decls[fn.Origin()]
	if !ok || d.decl.Body == nil {
		return
	}
	if slices.Contains(v.stack, fn.Origin()) {
		v.say(q, e.Pos(), feature{gocuda.Capability{Major: 2}, "recursion"})
		return
	}
	if depth == deepest {
		return
	}
	// The callee's type arguments, and the parameters that hold shared memory.
	inner := map[*types.TypeParam]types.Type{}
	if inst, ok := q.info.Instances[calleeName(e)]; ok {
		for i := range inst.TypeArgs.Len() {
			t := inst.TypeArgs.At(i)
			if tp, ok := t.(*types.TypeParam); ok && targs[tp] != nil {
				t = targs[tp]
			}
			inner[fn.Origin().Signature().TypeParams().At(i)] = t
		}
	}
	params := sharedSet{}
	sig := fn.Origin().Signature()
	for i, a := range e.Args {
		if i < sig.Params().Len() && q.isShared(a, shared) {
			params[sig.Params().At(i)] = true
		}
	}
	if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && sig.Recv() != nil && q.isShared(sel.X, shared) {
		params[sig.Recv()] = true
	}
	v.stack = append(v.stack, fn.Origin())
	v.walk(d.pkg, d.decl.Body, inner, params, depth+1)
	v.stack = v.stack[:len(v.stack)-1]
}

// coreFeature is the feature that a func or a method of package gocuda needs.
func coreFeature(fn *types.Func) feature {
	recv := fn.Signature().Recv()
	if recv == nil {
		return functions[fn.Name()]
	}
	switch scopeName(recv.Type()) {
	case "":
		return feature{}
	case "Barrier":
		return feature{gocuda.Capability{Major: 7}, "barrier objects"}
	}
	return methods[fn.Name()]
}

// atomic checks a call of package atomic.
func (v *capabilityCheck) atomic(q *pkg, e *ast.CallExpr, name string, targs map[*types.TypeParam]types.Type, shared sharedSet) {
	if len(e.Args) == 0 {
		return
	}
	p, ok := q.info.TypeOf(e.Args[0]).Underlying().(*types.Pointer)
	if !ok {
		return
	}
	in := q.isShared(e.Args[0], shared)
	var least feature
	lacked := v.everyKind(p.Elem(), targs, func(k types.BasicKind) bool {
		f := atomicFeature(name, k, in)
		if least.what == "" || before(f.since, least.since) {
			least = f
		}
		return v.missing(f)
	})
	if lacked {
		v.say(q, e.Pos(), least)
	}
}

func before(a, b gocuda.Capability) bool {
	return a.Major < b.Major || a.Major == b.Major && a.Minor < b.Minor
}
