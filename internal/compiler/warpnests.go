package compiler

import (
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Warps as vectors: a strip of 32 lanes is a warp, so that values exchanged between lanes stay in
// registers. All that a block does between two barriers, including warp operations and the loops
// around them, becomes one nest whose rows are the warps of the block. threadIdx.x is 32*warp +
// lane, so indices computed from the warp and the lane, such as tid/32 and tid%32, are affine.
// Loops around warp operations are fully unrolled, so that each shuffle is a constant permutation.
// If other loops are left, the nest is called once per warp, with the warp's number.
//
// The nest is used for blocks of whole warps all of whose threads take part: blocks along x, or, in
// kernels that use threadIdx.y, blocks whose rows are single warps, where threadIdx.x is the lane
// and threadIdx.y the warp. Other blocks run the nodes phase by phase.

// A section is a run of nodes that becomes one nest.
type section struct {
	nest *nested
	warp *Var // the number of the warp, if each warp has a call of its own; else nil
}

// mostTries is the largest number of node runs that are tried per kernel.
const mostTries = 24

// sectionAt returns the longest section that begins at node i of list, and the index of the node
// behind it.
func (b *body) sectionAt(list []node, i int) (*section, int) {
	if b.inSection || b.nests == nil || b.off("warps") || b.k.TypeParams != nil && b.k.targs == nil || slices.Contains(b.k.words, "novectors") {
		return nil, i
	}
	end, last := i, -1
	for end < len(list) && b.joinable(list[end]) {
		if meets(list[end : end+1]) {
			last = end
		}
		end++
	}
	if r, ok := list[i].(*region); ok && last < 0 && end > i && b.byWarps(r) {
		end, last = i+1, i
	}
	for ; end > last && last >= 0 && b.tries < mostTries; end-- {
		b.tries++
		if s := b.sectionOf(list[i:end]); s != nil {
			return s, end
		}
	}
	return nil, i
}

// byWarps reports whether a region computes with the numbers of warps or lanes, and has no good
// nest over rows of the block.
func (b *body) byWarps(r *region) bool {
	if e := b.everyThread(r); e != nil && e.far {
		return false
	}
	n := b.nestOf(r)
	if n != nil && n.why == "" && n.far == 0 && !n.fails && !(b.k.tracked && n.loops) || ofOneThread(r) {
		return false
	}
	u := newUnroller(b.k, &Index3{threadIdx, 1})
	u.stmts(r.stmts)
	return u.parted
}

// byRows reports whether a region has loops and a nest over rows of the block, whose vectors access
// more consecutive memory than a warp.
func (b *body) byRows(r *region) bool {
	n := b.nestOf(r)
	return hasLoop(r.stmts) && n != nil && n.why == "" && n.far == 0 && (n.asm == nil || !n.fails)
}

// ofOneThread reports whether only one thread of a row executes the region, so that vectors are
// useless.
func ofOneThread(r *region) bool {
	return r.bound != nil && slices.ContainsFunc(bounds(r.bound.Cond), func(g guard) bool { return g.op == token.EQL })
}

// meets reports whether list contains a warp operation.
func meets(list []node) bool {
	found := false
	eachNode(list, func(n node) {
		_, ok := n.(*meet)
		found = found || ok
	})
	return found
}

// joinable reports whether a node may be part of a section.
func (b *body) joinable(n node) bool {
	ok := true
	eachNode([]node{n}, func(n node) {
		switch n := n.(type) {
		case *region:
			u := useOf(n.stmts)
			ok = ok && len(n.exits) == 0 && !anyStmt(n.stmts, func(s Stmt) bool {
				switch s := s.(type) {
				case *Do:
					return !isAtomic(s)
				case *Panic:
					return true
				case *Exit:
					return s.To == nil
				}
				return false
			})
			for _, v := range b.k.Vars {
				ok = ok && !(v.common && u.written[v])
			}
			ok = ok && !b.byRows(n) && !(hasLoop(n.stmts) && ofOneThread(n))
		case *loop:
			ok = ok && !n.asks
		case *branch:
			ok = ok && n.s.over == nil
		case *once, *meet:
		default:
			ok = false
		}
	})
	return ok
}

// sectionOf builds the section of nodes, or returns nil if they can't be one.
func (b *body) sectionOf(list []node) *section {
	u := newUnroller(b.k, &Index3{threadIdx, 1})
	stmts, ok := u.nodes(list)
	if !ok {
		return nil
	}
	stmts = u.withoutLanes(stmts)
	outside := b.usedOutside(list)
	for v := range b.usedIn(list) {
		switch {
		case !outside[v] && v.spread: // a variable that only the section uses
			v.spread = false
			defer func() { v.spread = true }()
		case outside[v] && u.assigned[v]:
			return nil // a variable of the block that other nodes read
		}
	}
	s := &section{}
	if !hasLoop(stmts) {
		s.nest = b.nestOfWarps(stmts, nil)
	}
	if s.nest == nil {
		s.warp = &Var{Name: uniqueName(b.names, "warp"), Type: intType, common: true}
		u = newUnroller(b.k, &VarRef{s.warp})
		stmts, _ = u.nodes(list)
		stmts = u.withoutLanes(stmts)
		s.nest = b.nestOfWarps(stmts, s.warp)
	}
	if s.nest == nil {
		return nil
	}
	b.addNest(s.nest)
	b.k.works("warps")
	return s
}

// nestOfWarps builds the nest for the warp whose number is in warp or, if that is nil, for all
// warps as a plane.
func (b *body) nestOfWarps(stmts []Stmt, warp *Var) *nested {
	general := map[*Var]bool{}
	for size := 4; size <= 8; {
		n, again := b.warpNest(stmts, size, warp, general)
		switch {
		case again != nil && !general[again]:
			general[again] = true
		case n.why == "":
			return n
		case n.why == errWide.why:
			size += 4
		default:
			if b.k.options.Dump == "warps" {
				b.k.dumps = append(b.k.dumps, dump{b.k.Name, "no nest of warps: " + n.why})
			}
			return nil
		}
	}
	return nil
}

// usedIn returns the variables that nodes use.
func (b *body) usedIn(list []node) map[*Var]bool {
	used := map[*Var]bool{}
	var expr func(e Expr)
	expr = func(e Expr) {
		walkExpr(e, func(x Expr) {
			if r, ok := x.(*VarRef); ok && !used[r.V] {
				used[r.V] = true
				expr(r.V.value)
			}
		})
	}
	stmts := func(list []Stmt) {
		walk(list, func(s Stmt) {
			exprs(s, expr)
			for _, v := range results(s) {
				used[v] = true
			}
			if a, ok := s.(*Alloc); ok {
				used[a.Dst] = true
			}
		})
	}
	eachNode(list, func(n node) {
		switch n := n.(type) {
		case *region:
			stmts(n.stmts)
		case *once:
			stmts(n.stmts)
		case *branch:
			expr(n.s.Cond)
		case *loop:
			expr(n.s.Cond)
		case *meet:
			stmts([]Stmt{n.s})
		case *syncThreads:
			stmts([]Stmt{n.s})
		case *alloc:
			stmts([]Stmt{n.s})
		}
	})
	return used
}

// usedOutside returns the variables that other nodes of the kernel use.
func (b *body) usedOutside(list []node) map[*Var]bool {
	in := map[node]bool{}
	eachNode(list, func(n node) { in[n] = true })
	used := map[*Var]bool{}
	eachNode(b.k.nodes, func(n node) {
		if in[n] {
			return
		}
		var alone node = n
		switch x := n.(type) { // n without the nodes inside it, which are visited on their own
		case *branch:
			alone = &branch{s: x.s}
		case *loop:
			alone = &loop{s: x.s}
		case *scope:
			return
		}
		for v := range b.usedIn([]node{alone}) {
			used[v] = true
		}
	})
	return used
}

// An unroller turns nodes into statements of one thread. Counters of the block become constants,
// and threadIdx.x becomes 32*row + lane, or the lane.
type unroller struct {
	row      Expr // the number of the warp
	plane    bool // rows of the block are warps
	known    map[*Var]int64
	assigned map[*Var]bool
	single   map[*Var]Expr // the values of variables that are assigned once
	lanes    []*Var        // variables that byLanes has replaced
	many     int
	parted   bool // quotients or remainders by 32 have been found
}

func newUnroller(k *Kernel, row Expr) *unroller {
	return &unroller{row: row, plane: k.warpsAreRows(), single: k.single, known: map[*Var]int64{}, assigned: map[*Var]bool{}}
}

// warpsAreRows reports whether each row of the block is assumed to be a warp: the kernel uses
// threadIdx.y.
func (k *Kernel) warpsAreRows() bool {
	found := false
	walk(k.Body, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				i, ok := x.(*Index3)
				found = found || ok && i.Of == threadIdx && i.Axis == 1
			})
		})
	})
	return found
}

