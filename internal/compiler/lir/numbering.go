package lir

import "fmt"

// Number is value numbering (Cocke and Schwartz, 1970) over the tree of loops and branches: of
// instructions with equal results, the first one that dominates the others replaces them. A variable
// has a new value, of a new number, behind each assignment, and behind loops and branches that assign
// it; until then it stands for its copies. Instructions that access memory, can fail, or assign variables are left alone. With late,
// constants and arguments are loaded at each use.
func Number(n *Nest, late bool) {
	often := make([]int, len(n.Kinds))
	Walk(n.Body, func(i *Instr) {
		if i.Dst != 0 {
			often[i.Dst]++
		}
	})
	same := map[Value]Value{}   // maps removed values to their replacements
	versions := map[Value]int{} // of variables
	type copied struct {
		of      Value
		version int
	}
	copies := map[Value]copied{} // copies of variables
	as := func(v *Value) {
		if w, ok := same[*v]; ok {
			*v = w
		}
		if c, ok := copies[*v]; ok && versions[c.of] == c.version {
			*v = c.of
		}
	}
	type scope struct {
		known map[string]Value
		outer *scope
	}
	find := func(s *scope, key string) Value {
		for ; s != nil; s = s.outer {
			if v := s.known[key]; v != 0 {
				return v
			}
		}
		return 0
	}
	last := 0
	changed := func(v Value) {
		if often[v] > 1 {
			last++
			versions[v] = last
		}
	}
	changedIn := func(lists ...[]Node) {
		for _, list := range lists {
			Walk(list, func(i *Instr) { changed(i.Dst) })
		}
	}
	var visit func(list []Node, s *scope) []Node
	visit = func(list []Node, s *scope) []Node {
		var out []Node
		for _, x := range list {
			switch x := x.(type) {
			case *Instr:
				for _, v := range []*Value{&x.X, &x.Y, &x.Z, &x.On} {
					as(v)
				}
				if key, ok := x.number(often, versions); ok && !(late && (x.Op == Const || x.Op == Arg || x.Op == Strides)) {
					if v := find(s, key); v != 0 {
						same[x.Dst] = v
						continue
					}
					s.known[key] = x.Dst
				}
				if x.Op == Move && often[x.Dst] == 1 && often[x.X] > 1 {
					copies[x.Dst] = copied{x.X, versions[x.X]}
				}
				changed(x.Dst)
			case *Loop:
				changedIn(x.Head, x.Body)
				round := &scope{map[string]Value{}, s}
				x.Head = visit(x.Head, round)
				for i := range x.While {
					as(&x.While[i])
				}
				x.Body = visit(x.Body, round)
				changedIn(x.Head, x.Body)
			case *When:
				for i := range x.Any {
					as(&x.Any[i])
				}
				x.Then = visit(x.Then, &scope{map[string]Value{}, s})
				changedIn(x.Then)
				x.Else = visit(x.Else, &scope{map[string]Value{}, s})
				changedIn(x.Then, x.Else)
			}
			out = append(out, x)
		}
		return out
	}
	n.Body = visit(n.Body, &scope{known: map[string]Value{}})
}

// number returns a key that is equal for instructions with equal results. ok is false if i must not
// be replaced. versions are the numbers of the values that variables have.
func (i *Instr) number(often []int, versions map[Value]int) (string, bool) {
	if i.Dst == 0 || often[i.Dst] != 1 || i.InMemory() || i.Op == Check || i.Op == Move || i.Op == Reload {
		return "", false
	}
	key := ""
	for _, v := range i.Uses() {
		if often[v] > 1 {
			key += fmt.Sprint(v, " ", versions[v], "|")
		}
	}
	key += fmt.Sprint(i.Op, i.Kind, i.From, i.X, i.Y, i.Z, i.Imm, i.Pred, i.Part, i.Mem.Disp, i.Pattern)
	for _, s := range i.scalars() {
		key += fmt.Sprint("|", s.Off)
		for _, t := range s.Terms {
			key += fmt.Sprintf(" %p %d %d", t.Loop, t.Const, t.Off)
		}
	}
	return key, true
}
