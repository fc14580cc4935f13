package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// Runs: a loop of one thread over neighbouring elements, `for i := from; i < to; i++` with `x[i]`,
// becomes a func of its own (see outline) over slices that are as long as the loop, if it uses more
// values than there are registers. The func has only the values of the loop in registers, and Go's
// compiler drops the bounds checks. The call costs a few nanoseconds per thread. The scatter of a
// radix sort, which reads two arrays and writes two, takes 2.1 ns per pair instead of 3.7; a row of
// a sparse matrix is faster without.
//
// Other loops over neighbours check all of their elements once (`neighbourLoop`) and use `rt.At`. A
// loop that divides floats becomes a func as well if it has 16 iterations or more, or an unknown
// number, and the row around it uses four or more variables that live across barriers, as in
// n-body: their slices occupy its registers (`crowded`).

// runRegisters is the number of values from which on a func pays. Go 1.26 has 14 general registers
// for them on amd64.
const runRegisters = 12

// A run is a loop over neighbours being printed.
type run struct {
	i      *Var
	names  map[*Var]string // the slices of neighbouring elements, by the variable that they are cut from
	arrays []*Var          // those variables, in order
}

// run prints s as a call of an outlined func.
func (b *body) run(s *For) (call string, ok bool) {
	if b.view != nil || b.r == nil || b.run1 != nil || b.parts > 0 || s.breaks || s.continues || len(s.Pre) > 0 || len(s.Post) != 1 {
		return "", false
	}
	cond, ok := s.Cond.(*Binary)
	if !ok || cond.Op != token.LSS {
		return "", false
	}
	i, ok := cond.X.(*VarRef)
	to, isVar := cond.Y.(*VarRef)
	if !ok || !isVar || !types.Identical(i.V.Type, intType) || !types.Identical(to.V.Type, intType) {
		return "", false
	}
	if p, ok := s.Post[0].(*Assign); !ok || len(p.L) != 1 || p.L[0] == nil || !sameExpr(p.L[0], i) || !isIncrement(p.R, i) {
		return "", false
	}
	inBody := assignedIn(&Block{Body: s.Body})
	if inBody[i.V] || inBody[to.V] || anyStmt(s.Body, func(s Stmt) bool {
		switch s.(type) {
		case *Assign, *If:
			return false
		}
		return true
	}) {
		return "", false
	}
	use := useOf([]Stmt{s})
	var arrays []*Var
	var results []string
	typeOf := map[string]string{}
	values := 2 // i and its limit
	for _, v := range b.k.Vars {
		if !use.read[v] && !use.written[v] {
			continue
		}
		if v.addr || v.spread && b.atZero {
			return "", false
		}
		values++
		if isSlice(v.Type) {
			values++
		}
		if _, ok := v.Type.Underlying().(*types.Array); ok {
			values--
			if localTo(s, v) || usedWhole(s, v) {
				return "", false
			}
			arrays = append(arrays, v)
		} else if v == i.V || inBody[v] && !localTo(s, v) {
			results = append(results, v.Name)
			typeOf[v.Name] = b.typ(v.Type)
		}
	}
	r := &run{i: i.V, names: map[*Var]string{}}
	twins := map[*Var]*Var{}     // slices of the same length, which are indexed by the same variable
	byIndex := map[*Var][]*Var{} // slices, by the variable that indexes them
	each := func(f func(x *Index, of *Var)) {
		walk(s.Body, func(s Stmt) {
			exprs(s, func(e Expr) {
				walkExpr(e, func(e Expr) {
					if x, ok := e.(*Index); ok {
						if of, ok := x.X.(*VarRef); ok && isSlice(of.V.Type) && !inBody[of.V] {
							f(x, of.V)
						}
					}
				})
			})
		})
	}
	each(func(x *Index, of *Var) {
		n, ok := x.I.(*VarRef)
		switch {
		case !ok:
		case n.V == i.V:
			if r.names[of] == "" {
				r.names[of] = uniqueName(b.names, "run")
				r.arrays = append(r.arrays, of)
			}
		case inBody[n.V] && b.k.single[n.V] != nil && !slices.Contains(byIndex[n.V], of):
			byIndex[n.V] = append(byIndex[n.V], of)
		}
	})
	if len(r.arrays) == 0 || values < runRegisters {
		return "", false
	}
	var pairs []*Var
	for _, v := range b.k.Vars {
		if list := byIndex[v]; len(list) > 1 {
			for _, x := range list[1:] {
				if twins[x] == nil && r.names[x] == "" && r.names[list[0]] == "" && x != list[0] && twins[list[0]] == nil {
					twins[x] = list[0]
					pairs = append(pairs, x)
				}
			}
		}
	}
	line := b.line
	text := func(as *run) string {
		saved := b.out
		b.out = strings.Builder{}
		b.run1 = as
		b.line = line
		b.stmts(s.Body)
		b.run1 = nil
		text := b.out.String()
		b.out = saved
		return text
	}
	name, end := b.name(i.V), b.expr(to)
	plain := text(&run{})
	fast := text(r)
	if containsWord(fast, name) {
		fast = fmt.Sprintf("%s := %s + nth\n%s", name, name, fast)
	}
	conds := []string{name + " >= 0", name + " < " + end}
	heads := ""
	first := r.names[r.arrays[0]]
	for n, a := range r.arrays {
		conds = append(conds, fmt.Sprintf("%s <= len(%s)", end, b.name(a)))
		heads += fmt.Sprintf("%s := %s[%s:%s]", r.names[a], b.name(a), name, end)
		if n > 0 {
			heads += fmt.Sprintf("[:len(%s)]", first)
		}
		heads += "\n"
	}
	for _, x := range pairs {
		conds = append(conds, fmt.Sprintf("len(%s) == len(%s)", b.name(x), b.name(twins[x])))
		heads += fmt.Sprintf("%s = %s[:len(%s)]\n", b.name(x), b.name(x), b.name(twins[x]))
	}
	whole := fmt.Sprintf("if %s {\n%sfor nth := range %s {\n%s}\n%s = %s\n} else {\nfor ; %s < %s; %s++ {\n%s}\n}\n",
		joined(conds), heads, first, fast, name, end, name, end, name, plain)
	b.line = token.Position{}
	return b.outline(whole, "a loop of a thread", nil, typeOf, arrays, results, ""), true
}

