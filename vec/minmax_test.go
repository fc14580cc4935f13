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
	check32 := func(name string, lanes int, f func(r, a, b []float32), ref func(a, b float32) float32) {
		r := make([]float32, lanes)
		for i := 0; i+lanes <= len(a32); i += lanes / 2 {
			f(r, a32[i:], b32[i:])
			for k := range r {
				if got, want := math.Float32bits(r[k]), math.Float32bits(ref(a32[i+k], b32[i+k])); got != want {
					t.Errorf("%sF32x%d(%x, %x): %x, want %x", name, lanes, math.Float32bits(a32[i+k]), math.Float32bits(b32[i+k]), got, want)
				}
			}
		}
	}
	check64 := func(name string, lanes int, f func(r, a, b []float64), ref func(a, b float64) float64) {
		r := make([]float64, lanes)
		for i := 0; i+lanes <= len(a64); i += lanes / 2 {
			f(r, a64[i:], b64[i:])
			for k := range r {
				if got, want := math.Float64bits(r[k]), math.Float64bits(ref(a64[i+k], b64[i+k])); got != want {
					t.Errorf("%sF64x%d(%x, %x): %x, want %x", name, lanes, math.Float64bits(a64[i+k]), math.Float64bits(b64[i+k]), got, want)
				}
			}
		}
	}
	if HasAVX2() {
		check32("Min", 8, func(r, a, b []float32) { StoreF32x8(r, 0, MinF32x8(LoadF32x8(a, 0), LoadF32x8(b, 0))) }, minRef)
		check32("Max", 8, func(r, a, b []float32) { StoreF32x8(r, 0, MaxF32x8(LoadF32x8(a, 0), LoadF32x8(b, 0))) }, maxRef)
		check64("Min", 4, func(r, a, b []float64) { StoreF64x4(r, 0, MinF64x4(LoadF64x4(a, 0), LoadF64x4(b, 0))) }, minRef)
		check64("Max", 4, func(r, a, b []float64) { StoreF64x4(r, 0, MaxF64x4(LoadF64x4(a, 0), LoadF64x4(b, 0))) }, maxRef)
	}
	if HasAVX512() {
		check32("Min", 16, func(r, a, b []float32) { StoreF32x16(r, 0, MinF32x16(LoadF32x16(a, 0), LoadF32x16(b, 0))) }, minRef)
		check32("Max", 16, func(r, a, b []float32) { StoreF32x16(r, 0, MaxF32x16(LoadF32x16(a, 0), LoadF32x16(b, 0))) }, maxRef)
		check64("Min", 8, func(r, a, b []float64) { StoreF64x8(r, 0, MinF64x8(LoadF64x8(a, 0), LoadF64x8(b, 0))) }, minRef)
		check64("Max", 8, func(r, a, b []float64) { StoreF64x8(r, 0, MaxF64x8(LoadF64x8(a, 0), LoadF64x8(b, 0))) }, maxRef)
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
