package gocuda_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func TestProfTrigger(t *testing.T) {
	for _, executor := range []gocuda.Executor{gocuda.ExecutorCoroutine, gocuda.ExecutorGoroutine} {
		dev := openDevice(t, gocuda.WithExecutor(executor))
		cfg := grid.Config{Grid: grid.Dim3{X: 5}, Block: grid.Dim3{X: 70}} // three warps a block
		require.NoError(t, dev.LaunchFunc(t.Context(), cfg, func(t *gocuda.Thread) {
			t.ProfTrigger(0)
			if t.LaneID() == 3 {
				t.ProfTrigger(1) // one lane of each warp
			}
			for range t.LaneID() % 4 { // three rounds at most
				t.ProfTrigger(2)
			}
			if t.WarpID() == 2 {
				t.SyncWarp(gocuda.FullMask)
				t.ProfTrigger(7)
			}
			t.SyncThreads()
			if t.LaneID()%2 == 0 { // two places, each once a warp
				t.ProfTrigger(3)
			} else {
				t.ProfTrigger(3)
			}
		}))
		assert.Equal(t, [8]uint64{15, 15, 45, 30, 0, 0, 0, 5}, dev.ProfTriggers())
		require.NoError(t, dev.Launch(t.Context(), cfg, gocuda.WarpFunc(func(w *gocuda.Warp) { w.ProfTrigger(4) })))
		assert.Equal(t, uint64(15), dev.ProfTriggers()[4])
		dev.ResetProfTriggers()
		assert.Equal(t, [8]uint64{}, dev.ProfTriggers())
		for _, wrong := range []int{-1, 8, 15} {
			require.ErrorIs(t, dev.LaunchFunc(t.Context(), cfg, func(t *gocuda.Thread) { t.ProfTrigger(wrong) }), gocuda.ErrInvalidValue)
		}
		assert.Equal(t, [8]uint64{}, dev.ProfTriggers())
	}
}
