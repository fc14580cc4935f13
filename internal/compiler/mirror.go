package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"maps"
	"strings"
)

// Mirrored calls: functions at x and at -x share nearly all of their work, and vectors compute both at once. The
// probability above a value and the one below it are such calls of erfc, which a helper makes of arguments that look
// different: -x*c, and -(-x)*c. So values are numbered: two expressions have the same number if they are the same
// but for the sign, for whatever the variables in them hold. Negation is exact, and goes through products and quotients.

// mirrorings says what functions of package math are at -x: the same, the negative, or an own result of the func of
// package vec with Both behind its name.
var mirrorings = map[string]mirroring{"Cos": even, "Erf": odd, "Sin": odd, "Tanh": odd, "Erfc": both}

type mirroring int

const (
	even mirroring = iota + 1
	odd
	both
)

// A mirrored call is one of a group, at what has the group's number or at minus that.
type mirrored struct {
	group *mirrorGroup
	minus bool
}

// A mirrorGroup is calls of one function that are computed together, by those of the statement that leads, the first.
type mirrorGroup struct {
	leads       *Assign
	calls       map[Expr]bool           // and whether they are at minus the value
	plus, minus bool                    // there are some at the value, and at minus it
	made        map[int]map[bool]string // for each part the variables that hold the results
}

// A numbered value is plus or minus what has a number.
type numbered struct {
	number int
	minus  bool
}

// A mirrorFinder numbers the values of a region.
type mirrorFinder struct {
	*vector
	numbers map[string]int // of what is computed of numbers
	last    int
	uses    map[Expr]int // of a node, which may have other values in other places
	groups  []*mirrorGroup
}

// mirror finds the calls in list that are computed together.
func (v *vector) mirror(list []Stmt) {
	v.mirrored, v.leading = nil, nil
	if !v.k.Fastmath {
		return
	}
	f := &mirrorFinder{vector: v, numbers: map[string]int{}, uses: map[Expr]int{}}
	walk(list, func(s Stmt) {
		exprs(s, func(e Expr) { walkExpr(e, func(x Expr) { f.uses[x]++ }) })
	})
	f.list(list, map[*Var]numbered{}, map[string]*mirrorGroup{})
	v.mirrored, v.leading = map[Expr]mirrored{}, map[*Assign][]*mirrorGroup{}
	for _, g := range f.groups {
		if len(g.calls) < 2 {
			continue
		}
		v.leading[g.leads] = append(v.leading[g.leads], g)
		for e, minus := range g.calls {
			v.mirrored[e] = mirrored{g, minus}
		}
	}
}

// list goes over statements with the values of variables before them, which it changes, and the groups that the
// statements may join: what these compute is in scope, for all lanes that are on.
func (f *mirrorFinder) list(list []Stmt, now map[*Var]numbered, open map[string]*mirrorGroup) {
	for _, s := range list {
		switch s := s.(type) {
		case *Assign:
			if len(s.L) != 1 || s.L[0] == nil {
				break
			}
			f.join(s, s.R, now, open)
			if w, whole := assigned(s.L[0]); w != nil && whole {
				if x, ok := f.number(s.R, now); ok {
					now[w] = x
					continue
				}
			}
		case *For:
			// It may be a func of its own.
			forget(now, s)
			f.list(s.Body, maps.Clone(now), map[string]*mirrorGroup{})
		default:
			substmts(s, func(l []Stmt) { f.list(l, maps.Clone(now), maps.Clone(open)) })
		}
		forget(now, s)
	}
}

// forget drops the values of what s assigns.
func forget(now map[*Var]numbered, s Stmt) {
	for w := range assignedIn(s) {
		delete(now, w)
	}
}

// join puts the calls in e, a part of what s assigns, into groups.
func (f *mirrorFinder) join(s *Assign, e Expr, now map[*Var]numbered, open map[string]*mirrorGroup) {
	if b, ok := e.(*Binary); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		return // the right side may be computed for some lanes only
	}
	subexprs(e, func(x Expr) { f.join(s, x, now, open) })
	name, x, ok := mathCall(e)
	if !ok || mirrorings[name] == 0 || f.mathName(name) == "" || f.uses[e] > 1 {
		return
	}
	of, ok := f.number(x, now)
	if !ok {
		return
	}
	key := fmt.Sprint(name, elem(e.Type()), of.number)
	g := open[key]
	if g == nil {
		g = &mirrorGroup{leads: s, calls: map[Expr]bool{}, made: map[int]map[bool]string{}}
		open[key] = g
		f.groups = append(f.groups, g)
	}
	g.calls[e] = of.minus
	g.plus, g.minus = g.plus || !of.minus, g.minus || of.minus
}

