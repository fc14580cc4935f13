//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"testing"
)

// Functions of four lanes give what those of eight do.
func TestFourLanes(t *testing.T) {
	need256(t)
	fns := []struct {
		name string
		f4   func(x F32x4) F32x4
		f8   func(x F32x8) F32x8
	}{
		{"RSqrt", RSqrtF32x4, RSqrtF32x8},
		{"RSqrtFast", RSqrtFastF32x4, RSqrtFastF32x8},
		{"RSqrtRough", RSqrtRoughF32x4, RSqrtRoughF32x8},
		{"RecipFast", RecipFastF32x4, RecipFastF32x8},
		{"Exp", ExpF32x4, ExpF32x8},
		{"Exp2", Exp2F32x4, Exp2F32x8},
		{"Log", LogF32x4, LogF32x8},
		{"Log2", Log2F32x4, Log2F32x8},
		{"Tanh", TanhF32x4, TanhF32x8},
		{"Erf", ErfF32x4, ErfF32x8},
		{"Erfc", ErfcF32x4, ErfcF32x8},
		{"Sin", SinF32x4, SinF32x8},
		{"Cos", CosF32x4, CosF32x8},
		{"SinCos", func(x F32x4) F32x4 { s, _ := SinCosF32x4(x); return s }, func(x F32x8) F32x8 { s, _ := SinCosF32x8(x); return s }},
		{"CosSin", func(x F32x4) F32x4 { _, c := SinCosF32x4(x); return c }, func(x F32x8) F32x8 { _, c := SinCosF32x8(x); return c }},
		{"Pow 0.3", func(x F32x4) F32x4 { return PowF32x4(x, SplatF32x4(0.3)) }, func(x F32x8) F32x8 { return PowF32x8(x, SplatF32x8(0.3)) }},
		{"Pow -3", func(x F32x4) F32x4 { return PowF32x4(x, SplatF32x4(-3)) }, func(x F32x8) F32x8 { return PowF32x8(x, SplatF32x8(-3)) }},
	}
	r := rng("four lanes")
	sp := special[float32]()
	var in, out, want [8]float32
	for _, fn := range fns {
		for range 50 * rounds {
			random(r, in[:], sp)
			StoreF32x8(want[:], 0, fn.f8(LoadF32x8(in[:], 0)))
			StoreF32x4(out[:], 0, fn.f4(LoadF32x4(in[:], 0)))
			StoreF32x4(out[:], 4, fn.f4(LoadF32x4(in[:], 4)))
			for k, x := range in {
				if !same(out[k], want[k]) {
					t.Fatalf("%s of %v: %v with four lanes, %v with eight", fn.name, x, out[k], want[k])
				}
			}
		}
	}
}

// Integers that lie between two float32, or next to it, are rounded once.
func TestRoundedOnce(t *testing.T) {
	need256(t)
	r := rng("rounded once")
	for range 100 * rounds {
		var x [4]int64
		var y [4]uint64
		for k := range x {
			// A number of 24 bits, a half, and a little more or less.
			n := (r.Uint64()>>40 | 1<<23) << 1 & (1<<25 - 1)
			n = (n|1)<<r.IntN(40) + uint64(r.IntN(3)) - 1
			x[k], y[k] = int64(n)>>r.IntN(2), n
			if r.IntN(2) == 0 {
				x[k] = -x[k]
			}
		}
		signed, unsigned := ToArrayF32x4(CvtI64x4_F32x4(LoadPtrI64x4(&x))), ToArrayF32x4(CvtU64x4_F32x4(LoadPtrU64x4(&y)))
		for k := range x {
			if signed[k] != float32(x[k]) {
				t.Fatalf("float32(%d) is %v, want %v", x[k], signed[k], float32(x[k]))
			}
			if unsigned[k] != float32(y[k]) {
				t.Fatalf("float32(%d) is %v, want %v", y[k], unsigned[k], float32(y[k]))
			}
		}
	}
}

func TestCountFour(t *testing.T) {
	need256(t)
	for _, base := range []int{0, 5, -7, 1 << 24, 1<<24 + 1, 1 << 40, math.MinInt32, math.MaxInt32} {
		for _, step := range []int{1, -1, 3, 1 << 22} {
			for k, x := range ToArrayF32x4(CountF32x4(base, step)) {
				if want := float32(base + k*step); x != want {
					t.Errorf("CountF32x4(%d, %d): lane %d is %v, want %v", base, step, k, x, want)
				}
			}
		}
	}
}
