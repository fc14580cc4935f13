package compiler

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Memory accesses of nests: arguments, the pointers that loops advance, and the bounds checks
// before a nest is entered.

// A row is the state that all nests of a region share: their arguments, and the checks and
// variables before the call.
type row struct {
	args   []argument
	checks []string
	syms   symbols
	// integers, by their Go text, with the number of bits that they may have (bitsOfFactors)
	atoms map[string]int
	// for a check, a shorter one that implies it, and holds unless a thread is at an edge
	likely  map[string]string
	locals  []string // names and values of variables that are declared before the checks
	name    func(string) string
	rounds  map[*lir.Loop]string  // an upper bound of the trip count of each loop, in Go
	aparts  map[string]bool       // the checks of checkApart
	lowered map[loweredAs]lowered // the nests so far
	// of a plane: the active threads are in [max(from), min(to))
	from, to []string
	rowFrom  []string // the active rows are in [max(rowFrom), min(rowTo))
	rowTo    []string
	nth      *everyRow     // only every n-th row is active; nil for all rows
	steps    *steps        // the strided threads of a row that are active; nil for all
	chops    bool          // a plane may be executed a few rows at a time
	guards   []Expr        // conditions that hold for all threads of the nest
	rowEnds  []string      // variables that hold the ends of rows, as for the loops over threads
	warp     string        // Go expression for the number of the warp whose lanes are the threads
	general  map[*Var]bool // integers that are values in 64-bit lanes
	// the indices of lanes that only run-time data select may be checked lane by lane
	byLane      bool
	truncates   bool            // floats converted to int may be checked to be small
	truncated   bool            // there are such conversions
	formulas    bool            // there are formulas for what Go does faster, as funcs of package math
	asides      bool            // there are indices checked lane by lane
	checksFirst bool            // checks must come before stores
	faults      bool            // where checks behind stores fail, the launch fails
	inside      *inside         // the threads for which conditions at edges hold, or nil
	insides     []*inside       // those that forms are for
	ofRows      map[string]bool // the slices of slices with accesses to elements of rows
}

// texts records the trip count of a loop.
func (r *row) texts(l *lir.Loop, trips string) {
	if r.rounds == nil {
		r.rounds = map[*lir.Loop]string{}
	}
	r.rounds[l] = trips
}

// An argument is a field of the struct that is passed to a nest.
type argument struct {
	typ, text string
	off       int
}

// arg returns the offset of the argument with this text, which it adds if needed.
func (r *row) arg(typ, text string) int {
	off := 8
	for _, a := range r.args {
		if a.typ == typ && a.text == text {
			return a.off
		}
		off = a.off + 8
		if a.typ[:2] == "[]" {
			off += 16
		}
	}
	r.args = append(r.args, argument{typ, text, off})
	return off
}

// local returns the name of a variable with this value, which is declared before the checks.
func (r *row) local(what, text string) string {
	for i := 0; i+1 < len(r.locals); i += 2 {
		if r.locals[i+1] == text {
			return r.locals[i]
		}
	}
	name := r.name(what)
	r.locals = append(r.locals, name, text)
	return name
}

func (r *row) check(text string) {
	if !slices.Contains(r.checks, text) {
		r.checks = append(r.checks, text)
	}
}

// checkApart is check for memory that must not overlap. A form may need that which others of the nest
// don't.
func (r *row) checkApart(text string) {
	if r.aparts == nil {
		r.aparts = map[string]bool{}
	}
	r.aparts[text] = true
	r.check(text)
}

// dropChecks removes the checks that forms have added which contain the same ones as other forms, except
// those of checkApart.
func (r *row) dropChecks(from int) {
	added := slices.Clone(r.checks[from:])
	r.checks = r.checks[:from]
	for _, text := range added {
		if r.aparts[text] {
			r.check(text)
		}
	}
}

// small adds the checks that the operands of p are so small that no sum or product wraps around.
// more is the number of further factors, such as trip counts, that p is multiplied by.
func (r *row) small(p poly, more int) {
	if why := r.tooLarge(p, more); why != "" {
		cannot("%s", why)
	}
	for _, m := range slices.Sorted(maps.Keys(p)) {
		if m == "" {
			continue
		}
		factors := strings.Split(m, "*")
		most := bitsOfFactors(p[m], len(factors)+more)
		for _, f := range factors {
			var i int
			if n, _ := fmt.Sscanf(f, "r%d", &i); n == 0 {
				continue // an index of a thread or a counter, which is small
			}
			t := r.syms.texts[i]
			if bits, isThere := r.atoms[t]; !isThere || most < bits {
				r.atoms[t] = most
			}
		}
	}
}

