//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/vec/internal/high"
)

// A function of float32 and its reference, which is good enough in float64.
type function32 struct {
	name  string
	bound float64 // of the error in ulp, that the comment of the function states
	ref   func(x float64) float64
	f16   func(x F32x16) F32x16
	f8    func(x F32x8) F32x8
}

func sinOfF32x16(x F32x16) F32x16 { s, _ := SinCosF32x16(x); return s }
func cosOfF32x16(x F32x16) F32x16 { _, c := SinCosF32x16(x); return c }
func sinOfF32x8(x F32x8) F32x8    { s, _ := SinCosF32x8(x); return s }
func cosOfF32x8(x F32x8) F32x8    { _, c := SinCosF32x8(x); return c }
func sinOfF64x8(x F64x8) F64x8    { s, _ := SinCosF64x8(x); return s }
func cosOfF64x8(x F64x8) F64x8    { _, c := SinCosF64x8(x); return c }
func sinOfF64x4(x F64x4) F64x4    { s, _ := SinCosF64x4(x); return s }
func cosOfF64x4(x F64x4) F64x4    { _, c := SinCosF64x4(x); return c }

func rsqrt(x float64) float64 { return 1 / math.Sqrt(x) }

// log2 is better than math.Log2 near 1.
func log2(x float64) float64 {
	if math.Abs(x-1) < 0.3 {
		return math.Log1p(x-1) / math.Ln2
	}
	return math.Log2(x)
}

var functions32 = []function32{
	{"RSqrt", 1.5, rsqrt, RSqrtF32x16, RSqrtF32x8},
	{"Exp", 1, math.Exp, ExpF32x16, ExpF32x8},
	{"Exp2", 1, math.Exp2, Exp2F32x16, Exp2F32x8},
	{"Log", 1, math.Log, LogF32x16, LogF32x8},
	{"Log2", 1, log2, Log2F32x16, Log2F32x8},
	{"Tanh", 1.5, math.Tanh, TanhF32x16, TanhF32x8},
	{"Erf", 1.2, math.Erf, ErfF32x16, ErfF32x8},
	{"Erfc", 4.4, math.Erfc, ErfcF32x16, ErfcF32x8},
	{"Sin", 1, math.Sin, SinF32x16, SinF32x8},
	{"Cos", 1, math.Cos, CosF32x16, CosF32x8},
	{"SinCos", 1, math.Sin, sinOfF32x16, sinOfF32x8},
	{"CosSin", 1, math.Cos, cosOfF32x16, cosOfF32x8},
}

// ulps32 returns how far got is from want in units of the last place of want.
func ulps32(got float32, want float64) float64 {
	switch {
	case math.IsNaN(want) || got != got:
		if math.IsNaN(want) && got != got {
			return 0
		}
		return math.Inf(1)
	case math.IsInf(want, 0) || want == 0:
		if float64(got) == want && math.Signbit(float64(got)) == math.Signbit(want) {
			return 0
		}
		return math.Inf(1)
	}
	g := float64(got)
	if math.IsInf(g, 0) {
		if math.Abs(want) >= 0x1.ffffffp127 && g*want > 0 {
			return 0
		}
		g = math.Copysign(0x1p128, g)
	}
	_, exp := math.Frexp(want)
	return math.Abs(g-want) / math.Ldexp(1, min(max(exp-24, -149), 104))
}

// effort is 1 for short tests, more for others.
func effort() int {
	if testing.Short() {
		return 1
	}
	return 10
}

// inputs32 calls f with numbers of all exponents, many of them common ones.
func inputs32(f func(x float32)) {
	for _, x := range special[float32]() {
		f(x)
	}
	for u := uint64(0); u < 1<<32; u += 90001 / uint64(effort()) {
		f(math.Float32frombits(uint32(u)))
	}
	around(float32(0.4785663), f) // the worst of Erfc
	r := rand.New(rand.NewPCG(1, 2))
	for k := range 10000 * effort() { // near multiples of pi/2, where sine and cosine cancel
		x := float32(float64(k) * (math.Pi / 2))
		f(x)
		f(-math.Nextafter32(x, 0))
	}
	for range 50000 * effort() {
		f(float32(r.NormFloat64()))
		f(float32(r.NormFloat64() * 20))
		f(1 + float32(r.NormFloat64())/64)
	}
}

