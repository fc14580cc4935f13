package compiler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// The table of passes. The kernel passes run in order, and the last one, fission, cuts the kernel
// into regions. The nest passes run for each region: lower builds the loop nest, with several
// passes of its own, and the others transform the nest. `gocuda gen -dump PASS` prints the code
// behind a pass, and `-off PASS` leaves out a pass that is not required: the generated code is then
// correct but slower.

// A pass is a row of the table.
type pass struct {
	name  string
	about string
	needs []string // passes that must run before
	must  bool
	// The func that runs the pass. Both are nil for a part of lower or of fission.
	kernel func(k *Kernel)
	nest   func(n *lir.Nest)
}

var passes = []pass{
	{name: "pointers", about: "argument promotion: structs that are only read through pointers by value, numbers and arrays that pointers lead to as slices", kernel: (*Kernel).byValue},
	{name: "dead", about: "dead code elimination: statements without an effect", kernel: (*Kernel).dropDead},
	{name: "clamps", about: "if-conversion of clamped integers to min and max", kernel: (*Kernel).clamps},
	{name: "flags", about: "if-conversion of branches that only set a bool", kernel: (*Kernel).flags},
	{name: "records", about: "scalar replacement: a thread's own array of structs becomes an array a field", kernel: (*Kernel).splitRecords},
	{name: "remat", about: "rematerialization of variables that are the same behind all barriers", kernel: (*Kernel).rematerialize},
	{name: "webs", about: "renaming: variables with several webs of definitions and uses become several", kernel: (*Kernel).splitWebs},
	{name: "copies", about: "copy propagation of parameters that are slices or structs", needs: []string{"webs"}, kernel: (*Kernel).forwardCopies},
	{name: "constants", about: "constant propagation through arrays, which are the package's if nothing changes them, and to shift counts", needs: []string{"webs"}, kernel: (*Kernel).constants},
	{name: "reroll", about: "rerolling of loops that are unrolled by hand", needs: []string{"webs"}, kernel: (*Kernel).reroll},
	{name: "dead2", about: "dead code elimination once more", needs: []string{"webs"}, kernel: (*Kernel).dropDead},
	{name: "demote", about: "type demotion: variables of type float64 that are only read as float32", needs: []string{"webs"}, kernel: (*Kernel).demote},
	{name: "sink", about: "sinking: values that only the threads of a guard keep across barriers, into the guard", needs: []string{"webs"}, kernel: (*Kernel).sinkKept},
	{name: "privatize", about: "privatization of numbers that threads only add to, by atomic operations", needs: []string{"webs"}, kernel: (*Kernel).privatize},
	{name: "ivs", about: "induction variable substitution: indices that loops with barriers advance", needs: []string{"webs"}, kernel: (*Kernel).substituteInductions},
	{name: "guardreturns", about: "versions without a guard that returns before a barrier, for blocks that pass it as a whole", needs: []string{"webs"}, kernel: (*Kernel).guardReturns},
	{name: "tails", about: "returns from within loops behind which no barrier follows: they leave a block", kernel: (*Kernel).blockReturns},
	{name: "counters", about: "widening of counters of 32 bits, by copies of loops for that nothing wraps around", kernel: (*Kernel).widenCounters},
	{name: "linear", about: "collapsing of the rows of a block whose threads are numbered through", kernel: (*Kernel).linearize},
	{name: "uncoarsen", about: "threads of several neighbouring elements, as several threads of one", needs: []string{"webs"}, kernel: (*Kernel).uncoarsen},
	{name: "wide", about: "coalescing of blocks that are neighbours into longer rows of threads", kernel: (*Kernel).widen},
	{name: "fission", about: "loop fission at barriers, interchange, storage across barriers", must: true, kernel: (*Kernel).fission},

	{name: "blockstride", about: "collapsing of loops in which the threads of a block share out elements, to rows of elements"},
	{name: "planes", about: "delinearization of rows of threads to planes, where their index is divided by a small number"},
	{name: "delinearize", about: "delinearization: rows of threads are cut where the quotient of their index changes, a number then"},
	{name: "swap", about: "interchange: vectors along threadIdx.y where elements are neighbours there"},
	{name: "remainders", about: "loops by steps over the rows and threads that take part, where a remainder says which"},
	{name: "jam", about: "unroll-and-jam of the rows of a plane"},
	{name: "unroll", about: "unrolling of loops of few rounds, and scalar replacement of a thread's own arrays"},
	{name: "promote", about: "scalar promotion of elements that a loop adds to"},
	{name: "choices", about: "copies of a block for each answer that its threads agree on, where it chooses integers"},
	{name: "agree", about: "branches without masks in rounds of a loop in which all threads of a strip go the same way"},
	{name: "speculate", about: "loops without masks under conditions that select an interval of threads"},
	{name: "ifconvert", about: "if-conversion by speculation: short arms of branches without masks, and selects behind them"},
	{name: "returns", about: "early returns of helpers: loops that threads break off, and branches"},
	{name: "tailmerge", about: "tail merging: the store of one element at the ends of both arms of a branch"},
	{name: "onethread", about: "branches in which one thread of a row copies elements, without masks"},
	{name: "local", about: "arrays of threads in memory, number by number, where indices are no constants"},
	{name: "forward", about: "store-to-load forwarding of elements that a thread has just stored, and dead stores among them"},
	{name: "induction", about: "widening of counters of 32 bits in loops that threads leave one by one"},
	{name: "fields", about: "slices that are fields of struct parameters, as slices of their own"},
	{name: "ranges", about: "range tests by one comparison of unsigned integers, as intervals of threads"},
	{name: "wraps", about: "index-set splitting of remainders that wrap around once, as those of neighbours on a torus"},
	{name: "rowpointers", about: "pointers to rows of slices of slices"},
	{name: "texels", about: "fetches from textures that are read as they are: elements"},
	{name: "clip", about: "loops that are cut off at an edge: rounds of all threads around a branch"},
	{name: "narrow", about: "integers of 64 bits that fit in 32"},
	{name: "bitwidth", about: "bit-width reduction: vectors with lanes of 8 or 16 bits"},
	{name: "farrows", about: "wider strips where loops go from row to row of a matrix"},
	{name: "across", about: "sums across lanes, of loops along rows that threads have of their own"},
	{name: "tiles", about: "transposition of rows that threads have of their own, in tiles"},
	{name: "checks", about: "checks of indices before what is stored"},
	{name: "faults", about: "checks of indices behind what is stored, where the launch fails with them"},
	{name: "words", about: "combining of loads and stores of numbers of 8 and 16 bits that lie side by side"},
	{name: "peel", about: "index-set splitting: a form for strips away from the edges"},
	{name: "warps", about: "vectors of the lanes of a warp, through warp operations"},
	{name: "gogen", about: "nests in Go, for machines without vectors"},
	{name: "lower", about: "a nest of loops from the statements of a region", must: true, nest: func(*lir.Nest) {}},
	{name: "propagate", about: "renaming of webs in a nest, and copy propagation", needs: []string{"lower"}, nest: lir.Propagate},
	{name: "number", about: "value numbering", needs: []string{"lower"}, nest: func(n *lir.Nest) { lir.Number(n, n.Late) }},
	{name: "unused", about: "dead code elimination in loops", needs: []string{"number"}, nest: lir.DropDead},
	{name: "motion", about: "loop-invariant code motion", needs: []string{"lower"}, nest: func(n *lir.Nest) { lir.Hoist(n, n.Late) }},
}

