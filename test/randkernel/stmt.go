package randkernel

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// list returns so many statements. whole says that all threads of the block are here that have not
// returned, so that there may be barriers.
func (g *gen) list(depth int, whole bool, count int) (list []*node) {
	for range count {
		list = append(list, g.stmt(depth, whole))
	}
	return list
}

// inner returns a list inside a compound statement. Variables that it declares end with it.
func (g *gen) inner(depth int, whole bool) []*node {
	vars, counters, ucounters, uniform := g.vars, g.counters, g.ucounters, g.uniform
	g.vars = maps.Clone(vars)
	list := g.list(depth-1, whole, 1+g.n(4))
	g.vars, g.counters, g.ucounters, g.uniform = vars, counters, ucounters, uniform
	return list
}

// alone returns a list that each thread runs or not, on its own.
func (g *gen) alone(depth int) []*node {
	mask := g.mask
	g.mask = ""
	list := g.inner(depth, false)
	g.mask = mask
	return list
}

func (g *gen) stmt(depth int, whole bool) *node {
	for {
		if n := g.try(depth, whole); n != nil {
			return n
		}
	}
}

// try returns a random statement, or nil if what it chose is not possible here.
func (g *gen) try(depth int, whole bool) *node {
	if whole && g.n(2) == 0 {
		return g.together(depth)
	}
	if g.mask != "" && g.n(3) == 0 {
		return g.warpStmt(depth)
	}
	if depth > 0 && g.n(3) == 0 {
		return g.compound(depth)
	}
	return g.simple()
}

// simple returns a statement on private variables and the thread's own elements.
func (g *gen) simple() *node {
	typ := g.types[g.n(len(g.types))]
	names := g.vars[typ]
	if len(names) == 0 {
		return nil
	}
	v := g.pick(names...)
	text := ""
	kinds := 16
	if g.lean {
		kinds = 12
	}
	switch g.n(kinds) {
	case 0, 1, 2, 3:
		text = fmt.Sprintf("%s = %s", v, g.expr(typ, 3))
	case 4, 5:
		text = g.assign(v, typ)
	case 6:
		text = v + g.pick("++", "--")
	case 7:
		w := g.pick(names...)
		text = fmt.Sprintf("%s, %s = %s, %s", v, w, g.expr(typ, 1), v)
		if v == w {
			return nil
		}
	case 8:
		if names := g.vars["bool"]; len(names) > 0 {
			text = fmt.Sprintf("%s = %s", g.pick(names...), g.cond(2))
		}
	case 9:
		if a := g.writable(false); a != nil {
			text = g.assign(fmt.Sprintf("%s[%s]", a.name, a.own), a.typ)
		}
	case 10:
		if a := g.writable(true); a != nil {
			text = fmt.Sprintf("atomic.%s(&%s[uint32(%s)%%8], %s)", a.counter, a.name, g.expr("int32", 1), g.expr(a.typ, 1))
		} else if g.inKernel {
			text = fmt.Sprintf("atomic.Add(&counters[uint32(block*16+8)+uint32(%s)%%8], %s)", g.expr("int32", 1), g.expr("uint32", 1))
		}
	case 11:
		if g.inKernel {
			name, t := g.output(typ)
			text = g.assign(name+"[g]", t)
		}
	case 12:
		if g.inKernel {
			text = g.assign(fmt.Sprintf("h[uint32(%s)%%8]", g.expr("int32", 1)), "int32")
		}
	case 13:
		if g.inKernel {
			switch g.n(5) {
			case 0:
				text = fmt.Sprintf("r.bump(%s)", g.expr("int32", 1))
			case 1:
				text = g.assign("r.b", "float32")
			case 2:
				text = fmt.Sprintf("r.d[uint32(%s)%%3] = %s", g.variable("int32"), g.expr("int16", 1))
			case 3:
				text = fmt.Sprintf("{\nq := r\nq.a += %s\nr.a ^= q.sum()\n}", g.expr("int32", 1))
			case 4:
				text = fmt.Sprintf("r = record{a: %s, b: r.b, d: r.d}", g.expr("int32", 1))
			}
		}
	case 14:
		p := g.name("p")
		target := v
		if g.inKernel && typ == "int32" && g.n(2) == 0 {
			target = fmt.Sprintf("h[uint32(%s)%%8]", g.variable("int32"))
		}
		text = fmt.Sprintf("{\n%s := &%s\n%s\n}", p, target, g.assign("*"+p, typ))
	case 15:
		if len(names) > 1 {
			f := g.name("f")
			text = fmt.Sprintf("{\n%s := func(x %s) %s {\n%s += x\nreturn x - %s\n}\n%s = %s(%s)\n}", f, typ, typ, names[0], names[1], names[1], f, g.expr(typ, 1))
		}
	}
	if text == "" {
		return nil
	}
	return &node{text: text}
}

