package gogen

import (
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// The hull of a nest: threads at the beginning and the end of a row for which every mask is off are
// not executed.

// An interval is the bounds of a Within.
type interval [2]string

// hull returns intervals of threads outside of which n, a form for one thread, has no effect. Those
// of a plane may differ from row to row.
func (p *printer) hull(n *lir.Nest, rows *lir.Loop) []interval {
	isKnown := func(s lir.Scalar) bool {
		return !slices.ContainsFunc(s.Terms, func(t lir.Term) bool { return t.Loop != rows })
	}
	defs, often := map[lir.Value]*lir.Instr{}, map[lir.Value]int{}
	lir.Walk(n.Body, func(i *lir.Instr) {
		defs[i.Dst] = i
		often[i.Dst]++
	})
	var implied func(mask lir.Value) []interval
	implied = func(mask lir.Value) []interval {
		i := defs[mask]
		if i == nil || often[mask] != 1 {
			return nil
		}
		switch i.Op {
		case lir.Within:
			if isKnown(i.Bounds[0]) && isKnown(i.Bounds[1]) {
				return []interval{{p.scalar(i.Bounds[0]), p.scalar(i.Bounds[1])}}
			}
		case lir.MaskAnd:
			return slices.Concat(implied(i.X), implied(i.Y))
		case lir.MaskNot:
			return implied(i.X)
		}
		return nil
	}
	var common []interval
	some := false
	effect := func(in []interval) {
		if !some {
			common = in
		}
		some = true
		common = slices.DeleteFunc(slices.Clone(common), func(i interval) bool { return !slices.Contains(in, i) })
	}
	var visit func(list []lir.Node, in []interval)
	visit = func(list []lir.Node, in []interval) {
		for _, x := range list {
			switch x := x.(type) {
			case *lir.Instr:
				switch {
				case x.Dst != 0:
				case x.Op == lir.Check:
					effect(slices.Concat(in, implied(x.X)))
				default:
					effect(slices.Concat(in, implied(x.On)))
				}
			case *lir.Loop:
				visit(x.Head, in)
				visit(x.Body, in)
			case *lir.When:
				then := in
				if len(x.Any) == 1 {
					then = slices.Concat(in, implied(x.Any[0]))
				}
				visit(x.Then, then)
				visit(x.Else, in)
			}
		}
	}
	visit(n.Body, nil)
	slices.SortFunc(common, func(a, b interval) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(common)
}

// within prints the first thread and the end of the threads in all intervals, and returns the first
// thread.
func (p *printer) within(in []interval) (from string) {
	if len(in) == 0 {
		return "0"
	}
	lo, hi := "0", "many"
	for _, i := range in {
		lo += ", " + i[0]
		hi += ", " + i[1]
	}
	p.line("from, many := max(%s), min(%s)", lo, hi)
	return "from"
}
