package randkernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A gen makes one kernel, or one helper of it.
type gen struct {
	r     *rand.Rand
	next  *int      // for names that nobody else has
	names *[]string // that are left of those of generated code

	inKernel bool                // not in a helper: the thread's numbers, inputs and outputs are there
	returns  bool                // threads may return early
	warpOps  bool                // warp operations are allowed
	lean     bool                // few types, and statements that are easily translated
	types    []string            // of private variables
	vars     map[string][]string // private variables that may be assigned, by type
	uniform  []string            // of type int32, the same in all threads of the block
	counters []string            // of loops, which are only read
	// ucounters are the counters of loops that the block runs together.
	ucounters []string
	arrays    []*array
	pure      []pureHelper
	waiting   []*waitingHelper

	loops    []loop
	sections int    // that are open
	switches int    // that are open since the innermost loop began
	mask     string // the lanes that are here, if warp operations are allowed
}

// An array is memory that the block shares. Either it is written, each element by its owner, or
// read, by all; a barrier stands between.
type array struct {
	name, typ string
	own       string // index of the thread's own element
	base      string // of the block, in global memory
	counter   string // the atomic operation that changes it; such an array has 8 elements and no owners
	reading   bool
}

func (a *array) at(index string) string { return a.base + index }

type loop struct {
	label    string
	uniform  bool // run by the whole block
	sections int  // that were open when it began
}

// A pureHelper is a function of its arguments only.
type pureHelper struct {
	name, result string
	params       []string
}

// A waitingHelper is a function with barriers.
type waitingHelper struct{ name, typ string }

func (g *gen) n(k int) int                   { return g.r.IntN(k) }
func (g *gen) pick(options ...string) string { return options[g.n(len(options))] }

// generated are names that the compiler's code has for its own variables, functions and packages,
// so far as no kernel needs them. A user may have any of them.
const generated = "b p lo hi tx row rows from to end start many nth part done state half mask vec all at by column dimX dimY dimZ " +
	"sizeX originX blockX blockY gridX atX ranks rank each first left line mb mc me minus mr mt num rest same still total z before count " +
	"fits last least most next read round run sums tiles vector votes i sum lane warp ok err m cap copy clear append make new panic " +
	"print string uint uintptr any rune nil true real fmt unsafe slices runtime errors grid kernel forms blocks e w"

// name returns a name that the kernel does not have yet, sometimes one of generated code.
func (g *gen) name(prefix string) string {
	if left := *g.names; len(left) > 0 && len(prefix) == 1 && g.n(2) == 0 {
		*g.names = left[1:]
		return left[0]
	}
	*g.next++
	return fmt.Sprint(prefix, *g.next)
}

// shuffled returns the names of generated code in a random order.
func shuffled(r *rand.Rand) *[]string {
	names := strings.Fields(generated)
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return &names
}

