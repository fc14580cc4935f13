package device

import "math"

// Logarithms in float32. With x = 2^k (1+f) and 1+f between 2/3 and 4/3, log x = k log 2 + f L +
// f^2 Q(f), where L is 1/log(base). The first two terms are made as sums of exact products, and
// added with what the additions lose. The polynomials Q are minimax in relative error of log(1+f),
// as those of trigf.go: 2^-26.9 for all three.

// logSplitf returns f and k for a finite x > 0.
func logSplitf(x float32) (f, k float32) {
	b := math.Float32bits(x)
	k = 0
	if x < 0x1p-126 {
		b = math.Float32bits(x * 0x1p23)
		k = -23
	}
	e := int32(b-0x3f2aaaab) >> 23 // the bits of 2/3
	return math.Float32frombits(b-uint32(e)<<23) - 1, k + float32(e)
}

// logLimitf is the logarithm of what is no finite number above 0.
func logLimitf(x float32) float32 {
	switch {
	case x == 0:
		return float32(math.Inf(-1))
	case x < 0:
		return float32(math.NaN())
	}
	return x
}

// logEndf returns s + (f^2 Q(f) + rest) for the natural logarithm, s and rest being the head and
// the tail of k log 2 + f.
func logEndf(s, rest, f float32) float32 {
	p := float32(f*-0.126202047) + 0.136284947
	p = float32(f*p) + -0.122486599
	p = float32(f*p) + 0.140864119
	p = float32(f*p) + -0.166756675
	p = float32(f*p) + 0.200047597
	p = float32(f*p) + -0.249999091
	p = float32(f*p) + 0.333333343
	// f^2 Q(f) = -f^2/2 + f^3 p, of which the greater part is added with what that loses.
	z := float32(f * f)
	w := float32(-0.5 * z)
	u := s + w
	rest += w - (u - s)
	return u + (rest + float32(float32(z*f)*p))
}

// Logf returns the natural logarithm of x: CUDA's logf. Logf(±0) is -∞, below it is NaN. Largest
// error found: 0.78 ulp (CUDA: 1).
func Logf(x float32) float32 {
	f, k := logSplitf(x)
	hi := float32(k * ln2Hi)
	s := hi + f
	lost := f - (s - hi)
	y := logEndf(s, lost+float32(k*ln2Lo), f)
	if !(x > 0 && x < float32(math.Inf(1))) {
		y = logLimitf(x)
	}
	return y
}

// head12 returns x without its last 12 bits, so that its product by a constant of 12 bits is exact.
func head12(x float32) float32 {
	return math.Float32frombits(math.Float32bits(x) &^ 0xfff)
}

// Log2f returns the logarithm of x to base 2: CUDA's log2f. It is exact for powers of two.
// Log2f(±0) is -∞, below it is NaN. Largest error found: 0.97 ulp (CUDA: 1; the table in The CUDA
// Handbook has 3).
func Log2f(x float32) float32 {
	const hi, lo = 0x1.716p0, -0.000176052861 // log2(e)
	f, k := logSplitf(x)
	p := float32(f*-0.184833184) + 0.19676663
	p = float32(f*p) + -0.175885543
	p = float32(f*p) + 0.203191698
	p = float32(f*p) + -0.240665615
	p = float32(f*p) + 0.288609803
	p = float32(f*p) + -0.360668778
	p = float32(f*p) + 0.480898321
	h := head12(f)
	t := float32(h * hi)
	s := k + t
	lost := t - (s - k)
	z := float32(f * f)
	w := float32(z * -0.72134757) // as in logEndf
	u := s + w
	lost += w - (u - s)
	y := u + (lost + ((float32((f-h)*hi) + float32(f*lo)) + float32(float32(z*f)*p)))
	if !(x > 0 && x < float32(math.Inf(1))) {
		y = logLimitf(x)
	}
	return y
}

// Log10f returns the logarithm of x to base 10: CUDA's log10f. Log10f(±0) is -∞, below it is NaN.
// Largest error found: 1.16 ulp (CUDA: 2; the table in The CUDA Handbook has 3).
func Log10f(x float32) float32 {
	const hi, lo = 0x1.bccp-2, -3.168997175e-05 // log10(e)
	f, k := logSplitf(x)
	p := float32(f*-0.05513639) + 0.0592622459
	p = float32(f*p) + -0.0530995987
	p = float32(f*p) + 0.061160218
	p = float32(f*p) + -0.0724312067
	p = float32(f*p) + 0.0868806541
	p = float32(f*p) + -0.108572833
	p = float32(f*p) + 0.144764811
	p = float32(f*p) + -0.217147246
	h := head12(f)
	t := float32(h * hi)
	w := float32(k * log102Hi)
	s := w + t
	lost := t - (s - w)
	lost += float32(k * log102Lo)
	y := s + (lost + ((float32((f-h)*hi) + float32(f*lo)) + float32(float32(f*f)*p)))
	if !(x > 0 && x < float32(math.Inf(1))) {
		y = logLimitf(x)
	}
	return y
}

// Log1pf returns log(1+x), exact also where 1+x is near 1: CUDA's log1pf. Log1pf(±0) is ±0,
// Log1pf(-1) is -∞, below it is NaN. Largest error found: 0.97 ulp (CUDA: 1; the table in The CUDA
// Handbook has 2).
func Log1pf(x float32) float32 {
	u := 1 + x
	f, k := logSplitf(u)
	// What 1+x loses, in units of 2^k, goes into f; beyond 2^64 it is nothing.
	v := u - 1
	d := (1 - (u - v)) + (x - v)
	d *= math.Float32frombits(uint32(127-int32(min(k, 64))) << 23)
	g := f + d
	d -= g - f
	if x > -0.33 && x < 0.33 {
		g, k, d = x, 0, 0
	}
	hi := float32(k * ln2Hi)
	s := hi + g
	lost := g - (s - hi)
	y := logEndf(s, lost+(float32(k*ln2Lo)+d), g)
	if !(u > 0 && u < float32(math.Inf(1))) {
		y = logLimitf(u)
	}
	if x == 0 {
		y = x
	}
	return y
}
