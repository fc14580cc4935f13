package pns_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/apps/pns"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// The results of the definition for one sequence of numbers.
func TestKnownRuns(t *testing.T) {
	for _, c := range []struct {
		n, steps, runs int
		want           pns.Summary
	}{
		{4, 100, 4, pns.Summary{Variance: 1.421875, VarianceSpread: 0.278076, Most: 4, MostSpread: 1.5}},
		{16, 2000, 8, pns.Summary{Variance: 1.326660, VarianceSpread: 0.008289, Most: 6.125, MostSpread: 0.609375}},
	} {
		check := func(what string, simulate func(variance []float64, most []int32) error) {
			variance, most := make([]float64, c.runs), make([]int32, c.runs)
			require.NoError(t, simulate(variance, most), what)
			got := pns.Summarize(variance, most)
			assert.InDelta(t, c.want.Variance, got.Variance, 0.5e-6, what)
			assert.InDelta(t, c.want.VarianceSpread, got.VarianceSpread, 0.5e-6, what)
			assert.InDelta(t, c.want.Most, got.Most, 0.5e-6, what)
			assert.InDelta(t, c.want.MostSpread, got.MostSpread, 0.5e-6, what)
		}
		seeds := []uint32{391581}
		check("serial", func(variance []float64, most []int32) error {
			serial.PNSSimulate(c.n, c.steps, c.runs, seeds, variance, most)
			return nil
		})
		for _, dev := range kerneltest.Devices(t) {
			check(dev.Name, func(variance []float64, most []int32) error {
				return pns.Simulate(t.Context(), dev, c.n, c.steps, c.runs, seeds, variance, most)
			})
		}
	}
}

// Nets of all sizes, with counts of seeds that fit no block.
func TestSimulateAgainstSerial(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range []int{1, 2, 3, 7, 20} {
			for _, count := range dev.Sizes([]int{0, 1, 2, 17, 31, 33, 100, 257}, 4) {
				const steps, runs = 37, 3
				seeds := make([]uint32, count)
				for i := range seeds {
					seeds[i] = uint32(i) * 0x9e3779b9
				}
				got, want := make([]float64, count*runs), make([]float64, count*runs)
				most, wantMost := make([]int32, count*runs), make([]int32, count*runs)
				require.NoError(t, pns.Simulate(t.Context(), dev, n, steps, runs, seeds, got, most))
				serial.PNSSimulate(n, steps, runs, seeds, want, wantMost)
				assert.Equal(t, want, got, "%s: %d columns, %d seeds", dev.Name, n, count)
				assert.Equal(t, wantMost, most, "%s: %d columns, %d seeds", dev.Name, n, count)
			}
		}
	}
}

// More seeds than a launch has threads.
func TestManySeeds(t *testing.T) {
	if kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	count := 128*16 + 5 // a launch has 128 blocks of 16 threads
	seeds := make([]uint32, count)
	for i := range seeds {
		seeds[i] = uint32(i)
	}
	got, want := make([]float64, count), make([]float64, count)
	most, wantMost := make([]int32, count), make([]int32, count)
	require.NoError(t, pns.Simulate(t.Context(), gocuda.Default(), 2, 10, 1, seeds, got, most))
	serial.PNSSimulate(2, 10, 1, seeds, want, wantMost)
	assert.Equal(t, want, got)
	assert.Equal(t, wantMost, most)
}
