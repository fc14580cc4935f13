//go:build goexperiment.simd && amd64

package vec

import (
	"slices"
	"testing"
)

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

func TestReverse(t *testing.T) {
	reversed(t, "F32x4", 4, func(v []float32) { StoreF32x4(v, 0, ReverseF32x4(LoadF32x4(v, 0))) })
	reversed(t, "I32x4", 4, func(v []int32) { StoreI32x4(v, 0, ReverseI32x4(LoadI32x4(v, 0))) })
	reversed(t, "U32x4", 4, func(v []uint32) { StoreU32x4(v, 0, ReverseU32x4(LoadU32x4(v, 0))) })
	reversed(t, "F32x8", 8, func(v []float32) { StoreF32x8(v, 0, ReverseF32x8(LoadF32x8(v, 0))) })
	reversed(t, "I32x8", 8, func(v []int32) { StoreI32x8(v, 0, ReverseI32x8(LoadI32x8(v, 0))) })
	reversed(t, "U32x8", 8, func(v []uint32) { StoreU32x8(v, 0, ReverseU32x8(LoadU32x8(v, 0))) })
	reversed(t, "F64x4", 4, func(v []float64) { StoreF64x4(v, 0, ReverseF64x4(LoadF64x4(v, 0))) })
	reversed(t, "I64x4", 4, func(v []int64) { StoreI64x4(v, 0, ReverseI64x4(LoadI64x4(v, 0))) })
	reversed(t, "U64x4", 4, func(v []uint64) { StoreU64x4(v, 0, ReverseU64x4(LoadU64x4(v, 0))) })
	if !HasAVX512() {
		return
	}
	reversed(t, "F32x16", 16, func(v []float32) { StoreF32x16(v, 0, ReverseF32x16(LoadF32x16(v, 0))) })
	reversed(t, "I32x16", 16, func(v []int32) { StoreI32x16(v, 0, ReverseI32x16(LoadI32x16(v, 0))) })
	reversed(t, "U32x16", 16, func(v []uint32) { StoreU32x16(v, 0, ReverseU32x16(LoadU32x16(v, 0))) })
	reversed(t, "F64x8", 8, func(v []float64) { StoreF64x8(v, 0, ReverseF64x8(LoadF64x8(v, 0))) })
	reversed(t, "I64x8", 8, func(v []int64) { StoreI64x8(v, 0, ReverseI64x8(LoadI64x8(v, 0))) })
	reversed(t, "U64x8", 8, func(v []uint64) { StoreU64x8(v, 0, ReverseU64x8(LoadU64x8(v, 0))) })
}

func reversed[E number](t *testing.T, name string, n int, f func(v []E)) {
	t.Helper()
	v := make([]E, n)
	for i := range v {
		v[i] = E(i*i + 1)
	}
	want := slices.Clone(v)
	slices.Reverse(want)
	if f(v); !slices.Equal(v, want) {
		t.Errorf("%s: %v, want %v", name, v, want)
	}
}
