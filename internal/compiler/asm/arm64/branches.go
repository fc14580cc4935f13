package arm64

import (
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Uniform conditions as masks, which have all lanes on or off. A branch on such a mask becomes a
// branch on the scalar from which the mask was made.

// A common is the scalar behind a uniform mask: all lanes are on if it is positive, or, with not,
// if it isn't.
type common struct {
	of  lir.Scalar
	not bool
}

// commons returns the uniform masks with their scalars.
func commons(n *lir.Nest) map[lir.Value]common {
	sets, _ := count(n.Body)
	list, all := map[lir.Value]common{}, map[lir.Value]bool{}
	lir.Walk(n.Body, func(i *lir.Instr) {
		if i.Dst == 0 || sets[i.Dst] != 1 {
			return
		}
		switch c, known := list[i.Y]; {
		case i.Op == lir.Whole:
			list[i.Dst] = common{of: i.Bounds[0]}
		case i.Op == lir.Cmp && i.X == i.Y && i.Pred == lir.Eq && !i.From.IsFloat():
			all[i.Dst] = true
		case i.Op == lir.MaskNot && all[i.X] && known:
			list[i.Dst] = common{c.of, !c.not}
		}
	})
	return list
}

// branch turns branches on uniform masks into branches on scalars, and merges adjacent branches on
// the same scalar.
func branch(n *lir.Nest) {
	known := commons(n)
	changed := false
	var all func(list []lir.Node) []lir.Node
	all = func(list []lir.Node) (out []lir.Node) {
		for _, x := range list {
			switch x := x.(type) {
			case *lir.Loop:
				x.Head, x.Body = all(x.Head), all(x.Body)
			case *lir.When:
				x.Then, x.Else = all(x.Then), all(x.Else)
				if len(x.Any) != 1 {
					break
				}
				c, ok := known[x.Any[0]]
				switch {
				case !ok || c.not && (len(x.Conds) > 0 || len(x.Else) > 0):
				case c.not:
					x.Conds, x.Any, x.All, x.Then, x.Else = []lir.Scalar{c.of}, nil, false, nil, x.Then
					changed = true
				default:
					x.Conds, x.Any, x.All = append(slices.Clone(x.Conds), c.of), nil, false
					changed = true
				}
				if len(out) > 0 {
					if before, ok := out[len(out)-1].(*lir.When); ok && sameQuestion(before, x) {
						before.Then, before.Else = append(before.Then, x.Then...), append(before.Else, x.Else...)
						continue
					}
				}
			}
			out = append(out, x)
		}
		return out
	}
	n.Body = all(n.Body)
	if changed {
		lir.DropDead(n)
	}
}

// sameQuestion reports whether two branches test one scalar, the same one.
func sameQuestion(a, b *lir.When) bool {
	return len(a.Any) == 0 && len(b.Any) == 0 && len(a.Conds) == 1 && len(b.Conds) == 1 && a.Conds[0].Off == b.Conds[0].Off && a.Conds[0].Strip == b.Conds[0].Strip && slices.Equal(a.Conds[0].Terms, b.Conds[0].Terms)
}
