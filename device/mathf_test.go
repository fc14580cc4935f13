package device_test

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// The functions of one float32, each against float64 over the whole range. What package math has is
// right to some 2^-52, which is 2^-29 of a float32's last place.

// ulpOf32 is the distance of float32 numbers at y, which is 2^-149 among the subnormal ones.
func ulpOf32(y float64) float64 {
	e := int(math.Float64bits(y) >> 52 & 0x7ff) // of 2^(e-1023); math.Frexp and Ldexp would be called 2^32 times
	return math.Float64frombits(uint64(max(e-23, 1023-149)) << 52)
}

// ulps32 is the error of got in units of the last place of want. Where the limits or NaN are due
// and missing, or a zero has the wrong sign, it is infinite.
func ulps32(got float32, want float64) float64 {
	g := float64(got)
	switch {
	case math.IsNaN(want) || math.IsNaN(g):
		if math.IsNaN(want) && math.IsNaN(g) {
			return 0
		}
		return math.Inf(1)
	case math.IsInf(want, 0):
		if g == want {
			return 0
		}
		return math.Inf(1)
	case want == 0:
		if g == 0 && math.Signbit(g) == math.Signbit(want) {
			return 0
		}
		return math.Inf(1)
	}
	// Beyond the greatest float32 infinity stands for 2^128.
	const top = 0x1p128
	if math.Abs(want) > top {
		want = math.Copysign(top, want)
	}
	if math.IsInf(g, 0) {
		g = math.Copysign(top, g)
	}
	if math.Signbit(g) != math.Signbit(want) && g != 0 {
		return math.Inf(1)
	}
	u := ulpOf32(want)
	if math.Abs(want) == top {
		u = 0x1p104
	}
	return math.Abs(g-want) / u
}

// worst keeps the largest error, and where it was.
type worst struct {
	mu  sync.Mutex
	err atomic.Uint64 // as bits, whose order for numbers >= 0 is the numbers'
	x   float32
}

func (w *worst) add(err float64, x float32) {
	if math.Float64bits(err) <= w.err.Load() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if b := math.Float64bits(err); b > w.err.Load() {
		w.err.Store(b)
		w.x = x
	}
}

func (w *worst) most() float64 { return math.Float64frombits(w.err.Load()) }

// parity returns x as k+d with whole k and |d| <= 1/2, and whether k is odd.
func parity(x float64) (d float64, odd bool) {
	k := math.RoundToEven(x)
	return x - k, math.Mod(k, 2) != 0
}

func refSinpi(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	d, odd := parity(x)
	if d == 0 {
		return math.Copysign(0, x)
	}
	s := math.Sin(math.Pi * d)
	if odd {
		s = -s
	}
	return s
}

func refCospi(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	d, odd := parity(x)
	d = math.Abs(d)
	if d == 0.5 {
		return 0
	}
	c := math.Cos(math.Pi * d)
	if d > 0.25 {
		c = math.Sin(math.Pi * (0.5 - d))
	}
	if odd {
		c = -c
	}
	return c
}

// refErfcx is e^(x*x) erfc(x), from 6 on by the continued fraction 1/(x + 1/2/(x + 2/2/(x + 3/2/(x + ...)))) / sqrt(pi).
func refErfcx(x float64) float64 {
	if x < 6 {
		return math.Exp(x*x) * math.Erfc(x)
	}
	f := x
	for k := 60; k > 0; k-- {
		f = x + float64(k)/2/f
	}
	return 1 / (f * math.SqrtPi)
}

// aboutErfcinv is the inverse of erfc at y by a step of Newton's method from got. If got is near,
// it is right to the square of the distance, and if not, got is not near to it.
func aboutErfcinv(y, d float64, got float32) float64 {
	x := float64(got)
	if y <= 0 || y >= 2 || math.IsNaN(y) || math.IsInf(x, 0) {
		switch {
		case y == 0:
			return math.Inf(1)
		case y == 2:
			return math.Inf(-1)
		case y > 0 && y < 2:
			return 1 // and not infinite
		}
		return math.NaN()
	}
	if y == 1 && d == 0 {
		return 0
	}
	f := math.Erfc(x) - y
	switch {
	case math.Abs(d) < 0.5:
		f = d - math.Erf(x)
		if math.Abs(x) < 1e-10 {
			return d * math.SqrtPi / 2
		}
	case y > 1:
		f = (2 - y) - math.Erfc(-x) // the same, without the loss
	}
	return x + f*math.Exp(x*x)*math.SqrtPi/2
}

