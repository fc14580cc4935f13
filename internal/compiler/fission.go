package compiler

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// Fission: a kernel is the program of one thread; what is printed is the program of a block. Statement
// lists are cut at barriers into regions, each of which becomes a loop over the threads. A statement with
// a barrier inside is turned inside out: it controls the block, and the loops over threads are in it. Its
// condition must then be the same for all threads. Where that can't be seen, the threads are asked.
//
// `classify` finds the statements that control the block: those with a barrier or a shared array inside. A list of statements becomes a
// list of nodes.
//
//   - region: statements between barriers, as a loop over the threads
//   - once: assignments of what is the same for all, from what is, once a block
//   - branch, loop, scope: an `If`, `For` or `Block` that controls the block, once, with loops over threads inside
//   - leave: an exit that all threads take together
//   - syncThreads, alloc: a barrier, a shared array
//   - meet: a warp operation, once a block, for all warps of it
//
// This is loop fission as in MCUDA (Stratton, Stone, Hwu, 2008). It is right because between two barriers the threads of a correct kernel
// are independent: any order of them is a legal order, also one after the other. A loop with a barrier may be turned inside out because
// all threads run the same rounds, by shape or by check.
//
// Agreement. `behind` finds what a barrier may follow. A condition that may differ around a barrier is put to all threads that take part
// (`Phases.Agree`). If a barrier follows, the threads must agree. If none follows (`mayPart`), the barriers inside the statement don't
// wait for the threads that go the other way: these threads leave with a number (`Phases.Leave`), and join again after the statement.
// `Phases.State` has the number of each thread, 0 for threads that take part, 1 for threads that have returned. `Phases.Begin` and
// `Together` do the same for breaks and continues out of a region: if all threads that take part have left the same way, the block goes
// that way.
//
// Warp operations cut statements as barriers do, but ask for no agreement: what has no barrier inside may always part. Their operands and
// results are variables that live in arrays, and `gocuda/lanes.go` goes over them warp by warp. `lastMeetings` finds the operations behind
// which lanes that sit out a statement meet nobody any more: these count as returned, since that is what they are about to do.
//
// Nothing is tracked unless a thread can leave before others (`Kernel.tracked`), and a return in the last region is a `continue` of the
// loop over threads.
//
// Merging. What is done once between two regions moves before the first or behind the second if neither touches what the other writes, and
// the regions become one. `pieces` does the opposite where it pays: it cuts a region around a guard that can become the bounds of a loop,
// if no private variable crosses the cut.

// A node is a piece of the program of a block.
type node interface{}

type (
	// region is run by each thread in turn, in any order.
	region struct {
		stmts []Stmt
		exits []*Exit // that leave it, other than for good
		last  bool    // nothing follows it: to return is to be done with it
		// bound is the guard that became the bounds of the loop.
		bound *If
		key   Stmt // of its label
	}
	// once is done once for the block: it computes what is the same for all threads.
	once struct{ stmts []Stmt }
	// branch is an If with a barrier inside.
	branch struct {
		s         *If
		then, els []node
		asks      bool // the threads are asked
		parts     bool // they may disagree: no barrier follows
		id        int
	}
	// loop is a For with a barrier inside.
	loop struct {
		s               *For
		pre, body, post []node
		asks            bool
		parts           bool
		id              int // of threads that have left it; id+1 of those that wait for its next round
	}
	// scope is a Block with a barrier inside.
	scope struct {
		s    *Block
		body []node
		id   int
	}
	// leave is an Exit that all threads take together.
	leave struct{ s *Exit }
	// meet is a warp operation.
	meet struct{ s *Warp }
	// syncThreads is a barrier.
	syncThreads struct{ s *Barrier }
	// alloc is a shared array.
	alloc struct{ s *Alloc }
)

type fissioner struct {
	k      *Kernel
	block  map[Stmt]bool // statements that control the block
	after  map[Stmt]bool // statements that have a barrier somewhere behind them
	names  map[string]bool
	ids    map[Stmt]int
	next   int
	allocs []*Alloc
	// mixed are the variables that some region assigns, so that they can't be left to the block.
	mixed map[*Var]bool
}