// assign returns an assignment with an operator.
func (g *gen) assign(to, typ string) string {
	if isFloat(typ) {
		if g.n(4) == 0 {
			return fmt.Sprintf("%s *= %s", to, g.operand(typ, 1))
		}
		return fmt.Sprintf("%s %s %s", to, g.pick("=", "+=", "-="), g.expr(typ, 2))
	}
	switch g.n(8) {
	case 0:
		return fmt.Sprintf("%s %s (%s | 1)", to, g.pick("/=", "%="), g.expr(typ, 1))
	case 1:
		return fmt.Sprintf("%s %s %d", to, g.pick("<<=", ">>="), 1+g.n(5))
	}
	return fmt.Sprintf("%s %s %s", to, g.pick("=", "+=", "-=", "*=", "^=", "|=", "&=", "&^="), g.expr(typ, 2))
}

// compound returns a statement that each thread goes through on its own.
func (g *gen) compound(depth int) *node {
	switch g.n(13) {
	case 0, 1, 2:
		return &node{text: fmt.Sprintf("if %s {", g.cond(2)), parts: []part{{g.alone(depth), "}"}}, hoist: true}
	case 3, 4:
		n := &node{text: fmt.Sprintf("if %s {", g.cond(2)), hoist: true}
		n.parts = []part{{g.alone(depth), "} else {"}, {g.alone(depth), "}"}}
		return n
	case 5, 6:
		return g.loop(depth)
	case 7:
		n := &node{text: fmt.Sprintf("switch %s %% 4 {\ncase 0:", g.expr("uint32", 2))}
		g.switches++
		n.parts = []part{
			{g.alone(depth), g.pick("case 1, 2:", "fallthrough\ncase 2:")},
			{g.alone(depth), g.pick("default:", "case 3:", "fallthrough\ndefault:")},
			{g.alone(depth), "}"},
		}
		g.switches--
		return n
	case 8:
		n := &node{text: "switch {\ncase " + g.cond(1) + ":"}
		g.switches++
		n.parts = []part{{g.alone(depth), "case " + g.cond(1) + ":"}, {g.alone(depth), "}"}}
		g.switches--
		return n
	case 9:
		return g.scope(depth, false)
	case 10:
		if k := len(g.loops); k > 0 && !g.loops[k-1].uniform {
			word := g.pick("break", "continue")
			l := g.loops[k-1]
			if k > 1 && !g.loops[k-2].uniform && g.n(3) == 0 {
				l = g.loops[k-2]
			}
			if l != g.loops[k-1] || g.switches > 0 || g.n(3) == 0 {
				word += " " + l.label
			}
			return &node{text: fmt.Sprintf("if %s {\n%s\n}", g.cond(1), word)}
		}
	case 11:
		if g.returns && g.inKernel {
			return &node{text: fmt.Sprintf("if %s && uint32(%s)%%%d == %d {\nreturn\n}", g.cond(1), g.expr("int32", 1), 5+g.n(7), g.n(3))}
		}
	case 12:
		return g.orbit()
	}
	return nil
}

