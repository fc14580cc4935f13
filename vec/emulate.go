//go:build goexperiment.simd && amd64

package vec

import (
	"simd/archsimd"
	"unsafe"
)

// Operations that AVX2 has no instruction for, or archsimd no method, in terms
// of others.

var (
	iotaF32 = [16]float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	iotaF64 = [8]float64{0, 1, 2, 3, 4, 5, 6, 7}
	iotaI64 = [8]int64{0, 1, 2, 3, 4, 5, 6, 7}
	iotaU64 = [8]uint64{0, 1, 2, 3, 4, 5, 6, 7}
	iotaI32 = [16]int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	iotaU32 = [16]uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	iotaI16 = [32]int16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}
	iotaU16 = [32]uint16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}
	iotaI8  = [32]int8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}
	iotaU8  = [32]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}
)

// words2, words4 and words8 return the vectors that have their words in order.

func words2(a, b uint64) archsimd.Uint64x2 {
	var v archsimd.Uint64x2
	return v.SetElem(0, a).SetElem(1, b)
}

func words4(a, b, c, d uint64) archsimd.Uint64x4 {
	var v archsimd.Uint64x4
	return v.SetLo(words2(a, b)).SetHi(words2(c, d))
}

func words8(a, b, c, d, e, f, g, h uint64) archsimd.Uint64x8 {
	var v archsimd.Uint64x8
	return v.SetLo(words4(a, b, c, d)).SetHi(words4(e, f, g, h))
}

// word returns the vector that begins with the 32 bits at p.
func word(p unsafe.Pointer) archsimd.Uint32x4 {
	var v archsimd.Uint32x4
	return v.SetElem(0, *(*uint32)(p))
}

// mul8x16 multiplies bytes: the even ones in place, the odd ones shifted down
// and back up, each as the lower half of a 16-bit product.
func mul8x16(a, b archsimd.Int16x8) archsimd.Int16x8 {
	even := a.Mul(b).And(archsimd.BroadcastInt16x8(0xff))
	odd := a.AsUint16x8().ShiftAllRight(8).Mul(b.AsUint16x8().ShiftAllRight(8))
	return odd.ShiftAllLeft(8).AsInt16x8().Or(even)
}

// mul64x4 multiplies modulo 1<<64 from products of 32-bit halves: all but the
// product of the two upper halves.
func mul64x4(a, b archsimd.Uint64x4) archsimd.Uint64x4 {
	x, y := a.AsUint32x8(), b.AsUint32x8()
	cross := mulEvenU32x8(x, b.ShiftAllRight(32).AsUint32x8()).
		Add(mulEvenU32x8(a.ShiftAllRight(32).AsUint32x8(), y))
	return mulEvenU32x8(x, y).Add(cross.ShiftAllLeft(32))
}

// narrow16x8 returns the lower halves of the lanes. VPACKUSDW would do it in fewer instructions, but Go 1.26
// merges that with a select for 16-bit lanes, under a mask that it makes for 32-bit ones.
func narrow16x8(a archsimd.Int32x8) archsimd.Uint16x8 {
	lo := a.GetLo().AsUint8x16().PermuteOrZero(LoadPtrI8x16(&pairsLo))
	hi := a.GetHi().AsUint8x16().PermuteOrZero(LoadPtrI8x16(&pairsHi))
	return lo.Or(hi).AsUint16x8()
}

var (
	pairsLo = [16]int8{0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1}
	pairsHi = [16]int8{-1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 4, 5, 8, 9, 12, 13}
)

var (
	evenLo = [16]int8{0, 2, 4, 6, 8, 10, 12, 14, -1, -1, -1, -1, -1, -1, -1, -1}
	evenHi = [16]int8{-1, -1, -1, -1, -1, -1, -1, -1, 0, 2, 4, 6, 8, 10, 12, 14}
)

// quartersLo has the lower quarters of four 32-bit lanes.
var quartersLo = [16]int8{0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}

// narrow8x16 returns the lower halves of the lanes.
func narrow8x16(a archsimd.Int16x16) archsimd.Uint8x16 {
	lo := a.GetLo().AsUint8x16().PermuteOrZero(LoadPtrI8x16(&evenLo))
	hi := a.GetHi().AsUint8x16().PermuteOrZero(LoadPtrI8x16(&evenHi))
	return lo.Or(hi)
}

// narrow32x4 returns the lower halves of the lanes: the even ones of two groups of four.
func narrow32x4(a archsimd.Uint64x4) archsimd.Uint32x4 {
	x := a.AsUint32x8()
	return evenU32x4(x.GetLo(), x.GetHi())
}

// Quotients of 32-bit numbers through float64. A quotient that isn't whole
// differs from the whole number above it by at least 1 part in 2^32 of it, far
// more than its rounding error, so truncation gives the right one. MinInt32 /
// -1 is 1<<31, which converts to MinInt32, as Go wants it.

