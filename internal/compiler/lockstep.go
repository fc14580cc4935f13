package compiler

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Warps in lockstep: a kernel with the option lockstep runs as a copy in which the active lanes of
// a warp synchronize before and after every store to memory that other lanes may access, as on GPUs
// before compute capability 7.0. The copy keeps the mask of the active lanes in a variable. Where
// lanes may diverge, at an if, a switch or a loop condition, they vote, and each lane continues
// with the mask of the lanes that go the same way. At the point of reconvergence they vote again,
// which removes lanes that have left by a break or a continue. On its way to its target such a lane
// takes part in the votes that it passes, with false. Lanes that have returned count as arrived.

// lockstepSuffix is the suffix of the names of copies.
const lockstepSuffix = "Lockstep"

// isLockstep reports whether the words of a directive contain the option.
func isLockstep(words []string) bool { return slices.Contains(words, "lockstep") }

// lockstepReason is the reason why kernels with the option are not compiled.
const lockstepReason = "the option lockstep"

// lockstepCopy writes one copy.
type lockstepCopy struct {
	p *program
	q *pkg
	d *ast.FuncDecl

	thread string // the name of the Thread parameter
	core   string // the import name of package gocuda in the file
	used   map[string]bool
	out    strings.Builder
	next   int
	frames []*joint
	labels map[ast.Stmt]string
	local  map[types.Object]bool // variables that only one lane can access
}

// A joint is a point of reconvergence.
type joint struct {
	mask  string   // the variable with the mask of the lanes that reconverge there
	stmt  ast.Stmt // the loop or the switch, nil for an if
	round string   // for a loop: the variable that the vote at the end of an iteration sets
	ended string   // for a range loop: the variable that says that it was not left early
	jump  string   // the label of that statement
	taken bool     // some jump uses the label
	left  bool     // some lane may leave by a break
}

type lockstepError struct {
	pos token.Pos
	why string
}

// lockstepText returns the copy of a kernel under the given name, and the paths of the imports that
// it uses, by name.
func (p *program) lockstepText(q *pkg, d *ast.FuncDecl, name string) (text string, imports map[string]string, err *scanner.Error) {
	c := &lockstepCopy{p: p, q: q, d: d, used: map[string]bool{}, labels: map[ast.Stmt]string{}, local: map[types.Object]bool{}}
	defer func() {
		if v := recover(); v != nil {
			e, ok := v.(lockstepError)
			if !ok {
				panic(v)
			}
			err = &scanner.Error{Pos: p.relative(q, e.pos), Msg: fmt.Sprintf("%s: a kernel in lockstep can't have %s", d.Name.Name, e.why)}
		}
	}()
	params := d.Type.Params.List
	if len(params[0].Names) == 0 || params[0].Names[0].Name == "_" {
		c.fail(params[0].Pos(), "a thread without a name")
	}
	c.thread = params[0].Names[0].Name
	c.findNames()
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && q.info.Defs[id] != nil && (id.Name == c.thread || id.Name == c.core) {
			c.fail(id.Pos(), fmt.Sprintf("a second %s", id.Name))
		}
		return true
	})
	fmt.Fprintf(&c.out, "// %s is %s with the meetings of lanes put in.\nfunc %s%s%s {\n", name, d.Name.Name, name, c.typeParams(), c.text(d.Type.Params))
	mask := c.name("mask")
	fmt.Fprintf(&c.out, "%s := %s.FullMask\n", mask, c.core)
	c.list(d.Body.List, mask)
	c.out.WriteString("}\n\n")
	return c.out.String(), c.imports(), nil
}

func (c *lockstepCopy) fail(pos token.Pos, why string) { panic(lockstepError{pos, why}) }

// typeParams returns the source of the declaration of the type parameters.
func (c *lockstepCopy) typeParams() string {
	if c.d.Type.TypeParams == nil {
		return ""
	}
	return c.text(c.d.Type.TypeParams)
}

// text returns the source of a node.
func (c *lockstepCopy) text(n ast.Node) string {
	f := c.p.fset.File(n.Pos())
	src := c.q.sources[f.Name()]
	return string(src[f.Offset(n.Pos()):f.Offset(n.End())])
}

