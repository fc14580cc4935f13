package randkernel

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Plain kernels are small, and made of what programs for GPUs are made of: a guard, loops over
// arrays whose indices are sums of numbers of the thread and counters, sums and extremes, stages in
// shared memory, a tree that reduces them, strides of the grid. The compiler has a form of its own
// for each of these, which other random kernels, as full as they are, hardly ever get.

// A plainGen makes one plain kernel.
type plainGen struct {
	*gen
	k      *kernel
	sums   []variable // private, which statements change
	values []variable // that they only read
	counts []count    // counters of loops around, and other numbers that are indices
	shared []*stage
	inLoop int // loops around
	label  string
}

// A variable has a name and a type.
type variable struct{ name, typ string }

// A count is a number from 0 to most.
type count struct {
	name string
	most int
}

// A stage is an array in shared memory, of which a thread has the element tid.
type stage struct {
	variable
	reading bool
}

// longInput is the length of the inputs of plain kernels: any index that they make is in it.
const longInput = 160_000

// newPlain returns a random plain kernel.
func newPlain(r *rand.Rand, name string) *kernel {
	k := &kernel{name: name, long: true}
	g := &plainGen{k: k, gen: &gen{r: r, next: new(int), names: shuffled(r), inKernel: true}}
	g.types = [][]string{
		{"float32"}, {"float32"}, {"int32"}, {"int32"}, {"float32", "int32"}, {"float64"}, {"float64", "float32"}, {"int64"}, {"int64", "int32"},
		{"uint8", "int32"}, {"uint32"}, {"int16", "int32"}, {"uint64", "uint32"}, {"int8"}, {"float32", "int32", "uint8"},
	}[g.n(15)]
	k.planar = g.n(3) == 0
	k.image = k.planar && g.n(2) == 0
	var b strings.Builder
	fmt.Fprintf(&b, "//gocuda:kernel\nfunc %s(t *gocuda.Thread, %s) {\n", name, parameters)
	switch {
	case k.image:
		b.WriteString("cx, cy := t.GlobalX(), t.BlockIdx.Y*t.BlockDim.Y+t.ThreadIdx.Y\n" +
			"tid, n, block := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y, t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X\n" +
			"g := cy*t.GridDim.X*t.BlockDim.X + cx\n_, _ = cx, cy\n")
		g.counts = append(g.counts, count{"cx", 512}, count{"cy", 64}) // as shapes has them
	case k.planar:
		b.WriteString("tid, n, block := t.Rank(), t.BlockDim.Size(), t.GridDim.Linear(t.BlockIdx)\ng := block*n + tid\n")
	default:
		b.WriteString("tid, n, block := t.ThreadIdx.X, t.BlockDim.X, t.BlockIdx.X\n")
		b.WriteString(g.pick("g := t.GlobalX()\n", "g := block*n + tid\n"))
	}
	b.WriteString("_, _, _, _ = tid, n, block, g\n")
	g.counts = append(g.counts, count{"tid", 256}, count{"g", 1024}, count{"n", 256}, count{"block", 4}, count{"p0", 128})
	stages := 0
	if g.n(2) == 0 {
		stages = 1 + g.n(2)
	}
	if stages == 0 && g.n(4) == 0 {
		fmt.Fprintf(&b, "if %s {\nreturn\n}\n", g.pick("tid >= p0+1", "g >= p0*2+1", "tid > int(p1)", "int(p1) <= g"))
	}
	k.head = b.String()

	add := func(name, format string, args ...any) {
		k.decls = append(k.decls, decl{name, fmt.Sprintf(format, args...) + "\n_ = " + name + "\n"})
	}
	for i := range stages {
		s := &stage{variable: variable{fmt.Sprint("s", i), g.pick(g.types...)}}
		add(s.name, "%s := gocuda.Shared[%s](t, %s)\n%s[tid] = %s", s.name, s.typ, g.pick("1024", "n", "n+3"), s.name, g.load(s.typ))
		g.shared = append(g.shared, s)
	}
	for range 1 + g.n(3) {
		v := variable{g.name("v"), g.pick(g.types...)}
		first := fmt.Sprintf("%s(%d)", v.typ, g.n(3))
		if g.n(3) == 0 {
			first = g.load(v.typ)
		}
		add(v.name, "%s := %s", v.name, first)
		g.sums = append(g.sums, v)
	}
	for range 1 + g.n(3) {
		k.body = append(k.body, g.phase())
	}
	for _, v := range g.sums {
		out, typ := g.ownOutput(v.typ)
		k.foot = append(k.foot, &node{text: fmt.Sprintf("%s[g] %s %s", out, g.pick("=", "+=", "-="), g.conversion(typ, v.typ, v.name))})
	}
	for _, s := range g.shared {
		out, typ := g.ownOutput(s.typ)
		k.foot = append(k.foot, &node{text: fmt.Sprintf("%s[g] += %s", out, g.conversion(typ, s.typ, s.name+"[tid]"))})
	}
	return k
}

