//go:build goexperiment.simd && amd64

package vec

import "unsafe"

// This file has the innermost loop of a product of matrices: each of several rows has a sum for the lanes, and
// in each round all of them add their own number times a vector that they share. It is assembly because the numbers are
// read and spread by the instruction that multiplies them, which Go 1.26 does not emit: of a round of eight rows, 13
// instructions remain, where eight sums in Go, spilled, take some 50 and four take 22. Sixteen rows read b half as often,
// which is all the time that a product takes whose b is far away.

// ProductsF32x16 adds n products to the sums of some rows, 8 or 16, of which row r has the one that lies r*sumRow bytes behind
// sums. With b the vector at b and a the number of row r, which is r*row bytes behind a, a sum grows by a*b, fused as in
// [MulAddF32x16]. From round to round a moves on by aStep bytes and b by bStep. It needs AVX-512.
func ProductsF32x16(sums *[16]float32, sumRow int, a *float32, row, aStep int, b *[16]float32, bStep, rows, n int) {
	pa, pb := unsafe.Pointer(a), unsafe.Pointer(b)
	if lines := n / 16; lines > 0 && far(row, rows) && aStep == 4 {
		productsFar32(unsafe.Pointer(sums), sumRow, pa, row, pb, bStep, lines)
		n -= 16 * lines
		pa, pb = unsafe.Add(pa, 16*lines*aStep), unsafe.Add(pb, 16*lines*bStep)
	}
	products32(unsafe.Pointer(sums), sumRow, pa, row, aStep, pb, bStep, rows, n)
}

// ProductsF64x8 is [ProductsF32x16] for another type.
func ProductsF64x8(sums *[8]float64, sumRow int, a *float64, row, aStep int, b *[8]float64, bStep, rows, n int) {
	pa, pb := unsafe.Pointer(a), unsafe.Pointer(b)
	if lines := n / 8; lines > 0 && far(row, rows) && aStep == 8 {
		productsFar64(unsafe.Pointer(sums), sumRow, pa, row, pb, bStep, lines)
		n -= 8 * lines
		pa, pb = unsafe.Add(pa, 8*lines*aStep), unsafe.Add(pb, 8*lines*bStep)
	}
	products64(unsafe.Pointer(sums), sumRow, pa, row, aStep, pb, bStep, rows, n)
}

// far reports whether rows share one set of the first-level cache, being a multiple of 4096 bytes apart, and are more
// than it has room for, 8 to 12. Then each number would come from further away, and a line of each row is copied to
// where it stays: of matrices of 1024 by 1024, sixteen products take 13 cycles in place of 22.
func far(row, rows int) bool { return rows == 16 && row%page == 0 && row != 0 }

// Between returns how many bytes b lies behind a.
func Between[E any](a, b *E) int { return int(uintptr(unsafe.Pointer(b)) - uintptr(unsafe.Pointer(a))) }

//go:noescape
func products32(sums unsafe.Pointer, sumRow int, a unsafe.Pointer, row, aStep int, b unsafe.Pointer, bStep, rows, n int)

//go:noescape
func products64(sums unsafe.Pointer, sumRow int, a unsafe.Pointer, row, aStep int, b unsafe.Pointer, bStep, rows, n int)

//go:noescape
func productsFar32(sums unsafe.Pointer, sumRow int, a unsafe.Pointer, row int, b unsafe.Pointer, bStep, lines int)

//go:noescape
func productsFar64(sums unsafe.Pointer, sumRow int, a unsafe.Pointer, row int, b unsafe.Pointer, bStep, lines int)
