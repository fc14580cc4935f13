package randkernel

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Small kernels compute with integers of 8 and 16 bits and with bools. Their temporaries may be wider,
// as Go's int is, and often need no more bits than the elements have. They run on slices that end at
// a page which nobody may touch, with parameters in and far out of the range of their elements.

// A smallGen makes one small kernel.
type smallGen struct {
	*gen
	k        *kernel
	elements []string            // types of the elements
	work     []string            // types that it computes with
	private  map[string][]string // variables, by type
	loaded   []string            // indices of inputs
	own      string              // index of the thread's own elements of the outputs
	flat     bool                // two dimensions: x and y are there
	inside   bool                // not at an edge of the plane: all neighbours are there
	shared   string              // element type of the shared array; empty if there is none
	reading  bool                // the shared array is read
	alone    bool                // the thread has elements of its own, and may return
}

// smallInputs and smallOutputs are the slices of each type of element.
var (
	smallInputs  = map[string][]string{"uint8": {"a0", "a1", "a2"}, "int8": {"c0", "c1"}, "uint16": {"e0", "e1"}, "int16": {"g0", "g1"}, "bool": {"q0"}}
	smallOutputs = map[string]string{"uint8": "outA", "int8": "outC", "uint16": "outE", "int16": "outG", "bool": "outQ"}
)

// smallBounds are the smallest and the largest numbers of a type, so far as constants go.
var smallBounds = map[string][2]int{
	"uint8": {0, 255}, "int8": {-128, 127}, "uint16": {0, 65535}, "int16": {-32768, 32767},
	"int": {-1 << 31, 1<<31 - 1}, "int32": {-1 << 31, 1<<31 - 1}, "uint32": {0, 1<<31 - 1},
}

// randomSmall returns random small kernels, named k0, k1, and so on.
func randomSmall(seed uint64, kernels int) []*kernel {
	ks := make([]*kernel, kernels)
	for i := range ks {
		ks[i] = newSmall(rand.New(rand.NewPCG(seed, uint64(i)+1<<32)), fmt.Sprint("k", i))
	}
	return ks
}

