package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Upfront: in a section the rows of a warp begin elsewhere for each warp, so what a loop reads there,
// x[first + 32*r] with a number that the warp has computed before, can't be a condition of the row of threads. It is
// asked for before the loop, for all its rounds, and the loop is a func of its own then, without checks. In the body of the
// kernel, which has the threads of blocks that are no whole warps as well, Go kept the counter and the slices in memory: a scan
// of warps had 124 instructions for 32 elements, 36 of them nops, and has 72, with 28.

// An upfront is such a loop: i counts from 0 to limit.
type upfront struct {
	loop    *For
	i       *Var
	limit   Expr
	changed map[*Var]bool // in the loop
	at      int           // how many branches are around it
	conds   []string      // what must hold for all rounds
	room    int           // registers for the lanes of shuffles
	masks   int           // that are kept
	kept    map[string]string
	decls   string // of what is kept, before the loop
}

// upfront prints s without checks, if what they ask can be asked before it, and as it is for when that does not hold.
func (v *vector) upfront(s *For) bool {
	u, ok := v.upfrontOf(s)
	if !ok {
		return false
	}
	line := v.body.line
	v.body.line = token.Position{}
	v.ahead = u
	text := v.apartFrom(func() { v.forLoop(s) })
	v.ahead = nil
	call := v.outlineLoop(s, u.decls+text)
	v.body.line = line
	v.printf("if %s {\n%s} else {\n", joined(u.conds), call)
	v.ahead = &upfront{} // the loop itself asks for nothing
	v.forLoop(s)
	v.ahead = nil
	v.printf("}\n")
	v.body.line = token.Position{}
	return true
}

// upfrontOf returns what is known of s, if it is such a loop: of a section, with a short body, that reads or writes
// neighbours in each round.
func (v *vector) upfrontOf(s *For) (*upfront, bool) {
	if v.of == nil || v.ahead != nil || !v.full || v.mask != v.strip || v.only || s.parts[0] != 0 || s.breaks || s.continues {
		return nil, false
	}
	i, limit, ok := v.counts(s)
	if !ok || !types.Identical(i.Type, intType) || !shapeOf(limit).uniform() || mayPanic(limit) || loads(limit) {
		return nil, false
	}
	if anyStmt(s.Body, func(s Stmt) bool {
		switch s.(type) {
		case *Assign, *If, *Warp:
			return false
		}
		return true
	}) {
		return nil, false
	}
	u := &upfront{loop: s, i: i, limit: limit, changed: assignedIn(s), at: v.branches, room: mostKept, kept: map[string]string{}}
	for w := range u.changed {
		if !declaredIn(w, s) && !declares(s, w) && !scalarShape(w.Shape) && !isBool(w.Type) {
			u.room -= v.parts
		}
	}
	if n, isConst := constInt(limit); isConst && (n < fewRounds || n > shortLoop) {
		return nil, false
	} else if !isConst {
		u.conds = []string{v.intText(limit) + " > 0", fmt.Sprintf("%s <= %d", v.intText(limit), shortLoop)}
	}
	found := false
	for _, s := range s.Body {
		if _, isIf := s.(*If); isIf {
			continue
		}
		exprs(s, func(e Expr) {
			walkExpr(e, func(e Expr) {
				if l, ok := e.(*Index); ok {
					_, ok := u.condOf(v, l)
					found = found || ok
				}
			})
		})
	}
	return u, found
}

// fewRounds is how many rounds are worth a call.
const fewRounds = 4

// mostKept is how many vectors a loop may keep. A vector more than there are registers costs more than twenty such loads: it
// is stored and loaded in each round, and the stack is not aligned to 64 bytes. A scan keeps two sums, five lanes of shuffles
// and a zero, and has seven vectors under way.
const mostKept = 7

// mostMasks is how many mask registers a loop may keep; there are seven.
const mostMasks = 5

// keep returns the name of what is made before the loop and kept in a register.
func (u *upfront) keep(v *vector, name, text string) string {
	if u.kept[text] == "" {
		u.kept[text] = v.fresh(name)
		u.decls += fmt.Sprintf("%s := %s\n", u.kept[text], text)
	}
	return u.kept[text]
}

// keepMask returns the name of a mask with these lanes, if there is a register for it.
func (u *upfront) keepMask(v *vector, lanes uint64) string {
	if u == nil || u.loop == nil || v.lanes != 16 {
		return ""
	}
	text := fmt.Sprintf("%s.KeptMask(%#x)", v.vecName(), lanes)
	if u.kept[text] == "" {
		if u.masks == mostMasks {
			return ""
		}
		u.masks++
	}
	return u.keep(v, "kept", text)
}

// shuffle prints a part of a shuffle by a number that permutes the lanes of one vector, if there is a register for these. (One
// that takes lanes of both vectors overwrites them.)
func (u *upfront) shuffle(v *vector, s *Warp, halves []string, part int) (string, bool) {
	if u == nil || u.loop == nil || v.lanes != 16 {
		return "", false
	}
	b, isConst := constInt(s.Args[1])
	if !isConst || b < 0 || b > 31 {
		return "", false
	}
	var from string
	switch s.Op {
	case "ShflSync":
		from = halves[b>>4]
	case "ShflUpSync":
		if part != 0 || b == 16 {
			return "", false
		}
		from = halves[0]
	case "ShflDownSync":
		if part != 1 || b == 16 {
			return "", false
		}
		from = halves[1]
	case "ShflXorSync":
		from = halves[part^int(b>>4)]
		if b&15 == 0 {
			return from, true
		}
	default:
		return "", false
	}
	text := fmt.Sprintf("%s.%sLanes(%d)", v.vecName(), strings.TrimSuffix(s.Op, "Sync"), b)
	if u.kept[text] == "" {
		if u.room <= 0 {
			return "", false
		}
		u.room--
	}
	if s.Op == "ShflSync" && part == 0 {
		v.printf("_ = %s\n", halves[1-b>>4])
	}
	return fmt.Sprintf("%s(%s, %s)", v.vec("Permute", s.T), from, u.keep(v, "lanesFrom", text)), true
}

