package dense_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/dense"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// sides are lengths around those of a tile and of a block's rows.
var sides = []int{1, 2, 7, 8, 9, 31, 32, 33, 64, 65, 97, 131}

var transposes = map[string]func(ctx context.Context, on kernels.Launcher, rows, cols int, out, in []float32) error{
	"naive": dense.TransposeNaive, "tiled": dense.TransposeTiled, "padded": dense.Transpose,
}

func TestTransposeAgainstGonum(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		name, sides := dev.Name, dev.Sizes(sides, 7)
		for _, rows := range sides {
			for _, cols := range sides {
				in := make([]float32, rows*cols)
				wide := make([]float64, len(in))
				for i := range in {
					in[i], wide[i] = float32(i), float64(i)
				}
				want := mat.DenseCopyOf(mat.NewDense(rows, cols, wide).T()).RawMatrix().Data
				got, plain := make([]float32, len(in)), make([]float32, len(in))
				serial.Transpose(rows, cols, plain, in)
				slicetest.InDelta(t, want, plain, 0, "serial, %d by %d", rows, cols)
				for version, transpose := range transposes {
					clear(got)
					require.NoError(t, transpose(t.Context(), dev, rows, cols, got, in))
					slicetest.InDelta(t, want, got, 0, "%s, %s, %d by %d", name, version, rows, cols)
				}
			}
		}
	}
}

func TestTransposeOfNothing(t *testing.T) {
	for _, s := range [][2]int{{0, 0}, {0, 5}, {5, 0}} {
		for version, transpose := range transposes {
			assert.NoError(t, transpose(t.Context(), gocuda.Default(), s[0], s[1], nil, nil), "%s, %v", version, s)
		}
		serial.Transpose(s[0], s[1], nil, nil)
	}
}

func TestTransposeRefusesWrongLengths(t *testing.T) {
	v, w := make([]float32, 7), make([]float32, 7)
	for version, transpose := range transposes {
		for _, err := range []error{
			transpose(t.Context(), gocuda.Default(), 2, 3, v[:6], w[:7]),
			transpose(t.Context(), gocuda.Default(), 2, 3, v[:5], w[:6]),
			transpose(t.Context(), gocuda.Default(), -2, -3, v[:6], w[:6]),
		} {
			assert.ErrorIs(t, err, gocuda.ErrInvalidValue, version)
		}
	}
}
