package compiler

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// Loop fission: from the program of one thread to the program of a block. Statement lists are cut
// at barriers into regions, each of which becomes a loop over the threads. A statement with a
// barrier inside controls the block: it runs once per block, and the loops over threads are inside
// it. Its condition must then be uniform; if the compiler can't prove that, the threads vote at run
// time.
//
// `classify` finds the statements that control the block: statements with a barrier, a warp
// operation or a shared array inside. A list of statements becomes a list of nodes.
//
//   - region: statements between barriers, run as a loop over the threads
//   - once: assignments of uniform values to uniform variables, run once per block
//   - branch, loop, scope: an `If`, `For` or `Block` that controls the block, with loops over
//     threads inside
//   - leave: an exit that all threads take together
//   - syncThreads, alloc: a barrier, a shared array
//   - meet: a warp operation, run once per block for all of its warps
//
// This is the loop fission of MCUDA (Stratton, Stone, Hwu, 2008). It is correct because the threads
// of a correct kernel are independent between two barriers: any order is legal, also one thread
// after the other. A loop with a barrier may be interchanged with the loop over threads because all
// threads execute the same iterations, proved by shapes or checked at run time.
//
// Agreement. `behind` finds the statements that a barrier may follow. All threads that take part
// vote on a possibly divergent condition around a barrier (`Phases.Agree`). If a barrier follows,
// the threads must agree. If none follows (`mayPart`), the barriers inside the statement don't wait
// for threads that go the other way: these threads leave with a number (`Phases.Leave`), and rejoin
// behind the statement. `Phases.State` holds the number of each thread: 0 for a thread that takes
// part, 1 for a thread that has returned. `Phases.Begin` and `Together` do the same for breaks and
// continues out of a region: if all threads that take part leave the same way, the block goes that
// way.
//
// Warp operations cut statements as barriers do, but require no agreement: threads may always part
// at a statement with warp operations and no barrier inside. Their operands and results are
// variables in arrays, which `gocuda/lanes.go` processes warp by warp. `lastMeetings` finds the
// operations behind which lanes that sit out a statement reach no barrier or warp operation: these
// lanes count as returned already.
//
// Threads are tracked only if one can leave before others (`Kernel.tracked`). A return in the last
// region is a `continue` of the loop over threads.
//
// Merging. A once between two regions moves before the first or behind the second if it does not
// conflict with the region that it passes; the two regions become one. `pieces` does the opposite
// where that pays: it cuts a region around a guard that can become loop bounds, if no variable of a
// thread lives across the cut.

// A node is a part of the program of a block.
type node interface{}

type (
	// region is run by every thread, one after the other in any order.
	region struct {
		stmts []Stmt
		exits []*Exit // returns, and exits from statements that control the block
		last  bool    // nothing follows: a return only ends the thread's part
		// bound is the guard that becomes the bounds of the loop.
		bound *If
		key   Stmt // the key of the loop's label
		over  bool // its rows and threads are not those of the block; see collapse
	}
	// once is run once per block: it computes values that are the same for all threads.
	once struct{ stmts []Stmt }
	// branch is an If with a barrier inside.
	branch struct {
		s         *If
		then, els []node
		asks      bool // the threads vote on the condition
		parts     bool // threads may disagree: no barrier follows
		id        int
	}
	// loop is a For with a barrier inside.
	loop struct {
		s               *For
		pre, body, post []node
		asks            bool
		parts           bool
		// the number of threads that have left the loop; id+1 is that of threads that wait for its
		// next iteration
		id int
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
	after  map[Stmt]bool // statements that a barrier may follow
	names  map[string]bool
	ids    map[Stmt]int
	next   int
	allocs []*Alloc
	// mixed holds the variables that some region assigns, so that they can't be computed once per
	// block.
	mixed map[*Var]bool
}

// fission turns the body of k into nodes.
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
	k.recomputable(f.doneOnce(k.Body), nil)
	meetsAcross(k.Body)
	k.alongY = k.mentionsY()
	if !slices.Contains(k.options.Off, "blockstride") {
		k.Body = f.collapse(k.Body)
		k.sharedParts = nil // there are more variables
	}
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
	markLast(k.nodes)
	k.storage()
}

