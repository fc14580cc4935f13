//go:build goexperiment.simd && amd64

package vec

// RSqrtRough functions are RSqrtFast functions without the care for 0 and infinity, for which they give NaN.
// They need three instructions and a register less, which n-body notices: a vector more than the 15
// registers that Go uses is spilled, and read back before the store is through.

// RSqrtRoughF32x16 returns 1/sqrt(x), within 3 ulp, for positive normal x.
func RSqrtRoughF32x16(x F32x16) F32x16 {
	y := x.ReciprocalSqrt()
	h := x.Mul(constantF32x16(&minusHalf32)).Mul(y)
	return h.MulAdd(y, constantF32x16(&half32)).MulAdd(y, y)
}

// RSqrtRoughF32x8 returns 1/sqrt(x), within 3 ulp, for positive normal x.
func RSqrtRoughF32x8(x F32x8) F32x8 {
	y := x.ReciprocalSqrt()
	h := x.Mul(constantF32x8(&minusHalf32)).Mul(y)
	return h.MulAdd(y, constantF32x8(&half32)).MulAdd(y, y)
}

// RSqrtRoughF32x4 returns 1/sqrt(x), within 3 ulp, for positive normal x.
func RSqrtRoughF32x4(x F32x4) F32x4 {
	y := x.ReciprocalSqrt()
	h := x.Mul(constantF32x4(&minusHalf32)).Mul(y)
	return h.MulAdd(y, constantF32x4(&half32)).MulAdd(y, y)
}

// RSqrtRoughF64x8 returns 1/sqrt(x).
func RSqrtRoughF64x8(x F64x8) F64x8 { return RSqrtF64x8(x) }

// RSqrtRoughF64x4 returns 1/sqrt(x).
func RSqrtRoughF64x4(x F64x4) F64x4 { return RSqrtF64x4(x) }

// OverCubeRough functions return a/(x sqrt(x)) for positive normal x: a times the cube of 1/sqrt(x), in a
// multiplication less than with RSqrtRough. With y = (1+d)/sqrt(x) the cube is y^3 (1-e)^(-3/2), where e = 1 - x y^2. Its series
// is 1 + 3/2 e + 15/8 e^2 and so on. With 512 bits the instruction's d is at most 2^-14, and the first two terms are used:
// what is left out is at most 15/8 (2^-13)^2, half an ulp. With 256 bits d is up to 1.5 * 2^-12, and the 1 is made larger by
// half of the greatest 15/8 e^2, so that the error is between 9 * 2^-24 to both sides.

// OverCubeRoughF32x16 returns a/(x sqrt(x)), within 5 ulp, for positive normal x and where the cube is normal, too.
func OverCubeRoughF32x16(a, x F32x16) F32x16 {
	y := x.ReciprocalSqrt()
	z := y.Mul(y)
	c := x.Mul(constantF32x16(&minusThreeHalves32)).MulAdd(z, constantF32x16(&fiveHalves32))
	return a.Mul(y).Mul(z).Mul(c)
}

// OverCubeRoughF32x8 returns a/(x sqrt(x)), within 12 ulp, for positive normal x and where the cube is normal, too.
func OverCubeRoughF32x8(a, x F32x8) F32x8 {
	y := x.ReciprocalSqrt()
	z := y.Mul(y)
	c := x.Mul(constantF32x8(&minusThreeHalves32)).MulAdd(z, constantF32x8(&fiveHalvesRough32))
	return a.Mul(y).Mul(z).Mul(c)
}

// OverCubeRoughF32x4 returns a/(x sqrt(x)), within 12 ulp, for positive normal x and where the cube is normal, too.
func OverCubeRoughF32x4(a, x F32x4) F32x4 {
	y := x.ReciprocalSqrt()
	z := y.Mul(y)
	c := x.Mul(constantF32x4(&minusThreeHalves32)).MulAdd(z, constantF32x4(&fiveHalvesRough32))
	return a.Mul(y).Mul(z).Mul(c)
}

// OverCubeLeanF32x16 returns -2/3 of a/(x sqrt(x)), for positive normal x and where the cube is normal, too: the series of
// OverCubeRough without its factor of -3/2, which takes a multiplication less again. Sums of it begin with LeanBegin and
// end with LeanEnd, and each is within 5 ulp then.
func OverCubeLeanF32x16(a, x F32x16) F32x16 {
	y := x.ReciprocalSqrt()
	z := y.Mul(y)
	return a.Mul(y).Mul(z).Mul(x.MulAdd(z, constantF32x16(&minusFiveThirds32)))
}

// LeanBeginF32x16 returns -2/3 of sum, to which OverCubeLean can be added.
func LeanBeginF32x16(sum F32x16) F32x16 { return sum.Mul(constantF32x16(&leanBegin32)) }

// LeanEndF32x16 returns what a sum of LeanBegin and OverCubeLean stands for.
func LeanEndF32x16(sum F32x16) F32x16 { return sum.Mul(constantF32x16(&leanEnd32)) }

// OverCubeLeanF32x8 is [OverCubeLeanF32x16] for half of the lanes, each within 12 ulp.
func OverCubeLeanF32x8(a, x F32x8) F32x8 {
	y := x.ReciprocalSqrt()
	z := y.Mul(y)
	return a.Mul(y).Mul(z).Mul(x.MulAdd(z, constantF32x8(&minusFiveThirdsRough32)))
}

// LeanBeginF32x8 is [LeanBeginF32x16] for half of the lanes.
func LeanBeginF32x8(sum F32x8) F32x8 { return sum.Mul(constantF32x8(&leanBegin32)) }

// LeanEndF32x8 is [LeanEndF32x16] for half of the lanes.
func LeanEndF32x8(sum F32x8) F32x8 { return sum.Mul(constantF32x8(&leanEnd32)) }
