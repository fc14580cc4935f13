package compiler

import (
	"fmt"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
)

// Branches and jumps of vectors: which lanes are on.

// leaves reports whether s has an exit to something outside it.
func leaves(s Stmt) bool {
	inside := map[Stmt]bool{}
	walk([]Stmt{s}, func(x Stmt) { inside[x] = true })
	return anyStmt([]Stmt{s}, func(x Stmt) bool { e, ok := x.(*Exit); return ok && (e.To == nil || !inside[e.To]) })
}

// narrowed runs f under a narrower mask, held in a variable of its own.
func (v *vector) narrowed(mask string, f func()) {
	saved, dirty, known := v.mask, v.dirty, v.known
	v.mask, v.dirty, v.known = mask, false, maps.Clone(v.known)
	v.nest = append(v.nest, mask)
	before := v.moved
	v.moved = map[string]bool{}
	f()
	for name := range v.moved {
		maps.DeleteFunc(known, func(key string, _ bool) bool { return containsWord(key, name) })
		if before != nil {
			before[name] = true
		}
	}
	v.known, v.moved = known, before
	v.nest = v.nest[:len(v.nest)-1]
	if v.dirty {
		v.printf("p.Current = rank\n")
	}
	v.mask, v.dirty = saved, dirty || v.dirty && saved != v.strip
}

// assume reports whether s, printed for whole vectors or for the middle of a row, may take its condition to
// hold: it has no else, and is about the place of the thread in the grid, such as x < width-1, so that it
// holds for most. The loop is then over the threads for which it does.
func (v *vector) assume(s *If) bool {
	if !v.full || v.axis == 1 && v.parts > 1 && v.plane == nil || v.weight > 1 || len(s.Else) > 0 || v.branches > 0 || v.mask != v.strip {
		return false
	}
	gs, rest := splitGuards(s.Cond)
	if v.plane != nil && len(gs) == 0 {
		gs, rest = []guard{{op: token.NOT, limit: s.Cond}}, nil
		if shapeOf(s.Cond)[0] != 0 {
			return false
		}
	}
	if v.view != nil && len(gs) == 0 && v.rowGuard(s.Cond) {
		v.guards = append(v.guards, guard{op: token.NOT, limit: s.Cond})
		return true
	}
	if len(gs) == 0 || len(rest) > 0 {
		return false
	}
	inGrid := slices.ContainsFunc(gs, func(g guard) bool {
		return inGridPlace(v.k, g.limit) || g.base != nil && inGridPlace(v.k, g.base)
	})
	for _, g := range gs {
		switch {
		case g.op == token.EQL:
			return false
		case g.op == token.NOT:
			if !v.steady(g.limit) {
				return false
			}
		case !v.steady(g.base) || !v.steady(g.limit):
			return false
		case v.plane == nil && !inGrid && !g.mostly():
			return false
		}
	}
	for _, g := range gs {
		if !slices.ContainsFunc(v.guards, func(h guard) bool { return h == g }) {
			v.guards = append(v.guards, g)
		}
	}
	return true
}

// mostly reports whether g holds for all threads of a row but the first few, such as tid > 0.
func (g guard) mostly() bool {
	n, ok := constInt(g.limit)
	return ok && n <= 4 && (g.op == token.GTR || g.op == token.GEQ)
}

// rowGuard reports whether cond says in which rows of the grid something is done, such as y > 0 && y < height-1.
func (v *vector) rowGuard(cond Expr) bool {
	if shapeOf(cond)[0] != 0 || !v.steady(cond) {
		return false
	}
	for _, t := range terms(cond) {
		b, ok := t.(*Binary)
		if !ok || flipped[b.Op] == 0 || b.Op == token.EQL || !inGridPlace(v.k, b) || shapeOf(b)[1] == 0 && shapeOf(b)[2] == 0 {
			return false
		}
	}
	return true
}

// inGridPlace reports whether e depends on the block's place in the grid.
func inGridPlace(k *Kernel, e Expr) bool {
	found := false
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Index3:
			found = found || x.Of == blockIdx || x.Of == origin
		case *VarRef:
			if one := k.single[x.V]; one != nil {
				found = found || inGridPlace(k, one)
			}
		}
	})
	return found
}

