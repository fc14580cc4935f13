package bench

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The paper's registers and shared memory give its threads at once with blocks of usual sizes, but
// for the two rows that are over the limits of the paper's own section 2: 32 registers and 84.2
// bytes for 200 threads of a multiprocessor are 16840 bytes, and 11 registers for 768 are 8448.
func TestRyooThreadsAtOnce(t *testing.T) {
	for _, r := range RyooTable() {
		blocks, most, err := r.Blocks()
		require.NoError(t, err)
		if r.Name == "LBM" || r.Name == "FDTD" {
			require.Empty(t, blocks, r.Name)
			require.Less(t, most, r.Threads, r.Name)
			require.True(t, float64(r.Threads/16)*r.Shared > 16<<10 || r.Threads/16*r.Registers > 8192, r.Name)
			continue
		}
		require.NotEmpty(t, blocks, r.Name)
		for _, b := range blocks { // as many whole blocks as the threads of a multiprocessor
			require.Zero(t, r.Threads/16%b, "%s: %d", r.Name, b)
			require.LessOrEqual(t, r.Threads/16/b, 8, "%s: %d", r.Name, b)
			require.LessOrEqual(t, r.Threads/16*r.Registers, 8192, r.Name)
		}
	}
}

func TestWriteRyoo(t *testing.T) {
	var out strings.Builder
	require.NoError(t, WriteRyoo(&out, []Result{
		{Workload: "cp", Size: 256, Executor: Serial, Value: 2}, {Workload: "cp", Size: 256, Executor: SIMD, Value: 25},
		{Workload: "fem", Size: 32, Executor: Serial, Value: 1}, {Workload: "fem", Size: 32, Executor: SIMD, Value: 3},
		{Workload: "fem", Size: 64, Executor: Serial, Value: 1}, {Workload: "fem", Size: 64, Executor: SIMD, Value: 4},
	}))
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	require.Len(t, lines, 2+len(RyooTable()))
	row := func(name string) []string {
		at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, name+" ") })
		require.Positive(t, at, name)
		return strings.Fields(lines[at])
	}
	require.Equal(t, []string{"CP", "cp", "102", "12.5", "20", "0.4", "6144", "0.0005"}, row("CP")[:8])
	require.Equal(t, "4", row("FEM")[3], "the last size counts")
	require.Equal(t, "-", row("SAXPY")[3])
	require.Contains(t, strings.Join(row("LBM"), " "), "none: with 32 registers and 84.2 bytes a thread, 3104 fit at most")
	var names []string
	for _, w := range everyWorkload() {
		names = append(names, w.Name)
	}
	for _, r := range RyooTable() {
		require.Contains(t, names, r.Workload, fmt.Sprint(r.Name))
	}
}
