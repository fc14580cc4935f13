//go:build goexperiment.simd && amd64

package vec

import "testing"

// A select of what a conversion to narrower lanes gives keeps the lanes that are off. Go 1.26 merges the two into
// one instruction, for VPACKUSDW with a mask of the wrong kind; see narrow16x8.
func TestSelectNarrowed(t *testing.T) {
	if !HasAVX512() {
		t.Skip("no AVX-512")
	}
	var i64 [8]int64
	var i32 [8]int32
	var w32 [16]int32
	var i16 [16]int16
	for k := range w32 {
		w32[k], i16[k] = int32(100+k), int16(200+k)
	}
	for k := range i32 {
		i64[k], i32[k] = int64(300+k), int32(400+k)
	}
	for m := range Mask(256) {
		selectNarrowed8(t, m, &i64, &i32)
	}
	for m := Mask(0); m < 1<<16; m += 77 {
		selectNarrowed16(t, m, &w32, &i16)
	}
}

//go:noinline
func selectNarrowed8(t *testing.T, m Mask, i64 *[8]int64, i32 *[8]int32) {
	t.Helper()
	old16 := LoadPtrI16x8(&[8]int16{-1, -2, -3, -4, -5, -6, -7, -8})
	old32 := LoadPtrI32x8(&[8]int32{-1, -2, -3, -4, -5, -6, -7, -8})
	want := func(name string, from int) func(k int, got int) {
		return func(k, got int) {
			w := -1 - k
			if m>>k&1 != 0 {
				w = from + k
			}
			if got != w {
				t.Errorf("%s: lane %d is %d, want %d", name, k, got, w)
			}
		}
	}
	kept := old16
	for n := range 3 { // the instruction is chosen where the result takes the place of the old value
		i32[0] += int32(n)
		kept = SelectI16x8(m, CvtI32x8_I16x8(LoadPtrI32x8(i32)), kept)
		i32[0] -= int32(n)
	}
	kept = SelectI16x8(m, CvtI32x8_I16x8(LoadPtrI32x8(i32)), kept)
	for k, v := range ToArrayI16x8(kept) {
		want("I32 to I16", 400)(k, int(v))
	}
	for k, v := range ToArrayI16x8(SelectI16x8(m, CvtI64x8_I16x8(LoadPtrI64x8(i64)), old16)) {
		want("I64 to I16", 300)(k, int(v))
	}
	for k, v := range ToArrayI32x8(SelectI32x8(m, CvtI64x8_I32x8(LoadPtrI64x8(i64)), old32)) {
		want("I64 to I32", 300)(k, int(v))
	}
}

//go:noinline
func selectNarrowed16(t *testing.T, m2 Mask, w32 *[16]int32, i16 *[16]int16) {
	t.Helper()
	old8 := LoadPtrI8x16(&[16]int8{-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -14, -15, -16})
	oldW := LoadPtrI16x16(&[16]int16{-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -14, -15, -16})
	for k, v := range ToArrayI8x16(SelectI8x16(m2, CvtI32x16_I8x16(LoadPtrI32x16(w32)), old8)) {
		if w := -1 - k; m2>>k&1 == 0 && int(v) != w || m2>>k&1 != 0 && int(v) != 100+k {
			t.Errorf("I32 to I8: lane %d is %d", k, v)
		}
	}
	for k, v := range ToArrayI16x16(SelectI16x16(m2, CvtI32x16_I16x16(LoadPtrI32x16(w32)), oldW)) {
		if w := -1 - k; m2>>k&1 == 0 && int(v) != w || m2>>k&1 != 0 && int(v) != 100+k {
			t.Errorf("I32 to I16 of 16: lane %d is %d", k, v)
		}
	}
	for k, v := range ToArrayI8x16(SelectI8x16(m2, CvtI16x16_I8x16(LoadPtrI16x16(i16)), old8)) {
		if w := -1 - k; m2>>k&1 == 0 && int(v) != w || m2>>k&1 != 0 && v != int8(uint8(200+k)) {
			t.Errorf("I16 to I8: lane %d is %d", k, v)
		}
	}
}
