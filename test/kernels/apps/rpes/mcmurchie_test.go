package rpes_test

import (
	"math"

	"github.com/gocuda/gocuda/kernels/apps/rpes"
)

// An independent way to the integrals, by McMurchie and Davidson (J. Comput. Phys. 26, 218, 1978):
// products of Gaussians are sums of Hermite Gaussians, with coefficients E, and the integrals of
// those are derivatives of F_0, R. The Boys functions are by quadrature: Simpson's rule with so
// many intervals that its error is below a rounding.

// simpson returns F_m(x).
func simpson(m int, x float64) float64 {
	// exp(-x t²) is as wide as 1/sqrt(x): what is beyond ten times that is nothing.
	end := 1.0
	if x > 100 {
		end = 10 / math.Sqrt(x)
	}
	const n = 4000
	f := func(t float64) float64 { return math.Pow(t, float64(2*m)) * math.Exp(-x*t*t) }
	sum := f(0) + f(end)
	for i := 1; i < n; i++ {
		w := 4.0
		if i%2 == 0 {
			w = 2
		}
		sum += w * f(end*float64(i)/n)
	}
	return sum * end / (3 * n)
}

// hermite is E of order t for powers i and j, of exponents a and b that are d = A - B apart along
// an axis.
func hermite(i, j, t int, d, a, b float64) float64 {
	p := a + b
	switch {
	case t < 0 || t > i+j:
		return 0
	case i == 0 && j == 0:
		return math.Exp(-a * b / p * d * d)
	case j == 0:
		return hermite(i-1, j, t-1, d, a, b)/(2*p) - b/p*d*hermite(i-1, j, t, d, a, b) + float64(t+1)*hermite(i-1, j, t+1, d, a, b)
	}
	return hermite(i, j-1, t-1, d, a, b)/(2*p) + a/p*d*hermite(i, j-1, t, d, a, b) + float64(t+1)*hermite(i, j-1, t+1, d, a, b)
}

// coulomb is R of order n for derivatives t along the axes.
func coulomb(t [3]int, n int, alpha float64, d [3]float64, f []float64) float64 {
	for axis := range t {
		if t[axis] == 0 {
			continue
		}
		one, two := t, t
		one[axis]--
		two[axis] -= 2
		sum := d[axis] * coulomb(one, n+1, alpha, d, f)
		if t[axis] > 1 {
			sum += float64(t[axis]-1) * coulomb(two, n+1, alpha, d, f)
		}
		return sum
	}
	return math.Pow(-2*alpha, float64(n)) * f[n]
}

// A primitive is a normalized Gaussian with powers of x, y and z.
type primitive struct {
	exponent, factor float64
	at               [3]float64
	powers           [3]int
}

// mcmurchie is (ab|cd), with the sum of the absolute contributions of Hermite Gaussians.
func mcmurchie(a, b, c, d primitive) float64 {
	p, q := a.exponent+b.exponent, c.exponent+d.exponent
	alpha := p * q / (p + q)
	var between [3]float64
	x := 0.0
	for axis := range between {
		between[axis] = (a.exponent*a.at[axis]+b.exponent*b.at[axis])/p - (c.exponent*c.at[axis]+d.exponent*d.at[axis])/q
		x += between[axis] * between[axis]
	}
	var f []float64
	for m := range 5 {
		f = append(f, simpson(m, alpha*x))
	}
	e := func(g, h primitive, t [3]int) float64 {
		v := 1.0
		for axis := range t {
			v *= hermite(g.powers[axis], h.powers[axis], t[axis], g.at[axis]-h.at[axis], g.exponent, h.exponent)
		}
		return v
	}
	orders := [][3]int{}
	for t := range 27 {
		orders = append(orders, [3]int{t / 9, t / 3 % 3, t % 3})
	}
	sum := 0.0
	for _, t := range orders {
		left := e(a, b, t)
		if left == 0 {
			continue
		}
		for _, u := range orders {
			right := e(c, d, u)
			if right == 0 {
				continue
			}
			if (u[0]+u[1]+u[2])%2 == 1 {
				right = -right
			}
			sum += left * right * coulomb([3]int{t[0] + u[0], t[1] + u[1], t[2] + u[2]}, 0, alpha, between, f)
		}
	}
	return a.factor * b.factor * c.factor * d.factor * 2 * math.Pow(math.Pi, 2.5) / (p * q * math.Sqrt(p+q)) * sum
}

// expand returns the primitives of each function of the shells.
func expand(shells []rpes.Shell) (functions [][]primitive) {
	for _, s := range shells {
		for axis := range 2*s.L + 1 {
			var all []primitive
			for i, a := range s.Exponents {
				g := primitive{a, s.Coefficients[i] * math.Pow(2*a/math.Pi, 0.75), s.Center, [3]int{}}
				if s.L == 1 {
					g.factor *= 2 * math.Sqrt(a)
					g.powers[axis] = 1
				}
				all = append(all, g)
			}
			functions = append(functions, all)
		}
	}
	return functions
}

// repulsion is (ij|kl), and the sum of the absolute values of what it is made of.
func repulsion(i, j, k, l []primitive) (sum, size float64) {
	for _, a := range i {
		for _, b := range j {
			for _, c := range k {
				for _, d := range l {
					v := mcmurchie(a, b, c, d)
					sum += v
					size += math.Abs(v)
				}
			}
		}
	}
	return sum, size
}
