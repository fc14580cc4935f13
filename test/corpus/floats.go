//go:build compiled

package corpus

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// special returns numbers that are hard for floating point: infinities, both zeros, NaN, subnormal
// ones, and others among them.
func special[T float32 | float64](n int) []T {
	inf, zero := T(math.Inf(1)), T(0)
	hard := []T{zero, -zero, T(math.Copysign(0, -1)), inf, -inf, T(math.NaN()), 1, -1, 0.1, 1e-38, 1e-42, -3e-45, 3e38, -3e38, 0.5, 2.5}
	s := data[T](n)
	for i := range s {
		if h := hash(i + 31); h%3 != 0 {
			s[i] = hard[h/3%uint64(len(hard))]
		}
	}
	return s
}

// Every operator on numbers that are hard.
//
//gocuda:kernel
func floatOps(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	a, b := in[i], in[(i*3+1)%len(in)]
	switch i % 8 {
	case 0:
		out[i] = a + b
	case 1:
		out[i] = a - b
	case 2:
		out[i] = a * b
	case 3:
		out[i] = a / b
	case 4:
		out[i] = -a
	case 5:
		out[i] = a*0 + b
	case 6:
		out[i] = 0 - a
	case 7:
		out[i] = a - a
	}
}

func floatOpsWant(_ grid.Config, in, out []float32) {
	// float64 is wide enough that rounding twice gives the same as rounding once (Figueroa, 1995).
	for i := range in {
		a, b := float64(in[i]), float64(in[(i*3+1)%len(in)])
		out[i] = float32([]float64{a + b, a - b, a * b, a / b, math.Copysign(a, -math.Copysign(1, a)), a*0 + b, 0 - a, a - a}[i%8])
	}
}

// The same without branches, in float64, each result in its own array.
//
//gocuda:kernel
func floatOps64(t *gocuda.Thread, in, sum, product, quotient, negative []float64) {
	i := t.GlobalX()
	a, b := in[i], in[(i*3+1)%len(in)]
	sum[i] = a + b
	product[i] = a * b
	quotient[i] = a / b
	negative[i] = -a
}

// Comparisons: all of them are false with NaN, but !=; the zeros are equal.
//
//gocuda:kernel
func floatCompare(t *gocuda.Thread, in []float32, out []uint32) {
	i := t.GlobalX()
	a, b := in[i], in[(i*5+2)%len(in)]
	r := uint32(0)
	if a < b {
		r |= 1
	}
	if a <= b {
		r |= 2
	}
	if a > b {
		r |= 4
	}
	if a >= b {
		r |= 8
	}
	if a == b {
		r |= 16
	}
	if a != b {
		r |= 32
	}
	if !(a < b) {
		r |= 64
	}
	if !(a >= b) {
		r |= 128
	}
	if a != a || b != b {
		r |= 256
	}
	if !(a > 0 && b > 0) && !(a <= 0 || b <= 0) {
		r |= 512
	}
	if a < 0 == (b < 0) {
		r |= 1024
	}
	if a-b == 0 {
		r |= 2048
	}
	if x := a * 0; x == 0 {
		r |= 4096
	} else if x < 1 || x > 0 {
		r |= 8192
	}
	out[i] = r
}

func floatCompareWant(_ grid.Config, in []float32, out []uint32) {
	for i := range in {
		a, b := in[i], in[(i*5+2)%len(in)]
		nan := func(x float32) bool { return math.Float32bits(x)&0x7fffffff > 0x7f800000 }
		order := func(x float32) int64 { // of numbers that are none of NaN
			if k := int64(math.Float32bits(x) & 0x7fffffff); math.Float32bits(x)>>31 == 1 {
				return -k
			} else {
				return k
			}
		}
		p, q := order(a), order(b)
		finite := func(k int64) bool { return max(k, -k) < 0x7f800000 }
		some := nan(a) || nan(b)
		out[i] = 0
		for k, c := range []bool{
			!some && p < q, !some && p <= q, !some && p > q, !some && p >= q, !some && p == q, some || p != q,
			some || p >= q, some || p < q, some,
			some && (nan(a) || p > 0) && (nan(b) || q > 0),
			(!nan(a) && p < 0) == (!nan(b) && q < 0), !some && p == q && finite(p), finite(p), false,
		} {
			if c {
				out[i] |= 1 << k
			}
		}
	}
}

// The builtins min and max, which know NaN and the sign of zero, and the branches that don't.
//
//gocuda:kernel
func floatMinMax(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	a, b := in[i], in[(i*7+3)%len(in)]
	switch i % 6 {
	case 0:
		out[i] = min(a, b)
	case 1:
		out[i] = max(a, b)
	case 2:
		out[i] = max(min(a, b, 50), -1)
	case 3:
		out[i] = a
		if b < a {
			out[i] = b
		}
	case 4:
		out[i] = float32(math.Max(float64(a), float64(b)))
	case 5:
		out[i] = float32(math.Min(float64(a), float64(b)))
	}
}

