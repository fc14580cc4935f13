//go:build compiled

package corpus

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// many is how many numbers of each kind the functions are tried with, beside special ones. Under
// the race detector each is a goroutine that shares nothing.
func many() int {
	if raceEnabled {
		return 20
	}
	return 30000
}

// doubles returns numbers of all kinds: those at the limits of the functions, with their
// neighbours, patterns of bits, and ranges.
func doubles() []float64 {
	list := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64, math.MaxFloat64}
	for _, x := range []float64{1, 2, 0.5, 0.25, 0x1p-1022, 0x1p-1074, 0x1p1023, 709.436139303104, 709.782712893384, 745.1332191019411, 745.1332191019412,
		708.3964185322641, 707.7, 710, 1023, 1024, 1023.9999999999999, 1074, 1075, 1022, math.Pi, math.Pi / 2, math.Pi / 4, 3 * math.Pi / 4, 1 << 29, 1<<29 - 1, 0.625,
		44.0148459655565271479942397125, 21, 0.84375, 1.25, 1 / 0.35, 6, 28, 0x1p-28, 0x1p-56, 0x1p-29, 0x1p-54, 0x1p53, math.Sqrt2 - 1, 1 - math.Sqrt2/2, 56 * math.Ln2, math.Ln2 / 2, 1.5 * math.Ln2, 2 * math.Ln2, 19.5 * math.Ln2, 3, 63, 63.5, 1.5, 0.66, 2.41421356237309504880, math.Sqrt2, math.Sqrt2 / 2, math.E, 10, 100, 1e10, 1e-10, 1e300, 1e-300} {
		for _, y := range []float64{x, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1))} {
			list = append(list, y, -y)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range many() {
		list = append(list, math.Float64frombits(rng.Uint64()), 1500*(rng.Float64()-0.5), 4*(rng.Float64()-0.5), math.Ldexp(rng.Float64()-0.5, rng.IntN(64)-20),
			math.Trunc(100*rng.Float64())*math.Pi/4, math.Ldexp(1, rng.IntN(2100)-1075))
	}
	return list
}

// smaller returns the numbers that are smaller than a limit, and NaN: a row with another one is
// plain Go.
func smaller[T float32 | float64](list []T, limit T) (small []T) {
	for _, x := range list {
		if -limit < x && x < limit || x != x {
			small = append(small, x)
		}
	}
	return small
}

// withoutDenormals returns the numbers that are neither denormal nor NaN.
func withoutDenormals(list []float64) (out []float64) {
	for _, x := range list {
		if x == 0 || math.Abs(x) >= 0x1p-1022 {
			out = append(out, x)
		}
	}
	return out
}

func launchLinear(t *testing.T, n int, k gocuda.Kernel) {
	t.Helper()
	require.NoError(t, gocuda.Launch(context.Background(), grid.Config{Grid: grid.Dim3{X: (n + 255) / 256}, Block: grid.Dim3{X: 256}}, k))
}

