//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// around calls f with x and its neighbours, many of them, of both signs.
func around[E float](x E, f func(x E)) {
	const many = 2000
	for k := range uint64(2*many + 1) {
		if u := bitsOf(x) + k; u >= many {
			f(fromBits[E](u - many))
			f(-fromBits[E](u - many))
		}
	}
}

// What the compiler of kernels computes together is what two calls give: erfc(x) and erfc(-x) by ErfcBoth bit for bit,
// and other functions of -x by the sign.
func TestMirror32(t *testing.T) {
	need256(t)
	negative := func(y float32) float32 { return -y }
	itself := func(y float32) float32 { return y }
	for _, fn := range []struct {
		name   string
		f4     func(x F32x4) F32x4
		f8     func(x F32x8) F32x8
		f16    func(x F32x16) F32x16
		mirror func(y float32) float32 // f(-x) from f(x), but for Erfc
	}{
		{"Erf", ErfF32x4, ErfF32x8, ErfF32x16, negative},
		{"Sin", SinF32x4, SinF32x8, SinF32x16, negative},
		{"Tanh", TanhF32x4, TanhF32x8, TanhF32x16, negative},
		{"Cos", CosF32x4, CosF32x8, CosF32x16, itself},
		{"Erfc", ErfcF32x4, ErfcF32x8, ErfcF32x16, nil},
	} {
		var in, opposite, plus, minus, both, other [16]float32
		compute := func(j, lanes int) {
			switch lanes {
			case 4:
				StoreF32x4(plus[:], j, fn.f4(LoadF32x4(in[:], j)))
				StoreF32x4(minus[:], j, fn.f4(LoadF32x4(opposite[:], j)))
				a, b := ErfcBothF32x4(LoadF32x4(in[:], j))
				StoreF32x4(both[:], j, a)
				StoreF32x4(other[:], j, b)
			case 8:
				StoreF32x8(plus[:], j, fn.f8(LoadF32x8(in[:], j)))
				StoreF32x8(minus[:], j, fn.f8(LoadF32x8(opposite[:], j)))
				a, b := ErfcBothF32x8(LoadF32x8(in[:], j))
				StoreF32x8(both[:], j, a)
				StoreF32x8(other[:], j, b)
			case 16:
				StoreF32x16(plus[:], j, fn.f16(LoadF32x16(in[:], j)))
				StoreF32x16(minus[:], j, fn.f16(LoadF32x16(opposite[:], j)))
				a, b := ErfcBothF32x16(LoadF32x16(in[:], j))
				StoreF32x16(both[:], j, a)
				StoreF32x16(other[:], j, b)
			}
		}
		n := 0
		check := func(x float32) {
			in[n], opposite[n] = x, -x
			if n++; n < 16 {
				return
			}
			n = 0
			for _, lanes := range []int{4, 8, 16} {
				if lanes == 16 && !HasAVX512() {
					continue
				}
				for j := 0; j < 16; j += lanes {
					compute(j, lanes)
				}
				if fn.mirror != nil {
					both = plus
					for k, y := range plus {
						other[k] = fn.mirror(y)
					}
				}
				for k, x := range in {
					if !same(both[k], plus[k]) || !same(other[k], minus[k]) {
						t.Fatalf("%s of %v and %v, %d lanes: %v and %v together, %v and %v apart", fn.name, x, -x, lanes, both[k], other[k], plus[k], minus[k])
					}
				}
			}
		}
		inputs32(check)
		for _, x := range []float32{0, 0x1p-126, 0.5, 1, 3, 4, 9.2, 10.1, 1 << 17, 1 << 30, math.MaxFloat32} {
			around(x, check)
		}
		for n != 0 {
			check(float32(math.Inf(1)))
		}
	}
}

func TestMirror64(t *testing.T) {
	need256(t)
	negative := func(y float64) float64 { return -y }
	itself := func(y float64) float64 { return y }
	for _, fn := range []struct {
		name   string
		f4     func(x F64x4) F64x4
		f8     func(x F64x8) F64x8
		mirror func(y float64) float64
	}{
		{"Erf", ErfF64x4, ErfF64x8, negative},
		{"Sin", SinF64x4, SinF64x8, negative},
		{"Tanh", TanhF64x4, TanhF64x8, negative},
		{"Cos", CosF64x4, CosF64x8, itself},
		{"Erfc", ErfcF64x4, ErfcF64x8, nil},
	} {
		var in, opposite, plus, minus, both, other [8]float64
		compute := func(j, lanes int) {
			switch lanes {
			case 4:
				StoreF64x4(plus[:], j, fn.f4(LoadF64x4(in[:], j)))
				StoreF64x4(minus[:], j, fn.f4(LoadF64x4(opposite[:], j)))
				a, b := ErfcBothF64x4(LoadF64x4(in[:], j))
				StoreF64x4(both[:], j, a)
				StoreF64x4(other[:], j, b)
			case 8:
				StoreF64x8(plus[:], j, fn.f8(LoadF64x8(in[:], j)))
				StoreF64x8(minus[:], j, fn.f8(LoadF64x8(opposite[:], j)))
				a, b := ErfcBothF64x8(LoadF64x8(in[:], j))
				StoreF64x8(both[:], j, a)
				StoreF64x8(other[:], j, b)
			}
		}
		n := 0
		check := func(x float64) {
			in[n], opposite[n] = x, -x
			if n++; n < 8 {
				return
			}
			n = 0
			for _, lanes := range []int{4, 8} {
				if lanes == 8 && !HasAVX512() {
					continue
				}
				for j := 0; j < 8; j += lanes {
					compute(j, lanes)
				}
				if fn.mirror != nil {
					both = plus
					for k, y := range plus {
						other[k] = fn.mirror(y)
					}
				}
				for k, x := range in {
					if !same(both[k], plus[k]) || !same(other[k], minus[k]) {
						t.Fatalf("%s of %v and %v, %d lanes: %v and %v together, %v and %v apart", fn.name, x, -x, lanes, both[k], other[k], plus[k], minus[k])
					}
				}
			}
		}
		inputs64(10, check)
		r := rand.New(rand.NewPCG(9, 10))
		for range 5000 * effort() {
			check(r.NormFloat64() * 8)
		}
		for _, x := range []float64{0, 0x1p-1022, 0.5, 1, 4, 26.5, 27.3, 1 << 30, math.MaxFloat64} {
			around(x, check)
		}
		for n != 0 {
			check(math.Inf(1))
		}
	}
}