// ownOutput returns an output of which only the thread's own element is used, and its type: typ if
// there is one.
func (g *plainGen) ownOutput(typ string) (name, t string) {
	switch {
	case typ == "float32":
		return "out1", typ
	case isFloat(typ):
		return "out4", "float64"
	}
	return "out0", "int32"
}

// phase returns a statement of the kernel's top level.
func (g *plainGen) phase() *node {
	if len(g.shared) > 0 {
		s := g.shared[g.n(len(g.shared))]
		switch g.n(6) {
		case 0: // a stage
			v := g.sums[g.n(len(g.sums))]
			n := &node{text: fmt.Sprintf("%s[tid] = %s\nt.SyncThreads()", s.name, g.expr(s.typ, 2))}
			s.reading = true
			n.parts = []part{{[]*node{g.loop(), g.change(v)}, "t.SyncThreads()"}}
			s.reading = false
			return n
		case 1: // rounds of stages
			j := g.name("j")
			n := &node{text: fmt.Sprintf("for %s := 0; %s < %s; %s++ {\n%s[tid] = %s\nt.SyncThreads()", j, j, g.pick("2", "3", "p0%4", "5"), j, s.name, g.load(s.typ))}
			s.reading = true
			counts := g.counts
			g.counts = append(counts[:len(counts):len(counts)], count{j, 5})
			g.inLoop++
			n.parts = []part{{[]*node{g.loop()}, "t.SyncThreads()\n}"}}
			g.inLoop--
			g.counts = counts
			s.reading = false
			return n
		case 2: // a tree
			j := g.name("j")
			return &node{text: fmt.Sprintf("t.SyncThreads()\nfor %s := n / 2; %s > 0; %s /= 2 {\nif tid < %s {\n%s\n}\nt.SyncThreads()\n}",
				j, j, j, j, g.join(s.name+"[tid]", s.typ, fmt.Sprintf("%s[tid+%s]", s.name, j)))}
		case 3: // a scan
			j, x := g.name("j"), g.name("x")
			return &node{text: fmt.Sprintf("t.SyncThreads()\nfor %s := 1; %s < n; %s *= 2 {\n%s := %s(0)\nif tid >= %s {\n%s = %s[tid-%s]\n}\nt.SyncThreads()\n%s[tid] += %s\nt.SyncThreads()\n}",
				j, j, j, x, s.typ, j, x, s.name, j, s.name, x)}
		}
	}
	switch g.n(6) {
	case 0: // strides of the grid
		i := g.name("i")
		n := &node{text: fmt.Sprintf("for %s := g; %s < len(out3); %s += n * t.GridDim.X * t.GridDim.Y {", i, i, i)}
		counts := g.counts
		g.counts = append(counts[:len(counts):len(counts)], count{i, 4000})
		n.parts = []part{{[]*node{{text: fmt.Sprintf("out3[%s] = %s", i, g.conversion("int64", g.types[0], g.expr(g.types[0], 2)))}}, "}"}}
		g.counts = counts
		return n
	case 1: // a part of the block's
		i := g.name("i")
		n := &node{text: fmt.Sprintf("for %s := tid; %s < n*2+3; %s += n {", i, i, i)}
		counts := g.counts
		g.counts = append(counts[:len(counts):len(counts)], count{i, 600})
		n.parts = []part{{[]*node{{text: fmt.Sprintf("out2[block*(n*2+3)+%s] = %s", i, g.conversion("uint8", g.types[0], g.expr(g.types[0], 2)))}}, "}"}}
		g.counts = counts
		return n
	case 2: // a guard
		return &node{text: fmt.Sprintf("if %s {", g.guardOf()), parts: []part{{[]*node{g.loop()}, "}"}}, hoist: true}
	}
	return g.loop()
}

