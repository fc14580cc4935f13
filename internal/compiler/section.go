package compiler

import (
	"fmt"
	"go/token"
	"maps"
	"strings"
)

// Sections: statements with warp operations and without barriers can be run in two ways. Split at the operations,
// each of which goes over all threads of the block; that is what is always right. Or as a whole, warp by
// warp, with the values of a warp in two vectors of 16 lanes and the operations as permutations of them.
// That needs rows that are whole warps, and lanes that go the same way.

// A section is such statements in both forms.
type section struct {
	split []node
	whole *region       // a copy with variables of its own, in which the place in the warp is known
	own   map[*Var]*Var // these variables, by what they are copies of
}

// sections cuts list into runs that may be sections and what is between them.
func (f *fissioner) sections(list []Stmt) (runs [][]Stmt) {
	start := 0
	for i, s := range list {
		if !f.warpable(s) {
			if i > start {
				runs = append(runs, list[start:i])
			}
			runs = append(runs, list[i:i+1])
			start = i + 1
		}
	}
	if start < len(list) {
		runs = append(runs, list[start:])
	}
	// What is not a section is not cut at all.
	var out [][]Stmt
	for _, r := range runs {
		if n := len(out); n > 0 && !f.isSection(r) && !f.isSection(out[n-1]) {
			out[n-1] = append(out[n-1][:len(out[n-1]):len(out[n-1])], r...)
		} else {
			out = append(out, r)
		}
	}
	return out
}

func (f *fissioner) isSection(run []Stmt) bool {
	for _, s := range run {
		if !f.warpable(s) {
			return false
		}
	}
	return anyStmt(run, func(s Stmt) bool { _, ok := s.(*Warp); return ok })
}

// warpable reports whether s may be part of a section.
func (f *fissioner) warpable(s Stmt) bool {
	inside := map[Stmt]bool{}
	walk([]Stmt{s}, func(x Stmt) { inside[x] = true })
	return !anyStmt([]Stmt{s}, func(x Stmt) bool {
		switch x := x.(type) {
		case *Barrier, *Alloc, *Block:
			return true
		case *Exit:
			return !inside[x.To]
		}
		return false
	})
}

// wholeOf makes the form of a section that is run warp by warp.
func (f *fissioner) wholeOf(run []Stmt) ([]Stmt, map[*Var]*Var) {
	copies := map[Stmt]Stmt{}
	own := map[*Var]*Var{}
	list := mapInto(run, func(e Expr) Expr { return e }, copies)
	clone := func(v *Var) *Var {
		if own[v] == nil {
			w := *v
			w.Name, w.value, w.common, w.spread, w.kept = uniqueName(f.names, v.Name), nil, false, false, false
			if c, ok := copies[v.In].(*For); ok && v.In != nil {
				w.In = c
			}
			own[v] = &w
			f.k.Vars = append(f.k.Vars, &w)
		}
		return own[v]
	}
	for _, c := range copies {
		if l, ok := c.(*For); ok && l.outer != nil {
			if o, ok := copies[l.outer].(*For); ok {
				l.outer = o
			}
		}
	}
	walk(list, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			for _, l := range s.L {
				if l != nil && s.Def {
					if v, whole := assigned(l); v != nil && whole {
						clone(v)
					}
				}
			}
		case *Warp:
			if s.Dst != nil {
				s.Dst = clone(s.Dst)
			}
			if s.All != nil {
				s.All = clone(s.All)
			}
		}
	})
	warpSize := func(e Expr) bool { n, ok := constInt(e); return ok && n == 32 }
	var local func(e Expr) Expr
	local = func(e Expr) Expr {
		if e == nil {
			return nil
		}
		return mapExpr(e, func(x Expr) Expr {
			switch x := x.(type) {
			case *VarRef:
				if w := own[x.V]; w != nil {
					return &VarRef{w}
				}
				if x.V.value != nil {
					return local(x.V.value)
				}
			case *Binary:
				if _, ok := x.X.(*Rank); ok && warpSize(x.Y) && x.Op == token.REM {
					return &Index3{laneInWarp, 0}
				} else if ok && warpSize(x.Y) && x.Op == token.QUO {
					return &Index3{warpInBlock, 0}
				}
			}
			return x
		})
	}
	changeAll(list, local)
	k := &Kernel{Body: list}
	for _, v := range f.k.Vars {
		if own[v] == nil && containsVar(own, v) {
			k.Vars = append(k.Vars, v)
		}
	}
	k.shapes()
	count := map[*Var]int{}
	value := map[*Var]Expr{}
	walk(list, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			for v := range assignedIn(s) {
				count[v]++
				if s.Def && len(s.L) == 1 {
					value[v] = s.R
				}
			}
		case *Warp:
			for _, v := range results(s) {
				count[v] += 2
			}
		}
	})
	for v, e := range value {
		if count[v] == 1 && !v.addr {
			f.k.single[v] = e
		}
	}
	return list, own
}

