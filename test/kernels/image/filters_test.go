package image_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/image"
)

func TestGaussian(t *testing.T) {
	for _, sigma := range []float64{0.3, 1, 2.5, 40, 1e9} {
		for _, radius := range []int{0, 1, 7, 100} {
			f, err := image.Gaussian(radius, sigma)
			require.NoError(t, err)
			require.Len(t, f, 2*radius+1)
			sum := 0.0
			for k, v := range f {
				sum += float64(v)
				d := float64(k-radius) / sigma
				want := float64(f[radius]) * math.Exp(-d*d/2)
				assert.InDelta(t, want, v, 3*ulp*want+1e-45, "radius %d, sigma %v: element %d", radius, sigma, k)
			}
			assert.InDelta(t, 1, sum, float64(len(f))*ulp, "radius %d, sigma %v: the sum", radius, sigma)
		}
	}
	// Far narrower than a pixel it is an impulse.
	f, err := image.Gaussian(1, 5e-324)
	require.NoError(t, err)
	assert.Zero(t, f[0])
	assert.Equal(t, float32(1), f[1])
	assert.Zero(t, f[2])
}

func TestBox(t *testing.T) {
	for _, radius := range []int{0, 1, 50} {
		f, err := image.Box(radius)
		require.NoError(t, err)
		require.Len(t, f, 2*radius+1)
		slicetest.Each(t, func(int) float32 { return 1 / float32(2*radius+1) }, f, "radius %d", radius)
	}
}

func TestFiltersRefuseBadArguments(t *testing.T) {
	for _, a := range []struct {
		radius int
		sigma  float64
	}{{-1, 1}, {math.MaxInt, 1}, {1, 0}, {1, -1}, {1, math.NaN()}, {1, math.Inf(1)}} {
		_, err := image.Gaussian(a.radius, a.sigma)
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, a)
	}
	for _, radius := range []int{-1, math.MaxInt} {
		_, err := image.Box(radius)
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, radius)
	}
}