// mostJoined is the largest number of nodes of a section.
const mostJoined = 200

func (u *unroller) nodes(list []node) (out []Stmt, ok bool) {
	for _, n := range list {
		if u.many++; u.many > mostJoined {
			return nil, false
		}
		switch n := n.(type) {
		case *region:
			out = append(out, u.stmts(n.stmts)...)
		case *meet:
			w := u.stmts([]Stmt{n.s})[0].(*Warp)
			if strings.HasPrefix(w.Op, "Shfl") {
				w.Args[1] = u.byLanes(w.Args[1])
			}
			out = append(out, w)
		case *once:
			if !u.once(n.stmts) {
				return nil, false
			}
		case *branch:
			if v, ok := u.constant(n.s.Cond); ok {
				side := n.els
				if v != 0 {
					side = n.then
				}
				more, ok := u.nodes(side)
				if !ok {
					return nil, false
				}
				out = append(out, more...)
				continue
			}
			cond := u.expr(n.s.Cond)
			if !ofWarp(cond) {
				return nil, false
			}
			before := len(u.assigned)
			then, ok1 := u.nodes(n.then)
			els, ok2 := u.nodes(n.els)
			if !ok1 || !ok2 || len(u.assigned) > before && !u.ownCounters(n) {
				return nil, false
			}
			out = append(out, &If{Cond: cond, Then: then, Else: els, Pos: n.s.Pos})
		case *loop:
			if n.s.Cond == nil {
				return nil, false
			}
			for round := 0; ; round++ {
				pre, ok := u.nodes(n.pre)
				holds, known := u.constant(n.s.Cond)
				if !ok || !known || round > warpLanes {
					return nil, false
				}
				out = append(out, pre...)
				if holds == 0 {
					break
				}
				body, ok1 := u.nodes(n.body)
				post, ok2 := u.nodes(n.post)
				if !ok1 || !ok2 {
					return nil, false
				}
				out = append(append(out, body...), post...)
			}
		default:
			return nil, false
		}
	}
	return out, true
}

