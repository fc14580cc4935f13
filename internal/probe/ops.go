package probe

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// The operations of a region by class. They are those of the source, after optimizations that every
// compiler for GPUs makes. A loop-invariant expression is computed before the loop. An expression
// that is linear in the loop's variable takes one addition per iteration. A product that is added
// is one operation.
//
//	fadd fmul ffma fdiv    float32, and dadd dmul dfma ddiv float64
//	int imul idiv          integers: all but products and divisions are int
//	convert                between integers and floating point
//	special                functions: roots, exponentials, sines

// A loop is a loop around the place.
type loop struct {
	region    int32
	assigned  map[types.Object]bool // variables that it changes
	induction map[types.Object]bool // those that change by the same in each round
	seen      map[string]bool       // linear expressions that have been counted
}

func (r *rewriter) newLoop(s ast.Stmt, region int32) *loop {
	l := &loop{region: region, assigned: map[types.Object]bool{}, induction: map[types.Object]bool{}, seen: map[string]bool{}}
	var body *ast.BlockStmt
	note := func(e ast.Expr) {
		for {
			switch x := e.(type) {
			case *ast.ParenExpr:
				e = x.X
				continue
			case *ast.IndexExpr:
				e = x.X
				continue
			case *ast.SelectorExpr:
				e = x.X
				continue
			case *ast.Ident:
				if o := r.info.ObjectOf(x); o != nil {
					l.assigned[o] = true
				}
			}
			return
		}
	}
	visit := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				note(x)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		case *ast.ValueSpec:
			for _, x := range n.Names {
				note(x)
			}
		case *ast.RangeStmt:
			if n.Key != nil {
				note(n.Key)
			}
			if n.Value != nil {
				note(n.Value)
			}
		}
		return true
	}
	var variable ast.Expr
	switch s := s.(type) {
	case *ast.ForStmt:
		body = s.Body
		switch p := s.Post.(type) {
		case *ast.IncDecStmt:
			variable = p.X
		case *ast.AssignStmt:
			if len(p.Lhs) == 1 && (p.Tok == token.ADD_ASSIGN || p.Tok == token.SUB_ASSIGN) {
				variable = p.Lhs[0]
			}
		}
		ast.Inspect(body, visit)
		if s.Cond != nil {
			ast.Inspect(s.Cond, visit)
		}
		id, ok := variable.(*ast.Ident)
		if o := types.Object(nil); ok {
			if o = r.info.ObjectOf(id); o != nil && !l.assigned[o] {
				l.induction[o] = true
			}
		}
		if s.Post != nil {
			ast.Inspect(s.Post, visit)
		}
	case *ast.RangeStmt:
		ast.Inspect(s, visit)
		if id, ok := s.Key.(*ast.Ident); ok {
			if o := r.info.ObjectOf(id); o != nil {
				l.induction[o] = true
			}
		}
	}
	return l
}

// level returns the number of loops around the place in which e may change: 0 if it is the same in
// the whole func. ok says that it can be computed elsewhere.
func (r *rewriter) level(e ast.Expr) (n int, ok bool) {
	if r.info.Types[e].Value != nil {
		return 0, true
	}
	switch e := e.(type) {
	case *ast.Ident:
		o := r.info.ObjectOf(e)
		if r.shared[o] {
			return len(r.loops), false
		}
		for i := len(r.loops) - 1; i >= 0; i-- {
			if r.loops[i].assigned[o] {
				return i + 1, true
			}
		}
		return 0, true
	case *ast.ParenExpr:
		return r.level(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND || e.Op == token.ARROW {
			return len(r.loops), false
		}
		return r.level(e.X)
	case *ast.BinaryExpr:
		x, ok1 := r.level(e.X)
		y, ok2 := r.level(e.Y)
		return max(x, y), ok1 && ok2
	case *ast.SelectorExpr:
		if s := r.info.Selections[e]; s != nil && s.Kind() == types.FieldVal && (!r.isShared(e) || isThread(r.info.TypeOf(e.X))) {
			return r.level(e.X)
		}
	case *ast.CallExpr:
		if r.isType(e.Fun) && len(e.Args) == 1 {
			return r.level(e.Args[0])
		}
		if s, ok := e.Fun.(*ast.SelectorExpr); ok && len(e.Args) == 0 && isThread(r.info.TypeOf(s.X)) {
			return 0, true // a thread's indices
		}
		if id, ok := e.Fun.(*ast.Ident); ok && len(e.Args) == 1 && (id.Name == "len" || id.Name == "cap") {
			return r.level(e.Args[0])
		}
	}
	return len(r.loops), false
}

func isThread(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == runtimePath
}

// linear reports whether the integer e is linear in the variable of the innermost loop.
func (r *rewriter) linear(e ast.Expr) bool {
	depth := len(r.loops)
	if depth == 0 {
		return false
	}
	fixed := func(e ast.Expr) bool {
		n, ok := r.level(e)
		return ok && n < depth
	}
	var is func(e ast.Expr) bool
	is = func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Ident:
			return r.loops[depth-1].induction[r.info.ObjectOf(e)]
		case *ast.ParenExpr:
			return is(e.X)
		case *ast.CallExpr:
			return r.isType(e.Fun) && len(e.Args) == 1 && isInteger(r.info.TypeOf(e)) && is(e.Args[0])
		case *ast.BinaryExpr:
			x, y := fixed(e.X), fixed(e.Y)
			switch e.Op {
			case token.ADD, token.SUB:
				return (x || is(e.X)) && (y || is(e.Y)) && !(x && y)
			case token.MUL:
				return x && is(e.Y) || y && is(e.X)
			case token.SHL:
				return y && is(e.X)
			}
		}
		return false
	}
	return is(e)
}

