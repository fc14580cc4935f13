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
	w := &webs{n: n, parent: []int{0}, value: []Value{0}, reaching: make([][]int, len(n.Kinds))}
	w.list(n.Body)
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
	// the definitions that reach the current place, and what they were before each change
	reaching [][]int
	log      []change
}

type change struct {
	v    Value
	defs []int
}

func (w *webs) reach(v Value, defs []int) {
	w.log = append(w.log, change{v, w.reaching[v]})
	w.reaching[v] = defs
}

// since returns what reached a place, for the values that have changed since: the first entries in the
// log from there on.
func (w *webs) since(mark int) (list []change) {
	seen := map[Value]bool{}
	for _, c := range w.log[mark:] {
		if !seen[c.v] {
			seen[c.v] = true
			list = append(list, c)
		}
	}
	return list
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
func (w *webs) use(at *Value) {
	if *at == 0 {
		return
	}
	defs := w.reaching[*at]
	if len(defs) == 0 { // it is defined at the entry
		defs = []int{w.define(*at)}
		w.reach(*at, defs)
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

// list walks through list.
func (w *webs) list(list []Node) {
	for _, x := range list {
		switch x := x.(type) {
		case *Instr:
			updates := x.Dst != 0 && slices.Contains(x.Uses(), x.Dst)
			for _, at := range [...]*Value{&x.X, &x.Y, &x.Z, &x.On} {
				w.use(at)
			}
			if x.Dst != 0 {
				d := w.define(x.Dst)
				if updates { // in place
					w.union([]int{w.reaching[x.Dst][0], d})
				}
				w.reach(x.Dst, []int{d})
				w.places = append(w.places, place{&x.Dst, d})
			}
		case *Loop:
			begin := len(w.log)
			w.list(x.Head)
			for i := range x.While {
				w.use(&x.While[i])
			}
			leave := len(w.log)
			w.list(x.Body)
			before := w.since(begin)
			left := w.since(leave) // what reaches threads that end the loop behind its head
			repeated := exposed([]Node{x})
			for _, c := range before {
				if defs := both(c.defs, w.reaching[c.v]); repeated[c.v] && len(defs) > 0 {
					w.union(defs)
				}
			}
			for _, more := range [][]change{before, left} {
				for _, c := range more {
					w.reach(c.v, both(w.reaching[c.v], c.defs))
				}
			}
		case *When:
			for i := range x.Any {
				w.use(&x.Any[i])
			}
			begin := len(w.log)
			w.list(x.Then)
			then := w.since(begin)
			for i, c := range then { // go back, for the other side
				then[i].defs, w.reaching[c.v] = w.reaching[c.v], c.defs
			}
			w.log = w.log[:begin]
			w.list(x.Else)
			seen := map[Value]bool{}
			otherwise := w.since(begin)
			for _, c := range then {
				seen[c.v] = true
				w.reach(c.v, both(c.defs, w.reaching[c.v]))
			}
			for _, c := range otherwise {
				if !seen[c.v] {
					w.reach(c.v, both(c.defs, w.reaching[c.v]))
				}
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