// byLanes returns the operand of a shuffle that selects the source lanes. A variable that depends
// only on the lane is replaced by its value.
func (u *unroller) byLanes(e Expr) Expr {
	r, ok := e.(*VarRef)
	if !ok || u.single[r.V] == nil {
		return e
	}
	value := u.expr(u.single[r.V])
	if _, ok := constantAt(value, func(e Expr) (int64, bool) { return 0, isLane(e) }); !ok {
		return e
	}
	u.lanes = append(u.lanes, r.V)
	return value
}

// withoutLanes removes the assignments of variables that byLanes has replaced, if nothing else
// reads them.
func (u *unroller) withoutLanes(list []Stmt) []Stmt {
	read := useOf(list).read
	return slices.DeleteFunc(list, func(s Stmt) bool {
		a, ok := s.(*Assign)
		if !ok || len(a.L) != 1 {
			return false
		}
		r, ok := a.L[0].(*VarRef)
		return ok && slices.Contains(u.lanes, r.V) && !read[r.V]
	})
}

// ownCounters reports whether all variables that a branch assigns once per block are declared in
// it.
func (u *unroller) ownCounters(n *branch) bool {
	declared := map[*Var]bool{}
	ok := true
	eachNode([]node{n}, func(x node) {
		o, isOnce := x.(*once)
		if !isOnce {
			return
		}
		for _, s := range o.stmts {
			a := s.(*Assign)
			v := a.L[0].(*VarRef).V
			declared[v] = declared[v] || a.Def
			ok = ok && declared[v]
		}
	})
	return ok
}

