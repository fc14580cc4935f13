package probe

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/gocuda/gocuda/gocuda/rt/warps"
)

// What is rewritten for the profiler besides accesses: funcs begin a frame, and the events of
// branches and loops say in which region a thread is. See package gocuda/rt/warps.

const (
	warpsPath = module + "/gocuda/rt/warps"
	frame     = "gocudaframe" // of that package in rewritten funcs
)

// A flow is where the rewriter is in a func.
type flow struct {
	region int32 // -1 outside of funcs
	ops    map[string]int
	loops  []*loop
	breaks []breakable
	label  string // of the statement that comes
}

// A breakable is a statement that a break can leave.
type breakable struct {
	label  string
	ranged bool // a loop over a range
}

func (r *rewriter) profiles() bool { return r.table != nil }

// watched reports whether the place is in a func.
func (r *rewriter) watched() bool { return !r.profiles() || r.region >= 0 }

func (r *rewriter) newRegion(at token.Pos, parent int32, loop bool) int32 {
	t := r.table
	t.Regions = append(t.Regions, warps.Region{
		File: r.shown(r.fset.Position(at)), Line: r.fset.Position(at).Line, Func: r.fn, Parent: parent, Loop: loop,
		Ops: map[string]int{}, Head: map[string]int{}, Post: map[string]int{},
	})
	return int32(len(t.Regions) - 1)
}

// warpSite makes a site for the profiler.
func (r *rewriter) warpSite(kind string, from, to token.Pos, align int) int {
	p := r.fset.Position(from)
	text, _, _ := strings.Cut(string(r.text[p.Offset:r.offset(to)]), "\n")
	r.table.Sites = append(r.table.Sites, warps.Site{
		Kind: kind, File: r.shown(p), Line: p.Line, Col: p.Column, Text: strings.TrimSpace(text), Func: r.fn, Region: r.region, Align: align,
	})
	return len(r.table.Sites) - 1
}

// warpCall is the beginning of a call of a func of package warps.
func (r *rewriter) warpCall(f, kind string, from, to token.Pos, align int) string {
	return fmt.Sprintf("%s.%s(%s, %d, %d, ", name, f, frame, r.warpSite(kind, from, to, align), r.region)
}

// before puts text before a statement.
func (r *rewriter) before(s ast.Stmt, format string, args ...any) {
	r.at(s.Pos()).open += fmt.Sprintf(format, args...) + "; "
}

// begins puts text at the start of a block.
func (r *rewriter) begins(at token.Pos, format string, args ...any) {
	r.at(at).open += " " + fmt.Sprintf(format, args...) + "; "
}

// funcBody rewrites the body of a func.
func (r *rewriter) funcBody(b *ast.BlockStmt) {
	if b == nil {
		return
	}
	defer func(outer *ast.BlockStmt) { r.body = outer }(r.body)
	r.body = b
	if !r.profiles() {
		if r.tails == nil {
			r.tails = map[ast.Stmt]bool{}
		}
		findTails(b.List, true, r.tails)
		defer func(early bool) { r.early = early }(r.early)
		r.early = hasBarrier(b, r.info, r.barriers)
		last := len(b.List)
		if last > 0 {
			if _, ok := b.List[last-1].(*ast.ReturnStmt); ok {
				last--
			}
		}
		r.list(b.List[:last])
		r.early = false
		r.list(b.List[last:])
		return
	}
	saved := r.flow
	fn := r.newRegion(b.Pos(), -1, false)
	r.flow = flow{region: fn, ops: r.table.Regions[fn].Ops}
	r.begins(b.Lbrace+1, "%s := %s.Enter(%d); defer %s.Exit()", frame, name, fn, frame)
	r.list(b.List)
	r.flow = saved
}

// in rewrites something as a part of a region.
func (r *rewriter) in(region int32, ops map[string]int, f func()) {
	region, r.region = r.region, region
	ops, r.ops = r.ops, ops
	f()
	r.region, r.ops = region, ops
}

// warpList rewrites the statements of a block.
func (r *rewriter) warpList(list []ast.Stmt) {
	region, ops := r.region, r.ops
	for i, s := range list {
		if i > 0 && leaves(list[i-1]) {
			rest := r.newRegion(s.Pos(), r.region, false)
			r.before(s, "%s.Join(%d, %d, %d)", frame, r.warpSite(warps.SiteOther, s.Pos(), s.Pos(), 0), r.region, rest)
			r.region, r.ops = rest, r.table.Regions[rest].Ops
		}
		if r.callsAway(s) {
			r.before(s, "%s.Sync(%d)", frame, r.region)
		}
		r.stmt(s)
	}
	r.region, r.ops = region, ops
}