// Functions of package math have the same bits in kernels without fastmath, whatever the number.
func TestFunctions(t *testing.T) {
	in := doubles()
	for _, f := range []struct {
		name   string
		kernel func(in, out []float64) gocuda.Kernel
		math   func(float64) float64
	}{
		{"Exp", fnExpKernel, math.Exp},
		{"Exp2", fnExp2Kernel, math.Exp2},
		{"Log", fnLogKernel, math.Log},
		{"Log2", fnLog2Kernel, math.Log2},
		{"Log10", fnLog10Kernel, math.Log10},
		{"Sin", fnSinKernel, math.Sin},
		{"Cos", fnCosKernel, math.Cos},
		{"Tan", fnTanKernel, math.Tan},
		{"Tanh", fnTanhKernel, math.Tanh},
		{"Sinh", fnSinhKernel, math.Sinh},
		{"Cosh", fnCoshKernel, math.Cosh},
		{"Atan", fnAtanKernel, math.Atan},
		{"Asin", fnAsinKernel, math.Asin},
		{"Acos", fnAcosKernel, math.Acos},
		{"Erf", fnErfKernel, math.Erf},
		{"Erfc", fnErfcKernel, math.Erfc},
		{"Log1p", fnLog1pKernel, math.Log1p},
		{"Expm1", fnExpm1Kernel, math.Expm1},
		{"Cbrt", fnCbrtKernel, math.Cbrt},
		{"Pow(x, 2.4)", fnGamma24Kernel, func(x float64) float64 { return math.Pow(x, 2.4) }},
	} {
		t.Run(f.name, func(t *testing.T) {
			for _, in := range [][]float64{in, smaller(in, 1<<29), withoutDenormals(smaller(in, 1<<29))} {
				out := make([]float64, len(in))
				launchLinear(t, len(in), f.kernel(in, out))
				for i, x := range in {
					if want := f.math(x); math.Float64bits(out[i]) != math.Float64bits(want) && !(out[i] != out[i] && want != want) {
						require.Failf(t, "differs", "%s(%v) is %v (%#x), want %v (%#x)", f.name, x, out[i], math.Float64bits(out[i]), want, math.Float64bits(want))
					}
				}
			}
		})
	}
	for _, f := range []struct {
		name   string
		kernel func(by int, in, out []float64) gocuda.Kernel
		math   func(x, y float64) float64
	}{{"Atan2", fnAtan2Kernel, math.Atan2}, {"Hypot", fnHypotKernel, math.Hypot}, {"Pow", fnPowKernel, math.Pow}, {"Mod", fnModKernel, math.Mod}} {
		t.Run(f.name, func(t *testing.T) {
			for _, in := range [][]float64{in, smaller(in, 1e100), withoutDenormals(smaller(in, 64)), withoutDenormals(smaller(in, 4))} {
				for _, by := range []int{0, 1, 2, 3, 100, len(in) / 2} { // the first ones are special numbers
					out := make([]float64, len(in))
					launchLinear(t, len(in), f.kernel(by, in, out))
					for i, x := range in {
						y := in[(i+by)%len(in)]
						if want := f.math(x, y); math.Float64bits(out[i]) != math.Float64bits(want) && !(out[i] != out[i] && want != want) {
							require.Failf(t, "differs", "%s(%v, %v) is %v (%#x), want %v (%#x)", f.name, x, y, out[i], math.Float64bits(out[i]), want, math.Float64bits(want))
						}
					}
				}
			}
		})
	}
	// A row with a number whose power is denormal is plain Go: here rows are of numbers that are
	// not, with one special number each.
	var rows []float64
	for _, special := range []float64{1, 0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1e200, -1e200, 1e-200, -1e-200} {
		for _, x := range in {
			if a := math.Abs(x); 1e-40 < a && a < 1e40 {
				rows = append(rows, x)
			}
			if len(rows)%256 == 100 {
				rows = append(rows, special)
			}
		}
	}
	for _, in := range [][]float64{in, rows} {
		var powers [5][]float64
		for k := range powers {
			powers[k] = make([]float64, len(in))
		}
		launchLinear(t, len(in), fnPowersKernel(in, powers[0], powers[1], powers[2], powers[3], powers[4]))
		launchLinear(t, len(in), fnRootsKernel(in, powers[3]))
		for i, x := range in {
			for k, y := range []float64{2, 3, 7, 0.5, -3} {
				if want := math.Pow(x, y); math.Float64bits(powers[k][i]) != math.Float64bits(want) && !(powers[k][i] != powers[k][i] && want != want) {
					require.Failf(t, "differs", "Pow(%v, %v) is %v, want %v", x, y, powers[k][i], want)
				}
			}
		}
	}
}

// ulps returns by how many units in the last place of float32 a result differs from the true one.
func ulps(got float32, want float64) float64 {
	w := float32(want)
	switch {
	case w != w || got != got:
		if w != w && got != got {
			return 0
		}
		return math.Inf(1)
	case got == w:
		return 0
	case math.IsInf(float64(w), 0) || math.IsInf(float64(got), 0):
		if math.Abs(want) < 0x1.ffffffp127 && math.Abs(want) > 0x1.fffff0p127 { // near where float32 ends
			return 0.5
		}
		return math.Inf(1)
	}
	_, e := math.Frexp(want)
	return math.Abs(float64(got)-want) / math.Ldexp(1, max(e, -125)-24)
}

