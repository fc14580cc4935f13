package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Printing SIMD: a region becomes a loop over threads that are neighbours along x, as many at a time as a
// vector has lanes. What is the same for them stays a scalar; what grows by a fixed step is kept as the
// value of the first lane; what differs is a vector, or a mask for a bool. A condition that differs
// narrows the mask under which its branches run. What has no vector form is done lane by lane.

// vector is the state of printing a region with vectors.
type vector struct {
	*body
	lanes int
	mask  string // the lanes that are on; "" for all
	// born is the mask under which a variable was declared: assigned under it, it needs no select.
	born      map[*Var]string
	inner     map[Stmt]string   // the mask of the round or block that Exit reduces
	loop      map[Stmt]string   // the mask of the lanes that are still in a loop
	nest      []string          // masks around, from the outside in
	strip     string            // the mask of the strip
	width     int               // of the vectors, in bytes
	native    int               // operations in vector form
	single    int               // operations lane by lane
	weight    int               // of an operation: more in loops
	rounds    map[Stmt]string   // labels of rounds that end early
	need      map[*Var]bool     // variables computed anew, as vectors
	known     map[string]bool   // bounds that have been checked
	moved     map[string]bool   // variables that have changed under the mask; nil outside
	falling   bool              // an index may fall with the variables of loops that count
	joint     map[*Index]bool   // the first part has checked the index for all parts
	full      bool              // all lanes of the strip are on
	ends      bool              // they may not be, and checks are made for the row all the same
	short     bool              // vectors of 16 bytes may hold numbers of 32 bits
	shorts    bool              // they do
	divisions int               // of 64-bit integers, weighted as what is done lane by lane
	conds     []string          // what must hold for the whole row, in place of checks in each strip
	guards    []guard           // what is taken to hold for all lanes: the strip is for threads for which it does
	required  map[string]bool   // conds that have been noted
	when      []string          // conditions around what is being printed that are the same for the row
	ofPart    map[string]bool   // masks that belong to one part
	ranges    map[*Var]Expr     // variables of loops that count from 0, and what they stay below
	counters  map[*Var]*For     // their loops
	counting  []*Var            // the same, from the outside in
	panics    bool              // something that is done once for all lanes can panic
	shared    map[string]string // values that all parts of a statement use
	branches  int               // around, that are not taken to be gone into
	parting   *For              // the loop around that lanes leave one by one
	apart     bool              // loads are kept apart from operations; see logical
	fixed     map[string]fixedMask
	kept      map[string]string   // masks in registers, by their names
	columns   map[*Index][]string // what eight rows read against the grain
	cubes     map[*Binary]cube    // products that are cubes of reciprocal roots
	lines     *lineSet            // of the loop under way
	lined     bool                // there have been some
	elsewhere []string            // names of variables used in a branch that is left out
	straight  bool                // what is required now is linear in threadIdx.y, and in the variable of the loop around a plane
	storing   bool                // an index of what is stored is printed
	dirty     bool                // a thread other than the first of the strip has been made the current one
	only      bool                // just the part under way is printed
	ahead     *upfront            // the loop under way, whose bounds are asked for before it
	mirrored  map[Expr]mirrored   // calls that are computed together; see mirror
	leading   map[*Assign][]*mirrorGroup
	leader    *Assign  // the assignment under way
	paired    []string // the names of what they computed
}

// elem returns the letters by which package vec calls elements of type t.
func elem(t types.Type) string {
	if t == nil {
		return "" // of a call without result
	}
	u, ok := t.Underlying().(*types.Basic)
	if !ok {
		return ""
	}
	switch u.Kind() {
	case types.Float32:
		return "F32"
	case types.Float64:
		return "F64"
	case types.Int32:
		return "I32"
	case types.Uint32:
		return "U32"
	case types.Int, types.Int64:
		return "I64"
	case types.Uint, types.Uint64, types.Uintptr:
		return "U64"
	case types.Int16:
		return "I16"
	case types.Uint16:
		return "U16"
	case types.Int8:
		return "I8"
	case types.Uint8:
		return "U8"
	}
	return ""
}

var elemSizes = map[string]int{"F32": 4, "F64": 8, "I32": 4, "U32": 4, "I64": 8, "U64": 8, "I16": 2, "U16": 2, "I8": 1, "U8": 1}

var elemGo = map[string]string{"F32": "float32", "F64": "float64", "I32": "int32", "U32": "uint32", "I64": "int64",
	"U64": "uint64", "I16": "int16", "U16": "uint16", "I8": "int8", "U8": "uint8"}

func isBool(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsBoolean != 0
}

// vec is the name of a function of package vec for elements of type t.
func (v *vector) vec(verb string, t types.Type) string {
	return v.vecName() + "." + verb + v.suffix(t)
}

// arith prints an operation of floats as a method, and of others as a function of package vec. Go 1.26 puts a
// nop where it has inlined a call, unless another instruction of the same line of the caller is left, as the
// one of a method is: n-body had eleven of them in its loop and is 1.04 times as fast without.
func (v *vector) arith(verb string, t types.Type, x string, more ...string) string {
	if method := map[string]string{"Add": "Add", "Sub": "Sub", "Mul": "Mul", "FMA": "MulAdd"}[verb]; method != "" && isFloat(t) {
		return fmt.Sprintf("%s.%s(%s)", x, method, strings.Join(more, ", "))
	}
	return fmt.Sprintf("%s(%s, %s)", v.vec(verb, t), x, strings.Join(more, ", "))
}

func (v *vector) vecName() string { return v.importName(vecPath, "vec") }

const vecPath = "github.com/gocuda/gocuda/vec"

func (v *vector) suffix(t types.Type) string { return fmt.Sprintf("%sx%d", elem(t), v.lanes) }

// holds reports whether package vec has vectors of elements of type t with the lanes of this region.
func (v *vector) holds(t types.Type) bool {
	size := elemSizes[elem(t)]
	switch size * v.lanes {
	case 64:
		return v.width == 64
	case 32:
		return true
	case 16:
		if size == 4 {
			v.shorts = v.shorts || v.short
			return v.short
		}
		return size <= 2
	}
	return false
}

// scalarShape reports whether a value of shape s is kept as a scalar: the same for all lanes, or that of
// the first lane.
func scalarShape(s shape) bool { return s[0] != noStep && s[0] != someStep }

// lanesFor returns the number of lanes for a region with vectors of the given size, or 0 if it gains
// nothing.
func (b *body) lanesFor(r *region, width int) int {
	largest, any := 4, false
	note := func(t types.Type) {
		if n := elemSizes[elem(t)]; n > 0 {
			largest = max(largest, n)
			any = true
		}
	}
	var expr func(e Expr)
	expr = func(e Expr) {
		if e == nil {
			return
		}
		if ix, ok := e.(*Index); ok {
			expr(ix.X)
			if i := narrowIndex(ix.I); !scalarShape(shapeOf(i)) {
				expr(i)
			}
			if !scalarShape(shapeOf(e)) {
				note(ix.T)
			}
			return
		}
		if !scalarShape(shapeOf(e)) {
			if u, x, ok := mathCall(e); ok && b.mathName(u) != "" {
				note(e.Type())
				expr(x)
				return
			}
			if n, ok := nativeCall(e); ok {
				note(e.Type())
				for _, x := range n.args {
					expr(x)
				}
				return
			}
			if c, ok := e.(*Call); ok && nativeCondition(c.Name) && len(c.Args) > 0 {
				if args, ok := narrowed(c.Args[:1]); ok {
					expr(args[0])
					return
				}
			}
			if v, ok := e.(*VarRef); ok && v.V.value != nil {
				expr(v.V.value)
			}
			note(e.Type())
		}
		subexprs(e, expr)
	}
	walk(r.stmts, func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			for _, l := range a.L {
				expr(l)
			}
			expr(a.R)
			return
		}
		exprs(s, expr)
	})
	// Stores of what is the same for all lanes count as well.
	if !any {
		walk(r.stmts, func(s Stmt) {
			if a, ok := s.(*Assign); ok && len(a.L) == 1 && a.L[0] != nil {
				if v, _ := assigned(a.L[0]); v == nil {
					note(a.L[0].Type())
				}
			}
		})
	}
	if !any {
		return 0
	}
	n := width / largest
	if n < 4 {
		return 0
	}
	return n
}

// narrowIndex takes conversions from 32-bit integers away from an index: Go indexes with any integer.
func narrowIndex(e Expr) Expr {
	if c, ok := e.(*Convert); ok && wide(c.T) && (unsigned(c.X.Type()) || !unsigned(c.T)) {
		switch elem(c.X.Type()) {
		case "I32", "U32", "I16", "U16", "I8", "U8":
			return c.X
		}
	}
	return e
}

// mathCall takes a call of package math apart: float32(math.F(float64(x))) or math.F(x).
func mathCall(e Expr) (name string, x Expr, ok bool) {
	if c, isConv := e.(*Convert); isConv && elem(c.T) == "F32" {
		if call, isCall := c.X.(*Call); isCall && len(call.Args) == 1 && strings.HasPrefix(call.Name, "math.") {
			if in, isConv := call.Args[0].(*Convert); isConv && elem(in.T) == "F64" && elem(in.X.Type()) == "F32" {
				return call.Name[len("math."):], in.X, true
			}
		}
		return "", nil, false
	}
	if call, isCall := e.(*Call); isCall && len(call.Args) == 1 && strings.HasPrefix(call.Name, "math.") && elem(e.Type()) == "F64" {
		return call.Name[len("math."):], call.Args[0], true
	}
	return "", nil, false
}

// A strip is the text of a loop over threads with vectors.
type strip struct {
	text   string   // the body
	lanes  int      // that it takes at a time
	conds  []string // that must hold for a row
	panics bool
	parts  int
	axis   int
	full   bool
	guards []guard // that must hold for all of its threads
	why    string  // there is none
	short  bool    // numbers of 32 bits are in vectors of 16 bytes
}

// shortGain is how many operations vectors of four lanes must do for one lane by lane, where some of them have 32 bits. Four
// lanes gain little, and what is done with 64-bit integers beside them takes several instructions with AVX2.
const shortGain = 24

// vectorRegion prints a region with vectors, or reports that it should be printed plainly. With parts it takes
// that many vectors of neighbours along an axis at a time, with all lanes on: what is the same for them is
// then loaded once. full says that all lanes are on.
func (b *body) vectorRegion(r *region, full bool, parts, axis int) (st strip, ok bool) {
	forget, rows, outlined := b.attempt(), b.rows, len(b.outlined)
	defer func() {
		if !ok {
			b.rows, b.outlined = rows, b.outlined[:outlined] // funcs that nobody calls
		}
	}()
	first, ok := b.regionWith(true, r, full, parts, axis)
	if ok || !first.short {
		return first, ok
	}
	forget() // so that the other form is what it would be alone
	if st, ok = b.regionWith(false, r, full, parts, axis); !ok {
		st.why = first.why
	}
	return st, ok
}

// endsRegion is vectorRegion under a mask for rows in which all elements are in range, under the conditions of fast and no
// others: what the loop over whole vectors leaves of such a row. It returns nil if there is no such form.
func (b *body) endsRegion(r *region, fast *strip) *strip {
	if fast.panics || fast.parts > 1 || operations(b.inBounds(r)) > brief {
		return nil
	}
	forget := b.attempt()
	b.ends = true
	st, ok := b.vectorRegion(r, false, 0, 0)
	b.ends = false
	if !ok || st.panics || st.lanes != fast.lanes || !slices.Equal(st.conds, fast.conds) {
		forget()
		return nil
	}
	return &st
}

