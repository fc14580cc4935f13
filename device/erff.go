package device

import "math"

// The error function, its relatives and inverses in float32. Where the result is the small
// difference from 1, or the tail of the normal distribution, e^(-x*x) needs more digits of x*x than
// float32 has, and the functions of widef.go do the work.

// Erff returns the error function: CUDA's erff. Erff(±0) is ±0. Largest error found: 1.53 ulp
// (CUDA: 2; the table in The CUDA Handbook has 3).
func Erff(x float32) float32 {
	b := math.Float32bits(x)
	a := math.Float32frombits(b &^ (1 << 31))
	// Below 0.9: 2/sqrt(pi) x + x^3 P(x^2), relative error 2^-26.2.
	z := float32(a * a)
	p := float32(z*-0.000612720964) + 0.00502020586
	p = float32(z*p) + -0.0267856084
	p = float32(z*p) + 0.112823784
	p = float32(z*p) + -0.376125574
	const hi, lo = 0x1.20ep0, -3.880165449e-05 // 2/sqrt(pi), the first of 12 bits
	h := head12(a)
	y := float32(h*hi) + ((float32((a-h)*hi) + float32(a*lo)) + float32(float32(z*a)*p))
	if !(a < 0.9) {
		// 1 - 2^P(x), relative error 2^-29. From 3.95 on it is 1.
		if a > 3.95 {
			a = 3.95
		}
		p := float32(a*0.000289170013) + -0.00445351936
		p = float32(a*p) + 0.0323155709
		p = float32(a*p) + -0.150452271
		p = float32(a*p) + -0.918684661
		p = float32(a*p) + -1.62722921
		p = float32(a*p) + -0.000201777584
		p, n := exp2Partf(p)
		y = 1 - float32(p*math.Float32frombits(uint32(n+127)<<23))
	}
	return math.Float32frombits(math.Float32bits(y) | b&(1<<31))
}

// erfcxWide returns e^(a*a) erfc(a) for finite a >= 0: P(t)/(1+2a) with t = (a-3)/(a+3), after M.
// M. Shepherd and J. G. Laframboise, Chebyshev approximation of (1+2x)exp(x^2)erfc x, Mathematics
// of Computation 36 (1981). P is minimax in relative error, 2^-28.2.
func erfcxWide(a float64) float64 {
	t := (a - 3) / (a + 3)
	p := float64(t*7.5766546383677336e-5) + -9.2929537974688591e-5
	p = float64(t*p) + -0.00072239538991911438
	p = float64(t*p) + 0.0018759852181318788
	p = float64(t*p) + 0.0024952725740008705
	p = float64(t*p) + -0.023764314386866398
	p = float64(t*p) + 0.06831814167571483
	p = float64(t*p) + -0.11927503413887312
	p = float64(t*p) + 0.12964385572437584
	p = float64(t*p) + -0.047562183882553274
	p = float64(t*p) + -0.13562105779032771
	p = float64(t*p) + 1.2530080568353177
	return p / (1 + 2*a)
}

// erfcWide returns erfc(x), for |x| > 11 as for 11.
func erfcWide(x float64) float64 {
	x = clampWide(x, 11)
	a := math.Abs(x)
	y := float64(exp2Wide(float64(float64(a*a)*-math.Log2E)) * erfcxWide(a))
	if x < 0 {
		y = 2 - y
	}
	return y
}

// Erfcf returns 1 - erf(x): CUDA's erfcf. It is subnormal from 9.2 and 0 from 10.06 on. Largest
// error found: 0.56 ulp (CUDA: 4; the table in The CUDA Handbook has 6).
func Erfcf(x float32) float32 {
	return float32(erfcWide(float64(x)))
}

// Erfcxf returns e^(x*x) erfc(x), which is about 1/(x sqrt(pi)) for large x: CUDA's erfcxf. It is
// infinite below -9.38. Largest error found: 0.56 ulp (CUDA: 4; the table in The CUDA Handbook has
// 6).
func Erfcxf(x float32) float32 {
	v := float64(x)
	a := math.Abs(v)
	y := erfcxWide(a)
	if a > math.MaxFloat32 {
		y = 0
	}
	if v < 0 {
		a = clampWide(a, 11)
		y = 2*exp2Wide(float64(float64(a*a)*math.Log2E)) - y
	}
	return float32(y)
}

// Normcdff returns the cumulative standard normal distribution, erfc(-x/sqrt(2))/2: CUDA's
// normcdff. Largest error found: 0.56 ulp (CUDA: 5; the table in The CUDA Handbook has 6).
func Normcdff(x float32) float32 {
	return float32(0.5 * erfcWide(float64(float64(x)*(-math.Sqrt2/2))))
}

// erfcinvWide returns x with erfc(x) = y, for 0 < y < 2: two steps of Halley's method, of third
// order, from a guess that is right to 0.4% (S. Winitzki, A handy approximation for the error
// function and its inverse, 2008). d is 1-y, which near y = 1 has digits that y has lost.
func erfcinvWide(y, d float64) float64 {
	tail := math.Min(y, 2-y)
	l := math.Log(tail * (2 - tail))
	c := 2/(math.Pi*0.147) + 0.5*l
	// sqrt(c*c - l/0.147) - c, without its cancellation
	x := math.Sqrt((-l / 0.147) / (math.Sqrt(float64(c*c)-l/0.147) + c))
	for range 2 {
		// How far erf is from its goal, over its derivative.
		var f float64
		if tail > 0.5 {
			f = math.Erf(x) - math.Abs(d)
		} else {
			f = tail - math.Erfc(x)
		}
		f *= math.Exp(x*x) * (math.SqrtPi / 2)
		x -= f / (1 + float64(x*f))
	}
	return math.Copysign(x, d)
}

// Erfinvf returns the x with erf(x) = y: CUDA's erfinvf. Erfinvf(±0) is ±0, Erfinvf(±1) infinite;
// beyond it is NaN. Largest error found: 0.52 ulp (CUDA: 2; the table in The CUDA Handbook has 3).
func Erfinvf(y float32) float32 {
	v := float64(y)
	switch {
	case math.Abs(v) < 0x1p-14:
		return float32(v * (math.SqrtPi / 2))
	case math.Abs(v) == 1:
		return float32(v * math.Inf(1))
	case !(math.Abs(v) < 1):
		return float32(math.NaN())
	}
	return float32(erfcinvWide(1-v, v))
}

// Erfcinvf returns the x with erfc(x) = y: CUDA's erfcinvf. Erfcinvf(±0) is ∞, Erfcinvf(2) is -∞;
// it is NaN outside [0, 2]. Largest error found: 0.51 ulp (CUDA: 4; the table in The CUDA Handbook
// has 7).
func Erfcinvf(y float32) float32 {
	return float32(erfcinvLimits(float64(y)))
}

// Normcdfinvf returns the x with normcdf(x) = p: CUDA's normcdfinvf. Normcdfinvf(±0) is -∞,
// Normcdfinvf(1) is ∞; it is NaN outside [0, 1]. Largest error found: 0.51 ulp (CUDA: 5).
func Normcdfinvf(p float32) float32 {
	return float32(-math.Sqrt2 * erfcinvLimits(2*float64(p)))
}

func erfcinvLimits(y float64) float64 {
	switch {
	case y == 0:
		return math.Inf(1)
	case y == 2:
		return math.Inf(-1)
	case !(y > 0 && y < 2):
		return math.NaN()
	case y == 1:
		return 0
	}
	return erfcinvWide(y, 1-y)
}