// tooLarge says why sums and products of p may wrap around in spite of such checks, or "".
func (r *row) tooLarge(p poly, more int) string {
	why := ""
	for m, n := range p {
		if m == "" {
			if n < -1<<40 || n > 1<<40 {
				return "an index with a large constant"
			}
			continue
		}
		if bitsOfFactors(n, 1+strings.Count(m, "*")+more) == 0 {
			why = "an index with large factors"
		}
	}
	if why == "" && len(p) > 7 {
		why = "an index that is a long sum"
	}
	return why
}

// bitsOfFactors returns the largest number of bits of each of a product's factors with which n times
// the product has at most 60 bits, so that seven of them can be added; 0 if that is too few to be of
// use. Counters have at most 22 bits (rt.MostWork, which bounds products of counters too).
func bitsOfFactors(n int64, factors int) int {
	large := func(bits int) bool { return n < -1<<bits || n > 1<<bits }
	switch {
	case factors == 1 && !large(20):
		return 40
	case factors == 2 && !large(4):
		return 28
	case factors == 2 && !large(20):
		return 18
	case factors == 3 && !large(4):
		return 17
	case factors == 3 && !large(8):
		return 15
	}
	return 0
}

// A spot is the position of a number in an element of a slice: the element and a byte offset in it,
// through fields and arrays of fixed length. Indices of such arrays that are not constants are in
// inner.
type spot struct {
	ix     *Index
	offset int64
	size   int64 // the size of the element
	t      types.Type
	inner  []inArray
}

// An inArray is an index of an array that is a part of an element.
type inArray struct {
	i     Expr
	many  int64 // the array's length
	bytes int64 // the distance of the array's elements, in bytes
}

// spotOf returns the spot of e, if e is a number in a slice.
func spotOf(e Expr) (spot, bool) {
	switch x := e.(type) {
	case *Index:
		if isSlice(x.X.Type()) || isArray(x.X.Type()) && ofParam(x.X) {
			return spotAt(x), true
		}
		s, ok := spotOf(x.X)
		if !ok || !isArray(x.X.Type()) {
			return spot{}, false
		}
		bytes := lineSizes.Sizeof(x.T)
		if n, isConst := constInt(x.I); isConst {
			s.offset += n * bytes
		} else {
			s.inner = append(slices.Clone(s.inner), inArray{x.I, x.X.Type().Underlying().(*types.Array).Len(), bytes})
		}
		s.t = x.T
		return s, true
	case *Field:
		s, ok := spotOf(x.X)
		if !ok {
			return spot{}, false
		}
		of, ok := structUnder(s.t)
		if !ok {
			return spot{}, false
		}
		for i := range of.NumFields() {
			if of.Field(i) == x.F || of.Field(i).Name() == x.Name {
				s.offset, s.t = s.offset+offsetOf(of, i), x.T
				return s, true
			}
		}
	}
	return spot{}, false
}

// isPackageVar reports whether e is a package-level variable.
func isPackageVar(e *Global) bool {
	_, ok := e.Obj.(*types.Var)
	return ok
}

// ofParam reports whether e is a parameter of the kernel, a variable of the block or a
// package-level variable, or a field of such a struct.
func ofParam(e Expr) bool {
	switch e := e.(type) {
	case *Global:
		return isPackageVar(e)
	case *VarRef:
		return e.V.Param || e.V.common
	case *Field:
		return isStruct(e.X.Type()) && ofParam(e.X)
	}
	return false
}

// spotAt is the spot of an element of a slice.
func spotAt(x *Index) spot { return spot{ix: x, size: lineSizes.Sizeof(x.T), t: x.T} }

// isKernels reports whether e is a slice that the kernel does not reassign: a variable, or a field
// of a struct variable.
func (l *lowering) isKernels(e Expr) bool {
	switch e := l.expand(e).(type) {
	case *Global:
		return isPackageVar(e)
	case *VarRef:
		return !l.assigned[e.V] && e.V.value == nil && e.V.Shape.uniform() && !e.V.addr
	case *Field:
		return isStruct(e.X.Type()) && l.isKernels(e.X)
	case *Index: // a row of a slice of slices
		return isSlice(e.T) && l.isSteady(e)
	}
	return false
}

