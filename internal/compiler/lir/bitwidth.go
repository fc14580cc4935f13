package lir

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// Bit-width reduction: the numbers of a nest over bytes and 16-bit integers occupy 32 bits in registers,
// as Go's int and uint8 arithmetic is lowered, but often need only 8 or 16. Then vectors have two or
// four times the lanes (Stephenson, Babb and Amarasinghe, "Bitwidth analysis with application to silicon
// compilation", PLDI 2000). Sums, products and bit operations are right in their low bits whatever the
// operands' high bits are. Comparisons, minima, shifts to the right and quotients need operands whose
// values fit, which an analysis of ranges finds out.

// A Guard is a condition on which a reduced nest relies: the argument at offset Arg, or where that is 0
// the bound number Bound of Nest.Bounds, is between Least and Most.
type Guard struct {
	Arg, Bound  int
	Least, Most int64
}

// Reduce returns a copy of n, a nest with values of 4 bytes, with values of size bytes, 1 or 2; and
// what must hold for that. It returns nil if the values don't fit or n has operations that need 4 bytes.
func Reduce(n *Nest, size int) (*Nest, []Guard) {
	if n.Size != 4 || n.Masked || n.Tiles > 0 {
		return nil, nil
	}
	for _, guarded := range []bool{false, true} {
		c := n.Clone()
		r := &reducer{n: c, size: size, bits: uint(8 * size), guarded: guarded, at: map[Value]span{}, seen: map[*Instr]*operands{}, of: map[Value]*operands{},
			guards: map[Guard]bool{}, quotients: map[Value]*quotient{}, sums: map[Value]*Instr{}, forms: map[string]*product{}, consts: map[uint64]Value{}, version: map[Value]int{}, taken: map[Value][2]int{}}
		r.collect(c.Body)
		if !r.analyse(c.Body) {
			return nil, nil
		}
		body := r.list(c.Body)
		if r.failed {
			continue
		}
		c.Body, c.Size = append(r.first, body...), size
		for v := range c.Kinds {
			if c.Kinds[v] == I32 || c.Kinds[v] == U32 {
				c.Kinds[v] = r.kind(true)
			}
		}
		DropDead(c)
		if c.Verify() != nil { // something else needs what is on the way to a quotient
			continue
		}
		Propagate(c)
		DropDead(c)
		return c, sortedGuards(r.guards)
	}
	return nil, nil
}

func sortedGuards(set map[Guard]bool) []Guard {
	return slices.SortedFunc(maps.Keys(set), func(a, b Guard) int { return cmp.Or(a.Arg-b.Arg, a.Bound-b.Bound) })
}

// A span is an interval of integers.
type span struct{ lo, hi int64 }

func (s span) with(t span) span { return span{min(s.lo, t.lo), max(s.hi, t.hi)} }

// whole is the span of all integers of a kind.
func whole(k Kind) span {
	switch k {
	case U32:
		return span{0, math.MaxUint32}
	case U8:
		return span{0, math.MaxUint8}
	case I8:
		return span{math.MinInt8, math.MaxInt8}
	case U16:
		return span{0, math.MaxUint16}
	case I16:
		return span{math.MinInt16, math.MaxInt16}
	}
	return span{math.MinInt32, math.MaxInt32}
}

// operands are the spans of an instruction's operands and of its result.
type operands struct{ x, y, z, result span }

// A reducer reduces one nest.
type reducer struct {
	n       *Nest
	size    int
	bits    uint
	guarded bool // arguments of unknown size are assumed to be small
	failed  bool
	at      map[Value]span // at the current instruction, in order
	seen    map[*Instr]*operands
	of      map[Value]*operands // those of the only assignment of a value
	defs    []*Instr            // that assignment as it was, or nil
	users   []*Instr            // the only instruction that uses a value, as it was, or nil
	version map[Value]int       // how often values have been assigned so far
	taken   map[Value][2]int    // the versions of the operands X and Y of a value's only assignment
	first   []Node              // constants
	consts  map[uint64]Value    // by their bits
	guards  map[Guard]bool
	forms   map[string]*product
	// values that have no register of this size: those on the way to a quotient, and sums to be clamped
	quotients map[Value]*quotient
	sums      map[Value]*Instr
}