func (g *plainGen) guardOf() string {
	return g.pick("g < p0", "tid < n-1", "g < int(p1)", "tid > 0 && tid < n-1", "tid%2 == 0", "in2[g] > 60", "g*2 < 3*n", "tid >= 1")
}

// loop returns a loop, and what it does.
func (g *plainGen) loop() *node {
	j, label := g.name("j"), g.name("L")
	n := &node{label: label}
	most := 9
	kinds := 16
	if g.inLoop > 0 {
		kinds = 12 // shorter ones
	}
	switch g.n(kinds) {
	case 0, 1, 2:
		n.text = fmt.Sprintf("for %s := 0; %s < %d; %s++ {", j, j, 1+g.n(9), j)
	case 3:
		n.text = fmt.Sprintf("for %s := range %s {\n_ = %s", j, g.pick("3", "8", "p0%7", "4+p0%3"), j)
	case 4:
		n.text = fmt.Sprintf("for %s := %d; %s >= 0; %s-- {", j, g.n(9), j, j)
	case 5:
		n.text = fmt.Sprintf("for %s := 0; %s < %s; %s++ {", j, j, g.pick("tid%5", "int(in2[g]%7)", "int(in0[g]&7)", "min(tid, 6)", "g%3"), j)
	case 6:
		n.text = fmt.Sprintf("for %s := int(in2[g] %% 4); %s < %s; %s++ {", j, j, g.pick("8", "int(in2[g+1]%9)", "tid%10", "p0%8"), j)
	case 7:
		n.text = fmt.Sprintf("for %s := range %s {\n_ = %s", j, g.pick("int(in2[g]%6)", "tid%4", "int(uint8(in0[g+1])%5)"), j)
	case 8:
		n.text = fmt.Sprintf("for %s := 0; %s < 8; %s += %s {", j, j, j, g.pick("2", "3", "1+p0%3", "1+tid%3"))
	case 9:
		n.text = fmt.Sprintf("for %s := 8; %s > 0; %s %s {", j, j, j, g.pick("/= 2", "-= 2", ">>= 1"))
	case 10:
		n.text = fmt.Sprintf("for %s := tid; %s < n+20; %s += n/2 + 9 {", j, j, j)
		most = 300
	case 11:
		if len(g.counts) > 0 && g.inLoop > 0 { // a triangle
			c := g.counts[len(g.counts)-1]
			n.text = fmt.Sprintf("for %s := 0; %s <= min(%s, 8); %s++ {", j, j, c.name, j)
		} else {
			n.text = fmt.Sprintf("for %s := 1; %s < 300; %s *= 3 {", j, j, j)
			most = 300
		}
	case 12:
		n.text = fmt.Sprintf("for %s := 0; %s < %s; %s++ {", j, j, g.pick("n", "p0", "int(p1)", "n/4*4"), j)
		most = 256
	case 13:
		n.text = fmt.Sprintf("for %s := range %s {\n_ = %s", j, g.pick("n", "p0"), j)
		most = 256
	case 14:
		n.text = fmt.Sprintf("for %s := tid; %s < %s; %s += %s {", j, j, g.pick("p0", "n*3", "600"), j, g.pick("n", "n", "16", "33"))
		most = 768
	case 15:
		n.text = fmt.Sprintf("for %s := tid + 1; %s < n; %s++ {", j, j, j)
		most = 256
	}
	counts, values, outer := g.counts, g.values, g.label
	g.counts = append(counts[:len(counts):len(counts)], count{j, most})
	g.values = values[:len(values):len(values)]
	g.inLoop++
	g.label = label
	var list []*node
	for range 1 + g.n(3) {
		list = append(list, g.step(outer))
	}
	g.inLoop--
	n.parts = []part{{list, "}"}}
	g.counts, g.values, g.label = counts, values, outer
	return n
}

