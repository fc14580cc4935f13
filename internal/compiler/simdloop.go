package compiler

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Loops of vectors: those that all lanes leave together, and those that they leave one by one.

// partingLoops reports whether there is a loop in list that lanes leave one by one.
func partingLoops(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool { l, ok := s.(*For); return ok && l.parts[0] != 0 })
}

func (v *vector) forLoop(s *For) {
	if v.upfront(s) {
		return
	}
	// What has been checked in the loop, or with variables that it changes, is not known after it.
	v.known = map[string]bool{}
	defer func() { v.known = map[string]bool{} }()
	for w := range assignedIn(&Block{Body: s.Post}) {
		v.moves(w)
	}
	v.weight *= 8
	defer func() { v.weight /= 8 }()
	if v.fullRounds(s) || v.k.knownEnd(s) && v.coast(s) {
		return
	}
	label := v.label(s, "loop")
	uses := s.breaks || s.continues
	if s.parts[0] != 0 || s.breaks || s.continues || s.Cond != nil && v.varies(shapeOf(s.Cond)) || v.variesIn(s.Post) || v.variesIn(s.Pre) {
		v.oneVector()
	}
	if s.parts[0] == 0 {
		// All lanes leave together.
		if s.Cond != nil {
			v.blame(s.Cond)
		}
		if i, limit, ok := v.counts(s); ok {
			v.ranges[i] = limit
			v.counters[i] = s
			v.counting = append(v.counting, i)
			defer func() {
				delete(v.ranges, i)
				v.counting = v.counting[:len(v.counting)-1]
			}()
		}
		round := v.mask
		head := func() {
			if s.continues {
				round = v.fresh("mr")
				v.elsewhere = append(v.elsewhere, round) // all lanes may leave at once
				v.printf("%s := %s\n", round, v.m())
			}
		}
		// Those that return are not asked for. The loop must not wait for what nobody is left to do.
		tail := func() {
			if anyStmt(s.Body, func(x Stmt) bool { e, ok := x.(*Exit); return ok && e.To == nil }) {
				v.printf("if %s == 0 {\nbreak\n}\n", v.m())
			}
		}
		post, simple := v.simplePost(s)
		mark := ""
		if uses {
			mark = label + ":\n"
		}
		if simple && len(s.Pre) == 0 && v.scalarList(s.Post) {
			cond := ""
			if s.Cond != nil {
				cond = v.expr(s.Cond)
			}
			lines := v.lines
			v.lines = nil
			if i, limit, ok := v.counts(s); ok && v.full && byOne(s) { // the last i is the limit less one
				v.lines = &lineSet{i: i, limit: limit, names: map[string]string{}, types: map[string]types.Type{}, bases: map[string]string{},
					branches: v.branches, whens: len(v.when)}
			}
			saved := v.body.out
			v.body.out = strings.Builder{}
			head()
			v.inner[s] = round
			v.loop[s] = v.mask
			if round != v.mask {
				v.narrowed(round, func() { v.body.poll(s); v.list(s.Body) })
			} else {
				v.body.poll(s)
				v.list(s.Body)
			}
			tail()
			body := v.out.String()
			v.body.out = saved
			if v.lines != nil {
				decls, places, all := "", "", ""
				if step, ok := stepOf(s, v.lines.i); ok && !uses && !loopIn(body) {
					var of map[string]string
					decls, body, of = v.linePointers(body, v.lines, step)
					places, body = v.pointers(body, v.body.name(v.lines.i), int(step))
					if all, _ = v.products(s, body, v.lines, of); all != "" {
						decls = usedDecls(decls, all)
						v.lines.decls = []string{usedDecls(strings.Join(v.lines.decls, ""), decls)}
					}
				}
				v.printf("%s%s%s%s", strings.Join(v.lines.decls, ""), decls, places, all)
				if all != "" {
					v.lines = lines
					return
				}
			}
			v.lines = lines
			v.printf("%s", mark)
			if cond == "" && post == "" {
				v.printf("for {\n")
			} else {
				v.printf("for ; %s; %s {\n", cond, post)
			}
			v.printf("%s}\n", body)
			return
		}
		first := v.fresh("first")
		v.printf("%s", mark)
		v.printf("for %s := true; ; %s = false {\nif !%s {\n", first, first, first)
		v.list(s.Post)
		v.printf("}\n")
		v.list(s.Pre)
		if s.Cond != nil {
			v.printf("if %s {\nbreak\n}\n", v.expr(not(s.Cond)))
		}
		v.body.poll(s)
		head()
		v.inner[s] = round
		v.loop[s] = v.mask
		if round != v.mask {
			v.narrowed(round, func() { v.list(s.Body) })
		} else {
			v.list(s.Body)
		}
		tail()
		v.printf("}\n")
		return
	}
	v.partingLoop(s, v.m())
}

