package device_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// BenchmarkMath64 has each function beside that of package math, over the same 1024 arguments;
// "none" is where there is none.
func BenchmarkMath64(b *testing.B) {
	span := func(from, to float64) []float64 {
		r := rand.New(rand.NewPCG(1, 2))
		list := make([]float64, 1024)
		for i := range list {
			list[i] = from + (to-from)*r.Float64()
		}
		return list
	}
	gamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	of := func(f func(x, y float64) float64, y float64) func(float64) float64 {
		return func(x float64) float64 { return f(x, y) }
	}
	for _, c := range []struct {
		name         string
		ours, theirs func(float64) float64
		x            []float64
	}{
		{"Sin", device.Sin, math.Sin, span(-10, 10)},
		{"SinFar", device.Sin, math.Sin, span(-1e15, 1e15)},
		{"Cos", device.Cos, math.Cos, span(-10, 10)},
		{"Tan", device.Tan, math.Tan, span(-10, 10)},
		{"Sinpi", device.Sinpi, nil, span(-10, 10)},
		{"Asin", device.Asin, math.Asin, span(-1, 1)},
		{"Acos", device.Acos, math.Acos, span(-1, 1)},
		{"Atan", device.Atan, math.Atan, span(-4, 4)},
		{"Atan2", of(device.Atan2, 1.5), of(math.Atan2, 1.5), span(-4, 4)},
		{"Sinh", device.Sinh, math.Sinh, span(-5, 5)},
		{"Cosh", device.Cosh, math.Cosh, span(-5, 5)},
		{"Tanh", device.Tanh, math.Tanh, span(-3, 3)},
		{"Asinh", device.Asinh, math.Asinh, span(-10, 10)},
		{"Acosh", device.Acosh, math.Acosh, span(1, 10)},
		{"Atanh", device.Atanh, math.Atanh, span(-1, 1)},
		{"Exp", device.Exp, math.Exp, span(-20, 20)},
		{"Exp2", device.Exp2, math.Exp2, span(-20, 20)},
		{"Exp10", device.Exp10, of(math.Pow, 10), span(-20, 20)},
		{"Expm1", device.Expm1, math.Expm1, span(-3, 3)},
		{"Log", device.Log, math.Log, span(0, 100)},
		{"Log2", device.Log2, math.Log2, span(0, 100)},
		{"Log10", device.Log10, math.Log10, span(0, 100)},
		{"Log1p", device.Log1p, math.Log1p, span(-0.9, 3)},
		{"Pow", of(device.Pow, 3.7), of(math.Pow, 3.7), span(0, 100)},
		{"Rsqrt", device.Rsqrt, nil, span(0, 100)},
		{"Cbrt", device.Cbrt, math.Cbrt, span(0, 100)},
		{"Hypot", of(device.Hypot, 3), of(math.Hypot, 3), span(0, 100)},
		{"Erf", device.Erf, math.Erf, span(-3, 3)},
		{"Erfc", device.Erfc, math.Erfc, span(-3, 10)},
		{"Erfcx", device.Erfcx, nil, span(0, 10)},
		{"Erfinv", device.Erfinv, math.Erfinv, span(-1, 1)},
		{"Normcdf", device.Normcdf, nil, span(-5, 5)},
		{"Normcdfinv", device.Normcdfinv, nil, span(0, 1)},
		{"Tgamma", device.Tgamma, math.Gamma, span(0.1, 30)},
		{"Lgamma", device.Lgamma, gamma, span(0.1, 30)},
		{"J0", device.J0, math.J0, span(0, 20)},
		{"Y1", device.Y1, math.Y1, span(0, 20)},
		{"Jn", func(x float64) float64 { return device.Jn(5, x) }, func(x float64) float64 { return math.Jn(5, x) }, span(0, 20)},
		{"Fmod", of(device.Fmod, 0.7), of(math.Mod, 0.7), span(0, 1e6)},
		{"Remainder", of(device.Remainder, 0.7), of(math.Remainder, 0.7), span(0, 1e6)},
		{"Ldexp", func(x float64) float64 { return device.Ldexp(x, 20) }, func(x float64) float64 { return math.Ldexp(x, 20) }, span(-1, 1)},
		{"Round", device.Round, math.Round, span(-100, 100)},
	} {
		run := func(name string, f func(float64) float64) {
			if f == nil {
				return
			}
			b.Run("func="+c.name+"/by="+name, func(b *testing.B) {
				sum := 0.0
				for b.Loop() {
					for _, x := range c.x {
						sum += f(x)
					}
				}
				if sum == 1 { // the results are used
					b.Log(sum)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(c.x)), "ns/call")
			})
		}
		run("device", c.ours)
		run("math", c.theirs)
	}
}
