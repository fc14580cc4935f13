package device

import "math"

// The Poisson distribution, by two methods that both have it exactly, up to the rounding of
// float64. For a mean below 10, uniform numbers are multiplied until the product is below e^-mean
// (Knuth, The Art of Computer Programming, volume 2, 3.4.1). Above, transformed rejection: a
// uniform number is stretched to nearly the right shape, and mostly taken at once (Hörmann, The
// Transformed Rejection Method for Generating Poisson Random Variables, 1993, algorithm PTRS).
// cuRAND's methods are others, and above 4000 it takes rounded normal numbers.

// philoxOpen returns (x + 1/2) / 2^32, from (0, 1).
func philoxOpen(x uint32) float64 { return float64(float64(x)*0x1p-32) + 0x1p-33 }

// Poisson returns a number of the Poisson distribution with this mean. How many words it takes
// depends on them. The result is 0 for a mean that is 0, negative or NaN, and at most 2^32-1. In
// place of cuRAND's curand_poisson: the distribution is the same, the numbers are not.
func (s *Philox) Poisson(mean float64) uint32 {
	if !(mean > 0) {
		return 0
	}
	if mean > math.MaxUint32 {
		return math.MaxUint32
	}
	if mean < 10 {
		k := uint32(0)
		least := seriesExp(-mean)
		for p := philoxOpen(s.Uint32()); p > least; p *= philoxOpen(s.Uint32()) {
			k++
		}
		return k
	}
	root := math.Sqrt(mean)
	b := 0.931 + float64(2.53*root)
	a := -0.059 + float64(0.02483*b)
	inverse := 1.1239 + 1.1328/(b-3.4)
	take := 0.9277 - 3.6224/(b-2)
	for {
		u := philoxOpen(s.Uint32()) - 0.5
		v := philoxOpen(s.Uint32())
		us := 0.5 - math.Abs(u)
		k := math.Floor(float64((2*a/us+b)*u) + mean + 0.43)
		if us >= 0.07 && v <= take {
			return uint32(min(k, math.MaxUint32))
		}
		if k < 0 || us < 0.013 && v > us {
			continue
		}
		// The density of the stretched number against that of k.
		if seriesLog(v*inverse/(a/(us*us)+b)) <= logPoisson(k, mean) {
			return uint32(min(k, math.MaxUint32))
		}
	}
}

// logPoisson returns the logarithm of the probability of k: k ln mean - mean - ln k!.
func logPoisson(k, mean float64) float64 {
	if k < 10 {
		f := 1.0
		for i := 2.0; i < 10; i++ {
			if i <= k {
				f *= i
			}
		}
		return float64(k*seriesLog(mean)) - mean - seriesLog(f)
	}
	// Stirling's series for ln k!, so that what is left is k (ln(1+d) - d) with d = (mean-k)/k, of
	// which nothing cancels but d. The terms left out are below 1e-12.
	d := (mean - k) / k
	l := 0.0
	if d > -0.3 && d < 0.42 {
		l = seriesLog1p(d)
	} else {
		l = seriesLog(mean / k)
	}
	r := 1 / k
	z := r * r
	rest := float64(r * (1.0/12 - float64(z*(1.0/360-float64(z*(1.0/1260-float64(z*(1.0/1680))))))))
	return float64(k*(l-d)) - 0.5*seriesLog(2*math.Pi*k) - rest
}
