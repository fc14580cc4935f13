//go:build goexperiment.simd && amd64

package vec

import "unsafe"

// This file has the innermost loop of a product of matrices: each of eight rows has a sum for the lanes, and
// in each round all of them add their own number times a vector that they share. It is assembly because the numbers are
// read and spread by the instruction that multiplies them, which Go 1.26 does not emit: of a round of eight rows, 13
// instructions remain, where eight sums in Go, spilled, take some 50 and four take 22.

// ProductsF32x16 adds n products to eight sums, of which row r has the one that lies r*sumRow bytes behind sums. With b the
// vector at b and a the number of row r, which is r*row bytes behind a, a sum grows by a*b, fused as in [MulAddF32x16].
// From round to round a moves on by aStep bytes and b by bStep. It needs AVX-512.
func ProductsF32x16(sums *[16]float32, sumRow int, a *float32, row, aStep int, b *[16]float32, bStep, n int) {
	products32(unsafe.Pointer(sums), sumRow, unsafe.Pointer(a), row, aStep, unsafe.Pointer(b), bStep, n)
}

// ProductsF64x8 is [ProductsF32x16] for another type.
func ProductsF64x8(sums *[8]float64, sumRow int, a *float64, row, aStep int, b *[8]float64, bStep, n int) {
	products64(unsafe.Pointer(sums), sumRow, unsafe.Pointer(a), row, aStep, unsafe.Pointer(b), bStep, n)
}

// Between returns how many bytes b lies behind a.
func Between[E any](a, b *E) int { return int(uintptr(unsafe.Pointer(b)) - uintptr(unsafe.Pointer(a))) }

//go:noescape
func products32(sums unsafe.Pointer, sumRow int, a unsafe.Pointer, row, aStep int, b unsafe.Pointer, bStep, n int)

//go:noescape
func products64(sums unsafe.Pointer, sumRow int, a unsafe.Pointer, row, aStep int, b unsafe.Pointer, bStep, n int)