// once evaluates assignments that run once per block. It fails if a value is not constant.
func (u *unroller) once(list []Stmt) bool {
	for _, s := range list {
		a, ok := s.(*Assign)
		if !ok || len(a.L) != 1 {
			return false
		}
		r, ok := a.L[0].(*VarRef)
		if !ok || !isInteger(r.V.Type) {
			return false
		}
		n, ok := u.constant(a.R)
		if !ok {
			return false
		}
		u.known[r.V] = n
		u.assigned[r.V] = true
	}
	return true
}

// constant evaluates an expression of constants and known counters; a condition is 0 or 1.
func (u *unroller) constant(e Expr) (int64, bool) {
	return constantAt(e, func(e Expr) (int64, bool) {
		r, ok := e.(*VarRef)
		if !ok {
			return 0, false
		}
		n, ok := u.known[r.V]
		return n, ok
	})
}

// constantAt evaluates an expression of constants and of subexpressions whose values known returns.
func constantAt(e Expr, known func(Expr) (int64, bool)) (int64, bool) {
	if n, ok := known(e); ok {
		return n, true
	}
	const most = 1 << 30 // representable in all integer types of at least 32 bits
	switch x := e.(type) {
	case *Const:
		if x.Val.Kind() == constant.Bool {
			if constant.BoolVal(x.Val) {
				return 1, true
			}
			return 0, true
		}
		return constInt(x)
	case *Convert:
		if !isInteger(x.T) || !isInteger(x.X.Type()) {
			return 0, false
		}
		n, ok := constantAt(x.X, known)
		return n, ok && (n >= 0 && n < 128)
	case *Binary:
		a, ok1 := constantAt(x.X, known)
		b, ok2 := constantAt(x.Y, known)
		if !ok1 || !ok2 || a < -most || a > most || b < -most || b > most {
			return 0, false
		}
		switch x.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			if constant.Compare(constant.MakeInt64(a), x.Op, constant.MakeInt64(b)) {
				return 1, true
			}
			return 0, true
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.OR, token.XOR, token.AND_NOT, token.SHL, token.SHR:
			n := int64(0)
			switch x.Op {
			case token.ADD:
				n = a + b
			case token.SUB:
				n = a - b
			case token.MUL:
				n = a * b
			case token.AND:
				n = a & b
			case token.OR:
				n = a | b
			case token.XOR:
				n = a ^ b
			case token.AND_NOT:
				n = a &^ b
			default:
				if b <= 0 || x.Op != token.QUO && x.Op != token.REM && b > 30 {
					return 0, false
				}
				switch x.Op {
				case token.QUO:
					n = a / b
				case token.REM:
					n = a % b
				case token.SHL:
					n = a << b
				case token.SHR:
					n = a >> b
				}
			}
			fits := n >= 0 && n < 128 || !unsigned(x.T) && !has8(x.T) && n > -most && n < most
			return n, fits
		}
	}
	return 0, false
}

// has8 reports whether t is an integer type of 8 bits.
func has8(t types.Type) bool {
	k := smallKind(t)
	return k == lir.U8 || k == lir.I8
}

// ofWarp reports whether e is the same for all lanes of a warp.
func ofWarp(e Expr) bool {
	ok := true
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Const, *Unary, *Binary, *Convert:
		case *Index3:
			ok = ok && !(x.Of == threadIdx && x.Axis == 0)
		case *VarRef:
			ok = ok && (x.V.common || x.V.Param && x.V.defs == 0)
		default:
			ok = false
		}
	})
	return ok
}

// stmts rewrites the expressions of statements in terms of lane and row.
func (u *unroller) stmts(list []Stmt) []Stmt { return mapReads(list, u.part) }

func (u *unroller) expr(e Expr) Expr { return mapExpr(e, u.part) }

// part rewrites an expression in terms of lane and row; its operands have been rewritten already.
func (u *unroller) part(e Expr) Expr {
	switch x := e.(type) {
	case *VarRef:
		if n, ok := u.known[x.V]; ok {
			return &Const{constant.MakeInt64(n), x.V.Type}
		}
		if x.V.value != nil {
			return converted(u.expr(x.V.value), x.V.Type)
		}
	case *Rank:
		return u.byLane()
	case *Index3:
		switch {
		case x.Of == threadIdx && x.Axis == 0 && !u.plane:
			return u.byLane()
		case x.Of == threadIdx && x.Axis == 1 && u.plane:
			return u.row
		case x.Of == threadIdx && x.Axis > 0:
			return intExpr(0)
		case x.Of == warpInBlock:
			return u.row
		}
	case *Binary:
		return u.inWarps(x)
	}
	return e
}