// kind is the kind of reduced values in an operation.
func (r *reducer) kind(signed bool) Kind {
	switch {
	case r.size == 1 && signed:
		return I8
	case r.size == 1:
		return U8
	case signed:
		return I16
	}
	return U16
}

// collect finds the values that are assigned once, and those used once.
func (r *reducer) collect(list []Node) {
	r.defs = make([]*Instr, len(r.n.Kinds))
	r.users = make([]*Instr, len(r.n.Kinds))
	often, used := make([]int, len(r.n.Kinds)), make([]int, len(r.n.Kinds))
	Walk(list, func(i *Instr) {
		was := *i
		often[i.Dst]++
		r.defs[i.Dst] = &was
		for _, v := range i.Uses() {
			used[v]++
			r.users[v] = &was
		}
	})
	for v := range often {
		if often[v] != 1 {
			r.defs[v] = nil
		}
		if often[v] != 1 || used[v] != 1 {
			r.users[v] = nil
		}
	}
}

// mostRounds is the number of iterations of a loop after which changing spans are given up.
const mostRounds = 3

// analyse finds the spans of all values, in order. It reports whether all instructions can be reduced at
// all.
func (r *reducer) analyse(list []Node) bool {
	for _, x := range list {
		switch x := x.(type) {
		case *Instr:
			if !r.instr(x) {
				return false
			}
		case *When:
			before := maps.Clone(r.at)
			if !r.analyse(x.Then) {
				return false
			}
			then := r.at
			r.at = before
			if !r.analyse(x.Else) {
				return false
			}
			r.join(then)
		case *Loop:
			for round := 0; ; round++ {
				before := maps.Clone(r.at)
				if !r.analyse(x.Head) || !r.analyse(x.Body) {
					return false
				}
				r.join(before)
				changed := false
				for v, s := range before {
					if r.at[v] == s {
						continue
					}
					changed = true
					if round >= mostRounds {
						r.at[v] = r.widest(v, x)
					}
				}
				if !changed {
					break
				}
			}
		}
	}
	return true
}

// join unites the current spans with others.
func (r *reducer) join(other map[Value]span) {
	for v, s := range other {
		if t, ok := r.at[v]; ok {
			s = s.with(t)
		}
		r.at[v] = s
	}
}

// widest is the span of a value that a loop changes again and again.
func (r *reducer) widest(v Value, l *Loop) span {
	bounded := false
	Walk(l.Body, func(i *Instr) { bounded = bounded || i.Dst == v && r.isBounded(i) })
	if bounded {
		return r.bounded()
	}
	return whole(r.n.Kinds[v])
}

// bounded is the span in which values with a bound are assumed to be.
func (r *reducer) bounded() span { return span{-1 << (r.bits - 2), 1 << (r.bits - 2)} }

// isBounded reports whether the result of an instruction may be in that span, as its bound says.
func (r *reducer) isBounded(i *Instr) bool {
	if i.Bound == 0 {
		return false
	}
	most, err := strconv.ParseFloat(r.n.Bounds[i.Bound-1], 64)
	return err != nil || int64(most) <= r.bounded().hi // an expression may be, at run time
}

// assumed is the span in which arguments of unknown size are assumed to be: those of bytes are
// thresholds and keys, those of 16 bits perhaps summands of sums.
func (r *reducer) assumed() span {
	if r.size == 1 {
		return span{0, math.MaxUint8}
	}
	return span{-1 << 10, 1<<10 - 1}
}

