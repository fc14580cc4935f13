package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
)

// Sections: statements with warp operations and without barriers can be run in two ways. Split at the operations,
// each of which goes over all threads of the block; that is what is always right. Or as a whole, warp by
// warp, with the values of a warp in two vectors of 16 lanes or four of 8, and the operations as permutations of them.
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
	values := map[*Var]Expr{} // of these variables, if they can be computed anew
	list := mapInto(run, func(e Expr) Expr { return e }, copies)
	list = f.unroll(dropDefs(list, func(v *Var) bool {
		if v.value == nil {
			return false
		}
		_, ok := placeInSection(v.value, nil)
		return ok // it is the number of the lane or the warp
	}))
	clone := func(v *Var) *Var {
		if own[v] == nil {
			w := *v
			w.Name, w.value, w.common, w.spread, w.kept = uniqueName(f.names, v.Name), nil, false, false, false
			if c, ok := copies[v.In].(*For); ok && v.In != nil {
				w.In = c
			}
			own[v] = &w
			if v.value != nil {
				values[&w] = v.value
			}
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
	var local func(e Expr) Expr
	local = func(e Expr) Expr {
		if e == nil {
			return nil
		}
		return mapExpr(e, func(x Expr) Expr {
			switch x := x.(type) {
			case *VarRef:
				if x.V.value != nil {
					if place, ok := placeInSection(x.V.value, values); ok {
						return place
					}
				}
				if w := own[x.V]; w != nil {
					return &VarRef{w}
				}
				if x.V.value != nil {
					return local(x.V.value)
				}
			case *Binary:
				if place, ok := placeInSection(x, values); ok {
					return place
				}
			}
			return x
		})
	}
	changeAll(list, local)
	for read, had := useOf(list).read, 0; had != len(read); read = useOf(list).read {
		had = len(read)
		list = dropDefs(list, func(v *Var) bool { return values[v] != nil && !read[v] })
	}
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

// dropDefs returns list without the definitions of some variables.
func dropDefs(list []Stmt, drop func(v *Var) bool) []Stmt {
	var out []Stmt
	for _, s := range list {
		switch s := s.(type) {
		case *Assign:
			if s.Def && len(s.L) == 1 {
				if v, whole := assigned(s.L[0]); v != nil && whole && drop(v) {
					continue
				}
			}
		case *If:
			s.Then, s.Else = dropDefs(s.Then, drop), dropDefs(s.Else, drop)
		case *For:
			s.Body = dropDefs(s.Body, drop)
		}
		out = append(out, s)
	}
	return out
}

// placeInSection returns the number of the lane or of the warp if e is that where rows are whole warps: what remains when the
// rank, threadIdx.x or the index in the grid is divided by 32, or the quotient. values has variables that are copies of others,
// and what those are computed of.
func placeInSection(e Expr, values map[*Var]Expr) (Expr, bool) {
	b, ok := e.(*Binary)
	if !ok {
		return nil, false
	}
	n, ok := constInt(b.Y)
	lane := b.Op == token.REM && n == warpLanes || b.Op == token.AND && n == warpLanes-1
	warp := b.Op == token.QUO && n == warpLanes || b.Op == token.SHR && n == 5
	if !ok || !lane && !warp {
		return nil, false
	}
	var expand func(e Expr) Expr
	expand = func(e Expr) Expr {
		return mapExpr(e, func(x Expr) Expr {
			if r, ok := x.(*VarRef); ok {
				if r.V.value != nil {
					return expand(r.V.value)
				} else if values[r.V] != nil {
					return expand(values[r.V])
				}
			}
			return x
		})
	}
	as := func(e Expr) (Expr, bool) {
		if types.Identical(b.T, intType) {
			return e, true
		}
		return &Convert{e, b.T}, true
	}
	x := expand(b.X)
	if c, ok := x.(*Convert); ok && isInteger(c.T) && maxOf(c.T) >= 1<<15-1 {
		x = c.X // a place in the block, which is below 1024
		if isGlobal(x, 0) {
			return nil, false
		}
	}
	_, rank := x.(*Rank)
	switch {
	case !rank && !isThreadOf(x, 0) && !isGlobal(x, 0):
		return nil, false
	case lane:
		return as(&Index3{laneInWarp, 0})
	case rank:
		return as(&Index3{warpInBlock, 0})
	case isThreadOf(x, 0):
		return as(&Index3{warpInRow, 0})
	}
	sum := x.(*Binary)
	start := sum.X
	if isThreadOf(start, 0) {
		start = sum.Y
	}
	return as(&Binary{token.ADD, &Binary{token.QUO, start, &Const{constant.MakeInt64(warpLanes), sum.T}, sum.T}, &Index3{warpInRow, 0}, sum.T})
}

// unroll returns list, a copy, with short loops of a known number of rounds, such as for d := 1; d < 32; d *= 2, as that many
// copies of their bodies, if there are warp operations in them: the lanes that take part are then known.
func (f *fissioner) unroll(list []Stmt) []Stmt {
	var out []Stmt
	for i, s := range list {
		switch s := s.(type) {
		case *If:
			s.Then, s.Else = f.unroll(s.Then), f.unroll(s.Else)
		case *For:
			s.Body = f.unroll(s.Body)
			if i > 0 {
				if start, ok := list[i-1].(*Assign); ok {
					if v, values, ok := rounds(start, s); ok {
						out = out[:len(out)-1]
						for _, n := range values {
							out = append(out, f.round(s.Body, v, n)...)
						}
						continue
					}
				}
			}
		}
		out = append(out, s)
	}
	return out
}

// rounds returns the values that the variable of a loop takes, if it is one to unroll.
func rounds(start *Assign, l *For) (v *Var, values []constant.Value, ok bool) {
	if !start.Def || len(start.L) != 1 || len(l.Pre) > 0 || len(l.Post) != 1 || l.breaks || l.continues {
		return nil, nil, false
	}
	v, whole := assigned(start.L[0])
	first, isConst := start.R.(*Const)
	cond, isCond := l.Cond.(*Binary)
	post, isAssign := l.Post[0].(*Assign)
	if v == nil || !whole || v.addr || !isConst || !isCond || !isAssign || len(post.L) != 1 || !types.Identical(v.Type, intType) {
		return nil, nil, false
	}
	step, isStep := post.R.(*Binary)
	is := func(e Expr) bool { r, ok := e.(*VarRef); return ok && r.V == v }
	if !isStep || !is(post.L[0]) || !is(step.X) || !is(cond.X) || assignedIn(&Block{Body: l.Body})[v] {
		return nil, nil, false
	}
	if !anyStmt(l.Body, func(s Stmt) bool { _, ok := s.(*Warp); return ok }) ||
		anyStmt(l.Body, func(s Stmt) bool { _, ok := s.(*For); return ok }) {
		return nil, nil, false
	}
	limit, ok1 := constInt(cond.Y)
	by, ok2 := constInt(step.Y)
	n, ok3 := constInt(first)
	if !ok1 || !ok2 || !ok3 {
		return nil, nil, false
	}
	for {
		holds, known := map[token.Token]bool{token.LSS: n < limit, token.LEQ: n <= limit, token.GTR: n > limit, token.GEQ: n >= limit,
			token.NEQ: n != limit}[cond.Op]
		if !known {
			return nil, nil, false
		}
		if !holds {
			return v, values, len(values) > 0
		}
		if len(values) == 6 || n > 1<<20 || n < -1<<20 {
			return nil, nil, false
		}
		values = append(values, constant.MakeInt64(n))
		switch step.Op {
		case token.ADD:
			n += by
		case token.SUB:
			n -= by
		case token.MUL:
			n *= by
		case token.QUO:
			if by == 0 {
				return nil, nil, false
			}
			n /= by
		case token.SHL:
			n <<= min(uint64(by), 63)
		case token.SHR:
			n >>= min(uint64(by), 63)
		default:
			return nil, nil, false
		}
	}
}

// round returns a copy of the body of a loop in which v has a value, with variables of its own.
func (f *fissioner) round(body []Stmt, v *Var, n constant.Value) []Stmt {
	own := map[*Var]*Var{}
	fresh := func(w *Var) *Var {
		if w != nil && own[w] == nil {
			c := *w
			c.Name = uniqueName(f.names, w.Name)
			own[w] = &c
		}
		return own[w]
	}
	walk(body, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			for _, l := range s.L {
				if w, whole := assigned(l); s.Def && l != nil && whole {
					fresh(w)
				}
			}
		case *Warp:
			fresh(s.Dst)
			fresh(s.All)
		}
	})
	one := func(e Expr) Expr {
		if r, ok := e.(*VarRef); ok && own[r.V] != nil {
			return &VarRef{own[r.V]}
		} else if ok && r.V == v {
			return &Const{n, v.Type}
		}
		return folded(e)
	}
	for _, c := range own {
		if c.value != nil {
			c.value = mapExpr(c.value, one)
		}
	}
	list := mapStmts(body, one)
	walk(list, func(s Stmt) {
		if w, ok := s.(*Warp); ok {
			w.Dst, w.All = own[w.Dst], own[w.All]
		}
	})
	return list
}

