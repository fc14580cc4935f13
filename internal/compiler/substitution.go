package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// Induction variable substitution (pass ivs; Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001,
// section 4.5). In a loop with barriers, as in a march through the planes of a volume,
//
//	at := y*w + x
//	for z := 0; z < depth; z++ {
//		tile[ty][tx] = in[at]
//		t.SyncThreads()
//		...
//		at += w * h
//	}
//
// at would be a number that each thread keeps in memory, and an index that data choose. So the block counts the
// advances, and at + advances*(w*h) stands for at: regions know the index.

// mostAdvances is the largest number of different amounts by which a variable advances.
const mostAdvances = 2

// substituteInductions does that for all such variables of a kernel.
func (k *Kernel) substituteInductions() {
	if !anyStmt(k.Body, func(s Stmt) bool { _, ok := s.(*For); return ok && anyStmt([]Stmt{s}, isMeeting) }) {
		return
	}
	k.shapes()
	for _, v := range slices.Clone(k.Vars) {
		if !v.Param && !v.addr && !v.Shape.uniform() && (wide(v.Type) || has32(v.Type)) && !unsigned64(v.Type) {
			i := inductionVar{k: k, v: v}
			i.substitute()
		}
	}
}

// unsigned64 reports whether t is an unsigned type of 64 bits, which is no index that nests know.
func unsigned64(t types.Type) bool { return wide(t) && unsigned(t) }

// An inductionVar is a variable that loops with barriers may advance.
type inductionVar struct {
	k    *Kernel
	v    *Var
	def  *Assign
	list []*increment
	by   []*amount
	ok   bool
}

// An increment is a statement v += c.
type increment struct {
	s     *Assign
	by    *amount
	minus bool
	// in is the loop whose body has the statement at its top, if the advance may as well be counted at the end of the
	// body; else nil
	in *For
}

// An amount is what an advance adds. n counts the advances by it; at the current statement, pending of them have been
// executed but not counted.
type amount struct {
	c       Expr
	n       *Var
	pending int64
}

// substitute replaces uses of the variable, if all that changes it are such advances.
func (i *inductionVar) substitute() {
	i.ok = true
	var path []Stmt
	var visit func(list []Stmt)
	visit = func(list []Stmt) {
		for _, s := range list {
			i.look(s, path)
			path = append(path, s)
			substmts(s, visit)
			path = path[:len(path)-1]
		}
	}
	visit(i.k.Body)
	if !i.ok || i.def == nil || len(i.list) == 0 || mayPanic(i.def.R) || loads(i.def.R) || !i.steady() {
		return
	}
	for _, a := range i.list {
		if a.in != nil && (a.in.breaks || a.in.continues || !slices.Contains(a.in.Body, Stmt(a.s))) {
			a.in = nil
		}
	}
	for _, by := range i.by {
		by.n = &Var{Name: uniqueName(i.k.names, i.v.Name+"Advances"), Type: intType, Pos: i.v.Pos, In: i.v.In}
		i.k.Vars = append(i.k.Vars, by.n)
	}
	i.k.Body = i.rewrite(i.k.Body)
	i.k.works("ivs")
	i.k.shapes()
}

// look examines a statement, which is inside the statements of path.
func (i *inductionVar) look(s Stmt, path []Stmt) {
	if _, isWarp := s.(*Warp); isWarp && readsHere(s, i.v) {
		i.ok = false // its operands are variables
	}
	if !assignedHere(s, i.v) {
		return
	}
	a, ok := s.(*Assign)
	if !ok || len(a.L) != 1 {
		i.ok = false
		return
	}
	if v, whole := assigned(a.L[0]); v != i.v || !whole {
		i.ok = false
		return
	}
	if a.Def {
		i.ok = i.ok && i.def == nil
		i.def = a
		return
	}
	sum, ok := a.R.(*Binary)
	if !ok || i.def == nil || sum.Op != token.ADD && sum.Op != token.SUB {
		i.ok = false
		return
	}
	c := sum.Y
	if !isRef(sum.X, i.v) {
		if c = sum.X; sum.Op != token.ADD || !isRef(sum.Y, i.v) {
			i.ok = false
			return
		}
	}
	// all threads of the block execute it together, in a loop with a barrier
	meets := false
	from := slices.IndexFunc(path, func(x Stmt) bool { return anyStmt([]Stmt{x}, func(y Stmt) bool { return y == Stmt(i.def) }) })
	for n, x := range path {
		inside := n > from && !anyStmt([]Stmt{x}, func(y Stmt) bool { return y == Stmt(i.def) })
		switch x := x.(type) {
		case *If:
			i.ok = i.ok && (!inside || shapeOf(x.Cond).uniform())
		case *For:
			meets = meets || inside && anyStmt([]Stmt{x}, isMeeting)
			i.ok = i.ok && (!inside || x.parts.uniform() && shapeOf(x.Cond).uniform() && !x.continues)
		case *Block:
			i.ok = i.ok && !inside
		}
	}
	adv := &increment{s: a, minus: sum.Op == token.SUB}
	if l, ok := path[max(len(path)-1, 0)].(*For); ok && len(path) > 0 {
		adv.in = l
	}
	i.ok = i.ok && meets && len(path) > 0
	for _, by := range i.by {
		if sameExpr(by.c, c) {
			adv.by = by
		}
	}
	if adv.by == nil {
		adv.by = &amount{c: c}
		i.by = append(i.by, adv.by)
	}
	i.list = append(i.list, adv)
}