// attempt returns what makes b forget what it prints from here on: names, what is needed of the block, funcs.
func (b *body) attempt() func() {
	names, partNames, used, tops, heads := maps.Clone(b.names), maps.Clone(b.partNames), maps.Clone(b.used), maps.Clone(b.tops), slices.Clone(b.heads)
	rows, outlined := b.rows, len(b.outlined)
	return func() {
		restore(b.names, names)
		restore(b.partNames, partNames)
		restore(b.used, used)
		restore(b.tops, tops)
		b.heads = heads
		b.rows, b.outlined = rows, b.outlined[:outlined]
	}
}

// restore makes m what saved is.
func restore[K comparable, V any](m, saved map[K]V) {
	clear(m)
	maps.Copy(m, saved)
}

// regionWith is vectorRegion with or without vectors of 16 bytes for numbers of 32 bits, beside 64-bit ones in 32 bytes.
func (b *body) regionWith(short bool, r *region, full bool, parts, axis int) (st strip, ok bool) {
	for _, e := range r.exits {
		if e.To != nil || !r.last {
			st.why = "threads leave it in different ways"
			return st, false
		}
	}
	if full && len(r.exits) > 0 {
		return st, false // not all lanes stay on
	}
	n := b.lanesFor(r, b.width)
	if n == 0 {
		st.why = "it has nothing, or nothing small enough, for vectors"
		return st, false
	}
	saved, line := b.out, b.line
	b.out = strings.Builder{}
	b.parts, b.part, b.axis = parts, 0, axis
	labels := b.labels
	b.labels = map[Stmt]string{} // the region is printed in several forms
	v := &vector{body: b, cubes: map[*Binary]cube{}, lanes: n, width: b.width, weight: 1, full: full, ends: b.ends, short: short, born: map[*Var]string{}, inner: map[Stmt]string{}, loop: map[Stmt]string{},
		need: map[*Var]bool{}, known: map[string]bool{}, joint: map[*Index]bool{}, ranges: map[*Var]Expr{}, ofPart: map[string]bool{}, counters: map[*Var]*For{}}
	b.now = v
	defer func() {
		b.now = nil
		b.parts, b.part = 0, 0
		b.labels = labels
		b.out, b.line = saved, line
		if x := recover(); x != nil {
			no, isNo := x.(noVector)
			if !isNo {
				panic(x)
			}
			st, ok = strip{why: no.why, short: v.shorts}, false
		}
	}()
	v.apart = v.width == 64 && logical(r.stmts) > 1
	v.mask, v.strip = "m", "m"
	v.nest = []string{"m"}
	v.ins(r)
	list := r.stmts
	if r.bound != nil {
		list = r.bound.Then
		if _, rest := splitGuards(r.bound.Cond); len(rest) > 0 {
			list = []Stmt{&If{Cond: conjunction(rest), Then: r.bound.Then, Pos: r.bound.Pos}}
		}
	}
	v.mirror(list)
	v.list(list)
	v.outs()
	if b.of != nil {
		v.leaveBehind(b.of)
	}
	text := v.head() + b.out.String()
	if v.lined {
		text = b.dropUnused(text)
	}
	text = useAll(text, slices.Concat(v.elsewhere, v.paired))
	st = strip{text: text, lanes: n, conds: v.conds, panics: v.panics, parts: max(parts, 1), axis: axis, full: full, guards: v.guards, short: v.shorts}
	gain := 3
	if v.shorts {
		gain = shortGain
		v.single += v.divisions
	}
	if v.native <= gain*v.single {
		st.why = "most of it would be done lane by lane"
		return st, false
	}
	return st, true
}

// logical counts the operations on bits in list. Go 1.26 joins two of them and a load to a VPTERNLOG with an
// operand in memory, which it can't encode; it does not join masked loads.
func logical(list []Stmt) int {
	n := 0
	walk(list, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				if scalarShape(shapeOf(x)) {
					return
				}
				switch x := x.(type) {
				case *Binary:
					switch x.Op {
					case token.AND, token.OR, token.XOR, token.AND_NOT, token.QUO, token.REM:
						n++
					}
				case *Unary:
					n++
				case *Call:
					if _, ok := nativeCall(x); ok {
						n += 2
					} else if x.Name == "math.Abs" || x.Name == "math.Copysign" {
						n++
					}
				}
			})
		})
	})
	return n
}

// m prints the mask of the lanes that are on.
func (v *vector) m() string { return v.partOf(v.mask) }

// partOf prints a mask for the part under way. All parts have all lanes of the strip.
func (v *vector) partOf(mask string) string {
	if v.part == 0 || v.only || mask == v.strip || v.ofPart[mask] {
		return mask
	}
	return fmt.Sprintf("%s_%d", mask, v.part+1)
}

// rank prints the rank of the first lane.
func (v *vector) rank() string { return v.partName("rank") }

// each runs f for each part, or once if all parts have the same in common.
func (v *vector) each(varies bool, f func()) {
	if v.parts <= 1 || v.only {
		f()
		return
	}
	v.shared = map[string]string{}
	n := 1
	if varies {
		n = v.parts
	}
	for v.part = range n {
		f()
	}
	v.part = 0
	v.shared = nil
}

// common puts a value that all parts use into a variable.
func (v *vector) common(s string, sh shape) string {
	if v.parts <= 1 || v.varies(sh) || v.shared == nil {
		return s
	}
	if v.shared[s] == "" {
		v.shared[s] = v.fresh("same")
		v.printf("%s := %s\n", v.shared[s], s)
	}
	return v.shared[s]
}

// head prints the variables that are computed anew.
func (v *vector) head() string {
	saved := v.body.out
	for _, w := range slices.Backward(v.k.Vars) {
		if v.need[w] {
			walkExpr(w.value, func(x Expr) {
				if r, ok := x.(*VarRef); ok && r.V.value != nil && !scalarShape(r.V.Shape) {
					v.need[r.V] = true
				}
			})
		}
	}
	v.body.out = strings.Builder{}
	v.mask = v.strip
	v.known = map[string]bool{}
	for _, w := range v.k.Vars {
		if !v.need[w] {
			continue
		}
		v.each(v.varies(w.Shape), func() {
			e := ""
			if isBool(w.Type) {
				e = v.maskOf(w.value)
			} else {
				e = v.value(w.value)
			}
			v.printf("%s := %s\n", v.name(w), e)
		})
	}
	text := v.out.String()
	v.body.out = saved
	return text
}

// noVector is the panic that gives up on a region.
type noVector struct{ why string }

// ins loads the variables that live in arrays.
func (v *vector) ins(r *region) {
	u := useOf(r.stmts)
	v.body.own, v.body.born = map[*Var]bool{}, map[*Var]bool{}
	for _, s := range r.stmts {
		if a, ok := s.(*Assign); ok && a.Def && len(a.L) == 1 {
			if w, whole := assigned(a.L[0]); w != nil && whole && w.spread {
				v.body.own[w] = true
			}
		}
	}
	v.body.outs = nil
	for _, w := range v.k.Vars {
		if !w.spread || !u.read[w] && !u.written[w] {
			if w.common && u.written[w] {
				panic(noVector{"a variable of the block is assigned"})
			}
			continue
		}
		if scalarShape(w.Shape) || isBool(w.Type) || !v.holds(w.Type) {
			panic(noVector{"a variable that lives across phases has no vector form"})
		}
		if !v.body.own[w] {
			v.each(v.varies(w.Shape), func() { v.printf("%s := %s\n", v.name(w), v.loadText(w.Type, v.slice(v.array[w], w.Type), v.rank())) })
			v.born[w] = v.mask
		}
		if u.written[w] {
			v.body.outs = append(v.body.outs, w)
		}
	}
}

// outs stores those that were assigned.
func (v *vector) outs() {
	for _, w := range v.body.outs {
		if v.body.own[w] && !v.body.born[w] {
			continue
		}
		v.each(true, func() {
			v.printf("%s\n", v.storeText(w.Type, v.slice(v.array[w], w.Type), v.rank(), v.name(w)))
		})
	}
}

// loadText prints the load of a vector.
func (v *vector) loadText(t types.Type, slice, i string) string {
	if v.full && v.mask == v.strip && !v.apart {
		return fmt.Sprintf("%s(%s, %s)", v.vec("Load", t), slice, i)
	}
	return fmt.Sprintf("%s(%s, %s, %s)", v.vec("LoadMasked", t), slice, i, v.lanesOn())
}

// storeText prints the store of a vector.
func (v *vector) storeText(t types.Type, slice, i, value string) string {
	if v.full && v.mask == v.strip {
		return fmt.Sprintf("%s(%s, %s, %s)", v.vec("Store", t), slice, i, value)
	}
	return fmt.Sprintf("%s(%s, %s, %s, %s)", v.vec("StoreMasked", t), slice, i, value, v.m())
}

// slice prints a slice of elements of type t as package vec takes it.
func (v *vector) slice(s string, t types.Type) string {
	switch u := t.Underlying().(*types.Basic); u.Kind() {
	case types.Int:
		return v.vecName() + ".Int64s(" + s + ")"
	case types.Uint, types.Uintptr:
		return v.vecName() + ".Uint64s(" + s + ")"
	}
	if types.Identical(t, types.Unalias(t).Underlying()) {
		return s
	}
	panic(noVector{"elements of a named type"})
}

func (v *vector) list(list []Stmt) {
	v.findCubes(list)
	for i, s := range list {
		v.stmt(s)
		if i+1 == len(list) || !leaves(s) || v.jumps(s) {
			continue
		}
		// Perhaps no lane is left, and nobody to do what is done once for all.
		if v.mask == v.strip && len(v.body.own) > 0 {
			panic(noVector{"a variable that lives across phases is declared after some threads have left"})
		}
		v.printf("if %s != 0 {\n", v.m())
		v.list(list[i+1:])
		v.printf("}\n")
		return
	}
}

// leaves reports whether s has an exit to something outside it.
func leaves(s Stmt) bool {
	inside := map[Stmt]bool{}
	walk([]Stmt{s}, func(x Stmt) { inside[x] = true })
	return anyStmt([]Stmt{s}, func(x Stmt) bool { e, ok := x.(*Exit); return ok && (e.To == nil || !inside[e.To]) })
}

// narrowed runs f under a narrower mask, held in a variable of its own.
func (v *vector) narrowed(mask string, f func()) {
	saved, dirty, known := v.mask, v.dirty, v.known
	v.mask, v.dirty, v.known = mask, false, maps.Clone(v.known)
	v.nest = append(v.nest, mask)
	before := v.moved
	v.moved = map[string]bool{}
	f()
	for name := range v.moved {
		maps.DeleteFunc(known, func(key string, _ bool) bool { return containsWord(key, name) })
		if before != nil {
			before[name] = true
		}
	}
	v.known, v.moved = known, before
	v.nest = v.nest[:len(v.nest)-1]
	if v.dirty {
		v.printf("p.Current = rank\n")
	}
	v.mask, v.dirty = saved, dirty || v.dirty && saved != v.strip
}