// instr notes the spans of an instruction, and reports whether it can be reduced.
func (r *reducer) instr(i *Instr) bool {
	o := &operands{x: r.at[i.X], y: r.at[i.Y], z: r.at[i.Z]}
	if i.Kind.IsFloat() || i.From.IsFloat() || i.Kind.Size() == 8 || i.From.Size() == 8 {
		return false
	}
	switch i.Op {
	case Check, Within, Whole, Bools, PutBool, MaskAnd, MaskOr, MaskNot:
		return true
	case Move, Select:
		if i.Kind == Mask {
			return i.Op == Move
		}
	}
	known := whole(i.Kind)
	o.result = known
	switch i.Op {
	case Const:
		n := int64(int32(i.Imm))
		if i.Kind == U32 {
			n = int64(uint32(i.Imm))
		}
		o.result = span{n, n}
	case Arg:
		switch {
		case i.From != None:
			o.result = whole(i.From)
		case r.guarded:
			o.result = r.assumed()
			r.guards[Guard{Arg: i.Mem.Disp, Least: o.result.lo, Most: o.result.hi}] = true
		}
	case Strides:
	case Gather:
		if i.On != 0 || i.Every < -1 || i.Every == 0 || i.Every > 4 || i.From == None || i.From.Size() > r.size || r.n.Groups[i.Mem.Group].Row != nil {
			return false
		}
		o.result = whole(i.From)
	case Load, Broadcast:
		if i.From == None || i.From.Size() > r.size || r.n.Groups[i.Mem.Group].Row != nil {
			return false
		}
		o.result = whole(i.From)
	case Store:
		if i.From == None || i.From.Size() > r.size || r.n.Groups[i.Mem.Group].Row != nil {
			return false
		}
	case Move:
		o.result = o.x
	case Bits, Convert:
		if i.From.Size() != 4 {
			return false
		}
		if o.result = o.x; o.x.lo < known.lo || o.x.hi > known.hi {
			o.result = known
		}
	case Select:
		o.result = o.y.with(o.z)
	case Add:
		o.result = span{o.x.lo + o.y.lo, o.x.hi + o.y.hi}
	case Sub:
		o.result = span{o.x.lo - o.y.hi, o.x.hi - o.y.lo}
	case Neg:
		o.result = span{-o.x.hi, -o.x.lo}
	case Mul:
		o.result = products(o.x, o.y)
	case And:
		switch {
		case o.x.lo >= 0 && o.y.lo >= 0:
			o.result = span{0, min(o.x.hi, o.y.hi)}
		case o.y.lo >= 0:
			o.result = span{0, o.y.hi}
		case o.x.lo >= 0:
			o.result = span{0, o.x.hi}
		}
	case Or, Xor:
		if o.x.lo >= 0 && o.y.lo >= 0 {
			o.result = span{0, 1<<bits.Len64(uint64(o.x.hi|o.y.hi)) - 1}
		} else if fits(o.x, 8, true) && fits(o.y, 8, true) {
			o.result = whole(I8)
		} else if fits(o.x, 16, true) && fits(o.y, 16, true) {
			o.result = whole(I16)
		}
	case Shl:
		o.result = products(o.x, span{1 << i.Imm, 1 << i.Imm})
	case Shr:
		if x, width := r.extends(i); x != 0 {
			o.result = span{-1 << (width - 1), 1<<(width-1) - 1}
			if s := r.at[x]; s.lo >= o.result.lo && s.hi <= o.result.hi {
				o.result = s
			}
			o.x = r.at[x]
			break
		}
		o.result = span{o.x.lo >> i.Imm, o.x.hi >> i.Imm}
	case ShlBy, ShrBy:
		if r.size != 2 {
			return false
		}
		if i.Op == ShrBy {
			o.result = o.x.with(span{0, 0})
			if o.x.lo < 0 {
				o.result = o.result.with(span{-1, 0})
			}
		}
	case MulHi:
		p := products(o.x, o.y)
		o.result = span{p.lo >> 32, p.hi >> 32}
	case Div:
		if r.size != 2 || i.Run {
			return false
		}
		m := max(o.x.hi, -o.x.lo)
		o.result = span{-m, m}
		if o.x.lo >= 0 && o.y.lo >= 0 {
			o.result.lo = 0
		}
	case Min:
		o.result = span{min(o.x.lo, o.y.lo), min(o.x.hi, o.y.hi)}
	case Max:
		o.result = span{max(o.x.lo, o.y.lo), max(o.x.hi, o.y.hi)}
	case Cmp:
	default:
		return false
	}
	if o.result.lo < known.lo || o.result.hi > known.hi { // it may wrap around
		o.result = known
	}
	if b := r.bounded(); r.isBounded(i) && (o.result.lo < b.lo || o.result.hi > b.hi) {
		r.guards[Guard{Bound: i.Bound, Least: 0, Most: b.hi}] = true
		o.result = b
	}
	if before := r.seen[i]; before != nil {
		o = &operands{before.x.with(o.x), before.y.with(o.y), before.z.with(o.z), before.result.with(o.result)}
	}
	r.seen[i] = o
	if i.Dst != 0 && i.Op != Cmp {
		r.at[i.Dst] = o.result
		if r.defs[i.Dst] != nil {
			r.of[i.Dst] = o
		}
	}
	return true
}