// findNames finds the names that the kernel uses, and the import name of package gocuda.
func (c *lockstepCopy) findNames() {
	ast.Inspect(c.d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			c.used[id.Name] = true
			if pkg, ok := c.q.info.Uses[id].(*types.PkgName); ok && pkg.Imported().Path() == corePath {
				c.core = id.Name
			}
		}
		return true
	})
	if c.core == "" {
		c.fail(c.d.Pos(), "a package gocuda that is imported under no name")
	}
}

// imports returns the paths of the packages that the copy uses, by name.
func (c *lockstepCopy) imports() map[string]string {
	found := map[string]string{}
	ast.Inspect(c.d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if pkg, ok := c.q.info.Uses[id].(*types.PkgName); ok {
				found[id.Name] = pkg.Imported().Path()
			}
		}
		return true
	})
	return found
}

// name returns a fresh name.
func (c *lockstepCopy) name(what string) string {
	for {
		c.next++
		if n := fmt.Sprintf("%s%d", what, c.next); !c.used[n] && !c.q.declares(n) {
			return n
		}
	}
}

func (c *lockstepCopy) printf(format string, args ...any) { fmt.Fprintf(&c.out, format, args...) }

// at attributes the following line to the source, by a //line directive.
func (c *lockstepCopy) at(pos token.Pos) {
	p := c.p.fset.Position(pos)
	c.printf("//line %s:%d\n", c.p.shortFile(c.q, p.Filename), p.Line)
}

// meet writes a synchronization of the lanes of the mask.
func (c *lockstepCopy) meet(mask string) { c.printf("%s.SyncWarp(%s)\n", c.thread, mask) }

// vote returns the call of a vote.
func (c *lockstepCopy) vote(mask, what string) string {
	return fmt.Sprintf("%s.BallotSync(%s, %s)", c.thread, mask, what)
}

func (c *lockstepCopy) list(list []ast.Stmt, mask string) {
	for _, s := range list {
		c.stmt(s, mask)
	}
}

// asIs copies a statement without changes.
func (c *lockstepCopy) asIs(s ast.Stmt) {
	c.at(s.Pos())
	c.printf("%s\n", c.text(s))
}

// stmt writes a statement that the lanes of the mask begin together. Behind it, the mask variable
// holds the lanes that continue.
func (c *lockstepCopy) stmt(s ast.Stmt, mask string) {
	if c.plain(s) {
		c.asIs(s)
		return
	}
	switch s := s.(type) {
	case *ast.BlockStmt:
		c.printf("{\n")
		c.list(s.List, mask)
		c.printf("}\n")
	case *ast.LabeledStmt:
		c.labels[s.Stmt] = s.Label.Name
		c.stmt(s.Stmt, mask)
	case *ast.IfStmt:
		c.ifStmt(s, mask)
	case *ast.ForStmt:
		c.forStmt(s, mask)
	case *ast.RangeStmt:
		c.rangeStmt(s, mask)
	case *ast.SwitchStmt:
		c.switchStmt(s, mask)
	case *ast.BranchStmt:
		c.branchStmt(s)
	case *ast.AssignStmt:
		c.assign(s, s.Lhs, s.Rhs, s.Tok, mask)
	case *ast.IncDecStmt:
		tok := token.ADD_ASSIGN
		if s.Tok == token.DEC {
			tok = token.SUB_ASSIGN
		}
		c.assign(s, []ast.Expr{s.X}, nil, tok, mask)
	case *ast.ExprStmt, *ast.DeclStmt:
		c.meet(mask)
		c.asIs(s)
		c.meet(mask)
	default:
		c.fail(s.Pos(), "this statement where lanes may part or memory is written")
	}
}

