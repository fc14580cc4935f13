package device

import "math"

// Numbers of the normal, log-normal and Poisson distributions from a [Philox] generator. Normal
// numbers come in pairs (Box and Muller, A Note on the Generation of Random Normal Deviates, 1958):
// with u and v uniform, sqrt(-2 ln u) is the length and 2 pi v the angle of a point with two normal
// coordinates. As cuRAND does, the functions for one number keep the second for the next call. They
// take the same words as cuRAND's. The numbers are within 1e-5 of cuRAND's in float32, where it
// uses the fast sine of the hardware, and within 4 ulp of the formula in float64.
//
// The logarithm, sine and exponential are power series written out here, in float64 and without
// tables: a kernel makes them part of itself, and the numbers are the same on every machine.

// The first bits of ln 2, so that their product with a small integer is exact, and the rest.
const (
	ln2High = 0x1.62e42fefap-1
	ln2Low  = math.Ln2 - ln2High
)

// seriesLog1p returns ln(1+f) for -0.3 < f < 0.42: 2 artanh(s) with s = f/(2+f), by the series to
// s^21. What is left out is below 2^-60 of it.
func seriesLog1p(f float64) float64 {
	s := f / (2 + f)
	z := float64(s * s)
	p := 1.0/19 + float64(z*(1.0/21))
	p = 1.0/17 + float64(z*p)
	p = 1.0/15 + float64(z*p)
	p = 1.0/13 + float64(z*p)
	p = 1.0/11 + float64(z*p)
	p = 1.0/9 + float64(z*p)
	p = 1.0/7 + float64(z*p)
	p = 1.0/5 + float64(z*p)
	p = 1.0/3 + float64(z*p)
	return 2*s + float64(2*s*float64(z*p))
}

// seriesLog returns ln x for positive normal x, within 2 ulp.
func seriesLog(x float64) float64 {
	b := math.Float64bits(x)
	e := float64(int64(b>>52) - 1023)
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	if m > math.Sqrt2 {
		m *= 0.5
		e++
	}
	return float64(e*ln2High) + (seriesLog1p(m-1) + float64(e*ln2Low))
}

// seriesSincosPi returns the sine and cosine of pi v for 0 <= v <= 2, within 2 ulp. v less a
// multiple of 1/2 is exact, and the Taylor series end at x^17 and x^16, with what is left out below
// 2^-57 for x up to pi/4.
func seriesSincosPi(v float64) (sin, cos float64) {
	q := math.RoundToEven(2 * v)
	x := math.Pi * (v - 0.5*q)
	z := float64(x * x)

	s := -1.0/1307674368000 + float64(z*(1.0/355687428096000))
	s = 1.0/6227020800 + float64(z*s)
	s = -1.0/39916800 + float64(z*s)
	s = 1.0/362880 + float64(z*s)
	s = -1.0/5040 + float64(z*s)
	s = 1.0/120 + float64(z*s)
	s = -1.0/6 + float64(z*s)
	sin = x + float64(x*float64(z*s))

	c := -1.0/87178291200 + float64(z*(1.0/20922789888000))
	c = 1.0/479001600 + float64(z*c)
	c = -1.0/3628800 + float64(z*c)
	c = 1.0/40320 + float64(z*c)
	c = -1.0/720 + float64(z*c)
	c = 1.0/24 + float64(z*c)
	c = -0.5 + float64(z*c)
	cos = 1 + float64(z*c)

	// A quarter of a turn makes (s, c) of (c, -s), half a turn changes the signs.
	if q == 1 || q == 3 {
		sin, cos = cos, -sin
	}
	if q == 2 || q == 3 {
		sin, cos = -sin, -cos
	}
	return sin, cos
}

// seriesExp returns e^x within 1.2 ulp, with overflow, underflow and NaN. The Taylor series ends at
// r^13, with what is left out below 2^-57 for r up to ln(2)/2.
func seriesExp(x float64) float64 {
	x = min(max(x, -800), 800) // beyond them it is 0 and infinity anyway
	k := math.RoundToEven(float64(x * (1 / math.Ln2)))
	r := (x - float64(k*ln2High)) - float64(k*ln2Low)
	p := 1.0/479001600 + float64(r*(1.0/6227020800))
	p = 1.0/39916800 + float64(r*p)
	p = 1.0/3628800 + float64(r*p)
	p = 1.0/362880 + float64(r*p)
	p = 1.0/40320 + float64(r*p)
	p = 1.0/5040 + float64(r*p)
	p = 1.0/720 + float64(r*p)
	p = 1.0/120 + float64(r*p)
	p = 1.0/24 + float64(r*p)
	p = 1.0/6 + float64(r*p)
	p = 0.5 + float64(r*p)
	p = 1 + float64(r*p)
	p = 1 + float64(r*p)
	if x != x {
		return x
	}
	// 2^k in two factors, since it may be out of range where the result is not.
	half := int64(k) >> 1
	return p * math.Float64frombits(uint64(1023+half)<<52) * math.Float64frombits(uint64(1023+int64(k)-half)<<52)
}

// boxMuller returns two normal numbers made of two words.
func boxMuller(x, y uint32) (a, b float32) {
	r := math.Sqrt(-2 * seriesLog(float64(philoxUniform32(x))))
	sin, cos := seriesSincosPi(float64(float64(y)*0x1p-31) + 0x1p-32)
	return float32(r * sin), float32(r * cos)
}