// fission cuts k into nodes.
func (k *Kernel) fission() {
	f := &fissioner{k: k, block: map[Stmt]bool{}, after: map[Stmt]bool{}, ids: map[Stmt]int{}, next: 2}
	f.classify(k.Body)
	f.behind(k.Body, false)
	lastMeetings(k.Body, false, false)
	walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *If:
			s.agrees = f.block[s] && !(f.mayPart(s))
		case *For:
			s.agrees = f.block[s] && f.after[s] && hasBarrier([]Stmt{s})
		}
	})
	// Exits from a region to a statement that controls the block are checked as well.
	walk(k.Body, func(s Stmt) {
		if e, ok := s.(*Exit); ok && e.To != nil && f.block[e.To] {
			e.agrees = f.exitAgrees(e)
		}
	})
	k.shapes()
	for _, a := range f.allocs {
		if !blockWide(a.N) {
			fail(a.Pos, "the length of a shared array is not the same for all threads")
		}
	}
	f.names = map[string]bool{}
	for n := range k.names {
		f.names[n] = true
	}
	k.recomputable(nil, nil)
	meetsAcross(k.Body)
	k.Body = f.interchange(k.Body)
	if !slices.Contains(k.options.Off, "delinearize") {
		k.Body = f.delinearize(k.Body)
	}
	for _, v := range k.Vars {
		v.known = false
	}
	k.shapes()
	f.liftExits(k.Body)
	f.findMixed()
	k.recomputable(f.doneOnce(k.Body), f.settled())
	k.nodes = f.list(k.Body, true)
	for i, n := range k.nodes {
		if r, ok := n.(*region); ok && i == len(k.nodes)-1 {
			r.last = true
		}
	}
	k.storage()
}

// classify finds the statements that control the block: those with a barrier or a shared array inside.
func (f *fissioner) classify(list []Stmt) {
	for _, s := range list {
		inside := false
		if a, ok := s.(*Alloc); ok && a.N != nil {
			f.allocs = append(f.allocs, a)
		}
		substmts(s, func(l []Stmt) {
			f.classify(l)
			inside = inside || anyStmt(l, func(x Stmt) bool {
				switch x.(type) {
				case *Barrier, *Alloc, *Warp:
					return true
				}
				return false
			})
		})
		if inside {
			f.block[s] = true
		}
	}
}

// behind finds for each statement whether a barrier may be run after it. rest says so of the whole list.
func (f *fissioner) behind(list []Stmt, rest bool) {
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		f.after[s] = rest
		switch s := s.(type) {
		case *For:
			again := rest || hasBarrier([]Stmt{s})
			f.behind(s.Pre, again)
			f.behind(s.Body, again)
			f.behind(s.Post, again)
		default:
			substmts(s, func(l []Stmt) { f.behind(l, rest) })
		}
		rest = rest || isBarrier(s) || anyStmt([]Stmt{s}, isBarrier)
	}
}

// lastMeetings finds the warp operations at which lanes that sit out a statement around them count as returned:
// they meet nobody any more. again says so of lanes that leave the statement that list is in, and inLoop
// that list is run again.
func lastMeetings(list []Stmt, again, inLoop bool) {
	for i, s := range list {
		after := again || inLoop || anyStmt(list[i+1:], isMeeting)
		switch s := s.(type) {
		case *Warp:
			s.last = !again
		case *For:
			substmts(s, func(l []Stmt) { lastMeetings(l, after || s.continues, true) })
		default:
			substmts(s, func(l []Stmt) { lastMeetings(l, after, false) })
		}
	}
}

