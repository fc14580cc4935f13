package gogen

import (
	"maps"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Simplification of masks. With one lane a mask is a bool, and its value is known inside a branch
// on it (conditional constant propagation; Wegman and Zadeck, 1991). Unused instructions are then
// removed.

type simplifier struct {
	often map[lir.Value]int
	same  map[lir.Value]lir.Value // replacements of values
	known map[lir.Value]bool      // masks with the same known value at all uses
	on    map[lir.Value]bool      // masks that are on at the current place
}

// simplify simplifies the masks of a nest.
func simplify(n *lir.Nest) {
	s := &simplifier{map[lir.Value]int{}, map[lir.Value]lir.Value{}, map[lir.Value]bool{}, map[lir.Value]bool{}}
	lir.Walk(n.Body, func(i *lir.Instr) { s.often[i.Dst]++ })
	n.Body = s.list(n.Body)
	for dropped := true; dropped; {
		uses := map[lir.Value]bool{}
		lir.Walk(n.Body, func(i *lir.Instr) {
			for _, v := range i.Uses() {
				uses[v] = uses[v] || v != i.Dst // an update of a variable by itself is not a use
			}
		})
		conditions(n.Body, uses)
		n.Body, dropped = without(n.Body, uses)
	}
}

// conditions marks the masks that loops and branches in list depend on as used.
func conditions(list []lir.Node, uses map[lir.Value]bool) {
	for _, x := range list {
		var masks []lir.Value
		switch x := x.(type) {
		case *lir.Loop:
			masks = x.While
			conditions(x.Head, uses)
			conditions(x.Body, uses)
		case *lir.When:
			masks = x.Any
			conditions(x.Then, uses)
			conditions(x.Else, uses)
		}
		for _, m := range masks {
			uses[m] = true
		}
	}
}

// without removes instructions whose results are not used, and empty branches and loops.
func without(list []lir.Node, uses map[lir.Value]bool) (stays []lir.Node, dropped bool) {
	for _, x := range list {
		var in [2]bool
		switch x := x.(type) {
		case *lir.Instr:
			if x.Dst != 0 && !uses[x.Dst] {
				dropped = true
				continue
			}
		case *lir.Loop:
			x.Head, in[0] = without(x.Head, uses)
			x.Body, in[1] = without(x.Body, uses)
			if len(x.While)+len(x.Body) == 0 {
				dropped = true
				continue
			}
		case *lir.When:
			x.Then, in[0] = without(x.Then, uses)
			x.Else, in[1] = without(x.Else, uses)
			if len(x.Then)+len(x.Else) == 0 {
				dropped = true
				continue
			}
		}
		dropped = dropped || in[0] || in[1]
		stays = append(stays, x)
	}
	return stays, dropped
}

func (s *simplifier) list(list []lir.Node) []lir.Node {
	var out []lir.Node
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if s.instr(x) {
				out = append(out, x)
			}
			delete(s.on, x.Dst)
		case *lir.Loop:
			s.changed(x.Head)
			s.changed(x.Body)
			x.Head = s.list(x.Head)
			for i, m := range x.While {
				x.While[i] = s.value(m)
			}
			before := maps.Clone(s.on)
			if len(x.While) == 1 {
				s.on[x.While[0]] = true
			}
			x.Body = s.list(x.Body)
			s.on = before
			s.changed(x.Head)
			s.changed(x.Body)
			out = append(out, x)
		case *lir.When:
			out = append(out, s.when(x)...)
		}
	}
	return out
}

// changed removes the masks that list assigns from those known to be on.
func (s *simplifier) changed(list []lir.Node) {
	lir.Walk(list, func(i *lir.Instr) { delete(s.on, i.Dst) })
}

// when simplifies a branch, to one of its sides if its condition is known.
func (s *simplifier) when(x *lir.When) []lir.Node {
	always := false
	var masks []lir.Value
	for _, m := range x.Any {
		m = s.value(m)
		on, known := s.is(m)
		always = always || known && on
		if !known && !slices.Contains(masks, m) {
			masks = append(masks, m)
		}
	}
	never := len(x.Any) > 0 && len(masks) == 0 && !always
	if always {
		masks = nil
	}
	before := maps.Clone(s.on)
	if len(masks) == 1 {
		s.on[masks[0]] = true
	}
	if !never {
		x.Then = s.list(x.Then)
	}
	s.on = maps.Clone(before)
	s.changed(x.Then)
	after := s.on
	s.on = before
	x.Else = s.list(x.Else)
	s.on = after
	s.changed(x.Else)
	switch {
	case never:
		return x.Else
	case len(masks)+len(x.Conds) == 0:
		return x.Then
	}
	x.Any = masks
	return []lir.Node{x}
}

// value returns the replacement of v, or v.
func (s *simplifier) value(v lir.Value) lir.Value {
	for s.same[v] != 0 {
		v = s.same[v]
	}
	return v
}

// is returns the value of a mask, if it is known.
func (s *simplifier) is(m lir.Value) (on, known bool) {
	if s.on[m] {
		return true, true
	}
	on, known = s.known[m]
	return on, known
}

// becomes replaces i by v, and returns false if i can be removed. Otherwise it makes i a Move.
func (s *simplifier) becomes(i *lir.Instr, v lir.Value) (stays bool) {
	if s.often[i.Dst] == 1 && s.often[v] == 1 {
		s.same[i.Dst] = v
		return false
	}
	i.Op, i.X, i.Y, i.Z = lir.Move, v, 0, 0
	return true
}

// instr simplifies an instruction, and returns false if it can be removed.
func (s *simplifier) instr(i *lir.Instr) (stays bool) {
	i.X, i.Y, i.Z, i.On = s.value(i.X), s.value(i.Y), s.value(i.Z), s.value(i.On)
	if on, known := s.is(i.On); known && on {
		i.On = 0
	}
	x, xKnown := s.is(i.X)
	y, yKnown := s.is(i.Y)
	constant := func(on bool) bool {
		if s.often[i.Dst] == 1 {
			s.known[i.Dst] = on
		}
		*i = lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.I32, Dst: i.Dst} // 0 == 0, or not
		if !on {
			i.Pred = lir.Ne
		}
		return true
	}
	switch i.Op {
	case lir.Cmp:
		if i.X == i.Y && !i.From.IsFloat() {
			return constant(i.Pred == lir.Eq || i.Pred == lir.Le || i.Pred == lir.Ge)
		}
	case lir.MaskAnd:
		switch {
		case xKnown && !x || yKnown && !y:
			return constant(false)
		case xKnown && yKnown:
			return constant(true)
		case xKnown:
			return s.becomes(i, i.Y)
		case yKnown || i.X == i.Y:
			return s.becomes(i, i.X)
		}
	case lir.MaskOr:
		switch {
		case xKnown && x || yKnown && y:
			return constant(true)
		case xKnown && yKnown:
			return constant(false)
		case xKnown:
			return s.becomes(i, i.Y)
		case yKnown || i.X == i.Y:
			return s.becomes(i, i.X)
		}
	case lir.MaskNot:
		switch {
		case xKnown && !x || yKnown && y || i.X == i.Y:
			return constant(false)
		case xKnown && yKnown:
			return constant(true)
		case yKnown:
			return s.becomes(i, i.X)
		case xKnown: // not Y: MaskNot without X
			i.X = 0
		}
	case lir.Select:
		switch {
		case xKnown && x:
			return s.becomes(i, i.Y)
		case xKnown, i.Y == i.Z:
			return s.becomes(i, i.Z)
		}
	case lir.Check:
		return !xKnown || x
	}
	return true
}
