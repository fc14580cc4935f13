package main

import (
	"flag"
	"log"
	"math"
	"math/big"

	"github.com/gocuda/gocuda/vec/internal/high"
)

var verbose = flag.Bool("v", false, "print the errors of the polynomials")

// A poly is an approximation by a polynomial: f on [lo, hi], with so many
// coefficients, the lowest first, rounded to float32 or float64.
type poly struct {
	name   string
	bits   int
	f      func(x *big.Float) *big.Float
	lo, hi float64
	n      int
}

// coefficients interpolates f at the zeros of a Chebyshev polynomial. That is
// within a small factor of the best polynomial, and the factor costs less than
// a bit: the functions are chosen such that it doesn't matter.
func (p poly) coefficients() []float64 {
	x, d := make([]*big.Float, p.n), make([]*big.Float, p.n)
	mid, half := (p.lo+p.hi)/2, (p.hi-p.lo)/2
	for i := range x {
		x[i] = high.Float(mid + half*math.Cos(math.Pi*(float64(i)+0.5)/float64(p.n)))
		d[i] = p.f(x[i])
	}
	// Newton's divided differences, then the sum of products as a polynomial.
	for k := 1; k < p.n; k++ {
		for i := p.n - 1; i >= k; i-- {
			d[i] = high.Quo(high.Sub(d[i], d[i-1]), high.Sub(x[i], x[i-k]))
		}
	}
	c := make([]*big.Float, p.n)
	for i := range c {
		c[i] = high.Int(0)
	}
	for k := p.n - 1; k >= 0; k-- { // c = c*(x - x[k]) + d[k]
		for i := p.n - 1; i >= 0; i-- {
			c[i] = high.Mul(c[i], high.Float(0).Neg(x[k]))
			if i > 0 {
				c[i] = high.Add(c[i], c[i-1])
			}
		}
		c[0] = high.Add(c[0], d[k])
	}
	r := make([]float64, p.n)
	for i := range c {
		r[i], _ = c[i].Float64()
		if p.bits == 32 {
			f, _ := c[i].Float32()
			r[i] = float64(f)
		}
	}
	if *verbose {
		rel, abs := p.error(c)
		log.Printf("%s: %d coefficients on [%.4g, %.4g], error 2^%.1f relative, 2^%.1f absolute", p.name, p.n, p.lo, p.hi, rel, abs)
	}
	return r
}

// error returns the logarithms of the largest errors of c, unrounded.
func (p poly) error(c []*big.Float) (relative, absolute float64) {
	for i := range 200 {
		x := high.Float(p.lo + (p.hi-p.lo)*(float64(i)+0.5)/200)
		y := high.Int(0)
		for k := len(c) - 1; k >= 0; k-- {
			y = high.Add(high.Mul(y, x), c[k])
		}
		want := p.f(x)
		d := high.Sub(y, want)
		r, _ := high.Quo(d, want).Float64()
		a, _ := d.Float64()
		relative, absolute = max(relative, math.Abs(r)), max(absolute, math.Abs(a))
	}
	return math.Log2(relative), math.Log2(absolute)
}

func one() *big.Float { return high.Int(1) }

func root(x *big.Float) *big.Float { return high.Int(0).Sqrt(x) }

var (
	halfLn2  = math.Ln2 / 2 * 1.0001
	logLo    = math.Sqrt2/2 - 1 - 1e-6
	logHi    = math.Sqrt2 - 1 + 1e-6
	artanhHi = 0.02944 // the square of (sqrt 2 - 1) / (sqrt 2 + 1)
	quarter  = math.Pi * math.Pi / 16 * 1.0001
)

