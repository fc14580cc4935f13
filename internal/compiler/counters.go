package compiler

import (
	"go/token"
	"go/types"
	"math"
)

// Widening of induction variables. A loop of a thread over its elements with a 32-bit counter,
//
//	for i := int32(t.GlobalX()); i < n; i += stride {
//
// equals one with an int counter as long as nothing wraps around. With an int counter it can be
// interchanged (see interchange.go). So the loop is emitted twice, in a branch that tests once per
// block that nothing wraps around (loop versioning; Simbürger and Größlinger, 2014, give the
// conditions).

// widenCounters widens the counters of loops that are not nested in another loop of a thread.
func (k *Kernel) widenCounters() {
	k.shapes()
	k.Body = (&widener{f: &fissioner{k: k}}).list(k.Body)
}

// A widener is the state of that pass.
type widener struct{ f *fissioner }

func (w *widener) list(list []Stmt) []Stmt {
	var out []Stmt
	for i, s := range list {
		switch s := s.(type) {
		case *For:
			if i > 0 {
				if both := w.both(list[i-1], s); both != nil {
					out = append(out[:len(out)-1], both)
					continue
				}
			}
			if hasBarrier([]Stmt{s}) {
				s.Body = w.list(s.Body)
			}
		case *If:
			if hasBarrier([]Stmt{s}) {
				s.Then, s.Else = w.list(s.Then), w.list(s.Else)
			}
		}
		out = append(out, s)
	}
	return out
}

// both returns the branch with both versions of a loop, or nil. before is the statement before the
// loop, which initializes the counter.
func (w *widener) both(before Stmt, l *For) *If {
	def, ok := before.(*Assign)
	cond, okCond := l.Cond.(*Binary)
	if !ok || !def.Def || len(def.L) != 1 || !okCond || cond.Op != token.LSS || len(l.Pre) > 0 || len(l.Post) != 1 || l.breaks || l.continues || takesArrays(l) {
		return nil
	}
	r, ok := cond.X.(*VarRef)
	if !ok || !isRef(def.L[0], r.V) || !has32(r.V.Type) || r.V.addr || r.V.In != l {
		return nil
	}
	post, ok := l.Post[0].(*Assign)
	if !ok || len(post.L) != 1 || !sameExpr(post.L[0], r) {
		return nil
	}
	sum, ok := post.R.(*Binary)
	if !ok || sum.Op != token.ADD || !sameExpr(sum.X, r) {
		return nil
	}
	for _, e := range []Expr{cond.Y, sum.Y} {
		if !blockWide(e) || mayPanic(e) || loads(e) {
			return nil
		}
	}
	changed := assignedIn(&Block{Body: l.Body})
	inside := map[Stmt]bool{}
	if changed[r.V] || changed[nil] || anyStmt(l.Body, func(s Stmt) bool {
		switch s := s.(type) {
		case *For:
			inside[s] = true
		case *Exit:
			return !inside[s.To]
		case *Block:
			return true
		}
		return false
	}) {
		return nil
	}
	for v := range changed {
		if !declaredIn(v, l) || v.addr {
			return nil
		}
	}
	first, ok := widened(w.f.lookThrough(def.R))
	if !ok || shapeOf(first) != (shape{1, 0, 0}) || mayPanic(first) || loads(first) || !w.f.threadOnly(first) {
		return nil
	}
	k := w.f.k
	var made []*Var
	fresh := func(v *Var, t types.Type) *VarRef {
		n := *v
		n.Name, n.Type = uniqueName(k.names, v.Name), t
		made = append(made, &n)
		return &VarRef{&n}
	}
	wide := &For{Pos: l.Pos, outer: l.outer}
	i := fresh(r.V, intType)
	as := map[*Var]Expr{r.V: &Convert{i, r.V.Type}}
	for _, v := range k.Vars {
		if changed[v] {
			as[v] = fresh(v, v.Type)
		}
	}
	limit, step := Expr(&Convert{cond.Y, intType}), Expr(&Convert{sum.Y, intType})
	wide.Cond = &Binary{token.LSS, i, limit, boolType}
	wide.Post = []Stmt{&Assign{L: []Expr{i}, R: &Binary{token.ADD, i, step, intType}, Pos: post.Pos}}
	copies := map[Stmt]Stmt{l: wide}
	wide.Body = mapInto(l.Body, func(e Expr) Expr {
		switch x := e.(type) {
		case *VarRef:
			if as[x.V] != nil {
				return as[x.V]
			}
		case *Index:
			if x.I == as[r.V] {
				y := *x
				y.I = i
				return &y
			}
		}
		return e
	}, copies)
	for _, v := range made {
		v.In = copies[v.In].(*For)
	}
	for _, s := range copies {
		if in, ok := s.(*For); ok && in != wide {
			in.outer = copies[in.outer].(*For)
		}
	}
	k.Vars = append(k.Vars, made...)
	k.works("counters")
	begin := atThread0(first)
	most := &Binary{token.SUB, intExpr(math.MaxInt32), &Index3{blockDim, 0}, intType}
	bounds := []Expr{}
	if unsigned(r.V.Type) { // an int of 32 bits may be negative
		bounds = append(bounds, &Binary{token.GEQ, limit, intExpr(0), boolType})
	}
	return &If{
		Cond: conjunction(append(bounds,
			&Binary{token.GTR, step, intExpr(0), boolType},
			&Binary{token.LEQ, limit, &Binary{token.SUB, intExpr(math.MaxInt32), step, intType}, boolType},
			&Binary{token.GEQ, begin, intExpr(0), boolType},
			&Binary{token.LEQ, begin, most, boolType},
		)),
		Then:  []Stmt{&Assign{L: []Expr{i}, R: first, Def: true, Pos: def.Pos}, wide},
		Else:  []Stmt{def, l},
		Pos:   l.Pos,
		turns: true,
	}
}

// widened returns an int whose low bits are the 32-bit integer e.
func widened(e Expr) (Expr, bool) {
	switch x := e.(type) {
	case *Convert:
		if types.Identical(x.X.Type().Underlying(), intType) {
			return x.X, true
		}
	case *Const:
		return &Const{x.Val, intType}, true
	case *VarRef:
		return &Convert{x, intType}, x.V.Shape.uniform()
	case *Binary:
		if x.Op != token.ADD && x.Op != token.SUB && x.Op != token.MUL {
			break
		}
		a, okA := widened(x.X)
		b, okB := widened(x.Y)
		return &Binary{x.Op, a, b, intType}, okA && okB
	}
	return nil, false
}
