package compiler

import (
	"go/token"
	"go/types"
)

// Constant propagation to shift counts. A helper that rotates by a parameter, as the hash functions
// have it, is called with constants; inlined into a loop it shifts by variables, of which each is
// assigned once. Vectors shift by constants in one instruction.
//
// Counts that are never below zero become unsigned: `1 << k` in a loop over k can't panic then, so
// that the block may compute it before the threads run.

// constants is the pass: tableConstants, constantCounts and unsignedCounts.
func (k *Kernel) constants() {
	k.tableConstants()
	k.constantCounts()
	k.unsignedCounts()
}

// constantCounts replaces counts of shifts that are computed from constants and from variables that
// have one constant value.
func (k *Kernel) constantCounts() {
	defs, value := map[*Var]int{}, map[*Var]*Const{}
	walk(k.Body, func(s Stmt) {
		a, isAssign := s.(*Assign)
		if !isAssign {
			for _, v := range results(s) {
				defs[v]++
			}
			return
		}
		for _, l := range a.L {
			if l == nil {
				continue
			}
			v, whole := assigned(l)
			if v == nil {
				continue
			}
			defs[v]++
			if c, isConst := a.R.(*Const); isConst && whole && a.Def && len(a.L) == 1 && isInteger(v.Type) {
				value[v] = &Const{c.Val, v.Type}
			}
		}
	})
	taken := k.addressed()
	known := func(x Expr) Expr {
		if r, ok := x.(*VarRef); ok && value[r.V] != nil && defs[r.V] == 1 && !taken[r.V] && !r.V.addr {
			return value[r.V]
		}
		return folded(x)
	}
	rewriteReads(k.Body, func(x Expr) Expr {
		b, ok := x.(*Binary)
		if !ok || b.Op != token.SHL && b.Op != token.SHR {
			return x
		}
		if _, isConst := b.Y.(*Const); isConst {
			return x
		}
		y := mapExpr(b.Y, known)
		if n, isConst := constInt(y); !isConst || n < 0 || n >= 8*lineSizes.Sizeof(b.T) {
			return x
		}
		return &Binary{b.Op, b.X, y, b.T}
	})
}

// unsignedCounts converts the counts of shifts that are counters of loops, and not below zero, to
// uint.
func (k *Kernel) unsignedCounts() {
	single, count := k.definitions()
	taken := k.addressed()
	local := func(v *Var) bool { return count[v] == 2 && !taken[v] && !v.addr && types.Identical(v.Type, intType) }
	first := func(v *Var) int64 {
		if n, ok := constInt(single[v]); ok && single[v] != nil {
			return n
		}
		return -1
	}
	// up has the variables that start at zero or above and only grow: an int has too many values to
	// wrap around.
	up := map[*Var]bool{}
	walk(k.Body, func(s Stmt) {
		a, ok := s.(*Assign)
		if !ok || a.Def || len(a.L) != 1 || a.L[0] == nil {
			return
		}
		v, whole := assigned(a.L[0])
		if v == nil || !whole || !local(v) || first(v) < 0 {
			return
		}
		sum, ok := a.R.(*Binary)
		if !ok || sum.Op != token.ADD || !sameExpr(sum.X, &VarRef{v}) {
			return
		}
		if n, ok := constInt(sum.Y); ok && n >= 0 {
			up[v] = true
		}
	})
	change := func(list []Stmt, safe func(v *Var) bool) {
		rewriteReads(list, func(x Expr) Expr {
			b, ok := x.(*Binary)
			if !ok || b.Op != token.SHL && b.Op != token.SHR {
				return x
			}
			if r, ok := b.Y.(*VarRef); ok && safe(r.V) {
				return &Binary{b.Op, b.X, &Convert{r, types.Typ[types.Uint]}, b.T}
			}
			return x
		})
	}
	change(k.Body, func(v *Var) bool { return up[v] })
	walk(k.Body, func(s Stmt) {
		l, ok := s.(*For)
		if !ok {
			return
		}
		i, step, added, ok := countedBy(l)
		if !ok || step > 0 || added != 0 || !local(i) {
			return
		}
		cond := l.Cond.(*Binary)
		least, ok := constInt(cond.Y)
		if ok && (cond.Op == token.GEQ && least >= 0 || cond.Op == token.GTR && least >= -1) {
			change(l.Body, func(v *Var) bool { return v == i })
		}
	})
}
