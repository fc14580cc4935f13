package compiler

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// Coasting: a loop that lanes leave one by one, as of a picture whose points escape in different rounds, and that only
// computes. Lanes that have left may go on with the others, since nobody asks for what they compute (see lost); so
// the rounds don't wait for masks, and two vectors, of which neither waits for the other, go through the loop together. The
// points of the Mandelbrot set that are computed so are 1.6 times as many as with one vector, and 6 times as many as with masks.

// coastParts is how many vectors go together. More have no registers.
const coastParts = 2

// coasts reports whether s is such a loop.
func coasts(s *For) bool {
	if s.parts[0] == 0 || s.continues || len(s.Pre) > 0 || s.Cond != nil && !computes(s.Cond) {
		return false
	}
	for _, x := range slices.Concat(s.Body, s.Post) {
		switch x := x.(type) {
		case *Assign:
			if !assignsNumber(x) {
				return false
			}
		case *If:
			last := len(x.Then) - 1
			if len(x.Else) > 0 || last < 0 || !computes(x.Cond) {
				return false
			}
			for _, a := range x.Then[:last] {
				if a, ok := a.(*Assign); !ok || !assignsNumber(a) {
					return false
				}
			}
			if e, ok := x.Then[last].(*Exit); !ok || e.To != Stmt(s) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// assignsNumber reports whether a does no more than to compute a number.
func assignsNumber(a *Assign) bool {
	if len(a.L) != 1 || a.L[0] == nil || !computes(a.R) {
		return false
	}
	v, whole := assigned(a.L[0])
	return v != nil && whole && basic(v.Type) && !isBool(v.Type) && !v.addr
}

// computes reports whether e is no more than arithmetic, which can't go wrong.
func computes(e Expr) bool {
	if mayPanic(e) || loads(e) {
		return false
	}
	ok := true
	walkExpr(e, func(x Expr) {
		c, isCall := x.(*Call)
		ok = ok && (!isCall || c.Fn == nil && (c.Name == "min" || c.Name == "max"))
	})
	return ok
}

// coastsIn reports whether such a loop is what r is about.
func (b *body) coastsIn(r *region) bool {
	return slices.ContainsFunc(b.inBounds(r), func(s Stmt) bool { l, ok := s.(*For); return ok && coasts(l) })
}

// coast prints s, if it is such a loop.
func (v *vector) coast(s *For) bool {
	if !coasts(s) {
		return false
	}
	v.findCubes(s.Body)
	defer func(before *For) { v.parting = before }(v.parting)
	v.parting = s
	in, label := v.fresh("still"), v.label(s, "loop")
	c := &coasting{v, s, in, label, map[*Var]string{}}
	for w := range assignedIn(s) {
		if c.leftBehind(w) {
			c.left[w] = ""
		}
	}
	v.loop[s], v.inner[s] = in, in
	before, line := v.body.out, v.body.line
	v.body.out = strings.Builder{}
	apart := v.full && v.mask == v.strip // as a func of its own
	if apart {
		v.body.line = token.Position{}
	}
	for _, w := range v.k.Vars { // in the order of their declarations
		if _, ok := c.left[w]; ok {
			c.left[w] = v.fresh("left")
			v.printf("var %s [%d][%d]%s\n", c.left[w], max(v.parts, 1), v.lanes, elemGo[elem(w.Type)])
			v.each(true, func() { v.printf("%s(&%s[%d], %s)\n", v.vec("StorePtr", w.Type), c.left[w], v.part, v.name(w)) })
		}
	}
	v.each(true, func() { v.printf("%s := %s\n", v.partOf(in), v.m()) })
	v.narrowed(in, c.rounds)
	for _, w := range v.k.Vars {
		if c.left[w] != "" {
			v.each(true, func() { v.printf("%s = %s(&%s[%d])\n", v.name(w), v.vec("LoadPtr", w.Type), c.left[w], v.part) })
		}
	}
	splats, text := c.hoisted(v.body.out.String())
	v.body.out = before
	// What is done lane by lane has names of its own for what it takes out of vectors, and asks for the thread.
	if apart && !containsWord(codeOf(text), "lane") {
		v.body.line = line
		text = c.outlined(splats + text)
		splats = ""
	}
	v.printf("%s%s", splats, text)
	if apart {
		v.body.line = token.Position{}
	}
	return true
}

// outlined makes a func of text, which is what the loop has become, and returns a call of it. Go loads what the func around
// keeps in registers anew in each round, so that two vectors together are slower there than one.
func (c *coasting) outlined(text string) string {
	use, inside := useOf([]Stmt{c.loop}), &Block{Body: c.loop.Body}
	var order, results []string
	typeOf := map[string]string{}
	c.each(true, func() {
		for _, name := range []string{c.rank(), c.partName("tx")} {
			order, typeOf[name] = append(order, name), "int"
		}
	})
	for _, w := range c.k.Vars {
		if !use.read[w] && !use.written[w] || declares(inside, w) {
			continue
		}
		c.each(c.varies(w.Shape), func() {
			name := c.name(w)
			order, typeOf[name] = append(order, name), c.vecName()+"."+c.suffix(w.Type)
			switch {
			case scalarShape(w.Shape):
				typeOf[name] = c.typ(w.Type)
			case isBool(w.Type):
				typeOf[name] = c.vecName() + ".Mask"
			}
			if use.written[w] && !declaredIn(w, c.loop) && !c.onlyIn(w, c.loop) {
				results = append(results, name)
			}
		})
	}
	text = fmt.Sprintf("%s := %s.Mask(1<<%d - 1)\n", c.strip, c.vecName(), c.lanes) + text
	return c.outline(c.withHeads(text), "a loop that lanes leave one by one", order, typeOf, nil, results, "")
}

// coasting is a loop on its way to being printed.
type coasting struct {
	*vector
	loop  *For
	in    string // the mask of the lanes that are still in it
	label string
	left  map[*Var]string // the arrays of variables that lanes get as they leave
}

// leftBehind reports whether lanes get w as they leave, and the loop does nothing else with it. It is in memory then, for a
// register that is wanted once in many rounds is one that is missing in all.
func (c *coasting) leftBehind(w *Var) bool {
	if scalarShape(w.Shape) || !c.holds(w.Type) || isBool(w.Type) || declaredIn(w, c.loop) || reads([]Stmt{c.loop}, w) > 0 {
		return false
	}
	for _, s := range slices.Concat(c.loop.Body, c.loop.Post) {
		if _, leaves := s.(*If); !leaves && assignedIn(s)[w] {
			return false
		}
	}
	return true
}

// rounds prints the loop.
func (c *coasting) rounds() {
	c.printf("if %s != 0 {\n%s:\nfor {\n", c.anyPart(c.in), c.label)
	if c.loop.Cond != nil {
		c.leaveIf(not(c.loop.Cond), nil)
	}
	for _, x := range slices.Concat(c.loop.Body, c.loop.Post) {
		if leave, ok := x.(*If); ok {
			c.at(leave.Pos)
			c.leaveIf(leave.Cond, leave.Then[:len(leave.Then)-1])
		} else {
			c.stmt(x)
		}
	}
	c.printf("}\n}\n")
}

// leaveIf prints that lanes for which cond holds do what then says and leave the loop.
func (c *coasting) leaveIf(cond Expr, then []Stmt) {
	do := func() {
		for _, x := range then {
			a := x.(*Assign)
			w, _ := assigned(a.L[0])
			if c.left[w] == "" {
				c.stmt(a)
				continue
			}
			c.each(true, func() {
				c.printf("%s(%s[%d][:], 0, %s, %s)\n", c.vec("StoreMasked", w.Type), c.left[w], c.part, c.value(a.R), c.m())
			})
		}
	}
	if sh := shapeOf(cond); sh[0] == 0 && !c.varies(sh) {
		c.printf("if %s {\n", c.expr(cond))
		do()
		c.printf("break %s\n}\n", c.label)
		return
	}
	m := c.fresh("mt")
	c.each(true, func() { c.printf("%s := %s & %s\n", c.partOf(m), c.m(), paren(c.maskOf(cond))) })
	c.printf("if %s != 0 {\n", c.anyPart(m))
	c.narrowed(m, do)
	c.each(true, func() { c.printf("%s &^= %s\n", c.partOf(c.in), c.partOf(m)) })
	c.printf("if %s == 0 {\nbreak %s\n}\n}\n", c.anyPart(c.in), c.label)
}

// splat matches a number that is spread over a vector.
var splat = regexp.MustCompile(`\bvec\.Splat\w+\((\w+)\)`)

// hoisted takes out of the text of the loop what it spreads in each round and does not change.
func (c *coasting) hoisted(text string) (splats, rest string) {
	changed := assignedIn(c.loop)
	steady := map[string]bool{}
	for _, w := range c.k.Vars {
		steady[c.name(w)] = scalarShape(w.Shape) && !changed[w] && !declaredIn(w, c.loop)
	}
	names := map[string]string{}
	rest = splat.ReplaceAllStringFunc(text, func(s string) string {
		if !steady[splat.FindStringSubmatch(s)[1]] {
			return s
		}
		if names[s] == "" {
			names[s] = c.fresh("all")
			splats += fmt.Sprintf("%s := %s\n", names[s], s)
		}
		return names[s]
	})
	return splats, rest
}

// anyPart prints the lanes that are on in one part or another.
func (v *vector) anyPart(mask string) string {
	var all []string
	v.each(true, func() { all = append(all, v.partOf(mask)) })
	return strings.Join(all, "|")
}
