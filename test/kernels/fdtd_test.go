package kernels_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
)

func newFDTD(t *testing.T, w, h int, courant float32) *kernels.FDTD {
	t.Helper()
	f, err := kernels.NewFDTD(w, h, courant)
	require.NoError(t, err)
	return f
}

func TestFDTDAgainstSerial(t *testing.T) {
	for name, dev := range devices(t) {
		sizes := [][2]int{{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 9}, {2, 2}, {3, 3}, {31, 9}, {33, 7}, {32, 8}, {64, 64}, {97, 101}}
		for _, s := range sizesFor(name, sizes) {
			w, h := s[0], s[1]
			got, want := newFDTD(t, w, h, 0.7), newFDTD(t, w, h, 0.7)
			for _, f := range []*kernels.FDTD{got, want} {
				copy(f.Ez, randoms(w*h))
				copy(f.Hx, randoms(w*h))
				for i, v := range randoms(w * h) {
					f.Ce[i] *= (1 + v) / 2 // some material
				}
			}
			for range 10 {
				require.NoError(t, kernels.FDTDStep(t.Context(), dev, got))
				serial.FDTDStep(want)
			}
			off := make([]float64, w*h)
			for i := range off {
				off[i] = math.Abs(float64(got.Ez[i]-want.Ez[i])) + math.Abs(float64(got.Hx[i]-want.Hx[i])) +
					math.Abs(float64(got.Hy[i]-want.Hy[i]))
			}
			// Processors that fuse multiplications and additions may differ.
			slicetest.InDelta(t, make([]float64, w*h), off, 1e-5, "%s, %v", name, s)
		}
	}
}

// A standing wave between the walls swings for ever. Its frequency on the grid is known exactly
// (Taflove and Hagness, section 4.2): sin²(ω/2) = S² (sin²(kx/2) + sin²(ky/2)), in radians a step.
// H begins at 0 half a step before E begins at its shape, so that E at step n is cos(ω(n+1/2)) /
// cos(ω/2) times that.
func TestFDTDStandingWave(t *testing.T) {
	const w, h, courant, steps = 31, 21, 0.6, 60
	f := newFDTD(t, w, h, courant)
	kx, ky := 2*math.Pi/(w-1), 3*math.Pi/(h-1)
	wave := func(i int) float64 { return math.Sin(kx*float64(i%w)) * math.Sin(ky*float64(i/w)) }
	for i := range f.Ez {
		f.Ez[i] = float32(wave(i))
	}
	omega := 2 * math.Asin(courant*math.Hypot(math.Sin(kx/2), math.Sin(ky/2)))
	for n := 1; n <= steps; n++ {
		require.NoError(t, kernels.FDTDStep(t.Context(), gocuda.Default(), f))
		swing := math.Cos(omega*(float64(n)+0.5)) / math.Cos(omega/2)
		want := make([]float64, w*h)
		for i := range want {
			want[i] = swing * wave(i)
		}
		slicetest.InDelta(t, want, f.Ez, 1e-4, "step %d", n)
	}
}

// No wave gets through a wall of cells with Ce = 0.
func TestFDTDConductor(t *testing.T) {
	const w, h = 40, 20
	f := newFDTD(t, w, h, kernels.MaxCourant)
	for y := range h {
		f.Ce[y*w+20] = 0
	}
	for range 60 {
		f.Ez[10*w+5]++ // a source on the left
		require.NoError(t, kernels.FDTDStep(t.Context(), gocuda.Default(), f))
	}
	for row := range slices.Chunk(f.Ez, w) {
		slicetest.Each(t, func(int) float32 { return 0 }, row[20:])
	}
	assert.NotZero(t, f.Ez[10*w+19], "nothing got to the wall")
}

func TestFDTDRefusesBadArguments(t *testing.T) {
	_, err1 := kernels.NewFDTD(-2, -3, 0.5)
	_, err2 := kernels.NewFDTD(2, 3, 0.8)
	_, err3 := kernels.NewFDTD(2, 3, 0)
	_, err4 := kernels.NewFDTD(2, 3, float32(math.NaN()))
	short := newFDTD(t, 5, 5, 0.5)
	short.Hy = short.Hy[1:]
	for i, err := range []error{err1, err2, err3, err4, kernels.FDTDStep(t.Context(), gocuda.Default(), short)} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%d", i)
	}
}
