package sparse_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/floats"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/sparse"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

func wide(v []float32) []float64 {
	w := make([]float64, len(v))
	for i, e := range v {
		w[i] = float64(e)
	}
	return w
}

func TestDotAgainstGonum(t *testing.T) {
	sizes := append(kerneltest.Around(256), 8191, 8192, 8193, 50021)
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes(sizes, 9) {
			x, y := kerneltest.Uniform[float32](n), kerneltest.Uniform[float32](n + 1)[:n]
			want, size := 0.0, 0.0
			if n > 0 {
				want = floats.Dot(wide(x), wide(y)) // products of float32 are exact in float64, sums nearly
				for i := range x {
					size += math.Abs(float64(x[i]) * float64(y[i]))
				}
			}
			got, err := sparse.Dot(t.Context(), dev, x, y)
			require.NoError(t, err)
			// The bound of the comment of Dot.
			assert.InDelta(t, want, got, 42*0x1p-24*size, "%s, n=%d", dev.Name, n)
			// n roundings in float64 of each.
			assert.InDelta(t, want, serial.Dot(x, y), 2*float64(n)*0x1p-53*size, "serial, n=%d", n)
		}
	}
}

func TestAXPYAgainstBLAS(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes(kerneltest.Around(256), 9) {
			const a = -1.25
			x, y := kerneltest.Uniform[float32](n), kerneltest.Uniform[float32](n + 1)[:n]
			want, axpy, xpay := append([]float32{}, y...), append([]float32{}, y...), append([]float32{}, y...)
			axpySerial, xpaySerial := append([]float32{}, y...), append([]float32{}, y...)
			if n > 0 {
				blas32.Axpy(a, blas32.Vector{N: n, Data: x, Inc: 1}, blas32.Vector{N: n, Data: want, Inc: 1})
			}
			require.NoError(t, sparse.AXPY(t.Context(), dev, a, x, axpy))
			require.NoError(t, sparse.XPAY(t.Context(), dev, a, x, xpay))
			serial.AXPY(a, x, axpySerial)
			serial.XPAY(a, x, xpaySerial)
			// |a x| and the result are below 4: two roundings of at most 2^-23, for each of the two sides.
			slicetest.InDelta(t, want, axpy, 4*0x1p-23, "%s, n=%d: axpy", dev.Name, n)
			slicetest.InDelta(t, want, axpySerial, 4*0x1p-23, "serial, n=%d: axpy", n)
			sum := floats.AddScaledTo(make([]float64, n), wide(x), a, wide(y))
			slicetest.InDelta(t, sum, xpay, 2*0x1p-23, "%s, n=%d: xpay", dev.Name, n)
			slicetest.InDelta(t, sum, xpaySerial, 2*0x1p-23, "serial, n=%d: xpay", n)
		}
	}
}

// More elements than one launch of the largest grid of the first generation has threads.
func TestAXPYOfManyElements(t *testing.T) {
	if testing.Short() || kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	dev, err := gocuda.NewDevice(gocuda.WithGeneration(gocuda.G80))
	require.NoError(t, err)
	defer dev.Close()
	x, y := make([]float32, 65535*256+3), make([]float32, 65535*256+3)
	for i := range x {
		x[i] = float32(i % 1024)
	}
	require.NoError(t, sparse.AXPY(t.Context(), dev, 2, x, y))
	slicetest.Each(t, func(i int) float32 { return 2 * x[i] }, y)
}

func TestVectorsOnAStream(t *testing.T) {
	s := gocuda.Default().NewStream()
	defer s.Close()
	on, x, y := kernels.OnStream(s), []float32{1, 2, 3}, []float32{10, 20, 30}
	require.NoError(t, errors.Join(
		sparse.AXPY(t.Context(), on, 2, x, y), // 12 24 36
		sparse.XPAY(t.Context(), on, 2, x, y),
		s.Synchronize(t.Context()),
	))
	assert.Equal(t, []float32{25, 50, 75}, y)
	_, err := sparse.Dot(t.Context(), on, x, y)
	assert.ErrorIs(t, err, gocuda.ErrNotSupported)
}

func TestVectorsRefuseDifferentLengths(t *testing.T) {
	ctx, dev, v := t.Context(), gocuda.Default(), make([]float32, 4)
	_, err := sparse.Dot(ctx, dev, v, v[:3])
	for _, err := range []error{err, sparse.AXPY(ctx, dev, 1, v, v[:3]), sparse.XPAY(ctx, dev, 1, nil, v)} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
	}
}
