package main

import (
	"fmt"
)

// arith has constants, arithmetic, bits, shifts, minima and rounding.
func arith() *file {
	f := newFile("// Constants, arithmetic, bits, shifts, minima and rounding.", "math/bits", "simd/archsimd")
	for _, v := range types {
		if v.part() {
			g := new(file)
			g.raw = true
			integers(g, v.full())
			wrap(f, v, g.String())
			continue
		}
		constants(f, v)
		if v.float() {
			floatArith(f, v)
		} else {
			intArith(f, v)
			if v.kind == 'U' && v.bits >= 32 {
				counts(f, v)
			}
			shifts(f, v)
			divisions(f, v)
		}
		minima(f, v)
	}
	return f
}

// integers writes the functions of a type of small integers.
func integers(f *file, v vtype) {
	constants(f, v)
	intArith(f, v)
	shifts(f, v)
	divisions(f, v)
	minima(f, v)
}

func constants(f *file, v vtype) {
	f.emit(v, `
// Splat$T returns x in all lanes.
func Splat$T(x $E) $T { return archsimd.Broadcast$A(x) }
`)
	iota := fmt.Sprintf("(*[%d]%s)(iota%c%d[:])", v.n, v.elem, v.kind, v.bits)
	if v.float() {
		f.emit(v, `
// Iota$T returns base + k*step in lane k; product and sum are both rounded.
func Iota$T(base, step $E) $T {
	k := LoadPtr$T($IOTA)
	return archsimd.Broadcast$A(base).Add(k.Mul(archsimd.Broadcast$A(step)))
}
`, "$IOTA", iota)
		return
	}
	f.emit(v, `
// Iota$T returns base + k*step in lane k.
func Iota$T(base, step $E) $T {
	k := LoadPtr$T($IOTA)
	if step != 1 {
		k = Mul$T(k, archsimd.Broadcast$A(step))
	}
	return archsimd.Broadcast$A(base).Add(k)
}
`, "$IOTA", iota)
}

func floatArith(f *file, v vtype) {
	sign := fmt.Sprintf("1 << %d", v.bits-1)
	f.emit(v, `
// Add$T returns a + b.
func Add$T(a, b $T) $T { return a.Add(b) }

// Sub$T returns a - b.
func Sub$T(a, b $T) $T { return a.Sub(b) }

// Mul$T returns a * b.
func Mul$T(a, b $T) $T { return a.Mul(b) }

// Div$T returns a / b.
func Div$T(a, b $T) $T { return a.Div(b) }

// FMA$T returns a*b + c, rounded once.
func FMA$T(a, b, c $T) $T { return a.MulAdd(b, c) }

// Neg$T returns -a.
func Neg$T(a $T) $T { return a.As$AU().Xor(archsimd.Broadcast$AU($SIGN)).As$A() }

// Abs$T returns |a|.
func Abs$T(a $T) $T { return a.As$AU().And(archsimd.Broadcast$AU($MAX)).As$A() }

// Sqrt$T returns the square root of a, rounded correctly.
func Sqrt$T(a $T) $T { return a.Sqrt() }
`, "$SIGN", sign, "$MAX", fmt.Sprintf("1<<%d - 1", v.bits-1))
	for _, r := range []struct{ name, about string }{
		{"Floor", "the largest whole number not above a"},
		{"Ceil", "the smallest whole number not below a"},
		{"Trunc", "a without its fraction"},
	} {
		rounding(f, v, r.name, r.about, r.name)
	}
	f.emit(v, `
// Bits$T returns the bits of a, as math.Float$Bbits does.
func Bits$T(a $T) $U { return a.As$AU() }

// FromBits$T returns the numbers with bits a, as math.Float$Bfrombits does.
func FromBits$T(a $U) $T { return a.As$A() }

// Copysign$T returns a with the sign of b.
func Copysign$T(a, b $T) $T {
	sign := archsimd.Broadcast$AU($SIGN)
	return a.As$AU().And(archsimd.Broadcast$AU($MAX)).Or(b.As$AU().And(sign)).As$A()
}
`, "$SIGN", sign, "$MAX", fmt.Sprintf("1<<%d - 1", v.bits-1))
}

