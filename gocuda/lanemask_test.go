package gocuda_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The masks name the lanes by comparison of their numbers, in blocks of several dimensions and
// warps that are not full too.
func TestLanemask(t *testing.T) {
	dev := openDevice(t)
	for _, block := range []grid.Dim3{{X: 1}, {X: 32}, {X: 70}, {X: 5, Y: 3, Z: 7}} {
		masks := make([][5]uint32, 1024)
		cfg := grid.Config{Grid: grid.Dim3{X: 1}, Block: block}
		s := dev.NewStream()
		require.NoError(t, s.LaunchFunc(cfg, func(t *gocuda.Thread) {
			masks[t.Rank()] = [5]uint32{t.LanemaskEQ(), t.LanemaskLT(), t.LanemaskLE(), t.LanemaskGT(), t.LanemaskGE()}
		}))
		require.NoError(t, synchronize(t, s))
		n := block.X * max(block.Y, 1) * max(block.Z, 1)
		for rank := range n {
			var want [5]uint32
			for lane := range 32 {
				bit, own := uint32(1)<<lane, rank%32
				for i, in := range [5]bool{lane == own, lane < own, lane <= own, lane > own, lane >= own} {
					if in {
						want[i] |= bit
					}
				}
			}
			assert.Equal(t, want, masks[rank], "thread %d of %v", rank, block)
		}
	}
}

// The timer is the host's clock.
func TestGlobalTimer(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	var at [2]int64
	before := time.Now().UnixNano()
	require.NoError(t, s.LaunchFunc(oneThread, func(t *gocuda.Thread) { at[0], at[1] = t.GlobalTimer(), t.GlobalTimer() }))
	require.NoError(t, synchronize(t, s))
	after := time.Now().UnixNano()
	assert.True(t, before <= at[0] && at[0] <= at[1] && at[1] <= after, "%d, %d and %d, %d", before, at[0], at[1], after)
}
