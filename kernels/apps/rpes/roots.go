package rpes

import (
	"math"

	"github.com/gocuda/gocuda/kernels"
)

// Boys functions, and the roots and weights of Rys quadrature from them.
//
// F_m(x) = integral from 0 to 1 of t^2m exp(-x t²) dt (Boys, Proc. R. Soc. A 200, 542, 1950). The
// highest that is needed comes from a table, by Taylor's series around the nearest of the points
// i/8: F_m' = -F_(m+1), so that the coefficients are F_(m+k)(i/8) (-1)^k/k!. Eight of them leave an
// error below (1/16)^8/8!/(2m+17) = 4e-16, and five, for float32, one of 8e-10. From there F_m =
// (2x F_(m+1) + exp(-x))/(2m+1) goes down, which adds positive numbers. From x = 40 on F_0 is
// sqrt(pi/x)/2 to 4e-19, and the same equation goes up: there exp(-x) is nothing beside F_m.
//
// Rys quadrature (Dupuis, Rys and King, J. Chem. Phys. 65, 111, 1976) is Gauss's for the weight
// exp(-x t²) and polynomials in u = t²: sum_i w_i f(u_i) is the integral of f(t²) exp(-x t²) for f
// of degree 2n-1 or less. The moments of the weight are the F_m. Orthogonal polynomials from
// moments are ill-conditioned for many roots (Gautschi, Orthogonal Polynomials, 2004, section 2.1);
// here are three at most. And an error of a root does little: what is computed has small residuals,
// that is, polynomials that are orthogonal within some roundings of the moments, so that the
// quadrature is exact for moments that are off by so much. The integral of any f of degree 4 or
// less with coefficients c_k is then off by some roundings of sum |c_k| F_k. TestRoots holds the
// moments that are reproduced to 64 roundings each.

const (
	boysStep = 8  // points of the table from one whole number to the next
	boysEnd  = 40 // where the table ends

	rootPi = 1.7724538509055160272981674833411451827975494561224 // the root of pi
)

// boys returns F_m(x), of the m that the table is made for, for 0 <= x <= boysEnd.
func boys[T kernels.Float](x T, terms int32, table []T) T {
	point := int32(x*boysStep + 0.5)
	d := x - T(point)/boysStep
	var f T
	for k := range terms {
		f = f*d + table[point*terms+k]
	}
	return f
}

// far returns F_0(x) for x >= boysEnd.
func far[T kernels.Float](x T) T { return rootPi / 2 * T(math.Sqrt(float64(1/x))) }

// boys0 returns F_0(x).
func boys0[T kernels.Float](x T, terms int32, table []T) T {
	f := boys(min(x, boysEnd), terms, table)
	if x >= boysEnd {
		f = far(x)
	}
	return f
}

// boys1 returns F_0(x) and F_1(x).
func boys1[T kernels.Float](x T, terms int32, table []T) (f0, f1 T) {
	e := T(math.Exp(float64(-x)))
	f1 = boys(min(x, boysEnd), terms, table)
	f0 = 2*x*f1 + e
	if x >= boysEnd {
		f0 = far(x)
		f1 = (f0 - e) / (2 * x)
	}
	return f0, f1
}

// roots2 returns two roots and their weights. All is computed for u max(x, 1), so that no power of
// a small root underflows.
func roots2[T kernels.Float](x T, terms int32, table []T) (u1, u2, w1, w2 T) {
	e := T(math.Exp(float64(-x)))
	f3 := boys(min(x, boysEnd), terms, table)
	f2 := (2*x*f3 + e) * T(1./5)
	f1 := (2*x*f2 + e) * T(1./3)
	f0 := 2*x*f1 + e
	scale := max(x, 1)
	f1, f2, f3 = f1*scale, f2*scale*scale, f3*scale*scale*scale
	if x >= boysEnd {
		f0 = far(x)
		f1 = (f0 - e) * T(0.5)
		f2 = (3*f1 - e*x) * T(0.5)
		f3 = (5*f2 - e*x*x) * T(0.5)
	}
	// u² - 2bu + c is orthogonal to 1 and u.
	d := 1 / (f0*f2 - f1*f1)
	b := (f0*f3 - f1*f2) * d * T(0.5)
	c := (f1*f3 - f2*f2) * d
	u1 = b + T(math.Sqrt(float64(b*b-c)))
	u2 = c / u1
	w1 = (f1 - u2*f0) / (u1 - u2)
	back := 1 / scale
	return u1 * back, u2 * back, w1, f0 - w1
}