// assign writes an assignment: all lanes evaluate the values and the addresses, synchronize, store,
// and synchronize again.
func (c *lockstepCopy) assign(s ast.Stmt, lhs, rhs []ast.Expr, tok token.Token, mask string) {
	if c.atomics(s) > 1 {
		c.fail(s.Pos(), "several atomic operations in a statement: give each a statement of its own")
	}
	if c.atomics(s) > 0 {
		c.meet(mask)
	}
	if tok == token.DEFINE || !slices.ContainsFunc(lhs, c.isMemory) {
		c.asIs(s)
		c.meet(mask)
		return
	}
	c.printf("{\n")
	places, values := make([]string, len(lhs)), make([]string, len(lhs))
	var later []int // values that are assigned to a variable of the right type
	for i, x := range lhs {
		id, ok := x.(*ast.Ident)
		blank := ok && id.Name == "_"
		places[i] = c.text(x)
		if !blank && c.isMemory(x) && (len(lhs) > 1 || !c.steady(x)) {
			p := c.name("place")
			c.at(x.Pos())
			c.printf("%s := &%s\n", p, c.text(x))
			places[i] = "*" + p
		}
		single := tok == token.ASSIGN && len(rhs) == len(lhs)
		switch {
		case single && c.q.info.Types[rhs[i]].Value != nil:
			values[i] = c.text(rhs[i])
			continue
		case single && !blank && types.Identical(c.q.info.TypeOf(rhs[i]), c.q.info.TypeOf(x)):
			values[i] = c.name("value")
			c.at(rhs[i].Pos())
			c.printf("%s := %s\n", values[i], c.text(rhs[i]))
			continue
		case blank:
			values[i] = "_"
		default:
			values[i] = c.name("value")
			c.at(x.Pos())
			c.printf("%s := %s\n", values[i], places[i]) // declares a variable of the type
		}
		later = append(later, i)
	}
	if len(later) > 0 {
		c.at(s.Pos())
		var to, from []string
		for _, i := range later {
			to = append(to, values[i])
			if len(rhs) == len(lhs) {
				from = append(from, c.text(rhs[i]))
			}
		}
		switch {
		case rhs == nil:
			c.printf("%s%s\n", to[0], map[token.Token]string{token.ADD_ASSIGN: "++", token.SUB_ASSIGN: "--"}[tok])
		case len(rhs) == len(lhs):
			c.printf("%s %s %s\n", strings.Join(to, ", "), tok, strings.Join(from, ", "))
		default:
			c.printf("%s = %s\n", strings.Join(to, ", "), c.text(rhs[0]))
		}
	}
	c.meet(mask)
	for i := range lhs {
		if values[i] != "_" {
			c.at(s.Pos())
			c.printf("%s = %s\n", places[i], values[i])
		}
	}
	c.printf("}\n")
	c.meet(mask)
}

// steady reports whether x, evaluated after the lanes have synchronized, is still the same element:
// of a slice, or of an array behind a pointer, with an index that depends on nothing in memory.
func (c *lockstepCopy) steady(x ast.Expr) bool {
	e, ok := x.(*ast.IndexExpr)
	if !ok {
		return false
	}
	if id, ok := e.X.(*ast.Ident); !ok || c.isMemory(id) {
		return false
	}
	steady := true
	ast.Inspect(e.Index, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			root := n.X
			for {
				sel, ok := root.(*ast.SelectorExpr)
				if !ok {
					break
				}
				root = sel.X
			}
			id, ok := root.(*ast.Ident)
			steady = steady && ok && id.Name == c.thread
			return false
		case *ast.Ident:
			steady = steady && !c.isMemory(n)
		case nil, *ast.BasicLit, *ast.BinaryExpr, *ast.ParenExpr, *ast.UnaryExpr:
		default:
			steady = false
		}
		return steady
	})
	return steady
}

// condition writes the evaluation of a condition into a new variable and returns its name.
func (c *lockstepCopy) condition(x ast.Expr, mask string) string {
	if c.atomics(x) > 1 {
		c.fail(x.Pos(), "several atomic operations in a condition: give each a statement of its own")
	}
	if c.atomics(x) > 0 {
		c.meet(mask)
	}
	n := c.name("taken")
	c.at(x.Pos())
	c.printf("%s := bool(%s)\n", n, c.text(x))
	return n
}

func (c *lockstepCopy) ifStmt(s *ast.IfStmt, mask string) {
	c.printf("{\n")
	if s.Init != nil {
		c.stmt(s.Init, mask)
	}
	cond := c.condition(s.Cond, mask)
	votes := c.name("votes")
	c.printf("%s := %s\n_ = %[1]s\n", votes, c.vote(mask, cond))
	c.frames = append(c.frames, &joint{mask: mask})
	c.printf("if %s {\n", cond)
	c.arm(s.Body.List, votes)
	c.printf("}")
	if s.Else != nil {
		c.printf(" else {\n")
		c.arm([]ast.Stmt{s.Else}, mask+"&^"+votes)
		c.printf("}")
	}
	c.printf("\n")
	c.frames = c.frames[:len(c.frames)-1]
	if s.Else == nil || !ends(s.Body.List) || !ends([]ast.Stmt{s.Else}) {
		c.printf("%s = %s\n", mask, c.vote(mask, "true"))
	}
	c.printf("}\n")
}

