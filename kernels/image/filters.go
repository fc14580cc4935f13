package image

import (
	"math"

	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The two filters that everybody needs. Both separate: blur an image by [ConvolveSeparable] with
// the same filter for rows and columns.

// Gaussian returns a filter of 2*radius+1 elements in the proportions of exp(-x²/(2 sigma²)) at the
// distance x from the middle, whose sum is 1. Sigma is in pixels. With a radius of 3 sigma the
// filter has all but 0.3 percent of the curve's weight.
func Gaussian(radius int, sigma float64) ([]float32, error) {
	if radius < 0 || radius >= maxSide/2 || !(sigma > 0) || math.IsInf(sigma, 1) {
		return nil, check.Invalid("Gaussian", "radius %d, sigma %v", radius, sigma)
	}
	weight := func(x int) float64 {
		d := float64(x) / sigma
		return math.Exp(-d * d / 2)
	}
	sum := weight(0)
	for x := 1; x <= radius; x++ {
		sum += 2 * weight(x)
	}
	filter := make([]float32, 2*radius+1)
	for x := 0; x <= radius; x++ {
		v := float32(weight(x) / sum)
		filter[radius-x], filter[radius+x] = v, v
	}
	return filter, nil
}

// Box returns a filter of 2*radius+1 equal elements, whose sum is 1: the mean of what it covers.
func Box(radius int) ([]float32, error) {
	if radius < 0 || radius >= maxSide/2 {
		return nil, check.Invalid("box filter", "radius %d", radius)
	}
	filter := make([]float32, 2*radius+1)
	for i := range filter {
		filter[i] = 1 / float32(len(filter))
	}
	return filter, nil
}
