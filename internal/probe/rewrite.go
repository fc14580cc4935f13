package probe

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
	"github.com/gocuda/gocuda/gocuda/rt/warps"
)

// Paths of packages that the rewriter knows.
const (
	module      = "github.com/gocuda/gocuda"
	runtimePath = module + "/gocuda"
	probePath   = module + "/gocuda/rt/probe"
	name        = "gocudaprobe" // of that package in rewritten files
)

// A mode is what is done with the value of an expression.
type mode uint8

const (
	load mode = iota
	store
	update
	place // its address is taken, or only its type matters
)

var wrappers = [...]string{"Load", "Store", "Update"}

var siteKinds = [...]string{warps.SiteLoad, warps.SiteStore, warps.SiteUpdate}

// edit is text to put in place of n bytes of a file.
type edit struct {
	open, close string
	replaced    int
}

// A rewriter rewrites one file. It changes the text in place, so that lines keep their numbers.
type rewriter struct {
	fset     *token.FileSet
	info     *types.Info
	file     *ast.File
	text     []byte
	path     string // of the file as reports name it
	sites    *[]probe.Site
	shared   map[types.Object]bool // variables that several threads can change
	barriers map[string]bool       // functions that come to a barrier
	tails    map[ast.Stmt]bool     // calls after which their function returns
	fragile  map[ast.Expr]bool     // accesses that must stay as they are
	early    bool                  // a return here is one before the end of a function with barriers
	edits    map[int]*edit
	fn       string
	body     *ast.BlockStmt // of the innermost function

	table     *warps.Table // of the profiler; nil for the sanitizer
	receivers map[types.Object]bool
	flow
	accesses int
}

// decls rewrites the file.
func (r *rewriter) decls() {
	for _, d := range r.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			r.fn = d.Name.Name
			if d.Recv != nil && len(d.Recv.List) == 1 && len(d.Recv.List[0].Names) == 1 {
				r.receivers[r.info.Defs[d.Recv.List[0].Names[0]]] = true
			}
			r.funcBody(d.Body)
		case *ast.GenDecl:
			r.fn = ""
			r.stmt(&ast.DeclStmt{Decl: d})
		}
	}
}

func (r *rewriter) offset(p token.Pos) int { return r.fset.Position(p).Offset }

func (r *rewriter) at(p token.Pos) *edit {
	o := r.offset(p)
	if r.edits[o] == nil {
		r.edits[o] = &edit{}
	}
	return r.edits[o]
}

// site makes a site of a part of the file. Its text ends with the line.
func (r *rewriter) site(from, to token.Pos) int {
	p := r.fset.Position(from)
	text, _, _ := strings.Cut(string(r.text[p.Offset:r.offset(to)]), "\n")
	*r.sites = append(*r.sites, probe.Site{File: r.shown(p), Line: p.Line, Col: p.Column, Text: strings.TrimSpace(text), Func: r.fn})
	return len(*r.sites) - 1
}

// shown returns the name of the file that a place is in: that of the source if the file says so by
// a line directive.
func (r *rewriter) shown(p token.Position) string {
	if name := filepath.Base(p.Filename); name != path.Base(r.path) {
		return path.Join(path.Dir(r.path), name)
	}
	return r.path
}

// wrap puts text around a part of the file. Outer parts must be wrapped before those inside.
func (r *rewriter) wrap(from, to token.Pos, before, after string) {
	r.at(from).open += before
	e := r.at(to)
	e.close = after + e.close
}

func (r *rewriter) call(f string, from, to token.Pos) string {
	return fmt.Sprintf("%s.%s(%d, ", name, f, r.site(from, to))
}

// result returns the rewritten text, or nil if nothing has changed. imports are further packages.
func (r *rewriter) result(imports ...string) []byte {
	if len(r.edits) == 0 {
		return nil
	}
	path := probePath
	if r.profiles() {
		path = warpsPath
	}
	clause := fmt.Sprintf("; import %s %q", name, path)
	for _, p := range imports {
		clause += fmt.Sprintf("; import _ %q", p)
	}
	r.at(r.file.Name.End()).close = clause
	var out []byte
	last := 0
	var offsets []int
	for o := range r.edits {
		offsets = append(offsets, o)
	}
	slices.Sort(offsets)
	for _, o := range offsets {
		e := r.edits[o]
		out = append(out, r.text[last:o]...)
		out = append(out, e.close...)
		out = append(out, e.open...)
		last = o + e.replaced
	}
	return append(out, r.text[last:]...)
}