// orbit returns a loop in which each thread computes until it has enough, in a loop for all:
// numbers go on from one time to the next, or begin anew, and are asked for afterwards or not.
func (g *gen) orbit() *node {
	typ := g.pick("int32", "int32", "float32")
	if len(g.vars[typ]) == 0 {
		return nil
	}
	x, y, n, j, i := g.name("x"), g.name("x"), g.name("n"), g.name("j"), g.name("j")
	part := func(e string, bits int) string { // of an integer or not
		if isFloat(typ) {
			return fmt.Sprintf("%s*%v", e, 1/float64(int(1)<<bits))
		}
		return fmt.Sprintf("%s>>%d", e, bits)
	}
	times := func(e string, n int) string { // rounded before something is added to it
		if isFloat(typ) {
			return fmt.Sprintf("%s(%s*%d)", typ, e, n)
		}
		return fmt.Sprintf("%s*%d", e, n)
	}
	step := ""
	if g.n(2) == 0 { // what nobody else asks for
		step = fmt.Sprintf("%s = %s + %d\n%s += %s\n", y, part(y, 1), g.n(9), x, y)
	}
	var inner string
	switch g.n(3) {
	case 0:
		inner = fmt.Sprintf("for %s < %s*%d {\n%s%s += %s + 11\n%s++\n}\n", x, j, 500+g.n(3000), step, x, part(x, 3), n)
	case 1:
		inner = fmt.Sprintf("for %s := 0; %s < %d; %s++ {\nif %s > %s*%d {\n%sbreak\n}\n%s%s = %s - %s + 1\n%s += %s\n}\n",
			i, i, g.n(40), i, x, j, 100+g.n(9000), g.pick("", n+" += 3\n"), step, x, times(x, 3), part(x, 1), n, j)
	case 2:
		inner = fmt.Sprintf("for {\nif %s >= %s*%d || %s > %d {\nbreak\n}\n%s%s = %s + %s\n%s++\n}\n", n, j, g.n(20), x, 1+g.n(9000), step, x, times(x, 5), n, n)
	}
	begin := fmt.Sprintf("%s := %s(int32(%s) & 1023)\n%s := %s(%d)\n", x, typ, g.operand("int32", 2), y, typ, g.n(50))
	if step == "" {
		begin = begin[:strings.IndexByte(begin, '\n')+1]
	}
	after := g.pick("", "", fmt.Sprintf("%s -= %s\n", x, part(x, 2)))
	asked := ""
	text := fmt.Sprintf("%s := %s(%d)\n", n, typ, g.n(3))
	loop := fmt.Sprintf("for %s := %s(1); %s < %d; %s++ {\n", j, typ, j, 2+g.n(4), j)
	if g.n(3) == 0 {
		text += loop + begin
	} else {
		text += begin + loop
		asked = g.pick("", " + "+x)
	}
	v := g.pick(g.vars[typ]...)
	return &node{text: fmt.Sprintf("{\n%s%s%s}\n%s = %s - (%s%s)\n}", text, inner, after, v, v, n, asked)}
}

// scope returns a block with a variable of its own, whose name may be one that is there already.
func (g *gen) scope(depth int, whole bool) *node {
	typ := g.types[g.n(len(g.types))]
	v := g.name("x")
	if names := g.vars[typ]; len(names) > 0 && g.n(3) == 0 {
		v = g.pick(names...)
	}
	text := fmt.Sprintf("{\n%s := %s\n_ = %s", v, g.expr(typ, 2), v)
	vars := g.vars
	g.vars = maps.Clone(vars)
	if !slices.Contains(g.vars[typ], v) {
		g.vars[typ] = append(slices.Clone(g.vars[typ]), v)
	}
	list := g.inner(depth, whole)
	g.vars = vars
	return &node{text: text, parts: []part{{list, "}"}}}
}

// loop returns a loop that each thread runs as often as it likes.
func (g *gen) loop(depth int) *node {
	alone := 0
	for _, l := range g.loops {
		if !l.uniform {
			alone++
		}
	}
	if alone == 2 {
		return nil
	}
	j, l := g.name("j"), loop{label: g.name("L")}
	n := &node{label: l.label}
	counters := g.counters
	switch g.n(7) {
	case 0:
		n.text = fmt.Sprintf("for %s := 0; %s < int(uint32(%s)%%7); %s++ {", j, j, g.expr("int32", 2), j)
	case 1:
		n.text = fmt.Sprintf("for %s := range int(uint8(%s) %% 5) {\n_ = %s", j, g.expr("int32", 2), j)
	case 2:
		n.text = fmt.Sprintf("for %s := 0; %s < 9 && %s; %s++ {", j, j, g.cond(1), j)
	case 3:
		n.text = fmt.Sprintf("for %s := 0; ; %s++ {\nif %s > %d || %s {\nbreak\n}", j, j, j, g.n(8), g.cond(1))
	case 4:
		n.text = fmt.Sprintf("for %s := int(uint32(%s) %% 6); %s > 0; %s-- {", j, g.expr("int32", 2), j, j)
	case 5:
		if !g.inKernel || g.lean {
			return nil
		}
		x := g.name("x")
		n.text = fmt.Sprintf("for %s, %s := range h {\n_, _ = %s, %s", j, x, j, x)
		vars := g.vars
		g.vars = maps.Clone(vars)
		g.vars["int32"] = append(slices.Clone(vars["int32"]), x)
		defer func() { g.vars = vars }()
	case 6:
		if !g.inKernel {
			return nil
		}
		n.text = fmt.Sprintf("for %s := tid; %s < n+7; %s += n/2 + 3 {", j, j, j)
	}
	g.counters = append(slices.Clone(counters), j)
	g.loops = append(g.loops, l)
	switches := g.switches
	g.switches = 0
	n.parts = []part{{g.alone(depth), "}"}}
	g.loops = g.loops[:len(g.loops)-1]
	g.switches = switches
	g.counters = counters
	return n
}

