// Package exact has the functions of the math library as big numbers, for tests to compare with.
// They are slow and plain: Taylor series, the half-angle formulas, Stirling's series, Hankel's
// expansions. A result has a relative error below 2^-120 wherever its arguments are float64, near
// zeros of the function too; the tests compare with tables.
//
// Arguments and results are finite. Results may lie far beyond float64: Ulps knows what becomes of
// them.
package exact

import (
	"math"
	"math/big"
	"sync"
)

// prec is the precision of intermediate results, in bits.
const prec = 320

type num = *big.Float

func zero() num { return new(big.Float).SetPrec(prec) }

// New returns x as a big number. x must be finite.
func New(x float64) num { return zero().SetFloat64(x) }

func integer(n int64) num { return zero().SetInt64(n) }

// Add, Sub, Mul and Quo are arithmetic in the precision of this package.
func Add(x, y num) num { return zero().Add(x, y) }
func Sub(x, y num) num { return zero().Sub(x, y) }
func Mul(x, y num) num { return zero().Mul(x, y) }
func Quo(x, y num) num { return zero().Quo(x, y) }

// Sqrt returns the square root of x >= 0.
func Sqrt(x num) num { return zero().Sqrt(x) }

// Neg returns -x.
func Neg(x num) num { return zero().Neg(x) }

func abs(x num) num { return zero().Abs(x) }

// scale returns x * 2^n.
func scale(x num, n int) num { return zero().SetMantExp(x, n) }

func float(x num) float64 {
	f, _ := x.Float64()
	return f
}

// exponent returns e with 2^(e-1) <= |x| < 2^e; a very small number for 0.
func exponent(x num) int {
	if x.Sign() == 0 {
		return math.MinInt32
	}
	return x.MantExp(nil)
}

// sum adds term(k, previous term) from first on, until the terms no longer matter.
func sum(first num, term func(k int64, t num) num) num {
	s, t := zero().Set(first), zero().Set(first)
	for k := int64(1); ; k++ {
		t = term(k, t)
		if t.Sign() == 0 || exponent(t) < exponent(s)-prec {
			return s
		}
		s.Add(s, t)
	}
}

// piDigits is the precision of pi: enough to reduce the largest float64, with prec bits left near a
// multiple.
const piDigits = 1024 + 53 + 64 + prec

// Pi returns pi to more than 1400 bits, by Machin's formula.
var Pi = sync.OnceValue(func() num {
	arccot := func(n int64) num {
		one := new(big.Int).Lsh(big.NewInt(1), piDigits+32)
		t := one.Quo(one, big.NewInt(n))
		s := new(big.Int).Set(t)
		for k := int64(3); t.Sign() != 0; k += 2 {
			t.Quo(t, big.NewInt(-n*n))
			s.Add(s, new(big.Int).Quo(t, big.NewInt(k)))
		}
		return new(big.Float).SetPrec(piDigits).SetMantExp(new(big.Float).SetPrec(piDigits).SetInt(s), -piDigits-32)
	}
	a, b := arccot(5), arccot(239)
	a.SetMantExp(a, 4)
	b.SetMantExp(b, 2)
	return a.Sub(a, b)
})

// Ln2 returns the logarithm of 2.
var Ln2 = sync.OnceValue(func() num { return scale(atanhSeries(Quo(integer(1), integer(3))), 1) })

// Ln10 returns the logarithm of 10.
var Ln10 = sync.OnceValue(func() num { return Log(integer(10)) })

// Euler returns the Euler-Mascheroni constant, from the expansion of the digamma function at 64.
var Euler = sync.OnceValue(func() num {
	const n = 64
	s := zero()
	for k := int64(1); k < n; k++ {
		s.Add(s, Quo(integer(1), integer(k)))
	}
	s.Sub(s, Log(integer(n)))
	s.Add(s, Quo(integer(1), integer(2*n)))
	p := integer(1)
	for k, b := range bernoulli() {
		p.Quo(p, integer(n*n))
		s.Add(s, Quo(Mul(b, p), integer(int64(2*k+2))))
	}
	return s
})

// bernoulli returns B(2), B(4), ..., by the recurrence over all of them.
var bernoulli = sync.OnceValue(func() []num {
	const last = 90
	b := []*big.Rat{big.NewRat(1, 1)}
	for n := int64(1); n <= last; n++ {
		// sum over k < n of binomial(n+1, k) B(k) is -(n+1) B(n)
		s := new(big.Rat)
		for k := range n {
			c := new(big.Rat).SetInt(new(big.Int).Binomial(n+1, k))
			s.Add(s, c.Mul(c, b[k]))
		}
		b = append(b, s.Mul(s, big.NewRat(-1, n+1)))
	}
	var even []num
	for k := 2; k <= last; k += 2 {
		even = append(even, zero().SetRat(b[k]))
	}
	return even
})

// Ulps returns how far got is from want, in units of the last place that a float64 has where want
// lies (2^-1074 for subnormal ones). An infinite result has the error 0 where rounding gives it,
// and else the distance from 2^1024.
func Ulps(got float64, want num) float64 { return ulps(got, want, 53, -1074, 1024) }

// Ulps32 is Ulps for float32.
func Ulps32(got float32, want num) float64 { return ulps(float64(got), want, 24, -149, 128) }

func ulps(got float64, want num, digits, least, top int) float64 {
	if got != got {
		return math.Inf(1)
	}
	limit := scale(integer(1), top)
	w := want
	if abs(w).Cmp(limit) >= 0 {
		w = zero().Set(limit) // all of those are infinite
		if want.Sign() < 0 {
			w.Neg(w)
		}
	}
	g := zero()
	switch {
	case math.IsInf(got, 0):
		g.Set(limit)
		if got < 0 {
			g.Neg(g)
		}
	default:
		g.SetFloat64(got)
	}
	unit := max(min(exponent(w), top)-digits, least)
	if w.Sign() == 0 {
		unit = least
	}
	d := float(scale(abs(Sub(g, w)), -unit))
	if math.IsInf(got, 0) && d <= 0.5 && g.Sign() == w.Sign() {
		return 0
	}
	return d
}
