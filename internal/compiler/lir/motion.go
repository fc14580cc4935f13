package lir

import "slices"

// Hoist is loop-invariant code motion (Allen and Cocke, 1971). Instructions that don't access
// memory and can't fail are hoisted unconditionally. Of the loads, only gathers are hoisted, which
// cost more than a spill: out of loops without stores, and under a branch that the trip count is
// positive. With late, only gathers move.
func Hoist(n *Nest, late bool) {
	often := make([]int, len(n.Kinds))
	Walk(n.Body, func(i *Instr) {
		if i.Dst != 0 {
			often[i.Dst]++
		}
	})
	n.Body = hoist(n, n.Body, often, late)
}

func hoist(n *Nest, list []Node, often []int, late bool) []Node {
	var out []Node
	for _, x := range list {
		switch x := x.(type) {
		case *Loop:
			x.Head, x.Body = hoist(n, x.Head, often, late), hoist(n, x.Body, often, late)
			inside := map[Value]bool{} // values assigned in the loop
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
			if !late {
				x.Head = move(x.Head)
				x.Body = move(x.Body)
			}
			if gathers := steady(n, x, inside, often); len(gathers) > 0 {
				gone := func(y Node) bool { return slices.Contains(gathers, y) }
				x.Body = slices.DeleteFunc(x.Body, gone)
				for _, y := range x.Body {
					if w, ok := y.(*When); ok && w.Open {
						w.Then, w.Else = slices.DeleteFunc(w.Then, gone), slices.DeleteFunc(w.Else, gone)
					}
				}
				out = append(out, &When{Conds: []Scalar{x.Trips}, Then: append(gathers, x)})
				continue
			}
		case *When:
			x.Then, x.Else = hoist(n, x.Then, often, late), hoist(n, x.Else, often, late)
		}
		out = append(out, x)
	}
	return out
}

// steady returns the loop-invariant gathers in the body of a loop.
func steady(n *Nest, l *Loop, inside map[Value]bool, often []int) (list []Node) {
	stays := len(l.While) > 0
	// a check must not be bypassed
	Walk(l.Body, func(i *Instr) { stays = stays || i.Stores() || i.Op == Check })
	if stays {
		return nil
	}
	strides := map[Value]Node{} // the lane offsets that remain in the loop
	body := slices.Clone(l.Body)
	for _, x := range l.Body {
		if w, ok := x.(*When); ok && w.Open {
			body = slices.Concat(body, w.Then, w.Else)
		}
	}
	for _, x := range body {
		i, ok := x.(*Instr)
		if ok && i.Op == Strides && often[i.Dst] == 1 {
			strides[i.Dst] = x
		}
		if !ok || i.Op != Gather || often[i.Dst] != 1 || slices.ContainsFunc(l.Steps, func(s Step) bool { return n.Uses(i, s.Group) }) {
			continue
		}
		if slices.ContainsFunc(i.Uses(), func(v Value) bool { return inside[v] && strides[v] == nil || often[v] > 1 }) {
			continue
		}
		if s := strides[i.X]; s != nil && !slices.Contains(list, s) {
			list = append(list, s)
		}
		list = append(list, x)
	}
	return list
}

// invariant reports whether i is loop-invariant in l.
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