// flat returns the index of a number in nested arrays, counted in numbers from the beginning of the
// slice. p is the index of the slice.
func (l *lowering) flat(x spot, p poly) poly {
	size := lineSizes.Sizeof(x.t)
	p = p.times(number(x.size / size))
	for _, in := range x.inner {
		q, ok := l.polyOf(&Convert{in.i, intType})
		if !ok || in.bytes%size != 0 || isUnsigned64(in.i.Type()) {
			cannot("an index of an array in an array that only the run knows")
		}
		p = p.plus(q.times(number(in.bytes/size)), 1)
	}
	if p.large() {
		p = l.gathered(p)
	}
	return p
}

// checkSpot adds the checks of all indices of a spot. p is the index of the slice.
func (l *lowering) checkSpot(x spot, p poly) {
	l.checkAccess(l.slice(x.ix), p)
	l.checkInner(x)
}

// checkInner adds the checks of the indices of arrays in an element.
func (l *lowering) checkInner(x spot) {
	for _, in := range x.inner {
		q, _ := l.polyOf(&Convert{in.i, intType})
		l.checkLimit(fmt.Sprint(in.many), q)
	}
}

// offsetOf returns the offset of a field in a struct.
func offsetOf(s *types.Struct, field int) int64 {
	var fields []*types.Var
	for i := range s.NumFields() {
		fields = append(fields, s.Field(i))
	}
	return lineSizes.Offsetsof(fields)[field]
}

// A purpose is the kind of an access to elements.
type purpose int

const (
	toRead purpose = iota
	toStore
	toUpdate // lane by lane
)

// element returns the memory operands of an access, by the number of the vector, and their step: 1
// if the lanes access neighbours, 0 if all access the same element, and -1 for a fixed stride. A
// store by all lanes to the same element has step -1 and stride 0.
func (l *lowering) element(x spot, p poly, to purpose) (func(i int) lir.Mem, int64) {
	var row *rowOf
	if !l.isKernels(x.ix.X) {
		switch row = l.inRows(x.ix.X); {
		case row == nil || to == toUpdate:
			cannot("elements of what is no slice of the kernel")
		case row.at == nil:
			cannot("rows of slices at indices that data determine")
		case l.plane && l.on != nil && !l.lanes.exact:
			// Checks for all threads of a plane would fail at edges. In a row they are for its threads.
			cannot("rows of slices for threads that are no box of a plane")
		}
	}
	if isUnsigned64(x.ix.I.Type()) {
		cannot("an unsigned index")
	}
	size, outer, unit := lineSizes.Sizeof(x.t), p, x.size
	l.memKind(x.t) // fails if elements of the type can't be in registers
	if x.size%size != 0 || x.offset%size != 0 {
		cannot("a struct with fields of several sizes")
	}
	if len(x.inner) > 0 {
		p, unit = l.flat(x, p), size
	}
	factor, _, ok := p.by(laneSymbol)
	step, isConst := factor.constant()
	if !ok || !factor.ofRow() {
		cannot("elements at no steady distance")
	}
	var apart poly // the distance of the threads' rows
	if row != nil {
		if apart, _, ok = row.at.by(laneSymbol); !ok || !apart.ofRow() || len(apart) > 0 && len(factor) > 0 {
			cannot("rows at no steady distance")
		}
	}
	shared := isConst && step == 0 && to != toStore && !l.laneByLane
	if shared && to == toRead && len(apart) == 0 {
		// A uniform element is loaded whatever the mask is, so its check ignores the mask. Only
		// uniform branches around the load count.
		defer func(masked lanes, facts []fact) { l.lanes, l.facts = masked, facts }(l.lanes, l.facts)
		l.lanes, l.facts = l.sure, l.sureFacts
	}
	var places func(i int) lir.Mem
	if row == nil {
		l.checkSpot(x, outer)
		places = l.places(l.slice(x.ix), l.b.typ(x.ix.T), int(unit), p)
	} else {
		l.checkRowSpot(x, row, outer)
		places = l.placesInRow(row, l.b.typ(x.ix.T), int(unit), p, len(apart) > 0)
	}
	at := func(i int) lir.Mem {
		m := places(i)
		m.Disp += int(x.offset)
		return m
	}
	if len(apart) > 0 {
		l.small(apart, 1)
		header := lineSizes.Sizeof(row.x.T)
		text := l.syms.text(apart)
		l.check(fmt.Sprintf("-1<<26 < %s && %s < 1<<26", text, text))
		stride := l.arg("int", fmt.Sprintf("%d*(%s)", header, text))
		l.every = 0
		return func(i int) lir.Mem {
			m := at(i)
			m.Stride, m.Uniform = stride, false
			return m
		}, -1
	}
	if isConst && step == 1 && unit == size {
		return at, step
	}
	if shared {
		return at, step
	}
	l.nearby = isConst && -64 <= step && step <= 64
	l.small(factor, 1)
	text := l.syms.text(factor)
	if !isConst {
		l.check(fmt.Sprintf("-1<<26 < %s && %s < 1<<26", text, text))
	} else if unit > size {
		step *= unit / size
		text = fmt.Sprint(step)
	}
	if !isConst && unit > size {
		text = fmt.Sprintf("%d*(%s)", unit/size, text)
		l.check(fmt.Sprintf("%s < 1<<26 && -1<<26 < %s", text, text))
	}
	if isConst && (step < -1<<26 || step > 1<<26) {
		cannot("elements that are far apart")
	}
	l.every = 0
	if isConst && (step == -1 || 2 <= step && step <= lir.MostEvery || size < 4 && -4 <= step && step < 0) {
		l.every = int(step)
	}
	stride := l.arg("int", fmt.Sprintf("%d*(%s)", size, text))
	l.stride = l.arg("int", text)
	return func(i int) lir.Mem {
		m := at(i)
		m.Stride, m.Uniform = stride, false
		return m
	}, -1
}

