package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Lowering: from the statements of a region to the nest of a strip of its threads: of a row of them, or of a plane, with a loop over its
// rows. Several rows of a plane go together through the loops that threads have (unroll-and-jam; Callahan, Cocke and Kennedy, 1988), which
// share what is the same for all of them. The integers that threads compute with are polynomials, whose values at the beginning of a row
// or plane are arguments of the nest. All indices are checked before the nest is entered, for all threads and all rounds of its loops: if
// one could be out of range, the row or plane is done in plain Go, which panics in the right thread.

// errNest says why a region has no nest.
type errNest struct{ why string }

func (e errNest) Error() string { return e.why }

// errGeneral says that an integer is not affine, so that it needs to be a value of 64 bits.
type errGeneral struct{ v *Var }

func (e errGeneral) Error() string { return fmt.Sprintf("the integer %s is not affine", e.v.Name) }

// errWide says that a nest has larger values than it is for.
var errWide = errNest{"values of 8 bytes"}

func cannot(format string, args ...any) { panic(errNest{fmt.Sprintf(format, args...)}) }

// An operand is what threads have as a value: one for each part of each of the rows that go together, those of a row together; or one for
// each part, which is the same for all rows; or one for all.
type operand []lir.Value

func (o operand) at(i int) lir.Value { return o[i%len(o)] }

// A shape is how many threads go through a nest together.
type nestShape struct {
	plane  bool // rows are a loop of the nest
	swap   bool // its vectors are along threadIdx.y, and its rows along threadIdx.x
	parts  int  // vectors of a row
	jam    int  // rows
	masked bool // some threads of the strip may be off
	late   bool // constants and arguments are loaded where they are used
	lean   bool // if it is more than a vector few values may be in memory
	deep   bool // see lir.Nest
	inner  bool // the threads of the strip are all of those for which conditions are as expected; see inside
	lanes  int  // of a vector
	temps  int  // vectors that the steps of a tile take
	totals int  // how many pointers a loop of sums across lanes may have; 0 if the machine has none
	warps  bool // a row is a warp; see warpnests.go
}

// A birth is where a variable is declared: the loops and branches around it, and the threads that are on.
type birth struct {
	rounds []*round
	whens  int
	on     operand
}

// A lowering makes one nest.
type lowering struct {
	*row
	nestShape
	b         *body
	n         *lir.Nest
	born      map[*Var]birth
	list      *[]lir.Node
	ints      map[*Var]poly
	pieces    map[*Var][]piece
	arrays    map[*Var][]operand // the elements of arrays of a thread's own
	quotients map[*Var]poly      // integers that are made of quotients
	divisions []quotient         // by the numbers of their symbols
	counters  map[*Var]bool      // variables that conditions of loops compare
	starts    map[*Var]poly      // what those of them that have 32 bits begin with
	values    map[*Var]operand
	mutable   map[lir.Value]bool // registers of variables
	assigned  map[*Var]bool
	often     map[*Var]int  // how many assignments there are
	chosen32  map[*Var]bool // see chosenIndices
	driven    map[*Var]bool // integers that loops around move
	distances map[*Var]poly // by these in each round
	rounds    []*round
	rowRound  *round  // of the loop over rows
	rowBegin  poly    // the row in which it begins
	on        operand // the mask of threads that are on; nil for all
	lanes     lanes
	sure      lanes // those that go where the branches lead that all threads take together
	consts    map[string]lir.Value
	loads     map[string]operand
	groups    map[string]int
	first     []lir.Node // constants and arguments
	promoted  []*promoted
	tiles     map[string]inTile // where elements are that are in tiles, by slice and index
	across    *across           // the loop whose vectors are of rounds, while that is lowered
	frame     int               // bytes of the frame that tiles have
	region    []Stmt            // all of the nest
	every     int               // how many elements lie between those that were looked at last, as lir.Instr has it
	facts     []fact            // what holds for the threads that are on
	sureFacts []fact            // those of them that hold whatever the mask is
	quiet     int               // not 0 while integers are only looked at, and nothing is checked
	checked   int               // not 0 while the checks of indices are known to be made elsewhere
	leaving   *departing        // the loop around that threads leave
	left      int               // how many breaks there were
	counts    map[*Var]counted
	stride    int  // the argument with the distance of the elements that were looked at last
	nearby    bool // that is a small constant
	deepest   int  // how many loops are around what is in most of them
	depth     map[*Var]int
	whens     []string
	held      []string           // more of them, for the branch that is begun
	bounded   bool               // the condition that is looked at has a lower and an upper bound of threads
	fitting   map[*Var]bool      // whether integers can be narrow
	widest    map[*Var]int       // how many bits the numbers have that they are made
	bounds    map[*Var][]string  // how large narrow integers become, in terms of float64
	settling  []*Var             // the integers that copies of the rest of a block know
	splitting bool               // the branch that is begun is there twice already
	expanded  map[*Var]valuePoly // see expansion
	copies    int                // how many there are of what is lowered, at most; 0 is one
}

// A round is a loop around what is lowered.
type round struct {
	symbol string
	trips  string // a text: how often it goes round, at most
	count  poly   // how often it does, if that depends on the thread, the row or another loop
	loop   *lir.Loop
	moved  map[int]bool
	idle   int64 // while ends of indices are looked at: how many rounds come before those that are counted
	// Of a loop in strides: what its counter begins with, grows by, and stays below; and begins with in the loop before, of which it has the rounds
	// that are left.
	start, step, end, first poly
}

// width is how many values an operand has that is not the same for several vectors or rows.
func (l *lowering) width() int { return l.parts * l.jam }

// single reports whether vectors have one lane, as in plain Go.
func (l *lowering) single() bool { return l.nestShape.lanes == 1 }

