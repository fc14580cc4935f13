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

// Lowering: from the statements of a region to a loop nest over a strip of its threads. The strip
// is part of a row, or of a plane, whose rows are then a loop of the nest. Several rows of a plane
// are jammed into the loops of the threads (unroll-and-jam; Callahan, Cocke and Kennedy, 1988) and
// share values that are the same in all of them. Integers are polynomials wherever possible; their
// values at the beginning of a row or plane are arguments of the nest. All indices are checked
// before the nest is entered, for all threads and all iterations: if an index could be out of
// range, the row or plane runs in plain Go, which panics in the right thread.

// errNest is the reason why a region has no nest.
type errNest struct{ why string }

func (e errNest) Error() string { return e.why }

// errGeneral reports an integer that is not affine, so that it must be held in 64-bit lanes.
type errGeneral struct{ v *Var }

func (e errGeneral) Error() string { return fmt.Sprintf("the integer %s is not affine", e.v.Name) }

// errWide reports that a nest needs larger values than the size it is built for.
var errWide = errNest{"values of 8 bytes"}

func cannot(format string, args ...any) { panic(errNest{fmt.Sprintf(format, args...)}) }

// An operand is the vectors that hold a value: one for each part of each jammed row, row by row; or
// one for each part, if all rows have the same value; or a single one.
type operand []lir.Value

func (o operand) at(i int) lir.Value { return o[i%len(o)] }

// A nestShape says which threads one pass through the nest executes.
type nestShape struct {
	plane   bool // the nest loops over the rows of a plane
	swap    bool // vectors are along threadIdx.y, and rows along threadIdx.x
	parts   int  // the number of vectors along a row
	jam     int  // the number of jammed rows
	masked  bool // some threads of the strip may be inactive
	late    bool // constants and arguments are loaded at their uses
	lean    bool // with more than one vector, few values may be spilled
	deep    bool // see lir.Nest
	inner   bool // conditions at edges hold for all threads of the strip; see inside
	guarded bool // with inner: but only conditions that differ from block to block hold
	warps   bool // a row is a warp; see warpnests.go
	vectors
}

// vectors says what the vectors of a machine are like.
type vectors struct {
	lanes int // the number of lanes of a vector
	temps int // the number of vectors that the steps of a tile need as temporaries
	// the most pointers in a loop of sums across lanes; 0 if the machine does not support such
	// loops
	totals int
}

// A birth is the place of a variable's declaration: the enclosing loops and branches, and the
// active threads.
type birth struct {
	rounds []*round
	whens  int
	on     operand
	arm    bool // the registers are those of an arm of a branch, in which no thread leaves a loop
}