// Quotients and square roots in float32 with fastmath are within 2 ulp for normal divisors below
// 2^125, and as Go has them of zeros, infinities and NaNs; a quotient of a converted divisor is
// exact.
func TestEstimates(t *testing.T) {
	var special []float32
	for _, v := range doubles() {
		special = append(special, float32(v))
	}
	special = append(special, 0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 0x1p-126, 0x1p126)
	rng := rand.New(rand.NewPCG(5, 6))
	for _, normal := range []bool{true, false} {
		n := 1 << 18
		if raceEnabled {
			n = 1 << 9
		}
		x, y := make([]float32, n), make([]float32, n)
		for i := range x {
			x[i], y[i] = math.Float32frombits(rng.Uint32()), math.Float32frombits(rng.Uint32())
			if !normal && i%3 == 0 {
				y[i] = special[rng.IntN(len(special))]
			}
			if !normal && i%5 == 0 {
				x[i] = special[rng.IntN(len(special))]
			}
		}
		var out [7][]float32
		for k := range out {
			out[k] = make([]float32, n)
		}
		launchLinear(t, n, fnEstimatesKernel(x, y, out[0], out[1], out[2], out[3], out[4], out[5], out[6]))
		var worst [7]float64
		for i := range x {
			a, b := float64(x[i]), float64(y[i])
			size := math.Abs(b)
			outside := size != 0 && size < 0x1p-126 || size >= 0x1p125 && !math.IsInf(b, 0)
			for k, want := range []float64{a / b, math.Sqrt(b), 1 / b, a / math.Sqrt(b), 1 / math.Sqrt(b), a / b, a / float64(float32(0.1))} {
				result := math.Abs(want)
				representable := want != want || result == 0 || math.IsInf(want, 0) || result >= 0x1p-126 && result <= math.MaxFloat32
				if k != 5 && (!representable || outside && k != 6) {
					continue
				}
				d := ulps(out[k][i], want)
				if want == 0 && math.Signbit(want) != math.Signbit(float64(out[k][i])) {
					d = math.Inf(1)
				}
				worst[k] = max(worst[k], d)
				require.LessOrEqual(t, d, []float64{2, 2, 2, 2, 2, 0.5, 2}[k], "the result %d of %v and %v is %v, want %v", k, x[i], y[i], out[k][i], want)
			}
		}
		t.Logf("%.3f ulp", worst)
	}
}

