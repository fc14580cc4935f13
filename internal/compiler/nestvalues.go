package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/asm/amd64"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Values of nests: numeric expressions as vectors.

// once returns a value that is computed at the beginning of the nest and shared by key; with late,
// a new one at this place.
func (l *lowering) once(key string, k lir.Kind, i lir.Instr) operand {
	if !l.late {
		if v := l.consts[key]; v != 0 {
			return operand{v}
		}
	}
	v := l.n.New(k)
	i.Dst, i.Kind = v, k
	if l.late {
		l.emit(&i)
	} else {
		l.consts[key] = v
		l.first = append(l.first, &i)
	}
	return operand{v}
}

// value returns the vectors of e. If to is given, it puts them into these registers.
func (l *lowering) value(e Expr, to operand) operand {
	o := l.valueOf(e, to)
	if to != nil && !slices.Equal(o, to) {
		k := l.kind(e.Type())
		for p := range to {
			l.emit(&lir.Instr{Op: lir.Move, Kind: k, Dst: to[p], X: o.at(p)})
		}
		return to
	}
	return o
}

// constantBits returns the bits of a constant.
func constantBits(v constant.Value, k lir.Kind) uint64 {
	switch k {
	case lir.F32:
		f, _ := constant.Float32Val(constant.ToFloat(v))
		return uint64(math.Float32bits(f))
	case lir.F64:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		return math.Float64bits(f)
	}
	v = constant.ToInt(v)
	n, ok := constant.Uint64Val(v)
	if i, isInt64 := constant.Int64Val(v); isInt64 && !ok {
		n = uint64(i)
	}
	if k.Size() == 4 {
		n = uint64(uint32(n))
	}
	return n
}

// normal truncates values in 32-bit lanes to the 8 or 16 bits of type t.
func (l *lowering) normal(t types.Type, x, to operand) operand {
	small := smallKind(t)
	switch small {
	case lir.None:
		return x
	case lir.U8, lir.U16:
		bits := uint64(1)<<(8*small.Size()) - 1
		return l.op(lir.Instr{Op: lir.And, Kind: lir.I32}, to, x, l.once(fmt.Sprint("c", bits, lir.I32), lir.I32, lir.Instr{Op: lir.Const, Imm: bits}))
	}
	by := uint64(32 - 8*small.Size())
	return l.op(lir.Instr{Op: lir.Shr, Kind: lir.I32, Imm: by}, to, l.op(lir.Instr{Op: lir.Shl, Kind: lir.I32, Imm: by}, nil, x))
}

func (l *lowering) valueOf(e Expr, to operand) operand {
	if smallKind(e.Type()) != lir.None {
		switch x := e.(type) {
		case *Binary, *Unary:
			return l.normal(e.Type(), l.numberOf(e, nil), to)
		case *Convert:
			if smallKind(x.X.Type()) == lir.None || elem(x.X.Type()) != elem(x.T) {
				return l.normal(e.Type(), l.numberOf(e, nil), to)
			}
		}
	}
	return l.numberOf(e, to)
}

