//go:build goexperiment.simd && amd64

package vec

import "simd/archsimd"

// What a loop of a warp keeps in registers: the masks of its selects, and the lanes that its shuffles read within a vector.
// Made where they are used, each of them is loaded or moved again in each round.

// An M32x16 is a [Mask] of 16 lanes with 32 bits, in a mask register.
type M32x16 = archsimd.Mask32x16

// KeptMask returns m for [BlendF32x16] and its kin.
func KeptMask(m Mask) M32x16 { return mask32x16(m) }

// BlendF32x16 returns a in the lanes of m and b in the others.
func BlendF32x16(m M32x16, a, b F32x16) F32x16 { return a.Merge(b, m) }

// BlendI32x16 returns a in the lanes of m and b in the others.
func BlendI32x16(m M32x16, a, b I32x16) I32x16 { return a.Merge(b, m) }

// BlendU32x16 returns a in the lanes of m and b in the others.
func BlendU32x16(m M32x16, a, b U32x16) U32x16 { return a.Merge(b, m) }

// ShflLanes returns what makes [PermuteF32x16] of the vector that has lane b a [ShflF32x16] by b.
func ShflLanes(b int) U32x16 { return shflIndex.of(b, 0) }

// ShflUpLanes returns what makes [PermuteF32x16] of the lower vector the lower part of a [ShflUpF32x16] by b, other than 16.
func ShflUpLanes(b int) U32x16 { return shflUpIndex.of(b, 0) }

// ShflDownLanes returns what makes [PermuteF32x16] of the upper vector the upper part of a [ShflDownF32x16] by b, other
// than 16.
func ShflDownLanes(b int) U32x16 { return shflDownIndex.of(b, 1) }

// ShflXorLanes returns what makes [PermuteF32x16] a part of a [ShflXorF32x16] by b: of its own vector, or of the other one
// if b has the bit 16.
func ShflXorLanes(b int) U32x16 { return shflXorIndex.of(b, 0) }