// newSmall returns a random small kernel.
func newSmall(r *rand.Rand, name string) *kernel {
	k := &kernel{name: name, small: &smallSizes{times: 1, stores: 1}}
	g := &smallGen{k: k, gen: &gen{r: r, next: new(int), names: new([]string)}, private: map[string][]string{}, own: "i", alone: true}
	g.elements = [][]string{
		{"uint8"}, {"uint8"}, {"uint8"}, {"int8"}, {"int8"}, {"uint16"}, {"int16"}, {"uint8", "bool"}, {"int8", "uint8"}, {"uint8", "uint16"},
		{"int16", "uint8"}, {"uint16", "int16"}, {"int8", "bool"}, {"uint8", "int8", "bool"}, {"int16", "bool"}, {"int8", "int16"},
	}[g.n(16)]
	for _, typ := range g.elements {
		if typ != "bool" {
			g.work = append(g.work, typ)
		}
	}
	g.lean = g.n(3) == 0
	switch g.n(6) {
	case 0, 1:
		g.work = append(g.work, "int")
	case 2:
		g.work = append(g.work, "int32")
	case 3:
		g.work = append(g.work, g.pick("int16", "uint16", "uint32"))
	case 4:
		g.work = append(g.work, g.pick("int8", "uint8"), g.pick("int", "int32", "uint32"))
	}

	var b strings.Builder
	fmt.Fprintf(&b, "//gocuda:kernel\nfunc %s(t *gocuda.Thread, %s) {\n", name, smallParameters)
	form := g.n(10)
	switch form {
	default:
		b.WriteString("i := t.GlobalX()\nif i >= n {\nreturn\n}\n")
	case 3, 4:
		g.flat, k.planar = true, true
		b.WriteString("x, y := t.GlobalX(), t.GlobalY()\nif x >= w || y >= h {\nreturn\n}\ni := y*w + x\n")
	case 5: // a grid-stride loop
		b.WriteString("for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {\n")
		g.alone = false
	case 6: // a row for each block
		g.flat = true
		b.WriteString("for y := t.BlockIdx.X; y < h; y += t.GridDim.X {\nfor x := t.ThreadIdx.X; x < w; x += t.BlockDim.X {\ni := y*w + x\n")
		g.alone = false
	case 7: // a row for each thread
		g.flat = true
		b.WriteString("y := t.GlobalX()\nif y >= h {\nreturn\n}\nfor x := range w {\ni := y*w + x\n")
		g.alone = false
	case 8, 9:
		g.shared, g.alone = g.elements[0], false
		b.WriteString("tid, m := t.ThreadIdx.X, t.BlockDim.X\ni := min(t.GlobalX(), n-1)\n")
		fmt.Fprintf(&b, "s := gocuda.Shared[%s](t, %s)\n_, _, _ = tid, m, s\n", g.shared, g.pick("1024", "m"))
	}
	g.indices(form)
	k.head = b.String()

	variables, statements := 1+g.n(3), g.n(4)
	if g.lean {
		variables, statements = 1, 1+g.n(2)
	}
	for range variables {
		typ := g.work[g.n(len(g.work))]
		if g.lean {
			typ = g.work[len(g.work)-1]
		}
		v := g.name("v")
		first := g.expr(typ, 1+g.n(2))
		k.decls = append(k.decls, decl{v, fmt.Sprintf("%s := %s\n_ = %s\n", v, first, v)})
		g.private[typ] = append(g.private[typ], v)
	}
	if g.n(3) == 0 {
		q := g.name("q")
		k.decls = append(k.decls, decl{q, fmt.Sprintf("%s := %s\n_ = %s\n", q, g.cond(1), q)})
		g.private["bool"] = append(g.private["bool"], q)
	}
	if g.shared != "" {
		k.decls = append(k.decls, decl{"s", "s[tid] = " + g.value(g.shared, 1) + "\nt.SyncThreads()\n"})
		for range 1 + g.n(3) {
			k.body = append(k.body, g.stage())
		}
	} else {
		if g.flat && g.n(2) == 0 {
			k.body = append(k.body, g.edge())
		}
		for range statements {
			k.body = append(k.body, g.stmt(2))
		}
	}
	end := ""
	if g.shared != "" {
		end = "if t.GlobalX() < n {\n"
	}
	k.foot = append(k.foot, &node{text: end})
	for _, typ := range g.elements {
		k.foot = append(k.foot, g.store(typ))
	}
	for _, typ := range g.work {
		for _, v := range g.private[typ] {
			to := g.pick(g.work...)
			if smallOutputs[to] == "" {
				to = g.work[0]
			}
			k.foot = append(k.foot, &node{text: fmt.Sprintf("%s[%s] %s %s", smallOutputs[to], g.own, g.pick("+=", "^=", "-="), g.convert(to, typ, v))})
		}
	}
	switch form {
	case 5, 7:
		end = "}"
	case 6, 8, 9:
		end = "}"
		if form == 6 {
			end = "}\n}"
		}
	default:
		end = ""
	}
	k.end = end + "\n"
	return k
}

// indices chooses how inputs and outputs are accessed, and what lengths they need for it.
func (g *smallGen) indices(form int) {
	s := g.k.small
	g.loaded = []string{"i"}
	for g.n(3) == 0 {
		switch g.n(8) {
		case 0, 1:
			c := 1 + g.n(5)
			s.more = max(s.more, c)
			g.loaded = append(g.loaded, fmt.Sprintf("i+%d", c))
		case 2:
			g.loaded = append(g.loaded, "n-1-i")
		case 3, 4, 5:
			times := 2 + g.n(3)
			s.times = max(s.times, times)
			for c := range times {
				if g.n(2) == 0 {
					s.more = max(s.more, c)
					g.loaded = append(g.loaded, fmt.Sprintf("%d*i+%d", times, c))
				}
			}
		case 6:
			g.loaded = append(g.loaded, g.pick("i/2", "i/4", "max(i-1, 0)", "min(i+1, n-1)", "(i+3)%n"))
		case 7:
			g.loaded = append(g.loaded, g.pick("0", "n/2"))
		}
	}
	switch g.n(12) {
	case 0:
		g.own = "n-1-i"
	case 1, 2:
		s.stores = 2 + g.n(3)
		g.own = fmt.Sprintf("%d*i+%d", s.stores, g.n(s.stores))
	}
	if g.n(4) == 0 {
		s.rounds = true // loops over as many elements as a parameter says
	}
}

