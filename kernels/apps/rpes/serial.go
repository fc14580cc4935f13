package rpes

import "math"

// The reference, which has no roots: the mean of a product of coordinates (see kernels.go) is a
// polynomial in u = t², and the integral of u^k is F_k.

// IntegralsSerial is the reference of [Integrals], in float64. It does not check its arguments.
func IntegralsSerial(shells []Shell, values []float64) {
	IntegralsOf(0, len(shells)*(len(shells)+1)/2, shells, values)
}

// IntegralsOf is IntegralsSerial for the quartets on whose left is a pair of shells from number
// from to number to-1, in the order (0, 0), (1, 0), (1, 1), (2, 0) and so on, and on whose right is
// the same or an earlier one. It sets these alone.
func IntegralsOf(from, to int, shells []Shell, values []float64) {
	var first []int
	at := 0
	for _, s := range shells {
		first = append(first, at)
		at += s.functions()
	}
	sides := make([]side, 0, to)
	for i, a := range shells {
		for j, b := range shells[:i+1] {
			if len(sides) == to {
				break
			}
			s := side{[2]Shell{a, b}, [2]int{first[i], first[j]}, make([][numbersPP]float64, 0, len(a.Exponents)*len(b.Exponents))}
			for k := range a.Exponents {
				for l := range b.Exponents {
					s.products = append(s.products, primitives(a, b, k, l))
				}
			}
			sides = append(sides, s)
		}
	}
	for p := from; p < to; p++ {
		for q := range p + 1 {
			quartetSerial(&sides[p], &sides[q], values)
		}
	}
}

// A side is a pair of shells with the numbers of all pairs of their primitives.
type side struct {
	shells   [2]Shell
	first    [2]int // functions
	products [][numbersPP]float64
}

// quartetSerial computes the integrals of two pairs of shells.
func quartetSerial(a, b *side, values []float64) {
	s := [4]Shell{a.shells[0], a.shells[1], b.shells[0], b.shells[1]}
	degree := s[0].L + s[1].L + s[2].L + s[3].L
	count := s[0].functions() * s[1].functions() * s[2].functions() * s[3].functions()
	var sums [81]float64
	for i := range a.products {
		left := &a.products[i]
		for j := range b.products {
			right := &b.products[j]
			if degree == 0 {
				sums[0] += factor(left, right) * f0(distance(left, right))
				continue
			}
			f := Boys(degree, distance(left, right))
			for n := range count {
				axes := component(s, n)
				var product []coordinate
				for m, shell := range s {
					if shell.L == 1 {
						product = append(product, coordinate{m, axes[m]})
					}
				}
				sum := 0.0
				for power, coefficient := range mean(product, left, right) {
					sum += coefficient * f[min(power, degree)]
				}
				sums[n] += factor(left, right) * sum
			}
		}
	}
	for n := range count {
		axes := component(s, n)
		values[Index(a.first[0]+axes[0], a.first[1]+axes[1], b.first[0]+axes[2], b.first[1]+axes[3])] = sums[n]
	}
}

// component returns the axes of the functions of component n, 0 for those of s shells.
func component(s [4]Shell, n int) (axes [4]int) {
	for m := 3; m >= 0; m-- {
		axes[m] = n % s[m].functions()
		n /= s[m].functions()
	}
	return axes
}

func factor(left, right *[numbersPP]float64) float64 {
	return left[4] * right[4] / math.Sqrt(left[0]+right[0])
}

// distance is x, the argument of the Boys functions.
func distance(left, right *[numbersPP]float64) float64 {
	x, y, z := left[1]-right[1], left[2]-right[2], left[3]-right[3]
	return left[0] * right[0] / (left[0] + right[0]) * (x*x + y*y + z*z)
}

// f0 is F_0 by the error function.
func f0(x float64) float64 {
	if x < 1e-9 {
		return 1 - x/3
	}
	r := math.Sqrt(x)
	return math.Sqrt(math.Pi) / 2 * math.Erf(r) / r
}

// A coordinate is one of the factors of a product: of function 0 to 3 along an axis, relative to
// the function's center.
type coordinate struct{ function, axis int }

// A polynomial in u has at most the degree 4.
type polynomial [5]float64

// mean is the mean of a product of coordinates.
func mean(product []coordinate, left, right *[numbersPP]float64) polynomial {
	if len(product) == 0 {
		return polynomial{1}
	}
	x, rest := product[0], product[1:]
	p, q := left[0], right[0]
	between := right[1+x.axis] - left[1+x.axis]
	var of polynomial // the mean of x
	if x.function < 2 {
		of[0], of[1] = left[5+3*x.function+x.axis], q/(p+q)*between
	} else {
		of[0], of[1] = right[5+3*(x.function-2)+x.axis], -p/(p+q)*between
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