// markLast marks the regions of list behind which nothing follows.
func markLast(list []node) {
	if len(list) == 0 {
		return
	}
	switch n := list[len(list)-1].(type) {
	case *region:
		n.last = true
	case *branch:
		if n.s.whole {
			markLast(n.then)
			markLast(n.els)
		}
	}
}

// classify finds the statements that control the block: statements with a barrier, a warp operation
// or a shared array inside.
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

// behind finds for each statement whether a barrier may run after it. rest says whether one may run
// after the whole list.
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

// lastMeetings finds the warp operations at which lanes that sit out an enclosing statement count
// as returned, since they reach no further barrier or warp operation. again says whether lanes that
// leave the statement around list may reach another one, and inLoop whether list is repeated.
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

// meetsAcross fails if lanes of a warp may take different sides of a branch, and both sides have
// the same operation for the whole warp. Such lanes meet at two places of the kernel, which only
// coroutines support.
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

// warpLanes is the number of lanes of a warp.
const warpLanes = 32

// warpWide reports whether e is the same for all lanes of each warp.
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

// mayPart reports whether threads may disagree on the condition of s, because the threads that take
// the side without a barrier reach no barrier before they rejoin.
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

// between reports whether a barrier may run after e and before the end of list, which contains e.
func (f *fissioner) between(list []Stmt, e *Exit) bool {
	rest, found := false, false
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		if anyStmt([]Stmt{s}, func(x Stmt) bool { return x == Stmt(e) }) {
			found = true
			if l, ok := s.(*For); ok && hasBarrier([]Stmt{l}) {
				return true // other threads may go on in l and reach its barrier
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

// liftExits makes branches control the block if their condition is uniform and they contain an exit
// from a statement that controls the block, or a return that a barrier may follow.
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

// id returns the number under which threads leave s early.
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

// finish completes a region: it collects the exits from it.
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
		if s.over != nil {
			for _, x := range n.then {
				if r, ok := x.(*region); ok {
					r.over = true
				}
			}
		}
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

// findMixed finds the variables that regions assign. All other statements that assign these
// variables must belong to regions too.
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

// doneOnce returns the variables that are assigned once per block by statements of list, or by
// statements nested in those that control the block.
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

// settled maps each variable that is assigned only by statements run once per block to the index,
// in the kernel's body, of the last such statement. The statements may be branches and loops.
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

// once reports whether s can be run once per block: it assigns only uniform variables, from uniform
// values.
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
					ok = false // a check that may panic has to name a thread
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

// allocates reports whether e allocates memory, which threads must not share.
func allocates(e Expr) bool {
	found := false
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Call:
			found = found || !x.Pure
		case *Composite:
			if _, ok := x.T.Underlying().(*types.Array); !ok {
				if !isStruct(x.T) {
					found = true
				}
			}
		case *Addr:
			found = true
		}
	})
	return found
}

// use is the set of variables that statements read and write, and whether they access memory.
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

// inVar reports whether e is a part of a variable, such as an element of an array variable, and not
// memory.
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

// merge joins two regions with a once between them, if that once can as well run before the first
// region or after the second.
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

// leaves reports whether list has an exit from the region: threads that take it do not run what
// follows.
func (f *fissioner) leaves(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool { e, ok := s.(*Exit); return ok && (e.To == nil || f.block[e.To]) })
}

// pieces cuts a region where that turns guards into bounds: `if tid < n {...}` alone in a region is
// a loop over fewer threads. No variable of a thread may live across a cut.
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

// mostPut is the largest number of operations and operands in a value that is substituted into a
// guard. Substitution may double the size at each variable.
const mostPut = 64

// sunk moves definitions that only the guard c uses into it. It returns the number of statements
// left before the guard, and the new guard.
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