// usedOutside returns the variables that are used by nodes outside s.
func (b *body) usedOutside(s *section) map[*Var]bool {
	inside := map[node]bool{}
	eachNode(s.split, func(n node) { inside[n] = true })
	used := map[*Var]bool{}
	note := func(list []Stmt) {
		u := useOf(list)
		maps.Copy(used, u.read)
		maps.Copy(used, u.written)
	}
	eachNode(b.k.nodes, func(n node) {
		if inside[n] {
			return
		}
		switch n := n.(type) {
		case *region:
			note(n.stmts)
		case *once:
			note(n.stmts)
		case *branch:
			note([]Stmt{&If{Cond: n.s.Cond}})
		case *loop:
			note([]Stmt{&If{Cond: n.s.Cond}})
		case *sync:
			note([]Stmt{n.s})
		case *meet:
			note([]Stmt{n.s})
		case *alloc:
			note([]Stmt{n.s})
		}
	})
	return used
}

// leaveBehind adds to a section what later nodes want of its variables.
func (v *vector) leaveBehind(s *section) {
	used := v.usedOutside(s)
	for _, w := range v.k.Vars {
		own := s.own[w]
		if own == nil || !used[w] || w.value != nil {
			continue
		}
		if !w.spread || isBool(w.Type) || !v.holds(w.Type) {
			panic(noVector{"a variable that later phases use has no vector form"})
		}
		v.each(true, func() {
			v.printf("%s\n", v.storeText(w.Type, v.slice(v.array[w], w.Type), v.rank(), v.value(&VarRef{own})))
		})
	}
}

func containsVar(own map[*Var]*Var, v *Var) bool {
	for _, w := range own {
		if w == v {
			return true
		}
	}
	return false
}

// section prints both forms, if there are two.
func (b *body) section(s *section) {
	var st strip
	ok := false
	if b.width == 64 && !b.split {
		b.r = s.whole
		b.of = s
		st, ok = b.vectorRegion(s.whole, true, 2, 0)
		b.of = nil
		b.r = nil
		b.vectors[s.whole] = "none, since " + st.why
	}
	if !ok {
		b.nodes(s.split)
		return
	}
	b.vectors[s.whole] = "2 vectors of 16 lanes, where rows are whole warps"
	b.vector++
	whole := uniqueName(b.names, "whole")
	text := b.stripBody(st)
	b.printf("%s := %s%%32 == 0", whole, b.use("dimX"))
	b.use("rows")
	if b.k.tracked {
		b.printf(" && p.Live == dimX*rows")
	}
	b.printf("\n")
	if conds := strings.Join(st.conds, " && "); conds != "" {
		b.printf("for row := 0; %s && row < rows; row++ {\n", whole)
		b.rowHead(conds)
		if containsWord(conds, "lo") {
			b.printf("const lo = 0\n")
		}
		if containsWord(conds, "hi") {
			b.printf("hi := dimX\n")
		}
		b.printf("%s = %s\n", whole, conds)
		if !containsWord(conds, "row") && !containsWord(conds, "ty") && !containsWord(conds, "tz") {
			b.printf("_ = row\n")
		}
		b.printf("}\n")
	}
	b.printf("if %s {\nfor row := range rows {\n", whole)
	b.rowHead(text)
	if !containsWord(text, "row") && !containsWord(text, "ty") && !containsWord(text, "tz") {
		b.printf("_ = row\n")
	}
	b.printf("for tx := 0; tx < dimX; tx += 32 {\n%s}\n}\np.Current = -1\n} else {\n", text)
	b.split = true // the sections inside too
	b.nodes(s.split)
	b.split = false
	b.printf("}\n")
}

