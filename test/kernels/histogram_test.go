package kernels_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
)

// byteSets are what a histogram finds hard: everything in one bin, and everything spread.
var byteSets = map[string]func(r *rand.Rand, i int) byte{
	"random":  func(r *rand.Rand, _ int) byte { return byte(r.Uint32()) },
	"one bin": func(*rand.Rand, int) byte { return 255 },
	"in turn": func(_ *rand.Rand, i int) byte { return byte(i) },
	"skewed":  func(r *rand.Rand, _ int) byte { return byte(r.Uint32() & r.Uint32() & r.Uint32()) },
}

func TestHistogramAgainstGonum(t *testing.T) {
	for name, dev := range devices(t) {
		for set, value := range byteSets {
			for _, n := range lengthsFor(name, awkward) {
				r := rand.New(rand.NewPCG(11, uint64(n)))
				data := make([]byte, n)
				for i := range data {
					data[i] = value(r, i)
				}
				got, plain := make([]uint32, 256), make([]uint32, 256)
				require.NoError(t, kernels.Histogram(t.Context(), dev, data, got))
				serial.Histogram(data, plain)
				same := func(want float64, got uint32) bool { return want == float64(got) }
				slicetest.EqualFunc(t, histogramOf(data), got, same, "%s, %s, n=%d", name, set, n)
				slicetest.EqualFunc(t, histogramOf(data), plain, same, "serial, %s, n=%d", set, n)
			}
		}
	}
}

// histogramOf is gonum's histogram, with a bin from each byte up to the next.
func histogramOf(data []byte) []float64 {
	sorted := slices.Sorted(slices.Values(data))
	x := make([]float64, len(sorted))
	for i, v := range sorted {
		x[i] = float64(v)
	}
	dividers := floats.Span(make([]float64, 257), 0, 256)
	return stat.Histogram(nil, dividers, x, nil)
}

func TestHistogramAdds(t *testing.T) {
	counts := make([]uint32, 256)
	for range 3 {
		require.NoError(t, kernels.Histogram(t.Context(), gocuda.Default(), []byte("abca"), counts))
	}
	assert.Equal(t, uint32(6), counts['a'])
	assert.Equal(t, uint32(3), counts['b'])
	assert.Equal(t, uint32(3), counts['c'])
	assert.Zero(t, counts['d'])
}

func TestHistogramRefusesWrongLengths(t *testing.T) {
	for _, n := range []int{0, 255, 257} {
		err := kernels.Histogram(t.Context(), gocuda.Default(), []byte("abc"), make([]uint32, n))
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%d bins", n)
	}
}