// byLane is the index of a thread: 32 times the row, plus the lane.
func (u *unroller) byLane() Expr {
	return &Binary{token.ADD, &Binary{token.MUL, intExpr(warpLanes), u.row, intType}, &Index3{threadIdx, 0}, intType}
}

func times(a, b Expr) Expr {
	if n, ok := constInt(a); ok && n == 1 {
		return b
	}
	return &Binary{token.MUL, a, b, intType}
}

func converted(e Expr, t types.Type) Expr {
	if types.Identical(e.Type(), t) {
		return e
	}
	return &Convert{e, t}
}

// A sum32 is a sum of terms that are not negative, each times 32, and optionally of the lane.
type sum32 struct {
	terms []Expr // each divided by 32
	lane  bool
	wide  bool // the sum may need more than 31 bits
}

// sumOf returns e as a sum32, if it is one.
func (u *unroller) sumOf(e Expr) (s sum32, ok bool) {
	switch x := e.(type) {
	case *Const:
		n, ok := constInt(x)
		if !ok || n < 0 || n%warpLanes != 0 {
			return s, false
		}
		if n > 0 {
			s.terms = append(s.terms, intExpr(n/warpLanes))
		}
		return s, true
	case *Convert:
		if !isInteger(x.T) || !isInteger(x.X.Type()) || has8(x.T) || smallKind(x.T) != lir.None {
			return s, false
		}
		s, ok = u.sumOf(x.X)
		return s, ok && !(s.wide && !wide(x.T))
	case *Index3:
		s.lane = x.Of == threadIdx && x.Axis == 0
		if x.Of == blockDim && x.Axis == 0 {
			s.terms = append(s.terms, &Binary{token.QUO, x, intExpr(warpLanes), intType})
			return s, true
		}
		return s, s.lane
	case *Binary:
		switch x.Op {
		case token.ADD:
			a, ok1 := u.sumOf(x.X)
			b, ok2 := u.sumOf(x.Y)
			return sum32{append(a.terms, b.terms...), a.lane || b.lane, a.wide || b.wide}, ok1 && ok2 && !(a.lane && b.lane)
		case token.MUL:
			for _, f := range [][2]Expr{{x.X, x.Y}, {x.Y, x.X}} {
				a, ok := u.sumOf(f[0])
				i, isIndex := f[1].(*Index3)
				if !ok || a.lane || f[1] != u.row && (!isIndex || i.Of == threadIdx) {
					continue
				}
				for _, t := range a.terms {
					s.terms = append(s.terms, times(t, f[1]))
				}
				s.wide = f[1] != u.row
				return s, true
			}
		}
	}
	return s, false
}

// inWarps rewrites quotients and remainders of a thread's index by 32, and comparisons that are
// uniform in a warp, in terms of lane and row.
func (u *unroller) inWarps(x *Binary) Expr {
	n, isConst := constInt(x.Y)
	if !isConst {
		return x
	}
	s, ok := u.sumOf(x.X)
	if !ok || len(s.terms) == 0 && !(s.lane && u.plane) {
		return x
	}
	sum := func() Expr {
		if len(s.terms) == 0 {
			return intExpr(0)
		}
		e := s.terms[0]
		for _, t := range s.terms[1:] {
			e = &Binary{token.ADD, e, t, intType}
		}
		return e
	}
	lane := func() Expr {
		if !s.lane {
			return intExpr(0)
		}
		return &Index3{threadIdx, 0}
	}
	switch {
	case x.Op == token.QUO && n == warpLanes, x.Op == token.SHR && n == 5:
		u.parted = true
		return converted(sum(), x.T)
	case x.Op == token.REM && n == warpLanes, x.Op == token.AND && n == warpLanes-1:
		u.parted = true
		return converted(lane(), x.T)
	case x.Op == token.REM && n > 0 && warpLanes%n == 0, x.Op == token.AND && n > 0 && n < warpLanes && n&(n+1) == 0:
		u.parted = true
		y := *x
		y.X = converted(lane(), x.X.Type())
		return &y
	case (x.Op == token.LSS || x.Op == token.GEQ) && n >= 0 && n%warpLanes == 0:
		return &Binary{x.Op, sum(), intExpr(n / warpLanes), x.T}
	case (x.Op == token.LEQ || x.Op == token.GTR) && n >= 0 && (n+1)%warpLanes == 0:
		return &Binary{map[token.Token]token.Token{token.LEQ: token.LSS, token.GTR: token.GEQ}[x.Op], sum(), intExpr((n + 1) / warpLanes), x.T}
	}
	return x
}

