package lir

import (
	"maps"
	"slices"
)

// SplitWebs gives every web of a value, that is a maximal set of definitions that reach a common use, a
// name of its own ("right number of names"; Chaitin, 1982). The loops that a strided loop is lowered
// to, or the copies of a block, assign the same values, each for itself. As one live interval such a
// value would occupy a register from the first copy to the last.
func SplitWebs(n *Nest) {
	w := &webs{n: n, parent: []int{0}, value: []Value{0}}
	w.list(n.Body, map[Value][]int{})
	names := map[int]Value{}
	taken := map[Value]bool{n.Lanes: true}
	for _, o := range w.places {
		web := w.root(o.web)
		v := w.value[web]
		if names[web] == 0 {
			if names[web] = v; taken[v] && v != n.Lanes {
				names[web] = n.New(n.Kinds[v])
			}
			taken[v] = true
		}
		*o.at = names[web]
	}
}

// webs collects the webs of a nest, as sets of definitions.
type webs struct {
	n      *Nest
	parent []int   // of definitions, towards the root of their web
	value  []Value // that they assign
	places []place
}

// A place is an operand, or a result, of a web.
type place struct {
	at  *Value
	web int
}

func (w *webs) root(d int) int {
	for w.parent[d] != d {
		w.parent[d] = w.parent[w.parent[d]]
		d = w.parent[d]
	}
	return d
}

// use notes an operand, which definitions reach. They become one web.
func (w *webs) use(at *Value, reaching map[Value][]int) {
	if *at == 0 {
		return
	}
	defs := reaching[*at]
	if len(defs) == 0 { // it is defined at the entry
		defs = []int{w.define(*at)}
		reaching[*at] = defs
	}
	w.places = append(w.places, place{at, defs[0]})
	w.union(defs)
}

func (w *webs) union(defs []int) {
	for _, d := range defs[1:] {
		if a, b := w.root(defs[0]), w.root(d); a < b {
			w.parent[b] = a
		} else {
			w.parent[a] = b
		}
	}
}

func (w *webs) define(v Value) int {
	d := len(w.parent)
	w.parent, w.value = append(w.parent, d), append(w.value, v)
	return d
}

// list walks through list, and leaves in reaching the definitions that reach its end.
func (w *webs) list(list []Node, reaching map[Value][]int) {
	for _, x := range list {
		switch x := x.(type) {
		case *Instr:
			updates := x.Dst != 0 && slices.Contains(x.Uses(), x.Dst)
			for _, at := range []*Value{&x.X, &x.Y, &x.Z, &x.On} {
				w.use(at, reaching)
			}
			if x.Dst != 0 {
				d := w.define(x.Dst)
				if updates { // in place
					w.union([]int{reaching[x.Dst][0], d})
				}
				reaching[x.Dst] = []int{d}
				w.places = append(w.places, place{&x.Dst, d})
			}
		case *Loop:
			before := maps.Clone(reaching)
			w.list(x.Head, reaching)
			for i := range x.While {
				w.use(&x.While[i], reaching)
			}
			left := maps.Clone(reaching) // by threads that end the loop behind its head
			w.list(x.Body, reaching)
			for v := range exposed([]Node{x}) {
				if defs := both(before[v], reaching[v]); len(defs) > 0 {
					w.union(defs)
				}
			}
			for _, more := range []map[Value][]int{before, left} {
				for v, defs := range more {
					reaching[v] = both(reaching[v], defs)
				}
			}
		case *When:
			for i := range x.Any {
				w.use(&x.Any[i], reaching)
			}
			otherwise := maps.Clone(reaching)
			w.list(x.Then, reaching)
			w.list(x.Else, otherwise)
			for v, defs := range otherwise {
				reaching[v] = both(reaching[v], defs)
			}
		}
	}
}

// both returns the definitions in a or b.
func both(a, b []int) []int {
	out := a[:len(a):len(a)]
next:
	for _, d := range b {
		for _, e := range a {
			if d == e {
				continue next
			}
		}
		out = append(out, d)
	}
	return out
}

// exposed returns the values that list uses before it has assigned them in every case.
func exposed(list []Node) map[Value]bool {
	found := map[Value]bool{}
	var visit func(list []Node, assigned map[Value]bool)
	visit = func(list []Node, assigned map[Value]bool) {
		use := func(v Value) {
			if v != 0 && !assigned[v] {
				found[v] = true
			}
		}
		for _, x := range list {
			switch x := x.(type) {
			case *Instr:
				for _, v := range x.Uses() {
					use(v)
				}
				if x.Dst != 0 {
					assigned[x.Dst] = true
				}
			case *Loop:
				inside := maps.Clone(assigned)
				visit(x.Head, inside)
				for _, v := range x.While {
					if v != 0 && !inside[v] {
						found[v] = true
					}
				}
				visit(x.Body, inside)
			case *When:
				for _, v := range x.Any {
					use(v)
				}
				then, otherwise := maps.Clone(assigned), maps.Clone(assigned)
				visit(x.Then, then)
				visit(x.Else, otherwise)
				for v := range then {
					if otherwise[v] {
						assigned[v] = true
					}
				}
			}
		}
	}
	visit(list, map[Value]bool{})
	return found
}
