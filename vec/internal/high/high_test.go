package high

import (
	"math"
	"math/big"
	"testing"
)

// The functions agree with package math as far as that goes.
func TestAgainstMath(t *testing.T) {
	for _, x := range []float64{1e-300, 1e-30, 1e-9, 0.1, 0.5, 0.75, 1, 1 + 1e-12, 1.5, 1.99, 2, 2.01, 3, 7.1, 12, 26, 300, 1e5, 1e22, 1e300} {
		sin, cos := SinCos(Float(x))
		negSin, _ := SinCos(Float(-x))
		for _, c := range []struct {
			name string
			got  *big.Float
			want float64
		}{
			{"Log", Log(Float(x)), math.Log(x)},
			{"Sin", sin, math.Sin(x)},
			{"Sin-", negSin, math.Sin(-x)},
			{"Cos", cos, math.Cos(x)},
		} {
			near(t, c.name, x, c.got, c.want)
		}
		if x < 600 {
			near(t, "Exp", x, Exp(Float(x)), math.Exp(x))
			near(t, "Exp", -x, Exp(Float(-x)), math.Exp(-x))
			near(t, "Expm1", -x, Expm1(Float(-x)), math.Expm1(-x))
			near(t, "Tanh", x, Tanh(Float(x)), math.Tanh(x))
			near(t, "Erf", x, Erf(Float(x)), math.Erf(x))
			near(t, "Erf", -x, Erf(Float(-x)), math.Erf(-x))
			near(t, "Pow", x, Pow(Float(x), Float(0.25)), math.Sqrt(math.Sqrt(x)))
		}
		if x < 26 {
			near(t, "Erfc", x, Erfc(Float(x)), math.Erfc(x))
			near(t, "Erfc", -x, Erfc(Float(-x)), math.Erfc(-x))
		}
	}
}

func near(t *testing.T, name string, x float64, got *big.Float, want float64) {
	t.Helper()
	g, _ := got.Float64()
	if math.Abs(g-want) > 4e-15*math.Abs(want) {
		t.Errorf("%s(%v) = %v, want %v", name, x, g, want)
	}
}

// Two ways to the same number agree to 200 bits.
func TestIdentities(t *testing.T) {
	same := func(name string, x float64, a, b *big.Float) {
		t.Helper()
		d := Sub(a, b)
		if d.Sign() != 0 && d.MantExp(nil) > b.MantExp(nil)-200 {
			t.Errorf("%s at %v: %v and %v", name, x, a, b)
		}
	}
	for _, x := range []float64{1e-8, 0.3, 0.9, 1.7, 2.5, 6.9} {
		f := Float(x)
		same("Log Exp", x, Log(Exp(f)), f)
		s, c := SinCos(f)
		same("sin^2 + cos^2", x, Add(Mul(s, s), Mul(c, c)), Int(1))
		same("Erf + Erfc", x, Add(Erf(f), Erfc(f)), Int(1))
		same("Expm1", x, Add(Expm1(f), Int(1)), Exp(f))
	}
	two := Float(2)
	same("erfc from both sides", 2, erfcx(two), Mul(Exp(Mul(two, two)), Sub(Int(1), Erf(two))))
}
