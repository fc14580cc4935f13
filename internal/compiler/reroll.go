package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Loop rerolling: a loop that its author has unrolled,
//
//	for ; j+3 < n; j += 4 {
//		sum += a[j] * b[j]
//		sum += a[j+1] * b[j+1]
//		sum += a[j+2] * b[j+2]
//		sum += a[j+3] * b[j+3]
//	}
//	for ; j < n; j++ {
//		sum += a[j] * b[j]
//	}
//
// becomes the second loop alone, or without one a loop of single iterations. Then the other passes see
// the program as it is without unrolling, and unroll by themselves what pays. The statements stay in
// their order. Sums of several terms are split, and several sums that are added up in the end become one
// (as `even` and `odd`), if they are of integers or the kernel has the option fastmath.

// mostRerolled is the largest number of iterations that a loop may have been unrolled by.
const mostRerolled = 32

// reroll applies the pass to all loops.
func (k *Kernel) reroll() {
	r := &reroller{k: k}
	k.Body = r.list(k.Body)
}

type reroller struct{ k *Kernel }

func (r *reroller) list(list []Stmt) []Stmt {
	var out []Stmt
	for i := 0; i < len(list); i++ {
		switch s := list[i].(type) {
		case *If:
			s.Then, s.Else = r.list(s.Then), r.list(s.Else)
		case *Block:
			s.Body = r.list(s.Body)
		case *For:
			s.Body = r.list(s.Body)
			if u := r.unrolledBy(s); u != nil {
				if rolled, used := r.rolled(u, out, list[i+1:]); rolled != nil {
					r.k.works("reroll")
					out = append(out, rolled...)
					i += used
					continue
				}
			}
		}
		out = append(out, list[i])
	}
	return out
}

// A countedLoop has an integer counter that nothing but its step changes.
type countedLoop struct {
	l    *For
	j    *Var
	step int64
	body []Stmt // without the step
}

// An unrolledLoop executes a body for several values of its counter.
type unrolledLoop struct {
	countedLoop
	body []Stmt        // of one iteration
	sums map[*Var]*Var // for the sums of the other iterations, that of the first one
}

// countedFor returns l as a counted loop, if it is one.
func countedFor(l *For) (c countedLoop, ok bool) {
	c.l, c.body = l, l.Body
	if l.Cond == nil || len(l.Pre) > 0 || l.breaks || l.continues || len(l.Post) > 1 {
		return c, false
	}
	var step Stmt
	switch {
	case len(l.Post) == 1:
		step = l.Post[0]
	case len(l.Body) > 1:
		step, c.body = l.Body[len(l.Body)-1], l.Body[:len(l.Body)-1]
	default:
		return c, false
	}
	j, by, down, ok := advance(step)
	if !ok || down || !isInteger(j.Type) || smallKind(j.Type) != 0 || j.addr {
		return c, false
	}
	c.j = j
	c.step, ok = constInt(by)
	return c, ok && c.step > 0 && !assignedIn(&Block{Body: c.body})[c.j] && !anyStmt(c.body, func(s Stmt) bool {
		switch s.(type) {
		case *Assign, *If, *For, *Do:
			return false
		}
		return true
	})
}

// unrolledBy returns l as an unrolled loop, or nil.
func (r *reroller) unrolledBy(l *For) *unrolledLoop {
	c, ok := countedFor(l)
	if !ok || c.step < 2 || c.step > mostRerolled {
		return nil
	}
	body := c.body
	if len(body) == 1 {
		body = r.split(body[0], int(c.step))
	}
	each := len(body) / int(c.step)
	if each == 0 || len(body)%int(c.step) != 0 {
		return nil
	}
	u := &unrolledLoop{countedLoop: c, body: body[:each], sums: map[*Var]*Var{}}
	for n := int64(1); n < c.step; n++ {
		of, other := &spelling{j: c.j, shift: n}, &spelling{j: c.j}
		if !r.same(u.body, body[int(n)*each:][:each], of, other, u.sums) {
			return nil
		}
	}
	if len(u.sums) > 0 && !r.addedUp(u) {
		return nil
	}
	return u
}

