package device_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// The special values of C99, Annex F (ISO/IEC 9899:1999, F.9), which CUDA follows, and what the CUDA Math API
// Reference says where C has no such function.

var (
	inf      = math.Inf(1)
	nan      = math.NaN()
	negative = math.Copysign(0, -1)
)

// same reports whether got is want, with the sign of zeros; any NaN is the same as another.
func same(got, want float64) bool {
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
		{"Sin", device.Sin, []float64{0, 0, negative, negative, inf, nan, -inf, nan, tiny, tiny}},
		{"Cos", device.Cos, []float64{0, 1, negative, 1, inf, nan, -inf, nan}},
		{"Tan", device.Tan, []float64{0, 0, negative, negative, inf, nan, -inf, nan, -tiny, -tiny}},
		{"Sinpi", device.Sinpi, []float64{0, 0, negative, negative, 1, 0, -1, negative, 2, 0, -2, negative, 0.5, 1, 1.5, -1, 1e300, 0, -1e300, negative, inf, nan, -inf, nan, 0x1p52 + 1, 0}},
		{"Cospi", device.Cospi, []float64{0, 1, negative, 1, 0.5, 0, -0.5, 0, 1.5, 0, 1, -1, 1e300, 1, 0x1p52 + 1, -1, 0x1p53, 1, inf, nan, -inf, nan}},
		{"Asin", device.Asin, []float64{0, 0, negative, negative, 1, pi / 2, -1, -pi / 2, 1.1, nan, inf, nan, -inf, nan, tiny, tiny}},
		{"Acos", device.Acos, []float64{1, 0, -1, pi, 0, pi / 2, -1.1, nan, inf, nan}},
		{"Atan", device.Atan, []float64{0, 0, negative, negative, inf, pi / 2, -inf, -pi / 2, tiny, tiny}},
		{"Sinh", device.Sinh, []float64{0, 0, negative, negative, inf, inf, -inf, -inf, -1000, -inf}},
		{"Cosh", device.Cosh, []float64{0, 1, negative, 1, inf, inf, -inf, inf, -1000, inf}},
		{"Tanh", device.Tanh, []float64{0, 0, negative, negative, inf, 1, -inf, -1}},
		{"Asinh", device.Asinh, []float64{0, 0, negative, negative, inf, inf, -inf, -inf}},
		{"Acosh", device.Acosh, []float64{1, 0, 0.5, nan, -inf, nan, inf, inf}},
		{"Atanh", device.Atanh, []float64{0, 0, negative, negative, 1, inf, -1, -inf, 2, nan, -2, nan, inf, nan}},
		{"Exp", device.Exp, []float64{0, 1, negative, 1, inf, inf, -inf, 0, 1000, inf, -1000, 0}},
		{"Exp2", device.Exp2, []float64{0, 1, negative, 1, inf, inf, -inf, 0, 10, 1024, -1074, tiny, 1023, 0x1p1023}},
		{"Exp10", device.Exp10, []float64{0, 1, negative, 1, inf, inf, -inf, 0, 3, 1000, 22, 1e22, -2, 0.01}},
		{"Expm1", device.Expm1, []float64{0, 0, negative, negative, inf, inf, -inf, -1}},
		{"Log", device.Log, []float64{0, -inf, negative, -inf, 1, 0, -1, nan, inf, inf, -inf, nan}},
		{"Log2", device.Log2, []float64{0, -inf, negative, -inf, 1, 0, -1, nan, inf, inf, -inf, nan, 8, 3, tiny, -1074}},
		{"Log10", device.Log10, []float64{0, -inf, negative, -inf, 1, 0, -1, nan, inf, inf, -inf, nan, 1000, 3, 1e22, 22}},
		{"Log1p", device.Log1p, []float64{0, 0, negative, negative, -1, -inf, -2, nan, inf, inf, -inf, nan}},
		{"Sqrt", device.Sqrt, []float64{0, 0, negative, negative, -1, nan, inf, inf}},
		{"Rsqrt", device.Rsqrt, []float64{0, inf, negative, -inf, inf, 0, -1, nan, 4, 0.5}},
		{"Cbrt", device.Cbrt, []float64{0, 0, negative, negative, inf, inf, -inf, -inf, -27, -3}},
		{"Rcbrt", device.Rcbrt, []float64{0, inf, negative, -inf, inf, 0, -inf, negative, -8, -0.5}},
		{"Erf", device.Erf, []float64{0, 0, negative, negative, inf, 1, -inf, -1}},
		{"Erfc", device.Erfc, []float64{0, 1, inf, 0, -inf, 2}},
		{"Erfcx", device.Erfcx, []float64{0, 1, inf, 0, -inf, inf}},
		{"Erfinv", device.Erfinv, []float64{0, 0, negative, negative, 1, inf, -1, -inf, 1.5, nan, -1.5, nan}},
		{"Erfcinv", device.Erfcinv, []float64{0, inf, negative, inf, 1, 0, 2, -inf, 2.5, nan, -1, nan}},
		{"Normcdf", device.Normcdf, []float64{0, 0.5, inf, 1, -inf, 0}},
		{"Normcdfinv", device.Normcdfinv, []float64{0, -inf, negative, -inf, 0.5, 0, 1, inf, 1.5, nan, -1, nan}},
		{"Tgamma", device.Tgamma, []float64{0, inf, negative, -inf, -1, nan, -200, nan, inf, inf, -inf, nan, 5, 24, -190.5, negative, -191.5, 0, 200, inf, 1, 1, 2, 1}},
		{"Lgamma", device.Lgamma, []float64{1, 0, 2, 0, 0, inf, negative, inf, -3, inf, inf, inf, -inf, inf, large, inf}},
		{"J0", device.J0, []float64{0, 1, inf, 0, -inf, 0}},
		{"J1", device.J1, []float64{0, 0, negative, negative, inf, 0, -inf, negative}},
		{"Y0", device.Y0, []float64{0, -inf, negative, -inf, inf, 0, -1, nan, -inf, nan}},
		{"Y1", device.Y1, []float64{0, -inf, negative, -inf, inf, 0, -1, nan, -inf, nan}},
		{"CylBesselI0", device.CylBesselI0, []float64{0, 1, inf, inf, -inf, inf}},
		{"CylBesselI1", device.CylBesselI1, []float64{0, 0, negative, negative, inf, inf, -inf, -inf}},
		{"Ceil", device.Ceil, []float64{0, 0, negative, negative, inf, inf, -inf, -inf, -0.5, negative}},
		{"Floor", device.Floor, []float64{0, 0, negative, negative, inf, inf, -inf, -inf}},
		{"Trunc", device.Trunc, []float64{0, 0, negative, negative, inf, inf, -inf, -inf, -0.5, negative}},
		{"Rint", device.Rint, []float64{0, 0, negative, negative, inf, inf, -inf, -inf, -0.5, negative}},
		{"Nearbyint", device.Nearbyint, []float64{negative, negative, inf, inf}},
		{"Round", device.Round, []float64{0, 0, negative, negative, inf, inf, -inf, -inf, -0.25, negative}},
		{"Logb", device.Logb, []float64{0, -inf, negative, -inf, inf, inf, -inf, inf, 1, 0, tiny, -1074}},
		{"Fabs", device.Fabs, []float64{negative, 0, -inf, inf, -2, 2}},
	} {
		for i := 0; i < len(c.io); i += 2 {
			if got := c.f(c.io[i]); !same(got, c.io[i+1]) {
				t.Errorf("%s(%g) = %g, want %g", c.name, c.io[i], got, c.io[i+1])
			}
		}
		if got := c.f(nan); got == got {
			t.Errorf("%s(NaN) = %g", c.name, got)
		}
	}
}