// lower makes the nest of a region.
func (b *body) lower(r *row, stmts []Stmt, size int, shape nestShape) (n *lir.Nest, err error) {
	l := b.newLowering(r, stmts, size, shape)
	defer func() {
		switch v := recover().(type) {
		case nil:
		case errNest:
			n, err = nil, v
		case errGeneral:
			n, err = nil, v
			if l.n.Size == 4 && wide(v.v.Type) && (l.b.notNarrow[v.v] || !l.canBeNarrow(v.v)) {
				err = errWide
			}
		case errNarrow:
			n, err = nil, v
		default:
			panic(v)
		}
	}()
	var body []lir.Node
	l.list = &body
	if !l.plane {
		l.strip(stmts)
	} else {
		rows := "many‹rows›"
		if l.jam > 1 {
			together := l.local("together", fmt.Sprintf("many‹rows›/%d*%d", l.jam, l.jam))
			l.rowLoop(stmts, together, poly{})
			l.jam = 1
			rows = rows + "-" + together
			l.rowBegin = l.syms.row(together)
		}
		l.rowLoop(stmts, rows, l.rowBegin)
	}
	l.checkBounds()
	l.n.Body = append(l.first, body...)
	if r.checksFirst && !l.n.Restarts() {
		r.checkFirst(b.rt(), l.n)
	}
	if err := b.finish(l.n, shape); err != nil {
		return nil, err
	}
	return l.n, nil
}

func (b *body) newLowering(r *row, stmts []Stmt, size int, shape nestShape) *lowering {
	l := &lowering{row: r, nestShape: shape, b: b, n: &lir.Nest{Parts: shape.parts, Masked: shape.masked, Size: size, Lean: shape.lean && shape.parts*shape.jam > 1, Deep: shape.deep, Late: shape.late}}
	l.region, l.assigned, l.often = stmts, assignedIn(&Block{Body: stmts}), map[*Var]int{}
	walk(stmts, func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			for _, to := range a.L {
				if v, _ := assigned(to); v != nil {
					l.often[v]++
				}
			}
		}
	})
	l.chosen32 = chosenIndices(stmts)
	l.counters = map[*Var]bool{}
	walk(stmts, func(s Stmt) {
		if f, ok := s.(*For); ok && f.Cond != nil {
			walkExpr(f.Cond, func(e Expr) {
				if r, ok := e.(*VarRef); ok {
					l.counters[r.V] = true
				}
			})
		}
	})
	l.deepest = loopDepth(stmts)
	if shape.plane {
		l.deepest++
	}
	l.consts, l.mutable = map[string]lir.Value{}, map[lir.Value]bool{}
	l.groups = map[string]int{}
	if shape.masked {
		l.n.Lanes = l.n.New(lir.Mask)
	}
	l.forget()
	return l
}

// forget makes the lowering know of no variable.
func (l *lowering) forget() {
	l.ints, l.values, l.starts = map[*Var]poly{}, map[*Var]operand{}, map[*Var]poly{}
	l.loads, l.depth, l.pieces, l.quotients = map[string]operand{}, map[*Var]int{}, map[*Var][]piece{}, map[*Var]poly{}
	l.arrays = map[*Var][]operand{}
	l.born = map[*Var]birth{}
	l.on, l.leaving, l.counts = nil, nil, map[*Var]counted{}
	l.lanes, l.sure = lanes{exact: true}, lanes{exact: true}
	if l.masked {
		l.on = operand{l.n.Lanes}
	}
}

// rowLoop lowers the loop over so many rows, l.jam at a time, from the one that is begin.
func (l *lowering) rowLoop(stmts []Stmt, rows string, begin poly) {
	l.forget()
	trips := rows
	if l.jam > 1 {
		trips = fmt.Sprintf("%s/%d", rows, l.jam)
	}
	r := &round{symbol: l.syms.round(), trips: trips, loop: &lir.Loop{Trips: lir.Scalar{Off: l.arg("int", trips)}}, moved: map[int]bool{}}
	r.loop.Few = len(begin) > 0
	l.rowRound, l.rowBegin, l.rounds = r, begin, []*round{r}
	outer := l.list
	l.list = &r.loop.Body
	l.strip(stmts)
	l.rounds, l.list = nil, outer
	l.texts(r.loop, trips)
	l.emitNode(r.loop)
}

// strip lowers what the threads of a strip do in a row, or in rows that go together.
func (l *lowering) strip(stmts []Stmt) {
	b, u := l.b, useOf(stmts)
	for _, v := range b.k.Vars {
		if !v.spread || !u.read[v] && !u.written[v] {
			continue
		}
		if l.swap {
			cannot("elements that are not neighbours")
		}
		if isArray(v.Type) {
			l.loadArray(v)
			continue
		}
		if isBool(v.Type) {
			l.values[v] = l.maskVariable(v)
			at := l.memory(b.array[v], b.typ(v.Type), 1, l.rank())
			for i := range l.width() {
				l.emit(&lir.Instr{Op: lir.Bools, Kind: lir.Mask, Dst: l.values[v][i], Mem: at(i)})
			}
			continue
		}
		l.values[v] = l.variable(v)
		k := l.kind(v.Type)
		at := l.memory(b.array[v], b.typ(v.Type), int(lineSizes.Sizeof(v.Type)), l.rank())
		for i := range l.width() {
			l.emit(&lir.Instr{Op: lir.Load, Kind: k, From: smallKind(v.Type), Dst: l.values[v][i], Mem: at(i), On: l.mask(i)})
		}
	}
	l.stmts(stmts)
	for _, v := range b.k.Vars {
		if v.spread && u.written[v] && isArray(v.Type) {
			l.storeArray(v)
		} else if v.spread && u.written[v] && isBool(v.Type) {
			at := l.memory(b.array[v], b.typ(v.Type), 1, l.rank())
			for i := range l.width() {
				l.emit(&lir.Instr{Op: lir.PutBool, Kind: lir.Mask, X: l.values[v][i], Mem: at(i), On: l.mask(i)})
			}
		} else if v.spread && u.written[v] {
			k := l.kind(v.Type)
			at := l.memory(b.array[v], b.typ(v.Type), int(lineSizes.Sizeof(v.Type)), l.rank())
			for i := range l.width() {
				l.emit(&lir.Instr{Op: lir.Store, Kind: k, From: smallKind(v.Type), X: l.values[v][i], Mem: at(i), On: l.mask(i)})
			}
		}
	}
}