// strideText is a Go expression for the stride between threads, in bytes.
func (r *row) strideText(m lir.Mem) string {
	return r.args[slices.IndexFunc(r.args, func(a argument) bool { return a.off == m.Stride })].text
}

// strides returns the offsets of the lanes for the last elements.
func (l *lowering) strides(k lir.Kind) lir.Value {
	whole := lir.I32
	if k.Size() == 8 {
		whole = lir.I64
	}
	return l.once(fmt.Sprint("s", l.stride), whole, lir.Instr{Op: lir.Strides, Mem: lir.Mem{Disp: l.stride}})[0]
}

// memory returns the memory operands of the elements with index p of a slice, by the number of the
// vector, and adds the bounds check.
func (l *lowering) memory(slice, typ string, size int, p poly) func(i int) lir.Mem {
	l.checkAccess(slice, p)
	return l.places(slice, typ, size, p)
}

// places is memory without the bounds check.
func (l *lowering) places(slice, typ string, size int, p poly) func(i int) lir.Mem {
	if !p.has(rowSymbol) {
		m := l.place(slice, typ, size, p)
		return func(i int) lir.Mem {
			m.Part = i % l.parts
			return m
		}
	}
	var rows []lir.Mem
	for j := range l.jam {
		rows = append(rows, l.place(slice, typ, size, l.inRow(p, j)))
	}
	return func(i int) lir.Mem {
		m := rows[i/l.parts%l.jam]
		m.Part = i % l.parts
		return m
	}
}

// inRow is p in row j of the jammed rows.
func (l *lowering) inRow(p poly, j int) poly {
	if !p.has(rowSymbol) {
		return p
	}
	if _, _, ok := p.by(rowSymbol); !ok {
		cannot("an index with a square")
	}
	return p.with(rowSymbol, l.rowBegin.plus(poly{l.rowRound.symbol: int64(l.jam)}, 1).plus(number(int64(j)), 1))
}

// place returns the memory operand of the elements with index p of a slice.
func (l *lowering) place(slice, typ string, size int, p poly) lir.Mem {
	return l.placeOf(slice, typ, size, p, pointed{})
}

// A pointed says that a pointer is a special one. With stride, it is to the matrix row of one thread of a
// strip: the number first; stride is the argument with the distance in bytes from thread to thread. With
// of, the type of a slice, it is in a row of a slice of slices.
type pointed struct {
	stride, first int
	row           lir.Row
	of            string
}