// under returns the underlying type of e, of a type parameter the one that all its types share.
func (r *rewriter) under(e ast.Expr) types.Type {
	t := r.info.TypeOf(e)
	if t == nil {
		return nil
	}
	return core(t)
}

func core(t types.Type) types.Type {
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return t.Underlying()
	}
	i, ok := p.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var one types.Type
	for k := range i.NumEmbeddeds() {
		var terms []types.Type
		if u, ok := i.EmbeddedType(k).(*types.Union); ok {
			for n := range u.Len() {
				terms = append(terms, u.Term(n).Type().Underlying())
			}
		} else {
			terms = append(terms, i.EmbeddedType(k).Underlying())
		}
		for _, t := range terms {
			if one != nil && !types.Identical(one, t) {
				return nil
			}
			one = t
		}
	}
	return one
}

func pointerTo(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return core(p.Elem())
	}
	return nil
}

// isShared reports whether the place e may be in memory that other threads see, and has an address.
func (r *rewriter) isShared(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.isShared(e.X)
	case *ast.Ident:
		return r.shared[r.info.ObjectOf(e)]
	case *ast.StarExpr:
		return true
	case *ast.IndexExpr:
		switch t := r.under(e.X).(type) {
		case *types.Slice:
			return true
		case *types.Pointer:
			_, ok := pointerTo(t).(*types.Array)
			return ok
		case *types.Array:
			return r.isShared(e.X)
		}
	case *ast.SelectorExpr:
		s := r.info.Selections[e]
		if s == nil {
			return r.shared[r.info.ObjectOf(e.Sel)]
		}
		return s.Kind() == types.FieldVal && (s.Indirect() || r.isShared(e.X))
	}
	return false
}

// access wraps e if it is in memory that others see.
func (r *rewriter) access(e ast.Expr, m mode) {
	if m == place || r.fragile[e] || !r.watched() || !r.isShared(e) || r.profiles() && r.isArgument(e, m) || m == load && r.isIndex(e) {
		return
	}
	r.accesses++
	if r.profiles() {
		r.wrap(e.Pos(), e.End(), "(*"+r.warpCall("Access", siteKinds[m], e.Pos(), e.End(), alignOf(r.info.TypeOf(e)))+"&", "))")
		switch t := r.under(e).(type) {
		case *types.Slice, *types.Interface:
			r.table.Sites[len(r.table.Sites)-1].Size = 8
		case *types.Basic:
			if t.Info()&types.IsString != 0 {
				r.table.Sites[len(r.table.Sites)-1].Size = 8
			}
		}
	} else {
		before := "(*" + r.call(wrappers[m], e.Pos(), e.End()) + "&"
		(*r.sites)[len(*r.sites)-1].Padding = padding(r.info.TypeOf(e))
		r.wrap(e.Pos(), e.End(), before, "))")
	}
}

// mapAccess wraps the expression of a map that others see, of which an element is accessed.
func (r *rewriter) mapAccess(e ast.Expr, m mode) {
	if m == place {
		m = store
	}
	if _, ok := r.under(e).(*types.Map); ok && !r.profiles() && r.watched() && !r.isOwn(e) {
		r.accesses++
		r.wrap(e.Pos(), e.End(), r.call("Map"+wrappers[m], e.Pos(), e.End()), ")")
	}
}

// isOwn reports whether e is a variable of the function itself, or a result that is in no variable.
// Other threads hardly have such a map.
func (r *rewriter) isOwn(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return !r.isShared(e)
	}
	at := token.NoPos
	if v := r.info.ObjectOf(id); v != nil {
		at = v.Pos()
	}
	return r.body != nil && r.body.Pos() <= at && at < r.body.End()
}

// isIndex reports whether e is a field of a thread, such as t.ThreadIdx.X: a special register of a
// GPU, which nobody writes.
func (r *rewriter) isIndex(e ast.Expr) bool {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			if isThread(r.info.TypeOf(x.X)) {
				return true
			}
			e = x.X
		default:
			return false
		}
	}
}