func (l *lowering) emitNode(n lir.Node) { *l.list = append(*l.list, n) }

func (l *lowering) emit(i *lir.Instr) { *l.list = append(*l.list, i) }

// mask returns the mask of a vector, 0 for all.
func (l *lowering) mask(i int) lir.Value {
	if l.on == nil {
		return 0
	}
	if v := l.on.at(i); v != l.consts["all"] {
		return v
	}
	return 0
}

// everywhere reports whether all threads of the strip are on.
func (l *lowering) everywhere() bool { return l.isAll(l.on) || l.masked && l.on[0] == l.n.Lanes }

// kind returns the kind of values of a type.
func (l *lowering) kind(t types.Type) lir.Kind {
	k := map[string]lir.Kind{"F32": lir.F32, "F64": lir.F64, "I32": lir.I32, "U32": lir.U32, "I64": lir.I64, "U64": lir.U64}[elem(t)]
	if smallKind(t) != lir.None {
		k = lir.I32
	}
	if k == lir.None {
		cannot("values of type %s", t)
	}
	if k.Size() > l.n.Size {
		panic(errWide)
	}
	return k
}

// smallKind returns the kind of integers of 8 or 16 bits in memory, and none for other types.
func smallKind(t types.Type) lir.Kind {
	return map[string]lir.Kind{"U8": lir.U8, "I8": lir.I8, "U16": lir.U16, "I16": lir.I16}[elem(t)]
}

// variable makes the values of a variable.
func (l *lowering) variable(v *Var) operand {
	k := l.kind(v.Type)
	o := make(operand, l.width())
	for p := range o {
		o[p] = l.n.New(k)
		l.mutable[o[p]] = true
	}
	l.depth[v] = len(l.rounds)
	return o
}

func (l *lowering) stmts(list []Stmt) {
	for i, s := range list {
		left := l.left
		switch s := s.(type) {
		case *Assign:
			if l.settleLimit(s, list[i+1:]) {
				return
			}
			l.assign(s)
		case *If:
			done, all := l.choose(s, list[i+1:])
			if all {
				return
			}
			if !done {
				l.branch(s)
			}
		case *For:
			if i > 0 {
				if loop, counter, start, ok := l.clipped(list[i-1], s); ok {
					delete(l.pieces, counter)
					l.ints[counter], l.depth[counter] = start, len(l.rounds)
					l.b.k.works("clip")
					l.loop(loop)
					delete(l.ints, counter) // where threads have left off differs
					continue
				}
			}
			l.loop(s)
		case *Exit:
			l.leave(s)
		case *Warp:
			l.meet(s)
		case *Do:
			l.atomic(s)
		default:
			cannot("%s", statementName(s))
		}
		if l.leaving != nil && l.leaving.gone {
			return
		}
		if l.left != left && l.leaving != nil { // who has left does nothing that follows
			l.on = l.joined(l.on, l.leaving.live)
			clear(l.loads)
		}
	}
}

func (l *lowering) assign(s *Assign) {
	if len(s.L) != 1 {
		cannot("several results")
	}
	if s.L[0] == nil {
		if _, isBounded := s.R.(*Bounded); isBounded {
			if _, ok := l.polyOf(s.R); !ok {
				cannot("a slice of what only the run knows")
			}
			return
		}
		if l.pure(s.R) {
			return
		}
		if ix, isIndex := s.R.(*Index); isIndex && !basic(s.R.Type()) { // whether a struct is there
			if at, isSpot := spotOf(ix); isSpot && len(at.inner) == 0 && l.isKernels(at.ix.X) && !isUnsigned64(at.ix.I.Type()) {
				if list, ok := l.piecesOf(&Convert{at.ix.I, intType}); ok {
					l.inPieces(list, func(a piece) { l.checkSpot(at, a.p) })
					return
				}
			}
		}
		if _, isCall := s.R.(*Call); !isCall && elem(s.R.Type()) != "" { // an index that is in range, in _ = a[i]
			l.value(s.R, nil)
			return
		}
		cannot("what is done for its effect")
	}
	switch to := s.L[0].(type) {
	case *VarRef:
		l.assignVar(s, to.V)
	case *Index, *Field:
		if ix, isIndex := to.(*Index); isIndex && l.isOwnArray(ix.X) && basic(ix.T) {
			l.assignWhere(l.kind(ix.T), s.R, l.elementRegister(ix))
			return
		}
		if ix, isIndex := to.(*Index); isIndex {
			if in, ok := l.inTile(ix); ok {
				v := l.value(s.R, nil)
				clear(l.loads)
				for i := range l.parts {
					l.emit(&lir.Instr{Op: lir.Store, Kind: l.kind(ix.T), X: v.at(i), Mem: in.mem(i)})
				}
				return
			}
		}
		place, ok := spotOf(to)
		if !ok {
			cannot("an assignment to a field or through a pointer")
		}
		if reg := l.registerOf(place); reg != nil {
			l.assignWhere(l.kind(place.t), s.R, reg)
			return
		}
		list, inPieces := l.piecesOf(&Convert{place.ix.I, intType})
		// A struct is its fields.
		var places []spot
		var values []operand
		var put func(place spot, e Expr)
		put = func(place spot, e Expr) {
			if isArray(place.t) && len(place.inner) == 0 {
				_, of := numbersIn(place.t)
				for n, x := range l.leaves(e) {
					if x == nil {
						x = &Const{constant.MakeInt64(0), of}
					}
					at := place
					at.offset, at.t = at.offset+int64(n)*lineSizes.Sizeof(of), of
					put(at, x)
				}
				return
			}
			c, ok := e.(*Composite)
			of, isStruct := place.t.Underlying().(*types.Struct)
			if from, isSpot := spotOf(e); isStruct && isSpot && from.t != nil { // a copy of one
				for i := range of.NumFields() {
					f := of.Field(i)
					at := place
					at.offset, at.t = at.offset+offsetOf(of, i), f.Type()
					put(at, &Field{X: e, F: f, T: f.Type(), Name: f.Name()})
				}
				return
			}
			if !ok || !isStruct || len(c.Vals) != of.NumFields() {
				places, values = append(places, place), append(values, l.valueOrBool(e))
				return
			}
			for i := range of.NumFields() {
				f := of.Field(i)
				at := place
				at.offset, at.t = at.offset+offsetOf(of, i), f.Type()
				if c.Keys != nil && c.Keys[i] != f.Name() {
					cannot("a value of type %s", place.t)
				}
				put(at, c.Vals[i])
			}
		}
		put(place, s.R)
		if !inPieces {
			l.scatter(places, values)
			return
		}
		clear(l.loads)
		l.inPieces(list, func(a piece) {
			for i, place := range places {
				at, step := l.element(place, a.p, toStore)
				l.store(place.t, values[i], at, step)
			}
		})
	default:
		cannot("an assignment to a field or through a pointer")
	}
}