// stmt prints a statement for the lanes that are on.
func (v *vector) stmt(s Stmt) {
	v.at(s.Position())
	if v.prog.isRare(s.Position()) {
		defer func(native, single int) { v.native, v.single = native, single }(v.native, v.single)
	}
	switch s := s.(type) {
	case *Assign:
		v.each(v.assignVaries(s), func() { v.assign(s) })
	case *If:
		v.branch(s)
	case *For:
		v.leanSums(s, func() { v.forLoop(s) })
	case *Block:
		v.oneVector()
		l := v.label(s, "block")
		m := v.fresh("mb")
		v.printf("%s := %s\n", m, v.m())
		v.inner[s] = m
		v.printf("%s:\nfor {\n", l)
		v.narrowed(m, func() { v.list(s.Body) })
		v.printf("break %s\n}\n", l)
	case *Exit:
		v.oneVector()
		v.exit(s)
	case *Warp:
		v.warp(s)
	case *Do, *Panic:
		v.each(true, func() { v.lanewise([]Stmt{s}) })
	default:
		panic(noVector{"a statement without vector form"})
	}
}

// oneVector gives up on taking several parts at a time.
func (v *vector) oneVector() {
	if v.parts > 1 && !v.only {
		panic(noVector{"control that several vectors at a time can't have"})
	}
}

// assignVaries reports whether an assignment is done for each part.
func (v *vector) assignVaries(s *Assign) bool {
	for _, l := range s.L {
		if l == nil {
			return true
		}
		if w, _ := assigned(l); w == nil || v.varies(w.Shape) || w.common {
			return true
		}
	}
	return false
}

func (v *vector) fresh(name string) string {
	for {
		n := uniqueName(v.names, name)
		free := true
		for k := 2; k <= max(v.parts, 1); k++ {
			free = free && !v.names[fmt.Sprintf("%s_%d", n, k)]
		}
		if free {
			for k := 2; k <= v.parts; k++ {
				v.names[fmt.Sprintf("%s_%d", n, k)] = true
			}
			return n
		}
	}
}

// assume reports whether s, printed for whole vectors or for the middle of a row, may take its condition to
// hold: it has no else, and is about the place of the thread in the grid, such as x < width-1, so that it
// holds for most. The loop is then over the threads for which it does.
func (v *vector) assume(s *If) bool {
	if !v.full || v.axis == 1 && v.parts > 1 && v.plane == nil || v.weight > 1 || len(s.Else) > 0 || v.branches > 0 || v.mask != v.strip {
		return false
	}
	gs, rest := splitGuards(s.Cond)
	if v.plane != nil && len(gs) == 0 {
		gs, rest = []guard{{op: token.NOT, limit: s.Cond}}, nil
		if shapeOf(s.Cond)[0] != 0 {
			return false
		}
	}
	if v.view != nil && len(gs) == 0 && v.rowGuard(s.Cond) {
		v.guards = append(v.guards, guard{op: token.NOT, limit: s.Cond})
		return true
	}
	if len(gs) == 0 || len(rest) > 0 {
		return false
	}
	inGrid := slices.ContainsFunc(gs, func(g guard) bool {
		return inGridPlace(v.k, g.limit) || g.base != nil && inGridPlace(v.k, g.base)
	})
	for _, g := range gs {
		switch {
		case g.op == token.EQL:
			return false
		case g.op == token.NOT:
			if !v.steady(g.limit) {
				return false
			}
		case !v.steady(g.base) || !v.steady(g.limit):
			return false
		case v.plane == nil && !inGrid && !g.mostly():
			return false
		}
	}
	for _, g := range gs {
		if !slices.ContainsFunc(v.guards, func(h guard) bool { return h == g }) {
			v.guards = append(v.guards, g)
		}
	}
	return true
}

// mostly reports whether g holds for all threads of a row but the first few, such as tid > 0.
func (g guard) mostly() bool {
	n, ok := constInt(g.limit)
	return ok && n <= 4 && (g.op == token.GTR || g.op == token.GEQ)
}

// rowGuard reports whether cond says in which rows of the grid something is done, such as y > 0 && y < height-1.
func (v *vector) rowGuard(cond Expr) bool {
	if shapeOf(cond)[0] != 0 || !v.steady(cond) {
		return false
	}
	for _, t := range terms(cond) {
		b, ok := t.(*Binary)
		if !ok || flipped[b.Op] == 0 || b.Op == token.EQL || !inGridPlace(v.k, b) || shapeOf(b)[1] == 0 && shapeOf(b)[2] == 0 {
			return false
		}
	}
	return true
}

// inGridPlace reports whether e depends on the block's place in the grid.
func inGridPlace(k *Kernel, e Expr) bool {
	found := false
	walkExpr(e, func(x Expr) {
		switch x := x.(type) {
		case *Index3:
			found = found || x.Of == blockIdx || x.Of == origin
		case *VarRef:
			if one := k.single[x.V]; one != nil {
				found = found || inGridPlace(k, one)
			}
		}
	})
	return found
}

// steady reports whether e can be computed before the loop over the threads of a row, for any of them, and
// then holds: it has nothing that the region changes.
func (v *vector) steady(e Expr) bool {
	if mayPanic(e) || loads(e) || hasVariable(e) {
		return false
	}
	written := useOf(v.r.stmts).written
	ok := true
	var visit func(e Expr)
	visit = func(e Expr) {
		walkExpr(e, func(x Expr) {
			if i, isIndex := x.(*Index3); isIndex && (i.Of == laneInWarp || i.Of == warpInBlock) {
				ok = false
			}
			if r, isVar := x.(*VarRef); isVar && !r.V.Param {
				if r.V.value != nil {
					visit(r.V.value)
				} else if written[r.V] || !r.V.common {
					ok = false
				}
			}
		})
	}
	visit(e)
	return ok
}

// under notes that what is printed next is under a condition, if that is the same for the row: checks for the
// row are then needed only if it holds. What it returns ends that.
func (v *vector) under(cond Expr, not bool) func() {
	if !v.full && !v.ends || shapeOf(cond)[0] != 0 || !v.steady(cond) || v.axis == 1 && v.parts > 1 {
		return func() {}
	}
	v.atZero = true
	c := "(" + unparen(v.expr(cond)) + ")"
	v.atZero = false
	if not {
		c = "!" + c
	}
	v.when = append(v.when, c)
	return func() { v.when = v.when[:len(v.when)-1] }
}

// thenOnly reports whether s, printed for whole vectors or for the middle of a row, is left to its first branch: the
// other one has loops that lanes leave one by one, which is for the general form. The condition, the
// same for the block, becomes one of the row.
func (v *vector) thenOnly(s *If) bool {
	if !v.full || len(s.Else) == 0 || !shapeOf(s.Cond).uniform() || !v.steady(s.Cond) || !partingLoops(s.Else) || partingLoops(s.Then) {
		return false
	}
	v.require("(" + unparen(v.expr(s.Cond)) + ")")
	use := useOf(s.Else)
	for _, w := range v.k.Vars {
		if (use.read[w] || use.written[w]) && !declares(s, w) {
			part := v.body.part
			for v.body.part = range max(v.parts, 1) {
				v.elsewhere = append(v.elsewhere, v.name(w))
			}
			v.body.part = part
		}
	}
	return true
}

// useAll makes text use the variables with these names that it has and does not read: Go wants that. A loop that is printed twice
// declares them twice.
func useAll(text string, names []string) string {
	for _, name := range names {
		at := regexp.MustCompile(`(?m)^\s*(\w+, )?`+name+`(, \w+)? := .*\n`).FindAllStringIndex(text, -1)
		if at == nil {
			continue
		}
		assigns := regexp.MustCompile(`(?m)^\s*(\w+, )?` + name + `(, \w+)? \S*= `)
		if !containsWord(assigns.ReplaceAllString(text, ""), name) {
			for _, one := range slices.Backward(at) {
				text = text[:one[1]] + "_ = " + name + "\n" + text[one[1]:]
			}
		}
	}
	return text
}

func (v *vector) branch(s *If) {
	if v.assume(s) {
		v.list(s.Then)
		return
	}
	if v.thenOnly(s) {
		v.branches++
		v.list(s.Then)
		v.branches--
		return
	}
	if sh := shapeOf(s.Cond); sh[0] == 0 {
		if v.varies(sh) {
			v.oneVector()
		}
		known := v.known
		v.known = maps.Clone(known)
		v.blame(s.Cond)
		v.branches++
		defer func() { v.branches-- }()
		v.printf("if %s {\n", v.expr(s.Cond))
		done := v.under(s.Cond, false)
		v.list(s.Then)
		done()
		if len(s.Else) > 0 {
			v.known = maps.Clone(known)
			v.printf("} else {\n")
			done := v.under(s.Cond, true)
			v.list(s.Else)
			done()
		}
		v.known = map[string]bool{}
		v.printf("}\n")
		return
	}
	if v.axis == 1 {
		v.oneVector() // what the rows share would be loaded for the lanes of one of them
	}
	m, e := v.fresh("mt"), ""
	if len(s.Else) > 0 {
		e = v.fresh("me")
	}
	v.each(true, func() {
		c := v.maskOf(s.Cond)
		v.printf("%s := %s & %s\n", v.partOf(m), v.m(), paren(c))
		v.fix(v.partOf(m), c)
		if e != "" {
			v.printf("%s := %s &^ %s\n", v.partOf(e), v.m(), v.partOf(m))
		}
	})
	under := func(mask string, list []Stmt) {
		if mask == "" {
			return
		}
		if len(list) == 0 {
			v.each(true, func() { v.printf("_ = %s\n", v.partOf(mask)) })
			return
		}
		any := mask
		for j := 1; j < v.parts && !v.only; j++ {
			any += fmt.Sprintf("|%s_%d", mask, j+1)
		}
		v.printf("if %s != 0 {\n", any)
		v.narrowed(mask, func() { v.list(list) })
		v.printf("}\n")
	}
	under(m, s.Then)
	under(e, s.Else)
}

// The masks that are known here, in which all lanes are on or none.
type fixedMask int

const (
	allLanes fixedMask = iota + 1
	noLanes
)

var constantMask = regexp.MustCompile(`^\(?(\^?)vec\.Mask\(0x([0-9a-f]+)\)(?: &\^ vec\.Mask\(0x([0-9a-f]+)\))?\)?$`)

// fix notes it if a mask is cond and that is a number. Go would blend with a mask that has all lanes.
func (v *vector) fix(mask, cond string) {
	delete(v.fixed, mask)
	delete(v.kept, mask)
	m := constantMask.FindStringSubmatch(cond)
	if m == nil || !v.full || v.mask != v.strip {
		return
	}
	on, err := strconv.ParseUint(m[2], 16, 64)
	but, err2 := strconv.ParseUint("0"+m[3], 16, 64)
	if err != nil || err2 != nil {
		return
	}
	if m[1] != "" {
		on = ^on
	}
	if v.fixed == nil {
		v.fixed, v.kept = map[string]fixedMask{}, map[string]string{}
	}
	lanes := uint64(1)<<v.lanes - 1
	switch on &^ but & lanes {
	case lanes:
		v.fixed[mask] = allLanes
	case 0:
		v.fixed[mask] = noLanes
	default:
		v.kept[mask] = v.ahead.keepMask(v, on&^but&lanes)
	}
}