// products is the span of the products of two spans.
func products(a, b span) span {
	s := span{math.MaxInt64, math.MinInt64}
	for _, x := range []int64{a.lo, a.hi} {
		for _, y := range []int64{b.lo, b.hi} {
			s = s.with(span{x * y, x * y})
		}
	}
	return s
}

// fits reports whether all integers of a span are integers of so many bits.
func fits(s span, bits uint, signed bool) bool {
	if signed {
		return s.lo >= -1<<(bits-1) && s.hi < 1<<(bits-1)
	}
	return s.lo >= 0 && s.hi < 1<<bits
}

// common returns the kind in which all integers of the spans are themselves.
func (r *reducer) common(all ...span) (Kind, bool) {
	for _, signed := range []bool{false, true} {
		ok := true
		for _, s := range all {
			ok = ok && fits(s, r.bits, signed)
		}
		if ok {
			return r.kind(signed), true
		}
	}
	return None, false
}

// extends returns the integer whose low bits i extends by their sign, if i is the second of two shifts
// that do so.
func (r *reducer) extends(i *Instr) (x Value, width uint) {
	if i.Op != Shr || i.Kind != I32 || i.Imm == 0 || i.Imm > 31 {
		return 0, 0
	}
	if d := r.defs[i.X]; d != nil && d.Op == Shl && d.Imm == i.Imm && r.defs[d.X] != nil {
		return d.X, uint(32 - i.Imm)
	}
	return 0, 0
}

// list returns the reduced instructions of a list.
func (r *reducer) list(list []Node) []Node {
	var out []Node
	for _, x := range list {
		switch x := x.(type) {
		case *Instr:
			dst := x.Dst
			r.taken[dst] = [2]int{r.version[x.X], r.version[x.Y]}
			for _, i := range r.reduced(x) {
				out = append(out, i)
			}
			r.version[dst]++
			continue
		case *Loop:
			x.Head, x.Body = r.list(x.Head), r.list(x.Body)
		case *When:
			x.Then, x.Else = r.list(x.Then), r.list(x.Else)
		}
		out = append(out, x)
	}
	return out
}

// fail gives the nest up.
func (r *reducer) fail() []*Instr {
	r.failed = true
	return nil
}

// reduced returns the instructions that stand for x.
func (r *reducer) reduced(x *Instr) []*Instr {
	switch x.Op {
	case PutBool:
		x.Temps = []Value{r.n.New(I32)}
		return []*Instr{x}
	case Check, Within, Whole, Bools, MaskAnd, MaskOr, MaskNot:
		return []*Instr{x}
	case Move:
		if x.Kind == Mask {
			return []*Instr{x}
		}
	}
	o := r.seen[x]
	if o == nil {
		return r.fail() // never executed
	}
	if x.Op == MulHi || r.hasQuotient(x) {
		if x.Dst == 0 {
			return r.fail()
		}
		return r.divided(x)
	}
	if list, ok := r.clamped(x, o); ok {
		return list
	}
	mask := uint64(1)<<r.bits - 1
	is := func(op Op, k Kind) []*Instr {
		x.Op, x.Kind = op, k
		return []*Instr{x}
	}
	switch x.Op {
	case Const:
		x.Imm &= mask
		return is(Const, r.kind(true))
	case Arg:
		x.From = None
		return is(Arg, r.kind(true))
	case Strides:
		return nil
	case Load, Broadcast, Store, Gather:
		if x.Op == Gather {
			x.X = 0 // distances that are known
		}
		if x.From.Size() == r.size {
			x.From = None
		}
		return is(x.Op, r.kind(true))
	case Bits, Convert:
		x.From = None
		return is(Move, r.kind(true))
	case Move, Select, Add, Sub, Neg, Or, Xor:
		return is(x.Op, r.kind(true))
	case And:
		for _, s := range [][2]Value{{x.X, x.Y}, {x.Y, x.X}} {
			if d := r.defs[s[1]]; d != nil && d.Op == Const && d.Imm&mask == mask {
				x.X, x.Y = s[0], 0
				return is(Move, r.kind(true))
			}
		}
		return is(And, r.kind(true))
	case Mul:
		if r.size == 1 {
			return r.fail()
		}
		return is(Mul, r.kind(true))
	case Shl:
		if uint(x.Imm) >= r.bits {
			x.X, x.Imm = 0, 0
			return is(Const, r.kind(true))
		}
		x.Kind = r.kind(true)
		return r.moved(x, o)
	case Shr:
		return r.shifted(x, o)
	case ShlBy:
		if !fits(o.y, r.bits, false) {
			return r.fail()
		}
		return is(ShlBy, r.kind(false))
	case ShrBy:
		k, ok := r.common(o.x)
		if !ok || !fits(o.y, r.bits, false) {
			return r.fail()
		}
		return is(ShrBy, k)
	case Min, Max, Div:
		k, ok := r.common(o.x, o.y)
		if !ok {
			return r.fail()
		}
		return is(x.Op, k)
	case Cmp:
		k, ok := r.common(o.x, o.y)
		if !ok {
			return r.fail()
		}
		x.From = k
		return []*Instr{x}
	}
	return r.fail()
}