// memKind is how elements of a type are in registers and, if that is smaller, in memory.
func (l *lowering) memKind(t types.Type) (k, from lir.Kind) {
	if isBool(t) {
		return lir.I32, lir.U8
	}
	return l.kind(t), smallKind(t)
}

// valueOrBool returns the values of e, or 0 and 1 for a bool.
func (l *lowering) valueOrBool(e Expr) operand {
	if !isBool(e.Type()) {
		return l.value(e, nil)
	}
	m, _ := l.condition(e)
	number := func(n uint64) operand {
		return l.once(fmt.Sprint("c", n, lir.I32), lir.I32, lir.Instr{Op: lir.Const, Imm: n})
	}
	return l.op(lir.Instr{Op: lir.Select, Kind: lir.I32}, nil, m, number(1), number(0))
}

// store puts values into elements.
func (l *lowering) store(t types.Type, x operand, at func(i int) lir.Mem, step int64) {
	k, from := l.memKind(t)
	for i := range l.width() {
		n := &lir.Instr{Op: lir.Store, Kind: k, From: from, X: x.at(i), Mem: at(i), On: l.mask(i)}
		if step != 1 {
			// Rows that are far apart by a power of two share few sets of the cache, where a line is gone before the next round comes back to
			// it. A tile, what is left over from one, and what is done once don't come back.
			if !l.nearby && l.deepest > 0 && len(l.rounds) >= l.deepest && !l.masked && !l.single() && l.checked == 0 {
				l.check(fmt.Sprintf("%s.Spread(%s)", l.b.rt(), l.strideText(at(i))))
			}
			n.Op, n.Y, n.Every = lir.Scatter, l.strides(k), l.every
		}
		l.emit(n)
	}
}

// pure reports whether e is only arithmetic.
func (l *lowering) pure(e Expr) bool {
	ok := true
	walkExpr(e, func(x Expr) {
		switch x.(type) {
		case *Const, *VarRef, *Index3, *Rank:
		default:
			ok = false
		}
	})
	return ok
}

func (l *lowering) assignVar(s *Assign, v *Var) {
	if v.addr || v.common {
		cannot("%s lives elsewhere", v.Name)
	}
	if v.value != nil {
		return
	}
	if s.Def {
		l.born[v] = birth{slices.Clone(l.rounds), len(l.whens), slices.Clone(l.on)}
	}
	if isBool(v.Type) {
		l.assignBool(s, v)
		return
	}
	if isArray(v.Type) && s.Def {
		l.declareArray(v, s.R)
		return
	}
	if isArray(v.Type) && l.arrays[v] != nil {
		l.assignArray(v, s.R)
		return
	}
	if l.isNarrow(v) {
		l.assignNarrow(s, v)
		return
	}
	if (isInteger(v.Type) && wide(v.Type) || l.chosen32[v]) && !l.general[v] {
		if l.driven[v] {
			l.moved(map[*Var]poly{v: l.distances[v]}, number(1))
			return
		}
		if p, ok := l.quotiented(s.R); ok && p.hasQuotient() && (s.Def || l.everywhere() && len(l.whens) == 0 && l.depth[v] == len(l.rounds)) && !v.spread {
			delete(l.ints, v)
			delete(l.pieces, v)
			l.quotients[v] = p
			if s.Def {
				l.depth[v] = len(l.rounds)
			}
			return
		}
		now, ok := l.piecesOf(s.R)
		if !ok {
			panic(errGeneral{v})
		}
		if v.spread || len(l.whens) > 0 && !s.Def && !slices.Contains(l.settling, v) || !s.Def && l.depth[v] != len(l.rounds) {
			panic(errGeneral{v})
		}
		if s.Def {
			l.depth[v] = len(l.rounds)
		} else if !l.everywhere() && !(slices.Contains(l.settling, v) && l.sinceBirth(v)) {
			old, known := l.pieces[v]
			if p, ok := l.ints[v]; ok {
				old, known = []piece{{p: p}}, true
			}
			if !known {
				panic(errGeneral{v})
			}
			now = l.partly(old, now)
		}
		l.assignPieces(v, now)
		return
	}
	if slices.Contains(l.settling, v) {
		if list, ok := l.piecesOf(s.R); ok && l.sinceBirth(v) {
			l.assignPieces(v, list)
			return
		}
	}
	delete(l.ints, v)
	delete(l.pieces, v)
	if s.Def && has32(v.Type) && l.often[v] == 1 && !v.spread {
		p, ok := l.quotiented(s.R)
		if _, isConst := p.constant(); ok && !p.hashes() && (isConst || !p.ofRow()) {
			if p.hasQuotient() {
				l.quotients[v] = p
			} else {
				l.ints[v] = p
			}
			l.depth[v] = len(l.rounds)
			return
		}
		if list, ok := l.piecesOf(s.R); ok && len(list) > 1 {
			l.pieces[v], l.depth[v] = list, len(l.rounds)
			return
		}
	}
	if l.values[v] == nil {
		if !s.Def {
			cannot("%s is not defined here", v.Name)
		}
		if l.often[v] == 1 && !v.spread {
			// It is a name for its value.
			if x := l.value(s.R, nil); !slices.ContainsFunc(x, func(y lir.Value) bool { return l.mutable[y] }) {
				l.values[v] = x
				return
			}
		}
		l.values[v] = l.variable(v)
	}
	delete(l.starts, v)
	if s.Def && l.counters[v] {
		if p, ok := l.polyOf(&Convert{s.R, intType}); ok {
			l.starts[v] = p
		}
	}
	to := l.values[v]
	if s.Def || l.everywhere() {
		l.value(s.R, to)
		return
	}
	l.assignWhere(l.kind(v.Type), s.R, to)
}