// Those of float32 in kernels with fastmath are within the bounds that docs/compiler.md gives.
func TestFastFunctions(t *testing.T) {
	var in []float32
	for _, x := range doubles() {
		in = append(in, float32(x))
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2 * many() {
		in = append(in, math.Float32frombits(rng.Uint32()), 200*(rng.Float32()-0.5), 8*(rng.Float32()-0.5))
	}
	for _, f := range []struct {
		name   string
		kernel func(in, out []float32) gocuda.Kernel
		math   func(float64) float64
		most   float64
	}{
		{"Exp", fnExpfKernel, math.Exp, 1},
		{"Exp2", fnExp2fKernel, math.Exp2, 1},
		{"Log", fnLogfKernel, math.Log, 1},
		{"Log2", fnLog2fKernel, math.Log2, 1},
		{"Log10", fnLog10fKernel, math.Log10, 2},
		{"Sin", fnSinfKernel, math.Sin, 1},
		{"Cos", fnCosfKernel, math.Cos, 1},
		{"Tan", fnTanfKernel, math.Tan, 2.6},
		{"Tanh", fnTanhfKernel, math.Tanh, 1.5},
		{"Erf", fnErffKernel, math.Erf, 1.2},
		{"Erfc", fnErfcfKernel, math.Erfc, 4.4},
	} {
		t.Run(f.name, func(t *testing.T) {
			worst, at := 0.0, float32(0)
			for _, in := range [][]float32{in, smaller(in, 1<<17)} {
				out := make([]float32, len(in))
				launchLinear(t, len(in), f.kernel(in, out))
				for i, x := range in {
					if d := ulps(out[i], f.math(float64(x))); !(d <= worst) {
						worst, at = d, x
					}
				}
			}
			t.Logf("%s: %.3f ulp, at %v", f.name, worst, at)
			assert.LessOrEqual(t, worst, f.most, "at %v", at)
		})
	}
	in = append(in, smaller(in, math.MaxFloat32)...)
	x, y := make([]float32, len(in)), make([]float32, len(in))
	for i, v := range in {
		x[i], y[i] = v, in[rng.IntN(len(in))]
		if i%2 == 0 || i > len(in)/2 {
			y[i] = float32(rng.IntN(21) - 10)
		}
	}
	out := make([]float32, len(in))
	launchLinear(t, len(in), fnPowfKernel(x, y, out))
	var few [4][]float32
	for k := range few {
		few[k] = make([]float32, len(in))
	}
	launchLinear(t, len(in), fnFewPowersKernel(x, few[0], few[1], few[2], few[3]))
	for i := range out {
		for k, y := range []float64{2, 4, -1, -0.5} {
			want := math.Pow(float64(x[i]), y)
			if math.Abs(want) < 0x1p-126 && want != 0 || want == 0 && x[i] != 0 {
				continue // denormal
			}
			require.LessOrEqual(t, ulps(few[k][i], want), 2., "Pow(%v, %v) is %v, want %v", x[i], y, few[k][i], want)
		}
		want := math.Pow(float64(x[i]), float64(y[i]))
		require.LessOrEqual(t, ulps(out[i], want), 0.6, "Pow(%v, %v) is %v, want %v", x[i], y[i], out[i], want)
	}
}

func TestPairsAndBits(t *testing.T) {
	x := doubles()
	n := len(x)
	rng := rand.New(rand.NewPCG(5, 6))
	y := make([]float64, n)
	for i := range y {
		y[i] = x[rng.IntN(n)]
		if i%3 == 0 {
			y[i] = x[rng.IntN(7)]
		}
	}
	var out [4][]float64
	for k := range out {
		out[k] = make([]float64, n)
	}
	kinds := make([]int32, n)
	launchLinear(t, n, fnPairsKernel(x, y, out[0], out[1], out[2], out[3], kinds))
	for i, a := range x {
		b := y[i]
		for k, want := range []float64{math.Max(a, b), math.Min(a, b), math.Copysign(a, b), math.FMA(a, b, a)} {
			same := math.Float64bits(out[k][i]) == math.Float64bits(want) || want != want && out[k][i] != out[k][i]
			require.True(t, same, "function %d of %v and %v is %v, want %v", k, a, b, out[k][i], want)
		}
		want := int32(0)
		for k, is := range []bool{a != a, a > math.MaxFloat64 || a < -math.MaxFloat64, a > math.MaxFloat64, a < -math.MaxFloat64, math.Float64bits(a)>>63 == 1} {
			if is {
				want |= 1 << k
			}
		}
		require.Equal(t, want, kinds[i], "%v", a)
	}

	words, long, by := make([]uint32, n), make([]uint64, n), make([]int32, n)
	for i := range words {
		words[i], long[i], by[i] = rng.Uint32()>>rng.IntN(33), rng.Uint64()<<rng.IntN(65)>>rng.IntN(33), int32(rng.IntN(200)-100)
	}
	counts, counts64 := make([]int32, n), make([]int64, n)
	var w [4][]uint32
	var l [3][]uint64
	for k := range w {
		w[k] = make([]uint32, n)
	}
	for k := range l {
		l[k] = make([]uint64, n)
	}
	launchLinear(t, n, fnBitsKernel(words, by, counts, w[0], w[1], w[2], w[3]))
	launchLinear(t, n, fnBits64Kernel(long, counts64, l[0], l[1], l[2]))
	for i, v := range words {
		require.Equal(t, int32(bits.OnesCount32(v)+100*bits.LeadingZeros32(v)+10000*bits.TrailingZeros32(v)+1000000*bits.Len32(v)), counts[i], "%#x", v)
		require.Equal(t, []uint32{bits.Reverse32(v), bits.ReverseBytes32(v), bits.RotateLeft32(v, -13), bits.RotateLeft32(v, int(by[i]))},
			[]uint32{w[0][i], w[1][i], w[2][i], w[3][i]}, "%#x", v)
		u := long[i]
		require.Equal(t, int64(bits.OnesCount64(u)+100*bits.LeadingZeros64(u)+10000*bits.TrailingZeros64(u)+1000000*bits.Len64(u)), counts64[i], "%#x", u)
		require.Equal(t, []uint64{bits.Reverse64(u), bits.ReverseBytes64(u), bits.RotateLeft64(u, 29)}, []uint64{l[0][i], l[1][i], l[2][i]}, "%#x", u)
	}
}
