package rpes

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
)

// A Shell is a set of functions that differ in direction only: one for L = 0, an s shell, and
// three, along x, y and z, for L = 1, a p shell. Each is a sum over primitive Gaussians, which are
// normalized by themselves:
//
//	s(r) = sum_i c_i (2 a_i/pi)^(3/4) exp(-a_i |r-A|^2)
//	p_x(r) = sum_i c_i (128 a_i^5/pi^3)^(1/4) (x-A_x) exp(-a_i |r-A|^2)
type Shell struct {
	L            int
	Center       [3]float64 // A, in bohr
	Exponents    []float64  // a, in 1/bohr²
	Coefficients []float64  // c
}

// functions is how many functions the shell has.
func (s Shell) functions() int { return 2*s.L + 1 }

// valid returns an error unless s is a shell that can be computed with.
func (s Shell) valid(number int) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("kernels: two-electron integrals: shell %d: %w: %s", number, gocuda.ErrInvalidValue, fmt.Sprintf(format, args...))
	}
	finite := func(x float64) bool { return x-x == 0 }
	switch {
	case s.L != 0 && s.L != 1:
		return fmt.Errorf("kernels: two-electron integrals: shell %d: %w: L = %d; there are s and p shells, 0 and 1", number, gocuda.ErrNotSupported, s.L)
	case len(s.Exponents) == 0 || len(s.Exponents) != len(s.Coefficients):
		return fail("%d exponents and %d coefficients", len(s.Exponents), len(s.Coefficients))
	}
	for i, a := range s.Exponents {
		if !(a >= 1e-6 && a <= 1e9) {
			return fail("an exponent of %v; want 1e-6 to 1e9", a)
		}
		if c := s.Coefficients[i]; !finite(c) {
			return fail("a coefficient of %v", c)
		}
	}
	for _, x := range s.Center {
		if !finite(x) || math.Abs(x) > 1e6 {
			return fail("a center at %v", s.Center)
		}
	}
	return nil
}

// norm is the factor that normalizes a primitive Gaussian of exponent a.
func norm(l int, a float64) float64 {
	if l == 0 {
		return math.Pow(2*a/math.Pi, 0.75)
	}
	return math.Pow(128*a*a*a*a*a/(math.Pi*math.Pi*math.Pi), 0.25)
}

// Functions returns the number of functions of all shells. They are numbered in the order of the
// shells.
func Functions(shells []Shell) int {
	n := 0
	for _, s := range shells {
		n += s.functions()
	}
	return n
}