// assignWhere makes registers what e is, for the threads that are on.
func (l *lowering) assignWhere(k lir.Kind, e Expr, to operand) {
	if l.everywhere() {
		l.value(e, to)
		return
	}
	x := l.value(e, nil)
	for p := range to {
		l.emit(&lir.Instr{Op: lir.Select, Kind: k, Dst: to[p], X: l.on.at(p), Y: x.at(p), Z: to[p]})
	}
}

func (l *lowering) branch(s *If) {
	// What all threads agree on comes first, if there is nothing else to do where it does not hold.
	var agreed []lir.Scalar
	var texts []string
	var rest []Expr
	var known []fact
	var held []string // what is known before, without a place in texts
	in := lanes{exact: true}
	for _, c := range terms(s.Cond) {
		if holds, known := l.decided(c); known && holds {
			continue
		} else if known && len(rest) == 0 {
			l.stmts(s.Else)
			return
		}
		conds, text, rows, ok := l.agreed(c)
		if !ok {
			rest = append(rest, c)
			continue
		}
		agreed, texts, in = append(agreed, conds...), append(texts, text...), overlap(in, rows)
		if text == nil {
			held = append(held, l.heldBefore(c)...)
		}
		known = append(known, l.factsOf(c)...)
	}
	if len(rest)+len(agreed) == 0 {
		l.stmts(s.Then)
		return
	}
	if len(rest) == 0 && len(texts) == len(agreed) {
		if l.flagged(s, joined(texts)) {
			return
		}
		// What is assigned to integers behind all else is a branch of its own.
		n := len(s.Then)
		for n > 0 && l.assignsInts(s.Then[n-1]) {
			if _, ok := s.Then[n-1].(*Assign); !ok {
				break
			}
			n--
		}
		if len(s.Else) == 0 && 0 < n && n < len(s.Then) && !l.assignsInts(s.Then[:n]...) {
			l.branch(&If{Cond: s.Cond, Then: s.Then[:n], Pos: s.Pos})
			l.branch(&If{Cond: s.Cond, Then: s.Then[n:], Pos: s.Pos})
			return
		}
	}
	if len(agreed) > 0 && (len(rest) == 0 || len(s.Else) == 0) && !l.assignsInts(s) {
		var other []fact
		if len(rest) == 0 {
			other = l.factsOf(not(s.Cond))
		}
		l.held = held
		l.together(agreed, texts, in, known, func() {
			if len(rest) == 0 {
				l.stmts(s.Then)
			} else {
				l.maskedBranch(conjunction(rest), s.Then, nil)
			}
		}, other, func() { l.stmts(s.Else) })
		return
	}
	// The slow path of a helper, as for huge angles, is left to plain Go.
	slow, otherwise := callsOut(s.Then), callsOut(s.Else)
	if slow != otherwise {
		m, _ := l.condition(s.Cond)
		rest, facts := s.Else, l.factsOf(not(s.Cond))
		if otherwise {
			m, rest, facts = l.not(m), s.Then, l.factsOf(s.Cond)
		}
		l.leaveWhere(l.joined(m, l.on))
		l.given(facts, func() { l.stmts(rest) })
		return
	}
	l.maskedBranch(s.Cond, s.Then, s.Else)
}

// heldBefore is what says whether e, a comparison of integers that all threads agree on, holds, where that is known before the nest is entered.
func (l *lowering) heldBefore(e Expr) (texts []string) {
	d, op, ok := l.difference(e)
	if !ok || op == token.NEQ {
		return nil
	}
	for _, p := range positive(d, op) {
		if p.ofRow() {
			texts = append(texts, "("+l.syms.text(p)+" > 0)")
		}
	}
	return texts
}

// callsOut reports whether statements call a func that is not translated, and has no vectors.
func callsOut(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool {
		found := false
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				if c, ok := x.(*Call); ok && c.Fn != nil && c.Name != devicePath+".Fmaf" {
					pkg, _, _ := strings.Cut(c.Name, ".")
					found = found || pkg != "math" && pkg != "math/bits"
				}
			})
		})
		return found
	})
}

// flagged lowers a branch that only assigns integers, by a condition that is known before the nest is entered: they are what they were, and
// the difference if it holds.
func (l *lowering) flagged(s *If, cond string) bool {
	if len(s.Else) > 0 || len(s.Then) == 0 || l.lanes.rowFrom+l.lanes.rowTo != "" || !l.everywhere() || len(l.whens) > 0 {
		return false
	}
	now := map[*Var]poly{}
	for _, x := range s.Then {
		a, ok := x.(*Assign)
		if !ok || a.Def || len(a.L) != 1 {
			return false
		}
		r, ok := a.L[0].(*VarRef)
		if !ok || l.ints[r.V] == nil || l.depth[r.V] != len(l.rounds) || l.driven[r.V] || now[r.V] != nil {
			return false
		}
		p, ok := l.polyOf(a.R)
		for v := range now {
			ok = ok && !mentions(a.R, v)
		}
		if !ok {
			return false
		}
		now[r.V] = p
	}
	flag := l.syms.row(fmt.Sprintf("%s.Bit(%s)", l.b.rt(), cond))
	for v, p := range now {
		by := p.plus(l.ints[v], -1).times(flag)
		if by.degree() > 3 {
			return false
		}
		now[v] = l.ints[v].plus(by, 1)
	}
	maps.Copy(l.ints, now)
	return true
}