// shifted reduces a shift to the right.
func (r *reducer) shifted(x *Instr, o *operands) []*Instr {
	if from, width := r.extends(x); from != 0 {
		switch {
		case width == r.bits, width < r.bits && fits(o.x, width, true):
			x.Op, x.Kind, x.X, x.Imm = Move, r.kind(true), from, 0
			return []*Instr{x}
		case width < r.bits:
			more := uint64(r.bits - width)
			up := &Instr{Op: Shl, Kind: r.kind(true), Dst: r.n.New(I32), X: from, Imm: more}
			x.Kind, x.X, x.Imm = r.kind(true), up.Dst, more
			return append([]*Instr{up}, r.moved(x, o)...)
		}
		o = &operands{x: whole(I32)}
	}
	k, ok := r.common(o.x)
	switch {
	case !ok:
		return r.fail()
	case uint(x.Imm) < r.bits:
		x.Kind = k
		return r.moved(x, o)
	case k == r.kind(false):
		x.Op, x.Kind, x.X, x.Imm = Const, r.kind(true), 0, 0
	default:
		x.Kind, x.Imm = k, uint64(r.bits-1)
	}
	return []*Instr{x}
}

// constant returns a value that is n in all lanes, and the instruction that makes it, unless that comes
// first in the nest.
func (r *reducer) constant(n uint64) (Value, []*Instr) {
	n &= 1<<r.bits - 1
	if v := r.consts[n]; v != 0 {
		return v, nil
	}
	i := &Instr{Op: Const, Kind: r.kind(true), Dst: r.n.New(I32), Imm: n}
	if r.n.Late {
		return i.Dst, []*Instr{i}
	}
	r.first, r.consts[n] = append(r.first, i), i.Dst
	return i.Dst, nil
}

// moved returns the instructions of a shift. There are none of bytes: words are shifted, and the bits that
// come in from the neighbour are masked off, unless they are 0 or the only user of the result masks them.
func (r *reducer) moved(x *Instr, o *operands) []*Instr {
	if r.size > 1 || x.Imm == 0 {
		return []*Instr{x}
	}
	kept := uint64(0xff) >> x.Imm
	if x.Op == Shl {
		kept = 0xff << x.Imm & 0xff
	}
	signed := x.Op == Shr && x.Kind.IsSigned()
	masked := func(i *Instr, bits uint64) bool { // by a constant without these bits
		if i == nil || i.Op != And {
			return false
		}
		for _, v := range []Value{i.X, i.Y} {
			if d := r.defs[v]; d != nil && d.Op == Const && d.Imm&bits == 0 {
				return true
			}
		}
		return false
	}
	edge := uint64(1<<x.Imm - 1) // the bits that leave the neighbour
	if x.Op == Shl {
		edge <<= 8 - x.Imm
	}
	if !signed && (masked(r.users[x.Dst], ^kept&0xff) || masked(r.defs[x.X], edge) || x.Op == Shl && o.x.lo >= 0 && o.x.hi < 1<<(8-x.Imm)) {
		return []*Instr{x}
	}
	list := []*Instr{x}
	then := func(op Op, n uint64, dst Value) {
		c, first := r.constant(n)
		list = append(append(list, first...), &Instr{Op: op, Kind: r.kind(true), Dst: dst, X: list[len(list)-1].Dst, Y: c})
	}
	result := x.Dst
	x.Dst = r.n.New(I32)
	if !signed {
		then(And, kept, result)
		return list
	}
	x.Kind = r.kind(false)
	then(And, kept, r.n.New(I32))
	sign := uint64(0x80) >> x.Imm // where the sign bit is now
	then(Xor, sign, r.n.New(I32))
	then(Sub, sign, result)
	return list
}

