package compiler

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Where variables live: once in the block, in the loop over threads, or in an array with an element
// per thread.
//
// `storage` looks at the regions that use a variable:
//
//   - one region, which also defines it: a local variable of the loop over threads;
//   - the same value for all threads (`common`): a variable of the block;
//   - several regions (`spread`): an array with an element per thread, from `gocuda.Local`. Of a small
//     array of numbers, each number has such an array, so that vectors load neighbours (byColumns);
//   - assigned once, cheap, and computed from arguments, indices and values of the block
//     (`Var.value`, such as `i := t.GlobalX()`): recomputed in each region that uses it, in the
//     order of declaration. An expression that may panic is never recomputed.
//
// A region that assigns a `common` variable, which all threads assign alike, gives each thread a
// copy with the old value and keeps the last result: a thread must not see the value that an
// earlier thread computed. A variable whose address is kept (`keptAddresses`) can't have a copy in
// each region; the kernel is then not translated.

// recomputable finds the variables whose only value can be recomputed anywhere (rematerialization),
// such as i := t.GlobalX(). The variables in once are computed for the block, so other values may
// be made of them. The variables in settled are computed for the block by several statements of the
// kernel's body; a value defined behind the last of these statements, given by its number, may be
// made of them.
func (k *Kernel) recomputable(once map[*Var]bool, settled map[*Var]int) {
	defs := map[*Var]int{}
	value := map[*Var]Expr{}
	walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			for _, l := range s.L {
				if l == nil {
					continue
				}
				v, whole := assigned(l)
				if v == nil {
					continue
				}
				defs[v]++
				if whole && s.Def && len(s.L) == 1 {
					value[v] = s.R
				} else {
					defs[v]++
				}
			}
		case *Barrier, *Warp:
			for _, v := range results(s) {
				defs[v] += 2
			}
		case *Alloc:
			defs[s.Dst] += 2
		}
	})
	k.single = map[*Var]Expr{}
	for v, e := range value {
		if defs[v] == 1 && !v.addr {
			k.single[v] = e
		}
	}
	before := map[*Var]bool{}
	for v := range once {
		before[v] = k.single[v] != nil
	}
	k.Vars = byNeed(k.Vars, k.single)
	place := map[*Var]int{}
	for i, s := range k.Body {
		if a, ok := s.(*Assign); ok && a.Def && len(a.L) == 1 && a.L[0] != nil {
			if v, whole := assigned(a.L[0]); v != nil && whole {
				place[v] = i
			}
		}
	}
	rounds, sizes := k.roundsAround(defs), map[*Var]int{}
	for _, v := range k.Vars {
		e := value[v]
		if e == nil || defs[v] != 1 || v.addr || v.kept || v.Shape.uniform() || !basic(v.Type) {
			continue
		}
		most := 8
		if isInteger(v.Type) {
			most = 16 // an integer is mostly an index, which rows hold as a polynomial
		}
		known := before
		if at, ok := place[v]; ok && len(settled) > 0 {
			known = maps.Clone(before)
			for u, last := range settled {
				if last < at {
					known[u] = true
				}
			}
		}
		if list := rounds[v]; len(list) > 0 {
			known = maps.Clone(known)
			for _, i := range list {
				known[i] = true
			}
		}
		if size := sizeOf(e, sizes); size <= mostAnew && cost(e, known) <= most {
			v.value, sizes[v] = e, size
		}
	}
}

// mostAnew is the largest number of operations and operands in a recomputed value, with the values
// of its variables substituted. Substitution may double the size at each variable.
const mostAnew = 256

// sizeOf is the number of operations and operands in e, where a variable in sizes counts as that
// many.
func sizeOf(e Expr, sizes map[*Var]int) int {
	n := 0
	walkExpr(e, func(x Expr) {
		n++
		if r, ok := x.(*VarRef); ok {
			n += sizes[r.V]
		}
	})
	return n
}

