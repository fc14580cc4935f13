package compiler

import (
	"go/token"
	"maps"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// If-conversion by speculation (pass ifconvert): all threads execute both arms of a short divergent
// branch, and the variables that the arms assign are selected behind it:
//
//	if x[i] > level {          a := x[i] + y[i]
//		v = x[i] + y[i]
//	} else {             =>    b := y[i]
//		v = y[i]
//	}                          v = select(x[i] > level, a, b)
//
// In place of two masks, two jumps and two masked assignments there is a select a variable. The
// arms may only compute, load elements whose bounds checks cover all threads anyway, and branch
// likewise. (Allen, Kennedy, Porterfield and Warren, 1983, convert branches to guards; speculation
// takes the guards away.)

// mostSpeculated is the largest cost of an arm that all threads execute, in simple operations.
const mostSpeculated = 12

// ifConverted lowers a branch whose condition has the mask m, and reports whether it has. within is
// a superset of the threads for which the condition holds.
func (l *lowering) ifConverted(cond Expr, m operand, within lanes, then, otherwise []Stmt) bool {
	if l.b.off("ifconvert") || l.single() || l.across != nil || l.guard != nil || l.isAll(m) || l.isNone(m) {
		return false
	}
	arms := []*arm{{list: then, facts: l.factsOf(cond), in: l.narrow(within), on: m}, {list: otherwise, facts: l.factsOf(not(cond)), in: l.narrow(within.other()), on: m}}
	for _, a := range arms {
		if l.assignsInts(a.list...) || !l.speculative(a, a.list, map[*Var]bool{}) || a.cost > mostSpeculated {
			return false
		}
		// a bool is a mask, of which there are few registers: but && and || of helpers are such branches
		if slices.ContainsFunc(a.assigns, func(v *Var) bool { return isBool(v.Type) && !isRef(cond, v) }) {
			return false
		}
	}
	// what the condition loads, or both arms do, all threads load
	anyway := l.surelyLoads(nil, cond)
	first, second := l.surelyLoads(then, nil), l.surelyLoads(otherwise, nil)
	for key := range first {
		anyway[key] = anyway[key] || second[key]
	}
	for _, a := range arms {
		if !l.loadsAnyway(a, anyway) {
			return false
		}
	}
	l.b.k.works("ifconvert")
	var vars []*Var
	for _, a := range arms {
		l.runSpeculatively(a)
		for _, v := range a.assigns {
			if !slices.Contains(vars, v) {
				vars = append(vars, v)
			}
		}
	}
	for _, v := range vars {
		to := l.values[v]
		sides := [2]operand{to, to}
		for i, a := range arms {
			if x := a.values[v]; x != nil {
				sides[i] = x
			}
		}
		if isBool(v.Type) {
			l.selectBool(v, m, arms[0].values[v], arms[1].values[v])
			continue
		}
		k := l.kind(v.Type)
		choose := func(mask, x, y operand) {
			for p := range to {
				l.emit(&lir.Instr{Op: lir.Select, Kind: k, Dst: to[p], X: mask.at(p), Y: x.at(p), Z: y.at(p)})
			}
		}
		switch {
		case l.everywhere() || l.isOwn(v):
			choose(m, sides[0], sides[1])
		case arms[1].values[v] == nil:
			choose(l.joined(l.on, m), sides[0], to)
		case arms[0].values[v] == nil:
			choose(l.without(l.on, m), sides[1], to)
		default:
			choose(l.on, l.op(lir.Instr{Op: lir.Select, Kind: k}, nil, m, sides[0], sides[1]), to)
		}
	}
	return true
}

// selectBool assigns a bool that is the condition, with mask m, what it has at the ends of two arms, of
// which those may be nil that don't assign it.
func (l *lowering) selectBool(v *Var, m, then, otherwise operand) {
	to := l.values[v]
	x := m
	if then != nil {
		x = l.joined(m, then)
	}
	if otherwise != nil {
		x = l.either(x, l.without(otherwise, m))
	}
	if !l.everywhere() && !l.isOwn(v) {
		x = l.either(l.without(to, l.on), l.joined(l.on, x))
	}
	l.op(lir.Instr{Op: lir.Move, Kind: lir.Mask}, to, x)
}

// An arm is one side of a branch.
type arm struct {
	list    []Stmt
	facts   []fact  // about the threads that take it
	in      lanes   // a superset of them
	on      operand // the mask of the branch: not all of those that come to it
	cost    int     // in simple operations
	loads   []*Index
	assigns []*Var           // variables that are declared outside
	values  map[*Var]operand // what these have at the end of the arm
}

// speculative reports whether all threads may execute a list of an arm. inside are the variables
// that the arm has declared so far. It adds up the arm's cost, loads and assigned variables.
func (l *lowering) speculative(a *arm, list []Stmt, inside map[*Var]bool) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *Assign:
			if len(s.L) != 1 || s.L[0] == nil || !l.cheap(a, s.R) {
				return false
			}
			to, ok := s.L[0].(*VarRef)
			if !ok {
				return false
			}
			v := to.V
			if v.addr || v.spread || v.common || v.value != nil || !basic(v.Type) {
				return false
			}
			if s.Def {
				inside[v] = true
			}
			if inside[v] {
				continue
			}
			if l.values[v] == nil || l.isNarrow(v) || l.driven[v] || slices.Contains(l.settling, v) {
				return false
			}
			if !slices.Contains(a.assigns, v) {
				a.assigns = append(a.assigns, v)
			}
		case *If:
			if !l.cheap(a, s.Cond) || !l.speculative(a, s.Then, inside) || !l.speculative(a, s.Else, inside) {
				return false
			}
			a.cost++
		default:
			return false
		}
	}
	return true
}