// clamped reduces sums that are clamped to the integers of a kind, which are saturated sums: a sum
// itself need not fit. A sum that is clamped on both sides is clamped twice; the first of these goes.
func (r *reducer) clamped(x *Instr, o *operands) ([]*Instr, bool) {
	if x.Op == Add || x.Op == Sub {
		if _, ok := r.common(o.result); !ok {
			r.sums[x.Dst] = r.defs[x.Dst]
		}
		return nil, false
	}
	if x.Op != Min && x.Op != Max {
		return nil, false
	}
	for _, s := range [][2]Value{{x.X, x.Y}, {x.Y, x.X}} {
		sum, limit := r.sums[s[0]], r.defs[s[1]]
		if sum == nil || limit == nil || limit.Op != Const || r.taken[sum.Dst] != [2]int{r.version[sum.X], r.version[sum.Y]} {
			continue
		}
		n, within, a := r.of[s[1]].result.lo, r.of[s[0]].result, r.of[sum.Dst]
		for _, signed := range []bool{false, true} {
			k := r.kind(signed)
			all := whole(k)
			if !fits(a.x, r.bits, signed) || !fits(a.y, r.bits, signed) || !(x.Op == Min && n == all.hi || x.Op == Max && n == all.lo) {
				continue
			}
			if x.Op == Min && within.lo >= all.lo || x.Op == Max && within.hi <= all.hi {
				*x = Instr{Op: map[Op]Op{Add: AddSat, Sub: SubSat}[sum.Op], Kind: k, Dst: x.Dst, X: sum.X, Y: sum.Y}
				return []*Instr{x}, true
			}
			if r.defs[x.Dst] != nil {
				r.sums[x.Dst] = sum // and the other limit follows
				return nil, true
			}
		}
	}
	return nil, false
}

// A quotient is a value on the way to x/d: a function of leaf.
type quotient struct {
	leaf    Value
	version int  // of the leaf
	of      span // the leaf's span
	text    string
	at      func(x int64) int64
}

// hasQuotient reports whether an operand of x is on the way to a quotient.
func (r *reducer) hasQuotient(x *Instr) bool {
	return r.quotients[x.X] != nil || r.quotients[x.Y] != nil || r.quotients[x.Z] != nil
}

// divided reduces an instruction on the way to a quotient. Where its result is one, that is computed in
// the reduced size; else the instruction goes.
func (r *reducer) divided(x *Instr) []*Instr {
	q := r.function(x)
	if q == nil || r.defs[x.Dst] == nil {
		return r.fail()
	}
	r.quotients[x.Dst] = q
	list := r.quotientOf(q, x.Dst)
	if list != nil {
		delete(r.quotients, x.Dst)
	}
	return list
}