var unary = []struct {
	name  string
	bound float64 // of Table 8.13 in The CUDA Handbook, or of the CUDA C++ Programming Guide where that is less
	f     func(float32) float32
	want  func(x float64, got float32) float64
}{
	{"Sinf", 2, device.Sinf, wanted(math.Sin)},
	{"Cosf", 2, device.Cosf, wanted(math.Cos)},
	{"Sincosf sin", 2, func(x float32) float32 { s, _ := device.Sincosf(x); return s }, wanted(math.Sin)},
	{"Sincosf cos", 2, func(x float32) float32 { _, c := device.Sincosf(x); return c }, wanted(math.Cos)},
	{"Tanf", 4, device.Tanf, wanted(math.Tan)},
	{"Sinpif", 2, device.Sinpif, wanted(refSinpi)},
	{"Cospif", 2, device.Cospif, wanted(refCospi)},
	{"Sincospif sin", 2, func(x float32) float32 { s, _ := device.Sincospif(x); return s }, wanted(refSinpi)},
	{"Sincospif cos", 2, func(x float32) float32 { _, c := device.Sincospif(x); return c }, wanted(refCospi)},
	{"Asinf", 4, device.Asinf, wanted(math.Asin)},
	{"Acosf", 3, device.Acosf, wanted(refAcos)},
	{"Atanf", 2, device.Atanf, wanted(math.Atan)},
	{"Sinhf", 3, device.Sinhf, wanted(math.Sinh)},
	{"Coshf", 2, device.Coshf, wanted(math.Cosh)},
	{"Tanhf", 2, device.Tanhf, wanted(math.Tanh)},
	{"Asinhf", 3, device.Asinhf, wanted(math.Asinh)},
	{"Acoshf", 4, device.Acoshf, wanted(math.Acosh)},
	{"Atanhf", 3, device.Atanhf, wanted(math.Atanh)},
	{"Expf", 2, device.Expf, wanted(math.Exp)},
	{"Exp2f", 2, device.Exp2f, wanted(math.Exp2)},
	{"Exp10f", 2, device.Exp10f, wanted(func(x float64) float64 { return math.Pow(10, x) })},
	{"Expm1f", 1, device.Expm1f, wanted(math.Expm1)},
	{"Logf", 1, device.Logf, wanted(math.Log)},
	{"Log2f", 1, device.Log2f, wanted(math.Log2)},
	{"Log10f", 2, device.Log10f, wanted(func(x float64) float64 { return math.Log(x) * (1 / math.Ln10) })},
	{"Log1pf", 1, device.Log1pf, wanted(math.Log1p)},
	{"Sqrtf", 0.5, device.Sqrtf, wanted(math.Sqrt)},
	{"Rsqrtf", 2, device.Rsqrtf, wanted(func(x float64) float64 { return 1 / math.Sqrt(x) })},
	{"Cbrtf", 1, device.Cbrtf, wanted(math.Cbrt)},
	{"Rcbrtf", 1, device.Rcbrtf, wanted(func(x float64) float64 { return 1 / math.Cbrt(x) })},
	{"Erff", 2, device.Erff, wanted(math.Erf)},
	{"Erfcf", 4, device.Erfcf, wanted(math.Erfc)},
	{"Erfcxf", 4, device.Erfcxf, wanted(refErfcx)},
	{"Erfinvf", 2, device.Erfinvf, func(x float64, got float32) float64 {
		if x == 0 {
			return x
		}
		return aboutErfcinv(1-x, x, got)
	}},
	{"Erfcinvf", 4, device.Erfcinvf, func(x float64, got float32) float64 { return aboutErfcinv(x, 1-x, got) }},
	{"Normcdff", 5, device.Normcdff, wanted(func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) })},
	{"Normcdfinvf", 5, device.Normcdfinvf, func(x float64, got float32) float64 {
		if got == 0 || math.IsInf(float64(got), 0) {
			return -aboutErfcinv(2*x, 1-2*x, -got)
		}
		// The same step of Newton's method, without the factor's rounding.
		p, d, g := 2*x, 1-2*x, -float64(got)/math.Sqrt2
		f := math.Erfc(g) - p
		if math.Abs(d) < 0.5 {
			f = d - math.Erf(g)
		} else if p > 1 {
			f = (2 - p) - math.Erfc(-g)
		}
		if !(p > 0 && p < 2) {
			return math.NaN()
		}
		if math.Abs(d) >= 0.5 && p > 1 {
			return -math.Sqrt2 * (g - f*math.Exp(g*g)*math.SqrtPi/2)
		}
		return -math.Sqrt2 * (g + f*math.Exp(g*g)*math.SqrtPi/2)
	}},
	{"Tgammaf", 5, device.Tgammaf, wanted(math.Gamma)},
}

