package device_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// The special values of C99, Annex F (ISO/IEC 9899:1999, F.9), which CUDA follows, and what the
// CUDA Math API Reference says where C has no such function.

var (
	inf64  = math.Inf(1)
	nan64  = math.NaN()
	minus0 = math.Copysign(0, -1)
)

// same64 reports whether got is want, with the sign of zeros; any NaN is the same as another.
func same64(got, want float64) bool {
	if want != want {
		return got != got
	}
	return math.Float64bits(got) == math.Float64bits(want)
}

func TestSpecial64(t *testing.T) {
	const pi = math.Pi
	for _, c := range []struct {
		name string
		f    func(float64) float64
		io   []float64 // argument, result, argument, result, ...
	}{
		{"Sin", device.Sin, []float64{0, 0, minus0, minus0, inf64, nan64, -inf64, nan64, least64, least64}},
		{"Cos", device.Cos, []float64{0, 1, minus0, 1, inf64, nan64, -inf64, nan64}},
		{"Tan", device.Tan, []float64{0, 0, minus0, minus0, inf64, nan64, -inf64, nan64, -least64, -least64}},
		{"Sinpi", device.Sinpi, []float64{0, 0, minus0, minus0, 1, 0, -1, minus0, 2, 0, -2, minus0, 0.5, 1, 1.5, -1, 1e300, 0, -1e300, minus0, inf64, nan64, -inf64, nan64, 0x1p52 + 1, 0}},
		{"Cospi", device.Cospi, []float64{0, 1, minus0, 1, 0.5, 0, -0.5, 0, 1.5, 0, 1, -1, 1e300, 1, 0x1p52 + 1, -1, 0x1p53, 1, inf64, nan64, -inf64, nan64}},
		{"Asin", device.Asin, []float64{0, 0, minus0, minus0, 1, pi / 2, -1, -pi / 2, 1.1, nan64, inf64, nan64, -inf64, nan64, least64, least64}},
		{"Acos", device.Acos, []float64{1, 0, -1, pi, 0, pi / 2, -1.1, nan64, inf64, nan64}},
		{"Atan", device.Atan, []float64{0, 0, minus0, minus0, inf64, pi / 2, -inf64, -pi / 2, least64, least64}},
		{"Sinh", device.Sinh, []float64{0, 0, minus0, minus0, inf64, inf64, -inf64, -inf64, -1000, -inf64}},
		{"Cosh", device.Cosh, []float64{0, 1, minus0, 1, inf64, inf64, -inf64, inf64, -1000, inf64}},
		{"Tanh", device.Tanh, []float64{0, 0, minus0, minus0, inf64, 1, -inf64, -1}},
		{"Asinh", device.Asinh, []float64{0, 0, minus0, minus0, inf64, inf64, -inf64, -inf64}},
		{"Acosh", device.Acosh, []float64{1, 0, 0.5, nan64, -inf64, nan64, inf64, inf64}},
		{"Atanh", device.Atanh, []float64{0, 0, minus0, minus0, 1, inf64, -1, -inf64, 2, nan64, -2, nan64, inf64, nan64}},
		{"Exp", device.Exp, []float64{0, 1, minus0, 1, inf64, inf64, -inf64, 0, 1000, inf64, -1000, 0}},
		{"Exp2", device.Exp2, []float64{0, 1, minus0, 1, inf64, inf64, -inf64, 0, 10, 1024, -1074, least64, 1023, 0x1p1023}},
		{"Exp10", device.Exp10, []float64{0, 1, minus0, 1, inf64, inf64, -inf64, 0, 3, 1000, 22, 1e22, -2, 0.01}},
		{"Expm1", device.Expm1, []float64{0, 0, minus0, minus0, inf64, inf64, -inf64, -1}},
		{"Log", device.Log, []float64{0, -inf64, minus0, -inf64, 1, 0, -1, nan64, inf64, inf64, -inf64, nan64}},
		{"Log2", device.Log2, []float64{0, -inf64, minus0, -inf64, 1, 0, -1, nan64, inf64, inf64, -inf64, nan64, 8, 3, least64, -1074}},
		{"Log10", device.Log10, []float64{0, -inf64, minus0, -inf64, 1, 0, -1, nan64, inf64, inf64, -inf64, nan64, 1000, 3, 1e22, 22}},
		{"Log1p", device.Log1p, []float64{0, 0, minus0, minus0, -1, -inf64, -2, nan64, inf64, inf64, -inf64, nan64}},
		{"Sqrt", device.Sqrt, []float64{0, 0, minus0, minus0, -1, nan64, inf64, inf64}},
		{"Rsqrt", device.Rsqrt, []float64{0, inf64, minus0, -inf64, inf64, 0, -1, nan64, 4, 0.5}},
		{"Cbrt", device.Cbrt, []float64{0, 0, minus0, minus0, inf64, inf64, -inf64, -inf64, -27, -3}},
		{"Rcbrt", device.Rcbrt, []float64{0, inf64, minus0, -inf64, inf64, 0, -inf64, minus0, -8, -0.5}},
		{"Erf", device.Erf, []float64{0, 0, minus0, minus0, inf64, 1, -inf64, -1}},
		{"Erfc", device.Erfc, []float64{0, 1, inf64, 0, -inf64, 2}},
		{"Erfcx", device.Erfcx, []float64{0, 1, inf64, 0, -inf64, inf64}},
		{"Erfinv", device.Erfinv, []float64{0, 0, minus0, minus0, 1, inf64, -1, -inf64, 1.5, nan64, -1.5, nan64}},
		{"Erfcinv", device.Erfcinv, []float64{0, inf64, minus0, inf64, 1, 0, 2, -inf64, 2.5, nan64, -1, nan64}},
		{"Normcdf", device.Normcdf, []float64{0, 0.5, inf64, 1, -inf64, 0}},
		{"Normcdfinv", device.Normcdfinv, []float64{0, -inf64, minus0, -inf64, 0.5, 0, 1, inf64, 1.5, nan64, -1, nan64}},
		{"Tgamma", device.Tgamma, []float64{0, inf64, minus0, -inf64, -1, nan64, -200, nan64, inf64, inf64, -inf64, nan64, 5, 24, -190.5, minus0, -191.5, 0, 200, inf64, 1, 1, 2, 1}},
		{"Lgamma", device.Lgamma, []float64{1, 0, 2, 0, 0, inf64, minus0, inf64, -3, inf64, inf64, inf64, -inf64, inf64, most64, inf64}},
		{"J0", device.J0, []float64{0, 1, inf64, 0, -inf64, 0}},
		{"J1", device.J1, []float64{0, 0, minus0, minus0, inf64, 0, -inf64, minus0}},
		{"Y0", device.Y0, []float64{0, -inf64, minus0, -inf64, inf64, 0, -1, nan64, -inf64, nan64}},
		{"Y1", device.Y1, []float64{0, -inf64, minus0, -inf64, inf64, 0, -1, nan64, -inf64, nan64}},
		{"CylBesselI0", device.CylBesselI0, []float64{0, 1, inf64, inf64, -inf64, inf64}},
		{"CylBesselI1", device.CylBesselI1, []float64{0, 0, minus0, minus0, inf64, inf64, -inf64, -inf64}},
		{"Ceil", device.Ceil, []float64{0, 0, minus0, minus0, inf64, inf64, -inf64, -inf64, -0.5, minus0}},
		{"Floor", device.Floor, []float64{0, 0, minus0, minus0, inf64, inf64, -inf64, -inf64}},
		{"Trunc", device.Trunc, []float64{0, 0, minus0, minus0, inf64, inf64, -inf64, -inf64, -0.5, minus0}},
		{"Rint", device.Rint, []float64{0, 0, minus0, minus0, inf64, inf64, -inf64, -inf64, -0.5, minus0}},
		{"Nearbyint", device.Nearbyint, []float64{minus0, minus0, inf64, inf64}},
		{"Round", device.Round, []float64{0, 0, minus0, minus0, inf64, inf64, -inf64, -inf64, -0.25, minus0}},
		{"Logb", device.Logb, []float64{0, -inf64, minus0, -inf64, inf64, inf64, -inf64, inf64, 1, 0, least64, -1074}},
		{"Fabs", device.Fabs, []float64{minus0, 0, -inf64, inf64, -2, 2}},
	} {
		for i := 0; i < len(c.io); i += 2 {
			if got := c.f(c.io[i]); !same64(got, c.io[i+1]) {
				t.Errorf("%s(%g) = %g, want %g", c.name, c.io[i], got, c.io[i+1])
			}
		}
		if got := c.f(nan64); got == got {
			t.Errorf("%s(NaN) = %g", c.name, got)
		}
	}
}