func TestMath32(t *testing.T) {
	need256(t)
	for _, fn := range functions32 {
		t.Run(fn.name, func(t *testing.T) {
			var worst float64
			var at float32
			var in, out [16]float32
			n := 0
			inputs32(func(x float32) {
				in[n] = x
				if n++; n < 16 {
					return
				}
				n = 0
				StoreF32x8(out[:], 0, fn.f8(LoadF32x8(in[:], 0)))
				StoreF32x8(out[:], 8, fn.f8(LoadF32x8(in[:], 8)))
				if HasAVX512() {
					var wide [16]float32
					StorePtrF32x16(&wide, fn.f16(LoadPtrF32x16(&in)))
					for k, y := range wide {
						if !same(y, out[k]) {
							t.Fatalf("%s(%v): %v with 16 lanes, %v with 8", fn.name, in[k], y, out[k])
						}
					}
				}
				for k, y := range out {
					if e := ulps32(y, fn.ref(float64(in[k]))); e > worst {
						worst, at = e, in[k]
						if e > 1e6 {
							t.Fatalf("%s(%v) = %v, want %v", fn.name, in[k], y, fn.ref(float64(in[k])))
						}
					}
				}
			})
			t.Logf("error up to %.3f ulp, at %v", worst, at)
			if worst > fn.bound {
				t.Errorf("%s: error of %.3f ulp at %v (%#x), bound %v", fn.name, worst, at, math.Float32bits(at), fn.bound)
			}
		})
	}
}

// The cube of a reciprocal root depends on where x lies between two powers of 4, so all floats between 1 and 4 are
// tried; then the ends of the range.
func TestOverCubeRough(t *testing.T) {
	need256(t)
	a := [16]float32{1, 3, 1.9999999, -1, 0.1, 0x1p20, 0x1.8p-20, -7, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8}
	var x, out8, out16, lean8, lean [16]float32
	var worst8, worst16, worstLean8, worstLean float64
	step := uint32(1)
	if testing.Short() {
		step = 61
	}
	try := func(from, to float32) {
		for bits := math.Float32bits(from); bits <= math.Float32bits(to); bits += 16 * step {
			for k := range x {
				x[k] = math.Float32frombits(bits + uint32(k)*step)
			}
			StoreF32x8(out8[:], 0, OverCubeRoughF32x8(LoadF32x8(a[:], 0), LoadF32x8(x[:], 0)))
			StoreF32x8(out8[:], 8, OverCubeRoughF32x8(LoadF32x8(a[:], 8), LoadF32x8(x[:], 8)))
			for k := 0; k < 16; k += 8 {
				StoreF32x8(lean8[:], k, LeanEndF32x8(LeanBeginF32x8(SplatF32x8(0)).Add(OverCubeLeanF32x8(LoadF32x8(a[:], k), LoadF32x8(x[:], k)))))
			}
			if HasAVX512() {
				StorePtrF32x16(&out16, OverCubeRoughF32x16(LoadPtrF32x16(&a), LoadPtrF32x16(&x)))
				StorePtrF32x16(&lean, LeanEndF32x16(LeanBeginF32x16(SplatF32x16(0)).Add(OverCubeLeanF32x16(LoadPtrF32x16(&a), LoadPtrF32x16(&x)))))
			}
			for k, x := range x {
				want := float64(a[k]) / (float64(x) * math.Sqrt(float64(x)))
				if e := ulps32(out8[k], want); e > worst8 {
					if worst8 = e; e > 12 {
						t.Fatalf("F32x8: %v/(%v sqrt(x)) = %v, want %v, error of %.3f ulp", a[k], x, out8[k], want, e)
					}
				}
				if e := ulps32(lean8[k], want); e > worstLean8 {
					if worstLean8 = e; e > 12 {
						t.Fatalf("lean, F32x8: %v/(%v sqrt(x)) = %v, want %v, error of %.3f ulp", a[k], x, lean8[k], want, e)
					}
				}
				if !HasAVX512() {
					continue
				}
				if e := ulps32(out16[k], want); e > worst16 {
					if worst16 = e; e > 5 {
						t.Fatalf("F32x16: %v/(%v sqrt(x)) = %v, want %v, error of %.3f ulp", a[k], x, out16[k], want, e)
					}
				}
				if e := ulps32(lean[k], want); e > worstLean {
					if worstLean = e; e > 5 {
						t.Fatalf("lean: %v/(%v sqrt(x)) = %v, want %v, error of %.3f ulp", a[k], x, lean[k], want, e)
					}
				}
			}
		}
	}
	try(1, 4)
	try(0x1p-66, 0x1.1p-66)
	try(0x1p66, 0x1.1p66)
	t.Logf("errors up to %.3f and, lean, %.3f ulp with 256 bits, %.3f and %.3f with 512", worst8, worstLean8, worst16, worstLean)
}

