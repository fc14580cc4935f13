package lir

// DropDead is dead code elimination: it removes instructions whose only effect is a value that no
// other instruction reads.
func DropDead(n *Nest) {
	for {
		used := make([]bool, len(n.Kinds))
		var look func(list []Node)
		look = func(list []Node) {
			for _, x := range list {
				switch x := x.(type) {
				case *Instr:
					for _, v := range x.Uses() {
						used[v] = used[v] || v != x.Dst // an update of a variable by itself is not a use
					}
				case *Loop:
					for _, v := range x.While {
						used[v] = true
					}
					look(x.Head)
					look(x.Body)
				case *When:
					for _, v := range x.Any {
						used[v] = true
					}
					look(x.Then)
					look(x.Else)
				}
			}
		}
		look(n.Body)
		dropped := false
		var clean func(list []Node) []Node
		clean = func(list []Node) []Node {
			var out []Node
			for _, x := range list {
				switch x := x.(type) {
				case *Instr:
					if x.Dst != 0 && !used[x.Dst] {
						dropped = true
						continue
					}
				case *Loop:
					x.Head, x.Body = clean(x.Head), clean(x.Body)
				case *When:
					x.Then, x.Else = clean(x.Then), clean(x.Else)
				}
				out = append(out, x)
			}
			return out
		}
		n.Body = clean(n.Body)
		if !dropped {
			return
		}
	}
}