// A lowering builds one nest.
type lowering struct {
	*row
	nestShape
	b         *body
	n         *lir.Nest
	born      map[*Var]birth
	list      *[]lir.Node
	ints      map[*Var]poly
	pieces    map[*Var][]piece
	arrays    map[*Var][]operand // the elements of each thread's own arrays
	integers  map[*Var][]poly    // likewise, of those that are integers and don't change
	quotients map[*Var]poly      // integers computed from quotients
	divisions []quotient         // indexed by the numbers of their symbols
	counters  map[*Var]bool      // variables that loop conditions compare
	starts    map[*Var]poly      // the initial values of 32-bit ones among the counters
	values    map[*Var]operand
	mutable   map[lir.Value]bool // values that are registers of variables, so that they may change
	assigned  map[*Var]bool
	often     map[*Var]int  // the number of assignments
	chosen32  map[*Var]bool // see chosenIndices
	driven    map[*Var]bool // integers that enclosing loops advance
	distances map[*Var]poly // the amounts by which an iteration advances them
	ties      map[*Var]tie  // what follows the counters of enclosing loops
	rounds    []*round
	rowRound  *round  // the loop over rows
	rowBegin  poly    // its first row
	on        operand // the mask of active threads; nil if all are active
	lanes     lanes
	// an element that all threads of a row have in common is loaded under a mask, by lanes of their own; see choice
	laneByLane bool
	// vectors of the index of a thread ^ a uniform integer, with a Go expression for whether those of strips are runs
	// of elements in another order
	swaps     map[lir.Value]string
	only      poly  // the index of the only thread that executes a branch; see oneThread
	guard     *box  // in a form for strips whose guards have masks: the threads that the guard lets pass
	sure      lanes // the threads selected by uniform branches only, without masks
	consts    map[string]lir.Value
	intervals map[lir.Value]bool  // masks whose active lanes are those of an interval
	spans     map[lir.Value]span  // masks of intervals
	alike     map[lir.Value]alike // masks that are the same in all lanes
	loads     map[string]operand
	wider     map[string]operand // masks of which others are parts
	nearBegin bool               // see expects
	groups    map[string]int
	first     []lir.Node // constants and arguments, loaded at the beginning of the nest
	promoted  []*promoted
	definite  []string          // the keys of elements that the threads which are active here have stored
	written   []written         // those stores
	tiles     map[string]inTile // the positions of elements that are in tiles, by slice and index
	across    *across           // the loop whose vectors hold iterations, while that loop is lowered
	frame     int               // the bytes of the frame that tiles occupy
	region    []Stmt            // the statements of the whole nest
	every     int               // the stride of the last elements, as in lir.Instr
	facts     []fact            // facts about the active threads
	sureFacts []fact            // the facts that hold whatever the mask is
	quiet     int               // positive while integers are only analysed, so that no checks are added
	checked   int               // positive while another part of the compiler adds the bounds checks
	leaving   *departing        // the innermost enclosing loop that threads leave one by one
	left      int               // the number of breaks so far
	counts    map[*Var]counted
	stride    int  // the argument that holds the stride of the last elements
	nearby    bool // that stride is a small constant
	deepest   int  // the depth of the deepest loop
	depth     map[*Var]int
	whens     []string
	held      []string           // further conditions of the branch that is about to begin
	bounded   bool               // the current condition has a lower and an upper bound of threads
	fitting   map[*Var]bool      // whether integers can be narrow
	widest    map[*Var]int       // the number of bits of the integers that they are computed from
	bounds    map[*Var][]string  // bounds of narrow integers, as Go expressions of type float64
	numbered  []*Var             // those whose bounds the nest has, in this order
	by        map[*Var][]fact    // the facts for which copies of the rest of a block hold such a value
	settling  []*Var             // integers that copies of the rest of a block hold as known values
	splitting bool               // the branch that is about to begin has been duplicated already
	expanded  map[*Var]valuePoly // see expansion
	// an upper bound of the number of copies of the current code; 0 stands for one
	copies  int
	special bool // the nest depends on what the machine's vectors are like
}

// A round is a loop that encloses the code being lowered.
type round struct {
	symbol string
	trips  string // an upper bound of the trip count, in Go
	count  poly   // the trip count, if it depends on the thread, the row or another loop
	loop   *lir.Loop
	moved  map[int]bool
	idle   int64 // during bounds of indices: the number of leading iterations that are not counted
	// For a strided loop: the initial value, the step and the limit of the counter; and in first
	// the initial value of the loop before, of which this loop executes the remaining iterations.
	start, step, end, first poly
}

// width is the number of vectors of an operand that differs between vectors and rows.
func (l *lowering) width() int { return l.parts * l.jam }

// single reports whether a vector has one lane, as in plain Go.
func (l *lowering) single() bool { return l.vectors.lanes == 1 }

// ofMachine returns what the vectors are like. A nest that depends on that is for this machine alone.
func (l *lowering) ofMachine() vectors {
	l.special = true
	return l.vectors
}

// A lowered is a nest that lower has built, or the reason why there is none, with the checks that it
// added to those of the row.
type lowered struct {
	n      *lir.Nest
	err    error
	checks []string
}

