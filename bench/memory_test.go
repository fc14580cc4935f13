package bench

import (
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/kernels/sparse"
	"github.com/gocuda/gocuda/mem"
)

// A size that does not fit the memory is an error, before anything is taken. How much a workload
// takes is measured with a small size.
func TestSizesThatDoNotFit(t *testing.T) {
	if raceEnabled {
		t.Skip("allocations differ under the race detector")
	}
	e, err := newEnv(t.Context(), 2)
	require.NoError(t, err)
	defer e.close()
	const free = 1 << 30
	for _, w := range everyWorkload() {
		if len(w.Sizes) == 0 || w.Name == "rc5" || w.Name == "pns" {
			continue // launch and barrier have no size, keys take no memory, and nets take it for so many at a time
		}
		// As small as what a launch takes besides allows, since some workloads take the square of the time.
		small, power := 1<<18, 1.0
		switch {
		case w.Name == "cp":
			small, power = 100, 2
		case w.cube:
			small, power = 20, 3
		case w.side:
			small, power = 300, 2
		case w.Name == "nbody", w.Name == "tpacf", strings.HasPrefix(w.Name, "mri"):
			small = 1000
		case w.Name == "rpes":
			small = 1 << 15
		}
		// What is allocated for each element: the less of two, since what a launch needs for the
		// first time, and what others allocate meanwhile, is none of it. The size that comes of a
		// figure that is too large would fit, and take hours.
		bytes := math.Inf(1)
		for range 2 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			p := w.problem(e, small)
			require.NoError(t, p.err)
			for _, executor := range []string{Serial, Block, Go} {
				if run := p.run[executor]; run != nil {
					require.NoError(t, run())
				}
			}
			runtime.ReadMemStats(&after)
			bytes = min(bytes, float64(after.TotalAlloc-before.TotalAlloc)/math.Pow(float64(small), power))
		}

		// The size that just does not fit, and one that is out of the question.
		for _, size := range []int{int(math.Pow(free/bytes, 1/power)) + 1, 1 << 40} {
			err := withFree(free, func() error { return w.problem(e, size).err })
			assert.ErrorIs(t, err, mem.ErrOutOfMemory, "%s of size %d", w.Name, size)
		}
	}
}

// So is a matrix of the user's with very many columns.
func TestMatrixThatDoesNotFit(t *testing.T) {
	e, err := newEnv(t.Context(), 2)
	require.NoError(t, err)
	defer e.close()
	m := &sparse.CSR{Rows: 1, Cols: 1 << 30, RowPtr: []int32{0, 0}}
	assert.ErrorIs(t, withFree(1<<30, func() error { return setupCSR(e, m).err }), mem.ErrOutOfMemory)
}

// withFree runs f where so many bytes are free at most.
func withFree(bytes int64, f func() error) error {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(s.Sys-s.HeapReleased) + bytes))
	return f()
}
