package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
)

// Cubes of reciprocal square roots, which kernels marked fastmath compute at once. With r = 1/sqrt(x), a product
// that has r three times is over/(x sqrt(x)): one step of refinement for all three, and not one for r before it
// is multiplied, saves a multiplication of 14 in n-body's loop, which multiplications limit.

// A cube is over/(x sqrt(x)).
type cube struct{ over, x Expr }

// findCubes finds the products of list that are cubes. The root is a variable of the list that is assigned once, to
// 1/math.Sqrt(x), and x is a variable that is assigned once, so x still has its value.
func (v *vector) findCubes(list []Stmt) {
	if !v.k.Fastmath {
		return
	}
	roots := map[*Var]Expr{}
	for _, s := range list {
		a, ok := s.(*Assign)
		if !ok || len(a.L) != 1 {
			continue
		}
		if len(roots) > 0 {
			v.cubesIn(a.R, roots)
		}
		if r, x := v.rootOf(a); r != nil {
			roots[r] = x
		}
	}
}

// rootOf returns r and x if a declares r := 1/math.Sqrt(x), in float32.
func (v *vector) rootOf(a *Assign) (r *Var, x Expr) {
	q, ok := a.R.(*Binary)
	if !ok || !a.Def || q.Op != token.QUO || elem(q.T) != "F32" {
		return nil, nil
	}
	one, ok := q.X.(*Const)
	if !ok || constant.Compare(one.Val, token.NEQ, constant.MakeInt64(1)) {
		return nil, nil
	}
	name, x, ok := mathCall(q.Y)
	if !ok || name != "Sqrt" {
		return nil, nil
	}
	l, isVar := a.L[0].(*VarRef)
	of, ofVar := x.(*VarRef)
	if !isVar || !ofVar || v.k.single[l.V] == nil || v.k.single[of.V] == nil || scalarShape(of.V.Shape) {
		return nil, nil
	}
	return l.V, x
}

// cubesIn finds the cubes of e.
func (v *vector) cubesIn(e Expr, roots map[*Var]Expr) {
	product, ok := e.(*Binary)
	if !ok || product.Op != token.MUL || elem(product.T) != "F32" {
		subexprs(e, func(x Expr) { v.cubesIn(x, roots) })
		return
	}
	var factors []Expr
	var flat func(x Expr)
	flat = func(x Expr) {
		if b, ok := x.(*Binary); ok && b.Op == token.MUL && types.Identical(b.T, product.T) {
			flat(b.X)
			flat(b.Y)
			return
		}
		factors = append(factors, x)
	}
	flat(e)
	counts := map[*Var]int{}
	for _, f := range factors {
		if r, ok := f.(*VarRef); ok && roots[r.V] != nil {
			counts[r.V]++
		}
	}
	for _, f := range factors {
		r, ok := f.(*VarRef)
		if !ok || counts[r.V] < 3 {
			continue
		}
		var over Expr
		left := 3
		for _, g := range factors {
			if q, ok := g.(*VarRef); ok && q.V == r.V && left > 0 {
				left--
			} else if over == nil {
				over = g
			} else {
				over = &Binary{Op: token.MUL, X: over, Y: g, T: product.T}
			}
		}
		if over != nil {
			v.cubes[product] = cube{over, roots[r.V]}
		}
		return
	}
	for _, f := range factors {
		v.cubesIn(f, roots)
	}
}
