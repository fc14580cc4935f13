package exact

import "math"

// The error function, the gamma function, and Bessel's functions.

// erfSeries returns erf(x) = 2/sqrt(pi) e^-x^2 (x + 2x^3/3 + 4x^5/15 + ...), whose terms have one
// sign, in a precision that leaves prec bits of 1 - erf(x).
func erfSeries(x num) num {
	if x.Sign() == 0 {
		return zero()
	}
	digits := prec + 32 + int(3*float(x)*float(x))
	wide := func() num { return zero().SetPrec(uint(digits)) }
	x2 := wide().Mul(x, x)
	x2.SetMantExp(x2, 1)
	t, s := wide().Set(x), wide().Set(x)
	for k := int64(1); exponent(t) > exponent(s)-digits; k++ {
		t.Mul(t, x2)
		t.Quo(t, integer(2*k+1))
		s.Add(s, t)
	}
	// The factor in the same precision.
	y := wide().Mul(x, x)
	y.SetMantExp(y.Neg(y), -16)
	e, u := wide().SetInt64(1), wide().SetInt64(1)
	for k := int64(1); u.Sign() != 0 && exponent(u) > -digits-16; k++ {
		u.Mul(u, y)
		u.Quo(u, integer(k))
		e.Add(e, u)
	}
	for range 16 {
		e.Mul(e, e)
	}
	s.Mul(s, e)
	s.SetMantExp(s, 1)
	return s.Quo(s, wide().Sqrt(wide().Set(Pi())))
}

// erfcxAsymptotic returns e^x^2 erfc(x) for x of at least 13, where the least term is below 2^-240.
func erfcxAsymptotic(x num) num {
	r := Quo(integer(-1), scale(Mul(x, x), 1))
	s, t := integer(1), integer(1)
	for k := int64(1); ; k++ {
		n := Mul(Mul(t, r), integer(2*k-1))
		if abs(n).Cmp(abs(t)) >= 0 || exponent(n) < -prec {
			break
		}
		t = n
		s.Add(s, t)
	}
	return Quo(s, Mul(x, Sqrt(zero().Set(Pi()))))
}

// Erf returns the error function.
func Erf(x num) num {
	if a := math.Abs(float(x)); a > 13 {
		e := Sub(integer(1), Erfc(abs(x)))
		if x.Sign() < 0 {
			e = Neg(e)
		}
		return e
	}
	return zero().Set(erfSeries(x))
}

// Erfc returns 1 - erf(x).
func Erfc(x num) num {
	if float(x) > 13 {
		return Mul(erfcxAsymptotic(x), Exp(Neg(Mul(x, x))))
	}
	if float(x) < -13 {
		return Sub(integer(2), Erfc(Neg(x)))
	}
	s := erfSeries(x)
	return zero().Set(s.Sub(integer(1), s))
}

// Erfcx returns e^x^2 erfc(x).
func Erfcx(x num) num {
	if float(x) > 13 {
		return erfcxAsymptotic(x)
	}
	return Mul(Exp(Mul(x, x)), Erfc(x))
}

// Erfcinv returns x with erfc(x) = y, for 0 < y < 2, by Newton's iteration for log(erfc(x)), which
// is concave.
func Erfcinv(y num) num {
	one := integer(1)
	if y.Cmp(one) > 0 {
		return Neg(Erfcinv(Sub(integer(2), y)))
	}
	if exponent(Sub(one, y)) < -1 {
		return Erfinv(Sub(one, y))
	}
	ly := Log(y)
	x := Sqrt(Neg(ly))
	root := Sqrt(zero().Set(Pi()))
	for range 100 {
		ex := Erfcx(x)
		f := Sub(Sub(Log(ex), Mul(x, x)), ly)
		d := scale(Mul(f, Mul(ex, root)), -1) // f / (2/sqrt(pi) / erfcx)
		x = Add(x, d)
		if exponent(d) < exponent(x)-100 {
			break // the next would be exact to 200 bits, and this one is
		}
	}
	return x
}

