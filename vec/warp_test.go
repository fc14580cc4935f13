//go:build goexperiment.simd && amd64

package vec

import "testing"

// source is the lane that a lane reads from, written down from the CUDA C++ Programming Guide, warp shuffle functions: up and down
// don't leave the group, xor may read earlier groups.
func source(kind Shuffle, lane, b, width int) int {
	group := lane / width
	s := 0
	switch kind {
	case ByIdx:
		return group*width + b%width
	case ByUp:
		s = lane - b
	case ByDown:
		s = lane + b
	case ByXor:
		s = lane ^ b
		if s/width < group {
			return s
		}
	}
	if s < group*width || s >= group*width+width {
		return lane
	}
	return s
}

func TestSources(t *testing.T) {
	need256(t)
	for kind := ByIdx; kind <= ByXor; kind++ {
		for width := 1; width <= 32; width *= 2 {
			for b := range 64 {
				check := func(name string, lane int, got uint64) {
					if want := source(kind, lane, b%32, width); got != uint64(want) {
						t.Errorf("%s: kind %d by %d, width %d: lane %d reads lane %d, not %d", name, kind, b, width, lane, got, want)
					}
				}
				for part := range 4 {
					for k, s := range ToArrayU32x8(SourceU32x8(kind, b, width, part)) {
						check("U32x8", 8*part+k, uint64(s))
					}
				}
				if !HasAVX512() {
					continue
				}
				for part := range 4 {
					for k, s := range ToArrayU64x8(SourceU64x8(kind, b, width, part)) {
						check("U64x8", 8*part+k, s)
					}
				}
				for part := range 2 {
					for k, s := range ToArrayU32x16(SourceU32x16(kind, b, width, part)) {
						check("U32x16", 16*part+k, uint64(s))
					}
				}
			}
		}
	}
}

func TestSourcesOfEach(t *testing.T) {
	need256(t)
	for width := 1; width <= 32; width *= 2 {
		for part := range 4 {
			var b [8]uint32
			for k := range b {
				b[k] = uint32(k*37 + part*5 + width*1000)
			}
			for k, s := range ToArrayU32x8(SourceOfU32x8(LoadPtrU32x8(&b), width, part)) {
				if want := source(ByIdx, 8*part+k, int(b[k]%32), width); s != uint32(want) {
					t.Errorf("width %d: lane %d reads lane %d, not %d", width, 8*part+k, s, want)
				}
			}
		}
	}
}

// A warp has its lane's number, plus something, in each lane.
func TestWarps(t *testing.T) {
	need256(t)
	var from [32]int
	for k := range from {
		from[k] = k*k*11 + 3*k + 70 // of all 32 lanes, several times, and above 32
	}
	warp8(t, "F32x8", from, func(r []float32, v [4][]float32, x []uint32) {
		StoreF32x8(r, 0, WarpF32x8(LoadF32x8(v[0], 0), LoadF32x8(v[1], 0), LoadF32x8(v[2], 0), LoadF32x8(v[3], 0), LoadU32x8(x, 0)))
	})
	warp8(t, "I32x8", from, func(r []int32, v [4][]int32, x []uint32) {
		StoreI32x8(r, 0, WarpI32x8(LoadI32x8(v[0], 0), LoadI32x8(v[1], 0), LoadI32x8(v[2], 0), LoadI32x8(v[3], 0), LoadU32x8(x, 0)))
	})
	warp8(t, "U32x8", from, func(r []uint32, v [4][]uint32, x []uint32) {
		StoreU32x8(r, 0, WarpU32x8(LoadU32x8(v[0], 0), LoadU32x8(v[1], 0), LoadU32x8(v[2], 0), LoadU32x8(v[3], 0), LoadU32x8(x, 0)))
	})
	if !HasAVX512() {
		return
	}
	warp8(t, "F64x8", from, func(r []float64, v [4][]float64, x []uint64) {
		StoreF64x8(r, 0, WarpF64x8(LoadF64x8(v[0], 0), LoadF64x8(v[1], 0), LoadF64x8(v[2], 0), LoadF64x8(v[3], 0), LoadU64x8(x, 0)))
	})
	warp8(t, "I64x8", from, func(r []int64, v [4][]int64, x []uint64) {
		StoreI64x8(r, 0, WarpI64x8(LoadI64x8(v[0], 0), LoadI64x8(v[1], 0), LoadI64x8(v[2], 0), LoadI64x8(v[3], 0), LoadU64x8(x, 0)))
	})
	warp8(t, "U64x8", from, func(r []uint64, v [4][]uint64, x []uint64) {
		StoreU64x8(r, 0, WarpU64x8(LoadU64x8(v[0], 0), LoadU64x8(v[1], 0), LoadU64x8(v[2], 0), LoadU64x8(v[3], 0), LoadU64x8(x, 0)))
	})
	var a, b [16]float32
	var x [16]uint32
	for k := range 16 {
		a[k], b[k], x[k] = float32(k), float32(k+16), uint32(from[k])
	}
	for k, got := range ToArrayF32x16(WarpF32x16(LoadPtrF32x16(&a), LoadPtrF32x16(&b), LoadPtrU32x16(&x))) {
		if got != float32(from[k]%32) {
			t.Errorf("F32x16: lane %d has %v, not %d", k, got, from[k]%32)
		}
	}
	for k, got := range ToArrayF64x8(PermuteF64x8(LoadPtrF64x8((*[8]float64)([]float64{0, 1, 2, 3, 4, 5, 6, 7})), LoadPtrU64x8(&[8]uint64{9, 3, 3, 0, 7, 15, 4, 1}))) {
		if want := []float64{1, 3, 3, 0, 7, 7, 4, 1}[k]; got != want {
			t.Errorf("PermuteF64x8: lane %d has %v, not %v", k, got, want)
		}
	}
}

func warp8[E number, X uint32 | uint64](t *testing.T, name string, from [32]int, warp func(r []E, v [4][]E, x []X)) {
	t.Helper()
	var v [4][]E
	for lane := range 32 {
		v[lane/8] = append(v[lane/8], E(lane)+5)
	}
	for part := range v {
		got, x := make([]E, 8), make([]X, 8)
		for k := range x {
			x[k] = X(from[8*part+k])
		}
		warp(got, v, x)
		for k := range got {
			if want := E(from[8*part+k]%32) + 5; got[k] != want {
				t.Errorf("Warp%s: lane %d has %v, not %v", name, 8*part+k, got[k], want)
			}
		}
	}
}
