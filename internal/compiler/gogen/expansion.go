package gogen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Scalar expansion (Padua and Wolfe, "Advanced compiler optimizations for supercomputers", 1986): a
// strip of many threads executes loops together, iteration by iteration, and loop-carried values of
// threads are elements of arrays. So an iteration accesses elements of neighbouring threads one
// after the other, as hand-written loops do; a single thread would go from row to row of a matrix.
//
// The statements between two loops are a segment, which becomes a loop over the threads of the
// strip.

const (
	mostExpanded = 256 // threads of a strip
	mostArrays   = 10  // the largest number of arrays
	fewExpanded  = 8   // the least number of threads for which it pays
	cacheBytes   = 1 << 21
)

// An expansion says where the values of a nest for one thread are kept when a strip executes it.
type expansion struct {
	far     *lir.Loop          // a loop that goes from row to row of a matrix
	segment map[lir.Value]int  // the only segment that uses a value
	array   map[lir.Value]bool // values that are elements of arrays
	common  map[lir.Value]bool // values that are uniform
	first   map[lir.Value]bool // values with an assignment so far
	defs    map[lir.Value]*lir.Instr
	number  int  // the number of segments so far
	printed int  // the segment being printed
	stored  bool // an earlier segment stores to memory
	inside  bool // a segment is being printed
	dead    bool // there are unused values
	from    string
	to      string
}

// expansionOf returns the expansion of n, or nil if it does not pay or is not possible.
func (p *printer) expansionOf(n *lir.Nest) *expansion {
	e := &expansion{segment: map[lir.Value]int{}, array: map[lir.Value]bool{}, common: map[lir.Value]bool{}, first: map[lir.Value]bool{},
		defs: map[lir.Value]*lir.Instr{}, from: "0", to: "m"}
	lir.Walk(n.Body, func(i *lir.Instr) { e.defs[i.Dst] = i })
	if !e.list(p, n, n.Body, false) || e.far == nil || len(e.array) > mostArrays {
		return nil
	}
	return e
}

// segments splits list into segments, loops, and branches with loops.
func (e *expansion) segments(list []lir.Node) (parts [][]lir.Node) {
	var run []lir.Node
	flush := func() {
		if len(run) > 0 {
			parts = append(parts, run)
		}
		run = nil
	}
	checks := false
	for _, x := range list {
		if hasLoop([]lir.Node{x}) {
			flush()
			parts = append(parts, []lir.Node{x})
			checks = false
			continue
		}
		// All threads of the strip are checked before one of them stores.
		if stores([]lir.Node{x}) && checks {
			flush()
			checks = false
		}
		checks = checks || leaves([]lir.Node{x})
		run = append(run, x)
	}
	flush()
	return parts
}

// stores reports whether list stores to memory.
func stores(list []lir.Node) bool {
	found := false
	lir.Walk(list, func(i *lir.Instr) { found = found || i.Stores() })
	return found
}

// leaves reports whether list has a Check, which may end the strip.
func leaves(list []lir.Node) bool {
	found := false
	lir.Walk(list, func(i *lir.Instr) { found = found || i.Op == lir.Check })
	return found
}

// checkedFirst splits branches with checks before stores into two branches, one with the checks and
// one with the rest.
func checkedFirst(list []lir.Node) (out []lir.Node) {
	for _, x := range list {
		w, ok := x.(*lir.When)
		if !ok || len(w.Else) > 0 || !leaves(w.Then) || !stores(w.Then) || hasLoop(w.Then) {
			out = append(out, x)
			continue
		}
		then := checkedFirst(w.Then)
		cut := 0
		for i, y := range then {
			if leaves([]lir.Node{y}) {
				cut = i + 1
			}
		}
		changed := false // values of the branch's condition are reassigned inside
		lir.Walk(then[:cut], func(i *lir.Instr) { changed = changed || slices.Contains(w.Any, i.Dst) })
		if changed || stores(then[:cut]) || cut == len(then) {
			out = append(out, x)
			continue
		}
		out = append(out, &lir.When{Any: w.Any, Conds: w.Conds, Then: then[:cut]}, &lir.When{Any: w.Any, Conds: w.Conds, Then: then[cut:]})
	}
	return out
}