// steady reports whether e can be computed before the loop over the threads of a row, for any of them, and
// then holds: it has nothing that the region changes.
func (v *vector) steady(e Expr) bool {
	if mayPanic(e) || loads(e) || hasVariable(e) {
		return false
	}
	written := useOf(v.r.stmts).written
	ok := true
	var visit func(e Expr)
	visit = func(e Expr) {
		walkExpr(e, func(x Expr) {
			if i, isIndex := x.(*Index3); isIndex && i.Of.inWarp() {
				ok = false
			}
			if r, isVar := x.(*VarRef); isVar && !r.V.Param {
				if r.V.value != nil {
					visit(r.V.value)
				} else if written[r.V] || !r.V.common {
					ok = false
				}
			}
		})
	}
	visit(e)
	return ok
}

// under notes that what is printed next is under a condition, if that is the same for the row: checks for the
// row are then needed only if it holds. What it returns ends that.
func (v *vector) under(cond Expr, not bool) func() {
	if !v.full && !v.ends || shapeOf(cond)[0] != 0 || !v.steady(cond) || v.axis == 1 && v.parts > 1 {
		return func() {}
	}
	v.atZero = true
	c := "(" + unparen(v.expr(cond)) + ")"
	v.atZero = false
	if not {
		c = "!" + c
	}
	v.when = append(v.when, c)
	return func() { v.when = v.when[:len(v.when)-1] }
}

// thenOnly reports whether s, printed for whole vectors or for the middle of a row, is left to its first branch: the
// other one has loops that lanes leave one by one, which is for the general form. The condition, the
// same for the block, becomes one of the row.
func (v *vector) thenOnly(s *If) bool {
	if !v.full || len(s.Else) == 0 || !shapeOf(s.Cond).uniform() || !v.steady(s.Cond) || !partingLoops(s.Else) || partingLoops(s.Then) {
		return false
	}
	v.require("(" + unparen(v.expr(s.Cond)) + ")")
	use := useOf(s.Else)
	for _, w := range v.k.Vars {
		if (use.read[w] || use.written[w]) && !declares(s, w) {
			v.leftOut(w)
		}
	}
	return true
}

// leftOut notes that a use of w is not printed, so that it may have no other.
func (v *vector) leftOut(w *Var) {
	part := v.body.part
	for v.body.part = range max(v.parts, 1) {
		v.elsewhere = append(v.elsewhere, v.name(w))
	}
	v.body.part = part
}

func (v *vector) branch(s *If) {
	if v.assume(s) {
		v.list(s.Then)
		return
	}
	if v.thenOnly(s) {
		v.branches++
		v.list(s.Then)
		v.branches--
		return
	}
	if sh := shapeOf(s.Cond); sh[0] == 0 {
		if v.varies(sh) {
			v.oneVector()
		}
		known := v.known
		v.known = maps.Clone(known)
		v.blame(s.Cond)
		v.branches++
		defer func() { v.branches-- }()
		v.printf("if %s {\n", v.expr(s.Cond))
		done := v.under(s.Cond, false)
		v.list(s.Then)
		done()
		if len(s.Else) > 0 {
			v.known = maps.Clone(known)
			v.printf("} else {\n")
			done := v.under(s.Cond, true)
			v.list(s.Else)
			done()
		}
		v.known = map[string]bool{}
		v.printf("}\n")
		return
	}
	if v.axis == 1 {
		v.oneVector() // what the rows share would be loaded for the lanes of one of them
	}
	m, e := v.fresh("mt"), ""
	if len(s.Else) > 0 {
		e = v.fresh("me")
	}
	v.each(true, func() {
		c := v.maskOf(s.Cond)
		v.printf("%s := %s & %s\n", v.partOf(m), v.m(), paren(c))
		v.fix(v.partOf(m), c)
		if e != "" {
			v.printf("%s := %s &^ %s\n", v.partOf(e), v.m(), v.partOf(m))
		}
	})
	under := func(mask string, list []Stmt) {
		if mask == "" {
			return
		}
		if len(list) == 0 {
			v.each(true, func() { v.printf("_ = %s\n", v.partOf(mask)) })
			return
		}
		any := mask
		for j := 1; j < v.parts && !v.only; j++ {
			any += fmt.Sprintf("|%s_%d", mask, j+1)
		}
		v.printf("if %s != 0 {\n", any)
		v.narrowed(mask, func() { v.list(list) })
		v.printf("}\n")
	}
	under(m, s.Then)
	under(e, s.Else)
}