// roundsAround maps each variable declared in the body of a loop with a barrier to the counters of
// such loops around it. A counter has the same value throughout an iteration, for all threads.
func (k *Kernel) roundsAround(defs map[*Var]int) map[*Var][]*Var {
	out := map[*Var][]*Var{}
	var visit func(list []Stmt, around []*Var)
	visit = func(list []Stmt, around []*Var) {
		for _, s := range list {
			if l, ok := s.(*For); ok && hasBarrier(l.Body) {
				inner := around
				// a definition counts as 1; the increment, like any other assignment, as 2
				if i := changedBetween(l); i != nil && i.Shape.uniform() && !i.addr && defs[i] == 3 {
					inner = append(slices.Clone(around), i)
				}
				visit(l.Body, inner)
				continue
			}
			if a, ok := s.(*Assign); ok && a.Def && len(around) > 0 {
				for v := range assignedIn(a) {
					out[v] = around
				}
			}
			substmts(s, func(list []Stmt) { visit(list, around) })
		}
	}
	visit(k.Body, nil)
	return out
}

// changedBetween returns the variable that a loop assigns between its iterations, as in d *= 2, or nil if
// it is not one.
func changedBetween(l *For) *Var {
	if len(l.Post) != 1 {
		return nil
	}
	a, ok := l.Post[0].(*Assign)
	if !ok || len(a.L) != 1 || a.L[0] == nil {
		return nil
	}
	if v, whole := assigned(a.L[0]); whole {
		return v
	}
	return nil
}

// byNeed returns vars in their order, except that a variable stands behind all variables in its
// value. In var z int; y := i * 2; z = y + 1, z comes after y.
func byNeed(vars []*Var, single map[*Var]Expr) []*Var {
	list := make([]*Var, 0, len(vars))
	done, among := map[*Var]bool{}, map[*Var]bool{}
	for _, v := range vars {
		among[v] = true
	}
	var visit func(v *Var)
	visit = func(v *Var) {
		if done[v] || !among[v] {
			return
		}
		done[v] = true
		walkExpr(single[v], func(e Expr) {
			if r, ok := e.(*VarRef); ok {
				visit(r.V)
			}
		})
		list = append(list, v)
	}
	for _, v := range vars {
		visit(v)
	}
	return list
}

// cost is the approximate number of instructions to recompute e, or a large number if e can't be
// recomputed anywhere. The variables in once have their values before all threads run.
func cost(e Expr, once map[*Var]bool) int {
	switch x := e.(type) {
	case *Const, *Index3, *Rank:
		return 0
	case *VarRef:
		if x.V.Param || x.V.value != nil || once[x.V] {
			return 0
		}
	case *Unary:
		return 1 + cost(x.X, once)
	case *Convert:
		if basic(x.T) && basic(x.X.Type()) {
			return 1 + cost(x.X, once)
		}
	case *Binary:
		c := 1 + cost(x.X, once) + cost(x.Y, once)
		switch x.Op {
		case token.QUO, token.REM:
			if n, ok := constInt(x.Y); !ok || n == 0 || !isInteger(x.T) {
				return 1000
			}
		case token.SHL, token.SHR:
			if _, ok := constInt(x.Y); !ok && !unsigned(x.Y.Type()) {
				return 1000 // a negative count panics
			}
		case token.LAND, token.LOR:
			c += 4
		}
		return c
	case *Call:
		if (x.Name == "min" || x.Name == "max" || x.Name == "len") && x.Fn == nil {
			c := 1
			for _, a := range x.Args {
				c += cost(a, once)
			}
			return c
		}
	}
	return 1000
}

// basic reports whether t is a number or a bool, a type parameter included.
func basic(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsNumeric|types.IsBoolean) != 0
	case *types.Interface:
		_, ok := types.Unalias(t).(*types.TypeParam)
		return ok
	}
	return false
}

func unsigned(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsUnsigned != 0
}

// recomputed reports whether a is the definition of a variable that is recomputed at its uses.
func recomputed(a *Assign) bool {
	if !a.Def || len(a.L) != 1 || a.L[0] == nil {
		return false
	}
	v, whole := assigned(a.L[0])
	return v != nil && whole && v.value != nil
}