// A loweredAs is what a nest depends on beside its statements. Of what the vectors are like, it has
// whether they are vectors at all; and all of it for nests that depend on it.
type loweredAs struct {
	size                int
	shape               nestShape
	plain               bool
	checksFirst, faults bool
}

// lower builds the nest of a region. Machines share nests, so nobody may change a nest other than in
// a copy.
func (b *body) lower(r *row, stmts []Stmt, size int, shape nestShape) (*lir.Nest, error) {
	own := loweredAs{size, shape, shape.lanes == 1, r.checksFirst, r.faults}
	shared := own
	shared.shape.vectors = vectors{}
	for _, as := range []loweredAs{own, shared} {
		if have, ok := r.lowered[as]; ok {
			for _, text := range have.checks {
				r.check(text)
			}
			return have.nest(), have.err
		}
	}
	before := len(r.checks)
	n, special, err := b.lowerAnew(r, stmts, size, shape)
	have := lowered{n, err, slices.Clone(r.checks[before:])}
	if special {
		shared = own
	}
	if r.lowered == nil {
		r.lowered = map[loweredAs]lowered{}
	}
	r.lowered[shared] = have
	return have.nest(), err
}

// nest returns the nest, with fields of its own.
func (l lowered) nest() *lir.Nest {
	if l.n == nil {
		return nil
	}
	n := *l.n
	return &n
}

func (b *body) lowerAnew(r *row, stmts []Stmt, size int, shape nestShape) (n *lir.Nest, special bool, err error) {
	l := b.newLowering(r, stmts, size, shape)
	defer func() { special = l.special }()
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
		lir.Number(l.n, l.n.Late)
		lir.DropChecks(l.n)
		r.checkFirst(b, l.n)
	}
	if !l.single() && !b.off("words") && l.words() {
		b.k.works("words")
	}
	if err := b.finish(l.n, shape); err != nil {
		return nil, false, err
	}
	return l.n, false, nil
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

// forget resets what the lowering knows about variables.
func (l *lowering) forget() {
	l.ints, l.values, l.starts = map[*Var]poly{}, map[*Var]operand{}, map[*Var]poly{}
	l.loads, l.depth, l.pieces, l.quotients = map[string]operand{}, map[*Var]int{}, map[*Var][]piece{}, map[*Var]poly{}
	l.arrays, l.by = map[*Var][]operand{}, map[*Var][]fact{}
	l.integers = map[*Var][]poly{}
	l.born = map[*Var]birth{}
	l.spans, l.alike = map[lir.Value]span{}, map[lir.Value]alike{}
	l.on, l.leaving, l.counts, l.wider = nil, nil, map[*Var]counted{}, map[string]operand{}
	l.lanes, l.sure = lanes{exact: true}, lanes{exact: true}
	if l.masked {
		l.on = operand{l.n.Lanes}
	}
}

// rowLoop lowers the loop over rows, l.jam of them per iteration, beginning with the row begin.
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

// strip lowers the statements of a strip of threads, in one row or in jammed rows.
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

func (l *lowering) emit(i *lir.Instr) {
	l.noteInterval(i)
	*l.list = append(*l.list, i)
}

// mask returns the mask of vector i, or 0 if all lanes are active.
func (l *lowering) mask(i int) lir.Value {
	if l.on == nil {
		return 0
	}
	if v := l.on.at(i); v != l.consts["all"] {
		return v
	}
	return 0
}

// everywhere reports whether all threads of the strip are active.
func (l *lowering) everywhere() bool { return l.isAll(l.on) || l.masked && l.on[0] == l.n.Lanes }

// kind returns the kind of the registers that hold values of type t.
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

// smallKind returns the kind in memory of an integer type of 8 or 16 bits, and lir.None for other
// types.
func smallKind(t types.Type) lir.Kind {
	return map[string]lir.Kind{"U8": lir.U8, "I8": lir.I8, "U16": lir.U16, "I16": lir.I16}[elem(t)]
}