// value is expr for all types of elements.
func (g *smallGen) value(typ string, depth int) string {
	if typ == "bool" {
		return g.cond(depth)
	}
	return g.expr(typ, depth)
}

// store returns a store of the thread's own element.
func (g *smallGen) store(typ string) *node {
	out := smallOutputs[typ]
	if typ == "bool" {
		return &node{text: fmt.Sprintf("%s[%s] = %s", out, g.own, g.cond(2))}
	}
	if names := g.private[g.work[len(g.work)-1]]; g.lean && len(names) > 0 {
		return &node{text: fmt.Sprintf("%s[%s] = %s", out, g.own, g.convert(typ, g.work[len(g.work)-1], names[0]))}
	}
	op := "="
	if g.n(4) == 0 {
		op = g.pick("+=", "-=", "^=", "*=", "|=", "&=")
	}
	return &node{text: fmt.Sprintf("%s[%s] %s %s", out, g.own, op, g.expr(typ, 3))}
}

// edge returns a statement that treats the edges of the plane, or what is not at the edge, apart.
func (g *smallGen) edge() *node {
	g.inside = true
	defer func() { g.inside = false }()
	inside := []*node{g.stmt(1), g.store(g.elements[0])}
	g.inside = false
	if g.alone && g.n(2) == 0 {
		n := &node{text: "if x == 0 || y == 0 || x == w-1 || y == h-1 {\n" + g.store(g.elements[0]).text + "\nreturn\n}"}
		n.parts = []part{{nil, ""}}
		// What follows may be left out, but not moved: the neighbours are there only behind the return.
		n.parts[0].list = inside
		return n
	}
	cond := g.pick("x > 0 && y > 0 && x < w-1 && y < h-1", "!(x == 0 || y == 0 || x == w-1 || y == h-1)", "x >= 1 && x+1 < w && y >= 1 && y+1 < h")
	n := &node{text: "if " + cond + " {", parts: []part{{inside, "}"}}}
	if g.n(2) == 0 {
		n.parts[0].after = "} else {"
		n.parts = append(n.parts, part{[]*node{g.stmt(1)}, "}"})
	}
	return n
}

// stage returns statements between barriers, which share an array.
func (g *smallGen) stage() *node {
	switch g.n(5) {
	case 0: // a tree
		if g.shared != "bool" {
			j := g.name("j")
			join := g.pick("s[tid] += s[tid+%[1]s]", "s[tid] = max(s[tid], s[tid+%[1]s])", "s[tid] = min(s[tid], s[tid+%[1]s])", "s[tid] ^= s[tid+%[1]s]")
			return &node{text: fmt.Sprintf("for %[1]s := m / 2; %[1]s > 0; %[1]s /= 2 {\nif tid < %[1]s {\n"+join+"\n}\nt.SyncThreads()\n}", j)}
		}
	case 1: // rounds
		j := g.name("j")
		n := &node{text: fmt.Sprintf("for %s := range %s {\n_ = %s\nt.SyncThreads()", j, g.pick("2", "3", "min(rounds, 5)"), j)}
		n.parts = []part{{[]*node{{text: "s[tid] = " + g.value(g.shared, 2)}}, "t.SyncThreads()"}, {nil, "t.SyncThreads()\n}"}}
		g.reading = true
		n.parts[1].list = []*node{g.stmt(1)}
		g.reading = false
		return n
	}
	g.reading = true
	list := []*node{g.stmt(2)}
	if g.n(2) == 0 {
		list = append(list, g.stmt(1))
	}
	g.reading = false
	n := &node{text: "t.SyncThreads()", parts: []part{{list, "t.SyncThreads()"}, {nil, "t.SyncThreads()"}}}
	n.parts[1].list = []*node{{text: "s[tid] = " + g.value(g.shared, 2)}}
	return n
}

// variableOf returns a private variable and its type.
func (g *smallGen) variableOf() (name, typ string) {
	for range 20 {
		typ = g.work[g.n(len(g.work))]
		if names := g.private[typ]; len(names) > 0 {
			return g.pick(names...), typ
		}
	}
	for _, typ := range g.work {
		if names := g.private[typ]; len(names) > 0 {
			return names[0], typ
		}
	}
	panic("a kernel has a variable")
}