// warpNest builds the nest of a section with elements of at most size bytes. If a further integer
// must be held in lanes, it returns that as again.
func (b *body) warpNest(stmts []Stmt, size int, warp *Var, general map[*Var]bool) (n *nested, again *Var) {
	var taken map[string]bool // with thousands of names in a large package
	rw := &row{atoms: map[string]int{}, general: general, name: func(what string) string {
		if taken == nil {
			taken = maps.Clone(b.names)
		}
		return uniqueName(taken, what)
	}}
	n = &nested{row: rw, loops: hasLoop(stmts), plane: warp == nil, name: b.nestName()}
	if warp != nil {
		rw.warp = warp.Name
	}
	err := b.onMachines(n, func(f *asm.File, m *asm.Machine) (bool, error) {
		for try := range 3 {
			shape := nestShape{plane: n.plane, warps: true, parts: warpLanes / m.Lanes(size), jam: 1, vectors: vectors{lanes: m.Lanes(size)}, late: try > 0, deep: try == 2}
			nest, err := b.lower(rw, stmts, size, shape)
			switch {
			case err != nil:
				return false, err
			case nest.Fails():
				return false, errors.New("warps that may be left")
			}
			if m.Arch == machines[0].Arch {
				n.work = rw.work(nest.Body)
			}
			if err = f.Func(n.name+m.Name, m, asm.NewForm(nest)); err == nil {
				return true, nil
			}
			n.why = err.Error()
		}
		return false, nil
	})
	if err != nil {
		n.why = err.Error()
		switch e := err.(type) {
		case errGeneral:
			return n, e.v
		case errNarrow:
			b.markWide(e.v)
			delete(general, e.v)
			return n, e.v
		}
	}
	if n.asm != nil {
		n.why = ""
	}
	return n, nil
}

// sectionCall prints the call of a section's nest, and for blocks that it does not support the
// nodes.
func (b *body) sectionCall(s *section, other func()) {
	n, r := s.nest, s.nest.row
	inWarps, warps := uniqueName(b.names, "inWarps"), uniqueName(b.names, "warps")
	place := strings.NewReplacer("‹lo›", "0", "‹hi›", "32", "‹many›", "32", "many‹rows›", warps, "‹first›", "0", "‹rt›", b.rt()).Replace
	var conds []string
	for _, t := range r.syms.texts {
		if bits, isThere := r.atoms[t]; isThere {
			conds = append(conds, fmt.Sprintf("%s.Small(%s, %d)", b.rt(), place(t), bits))
		}
	}
	for _, c := range r.checks {
		conds = append(conds, place(c))
	}
	if n.loops {
		conds = append(conds, fmt.Sprintf("float64(%s) <= %s.MostWork", place(n.work), b.rt()))
	}
	call := fmt.Sprintf("%s(&%sArgs{32", n.name, n.name)
	for _, a := range r.args {
		text := place(a.text)
		switch a.typ {
		case "float32", "int32", "uint32":
			text = fmt.Sprintf("[2]%s{%s}", a.typ, text)
		}
		call += ", " + text
	}
	call += "})\n"
	// locals adds the definitions of the variables that a text uses.
	locals := func(text string) string {
		for i := len(r.locals) - 2; i >= 0; i -= 2 {
			if containsWord(text, r.locals[i]) {
				text = fmt.Sprintf("%s := %s\n%s", r.locals[i], place(r.locals[i+1]), text)
			}
		}
		return text
	}
	ok := ""
	if len(conds) > 0 {
		ok = joined(conds)
	}
	which := "WholeWarps"
	if b.k.warpsAreRows() {
		which = "RowWarps"
	}
	b.printf("%s := false\nif %s := p.%s(); %s > 0 && %s && p.Vectors {\n", inWarps, warps, which, warps, n.guard())
	switch {
	case s.warp != nil:
		b.printf("%s = true\n", inWarps)
		if ok != "" {
			b.printf("for %s := range %s {\n%s}\n", s.warp.Name, warps, locals(fmt.Sprintf("if !(%s) {\n%s = false\nbreak\n}\n", ok, inWarps)))
		}
		poll := ""
		if n.loops {
			poll = "p.Poll()\n"
		}
		each := "for range " + warps
		if text := locals(call); containsWord(text, s.warp.Name) {
			each = fmt.Sprintf("for %s := range %s", s.warp.Name, warps)
		}
		b.printf("if %s {\n%s {\n%s%s}\n}\n", inWarps, each, poll, locals(call))
	case ok != "":
		b.printf("%s", locals(fmt.Sprintf("if %s {\n%s%s = true\n}\n", ok, call, inWarps)))
	default:
		b.printf("%s%s = true\n", locals(call), inWarps)
	}
	b.printf("}\nif !%s {\n", inWarps)
	b.inSection = true
	other()
	b.inSection = false
	b.printf("}\n")
}

