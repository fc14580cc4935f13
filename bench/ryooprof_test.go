package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/prof"
)

// launchOf is 16 blocks of 128 threads, each of which does so many multiply-adds.
func launchOf(name string, shared, multiplyAdds int) *prof.Kernel {
	return &prof.Kernel{Name: "user/app." + name, Launches: []*prof.Launch{{
		Kernel: name, Grid: grid.Dim3{X: 16}.Norm(), Block: grid.Dim3{X: 128}.Norm(), Count: 1, Blocks: 16, Sampled: 16, Warps: 64, Threads: 2048,
		SharedBytes: shared, Ops: map[string]int{"ffma": 64 * multiplyAdds},
	}}}
}

// The kernel that takes longest counts. With 20 registers a thread three blocks of 128 fit on a
// multiprocessor of capability 1.0, 12 warps, which hide 24 cycles from one result to the next of 4
// cycles an instruction; with 12000 bytes of shared memory one block fits, 4 warps.
func TestRyooBottleneck(t *testing.T) {
	row := RyooRow{Name: "CP", Workload: "cp", Registers: 20}
	c, err := countsOf(row, &prof.Report{Kernels: []*prof.Kernel{launchOf("little", 12000, 1), launchOf("most", 0, 1000)}})
	require.NoError(t, err)
	assert.Equal(t, RyooCounts{Row: row, Kernel: "most", Bottleneck: "instruction issue"}, c)

	c, err = countsOf(row, &prof.Report{Kernels: []*prof.Kernel{launchOf("k", 12000, 1000)}})
	require.NoError(t, err)
	assert.Equal(t, "latency: threads limited by shared memory", c.Bottleneck)

	row.Registers = 65 // 8320 for a block
	c, err = countsOf(row, &prof.Report{Kernels: []*prof.Kernel{launchOf("k", 0, 1000)}})
	require.NoError(t, err)
	assert.Equal(t, "blocks of 128 threads don't fit with 65 registers: none assumed", c.Note)

	_, err = countsOf(row, &prof.Report{})
	assert.ErrorContains(t, err, "no kernel of cp has run")

	var out strings.Builder
	require.NoError(t, WriteRyooCounts(&out, []RyooCounts{{Row: RyooRow{Name: "FEM", Workload: "fem", Ratio: 1.135, Bottleneck: "global memory bandwidth"}, Kernel: "k", Ratio: 9.25, Bottleneck: "instruction issue"}}))
	lines := strings.Split(out.String(), "\n")
	assert.Equal(t, "FEM fem k 1.135 9.2 global memory bandwidth instruction issue", strings.Join(strings.Fields(lines[2]), " "))
}

// Every application has a size, and without the overlay nothing is counted.
func TestRyooCounts(t *testing.T) {
	for _, r := range RyooTable() {
		assert.Positive(t, ryooSizes[r.Workload], r.Workload)
	}
	_, err := ProfileRyoo(t.Context())
	assert.ErrorIs(t, err, prof.ErrNotBuilt)
}