// split returns a statement that adds several terms to a sum as one for each.
func (r *reroller) split(s Stmt, terms int) []Stmt {
	a, ok := s.(*Assign)
	if !ok {
		return nil
	}
	sum, ok := sumOf(a)
	if !ok || sum.op != token.ADD || !r.reorders(a.L[0].Type()) {
		return nil
	}
	v, isVar := a.L[0].(*VarRef)
	if !isVar || mentions(sum.what, v.V) {
		return nil // the terms are computed before any of them is added
	}
	var list []Expr
	var add func(e Expr)
	add = func(e Expr) {
		if b, ok := e.(*Binary); ok && b.Op == token.ADD && len(list) <= terms {
			add(b.X)
			add(b.Y)
			return
		}
		list = append(list, e)
	}
	add(sum.what)
	if len(list) != terms {
		return nil
	}
	var out []Stmt
	for _, e := range list {
		out = append(out, &Assign{L: a.L, R: &Binary{Op: token.ADD, X: a.L[0], Y: e, T: a.L[0].Type()}, Pos: a.Pos})
	}
	return out
}

// reorders reports whether sums of a type may be added up in any order.
func (r *reroller) reorders(t types.Type) bool {
	return basic(t) && (isInteger(t) || r.k.Fastmath && (elem(t) == "F32" || elem(t) == "F64"))
}

// same reports whether one list of statements is another one for a later iteration. If sums is not nil,
// they may add to different sums, and sums has the first one's for the others.
func (r *reroller) same(first, later []Stmt, of, other *spelling, sums map[*Var]*Var) bool {
	if len(first) != len(later) {
		return false
	}
	for i, s := range first {
		a, ok := s.(*Assign)
		b, okLater := later[i].(*Assign)
		if sums != nil && ok && okLater && !a.Def && !b.Def {
			x, isSum := sumOf(a)
			y, isSumLater := sumOf(b)
			if isSum && isSumLater && x.op == y.op {
				v, whole := assigned(a.L[0])
				w, wholeLater := assigned(b.L[0])
				if v != nil && w != nil && v != w && whole && wholeLater && types.Identical(v.Type, w.Type) && r.reorders(v.Type) && (sums[w] == nil || sums[w] == v) && sums[v] == nil {
					if text := of.expr(x.what); text != other.expr(y.what) || of.unknown || other.unknown {
						return false
					}
					sums[w] = v
					continue
				}
			}
		}
		if text := of.stmt(s); text != other.stmt(later[i]) || of.unknown || other.unknown {
			return false
		}
	}
	return true
}

// addedUp reports whether the sums of a loop are added up in the end, and nobody sees them before.
func (r *reroller) addedUp(u *unrolledLoop) bool {
	of := map[*Var][]*Var{} // the sums that become one
	for w, v := range u.sums {
		of[v] = append(of[v], w)
	}
	for v, list := range of {
		all := append(list, v)
		read := map[*Var]int{} // as anything but a summand's other side
		together := false
		ok := true
		walk(r.k.Body, func(s Stmt) {
			if a, isAssign := s.(*Assign); isAssign && len(a.L) == 1 && a.L[0] != nil {
				to, whole := assigned(a.L[0])
				if slices.Contains(all, to) {
					sum, isSum := sumOf(a)
					if !whole || to.addr || to.spread || !isSum && !a.Def {
						ok = false
						return
					}
					if isSum && !a.Def {
						walkExpr(sum.what, func(e Expr) {
							if x, isVar := e.(*VarRef); isVar && slices.Contains(all, x.V) {
								ok = false
							}
						})
						return
					}
					if n, isConst := a.R.(*Const); !isConst || constant.Sign(n.Val) != 0 {
						ok = false
					}
					return
				}
			}
			exprs(s, func(e Expr) {
				walkExpr(e, func(e Expr) {
					switch x := e.(type) {
					case *VarRef:
						if slices.Contains(all, x.V) {
							read[x.V]++
						}
					case *Binary:
						together = together || containsAll(summands(x), all)
					}
				})
			})
		})
		for _, w := range all { // those of one loop begin anew together
			ok = ok && read[w] == 1 && w.In == v.In
		}
		if !ok || !together {
			return false
		}
	}
	return true
}

// summands returns the variables among the terms of a sum.
func summands(e Expr) (list []*Var) {
	switch x := e.(type) {
	case *VarRef:
		list = append(list, x.V)
	case *Binary:
		if x.Op == token.ADD {
			list = append(summands(x.X), summands(x.Y)...)
		}
	}
	return list
}

