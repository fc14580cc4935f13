package stats_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/kerneltest"
	"github.com/gocuda/gocuda/kernels/stats"
)

func TestPiIsTheSameEverywhere(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		// Above 524288 points a thread has more than one round.
		for _, n := range dev.Sizes([]int{1, 2, 3, 511, 514, 512, 513, 100003, 1200001}, 5) {
			for _, seed := range []uint64{0, 1, 1 << 40} {
				got, err := stats.Pi(t.Context(), dev, seed, n)
				if want := stats.PiSerial(seed, n); err != nil || got != want {
					t.Errorf("%s, seed %d, n=%d: %v, %v, want %v", dev.Name, seed, n, got, err, want)
				}
			}
		}
	}
}

// A point lies inside with the chance p = pi/4, so 4 times the mean of n has the variance 16 p (1-p) / n. Five times its
// root is exceeded once in 1.7 million tries.
func TestPiIsWithinFiveSigma(t *testing.T) {
	if kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	const n = 1 << 20
	seen := map[float64]bool{}
	for seed := range uint64(8) {
		pi, err := stats.Pi(t.Context(), gocuda.Default(), seed, n)
		if sigma := math.Sqrt(math.Pi * (4 - math.Pi) / n); err != nil || math.Abs(pi-math.Pi) > 5*sigma {
			t.Errorf("seed %d: %v, %v, %.1f sigma off", seed, pi, err, (pi-math.Pi)/sigma)
		}
		seen[pi] = true
	}
	if len(seen) < 4 {
		t.Errorf("eight seeds gave only %v", seen)
	}
}

func TestPiBadArguments(t *testing.T) {
	for _, n := range []int{0, -1, math.MinInt, math.MaxInt} {
		if _, err := stats.Pi(t.Context(), gocuda.Default(), 1, n); !errors.Is(err, gocuda.ErrInvalidValue) {
			t.Errorf("n=%d: %v", n, err)
		}
	}
	s := gocuda.Default().NewStream()
	defer s.Close()
	if _, err := stats.Pi(t.Context(), kernels.OnStream(s), 1, 100); !errors.Is(err, gocuda.ErrNotSupported) {
		t.Error(err)
	}
}

func ExamplePi() {
	pi, err := stats.Pi(context.Background(), gocuda.Default(), 1, 10_000_000)
	fmt.Printf("%.2f %v\n", pi, err)
	// Output: 3.14 <nil>
}