// cheap reports whether all threads may compute e, and adds its cost and loads to those of an arm.
func (l *lowering) cheap(a *arm, e Expr) bool {
	if !l.harmless(e) {
		return false
	}
	ok := true
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Unary, *Convert:
			a.cost++
		case *Index:
			ok = ok && !l.isOwnArray(x.X)
			a.loads = append(a.loads, x)
			a.cost++
		case *Binary:
			a.cost++
			if x.Op == token.QUO || x.Op == token.REM {
				a.cost += mostSpeculated
			}
		case *Call:
			verb, _, simple := floatCall(x)
			simple = simple && verb != lir.Sqrt || x.Fn == nil && (x.Name == "min" || x.Name == "max") || x.Name == devicePath+".Fmaf" || x.Name == "math.FMA"
			a.cost++
			if !simple {
				a.cost += mostSpeculated
			}
		}
	})
	return ok
}

// surelyLoads returns the keys of the elements that statements, or an expression, load in any case.
func (l *lowering) surelyLoads(list []Stmt, e Expr) map[string]bool {
	keys := map[string]bool{}
	var visit func(e Expr)
	visit = func(e Expr) {
		if x, ok := e.(*Binary); ok && (x.Op == token.LAND || x.Op == token.LOR) {
			visit(x.X)
			return
		}
		if x, ok := e.(*Index); ok {
			if key, ok := l.elementKey(x); ok {
				keys[key] = true
			}
		}
		subexprs(e, visit)
	}
	l.quiet++
	if e != nil {
		visit(e)
	}
	for _, s := range list {
		exprs(s, visit)
	}
	l.quiet--
	return keys
}

// loadsAnyway reports whether the bounds checks of what an arm loads are the same for the threads
// that take it and for all that come to the branch. The elements in anyway are checked for all.
func (l *lowering) loadsAnyway(a *arm, anyway map[string]bool) bool {
	if len(a.loads) == 0 {
		return true
	}
	var all []access
	l.quiet++
	for _, x := range a.loads {
		v, row := l.sliceVar(x)
		p, affine := l.polyOf(&Convert{x.I, intType})
		if v == nil || row != nil || !affine || !isSlice(x.X.Type()) || !l.isKernels(x.X) || isUnsigned64(x.I.Type()) {
			l.quiet--
			return false
		}
		if key, ok := l.elementKey(x); ok && anyway[key] {
			continue
		}
		all = append(all, access{x, v, row, p, false, true})
	}
	l.quiet--
	outer := l.on
	l.on = a.on
	own, ok := l.checksOf(all, a.in, append(slices.Clip(l.facts), a.facts...))
	l.on = outer
	every, okEvery := l.checksOf(all, l.lanes, l.facts)
	return ok && okEvery && slices.Equal(own, every)
}

// runSpeculatively lowers an arm for all threads that come to the branch. What it assigns is in
// registers of its own.
func (l *lowering) runSpeculatively(a *arm) {
	a.values = map[*Var]operand{}
	before, born := map[*Var]operand{}, maps.Clone(l.born)
	for _, v := range a.assigns {
		before[v] = l.values[v]
		depth, kind, make := l.depth[v], lir.Mask, l.maskVariable
		if !isBool(v.Type) {
			kind, make = l.kind(v.Type), l.variable
		}
		own := make(v)
		l.depth[v] = depth
		if !assignsFirst(a.list, v) {
			l.op(lir.Instr{Op: lir.Move, Kind: kind}, own, before[v])
		}
		a.values[v], l.values[v] = own, own
		l.born[v] = birth{l.born[v].rounds, l.born[v].whens, slices.Clone(l.on), true}
	}
	l.stmts(a.list)
	maps.Copy(l.values, before)
	l.born = born
}

// assignsFirst reports whether a list assigns v in any case, before it reads it or branches.
func assignsFirst(list []Stmt, v *Var) bool {
	for _, s := range list {
		a, ok := s.(*Assign)
		if !ok || mentions(a.R, v) {
			return false
		}
		if isRef(a.L[0], v) {
			return true
		}
	}
	return false
}

// isOwn reports whether a variable was declared by just the threads that are active here, so that
// its value for others does not matter.
func (l *lowering) isOwn(v *Var) bool {
	b, ok := l.born[v]
	return ok && slices.Equal(b.on, l.on) && (b.arm || !slices.ContainsFunc(l.on, func(m lir.Value) bool { return l.mutable[m] }))
}