// usedOutside returns the variables that are used by nodes outside s.
func (b *body) usedOutside(s *section) map[*Var]bool {
	inside := map[node]bool{}
	eachNode(s.split, func(n node) { inside[n] = true })
	used := map[*Var]bool{}
	eachNode(b.k.nodes, func(n node) {
		if !inside[n] {
			u := useOf(nodeStmts(n))
			maps.Copy(used, u.read)
			maps.Copy(used, u.written)
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
			panic(noVector{sourceName(w) + ", which later phases use, has no vector form"})
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
	parts := 0
	if b.width > 0 && !b.split {
		b.r = s.whole
		b.of = s
		if n := b.lanesFor(s.whole, b.width); n > 0 {
			parts = warpLanes / n
		}
		switch parts {
		case 2, 4:
			st, ok = b.vectorRegion(s.whole, true, parts, 0)
		default:
			st.why = fmt.Sprintf("a warp would be %s", plural(parts, "vector"))
		}
		b.of = nil
		b.r = nil
		b.vectors[s.whole] = "none, since " + st.why
	}
	if !ok {
		b.nodes(s.split)
		return
	}
	b.vectors[s.whole] = fmt.Sprintf("%d vectors of %d lanes, where rows are whole warps%s", parts, st.lanes, st.slow)
	b.vector++
	whole := uniqueName(b.names, "whole")
	text := b.stripBody(st)
	b.printf("%s := %s%%32 == 0", whole, b.use("dimX"))
	b.use("rows")
	if b.k.tracked {
		b.printf(" && p.Live == dimX*rows")
	}
	b.printf("\n")
	if conds := joined(st.conds); conds != "" {
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
	b.printf("for tx := 0; tx < dimX; tx += 32 {\n%s}\n}\n", text)
	b.clearUpper()
	b.printf("p.Current = -1\n} else {\n")
	b.split = true // the sections inside too
	b.nodes(s.split)
	b.split = false
	b.printf("}\n")
}

// laneText prints the place in its warp of the first lane of the part, or of the one lane under way.
func (b *body) laneText() string {
	first := b.part * b.now.lanes
	if b.now.eachOne {
		return fmt.Sprintf("(%d + lane)", first)
	}
	return fmt.Sprint(first)
}
