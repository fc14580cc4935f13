//go:build goexperiment.simd && amd64

package vec

import "testing"

func TestColumns8(t *testing.T) {
	need256(t)
	for _, stride := range []int{8, 9, 16, 33, 100} {
		const begin = 3
		n := begin + 7*stride + 8
		f, i, u := make([]float32, n), make([]int32, n), make([]uint32, n)
		for k := range n {
			f[k], i[k], u[k] = float32(k)+0.25, int32(-k), 1<<31+uint32(k)
		}
		var cf [8]F32x8
		var ci [8]I32x8
		var cu [8]U32x8
		cf[0], cf[1], cf[2], cf[3], cf[4], cf[5], cf[6], cf[7] = ColumnsF32x8(f, begin, stride)
		ci[0], ci[1], ci[2], ci[3], ci[4], ci[5], ci[6], ci[7] = ColumnsI32x8(i, begin, stride)
		cu[0], cu[1], cu[2], cu[3], cu[4], cu[5], cu[6], cu[7] = ColumnsU32x8(u, begin, stride)
		for k := range 8 {
			gotF, gotI, gotU := ToArrayF32x8(cf[k]), ToArrayI32x8(ci[k]), ToArrayU32x8(cu[k])
			for l := range 8 {
				at := begin + l*stride + k
				if gotF[l] != f[at] || gotI[l] != i[at] || gotU[l] != u[at] {
					t.Errorf("stride %d, column %d, lane %d: %v, %v, %v, want element %d", stride, k, l, gotF[l], gotI[l], gotU[l], at)
				}
			}
		}
	}
}

func TestColumns(t *testing.T) {
	if !HasAVX512() {
		t.Skip("no AVX-512")
	}
	for _, stride := range []int{8, 9, 16, 33, 100} {
		const begin = 3
		n := begin + 15*stride + 8
		f, i, u := make([]float32, n), make([]int32, n), make([]uint32, n)
		for k := range n {
			f[k], i[k], u[k] = float32(k)+0.25, int32(-k), 1<<31+uint32(k)
		}
		var cf [8]F32x16
		var ci [8]I32x16
		var cu [8]U32x16
		cf[0], cf[1], cf[2], cf[3], cf[4], cf[5], cf[6], cf[7] = ColumnsF32x16(f, begin, stride)
		ci[0], ci[1], ci[2], ci[3], ci[4], ci[5], ci[6], ci[7] = ColumnsI32x16(i, begin, stride)
		cu[0], cu[1], cu[2], cu[3], cu[4], cu[5], cu[6], cu[7] = ColumnsU32x16(u, begin, stride)
		for k := range 8 {
			gotF, gotI, gotU := ToArrayF32x16(cf[k]), ToArrayI32x16(ci[k]), ToArrayU32x16(cu[k])
			for l := range 16 {
				at := begin + l*stride + k
				if gotF[l] != f[at] || gotI[l] != i[at] || gotU[l] != u[at] {
					t.Errorf("stride %d, column %d, lane %d: %v, %v, %v, want element %d", stride, k, l, gotF[l], gotI[l], gotU[l], at)
				}
			}
		}
	}
}