// crowdedBy is the number of variables that live across barriers from which on a region's loops
// become funcs. Each is a slice in registers.
const crowdedBy = 4

// ofRow matches names of the surrounding row that outline can't pass to a func.
var ofRow = regexp.MustCompile(`\b(nth|many|rank|part\d*)\b`)

// crowded prints s as a call of an outlined func, if the values of the surrounding row leave no
// registers for s. In n-body, whose row has six slices, the loop counter was in memory, and the
// loop took 1.03 times as long. Loops that may have few iterations, or do little in each, are left
// alone.
func (b *body) crowded(s *For) (call string, ok bool) {
	if b.view == nil || b.r == nil || b.parts > 0 || b.run1 != nil || b.atZero || s.parts[0] != 0 || leaves(s) || hasLoop(s.Body) {
		return "", false
	}
	if _, limit, ok := b.view.v.counts(s); !ok {
		return "", false
	} else if n, isConst := constInt(limit); isConst && n < 16 {
		return "", false
	}
	slow := false // it divides floats, as for a reciprocal root
	walk(s.Body, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(e Expr) {
				q, ok := e.(*Binary)
				slow = slow || ok && q.Op == token.QUO && !isInteger(q.T)
			})
		})
	})
	kept := 0
	for w := range useOf(b.r.stmts).read {
		if b.array[w] != "" {
			kept++
		}
	}
	if !slow || kept < crowdedBy {
		return "", false
	}
	use := useOf([]Stmt{s})
	var results []string
	typeOf := map[string]string{}
	for _, w := range b.k.Vars {
		if !use.read[w] && !use.written[w] {
			continue
		}
		if w.addr || !isSlice(w.Type) && !basic(w.Type) {
			return "", false
		}
		if use.written[w] && !localTo(s, w) {
			results = append(results, b.name(w))
			typeOf[b.name(w)] = b.typ(w.Type)
		}
	}
	line := b.line
	b.line = token.Position{}
	text := b.apartFrom(func() { b.forLoop(s) })
	if b.line = line; ofRow.MatchString(codeOf(text)) {
		return "", false
	}
	b.line = token.Position{}
	return b.outline(text, "a loop of a thread", nil, typeOf, nil, results, ""), true
}

// localTo reports whether v is declared in the loop s, which may be a copy of the original loop.
func localTo(s *For, v *Var) bool { return declaredIn(v, s) || declares(s, v) }