// together returns a statement that the whole block goes through.
func (g *gen) together(depth int) *node {
	switch g.n(18) {
	case 0:
		return &node{text: "t.SyncThreads()"}
	case 1, 2, 3, 4:
		return g.section(depth)
	case 5:
		if len(g.uniform) > 0 {
			return &node{text: fmt.Sprintf("%s = %s", g.pick(g.uniform...), g.uexpr(2))}
		}
	case 6:
		if len(g.uniform) > 0 {
			return &node{text: fmt.Sprintf("%s = int32(t.SyncThreadsCount(%s))", g.pick(g.uniform...), g.cond(1))}
		}
	case 7:
		if depth > 0 {
			return &node{text: fmt.Sprintf("if t.SyncThreads%s(%s) {", g.pick("And", "Or"), g.cond(1)), parts: []part{{g.inner(depth, true), "}"}}}
		}
	case 8, 9:
		if depth > 0 {
			n := &node{text: fmt.Sprintf("if %s {", g.ucond(1)), hoist: true}
			n.parts = []part{{g.inner(depth, true), "}"}}
			if g.n(2) == 0 {
				n.parts[0].after = "} else {"
				n.parts = append(n.parts, part{g.inner(depth, true), "}"})
			}
			return n
		}
	case 10, 11, 12:
		if depth > 0 && len(g.loops) < 2 {
			return g.blockLoop(depth)
		}
	case 13:
		if depth > 0 {
			n := &node{text: fmt.Sprintf("switch uint32(%s) %% 3 {\ncase 0:", g.uexpr(2))}
			g.switches++
			n.parts = []part{{g.inner(depth, true), g.pick("case 1:", "fallthrough\ncase 1:")}, {g.inner(depth, true), "default:"}, {g.inner(depth, true), "}"}}
			g.switches--
			return n
		}
	case 14:
		if k := len(g.loops); k > 0 {
			l := g.loops[g.n(k)]
			wait := ""
			if g.sections > l.sections {
				wait = "t.SyncThreads()\n" // whose arrays are read no more after this
			}
			word := g.pick("break", "continue")
			if l != g.loops[k-1] || g.switches > 0 || g.n(3) == 0 {
				word += " " + l.label
			}
			return &node{text: fmt.Sprintf("if %s {\n%s%s\n}", g.ucond(1), wait, word)}
		}
	case 15:
		if g.returns && g.inKernel && g.n(4) == 0 {
			return &node{text: fmt.Sprintf("if %s {\nreturn\n}", g.ucond(1))}
		}
	case 16:
		return g.call()
	case 17:
		if depth > 0 {
			return g.scope(depth, true)
		}
	}
	return nil
}

// section returns a part of the kernel in which some arrays are read, between two barriers.
func (g *gen) section(depth int) *node {
	if depth == 0 {
		a := g.writable(false)
		if a == nil {
			return nil
		}
		a.reading = true
		v := g.vars["int32"][0]
		text := fmt.Sprintf("t.SyncThreads()\n%s ^= %s\nt.SyncThreads()", v, g.conversion("int32", a.typ, fmt.Sprintf("%s[%s]", a.name, g.place(a))))
		a.reading = false
		return &node{text: text}
	}
	var read []*array
	for _, a := range g.arrays {
		if !a.reading && g.n(2) == 0 {
			a.reading = true
			read = append(read, a)
		}
	}
	if len(read) == 0 {
		return nil
	}
	g.sections++
	n := &node{text: "t.SyncThreads()", parts: []part{{g.inner(depth, true), "t.SyncThreads()"}}}
	g.sections--
	for _, a := range read {
		a.reading = false
	}
	return n
}