// arm writes statements under a new mask variable.
func (c *lockstepCopy) arm(list []ast.Stmt, value string) {
	if len(list) == 0 {
		return
	}
	mask := c.name("mask")
	c.printf("%s := %s\n_ = %[1]s\n", mask, value)
	c.list(list, mask)
}

// ends reports whether control never reaches the end of a list.
func ends(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.BlockStmt:
		return ends(s.List)
	case *ast.IfStmt:
		return s.Else != nil && ends(s.Body.List) && ends([]ast.Stmt{s.Else})
	}
	return false
}

// loopJoint makes the joints of a loop: the one behind it, and the one at the end of an iteration.
func (c *lockstepCopy) loopJoint(s ast.Stmt, mask string) (all string, round *joint) {
	all = c.name("mask")
	c.printf("%s := %s\n", all, mask)
	round = &joint{stmt: s, mask: c.name("mask"), round: c.name("mask"), jump: c.name("loop")}
	c.printf("%s := %s\n", round.round, mask)
	return all, round
}

// loopBody writes a loop from its head, which ends with a brace, to the joint behind it.
func (c *lockstepCopy) loopBody(head string, begin func(), body []ast.Stmt, all string, round *joint, after func(), mask string) {
	saved := c.out
	c.out = strings.Builder{}
	c.printf("%s", head)
	begin()
	c.frames = append(c.frames, &joint{mask: all}, round)
	c.arm(body, round.mask)
	c.frames = c.frames[:len(c.frames)-2]
	if !ends(body) {
		c.printf("%s = %s\n", round.round, c.vote(round.mask, "true"))
	}
	c.printf("}\n")
	text := c.out.String()
	c.out = saved
	if round.taken {
		c.printf("%s:\n", round.jump)
	}
	c.printf("%s", text)
	// otherwise the code behind the loop is unreachable
	if f, ok := round.stmt.(*ast.ForStmt); !ok || f.Cond != nil || round.left {
		after()
		c.printf("%s = %s\n", mask, c.vote(all, "true"))
	}
	c.printf("}\n")
}

func (c *lockstepCopy) forStmt(s *ast.ForStmt, mask string) {
	c.printf("{\n")
	if s.Post != nil && !c.plain(s.Post) {
		c.fail(s.Post.Pos(), "a store to memory between the rounds of a loop: write it into the body")
	}
	if s.Init != nil && !c.plain(s.Init) {
		c.fail(s.Init.Pos(), "a store to memory in the head of a loop: write it before the loop")
	}
	all, round := c.loopJoint(s, mask)
	head := "for {\n"
	if s.Init != nil || s.Post != nil {
		head = "for "
		if s.Init != nil {
			head += c.text(s.Init)
		}
		head += "; ; "
		if s.Post != nil {
			head += c.text(s.Post)
		}
		head += " {\n"
	}
	c.loopBody(head, func() {
		if s.Cond == nil {
			c.printf("%s := %s\n_ = %[1]s\n", round.mask, round.round)
			return
		}
		cond := c.condition(s.Cond, round.round)
		c.printf("%s := %s\n_ = %[1]s\nif !%[3]s {\nbreak\n}\n", round.mask, c.vote(round.round, cond), cond)
	}, s.Body.List, all, round, func() {}, mask)
}

func (c *lockstepCopy) rangeStmt(s *ast.RangeStmt, mask string) {
	for _, x := range []ast.Expr{s.Key, s.Value} {
		if x != nil && s.Tok == token.ASSIGN && c.isMemory(x) {
			c.fail(x.Pos(), "an element of memory as the variable of a range")
		}
	}
	c.printf("{\n")
	all, round := c.loopJoint(s, mask)
	round.ended = c.name("ended")
	c.printf("%s := true\n", round.ended)
	head := "for "
	if s.Key != nil {
		head += c.text(s.Key)
		if s.Value != nil {
			head += ", " + c.text(s.Value)
		}
		head += " " + s.Tok.String() + " "
	}
	head += "range " + c.text(s.X) + " {\n"
	c.loopBody(head, func() {
		c.printf("%s := %s\n_ = %[1]s\n", round.mask, c.vote(round.round, "true"))
	}, s.Body.List, all, round, func() {
		c.printf("if %s {\n%s\n}\n", round.ended, c.vote(round.round, "false"))
	}, mask)
}