// function returns the result of x as a function of the integer that is divided.
func (r *reducer) function(x *Instr) *quotient {
	q := r.quotients[x.X]
	if q == nil {
		q = r.quotients[x.Y]
	}
	leaf, of := x.X, r.seen[x].x
	if q != nil {
		leaf, of = q.leaf, q.of
	} else if x.Op != MulHi {
		return nil
	}
	version := r.version[leaf]
	if q != nil && q.version != version || of.hi-of.lo >= 1<<16 {
		return nil
	}
	if _, ok := r.common(of); !ok {
		return nil
	}
	var operand func(v Value, version, depth int) *quotient
	apply := func(i *Instr, versions [2]int, depth int) *quotient {
		a, b := operand(i.X, versions[0], depth), &quotient{at: func(int64) int64 { return 0 }}
		if i.Y != 0 {
			b = operand(i.Y, versions[1], depth)
		}
		if a == nil || b == nil || i.Z != 0 || i.On != 0 {
			return nil
		}
		imm, signed := i.Imm, i.Kind == I32
		wrap := func(n int64) int64 {
			if signed {
				return int64(int32(n))
			}
			return int64(uint32(n))
		}
		var do func(x, y int64) int64
		switch i.Op {
		case MulHi:
			do = func(x, y int64) int64 { return x * y >> 32 }
			if !signed {
				do = func(x, y int64) int64 { hi, lo := bits.Mul64(uint64(x), uint64(y)); return int64(hi<<32 | lo>>32) }
			}
		case Add:
			do = func(x, y int64) int64 { return x + y }
		case Sub:
			do = func(x, y int64) int64 { return x - y }
		case And:
			do = func(x, y int64) int64 { return x & y }
		case Shr:
			do = func(x, _ int64) int64 { return x >> imm }
		case Neg:
			do = func(x, _ int64) int64 { return -x }
		case Bits, Move, Convert:
			do = func(x, _ int64) int64 { return x }
		default:
			return nil
		}
		return &quotient{leaf, version, of, fmt.Sprintf("%v.%v(%s,%s,%d)", i.Op, i.Kind, a.text, b.text, imm), func(x int64) int64 { return wrap(do(a.at(x), b.at(x))) }}
	}
	operand = func(v Value, then, depth int) *quotient {
		if v == leaf {
			if then != version {
				return nil
			}
			return &quotient{leaf, version, of, "x", func(x int64) int64 { return x }}
		}
		if q := r.quotients[v]; q != nil {
			if q.leaf != leaf || q.version != version {
				return nil
			}
			return q
		}
		d := r.defs[v]
		if d == nil || depth > 4 {
			return nil
		}
		if o := r.of[v]; o != nil && o.result.lo == o.result.hi {
			n := o.result.lo
			return &quotient{leaf, version, of, fmt.Sprint(n), func(int64) int64 { return n }}
		}
		return apply(d, r.taken[v], depth+1)
	}
	return apply(x, [2]int{r.version[x.X], r.version[x.Y]}, 0)
}

// A product is a form of x/d: the product of x and factor, or its high half, shifted to the right.
type product struct {
	kind   Kind
	high   bool
	factor int64
	shift  uint
}

// at is the quotient of x.
func (p *product) at(x int64, bits uint) int64 {
	n := x * p.factor
	if p.high {
		n >>= bits
	}
	return n >> p.shift
}

// quotientOf returns the instructions of a quotient, or nil if q is none.
func (r *reducer) quotientOf(q *quotient, dst Value) []*Instr {
	key := fmt.Sprint(q.of, q.text)
	p, known := r.forms[key]
	if !known {
		p = r.productFor(q)
		r.forms[key] = p
	}
	if p == nil {
		return nil
	}
	if p.factor == 0 {
		return []*Instr{{Op: Const, Kind: r.kind(true), Dst: dst}}
	}
	factor, list := r.constant(uint64(p.factor))
	op := Mul
	if p.high {
		op = MulHi
	}
	if p.shift == 0 {
		return append(list, &Instr{Op: op, Kind: p.kind, Dst: dst, X: q.leaf, Y: factor})
	}
	high := r.n.New(I32)
	return append(list, &Instr{Op: op, Kind: p.kind, Dst: high, X: q.leaf, Y: factor}, &Instr{Op: Shr, Kind: p.kind, Dst: dst, X: high, Imm: uint64(p.shift)})
}

// productFor searches a product that equals a function for all integers of the span. For integers that
// may be negative, shifts round down, as those of the function do.
func (r *reducer) productFor(q *quotient) *product {
	d := int64(0) // the divisor
	for x := max(q.of.lo, 0); x <= q.of.hi && d == 0; x++ {
		if n := q.at(x); n == 1 {
			d = x
		} else if n != 0 {
			return nil
		}
	}
	if d == 0 {
		if q.of.lo < 0 {
			return nil
		}
		return &product{}
	}
	kind, ok := r.common(q.of)
	if !ok {
		return nil
	}
	signed := kind == r.kind(true)
	equal := func(p *product) bool {
		for x := q.of.lo; x <= q.of.hi; x++ {
			if p.at(x, r.bits) != q.at(x) {
				return false
			}
		}
		return true
	}
	for shift := uint(0); shift < r.bits; shift++ {
		low := &product{kind, false, (1<<shift + d - 1) / d, shift}
		if fits(products(q.of, span{low.factor, low.factor}), r.bits, signed) && equal(low) {
			return low
		}
	}
	for shift := uint(0); shift < r.bits && r.size == 2; shift++ {
		high := &product{kind, true, (1<<(r.bits+shift) + d - 1) / d, shift}
		if fits(span{high.factor, high.factor}, r.bits, signed) && equal(high) {
			return high
		}
	}
	return nil
}
