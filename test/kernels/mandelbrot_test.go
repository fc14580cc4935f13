package kernels_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
)

func TestMandelbrotAgainstSerial(t *testing.T) {
	for name, dev := range devices(t) {
		sizes := [][2]int{{0, 0}, {0, 9}, {9, 0}, {1, 1}, {7, 8}, {31, 9}, {32, 8}, {33, 7}, {64, 64}, {101, 97}}
		for _, s := range sizesFor(name, sizes) {
			for _, maxIter := range []int32{0, 1, 100} {
				got, want := make([]int32, s[0]*s[1]), make([]int32, s[0]*s[1])
				serial.Mandelbrot(s[0], s[1], -2, -1.5, 1, 1.5, maxIter, want)
				require.NoError(t, kernels.Mandelbrot(t.Context(), dev, s[0], s[1], -2, -1.5, 1, 1.5, maxIter, got))
				slicetest.Equal(t, want, got, "%s, %v, %d iterations", name, s, maxIter)
			}
		}
	}
}

// Points whose fate is known: the middle of the cardioid, the tip at -2 and the cycle of -1 never
// escape, 1 goes 0, 1, 2, 5 and 3 goes 0, 3.
func TestMandelbrotAtKnownPoints(t *testing.T) {
	for c, want := range map[complex64]int32{0: 50, -1: 50, -2: 50, 1i: 50, 1: 3, 3: 1, 3i: 1, -2 - 2i: 1} {
		out := make([]int32, 1)
		x, y := real(c), imag(c)
		err := kernels.Mandelbrot(t.Context(), gocuda.Default(), 1, 1, x-1, y-1, x+1, y+1, 50, out)
		assert.NoError(t, err)
		assert.Equal(t, want, out[0], "iterations of %v", c)
	}
}

// In complex128 a chaotic orbit leaves that of complex64, but few pixels have such orbits for long.
func TestMandelbrotAgainstComplex128(t *testing.T) {
	const w, h, maxIter = 90, 60, 200
	out := make([]int32, w*h)
	require.NoError(t, kernels.Mandelbrot(t.Context(), gocuda.Default(), w, h, -2, -1.25, 1, 1.25, maxIter, out))
	differ := 0
	for i, got := range out {
		c := complex(-2+3*(float64(i%w)+0.5)/w, -1.25+2.5*(float64(i/w)+0.5)/h)
		z, n := complex128(0), int32(0)
		for n < maxIter && real(z)*real(z)+imag(z)*imag(z) <= 4 {
			z = z*z + c
			n++
		}
		if n != got {
			differ++
		}
	}
	assert.LessOrEqual(t, differ, w*h/50, "pixels that differ")
}

func TestMandelbrotRefusesBadArguments(t *testing.T) {
	for _, err := range []error{
		kernels.Mandelbrot(t.Context(), gocuda.Default(), 2, 3, -2, -1, 1, 1, 10, make([]int32, 5)),
		kernels.Mandelbrot(t.Context(), gocuda.Default(), -2, -3, -2, -1, 1, 1, 10, make([]int32, 6)),
		kernels.Mandelbrot(t.Context(), gocuda.Default(), 2, 3, -2, -1, 1, 1, -1, make([]int32, 6)),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
	}
}