// meetsAcross fails if lanes of a warp may go different ways at a branch whose sides have the same operation for the
// whole warp. Such lanes meet, at two places of the kernel, which only coroutines can do.
func meetsAcross(list []Stmt) {
	walk(list, func(s Stmt) {
		c, ok := s.(*If)
		if !ok || len(c.Else) == 0 || warpWide(c.Cond) {
			return
		}
		whole := func(list []Stmt) map[string]bool {
			ops := map[string]bool{}
			walk(list, func(x Stmt) {
				if w, ok := x.(*Warp); ok && w.Mask != nil {
					if n, ok := constInt(w.Mask); ok && n == 1<<32-1 {
						ops[w.Op] = true
					}
				}
			})
			return ops
		}
		other := whole(c.Else)
		for _, op := range slices.Sorted(maps.Keys(whole(c.Then))) {
			if other[op] {
				fail(c.Pos, "lanes that go different ways here may meet in %s on both sides", op)
			}
		}
	})
}

// warpLanes is how many lanes a warp has.
const warpLanes = 32

// warpWide reports whether e is the same for all lanes of a warp.
func warpWide(e Expr) bool {
	var local func(e Expr) Expr
	local = func(e Expr) Expr {
		return mapExpr(e, func(x Expr) Expr {
			if r, ok := x.(*VarRef); ok && r.V.value != nil {
				return local(r.V.value)
			}
			if b, ok := x.(*Binary); ok && b.Op == token.QUO {
				_, isRank := b.X.(*Rank)
				if n, ok := constInt(b.Y); ok && isRank && n == warpLanes {
					return &Index3{warpInBlock, 0}
				}
			}
			return x
		})
	}
	sh := shapeOf(local(e))
	return sh[0] == 0
}

// mayPart reports whether threads may disagree on the condition of s, which has a barrier inside: those
// that go the way without one meet no barrier any more, and count as returned.
func (f *fissioner) mayPart(s *If) bool {
	return !hasBarrier([]Stmt{s}) || !f.after[s] && !(hasBarrier(s.Then) && hasBarrier(s.Else))
}

// exitAgrees reports whether all threads must take e together, or none.
func (f *fissioner) exitAgrees(e *Exit) bool {
	switch to := e.To.(type) {
	case *For:
		if e.Continue {
			return f.between(to.Body, e)
		}
	case *Block:
		return f.after[to] && f.between(to.Body, e)
	}
	return f.after[e.To] && hasBarrier([]Stmt{e.To})
}

// between reports whether there may be a barrier after e and before the end of list, in which e is.
func (f *fissioner) between(list []Stmt, e *Exit) bool {
	rest, found := false, false
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		if anyStmt([]Stmt{s}, func(x Stmt) bool { return x == Stmt(e) }) {
			found = true
			if l, ok := s.(*For); ok && hasBarrier([]Stmt{l}) {
				return true // others go on in l
			}
			inside := false
			substmts(s, func(l []Stmt) {
				if anyStmt(l, func(x Stmt) bool { return x == Stmt(e) }) {
					inside = f.between(l, e)
				}
			})
			return rest || inside
		}
		rest = rest || hasBarrier([]Stmt{s})
	}
	return rest && found
}

// liftExits makes statements control the block if they do nothing but leave something that does, under a
// condition that is the same for all.
func (f *fissioner) liftExits(list []Stmt) {
	for _, s := range list {
		substmts(s, f.liftExits)
		c, ok := s.(*If)
		if !ok || f.block[s] || !shapeOf(c.Cond).uniform() {
			continue
		}
		if anyStmt([]Stmt{s}, func(x Stmt) bool {
			e, ok := x.(*Exit)
			return ok && (e.To == nil && f.after[s] || e.To != nil && f.block[e.To])
		}) {
			f.block[s] = true
		}
	}
}

// id returns the number of a statement that threads leave early.
func (f *fissioner) id(s Stmt) int {
	if f.ids[s] == 0 {
		f.ids[s] = f.next
		f.next += 2
		if f.next > 250 {
			fail(s.Position(), "the kernel has too many loops with barriers")
		}
	}
	return f.ids[s]
}