// number returns the numbered value of e, an expression of floats that reads no memory.
func (f *mirrorFinder) number(e Expr, now map[*Var]numbered) (x numbered, ok bool) {
	if t := elem(e.Type()); t != "F32" && t != "F64" {
		return x, false
	}
	if name, arg, isCall := mathCall(e); isCall {
		x, ok = f.number(arg, now)
		return f.made("%s %s %v", elem(e.Type()), name, x), ok
	}
	switch e := e.(type) {
	case *VarRef:
		if e.V.addr {
			return x, false
		}
		if _, known := now[e.V]; !known {
			f.last++
			now[e.V] = numbered{f.last, false}
		}
		return now[e.V], true
	case *Const:
		// A negative constant is minus a positive one.
		val := e.Val
		minus := constant.Sign(val) < 0
		if minus {
			val = constant.UnaryOp(token.SUB, val, 0)
		}
		x = f.made("%s %s", elem(e.T), val.ExactString())
		x.minus = minus
		return x, true
	case *Unary:
		x, ok = f.number(e.X, now)
		x.minus = x.minus != (e.Op == token.SUB)
		return x, ok && (e.Op == token.SUB || e.Op == token.ADD)
	case *Convert:
		from, ok := f.number(e.X, now)
		x = f.made("%s %s %d", elem(e.T), elem(e.X.Type()), from.number)
		x.minus = from.minus
		return x, ok
	case *Binary:
		a, ok1 := f.number(e.X, now)
		b, ok2 := f.number(e.Y, now)
		switch e.Op {
		case token.MUL, token.QUO:
			x = f.made("%s %d %d", e.Op, a.number, b.number)
			x.minus = a.minus != b.minus
		default:
			x = f.made("%s %v %v", e.Op, a, b)
		}
		return x, ok1 && ok2
	}
	return x, false
}

// made returns the value that is computed in this way.
func (f *mirrorFinder) made(format string, args ...any) numbered {
	key := fmt.Sprintf(format, args...)
	if f.numbers[key] == 0 {
		f.last++
		f.numbers[key] = f.last
	}
	return numbered{f.numbers[key], false}
}

// lead begins the printing of s. Statements are printed in several places: the groups that s leads are computed anew.
func (v *vector) lead(s *Assign) {
	v.leader = s
	for _, g := range v.leading[s] {
		if v.only {
			clear(g.made)
		}
		delete(g.made, v.part)
	}
}

// mirroredValue prints e, the function called name at x, if it is computed with others.
func (v *vector) mirroredValue(e Expr, name string, x Expr) (string, bool) {
	c, ok := v.mirrored[e]
	if !ok {
		return "", false
	}
	g, part := c.group, v.part
	if !v.varies(shapeOf(e)) {
		part = 0
	}
	if g.made[part] != nil {
		v.useNames(x)
	} else {
		if v.leader != g.leads {
			return "", false // that has been done lane by lane
		}
		t := e.Type()
		arg := v.value(x)
		first := v.fresh(strings.ToLower(name))
		g.made[part] = map[bool]string{c.minus: first}
		v.paired = append(v.paired, first)
		if mirrorings[name] == both && g.plus && g.minus {
			second := v.fresh("minus")
			g.made[part][!c.minus] = second
			v.paired = append(v.paired, second)
			v.printf("%s, %s := %s(%s)\n", first, second, v.vec(name+"Both", t), arg)
		} else {
			v.printf("%s := %s(%s)\n", first, v.vec(name, t), arg)
		}
	}
	if s := g.made[part][c.minus]; s != "" {
		return s, true
	}
	s := g.made[part][!c.minus]
	if mirrorings[name] == odd {
		s = fmt.Sprintf("%s(%s)", v.vec("Neg", e.Type()), s)
	}
	return s, true
}