func isInteger(t types.Type) bool {
	b, ok := core0(t).(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func core0(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return core(t)
}

// class is the prefix of the class of an operation on values of type t.
func class(t types.Type) string {
	b, ok := core0(t).(*types.Basic)
	switch {
	case !ok:
		return "f"
	case b.Kind() == types.Float64 || b.Kind() == types.Complex128 || b.Kind() == types.UntypedFloat:
		return "d"
	case b.Info()&(types.IsFloat|types.IsComplex) != 0:
		return "f"
	}
	return ""
}

func isComplex(t types.Type) bool {
	b, ok := core0(t).(*types.Basic)
	return ok && b.Info()&types.IsComplex != 0
}

// add counts an operation, at the loop in which its value changes.
func (r *rewriter) add(class string, n int, e ast.Expr) {
	ops := r.ops
	if e != nil {
		if level, ok := r.level(e); ok && level < len(r.loops) {
			// Before the loop in which it stays the same, once.
			l := r.loops[level]
			text := "=" + types.ExprString(e)
			if l.seen[text] {
				return
			}
			l.seen[text] = true
			ops = r.table.Regions[r.table.Regions[l.region].Parent].Ops
		}
	}
	ops[class] += n
}

// count counts the operations of an expression, or of the expressions in a statement that holds no
// other statements.
func (r *rewriter) count(n ast.Node) {
	if !r.profiles() || r.region < 0 || n == nil {
		return
	}
	switch n := n.(type) {
	case ast.Expr:
		r.countExpr(n)
	case *ast.AssignStmt:
		for _, x := range n.Lhs {
			r.countExpr(x)
		}
		for i, y := range n.Rhs {
			if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
				r.countBinary(opOf[n.Tok], n.Lhs[i], y, nil)
				if b, ok := ast.Unparen(y).(*ast.BinaryExpr); ok && fuses(n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN, b, r.info) {
					r.countExpr(b.X)
					r.countExpr(b.Y)
					continue
				}
			}
			r.countExpr(y)
		}
	case *ast.IncDecStmt:
		r.countExpr(n.X)
		r.add(class(r.info.TypeOf(n.X))+plain(class(r.info.TypeOf(n.X)), "add"), 1, nil)
	}
}

var opOf = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
	token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
	token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR, token.AND_NOT_ASSIGN: token.AND_NOT,
}

// plain is what follows the prefix of a class.
func plain(prefix, op string) string {
	if prefix == "" {
		return "int"
	}
	return op
}

// fuses reports whether a product of floating-point values is added, so that both are one operation.
func fuses(added bool, b *ast.BinaryExpr, info *types.Info) bool {
	return added && b.Op == token.MUL && class(info.TypeOf(b)) != "" && !isComplex(info.TypeOf(b)) && info.Types[b].Value == nil
}

// countBinary counts the operation op of x and y, whose value is e. Its operands are counted elsewhere.
func (r *rewriter) countBinary(op token.Token, x, y ast.Expr, e ast.Expr) {
	t := r.info.TypeOf(x)
	if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		t = r.info.TypeOf(y)
	}
	p := class(t)
	times := 1
	if isComplex(t) {
		times = 2
	}
	switch op {
	case token.ADD, token.SUB:
		kind := "add"
		for _, o := range []ast.Expr{x, y} {
			if b, ok := ast.Unparen(o).(*ast.BinaryExpr); ok && fuses(true, b, r.info) {
				kind = "fma"
				break
			}
		}
		r.add(p+plain(p, kind), times, e)
	case token.MUL:
		switch {
		case p == "" && (powerOfTwo(r.info.Types[x].Value) || powerOfTwo(r.info.Types[y].Value)):
			r.add("int", 1, e)
		case p == "":
			r.add("imul", 1, e)
		case times == 2:
			r.add(p+"mul", 2, e)
			r.add(p+"fma", 2, nil)
		default:
			r.add(p+"mul", 1, e)
		}
	case token.QUO, token.REM:
		switch {
		case p != "" && r.info.Types[y].Value != nil:
			r.add(p+"mul", times, e)
		case p != "":
			r.add(p+"div", times, e)
		case powerOfTwo(r.info.Types[y].Value):
			r.add("int", 1, e)
		default:
			r.add("idiv", 1, e)
		}
	default:
		r.add("int", 1, e)
	}
}