// arrayOf returns an array that is being read, if reading, or else one of which the thread has an
// element; nil if there is none.
func (g *gen) arrayOf(reading bool) *array {
	var fit []*array
	for _, a := range g.arrays {
		if reading && a.reading || !reading && a.counter == "" {
			fit = append(fit, a)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	return fit[g.n(len(fit))]
}

// writable returns an array that may be written now, or nil.
func (g *gen) writable(counter bool) *array {
	var fit []*array
	for _, a := range g.arrays {
		if !a.reading && (a.counter != "") == counter {
			fit = append(fit, a)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	return fit[g.n(len(fit))]
}

// place returns the index of any element of a.
func (g *gen) place(a *array) string {
	e := fmt.Sprintf("uint32(%s)", g.variable("int32"))
	if a.counter != "" {
		return e + "%8"
	}
	switch g.n(5) {
	case 0:
		return a.at(fmt.Sprintf("(tid+%d)%%n", 1+g.n(40)))
	case 1:
		return a.at("n-1-tid")
	case 2:
		return a.at(fmt.Sprintf("(tid^%d)%%n", 1<<g.n(6)))
	}
	return a.at(fmt.Sprintf("int(%s%%uint32(n))", e))
}

// newKernel returns a random kernel.
func newKernel(r *rand.Rand, name string) *kernel {
	k := &kernel{name: name}
	g := &gen{r: r, next: new(int), names: shuffled(r), inKernel: true, vars: map[string][]string{}, types: types}
	k.planar = g.n(3) == 0
	g.returns = g.n(3) == 0
	g.warpOps = g.n(4) == 0
	k.warps = g.warpOps && !g.returns && g.n(2) == 0
	count, depth := 4+g.n(5), 3
	if g.n(2) == 0 {
		// What a kernel does with numbers matters more here than what it is made of.
		g.lean = true
		g.types = [][]string{
			{"int32", "float32"}, {"int32", "uint32"}, {"float32", "int32", "float32"}, {"int32", "int64"},
			{"int32", "float64", "float32"}, {"int32", "uint8", "uint32"}, {"int32", "uint64", "uint32"}, {"int32", "int16"},
		}[g.n(8)]
		count, depth = 2+g.n(4), 1+g.n(3)
	}

	helpers := 3
	if g.lean {
		helpers = 2
	}
	for range g.n(helpers) {
		k.helpers = append(k.helpers, g.newPure(name))
	}

	var b strings.Builder
	fmt.Fprintf(&b, "//gocuda:kernel\nfunc %s(t *gocuda.Thread, %s) {\n", name, parameters)
	if k.planar {
		if g.n(2) == 0 {
			b.WriteString("tid, n, block := t.Rank(), t.BlockDim.Size(), t.GridDim.Linear(t.BlockIdx)\n")
		} else {
			b.WriteString("n := t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z\n" +
				"tid := (t.ThreadIdx.Z*t.BlockDim.Y+t.ThreadIdx.Y)*t.BlockDim.X + t.ThreadIdx.X\n" +
				"block := (t.BlockIdx.Z*t.GridDim.Y+t.BlockIdx.Y)*t.GridDim.X + t.BlockIdx.X\n")
		}
	} else {
		b.WriteString("tid, n, block := t.ThreadIdx.X, t.BlockDim.X, t.BlockIdx.X\n")
	}
	b.WriteString("base := block * n\n")
	if !k.planar && g.n(2) == 0 {
		b.WriteString("g := t.GlobalX()\n")
	} else {
		b.WriteString("g := base + tid\n")
	}
	b.WriteString("_, _ = base, g\n")
	k.head = b.String()
	k.decls = g.declare()

	for range g.n(helpers) {
		if h := g.newWaiting(name); h != nil {
			k.helpers = append(k.helpers, h)
		}
	}
	if g.warpOps {
		g.mask = "gocuda.FullMask"
	}
	k.body = g.list(depth, true, count)

	for _, typ := range types {
		for _, v := range g.vars[typ] {
			out, t := g.output(typ)
			k.foot = append(k.foot, &node{text: fmt.Sprintf("%s[g] += %s", out, g.conversion(t, typ, v))})
		}
		delete(g.vars, typ) // once
	}
	if !g.lean {
		k.foot = append(k.foot,
			&node{text: "for i, x := range h {\nout0[g] = out0[g]*3 + x ^ int32(i)\n}"},
			&node{text: "out0[g] ^= r.a + int32(r.d[0]) + r.sum()\nout1[g] += r.b"})
	}
	for _, u := range g.uniform {
		k.foot = append(k.foot, &node{text: "out3[g] += int64(" + u + ")"})
	}
	for i, a := range g.arrays {
		if a.counter == "" {
			k.foot = append(k.foot, &node{text: fmt.Sprintf("out4[g] -= float64(%s[%s])", a.name, a.own)})
		} else {
			k.foot = append(k.foot, &node{text: fmt.Sprintf("t.SyncThreads()\nif tid < 8 {\ncounters[block*16+tid] += uint32(%s[tid]) << %d\n}", a.name, i)})
		}
	}
	return k
}

// output returns an output and its type: one of the given type if the kernel is lean and there is one.
func (g *gen) output(typ string) (name, t string) {
	outputs := []string{"int32", "float32", "uint8", "int64", "float64"}
	i := g.n(len(outputs))
	if k := slices.Index(outputs, typ); k >= 0 && g.lean {
		i = k
	}
	return fmt.Sprint("out", i), outputs[i]
}

// declare returns the declarations of a kernel: shared arrays, private variables.
func (g *gen) declare() (decls []decl) {
	add := func(name, format string, args ...any) {
		text := fmt.Sprintf(format, args...) + "\n"
		decls = append(decls, decl{name, text + "_ = " + name + "\n"})
	}
	for i := range 1 + g.n(3) {
		a := &array{name: fmt.Sprint("s", i), typ: g.pick("int32", "int32", "float32", "uint8", "int64", "float64", "uint16")}
		if g.lean {
			a.typ = g.pick(g.types...)
		}
		add(a.name, "%s := gocuda.Shared[%s](t, %s)\n%s", a.name, a.typ, g.pick("1024", "n", "n+5"), g.owned(a))
	}
	if g.n(2) == 0 {
		a := &array{name: "scratch0", typ: "int32", base: "base+"}
		if g.n(2) == 0 {
			a.name, a.typ = "scratch1", "float64"
		}
		add(a.name, "%s", g.owned(a))
	}
	if g.n(2) == 0 {
		a := &array{name: "c0", typ: g.pick("int32", "uint32", "int64"), counter: g.pick("Add", "Add", "Max", "Or", "Xor", "Sub", "Min", "And")}
		add(a.name, "%s := gocuda.Shared[%s](t, 8)\nfor k := tid; k < 8; k += n {\nc0[k] = %s(k)\n}\nt.SyncThreads()", a.name, a.typ, a.typ)
		g.arrays = append(g.arrays, a)
	}
	own := g.types
	if !g.lean {
		own = own[:5+g.n(len(own)-5)]
	}
	for i, typ := range own {
		v := fmt.Sprint("v", i)
		add(v, "%s := %s", v, g.input(typ, "g"))
		g.vars[typ] = append(g.vars[typ], v)
	}
	add("q0", "q0 := in0[g] > 0")
	add("q1", "q1 := tid%%3 == 1")
	add("u0", "u0 := p1")
	add("u1", "u1 := int32(block)")
	if !g.lean {
		add("h", "var h [8]int32")
		add("r", "r := record{a: in0[g], c: in2[g]}")
	}
	g.vars["bool"] = []string{"q0", "q1"}
	g.uniform = []string{"u0", "u1"}
	return decls
}

// owned chooses who owns the elements of a, and returns the first contents.
func (g *gen) owned(a *array) (text string) {
	own := "own" + strings.ToUpper(a.name[:1]) + a.name[1:]
	switch g.n(3) {
	case 0:
		a.own = a.at("tid")
	case 1:
		text = fmt.Sprintf("%s := (tid + %d) %% n\n", own, 1+g.n(9))
		a.own = a.at(own)
	case 2:
		text = fmt.Sprintf("%s := n - 1 - tid\n", own)
		a.own = a.at(own)
	}
	g.arrays = append(g.arrays, a)
	return text + fmt.Sprintf("%s[%s] = %s(tid)", a.name, a.own, a.typ)
}

// newPure makes a helper without barriers.
func (g *gen) newPure(kernel string) *helper {
	p := pureHelper{name: g.name(kernel + "f"), result: types[g.n(5)]}
	sub := &gen{r: g.r, next: g.next, names: g.names, vars: map[string][]string{}, pure: g.pure, types: types, lean: g.lean}
	var params []string
	for i := range 1 + g.n(3) {
		typ := types[g.n(6)]
		p.params = append(p.params, typ)
		params = append(params, fmt.Sprintf("a%d %s", i, typ))
		sub.vars[typ] = append(sub.vars[typ], fmt.Sprint("a", i))
	}
	h := &helper{name: p.name}
	h.head = fmt.Sprintf("func %s(%s) %s {\nvar w0 int32\nvar w1 %s\n_, _ = w0, w1\n", p.name, strings.Join(params, ", "), p.result, p.result)
	sub.vars["int32"] = append(sub.vars["int32"], "w0")
	sub.vars[p.result] = append(sub.vars[p.result], "w1")
	h.body = sub.list(2, false, 2+g.n(3))
	if g.n(2) == 0 {
		h.body = append(h.body, &node{text: fmt.Sprintf("if %s {\nreturn %s\n}", sub.cond(1), sub.expr(p.result, 1))})
		h.body = append(h.body, sub.list(1, false, 1)...)
	}
	h.foot = fmt.Sprintf("return %s\n}\n\n", sub.expr(p.result, 2))
	g.pure = append(g.pure, p)
	return h
}

// newWaiting makes a helper with barriers, which gets an array of which each thread has an element.
func (g *gen) newWaiting(kernel string) *helper {
	a := g.arrayOf(false)
	if a == nil {
		return nil
	}
	w := &waitingHelper{name: g.name(kernel + "w"), typ: a.typ}
	sub := &gen{r: g.r, next: g.next, names: g.names, pure: g.pure, types: types, lean: g.lean, uniform: []string{"u"}, arrays: []*array{{name: "s", typ: a.typ, own: "own"}}}
	sub.vars = map[string][]string{"int32": {"x"}, a.typ: {"v"}}
	if a.typ == "int32" {
		sub.vars["int32"] = []string{"x", "v"}
	}
	h := &helper{name: w.name}
	h.head = fmt.Sprintf("func %s(t *gocuda.Thread, tid, n, block, p0 int, p1 int32, in0 []int32, s []%s, own int, u, x int32, v %s) %s {\n", w.name, a.typ, a.typ, a.typ)
	h.body = sub.list(2, true, 2+g.n(3))
	if g.n(2) == 0 {
		h.body = append(h.body, &node{text: fmt.Sprintf("if %s {\nreturn %s\n}", sub.ucond(1), sub.expr(a.typ, 1))})
		h.body = append(h.body, sub.list(2, true, 1)...)
	}
	h.foot = fmt.Sprintf("return %s\n}\n\n", sub.expr(a.typ, 1))
	g.waiting = append(g.waiting, w)
	return h
}