// numberOf returns the values of e, not yet truncated if its type has 8 or 16 bits.
func (l *lowering) numberOf(e Expr, to operand) operand {
	if !basic(e.Type()) {
		cannot("a value of type %s", e.Type())
	}
	k := l.kind(e.Type())
	if k == lir.I64 {
		if p, ok := l.polyOf(e); ok && !l.ofRow(e) {
			return l.sequence(p, k)
		}
		if p, ok := l.quotiented(e); ok && p.hasQuotient() {
			lo, hi := l.ends(p)
			l.check(fmt.Sprintf("%s >= -1<<31 && %s <= 1<<31-1", lo, hi))
			return l.op(lir.Instr{Op: lir.Convert, Kind: k, From: lir.I32}, to, l.vectorOf(p))
		}
		if r, ok := e.(*VarRef); ok && l.pieces[r.V] != nil {
			return l.selected(l.pieces[r.V], k)
		}
	}
	if has32(e.Type()) {
		if p, ok := l.quotiented(e); ok && !l.ofRow(e) && (p.ofRow() || !p.hashes()) {
			v := operand(nil)
			switch {
			case p.ofRow(): // the counter of an unrolled loop
				v = l.uniform32(p)
			case p.hasQuotient():
				v = l.vectorOf(p)
			default:
				v = l.sequence(p, lir.I32)
			}
			if k == lir.I32 {
				return v
			}
			return l.op(lir.Instr{Op: lir.Convert, Kind: k, From: lir.I32}, nil, v)
		}
		if r, ok := e.(*VarRef); ok && l.pieces[r.V] != nil {
			out := l.selected(l.pieces[r.V], lir.I32)
			if k == lir.I32 {
				return out
			}
			return l.op(lir.Instr{Op: lir.Convert, Kind: k, From: lir.I32}, nil, out)
		}
	}
	switch x := e.(type) {
	case *Const:
		bits := constantBits(x.Val, k)
		return l.once(fmt.Sprint("c", bits, k), k, lir.Instr{Op: lir.Const, Imm: bits})
	case *Bounded:
		v, many := l.value(x.I, nil), l.value(x.N, nil)
		zero := l.once(fmt.Sprint("c", uint64(0), k), k, lir.Instr{Op: lir.Const})
		is := func(p lir.Pred, y operand) operand {
			return l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: k, Pred: p}, nil, v, y)
		}
		l.leaveWhere(l.joined(l.either(is(lir.Lt, zero), is(lir.Ge, many)), l.on))
		return v
	case *VarRef:
		if o := l.values[x.V]; o != nil && l.isNarrow(x.V) {
			return l.op(lir.Instr{Op: lir.Convert, Kind: k, From: lir.I32}, to, o)
		} else if o != nil {
			return o
		}
		if x.V.value != nil {
			return l.value(x.V.value, to)
		}
	case *Index, *Field:
		if f, isField := x.(*Field); isField && l.ofRow(f) {
			break
		}
		if x, isIndex := x.(*Index); isIndex && l.isOwnArray(x.X) {
			return l.elementRegister(x)
		}
		if c := l.constantIn(e); c != nil {
			return l.value(c, to)
		}
		at, ok := spotOf(e)
		if !ok {
			cannot("%s", expressionName(e))
		}
		if reg := l.registerOf(at); reg != nil {
			return reg
		}
		return l.elementOf(at)
	}
	if l.ofRow(e) {
		text := l.text(e)
		t := map[lir.Kind]string{lir.F32: "float32", lir.F64: "float64", lir.I32: "int32", lir.U32: "uint32", lir.I64: "int64", lir.U64: "uint64"}[k]
		return l.once("a"+t+text, k, lir.Instr{Op: lir.Arg, From: smallKind(e.Type()), Mem: lir.Mem{Disp: l.arg(t, fmt.Sprintf("%s(%s)", t, text))}})
	}
	switch x := e.(type) {
	case *Binary:
		return l.binary(x, k, to)
	case *Unary:
		switch x.Op {
		case token.ADD:
			return l.value(x.X, to)
		case token.SUB:
			return l.op(lir.Instr{Op: lir.Neg, Kind: k}, to, l.value(x.X, nil))
		case token.XOR:
			bits := uint64(math.MaxUint64) >> (64 - 8*k.Size())
			ones := l.once(fmt.Sprint("c", bits, k), k, lir.Instr{Op: lir.Const, Imm: bits})
			return l.op(lir.Instr{Op: lir.Xor, Kind: k}, to, l.value(x.X, nil), ones)
		}
	case *Convert:
		if c, ok := x.X.(*Call); ok {
			if o := l.narrowCall(x, c, k, to); o != nil {
				return o
			}
		}
		if basic(x.X.Type()) && elem(x.X.Type()) == elem(x.T) {
			return l.value(x.X, to)
		}
		if smallKind(x.X.Type()) != lir.None && k == lir.I32 {
			return l.value(x.X, to)
		}
		if isInteger(x.X.Type()) && types.Identical(x.X.Type().Underlying(), intType) {
			if c, ok := l.countOf(x.X); ok && (k.Size() == 4 || k == lir.F64) {
				if k.IsFloat() && c.vec == nil { // an integer of 32 bits, which the conversion supports
					lo, hi := l.hull(c.p)
					l.check(fmt.Sprintf("%s >= -1<<31 && %s <= 1<<31-1", lo, hi))
				}
				if !k.IsFloat() || c.vec == nil || l.exact(c) {
					return l.op(lir.Instr{Op: lir.Convert, Kind: k, From: lir.I32}, to, l.numbers(c))
				}
			}
		}
		return l.convert(l.kind(x.X.Type()), k, l.value(x.X, nil), to)
	case *Call:
		if o := l.call(x, k, to); o != nil {
			return o
		}
	}
	cannot("%s", expressionName(e))
	return nil
}

