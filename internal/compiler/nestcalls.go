package compiler

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Calls in nests: functions of packages math and math/bits, and numeric builtins.

// call returns the values of a call with a result of kind k, or nil if vectors don't support the
// call.
func (l *lowering) call(x *Call, k lir.Kind, to operand) operand {
	if verb, arg, ok := floatCall(x); ok && l.kind(arg.Type()) == k {
		return l.op(lir.Instr{Op: verb, Kind: k}, to, l.value(arg, nil))
	}
	if x.Fn == nil {
		if verb, ok := map[string]lir.Op{"min": lir.Min, "max": lir.Max}[x.Name]; ok {
			if k.IsFloat() {
				verb = map[string]lir.Op{"min": lir.Least, "max": lir.Most}[x.Name]
			}
			o := l.value(x.Args[0], nil)
			for _, a := range x.Args[1:] {
				o = l.op(lir.Instr{Op: verb, Kind: k}, nil, o, l.value(a, nil))
			}
			return o
		}
		return nil
	}
	f := formula{l, k}
	arg := func(i int) operand { return l.value(x.Args[i], nil) }
	switch x.Name {
	case "math.Round":
		return f.round(arg(0))
	case "math.NaN":
		return f.num(math.NaN())
	case "math.Inf":
		if n, isConst := constInt(x.Args[0]); isConst {
			return f.num(math.Inf(int(max(min(n, 1), -1))))
		}
	case "math.Float32bits", "math.Float32frombits", "math.Float64bits", "math.Float64frombits":
		return l.op(lir.Instr{Op: lir.Bits, Kind: k, From: l.kind(x.Args[0].Type())}, to, arg(0))
	case "math.FMA", devicePath + ".Fmaf":
		a, b := arg(0), arg(1)
		return l.op(lir.Instr{Op: lir.FMA, Kind: k}, to, a, b, arg(2))
	case "math.Copysign":
		a := f.abs(arg(0))
		return f.signed(a, arg(1))
	case "math.Max", "math.Min": // an infinity wins even over a NaN
		verb, inf := lir.Most, f.num(math.Inf(1))
		if x.Name == "math.Min" {
			verb, inf = lir.Least, f.num(math.Inf(-1))
		}
		a, b := arg(0), arg(1)
		infinite := l.either(f.is(a, lir.Eq, inf), f.is(b, lir.Eq, inf))
		return f.choose(infinite, inf, f.do(verb, a, b))
	case "math.Pow":
		if y, ok := floatConst(x.Args[1]); ok {
			if o := f.power(x.Args[0], y); o != nil {
				return o
			}
			if n := math.Round(math.Abs(y)); k == lir.F64 && !l.b.k.Fastmath && n < mostExponent {
				l.check(l.b.rt() + ".SameMath")
				l.formulas = true
				return f.powUpTo(int(n), arg(0), f.num(y))
			}
		}
	}
	if name, ok := strings.CutPrefix(x.Name, "math."); ok {
		if of := mathOf(name, k, l.b.k.Fastmath); of != nil {
			var args []operand
			for i := range x.Args {
				args = append(args, arg(i))
			}
			if !l.b.k.Fastmath {
				l.check(l.b.rt() + ".SameMath")
			}
			l.formulas = true
			return of(f, args)
		}
	}
	return l.bitsCall(x, k)
}

// narrowCall returns the values of e, a conversion of a call, if the call may be computed in the
// size of e's type: its result is then the same, or the kernel's options allow another. Otherwise
// it returns nil.
func (l *lowering) narrowCall(e *Convert, c *Call, k lir.Kind, to operand) operand {
	if verb, arg, ok := floatCall(e); ok && k.IsFloat() && l.kind(arg.Type()) == k {
		if verb == lir.Sqrt && k == lir.F32 && l.b.k.Fastmath && l.estimates() && !c.Exact {
			return formula{l, k}.root(l.value(arg, nil), to)
		}
		return l.op(lir.Instr{Op: verb, Kind: k}, to, l.value(arg, nil))
	}
	if c.Fn == nil {
		return nil
	}
	if !k.IsFloat() && k.Size() == 4 && smallKind(e.T) == lir.None {
		return l.bitsCall(c, k)
	}
	if k != lir.F32 {
		return nil
	}
	f := formula{l, k}
	switch c.Name {
	case "math.Inf":
		if n, isConst := constInt(c.Args[0]); isConst {
			return f.num(math.Inf(int(max(min(n, 1), -1))))
		}
	case "math.NaN":
		return f.num(math.NaN())
	case "math.Copysign":
		if args, ok := singles(c.Args); ok {
			a := f.abs(l.value(args[0], nil))
			return f.signed(a, l.value(args[1], nil))
		}
	}
	name, ok := strings.CutPrefix(c.Name, "math.")
	if !ok || !l.b.k.Fastmath {
		return nil
	}
	args, ok := singles(c.Args)
	if !ok {
		return nil
	}
	if name == "Pow" {
		if y, isConst := floatConst(args[1]); isConst {
			if o := f.power(args[0], y); o != nil {
				return o
			}
		}
	}
	of := mathOf(name, k, true)
	if of == nil {
		return nil
	}
	var list []operand
	for _, a := range args {
		list = append(list, l.value(a, nil))
	}
	l.formulas = true
	return of(f, list)
}