func floatMinMaxWant(_ grid.Config, in, out []float32) {
	for i := range in {
		a, b := in[i], in[(i*7+3)%len(in)]
		low := float32(math.Min(float64(a), float64(b)))
		high := float32(math.Max(float64(a), float64(b)))
		if a != a || b != b { // infinities come first in package math, NaN in the builtin
			nan := float32(math.NaN())
			if i%6 < 2 {
				low, high = nan, nan
			}
		}
		switch i % 6 {
		case 0, 5:
			out[i] = low
		case 1, 4:
			out[i] = high
		case 2:
			if a != a || b != b {
				out[i] = float32(math.NaN())
			} else if low > 50 {
				out[i] = 50
			} else if low < -1 {
				out[i] = -1
			} else {
				out[i] = low
			}
		case 3:
			out[i] = a
			if a == a && b == b && a != b && low == b {
				out[i] = b
			}
		}
	}
}

// Conditions on NaN decide loops and what is stored.
//
//gocuda:kernel
func floatNaNControl(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	x := in[i]
	k := float32(0)
	for x < 1000 && k < 20 {
		x = x*2 + 1
		k++
	}
	for !(x <= 10) && k < 60 {
		x /= 3
		k++
	}
	if x == x && !math.IsInf(float64(x), 0) {
		k = -k
	} else if math.IsNaN(float64(x)) {
		k += 0.5
	}
	out[i] = k
}

// Sums of floats are not to be reordered, nor products fused where the source rounds in between.
//
//gocuda:kernel
func floatOrder(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	var sum, product float32 = 0, 1
	for k := range 20 {
		v := in[(i+k*k)%len(in)]
		sum = (sum + v) - 0.3
		product *= 1 + float32(v/100)
	}
	s2 := in[i] + (in[(i+1)%len(in)] + in[(i+2)%len(in)])
	q := in[i]/3*3 - in[i]
	r := float32(in[i]*in[i]) - float32(0.1*in[i])
	out[i] = sum + product + s2 + q + r
}

// A reduction in shared memory, whose order the barriers fix.
//
//gocuda:kernel
func floatReduce(t *gocuda.Thread, in, out []float32) {
	s := gocuda.Shared[float32](t, 1024)
	tid := t.ThreadIdx.X
	s[tid] = in[t.GlobalX()]
	t.SyncThreads()
	for d := t.BlockDim.X / 2; d > 0; d >>= 1 {
		if tid < d {
			s[tid] = s[tid]*0.75 + s[tid+d]
		}
		t.SyncThreads()
	}
	if tid == 0 {
		out[t.BlockIdx.X] = s[0]
	}
}

// The functions of package math that are exact, in both widths.
//
//gocuda:kernel
func mathExact(t *gocuda.Thread, in []float32, out []float32) {
	i := t.GlobalX()
	x := in[i]
	d := float64(x) * 1.25
	var r float32
	switch i % 11 {
	case 0:
		r = float32(math.Sqrt(float64(x)))
	case 1:
		r = float32(math.Floor(float64(x)))
	case 2:
		r = float32(math.Ceil(float64(x)))
	case 3:
		r = float32(math.Trunc(float64(x)))
	case 4:
		r = float32(math.Abs(float64(x)))
	case 5:
		r = float32(math.RoundToEven(float64(x)))
	case 6:
		r = float32(math.Copysign(3.5, float64(x)))
	case 7:
		r = float32(math.Round(d))
	case 8:
		r = float32(math.Sqrt(d)) + float32(math.Floor(d))
	case 9:
		r = 1 / float32(math.Sqrt(float64(x*x)+1))
	case 10:
		r = float32(math.FMA(d, d, -float64(x)))
	}
	out[i] = r
}

// Functions of package math that are not exact; the compiled form must still give the same bits.
//
//gocuda:kernel
func mathFunctions(t *gocuda.Thread, in []float32, out []float32) {
	i := t.GlobalX()
	x := in[i]
	a := float32(math.Abs(float64(x))) + 0.01
	r := float32(math.Exp(float64(x / 40)))
	r += float32(math.Log(float64(a)))
	r += float32(math.Sin(float64(x))) * float32(math.Cos(float64(x)))
	r += float32(math.Pow(float64(a), 0.3)) + float32(math.Tanh(float64(x/10)))
	r += float32(math.Erf(float64(x/50))) + float32(math.Atan2(float64(x), float64(a)+3))
	r += float32(math.Log2(float64(a))) + float32(math.Exp2(float64(x/30))) + float32(math.Hypot(float64(x), 3))
	r += float32(math.Mod(float64(x), 7)) + float32(math.Cbrt(float64(x)))
	out[i] = r
}

