package randkernel

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Language kernels aim at where Go the language meets the compiler: calls with results and side
// effects in lists, pointers into memory whose index changes later, slices of slices, generic and
// variadic helpers, conversions, and names that hide others. Each thread works on private variables
// and its own outputs. Where Go leaves an order of evaluation open, the source form decides, as the
// Go compiler builds it.

// A langGen makes one language kernel, or one helper of it.
type langGen struct {
	*gen
	k       *kernel
	hidden  map[string]bool     // predeclared names that are variables here
	param   string              // name of the type parameter, whose type is called T here
	integer bool                // T is an integer
	own     []string            // the types of this kernel
	scalars map[string][]string // variables that may be assigned, by type
	reads   []variable          // variables that are only read
	ptrs    []variable          // pointers, never nil, with the type of what they lead to
	lists   []variable          // arrays and slices of 8 elements, with the type of these
	records []string            // arrays and slices of 4 points
	points  []string            // pointers to points, and variables of that type
	tails   []variable          // slices of unknown length
	funcs   *[]langFunc
	local   []langFunc // closures
	waits   bool       // the kernel has barriers
	wait    bool       // barriers are allowed here
	helper  bool
	result  []string // of the helper
	nest    int      // loops around
	outer   []string // labels of loops around
}

// A langFunc is a helper or a closure.
type langFunc struct {
	name    string
	params  []langParam
	results []string
	generic bool
	integer bool // its type parameter
}

// A langParam is a parameter: v for a value, p a pointer, s a slice of 8 elements, r a point, m any
// number of values.
type langParam struct {
	kind byte
	typ  string
}

var langTypes = []string{"int32", "uint8", "float32", "int", "int64", "uint32", "int16", "float64", "int8", "uint64", "uint16", "uint", "level", "celsius"}

// replaced are the predeclared names that language kernels use; where a variable hides one, the
// kernel uses what the prologue calls by another name.
var replaced = strings.Fields("int int32 uint8 float32 int64 uint32 int16 float64 int8 uint64 uint16 uint bool len min max append copy nil")

// langNames are names that say something else to Go or to the compiler.
const langNames = generated + " true false iota len int int32 uint8 float32 int64 float64 bool min max append nil close delete complex imag " +
	"string error comparable byte recover println atX atY blockY c d f g2 j k n2 x y N over size mark own stop flag key value " +
	"größe é λ 変数 naïve Ω ñu tξd"

// declared are such names that the prologue declares for the package, so no variable of a language
// kernel hides them.
var declared = strings.Fields("rank lo first part loop")

func newLanguage(r *rand.Rand, name string) *kernel {
	k := &kernel{name: name}
	pool := strings.Fields(langNames)
	slices.Sort(pool)
	pool = slices.DeleteFunc(slices.Compact(pool), func(n string) bool { return slices.Contains(declared, n) })
	g := &langGen{k: k, gen: &gen{r: r, next: new(int), names: &pool, inKernel: true}, hidden: map[string]bool{}, scalars: map[string][]string{}, funcs: new([]langFunc)}
	for _, n := range replaced {
		g.hidden[n] = g.n(5) == 0
	}
	pool = slices.DeleteFunc(pool, func(n string) bool { return n == "unsafe" || slices.Contains(replaced, n) && !g.hidden[n] })
	r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	k.planar = g.n(5) == 0
	g.waits = g.n(4) == 0
	g.wait = g.waits
	types := slices.Clone(langTypes)
	r.Shuffle(len(types), func(i, j int) { types[i], types[j] = types[j], types[i] })
	g.own = types[:2+g.n(4)]
	if !slices.Contains(g.own, "int32") && g.n(2) == 0 {
		g.own[0] = "int32"
	}
	for range 1 + g.n(3) {
		k.helpers = append(k.helpers, g.newFunc())
	}
	k.head = fmt.Sprintf("//gocuda:kernel\nfunc %s(t *gocuda.Thread, %s) {\n", name, parameters) +
		"tid, n, block := t.Rank(), t.BlockDim.Size(), t.GridDim.Linear(t.BlockIdx)\ng := block*n + tid\n_, _, _, _ = tid, n, block, g\n"
	g.declareAll()
	if g.wait {
		k.decls = append(k.decls, decl{"s0", fmt.Sprintf("s0 := gocuda.Shared[%s](t, 1024)\n_ = s0\n", g.t(g.own[0]))})
	}
	k.body = g.many(2+g.n(2), 3+g.n(5))
	for _, typ := range append(slices.Clone(g.own), "int", "bool") {
		for _, v := range slices.Compact(slices.Sorted(slices.Values(g.scalars[typ]))) {
			k.foot = append(k.foot, &node{text: g.note(typ, v)})
		}
		delete(g.scalars, typ)
	}
	for _, a := range g.lists {
		k.foot = append(k.foot, &node{text: fmt.Sprintf("for _, x := range %s {\n%s\n}", a.name, g.note(a.typ, "x"))})
	}
	for _, ps := range g.records {
		k.foot = append(k.foot, &node{text: fmt.Sprintf("for _, q := range %s {\nout3[g] = note(out3[g], q.x, int32Of(q.w), int32Of(q.z[0])<<16, int32Of(q.z[1])<<16^int32Of(q.z[2]))\nout3[g] = note(out3[g], bitsOf(float64Of(q.y)))\n}", ps)})
	}
	return k
}