// eachNode calls f for all nodes.
func eachNode(list []node, f func(node)) { nodesOf(list, true, f) }

// eachNodeOnce calls f for all nodes, except those for blocks that do not pass a guard as a whole; see guardReturns.
func eachNodeOnce(list []node, f func(node)) { nodesOf(list, false, f) }

func nodesOf(list []node, all bool, f func(node)) {
	for _, n := range list {
		f(n)
		switch n := n.(type) {
		case *branch:
			nodesOf(n.then, all, f)
			if all || !n.s.whole {
				nodesOf(n.els, all, f)
			}
		case *loop:
			nodesOf(n.pre, all, f)
			nodesOf(n.body, all, f)
			nodesOf(n.post, all, f)
		case *scope:
			nodesOf(n.body, all, f)
		}
	}
}

// storage decides where each variable lives.
func (k *Kernel) storage() {
	type places struct {
		regions map[*region]bool
		outside bool
		def     *region
	}
	at := map[*Var]*places{}
	get := func(v *Var) *places {
		if at[v] == nil {
			at[v] = &places{regions: map[*region]bool{}}
		}
		return at[v]
	}
	var touch func(u use, r *region)
	touch = func(u use, r *region) {
		for _, m := range []map[*Var]bool{u.read, u.written} {
			for v := range m {
				if r == nil {
					get(v).outside = true
				} else {
					get(v).regions[r] = true
				}
				if v.value != nil {
					// A region that recomputes a value uses the variables in it.
					touch(useOf([]Stmt{&Assign{L: []Expr{nil}, R: v.value}}), r)
				}
			}
		}
	}
	ask := func(e Expr) *region { return &region{} }
	eachNode(k.nodes, func(n node) {
		switch n := n.(type) {
		case *region:
			touch(useOf(n.stmts), n)
			walk(n.stmts, func(s Stmt) {
				if a, ok := s.(*Assign); ok && a.Def {
					for _, l := range a.L {
						if l != nil {
							if v, whole := assigned(l); v != nil && whole {
								get(v).def = n
							}
						}
					}
				}
			})
		case *once:
			touch(useOf(n.stmts), nil)
		case *branch:
			u := useOf([]Stmt{&Assign{L: []Expr{nil}, R: n.s.Cond}})
			if n.asks {
				touch(u, ask(n.s.Cond))
			} else {
				touch(u, nil)
			}
		case *loop:
			if n.s.Cond != nil {
				u := useOf([]Stmt{&Assign{L: []Expr{nil}, R: n.s.Cond}})
				if n.asks {
					touch(u, ask(n.s.Cond))
				} else {
					touch(u, nil)
				}
			}
		case *syncThreads:
			if n.s.Pred != nil {
				touch(useOf([]Stmt{&Assign{L: []Expr{nil}, R: n.s.Pred}}), ask(n.s.Pred))
				get(n.s.Dst).outside = true
			}
		case *meet:
			apart := &region{}
			touch(useOf([]Stmt{n.s}), apart)
			for _, v := range results(n.s) {
				get(v).def = apart
			}
		case *alloc:
			get(n.s.Dst).outside = true
			touch(useOf([]Stmt{n.s}), nil)
		}
	})
	k.phases = 0
	eachNodeOnce(k.nodes, func(n node) {
		if r, ok := n.(*region); ok && !r.over {
			k.phases++
		}
	})
	k.tracked = tracks(k.nodes)
	for _, v := range k.Vars {
		p := at[v]
		if p == nil || v.Param || v.value != nil {
			continue
		}
		local := !p.outside && len(p.regions) == 1 && p.regions[p.def]
		switch {
		case local:
		case v.Shape.uniform() && !v.addr:
			v.common = true
		default:
			v.spread = true
		}
	}
	k.keptAddresses()
}

