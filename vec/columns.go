//go:build goexperiment.simd && amd64

package vec

import "simd/archsimd"

// Columns reads a tile of memory, 16 rows of 8 neighbouring elements, against the grain: row l begins at
// s[i+l*stride], and lane l of the k-th of the eight results is the row's k-th element. It takes 48
// instructions where eight calls of GatherStride take ten times as many. It needs AVX-512. With vectors of 8 lanes it is 8 rows, and 32
// instructions.

// ColumnsF32x16 reads eight columns of 16 elements.
func ColumnsF32x16(s []float32, i, stride int) (a, b, c, d, e, f, g, h F32x16) {
	w0, w1, w2, w3, w4, w5, w6, w7 := columns(at[[8]uint32](s, i), stride)
	return w0.AsFloat32x16(), w1.AsFloat32x16(), w2.AsFloat32x16(), w3.AsFloat32x16(),
		w4.AsFloat32x16(), w5.AsFloat32x16(), w6.AsFloat32x16(), w7.AsFloat32x16()
}

// ColumnsI32x16 is [ColumnsF32x16] for another type.
func ColumnsI32x16(s []int32, i, stride int) (a, b, c, d, e, f, g, h I32x16) {
	w0, w1, w2, w3, w4, w5, w6, w7 := columns(at[[8]uint32](s, i), stride)
	return w0.AsInt32x16(), w1.AsInt32x16(), w2.AsInt32x16(), w3.AsInt32x16(),
		w4.AsInt32x16(), w5.AsInt32x16(), w6.AsInt32x16(), w7.AsInt32x16()
}

// ColumnsU32x16 is [ColumnsF32x16] for another type.
func ColumnsU32x16(s []uint32, i, stride int) (a, b, c, d, e, f, g, h U32x16) {
	return columns(at[[8]uint32](s, i), stride)
}

// Of two vectors of four groups of four elements, the even groups and the odd ones.
var (
	evenGroups = [8]uint64{0, 1, 4, 5, 8, 9, 12, 13}
	oddGroups  = [8]uint64{2, 3, 6, 7, 10, 11, 14, 15}
)

func columns(p *[8]uint32, stride int) (a, b, c, d, e, f, g, h U32x16) {
	a0, a1, a2, a3 := crossed(p, stride)
	b0, b1, b2, b3 := crossed(after(p, 8*stride), stride)
	even, odd := LoadPtrU64x8(&evenGroups), LoadPtrU64x8(&oddGroups)
	return a0.ConcatPermute(b0, even).AsUint32x16(), a1.ConcatPermute(b1, even).AsUint32x16(),
		a2.ConcatPermute(b2, even).AsUint32x16(), a3.ConcatPermute(b3, even).AsUint32x16(),
		a0.ConcatPermute(b0, odd).AsUint32x16(), a1.ConcatPermute(b1, odd).AsUint32x16(),
		a2.ConcatPermute(b2, odd).AsUint32x16(), a3.ConcatPermute(b3, odd).AsUint32x16()
}

// crossed reads 8 rows. The k-th of its results has the elements k of rows 0 to 3 in its first group of
// four, elements k+4 of them in the second, and those of rows 4 to 7 in the third and fourth.
func crossed(p *[8]uint32, stride int) (a, b, c, d archsimd.Uint64x8) {
	r0, r1 := twoRows(p, stride), twoRows(after(p, stride), stride)
	r2, r3 := twoRows(after(p, 2*stride), stride), twoRows(after(p, 3*stride), stride)
	// Elements 0 and 1 of rows 0 and 1, and so on, and then of four rows.
	low01, high01 := r0.InterleaveLoGrouped(r1).AsUint64x8(), r0.InterleaveHiGrouped(r1).AsUint64x8()
	low23, high23 := r2.InterleaveLoGrouped(r3).AsUint64x8(), r2.InterleaveHiGrouped(r3).AsUint64x8()
	return low01.InterleaveLoGrouped(low23), low01.InterleaveHiGrouped(low23),
		high01.InterleaveLoGrouped(high23), high01.InterleaveHiGrouped(high23)
}

// twoRows reads a row and the fourth one after it.
func twoRows(p *[8]uint32, stride int) U32x16 {
	var v U32x16
	return v.SetLo(LoadPtrU32x8(p)).SetHi(LoadPtrU32x8(after(p, 4*stride)))
}

// ColumnsF32x8 reads eight columns of 8 elements.
func ColumnsF32x8(s []float32, i, stride int) (a, b, c, d, e, f, g, h F32x8) {
	w0, w1, w2, w3, w4, w5, w6, w7 := columns8(at[[8]uint32](s, i), stride)
	return w0.AsFloat32x8(), w1.AsFloat32x8(), w2.AsFloat32x8(), w3.AsFloat32x8(),
		w4.AsFloat32x8(), w5.AsFloat32x8(), w6.AsFloat32x8(), w7.AsFloat32x8()
}

// ColumnsI32x8 is [ColumnsF32x8] for another type.
func ColumnsI32x8(s []int32, i, stride int) (a, b, c, d, e, f, g, h I32x8) {
	w0, w1, w2, w3, w4, w5, w6, w7 := columns8(at[[8]uint32](s, i), stride)
	return w0.AsInt32x8(), w1.AsInt32x8(), w2.AsInt32x8(), w3.AsInt32x8(),
		w4.AsInt32x8(), w5.AsInt32x8(), w6.AsInt32x8(), w7.AsInt32x8()
}

// ColumnsU32x8 is [ColumnsF32x8] for another type.
func ColumnsU32x8(s []uint32, i, stride int) (a, b, c, d, e, f, g, h U32x8) {
	return columns8(at[[8]uint32](s, i), stride)
}

func columns8(p *[8]uint32, stride int) (a, b, c, d, e, f, g, h U32x8) {
	a, b, c, d = crossed8(p, stride)
	e, f, g, h = crossed8(after(p, 4), stride)
	return a, b, c, d, e, f, g, h
}

// crossed8 reads four elements of 8 rows.
func crossed8(p *[8]uint32, stride int) (a, b, c, d U32x8) {
	r0, r1 := twoFours(p, stride), twoFours(after(p, stride), stride)
	r2, r3 := twoFours(after(p, 2*stride), stride), twoFours(after(p, 3*stride), stride)
	low01, high01 := r0.InterleaveLoGrouped(r1).AsUint64x4(), r0.InterleaveHiGrouped(r1).AsUint64x4()
	low23, high23 := r2.InterleaveLoGrouped(r3).AsUint64x4(), r2.InterleaveHiGrouped(r3).AsUint64x4()
	return low01.InterleaveLoGrouped(low23).AsUint32x8(), low01.InterleaveHiGrouped(low23).AsUint32x8(),
		high01.InterleaveLoGrouped(high23).AsUint32x8(), high01.InterleaveHiGrouped(high23).AsUint32x8()
}

// twoFours reads four elements of a row and of the fourth one after it.
func twoFours(p *[8]uint32, stride int) U32x8 {
	var v U32x8
	return v.SetLo(LoadPtrU32x4((*[4]uint32)(p[:]))).SetHi(LoadPtrU32x4((*[4]uint32)(after(p, 4*stride)[:])))
}