// partingLoops reports whether there is a loop in list that lanes leave one by one.
func partingLoops(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool { l, ok := s.(*For); return ok && l.parts[0] != 0 })
}

func paren(s string) string {
	depth := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && !identByte(c) && c != '.':
			return "(" + s + ")"
		}
	}
	return s
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
	if v.fullRounds(s) || v.coast(s) {
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
			if i, limit, ok := v.counts(s); ok && v.full {
				v.lines = &lineSet{i: i, limit: limit, names: map[string]string{}, types: map[string]types.Type{}, bases: map[string]string{}}
			}
			saved := v.body.out
			v.body.out = strings.Builder{}
			head()
			v.inner[s] = round
			v.loop[s] = v.mask
			if round != v.mask {
				v.narrowed(round, func() { v.list(s.Body) })
			} else {
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
			v.printf("%s := %s\n", round, in)
			v.inner[s] = round
			body := v.label2(s)
			v.printf("%s:\nfor {\n", body)
			v.narrowed(round, func() { v.list(s.Body) })
			v.printf("break %s\n}\n", body)
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

// variesIn reports whether list assigns something that is not the same for all parts.
func (v *vector) variesIn(list []Stmt) bool {
	return anyStmt(list, func(s Stmt) bool {
		a, ok := s.(*Assign)
		return !ok || v.assignVaries(a)
	})
}

// scalarList reports whether list only changes scalars.
func (v *vector) scalarList(list []Stmt) bool {
	for _, s := range list {
		a, ok := s.(*Assign)
		if !ok || len(a.L) != 1 {
			return false
		}
		w, whole := assigned(a.L[0])
		if w == nil || !whole || !scalarShape(w.Shape) {
			return false
		}
	}
	return true
}

// exit takes the lanes that are on out of the masks up to the target.
func (v *vector) exit(e *Exit) {
	var until string // the outermost mask that loses the lanes
	switch to := e.To.(type) {
	case nil:
		until = v.strip
	case *For:
		until = v.inner[to]
		if !e.Continue {
			until = v.loop[to]
		}
		if to.parts[0] == 0 && (v.inner[to] == v.mask || !e.Continue) {
			// All lanes go together.
			if e.Continue {
				v.printf("continue %s\n", v.label(to, "loop"))
			} else {
				v.printf("break %s\n", v.label(to, "loop"))
			}
			return
		}
	case *Block:
		until = v.inner[to]
	}
	cur := v.mask
	if cur == until && e.To != nil {
		// All that are left there leave.
		switch to := e.To.(type) {
		case *Block:
			v.printf("break %s\n", v.label(to, "block"))
			return
		case *For:
			if e.Continue {
				v.printf("break %s\n", v.label2(to))
				return
			}
		}
	}
	if to, ok := e.To.(*For); ok && v.leavesWhole(e) {
		v.printf("break %s\n", v.label(to, "loop"))
		return
	}
	for i := len(v.nest) - 1; i >= 0; i-- {
		m := v.nest[i]
		if m != cur {
			v.printf("%s &^= %s\n", m, cur)
		}
		if m == until {
			break
		}
	}
	v.printf("%s = 0\n", cur)
}

// leavesWhole reports whether all lanes that still run a loop that they leave one by one leave it together, with e.
func (v *vector) leavesWhole(e *Exit) bool {
	to, ok := e.To.(*For)
	return ok && !e.Continue && to.parts[0] != 0 && !to.continues && v.inner[to] != "" && v.mask == v.inner[to]
}

// jumps reports whether s is a branch that all lanes take, or none, and that ends as they leave the loop together.
func (v *vector) jumps(s Stmt) bool {
	c, ok := s.(*If)
	if !ok || len(c.Else) > 0 || len(c.Then) == 0 || shapeOf(c.Cond)[0] != 0 {
		return false
	}
	last := len(c.Then) - 1
	e, ok := c.Then[last].(*Exit)
	return ok && v.leavesWhole(e) && !leaves(&Block{Body: c.Then[:last]})
}

// blame makes the first lane that is on the one to blame if e, which is done once for all lanes, panics.
func (v *vector) blame(e Expr) {
	if !mayPanic(e) || v.scalarsHold(e) {
		return
	}
	v.panics = true
	if v.parts > 1 && v.mask != v.strip && v.varies(shapeOf(e)) {
		v.oneVector() // it must not be done for a part of which no lane is on
	}
	if v.mask == v.strip && v.part == 0 {
		return // the first thread of the strip is the current one
	}
	v.printf("p.Current = %s + %s.TrailingZeros32(uint32(%s))\n", v.rank(), v.importName("math/bits", "bits"), v.m())
	v.dirty = true
}

// assign prints an assignment.
func (v *vector) assign(s *Assign) {
	v.lead(s)
	if len(s.L) != 1 {
		v.lanewise([]Stmt{s})
		return
	}
	l := s.L[0]
	if l == nil {
		if sh := shapeOf(s.R); scalarShape(sh) && sh[0] == 0 {
			v.blame(s.R)
			v.printf("_ = %s\n", v.expr(s.R))
			return
		}
		if ix, ok := s.R.(*Index); ok && shapeOf(ix.I)[0] == 1 && !unsigned(ix.I.Type()) {
			if _, length, ok := v.memory(ix); ok {
				first := v.firstIndex(ix)
				v.check(length, first, 1, ix)
				v.printf("_ = %s\n", first)
				v.useNames(ix.I)
				return
			}
		}
		v.lanewise([]Stmt{s})
		return
	}
	if w, whole := assigned(l); w != nil {
		if w.value != nil && s.Def {
			return
		}
		if scalarShape(w.Shape) {
			v.blame(s.R)
			v.assignment(s)
			if !s.Def {
				v.known = map[string]bool{}
				v.moves(w)
			}
			return
		}
		if !whole || !isBool(w.Type) && !v.holds(w.Type) {
			v.lanewise([]Stmt{s})
			return
		}
		v.native += v.weight
		if isBool(w.Type) {
			m := v.maskOf(s.R)
			switch {
			case s.Def:
				v.printf("%s := %s\n", v.name(w), m)
				v.elsewhere = append(v.elsewhere, v.name(w))
				v.born[w] = v.mask
				v.bear(w)
			case v.born[w] == v.mask:
				v.printf("%s = %s\n", v.name(w), m)
			default:
				v.printf("%s = (%s &^ %s) | (%s & %s)\n", v.name(w), v.name(w), v.m(), paren(m), v.m())
			}
			return
		}
		if s.Def && isZero(s.R) {
			v.printf("var %s %s.%s\n", v.name(w), v.vecName(), v.suffix(w.Type))
			v.born[w] = v.mask
			v.bear(w)
			return
		}
		e := v.value(s.R)
		switch {
		case s.Def:
			v.printf("%s := %s\n", v.name(w), e)
			v.elsewhere = append(v.elsewhere, v.name(w)) // other regions may compute it anew
			v.born[w] = v.mask
			v.bear(w)
		case v.born[w] == v.mask, v.lost(w):
			v.printf("%s = %s\n", v.name(w), e)
		default:
			switch v.fixed[v.m()] {
			case allLanes:
				v.printf("%s = %s\n", v.name(w), e)
			case noLanes:
				v.printf("_ = %s\n", e)
			default:
				if kept := v.kept[v.m()]; kept != "" {
					if size := elemSizes[elem(w.Type)]; size == 4 {
						v.printf("%s = %s(%s, %s, %s)\n", v.name(w), v.vec("Blend", w.Type), kept, e, v.name(w))
						break
					}
				}
				v.printf("%s = %s(%s, %s, %s)\n", v.name(w), v.vec("Select", w.Type), v.m(), e, v.name(w))
			}
		}
		return
	}
	v.store(s)
}

// moves notes that w has changed: what has been checked with it is not known behind the mask either.
func (v *vector) moves(w *Var) {
	if v.moved != nil {
		v.moved[v.name(w)] = true
	}
}

// useNames uses the variables of an index that may be needed for nothing else: its check can have moved away.
func (v *vector) useNames(e Expr) {
	walkExpr(e, func(x Expr) {
		if r, ok := x.(*VarRef); ok && !r.V.Param && !r.V.common && r.V.value == nil {
			v.printf("_ = %s\n", v.name(r.V))
		}
	})
}

func (v *vector) bear(w *Var) {
	if w.spread {
		v.body.born[w] = true
	}
}

// store prints an assignment to memory.
func (v *vector) store(s *Assign) {
	l, ok := s.L[0].(*Index)
	if !ok || isBool(l.T) || !v.holds(l.T) || elem(l.T) == "" {
		v.lanewise([]Stmt{s})
		return
	}
	base, array, okBase := v.memory(l)
	if !okBase {
		v.lanewise([]Stmt{s})
		return
	}
	i := narrowIndex(l.I)
	switch sh := shapeOf(l.I)[0]; {
	case sh == 1 && !unsigned(l.I.Type()):
		e := v.value(s.R)
		v.storing = true
		ix := v.firstIndex(l)
		v.storing = false
		v.check(array, ix, 1, l)
		v.printf("%s\n", v.storeText(l.T, v.slice(base, l.T), ix, e))
		v.native += v.weight
	case stride(sh) && !unsigned(l.I.Type()):
		e := v.value(s.R)
		ix := v.firstIndex(l)
		v.check(array, ix, int(sh), l)
		if v.downwards(sh, l.T) {
			v.printf("%s\n", v.storeText(l.T, v.slice(base, l.T), v.last(ix), fmt.Sprintf("%s(%s)", v.vec("Reverse", l.T), e)))
			v.native += v.weight
			return
		}
		v.printf("%s(%s, %s, %d, %s, %s)\n", v.vec("ScatterStride", l.T), v.slice(base, l.T), ix, sh, e, v.lanesOn())
		v.native += v.weight
	case sh == noStep && v.indexVector(i):
		e := v.value(s.R)
		idx := v.checkedIndex(i, array)
		v.printf("%s(%s, %s, %s, %s)\n", v.vec("Scatter"+v.indexForm(i), l.T), v.slice(base, l.T), idx, e, v.m())
		v.single += v.weight
	default:
		v.lanewise([]Stmt{s})
	}
}

// stride reports whether s is the distance of the elements of neighbouring lanes: a number, not too large.
func stride(s step) bool { return s != 0 && s > -1<<20 && s < 1<<20 }

// downwards reports whether lanes with this step are neighbours the other way round, for a vector to be loaded or
// stored and reversed: all lanes are on, and package vec can reverse the type.
func (v *vector) downwards(s step, t types.Type) bool {
	return s == -1 && v.full && v.mask == v.strip && !v.apart && elemSizes[elem(t)] >= 4
}

// last prints the index of the last lane of elements that go downwards from ix.
func (v *vector) last(ix string) string { return fmt.Sprintf("%s-%d", ix, v.lanes-1) }

// lanesOn prints the mask of the lanes that are on as an argument, which is a constant if all are.
func (v *vector) lanesOn() string {
	if v.full && v.mask == v.strip {
		return fmt.Sprintf("%d", uint32(1)<<v.lanes-1)
	}
	return v.m()
}

// memory returns how the elements of an index are reached: as a slice, and its length.
func (v *vector) memory(l *Index) (slice, length string, ok bool) {
	if shapeOf(l.X)[0] != 0 {
		return "", "", false
	}
	switch t := l.X.Type().Underlying().(type) {
	case *types.Slice:
		s := v.expr(l.X)
		if !simple(l.X) {
			s = v.simpleText(s)
		}
		return s, "len(" + s + ")", true
	case *types.Array:
		if w, _ := assigned(l.X); w != nil {
			return "", "", false
		}
		v.blame(l.X)
		name := v.fresh("line")
		v.printf("%s := %s[:]\n", name, v.primary(l.X))
		return name, fmt.Sprint(t.Len()), true
	}
	return "", "", false
}

// firstIndex prints the index of the first lane.
func (v *vector) firstIndex(l *Index) string {
	if s, ok := v.plane.place(v, l); ok {
		return s
	}
	s := v.intText(l.I)
	if strings.ContainsAny(s, " (") && v.parts > 1 && !v.varies(shapeOf(l.I)) && v.shared != nil {
		return v.common(s, shapeOf(l.I))
	}
	return v.simpleText(s)
}

// simpleText puts an expression into a variable, unless it is a name or a number.
func (v *vector) simpleText(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && identByte(s[i])
	}
	if plain {
		return s
	}
	name := v.fresh("i")
	v.printf("%s := %s\n", name, s)
	return name
}

// check prints the check of the indices ix, ix+step, ...
func (v *vector) check(length, ix string, step int, l *Index) {
	if v.part > 0 && v.joint[l] {
		return
	}
	v.joint[l] = false
	key := fmt.Sprintf("%s %s %d", length, ix, step)
	if v.known[key] {
		return
	}
	v.known[key] = true
	if v.together.covers(v, l, length, step) || step == 1 && v.ahead.covers(v, l) {
		return
	}
	if (v.full || v.ends) && (step == 1 && v.hoistCheck(l, length, "hi") || step != 1 && v.hoistSteps(l, length, int64(step))) {
		return
	}
	v.panics = true
	lanes, on := v.lanes, fmt.Sprintf("uint32(%s)", v.m())
	if v.jointly(l) {
		v.joint[l] = true
		lanes, on = v.parts*v.lanes, fmt.Sprint(uint32(1)<<(v.parts*v.lanes)-1)
	}
	outside := fmt.Sprintf("%s < 0 || %s > %s-%d", ix, ix, length, (lanes-1)*step+1)
	if step < 0 {
		outside = fmt.Sprintf("%s < %d || %s >= %s", ix, (lanes-1)*-step, ix, length)
	}
	v.printf("if %s {\np.Outside(%s, %s, %s, %d, %s)\n}\n", outside, v.rank(), on, ix, step, length)
}

// jointly reports whether the indices of all parts, which are neighbours, can be checked at once, by the first part: all
// parts come here, with all lanes.
func (v *vector) jointly(l *Index) bool {
	return v.full && v.parts > 1 && v.parts*v.lanes <= 32 && v.axis == 0 && v.part == 0 && v.shared != nil &&
		v.mask == v.strip && v.varies(shapeOf(l.I))
}

// hoistCheck makes the check of an index a condition of the row, if it can be: the index is made of what is
// known before the loop over the threads, and of variables of loops that count. hi is how many lanes, or
// nothing for an index that is the same for all.
func (v *vector) hoistCheck(l *Index, length, hi string) bool {
	if !v.knownSlice(l.X) {
		return false
	}
	if loads(l.I) || v.bits(l.I) > mostBits {
		return false
	}
	down, ok := v.rowWideIndex(l.I)
	if !ok {
		return false
	}
	v.straight = v.plane.straight(v, l)
	defer func() { v.straight = false }()
	low, high := v.extremes(l.I, hi != "", down)
	conds := []string{low + " >= 0", high + " < " + length}
	if hi != "" {
		conds = []string{low + "+lo >= 0", high + " <= " + length + "-hi"}
	}
	if low == "(0)" {
		conds = conds[1:] // lo is never negative
	}
	if low != high {
		// From low to high it must not wrap around: the loops are short, and low is no large number.
		conds = append(conds, low+" <= "+length)
		conds = append(conds, v.shortLoops()...)
	}
	for _, c := range conds {
		v.require(c)
	}
	return true
}

// knownSlice reports whether e is an array, or a slice that is there before the loop over the threads of a row, under
// the same name.
func (v *vector) knownSlice(e Expr) bool {
	if _, arr := e.Type().Underlying().(*types.Array); arr {
		return true
	}
	if r, ok := e.(*VarRef); ok && !r.V.Param && !r.V.common {
		return false
	}
	return simple(e) && v.rowWide(e)
}

// hoistSteps is hoistCheck for an index that grows by step along x, a number other than 0 and 1.
func (v *vector) hoistSteps(l *Index, length string, step int64) bool {
	if !v.knownSlice(l.X) {
		return false
	}
	if loads(l.I) || v.bits(l.I) > mostBits || step <= -1<<20 || step >= 1<<20 {
		return false
	}
	down, ok := v.rowWideIndex(l.I)
	if !ok {
		return false
	}
	v.straight = v.plane.straight(v, l)
	defer func() { v.straight = false }()
	low, high := v.extremes(l.I, true, down)
	first, last := "lo", "(hi-1)"
	if step < 0 {
		first, last = last, first
	}
	// Nothing may wrap around from the first to the last.
	if step > 0 {
		v.require(high + " <= " + length)
	} else {
		v.require(low + " >= 0")
	}
	if low != high {
		v.require(low + " <= " + length)
		for _, c := range v.shortLoops() {
			v.require(c)
		}
	}
	v.require(fmt.Sprintf("%s+%d*%s >= 0", low, step, first))
	v.require(fmt.Sprintf("%s+%d*%s < %s", high, step, last, length))
	return true
}

// shortLoop is how many rounds loops have at most, and how large factors are; see bits.
const shortLoop = 1 << 30

// mostBits is how large the part of an index that depends on counters may be, as a power of two, so that neither it nor
// its sum with the place of an element wraps around.
const mostBits = 61

// bits returns a number such that the part of e that depends on the variables of loops that count is no more than two to the
// power of it, under the conditions that the loops are short and that factors are no more than shortLoop. It is 0 if there
// is no such part.
func (v *vector) bits(e Expr) int {
	const many = 1000
	if !v.counted(e) {
		return 0
	}
	switch x := e.(type) {
	case *VarRef:
		if limit := v.ranges[x.V]; limit != nil {
			if n, ok := constInt(limit); ok && n >= 0 && n <= shortLoop {
				return max(1, bits.Len64(uint64(max(n-1, 0))))
			}
			return bits.Len64(shortLoop - 1)
		}
		if one := v.k.single[x.V]; one != nil {
			return v.bits(one)
		}
	case *Convert:
		return v.bits(x.X)
	case *Binary:
		a, b := v.bits(x.X), v.bits(x.Y)
		switch x.Op {
		case token.ADD, token.SUB:
			if a > 0 && b > 0 {
				return max(a, b) + 1
			}
			return max(a, b)
		case token.MUL:
			if a > 0 && b > 0 {
				return many
			}
			factor := x.X
			if a > 0 {
				factor = x.Y
			}
			if n, ok := constInt(factor); ok && n >= 0 {
				return a + b + bits.Len64(uint64(max(n-1, 0)))
			}
			return a + b + bits.Len64(shortLoop-1)
		}
	}
	return many
}

// shortLoops returns the conditions that the loops around are short.
func (v *vector) shortLoops() []string {
	var conds []string
	for _, w := range v.counting {
		if n, ok := constInt(v.ranges[w]); !ok || n > shortLoop {
			_, most := v.extremes(v.ranges[w], false, nil)
			conds = append(conds, fmt.Sprintf("%s <= %d", most, shortLoop))
		}
	}
	return conds
}

// hoistLimited is hoistCheck for an index that its type or a mask keeps below some number.
func (v *vector) hoistLimited(l *Index, length string) bool {
	n, ok := v.limit(l.I)
	if !ok || n >= 1<<20 {
		return false
	}
	if !v.knownSlice(l.X) {
		return false
	}
	v.require(fmt.Sprintf("%d < %s", n, length))
	return true
}

// limit returns the greatest value that e, an integer, can have, if it can't be negative.
func (v *vector) limit(e Expr) (int64, bool) {
	switch x := e.(type) {
	case *VarRef:
		if one := v.k.single[x.V]; one != nil {
			if n, ok := v.limit(one); ok {
				return n, true
			}
		}
	case *Convert:
		n, ok := v.limit(x.X)
		if ok && isInteger(x.T) && n <= maxOf(x.T) {
			return n, true
		}
	case *Binary:
		switch x.Op {
		case token.AND:
			for _, y := range []Expr{x.X, x.Y} {
				if n, ok := constInt(y); ok && n >= 0 {
					return n, true
				}
			}
		case token.REM:
			if n, ok := constInt(x.Y); ok && n > 0 && unsigned(x.T) {
				return n - 1, true
			}
		case token.SHR:
			if k, ok := constInt(x.Y); ok && k >= 0 {
				if n, ok := v.limit(x.X); ok {
					return n >> min(k, 63), true
				}
			}
		}
	}
	switch elem(e.Type()) {
	case "U8", "U16", "U32":
		return maxOf(e.Type()), true
	}
	return 0, false
}

// maxOf is the greatest value of an integer type.
func maxOf(t types.Type) int64 {
	switch elem(t) {
	case "U8":
		return math.MaxUint8
	case "I8":
		return math.MaxInt8
	case "U16":
		return math.MaxUint16
	case "I16":
		return math.MaxInt16
	case "U32":
		return math.MaxUint32
	case "I32":
		return math.MaxInt32
	case "I64", "U64":
		return math.MaxInt32 // an int may have 32 bits
	}
	return -1
}

// extremes prints the least and the greatest value that e has in the loops around, at threadIdx.x 0 if so. It falls with
// the counters in down, and does not with others.
func (v *vector) extremes(e Expr, atZero bool, down map[*Var]bool) (low, high string) {
	at := func(last bool) string {
		v.stand = map[*Var]string{}
		for _, w := range v.counting { // from the outside in: a limit may depend on the loops around
			v.stand[w] = "0"
			if last != down[w] {
				v.stand[w] = v.lastOf(w)
			}
		}
		v.atZero = atZero
		s := v.intText(e)
		v.atZero = false
		v.stand = nil
		return "(" + unparen(s) + ")"
	}
	return at(false), at(true)
}

// lastOf returns the last value of w, the variable of a loop that counts, or a greater one.
func (v *vector) lastOf(w *Var) string {
	limit := v.ranges[w]
	if l := v.counters[w]; l != nil {
		n, isConst := constInt(limit)
		step, ok := constInt(l.Post[0].(*Assign).R.(*Binary).Y)
		if isConst && ok && n > 0 && step > 1 {
			return fmt.Sprint((n - 1) / step * step)
		}
	}
	return "(" + v.expr(limit) + " - 1)"
}

// rowWideIndex is rowWide for an index, which may fall with some of the variables of loops that count, down, if it does not
// rise with the same ones elsewhere.
func (v *vector) rowWideIndex(e Expr) (down map[*Var]bool, ok bool) {
	v.falling = true
	ok = v.rowWide(e)
	v.falling = false
	if !ok {
		return nil, false
	}
	signs := map[*Var]int{}
	if !v.signs(e, 1, signs) {
		return nil, false
	}
	for w, sign := range signs {
		if sign < 0 {
			if down == nil {
				down = map[*Var]bool{}
			}
			down[w] = true
		}
	}
	if down != nil {
		for _, w := range v.counting {
			if v.counted(v.ranges[w]) {
				return nil, false // the ends of one loop are not those of the other
			}
		}
	}
	return down, true
}

// signs notes whether e rises or falls with each variable of a loop that counts. It reports false if one does both.
func (v *vector) signs(e Expr, sign int, of map[*Var]int) bool {
	switch x := e.(type) {
	case *VarRef:
		switch {
		case v.ranges[x.V] != nil:
			if of[x.V] == -sign {
				return false
			}
			of[x.V] = sign
		case x.V.value != nil:
			return v.signs(x.V.value, sign, of)
		case v.k.single[x.V] != nil:
			return v.signs(v.k.single[x.V], sign, of)
		}
		return true
	case *Convert:
		return v.signs(x.X, sign, of)
	case *Binary:
		switch x.Op {
		case token.ADD, token.MUL: // factors are not negative; see rowWideOf
			return v.signs(x.X, sign, of) && v.signs(x.Y, sign, of)
		case token.SUB:
			return v.signs(x.X, sign, of) && v.signs(x.Y, -sign, of)
		}
	}
	return !v.counted(e)
}

// require makes c a condition of the row, or of those for which the conditions around hold.
func (v *vector) require(c string) {
	when := strings.Join(distinct(v.when), " && ")
	if v.plane != nil && (!v.straight && v.plane.differs(c) || v.plane.differs(when)) {
		v.plane.bent = true
	}
	if v.required == nil {
		v.required = map[string]bool{}
	}
	if v.required[c] || v.required[when+" -> "+c] {
		return
	}
	if when == "" {
		v.required[c] = true
		v.conds = append(v.conds, c)
		return
	}
	v.required[when+" -> "+c] = true
	prefix := "(!(" + when + ") || "
	if n := len(v.conds); n > 0 && strings.HasPrefix(v.conds[n-1], prefix) {
		v.conds[n-1] = strings.TrimSuffix(v.conds[n-1], ")") + " && " + c + ")"
		return
	}
	v.conds = append(v.conds, prefix+c+")")
}

// unparen takes parentheses around all of s away.
func unparen(s string) string {
	for len(s) > 1 && s[0] == '(' && s[len(s)-1] == ')' {
		depth := 0
		for i := range len(s) - 1 {
			switch s[i] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				return s // the first one is closed before the end
			}
		}
		s = s[1 : len(s)-1]
	}
	return s
}