// placeOf is place, for a special pointer if how says so.
func (l *lowering) placeOf(slice, typ string, size int, p poly, how pointed) lir.Mem {
	disp := p[""]
	if disp < -1<<16 || disp > 1<<16 {
		cannot("an index with a large constant")
	}
	uniform := !p.has(laneSymbol)
	from := poly{}.plus(p, 1)
	delete(from, "")
	// The pointer starts at the element of the row's first thread, in the first iterations.
	begin := from
	var steps []poly
	for _, r := range l.rounds {
		f, rest, ok := begin.by(r.symbol)
		if !ok || !f.ofRow() {
			cannot("a product of counters, in an index or as a number")
		}
		steps, begin = append(steps, f), rest
	}
	f, rest, _ := begin.by(laneSymbol)
	if !rest.ofRow() || !f.ofRow() {
		cannot("an index with a counter of another loop")
	}
	text := l.syms.text(rest)
	if !uniform {
		at := "‹lo›"
		if n, ok := f.constant(); !ok || n != 1 {
			at = fmt.Sprintf("(%s)*‹lo›", l.syms.text(f))
		}
		if rest.key() == "" {
			text = at
		} else {
			text += " + " + at
		}
	}
	id := fmt.Sprint(slice, "|", size, "|", from.key(), "|", len(l.rounds), how)
	g, ok := l.groups[id]
	if !ok {
		g = len(l.n.Groups)
		l.groups[id] = g
		of := lir.Group{Size: size, Stride: how.stride, First: how.first, Own: l.b.ownMemory[slice]}
		if how.of != "" {
			typ, of.Row = how.of, &how.row
		}
		of.Base, of.Off = l.arg("[]"+typ, slice), l.arg("int", fmt.Sprintf("%d*(%s)", size, text))
		l.n.Groups = append(l.n.Groups, of)
	}
	for i, r := range l.rounds {
		if r.moved[g] || len(steps[i]) == 0 {
			continue
		}
		r.moved[g] = true
		s := lir.Step{Group: g, Off: -1}
		if n, ok := steps[i].constant(); ok && fitsConst(n) {
			s.Const = int(n) * size
		} else {
			l.small(steps[i], 0)
			s.Off = l.arg("int", fmt.Sprintf("%d*(%s)", size, l.syms.text(steps[i])))
		}
		r.loop.Steps = append(r.loop.Steps, s)
	}
	return lir.Mem{Group: g, Disp: int(disp) * size, Uniform: uniform}
}

// fitsConst reports whether a factor can be an immediate operand.
func fitsConst(n int64) bool { return -1<<24 < n && n < 1<<24 }

// checkAccess adds the bounds check of an index of a slice, for all active threads and all
// iterations.
func (l *lowering) checkAccess(slice string, p poly) { l.checkLimit("len("+slice+")", p) }

// checkLimit adds the check that an index is in [0, limit).
func (l *lowering) checkLimit(limit string, p poly) {
	if l.checked > 0 {
		if l.aside(p) {
			cannot(storedBefore) // these checks may be about other lanes
		}
		return
	}
	if slices.ContainsFunc(l.rounds, func(r *round) bool { return r.trips == "" && p.has(r.symbol) }) {
		l.checkRound(limit, p)
		return
	}
	var holds []string // conditions under which the access does not happen
	hold := func(text string) {
		if !slices.Contains(holds, text) {
			holds = append(holds, text)
		}
	}
	for _, w := range l.whens {
		if w != "true" {
			hold("!" + w)
		}
	}
	for _, r := range l.rounds {
		if r != l.rowRound && r.trips != "" {
			hold(r.trips + " <= 0")
		}
	}
	for _, text := range l.noThread(p) {
		hold(text)
	}
	lo, hi := l.hull(p)
	held := func(text string) string {
		for i := len(holds) - 1; i >= 0; i-- {
			text = fmt.Sprintf("%s || %s", holds[i], text)
		}
		if len(holds) > 0 {
			text = "(" + text + ")"
		}
		return text
	}
	atLeast, below := l.notNegative(p), l.below(p, limit)
	if atLeast == "true" && below == "true" {
		return
	}
	first, last := atLeast, below
	if first == "" {
		first = l.mostByFact(poly{}.plus(p, -1), "1")
	}
	if last == "" {
		last = l.mostByFact(p, limit)
	}
	text := held(joined([]string{either(first, lo+" >= 0"), either(last, hi+" < "+limit)}))
	if atLeast != "" && below != "" || !l.aside(p) {
		if l.lanes != (lanes{}) && !p.isBent() && !p.hasQuotient() && !slices.Contains(l.checks, text) {
			on := l.lanes
			l.lanes = lanes{}
			lo, hi := l.hull(p) // over all threads
			l.lanes = on
			if l.likely == nil {
				l.likely = map[string]string{}
			}
			l.likely[text] = either(atLeast, lo+" >= 0") + " && " + either(below, hi+" < "+limit)
		}
		l.check(text)
		return
	}
	l.check(held(fmt.Sprintf("%s >= -1<<30 && %s < 1<<30", lo, hi)))
	l.checkLanes(limit, p, l.arg("int", l.local("far", fmt.Sprintf("%s.Bit(!(%s))", l.b.rt(), text))))
}