func (r *rewriter) isType(e ast.Expr) bool {
	tv, ok := r.info.Types[e]
	return ok && tv.IsType()
}

// expr rewrites an expression.
func (r *rewriter) expr(e ast.Expr, m mode) {
	if e == nil || r.isType(e) || r.info.Types[e].Value != nil {
		return
	}
	switch e := e.(type) {
	case *ast.Ident:
		r.access(e, m)
	case *ast.ParenExpr:
		r.expr(e.X, m)
	case *ast.IndexExpr:
		switch r.under(e.X).(type) {
		case *types.Slice, *types.Pointer:
			r.access(e, m)
			r.expr(e.X, load)
		case *types.Array:
			r.access(e, m)
			if r.isAddressable(e.X) {
				r.expr(e.X, place)
			} else {
				r.expr(e.X, load)
			}
		case *types.Map:
			r.mapAccess(e.X, m)
			r.expr(e.X, load)
		case *types.Signature:
			return // an instance
		default:
			r.expr(e.X, load)
		}
		r.expr(e.Index, load)
	case *ast.SelectorExpr:
		s := r.info.Selections[e]
		switch {
		case s == nil:
			r.access(e, m)
		case s.Kind() == types.FieldVal:
			r.access(e, m)
			if _, ok := r.under(e.X).(*types.Pointer); ok || !r.isAddressable(e.X) {
				r.expr(e.X, load)
			} else {
				r.expr(e.X, place)
			}
		case s.Kind() == types.MethodVal:
			r.receiver(e, s)
		}
	case *ast.StarExpr:
		r.access(e, m)
		r.expr(e.X, load)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			r.expr(e.X, place)
		} else {
			r.expr(e.X, load)
		}
	case *ast.BinaryExpr:
		r.expr(e.X, load)
		r.expr(e.Y, load)
	case *ast.SliceExpr:
		if _, ok := r.under(e.X).(*types.Array); ok {
			r.expr(e.X, place)
		} else {
			r.expr(e.X, load)
		}
		r.expr(e.Low, load)
		r.expr(e.High, load)
		r.expr(e.Max, load)
	case *ast.TypeAssertExpr:
		r.expr(e.X, load)
	case *ast.FuncLit:
		r.funcBody(e.Body)
	case *ast.CompositeLit:
		_, isStruct := r.under(e).(*types.Struct)
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				if !isStruct {
					r.expr(kv.Key, load)
				}
				x = kv.Value
			}
			r.expr(x, load)
		}
	case *ast.CallExpr:
		r.callExpr(e)
	}
}

func (r *rewriter) isAddressable(e ast.Expr) bool {
	tv := r.info.Types[e]
	return tv.Addressable() || r.isShared(e)
}

// receiver rewrites the X of a method value or of a call.
func (r *rewriter) receiver(e *ast.SelectorExpr, s *types.Selection) {
	recv := s.Obj().(*types.Func).Signature().Recv()
	_, byPointer := recv.Type().(*types.Pointer)
	if _, ok := r.under(e.X).(*types.Pointer); !ok && byPointer {
		r.expr(e.X, place)
		return
	}
	r.expr(e.X, load)
}

