package arm64

import (
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Strided accesses with small strides: every second to fourth element, as the fields of structs,
// and reverse order. Accesses to all fields of each thread's record are combined into one
// instruction, LD2 to LD4 or ST2 to ST4, which uses consecutive registers.

// groupReg is the first of these registers.
const groupReg = 28

// A group is a set of accesses that become one instruction: the number of fields, and the fields in
// use. Loads are printed at the place of the first, stores at that of the last.
type group struct {
	every   int
	members []*lir.Instr // by field; nil for one that is not accessed
	at      *lir.Instr   // the access at whose place the instruction is printed
	base    *lir.Instr   // the access to field 0
}

// canGroup reports whether x accesses a field.
func canGroup(x *lir.Instr) bool {
	fields := x.Op == lir.Gather || x.Op == lir.Scatter && x.Imm == 0
	return fields && x.Every >= 2 && x.Every <= 4 && x.On == 0 && x.From == 0
}

// grouped finds groups in a nest. It moves the loads of each to the place of the first, and the
// stores to that of the last.
func grouped(n *lir.Nest) map[*lir.Instr]*group {
	groups := map[*lir.Instr]*group{}
	sets, _ := count(n.Body)
	var all func(list []lir.Node) []lir.Node
	all = func(list []lir.Node) []lir.Node {
		for k := 0; k < len(list); k++ {
			switch x := list[k].(type) {
			case *lir.Loop:
				x.Head, x.Body = all(x.Head), all(x.Body)
			case *lir.When:
				x.Then, x.Else = all(x.Then), all(x.Else)
			case *lir.Instr:
				if canGroup(x) && groups[x] == nil {
					if g, at := groupOf(list, k, sets); g != nil {
						for _, m := range g.members {
							if m != nil {
								groups[m] = g
							}
						}
						list = together(list, g, at)
					}
				}
			}
		}
		return list
	}
	n.Body = all(n.Body)
	return groups
}

// groupOf returns the group of the access at k of list, and its place. Its members access
// neighbouring fields, on either side.
func groupOf(list []lir.Node, k int, sets map[lir.Value]int) (*group, int) {
	first := list[k].(*lir.Instr)
	size := first.Kind.Size()
	found := map[int]*lir.Instr{0: first} // by distance in elements
	end := k
	for j := k + 1; j < len(list); j++ {
		x, ok := list[j].(*lir.Instr)
		if !ok || x.Op == lir.Check {
			break
		}
		same := canGroup(x) && x.Op == first.Op && x.Kind == first.Kind && x.Every == first.Every && x.Mem.Group == first.Mem.Group && x.Mem.Part == first.Mem.Part && x.Mem.Stride == first.Mem.Stride
		d := x.Mem.Disp - first.Mem.Disp
		if same && d%size == 0 && d/size > -first.Every && d/size < first.Every && found[d/size] == nil && sets[x.Dst] <= 1 {
			found[d/size], end = x, j
			continue
		}
		if first.Op == lir.Scatter && assigns(x, found) {
			break
		}
		// A load must not move before a store, nor a store behind an access, unless that is to
		// fields of other threads.
		if x.Stores() && first.Op == lir.Gather || x.InMemory() && first.Op == lir.Scatter && !others(first, x) {
			break
		}
	}
	low, high := 0, 0
	for d := range found {
		low, high = min(low, d), max(high, d)
	}
	if high-low != first.Every-1 || first.Op == lir.Scatter && len(found) < first.Every || sets[first.Dst] > 1 {
		return nil, 0
	}
	g := &group{every: first.Every, members: make([]*lir.Instr, first.Every), at: first, base: found[low]}
	for d, x := range found {
		g.members[d-low] = x
	}
	if first.Op == lir.Scatter {
		g.at = list[end].(*lir.Instr)
		return g, end
	}
	return g, k
}

// assigns reports whether x changes a value that a store of the group stores.
func assigns(x *lir.Instr, members map[int]*lir.Instr) bool {
	for _, m := range members {
		if x.Dst == m.X && x.Dst != 0 {
			return true
		}
	}
	return false
}

// others reports whether x is a store to fields of other threads of the strip, or to other fields,
// than y's.
func others(y, x *lir.Instr) bool {
	if x.Op != lir.Scatter || x.Imm != 0 || x.Mem.Group != y.Mem.Group || x.Mem.Stride != y.Mem.Stride || x.Kind != y.Kind || x.From != y.From || x.Every != y.Every {
		return false
	}
	d := x.Mem.Disp - y.Mem.Disp
	return d%y.Kind.Size() == 0 && max(d, -d) < y.Every*y.Kind.Size() && (d != 0 || x.Mem.Part != y.Mem.Part)
}

// together returns list with the members of a group moved to one place.
func together(list []lir.Node, g *group, at int) []lir.Node {
	mine := func(x lir.Node) bool {
		i, ok := x.(*lir.Instr)
		return ok && slices.Contains(g.members, i)
	}
	var before, own, behind []lir.Node
	for k, x := range list {
		switch {
		case mine(x):
			own = append(own, x)
		case k < at:
			before = append(before, x)
		default:
			behind = append(behind, x)
		}
	}
	return slices.Concat(before, own, behind)
}

// arrangementOf is the arrangement of values of a kind in a register.
func (e *emitter) arrangementOf(k lir.Kind) arrangement {
	if e.narrow(k) {
		return s2
	}
	return whole(k.Size())
}

// listOf is the registers of a group as an operand.
func (g *group) listOf(a arrangement) string {
	text := "["
	for i := range g.every {
		if i > 0 {
			text += ", "
		}
		text += register(groupReg+i, a)
	}
	return text + "]"
}

// groupAccess prints a member of a group: the combined instruction at its place, and copies of
// values.
func (e *emitter) groupAccess(x *lir.Instr, g *group) {
	a := e.arrangementOf(x.Kind)
	field := slices.Index(g.members, x)
	if x.Op == lir.Scatter {
		e.copy(groupReg+field, e.v(x.X))
	}
	if x == g.at {
		e.strided(g.base)
		if d := g.base.Mem.Disp; d != 0 {
			e.Line("ADD $%d, R2", d)
		}
		if x.Op == lir.Scatter {
			e.Line("VST%d %s, (R2)", g.every, g.listOf(a))
		} else {
			e.Line("VLD%d (R2), %s", g.every, g.listOf(a))
		}
	}
	if x.Op == lir.Gather {
		e.copy(e.v(x.Dst), groupReg+field)
	}
}

// reversed prints an access in reverse order.
func (e *emitter) reversed(x *lir.Instr, v int) {
	e.strided(x)
	lanes, size := e.lanes(), x.Kind.Size()
	disp := x.Mem.Disp - (lanes-1)*size
	turn := func(from, to int) {
		switch {
		case lanes == 4:
			e.Line("VREV64 V%d.S4, V%d.S4", from, to)
			e.three("VEXT $8,", b16, to, to, to)
		case size == 4:
			e.Line("VREV64 V%d.S2, V%d.S2", from, to)
		default:
			e.three("VEXT $8,", b16, to, from, from)
		}
	}
	if x.Op == lir.Gather {
		e.loadBytes("R2", disp, lanes*size, v)
		turn(v, v)
		return
	}
	turn(v, stepReg)
	e.Line("%s F%d, %d(R2)", move(lanes*size), stepReg, disp)
}