func powerOfTwo(v constant.Value) bool {
	if v == nil || v.Kind() != constant.Int {
		return false
	}
	n, ok := constant.Int64Val(v)
	return ok && n > 0 && n&(n-1) == 0
}

func (r *rewriter) countExpr(e ast.Expr) {
	if e == nil || r.isType(e) || r.info.Types[e].Value != nil {
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		r.countExpr(e.X)
	case *ast.StarExpr:
		r.countExpr(e.X)
	case *ast.SelectorExpr:
		if s := r.info.Selections[e]; s != nil {
			r.countExpr(e.X)
		}
	case *ast.UnaryExpr:
		r.countExpr(e.X)
		if e.Op == token.SUB && class(r.info.TypeOf(e)) == "" || e.Op == token.XOR || e.Op == token.NOT {
			r.add("int", 1, e)
		}
	case *ast.BinaryExpr:
		if isInteger(r.info.TypeOf(e)) && r.linear(e) {
			r.stepped(e)
			return
		}
		r.countBinary(e.Op, e.X, e.Y, e)
		fused := false
		for _, x := range []ast.Expr{e.X, e.Y} {
			b, ok := ast.Unparen(x).(*ast.BinaryExpr)
			if ok && !fused && fuses(e.Op == token.ADD || e.Op == token.SUB, b, r.info) {
				fused = true
				r.countExpr(b.X)
				r.countExpr(b.Y)
				continue
			}
			r.countExpr(x)
		}
	case *ast.IndexExpr:
		if _, ok := r.under(e.X).(*types.Signature); ok {
			return
		}
		r.countExpr(e.X)
		if r.info.Types[e.Index].Value != nil {
			return
		}
		if r.linear(e.Index) {
			r.stepped(e.Index)
			return
		}
		r.countExpr(e.Index)
		r.add("int", 1, e.Index) // the address
	case *ast.SliceExpr:
		for _, x := range []ast.Expr{e.X, e.Low, e.High, e.Max} {
			if x != nil {
				r.countExpr(x)
			}
		}
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			r.countExpr(x)
		}
	case *ast.CallExpr:
		r.countCall(e)
	}
}

// stepped counts an expression that is linear in the loop's variable: an addition a round, for all
// like it that differ by a constant.
func (r *rewriter) stepped(e ast.Expr) {
	l := r.loops[len(r.loops)-1]
	e = ast.Unparen(e)
	for {
		b, ok := e.(*ast.BinaryExpr)
		if !ok || b.Op != token.ADD && b.Op != token.SUB || r.info.Types[b.Y].Value == nil {
			break
		}
		e = ast.Unparen(b.X) // the rest is an offset in the instruction
	}
	if _, ok := e.(*ast.Ident); ok {
		return // the variable itself
	}
	if text := types.ExprString(e); !l.seen[text] {
		l.seen[text] = true
		r.ops["int"]++
	}
}

func (r *rewriter) countCall(e *ast.CallExpr) {
	if r.isType(e.Fun) {
		for _, x := range e.Args {
			r.countExpr(x)
			if from, to := class(r.info.TypeOf(x)), class(r.info.TypeOf(e)); from != to {
				r.add("convert", 1, e)
			}
		}
		return
	}
	for _, x := range e.Args {
		r.countExpr(x)
	}
	if s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
		r.countExpr(s)
	}
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && (id.Name == "min" || id.Name == "max") && len(e.Args) > 1 {
		if _, ok := r.info.Uses[id].(*types.Builtin); ok {
			p := class(r.info.TypeOf(e))
			r.add(p+plain(p, "add"), len(e.Args)-1, e)
		}
		return
	}
	f := calledFunc(r.info, e)
	if f == nil || f.Pkg() == nil {
		return
	}
	switch f.Pkg().Path() {
	case "math", "math/bits", "math/cmplx", module + "/device":
		p := "f"
		if sig := f.Signature(); sig.Results().Len() > 0 {
			p = class(sig.Results().At(0).Type())
		}
		n := strings.ToLower(f.Name())
		switch {
		case strings.HasPrefix(n, "fma"):
			r.add(p+"fma", 1, nil)
		case strings.HasPrefix(n, "mul24"), strings.HasPrefix(n, "umul24"):
			r.add("int", 1, nil)
		case strings.HasPrefix(n, "abs"), strings.HasPrefix(n, "fabs"), strings.HasPrefix(n, "float"), strings.HasSuffix(n, "bits"):
		case strings.HasPrefix(n, "min"), strings.HasPrefix(n, "max"), strings.HasPrefix(n, "fmin"), strings.HasPrefix(n, "fmax"),
			strings.HasPrefix(n, "floor"), strings.HasPrefix(n, "ceil"), strings.HasPrefix(n, "trunc"), strings.HasPrefix(n, "round"):
			r.add(p+plain(p, "add"), 1, nil)
		case p == "" && f.Pkg().Path() != "math/cmplx":
			r.add("int", 1, nil)
		default:
			r.add("special", 1, nil)
		}
	}
}
