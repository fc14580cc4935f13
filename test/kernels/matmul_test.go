package kernels_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
)

type matmul func(ctx context.Context, on kernels.Launcher, m, n, k int, a, b, c []float32) error

var matmuls = map[string]matmul{
	"tiled": kernels.MatMul,
	"naive": kernels.MatMulNaive,
	"serial": func(_ context.Context, _ kernels.Launcher, m, n, k int, a, b, c []float32) error {
		kernels.MatMulSerial(m, n, k, a, b, c)
		return nil
	},
}

// shapes are m, n and k around the width of a tile.
var shapes = [][3]int{
	{1, 1, 1}, {1, 1, 17}, {1, 16, 15}, {16, 1, 31}, {2, 3, 5}, {15, 16, 17}, {16, 16, 16}, {17, 15, 16}, {17, 17, 17},
	{31, 33, 1}, {37, 29, 41}, {64, 48, 32}, {97, 101, 89},
}

// sizesFor leaves out what takes long on goroutines, where the sizes are not lengths.
func sizesFor[T any](device string, sizes []T) []T {
	return sizes[:len(lengthsFor(device, awkward[:len(sizes)]))]
}

// outOf is the error that a sum of k products of numbers up to 1 can have, in float32.
func outOf(k int) float64 { return float64(k+1) * float64(k) * 0x1p-24 }

func TestMatMulAgainstBLAS(t *testing.T) {
	for name, dev := range devices(t) {
		for method, mul := range matmuls {
			for _, s := range sizesFor(name, shapes) {
				m, n, k := s[0], s[1], s[2]
				a, b := randoms(m*k), randoms(k*n)
				c, want := randoms(m*n), make([]float32, m*n) // what is in c before does not matter
				blas32.Gemm(blas.NoTrans, blas.NoTrans, 1,
					blas32.General{Rows: m, Cols: k, Stride: k, Data: a},
					blas32.General{Rows: k, Cols: n, Stride: n, Data: b}, 0,
					blas32.General{Rows: m, Cols: n, Stride: n, Data: want})
				require.NoError(t, mul(t.Context(), dev, m, n, k, a, b, c))
				slicetest.InDelta(t, want, c, outOf(k), "%s, %s, %v", name, method, s)
			}
		}
	}
}

// Small integers have exact products and sums, so no element may be off at all.
func TestMatMulOfIntegersIsExact(t *testing.T) {
	const m, n, k = 35, 18, 49
	a, b, want := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
	for i := range a {
		a[i] = float32(i%13 - 6)
	}
	for i := range b {
		b[i] = float32(i%7 - 3)
	}
	for i := range m {
		for j := range n {
			for p := range k {
				want[i*n+j] += a[i*k+p] * b[p*n+j]
			}
		}
	}
	for method, mul := range matmuls {
		c := make([]float32, m*n)
		require.NoError(t, mul(t.Context(), gocuda.Default(), m, n, k, a, b, c))
		slicetest.Equal(t, want, c, method)
	}
}

// Rows and columns beyond the edge are 0 in the tiles; what is infinite within must not meet them.
func TestMatMulKeepsInfinitiesApart(t *testing.T) {
	inf := float32(math.Inf(1))
	for method, mul := range matmuls {
		c := make([]float32, 4)
		require.NoError(t, mul(t.Context(), gocuda.Default(), 2, 2, 1, []float32{inf, 1}, []float32{1, 2}, c))
		assert.Equal(t, inf, c[0], method)
		assert.Equal(t, inf, c[1], method)
		assert.Equal(t, float32(1), c[2], method)
		assert.Equal(t, float32(2), c[3], method)
	}
}

func TestMatMulOfEmptyMatrices(t *testing.T) {
	for method, mul := range matmuls {
		for _, s := range [][3]int{{0, 0, 0}, {0, 3, 2}, {3, 0, 2}, {3, 2, 0}} {
			m, n, k := s[0], s[1], s[2]
			c := randoms(m * n)
			assert.NoError(t, mul(t.Context(), gocuda.Default(), m, n, k, make([]float32, m*k), make([]float32, k*n), c), "%s, %v", method, s)
			slicetest.Each(t, func(int) float32 { return 0 }, c, "%s: an empty sum", method)
		}
	}
}

func TestMatMulRefusesWrongLengths(t *testing.T) {
	v := make([]float32, 7)
	for method, mul := range matmuls {
		if method == "serial" {
			continue
		}
		for _, err := range []error{
			mul(t.Context(), gocuda.Default(), 2, 3, 1, v[:1], v[:3], v[:6]),
			mul(t.Context(), gocuda.Default(), 2, 3, 1, v[:2], v[:4], v[:6]),
			mul(t.Context(), gocuda.Default(), 2, 3, 1, v[:2], v[:3], v[:7]),
			mul(t.Context(), gocuda.Default(), -2, -3, -1, v[:2], v[:3], v[:6]),
			mul(t.Context(), gocuda.Default(), math.MinInt, 2, math.MinInt, nil, nil, nil), // m*k wraps to 0
		} {
			assert.ErrorIs(t, err, gocuda.ErrInvalidValue, method)
		}
	}
}

// Problems without block kernels say so.
func TestMissingForms(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	for name, err := range map[string]error{
		"matmul":       kernels.MatMulForm(ctx, dev, kernels.Blocks, 0, 0, 0, nil, nil, nil),
		"matmul naive": kernels.MatMulNaiveForm(ctx, dev, kernels.Blocks, 0, 0, 0, nil, nil, nil),
		"transpose":    kernels.TransposeForm(ctx, dev, kernels.Blocks, 0, 0, nil, nil),
		"mandelbrot":   kernels.MandelbrotForm(ctx, dev, kernels.Blocks, 0, 0, 0, 0, 0, 0, 0, nil),
		"spmv":         kernels.SpMVForm(ctx, dev, kernels.Blocks, &kernels.CSR{}, nil, nil),
		"histogram":    kernels.HistogramForm(ctx, dev, kernels.Blocks, nil, make([]uint32, 256)),
		"blackscholes": kernels.BlackScholesForm(ctx, dev, kernels.Blocks, 0, 1, nil, nil, nil, nil, nil),
		"fdtd":         kernels.FDTDStepForm(ctx, dev, kernels.Blocks, &kernels.FDTD{}),
		"radix sort":   kernels.RadixSortForm(ctx, dev, kernels.Blocks, nil, nil),
	} {
		assert.ErrorIs(t, err, gocuda.ErrNotSupported, name)
	}
}