// list finds the place of each value in list; inLoop says whether list is in a loop.
func (e *expansion) list(p *printer, n *lir.Nest, list []lir.Node, inLoop bool) bool {
	for _, part := range e.segments(list) {
		switch x := part[0].(type) {
		case *lir.Loop:
			if len(x.While)+len(x.Head) > 0 {
				return false
			}
			if !hasLoop(x.Body) && far(x, n) {
				e.far = x
			}
			if !e.list(p, n, x.Body, true) {
				return false
			}
			continue
		case *lir.When:
			if hasLoop(part) {
				if !e.interval(p, x) || !e.list(p, n, x.Then, inLoop) || !e.list(p, n, x.Else, inLoop) {
					return false
				}
				continue
			}
		}
		e.number++
		stored := false
		for _, node := range part {
			if i, ok := node.(*lir.Instr); ok {
				if e.isCommon(p, i) && !stored {
					e.common[i.Dst] = true
				}
			}
			stored = stored || stores([]lir.Node{node})
		}
		e.values(p, part, func(v lir.Value, assigned bool) {
			if v == 0 || e.common[v] || p.before[e.defs[v]] && p.often[v] == 1 {
				return
			}
			if known, was := e.segment[v]; was && known != e.number || !assigned && !e.first[v] {
				e.array[v] = true
			}
			e.segment[v] = e.number
			e.first[v] = e.first[v] || assigned
		})
		if leaves(part) && (e.stored || inLoop) {
			return false
		}
		// Otherwise a thread would store before the next one is checked.
		for _, node := range part {
			if leaves([]lir.Node{node}) && stores([]lir.Node{node}) {
				return false
			}
		}
		e.stored = e.stored || stored
	}
	return true
}

// values calls f for all uses and assignments of values in list, in order.
func (e *expansion) values(p *printer, list []lir.Node, f func(v lir.Value, assigned bool)) {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			for _, u := range x.Uses() {
				f(u, false)
			}
			f(x.Dst, true)
		case *lir.When:
			for _, m := range x.Any {
				f(m, false)
			}
			e.values(p, x.Then, f)
			e.values(p, x.Else, f)
		}
	}
}

// isCommon reports whether i gives the same value for all threads of a strip.
func (e *expansion) isCommon(p *printer, i *lir.Instr) bool {
	if i.Dst == 0 || i.On != 0 || p.often[i.Dst] != 1 || !p.declares(i) {
		return false
	}
	switch i.Op {
	case lir.Broadcast, lir.Whole:
		return true
	case lir.Within, lir.Index, lir.Load, lir.Gather, lir.Bools, lir.Strides, lir.Div, lir.Select:
		return false
	}
	for _, u := range i.Uses() {
		if !e.common[u] && !(p.before[e.defs[u]] && p.often[u] == 1) {
			return false
		}
	}
	return true
}

// interval reports whether the threads that take x, a branch with loops inside, are an interval.
func (e *expansion) interval(p *printer, x *lir.When) bool {
	switch len(x.Any) {
	case 0:
		return true
	case 1:
		i := e.defs[x.Any[0]]
		if len(x.Else) > 0 || i == nil || i.Op != lir.Within || p.often[i.Dst] != 1 {
			return false
		}
		p.uses[i.Dst]-- // only its bounds are used
		return true
	}
	return false
}

// far reports whether a loop goes from row to row of a matrix: neighbouring threads load
// neighbours, and the step is not a constant.
func far(l *lir.Loop, n *lir.Nest) bool {
	steps := map[int]bool{}
	for _, s := range l.Steps {
		steps[s.Group] = s.Off >= 0
	}
	found := false
	lir.Walk(l.Body, func(i *lir.Instr) {
		found = found || i.Op == lir.Load && !sharesPointer(i) && steps[i.Mem.Group]
	})
	return found
}