func TestSpecialOfTwo64(t *testing.T) {
	const pi = math.Pi
	type row [3]float64
	any := []float64{0, minus0, 1, -1, 0.5, -3, inf64, -inf64, nan64}
	pow := []row{{0, -3, inf64}, {minus0, -3, -inf64}, {0, -2, inf64}, {minus0, -2, inf64}, {minus0, -2.5, inf64}, {0, -inf64, inf64}, {minus0, -inf64, inf64},
		{0, 3, 0}, {minus0, 3, minus0}, {0, 2, 0}, {minus0, 2, 0}, {minus0, 2.5, 0}, {minus0, inf64, 0}, {-1, inf64, 1}, {-1, -inf64, 1},
		{-2, 0.5, nan64}, {-inf64, 0.5, inf64}, {0.5, -inf64, inf64}, {-0.5, -inf64, inf64}, {2, -inf64, 0}, {-2, -inf64, 0}, {0.5, inf64, 0}, {-0.5, inf64, 0}, {2, inf64, inf64}, {-2, inf64, inf64},
		{-inf64, -3, minus0}, {-inf64, -2, 0}, {-inf64, -2.5, 0}, {-inf64, 3, -inf64}, {-inf64, 2, inf64}, {-inf64, 2.5, inf64}, {inf64, -1, 0}, {inf64, 1, inf64},
		{nan64, 1, nan64}, {2, nan64, nan64}, {-2, 0x1p53, inf64}, {-1, 0x1p53, 1}, {-1, 0x1p53 - 1, -1}, {-1, 3, -1}, {-10, 309, -inf64}, {-10, 310, inf64}, {-0.1, 333, minus0}, {-0.1, 334, 0}}
	for _, x := range any {
		pow = append(pow, row{x, 0, 1}, row{x, minus0, 1}, row{1, x, 1})
	}
	fmax := []row{{1, 2, 2}, {0, minus0, 0}, {minus0, 0, 0}, {nan64, 1, 1}, {1, nan64, 1}, {nan64, nan64, nan64}, {-inf64, nan64, -inf64}, {inf64, 1, inf64}, {minus0, minus0, minus0}}
	fmin := []row{{1, 2, 1}, {0, minus0, minus0}, {minus0, 0, minus0}, {nan64, 1, 1}, {1, nan64, 1}, {nan64, nan64, nan64}, {inf64, nan64, inf64}, {-inf64, 1, -inf64}}
	for _, c := range []struct {
		name string
		f    func(x, y float64) float64
		rows []row
	}{
		{"Pow", device.Pow, pow},
		{"Fmax", device.Fmax, fmax},
		{"Fmin", device.Fmin, fmin},
		{"Atan2", device.Atan2, []row{{0, -1, pi}, {minus0, -1, -pi}, {0, minus0, pi}, {minus0, minus0, -pi}, {0, 0, 0}, {minus0, 0, minus0}, {0, 1, 0}, {minus0, 1, minus0},
			{-1, 0, -pi / 2}, {-1, minus0, -pi / 2}, {1, 0, pi / 2}, {1, -inf64, pi}, {-1, -inf64, -pi}, {1, inf64, 0}, {-1, inf64, minus0}, {inf64, 2, pi / 2}, {-inf64, 2, -pi / 2},
			{inf64, -inf64, 3 * pi / 4}, {-inf64, -inf64, -3 * pi / 4}, {inf64, inf64, pi / 4}, {-inf64, inf64, -pi / 4}, {nan64, 1, nan64}, {1, nan64, nan64}, {least64, most64, 0}}},
		{"Hypot", device.Hypot, []row{{inf64, nan64, inf64}, {nan64, -inf64, inf64}, {nan64, 1, nan64}, {1, nan64, nan64}, {minus0, minus0, 0}, {-3, 4, 5}, {0, -7, 7}}},
		{"Rhypot", device.Rhypot, []row{{inf64, nan64, 0}, {nan64, -inf64, 0}, {nan64, 1, nan64}, {nan64, 0, nan64}, {minus0, 0, inf64}, {3, 4, 0.2}}},
		{"Fmod", device.Fmod, []row{{0, 1, 0}, {minus0, 1, minus0}, {inf64, 1, nan64}, {1, 0, nan64}, {1, minus0, nan64}, {1, inf64, 1}, {-1, -inf64, -1}, {nan64, 1, nan64}, {1, nan64, nan64}, {-4, 2, minus0}, {4, -2, 0}, {inf64, inf64, nan64}}},
		{"Remainder", device.Remainder, []row{{0, 1, 0}, {minus0, 1, minus0}, {inf64, 1, nan64}, {1, 0, nan64}, {1, inf64, 1}, {most64, inf64, most64}, {-1, -inf64, -1}, {nan64, 1, nan64}, {1, nan64, nan64}, {-4, 2, minus0}, {4, 2, 0}, {3, 2, -1}, {5, 2, 1}}},
		{"Copysign", device.Copysign, []row{{1, minus0, -1}, {-inf64, 1, inf64}, {0, -1, minus0}}},
		{"Fdim", device.Fdim, []row{{3, 1, 2}, {1, 3, 0}, {inf64, inf64, 0}, {-inf64, -inf64, 0}, {inf64, -inf64, inf64}, {-inf64, inf64, 0}, {nan64, 1, nan64}, {1, nan64, nan64}, {minus0, 0, 0}, {most64, -most64, inf64}, {0, minus0, 0}}},
		{"Nextafter", device.Nextafter, []row{{0, 1, least64}, {minus0, 1, least64}, {0, -1, -least64}, {0, minus0, minus0}, {minus0, 0, 0}, {most64, inf64, inf64}, {inf64, 0, most64}, {least64, 0, 0}, {-least64, 0, minus0},
			{1, 2, 1 + 0x1p-52}, {1, 0, 1 - 0x1p-53}, {-1, -2, -1 - 0x1p-52}, {nan64, 1, nan64}, {1, nan64, nan64}, {2, 2, 2}, {-inf64, inf64, -most64}}},
	} {
		for _, r := range c.rows {
			if got := c.f(r[0], r[1]); !same64(got, r[2]) {
				t.Errorf("%s(%g, %g) = %g, want %g", c.name, r[0], r[1], got, r[2])
			}
		}
	}
	if r := device.Norm3d(1, nan64, inf64); r != inf64 {
		t.Errorf("Norm3d(1, NaN, Inf) = %g", r)
	}
	if r := device.Norm4d(2, 4, 5, 6); r != 9 {
		t.Errorf("Norm4d(2, 4, 5, 6) = %g", r)
	}
	if r := device.Rnorm4d(0, nan64, 0, 0); r == r {
		t.Errorf("Rnorm4d of NaN = %g", r)
	}
	if r := device.Rnorm3d(nan64, -inf64, 0); r != 0 {
		t.Errorf("Rnorm3d(NaN, -Inf, 0) = %g", r)
	}
	if r := device.Fma(0x1p1000, 0x1p1000, -inf64); r != -inf64 {
		t.Errorf("Fma(2^1000, 2^1000, -Inf) = %g", r)
	}
	if r := device.Fma(1+0x1p-52, 1+0x1p-52, -(1 + 0x1p-51)); r != 0x1p-104 {
		t.Errorf("Fma rounds twice: %g", r)
	}
}