// step returns a statement in a loop; outer is the label of the loop around that, if there is one.
func (g *plainGen) step(outer string) *node {
	v := g.sums[g.n(len(g.sums))]
	switch g.n(14) {
	case 0, 1:
		if g.inLoop < 3 {
			return g.loop()
		}
	case 2:
		n := &node{text: fmt.Sprintf("if %s {", g.cond()), parts: []part{{[]*node{g.change(v)}, "}"}}, hoist: true}
		if g.n(3) == 0 {
			n.parts[0].after = "} else {"
			n.parts = append(n.parts, part{[]*node{g.change(g.sums[g.n(len(g.sums))])}, "}"})
		}
		return n
	case 3:
		word := g.pick("break", "continue")
		if outer != "" && g.n(4) == 0 {
			word += " " + outer
		}
		return &node{text: fmt.Sprintf("if %s {\n%s\n}", g.cond(), word)}
	case 4:
		x := variable{g.name("x"), g.pick(g.types...)}
		n := &node{text: fmt.Sprintf("%s := %s\n_ = %s", x.name, g.expr(x.typ, 2), x.name)}
		values := g.values
		g.values = append(values[:len(values):len(values)], x)
		n = &node{text: "{\n" + n.text, parts: []part{{[]*node{g.change(v), g.change(g.sums[g.n(len(g.sums))])}, "}"}}}
		g.values = values
		return n
	case 5:
		out, typ := g.ownOutput(v.typ)
		return &node{text: g.join(out+"[g]", typ, g.conversion(typ, v.typ, g.expr(v.typ, 1)))}
	case 6:
		if s := g.written(); s != nil {
			return &node{text: g.join(s.name+"[tid]", s.typ, g.expr(s.typ, 1))}
		}
	}
	return g.change(v)
}

// written returns a stage that is not being read, or nil.
func (g *plainGen) written() *stage {
	for _, s := range g.shared {
		if !s.reading {
			return s
		}
	}
	return nil
}

// change returns a statement that changes v.
func (g *plainGen) change(v variable) *node {
	switch g.n(6) {
	case 0:
		return &node{text: fmt.Sprintf("%s = %s", v.name, g.expr(v.typ, 2))}
	case 1:
		return &node{text: fmt.Sprintf("if x := %s; x %s %s {\n%s = x\n}", g.expr(v.typ, 2), g.pick("<", ">"), v.name, v.name)}
	}
	return &node{text: g.join(v.name, v.typ, g.expr(v.typ, 2))}
}

// join adds e to a variable or element of a type, or joins them otherwise.
func (g *plainGen) join(to, typ, e string) string {
	switch k := g.n(8); {
	case k == 0:
		return fmt.Sprintf("%s = %s(%s, %s)", to, g.pick("min", "max"), to, e)
	case k == 1 && !isFloat(typ):
		return fmt.Sprintf("%s %s %s", to, g.pick("^=", "|=", "&="), e)
	case k == 2:
		return fmt.Sprintf("%s -= %s", to, e)
	}
	return fmt.Sprintf("%s += %s", to, e)
}

func (g *plainGen) cond() string {
	switch g.n(5) {
	case 0:
		return g.guardOf()
	case 1:
		c := g.counts[len(g.counts)-1-g.n(min(2, len(g.counts)))]
		return fmt.Sprintf("%s %s %s", c.name, g.pick("<", ">", "==", "!=", ">="), g.pick("3", "tid", "5", "p0", "2"))
	}
	typ := g.pick(g.types...)
	return fmt.Sprintf("%s %s %s", g.expr(typ, 1), g.pick("<", ">", "==", ">="), g.operand(typ))
}

// operand returns an expression or a constant.
func (g *plainGen) operand(typ string) string {
	if g.n(2) == 0 {
		return g.constant(typ)
	}
	return g.expr(typ, 0)
}