// A dump is the text of a kernel or of a nest behind a pass.
type dump struct{ of, text string }

// passNamed returns the pass with this name.
func passNamed(name string) (pass, bool) {
	i := slices.IndexFunc(passes, func(p pass) bool { return p.name == name })
	if i < 0 {
		return pass{}, false
	}
	return passes[i], true
}

// checkPasses returns an error unless all names are names of passes, and those in Off are not
// required.
func (o Options) checkPasses() error {
	for _, name := range append(slices.Clone(o.Off), o.Dump) {
		p, ok := passNamed(name)
		switch {
		case name == "":
		case !ok:
			var names []string
			for _, p := range passes {
				names = append(names, p.name)
			}
			return fmt.Errorf("there is no pass %q; there are %s", name, strings.Join(names, ", "))
		case p.must && slices.Contains(o.Off, name):
			return fmt.Errorf("pass %s can't be turned off", name)
		}
	}
	return nil
}

// runPasses runs the kernel passes, except those that are left out.
func (k *Kernel) runPasses(o Options, without ...string) {
	k.options = o
	for _, p := range passes {
		if p.kernel == nil || slices.Contains(o.Off, p.name) || slices.Contains(without, p.name) {
			continue
		}
		changed := k.watch(p.name, k.String)
		p.kernel(k)
		if changed() || k.nodes != nil {
			k.works(p.name)
		}
		if o.Dump == p.name {
			text := k.String()
			if k.nodes != nil {
				text = k.printNodes()
			}
			k.dumps = append(k.dumps, dump{k.Name, text})
		}
	}
}

// finish runs the nest passes behind lower, and verifies the nest after each.
func (b *body) finish(n *lir.Nest, shape nestShape) error {
	o := b.k.options
	for _, p := range passes {
		if p.nest == nil || slices.Contains(o.Off, p.name) {
			continue
		}
		changed := b.k.watch(p.name, n.String)
		p.nest(n)
		if changed() || p.name == "lower" {
			b.k.works(p.name)
		}
		if err := n.Verify(); err != nil {
			return fmt.Errorf("behind pass %s: %w", p.name, err)
		}
		if o.Dump == p.name || p.name == "lower" && o.Dump != "" && b.isPartOfLower(o.Dump) {
			b.k.dumps = append(b.k.dumps, dump{fmt.Sprintf("%s, %v", b.k.Name, shape), n.String()})
		}
	}
	return nil
}

// watch returns a func that says whether the text of what a pass works on has changed since. It is
// always false if passes that work are not recorded, or it is known already that this one does.
func (k *Kernel) watch(pass string, text func() string) (changed func() bool) {
	if !k.options.Record || k.worked[pass] {
		return func() bool { return false }
	}
	before := text()
	return func() bool { return text() != before }
}

// works records that a pass changed a kernel.
func (k *Kernel) works(pass string) {
	if k.worked == nil {
		k.worked = map[string]bool{}
	}
	k.worked[pass] = true
}

// passesDone returns the passes that changed k, in order.
func (k *Kernel) passesDone() (names []string) {
	for _, p := range passes {
		if k.worked[p.name] {
			names = append(names, p.name)
		}
	}
	return names
}

// worked records the passes that changed a kernel or its forms for certain types.
func (r *Result) worked(k *Kernel, forms []*Kernel) {
	if r.Worked == nil {
		r.Worked = map[string][]string{}
	}
	for _, p := range passes {
		if slices.ContainsFunc(append(forms, k), func(k *Kernel) bool { return k.worked[p.name] }) {
			r.Worked[k.Name] = append(r.Worked[k.Name], p.name)
		}
	}
}

// isPartOfLower reports whether a pass runs inside lower or fission.
func (b *body) isPartOfLower(name string) bool {
	p, ok := passNamed(name)
	return ok && p.kernel == nil && p.nest == nil
}

// off reports whether a pass is turned off.
func (b *body) off(name string) bool { return slices.Contains(b.k.options.Off, name) }
