package compiler

import (
	"go/token"
	"go/types"
	"strings"
)

// Linear blocks (pass linear): a kernel that numbers the threads of a block of two dimensions through, as
// threadIdx.y*blockDim.x + threadIdx.x, and uses their indices for nothing else, has one row for each
// threadIdx.z. Otherwise the rows of a block of 16 by 16 would be loops of 16 threads, and a condition such as
// tid < 8 would cut planes in pieces that are no box (collapsing of loops; Polychronopoulos, 1987).
//
// Often blockDim.x is a constant in the kernel, as in threadIdx.y*16 + threadIdx.x. Then it has another form for
// launches with other blocks.
//
// threadIdx.x is that number then, blockDim.x the number of threads of a plane, and blockDim.y is 1. The block's
// own dimensions are called side.

// linearize makes such rows, if possible.
func (k *Kernel) linearize() {
	if anyStmt(k.Body, func(s Stmt) bool { _, isWarp := s.(*Warp); return isWarp }) {
		return
	}
	single, count := k.definitions()
	l := &linearizer{single: single, count: count}
	copies := map[Stmt]Stmt{}
	body := mapInto(k.Body, func(e Expr) Expr { return e }, copies)
	body = dropDefinitions(body, func(v *Var) bool { return l.isIndex(&VarRef{v}) })
	changeAll(body, func(e Expr) Expr {
		if e == nil {
			return nil
		}
		return l.in(l.inlined(e))
	})
	if l.found && !l.other {
		k.adopt(body, copies)
		k.linear, k.side = true, l.side
	}
}

type linearizer struct {
	single map[*Var]Expr
	count  map[*Var]int
	found  bool  // the number of a thread in its plane is used
	other  bool  // so are its indices otherwise
	side   int64 // if not 0, the number holds only if blockDim.x is this constant
}

// isIndex reports whether e is threadIdx or blockDim along x or y, or a product of such, perhaps held in
// variables.
func (l *linearizer) isIndex(e Expr) bool {
	switch x := e.(type) {
	case *Index3:
		return x.Axis < 2 && (x.Of == threadIdx || x.Of == blockDim)
	case *VarRef:
		return l.count[x.V] == 1 && l.single[x.V] != nil && l.isIndex(l.single[x.V])
	case *Binary:
		return x.Op == token.MUL && l.isIndex(x.X) && l.isIndex(x.Y)
	}
	return false
}

// inlined returns e with the values of variables that hold such indices in their place.
func (l *linearizer) inlined(e Expr) Expr {
	return mapExpr(e, func(x Expr) Expr {
		if r, ok := x.(*VarRef); ok && l.isIndex(r) {
			return l.inlined(l.single[r.V])
		}
		return x
	})
}

// in returns e with the number of the thread in place of its indices.
func (l *linearizer) in(e Expr) Expr {
	switch x := e.(type) {
	case *Index3:
		switch {
		case x.Axis < 2 && x.Of == threadIdx:
			l.other = true
		case x.Axis < 2 && x.Of == blockDim:
			return &Index3{side, x.Axis}
		case x.Of == inPlane:
			return &Index3{[]index3{threadIdx, blockDim}[x.Axis], 0}
		}
		return x
	case *Rank:
		l.found = true
		return x
	case *Method:
		l.other = true
		return x
	case *Binary:
		if !types.Identical(x.T.Underlying(), intType) {
			break
		}
		switch x.Op {
		case token.ADD, token.SUB:
			if l.numbers(x) {
				l.found = true
				return l.in(mapExpr(x, func(e Expr) Expr {
					switch x := e.(type) {
					case *Index3:
						if x.Of == threadIdx && x.Axis == 0 {
							return &Index3{inPlane, 0}
						}
						if x.Of == threadIdx && x.Axis == 1 {
							return intExpr(0)
						}
					case *Binary:
						switch {
						case x.Op == token.MUL && (isConstant(x.X, 0) || isConstant(x.Y, 0)):
							return intExpr(0)
						case x.Op == token.ADD && isConstant(x.X, 0):
							return x.Y
						case (x.Op == token.ADD || x.Op == token.SUB) && isConstant(x.Y, 0):
							return x.X
						}
					}
					return e
				}))
			}
		case token.MUL:
			if y := wholePlane(x); y != nil {
				return l.in(y)
			}
		}
	}
	return mapParts(e, l.in)
}

// numbers reports whether a sum is one of uniform values and a multiple of the number of the thread.
func (l *linearizer) numbers(e Expr) bool {
	c := &spelling{}
	p := c.poly(e)
	x, y, dim := c.expr(&Index3{threadIdx, 0}), c.expr(&Index3{threadIdx, 1}), c.expr(&Index3{blockDim, 0})
	byX, rest, okX := p.by(x)
	byY, rest, okY := rest.by(y)
	if c.unknown || !okX || !okY || len(byX) == 0 {
		return false
	}
	if byY.key() != byX.times(poly{dim: 1}).key() {
		n := int64(0)
		for m, a := range byX {
			n = byY[m] / a
		}
		if n < 2 || l.side != 0 && l.side != n || byY.key() != byX.times(number(n)).key() {
			return false
		}
		l.side = n
	}
	for _, p := range []poly{byX, rest} {
		for m := range p {
			if strings.Contains(m, x) || strings.Contains(m, y) {
				return false
			}
		}
	}
	return true
}

// wholePlane returns a product of both dimensions of the block with the number of threads of a plane in their
// place, or nil if it is no such product.
func wholePlane(e *Binary) Expr {
	var factors []Expr
	var collect func(e Expr)
	collect = func(e Expr) {
		if b, ok := e.(*Binary); ok && b.Op == token.MUL && types.Identical(b.T, e.Type()) {
			collect(b.X)
			collect(b.Y)
			return
		}
		factors = append(factors, e)
	}
	collect(e)
	var of [2]bool
	var out Expr = &Index3{inPlane, 1}
	for _, f := range factors {
		if i, ok := f.(*Index3); ok && i.Of == blockDim && i.Axis < 2 && !of[i.Axis] {
			of[i.Axis] = true
			continue
		}
		out = &Binary{token.MUL, out, f, e.T}
	}
	if !of[0] || !of[1] {
		return nil
	}
	return out
}