// noThread returns conditions, each of which says that no thread is active. They are about what p depends on.
func (l *lowering) noThread(p poly) (texts []string) {
	if p.has(laneSymbol) && (l.lanes.without != "" || l.lanes.from+l.lanes.to != "") {
		first, last := l.threads()
		texts = append(texts, fmt.Sprintf("%s > %s", first, last))
	}
	if l.lanes.rowFrom+l.lanes.rowTo != "" && (l.lanes.without != "" || p.has(rowSymbol) || !l.plane) {
		first, last := l.manyRows()
		texts = append(texts, fmt.Sprintf("%s > %s", first, last))
	}
	return texts
}

// aside reports whether only run-time data select the threads that use an index, and the index of
// other threads may be out of range. An example is s[tid+d] if x[tid] > 0. It is false for an index
// such as the thread's index in the grid.
func (l *lowering) aside(p poly) bool {
	if !l.byLane || l.lanes.exact || l.everywhere() || l.plane || !p.has(laneSymbol) || p.hasQuotient() {
		return false
	}
	if products, _ := p.bent(); len(products) > 0 {
		return false
	}
	factor, rest, ok := p.by(laneSymbol)
	if !ok || !factor.ofRow() {
		return false
	}
	n, isConst := factor.constant()
	shifted := !isConst || n != 1
	for m := range rest {
		if m == "" {
			shifted = true
		} else if one := (poly{m: 1}); !strings.Contains(m, "*") && one.ofRow() {
			text := l.syms.text(one)
			shifted = shifted || !strings.HasPrefix(text, "block") && !strings.HasPrefix(text, "origin")
		}
	}
	l.asides = l.asides || shifted
	return shifted
}

// leaveWhere emits an exit from the nest that is taken if a lane of a mask is on.
func (l *lowering) leaveWhere(bad operand) { l.exits(bad, false) }

// faultWhere is leaveWhere for active lanes whose threads then panic.
func (l *lowering) faultWhere(bad operand) { l.exits(bad, l.faults) }

func (l *lowering) exits(bad operand, fault bool) {
	seen := map[lir.Value]bool{}
	for _, m := range bad {
		if !seen[m] {
			seen[m] = true
			l.emit(&lir.Instr{Op: lir.Check, Kind: lir.Mask, X: m, Fault: fault})
		}
	}
}

// checkLanes emits an exit from the nest if the index of an active thread is not in [0, limit). The
// test is skipped unless the argument far is positive: then some thread, active or not, has such an
// index.
func (l *lowering) checkLanes(limit string, p poly, far int) {
	l.when([]lir.Scalar{{Off: far}}, []string{"true"}, func() {
		l.faultWhere(l.joined(l.outOfRange(limit, p), l.on))
	}, func() {})
}

// checkRound emits the check of an index that grows with a loop whose trip count is unknown. In
// each iteration the nest is left if the index of an active thread is not in [0, limit). The
// uniform part of the index is a 64-bit scalar, so that the check fails before the lanes wrap
// around.
func (l *lowering) checkRound(limit string, p poly) {
	along, rest, ok := p.by(laneSymbol)
	if !ok || !along.ofRow() || p.isBent() || p.hasQuotient() || p.has(rowSymbol) && l.jam > 1 {
		cannot("an index with the rounds of a loop whose end is not known")
	}
	leave := func() {
		on := l.on
		if on == nil {
			on = operand{l.all()}
		}
		l.leaveWhere(on)
	}
	if len(along) == 0 {
		end := l.syms.row("(" + limit + ")")
		conds := []lir.Scalar{l.scalar(end.plus(p, -1), 0), l.scalar(p.plus(number(1), 1), 0)}
		l.when(conds, nil, func() {}, leave)
		return
	}
	lo, hi := l.hull(along.times(poly{laneSymbol: 1}))
	l.check(fmt.Sprintf("%s >= -1<<28 && %s <= 1<<28", lo, hi))
	conds := []lir.Scalar{l.scalar(number(1<<29).plus(rest, -1), 0), l.scalar(number(1<<29).plus(rest, 1), 0)}
	l.when(conds, nil, func() {}, leave)
	l.leaveWhere(l.joined(l.outOfRange(limit, p), l.on))
}

// outOfRange returns the mask of lanes whose index is not in [0, limit).
func (l *lowering) outOfRange(limit string, p poly) operand {
	end := l.once("a uint32 "+limit, lir.U32, lir.Instr{Op: lir.Arg, Mem: lir.Mem{Disp: l.arg("uint32", fmt.Sprintf("uint32(min(%s, 1<<30))", limit))}})
	return l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.U32, Pred: lir.Ge}, nil, l.sequence(p, lir.U32), end)
}