func TestSpecialOfTwo64(t *testing.T) {
	const pi = math.Pi
	type row [3]float64
	any := []float64{0, negative, 1, -1, 0.5, -3, inf, -inf, nan}
	pow := []row{{0, -3, inf}, {negative, -3, -inf}, {0, -2, inf}, {negative, -2, inf}, {negative, -2.5, inf}, {0, -inf, inf}, {negative, -inf, inf},
		{0, 3, 0}, {negative, 3, negative}, {0, 2, 0}, {negative, 2, 0}, {negative, 2.5, 0}, {negative, inf, 0}, {-1, inf, 1}, {-1, -inf, 1},
		{-2, 0.5, nan}, {-inf, 0.5, inf}, {0.5, -inf, inf}, {-0.5, -inf, inf}, {2, -inf, 0}, {-2, -inf, 0}, {0.5, inf, 0}, {-0.5, inf, 0}, {2, inf, inf}, {-2, inf, inf},
		{-inf, -3, negative}, {-inf, -2, 0}, {-inf, -2.5, 0}, {-inf, 3, -inf}, {-inf, 2, inf}, {-inf, 2.5, inf}, {inf, -1, 0}, {inf, 1, inf},
		{nan, 1, nan}, {2, nan, nan}, {-2, 0x1p53, inf}, {-1, 0x1p53, 1}, {-1, 0x1p53 - 1, -1}, {-1, 3, -1}, {-10, 309, -inf}, {-10, 310, inf}, {-0.1, 333, negative}, {-0.1, 334, 0}}
	for _, x := range any {
		pow = append(pow, row{x, 0, 1}, row{x, negative, 1}, row{1, x, 1})
	}
	fmax := []row{{1, 2, 2}, {0, negative, 0}, {negative, 0, 0}, {nan, 1, 1}, {1, nan, 1}, {nan, nan, nan}, {-inf, nan, -inf}, {inf, 1, inf}, {negative, negative, negative}}
	fmin := []row{{1, 2, 1}, {0, negative, negative}, {negative, 0, negative}, {nan, 1, 1}, {1, nan, 1}, {nan, nan, nan}, {inf, nan, inf}, {-inf, 1, -inf}}
	for _, c := range []struct {
		name string
		f    func(x, y float64) float64
		rows []row
	}{
		{"Pow", device.Pow, pow},
		{"Fmax", device.Fmax, fmax},
		{"Fmin", device.Fmin, fmin},
		{"Atan2", device.Atan2, []row{{0, -1, pi}, {negative, -1, -pi}, {0, negative, pi}, {negative, negative, -pi}, {0, 0, 0}, {negative, 0, negative}, {0, 1, 0}, {negative, 1, negative},
			{-1, 0, -pi / 2}, {-1, negative, -pi / 2}, {1, 0, pi / 2}, {1, -inf, pi}, {-1, -inf, -pi}, {1, inf, 0}, {-1, inf, negative}, {inf, 2, pi / 2}, {-inf, 2, -pi / 2},
			{inf, -inf, 3 * pi / 4}, {-inf, -inf, -3 * pi / 4}, {inf, inf, pi / 4}, {-inf, inf, -pi / 4}, {nan, 1, nan}, {1, nan, nan}, {tiny, large, 0}}},
		{"Hypot", device.Hypot, []row{{inf, nan, inf}, {nan, -inf, inf}, {nan, 1, nan}, {1, nan, nan}, {negative, negative, 0}, {-3, 4, 5}, {0, -7, 7}}},
		{"Rhypot", device.Rhypot, []row{{inf, nan, 0}, {nan, -inf, 0}, {nan, 1, nan}, {nan, 0, nan}, {negative, 0, inf}, {3, 4, 0.2}}},
		{"Fmod", device.Fmod, []row{{0, 1, 0}, {negative, 1, negative}, {inf, 1, nan}, {1, 0, nan}, {1, negative, nan}, {1, inf, 1}, {-1, -inf, -1}, {nan, 1, nan}, {1, nan, nan}, {-4, 2, negative}, {4, -2, 0}, {inf, inf, nan}}},
		{"Remainder", device.Remainder, []row{{0, 1, 0}, {negative, 1, negative}, {inf, 1, nan}, {1, 0, nan}, {1, inf, 1}, {large, inf, large}, {-1, -inf, -1}, {nan, 1, nan}, {1, nan, nan}, {-4, 2, negative}, {4, 2, 0}, {3, 2, -1}, {5, 2, 1}}},
		{"Copysign", device.Copysign, []row{{1, negative, -1}, {-inf, 1, inf}, {0, -1, negative}}},
		{"Fdim", device.Fdim, []row{{3, 1, 2}, {1, 3, 0}, {inf, inf, 0}, {-inf, -inf, 0}, {inf, -inf, inf}, {-inf, inf, 0}, {nan, 1, nan}, {1, nan, nan}, {negative, 0, 0}, {large, -large, inf}, {0, negative, 0}}},
		{"Nextafter", device.Nextafter, []row{{0, 1, tiny}, {negative, 1, tiny}, {0, -1, -tiny}, {0, negative, negative}, {negative, 0, 0}, {large, inf, inf}, {inf, 0, large}, {tiny, 0, 0}, {-tiny, 0, negative},
			{1, 2, 1 + 0x1p-52}, {1, 0, 1 - 0x1p-53}, {-1, -2, -1 - 0x1p-52}, {nan, 1, nan}, {1, nan, nan}, {2, 2, 2}, {-inf, inf, -large}}},
	} {
		for _, r := range c.rows {
			if got := c.f(r[0], r[1]); !same(got, r[2]) {
				t.Errorf("%s(%g, %g) = %g, want %g", c.name, r[0], r[1], got, r[2])
			}
		}
	}
	if r := device.Norm3d(1, nan, inf); r != inf {
		t.Errorf("Norm3d(1, NaN, Inf) = %g", r)
	}
	if r := device.Norm4d(2, 4, 5, 6); r != 9 {
		t.Errorf("Norm4d(2, 4, 5, 6) = %g", r)
	}
	if r := device.Rnorm4d(0, nan, 0, 0); r == r {
		t.Errorf("Rnorm4d of NaN = %g", r)
	}
	if r := device.Rnorm3d(nan, -inf, 0); r != 0 {
		t.Errorf("Rnorm3d(NaN, -Inf, 0) = %g", r)
	}
	if r := device.Fma(0x1p1000, 0x1p1000, -inf); r != -inf {
		t.Errorf("Fma(2^1000, 2^1000, -Inf) = %g", r)
	}
	if r := device.Fma(1+0x1p-52, 1+0x1p-52, -(1 + 0x1p-51)); r != 0x1p-104 {
		t.Errorf("Fma rounds twice: %g", r)
	}
}