// meet lowers a warp operation in which all lanes of the warp take part.
func (l *lowering) meet(s *Warp) {
	clear(l.loads)
	if !l.warps || l.masked || l.on != nil && !l.everywhere() {
		cannot("a warp operation")
	}
	if s.Mask == nil {
		cannot("a warp operation that asks who takes part")
	}
	if mask, ok := constInt(s.Mask); !ok || mask != 1<<warpLanes-1 {
		cannot("a warp operation of some lanes")
	}
	switch s.Op {
	case "SyncWarp":
	case "ShflSync", "ShflUpSync", "ShflDownSync", "ShflXorSync":
		l.result(s.Dst, l.shuffle(s))
	case "BallotSync":
		l.result(s.Dst, l.ballot(s.Args[0]))
	case "AllSync", "AnySync":
		all := l.ballot(s.Args[0])
		pred, with := lir.Ne, uint64(0)
		if s.Op == "AllSync" {
			pred, with = lir.Eq, 1<<warpLanes-1
		}
		number := l.once(fmt.Sprint("c", with, lir.U32), lir.U32, lir.Instr{Op: lir.Const, Imm: with})
		out := make(operand, l.width())
		for i := range out {
			out[i] = l.n.New(lir.Mask)
			l.emit(&lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.U32, Dst: out[i], X: all.at(i), Y: number.at(i), Pred: pred})
		}
		l.result(s.Dst, out)
	case "ReduceAddSync", "ReduceMinSync", "ReduceMaxSync", "ReduceAndSync", "ReduceOrSync", "ReduceXorSync":
		k := l.kind(s.T)
		if smallKind(s.T) != lir.None || k.Size() == 8 && (s.Op == "ReduceMinSync" || s.Op == "ReduceMaxSync") {
			cannot("%s of a type %s", s.Op, s.T)
		}
		verb := map[string]lir.Op{"ReduceAddSync": lir.Add, "ReduceMinSync": lir.Min, "ReduceMaxSync": lir.Max, "ReduceAndSync": lir.And, "ReduceOrSync": lir.Or, "ReduceXorSync": lir.Xor}[s.Op]
		x := l.value(s.Args[0], nil)
		for by := warpLanes / 2; by > 0; by /= 2 {
			x = l.op(lir.Instr{Op: verb, Kind: k}, nil, x, l.permuted(k, x, func(lane int) int { return lane ^ by }))
		}
		l.result(s.Dst, x)
	default:
		cannot("%s", s.Op)
	}
}

// ballot returns a number whose bits are the lanes of a warp for which a condition holds.
func (l *lowering) ballot(e Expr) operand {
	m, _ := l.condition(e)
	out := make(operand, l.width())
	for row := 0; row < len(out); row += l.parts {
		var all lir.Value
		for p := range l.parts {
			v := l.n.New(lir.U32)
			l.emit(&lir.Instr{Op: lir.Ballot, Kind: lir.U32, Dst: v, X: m.at(row + p), Imm: uint64(p * l.ofMachine().lanes)})
			if p > 0 {
				both := l.n.New(lir.U32)
				l.emit(&lir.Instr{Op: lir.Or, Kind: lir.U32, Dst: both, X: all, Y: v})
				v = both
			}
			all = v
		}
		for p := range l.parts {
			out[row+p] = all
		}
	}
	return out
}

