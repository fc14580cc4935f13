package randkernel

import (
	"fmt"
	"strings"
)

// many returns so many statements.
func (g *langGen) many(depth, count int) (list []*node) {
	for range count {
		list = append(list, g.stmt(depth))
	}
	return list
}

// inside returns a list of its own scope.
func (g *langGen) inside(depth int, more func()) (list []*node) {
	g.scope(func() {
		if more != nil {
			more()
		}
		list = g.many(depth-1, 1+g.n(3))
	})
	return list
}

func (g *langGen) stmt(depth int) *node {
	for {
		n := g.try(depth)
		if n != nil {
			return n
		}
	}
}

// try returns a random statement, or nil if what it chose is not possible here.
func (g *langGen) try(depth int) *node {
	if g.wait && g.n(5) == 0 {
		return g.exchange()
	}
	if depth > 0 && g.n(2) == 0 {
		switch g.n(7) {
		case 0:
			return g.branch(depth)
		case 1:
			return g.choice(depth)
		case 2:
			return g.loop(depth)
		case 3:
			return g.pointer(depth)
		case 4:
			return g.slice(depth)
		case 5:
			return g.closure(depth)
		case 6:
			return g.tail(depth)
		}
	}
	if text := g.simple(); text != "" {
		return &node{text: text}
	}
	return nil
}

// exchange returns a statement in which threads read what others wrote.
func (g *langGen) exchange() *node {
	typ := g.own[0]
	v := g.scalar(typ)
	return &node{text: fmt.Sprintf("s0[tid] = %s\nt.SyncThreads()\n%s = s0[(tid+%d)%%n]\nt.SyncThreads()", g.ex(typ, 2), v, 1+g.n(9))}
}

// simple returns a statement without others in it, or nothing.
func (g *langGen) simple() string {
	typ := g.pick(append(g.own, "int")...)
	v := g.place(typ, 2)
	if v == "" {
		return ""
	}
	switch g.n(19) {
	case 0, 1:
		return fmt.Sprintf("%s = %s", v, g.ex(typ, 3))
	case 2, 3, 4:
		return g.update(v, typ)
	case 5, 6, 7:
		return g.assigned()
	case 8, 9:
		return g.several()
	case 10:
		return v + g.pick("++", "--")
	case 11:
		if w := g.place(typ, 2); w != "" {
			return fmt.Sprintf("%s, %s = %s, %s", v, w, w, v)
		}
	case 12:
		if i := g.scalar("int"); i != "" {
			return i + g.pick("++", "--", " += 3")
		}
	case 13:
		if len(g.records) > 0 {
			ps := g.pick(g.records...)
			a, b := g.index(4, 1), g.index(4, 1)
			switch g.n(4) {
			case 0:
				return fmt.Sprintf("%s[%s], %s[%s] = %s[%s], %s[%s]", ps, a, ps, b, ps, b, ps, g.index(4, 1))
			case 1:
				return fmt.Sprintf("%s[%s] = point{x: %s, w: %s, y: %s}", ps, a, g.ex("int32", 2), g.ex("uint8", 2), g.ex("float32", 1))
			case 2:
				return fmt.Sprintf("%s[%s].z = [3]%s{%s, 2: %s}", ps, a, g.t("int16"), g.ex("int16", 2), g.ex("int16", 1))
			}
			return fmt.Sprintf("%s[%s] = %s[%s]", ps, a, ps, b)
		}
	case 14:
		if a := g.list(typ); a != "" {
			switch g.n(3) {
			case 0:
				return fmt.Sprintf("%s(%s[%s:], %s[%s:])", g.t("copy"), a, g.index(8, 1), a, g.index(8, 1))
			case 1:
				if i := g.scalar("int"); i != "" {
					return fmt.Sprintf("%s += %s(%s[%s:], []%s{%s, %s})", i, g.t("copy"), a, g.index(8, 1), g.t(typ), g.ex(typ, 1), g.ex(typ, 2))
				}
			case 2: // there is room in a
				return fmt.Sprintf("_ = %s(%s[:%s], %s, %s)", g.t("append"), a, g.index(4, 1), g.ex(typ, 2), g.ex(typ, 1))
			}
		}
	case 15:
		if b := g.scalar("bool"); b != "" {
			return fmt.Sprintf("%s = %s", b, g.cond(3))
		}
	case 16:
		return g.cast()
	case 17:
		if len(g.result) > 0 {
			return fmt.Sprintf("if %s {\n%s\n}", g.cond(2), g.giveBack())
		}
		if g.inKernel && !g.waits && g.n(3) == 0 {
			return fmt.Sprintf("if %s {\n%s\nreturn\n}", g.cond(1), g.note(typ, v))
		}
	case 18:
		if len(g.outer) > 0 {
			word := g.pick("break", "continue")
			return fmt.Sprintf("if %s {\n%s %s\n}", g.cond(1), word, g.pick(g.outer...))
		}
	}
	return ""
}