// assignedHere reports whether s itself assigns v.
func assignedHere(s Stmt, v *Var) bool {
	switch s := s.(type) {
	case *Assign:
		return slices.ContainsFunc(s.L, func(l Expr) bool {
			if l == nil {
				return false
			}
			w, _ := assigned(l)
			return w == v
		})
	case *Barrier, *Warp:
		return slices.Contains(results(s), v)
	case *Alloc:
		return s.Dst == v
	}
	return false
}

// steady reports whether the amounts of the advances never change, and are known where the variable is defined.
func (i *inductionVar) steady() bool {
	if len(i.by) > mostAdvances {
		return false
	}
	f := &fissioner{k: i.k}
	before := map[*Var]bool{} // variables that the lists around the definition define before it
	var visit func(list []Stmt) bool
	visit = func(list []Stmt) bool {
		for _, s := range list {
			if s == Stmt(i.def) {
				return true
			}
			if a, ok := s.(*Assign); ok && a.Def && len(a.L) == 1 && a.L[0] != nil {
				if v, whole := assigned(a.L[0]); v != nil && whole {
					before[v] = true
				}
			}
			found := false
			substmts(s, func(l []Stmt) { found = found || visit(l) })
			if found {
				return true
			}
		}
		return false
	}
	visit(i.k.Body)
	changed := assignedIn(&Block{Body: i.k.Body})
	for _, by := range i.by {
		ok := !mayPanic(by.c) && !loads(by.c) && shapeOf(by.c).uniform()
		walkExpr(by.c, func(e Expr) {
			switch e := e.(type) {
			case *VarRef:
				ok = ok && !e.V.addr && (e.V.Param && !changed[e.V] || before[e.V] && f.single(e.V) != nil)
			case *Rank, *Method:
				ok = false
			case *Call:
				ok = ok && e.Pure
			}
		})
		if !ok {
			return false
		}
	}
	return true
}

// value is what stands for the variable.
func (i *inductionVar) value() Expr {
	t := i.v.Type
	var sum Expr = &VarRef{i.v}
	for _, by := range i.by {
		var n Expr = &VarRef{by.n}
		if by.pending != 0 {
			n = &Binary{token.ADD, n, intExpr(by.pending), intType}
		}
		if !types.Identical(t, intType) {
			n = &Convert{n, t}
		}
		sum = &Binary{token.ADD, sum, &Binary{token.MUL, n, by.c, t}, t}
	}
	return sum
}

// rewrite puts counts for advances, and values for uses.
func (i *inductionVar) rewrite(list []Stmt) (out []Stmt) {
	in := func(e Expr) Expr {
		return mapExpr(e, func(x Expr) Expr {
			if isRef(x, i.v) {
				return i.value()
			}
			return x
		})
	}
	uses := func(s Stmt) bool {
		return anyStmt([]Stmt{s}, func(x Stmt) bool { return assignedHere(x, i.v) || readsHere(x, i.v) })
	}
	count := func(a *increment, pos token.Pos) Stmt {
		step := int64(1)
		if a.minus {
			step = -1
		}
		n := &VarRef{a.by.n}
		return &Assign{L: []Expr{n}, R: &Binary{token.ADD, n, intExpr(step), intType}, Pos: pos}
	}
	saved := make([]int64, len(i.by))
	for n, by := range i.by {
		saved[n] = by.pending
	}
	defer func() {
		for n, by := range i.by {
			by.pending = saved[n]
		}
	}()
	for _, s := range list {
		if !uses(s) {
			out = append(out, s)
			continue
		}
		switch x := s.(type) {
		case *Assign:
			if x == i.def {
				out = append(out, x)
				for _, by := range i.by {
					out = append(out, &Assign{L: []Expr{&VarRef{by.n}}, R: &Const{constant.MakeInt64(0), intType}, Def: true, Pos: x.Pos})
				}
				continue
			}
			if n := slices.IndexFunc(i.list, func(a *increment) bool { return a.s == x }); n >= 0 {
				a := i.list[n]
				switch {
				case a.in == nil:
					out = append(out, count(a, x.Pos))
				case a.minus:
					a.by.pending--
				default:
					a.by.pending++
				}
				continue
			}
			changeOwn(x, in)
		case *If:
			changeOwn(x, in)
			x.Then, x.Else = i.rewrite(x.Then), i.rewrite(x.Else)
		case *For:
			var counts []Stmt
			for _, a := range i.list {
				if a.in == x {
					counts = append(counts, count(a, a.s.Pos))
				}
			}
			x.Pre = i.rewrite(x.Pre)
			changeOwn(x, in)
			x.Body = i.rewrite(x.Body)
			x.Post = append(counts, i.rewrite(x.Post)...)
		case *Block:
			x.Body = i.rewrite(x.Body)
		default:
			changeOwn(s, in)
		}
		out = append(out, s)
	}
	return out
}

// readsHere reports whether s itself reads v.
func readsHere(s Stmt, v *Var) bool {
	found := false
	exprs(s, func(e Expr) { found = found || mentions(e, v) })
	return found
}
