//go:build goexperiment.simd && amd64

package vec

import "testing"

// Which lane a lane reads, written down from the CUDA C++ Programming Guide, warp shuffle functions.
func TestShuffles(t *testing.T) {
	if !HasAVX512() {
		t.Skip("no AVX-512")
	}
	kinds := []struct {
		name   string
		source func(lane, b int) int
		f32    func(lo, hi F32x16, b, part int) F32x16
		i32    func(lo, hi I32x16, b, part int) I32x16
		u32    func(lo, hi U32x16, b, part int) U32x16
	}{
		{"shfl", func(_, b int) int { return b }, ShflF32x16, ShflI32x16, ShflU32x16},
		{"up", func(lane, b int) int {
			if lane < b {
				return lane
			}
			return lane - b
		}, ShflUpF32x16, ShflUpI32x16, ShflUpU32x16},
		{"down", func(lane, b int) int {
			if lane+b > 31 {
				return lane
			}
			return lane + b
		}, ShflDownF32x16, ShflDownI32x16, ShflDownU32x16},
		{"xor", func(lane, b int) int { return lane ^ b }, ShflXorF32x16, ShflXorI32x16, ShflXorU32x16},
	}
	var f [2][16]float32
	var i [2][16]int32
	var u [2][16]uint32
	for lane := range 32 {
		f[lane/16][lane%16] = float32(lane) + 0.5
		i[lane/16][lane%16] = int32(-lane)
		u[lane/16][lane%16] = 1<<31 + uint32(lane)
	}
	for _, k := range kinds {
		for b := range 32 {
			for part := range 2 {
				gotF := ToArrayF32x16(k.f32(LoadPtrF32x16(&f[0]), LoadPtrF32x16(&f[1]), b, part))
				gotI := ToArrayI32x16(k.i32(LoadPtrI32x16(&i[0]), LoadPtrI32x16(&i[1]), b, part))
				gotU := ToArrayU32x16(k.u32(LoadPtrU32x16(&u[0]), LoadPtrU32x16(&u[1]), b, part))
				for n := range 16 {
					s := k.source(16*part+n, b)
					if gotF[n] != float32(s)+0.5 || gotI[n] != int32(-s) || gotU[n] != 1<<31+uint32(s) {
						t.Errorf("%s by %d: lane %d has %v, %v, %v, want those of lane %d", k.name, b, 16*part+n, gotF[n], gotI[n], gotU[n], s)
					}
				}
			}
		}
	}
}