// rounding writes a function that rounds with the method. Go 1.26 joins a wide VRNDSCALE and a select to a masked one, which it
// can't encode. The maximum with itself keeps them apart.
func rounding(f *file, v vtype, name, about, method string) {
	body := "return a." + method + "()"
	if v.wide() {
		body = "a = a." + method + "Scaled(0)\n\treturn a.Max(a)"
	}
	f.emit(v, `
// $R$T returns $ABOUT.
func $R$T(a $T) $T {
	`+body+`
}
`, "$R", name, "$ABOUT", about)
}

func roundToEven(f *file, v vtype, method string) {
	rounding(f, v, "RoundToEven", "the whole number next to a, ties to even", method)
}

// counts is what math/bits has: counting and reversing bits. Counting by adding pairs, then fours, then bytes, and reversing by
// exchanging them, is in Warren, Hacker's Delight, chapters 5 and 7. Only AVX-512 has an instruction, for leading zeros.
func counts(f *file, v vtype) {
	word := func(b byte) string {
		if v.bits == 64 {
			return fmt.Sprintf("%#x", uint64(b)*0x0101010101010101)
		}
		return fmt.Sprintf("%#x", uint32(b)*0x01010101)
	}
	// Go 1.26 joins a shift by a constant and a select to a masked one, which it can't encode, so none is the last step.
	sum, clz, half := "return Shr$T(Mul$T(a, Splat$T(0x01010101)), 24).And(Splat$T(0x3f))", "", ""
	smear := []int{1, 2, 4, 8, 16}
	halves := "0x00ff00ff"
	if v.bits == 64 {
		smear = append(smear, 32)
		halves = "0x00ff00ff00ff00ff"
		sum = "a = a.Add(Shr$T(a, 8))\n\ta = a.Add(Shr$T(a, 16))\n\ta = a.Add(Shr$T(a, 32))\n\treturn a.And(Splat$T(0x7f))"
		half = "\n\ta = Shl$T(a, 16).And(Splat$T(0xffff0000ffff0000)).Or(Shr$T(a, 16).And(Splat$T(0x0000ffff0000ffff)))"
	}
	if v.wide() {
		clz = "return a.LeadingZeros()"
	} else {
		for _, n := range smear {
			clz += fmt.Sprintf("a = a.Or(Shr$T(a, %d))\n\t", n)
		}
		clz += "return OnesCount$T(a.Not())"
	}
	f.emit(v, `
// OnesCount$T returns how many bits are set, as bits.OnesCount$B does.
func OnesCount$T(a $T) $T {
	a = a.Sub(Shr$T(a, 1).And(Splat$T($FIVES)))
	a = a.And(Splat$T($THREES)).Add(Shr$T(a, 2).And(Splat$T($THREES)))
	a = a.Add(Shr$T(a, 4)).And(Splat$T($FIFTEENS))
	`+sum+`
}

// LeadingZeros$T returns how many bits are above the highest that is set, as bits.LeadingZeros$B does.
func LeadingZeros$T(a $T) $T {
	`+clz+`
}

// TrailingZeros$T returns how many bits are below the lowest that is set, as bits.TrailingZeros$B does.
func TrailingZeros$T(a $T) $T {
	return OnesCount$T(a.Sub(Splat$T(1)).AndNot(a))
}

// ReverseBits$T returns the bits in reversed order, as bits.Reverse$B does.
func ReverseBits$T(a $T) $T {
	a = Shl$T(a, 1).And(Splat$T($TENS)).Or(Shr$T(a, 1).And(Splat$T($FIVES)))
	a = Shl$T(a, 2).And(Splat$T($TWELVES)).Or(Shr$T(a, 2).And(Splat$T($THREES)))
	a = Shl$T(a, 4).And(Splat$T($HIGHS)).Or(Shr$T(a, 4).And(Splat$T($FIFTEENS)))
	return ReverseBytes$T(a)
}

// ReverseBytes$T returns the bytes in reversed order, as bits.ReverseBytes$B does.
func ReverseBytes$T(a $T) $T {
	a = Shl$T(a, 8).And(Splat$T($HALVES).Not()).Or(Shr$T(a, 8).And(Splat$T($HALVES)))`+half+`
	return Shl$T(a, $HALF).Or(Shr$T(a, $HALF))
}
`, "$FIVES", word(0x55), "$THREES", word(0x33), "$FIFTEENS", word(0x0f), "$TENS", word(0xaa), "$TWELVES", word(0xcc), "$HIGHS", word(0xf0),
		"$HALVES", halves, "$HALF", fmt.Sprint(v.bits/2))
}

