package device

import "math"

// Lengths of vectors and their reciprocals. The components are scaled by a power of two so that no
// square overflows or gets lost; the sum of squares has two float64, and the root is corrected by
// one step of Newton's iteration.

// normScale returns a power of two, by which components of at most a can be multiplied, and its
// inverse.
func normScale(a float64) (scale, back float64) {
	scale, back = 1, 1
	if a > 0x1p500 {
		scale, back = 0x1p-600, 0x1p600
	}
	if a < 0x1p-450 {
		scale, back = 0x1p600, 0x1p-600
	}
	return scale, back
}

// addSquare returns h + l + x^2.
func addSquare(h, l, x float64) (float64, float64) {
	ph, pl := prod2(x, x)
	s, e := sum2(h, ph)
	return s, l + (e + pl)
}

// rootSum returns sqrt(h+l).
func rootSum(h, l float64) float64 {
	r := math.Sqrt(h)
	if r == 0 {
		return r
	}
	return r + (math.FMA(-r, r, h)+l)/(2*r)
}

// inverseRootSum returns 1/sqrt(h+l), for h > 0.
func inverseRootSum(h, l float64) float64 {
	y := 1 / math.Sqrt(h)
	ph, pl := prod2(h, y)
	e := math.FMA(-ph, y, 1) - float64((pl+float64(l*y))*y)
	return math.FMA(0.5*y, e, y)
}

// normOf returns the length of a vector of four.
func normOf(a, b, c, d float64) float64 {
	a, b, c, d = math.Abs(a), math.Abs(b), math.Abs(c), math.Abs(d)
	if a > math.MaxFloat64 || b > math.MaxFloat64 || c > math.MaxFloat64 || d > math.MaxFloat64 {
		return math.Inf(1) // even with NaN
	}
	f, back := normScale(max(a, b, c, d))
	a, b, c, d = a*f, b*f, c*f, d*f
	h, l := prod2(a, a)
	h, l = addSquare(h, l, b)
	h, l = addSquare(h, l, c)
	h, l = addSquare(h, l, d)
	return float64(rootSum(h, l) * back)
}

// rnormOf returns the reciprocal of the length of a vector of four.
func rnormOf(a, b, c, d float64) float64 {
	a, b, c, d = math.Abs(a), math.Abs(b), math.Abs(c), math.Abs(d)
	if a > math.MaxFloat64 || b > math.MaxFloat64 || c > math.MaxFloat64 || d > math.MaxFloat64 {
		return 0
	}
	m := max(a, b, c, d)
	if m == 0 {
		return math.Inf(1)
	}
	f, _ := normScale(m)
	a, b, c, d = a*f, b*f, c*f, d*f
	h, l := prod2(a, a)
	h, l = addSquare(h, l, b)
	h, l = addSquare(h, l, c)
	h, l = addSquare(h, l, d)
	return float64(inverseRootSum(h, l) * f)
}

// Hypot returns sqrt(x^2 + y^2) without overflow or underflow on the way: CUDA's hypot. It is
// infinite if either is, even if the other is NaN. The largest error found is 0.71 ulp; the bound
// is 2.
func Hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	if x > math.MaxFloat64 || y > math.MaxFloat64 {
		return math.Inf(1)
	}
	f, back := normScale(max(x, y))
	x, y = x*f, y*f
	h, l := prod2(x, x)
	h, l = addSquare(h, l, y)
	return float64(rootSum(h, l) * back)
}

// Rhypot returns 1/sqrt(x^2 + y^2): CUDA's rhypot. The largest error found is 0.63 ulp; the bound is 1.
func Rhypot(x, y float64) float64 { return rnormOf(x, y, 0, 0) }

// Norm3d returns sqrt(a^2 + b^2 + c^2): CUDA's norm3d. The largest error found is 0.74 ulp; the
// bound is 1.
func Norm3d(a, b, c float64) float64 { return normOf(a, b, c, 0) }

// Norm4d returns sqrt(a^2 + b^2 + c^2 + d^2): CUDA's norm4d. The largest error found is 0.74 ulp;
// the bound is 1.
func Norm4d(a, b, c, d float64) float64 { return normOf(a, b, c, d) }

// Rnorm3d returns 1/Norm3d(a, b, c): CUDA's rnorm3d. The largest error found is 0.51 ulp; the bound
// is 1.
func Rnorm3d(a, b, c float64) float64 { return rnormOf(a, b, c, 0) }

// Rnorm4d returns 1/Norm4d(a, b, c, d): CUDA's rnorm4d. The largest error found is 0.69 ulp; the
// bound is 1.
func Rnorm4d(a, b, c, d float64) float64 { return rnormOf(a, b, c, d) }
