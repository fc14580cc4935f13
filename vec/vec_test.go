//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"
)

// The tests of gen_test.go hand each function of the package, wrapped to work
// on slices, to the helpers of this file, which compare it with scalar Go.

func need256(t testing.TB) {
	t.Helper()
	if !HasAVX2() {
		t.Skip("this machine has no AVX2")
	}
}

func need512(t testing.TB) {
	t.Helper()
	if !HasAVX512() {
		t.Skip("this machine has no AVX-512")
	}
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type float interface{ float32 | float64 }

type number interface{ integer | float }

func addRef[E number](a, b E) E     { return a + b }
func subRef[E number](a, b E) E     { return a - b }
func mulRef[E number](a, b E) E     { return a * b }
func divRef[E number](a, b E) E     { return a / b }
func remRef[E integer](a, b E) E    { return a % b }
func andRef[E integer](a, b E) E    { return a & b }
func orRef[E integer](a, b E) E     { return a | b }
func xorRef[E integer](a, b E) E    { return a ^ b }
func andNotRef[E integer](a, b E) E { return a &^ b }
func minRef[E number](a, b E) E     { return min(a, b) }
func maxRef[E number](a, b E) E     { return max(a, b) }
func notRef[E integer](a E) E       { return ^a }
func negRef[E number](a E) E        { return -a }

func eq[E number](a, b E) bool { return a == b }
func ne[E number](a, b E) bool { return a != b }
func lt[E number](a, b E) bool { return a < b }
func le[E number](a, b E) bool { return a <= b }
func gt[E number](a, b E) bool { return a > b }
func ge[E number](a, b E) bool { return a >= b }

func shl[E integer](a E, n uint) E    { return a << n }
func shr[E integer](a E, n uint) E    { return a >> n }
func shlV[E, U integer](a E, n U) E   { return a << n }
func shrV[E, U integer](a E, n U) E   { return a >> n }
func isFloat[E number]() bool         { return E(1)/2 != 0 }
func width[E number]() uint           { return uint(unsafe.Sizeof(E(0))) * 8 }
func rng(seed string) *rand.Rand      { return rand.New(rand.NewPCG(uint64(len(seed)), 0x9e3779b97f4a7c15)) }
func allLanes(n int) Mask             { return Mask(1)<<n - 1 }
func bitsOf[E number](x E) (u uint64) { return reflect64(reflect.ValueOf(x)) }
func randMask(r *rand.Rand, n int) Mask {
	return []Mask{0, allLanes(n), Mask(r.Uint32()), Mask(r.Uint32()), 1 << r.IntN(n)}[r.IntN(5)]
}
func same[E number](a, b E) bool        { return bitsOf(a) == bitsOf(b) || a != a && b != b }
func fromBits[E number](u uint64) (x E) { return *(*E)(unsafe.Pointer(&u)) }

func reflect64(v reflect.Value) uint64 {
	switch {
	case v.Kind() == reflect.Float32:
		return uint64(math.Float32bits(float32(v.Float())))
	case v.CanFloat():
		return math.Float64bits(v.Float())
	case v.CanInt():
		return uint64(v.Int())
	}
	return v.Uint()
}

// special has the numbers at which things go wrong.
func special[E number]() []E {
	w := width[E]()
	var s []E
	if isFloat[E]() {
		for _, x := range []float64{
			0, 1, 2, 3, 0.5, 1.5, 2.5, 0.49999997, 1e-3, 100, 255, 256, 32767, 32768, 65535.9, 1e5,
			1<<23 - 0.5, 1 << 24, 1<<31 - 1, 1 << 31, 1<<31 + 256, 1<<32 - 1, 1 << 32, 1<<32 + 512, 1<<40 + 1<<20,
			1<<52 - 0.5, 1 << 53, 1<<63 - 1024, 1 << 63, 1<<63 + 2048, 1<<64 - 2048, 1 << 64, 1e30, 3e38, 1e-38, 1e-40, 1e-45,
			math.MaxFloat32, math.SmallestNonzeroFloat32, 1e300, 1e-308, 1e-310, 5e-324, math.MaxFloat64,
			math.Inf(1), math.NaN(),
		} {
			s = append(s, E(x), E(-x))
		}
		var zero E
		s = append(s, -zero, E(math.Copysign(0, -1)))
		if w == 32 {
			s = append(s, fromBits[E](0xffc00001), fromBits[E](0x7fc00000))
		}
		return s
	}
	for _, u := range []uint64{0, 1, 2, 3, 7, 8, 10, 100, 127, 128, 255} {
		s = append(s, E(u), -E(u))
	}
	for k := range w {
		u := uint64(1) << k
		s = append(s, E(u), E(u-1), E(u+1), E(-u))
	}
	return s
}

// random fills a slice with numbers of all sizes.
func random[E number](r *rand.Rand, s []E, sp []E) []E {
	for i := range s {
		u := r.Uint64()
		switch r.IntN(4) {
		case 0:
			s[i] = sp[r.IntN(len(sp))]
		case 1:
			s[i] = fromBits[E](u)
		case 2: // whole and smallish
			s[i] = E(int8(u))
		default:
			if isFloat[E]() {
				s[i] = E(math.Ldexp(r.Float64()-0.5, r.IntN(80)-20))
			} else {
				s[i] = fromBits[E](u >> r.IntN(int(width[E]())))
			}
		}
	}
	return s
}

const rounds = 400

// inputs calls f with vectors of numbers: all special ones with all, then random.
func inputs[E number](name string, n int, f func(r *rand.Rand, a, b []E)) {
	r := rng(name)
	sp := special[E]()
	a, b := make([]E, n), make([]E, n)
	for _, x := range sp {
		for i := 0; i < len(sp); i += n {
			for k := range n {
				a[k], b[k] = x, sp[(i+k)%len(sp)]
			}
			f(r, a, b)
		}
	}
	for range rounds {
		f(r, random(r, a, sp), random(r, b, sp))
	}
}

func unary[E number](t *testing.T, name string, n int, f func(r, a []E), ref func(E) E) {
	t.Helper()
	convert(t, name, n, f, ref)
}

func convert[E, R number](t *testing.T, name string, n int, f func(r []R, a []E), ref func(E) R) {
	t.Helper()
	got := make([]R, n)
	inputs(name, n, func(_ *rand.Rand, _, a []E) {
		f(got, a)
		for k, x := range a {
			if want := ref(x); !same(got[k], want) {
				t.Fatalf("%s(%v %#x), lane %d: %v %#x, want %v %#x", name, x, bitsOf(x), k, got[k], bitsOf(got[k]), want, bitsOf(want))
			}
		}
	})
}

func binary[E number](t *testing.T, name string, n int, f func(r, a, b []E), ref func(a, b E) E) {
	t.Helper()
	got := make([]E, n)
	inputs(name, n, func(_ *rand.Rand, a, b []E) {
		f(got, a, b)
		for k := range got {
			if want := ref(a[k], b[k]); !same(got[k], want) {
				t.Fatalf("%s(%v, %v), lane %d: %v, want %v", name, a[k], b[k], k, got[k], want)
			}
		}
	})
}

func fused[E float](t *testing.T, name string, n int, f func(r, a, b, c []E)) {
	t.Helper()
	got, c := make([]E, n), make([]E, n)
	inputs(name, n, func(r *rand.Rand, a, b []E) {
		random(r, c, special[E]())
		if r.IntN(2) == 0 { // cancel
			for k := range c {
				c[k] = -a[k] * b[k]
			}
		}
		f(got, a, b, c)
		for k := range got {
			if want := fmaRef(a[k], b[k], c[k]); !same(got[k], want) {
				t.Fatalf("%s(%v, %v, %v), lane %d: %v, want %v", name, a[k], b[k], c[k], k, got[k], want)
			}
		}
	})
}

func fmaRef[E float](a, b, c E) E {
	x, y, z := float64(a), float64(b), float64(c)
	r := math.FMA(x, y, z)
	if width[E]() == 64 || math.IsInf(r, 0) || math.IsNaN(r) || r == 0 {
		return E(r)
	}
	// Rounding to float64 and then to float32 would round twice.
	s := new(big.Float).SetPrec(2000).SetFloat64(x)
	s.Mul(s, new(big.Float).SetFloat64(y))
	s.Add(s, new(big.Float).SetFloat64(z))
	r32, _ := s.Float32()
	return E(r32)
}

func compare[E number](t *testing.T, name string, n int, f func(a, b []E) Mask, ref func(a, b E) bool) {
	t.Helper()
	inputs(name, n, func(_ *rand.Rand, a, b []E) {
		var want Mask
		for k := range a {
			if ref(a[k], b[k]) {
				want |= 1 << k
			}
		}
		if got := f(a, b); got != want {
			t.Fatalf("%s(%v, %v) = %b, want %b", name, a, b, got, want)
		}
	})
}

func shift[E integer](t *testing.T, name string, n int, f func(r, a []E, n uint), ref func(a E, n uint) E) {
	t.Helper()
	got := make([]E, n)
	counts := []uint{127, 128, 255, 256, 257, 300, 1 << 32, 1<<32 + 1, 1 << 63, math.MaxUint}
	for c := range width[E]() + 4 {
		counts = append(counts, c)
	}
	inputs(name, n, func(r *rand.Rand, _, a []E) {
		c := counts[r.IntN(len(counts))]
		f(got, a, c)
		for k := range got {
			if want := ref(a[k], c); got[k] != want {
				t.Fatalf("%s(%v, %v), lane %d: %v, want %v", name, a[k], c, k, got[k], want)
			}
		}
	})
}

func shiftV[E, U integer](t *testing.T, name string, n int, f func(r, a []E, n []U), ref func(a E, n U) E) {
	t.Helper()
	got, c := make([]E, n), make([]U, n)
	inputs(name, n, func(r *rand.Rand, _, a []E) {
		for k := range c {
			c[k] = U(r.UintN(width[E]() + 4))
			if r.IntN(8) == 0 {
				c[k] = U(r.Uint64())
			}
		}
		f(got, a, c)
		for k := range got {
			if want := ref(a[k], c[k]); got[k] != want {
				t.Fatalf("%s(%v, %v), lane %d: %v, want %v", name, a[k], c[k], k, got[k], want)
			}
		}
	})
}

func divide[E integer](t *testing.T, name string, n int, f func(r, a, b []E, m Mask), ref func(a, b E) E) {
	t.Helper()
	got := make([]E, n)
	inputs(name, n, func(r *rand.Rand, a, b []E) {
		m := randMask(r, n)
		for k := range b {
			if b[k] == 0 {
				m &^= 1 << k
			}
		}
		f(got, a, b, m)
		for k := range got {
			var want E
			if m>>k&1 == 1 {
				want = ref(a[k], b[k])
			}
			if got[k] != want {
				t.Fatalf("%s(%v, %v, %b), lane %d: %v, want %v", name, a[k], b[k], m, k, got[k], want)
			}
		}
	})
}

func foldBits[E integer](t *testing.T, name string, n int, and, or, xor func(x []E) E) {
	t.Helper()
	all, some, odd := make([]E, n), make([]E, n), make([]E, n)
	r := rng("fold" + name)
	for range 20 * rounds {
		common := E(r.Uint64())
		wantAnd, wantOr, wantXor := ^E(0), E(0), E(0)
		for k := range n {
			all[k], some[k], odd[k] = E(r.Uint64())|common, E(r.Uint64())&common, E(r.Uint64())
			wantAnd, wantOr, wantXor = wantAnd&all[k], wantOr|some[k], wantXor^odd[k]
		}
		if got := and(all); got != wantAnd {
			t.Fatalf("ReduceAnd%s(%v) = %v, want %v", name, all, got, wantAnd)
		}
		if got := or(some); got != wantOr {
			t.Fatalf("ReduceOr%s(%v) = %v, want %v", name, some, got, wantOr)
		}
		if got := xor(odd); got != wantXor {
			t.Fatalf("ReduceXor%s(%v) = %v, want %v", name, odd, got, wantXor)
		}
	}
}

func inRange[E integer](t *testing.T, name string, n int, f func(x []E, n int, m Mask) bool) {
	t.Helper()
	x := make([]E, n)
	r := rng(name)
	sp := special[E]()
	for range 20 * rounds {
		length := []int{0, 1, 100, r.IntN(200), 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, math.MaxInt}[r.IntN(9)]
		for k := range x {
			x[k] = E(r.Uint64()) % 100
			if r.IntN(16) == 0 {
				x[k] = sp[r.IntN(len(sp))]
			}
		}
		m := randMask(r, n)
		want := true
		for k := range x {
			if m>>k&1 == 1 && (x[k] < 0 || uint64(x[k]) >= uint64(length)) {
				want = false
			}
		}
		if got := f(x, length, m); got != want {
			t.Fatalf("%s(%v, %v, %b) = %v, want %v", name, x, length, m, got, want)
		}
	}
}

func permute[E number](t *testing.T, name string, n int, f func(r, a []E, x []uint32)) {
	t.Helper()
	got, x := make([]E, n), make([]uint32, n)
	inputs(name, n, func(r *rand.Rand, _, a []E) {
		for k := range x {
			x[k] = r.Uint32()
		}
		f(got, a, x)
		for k := range got {
			if want := a[x[k]%uint32(n)]; !same(got[k], want) {
				t.Fatalf("%s(%v, %v), lane %d: %v, want %v", name, a, x, k, got[k], want)
			}
		}
	})
}

type lane[E number] struct {
	name     string
	n        int
	splat    func(r []E, x E)
	iota     func(r []E, x, d E)
	iota1    func(r []E, x E)
	lane     func(a []E, k int) E
	arrays   func(r, a []E)
	sum      func(a []E) E
	min, max func(a []E) E
	sel      func(r []E, m Mask, a, b []E)
}

func lanes[E number](t *testing.T, f lane[E]) {
	t.Helper()
	got := make([]E, f.n)
	check := func(what string, want func(k int) E) {
		t.Helper()
		for k := range got {
			if w := want(k); !same(got[k], w) {
				t.Fatalf("%s%s, lane %d: %v, want %v", what, f.name, k, got[k], w)
			}
		}
	}
	inputs(f.name, f.n, func(r *rand.Rand, a, b []E) {
		x, d := a[0], b[0]
		f.splat(got, x)
		check("Splat", func(k int) E { return x })
		f.iota(got, x, d)
		check("Iota", func(k int) E { p := E(k) * d; return x + p })
		f.iota1(got, x)
		check("Iota", func(k int) E { return x + E(k) })
		f.arrays(got, a)
		check("ToArray", func(k int) E { return a[k] })
		k := r.IntN(f.n)
		if got := f.lane(a, k+3*f.n); !same(got, a[k]) {
			t.Fatalf("Lane%s(%v, %d) = %v", f.name, a, k, got)
		}
		m := randMask(r, f.n)
		f.sel(got, m, a, b)
		check("Select", func(k int) E {
			if m>>k&1 == 1 {
				return a[k]
			}
			return b[k]
		})
		sum := append([]E(nil), b...)
		lo, hi := b[0], b[0]
		for _, x := range b {
			lo, hi = min(lo, x), max(hi, x)
		}
		for h := f.n / 2; h > 0; h /= 2 {
			for k := range h {
				sum[k] += sum[k+h]
			}
		}
		if got := f.sum(b); !same(got, sum[0]) {
			t.Fatalf("ReduceAdd%s(%v) = %v, want %v", f.name, b, got, sum[0])
		}
		if got := f.min(b); !same(got, lo) {
			t.Fatalf("ReduceMin%s(%v) = %v, want %v", f.name, b, got, lo)
		}
		if got := f.max(b); !same(got, hi) {
			t.Fatalf("ReduceMax%s(%v) = %v, want %v", f.name, b, got, hi)
		}
	})
}
