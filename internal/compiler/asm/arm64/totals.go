package arm64

import "github.com/gocuda/gocuda/internal/compiler/lir"

// Sums of the lanes of vectors. FADDP and ADDP add neighbouring lanes of two vectors, so the sums
// of several vectors are a tree of them: for four vectors of four lanes, three instructions give
// one vector, which is stored at once.

// totalled replaces consecutive Totals to neighbouring elements in list by such a tree.
func totalled(n *lir.Nest, list []lir.Node) (out []lir.Node) {
	for k := 0; k < len(list); k++ {
		switch x := list[k].(type) {
		case *lir.Loop:
			x.Head, x.Body = totalled(n, x.Head), totalled(n, x.Body)
		case *lir.When:
			x.Then, x.Else = totalled(n, x.Then), totalled(n, x.Else)
		case *lir.Instr:
			if x.Op != lir.Total {
				break
			}
			run := totals(list[k:])
			pairs := func(a, b lir.Value) lir.Value {
				v := n.New(x.Kind)
				out = append(out, &lir.Instr{Op: lir.Pairs, Kind: x.Kind, Dst: v, X: a, Y: b})
				return v
			}
			switch {
			case len(run) == 4 && x.Kind.Size() == 4 && n.Size == 4:
				all := pairs(pairs(run[0], run[1]), pairs(run[2], run[3]))
				out = append(out, &lir.Instr{Op: lir.Store, Kind: x.Kind, X: all, Mem: x.Mem})
				k += 3
				continue
			case len(run) > 1:
				x.Y = run[1]
				out = append(out, x)
				k++
				continue
			}
		}
		out = append(out, list[k])
	}
	return out
}

// totals returns the operands of the Totals at the beginning of list, at most four, that store to
// neighbouring elements.
func totals(list []lir.Node) (values []lir.Value) {
	first := list[0].(*lir.Instr)
	for k, node := range list[:min(4, len(list))] {
		x, ok := node.(*lir.Instr)
		if !ok || x.Op != lir.Total || x.Kind != first.Kind || x.Mem.Group != first.Mem.Group || x.Mem.Disp != first.Mem.Disp+k*x.Kind.Size() {
			break
		}
		values = append(values, x.X)
	}
	return values
}

// pairs sets d to the sums of neighbouring lanes of n, followed by those of m.
func (e *emitter) pairs(k lir.Kind, d, n, m int) {
	if k.IsFloat() {
		e.word("faddp", e.arrangementOf(k), d, n, m)
	} else {
		e.three("VADDP", e.arrangementOf(k), d, n, m)
	}
}

// total prints the sums of the lanes of one or two vectors.
func (e *emitter) total(x *lir.Instr) {
	n, m, bytes := e.v(x.X), e.v(x.X), x.Kind.Size()
	if x.Y != 0 {
		m, bytes = e.v(x.Y), 2*bytes
	}
	e.pairs(x.Kind, stepReg, n, m)
	if e.lanes() == 4 {
		e.pairs(x.Kind, stepReg, stepReg, stepReg)
	}
	r, disp := e.place(x.Mem)
	e.Line("%s F%d, %d(%s)", move(bytes), stepReg, disp, r)
}
