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

// The answers are those of kat_vectors in the distribution of Random123, for philox4x32 with 10 rounds.
func TestPhiloxKnownAnswers(t *testing.T) {
	const all = math.MaxUint32
	for _, v := range []struct {
		counter [4]uint32
		key     [2]uint32
		want    [4]uint32
	}{
		{want: [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{all, all, all, all}, [2]uint32{all, all}, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, [2]uint32{0xa4093822, 0x299f31d0},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		var got [4]uint32
		got[0], got[1], got[2], got[3] = stats.Philox4x32(v.counter[0], v.counter[1], v.counter[2], v.counter[3], v.key[0], v.key[1])
		if got != v.want {
			t.Errorf("counter %x, key %x: %x, want %x", v.counter, v.key, got, v.want)
		}
	}
}

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

func ExamplePhilox4x32() {
	fmt.Printf("%08x\n", func() (r [4]uint32) {
		r[0], r[1], r[2], r[3] = stats.Philox4x32(0, 0, 0, 0, 0, 0)
		return r
	}())
	// Output: [6627e8d5 e169c58d bc57ac4c 9b00dbd8]
}
