package amd64

import (
	"maps"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Memory operands: a load whose only use follows in the same list, without a store in between,
// becomes a memory operand of that instruction. With AVX-512 it may also be a broadcast of one
// element. That saves an instruction and a register.

// Prepare replaces gathers by transpositions, and folds loads into the instructions that use them.
func (e *emitter) Prepare(n *lir.Nest) any {
	n.Body = lir.MapBlocks(n.Body, (&columner{e, n, -1}).inBlock)
	if e.Masks == 0 {
		n.Body = legalized(n, n.Body)
	}
	uses, often := make([]int, len(n.Kinds)), make([]int, len(n.Kinds))
	count := func(list []lir.Value) {
		for _, v := range list {
			uses[v]++
		}
	}
	var visit func(list []lir.Node)
	visit = func(list []lir.Node) {
		for _, x := range list {
			switch x := x.(type) {
			case *lir.Instr:
				count(x.Uses())
				often[x.Dst]++
			case *lir.Loop:
				count(x.While)
				visit(x.Head)
				visit(x.Body)
			case *lir.When:
				count(x.Any)
				visit(x.Then)
				visit(x.Else)
			}
		}
	}
	visit(n.Body)
	if n.Lanes != 0 {
		uses[n.Lanes]++
	}
	once := func(v lir.Value) bool { return uses[v] == 1 && often[v] == 1 }
	n.Body = e.folded(n.Body, once)
	return nil
}

func (e *emitter) Resume(any) {}

// folded returns list with loads folded, whose values have a single use as reported by once.
func (e *emitter) folded(list []lir.Node, once func(lir.Value) bool) []lir.Node {
	loads := map[lir.Value]*lir.Instr{}
	gone := map[*lir.Instr]bool{}
	for _, node := range list {
		switch x := node.(type) {
		case *lir.Instr:
			if x.Stores() {
				clear(loads)
				continue
			}
			// the mask changes here
			maps.DeleteFunc(loads, func(_ lir.Value, from *lir.Instr) bool { return x.Dst != 0 && from.On == x.Dst })
			if (x.Op == lir.Load && (x.On == 0 || e.Masks > 0) || x.Op == lir.Broadcast && e.Masks > 0 && !e.tiny()) && x.From == 0 && once(x.Dst) {
				loads[x.Dst] = x
				continue
			}
			if from := loads[x.Y]; from != nil && e.merges(x, from) {
				x.Fold, x.Y, x.Mem = from.Op, 0, from.Mem
				gone[from] = true
				continue
			}
			if !e.takesMemory(x) {
				continue
			}
			whole := func(v lir.Value) bool { return loads[v] != nil && loads[v].On == 0 }
			if !whole(x.Y) && whole(x.X) && commutes(x.Op) {
				x.X, x.Y = x.Y, x.X
			}
			if from := loads[x.Y]; whole(x.Y) {
				x.Fold, x.Y, x.Mem = from.Op, 0, from.Mem
				gone[from] = true
			}
		case *lir.Loop:
			clear(loads)
			x.Head, x.Body = e.folded(x.Head, once), e.folded(x.Body, once)
		case *lir.When:
			clear(loads)
			x.Then, x.Else = e.folded(x.Then, once), e.folded(x.Else, once)
		}
	}
	var out []lir.Node
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if gone[x] {
				continue
			}
		case *lir.When:
			if e.isShort(x) {
				out = append(out, x.Then...)
				continue
			}
		}
		out = append(out, x)
	}
	return out
}

// isShort reports whether a branch only loads into the lanes of its masks, so that a test for
// active lanes would not pay. It turns the loads into ones that keep the other lanes.
func (e *emitter) isShort(x *lir.When) bool {
	if e.Masks == 0 || len(x.Any) == 0 || x.All || len(x.Conds)+len(x.Else) > 0 {
		return false
	}
	for _, node := range x.Then {
		i, ok := node.(*lir.Instr)
		if !ok || !(i.Op == lir.Load && i.From == 0 && slices.Contains(x.Any, i.On) || i.Op == lir.Select && i.Fold != 0 && slices.Contains(x.Any, i.X)) {
			return false
		}
	}
	for _, node := range x.Then {
		if i := node.(*lir.Instr); i.Op == lir.Load {
			i.Op, i.Fold, i.X, i.Z, i.On = lir.Select, lir.Load, i.On, i.Dst, 0
		}
	}
	return true
}

// merges reports whether x selects loaded values for some lanes of a variable, which a masked load
// can do itself.
func (e *emitter) merges(x, from *lir.Instr) bool {
	return e.Masks > 0 && x.Op == lir.Select && x.Z == x.Dst && x.Kind == from.Kind && (from.On == 0 || from.On == x.X)
}

// takesMemory reports whether operand Y of an instruction may be in memory.
func (e *emitter) takesMemory(x *lir.Instr) bool {
	switch x.Op {
	case lir.Add, lir.Sub, lir.AddSat, lir.SubSat, lir.And, lir.Or, lir.Xor, lir.FMA, lir.FNMA, lir.FMS:
		return true
	case lir.Mul:
		return x.Kind.IsFloat() || x.Kind.Size() <= 4 || e.Masks > 0
	case lir.Div:
		return x.Kind.IsFloat()
	case lir.Min, lir.Max:
		return x.Kind.Size() <= 4 || e.Masks > 0
	case lir.Cmp:
		return e.Masks > 0
	}
	return false
}

// commutes reports whether X and Y of an operation may be swapped.
func commutes(op lir.Op) bool {
	switch op {
	case lir.Add, lir.AddSat, lir.Mul, lir.And, lir.Or, lir.Xor, lir.Min, lir.Max, lir.FMA, lir.FNMA, lir.FMS:
		return true
	}
	return false
}

// operand returns operand Y of an instruction, and the suffix of the instruction's name if that is
// a broadcast.
func (e *emitter) operand(x *lir.Instr) (at, suffix string) {
	switch x.Fold {
	case lir.Load:
		return e.address(x.Mem), ""
	case lir.Broadcast:
		return e.address(x.Mem), ".BCST"
	}
	return e.reg(x.Y), ""
}