// list turns a list of statements into nodes.
func (f *fissioner) list(list []Stmt, top bool) []node {
	var nodes []node
	var run []Stmt
	flush := func() {
		if len(run) > 0 {
			nodes = append(nodes, &region{stmts: run})
			run = nil
		}
	}
	for _, s := range list {
		switch {
		case f.block[s]:
			flush()
			nodes = append(nodes, f.control(s))
			continue
		}
		switch s := s.(type) {
		case *Barrier:
			flush()
			nodes = append(nodes, &syncThreads{s})
		case *Warp:
			flush()
			nodes = append(nodes, &meet{s})
		case *Alloc:
			flush()
			nodes = append(nodes, &alloc{s})
		case *Exit:
			flush()
			nodes = append(nodes, &leave{s})
		default:
			if f.once(s) {
				flush()
				nodes = append(nodes, &once{[]Stmt{s}})
				continue
			}
			if a, ok := s.(*Assign); ok && recomputed(a) {
				continue
			}
			run = append(run, s)
		}
	}
	flush()
	nodes = f.merge(nodes)
	var out []node
	for _, n := range nodes {
		if r, ok := n.(*region); ok {
			for _, p := range f.pieces(r.stmts) {
				out = append(out, f.finish(p))
			}
			continue
		}
		out = append(out, n)
	}
	return out
}

// finish completes a region.
func (f *fissioner) finish(r *region) *region {
	walk(r.stmts, func(s Stmt) {
		e, ok := s.(*Exit)
		if !ok {
			return
		}
		if e.To == nil || f.block[e.To] {
			r.exits = append(r.exits, e)
			if e.To != nil {
				f.id(e.To)
			}
		}
	})
	return r
}

func (f *fissioner) control(s Stmt) node {
	switch s := s.(type) {
	case *If:
		n := &branch{s: s, asks: !shapeOf(s.Cond).uniform()}
		n.parts = n.asks && f.mayPart(s)
		if n.parts {
			n.id = f.id(s)
		}
		n.then, n.els = f.list(s.Then, false), f.list(s.Else, false)
		return n
	case *For:
		n := &loop{s: s, asks: s.Cond != nil && !shapeOf(s.Cond).uniform(), parts: !f.after[s] || !hasBarrier([]Stmt{s})}
		n.id = f.id(s)
		n.pre, n.body, n.post = f.list(s.Pre, false), f.list(s.Body, false), f.list(s.Post, false)
		return n
	case *Block:
		n := &scope{s: s, id: f.id(s)}
		n.body = f.list(s.Body, false)
		return n
	}
	panic("a statement that controls the block but can't")
}

// findMixed finds the variables that regions assign: what assigns these as well belongs to regions too.
func (f *fissioner) findMixed() {
	f.mixed = map[*Var]bool{}
	for {
		n := len(f.mixed)
		var visit func(list []Stmt)
		visit = func(list []Stmt) {
			for _, s := range list {
				switch {
				case f.block[s]:
					substmts(s, visit)
				case isMeeting(s):
				default:
					if _, ok := s.(*Alloc); !ok && !f.once(s) {
						for v := range assignedIn(s) {
							f.mixed[v] = true
						}
					}
				}
			}
		}
		visit(f.k.Body)
		if len(f.mixed) == n {
			return
		}
	}
}

// doneOnce returns the variables that are assigned once for the block by statements of list, or of such inside
// it as control the block.
func (f *fissioner) doneOnce(list []Stmt) map[*Var]bool {
	done := map[*Var]bool{}
	for _, s := range list {
		if f.block[s] {
			substmts(s, func(l []Stmt) { maps.Copy(done, f.doneOnce(l)) })
		} else if _, ok := s.(*Assign); ok && f.once(s) {
			maps.Copy(done, assignedIn(s))
		}
	}
	return done
}

// settled returns the variables that only statements of the kernel itself assign which are done once for the block, branches and loops among
// them, by the number of the last such statement.
func (f *fissioner) settled() map[*Var]int {
	last, never := map[*Var]int{}, map[*Var]bool{}
	for i, s := range f.k.Body {
		done := f.once(s)
		for v := range assignedIn(s) {
			last[v] = i
			never[v] = never[v] || !done
		}
	}
	maps.DeleteFunc(last, func(v *Var, _ int) bool { return never[v] })
	return last
}