func containsAll(list, all []*Var) bool {
	return !slices.ContainsFunc(all, func(v *Var) bool { return !slices.Contains(list, v) })
}

// rolled returns the statements that an unrolled loop becomes, behind the statements before, and how
// many of those that follow it are in them; or nil.
func (r *reroller) rolled(u *unrolledLoop, before, after []Stmt) (list []Stmt, used int) {
	end, within, ok := u.end()
	if !ok {
		return nil, 0
	}
	start := u.start(before)
	if start == nil || !r.steady(u, end) {
		return nil, 0
	}
	known := isConstant(start, 0)
	// a loop over the remaining iterations, with the same counter or one of its own
	var rest countedLoop
	var begin *Assign
	if len(after) > 0 {
		if l, ok := after[0].(*For); ok {
			rest, _ = countedFor(l)
		} else if a, ok := after[0].(*Assign); ok && a.Def && len(a.L) == 1 && len(after) > 1 {
			if l, isLoop := after[1].(*For); isLoop {
				if rest, ok = countedFor(l); ok && isRef(a.L[0], rest.j) {
					begin = a
				}
			}
		}
	}
	if rest.step == 1 && (begin != nil || rest.j == u.j) && r.same(u.body, rest.body, &spelling{j: u.j}, &spelling{j: rest.j}, nil) {
		cond, _ := rest.l.Cond.(*Binary)
		if cond != nil && cond.Op == token.LSS && isRef(cond.X, rest.j) {
			n := cond.Y
			switch {
			case begin == nil && within != nil && sameExpr(within, n):
				return []Stmt{rest.l}, 1
			case begin == nil && known:
				// the end may have wrapped around
				last := r.named(u, r.roundedUp(u, end))
				rest.l.Cond = &Binary{token.LSS, cond.X, &Call{Name: "max", Args: []Expr{last.L[0], n}, T: u.j.Type, Pure: true}, boolType}
				return []Stmt{last, rest.l}, 1
			case begin != nil && known && sameExpr(begin.R, end) && r.steady(u, n) && r.wholeOf(end, n, u.step) && types.Identical(rest.j.Type, u.j.Type):
				begin.R = start
				return []Stmt{begin, rest.l}, 2
			}
		}
	}
	if !known {
		return nil, 0
	}
	last := r.named(u, r.roundedUp(u, end))
	u.l.Cond = &Binary{token.LSS, &VarRef{u.j}, last.L[0], boolType}
	step := &Assign{L: []Expr{&VarRef{u.j}}, R: &Binary{token.ADD, &VarRef{u.j}, intOf(1, u.j.Type), u.j.Type}, Pos: u.l.Pos}
	u.l.Body, u.l.Post = u.body, []Stmt{step}
	return []Stmt{last, u.l}, 0
}

// start returns the value of the counter at the beginning, which the statements before the loop have
// defined; or nil if it might be so large that sums with the counter wrap around.
func (u *unrolledLoop) start(before []Stmt) Expr {
	for i := len(before) - 1; i >= 0; i-- {
		a, ok := before[i].(*Assign)
		if ok && a.Def && len(a.L) == 1 && isRef(a.L[0], u.j) {
			n, isConst := constInt(a.R)
			if isConst && n >= 0 && n < 1<<30 || neverNegative(a.R) {
				return a.R
			}
			return nil
		}
		if assignedIn(before[i])[u.j] {
			return nil
		}
	}
	return nil
}

// intOf is a constant of an integer type.
func intOf(n int64, t types.Type) Expr { return &Const{constant.MakeInt64(n), t} }

