package kernels_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
)

// The first kernels of a course: the sum of two arrays, and the reversal of one.

func TestAddAgainstGonum(t *testing.T) {
	for name, dev := range devices(t) {
		for _, on := range []kernels.Launcher{dev, kernels.Uncompiled(dev)} {
			for _, n := range lengthsFor(name, awkward) {
				a, b, want := make([]float64, n), make([]float64, n), make([]float64, n)
				for i := range n {
					a[i], b[i] = float64(i)*1.7, float64(i*i%97)/3
				}
				floats.AddTo(want, a, b)
				got, plain := make([]float64, n), make([]float64, n)
				require.NoError(t, kernels.Add(t.Context(), on, got, a, b))
				serial.Add(plain, a, b)
				slicetest.Equal(t, want, got, "%s, n=%d", name, n)
				slicetest.Equal(t, want, plain, "serial, n=%d", n)
				require.NoError(t, kernels.Add(t.Context(), on, a, a, b))
				slicetest.Equal(t, want, a, "%s, n=%d, in place", name, n)
			}
		}
	}
}

func TestAddOfBytesWrapsAround(t *testing.T) {
	got := make([]uint8, 2)
	assert.NoError(t, kernels.Add(t.Context(), gocuda.Default(), got, []uint8{200, 1}, []uint8{100, 2}))
	slicetest.Equal(t, []uint8{44, 3}, got)
}

func TestAddRefusesWrongLengths(t *testing.T) {
	v := make([]int, 5)
	for _, err := range []error{
		kernels.Add(t.Context(), gocuda.Default(), v, v, v[:4]),
		kernels.Add(t.Context(), gocuda.Default(), v, v[:4], v),
		kernels.Add(t.Context(), gocuda.Default(), v[:4], v, v),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
	}
}

func TestReverseAgainstSlices(t *testing.T) {
	for name, dev := range devices(t) {
		for _, on := range []kernels.Launcher{dev, kernels.Uncompiled(dev)} {
			for _, n := range lengthsFor(name, awkward) {
				got := make([]int32, n+1) // the last must stay
				for i := range got {
					got[i] = int32(i * 7)
				}
				plain, want := slices.Clone(got), slices.Clone(got)
				slices.Reverse(want[:n])
				require.NoError(t, kernels.Reverse(t.Context(), on, got[:n]))
				serial.Reverse(plain[:n])
				slicetest.Equal(t, want, got, "%s, n=%d", name, n)
				slicetest.Equal(t, want, plain, "serial, n=%d", n)
			}
		}
	}
}