// floatConst returns the value of a constant.
func floatConst(e Expr) (float64, bool) {
	if c, ok := e.(*Const); ok {
		x, _ := constant.Float64Val(constant.ToFloat(c.Val))
		return x, true
	}
	return 0, false
}

// power raises the value of e to the power y, for some constants y; otherwise it returns nil.
// Without fastmath y is ±1/2 or a whole number up to ±64, and the result has the bits of math.Pow,
// which multiplies in the same order but treats exponents separately; strips with denormal results
// run in plain Go. With fastmath, whole numbers are limited so that products are within 2 ulp.
func (f formula) power(e Expr, y float64) operand {
	fast := f.l.b.k.Fastmath
	n := int(math.Abs(y))
	switch {
	case math.Abs(y) == 0.5: // as in math.Pow: the root of -0 is +0, and that of -infinity is infinity
		x, inf := f.l.value(e, nil), f.num(math.Inf(1))
		z := f.choose(f.is(x, lir.Eq, f.num(math.Inf(-1))), inf, f.do(lir.Sqrt, f.add(x, f.num(0))))
		if y < 0 {
			return f.div(f.num(1), z)
		}
		return z
	case float64(n) != math.Abs(y) || n == 0 || n > 64 || fast && (n > 4 || y < -1):
		return nil
	}
	x := f.l.value(e, nil)
	var z operand
	for square := x; ; square = f.mul(square, square) {
		if n&1 == 1 && z == nil {
			z = square
		} else if n&1 == 1 {
			z = f.mul(z, square)
		}
		if n >>= 1; n == 0 {
			break
		}
	}
	if y < 0 {
		z = f.div(f.num(1), z)
	}
	if !fast && y != 1 {
		f.l.check(f.l.b.rt() + ".SameMath")
		f.within(f.l.either(f.l.not(f.is(f.abs(z), lir.Lt, f.num(0x1p-1022))), f.is(x, lir.Eq, f.num(0))))
	}
	return z
}

// floatQuestion returns the mask of a predicate of package math about floats, or fails if c is
// none.
func (l *lowering) floatQuestion(c *Call) (operand, bool) {
	if c.Fn == nil || len(c.Args) == 0 || !strings.HasPrefix(c.Name, "math.") || elem(c.Args[0].Type()) != "F64" {
		return nil, false
	}
	e := c.Args[0]
	if args, ok := narrowed(c.Args[:1]); ok {
		e = args[0]
	}
	f := formula{l, l.kind(e.Type())}
	switch c.Name {
	case "math.IsNaN":
		x := l.value(e, nil)
		return f.is(x, lir.Ne, x), true
	case "math.IsInf":
		sign, ok := constInt(c.Args[1])
		if !ok {
			return nil, false
		}
		x := l.value(e, nil)
		switch {
		case sign == 0:
			return f.is(f.abs(x), lir.Eq, f.num(math.Inf(1))), true
		case sign > 0:
			return f.is(x, lir.Eq, f.num(math.Inf(1))), true
		}
		return f.is(x, lir.Eq, f.num(math.Inf(-1))), true
	case "math.Signbit":
		return l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: f.ints(), Pred: lir.Lt}, nil, f.toBits(l.value(e, nil)), f.bits(0)), true
	}
	return nil, false
}