// warp prints a warp operation of a whole warp, whose values are in two vectors.
func (v *vector) warp(s *Warp) {
	no := func(why string) { panic(noVector{why}) }
	if !v.full || v.mask != v.strip || v.parts*v.lanes != 32 || v.lanes != 16 || v.axis != 0 {
		no("a warp operation is under a condition that may differ between lanes")
	}
	if s.Mask != nil {
		if n, ok := constInt(s.Mask); !ok || n != 1<<32-1 {
			no("the mask of a warp operation is not FullMask")
		}
	}
	set := func(w *Var, text func() string) {
		v.each(true, func() {
			v.printf("%s := %s\n_ = %s\n", v.name(w), text(), v.name(w))
			v.born[w] = v.mask
		})
	}
	// ballot puts the lanes for which a predicate holds into a variable.
	ballot := func(e Expr) string {
		name := v.fresh("ballot")
		var halves []string
		v.each(true, func() {
			half := v.fresh("half")
			v.printf("%s := uint32(%s) & 0xffff\n", half, v.maskOf(e))
			halves = append(halves, half)
		})
		v.printf("%s := %s | %s<<16\n", name, halves[0], halves[1])
		v.native += v.weight
		return name
	}
	splat := func(text string) func() string {
		return func() string { return fmt.Sprintf("%s.SplatU32x16(%s)", v.vecName(), text) }
	}
	switch s.Op {
	case "SyncWarp":
	case "ActiveMask":
		set(s.Dst, splat("1<<32 - 1"))
	case "BallotSync":
		set(s.Dst, splat(ballot(s.Args[0])))
	case "AllSync", "AnySync":
		all := ballot(s.Args[0])
		cond := all + " != 0"
		if s.Op == "AllSync" {
			cond = all + " == 1<<32-1"
		}
		set(s.Dst, func() string { return fmt.Sprintf("%s.If(%s)", v.vecName(), cond) })
	case "ShflSync", "ShflUpSync", "ShflDownSync", "ShflXorSync":
		if n, ok := constInt(s.Args[2]); !ok || n != 32 {
			no("the width of a shuffle is not 32")
		}
		switch elem(s.T) {
		case "F32", "I32", "U32":
		default:
			no("a shuffle of a type that has no 32 bits")
		}
		if !shapeOf(s.Args[1]).uniform() && shapeOf(s.Args[1])[0] != 0 {
			no("a shuffle by numbers that differ between lanes")
		}
		if mayPanic(s.Args[1]) {
			no("the number of a shuffle may panic")
		}
		var halves []string
		v.each(true, func() {
			half := v.fresh("half")
			v.printf("%s := %s\n", half, v.value(s.Args[0]))
			halves = append(halves, half)
		})
		by := v.simpleText(v.intText(s.Args[1]))
		part := 0
		set(s.Dst, func() string {
			part++
			return fmt.Sprintf("%s(%s, %s, %s, %d)", v.vec(strings.TrimSuffix(s.Op, "Sync"), s.T), halves[0], halves[1], by, part-1)
		})
		v.native += v.weight
	default:
		no(s.Op + " has no form with vectors")
	}
}

// laneText prints the place of the first lane of the part in its warp.
func (b *body) laneText() string { return fmt.Sprint(b.part * 16) }