// end returns an integer below which the counter is at the beginning of an iteration. If the last
// value of an iteration is below an integer too, that is within.
func (u *unrolledLoop) end() (end, within Expr, ok bool) {
	cond, ok := u.l.Cond.(*Binary)
	if !ok {
		return nil, nil, false
	}
	t := u.j.Type
	x, y := cond.X, cond.Y
	more := int64(0) // added to the counter
	if b, isSum := x.(*Binary); isSum && b.Op == token.ADD {
		if more, ok = constInt(b.Y); !ok || more <= 0 || more > mostRerolled {
			return nil, nil, false
		}
		x = b.X
	}
	if !isRef(x, u.j) || cond.Op != token.LSS && cond.Op != token.LEQ {
		return nil, nil, false
	}
	minus := func(e Expr, n int64) Expr {
		if n == 0 {
			return e
		}
		return &Binary{token.SUB, e, intOf(n, t), t}
	}
	least := func(n int64) Expr { // max(y, n), so that y - n does not wrap around
		return &Call{Name: "max", Args: []Expr{y, intOf(n, t)}, T: t, Pure: true}
	}
	switch {
	case cond.Op == token.LSS && more > 0:
		if more >= u.step-1 {
			within = y
		}
		return minus(least(more), more), within, true
	case cond.Op == token.LSS:
		return y, nil, true
	case more > 0:
		if more >= u.step {
			within = y
		}
		return minus(least(more-1), more-1), within, true
	}
	if b, isDiff := y.(*Binary); isDiff && b.Op == token.SUB { // j <= n-4 is j < n-3
		if less, isConst := constInt(b.Y); isConst && less > 0 {
			return minus(b.X, less-1), nil, true
		}
	}
	return nil, nil, false
}

// steady reports whether the end of a loop stays the same while it runs.
func (r *reroller) steady(u *unrolledLoop, end Expr) bool {
	changed := assignedIn(u.l)
	ok := !loads(end) && !mayPanic(end)
	walkExpr(end, func(e Expr) {
		if x, isVar := e.(*VarRef); isVar {
			ok = ok && !changed[x.V] && !x.V.addr
		}
	})
	return ok
}

// roundedUp is the value of the counter behind a loop that begins with 0.
func (r *reroller) roundedUp(u *unrolledLoop, end Expr) Expr {
	t := u.j.Type
	if n, ok := constInt(end); ok {
		return intOf((n+u.step-1)/u.step*u.step, t)
	}
	if r.multiple(end, u.step) {
		return end
	}
	step := intOf(u.step, t)
	over := &Binary{token.REM, end, step, t}
	up := &Binary{token.ADD, end, &Binary{token.REM, &Binary{token.SUB, step, over, t}, step, t}, t}
	return &Call{Name: "max", Args: []Expr{end, up}, T: t, Pure: true} // the sum might wrap around
}

// multiple reports whether an integer is a product with a multiple of step, of a quotient by it.
func (r *reroller) multiple(e Expr, step int64) bool {
	if x, ok := e.(*VarRef); ok && !x.V.Param {
		if e = (&fissioner{k: r.k}).single(x.V); e == nil {
			return false
		}
	}
	p, ok := e.(*Binary)
	if !ok || p.Op != token.MUL {
		return false
	}
	n, ok := constInt(p.Y)
	q, isQuotient := p.X.(*Binary)
	return ok && n > 0 && n%step == 0 && isQuotient && q.Op == token.QUO && isConstant(q.Y, n)
}

func isConstant(e Expr, n int64) bool {
	c, ok := constInt(e)
	return ok && c == n
}

// wholeOf reports whether whole is n/step*step.
func (r *reroller) wholeOf(whole, n Expr, step int64) bool {
	if !r.multiple(whole, step) {
		return false
	}
	if x, ok := whole.(*VarRef); ok {
		whole = (&fissioner{k: r.k}).single(x.V)
	}
	return sameExpr(whole.(*Binary).X.(*Binary).X, n)
}

// named is the definition of a variable with a value.
func (r *reroller) named(u *unrolledLoop, e Expr) *Assign {
	v := &Var{Name: uniqueName(r.k.names, "end"), Type: u.j.Type, Pos: u.l.Pos, In: u.l.outer}
	r.k.Vars = append(r.k.Vars, v)
	return &Assign{L: []Expr{&VarRef{v}}, R: e, Def: true, Pos: u.l.Pos}
}

// A spelling prints statements so that those of two iterations are the same text if they compute the
// same: integers are polynomials, and variables that an iteration declares have numbers.
type spelling struct {
	j       *Var
	shift   int64 // added to the counter
	locals  map[*Var]int
	unknown bool // something in the statements can't be compared
}