func refAcos(x float64) float64 {
	if x > 0.5 { // where math.Acos loses digits
		return 2 * math.Asin(math.Sqrt((1-x)/2))
	}
	return math.Acos(x)
}

func wanted(f func(float64) float64) func(float64, float32) float64 {
	return func(x float64, _ float32) float64 { return f(x) }
}

func TestExhaustiveUnaryf(t *testing.T) {
	for _, c := range unary {
		t.Run(c.name, func(t *testing.T) {
			var w worst
			all32(t, 30011, func(b uint32) bool {
				x := math.Float32frombits(b)
				got := c.f(x)
				w.add(ulps32(got, c.want(float64(x), got)), x)
				return true
			})
			t.Logf("%.4f ulp at %g (%#08x)", w.most(), w.x, math.Float32bits(w.x))
			if !(w.most() <= c.bound) {
				t.Errorf("%s(%g) = %g: %.4f ulp, more than %g", c.name, w.x, c.f(w.x), w.most(), c.bound)
			}
		})
	}
}

// lgammaRef is log|gamma(x)|: by gamma itself, by the recurrence from above 0 and the reflection
// below, by Stirling's series from 20 on.
func lgammaRef(x float64) float64 {
	switch {
	case x < -40: // gamma(x) gamma(1-x) = pi/sin(pi x)
		return math.Log(math.Pi/math.Abs(refSinpi(x))) - lgammaRef(1-x)
	case x < 0:
		p := 1.0
		for x < 0 {
			p *= x
			x++
		}
		return math.Log(math.Abs(math.Gamma(x) / p))
	case x > 0.5 && x < 3:
		return math.Log1p(math.Gamma(x) - 1)
	case x < 20:
		return math.Log(math.Gamma(x))
	}
	z := 1 / (x * x)
	return (x-0.5)*(math.Log(x)-1) - 0.5 + 0.5*math.Log(2*math.Pi) +
		(1.0/12-z*(1.0/360-z*(1.0/1260-z*(1.0/1680-z/1188))))/x
}

func TestExhaustiveLgammaf(t *testing.T) {
	var w worst
	all32(t, 30011, func(b uint32) bool {
		x := math.Float32frombits(b)
		got := device.Lgammaf(x)
		want := lgammaRef(float64(x))
		switch {
		case x != x:
			want = math.NaN()
		case x-x != 0 || x <= 0 && float64(x) == math.Floor(float64(x)):
			want = math.Inf(1)
		case x > -10.001 && x < -2.264:
			// CUDA promises nothing here, where lgamma has zeros.
			if d := math.Abs(float64(got) - want); !(d <= 0x1p-24*math.Abs(want)+1e-14) {
				t.Errorf("Lgammaf(%g) = %g, want %g", x, got, want)
				return false
			}
			return true
		}
		w.add(ulps32(got, want), x)
		return true
	})
	t.Logf("%.4f ulp at %g", w.most(), w.x)
	if !(w.most() <= 6) {
		t.Errorf("Lgammaf(%g) = %g: %.4f ulp, want %g", w.x, device.Lgammaf(w.x), w.most(), lgammaRef(float64(w.x)))
	}
}
