package lir

// Hoist moves operations out of loops in which they give the same value in each round: loop-invariant code motion (Allen and Cocke, 1971).
// Only what reads no memory and can't fail moves, so that it does not matter if the loop has no rounds.
func Hoist(n *Nest) {
	often := make([]int, len(n.Kinds))
	Walk(n.Body, func(i *Instr) {
		if i.Dst != 0 {
			often[i.Dst]++
		}
	})
	n.Body = hoist(n.Body, often)
}

func hoist(list []Node, often []int) []Node {
	var out []Node
	for _, x := range list {
		switch x := x.(type) {
		case *Loop:
			x.Head, x.Body = hoist(x.Head, often), hoist(x.Body, often)
			inside := map[Value]bool{} // assigned in the loop
			for _, l := range [][]Node{x.Head, x.Body} {
				Walk(l, func(i *Instr) {
					if i.Dst != 0 {
						inside[i.Dst] = true
					}
				})
			}
			var move func(from []Node) (stays []Node)
			move = func(from []Node) (stays []Node) {
				for _, y := range from {
					if w, ok := y.(*When); ok {
						w.Then, w.Else = move(w.Then), move(w.Else)
					}
					if i, ok := y.(*Instr); ok && invariant(i, x, inside, often) {
						out = append(out, i)
						delete(inside, i.Dst)
						continue
					}
					stays = append(stays, y)
				}
				return stays
			}
			x.Head = move(x.Head)
			x.Body = move(x.Body)
		case *When:
			x.Then, x.Else = hoist(x.Then, often), hoist(x.Else, often)
		}
		out = append(out, x)
	}
	return out
}

// invariant reports whether i gives the same value in all rounds of l.
func invariant(i *Instr, l *Loop, inside map[Value]bool, often []int) bool {
	if i.Dst == 0 || often[i.Dst] != 1 || i.InMemory() || i.Op == Check || i.Op == Move {
		return false
	}
	for _, v := range i.Uses() {
		if inside[v] || often[v] > 1 {
			return false
		}
	}
	for _, s := range i.scalars() {
		for _, t := range s.Terms {
			if t.Loop == l {
				return false
			}
		}
	}
	return true
}
