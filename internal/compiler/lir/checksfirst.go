package lir

// ChecksFirst moves the checks of a nest, and all instructions that compute their operands, to its
// beginning (inspector and executor; Saltz, Mirchandaney and Crowley, 1991). Then nothing is stored
// before the func may be left, and plain Go can repeat a strip. Unlike with a separate inspector,
// nothing is loaded twice: the values that were checked are used, even if another goroutine stores
// to memory meanwhile. ChecksFirst returns the loads that were moved before stores. The caller must
// ensure that these don't alias. ok is false, and n is unchanged, if the order can't be changed.
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

// A Moved is a load that was moved before stores.
type Moved struct {
	Read   *Instr
	Stores []*Instr
}

type motion struct {
	needed []bool          // values from which operands of checks are computed
	first  map[*Instr]bool // the instructions to move to the beginning
	ok     bool
}

// has reports whether list contains an instruction to be moved.
func (m *motion) has(list []Node) bool {
	found := false
	Walk(list, func(x *Instr) { found = found || m.first[x] })
	return found
}

// need finds the instructions to move: checks, and the instructions that compute their operands. If
// a loop contains one, the whole loop is moved. It reports whether it has found more than before.
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

// assignedBefore reports whether variables that are assigned by moved instructions get their last
// value before any other instruction reads them.
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

// split returns the instructions to move and the rest. Moved instructions of a divergent branch are
// executed for all lanes: their loads have masks, or are in range whatever the mask is.
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