// polys are the polynomials of the functions in math.tmpl. Leading terms that
// must be exact are taken out, and what remains is divided by its power of x.
var polys = []poly{
	{"exp32", 32, expTail, -halfLn2, halfLn2, 6},
	{"exp64", 64, expTail, -halfLn2, halfLn2, 11},
	{"exp2_32", 32, exp2Tail, -0.5, 0.5, 6},
	{"exp2_64", 64, exp2Tail, -0.5, 0.5, 11},
	{"exp2_half", 64, exp2Tail, -0.5, 0.5, 7},
	{"log32", 32, logTail, logLo, logHi, 9},
	{"log2_32", 32, func(f *big.Float) *big.Float { return high.Quo(logTail(f), high.Ln2()) }, logLo, logHi, 10},
	{"log64", 64, func(z *big.Float) *big.Float { // (log((1+s)/(1-s)) - 2s) / s^3
		return high.Scale(high.Quo(high.Sub(artanhRatio(z), one()), z), 1)
	}, 1e-12, artanhHi, 7},
	{"log2_half", 64, func(f *big.Float) *big.Float { // log2(1+f) / f
		return high.Quo(high.Log(high.Add(one(), f)), high.Mul(f, high.Ln2()))
	}, logLo, logHi, 14},
	{"pow64", 64, func(z *big.Float) *big.Float { // (artanh(s)/s - 1 - z/3) / z^2
		third := high.Quo(z, high.Int(3))
		return high.Quo(high.Sub(high.Sub(artanhRatio(z), one()), third), high.Mul(z, z))
	}, 1e-12, artanhHi, 8},
	{"sin32", 32, sinTail, 1e-12, quarter, 3},
	{"cos32", 32, cosTail, 1e-12, quarter, 3},
	{"sin64", 64, sinTail, 1e-12, quarter, 6},
	{"cos64", 64, cosTail, 1e-12, quarter, 6},
	{"sin_half", 64, sinTail, 1e-12, quarter, 4},
	{"cos_half", 64, cosTail, 1e-12, quarter, 4},
	{"tanh32", 32, tanhTail, 1e-12, 0.625 * 0.625, 5},
	{"tanh64", 64, tanhTail, 1e-12, 0.625 * 0.625, 12},
	{"erf32", 32, erfTail, 1e-12, 1, 7},
	{"erf64", 64, erfTail, 1e-12, 1, 13},
	{"erfTop32", 32, func(x *big.Float) *big.Float { // log erfc(x)
		return high.Log(high.Erfc(x))
	}, 1, 4, 9},
	{"erfc64", 64, erfcTail, -1, 0.7445, 24},    // x up to 27.3
	{"erfc32", 32, erfcxScaled, -1, 0.5421, 10}, // x up to 10.1
}

// expTail is (e^r - 1 - r) / r^2.
func expTail(r *big.Float) *big.Float {
	return high.Quo(high.Sub(high.Expm1(r), r), high.Mul(r, r))
}

// exp2Tail is (2^r - 1) / r.
func exp2Tail(r *big.Float) *big.Float {
	return high.Quo(high.Expm1(high.Mul(r, high.Ln2())), r)
}

// logTail is (log(1+f) - f) / f^2.
func logTail(f *big.Float) *big.Float {
	return high.Quo(high.Sub(high.Log(high.Add(one(), f)), f), high.Mul(f, f))
}

// artanhRatio is artanh(s)/s with z = s^2.
func artanhRatio(z *big.Float) *big.Float {
	s := root(z)
	return high.Quo(high.Log(high.Quo(high.Add(one(), s), high.Sub(one(), s))), high.Scale(s, 1))
}

// sinTail is (sin(r)/r - 1) / z with z = r^2.
func sinTail(z *big.Float) *big.Float {
	r := root(z)
	sin, _ := high.SinCos(r)
	return high.Quo(high.Sub(high.Quo(sin, r), one()), z)
}

// cosTail is (cos(r) - 1 + z/2) / z^2 with z = r^2.
func cosTail(z *big.Float) *big.Float {
	_, cos := high.SinCos(root(z))
	return high.Quo(high.Add(high.Sub(cos, one()), high.Scale(z, -1)), high.Mul(z, z))
}

// tanhTail is (tanh(x)/x - 1) / z with z = x^2.
func tanhTail(z *big.Float) *big.Float {
	x := root(z)
	return high.Quo(high.Sub(high.Quo(high.Tanh(x), x), one()), z)
}

// erfTail is erf(x)/x - 1 with z = x^2.
func erfTail(z *big.Float) *big.Float {
	x := root(z)
	return high.Sub(high.Quo(high.Erf(x), x), one())
}

// erfcTail is (1 + sqrt(pi) x) e^(x^2) erfc(x) - 1 as a function of
// t = (x-4) / (x+4), which maps all positive x to [-1, 1): M. M. Shepherd and
// J. G. Laframboise, "Chebyshev approximation of (1+2x)exp(x^2)erfc(x) in
// 0 <= x < oo", Math. Comp. 36 (1981). With this factor it is between 0 and 0.19.
func erfcTail(t *big.Float) *big.Float {
	x := high.Quo(high.Scale(high.Add(one(), t), 2), high.Sub(one(), t))
	factor := high.Add(high.Mul(x, root(high.Pi())), one())
	return high.Sub(high.Mul(factor, high.Erfcx(x)), one())
}

// erfcxScaled is (x+3) e^(x^2) erfc(x) as a function of t = (x-3) / (x+3).
func erfcxScaled(t *big.Float) *big.Float {
	x := high.Quo(high.Mul(high.Int(3), high.Add(one(), t)), high.Sub(one(), t))
	return high.Mul(high.Add(x, high.Int(3)), high.Erfcx(x))
}