// blockLoop returns a loop that the whole block runs.
func (g *gen) blockLoop(depth int) *node {
	j, l := g.name("k"), loop{label: g.name("L"), uniform: true, sections: g.sections}
	n := &node{label: l.label}
	after := "}"
	switch g.n(7) {
	case 0:
		n.text = fmt.Sprintf("for %s := 0; %s < %d; %s++ {", j, j, 1+g.n(4), j)
	case 1:
		n.text = fmt.Sprintf("for %s := 0; %s < int(uint32(%s)%%5); %s++ {", j, j, g.uexpr(1), j)
	case 2:
		n.text = fmt.Sprintf("for %s := range int(uint32(%s) %% 4) {\n_ = %s", j, g.uexpr(1), j)
	case 3:
		n.text = fmt.Sprintf("for %s := n; %s > 0; %s /= 4 {", j, j, j)
	case 4:
		n.text = fmt.Sprintf("for %s := 0; t.SyncThreadsOr(%s) && %s < 3; %s++ {", j, g.cond(1), j, j)
	case 5:
		n.text = fmt.Sprintf("for %s := 0; %s < 4; %s++ {", j, j, j)
		after = fmt.Sprintf("if %s {\nbreak\n}\n}", g.ucond(1))
	case 6:
		n.text = fmt.Sprintf("for %s := 0; %s && %s < 5; %s += 2 {", j, g.ucond(1), j, j)
	}
	counters, ucounters := g.counters, g.ucounters
	g.counters, g.ucounters = append(slices.Clone(counters), j), append(slices.Clone(ucounters), j)
	g.loops = append(g.loops, l)
	switches := g.switches
	g.switches = 0
	n.parts = []part{{g.inner(depth, true), after}}
	g.loops = g.loops[:len(g.loops)-1]
	g.switches = switches
	g.counters, g.ucounters = counters, ucounters
	return n
}

// call returns a call of a helper with barriers.
func (g *gen) call() *node {
	a := g.writable(false)
	if a == nil || !g.inKernel {
		return nil
	}
	own, slice := a.own, a.name
	if a.base != "" {
		own, slice = strings.TrimPrefix(a.own, a.base), a.name+"[base:base+n]"
	}
	v := ""
	if names := g.vars[a.typ]; len(names) > 0 {
		v = g.pick(names...)
	} else {
		return nil
	}
	for _, w := range g.waiting {
		if w.typ == a.typ && g.n(2) == 0 {
			return &node{text: fmt.Sprintf("%s = %s(t, tid, n, block, p0, p1, in0, %s, %s, %s, %s, %s)",
				v, w.name, slice, own, g.uexpr(1), g.expr("int32", 1), g.expr(a.typ, 1))}
		}
	}
	return &node{text: fmt.Sprintf("%s = pass(t, %s, %s, (tid+%d)%%n, %s)", v, slice, own, g.n(20), g.expr(a.typ, 1))}
}

// warpStmt returns a warp operation of the lanes that are here.
func (g *gen) warpStmt(depth int) *node {
	typ := g.types[g.n(len(g.types))]
	if len(g.vars[typ]) == 0 {
		return nil
	}
	v := g.pick(g.vars[typ]...)
	switch g.n(6) {
	case 0:
		if !isFloat(typ) {
			return &node{text: fmt.Sprintf("%s = gocuda.Reduce%sSync(t, %s, %s)", v, g.pick("Add", "Min", "Max", "And", "Or", "Xor"), g.mask, g.expr(typ, 1))}
		}
	case 1:
		if !isFloat(typ) {
			return &node{text: fmt.Sprintf("%s ^= %s(t.BallotSync(%s, %s))", v, typ, g.mask, g.cond(1))}
		}
	case 2:
		if !isFloat(typ) {
			return &node{text: fmt.Sprintf("%s += %s(gocuda.MatchAnySync(t, %s, %s&3))", v, typ, g.mask, g.variable("int32"))}
		}
	case 3:
		if g.mask == "gocuda.FullMask" && !g.returns {
			op := g.pick("ShflXorSync 1 32", "ShflXorSync 5 16", "ShflUpSync 2 32", "ShflUpSync 1 8", "ShflSync 0 32", "ShflSync 3 4")
			f := strings.Fields(op)
			if f[0] == "ShflUpSync" { // its source exists also in a partial warp
				return &node{text: fmt.Sprintf("%s = gocuda.%s(t, %s, %s, %s, %s)", v, f[0], g.mask, g.expr(typ, 1), f[1], f[2])}
			}
			return &node{text: fmt.Sprintf("if n%%32 == 0 {\n%s = gocuda.%s(t, %s, %s, %s, %s)\n}", v, f[0], g.mask, g.expr(typ, 1), f[1], f[2])}
		}
	case 4:
		return &node{text: fmt.Sprintf("t.SyncWarp(%s)", g.mask)}
	case 5:
		if depth > 0 {
			c, m := g.name("c"), g.name("m")
			n := &node{text: fmt.Sprintf("{\n%s := %s\n%s := t.BallotSync(%s, %s)\n_ = %s\nif %s {", c, g.cond(2), m, g.mask, c, m, c)}
			mask := g.mask
			g.mask = m
			n.parts = []part{{g.inner(depth, false), "}\n}"}}
			g.mask = mask
			return n
		}
	}
	return nil
}