func (r *rewriter) callExpr(e *ast.CallExpr) {
	if r.isType(e.Fun) {
		for _, x := range e.Args {
			r.expr(x, load)
		}
		return
	}
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
		if b, ok := r.info.Uses[id].(*types.Builtin); ok {
			r.builtin(e, id, b.Name())
			return
		}
	}
	if s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
		if b, ok := r.info.Uses[s.Sel].(*types.Builtin); ok { // of unsafe
			if b.Name() != "Sizeof" && b.Name() != "Alignof" && b.Name() != "Offsetof" {
				for _, x := range e.Args {
					r.expr(x, load)
				}
			}
			return
		}
	}
	f := calledFunc(r.info, e)
	if r.profiles() && r.warpCallExpr(e, f) {
		return
	}
	if f != nil && isMeeting(f) && r.watched() {
		barrier := isBlockBarrier(f)
		at := func() string {
			switch {
			case r.profiles() && barrier:
				return r.warpCall("Meet", warps.SiteBarrier, e.Pos(), e.End(), 0)
			case r.profiles():
				return r.warpCall("Meet", warps.SiteWarp, e.Pos(), e.End(), 0)
			}
			text := r.call("At", e.Pos(), e.End())
			(*r.sites)[len(*r.sites)-1].Barrier = barrier
			return text
		}
		if s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && r.info.Selections[s] != nil && r.info.Selections[s].Kind() == types.MethodVal {
			_, pointer := f.Signature().Recv().Type().(*types.Pointer)
			if _, ok := r.under(s.X).(*types.Pointer); ok || !pointer {
				r.wrap(s.X.Pos(), s.X.End(), at(), ")")
			}
		} else if len(e.Args) > 0 {
			r.wrap(e.Args[0].Pos(), e.Args[0].End(), at(), ")")
		}
	}
	r.lock(e, f)
	r.expr(e.Fun, load)
	args := e.Args
	if f != nil && f.Pkg() != nil && (f.Pkg().Path() == module+"/atomic" || f.Pkg().Path() == "sync/atomic") &&
		f.Signature().Recv() == nil && len(args) > 0 {
		if p, ok := r.under(args[0]).(*types.Pointer); ok && r.watched() && !r.fragileArgument(args[0]) {
			before := ""
			if r.profiles() {
				before = r.warpCall("Access", warps.SiteAtomic, args[0].Pos(), args[0].End(), alignOf(p.Elem()))
			} else {
				before = r.call("Atomic", args[0].Pos(), args[0].End())
			}
			r.wrap(args[0].Pos(), args[0].End(), before, ")")
			r.expr(args[0], load)
			args = args[1:]
		}
	}
	for _, x := range args {
		r.expr(x, load)
	}
}

// lock wraps a call that locks or unlocks a lock of package sync, which orders threads.
func (r *rewriter) lock(e *ast.CallExpr, f *types.Func) {
	s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok || f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync" || r.profiles() || !r.watched() || r.info.Selections[s] == nil || r.calls(s.X) {
		return
	}
	call := map[string]string{"Lock": "Lock", "RLock": "Lock", "Unlock": "Unlock", "RUnlock": "Unlock"}[f.Name()]
	if call == "" || r.info.Selections[s].Kind() != types.MethodVal {
		return
	}
	lock := string(r.text[r.offset(s.X.Pos()):r.offset(s.X.End())])
	switch r.under(s.X).(type) {
	case *types.Pointer, *types.Interface:
	default:
		lock = "&(" + lock + ")"
	}
	r.wrap(e.Pos(), e.End(), fmt.Sprintf("%s.%s(%s, func() { ", name, call, lock), " })")
}

// fragileArgument reports whether e is the address of an access that must stay as it is.
func (r *rewriter) fragileArgument(e ast.Expr) bool {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && r.fragile[ast.Unparen(u.X)]
}

func (r *rewriter) builtin(e *ast.CallExpr, id *ast.Ident, f string) {
	switch f {
	case "len", "cap":
		if r.isAddressable(e.Args[0]) {
			if _, ok := r.under(e.Args[0]).(*types.Array); ok {
				r.expr(e.Args[0], place)
				return
			}
		}
	case "delete":
		r.mapAccess(e.Args[0], store)
	case "clear":
		r.mapAccess(e.Args[0], store)
		if isSlice(r.under(e.Args[0])) && !r.profiles() {
			ed := r.at(id.Pos())
			ed.open += name + ".Clear"
			ed.replaced = len("clear")
			r.at(e.Lparen + 1).open += fmt.Sprintf("%d, ", r.site(e.Pos(), e.End()))
		}
	case "copy":
		d, ok1 := r.under(e.Args[0]).(*types.Slice)
		s, ok2 := r.under(e.Args[1]).(*types.Slice)
		from, ok3 := r.under(e.Args[1]).(*types.Basic)
		f := ".Copy"
		if ok3 = !r.profiles() && ok1 && ok3 && from.Info()&types.IsString != 0; ok3 {
			f = ".CopyString"
		}
		if (ok1 && ok2 && types.Identical(d.Elem(), s.Elem()) || ok3) && r.watched() {
			before := ""
			if r.profiles() {
				before = strings.TrimPrefix(r.warpCall("Copy", warps.SiteLoad, e.Pos(), e.End(), alignOf(d.Elem())), name+".Copy(")
				r.warpSite(warps.SiteStore, e.Pos(), e.End(), alignOf(d.Elem()))
			} else {
				before = fmt.Sprintf("%d, ", r.site(e.Pos(), e.End()))
			}
			ed := r.at(id.Pos())
			ed.open += name + f
			ed.replaced = len("copy")
			r.at(e.Lparen + 1).open += before
		}
	}
	for _, x := range e.Args {
		r.expr(x, load)
	}
}

