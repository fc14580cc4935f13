package pns

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/mem"
)

// The generators of threads give the numbers of the authors' program: the first ones without tempering
// for the seed 391581, and the first with tempering for 5489. Of the latter the ten thousandth is what
// std::mt19937 of C++ must give (ISO/IEC 14882, rand.predef).
func TestInterleavedTwister(t *testing.T) {
	temper := func(y uint32) uint32 {
		y ^= y >> 11
		y ^= y << 7 & 0x9d2c5680
		y ^= y << 15 & 0xefc60000
		return y ^ y>>18
	}
	for _, tid := range []int{0, 1, threads - 1} {
		state := make([]uint32, words*threads)
		state[tid] = 391581
		seed(tid, state)
		twist(tid, state)
		for k, want := range []uint32{3361660733, 2928926014, 951680653} {
			assert.Equal(t, want, state[k*threads+tid])
		}
		clear(state)
		state[tid] = 5489
		seed(tid, state)
		twist(tid, state)
		assert.Equal(t, uint32(3499211612), temper(state[tid]))
		for range 9999 / words {
			twist(tid, state)
		}
		assert.Equal(t, uint32(4123659995), temper(state[9999%words*threads+tid]))
	}
}

// No steps leave the net as it is, and few steps can't move many tokens. One firing leaves two
// places empty and two with two tokens each, if these are four places.
func TestFewSteps(t *testing.T) {
	variance, most := []float64{9, 9}, []int32{9, 9}
	require.NoError(t, Simulate(t.Context(), gocuda.Default(), 5, 0, 2, []uint32{1}, variance, most))
	assert.Equal(t, []float64{0, 0}, variance)
	assert.Equal(t, []int32{1, 1}, most)
	require.NoError(t, Simulate(t.Context(), gocuda.Default(), 5, 1, 2, []uint32{1}, variance, most))
	assert.Equal(t, []float64{4. / 50, 4. / 50}, variance)
	assert.Equal(t, []int32{2, 2}, most)
	// With one column a place is above and below itself, and right of itself: nothing changes.
	require.NoError(t, Simulate(t.Context(), gocuda.Default(), 1, 100, 2, []uint32{1}, variance, most))
	assert.Equal(t, []float64{0, 0}, variance)
	assert.Equal(t, []int32{1, 1}, most)
}

// What is around a place, by the definition, and each place is as often below, above and right as
// another.
func TestCorners(t *testing.T) {
	around := corners(3)
	assert.Equal(t, corner{above: 15, below: 3, right: 1}, around[0])
	assert.Equal(t, corner{above: 1, below: 7, right: 4}, around[3])    // an odd row
	assert.Equal(t, corner{above: 12, below: 0, right: 15}, around[17]) // the last place
	for n := range 9 {
		counts := make([][3]int, 2*n*n)
		for _, a := range corners(n) {
			counts[a.above][0]++
			counts[a.below][1]++
			counts[a.right][2]++
		}
		for p, c := range counts {
			assert.Equal(t, [3]int{1, 1, 1}, c, "%d columns, place %d", n, p)
		}
	}
}

// All states of a net with 2 columns have the same tokens, and a transition that fires.
func TestNoNetGetsStuck(t *testing.T) {
	around := corners(2)
	start := [8]int8{1, 1, 1, 1, 1, 1, 1, 1}
	seen, todo := map[[8]int8]bool{start: true}, [][8]int8{start}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		fires, sum := false, 0
		for p, a := range around {
			sum += int(s[p])
			if s[p] == 0 || s[a.above] == 0 {
				continue
			}
			fires = true
			next := s
			next[p]--
			next[a.above]--
			next[a.below]++
			next[a.right]++
			if !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
		assert.True(t, fires, "%v", s)
		assert.Equal(t, 8, sum, "%v", s)
	}
	assert.Greater(t, len(seen), 100)
}

func TestSummarize(t *testing.T) {
	assert.Equal(t, Summary{2, 1, 5, 4}, Summarize([]float64{1, 3}, []int32{3, 7}))
	assert.Equal(t, Summary{}, Summarize(nil, nil))
}

func TestErrors(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	seeds, variance, most := make([]uint32, 2), make([]float64, 6), make([]int32, 6)
	for name, err := range map[string]error{
		"no columns":     Simulate(ctx, dev, 0, 1, 3, seeds, variance, most),
		"many columns":   Simulate(ctx, dev, MostColumns+1, 1, 3, seeds, variance, most),
		"steps":          Simulate(ctx, dev, 1, -1, 3, seeds, variance, most),
		"runs":           Simulate(ctx, dev, 1, 1, -3, seeds, variance, most),
		"variances":      Simulate(ctx, dev, 1, 1, 3, seeds, variance[:5], most),
		"most":           Simulate(ctx, dev, 1, 1, 3, seeds, variance, most[:5]),
		"runs that wrap": Simulate(ctx, dev, 1, 1, math.MaxInt, seeds, variance, most),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
	s := dev.NewStream()
	defer s.Close()
	assert.ErrorIs(t, Simulate(ctx, kernels.OnStream(s), 1, 1, 3, seeds, variance, most), gocuda.ErrNotSupported)
	old := debug.SetMemoryLimit(1 << 30)
	assert.ErrorIs(t, Simulate(ctx, dev, MostColumns, 1, 3, seeds, variance, most), mem.ErrOutOfMemory)
	debug.SetMemoryLimit(old)
	closed, err := gocuda.NewDevice()
	require.NoError(t, err)
	closed.Close()
	assert.ErrorIs(t, Simulate(ctx, closed, 1, 1, 3, seeds, variance, most), gocuda.ErrInvalidResourceHandle)
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	assert.ErrorIs(t, Simulate(ctx, dev, 1, 1, 3, seeds, variance, most), context.Canceled)
}

func ExampleSimulate() {
	const runs = 4
	variance, most := make([]float64, runs), make([]int32, runs)
	err := Simulate(context.Background(), gocuda.Default(), 4, 100, runs, []uint32{391581}, variance, most)
	s := Summarize(variance, most)
	fmt.Printf("%f %f %f %f %v\n", s.Variance, s.VarianceSpread, s.Most, s.MostSpread, err)
	// Output: 1.421875 0.278076 4.000000 1.500000 <nil>
}