// elementOf loads numbers, or bools as 0 and 1.
func (l *lowering) elementOf(at spot) operand {
	list, read, ok := l.choice(at)
	if !ok {
		return l.indirect(at)
	}
	if len(list) == 1 {
		return read(list[0].p)
	}
	if o := l.eitherElement(at, list, read); o != nil {
		return o
	}
	// A piece that no thread of the strip uses is not loaded. Its address may be far from mapped
	// memory, and masked loads from there are slow even if no lane is on.
	k, _ := l.memKind(at.t)
	var out, whole operand
	first := true // nothing has been loaded into out
	l.inPieces(list, func(a piece) {
		switch {
		case l.isNone(l.on):
			return
		case l.isAll(a.on):
			whole, out, first = read(a.p), nil, false
			return
		case out == nil:
			out = make(operand, l.width())
			for i := range out {
				out[i] = l.n.New(k)
				l.mutable[out[i]] = true
				if whole == nil {
					l.emit(&lir.Instr{Op: lir.Const, Kind: k, Dst: out[i]})
				} else {
					l.emit(&lir.Instr{Op: lir.Move, Kind: k, Dst: out[i], X: whole.at(i)})
				}
			}
		}
		outer := l.list
		var nodes []lir.Node
		l.list = &nodes
		clear(l.loads)
		o := read(a.p)
		for i := range out { // the contents of inactive lanes are never used
			switch read := loadOf(nodes, o.at(i)); {
			case first && read != nil && len(o) == len(out):
				read.Dst = out[i]
			case first:
				l.emit(&lir.Instr{Op: lir.Move, Kind: k, Dst: out[i], X: o.at(i)})
			default:
				l.emit(&lir.Instr{Op: lir.Select, Kind: k, Dst: out[i], X: l.on.at(i), Y: o.at(i), Z: out[i]})
			}
		}
		first = false
		clear(l.loads)
		l.list = outer
		l.emitNode(&lir.When{Any: slices.Compact(slices.Clone(l.on)), Then: nodes})
	})
	if out == nil && whole == nil {
		return l.once(fmt.Sprint("c", uint64(0), k), k, lir.Instr{Op: lir.Const})
	}
	if out == nil {
		return whole
	}
	return out
}

// choice returns the pieces of an index of a spot: that of the slice, or that of an array in its elements. Read loads
// the numbers for a value of this index. It returns false if an index is no sum of products, not even in pieces.
func (l *lowering) choice(at spot) (list []piece, read func(p poly) operand, ok bool) {
	list, inner, ok := l.choices(at)
	if !ok {
		return nil, nil, false
	}
	if inner < 0 {
		return list, func(p poly) operand { return l.read(at, p) }, true
	}
	return list, func(p poly) operand {
		if inner == 0 { // the threads of a piece may be those of some rows only
			defer func(before bool) { l.laneByLane = before }(l.laneByLane)
			l.laneByLane = true
		}
		return l.elementOf(at.chosen(l, inner, p))
	}, true
}