// roots3 returns three roots and their weights.
func roots3[T kernels.Float](x T, terms int32, table []T) (u1, u2, u3, w1, w2, w3 T) {
	e := T(math.Exp(float64(-x)))
	f5 := boys(min(x, boysEnd), terms, table)
	f4 := (2*x*f5 + e) * T(1./9)
	f3 := (2*x*f4 + e) * T(1./7)
	f2 := (2*x*f3 + e) * T(1./5)
	f1 := (2*x*f2 + e) * T(1./3)
	f0 := 2*x*f1 + e
	scale := max(x, 1)
	square := scale * scale
	f1, f2, f3, f4, f5 = f1*scale, f2*square, f3*square*scale, f4*square*square, f5*square*square*scale
	if x >= boysEnd {
		f0 = far(x)
		f1 = (f0 - e) * T(0.5)
		f2 = (3*f1 - e*x) * T(0.5)
		f3 = (5*f2 - e*x*x) * T(0.5)
		f4 = (7*f3 - e*x*x*x) * T(0.5)
		f5 = (9*f4 - e*x*x*x*x) * T(0.5)
	}
	// The recurrence p_(k+1) = (u - a_k) p_k - b_k p_(k-1) of the orthogonal polynomials, by
	// Chebyshev's algorithm: s_k are the integrals of p_1 u^k, r_k those of p_2 u^k.
	g := 1 / f0
	a0 := f1 * g
	s1, s2, s3, s4 := f2-a0*f1, f3-a0*f2, f4-a0*f3, f5-a0*f4
	h := 1 / s1
	a1, b1 := s2*h-a0, s1*g
	r2, r3 := s3-a1*s2-b1*f2, s4-a1*s3-b1*f3
	a2, b2 := r3/r2-s2*h, r2*h
	// p_3 = u³ - c2 u² + c1 u - c0 has three positive roots. Laguerre's method comes down to the
	// largest from the right.
	c2 := a0 + a1 + a2
	c1 := a0*a1 + a0*a2 + a1*a2 - b1 - b2
	c0 := a0*a1*a2 - b1*a2 - b2*a0
	u1 = c2
	for range 4 {
		p := ((u1-c2)*u1+c1)*u1 - c0
		p1 := (3*u1-2*c2)*u1 + c1
		p2 := 6*u1 - 2*c2
		u1 -= 3 * p / (p1 + T(math.Sqrt(float64(max(4*p1*p1-6*p*p2, T(0x1p-60))))))
	}
	m := (c2 - u1) * T(0.5)
	u2 = m + T(math.Sqrt(float64(max(m*m-c0/u1, T(0x1p-60)))))
	u3 = c0 / (u1 * u2)
	w1, w2, w3 = christoffel(u1, a0, a1, b1, b2, f0), christoffel(u2, a0, a1, b1, b2, f0), christoffel(u3, a0, a1, b1, b2, f0)
	back := 1 / scale
	return u1 * back, u2 * back, u3 * back, w1, w2, w3
}

// christoffel returns the weight of a root: the reciprocal of the sum of the squares of the
// orthonormal polynomials there.
func christoffel[T kernels.Float](u, a0, a1, b1, b2, f0 T) T {
	p1 := u - a0
	p2 := (u-a1)*p1 - b1
	return f0 * b1 * b2 / (b1*b2 + p1*p1*b2 + p2*p2)
}

// boysTerms returns how many terms of Taylor's series T needs.
func boysTerms[T kernels.Float]() int32 {
	if T(1)+T(0x1p-40) == 1 {
		return 5
	}
	return 8
}

// boysTable returns the table for F_m: the terms of each point, the highest first.
func boysTable[T kernels.Float](m int) []T {
	const points = boysEnd*boysStep + 1
	terms := int(boysTerms[T]())
	table := make([]T, points*terms)
	for i := range points {
		f := Boys(m+terms-1, float64(i)/boysStep)
		factorial := 1.0
		for k := range terms {
			table[i*terms+terms-1-k] = T(f[m+k] / factorial)
			factorial *= -float64(k + 1)
		}
	}
	return table
}

// Boys returns F_0(x) to F_m(x) for x >= 0, with a few roundings each. F_m is its series, sum_i
// (2x)^i exp(-x)/((2m+1)(2m+3)...(2m+2i+1)), the terms of which are positive.
func Boys(m int, x float64) []float64 {
	f := make([]float64, m+1)
	e := math.Exp(-x)
	if x > 700 { // where there is nothing left of exp(-x)
		f[0] = math.Sqrt(math.Pi/x) / 2
		for k := 1; k <= m; k++ {
			f[k] = float64(2*k-1) * f[k-1] / (2 * x)
		}
		return f
	}
	term := 1 / float64(2*m+1)
	sum := term
	for i := 1; term > sum*1e-18; i++ {
		term *= 2 * x / float64(2*m+2*i+1)
		sum += term
	}
	f[m] = e * sum
	for k := m - 1; k >= 0; k-- {
		f[k] = (2*x*f[k+1] + e) / float64(2*k+1)
	}
	return f
}
