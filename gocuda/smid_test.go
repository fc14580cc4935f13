package gocuda_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func TestSMID(t *testing.T) {
	for _, executor := range []gocuda.Executor{gocuda.ExecutorCoroutine, gocuda.ExecutorGoroutine} {
		dev := openDevice(t, gocuda.WithWorkers(3), gocuda.WithExecutor(executor))
		for _, workers := range []int{0, 1, 2} {
			cfg := grid.Config{Grid: grid.Dim3{X: 40}, Block: grid.Dim3{X: 33}, Workers: workers}
			want := 3
			if workers > 0 {
				want = workers
			}
			ids := make([][2]int, 40*33)
			require.NoError(t, dev.LaunchFunc(t.Context(), cfg, func(t *gocuda.Thread) {
				ids[t.GlobalX()] = [2]int{t.SMID(), t.NSMID()}
			}))
			for i, id := range ids {
				assert.Equal(t, want, id[1])
				assert.GreaterOrEqual(t, id[0], 0)
				assert.Less(t, id[0], want)
				assert.Equal(t, ids[i/33*33], id, "all threads of a block are on one multiprocessor")
			}
		}
		// Blocks that wait for each other are on multiprocessors of their own.
		dev = openDevice(t, gocuda.WithWorkers(3), gocuda.WithExecutor(executor), gocuda.WithGeneration(gocuda.Volta))
		ids := make([]int, 3)
		require.NoError(t, dev.LaunchCooperative(t.Context(), grid.Config{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 2}}, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			t.SyncGrid()
			if t.ThreadIdx.X == 0 {
				ids[t.BlockIdx.X] = t.SMID()
			}
		})))
		assert.ElementsMatch(t, []int{0, 1, 2}, ids)
	}
}