// assignsInts reports whether statements assign an integer that is declared before them.
func (l *lowering) assignsInts(list ...Stmt) bool {
	found := false
	walk(list, func(x Stmt) {
		a, ok := x.(*Assign)
		if !ok {
			return
		}
		for _, to := range a.L {
			if v, _ := assigned(to); v != nil && (l.ints[v] != nil || l.pieces[v] != nil || l.quotients[v] != nil) {
				found = true
			}
		}
	})
	return found
}

// when lowers a branch that all threads take together. texts are Go for the conditions that are known before the nest is entered.
func (l *lowering) when(conds []lir.Scalar, texts []string, then, otherwise func()) {
	w := &lir.When{Conds: conds}
	outer, loads := l.list, l.loads
	before, held := len(l.whens), l.held
	l.held = nil
	for i, do := range []func(){then, otherwise} {
		var nodes []lir.Node
		l.list, l.loads = &nodes, map[string]operand{}
		if i == 0 {
			l.whens = append(append(l.whens, texts...), held...)
		} else if len(texts) == len(conds) {
			l.whens = append(l.whens, "!("+joined(texts)+")")
		} else {
			l.whens = append(l.whens, "true")
		}
		do()
		l.whens = l.whens[:before]
		if i == 0 {
			w.Then = nodes
		} else {
			w.Else = nodes
		}
	}
	l.list, l.loads = outer, loads
	clear(l.loads)
	l.emitNode(w)
}

// maskedBranch lowers a branch that only some threads may take: both sides are done, each with a mask.
func (l *lowering) maskedBranch(cond Expr, then, otherwise []Stmt) {
	if !l.splitting && l.agreeing(cond, then, otherwise) {
		return
	}
	l.splitting = false
	on, lanesBefore := l.on, l.lanes
	m, within := l.condition(cond)
	l.given(l.factsOf(cond), func() { l.side(l.joined(on, m), l.narrow(within), then) })
	l.lanes = lanesBefore
	if len(otherwise) > 0 {
		l.given(l.factsOf(not(cond)), func() { l.side(l.without(on, m), l.narrow(within.other()), otherwise) })
	}
	l.on, l.lanes = on, lanesBefore
	clear(l.loads)
}

// side lowers a side of a branch, which the threads of a mask take.
func (l *lowering) side(on operand, in lanes, list []Stmt) {
	if l.isNone(on) {
		return
	}
	if l.isAll(on) {
		on = nil
	}
	l.on, l.lanes = on, in
	clear(l.loads)
	l.whereAny(list)
}

// invariant reports whether what a loop computes before each round is integers that are the same in all rounds, and makes them known.
func (l *lowering) invariant(pre []Stmt) bool {
	known := map[*Var]poly{}
	for _, x := range pre {
		a, ok := x.(*Assign)
		if !ok || len(a.L) != 1 || a.L[0] == nil {
			return false
		}
		v, whole := assigned(a.L[0])
		if v == nil || !whole || l.often[v] != 1 || v.addr || v.spread || v.common || !isInteger(v.Type) || !wide(v.Type) || !l.ofRow(a.R) {
			return false
		}
		p, ok := l.polyOf(a.R)
		if !ok {
			return false
		}
		known[v] = p
	}
	maps.Copy(l.ints, known)
	return true
}

// countedBy returns the counter of a loop that counts, with something added, to a limit in steps of a constant.
func countedBy(s *For) (i *Var, step, added int64, ok bool) {
	if s.breaks || len(s.Post) != 1 || s.Cond == nil {
		return nil, 0, 0, false
	}
	cond, isBin := s.Cond.(*Binary)
	post, isAssign := s.Post[0].(*Assign)
	if !isBin || !isAssign || len(post.L) != 1 || post.L[0] == nil {
		return nil, 0, 0, false
	}
	i, whole := assigned(post.L[0])
	sum, isSum := post.R.(*Binary)
	if i == nil || !whole || !isSum || sum.Op != token.ADD && sum.Op != token.SUB || i.addr || i.spread || i.common || !isInteger(i.Type) || unsigned(i.Type) && !has32(i.Type) ||
		assignedIn(&Block{Body: s.Body})[i] {
		return nil, 0, 0, false
	}
	if x, ok := sum.X.(*VarRef); !ok || x.V != i {
		return nil, 0, 0, false
	}
	left := cond.X
	if plus, isPlus := left.(*Binary); isPlus && (plus.Op == token.ADD || plus.Op == token.SUB) {
		if added, ok = constInt(plus.Y); !ok || added < -1<<20 || added > 1<<20 {
			return nil, 0, 0, false
		}
		if plus.Op == token.SUB {
			added = -added
		}
		left = plus.X
	}
	if x, ok := left.(*VarRef); !ok || x.V != i {
		return nil, 0, 0, false
	}
	n, ok := constInt(sum.Y)
	if !ok || n <= 0 || n > 1<<10 {
		return nil, 0, 0, false
	}
	if sum.Op == token.SUB {
		n = -n
	}
	if unsigned(i.Type) && (added < 0 || n < -1 || n == -1 && cond.Op != token.GTR) { // it may wrap around
		return nil, 0, 0, false
	}
	return i, n, added, true
}