// choices returns the pieces of the first index of a spot that has several, and which one it is: 0 for the slice's,
// n+1 for that of inner[n]. It is -1 if only the slice's may have several.
func (l *lowering) choices(at spot) (list []piece, which int, ok bool) {
	outer, ok := l.piecesOf(&Convert{at.ix.I, intType})
	if !ok {
		return nil, 0, false
	}
	list, which = outer, -1
	for n, in := range at.inner {
		pieces, ok := l.piecesOf(&Convert{in.i, intType})
		if !ok || isUnsigned64(in.i.Type()) {
			return nil, 0, false
		}
		if len(pieces) > 1 && which < 0 {
			if which = n + 1; len(outer) > 1 {
				which = 0
			} else {
				list = pieces
			}
		}
	}
	return list, which, true
}

// chosen is the spot with p for one of its indices; see choices.
func (s spot) chosen(l *lowering, which int, p poly) spot {
	v := &Var{Name: "chosen", Type: intType}
	l.ints[v] = p
	if which == 0 {
		ix := *s.ix
		ix.I, s.ix = &VarRef{v}, &ix
		return s
	}
	s.inner = slices.Clone(s.inner)
	s.inner[which-1].i = &VarRef{v}
	return s
}

// eitherElement is elementOf for two pieces, of which all threads of a strip use the same: a branch without
// masks chooses between them. Otherwise it returns nil.
func (l *lowering) eitherElement(at spot, list []piece, read func(p poly) operand) operand {
	if len(list) != 2 || l.across != nil {
		return nil
	}
	cond, ok := l.uniformly(list[0].on)
	if !ok || !l.opposite(list[0].on, list[1].on) {
		return nil
	}
	k, _ := l.memKind(at.t)
	out := make(operand, l.width())
	for i := range out {
		out[i] = l.n.New(k)
		l.mutable[out[i]] = true
	}
	on, outer := l.on, l.list
	var arms [][]lir.Node
	l.inPieces(list, func(a piece) {
		var nodes []lir.Node
		l.on, l.list = on, &nodes
		clear(l.loads)
		o := read(a.p)
		for i := range out {
			if from := loadOf(nodes, o.at(i)); from != nil && len(o) == len(out) {
				from.Dst = out[i]
			} else {
				l.emit(&lir.Instr{Op: lir.Move, Kind: k, Dst: out[i], X: o.at(i)})
			}
		}
		arms = append(arms, nodes)
	})
	clear(l.loads)
	l.on, l.list = on, outer
	l.emitNode(&lir.When{Conds: []lir.Scalar{cond}, Then: arms[0], Else: arms[1]})
	return out
}

// loadOf returns the instruction of list that loads v, if it is a plain load or a broadcast.
func loadOf(list []lir.Node, v lir.Value) *lir.Instr {
	for _, x := range list {
		if i, ok := x.(*lir.Instr); ok && i.Dst == v && (i.Op == lir.Load || i.Op == lir.Broadcast) {
			return i
		}
	}
	return nil
}

// convert converts numbers between types as Go does on amd64.
func (l *lowering) convert(from, k lir.Kind, x, to operand) operand {
	switch {
	case from == lir.U32 && k == lir.F32 && l.ofMachine().lanes*l.n.Size == amd64.AVX2.Bytes:
		// The conversions of both halves are exact, so that only the sum is rounded.
		high := l.op(lir.Instr{Op: lir.Shr, Kind: lir.U32, Imm: 16}, nil, x)
		low := l.op(lir.Instr{Op: lir.And, Kind: lir.U32}, nil, x, l.once("c65535u32", lir.U32, lir.Instr{Op: lir.Const, Imm: 1<<16 - 1}))
		scale := l.once("c65536f32", lir.F32, lir.Instr{Op: lir.Const, Imm: uint64(math.Float32bits(1 << 16))})
		float := func(x operand) operand {
			return l.op(lir.Instr{Op: lir.Convert, Kind: lir.F32, From: lir.I32}, nil, l.op(lir.Instr{Op: lir.Convert, Kind: lir.I32, From: lir.U32}, nil, x))
		}
		return l.op(lir.Instr{Op: lir.Add, Kind: k}, to, l.op(lir.Instr{Op: lir.Mul, Kind: k}, nil, float(high), scale), float(low))
	case from.IsFloat() && k == lir.U64 && !l.single(): // those below 2^63, as signed integers
		l.floatsBelow(from, x, 1<<63)
		x, from = l.op(lir.Instr{Op: lir.Convert, Kind: lir.I64, From: from}, nil, x), lir.I64
	case from.IsFloat() && k == lir.U32 && !l.single():
		l.floatsBelow(from, x, 1<<32)
	}
	return l.op(lir.Instr{Op: lir.Convert, Kind: k, From: from}, to, x)
}