// rowWide reports whether the least and the greatest value of e are known before the loop over the threads of
// a row: it is a sum of what is, and of variables of loops, with factors that are not negative.
func (v *vector) rowWide(e Expr) bool { return v.rowWideOf(e, nil) }

// notNegative makes it a condition of the row that e, a factor of a variable that counts, is not negative, if e is a
// parameter or a variable of the block, of which rowWideOf has seen that it keeps its value.
func (v *vector) notNegative(e Expr) bool {
	r, ok := e.(*VarRef)
	if !ok || !r.V.Param && !r.V.common || unsigned(r.V.Type) {
		return false
	}
	v.require(v.intText(e) + " >= 0")
	v.require(v.intText(e) + fmt.Sprintf(" <= %d", shortLoop))
	return true
}

// counted reports whether e depends on a variable of a loop that counts.
func (v *vector) counted(e Expr) bool {
	found := false
	walkExpr(e, func(x Expr) {
		if r, ok := x.(*VarRef); ok && !found {
			one := v.k.single[r.V]
			found = v.ranges[r.V] != nil || one != nil && v.counted(one) || r.V.value != nil && v.counted(r.V.value)
		}
	})
	return found
}

// rowWideOf is rowWide for e as the value of a variable, which has kept what e was when it was computed: e
// must not have changed since.
func (v *vector) rowWideOf(e Expr, of *Var) bool {
	counts := v.counted
	switch x := e.(type) {
	case *Index3:
		return x.Of != laneInWarp && x.Of != warpInBlock // they differ from strip to strip
	case *Const, *Rank:
		return true
	case *VarRef:
		if x.V.Param {
			return true
		}
		if v.ranges[x.V] != nil {
			return of == nil || localTo(v.counters[x.V], of)
		}
		if x.V.common {
			// A variable of this region was computed in it, and nothing in it changes x.
			inRegion := of != nil && !of.spread && !of.common
			return !v.copiesOut(x.V) && (of == nil || inRegion || v.k.single[x.V] != nil)
		}
		if x.V.value != nil {
			return !hasVariable(x.V.value) && v.rowWideOf(x.V.value, x.V)
		}
		if one := v.k.single[x.V]; one != nil {
			return v.rowWideOf(one, x.V)
		}
		return false
	case *Convert:
		return wide(x.T) && wide(x.X.Type()) && v.rowWideOf(x.X, of)
	case *Call:
		return x.Fn == nil && (x.Name == "len" || x.Name == "cap") && simple(x.Args[0]) && v.rowWideOf(x.Args[0], of)
	case *Binary:
		if !v.rowWideOf(x.X, of) || !v.rowWideOf(x.Y, of) {
			return false
		}
		if (!wide(x.T) || unsigned(x.T)) && (counts(x) || !shapeOf(x).uniform()) {
			return false // it may wrap around where its ends don't show it
		}
		switch x.Op {
		case token.ADD:
			return true
		case token.SUB:
			return v.falling || !counts(x.Y)
		case token.MUL:
			if n, ok := constInt(x.Y); ok && n >= 0 && n <= shortLoop {
				return true
			}
			if n, ok := constInt(x.X); ok && n >= 0 && n <= shortLoop {
				return true
			}
			cx, cy := counts(x.X), counts(x.Y)
			switch {
			case !cx && !cy:
				return true
			case cx && cy:
				return false
			case cx:
				return v.notNegative(x.Y)
			}
			return v.notNegative(x.X)
		}
		return !counts(x) && !mayPanic(x)
	}
	return false
}