// expr returns an expression of a type, at most so deep.
func (g *plainGen) expr(typ string, depth int) string {
	if depth <= 0 || g.n(4) == 0 {
		return g.leaf(typ)
	}
	a := g.expr(typ, depth-1)
	if isFloat(typ) {
		switch g.n(8) {
		case 0, 1:
			return fmt.Sprintf("(%s + %s)", a, g.operandAt(typ, depth))
		case 2:
			return fmt.Sprintf("(%s - %s)", a, g.operandAt(typ, depth))
		case 3, 4:
			return fmt.Sprintf("%s(%s * %s)", typ, a, g.operandAt(typ, depth))
		case 5:
			return fmt.Sprintf("%s(math.%s(float64(%s)))", typ, g.pick("Sqrt", "Abs", "Floor", "Exp"), a)
		}
		return a
	}
	switch g.n(10) {
	case 0, 1:
		return fmt.Sprintf("(%s + %s)", a, g.operandAt(typ, depth))
	case 2:
		return fmt.Sprintf("(%s - %s)", a, g.operandAt(typ, depth))
	case 3, 4:
		return fmt.Sprintf("%s * %s", a, g.operandAt(typ, depth))
	case 5:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("&", "|", "^"), g.operandAt(typ, depth))
	case 6:
		return fmt.Sprintf("(%s %s %d)", a, g.pick(">>", "<<"), 1+g.n(5))
	}
	return a
}

func (g *plainGen) operandAt(typ string, depth int) string {
	if g.n(4) == 0 {
		return g.constant(typ)
	}
	return g.expr(typ, depth-1)
}

// leaf returns something that is read.
func (g *plainGen) leaf(typ string) string {
	switch g.n(8) {
	case 0:
		v := g.sums[g.n(len(g.sums))]
		return g.conversion(typ, v.typ, v.name)
	case 1:
		if len(g.values) > 0 {
			v := g.values[g.n(len(g.values))]
			return g.conversion(typ, v.typ, v.name)
		}
	case 2:
		c := g.counts[g.n(len(g.counts))]
		return fmt.Sprintf("%s(%s)", typ, c.name)
	case 3, 4:
		for _, s := range g.shared {
			if s.reading {
				return g.conversion(typ, s.typ, fmt.Sprintf("%s[%s]", s.name, g.placeIn()))
			}
		}
	}
	return g.load(typ)
}

// placeIn returns an index below n.
func (g *plainGen) placeIn() string {
	c := g.counts[len(g.counts)-1]
	return g.pick("tid", "n-1-tid", "(tid+"+c.name+")%n", "min("+c.name+", n-1)", c.name+"%n", "0", "tid/2", "max(tid-1, 0)")
}

// load returns an element of an input.
func (g *plainGen) load(typ string) string {
	at := g.index()
	switch typ {
	case "int32":
		return "in0[" + at + "]"
	case "float32":
		return "in1[" + at + "]"
	case "float64":
		return "in4[" + at + "]"
	case "int64":
		return "in3[" + at + "]"
	case "uint8":
		return "in2[" + at + "]"
	}
	return fmt.Sprintf("%s(%s[%s])", typ, g.pick("in0", "in2", "in3"), at)
}

// index returns an index of an input: numbers of the thread and counters, multiplied and added.
func (g *plainGen) index() string {
	some := func() count { return g.counts[g.n(len(g.counts))] }
	last := g.counts[len(g.counts)-1]
	if g.inLoop == 0 || g.n(5) == 0 {
		last = some()
	}
	factor := func(c count) string {
		switch k := 2 + g.n(40); {
		case k < 10 && k*c.most < 20_000:
			return fmt.Sprintf("%s*%d", c.name, k)
		case k < 15 && c.most <= 300:
			return c.name + "*" + g.pick("n", "p0", "64")
		case k < 17:
			return fmt.Sprintf("(%s+%d)", c.name, g.n(20))
		}
		return c.name
	}
	switch g.n(12) {
	case 0:
		return "g"
	case 1:
		return last.name
	case 2, 3:
		return "g+" + factor(last)
	case 4:
		return factor(count{"g", 1024}) + "+" + last.name
	case 5:
		return factor(count{"tid", 256}) + "+" + factor(last)
	case 6:
		return fmt.Sprintf("%s+%s", factor(some()), factor(last))
	case 7:
		return fmt.Sprintf("%s+5000-%s", factor(some()), last.name)
	case 8:
		return fmt.Sprintf("(%s+%s)&%d", some().name, factor(last), 1<<g.n(11)-1)
	case 9:
		return fmt.Sprintf("int(in2[%s+%s])", some().name, last.name)
	case 10:
		return fmt.Sprintf("%s+int(in2[%s])", factor(last), some().name)
	}
	return fmt.Sprintf("%s+%s+%d", factor(last), some().name, g.n(30))
}
