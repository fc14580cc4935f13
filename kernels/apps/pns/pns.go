package pns

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

const (
	// MostColumns is the largest net that there is, because places are numbers of 32 bits.
	MostColumns = 32767

	launchBlocks = 128     // 2048 threads, which is what the paper has room for
	launchBytes  = 1 << 28 // of nets, so that large ones go in launches of fewer threads
)

// Simulate runs nets of 2n rows and n columns for so many steps each. Every seed begins a sequence
// of random numbers, with which a thread does so many runs, one after the other, each from the
// beginning. Run r with seed g leaves the variance of the tokens over the places in
// variance[g*runs+r], and the most tokens of a place in most[g*runs+r]; both slices have
// len(seeds)*runs elements. Runs with one seed are independent as far as the generator is good; so
// are those with different seeds, though nobody has proven it for seeds that are neighbours.
//
// Simulate reads results back, so it can't be queued.
func Simulate(ctx context.Context, on kernels.Launcher, n, steps, runs int, seeds []uint32, variance []float64, most []int32) error {
	const what = "Petri nets"
	if err := valid(what, n, steps, runs, seeds, variance, most); err != nil {
		return err
	}
	if err := kernels.Waits(what, on); err != nil {
		return err
	}
	if len(variance) == 0 {
		return nil
	}
	if steps == 0 {
		for i := range variance {
			variance[i], most[i] = 0, 1
		}
		return nil
	}
	places := 2 * n * n
	blocks := min((len(seeds)+threads-1)/threads, launchBlocks, max(launchBytes/(4*threads*places), 1))
	if err := host.Need(4*threads*float64(blocks)*(words+float64(places))+12*float64(places), fmt.Sprintf("nets of %d places", places)); err != nil {
		return fmt.Errorf("kernels: %s: %w", what, err)
	}
	states, nets := make([]uint32, blocks*threads*words), make([]int32, blocks*threads*places)
	squares := make([]int64, min(blocks*threads, len(seeds))*runs)
	around := corners(n)
	for first := 0; first < len(seeds); first += blocks * threads {
		some := min(blocks*threads, len(seeds)-first)
		for i, s := range seeds[first : first+some] {
			states[i/threads*words*threads+i%threads] = s
		}
		at := first * runs
		k := simulateKernel(some, places, steps, runs, around, states, nets, squares, most[at:at+some*runs])
		if err := on.Launch(ctx, grid.Linear(some, threads), k); err != nil {
			return err
		}
		for i, s := range squares[:some*runs] {
			variance[at+i] = float64(s) / float64(places)
		}
	}
	return nil
}

func valid(what string, n, steps, runs int, seeds []uint32, variance []float64, most []int32) error {
	switch {
	case n < 1 || n > MostColumns:
		return check.Invalid(what, "a net of %d columns; want 1 to %d", n, MostColumns)
	case steps < 0 || runs < 0:
		return check.Invalid(what, "%d steps, %d runs", steps, runs)
	}
	for _, length := range []int{len(variance), len(most)} {
		if err := check.Shape(what+", results of seeds by runs", len(seeds), runs, length); err != nil {
			return err
		}
	}
	return nil
}

// A Summary has means and variances over runs.
type Summary struct {
	Variance, VarianceSpread float64 // of the variance of tokens: its mean and its variance
	Most, MostSpread         float64 // of the most tokens of a place
}

// Summarize returns the mean and the variance over all runs, which is the mean of the squares of
// the deviations, of both results of [Simulate]. Without runs all are 0.
func Summarize(variance []float64, most []int32) Summary {
	wide := make([]float64, len(most))
	for i, m := range most {
		wide[i] = float64(m)
	}
	var s Summary
	s.Variance, s.VarianceSpread = spread(variance)
	s.Most, s.MostSpread = spread(wide)
	return s
}

func spread(v []float64) (mean, variance float64) {
	if len(v) == 0 {
		return 0, 0
	}
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	for _, x := range v {
		variance += (x - mean) * (x - mean)
	}
	return mean, variance / float64(len(v))
}