// The same in float64, on hard numbers too, with functions of several results.
//
//gocuda:kernel
func mathFunctions64(t *gocuda.Thread, in []float64, out []float64) {
	i := t.GlobalX()
	x := in[i]
	if i%4 == 3 {
		s, c := math.Sincos(x)
		frac, exp := math.Frexp(x)
		whole, part := math.Modf(x)
		out[i] = s - c + frac*float64(exp) + whole/3 - part + math.Ldexp(1, i%40-20)
		return
	}
	r := math.Exp(x/100) + math.Log1p(math.Abs(x)) + math.Sinh(x/100) - math.Asin(math.Sin(x))
	if math.Signbit(x) || x > math.MaxFloat32/2 || x < math.SmallestNonzeroFloat32 {
		r += math.Pi + math.Sqrt2
	}
	out[i] = r + math.Gamma(1+math.Mod(math.Abs(x), 5))
}

// CUDA's Black-Scholes in float32, as every sample writes it.
//
//gocuda:kernel
func blackScholes(t *gocuda.Thread, in []float32, out []float32) {
	i := t.GlobalX()
	s := 20 + float32(math.Abs(float64(in[i])))/4
	x, years := float32(30), float32(1.5)
	const r, v = float32(0.02), float32(0.3)
	root := float32(math.Sqrt(float64(years)))
	d1 := (float32(math.Log(float64(s/x))) + (r+0.5*v*v)*years) / (v * root)
	d2 := d1 - v*root
	expRT := float32(math.Exp(float64(-r * years)))
	out[i] = s*normal(d1) - x*expRT*normal(d2)
}

// normal is the cumulative normal distribution (Abramowitz and Stegun, 26.2.17).
func normal(d float32) float32 {
	const a1, a2, a3, a4, a5 = 0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429
	k := 1 / (1 + 0.2316419*float32(math.Abs(float64(d))))
	c := 0.39894228 * float32(math.Exp(float64(-0.5*d*d))) * (k * (a1 + k*(a2+k*(a3+k*(a4+k*a5)))))
	if d > 0 {
		c = 1 - c
	}
	return c
}

// Complex numbers.
//
//gocuda:kernel
func complexNumbers(t *gocuda.Thread, in []float64, out []float64) {
	i := t.GlobalX()
	z, c := complex(in[i]/100, 0.5), complex(float64(i%5)/7, -0.25)
	for range 6 {
		z = z*z + c
	}
	if z == c {
		z = 0
	}
	w := complex64(z)
	out[i] = real(z) - imag(z) + float64(real(w*w))
}

// A float32 constant is rounded where it meets float32, not before.
//
//gocuda:kernel
func floatConstants(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	const third = 1.0 / 3
	const small float32 = 1e-30
	x := in[i]*third + third*3 - 1
	x += float32(small*small) + 0.1*0.1
	x = x*(math.Pi*math.E) - 16777217 + 2*math.MaxInt32/1e9
	out[i] = x
}

var floatCases = []Case{
	perThreadOf("floatOps", linear, special[float32], floatOps, floatOpsKernel, floatOpsWant),
	made("floatOps64", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in := special[float64](n)
		a, b, c, d := marked[float64](n), marked[float64](n), marked[float64](n), marked[float64](n)
		return func(t *gocuda.Thread) { floatOps64(t, in, a, b, c, d) }, floatOps64Kernel(in, a, b, c, d), []any{a, b, c, d}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		in := special[float64](n)
		a, b, c, d := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for i, x := range in {
			y := in[(i*3+1)%n]
			a[i], b[i], c[i], d[i] = x+y, x*y, x/y, x*-1
		}
		return []any{a, b, c, d}
	}),
	perThreadOf("floatCompare", linear, special[float32], floatCompare, floatCompareKernel, floatCompareWant),
	perThreadOf("floatMinMax", linear, special[float32], floatMinMax, floatMinMaxKernel, floatMinMaxWant),
	perThreadOf("floatNaNControl", linear, special[float32], floatNaNControl, floatNaNControlKernel, nil),
	perThread("floatOrder", linear, floatOrder, floatOrderKernel, nil),
	perThread("floatReduce", powers, floatReduce, floatReduceKernel, func(cfg grid.Config, in, out []float32) {
		for b := range cfg.Blocks() {
			s := append([]float32(nil), in[b*cfg.Threads():(b+1)*cfg.Threads()]...)
			for d := len(s) / 2; d > 0; d /= 2 {
				for i := range d {
					p := s[i] * 0.75
					s[i] = p + s[i+d]
				}
			}
			out[b] = s[0]
		}
	}),
	perThreadOf("mathExact", linear, special[float32], mathExact, mathExactKernel, nil),
	perThread("mathFunctions", linear, mathFunctions, mathFunctionsKernel, nil),
	perThread("mathFunctions64", linear, mathFunctions64, mathFunctions64Kernel, nil),
	perThreadOf("mathFunctions64-special", linear, special[float64], mathFunctions64, mathFunctions64Kernel, nil),
	perThread("blackScholes", linear, blackScholes, blackScholesKernel, nil),
	perThread("complexNumbers", linear, complexNumbers, complexNumbersKernel, nil),
	perThread("floatConstants", linear, floatConstants, floatConstantsKernel, nil),
}
