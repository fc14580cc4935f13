package serial

import (
	"math"

	"github.com/gocuda/gocuda/kernels/apps/rpes"
)

// Two-electron integrals without roots: the mean of a product of coordinates is a polynomial in u =
// t², and the integral of u^k is the Boys function F_k.

// RPESIntegrals sets values to the two-electron repulsion integrals of shells: the reference of
// [rpes.Integrals], in float64.
func RPESIntegrals(shells []rpes.Shell, values []float64) {
	RPESIntegralsOf(0, len(shells)*(len(shells)+1)/2, shells, values)
}

// RPESIntegralsOf is [RPESIntegrals] for the quartets on whose left is a pair of shells from number
// from up to but not including number to, in the order (0, 0), (1, 0), (1, 1), (2, 0) and so on, and
// on whose right is the same or an earlier pair. It sets these alone. Programs that share the work
// among goroutines call it.
func RPESIntegralsOf(from, to int, shells []rpes.Shell, values []float64) {
	var first []int
	at := 0
	for _, s := range shells {
		first = append(first, at)
		at += components(s)
	}
	sides := make([]side, 0, to)
	for i, a := range shells {
		for j, b := range shells[:i+1] {
			if len(sides) == to {
				break
			}
			s := side{[2]rpes.Shell{a, b}, [2]int{first[i], first[j]}, make([]product, 0, len(a.Exponents)*len(b.Exponents))}
			for k := range a.Exponents {
				for l := range b.Exponents {
					s.products = append(s.products, productOf(a, b, k, l))
				}
			}
			sides = append(sides, s)
		}
	}
	for p := from; p < to; p++ {
		for q := range p + 1 {
			quartet(&sides[p], &sides[q], values)
		}
	}
}

// A side is a pair of shells with the products of all pairs of their primitives.
type side struct {
	shells   [2]rpes.Shell
	first    [2]int // functions
	products []product
}

// A product of two primitive Gaussians is a Gaussian.
type product struct {
	exponent float64
	center   [3]float64
	factor   float64
	from     [2][3]float64 // the center, from those of the two
}

// productOf returns the product of primitives i and j of two shells.
func productOf(a, b rpes.Shell, i, j int) product {
	x, y := a.Exponents[i], b.Exponents[j]
	v := product{exponent: x + y}
	square := 0.0
	for d := range 3 {
		between := a.Center[d] - b.Center[d]
		square += between * between
		v.center[d] = (x*a.Center[d] + y*b.Center[d]) / (x + y)
		v.from[0][d], v.from[1][d] = -y/(x+y)*between, x/(x+y)*between
	}
	v.factor = math.Sqrt(2*math.Pow(math.Pi, 2.5)) / (x + y) *
		a.Coefficients[i] * normalization(a.L, x) * b.Coefficients[j] * normalization(b.L, y) * math.Exp(-x*y/(x+y)*square)
	return v
}

// normalization is the factor that normalizes a primitive Gaussian of exponent a; see [rpes.Shell].
func normalization(l int, a float64) float64 {
	if l == 0 {
		return math.Pow(2*a/math.Pi, 0.75)
	}
	return math.Pow(128*math.Pow(a, 5)/math.Pow(math.Pi, 3), 0.25)
}

// components is how many functions a shell has.
func components(s rpes.Shell) int { return 2*s.L + 1 }

// quartet computes the integrals of two pairs of shells.
func quartet(a, b *side, values []float64) {
	s := [4]rpes.Shell{a.shells[0], a.shells[1], b.shells[0], b.shells[1]}
	degree := s[0].L + s[1].L + s[2].L + s[3].L
	count := components(s[0]) * components(s[1]) * components(s[2]) * components(s[3])
	var sums [81]float64
	for i := range a.products {
		left := &a.products[i]
		for j := range b.products {
			right := &b.products[j]
			if degree == 0 {
				sums[0] += factor(left, right) * f0(distance(left, right))
				continue
			}
			f := rpes.Boys(degree, distance(left, right))
			for n := range count {
				axes := component(s, n)
				var factors []coordinate
				for m, shell := range s {
					if shell.L == 1 {
						factors = append(factors, coordinate{m, axes[m]})
					}
				}
				sum := 0.0
				for power, coefficient := range mean(factors, left, right) {
					sum += coefficient * f[min(power, degree)]
				}
				sums[n] += factor(left, right) * sum
			}
		}
	}
	for n := range count {
		axes := component(s, n)
		values[rpes.Index(a.first[0]+axes[0], a.first[1]+axes[1], b.first[0]+axes[2], b.first[1]+axes[3])] = sums[n]
	}
}

// component returns the axes of the functions of component n, 0 for those of s shells.
func component(s [4]rpes.Shell, n int) (axes [4]int) {
	for m := 3; m >= 0; m-- {
		axes[m] = n % components(s[m])
		n /= components(s[m])
	}
	return axes
}

// factor is the factor before the sum over polynomials.
func factor(left, right *product) float64 {
	return left.factor * right.factor / math.Sqrt(left.exponent+right.exponent)
}

// distance is x, the argument of the Boys functions.
func distance(left, right *product) float64 {
	x, y, z := left.center[0]-right.center[0], left.center[1]-right.center[1], left.center[2]-right.center[2]
	return left.exponent * right.exponent / (left.exponent + right.exponent) * (x*x + y*y + z*z)
}

// f0 is F_0 by the error function.
func f0(x float64) float64 {
	if x < 1e-9 {
		return 1 - x/3
	}
	r := math.Sqrt(x)
	return math.Sqrt(math.Pi) / 2 * math.Erf(r) / r
}

// A coordinate is one of the factors of a product: of function 0 to 3 along an axis, relative to the
// function's center.
type coordinate struct{ function, axis int }

// A polynomial in u has at most the degree 4.
type polynomial [5]float64

// mean is the mean of a product of coordinates: the sum over all ways to pair some of them, of the
// covariances of the pairs times the means of the others (Isserlis, Biometrika 12, 134, 1918).
func mean(factors []coordinate, left, right *product) polynomial {
	if len(factors) == 0 {
		return polynomial{1}
	}
	x, rest := factors[0], factors[1:]
	p, q := left.exponent, right.exponent
	between := right.center[x.axis] - left.center[x.axis]
	var of polynomial // the mean of x
	if x.function < 2 {
		of[0], of[1] = left.from[x.function][x.axis], q/(p+q)*between
	} else {
		of[0], of[1] = right.from[x.function-2][x.axis], -p/(p+q)*between
	}
	sum := of.times(mean(rest, left, right))
	for i, y := range rest {
		if y.axis != x.axis {
			continue
		}
		var both polynomial // the covariance of x and y
		switch {
		case x.function < 2 && y.function < 2:
			both[0], both[1] = 1/(2*p), -q/(2*p*(p+q))
		case x.function >= 2 && y.function >= 2:
			both[0], both[1] = 1/(2*q), -p/(2*q*(p+q))
		default:
			both[1] = 1 / (2 * (p + q))
		}
		others := append(append([]coordinate(nil), rest[:i]...), rest[i+1:]...)
		for k, v := range both.times(mean(others, left, right)) {
			sum[k] += v
		}
	}
	return sum
}

// times returns a product. What is above the degree 4 is 0.
func (a polynomial) times(b polynomial) (c polynomial) {
	for i, x := range a {
		for j := range len(b) - i {
			c[i+j] += x * b[j]
		}
	}
	return c
}