// scalarsHold makes the checks of all indices in e, which is the same for all lanes, conditions of the row.
func (v *vector) scalarsHold(e Expr) bool {
	if !v.full {
		return false
	}
	ok := true
	var visit func(e Expr)
	visit = func(e Expr) {
		switch x := e.(type) {
		case *Index:
			length := ""
			switch t := x.X.Type().Underlying().(type) {
			case *types.Slice:
				length = "len(" + v.expr(x.X) + ")"
			case *types.Array:
				length = fmt.Sprint(t.Len())
				visit(x.X)
			default:
				ok = false
				return
			}
			ok = ok && v.hoistCheck(x, length, "")
			return
		case *Slice, *Deref, *Method, *Composite, *Addr:
			ok = false
			return
		case *Field:
			if isPointer(x.X.Type()) {
				ok = false
				return
			}
		case *Call:
			if !x.Pure {
				ok = false
				return
			}
		case *Binary:
			if x.Op == token.QUO || x.Op == token.REM || x.Op == token.SHL || x.Op == token.SHR {
				if y := *x; mayPanic(&Binary{y.Op, &Const{constant.MakeInt64(1), intType}, y.Y, y.T}) {
					ok = false
					return
				}
			}
		case *Convert:
			if !basic(x.T) || !basic(x.X.Type()) {
				ok = false
				return
			}
		}
		subexprs(e, visit)
	}
	visit(e)
	return ok
}

// copiesOut reports whether the region assigns a variable of the block.
func (v *vector) copiesOut(w *Var) bool { return useOf(v.r.stmts).written[w] }

// indexVector reports whether an index that differs can be a vector for gathers.
func (v *vector) indexVector(i Expr) bool {
	switch elem(i.Type()) {
	case "I32", "U32", "I16", "U16", "I8", "U8", "I64", "U64":
		return v.holds(i.Type())
	}
	return false
}

// indexForm is the part of the name of Gather and Scatter that says what the indices are.
func (v *vector) indexForm(i Expr) string {
	switch elem(i.Type()) {
	case "I64", "U64":
		return "64"
	}
	return ""
}

// checkedIndex prints indices into a variable, and their check.
func (v *vector) checkedIndex(i Expr, length string) string {
	e := v.value(i)
	name := v.fresh("at")
	kind := "I32"
	if v.indexForm(i) != "" {
		kind = "I64"
	}
	own := elem(i.Type())
	switch own {
	case kind:
	default:
		e = fmt.Sprintf("%s.Cvt%sx%d_%sx%d(%s)", v.vecName(), own, v.lanes, kind, v.lanes, e)
	}
	v.printf("%s := %s\n", name, e)
	t := v.fresh("t")
	v.printf("if !%s.InRange%sx%d(%s, %s, %s) {\n", v.vecName(), kind, v.lanes, name, length, v.m())
	back := name
	if own == "U32" || own == "U64" {
		back = fmt.Sprintf("%s.Cvt%sx%d_%sx%d(%s)", v.vecName(), kind, v.lanes, own, v.lanes, name)
	} else {
		own = kind
	}
	v.printf("%s := %s.ToArray%sx%d(%s)\n%s.OutsideAt(p, %s, uint32(%s), %s[:], %s)\n}\n",
		t, v.vecName(), own, v.lanes, back, v.core(), v.rank(), v.m(), t, length)
	return name
}

// value prints e as a vector.
func (v *vector) value(e Expr) string {
	sh := shapeOf(e)
	t := e.Type()
	if sh[0] == 0 {
		v.blame(e)
		s := fmt.Sprintf("%s(%s)", v.vec("Splat", t), v.cast(e, t))
		if !v.launchConstant(e) {
			return v.common(s, sh)
		}
		return v.all(s)
	}
	if scalarShape(sh) {
		return fmt.Sprintf("%s(%s, %d)", v.vec("Iota", t), v.cast(e, t), sh[0])
	}
	if !v.holds(t) {
		panic(noVector{"a type without vectors of this many lanes"})
	}
	v.native += v.weight
	switch e := e.(type) {
	case *VarRef:
		if e.V.value != nil {
			v.need[e.V] = true
		}
		return v.name(e.V)
	case *Unary:
		switch e.Op {
		case token.SUB:
			return fmt.Sprintf("%s(%s)", v.vec("Neg", t), v.value(e.X))
		case token.ADD:
			return v.value(e.X)
		case token.XOR:
			return fmt.Sprintf("%s(%s)", v.vec("Not", t), v.value(e.X))
		}
	case *Binary:
		return v.binary(e)
	case *Convert:
		if name, x, ok := mathCall(e); ok {
			if f := v.mathName(name); f != "" {
				if s, ok := v.mirroredValue(e, f, x); ok {
					return s
				}
				return fmt.Sprintf("%s(%s)", v.vec(f, t), v.value(x))
			}
			break
		}
		if n, ok := nativeCall(e); ok {
			if s, ok := v.nativeValue(e, n); ok {
				return s
			}
			break
		}
		from, to := elem(e.X.Type()), elem(t)
		if sh := shapeOf(e.X); scalarShape(sh) && wide(e.X.Type()) && (to != "F32" || !unsigned(e.X.Type())) {
			// The steps of an index, in another type.
			switch to {
			case "F32":
				return fmt.Sprintf("%s(%s, %d)", v.vec("Count", t), v.intText(e.X), sh[0])
			case "F64":
			default:
				return fmt.Sprintf("%s(%s(%s), %s)", v.vec("Iota", t), elemGo[to], v.body.expr(e.X), wrapped(int64(sh[0]), to))
			}
		}
		if from == "" || !v.holds(e.X.Type()) {
			break
		}
		if from == to {
			return v.value(e.X)
		}
		return fmt.Sprintf("%s.Cvt%sx%d_%sx%d(%s)", v.vecName(), from, v.lanes, to, v.lanes, v.value(e.X))
	case *Index:
		if s, ok := v.load(e); ok {
			return s
		}
	case *Call:
		if (e.Name == "min" || e.Name == "max") && e.Fn == nil {
			verb := map[string]string{"min": "Min", "max": "Max"}[e.Name]
			s := v.value(e.Args[0])
			for _, a := range e.Args[1:] {
				s = fmt.Sprintf("%s(%s, %s)", v.vec(verb, t), s, v.value(a))
			}
			return s
		}
		if name, x, ok := mathCall(e); ok {
			if f := v.mathName(name); f != "" {
				if s, ok := v.mirroredValue(e, f, x); ok {
					return s
				}
				return fmt.Sprintf("%s(%s)", v.vec(f, t), v.value(x))
			}
		}
		if n, ok := nativeCall(e); ok {
			if s, ok := v.nativeValue(e, n); ok {
				return s
			}
		}
	}
	v.native -= v.weight
	return v.lanewiseValue(e)
}