// The fast functions are wrong at denormal numbers only, and there within reason.
func TestFast(t *testing.T) {
	need256(t)
	for _, fn := range []function32{
		{"RSqrtFast", 2, rsqrt, RSqrtFastF32x16, RSqrtFastF32x8},
		{"RecipFast", 1.5, func(x float64) float64 { return 1 / x }, RecipFastF32x16, RecipFastF32x8},
	} {
		worst := map[string]float64{}
		check := func(name string, x, y float32, bound float64) {
			want := fn.ref(float64(x))
			if a := math.Abs(float64(x)); a < 0x1p-126 && a > 0 || math.Abs(want) < 0x1p-126 && want != 0 {
				if y != y && want == want {
					t.Fatalf("%s(%v) = %v", name, x, y)
				}
				return
			}
			e := ulps32(y, want)
			if worst[name] = max(worst[name], e); e > bound {
				t.Fatalf("%s(%v) = %v, want %v, error of %.3f ulp", name, x, y, want, e)
			}
		}
		var in, out [16]float32
		n := 0
		inputs32(func(x float32) {
			in[n] = x
			if n++; n < 16 {
				return
			}
			n = 0
			StoreF32x8(out[:], 0, fn.f8(LoadF32x8(in[:], 0)))
			StoreF32x8(out[:], 8, fn.f8(LoadF32x8(in[:], 8)))
			for k, y := range out {
				check(fn.name+"F32x8", in[k], y, 4)
			}
			if HasAVX512() {
				StorePtrF32x16(&out, fn.f16(LoadPtrF32x16(&in)))
				for k, y := range out {
					check(fn.name+"F32x16", in[k], y, fn.bound)
				}
			}
		})
		t.Log(worst)
	}
	var x, y, z, w [4]float64
	x = [4]float64{0, 3, math.Inf(1), 1e-310}
	StorePtrF64x4(&y, RSqrtFastF64x4(LoadPtrF64x4(&x)))
	StorePtrF64x4(&z, RecipFastF64x4(LoadPtrF64x4(&x)))
	for k := range x {
		w[k] = 1 / x[k]
		if math.Abs(y[k]-rsqrt(x[k])) > 1e-15*y[k] || !same(z[k], w[k]) {
			t.Errorf("at %v: %v and %v", x[k], y[k], z[k])
		}
	}
}

func TestPow32(t *testing.T) {
	need256(t)
	r := rand.New(rand.NewPCG(3, 4))
	sp := special[float32]()
	var x, y, out [16]float32
	var worst float64
	check := func() {
		StoreF32x8(out[:], 0, PowF32x8(LoadF32x8(x[:], 0), LoadF32x8(y[:], 0)))
		StoreF32x8(out[:], 8, PowF32x8(LoadF32x8(x[:], 8), LoadF32x8(y[:], 8)))
		if HasAVX512() {
			var wide [16]float32
			StorePtrF32x16(&wide, PowF32x16(LoadPtrF32x16(&x), LoadPtrF32x16(&y)))
			for k, got := range wide {
				if !same(got, out[k]) {
					t.Fatalf("Pow(%v, %v): %v with 16 lanes, %v with 8", x[k], y[k], got, out[k])
				}
			}
		}
		for k, got := range out {
			want := math.Pow(float64(x[k]), float64(y[k]))
			e := ulps32(got, want)
			if worst = max(worst, e); e > 0.6 {
				t.Fatalf("Pow(%v, %v) = %v, want %v, error %.3f ulp", x[k], y[k], got, want, e)
			}
		}
	}
	n := 0
	for _, a := range sp {
		for _, b := range sp {
			x[n], y[n] = a, b
			if n++; n == 16 {
				n = 0
				check()
			}
		}
	}
	for range 6000 * effort() {
		for k := range x {
			switch r.IntN(4) {
			case 0:
				x[k], y[k] = math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32())
			case 1: // results of all sizes
				x[k] = math.Float32frombits(r.Uint32() >> 1)
				y[k] = float32(r.Float64() * 300 / math.Log2(float64(x[k])))
			case 2:
				x[k], y[k] = float32(r.NormFloat64()*10), float32(r.IntN(40)-20)
			default:
				x[k], y[k] = float32(r.ExpFloat64()), float32(r.NormFloat64()*10)
			}
		}
		check()
	}
	t.Logf("error up to %.3f ulp", worst)
}