// variable makes the registers of a variable.
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
	defer func(definite []string) { l.definite = definite }(l.definite)
	for i, s := range list {
		left := l.left
		switch s := s.(type) {
		case *Assign:
			if !l.isClipped(s, list[i+1:]) && !l.endsWindows(s, list[i+1:]) && l.settleLimit(s, list[i+1:]) {
				return
			}
			from := len(*l.list)
			l.assign(s)
			l.hasStored(s, from)
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
					// the final value differs between threads that left the loop in different
					// iterations
					delete(l.ints, counter)
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
		// threads that have left do not execute the following statements
		if l.left != left && l.leaving != nil {
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
		if x, isElement := s.R.(*Index); isElement && isSlice(x.T) && l.isSteady(x) {
			l.safe(l.expand(x))
			return
		}
		if x, isElement := s.R.(*Index); isElement && isSlice(x.T) {
			if row := l.inRows(x); row != nil {
				l.checkRow(row)
				return
			}
		}
		if _, isBounded := s.R.(*Bounded); isBounded {
			if _, ok := l.polyOf(s.R); !ok {
				cannot("a slice of what only the run knows")
			}
			return
		}
		if l.pure(s.R) {
			return
		}
		// a dereference of a struct, for its check only
		if ix, isIndex := s.R.(*Index); isIndex && !basic(s.R.Type()) {
			if at, isSpot := spotOf(ix); isSpot && len(at.inner) == 0 && l.isKernels(at.ix.X) && !isUnsigned64(at.ix.I.Type()) {
				if list, ok := l.piecesOf(&Convert{at.ix.I, intType}); ok {
					l.inPieces(list, func(a piece) { l.checkSpot(at, a.p) })
					return
				}
			}
		}
		// the bounds check of an element, as in _ = a[i]
		if _, isCall := s.R.(*Call); !isCall && elem(s.R.Type()) != "" {
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
			l.hasAssigned(reg)
			return
		}
		list, which, inPieces := l.choices(place)
		inPieces = inPieces && which != 0
		// An assignment of a struct is one assignment per field.
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
			of, isStruct := structUnder(place.t)
			// a copy of a struct in memory
			if from, isSpot := spotOf(e); isStruct && isSpot && from.t != nil {
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
				p := a.p
				if which > 0 {
					place = place.chosen(l, which, p)
					p, _ = l.polyOf(&Convert{place.ix.I, intType})
				}
				at, step := l.element(place, p, toStore)
				l.store(place.t, values[i], at, step)
				if k, from := l.memKind(place.t); len(list) == 1 && len(places) == 1 && step != 0 && from == lir.None && !l.changes(values[i]) {
					l.loads[l.loadKey(place, l.placeInArrays(place, p), k)] = values[i] // store-to-load forwarding
				}
			}
		})
	default:
		cannot("an assignment to a field or through a pointer")
	}
}

// changes reports whether an operand is in registers of variables.
func (l *lowering) changes(o operand) bool {
	return slices.ContainsFunc(o, func(v lir.Value) bool { return l.mutable[v] })
}

// memKind returns the kind of elements of type t in registers, and their kind in memory if that is
// smaller.
func (l *lowering) memKind(t types.Type) (k, from lir.Kind) {
	if isBool(t) {
		return lir.I32, lir.U8
	}
	return l.kind(t), smallKind(t)
}

// valueOrBool returns the values of e; those of a bool are 0 and 1.
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