// threads returns the first and the last thread of the strip that may be active.
func (l *lowering) threads() (first, last string) {
	if l.lanes.without != "" {
		at := l.trimmed()
		return at + "[0]", at + "[1]"
	}
	return l.ofBox(0)
}

// manyRows returns the first and the last row that may be active.
func (l *lowering) manyRows() (first, last string) {
	if l.lanes.without != "" {
		at := l.trimmed()
		return at + "[2]", at + "[3]"
	}
	return l.ofBox(1)
}

// ofBox returns the first and the last thread, or with axis 1 row, of the box of threads that may
// be active.
func (l *lowering) ofBox(axis int) (first, last string) {
	first, last = "‹lo›", "‹hi›-1"
	from, to, end := l.lanes.from, l.lanes.to, "‹hi›"
	if axis == 1 {
		first, last, from, to, end = "0", "many‹rows›-1", l.lanes.rowFrom, l.lanes.rowTo, "many‹rows›"
	}
	if from != "" {
		first = fmt.Sprintf("max(%s, %s)", first, from)
	}
	if to != "" {
		last = fmt.Sprintf("min(%s, %s)-1", end, to)
	}
	return first, last
}

// trimmed returns the variable with the ends of the box of threads that may be active, after
// inactive edges are cut off.
func (l *lowering) trimmed() string {
	first, last := l.ofBox(0)
	rowFirst, rowLast := l.ofBox(1)
	return l.local("at", fmt.Sprintf("%s.Trim(%s, %s, %s, %s%s)", l.b.rt(), first, last, rowFirst, rowLast, l.lanes.without))
}

// hull returns Go expressions for a lower and an upper bound of p among the active threads and all
// iterations.
func (l *lowering) hull(p poly) (lo, hi string) {
	if products, rest := p.bent(); len(products) > 0 && !p.hasQuotient() {
		lo, hi = l.hullOfProducts(products)
		first, last := l.hull(rest)
		return first + " + " + lo, last + " + " + hi
	}
	// If a trip count depends on the thread or on another loop, the counter's ends are substituted
	// for each thread and iteration.
	for i := len(l.rounds) - 1; i >= 0; i-- {
		r := l.rounds[i]
		if r.count == nil || !p.has(r.symbol) {
			continue
		}
		if _, _, ok := p.by(r.symbol); !ok {
			break
		}
		first, last := p.with(r.symbol, poly{}), p.with(r.symbol, r.count.plus(number(1), -1))
		if outer, idle := l.idleRounds(r); idle > 0 { // the idle iterations access nothing
			begin := poly{outer.symbol: 1}.plus(number(idle), 1)
			first, last = first.with(outer.symbol, begin), last.with(outer.symbol, begin)
			outer.idle += idle
			defer func() { outer.idle -= idle }()
		}
		if _, _, ok := last.by(laneSymbol); !ok {
			break
		}
		lo1, hi1 := l.hull(first)
		lo2, hi2 := l.hull(last)
		return l.local("least", fmt.Sprintf("min(%s, %s)", lo1, lo2)), l.local("most", fmt.Sprintf("max(%s, %s)", hi1, hi2))
	}
	// The counter of a strided loop has ends of its own.
	for _, r := range l.rounds {
		f, without, ok := p.by(r.symbol)
		if r.step == nil || !ok || len(f) == 0 {
			continue
		}
		k, ok := multiple(f, r.step)
		if !ok || k < -1<<16 || k > 1<<16 {
			continue
		}
		least, _ := l.hull(r.first)
		first, last := fmt.Sprintf("(%d)*(%s)", k, least), fmt.Sprintf("(%d)*(%s-1)", k, l.syms.text(r.end))
		if k < 0 {
			first, last = last, first
		}
		lo, hi = l.hull(without.plus(r.start, -k))
		return lo + " + " + first, hi + " + " + last
	}
	rest := p
	along := func(symbol, last string) {
		f, without, ok := rest.by(symbol)
		if !ok || !f.ofRow() {
			cannot("a product of counters, in an index or as a number")
		}
		rest = without
		if len(f) == 0 {
			return
		}
		l.small(f, 1)
		text := fmt.Sprintf("(%s)*(%s)", last, l.syms.text(f))
		if n, ok := f.constant(); ok && n > 0 {
			hi += " + " + text
		} else if ok {
			lo += " + " + text
		} else {
			name := l.local("span", text)
			lo += fmt.Sprintf(" + min(%s, 0)", name)
			hi += fmt.Sprintf(" + max(%s, 0)", name)
		}
	}
	for _, r := range l.rounds {
		if r.trips == "" && rest.has(r.symbol) {
			cannot("an index with the rounds of a loop whose end is not known")
		}
		if r != l.rowRound && r.trips != "" {
			along(r.symbol, l.lastRound(r))
		}
	}
	between := func(f poly, first, last string) {
		if n, ok := f.constant(); ok && n == 1 {
			lo, hi = " + "+first+lo, " + "+last+hi
			return
		}
		l.small(f, 1)
		text := l.syms.text(f)
		a, b := l.local("first", fmt.Sprintf("(%s)*(%s)", first, text)), l.local("last", fmt.Sprintf("(%s)*(%s)", last, text))
		lo, hi = fmt.Sprintf(" + min(%s, %s)", a, b)+lo, fmt.Sprintf(" + max(%s, %s)", a, b)+hi
	}
	if l.plane && l.lanes.rowFrom+l.lanes.rowTo+l.lanes.without == "" {
		along(rowSymbol, "many‹rows›-1")
	} else if l.plane {
		f, without, ok := rest.by(rowSymbol)
		if !ok || !f.ofRow() {
			cannot("an index with a square")
		}
		rest = without
		if len(f) > 0 {
			first, last := l.manyRows()
			between(f, first, last)
		}
	}
	lanes, rest, _ := rest.by(laneSymbol)
	if !rest.ofRow() || !lanes.ofRow() {
		cannot("an index with a counter of another loop")
	}
	l.small(rest, 0)
	at := l.syms.text(rest)
	if len(lanes) > 0 {
		first, last := l.threads()
		between(lanes, first, last)
	}
	return at + lo, at + hi
}