// selected returns a piecewise affine integer as a vector, which masks select.
func (l *lowering) selected(list []piece, k lir.Kind) (out operand) {
	for _, a := range list {
		v := l.sequence(a.p, k)
		if out == nil || l.isAll(a.on) {
			out = v
		} else {
			out = l.op(lir.Instr{Op: lir.Select, Kind: k}, nil, a.on, v, out)
		}
	}
	return out
}

// floatsBelow leaves the nest unless each float is above -1 and below a limit. The conversion of other floats to unsigned
// integers depends on the processor, and on the version of Go's compiler.
func (l *lowering) floatsBelow(k lir.Kind, x operand, limit float64) {
	number := func(v float64) operand {
		bits := math.Float64bits(v)
		if k == lir.F32 {
			bits = uint64(math.Float32bits(float32(v)))
		}
		return l.once(fmt.Sprint("c", bits, k), k, lir.Instr{Op: lir.Const, Imm: bits})
	}
	is := func(p lir.Pred, limit float64) operand {
		return l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: k, Pred: p}, nil, x, number(limit))
	}
	l.leaveWhere(l.joined(l.not(l.joined(is(lir.Gt, -1), is(lir.Lt, limit))), l.on))
}

// placeInArrays is the index of a number in nested arrays; flat has checked that the indices are known.
func (l *lowering) placeInArrays(x spot, p poly) poly {
	for _, in := range x.inner {
		q, _ := l.polyOf(&Convert{in.i, intType})
		p = p.times(number(in.many)).plus(q, 1)
	}
	return p
}

// loadKey is equal for loads of the same numbers by the same threads.
func (l *lowering) loadKey(x spot, whole poly, k lir.Kind) string {
	on := l.on
	if l.isAll(on) {
		on = nil
	}
	return fmt.Sprint(l.slice(x.ix), "|", whole.key(), "|", x.offset, x.t, k, on)
}

// loaded returns the numbers if more threads than those that are active here have loaded them.
func (l *lowering) loaded(x spot, whole poly, k lir.Kind) operand {
	defer func(on operand) { l.on = on }(l.on)
	for l.on != nil {
		outer, ok := l.wider[fmt.Sprint(l.on)]
		if !ok {
			return nil
		}
		l.on = outer
		if o := l.loads[l.loadKey(x, whole, k)]; o != nil {
			return o
		}
	}
	return nil
}

// read loads the numbers of a slice at index p.
func (l *lowering) read(x spot, p poly) operand {
	if l.across != nil {
		return l.across.read(l, x, p)
	}
	k, from := l.memKind(x.t)
	whole := l.placeInArrays(x, p)
	if o := l.loaded(x, whole, k); o != nil {
		return o
	}
	at, step := l.element(x, p, toRead)
	slice := l.slice(x.ix)
	key := l.loadKey(x, whole, k)
	if o := l.loads[key]; o != nil {
		return o
	}
	if in, ok := l.tiles[tileKey(slice, p)]; ok && x.offset == 0 && x.size == int64(k.Size()) {
		o := make(operand, l.parts)
		for i := range o {
			o[i] = l.n.New(k)
			l.emit(&lir.Instr{Op: lir.Load, Kind: k, Dst: o[i], Mem: in.mem(i)})
		}
		l.loads[key] = o
		return o
	}
	if row := l.inRows(x.ix.X); row != nil && row.at.has(rowSymbol) {
		whole = whole.plus(poly{rowSymbol: 1 << 40}, 1) // jammed rows load elements of their own
	}
	o := l.elements(whole, step, func(i int) lir.Instr {
		switch step {
		case 0:
			return lir.Instr{Op: lir.Broadcast, Kind: k, From: from, Mem: at(i)}
		case 1:
			return lir.Instr{Op: lir.Load, Kind: k, From: from, Mem: at(i), On: l.mask(i)}
		}
		return *l.gather(lir.Instr{Op: lir.Gather, Kind: k, From: from, X: l.laneOffsets(k, at(i)), Mem: at(i), On: l.mask(i), Every: l.every})
	})
	l.loads[key] = o
	return o
}

