package dense_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/dense"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// A sum is rounded once, so it is the rounded sum of float64.
func TestAddAgainstGonum(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, rows := range dev.Sizes([]int{1, 2, 3, 17, 64}, 3) {
			for _, cols := range dev.Sizes([]int{1, 7, 127, 128, 129, 1031}, 4) {
				a, b := kerneltest.Uniform[float32](rows*cols), kerneltest.Uniform[float32](rows*cols + 1)[1:]
				var want mat.Dense
				want.Add(wide(rows, cols, a), wide(rows, cols, b))
				c, plain := make([]float32, len(a)), make([]float32, len(a))
				require.NoError(t, dense.Add(t.Context(), dev, rows, cols, a, b, c))
				serial.MatAdd(rows, cols, a, b, plain)
				sum := func(i int) float32 { return float32(want.At(i/cols, i%cols)) }
				slicetest.Each(t, sum, c, "%s, %d by %d", dev.Name, rows, cols)
				slicetest.Each(t, sum, plain, "serial, %d by %d", rows, cols)
			}
		}
	}
}

func TestAddMayOverwrite(t *testing.T) {
	a := []float32{1, 2, 3, 4}
	require.NoError(t, dense.Add(t.Context(), gocuda.Default(), 2, 2, a, a, a))
	assert.Equal(t, []float32{2, 4, 6, 8}, a)
}

func TestAddRefusesWrongLengths(t *testing.T) {
	v := make([]float32, 6)
	ctx, dev := t.Context(), gocuda.Default()
	mustBeInvalid(t, map[string]error{
		"a":        dense.Add(ctx, dev, 2, 3, v[:5], v, v),
		"b":        dense.Add(ctx, dev, 2, 3, v, v[:5], v),
		"c":        dense.Add(ctx, dev, 2, 3, v, v, nil),
		"negative": dense.Add(ctx, dev, -2, -3, v, v, v),
		"overflow": dense.Add(ctx, dev, math.MinInt, 2, nil, nil, nil),
	})
	assert.NoError(t, dense.Add(ctx, dev, 0, 5, nil, nil, nil))
}
