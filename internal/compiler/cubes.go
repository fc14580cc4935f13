package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
)

// Cubes of reciprocal square roots, which kernels marked fastmath compute at once. With r = 1/sqrt(x), a product
// that has r three times is over/(x sqrt(x)): one step of refinement for all three, and not one for r before it
// is multiplied, saves a multiplication of 14 in n-body's loop, which multiplications limit.

// A cube is over/(x sqrt(x)). A lean one is -2/3 of it, see leanSums.
type cube struct {
	over, x Expr
	lean    bool
}

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
			v.cubes[product] = cube{over, roots[r.V], v.cubes[product].lean}
		}
		return
	}
	for _, f := range factors {
		v.cubesIn(f, roots)
	}
}

// Sums of cubes. Where all that a loop does with a cube is to add products of it to sums, the cube's factor of -3/2 is left out,
// and the sums are multiplied by it after the loop and divided before it: another multiplication less of 13. (Sums that begin at 0, to which the numbers from before the loop are added after it,
// would not change if there are no rounds, where these may by an ulp, but Go keeps the numbers in registers, and spills others in the loop.)

// leanRounds is how many rounds a loop must have if their number is known, to be worth what is done before and after it.
const leanRounds = 8

// leanSums prints s with print, with lean cubes and what they need before and after the loop, if it is such a loop.
func (v *vector) leanSums(s *For, print func()) {
	sums := v.leanIn(s)
	if len(sums) == 0 {
		print()
		return
	}
	scale := func(by string) {
		for _, w := range sums {
			v.each(v.varies(w.Shape), func() { v.printf("%s = %s(%s)\n", v.name(w), v.vec(by, w.Type), v.name(w)) })
		}
	}
	scale("LeanBegin")
	print()
	scale("LeanEnd")
	// The loop may be printed again, for some lanes.
	walk([]Stmt{s}, func(x Stmt) {
		if a, ok := x.(*Assign); ok {
			if product, ok := a.R.(*Binary); ok && v.cubes[product].lean {
				v.cubes[product] = cube{over: v.cubes[product].over, x: v.cubes[product].x}
			}
		}
	})
}

// leanIn finds the sums of s, and makes its cubes lean.
func (v *vector) leanIn(s *For) []*Var {
	if !v.k.Fastmath || v.lanes < 8 || v.mask != v.strip || s.parts[0] != 0 || len(s.Pre) > 0 || leaves(s) {
		return nil
	}
	if _, limit, ok := v.counts(s); ok {
		if n, isConst := constInt(limit); isConst && n < leanRounds {
			return nil
		}
	}
	var lists [][]Stmt
	var collect func(list []Stmt)
	collect = func(list []Stmt) {
		lists = append(lists, list)
		for _, x := range list {
			switch x := x.(type) {
			case *If:
				collect(x.Then)
				collect(x.Else)
			case *Block:
				collect(x.Body)
			}
		}
	}
	collect(s.Body)
	cubes := map[*Var]*Binary{} // the variables that are cubes
	for _, list := range lists {
		v.findCubes(list)
		for _, x := range list {
			a, ok := x.(*Assign)
			if !ok || !a.Def || len(a.L) != 1 {
				continue
			}
			w, whole := assigned(a.L[0])
			product, ok := a.R.(*Binary)
			if _, isCube := v.cubes[product]; ok && isCube && whole && v.k.single[w] != nil && !w.addr {
				cubes[w] = product
			}
		}
	}
	if len(cubes) == 0 {
		return nil
	}
	used, added := map[*Var]int{}, map[*Var]int{}
	for _, list := range lists {
		for _, x := range list {
			a, ok := x.(*Assign)
			if !ok || a.Def || len(a.L) != 1 {
				continue
			}
			w, whole := assigned(a.L[0])
			if w == nil || !whole || w.addr || w.common || declaredIn(w, s) || elem(w.Type) != "F32" || scalarShape(w.Shape) {
				continue
			}
			if of := productsOf(a.R, w, cubes); of != nil {
				added[w]++
				for c, n := range of {
					used[c] += n
				}
			}
		}
	}
	for c := range cubes {
		if n := reads(v.everywhere(), c); n == 0 || n != used[c] {
			return nil
		}
	}
	var sums []*Var
	for _, w := range v.k.Vars {
		if added[w] == 0 {
			continue
		}
		if reads([]Stmt{s}, w) != added[w] || writes([]Stmt{s}, w) != added[w] {
			return nil
		}
		sums = append(sums, w)
	}
	for _, product := range cubes {
		c := v.cubes[product]
		c.lean = true
		v.cubes[product] = c
	}
	return sums
}

// productsOf reports how often each cube is in e, if e is w and products that have one cube each, added up.
func productsOf(e Expr, w *Var, cubes map[*Var]*Binary) map[*Var]int {
	of, self, ok := map[*Var]int{}, 0, true
	var term func(e Expr)
	term = func(e Expr) {
		if b, isBinary := e.(*Binary); isBinary && b.Op == token.ADD {
			term(b.X)
			term(b.Y)
			return
		}
		if r, isVar := e.(*VarRef); isVar && r.V == w {
			self++
			return
		}
		c := factor(e, cubes)
		ok = ok && c != nil
		of[c]++
	}
	term(e)
	if !ok || self != 1 || len(of) == 0 {
		return nil
	}
	return of
}

// factor returns the cube that e is multiplied by, if it is one, once.
func factor(e Expr, cubes map[*Var]*Binary) (c *Var) {
	switch e := e.(type) {
	case *VarRef:
		if cubes[e.V] != nil {
			return e.V
		}
	case *Binary:
		if e.Op == token.MUL {
			x, y := factor(e.X, cubes), factor(e.Y, cubes)
			if x == nil {
				x, y = y, x
			}
			if y == nil {
				return x
			}
		}
	}
	return nil
}

// writes counts the statements of list that assign to w.
func writes(list []Stmt, w *Var) int {
	n := 0
	walk(list, func(s Stmt) {
		switch s.(type) {
		case *If, *For, *Block:
			return // what is in them is counted
		}
		if assignedIn(s)[w] {
			n++
		}
	})
	return n
}
