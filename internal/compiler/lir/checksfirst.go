package lir

// ChecksFirst moves the checks of a nest, and all that they are made of, before everything else: then nothing is stored before the func may be left, and a
// strip can be done again by other means. It is an inspector before its executor (Saltz, Mirchandaney and Crowley, 1991), but nothing is computed or read
// twice: what has been checked is what is used, even if somebody else stores to memory meanwhile. It returns the reads that were moved, and
// the stores that were before them; who calls it sees to it that these are to other memory. It is not ok, and nothing is done, if the order can't be changed.
func ChecksFirst(n *Nest) (moved []Moved, ok bool) {
	if HasWhile(n.Body) {
		return nil, false
	}
	m := &motion{needed: make([]bool, len(n.Kinds)), first: map[*Instr]bool{}, ok: true}
	for again := true; again; {
		again = m.need(n.Body, false)
	}
	if !m.ok || !m.assignedBefore(n) {
		return nil, false
	}
	var stores []*Instr
	Walk(n.Body, func(x *Instr) {
		switch {
		case x.Stores() && !n.Groups[x.Mem.Group].Frame:
			stores = append(stores, x)
		case x.InMemory() && m.first[x]:
			m.ok = m.ok && !n.Groups[x.Mem.Group].Frame && x.Op != Tile
			if len(stores) > 0 {
				moved = append(moved, Moved{x, stores})
			}
		}
	})
	if !m.ok {
		return nil, false
	}
	first, rest := m.split(n.Body)
	n.Body = append(first, rest...)
	return moved, true
}

// A Moved is a read that is done before stores which came before it.
type Moved struct {
	Read   *Instr
	Stores []*Instr
}

type motion struct {
	needed []bool          // values that checks are made of
	first  map[*Instr]bool // what comes first
	ok     bool
}

// has reports whether there is something in list that comes first.
func (m *motion) has(list []Node) bool {
	found := false
	Walk(list, func(x *Instr) { found = found || m.first[x] })
	return found
}

// need finds what comes first: checks, what makes the values that they are made of, and loops around it as a whole. It reports whether there is more than before.
func (m *motion) need(list []Node, whole bool) (more bool) {
	mark := func(all ...Value) {
		for _, v := range all {
			if v != 0 && !m.needed[v] {
				m.needed[v], more = true, true
			}
		}
	}
	for _, x := range list {
		switch x := x.(type) {
		case *Instr:
			if !whole && x.Op != Check && (x.Dst == 0 || !m.needed[x.Dst]) {
				continue
			}
			more = more || !m.first[x]
			m.first[x] = true
			m.ok = m.ok && !x.Stores()
			mark(x.Uses()...)
			mark(x.Dst)
		case *Loop:
			more = m.need(x.Body, whole) || more
			if m.has(x.Body) {
				more = m.need(x.Body, true) || more
			}
		case *When:
			more = m.need(x.Then, whole) || more
			more = m.need(x.Else, whole) || more
			if m.has(x.Then) || m.has(x.Else) {
				m.ok = m.ok && (whole || len(x.Conds) == 0 && len(x.Else) == 0)
				mark(x.Any...)
			}
		}
	}
	return more
}

// assignedBefore reports whether variables that come first have their last value before anything else reads them.
func (m *motion) assignedBefore(n *Nest) bool {
	often, last := make([]int, len(n.Kinds)), make([]int, len(n.Kinds))
	at := 0
	Walk(n.Body, func(x *Instr) {
		at++
		if x.Dst != 0 {
			often[x.Dst]++
			last[x.Dst] = at
		}
	})
	at, ok := 0, true
	check := func(v Value) { ok = ok && !(m.needed[v] && often[v] > 1 && last[v] > at) }
	var visit func(list []Node)
	visit = func(list []Node) {
		for _, x := range list {
			switch x := x.(type) {
			case *Instr:
				at++
				if m.first[x] {
					continue
				}
				for _, v := range x.Uses() {
					check(v)
				}
			case *Loop:
				visit(x.Body)
			case *When:
				for _, v := range x.Any {
					check(v)
				}
				visit(x.Then)
				visit(x.Else)
			}
		}
	}
	visit(n.Body)
	return ok
}

// split returns what comes first and the rest. What a branch that some lanes take has of the first is done for all: its reads have masks, or are in range
// whatever the mask is.
func (m *motion) split(list []Node) (first, rest []Node) {
	for _, x := range list {
		switch x := x.(type) {
		case *Instr:
			if m.first[x] {
				first = append(first, x)
			} else {
				rest = append(rest, x)
			}
		case *Loop:
			if m.has(x.Body) {
				first = append(first, x)
			} else {
				rest = append(rest, x)
			}
		case *When:
			if !m.has(x.Then) && !m.has(x.Else) {
				rest = append(rest, x)
				continue
			}
			a, b := m.split(x.Then)
			first = append(first, a...)
			if len(b) > 0 {
				rest = append(rest, &When{Any: x.Any, Then: b})
			}
		}
	}
	return first, rest
}
