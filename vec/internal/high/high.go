// Package high computes elementary functions to many more bits than a float64
// has. It is slow and plain: package vec takes the coefficients of its
// polynomials from it and holds its results against it.
//
// Results carry about [Prec] bits, less what cancels where a function is near
// zero without being so at its argument; 200 bits are always right. Infinities
// and NaN are not handled.
package high

import (
	"math"
	"math/big"
	"sync"
)

// Prec is the number of bits of intermediate and final results.
const Prec = 320

func num() *big.Float { return new(big.Float).SetPrec(Prec) }

// Float returns x as a number of Prec bits.
func Float(x float64) *big.Float { return num().SetFloat64(x) }

// Int returns n as a number of Prec bits.
func Int(n int64) *big.Float { return num().SetInt64(n) }

// Add returns a + b.
func Add(a, b *big.Float) *big.Float { return num().Add(a, b) }

// Sub returns a - b.
func Sub(a, b *big.Float) *big.Float { return num().Sub(a, b) }

// Mul returns a * b.
func Mul(a, b *big.Float) *big.Float { return num().Mul(a, b) }

// Quo returns a / b.
func Quo(a, b *big.Float) *big.Float { return num().Quo(a, b) }

// Scale returns a * 2^n.
func Scale(a *big.Float, n int) *big.Float { return num().SetMantExp(a, n) }

// small reports whether the term t no longer matters to the sum s.
func small(t, s *big.Float) bool {
	return t.Sign() == 0 || s.Sign() != 0 && t.MantExp(nil) < s.MantExp(nil)-Prec-8
}

// Ln2 returns the logarithm of 2, by the series of 2 artanh(1/3).
var Ln2 = sync.OnceValue(func() *big.Float { return Scale(artanh(Quo(Int(1), Int(3))), 1) })

// artanh returns z + z^3/3 + z^5/5 + ...
func artanh(z *big.Float) *big.Float {
	sum, power, zz := num().Set(z), z, Mul(z, z)
	for k := int64(3); ; k += 2 {
		power = Mul(power, zz)
		term := Quo(power, Int(k))
		if small(term, sum) {
			return sum
		}
		sum = Add(sum, term)
	}
}

// pi returns pi to the given bits, by Machin's formula
// pi/4 = 4 arctan(1/5) - arctan(1/239).
func pi(prec uint) *big.Float {
	arctan := func(n int64) *big.Float { // of 1/n
		square := new(big.Float).SetPrec(prec).SetInt64(n * n)
		power := new(big.Float).SetPrec(prec).Quo(big.NewFloat(1), new(big.Float).SetPrec(prec).SetInt64(n))
		sum := new(big.Float).SetPrec(prec).Set(power)
		for k := int64(3); ; k += 2 {
			power.Quo(power, square).Neg(power)
			term := new(big.Float).SetPrec(prec).Quo(power, new(big.Float).SetPrec(prec).SetInt64(k))
			if term.Sign() == 0 || term.MantExp(nil) < -int(prec) {
				return sum
			}
			sum.Add(sum, term)
		}
	}
	a, b := arctan(5), arctan(239)
	a.SetMantExp(a, 2)
	a.Sub(a, b)
	return a.SetMantExp(a, 2)
}

// longPi is enough to reduce the largest float64.
var longPi = sync.OnceValue(func() *big.Float { return pi(1024 + 2*Prec) })

// Pi returns pi.
func Pi() *big.Float { return num().Set(longPi()) }

// Exp returns e^x.
func Exp(x *big.Float) *big.Float {
	n := round(Quo(x, Ln2()))
	r := Sub(x, Mul(Int(n), Ln2()))
	const halvings = 12
	e := expm1Series(Scale(r, -halvings))
	for range halvings { // (1+e)^2 - 1
		e = Add(Scale(e, 1), Mul(e, e))
	}
	return Scale(Add(e, Int(1)), int(n))
}

// Expm1 returns e^x - 1.
func Expm1(x *big.Float) *big.Float {
	if x.Sign() != 0 && x.MantExp(nil) < -20 {
		return expm1Series(x)
	}
	return Sub(Exp(x), Int(1))
}

// expm1Series returns x + x^2/2! + x^3/3! + ...
func expm1Series(x *big.Float) *big.Float {
	sum, term := num().Set(x), num().Set(x)
	for k := int64(2); ; k++ {
		term = Quo(Mul(term, x), Int(k))
		if small(term, sum) {
			return sum
		}
		sum = Add(sum, term)
	}
}

// round returns the whole number next to x.
func round(x *big.Float) int64 {
	half := num().SetFloat64(0.5)
	if x.Sign() < 0 {
		half.Neg(half)
	}
	n, _ := Add(x, half).Int64()
	return n
}