func intArith(f *file, v vtype) {
	// Go 1.26 and 1.27 make one instruction, VPTERNLOG, of several such operations on signed integers, and forget that a
	// value that has become one is no longer what it was: when it is used twice the second use may get another
	// value. So they are operations on unsigned integers, of which Go does not.
	bits := func(op string) string { return "a." + op + "(b)" }
	not := "a.Not()"
	if v.signed() {
		bits = func(op string) string { return "a.As$AU()." + op + "(b.As$AU()).As$A()" }
		not = "a.As$AU().Not().As$A()"
	}
	f.emit(v, `
// Add$T returns a + b; it wraps around.
func Add$T(a, b $T) $T { return a.Add(b) }

// Sub$T returns a - b; it wraps around.
func Sub$T(a, b $T) $T { return a.Sub(b) }

// Neg$T returns -a; it wraps around.
func Neg$T(a $T) $T {
	var zero $T
	return zero.Sub(a)
}

// And$T returns a & b.
func And$T(a, b $T) $T { return `+bits("And")+` }

// Or$T returns a | b.
func Or$T(a, b $T) $T { return `+bits("Or")+` }

// Xor$T returns a ^ b.
func Xor$T(a, b $T) $T { return `+bits("Xor")+` }

// AndNot$T returns a &^ b.
func AndNot$T(a, b $T) $T { return `+bits("AndNot")+` }

// Not$T returns ^a.
func Not$T(a $T) $T { return `+not+` }
`)
	switch {
	case v.name == "I8x32" || v.name == "U8x32":
		f.emit(v, `
// Mul$T returns a * b; it wraps around.
func Mul$T(a, b $T) $T {
	var r $T
	return r.SetLo(Mul$H(a.GetLo(), b.GetLo())).SetHi(Mul$H(a.GetHi(), b.GetHi()))
}
`, "$H", vec(v.kind, 8, 16).name)
	case v.bits == 8:
		f.emit(v, `
// Mul$T returns a * b; it wraps around.
func Mul$T(a, b $T) $T { return mul8x16(a.AsInt16x8(), b.AsInt16x8()).As$A() }
`)
	case v.bits == 64 && !v.wide():
		f.emit(v, `
// Mul$T returns a * b; it wraps around.
func Mul$T(a, b $T) $T { return $BODY }
`, "$BODY", pick(v.signed(), "mul64x4(a.AsUint64x4(), b.AsUint64x4()).As$A()", "mul64x4(a, b)"))
	default:
		f.emit(v, `
// Mul$T returns a * b; it wraps around.
func Mul$T(a, b $T) $T { return a.Mul(b) }
`)
	}
}

