package image_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/image"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

type separable func(ctx context.Context, on kernels.Launcher, edge image.Edge, w, h int, row, column, out, in []float32) error

var separables = map[string]separable{
	"tiled": image.ConvolveSeparable,
	"naive": image.ConvolveSeparableNaive,
	"serial": func(_ context.Context, _ kernels.Launcher, edge image.Edge, w, h int, row, column, out, in []float32) error {
		serial.ConvolveSeparable(edge, w, h, row, column, out, in)
		return nil
	},
}

// separately is the definition in float64, lines of rows and then of columns, with a bound: the
// sums of the magnitudes, times the roundings of both passes and one for second order.
func separately(edge image.Edge, w, h int, row, column, in []float32) (out, bound []float64) {
	magnitudes := func(v []float64) []float64 {
		m := slices.Clone(v)
		for i := range m {
			m[i] = math.Abs(m[i])
		}
		return m
	}
	both := func(row, column, in []float64) []float64 {
		between, out := make([]float64, w*h), make([]float64, w*h)
		for y := range h {
			line, _ := convolution(edge, row, in[y*w:(y+1)*w])
			copy(between[y*w:], line)
		}
		line := make([]float64, h)
		for x := range w {
			for y := range h {
				line[y] = between[y*w+x]
			}
			line, _ := convolution(edge, column, line)
			for y := range h {
				out[y*w+x] = line[y]
			}
		}
		return out
	}
	out = both(wide(row), wide(column), wide(in))
	bound = both(magnitudes(wide(row)), magnitudes(wide(column)), magnitudes(wide(in)))
	for i := range bound {
		bound[i] *= float64(len(row)+len(column)+1) * ulp
	}
	return out, bound
}

func TestConvolveSeparableAgainstDefinition(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		// Radii of rows and columns; 32 and 33 are on both sides of the tiles' limit.
		radii := [][2]int{{1, 2}, {0, 0}, {3, 0}, {0, 5}, {32, 32}, {33, 4}, {4, 33}}
		sizes := [][2]int{{5, 7}, {0, 0}, {0, 3}, {3, 0}, {1, 1}, {33, 9}, {1, 130}, {257, 63}, {31, 129}}
		if dev.Slow {
			radii, sizes = radii[:2], sizes[:5]
		}
		for _, r := range radii {
			row, column := kerneltest.Uniform[float32](2*r[0]+1), kerneltest.Uniform[float32](2*r[1]+1)
			for _, s := range sizes {
				w, h := s[0], s[1]
				in := kerneltest.Uniform[float32](w * h)
				for _, edge := range edges {
					want, bound := separately(edge, w, h, row, column, in)
					for name, f := range separables {
						got := make([]float32, w*h)
						require.NoError(t, f(t.Context(), dev, edge, w, h, row, column, got, in))
						within(t, want, bound, got, "%s on %s, %v, radii %v, %v", name, dev.Name, s, r, edge)
					}
				}
			}
		}
	}
}

// Out may be in.
func TestConvolveSeparableInPlace(t *testing.T) {
	const w, h = 70, 90
	f, in, want := []float32{1, 2, 3}, kerneltest.Uniform[float32](w*h), make([]float32, w*h)
	for name, sep := range separables {
		got := slices.Clone(in)
		err := errors.Join(sep(t.Context(), gocuda.Default(), image.Clamp, w, h, f, f, want, in),
			sep(t.Context(), gocuda.Default(), image.Clamp, w, h, f, f, got, got))
		assert.NoError(t, err, name)
		slicetest.Equal(t, want, got, name)
	}
}

// An image of one column has more rows than a grid of the first generation has blocks and rows of
// threads.
func TestTallImages(t *testing.T) {
	const w, h = 1, 300_007
	dev := g80(t)
	in, got, want := kerneltest.Uniform[float32](h), make([]float32, h), make([]float32, h)
	f := []float32{1, 2, 4}
	serial.Convolve(image.Wrap, f, want, in)
	for name, run := range map[string]func() error{
		"separable": func() error { return image.ConvolveSeparable(t.Context(), dev, image.Wrap, w, h, f[:1], f, got, in) },
		"separable, naive": func() error {
			return image.ConvolveSeparableNaive(t.Context(), dev, image.Wrap, w, h, f[:1], f, got, in)
		},
		"2D":        func() error { return image.Convolve2D(t.Context(), dev, image.Wrap, w, h, 1, 3, f, got, in) },
		"2D, naive": func() error { return image.Convolve2DNaive(t.Context(), dev, image.Wrap, w, h, 1, 3, f, got, in) },
	} {
		clear(got)
		require.NoError(t, run())
		slicetest.InDelta(t, want, got, 7*5*2*ulp, name) // two results with five roundings of at most 7
	}
}

func TestConvolveSeparableRefusesBadArguments(t *testing.T) {
	v, w := make([]float32, 12), make([]float32, 12)
	const big = math.MaxInt/2 + 1
	for name, f := range separables {
		if name == "serial" {
			continue
		}
		for i, err := range []error{
			f(t.Context(), gocuda.Default(), image.Zero, 3, 4, v[:1], v[:1], v, w[:11]),
			f(t.Context(), gocuda.Default(), image.Zero, 3, 5, v[:1], v[:1], v, w),
			f(t.Context(), gocuda.Default(), image.Zero, -3, -4, v[:1], v[:1], v, w),
			f(t.Context(), gocuda.Default(), image.Zero, big, 4, v[:1], v[:1], v[:0], w[:0]),
			f(t.Context(), gocuda.Default(), image.Zero, 3, 4, v[:2], v[:1], v, w),
			f(t.Context(), gocuda.Default(), image.Zero, 3, 4, v[:1], nil, v, w),
			f(t.Context(), gocuda.Default(), 9, 3, 4, v[:1], v[:1], v, w),
		} {
			assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%s, %d", name, i)
		}
	}
}