// Log returns the logarithm of x, which is positive, from a first guess and
// steps of y + 2 (x - e^y) / (x + e^y), each of which triples the right bits.
func Log(x *big.Float) *big.Float {
	m := num()
	n := x.MantExp(m)
	f, _ := m.Float64()
	if f < 0.75 { // so that no sum with n ln 2 cancels
		f, n = 2*f, n-1
		m = Scale(m, 1)
	}
	d := Quo(Sub(m, Int(1)), Add(m, Int(1)))
	if d.Sign() == 0 || d.MantExp(nil) < -20 {
		return Add(Scale(artanh(d), 1), Mul(Int(int64(n)), Ln2()))
	}
	y := Float(math.Log(f))
	for range 2 {
		e := Exp(y)
		y = Add(y, Scale(Quo(Sub(m, e), Add(m, e)), 1))
	}
	return Add(y, Mul(Int(int64(n)), Ln2()))
}

// SinCos returns the sine and the cosine of x.
func SinCos(x *big.Float) (sin, cos *big.Float) {
	// x - n pi/2, with enough bits of both for what cancels.
	half := new(big.Float).SetMantExp(longPi(), -1)
	long := new(big.Float).SetPrec(longPi().Prec())
	q, _ := long.Quo(x, half).Add(long, big.NewFloat(math.Copysign(0.5, float64(x.Sign())))).Int(nil)
	long.SetInt(q)
	long.Sub(new(big.Float).SetPrec(longPi().Prec()).Set(x), long.Mul(long, half))
	r := num().Set(long)

	rr := Mul(r, r)
	series := func(term *big.Float, k int64) *big.Float {
		sum := num().Set(term)
		for ; ; k += 2 {
			term = Quo(Mul(term, rr), Int(k*(k+1)))
			term.Neg(term)
			if small(term, sum) {
				return sum
			}
			sum = Add(sum, term)
		}
	}
	s, c := series(num().Set(r), 2), series(Int(1), 1)
	switch new(big.Int).And(q, big.NewInt(3)).Int64() { // two's complement, so right for q < 0
	case 1:
		s, c = c, s.Neg(s)
	case 2:
		s, c = s.Neg(s), c.Neg(c)
	case 3:
		s, c = c.Neg(c), s
	}
	return s, c
}

// Tanh returns the hyperbolic tangent of x.
func Tanh(x *big.Float) *big.Float {
	e := Expm1(Scale(x, 1))
	return Quo(e, Add(e, Int(2)))
}

// Erf returns the error function of x, by the series
// 2/sqrt(pi) e^(-x^2) (x + 2 x^3/3 + 4 x^5/15 + ...), whose terms have one sign.
func Erf(x *big.Float) *big.Float {
	if f, _ := x.Float64(); f < 0 {
		return num().Neg(Erf(num().Neg(x)))
	} else if f > 7 {
		return Sub(Int(1), Erfc(x))
	}
	xx := Mul(x, x)
	sum, term := num().Set(x), num().Set(x)
	for k := int64(3); ; k += 2 {
		term = Quo(Mul(term, Scale(xx, 1)), Int(k))
		if small(term, sum) {
			break
		}
		sum = Add(sum, term)
	}
	scale := Quo(Int(2), num().Sqrt(Pi()))
	return Mul(Mul(scale, sum), Exp(num().Neg(xx)))
}

// Erfc returns 1 - Erf(x).
func Erfc(x *big.Float) *big.Float {
	if f, _ := x.Float64(); f < 2 {
		return Sub(Int(1), Erf(x))
	}
	return Mul(Exp(num().Neg(Mul(x, x))), erfcx(x))
}

// Erfcx returns e^(x^2) Erfc(x).
func Erfcx(x *big.Float) *big.Float {
	if f, _ := x.Float64(); f < 2 {
		return Mul(Exp(Mul(x, x)), Erfc(x))
	}
	return erfcx(x)
}

// erfcx is Erfcx for x >= 2, by the continued fraction
// 1/sqrt(pi) 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...)))) from its end.
func erfcx(x *big.Float) *big.Float {
	f, _ := x.Float64()
	terms := int64(40 + math.Pow(60/f, 2)) // for 200 bits and more
	d := num().Set(x)
	for k := terms; k > 0; k-- {
		d = Add(x, Quo(Scale(Int(k), -1), d))
	}
	return Quo(Quo(Int(1), d), num().Sqrt(Pi()))
}

// Pow returns x^y for positive x.
func Pow(x, y *big.Float) *big.Float { return Exp(Mul(y, Log(x))) }

// TwoOverPi returns 2/pi to more than 1500 bits.
func TwoOverPi() *big.Float {
	return new(big.Float).SetPrec(longPi().Prec()).Quo(big.NewFloat(2), longPi())
}