func TestParts64(t *testing.T) {
	for _, c := range []struct{ x, frac, whole float64 }{
		{2.75, 0.75, 2}, {-2.75, -0.75, -2}, {0, 0, 0}, {negative, negative, negative}, {-0.5, -0.5, negative}, {3, 0, 3}, {-3, negative, -3},
		{inf, 0, inf}, {-inf, negative, -inf}, {nan, nan, nan}, {tiny, tiny, 0},
	} {
		if f, w := device.Modf(c.x); !same(f, c.frac) || !same(w, c.whole) {
			t.Errorf("Modf(%g) = %g, %g, want %g, %g", c.x, f, w, c.frac, c.whole)
		}
	}
	for _, x := range []float64{0, negative, inf, -inf, nan} {
		if f, e := device.Frexp(x); !same(f, x) || e != 0 {
			t.Errorf("Frexp(%g) = %g, %d", x, f, e)
		}
		if y := device.Ldexp(x, -3000); !same(y, x) {
			t.Errorf("Ldexp(%g, -3000) = %g", x, y)
		}
		if _, q := device.Remquo(x, 3); q != 0 {
			t.Errorf("Remquo(%g, 3) has the quotient %d", x, q)
		}
	}
	for x, want := range map[float64]int{0: math.MinInt32, inf: math.MaxInt32, -inf: math.MaxInt32, 1: 0, tiny: -1074, large: 1023, -0.75: -1} {
		if e := device.Ilogb(x); e != want {
			t.Errorf("Ilogb(%g) = %d, want %d", x, e, want)
		}
	}
	if e := device.Ilogb(nan); e != math.MinInt32 {
		t.Errorf("Ilogb(NaN) = %d", e)
	}
	for x, want := range map[float64]int64{inf: math.MaxInt64, -inf: math.MinInt64, 0x1p63: math.MaxInt64, -0x1p63: math.MinInt64, 2.5: 2, -3.5: -4} {
		if n := device.Llrint(x); n != want || device.Lrint(x) != want {
			t.Errorf("Llrint(%g) = %d, want %d", x, n, want)
		}
	}
	if n := device.Llround(2.5); n != 3 {
		t.Errorf("Llround(2.5) = %d", n)
	}
	if n := device.Lround(nan); n != math.MinInt64 {
		t.Errorf("Lround(NaN) = %d", n)
	}
	for _, x := range []float64{0, negative, 1, -1, tiny, large, inf, -inf, nan, math.Copysign(nan, -1)} {
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
		n      int
		x      float64
		jn, yn float64
	}{
		{2, 0, 0, -inf}, {3, negative, negative, -inf}, {-3, 0, negative, inf}, {2, inf, 0, 0}, {2, nan, nan, nan}, {0, 0, 1, -inf}, {1 << 30, 1, 0, -inf}, {math.MaxInt32, 1e4, 0, -inf}, {-math.MaxInt32, 3, negative, inf}, {math.MinInt32, 1, nan, nan}, {math.MinInt, 1e300, nan, nan}, {7, tiny, 0, -inf},
	} {
		if j := device.Jn(c.n, c.x); !same(j, c.jn) {
			t.Errorf("Jn(%d, %g) = %g, want %g", c.n, c.x, j, c.jn)
		}
		if y := device.Yn(c.n, c.x); !same(y, c.yn) {
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
		if s, c := device.Sincos(x); !same(s, device.Sin(x)) || !same(c, device.Cos(x)) {
			t.Fatalf("Sincos(%g) = %g, %g", x, s, c)
		}
		if s, c := device.Sincospi(x); !same(s, device.Sinpi(x)) || !same(c, device.Cospi(x)) {
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
