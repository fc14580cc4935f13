package exact

// The elementary functions. Each keeps its relative precision near zeros: expm1 and log1p are the
// base, not exp and log.

// far is beyond what any exponential of interest takes: larger arguments are cut to it.
const far = 100000

// Exp returns e^x.
func Exp(x num) num {
	if exponent(x) > 17 {
		if x.Sign() > 0 {
			x = integer(far)
		} else {
			x = integer(-far)
		}
	}
	k := int(float(Quo(x, Ln2())) + 0.5)
	r := scale(Sub(x, Mul(integer(int64(k)), Ln2())), -12)
	e := sum(integer(1), func(k int64, t num) num { return Quo(Mul(t, r), integer(k)) })
	for range 12 {
		e.Mul(e, e)
	}
	return scale(e, k)
}

// Expm1 returns e^x - 1.
func Expm1(x num) num {
	if exponent(x) > -1 {
		return Sub(Exp(x), integer(1))
	}
	if x.Sign() == 0 {
		return zero()
	}
	return sum(x, func(k int64, t num) num { return Quo(Mul(t, x), integer(k+1)) })
}

// Exp2 returns 2^x, and Exp10 10^x.
func Exp2(x num) num  { return Exp(Mul(x, Ln2())) }
func Exp10(x num) num { return Exp(Mul(x, Ln10())) }

// atanhSeries returns atanh(s) for |s| of at most about 1/3.
func atanhSeries(s num) num {
	if s.Sign() == 0 {
		return zero()
	}
	s2, p := Mul(s, s), zero().Set(s)
	return sum(s, func(k int64, _ num) num {
		p.Mul(p, s2)
		return Quo(p, integer(2*k+1))
	})
}

// Log returns the natural logarithm of x > 0.
func Log(x num) num {
	m := zero()
	k := x.MantExp(m)
	if m.Cmp(New(0.7)) < 0 {
		m = scale(m, 1)
		k--
	}
	one := integer(1)
	l := scale(atanhSeries(Quo(Sub(m, one), Add(m, one))), 1)
	if k == 0 {
		return l
	}
	return l.Add(l, Mul(integer(int64(k)), Ln2()))
}

// Log1p returns log(1+x) for x > -1.
func Log1p(x num) num {
	if exponent(x) > -2 {
		return Log(zero().SetPrec(prec+1100).Add(integer(1), x))
	}
	return scale(atanhSeries(Quo(x, Add(x, integer(2)))), 1)
}

// Log2 and Log10 return logarithms of x > 0 to the bases 2 and 10.
func Log2(x num) num  { return Quo(Log(x), Ln2()) }
func Log10(x num) num { return Quo(Log(x), Ln10()) }

// Pow returns x^y for x > 0.
func Pow(x, y num) num { return Exp(Mul(y, Log(x))) }

// Cbrt returns the cube root of x.
func Cbrt(x num) num {
	if x.Sign() < 0 {
		return Neg(Cbrt(Neg(x)))
	}
	if x.Sign() == 0 {
		return zero()
	}
	return Exp(Quo(Log(x), integer(3)))
}

// Hypot returns the square root of the sum of squares.
func Hypot(x ...num) num {
	s := zero()
	for _, v := range x {
		s.Add(s, Mul(v, v))
	}
	return Sqrt(s)
}

// Sinh, Cosh and Tanh return hyperbolic functions.
func Sinh(x num) num {
	if x.Sign() < 0 {
		return Neg(Sinh(Neg(x)))
	}
	e := Expm1(x)
	return scale(Add(e, Quo(e, Add(e, integer(1)))), -1)
}

func Cosh(x num) num {
	e := Exp(abs(x))
	return scale(Add(e, Quo(integer(1), e)), -1)
}

func Tanh(x num) num {
	if x.Sign() < 0 {
		return Neg(Tanh(Neg(x)))
	}
	e := Expm1(scale(x, 1))
	return Quo(e, Add(e, integer(2)))
}

// Asinh, Acosh and Atanh return the inverses of the hyperbolic functions.
func Asinh(x num) num {
	if x.Sign() < 0 {
		return Neg(Asinh(Neg(x)))
	}
	one, x2 := integer(1), Mul(x, x)
	return Log1p(Add(x, Quo(x2, Add(one, Sqrt(Add(one, x2))))))
}

func Acosh(x num) num {
	t := Sub(x, integer(1))
	return Log1p(Add(t, Sqrt(Mul(t, Add(t, integer(2))))))
}

