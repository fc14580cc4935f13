package image_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/image"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var edges = []image.Edge{image.Zero, image.Clamp, image.Wrap}

// ulp is half the distance from 1 to the next float32: the relative error of an operation.
const ulp = 1.0 / (1 << 24)

// padded is a line with r more elements on either side, which the edge says: the definition, step
// by step.
func padded(edge image.Edge, line []float64, r int) []float64 {
	n := len(line)
	p := make([]float64, n+2*r)
	copy(p[r:], line)
	if n == 0 {
		return p
	}
	switch edge {
	case image.Clamp:
		for i := range r {
			p[i], p[r+n+i] = line[0], line[n-1]
		}
	case image.Wrap:
		for i := range r {
			p[r+n+i] = p[r+i]
			p[r-1-i] = p[r-1-i+n]
		}
	}
	return p
}

// convolution is the definition in float64, with a bound for what float32 may differ from it: a sum
// of n products has n roundings on the way of each, in whatever order; one more stands for the
// terms of second order.
func convolution(edge image.Edge, filter, line []float64) (out, bound []float64) {
	r := len(filter) / 2
	p := padded(edge, line, r)
	for i := range line {
		var sum, size float64
		for k, f := range filter {
			v := f * p[i+2*r-k]
			sum += v
			size += math.Abs(v)
		}
		out, bound = append(out, sum), append(bound, size*float64(len(filter)+1)*ulp)
	}
	return out, bound
}

// within asserts that each element of got differs from that of want by its bound at most.
func within(t *testing.T, want, bound []float64, got []float32, msgAndArgs ...any) {
	t.Helper()
	slicetest.Within(t, want, got, func(i int) float64 { return bound[i] }, msgAndArgs...)
}

func wide(v []float32) []float64 {
	w := make([]float64, len(v))
	for i, x := range v {
		w[i] = float64(x)
	}
	return w
}

// g80 is a device with the narrowest grids, for tests that need large ones. It skips them where
// each thread is a goroutine.
func g80(t *testing.T) *gocuda.Device {
	if kerneltest.Devices(t)[0].Slow {
		t.Skip("too many threads to be goroutines")
	}
	d, err := gocuda.NewDevice(gocuda.WithGeneration(gocuda.G80))
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

func TestEdgeString(t *testing.T) {
	for e, want := range map[image.Edge]string{image.Zero: "zero", image.Clamp: "clamp", image.Wrap: "wrap", 7: "Edge(7)"} {
		assert.Equal(t, want, e.String())
	}
}