// tracks reports whether a thread may leave list before others. Of a branch for blocks that pass a guard as a whole,
// only the first side counts.
func tracks(list []node) bool {
	for _, n := range list {
		switch n := n.(type) {
		case *region:
			if len(n.exits) > 0 && !n.last || slices.ContainsFunc(n.exits, func(e *Exit) bool { return e.To != nil }) {
				return true
			}
		case *branch:
			if n.parts || tracks(n.then) || !n.s.whole && tracks(n.els) {
				return true
			}
		case *loop:
			if n.asks && n.parts || tracks(n.pre) || tracks(n.body) || tracks(n.post) {
				return true
			}
		case *scope:
			if tracks(n.body) {
				return true
			}
		}
	}
	return false
}

// keptAddresses fails if the address of a variable that several regions use outlives a region: each
// region has its own copy. A variable of a single region may hold the address, since it is gone at
// the region's end as well.
func (k *Kernel) keptAddresses() {
	holds := map[*Var]bool{} // variables of a single region that hold such an address
	// kept returns a variable whose address is part of the value of e, or nil.
	var kept func(e Expr) *Var
	kept = func(e Expr) *Var {
		var of Expr
		switch x := e.(type) {
		case nil, *Deref, *Method:
			return nil
		case *Call:
			if x.Type() == nil || !mayHold(x.Type()) {
				return nil // the call returns before the region ends
			}
		case *VarRef:
			if holds[x.V] {
				return x.V
			}
			return nil
		case *Index:
			if !mayHold(x.T) {
				return nil
			}
		case *Addr:
			of = x.X
		case *Slice:
			if _, arr := x.X.Type().Underlying().(*types.Array); arr {
				of = x.X
			}
		}
		if of != nil {
			if v, _ := assigned(of); v != nil && (v.spread || v.common) {
				return v
			}
		}
		var found *Var
		subexprs(e, func(x Expr) {
			if v := kept(x); v != nil && found == nil {
				found = v
			}
		})
		return found
	}
	walk(k.Body, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				c, ok := x.(*Call)
				if !ok || c.Fn == nil || c.Pure || keepsNothing(c) {
					return
				}
				for _, arg := range c.Args {
					if of := kept(arg); of != nil {
						fail(s.Position(), "%s may keep the address of %s across a barrier", cmp.Or(c.Name[strings.LastIndexByte(c.Name, '/')+1:], "the func that is called"), cmp.Or(of.Said, of.Name))
					}
				}
			})
		})
	})
	for again := true; again; {
		again = false
		walk(k.Body, func(s Stmt) {
			a, ok := s.(*Assign)
			if !ok {
				return
			}
			of := kept(a.R)
			if of == nil {
				return
			}
			for _, l := range a.L {
				if l == nil || !mayHold(l.Type()) {
					continue
				}
				v, _ := assigned(l)
				if v == nil || v.spread || v.common {
					fail(s.Position(), "the address of %s is kept across a barrier", cmp.Or(of.Said, of.Name))
				}
				again = again || !holds[v]
				holds[v] = true
			}
		})
	}
}

// keepsNothing reports whether a func that is not inlined is known not to keep its arguments.
func keepsNothing(c *Call) bool {
	if _, isMethod := c.Fn.(*Method); isMethod {
		return true
	}
	return strings.HasPrefix(c.Name, atomicPath+".") || strings.HasPrefix(c.Name, devicePath+".") || strings.HasPrefix(c.Name, "math")
}

// mayHold reports whether a value of type t can contain a pointer.
func mayHold(t types.Type) bool { return !pointerFree(t) }

// pointerFree reports whether no value of type t contains a pointer; for a type parameter, of any
// of its types.
func pointerFree(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return pointerFree(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if !pointerFree(u.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return allBasic(t, func(b *types.Basic) bool { return b.Info()&(types.IsNumeric|types.IsBoolean) != 0 })
}

// allBasic reports whether t, or each type in the type set of a type parameter, is a basic type for
// which ok holds.
func allBasic(t types.Type, ok func(*types.Basic) bool) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return allBasic(t.Constraint(), ok)
	case *types.Union:
		for i := range t.Len() {
			if !allBasic(t.Term(i).Type(), ok) {
				return false
			}
		}
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return ok(u)
	case *types.Interface:
		for i := range u.NumEmbeddeds() {
			if allBasic(u.EmbeddedType(i), ok) {
				return true // the type set is an intersection, so one embedded type is enough
			}
		}
	}
	return false
}

