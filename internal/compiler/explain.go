package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// The output of -explain: the phases of each kernel, where its variables live, the checks at run
// time, and the phases that became vector code.

// explain returns the notes about k, except those about vectors.
func (k *Kernel) explain(p *program, q *pkg) []Note {
	var notes []Note
	say := func(pos token.Pos, format string, args ...any) {
		if !pos.IsValid() {
			pos = k.Pos
		}
		notes = append(notes, Note{p.relative(q, pos), k.Name, fmt.Sprintf(format, args...)})
	}
	if k.Reason != "" {
		say(k.ReasonPos, "not translated: %s", k.Reason)
		return notes
	}
	say(k.Pos, "%s%s", plural(k.phases, "phase"), map[bool]string{true: ", fastmath"}[k.Fastmath])
	switch {
	case k.linear:
		say(k.Pos, "the threads of a block are one row")
	case k.tall:
		say(k.Pos, "blocks that are neighbours along x are run at once, and rows of blocks")
	case k.wide:
		say(k.Pos, "blocks that are neighbours along x are run at once")
	}
	for tp := range k.TypeParams.TypeParams() {
		if names := k.leftOut(tp); names != "" {
			say(k.Pos, "no vectors for %s = %s, unless the option types= names them", tp.Obj().Name(), names)
		}
	}
	var once, each []*Var
	for _, v := range k.Vars {
		switch {
		case v.common:
			once = append(once, v)
		case v.spread:
			each = append(each, v)
		}
	}
	if names, _ := namesOf(once); len(names) > 0 {
		say(k.Pos, "the same for all threads: %s", strings.Join(names, ", "))
	}
	if names, others := namesOf(each); len(each) > 0 {
		if others > 0 {
			names = append(names, plural(others, "value")+" without a name")
		}
		say(k.Pos, "kept for each thread from phase to phase: %s", strings.Join(names, ", "))
	}
	if k.tracked {
		say(k.Pos, "threads may leave before others, so each phase asks who is left")
	}
	n := 0
	eachNodeOnce(k.nodes, func(x node) {
		switch x := x.(type) {
		case *region:
			if x.over {
				notes = append(notes, k.explainRow(p, q, x, n+1)...)
				return
			}
			n++
			if x.bound != nil {
				say(x.bound.Pos, "phase %d: the condition became the bounds of the loop over threads", n)
			}
			notes = append(notes, k.explainRow(p, q, x, n)...)
		case *branch:
			if x.s.whole {
				say(x.s.Pos, "blocks whose threads all pass the guard have a form of their own, in which no thread returns here")
			}
			if x.asks {
				say(x.s.Pos, "all threads are asked whether they agree on the condition%s", mayDisagree(x.parts))
			}
		case *loop:
			if x.asks {
				say(x.s.Pos, "all threads are asked in each round whether they agree on the condition%s", mayDisagree(x.parts))
			}
		}
	})
	return notes
}

// explainRow says whether phase n has rows in assembly.
func (k *Kernel) explainRow(p *program, q *pkg, r *region, n int) []Note {
	nest := k.rows[r]
	if nest == nil {
		return nil
	}
	pos := k.Pos
	if i := slices.IndexFunc(r.stmts, func(s Stmt) bool { return s.Position().IsValid() }); i >= 0 {
		pos = r.stmts[i].Position()
	}
	text := fmt.Sprintf("phase %d%s: ", n, k.arguments(k.targs))
	switch {
	case nest.why == "" && nest.moves:
		text += "rows in Go, without vectors, since it has " + apartAlone
	case nest.why == "":
		text += "rows in assembly" + nest.explain()
	default:
		text += "no vectors, since it has " + nest.why
	}
	return []Note{{p.relative(q, pos), k.Name, text}}
}

// explain lists the passes that changed a nest, and the cost of an element on each machine relative
// to plain Go.
func (n *nested) explain() (text string) {
	// these passes change every nest
	did := slices.DeleteFunc(slices.Clone(n.did), func(pass string) bool { return pass == "lower" || pass == "gogen" })
	if len(did) > 0 {
		text = " by " + strings.Join(did, ", ")
	}
	var costs []string
	for _, m := range n.on {
		if c := n.costs[m.Name]; c > 0 && n.alone > 0 {
			costs = append(costs, fmt.Sprintf("%.2f with %s", c/n.alone, m.Name))
		}
	}
	if len(costs) > 0 {
		text += "; expected cost, for 1 in plain Go: " + strings.Join(costs, ", ")
	}
	return text
}

// explainRows says, for all phases of a form of a generic kernel, whether they have rows in
// assembly.
func (k *Kernel) explainRows(p *program, q *pkg) (notes []Note) {
	n := 0
	eachNodeOnce(k.nodes, func(x node) {
		if r, ok := x.(*region); ok && r.over {
			notes = append(notes, k.explainRow(p, q, r, n+1)...)
		} else if ok {
			n++
			notes = append(notes, k.explainRow(p, q, r, n)...)
		}
	})
	return notes
}

// namesOf returns the source names of the variables in list, and the number of variables without a
// source name.
func namesOf(list []*Var) (names []string, others int) {
	for _, v := range list {
		if v.Said == "" {
			others++
		} else if !slices.Contains(names, v.Said) {
			names = append(names, v.Said)
		}
	}
	return names, others
}

func mayDisagree(parts bool) string {
	if parts {
		return "; they need not, since no barrier follows"
	}
	return ""
}

// arguments lists the type arguments of the kernel, each preceded by a comma.
func (k *Kernel) arguments(targs map[*types.TypeParam]types.Type) string {
	text := ""
	if targs == nil {
		return ""
	}
	for i := range k.TypeParams.Len() {
		tp := k.TypeParams.At(i)
		text += fmt.Sprintf(", %s = %s", tp.Obj().Name(), targs[tp])
	}
	return text
}
