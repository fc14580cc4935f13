package compiler

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Where variables live: those that are the same for all threads once in the block; those of one region in
// the loop over threads; those that several regions use in arrays with an element for each thread, unless
// they are cheap to compute again in each.
//
// `storage` asks in which regions a variable is used:
//
//   - in one, where it is defined: a local variable of the loop over threads;
//   - the same for all threads (`common`): a variable of the block;
//   - in several (`spread`): an array with an element for each thread, from `gocuda.Local`;
//   - cheap and made of arguments, indices and what is computed once for the block, assigned once (`Var.value`, such as `i :=
//     t.GlobalX()`): computed again in each region, in the order of declaration, and only if it is used. What may panic is not computed
//     again.
//
// A region that assigns a `common` variable, which all threads do alike, gives each thread a copy with the value from before and takes the
// last result: a thread must not see what the one before it has computed. A variable whose address is kept (`keptAddresses`) can't have a
// copy in each region, and ends the translation.

// recomputable finds the variables whose one value can be computed again anywhere, such as i := t.GlobalX(). The
// variables in once are computed for the block, so that values may be made of them. Those in settled are as well, by several statements
// of the kernel: values that are made behind the last of these, by its number, may be made of them.
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
			most = 16 // it is mostly an index, whose rows have it as a polynomial
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

// mostAnew is how many operations and operands a value has at most that is computed anew, when the values of the variables in it stand in their
// places: each may stand in the next one twice.
const mostAnew = 256

// sizeOf is how many operations and operands e has when the variables in sizes are that large.
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

// roundsAround returns, for variables that a loop with a barrier in it declares in its body, the counters of such loops around them: what they count is
// the same in all of the round, for all threads.
func (k *Kernel) roundsAround(defs map[*Var]int) map[*Var][]*Var {
	out := map[*Var][]*Var{}
	var visit func(list []Stmt, around []*Var)
	visit = func(list []Stmt, around []*Var) {
		for _, s := range list {
			if l, ok := s.(*For); ok && hasBarrier(l.Body) {
				inner := around
				if i, _, _, ok := countedBy(l); ok && i.Shape.uniform() && defs[i] == 3 { // its definition, and one that is none
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

// byNeed returns vars in their order, but for those that are made of others behind them, such as z in
// var z int; y := i * 2; z = y + 1: they come behind these.
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

// cost is about how many instructions it takes to compute e again, or a large number if that can't be done
// anywhere. The variables in once have their values before all threads.
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

// recomputed reports whether a is the definition of a variable that is computed where it is used.
func recomputed(a *Assign) bool {
	if !a.Def || len(a.L) != 1 || a.L[0] == nil {
		return false
	}
	v, whole := assigned(a.L[0])
	return v != nil && whole && v.value != nil
}

// eachNode calls f for all nodes.
func eachNode(list []node, f func(node)) {
	for _, n := range list {
		f(n)
		switch n := n.(type) {
		case *branch:
			eachNode(n.then, f)
			eachNode(n.els, f)
		case *loop:
			eachNode(n.pre, f)
			eachNode(n.body, f)
			eachNode(n.post, f)
		case *scope:
			eachNode(n.body, f)
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
					// Where it is computed again, what it is made of is used.
					touch(useOf([]Stmt{&Assign{L: []Expr{nil}, R: v.value}}), r)
				}
			}
		}
	}
	number := 0
	ask := func(e Expr) *region { return &region{} }
	eachNode(k.nodes, func(n node) {
		switch n := n.(type) {
		case *region:
			number++
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
			if len(n.exits) > 0 && !n.last {
				k.tracked = true
			}
			for _, e := range n.exits {
				if e.To != nil {
					k.tracked = true
				}
			}
		case *once:
			touch(useOf(n.stmts), nil)
		case *branch:
			u := useOf([]Stmt{&Assign{L: []Expr{nil}, R: n.s.Cond}})
			if n.asks {
				touch(u, ask(n.s.Cond))
			} else {
				touch(u, nil)
			}
			k.tracked = k.tracked || n.parts
		case *loop:
			if n.s.Cond != nil {
				u := useOf([]Stmt{&Assign{L: []Expr{nil}, R: n.s.Cond}})
				if n.asks {
					touch(u, ask(n.s.Cond))
				} else {
					touch(u, nil)
				}
			}
			k.tracked = k.tracked || n.asks && n.parts
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
	k.phases = number
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

// keptAddresses fails if the address of a variable that several regions use is kept: each region has a copy of its own. A
// variable of one region may hold it, since that is gone with the copy.
func (k *Kernel) keptAddresses() {
	holds := map[*Var]bool{} // variables of one region with such an address
	// kept returns a variable whose address is part of the value of e.
	var kept func(e Expr) *Var
	kept = func(e Expr) *Var {
		var of Expr
		switch x := e.(type) {
		case nil, *Deref, *Method:
			return nil
		case *Call:
			if x.Type() == nil || !mayHold(x.Type()) {
				return nil // the call is over before the region is
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

// keepsNothing reports whether a func that stays a call is known to be done with its arguments when it returns.
func keepsNothing(c *Call) bool {
	if _, isMethod := c.Fn.(*Method); isMethod {
		return true
	}
	return strings.HasPrefix(c.Name, atomicPath+".") || strings.HasPrefix(c.Name, devicePath+".") || strings.HasPrefix(c.Name, "math")
}

// mayHold reports whether a value of type t can have an address in it.
func mayHold(t types.Type) bool { return !pointerFree(t) }

// pointerFree reports whether no value of a type has a pointer in it, also if it is a type parameter.
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

// allBasic reports whether t, or each type that a type parameter may be, is a basic one for which ok holds.
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
				return true // it must be among these
			}
		}
	}
	return false
}