// whereAny lowers statements that only some threads do. If they take long they are left out where no thread of the strip does them; but not if they
// assign integers, which are told apart by masks from there on.
func (l *lowering) whereAny(list []Stmt) {
	outer, on, always := l.list, slices.Clone(l.on), l.assignsInts(list...)
	var nodes []lir.Node
	l.list = &nodes
	l.stmts(list)
	l.list = outer
	work := 0
	for _, x := range nodes {
		n, ok := x.(*lir.Instr)
		if !ok {
			work += mostSelected
			continue
		}
		switch n.Op {
		case lir.Gather, lir.Scatter, lir.Div, lir.Sqrt:
			work += 8
		default:
			work++
		}
	}
	if on == nil || always || work < mostSelected && !l.single() {
		*l.list = append(*l.list, nodes...)
		return
	}
	l.emitNode(&lir.When{Any: slices.Compact(on), Then: nodes})
}

// mostSelected is how many instructions are done for nothing rather than jumped over.
const mostSelected = 8

func (l *lowering) loop(s *For) {
	if l.strided(s) {
		return
	}
	whole := s
	s, limits := oneLimit(s)
	i, step, added, ok := countedBy(s)
	if !ok || !l.invariant(s.Pre) {
		l.divergent(whole)
		return
	}
	cond := s.Cond.(*Binary)
	start, okStart := l.ints[i]
	if !okStart {
		start, okStart = l.starts[i]
	}
	limit, okLimit := l.polyOf(&Convert{cond.Y, intType})
	if !okStart || !okLimit {
		l.divergent(whole)
		return
	}
	if unsigned(i.Type) && step > 0 { // what is larger may wrap around
		if !limit.ofRow() {
			l.divergent(whole)
			return
		}
		l.check(l.syms.text(limit) + " < 1<<31-1<<10")
	}
	limit = limit.plus(number(added), -1)
	if !l.unwrapped(limit, start) {
		l.divergent(s)
		return
	}
	var count poly
	switch {
	case step > 0 && (cond.Op == token.LSS || cond.Op == token.LEQ):
		count = limit.plus(start, -1)
	case step < 0 && (cond.Op == token.GTR || cond.Op == token.GEQ):
		count = start.plus(limit, -1)
	case (step == 1 || step == -1) && cond.Op == token.NEQ && len(limits) == 0 && limit.plus(start, -1).ofRow():
		count = limit.plus(start, -1).times(number(step))
		l.small(count, 0)
		l.check(l.syms.text(count) + " >= 0") // or it goes round until the counter wraps around
	default:
		l.divergent(whole)
		return
	}
	if cond.Op == token.LEQ || cond.Op == token.GEQ {
		count = count.plus(number(1), 1)
	}
	if len(limits) > 0 {
		if count, ok = l.leastCount(s, i, start, step, count, limits); !ok {
			l.divergent(whole)
			return
		}
	}
	if l.unrolled(s, i, start, step, count) {
		return
	}
	if s.continues {
		cannot("a loop whose rounds threads break off")
	}
	r := &round{symbol: l.syms.round(), moved: map[int]bool{}}
	on, lanesBefore := l.on, l.lanes
	var trips lir.Scalar
	if count.ofRow() {
		l.small(count, 0)
		text := l.syms.text(count)
		if n := max(step, -step); n > 1 {
			text = fmt.Sprintf("(%s + %d)/%d", text, n-1, n)
		}
		r.trips = l.local("trips", text)
		trips = lir.Scalar{Off: l.arg("int", r.trips)}
	} else {
		if step != 1 && step != -1 {
			cannot("a loop in steps whose rounds depend on another one")
		}
		if count.has(rowSymbol) && l.jam > 1 {
			cannot("a loop whose rounds depend on the row")
		}
		_, hi := l.hull(count)
		r.trips, r.count = l.local("trips", hi), count
		along, rest, ok := count.by(laneSymbol)
		n, isConst := along.constant()
		if !ok || !isConst {
			cannot("a loop whose rounds depend on the thread")
		}
		if n != 0 {
			if n != 1 && n != -1 {
				cannot("a loop whose rounds depend on the thread")
			}
			// It goes round as often as the thread needs that goes round most often.
			last := "‹hi›-1"
			if n < 0 {
				last = "‹lo›"
			}
			rest = rest.plus(l.syms.row("("+last+")").times(number(n)), 1)
		}
		trips = l.scalar(rest, 0)
	}
	l.check(fmt.Sprintf("%s < 1<<28", r.trips))
	r.loop = &lir.Loop{Trips: trips}
	l.texts(r.loop, r.trips)
	moving := l.moving(s, i)
	l.generalize(s, func(v *Var) bool { _, moves := moving[v]; return moves || v == i })
	driven, distances := l.driven, l.distances
	l.driven, l.distances = maps.Clone(driven), maps.Clone(distances)
	if l.driven == nil {
		l.driven, l.distances = map[*Var]bool{}, map[*Var]poly{}
	}
	for v, d := range moving {
		l.driven[v], l.distances[v] = true, d
	}
	ints, pieces, quotients := maps.Clone(l.ints), maps.Clone(l.pieces), maps.Clone(l.quotients)
	l.moved(moving, poly{r.symbol: 1})
	l.ints[i] = start.plus(poly{r.symbol: step}, 1)
	list := l.promotable(s, r.symbol)
	if count.has(laneSymbol) && len(list) > 0 || len(moving) > 0 {
		list = nil
	}
	sums := l.acrossLanes(s, i, r, count, list, len(moving) > 0)
	var tiles []tile
	if sums == nil {
		tiles = l.tileable(s, r, count, list, len(moving) > 0)
	}
	l.around(list, r, func() {
		if sums != nil {
			l.summed(s, i, start, step, r, sums)
			return
		}
		if len(tiles) > 0 {
			l.tiled(s, i, start, step, r, tiles)
			return
		}
		l.rounded(s, i, start, step, r, func() {
			if !count.has(laneSymbol) {
				return
			}
			if _, rest, _ := count.by(laneSymbol); rest.ofRow() {
				_, in := l.interval(count, token.GTR) // of those that have a round
				l.lanes = l.narrow(in)
			}
			m, _ := l.interval(count.plus(poly{r.symbol: 1}, -1), token.GTR)
			l.on = l.joined(on, m)
		})
	})
	l.on, l.lanes = on, lanesBefore
	l.driven, l.distances = driven, distances
	l.ints, l.pieces, l.quotients = ints, pieces, quotients
	if count.ofRow() {
		l.moved(moving, l.syms.row(fmt.Sprintf("max(%s, 0)", r.trips)))
	} else {
		for v := range moving { // they are known in the loop only
			delete(l.ints, v)
			delete(l.pieces, v)
		}
	}
	delete(l.ints, i) // it is known in the loop only
	delete(l.starts, i)
	delete(l.values, i)
	if count.ofRow() && l.bornHere(i) {
		// But where the threads that go round are those that declared it: what is left of an unrolled loop goes on from there.
		l.ints[i] = start.plus(l.syms.row(fmt.Sprintf("max(%s, 0)", r.trips)).times(number(step)), 1)
		l.depth[i] = len(l.rounds)
	}
}