func (c *spelling) stmt(s Stmt) string {
	list := func(stmts []Stmt) string {
		var b strings.Builder
		for _, s := range stmts {
			b.WriteString(c.stmt(s))
		}
		return "{" + b.String() + "}"
	}
	switch s := s.(type) {
	case *Assign:
		right := c.expr(s.R)
		if s.Def {
			if c.locals == nil {
				c.locals = map[*Var]int{}
			}
			for _, l := range s.L {
				if x, ok := l.(*VarRef); ok {
					c.locals[x.V] = len(c.locals)
				}
			}
		}
		text := fmt.Sprint(s.Def)
		for _, l := range s.L {
			if l != nil {
				text += c.expr(l)
			}
			text += ","
		}
		return text + "=" + right + ";"
	case *If:
		return "if " + c.expr(s.Cond) + list(s.Then) + list(s.Else)
	case *For:
		if s.breaks || s.continues {
			c.unknown = true
		}
		before := list(s.Pre)
		cond := ""
		if s.Cond != nil {
			cond = c.expr(s.Cond)
		}
		return "for " + before + cond + list(s.Body) + list(s.Post)
	case *Do:
		return c.expr(s.X) + ";"
	}
	c.unknown = true
	return ""
}

func (c *spelling) expr(e Expr) string {
	if e == nil {
		return "nil"
	}
	if b, ok := e.(*Binary); ok && isInteger(b.T) && (b.Op == token.ADD || b.Op == token.SUB || b.Op == token.MUL) {
		return c.poly(e).key() + types.TypeString(b.T, nil)
	}
	switch x := e.(type) {
	case *Const:
		if isInteger(x.T) {
			return c.poly(e).key() + types.TypeString(x.T, nil)
		}
		return x.Val.ExactString() + types.TypeString(x.T, nil)
	case *VarRef:
		if x.V == c.j {
			return c.poly(e).key() + types.TypeString(x.V.Type, nil)
		}
		return c.name(x.V)
	case *Index3:
		return fmt.Sprint("thread", x.Of, ".", x.Axis)
	case *Rank:
		return "rank"
	case *Unary:
		return "(" + x.Op.String() + c.expr(x.X) + ")"
	case *Binary:
		return "(" + c.expr(x.X) + x.Op.String() + c.expr(x.Y) + ")"
	case *Convert:
		return types.TypeString(x.T, nil) + "(" + c.expr(x.X) + ")"
	case *Index:
		return c.expr(x.X) + "[" + c.expr(x.I) + "]"
	case *Field:
		return c.expr(x.X) + "." + x.Name
	case *Deref:
		return "*" + c.expr(x.X)
	case *Addr:
		return "&" + c.expr(x.X)
	case *Global:
		if x.Obj != nil {
			return fmt.Sprintf("%p", x.Obj)
		}
	case *Call:
		text := x.Name
		if x.Fn != nil {
			text += c.expr(x.Fn)
		}
		for _, a := range x.Args {
			text += "," + c.expr(a)
		}
		return "call(" + text + ")"
	case *Composite:
		text := types.TypeString(x.T, nil) + "{"
		for i, v := range x.Vals {
			if i < len(x.Keys) {
				text += x.Keys[i] + ":"
			}
			text += c.expr(v) + ","
		}
		return text + "}"
	}
	c.unknown = true
	return ""
}

func (c *spelling) name(v *Var) string {
	if n, ok := c.locals[v]; ok {
		return fmt.Sprint("local", n)
	}
	return fmt.Sprintf("%s%p", v.Name, v)
}

// poly is an integer modulo 2^64, with products of names as symbols.
func (c *spelling) poly(e Expr) poly {
	switch x := e.(type) {
	case *Const:
		if n, ok := constInt(x); ok {
			return number(n)
		}
		c.unknown = true // an integer beyond 63 bits
		return poly{}
	case *VarRef:
		if x.V == c.j {
			return poly{"counter": 1}.plus(number(c.shift), 1)
		}
	case *Binary:
		if !isInteger(x.T) {
			break
		}
		switch x.Op {
		case token.ADD:
			return c.poly(x.X).plus(c.poly(x.Y), 1)
		case token.SUB:
			return c.poly(x.X).plus(c.poly(x.Y), -1)
		case token.MUL:
			return c.poly(x.X).times(c.poly(x.Y))
		}
	}
	return poly{strings.ReplaceAll(c.expr(e), "*", "×"): 1}
}
