package lir

// Propagate is copy propagation. It renames the webs of variables first, so that a variable that
// straight-line code assigns several times, as an unrolled loop does, becomes several values. A value
// that is a copy of another one is then replaced by that.
func Propagate(n *Nest) {
	SplitWebs(n)
	often := make([]int, len(n.Kinds))
	Walk(n.Body, func(i *Instr) {
		if i.Dst != 0 {
			often[i.Dst]++
		}
	})
	of := map[Value]Value{}
	Walk(n.Body, func(i *Instr) {
		if i.Op == Move && often[i.Dst] == 1 && often[i.X] == 1 && i.Dst != i.X {
			of[i.Dst] = i.X
		}
	})
	if len(of) == 0 {
		return
	}
	as := func(v *Value) {
		for w := of[*v]; w != 0; w = of[*v] {
			*v = w
		}
	}
	var visit func(list []Node) []Node
	visit = func(list []Node) []Node {
		var out []Node
		for _, x := range list {
			switch x := x.(type) {
			case *Instr:
				if of[x.Dst] != 0 {
					continue
				}
				for _, v := range []*Value{&x.X, &x.Y, &x.Z, &x.On} {
					as(v)
				}
			case *Loop:
				x.Head = visit(x.Head)
				for i := range x.While {
					as(&x.While[i])
				}
				x.Body = visit(x.Body)
			case *When:
				for i := range x.Any {
					as(&x.Any[i])
				}
				x.Then, x.Else = visit(x.Then), visit(x.Else)
			}
			out = append(out, x)
		}
		return out
	}
	n.Body = visit(n.Body)
}
