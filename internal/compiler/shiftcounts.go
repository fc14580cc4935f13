package compiler

import "go/token"

// Constant propagation to shift counts. A helper that rotates by a parameter, as the hash functions
// have it, is called with constants; inlined into a loop it shifts by variables, of which each is
// assigned once. Vectors shift by constants in one instruction.

// constants is the pass: tableConstants and constantCounts.
func (k *Kernel) constants() {
	k.tableConstants()
	k.constantCounts()
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
