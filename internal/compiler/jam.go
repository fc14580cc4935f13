package compiler

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// Unroll-and-jam in plain Go: where threads execute the same iterations of a loop, several of them
// are jammed: each statement of the loop is executed for all of them in turn. An addition waits
// four cycles for the previous one of the same sum; four independent sums take the same time as
// one. Elements that all of them read are loaded once.

// jamParts returns how many threads are best jammed in a region: 0 if it has no such loop, or if
// there are more variables than registers.
func (b *body) jamParts(r *region, list []Stmt) int {
	if b.k.each > 1 { // threads keep their order, see uncoarsen
		return 0
	}
	loop := false
	for _, s := range list {
		switch s := s.(type) {
		case *If:
			if shapeOf(s.Cond)[0] != 0 {
				if hasLoop([]Stmt{s}) {
					return 0
				}
				continue // each thread on its own
			}
			for _, x := range s.Then {
				if l, ok := x.(*For); ok && (steadyLoop(l) || b.isRounding(l)) {
					loop = true
				}
			}
		case *For:
			if !steadyLoop(s) && !b.isRounding(s) {
				return 0
			}
			loop = true
		case *Assign:
		default:
			return 0
		}
	}
	if !loop || b.keepsColumns(r) {
		return 0
	}
	switch n := b.privateVars(r); {
	case n <= 1 && readsLines(list):
		return 8 // two of the sums are spilled, but half a cache line is used at a time
	case n <= 1:
		return 4
	case n <= 2:
		return 4
	case n <= mostPrivate:
		return 2
	}
	if b.carriedVars(list) > 0 {
		return 2 // other variables are not in registers while the innermost loops run
	}
	return 0
}

// mostPrivate is the largest number of variables per thread with which threads are always jammed.
const mostPrivate = 5

// mostCarried is the largest number of loop-carried variables of an innermost loop with which two
// threads are jammed: there are registers for eight.
const mostCarried = 4

// carriedVars returns the largest number of loop-carried variables of a thread in the innermost
// loops of list, or 0 if that exceeds mostCarried. Of an If with a uniform condition, one side may
// exceed it.
func (b *body) carriedVars(list []Stmt) int {
	most := 0
	for _, s := range list {
		n := 0
		switch s := s.(type) {
		case *For:
			if hasLoop(s.Body) {
				n = b.carriedVars(s.Body)
			} else {
				for v := range assignedIn(&Block{Body: s.Body}) {
					if v.Shape[0] != 0 && v.value == nil && !declares(s, v) {
						n++
					}
				}
				if n > mostCarried {
					n = 0
				}
			}
			if n == 0 {
				return 0
			}
		case *If:
			if shapeOf(s.Cond)[0] == 0 {
				n = max(b.carriedVars(s.Then), b.carriedVars(s.Else))
				if n == 0 && (hasLoop(s.Then) || hasLoop(s.Else)) {
					return 0
				}
			}
		}
		most = max(most, n)
	}
	return most
}

// readsLines reports whether a loop in list reads a global array so that neighbouring threads read
// neighbours.
func readsLines(list []Stmt) bool {
	found := false
	walk(list, func(s Stmt) {
		if l, ok := s.(*For); ok {
			walk(l.Body, func(s Stmt) {
				exprs(s, func(e Expr) {
					walkExpr(e, func(e Expr) {
						if x, ok := e.(*Index); ok {
							r, isVar := x.X.(*VarRef)
							found = found || isVar && r.V.Param && shapeOf(x.I)[0] == 1
						}
					})
				})
			})
		}
	})
	return found
}

// privateVars returns the number of divergent variables in the loops of a region.
func (b *body) privateVars(r *region) int {
	n := 0
	u := useOf(r.stmts)
	inLoops := use{read: map[*Var]bool{}, written: map[*Var]bool{}}
	counts := map[*Var]bool{} // jammed threads share one counter
	walk(r.stmts, func(s Stmt) {
		if l, ok := s.(*For); ok {
			if r, ok := b.roundsOf(l); ok {
				counts[r.i] = true
			}
			in := useOf(l.Body)
			maps.Copy(inLoops.read, in.read)
			maps.Copy(inLoops.written, in.written)
		}
	})
	for _, v := range b.k.Vars {
		if u.written[v] && (inLoops.read[v] || inLoops.written[v]) && !counts[v] && !v.Param && v.Shape[0] != 0 && v.value == nil {
			n++
		}
	}
	return n
}