// partingLoop prints a loop that lanes leave one by one, from those of the mask on; it ends when none is left.
func (v *vector) partingLoop(s *For, mask string) {
	defer func(before *For) { v.parting = before }(v.parting)
	v.parting = s
	in := v.fresh("still")
	v.printf("%s := %s\n", in, mask)
	v.loop[s] = in
	before := v.body.out
	v.body.out = strings.Builder{}
	defer func() {
		text := v.body.out.String()
		v.body.out = before
		if l := v.labels[s]; l != "" && strings.Contains(text, "break "+l+"\n") {
			v.printf("%s:\n", l)
		}
		v.body.out.WriteString(text)
	}()
	v.narrowed(in, func() {
		v.printf("for %s != 0 {\n", in)
		v.body.poll(s)
		v.list(s.Pre)
		if s.Cond != nil {
			if sh := shapeOf(s.Cond); scalarShape(sh) && sh[0] == 0 {
				v.blame(s.Cond)
				v.printf("if %s {\nbreak\n}\n", v.expr(not(s.Cond)))
			} else {
				v.printf("%s &= %s\n", in, v.maskOf(s.Cond))
				v.printf("if %s == 0 {\nbreak\n}\n", in)
			}
		}
		if s.continues || s.breaks {
			round := v.fresh("mr")
			v.elsewhere = append(v.elsewhere, round)
			v.printf("%s := %s\n", round, in)
			v.inner[s] = round
			delete(v.rounds, s) // the loop may have been printed before
			body := v.label2(s)
			saved := v.body.out
			v.body.out = strings.Builder{}
			v.narrowed(round, func() { v.list(s.Body) })
			text := v.out.String()
			v.body.out = saved
			switch {
			case !endsInJump(text):
				v.printf("%s:\nfor {\n%sbreak %s\n}\n", body, text, body)
			case containsWord(text, body):
				v.printf("%s:\nfor {\n%s}\n", body, text)
			default:
				v.printf("%s", text)
			}
		} else {
			v.list(s.Body)
		}
		if len(s.Post) > 0 && (s.breaks || s.continues || leaves(s)) {
			v.printf("if %s == 0 {\nbreak\n}\n", in)
		}
		v.list(s.Post)
		v.printf("}\n")
	})
}

// lost reports whether nobody will read w of the lanes that are off: they have left the loop, and w is used in it only. It may
// be anything for them then, and the next round need not wait for the mask. Lanes do nothing that
// a value could slow down, such as calls.
func (v *vector) lost(w *Var) bool {
	s := v.parting
	if s == nil || s.continues || w.spread || w.common || w.addr || v.mask != v.loop[s] && v.mask != v.inner[s] {
		return false
	}
	calls := anyStmt([]Stmt{s}, func(x Stmt) bool {
		found := false
		exprs(x, func(e Expr) {
			walkExpr(e, func(y Expr) {
				c, isCall := y.(*Call)
				found = found || isCall && (c.Fn != nil || c.Name != "min" && c.Name != "max")
			})
		})
		return found
	})
	return !calls && v.onlyIn(w, s)
}

// onlyIn reports whether nobody asks after the loop s for what w is then.
func (v *vector) onlyIn(w *Var, s *For) bool {
	if s.outer != nil && !declares(&Block{Body: s.outer.Body}, w) {
		return false // it lives on in the next round of that loop
	}
	return reads([]Stmt{s}, w) == reads(v.everywhere(), w)
}

// reads returns how often list uses the value of w.
func reads(list []Stmt, w *Var) int {
	n := 0
	walk(list, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				if r, ok := x.(*VarRef); ok && r.V == w {
					n++
				}
			})
		})
		if a, ok := s.(*Assign); ok {
			for _, l := range a.L {
				if r, isVar := l.(*VarRef); isVar && r.V == w {
					n--
				}
			}
		}
	})
	return n
}

// everywhere returns all statements that what is printed may be part of.
func (v *vector) everywhere() []Stmt {
	if v.of != nil {
		return slices.Concat(v.k.Body, v.of.whole.stmts) // which has variables of its own
	}
	return v.k.Body
}

// label2 is the label of the body of a loop whose lanes leave one by one, for rounds that end early.
func (v *vector) label2(s *For) string {
	if v.rounds == nil {
		v.rounds = map[Stmt]string{}
	}
	if v.rounds[s] == "" {
		v.rounds[s] = uniqueName(v.names, "round")
	}
	return v.rounds[s]
}

// counts reports whether s is a loop such as for i := 0; i < limit; i++, in which i does not change.
func (v *vector) counts(s *For) (i *Var, limit Expr, ok bool) {
	c, isBin := s.Cond.(*Binary)
	if !isBin || c.Op != token.LSS || len(s.Post) != 1 || len(s.Pre) > 0 {
		return nil, nil, false
	}
	r, isVar := c.X.(*VarRef)
	if !isVar || !v.rowWide(c.Y) {
		return nil, nil, false
	}
	post, isAssign := s.Post[0].(*Assign)
	if !isAssign || len(post.L) != 1 {
		return nil, nil, false
	}
	sum, isSum := post.R.(*Binary)
	if w, whole := assigned(post.L[0]); w != r.V || !whole || !isSum || sum.Op != token.ADD || !sameExpr(sum.X, r) {
		return nil, nil, false
	}
	n, isConst := constInt(sum.Y)
	if !isConst || n <= 0 || n > shortLoop || !wide(r.V.Type) && n > 1 {
		return nil, nil, false // it may step over the limit, and wrap around
	}
	if _, isConst := constInt(c.Y); !isConst && wide(r.V.Type) && unsigned(r.V.Type) {
		return nil, nil, false // the limit may be no int
	}
	if v.counted(c.Y) && v.bits(c.Y) > mostBits {
		return nil, nil, false
	}
	// Its only other assignment is the one before the loop, of a number that is not negative.
	starts := 0
	walk(v.everywhere(), func(x Stmt) {
		if a, ok := x.(*Assign); ok && x != Stmt(post) {
			for _, l := range a.L {
				if l != nil {
					if w, _ := assigned(l); w == r.V {
						starts += 2
						if n, isConst := constInt(a.R); isConst && n == 0 && a.Def {
							starts--
						}
					}
				}
			}
		}
	})
	return r.V, c.Y, starts == 1 && !r.V.addr
}

// byOne reports whether a loop that counts does so by one.
func byOne(s *For) bool {
	n, ok := constInt(s.Post[0].(*Assign).R.(*Binary).Y)
	return ok && n == 1
}