// calledFunc returns the function or method that a call names.
func calledFunc(info *types.Info, e *ast.CallExpr) *types.Func {
	f := ast.Unparen(e.Fun)
	switch x := f.(type) {
	case *ast.IndexExpr:
		f = x.X
	case *ast.IndexListExpr:
		f = x.X
	}
	var obj types.Object
	switch x := f.(type) {
	case *ast.Ident:
		obj = info.Uses[x]
	case *ast.SelectorExpr:
		obj = info.Uses[x.Sel]
	}
	fn, _ := obj.(*types.Func)
	if fn != nil {
		fn = fn.Origin()
	}
	return fn
}

// isMeeting reports whether f is an operation of the runtime at which threads meet.
func isMeeting(f *types.Func) bool {
	if f.Pkg() == nil {
		return false
	}
	n := f.Name()
	switch f.Pkg().Path() {
	case runtimePath:
		return strings.HasPrefix(n, "Sync") || strings.HasSuffix(n, "Sync") || strings.HasPrefix(n, "Bar") && n != "Barrier" ||
			n == "Arrive" || n == "Wait" || n == "ArriveGrid" || n == "WaitGrid"
	case module + "/cg":
		return n == "Sync"
	}
	return false
}

// isBlockBarrier reports whether f is a barrier of the whole block.
func isBlockBarrier(f *types.Func) bool {
	recv := f.Signature().Recv()
	if !isMeeting(f) || recv == nil {
		return false
	}
	if f.Pkg().Path() == runtimePath {
		return strings.HasPrefix(f.Name(), "SyncThreads") || f.Name() == "SyncGrid"
	}
	n, ok := types.Unalias(recv.Type()).(*types.Named)
	return ok && (n.Obj().Name() == "ThreadBlock" || n.Obj().Name() == "GridGroup")
}

// isDynamic reports whether a call is of a func value or of a method of an interface, which may
// come to any barrier.
func isDynamic(info *types.Info, e *ast.CallExpr) bool {
	if tv := info.Types[e.Fun]; tv.IsType() || tv.IsBuiltin() {
		return false
	}
	f := calledFunc(info, e)
	if f == nil {
		return true
	}
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type()) && f.Pkg() != nil
}

// hasBarrier reports whether n calls, or may call, a barrier of the block, itself or by a function
// that does.
func hasBarrier(n ast.Node, info *types.Info, barriers map[string]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			f := calledFunc(info, n)
			if f != nil && (isBlockBarrier(f) || barriers[f.FullName()]) || isDynamic(info, n) {
				found = true
			}
		}
		return !found
	})
	return found
}

func (r *rewriter) block(b *ast.BlockStmt) {
	if b != nil {
		r.list(b.List)
	}
}

func (r *rewriter) list(list []ast.Stmt) {
	if r.profiles() {
		r.warpList(list)
		return
	}
	for _, s := range list {
		inner := s
		for {
			l, ok := inner.(*ast.LabeledStmt)
			if !ok {
				break
			}
			inner = l.Stmt
		}
		switch inner.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.ExprStmt, *ast.AssignStmt:
			if !terminates(s) && hasBarrier(inner, r.info, r.barriers) && !isBarrierCall(inner, r.info) {
				n := r.site(inner.Pos(), headEnd(inner))
				_, call := inner.(*ast.ExprStmt)
				_, assign := inner.(*ast.AssignStmt)
				(*r.sites)[n].Call, (*r.sites)[n].Tail = call || assign, r.tails[inner]
				r.wrap(s.Pos(), s.End(), fmt.Sprintf("%s.Enter(%d); ", name, n), fmt.Sprintf("; %s.Leave(%d)", name, n))
			}
		}
		r.stmt(s)
	}
}

