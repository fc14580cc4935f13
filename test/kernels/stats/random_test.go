package stats_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/stats"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

func TestPiIsTheSameEverywhere(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		// Above 524288 points a thread has more than one round.
		for _, n := range dev.Sizes([]int{1, 2, 3, 511, 514, 512, 513, 100003, 1200001}, 5) {
			for _, seed := range []uint64{0, 1, 1 << 40} {
				got, err := stats.Pi(t.Context(), dev, seed, n)
				assert.NoError(t, err, "%s, seed %d, n=%d", dev.Name, seed, n)
				assert.Equal(t, serial.Pi(seed, n), got, "%s, seed %d, n=%d", dev.Name, seed, n)
			}
		}
	}
}

// A point lies inside with the chance p = pi/4, so 4 times the mean of n has the variance 16 p
// (1-p) / n. Five times its root is exceeded once in 1.7 million tries.
func TestPiIsWithinFiveSigma(t *testing.T) {
	if kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	const n = 1 << 20
	seen := map[float64]bool{}
	for seed := range uint64(8) {
		pi, err := stats.Pi(t.Context(), gocuda.Default(), seed, n)
		sigma := math.Sqrt(math.Pi * (4 - math.Pi) / n)
		assert.NoError(t, err)
		assert.InDelta(t, math.Pi, pi, 5*sigma, "seed %d: %.1f sigma off", seed, (pi-math.Pi)/sigma)
		seen[pi] = true
	}
	assert.GreaterOrEqual(t, len(seen), 4, "different numbers of eight seeds")
}

func TestPiBadArguments(t *testing.T) {
	for _, n := range []int{0, -1, math.MinInt, math.MaxInt} {
		_, err := stats.Pi(t.Context(), gocuda.Default(), 1, n)
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "n=%d", n)
	}
	s := gocuda.Default().NewStream()
	defer s.Close()
	_, err := stats.Pi(t.Context(), kernels.OnStream(s), 1, 100)
	assert.ErrorIs(t, err, gocuda.ErrNotSupported)
}