// A function of float64 and its reference for finite arguments at which it is
// finite; limits gives the other values.
type function64 struct {
	name    string
	bound   float64
	ref     func(x *big.Float) *big.Float
	limits  func(x float64) float64
	defined func(x float64) bool // that ref takes x
	size    float64              // of common arguments
	f8      func(x F64x8) F64x8
	f4      func(x F64x4) F64x4
}

func sinRef(x *big.Float) *big.Float { s, _ := high.SinCos(x); return s }
func cosRef(x *big.Float) *big.Float { _, c := high.SinCos(x); return c }

func positive(x float64) bool { return 0 < x && x <= math.MaxFloat64 }
func within(lo, hi float64) func(x float64) bool {
	return func(x float64) bool { return lo <= x && x <= hi }
}

var functions64 = []function64{
	{"RSqrt", 1.5, func(x *big.Float) *big.Float {
		return high.Quo(high.Int(1), high.Int(0).Sqrt(x))
	}, rsqrt, positive, 10, RSqrtF64x8, RSqrtF64x4},
	{"Exp", 1, high.Exp, math.Exp, within(-745.2, 709.9), 20, ExpF64x8, ExpF64x4},
	{"Exp2", 1, func(x *big.Float) *big.Float {
		return high.Exp(high.Mul(x, high.Ln2()))
	}, math.Exp2, within(-1075.1, 1024.1), 20, Exp2F64x8, Exp2F64x4},
	{"Log", 1, high.Log, math.Log, positive, 20, LogF64x8, LogF64x4},
	{"Log2", 1, func(x *big.Float) *big.Float {
		return high.Quo(high.Log(x), high.Ln2())
	}, math.Log2, positive, 20, Log2F64x8, Log2F64x4},
	{"Tanh", 1.5, high.Tanh, math.Tanh, within(-25, 25), 2, TanhF64x8, TanhF64x4},
	{"Erf", 1.1, high.Erf, math.Erf, within(-6.5, 6.5), 2, ErfF64x8, ErfF64x4},
	{"Erfc", 2, high.Erfc, math.Erfc, within(-7, 27.3), 4, ErfcF64x8, ErfcF64x4},
	{"Sin", 1, sinRef, math.Sin, within(-math.MaxFloat64, math.MaxFloat64), 10, SinF64x8, SinF64x4},
	{"Cos", 1, cosRef, math.Cos, within(-math.MaxFloat64, math.MaxFloat64), 10, CosF64x8, CosF64x4},
	{"SinCos", 1, sinRef, math.Sin, within(-math.MaxFloat64, math.MaxFloat64), 10, sinOfF64x8, sinOfF64x4},
	{"CosSin", 1, cosRef, math.Cos, within(-math.MaxFloat64, math.MaxFloat64), 10, cosOfF64x8, cosOfF64x4},
}

// ulps64 returns how far got is from want in units of the last place of want.
func ulps64(got float64, want *big.Float) float64 {
	if got != got || want.Sign() == 0 {
		return math.Inf(1)
	}
	g := high.Int(0)
	if math.IsInf(got, 0) {
		if want.MantExp(nil) > 1024 && want.Sign() == int(math.Copysign(1, got)) {
			return 0
		}
		g = high.Scale(high.Int(int64(math.Copysign(1, got))), 1024)
	} else {
		g.SetFloat64(got)
	}
	ulp := min(max(want.MantExp(nil)-53, -1074), 971)
	e, _ := high.Scale(high.Sub(g, want), -ulp).Float64()
	return math.Abs(e)
}