// leaves reports whether a thread may leave the block of s in s, other than by a panic of the
// runtime, and so not come to the next statement.
func leaves(s ast.Stmt) bool {
	found := false
	var visit func(n ast.Node, breaks, continues bool)
	var labels []string
	visit = func(n ast.Node, breaks, continues bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			if found || m == nil {
				return false
			}
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				found = true
			case *ast.CallExpr:
				if id, ok := m.Fun.(*ast.Ident); ok && id.Name == "panic" {
					found = true
				}
			case *ast.LabeledStmt:
				labels = append(labels, m.Label.Name)
			case *ast.BranchStmt:
				inner := m.Label != nil && contains(labels, m.Label.Name)
				switch m.Tok {
				case token.GOTO:
					found = true
				case token.BREAK:
					found = found || !inner && (m.Label != nil || !breaks)
				case token.CONTINUE:
					found = found || !inner && (m.Label != nil || !continues)
				}
			case *ast.ForStmt:
				if m != n {
					visit(m.Body, true, true)
					return false
				}
			case *ast.RangeStmt:
				if m != n {
					visit(m.Body, true, true)
					return false
				}
			case *ast.SwitchStmt:
				if m != n {
					visit(m.Body, true, continues)
					return false
				}
			case *ast.TypeSwitchStmt:
				if m != n {
					visit(m.Body, true, continues)
					return false
				}
			case *ast.SelectStmt:
				if m != n {
					visit(m.Body, true, continues)
					return false
				}
			}
			return !found
		})
	}
	for {
		l, ok := s.(*ast.LabeledStmt)
		if !ok {
			break
		}
		labels = append(labels, l.Label.Name)
		s = l.Stmt
	}
	switch s := s.(type) {
	case *ast.ForStmt:
		visit(s.Body, true, true)
	case *ast.RangeStmt:
		visit(s.Body, true, true)
	case *ast.SwitchStmt:
		visit(s.Body, true, false)
	case *ast.TypeSwitchStmt:
		visit(s.Body, true, false)
	case *ast.SelectStmt:
		visit(s.Body, true, false)
	case *ast.IfStmt, *ast.BlockStmt:
		visit(s, false, false)
	}
	return found
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// callsAway reports whether the statement, without the blocks in it, calls a func whose frame has
// to know where it is called.
func (r *rewriter) callsAway(s ast.Stmt) bool {
	for {
		l, ok := s.(*ast.LabeledStmt)
		if !ok {
			break
		}
		s = l.Stmt
	}
	away := func(nodes ...ast.Node) bool {
		for _, n := range nodes {
			if n != nil && r.hasCall(n) {
				return true
			}
		}
		return false
	}
	switch s := s.(type) {
	case *ast.BlockStmt, *ast.SelectStmt:
		return false
	case *ast.IfStmt:
		return s.Init != nil && away(s.Init) || away(s.Cond)
	case *ast.ForStmt:
		return s.Init != nil && away(s.Init)
	case *ast.RangeStmt:
		return away(s.X)
	case *ast.SwitchStmt:
		return s.Init != nil && away(s.Init) || s.Tag != nil && away(s.Tag)
	case *ast.TypeSwitchStmt:
		return away(s.Assign)
	}
	return away(s)
}

// quiet are packages whose funcs call nothing of the program.
var quiet = map[string]bool{
	runtimePath: true, module + "/device": true, module + "/atomic": true, module + "/mem": true, "math": true, "math/bits": true, "sync/atomic": true,
}

func (r *rewriter) hasCall(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if r.isType(n.Fun) {
				return !found
			}
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
				if _, ok := r.info.Uses[id].(*types.Builtin); ok {
					return !found
				}
			}
			if f := calledFunc(r.info, n); f == nil || f.Pkg() == nil || !quiet[f.Pkg().Path()] {
				found = true
			}
		}
		return !found
	})
	return found
}

func (r *rewriter) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		r.stmt(s.Init)
	}
	if r.info.Types[s.Cond].Value != nil { // no branch
		r.list(s.Body.List)
		if s.Else != nil {
			r.stmt(s.Else)
		}
		return
	}
	r.count(s.Cond)
	yes, no := r.newRegion(s.Body.Pos(), r.region, false), int32(-1)
	if s.Else != nil {
		no = r.newRegion(s.Else.Pos(), r.region, false)
	}
	site := r.warpSite(warps.SiteBranch, s.Cond.Pos(), s.Cond.End(), 0)
	r.wrap(s.Cond.Pos(), s.Cond.End(), fmt.Sprintf("%s.Branch(%s, %d, %d, %d, %d, ", name, frame, site, r.region, yes, no), ")")
	r.expr(s.Cond, load)
	r.in(yes, r.table.Regions[yes].Ops, func() { r.list(s.Body.List) })
	if s.Else != nil {
		r.in(no, r.table.Regions[no].Ops, func() { r.stmt(s.Else) })
	}
}

