package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
)

// Type demotion (pass demote): a variable of type float64 that is only read as float32(v) becomes one of type float32.
// Package math has functions of float64 alone, so this is how programs with numbers of 32 bits call them:
//
//	s := math.Sin(float64(a[i]))        s := float32(math.Sin(float64(a[i])))
//	x[i] = r * float32(s)         =>    x[i] = r * s
//	y[i] -= float32(s)                  y[i] -= s
//
// The number is rounded once in place of each time, to the same. With fastmath the call is then computed in 32 bits; so
// that it is, a variable that is float64(x) for a float32 x, and only the argument of functions of package math,
// becomes x, too.

//
// A product of numbers of 32 bits that is only read by its halves becomes two of 32 bits, as generators of random
// numbers need them (Salmon et al., SC 2011) and multiply-shift hashes:
//
//	p := uint64(a) * uint64(b)              high, low := rt.MulHigh32(a, b), a*b
//	x, y = uint32(p>>32), uint32(p)    =>   x, y = high, low

// demote is the pass.
func (k *Kernel) demote() {
	if k.splitProducts() {
		k.works("demote")
	}
	for k.demoteReads() || k.Fastmath && k.demoteArguments() {
		k.works("demote")
	}
}

// isFloat64 reports whether v is a variable of k's own of type float64, which no pointer leads to.
func isFloat64(v *Var) bool {
	return !v.Param && !v.addr && types.Identical(v.Type, types.Typ[types.Float64])
}

// demoteReads demotes variables that are read as float32, and reports whether there are any.
func (k *Kernel) demoteReads() bool {
	reads, converted := map[*Var]int{}, map[*Var]int{}
	rewriteReads(k.Body, func(e Expr) Expr {
		switch e := e.(type) {
		case *VarRef:
			reads[e.V]++
		case *Convert:
			if r, ok := e.X.(*VarRef); ok && isFloat32(e.T) {
				converted[r.V]++
			}
		}
		return e
	})
	demoted := map[*Var]bool{}
	for v, n := range converted {
		demoted[v] = isFloat64(v) && reads[v] == n
	}
	walk(k.Body, func(s Stmt) {
		for _, v := range results(s) {
			delete(demoted, v)
		}
		if a, ok := s.(*Assign); ok && len(a.L) > 1 {
			for v := range assignedIn(a) {
				delete(demoted, v)
			}
		}
	})
	some := false
	for v, ok := range demoted {
		if ok {
			v.Type, some = types.Typ[types.Float32], true
		}
	}
	if !some {
		return false
	}
	walk(k.Body, func(s Stmt) {
		if a, ok := s.(*Assign); ok && len(a.L) == 1 && a.L[0] != nil {
			if r, whole := a.L[0].(*VarRef); whole && demoted[r.V] {
				a.R = asFloat32(a.R)
			}
		}
	})
	rewriteReads(k.Body, func(e Expr) Expr {
		if c, ok := e.(*Convert); ok && types.Identical(c.T, types.Typ[types.Float32]) {
			if r, ok := c.X.(*VarRef); ok && demoted[r.V] {
				return r
			}
		}
		return e
	})
	return true
}

// asFloat32 converts e to float32.
func asFloat32(e Expr) Expr {
	t := types.Typ[types.Float32]
	if isZero(e) {
		return zeroOf(t)
	}
	if c, ok := e.(*Convert); ok && types.Identical(c.X.Type(), t) && types.Identical(c.T, types.Typ[types.Float64]) {
		return c.X
	}
	return &Convert{e, t}
}

// isFloat32 reports whether numbers of type t have the bits of a float32.
func isFloat32(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Float32
}

// demoteArguments demotes variables that are float64(x), and reports whether there are any.
func (k *Kernel) demoteArguments() bool {
	single, count := k.definitions()
	reads, passed := map[*Var]int{}, map[*Var]int{}
	rewriteReads(k.Body, func(e Expr) Expr {
		switch e := e.(type) {
		case *VarRef:
			reads[e.V]++
		case *Call:
			for _, a := range e.Args {
				if r, ok := a.(*VarRef); ok && e.Pure && isOfMath(e) {
					passed[r.V]++
				}
			}
		}
		return e
	})
	demoted := map[*Var]bool{}
	for v, e := range single {
		c, ok := e.(*Convert)
		if ok && count[v] == 1 && isFloat64(v) && reads[v] == passed[v] && reads[v] > 0 && types.Identical(c.X.Type(), types.Typ[types.Float32]) {
			v.Type, demoted[v] = types.Typ[types.Float32], true
		}
	}
	if len(demoted) == 0 {
		return false
	}
	walk(k.Body, func(s Stmt) {
		if a, ok := s.(*Assign); ok && len(a.L) == 1 && a.L[0] != nil {
			if r, whole := a.L[0].(*VarRef); whole && demoted[r.V] {
				a.R = a.R.(*Convert).X
			}
		}
	})
	rewriteReads(k.Body, func(e Expr) Expr {
		if r, ok := e.(*VarRef); ok && demoted[r.V] {
			return &Convert{r, types.Typ[types.Float64]}
		}
		return e
	})
	return true
}