// byColumns returns the number and the type of the numbers in a spread array that is kept number by
// number.
func (b *body) byColumns(v *Var) (n int64, of types.Type, ok bool) {
	if !v.spread || v.addr || !isArray(v.Type) {
		return 0, nil, false
	}
	n, of = numbersIn(v.Type)
	return n, of, 0 < n && n <= mostElements && basic(of) && elem(of) != "" && smallKind(of) == lir.None
}

// keptAs is the type of the elements of the slice with the copies of a spread variable.
func (b *body) keptAs(v *Var) types.Type {
	if _, of, ok := b.byColumns(v); ok {
		return of
	}
	return v.Type
}

// keepsColumns reports whether a region uses an array that is kept number by number.
func (b *body) keepsColumns(r *region) bool {
	u := useOf(r.stmts)
	return slices.ContainsFunc(b.k.Vars, func(v *Var) bool {
		_, _, ok := b.byColumns(v)
		return ok && (u.read[v] || u.written[v])
	})
}

// columnsUsed returns the numbers of such an array that statements use, and those that they assign, in
// order. Any number may be used by an index that is no constant, and all are by the array as a whole.
func (b *body) columnsUsed(v *Var, list []Stmt) (used, assigns []int64) {
	many, _, _ := b.byColumns(v)
	refs, constants := 0, 0
	with := func(e Expr) (n int64, ok bool) {
		x, isIndex := e.(*Index)
		if !isIndex || !isRef(x.X, v) || v.Type.Underlying().(*types.Array).Len() != many {
			return 0, false
		}
		return constInt(x.I)
	}
	look := func(e Expr) {
		walkExpr(e, func(x Expr) {
			if isRef(x, v) {
				refs++
			}
			if n, ok := with(x); ok {
				constants++
				used = append(used, n)
			}
		})
	}
	walk(list, func(s Stmt) {
		exprs(s, look)
		if a, ok := s.(*Assign); ok {
			for _, to := range a.L {
				if n, ok := with(to); ok {
					assigns = append(assigns, n)
				}
			}
		}
	})
	if refs > constants || len(used) == 0 {
		used = nil
		for n := range many {
			used = append(used, n)
		}
		return used, used
	}
	for _, list := range []*[]int64{&used, &assigns} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return used, assigns
}

// column prints loops over the numbers of such an array, around what do prints for one of them: Go for
// the number in the thread's variable, and where it is kept. If only some numbers are given, it prints these
// one by one.
func (b *body) column(v *Var, some []int64, do func(mine, kept string)) {
	n, _, _ := b.byColumns(v)
	if int64(len(some)) < n {
		for _, i := range some {
			do(fmt.Sprintf("%s[%d]", v.Name, i), fmt.Sprintf("%[1]s[%[2]d*(len(%[1]s)/%[3]d)+%[4]s]", b.array[v], i, n, b.use("rank")))
		}
		return
	}
	mine, at, depth := v.Name, "", 0
	for t := v.Type; isArray(t); t = t.Underlying().(*types.Array).Elem() {
		i := uniqueName(b.names, fmt.Sprintf("n%d", depth))
		b.printf("for %s := range %s {\n", i, mine)
		mine += "[" + i + "]"
		if at == "" {
			at = i
		} else {
			at = fmt.Sprintf("(%s*%d+%s)", at, t.Underlying().(*types.Array).Len(), i)
		}
		depth++
	}
	do(mine, fmt.Sprintf("%s[%s*(len(%s)/%d)+%s]", b.array[v], at, b.array[v], n, b.use("rank")))
	b.printf("%s\n", strings.Repeat("}", depth))
}
