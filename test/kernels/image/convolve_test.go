package image_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/floats"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/image"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

type convolve func(ctx context.Context, on kernels.Launcher, edge image.Edge, filter, out, in []float32) error

// convolutions are those of lines, the serial one with the others.
var convolutions = map[string]convolve{
	"tiled": image.Convolve,
	"naive": image.ConvolveNaive,
	"serial": func(_ context.Context, _ kernels.Launcher, edge image.Edge, filter, out, in []float32) error {
		serial.Convolve(edge, filter, out, in)
		return nil
	},
}

func TestConvolveAgainstDefinition(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		// 512 and 513 are on both sides of the tile's limit.
		for _, r := range dev.Sizes([]int{1, 3, 0, 31, 512, 513}, 3) {
			filter := kerneltest.Uniform[float32](2*r + 1)
			sizes := []int{0, 1, 2, 7, 255, 1023, 1024, 1025, 2047, 3001}
			for _, n := range dev.Sizes(sizes, 5) {
				in := kerneltest.Uniform[float32](n)
				for _, edge := range edges {
					want, bound := convolution(edge, wide(filter), wide(in))
					for name, f := range convolutions {
						got := make([]float32, n)
						require.NoError(t, f(t.Context(), dev, edge, filter, got, in))
						within(t, want, bound, got, "%s on %s, n %d, r %d, %v", name, dev.Name, n, r, edge)
					}
				}
			}
		}
	}
}

// The convolution theorem: a convolution of a line that repeats is the product of the spectra.
func TestConvolveAgainstFFT(t *testing.T) {
	for _, s := range [][2]int{{1200, 4}, {1999, 200}, {30, 40}} {
		n, r := s[0], s[1]
		filter, in, got := kerneltest.Uniform[float32](2*r+1), kerneltest.Uniform[float32](n), make([]float32, n)
		require.NoError(t, image.Convolve(t.Context(), gocuda.Default(), image.Wrap, filter, got, in))
		around := make([]float64, n) // the filter, its middle at 0
		for k, f := range filter {
			around[((k-r)%n+n)%n] += float64(f)
		}
		fft := fourier.NewFFT(n)
		product := fft.Coefficients(nil, around)
		for i, c := range fft.Coefficients(nil, wide(in)) {
			product[i] *= c
		}
		want := fft.Sequence(nil, product)
		_, bound := convolution(image.Wrap, wide(filter), wide(in))
		floats.Scale(1/float64(n), want)
		// The transforms are in float64; 1e-10 is far above their error and below that of float32.
		slicetest.Within(t, want, got, func(i int) float64 { return bound[i] + 1e-10 }, "n %d, r %d", n, r)
	}
}

// The response to an impulse is the filter itself, not turned round.
func TestConvolveOfAnImpulse(t *testing.T) {
	filter := []float32{1, 2, 3, 4, 5}
	for name, f := range convolutions {
		for _, dev := range kerneltest.Devices(t) {
			in, got := make([]float32, 300), make([]float32, 300)
			in[100] = 1
			require.NoError(t, f(t.Context(), dev, image.Zero, filter, got, in))
			slicetest.Equal(t, filter, got[98:103], "%s on %s: %v", name, dev.Name, got[97:104])
			assert.Zero(t, got[97], "%s on %s: %v", name, dev.Name, got[97:104])
			assert.Zero(t, got[103], "%s on %s: %v", name, dev.Name, got[97:104])
		}
	}
}

func TestConvolveOnStream(t *testing.T) {
	s := gocuda.Default().NewStream()
	defer s.Close()
	on := kernels.OnStream(s)
	in, filter := kerneltest.Uniform[float32](5000), []float32{1, 2, 4}
	once, twice := make([]float32, len(in)), make([]float32, len(in))
	for _, f := range []func(context.Context, kernels.Launcher, image.Edge, []float32, []float32, []float32) error{image.Convolve, image.ConvolveNaive} {
		own := slices.Clone(filter)
		require.NoError(t, errors.Join(f(t.Context(), on, image.Wrap, own, once, in), f(t.Context(), on, image.Wrap, own, twice, once)))
		clear(own) // it has been copied
		require.NoError(t, s.Synchronize(t.Context()))
		square := []float64{1, 4, 12, 16, 16} // (1 + 2x + 4x²)²
		want, bound := convolution(image.Wrap, square, wide(in))
		// Two passes with three products each are six roundings, as many as the bound of five has.
		within(t, want, bound, twice)
	}
}

func TestConvolveRefusesBadArguments(t *testing.T) {
	v := make([]float32, 8)
	for i, err := range []error{
		image.Convolve(t.Context(), gocuda.Default(), image.Zero, v[:3], v[:4], v[:5]),
		image.Convolve(t.Context(), gocuda.Default(), image.Zero, v[:2], v[:4], v[4:]),
		image.Convolve(t.Context(), gocuda.Default(), image.Zero, nil, v[:4], v[4:]),
		image.Convolve(t.Context(), gocuda.Default(), 3, v[:1], v[:4], v[4:]),
		image.Convolve(t.Context(), gocuda.Default(), -1, v[:1], v[:4], v[4:]),
		image.Convolve(t.Context(), gocuda.Default(), image.Zero, make([]float32, 2000), v[:4], v[4:]),
		image.ConvolveNaive(t.Context(), gocuda.Default(), image.Zero, v[:3], v[:4], v[:5]),
		image.ConvolveNaive(t.Context(), gocuda.Default(), image.Zero, nil, v[:4], v[4:]),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%d", i)
	}
}