// idleRounds returns an enclosing loop in whose first iterations the loop inner has trip count 0,
// and the number of these iterations. An example is the loop over i from 0 around a loop over j <
// i. No other loop may depend on i.
func (l *lowering) idleRounds(inner *round) (outer *round, idle int64) {
	for _, r := range l.rounds {
		factor, rest, ok := inner.count.by(r.symbol)
		n, isConst := factor.constant()
		begin, isNumber := rest.constant()
		if !ok || !isConst || n <= 0 || !isNumber || begin > 0 || begin <= -1<<20 || r.idle != 0 || r.count != nil || r.step != nil {
			continue
		}
		if slices.ContainsFunc(l.rounds, func(x *round) bool {
			return x != inner && (x.count.has(r.symbol) || x.start.has(r.symbol) || x.first.has(r.symbol) || x.end.has(r.symbol) || x.step.has(r.symbol))
		}) {
			continue
		}
		return r, (1 - begin + n - 1) / n
	}
	return nil, 0
}

// lastRound is a Go expression for the last iteration of r in which the loops inside it have a
// positive trip count.
func (l *lowering) lastRound(r *round) string {
	last := fmt.Sprintf("%s-%d", r.trips, 1+r.idle)
	for _, inner := range l.rounds {
		factor, rest, ok := inner.count.by(r.symbol)
		if n, isConst := factor.constant(); ok && isConst && n == -1 && rest.ofRow() {
			l.small(rest, 0)
			last = fmt.Sprintf("min(%s, %s-1)", last, l.syms.text(rest))
		}
	}
	return last
}

// scalar is the scalar operand for p, which is uniform, in row j of the jammed rows.
func (l *lowering) scalar(p poly, j int) lir.Scalar { return l.scalarFrom(p, j, "") }

// inStrip is p plus or minus the index of the strip's first thread.
func (l *lowering) inStrip(p poly, sign int) lir.Scalar {
	s := l.scalarFrom(p, 0, map[int]string{1: " + ‹lo›", -1: " - ‹lo›"}[sign])
	s.Strip = sign
	return s
}

// scalarFrom is scalar with more appended to the text of the argument.
func (l *lowering) scalarFrom(p poly, j int, more string) lir.Scalar {
	p = l.inRow(p, j)
	var out lir.Scalar
	for _, r := range l.rounds {
		f, rest, ok := p.by(r.symbol)
		if !ok || !f.ofRow() {
			cannot("a product of counters")
		}
		p = rest
		if len(f) == 0 {
			continue
		}
		t := lir.Term{Loop: r.loop, Off: -1}
		if n, ok := f.constant(); ok && fitsConst(n) {
			t.Const = int(n)
		} else {
			l.small(f, 1)
			t.Off = l.arg("int", l.syms.text(f))
		}
		out.Terms = append(out.Terms, t)
	}
	if !p.ofRow() {
		cannot("an integer with a counter of another loop")
	}
	l.small(p, 0)
	out.Off = l.arg("int", l.syms.text(p)+more)
	return out
}