// Erfinv returns x with erf(x) = y, for -1 < y < 1.
func Erfinv(y num) num {
	if y.Sign() < 0 {
		return Neg(Erfinv(Neg(y)))
	}
	if y.Sign() == 0 {
		return zero()
	}
	if exponent(y) > -1 {
		return Erfcinv(Sub(integer(1), y))
	}
	root := Sqrt(zero().Set(Pi()))
	x := scale(Mul(y, root), -1)
	for range 100 {
		d := scale(Mul(Mul(Sub(Erf(x), y), root), Exp(Mul(x, x))), -1)
		x = Sub(x, d)
		if d.Sign() == 0 || exponent(d) < exponent(x)-100 {
			break
		}
	}
	return x
}

// Normcdf returns the normal distribution function, erfc(-x/sqrt(2))/2.
func Normcdf(x num) num { return scale(Erfc(Neg(Quo(x, Sqrt(integer(2))))), -1) }

// Normcdfinv returns x with Normcdf(x) = y.
func Normcdfinv(y num) num { return Neg(Mul(Sqrt(integer(2)), Erfcinv(scale(y, 1)))) }

// stirling returns log gamma(x) for x of at least 64.
func stirling(x num) num {
	s := Mul(Sub(x, New(0.5)), Log(x))
	s.Sub(s, x)
	s.Add(s, scale(Log(zero().SetMantExp(zero().Set(Pi()), 1)), -1))
	x2, p := Mul(x, x), zero().Set(x)
	for k, b := range bernoulli() {
		n := int64(2*k + 2)
		t := Quo(b, Mul(p, integer(n*(n-1))))
		if exponent(t) < -2*prec {
			break
		}
		s.Add(s, t)
		p.Mul(p, x2)
	}
	return s
}

// rising returns x (x+1) ... up to the factor before the first that is at least 64, and that one.
func rising(x num) (product, end num) {
	product, end = integer(1), zero().Set(x)
	one, limit := integer(1), integer(64)
	for end.Cmp(limit) < 0 {
		product.Mul(product, end)
		end = Add(end, one)
	}
	return product, end
}

// Tgamma returns gamma(x); x is not 0, -1, -2, ...
func Tgamma(x num) num {
	if x.Sign() < 0 {
		// Euler's reflection
		return Neg(Quo(Pi(), Mul(Mul(x, Sinpi(x)), Tgamma(Neg(x)))))
	}
	p, e := rising(x)
	return Quo(Exp(stirling(e)), p)
}

// Lgamma returns log|gamma(x)|.
func Lgamma(x num) num {
	if x.Sign() < 0 {
		return Sub(Log(abs(Quo(Pi(), Mul(x, Sinpi(x))))), Lgamma(Neg(x)))
	}
	if x.Cmp(integer(1)) == 0 || x.Cmp(integer(2)) == 0 {
		return zero()
	}
	p, e := rising(x)
	return Sub(stirling(e), Log(p))
}

// besselSeries returns the sum over k of s^k (x/2)^(2k+n) / (k! (k+n)!) times weight(k), with s = 1
// or -1.
func besselSeries(n int64, x num, s int64, weight func(k int64) num) num {
	p := uint(prec + 200 + 4*int(math.Abs(float(x))))
	wide := func() num { return zero().SetPrec(p) }
	h := wide().SetMantExp(x, -1)
	t := wide().SetInt64(1)
	for k := int64(1); k <= n; k++ {
		t.Mul(t, h)
		t.Quo(t, integer(k))
	}
	h.Mul(h, h)
	if s < 0 {
		h.Neg(h)
	}
	total := wide()
	small := exponent(t) - int(p)
	for k := int64(0); ; k++ {
		if w := weight(k); w != nil {
			total.Add(total, wide().Mul(t, w))
		} else {
			total.Add(total, t)
		}
		t.Mul(t, h)
		t.Quo(t, integer((k+1)*(k+1+n)))
		if t.Sign() == 0 || k > 2 && exponent(t) < small {
			return total
		}
	}
}