// launchConstant reports whether e is the same for the whole launch and costs nothing to compute.
func (v *vector) launchConstant(e Expr) bool {
	switch x := e.(type) {
	case *Const:
		return true
	case *VarRef:
		return x.V.Param
	}
	return false
}

// wrapped prints n as a constant of the given element type, which may be too small for it.
func wrapped(n int64, kind string) string {
	switch kind {
	case "I32":
		n = int64(int32(n))
	case "U32":
		n = int64(uint32(n))
	case "I16":
		n = int64(int16(n))
	case "U16":
		n = int64(uint16(n))
	case "I8":
		n = int64(int8(n))
	case "U8":
		n = int64(uint8(n))
	case "U64":
		return fmt.Sprint(uint64(n))
	}
	return fmt.Sprint(n)
}

// mathName is the vector form of a function of package math, if it gives the same, or if the kernel allows
// approximations.
func (b *body) mathName(name string) string {
	switch name {
	case "Sqrt", "Abs", "Floor", "Ceil", "Trunc", "RoundToEven":
		return name
	}
	if !b.k.Fastmath || !b.prog.hasVec(name) {
		return ""
	}
	return name
}

// cast prints a scalar as package vec takes it.
func (v *vector) cast(e Expr, t types.Type) string {
	want := elemGo[elem(t)]
	if c, ok := e.(*Const); ok {
		return v.constant(c.Val, t, false)
	}
	if u, ok := t.(*types.Basic); ok && u.Name() == want || types.Identical(t, types.Typ[types.Uint8]) {
		return v.expr(e)
	}
	return want + "(" + v.expr(e) + ")"
}

func (v *vector) binary(e *Binary) string {
	t := e.T
	verb := map[token.Token]string{token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.AND: "And",
		token.OR: "Or", token.XOR: "Xor", token.AND_NOT: "AndNot"}[e.Op]
	if v.k.Fastmath && isFloat(t) {
		if s, ok := v.fast(e); ok {
			return s
		}
	}
	switch e.Op {
	case token.QUO, token.REM:
		if isFloat(t) {
			return fmt.Sprintf("%s(%s, %s)", v.vec("Div", t), v.value(e.X), v.value(e.Y))
		}
		verb := "Div"
		if e.Op == token.REM {
			verb = "Rem"
		}
		if n, ok := constInt(e.Y); ok && n > 0 && n&(n-1) == 0 {
			return v.powerOfTwo(verb, e.X, n, t)
		}
		if elemSizes[elem(t)] == 8 {
			v.divisions += v.weight // package vec does them lane by lane
		}
		x, y := v.value(e.X), v.value(e.Y)
		if _, ok := e.Y.(*Const); !ok {
			name := v.fresh("by")
			v.printf("%s := %s\n", name, y)
			z := v.fresh("z")
			v.printf("if %s := %s(%s, %s(0)) & %s; %s != 0 {\np.ZeroDivide(%s, uint32(%s))\n}\n",
				z, v.vec("Eq", t), name, v.vec("Splat", t), v.m(), z, v.rank(), z)
			y = name
		}
		return fmt.Sprintf("%s(%s, %s, %s)", v.vec(verb, t), x, y, v.m())
	case token.SHL, token.SHR:
		verb := "Shl"
		if e.Op == token.SHR {
			verb = "Shr"
		}
		if n, ok := constInt(e.Y); ok && n >= 0 {
			return v.shift(verb, t, v.value(e.X), n)
		}
		if shapeOf(e.Y)[0] == 0 && unsigned(e.Y.Type()) {
			bits := 8 * elemSizes[elem(t)]
			return fmt.Sprintf("%s(%s, %s.SplatU%dx%d(uint%d(min(uint64(%s), %d))))", v.vec(verb+"V", t), v.value(e.X),
				v.vecName(), bits, v.lanes, bits, v.expr(e.Y), bits)
		}
		return v.lanewiseValue(e)
	}
	if verb == "" {
		panic(noVector{"an operator without vector form"})
	}
	if e.Op == token.AND_NOT {
		// As x ^ x&y: Go 1.26 sometimes exchanges the operands of the instruction for x &^ y.
		x := v.simpleText(v.value(e.X))
		return fmt.Sprintf("%s(%s, %s(%s, %s))", v.vec("Xor", t), x, v.vec("And", t), x, v.value(e.Y))
	}
	return v.arith(verb, t, v.value(e.X), v.value(e.Y))
}

// shift prints a shift by n. The form with a count for each lane is used, since Go 1.26 merges the other
// with a select into an instruction that it can't encode.
func (v *vector) shift(verb string, t types.Type, x string, n int64) string {
	bits := int64(8 * elemSizes[elem(t)])
	counts := fmt.Sprintf("U%dx%d", bits, v.lanes)
	return fmt.Sprintf("%s(%s, %s)", v.vec(verb+"V", t), x, v.all(fmt.Sprintf("%s.Splat%s(%d)", v.vecName(), counts, min(n, bits))))
}

// all returns the name of a vector with the same scalar in all lanes, which is made once for all blocks. Made
// where it is used it would keep the scalar alive, and Go reloads a spilled scalar with an SSE
// instruction, which waits for what is in the upper part of the register: n-body took twice the time.
func (v *vector) all(s string) string {
	if v.tops[s] == "" {
		v.tops[s] = v.fresh("all")
		v.heads = append(v.heads, fmt.Sprintf("%s := %s", v.tops[s], s))
	}
	return v.tops[s]
}

// powerOfTwo divides by n, a power of two, without dividing.
func (v *vector) powerOfTwo(verb string, x Expr, n int64, t types.Type) string {
	k := 0
	for int64(1)<<k < n {
		k++
	}
	s := v.value(x)
	if unsigned(t) {
		if verb == "Div" {
			return v.shift("Shr", t, s, int64(k))
		}
		return fmt.Sprintf("%s(%s, %s(%d))", v.vec("And", t), s, v.vec("Splat", t), n-1)
	}
	if k == 0 {
		if verb == "Div" {
			return s
		}
		return fmt.Sprintf("%s(%s, %s(0))", v.vec("And", t), s, v.vec("Splat", t)) // what x is made of is used
	}
	// Negative numbers are rounded up: n-1 is added to them first.
	name := v.fresh("num")
	v.printf("%s := %s\n", name, s)
	bias := fmt.Sprintf("%s(%s, %s(%d))", v.vec("And", t), v.shift("Shr", t, name, 63), v.vec("Splat", t), n-1)
	sum := fmt.Sprintf("%s(%s, %s)", v.vec("Add", t), name, bias)
	if verb == "Div" {
		return v.shift("Shr", t, sum, int64(k))
	}
	return fmt.Sprintf("%s(%s, %s(%s, %s(%d)))", v.vec("Sub", t), name, v.vec("And", t), sum, v.vec("Splat", t), -n)
}

// fast prints an operation of a kernel marked fastmath in fewer instructions.
func (v *vector) fast(e *Binary) (string, bool) {
	t := e.T
	mul := func(x Expr) (*Binary, bool) {
		b, ok := x.(*Binary)
		return b, ok && b.Op == token.MUL
	}
	switch e.Op {
	case token.ADD:
		// A sum of products begins with what is no product, so that all of them are fused.
		var products []*Binary
		var others []Expr
		var flat func(x Expr)
		flat = func(x Expr) {
			if b, ok := x.(*Binary); ok && b.Op == token.ADD && types.Identical(b.T, t) && !scalarShape(shapeOf(x)) {
				flat(b.X)
				flat(b.Y)
			} else if m, ok := mul(x); ok && !scalarShape(shapeOf(x)) {
				products = append(products, m)
			} else {
				others = append(others, x)
			}
		}
		flat(e)
		if len(products) == 0 {
			return "", false
		}
		var sum string
		if len(others) > 0 {
			sum = v.value(others[0])
			for _, x := range others[1:] {
				sum = v.arith("Add", t, sum, v.value(x))
			}
		} else {
			m := products[0]
			sum = v.arith("Mul", t, v.value(m.X), v.value(m.Y))
			products = products[1:]
		}
		for _, m := range products {
			sum = v.arith("FMA", t, v.value(m.X), v.value(m.Y), sum)
		}
		return sum, true
	case token.QUO:
		if name, x, ok := mathCall(e.Y); ok && name == "Sqrt" {
			s := fmt.Sprintf("%s(%s)", v.vec("RSqrtRough", t), v.value(x))
			if c, ok := e.X.(*Const); ok && constant.Compare(c.Val, token.EQL, constant.MakeInt64(1)) {
				return s, true
			}
			return v.arith("Mul", t, v.value(e.X), s), true
		}
	case token.MUL:
		if c, ok := v.cubes[e]; ok {
			name := "OverCubeRough"
			if c.lean {
				name = "OverCubeLean"
			}
			return fmt.Sprintf("%s(%s, %s)", v.vec(name, t), v.value(c.over), v.value(c.x)), true
		}
	}
	return "", false
}