// expressionName describes an expression that can't be lowered.
func expressionName(e Expr) string {
	switch e := e.(type) {
	case *Convert:
		return fmt.Sprintf("a conversion from %s to %s", e.X.Type(), e.T)
	case *Call:
		if e.Name != "" {
			return "a call of " + e.Name
		}
		return "a call"
	case *VarRef:
		return "a variable of another kind, " + e.V.Name
	case *Field, *Deref:
		return "a field, or what a pointer points to"
	}
	return "an operation that has no vectors yet"
}

// elements emits the loads made by read for elements with index p and this step from thread to
// thread. Parts and rows that use the same elements share a load.
func (l *lowering) elements(p poly, step int64, read func(i int) lir.Instr) operand {
	width := l.parts
	if p.has(rowSymbol) || l.on != nil && len(l.on) > l.parts && step != 0 {
		width = l.width()
	} else if step == 0 {
		width = 1
	}
	o := make(operand, width)
	for i := range o {
		if step == 0 && i%l.parts > 0 {
			o[i] = o[i-1]
			continue
		}
		x := read(i)
		x.Dst = l.n.New(x.Kind)
		o[i] = x.Dst
		l.emit(&x)
	}
	return o
}

// op emits an instruction for each vector. Without to, vectors with the same operands share one
// instruction.
func (l *lowering) op(i lir.Instr, to operand, args ...operand) operand {
	width := 1
	for _, a := range args {
		width = max(width, len(a))
	}
	fresh := to == nil
	if fresh {
		to = make(operand, width)
	}
	seen := map[[3]lir.Value]lir.Value{}
	for p := range to {
		x := i
		for j, a := range args {
			*[]*lir.Value{&x.X, &x.Y, &x.Z}[j] = a.at(p)
		}
		operands := [3]lir.Value{x.X, x.Y, x.Z}
		if fresh {
			if v := seen[operands]; v != 0 {
				to[p] = v
				continue
			}
			to[p] = l.n.New(i.Kind)
			seen[operands] = to[p]
		}
		x.Dst = to[p]
		if x.Run {
			x.Part = p
		}
		switch {
		case x.Op == lir.Most:
			x.Temps = []lir.Value{l.n.New(i.Kind), l.n.New(i.Kind)}
		case x.Op == lir.Mul && !i.Kind.IsFloat() && i.Kind.Size() == 8, x.Op == lir.MulHi && i.Kind.Size() == 4:
			x.Temps = []lir.Value{l.n.New(i.Kind)}
		case x.Op == lir.MulHi:
			x.Temps = []lir.Value{l.n.New(i.Kind), l.n.New(i.Kind)}
		case x.Op == lir.Div && !i.Kind.IsFloat(): // the temporaries are 64-bit registers whatever the kind
			whole := map[int]lir.Kind{4: lir.F32, 8: lir.F64}[l.n.Size]
			x.Temps = []lir.Value{l.n.New(whole), l.n.New(whole)}
		}
		l.emit(&x)
	}
	return to
}

