//go:build goexperiment.simd && amd64

package vec

import "simd/archsimd"

// RSqrtRough functions are RSqrtFast functions without the care for 0 and infinity, for which they give NaN.
// They need three instructions and a register less, which n-body notices: a vector more than the 15
// registers that Go uses is spilled, and read back before the store is through.

// RSqrtRoughF32x16 returns 1/sqrt(x), within 3 ulp, for positive normal x.
func RSqrtRoughF32x16(x F32x16) F32x16 {
	y := x.ReciprocalSqrt()
	h := x.Mul(archsimd.LoadFloat32x16(&minusHalf32)).Mul(y)
	return h.MulAdd(y, archsimd.LoadFloat32x16(&half32)).MulAdd(y, y)
}

// RSqrtRoughF32x8 returns 1/sqrt(x), within 3 ulp, for positive normal x.
func RSqrtRoughF32x8(x F32x8) F32x8 {
	y := x.ReciprocalSqrt()
	h := x.Mul(archsimd.LoadFloat32x8((*[8]float32)(minusHalf32[:]))).Mul(y)
	return h.MulAdd(y, archsimd.LoadFloat32x8((*[8]float32)(half32[:]))).MulAdd(y, y)
}

// RSqrtRoughF32x4 returns 1/sqrt(x), within 3 ulp, for positive normal x.
func RSqrtRoughF32x4(x F32x4) F32x4 {
	y := x.ReciprocalSqrt()
	h := x.Mul(archsimd.LoadFloat32x4((*[4]float32)(minusHalf32[:]))).Mul(y)
	return h.MulAdd(y, archsimd.LoadFloat32x4((*[4]float32)(half32[:]))).MulAdd(y, y)
}

// RSqrtRoughF64x8 returns 1/sqrt(x).
func RSqrtRoughF64x8(x F64x8) F64x8 { return RSqrtF64x8(x) }

// RSqrtRoughF64x4 returns 1/sqrt(x).
func RSqrtRoughF64x4(x F64x4) F64x4 { return RSqrtF64x4(x) }