// note returns a statement that makes the output depend on every bit of e.
func (g *langGen) note(typ, e string) string {
	switch {
	case typ == "bool":
		return fmt.Sprintf("if %s {\nout3[g] = out3[g]*3 + 1\n}", e)
	case floating(typ):
		return fmt.Sprintf("out3[g] = note(out3[g], bitsOf(float64Of(%s)))", e)
	}
	return fmt.Sprintf("out3[g] = note(out3[g], %s)", e)
}

func floating(typ string) bool { return typ == "float32" || typ == "float64" || typ == "celsius" }

// t returns a type, or a predeclared function, as it is called here.
func (g *langGen) t(typ string) string {
	switch {
	case typ == "T":
		return g.param
	case g.hidden[typ]:
		return typ + "Of"
	}
	return typ
}

func (g *langGen) name(prefix string) string {
	if left := *g.names; len(left) > 0 && g.n(2) == 0 {
		*g.names = left[1:]
		return left[0]
	}
	*g.next++
	return fmt.Sprint(prefix, *g.next)
}

// declareAll declares the variables of a kernel.
func (g *langGen) declareAll() {
	add := func(name, format string, args ...any) {
		g.k.decls = append(g.k.decls, decl{name, fmt.Sprintf(format, args...) + "\n_ = " + name + "\n"})
	}
	for range 2 {
		v := g.name("i")
		add(v, "%s := %s(tid)", v, "intOf")
		g.scalars["int"] = append(g.scalars["int"], v)
	}
	for _, typ := range g.own {
		for range 1 + g.n(2) {
			v := g.name("v")
			add(v, "%s := %s", v, g.input(typ))
			g.scalars[typ] = append(g.scalars[typ], v)
		}
	}
	v := g.name("q")
	add(v, "%s := in0[g] > 3", v)
	g.scalars["bool"] = append(g.scalars["bool"], v)
	for range 1 + g.n(3) {
		typ := g.pick(g.own...)
		a := g.name("a")
		switch {
		case g.wait || g.n(3) > 0:
			add(a, "%s := [8]%s{%s, 3: %s}", a, g.t(typ), g.input(typ), g.input(typ))
		default:
			add(a, "%s := []%s{%s, 7: %s}", a, g.t(typ), g.input(typ), g.input(typ))
		}
		g.lists = append(g.lists, variable{a, typ})
	}
	ps := g.name("ps")
	switch {
	case g.wait || g.n(2) == 0:
		add(ps, "%s := [4]point{{x: in0[g]}, 2: {y: in1[g], w: in2[g]}}", ps)
	default:
		add(ps, "%s := []point{{x: in0[g]}, {w: 3}, {y: in1[g], w: in2[g]}, {}}", ps)
	}
	g.records = append(g.records, ps)
	if !g.wait && g.n(2) == 0 {
		p := g.name("p")
		add(p, "%s := &%s[%s].%s", p, ps, g.index(4, 1), "x")
		g.ptrs = append(g.ptrs, variable{p, "int32"})
	}
}

// input returns an element of an input, as a type.
func (g *langGen) input(typ string) string {
	s := g.pick("in0 int32", "in1 float32", "in2 uint8", "in3 int64", "in4 float64")
	name, from, _ := strings.Cut(s, " ")
	return g.conv(typ, from, name+"[g]")
}

// conv converts e of a type to another.
func (g *langGen) conv(to, from, e string) string {
	switch {
	case to == from:
		return e
	case from == "bool":
		return fmt.Sprintf("%s(oneIf(%s))", g.t(to), e)
	case (floating(from) || from == "T") && (!floating(to)):
		return fmt.Sprintf("%s(whole(%s(%s)))", g.t(to), "float64Of", e)
	}
	return fmt.Sprintf("%s(%s)", g.t(to), e)
}