// headEnd is the end of a statement's head: where the block of an if, a loop or a switch begins.
func headEnd(s ast.Stmt) token.Pos {
	switch s := s.(type) {
	case *ast.IfStmt:
		return s.Body.Lbrace
	case *ast.ForStmt:
		return s.Body.Lbrace
	case *ast.RangeStmt:
		return s.Body.Lbrace
	case *ast.SwitchStmt:
		return s.Body.Lbrace
	case *ast.TypeSwitchStmt:
		return s.Body.Lbrace
	}
	return s.End()
}

// isBarrierCall reports whether a statement does nothing but call a barrier.
func isBarrierCall(s ast.Stmt, info *types.Info) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	c, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	f := calledFunc(info, c)
	return f != nil && isMeeting(f)
}

// terminates reports whether a statement may be one that ends a function with results, as the
// language defines it.
func terminates(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.GOTO
	case *ast.ExprStmt:
		c, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := c.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	case *ast.BlockStmt:
		return len(s.List) > 0 && terminates(s.List[len(s.List)-1])
	case *ast.IfStmt:
		return s.Else != nil && terminates(s.Body) && terminates(s.Else)
	case *ast.ForStmt:
		return s.Cond == nil
	case *ast.LabeledStmt:
		return terminates(s.Stmt)
	case *ast.SwitchStmt:
		return clausesTerminate(s.Body)
	case *ast.TypeSwitchStmt:
		return clausesTerminate(s.Body)
	case *ast.SelectStmt:
		return true
	}
	return false
}

func clausesTerminate(b *ast.BlockStmt) bool {
	all, other := true, false
	for _, c := range b.List {
		c := c.(*ast.CaseClause)
		other = other || c.List == nil
		last := len(c.Body) - 1
		if last < 0 {
			return false
		}
		if f, ok := c.Body[last].(*ast.BranchStmt); ok && f.Tok == token.FALLTHROUGH {
			continue
		}
		all = all && terminates(c.Body[last])
	}
	return all && other
}

func (r *rewriter) cond(e ast.Expr) {
	if e == nil || r.info.Types[e].Value != nil {
		return
	}
	r.wrap(e.Pos(), e.End(), r.call("Branch", e.Pos(), e.End()), ")")
	r.expr(e, load)
}

func (r *rewriter) stmt(s ast.Stmt) {
	if r.profiles() && r.warpStmt(s) {
		return
	}
	switch s := s.(type) {
	case *ast.BlockStmt:
		r.block(s)
	case *ast.ExprStmt:
		r.expr(s.X, load)
	case *ast.SendStmt:
		r.expr(s.Chan, load)
		r.expr(s.Value, load)
	case *ast.IncDecStmt:
		r.expr(s.X, update)
	case *ast.AssignStmt:
		r.assign(s)
	case *ast.GoStmt:
		r.expr(s.Call, load)
	case *ast.DeferStmt:
		r.expr(s.Call, load)
	case *ast.ReturnStmt:
		if r.early {
			r.at(s.Pos()).open += name + ".Return(); "
		}
		for _, x := range s.Results {
			r.expr(x, load)
		}
	case *ast.IfStmt:
		if s.Init != nil {
			r.stmt(s.Init)
		}
		r.cond(s.Cond)
		r.block(s.Body)
		if s.Else != nil {
			r.stmt(s.Else)
		}
	case *ast.ForStmt:
		if s.Init != nil {
			r.stmt(s.Init)
		}
		r.cond(s.Cond)
		if s.Post != nil {
			r.stmt(s.Post)
		}
		r.block(s.Body)
	case *ast.RangeStmt:
		r.rangeHead(s, -1)
		r.block(s.Body)
	case *ast.SwitchStmt:
		if s.Init != nil {
			r.stmt(s.Init)
		}
		r.expr(s.Tag, load)
		r.block(s.Body)
	case *ast.TypeSwitchStmt:
		if s.Init != nil {
			r.stmt(s.Init)
		}
		r.block(s.Body)
	case *ast.CaseClause:
		for _, x := range s.List {
			r.expr(x, load)
		}
		r.list(s.Body)
	case *ast.SelectStmt:
		r.block(s.Body)
	case *ast.CommClause:
		r.list(s.Body)
	case *ast.LabeledStmt:
		r.stmt(s.Stmt)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, spec := range d.Specs {
				for _, x := range spec.(*ast.ValueSpec).Values {
					r.expr(x, load)
				}
			}
		}
	}
}