// stmt returns a random statement.
func (g *smallGen) stmt(depth int) *node {
	v, typ := g.variableOf()
	switch g.n(14) {
	case 0, 1, 2:
		return &node{text: fmt.Sprintf("%s = %s", v, g.expr(typ, 3))}
	case 3:
		return &node{text: fmt.Sprintf("%s %s %s", v, g.pick("+=", "-=", "*=", "^=", "|=", "&="), g.operand(typ, 2))}
	case 4:
		if depth > 0 && g.alone && !g.inside {
			return &node{text: fmt.Sprintf("if %s {", g.cond(1)), parts: []part{{[]*node{g.store(g.elements[0])}, "return\n}"}}}
		}
	case 5, 6:
		if depth > 0 {
			n := &node{text: fmt.Sprintf("if %s {", g.cond(2)), parts: []part{{[]*node{g.stmt(depth - 1)}, "}"}}, hoist: true}
			if g.n(2) == 0 {
				n.parts[0].after = "} else {"
				n.parts = append(n.parts, part{[]*node{g.stmt(depth - 1)}, "}"})
			}
			return n
		}
	case 7:
		if depth > 0 && len(g.counters) < 2 {
			return g.loop(depth)
		}
	case 8: // the distance
		return &node{text: fmt.Sprintf("if %s < 0 {\n%s = -%s\n}", v, v, v)}
	case 9:
		if g.shared == "" {
			return g.store(g.elements[g.n(len(g.elements))])
		}
	case 10:
		if qs := g.private["bool"]; len(qs) > 0 {
			return &node{text: fmt.Sprintf("%s = %s", qs[0], g.cond(2))}
		}
	case 11:
		d := g.expr(typ, 1)
		if d != "" {
			x := g.name("d")
			return &node{text: fmt.Sprintf("if %s := %s; %s != 0 {\n%s %s %s\n}", x, d, x, v, g.pick("/=", "%="), x)}
		}
	case 12:
		return &node{text: fmt.Sprintf("switch {\ncase %s:\n%s = %s\ncase %s:\n%s = %s\ndefault:\n%s++\n}",
			g.cond(1), v, g.expr(typ, 1), g.cond(1), v, g.expr(typ, 2), v)}
	}
	return &node{text: fmt.Sprintf("%s %s %s", v, g.pick("+=", "-=", "="), g.expr(typ, 2))}
}

// loop returns a loop, often a sum or a count.
func (g *smallGen) loop(depth int) *node {
	j := g.name("j")
	count := g.pick("3", "4", "9", "17", "rounds", "rounds", "rounds", "int(p3 % 7)", "min(max(p0, 0), 12)")
	if g.n(6) == 0 {
		count = g.convert("int", g.work[0], g.load(g.work[0])) + "&7"
	}
	n := &node{text: fmt.Sprintf("for %s := range %s {\n_ = %s", j, count, j)}
	g.counters = append(g.counters, j)
	loaded := g.loaded
	if g.k.small.rounds && !g.inside && count == "rounds" {
		g.loaded = append(loaded[:len(loaded):len(loaded)], "i+"+j, "i+"+j)
	}
	v, typ := g.variableOf()
	body := &node{text: fmt.Sprintf("%s += %s", v, g.expr(typ, 1+g.n(2)))}
	if g.n(3) == 0 {
		body = &node{text: fmt.Sprintf("if %s {\n%s++\n}", g.cond(1), v)}
	}
	n.parts = []part{{[]*node{body}, "}"}}
	if g.n(3) == 0 && depth > 1 {
		alone := g.alone
		g.alone = false
		n.parts[0].list = append(n.parts[0].list, g.stmt(depth-2))
		g.alone = alone
	}
	if g.n(6) == 0 {
		n.parts[0].list = append(n.parts[0].list, &node{text: fmt.Sprintf("if %s {\n%s\n}", g.cond(1), g.pick("break", "continue"))})
	}
	g.loaded = loaded
	g.counters = g.counters[:len(g.counters)-1]
	return n
}