// update returns an assignment with an operation.
func (g *langGen) update(v, typ string) string {
	if typ == "T" || floating(typ) {
		return fmt.Sprintf("%s %s %s", v, g.pick("+=", "-="), g.ex(typ, 2))
	}
	switch g.n(6) {
	case 0:
		return fmt.Sprintf("%s %s %s | 1", v, g.pick("/=", "%="), g.ex(typ, 2))
	case 1:
		return fmt.Sprintf("%s %s %s %% 11", v, g.pick("<<=", ">>="), g.ex("uint32", 2))
	}
	return fmt.Sprintf("%s %s %s", v, g.pick("+=", "-=", "*=", "^=", "|=", "&=", "&^="), g.ex(typ, 2))
}

// assigned returns an assignment of several values to several places.
func (g *langGen) assigned() string {
	var to, from []string
	for range 2 + g.n(2) {
		typ := g.pick(append(g.own, "int")...)
		v := g.place(typ, 2)
		if v == "" {
			return ""
		}
		to, from = append(to, v), append(from, g.ex(typ, 2))
	}
	return strings.Join(to, ", ") + " = " + strings.Join(from, ", ")
}

// several returns an assignment of the results of a call.
func (g *langGen) several() string {
	for range 4 {
		if len(*g.funcs) == 0 {
			return ""
		}
		f := (*g.funcs)[g.n(len(*g.funcs))]
		c, results := g.callOf(f, 2)
		if c == "" {
			continue
		}
		if g.n(8) == 0 {
			return c
		}
		var to []string
		for _, typ := range results {
			v := g.place(typ, 1)
			if v == "" || g.n(8) == 0 {
				v = "_"
			}
			to = append(to, v)
		}
		return strings.Join(to, ", ") + " = " + c
	}
	return ""
}

// cast returns a statement about the bits of a number.
func (g *langGen) cast() string {
	x := g.name("x")
	note := func(typ, e string) string {
		to := g.pick(g.own...)
		if v := g.place(to, 1); v != "" {
			return fmt.Sprintf("%s = %s", v, g.conv(to, typ, e))
		}
		return fmt.Sprintf("_ = %s", e)
	}
	switch g.n(5) {
	case 0:
		return fmt.Sprintf("if %s := %s; %s == %s {\n%s\n}", x, g.ex("float32", 2), x, x, note("uint32", fmt.Sprintf("*(*%s)(unsafe.Pointer(&%s))", "uint32Of", x)))
	case 1:
		return fmt.Sprintf("if %s := %s; %s == %s {\n%s\n}", x, g.ex("float64", 2), x, x, note("uint64", fmt.Sprintf("math.Float64bits(%s)", x)))
	case 2:
		return fmt.Sprintf("{\n%s := %s\n%s\n}", x, g.ex("uint32", 2), note("float32", fmt.Sprintf("*(*%s)(unsafe.Pointer(&%s))", "float32Of", x)))
	case 3:
		return fmt.Sprintf("{\n%s := %s\n%s\n}", x, g.ex("int64", 2), note("float64", fmt.Sprintf("*(*%s)(unsafe.Pointer(&%s))", "float64Of", x)))
	}
	return fmt.Sprintf("{\n%s := %s\n*(*%s)(unsafe.Pointer(&%s)) ^= %s\n%s\n}", x, g.ex("int32", 2), "uint32Of", x, g.ex("uint32", 1), note("int32", x))
}

// branch returns an if.
func (g *langGen) branch(depth int) *node {
	defer g.apart()()
	n := &node{hoist: true, text: fmt.Sprintf("if %s {", g.cond(3)), parts: []part{{g.inside(depth, nil), "}"}}}
	if g.n(3) == 0 {
		x, typ := g.name("x"), g.pick(g.own...)
		n.hoist = false
		n.text = fmt.Sprintf("if %s := %s; %s %s %s {", x, g.ex(typ, 2), x, g.pick("<", ">=", "!="), g.ex(typ, 1))
		n.parts[0].list = g.inside(depth, func() { g.scalars[typ] = append(g.scalars[typ], x) })
	}
	for g.n(2) == 0 && len(n.parts) < 3 {
		n.parts[len(n.parts)-1].after = fmt.Sprintf("} else if %s {", g.cond(2))
		n.parts = append(n.parts, part{g.inside(depth, nil), "}"})
	}
	if g.n(2) == 0 {
		n.parts[len(n.parts)-1].after = "} else {"
		n.parts = append(n.parts, part{g.inside(depth, nil), "}"})
	}
	return n
}

