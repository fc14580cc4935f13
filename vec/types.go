//go:build goexperiment.simd && amd64

package vec

import "simd/archsimd"

// Vectors of 128 bits with 32-bit elements, as many as 256 bits have of 64; they need AVX2.
type (
	F32x4 = archsimd.Float32x4
	I32x4 = archsimd.Int32x4
	U32x4 = archsimd.Uint32x4
)

// Vectors of 256 bits with 32-bit elements; they need AVX2.
type (
	F32x8 = archsimd.Float32x8
	I32x8 = archsimd.Int32x8
	U32x8 = archsimd.Uint32x8
)

// Vectors of 512 bits with 32-bit elements; they need AVX-512.
type (
	F32x16 = archsimd.Float32x16
	I32x16 = archsimd.Int32x16
	U32x16 = archsimd.Uint32x16
)

// Vectors of 256 bits with 64-bit elements; they need AVX2.
type (
	F64x4 = archsimd.Float64x4
	I64x4 = archsimd.Int64x4
	U64x4 = archsimd.Uint64x4
)

// Vectors of 512 bits with 64-bit elements; they need AVX-512.
type (
	F64x8 = archsimd.Float64x8
	I64x8 = archsimd.Int64x8
	U64x8 = archsimd.Uint64x8
)

// Vectors of 128 and 256 bits with smaller elements; they need AVX2.
type (
	I16x8  = archsimd.Int16x8
	U16x8  = archsimd.Uint16x8
	I16x16 = archsimd.Int16x16
	U16x16 = archsimd.Uint16x16
	I8x16  = archsimd.Int8x16
	U8x16  = archsimd.Uint8x16
	I8x32  = archsimd.Int8x32
	U8x32  = archsimd.Uint8x32
)

// Vectors of 512 bits with 16-bit elements; they need AVX-512.
type (
	I16x32 = archsimd.Int16x32
	U16x32 = archsimd.Uint16x32
)

// Vectors of 32 and 64 bits with small elements, in the lower lanes of 128; they need AVX2. What the upper lanes have means nothing.
type (
	I8x4  = archsimd.Int8x16
	U8x4  = archsimd.Uint8x16
	I8x8  = archsimd.Int8x16
	U8x8  = archsimd.Uint8x16
	I16x4 = archsimd.Int16x8
	U16x4 = archsimd.Uint16x8
)

// HasAVX2 reports whether the machine runs the functions of vectors up to 256
// bits: it has AVX2 and FMA.
func HasAVX2() bool { return archsimd.X86.AVX2() && archsimd.X86.FMA() }

// HasAVX512 reports whether the machine runs all functions of the package: it
// has AVX-512 with F, BW, CD, DQ and VL, and what HasAVX2 asks for.
func HasAVX512() bool { return archsimd.X86.AVX512() && HasAVX2() }