// steadyLoop reports whether the threads of a row execute the same iterations of l.
func steadyLoop(l *For) bool {
	if l.parts[0] != 0 || l.breaks || l.continues || len(l.Pre) > 0 || l.Cond != nil && shapeOf(l.Cond)[0] != 0 {
		return false
	}
	for _, s := range l.Post {
		if a, ok := s.(*Assign); !ok || !sameForRow(a) {
			return false
		}
	}
	return true
}

// sameForRow reports whether a assigns a variable that is the same for the threads of a row.
func sameForRow(a *Assign) bool {
	if len(a.L) != 1 || a.L[0] == nil {
		return false
	}
	v, whole := assigned(a.L[0])
	return v != nil && whole && v.Shape[0] == 0 && !v.addr
}

// eachPart calls f for each of the jammed threads.
func (b *body) eachPart(f func()) {
	for b.part = range b.parts {
		f()
	}
	b.part = 0
}

// jamStmts prints list for the jammed threads.
func (b *body) jamStmts(list []Stmt) {
	// definitions for a loop that each thread executes on its own, with counters of its own
	var heads []Stmt
	for _, s := range list {
		switch s := s.(type) {
		case *Assign:
			if b.ofParting(s, list) {
				heads = append(heads, s)
				continue
			}
			if sameForRow(s) {
				b.stmt(s)
				continue
			}
			if w := b.view; w != nil {
				w.check = w.manySums && w.sums >= 4
			}
			b.loadCommon(s)
		case *If:
			if w := b.view; shapeOf(s.Cond)[0] == 0 {
				b.at(s.Pos)
				if w != nil && w.v.thenOnly(s) {
					b.jamStmts(s.Then)
					continue
				}
				side := func(not bool, list []Stmt) {
					if w != nil {
						defer w.v.under(s.Cond, not)()
					}
					if w != nil && w.carries && hasLoop(list) && b.carriedVars(list) == 0 {
						b.alone = true
						b.eachPart(func() {
							b.printf("{\n")
							b.stmts(list)
							b.printf("}\n")
						})
						b.alone = false
						return
					}
					b.jamStmts(list)
				}
				b.printf("if %s {\n", b.expr(s.Cond))
				side(false, s.Then)
				if len(s.Else) > 0 {
					b.printf("} else {\n")
					side(true, s.Else)
				}
				b.printf("}\n")
				continue
			}
		case *For:
			if steadyLoop(s) || b.isRounding(s) {
				b.at(s.Pos)
				b.forLoopOf(s, func() { b.jamStmts(s.Body) })
				continue
			}
		}
		// Declarations in a branch or a loop of one thread are out of scope for the others.
		a, simple := s.(*Assign)
		b.alone = !simple
		b.eachPart(func() {
			if _, isLoop := s.(*For); !isLoop || len(heads) == 0 {
				b.stmt(s)
				return
			}
			b.printf("{\n")
			b.stmts(append(heads[:len(heads):len(heads)], s))
			b.printf("}\n")
		})
		if !simple {
			heads = nil
		}
		b.common, b.alone = nil, false
		if w := b.view; w != nil {
			w.check = false
			if simple && isSum(a) {
				w.sums += b.parts
			}
		}
	}
}

// ofParting reports whether a declares a variable in the header of a loop of list that each thread
// executes on its own.
func (b *body) ofParting(a *Assign, list []Stmt) bool {
	if !a.Def || len(a.L) != 1 || a.L[0] == nil {
		return false
	}
	v, _ := assigned(a.L[0])
	return v != nil && v.In != nil && slices.Contains(list, Stmt(v.In)) && !steadyLoop(v.In) && !b.isRounding(v.In)
}

