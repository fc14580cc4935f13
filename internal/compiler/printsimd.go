package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
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
	born       map[*Var]string
	inner      map[Stmt]string   // the mask of the round or block that Exit reduces
	loop       map[Stmt]string   // the mask of the lanes that are still in a loop
	nest       []string          // masks around, from the outside in
	strip      string            // the mask of the strip
	width      int               // of the vectors, in bytes
	native     int               // operations in vector form
	single     int               // operations lane by lane
	slow       token.Position    // of the first of those that are done most often
	slowWeight int               // how often
	halves     int               // the same, half of which is as fast as with vectors
	weight     int               // of an operation: more in loops
	rounds     map[Stmt]string   // labels of rounds that end early
	need       map[*Var]bool     // variables computed anew, as vectors
	known      map[string]bool   // bounds that have been checked
	moved      map[string]bool   // variables that have changed under the mask; nil outside
	falling    bool              // an index may fall with the variables of loops that count
	joint      map[*Index]bool   // the first part has checked the index for all parts
	full       bool              // all lanes of the strip are on
	ends       bool              // they may not be, and checks are made for the row all the same
	short      bool              // vectors of 16 bytes may hold numbers of 32 bits
	shorts     bool              // they do
	divisions  int               // of 64-bit integers, weighted as what is done lane by lane
	conds      []string          // what must hold for the whole row, in place of checks in each strip
	guards     []guard           // what is taken to hold for all lanes: the strip is for threads for which it does
	required   map[string]bool   // conds that have been noted
	when       []string          // conditions around what is being printed that are the same for the row
	ofPart     map[string]bool   // masks that belong to one part
	ranges     map[*Var]Expr     // variables of loops that count from 0, and what they stay below
	counters   map[*Var]*For     // their loops
	counting   []*Var            // the same, from the outside in
	panics     bool              // something that is done once for all lanes can panic
	shared     map[string]string // values that all parts of a statement use
	branches   int               // around, that are not taken to be gone into
	parting    *For              // the loop around that lanes leave one by one
	apart      bool              // loads are kept apart from operations; see logical
	fixed      map[string]fixedMask
	kept       map[string]string   // masks in registers, by their names
	columns    map[*Index][]string // what eight rows read against the grain
	cubes      map[*Binary]cube    // products that are cubes of reciprocal roots
	lines      *lineSet            // of the loop under way
	lined      bool                // there have been some
	elsewhere  []string            // names of variables used in a branch that is left out
	straight   bool                // what is required now is linear in threadIdx.y, and in the variable of the loop around a plane
	storing    bool                // an index of what is stored is printed
	dirty      bool                // a thread other than the first of the strip has been made the current one
	only       bool                // just the part under way is printed
	eachOne    bool                // lane by lane
	active     []*Var              // what ActiveMask returned
	ahead      *upfront            // the loop under way, whose bounds are asked for before it
	mirrored   map[Expr]mirrored   // calls that are computed together; see mirror
	leading    map[*Assign][]*mirrorGroup
	leader     *Assign  // the assignment under way
	paired     []string // the names of what they computed
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
	switch size := elemSizes[elem(t)]; {
	case size*v.lanes == 64:
		return v.width == 64
	case size*v.lanes == 32, size == 1, size == 2 && v.lanes < 32:
		return true
	case size*v.lanes == 16 && size == 4:
		v.shorts = v.shorts || v.short
		return v.short
	}
	return false
}

// scalarShape reports whether a value of shape s is kept as a scalar: the same for all lanes, or that of
// the first lane.
func scalarShape(s shape) bool { return s[0] != noStep && s[0] != someStep }

// mostLanes is how many lanes a vec.Mask has.
const mostLanes = 32

// lanesFor returns the number of lanes for a region with vectors of the given size, or 0 if it gains
// nothing.
func (b *body) lanesFor(r *region, width int) int {
	largest, any := 1, false
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
			if _, _, ok := linear(ix.I); ok {
				// Its scalars have no place in vectors.
			} else if i := narrowIndex(ix.I); !scalarShape(shapeOf(i)) {
				largest = max(largest, 4) // a gather
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
			if n, ok := b.nativeCall(e); ok {
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
			if recomputed(a) {
				return
			}
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
	return min(width/largest, mostLanes)
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
	slow   string  // where most lanes are done one by one, for -explain
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
	b.out, b.line = strings.Builder{}, token.Position{}
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
	if v.native <= gain*(v.single+v.halves/2) {
		st.why = "too little of it gains from them"
		if v.slow.IsValid() {
			st.why = fmt.Sprintf("most of it would be done lane by lane, as at %s:%d", b.prog.shortFile(b.root, v.slow.Filename), v.slow.Line)
		}
		return st, false
	}
	if v.single*n > v.native && v.slow.IsValid() {
		st.slow = fmt.Sprintf(", but most lanes are done one by one, as at %s:%d", b.prog.shortFile(b.root, v.slow.Filename), v.slow.Line)
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
	for _, s := range v.inBounds(r) {
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
				panic(noVector{sourceName(w) + ", which is the same for all threads, is assigned"})
			}
			continue
		}
		if scalarShape(w.Shape) || isBool(w.Type) || !v.holds(w.Type) {
			panic(noVector{sourceName(w) + ", which lives across phases, has no vector form"})
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