// expanded prints the loop over the strips of a row with scalar expansion, if that is possible.
func (p *printer) expanded(n *lir.Nest, alone bool) error {
	p.long = p.expansionOf(n)
	if p.long == nil {
		return nil
	}
	defer func() { p.long = nil }()
	cond := fmt.Sprintf("many-at >= %d", fewExpanded)
	if !alone {
		// As long as all rows fit in a cache, jammed threads are faster.
		trips := p.long.far.Trips
		trips.Terms = nil
		for _, s := range p.long.far.Steps {
			if s.Off >= 0 {
				cond += fmt.Sprintf(" && %s*max(a.a%d, -a.a%[2]d) > %d", p.scalar(trips), s.Off, cacheBytes)
				break
			}
		}
	}
	out := p.out
	p.out = &strings.Builder{}
	defer func() { p.out = out }()
	p.line("if %s {", cond)
	for _, v := range slices.Sorted(maps.Keys(p.long.array)) {
		p.line("var x%d%s [%d]%s", v, p.mark, mostExpanded, typeOf(n.Kinds[v]))
	}
	p.constants()
	p.line("for at < many {\nm := min(many-at, %d)", mostExpanded)
	if n.Fails() {
		p.line("begin := at")
	}
	for g := range n.Groups {
		p.pointer(g, fmt.Sprintf("a.a%d", n.Groups[g].Off))
	}
	if err := p.block(p.top, n.Body); err != nil {
		return err
	}
	p.line("at += m\n}\n}")
	if !p.long.dead { // Go requires that declared variables are used
		out.WriteString(p.out.String())
	}
	return nil
}

// together prints the statements of a scope for all threads of a strip.
func (p *printer) together(s *scope, list []lir.Node) error {
	e := p.long
	for _, part := range e.segments(list) {
		switch x := part[0].(type) {
		case *lir.Loop:
			if err := p.loop(x); err != nil {
				return err
			}
			continue
		case *lir.When:
			if hasLoop(part) {
				if err := p.among(x); err != nil {
					return err
				}
				continue
			}
		}
		if err := p.segment(s, part); err != nil {
			return err
		}
	}
	return nil
}

// among prints a branch with loops inside, for an interval of threads.
func (p *printer) among(x *lir.When) error {
	from, to := p.long.from, p.long.to
	conds := p.agreed(x)
	p.line("{")
	if len(x.Any) > 0 {
		i := p.long.defs[x.Any[0]]
		depth := fmt.Sprintf("%d", p.then[x].depth)
		p.line("from%s, to%[1]s := max(%s, %s-at), min(%s, %s-at)", depth, from, p.scalar(i.Bounds[0]), to, p.scalar(i.Bounds[1]))
		p.long.from, p.long.to = "from"+depth, "to"+depth
		conds = append(conds, "from"+depth+" < to"+depth)
	}
	p.line("if %s {", strings.Join(conds, " && "))
	if err := p.block(p.then[x], x.Then); err != nil {
		return err
	}
	p.long.from, p.long.to = from, to
	if len(x.Else) > 0 {
		p.line("} else {")
		if err := p.block(p.otherwise[x], x.Else); err != nil {
			return err
		}
	}
	p.line("}\n}")
	return nil
}

// segment prints statements without loops as a loop over the threads of the strip.
func (p *printer) segment(s *scope, list []lir.Node) error {
	e := p.long
	e.printed++
	var rest []lir.Node
	for _, x := range list {
		i, ok := x.(*lir.Instr)
		if !ok || !e.common[i.Dst] {
			rest = append(rest, x)
			continue
		}
		if err := p.instr(i); err != nil {
			return err
		}
	}
	// A segment without effects is not printed.
	effect := false
	lir.Walk(rest, func(i *lir.Instr) {
		effect = effect || p.isDone(i) && (!pure(i) || e.array[i.Dst])
	})
	if !effect {
		lir.Walk(rest, func(i *lir.Instr) { e.dead = e.dead || p.isDone(i) })
		return nil
	}
	out := p.out
	p.out = &strings.Builder{}
	e.inside = true
	err := p.block(s, rest)
	e.inside = false
	text := p.out.String()
	p.out = out
	if err != nil {
		return err
	}
	p.line("for k := %s; k < %s; k++ {", e.from, e.to)
	var groups []int
	at := false // whether the number of the thread is used
	lir.Walk(rest, func(i *lir.Instr) {
		if !p.isDone(i) {
			return
		}
		at = at || i.Op == lir.Within || i.Op == lir.Index || i.Indexed()
		if i.InMemory() && !sharesPointer(i) && !slices.Contains(groups, i.Mem.Group) {
			groups = append(groups, i.Mem.Group)
		}
	})
	if at {
		p.line("at := at + k")
	}
	p.strides(rest)
	for _, g := range groups {
		p.line("o%d%s := o%[1]d%[2]s + k*%d", g, p.mark, p.n.Groups[g].Size)
	}
	fmt.Fprintf(p.out, "%s}\n", text)
	return nil
}