func quoI32x16(a, b I32x16) I32x16 {
	var r I32x16
	lo := a.GetLo().ConvertToFloat64().Div(b.GetLo().ConvertToFloat64()).ConvertToInt32()
	hi := a.GetHi().ConvertToFloat64().Div(b.GetHi().ConvertToFloat64()).ConvertToInt32()
	return r.SetLo(lo).SetHi(hi)
}

func quoU32x16(a, b U32x16) U32x16 {
	var r U32x16
	lo := a.GetLo().ConvertToFloat64().Div(b.GetLo().ConvertToFloat64()).ConvertToUint32()
	hi := a.GetHi().ConvertToFloat64().Div(b.GetHi().ConvertToFloat64()).ConvertToUint32()
	return r.SetLo(lo).SetHi(hi)
}

func quoI32x8(a, b I32x8) I32x8 {
	var r I32x8
	lo := a.GetLo().ConvertToFloat64().Div(b.GetLo().ConvertToFloat64()).ConvertToInt32()
	hi := a.GetHi().ConvertToFloat64().Div(b.GetHi().ConvertToFloat64()).ConvertToInt32()
	return r.SetLo(lo).SetHi(hi)
}

func quoI32x4(a, b I32x4) I32x4 {
	return a.ConvertToFloat64().Div(b.ConvertToFloat64()).ConvertToInt32()
}

func quoU32x8(a, b U32x8) U32x8 {
	var r U32x8
	return r.SetLo(quoU32x4(a.GetLo(), b.GetLo())).SetHi(quoU32x4(a.GetHi(), b.GetHi()))
}

// quoU32x4 uses the signed conversions, the only ones there are, on numbers
// less 1<<31.
func quoU32x4(a, b U32x4) U32x4 {
	top := archsimd.BroadcastInt32x4(-1 << 31)
	half := archsimd.BroadcastFloat64x4(1 << 31)
	x := a.AsInt32x4().Xor(top).ConvertToFloat64().Add(half)
	y := b.AsInt32x4().Xor(top).ConvertToFloat64().Add(half)
	return x.Div(y).Trunc().Sub(half).ConvertToInt32().Xor(top).AsUint32x4()
}

// floatsU32x8 converts the halves of the numbers, which is exact, and adds,
// which rounds once.
func floatsU32x8(a U32x8) F32x8 {
	hi := a.ShiftAllRight(16).AsInt32x8().ConvertToFloat32()
	lo := a.And(archsimd.BroadcastUint32x8(0xffff)).AsInt32x8().ConvertToFloat32()
	return hi.Mul(archsimd.BroadcastFloat32x8(1 << 16)).Add(lo)
}

// singlesU32x4 is floatsU32x8 with four lanes.
func singlesU32x4(a U32x4) F32x4 {
	hi := a.ShiftAllRight(16).AsInt32x4().ConvertToFloat32()
	lo := a.And(archsimd.BroadcastUint32x4(0xffff)).AsInt32x4().ConvertToFloat32()
	return hi.Mul(archsimd.BroadcastFloat32x4(1 << 16)).Add(lo)
}

// floatsU32x4 converts the numbers less 1<<31, as signed ones, and adds that again.
func floatsU32x4(a U32x4) F64x4 {
	top := archsimd.BroadcastInt32x4(-1 << 31)
	return a.AsInt32x4().Xor(top).ConvertToFloat64().Add(archsimd.BroadcastFloat64x4(1 << 31))
}

// floatsI64x4 puts the two halves of the numbers into the fractions of 2^52 and
// of 2^84 + 2^63, where they count as they should; the difference below is
// exact and the sum rounds once.
func floatsI64x4(a I64x4) F64x4 {
	lo := a.And(archsimd.BroadcastInt64x4(0xffffffff)).Or(archsimd.BroadcastInt64x4(0x4330000000000000)).AsFloat64x4()
	hi := a.AsUint64x4().ShiftAllRight(32).Xor(archsimd.BroadcastUint64x4(0x4530000080000000)).AsFloat64x4()
	return hi.Sub(archsimd.BroadcastFloat64x4(1<<84 + 1<<63 + 1<<52)).Add(lo)
}

// floatsU64x4 is floatsI64x4 without the sign.
func floatsU64x4(a U64x4) F64x4 {
	lo := a.And(archsimd.BroadcastUint64x4(0xffffffff)).Or(archsimd.BroadcastUint64x4(0x4330000000000000)).AsFloat64x4()
	hi := a.ShiftAllRight(32).Or(archsimd.BroadcastUint64x4(0x4530000000000000)).AsFloat64x4()
	return hi.Sub(archsimd.BroadcastFloat64x4(1<<84 + 1<<52)).Add(lo)
}