// covers reports whether the index of l is within bounds for all lanes in all rounds, if what it notes holds.
func (u *upfront) covers(v *vector, l *Index) bool {
	if u == nil || u.loop == nil || v.branches != u.at || !v.jointly(l) {
		return false
	}
	conds, ok := u.condOf(v, l)
	if !ok {
		return false
	}
	v.joint[l] = true
	for _, c := range conds {
		if !slices.Contains(u.conds, c) {
			u.conds = append(u.conds, c)
		}
	}
	return true
}

// condOf returns what must hold before the loop for the neighbours that l is in all rounds. Nothing in it wraps around:
// the part of the index that counts is at most shortLoop*shortLoop.
func (u *upfront) condOf(v *vector, l *Index) ([]string, bool) {
	x, ok := l.X.(*VarRef)
	if !ok || !isSlice(x.V.Type) || u.changed[x.V] || x.V.addr || shapeOf(x)[0] != 0 || shapeOf(l.I)[0] != 1 || !types.Identical(l.I.Type(), intType) {
		return nil, false
	}
	base, by, ok := u.linear(v, l.I)
	if !ok || by < 0 || by > shortLoop || base == nil {
		return nil, false
	}
	if _, wide := v.rowWideIndex(l.I); wide {
		return nil, false // a condition of the row
	}
	low := v.intText(base)
	if strings.Contains(low, " ") {
		low = "(" + low + ")"
	}
	length, lanes := "len("+v.expr(x)+")", v.parts*v.lanes
	high := fmt.Sprintf("%s-%d*(%s-1)-%d", length, by, v.intText(u.limit), lanes)
	if n, isConst := constInt(u.limit); isConst {
		high = fmt.Sprintf("%s-%d", length, by*(n-1)+int64(lanes))
	}
	return []string{low + " >= 0", low + " <= " + high}, true
}

// linear takes e apart into what does not change in the loop, nil for nothing, and a number of times the counter.
func (u *upfront) linear(v *vector, e Expr) (base Expr, by int64, ok bool) {
	switch x := e.(type) {
	case *VarRef:
		switch {
		case x.V == u.i:
			return nil, 1, true
		case declaredIn(x.V, u.loop) || u.changed[x.V]:
			if one := v.k.single[x.V]; one != nil && types.Identical(x.V.Type, intType) {
				return u.linear(v, one)
			}
			return nil, 0, false
		}
	case *Binary:
		if !types.Identical(x.T, intType) {
			break
		}
		switch x.Op {
		case token.ADD:
			a, n, ok1 := u.linear(v, x.X)
			b, m, ok2 := u.linear(v, x.Y)
			switch {
			case !ok1 || !ok2 || n < 0 || m < 0 || n > shortLoop || m > shortLoop:
				return nil, 0, false
			case a == nil:
				a = b
			case b != nil:
				a = &Binary{token.ADD, a, b, x.T}
			}
			return a, n + m, true
		case token.MUL:
			c, isConst := constInt(x.X)
			y := x.Y
			if !isConst {
				c, isConst = constInt(x.Y)
				y = x.X
			}
			if a, n, ok := u.linear(v, y); isConst && ok && a == nil && c >= 0 && c <= shortLoop && n <= shortLoop {
				return nil, c * n, true
			}
		}
	}
	if !scalarShape(shapeOf(e)) || mayPanic(e) || loads(e) {
		return nil, 0, false
	}
	ok = true
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *VarRef:
			ok = ok && !u.changed[x.V] && !declaredIn(x.V, u.loop) && !x.V.addr && x.V.value == nil && scalarShape(x.V.Shape)
		case *Const, *Index3, *Rank, *Binary:
		default:
			ok = false
		}
	})
	return e, 0, ok
}

// outlineLoop makes a func of text, which is what s has become, and returns a call of it.
func (v *vector) outlineLoop(s *For, text string) string {
	use := useOf([]Stmt{s})
	var order, results []string
	typeOf := map[string]string{}
	for _, w := range v.k.Vars {
		if !use.read[w] && !use.written[w] || declaredIn(w, s) || declares(s, w) {
			continue
		}
		n := 1
		if v.varies(w.Shape) {
			n = v.parts
		}
		for v.part = range n {
			name := v.name(w)
			order = append(order, name)
			switch {
			case scalarShape(w.Shape):
				typeOf[name] = v.typ(w.Type)
			case isBool(w.Type):
				typeOf[name] = v.vecName() + ".Mask"
			default:
				typeOf[name] = v.vecName() + "." + v.suffix(w.Type)
			}
			if use.written[w] {
				results = append(results, name)
			}
		}
		v.part = 0
	}
	for part := range v.parts {
		v.part = part
		for _, name := range []string{v.rank(), v.partName("tx")} {
			order, typeOf[name] = append(order, name), "int"
		}
	}
	v.part = 0
	if containsWord(text, v.strip) {
		text = fmt.Sprintf("%s := %s.Mask(1<<%d - 1)\n", v.strip, v.vecName(), v.lanes) + text
	}
	return v.outline(v.withHeads(useAll(text, v.paired)), "a loop of a warp", order, typeOf, nil, results, "")
}