func shifts(f *file, v vtype) {
	shr := "and fills with zeros"
	if v.signed() {
		shr = "and fills with the sign"
	}
	// The compiler cuts a constant count to 8 bits; the bound keeps it right
	// and costs nothing for constants.
	switch {
	case v.bits == 8:
		f.emit(v, `
// Shl$T returns a << n.
func Shl$T(a $T, n uint) $T {
	keep := archsimd.Broadcast$AU(0xff << n)
	return a.As$AI16().ShiftAllLeft(uint64(min(n, 8))).As$AU().And(keep)$BACK
}
`, "$BACK", pick(v.signed(), ".As"+v.arch+"()", ""), "$AI16", vec('I', 16, v.n/2).arch)
		if v.signed() {
			f.emit(v, `
// Shr$T returns a >> n, $FILL.
func Shr$T(a $T, n uint) $T {
	n = min(n, 7)
	keep := archsimd.Broadcast$AU(0xff >> n)
	sign := archsimd.Broadcast$A(int8(uint8(0x80) >> n))
	s := a.As$AU16().ShiftAllRight(uint64(n)).As$AU().And(keep).As$A()
	return s.Xor(sign).Sub(sign)
}
`, "$FILL", shr, "$AU16", vec('U', 16, v.n/2).arch)
		} else {
			f.emit(v, `
// Shr$T returns a >> n, $FILL.
func Shr$T(a $T, n uint) $T {
	keep := archsimd.Broadcast$AU(0xff >> n)
	return a.As$AU16().ShiftAllRight(uint64(min(n, 8))).As$AU().And(keep)
}
`, "$FILL", shr, "$AU16", vec('U', 16, v.n/2).arch)
		}
	case v.name == "I64x4":
		f.emit(v, `
// Shl$T returns a << n.
func Shl$T(a $T, n uint) $T { return a.ShiftAllLeft(uint64(min(n, $B))) }

// Shr$T returns a >> n, $FILL.
func Shr$T(a $T, n uint) $T {
	var zero $T
	sign := zero.Greater(a).ToInt64x4()
	return a.Xor(sign).AsUint64x4().ShiftAllRight(uint64(min(n, $B))).AsInt64x4().Xor(sign)
}
`, "$FILL", shr)
	default:
		f.emit(v, `
// Shl$T returns a << n.
func Shl$T(a $T, n uint) $T { return a.ShiftAllLeft(uint64(min(n, $B))) }

// Shr$T returns a >> n, $FILL.
func Shr$T(a $T, n uint) $T { return a.ShiftAllRight(uint64(min(n, $B))) }
`, "$FILL", shr)
	}
	// One count a lane.
	switch {
	case v.bits == 8:
		f.emit(v, `
// ShlV$T returns a << n lane by lane.
func ShlV$T(a $T, n $U) $T {
	var x [$N]$E
	var c [$N]$EU
	StorePtr$T(&x, a)
	StorePtr$U(&c, n)
	for k := range x {
		x[k] <<= c[k]
	}
	return LoadPtr$T(&x)
}

// ShrV$T returns a >> n lane by lane, $FILL.
func ShrV$T(a $T, n $U) $T {
	var x [$N]$E
	var c [$N]$EU
	StorePtr$T(&x, a)
	StorePtr$U(&c, n)
	for k := range x {
		x[k] >>= c[k]
	}
	return LoadPtr$T(&x)
}
`, "$FILL", shr)
	case v.bits == 16 && v.n == 8:
		long := map[byte]string{'I': "Int", 'U': "Uint"}[v.kind]
		// Counts that are too large are still large as 32-bit counts.
		f.emit(v, `
// ShlV$T returns a << n lane by lane.
func ShlV$T(a $T, n $U) $T {
	return narrow16x8(ShlVI32x8(a.ExtendTo$L32()$SIGNED, n.ExtendToUint32()))$BACK
}

// ShrV$T returns a >> n lane by lane, $FILL.
func ShrV$T(a $T, n $U) $T {
	return narrow16x8(ShrV$WIDE(a.ExtendTo$L32(), n.ExtendToUint32())$SIGNED)$BACK
}
`, "$FILL", shr, "$L", long,
			"$SIGNED", pick(v.signed(), "", ".AsInt32x8()"), "$WIDE", vec(v.kind, 32, 8).name,
			"$BACK", pick(v.signed(), ".AsInt16x8()", ""))
	case v.bits == 16 && v.n == 16:
		h := vec(v.kind, 16, 8)
		f.emit(v, `
// ShlV$T returns a << n lane by lane.
func ShlV$T(a $T, n $U) $T {
	var r $T
	return r.SetLo(ShlV$H(a.GetLo(), n.GetLo())).SetHi(ShlV$H(a.GetHi(), n.GetHi()))
}

// ShrV$T returns a >> n lane by lane, $FILL.
func ShrV$T(a $T, n $U) $T {
	var r $T
	return r.SetLo(ShrV$H(a.GetLo(), n.GetLo())).SetHi(ShrV$H(a.GetHi(), n.GetHi()))
}
`, "$FILL", shr, "$H", h.name)
	case v.name == "I64x4":
		f.emit(v, `
// ShrV$T returns a >> n lane by lane, $FILL.
func ShrV$T(a $T, n $U) $T {
	var zero $T
	sign := zero.Greater(a).ToInt64x4()
	return a.Xor(sign).AsUint64x4().ShiftRight(n).AsInt64x4().Xor(sign)
}
`, "$FILL", shr)
	case !v.signed(): // others are in the files of the releases
		f.emit(v, `
// ShlV$T returns a << n lane by lane.
func ShlV$T(a $T, n $U) $T { return a.ShiftLeft(n) }

// ShrV$T returns a >> n lane by lane, $FILL.
func ShrV$T(a $T, n $U) $T { return a.ShiftRight(n) }
`, "$FILL", shr)
	}
}