func inputs64(size float64, f func(x float64)) {
	for _, x := range special[float64]() {
		f(x)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for e := range uint64(2048) { // all exponents
		f(math.Float64frombits(e<<52 | r.Uint64()>>12))
		f(-math.Float64frombits(e<<52 | r.Uint64()>>12))
	}
	for k := range 20 * effort() { // near multiples of pi/2, where sine and cosine cancel
		x := float64(k) * math.Pi / 2
		f(x)
		f(math.Nextafter(x, 0))
		x = float64(r.Uint64()>>uint(r.IntN(60))) * (math.Pi / 2)
		f(x)
		f(-math.Nextafter(x, 0))
	}
	for range 150 * effort() {
		f(r.NormFloat64() * size)
		f(r.NormFloat64())
		f(r.ExpFloat64() * size * 10)
		f(-r.ExpFloat64() * size * 10)
		f(1 + r.NormFloat64()/64)
		f(r.NormFloat64() * 1e9)
	}
	f(0x1.6ac5b262ca1ffp+849) // the worst case of all, about 2^-61 from a multiple of pi/2
	f(-0x1.6ac5b262ca1ffp+849)
	for range 8 {
		f(1)
	}
}

func TestMath64(t *testing.T) {
	need256(t)
	for _, fn := range functions64 {
		t.Run(fn.name, func(t *testing.T) {
			var worst, at float64
			var in, out [8]float64
			n := 0
			inputs64(fn.size, func(x float64) {
				in[n] = x
				if n++; n < 8 {
					return
				}
				n = 0
				StoreF64x4(out[:], 0, fn.f4(LoadF64x4(in[:], 0)))
				StoreF64x4(out[:], 4, fn.f4(LoadF64x4(in[:], 4)))
				if HasAVX512() {
					var wide [8]float64
					StorePtrF64x8(&wide, fn.f8(LoadPtrF64x8(&in)))
					for k, y := range wide {
						if !same(y, out[k]) {
							t.Fatalf("%s(%v): %v with 8 lanes, %v with 4", fn.name, in[k], y, out[k])
						}
					}
				}
				for k, y := range out {
					x := in[k]
					if x == 0 || !fn.defined(x) {
						if want := fn.limits(x); !same(y, want) {
							t.Fatalf("%s(%v) = %v, want %v", fn.name, x, y, want)
						}
						continue
					}
					want := fn.ref(high.Float(x))
					if want.Sign() == 0 { // the logarithm of 1
						if y != 0 {
							t.Fatalf("%s(%v) = %v, want 0", fn.name, x, y)
						}
						continue
					}
					if e := ulps64(y, want); e > worst {
						worst, at = e, x
					}
				}
			})
			t.Logf("error up to %.3f ulp, at %v", worst, at)
			if worst > fn.bound {
				t.Errorf("%s: error of %.3f ulp at %v, bound %v", fn.name, worst, at, fn.bound)
			}
		})
	}
}

func TestPow64(t *testing.T) {
	need256(t)
	r := rand.New(rand.NewPCG(7, 8))
	sp := special[float64]()
	var x, y, out [8]float64
	var worst float64
	check := func() {
		StoreF64x4(out[:], 0, PowF64x4(LoadF64x4(x[:], 0), LoadF64x4(y[:], 0)))
		StoreF64x4(out[:], 4, PowF64x4(LoadF64x4(x[:], 4), LoadF64x4(y[:], 4)))
		if HasAVX512() {
			var wide [8]float64
			StorePtrF64x8(&wide, PowF64x8(LoadPtrF64x8(&x), LoadPtrF64x8(&y)))
			for k, got := range wide {
				if !same(got, out[k]) {
					t.Fatalf("Pow(%v, %v): %v with 8 lanes, %v with 4", x[k], y[k], got, out[k])
				}
			}
		}
		for k, got := range out {
			want := math.Pow(x[k], y[k])
			if math.IsInf(x[k], 0) || math.IsInf(y[k], 0) || want == 0 || math.IsInf(want, 0) || math.IsNaN(want) || x[k] == 1 || y[k] == 0 {
				if !same(got, want) && !(math.Abs(got) < 1e-322 && want == 0) && !(math.Abs(got) > 1e308 && math.IsInf(want, 0)) {
					t.Fatalf("Pow(%v, %v) = %v, want %v", x[k], y[k], got, want)
				}
				continue
			}
			exact := high.Pow(high.Float(math.Abs(x[k])), high.Float(y[k]))
			if want < 0 {
				exact.Neg(exact)
			}
			e := ulps64(got, exact)
			if worst = max(worst, e); e > 1.5 {
				t.Fatalf("Pow(%v, %v) = %v, want %v, error %.3f ulp", x[k], y[k], got, want, e)
			}
		}
	}
	n := 0
	for _, a := range sp {
		for _, b := range sp {
			x[n], y[n] = a, b
			if n++; n == 8 {
				n = 0
				check()
			}
		}
	}
	for range 200 * effort() {
		for k := range x {
			switch r.IntN(4) {
			case 0:
				x[k], y[k] = math.Float64frombits(r.Uint64()), math.Float64frombits(r.Uint64())
			case 1: // results of all sizes
				x[k] = math.Float64frombits(r.Uint64() >> 1)
				y[k] = r.Float64() * 2100 / math.Log2(x[k])
			case 2:
				x[k], y[k] = r.NormFloat64()*10, float64(r.IntN(400)-200)
			default:
				x[k], y[k] = 1+r.NormFloat64()/100, r.NormFloat64()*10000
			}
		}
		check()
	}
	t.Logf("error up to %.3f ulp", worst)
}