func (r *rewriter) forStmt(s *ast.ForStmt) {
	label := r.label
	r.label = ""
	if s.Init != nil {
		r.stmt(s.Init)
	}
	body := r.newRegion(s.Body.Pos(), r.region, true)
	reg := &r.table.Regions[body]
	ops, head, post := reg.Ops, reg.Head, reg.Post
	outside := r.region
	r.loops = append(r.loops, r.newLoop(s, body))
	if s.Cond != nil && r.info.Types[s.Cond].Value == nil {
		site := r.warpSite(warps.SiteLoop, s.Cond.Pos(), s.Cond.End(), 0)
		r.table.Sites[site].Body = body
		before, after := fmt.Sprintf("%s.Head(%s, %d, %d, %d, ", name, frame, site, outside, body), ")"
		if r.hasCall(s.Cond) && types.Identical(r.info.TypeOf(s.Cond), types.Typ[types.Bool]) {
			before, after = before+fmt.Sprintf("%s.Sync(%d) && (", frame, body), "))"
		}
		r.wrap(s.Cond.Pos(), s.Cond.End(), before, after)
		r.in(body, head, func() {
			r.count(s.Cond)
			r.expr(s.Cond, load)
		})
	} else {
		site := r.warpSite(warps.SiteOther, s.Pos(), s.Body.Pos(), 0)
		r.table.Sites[site].Body = body
		r.begins(s.Body.Lbrace+1, "%s.Forever(%d, %d, %d)", frame, site, outside, body)
	}
	if s.Post != nil {
		r.in(body, post, func() { r.stmt(s.Post) })
	}
	r.breaks = append(r.breaks, breakable{label, false})
	r.in(body, ops, func() { r.list(s.Body.List) })
	r.breaks = r.breaks[:len(r.breaks)-1]
	r.loops = r.loops[:len(r.loops)-1]
}

func (r *rewriter) rangeStmt(s *ast.RangeStmt) {
	label := r.label
	r.label = ""
	body := r.newRegion(s.Body.Pos(), r.region, true)
	reg := &r.table.Regions[body]
	ops := reg.Ops
	reg.Head["int"] = 1
	reg.Post["int"] = 1
	site := r.warpSite(warps.SiteLoop, s.Pos(), s.X.End(), 0)
	r.table.Sites[site].Body = body
	r.at(s.End()).close = fmt.Sprintf("; %s.Done(%d, %d, %d)", frame, site, r.region, body) + r.at(s.End()).close
	r.begins(s.Body.Lbrace+1, "%s.Round(%d, %d, %d)", frame, site, r.region, body)
	r.rangeHead(s, body)
	r.loops = append(r.loops, r.newLoop(s, body))
	r.breaks = append(r.breaks, breakable{label, true})
	r.in(body, ops, func() { r.list(s.Body.List) })
	r.breaks = r.breaks[:len(r.breaks)-1]
	r.loops = r.loops[:len(r.loops)-1]
}

// clauses rewrites the body of a switch.
func (r *rewriter) clauses(at ast.Stmt, body *ast.BlockStmt) {
	label := r.label
	r.label = ""
	site := r.warpSite(warps.SiteSwitch, at.Pos(), body.Pos(), 0)
	other := false
	r.breaks = append(r.breaks, breakable{label, false})
	for _, c := range body.List {
		c := c.(*ast.CaseClause)
		other = other || c.List == nil
		for _, x := range c.List {
			r.count(x)
			r.expr(x, load)
		}
		region := r.newRegion(c.Pos(), r.region, false)
		r.begins(c.Colon+1, "%s.Case(%d, %d, %d)", frame, site, r.region, region)
		r.in(region, r.table.Regions[region].Ops, func() { r.list(c.Body) })
	}
	r.breaks = r.breaks[:len(r.breaks)-1]
	if !other && len(body.List) > 0 {
		region := r.newRegion(body.Rbrace, r.region, false)
		r.at(body.Rbrace).close += fmt.Sprintf("; default: %s.Case(%d, %d, %d)", frame, site, r.region, region)
	}
}

// breakStmt rewrites a break.
func (r *rewriter) breakStmt(s *ast.BranchStmt) {
	for i := len(r.breaks) - 1; i >= 0; i-- {
		if b := r.breaks[i]; s.Label == nil || b.label == s.Label.Name {
			if b.ranged {
				r.before(s, "%s.Break()", frame)
			}
			return
		}
	}
}