// once reports whether s can be done once for the block: it assigns nothing but variables that are the same
// for all threads, from values that are.
func (f *fissioner) once(s Stmt) bool {
	ok := true
	walk([]Stmt{s}, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			if !shapeOf(s.R).uniform() {
				ok = false
			}
			if c, isCall := s.R.(*Call); isCall && !c.Pure {
				ok = false
			}
			for _, l := range s.L {
				if l == nil {
					ok = false // a check that may panic: by which thread?
					continue
				}
				v, _ := assigned(l)
				if v == nil || v.addr || f.mixed[v] || !v.Shape.uniform() || !partShape(l).uniform() {
					ok = false
				}
			}
		case *If:
			ok = ok && shapeOf(s.Cond).uniform()
		case *For:
			ok = ok && s.parts.uniform() && (s.Cond == nil || shapeOf(s.Cond).uniform())
		case *Block:
		case *Exit:
			if s.To == nil || f.block[s.To] {
				ok = false
			}
		default:
			ok = false
		}
		exprs(s, func(e Expr) { ok = ok && !allocates(e) })
	})
	return ok
}

// allocates reports whether e makes something new, which threads must not share.
func allocates(e Expr) bool {
	found := false
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Call:
			found = found || !x.Pure
		case *Composite:
			if _, ok := x.T.Underlying().(*types.Array); !ok {
				if _, ok := x.T.Underlying().(*types.Struct); !ok {
					found = true
				}
			}
		case *Addr:
			found = true
		}
	})
	return found
}

// use is what statements do with variables and memory.
type use struct {
	read, written map[*Var]bool
	loads, stores bool
}

func useOf(list []Stmt) use {
	u := use{read: map[*Var]bool{}, written: map[*Var]bool{}}
	var expr func(e Expr)
	expr = func(e Expr) {
		walkExpr(e, func(x Expr) {
			switch x := x.(type) {
			case *VarRef:
				u.read[x.V] = true
			case *Index:
				if !inVar(x) {
					u.loads = true
				}
			case *Deref, *Global:
				u.loads = true
			case *Field:
				if _, ok := x.X.Type().Underlying().(*types.Pointer); ok {
					u.loads = true
				}
			case *Call:
				if !x.Pure {
					u.loads, u.stores = true, true
				}
			case *Addr:
				if v, _ := assigned(x.X); v != nil {
					u.written[v] = true
				}
			case *Slice:
				if v, _ := assigned(x.X); v != nil && isArray(x.X.Type()) {
					u.written[v] = true
				}
			}
		})
	}
	walk(list, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			for _, l := range s.L {
				if l == nil {
					continue
				}
				v, whole := assigned(l)
				switch {
				case v == nil:
					u.stores = true
					expr(l)
				case whole:
					u.written[v] = true
				default:
					u.written[v] = true
					expr(l)
				}
			}
			expr(s.R)
		case *Barrier, *Warp:
			for _, v := range results(s) {
				u.written[v] = true
			}
			exprs(s, expr)
		case *Alloc:
			u.written[s.Dst] = true
			exprs(s, expr)
		case *Do:
			u.stores, u.loads = true, true
			exprs(s, expr)
		default:
			exprs(s, expr)
		}
	})
	return u
}

// inVar reports whether an index goes into an array in a variable, not into memory.
func inVar(e Expr) bool { v, _ := assigned(e); return v != nil }

// conflicts reports whether u reads or writes what v writes, or v reads what u writes.
func (u use) conflicts(v use) bool {
	for x := range u.written {
		if v.read[x] || v.written[x] {
			return true
		}
	}
	for x := range v.written {
		if u.read[x] {
			return true
		}
	}
	return u.stores && (v.loads || v.stores) || v.stores && u.loads
}

