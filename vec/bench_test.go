//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"testing"
	"unsafe"
)

// aligned returns n numbers from the start of a cache line.
func aligned[E float](n int) []E {
	s := make([]E, n+16)
	for uintptr(unsafe.Pointer(&s[0]))%64 != 0 {
		s = s[1:]
	}
	return s[:n]
}

const benchLen = 1024

// Each benchmark reports the time of one vector.
func BenchmarkMath32(b *testing.B) {
	need256(b)
	in, out := aligned[float32](benchLen), aligned[float32](benchLen)
	for i := range in {
		in[i] = float32(i%97)/20 + 0.01
	}
	per := func(b *testing.B, lanes int) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)*float64(lanes)/benchLen, "ns/vector")
	}
	for _, fn := range functions32 {
		b.Run(fn.name+"/x16", func(b *testing.B) {
			need512(b)
			for b.Loop() {
				for i := 0; i < benchLen; i += 16 {
					StoreF32x16(out, i, fn.f16(LoadF32x16(in, i)))
				}
			}
			per(b, 16)
		})
		b.Run(fn.name+"/x8", func(b *testing.B) {
			for b.Loop() {
				for i := 0; i < benchLen; i += 8 {
					StoreF32x8(out, i, fn.f8(LoadF32x8(in, i)))
				}
			}
			per(b, 8)
		})
	}
	b.Run("Pow/x16", func(b *testing.B) {
		need512(b)
		for b.Loop() {
			for i := 0; i < benchLen; i += 16 {
				x := LoadF32x16(in, i)
				StoreF32x16(out, i, PowF32x16(x, x))
			}
		}
		per(b, 16)
	})
	b.Run("math.Exp/x16", func(b *testing.B) {
		for b.Loop() {
			for i, x := range in {
				out[i] = float32(math.Exp(float64(x)))
			}
		}
		per(b, 16)
	})
}

func BenchmarkMath64(b *testing.B) {
	need256(b)
	in, out := aligned[float64](benchLen), aligned[float64](benchLen)
	for i := range in {
		in[i] = float64(i%97)/20 + 0.01
	}
	per := func(b *testing.B, lanes int) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)*float64(lanes)/benchLen, "ns/vector")
	}
	for _, fn := range functions64 {
		b.Run(fn.name+"/x8", func(b *testing.B) {
			need512(b)
			for b.Loop() {
				for i := 0; i < benchLen; i += 8 {
					StoreF64x8(out, i, fn.f8(LoadF64x8(in, i)))
				}
			}
			per(b, 8)
		})
		b.Run(fn.name+"/x4", func(b *testing.B) {
			for b.Loop() {
				for i := 0; i < benchLen; i += 4 {
					StoreF64x4(out, i, fn.f4(LoadF64x4(in, i)))
				}
			}
			per(b, 4)
		})
	}
	b.Run("Pow/x8", func(b *testing.B) {
		need512(b)
		for b.Loop() {
			for i := 0; i < benchLen; i += 8 {
				x := LoadF64x8(in, i)
				StoreF64x8(out, i, PowF64x8(x, x))
			}
		}
		per(b, 8)
	})
}

func BenchmarkGather(b *testing.B) {
	need512(b)
	s := make([]float32, 4096)
	x := make([]int32, benchLen)
	for i := range x {
		x[i] = int32(i * 977 % len(s))
	}
	for name, m := range map[string]Mask{"all": 0xffff, "three of four": 0x7777, "four": 0x1111} {
		b.Run(name, func(b *testing.B) {
			out := aligned[float32](16)
			for b.Loop() {
				for i := 0; i < benchLen; i += 16 {
					StoreF32x16(out, 0, GatherF32x16(s, LoadI32x16(x, i), m))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)*16/benchLen, "ns/vector")
		})
	}
}