// warpStmt rewrites a statement whose control flow the profiler sees, and counts the operations of
// others. It reports whether there is nothing left to do.
func (r *rewriter) warpStmt(s ast.Stmt) bool {
	if r.region < 0 {
		return false
	}
	switch s := s.(type) {
	case *ast.LabeledStmt:
		r.label = s.Label.Name
		r.stmt(s.Stmt)
		r.label = ""
		return true
	case *ast.IfStmt:
		r.ifStmt(s)
		return true
	case *ast.ForStmt:
		r.forStmt(s)
		return true
	case *ast.RangeStmt:
		r.rangeStmt(s)
		return true
	case *ast.SwitchStmt:
		if s.Init != nil {
			r.stmt(s.Init)
		}
		if s.Tag != nil {
			r.count(s.Tag)
			r.expr(s.Tag, load)
		}
		r.clauses(s, s.Body)
		return true
	case *ast.TypeSwitchStmt:
		if s.Init != nil {
			r.stmt(s.Init)
		}
		r.clauses(s, s.Body)
		return true
	case *ast.SelectStmt:
		r.breaks = append(r.breaks, breakable{r.label, false})
		r.label = ""
		for _, c := range s.Body.List { // no list of statements: nothing goes before a case
			r.list(c.(*ast.CommClause).Body)
		}
		r.breaks = r.breaks[:len(r.breaks)-1]
		return true
	case *ast.BranchStmt:
		if s.Tok == token.BREAK {
			r.breakStmt(s)
		}
	case *ast.ExprStmt:
		r.count(s.X)
	case *ast.AssignStmt, *ast.IncDecStmt:
		r.count(s)
	case *ast.ReturnStmt:
		for _, x := range s.Results {
			r.count(x)
		}
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, spec := range d.Specs {
				for _, x := range spec.(*ast.ValueSpec).Values {
					r.count(x)
				}
			}
		}
	}
	return false
}

// warpCallExpr rewrites a call of a func of package mem that reads constant memory, a texture or a
// surface. It reports whether nothing is left to do.
func (r *rewriter) warpCallExpr(e *ast.CallExpr, f *types.Func) bool {
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != module+"/mem" || !r.watched() || len(e.Args) == 0 {
		return false
	}
	n := f.Name()
	s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	switch {
	case n == "At" && ok && len(e.Args) == 1 && isReadOnly(r.info.TypeOf(s.X)):
		// c.At(i) becomes the access to c.Elements[i].
		r.wrap(e.Pos(), e.End(), "(*"+r.warpCall("Access", warps.SiteConstant, e.Pos(), e.End(), alignOf(r.info.TypeOf(e)))+"&", "))")
		r.expr(s.X, load)
		name := r.at(s.Sel.Pos())
		name.open += "Elements["
		name.replaced = r.offset(e.Lparen+1) - r.offset(s.Sel.Pos())
		r.expr(e.Args[0], load)
		last := r.at(e.Rparen)
		last.open += "]"
		last.replaced = 1
		return true
	case strings.HasPrefix(n, "Tex"):
		r.wrap(e.Args[0].Pos(), e.Args[0].End(), r.warpCall("Meet", warps.SiteTexture, e.Pos(), e.End(), 0), ")")
	case strings.HasPrefix(n, "Surf") && len(e.Args) > 1:
		at := 0
		if strings.HasSuffix(n, "write") {
			at = 1
		}
		r.wrap(e.Args[at].Pos(), e.Args[at].End(), r.warpCall("Meet", warps.SiteTexture, e.Pos(), e.End(), 0), ")")
	}
	return false
}

func isReadOnly(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "ReadOnly" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == module+"/mem"
}

// isArgument reports whether e is what a GPU has in registers or gets as an argument: an index of a
// thread, or a field of the kernel that is a method's receiver.
func (r *rewriter) isArgument(e ast.Expr, m mode) bool {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			if isThread(r.info.TypeOf(x.X)) {
				return true
			}
			if id, ok := ast.Unparen(x.X).(*ast.Ident); ok && m == load && r.receivers[r.info.ObjectOf(id)] {
				return true
			}
			e = x.X
		default:
			return false
		}
	}
}

// alignOf returns how CUDA aligns an access to a value of type t, 0 if that is not known: vectors
// are aligned as a whole.
func alignOf(t types.Type) int {
	if t == nil {
		return 0
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == module+"/device" {
		if st, ok := n.Underlying().(*types.Struct); ok && (st.NumFields() == 2 || st.NumFields() == 4) {
			if e, ok := st.Field(0).Type().Underlying().(*types.Basic); ok {
				return min(16, st.NumFields()*int(sizes.Sizeof(e)))
			}
		}
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return 0
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch u.Kind() {
		case types.Complex64:
			return 8
		case types.Complex128:
			return 16
		}
		return int(sizes.Alignof(u))
	case *types.Array:
		return alignOf(u.Elem())
	case *types.Struct:
		most := 1
		for i := range u.NumFields() {
			a := alignOf(u.Field(i).Type())
			if a == 0 {
				return 0
			}
			most = max(most, a)
		}
		return most
	}
	return 8
}

var sizes = types.SizesFor("gc", "amd64")