func Atanh(x num) num {
	return scale(Log1p(Quo(scale(x, 1), Sub(integer(1), x))), -1)
}

// sincos returns the sine and the cosine of r for |r| below 1.
func sincos(r num) (sin, cos num) {
	if r.Sign() == 0 {
		return zero(), integer(1)
	}
	r2 := Neg(Mul(r, r))
	sin = sum(r, func(k int64, t num) num { return Quo(Mul(t, r2), integer(2*k*(2*k+1))) })
	cos = sum(integer(1), func(k int64, t num) num { return Quo(Mul(t, r2), integer((2*k-1)*2*k)) })
	return sin, cos
}

// quadrant turns a sine and a cosine by k quarters of a turn.
func quadrant(sin, cos num, k int64) (num, num) {
	switch k & 3 {
	case 1:
		return cos, Neg(sin)
	case 2:
		return Neg(sin), Neg(cos)
	case 3:
		return Neg(cos), sin
	}
	return sin, cos
}

// Sincos returns the sine and the cosine of x, by exact reduction.
func Sincos(x num) (sin, cos num) {
	wide := func() num { return zero().SetPrec(piDigits) }
	half := wide().SetMantExp(Pi(), -1)
	q := wide().Quo(x, half)
	if q.Sign() >= 0 {
		q.Add(q, New(0.5))
	} else {
		q.Sub(q, New(0.5))
	}
	k, _ := q.Int(nil)
	r := wide().Sub(x, wide().Mul(wide().SetInt(k), half))
	sin, cos = sincos(zero().Set(r))
	quarter := int64(0)
	for i := range 2 { // k mod 4, for negative k too
		b := k.Bit(i)
		quarter |= int64(b) << i
	}
	return quadrant(sin, cos, quarter)
}

// Sin, Cos and Tan return trigonometric functions.
func Sin(x num) num { s, _ := Sincos(x); return s }
func Cos(x num) num { _, c := Sincos(x); return c }
func Tan(x num) num { s, c := Sincos(x); return Quo(s, c) }

// Sincospi returns sin(pi x) and cos(pi x).
func Sincospi(x num) (sin, cos num) {
	q := zero().SetPrec(1400).SetMantExp(x, 1)
	if q.Sign() >= 0 {
		q.Add(q, New(0.5))
	} else {
		q.Sub(q, New(0.5))
	}
	k, _ := q.Int(nil)
	r := Sub(x, zero().SetMantExp(zero().SetInt(k), -1))
	sin, cos = sincos(Mul(r, Pi()))
	return quadrant(sin, cos, int64(k.Bit(0)|k.Bit(1)<<1))
}

// Sinpi returns sin(pi x), and Cospi cos(pi x).
func Sinpi(x num) num { s, _ := Sincospi(x); return s }
func Cospi(x num) num { _, c := Sincospi(x); return c }

// Atan returns the arc tangent.
func Atan(x num) num {
	if x.Sign() < 0 {
		return Neg(Atan(Neg(x)))
	}
	if x.Sign() == 0 {
		return zero()
	}
	one := integer(1)
	if x.Cmp(one) > 0 {
		return Sub(scale(Pi(), -1), Atan(Quo(one, x)))
	}
	const halvings = 4
	t := zero().Set(x)
	for range halvings {
		t.Quo(t, Add(one, Sqrt(Add(one, Mul(t, t)))))
	}
	t2, p := Neg(Mul(t, t)), zero().Set(t)
	return scale(sum(t, func(k int64, _ num) num {
		p.Mul(p, t2)
		return Quo(p, integer(2*k+1))
	}), halvings)
}

// Atan2 returns the angle of the point (x, y), which is not the origin.
func Atan2(y, x num) num {
	if x.Sign() == 0 {
		a := scale(Pi(), -1)
		if y.Sign() < 0 {
			a = Neg(a)
		}
		return a
	}
	a := Atan(Quo(y, x))
	if x.Sign() < 0 {
		if y.Sign() < 0 {
			return Sub(a, Pi())
		}
		return Add(a, Pi())
	}
	return a
}

// Asin returns the arc sine, and Acos the arc cosine, of |x| <= 1.
func Asin(x num) num {
	one := integer(1)
	return Atan2(x, Sqrt(Mul(Sub(one, x), Add(one, x))))
}

func Acos(x num) num {
	one := integer(1)
	if x.Cmp(one) == 0 {
		return zero()
	}
	return Atan2(Sqrt(Mul(Sub(one, x), Add(one, x))), x)
}