// result assigns values to a variable.
func (l *lowering) result(v *Var, values operand) {
	if v == nil {
		return
	}
	if isInteger(v.Type) && wide(v.Type) && !l.general[v] {
		panic(errGeneral{v})
	}
	to, k := l.values[v], lir.Mask
	switch {
	case isBool(v.Type) && to == nil:
		to = l.maskVariable(v)
	case !isBool(v.Type):
		if k = l.kind(v.Type); to == nil {
			to = l.variable(v)
		}
	}
	l.values[v] = to
	for i := range to {
		l.emit(&lir.Instr{Op: lir.Move, Kind: k, Dst: to[i], X: values.at(i)})
	}
}

// sourceOf is the source lane of a lane in a shuffle, as in the CUDA C++ Programming Guide, 10.22.
func sourceOf(op string, lane, b, width int) int {
	b &= warpLanes - 1
	first := lane &^ (width - 1)
	source := lane
	switch op {
	case "ShflSync":
		return first + b&(width-1)
	case "ShflUpSync":
		source = lane - b
	case "ShflDownSync":
		source = lane + b
	default:
		source = lane ^ b
	}
	if source < first && op == "ShflUpSync" || source > first+width-1 {
		return lane
	}
	return source
}

func (l *lowering) shuffle(s *Warp) operand {
	width, ok := constInt(s.Args[2])
	if !ok || width <= 0 || width > warpLanes || width&(width-1) != 0 {
		cannot("a shuffle of a width that is not known")
	}
	var from [warpLanes]int
	for lane := range from {
		by, ok := constantAt(s.Args[1], func(e Expr) (int64, bool) { return int64(lane), isLane(e) })
		if !ok {
			cannot("a shuffle by what is not known")
		}
		from[lane] = sourceOf(s.Op, lane, int(by&(warpLanes-1)), int(width))
	}
	return l.permuted(l.kind(s.T), l.value(s.Args[0], nil), func(lane int) int { return from[lane] })
}

func isLane(e Expr) bool {
	x, ok := e.(*Index3)
	return ok && x.Of == threadIdx && x.Axis == 0
}

// permuted permutes the lanes of each warp: lane i of the result is lane source(i) of x.
func (l *lowering) permuted(k lir.Kind, x operand, source func(lane int) int) operand {
	if k.Size() != l.n.Size {
		cannot("a shuffle of values of another size")
	}
	out := make(operand, l.width())
	lanes := l.ofMachine().lanes
	for i := range out {
		row, part := i/l.parts*l.parts, i%l.parts
		// The source of each lane: an index into vectors, and the lane in that vector.
		var vectors []int
		of, at := make([]int, lanes), make([]uint8, lanes)
		identity := true
		for j := range lanes {
			lane := source(part*lanes + j)
			of[j] = slices.Index(vectors, lane/lanes)
			if of[j] < 0 {
				of[j] = len(vectors)
				vectors = append(vectors, lane/lanes)
			}
			at[j] = uint8(lane % lanes)
			identity = identity && int(at[j]) == j
		}
		// The first two vectors are merged, then each further one into the result.
		have := x.at(row + vectors[0])
		if len(vectors) == 1 && !identity {
			have = l.shuffled(k, have, 0, at)
		}
		for v := 1; v < len(vectors); v++ {
			pattern := make([]uint8, lanes)
			for j := range pattern {
				switch {
				case of[j] == v:
					pattern[j] = uint8(lanes) + at[j]
				case v == 1:
					pattern[j] = at[j]
				default:
					pattern[j] = uint8(j)
				}
			}
			have = l.shuffled(k, have, x.at(row+vectors[v]), pattern)
		}
		out[i] = have
	}
	return out
}

func (l *lowering) shuffled(k lir.Kind, x, y lir.Value, pattern []uint8) lir.Value {
	to := l.n.New(k)
	i := &lir.Instr{Op: lir.Shuffle, Kind: k, Dst: to, X: x, Y: y, Pattern: pattern}
	if y != 0 {
		i.Temps = []lir.Value{l.n.New(k)}
	}
	l.emit(i)
	return to
}