// bitsCall returns the values, of kind k, of a func of package math/bits for 32 or 64 bits, or nil.
func (l *lowering) bitsCall(x *Call, k lir.Kind) operand {
	if o := l.longCall(x, k); o != nil {
		return o
	}
	name, ok := strings.CutPrefix(x.Name, "math/bits.")
	if !ok || x.Fn == nil {
		return nil
	}
	of := l.kind(x.Args[0].Type())
	verb, ok := strings.CutSuffix(name, fmt.Sprint(8*of.Size()))
	if !ok || of != lir.U32 && of != lir.U64 {
		return nil
	}
	w := bitwise{l, of}
	v := l.value(x.Args[0], nil)
	var n operand // the result if it is a count, of type int
	switch verb {
	case "Reverse":
		return w.reversed(v)
	case "ReverseBytes":
		return w.reversedBytes(v)
	case "RotateLeft":
		if by, ok := constInt(x.Args[1]); ok {
			return w.rotated(v, by)
		}
		if of == lir.U32 {
			return w.rotatedBy(v, l.value(&Convert{x.Args[1], types.Typ[types.Uint32]}, nil))
		}
		return nil
	case "OnesCount":
		n = w.ones(v)
	case "TrailingZeros": // counts the bits below the lowest set bit
		n = w.ones(w.do(lir.And, w.do(lir.Xor, v, w.num(math.MaxUint64)), w.do(lir.Sub, v, w.num(1))))
	case "Len":
		n = w.ones(w.smeared(v))
	case "LeadingZeros":
		n = w.do(lir.Sub, w.num(uint64(8*of.Size())), w.ones(w.smeared(v)))
	default:
		return nil
	}
	if of == k {
		return n
	}
	signed := map[lir.Kind]lir.Kind{lir.U32: lir.I32, lir.U64: lir.I64}[of]
	n = l.op(lir.Instr{Op: lir.Bits, Kind: signed, From: of}, nil, n)
	if signed == k {
		return n
	}
	return l.op(lir.Instr{Op: lir.Convert, Kind: k, From: signed}, nil, n)
}

// longCall returns the half of a product, the carry or the borrow that severalresults.go has made calls of package rt,
// or nil for other calls (Warren, Hacker's Delight, 2-16).
func (l *lowering) longCall(x *Call, k lir.Kind) operand {
	name, ok := strings.CutPrefix(x.Name, rtPath+".")
	if !ok || k != lir.U32 && k != lir.U64 || l.kind(x.T) != k {
		return nil
	}
	w := bitwise{l, k}
	verb := strings.TrimRight(name, "0123456789")
	if verb != "MulHigh" && verb != "Carry" && verb != "Borrow" {
		return nil
	}
	a, b := l.value(x.Args[0], nil), l.value(x.Args[1], nil)
	if verb == "MulHigh" {
		return l.op(lir.Instr{Op: lir.MulHi, Kind: k, Imm: 1}, nil, a, b)
	}
	l.formulas = true // which Go does with the machine's carry
	in := l.value(x.Args[2], nil)
	not := func(v operand) operand { return w.do(lir.Xor, v, w.num(math.MaxUint64)) }
	if verb == "Carry" {
		sum := w.do(lir.Add, w.do(lir.Add, a, b), in)
		return w.shr(w.do(lir.Or, w.do(lir.And, a, b), w.do(lir.And, w.do(lir.Or, a, b), not(sum))), uint64(8*k.Size()-1))
	}
	difference := w.do(lir.Sub, w.do(lir.Sub, a, b), in)
	same := not(w.do(lir.Xor, a, b))
	return w.shr(w.do(lir.Or, w.do(lir.And, not(a), b), w.do(lir.And, same, difference)), uint64(8*k.Size()-1))
}

// A bitwise builds operations on unsigned integers of kind k.
type bitwise struct {
	l *lowering
	k lir.Kind
}

func (w bitwise) num(n uint64) operand {
	n &= math.MaxUint64 >> (64 - 8*w.k.Size())
	return w.l.once(fmt.Sprint("c", n, w.k), w.k, lir.Instr{Op: lir.Const, Imm: n})
}

func (w bitwise) do(op lir.Op, args ...operand) operand {
	return w.l.op(lir.Instr{Op: op, Kind: w.k}, nil, args...)
}

func (w bitwise) shl(x operand, by uint64) operand {
	return w.l.op(lir.Instr{Op: lir.Shl, Kind: w.k, Imm: by}, nil, x)
}

func (w bitwise) shr(x operand, by uint64) operand {
	return w.l.op(lir.Instr{Op: lir.Shr, Kind: w.k, Imm: by}, nil, x)
}