// divisions of 32-bit numbers go through float64, whose 53 bits give the exact
// quotient after truncation; the others go lane by lane.
func divisions(f *file, v vtype) {
	doc := `
// Div$T returns a / b in the lanes of m and zero in the others. The caller
// guarantees that b isn't zero in the lanes of m.
`
	if v.bits == 32 {
		f.emit(v, doc+`func Div$T(a, b $T, m Mask) $T {
	var zero $T
	return quo$T(a, b).Merge(zero, $FROM(m))
}

// Rem$T returns a % b in the lanes of m and zero in the others. The caller
// guarantees that b isn't zero in the lanes of m.
func Rem$T(a, b $T, m Mask) $T {
	var zero $T
	return a.Sub(quo$T(a, b).Mul(b)).Merge(zero, $FROM(m))
}
`)
		return
	}
	f.emit(v, doc+`func Div$T(a, b $T, m Mask) $T {
	var x, y, r [$N]$E
	StorePtr$T(&x, a)
	StorePtr$T(&y, b)
	for m &= $ALL; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(uint32(m)) & ($N - 1)
		r[k] = x[k] / y[k]
	}
	return LoadPtr$T(&r)
}

// Rem$T returns a % b in the lanes of m and zero in the others. The caller
// guarantees that b isn't zero in the lanes of m.
func Rem$T(a, b $T, m Mask) $T {
	var x, y, r [$N]$E
	StorePtr$T(&x, a)
	StorePtr$T(&y, b)
	for m &= $ALL; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(uint32(m)) & ($N - 1)
		r[k] = x[k] % y[k]
	}
	return LoadPtr$T(&r)
}
`)
}

func minima(f *file, v vtype) {
	switch {
	case v.float():
		// The instruction for the minimum gives its second operand if one is
		// NaN or both are zeros, but the compiler takes it for commutative and
		// may swap them. So the minimum is made of comparisons, once with the
		// second and once with the first operand as the default: or-ed they are
		// -0 if one is, and NaN if one is. Go makes both of them so too, the
		// maximum from the minimum, and the bits of a NaN are the same.
		f.emit(v, `
// Min$T returns the smaller of a and b as Go's min does: NaN if one is NaN,
// and -0 is less than +0.
func Min$T(a, b $T) $T {
	x, y := a.Merge(b, a.Less(b)), b.Merge(a, b.Less(a))
	return x.As$AU().Or(y.As$AU()).As$A()
}

// Max$T returns the larger of a and b as Go's max does: NaN if one is NaN,
// and -0 is less than +0.
func Max$T(a, b $T) $T {
	return Neg$T(Min$T(Neg$T(a), Neg$T(b)))
}
`)
	case v.bits == 64 && !v.wide():
		f.emit(v, `
// Min$T returns the smaller of a and b.
func Min$T(a, b $T) $T { return a.Merge(b, b.Greater(a)) }

// Max$T returns the larger of a and b.
func Max$T(a, b $T) $T { return a.Merge(b, a.Greater(b)) }
`)
	default:
		f.emit(v, `
// Min$T returns the smaller of a and b.
func Min$T(a, b $T) $T { return a.Min(b) }

// Max$T returns the larger of a and b.
func Max$T(a, b $T) $T { return a.Max(b) }
`)
	}
}

func pick(cond bool, yes, no string) string {
	if cond {
		return yes
	}
	return no
}