func TestParts64(t *testing.T) {
	for _, c := range []struct{ x, frac, whole float64 }{
		{2.75, 0.75, 2}, {-2.75, -0.75, -2}, {0, 0, 0}, {minus0, minus0, minus0}, {-0.5, -0.5, minus0}, {3, 0, 3}, {-3, minus0, -3},
		{inf64, 0, inf64}, {-inf64, minus0, -inf64}, {nan64, nan64, nan64}, {least64, least64, 0},
	} {
		if f, w := device.Modf(c.x); !same64(f, c.frac) || !same64(w, c.whole) {
			t.Errorf("Modf(%g) = %g, %g, want %g, %g", c.x, f, w, c.frac, c.whole)
		}
	}
	for _, x := range []float64{0, minus0, inf64, -inf64, nan64} {
		if f, e := device.Frexp(x); !same64(f, x) || e != 0 {
			t.Errorf("Frexp(%g) = %g, %d", x, f, e)
		}
		if y := device.Ldexp(x, -3000); !same64(y, x) {
			t.Errorf("Ldexp(%g, -3000) = %g", x, y)
		}
		if _, q := device.Remquo(x, 3); q != 0 {
			t.Errorf("Remquo(%g, 3) has the quotient %d", x, q)
		}
	}
	for x, want := range map[float64]int32{0: math.MinInt32, inf64: math.MaxInt32, -inf64: math.MaxInt32, 1: 0, least64: -1074, most64: 1023, -0.75: -1} {
		if e := device.Ilogb(x); e != want {
			t.Errorf("Ilogb(%g) = %d, want %d", x, e, want)
		}
	}
	if e := device.Ilogb(nan64); e != math.MinInt32 {
		t.Errorf("Ilogb(NaN) = %d", e)
	}
	for x, want := range map[float64]int64{inf64: math.MaxInt64, -inf64: math.MinInt64, 0x1p63: math.MaxInt64, -0x1p63: math.MinInt64, 2.5: 2, -3.5: -4} {
		if n := device.Llrint(x); n != want || device.Lrint(x) != want {
			t.Errorf("Llrint(%g) = %d, want %d", x, n, want)
		}
	}
	if n := device.Llround(2.5); n != 3 {
		t.Errorf("Llround(2.5) = %d", n)
	}
	if n := device.Lround(nan64); n != math.MinInt64 {
		t.Errorf("Lround(NaN) = %d", n)
	}
	for _, x := range []float64{0, minus0, 1, -1, least64, most64, inf64, -inf64, nan64, math.Copysign(nan64, -1)} {
		if device.Isnan(x) != math.IsNaN(x) || device.Isinf(x) != math.IsInf(x, 0) || device.Signbit(x) != math.Signbit(x) ||
			device.Isfinite(x) != !(math.IsNaN(x) || math.IsInf(x, 0)) {
			t.Errorf("the class of %g", x)
		}
	}
	for tag, payload := range map[string]uint64{"": 0, "1": 1, "0x7f": 0x7f, "017": 15, "19": 19, "08": 0, "x": 0, "0xg": 0, "12a": 0, "0xFFFFFFFFFFFFFFFF": 1<<51 - 1} {
		if b := math.Float64bits(device.Nan(tag)); b != 0x7ff8<<48|payload {
			t.Errorf("Nan(%q) = %#x", tag, b)
		}
	}
	for _, c := range []struct {
		n      int32
		x      float64
		jn, yn float64
	}{
		{2, 0, 0, -inf64}, {3, minus0, minus0, -inf64}, {-3, 0, nan64, nan64}, {-1, 2, nan64, nan64}, {2, inf64, 0, 0}, {2, nan64, nan64, nan64}, {0, 0, 1, -inf64}, {1 << 30, 1, 0, -inf64}, {math.MaxInt32, 1e4, 0, -inf64}, {math.MinInt32, 1, nan64, nan64}, {7, least64, 0, -inf64},
	} {
		if j := device.Jn(c.n, c.x); !same64(j, c.jn) {
			t.Errorf("Jn(%d, %g) = %g, want %g", c.n, c.x, j, c.jn)
		}
		if y := device.Yn(c.n, c.x); !same64(y, c.yn) {
			t.Errorf("Yn(%d, %g) = %g, want %g", c.n, c.x, y, c.yn)
		}
	}
	if y := device.Yn(2, -1); y == y {
		t.Errorf("Yn(2, -1) = %g", y)
	}
}