// store emits the stores of x to elements.
func (l *lowering) store(t types.Type, x operand, at func(i int) lir.Mem, step int64) {
	k, from := l.memKind(t)
	for i := range l.width() {
		n := &lir.Instr{Op: lir.Store, Kind: k, From: from, X: x.at(i), Mem: at(i), On: l.mask(i)}
		if step != 1 {
			// Rows whose distance is a large power of two map to few sets of the cache, so that a
			// line is evicted before the next iteration uses it. The remainders of tiles, and code
			// outside loops, use each line only once.
			if !l.nearby && l.deepest > 0 && len(l.rounds) >= l.deepest && !l.masked && !l.single() && l.checked == 0 {
				l.check(fmt.Sprintf("%s.Spread(%s)", l.b.rt(), l.strideText(at(i))))
			}
			n.Op, n.Y, n.Every = lir.Scatter, l.laneOffsets(k, n.Mem), l.every
		}
		l.emit(n)
	}
}

// pure reports whether e is a constant, a variable, an index or the rank, without arithmetic.
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
		l.born[v] = birth{slices.Clone(l.rounds), len(l.whens), slices.Clone(l.on), false}
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
			now = l.partly(v, old, now)
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
		if _, isConst := p.constant(); ok && !p.hashes() && (isConst || !p.ofRow() || l.counters[v]) { // limits of loops are numbers
			if p.hasQuotient() {
				l.quotients[v] = p
			} else {
				l.ints[v] = p
			}
			l.depth[v] = len(l.rounds)
			return
		}
		// in a form without the threads at an edge, one piece may be left of a remainder that wraps around
		if list, inPieces := l.piecesOf(s.R); inPieces && (len(list) > 1 || !ok) {
			l.assignPieces(v, list)
			l.depth[v] = len(l.rounds)
			return
		}
	}
	if s.Def && l.often[v] == 1 && !v.spread && !l.changes(l.values[v]) {
		// The variable becomes a name for the value, without registers of its own. In another copy of the
		// block it may be another value.
		if x := l.value(s.R, nil); !l.changes(x) {
			l.values[v] = x
			return
		}
		l.values[v] = nil
	}
	if l.values[v] == nil {
		if !s.Def {
			cannot("%s is not defined here", v.Name)
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
	if s.Def || l.everywhere() || l.isOwn(v) {
		l.value(s.R, to)
		return
	}
	l.assignWhere(l.kind(v.Type), s.R, to)
}

// assignWhere assigns e to registers, for the active threads.
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
	if turned := l.turned(s); turned != nil {
		s = turned
	}
	// Uniform conjuncts are tested first, by a jump, if there is no else branch, or only a short one.
	var agreed []lir.Scalar
	var texts []string
	var rest []Expr
	var known []fact
	var held []string // conditions known to hold before the nest, which have no counterpart in texts
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
		// Assignments of integers at the end of the branch become a branch of their own.
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
	twice := len(rest) > 0 && len(s.Else) > 0 // the other arm is emitted for either part of the condition
	if len(agreed) > 0 && (!twice || l.isShort(s.Else)) && !l.assignsInts(s) {
		var other []fact
		if len(rest) == 0 {
			other = l.factsOf(not(s.Cond))
		}
		copies := l.copies
		if twice {
			l.copies = 2 * max(copies, 1)
		}
		l.held = held
		l.together(agreed, texts, in, known, func() {
			if len(rest) == 0 {
				l.stmts(s.Then)
			} else {
				l.maskedBranch(conjunction(rest), s.Then, s.Else)
			}
		}, other, func() { l.stmts(s.Else) })
		l.copies = copies
		return
	}
	// The slow path of a helper, as for huge angles, runs in plain Go.
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

// turned returns a branch whose condition has alternatives as one with its arms exchanged, if the
// opposite of a part of the condition is uniform and can be tested first; else nil.
func (l *lowering) turned(s *If) *If {
	x, ok := s.Cond.(*Binary)
	if !ok || x.Op != token.LOR || !l.isShort(s.Then) {
		return nil
	}
	cond := not(x)
	uniform := func(e Expr) bool { return shapeOf(e)[0] == 0 }
	if list := terms(cond); !slices.ContainsFunc(list, uniform) || !slices.ContainsFunc(list, func(e Expr) bool { return !uniform(e) }) {
		return nil
	}
	return &If{Cond: cond, Then: s.Else, Else: s.Then, Pos: s.Pos}
}

// isShort reports whether an arm of a branch may be emitted twice.
func (l *lowering) isShort(list []Stmt) bool {
	return !l.single() && max(l.copies, 1) <= 2 && !hasLoop(list) && operationsIn(list) <= mostSelected
}

// heldBefore returns the Go conditions under which e holds, where these are known before the nest
// is entered. e is a uniform comparison of integers.
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

// callsOut reports whether statements call a func that is neither inlined nor available on vectors, or
// divide complex numbers.
func callsOut(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool {
		if isAtomic(s) {
			return false
		}
		found := false
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				if c, ok := x.(*Call); ok && c.Fn != nil && c.Name != devicePath+".Fmaf" {
					found = found || !isOfMath(c) && !strings.HasPrefix(c.Name, "math/bits.") && !strings.HasPrefix(c.Name, rtPath+".")
				}
				if d, ok := x.(*Binary); ok && isComplex(d.T) {
					found = true
				}
			})
		})
		return found
	})
}

