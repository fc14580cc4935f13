//go:build goexperiment.simd && amd64

package vec

import "testing"

// A permutation by kept lanes is the shuffle, and a blend by a kept mask the select.
func TestKept(t *testing.T) {
	if !HasAVX512() {
		t.Skip("no AVX-512")
	}
	lo, hi := IotaF32x16(1, 1), IotaF32x16(17, 1)
	ilo, ihi := IotaI32x16(-1, -1), IotaI32x16(-17, -1)
	ulo, uhi := IotaU32x16(1<<31, 1), IotaU32x16(1<<31+16, 1)
	for b := range 32 {
		src, isrc, usrc := lo, ilo, ulo
		if b >= 16 {
			src, isrc, usrc = hi, ihi, uhi
		}
		for part := range 2 {
			sameLanes(t, "shfl", b, PermuteF32x16(src, ShflLanes(b)), ShflF32x16(lo, hi, b, part))
			sameLanes(t, "shfl", b, CvtI32x16_F32x16(PermuteI32x16(isrc, ShflLanes(b))), CvtI32x16_F32x16(ShflI32x16(ilo, ihi, b, part)))
			sameLanes(t, "shfl", b, CvtU32x16_F32x16(PermuteU32x16(usrc, ShflLanes(b))), CvtU32x16_F32x16(ShflU32x16(ulo, uhi, b, part)))
			own := [2]F32x16{lo, hi}[part^b>>4]
			sameLanes(t, "xor", b, PermuteF32x16(own, ShflXorLanes(b)), ShflXorF32x16(lo, hi, b, part))
		}
		if b != 16 {
			sameLanes(t, "up", b, PermuteF32x16(lo, ShflUpLanes(b)), ShflUpF32x16(lo, hi, b, 0))
			sameLanes(t, "down", b, PermuteF32x16(hi, ShflDownLanes(b)), ShflDownF32x16(lo, hi, b, 1))
		}
		m := Mask(1)<<b>>1 | 0x8001
		sameLanes(t, "blend", b, BlendF32x16(KeptMask(m), lo, hi), SelectF32x16(m, lo, hi))
		sameLanes(t, "blend", b, CvtI32x16_F32x16(BlendI32x16(KeptMask(m), ilo, ihi)), CvtI32x16_F32x16(SelectI32x16(m, ilo, ihi)))
		sameLanes(t, "blend", b, CvtU32x16_F32x16(BlendU32x16(KeptMask(m), ulo, uhi)), CvtU32x16_F32x16(SelectU32x16(m, ulo, uhi)))
	}
}

func sameLanes(t *testing.T, what string, b int, got, want F32x16) {
	t.Helper()
	if g, w := ToArrayF32x16(got), ToArrayF32x16(want); g != w {
		t.Errorf("%s by %d: %v, want %v", what, b, g, w)
	}
}