func (c *lockstepCopy) switchStmt(s *ast.SwitchStmt, mask string) {
	c.printf("{\n")
	if s.Init != nil {
		c.stmt(s.Init, mask)
	}
	which, same := c.name("which"), c.name("mask")
	c.printf("%s := -1\n", which)
	c.at(s.Pos())
	c.printf("switch ")
	if s.Tag != nil {
		if c.atomics(s.Tag) > 0 {
			c.fail(s.Tag.Pos(), "an atomic operation as the tag of a switch: give it a statement of its own")
		}
		c.printf("%s ", c.text(s.Tag))
	}
	c.printf("{\n")
	for i, x := range s.Body.List {
		x := x.(*ast.CaseClause)
		if x.List == nil {
			c.printf("default:\n%s = %d\n", which, i)
			continue
		}
		var list []string
		for _, e := range x.List {
			if c.atomics(e) > 0 {
				c.fail(e.Pos(), "an atomic operation in a case: give it a statement of its own")
			}
			list = append(list, c.text(e))
		}
		c.at(x.Pos())
		c.printf("case %s:\n%s = %d\n", strings.Join(list, ", "), which, i)
	}
	c.printf("}\n%s := %s.MatchAnySync(%s, %s, %s)\n", same, c.core, c.thread, mask, which)
	join := &joint{stmt: s, mask: mask, jump: c.name("cases")}
	saved := c.out
	c.out = strings.Builder{}
	c.frames = append(c.frames, join)
	c.printf("switch %s {\n", which)
	for i, x := range s.Body.List {
		x := x.(*ast.CaseClause)
		c.printf("case %d:\n", i)
		c.arm(x.Body, same)
	}
	c.printf("}\n")
	c.frames = c.frames[:len(c.frames)-1]
	text := c.out.String()
	c.out = saved
	c.printf("_ = %s\n", same)
	if join.taken {
		c.printf("%s:\n", join.jump)
	}
	c.printf("%s%s = %s\n}\n", text, mask, c.vote(mask, "true"))
}

// branchStmt writes a break or a continue: the lane takes part in the votes on the way to its
// target.
func (c *lockstepCopy) branchStmt(s *ast.BranchStmt) {
	if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
		c.fail(s.Pos(), s.Tok.String())
	}
	for i := len(c.frames) - 1; i >= 0; i-- {
		f := c.frames[i]
		_, cases := f.stmt.(*ast.SwitchStmt)
		target := f.stmt != nil && (s.Label == nil || c.labels[f.stmt] == s.Label.Name) && !(cases && s.Tok == token.CONTINUE)
		switch {
		case !target:
			c.printf("%s\n", c.vote(f.mask, "false"))
			if f.ended != "" {
				c.printf("%s = false\n", f.ended)
			}
			continue
		case s.Tok == token.CONTINUE:
			c.printf("%s = %s\n", f.round, c.vote(f.mask, "true"))
		case !cases:
			c.printf("%s\n", c.vote(f.mask, "false"))
			if f.ended != "" {
				c.printf("%s = false\n", f.ended)
			}
		}
		f.taken, f.left = true, f.left || s.Tok == token.BREAK
		c.printf("%s %s\n", s.Tok, f.jump)
		return
	}
	c.fail(s.Pos(), "a jump out of a statement that stays as it is")
}