// shiftCount returns shift counts as unsigned 32-bit numbers. The nest is left if a count is
// negative, since Go then panics.
func (l *lowering) shiftCount(e Expr) (operand, bool) {
	switch small := smallKind(e.Type()); {
	case elem(e.Type()) == "U32":
		return l.value(e, nil), true
	case small == lir.U8 || small == lir.U16:
		return l.op(lir.Instr{Op: lir.Convert, Kind: lir.U32, From: lir.I32}, nil, l.value(e, nil)), true
	case isUnsigned64(e.Type()) && l.ofRow(e) && !mayPanic(e):
		end := fmt.Sprintf("uint32(min(%s, 1<<30))", l.text(e))
		return l.once("a uint32 "+end, lir.U32, lir.Instr{Op: lir.Arg, Mem: lir.Mem{Disp: l.arg("uint32", end)}}), true
	}
	if wide(e.Type()) || elem(e.Type()) == "I32" {
		if signed, ok := signedCount(l.expand(e)); ok {
			e = signed
		}
	}
	c, ok := l.countOf(e)
	if !ok {
		return nil, false
	}
	var count operand
	if c.vec == nil {
		lo, hi := l.hull(c.p)
		l.check(fmt.Sprintf("%s >= 0 && %s < 1<<30", lo, hi))
		count = l.numbers(c)
	} else {
		// A constant that is not negative is added, so a result that wraps around is negative.
		if added, isConst := c.p.constant(); !l.exact(c) && !(isConst && c.factor == 1 && added >= 0 && added < 1<<30) {
			return nil, false
		}
		count = l.numbers(c)
		if and, isAnd := e.(*Binary); !isAnd || and.Op != token.AND || !isNatural(and.Y) {
			zero := l.once("c0I32", lir.I32, lir.Instr{Op: lir.Const})
			l.leaveWhere(l.joined(l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.I32, Pred: lir.Lt}, nil, count, zero), l.on))
		}
	}
	return l.op(lir.Instr{Op: lir.Convert, Kind: lir.U32, From: lir.I32}, nil, count), true
}

// signedCount returns an unsigned shift count computed from signed integers as an int expression.
// The values are equal unless it is negative; the nest is then left.
func signedCount(e Expr) (Expr, bool) {
	switch x := e.(type) {
	case *Const:
		if n, ok := constInt(x); ok && n < 1<<30 {
			return intExpr(n), true
		}
	case *Convert:
		if t := x.X.Type(); types.Identical(t.Underlying(), intType) || has32(t) || smallKind(t) != lir.None {
			return &Convert{x.X, intType}, true
		}
		return signedCount(x.X)
	case *Binary:
		if x.Op == token.ADD || x.Op == token.SUB {
			a, okA := signedCount(x.X)
			b, okB := signedCount(x.Y)
			return &Binary{x.Op, a, b, intType}, okA && okB
		}
	}
	return nil, false
}

// wideCount returns the counts for shifts of 64-bit numbers, limited to 64, or to 63 for signed
// numbers, whose sign then fills all bits.
func (l *lowering) wideCount(count operand, signed bool) operand {
	most := uint64(64)
	if signed {
		most = 63
	}
	limit := l.once(fmt.Sprint("c", most, lir.U32), lir.U32, lir.Instr{Op: lir.Const, Imm: most})
	count = l.op(lir.Instr{Op: lir.Min, Kind: lir.U32}, nil, count, limit)
	return l.op(lir.Instr{Op: lir.Convert, Kind: lir.U64, From: lir.U32}, nil, count)
}

// longCount returns a shift count of 64 bits for numbers of kind k, or nil. With signed, the numbers shift their sign in.
// If a count is negative, the nest is left.
func (l *lowering) longCount(e Expr, k lir.Kind, signed bool) operand {
	if !wide(e.Type()) {
		return nil
	}
	of := l.kind(e.Type())
	count := l.value(e, nil)
	if of == lir.I64 {
		zero := l.once(fmt.Sprint("c", uint64(0), of), of, lir.Instr{Op: lir.Const})
		l.leaveWhere(l.joined(l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: of, Pred: lir.Lt}, nil, count, zero), l.on))
	}
	most := uint64(64)
	if signed {
		most = 63
	}
	limit := l.once(fmt.Sprint("c", most, lir.U64), lir.U64, lir.Instr{Op: lir.Const, Imm: most})
	count = l.op(lir.Instr{Op: lir.Bits, Kind: lir.U64, From: of}, nil, count)
	count = l.op(lir.Instr{Op: lir.Min, Kind: lir.U64}, nil, count, limit)
	if k.Size() == 8 {
		return count
	}
	return l.op(lir.Instr{Op: lir.Convert, Kind: lir.U32, From: lir.U64}, nil, count)
}