// rangeHead rewrites what a loop is over. body is its region for the profiler.
func (r *rewriter) rangeHead(s *ast.RangeStmt, body int32) {
	if s.Tok == token.ASSIGN {
		if s.Key != nil {
			r.expr(s.Key, place)
		}
		if s.Value != nil {
			r.expr(s.Value, place)
		}
	}
	_, array := r.under(s.X).(*types.Array)
	switch {
	case array && r.isAddressable(s.X):
		r.expr(s.X, place)
	case isSlice(r.under(s.X)) && s.Value != nil && !isBlank(s.Value) && r.watched():
		before := ""
		if r.profiles() {
			r.in(body, r.ops, func() {
				before = r.warpCall("Range", warps.SiteLoad, s.X.Pos(), s.X.End(), alignOf(r.under(s.X).(*types.Slice).Elem()))
			})
		} else {
			before = r.call("Range", s.X.Pos(), s.X.End())
		}
		r.wrap(s.X.Pos(), s.X.End(), before, ")")
		r.expr(s.X, load)
	default:
		r.mapAccess(s.X, load)
		r.expr(s.X, load)
	}
}

func isSlice(t types.Type) bool {
	_, ok := t.(*types.Slice)
	return ok
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

func (r *rewriter) assign(s *ast.AssignStmt) {
	switch {
	case s.Tok == token.DEFINE:
	case s.Tok == token.ASSIGN && len(s.Lhs) == 1 && len(s.Rhs) == 1 && r.isShared(s.Lhs[0]) && r.watched() && r.setFits(s.Lhs[0], s.Rhs[0]):
		// The value may come from a call that waits: the store comes after it.
		// So does a panic of the place, if the place has no call.
		before, comma := "", ","
		switch {
		case r.profiles():
			before = r.warpCall("Set", warps.SiteStore, s.Lhs[0].Pos(), s.Lhs[0].End(), alignOf(r.info.TypeOf(s.Lhs[0])))
		case r.calls(s.Lhs[0]):
			before = r.call("Set", s.Lhs[0].Pos(), s.Lhs[0].End())
		default:
			before, comma = r.call("Put", s.Lhs[0].Pos(), s.Lhs[0].End())+"func() interface{} { return ", "},"
		}
		r.wrap(s.Pos(), s.End(), before+"&", ")")
		e := r.at(s.TokPos)
		e.open += comma
		e.replaced = 1
		r.expr(s.Lhs[0], place)
	case s.Tok == token.ASSIGN:
		for _, x := range s.Lhs {
			if !isBlank(x) {
				r.expr(x, store)
			}
		}
	default:
		r.expr(s.Lhs[0], update)
	}
	for _, x := range s.Rhs {
		r.expr(x, load)
	}
}

// setFits reports whether y, the value of an assignment to x, has to be evaluated before x, and can
// be the argument of a call.
func (r *rewriter) setFits(x, y ast.Expr) bool {
	tv := r.info.Types[y]
	if tv.Type == nil || !r.calls(y) && (r.profiles() || !r.mayPanic(y)) {
		return false
	}
	if tv.Value != nil {
		return tv.Value.Kind() != constant.Unknown && types.Identical(tv.Type, r.info.TypeOf(x))
	}
	return types.Identical(tv.Type, r.info.TypeOf(x))
}

// calls reports whether an expression calls a func.
func (r *rewriter) calls(e ast.Expr) bool {
	return has(e, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		return ok && !r.isType(c.Fun)
	})
}

// mayPanic reports whether an expression may end in a panic of the runtime.
func (r *rewriter) mayPanic(e ast.Expr) bool {
	return has(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
			return true
		case *ast.SelectorExpr:
			s := r.info.Selections[n]
			return s != nil && s.Indirect()
		case *ast.BinaryExpr:
			return n.Op == token.QUO || n.Op == token.REM || n.Op == token.SHL || n.Op == token.SHR
		}
		return false
	})
}

// has reports whether an expression, without the func literals in it, has a node that f is true for.
func has(e ast.Expr, f func(ast.Node) bool) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		found = found || n != nil && f(n)
		return !found
	})
	return found
}