// plain reports whether lanes need not synchronize in a statement, and don't jump out of it.
func (c *lockstepCopy) plain(s ast.Stmt) bool {
	plain := true
	inner := map[string]bool{} // labels inside the statement
	var visit func(n ast.Node, breaks, continues bool)
	visit = func(n ast.Node, breaks, continues bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			if !plain || m == nil {
				return false
			}
			switch m := m.(type) {
			case *ast.FuncLit:
				if c.stores(c.q, m.Body, map[*types.Func]bool{}) {
					c.fail(m.Pos(), "a func literal that stores to memory")
				}
				return false
			case *ast.DeferStmt, *ast.GoStmt:
				c.fail(m.Pos(), "a go or defer statement")
			case *ast.LabeledStmt:
				inner[m.Label.Name] = true
			case *ast.BranchStmt:
				switch {
				case m.Tok == token.GOTO || m.Tok == token.FALLTHROUGH && m == n:
					c.fail(m.Pos(), m.Tok.String())
				case m.Label != nil:
					plain = inner[m.Label.Name]
				case m.Tok == token.BREAK:
					plain = breaks
				case m.Tok == token.CONTINUE:
					plain = continues
				}
			case *ast.AssignStmt:
				if m.Tok != token.DEFINE && slices.ContainsFunc(m.Lhs, c.isMemory) {
					plain = false
				}
			case *ast.IncDecStmt:
				plain = !c.isMemory(m.X)
			case *ast.RangeStmt:
				if m.Tok == token.ASSIGN && (m.Key != nil && c.isMemory(m.Key) || m.Value != nil && c.isMemory(m.Value)) {
					plain = false
				}
				if plain && ast.Node(m) != n {
					visit(m, true, true)
					return false
				}
				breaks, continues = true, true
			case *ast.ForStmt:
				if ast.Node(m) != n {
					visit(m, true, true)
					return false
				}
				breaks, continues = true, true
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				if ast.Node(m) != n {
					visit(m, true, continues)
					return false
				}
				breaks = true
			case *ast.CallExpr:
				if c.call(m) {
					plain = false
				}
			}
			return plain
		})
	}
	visit(s, false, false)
	return plain
}

// atomics returns the number of calls in n that access shared state.
func (c *lockstepCopy) atomics(n ast.Node) (count int) {
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && c.call(call) {
			count++
		}
		return true
	})
	return count
}

// call reports whether a call itself accesses memory that other lanes may access: it is an atomic
// operation, or a store to a surface. A call of a func of the program that does so is an error.
func (c *lockstepCopy) call(call *ast.CallExpr) bool {
	touches, bad := c.q.touches(c.p, call)
	if bad != "" {
		c.fail(call.Pos(), bad)
	}
	return touches
}

// touches reports whether a call accesses such memory, and why it can't be in a kernel in lockstep,
// or "".
func (q *pkg) touches(p *program, call *ast.CallExpr) (yes bool, bad string) {
	fun := ast.Unparen(call.Fun)
	if tv, ok := q.info.Types[fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		if id, ok := fun.(*ast.Ident); ok && tv.IsBuiltin() && (id.Name == "copy" || id.Name == "clear") {
			return false, "the builtin " + id.Name + ": write the loop"
		}
		return false, ""
	}
	fn := calleeOf(q.info, fun)
	if fn == nil || fn.Pkg() == nil {
		return false, ""
	}
	switch path := fn.Pkg().Path(); {
	case path == atomicPath || path == "sync/atomic":
		return true, ""
	case path == devicePath:
		return false, ""
	case path == memPath:
		return strings.HasPrefix(fn.Name(), "Surf") && strings.HasSuffix(fn.Name(), "write"), ""
	}
	d, ok := p.decls[fn.Origin()]
	if !ok || d.decl.Body == nil || d.pkg.path == corePath || d.pkg.path == groupsPath {
		return false, ""
	}
	c := &lockstepCopy{p: p, q: d.pkg, d: d.decl, local: map[types.Object]bool{}}
	if c.stores(d.pkg, d.decl.Body, map[*types.Func]bool{fn.Origin(): true}) {
		return false, fmt.Sprintf("a call of %s, which stores to memory that other lanes may touch: write that out in the kernel", fn.Name())
	}
	return false, ""
}

// calleeOf returns the called func, or nil if fun is a variable.
func calleeOf(info *types.Info, fun ast.Expr) *types.Func {
	switch f := fun.(type) {
	case *ast.Ident:
		fn, _ := info.Uses[f].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		fn, _ := info.Uses[f.Sel].(*types.Func)
		return fn
	case *ast.IndexExpr:
		return calleeOf(info, ast.Unparen(f.X))
	case *ast.IndexListExpr:
		return calleeOf(info, ast.Unparen(f.X))
	}
	return nil
}