// singlesI64x4 goes through float64. So that it rounds once, numbers that don't fit into its 53 bits are made
// odd multiples of 1<<11 first, if they are no multiple of it: such a number is on the same side of all
// float32 and of what is between two of them.
func singlesI64x4(a I64x4) F32x4 {
	rest := archsimd.BroadcastInt64x4(1<<11 - 1)
	odd := a.And(rest).Add(rest).Or(a)
	odd = odd.Xor(odd.And(rest))
	big := a.Greater(archsimd.BroadcastInt64x4(1 << 53)).Or(archsimd.BroadcastInt64x4(-1 << 53).Greater(a))
	return floatsI64x4(odd.Merge(a, big)).ConvertToFloat32()
}

// singlesU64x4 is singlesI64x4 without the sign.
func singlesU64x4(a U64x4) F32x4 {
	var zero U64x4
	rest := archsimd.BroadcastUint64x4(1<<11 - 1)
	odd := a.And(rest).Add(rest).Or(a)
	odd = odd.Xor(odd.And(rest))
	small := a.ShiftAllRight(53).Equal(zero)
	return floatsU64x4(a.Merge(odd, small)).ConvertToFloat32()
}

func intsF64x4(a F64x4) I64x4 {
	var x [4]float64
	StorePtrF64x4(&x, a)
	r := [4]int64{int64(x[0]), int64(x[1]), int64(x[2]), int64(x[3])}
	return LoadPtrI64x4(&r)
}

func uintsF64x4(a F64x4) U64x4 {
	var x [4]float64
	StorePtrF64x4(&x, a)
	r := [4]uint64{uint64(x[0]), uint64(x[1]), uint64(x[2]), uint64(x[3])}
	return LoadPtrU64x4(&r)
}

// uints32F64x4 finds the lower 32 bits of whole numbers in those of their sum with 3 * 2^51, as the compiler does in
// those of an int64. If one is too large for that it goes lane by lane.
func uints32F64x4(a F64x4) U32x4 {
	limit := archsimd.BroadcastFloat64x4(1 << 51)
	if AbsF64x4(a).Less(limit).ToBits() != 0xf {
		return narrow32x4(intsF64x4(a).AsUint64x4())
	}
	return narrow32x4(a.Trunc().Add(archsimd.BroadcastFloat64x4(0x3p51)).AsUint64x4())
}

// uintsF64x8 does what the compiler does for scalars: numbers from 1<<63 on
// are converted less 1<<63.
func uintsF64x8(a F64x8) U64x8 {
	var zero I64x8
	half := archsimd.BroadcastFloat64x8(1 << 63)
	small := a.Less(half)
	top := zero.Merge(archsimd.BroadcastInt64x8(-1<<63), small)
	return a.Merge(a.Sub(half), small).ConvertToInt64().Or(top).AsUint64x8()
}

// uintsF32x16 goes through int64, as the compiler does for scalars.
func uintsF32x16(a F32x16) U32x16 {
	var r I32x16
	lo := truncateI64x8_I32x8(a.GetLo().ConvertToInt64())
	hi := truncateI64x8_I32x8(a.GetHi().ConvertToInt64())
	return r.SetLo(lo).SetHi(hi).AsUint32x16()
}

// uintsF32x8 converts numbers from 1<<31 on less 1<<31. If one doesn't fit into
// 32 bits it goes lane by lane.
func uintsF32x8(a F32x8) U32x8 {
	half := archsimd.BroadcastFloat32x8(1 << 31)
	if a.Greater(archsimd.BroadcastFloat32x8(-1<<31)).ToBits()&a.Less(archsimd.BroadcastFloat32x8(1<<32)).ToBits() != 0xff {
		return uintLanesF32x8(a)
	}
	big := a.GreaterEqual(half)
	top := big.ToInt32x8().And(archsimd.BroadcastInt32x8(-1 << 31))
	return a.Sub(half).Merge(a, big).ConvertToInt32().Xor(top).AsUint32x8()
}

func uintLanesF32x8(a F32x8) U32x8 {
	var x [8]float32
	var r [8]uint32
	StorePtrF32x8(&x, a)
	for k := range x {
		r[k] = uint32(x[k])
	}
	return LoadPtrU32x8(&r)
}

// uintsF32x4 is uintsF32x8 with four lanes, by way of float64.
func uintsF32x4(a F32x4) U32x4 { return uints32F64x4(a.ConvertToFloat64()) }

// What is settled is what it was. Go 1.26 and 1.27 make one instruction of a conversion and of Merge behind it, in functions
// with AVX-512 if the vector has 128 or 256 bits, and take the mask for one of elements as wide as those before the
// conversion: of words that were bytes it gets two bits each. Between the two is an instruction that they leave alone.

func settledUint8x16(a archsimd.Uint8x16) archsimd.Uint8x16    { return a.Or(a) }
func settledUint8x32(a archsimd.Uint8x32) archsimd.Uint8x32    { return a.Or(a) }
func settledUint16x8(a archsimd.Uint16x8) archsimd.Uint16x8    { return a.Or(a) }
func settledUint16x16(a archsimd.Uint16x16) archsimd.Uint16x16 { return a.Or(a) }
func settledUint32x8(a archsimd.Uint32x8) archsimd.Uint32x8    { return a.Or(a) }