// element prints an element of a slice of neighbours.
func (r *run) element(e *Index) (string, bool) {
	if r == nil {
		return "", false
	}
	of, ok := e.X.(*VarRef)
	i, isVar := e.I.(*VarRef)
	if !ok || !isVar || i.V != r.i || r.names[of.V] == "" {
		return "", false
	}
	return r.names[of.V] + "[nth]", true
}

// neighbouring is a loop of a thread over neighbouring elements, for ; i < to; i++ { ... x[i] ... }.
type neighbouring struct {
	i      *Var
	to     Expr
	arrays []*Var // slices of which the loop uses the elements i
}

// neighboursOf analyses a loop over neighbours.
func neighboursOf(s *For) (n neighbouring, ok bool) {
	if s.breaks || s.continues || len(s.Pre) > 0 || len(s.Post) != 1 {
		return n, false
	}
	cond, ok := s.Cond.(*Binary)
	if !ok || cond.Op != token.LSS {
		return n, false
	}
	i, ok := cond.X.(*VarRef)
	if !ok || !isInteger(i.V.Type) || i.V.addr {
		return n, false
	}
	if p, ok := s.Post[0].(*Assign); !ok || len(p.L) != 1 || p.L[0] == nil || !sameExpr(p.L[0], i) || !isIncrement(p.R, i) {
		return n, false
	}
	inBody := assignedIn(&Block{Body: s.Body})
	changes := inBody[i.V]
	walkExpr(cond.Y, func(e Expr) {
		if r, ok := e.(*VarRef); ok && (r.V == i.V || inBody[r.V] || r.V.addr) {
			changes = true
		}
	})
	if changes || anyStmt(s.Body, func(s Stmt) bool {
		switch s.(type) {
		case *Assign, *If:
			return false
		}
		return true
	}) {
		return n, false
	}
	n.i, n.to = i.V, cond.Y
	walk(s.Body, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(e Expr) {
				if x, ok := e.(*Index); ok {
					of, isVar := x.X.(*VarRef)
					at, isI := narrowIndex(x.I).(*VarRef)
					if isVar && isI && at.V == i.V && isSlice(of.V.Type) && !inBody[of.V] && !of.V.addr && !slices.Contains(n.arrays, of.V) {
						n.arrays = append(n.arrays, of.V)
					}
				}
			})
		})
	})
	return n, len(n.arrays) > 0
}

// neighbourLoop prints a loop over neighbours that is not a run, with one check for all neighbours.
// A row of a sparse matrix gains a tenth.
func (b *body) neighbourLoop(s *For) bool {
	if b.view != nil || b.r == nil || b.run1 != nil || b.sure != nil {
		return false
	}
	n, ok := neighboursOf(s)
	to, isVar := n.to.(*VarRef)
	if !ok || !isVar || unsigned(n.i.Type) {
		return false
	}
	sure := map[*Var]bool{}
	conds := []string{b.name(n.i) + " >= 0"}
	for _, v := range n.arrays {
		sure[v] = true
		conds = append(conds, fmt.Sprintf("int(%s) <= len(%s)", b.expr(to), b.name(v)))
	}
	line := b.line
	b.printf("if %s {\n", joined(conds))
	b.sure, b.sureAt = sure, n.i
	b.forLoop(s)
	b.sure, b.sureAt = nil, nil
	b.line = line
	b.printf("} else {\n")
	b.forLoop(s)
	b.printf("}\n")
	return true
}

// isSure reports whether e is one of the elements that the current loop has checked.
func (b *body) isSure(e *Index) bool {
	if b.sure == nil {
		return false
	}
	of, ok := e.X.(*VarRef)
	at, isVar := narrowIndex(e.I).(*VarRef)
	return ok && isVar && b.sure[of.V] && at.V == b.sureAt
}

// isIncrement reports whether e is i+1.
func isIncrement(e Expr, i *VarRef) bool {
	sum, ok := e.(*Binary)
	if !ok || sum.Op != token.ADD || !sameExpr(sum.X, i) {
		return false
	}
	n, ok := constInt(sum.Y)
	return ok && n == 1
}

// usedWhole reports whether s uses v, an array, other than by its elements.
func usedWhole(s Stmt, v *Var) bool {
	all, elements := 0, 0
	walk([]Stmt{s}, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(e Expr) {
				switch e := e.(type) {
				case *VarRef:
					if e.V == v {
						all++
					}
				case *Index:
					if r, ok := e.X.(*VarRef); ok && r.V == v {
						elements++
					}
				}
			})
		})
	})
	return all != elements
}