// isOfMath reports whether c is a call of a func of package math.
func isOfMath(c *Call) bool { return len(c.Name) > 5 && c.Name[:5] == "math." }

// longProduct returns the factors of e, a product of two numbers of 32 bits with 64, or nil.
func longProduct(e Expr) []Expr {
	p, ok := e.(*Binary)
	if !ok || p.Op != token.MUL || !types.Identical(p.T, types.Typ[types.Uint64]) {
		return nil
	}
	short := types.Typ[types.Uint32]
	var factors []Expr
	for _, x := range []Expr{p.X, p.Y} {
		switch x := x.(type) {
		case *Convert:
			if types.Identical(x.X.Type(), short) {
				factors = append(factors, x.X)
			}
		case *Const:
			if n, ok := constant.Uint64Val(constant.ToInt(x.Val)); ok && n <= math.MaxUint32 {
				factors = append(factors, &Const{x.Val, short})
			}
		}
	}
	if len(factors) < 2 {
		return nil
	}
	return factors
}

// halfOf returns the number of 64 bits of which e is the high or the low half, or nil.
func halfOf(e Expr) (x Expr, high bool) {
	c, ok := e.(*Convert)
	if !ok || !types.Identical(c.T, types.Typ[types.Uint32]) || !types.Identical(c.X.Type(), types.Typ[types.Uint64]) {
		return nil, false
	}
	if s, ok := c.X.(*Binary); ok && s.Op == token.SHR {
		if by, isConst := constInt(s.Y); !isConst || by != 32 {
			return nil, false
		}
		return s.X, true
	}
	return c.X, false
}

// splitProducts splits products into their halves, and reports whether there are any.
func (k *Kernel) splitProducts() bool {
	short, some := types.Typ[types.Uint32], false
	reads, halves := map[*Var]int{}, map[*Var]int{}
	rewriteReads(k.Body, func(e Expr) Expr {
		if r, ok := e.(*VarRef); ok {
			reads[r.V]++
			return e
		}
		x, high := halfOf(e)
		if r, ok := x.(*VarRef); ok {
			halves[r.V]++
		} else if f := longProduct(x); f != nil && high {
			some = true
			return pureCall(rtPath, "MulHigh32", short, f...)
		}
		return e
	})
	single, count := k.definitions()
	parts := map[*Var][2]*Var{} // the high and the low half
	for _, v := range slices.Clone(k.Vars) {
		if e := single[v]; e != nil && count[v] == 1 && !v.Param && !v.addr && halves[v] > 0 && reads[v] == halves[v] && longProduct(e) != nil {
			half := func() *Var {
				h := &Var{Name: uniqueName(k.names, v.Name), Type: short, Pos: v.Pos, In: v.In}
				k.Vars = append(k.Vars, h)
				return h
			}
			parts[v] = [2]*Var{half(), half()}
		}
	}
	if len(parts) == 0 {
		return some
	}
	var visit func(list []Stmt) []Stmt
	visit = func(list []Stmt) (out []Stmt) {
		for _, s := range list {
			switch x := s.(type) {
			case *If:
				x.Then, x.Else = visit(x.Then), visit(x.Else)
			case *For:
				x.Pre, x.Body, x.Post = visit(x.Pre), visit(x.Body), visit(x.Post)
			case *Block:
				x.Body = visit(x.Body)
			}
			a, ok := s.(*Assign)
			if !ok || len(a.L) != 1 || a.L[0] == nil {
				out = append(out, s)
				continue
			}
			v, _ := assigned(a.L[0])
			p, ok := parts[v]
			if !ok {
				out = append(out, s)
				continue
			}
			f := longProduct(a.R)
			for i, e := range []Expr{pureCall(rtPath, "MulHigh32", short, f...), &Binary{token.MUL, f[0], f[1], short}} {
				out = append(out, &Assign{L: []Expr{&VarRef{p[i]}}, R: e, Def: true, Pos: a.Pos})
			}
		}
		return out
	}
	k.Body = visit(k.Body)
	rewriteReads(k.Body, func(e Expr) Expr {
		x, high := halfOf(e)
		if r, ok := x.(*VarRef); ok {
			if p, ok := parts[r.V]; ok && high {
				return &VarRef{p[0]}
			} else if ok {
				return &VarRef{p[1]}
			}
		}
		return e
	})
	return true
}