// load prints a read of memory.
func (v *vector) load(e *Index) (string, bool) {
	if elem(e.T) == "" || isBool(e.T) || !v.holds(e.T) {
		return "", false
	}
	if !types.Identical(e.T, types.Unalias(e.T).Underlying()) {
		return "", false
	}
	sh := shapeOf(e.I)[0]
	i := narrowIndex(e.I)
	if (!stride(sh) || unsigned(e.I.Type())) && !(sh == noStep && v.indexVector(i)) {
		return "", false
	}
	base, length, ok := v.memory(e)
	if !ok {
		return "", false
	}
	if sh == 1 {
		ix := v.firstIndex(e)
		v.check(length, ix, 1, e)
		return v.common(v.loadText(e.T, v.slice(base, e.T), ix), shapeOf(e)), true
	}
	if stride(sh) {
		if s, ok := v.column(e, base, length, int64(sh)); ok {
			return s, true
		}
		ix := v.firstIndex(e)
		v.check(length, ix, int(sh), e)
		if v.downwards(sh, e.T) {
			return fmt.Sprintf("%s(%s)", v.vec("Reverse", e.T), v.loadText(e.T, v.slice(base, e.T), v.last(ix))), true
		}
		return fmt.Sprintf("%s(%s, %s, %d, %s)", v.vec("GatherStride", e.T), v.slice(base, e.T), ix, sh, v.lanesOn()), true
	}
	v.single += v.weight // Go 1.26 has no instruction for it
	if v.parting != nil {
		v.single += 2 * v.weight // and fewer and fewer lanes want it
	}
	idx := v.checkedIndex(i, length)
	return fmt.Sprintf("%s(%s, %s, %s)", v.vec("Gather"+v.indexForm(i), e.T), v.slice(base, e.T), idx, v.m()), true
}

var compareVerbs = map[token.Token]string{token.EQL: "Eq", token.NEQ: "Ne", token.LSS: "Lt", token.LEQ: "Le", token.GTR: "Gt", token.GEQ: "Ge"}

// maskOf prints a condition as a mask. Bits of lanes that are off mean nothing.
func (v *vector) maskOf(e Expr) string {
	if sh := shapeOf(e); sh[0] == 0 {
		v.blame(e)
		return fmt.Sprintf("%s.If(%s)", v.vecName(), v.expr(e))
	}
	v.native += v.weight
	switch e := e.(type) {
	case *VarRef:
		if e.V.value != nil {
			v.need[e.V] = true
		}
		return v.name(e.V)
	case *Unary:
		if e.Op == token.NOT {
			return "^" + paren(v.maskOf(e.X))
		}
	case *Binary:
		if e.Op == token.LAND || e.Op == token.LOR {
			op := "&"
			if e.Op == token.LOR {
				op = "|"
			}
			x := v.maskOf(e.X)
			if !mayPanic(e.Y) {
				return paren(x) + " " + op + " " + paren(v.maskOf(e.Y))
			}
			// The right side is computed for the lanes that need it.
			c, m := v.fresh("c"), v.fresh("mc")
			v.printf("%s := %s\n", c, x)
			if e.Op == token.LAND {
				v.printf("%s := %s & %s\n", m, v.m(), c)
			} else {
				v.printf("%s := %s &^ %s\n", m, v.m(), c)
			}
			v.printf("if %s != 0 {\n", m)
			v.ofPart[m] = true
			shared := v.shared
			v.shared = nil // what is made in there is not known after it
			v.narrowed(m, func() {
				y := v.maskOf(e.Y)
				if e.Op == token.LAND {
					v.printf("%s &= %s\n", c, y)
				} else {
					v.printf("%s |= %s & %s\n", c, m, paren(y))
				}
			})
			v.shared = shared
			v.printf("}\n")
			return c
		}
		if m, ok := v.compareSteps(e); ok {
			return m
		}
		if verb, ok := compareVerbs[e.Op]; ok && elem(e.X.Type()) != "" && v.holds(e.X.Type()) {
			return fmt.Sprintf("%s(%s, %s)", v.vec(verb, e.X.Type()), v.value(e.X), v.value(e.Y))
		}
		if isBool(e.X.Type()) && (e.Op == token.EQL || e.Op == token.NEQ) {
			s := paren(v.maskOf(e.X)) + " ^ " + paren(v.maskOf(e.Y))
			if e.Op == token.EQL {
				s = "^(" + s + ")"
			}
			return s
		}
	}
	if m, ok := v.nativeMask(e); ok {
		return m
	}
	v.native -= v.weight
	v.single += v.weight
	c := v.fresh("c")
	v.printf("var %s %s.Mask\n", c, v.vecName())
	v.eachLane([]Stmt{&Assign{L: []Expr{nil}, R: e}}, func() {
		v.printf("if %s {\n%s |= 1 << lane\n}\n", v.expr(e), c)
	})
	return c
}

// compareSteps compares a number that grows by 1 from lane to lane with one that is the same for all: the
// result is a run of lanes.
func (v *vector) compareSteps(e *Binary) (string, bool) {
	if !wide(e.X.Type()) || unsigned(e.X.Type()) || hasHuge(e) {
		return "", false
	}
	x, y, op := e.X, e.Y, e.Op
	sx, sy := shapeOf(x)[0], shapeOf(y)[0]
	if sx == 0 && sy == 1 {
		x, y = y, x
		if op != token.NEQ {
			op = flipped[op]
		}
	} else if sx != 1 || sy != 0 {
		return "", false
	}
	v.blame(x)
	v.blame(y)
	run := func(fn string) string {
		if base, err := strconv.Atoi(v.intText(x)); err == nil {
			if limit, err := strconv.Atoi(v.intText(y)); err == nil {
				if fn == "NotAbove" {
					limit++
				}
				return fmt.Sprintf("%s.Mask(%#x)", v.vecName(), uint32(1)<<max(min(limit-base, v.lanes), 0)-1)
			}
		}
		return fmt.Sprintf("%s.First(%s.%s(%s, %s, %d))", v.vecName(), v.core(), fn, v.intText(x), v.intText(y), v.lanes)
	}
	switch op {
	case token.LSS:
		return run("Below"), true
	case token.LEQ:
		return run("NotAbove"), true
	case token.GEQ:
		return "^" + run("Below"), true
	case token.GTR:
		return "^" + run("NotAbove"), true
	case token.EQL:
		return run("NotAbove") + " &^ " + run("Below"), true
	case token.NEQ:
		return "^(" + run("NotAbove") + " &^ " + run("Below") + ")", true
	}
	return "", false
}

// lanewiseValue computes e lane by lane.
func (v *vector) lanewiseValue(e Expr) string {
	t := e.Type()
	if !v.holds(t) {
		panic(noVector{"a type without vectors of this many lanes"})
	}
	v.single += v.weight
	name := v.fresh("t")
	v.printf("var %s [%d]%s\n", name, v.lanes, elemGo[elem(t)])
	v.eachLane([]Stmt{&Assign{L: []Expr{nil}, R: e}}, func() {
		v.printf("%s[lane] = %s(%s)\n", name, elemGo[elem(t)], v.expr(e))
	})
	return fmt.Sprintf("%s(&%s)", v.vec("LoadPtr", t), name)
}

// lanewise runs statements lane by lane.
func (v *vector) lanewise(list []Stmt) {
	v.single += v.weight
	for _, s := range list {
		if a, ok := s.(*Assign); ok && a.Def {
			panic(noVector{"a variable is declared lane by lane"})
		}
	}
	u := useOf(list)
	for w := range u.written {
		if !scalarShape(w.Shape) && !v.holds(w.Type) || scalarShape(w.Shape) {
			panic(noVector{"a variable without vector form is assigned lane by lane"})
		}
	}
	v.eachLane(list, func() {
		for _, s := range list {
			v.body.stmt(s)
		}
	})
}

func laneSteps(n step) string {
	if n == 1 {
		return "lane"
	}
	return fmt.Sprintf("%d*lane", n)
}

// eachLane prints a loop over the lanes that are on, in which the variables that list uses are those of the
// lane.
func (v *vector) eachLane(list []Stmt, f func()) {
	u := useOf(list)
	var uses []*Var
	seen := map[*Var]bool{}
	var note func(w *Var)
	note = func(w *Var) {
		if seen[w] {
			return
		}
		seen[w] = true
		if w.value != nil {
			walkExpr(w.value, func(x Expr) {
				if r, ok := x.(*VarRef); ok {
					note(r.V)
				}
			})
		}
	}
	for w := range u.read {
		note(w)
	}
	for w := range u.written {
		note(w)
	}
	for _, w := range v.k.Vars {
		if seen[w] {
			uses = append(uses, w)
		}
	}
	arrays := map[*Var]string{}
	for _, w := range uses {
		if w.value == nil && !w.Param && !scalarShape(w.Shape) && !isBool(w.Type) {
			if !v.holds(w.Type) {
				panic(noVector{"a variable without vector form"})
			}
			arrays[w] = v.fresh(w.Name + "At")
			v.printf("%s := %s(%s)\n", arrays[w], v.vec("ToArray", w.Type), v.name(w))
		}
	}
	v.printf("for on := %s; on != 0; on &= on - 1 {\n", v.m())
	v.printf("lane := %s.TrailingZeros32(uint32(on))\n", v.importName("math/bits", "bits"))
	saved := v.out
	v.body.out = strings.Builder{}
	f()
	text := v.out.String()
	v.body.out = saved
	head := ""
	for i := len(uses) - 1; i >= 0; i-- {
		w := uses[i]
		if !containsWord(text+head, v.name(w)) {
			continue
		}
		switch {
		case w.value != nil && w.Shape[0] == 0:
		case w.value != nil && scalarShape(w.Shape):
			n := laneSteps(w.Shape[0])
			if !types.Identical(w.Type, intType) {
				n = v.typ(w.Type) + "(" + n + ")"
			}
			head = fmt.Sprintf("%s := %s + %s\n", v.name(w), v.name(w), n) + head
		case w.value != nil:
			head = fmt.Sprintf("%s := %s\n", v.name(w), v.convertTo(w.value, w.Type)) + head
		case w.Param || w.common || scalarShape(w.Shape) && w.Shape[0] == 0:
		case scalarShape(w.Shape):
			n := laneSteps(w.Shape[0])
			if !types.Identical(w.Type, intType) {
				n = v.typ(w.Type) + "(" + n + ")"
			}
			head = fmt.Sprintf("%s := %s + %s\n", v.name(w), v.name(w), n) + head
		case isBool(w.Type):
			head = fmt.Sprintf("%s := %s>>lane&1 != 0\n", v.name(w), v.name(w)) + head
		case u.written[w]:
			// Written in place.
			head = fmt.Sprintf("%s := %s(%s[lane])\n", v.name(w), v.typ(w.Type), arrays[w]) + head
			text += fmt.Sprintf("%s[lane] = %s(%s)\n", arrays[w], elemGo[elem(w.Type)], v.name(w))
		default:
			head = fmt.Sprintf("%s := %s(%s[lane])\n", v.name(w), v.typ(w.Type), arrays[w]) + head
		}
	}
	// The thread is to blame if it panics, and Rank and threadIdx are its own.
	own := fmt.Sprintf("%s := %s + lane\np.Current = %s\n", v.rank(), v.rank(), v.rank())
	if tx := v.partName("tx"); containsWord(text+head, tx) {
		own += fmt.Sprintf("%s := %s + lane\n", tx, tx)
	}
	v.panics = true
	v.printf("%s%s%s}\np.Current = rank\n", own, head, text)
	for _, w := range uses {
		if u.written[w] && arrays[w] != "" {
			v.printf("%s = %s(&%s)\n", v.name(w), v.vec("LoadPtr", w.Type), arrays[w])
		}
	}
}

// intText prints an integer as an int.
func (b *body) intText(e Expr) string {
	if n, ok := constInt(e); ok {
		return fmt.Sprint(n)
	}
	if types.Identical(e.Type(), intType) {
		return b.expr(e)
	}
	return "int(" + b.expr(e) + ")"
}