// The masks that are known here, in which all lanes are on or none.
type fixedMask int

const (
	allLanes fixedMask = iota + 1
	noLanes
)

var constantMask = regexp.MustCompile(`^\(?(\^?)vec\.Mask\(0x([0-9a-f]+)\)(?: &\^ vec\.Mask\(0x([0-9a-f]+)\))?\)?$`)

// fix notes it if a mask is cond and that is a number. Go would blend with a mask that has all lanes.
func (v *vector) fix(mask, cond string) {
	delete(v.fixed, mask)
	delete(v.kept, mask)
	m := constantMask.FindStringSubmatch(cond)
	if m == nil || !v.full || v.mask != v.strip {
		return
	}
	on, err := strconv.ParseUint(m[2], 16, 64)
	but, err2 := strconv.ParseUint("0"+m[3], 16, 64)
	if err != nil || err2 != nil {
		return
	}
	if m[1] != "" {
		on = ^on
	}
	if v.fixed == nil {
		v.fixed, v.kept = map[string]fixedMask{}, map[string]string{}
	}
	lanes := uint64(1)<<v.lanes - 1
	switch on &^ but & lanes {
	case lanes:
		v.fixed[mask] = allLanes
	case 0:
		v.fixed[mask] = noLanes
	default:
		v.kept[mask] = v.ahead.keepMask(v, on&^but&lanes)
	}
}

// exit takes the lanes that are on out of the masks up to the target.
func (v *vector) exit(e *Exit) {
	var until string // the outermost mask that loses the lanes
	switch to := e.To.(type) {
	case nil:
		until = v.strip
	case *For:
		until = v.inner[to]
		if !e.Continue {
			until = v.loop[to]
		}
		if to.parts[0] == 0 && (v.inner[to] == v.mask || !e.Continue) {
			// All lanes go together.
			if e.Continue {
				v.printf("continue %s\n", v.label(to, "loop"))
			} else {
				v.printf("break %s\n", v.label(to, "loop"))
			}
			return
		}
	case *Block:
		until = v.inner[to]
	}
	cur := v.mask
	if cur == until && e.To != nil {
		// All that are left there leave.
		switch to := e.To.(type) {
		case *Block:
			v.printf("break %s\n", v.label(to, "block"))
			return
		case *For:
			if e.Continue {
				v.printf("break %s\n", v.label2(to))
				return
			}
		}
	}
	if to, ok := e.To.(*For); ok && v.leavesWhole(e) {
		v.printf("break %s\n", v.label(to, "loop"))
		return
	}
	for i := len(v.nest) - 1; i >= 0; i-- {
		m := v.nest[i]
		if m != cur {
			v.printf("%s &^= %s\n", m, cur)
		}
		if m == until {
			break
		}
	}
	v.printf("%s = 0\n", cur)
}

// leavesWhole reports whether all lanes that still run a loop that they leave one by one leave it together, with e.
func (v *vector) leavesWhole(e *Exit) bool {
	to, ok := e.To.(*For)
	return ok && !e.Continue && to.parts[0] != 0 && !to.continues && v.inner[to] != "" && v.mask == v.inner[to]
}

// jumps reports whether s is a branch that all lanes take, or none, and that ends as they leave the loop together.
func (v *vector) jumps(s Stmt) bool {
	c, ok := s.(*If)
	if !ok || len(c.Else) > 0 || len(c.Then) == 0 || shapeOf(c.Cond)[0] != 0 {
		return false
	}
	last := len(c.Then) - 1
	e, ok := c.Then[last].(*Exit)
	return ok && v.leavesWhole(e) && !leaves(&Block{Body: c.Then[:last]})
}