// flagged lowers a branch that only assigns integers, with a condition that is known before the
// nest is entered: each integer is increased by the change times the condition as 0 or 1
// (if-conversion).
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

// assignsInts reports whether statements assign an integer that is declared outside them.
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

// when lowers a uniform branch. texts are the conditions that are known before the nest is entered,
// in Go.
func (l *lowering) when(conds []lir.Scalar, texts []string, then, otherwise func()) {
	w := &lir.When{Conds: conds}
	outer, loads := l.list, l.loads
	before, held := len(l.whens), l.held
	l.held = nil
	for i, do := range []func(){then, otherwise} {
		var nodes []lir.Node
		l.list, l.loads = &nodes, maps.Clone(loads)
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

// maskedBranch lowers a divergent branch: both sides are executed, each under a mask, or without
// (see ifconversion.go).
func (l *lowering) maskedBranch(cond Expr, then, otherwise []Stmt) {
	if l.oneThread(cond, then, otherwise) || !l.splitting && l.agreeing(cond, then, otherwise) {
		return
	}
	l.splitting = false
	on, lanesBefore := l.on, l.lanes
	m, within, leave := l.guardOf(cond, otherwise)
	defer leave()
	if l.ifConverted(cond, m, within, then, otherwise) {
		return
	}
	l.given(l.factsOf(cond), func() { l.side(on, l.joined(on, m), l.narrow(within), then) })
	l.lanes = lanesBefore
	if len(otherwise) > 0 {
		l.given(l.factsOf(not(cond)), func() { l.side(on, l.without(on, m), l.narrow(within.other()), otherwise) })
	}
	l.on, l.lanes = on, lanesBefore
	clear(l.loads)
}

// side lowers one side of a branch, under a mask.
func (l *lowering) side(outer, on operand, in lanes, list []Stmt) {
	if l.isNone(on) {
		return
	}
	if l.isAll(on) {
		on = nil
	}
	if on != nil && !slices.Equal(on, outer) {
		l.wider[fmt.Sprint(on)] = outer
	}
	l.on, l.lanes = on, in
	l.whereAny(list)
}

// invariant reports whether pre, the code that a loop runs before each test of its condition, only
// computes loop-invariant integers. It then records their values.
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

// countedBy returns the counter of a counted loop, its constant step, and the constant that the
// condition adds to the counter before the comparison.
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
	// the counter may wrap around
	if unsigned(i.Type) && (added < 0 || n < -1 || n == -1 && cond.Op != token.GTR) {
		return nil, 0, 0, false
	}
	return i, n, added, true
}

// whereAny lowers statements under a mask. Long ones are jumped over if no thread of the strip is
// active, unless they assign integers, which the masks distinguish from there on.
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

// mostSelected is the largest number of instructions that are executed under an empty mask rather
// than jumped over.
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
	if unsigned(i.Type) && step > 0 { // a larger value may wrap around
		if !limit.ofRow() {
			l.divergent(whole)
			return
		}
		l.check(l.syms.text(limit) + " < 1<<31-1<<10")
	}
	// the sum with the counter may wrap around at the beginning, and the counter at the end
	if has32(i.Type) && !unsigned(i.Type) && (added != 0 || step < -1 || step > 1) {
		l.inRange(start.plus(number(added), 1), i.Type)
		l.inRange(limit.plus(number(step), 1), i.Type)
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
		l.check(l.syms.text(count) + " >= 0") // otherwise the loop runs until the counter wraps around
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
			// The trip count is the maximum over the threads.
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
	all := moving // with those that follow the counter, which are no part of the loop any more
	s, moving = l.tied(s, i, moving, start, step)
	defer delete(l.ties, i)
	l.moved(moving, poly{r.symbol: 1})
	l.setCounter(i, start.plus(poly{r.symbol: step}, 1))
	if facts := l.facts; l.speculable(s, i, count, r) {
		defer func() { l.facts = facts }()
		l.on, l.lanes, l.facts = nil, l.sure, l.sureFacts
		if l.masked {
			l.on = operand{l.n.Lanes}
		}
		l.b.k.works("speculate")
	}
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
				_, in := l.interval(count, token.GTR) // the threads with at least one iteration
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
		l.moved(all, l.syms.row(fmt.Sprintf("max(%s, 0)", r.trips)))
	} else {
		for v := range all { // their values are known in the loop only
			delete(l.ints, v)
			delete(l.pieces, v)
		}
	}
	delete(l.ints, i) // the value is known in the loop only
	delete(l.starts, i)
	delete(l.values, i)
	if count.ofRow() && l.bornHere(i) {
		// If the threads in the loop are those that declared the counter, its final value is known.
		// The remainder loop of an unrolled loop continues from there.
		l.ints[i] = start.plus(l.syms.row(fmt.Sprintf("max(%s, 0)", r.trips)).times(number(step)), 1)
		l.depth[i] = len(l.rounds)
	}
}

