package arm64

import (
	"maps"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Loop unswitching on masks. NEON has no masked loads and stores: a masked access tests whether all
// lanes are on, and is executed lane by lane otherwise. So loops, and runs of instructions, with
// several such accesses are emitted twice: without masks, for all lanes on, and unchanged.

// fewMasked is the least number of masked accesses for which that pays.
const fewMasked = 2

// An unswitcher makes the second form of parts of a nest.
type unswitcher struct {
	n    *lir.Nest
	sets map[lir.Value]int // the number of assignments of each value
	uses map[lir.Value]int // the number of uses
}

// unswitch makes these forms for a nest, unless its strips usually have inactive lanes. For uniform
// masks it removes the mask instead of adding a form.
func unswitch(n *lir.Nest) {
	if n.Lanes != 0 {
		return
	}
	agree := agreeing(n)
	visit(n.Body, func(x lir.Node) {
		if w, ok := x.(*lir.When); ok && len(w.Any) == 1 && agree[w.Any[0]] {
			w.Then = (&copier{n: n, loops: map[*lir.Loop]*lir.Loop{}, on: map[lir.Value]bool{w.Any[0]: true}}).list(w.Then)
		}
	})
	branch(n)
	u := &unswitcher{n: n}
	u.sets, u.uses = count(n.Body)
	n.Body = u.list(n.Body)
	coalesce(n)
}

// agreeing returns the masks that are known to be uniform: all lanes are on, or none.
func agreeing(n *lir.Nest) map[lir.Value]bool {
	agree, constant := map[lir.Value]bool{}, map[lir.Value]bool{}
	for v, k := range n.Kinds {
		agree[lir.Value(v)] = k == lir.Mask
		constant[lir.Value(v)] = true
	}
	lir.Walk(n.Body, func(i *lir.Instr) {
		if i.Op != lir.Const {
			constant[i.Dst] = false
		}
	})
	for changed := true; changed; {
		changed = false
		lir.Walk(n.Body, func(i *lir.Instr) {
			if !agree[i.Dst] {
				return
			}
			switch i.Op {
			case lir.Whole:
				return
			case lir.Move:
				agree[i.Dst] = agree[i.X]
			case lir.MaskAnd, lir.MaskOr, lir.MaskNot:
				agree[i.Dst] = agree[i.X] && agree[i.Y]
			case lir.Cmp:
				agree[i.Dst] = constant[i.X] && constant[i.Y]
			default:
				agree[i.Dst] = false
			}
			changed = changed || !agree[i.Dst]
		})
	}
	return agree
}

// coalesce is copy coalescing: if a value's only use is a Move to a variable, its instruction
// assigns the variable directly.
func coalesce(n *lir.Nest) {
	sets, uses := count(n.Body)
	var all func(list []lir.Node) []lir.Node
	all = func(list []lir.Node) []lir.Node {
		var out []lir.Node
		for _, x := range list {
			switch x := x.(type) {
			case *lir.Instr:
				if x.Op == lir.Move && sets[x.X] == 1 && uses[x.X] == 1 && intoVariable(out, x) {
					continue
				}
			case *lir.Loop:
				x.Head, x.Body = all(x.Head), all(x.Body)
			case *lir.When:
				x.Then, x.Else = all(x.Then), all(x.Else)
			}
			out = append(out, x)
		}
		return out
	}
	n.Body = all(n.Body)
}

// intoVariable makes the instruction that computes the source of move assign move's variable, if
// nothing in between uses the variable.
func intoVariable(before []lir.Node, move *lir.Instr) bool {
	for k := len(before) - 1; k >= 0; k-- {
		if i, ok := before[k].(*lir.Instr); ok && i.Dst == move.X {
			if i.Kind == move.Kind {
				i.Dst = move.Dst
				return true
			}
			return false
		}
		sets, uses := count(before[k : k+1])
		if sets[move.Dst] > 0 || uses[move.Dst] > 0 {
			return false
		}
	}
	return false
}

// count returns the numbers of assignments and uses of the values in list.
func count(list []lir.Node) (sets, uses map[lir.Value]int) {
	sets, uses = map[lir.Value]int{}, map[lir.Value]int{}
	visit(list, func(x lir.Node) {
		switch x := x.(type) {
		case *lir.Instr:
			for _, v := range x.Uses() {
				uses[v]++
			}
			for _, v := range x.Temps {
				sets[v]++
			}
			if x.Dst != 0 {
				sets[x.Dst]++
			}
		case *lir.Loop:
			for _, v := range x.While {
				uses[v]++
			}
		case *lir.When:
			for _, v := range x.Any {
				uses[v]++
			}
		}
	})
	return sets, uses
}

// visit calls f for all nodes of list and those inside.
func visit(list []lir.Node, f func(lir.Node)) {
	for _, x := range list {
		f(x)
		switch x := x.(type) {
		case *lir.Loop:
			visit(x.Head, f)
			visit(x.Body, f)
		case *lir.When:
			visit(x.Then, f)
			visit(x.Else, f)
		}
	}
}

// masksOf returns the masks of accesses in list that list does not assign, and the number of these
// accesses.
func masksOf(list []lir.Node) (masks []lir.Value, accesses int) {
	sets, _ := count(list)
	lir.Walk(list, func(i *lir.Instr) {
		if i.On != 0 && sets[i.On] == 0 {
			accesses++
			if !slices.Contains(masks, i.On) {
				masks = append(masks, i.On)
			}
		}
	})
	return masks, accesses
}

// list returns list with the additional forms.
func (u *unswitcher) list(list []lir.Node) (out []lir.Node) {
	for k := 0; k < len(list); {
		switch x := list[k].(type) {
		case *lir.Loop:
			if masks, many := masksOf([]lir.Node{x}); many >= fewMasked {
				out = append(out, u.twice([]lir.Node{x}, masks))
			} else {
				x.Head, x.Body = u.list(x.Head), u.list(x.Body)
				out = append(out, x)
			}
			k++
		case *lir.When:
			x.Then, x.Else = u.list(x.Then), u.list(x.Else)
			out = append(out, x)
			k++
		case *lir.Instr:
			run := runOf(list[k:])
			if masks, many := masksOf(run); many >= fewMasked {
				out = append(out, u.twice(run, masks))
			} else {
				run = run[:1]
				out = append(out, x)
			}
			k += len(run)
		}
	}
	return out
}

// runOf returns the leading instructions of list, which begins with a masked one, up to the last
// whose mask is assigned before the run. It ends before an instruction that assigns one of these
// masks.
func runOf(list []lir.Node) []lir.Node {
	used, set, end := map[lir.Value]bool{}, map[lir.Value]bool{}, 1
	for k, x := range list {
		i, ok := x.(*lir.Instr)
		if !ok || k == 0 && i.On == 0 || i.On != 0 && set[i.On] || used[i.Dst] {
			break
		}
		if i.On != 0 {
			used[i.On], end = true, k+1
		}
		if i.Op == lir.Select && used[i.X] {
			end = k + 1
		}
		set[i.Dst] = true
	}
	return list[:end]
}

// twice returns a branch with the region and its form for all lanes on.
func (u *unswitcher) twice(region []lir.Node, masks []lir.Value) lir.Node {
	c := &copier{n: u.n, values: map[lir.Value]lir.Value{}, loops: map[*lir.Loop]*lir.Loop{}, on: map[lir.Value]bool{}}
	sets, uses := count(region)
	for _, v := range slices.Sorted(maps.Keys(sets)) {
		if sets[v] == u.sets[v] && uses[v] == u.uses[v] { // a value that only the region uses
			c.values[v] = u.n.New(u.n.Kinds[v])
		}
	}
	for _, m := range masks {
		c.on[m] = true
	}
	fast := c.list(region)
	s, r := count(fast)
	for v := range s {
		u.sets[v] += s[v]
	}
	for v := range r {
		u.uses[v] += r[v]
	}
	return &lir.When{Any: masks, All: true, Then: u.list(fast), Else: region}
}

// A copier copies nodes with replacement values, simplified for masks whose lanes are all on.
type copier struct {
	n      *lir.Nest
	values map[lir.Value]lir.Value
	loops  map[*lir.Loop]*lir.Loop
	on     map[lir.Value]bool
}

func (c *copier) value(v lir.Value) lir.Value {
	if w, ok := c.values[v]; ok {
		return w
	}
	return v
}

func (c *copier) all(list []lir.Value) []lir.Value {
	list = slices.Clone(list)
	for i := range list {
		list[i] = c.value(list[i])
	}
	return list
}

func (c *copier) scalar(s lir.Scalar) lir.Scalar {
	s.Terms = slices.Clone(s.Terms)
	for i, t := range s.Terms {
		if l := c.loops[t.Loop]; l != nil {
			s.Terms[i].Loop = l
		}
	}
	return s
}

func (c *copier) scalars(list []lir.Scalar) []lir.Scalar {
	list = slices.Clone(list)
	for i := range list {
		list[i] = c.scalar(list[i])
	}
	return list
}

func (c *copier) list(list []lir.Node) (out []lir.Node) {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			out = append(out, c.instr(x))
		case *lir.Loop:
			l := *x
			c.loops[x] = &l
			l.Trips, l.Conds, l.Steps = c.scalar(x.Trips), c.scalars(x.Conds), slices.Clone(x.Steps)
			l.Head, l.Body, l.While = c.list(x.Head), c.list(x.Body), c.all(x.While)
			out = append(out, &l)
		case *lir.When:
			w := *x
			always := slices.ContainsFunc(x.Any, func(m lir.Value) bool { return c.on[m] })
			w.Conds, w.Any, w.Then = c.scalars(x.Conds), c.all(x.Any), c.list(x.Then)
			if always {
				w.Any = nil
				if len(w.Conds) == 0 {
					out = append(out, w.Then...)
					continue
				}
			}
			w.Else = c.list(x.Else)
			out = append(out, &w)
		}
	}
	return out
}

func (c *copier) instr(x *lir.Instr) *lir.Instr {
	i := *x
	i.Temps = c.all(x.Temps)
	if c.on[x.On] {
		i.On = 0
	}
	for _, v := range []*lir.Value{&i.X, &i.Y, &i.Z, &i.On, &i.Dst} {
		*v = c.value(*v)
	}
	for k := range i.Bounds {
		i.Bounds[k] = c.scalar(i.Bounds[k])
	}
	switch {
	case x.Op == lir.Select && c.on[x.X]:
		i = lir.Instr{Op: lir.Move, Kind: x.Kind, Dst: i.Dst, X: i.Y}
	case x.Op == lir.MaskAnd && c.on[x.X]:
		i = lir.Instr{Op: lir.Move, Kind: lir.Mask, Dst: i.Dst, X: i.Y}
	case x.Op == lir.MaskAnd && c.on[x.Y]:
		i = lir.Instr{Op: lir.Move, Kind: lir.Mask, Dst: i.Dst, X: i.X}
	}
	return &i
}