// apart forbids barriers until what it returns is called.
func (g *langGen) apart() func() {
	wait := g.wait
	g.wait = false
	return func() { g.wait = wait }
}

// choice returns a switch.
func (g *langGen) choice(depth int) *node {
	defer g.apart()()
	n := &node{}
	if g.n(2) == 0 {
		typ := "int"
		n.text = fmt.Sprintf("switch %s(%s) {\ncase 0, 3:", "intOf", g.index(8, 2))
		if t := g.pick(g.own...); !floating(t) && t != "T" {
			typ = t
			n.text = fmt.Sprintf("switch %s & 7 {\ncase 0, %s:", g.ex(typ, 2), g.ex(typ, 1))
		}
		for _, c := range []string{"case 1:", fmt.Sprintf("case %s, 2:", g.ex(typ, 2)), "default:", "}"} {
			if c == "case 1:" && g.n(3) == 0 {
				c = "fallthrough\n" + c
			}
			n.parts = append(n.parts, part{g.inside(depth, nil), c})
		}
		return n
	}
	n.text = fmt.Sprintf("switch {\ncase %s:", g.cond(2))
	for range 1 + g.n(2) {
		n.parts = append(n.parts, part{g.inside(depth, nil), fmt.Sprintf("case %s, %s:", g.cond(2), g.cond(1))})
	}
	n.parts = append(n.parts, part{g.inside(depth, nil), "}"})
	return n
}

// loop returns a loop of few rounds.
func (g *langGen) loop(depth int) *node {
	if g.nest > 1 || g.helper && g.nest > 0 {
		return nil
	}
	keep := g.apart()
	together := false
	j, x, label := g.name("j"), g.name("x"), g.name("L")
	n := &node{label: label}
	read := func(name, typ string) { g.reads = append(g.reads, variable{name, typ}) }
	add := func() { read(j, "int") }
	switch g.n(8) {
	case 0, 1:
		n.text = fmt.Sprintf("for %s := %s(0); %s < %d; %s++ {\n_ = %s", j, "intOf", j, 2+g.n(3), j, j)
		together = true
	case 2:
		n.text = fmt.Sprintf("for %s := range %s(%s) {\n_ = %s", j, "intOf", g.index(4, 2), j)
	case 3:
		typ := g.pick(g.own...)
		n.text = fmt.Sprintf("for %s := %s(0); %s < 4 && %s; %s += 1 + %s(%s)%%2 {\n_ = %s", j, "intOf", j, g.cond(2), j, "intOf", fmt.Sprintf("%s(%s)", "uint8Of", g.conv("int", typ, g.ex(typ, 1))), j)
	case 4, 5:
		if len(g.lists) == 0 {
			keep()
			return nil
		}
		a := g.lists[g.n(len(g.lists))]
		n.text = fmt.Sprintf("for %s, %s := range %s {\n_, _ = %s, %s", j, x, g.pick(a.name, a.name, a.name+"[:]", a.name+"["+g.index(4, 2)+":]"), j, x)
		add = func() {
			read(j, "int")
			g.scalars[a.typ] = append(g.scalars[a.typ], x)
		}
	case 6:
		if len(g.records) == 0 {
			keep()
			return nil
		}
		ps := g.pick(g.records...)
		n.text = fmt.Sprintf("for %s := range %s {\n%s := &%s[%s]\n_ = %s", j, ps, x, ps, j, x)
		add = func() {
			read(j, "int")
			g.points = append(g.points, x)
		}
	case 7:
		v, typ := g.name("x"), g.pick(g.own...)
		n.text = fmt.Sprintf("for %s, %s := %s(5), %s; %s > 0; %s, %s = %s-2, %s {\n_ = %s", j, v, "intOf", g.ex(typ, 2), j, j, v, j, g.ex(typ, 2), v)
		add = func() {
			read(j, "int")
			g.scalars[typ] = append(g.scalars[typ], v)
		}
	}
	if together && g.n(2) == 0 {
		keep()
	}
	label = " " + label // as the printer looks for it
	nest := g.nest
	g.nest++
	list := g.inside(depth, func() {
		add()
		if g.wait {
			g.outer = nil
		} else {
			g.outer = append(g.outer, strings.TrimSpace(label))
		}
	})
	g.nest = nest
	keep()
	n.parts = []part{{list, "}"}}
	return n
}