// isNatural reports whether e is a constant of at least 0.
func isNatural(e Expr) bool {
	n, ok := constInt(e)
	return ok && n >= 0
}

func (l *lowering) binary(x *Binary, k lir.Kind, to operand) operand {
	if x.Op == token.SHL || x.Op == token.SHR {
		n, ok := constInt(x.Y)
		count := x.Y
		if signed, isCount := signedCount(l.expand(count)); isCount && !ok {
			count = signed
		}
		if p, isPoly := l.polyOf(count); isPoly && !ok {
			n, ok = p.constant()
		}
		if !ok && !k.IsFloat() {
			if count, isCount := l.shiftCount(x.Y); isCount {
				v := l.value(x.X, nil)
				if k.Size() == 8 {
					count = l.wideCount(count, x.Op == token.SHR && k.IsSigned())
				}
				return l.op(lir.Instr{Op: map[token.Token]lir.Op{token.SHL: lir.ShlBy, token.SHR: lir.ShrBy}[x.Op], Kind: k}, to, v, count)
			}
			if count := l.longCount(x.Y, k, x.Op == token.SHR && k.IsSigned()); count != nil {
				return l.op(lir.Instr{Op: map[token.Token]lir.Op{token.SHL: lir.ShlBy, token.SHR: lir.ShrBy}[x.Op], Kind: k}, to, l.value(x.X, nil), count)
			}
		}
		if !ok || n < 0 || n >= int64(8*k.Size()) {
			cannot("a shift by what is no constant")
		}
		return l.op(lir.Instr{Op: map[token.Token]lir.Op{token.SHL: lir.Shl, token.SHR: lir.Shr}[x.Op], Kind: k, Imm: uint64(n)}, to, l.value(x.X, nil))
	}
	if l.b.k.Fastmath && !l.single() && k.IsFloat() && (x.Op == token.ADD || x.Op == token.SUB) {
		if m, ok := productOf(x.X); ok {
			verb := lir.FMA
			if x.Op == token.SUB {
				verb = lir.FMS
			}
			c := l.value(x.Y, nil)
			return l.op(lir.Instr{Op: verb, Kind: k}, to, l.value(m.X, nil), l.value(m.Y, nil), c)
		}
		if m, ok := productOf(x.Y); ok {
			verb := lir.FMA
			if x.Op == token.SUB {
				verb = lir.FNMA
			}
			c := l.value(x.X, nil)
			return l.op(lir.Instr{Op: verb, Kind: k}, to, l.value(m.X, nil), l.value(m.Y, nil), c)
		}
	}
	if x.Op == token.AND_NOT {
		bits := uint64(math.MaxUint64) >> (64 - 8*k.Size())
		ones := l.once(fmt.Sprint("c", bits, k), k, lir.Instr{Op: lir.Const, Imm: bits})
		a := l.value(x.X, nil)
		return l.op(lir.Instr{Op: lir.And, Kind: k}, to, a, l.op(lir.Instr{Op: lir.Xor, Kind: k}, nil, l.value(x.Y, nil), ones))
	}
	if (x.Op == token.QUO || x.Op == token.REM) && !k.IsFloat() {
		if n, isConst := constInt(l.expand(x.Y)); isConst && n == 0 {
			cannot("a division by 0")
		}
		return l.division(x, k, to)
	}
	op, ok := map[token.Token]lir.Op{token.ADD: lir.Add, token.SUB: lir.Sub, token.MUL: lir.Mul, token.QUO: lir.Div, token.AND: lir.And, token.OR: lir.Or, token.XOR: lir.Xor}[x.Op]
	if !ok {
		cannot("the operator %v", x.Op)
	}
	if o := l.estimated(x, k, to); o != nil {
		return o
	}
	a := l.value(x.X, nil)
	return l.op(lir.Instr{Op: op, Kind: k}, to, a, l.value(x.Y, nil))
}

func productOf(e Expr) (*Binary, bool) {
	b, ok := e.(*Binary)
	return b, ok && b.Op == token.MUL
}