// repeated returns a word filled with copies of a pattern of so many bits.
func repeated(pattern uint64, bits int) uint64 {
	for ; bits < 64; bits *= 2 {
		pattern |= pattern << bits
	}
	return pattern
}

// ones counts the set bits: in pairs, fours, bytes, and so on.
func (w bitwise) ones(x operand) operand {
	x = w.do(lir.Sub, x, w.do(lir.And, w.shr(x, 1), w.num(repeated(1, 2))))
	pairs := w.num(repeated(3, 4))
	x = w.do(lir.Add, w.do(lir.And, x, pairs), w.do(lir.And, w.shr(x, 2), pairs))
	x = w.do(lir.And, w.do(lir.Add, x, w.shr(x, 4)), w.num(repeated(0xf, 8)))
	for by := uint64(8); by < uint64(8*w.k.Size()); by *= 2 {
		x = w.do(lir.Add, x, w.shr(x, by))
	}
	return w.do(lir.And, x, w.num(0xff))
}

// smeared sets all bits below the highest set bit.
func (w bitwise) smeared(x operand) operand {
	for by := uint64(1); by < uint64(8*w.k.Size()); by *= 2 {
		x = w.do(lir.Or, x, w.shr(x, by))
	}
	return x
}

func (w bitwise) swapped(x operand, by uint64) operand {
	low := w.num(repeated(1<<by-1, int(2*by)))
	return w.do(lir.Or, w.do(lir.And, w.shr(x, by), low), w.shl(w.do(lir.And, x, low), by))
}

func (w bitwise) reversed(x operand) operand {
	for _, by := range []uint64{1, 2, 4} {
		x = w.swapped(x, by)
	}
	return w.reversedBytes(x)
}

func (w bitwise) reversedBytes(x operand) operand {
	x = w.swapped(x, 8)
	if w.k == lir.U32 {
		return w.rotated(x, 16)
	}
	return w.rotated(w.swapped(x, 16), 32)
}

func (w bitwise) rotated(x operand, by int64) operand {
	bits := int64(8 * w.k.Size())
	by = (by%bits + bits) % bits
	if by == 0 {
		return x
	}
	return w.do(lir.Or, w.shl(x, uint64(by)), w.shr(x, uint64(bits-by)))
}

// rotatedBy rotates to the left by the lowest bits of by. A shift by the whole width gives 0.
func (w bitwise) rotatedBy(x, by operand) operand {
	by = w.do(lir.And, by, w.num(uint64(8*w.k.Size()-1)))
	left := w.do(lir.ShlBy, x, by)
	return w.do(lir.Or, left, w.do(lir.ShrBy, x, w.do(lir.Sub, w.num(uint64(8*w.k.Size())), by)))
}

// round rounds x to the nearest integer, halves away from zero: it truncates, and adds one if the
// fraction is at least 1/2.
func (f formula) round(x operand) operand {
	whole := f.do(lir.Trunc, x)
	far := f.is(f.abs(f.sub(x, whole)), lir.Ge, f.num(0.5))
	// The 1 has the sign of x, and is added only where far holds, so that -0 stays -0.
	more := f.choose(f.is(x, lir.Lt, f.num(0)), f.sub(whole, f.num(1)), f.add(whole, f.num(1)))
	return f.choose(far, more, whole)
}

// floatCall reports whether e is a call of math.Sqrt or a similar func that has an instruction. A
// float32 call has conversions to float64 and back around it.
func floatCall(e Expr) (verb lir.Op, arg Expr, ok bool) {
	verbs := map[string]lir.Op{"math.Sqrt": lir.Sqrt, "math.Abs": lir.Abs, "math.Floor": lir.Floor, "math.Ceil": lir.Ceil, "math.Trunc": lir.Trunc,
		"math.RoundToEven": lir.RoundToEven}
	switch x := e.(type) {
	case *Call:
		verb, ok = verbs[x.Name]
		if ok && len(x.Args) == 1 {
			return verb, x.Args[0], true
		}
	case *Convert:
		c, isCall := x.X.(*Call)
		if !isCall || elem(x.T) != "F32" || len(c.Args) != 1 {
			return 0, nil, false
		}
		if verb, ok = verbs[c.Name]; !ok {
			return 0, nil, false
		}
		if back, isBack := c.Args[0].(*Convert); isBack && elem(back.X.Type()) == "F32" {
			return verb, back.X, true
		}
	}
	return 0, nil, false
}