// hankel returns Jn(x) and Yn(x) by Hankel's expansion, for large x (DLMF 10.17.3).
func hankel(n int64, x num) (j, y num) {
	p, q := zero(), zero()
	t := integer(1)
	x8 := scale(x, 3)
	for k := int64(0); k < 400; k++ {
		switch k & 3 {
		case 0:
			p.Add(p, t)
		case 1:
			q.Add(q, t)
		case 2:
			p.Sub(p, t)
		case 3:
			q.Sub(q, t)
		}
		next := Quo(Mul(t, integer(4*n*n-(2*k+1)*(2*k+1))), Mul(x8, integer(k+1)))
		if next.Sign() == 0 || exponent(next) < -prec || (4*n*n < (2*k+1)*(2*k+1) && abs(next).Cmp(abs(t)) > 0) {
			break
		}
		t = next
	}
	// The phase is x - (2n+1) pi/4: sine and cosine of x, turned.
	sin, cos := Sincos(x)
	r := Quo(integer(1), Sqrt(integer(2)))
	s, c := Mul(r, Sub(sin, cos)), Mul(r, Add(cos, sin)) // of x - pi/4
	for range n & 3 {
		s, c = Neg(c), s // a quarter back
	}
	f := Sqrt(Quo(integer(2), Mul(zero().Set(Pi()), x)))
	return Mul(f, Sub(Mul(p, c), Mul(q, s))), Mul(f, Add(Mul(p, s), Mul(q, c)))
}

// hankelFrom is from where Hankel's expansion has 200 bits for orders 0 and 1.
const hankelFrom = 100

// Jn returns Bessel's function of the first kind of order n >= 0, for x > 0.
func Jn(n int, x num) num {
	if float(x) < hankelFrom || float(x) < float64(2*n) {
		return zero().Set(besselSeries(int64(n), x, -1, func(int64) num { return nil }))
	}
	a, _ := hankel(0, x)
	b, _ := hankel(1, x)
	return forward(n, x, a, b)
}

// Yn returns Bessel's function of the second kind of order n >= 0, for x > 0.
func Yn(n int, x num) num {
	var y0, y1 num
	if float(x) >= hankelFrom {
		_, y0 = hankel(0, x)
		_, y1 = hankel(1, x)
	} else {
		// DLMF 10.8.1 for orders 0 and 1
		l := zero().SetPrec(prec+100).Add(Log(scale(x, -1)), Euler())
		none := func(int64) num { return nil }
		h := []num{zero()} // harmonic numbers
		harmonic := func(k int64) num {
			for int64(len(h)) <= k {
				h = append(h, Add(h[len(h)-1], Quo(integer(1), integer(int64(len(h))))))
			}
			return h[k]
		}
		pi := zero().Set(Pi())
		y0 = scale(Quo(Sub(Mul(l, besselSeries(0, x, -1, none)), besselSeries(0, x, -1, harmonic)), pi), 1)
		both := besselSeries(1, x, -1, func(k int64) num { return Add(harmonic(k), harmonic(k+1)) })
		y1 = Sub(scale(Mul(l, besselSeries(1, x, -1, none)), 1), both)
		y1.Sub(y1, Quo(integer(2), x))
		y1.Quo(y1, pi)
	}
	return forward(n, x, y0, y1)
}

// forward returns the function of order n, from those of orders 0 and 1.
func forward(n int, x num, a, b num) num {
	if n == 0 {
		return a
	}
	for k := 1; k < n; k++ {
		a, b = b, Sub(Quo(Mul(integer(int64(2*k)), b), x), a)
	}
	return b
}

// In returns the modified Bessel function of the first kind of order n >= 0, for x of at most some
// hundreds.
func In(n int, x num) num {
	return zero().Set(besselSeries(int64(n), x, 1, func(int64) num { return nil }))
}