// oneLimit returns a loop with several limits, as in for i < n && j < m, with the first of them that is one of a counter, and the others. What else the
// loop does behind its body is in the body then.
func oneLimit(s *For) (*For, []Expr) {
	if s.Cond == nil || s.continues || s.breaks {
		return s, nil
	}
	limits := terms(s.Cond)
	if len(limits) == 1 || slices.ContainsFunc(limits, func(e Expr) bool { return mayPanic(e) || loads(e) }) {
		return s, nil
	}
	for n, limit := range limits {
		for k, post := range s.Post {
			one := *s
			one.Cond, one.Post = limit, []Stmt{post}
			one.Body = slices.Concat(s.Body, s.Post[:k], s.Post[k+1:])
			i, _, _, ok := countedBy(&one)
			if !ok {
				continue
			}
			if u := useOf(slices.Concat(s.Post[:k], s.Post[k+1:])); !u.read[i] && !u.written[i] {
				return &one, slices.Concat(limits[:n], limits[n+1:])
			}
		}
	}
	return s, nil
}

// leastCount returns the count of a loop that has other limits besides, each of a number that is further on by the same in each round.
func (l *lowering) leastCount(s *For, i *Var, start poly, step int64, count poly, limits []Expr) (poly, bool) {
	if !count.ofRow() {
		return nil, false
	}
	by := max(step, -step)
	rounds := func(count poly, by int64) string {
		l.small(count, 0)
		return fmt.Sprintf("(%s + %d)/%d", l.syms.text(count), by-1, by)
	}
	least := []string{rounds(count, by)}
	ints, pieces := maps.Clone(l.ints), maps.Clone(l.pieces)
	defer func() { l.ints, l.pieces = ints, pieces }()
	round := l.syms.round()
	l.moved(l.moving(s, i), poly{round: 1})
	l.ints[i] = start.plus(poly{round: step}, 1)
	for _, e := range limits {
		d, op, ok := l.difference(e)
		if !ok || op != token.LSS && op != token.LEQ && op != token.GTR && op != token.GEQ {
			return nil, false
		}
		for v := range assignedIn(&Block{Body: s.Body}) {
			if _, known := l.ints[v]; mentions(e, v) && (!known || l.moving(s, i)[v] == nil) {
				return nil, false
			}
		}
		for _, p := range positive(d, op) {
			along, rest, ok := p.by(round)
			n, isConst := along.constant()
			if !ok || !isConst || n >= 0 || n < -1<<10 || !rest.ofRow() {
				return nil, false
			}
			least = append(least, rounds(rest, -n))
		}
	}
	return l.syms.row(l.local("rounds", "min("+strings.Join(least, ", ")+")")).times(number(by)), true
}

// bornHere reports whether the threads that are on are those that declared a variable, in the same round and branch.
func (l *lowering) bornHere(v *Var) bool {
	b, ok := l.born[v]
	return ok && slices.Equal(b.rounds, l.rounds) && b.whens == len(l.whens) && slices.Equal(b.on, l.on)
}

// sinceBirth reports whether the threads that are on are those that declared a variable, in the same round.
func (l *lowering) sinceBirth(v *Var) bool {
	b, ok := l.born[v]
	return l.everywhere() || ok && slices.Equal(b.rounds, l.rounds) && slices.Equal(b.on, l.on)
}

// rounded lowers the body of a loop with the counter i, behind what begin does.
func (l *lowering) rounded(s *For, i *Var, start poly, step int64, r *round, begin func()) {
	l.roundedFrom(s, i, start.plus(poly{r.symbol: step}, 1), r, begin)
}

// roundedFrom lowers it with a counter that is this in each round.
func (l *lowering) roundedFrom(s *For, i *Var, counter poly, r *round, begin func()) {
	var nodes []lir.Node
	outer := l.list
	l.list = &nodes
	clear(l.loads)
	l.rounds = append(l.rounds, r)
	delete(l.values, i)
	delete(l.starts, i)
	l.ints[i] = counter
	around := l.on
	begin()
	l.on = l.staying(s, l.on)
	if l.single() && !slices.Equal(around, l.on) {
		l.whereAny(s.Body)
	} else {
		l.stmts(s.Body)
	}
	l.rounds = l.rounds[:len(l.rounds)-1]
	r.loop.Body = nodes
	l.list = outer
	clear(l.loads)
	l.emitNode(r.loop)
}

// loopDepth is how many loops are around the statement that is in most of them.
func loopDepth(list []Stmt) int {
	most := 0
	for _, s := range list {
		own := 0
		if _, ok := s.(*For); ok {
			own = 1
		}
		substmts(s, func(l []Stmt) { most = max(most, own+loopDepth(l)) })
	}
	return most
}

// statementName says what a statement is that has no nest.
func statementName(s Stmt) string {
	switch s.(type) {
	case *Do:
		return "a call for its effect that is no atomic operation on an element"
	case *Block, *Exit:
		return "a branch that leaves a block or a loop"
	case *Panic:
		return "a panic"
	}
	return "a statement that is neither an assignment, a branch nor a loop"
}
