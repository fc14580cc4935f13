//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"testing"
)

// The smaller and the larger of two are those of Go bit for bit, also which NaN it is: what a kernel stores is the same with and without vectors.
func TestMinMaxBits(t *testing.T) {
	bits32 := []uint32{0, 1 << 31, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7fc12345, 0xffc54321, 0x7f812345, 0xff854321, 1, 1<<31 | 1}
	var a32, b32 []float32
	var a64, b64 []float64
	for _, x := range bits32 {
		for _, y := range bits32 {
			a32, b32 = append(a32, math.Float32frombits(x)), append(b32, math.Float32frombits(y))
			// The same kinds of float64.
			a64, b64 = append(a64, wider(x)), append(b64, wider(y))
		}
	}
	if HasAVX2() {
		sameBits(t, "MinF32x8", 8, a32, b32, func(r, a, b []float32) { StoreF32x8(r, 0, MinF32x8(LoadF32x8(a, 0), LoadF32x8(b, 0))) }, minRef)
		sameBits(t, "MaxF32x8", 8, a32, b32, func(r, a, b []float32) { StoreF32x8(r, 0, MaxF32x8(LoadF32x8(a, 0), LoadF32x8(b, 0))) }, maxRef)
		sameBits(t, "MinF64x4", 4, a64, b64, func(r, a, b []float64) { StoreF64x4(r, 0, MinF64x4(LoadF64x4(a, 0), LoadF64x4(b, 0))) }, minRef)
		sameBits(t, "MaxF64x4", 4, a64, b64, func(r, a, b []float64) { StoreF64x4(r, 0, MaxF64x4(LoadF64x4(a, 0), LoadF64x4(b, 0))) }, maxRef)
	}
	if HasAVX512() {
		sameBits(t, "MinF32x16", 16, a32, b32, func(r, a, b []float32) { StoreF32x16(r, 0, MinF32x16(LoadF32x16(a, 0), LoadF32x16(b, 0))) }, minRef)
		sameBits(t, "MaxF32x16", 16, a32, b32, func(r, a, b []float32) { StoreF32x16(r, 0, MaxF32x16(LoadF32x16(a, 0), LoadF32x16(b, 0))) }, maxRef)
		sameBits(t, "MinF64x8", 8, a64, b64, func(r, a, b []float64) { StoreF64x8(r, 0, MinF64x8(LoadF64x8(a, 0), LoadF64x8(b, 0))) }, minRef)
		sameBits(t, "MaxF64x8", 8, a64, b64, func(r, a, b []float64) { StoreF64x8(r, 0, MaxF64x8(LoadF64x8(a, 0), LoadF64x8(b, 0))) }, maxRef)
	}
}

// sameBits compares f with ref, in vectors that overlap by half.
func sameBits[E float32 | float64](t *testing.T, name string, lanes int, a, b []E, f func(r, a, b []E), ref func(a, b E) E) {
	t.Helper()
	r := make([]E, lanes)
	for i := 0; i+lanes <= len(a); i += lanes / 2 {
		f(r, a[i:], b[i:])
		for k := range r {
			if got, want := bitsOf(r[k]), bitsOf(ref(a[i+k], b[i+k])); got != want {
				t.Errorf("%s(%x, %x): %x, want %x", name, bitsOf(a[i+k]), bitsOf(b[i+k]), got, want)
			}
		}
	}
}

// wider returns the float64 with the sign, the kind and the first bits of the float32 with bits x.
func wider(x uint32) float64 {
	exp := uint64(x >> 23 & 0xff)
	switch exp {
	case 0:
	case 0xff:
		exp = 0x7ff
	default:
		exp += 1023 - 127
	}
	return math.Float64frombits(uint64(x>>31)<<63 | exp<<52 | uint64(x&(1<<23-1))<<29)
}