// Sin, Cos and the functions that return both agree.
func TestSincos64(t *testing.T) {
	for i := range 20000 {
		x := math.Ldexp(float64(i-10000)*1.000123, i%60-20)
		if s, c := device.Sincos(x); !same64(s, device.Sin(x)) || !same64(c, device.Cos(x)) {
			t.Fatalf("Sincos(%g) = %g, %g", x, s, c)
		}
		if s, c := device.Sincospi(x); !same64(s, device.Sinpi(x)) || !same64(c, device.Cospi(x)) {
			t.Fatalf("Sincospi(%g) = %g, %g", x, s, c)
		}
	}
}

func ExampleSinpi() {
	fmt.Println(device.Sin(math.Pi), device.Sinpi(1))
	// Output: 1.2246467991473532e-16 0
}

func ExampleErfcx() {
	// erfc(30) underflows; its product with e^900 is a plain number.
	fmt.Println(device.Erfc(30), float32(device.Erfcx(30)))
	// Output: 0 0.018795889
}

func ExampleModf() {
	frac, whole := device.Modf(-2.75)
	fmt.Println(frac, whole)
	// Output: -0.75 -2
}

func ExampleFmax() {
	fmt.Println(device.Fmax(math.NaN(), 1), math.Max(math.NaN(), 1))
	// Output: 1 NaN
}

func ExamplePow() {
	fmt.Println(device.Pow(-8, 3), device.Pow(-1, math.Inf(1)), device.Pow(-8, 1.0/3), device.Cbrt(-8))
	// Output: -512 1 NaN -2
}

func ExampleRemquo() {
	rem, quo := device.Remquo(29, 8)
	fmt.Println(rem, quo)
	// Output: -3 4
}