// merge joins regions that are apart only because something is done once between them, if that can as well
// be done before the first or after the second.
func (f *fissioner) merge(nodes []node) []node {
	for again := true; again; {
		again = false
		for i := 1; i+1 < len(nodes); i++ {
			o, ok := nodes[i].(*once)
			if !ok {
				continue
			}
			before, ok1 := nodes[i-1].(*region)
			_, ok2 := nodes[i+1].(*region)
			o2, ok3 := nodes[i+1].(*once)
			if ok3 {
				nodes[i] = &once{slices.Concat(o.stmts, o2.stmts)}
				nodes = slices.Delete(nodes, i+1, i+2)
				again = true
				break
			}
			if !ok1 || !ok2 {
				continue
			}
			after := nodes[i+1].(*region)
			uo := useOf(o.stmts)
			if f.leaves(before.stmts) {
				continue
			}
			switch {
			case !uo.conflicts(useOf(before.stmts)):
				nodes[i-1], nodes[i] = o, &region{stmts: slices.Concat(before.stmts, after.stmts)}
			case !f.leaves(after.stmts) && !uo.conflicts(useOf(after.stmts)):
				nodes[i-1], nodes[i] = &region{stmts: slices.Concat(before.stmts, after.stmts)}, o
			default:
				continue
			}
			nodes = slices.Delete(nodes, i+1, i+2)
			again = true
			break
		}
	}
	return nodes
}

// leaves reports whether threads leave list for a place that is not in a region: nothing behind it is theirs.
func (f *fissioner) leaves(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool { e, ok := s.(*Exit); return ok && (e.To == nil || f.block[e.To]) })
}

// pieces cuts the statements of a region where that makes guards into bounds: `if tid < n {...}` alone in a
// region is a loop over fewer threads. A cut must not go through a private variable.
func (f *fissioner) pieces(list []Stmt) []*region {
	var out []*region
	start := 0
	cut := func(end int) {
		if end > start {
			out = append(out, &region{stmts: list[start:end]})
			start = end
		}
	}
	separable := func(i int) bool {
		a, b := useOf(list[start:i]), useOf(list[i:])
		for v := range a.written {
			if b.read[v] || b.written[v] {
				return false
			}
		}
		for v := range a.read {
			if b.written[v] {
				return false
			}
		}
		return !f.leaves(list[start:i])
	}
	for i := 0; i < len(list); i++ {
		c, ok := list[i].(*If)
		if !ok || len(c.Else) > 0 {
			continue
		}
		if at, with := f.sunk(list[start:i], c); at < i-start && len(bounds(with.Cond)) > 0 {
			if at += start; at == start || separable(at) {
				list = slices.Concat(list[:at], []Stmt{with}, list[i+1:])
				i, c = at, with
			}
		}
		if len(bounds(c.Cond)) == 0 {
			continue
		}
		if i > start && separable(i) {
			cut(i)
		}
		if i == start && (i+1 == len(list) || separable(i+1)) {
			cut(i + 1)
			out[len(out)-1].bound = c
		}
	}
	cut(len(list))
	return out
}

// mostPut is how many operations and operands a value has at most that is put in the place of its name in a guard: each value may stand in the next one twice.
const mostPut = 64

// sunk returns c, a guard behind some statements, with those of them in it that compute what only it uses, and how many are left.
func (f *fissioner) sunk(before []Stmt, c *If) (left int, with *If) {
	value := map[*Var]Expr{}
	written := useOf([]Stmt{c}).written
	left = len(before)
	for left > 0 {
		a, ok := before[left-1].(*Assign)
		if !ok || !a.Def || len(a.L) != 1 || mayPanic(a.R) || loads(a.R) || !basic(a.R.Type()) {
			break
		}
		v, whole := assigned(a.L[0])
		if v == nil || !whole || v.addr || written[v] || reads(f.k.Body, v) != reads(append(slices.Clone(before[left-1:]), c), v) {
			break
		}
		left--
	}
	for _, s := range before[left:] {
		a := s.(*Assign)
		v, _ := assigned(a.L[0])
		value[v] = inlined(a.R, value)
		size := 0
		walkExpr(value[v], func(Expr) { size++ })
		if size > mostPut {
			return len(before), c
		}
	}
	return left, &If{Cond: inlined(c.Cond, value), Then: slices.Concat(before[left:], c.Then), Pos: c.Pos}
}