// stores reports whether a body stores to memory, directly or through calls. seen holds the funcs
// visited before.
func (c *lockstepCopy) stores(q *pkg, body *ast.BlockStmt, seen map[*types.Func]bool) bool {
	of := &lockstepCopy{p: c.p, q: q, d: c.d, local: c.local}
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || n.Tok != token.DEFINE && slices.ContainsFunc(n.Lhs, of.isMemory)
		case *ast.IncDecStmt:
			found = found || of.isMemory(n.X)
		case *ast.CallExpr:
			fn := calleeOf(q.info, ast.Unparen(n.Fun))
			if fn != nil && seen[fn.Origin()] {
				return !found
			}
			if fn != nil {
				seen[fn.Origin()] = true
				if d, ok := c.p.decls[fn.Origin()]; ok && d.decl.Body != nil && d.pkg.path != corePath && d.pkg.path != groupsPath && d.pkg.path != atomicPath && d.pkg.path != memPath && d.pkg.path != devicePath {
					found = found || of.stores(d.pkg, d.decl.Body, seen)
					return !found
				}
			}
			if yes, bad := q.touches(c.p, n); yes || bad != "" {
				found = true
			}
		}
		return !found
	})
	return found
}

// isMemory reports whether an expression denotes memory that other lanes may access.
func (c *lockstepCopy) isMemory(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.isMemory(e.X)
	case *ast.Ident:
		v, ok := c.q.info.ObjectOf(e).(*types.Var)
		return ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
	case *ast.StarExpr:
		return true
	case *ast.IndexExpr:
		switch c.q.info.TypeOf(e.X).Underlying().(type) {
		case *types.Map:
			return false
		case *types.Array:
			return c.isMemory(e.X)
		}
		return true // a slice, a pointer to an array, or a type parameter that may be one
	case *ast.SelectorExpr:
		sel := c.q.info.Selections[e]
		if sel == nil {
			return true // a variable of another package
		}
		return sel.Indirect() || c.isMemory(e.X)
	}
	return false
}

// lockstepFile returns the file with the lockstep copies of a package's kernels, without data if
// there are none.
func (p *program) lockstepFile(q *pkg, kernels []*Kernel) (File, error) {
	file := q.without(lockstepFileSuffix)
	var body bytes.Buffer
	imports := map[string]string{}
	for _, k := range kernels {
		if k.lockstep == "" {
			continue
		}
		text, names, wrong := p.lockstepText(q, k.decl, k.lockstep)
		if wrong != nil {
			return file, wrong
		}
		body.WriteString(text)
		for name, path := range names {
			if other := imports[name]; other != "" && other != path {
				return file, &scanner.Error{Pos: p.relative(q, k.Pos), Msg: fmt.Sprintf("%s: kernels in lockstep can't call two packages %s: %s and %s", k.Name, name, other, path)}
			}
			imports[name] = path
		}
	}
	if body.Len() == 0 {
		return file, nil
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s\n\npackage %s\n\nimport (\n", generatedHead, q.name)
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		if p.importedName(imports[name]) == name {
			fmt.Fprintf(&out, "%q\n", imports[name])
		} else {
			fmt.Fprintf(&out, "%s %q\n", name, imports[name])
		}
	}
	fmt.Fprintf(&out, ")\n\n%s", &body)
	data, err := format.Source(out.Bytes())
	if err != nil {
		return file, fmt.Errorf("%s: the copies in lockstep do not parse, which is a mistake of gocuda gen: %w", q.path, err)
	}
	pr := p.newPrinter(q)
	file.Data = pr.ownLines(data, filepath.Base(q.testFile(file.Path)))
	return file, nil
}

// checkLockstep returns the reason why a kernel with the option can't run in lockstep, or nil.
func (p *program) checkLockstep(q *pkg, d *ast.FuncDecl) *scanner.Error {
	if words, _ := directive(d); !isLockstep(words) {
		return nil
	}
	_, _, err := p.lockstepText(q, d, d.Name.Name+lockstepSuffix)
	return err
}

// refusedLockstep returns an error if the lockstep copy of a kernel does not compile. The source
// without it would behave differently.
func (p *program) refusedLockstep(q *pkg, refused map[string]string) error {
	for _, f := range q.kernelFiles() {
		for d := range kernelsOf(f) {
			if words, _ := directive(d); isLockstep(words) && refused[d.Name.Name] != "" {
				return fmt.Errorf("%v: %s: its copy in lockstep is refused, which is a mistake of gocuda gen: %s", p.relative(q, d.Name.Pos()), d.Name.Name, refused[d.Name.Name])
			}
		}
	}
	return nil
}
