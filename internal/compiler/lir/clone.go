package lir

import "slices"

// Clone returns a deep copy of n. Register allocation changes a nest even if it fails.
func (n *Nest) Clone() *Nest {
	c := *n
	c.Groups, c.Kinds = slices.Clone(n.Groups), slices.Clone(n.Kinds)
	c.Body = cloner{}.list(n.Body)
	return &c
}

// A cloner maps loops to their copies, which scalars refer to.
type cloner map[*Loop]*Loop

func (c cloner) list(list []Node) []Node {
	out := make([]Node, len(list))
	for i, x := range list {
		switch x := x.(type) {
		case *Instr:
			y := *x
			y.Pattern, y.Temps = slices.Clone(x.Pattern), slices.Clone(x.Temps)
			y.Bounds = [2]Scalar{c.scalar(x.Bounds[0]), c.scalar(x.Bounds[1])}
			out[i] = &y
		case *Loop:
			y := &Loop{Steps: slices.Clone(x.Steps), Few: x.Few, While: slices.Clone(x.While), Left: slices.Clone(x.Left)}
			c[x] = y
			y.Trips, y.Conds = c.scalar(x.Trips), c.scalars(x.Conds)
			y.Head, y.Body = c.list(x.Head), c.list(x.Body)
			out[i] = y
		case *When:
			out[i] = &When{c.scalars(x.Conds), slices.Clone(x.Any), x.All, x.Open, c.list(x.Then), c.list(x.Else)}
		}
	}
	return out
}

func (c cloner) scalar(s Scalar) Scalar {
	s.Terms = slices.Clone(s.Terms)
	for i, t := range s.Terms {
		if copied, ok := c[t.Loop]; ok {
			s.Terms[i].Loop = copied
		}
	}
	return s
}

func (c cloner) scalars(list []Scalar) []Scalar {
	out := slices.Clone(list)
	for i, s := range out {
		out[i] = c.scalar(s)
	}
	return out
}