// newFunc makes a helper.
func (g *langGen) newFunc() *helper {
	f := langFunc{name: g.gen.freshFunc(g.k.name)}
	f.generic = g.n(4) == 0
	f.integer = f.generic && g.n(2) == 0
	pool := slices.Clone(*g.names)
	g.r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	sub := &langGen{k: g.k, gen: &gen{r: g.r, next: g.next, names: &pool}, hidden: g.hidden, own: g.own, scalars: map[string][]string{}, funcs: g.funcs, helper: true, integer: f.integer}
	head := ""
	if f.generic {
		sub.param = sub.name("T")
		sub.own = append([]string{"T", "T"}, g.own...)
		head = fmt.Sprintf("[%s %s]", sub.param, map[bool]string{true: "integer", false: "numeric"}[f.integer])
	}
	// A parameter may hide a type, but not before the signature has ended; a type parameter does so
	// at once.
	inSignature := func(typ string) string {
		switch typ {
		case "T":
			return sub.param
		case sub.param:
			return typ + "Of"
		}
		return typ
	}
	var params []string
	for i, count := 0, 1+g.n(3); i < count; i++ {
		p := langParam{kind: "vvpppssr"[g.n(8)], typ: g.pick(sub.own...)}
		if f.generic && i == 0 {
			p.typ = "T"
			p.kind = "vvp"[g.n(3)]
		}
		if i == count-1 && g.n(3) == 0 {
			p.kind = 'm'
		}
		name := sub.name("a")
		f.params = append(f.params, p)
		typ := inSignature(p.typ)
		switch p.kind {
		case 'v':
			params = append(params, name+" "+typ)
			sub.scalars[p.typ] = append(sub.scalars[p.typ], name)
		case 'p':
			params = append(params, name+" *"+typ)
			sub.ptrs = append(sub.ptrs, variable{name, p.typ})
		case 's':
			params = append(params, name+" []"+typ)
			sub.lists = append(sub.lists, variable{name, p.typ})
		case 'r':
			params = append(params, name+" *point")
			sub.points = append(sub.points, name)
		case 'm':
			params = append(params, name+" ..."+typ)
			sub.tails = append(sub.tails, variable{name, p.typ})
		}
	}
	for range []int{1, 1, 1, 2, 2, 3}[g.n(6)] {
		f.results = append(f.results, g.pick(sub.own...))
	}
	sub.result = f.results
	h := &helper{name: f.name}
	named := g.n(3) == 0
	var results, names []string
	for _, typ := range f.results {
		printed := inSignature(typ)
		if named {
			name := sub.name("r")
			names = append(names, name)
			sub.scalars[typ] = append(sub.scalars[typ], name)
			printed = name + " " + printed
		}
		results = append(results, printed)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func %s%s(%s) (%s) {\n", f.name, head, strings.Join(params, ", "), strings.Join(results, ", "))
	if len(sub.scalars["int"]) == 0 {
		i := sub.name("i")
		fmt.Fprintf(&b, "%s := %s(%d)\n_ = %s\n", i, "intOf", g.n(5), i)
		sub.scalars["int"] = append(sub.scalars["int"], i)
	}
	for _, typ := range sub.own {
		if len(sub.scalars[typ]) == 0 {
			v := sub.name("v")
			fmt.Fprintf(&b, "var %s %s\n_ = %s\n", v, sub.t(typ), v)
			sub.scalars[typ] = append(sub.scalars[typ], v)
		}
	}
	h.head = b.String()
	h.body = sub.many(2, 1+g.n(4))
	if named && g.n(2) == 0 {
		h.foot = "return\n}\n\n"
	} else {
		h.foot = sub.giveBack() + "\n}\n\n"
	}
	*g.funcs = append(*g.funcs, f)
	return h
}

// freshFunc returns the name of a helper, sometimes with a letter beyond ASCII.
func (g *gen) freshFunc(kernel string) string {
	*g.next++
	return fmt.Sprint(kernel, "f", *g.next, g.pick("", "", "", "é", "量"))
}

func (g *langGen) giveBack() string {
	var list []string
	for _, typ := range g.result {
		list = append(list, g.ex(typ, 2))
	}
	return "return " + strings.Join(list, ", ")
}

// scope runs make with variables that end behind it.
func (g *langGen) scope(make func()) {
	saved := *g
	g.scalars = maps.Clone(g.scalars)
	for typ, list := range g.scalars {
		g.scalars[typ] = slices.Clip(list)
	}
	g.reads, g.ptrs, g.lists, g.records = slices.Clip(g.reads), slices.Clip(g.ptrs), slices.Clip(g.lists), slices.Clip(g.records)
	g.points, g.tails, g.local, g.outer = slices.Clip(g.points), slices.Clip(g.tails), slices.Clip(g.local), slices.Clip(g.outer)
	make()
	*g = saved
}
