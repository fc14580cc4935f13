package lir

import "slices"

// DropChecks removes checks that others imply (redundant bounds check elimination; Gupta, 1993): if a check of the mask
// a && b did not leave the func, neither would one of a && b && c behind it. Masks that are variables count as a whole,
// and only until they are assigned again; so do those that loops assign.
func DropChecks(n *Nest) {
	often, made := make([]int, len(n.Kinds)), make([]*Instr, len(n.Kinds))
	Walk(n.Body, func(i *Instr) {
		if i.Dst != 0 {
			often[i.Dst]++
			made[i.Dst] = i
		}
	})
	d := &dropping{often: often, made: made}
	n.Body = d.list(n.Body, nil)
}

type dropping struct {
	often []int
	made  []*Instr // the instruction that assigns a value; nil for the lanes of the strip
}

// A factor is one of several masks that are combined by "and"; with not, the lanes that are off in it.
type factor struct {
	v   Value
	not bool
}

// mostFactors is the largest number of factors of a mask.
const mostFactors = 16

// factors returns the masks whose combination is v, or nil if they may change.
func (d *dropping) factors(v Value, not bool, depth int) []factor {
	i := d.made[v]
	if d.often[v] > 1 {
		return nil
	}
	if !not && i != nil && depth < mostFactors && (i.Op == MaskAnd || i.Op == MaskNot) {
		x, y := d.factors(i.X, false, depth+1), d.factors(i.Y, i.Op == MaskNot, depth+1)
		if x == nil || y == nil || len(x)+len(y) > mostFactors {
			return nil
		}
		return append(slices.Clip(x), y...)
	}
	return []factor{{v, not}}
}

// list returns list without such checks. No lane is on in all masks of an element of known.
func (d *dropping) list(list []Node, known [][]factor) (out []Node) {
	known = slices.Clip(known)
	for _, x := range list {
		switch x := x.(type) {
		case *Instr:
			if x.Op == Check {
				all := d.factors(x.X, false, 0)
				if all != nil && slices.ContainsFunc(known, func(before []factor) bool {
					return !slices.ContainsFunc(before, func(f factor) bool { return !slices.Contains(all, f) })
				}) {
					continue
				}
				if all != nil {
					known = append(known, all)
				}
			}
		case *Loop:
			x.Head = d.list(x.Head, known)
			x.Body = d.list(x.Body, known)
		case *When:
			x.Then, x.Else = d.list(x.Then, known), d.list(x.Else, known)
		}
		out = append(out, x)
	}
	return out
}