// oneLimit splits a loop with several limits, as in for i < n && j < m. It returns a loop whose
// only condition is the first limit of a counter, and the other limits. Other post statements
// become a part of its body.
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

// leastCount returns the trip count of a loop that has other limits besides: the minimum over all
// of them. Each limit is of an integer that every iteration advances by the same amount.
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

// bornHere reports whether the active threads are those that declared a variable, in the same
// iteration and branch.
func (l *lowering) bornHere(v *Var) bool {
	b, ok := l.born[v]
	return ok && slices.Equal(b.rounds, l.rounds) && b.whens == len(l.whens) && slices.Equal(b.on, l.on)
}

// sinceBirth reports whether the active threads are those that declared a variable, in the same
// iteration.
func (l *lowering) sinceBirth(v *Var) bool {
	b, ok := l.born[v]
	return l.everywhere() || ok && slices.Equal(b.rounds, l.rounds) && slices.Equal(b.on, l.on)
}

// rounded lowers the body of a loop with the counter i, behind the code that begin emits.
func (l *lowering) rounded(s *For, i *Var, start poly, step int64, r *round, begin func()) {
	l.roundedFrom(s, i, start.plus(poly{r.symbol: step}, 1), r, begin)
}

// roundedFrom is rounded for a counter that has the value counter in each iteration.
func (l *lowering) roundedFrom(s *For, i *Var, counter poly, r *round, begin func()) {
	var nodes []lir.Node
	outer := l.list
	l.list = &nodes
	clear(l.loads)
	l.rounds = append(l.rounds, r)
	delete(l.values, i)
	delete(l.starts, i)
	l.setCounter(i, counter)
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

// loopDepth is the depth of the deepest loop nest in list.
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

// statementName describes a statement that can't be lowered.
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