// isSum reports whether a updates a variable from its old value, such as a sum.
func isSum(a *Assign) bool {
	if len(a.L) != 1 || a.L[0] == nil || a.Def {
		return false
	}
	v, whole := assigned(a.L[0])
	return v != nil && whole && useOf([]Stmt{a}).read[v]
}

// loadCommon loads the elements that all threads of s read alike into variables. Go's compiler
// would load them once in any case; but the position in the source makes it schedule the operations
// of one thread after the other, with fewer live values.
func (b *body) loadCommon(s *Assign) {
	conditional := false
	var visit func(e Expr)
	visit = func(e Expr) {
		switch x := e.(type) {
		case *Binary:
			conditional = conditional || x.Op == token.LAND || x.Op == token.LOR
		case *Index:
			if conditional || inVar(x) || shapeOf(x.X)[0] != 0 || shapeOf(x.I)[0] != 0 || !basic(x.T) {
				break
			}
			first := b.expr(x)
			b.part = 1
			second := b.expr(x)
			b.part = 0
			if first != second {
				break
			}
			name := uniqueName(b.names, "same")
			b.at(s.Pos)
			b.printf("%s := %s\n", name, first)
			b.common[x] = name
			return
		}
		subexprs(e, visit)
	}
	b.common = map[*Index]string{}
	visit(s.R)
}

// jammed prints the part of so many neighbouring threads of a row, from tx on.
func (b *body) jammed(list []Stmt, ins, outs []*Var, parts int) string {
	saved := b.out
	b.out = strings.Builder{}
	b.parts = parts
	b.born = map[*Var]bool{}
	for _, v := range ins {
		if b.own[v] {
			continue
		}
		if !b.varies(v.Shape) {
			b.printf("%s := %s\n", b.name(v), b.ofThread(v))
			continue
		}
		b.eachPart(func() { b.printf("%s := %s\n", b.name(v), b.ofThread(v)) })
	}
	b.jamStmts(list)
	for _, v := range outs {
		if !b.own[v] || b.born[v] {
			b.eachPart(func() { b.printf("%s = %s\n", b.ofThread(v), b.name(v)) })
		}
	}
	text := b.jamBody(b.out.String(), parts)
	b.out = saved
	b.parts = 0
	return text
}

// ofThread prints the current thread's element of the array in which v lives.
func (b *body) ofThread(v *Var) string {
	if b.part == 0 {
		return fmt.Sprintf("*%s.At(%s, rank)", b.rt(), b.array[v])
	}
	return fmt.Sprintf("*%s.AtNext(%s, rank, %d)", b.rt(), b.array[v], b.part)
}

// jamLoop prints the loop over the threads of a row that executes several at a time. one is the
// text for a single thread.
func (w *view) jamLoop(one string) string {
	many := w.jam
	if containsWord(many, "tx") {
		many = "tx := lo + nth\n" + many
	}
	return fmt.Sprintf("nth := 0\nfor ; nth+%d <= many; nth += %d {\n%s}\nfor ; nth < many; nth++ {\n%s}\n", w.jamParts, w.jamParts, many, one)
}

// jamBody completes the text for jammed threads with the definitions of recomputed variables and of
// the threads' indices.
func (b *body) jamBody(text string, parts int) string {
	for _, v := range slices.Backward(b.k.Vars) {
		if v.value == nil {
			continue
		}
		for b.part = parts - 1; b.part >= 0; b.part-- {
			if (b.part == 0 || b.varies(v.Shape)) && containsWord(text, b.name(v)) {
				text = fmt.Sprintf("%s := %s\n%s", b.name(v), b.convertTo(v.value, v.Type), text)
			}
		}
		b.part = 0
	}
	head := ""
	for j := 2; j <= parts; j++ {
		if name := fmt.Sprintf("rank_%d", j); containsWord(text, name) {
			head += fmt.Sprintf("%s := row*dimX + tx + %d\n", name, j-1)
		}
		if name := fmt.Sprintf("tx_%d", j); containsWord(text, name) {
			head += fmt.Sprintf("%s := tx + %d\n", name, j-1)
		}
	}
	if containsWord(text, "rank") {
		head += "rank := row*dimX + tx\n"
	}
	return head + text
}