// boxMullerDouble returns two normal numbers made of four words.
func boxMullerDouble(x Uint4) (a, b float64) {
	r := math.Sqrt(-2 * seriesLog(philoxUniform64(x.X, x.Y)))
	sin, cos := seriesSincosPi(float64(float64(uint64(x.Z)^uint64(x.W)<<21)*0x1p-52) + 0x1p-53)
	return r * sin, r * cos
}

// Normal returns a number of the normal distribution with mean 0 and standard deviation 1. cuRAND's
// curand_normal.
func (s *Philox) Normal() float32 {
	if s.SpareOf == spareNormal {
		s.SpareOf = spareNone
		return s.Spare
	}
	x := s.Uint32()
	y := s.Uint32()
	a, b := boxMuller(x, y)
	s.Spare, s.SpareOf = b, spareNormal
	return a
}

// Normal2 returns two normal numbers, and leaves the spare one alone. cuRAND's curand_normal2.
func (s *Philox) Normal2() Float2 {
	x := s.Uint32()
	y := s.Uint32()
	a, b := boxMuller(x, y)
	return Float2{a, b}
}

// Normal4 returns four normal numbers, and leaves the spare one alone. cuRAND's curand_normal4.
func (s *Philox) Normal4() Float4 {
	x := s.Uint4()
	a, b := boxMuller(x.X, x.Y)
	c, d := boxMuller(x.Z, x.W)
	return Float4{a, b, c, d}
}

// NormalDouble is [Philox.Normal] in float64, made of 53 bits; its spare number is another one.
// cuRAND's curand_normal_double.
func (s *Philox) NormalDouble() float64 {
	if s.SpareDoubleOf == spareNormal {
		s.SpareDoubleOf = spareNone
		return s.SpareDouble
	}
	a, b := boxMullerDouble(s.Uint4())
	s.SpareDouble, s.SpareDoubleOf = b, spareNormal
	return a
}

// Normal2Double is [Philox.Normal2] in float64. cuRAND's curand_normal2_double.
func (s *Philox) Normal2Double() Double2 {
	a, b := boxMullerDouble(s.Uint4())
	return Double2{a, b}
}

// Normal4Double is [Philox.Normal4] in float64. cuRAND's curand_normal4_double.
func (s *Philox) Normal4Double() Double4 {
	a, b := boxMullerDouble(s.Uint4())
	c, d := boxMullerDouble(s.Uint4())
	return Double4{a, b, c, d}
}

// logNormal32 returns e^(mean + stddev*x), the exponent rounded to float32 as it is in cuRAND.
func logNormal32(x, mean, stddev float32) float32 {
	return float32(seriesExp(float64(mean + float32(stddev*x))))
}

func logNormal64(x, mean, stddev float64) float64 { return seriesExp(mean + float64(stddev*x)) }

// LogNormal returns e^(mean + stddev*x) with x normal. The number that it keeps has this call's
// mean and stddev, as in cuRAND. cuRAND's curand_log_normal.
func (s *Philox) LogNormal(mean, stddev float32) float32 {
	if s.SpareOf == spareLogNormal {
		s.SpareOf = spareNone
		return s.Spare
	}
	x := s.Uint32()
	y := s.Uint32()
	a, b := boxMuller(x, y)
	s.Spare, s.SpareOf = logNormal32(b, mean, stddev), spareLogNormal
	return logNormal32(a, mean, stddev)
}

// LogNormal2 returns two numbers, and leaves the spare one alone. cuRAND's curand_log_normal2.
func (s *Philox) LogNormal2(mean, stddev float32) Float2 {
	x := s.Normal2()
	return Float2{logNormal32(x.X, mean, stddev), logNormal32(x.Y, mean, stddev)}
}

// LogNormal4 returns four numbers, and leaves the spare one alone. cuRAND's curand_log_normal4.
func (s *Philox) LogNormal4(mean, stddev float32) Float4 {
	x := s.Normal4()
	return Float4{logNormal32(x.X, mean, stddev), logNormal32(x.Y, mean, stddev),
		logNormal32(x.Z, mean, stddev), logNormal32(x.W, mean, stddev)}
}

// LogNormalDouble is [Philox.LogNormal] in float64. cuRAND's curand_log_normal_double.
func (s *Philox) LogNormalDouble(mean, stddev float64) float64 {
	if s.SpareDoubleOf == spareLogNormal {
		s.SpareDoubleOf = spareNone
		return s.SpareDouble
	}
	a, b := boxMullerDouble(s.Uint4())
	s.SpareDouble, s.SpareDoubleOf = logNormal64(b, mean, stddev), spareLogNormal
	return logNormal64(a, mean, stddev)
}

// LogNormal2Double is [Philox.LogNormal2] in float64. cuRAND's curand_log_normal2_double.
func (s *Philox) LogNormal2Double(mean, stddev float64) Double2 {
	x := s.Normal2Double()
	return Double2{logNormal64(x.X, mean, stddev), logNormal64(x.Y, mean, stddev)}
}

// LogNormal4Double is [Philox.LogNormal4] in float64. cuRAND's curand_log_normal4_double.
func (s *Philox) LogNormal4Double(mean, stddev float64) Double4 {
	x := s.Normal4Double()
	return Double4{logNormal64(x.X, mean, stddev), logNormal64(x.Y, mean, stddev),
		logNormal64(x.Z, mean, stddev), logNormal64(x.W, mean, stddev)}
}
