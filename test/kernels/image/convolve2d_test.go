package image_test

import (
	"context"
	"errors"
	"math"
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

type convolve2D func(ctx context.Context, on kernels.Launcher, edge image.Edge, w, h, fw, fh int, filter, out, in []float32) error

var convolutions2D = map[string]convolve2D{
	"tiled": image.Convolve2D,
	"naive": image.Convolve2DNaive,
	"serial": func(_ context.Context, _ kernels.Launcher, edge image.Edge, w, h, fw, fh int, filter, out, in []float32) error {
		serial.Convolve2D(edge, w, h, fw, fh, filter, out, in)
		return nil
	},
}

// plane is the definition in float64, on an image that is padded on all sides.
func plane(edge image.Edge, w, h, fw, fh int, filter, in []float32) (out, bound []float64) {
	rx, ry := fw/2, fh/2
	// Rows first, and then the columns of what came of that.
	rows := make([][]float64, h)
	for y := range rows {
		rows[y] = padded(edge, wide(in[y*w:(y+1)*w]), rx)
	}
	all := make([][]float64, h+2*ry)
	for y := range all {
		all[y] = make([]float64, w+2*rx)
	}
	column := make([]float64, h)
	for x := range w + 2*rx {
		for y := range h {
			column[y] = rows[y][x]
		}
		for y, v := range padded(edge, column, ry) {
			all[y][x] = v
		}
	}
	for y := range h {
		for x := range w {
			var sum, size float64
			for j := range fh {
				for k := range fw {
					v := float64(filter[j*fw+k]) * all[y+2*ry-j][x+2*rx-k]
					sum += v
					size += math.Abs(v)
				}
			}
			out, bound = append(out, sum), append(bound, size*float64(fw*fh+1)*ulp)
		}
	}
	return out, bound
}

func TestConvolve2DAgainstDefinition(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		// Filters of 33 and 35 are on both sides of the tile's limit.
		filters := [][2]int{{3, 3}, {1, 5}, {33, 33}, {35, 3}, {3, 35}}
		sizes := [][2]int{{5, 7}, {0, 0}, {0, 3}, {3, 0}, {1, 1}, {33, 9}, {31, 33}, {65, 35}}
		if dev.Slow {
			filters, sizes = filters[:2], sizes[:5]
		}
		for _, f := range filters {
			fw, fh := f[0], f[1]
			filter := kerneltest.Uniform[float32](fw * fh)
			for _, s := range sizes {
				w, h := s[0], s[1]
				in := kerneltest.Uniform[float32](w * h)
				for _, edge := range edges {
					want, bound := plane(edge, w, h, fw, fh, filter, in)
					for name, f := range convolutions2D {
						got := make([]float32, w*h)
						require.NoError(t, f(t.Context(), dev, edge, w, h, fw, fh, filter, got, in))
						within(t, want, bound, got, "%s on %s, %v, filter %d by %d, %v", name, dev.Name, s, fw, fh, edge)
					}
				}
			}
		}
	}
}

// A filter that is a product gives what the separable convolution gives.
func TestConvolve2DOfAProduct(t *testing.T) {
	const w, h = 90, 100
	row, column := []float32{1, -2, 3}, []float32{2, 1, -1, 4, 5} // their products are exact
	var filter []float32
	for _, c := range column {
		for _, r := range row {
			filter = append(filter, c*r)
		}
	}
	in := make([]float32, w*h)
	for i := range in {
		in[i] = float32(i * i % 1009) // so are the sums
	}
	for _, edge := range edges {
		got, want := make([]float32, w*h), make([]float32, w*h)
		err := errors.Join(image.Convolve2D(t.Context(), gocuda.Default(), edge, w, h, 3, 5, filter, got, in),
			image.ConvolveSeparable(t.Context(), gocuda.Default(), edge, w, h, row, column, want, in))
		assert.NoError(t, err)
		slicetest.Equal(t, want, got, edge)
	}
}

func TestConvolve2DRefusesBadArguments(t *testing.T) {
	v, w := make([]float32, 12), make([]float32, 12)
	for name, f := range convolutions2D {
		if name == "serial" {
			continue
		}
		for i, err := range []error{
			f(t.Context(), gocuda.Default(), image.Zero, 3, 4, 1, 1, v[:1], v, w[:11]),
			f(t.Context(), gocuda.Default(), image.Zero, 4, 4, 1, 1, v[:1], v, w),
			f(t.Context(), gocuda.Default(), image.Zero, -3, -4, 1, 1, v[:1], v, w),
			f(t.Context(), gocuda.Default(), image.Zero, 3, 4, 3, 1, v[:1], v, w),
			f(t.Context(), gocuda.Default(), image.Zero, 3, 4, 2, 1, v[:2], v, w),
			f(t.Context(), gocuda.Default(), image.Zero, 3, 4, -1, -1, v[:1], v, w),
			f(t.Context(), gocuda.Default(), image.Zero, 3, 4, 0, 1, nil, v, w),
			f(t.Context(), gocuda.Default(), image.Zero, 3, 4, math.MaxInt, math.MaxInt, v[:1], v, w),
			f(t.Context(), gocuda.Default(), 9, 3, 4, 1, 1, v[:1], v, w),
		} {
			assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%s, %d", name, i)
		}
	}
}
