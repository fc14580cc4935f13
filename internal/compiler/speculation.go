package compiler

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Speculation (pass speculate): a loop under a condition that selects an interval of threads, as
// the dot products of a triangular matrix under j <= i, is executed by all threads of the vectors
// that have an active one. The loop must only load elements whose bounds checks cover all threads
// anyway, and assign variables that end with the branch. So the loop needs no masks: rows of threads
// that are jammed share their loads, and tiles and sums across lanes become possible. Stores behind
// the loop keep their masks.

// speculable reports whether all threads may execute a counted loop, whose trip count is count and
// whose counter is i. r is its round.
func (l *lowering) speculable(s *For, i *Var, count poly, r *round) bool {
	// in the last iteration of a strided loop, threads of the vectors are beyond its limit, and so may be
	// their elements; the checks are for those below
	strided := slices.ContainsFunc(l.rounds, func(r *round) bool { return r.step != nil })
	if strided || l.guard != nil || l.b.off("speculate") || l.single() || l.late || l.on == nil || l.everywhere() || !l.isInterval(l.on) || !count.ofRow() || hasLoop(s.Body) {
		return false
	}
	inside := map[*Var]bool{i: true}
	for _, x := range s.Body {
		a, isAssign := x.(*Assign)
		if !isAssign || len(a.L) != 1 || a.L[0] == nil || !l.harmless(a.R) {
			return false
		}
		to, isVar := a.L[0].(*VarRef)
		if !isVar || to.V.addr || to.V.spread || to.V.common || !basic(to.V.Type) || isBool(to.V.Type) || isInteger(to.V.Type) && wide(to.V.Type) {
			return false
		}
		b, born := l.born[to.V]
		switch {
		case a.Def:
			inside[to.V] = true
		case inside[to.V]:
		case !born || !slices.Equal(b.on, l.on) || b.whens != len(l.whens):
			return false // it has a value for other threads
		}
	}
	l.quiet++
	all, ok := l.accesses(s.Body)
	l.quiet--
	if !ok || slices.ContainsFunc(all, func(a access) bool {
		return a.stored || a.p == nil || !l.isKernels(a.x.X) || isUnsigned64(a.x.I.Type())
	}) {
		return false
	}
	l.rounds = append(l.rounds, r)
	defer func() { l.rounds = l.rounds[:len(l.rounds)-1] }()
	active, ok := l.checksOf(all, l.lanes, l.facts)
	every, okEvery := l.checksOf(all, l.sure, l.sureFacts)
	return ok && okEvery && slices.Equal(active, every)
}

// harmless reports whether an expression has the same effect, none, for threads that don't want
// its value: it has no operation that may panic but loads, or leave the nest.
func (l *lowering) harmless(e Expr) bool {
	ok := true
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Const, *VarRef, *Unary, *Index, *Index3, *Rank:
		case *Field:
			_, isPointer := x.X.Type().Underlying().(*types.Pointer)
			ok = ok && !isPointer
		case *Binary:
			switch x.Op {
			case token.QUO, token.REM, token.SHL, token.SHR:
				_, isConst := constInt(x.Y)
				ok = ok && (isFloat(x.T) || isConst)
			}
		case *Call:
			ok = ok && x.Pure
		case *Convert:
			ok = ok && (isInteger(x.X.Type()) || !isInteger(x.T))
		default:
			ok = false
		}
	})
	return ok
}

// checksOf returns the checks of accesses by the threads in a set, of which facts are known. ok is
// false if some are checked lane by lane. It leaves the row as it was.
func (l *lowering) checksOf(all []access, of lanes, facts []fact) (checks []string, ok bool) {
	r := l.row
	args, locals, others, atoms, likely := len(r.args), len(r.locals), r.checks, maps.Clone(r.atoms), maps.Clone(r.likely)
	before, known, outer := l.lanes, l.facts, l.list
	defer func() {
		r.args, r.locals, r.checks, r.atoms, r.likely = r.args[:args], r.locals[:locals], others, atoms, likely
		l.lanes, l.facts, l.list = before, known, outer
	}()
	var nodes []lir.Node
	l.list = &nodes
	r.checks, l.lanes, l.facts = nil, of, facts
	for _, a := range all {
		l.checkAccess(l.slice(a.x), a.p)
	}
	return slices.Sorted(slices.Values(r.checks)), len(nodes) == 0
}

// isInterval reports whether the active lanes of masks are those of an interval of threads, or those
// outside of one.
func (l *lowering) isInterval(masks operand) bool {
	return !slices.ContainsFunc(masks, func(v lir.Value) bool { return !l.intervals[v] && v != l.consts["all"] && v != l.n.Lanes })
}

// noteInterval records the masks of intervals.
func (l *lowering) noteInterval(i *lir.Instr) {
	is := func(v lir.Value) bool { return l.intervals[v] || v == l.consts["all"] || v == l.n.Lanes }
	switch i.Op {
	case lir.Within, lir.Whole:
	case lir.MaskAnd, lir.MaskNot:
		if !is(i.X) || !is(i.Y) {
			return
		}
	default:
		return
	}
	if l.intervals == nil {
		l.intervals = map[lir.Value]bool{}
	}
	l.intervals[i.Dst] = true
}
